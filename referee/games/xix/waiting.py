"""XIX: faults of order wait until the clocks cannot hide another card that came first.

Nothing in XIX is decided by speed. But when lead and reply land within the uncertainty of the
camera, the reply may be reported first; the player whose turn it is counts as the first. So a
card out of turn is judged when that time has passed: the rules of order are quiet while
`memory.waited` is off, and `hold` asks them again with it on.
"""

from __future__ import annotations

from referee.games.xix.game import GAME, MIDDLE, Held, Memory, stage_of
from referee.rulebook import Alarm, Asked, Case, Finding, Instant, Outcome, State, ask, replace
from referee.values import Declared, Event

ALARM = "order"


# The rules that ask for `memory.waited`.
WAITING = frozenset(
    f"XIX-{id}"
    for id in ("TRICK-03", "NEXT-02", "STRIKE-02", "DRAFT-02", "DRAFT-03", "DRAFT-04", "TRADE-01")
)


def asked_again(case: Case[Memory], before: State[Memory], *, fine: bool = False) -> Asked:
    """Ask all rules about an act, those of order too, as if `before` had been before it.

    Where the others found it `fine` a moment ago only those of order are asked.
    """
    memory = replace(before.memory, waited=True, held=())
    again = replace(case, before=before.with_memory(memory))
    return ask(GAME, again, only=WAITING if fine else None)


def hold(case: Case[Memory], state: State[Memory], id: str, finding: Finding) -> State[Memory]:
    """Return the state in which a fault waits to be told; its cards are owed unless it stands."""
    bare, stands = id.removeprefix(f"{GAME.prefix}-"), finding.owes is False
    ruling = GAME.ruling(bare, "VIOLATION", case.event, finding.text, player=finding.seat)
    patient = not stands and _answers_a_back(state)
    if not stands:
        state = state.with_debt(case.owing(id, case.seat or finding.seat))
    held = Held(case, ruling, stands, patient)
    state = state.with_memory(replace(state.memory, held=(*state.memory.held, held)))
    if patient:
        return state
    return state.with_alarm(_due_ns(case, stands), ALARM, case.event.n)


def _answers_a_back(state: State[Memory]) -> bool:
    """Return whether the leader's card lies in the middle, but face down."""
    leader = state.memory.leader
    return stage_of(state) == "lead" and any(
        (debt.rule, debt.seat, debt.at) == ("XIX-TRICK-02", leader, MIDDLE) for debt in state.debts
    )


def _due_ns(case: Case[Memory], stands: bool) -> int:
    setup, own = case.setup, case.setup.instant(case.event)
    names = ("u_key_ms", "u_voice_ms", "u_operator_ms") if stands else ("u_card_ms",)
    return own.t_ns + own.u_ns + max(setup.span_ns(f"race.{name}") for name in names)


def together(one: Instant, other: Instant) -> bool:
    """Return whether nobody can tell which of two came first."""
    return abs(one.t_ns - other.t_ns) <= one.u_ns + other.u_ns


def excusable(state: State[Memory], event: Event) -> tuple[Held, ...]:
    """Return the held faults that an event excuses, if it was what was due first.

    A card excuses the other player's card, a decision a card that was led before it.
    """
    now = state.setup.instant(event)
    decision = isinstance(event, Declared)
    return tuple(
        held
        for held in state.memory.held
        if held.stands == decision
        and (decision or held.case.seat != event.actor.seat)
        and (held.patient or together(state.setup.instant(held.case.event), now))
    )


def without(state: State[Memory], held: Held) -> State[Memory]:
    """Return the state in which a held fault is forgotten, with its debt."""
    n = held.case.event.n
    left = tuple(other for other in state.memory.held if other is not held)
    debts = tuple(debt for debt in state.debts if debt.n != n)
    return replace(state, debts=debts).with_memory(replace(state.memory, held=left))


def ring(state: State[Memory], alarm: Alarm) -> Outcome[Memory]:
    """Tell a fault of order whose time has passed."""
    told = tuple(h for h in state.memory.held if h.case.event.n == alarm.n)
    left = tuple(h for h in state.memory.held if h.case.event.n != alarm.n)
    state = state.with_memory(replace(state.memory, held=left))
    return Outcome(state, tuple(held.ruling for held in told))
