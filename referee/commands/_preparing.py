"""The set-up page's camera and pads: the live picture, what is right and wrong, the live test."""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from referee import app
from referee.app.setting_up import SettingUp
from referee.commands import BadInput
from referee.commands._checks import Finding
from referee.commands._checks_source import focus_finding, light_finding, rate_finding, size_finding
from referee.commands._checks_table import table_findings
from referee.notation.spoken import zone_words
from referee.pads.link import Boards, BoardStatus
from referee.pads.ports import PortError, find_ports
from referee.pads.told import Felt
from referee.record.ring import still
from referee.screens.desk import Order
from referee.screens.page import Page
from referee.screens.setup import (
    MatSeen,
    Outline,
    PadShown,
    Setup,
    Share,
    SourceOffered,
    Step,
)
from referee.table.calibrate import SEATS, FoundView, NoView, find_view, table_in
from referee.table.calibrate_corners import view_from_shares
from referee.table.calibrate_spots import SpotTest, spot_test
from referee.table.layout import LayoutError, is_drawn, plan, zone_corners_mm
from referee.table.markers import table_of_marker
from referee.values import TablePlan
from referee.vision.camera import LiveSource, news_text
from referee.vision.detect import Reader
from referee.vision.frames import Frame

DEMO = "demo"
PICTURE_NS = 100_000_000
# Finding the markers takes a tenth of a second: often enough to see what a moved lamp does.
CHECK_NS = 2_000_000_000
# Frames by whose times the rate is told, and whose light is compared.
FRAMES = 12
TURN_S = 0.05
# Game, number of players, width of the picture: four corners may follow.
SHOWN_WORDS = 3
PAD_STATES = {"LIVE": "ready", "STALE": "silent", "BLIND": "silent"}


def sources() -> tuple[SourceOffered, ...]:
    """Return what the page offers as cameras: those of this machine, and the sample matches."""
    devices = sorted(
        (path for path in Path("/dev").glob("video*") if path.name[5:].isdigit()),
        key=lambda path: int(path.name[5:]),
    )
    cameras = (SourceOffered(f"camera:{d.name[5:]}", f"Camera {d.name[5:]}") for d in devices)
    return (*cameras, SourceOffered(DEMO, "Sample match (no camera)"))


