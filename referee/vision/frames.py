"""Frames, and the sources that are files: pictures, folders and videos, every frame in order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.address import Address, Kind, SourceError, files_in
from referee.vision.containers import cut_short
from referee.vision.headers import ImageHeader, read_header

Image = NDArray[np.uint8]

# The largest pictures of phones sold today have 50 to 200 megapixels, but the reader needs about
# 100 MB of work space for each ten megapixels, and no table needs more than this.
MAX_MEGAPIXELS = 100
MAX_PICTURE_MB = 400
NS_PER_S = 1_000_000_000
# A packet that is damaged ends no video: the next ones are tried.
MOST_DAMAGED = 30
# What lies between two pictures of which the second has the earlier time nobody knows: they are
# told as that far apart, which is long enough to be told as a stall.
BACK_NS = 2 * NS_PER_S


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table.

    `image_bgr` is uint8, height x width x 3, blue-green-red. `t_ns` is when it was taken: on the
    host's monotonic clock for live sources, from the video's beginning for videos, None for
    single pictures; `sigma_ns` is its standard uncertainty. `n` counts the frames that the source
    gave, from 0; gaps are frames that were overtaken by newer ones; `waiting` newer ones had come
    already when it was taken up. `orientation` (Exif 1..8) turns the stored picture upright;
    coordinates are always those of the picture as stored.
    """

    image_bgr: Image
    t_ns: int | None
    sigma_ns: int
    n: int
    source: str
    orientation: int = 1
    waiting: int = 0

    @property
    def width_px(self) -> int:
        """Return the width in pixels."""
        return int(self.image_bgr.shape[1])

    @property
    def height_px(self) -> int:
        """Return the height in pixels."""
        return int(self.image_bgr.shape[0])

    @cached_property
    def half_bgr(self) -> Image:
        """The picture at half its size, each pixel the mean of four; made once for all who need it.

        An odd last row or column is left out.
        """
        return halved(self.image_bgr)


