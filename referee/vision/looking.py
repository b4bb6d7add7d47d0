"""Chooses what of a frame is read, and reads it: what is new and still, then what is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead, PointMm, Sight
from referee.values.spots import CARD_H_MM, CARD_W_MM
from referee.vision.frames import Image
from referee.vision.gate import Box, small_of_grey
from referee.vision.gathering import ToMm, seen_cards
from referee.vision.landing import Landings
from referee.vision.stillness import Stillness
from referee.vision.track import CardLook, Ground, Tracks

# A frame may cost so many pixels of reading: 0.4 s a megapixel on one core of a small computer
# (piece of 480 x 480: 0.1 s), so that no frame takes more than about 120 ms.
PIXELS_A_FRAME = 260_000
# The largest piece that is read at once, and how much two neighbouring pieces share: a card.
PIECE_PX = 512
# A piece reaches this far past what changed, so that the whole card that changed is in it.
MARGIN_MM = 34.0
# Past a followed card that is looked at again.
CLOSE_MM = 14.0
# What moves close beside a card is not on it: its place is taken this much smaller.
INNER_MM = -5.0
# A card's place counts as still when this share of it does: shadows' edges never quite rest.
STILL_SHARE = 0.97


class CardReader(Protocol):
    """What reads a picture: the card reader."""

    def read(self, image_bgr: NDArray[np.uint8], *, enlarged: bool = True) -> Sight:
        """Read one picture."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """The way between picture and table, both (n, 2), and the picture's size."""

    to_mm: ToMm
    to_px: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    width_px: int
    height_px: int

    def card_corners_px(
        self, at_mm: PointMm, angle_deg: float, margin_mm: float = 0.0
    ) -> NDArray[np.float64]:
        """Return the corners (4, 2) of a card in pixels, in order round it."""
        turn = np.radians(angle_deg)
        up = np.array([np.sin(turn), np.cos(turn)]) * (CARD_H_MM / 2 + margin_mm)
        right = np.array([np.cos(turn), -np.sin(turn)]) * (CARD_W_MM / 2 + margin_mm)
        return self.to_px(
            np.array(at_mm) + np.stack([up + right, up - right, -up - right, right - up])
        )

    def card_box(self, at_mm: PointMm, angle_deg: float, margin_mm: float = 0.0) -> Box:
        """Return the box in pixels about a card; it may reach out of the picture."""
        return box_about(self.card_corners_px(at_mm, angle_deg, margin_mm))

    def mm_px(self, box: Box) -> float:
        """Return how many pixels a millimetre has in the middle of a box."""
        x, y = (box.x0_px + box.x1_px) / 2, (box.y0_px + box.y1_px) / 2
        a, b = self.to_mm(np.array([[x - 20.0, y], [x + 20.0, y]]))
        return 40.0 / max(1e-6, float(np.hypot(*(a - b))))

    def inside(self, box: Box) -> bool:
        """Whether a box lies within the picture."""
        return (
            box.x0_px >= 0
            and box.y0_px >= 0
            and box.x1_px <= self.width_px
            and box.y1_px <= self.height_px
        )


def box_about(points_px: NDArray[np.float64]) -> Box:
    """Return the box about points (n, 2)."""
    low, high = np.floor(points_px.min(axis=0)), np.ceil(points_px.max(axis=0))
    return Box(int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1)