class Preparing:
    """Gets the table ready while a match is set up on the page. Used by the thread that waits.

    A camera is opened apart, so that a slow one keeps nobody waiting.
    """

    def __init__(self, setting: SettingUp, page: Page, args: argparse.Namespace) -> None:
        """Begin with the camera that is chosen already."""
        self._setting, self._page, self._args = setting, page, args
        self._apart = ThreadPoolExecutor(1, "set-up-camera")
        self._opening: Future[LiveSource] | None = None
        self._source: LiveSource | None = None
        self._frames: deque[Frame] = deque(maxlen=FRAMES)
        self._found: FoundView | None = None
        self._wished = _table_of(setting.offer.chosen)
        chosen = setting.offer.chosen
        self._corners = () if chosen is None else chosen.corners
        self._shown_px: int | None = None
        self._reader: Reader | None = None
        self._test: SpotTest | None = None
        self._pictured_ns = self._checked_ns = 0
        self._pads = Pads(args.pads)
        offered = [one.address for one in setting.offer.sources]
        self._open((chosen.source if chosen else "") or offered[0])

    def order(self, order: Order) -> None:
        """Do what the operator wants: another camera, or one step again."""
        if order.do == "camera":
            self._open(order.words[0])
        elif order.do == "table":
            self._wish(order.words)
        elif order.words == ("test",):
            self._begin_test()
        elif self._source is None:
            self._open(self._address)
        else:
            self._checked_ns = 0

    def problem_of(self, setup: Setup) -> str | None:
        """Return why a match cannot begin on the table that the camera shows, None if it can."""
        mat = None if self._found is None else _mat_of(self._found)
        if mat is None or setup.source != self._address:
            return None
        if (mat.game, mat.players) == (setup.game, len(setup.chairs)):
            return None
        return (
            f"the camera sees the table of {mat.game} for {mat.players}: choose that game and"
            " as many players, or lay the other mat"
        )

    def turn(self) -> bool:
        """Do what is due: a picture, a check, a read. Always true: the waiting goes on."""
        self._take_opened()
        self._look()
        pads = self._pads.shown()
        if pads != self._setting.offer.pads:
            offer = self._setting.offer
            self._setting.show(pads=pads, mat=offer.mat, spots=offer.spots, problem=offer.problem)
        return True

    def close(self) -> None:
        """Let the camera and the pads go."""
        self._let_go()
        self._pads.close()
        self._apart.shutdown(wait=False, cancel_futures=True)

    def calibrated(self, setup: Setup) -> FoundView | None:
        """Return the table that was pointed at, for a match as it was set up; None for none."""
        if not (setup.corners and self._frames) or setup.source != self._address:
            return None
        if self._found is not None and self._found.markers:
            return None
        found = view_from_shares(
            setup.corners, plan(setup.game, setup.seats), self._size_px(), self._shown_px
        )
        return found if isinstance(found, FoundView) else None

    def _size_px(self) -> tuple[int, int]:
        return self._frames[-1].width_px, self._frames[-1].height_px

    def _wish(self, words: Sequence[str]) -> None:
        """Take which table is set up and, where they were pointed at, its corners."""
        try:
            self._wished = plan(words[0], SEATS[: int(words[1])])
        except LayoutError:
            return
        self._corners = tuple(map(_share, words[3:])) if len(words) > SHOWN_WORDS else ()
        self._shown_px = int(words[2]) or None if self._corners else None
        self._checked_ns = 0

    def _open(self, address: str) -> None:
        self._let_go()
        self._address = address
        if address == DEMO:
            self._setting.show(steps=(), picture=False, mat=None)
            return
        self._show_steps(Step("picture", "Picture", "doing", "opening the camera …"))
        self._opening = self._apart.submit(_opened, address)

    def _let_go(self) -> None:
        opening, source = self._opening, self._source
        self._opening = self._source = self._found = self._test = None
        self._frames.clear()
        if opening is not None:
            opening.add_done_callback(_close_opened)
        if source is not None:
            source.close()

    def _take_opened(self) -> None:
        opening = self._opening
        if opening is None or not opening.done():
            return
        self._opening = None
        try:
            self._source = opening.result()
        except BadInput as reason:
            self._show_steps(Step("picture", "Picture", "wrong", str(reason)))

    def _look(self) -> None:
        if self._source is None:
            time.sleep(TURN_S)
            return
        got = self._source.wait(TURN_S)
        if got is None:
            return
        if not isinstance(got, Frame):
            self._show_steps(Step("picture", "Picture", "wrong", news_text(got)))
            return
        self._frames.append(got)
        now_ns = time.monotonic_ns()
        if now_ns - self._pictured_ns >= PICTURE_NS:
            self._pictured_ns = now_ns
            self._page.show_picture(still(got.image_bgr, 0).jpeg)
        if len(self._frames) > 1 and now_ns - self._checked_ns >= CHECK_NS:
            self._check(got)
            self._checked_ns = time.monotonic_ns()

    def _check(self, frame: Frame) -> None:
        table = table_in(frame.image_bgr, self._wished)
        found = None if table is None else find_view(frame.image_bgr, table)
        if table is None and self._corners and self._wished is not None:
            found = view_from_shares(self._corners, self._wished, self._size_px(), self._shown_px)
        self._found = found if isinstance(found, FoundView) else None
        why = found.reason if isinstance(found, NoView) else ""
        self._read(frame)
        same = [f for f in self._frames if f.image_bgr.shape == frame.image_bgr.shape]
        steps = (
            _step("picture", "Picture", [size_finding(frame), rate_finding(tuple(same))]),
            self._table_step(why),
            _step("light", "Light and focus", list(self._light(same))),
        )
        self._show_steps(*steps)

    def _table_step(self, reason: str) -> Step:
        found = self._found
        if found is None:
            text = reason or (
                "no markers in sight: lay the printed mat or markers under the camera, or tap the"
                " table's four corners in the picture"
            )
            return Step("table", "Table", "wrong", text)
        how = f"{len(found.seen)} of {len(found.plan.markers)} markers seen"
        if not found.markers:
            how = "from four corners (a camera that is moved is only noticed with markers)"
        text = (
            f"{found.plan.game} for {len(found.plan.seats)}: {how},"
            f" spots right to {found.accuracy_mm:.1f} mm"
        )
        if found.unseen_zones:
            return Step("table", "Table", "wrong", f"{text}; some spots are out of the picture")
        return Step("table", "Table", "done", text)

    def _light(self, frames: Sequence[Frame]) -> Iterator[Finding]:
        last = frames[-1].image_bgr
        if self._found is None:
            yield light_finding(last)
            yield focus_finding(last)
            return
        findings = table_findings(self._found, [frame.image_bgr for frame in frames])
        yield from (one for one in findings if one.check != "zones")

    def _begin_test(self) -> None:
        if self._found is not None:
            self._test = spot_test(self._found.plan, self._found.view)
            self._reader = self._reader or app.open_reader(
                self._args.models, self._args.threads, quick=True
            )
        self._checked_ns = 0

    def _read(self, frame: Frame) -> None:
        if self._test is not None and self._reader is not None and self._test.missing():
            self._test = self._test.after(self._reader.read(frame.image_bgr).cards)

    def _test_step(self) -> Step:
        if self._found is None:
            return Step("test", "Live test", "open", "when the table is found")
        test = self._test
        if test is None:
            return Step("test", "Live test", "open", "optional: cards are laid on five spots")
        missing = test.missing()
        if missing:
            names = {place.seat: place.seat for place in test.plan.seats}
            spots = ", ".join(zone_words(zone, names) for zone in missing)
            return Step("test", "Live test", "doing", f"lay a card on {spots}")
        return Step("test", "Live test", "done", f"cards seen on all {len(test.spots)} spots")

    def _show_steps(self, *steps: Step) -> None:
        found, offer = self._found, self._setting.offer
        shown = (*steps, self._test_step()) if len(steps) > 1 else steps
        mat = None if found is None else _mat_of(found)
        spots = () if found is None else tuple(_outlines(found))
        picture = bool(self._frames)
        now = offer.steps, offer.picture, offer.mat, offer.spots
        if (shown, picture, mat, spots) != now:
            self._setting.show(
                steps=shown, picture=picture, mat=mat, spots=spots, problem=offer.problem
            )


