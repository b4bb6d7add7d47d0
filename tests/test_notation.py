"""The notation: match text to values and back without loss, and errors that say where."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.notation import NotationError, read_event, read_matches, write_event, write_match
from referee.values import CardPlaced, card

GAMES = sorted((Path(__file__).parent / "games").glob("*.match"))
LINES = (
    "1 0.000 Configured game=nerves players=A,B",
    "2 2.500 Dealt A A.nerts (A:2C) (A:5D) A:JD",
    "3 3.000 Dealt A.R A.row1 cols=1,2,3 (5S) (5C) QD",
    "4 4.123456789 CardPlaced A.R A:KH A.nerts>A.work.1 up under pos=2 carry=3.900",
    "5 5.000 CardPlaced B.? (7) talon.2>B.closed down u=0.080 src=camera conf=0.9 frames=c1:77",
    "6 6.000 CardLifted A.L ?? A.work.2 pos=1",
    "7 7.000 CardTurned A.L 2S A.arr.4 down",
    "8 8.000 PileMoved A.R play.A>A.rest n=3 flip under cards=2S,3H,??",
    "9 9.000 PileTaken B.R B.rest n=2",
    "10 10.000 PileMixed A.? deck wash",
    "11 11.000 HandOn A.L A.side.L",
    "12 12.000 HandOff A.L A.side.L",
    "13 13.000 PadHit - mid force=0.25",
    "13 13.000 PadHit A.R mid flat=0.00025 clock=0011 off=0.0004 rate_ppm=35.5 u=0.000238",
    "14 14.000 Declared A joker A:X1 6H",
    "15 15.000 ViewLost - play.A,play.B cause=arm",
    "16 16.000 ViewBack - *",
    "17 17.000 Reread - play.A 8H>9H pos=3",
    "18 18.000 Timer - restart",
    "19 19.000 Layout NERVES-SET-10 A",
)


@pytest.mark.parametrize("line", LINES)
def test_an_event_line_survives_reading_and_writing(line: str) -> None:
    assert write_event(read_event(line)) == line


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_example_survives_writing_and_reading(path: Path) -> None:
    matches = read_matches(path.read_text(encoding="utf-8"))
    assert read_matches("".join(map(write_match, matches))) == matches


def test_a_card_in_round_brackets_is_hidden_from_the_judge() -> None:
    event = read_event("1 1.0 CardPlaced A.R (A:7H) A.nerts>A.work.1 down")
    assert isinstance(event, CardPlaced)
    assert event.card.hidden
    assert event.card.seen() == card("A:??")


@pytest.mark.parametrize(
    ("line", "column", "word"),
    [
        ("1 1.0 CardPlaced A.R 7Z A.arr.1>play.A up", 22, "7Z"),
        ("1 1.0 CardPlaced A.R 7H A.arr.1 up", 25, "move"),
        ("1 1.0 CardPlayed A.R 7H", 7, "CardPlayed"),
        ("1 soon PadHit A.R mid", 3, "soon"),
        ("1 1.0 PadHit A.Q mid", 14, "A.Q"),
        ("1 1.0 PileTaken A.R play.A n=0", 30, "n="),
        ("1 1.0 PadHit A.R mid twice", 22, "twice"),
    ],
)
def test_an_error_points_at_the_word(line: str, column: int, word: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_event(line, 4)
    assert (caught.value.line, caught.value.column) == (4, column)
    assert word in caught.value.reason


def test_head_lines_may_follow_the_start_position() -> None:
    text = "match M\n  game xix\n  state\n    mid | 15 [5 6]\n  census 18\n  events\n"
    (match,) = read_matches(text)
    assert match.census == 18
    assert [(str(laid.card), laid.up) for laid in match.start[0].cards] == [
        ("15", True),
        ("5", False),
        ("6", False),
    ]


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        said = repr(read_matches("match M\n game nerves\n" + text))
    except NotationError as reason:
        said = str(reason)
    assert "\n" not in said
