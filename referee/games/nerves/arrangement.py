"""Nerves: the arrangement."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerves.game import GAME, PILES, Memory, rule_of_play
from referee.games.nerves.places import (
    STAIRCASE,
    backs_on_top,
    column_of,
    fits_staircase,
    has_laid_all,
    heights,
    is_laying,
    is_live,
    is_own,
    is_play,
    is_staircase,
    is_turn,
    own_zones,
    puts_rest_down,
)
from referee.games.nerves.rows import (
    begins_column_too_early,
    begins_row_too_early,
    by_columns,
    is_short,
    is_sweep,
    row_to_lay,
    shifts_last,
)
from referee.rulebook import Case, Finding, replace
from referee.values import CardPlaced, PileMoved

# Two placements closer than this were laid by two hands at once; a hand needs longer between two
# columns (resolution of the house, not measured).
TWO_HANDS_NS = 120_000_000


def is_flagged(case: Case[Memory]) -> bool:
    """Return whether this event was flagged already: a row laid as one event is one act."""
    return case.memory.flagged == case.event.n


def _lays_last(case: Case[Memory]) -> bool:
    """Return whether a card is the last of a hand; of a packet that nobody counted it is not."""
    held = f"{case.seat}.held"
    return case.before.table.knows(held) and case.before.height(held) == 1


def _unfinished(case: Case[Memory], text: str, *, owes: bool | None = None) -> Finding:
    """Return the finding that an arrangement is not as it must be: all that lies there tells it."""
    return Finding(case.seat, text, owes, own_zones(case.before, case.seat))


def _goes_on(case: Case[Memory], text: str) -> Finding:
    """Return the finding that a player goes on before his arrangement is finished.

    Of a packet that nobody counted it is not known whether any card is left for his rest pile.
    """
    held = f"{case.seat}.held"
    return replace(_unfinished(case, text), surely=case.before.table.knows(held))


@rule_of_play(
    "ARR-01",
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="correct the shape first",
    by="ours",
    watches=(
        PileMoved,
        CardPlaced,
    ),
    moves=("held>rest", "held>arr"),
    ok="A.row1 cols 1-5, row2 cols 1-4, row3 1-3, row4 1-2, row5 col 1",
    no="row2 laid on cols 1,2,3,5 (heights 5,4,3,1,2)",
    options=("short",),
)
def staircase(case: Case[Memory]) -> Iterator[Finding]:
    """The own cards are laid out in five piles of 5, 4, 3, 2 and 1 cards, counted from the
    player's left to the right (15 cards).
    """
    if puts_rest_down(case) and case.seat not in case.memory.correcting:
        columns = heights(case.before, case.seat)
        if not is_staircase(columns):
            shape = ", ".join(map(str, columns))
            yield _unfinished(case, f"the columns hold {shape}", owes=False)
    elif is_laying(case) and _lays_last(case):
        columns, column = heights(case.before, case.seat), column_of(case.moved.target)
        laid = tuple(h + (place == column) for place, h in enumerate(columns, start=1))
        if not fits_staircase(laid):
            yield _unfinished(case, "the cards make no staircase", owes=False)


GAME.declare(
    "ARR-02",
    "The mirror image 1, 2, 3, 4, 5 is allowed.",
    source="Arrangement of the cards",
    observer="C",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="B.row2 on cols 2-5, row3 on cols 3-5 ...",
    no="half mirrored (row2 cols 1-4, row3 cols 2-4) -> ARR-01",
)


@rule_of_play(
    "ARR-03",
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="turn the top card up first",
    by="ours",
    watches=(
        PileMoved,
        CardPlaced,
    ),
    moves=("held>rest",),
    ok="row1: (5S) (5C) (7D) (2S) QD in the 5-4-3-2-1 shape",
    no="rest pile put down while A.arr.3 shows a back",
)
def top_cards_face_up(case: Case[Memory]) -> Iterator[Finding]:
    """The top card of each pile is face up."""
    if puts_rest_down(case) and (down := backs_on_top(case.before, case.seat)):
        yield _unfinished(case, f"{down[0]} shows a back", owes=False)


@rule_of_play(
    "ARR-04",
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="turn the covered card down",
    by="ours",
    watches=(CardPlaced,),
    moves=("held>arr",),
    ok="(8H) then 3C on it",
    no="row1 col 1 placed up and row2 laid on it",
)
def covered_cards_face_down(case: Case[Memory]) -> Iterator[Finding]:
    """All covered cards of the arrangement are face down."""
    if is_laying(case) and not is_flagged(case):
        top = case.before.top(case.moved.target)
        if top is not None and top.up:
            yield Finding(case.seat, f"{case.before.face(top)} is covered face up", owes=False)


GAME.declare(
    "ARR-05",
    (
        "The back row (the five bottom cards, whose edges show farthest from the player) is "
        "laid first."
    ),
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    because="every row begun too early is ARR-06",
    ok="first five placements go to five different empty columns",
    no="second placement covers the first",
)


@rule_of_play(
    "ARR-06",
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="pick the card up and lay it in order",
    by="ours",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("arr>arr", "held>arr"),
    ok="row1 five cards, then row2",
    no="three cards of row1, then a card on column 1",
    options=("short",),
)
def row_behind_complete(case: Case[Memory]) -> Iterator[Finding]:
    """A row may be begun only when the row behind it is complete."""
    target, seat = case.moved.target, case.seat
    if is_live(case) or seat is None or is_flagged(case):
        return
    if is_own(case, case.origin, "arr") and is_own(case, target, "arr") and not case.moved.turned:
        excused = seat in case.memory.correcting or has_laid_all(case.before, seat)
        if not excused and not shifts_last(case):
            yield _goes_on(case, "the arrangement is not finished")
    elif is_laying(case):
        if case.setup.option("short") == "columns" and is_short(case):
            if begins_column_too_early(case.before, seat, target):
                yield _unfinished(case, "an earlier column is not complete")
        elif begins_row_too_early(case.before, seat, target):
            yield _unfinished(case, f"row {case.before.height(target)} is not complete")


@rule_of_play(
    "ARR-07",
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="procedure",
    remedy="none once the row is complete",
    by="ours",
    watches=(CardPlaced,),
    moves=("held>arr",),
    ok="cols 1,2,3,4,5 or 5,4,3,2,1",
    no="cols 1,3,2,4,5",
    options=("short",),
)
def one_sweep(case: Case[Memory]) -> Iterator[Finding]:
    """A row is laid in one sweep from left to right or from right to left, without skipping."""
    if not is_laying(case) or is_flagged(case) or case.seat is None:
        return
    number = case.before.height(case.moved.target) + 1
    row = row_to_lay(case.before, case.seat, number)
    column = column_of(case.moved.target)
    if row.broken or column in row.back or not row.columns:
        return
    columns = (*row.columns, column)
    if not is_sweep(columns, row.given) and not by_columns(case):
        yield _unfinished(case, f"columns {', '.join(map(str, columns))}")


@rule_of_play(
    "ARR-08",
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="finish the arrangement first",
    by="ours",
    watches=(
        PileMoved,
        CardPlaced,
    ),
    moves=("held>rest",),
    ok="row5 placed, then PileMoved A.L A.held>A.rest",
    no="PileMoved A.held>A.rest after row3",
)
def rest_pile_last(case: Case[Memory]) -> Iterator[Finding]:
    """The remaining cards become the rest pile only when the arrangement is complete."""
    first = puts_rest_down(case) and case.seat not in case.memory.correcting
    if first and sum(heights(case.before, case.seat)) < sum(STAIRCASE):
        yield _unfinished(case, "the staircase is not complete")


GAME.declare(
    "ARR-09",
    (
        "The rest pile lies to the player's right and in front of the arrangement (towards "
        "the middle of the table), outermost in the middle line."
    ),
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="procedure",
    remedy="move the rest pile",
    by="ours",
    ok="A.rest at A's right end of the middle line, B.rest at the opposite end",
    no="A.rest at A's left (beside B.rest) or behind the arrangement",
)

GAME.declare(
    "ARR-10",
    (
        "Between the two rest piles there is room for two playing piles and some more space "
        "between those."
    ),
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="procedure",
    remedy="make room for a flat hand",
    by="ours",
    ok="rest piles >= 4 card widths + gap apart",
    no="playing piles touching each other",
    options=("mid_mm",),
)

GAME.declare(
    "ARR-11",
    "The two outermost piles of the middle line are the rest cards.",
    source="Arrangement of the cards",
    observer="K",
    kind="DEF",
    severity="info",
    because="a definition",
    ok="outermost pile at A's right = A.rest",
    no="an inner pile is treated as rest -> zone error, operator query",
)


@rule_of_play(
    "ARR-12",
    source="Arrangement of the cards",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="put the card back and finish the arrangement",
    by="ours",
    watches=(
        CardPlaced,
        PileMoved,
    ),
    moves=("rest>*", "arr>play", "held>play"),
    ok="PileMoved A.held>A.rest, then CardPlaced A.rest>play.A",
    no="CardPlaced A.R 6D A.rest>play.A while A.held still has arrangement cards",
)
def arrangement_before_play(case: Case[Memory]) -> Iterator[Finding]:
    """A player may turn rest cards (and play) only after finishing the own arrangement."""
    if case.seat is None or is_live(case) or not (is_turn(case) or is_play(case)):
        return
    if has_laid_all(case.before, case.seat):
        return
    chosen_ns = case.memory.chosen_ns
    late_ns = case.setup.span_ns("race.contention_s")
    # Who played just as the piles were hit could not know it yet.
    if chosen_ns is None or case.event.t_ns - chosen_ns > late_ns or case.memory.row_of(case.seat):
        yield _goes_on(case, f"{case.seat} has not finished arranging")


GAME.declare(
    "ARR-13",
    "Nobody waits for the other: who has finished may turn and play at once.",
    source="Arrangement of the cards",
    observer="K",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="B live and playing while A lays row 3",
    no="referee stops B because A is not ready -> referee error",
)


@rule_of_play(
    "ARR-14",
    source="Arrangement of the cards",
    observer="H",
    kind="DUTY",
    severity="procedure",
    remedy="lay the second card again",
    by="ours",
    watches=(CardPlaced,),
    moves=("rest>*", "arr>play", "held>play", "held>arr"),
    ok="A.R lays three cards, then A.L lays two",
    no="CardPlaced A.R arr.2 t=1.50; CardPlaced A.L arr.3 t=1.56",
    options=("one_hand_play",),
)
def one_hand_lays(case: Case[Memory]) -> Iterator[Finding]:
    """Only one hand at a time lays cards in the arrangement; either hand may be used and hands may
    be swapped.
    """
    if is_flagged(case) or case.hand not in ("L", "R"):
        return
    if is_laying(case):
        row = case.memory.row_of(case.seat)
        if row and row.t_ns is not None and _overlaps(case, row.t_ns, row.hand):
            yield Finding(case.seat, "both hands lay cards at the same time")
    elif case.setup.is_on("one_hand_play") and (is_play(case) or is_turn(case)):
        last = [case.before.arrivals[pile] for pile in PILES if pile in case.before.arrivals]
        for arrival in last:
            if arrival.seat == case.seat and _overlaps(case, arrival.instant.t_ns, arrival.hand):
                yield Finding(case.seat, "both hands play at the same time")
                return


def _overlaps(case: Case[Memory], t_ns: int, hand: str | None) -> bool:
    """Return whether the other hand laid a card at the same time, or while this one was carried."""
    event = case.event
    assert isinstance(event, CardPlaced)
    other = hand in ("L", "R") and hand != case.hand
    carried = event.carry_ns is not None and event.carry_ns < t_ns
    return other and (carried or abs(event.t_ns - t_ns) <= TWO_HANDS_NS)
