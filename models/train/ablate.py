"""What each part of the reader gives: reads labelled photographs with one part left out at a time.

    python models/train/ablate.py --photos DIR [--every 3]

The networks stay as they are; the parts are those that stand between them and a name.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np

from referee.commands.benches.photos import Score, labels_of, print_score, score_image, sets_in
from referee.vision import detect, naming
from referee.vision.detect import Reader
from referee.vision.pyramid import levels

Image = np.ndarray


def _alone(indices, rank, suit):  # type: ignore[no-untyped-def]
    return rank, suit


def _first_look(self, pyramid, indices):  # type: ignore[no-untyped-def]
    first, features = self._read_indices(pyramid, indices)
    once = detect.single_indices(indices, first[:, detect.IS_INDEX])
    return detect.Answers(indices.take(once), first[once], features[once])


def _one_size(image: Image, *, enlarged: bool = True) -> object:
    return levels(image, enlarged=False)[:1]


# What is changed for each row of the table: an object, its attribute, the other value.
PARTS: dict[str, tuple[object, str, object] | None] = {
    "all parts": None,
    "indices of one card do not help each other": (naming, "_agreed", _alone),
    "the finder's opinion left out": (naming, "FINDER_WEIGHT", 0.0),
    "each index read once, as found": (Reader, "_read_twice", _first_look),
    "one size of the picture": (detect, "levels", _one_size),
    "every read is said, however unsure": (naming, "NAME_SCORE", 0.0),
}
PICTURES: dict[str, Callable[[Image], Image]] = {
    "without colour": lambda image: cv2.cvtColor(
        cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR
    ),
    "half the size": lambda image: cv2.resize(image, None, fx=0.5, fy=0.5),
}


@contextmanager
def _without(part: tuple[object, str, object] | None) -> Iterator[None]:
    if part is None:
        yield
        return
    with patch.object(*part):
        yield


def score(
    reader: Reader, folder: Path, every: int, change: Callable[[Image], Image] | None = None
) -> Score:
    """Score every so many pictures of a set, changed before they are read."""
    total = Score()
    for name, objects in labels_of(folder)[::every]:
        image = cv2.imread(str(folder / "images" / name))
        shown = change(image) if change else image
        scale = image.shape[1] / shown.shape[1]
        reads = [_scaled(read, scale) for read in reader.read(shown).cards]
        total += score_image(objects, tuple(reads))[0]
    return total


def _scaled(read, scale: float):  # type: ignore[no-untyped-def]
    return replace(read, at_px=(read.at_px[0] * scale, read.at_px[1] * scale))


def main() -> None:
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--models", type=Path, default=Path(__file__).parents[1])
    ap.add_argument("--photos", type=Path, required=True, help="a folder of labelled sets")
    ap.add_argument("--every", type=int, default=1, help="only each so many-th picture")
    a = ap.parse_args()
    reader = Reader(a.models)
    for folder in sets_in(a.photos):
        for name, part in PARTS.items():
            with _without(part):
                print_score(f"{folder.name}, {name}", score(reader, folder, a.every), False)
        for name, change in PICTURES.items():
            print_score(f"{folder.name}, {name}", score(reader, folder, a.every, change), False)


if __name__ == "__main__":
    main()
