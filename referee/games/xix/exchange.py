"""XIX: what legal acts lead to: leads and replies, strikes, scores, draft, trade, the end."""

from __future__ import annotations

from referee.games.xix.ending import ended
from referee.games.xix.game import (
    GAME,
    MIDDLE,
    THIRD_STRIKE,
    Decided,
    Given,
    Memory,
    Trick,
    accepted,
    is_give,
    is_middle_bare,
    is_pick,
    is_play,
    is_take,
    may_have_missed,
    of_seat,
    opponent,
    winner_of,
    with_more,
)
from referee.rulebook import Case, Debt, State, replace
from referee.values import Card, Event, Points, Ruling

Step = tuple[State[Memory], list[Ruling]]

NINETEEN = 19


def acted(case: Case[Memory], state: State[Memory], seat: str) -> Step:
    """Step over an act that stands: a card played, drafted, taken from or given to the talon."""
    if (doubted := state.memory.doubted) is not None:
        later = replace(doubted, before=None) if is_pick(case) else None
        state = state.with_memory(replace(state.memory, doubted=later))
    memory = state.memory
    if is_play(case):
        return _played(case, state, seat)
    if memory.stage != "draft":
        return state, []
    if is_pick(case):
        return _picked(case, state, seat)
    if may_have_missed(state):
        memory = replace(memory, loser=seat)  # as whoever trades has seen how the exchange ended
    if is_take(case):
        # Whether it was the loser who took it is asked where another one seems to have.
        doubt = frozenset[str]() if seat == memory.loser else frozenset({case.origin})
        left = memory.left | doubt
        return _traded(case, state, replace(memory, taken=case.origin, left=left))
    if is_give(case):
        target = case.moved.target
        given = Given(target, case.moved.tokens[0], case.owing("XIX-TRADE-06", seat))
        return _traded(case, state, replace(memory, given=given))
    return state, []


def _played(case: Case[Memory], state: State[Memory], seat: str) -> Step:
    if state.memory.stage == "over":
        return state, []
    if state.memory.stage == "reply":
        return _replied(case, state, seat) if seat != state.memory.leader else (state, [])
    return _led(case, state, seat)


def _led(case: Case[Memory], state: State[Memory], seat: str) -> Step:
    rulings: list[Ruling] = []
    memory = state.memory
    if memory.stage == "deal":
        text = f"no leader was declared; {seat} is taken as leader"
        rulings.append(GAME.ruling("TRICK-05", "NOT_OBSERVED", case.event, text, player=seat))
    if memory.found and state.camera and is_middle_bare(case.before):
        # Where nothing of an exchange lies one begins.
        text = f"{seat} leads the exchange that is seen first"
        rulings.append(GAME.ruling("TRICK-05", "INFO", case.event, text, player=seat))
        text = "who won the exchange before was not seen"
        rulings.append(GAME.ruling("NEXT-02", "NOT_OBSERVED", case.event, text))
    if memory.stage == "draft":
        # The trade was made, if not well: its cards are owed, the game goes on.
        state = replace(_without_rest(case, state), debts=settled(state))
        memory = next_exchange(memory)
    memory = replace(
        memory,
        stage="reply",
        leader=seat,
        lead=case.owing("XIX-STRIKE-02", seat),
        decided=None,
        opening=False,
        misdealt=False,
    )
    return state.with_memory(memory), rulings


def _replied(case: Case[Memory], state: State[Memory], seat: str) -> Step:
    memory = state.memory
    assert memory.lead is not None
    assert memory.leader is not None
    trick = Trick(
        event=case.event,
        lead=memory.lead.tokens[0],
        reply=case.moved.tokens[0],
        leader=memory.leader,
        replier=seat,
    )
    memory = replace(memory, lead=None, standing=None, unheard=None)
    if case.setup.is_on("implicit_raise"):
        memory = replace(memory, due=tuple(s for s in memory.due if s != seat))
    return decide(state.with_memory(memory), trick)


