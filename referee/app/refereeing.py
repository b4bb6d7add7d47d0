"""Referees a source from its first frame to its last: finds the table, watches, tells everybody."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from referee.app.board import Audience, Board, waiting_board
from referee.app.hearing import Heard, Hearing
from referee.app.keeping import Pictures
from referee.app.pace import Pace
from referee.app.recording import begin_record, head_of, now_utc, resume
from referee.app.sitting import Listener, Sitting
from referee.app.touching import Pads
from referee.app.watching import Watching, Wish
from referee.app.wrong_deck import WrongDeck
from referee.notation.spoken import zone_words
from referee.record import Folder, Recorder, read_log
from referee.record.notes import CAMERA, CAMERA_OPEN, DeviceState
from referee.record.reading import rulings_of
from referee.record.ring import still
from referee.screens.desk import Desk
from referee.screens.page import Page
from referee.table.calibrate import FoundView, NoView, find_view, table_in
from referee.table.calibrate_file import CalibrationError, check_size
from referee.table.calibrate_follow import follow
from referee.table.calibrate_words import is_same_table, other_mat_text
from referee.table.view import Lens
from referee.values import Match, Setting, TablePlan
from referee.vision.frames import Frame
from referee.vision.looking import CardReader

# Markers are looked for in that many frames, this far apart, before the source is given up.
FIND_TRIES, FIND_EVERY = 20, 8
# What the page is shown of the camera, so often; a picture a tenth of a second is a live one.
PICTURE_NS = 100_000_000


class NoTable(Exception):
    """The table cannot be found in the source; one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of the table before the first frame: plan, calibrated view, lens.

    `file` names the calibration that the view is from.
    """

    plan: TablePlan
    found: FoundView | None = None
    lens: Lens | None = None
    file: str = "the calibration"


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """A match in play that goes on in another film, from this time of its clock on."""

    sitting: Sitting
    from_ns: int


@dataclass(frozen=True, slots=True)
class Outlets:
    """Where a match goes: listeners, the record's folder, the page with its desk, and news.

    `names` are the players' names by seat. `versions` name models and calibration for the record.
    `pads` are the table's touch pads. `resume` is the id of a match in the folder to go on with;
    `carried` is one that goes on without a record. `film`: the whole match is kept as a video.
    `live`: frames have the host's time. `source` is its address without passwords.
    """

    listeners: tuple[Listener, ...] = ()
    folder: Folder | None = None
    resume: str | None = None
    carried: Carried | None = None
    film: bool = False
    live: bool = False
    source: str = ""
    pads: Pads | None = None
    page: Page | None = None
    desk: Desk | None = None
    names: tuple[Setting, ...] = ()
    versions: tuple[Setting, ...] = ()
    tell: Callable[[str], None] = lambda line: None


class Refereeing:
    """One match from a source's frames; used by one thread."""

    def __init__(self, wish: Wish, table: Table, reader: CardReader, outlets: Outlets) -> None:
        """Wait for the first frame. With a calibrated view the table is not searched for."""
        self._wish, self._table, self._reader, self._out = wish, table, reader, outlets
        self._pictures = Pictures(outlets.folder, self.match_id, film=outlets.film)
        self._recorder: Recorder | None = None
        self._board: Board | None = None
        self._pictured_ns = -PICTURE_NS
        self._tried = 0
        self._pace = Pace()
        self._reason = "the source gave no picture"
        self.watching: Watching | None = None
        self._hearing = None if outlets.desk is None else Hearing(outlets.desk)
        self._unchecked = table.found is not None
        if table.found is not None:
            self.watching = self._watch(table.found)
        self._wait("The referee looks for the table; keep it free for a moment.")

    @property
    def match_id(self) -> str:
        """The match's name in the record."""
        return self._out.resume or self._wish.match_id

    @property
    def begun(self) -> bool:
        """Whether the match has begun: the table was found and lay still."""
        return self.watching is not None and self.watching.sitting is not None

    @property
    def hurries(self) -> bool:
        """Whether the latest frame is taken for what moved in it alone, because newer ones wait."""
        return self._pace.hurries and self.begun

    @property
    def wanted(self) -> str:
        """The order on the page that ends the match: end, restart or setup; empty for none."""
        return "" if self._hearing is None else self._hearing.wanted

    def take(self, frame: Frame) -> None:
        """Take a frame. Raises NoTable, MatchError and RecordError."""
        if self._out.live and (line := self._pace.take(frame.n, frame.waiting)):
            self._out.tell(line)
            self._note("slow", line)
        if self.watching is None:
            self._search(frame)
        elif self._unchecked:
            self._check_calibrated(frame)
        if self.watching is None or not self._fits(frame):
            self._hear()
            self._picture(frame)
            return
        if self._out.resume is not None and self.watching.sitting is None:
            self._go_on(self._out.resume)
        if self.hurries:
            self.watching.glimpse(frame)
            self._film(frame)
            return
        opening = self.watching.step(frame)
        if self.watching.news:
            self._tell(self.watching.news)
            self._note("disturbed", self.watching.news)
        if opening is not None:
            self._begin(opening)
        self._keep(frame)
        self._feel()
        self._hear()
        self._show()

    def idle(self, news: str = "") -> None:
        """Hear what is said while no frame comes; `news` of the source are shown and recorded.

        Raises RecordError.
        """
        if news:
            self._tell(news)
            self._note("disturbed", news)
        self._hear()
        if self._recorder is not None:
            self._recorder.tend()

    def returned(self, news: str) -> None:
        """Frames come again: no news of the source are shown any more. Raises RecordError."""
        if self._board is not None:
            self._board.mark()
        self._note("back", news)

    def _note(self, state: str, text: str) -> None:
        """Record what the camera's source does. Raises RecordError."""
        if self._recorder is not None and self.watching is not None:
            now_ns = self.watching.match_ns(time.monotonic_ns()) if self._out.live else 0
            t_ns = max(self.watching.now_ns, now_ns)
            self._recorder.on_device(DeviceState(t_ns, CAMERA, state, text))

    def _tell(self, line: str) -> None:
        """Tell people a line, on the page too."""
        self._out.tell(line)
        if self._board is None:
            self._wait(line)
        else:
            self._board.mark(line)

    def _wait(self, prompt: str) -> None:
        """Show what is waited for before the match begins."""
        page, wish = self._out.page, self._wish
        if page is not None:
            page.show(waiting_board(self.match_id, wish.game, wish.seats, self._names(), prompt))

    def close(self, how: str = "finished") -> None:
        """End the match: judge what is left, close the record. Raises NoTable if none was found."""
        if self.watching is None:
            if self.wanted:
                return
            raise NoTable(self._reason)
        if self.watching.sitting is None:
            self._begin_late()
        if how == "finished":
            self.watching.close()
            if self._board is not None and self.watching.sitting is not None:
                self._board.finish(self.watching.sitting.state)
        for line in (self._pictures.close(), self._pace.told()):
            if line:
                self._out.tell(line)
        if self._recorder is not None:
            self._recorder.close(how)

    def _search(self, frame: Frame) -> None:
        if frame.n % FIND_EVERY:
            return
        found = find_view(frame.image_bgr, self._table.plan, self._table.lens)
        if isinstance(found, NoView):
            self._tried += 1
            self._reason = found.reason
            if self._tried == 1 and self._out.live:
                # Of a film it is said when it has ended: nobody can lay another mat meanwhile.
                self._tell(found.reason)
            if self._tried >= FIND_TRIES:
                raise NoTable(found.reason)
            return
        self._tell(
            f"table found by {len(found.seen)} markers, spots right to {found.accuracy_mm:.1f} mm"
        )
        if found.unseen_zones:
            called = {seat: seat for seat in self._wish.seats} | self._names()
            unseen = ", ".join(zone_words(zone, called) for zone in found.unseen_zones)
            self._tell(f"not in the picture, so not judged there: {unseen}")
        self.watching = self._watch(found)
        self._pictured_ns = -PICTURE_NS

    def _check_calibrated(self, frame: Frame) -> None:
        """Compare a calibration with the first frame. Raises NoTable if that shows another mat.

        Of a frame of another size than the calibration's nothing is said here.
        """
        self._unchecked = False
        table = self._table
        assert table.found is not None
        shown = table_in(frame.image_bgr)
        if shown is not None and not is_same_table(shown, table.plan):
            raise NoTable(other_mat_text(shown, table.plan))
        if table.found.view.size_px != (frame.width_px, frame.height_px):
            return
        if table.found.markers and follow(table.found, frame.image_bgr).kind == "unknown":
            self._tell(
                f"none of the markers of {table.file} is in sight: if camera or table stand"
                " otherwise than then, run `referee calibrate table` again"
            )

    def _fits(self, frame: Frame) -> bool:
        """Whether a frame has the size of the pictures in which the table was found.

        When a source changes its size, the table is searched for anew. Raises NoTable where a
        calibration says where it is: that holds for pictures of its own size only.
        """
        assert self.watching is not None
        size_px, table = (frame.width_px, frame.height_px), self._table
        if self.watching.found.view.size_px == size_px:
            return True
        if table.found is not None:
            try:
                check_size(table.found.view.size_px, table.file, size_px, "table")
            except CalibrationError as reason:
                raise NoTable(str(reason)) from None
        found = None if frame.n % FIND_EVERY else find_view(frame.image_bgr, table.plan, table.lens)
        if isinstance(found, FoundView):
            self.watching.look_from(found)
        return isinstance(found, FoundView)

    def _watch(self, found: FoundView) -> Watching:
        out, table = self._out, self._table
        pads = out.pads
        watching = Watching(
            self._wish,
            table.plan,
            found,
            self._reader,
            live=out.live,
            pads=pads is not None,
            shutter=None if pads is None else pads.shutter,
        )
        if out.carried is not None:
            watching.go_on(out.carried.sitting, out.carried.from_ns)
        return watching

    def _begin(self, match: Match) -> None:
        assert self.watching is not None
        listeners = self._listeners(match)
        if self._out.folder is not None:
            self._recorder = self._begin_record(match, self._out.folder)
            listeners = [self._recorder, *listeners]
            self._note(CAMERA_OPEN, self._out.source)
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
        deck = WrongDeck(self._wish.game, match, self._tell)
        return [self._board, *self._out.listeners, deck]

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
        return begin_record(folder, head, self._pictures.ring)

    def _go_on(self, match_id: str) -> None:
        """Go on with a match that was cut off; what happened meanwhile was not seen."""
        assert self.watching is not None
        assert self._out.folder is not None
        log = read_log(self._out.folder.find(match_id))
        listeners = self._listeners(log.head.match)
        if self._board is not None:
            self._board.recall(ruled.ruling for ruled in rulings_of(log))
        resumed = resume(self._out.folder, match_id, listeners=listeners, ring=self._pictures.ring)
        self._recorder = resumed.recorder
        self.watching.go_on(resumed.sitting, resumed.gap.to_ns)
        self._note(CAMERA_OPEN, self._out.source)
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
        now_ns = self.watching.now_ns
        self._film(frame)
        if self._recorder is not None:
            # To encode every picture of an idle table would be a fifth of all work.
            if not self.watching.passed_over:
                self._pictures.take(frame, now_ns, self.watching.table)
            self._recorder.tend()

    def _film(self, frame: Frame) -> None:
        assert self.watching is not None
        if line := self._pictures.film(frame, self.watching.now_ns):
            self._tell(line)

    def _feel(self) -> None:
        """Take in what the touch pads felt."""
        pads, watching = self._out.pads, self.watching
        if pads is None or watching is None:
            return
        watching.put(*pads.step(watching.match_ns, watching.now_ns, watching.on_pads()))
        watching.felt = pads.felt
        if self._recorder is not None:
            pads.keep(self._recorder, self._pictures.ring)

    def _hear(self) -> None:
        """Take in what people said on the page since the last frame."""
        watching = self.watching
        if self._hearing is None:
            return
        if watching is None or watching.sitting is None or self._board is None:
            self._hearing.before()
            return
        told = (self._board, *self._out.listeners)
        self._hearing.step(Heard(watching, self._board, self._recorder, told))

    def _show(self) -> None:
        page, watching, board = self._out.page, self.watching, self._board
        self._update()
        if page is None or watching is None or board is None or watching.passed_over:
            return
        if watching.now_ns - self._pictured_ns < PICTURE_NS:
            board.see(watching.table.hands)
            return
        self._pictured_ns = watching.now_ns
        board.see(watching.table.hands, watching.table.sight().cards, watching.found.view)
        if (kept := self._pictures.still(watching.now_ns)) is not None:
            page.show_picture(kept.jpeg)

    def _picture(self, frame: Frame) -> None:
        """Show the camera's picture before the table is found."""
        page, t_ns = self._out.page, frame.t_ns or 0
        if page is not None and t_ns - self._pictured_ns >= PICTURE_NS:
            self._pictured_ns = t_ns
            page.show_picture(still(frame.image_bgr, t_ns).jpeg)

    def _update(self) -> None:
        watching = self.watching
        if self._board is not None and watching is not None and watching.sitting is not None:
            self._board.update(watching.sitting.state, watching.now_ns)
