"""Events in, rulings out: steps the state of a match over its game's rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.rulebook import (
    Act,
    Alarm,
    Case,
    Contact,
    Debt,
    Game,
    Landing,
    Move,
    Outcome,
    State,
    Table,
    Unread,
    Unseen,
    Verdict,
    lay,
)
from referee.rulebook.asking import VOUCHED, doubt, is_unsure, moves_unknown, rests_on_doubt
from referee.rulebook.house import HOUSE_EVENTS, house_event
from referee.rulebook.judging import (
    census_fault,
    doubts,
    foreign_cards,
    judged,
    put_back,
    twice_at_start,
)
from referee.rulebook.late import judge_again
from referee.rulebook.opening import MatchError as MatchError
from referee.rulebook.opening import open_match as open_match
from referee.rulebook.quick import replace
from referee.rulebook.sureness import (
    confirmed,
    that_brought,
    with_unsure,
    with_unsurely,
    with_vouched,
)
from referee.values import (
    CardLifted,
    CardPlaced,
    CardTurned,
    Dealt,
    Declared,
    Event,
    HandOff,
    HandOn,
    Match,
    PadHit,
    PileMixed,
    PileMoved,
    Reread,
    Ruling,
    Setting,
)

# A game that sets a new alarm at every ring must not keep a match from ending.
MOST_RINGS = 1000
# As tuples, not unions: they are asked at every event.
OF_ONE_ZONE = (CardPlaced, CardTurned, CardLifted, Dealt)
OF_OWED = (CardPlaced, PileMoved)
RENEWING = (Dealt, PileMixed)
OF_HANDS = (HandOn, HandOff, PadHit)


def judge(match: Match, game: Game[Any], options: Iterable[Setting] = ()) -> Iterator[Ruling]:
    """All rulings of a match, in the order in which they become certain. Raises MatchError."""
    state = open_match(match, game, options)
    for event in match.events:
        state, rulings = step(game, state, event)
        yield from rulings
    state, rulings = close(game, state)
    yield from rulings


def step(game: Game[Any], state: State[Any], event: Event) -> tuple[State[Any], tuple[Ruling, ...]]:
    """Return the state after an event, and the rulings that became certain. A pure function."""
    early = () if state.n else tuple(twice_at_start(game, state, event))
    if event.source == "camera" and not state.camera:
        state = replace(state, camera=True)
    if isinstance(event, Reread) and event.old == event.new:
        return confirmed(state, event), early
    if event.conf is not None and is_unsure(event):
        state = replace(state, unsure=with_unsure(state, event.n))
    elif event.conf == VOUCHED:
        state = with_vouched(state, event.n)
    if state.alarms:
        state, rung = _ring_until(game, state, event.t_ns)
        early = (*early, *rung)
    if isinstance(event, RENEWING):
        state = state.without_gone_cards()
    rulings: tuple[Ruling, ...] = ()
    for part in game.unfold(event) if game.unfold else (event,):
        state, more = _step_one(game, state, part)
        rulings = (*rulings, *more)
    if rulings:
        state, rulings = _vouched(game, state, rulings)
    if state.missed and not state.doubted and _begins(game, state, event):
        state = replace(state, missed=False)
    return state, (*early, *rulings)


def _vouched(
    game: Game[Any], state: State[Any], rulings: tuple[Ruling, ...]
) -> tuple[State[Any], tuple[Ruling, ...]]:
    """Return questions in place of accusations that rest on what may not be as it was seen.

    Rules are asked with that in mind; this is for what a game finds when it follows an act.
    """
    told: list[Ruling] = []
    for ruling in rulings:
        why = doubt(game, state, ruling.n, ruling.rule) if ruling.kind == "VIOLATION" else None
        if why is not None:
            owed = (ruling.n, ruling.rule)
            debts = tuple(d for d in state.debts if (d.n, d.rule) != owed)
            state = replace(state, debts=debts)
            text = f"{why.why}: {ruling.text}?"
            ruling = replace(ruling, kind=why.kind, player=None, remedy=None, text=text)
        told.append(ruling)
    return state, tuple(told)


def _begins(game: Game[Any], state: State[Any], event: Event) -> bool:
    """Whether a new hand begins with an event: what was missed before does not count in it."""
    if isinstance(event, Declared):
        return event.what == "start"
    own = game.own_decks(state.setup) if callable(game.own_decks) else game.own_decks
    return isinstance(event, PileMixed) and not own


def close(game: Game[Any], state: State[Any]) -> tuple[State[Any], tuple[Ruling, ...]]:
    """Return the state after the last event: all timers run out."""
    return _ring_until(game, state, None)


def _ring_until(
    game: Game[Any], state: State[Any], until_ns: int | None
) -> tuple[State[Any], tuple[Ruling, ...]]:
    rulings: list[Ruling] = []
    for _ in range(MOST_RINGS):
        due = [a for a in state.alarms if until_ns is None or a.due_ns < until_ns]
        if not due:
            break
        outcome = _rung(game, state, min(due, key=lambda a: (a.due_ns, a.n, a.name)))
        state, vouched = _vouched(game, outcome.state, outcome.rulings)
        rulings += vouched
    return state, tuple(rulings)


def _rung(game: Game[Any], state: State[Any], alarm: Alarm) -> Outcome[Any]:
    left = list(state.alarms)
    left.remove(alarm)
    state = replace(state, alarms=tuple(left), now_ns=max(state.now_ns, alarm.due_ns))
    try:
        return game.ring(state, alarm) if game.ring else Outcome(state)
    except (Unread, Unseen):
        # What nobody saw cannot be followed; the alarm is spent, the memory stays as it was.
        return Outcome(state)


def _step_one(
    game: Game[Any], state: State[Any], event: Event
) -> tuple[State[Any], tuple[Ruling, ...]]:
    before, recent = _prepared(game, state, event)
    if isinstance(event, HOUSE_EVENTS):
        handled = house_event(game, before, event, _rung)
        if handled is not None:
            return replace(handled.state, recent=recent), handled.rulings
    dealt_from = None
    if game.dealt_from and isinstance(event, Dealt):
        dealt_from = game.dealt_from(before, event)
    if before.debts and isinstance(event, OF_OWED):
        before = _with_owed_on_top(before, event)
    seen = _with_deck(game, before, event) if isinstance(event, OF_ONE_ZONE) else event
    laid = lay(before.table, seen, dealt_from)
    table = _with_faces(before.table, laid)
    if table is not before.table:
        before = replace(before, table=table)
    move, debt = laid.move, None
    if move is not None and before.debts:
        debt = before.debt_of(move.tokens)
        move = _legally_covered(before, move)
    case = Case(before, event, laid.table, move, debt)
    if laid.read and (foreign := foreign_cards(game, before, laid)):
        return _with_foreign(game, case, laid, foreign, recent)
    if laid.doubts and event.source == "camera":
        # Nothing is derived from a contradiction but the question (C-06).
        doubted = replace(before, unsure=with_unsure(before, event.n))
        case = replace(case, before=doubted)
    return _judged(game, case, laid, recent)


def _prepared(
    game: Game[Any], state: State[Any], event: Event
) -> tuple[State[Any], tuple[Act[Any], ...]]:
    """Return the state just before an event, and the latest acts: none where it deals anew."""
    before = _at(state, event)
    if game.prepare is None:
        return before, state.recent
    before = game.prepare(replace(before, recent=state.recent), event)
    return replace(before, recent=()), before.recent


def _legally_covered(before: State[Any], move: Move) -> Move:
    """Return the move with the depth that the rules see: owed cards do not lie there (G-01)."""
    if not move.depth:
        return move
    owed = {token for debt in before.debts if debt.at == move.origin for token in debt.tokens}
    above = before.table.pile(move.origin)[move.height + move.count :]
    return replace(move, depth=sum(lying.token not in owed for lying in above))


def _with_owed_on_top(state: State[Any], event: PileMoved | CardPlaced) -> State[Any]:
    """Return the state in which a block that goes back whole is taken from under later cards.

    As many cards as are owed, moved back to where they belong, are the owed ones (K-06): nobody
    takes the others' cards that came onto them meanwhile.
    """
    if isinstance(event, CardPlaced) and (event.card.seen().known or event.pos is not None):
        return state
    count = event.count if isinstance(event, PileMoved) else 1
    for debt in state.debts:
        if (debt.at, debt.origin, len(debt.tokens)) == (event.origin, event.target, count):
            pile = state.table.pile(debt.at)
            owed = tuple(lying for lying in pile if lying.token in debt.tokens)
            rest = tuple(lying for lying in pile if lying.token not in debt.tokens)
            return replace(state, table=state.table.with_pile(debt.at, (*rest, *owed)))
    return state


def _at(state: State[Any], event: Event) -> State[Any]:
    """Return the state just before an event, without the latest acts: no act holds another."""
    return State(
        state.setup,
        state.table,
        state.memory,
        event.n,
        max(state.now_ns, event.t_ns),
        state.debts,
        state.alarms,
        state.contacts,
        state.blind,
        (),
        state.arrivals,
        state.regained,
        state.doubted,
        state.missed,
        state.unsure,
        state.unsurely,
        state.camera,
        state.vouched,
    )


def _with_foreign(
    game: Game[Any],
    case: Case[Any],
    laid: Landing,
    foreign: tuple[int, ...],
    recent: tuple[Act[Any], ...],
) -> tuple[State[Any], tuple[Ruling, ...]]:
    before = case.before
    after = replace(
        before,
        table=laid.table,
        contacts=_contacts(before, case.event),
        debts=_carried(before, case),
        recent=recent,
    )
    after, rulings = census_fault(game, case, after, foreign)
    return after, (*doubts(game, case.event, laid), *rulings)


def _judged(
    game: Game[Any], case: Case[Any], laid: Landing, recent: tuple[Act[Any], ...]
) -> tuple[State[Any], tuple[Ruling, ...]]:
    before = case.before
    debts = _carried(before, case) if before.debts else before.debts
    judgement = judged(game, case, debts, recent)
    cured, table = judgement.verdict.cured, laid.table
    unsure = before.unsure
    asked = judgement.verdict.doubtful and rests_on_doubt(game, case)
    if asked or (before.regained and moves_unknown(game, case)):
        # Whatever comes onto such cards is no surer than they are.
        unsure = with_unsure(before, before.n)
    if laid.read and before.unsure and (laid.doubts or is_unsure(case.event)):
        unsure = (*unsure, *that_brought(before, recent, frozenset(laid.read)))
    if cured is not None and case.move is not None:
        table = put_back(table, case.move, cured)
    after: State[Any] = State(
        before.setup,
        table,
        before.memory,
        before.n,
        before.now_ns,
        judgement.debts,
        before.alarms,
        _contacts(before, case.event) if isinstance(case.event, OF_HANDS) else before.contacts,
        before.blind,
        judgement.recent,
        judgement.arrivals,
        before.regained,
        before.doubted,
        before.missed,
        unsure,
        with_unsurely(case, table) if before.camera else before.unsurely,
        before.camera,
        before.vouched,
    )
    late: tuple[Ruling, ...] = ()
    if laid.read and recent and not laid.doubts:
        # Nothing is derived from a contradiction but the question (C-06).
        again = judge_again(game, after, recent, laid)
        after, late = again.state, again.rulings
    outcome = _followed(game, case, after, judgement.verdict)
    rulings = (*judgement.rulings, *outcome.rulings, *late)
    if laid.doubts:
        rulings = (*doubts(game, case.event, laid), *rulings)
    return outcome.state, rulings


def _followed(
    game: Game[Any], case: Case[Any], state: State[Any], verdict: Verdict
) -> Outcome[Any]:
    assert game.follow is not None
    try:
        return game.follow(case, state, verdict)
    except (Unread, Unseen):
        # What nobody saw cannot be followed; the memory stays as it was.
        return Outcome(state)


def _with_deck(
    game: Game[Any], state: State[Any], event: CardPlaced | CardTurned | CardLifted | Dealt
) -> Event:
    """Where everybody has a deck of his own, a card is of the deck of the zone it comes from."""
    own = game.own_decks(state.setup) if callable(game.own_decks) else game.own_decks
    if not own:
        return event
    zone = event.origin if isinstance(event, CardPlaced) else event.zone
    seat, _, part = zone.partition(".")
    # `F.1` is common to all, also where a seat F has `F.work` (K-11).
    if seat not in state.setup.seats or part.isdigit():
        return event
    if isinstance(event, Dealt):
        if all(card.deck for card in event.cards):
            return event
        cards = tuple(c if c.deck else replace(c, deck=seat) for c in event.cards)
        return replace(event, cards=cards)
    return event if event.card.deck else replace(event, card=replace(event.card, deck=seat))


def _with_faces(table: Table, laid: Landing) -> Table:
    """Return the table before the event, with the faces that the event made known."""
    new = laid.table
    if new.faces is table.faces and new.next_token == table.next_token:
        return table
    return replace(table, faces=new.faces, tokens=new.tokens, next_token=new.next_token)


def _contacts(state: State[Any], event: Event) -> tuple[Contact, ...]:
    if not isinstance(event, OF_HANDS) or event.actor.seat is None:
        return state.contacts
    others = tuple(c for c in state.contacts if c.actor != event.actor)
    if isinstance(event, HandOff):
        return others
    zone = event.spot if isinstance(event, PadHit) else event.zone
    return (*others, Contact(event.actor, zone, event.n, event.t_ns))


def _carried(before: State[Any], case: Case[Any]) -> tuple[Debt, ...]:
    """Return the debts, with owed cards followed to where they lie now."""
    move = case.move
    if move is None or move.turned:
        return before.debts
    moved = set(move.tokens)
    return tuple(
        replace(debt, at=move.target) if moved & set(debt.tokens) else debt for debt in before.debts
    )
