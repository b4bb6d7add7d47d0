"""The table as it is first seen, already laid out: what lies where, and how high the piles are."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from math import dist

from referee.table.habits import Habits, habits_of, is_in_hands, owner_of
from referee.table.layout import is_for_hands
from referee.table.piles import NEVER_NS, Lying, Piles, laid, unknown
from referee.table.spots import COVERS_MM, OFF, Zones
from referee.table.strips import with_strips
from referee.values import Laid, Placement, PointMm, TablePlan
from referee.values.spots import NOT_READ, Spot

Shown = Callable[[PointMm, float], bool]
"""Whether what lies at a card's place was seen, free of hands."""

# An index taken for one of the card's other side puts its middle 53 mm off.
TWIN_MM = 58.0
# Cards that lie side by side are 50 mm and more apart, and up to 10 mm askew; nearer ones cover.
UPON_MM = 30.0


def lay_out(
    spots: Iterable[Spot],
    known: tuple[Placement, ...],
    plan: TablePlan,
    zones: Zones,
    piles: Piles,
    shown: Shown,
) -> frozenset[str]:
    """Put what is seen into its piles, over what is `known` or usual below it.

    A hand may rest over a pile: it lies there all the same where it was told to, or where only it
    is missing of a fresh deal. Returns the zones of which it is neither seen nor told which of two
    open cards lies on top.
    """
    habits, players = habits_of(plan), len(plan.seats)
    by_zone: dict[str, list[Spot]] = {}
    for spot in _once(spots):
        name = zones.name_at(spot.at_mm, piles)
        by_zone.setdefault(name, []).append(spot)
        # Piles without fixed bounds are found by their cards.
        piles[name].append(laid(spot, habits.deck_of(name, players)))
    hidden = _hidden(plan, shown, by_zone)
    usual = habits.usual_heights(players, tuple(by_zone), hidden)
    usual |= habits.whole_decks(players, tuple(by_zone))
    told = {placement.zone: placement.cards for placement in known}
    unordered = set()
    for name, ones in by_zone.items():
        ordered = zones.in_order(name, ones)
        if not told.get(name) and _is_unordered(ordered, zones, name):
            unordered.add(name)
        cards = [laid(one, habits.deck_of(name, players)) for one in ordered]
        if not told.get(name):
            cards = with_strips(name, ordered, cards, habits, zones)
            if habits.lies_open(name) and zones.step_mm(name) > 0.0:
                piles.found.add(name)
        pile = piles[name]
        pile[:] = [replace(card, told=card.face) for card in cards]
        if told.get(name):
            pile[:] = _as_told(pile, told[name])
        elif name in usual:
            pile[:0] = [unknown(pile[0])] * (usual[name] - len(pile))
            piles.presumed.add(name)
        elif not habits.is_single(name):
            piles.deep.add(name)
    for name in (name for name in (*told, *usual) if name not in by_zone):
        back = _unseen_back(name, zones, habits.deck_of(name, players))
        if is_in_hands(name):
            piles[name][:] = [back] * len(told[name])
        elif name in told:
            piles[name][:] = [_told(back, one, seen=False) for one in told[name]]
        elif not habits.is_first_turned(name):
            # Whether such a pile shows a back or a card that was turned up is not told.
            piles[name][:] = [back] * usual[name]
            piles.presumed.add(name)
    if not known:
        _take_up(habits, plan, zones, piles, hidden)
    return frozenset(unordered)


def _take_up(
    habits: Habits, plan: TablePlan, zones: Zones, piles: Piles, hidden: Container[str]
) -> None:
    """Let who has nothing before him hold all his cards, once cards are played.

    Only in games in which he lays out what he took up; nobody counts that. A hand that comes hides
    some of his places: where most of his columns are seen to be bare none lies there.
    """
    if not any(habits.is_played(name) for name in piles.zones()):
        return
    for seat in (place.seat for place in plan.seats):
        mine = [zone.name for zone in plan.zones if owner_of(zone.name) == seat]
        columns = [name for name in mine if habits.is_column(name)]
        bare = [name for name in columns if name not in hidden]
        if not any(piles[name] for name in mine) and 2 * len(bare) > len(columns):
            hand = f"{seat}.{habits.held}"
            piles[hand][:] = [_unseen_back(hand, zones, habits.deck_of(hand, len(plan.seats)))]
            piles.deep.add(hand)


def _hidden(plan: TablePlan, shown: Shown, seen: Container[str]) -> frozenset[str]:
    """Return the zones in which no card is seen and which were not seen free of hands."""
    bare = (zone for zone in plan.zones if zone.name not in seen)
    return frozenset(one.name for one in bare if not shown(one.center_mm, one.angle_deg))


