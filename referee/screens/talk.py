"""A WebSocket with one page: what it says is read, checked and passed on; it is kept up to date."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from referee.screens.board import plain
from referee.screens.desk import Chosen, Order, Repeats, Saying
from referee.screens.device_clock import Exchange
from referee.screens.guard import (
    ALL_SAID_AT_ONCE,
    ALL_SAID_PER_S,
    DEVICE_SAID_AT_ONCE,
    DEVICE_SAID_PER_S,
    MESSAGES_AT_ONCE,
    MESSAGES_PER_S,
    MOST_ADDRESSES,
    Bucket,
    is_here,
    take_of_all,
)
from referee.screens.hub import Client, Hub, as_text
from referee.screens.messages import (
    Hello,
    Ordered,
    Pong,
    Refused,
    Said,
    SetUp,
    read_message,
)
from referee.screens.patch import Fields

BOARDS_PER_S = 30
# A few quick pings at once give a good clock before the first button is pressed.
FIRST_PINGS, FIRST_PING_S, LATER_PING_S = 6, 0.05, 2.0
# A page that does not read what it is sent for so long is gone.
SEND_TIMEOUT_S = 10.0
# Wrong messages in a row before a page is sent away: ours sends none.
MOST_WRONG = 20


class Wrong:
    """How many messages in a row could not be taken."""

    def __init__(self) -> None:
        self.in_a_row = 0


class Talk:
    """Holds the sockets. Runs in the server's thread."""

    def __init__(self, hub: Hub, tell: Callable[[Fields], None], build: str) -> None:
        self._hub, self._tell, self._build = hub, tell, build
        self._repeats = Repeats()
        self._all_said = Bucket(ALL_SAID_PER_S, ALL_SAID_AT_ONCE)
        self._devices: dict[str, Bucket] = {}

    async def hold(self, socket: WebSocket, peer: str, level: str) -> None:
        """Talk with a page until it goes."""
        await socket.accept()
        client = self._hub.join(peer, level)
        pings: dict[int, int] = {}
        welcome = {"type": "welcome", "you": client.name, "level": level, "build": self._build}
        try:
            await _send(socket, as_text(welcome))
            async with asyncio.TaskGroup() as group:
                group.create_task(self._ping(socket, pings))
                group.create_task(self._keep_up(socket, client))
                await self._listen(socket, client, pings)
                raise _Gone
        except* (_Gone, WebSocketDisconnect, TimeoutError, RuntimeError, OSError):
            pass  # however it ended: the page is gone
        finally:
            self._hub.leave(client)

    async def _listen(self, socket: WebSocket, client: Client, pings: dict[int, int]) -> None:
        rate, wrong = Bucket(MESSAGES_PER_S, MESSAGES_AT_ONCE), Wrong()
        while True:
            message = await socket.receive()
            received_ns = time.monotonic_ns()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text") or message.get("bytes") or ""
            answer = self._take(client, pings, text, received_ns)
            wrong.in_a_row = wrong.in_a_row + 1 if answer.get("type") == "error" else 0
            if answer:
                await _send(socket, as_text(answer))
            if wrong.in_a_row >= MOST_WRONG:
                await socket.close(1008)
                return
            # Who sends too fast is not read: the sender's own buffers fill, not ours.
            await asyncio.sleep(rate.wait_s())

    def _take(
        self, client: Client, pings: dict[int, int], text: str | bytes, received_ns: int
    ) -> Fields:
        """Take one message; returns the answer, empty where none is needed."""
        try:
            message = read_message(text)
            match message:
                case Pong():
                    _heard_pong(client, pings, message, received_ns)
                    return {}
                case Hello():
                    return self._greet(client, message)
                case Said() | Ordered() | SetUp():
                    return self._hear(client, message, received_ns)
        except Refused as reason:
            return {"type": "error", "reason": str(reason)}

    def _greet(self, client: Client, hello: Hello) -> Fields:
        if hello.role == "operator" and client.level != "operator":
            raise Refused("this link is for players; the operator has a link of his own")
        client.lines = deque() if hello.events else None
        self._hub.named(client, hello.role, hello.seat)
        return {"type": "greeted", "role": hello.role, "seat": hello.seat}

    def _hear(self, client: Client, message: Said | Ordered | SetUp, received_ns: int) -> Fields:
        """Pass a declaration or an order on, once, whoever sends it how often."""
        before = self._hub.answered(message.id)
        if before is not None:
            return before
        _check_may(client, message)
        if not take_of_all(self._rates_of(client)):
            raise Refused("too much at once; wait a moment and press again")
        device_ns = None if message.at_ms is None else round(message.at_ms * 1e6)
        stamp = client.clock.to_host(device_ns, received_ns)
        answer: Fields = {"type": "heard", "id": message.id, "result": "taken"}
        match message:
            case Said():
                operator = client.role == "operator" and message.by != "key"
                word = (message.seat, message.what, message.words)
                saying = Saying(*word, stamp.t_ns, stamp.u_ns, client.name, operator)
                if self._repeats.is_repeat(saying):
                    answer["result"] = "repeat"
                else:
                    self._tell({"saying": plain(saying)})
                answer["u_ms"] = round(stamp.u_ns / 1e6, 1)
            case Ordered():
                order = Order(message.do, message.words, stamp.t_ns, client.name)
                self._tell({"order": plain(order)})
            case SetUp():
                self._tell({"chosen": plain(Chosen(message.setup, stamp.t_ns, client.name))})
        self._hub.remember(message.id, answer)
        return answer

    def _rates_of(self, client: Client) -> tuple[Bucket, ...]:
        """Return what limits a page: its own, its device's, and that of all; narrow ones first."""
        if client.role != "player":
            return (self._all_said,)
        if is_here(client.peer):
            return (client.said, self._all_said)
        if client.peer not in self._devices and len(self._devices) >= MOST_ADDRESSES:
            self._devices.clear()
        new = Bucket(DEVICE_SAID_PER_S, DEVICE_SAID_AT_ONCE)
        return (client.said, self._devices.setdefault(client.peer, new), self._all_said)

    async def _keep_up(self, socket: WebSocket, client: Client) -> None:
        """Send what is new, at most BOARDS_PER_S times a second."""
        while True:
            for text in (*client.news(self._hub.documents(client)), *client.new_lines()):
                await _send(socket, text)
            await asyncio.sleep(1 / BOARDS_PER_S)
            await client.wake.wait()
            client.wake.clear()

    async def _ping(self, socket: WebSocket, pings: dict[int, int]) -> None:
        """Ask for the device's time again and again."""
        number = 0
        while True:
            number += 1
            pings.pop(number - FIRST_PINGS, None)
            pings[number] = time.monotonic_ns()
            await _send(socket, as_text({"type": "ping", "id": number}))
            await asyncio.sleep(FIRST_PING_S if number < FIRST_PINGS else LATER_PING_S)


class _Gone(Exception):
    """The page has closed its socket."""


def _heard_pong(client: Client, pings: dict[int, int], pong: Pong, received_ns: int) -> None:
    sent_ns = pings.pop(pong.id, None)
    if sent_ns is not None:
        client.clock.heard(Exchange(sent_ns, round(pong.at_ms * 1e6), received_ns))


def _check_may(client: Client, message: Said | Ordered | SetUp) -> None:
    """Raise Refused for what a page may not say: for another seat, or as the operator."""
    if client.role == "operator":
        return
    if not isinstance(message, Said):
        raise Refused("only the operator's page can do this")
    if client.role != "player" or message.seat != client.seat:
        raise Refused("a player declares for the own seat only")


async def _send(socket: WebSocket, text: str) -> None:
    """Send a message. Raises TimeoutError when the page does not read."""
    await asyncio.wait_for(socket.send_text(text), SEND_TIMEOUT_S)
