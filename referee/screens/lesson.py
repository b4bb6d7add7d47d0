"""What the page for correcting reads shows: one picture, what was read in it, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Marked:
    """One thing in the picture: a card's name, `BACK`, `?` (cannot be told) or `-` (no card).

    The box is left, top, right and bottom in the picture's pixels.
    """

    name: str
    box_px: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Lesson:
    """The `number`-th picture with its things, and where how many pictures are kept.

    `picture` is its file's name, empty when all were looked at.
    """

    number: int
    picture: str
    width_px: int
    height_px: int
    things: tuple[Marked, ...]
    folder: str
    kept: int
    problem: str | None = None
