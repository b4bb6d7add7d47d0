"""Turns installed deck art into training decks: `python models/train/decks.py --out DIR`.

Needs `apt-get install gnome-cards-data kdegames-card-data-kf5 librsvg2-bin nodejs npm` and
`pip install PySide6-Essentials`. A deck is a folder with `deck.json` and one WebP a side.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import cv2
import numpy as np

from decks_art import (
    JOKERS,
    SUITS,
    Art,
    ArtMissingError,
    Picture,
    gnome_sheet,
    kde_deck,
    npm_package,
    react_deck,
    svg_cards_deck,
)
from decks_card import Cut, finished, measure_cut, shrunk
from decks_index import (
    FOUR_CORNERS,
    NUMBER_RANKS,
    Box,
    Corner,
    Mask,
    index_box,
    index_place,
    ink,
    median_box,
    sign_box,
)

Maker = Literal["gnome", "kde", "svg-cards", "letele"]

FACE_HEIGHT_PX = 360
WEBP_QUALITY = 90
GNOME = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks")
SOURCES = {
    "gnome": ("Debian package gnome-cards-data", "GPL-3.0-or-later"),
    "kde": ("Debian package kdegames-card-data-kf5", "GPL-2.0-or-later"),
    "svg-cards": ("npm package svg-cards 4.0.2", "LGPL-2.1"),
    "letele": ("npm package @letele/playing-cards 0.1.0", "CC0-1.0"),
}


class NoIndexError(Exception):
    """A deck whose indices the ink does not show; the text says in which corner."""


@dataclass(frozen=True)
class Inked:
    """The ink (H, W) of one side."""

    label: str
    mask: Mask


@dataclass(frozen=True)
class Index:
    """One index of a face on the upright card, and whether this card's own ink gave the box."""

    box: Box
    turn_deg: int
    by_ink: bool


@dataclass(frozen=True)
class Face:
    """One finished side: label, RGB picture (H, W, 3), indices (none on a back)."""

    label: str
    card: Picture
    indices: tuple[Index, ...]


@dataclass(frozen=True)
class JoinedRank:
    """A rank whose ink runs into the picture: three sides of its index, as fractions of the card.

    They hold for the top left corner; the lower side is that of the suit.
    """

    rank: str
    left: float
    top: float
    right: float


@dataclass(frozen=True)
class ArtDeck:
    """One deck of the table below.

    `family` joins decks with the same drawings; a family is held out as a whole. `ink_rgb` is the
    distance from paper (RGB, 0 to 441) from which a pixel is ink. `joker` is the window, as
    fractions of the card, that holds a joker's sign in the top left corner; None: no sign.
    """

    name: str
    family: str
    maker: Maker
    file: str = ""
    corners: int = 2
    ink_rgb: float = 90.0
    joker: Box | None = None
    joker_corners: int = 2
    joined_rank: JoinedRank | None = None
    letters: str = "AJQK"


# Families kept away from training: some plain, some ornate.
HELD_OUT = (
    "kennard",
    "atlasnye",
    "orell",
    "plastic",
    "tigullio",
    "kde_standard",
    "simplistic",
)

STAR = Box(0.0, 0.0, 0.25, 0.18)
CHIP = Box(0.0, 0.0, 0.3, 0.21)
WORD_DOWN = Box(0.0, 0.0, 0.22, 0.6)
LONG_WORD_DOWN = Box(0.0, 0.0, 0.22, 0.72)
WORD_ACROSS = Box(0.0, 0.0, 0.45, 0.14)

