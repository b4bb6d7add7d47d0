"""Referees one live game: joins the camera's table, the judge, and all who listen to the match."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from referee.app.caution import cautious
from referee.app.pipeline import TableWatch
from referee.app.sitting import Listener, Sitting
from referee.app.slaps import Slaps
from referee.app.timeline import Timeline
from referee.rulebook import Game
from referee.table.calibrate import FoundView
from referee.table.calibrate_follow import ViewChange, follow
from referee.values import (
    Event,
    Match,
    Placement,
    Setting,
    TablePlan,
    ViewBack,
    ViewLost,
    card_zones,
)
from referee.vision.detect import Reader
from referee.vision.frames import Frame

# Cards settle up to half a second after a pad or a button has told; what comes later than that
# is judged late rather than keeping the players waiting for every ruling.
HOLD_NS = 200_000_000
# A moved camera is to be noticed within a second; looking for it takes 15 ms.
FOLLOW_NS = 500_000_000
# What a table that is laid out when the camera opens is taken for.
LAID_PHASES = {"nerves": "PLAY", "xix": "TRICK", "spy": "PLAY", "nerds": "PLAY", "nertz": "PLAY"}


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be refereed: the game, who sits there, house options, and the match's name.

    `script` gives the start, phase and flags where they are known beforehand (a rendered match);
    without it the first settled table is the start.
    """

    match_id: str
    game: Game[Any]
    seats: tuple[str, ...]
    options: tuple[Setting, ...] = ()
    script: Match | None = None


class Watching:
    """One match refereed from frames. Everything happens in the thread that calls `step`.

    Times of the match begin at the first frame.
    """

    def __init__(
        self, wish: Wish, plan: TablePlan, found: FoundView, reader: Reader, *, live: bool = False
    ) -> None:
        """Begin to watch a table as `found` shows it. `live`: frames have the host's time."""
        self.wish, self.plan, self.found = wish, plan, found
        known = () if wish.script is None else wish.script.start
        self.table = TableWatch(plan, found.view, reader, known=known)
        self.sitting: Sitting | None = None
        self.told: tuple[Event, ...] = ()
        self.now_ns = self._from_ns = 0
        self._timeline, self._slaps = Timeline(HOLD_NS), Slaps(plan)
        self._doubtful: frozenset[str] = frozenset()
        self._census_rule = f"{wish.game.prefix}-{wish.game.census_rule}"
        self._began_ns: int | None = None
        self._live, self._host_ns = live, time.monotonic_ns()
        self._followed_ns = -FOLLOW_NS

    def match_ns(self, host_ns: int) -> int:
        """Return the match's time at a time of the host's clock."""
        return self._from_ns + host_ns - self._host_ns

    def put(self, *events: Event) -> None:
        """Take events of other devices, with times of the match."""
        self._timeline.put(*events)

    def step(self, frame: Frame) -> Match | None:
        """Take a frame; returns the match that begins with it, to be opened by `begin`."""
        t_ns = frame.t_ns or 0
        if self._began_ns is None:
            self._began_ns = t_ns
            self._host_ns = t_ns if self._live else time.monotonic_ns()
        self.now_ns = self._from_ns + max(0, t_ns - self._began_ns)
        frame = replace(frame, t_ns=self.now_ns)
        self._follow(frame)
        self.told = self._slaps.step(self.now_ns, self.table.step(frame))
        self.put(*self.told)
        if self.sitting is None:
            start = self.table.first_scene()
            return None if start is None else self._opening(self._with_depth(start))
        self.judge(self._timeline.due(self.now_ns))
        return None

    def go_on(self, sitting: Sitting, now_ns: int) -> None:
        """Go on with a match that was cut off, from this time of its clock on."""
        self.sitting, self._from_ns = sitting, now_ns

    def begin(self, match: Match, listeners: Iterable[Listener]) -> Sitting:
        """Open the match. Raises MatchError."""
        self.sitting = Sitting(match, self.wish.game, self.wish.options, listeners)
        return self.sitting

    def judge(self, events: Iterable[Event]) -> None:
        """Judge events in order."""
        assert self.sitting is not None
        for event in events:
            told = cautious(event, self.wish.seats, self._doubtful)
            rulings = self.sitting.feed(told)
            # A contradiction: what was told of these places before, or now, was misseen.
            if any(r.kind == "QUERY" and r.rule == self._census_rule for r in rulings):
                self._doubtful = self._doubtful.union(card_zones(event))

    def close(self) -> None:
        """End the match: what is held back is judged, all timers run out."""
        if self.sitting is not None:
            self.judge(self._timeline.rest())
            self.sitting.close()

    def _with_depth(self, start: tuple[Placement, ...]) -> tuple[Placement, ...]:
        deep = self.table.heights_unknown()
        return tuple(replace(one, deep=one.zone in deep) for one in start)

    def _opening(self, start: tuple[Placement, ...]) -> Match:
        """Return the match as it begins: as its script says, else as the table was seen first."""
        wish = self.wish
        if wish.script is not None:
            return replace(wish.script, id=wish.match_id, events=(), expected=None)
        game = wish.game
        laid = self.table.looks_laid()
        phase = LAID_PHASES.get(game.name, game.phases[-1]) if laid else game.phases[0]
        return Match(
            id=wish.match_id,
            title=f"watched live, {'from a table laid out' if laid else 'from the deal on'}",
            game=game.name,
            seats=wish.seats,
            phase=phase,
            start=start,
        )

    def _follow(self, frame: Frame) -> None:
        """Notice a moved camera or table; plays until it is found again are not observed."""
        if self.now_ns - self._followed_ns < FOLLOW_NS:
            return
        self._followed_ns = self.now_ns
        change: ViewChange = follow(self.found, frame.image_bgr)
        if change.kind == "moved":
            self.found = change.found
            self.table.use_view(change.found.view)
            self.put(self._view(ViewLost), self._view(ViewBack))

    def _view(self, kind: type[ViewLost] | type[ViewBack]) -> Event:
        return kind(
            n=0, t_ns=self.now_ns, source="camera", conf=1.0, zones=("*",), cause="camera moved"
        )
