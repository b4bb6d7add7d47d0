"""One hand while its way is planned: where it stops, when it is free, what it holds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from referee.simulate.arms import Person
from referee.simulate.flights import Contact
from referee.simulate.motion import REACH, STAY, Point, Stop, apart_mm, between, easy_s, fastest_s

HOME_HEIGHT_MM = 38.0
_HOVER_MM, _HOVER_HEIGHT_MM, _HOVER_S = 45.0, 34.0, 0.2
_IDLE_S = 0.5
"""With more time than this to spare a hand goes back to its player and comes again."""
_LONG_AGO_S = -60.0


@dataclass(slots=True)
class Reach:
    """A hand being planned; its acts come in order of time.

    It can leave where it is at `free_s`, and does so at `pleased_s` when nothing presses. `pace`
    above 1 is a slow player. It `holds` cards that it gathered until it is at home again.
    """

    seat: str
    side: str
    person: Person
    shoulder_mm: Point
    home_mm: Point
    pace: float
    stops: list[Stop] = field(default_factory=list)
    free_s: float = _LONG_AGO_S
    pleased_s: float = _LONG_AGO_S
    touching: str | None = None
    slapped: bool = False
    contacts: list[Contact] = field(default_factory=list)
    holds: bool = False
    home_times: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stops.append(Stop(_LONG_AGO_S, self.home_mm, HOME_HEIGHT_MM, "pinch", STAY))

    @property
    def at_mm(self) -> Point:
        """Where it stops last."""
        return self.stops[-1].at_mm

    def fastest_to_s(self, point_mm: Point) -> float:
        """The least time to get to a point from where it is."""
        way_mm = apart_mm(self.at_mm, point_mm)
        return 0.0 if way_mm < 1.0 else fastest_s(way_mm)

    def easy_to_s(self, point_mm: Point) -> float:
        """The time that it takes to get to a point when nothing presses."""
        way_mm = apart_mm(self.at_mm, point_mm)
        return 0.0 if way_mm < 1.0 else easy_s(way_mm) * self.pace

    def rests_at(self, point_mm: Point, height_mm: float, grip: str, zone: str) -> None:
        """Let it lie at a point before anything happens."""
        self.stops = [Stop(_LONG_AGO_S, point_mm, height_mm, grip, STAY)]
        self.touching = zone
        self.pleased_s = self.free_s = 0.0

    def arrive(
        self, t_s: float, point_mm: Point, height_mm: float, grip: str, way: str = REACH
    ) -> None:
        """Go to a point and be there at `t_s`; the hand waits where it is or goes home first."""
        home_and_back_s = (
            self.easy_to_s(self.home_mm) + easy_s(apart_mm(self.home_mm, point_mm)) * self.pace
        )
        if t_s - self.pleased_s > home_and_back_s + _IDLE_S:
            self.go_home()
        spare_s = t_s - self.pleased_s - self.easy_to_s(point_mm)
        if spare_s > 2 * _HOVER_S and self.at_mm != self.home_mm:
            self._hover(self.pleased_s)
        slack_s = max(0.0, t_s - self.free_s - self.easy_to_s(point_mm))
        leave_s = self.free_s + slack_s
        self._leave(min(leave_s, t_s), way, min(30.0, 4.0 + 0.12 * apart_mm(self.at_mm, point_mm)))
        self.stops.append(Stop(t_s, point_mm, height_mm, grip, STAY))
        self.free_s = self.pleased_s = t_s

    def carry(
        self, t_s: float, point_mm: Point, height_mm: float, rise_mm: float, way: str
    ) -> None:
        """Go on to a point at once, with what it holds."""
        self.stops[-1] = replace(self.stops[-1], way=way, rise_mm=rise_mm)
        self.stops.append(Stop(t_s, point_mm, height_mm, self.stops[-1].grip, STAY))
        self.free_s = self.pleased_s = t_s

    def stay(self, until_s: float, pleased_s: float | None = None) -> None:
        """Stay where it is at least until a time."""
        self.free_s = max(self.free_s, until_s)
        self.pleased_s = max(self.pleased_s, pleased_s if pleased_s is not None else until_s)

    def go_home(self, by_s: float | None = None) -> float:
        """Go back to the player, at once if it must be there early; returns when it is there."""
        if self.at_mm == self.home_mm:
            return self.free_s
        leave_s = self.pleased_s
        there_s = leave_s + self.easy_to_s(self.home_mm)
        if by_s is not None and there_s > by_s:
            leave_s = self.free_s
            there_s = max(by_s, leave_s + self.fastest_to_s(self.home_mm))
        self._leave(leave_s, REACH, 20.0)
        self.stops.append(Stop(there_s, self.home_mm, HOME_HEIGHT_MM, "pinch", STAY))
        self.free_s = self.pleased_s = there_s
        self.home_times.append(there_s)
        return there_s

    def lift_off(self, t_s: float) -> None:
        """Leave a place that it touches, at exactly this time."""
        self.free_s = self.pleased_s = max(self.stops[-1].t_s, t_s)
        self._hover(self.free_s, 0.16)

    def _hover(self, leave_s: float, takes_s: float = _HOVER_S) -> None:
        """Draw back a little and wait, so that the place can be seen."""
        way_mm = max(1.0, apart_mm(self.at_mm, self.home_mm))
        aside = between(self.at_mm, self.home_mm, min(1.0, _HOVER_MM / way_mm))
        self._leave(leave_s, REACH, 4.0)
        self.stops.append(Stop(leave_s + takes_s, aside, _HOVER_HEIGHT_MM, "pinch", STAY))
        self.free_s = self.pleased_s = leave_s + takes_s

    def _leave(self, t_s: float, way: str, rise_mm: float) -> None:
        last = self.stops[-1]
        if self.touching is not None:
            contact = Contact(self.seat, self.side, self.touching, last.at_mm, t_s, False, False)
            self.contacts.append(contact)
            self.touching = None
        if t_s <= last.t_s:
            self.stops[-1] = replace(last, way=way, rise_mm=rise_mm)
        else:
            self.stops.append(replace(last, t_s=t_s, way=way, rise_mm=rise_mm))
