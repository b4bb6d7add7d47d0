"""Boards on real ports: a reader and a writer thread each, found again when they come back."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import serial

from referee.pads.dialogue import Dialogue
from referee.pads.latency import advice
from referee.pads.ports import PortError, find_ports, latency_timer_ms, open_port
from referee.pads.protocol import Configure, Name, SelfTest, Stat, ToBoard
from referee.pads.told import Blinded, Greeted, Linked, LinkState, Sighted, Told

NS_PER_S = 1_000_000_000
# How often ports are looked for, and the longest sleep of a writer.
LOOK_S, NAP_S, SHORTEST_NAP_S = 0.3, 0.05, 0.001
# A reader that nobody empties waits: the board's ring holds the hits, and counts what it drops.
MOST_NEWS = 4096


@dataclass(frozen=True, slots=True)
class News:
    """What a board told: `uid` is None until it has said who it is."""

    device: str
    uid: bytes | None
    told: Told


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """How a board is, to be shown to players; `why` and `advice` are one line or empty."""

    device: str
    uid: bytes | None
    state: LinkState
    why: str
    advice: str
    stat: Stat | None
    half_ns: int | None


class Link:
    """One open port and the talk over it.

    The reader thread reads, stamps and tells; the writer thread writes what is due. Both use the
    dialogue under `_change`. When the port breaks both end, and `broken` says why.
    """

    def __init__(
        self, device: str, port: serial.Serial, tell: Callable[[Link, Told], None]
    ) -> None:
        """Begin to talk over an open port; `tell` is called by the reader and writer threads."""
        self.device = device
        self.broken: str | None = None
        self.why = ""
        self._port = port
        self._tell = tell
        self._change = threading.Condition()
        self._closing = threading.Event()
        self.dialogue = Dialogue(random.Random(), time.monotonic_ns())
        self._threads = [
            threading.Thread(target=work, name=f"{name} {device}", daemon=True)
            for work, name in ((self._read, "reader"), (self._write, "writer"))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def uid(self) -> bytes | None:
        """The board's name, once it has told it."""
        ident = self.dialogue.ident
        return None if ident is None else ident.uid

    def ask(self, word: Configure | SelfTest | Name) -> None:
        """Ask until answered; the answer comes as news."""
        with self._change:
            self.dialogue.ask(word)
            self._change.notify()

    def say(self, word: ToBoard) -> None:
        """Send a word once."""
        with self._change:
            self.dialogue.say(word)
            self._change.notify()

    def status(self) -> BoardStatus:
        """Return how the board is now."""
        with self._change:
            talk = self.dialogue
            timer_ms = latency_timer_ms(self.device)
            told = advice(self.device, tuple(talk.round_trips_ns), timer_ms)
            return BoardStatus(
                self.device, self.uid, talk.state, self.why, told or "", talk.stat, talk.half_ns()
            )

    def close(self) -> None:
        """End the talk and let the port go."""
        self._closing.set()
        with self._change:
            self._change.notify()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(2.0)
        try:
            self._port.close()
        except OSError:
            pass

    def _read(self) -> None:
        while not self._closing.is_set() and self.broken is None:
            asked_ns = time.monotonic_ns()
            try:
                data = self._port.read(max(1, self._port.in_waiting))
                now_ns = time.monotonic_ns()
            except (OSError, TypeError) as error:
                self._break(error)
                return
            with self._change:
                # Silence lasts until the port was asked; what this program slept through is none.
                told = self.dialogue.read(data, now_ns) if data else self.dialogue.tick(asked_ns)
                self._change.notify()
            for one in told:
                self._pass_on(one)

    def _write(self) -> None:
        while not self._closing.is_set() and self.broken is None:
            with self._change:
                # Before the lock is left, so that the stamp is never later than the write.
                now_ns = time.monotonic_ns()
                data = self.dialogue.write(now_ns)
                if not data:
                    nap_s = (self.dialogue.due_ns() - now_ns) / NS_PER_S
                    self._change.wait(min(NAP_S, max(SHORTEST_NAP_S, nap_s)))
                    continue
            try:
                self._port.write(data)
            except (OSError, TypeError) as error:
                self._break(error)
                return
            with self._change:
                self.dialogue.wrote(time.monotonic_ns() - now_ns)

    def _pass_on(self, told: Told) -> None:
        if isinstance(told, Linked):
            self.why = told.why
        self._tell(self, told)

    def _break(self, error: Exception) -> None:
        """Note that the port is gone; the cable was pulled, or the board is."""
        if not self._closing.is_set():
            self.broken = "the cable was pulled, or the board has no power"