def loser_of(state: State[Memory], trick: Trick) -> str | None:
    """Return who loses a trick, None while a card is not read."""
    lead, reply = _faces(state, trick)
    if not (lead.known and reply.known):
        return None
    second = _is_nineteen(lead, reply) or reply.rank() > lead.rank()
    return trick.leader if second else trick.replier


def _is_nineteen(lead: Card, reply: Card) -> bool:
    return lead.known and reply.known and lead.rank() + reply.rank() == NINETEEN


def _faces(state: State[Memory], trick: Trick) -> tuple[Card, Card]:
    pile = accepted(state, MIDDLE)
    here = {lying.token for lying in pile} & {trick.lead, trick.reply}
    if here or len(pile) < 2:
        return state.face(trick.lead), state.face(trick.reply)
    # The operator said anew what lies in the middle; the two on top are this trick.
    return state.face(pile[-2]), state.face(pile[-1])


def decide(state: State[Memory], trick: Trick, loser: str | None = None) -> Step:
    """Give a trick to its taker and a strike to the other; `loser` where the players said so."""
    before = replace(state.memory, decided=None, unread=None)
    loser = loser or loser_of(state, trick)
    if loser is None:
        memory = replace(before, stage="lead", leader=None, unread=trick)
        text = "a card of the trick is not read: who takes it?"
        return state.with_memory(memory), [GAME.ruling("TRICK-07", "QUERY", trick.event, text)]
    setup, taker = state.setup, opponent(state.setup, loser)
    strikes = with_more(setup, before.strikes, loser, 1)
    out = of_seat(setup, strikes, loser) >= THIRD_STRIKE
    memory = replace(
        before,
        stage="lead",
        leader=taker,
        strikes=strikes,
        due=before.due if out or loser in before.due else (*before.due, loser),
        decided=Decided(trick, loser, before),
    )
    state, rulings = state.with_memory(memory), [_taken_by(state, trick, taker)]
    if out:
        state, more = close_exchange(state, trick.event, loser)
        state = state.with_memory(replace(state.memory, struck_out=loser))
        rulings += more
    return state, rulings


def _taken_by(state: State[Memory], trick: Trick, taker: str | None) -> Ruling:
    lead, reply = _faces(state, trick)
    nineteen = _is_nineteen(lead, reply)
    rule, word = ("TRICK-06", "nineteen: ") if nineteen else ("TRICK-07", "")
    text = f"{word}{taker} takes {lead} and {reply}"
    return GAME.ruling(rule, "INFO", trick.event, text, player=taker)


def points_for(strikes: int) -> int:
    """Return what an exchange is worth: 1, 3, 6, 10, 15 points for 1 to 5 strikes."""
    return strikes * (strikes + 1) // 2


def close_exchange(state: State[Memory], event: Event, loser: str) -> Step:
    """Score an exchange; then the game ends, or the draft begins."""
    memory, setup = state.memory, state.setup
    winner, total = setup.others(loser)[0], sum(memory.strikes)
    scores = with_more(setup, memory.scores, winner, points_for(total))
    text = f"{winner} gets {points_for(total)} ({total} {'strike' if total == 1 else 'strikes'})"
    listed = tuple(
        sorted((Points(*pair) for pair in zip(setup.seats, scores, strict=True)), key=_seat)
    )
    score = GAME.ruling("SCORE-03", "SCORE", event, text, scores=listed)
    memory = replace(
        memory,
        stage="draft",
        scores=scores,
        strikes=(0, 0),
        leader=winner,
        lead=None,
        standing=None,
        due=(),
        unheard=None,
        loser=loser,
        struck_out=None,
        picks=(0, 0),
        taken=None,
        given=None,
        exchanges=memory.exchanges + 1,
        closed_n=event.n,
        closed_ns=event.t_ns,
    )
    state, rulings = ended(state.with_memory(memory), event)
    return state, [score, *rulings]


def _seat(points: Points) -> str:
    return points.seat


