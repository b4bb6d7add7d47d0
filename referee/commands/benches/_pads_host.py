"""The host's bars of `referee bench pads`: clocks, loss, faults, cross-talk and verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from referee.commands.benches._pads_clocks import clock_bars, real_time_bar
from referee.commands.benches._pads_faults import fault_bar, lost_bars
from referee.commands.benches._pads_knocks import knock_bar
from referee.commands.benches._pads_races import MIXES, tally
from referee.commands.benches._pads_rows import Bar, Row

# With 100,000 a decile of the middle holds 3000 races, and chance alone is a point or two.
LONG_RACES = 400_000
WRONG, DECILE, COVERED = 0.01, 0.02, (0.94, 0.965)


def verdict_bars(long: bool) -> Iterator[Bar]:
    """Yield bar 10, one mix of sensors after the other."""
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


ROWS = (
    Row(4, clock_bars),
    Row(5, lambda long: [real_time_bar(long)]),
    Row(6, lost_bars),
    Row(7, lambda long: [fault_bar(long)]),
    Row(9, lambda long: [knock_bar(long)]),
    Row(10, verdict_bars),
)