class Boards:
    """All touchpads of a table, whatever ports they are on. `wait` is called by one thread.

    With `devices` those ports are used, opened again when they come back; without, every port
    that may be a touchpad is tried, and let go again when it is none. A board is known by its
    uid: it may come back on another port. One thread looks for ports.
    """

    def __init__(self, devices: Iterable[str] | None = None) -> None:
        """Open the ports. Raises PortError where a named one cannot be opened."""
        self._named = None if devices is None else tuple(devices)
        self._news: queue.Queue[News] = queue.Queue(MOST_NEWS)
        self._lock = threading.Lock()
        self._links: dict[str, Link] = {}
        self._shunned: dict[str, str] = {}
        self._blind_since_ns: dict[bytes, int] = {}
        self._closing = threading.Event()
        self._looker: threading.Thread | None = None
        try:
            for device in self._named or ():
                self._open(device)
        except PortError:
            self.close()
            raise
        self._looker = threading.Thread(target=self._look, name="pads", daemon=True)
        self._looker.start()

    def wait(self, timeout_s: float) -> News | None:
        """Return the next news, None at the timeout."""
        try:
            return self._news.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def statuses(self) -> tuple[BoardStatus, ...]:
        """Return how every board is, by the port's name."""
        return tuple(link.status() for link in self._by_name())

    def link(self, uid: bytes) -> Link | None:
        """Return the talk with a board, None where it is not connected."""
        return next((link for link in self._by_name() if link.uid == uid), None)

    def refused(self) -> tuple[tuple[str, str], ...]:
        """Return the ports that could not be used, each with the reason."""
        with self._lock:
            return tuple(sorted(self._shunned.items()))

    def close(self) -> None:
        """Let all ports go."""
        self._closing.set()
        if self._looker is not None:
            # First, or it may open a port again that was just let go.
            self._looker.join()
        for link in self._by_name():
            link.close()

    def _by_name(self) -> list[Link]:
        with self._lock:
            return [self._links[device] for device in sorted(self._links)]

    def _open(self, device: str) -> None:
        link = Link(device, open_port(device), self._heard)
        with self._lock:
            self._links[device] = link

    def _look(self) -> None:
        while not self._closing.wait(LOOK_S):
            for link in self._by_name():
                if link.broken is not None:
                    self._lose(link, link.broken)
            self._find()

    def _find(self) -> None:
        """Open the ports that are there and not open yet."""
        found = {port.device for port in find_ports()} if self._named is None else set(self._named)
        with self._lock:
            wanted = sorted(found - self._links.keys() - self._shunned.keys())
            gone = self._shunned.keys() - found
            for device in gone:
                del self._shunned[device]
        for device in wanted:
            try:
                self._open(device)
            except PortError as error:
                # A named port that comes back is tried again and again.
                if self._named is None:
                    self._shun(device, str(error))

    def _shun(self, device: str, why: str) -> None:
        with self._lock:
            self._shunned[device] = why

    def _lose(self, link: Link, why: str) -> None:
        """Close a link whose port broke, and say since when its board is blind."""
        now_ns = time.monotonic_ns()
        since_ns = link.dialogue.blind_since_ns()
        link.close()
        with self._lock:
            self._links.pop(link.device, None)
        uid = link.uid
        self._put(News(link.device, uid, Linked("BLIND", now_ns, why)))
        if uid is not None:
            self._blind_since_ns.setdefault(uid, since_ns)
            self._put(News(link.device, uid, Blinded(since_ns, why)))

    def _heard(self, link: Link, told: Told) -> None:
        """Pass news on; called by the links' threads."""
        uid = link.uid
        if isinstance(told, Greeted):
            uid = told.ident.uid
        if isinstance(told, Sighted) and uid is not None:
            # Blind since before the port was opened again.
            since_ns = self._blind_since_ns.pop(uid, told.since_ns)
            told = replace(told, since_ns=min(since_ns, told.since_ns))
        self._put(News(link.device, uid, told))
        foreign = isinstance(told, Linked) and (
            told.state == "WRONG FIRMWARE" or told.why.startswith("it does not answer")
        )
        if foreign and self._named is None and isinstance(told, Linked):
            self._shun(link.device, f"{link.device}: {told.why}")
            link.broken = told.why

    def _put(self, news: News) -> None:
        while not self._closing.is_set():
            try:
                self._news.put(news, timeout=0.2)
                return
            except queue.Full:
                continue