def seen_bare(plan: TablePlan, shown: Shown, taken: Container[str]) -> frozenset[str]:
    """Return the card zones that were seen free of hands and in which nothing lies.

    `taken` are those in which something does. Where one of several like places is hidden, nothing
    is told of the others either: who lists some of them says that no more of them hold cards. Nor
    is it of places for backs: those are overlooked more easily than faces.
    """
    hidden = {_kind(name) for name in _hidden(plan, shown, taken)}
    habits = habits_of(plan)
    names = (zone.name for zone in plan.zones if not is_for_hands(plan, zone))
    lie_open = (name for name in names if not habits.is_of_backs(name))
    return frozenset(name for name in lie_open if name not in taken and _kind(name) not in hidden)


def _kind(zone: str) -> str:
    """Return what like places have in common: `A.work` of `A.work.2`, `play` of `play.B`."""
    several, _, which = zone.rpartition(".")
    return several if several and (which.isdigit() or owner_of(zone) is None) else zone


def _unseen_back(name: str, zones: Zones, deck: str | None) -> Lying:
    """Return a card that lies face down where no spot shows it, or in a hand."""
    at_mm = (0.0, 0.0) if is_in_hands(name) else zones.first_mm(name)
    return Lying(NOT_READ, deck, False, at_mm, 0.0, None, NEVER_NS)


def misread(spots: Iterable[Spot], plan: TablePlan) -> frozenset[int]:
    """Return the spots that show part of a card as another one: where all play from one deck.

    That has each face but once, and it is read elsewhere as well, where nothing else lies.
    """
    if not habits_of(plan).shares_one_deck:
        return frozenset()
    named = [spot for spot in spots if spot.up and spot.named]
    upon = [
        one
        for one in named
        if any(one.label != o.label and dist(one.at_mm, o.at_mm) < UPON_MM for o in named)
    ]
    alone = {spot.label for spot in named if spot not in upon}
    return frozenset(spot.id for spot in upon if spot.label in alone)


def _is_unordered(spots: list[Spot], zones: Zones, name: str) -> bool:
    """Whether nothing tells which of the two topmost cards of an untidy pile lies on the other."""
    if len(spots) < 2:
        return False
    lower, upper = spots[-2:]
    near = dist(lower.at_mm, upper.at_mm) < COVERS_MM
    same = zones.along_mm(name, lower.at_mm) == zones.along_mm(name, upper.at_mm)
    return lower.up and upper.up and near and same and lower.indices == upper.indices


def _once(spots: Iterable[Spot]) -> list[Spot]:
    """Return the cards without those that are read a second time beside themselves."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda one: -one.conf):
        twins = (one for one in kept if spot.named and one.label == spot.label)
        if all(dist(one.at_mm, spot.at_mm) > TWIN_MM for one in twins):
            kept.append(spot)
    return sorted(kept, key=lambda one: one.id)


def _as_told(seen: list[Lying], told: tuple[Laid, ...]) -> list[Lying]:
    """Return a pile as it was told, with the cards that are seen at their places in it.

    What is seen otherwise than told lies on top of what was told below it.
    """
    like = seen[0]
    places = _places(seen, told)
    if places is None:
        places = {len(told) - len(seen) + k: card for k, card in enumerate(seen)}
    pile = []
    for k in range(min(places, default=0), 0):
        pile.append(places[k])
    for k, one in enumerate(told):
        like = places.get(k, like)
        pile.append(_told(like, one, seen=k in places))
    return pile


def _places(seen: list[Lying], told: tuple[Laid, ...]) -> dict[int, Lying] | None:
    """Return which of the cards told of each seen one is, the highest; None if one fits none."""
    places: dict[int, Lying] = {}
    above = len(told)
    for card in reversed(seen):
        fits = (k for k in range(above - 1, -1, -1) if _fits(card, told[k]))
        place = next(fits, None)
        if place is None:
            return None
        places[place], above = card, place
    return places


def _fits(card: Lying, told: Laid) -> bool:
    same = not card.named or card.face == told.card.seen().face
    return card.up == told.up and (not card.up or same)


def _told(like: Lying, one: Laid, *, seen: bool) -> Lying:
    """Return a card as it was told, or as it is seen where it was told to lie."""
    deck, face = one.card.deck or like.deck, one.card.seen().face if one.up else NOT_READ
    if not seen:
        return replace(unknown(like, one.up), face=face, deck=deck)
    known = like.face if like.named else face
    return replace(like, deck=deck, face=known, told=known)


def placements(piles: Piles) -> tuple[Placement, ...]:
    """Return what lies where, as far as it is known."""
    return tuple(
        Placement(name, tuple(Laid(card.card, card.up) for card in piles[name]))
        for name in sorted(piles.zones())
        if name != OFF and not is_in_hands(name)
    )