DECKS = (
    ArtDeck("anglo", "anglo", "gnome", "anglo.svgz", joker=WORD_DOWN),
    ArtDeck("anglo_bitmap", "anglo", "gnome", "anglo_bitmap.svgz", joker=WORD_DOWN),
    ArtDeck("gnomangelo", "anglo", "gnome", "gnomangelo.svgz", joker=STAR),
    ArtDeck("gnomangelo_bitmap", "anglo", "gnome", "gnomangelo_bitmap.svgz", joker=WORD_ACROSS),
    ArtDeck(
        "anglo_modern", "anglo_modern", "gnome", "anglo_modern.svgz", joker=STAR, joker_corners=4
    ),
    ArtDeck(
        "anglo_modern_4_color",
        "anglo_modern",
        "gnome",
        "anglo_modern_4_color.svgz",
        joker=STAR,
        joker_corners=4,
    ),
    ArtDeck("anglo_poker", "kennard", "gnome", "anglo_poker.svgz", joker=STAR),
    ArtDeck("kennard", "kennard", "letele"),
    ArtDeck("atlasnye", "atlasnye", "gnome", "atlasnye.svgz", joker=WORD_DOWN),
    ArtDeck("bellot", "bellot", "gnome", "bellot.svgz", joker=WORD_ACROSS),
    ArtDeck("paris", "bellot", "gnome", "paris.svgz", joker=CHIP),
    ArtDeck("svg_cards", "bellot", "svg-cards", joker=WORD_ACROSS),
    ArtDeck("dondorf", "dondorf", "gnome", "dondorf.svgz", corners=4),
    ArtDeck("neoclassical", "neoclassical", "gnome", "neoclassical.svgz", joker=STAR),
    ArtDeck(
        "neoclassical_4_color", "neoclassical", "gnome", "neoclassical_4_color.svgz", joker=STAR
    ),
    ArtDeck("orell", "orell", "gnome", "orell.svgz", joker=STAR),
    ArtDeck("ornamental", "ornamental", "gnome", "ornamental.svgz", joker=WORD_DOWN),
    ArtDeck("kde_nicu_white", "ornamental", "kde", "svg-nicu-white/white.svgz"),
    ArtDeck("plastic", "plastic", "gnome", "plastic.svgz", joker=STAR, joker_corners=4),
    ArtDeck("simplistic", "simplistic", "gnome", "simplistic.svgz", joker=STAR),
    ArtDeck("tango", "tango", "gnome", "tango.svgz", joker=LONG_WORD_DOWN),
    ArtDeck("tigullio", "tigullio", "gnome", "tigullio.svgz", joker=STAR),
    ArtDeck(
        "kde_tigullio", "tigullio", "kde", "svg-tigullio-international/tigullio-international.svgz"
    ),
    ArtDeck("kde_standard", "kde_standard", "kde", "svg-standard/standard.svgz"),
    # The tail of its Q runs into the court's frame.
    ArtDeck(
        "kde_penguins",
        "penguins",
        "kde",
        "svg-penguins/penguins.svgz",
        joined_rank=JoinedRank("Q", left=0.0, top=0.013, right=0.178),
    ),
)

# Left out: guyenne-classic (courts without indices), swiss-xvii and svg-xskat-german (other
# suits), tango_nuevo and svg-oxygen* (rank and pip in different corners), svg-ancient-egyptians
# (lower index printed upright), svg-konqi-modern (green hearts, red spades), svg-jolly-royal (frame
# lines run into the index pips), svg-future (hexadecimal numbers), svg-xskat-french (blurred
# letters B D K), svg-dondorf, svg-gm-paris and svg-nicu-ornamental (as in gnome-cards-data),
# PokerTH's decks (48 by 76 pixels).


# Decks with other index letters, made only with --foreign; `letters` is what they print for
# A, J, Q and K.
FOREIGN = (
    ArtDeck("ancient_french", "bellot", "gnome", "ancient_french.svgz", letters="1VDR"),
    ArtDeck("atlasnye_skat", "atlasnye", "gnome", "atlasnye_skat.svgz", letters="ABDK"),
    ArtDeck("berlin", "berlin", "gnome", "berlin.svgz", letters="ABDK"),
    ArtDeck("lattmann", "lattmann", "gnome", "lattmann.svgz", letters="ABDK"),
    ArtDeck("rheinland", "rheinland", "gnome", "rheinland.svgz", letters="ABDK"),
    ArtDeck("tarocco", "tarocco", "gnome", "tarocco.svgz", letters="AFDR"),
    ArtDeck("slavic_costumes", "slavic_costumes", "gnome", "slavic_costumes.svgz", letters="ТВДК"),
    ArtDeck("atlasnye_russian", "atlasnye", "gnome", "Атласные.svgz", letters="ТВДК"),
)


