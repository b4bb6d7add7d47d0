"""What was read in images: cards, hands and all of one sight."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CardRead:
    """One card, or one printed index of a card, as seen in one image.

    `label` is rank and suit (`7H`, `TD`), `JOKER` (which of a deck's jokers it is cannot be told
    from its face), `BACK` (face down) or `??` (seen, not read). `score` is the calibrated
    probability that the label is right (for `??`: that a card is there). `at_px` lies on the
    printed index, or on the middle of a face-down card. `quad_px` are the card's corners,
    clockwise from its upper left one as printed, or None where they cannot be told.
    `angle_deg` turns the upright card to the seen one, clockwise in the image. `middle_px` is where
    the index says that its card's middle lies, None for reads that come from an outline.
    """

    label: str
    score: float
    at_px: Point
    quad_px: tuple[Point, Point, Point, Point] | None
    angle_deg: float
    back: str | None = None
    middle_px: Point | None = None


@dataclass(frozen=True, slots=True)
class HandRead:
    """One hand or arm seen over the table: `box_px` is x0, y0, x1, y1."""

    score: float
    box_px: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Sight:
    """All that was read in one image."""

    cards: tuple[CardRead, ...]
    hands: tuple[HandRead, ...]
