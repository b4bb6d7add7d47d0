"""Nerds: the call, scoring, the own layout and single cards."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerds.game import (
    GAME,
    MOVES,
    Memory,
    is_foundation,
    is_on,
    is_play,
    is_too_late,
    mover,
    part_of,
    seat_of,
)
from referee.rulebook import Case, Finding
from referee.rulebook.asking import may_put_right


def is_other_layout(case: Case[Memory]) -> bool:
    """Return whether another player's cards are moved, or cards go to another player's zone."""
    seats = {seat_of(case.origin), seat_of(case.moved.target)} - {""}
    return mover(case) is not None and bool(seats - {mover(case)})


def is_onto_own_pile(case: Case[Memory]) -> bool:
    """Return whether cards come to a draw, discard or Nerds pile that nothing is played onto."""
    source, target = part_of(case.origin), part_of(case.moved.target)
    if target == "nerts":
        return source in ("work", "waste", "stock")
    if target == "stock":
        return source in ("work", "nerts")
    return target == "waste" and source in ("work", "nerts")


GAME.declare(
    "CALL-01",
    "The player whose last Nerds card is played yells or clicks 'Nerds!'.",
    source="Call",
    observer="D",
    kind="DEF",
    severity="decision",
    ok="Declared A call",
    no="hand stopped without any call (camera only): ask",
    because="a definition",
)


@GAME.rule(
    "CALL-02",
    source="Call",
    observer="CD",
    kind="END",
    severity="fault",
    remedy="take the card back, it does not count",
    watches=MOVES,
    moves=("*>ace", "*>work"),
    ok="call 5.600; nothing after",
    no="call 5.600; B:3C>F.1 6.100",
    options=("end_on",),
)
def nothing_after_the_call(case: Case[Memory]) -> Iterator[Finding]:
    """As soon as this happens play ends: no card may be played after it."""
    # A card of the draw pile on an empty place is the next hand being dealt.
    dealt = part_of(case.origin) == "stock" and not case.before.table.pile(case.moved.target)
    dealt = dealt and part_of(case.moved.target) == "work"
    if is_too_late(case) and is_play(case) and not dealt and not case.moved.turned:
        yield Finding(mover(case), "the hand is over")


GAME.declare(
    "CALL-03",
    "The call is valid only with an empty Nerds pile.",
    source="Call",
    observer="CK",
    kind="DUTY",
    severity="void",
    ok="A.nerts empty",
    no="Declared A call with one card left",
    remedy="play goes on",
    options=("false_call",),
)


GAME.declare(
    "SCORE-01",
    "Hand score = number of own cards in the ace piles minus number of cards left in the "
    "own Nerds pile, the face-up one included (penalty 1 each; option nerds.penalty).",
    source="Scoring",
    observer="KC",
    kind="SCORE",
    severity="decision",
    ok="4 cards, 0 left -> +4; 1 card, 13 left -> -12",
    no="counting 2 per card (that is Nertz)",
    options=(
        "penalty",
        "false_call",
    ),
)


GAME.declare(
    "SCORE-02",
    "The highest score wins the hand (not necessarily the caller).",
    source="Scoring",
    observer="K",
    kind="DEF",
    severity="decision",
    ok="A +3, B +5, A called -> B wins the hand",
    no="caller announced although B scored more",
    because="a definition: told after each hand",
)


GAME.declare(
    "SCORE-03",
    "If the highest aggregate score exceeds the target, that player wins the game "
    "('exceeds': strictly more; option nerds.target_cmp).",
    source="Scoring",
    observer="K",
    kind="END",
    severity="decision",
    ok="101 with target 100",
    no="100 with target 100",
    options=(
        "target",
        "target_cmp",
    ),
)


GAME.declare(
    "SCORE-04",
    "The target is set when the game begins.",
    source="Scoring",
    observer="D",
    kind="DEF",
    severity="info",
    ok="Configured target=100",
    no="target changed after hand 2",
    because="a definition: a later target is only told",
    options=("target",),
)


@GAME.rule(
    "OWN-01",
    source="Own layout",
    observer="CH",
    severity="fault",
    remedy="put the cards back",
    watches=MOVES,
    ok="A.nerts>A.work.1",
    no="A.nerts>B.work.1; A.work.1>A.nerts",
)
def own_layout_only(case: Case[Memory]) -> Iterator[Finding]:
    """A player handles only the own layout: own draw, discard, Nerds and work piles; nothing is
    played onto them by others, nor onto the own draw, discard or Nerds pile from elsewhere.
    """
    if not is_on(case) or case.moved.turned:
        return
    if is_other_layout(case):
        yield Finding(mover(case), f"{case.origin}>{case.moved.target} is not the own layout")
    elif is_onto_own_pile(case):
        text = f"nothing is played onto {case.moved.target}"
        yield Finding(mover(case), text, surely=not may_put_right(case))


@GAME.rule(
    "HAND-02",
    source="Moves",
    observer="C",
    severity="fault",
    remedy="take the cards back",
    watches=MOVES,
    moves=("*>ace", "*>work"),
    ok="one card per move",
    no="PileMoved A.R A.work.1>F.1 n=2",
)
def one_at_a_time(case: Case[Memory]) -> Iterator[Finding]:
    """Cards are moved one at a time, except a whole work pile onto another (and the turning of
    the draw pile).
    """
    if not is_on(case) or case.moved.count == 1 or not seat_of(case.origin):
        return
    piles = part_of(case.origin) == part_of(case.moved.target) == "work"
    if is_foundation(case.moved.target) or (is_play(case) and not piles):
        yield Finding(mover(case), f"{case.moved.count} cards moved at once")