def art_of(deck: ArtDeck, packages: Path) -> tuple[Art, ...]:
    """Reads the deck's pictures; npm packages are fetched into `packages`."""
    readers: dict[Maker, Callable[[], tuple[Art, ...]]] = {
        "gnome": lambda: gnome_sheet(GNOME / deck.file),
        "kde": lambda: kde_deck(KDE / deck.file),
        "svg-cards": lambda: svg_cards_deck(npm_package("svg-cards", "4.0.2", packages)),
        "letele": lambda: react_deck(npm_package("@letele/playing-cards", "0.1.0", packages)),
    }
    return readers[deck.maker]()


def finished_faces(deck: ArtDeck, art: tuple[Art, ...]) -> tuple[Cut, tuple[Face, ...]]:
    """Cuts all sides alike and finds the indices of the faces."""
    sides = _one_size(art)
    cut = measure_cut([a.rgba for a in sides if _is_number(a.label)])
    cards = [finished(a.rgba, cut) for a in sides]
    inks = [
        Inked(a.label, ink(card, np.asarray(cut.paper_rgb), deck.ink_rgb))
        for a, card in zip(sides, cards, strict=True)
    ]
    indices = _indices(deck, inks)
    faces = zip(sides, cards, indices, strict=True)
    return cut, tuple(Face(side.label, card, found) for side, card, found in faces)


def _one_size(art: tuple[Art, ...]) -> tuple[Art, ...]:
    """All sides at the size of the first: cells of a sheet differ by a pixel."""
    height_px, width_px = art[0].rgba.shape[:2]
    sized = (cv2.resize(a.rgba, (width_px, height_px), interpolation=cv2.INTER_AREA) for a in art)
    return tuple(Art(a.label, np.asarray(s, np.uint8)) for a, s in zip(art, sized, strict=True))


def _is_number(label: str) -> bool:
    return label[0] in NUMBER_RANKS


def _is_suited(label: str) -> bool:
    return label[-1] in SUITS


def _indices(deck: ArtDeck, inks: list[Inked]) -> list[tuple[Index, ...]]:
    """The indices of each side, in the order of `inks`; backs have none."""
    found: list[tuple[Index, ...]] = [()] * len(inks)
    for corner in FOUR_CORNERS[: deck.corners]:
        turned = [Inked(i.label, corner.brought_to_top_left(i.mask)) for i in inks]
        boxes = _suited_boxes(deck, turned, corner)
        found = [f + ((b,) if b else ()) for f, b in zip(found, boxes, strict=True)]
    for corner in FOUR_CORNERS[: deck.joker_corners]:
        for number, side in enumerate(inks):
            found[number] += _joker_index(deck, side, corner)
    return found


def _suited_boxes(deck: ArtDeck, turned: list[Inked], corner: Corner) -> list[Index | None]:
    """The index of each suited card in `corner`, which is brought to the top left."""
    place = index_place([i.mask for i in turned if _is_number(i.label)])
    if place is None:
        raise NoIndexError(f"no rank with its pip in the corner {corner}")
    suited = [i for i in turned if _is_suited(i.label)]
    boxes = {i.label: index_box(i.mask, place, i.label[0] == "T") for i in suited}
    known = {label: box for label, box in boxes.items() if box is not None}
    found: list[Index | None] = []
    for side in turned:
        if not _is_suited(side.label):
            found.append(None)
            continue
        usual = _measured(deck.joined_rank, side.label, _usual(side.label, known))
        box = known.get(side.label, usual).mirrored(corner)
        found.append(Index(box, corner.turn_deg, by_ink=side.label in known))
    return found


def _usual(label: str, known: dict[str, Box]) -> Box:
    """The deck's usual box: across as this rank in other suits, below as this suit."""
    every = list(known.values())
    rank = median_box([b for other, b in known.items() if other[0] == label[0]] or every)
    suit = median_box([b for other, b in known.items() if other[1] == label[1]] or every)
    return replace(rank, bottom=suit.bottom)


