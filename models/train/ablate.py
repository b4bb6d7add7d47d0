"""What each part of the reader gives: reads the same pictures with one part left out at a time.

    python models/train/ablate.py --photos DIR [--every 3]      labelled photographs
    python models/train/ablate.py --scenes 160                  rendered scenes of held-out decks

The networks stay as they are; the parts are those that stand between them and a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np

from atlas import load_stock
from evaluate import answers
from referee.commands.benches.photos import labels_of, score_image, sets_in
from referee.values import CardRead
from referee.vision import detect, naming
from referee.vision.detect import Reader
from referee.vision.peaks import joined_cards
from referee.vision.pyramid import levels
from scenes import make_scene
from script import parser

Image = np.ndarray
# How many indices or boxes there were, and how many were said right and wrong.
Marked = tuple[int, int, int]
Marking = Callable[[Sequence[CardRead]], Marked]


class Remembering(Reader):
    """A reader that looks at each size of one picture only once."""

    def begin(self) -> None:
        """Forget the picture before."""
        self._seen: dict[float, tuple] = {}  # type: ignore[type-arg]

    def _find(self, pyramid):  # type: ignore[no-untyped-def]
        for level in pyramid:
            if level.scale not in self._seen:
                self._seen[level.scale] = super()._find((level,))
        found = [self._seen[level.scale] for level in pyramid]
        indices = detect.joined_indices([one[0] for one in found])
        return indices, joined_cards([one[1] for one in found]), ()


def _alone(indices, rank, suit):  # type: ignore[no-untyped-def]
    return rank, suit


def _first_look(self, pyramid, indices):  # type: ignore[no-untyped-def]
    first, features = self._read_indices(pyramid, indices)
    once = detect.single_indices(indices, first[:, detect.IS_INDEX])
    return detect.Answers(indices.take(once), first[once], features[once])


def _one_size(image: Image, *, enlarged: bool = True) -> object:
    return tuple(one for one in levels(image, enlarged=False) if one.scale == 1.0)


def _not_enlarged(image: Image, *, enlarged: bool = True) -> object:
    return levels(image, enlarged=False)


def _no_outlines(indices, logits, cards, *rest):  # type: ignore[no-untyped-def]
    return naming.named(indices, logits, cards.take(np.zeros(0, np.intp)), *rest)


def _english(indices, logits, cards, deck, language, *rest):  # type: ignore[no-untyped-def]
    return naming.named(indices, logits, cards, deck, "english", *rest)


def _suited(indices, logits, cards, deck, language, *rest):  # type: ignore[no-untyped-def]
    return naming.named(indices, logits, cards, "suited", "english", *rest)


# What is changed for each row of the table: an object, its attribute, the other value.
PARTS: dict[str, tuple[object, str, object] | None] = {
    "all parts": None,
    "indices of one card do not help each other": (naming, "_agreed", _alone),
    "the finder's opinion left out": (naming, "FINDER_WEIGHT", 0.0),
    "the finder's outlines left out": (detect, "named", _no_outlines),
    "each index read once, as found": (Reader, "_read_closely", _first_look),
    "no look smaller and larger": (detect, "AND_AGAIN", (1.0,)),
    "the whole face not asked": (Reader, "_by_faces", lambda reader, pyramid, seen: seen),
    "the picture not enlarged": (detect, "levels", _not_enlarged),
    "one size of the picture": (detect, "levels", _one_size),
    "every name is said, however unsure": (naming, "NAME_SCORE", 0.0),
    "told that the letters are English": (detect, "named", _english),
    "told that, and that it is no number deck": (detect, "named", _suited),
}
PICTURES: dict[str, Callable[[Image], Image]] = {
    "without colour": lambda image: cv2.cvtColor(
        cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR
    ),
    "half the size": lambda image: cv2.resize(
        image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA
    ),
}
IN_8_BITS = "the finder in 8 bits (live sources)"


@dataclass(frozen=True)
class Shown:
    """One picture with what tells right from wrong in it."""

    image: Image
    mark: Marking


@contextmanager
def _without(part: tuple[object, str, object] | None) -> Iterator[None]:
    if part is None:
        yield
        return
    with patch.object(*part):
        yield


def photographs(folder: Path, every: int) -> Iterator[Shown]:
    """Every so many pictures of a labelled set."""
    for name, objects in labels_of(folder)[::every]:

        def mark(reads, objects=objects):  # type: ignore[no-untyped-def]
            score = score_image(objects, tuple(reads))[0]
            return score.n, score.right, score.wrong

        yield Shown(cv2.imread(str(folder / "images" / name)), mark)


def rendered(data: Path, count: int, every: tuple[int, int], seed: int) -> Iterator[Shown]:
    """Scenes of held-out decks."""
    stock, rng = load_stock(data, held_out=True, every=every), np.random.default_rng(seed)
    for _ in range(count):
        scene = make_scene(stock, rng)
        yield Shown(scene.image, partial(_marked, scene))


def _marked(scene, reads) -> Marked:  # type: ignore[no-untyped-def]
    rows = answers(scene, reads)
    return len(rows), sum(row.right for row in rows), sum(row.wrong for row in rows)


def table(readers: tuple[Remembering, Remembering], pictures: Iterable[Shown]) -> dict[str, Marked]:
    """The sums of all pictures, for each row."""
    sums: dict[str, np.ndarray] = {}
    for shown in pictures:
        for name, marked in rows_of(*readers, shown):
            sums[name] = sums.get(name, np.zeros(3, int)) + marked
    return {name: (int(row[0]), int(row[1]), int(row[2])) for name, row in sums.items()}


def rows_of(
    reader: Remembering, quick: Remembering, shown: Shown
) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """One picture, read in all ways."""
    reader.begin()
    for name, part in PARTS.items():
        with _without(part):
            yield name, shown.mark(reader.read(shown.image).cards)
    quick.begin()
    yield IN_8_BITS, shown.mark(quick.read(shown.image).cards)
    for name, change in PICTURES.items():
        reader.begin()
        changed = change(shown.image)
        scale = shown.image.shape[1] / changed.shape[1]
        yield name, shown.mark([_scaled(read, scale) for read in reader.read(changed).cards])


def _scaled(read: CardRead, scale: float) -> CardRead:
    return replace(read, at_px=(read.at_px[0] * scale, read.at_px[1] * scale))


def print_table(name: str, sums: dict[str, Marked]) -> None:
    """Print right and wrong of each row, and how many more than with all parts."""
    full = sums["all parts"]
    for row, (n, right, wrong) in sums.items():
        print(
            f"{name}  n {n}  right {right / max(1, n):.4f} ({right - full[1]:+d})  "
            f"wrong {wrong / max(1, n):.4f} ({wrong - full[2]:+d})  {row}",
            flush=True,
        )


def main() -> None:
    ap = parser(__doc__)
    ap.add_argument("--photos", type=Path, help="a folder of labelled sets")
    ap.add_argument("--every", type=int, default=1, help="only each so many-th photograph")
    ap.add_argument("--scenes", type=int, default=0, help="rendered scenes (0: none)")
    ap.add_argument("--decks", type=int, default=10, help="of each so many-th held-out deck")
    ap.add_argument("--seed", type=int, default=41)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    readers = Remembering(a.models, 1), Remembering(a.models, 1, quick=True)
    for folder in sets_in(a.photos) if a.photos else ():
        print_table(folder.name, table(readers, photographs(folder, a.every)))
    if a.scenes:
        scenes = rendered(a.data, a.scenes, (3 % a.decks, a.decks), a.seed)
        print_table("rendered", table(readers, scenes))


if __name__ == "__main__":
    main()
