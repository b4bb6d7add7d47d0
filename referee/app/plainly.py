"""Acts that are plain by what showed before and after, though a camera is not sure of their way.

Where the cards came from they lay open; or their player breaks a rule from whichever of his piles
he took them, or by way of whichever. What a single one was laid on, or put under, was seen so
shortly before that nobody laid another between; what is laid aside lies on nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from referee.app.agreeing import label_of
from referee.app.glances import Glances
from referee.app.sitting import Sitting
from referee.rulebook import State, Table
from referee.rulebook.asking import VOUCHED
from referee.table.found import NOWHERE_ELSE, SHOWN, UPON, WHENCE
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.shown import Shown
from referee.values import Card, CardPlaced, Event, PileMoved, Reread, Ruling, card_zones
from referee.values.cards import unread
from referee.values.spots import BACK, NOT_READ

# Nobody lays two cards within that time: a carry takes 0.3 s at least, and so does the way back.
LATELY_NS = 700_000_000
# No event of a camera is surer than that, unless the table was compared.
MOST_CONF = 0.999


def is_plain(sitting: Sitting, event: Event, glances: Glances, habits: Habits) -> bool:
    """Whether what a camera did not see surely of an act does not matter."""
    if event.actor.seat is None or (event.conf or 0.0) < WHENCE:
        return False
    if (event.conf or 0.0) < SHOWN:
        return isinstance(event, CardPlaced) and _is_wrong_anyway(sitting, event, glances, habits)
    if isinstance(event, PileMoved):
        return _lay_open_in_order(sitting.state.table, event, glances)
    if not isinstance(event, CardPlaced) or not event.card.seen().known or not event.up:
        return False
    # Onto a common place another player may have laid one, of which nothing else tells.
    own = owner_of(event.target) == event.actor.seat and not event.pos
    return own and _is_one_card_plain(sitting, event, glances, habits)


def is_wrong_on_any(sitting: Sitting, event: Event) -> bool:
    """Whether a card breaks a rule where it lies, whatever it was laid on.

    Where one lies that must go back, it is judged by what lies below.
    """
    return isinstance(event, CardPlaced) and bool(_broken_on_any(sitting, event))


def is_wrong_whatever_lies_there(sitting: Sitting, event: Event) -> bool:
    """Whether a card breaks the same rules whatever it lies upon.

    Where it came from was compared with all other places; what it lies upon may be in doubt.
    """
    if not isinstance(event, CardPlaced) or event.conf is None:
        return False
    if event.conf != UPON and event.conf < NOWHERE_ELSE:
        return False
    sure = replace(event, conf=NOWHERE_ELSE)
    broken = _by_player(sure, sitting.foresee(sure)[1])
    return bool(broken) and broken <= _broken_on_any(sitting, sure)


def zones_that_matter(sitting: Sitting, event: Event) -> tuple[str, ...]:
    """Return the zones of an act by which it is judged: not where any card would lie wrongly."""
    zones = card_zones(event)
    return zones[:1] if is_wrong_whatever_lies_there(sitting, event) else zones


def is_not_there(
    event: Event, zones: tuple[str, ...], table: Table, shown: Shown, habits: Habits
) -> bool:
    """Whether a card is not seen where it was told to lie, of an act judged by other `zones`.

    Or judged by any, where every card of a row shows, and by the `table` it lies there still.
    """
    if not isinstance(event, CardPlaced) or event.target in shown.unclear:
        return False
    label = event.card.seen().face if event.up else BACK
    seen, pile = shown.labels.get(event.target, ()), table.pile(event.target)
    if habits.is_row(event.target) and any(label_of(table, one) == label for one in pile):
        return label not in seen and NOT_READ not in seen
    return event.target not in zones and label not in seen


def may_be_from_another(sitting: Sitting, event: Event) -> bool:
    """Whether a card that broke rules broke others, had it come from another of its player's backs.

    Or none. That his backs lie as they did does not tell from which of them he took it.
    """
    if not isinstance(event, CardPlaced) or (event.conf or 0.0) >= NOWHERE_ELSE:
        return False
    table, own = sitting.state.table, owner_of(event.origin) == event.actor.seat
    if not own or any(lying.up for lying in table.pile(event.origin)[-1:]):
        return False
    others = (one for one in _other_backs(table, event) if not is_in_hands(one))
    rules = _broken(sitting, event)
    otherwise = (_broken(sitting, replace(event, origin=one)) for one in others)
    if is_in_hands(event.origin):
        # Cards are laid out of a hand by rules of their own, which none off a pile can break.
        return not all(otherwise)
    return any(not broken or not rules <= broken for broken in otherwise)


def may_be_turned(sitting: Sitting, event: Event, habits: Habits, shown: Shown) -> bool:
    """Whether a card out of a stock may have been turned over unseen, and played off its waste.

    Not where others lie on that; nor where its place was seen to be bare and backs are left: of
    several that are turned at once he leaves all but one.
    """
    zones = card_zones(event)
    way = habits.drawn_by_blocks(zones[0]) if zones else None
    if way is None or way.target == zones[-1] or shown.labels.get(way.target):
        return False
    several = sitting.state.setup.options.get("draw", str(way.block)) != "1"
    bare = (event.conf or 0.0) >= NOWHERE_ELSE and way.target in shown.bare
    return not (several and bare and BACK in shown.labels.get(way.origin, ()))


def reread(state: State[Any], zone: str, old: Card, new: Card) -> Reread:
    """Return the event that a card was read again, surely."""
    return Reread(
        n=0, t_ns=state.now_ns, source="camera", conf=MOST_CONF, zone=zone, old=old, new=new
    )


def hangs_on_a_black_suit(sitting: Sitting, event: Event) -> bool:
    """Whether a card would lie rightly were it, or the one below it, of the other black suit.

    Of 705 black cards of two makers' films nine were named of the other one surely, each time anew.
    """
    if not isinstance(event, CardPlaced) or not event.up:
        return False
    state, sure = sitting.state, replace(event, conf=VOUCHED)
    sister_of = partial(_sister, state.table)
    below, own = _top_as(sister_of, state, event.target), _top_as(sister_of, state, event.origin)
    sister = sister_of(event.card.seen())
    ways = [(*below, sure)] if below else []
    if sister is not None:
        mine = (one for one in own if one.old.face == event.card.face)
        ways.append((*mine, replace(sure, card=sister)))
    return any(not _by_player(event, sitting.foresee_late(*way)) for way in ways)


def _top_as(
    other: Callable[[Card], Card | None], state: State[Any], zone: str
) -> tuple[Reread, ...]:
    """Return the event that the top card of a pile is read as another one, if it may be."""
    tops = (state.table.face(lying.token) for lying in state.table.pile(zone)[-1:])
    others = ((card, other(card)) for card in tops)
    return tuple(reread(state, zone, card, new) for card, new in others if new is not None)


def _sister(table: Table, card: Card) -> Card | None:
    """Return the card of the same rank and the other black suit, unless it lies there itself."""
    if not card.known or not card.is_suited or card.is_red():
        return None
    sister = replace(card, face=card.face[0] + ("S" if card.suit() == "C" else "C"))
    return sister if table.place_of(sister) is None else None


def _is_wrong_anyway(sitting: Sitting, event: CardPlaced, glances: Glances, habits: Habits) -> bool:
    """Whether a card breaks a rule where it lies, from whichever of his own backs it came."""
    table = sitting.state.table
    known = event.card.seen().known and event.up and not event.under
    if not known or owner_of(event.target) != event.actor.seat:
        return False
    if not _met_was_seen(table, event, glances, habits):
        return False
    others = _other_backs(table, event)
    ways = ((event,), *(_by_way_of(zone, event, table) for zone in others))
    return all(_broken(sitting, *way) for way in ways)


def _other_backs(table: Table, event: CardPlaced) -> set[str]:
    """Return where else its player's backs lie, of a card that came from such a pile."""
    backs = {zone for zone, pile in table.piles.items() if pile and not pile[-1].up}
    return {zone for zone in backs if owner_of(zone) == event.actor.seat} - {event.origin}


