"""Measures the exported networks, through the product's own reader, on decks held out of training.

    python models/train/evaluate.py                          rendered scenes
    python models/train/evaluate.py --photos DIR             and labelled photographs

Rendered: for every printed index of which at least SEEN_SHARE shows, was it read right, wrong, not
said (`??`) or missed, by its height; how true the scores are (expected calibration error); backs.
Photographs: the scores of `referee bench photos`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from atlas import Stock, label_of, load_stock
from referee.commands.benches.photos import print_score, score_set, sets_in
from referee.values import CardRead
from referee.vision.detect import Reader
from scenes import Scene, make_scene
from script import parser

# ---- settings -------------------------------------------------------------------------------
SEEN_SHARE = 0.7
BACK_SHARE = 0.5
HEIGHTS_PX = (9, 14, 20, 30, 45, 90)  # of an index, rank and suit together
NEAR = 0.6  # a read within this share of the index's half height is a read of it
BINS = 10
TILE_PX, SHEET = 112, (10, 5)


@dataclass(frozen=True)
class Answer:
    """One true index and what was said of it: `said` is None where nothing was."""

    height_px: float
    want: str
    said: str | None
    score: float
    picture: np.ndarray  # the index upright, TILE_PX square

    @property
    def right(self) -> bool:
        """Whether the name is the wanted one; a V is a French jack or a Dutch queen."""
        names = {"J" + self.want[1:], "Q" + self.want[1:]} if self.want[0] == "V" else {self.want}
        return self.said in names

    @property
    def wrong(self) -> bool:
        return self.said not in (None, "??") and not self.right


def answers(scene: Scene, reads: Sequence[CardRead]) -> list[Answer]:
    """What was said of each index of a scene that shows."""
    out = []
    at = np.array([r.at_px for r in reads]) if reads else np.zeros((0, 2))
    for row in scene.indices[scene.indices[:, 10] >= SEEN_SHARE]:
        half = float(np.hypot(row[2], row[3]))
        want = label_of(int(row[8]), int(row[9]))
        near = np.flatnonzero(np.hypot(*(at - row[:2]).T) < NEAR * half)
        best = max((reads[k] for k in near), key=lambda r: r.score, default=None)
        said, score = (best.label, best.score) if best else (None, 0.0)
        out.append(Answer(2 * half, want, said, score, upright(scene.image, row)))
    return out


def upright(image: np.ndarray, row: np.ndarray) -> np.ndarray:
    """The index cut out upright, its half height a quarter of TILE_PX."""
    x, y, c = float(row[0]), float(row[1]), TILE_PX / 2
    ax, ay = (float(v) * 4 / TILE_PX for v in row[2:4])
    m = np.array([[ay, ax, x - c * (ay + ax)], [-ax, ay, y - c * (ay - ax)]])
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(image, m, (TILE_PX, TILE_PX), flags=how, borderMode=cv2.BORDER_REPLICATE)


def failure_sheet(rows: Sequence[Answer]) -> np.ndarray:
    """The surest wrong names, then the tallest missed, each with what it is and what was said."""
    wrong = sorted((r for r in rows if r.wrong), key=lambda r: -r.score)
    missed = sorted((r for r in rows if r.said is None), key=lambda r: -r.height_px)
    tiles = [_captioned(r) for r in (*wrong[: SHEET[0] * 3], *missed)][: SHEET[0] * SHEET[1]]
    tiles += [np.full_like(_captioned(rows[0]), 255)] * (SHEET[0] * SHEET[1] - len(tiles))
    return np.vstack([np.hstack(tiles[k : k + SHEET[0]]) for k in range(0, len(tiles), SHEET[0])])


def _captioned(row: Answer) -> np.ndarray:
    tile = np.full((TILE_PX + 18, TILE_PX + 4, 3), 255, np.uint8)
    tile[:TILE_PX, :TILE_PX] = row.picture
    text = f"{row.want}>{row.said or '-'} {row.score:.2f}"
    where = (2, TILE_PX + 13)
    cv2.putText(tile, text, where, cv2.FONT_HERSHEY_SIMPLEX, 0.36, (0, 0, 0), 1, cv2.LINE_AA)
    return tile


def print_heights(rows: Sequence[Answer]) -> None:
    """Right, wrong, `??` and missed by height of the index."""
    for low, high in pairwise(HEIGHTS_PX):
        some = [r for r in rows if low <= r.height_px < high]
        n = max(1, len(some))
        right = sum(r.right for r in some) / n
        unsaid = sum(r.said == "??" for r in some) / n
        missed = sum(r.said is None for r in some) / n
        print(
            f"index {low:3d}-{high:3d} px  n {len(some):5d}  right {right:.4f}  "
            f"wrong {1 - right - unsaid - missed:.4f}  ?? {unsaid:.4f}  missed {missed:.4f}"
        )


def calibration_error(rows: Sequence[Answer]) -> float:
    """Expected calibration error over BINS equal bins of the score."""
    said = [r for r in rows if r.said not in (None, "??")]
    error = 0.0
    for k in range(BINS):
        some = [r for r in said if k <= min(r.score * BINS, BINS - 0.01) < k + 1]
        if some:
            gap = np.mean([r.score for r in some]) - np.mean([r.right for r in some])
            error += abs(float(gap)) * len(some) / len(said)
    return error


def backs_found(scene: Scene, reads: Sequence[CardRead]) -> tuple[int, int, int]:
    """Backs that show, those read as such, and reads of backs where none is."""
    cards = scene.cards[scene.cards[:, 9] >= BACK_SHARE]
    backs = cards[cards[:, 8] > 0.5][:, :8].reshape(-1, 4, 2)
    reads = [r for r in reads if r.label == "BACK"]
    found = sum(any(inside(q, r.at_px) for r in reads) for q in backs)
    every = scene.cards[scene.cards[:, 8] > 0.5][:, :8].reshape(-1, 4, 2)
    false = sum(not any(inside(q, r.at_px) for q in every) for r in reads)
    return len(backs), found, false


def inside(quad: np.ndarray, point: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(quad.astype(np.float32), point, False) >= 0


def rendered(reader: Reader, stock: Stock, scenes: int, seed: int) -> list[Answer]:
    """Score `scenes` rendered scenes of held-out decks."""
    rng = np.random.default_rng(seed)
    rows: list[Answer] = []
    backs = np.zeros(3, int)
    for _ in range(scenes):
        scene = make_scene(stock, rng)
        reads = reader.read(scene.image).cards
        rows += answers(scene, reads)
        backs += backs_found(scene, reads)
    print_heights(rows)
    print(f"calibration error {calibration_error(rows):.4f}")
    found, false = backs[1] / max(1, backs[0]), backs[2] / scenes
    print(f"backs {backs[0]}  found {found:.4f}  false a scene {false:.4f}")
    return rows


def main() -> None:
    ap = parser(__doc__)
    ap.add_argument("--scenes", type=int, default=400, help="rendered scenes (0: none)")
    ap.add_argument("--seed", type=int, default=5)
    ap.add_argument("--photos", type=Path, help="a folder of labelled sets")
    ap.add_argument("--failures", type=Path, help="draw the worst reads of our own decks there")
    ap.add_argument("--json", action="store_true", help="scores of photographs as JSON")
    a = ap.parse_args()
    reader = Reader(a.models)
    if a.scenes:
        stock = load_stock(a.data, held_out=True, own=a.failures is not None)
        rows = rendered(reader, stock, a.scenes, a.seed)
        if a.failures:
            cv2.imwrite(str(a.failures), failure_sheet(rows))
    for folder in sets_in(a.photos) if a.photos else ():
        print_score(folder.name, score_set(reader, folder)[0], a.json)


if __name__ == "__main__":
    main()
