"""The bench of the screens: a short run gives every figure."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from conftest import Ended, one_line

Referee = Callable[..., Ended]


def test_the_bench_tells_cost_and_time(referee: Referee) -> None:
    done = referee("bench", "screens", "--seconds", "1", "--pages", "2", "--json")
    assert (done.code, done.err) == (0, "")
    cost = json.loads(done.out)
    assert (cost["pages"], cost["boards"]) == (2, 30)
    assert 1 <= cost["arrived"] <= 60
    assert 0 < cost["p50_ms"] <= cost["p95_ms"]


def test_the_bench_floods_the_page_and_little_of_it_reaches_the_match(referee: Referee) -> None:
    done = referee("bench", "screens", "--flood", "--seconds", "1", "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert told["events"] == 20
    assert told["sent"] > told["reached_the_match"]
    # Of all pages together: what a second lets through, and what comes at once at the beginning.
    assert told["reached_the_match"] <= 20 * 120 + 100
    assert 0 < told["peace_p50_ms"] <= told["peace_p95_ms"]


@pytest.mark.parametrize("words", [("--pages", "0"), ("--seconds", "1e9"), ("--seconds", "nan")])
def test_a_wrong_number_is_told_in_one_line(referee: Referee, words: tuple[str, str]) -> None:
    done = referee("bench", "screens", *words)
    assert done.code == 2
    one_line(done.err)
