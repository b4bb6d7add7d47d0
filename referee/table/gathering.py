"""The cards of a hand that is over are gathered: then the next one is dealt onto a bare table."""

from __future__ import annotations

from referee.table.gone import Gone
from referee.table.habits import Habits
from referee.table.settled import Settled

# What a hand or a wrong reading hides is seen again sooner.
BARE_NS = 1_500_000_000


class Gathering:
    """Notices that nothing is left of what was played. Used by one thread."""

    def __init__(self, habits: Habits) -> None:
        """Wait for the first card that lies open."""
        self._habits = habits
        self._was_open = False
        # Since when no open card is seen.
        self._bare_ns: int | None = None

    def step(self, now: Settled, air: list[Gone]) -> bool:
        """Look at the table; tells whether all cards were gathered.

        Hands took them: a camera that looks elsewhere sees no cards either, and no hands at them.
        """
        if any(spot.up for spot in now.spots):
            self._was_open, self._bare_ns = True, None
            return False
        if not self._was_open or not self._is_dealt_anew():
            return False
        self._bare_ns = now.t_ns if self._bare_ns is None else self._bare_ns
        return now.t_ns - self._bare_ns >= BARE_NS and _are_taken(air)

    def _is_dealt_anew(self) -> bool:
        """Whether a hand begins with a deal: what players hold may be all that there is."""
        return bool(self._habits.dealt or self._habits.dealt_from)


def _are_taken(air: list[Gone]) -> bool:
    """Whether hands took most of the open cards that went last."""
    gone = [one for one in air if any(card.up for card in one.cards)]
    return 2 * sum(one.touched for one in gone) > len(gone)
