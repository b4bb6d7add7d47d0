"""Cards in the air: what left its zone and lies nowhere yet, and what is told if it stays away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from referee.table import moves
from referee.table.habits import Habits, owner_of
from referee.table.piles import Lying, Piles
from referee.values import Actor, Card, CardLifted, Event, PointMm

# A block that left and lies nowhere is in a hand after so long; carries take 0.3 to 0.9 s.
TAKEN_NS = 1_300_000_000
LIFTED_NS = 1_800_000_000
# After that a card that left is forgotten to be on its way.
FORGOTTEN_NS = 20_000_000_000
# Cards that vanish from one pile within this time went together.
TOGETHER_NS = 400_000_000

# How well it is known when cards left: a place is looked at when the hand has gone from it.
LEFT_U_NS = 110_000_000
UNDER_U_NS = 250_000_000
LOOK_BACK_NS = 500_000_000

ActorAt = Callable[[int, int, PointMm], Actor]


@dataclass(slots=True)
class Gone:
    """Cards that left a zone and lie nowhere yet, from bottom to top."""

    cards: tuple[Lying, ...]
    zone: str
    t_ns: int
    u_ns: int
    actor: Actor
    lifted: bool = False


class Air:
    """The cards in the air. Changed by one thread."""

    def __init__(self, habits: Habits, piles: Piles, actor_at: ActorAt) -> None:
        """Begin with none; `actor_at` tells who was at a place in an interval."""
        self._habits, self._piles, self._actor_at = habits, piles, actor_at
        self.gone: list[Gone] = []

    def set_out(self, t_ns: int, zone: str, indices: list[int]) -> None:
        """Take cards off a zone; those that go at nearly the same time go as one block."""
        cards = self._piles.take(zone, indices)
        if not cards:
            return
        if not self._piles[zone]:
            # It was seen empty: what lies there from now on can be counted.
            self._piles.deep.discard(zone)
        for gone in self.gone:
            if gone.zone == zone and t_ns - gone.t_ns <= TOGETHER_NS:
                gone.cards = (*cards, *gone.cards)
                return
        actor = self._actor_at(t_ns - LOOK_BACK_NS, t_ns, cards[-1].at_mm)
        self.gone.append(Gone(cards, zone, t_ns, LEFT_U_NS, actor))

    def step(self, t_ns: int, stirred_ns: Callable[[str], int]) -> list[Event]:
        """Tell of cards that left and did not come to lie anywhere."""
        events: list[Event] = []
        for gone in list(self.gone):
            age_ns = t_ns - gone.t_ns
            target = self._under(gone, stirred_ns) if age_ns > TAKEN_NS // 2 else None
            if age_ns > FORGOTTEN_NS:
                self.gone.remove(gone)
            elif target is not None:
                events.append(self._put_under(gone, target, stirred_ns(target)))
            elif age_ns > TAKEN_NS and self._habits.held is not None:
                events += self._into_hand(gone)
            elif age_ns > LIFTED_NS and len(gone.cards) == 1 and not gone.lifted:
                gone.lifted = True
                events.append(self._lifted(gone))
        return events

    def _under(self, gone: Gone, stirred_ns: Callable[[str], int]) -> str | None:
        """Return the pile of backs that a face-up block was put under, if it stirred since."""
        target = self._habits.returns_to(gone.zone, gone.actor.seat)
        if target is None or not gone.cards[-1].up or not self._piles[target]:
            return None
        return target if stirred_ns(target) > gone.t_ns else None

    def _put_under(self, gone: Gone, target: str, t_ns: int) -> Event:
        self.gone.remove(gone)
        at_mm = self._piles[target][-1].at_mm
        down = [replace(card.unseen(), up=False, at_mm=at_mm) for card in reversed(gone.cards)]
        self._piles[target][:0] = down
        return moves.put_under(
            t_ns, UNDER_U_NS, gone.zone, target, len(gone.cards), gone.actor, 0.8
        )

    def _into_hand(self, gone: Gone) -> list[Event]:
        """Tell of cards that went into a hand: one by one where hands are hidden, else a block."""
        self.gone.remove(gone)
        seat = gone.actor.seat or owner_of(gone.zone)
        hand = f"{seat}.{self._habits.held}"
        if seat is not None:
            self._piles[hand][:0] = [replace(card.unseen(), up=False) for card in gone.cards]
        if self._habits.held == "held":
            count = len(gone.cards)
            return [moves.taken(gone.t_ns, gone.u_ns, gone.zone, count, gone.actor, 0.8)]
        if seat is None:
            return []
        return [
            moves.hidden(gone.t_ns, gone.u_ns, card.card, gone.zone, hand, gone.actor)
            for card in gone.cards[::-1]
        ]

    def _lifted(self, gone: Gone) -> Event:
        card = gone.cards[0]
        return CardLifted(
            n=0,
            t_ns=gone.t_ns,
            actor=gone.actor,
            u_ns=gone.u_ns,
            source="camera",
            conf=0.8,
            card=Card(card.face, card.deck),
            zone=gone.zone,
        )
