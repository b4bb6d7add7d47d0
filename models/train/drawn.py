"""Draw random card decks for training a card reader that must read any deck it never saw.

`python models/train/drawn.py --collect-fonts` gathers fonts once; then
`python models/train/drawn.py --count 200` writes decks. Needs numpy, opencv and pillow.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count, islice
from pathlib import Path

import cv2
import numpy as np

from drawn_backs import draw_back, faint_back
from drawn_canvas import Picture
from drawn_face import RANKS, SUITS, Face, draw_face, draw_joker
from drawn_fonts import can_print, collect_fonts, find_fonts
from drawn_index import LANGUAGE_RANKS, sign_of
from drawn_numbers import draw_numbers
from drawn_style import FAMILY_WEIGHTS, DeckStyle, choose_style

DATA = Path(__file__).resolve().parent / "data"
CARD_HEIGHT_PX = 360
WEBP_QUALITY = 90
JOKER_FORMS = ("stacked", "along", "across", "star", "letter", "none")
JOKER_WEIGHTS = (0.4, 0.18, 0.1, 0.16, 0.08, 0.08)
# Every third deck is held out, so that there are always enough to measure on.
HELD_OUT_EVERY = 3


@dataclass(frozen=True)
class Deck:
    """A whole deck: 54 faces by label (7H, TS, X1 ...), its backs, and its style."""

    seed: int
    held_out: bool
    style: DeckStyle
    faces: dict[str, Face]
    backs: tuple[Picture, ...]

    @property
    def kind(self) -> str:
        """What sort of cards these are: numbers, of another language, or drawn."""
        if "18" in self.faces:
            return "numbers"
        return "drawn" if self.style.language == "english" else "foreign"

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.style.width_px / self.style.height_px


def held_out_seed(seed: int) -> bool:
    """Whether the deck of this seed is kept out of training."""
    return seed % HELD_OUT_EVERY == HELD_OUT_EVERY - 1


def draw_deck(
    seed: int, fonts: tuple[Path, ...] = (DATA / "fonts",), height_px: int = CARD_HEIGHT_PX
) -> Deck:
    """Draw the deck of a seed: the same seed and fonts give the same deck.

    Raises ValueError when the font folders hold no usable font.
    """
    rng = np.random.default_rng([seed, 20_26])
    style = choose_style(
        rng, find_fonts(fonts, held_out_seed(seed)), held_out_seed(seed), height_px
    )
    return _drawn(seed, style, rng)


def draw_language_deck(
    seed: int, fonts: tuple[Path, ...] = (DATA / "fonts",), height_px: int = CARD_HEIGHT_PX
) -> Deck:
    """Draw the deck of a seed with the letters of another language; as `draw_deck`."""
    held_out = held_out_seed(seed)
    rng = np.random.default_rng([seed, 19_52])
    style = choose_style(rng, find_fonts(fonts, held_out), held_out, height_px)
    others = [replace(style, language=name) for name in LANGUAGE_RANKS if name != "english"]
    printable = [one for one in others if _can_print_courts(one)]
    return _drawn(seed, printable[int(rng.integers(len(printable)))], rng)


def _can_print_courts(style: DeckStyle) -> bool:
    return all(can_print(style.index.font, sign_of(style, rank)) for rank in "AJQK")


def _drawn(seed: int, style: DeckStyle, rng: np.random.Generator) -> Deck:
    """All faces and backs of a deck; a face goes by the letter that is printed on it."""
    art_seed = int(rng.integers(1 << 30))
    printed = LANGUAGE_RANKS[style.language]
    faces = {
        printed.get(rank, rank) + suit: draw_face(style, rng, rank, suit, art_seed)
        for suit in SUITS
        for rank in RANKS
    }
    form = JOKER_FORMS[int(rng.choice(len(JOKER_FORMS), p=JOKER_WEIGHTS))]
    for number in (1, 2):
        faces[f"X{number}"] = draw_joker(style, rng, number, form, art_seed)
    backs = tuple(draw_back(style, rng) for _ in range(int(rng.integers(1, 4))))
    if style.family == "black":
        backs += (faint_back(style, rng), faint_back(style, rng))
    return Deck(seed, held_out_seed(seed), style, faces, backs)


def draw_number_deck(
    seed: int, fonts: tuple[Path, ...] = (DATA / "fonts",), height_px: int = CARD_HEIGHT_PX
) -> Deck:
    """Draw the deck of number cards of a seed; as `draw_deck`."""
    held_out = held_out_seed(seed)
    rng = np.random.default_rng([seed, 19])
    style = choose_style(rng, find_fonts(fonts, held_out), held_out, height_px)
    backs = (draw_back(style, rng), draw_back(style, rng))
    return Deck(seed, held_out, style, draw_numbers(style, rng), backs)


def write_deck(deck: Deck, folder: Path) -> None:
    """Write a deck's pictures and its deck.json; deck.json comes last, so it marks a whole deck."""
    folder.mkdir(parents=True, exist_ok=True)
    for label, face in deck.faces.items():
        _write_picture(folder / f"{label}.webp", face.picture)
    for number, back in enumerate(deck.backs):
        _write_picture(folder / f"back{number}.webp", back)
    description = {
        "name": folder.name,
        "kind": deck.kind,
        "held_out": deck.held_out,
        "source": f"models/train/drawn.py seed {deck.seed}, {deck.style.family},"
        f" {deck.style.index.font.path.stem}",
        "licence": "this project's",
        "aspect": deck.aspect,
        "corner_radius": deck.style.corner_radius,
        "faces": {
            label: {"file": f"{label}.webp", "indices": [asdict(box) for box in face.indices]}
            for label, face in deck.faces.items()
        },
        "backs": [f"back{number}.webp" for number in range(len(deck.backs))],
    }
    (folder / "deck.json").write_text(json.dumps(description, indent=1) + "\n", encoding="utf-8")


