"""The host's bars of `referee bench pads`, in the size for every day."""

from __future__ import annotations

from referee.commands.benches._pads_clocks import clock_bars, real_time_bar
from referee.commands.benches._pads_faults import fault_bar, lost_bars
from referee.commands.benches._pads_knocks import knock_bar
from referee.commands.benches._pads_rows import Bar


def held(bar: Bar) -> None:
    assert bar.holds, f"{bar.bar}: {bar.measured}; asks {bar.asks}"


def test_two_boards_agree_by_wire_and_by_usb() -> None:
    for bar in clock_bars(long=False):
        held(bar)


def test_the_bound_holds_in_real_time_while_the_program_stalls() -> None:
    held(real_time_bar(long=False))


def test_no_hit_is_lost_invented_or_doubled_on_bad_lines() -> None:
    for bar in lost_bars(long=False):
        held(bar)


def test_every_fault_is_told_in_time_and_counts_for_nobody() -> None:
    held(fault_bar(long=False))


def test_knocks_are_not_taken_for_touches_nor_touches_for_knocks() -> None:
    held(knock_bar(long=False))
