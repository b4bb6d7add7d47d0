"""The host's bars of `referee bench pads`: clocks, loss, faults, cross-talk and verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from referee.commands.benches._pads_clocks import clock_bars, real_time_bar
from referee.commands.benches._pads_faults import fault_bar, lost_bars
from referee.commands.benches._pads_knocks import knock_bar
from referee.commands.benches._pads_races import MIXES, tally
from referee.commands.benches._pads_rows import Bar

# With 100,000 a decile of the middle holds 3000 races, and chance alone is a point or two.
LONG_RACES = 400_000
WRONG, DECILE, COVERED = 0.01, 0.02, (0.94, 0.965)


def bars(long: bool) -> Iterator[Bar]:
    """Yield the host's bars, in the order of their numbers."""
    yield from clock_bars(long)
    yield real_time_bar(long)
    yield from lost_bars(long)
    yield fault_bar(long)
    yield knock_bar(long)
    for number in range(len(MIXES)):
        yield _verdict_bar(number, LONG_RACES if long else 3000)


def _verdict_bar(number: int, races: int) -> Bar:
    """Return bar 10 for one mix of sensors."""
    found = tally(number, races, seed=2)
    # Three standard errors of the count at hand; at full size they are small.
    decisive = max(1, found.called + found.dead_heats)
    wrong_room = 3 * math.sqrt(WRONG / decisive) if races < LONG_RACES else 0.0
    decile_room = (
        3 * math.sqrt(0.25 / max(1, found.fewest_in_decile)) if races < LONG_RACES else 0.0
    )
    cover_room = 3 * math.sqrt(0.05 / races) if races < LONG_RACES else 0.0
    holds = (
        found.wrong_share <= WRONG + wrong_room
        and found.worst_decile <= DECILE + decile_room
        and COVERED[0] - cover_room <= found.covered <= COVERED[1] + cover_room
    )
    return Bar(
        "10 verdicts",
        "wrong <= 1 % of decisive, deciles within 2 points, 94 to 96.5 % inside their interval",
        f"{100 * found.wrong_share:.2f} % wrong, {100 * found.worst_decile:.1f} points, "
        f"{100 * found.covered:.1f} % inside",
        f"{found.mix}: {races} close races, {found.called} called, {found.dead_heats} dead heats, "
        f"{found.open} open",
        holds,
    )
