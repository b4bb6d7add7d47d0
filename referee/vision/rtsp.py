"""RTSP streams: first asks the server itself whether it would serve us, then lets FFmpeg read.

FFmpeg only says that a stream did not open; a person needs to know whether the host, the path or
the password was wrong. So one DESCRIBE (RFC 2326 10.2) goes ahead, and a second one with the
password where the server asks for it.
"""

from __future__ import annotations

import re
import socket
import ssl
from urllib.parse import urlsplit

from referee.vision.address import Address, SourceError, credentials, without_credentials
from referee.vision.login import authorization, password_advice

CONNECT_S = 5.0
# A server may first start its camera before it describes the stream.
REPLY_S = 15.0
DEFAULT_PORT = {"rtsp": 554, "rtsps": 322}
MAX_REPLY = 65536


def check_rtsp(address: Address) -> None:
    """Ask the server to describe the stream. Raises SourceError with the reason of a refusal."""
    login = credentials(address.target)
    url = without_credentials(address.target)
    status, head = describe(address, url, "")
    if status == 401 and login is not None:
        challenges = re.findall(r"(?im)^WWW-Authenticate:(.*?)\r?$", head)
        answer = authorization(challenges, login, ("DESCRIBE", url))
        status, head = describe(address, url, f"Authorization: {answer}\r\n")
    if status == 401:
        raise SourceError(f"{address.shown}: {password_advice(login is not None, 'rtsp')}")
    if status == 404:
        raise SourceError(
            f"{address.shown}: the host answers, but has no stream at this path;"
            " look the path up in the camera's manual or app"
        )
    if status >= 400:
        raise SourceError(f"{address.shown}: the server refuses the stream (status {status})")


def describe(address: Address, url: str, authorized: str) -> tuple[int, str]:
    """Send one DESCRIBE; returns the status code and the head of the reply. Raises SourceError."""
    request = f"DESCRIBE {url} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n{authorized}\r\n"
    try:
        reply = ask(url, request.encode())
    except (OSError, UnicodeError) as error:
        raise SourceError(f"{address.shown}: {unreachable(error)}") from error
    head = reply.partition(b"\r\n\r\n")[0].decode("latin-1")
    status = re.match(r"RTSP/\d\.\d (\d{3})", head)
    if status is None:
        raise SourceError(
            f"{address.shown}: the host answers, but not as an RTSP server; check the port"
        )
    return int(status[1]), head


def ask(url: str, request: bytes) -> bytes:
    """Send a request to the URL's host; returns the reply up to the end of its head."""
    parts = urlsplit(url)
    port = parts.port or DEFAULT_PORT[parts.scheme.lower()]
    with socket.create_connection((parts.hostname or "", port), CONNECT_S) as connection:
        connection.settimeout(REPLY_S)
        if parts.scheme.lower() == "rtsps":
            unchecked = (
                ssl._create_unverified_context()
            )  # cameras sign their certificates themselves
            connection = unchecked.wrap_socket(connection)
        connection.sendall(request)
        reply = b""
        while b"\r\n\r\n" not in reply and len(reply) < MAX_REPLY:
            piece = connection.recv(4096)
            if not piece:
                break
            reply += piece
        return reply


def unreachable(error: Exception) -> str:
    """Say why a host cannot be reached, and what to do."""
    if isinstance(error, TimeoutError):
        return "the host gives no answer; is it switched on and on the same network?"
    if isinstance(error, ConnectionRefusedError):
        return "the host is there, but nothing listens at this port; is the camera app running?"
    if isinstance(error, socket.gaierror | UnicodeError):
        return "no host of this name is known; check the address, or give its number (192.168...)"
    if isinstance(error, ConnectionError):
        return "the host breaks the connection off; check port and path"
    return f"the host cannot be reached ({getattr(error, 'strerror', None) or error})"
