"""Boards on real ports and the table's pads as one: polled by the thread that joins the events."""

from __future__ import annotations

import time
from collections.abc import Iterable

from referee.pads.link import Boards
from referee.pads.profile import Profile, plain_profile
from referee.pads.touchpads import PadNews, Touchpads
from referee.values import HandOn

# A board that is reset when its port opens needs 2 s for its boot loader and 1 s for its clock.
PATIENCE_S = 6.0


class Station:
    """The pads of a table while a match is watched. Used by one thread; `close` lets go."""

    def __init__(self, boards: Boards, profile: Profile) -> None:
        """Take over open boards."""
        self._boards = boards
        self._pads = Touchpads(profile)

    @property
    def boards(self) -> Boards:
        """The boards, for their states."""
        return self._boards

    def hand(self, hand: HandOn) -> None:
        """Take a hand that the camera saw come to rest."""
        self._pads.hand(hand)

    def poll(self, timeout_s: float) -> list[PadNews]:
        """Return what is decided, after waiting for news at most so long."""
        news = self._boards.wait(timeout_s)
        while news is not None:
            if news.uid is not None:
                link = self._boards.link(news.uid)
                self._pads.told(news.uid.hex(), news.told, time.monotonic_ns(), link)
            news = self._boards.wait(0.0)
        return self._pads.until(time.monotonic_ns())

    def close(self) -> None:
        """Let the ports go."""
        self._boards.close()


def uncalibrated(
    boards: Boards, game: str, spots: Iterable[str], patience_s: float = PATIENCE_S
) -> Profile:
    """Return a profile of the boards that are there, once they have said who they are."""
    end_s = time.monotonic() + patience_s
    while time.monotonic() < end_s:
        statuses = boards.statuses()
        if statuses and all(status.uid is not None for status in statuses):
            break
        time.sleep(0.05)
    uids = [status.uid.hex() for status in boards.statuses() if status.uid is not None]
    return plain_profile(game, uids, spots)
