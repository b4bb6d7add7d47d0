"""HTTP streams of JPEG pictures, as phone apps and network cameras send them.

The answer is `multipart/x-mixed-replace` or plainly JPEG after JPEG. Pictures are found by their
own markers (ITU T.81 B.1), not by the parts' heads: heads lie about lengths, and a picture that
is cut in its middle shows by the next one's beginning. Read here and not by FFmpeg because the
reason of a failure has to be told to a person.
"""

from __future__ import annotations

import http.client
import re
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

from referee.vision.address import Address, SourceError, credentials, without_credentials
from referee.vision.login import authorization, password_advice
from referee.vision.rtsp import unreachable

MAX_PICTURE_BYTES = 32_000_000  # a JPEG of 8K video at full quality has under 20 MB
CHUNK_BYTES = 65536
PICTURE_BEGIN = b"\xff\xd8\xff"
THUMBNAIL_SEGMENTS = range(0xE0, 0xF0)  # APP0..APP15 may hold a whole other picture
# In a scan, FF is data when 00 follows, D0..D7 are restarts, FF FF is filling.
MARKER_IN_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
NS_PER_S = 1_000_000_000


def next_picture(data: bytes) -> tuple[bytes | None, bytes]:
    """Take the first whole JPEG out of the bytes of a stream.

    Returns it, or None when more bytes are needed, and the bytes to go on with. What lies between
    pictures, and pictures that are cut off by another's beginning, are dropped.
    """
    begin = data.find(PICTURE_BEGIN)
    while begin >= 0:
        end, whole = picture_end(data, begin)
        if whole:
            return data[begin:end], data[end:]
        if end >= len(data):
            return None, data[begin:]
        begin = data.find(PICTURE_BEGIN, end)
    return None, data[-2:]


def picture_end(data: bytes, begin: int) -> tuple[int, bool]:
    """Walk a JPEG's segments from its beginning.

    Returns where it ends and True; or False with the place from where to look for the next one
    if it is none or cut off, or with the length of `data` when more is needed.
    """
    at = begin + 2
    while at + 2 <= len(data):
        lead, marker = data[at], data[at + 1]
        if lead != 0xFF or marker < 0xC0 or marker == 0xD8:
            return begin + len(PICTURE_BEGIN), False
        if marker == 0xD9:
            return at + 2, True
        if at + 4 > len(data):
            break
        segment, at = at, at + segment_length(data, at)
        if marker not in THUMBNAIL_SEGMENTS:
            another = data.find(PICTURE_BEGIN, segment, at + 2)
            if another >= 0:
                return another, False
        if marker == 0xDA:
            found = MARKER_IN_SCAN.search(data, at)
            if found is None:
                return len(data), False
            at = found.start()
            if data[at + 1] == 0xD8:
                return at, False
    return len(data), False


def segment_length(data: bytes, at: int) -> int:
    """Return the length of the segment at a marker; a filling byte counts for itself."""
    return 1 if data[at + 1] == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")


class HttpAnswer:
    """One open HTTP answer, its first bytes already read: what kind of stream is it?"""

    def __init__(self, address: Address, patience_s: float) -> None:
        """Ask for the stream; `patience_s` bounds each wait. Raises SourceError."""
        self._shown = address.shown
        self._patience_s = patience_s
        self._response = ask(address, patience_s)
        self._content_type = str(self._response.headers.get("Content-Type", "")).lower()
        try:
            self._pending = self._more()
        except SourceError:
            self.close()
            raise

    @property
    def motion_jpeg(self) -> bool:
        """Whether this is a stream of JPEGs; FFmpeg's own server names it `octet-stream`."""
        begins = self._pending.lstrip().startswith((b"--", PICTURE_BEGIN))
        return "multipart/" in self._content_type or begins

    def check_stream(self) -> None:
        """Refuse answers that are no stream at all. Raises SourceError."""
        if self._content_type.startswith("text/html"):
            raise SourceError(
                f"{self._shown}: this is a web page, not the stream itself; the stream's address"
                " often ends in /video, /stream or /mjpeg"
            )
        if self._content_type.startswith("image/"):
            raise SourceError(
                f"{self._shown}: this is a single picture, not a stream; the stream's address"
                " often ends in /video, /stream or /mjpeg"
            )

    def pictures(self) -> Iterator[bytes]:
        """Yield each whole JPEG, for ever. Raises SourceError when the stream breaks."""
        waiting_since_ns = time.monotonic_ns()
        while True:
            picture, self._pending = next_picture(self._pending)
            if picture is not None:
                yield picture
                waiting_since_ns = time.monotonic_ns()
                continue
            waited_s = (time.monotonic_ns() - waiting_since_ns) / NS_PER_S
            if waited_s > 2 * self._patience_s or len(self._pending) > MAX_PICTURE_BYTES:
                raise SourceError(f"{self._shown}: sends data, but no picture in it")
            self._pending += self._more()

    def _more(self) -> bytes:
        """Return the next bytes. Raises SourceError at the end and after the patience."""
        try:
            data = self._response.read1(CHUNK_BYTES)
        except TimeoutError as error:
            text = f"{self._shown}: has sent nothing for {self._patience_s:g} s"
            raise SourceError(text) from error
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise SourceError(f"{self._shown}: {unreachable(error)}") from error
        if not data:
            raise SourceError(f"{self._shown}: the stream has ended")
        return data

    def close(self) -> None:
        """Close the connection."""
        self._response.close()


def ask(address: Address, patience_s: float) -> http.client.HTTPResponse:
    """Open the address, with its password if it asks for one. Raises SourceError."""
    url = without_credentials(address.target)
    login = credentials(address.target)
    try:
        try:
            return open_url(urllib.request.Request(url), patience_s)
        except urllib.error.HTTPError as refused:
            if refused.code != 401 or login is None:
                raise
            refused.close()
            request = urllib.request.Request(url)
            challenges = refused.headers.get_all("WWW-Authenticate", [])
            answer = authorization(challenges, login, ("GET", request.selector))
            request.add_unredirected_header("Authorization", answer)
            return open_url(request, patience_s)
    except urllib.error.HTTPError as error:
        error.close()
        raise SourceError(f"{address.shown}: {refusal(error.code, login is not None)}") from None
    except urllib.error.URLError as error:
        reason = error.reason if isinstance(error.reason, Exception) else error
        raise SourceError(f"{address.shown}: {unreachable(reason)}") from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise SourceError(f"{address.shown}: {no_http(error)}") from error


def open_url(request: urllib.request.Request, patience_s: float) -> http.client.HTTPResponse:
    """Send a request and return the answer. Raises what urllib raises."""
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),  # a camera in the house is not behind the web's proxy
        # Cameras sign their certificates themselves.
        urllib.request.HTTPSHandler(context=ssl._create_unverified_context()),
    )
    response = opener.open(request, timeout=patience_s)
    if not isinstance(response, http.client.HTTPResponse):
        raise ValueError("no answer of HTTP's")
    return response


def refusal(status: int, login_given: bool) -> str:
    """Say what an HTTP status means for a stream, and what to do."""
    if status == 401:
        return password_advice(login_given, "http")
    if status == 404:
        return (
            "the host answers, but has no stream at this path;"
            " it is often /video, /stream or /mjpeg; look it up in the camera's manual or app"
        )
    return f"the server refuses the stream (status {status})"


def no_http(error: Exception) -> str:
    """Say why an answer is none of HTTP's."""
    if isinstance(error, http.client.HTTPException | ValueError):
        return "the host answers, but not as a web server; check the port"
    return unreachable(error)
