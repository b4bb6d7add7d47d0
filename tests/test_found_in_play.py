"""A game that was found in play: the first acts tell whether it is played, drafted or traded."""

from __future__ import annotations

import pytest
from test_deciding import Watched

from referee.app.came_late import as_it_lies
from referee.app.deciding import WAIT_NS
from referee.table.habits import XIX
from referee.table.shown import Shown
from referee.values import CardPlaced

BARE = """\
match FOUND A game of XIX as a camera finds it
  game xix
  players A B
  phase TRICK
  state
    A.open | 5
    B.open | 16
    mid |
    talon.1 | [2]
    talon.2 | 6
    talon.3 | [8]
    talon.4 | [10]
    talon.5 | [13]
  events
"""
SURELY = "src=camera conf=0.98"
LIES = {
    "A.open": ("5",),
    "B.open": ("16",),
    "talon.1": ("BACK",),
    "talon.2": ("6",),
    "talon.3": ("BACK",),
    "talon.4": ("BACK",),
    "talon.5": ("BACK",),
}
OPEN_ONE = f"CardPlaced B.R 6 talon.2>B.open up {SURELY}"
HIDDEN_ONE = f"CardPlaced B.R (8) talon.3>B.closed down {SURELY}"
GIVES = f"CardPlaced B.R 16 B.open>talon.3 up {SURELY}"
LEADS = f"CardPlaced B.R 9 B.closed>mid up {SURELY}"


def found(*acts: str, text: str = BARE, **shown: tuple[str, ...]) -> list[str]:
    """Return the rules by which somebody is accused in a game that is found, and then questions."""
    events = "".join(f"    {n} {2 + n}.000 {act}\n" for n, act in enumerate(acts, 1))
    lies = LIES | {zone.replace("_", "."): labels for zone, labels in shown.items()}
    table = Watched(text + events, lies)
    table.deciding.presumed = True
    table.play(WAIT_NS)
    table.wait(2 * WAIT_NS)
    told = ("VIOLATION", "QUERY")
    return [f"{one.kind} {one.rule} {one.player}" for one in table.rulings if one.kind in told]


def test_who_takes_a_talon_card_trades_and_takes_a_hidden_one_first() -> None:
    assert found(OPEN_ONE, talon_2=(), B_open=("16", "6")) == ["VIOLATION XIX-TRADE-03 B"]


ALL_OPEN = BARE.replace("[2]", "2").replace("[8]", "8").replace("[10]", "10").replace("[13]", "13")


def test_who_takes_an_open_talon_card_trades_and_lays_it_open() -> None:
    """That it stays open is said of every card: of a trade it is said where it goes."""
    hides = f"CardPlaced B.R 10 talon.4>B.closed down {SURELY}"
    lie = {"talon_1": ("2",), "talon_3": ("8",), "talon_4": (), "talon_5": ("13",)}
    assert found(hides, text=ALL_OPEN, **lie) == ["VIOLATION XIX-TRADE-05 B"]


def test_who_takes_a_card_of_the_middle_drafts_and_lays_it_open() -> None:
    text = BARE.replace("mid |", "mid | 1 17 9 18")
    hides = f"CardPlaced B.R 17 mid>B.closed down {SURELY}"
    assert found(hides, text=text, mid=("1", "9", "18")) == ["VIOLATION XIX-DRAFT-05 B"]


def test_a_right_trade_is_no_fault_in_a_game_that_was_found() -> None:
    assert found(HIDDEN_ONE, GIVES, talon_3=("16",), B_open=()) == []


@pytest.mark.parametrize(("then", "kind"), [("B", "QUERY"), ("A", "VIOLATION")])
def test_who_takes_a_talon_card_may_have_won_and_the_other_one_trades_rightly(
    then: str, kind: str
) -> None:
    """Who takes a second one himself errs, be he the one who lost or not."""
    first = f"CardPlaced A.R (10) talon.4>A.closed down {SURELY}"
    second = f"CardPlaced {then}.R (8) talon.3>{then}.closed down {SURELY}"
    blamed = "None" if kind == "QUERY" else then
    assert found(first, second, talon_3=(), talon_4=()) == [f"{kind} XIX-TRADE-07 {blamed}"]


