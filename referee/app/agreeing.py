"""Whether what the judge believes of a pile is what is seen there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any

from referee.rulebook import State, Table, lay
from referee.rulebook.piles import Lying
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.shown import Shown
from referee.values import Card, Event, card_zones
from referee.values.spots import BACK, NOT_READ

JOKER = "JOKER"


def after(table: Table, events: Iterable[Event]) -> Table:
    """Return the judge's table after what was told, and is not judged yet."""
    for event in events:
        if card_zones(event):
            table = lay(table, event).table
    return table


def agrees(table: Table, zone: str, shown: Shown, habits: Habits) -> bool | None:
    """Whether a zone lies as it is seen; None where that cannot be told now.

    Every card that is seen must be known to lie there, and the top card must be seen; of a row,
    and on a place for one card, every card. Cards that are not read fit all that lie face up.
    """
    if zone in shown.unclear or is_in_hands(zone):
        return None
    seen, pile = shown.labels.get(zone, ()), table.pile(zone)
    if not pile:
        return not seen or _may_have_lain_below(table, zone, seen)
    if not seen:
        return None
    lying = [label_of(table, one) for one in pile]
    fits = {*lying, NOT_READ} | (set() if table.knows(zone) else {BACK})
    if NOT_READ not in lying and any(label not in fits for label in seen):
        return False
    if lying[-1] not in seen:
        return False if _shows_another(lying, seen) else None
    if (habits.is_row(zone) or habits.is_for_one(zone)) and len(seen) != len(lying):
        return None
    return None if NOT_READ in seen else True


def lies_on_top(table: Table, zone: str, shown: Shown, habits: Habits) -> bool:
    """Whether a pile's top card is seen to be its top card.

    Of a squared pile that shows several cards it is not seen which of them lies on top.
    """
    spread = habits.is_row(zone) or habits.is_single(zone) or habits.is_column(zone)
    if not spread and len(shown.labels.get(zone, ())) > 1:
        return False
    return agrees(table, zone, shown, habits) is True


def differs(table: Table, zones: Iterable[str], shown: Shown, habits: Habits) -> bool:
    """Whether other cards than the judge believes are seen in one of these zones."""
    return any(agrees(table, zone, shown, habits) is False for zone in zones)


def shows(table: Table, zone: str, met: Lying, shown: Shown, habits: Habits) -> bool:
    """Whether a card that was laid on is seen, where every card of a zone shows.

    Where a hand hides the zone, or the card was taken since, nothing speaks against it.
    """
    hidden = zone in shown.unclear or met not in table.pile(zone)
    if hidden or not habits.is_single(zone) or not met.up:
        return True
    seen = shown.labels.get(zone, ())
    return _label(table.face(met.token)) in seen or NOT_READ in seen


def vouched(table: Table, zones: Set[str], shown: Shown, habits: Habits) -> bool | None:
    """Whether all of these zones lie as they are seen; None where that cannot be told now."""
    told = [
        _was_bared(table, zone, shown, habits) or agrees(table, zone, shown, habits)
        for zone in zones
        if not is_in_hands(zone)
    ]
    if False in told:
        return False
    return None if None in told else True


def _was_bared(table: Table, zone: str, shown: Shown, habits: Habits) -> bool:
    """Whether one open card shows on a waste of which nobody told what its top card is.

    Of several that were turned at once the last one alone shows, until it is played.
    """
    pile, seen = table.pile(zone), shown.labels.get(zone, ())
    unread = bool(pile) and pile[-1].up and not table.face(pile[-1].token).known
    shows = len(seen) == 1 and seen[0] != BACK and zone not in shown.unclear
    return habits.is_drawn_onto(zone) and unread and shows


def _may_have_lain_below(table: Table, zone: str, seen: tuple[str, ...]) -> bool | None:
    """Whether what is seen lay below the last known card of a pile that nobody counted."""
    if zone not in table.piles or table.knows(zone):
        return False
    return True if set(seen) == {BACK} else None


def label_of(table: Table, lying: Lying) -> str:
    """Return as what a card is read that lies so: a face, `BACK` or `??`."""
    return _label(table.face(lying.token)) if lying.up else BACK


def _label(card: Card) -> str:
    return JOKER if card.is_joker else card.face


def _shows_another(lying: list[str], seen: tuple[str, ...]) -> bool:
    """Whether the only card that is seen is one that lies below the top one."""
    return len(seen) == 1 and seen[0] != NOT_READ and NOT_READ not in lying[-1:]


def unsure_tops(state: State[Any]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the zones with a card on top that lies there unsurely: the event's number, the card."""
    came = {
        zone: (one.n, one.tokens[-1])
        for zone, one in state.arrivals.items()
        if one.n in state.unsure
    }
    if not came and not state.unsurely:
        return
    for zone, pile in state.table.piles.items():
        token = pile[-1].token if pile and pile[-1].up else None
        if token is None or not state.table.face(token).known:
            continue
        if token in state.unsurely:
            yield zone, (state.unsurely[token], token)
        elif zone in came and came[zone][1] == token:
            yield zone, came[zone]


def common(table: Table, shown: Shown) -> tuple[str, ...]:
    """Return the zones that are nobody's own, also those in which nothing is known to lie."""
    zones = {*table.piles, *shown.labels, *shown.pending, *shown.unclear}
    return tuple(sorted(zone for zone in zones if owner_of(zone) is None))
