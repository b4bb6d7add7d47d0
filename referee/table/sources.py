"""Where a card that came to rest came from: what left, what is covered, what shows only backs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Protocol

from referee.table.air import Gone
from referee.table.habits import Habits, Source, is_in_hands, owner_of
from referee.table.piles import Lying, Piles
from referee.values import Actor, PointMm, TablePlan
from referee.values.events import NOBODY
from referee.values.spots import BACK, Spot

# A hand that brings a card was at its origin so long ago at most.
CARRY_NS = 4_000_000_000


class Now(Protocol):
    """What is known of the moment: its time, and when zones last stirred."""

    @property
    def t_ns(self) -> int:
        """The time of the look."""

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The believed cards."""

    @property
    def stirred_ns(self) -> Callable[[str], int]:
        """When something last moved over a zone."""

    @property
    def covered(self) -> Callable[[PointMm], bool]:
        """Whether a hand hides a place now."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a card came from.

    `gone` is the block in the air that it is part of, `index` its place there or in the pile of
    `origin`, -1 for a card that nobody knew. `pos` counts from the top. `whole`: the whole block
    came to lie there. `hidden`: the `block` top cards of a pile of backs. `gather`: more cards
    may belong to the same move. `guessed`: nothing speaks for it.
    """

    origin: str
    index: int = -1
    pos: int = 0
    conf: float = 1.0
    gone: Gone | None = None
    whole: bool = False
    hidden: bool = False
    gather: bool = False
    block: int = 1
    flip: bool = False
    lifted_ns: int | None = None
    guessed: bool = False


