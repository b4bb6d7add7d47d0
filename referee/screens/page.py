"""The page as the match's process sees it: shows boards, and lays what people say on the desk."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from referee.screens.board import BoardState, changed_sections, plain
from referee.screens.desk import Chosen, Desk, Order, Saying, Word
from referee.screens.guard import lan_address, new_keys
from referee.screens.lesson import Lesson
from referee.screens.setup import Chair, Setup, SetupOffer
from referee.screens.wire import Packet, WireError, read_packet, write_packet
from referee.values import Setting

LOOPBACK = ("127.0.0.1", "localhost", "::1")
# Lines of events waiting for a page's process that is stuck; later ones push the oldest out.
MOST_LINES = 10_000
# Pages of the record that wait to be made; who asks for more is told that there is none.
MOST_ASKED = 8
START_TIMEOUT_S = 30.0
Fields = dict[str, Any]


class PageError(Exception):
    """The page cannot be served; one line: what is wrong, what to do."""


@dataclass(frozen=True, slots=True)
class Links:
    """Where the page is: for this machine, and with their keys for players and operators."""

    here: str
    player: str
    operator: str
    exposed: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page's process has."""

    board: BoardState | None = None
    offer: SetupOffer | None = None
    lesson: Lesson | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """What is written at once: the newest of all, and every line and answer."""

    board: BoardState | None
    offer: SetupOffer | None
    lesson: Lesson | None
    picture: bytes | None
    lines: tuple[str, ...]
    answers: tuple[bytes, ...]


def _nothing(what: str) -> bytes | None:
    return None