def test_who_laid_a_card_where_one_had_been_taken_before_has_traded() -> None:
    text = BARE.replace("talon.3 | [8]", "talon.3 |")
    assert found(GIVES, text=text, talon_3=("16",), B_open=()) == []


def test_who_drafts_first_where_a_card_was_taken_before_has_won() -> None:
    text = BARE.replace("mid |", "mid | 1 17 9")
    first, then = f"B.R 17 mid>B.open up {SURELY}", f"A.R 1 mid>A.open up {SURELY}"
    picks = f"CardPlaced {first}", f"CardPlaced {then}"
    assert found(*picks, text=text, mid=("9",), B_open=("16", "17"), A_open=("5", "1")) == []


def test_who_leads_face_down_has_not_lost_and_given_up_before() -> None:
    hidden = f"CardPlaced B.R (9) B.closed>mid down {SURELY}"
    assert found(hidden, mid=("BACK",)) == ["VIOLATION XIX-TRICK-02 B"]


def test_the_second_card_of_who_led_to_a_bare_middle_is_ruled() -> None:
    second = f"CardPlaced B.R 16 B.open>mid up {SURELY}"
    assert found(LEADS, second, mid=("9", "16"), B_open=()) == ["VIOLATION XIX-TRICK-01 B"]


@pytest.mark.parametrize("mid", ["mid | 15", "mid | 15 4"], ids=["a lead", "a trick"])
def test_a_card_in_a_trick_that_was_begun_before_is_held_against_nobody(mid: str) -> None:
    """Who led the first card nobody saw."""
    second = f"CardPlaced B.R 16 B.open>mid up {SURELY}"
    labels = (*mid.split()[2:], "9", "16")
    told = found(LEADS, second, text=BARE.replace("mid |", mid), mid=labels, B_open=())
    assert not [one for one in told if one.startswith("VIOLATION")]


BEFORE_THE_START = """\
match START Two players with their piles before them; nobody tells the referee that they begin
  game nertz
  players A B
  phase SETUP
  state
    A.nerts | [A:5D] A:{card}
    B.nerts | [B:4D] B:KS
    F.1 |
  events
"""


@pytest.mark.parametrize(
    ("card", "told"), [("2S", ["VIOLATION NERTZ-FOUND-01 A"]), ("AS", [])], ids=["wrong", "right"]
)
def test_who_lays_a_card_has_begun_though_nobody_said_so(card: str, told: list[str]) -> None:
    """The start is said aloud: only what is wrong with the card itself is held against him."""
    text = BEFORE_THE_START.replace("{card}", card)
    act = f"CardPlaced A.R A:{card} A.nerts>F.1 up {SURELY}"
    shown = {"A.nerts": ("BACK",), "B.nerts": ("KS",), "F.1": (card,)}
    table = Watched(f"{text}    1 3.000 {act}\n", shown)
    table.play(WAIT_NS)
    table.sitting.close()
    ruled = [f"{one.kind} {one.rule} {one.player}" for one in table.rulings]
    assert [one for one in ruled if one.startswith(("VIOLATION", "QUERY"))] == told


IN_TRICK = BARE.replace("A.open | 5", "A.open | 5 7").replace("B.open | 16", "B.open | 16 1")
TRICK = (f"CardPlaced A.R 7 A.open>mid up {SURELY}", f"CardPlaced B.R 16 B.open>mid up {SURELY}")