class Sources:
    """The places that cards may come from at one moment."""

    def __init__(
        self,
        plan: TablePlan,
        habits: Habits,
        piles: Piles,
        limbo: Sequence[Gone],
        now: Now,
    ) -> None:
        """Look at the table as it is known now."""
        self._plan, self._habits, self._piles = plan, habits, piles
        self._limbo, self._now = limbo, now
        self._live = {spot.id for spot in now.spots}

    def by_face(self, spot: Spot, zone: str) -> bool:
        """Whether a card of this face left a place, or is covered somewhere else."""
        return spot.named and self._named(spot, zone) is not None

    def find(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return where a card came from, None while that cannot be told yet."""
        if spot.label == BACK:
            return self._back(spot, zone) or self._hidden(spot, zone, actor)
        last = self._last_block(zone, actor)
        if last is not None:
            return last
        if spot.named:
            found = self._named(spot, zone, actor)
            if found is not None:
                return found
            if self._twin(spot, zone, actor) is not None:
                return None
        return self._hidden(spot, zone, actor)

    def guess(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the likeliest origin when waiting told no more.

        None for a card that is still seen elsewhere: each card is once in a deck, and what was
        seen first keeps its name. Where a hand hides that place, the card has left it.
        """
        twin = self._twin(spot, zone, actor) if spot.named else None
        if twin is not None:
            return twin if self._now.covered(self._piles[twin.origin][twin.index].at_mm) else None
        found = self._hidden(spot, zone, actor, stirred=False)
        return found or Found(self._nowhere(zone), conf=0.3, guessed=True)

    def stirred_source(self, zone: str, since_ns: int) -> bool:
        """Whether a pile of backs from which cards come to a zone stirred since then."""
        return any(self._stirred(s.origin, since_ns) for s in self._hidden_sources(zone, NOBODY))

    def _stirred(self, zone: str, since_ns: int) -> bool:
        return is_in_hands(zone) or self._now.stirred_ns(zone) > since_ns

    def places_of(self, spot: Spot, zone: str) -> tuple[str, ...]:
        """Return the zones in which a card of this face lies covered, or which it left."""
        if not spot.named:
            return ()
        gone = [
            one.zone
            for one in self._limbo
            if any(c.face == spot.label and self._may_come(c, zone) for c in one.cards)
        ]
        return (*gone, *(name for name, _, _ in self._unseen(spot, zone, NOBODY)))

    def _last_block(self, zone: str, actor: Actor) -> Found | None:
        """Return the last cards of a pile that is turned over block by block."""
        for source in self._hidden_sources(zone, actor):
            gone = next((one for one in self._limbo if one.zone == source.origin), None)
            if source.flip and gone is not None:
                return self._last_of(gone, source)
        return None

    def _named(self, spot: Spot, zone: str, actor: Actor = NOBODY) -> Found | None:
        """Return the card of this face that left its place, or lies covered."""
        # Of two players' cards of one face the actor's own is likelier.
        for gone in sorted(self._limbo, key=lambda one: (not _is_of(one, actor.seat), -one.t_ns)):
            for k, card in enumerate(gone.cards):
                if card.face == spot.label and self._may_come(card, zone):
                    pos = len(gone.cards) - 1 - k
                    more = len(gone.cards) > 1
                    return Found(gone.zone, k, pos, gone=gone, gather=more, lifted_ns=gone.t_ns)
        unseen = self._unseen(spot, zone, actor)
        if not unseen:
            return None
        name, k, _ = max(unseen, key=lambda one: self._last_stir(one[0]))
        pos = len(self._piles[name]) - 1 - k
        return Found(name, k, pos, conf=0.95 if pos == 0 else 0.6, gather=True)

    def _unseen(self, spot: Spot, zone: str, actor: Actor) -> list[tuple[str, int, Lying]]:
        """Return the covered cards of this face that a hand can have got at."""
        return [
            (name, k, card)
            for name, k, card in self._piles.of_face(spot.label)
            if (card.spot is None or card.spot not in self._live)
            and (card.up or name == zone or self._holds(name, actor))
            and self._may_come(card, zone)
            and self._stirred(name, spot.still_ns - CARRY_NS)
        ]

    def _holds(self, zone: str, actor: Actor) -> bool:
        """Whether a zone is the actor's hand."""
        return is_in_hands(zone) and actor.seat is not None and owner_of(zone) == actor.seat

    def _may_come(self, card: Lying, zone: str) -> bool:
        """Whether a card's deck does not speak against the zone: others' zones are seldom used."""
        owner = owner_of(zone)
        return card.deck is None or owner is None or card.deck == owner

    def _last_stir(self, zone: str) -> int:
        return 0 if is_in_hands(zone) else self._now.stirred_ns(zone)

    def _twin(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return where the very card that a spot shows is believed to lie open."""
        owner = owner_of(zone) or actor.seat
        for name, k, card in self._piles.of_face(spot.label):
            live = card.spot is not None and card.spot in self._live
            if live and card.deck in (None, owner):
                return Found(name, k, len(self._piles[name]) - 1 - k, conf=0.7)
        return None

    def _back(self, spot: Spot, zone: str) -> Found | None:
        """Return the block in the air that came to lie face down."""
        for gone in sorted(self._limbo, key=lambda one: -one.t_ns):
            home = self._habits.returns_to(gone.zone, gone.actor.seat)
            flip = gone.cards[-1].up
            if not flip or home in (zone, None):
                return Found(
                    gone.zone,
                    len(gone.cards) - 1,
                    gone=gone,
                    whole=True,
                    block=len(gone.cards),
                    flip=flip and (home == zone or len(gone.cards) > 1),
                    lifted_ns=gone.t_ns,
                )
        return None

    def _hidden(self, spot: Spot, zone: str, actor: Actor, stirred: bool = True) -> Found | None:
        """Return the pile of backs, or the hand, that an unknown card came from."""
        since_ns = spot.still_ns - CARRY_NS
        sources = [
            source
            for source in self._hidden_sources(zone, actor)
            if source.origin != zone and (not stirred or self._stirred(source.origin, since_ns))
        ]
        if not sources:
            return None
        source = max(sources, key=lambda one: self._likely(one.origin, since_ns))
        gone = next((gone for gone in self._limbo if gone.zone == source.origin), None)
        if gone is not None:
            return self._last_of(gone, source)
        if source.flip:
            return self._flipped(spot, source)
        block = source.block or max(1, len(self._piles[source.origin]))
        return Found(source.origin, conf=0.9 if block == 1 else 0.5, hidden=True, block=block)

    def _likely(self, zone: str, since_ns: int) -> tuple[bool, bool, bool, bool, int]:
        """Rank a source: a back that left, a pile that stirred, a hand with cards, any other."""
        on_table = not is_in_hands(zone)
        left = any(gone.zone == zone for gone in self._limbo)
        stirred = on_table and self._stirred(zone, since_ns)
        return left, stirred, bool(self._piles[zone]), on_table, self._last_stir(zone)

    def _flipped(self, spot: Spot, source: Source) -> Found:
        """Return the top cards of a pile of backs, turned over as one block."""
        down = [card for card in self._piles[source.origin] if not card.up]
        deep = source.origin in self._piles.deep or not down
        count = source.block if deep else min(source.block, len(down))
        # In a pile that was turned over before every card is known: the new top tells the count.
        shown = next((k for k, card in enumerate(down[::-1], 1) if card.face == spot.label), 0)
        block = min(shown, source.block) or count
        return Found(source.origin, conf=0.9, gather=True, block=block, flip=True, hidden=True)

    def _last_of(self, gone: Gone, source: Source) -> Found:
        """Return the last cards of a pile, which left nothing to be seen there."""
        count = len(gone.cards)
        if source.block and gone.zone in self._piles.deep:
            count = source.block
        elif source.block:
            count = min(source.block, count)
        return Found(
            gone.zone,
            len(gone.cards) - 1,
            gone=gone,
            whole=True,
            gather=source.flip,
            block=count,
            flip=source.flip,
            lifted_ns=gone.t_ns,
        )

    def _hidden_sources(self, zone: str, actor: Actor) -> list[Source]:
        """Return the hidden sources of a zone by the game's habits that may hold cards."""
        found = []
        for source in self._habits.sources(zone):
            for seat in self._plan.seats:
                one = replace(source, origin=source.origin.replace("?", seat.seat))
                others_hand = is_in_hands(one.origin) and actor.seat not in (
                    None,
                    owner_of(one.origin),
                )
                if not others_hand and self._may_hold(one.origin) and one not in found:
                    found.append(one)
        return found

    def _may_hold(self, zone: str) -> bool:
        pile = self._piles[zone]
        gone = any(one.zone == zone for one in self._limbo)
        return is_in_hands(zone) or gone or any(not card.up for card in pile)

    def _nowhere(self, zone: str) -> str:
        """Return the hand that an unexplained card is said to come from."""
        owner = owner_of(zone)
        for source in self._habits.sources(zone):
            if fnmatchcase(source.origin, "*.held"):
                return source.origin
        return f"{owner}.{self._habits.held or 'held'}" if owner else "off"


def _is_of(gone: Gone, seat: str | None) -> bool:
    """Whether cards in the air are of a seat: it took them, or they are of its deck."""
    return seat is not None and seat in (gone.actor.seat, gone.cards[-1].deck)
