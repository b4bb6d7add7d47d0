"""What can be declared in each game, as the buttons that players and operators see."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from referee.screens.board import ButtonShown


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declaration: `own` ones are each player's, others are everybody's, once.

    `option` is the house option, and its value, with which alone it means something.
    """

    what: str
    label: str
    hint: str
    words: tuple[str, ...] = ()
    own: bool = True
    ask: str | None = None
    big: bool = False
    option: tuple[str, str] | None = None


START = Declaration("start", "Start", "said aloud; play begins now", own=False, big=True)
CLAIM = Declaration("claim", "I claim a fault", "kept with the last ten seconds", ask="rule")
JOKERS = tuple(
    Declaration(
        "joker",
        f"Joker {n} is …",
        "before it is laid",
        (f"{{seat}}:X{n}",),
        ask="joker",
        option=("jokers", "2"),
    )
    for n in (1, 2)
)
STUCK = Declaration("stuck", "Stuck", "I have no move left")

OF_GAME: Mapping[str, tuple[Declaration, ...]] = {
    "nerves": (
        Declaration("choose", "The half in place", "I take the half left in place", ("deck",)),
        Declaration("choose", "The half beside", "I take the half laid beside", ("cut.1",)),
        Declaration("name", "A name was said", "before the start", own=False, ask="text"),
        START,
        Declaration("resume", "Go on", "end the wait after a slap; both players say it", big=True),
        Declaration("hand", "My left hand", "it was my left hand that hit", ("L",)),
        Declaration("hand", "My right hand", "it was my right hand that hit", ("R",)),
        Declaration("turnfault", "Wrong turn", "a rest card was turned while I could still play"),
        Declaration("stalemate:draw", "Nobody can play: a draw", "when both say it"),
        Declaration("stalemate:choose", "Nobody can play: choose piles", "when both say it"),
        CLAIM,
    ),
    "xix": (
        Declaration("leader", "{seat} leads first", "as drawn at random", ("{seat}",), own=False),
        Declaration("raise", "Raise", "I take the strike and play on", big=True),
        Declaration("abandon", "Abandon", "I give this exchange up", big=True),
        CLAIM,
    ),
    "spy": (
        START,
        Declaration("finished", "Finished!", "my last closed card lies", big=True),
        Declaration("blocked", "Blocked", "I cannot go on"),
        Declaration(
            "score", "My points …", "of this game", ask="number", option=("procedure", "pagat")
        ),
        CLAIM,
    ),
    "nerds": (
        START,
        Declaration("call", "Nerds!", "my Nerds pile is empty", big=True),
        STUCK,
        CLAIM,
    ),
    "nertz": (
        START,
        Declaration("call", "Nertz!", "my nerts stack is empty", big=True),
        STUCK,
        *JOKERS,
        CLAIM,
    ),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the game waits for, or has no use for, now: `seat` None is everybody."""

    seat: str | None
    what: str


def buttons(
    game: str,
    seats: tuple[str, ...],
    options: Mapping[str, str],
    due: Collection[Wanted] = (),
    idle: Collection[str] = (),
) -> tuple[ButtonShown, ...]:
    """Return the buttons of a game: the common ones first, then each seat's."""
    found = []
    for declaration in OF_GAME.get(game, (CLAIM,)):
        if declaration.option and options.get(declaration.option[0]) != declaration.option[1]:
            continue
        if declaration.own:
            found += [_button(declaration, seat, seat, due, idle) for seat in seats]
        elif "{seat}" in declaration.label:
            found += [_button(declaration, None, seat, due, idle) for seat in seats]
        else:
            found.append(_button(declaration, None, "", due, idle))
    return tuple(sorted(found, key=lambda button: button.seat or ""))


def _button(
    declaration: Declaration,
    seat: str | None,
    named: str,
    due: Collection[Wanted],
    idle: Collection[str],
) -> ButtonShown:
    return ButtonShown(
        seat=seat,
        what=declaration.what,
        words=tuple(word.replace("{seat}", named) for word in declaration.words),
        label=declaration.label.replace("{seat}", named),
        hint=declaration.hint,
        ask=declaration.ask,
        due=Wanted(seat, declaration.what) in due,
        open=declaration.what not in idle,
        big=declaration.big,
    )
