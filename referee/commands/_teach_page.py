"""`referee see --teach DIR --page`: the reads of each picture, corrected on a page by tapping."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import cv2

from referee.app.teaching import Box, Taught, TaughtSet, image_name, things_of
from referee.commands import BadInput, tell
from referee.commands._front import open_browser
from referee.commands._teach import (
    MISSED_HEIGHT_PX,
    CannotTellError,
    ask_about_all,
    called,
    missed,
)
from referee.screens.board import BoardState, Head, Status
from referee.screens.desk import Desk, Order
from referee.screens.lesson import Lesson, Marked
from referee.screens.overlay import turned, turned_point
from referee.screens.page import Page, PageError
from referee.vision.detect import Reader
from referee.vision.frames import Frame

LOOK_S = 0.1
# Larger pictures are sent to the browser smaller; what is kept is the picture itself.
SHOWN_PX, JPEG_QUALITY = 2000, 88
NO_CARD, UNKNOWN = "-", "?"
# Exif orientations that turn by a quarter; each is undone by the other, all others by themselves.
QUARTERS = {6: 8, 8: 6}


def teach_on_page(reader: Reader, sources: list[str], folder: str) -> int:
    """Let every picture be corrected on a page of this machine. Raises BadInput."""
    kept, desk = TaughtSet(folder), Desk()
    try:
        page = Page(desk)
    except PageError as reason:
        raise BadInput(str(reason)) from None
    with page:
        lessons = Lessons(reader, kept, page, desk)
        page.show(BoardState(Head("setup"), Status("waiting", "Correct what was read.")))
        link = page.links.here + "teach"
        tell(f"correct the reads on this page: {link} (Ctrl-C ends; what was kept stays)")
        open_browser(link)
        try:
            code = ask_about_all(sources, kept, lessons.ask)
            lessons.finish()
        except KeyboardInterrupt:
            return 0
    return code


class Lessons:
    """Shows one picture after the other on the page, and does what is ordered there."""

    def __init__(self, reader: Reader, kept: TaughtSet, page: Page, desk: Desk) -> None:
        self._reader, self._kept, self._page, self._desk = reader, kept, page, desk
        self._lesson = Lesson(0, "", 0, 0, (), str(kept.folder.resolve()), len(kept))
        self._frame: Frame | None = None
        self._things: list[Taught] = []
        self._no_cards: set[int] = set()
        self._ended = False

    def ask(self, frame: Frame) -> bool:
        """Let one picture be corrected; False when somebody ends it. Raises BadInput."""
        self._frame = frame
        self._things = list(things_of(self._reader.study(frame.image_bgr)))
        self._no_cards = set()
        high_px, wide_px = turned(frame.image_bgr, frame.orientation).shape[:2]
        self._lesson = replace(
            self._lesson,
            number=self._lesson.number + 1,
            picture=image_name(frame),
            width_px=wide_px,
            height_px=high_px,
        )
        self._page.show_picture(_shown(frame))
        self._show()
        while True:
            order = self._next()
            if order.do in ("keep", "skip", "end"):
                if order.do == "keep":
                    self._keep(frame)
                self._ended = order.do == "end"
                return not self._ended
            self._correct(order)

    def finish(self) -> None:
        """Say that there is no picture left, until somebody closes the page's lesson."""
        if self._lesson.picture and not self._ended:
            self._lesson = replace(self._lesson, picture="", things=(), problem=None)
            self._page.teach(self._lesson)
            while self._next().do != "end":
                pass

    def _next(self) -> Order:
        while True:
            for word in self._desk.words(LOOK_S):
                if isinstance(word, Order):
                    return word

    def _correct(self, order: Order) -> None:
        try:
            if order.do == "mark":
                self._mark(*order.words)
            elif order.do == "missed":
                self._add(*order.words)
            self._show()
        except CannotTellError as reason:
            self._show(str(reason))

    def _mark(self, number: str, name: str) -> None:
        k = int(number) - 1 if number.isdecimal() and len(number) < 6 else -1
        if not 0 <= k < len(self._things):
            raise CannotTellError(f"there is no read {number[:10]} in this picture")
        if name == NO_CARD:
            self._no_cards.add(k)
            return
        self._things[k] = called(self._things[k], name)
        self._no_cards.discard(k)

    def _add(self, name: str, x: str, y: str) -> None:
        """Add a card that nobody read, its index about as high as the others'."""
        assert self._frame is not None
        wide_px, high_px = self._lesson.width_px, self._lesson.height_px
        try:
            shown = float(x), float(y)
        except ValueError:
            raise CannotTellError("a place is two numbers, pixels of the picture") from None
        if not (0 <= shown[0] < wide_px and 0 <= shown[1] < high_px):
            raise CannotTellError("this place is not in the picture")
        back = QUARTERS.get(self._frame.orientation, self._frame.orientation)
        at = turned_point(shown, (wide_px, high_px), back)
        boxes = [one.box_px for one in self._things if one.kind == "index_corner"]
        high = median(box[3] - box[1] for box in boxes) if boxes else MISSED_HEIGHT_PX
        self._things.append(missed(name, *at, high))

    def _keep(self, frame: Frame) -> None:
        right = [one for k, one in enumerate(self._things) if k not in self._no_cards]
        path = self._kept.keep(frame, right)
        print(f"{path}: {len(right)} objects kept", flush=True)
        self._lesson = replace(self._lesson, kept=len(self._kept))

    def _show(self, problem: str | None = None) -> None:
        marked = (
            Marked(NO_CARD if k in self._no_cards else _word(one), self._upright(one.box_px))
            for k, one in enumerate(self._things)
        )
        self._lesson = replace(self._lesson, things=tuple(marked), problem=problem)
        self._page.teach(self._lesson)

    def _upright(self, box_px: Box) -> Box:
        """A box in the picture as it is shown."""
        assert self._frame is not None
        size_px, turn = (self._frame.width_px, self._frame.height_px), self._frame.orientation
        (ax, ay), (bx, by) = (turned_point(at, size_px, turn) for at in (box_px[:2], box_px[2:]))
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def _word(thing: Taught) -> str:
    return UNKNOWN if thing.label == "IGNORE" else thing.label


def _shown(frame: Frame) -> bytes:
    """The picture as a JPEG of a size that a browser shows at once. Raises BadInput."""
    image = turned(frame.image_bgr, frame.orientation)
    scale = SHOWN_PX / max(frame.width_px, frame.height_px)
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    good, data = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    if not good:
        raise BadInput(f"{frame.source}: this picture cannot be shown")
    return data.tobytes()
