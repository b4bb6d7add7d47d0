"""How many indices networks name right at their first guess, where the places are given.

    python models/train/guesses.py models/train/runs/without-* --photos DIR --every 6

The same cut-out indices are shown to the index reader of each folder once: of rendered scenes and
calm tables of held-out decks cut out by their truth, of photographs by the shipped reader, where
its place lies in one labelled box alone. No threshold, no second look, no other index of the card:
what the networks themselves have learned. `--grey` shows all without colour.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

import calm_tables
from atlas import Stock, label_of, load_stock
from evaluate import SEEN_SHARE
from ingredients import grey
from referee.commands.benches.photos import labels_of, sets_in
from referee.vision.detect import Reader
from referee.vision.networks import IS_INDEX, JOKER_RANK, RANK_LOGITS, RANKS, SUITS, Networks
from referee.vision.peaks import Indices
from referee.vision.pyramid import levels
from referee.vision.upright import upright_indices
from scenes import Scene, make_scene

# ---- settings -------------------------------------------------------------------------------
PARTS = 8  # the held-out decks are loaded in so many parts
FAMILIES = (*calm_tables.LIGHT, "black", "odd")
LEAST_PX = 9.0
REAL_LOGIT = 0.0
AS_STORED = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION


@dataclass(frozen=True)
class Shown:
    """N x 48 x 48 x 3 upright indices with their names."""

    crops: np.ndarray
    names: tuple[str, ...]


def of_scene(scene: Scene) -> Shown:
    """The indices of a rendered picture that show, cut out by their truth."""
    rows = scene.indices[scene.indices[:, 10] >= SEEN_SHARE].astype(np.float64)
    rows = rows[2 * np.hypot(rows[:, 2], rows[:, 3]) >= LEAST_PX]
    none = np.zeros(len(rows))
    places = Indices(rows[:, :2], rows[:, 2:4], rows[:, 6:8], none, none[:, None])
    names = tuple(label_of(int(row[8]), int(row[9])) for row in rows)
    return Shown(upright_indices(levels(scene.image), places), names)


def of_photograph(reader: Reader, image: np.ndarray, objects: list) -> Shown:  # type: ignore[type-arg]
    """The indices that the shipped reader sees in one labelled box alone."""
    study = reader.study(image)
    kept, names = [], []
    for k, (x, y) in enumerate(study.answers.indices.at):
        around = [o for o in objects if o.holds((x, y), 0.0)]
        real = study.answers.logits[k, IS_INDEX] > REAL_LOGIT
        if real and len(around) == 1 and around[0].label not in ("BACK", "IGNORE"):
            kept.append(study.crops[k])
            names.append(around[0].label)
    return Shown(np.array(kept, np.uint8).reshape(-1, 48, 48, 3), tuple(names))


def together(many: list[Shown]) -> Shown:
    """All as one."""
    names = tuple(name for one in many for name in one.names)
    return Shown(np.concatenate([one.crops for one in many]), names)


def drawn(data: Path, scenes: int, seed: int) -> tuple[Shown, Shown]:
    """Indices of so many scenes and half as many tables of held-out decks with English letters."""
    rough, calm = [], []
    for part in range(PARTS):
        stock: Stock = load_stock(data, True, False, (part, PARTS), families=FAMILIES)
        rng = np.random.default_rng((seed, part))
        rough += [of_scene(make_scene(stock, rng)) for _ in range(scenes // PARTS)]
        made = [calm_tables.make_table(stock, rng) for _ in range(scenes // PARTS // 2)]
        calm += [of_scene(table.scene) for table in made]
    return together(rough), together(calm)


def guesses(networks: Networks, shown: Shown) -> list[str]:
    """The likeliest name of each index, of English letters."""
    out = []
    for k in range(0, len(shown.crops), 128):
        logits, _ = networks.read(shown.crops[k : k + 128])
        signs = logits[:, : JOKER_RANK + 1].argmax(1)
        suits = logits[:, RANK_LOGITS : RANK_LOGITS + len(SUITS)].argmax(1)
        for sign, suit in zip(signs, suits, strict=True):
            out.append("JOKER" if sign == JOKER_RANK else RANKS[sign] + SUITS[suit])
    return out


def right(names: tuple[str, ...], said: list[str]) -> float:
    """The share of names that are right; of a rank alone, where no more is labelled."""
    return float(np.mean([s[: len(n)] == n for n, s in zip(names, said, strict=True)]))


def main() -> None:
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = Path(__file__).parent
    ap.add_argument("folders", nargs="+", type=Path, help="folders of networks")
    ap.add_argument("--data", type=Path, default=here / "data")
    ap.add_argument("--photos", type=Path, help="a folder of labelled sets")
    ap.add_argument("--every", type=int, default=1, help="only each so many-th photograph")
    ap.add_argument("--scenes", type=int, default=160)
    ap.add_argument("--seed", type=int, default=77)
    ap.add_argument("--grey", action="store_true")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    asked = dict(zip(("scenes", "tables"), drawn(a.data, a.scenes, a.seed), strict=True))
    reader = Reader(here.parent, 1)
    for folder in sets_in(a.photos) if a.photos else ():
        asked[folder.name] = together(
            [
                of_photograph(reader, cv2.imread(str(folder / "images" / name), AS_STORED), objects)
                for name, objects in labels_of(folder)[:: a.every]
            ]
        )
    if a.grey:
        greyed = {k: np.array([grey(crop) for crop in v.crops]) for k, v in asked.items()}
        asked = {k: Shown(greyed[k], v.names) for k, v in asked.items()}
    print("  ".join(f"{name} n {len(shown.names)}" for name, shown in asked.items()), flush=True)
    for folder in a.folders:
        networks = Networks(folder, 1)
        shares = (right(shown.names, guesses(networks, shown)) for shown in asked.values())
        print("  ".join(f"{share:.4f}" for share in shares), folder.name, flush=True)


if __name__ == "__main__":
    main()