def raised(state: State[Memory], event: Event, seat: str) -> Step:
    """Let the exchange go on for what it is worth now."""
    memory, total = _kept_by_word(state), sum(state.memory.strikes)
    due = tuple(s for s in memory.due if s != seat)
    memory = replace(memory, due=due, unheard=None)
    text = f"{seat} raises: the exchange is worth {points_for(total)} so far"
    return state.with_memory(memory), [GAME.ruling("STRIKE-04", "INFO", event, text, player=seat)]


def abandoned(state: State[Memory], event: Event, seat: str) -> Step:
    """Close the exchange; a card that was led before the decision goes back to its hand."""
    memory = state.memory
    if memory.stage == "reply" and memory.lead is not None:
        state = state.with_debt(memory.lead)
    return close_exchange(state.with_memory(_kept_by_word(state)), event, seat)


def _kept_by_word(state: State[Memory]) -> Memory:
    """Return the memory with the latest trick only if the players' word alone decided it.

    A reading, or the other player's word, may still deny it.
    """
    return state.memory if is_by_word(state) else replace(state.memory, decided=None)


def is_by_word(state: State[Memory]) -> bool:
    """Return whether nobody could read the latest trick: what the players did told who lost it."""
    decided = state.memory.decided
    return decided is not None and loser_of(state, decided.trick) is None


def is_disputed(state: State[Memory], seat: str | None) -> bool:
    """Return whether the other player took the strike of a trick that nobody could read."""
    decided = state.memory.decided
    return decided is not None and seat not in (None, decided.loser) and is_by_word(state)


def _picked(case: Case[Memory], state: State[Memory], seat: str) -> Step:
    memory = state.memory
    loser = memory.loser or seat
    by_loser, by_winner = memory.picks
    picks = (by_loser + 1, by_winner) if seat == loser else (by_loser, by_winner + 1)
    memory = replace(memory, loser=loser, picks=picks, struck_out=None, decided=None)
    return state.with_memory(memory), []


def _traded(case: Case[Memory], state: State[Memory], memory: Memory) -> Step:
    """Remember half of the trade; with both halves the next exchange begins."""
    state = _without_rest(case, state).with_memory(memory)
    if memory.taken is None or memory.given is None or memory.given.zone != memory.taken:
        return state, []
    winner = winner_of(state)
    state = replace(state, debts=settled(state))
    state = state.with_memory(replace(next_exchange(memory), leader=winner))
    if state.setup.option("end_check") == "after_trade":
        state, rulings = ended(state, case.event)
        if rulings:
            return state, rulings
    text = f"the trade is made; {winner} leads the next exchange"
    return state, [GAME.ruling("NEXT-01", "INFO", case.event, text, player=winner)]


def drafted_out(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Return the state in which all cards of the draft are taken: the players saw that."""
    table = state.table.with_whole(MIDDLE)
    led = tuple(lying for lying in table.pile(MIDDLE) if lying.token in case.moved.tokens)
    return replace(state, table=table.with_pile(MIDDLE, led))


def _without_rest(case: Case[Memory], state: State[Memory]) -> State[Memory]:
    """Whoever trades or leads has seen that the middle is empty, if the referee cannot know."""
    return state if state.table.knows(MIDDLE) else drafted_out(case, state)


def settled(state: State[Memory]) -> tuple[Debt, ...]:
    """Return the debts after a draft: what was drafted stays where it is.

    A drafted card that was hidden is owed to the open hand from now on.
    """
    debts = []
    for debt in state.debts:
        if debt.origin != MIDDLE:
            debts.append(debt)
        elif debt.rule == "XIX-DRAFT-05":
            debts.append(replace(debt, origin=f"{debt.seat}.open", height=0))
    return tuple(debts)


def next_exchange(memory: Memory) -> Memory:
    """Return the memory at the beginning of the next exchange: no strikes, nothing traded."""
    return replace(
        memory,
        stage="lead",
        strikes=(0, 0),
        lead=None,
        due=(),
        given=None,
        standing=None,
        later=True,
    )
