"""Measures the reader on calm tables as a webcam above them sees them, with held-out decks.

    python models/train/calm_tables.py --tables 150
    python models/train/calm_tables.py --tables 40 --failures models/table-failures.png

Each picture is the middle of a 1080p frame: cards of one or two decks alone, in rows, cascades,
fans and piles on cloth, wood or stone, from at most 10 degrees aslant, the lamp mirrored in some of
them. Separated cards are counted as cards, by the surest name said on them; those of cascades and
fans by their indices, where these lie uncovered.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np

import scenes
from atlas import Deck, Stock, label_of, load_stock
from evaluate import Answer, answers, calibration_error, failure_sheet, inside, upright
from referee.values import CardRead
from referee.vision.detect import Reader
from render import CARD
from scenes import Layer, Scene
from script import parser

# ---- settings -------------------------------------------------------------------------------
SURFACES = (
    "felt", "playmat", "tablecloth", "printed_cloth", "bed_linen", "lace", "black_mat",
    "wood_planks", "veneer", "laminate", "parquet", "granite", "marble", "glass_table", "cardboard",
)  # fmt: skip
# A webcam at 1080p over a table 1 to 2.5 m wide; hardly aslant; nothing moves, nothing is dark.
CAMERA = {"SIZE_PX": 1080, "CARD_PX": (62.0, 170.0), "FOCAL_PX": (1300.0, 2600.0),
          "TILT_FLAT_SHARE": 1.0, "TILT_FLAT_DEG": 10.0, "HELD_SHARE": 0.0}  # fmt: skip
# The lamp: how much its light and colour vary over the table, and how often it mirrors in it.
SLOPE, CAST, GLARE_SHARE, GLARE = 0.25, 0.08, 0.3, (0.15, 0.6)
# The camera sets its exposure by the mean and keeps white just white.
MEAN, WHITE, DARKEST = (0.38, 0.5), 0.97, 1e-3
BLUR_PX, GRAIN, VIVID, JPEG_QUALITY = (0.4, 0.9), (0.004, 0.02), (0.85, 1.15), (75, 96)
SECOND_DECK_SHARE, DOWN_SHARE = 0.3, 0.08
MOST_CARDS = 44
LIGHT = ["art", "ordinary", "four_colour"]  # decks on white or nearly white stock
KINDS, KIND_WEIGHTS = ("alone", "row", "cascade", "fan", "pile"), (0.32, 0.2, 0.2, 0.18, 0.1)
SEPARATED, COVERED = ("alone", "row"), ("cascade", "fan")
TRIES = 300
UNCOVERED = 0.95  # of an index
EVERY = "all indices"
BANDS_PX = ((9.0, 14.0), (14.0, 1e3))


@dataclass(frozen=True)
class Table:
    """A table with the kind of group that each of its cards lies in, by the card's layer."""

    scene: Scene
    kinds: tuple[str, ...]


def make_table(stock: Stock, rng: np.random.Generator) -> Table:
    """Draw one table."""
    with ExitStack() as calm:
        calm.enter_context(patch.multiple(scenes, **CAMERA))
        calm.enter_context(patch.object(scenes, "photograph", webcam))
        plane = scenes._camera(rng)
        layers, kinds = _lay(stock, plane, rng)
        return Table(scenes.pictured(stock, plane, layers, rng), tuple(kinds))


