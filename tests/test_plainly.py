"""Acts that a camera did not follow surely, and that show plainly before and after."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from referee.app.deciding import WAIT_NS, Deciding
from referee.app.sitting import Sitting
from referee.games import find_game
from referee.notation import read_matches
from referee.table.layout import plan
from referee.table.shown import Shown
from referee.values import Event, Ruling

Labels = Mapping[str, tuple[str, ...]]
UNDER = """\
match UNDER A king under a jack, where only a queen may go
  game nerds
  phase PLAY
  state
    A.nerts | [A:5D] A:KH
    A.work.1 | A:JS A:TD
    A.work.2 | A:2C
    B.nerts | [B:5D] B:KS
  events
    1 5.000 CardPlaced A.R A:KH A.nerts>A.work.1 up under carry=4.500 src=camera conf=0.94
"""
BLOCK = """\
match BLOCK Two cards at once to a foundation
  game nertz
  phase PLAY
  state
    A.nerts | [A:5D] A:KD
    A.work.1 | A:3D A:2D
    B.nerts | [B:5D] B:KS
    F.1 | B:AD
  events
    1 5.000 PileMoved A.R A.work.1>F.1 n=2 src=camera conf=0.94
"""
BEFORE: Mapping[str, Labels] = {
    UNDER: {"A.nerts": ("KH",), "A.work.1": ("JS", "TD"), "A.work.2": ("2C",),
            "B.nerts": ("KS",)},
    BLOCK: {"A.nerts": ("KD",), "A.work.1": ("3D", "2D"), "F.1": ("AD",), "B.nerts": ("KS",)},
}  # fmt: skip
AFTER: Mapping[str, Labels] = {
    UNDER: {"A.nerts": ("BACK",), "A.work.1": ("KH", "JS", "TD")},
    BLOCK: {"A.work.1": (), "F.1": ("2D",)},
}


class Heard:
    """Remembers the rulings of a match."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def on_event(self, event: Event) -> None: ...

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        self.kinds += [ruling.kind for ruling in rulings]


def ruled(text: str, before: Labels, after: Labels, *, seen_ms: int = 4_450) -> list[str]:
    """Judge one act over a table that was seen last before it at `seen_ms`, and after it."""
    (match,) = read_matches(text)
    game, heard = find_game(match.game), Heard()
    shown = [Shown(before)]
    sitting = Sitting(match, game, (), [heard])
    deciding = Deciding(
        plan(match.game, match.seats), f"{game.prefix}-{game.census_rule}",
        lambda: shown[-1], lambda _: False,
    )  # fmt: skip
    *earlier, act = match.events
    for one in earlier:
        sitting.feed(one)
    deciding.take(sitting, seen_ms * 1_000_000, ())
    shown.append(Shown({zone: labels for zone, labels in after.items() if labels}))
    deciding.take(sitting, act.t_ns + WAIT_NS, (act,))
    return heard.kinds


@pytest.mark.parametrize("text", [UNDER, BLOCK], ids=["under", "block"])
def test_an_act_that_shows_before_and_after_is_ruled(text: str) -> None:
    assert ruled(text, BEFORE[text], {**BEFORE[text], **AFTER[text]}) == ["VIOLATION"]


def test_another_card_may_lie_between_where_the_pile_was_not_seen_for_long() -> None:
    told = ruled(UNDER, BEFORE[UNDER], {**BEFORE[UNDER], **AFTER[UNDER]}, seen_ms=4_000)
    assert told == ["QUERY"]


def test_a_block_that_left_a_card_behind_is_asked_about() -> None:
    assert ruled(BLOCK, BEFORE[BLOCK], {**BEFORE[BLOCK], "F.1": ("2D",)}) == ["QUERY"]


@pytest.mark.parametrize(
    ("shows", "told"), [(("8H",), ["VIOLATION"]), (("BACK",), ["QUERY"]), ((), ["QUERY"])]
)
def test_of_several_that_were_turned_at_once_nobody_knows_which_the_last_one_hid(
    shows: tuple[str, ...], told: list[str]
) -> None:
    text = BLOCK.replace("    B.nerts", "    A.waste | A:QC A:??\n    B.nerts")
    before = {**BEFORE[BLOCK], "A.waste": shows}
    assert ruled(text, before, {**before, **AFTER[BLOCK]}) == told


OFF_A_FOUNDATION = """\
match OFF A card of a foundation on a work pile, where another may lie below it
  game nerds
  phase PLAY
  state
    A.nerts | [A:5D] A:KH
    A.work.1 | A:4S
    A.work.2 | A:2C
    B.nerts | [B:5D] B:KS
    F.1 | B:AD A:2D B:3D
  events
    1 5.000 CardPlaced A.R B:3D F.1>A.work.1 up carry=4.500 src=camera conf=0.91
"""


