"""The bench of the record: its small counts meet the bars that do not depend on the machine."""

from __future__ import annotations

import random
from pathlib import Path

from referee.commands.benches.record import (
    Measured,
    damaged,
    killed_run,
    long_match,
    missed_damages,
)


def test_killed_runs_lose_nothing_that_was_announced(tmp_path: Path) -> None:
    lost = [killed_run(tmp_path / str(n), random.Random(n)) for n in range(4)]
    assert lost == [0] * 4


def test_damages_are_seen_or_harmless(tmp_path: Path) -> None:
    assert missed_damages(tmp_path, 150) == 0


def test_a_damage_changes_the_file() -> None:
    data = bytes(range(256)) * 8
    assert all(damaged(data, random.Random(seed)) != data for seed in range(20))


def test_the_long_match_is_as_long_as_it_says() -> None:
    match = long_match()
    assert len(match.events) == 20_000
    assert match.events[-1].t_ns == 7_200_000_000_000
    assert [event.n for event in match.events] == list(range(1, 20_001))


def test_a_bar_is_met_or_missed() -> None:
    assert Measured("events", 5000, "events/s", 5000, True).good
    assert not Measured("span", 20.1, "ms", 20, False).good
