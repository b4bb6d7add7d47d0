"""Random legal matches: the same for the same seed, whole, and only for those who can play."""

from __future__ import annotations

from typing import TypeGuard

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.play import PLAYERS, Players, legal_match
from referee.values import CardPlaced, Event

games = st.sampled_from([span.game for span in PLAYERS])


@settings(max_examples=10, deadline=None)
@given(games, st.integers(0, 10**6), st.booleans())
def test_a_match_is_the_same_for_the_same_seed(game: str, seed: int, faulty: bool) -> None:
    match = legal_match(game, 2, seed, faulty=faulty)
    assert match == legal_match(game, 2, seed, faulty=faulty)
    assert match.events != legal_match(game, 2, seed + 1, faulty=faulty).events
    assert [event.n for event in match.events] == list(range(1, len(match.events) + 1))
    assert sorted(event.t_ns for event in match.events) == [e.t_ns for e in match.events]


@pytest.mark.parametrize("span", PLAYERS, ids=lambda span: span.game)
def test_most_matches_come_to_their_end_and_most_faults_are_committed(span: Players) -> None:
    game = span.game
    clean = [legal_match(game, 2, seed) for seed in range(12)]
    ended = [m for m in clean if any(line.kind == "END" for line in m.expected or ())]
    assert len(ended) >= 4
    faulty = [legal_match(game, 2, seed, faulty=True) for seed in range(12)]
    blamed = [[e for e in m.expected or () if e.kind == "VIOLATION"] for m in faulty]
    # Who plays on with a card owed is blamed for that too.
    assert all(len(lines) <= 1 + any("PLAY-05" in e.rule for e in lines) for lines in blamed)
    assert sum(map(len, blamed)) >= 8


@pytest.mark.parametrize(
    ("game", "players", "said"),
    [("whist", 2, "whist"), ("xix", 3, "2 to 2"), ("nertz", 1, "2 to 8"), ("nerds", 9, "1 to 8")],
)
def test_a_game_that_nobody_can_play_is_refused(game: str, players: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        legal_match(game, players, 1)


def test_jokers_are_in_every_deck_of_nertz_and_in_no_other_game() -> None:
    dealt = legal_match("nertz", 3, 1, jokers=True)
    assert dealt.census == 3 * 54
    assert {str(event.card) for event in dealt.events if is_joker(event)} >= {"A:X1", "B:X2"}
    with pytest.raises(ValueError, match="no jokers"):
        legal_match("nerds", 2, 1, jokers=True)


def is_joker(event: Event) -> TypeGuard[CardPlaced]:
    return isinstance(event, CardPlaced) and event.card.is_joker


def test_all_kinds_of_faults_of_play_are_committed_over_many_matches() -> None:
    """Cured at once, cured late, owed to the end, and without effect from the beginning."""
    for game in ("nerves", "xix"):
        matches = [legal_match(game, 2, seed, faulty=True) for seed in range(60)]
        rules = {e.rule for m in matches for e in m.expected or () if e.kind == "VIOLATION"}
        assert len(rules) >= 12
