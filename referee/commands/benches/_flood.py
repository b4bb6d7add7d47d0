"""A flood against the live page, for `referee bench screens --flood`: all that a process can."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import count

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

# Pages that claim without end, that talk nonsense, and that never read; and askers of files.
CLAIMING, NONSENSE, DEAF, ASKING = 8, 4, 4, 4
SEATS = "ABCD"


async def claim(at: str, number: int, sent: list[int]) -> None:
    """Claim a fault of a new rule again and again, reading what comes back."""
    seat = SEATS[number % len(SEATS)]
    async with connect(f"ws://{at}/ws", max_queue=None) as socket:
        reading = asyncio.create_task(_read(socket))
        await socket.send(json.dumps({"type": "hello", "role": "player", "seat": seat}))
        for n in count():
            word = {"type": "say", "id": f"{number}-{n}", "seat": seat, "what": "claim"}
            await socket.send(json.dumps({**word, "words": [f"rule-{n}"]}))
            sent[0] += 1
            if reading.done():
                return


async def talk_nonsense(at: str, sent: list[int]) -> None:
    """Send what is no message, as large as it may be."""
    async with connect(f"ws://{at}/ws", max_queue=None) as socket:
        reading = asyncio.create_task(_read(socket))
        while not reading.done():
            await socket.send("x" * 4000)
            sent[0] += 1


async def be_deaf(at: str, sent: list[int]) -> None:
    """Ask for every line of the match and never read one."""
    async with connect(f"ws://{at}/ws", max_queue=1) as socket:
        await socket.send(json.dumps({"type": "hello", "role": "audience", "events": True}))
        sent[0] += 1
        await asyncio.sleep(3600)


async def ask(at: str, sent: list[int]) -> None:
    """Ask for the whole board, connection after connection."""
    host, port = at.rsplit(":", 1)
    while True:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(
            f"GET /state.json HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n".encode()
        )
        sent[0] += 1
        await reader.read()
        writer.close()


async def _read(socket: object) -> None:
    async for _ in socket:  # type: ignore[attr-defined]
        pass


async def again(flood: object, *words: object) -> None:
    """Begin anew whenever the page ends it."""
    while True:
        try:
            await flood(*words)  # type: ignore[operator]
        except (OSError, WebSocketException, EOFError):
            await asyncio.sleep(0.05)


async def main(at: str) -> None:
    """Flood until the input ends, then print how much was sent."""
    sent = [0]
    tasks = [asyncio.create_task(again(claim, at, n, sent)) for n in range(CLAIMING)]
    tasks += [asyncio.create_task(again(talk_nonsense, at, sent)) for _ in range(NONSENSE)]
    tasks += [asyncio.create_task(again(be_deaf, at, sent)) for _ in range(DEAF)]
    tasks += [asyncio.create_task(again(ask, at, sent)) for _ in range(ASKING)]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(sent[0])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
