"""Referees one live game: joins the camera's table, the judge, and all who listen to the match."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from referee.app.deciding import Deciding
from referee.app.elsewhere import Elsewhere
from referee.app.frozen import Frozen
from referee.app.pipeline import TableWatch
from referee.app.rate import Rate
from referee.app.sitting import Listener, Sitting
from referee.app.slaps import Slaps, on_pads
from referee.app.timeline import Timeline
from referee.app.unrest import Unrest
from referee.rulebook import Game
from referee.table.calibrate import FoundView
from referee.table.calibrate_follow import ViewChange, follow
from referee.table.calibrate_words import DARK_LEVEL
from referee.table.habits import is_in_hands, owner_of
from referee.table.outages import WHOLE_TABLE, told_view
from referee.values import (
    Declared,
    Event,
    HandOff,
    HandOn,
    Match,
    PadHit,
    Placement,
    Setting,
    TablePlan,
    ViewBack,
    ViewLost,
)
from referee.vision.coarse import coarse
from referee.vision.frames import Frame
from referee.vision.looking import CardReader
from referee.vision.shutter import Shutter

# Cards settle up to half a second after a pad or a button has told; what comes later than that
# is judged late rather than keeping the players waiting for every ruling.
HOLD_NS = 200_000_000
# A touch that a pad felt is told when no hand can come any more that was its (0.3 s).
PADS_HOLD_NS = 400_000_000
# A moved camera is to be noticed within a second; looking for it takes 15 ms.
FOLLOW_NS = 500_000_000
# A camera that was turned away shows no marker: then it is looked for more often, nothing else is
# believed, and after so long since a marker was seen the view is lost.
AGAIN_NS, AWAY_NS = 100_000_000, 800_000_000
# A camera that creeps, as its arm sinks, comes no further between two looks; zones forgive six
# times as much, so it is followed without a word, and faults are asked about meanwhile.
CREEPS_MM = 2.5
# A camera that swings stands still at each turn, for less than that.
SETTLED_NS = 300_000_000
# What is told so soon after the table was seen again may have been done before, over cards that
# came unseen: cards are read and explained within 1.3 s, and it is asked about.
RESTING_NS = 2_000_000_000
# Why the table is out of view: the camera was moved, or its picture stands still.
MOVED, STANDS = "moved", "frozen"
# How the titles of matches begin that no script tells of.
WATCHED = "watched live"
# What a table that is laid out when the camera opens is taken for.
LAID_PHASES = {"nerves": "PLAY", "xix": "TRICK", "spy": "PLAY", "nerds": "PLAY", "nertz": "PLAY"}
# That of the only game in which who has nothing before him holds all his cards.
HELD_PHASE = "ARRANGE"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be refereed: the game, who sits there, house options, and the match's name.

    `script` gives the start, phase and flags where they are known beforehand (a rendered match),
    and what was said and pressed meanwhile; without it the first settled table is the start.
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
        self,
        wish: Wish,
        plan: TablePlan,
        found: FoundView,
        reader: CardReader,
        *,
        live: bool = False,
        pads: bool = False,
        shutter: Shutter | None = None,
    ) -> None:
        """Begin to watch a table as `found` shows it.

        `live`: frames have the host's time, and none waits for the reader. `pads`: touch pads tell
        of it as well. `shutter`: how the camera takes a frame.
        """
        self.wish, self.found = wish, found
        self.plan = plan = replace(plan, options=wish.options)
        known = () if wish.script is None else wish.script.start
        marked = replace(plan, markers=found.markers)
        self.table = TableWatch(marked, found.view, reader, known=known, shutter=shutter, live=live)
        self.sitting: Sitting | None = None
        self.told: tuple[Event, ...] = ()
        # The spots whose pads are live.
        self.felt: frozenset[str] = frozenset()
        self.now_ns = self._from_ns = 0
        self._timeline = Timeline(PADS_HOLD_NS if pads else HOLD_NS)
        self._rate, self._unrest = Rate(), Unrest()
        self._back_ns = -RESTING_NS
        # The latest frame was not looked at, for nothing happens on the table.
        self.passed_over = False
        # What people are to be told after a frame.
        self.news = ""
        self._slaps = Slaps(plan)
        census_rule = f"{wish.game.prefix}-{wish.game.census_rule}"
        self._deciding = Deciding(plan, census_rule, self.table.shown, self._is_badly_seen)
        self._pressed = _pressed(wish.script, pads)
        self._began_ns: int | None = None
        self._live, self._host_ns = live, time.monotonic_ns()
        self._followed_ns, self._moved_ns = -FOLLOW_NS, -SETTLED_NS
        # Markers were seen in this match, are not to be seen now; the view was told to be lost, and
        # frames were passed over since.
        self._marked = self._unseen = self._away = self._was_away = False
        self._elsewhere = Elsewhere()
        # The picture stands still, and that was told.
        self._frozen, self._stands = Frozen(), False
        # When the view was last found to hold.
        self._held_ns = 0

    def match_ns(self, host_ns: int) -> int:
        """Return the match's time at a time of the host's clock."""
        return self._from_ns + host_ns - self._host_ns

    def on_pads(self) -> tuple[Event, ...]:
        """Return what the camera told with the latest frame, for the touch pads."""
        return tuple(on_pads(self.told, self.table.hands, self.plan, self.felt))

    def put(self, *events: Event) -> None:
        """Take events of other devices, with times of the match."""
        self._timeline.put(*events)

    def step(self, frame: Frame) -> Match | None:
        """Take a frame; returns the match that begins with it, to be opened by `begin`."""
        frame = self._timed(frame)
        self.news, self.passed_over = self._rate.take(self.now_ns), False
        if self._stands_still(frame):
            return None
        elsewhere = self._elsewhere.differs(frame.image_bgr, self.found.view, self.table.hands)
        if elsewhere:
            # Nobody lays that much card by card.
            self._back_ns = self.now_ns
        self._follow(frame, AGAIN_NS if elsewhere else FOLLOW_NS)
        if self._unseen:
            self.told = ()
            self.judge(() if self.sitting is None else self._timeline.due(self.now_ns))
            return None
        # Pads get to know of hands before those wait for what they lay.
        self.told = self._seen_where_it_lies(frame)
        if self.table.looked:
            stirring = self.table.stirring_share(self.found.markers)
            self.news = self.news or self._unrest.take(self.now_ns, stirring)
        self._deciding.leave(self.told)
        self.put(*self._slaps.step(self.now_ns, self.told, self.felt))
        self._press()
        if self.sitting is None:
            start = self.table.first_scene()
            self._deciding.doubtful |= self.table.tops_unknown()
            return None if start is None else self._opening(self._as_known(start))
        self.judge(self._timeline.due(self.now_ns))
        return None

    def glimpse(self, frame: Frame) -> None:
        """Take a frame that nobody has time for: only what moved in it is remembered."""
        frame = self._timed(frame)
        self.told, self.news, self.passed_over = (), "", True
        if not (self._unseen or self._away or self._stands):
            self.table.glimpse(frame)

    def _timed(self, frame: Frame) -> Frame:
        """Return a frame with the match's time, which it sets."""
        t_ns = frame.t_ns or 0
        if self._began_ns is None:
            self._began_ns = t_ns
            self._host_ns = t_ns if self._live else time.monotonic_ns()
        self.now_ns = self._from_ns + max(0, t_ns - self._began_ns)
        return replace(frame, t_ns=self.now_ns)

    def _press(self) -> None:
        """Put what a script's players have said and hit by now."""
        while self._pressed and self._pressed[0].t_ns <= self.now_ns:
            self.put(self._pressed.popleft())

    def go_on(self, sitting: Sitting, now_ns: int) -> None:
        """Go on with a match that was cut off, from this time of its clock on."""
        self.sitting, self._from_ns, self._held_ns = sitting, now_ns, now_ns
        self.now_ns = now_ns

    def begin(self, match: Match, listeners: Iterable[Listener]) -> Sitting:
        """Open the match. Raises MatchError."""
        self.sitting = Sitting(match, self.wish.game, self.wish.options, listeners)
        return self.sitting

    def judge(self, events: Iterable[Event]) -> None:
        """Judge events in order."""
        assert self.sitting is not None
        self._deciding.take(self.sitting, self.now_ns, events, self._timeline.waiting())

    def _is_badly_seen(self, event: Event) -> bool:
        """Whether nothing of an event may be held against anybody."""
        lost = isinstance(event, ViewLost) and WHOLE_TABLE in event.zones
        if event.source == "camera" and (lost or isinstance(event, ViewBack)):
            self._back_ns = event.t_ns
        return self._rate.doubts(event.t_ns) or event.t_ns - self._back_ns <= RESTING_NS

    def close(self) -> None:
        """End the match: what is held back is told and judged, all timers run out."""
        self.told = ()
        if self.sitting is not None:
            if not self._unseen:
                self.told = self.table.finish()
                self.put(*self._slaps.finish(self.told))
            self._deciding.close(self.sitting, self._timeline.rest())
            self.sitting.close()

    def _as_known(self, start: tuple[Placement, ...]) -> tuple[Placement, ...]:
        """Return the piles that lay there first as they are known, and the places that were bare.

        Before the deal, what nothing is told of is bare anyway.
        """
        deep = self.table.heights_unknown()
        known = tuple(replace(one, deep=one.zone in deep) for one in start)
        bare = self.table.zones_bare() if self.table.looks_laid() else ()
        held = (Placement(zone, deep=True) for zone in deep if is_in_hands(zone))
        return (*known, *(Placement(zone, ()) for zone in bare), *held)

    def _opening(self, start: tuple[Placement, ...]) -> Match:
        """Return the match as it begins: as its script says, else as the table was seen first."""
        wish = self.wish
        if wish.script is not None:
            return replace(wish.script, id=wish.match_id, events=(), expected=None)
        game = wish.game
        laid = self.table.looks_laid()
        self._deciding.presumed = self.table.is_in_play()
        self._deciding.by_sight = True
        phase = LAID_PHASES.get(game.name, game.phases[-1]) if laid else game.phases[0]
        held = {owner_of(zone) for zone in self.table.heights_unknown() if is_in_hands(zone)}
        live = "".join(seat for seat in wish.seats if seat not in held)
        return Match(
            id=wish.match_id,
            title=f"{WATCHED}, {'from a table laid out' if laid else 'from the deal on'}",
            game=game.name,
            seats=wish.seats,
            phase=HELD_PHASE if held else phase,
            flags=(Setting("live", live),) if held and live else (),
            start=start,
        )

    def _seen_where_it_lies(self, frame: Frame) -> tuple[Event, ...]:
        """Return what a frame tells, nothing where its cards are new because the camera moved."""
        told, moved_ns = self.table.step(frame), self._moved_ns
        self.passed_over = not self.table.looked
        if self._was_away:
            # The frames that were passed over are no other gap.
            told = tuple(event for event in told if not isinstance(event, ViewLost | ViewBack))
        self._was_away = False
        if any(not isinstance(event, HandOn | HandOff) for event in told):
            self._follow(frame, AGAIN_NS)
        return () if self._unseen or self._moved_ns != moved_ns else told

    def _stands_still(self, frame: Frame) -> bool:
        """Whether a frame only shows again what one did before, so that nothing is seen in it."""
        since_ns = self._frozen.since(frame.image_bgr, self.now_ns)
        if self.sitting is None:
            return False
        if since_ns is not None:
            # What is said and felt meanwhile answers to what nobody sees.
            self.told, self._was_away, self._back_ns = (), True, self.now_ns
            self._press()
            if not self._stands:
                self.put(told_view(ViewLost, since_ns, (WHOLE_TABLE,), STANDS))
            self.judge(self._timeline.due(self.now_ns))
        elif self._stands:
            self.put(told_view(ViewBack, self.now_ns, (WHOLE_TABLE,), STANDS))
        self._stands = since_ns is not None
        return self._stands

    def _follow(self, frame: Frame, every_ns: int) -> None:
        """Notice a moved camera or table; plays until it is found again are not observed."""
        if self._away or self._unseen:
            every_ns = AGAIN_NS
        if self.now_ns - self._followed_ns < every_ns:
            return
        self._followed_ns = self.now_ns
        change: ViewChange = follow(self.found, frame.image_bgr)
        lit = float(coarse(frame.image_bgr).mean()) >= DARK_LEVEL
        self._marked = self._marked or change.kind == "still"
        self._unseen = change.kind == "unknown" and self._marked and lit
        if change.kind == "moved" and change.moved_mm <= CREEPS_MM and not self._away:
            self.found, self._held_ns, self._back_ns = change.found, self.now_ns, self.now_ns
            self.table.use_view(change.found.view)
        elif change.kind == "moved":
            self.look_from(change.found)
        elif change.kind == "still":
            self._regain()
            self._held_ns = self.now_ns
            self._elsewhere.hold(frame.image_bgr, self.found.view, self.table.hands)
        elif self._unseen and not self._away and self.now_ns - self._held_ns >= AWAY_NS:
            self._away = self._was_away = True
            self.put(told_view(ViewLost, self._held_ns, (WHOLE_TABLE,), MOVED))

    def look_from(self, found: FoundView) -> None:
        """Go on with another view of the table; what is played until it holds is not seen."""
        self.found, self._moved_ns = found, self.now_ns
        self.table.use_view(found.view)
        if not self._away:
            self._away = True
            self.put(told_view(ViewLost, min(self._held_ns, self.now_ns), (WHOLE_TABLE,), MOVED))

    def _regain(self) -> None:
        """Go on where a lost view holds: a camera that swings is not found again at each turn."""
        if not self._away or self.now_ns - self._moved_ns < SETTLED_NS:
            return
        if self._was_away:
            self.table.use_view(self.found.view)
        self._away = False
        self.put(told_view(ViewBack, self.now_ns, (WHOLE_TABLE,), MOVED))


def _pressed(script: Match | None, pads: bool) -> deque[Event]:
    """Return what a script's players say and, where no pads feel it, which pads they hit."""
    kinds = (Declared,) if pads else (Declared, PadHit)
    events = () if script is None else script.events
    return deque(sorted((e for e in events if isinstance(e, kinds)), key=lambda e: e.t_ns))
