"""XIX: the table made ready for an event: gathered for a new deal, hidden cards told apart."""

from __future__ import annotations

from referee.games.xix import views
from referee.games.xix.game import DECK, MIDDLE, TALON, UNUSED, Memory, part_of
from referee.games.xix.opening import with_deck_unknown
from referee.rulebook import Lying, Pile, State, replace
from referee.values import Card, CardPlaced, CardTurned, Dealt, Event, PileMixed, ViewLost


def prepare(state: State[Memory], event: Event) -> State[Memory]:
    """Return the state with the cards gathered for a new deal, and hidden cards told apart."""
    if isinstance(event, PileMixed | Dealt) and _starts_anew(state, event):
        table = replace(state.table, piles={}, whole=frozenset(), fresh=True)
        table = with_deck_unknown(table)
        return state.dealt_anew(Memory(), table)
    if isinstance(event, ViewLost):
        return views.with_gap(state, event)
    if isinstance(event, CardPlaced):
        return _with_order(state, event)
    if isinstance(event, CardTurned) and not event.card.seen().known and event.pos is None:
        return _with_unread(state, event.zone, "") if part_of(event.zone) == "open" else state
    return state


def _starts_anew(state: State[Memory], event: PileMixed | Dealt) -> bool:
    memory = state.memory
    if memory.stage == "over":
        return isinstance(event, Dealt) or event.zone == DECK
    if not isinstance(event, PileMixed) or event.zone != DECK or not memory.opening:
        return False
    dealt = (*(f"{seat}.closed" for seat in state.setup.seats), *TALON, UNUSED)
    return memory.stage in ("deal", "lead") and any(state.table.pile(zone) for zone in dealt)


def _with_order(state: State[Memory], event: CardPlaced) -> State[Memory]:
    """Bring to the top of its zone what a card that nobody can read must be.

    A closed hand lies in no order: an owed card is there only until it goes back, and a card that
    nobody reads is none of those that are known. On a talon position with the hand card already
    on it, the card beneath is what the trade takes.
    """
    state = _with_another(state, event)
    zone, pile = event.origin, state.table.pile(event.origin)
    if len(pile) < 2 or event.pos is not None:
        return state
    given = state.memory.given
    if given is not None and given.zone == zone and not event.card.seen().known:
        taken = next(lying for lying in reversed(pile) if lying.token != given.token)
        pile = (*(lying for lying in pile if lying.token != taken.token), taken)
        return replace(state, table=state.table.with_pile(zone, pile))
    if part_of(zone) in ("open", MIDDLE) and not event.card.seen().known:
        return _with_unread(state, zone, event.target)
    if part_of(zone) in ("open", MIDDLE) and not _is_known(state, pile, event.card):
        return replace(state, table=state.table.with_pile(zone, _unread_on_top(state, pile)))
    owed = {t for debt in state.debts if debt.at == zone for t in debt.tokens}
    back = {t for debt in state.debts if debt.origin == event.target for t in debt.tokens}
    if not zone.endswith(".closed") or (not owed and event.card.seen().known):
        return state

    def rank(lying: Lying) -> tuple[bool, bool, bool]:
        hidden = not state.face(lying).known
        return (lying.token in owed & back, lying.token not in owed, hidden)

    return replace(state, table=state.table.with_pile(zone, tuple(sorted(pile, key=rank))))


def _with_another(state: State[Memory], event: CardPlaced) -> State[Memory]:
    """Return the state in which a hand that nobody counted holds another card than owed ones.

    Who has taken one of the talon wrongly and plays on plays a card of the hand.
    """
    zone, table = event.origin, state.table
    owed = {t for debt in state.debts if debt.origin != event.target for t in debt.tokens}
    counted = not zone.endswith(".closed") or table.knows(zone)
    if counted or not owed or not owed.issuperset(one.token for one in table.pile(zone)):
        return state
    table, (token,) = table.mint([Card("??")])
    return replace(state, table=table.with_pile(zone, (*table.pile(zone), Lying(token, False))))


def _with_unread(state: State[Memory], zone: str, target: str) -> State[Memory]:
    """Return the state in which any card of a row may be the one that nobody read.

    Open cards can be read, so it is one that lies face down, if there is one; what is owed only
    goes where it belongs. Else no card of the row is known any more until it is read again.
    """
    debts = (d for d in state.debts if d.at == zone and d.origin != target)
    owed = {token for debt in debts for token in debt.tokens}

    def rank(lying: Lying) -> tuple[bool, bool]:
        return (lying.token not in owed, not lying.up)

    pile = tuple(sorted(state.table.pile(zone), key=rank))
    if shown := _shown_from_talon(state, zone, target):
        pile = (*(lying for lying in pile if lying.token not in shown), *_only(pile, shown))
        return replace(state, table=state.table.with_pile(zone, pile))
    free = tuple(lying for lying in pile if lying.token not in owed)
    table = state.table.with_pile(zone, pile)
    if all(lying.up for lying in free) and len(free) > 1 and _may_be_any(state, zone):
        for lying in free:
            table = table.read(lying.token, Card("??"))
    return replace(state, table=table)


def _shown_from_talon(state: State[Memory], zone: str, target: str) -> frozenset[int]:
    """Return the cards that were wrongly shown and belong into a closed hand, their remedy."""
    debts = (d for d in state.debts if (d.rule, d.at) == ("XIX-TRADE-04", zone))
    return frozenset(t for d in debts if target == f"{d.seat}.closed" for t in d.tokens)


def _only(pile: Pile, tokens: frozenset[int]) -> Pile:
    return tuple(lying for lying in pile if lying.token in tokens)


def _may_be_any(state: State[Memory], zone: str) -> bool:
    return zone != MIDDLE or state.memory.stage == "draft"


def _is_known(state: State[Memory], pile: Pile, card: Card) -> bool:
    return any(state.face(lying).face == card.face for lying in pile)


def _unread_on_top(state: State[Memory], pile: Pile) -> Pile:
    return tuple(sorted(pile, key=lambda lying: not state.face(lying).known))


def dealt_from(state: State[Memory], event: Dealt) -> str | None:
    """Return the deck while cards are known to lie there."""
    return DECK if state.table.pile(DECK) else None