def webcam(clean: np.ndarray, fine: float, rng: np.random.Generator) -> np.ndarray:
    """The clean picture as a webcam gives it under one ordinary lamp."""
    line = np.linspace(-1, 1, 24)
    a, b = rng.uniform(-SLOPE, SLOPE, 2)
    size = clean.shape[0]
    field = cv2.resize(1 + a * line[None, :] + b * line[:, None], (size, size))
    cast = np.exp(rng.uniform(-CAST, CAST, 3))
    image = clean.astype(np.float32) / 255 * field[..., None] * cast
    if rng.random() < GLARE_SHARE:
        x, y, wide = *rng.uniform(-0.9, 0.9, 2), rng.uniform(0.08, 0.3)
        spot = np.exp(-((line[None, :] - x) ** 2 + (line[:, None] - y) ** 2) / wide**2)
        image += rng.uniform(*GLARE) * cv2.resize(spot, (size, size))[..., None]
    light = max(image.mean(), DARKEST), max(np.percentile(image, 99), DARKEST)
    image *= min(rng.uniform(*MEAN) / light[0], WHITE / light[1])
    image = cv2.GaussianBlur(image.astype(np.float32), (0, 0), rng.uniform(*BLUR_PX))
    image += np.float32(rng.uniform(*GRAIN)) * cv2.randn(np.empty_like(image), 0, 1)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None]
    image = (
        (grey + np.float32(rng.uniform(*VIVID)) * (image - grey)).clip(0, 1) * 255 + 0.5
    ).astype(np.uint8)
    quality = int(rng.integers(*JPEG_QUALITY))
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def _lay(stock, plane, rng):  # type: ignore[no-untyped-def]
    """Lay groups that do not touch each other, until there is no room or there are no cards."""
    decks = [_shuffled(stock, rng)]
    if rng.random() < SECOND_DECK_SHARE:
        decks.append(_shuffled(stock, rng))
    to_table = np.linalg.inv(plane)
    layers: list[Layer] = []
    kinds: list[str] = []
    taken: list[tuple[float, float, float]] = []
    for _ in range(TRIES):
        deck, cards = decks[rng.integers(len(decks))]
        kind = str(rng.choice(KINDS, p=KIND_WEIGHTS))
        steps = _steps(kind, deck.aspect, rng)[: len(cards)]
        if not steps or len(layers) + len(steps) > MOST_CARDS:
            continue
        reach = max(math.hypot(x, y) for x, y, _ in steps) + 0.62
        x, y = scenes._map(to_table, *rng.uniform(0.04, 0.96, 2) * CAMERA["SIZE_PX"])
        if any(math.hypot(x - a, y - b) < reach + r for a, b, r in taken):
            continue
        taken.append((x, y, reach))
        turn = rng.integers(4) * math.pi / 2 + rng.normal(0, 0.08)
        c, s = math.cos(turn), math.sin(turn)
        down = rng.random() < DOWN_SHARE
        for dx, dy, askew in steps:
            at = (x + c * dx - s * dy, y + s * dx + c * dy)
            pose = scenes._pose(*at, turn + askew, deck.aspect, 1.0)
            layers.append(_card(plane @ pose, deck, None if down else cards.pop(), rng))
            kinds.append(kind)
    return layers, kinds


def _shuffled(stock: Stock, rng: np.random.Generator) -> tuple[Deck, list[int]]:
    deck = stock.decks[rng.integers(len(stock.decks))]
    return deck, [int(k) for k in rng.permutation(len(deck.faces))]


def _steps(kind: str, w: float, rng: np.random.Generator) -> list[tuple[float, float, float]]:
    """Centres and turns of a group's cards about its own middle, the lowest first."""
    n = {"alone": 1, "row": rng.integers(2, 5), "pile": rng.integers(3, 9)}.get(
        kind, rng.integers(3, 8)
    )
    middle, step = (n - 1) / 2, rng.uniform(0.17, 0.32)
    along = w * rng.uniform(1.05, 1.25)
    reach, spread = rng.uniform(0.9, 1.6), math.radians(rng.uniform(9, 15))
    out = []
    for i in range(int(n)):
        x, y, turn = rng.normal(0, 0.012), rng.normal(0, 0.012), rng.normal(0, 0.025)
        if kind == "row":
            x += (i - middle) * along
        elif kind == "cascade":
            y += (i - middle) * step
        elif kind == "fan":
            turn += (i - middle) * spread
            x += reach * math.sin(turn)
            y += reach * (1 - math.cos(turn))
        out.append((x, y, turn))
    return out


def _card(matrix, deck, face, rng):  # type: ignore[no-untyped-def]
    if face is None and deck.backs:
        texture = deck.backs[rng.integers(len(deck.backs))]
        return Layer(matrix, CARD, texture, deck.aspect, deck.corner_radius, 2, deck)
    face = face or 0
    texture = deck.faces[face].texture
    return Layer(matrix, CARD, texture, deck.aspect, deck.corner_radius, 1, deck, face)


# ---- what was said ------------------------------------------------------------------------
def in_view(scene: Scene) -> list[tuple[np.ndarray, int]]:
    """Cards that lie wholly in the picture, face up and uncovered: corners and layer."""
    size = scene.image.shape[0]
    rows = scene.indices[scene.indices[:, 10] >= UNCOVERED]
    out = []
    for card in scene.cards[(scene.cards[:, 9] >= 0.985) & (scene.cards[:, 8] == 0)]:
        corners = card[:8].reshape(4, 2).astype(np.float32)
        on_it = [int(row[12]) for row in rows if inside(corners, (row[0], row[1]))]
        if on_it and corners.min() > 0 and corners.max() < size - 1:
            out.append((corners, on_it[0]))
    return out


