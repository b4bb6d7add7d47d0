"""How far from perfect the tables and trackers of the bench without pictures are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flaws:
    """How far from perfect a table and its tracker are.

    Cards lie up to `off_mm` off their place and `askew_deg` askew. `missing`: a card that lies
    clear is not seen for 1 to 2 s so many times a minute and card; `misread` and `unread` are
    shares of new cards that have a wrong name, or none, for 0.3 to 1 s; `unnamed` is the share
    of touches that no player is named for; a touch is found `touch_mm` off at most.
    """

    off_mm: float = 2.0
    askew_deg: float = 2.0
    missing: float = 0.0
    misread: float = 0.0
    unread: float = 0.0
    unnamed: float = 0.0
    touch_mm: float = 8.0


PERFECT = Flaws()
ROUGH = Flaws(off_mm=8.0, askew_deg=9.0, missing=0.25, misread=0.01, unread=0.03, unnamed=0.03,
    touch_mm=25.0)  # fmt: skip
