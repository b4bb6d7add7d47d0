"""Referees a source from its first frame to its last: finds the table, watches, tells everybody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.app.board import Audience, Board
from referee.app.orders import OrderError, ordered, said
from referee.app.recording import begin_record, head_of, now_utc, resume
from referee.app.review import Wish as Review
from referee.app.review import review_live
from referee.app.sitting import Listener
from referee.app.touching import Touching
from referee.app.watching import Watching, Wish
from referee.record import Folder, Recorder, RecordError, Ring, read_log
from referee.record.disputes import dispute_at
from referee.record.film import Film
from referee.rulebook import State
from referee.screens.desk import Desk, Order, Saying
from referee.screens.page import Page
from referee.table.calibrate import FoundView, NoView, find_view
from referee.table.view import Lens
from referee.values import Match, Setting, TablePlan
from referee.vision.detect import Reader
from referee.vision.frames import Frame

# Markers are looked for in that many frames, this far apart, before the source is given up.
FIND_TRIES, FIND_EVERY = 20, 8
# What the page is shown of the camera, so often; a picture a tenth of a second is a live one.
PICTURE_NS = 100_000_000
# What a player of videos is told; the exact time of each frame stands beside the video.
FILM_FPS = 30.0


class NoTable(Exception):
    """The table cannot be found in the source; one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of the table before the first frame: plan, calibrated view, lens."""

    plan: TablePlan
    found: FoundView | None = None
    lens: Lens | None = None


@dataclass(frozen=True, slots=True)
class Outlets:
    """Where a match goes: listeners, the record's folder, the page with its desk, and news.

    `names` are the players' names by seat. `versions` name models and calibration for the record.
    `pads` are the table's touch pads. `resume` is the id of a match in the folder to go on with;
    `film`: the whole match is kept as a video. `live`: frames have the host's time.
    """

    listeners: tuple[Listener, ...] = ()
    folder: Folder | None = None
    resume: str | None = None
    film: bool = False
    live: bool = False
    pads: Touching | None = None
    page: Page | None = None
    desk: Desk | None = None
    names: tuple[Setting, ...] = ()
    versions: tuple[Setting, ...] = ()
    tell: Callable[[str], None] = lambda line: None


class Refereeing:
    """One match from a source's frames; used by one thread."""

    def __init__(self, wish: Wish, table: Table, reader: Reader, outlets: Outlets) -> None:
        """Wait for the first frame. With a calibrated view the table is not searched for."""
        self._wish, self._table, self._reader, self._out = wish, table, reader, outlets
        self._ring = Ring()
        self._recorder: Recorder | None = None
        self._film: Film | None = None
        self._board: Board | None = None
        self._pictured_ns = -PICTURE_NS
        self._tried = 0
        self._reason = "the source gave no picture"
        self.watching: Watching | None = None
        self.ended = False
        if table.found is not None:
            self.watching = Watching(wish, table.plan, table.found, reader, live=outlets.live)

    @property
    def match_id(self) -> str:
        """The match's name in the record."""
        return self._out.resume or self._wish.match_id

    def take(self, frame: Frame) -> None:
        """Take a frame. Raises NoTable, MatchError and RecordError."""
        if self.watching is None:
            self._search(frame)
        if self.watching is None:
            return
        if self._out.resume is not None and self.watching.sitting is None:
            self._go_on(self._out.resume)
        opening = self.watching.step(frame)
        if opening is not None:
            self._begin(opening)
        self._keep(frame)
        self._feel()
        self._hear()
        self._show()

    def close(self, how: str = "finished") -> None:
        """End the match: judge what is left, close the record. Raises NoTable if none was found."""
        if self.watching is None:
            raise NoTable(self._reason)
        if self.watching.sitting is None:
            self._begin_late()
        if how == "finished":
            self.watching.close()
            self._update()
        if self._film is not None:
            dropped = self._film.close().dropped
            if dropped:
                self._out.tell(f"the disk was too slow for the video: {dropped} frames are missing")
        if self._recorder is not None:
            self._ring.end()
            self._recorder.close(how)

    def _search(self, frame: Frame) -> None:
        if frame.n % FIND_EVERY:
            return
        found = find_view(frame.image_bgr, self._table.plan, self._table.lens)
        if isinstance(found, NoView):
            self._tried += 1
            self._reason = found.reason
            if self._tried == 1:
                self._out.tell(found.reason)
            if self._tried >= FIND_TRIES:
                raise NoTable(found.reason)
            return
        self._out.tell(
            f"table found by {len(found.seen)} markers, spots right to {found.accuracy_mm:.1f} mm"
        )
        if found.unseen_zones:
            self._out.tell(f"not in the picture: {', '.join(found.unseen_zones)}")
        self.watching = Watching(
            self._wish, self._table.plan, found, self._reader, live=self._out.live
        )

    def _begin(self, match: Match) -> None:
        assert self.watching is not None
        listeners = self._listeners(match)
        if self._out.folder is not None:
            self._recorder = self._begin_record(match, self._out.folder)
            listeners = [self._recorder, *listeners]
        self.watching.begin(match, listeners)
        lying = sum(len(placement.cards) for placement in match.start)
        self._out.tell(f"{match.id}: watching, {lying} cards seen, phase {match.phase}")
        self._update()

    def _listeners(self, match: Match) -> list[Listener]:
        self._board = Board(
            match,
            self._wish.game,
            self._audience(),
            self._names(),
            disputable=self._out.folder is not None,
        )
        return [self._board, *self._out.listeners]

    def _begin_record(self, match: Match, folder: Folder) -> Recorder:
        assert self.watching is not None
        head = head_of(
            match,
            self._wish.game,
            self._wish.options,
            self._out.names,
            self._out.versions,
            now_utc(ago_ns=self.watching.now_ns),
        )
        return begin_record(folder, head, self._ring)

    def _go_on(self, match_id: str) -> None:
        """Go on with a match that was cut off; what happened meanwhile was not seen."""
        assert self.watching is not None
        assert self._out.folder is not None
        match = read_log(self._out.folder.find(match_id)).head.match
        resumed = resume(
            self._out.folder, match_id, listeners=self._listeners(match), ring=self._ring
        )
        self._recorder = resumed.recorder
        self.watching.go_on(resumed.sitting, resumed.gap.to_ns)
        gone_s = (resumed.gap.to_ns - resumed.gap.from_ns) / 1e9
        self._out.tell(f"{match_id} goes on; {gone_s:.0f} s of it were not seen")

    def _begin_late(self) -> None:
        """Open a match whose table never came to rest, so that its record says so."""
        assert self.watching is not None
        self._out.tell("the table never lay still, so nothing was judged")
        game = self._wish.game
        self._begin(
            Match(
                self._wish.match_id, "nothing was seen", game.name, self._wish.seats, game.phases[0]
            )
        )

    def _audience(self) -> Audience:
        page = self._out.page
        return Audience() if page is None else Audience(page.show, page.tell)

    def _names(self) -> dict[str, str]:
        return {name.name: name.value for name in self._out.names}

    def _keep(self, frame: Frame) -> None:
        assert self.watching is not None
        if self._recorder is None:
            return
        now_ns, sigma_ns = self.watching.now_ns, frame.sigma_ns or 0
        self._ring.take(frame.image_bgr, now_ns, sigma_ns)
        self._recorder.tend()
        if self._out.film and self._out.folder is not None:
            if self._film is None:
                self._film = Film(self._out.folder.video(self.match_id), FILM_FPS)
            self._film.add(frame.image_bgr, now_ns, sigma_ns)

    def _feel(self) -> None:
        """Take in what the touch pads felt."""
        pads, watching = self._out.pads, self.watching
        if pads is not None and watching is not None:
            watching.put(*pads.step(watching.match_ns, watching.told))

    def _hear(self) -> None:
        """Take in what people said on the page since the last frame."""
        watching, desk = self.watching, self._out.desk
        if desk is None or watching is None or watching.sitting is None:
            return
        for word in desk.words(0.0):
            t_ns = watching.match_ns(word.t_ns)
            state = watching.sitting.state
            match word:
                case Saying():
                    watching.put(said(word, state, t_ns))
                case Order(do="confirm" | "withdraw"):
                    self._review(word)
                case Order():
                    self._obey(word, state, t_ns)

    def _obey(self, order: Order, state: State[Any], t_ns: int) -> None:
        assert self.watching is not None
        try:
            self.watching.put(*ordered(order, state, t_ns))
        except OrderError as reason:
            self._mark(f"not done: {reason}")
        self.ended = self.ended or order.do in ("end", "restart")

    def _review(self, order: Order) -> None:
        """Let a ruling stand or withdraw it; the match goes on from what follows."""
        try:
            self._mark(*self._reviewed(order))
        except (RecordError, ValueError) as problem:
            self._mark(f"not done: {problem}")

    def _reviewed(self, order: Order) -> tuple[str, ...]:
        sitting = None if self.watching is None else self.watching.sitting
        if self._recorder is None or sitting is None:
            raise RecordError("no record is kept")
        number, *reason = order.words
        self._recorder.flush()
        dispute = dispute_at(read_log(self._recorder.path), int(number))
        wish = Review(order.do, " ".join(reason))
        made = review_live(sitting, self._recorder, dispute.n, wish, now_utc())
        return tuple(f"after the review: {one.text}" for one in (*made.withdrawn, *made.added))

    def _mark(self, *lines: str) -> None:
        if self._board is not None:
            self._board.mark(*lines)

    def _show(self) -> None:
        self._update()
        page, watching = self._out.page, self.watching
        if page is None or watching is None or watching.now_ns - self._pictured_ns < PICTURE_NS:
            return
        self._pictured_ns = watching.now_ns
        if self._board is not None:
            self._board.see(watching.table.hands)
        stills = self._ring.stills(watching.now_ns, watching.now_ns)
        if stills:
            page.show_picture(stills[-1].jpeg)

    def _update(self) -> None:
        watching = self.watching
        if self._board is not None and watching is not None and watching.sitting is not None:
            self._board.update(watching.sitting.state, watching.now_ns)