def _by_way_of(backs: str, event: CardPlaced, table: Table) -> tuple[CardPlaced, ...]:
    """Return how a card came from a pile of backs, onto which it was taken back if it lay open."""
    pile = table.pile(event.origin)
    away = replace(event, origin=backs)
    if not pile or label_of(table, pile[-1]) != event.card.face:
        return (away,)
    return replace(event, target=backs, up=False), away


def _is_one_card_plain(
    sitting: Sitting, event: CardPlaced, glances: Glances, habits: Habits
) -> bool:
    table = sitting.state.table
    if not _met_was_seen(table, event, glances, habits):
        return False
    if event.under and not _broken(sitting, replace(event, under=False)):
        # A card that was laid too low looks like one that was put under.
        return False
    return _lay_open(table, event, glances)


def _lay_open_in_order(table: Table, event: PileMoved, glances: Glances) -> bool:
    """Whether the cards of a block showed on top of where they lay, before they left together."""
    block = table.pile(event.origin)[-event.count :]
    look = glances.before(event.origin, event.t_ns)
    if event.flip or event.under or look is None or len(block) < event.count:
        return False
    return all(lying.up and label_of(table, lying) in look.labels for lying in block)


def _met_was_seen(table: Table, event: CardPlaced, glances: Glances, habits: Habits) -> bool:
    """Whether what a card was laid on showed as it is known a moment before, if it was on any."""
    if habits.is_row(event.target):
        return True
    look = glances.before(event.target, event.t_ns)
    if look is None or event.t_ns - look.t_ns > LATELY_NS:
        return False
    pile, seen = table.pile(event.target), look.labels
    return label_of(table, pile[-1]) in seen if pile else table.knows(event.target) and not seen


def _lay_open(table: Table, event: CardPlaced, glances: Glances) -> bool:
    """Whether the card showed on top of where it came from, till a hand was seen to take it."""
    pile = table.pile(event.origin)
    if event.carry_ns is None or not pile or label_of(table, pile[-1]) != event.card.face:
        return False
    look = glances.before(event.origin, min(event.carry_ns, event.t_ns))
    return look is not None and event.card.face in look.labels


def _broken(sitting: Sitting, *way: CardPlaced) -> frozenset[str]:
    """Return the rules that its player would break by some acts that were seen surely."""
    seen = [replace(act, conf=VOUCHED) for act in way]
    told = (sitting.foresee(*seen[:k])[1] for k in range(1, len(seen) + 1))
    return frozenset().union(*(_by_player(way[0], rulings) for rulings in told))


def _broken_on_any(sitting: Sitting, event: CardPlaced) -> frozenset[str]:
    """Return the rules that its player breaks by a card, though what it lies upon is not read.

    None where one lies there that must go back: then it is judged by what lies below.
    """
    state, zone = sitting.state, event.target
    if state.is_owed_at(zone):
        return frozenset()
    forgets = _top_as(lambda card: unread(card.deck), state, zone)
    return _by_player(event, sitting.foresee(*forgets, event)[1])


def _by_player(event: CardPlaced, rulings: tuple[Ruling, ...]) -> frozenset[str]:
    return frozenset(
        one.rule for one in rulings if one.kind == "VIOLATION" and one.player == event.actor.seat
    )
