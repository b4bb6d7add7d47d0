"""Pages that listen, for `referee bench screens`: how long a board was under way to each."""

from __future__ import annotations

import asyncio
import json
import sys
import time

from websockets.asyncio.client import connect


async def listen(at: str, late_ms: list[float]) -> None:
    """Be one page: answer pings, and note how old each board is when it is here."""
    async with connect(f"ws://{at}/ws") as socket:
        async for text in socket:
            now_ns = time.monotonic_ns()
            message = json.loads(text)
            if message["type"] == "ping":
                pong = {"type": "pong", "id": message["id"], "at_ms": now_ns / 1e6}
                await socket.send(json.dumps(pong))
            for mark in message.get("patch", {}).get("marks", ()):
                late_ms.append((now_ns - int(mark)) / 1e6)


async def main(at: str, pages: int) -> None:
    """Listen until the input ends, then print all that was noted."""
    late_ms: list[float] = []
    tasks = [asyncio.create_task(listen(at, late_ms)) for _ in range(pages)]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(late_ms))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