def cards_said(table: Table, reads: Sequence[CardRead], kinds: Sequence[str]) -> list[Answer]:
    """What was said of each uncovered card of such groups: the surest name on it."""
    out = []
    for corners, layer in in_view(table.scene):
        if table.kinds[layer] not in kinds:
            continue
        row = next(r for r in table.scene.indices if r[12] == layer and r[10] >= UNCOVERED)
        on_it = [r for r in reads if r.label != "BACK" and inside(corners, r.at_px)]
        best = max(on_it, key=lambda r: (r.label != "??", r.score), default=None)
        said, score = (best.label, best.score) if best else (None, 0.0)
        half = float(np.hypot(row[2], row[3]))
        want = label_of(int(row[8]), int(row[9]))
        out.append(Answer(2 * half, want, said, score, upright(table.scene.image, row)))
    return out


def indices_said(table: Table, reads: Sequence[CardRead], kinds: Sequence[str]) -> list[Answer]:
    """What was said at each uncovered index of such groups."""
    rows, size = table.scene.indices, table.scene.image.shape[0]
    half = np.hypot(rows[:, 2], rows[:, 3])
    within = (rows[:, :2] > half[:, None]).all(1) & (rows[:, :2] < size - half[:, None]).all(1)
    own = np.array([r[10] >= UNCOVERED and table.kinds[int(r[12])] in kinds for r in rows])
    return answers(replace(table.scene, indices=rows[own & within]), reads)


def false_names(table: Table, reads: Sequence[CardRead]) -> int:
    """How many names were said where no index shows."""
    rows = table.scene.indices[table.scene.indices[:, 10] > 0]
    half = np.hypot(rows[:, 2], rows[:, 3])
    said = [r for r in reads if r.label not in ("??", "BACK")]
    return sum(bool((np.hypot(*(rows[:, :2] - r.at_px).T) > half).all()) for r in said)


@dataclass
class Asked:
    """All that was asked so far, by what it was, and how many names were said where nothing is."""

    rows: dict[str, list[Answer]]
    false: int = 0

    def read(self, reader: Reader, stock: Stock, tables: int, rng: np.random.Generator) -> None:
        """Read so many tables of a stock."""
        for _ in range(tables):
            table = make_table(stock, rng)
            reads = reader.read(table.scene.image).cards
            self.rows["separated cards"] += cards_said(table, reads, SEPARATED)
            self.rows["tops of piles"] += cards_said(table, reads, ("pile",))
            self.rows["cascades and fans, indices"] += indices_said(table, reads, COVERED)
            self.rows[EVERY] += indices_said(table, reads, KINDS)
            self.false += false_names(table, reads)

    def print(self) -> None:
        """Print what was right and wrong."""
        for name, some in self.rows.items():
            for band in BANDS_PX:
                _print_row(name, band, [r for r in some if band[0] <= r.height_px < band[1]])
        every = [row for row in self.rows[EVERY] if row.height_px >= BANDS_PX[0][0]]
        print(f"calibration error {calibration_error(every):.4f}  false names {self.false}")


def _print_row(name: str, band: tuple[float, float], rows: Sequence[Answer]) -> None:
    n = max(1, len(rows))
    right, wrong = sum(r.right for r in rows), sum(r.wrong for r in rows)
    unsaid, missed = sum(r.said == "??" for r in rows), sum(r.said is None for r in rows)
    height = f"{band[0]:.0f}-{band[1]:.0f} px" if band[1] < 1e3 else f"{band[0]:.0f} px on"
    print(
        f"{name:28} {height:9} n {len(rows):5d}  right {right / n:.4f}  wrong {wrong / n:.4f}"
        f" ({wrong})  ?? {unsaid / n:.4f}  missed {missed / n:.4f}",
        flush=True,
    )


def main() -> None:
    ap = parser(__doc__)
    ap.add_argument("--tables", type=int, default=150)
    ap.add_argument("--seed", type=int, default=61)
    ap.add_argument("--decks", nargs="*", default=LIGHT, help="families: art ordinary black ...")
    ap.add_argument("--parts", type=int, default=8, help="load the decks in so many parts")
    ap.add_argument("--failures", type=Path, help="draw the worst reads of our own decks there")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    reader, asked = Reader(a.models, 1), Asked(defaultdict(list))
    for part in range(a.parts):
        every, own = (part, a.parts), a.failures is not None
        stock = load_stock(a.data, True, own, every, families=a.decks, grounds_of=SURFACES)
        asked.read(reader, stock, a.tables // a.parts, np.random.default_rng((a.seed, part)))
    asked.print()
    if a.failures:
        asked_of = [row for row in asked.rows[EVERY] if row.height_px >= BANDS_PX[0][0]]
        cv2.imwrite(str(a.failures), failure_sheet(asked_of))


if __name__ == "__main__":
    main()