class Pads:
    """The pads that are plugged in while a match is set up; opened for as long as it takes."""

    def __init__(self, ports: str | None) -> None:
        """Open the ports that are named, or all that may be pads."""
        named = [] if ports in (None, "auto", "none") else str(ports).split(",")
        self._boards: Boards | None = None
        self._trouble: tuple[PadShown, ...] = ()
        self._hits: dict[str, str] = {}
        self._seen: dict[str, bytes | None] = {}
        if ports == "none" or any(name.startswith("sim:") for name in named):
            return
        try:
            if named or find_ports():
                self._boards = Boards(named or None)
        except PortError as reason:
            self._trouble = (PadShown("touch pads", "silent", str(reason)),)

    def shown(self) -> tuple[PadShown, ...]:
        """Return how the boards are, each with the last touch that it told."""
        if self._boards is None:
            return self._trouble
        while (news := self._boards.wait(0.0)) is not None:
            if isinstance(news.told, Felt):
                self._hits[news.device] = f"pad {news.told.hit.pad + 1} was touched"
        statuses = self._boards.statuses()
        self._seen |= {status.device: status.uid for status in statuses}
        refused = (PadShown(f"Port {name}", "silent", why) for name, why in self._boards.refused())
        return (*(self._board(status) for status in statuses), *refused, *self._gone(statuses))

    def _gone(self, statuses: Sequence[BoardStatus]) -> Iterator[PadShown]:
        """Yield the boards that were there and are at no port any more."""
        devices, uids = {one.device for one in statuses}, {one.uid for one in statuses}
        for device, uid in self._seen.items():
            if device not in devices and uid not in uids:
                yield PadShown(f"Board at {device}", "missing", "unplugged; put its cable back")

    def _board(self, status: BoardStatus) -> PadShown:
        state = PAD_STATES.get(status.state, "missing")
        text = self._hits.get(status.device, "touch a pad to try it") if state == "ready" else ""
        return PadShown(f"Board at {status.device}", state, text or status.why or status.advice)

    def close(self) -> None:
        """Let the ports go."""
        if self._boards is not None:
            self._boards.close()


def _table_of(chosen: Setup | None) -> TablePlan | None:
    """Return the table of a choice, None where it has none."""
    try:
        return None if chosen is None else plan(chosen.game, chosen.seats)
    except LayoutError:
        return None


def _share(word: str) -> Share:
    x, y = word.split(",")
    return float(x), float(y)


def _mat_of(found: FoundView) -> MatSeen | None:
    """Return the mat whose markers are seen; corners and the markers for any game name none."""
    own = any(table_of_marker(marker.id) is not None for marker in found.markers)
    return MatSeen(found.plan.game, len(found.plan.seats)) if own else None


def _outlines(found: FoundView) -> Iterator[Outline]:
    """Yield where the table's spots lie in the picture."""
    size_px = np.array(found.view.size_px)
    for zone in found.plan.zones:
        if is_drawn(found.plan, zone):
            shares = (found.view.to_px(np.array(zone_corners_mm(zone))) + 0.5) / size_px
            corners = tuple((round(float(x), 3), round(float(y), 3)) for x, y in shares)
            yield Outline(zone.name, corners)


def _opened(address: str) -> LiveSource:
    """Open a camera and wait for its first frame. Raises BadInput."""
    return app.open_live(app.find_source(address))


def _close_opened(opening: Future[LiveSource]) -> None:
    """Close a camera that nobody wants any more when it is open at last."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _step(name: str, label: str, findings: Sequence[Finding | None]) -> Step:
    """Return the step that findings make: what is wrong first, with what to do."""
    made = [finding for finding in findings if finding is not None]
    wrong = [finding for finding in made if finding.verdict != "ok"]
    if wrong:
        worst = min(wrong, key=lambda finding: ("fail", "warn").index(finding.verdict))
        return Step(name, label, "wrong", f"{worst.found}: {worst.advice}")
    return Step(name, label, "done", "; ".join(finding.found for finding in made))
