"""Boards on real ports and the table's pads as one: polled by the thread that joins the events."""

from __future__ import annotations

import time
from collections.abc import Iterable

from referee.pads.link import Boards, News
from referee.pads.profile import Profile, plain_profile
from referee.pads.touchpads import PadNews, Touchpads
from referee.values import HandOff, HandOn

# A board that is reset when its port opens needs 2 s for its boot loader and 1 s for its clock.
PATIENCE_S = 6.0


class Station:
    """The pads of a table while a match is watched. Used by one thread; `close` lets go."""

    def __init__(self, boards: Boards, profile: Profile, told: Iterable[News] = ()) -> None:
        """Take over open boards, with what they told already."""
        self._boards = boards
        self._pads = Touchpads(profile)
        for news in told:
            self._take(news, time.monotonic_ns())

    @property
    def boards(self) -> Boards:
        """The boards, for their states."""
        return self._boards

    def hand(self, hand: HandOn) -> None:
        """Take a hand that the camera saw come to rest."""
        self._pads.hand(hand)

    def hand_off(self, off: HandOff) -> None:
        """Take word that a hand left."""
        self._pads.hand_off(off)

    def poll(self, timeout_s: float, seen_ns: int | None = None) -> list[PadNews]:
        """Return what is decided, after waiting for news at most so long.

        `seen_ns` is the host time up to which the camera has told its hands, None without a
        camera: a touch waits for the hand that a slow camera is yet to tell.
        """
        news = self._boards.wait(timeout_s)
        while news is not None:
            self._take(news, _now_ns(seen_ns))
            news = self._boards.wait(0.0)
        return self._pads.until(_now_ns(seen_ns))

    def _take(self, news: News, now_ns: int) -> None:
        if news.uid is not None:
            link = self._boards.link(news.uid)
            self._pads.told(news.uid.hex(), news.told, now_ns, link)

    def close(self) -> None:
        """Let the ports go."""
        self._boards.close()


def _now_ns(seen_ns: int | None) -> int:
    now_ns = time.monotonic_ns()
    return now_ns if seen_ns is None else min(now_ns, seen_ns)


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
