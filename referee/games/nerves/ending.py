"""Nerves: playing piles and shuffling."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerves.game import GAME, MIDDLE, PILES, Memory, rule_of_play
from referee.games.nerves.places import part_of, tops_equal, tops_known, zones_of_arranged
from referee.games.nerves.running_out import grabs_pile
from referee.rulebook import Case, Finding, Unseen
from referee.values import CardPlaced, CardTurned, PileMixed, PileMoved, PileTaken


def takes_after_slap(case: Case[Memory]) -> bool:
    """Return whether a whole playing pile goes to a rest pile, or to a hand, over equal tops.

    Then the piles were slapped, whether a sensor told it or not.
    """
    memory, move = case.memory, case.moved
    if memory.lost is not None:
        helped = move.target in (f"{memory.lost.loser}.rest", f"{memory.lost.loser}.held")
        return move.origin in memory.lost.piles and (case.seat == memory.lost.loser or helped)
    whole = not isinstance(case.event, CardPlaced) and not move.height
    own = move.target in (f"{case.seat}.rest", f"{case.seat}.held")
    return whole and own and is_slapped(case)


def is_slapped(case: Case[Memory]) -> bool:
    """Return whether players play on, and a slap waits for its decision or the tops are equal."""
    if case.seat not in case.memory.live or case.memory.outs:
        return False
    return any(hit.spot == "mid" for hit in case.memory.hits) or tops_equal(case.before)


def _slap_seen(case: Case[Memory]) -> None:
    """Do nothing where a slap or a last card would have been seen. Unseen where it may not be."""
    arrivals = case.before.arrivals
    latest = (arrivals[pile].instant.t_ns for pile in PILES if pile in arrivals)
    if case.before.was_hidden(max(latest, default=0), *PILES, MIDDLE):
        raise Unseen("the piles were out of view")


def _may_be_taken_back(case: Case[Memory]) -> bool:
    """Whether a card lay on a pile before the camera saw it: laid by mistake, it goes back."""
    back = isinstance(case.event, CardPlaced) and part_of(case.moved.target) == "arr"
    return back and case.before.camera and case.moved.origin not in case.before.arrivals


@rule_of_play(
    "PILE-01",
    source="Re-arranging playing piles",
    observer="C",
    kind="DUTY",
    severity="fault",
    remedy="restore the order from the record",
    by="ours",
    watches=(
        CardPlaced,
        PileMoved,
        PileTaken,
        CardTurned,
    ),
    moves=("play>*",),
    ok="take-back of an owed card",
    no="CardPlaced B.R 4C play.A>B.arr.2",
)
def playing_piles_stay(case: Case[Memory]) -> Iterator[Finding]:
    """Cards on either playing pile are not re-arranged (moved within, pulled out, turned over)
    outside take-backs and takes.
    """
    memory, pile = case.memory, case.moved.origin
    if pile not in PILES or case.debt is not None:
        return
    chosen = pile in memory.untaken and not case.moved.turned
    chosen = chosen and memory.choice_of(case.seat) == pile
    chosen = chosen or (case.seat in memory.picking and not memory.choices)
    if not (chosen or grabs_pile(case) or takes_after_slap(case)):
        if part_of(case.moved.target) == "rest":
            # Over a top card that is not read a slap may have been decided.
            tops_known(case.before)
        _slap_seen(case)
        whole = not case.moved.height and part_of(case.moved.target) in ("rest", "held")
        # Somebody's last card, and the choice of a pile, may not have been seen.
        unseen = zones_of_arranged(case.before) if whole else ()
        surely = not _may_be_taken_back(case)
        yield Finding(case.seat, f"cards of {pile} are moved", rests_on=unseen, surely=surely)


@rule_of_play(
    "SHUF-01",
    source="Shuffling",
    observer="CH",
    kind="DUTY",
    severity="fault",
    remedy="record it and go on",
    by="ours",
    watches=(PileMixed,),
    ok="PileTaken play.A, PileTaken A.rest put under it",
    no="PileMixed A.? A.held riffle",
)
def never_shuffled(case: Case[Memory]) -> Iterator[Finding]:
    """No card is ever shuffled."""
    event = case.event
    assert isinstance(event, PileMixed)
    if event.way != "cut":
        yield Finding(case.seat, f"{event.zone} is shuffled")


@GAME.rule(
    "SHUF-02",
    source="Shuffling",
    observer="CU",
    kind="DUTY",
    severity="fault",
    remedy="record it and go on",
    by="ours",
    watches=(PileMixed,),
    ok="piles stacked, deck placed, cut",
    no="PileMixed after WON and before the next deck",
)
def not_between_games(case: Case[Memory]) -> Iterator[Finding]:
    """Not even between two games: the deck of the next game is the unshuffled remains of the
    last.
    """
    event = case.event
    assert isinstance(event, PileMixed)
    if case.memory.winner is not None and event.way != "cut":
        yield Finding(case.seat, "the deck is shuffled between two games")
