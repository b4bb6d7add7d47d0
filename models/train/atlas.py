"""Loads decks, backgrounds and sprites from the data folder into one atlas of textures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from render import Atlas

RANKS = "A23456789TJQK"
SUITS = "CDHS"
JOKER_RANK, NO_SUIT = 13, 4
# Number cards share 2 to 9 and the 10 with the others; these are the numbers only they have.
NUMBERS = ("1", *(str(number) for number in range(11, 19)))
# Courts and aces of other languages: B D V R H, Kn, and the Cyrillic queen's and ace's letters;
# what each stands for, V being a jack in French and a queen in Dutch.
LETTERS = "BDVRHNLY"
STANDS_FOR = {"B": "J", "D": "Q", "V": "V", "R": "K", "H": "K", "N": "J", "L": "Q", "Y": "A"}
SMALLEST_LEVEL_PX = 10
CARD_MM = 88.9
FROM_PICTURES = ("room", "picture", "pattern")  # backgrounds cropped from packaged pictures


@dataclass(frozen=True)
class Face:
    """One printed face: its texture and its indices (n x 5: u, v, w, h, turn_deg)."""

    texture: int
    rank: int
    suit: int
    indices: NDArray[np.float32]


@dataclass(frozen=True)
class Deck:
    """One deck of cards in the atlas."""

    name: str
    kind: str
    held_out: bool
    aspect: float
    corner_radius: float
    faces: tuple[Face, ...]
    backs: tuple[int, ...]


@dataclass(frozen=True)
class Sprite:
    """A hand or an object, with the length of its longer side in card heights."""

    texture: int
    held_out: bool
    aspect: float
    length: float


@dataclass(frozen=True)
class Stock:
    """All that a scene is made from, training and held-out part apart."""

    atlas: Atlas
    decks: tuple[Deck, ...]
    grounds: tuple[int, ...]
    hands: tuple[Sprite, ...]
    objects: tuple[Sprite, ...]


def load_stock(
    data: Path,
    held_out: bool,
    own: bool = False,
    every: tuple[int, int] = (0, 1),
    families: Sequence[str] = (),
    grounds_of: Sequence[str] = (),
) -> Stock:
    """Read the part of `data` that is held out, or the other one; if `own`, only our own art.

    `families` takes only such decks (`art`, or how they were drawn: `ordinary`, `black` ...) and
    `grounds_of` such backgrounds; `every` from deck number `every[0]` on each `every[1]`-th one.
    """
    files: list[Path] = []
    decks = [d for d in _deck_infos(data / "decks") if bool(d["held_out"]) == held_out]
    decks = [d for d in decks if not families or family(d) in families][every[0] :: every[1]]
    rows = json.loads((data / "scenery" / "index.json").read_text())
    rows = rows["items"] if isinstance(rows, dict) else rows
    rows = [r for r in rows if bool(r["held_out"]) == held_out]
    if grounds_of:
        rows = [r for r in rows if r["kind"] != "background" or r["name"] in grounds_of]
    if own:
        decks = [d for d in decks if d["kind"] != "art"]
        rows = [r for r in rows if r["name"] not in FROM_PICTURES]

    def texture(path: Path) -> int:
        files.append(path)
        return len(files) - 1

    made = tuple(_deck(d, texture) for d in decks)
    grounds, hands, objects = [], [], []
    for r in rows:
        t = texture(data / "scenery" / r["file"])
        if r["kind"] == "background":
            grounds.append(t)
        else:
            (hands if r["kind"] == "hand" else objects).append((t, r))
    atlas = _atlas(files)

    def sprite(t: int, r: dict) -> Sprite:  # type: ignore[type-arg]
        aspect = float(atlas.width[t, 0]) / float(atlas.height[t, 0])
        return Sprite(t, held_out, aspect, float(r["longest_mm"]) / CARD_MM)

    return Stock(
        atlas,
        made,
        tuple(grounds),
        tuple(sprite(t, r) for t, r in hands),
        tuple(sprite(t, r) for t, r in objects),
    )


def family(info: dict) -> str:  # type: ignore[type-arg]
    """`art`, how an English deck was drawn, or the kind of another one."""
    if info["kind"] != "drawn":
        return str(info["kind"])
    return str(info["source"].split(", ")[1])


def _deck_infos(folder: Path) -> list[dict]:  # type: ignore[type-arg]
    infos = []
    for path in sorted(folder.glob("*/deck.json")):
        infos.append({**json.loads(path.read_text()), "folder": path.parent})
    if not infos:
        raise SystemExit(f"no decks in {folder}: make them first (see models/train/README.md)")
    return infos


def _deck(info: dict, texture) -> Deck:  # type: ignore[type-arg,no-untyped-def]
    faces = []
    for label, face in info["faces"].items():
        rows = [[i["u"], i["v"], i["w"], i["h"], i["turn_deg"]] for i in face["indices"]]
        faces.append(
            Face(
                texture(info["folder"] / face["file"]),
                *rank_and_suit(label),
                np.array(rows, np.float32).reshape(-1, 5),
            )
        )
    backs = tuple(texture(info["folder"] / b) for b in info["backs"])
    return Deck(
        info["name"], info["kind"], bool(info["held_out"]), float(info["aspect"]),
        float(info["corner_radius"]), tuple(faces), backs,
    )  # fmt: skip


def rank_and_suit(label: str) -> tuple[int, int]:
    """The numbers of a label's rank and suit: `7H`, `X1`, or `12` of a number card."""
    if label[0] == "X":
        return JOKER_RANK, NO_SUIT
    if label in NUMBERS:
        return JOKER_RANK + 1 + NUMBERS.index(label), NO_SUIT
    if label.isdigit():
        return int(label) - 1, NO_SUIT
    if label[0] == "1":
        return JOKER_RANK + 1, SUITS.index(label[1])
    if label[0] in LETTERS:
        rank = JOKER_RANK + 1 + len(NUMBERS) + LETTERS.index(label[0])
        return rank, SUITS.index(label[1])
    return RANKS.index(label[0]), SUITS.index(label[1])


