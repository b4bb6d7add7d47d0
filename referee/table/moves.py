"""What is told of a move once it is understood: the events of the vocabulary, with their times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot

from referee.table.found import LIKELY
from referee.table.habits import Source
from referee.table.piles import Lying
from referee.values import (
    Actor,
    Card,
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    PileMoved,
    PileTaken,
    PointMm,
    Reread,
)
from referee.values.events import NOBODY
from referee.values.spots import NOT_READ, Spot

# What lay in one frame and not in the one before came to rest between them; no camera tells better
# than that.
LEAST_U_NS = 10_000_000
# Nobody holds a card in its place so long. Where its way was not seen, it came when it was first
# seen rather than when something last moved there.
UNMEASURED_NS = 1_000_000_000
# Seen from above, a card that is turned over looks flat before it lies: on its last part it is
# hardly shortened. By some hands it lies 20 ms before that is seen, by others as much later: so
# much it is told later, known to so much (the middle of five makers of films).
FLAT_NS, FLAT_U_NS = 5_000_000, 30_000_000
# One that is turned in place, not laid elsewhere, goes on turning for up to 60 ms after it looks
# flat: hands of a sixth maker let it down so, of five others hardly one did.
DOWN_NS, DOWN_U_NS = 20_000_000, 55_000_000
# A pile's height is presumed to be what the deal asks for.
COUNTED_CONF = 0.6
# What a hand hid is told from what it led to.
BETWEEN_CONF, BETWEEN_U_NS = 0.9, 300_000_000
# Two cards of one block come to rest together; two plays of one hand take longer.
ONE_MOVE_NS = 120_000_000

ActorAt = Callable[[int, int, PointMm], Actor]
"""Who was at a place in an interval."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A card that came to rest in `target`, and where it is believed to have come from.

    `pos` is its index from the top at its origin. `block`: so many cards come at once from there,
    of which this may be the only one that is seen. `flip`: they were turned over. `may_be`: it is
    not yet known whether it came alone or as the top one of so many. `gather`: more may have come
    with it; `parted`: others that left with it lay nowhere yet. `origin_mm` is where it lay, of a
    card that came from a cascade. `timed` is the spot as the hand tells its time.
    """

    spot: Spot
    timed: Spot
    card: Lying
    origin: str
    target: str
    pos: int
    actor: Actor
    conf: float
    due_ns: int
    lifted_ns: int | None = None
    block: int = 1
    flip: bool = False
    under: bool = False
    may_be: int = 1
    gather: bool = False
    parted: bool = False
    origin_mm: PointMm | None = None

    @property
    def t_ns(self) -> int:
        """When it came to rest."""
        if self._is_older():
            assert self.lifted_ns is not None
            return self.lifted_ns + BETWEEN_U_NS
        return flat_ns(self.timed) if self.flip else at_rest_ns(self.timed)

    def _is_older(self) -> bool:
        """Whether the spot was there before: a back laid where another one had lain."""
        if self.spot.up or self.lifted_ns is None:
            return False
        return self.spot.still_ns < self.lifted_ns - BETWEEN_U_NS

    @property
    def u_ns(self) -> int:
        """Half the interval that holds that time."""
        if self._is_older():
            return BETWEEN_U_NS
        return flat_to_ns(self.timed) if self.flip else known_to_ns(self.timed)

    def belongs_to(self, other: Arrival) -> bool:
        """Whether two arrivals are one block that moved: they came together, or left together.

        Of each turn one card shows: two that were seen to be turned over are two turns.
        """
        same = self.lifted_ns is not None and self.lifted_ns == other.lifted_ns
        left_together = same and self.origin_mm is not None
        near = abs(self.spot.still_ns - other.spot.still_ns) <= ONE_MOVE_NS
        came_together = near and (not self.flip or self.spot.id == other.spot.id)
        return (
            (self.origin, self.target, self.flip) == (other.origin, other.target, other.flip)
            and (came_together or left_together)
            and self.actor.seat == other.actor.seat
        )


def at_rest_ns(spot: Spot) -> int:
    """Return when a card came to rest."""
    if spot.still_ns - spot.moving_ns > UNMEASURED_NS:
        return spot.still_ns - LEAST_U_NS
    return (spot.moving_ns + spot.still_ns) // 2


def known_to_ns(spot: Spot) -> int:
    """Return half the interval that holds the time at which a card came to rest."""
    return max(at_rest_ns(spot) - spot.moving_ns + 1, LEAST_U_NS)


def flat_ns(spot: Spot) -> int:
    """Return when a card that was turned over lay flat."""
    return at_rest_ns(spot) + FLAT_NS


def flat_to_ns(spot: Spot) -> int:
    """Return half the interval that holds the time at which a card that was turned over lay."""
    return round(hypot(known_to_ns(spot), FLAT_U_NS))


def told(group: list[Arrival], *, in_order: bool = True) -> Event:
    """Return the event of arrivals that are one move; from the lowest to the highest card.

    Faces are told of cards that were turned over, if they are known to lie `in_order`.
    """
    last = max(group, key=lambda one: one.t_ns)
    count = max(len(group), group[0].block)
    if count == 1 and not group[0].flip:
        return _placed(group[0])
    cards = tuple(one.card.card for one in group if one.card.up and one.card.named)
    return PileMoved(
        n=0,
        t_ns=last.t_ns,
        actor=last.actor,
        u_ns=last.u_ns,
        source="camera",
        conf=min(one.conf for one in group),
        origin=last.origin,
        target=last.target,
        count=count,
        flip=last.flip,
        under=last.under,
        cards=cards if last.flip and in_order else (),
    )


def _placed(one: Arrival) -> Event:
    return CardPlaced(
        n=0,
        t_ns=one.t_ns,
        actor=one.actor,
        u_ns=one.u_ns,
        source="camera",
        conf=one.conf,
        card=one.card.card,
        origin=one.origin,
        target=one.target,
        up=one.card.up,
        under=one.under,
        pos=one.pos or None,
        carry_ns=_carried_from_ns(one),
    )


def _carried_from_ns(one: Arrival) -> int | None:
    """Return when a card was picked up: not when its place was seen bare after it lay already."""
    lifted_ns = one.lifted_ns
    return None if lifted_ns is None or lifted_ns >= one.t_ns else lifted_ns


def turned(spot: Spot, card: Lying, zone: str, actor: Actor, pos: int, conf: float = 1.0) -> Event:
    """Return the event of a card that was turned in place, as sure as `conf` at most."""
    return CardTurned(
        n=0,
        t_ns=at_rest_ns(spot) + DOWN_NS,
        actor=actor,
        u_ns=round(hypot(known_to_ns(spot), DOWN_U_NS)),
        source="camera",
        conf=min(spot.conf, conf),
        card=card.card,
        zone=zone,
        up=card.up,
        pos=pos or None,
    )


def turned_before(t_ns: int, u_ns: int, card: Card, zone: str, actor: Actor) -> Event:
    """Return the event of a card that must have been turned up before it was carried away."""
    return CardTurned(
        n=0,
        t_ns=t_ns,
        actor=actor,
        u_ns=u_ns,
        source="camera",
        conf=BETWEEN_CONF,
        card=card,
        zone=zone,
        up=True,
    )


def drawn_before(t_ns: int, source: Source, card: Card, actor: Actor) -> Event:
    """Return the event of cards that must have been turned over before one of them was played."""
    if not source.flip:
        return unseen(t_ns, BETWEEN_U_NS, card, source.origin, source.target, actor, BETWEEN_CONF)
    return PileMoved(
        n=0,
        t_ns=t_ns,
        u_ns=BETWEEN_U_NS,
        source="camera",
        conf=BETWEEN_CONF,
        actor=actor,
        origin=source.origin,
        target=source.target,
        count=source.block,
        flip=True,
    )


def reread(t_ns: int, zone: str, old: str, new: Card, pos: int, conf: float) -> Event:
    """Return the event of a face that is known better now."""
    return Reread(
        n=0,
        t_ns=t_ns,
        source="camera",
        conf=conf,
        zone=zone,
        old=Card(old, new.deck),
        new=new,
        pos=pos,
    )


def taken(t_ns: int, u_ns: int, zone: str, count: int, actor: Actor, conf: float) -> Event:
    """Return the event of a block that went into a hand."""
    return PileTaken(
        n=0,
        t_ns=t_ns,
        u_ns=u_ns,
        source="camera",
        conf=conf,
        actor=actor,
        zone=zone,
        count=count,
    )


def unseen(
    t_ns: int,
    u_ns: int,
    card: Card,
    origin: str,
    target: str,
    actor: Actor,
    conf: float,
    *,
    up: bool = True,
    pos: int | None = None,
    under: bool = False,
) -> Event:
    """Return the event of a card that was not seen to lie where it went: covered, or in a hand."""
    return CardPlaced(
        n=0,
        t_ns=t_ns,
        u_ns=u_ns,
        source="camera",
        conf=conf,
        actor=actor,
        card=card,
        origin=origin,
        target=target,
        up=up,
        under=under,
        pos=pos,
    )


def dealt(spot: Spot, zone: str, cards: tuple[Card, ...], actor: Actor) -> Event:
    """Return the event of cards that appeared in a zone during the deal, bottom to top."""
    conf = spot.conf if len(cards) == 1 else min(spot.conf, COUNTED_CONF)
    return _dealt(at_rest_ns(spot), known_to_ns(spot), zone, cards, actor, conf)


def dealt_unseen(t0_ns: int, t1_ns: int, zone: str, cards: tuple[Card, ...], actor: Actor) -> Event:
    """Return the event of cards that were dealt between two times under a hand that stayed."""
    middle_ns, half_ns = (t0_ns + t1_ns) // 2, (t1_ns - t0_ns) // 2 + 1
    return _dealt(middle_ns, half_ns, zone, cards, actor, COUNTED_CONF)


def lay_there(
    t_ns: int, u_ns: int | None, zone: str, cards: tuple[Card, ...], actor: Actor = NOBODY
) -> Event:
    """Return the event of a deck that lay there at a time already."""
    return _dealt(t_ns, u_ns, zone, cards, actor, COUNTED_CONF)


def as_dealt(event: Event) -> Event:
    """Return a move off the deck that is dealt from as the deal that it is."""
    match event:
        case CardPlaced():
            cards: tuple[Card, ...] = (event.card if event.up else event.card.hide(),)
        case PileMoved():
            cards = (Card(NOT_READ).hide(),) * event.count
        case _:
            return event
    return _dealt(event.t_ns, event.u_ns, event.target, cards, event.actor, event.conf)


def into_hand(t_ns: int, u_ns: int, hand: str, count: int, actor: Actor) -> Event:
    """Return the event of cards dealt to a player who holds them: as many as the game asks for."""
    return _dealt(t_ns, u_ns, hand, (Card(NOT_READ).hide(),) * count, actor, COUNTED_CONF)


def _dealt(
    t_ns: int,
    u_ns: int | None,
    zone: str,
    cards: tuple[Card, ...],
    actor: Actor,
    conf: float | None,
) -> Event:
    return Dealt(
        n=0,
        t_ns=t_ns,
        u_ns=u_ns,
        source="camera",
        conf=conf,
        actor=actor,
        zone=zone,
        cards=cards,
    )


def turned_over(
    t_ns: int,
    u_ns: int,
    origin: str,
    target: str,
    count: int,
    actor: Actor,
    conf: float,
    *,
    under: bool = False,
) -> Event:
    """Return the event of a face-up block that was turned over onto, or under, a pile of backs."""
    block = carried(t_ns, u_ns, origin, target, count, actor, conf)
    return replace(block, flip=True, under=under)


def carried(
    t_ns: int, u_ns: int, origin: str, target: str, count: int, actor: Actor, conf: float
) -> PileMoved:
    """Return the event of a block that was laid down elsewhere as it lay."""
    return PileMoved(
        n=0,
        t_ns=t_ns,
        u_ns=u_ns,
        source="camera",
        conf=conf,
        actor=actor,
        origin=origin,
        target=target,
        count=count,
    )


def nobody(t0_ns: int, t1_ns: int, at_mm: PointMm) -> Actor:
    """Name nobody: for tables of which the hands are not watched."""
    return NOBODY


def doubted(event: Event) -> Event:
    """Return an event as no more than likely."""
    return replace(event, conf=min(LIKELY, 1.0 if event.conf is None else event.conf))
