"""A hand over the table as one frame shows it."""

from __future__ import annotations

from dataclasses import dataclass

PointMm = tuple[float, float]


@dataclass(frozen=True, slots=True)
class HandSeen:
    """One hand in one frame.

    `id` is the same for as long as the hand is followed. `t_ns` is the time of the rows that show
    it (a rolling shutter reads rows one after another), `sigma_ns` its uncertainty. `tip_mm` is
    the working point (between the fingertips), `root_mm` where its arm enters the table's edge.
    `seat` and `hand` (L, R, `?`) say whose it is, None where that cannot be told. `speed_mm_s`
    is the speed of the working point. `box_mm` is x0, y0, x1, y1 about the hand without its arm.
    `rested`: it lay there at rest when the camera began, and was first known when it moved.
    `joined`: its outline runs into another arm's, so that where it ends and rests is less sure.
    """

    id: int
    t_ns: int
    sigma_ns: int
    tip_mm: PointMm
    root_mm: PointMm
    box_mm: tuple[float, float, float, float]
    speed_mm_s: float
    seat: str | None
    hand: str | None
    score: float
    rested: bool = False
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Touch:
    """A hand that came to rest on the table, or left it, at a place and time.

    `on` is True for a coming to rest (the first contact), False for the leaving. `u_ns` is half
    the width of the interval that holds the true time with 95 %.
    """

    hand: HandSeen
    on: bool
    at_mm: PointMm
    t_ns: int
    u_ns: int
    conf: float
