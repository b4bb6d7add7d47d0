"""Judging: the scripted matches, replays, halves, and whatever stream comes."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.commands import BadInput
from referee.commands._matches import game_of, read_match_file
from referee.games import find_game
from referee.match import MatchError, close, judge, open_match, step
from referee.notation import read_event, read_matches
from referee.values import Match, Ruling, Setting

GAMES = Path(__file__).parent / "games"
MATCHES = read_matches((GAMES / "examples.match").read_text(encoding="utf-8"))
NERVES = tuple(match for match in MATCHES if match.game == "nerves")
EVENTS = tuple(event for match in NERVES for event in match.events)


def rulings_of(match: Match) -> tuple[Ruling, ...]:
    return tuple(judge(match, find_game(match.game)))


@pytest.mark.parametrize("match", NERVES[:20], ids=lambda match: match.id)
def test_two_halves_with_the_state_saved_between_judge_alike(match: Match) -> None:
    game = find_game(match.game)
    for cut in range(0, len(match.events) + 1, 7):
        state, rulings = open_match(match, game), []
        for i, event in enumerate(match.events):
            if i == cut:
                state = pickle.loads(pickle.dumps(state))
            state, more = step(game, state, event)
            rulings += more
        state, more = close(game, state)
        assert (*rulings, *more) == rulings_of(match)


@pytest.mark.parametrize("gap", ["NERVES-GAPS-36", "NERVES-GAPS-37"])
def test_who_has_laid_all_of_a_packet_that_nobody_counted_is_not_asked_about(gap: str) -> None:
    gaps = read_matches((GAMES / "nerves_gaps.match").read_text(encoding="utf-8"))
    (match,) = (match for match in gaps if match.id == gap)
    assert "QUERY" not in {ruling.kind for ruling in rulings_of(match)}


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(NERVES),
    st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 10**11)), max_size=40),
)
def test_any_stream_is_judged(match: Match, stream: list[tuple]) -> None:
    events = tuple(
        replace(event, n=n, t_ns=t_ns) for n, (event, t_ns) in enumerate(stream, start=1)
    )
    wild = replace(match, events=events)
    assert rulings_of(wild) == rulings_of(wild)


def play(text: str, **changes: object) -> list[tuple[int, str, str, str | None]]:
    """Judge event lines over a small position: A has 7H, 8D, 4C and one card not read."""
    (match,) = read_matches(
        "match M\n game nerves\n phase PLAY\n state\n"
        " A.arr.1 | 7H\n A.arr.2 | 8D\n A.arr.3 | 4C\n A.arr.4 | ??\n"
        " B.arr.1 | TS\n B.arr.2 | 5H\n play.A | 3C\n play.B | 9D\n events\n"
    )
    events = tuple(read_event(line) for line in text.strip().splitlines())
    match = replace(match, events=events, **changes)
    return [(r.n, r.kind, r.rule.removeprefix("NERVES-"), r.player) for r in rulings_of(match)]


def test_a_card_that_is_not_read_is_asked_about_and_ruled_when_it_is_read() -> None:
    assert play(
        """1 1.0 CardPlaced A.R ?? A.arr.4>play.B up
           2 2.0 Reread - play.B ??>QH"""
    ) == [(1, "QUERY", "PLAY-03", None), (1, "VIOLATION", "PLAY-03", "A")]


def test_a_fault_is_withdrawn_when_the_card_is_read_again() -> None:
    assert play(
        """1 1.0 CardPlaced A.R QH A.arr.4>play.B up
           2 2.0 Reread - play.B QH>TH
           3 3.0 CardPlaced B.R TS B.arr.1>play.B up"""
    )[:2] == [(1, "VIOLATION", "PLAY-03", "A"), (1, "INFO", "PLAY-03", None)]


def test_an_owed_card_counts_as_not_lying_there_and_whoever_puts_it_back_cures() -> None:
    assert play(
        """1 1.0 CardPlaced A.R 4C A.arr.3>play.B up
           2 2.0 CardPlaced B.R TS B.arr.1>play.B up
           3 3.0 CardPlaced B.R 4C play.B>A.arr.3 up"""
    ) == [(1, "VIOLATION", "PLAY-03", "A"), (3, "INFO", "PLAY-04", "A")]


def test_a_play_out_of_view_is_not_observed() -> None:
    assert play(
        """1 1.0 ViewLost - play.B
           2 2.0 CardPlaced A.R 4C A.arr.3>play.B up"""
    ) == [(2, "NOT_OBSERVED", "PLAY-03", None)]


def test_a_joker_is_a_fault_of_the_deck_and_of_nobody() -> None:
    assert play("1 1.0 CardPlaced A.R X1 A.arr.1>play.B up", start=()) == [
        (1, "VIOLATION", "REQ-03", None)
    ]


def test_a_second_copy_is_a_question() -> None:
    (first, *_) = play("1 1.0 CardPlaced A.R TS A.arr.4>play.B up")
    assert first[:3] == (1, "QUERY", "REQ-03")


@pytest.mark.parametrize(
    "change",
    [
        {"seats": ("A", "B", "C")},
        {"phase": "NOWHERE"},
        {"options": (Setting("wrap", "maybe"),)},
        {"options": (Setting("warp", "yes"),)},
        {"flags": (Setting("owes", "A"),)},
    ],
)
def test_a_match_that_cannot_be_judged_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(MatchError):
        rulings_of(replace(NERVES[0], **change))


def test_a_file_that_is_no_text_is_refused_with_the_place(tmp_path: Path) -> None:
    file = tmp_path / "latin.match"
    file.write_bytes("match A Café\n  game xix\n".encode("latin-1"))
    with pytest.raises(BadInput, match=r"line 1, column 12: this is no UTF-8 text"):
        read_match_file(str(file))


@pytest.mark.parametrize(
    ("head", "place"),
    [
        ("game xix\n  players A B C", "line 3, column 11: XIX is for 2 players"),
        ("game nerds\n  phase LUNCH", "line 3, column 9: Nerds has no phase 'LUNCH'"),
        ("game nerds\n  opt penalty=7", "line 3, column 7: option penalty takes 1 or 2"),
        ("game nertz\n  flag totals=Q:1", "line 3, column 8: flag totals=Q:1"),
    ],
)
def test_a_wrong_head_line_is_named_with_its_place(head: str, place: str) -> None:
    (match,) = read_matches(f"match T A head that is wrong\n  {head}\n  events\n")
    with pytest.raises(MatchError, match=place):
        open_match(match, find_game(match.game))


def test_a_wrong_game_is_named_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "t.match"
    file.write_text("match T A game that is none\n  game whist\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 2, column 8: 'whist' is no game"):
        game_of(read_match_file(str(file))[0])