def _write_picture(path: Path, picture: Picture) -> None:
    """Write one WebP; raises OSError when it cannot be written."""
    if not cv2.imwrite(str(path), picture, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY]):
        raise OSError(f"cannot write {path}")


def _draw_and_write(out: Path, fonts: tuple[Path, ...], kind: str, seed: int) -> str:
    """Draw and write the deck of one seed; returns its name."""
    cv2.setNumThreads(1)
    name = f"{kind}_{seed:04d}"
    write_deck(DRAW[kind](seed, fonts), out / name)
    return name


DRAW = {"drawn": draw_deck, "numbers": draw_number_deck, "foreign": draw_language_deck}


def _seeds(chosen: argparse.Namespace, fonts: tuple[Path, ...]) -> list[int]:
    """The seeds asked for: so many in a row, or so many of one family."""
    seeds = count(chosen.first)
    if chosen.family:
        seeds = (seed for seed in seeds if _family(seed, fonts) == chosen.family)
    return list(islice(seeds, chosen.count))


def _family(seed: int, fonts: tuple[Path, ...]) -> str:
    rng, held_out = np.random.default_rng([seed, 20_26]), held_out_seed(seed)
    return choose_style(rng, find_fonts(fonts, held_out), held_out, CARD_HEIGHT_PX).family


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="drawn.py", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=DATA / "decks", help="folder for the decks")
    parser.add_argument("--count", type=int, default=200, help="how many decks")
    parser.add_argument("--first", type=int, default=0, help="seed of the first deck")
    parser.add_argument(
        "--fonts", type=Path, nargs="+", default=[DATA / "fonts"], help="folders of .ttf, .otf"
    )
    parser.add_argument("--family", choices=FAMILY_WEIGHTS, help="only decks of this family")
    parser.add_argument(
        "--kind",
        choices=DRAW,
        default="drawn",
        help="drawn: letters A K Q J; numbers: 1 to 18, as for XIX; foreign: other languages",
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--collect-fonts", action="store_true", help="copy installed Debian fonts and stop"
    )
    chosen = parser.parse_args(words)
    if chosen.count < 1 or chosen.jobs < 1 or chosen.first < 0:
        parser.error("--count and --jobs must be 1 or more, --first 0 or more")
    return chosen


def main(words: list[str]) -> int:
    """Run the command line; returns the exit status."""
    chosen = _arguments(words)
    try:
        if chosen.collect_fonts:
            size_bytes = collect_fonts(chosen.fonts[0])
            print(f"{size_bytes / 1e6:.1f} MB of fonts in {chosen.fonts[0]}")
            return 0
        fonts = tuple(folder.resolve() for folder in chosen.fonts)
        find_fonts(fonts, True), find_fonts(fonts, False)
        draw = partial(_draw_and_write, chosen.out, fonts, chosen.kind)
        with ProcessPoolExecutor(chosen.jobs) as pool:
            for name in pool.map(draw, _seeds(chosen, fonts)):
                print(name, flush=True)
    except (ValueError, OSError) as problem:
        print(f"drawn.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
