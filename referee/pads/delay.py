"""How late a camera's pictures are, from where its lamp was seen; and how long it reads one.

A rolling shutter takes the rows of a picture one after another. A lamp tells when its own row was
taken; two of them, far apart, tell how long the camera needs from the first row to the last.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

MS = 1_000_000
# The slowest webcams of 30 pictures a second take a whole period to read one.
SLOWEST_READOUT_NS = 33 * MS
# Lamps nearer to each other than this share of the picture's height are at one place.
APART_ROWS = 0.3
# Of a camera that nobody measured: USB ones are one to three pictures late [a guess].
UNMEASURED_NS = 50 * MS


@dataclass(frozen=True, slots=True)
class LampSeen:
    """A lamp seen in the row `row` (0 the top of the picture, 1 its foot).

    The camera told that row's exposures `late_ms` after they were, known to `half_ms` with 95 %.
    """

    row: float
    late_ms: float
    half_ms: float


@dataclass(frozen=True, slots=True)
class Delay:
    """By how much a camera tells the middle of a picture later than the pads' clock.

    Known to `half_ns`. `readout_ns` is the time from the first row to the last, below 0 for a
    picture that is read from its foot; None where unknown.
    """

    late_ns: int
    half_ns: int
    readout_ns: int | None = None


# A camera whose times are the pads' own, as in a rendered match.
NONE = Delay(0, 0, 0)


def delay_of(lamps: Sequence[LampSeen]) -> Delay:
    """Return what lamps at one place or two say; without any what cameras commonly are."""
    if not lamps:
        return Delay(UNMEASURED_NS, UNMEASURED_NS)
    one, *others = lamps
    if not others:
        unread_ns = SLOWEST_READOUT_NS * abs(one.row - 0.5)
        return Delay(round(one.late_ms * MS), round(one.half_ms * MS + unread_ns))
    other = others[0]
    share = (0.5 - one.row) / (other.row - one.row)
    late_ms = one.late_ms + share * (other.late_ms - one.late_ms)
    half_ms = math.hypot((1 - share) * one.half_ms, share * other.half_ms)
    return Delay(round(late_ms * MS), round(half_ms * MS), round(_readout_ms(one, other) * MS))


def with_lamp(lamps: Sequence[LampSeen], lamp: LampSeen) -> tuple[LampSeen, ...]:
    """Return the lamps to go by after one more was seen: it, and one seen far from it before.

    One that does not fit it is forgotten: the camera is another, or set otherwise.
    """
    for before in lamps:
        if abs(before.row - lamp.row) >= APART_ROWS:
            room_ms = 2 * math.hypot(before.half_ms, lamp.half_ms) / abs(before.row - lamp.row)
            if abs(_readout_ms(before, lamp)) <= SLOWEST_READOUT_NS / MS + room_ms:
                return (before, lamp)
    return (lamp,)


def _readout_ms(one: LampSeen, other: LampSeen) -> float:
    return (one.late_ms - other.late_ms) / (other.row - one.row)
