"""Random legal matches: the same for the same seed, whole, and only for those who can play."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.play import PLAYERS, Players, legal_match

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
    assert all(len(lines) <= 1 for lines in blamed)
    assert sum(map(len, blamed)) >= 8


@pytest.mark.parametrize(
    ("game", "players", "said"),
    [("whist", 2, "whist"), ("xix", 3, "2 to 2"), ("nertz", 1, "2 to 8"), ("nerds", 9, "1 to 8")],
)
def test_a_game_that_nobody_can_play_is_refused(game: str, players: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        legal_match(game, players, 1)
