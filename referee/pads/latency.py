"""An adapter that holds answers back: recognised by the round trips, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

MS = 1_000_000
FEWEST_TRIPS = 150
# An FTDI chip at its default sends after 16 ms: answers come back after 2 to 18 ms, all equally
# often, so that the middle 80 % are 13 ms wide and as wide above the median as below. The timer of
# an Uno makes them 4 ms wide. A loaded machine widens them too, but with a long tail: from 10 ms
# on the upper part is 1.6 to 2.2 times the lower (tried on five modelled cables with waits of 0.5
# to 12 ms on average).
WIDE_MS, MOST_LOPSIDED = (10.0, 18.0), 1.35


def waits_in_adapter(round_trips_ns: Sequence[int]) -> bool:
    """Return whether the round trips are those of a latency timer of 16 ms."""
    if len(round_trips_ns) < FEWEST_TRIPS:
        return False
    trips_ms = sorted(trip / MS for trip in round_trips_ns)
    first_ms, median_ms, ninth_ms = (trips_ms[len(trips_ms) * n // 10] for n in (1, 5, 9))
    is_wide = WIDE_MS[0] <= ninth_ms - first_ms <= WIDE_MS[1]
    return is_wide and ninth_ms - median_ms <= MOST_LOPSIDED * (median_ms - first_ms)


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