def halved(image_bgr: Image) -> Image:
    """Return a picture of at least 2 x 2 pixels at half its size, each pixel the mean of four."""
    rows, columns = (side // 2 for side in image_bgr.shape[:2])
    even = image_bgr[: 2 * rows, : 2 * columns]
    # Halving is several times faster than any other averaging.
    return np.asarray(cv2.resize(even, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def read_picture(address: Address) -> Frame:
    """Read one picture as stored: 8 bit, three channels, not turned. Raises SourceError."""
    data = picture_bytes(address)
    header = read_header(data)
    if header is None:
        raise SourceError(f"{address.shown}: not a picture (JPEG, PNG, WebP, BMP or TIFF) or video")
    check_size(address.shown, header.width_px, header.height_px)
    if not header.whole:
        raise SourceError(
            f"{address.shown}: the {header.format} file is cut off; copy it again from its origin"
        )
    return Frame(decode(address, data, header), None, 0, 0, address.shown, header.orientation)


def picture_bytes(address: Address) -> bytes:
    """Return a picture file's bytes. Raises SourceError."""
    try:
        size_mb = os.stat(address.target).st_size / 1e6
        if size_mb > MAX_PICTURE_MB:
            raise SourceError(
                f"{address.shown}: {size_mb:.0f} MB is more than a picture may have"
                f" ({MAX_PICTURE_MB} MB)"
            )
        data = Path(address.target).read_bytes()
    except OSError as error:
        raise SourceError(f"{address.shown}: cannot be read ({error.strerror})") from error
    if not data:
        raise SourceError(f"{address.shown}: the file is empty (0 bytes)")
    return data


def check_size(shown: str, width_px: int, height_px: int) -> None:
    """Refuse pictures of no size or of more pixels than fit. Raises SourceError."""
    if width_px <= 0 or height_px <= 0:
        raise SourceError(f"{shown}: its header gives no size; the file is damaged")
    if width_px * height_px > MAX_MEGAPIXELS * 1_000_000:
        raise SourceError(
            f"{shown}: {width_px} x {height_px} pixels is more than {MAX_MEGAPIXELS} megapixels;"
            " make it smaller first"
        )


def decode(address: Address, data: bytes, header: ImageHeader) -> Image:
    """Decode a picture to 8-bit BGR as stored. Raises SourceError."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        image = None
    if image is None:
        raise SourceError(
            f"{address.shown}: the {header.format} file is damaged and cannot be read"
        )
    return np.asarray(image, np.uint8)


def video_frames(address: Address) -> Iterator[Frame]:
    """Yield every frame of a video file in order, but for damaged ones.

    Times never go back: where those of parts that were joined do, they go on after the last one.
    Raises SourceError when it cannot be read, also after the last frame of a file that is cut off.
    """
    capture = open_video(address)
    n = later_ns = last_ns = 0
    try:
        fps = capture.get(cv2.CAP_PROP_FPS)
        # The shutter was open at some moment of the frame's interval: uniform, so width / sqrt(12).
        sigma_ns = round(NS_PER_S / fps / 12**0.5) if 1 <= fps <= 1000 else NS_PER_S // 100
        for told_ns, image in _pictures(capture):
            if told_ns + later_ns < last_ns:
                later_ns = last_ns + BACK_NS - told_ns
            last_ns = t_ns = told_ns + later_ns
            yield Frame(image, t_ns, sigma_ns, n, address.shown)
            n += 1
    finally:
        capture.release()
    check_whole(address, n)


def _pictures(capture: cv2.VideoCapture) -> Iterator[tuple[int, Image]]:
    """Yield the pictures that a video still has, each with its time in nanoseconds."""
    damaged = 0
    while damaged < MOST_DAMAGED:
        good, image = capture.read()
        if not good or image is None:
            damaged += 1
            continue
        damaged = 0
        yield round(capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6), np.asarray(image, np.uint8)


def open_video(address: Address) -> cv2.VideoCapture:
    """Open a video file with FFmpeg. Raises SourceError."""
    path = os.path.abspath(address.target)  # a name like `a:b.mp4` is a protocol to FFmpeg
    if not os.path.exists(path):
        raise SourceError(f"{address.shown}: no such file ({path})")
    if os.path.getsize(path) == 0:
        raise SourceError(f"{address.shown}: the file is empty (0 bytes)")
    capture = cv2.VideoCapture(path, cv2.CAP_FFMPEG)
    if not capture.isOpened():
        raise SourceError(f"{address.shown}: {why_unreadable(path)}")
    width_px, height_px = (
        int(capture.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
    )
    check_size(address.shown, width_px, height_px)
    return capture


def why_unreadable(path: str) -> str:
    """Say why a video file could not be opened, and what to do."""
    if not os.access(path, os.R_OK):
        return "may not be read by you (check the file's permissions)"
    if cut_short(Path(path)):
        return "the video is cut off and its index is lost; copy it again from where it came"
    return "not a video that can be read (damaged, or no picture in it)"


def check_whole(address: Address, frames_read: int) -> None:
    """Say so when a video file ends too soon. Raises SourceError."""
    if cut_short(Path(address.target)):
        raise SourceError(
            f"{address.shown}: the video is cut off after {frames_read} frames;"
            " copy it again from where it came"
        )
    if frames_read == 0:
        raise SourceError(f"{address.shown}: no frame of the video can be read; it is damaged")


def frame_count(address: Address) -> int | None:
    """Return how many frames a picture or video announces, None where it does not."""
    if address.kind is Kind.IMAGE:
        return 1
    capture = cv2.VideoCapture(os.path.abspath(address.target), cv2.CAP_FFMPEG)
    announced = int(capture.get(cv2.CAP_PROP_FRAME_COUNT)) if capture.isOpened() else 0
    capture.release()
    return announced if announced > 0 else None


def file_frames(address: Address) -> Iterator[Frame]:
    """Yield the frames of one picture or video file. Raises SourceError."""
    if address.kind is Kind.IMAGE:
        yield read_picture(address)
    else:
        yield from video_frames(address)


def files_of(address: Address) -> tuple[Address, ...]:
    """Return the files behind an address: those of a folder, or the one. Raises SourceError."""
    return files_in(address) if address.kind is Kind.FOLDER else (address,)
