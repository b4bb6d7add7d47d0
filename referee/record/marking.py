"""What was seen in a frame of a clip, in pixels of the kept picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.record.clips import Clip, ClipFrame
from referee.record.drawing import Box, Drawing, Line, Mark, Words
from referee.record.ring import Seen
from referee.values import Point

# What was read up to so long before a frame is still shown with it: the reader is slower than
# the camera.
READ_AGE_NS = 200_000_000
OUTLINE, LETTERS_PX = "#ffd400", 40.0


@dataclass(frozen=True, slots=True)
class Marked:
    """A card or a hand in a frame: `kind` is card, back, unread or hand.

    `corners_px` go round it, empty where they are not known; `at_px` is its middle. `score` is
    the probability of its name, `label`.
    """

    kind: str
    corners_px: tuple[Point, ...]
    at_px: Point
    label: str = ""
    score: float = 0.0


def marked(clip: Clip, frame: ClipFrame) -> Iterator[Marked]:
    """Yield what was last seen before a frame."""
    seen, scale = _seen_at(clip.seen, frame.t_ns), frame.scale
    if seen is None:
        return
    for card in seen.sight.cards:
        kind = {"??": "unread", "BACK": "back"}.get(card.label, "card")
        corners = tuple((x * scale, y * scale) for x, y in card.quad_px or ())
        at_px = (card.at_px[0] * scale, card.at_px[1] * scale)
        yield Marked(kind, corners, at_px, card.label if kind == "card" else "", card.score)
    for hand in seen.sight.hands:
        x0, y0, x1, y1 = (value * scale for value in hand.box_px)
        corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        yield Marked("hand", corners, ((x0 + x1) / 2, (y0 + y1) / 2))


def _seen_at(seen: Sequence[Seen], t_ns: int) -> Seen | None:
    found = [one for one in seen if t_ns - READ_AGE_NS <= one.t_ns <= t_ns]
    return found[-1] if found else None


def outlined(clip: Clip, frame: ClipFrame, label: str) -> Drawing | None:
    """Return the cards of a name in a frame, to be drawn over it; None where none was seen."""
    cards = [one for one in marked(clip, frame) if label and one.label == label]
    marks = tuple(mark for card in cards for mark in _outline(card))
    return Drawing(frame.width_px, frame.height_px, f"{label} outlined", marks) if marks else None


def _outline(card: Marked) -> Iterator[Mark]:
    corners = card.corners_px
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], *corners[:1]), strict=True):
        yield Line(x0, y0, x1, y1, OUTLINE, 4)
    top_px = min((y for _, y in corners), default=card.at_px[1])
    wide_px = LETTERS_PX * (0.3 + 0.6 * len(card.label))
    yield Box(card.at_px[0] - wide_px / 2, top_px - LETTERS_PX - 6, wide_px, LETTERS_PX, "#000000")
    yield Words(
        card.at_px[0], top_px - 16, card.label, LETTERS_PX * 0.85, OUTLINE, "middle", bold=True
    )
