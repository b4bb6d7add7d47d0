"""Real servers on this machine for the tests: Motion JPEG over HTTP, and RTSP."""

from __future__ import annotations

import hashlib
import socket
import subprocess
import threading
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue

import cv2
import numpy as np
from conftest import HANG_S, Image

BOUNDARY = "frame-of-the-table"
LOGIN = ("ann", "p@ss word")
LOGIN_IN_URL = "ann:p%40ss%20word"


def jpeg(shade: int, width_px: int = 96, height_px: int = 64) -> bytes:
    """Return an even grey picture as JPEG."""
    image: Image = np.full((height_px, width_px, 3), shade, np.uint8)
    return cv2.imencode(".jpg", image)[1].tobytes()


def part(picture: bytes, length: bool = True) -> bytes:
    """Return one part of a multipart stream."""
    size = f"Content-Length: {len(picture)}\r\n" if length else ""
    return f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\n{size}\r\n".encode() + picture + b"\r\n"


class Camera(ThreadingHTTPServer):
    """A phone's camera app. Each connection plays what the test has queued for it.

    A script is bytes to send, one after the other; after them the connection stays open until
    the test puts the next bytes into `more`, or closes it by putting None.
    """

    daemon_threads = True

    def __init__(self, login: str | None = None, content_type: str | None = None) -> None:
        """Listen at a free port; `login` is None, `basic` or `digest`."""
        super().__init__(("127.0.0.1", 0), Connection)
        self.more: SimpleQueue[bytes | None] = SimpleQueue()
        self.login = login
        self.content_type = content_type or f"multipart/x-mixed-replace; boundary={BOUNDARY}"
        self.passwords_seen: list[str] = []
        self.connections = 0

    def url(self, login: str = "", path: str = "/video") -> str:
        """Return the stream's address."""
        at = f"{login}@" if login else ""
        return f"http://{at}127.0.0.1:{self.server_address[1]}{path}"

    def send(self, *pieces: bytes | None) -> None:
        """Queue bytes to be sent; None ends the connection."""
        for piece in pieces:
            self.more.put(piece)


class Connection(BaseHTTPRequestHandler):
    """One connection to the camera."""

    server: Camera

    def do_GET(self) -> None:
        """Answer with the stream, or with what is wrong."""
        if self.path != "/video":
            self.send_error(404)
        elif self.server.login and not self.authorized():
            self.send_response(401)
            challenge = 'Digest realm="table", nonce="n1", qop="auth"'
            basic = 'Basic realm="table"'
            digest = self.server.login == "digest"
            self.send_header("WWW-Authenticate", challenge if digest else basic)
            self.end_headers()
        else:
            self.stream()

    def authorized(self) -> bool:
        """Tell whether the request carries the right password."""
        given = self.headers.get("Authorization", "")
        user, password = LOGIN
        if self.server.login == "basic":
            return given == "Basic " + b64encode(f"{user}:{password}".encode()).decode()
        field = {
            name.strip(): value.strip('" ')
            for name, _, value in (item.partition("=") for item in given[7:].split(","))
        }
        secret = hashlib.md5(f"{user}:table:{password}".encode()).hexdigest()
        request = hashlib.md5(b"GET:/video").hexdigest()
        middle = f"n1:{field.get('nc')}:{field.get('cnonce')}:auth"
        wanted = hashlib.md5(f"{secret}:{middle}:{request}".encode()).hexdigest()
        return field.get("response") == wanted

    def stream(self) -> None:
        """Send what the test queues until it queues None."""
        self.server.connections += 1
        self.send_response(200)
        self.send_header("Content-Type", self.server.content_type)
        self.end_headers()
        while (piece := self.server.more.get()) is not None:
            self.wfile.write(piece)
            self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def camera(login: str | None = None, content_type: str | None = None) -> Iterator[Camera]:
    """Run a camera's server."""
    server = Camera(login, content_type)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.send(None, None, None)
        server.shutdown()
        server.server_close()


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: Sequence[str | Path], ready: str) -> Iterator[subprocess.Popen[str]]:
    """Run a server as a process and wait for the line that says it is ready."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.strip() == ready, f"{command[0]} did not start: {line!r}"
        yield process
    finally:
        process.kill()
        process.communicate(timeout=HANG_S)


@dataclass(frozen=True)
class RtspServer:
    """The ports of a running RTSP server."""

    open_port: int
    locked_port: int


@contextmanager
def rtsp_server(video: Path) -> Iterator[RtspServer]:
    """Run GStreamer's RTSP server with /live at both ports and the video at /game."""
    ports = RtspServer(free_port(), free_port())
    script = Path(__file__).parent / "rtsp_server.py"
    # Debian's own Python: only it sees Debian's GStreamer bindings.
    places = [str(ports.open_port), str(ports.locked_port)]
    with running(["/usr/bin/python3", script, *places, *LOGIN, video], "ready"):
        yield ports
