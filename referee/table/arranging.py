"""Players who lay out the cards of a packet that they took up: they turn none up and take none."""

from __future__ import annotations

from dataclasses import replace

from referee.table import moves
from referee.table.gone import Gone
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.piles import Piles, unknown
from referee.values import Actor, Event

# What such a hand did at a card that does not show any more is told with this certainty.
CONF = 0.8


def arranges(habits: Habits, piles: Piles, zone: str) -> bool:
    """Whether the player of a place lays there what he took up, and has put down no rest."""
    owner = owner_of(zone)
    if habits.taken_up(zone) is None or not piles.holds_packet(f"{owner}.{habits.held}"):
        return False
    mine = (name for name in piles.zones() if owner_of(name) == owner)
    return all(is_in_hands(name) or habits.is_column(name) for name in mine)


def laid_upon(habits: Habits, piles: Piles, gone: Gone) -> Event:
    """Tell of a card that nobody saw, laid by who arranges onto one that does not show now."""
    owner, pile = owner_of(gone.zone), piles[gone.zone]
    hand, card = f"{owner}.{habits.held}", unknown(gone.cards[-1])
    pile.extend((*gone.cards, replace(card, since_ns=gone.t_ns)))
    piles[hand].pop()
    actor = gone.actor if gone.actor.seat else Actor(owner)
    return moves.unseen(gone.t_ns, gone.u_ns, card.card, hand, gone.zone, actor, CONF, up=False)
