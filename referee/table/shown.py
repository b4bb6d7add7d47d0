"""What is seen of each pile at one moment, to be compared with what was told of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from referee.table.air import Gone
from referee.table.evidence import Now
from referee.table.piles import Piles
from referee.table.spots import OFF, Zones
from referee.values.spots import BACK, NOT_READ

# What is read less surely counts as not read.
SURE_CONF = 0.97


@dataclass(frozen=True, slots=True)
class Shown:
    """The cards that are seen in each zone now, as they are read: a face, `BACK` or `??`.

    `unclear` are the zones of which nothing can be said now: a hand hides them, or something in
    them is not understood yet.
    """

    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unclear: frozenset[str] = frozenset()


def shown(
    now: Now,
    piles: Piles,
    zones: Zones,
    gone: Iterable[Gone],
    told_of: Iterable[str],
    stale: Set[int],
) -> Shown:
    """Return what is seen now.

    `gone` are the cards in the air, `told_of` the zones of events that are told later, `stale` the
    spots of cards that were told to have gone and are still seen.
    """
    live = {spot.id: spot for spot in now.spots}
    seen: dict[str, list[str]] = {}
    unclear = {*told_of, *(one.zone for one in gone if one.touched)}
    for one in gone:
        if not one.touched:
            # Nobody was there: they lie as they lay, and are not read for a while.
            seen.setdefault(one.zone, []).extend(c.face if c.up else BACK for c in one.cards)
    for zone, _, card in piles.each():
        spot = live.pop(card.spot, None) if card.spot is not None else None
        if spot is not None and zone != OFF:
            seen.setdefault(zone, []).append(spot.label if spot.conf >= SURE_CONF else NOT_READ)
            if now.covered(spot.at_mm):
                unclear.add(zone)
    unclear.update(_hidden(now, piles))
    for spot in live.values():
        zone = zones.name_at(spot.at_mm, piles)
        if spot.id in stale and not now.covered(spot.at_mm):
            seen.setdefault(zone, []).append(spot.label)
        else:
            # What lies there and is not explained yet may be the better half of a story.
            unclear.add(zone)
    return Shown({zone: tuple(labels) for zone, labels in seen.items()}, frozenset(unclear))


def _hidden(now: Now, piles: Piles) -> Iterator[str]:
    """Yield the zones in which no card is seen, and a hand hides the place of the top one."""
    for zone in piles.zones():
        top = piles[zone][-1]
        if top.spot is None and now.covered(top.at_mm):
            yield zone
