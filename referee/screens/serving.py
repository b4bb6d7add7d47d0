"""The page's process: serves browsers apart from the judging, so that no flood slows that.

It speaks with the match's process through its pipes. Started by `page.Page` as
`python -m referee.screens.serving`; ends when its input ends.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import uvicorn

from referee.screens.guard import Door, Keys
from referee.screens.hub import Hub
from referee.screens.patch import Fields
from referee.screens.web import Site, Teller
from referee.screens.wire import Packet, WireError, read_packet, write_packet

# Tried one after another when nobody asked for a certain port.
PORTS = range(8700, 8720)
MOST_CONNECTIONS = 200


class QuietServer(uvicorn.Server):
    """A server that leaves signals to the match's process and ends with the pipe."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def open_port(host: str, port: int | None) -> socket.socket:
    """Return a listening socket. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last: OSError | None = None
    for wanted in PORTS if port is None else (port,):
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, wanted))
            found.listen(128)
            return found
        except OSError as reason:
            found.close()
            last = reason
    assert last is not None
    raise last


def main() -> None:
    """Serve until the input ends."""
    pipe_in, pipe_out = sys.stdin.buffer, sys.stdout.buffer
    first = read_packet(pipe_in)
    if first is None:
        return
    config = json.loads(first.data)
    try:
        port = open_port(config["host"], config["port"])
    except (OSError, OverflowError) as reason:
        say(pipe_out, {"failed": str(getattr(reason, "strerror", None) or reason)})
        return
    say(pipe_out, {"up": port.getsockname()[1]})
    keys = Keys(*config["keys"]) if config["keys"] else None
    asyncio.run(serve(port, keys, config["links"], pipe_in, pipe_out))


def say(pipe: BinaryIO, fields: Fields) -> None:
    """Tell the match's process one thing."""
    write_packet(pipe, Packet("W", json.dumps(fields).encode()))


async def serve(
    port: socket.socket,
    keys: Keys | None,
    links: Fields,
    pipe_in: BinaryIO,
    pipe_out: BinaryIO,
) -> None:
    """Serve the page on an open port until the input ends."""
    hub = Hub()
    addresses = _addresses(links, port.getsockname()[1])
    hub.change_office({"addresses": addresses, "exposed": keys is not None})
    teller = Teller(lambda fields: say(pipe_out, fields))
    site = Site(hub, Door(keys), teller)
    config = uvicorn.Config(
        site.app,
        interface="asgi3",
        ws="websockets-sansio",
        http="h11",
        log_level="critical",
        lifespan="off",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=1,
        ws_max_size=site.LONGEST_BYTES,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        # Messages are small and the network is a room: packing costs more than it saves.
        ws_per_message_deflate=False,
    )
    server = QuietServer(config)
    loop = asyncio.get_running_loop()
    reader = threading.Thread(
        target=read_on, args=(pipe_in, loop, Inbox(hub, teller), server), daemon=True
    )
    reader.start()
    await server.serve(sockets=[port])


def _addresses(links: Fields, port: int) -> Fields:
    return {name: link.replace(":0/", f":{port}/") for name, link in links.items()}


class Inbox:
    """What the match's process sends, brought to where it belongs in the server's thread."""

    def __init__(self, hub: Hub, teller: Teller) -> None:
        self._hub, self._teller = hub, teller

    def take(self, packet: Packet) -> None:
        """Take one frame: B board, O office, J picture, L lines, A answer."""
        match packet.kind:
            case "B":
                self._hub.change_board(json.loads(packet.data))
            case "O":
                self._hub.change_office(json.loads(packet.data))
            case "J":
                self._hub.show_picture(packet.data)
            case "L":
                for line in packet.data.decode().splitlines():
                    self._hub.tell_line(line)
            case "A":
                self._teller.answered(int.from_bytes(packet.data[:8], "big"), packet.data[8:])


def read_on(
    pipe: BinaryIO, loop: asyncio.AbstractEventLoop, inbox: Inbox, server: uvicorn.Server
) -> None:
    """Read frames until the input ends, then end the server."""
    try:
        while (packet := read_packet(pipe)) is not None:
            loop.call_soon_threadsafe(inbox.take, packet)
    except (WireError, RuntimeError):
        pass  # the match's process is gone, or the loop ended first: either way it is over
    server.should_exit = True


if __name__ == "__main__":
    main()