class Page:
    """The live page, served by a process of its own, so that clients never slow the judging.

    `desk` takes what people say. `record_page` gives the record's pages as HTML by name (`report`,
    `dispute 5`; None: there is none); it is called in a thread of its own, one page at a time. All
    methods may be called from any thread and never wait for a browser.
    """

    def __init__(
        self,
        desk: Desk,
        host: str = "127.0.0.1",
        port: int | None = None,
        record_page: Callable[[str], bytes | None] = _nothing,
    ) -> None:
        """Start to serve. `port` None takes the first free one from 8700. Raises PageError."""
        self._desk, self._record_page = desk, record_page
        exposed = host not in LOOPBACK
        keys = new_keys() if exposed else None
        shown = _shown_host(host)
        links = {
            "player": f"http://{shown}:{port or 0}/join" + (f"?key={keys.player}" if keys else ""),
            "operator": f"http://{shown}:{port or 0}/" + (f"?key={keys.operator}" if keys else ""),
        }
        command = [sys.executable, "-m", "referee.screens.serving"]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the match's process, which ends this one
        )
        config = {
            "host": host,
            "port": port,
            "keys": [keys.player, keys.operator] if keys else None,
            "links": links,
        }
        # Popen gives its pipes the type of any file; without `text` they are binary ones.
        self._to = cast(BinaryIO, self._process.stdin)
        self._from = cast(BinaryIO, self._process.stdout)
        number = self._begin(Packet("C", json.dumps(config).encode()), host, port)
        here = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else shown}:{number}/"
        player, operator = (link.replace(":0/", f":{number}/") for link in links.values())
        self.links = Links(here, player, operator, exposed)
        self.process_id = self._process.pid
        self._news = threading.Condition()
        self._closing = False
        self._board: BoardState | None = None
        self._offer: SetupOffer | None = None
        self._lesson: Lesson | None = None
        self._picture: bytes | None = None
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._answers: deque[bytes] = deque()
        self._asked = threading.BoundedSemaphore(MOST_ASKED)
        self._record_maker = ThreadPoolExecutor(1, "page-record")
        self._threads = (
            threading.Thread(target=self._write_on, name="page-writer", daemon=True),
            threading.Thread(target=self._read_on, name="page-reader", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def show(self, board: BoardState) -> None:
        """Show a board: the newest wins when they come faster than pages can be told."""
        with self._news:
            self._board = board
            self._news.notify()

    def offer(self, offer: SetupOffer | None) -> None:
        """Show operators what can be set up."""
        with self._news:
            self._offer = offer
            self._news.notify()

    def teach(self, lesson: Lesson) -> None:
        """Show operators a picture's reads to correct; the picture itself by `show_picture`."""
        with self._news:
            self._lesson = lesson
            self._news.notify()

    def show_picture(self, jpeg: bytes) -> None:
        """Show the camera's newest picture, a whole JPEG file."""
        with self._news:
            self._picture = jpeg
            self._news.notify()

    def tell(self, fields: Fields) -> None:
        """Send a line of the event stream to the programs that listen."""
        with self._news:
            self._lines.append(json.dumps(fields, ensure_ascii=False, separators=(",", ":")))
            self._news.notify()

    def close(self) -> None:
        """Stop serving."""
        with self._news:
            self._closing = True
            self._news.notify()
        self._threads[0].join(5)
        self._record_maker.shutdown(wait=False, cancel_futures=True)
        try:
            self._to.close()
        except OSError:
            pass  # it is gone already
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._threads[1].join(5)
        self._from.close()

    def __enter__(self) -> Page:
        """Serve within a `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving at its end."""
        self.close()

    def _begin(self, config: Packet, host: str, port: int | None) -> int:
        """Give the process its configuration; returns the port that it took."""
        try:
            write_packet(self._to, config)
            answer = read_packet(self._from)
        except (OSError, WireError):
            answer = None
        told: Fields = json.loads(answer.data) if answer else {"failed": "its process ended"}
        if "up" in told:
            return int(told["up"])
        self._to.close()
        self._process.wait(START_TIMEOUT_S)
        self._from.close()
        where = f"{host}:{port}" if port else f"{host}, ports 8700 to 8719"
        raise PageError(f"the page cannot be served at {where}: {told['failed']}; choose another")

    def _write_on(self) -> None:
        """Write what is new until the page is closed, or its process ended."""
        shown = Shown()
        while True:
            with self._news:
                while not (self._closing or self._is_news(shown)):
                    self._news.wait()
                if self._closing:
                    return
                batch = self._taken()
            try:
                for packet in _packets(shown, batch):
                    write_packet(self._to, packet)
            except OSError:
                return  # the page's process ended; the match goes on without a page
            shown = Shown(batch.board, batch.offer, batch.lesson)

    def _is_news(self, shown: Shown) -> bool:
        changed = self._board is not shown.board or self._offer is not shown.offer
        changed = changed or self._lesson is not shown.lesson
        return changed or bool(self._picture or self._lines or self._answers)

    def _taken(self) -> Batch:
        """Take all that waits."""
        lines, answers = tuple(self._lines), tuple(self._answers)
        batch = Batch(self._board, self._offer, self._lesson, self._picture, lines, answers)
        self._picture = None
        self._lines.clear()
        self._answers.clear()
        return batch

    def _read_on(self) -> None:
        """Lay what people say on the desk until the page's process ends."""
        try:
            while (packet := read_packet(self._from)) is not None:
                told = json.loads(packet.data)
                if "ask" in told:
                    self._answer(told)
                else:
                    self._desk.put(_word(told))
        except (OSError, ValueError, WireError):
            return  # the process ended in the middle of a word

    def _answer(self, told: Fields) -> None:
        """Have a page of the record made, apart: no declaration waits for it."""
        if self._asked.acquire(blocking=False):
            self._record_maker.submit(self._make, told["ask"], told["id"])
        else:
            self._answered(told["id"], b"")

    def _make(self, what: str, number: int) -> None:
        page = b""
        try:
            page = self._record_page(what) or b""
        finally:
            self._asked.release()
            self._answered(number, page)

    def _answered(self, number: int, page: bytes) -> None:
        with self._news:
            self._answers.append(number.to_bytes(8, "big") + page)
            self._news.notify()


def _packets(shown: Shown, batch: Batch) -> Iterator[Packet]:
    for answer in batch.answers:
        yield Packet("A", answer)
    if batch.picture is not None:
        yield Packet("J", batch.picture)
    if batch.lesson is not shown.lesson:
        yield _json_packet("O", {"lesson": plain(batch.lesson)})
    if batch.offer is not shown.offer:
        yield _json_packet("O", {"offer": plain(batch.offer)})
    if batch.board is not None and batch.board is not shown.board:
        yield _json_packet("B", changed_sections(shown.board, batch.board))
    if batch.lines:
        yield Packet("L", "\n".join(batch.lines).encode())


def _json_packet(kind: str, fields: Fields) -> Packet:
    return Packet(kind, json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode())


def _shown_host(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return lan_address()
    return f"[{host}]" if ":" in host else host


def _word(told: Fields) -> Word:
    """Return what the page's process says that somebody said."""
    if "saying" in told:
        said = told["saying"]
        words = tuple(said.pop("words"))
        return Saying(seat=said.pop("seat", None), words=words, **said)
    if "order" in told:
        order = told["order"]
        return Order(words=tuple(order.pop("words")), **order)
    chosen = told["chosen"]
    fields = chosen.pop("setup")
    chairs = tuple(Chair(**chair) for chair in fields.pop("chairs"))
    options = tuple(Setting(**option) for option in fields.pop("options"))
    corners = tuple((float(x), float(y)) for x, y in fields.pop("corners"))
    setup = Setup(chairs=chairs, options=options, corners=corners, **fields)
    return Chosen(setup=setup, **chosen)