def label_of(rank: int, suit: int) -> str:
    """What the reader should say of an index: `7H`, `JOKER`, or `12`; `VH` is a jack or a queen."""
    if rank == JOKER_RANK:
        return "JOKER"
    if rank > JOKER_RANK + len(NUMBERS):
        return STANDS_FOR[LETTERS[rank - JOKER_RANK - 1 - len(NUMBERS)]] + SUITS[suit]
    if rank > JOKER_RANK:
        return NUMBERS[rank - JOKER_RANK - 1] if suit == NO_SUIT else "A" + SUITS[suit]
    return str(rank + 1) if suit == NO_SUIT else RANKS[rank] + SUITS[suit]


def _read_rgba(path: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise SystemExit(f"{path} cannot be read as a picture: make the data again")
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    if image.shape[2] == 3:
        image = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
    return image


def _mips(path: Path) -> list[NDArray[np.uint8]]:
    out = [_read_rgba(path)]
    while min(out[-1].shape[:2]) >= 2 * SMALLEST_LEVEL_PX:
        h, w = out[-1].shape[:2]
        out.append(cv2.resize(out[-1], (w // 2, h // 2), interpolation=cv2.INTER_AREA))
    return out


def _atlas(files: list[Path]) -> Atlas:
    with ThreadPoolExecutor(8) as pool:
        mips = list(pool.map(_mips, files))
    most = max(len(m) for m in mips)
    offset = np.zeros((len(mips), most), np.int64)
    width = np.ones((len(mips), most), np.int32)
    height = np.ones((len(mips), most), np.int32)
    texels = np.empty(sum(m.size for ms in mips for m in ms), np.uint8)
    at = 0
    for t, ms in enumerate(mips):
        for k, m in enumerate(ms):
            offset[t, k], height[t, k], width[t, k] = at, m.shape[0], m.shape[1]
            texels[at : at + m.size] = m.reshape(-1)
            at += m.size
        mips[t] = []
    levels = np.array([int((height[t] > 1).sum()) for t in range(len(mips))], np.int32)
    return Atlas(texels, offset, width, height, levels)
