"""`referee bench photos`: how well labelled photographs are read."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from referee import app
from referee.app.deck_choice import find_decks
from referee.commands import FINE, BadInput, print_json, tell, wide_help
from referee.commands._reading import add_deck_option, add_reader_options
from referee.values import CardRead
from referee.vision.address import SourceError
from referee.vision.detect import Reader

EPILOG = """example:
  referee bench photos my_photos/ --worst 10

A set is a folder with images/ and labels.json: a list of {image, width, height, objects}, an
object being {label, box: [x0, y0, x1, y1], kind: card | index_corner | hand}. Labels: rank
A 2..9 T J Q K and suit C D H S, or the rank alone; JOKER, BACK, IGNORE. Boxes are in pixels of
the picture as stored. A folder of such folders is scored set by set."""
# An index's box is drawn tight, and a read may point at the rank or at the pip.
INDEX_GROWN, ANYWHERE_GROWN = 0.25, 0.25


@dataclass(frozen=True, slots=True)
class Labelled:
    """One labelled object of a photograph: `box_px` is x0, y0, x1, y1."""

    label: str
    box_px: tuple[float, float, float, float]
    kind: str

    def holds(self, at_px: tuple[float, float], grown: float) -> bool:
        """Tell whether a point lies in the box, grown by a share of its size on each side."""
        x0, y0, x1, y1 = self.box_px
        gx, gy = grown * (x1 - x0), grown * (y1 - y0)
        return x0 - gx <= at_px[0] <= x1 + gx and y0 - gy <= at_px[1] <= y1 + gy


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over a set: objects with a face, those right, wrong and missed; backs; false reads."""

    images: int = 0
    n: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    false: int = 0
    backs: int = 0
    backs_right: int = 0

    def __add__(self, other: Score) -> Score:
        """Return the counts of both."""
        return Score(*(getattr(self, k) + getattr(other, k) for k in self.__slots__))


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "photos",
        help="accuracy on labelled photographs",
        description="Read labelled photographs and count what was right, wrong and missed.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("folder", metavar="DIR", help="a set, or a folder of sets")
    parser.add_argument("--worst", metavar="N", type=int, default=0, help="name the N worst")
    add_deck_option(parser)
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score every set. Raises BadInput."""
    decks = find_decks(args.deck)
    reader = app.open_reader(args.models, args.threads, language=args.language, profiles=decks)
    for folder in sets_in(Path(args.folder)):
        total, faults = score_set(reader, folder)
        print_score(folder.name, total, args.json)
        for name, errors in sorted(faults, key=lambda fault: -len(fault[1]))[: args.worst]:
            tell(f"{name}: " + " ".join(f"{want}>{got or '-'}" for want, got in errors))
    return FINE


def sets_in(folder: Path) -> tuple[Path, ...]:
    """Return the sets in a folder, or the folder itself. Raises BadInput."""
    if (folder / "labels.json").is_file():
        return (folder,)
    sets = tuple(sorted(path.parent for path in folder.glob("*/labels.json")))
    if not sets:
        raise BadInput(f"{folder}: no labels.json in it or in its folders; see --help for the form")
    return sets


def score_set(
    reader: Reader, folder: Path
) -> tuple[Score, list[tuple[str, list[tuple[str, str | None]]]]]:
    """Read and score one set; also returns each image's errors. Raises BadInput."""
    total = Score()
    faults: list[tuple[str, list[tuple[str, str | None]]]] = []
    for name, objects in tqdm(labels_of(folder), unit="image", leave=False, disable=None):
        score, errors = score_image(objects, read_file(reader, folder / "images" / name))
        total += score
        if errors:
            faults.append((name, errors))
    return total, faults


def labels_of(folder: Path) -> list[tuple[str, tuple[Labelled, ...]]]:
    """Return the images' names with their objects. Raises BadInput."""
    path = folder / "labels.json"
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [(Path(r["image"]).name, tuple(map(labelled, r["objects"]))) for r in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path}: cannot be read as labels ({error}); see --help") from error


def labelled(row: dict[str, object]) -> Labelled:
    """Return one object of a labels file. Raises KeyError, TypeError, ValueError."""
    x0, y0, x1, y1 = (float(v) for v in row["box"])  # type: ignore[attr-defined]
    return Labelled(str(row["label"]).replace("10", "T"), (x0, y0, x1, y1), str(row["kind"]))


def read_file(reader: Reader, path: Path) -> tuple[CardRead, ...]:
    """Return the reads of one photograph. Raises BadInput."""
    try:
        address = app.find_source(str(path))
        return tuple(card for seen in app.looks(reader, address) for card in seen.sight.cards)
    except SourceError as error:
        raise BadInput(str(error)) from error


def score_image(
    objects: Sequence[Labelled], reads: Sequence[CardRead]
) -> tuple[Score, list[tuple[str, str | None]]]:
    """Score one image.

    An object is right if the label with the largest sum of scores among the reads in its box is
    its own, wrong if it is another, missed if nothing but `??` stands there. Reads in no object's
    box are false (`??` and `BACK` apart).
    """
    total, errors = Score(images=1), []
    for thing in objects:
        if thing.label in ("IGNORE", "hand"):
            continue
        got = likeliest(thing, reads)
        score = verdict(thing.label, got)
        total += score
        if score.wrong or score.missed:
            errors.append((thing.label, got))
    names = [r for r in reads if r.label not in ("??", "BACK")]
    stray = [r for r in names if not any(t.holds(r.at_px, ANYWHERE_GROWN) for t in objects)]
    return total + Score(false=len(stray)), errors


def likeliest(thing: Labelled, reads: Iterable[CardRead]) -> str | None:
    """Return the label with the largest sum of scores among the reads in the box."""
    votes: Counter[str] = Counter()
    for read in reads:
        grown = INDEX_GROWN if thing.kind == "index_corner" else 0.0
        if read.label != "??" and thing.holds(read.at_px, grown):
            votes[read.label] += read.score  # type: ignore[assignment]
    if thing.label != "BACK":
        votes.pop("BACK", None)
    return votes.most_common(1)[0][0] if votes else None


def verdict(want: str, got: str | None) -> Score:
    """Return what one object adds to the score."""
    if want == "BACK":
        return Score(backs=1, backs_right=int(got == "BACK"))
    if got is None:
        return Score(n=1, missed=1)
    good = got == want or (len(want) == 1 and got[:1] == want)
    return Score(n=1, right=int(good), wrong=int(not good))


def print_score(name: str, total: Score, as_json: bool) -> None:
    """Print one set's score."""
    n = max(1, total.n)
    fields: dict[str, object] = {
        "set": name,
        "images": total.images,
        "n": total.n,
        "right": round(total.right / n, 4),
        "wrong": round(total.wrong / n, 4),
        "missed": round(total.missed / n, 4),
        "false_per_image": round(total.false / max(1, total.images), 3),
        "backs": total.backs,
        "backs_right": total.backs_right,
    }
    if as_json:
        print_json(fields)
    else:
        print("  ".join(f"{k}={v}" for k, v in fields.items()), flush=True)
