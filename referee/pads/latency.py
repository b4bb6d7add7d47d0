"""An adapter that holds answers back: recognised by the round trips, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

MS = 1_000_000
FEWEST_TRIPS = 60
# An FTDI chip at its default sends after 16 ms: answers come back after 2 to 18 ms, all equally
# often. The 4.1 ms timer of an Uno gives a median of 4 and a ninth decile of 6 ms; a loaded
# machine has a long tail, but no high median.
MEDIAN_MS, NINTH_DECILE_MS = (6.5, 13.0), (13.0, 20.0)


def waits_in_adapter(round_trips_ns: Sequence[int]) -> bool:
    """Return whether the round trips are those of a latency timer of 16 ms."""
    if len(round_trips_ns) < FEWEST_TRIPS:
        return False
    trips_ms = sorted(trip / MS for trip in round_trips_ns)
    median_ms, ninth_ms = trips_ms[len(trips_ms) // 2], trips_ms[len(trips_ms) * 9 // 10]
    first_ms = trips_ms[len(trips_ms) // 20]
    middle = MEDIAN_MS[0] <= median_ms <= MEDIAN_MS[1]
    return middle and NINTH_DECILE_MS[0] <= ninth_ms <= NINTH_DECILE_MS[1] and first_ms < 6


def advice(device: str, round_trips_ns: Sequence[int], timer_ms: int | None) -> str | None:
    """Return one line for the player where an adapter is slow by its settings, else None.

    Nothing is wrong then: hits keep their times, and only the bound on a race between two boards
    without a sync wire is wider.
    """
    slow = timer_ms is not None and timer_ms > 2
    if not slow and not waits_in_adapter(round_trips_ns):
        return None
    name = Path(device).name
    shown_ms = timer_ms if timer_ms is not None else 16
    return (
        f"{device}: its FTDI adapter holds answers for {shown_ms} ms; times stay right, only two "
        "boards without a sync wire are compared less closely. To shorten it: "
        f"echo 1 | sudo tee /sys/bus/usb-serial/devices/{name}/latency_timer"
    )