def _measured(joined: JoinedRank | None, label: str, usual: Box) -> Box:
    """The usual box, but for the sides that the table gives for this rank."""
    if joined is None or joined.rank != label[0]:
        return usual
    return Box(joined.left, joined.top, joined.right, usual.bottom)


def _joker_index(deck: ArtDeck, side: Inked, corner: Corner) -> tuple[Index, ...]:
    if deck.joker is None or side.label not in JOKERS:
        return ()
    box = sign_box(corner.brought_to_top_left(side.mask), deck.joker)
    return () if box is None else (Index(box.mirrored(corner), corner.turn_deg, by_ink=True),)


def write_deck(deck: ArtDeck, packages: Path, out: Path) -> str:
    """Writes the deck's folder under `out` and returns one line on it."""
    cut, faces = finished_faces(deck, art_of(deck, packages))
    folder = out / deck.name
    folder.mkdir(parents=True, exist_ok=True)
    for face in faces:
        _write_webp(folder / f"{face.label}.webp", shrunk(face.card, FACE_HEIGHT_PX))
    (folder / "deck.json").write_text(json.dumps(_description(deck, cut, faces), indent=1) + "\n")
    guessed = [f.label for f in faces if not all(i.by_ink for i in f.indices)]
    usual = f", by the deck's usual box: {' '.join(guessed)}" if guessed else ""
    return f"{deck.name}: {len(faces)} sides{usual}"


def _write_webp(path: Path, card: Picture) -> None:
    bgr = cv2.cvtColor(card, cv2.COLOR_RGB2BGR)
    if not cv2.imwrite(str(path), bgr, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY]):
        raise OSError(f"cannot write {path}: is the folder writable and the disk not full?")


def _description(deck: ArtDeck, cut: Cut, faces: tuple[Face, ...]) -> dict[str, object]:
    """What deck.json holds."""
    source, licence = SOURCES[deck.maker]
    height_px, width_px = faces[0].card.shape[:2]
    return {
        "name": deck.name,
        "kind": "art",
        "held_out": deck.family in HELD_OUT,
        "source": f"{source} {deck.file}".strip(),
        "licence": licence,
        "aspect": round(width_px / height_px, 4),
        "letters": dict(zip("AJQK", deck.letters, strict=True)),
        "corner_radius": round(cut.radius_px / width_px, 4),
        "faces": {f.label: _face_entry(f) for f in faces if not f.label.startswith("back")},
        "backs": [f"{f.label}.webp" for f in faces if f.label.startswith("back")],
    }


def _face_entry(face: Face) -> dict[str, object]:
    return {"file": f"{face.label}.webp", "indices": [_index_entry(i) for i in face.indices]}


def _index_entry(index: Index) -> dict[str, object]:
    box = index.box
    return {
        "u": round(box.centre_u, 5),
        "v": round(box.centre_v, 5),
        "w": round(box.right - box.left, 5),
        "h": round(box.bottom - box.top, 5),
        "turn_deg": index.turn_deg,
    }


def main(arguments: list[str] | None = None) -> int:
    """Makes every deck of the table; decks that cannot be made are skipped with a line."""
    parser = argparse.ArgumentParser(description="Turn installed deck art into training decks.")
    parser.add_argument("--out", type=Path, required=True, help="folder for the decks")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="make these decks")
    parser.add_argument("--foreign", action="store_true", help="decks with other index letters")
    chosen = parser.parse_args(arguments)
    decks = FOREIGN if chosen.foreign else DECKS
    unknown = set(chosen.only) - {deck.name for deck in decks}
    if unknown:
        parser.error(f"no such deck: {' '.join(sorted(unknown))}; see the table in decks.py")
    packages = chosen.out.parent / "packages"
    made = 0
    for deck in decks:
        if chosen.only and deck.name not in chosen.only:
            continue
        try:
            print(write_deck(deck, packages, chosen.out), flush=True)
            made += 1
        except (ArtMissingError, NoIndexError, OSError) as problem:
            print(f"{deck.name}: left out: {problem}", file=sys.stderr, flush=True)
    return 0 if made else 1


if __name__ == "__main__":
    sys.exit(main())
