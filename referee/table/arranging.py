"""Players who lay out the cards of a packet that they took up: they turn none up."""

from __future__ import annotations

from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.piles import Piles


def arranges(habits: Habits, piles: Piles, zone: str, took_ns: int) -> bool:
    """Whether the player of a place lays there what he took up at last at a time.

    He has put down no rest, and nothing lies there from before that time.
    """
    owner = owner_of(zone)
    if habits.taken_up(zone) is None or not piles.holds_packet(f"{owner}.{habits.held}"):
        return False
    mine = [name for name in piles.zones() if owner_of(name) == owner and not is_in_hands(name)]
    return all(habits.is_column(name) and piles[name][0].since_ns > took_ns for name in mine)