@pytest.mark.parametrize(
    ("act", "told"),
    [("B:3D F.1>A.work.1", ["VIOLATION"]), ("A:2C A.work.2>A.work.1", ["QUERY"])],
    ids=["wrong on any", "wrong on the four"],
)
@pytest.mark.parametrize("below", [("4S",), ("4S", "8H")], ids=["as known", "another"])
def test_what_a_card_was_laid_on_does_not_matter_where_it_is_wrong_on_any(
    below: tuple[str, ...], act: str, told: list[str]
) -> None:
    text = OFF_A_FOUNDATION.replace("B:3D F.1>A.work.1", act)
    before = {"A.nerts": ("KH",), "A.work.1": below, "A.work.2": ("2C",), "F.1": ("3D",),
              "B.nerts": ("KS",)}  # fmt: skip
    left = {"F.1": ("2D",)} if "F.1" in act else {"A.work.2": ()}
    laid = {"A.work.1": (*below, "3D" if "F.1" in act else "2C")}
    assert ruled(text, before, {**before, **left, **laid}) == told


def test_nor_is_it_ruled_where_another_card_than_was_told_shows_on_it() -> None:
    before = {"A.nerts": ("KH",), "A.work.1": ("4S",), "A.work.2": ("2C",), "F.1": ("3D",),
              "B.nerts": ("KS",)}  # fmt: skip
    after = {**before, "F.1": ("2D",), "A.work.1": ("4S", "8D")}
    assert ruled(OFF_A_FOUNDATION, before, after) == ["QUERY"]


OF_THE_STACK = """\
match STACK A card of the closed stack on one two ranks away
  game spy
  phase PLAY
  state
    A.stack | [3H 9C 7H]
    A.deck | [2C 4D 6S]
    A.pile.1 | 9D
    A.pile.2 | KS
    A.pile.3 | 2H
    A.pile.4 | 4C
  events
    1 5.000 CardPlaced A.R 7H A.stack>A.pile.1 up src=camera conf=0.92
"""
ON_PILES: Labels = {
    "A.stack": ("BACK",), "A.deck": ("BACK",), "A.pile.1": ("9D",), "A.pile.2": ("KS",),
    "A.pile.3": ("2H",), "A.pile.4": ("4C",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("act", "card", "told"),
    [
        ("7H A.stack>A.pile.1", "7H", ["VIOLATION"]),
        ("8C A.deck>A.pile.1", "8C", ["QUERY"]),
        ("8C A.stack>A.pile.1", "8C", []),
    ],
    ids=["it fits from neither", "it fits from the stack", "it fits"],
)
def test_a_card_that_is_wrong_from_whichever_pile_is_ruled(
    act: str, card: str, told: list[str]
) -> None:
    text = OF_THE_STACK.replace("7H A.stack>A.pile.1", act).replace("9C 7H", f"9C {card}")
    assert ruled(text, ON_PILES, {**ON_PILES, "A.pile.1": (card,)}) == told


@pytest.mark.parametrize(
    ("card", "told"), [("8C", ["VIOLATION"]), ("6C", [])], ids=["it fits", "it fits nowhere"]
)
def test_what_lies_beside_a_card_that_is_laid_aside_does_not_matter(
    card: str, told: list[str]
) -> None:
    laid = OF_THE_STACK.replace("7H A.stack>A.pile.1", f"{card} A.stack>A.aside")
    text = laid.replace("9C 7H", f"9C {card}")
    assert ruled(text, ON_PILES, {**ON_PILES, "A.aside": (card,)}) == told


@pytest.mark.parametrize(
    ("card", "told"),
    [("5H", ["VIOLATION", "VIOLATION"]), ("7H", ["VIOLATION"])],
    ids=["it fits", "it fits nowhere"],
)
def test_a_card_that_was_long_in_the_air_may_have_lain_on_its_stack(
    card: str, told: list[str]
) -> None:
    wrong = f"1 2.000 CardPlaced A.R {card} A.stack>A.pile.1 up"
    aside = f"2 5.000 CardPlaced A.R {card} A.pile.1>A.aside up src=camera conf=0.92"
    text = OF_THE_STACK.partition("    1 5.000")[0].replace("9C 7H", f"9C {card}")
    before = {**ON_PILES, "A.pile.1": (card,)}
    after = {**ON_PILES, "A.aside": (card,)}
    assert ruled(f"{text}    {wrong}\n    {aside}\n", before, after) == told
