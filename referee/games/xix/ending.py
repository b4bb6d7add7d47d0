"""XIX: the end of the game."""

from __future__ import annotations

from referee.games.xix.game import GAME, TALON, Memory, covered
from referee.rulebook import State, Unseen, replace
from referee.values import Event, Points, Ruling

GAME.declare(
    "END-01",
    "The game ends after the first exchange during which either player can deduce the unused card.",
    source="Ending the Game",
    observer="K",
    kind="END",
    severity="decision",
    because="told as END-05",
    ok="condition true when the exchange ends -> END",
    no="a draft is begun after the final exchange: info 'game is over'",
    options=("end_check",),
)


GAME.declare(
    "END-02",
    "A player can deduce it if all talon cards are face up and the opponent's closed hand is "
    "empty; the printed 'open hand' is taken as a slip for 'closed hand'.",
    source="Ending the Game",
    observer="K",
    kind="DEF",
    severity="decision",
    because="a definition",
    ok="talon up 5/5, closed(B)=0 -> A can deduce",
    no="talon up 5/5, open(B)=0, closed(B)=6 -> cannot",
)


GAME.declare(
    "END-03",
    "If a talon card is face down or the opponent's closed hand is not empty he cannot deduce it.",
    source="Ending the Game",
    observer="K",
    kind="DEF",
    severity="decision",
    because="a definition",
    ok="talon up 4/5 -> no end",
    no="ending on a player's claim to 'know' it",
)


GAME.declare(
    "END-04",
    "The same test applies with the roles exchanged.",
    source="Ending the Game",
    observer="K",
    kind="DEF",
    severity="decision",
    because="a definition",
    ok="closed(A)=0 -> B can deduce",
    no="testing only one player",
)


GAME.declare(
    "END-05",
    "Equivalent: the game ends after the first exchange during which all talon cards are face up "
    "and at least one closed hand is empty.",
    source="Ending the Game",
    observer="K",
    kind="END",
    severity="decision",
    ok="talon 5/5 up, closed(A)=0 at the end of exchange 6",
    no="talon 5/5 up, closed 1/3 -> continue",
    options=(
        "end_check",
        "max_exchanges",
        "tie",
    ),
)


def is_last(state: State[Memory]) -> bool:
    """Return whether the unused card can be deduced now. Unseen if that cannot be told.

    A talon card that is owed counts as lying there still, as it lay (K-29).
    """
    if covered(state, also_owed=True) or any(state.height(zone) == 0 for zone in TALON):
        return False
    return _is_a_closed_hand_empty(state)


def _is_a_closed_hand_empty(state: State[Memory]) -> bool:
    unknown: Unseen | None = None
    for seat in state.setup.seats:
        try:
            if state.height(f"{seat}.closed") == len(state.legal(f"{seat}.held")) == 0:
                return True
        except Unseen as reason:
            unknown = reason
    if unknown is not None:
        raise unknown
    return False


def ended(state: State[Memory], event: Event) -> tuple[State[Memory], list[Ruling]]:
    """Return the state after the end of an exchange, or of a trade: the game may be over."""
    limit = state.setup.number("max_exchanges")
    try:
        last = is_last(state)
    except Unseen as reason:
        if state.blind:
            text = f"{reason}: is the game over?"
            return state, [GAME.ruling("END-05", "NOT_OBSERVED", event, text)]
        last = False
    if not last and not 0 < limit <= state.memory.exchanges:
        return state, []
    return _over(state, event)


def _over(state: State[Memory], event: Event) -> tuple[State[Memory], list[Ruling]]:
    setup, scores = state.setup, state.memory.scores
    tied = scores[0] == scores[1]
    text = " ".join(f"{seat}={n}" for seat, n in zip(setup.seats, scores, strict=True))
    if tied and setup.option("tie") == "extra_exchange":
        text = f"{text}: one more exchange decides"
        return state, [GAME.ruling("GAME-08", "INFO", event, text)]
    winner = "tie" if tied else setup.seats[scores.index(max(scores))]
    points = tuple(Points(seat, n) for seat, n in zip(setup.seats, scores, strict=True))
    ruling = GAME.ruling("END-05", "END", event, text, winner=winner, scores=points)
    return state.with_memory(replace(state.memory, stage="over")), [ruling]
