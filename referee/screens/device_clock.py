"""The clock of a phone or browser against the host's: where its time stamps lie, and how surely.

Each exchange of a ping brackets the device's time: it read `device` after the host sent and before
the host received. So `device - received <= offset <= device - sent`, and what all exchanges allow
together is narrower than the quickest of them. The bracket is widened with its age, because two
crystals drift apart.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

# A finger on a button, and the browser's report of it: the referee's rule for a personal button.
BUTTON_NS = 10_000_000
# Twice what two crystals of 50 parts in a million may drift apart.
DRIFT_PER_S_NS = 200_000
KEPT_EXCHANGES = 32
# A stamp older than this is not what somebody pressed a moment ago.
OLDEST_NS = 10_000_000_000
# How long a message may have been under way when its own stamp is of no use: slower networks
# fail the page's pings, which end the connection.
UNSTAMPED_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Exchange:
    """One ping: sent and received by the host's clock, answered at `device_ns` of the device's."""

    sent_ns: int
    device_ns: int
    received_ns: int


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time of the host's clock, and half the width of the interval that holds it."""

    t_ns: int
    u_ns: int


class DeviceClock:
    """What is known of one device's clock. Written by the page's server alone."""

    def __init__(self) -> None:
        self._kept: deque[Exchange] = deque(maxlen=KEPT_EXCHANGES)

    def heard(self, exchange: Exchange) -> None:
        """Take an exchange. One that contradicts all others means that the clock was set."""
        if self._kept and _offset((*self._kept, exchange), exchange.received_ns) is None:
            self._kept.clear()
        self._kept.append(exchange)

    def to_host(self, device_ns: int | None, received_ns: int) -> Stamp:
        """Return when the device's time was, by the host's clock, of what was received then.

        A device that gives no stamp (None), was never asked, or whose stamp cannot be true (after
        it was received, or long before), is believed as far as its message: it was received.
        """
        offset = _offset(tuple(self._kept), received_ns)
        if offset is None or device_ns is None:
            return Stamp(received_ns, UNSTAMPED_NS)
        low_ns, high_ns = offset
        early_ns, late_ns = device_ns - high_ns, min(device_ns - low_ns, received_ns)
        if early_ns > late_ns or received_ns - late_ns > OLDEST_NS:
            return Stamp(received_ns, UNSTAMPED_NS)
        return Stamp((early_ns + late_ns) // 2, BUTTON_NS + (late_ns - early_ns + 1) // 2)


def _offset(exchanges: tuple[Exchange, ...], now_ns: int) -> tuple[int, int] | None:
    """Return between what the offset device - host lies, None if nothing fits all exchanges."""
    if not exchanges:
        return None
    slack_ns = [(now_ns - e.received_ns) * DRIFT_PER_S_NS // 1_000_000_000 for e in exchanges]
    both = list(zip(exchanges, slack_ns, strict=True))
    low_ns = max(e.device_ns - e.received_ns - slack for e, slack in both)
    high_ns = min(e.device_ns - e.sent_ns + slack for e, slack in both)
    return (low_ns, high_ns) if low_ns <= high_ns else None
