"""How a match begins: game, seats, phase, house options; and the uncertainty of each sensor."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from referee.rulebook.races import Instant
from referee.values import Declared, Event, HandOff, HandOn, PadHit, Setting

TOTAL = re.compile(r"([A-Z])[:=]([+-]?[0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class Setup:
    """How a match begins; fixed for the whole match.

    `options` holds every option of the game by name, with its value as text. `flags` are the
    start conditions that are no card positions. `seats` sit clockwise.
    """

    match: str
    game: str
    seats: tuple[str, ...]
    phase: str
    census: int | None
    options: Mapping[str, str]
    flags: tuple[Setting, ...] = ()

    def option(self, name: str) -> str:
        """Return the value of an option."""
        return self.options[name]

    def is_on(self, name: str) -> bool:
        """Whether a yes/no option is yes."""
        return self.options[name] == "yes"

    def number(self, name: str) -> int:
        """Return the value of an option that is a whole number."""
        return int(self.options[name])

    def span_ns(self, name: str) -> int:
        """Return the value of an option ending in `_ms` or `_s`, in nanoseconds."""
        return _as_ns(self.options[name], name)

    def flag(self, name: str) -> str | None:
        """Return the value of a start condition, None where the match does not give it."""
        return next((flag.value for flag in self.flags if flag.name == name), None)

    def totals(self) -> dict[str, int]:
        """Return the points of all seats before the first hand. Raises ValueError."""
        totals, text = dict.fromkeys(sorted(self.seats), 0), self.flag("totals") or ""
        for word in text.split(",") if text else ():
            found = TOTAL.fullmatch(word)
            if found is None or found[1] not in totals:
                raise ValueError(f"flag totals={text[:40]}: write A:-20,B:20")
            totals[found[1]] = int(found[2])
        return totals

    def others(self, seat: str) -> tuple[str, ...]:
        """All seats but one."""
        return tuple(other for other in self.seats if other != seat)

    def instant(self, event: Event) -> Instant:
        """Return the time of an event with its own or its sensor's uncertainty (house rule 0.4)."""
        name = _sensor(event)
        u_ns = _as_ns(self.options[name], name) if event.u_ns is None else event.u_ns
        if type(event) is PadHit:
            clock = (event.clock, event.off_ns or 0, event.rate_ppm or 0.0)
            return Instant(event.t_ns, u_ns, event.flat_ns or 0, *clock)
        flat_ns = int(FRAME_SHARE * u_ns) if name in CAMERA else 0
        return Instant(event.t_ns, u_ns, flat_ns, seen=event.source == "camera")


# A camera knows a touch to between two frames. Of 33 ms between them, 16 ms of exposure and 3 ms
# of picking the frame, 0.87 of the uncertainty is the flat stretch.
CAMERA = frozenset({"race.u_hand_ms", "race.u_card_ms"})
FRAME_SHARE = 0.87


@lru_cache(maxsize=256)
def _as_ns(number: str, name: str) -> int:
    return round(float(number) * (1_000_000 if name.endswith("_ms") else 1_000_000_000))


# A card that is placed, and everything else that a camera sees of cards, has the last one.
SENSORS: dict[type[Event], str] = {
    PadHit: "race.u_pad_ms",
    HandOn: "race.u_hand_ms",
    HandOff: "race.u_hand_ms",
}


def _sensor(event: Event) -> str:
    if event.source in ("voice", "operator"):
        return f"race.u_{event.source}_ms"
    if type(event) is Declared:
        return "race.u_key_ms" if event.actor.seat else "race.u_operator_ms"
    return SENSORS.get(type(event), "race.u_card_ms")
