"""The hub: the documents that pages show, and who of the pages has which version of them."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict, deque
from typing import Any

from referee.screens.device_clock import DeviceClock
from referee.screens.guard import SAID_AT_ONCE, SAID_PER_S, Bucket
from referee.screens.patch import Fields, merge_patch

# Lines that a slow program may be behind before the oldest are dropped, and it is told so.
MOST_LINES = 2000
MOST_PATCHES = 64
MOST_IDS = 500


def as_text(fields: Fields) -> str:
    """Return an object as the shortest JSON text."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


class Document:
    """One JSON object that changes, and the patches between its versions."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.fields: Fields = {}
        self.version = 0
        self._patches: OrderedDict[tuple[int, int], str] = OrderedDict()

    def take(self, sections: Fields) -> None:
        """Make the next version: these sections are new, those that are None are gone."""
        both = {**self.fields, **sections}
        self.fields = {name: value for name, value in both.items() if value is not None}
        self.version += 1

    def full(self) -> str:
        """Return the message that gives a page all of it."""
        head = {"type": "full", "doc": self.name, "v": self.version}
        return as_text({**head, "fields": self.fields})

    def since(self, base: int, old: Fields) -> str:
        """Return the message that brings a page from a version here; made once for all pages."""
        key = (base, self.version)
        text = self._patches.get(key)
        if text is None:
            patch = merge_patch(old, self.fields)
            head = {"type": "patch", "doc": self.name, "base": base, "v": self.version}
            text = self._patches[key] = as_text({**head, "patch": patch})
            if len(self._patches) > MOST_PATCHES:
                self._patches.popitem(last=False)
        return text


class Client:
    """One page that is connected. Used by the server's thread alone."""

    def __init__(self, name: str, peer: str, level: str) -> None:
        self.name, self.peer, self.level = name, peer, level
        self.role = "audience"
        self.seat: str | None = None
        self.clock = DeviceClock()
        self.said = Bucket(SAID_PER_S, SAID_AT_ONCE)
        self.wake = asyncio.Event()
        self.lines: deque[str] | None = None
        self.dropped = 0
        self._has: dict[str, tuple[int, Fields]] = {}

    def news(self, documents: tuple[Document, ...]) -> list[str]:
        """Return the messages that bring the page up to date; slow pages skip versions."""
        found = []
        for document in documents:
            has = self._has.get(document.name)
            if document.version == (has[0] if has else 0):
                continue  # it has this one, or there is none yet
            found.append(document.since(*has) if has else document.full())
            self._has[document.name] = (document.version, document.fields)
        return found

    def take_line(self, line: str) -> None:
        """Keep a line for a program that listens to events; the oldest go when it is too slow."""
        if self.lines is None:
            return
        if len(self.lines) >= MOST_LINES:
            self.lines.popleft()
            self.dropped += 1
        self.lines.append(line)
        self.wake.set()

    def new_lines(self) -> list[str]:
        """Return the lines that were not sent yet, with word of those that were dropped."""
        lines = self.lines
        if not lines:
            return []
        found = list(lines)
        lines.clear()
        if self.dropped:
            found.insert(0, as_text({"type": "dropped", "lines": self.dropped}))
            self.dropped = 0
        return found


class Hub:
    """All pages and what they show: `board` for everybody, `office` for operators."""

    def __init__(self) -> None:
        self.board, self.office = Document("board"), Document("office")
        self.clients: set[Client] = set()
        self.picture = b""
        self.picture_n = 0
        self.picture_came = asyncio.Event()
        self._answers: OrderedDict[str, Fields] = OrderedDict()
        self._next = 1

    def join(self, peer: str, level: str) -> Client:
        """Let a page in."""
        client = Client(f"{peer} no. {self._next}", peer, level)
        self._next += 1
        self.clients.add(client)
        self._tell_clients()
        return client

    def leave(self, client: Client) -> None:
        """Let a page go."""
        self.clients.discard(client)
        self._tell_clients()

    def named(self, client: Client, role: str, seat: str | None) -> None:
        """Take what a page says it is for."""
        client.role, client.seat = role, seat
        self._tell_clients()

    def of_peer(self, peer: str) -> int:
        """How many pages of an address are connected."""
        return sum(client.peer == peer for client in self.clients)

    def documents(self, client: Client) -> tuple[Document, ...]:
        """What a page may know."""
        return (self.board, self.office) if client.level == "operator" else (self.board,)

    def change_board(self, patch: Fields) -> None:
        """Take changed sections of the board."""
        self.board.take(patch)
        self._wake()

    def change_office(self, patch: Fields) -> None:
        """Take changes of what only operators see."""
        self.office.take(patch)
        self._wake()

    def show_picture(self, jpeg: bytes) -> None:
        """Take the newest picture."""
        self.picture, self.picture_n = jpeg, self.picture_n + 1
        self.picture_came.set()
        self.picture_came = asyncio.Event()

    def tell_line(self, line: str) -> None:
        """Send a line of the event stream to who listens."""
        for client in self.clients:
            client.take_line(line)

    def answered(self, id: str) -> Fields | None:
        """Return the answer to a message that came before, None for a new one."""
        return self._answers.get(id)

    def remember(self, id: str, answer: Fields) -> None:
        """Keep an answer, for a page that sends again what it does not know to be heard."""
        self._answers[id] = answer
        if len(self._answers) > MOST_IDS:
            self._answers.popitem(last=False)

    def _tell_clients(self) -> None:
        pages: list[dict[str, Any]] = [
            {"name": c.name, "role": c.role, **({"seat": c.seat} if c.seat else {})}
            for c in sorted(self.clients, key=lambda c: c.name)
        ]
        self.change_office({"pages": pages})

    def _wake(self) -> None:
        for client in self.clients:
            client.wake.set()
