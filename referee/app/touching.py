"""The touch pads of a match in play: what they felt as its events, and their state for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from referee.pads.fuse import Fused
from referee.pads.hits import Ignored
from referee.pads.station import Station
from referee.pads.touchpads import PadNews, PadNote
from referee.values import Event, HandOn

FromHost = Callable[[int], int]


class Touching:
    """Joins a station of pads to a match. Used by the match's thread.

    Pads speak in host time, matches in their own: `to_match_ns` turns the one into the other.
    """

    def __init__(
        self,
        station: Station,
        tell: Callable[[str], None],
        begin: Callable[[int], None] = lambda host_ns: None,
    ) -> None:
        """Take over a station; `tell` takes one line for people.

        `begin` is called once with the host's time of the match's time 0.
        """
        self._station, self._tell, self._begin = station, tell, begin
        self._begun = False
        self.state = ""

    def step(self, to_match_ns: FromHost, hands: Iterable[Event]) -> tuple[Event, ...]:
        """Return what the pads felt since the last time, joined with hands that the camera saw."""
        shift_ns = to_match_ns(0)
        if not self._begun:
            self._begun = True
            self._begin(-shift_ns)
        for hand in hands:
            if isinstance(hand, HandOn):
                self._station.hand(replace(hand, t_ns=hand.t_ns - shift_ns))
        return tuple(
            event for news in self._station.poll(0.0) for event in self._events(news, to_match_ns)
        )

    def _events(self, news: PadNews, to_match_ns: FromHost) -> tuple[Event, ...]:
        if isinstance(news, PadNote):
            self.state = news.state
            self._tell(news.text)
            return ()
        if isinstance(news, Ignored):
            return ()
        if isinstance(news, Fused):
            if news.note:
                self._tell(news.note)
            news_event: Event = news.event
        else:
            news_event = news
        return (replace(news_event, t_ns=to_match_ns(news_event.t_ns)),)

    def close(self) -> None:
        """Let the ports go."""
        self._station.close()