def test_a_draft_after_an_abandon_that_nobody_heard_is_asked_about_where_both_ways_are_wrong() -> (
    None
):
    """A lost: had he abandoned he would choose first, else nobody may take from the middle."""
    drafts = f"CardPlaced B.R 7 mid>B.open up {SURELY}"
    lie = {"A_open": ("5",), "B_open": ("1", "7"), "mid": ("16",)}
    ruled = found(*TRICK, drafts, text=IN_TRICK, **lie)
    assert [one.split()[0] for one in ruled] == ["QUERY"]


@pytest.mark.parametrize(("taken_s", "pos"), [(8, 1), (10, None)])
def test_a_hidden_talon_card_that_is_told_late_was_taken_from_under_the_one_laid_there_since(
    taken_s: int, pos: int | None
) -> None:
    acts = f"    1 9.000 {GIVES}\n    2 {taken_s}.000 {HIDDEN_ONE}\n"
    table = Watched(BARE + acts, LIES | {"talon.3": ("16",), "B.open": ()})
    laid, taken = table.match.events
    table.deciding.take(table.sitting, laid.t_ns + WAIT_NS, (laid,))
    told = as_it_lies(table.sitting.state, taken, XIX)
    assert isinstance(told, CardPlaced)
    assert told.pos == pos


NERVES_FOUND = """\
match FOUND A game of Nerves as a camera finds it
  game nerves
  players A B
  phase PLAY
  state
    A.arr.1 | 9C
    A.arr.2 | [TH] JS
    B.arr.1 | 6S
    B.arr.2 | QD
    A.rest | [3D 3S QH 4C]
    B.rest | [AD KS 4H 5D]
    play.A | 2H 8D
    play.B | 7D 5C
  events
"""
LAYS_NINE = f"CardPlaced A.R 9C A.arr.1>play.A up {SURELY}"
LAYS_SIX = f"CardPlaced B.R 6S B.arr.1>play.B up {SURELY}"
TAKES_SIX, TAKES_FIVE = (
    f"CardPlaced A.R {card} play.B>A.arr.3 up {SURELY}" for card in ("6S", "5C")
)
SEEN_FIRST = {
    "A.rest": ("BACK",),
    "B.rest": ("BACK",),
    "A.arr.1": ("9C",),
    "A.arr.2": ("JS",),
    "B.arr.1": ("6S",),
    "B.arr.2": ("QD",),
    "play.A": ("8D",),
    "play.B": ("5C",),
}


@pytest.mark.parametrize(
    ("acts", "changes", "kind"),
    [
        (
            (LAYS_NINE, LAYS_SIX, TAKES_SIX),
            (
                {"A.arr.1": (), "play.A": ("9C",)},
                {"B.arr.1": (), "play.B": ("6S",)},
                {"A.arr.3": ("6S",), "play.B": ("5C",)},
            ),
            "VIOLATION",
        ),
        ((TAKES_FIVE,), ({"A.arr.3": ("5C",), "play.B": ("7D",)},), "QUERY"),
    ],
    ids=["cards fitted", "at once"],
)
def test_where_cards_fit_a_hand_of_nerves_is_on_and_no_card_is_taken_off_a_pile(
    acts: tuple[str, ...], changes: tuple[dict[str, tuple[str, ...]], ...], kind: str
) -> None:
    """Else it may have been won before the camera saw it, and the piles are gathered up."""
    events = "".join(f"    {n} {2 + n}.000 {act}\n" for n, act in enumerate(acts, 1))
    table, lies = Watched(NERVES_FOUND + events, SEEN_FIRST), dict(SEEN_FIRST)
    table.deciding.presumed = True
    for event, change in zip(table.match.events, changes, strict=True):
        lies |= change
        table.seen = Shown(lies)
        table.deciding.take(table.sitting, event.t_ns + WAIT_NS, (event,))
    table.wait(2 * WAIT_NS)
    told = [(one.kind, one.rule) for one in table.rulings if one.kind in ("VIOLATION", "QUERY")]
    assert told == [(kind, "NERVES-PILE-01")]