class Looking:
    """Reads the pieces of one video's frames that need it. Used by one thread."""

    def __init__(
        self,
        reader: CardReader,
        mapping: Mapping,
        covered: Callable[[PointMm], bool] = lambda at_mm: False,
    ) -> None:
        """`covered` tells whether a hand is over a place of the table."""
        self._reader, self.mapping, self._covered = reader, mapping, covered
        self.stillness = Stillness()
        self._landings = Landings()
        self.tracks = Tracks()

    def step(self, image_bgr: Image, t_ns: int) -> bool:
        """Take the next frame; returns whether anything was read."""
        height_px, width_px = image_bgr.shape[:2]
        grey = self._landings.keep(image_bgr, t_ns)
        self.stillness.step_small(small_of_grey(grey, width_px, height_px), t_ns)
        if self.stillness.dark:
            return False
        budget, read = PIXELS_A_FRAME, False
        for box in self._pieces():
            pixels = (box.x1_px - box.x0_px) * (box.y1_px - box.y0_px)
            if read and pixels > budget:
                continue
            budget -= pixels
            self._look(image_bgr, box)
            read = True
        for track in self.tracks.untimed():
            corners_px = self.mapping.card_corners_px(track.at_mm, track.angle_deg)
            track.time(self._landings.landed(corners_px))
        return read

    def _pieces(self) -> list[Box]:
        """Return what to read, the newest change first."""
        new = sorted(self.stillness.fresh_boxes(), key=lambda b: -self.stillness.moved_ns(b))
        changed = (piece for box in new for piece in self._cut(self._about_change(box)))
        wanted = [piece for piece in changed if self.stillness.is_fresh(piece)]
        places = [(track.at_mm, track.angle_deg) for track in self.tracks.unsure()]
        places += [(card.at_mm, card.angle_deg) for card in self.tracks.glimpses]
        for at_mm, angle_deg in places:
            if self._rests(at_mm, angle_deg):
                wanted += self._cut(self.mapping.card_box(at_mm, angle_deg, CLOSE_MM))
        pieces: list[Box] = []
        for piece in wanted:
            if self._worth(piece) and not any(_holds(other, piece) for other in pieces):
                pieces.append(piece)
        return pieces

    def _rests(self, at_mm: PointMm, angle_deg: float) -> bool:
        place = self.mapping.card_box(at_mm, angle_deg, INNER_MM)
        return self.stillness.resting_share(place) >= STILL_SHARE and not self._covered(at_mm)

    def _about_change(self, box: Box) -> Box:
        margin = round(MARGIN_MM * self.mapping.mm_px(box))
        return Box(box.x0_px - margin, box.y0_px - margin, box.x1_px + margin, box.y1_px + margin)

    def _worth(self, box: Box) -> bool:
        return self.stillness.resting_share(box) > 0.3

    def _cut(self, box: Box) -> Iterable[Box]:
        """Cut a box to the picture, and a large one into overlapping pieces."""
        x0, y0 = max(0, box.x0_px), max(0, box.y0_px)
        x1, y1 = min(self.mapping.width_px, box.x1_px), min(self.mapping.height_px, box.y1_px)
        if x1 - x0 < 24 or y1 - y0 < 24:
            return
        overlap = min(
            PIECE_PX // 2, round(CARD_H_MM * self.mapping.mm_px(Box(x0, y0, x1, y1)) * 1.1)
        )
        for left, right in _spans(x0, x1, overlap):
            for top, bottom in _spans(y0, y1, overlap):
                yield Box(left, top, right, bottom)

    def _look(self, image_bgr: Image, box: Box) -> None:
        piece = np.ascontiguousarray(image_bgr[box.y0_px : box.y1_px, box.x0_px : box.x1_px])
        sight = self._reader.read(piece, enlarged=False)
        reads = [moved_read(read, box.x0_px, box.y0_px) for read in sight.cards]
        hands = [
            Box(
                int(h.box_px[0]) + box.x0_px,
                int(h.box_px[1]) + box.y0_px,
                int(h.box_px[2]) + box.x0_px,
                int(h.box_px[3]) + box.y0_px,
            )
            for h in sight.hands
        ]
        cards = seen_cards(reads, self.mapping.to_mm)
        look = CardLook(
            self.stillness.t_ns, self.stillness.before_ns, cards, self._ground(box, hands)
        )
        self.tracks.take(look)
        self.stillness.learn(box)

    def _ground(self, box: Box, hands: list[Box]) -> Ground:
        def clear(at_mm: PointMm, angle_deg: float) -> bool:
            place = self.mapping.card_box(at_mm, angle_deg, INNER_MM)
            if not _holds(box, place) or not self._rests(at_mm, angle_deg):
                return False
            return not any(_share_under(place, hand) > 0.15 for hand in hands)

        def moved_ns(at_mm: PointMm, angle_deg: float) -> int:
            return self.stillness.moved_ns(self.mapping.card_box(at_mm, angle_deg, INNER_MM))

        return Ground(clear, moved_ns)


def moved_read(read: CardRead, x_px: float, y_px: float) -> CardRead:
    """Return a read of a piece in the coordinates of the whole picture."""

    def shift(p: tuple[float, float]) -> tuple[float, float]:
        return p[0] + x_px, p[1] + y_px

    quad = read.quad_px
    return CardRead(
        label=read.label,
        score=read.score,
        at_px=shift(read.at_px),
        quad_px=None
        if quad is None
        else (shift(quad[0]), shift(quad[1]), shift(quad[2]), shift(quad[3])),
        angle_deg=read.angle_deg,
        back=read.back,
        middle_px=None if read.middle_px is None else shift(read.middle_px),
    )


def _spans(low: int, high: int, overlap: int) -> list[tuple[int, int]]:
    if high - low <= PIECE_PX:
        return [(low, high)]
    count = -(-(high - low - overlap) // (PIECE_PX - overlap))
    step = (high - low - PIECE_PX) / (count - 1) if count > 1 else 0.0
    return [(low + round(k * step), min(high, low + round(k * step) + PIECE_PX))
            for k in range(count)]  # fmt: skip


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x0_px <= inner.x0_px
        and outer.y0_px <= inner.y0_px
        and outer.x1_px >= inner.x1_px
        and outer.y1_px >= inner.y1_px
    )


def _share_under(box: Box, hand: Box) -> float:
    width = min(box.x1_px, hand.x1_px) - max(box.x0_px, hand.x0_px)
    height = min(box.y1_px, hand.y1_px) - max(box.y0_px, hand.y0_px)
    area = (box.x1_px - box.x0_px) * (box.y1_px - box.y0_px)
    return max(0, width) * max(0, height) / max(1, area)
