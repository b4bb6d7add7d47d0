"""What is seen of each pile at one moment, to be compared with what was told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import product
from math import cos, radians, sin

from referee.table.evidence import Now
from referee.table.going_home import EMPTY_NS
from referee.table.gone import Gone
from referee.table.moves import ONE_MOVE_NS
from referee.table.ordering import Pending
from referee.table.piles import Lying, Piles
from referee.table.spots import OFF, Zones
from referee.values.spots import BACK, NOT_READ, Spot

# What is read less surely counts as not read; a back, which has nothing to be read, is told from
# all faces at once.
SURE_CONF, SURE_BACK_CONF = 0.97, 0.75
# Fingertips that rest on a card by its edge are so far from its middle at most, across and along.
CORNER_MM = (25.0, 38.0)
# What came earlier was judged long ago: whether a hand is on it is asked no more.
LATELY_NS = 4_000_000_000


@dataclass(frozen=True, slots=True)
class Shown:
    """The cards that are seen in each zone now, as they are read: a face, `BACK` or `??`.

    `unclear` are the zones of which nothing can be said now: a hand hides them, or something in
    them is not understood yet; `pending` tells since when that is so. `bare` are those that all
    cards left, and that are seen to be empty. Of those with a top card that came lately, `held` are
    those with a hand on it or at a corner of it, and where it was not looked at since something
    moved there; both its indices were seen last at `whole_ns`.
    """

    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unclear: frozenset[str] = frozenset()
    pending: Mapping[str, int] = field(default_factory=dict)
    bare: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    whole_ns: Mapping[str, int] = field(default_factory=dict)


def shown(
    now: Now,
    piles: Piles,
    zones: Zones,
    gone: Sequence[Gone],
    pending: Iterable[Pending],
    stale: Set[int],
    ghosts: Set[int],
    is_cascade: Callable[[str], bool],
) -> Shown:
    """Return what is seen now.

    `gone` are the cards in the air, `pending` is what happened and is not told yet, `stale` the
    spots of cards that were told to have gone and are still seen, `ghosts` those of no card at all.
    """
    live = {spot.id: spot for spot in now.spots if spot.id not in ghosts}
    seen: dict[str, list[str]] = {}
    since_ns: dict[str, int] = {}
    for open_one in pending:
        since_ns[open_one.zone] = min(open_one.t_ns, since_ns.get(open_one.zone, open_one.t_ns))
    unclear = {*since_ns, *(one.zone for one in gone if one.touched)}
    for one in gone:
        if not one.touched:
            # Nobody was there: they lie as they lay, and are not read for a while.
            seen.setdefault(one.zone, []).extend(c.face if c.up else BACK for c in one.cards)
    for zone, index, card in piles.each():
        if is_cascade(zone) and _is_just_covered(piles[zone], index):
            seen.setdefault(zone, []).append(card.face)
        spot = live.pop(card.spot, None) if card.spot is not None else None
        if spot is not None and zone != OFF:
            astray = index == len(piles[zone]) - 1 and zones.may_lie_elsewhere(spot, zone, piles)
            seen.setdefault(zone, []).append(NOT_READ if astray else _label(card, spot))
            if now.covered(spot.at_mm):
                unclear.add(zone)
    unclear.update(_hidden(now, piles))
    empty = frozenset(zones.names()) - {*piles.zones()}
    empty -= {one.zone for one in gone if now.t_ns - one.clear_ns <= EMPTY_NS}
    for spot in live.values():
        zone = zones.name_at(spot.at_mm, piles)
        empty -= {zone}
        if spot.id in stale and not now.covered(spot.at_mm):
            seen.setdefault(zone, []).append(spot.label)
        else:
            # What lies there and is not explained yet may be the better half of a story.
            unclear.add(zone)
    tops = {zone: piles[zone][-1] for zone in piles.zones()}
    lately = {zone: top for zone, top in tops.items() if now.t_ns - top.since_ns < LATELY_NS}
    spots = {spot.id: spot for spot in now.spots}
    shows = {zone: spots[top.spot] for zone, top in lately.items() if top.spot in spots}
    held = {zone for zone, top in lately.items() if _is_held(now, top)}
    return Shown(
        labels={zone: tuple(read) for zone, read in seen.items()},
        unclear=frozenset(unclear),
        pending=since_ns,
        bare=empty,
        held=frozenset(held | {zone for zone, spot in shows.items() if spot.missed}),
        whole_ns={zone: spot.whole_ns for zone, spot in shows.items()},
    )


def _is_held(now: Now, card: Lying) -> bool:
    """Whether a hand is over the middle or a corner of a card, or was and it was not seen since."""
    turn = radians(card.angle_deg)
    (across, along), (x, y) = CORNER_MM, card.at_mm
    corners = (
        (x + a * cos(turn) + b * sin(turn), y - a * sin(turn) + b * cos(turn))
        for a, b in product((-across, across), (-along, along))
    )
    if any(map(now.covered, (card.at_mm, *corners))):
        return True
    return not now.shown(card.at_mm, card.angle_deg)


def _label(card: Lying, spot: Spot) -> str:
    """Return as what a card is seen: not read while that is in doubt, or as its neighbour."""
    sure_conf = SURE_CONF if spot.up else SURE_BACK_CONF
    other = spot.named and card.up and spot.label != card.face
    return NOT_READ if other or spot.conf < sure_conf else spot.label


def _is_just_covered(pile: Sequence[Lying], index: int) -> bool:
    """Whether a card lay there, read, when the one on top of it had come, which hides its index."""
    card, upper = pile[index], pile[index + 1 :]
    if len(upper) != 1 or card.spot is not None or upper[0].spot is None or not card.named:
        return False
    return card.lost_ns >= upper[0].since_ns - ONE_MOVE_NS


def _hidden(now: Now, piles: Piles) -> Iterator[str]:
    """Yield the zones in which no card is seen, and a hand hides the place of the top one."""
    for zone in piles.zones():
        top = piles[zone][-1]
        if top.spot is None and now.covered(top.at_mm):
            yield zone
