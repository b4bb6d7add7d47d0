"""Addresses of sources: one syntax for pictures, videos, folders, cameras and streams."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import unquote, urlsplit

from referee.vision.containers import is_video
from referee.vision.headers import is_picture

SYNTAX = (
    "camera:0 (or camera:0@3840x2160), a device path, a picture, a video, a folder, rtsp://...,"
    " http://... or demo"
)

IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
RAW_MJPEG = frozenset({".mjpeg", ".mjpg"})  # a row of JPEGs: begins as a picture does
VIDEO_SUFFIXES = RAW_MJPEG | frozenset(
    {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".gif"}
)


class SourceError(Exception):
    """A source cannot be read; the message is one line: what is wrong and what to do."""


class Kind(Enum):
    """What stands behind an address."""

    IMAGE = "image"
    VIDEO = "video"
    FOLDER = "folder"
    DEVICE = "device"
    RTSP = "rtsp"
    HTTP = "http"

    @property
    def live(self) -> bool:
        """Whether frames are lost when nobody takes them."""
        return self in (Kind.DEVICE, Kind.RTSP, Kind.HTTP)


@dataclass(frozen=True, slots=True)
class Mode:
    """What is asked of a camera; it gives the nearest that it can."""

    width_px: int = 1920
    height_px: int = 1080
    fps: int = 30


# What the usual web camera gives over USB 2 as JPEGs.
USUAL = Mode()


@dataclass(frozen=True, slots=True)
class Address:
    """One source: `target` is what is opened, `shown` is what may be printed (no password).

    `mode` is what is asked of a camera; files and streams are taken as they come.
    """

    kind: Kind
    target: str
    shown: str
    mode: Mode = USUAL

    def __repr__(self) -> str:
        """Name the address without the password that `target` may hold."""
        return f"Address({self.kind.name}, {self.shown!r})"


def parse_address(text: str, demo_clip: Path) -> Address:
    """Tell what an address means. Raises SourceError when it means nothing."""
    if text == "demo":
        return Address(Kind.VIDEO, str(demo_clip), "demo")
    if text.startswith("camera:"):
        return camera_address(text)
    scheme = text.partition("://")[0].lower() if "://" in text else ""
    if scheme:
        return stream_address(scheme, text)
    return path_address(text)


def camera_address(text: str) -> Address:
    """Tell which camera is meant, and how large and how often its pictures shall come."""
    named = re.fullmatch(
        r"camera:(\d{1,3})(?:@([1-9]\d{2,3})x([1-9]\d{2,3}))?(?:@([1-9]\d{0,2}))?", text
    )
    if named is None:
        raise SourceError(
            f"{text}: a camera is named by its number, as in camera:0; with the size and the"
            " pictures a second wanted, as in camera:0@3840x2160 or camera:0@1920x1080@60"
        )
    number, *wanted = named.groups()
    usual = (USUAL.width_px, USUAL.height_px, USUAL.fps)
    mode = Mode(*(int(one) if one else other for one, other in zip(wanted, usual, strict=True)))
    return Address(Kind.DEVICE, f"/dev/video{int(number)}", text, mode)


def stream_address(scheme: str, text: str) -> Address:
    """Tell what a URL means. Raises SourceError."""
    kinds = {"rtsp": Kind.RTSP, "rtsps": Kind.RTSP, "http": Kind.HTTP, "https": Kind.HTTP}
    shown = without_password(text)
    if scheme not in kinds:
        raise SourceError(f"{shown}: {scheme}:// is not known; give {SYNTAX}")
    try:
        parts = urlsplit(text)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or re.search(r"[\s\x00-\x1f\x7f]", text):
        raise SourceError(f"{shown}: not a usable address; it goes like {scheme}://host:port/path")
    return Address(kinds[scheme], text, shown)


def path_address(text: str) -> Address:
    """Tell what a path means by what lies there. Raises SourceError."""
    path = Path(text)
    if not text:
        raise SourceError(f"an empty source; give {SYNTAX}")
    try:
        if path.is_dir():
            return Address(Kind.FOLDER, text, text)
        if path.is_char_device():
            return Address(Kind.DEVICE, text, text)
        present = path.exists()
    except (OSError, ValueError) as error:
        raise SourceError(f"{text!r}: not a usable path ({error})") from error
    if not present:
        what = "no such device" if text.startswith("/dev/") else "no such file or folder"
        raise SourceError(f"{text}: {what}; a source is {SYNTAX}")
    if not path.is_file():
        raise SourceError(f"{text}: neither a file nor a folder nor a camera; give {SYNTAX}")
    return Address(file_kind(path), text, text)


def file_kind(path: Path) -> Kind:
    """Tell a video from a picture by its beginning, or by its name where that says nothing."""
    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError:
        head = b""  # reading it will say why
    if is_picture(head) and path.suffix.lower() not in RAW_MJPEG:
        return Kind.IMAGE
    named_video = path.suffix.lower() in VIDEO_SUFFIXES
    return Kind.VIDEO if named_video or is_video(head) else Kind.IMAGE


def without_password(url: str) -> str:
    """Return a URL as it may be printed: user and password in it become `***`.

    The last `@` before the path ends the user part, also in addresses that are not well formed.
    Values of query fields that carry a secret by their name are hidden as well.
    """
    scheme, _, rest = url.partition("://")
    host_part = re.match(r"[^/?#]*@", rest) or re.match(r".*@(?=[^/?#@]+)", rest)
    if host_part is not None:
        rest = "***@" + rest[host_part.end() :]
    secret = r"(?i)([?&][^=&#]*(?:pass|pwd|token|secret|key|auth|user)[^=&#]*=)[^&#]*"
    return f"{scheme}://" + re.sub(secret, r"\1***", rest)


def credentials(url: str) -> tuple[str, str] | None:
    """Return user and password of a URL, decoded, or None where it has none."""
    parts = urlsplit(url)
    if parts.username is None:
        return None
    return unquote(parts.username), unquote(parts.password or "")


def without_credentials(url: str) -> str:
    """Return the URL as it is sent to the server: without user and password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return the sort key by which `b2.jpg` comes before `b10.jpg`."""
    pieces = re.findall(r"\d+|\D+", name)
    return tuple(
        (0, int(piece), "") if piece.isdecimal() and piece.isascii() else (1, 0, piece.lower())
        for piece in pieces
    )


def files_in(folder: Address) -> tuple[Address, ...]:
    """Return the pictures and videos of a folder, in natural order. Raises SourceError."""
    try:
        paths = [path for path in Path(folder.target).iterdir() if path.is_file()]
    except OSError as error:
        raise SourceError(f"{folder.shown}: cannot be listed ({error.strerror})") from error
    seen = [path for path in paths if path.suffix.lower() in IMAGE_SUFFIXES | VIDEO_SUFFIXES]
    if not seen:
        kinds = " ".join(sorted(IMAGE_SUFFIXES | VIDEO_SUFFIXES))
        raise SourceError(f"{folder.shown}: no picture or video in this folder ({kinds})")
    seen.sort(key=lambda path: (natural_order(path.name), path.name))
    return tuple(path_address(str(path)) for path in seen)
