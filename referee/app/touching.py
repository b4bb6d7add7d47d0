"""The touch pads of a match in play: what they felt as its events, and their state for people."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from referee.pads.delay import NONE, Delay
from referee.pads.fuse import FUSE_NS, HAND_U_NS, Fused
from referee.pads.hits import Ignored
from referee.pads.profile import address_of
from referee.pads.station import Station
from referee.pads.touchpads import CAUSE, PadNews, PadNote, PadWave
from referee.record import PadTrace, Recorder, Ring
from referee.record.notes import DeviceState
from referee.values import Event, HandOff, HandOn, PadHit, ViewBack, ViewLost
from referee.vision.shutter import Shutter

FromHost = Callable[[int], int]
# A table without a record forgets what its pads said.
MOST_KEPT = 1000
# The source of what pads tell.
PAD = "pad"
# A rival who comes within the fusing time is told with his margin; the judge waits for him.
RIVAL_NS = FUSE_NS + 10_000_000


class Pads(Protocol):
    """Touch pads in a match; `felt` are the spots that were live at the latest frame."""

    @property
    def felt(self) -> frozenset[str]:
        """The spots whose pads are live."""

    @property
    def shutter(self) -> Shutter:
        """How the camera takes a frame, as the pads' lamp showed."""

    def step(self, to_match_ns: FromHost, now_ns: int, hands: Iterable[Event]) -> tuple[Event, ...]:
        """Return what was felt since the last time."""

    def keep(self, recorder: Recorder, ring: Ring) -> None:
        """Give the record what the pads said since the last time. Raises RecordError."""


class LiveSpots:
    """The spots whose pads are live, as far as the camera has come."""

    def __init__(self) -> None:
        """Begin with none."""
        self.live: frozenset[str] = frozenset()
        self._views: list[ViewLost | ViewBack] = []

    def look(self, now_ns: int, events: Iterable[Event]) -> None:
        """Take what pads told; a slow camera may be far behind it."""
        views = (one for one in events if isinstance(one, ViewLost | ViewBack))
        self._views += (view for view in views if view.source == PAD)
        while self._views and self._views[0].t_ns <= now_ns:
            view = self._views.pop(0)
            zones = frozenset(view.zones)
            self.live = self.live | zones if isinstance(view, ViewBack) else self.live - zones


class Touching:
    """Joins a station of pads to a match. Used by the match's thread.

    Pads speak in host time, matches in their own: `to_match_ns` turns the one into the other.
    """

    def __init__(
        self,
        station: Station,
        tell: Callable[[str], None],
        begin: Callable[[int], None] = lambda host_ns: None,
        delay: Delay = NONE,
    ) -> None:
        """Take over a station; `tell` takes one line for people.

        `begin` is called once with the host's time of the match's time 0. The match's clock is the
        camera's: what pads felt is told by so much later as the camera's pictures are, and against
        what the camera saw it is as unsure as that `delay` is.
        """
        self._station, self._tell, self._begin = station, tell, begin
        self._delay = delay
        self._begun = False
        self._states: deque[DeviceState] = deque(maxlen=MOST_KEPT)
        self._traces: deque[PadTrace] = deque(maxlen=MOST_KEPT)
        self.state = ""
        self._spots = LiveSpots()

    @property
    def felt(self) -> frozenset[str]:
        """The spots whose pads are live."""
        return self._spots.live

    @property
    def shutter(self) -> Shutter:
        """How the camera takes a frame, as far as a lamp was seen at two places of the picture."""
        return Shutter(self._delay.readout_ns or None)

    def step(self, to_match_ns: FromHost, now_ns: int, hands: Iterable[Event]) -> tuple[Event, ...]:
        """Return what the pads felt since the last time, joined with hands that the camera saw.

        `now_ns` is the match's time up to which the camera has told its hands.
        """
        shift_ns = to_match_ns(0) + self._delay.late_ns
        if not self._begun:
            self._begun = True
            self._begin(-shift_ns)
        for hand in hands:
            if isinstance(hand, HandOn):
                u_ns = (hand.u_ns or HAND_U_NS) + self._delay.half_ns
                self._station.hand(replace(hand, t_ns=hand.t_ns - shift_ns, u_ns=u_ns))
            elif isinstance(hand, HandOff):
                self._station.hand_off(replace(hand, t_ns=hand.t_ns - shift_ns))

        def since_began_ns(host_ns: int) -> int:
            # Boards are there before the match is: what they told then stands at its beginning.
            return max(0, host_ns + shift_ns)

        news = self._station.poll(0.0, now_ns - shift_ns)
        events = tuple(event for one in news for event in self._events(one, since_began_ns))
        self._spots.look(now_ns, events)
        return events

    def keep(self, recorder: Recorder, ring: Ring) -> None:
        """Give the record what the pads said since the last time. Raises RecordError."""
        while self._states:
            recorder.on_device(self._states.popleft())
        while self._traces:
            ring.add_trace(self._traces.popleft())

    def _events(self, news: PadNews, to_match_ns: FromHost) -> tuple[Event, ...]:
        match news:
            case PadNote(t_ns=t_ns):
                self.state = news.state
                self._tell(news.text)
                self._states.append(
                    DeviceState(to_match_ns(t_ns), news.device, news.state, news.text)
                )
                return ()
            case PadWave(t_ns=t_ns):
                self._traces.append(
                    PadTrace(to_match_ns(t_ns), news.step_ns, news.spot, news.readings)
                )
                return ()
            case Ignored():
                self._states.append(_ignored(news, to_match_ns(news.t_ns)))
                return ()
            case Fused(event=event):
                t_ns = to_match_ns(event.t_ns)
                self._note(news, t_ns)
                off_ns = (event.off_ns or 0) + self._delay.half_ns
                return (replace(event, t_ns=t_ns, off_ns=off_ns), _still_live(event, t_ns))
            case _:
                return (replace(news, t_ns=to_match_ns(news.t_ns)),)

    def _note(self, fused: Fused, t_ns: int) -> None:
        """Tell what is odd about a touch."""
        if fused.note:
            self._tell(fused.note)
            device = f"pad.{fused.event.spot}"
            self._states.append(DeviceState(t_ns, device, "note", fused.note))

    def close(self) -> None:
        """Let the ports go."""
        self._station.close()


def _still_live(hit: PadHit, t_ns: int) -> ViewBack:
    """Return word that the pad felt on: with it a race is ruled, when no rival came in time."""
    after_ns = t_ns + (hit.u_ns or 0) + RIVAL_NS
    return ViewBack(n=0, t_ns=after_ns, source=PAD, zones=(hit.spot,), cause=CAUSE)


def _ignored(hit: Ignored, t_ns: int) -> DeviceState:
    """Return a touch that did not count, for the record: it stays there with its reason."""
    address = f"{address_of(hit.board, hit.pad)}#{hit.seq}"
    text = f"touch {address} with peak {hit.peak} does not count: {hit.reason}"
    return DeviceState(t_ns, f"pad.{hit.spot}", "ignored", text)
