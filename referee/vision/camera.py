"""Live sources: one thread a device that always reads and keeps only the newest frames.

A source that has once given a frame is never given up: when it stalls, breaks or ends it is
opened again, after growing pauses, and what happened is told as news in order.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from referee.vision.address import Address, Kind, SourceError, natural_order
from referee.vision.frames import NS_PER_S, Frame, Image, check_size
from referee.vision.headers import read_header
from referee.vision.mjpeg import HttpAnswer
from referee.vision.rtsp import check_rtsp

# A camera at 5 frames/s, the slowest that is of use, is silent for 0.2 s; phones that roam
# between access points fall silent for one to two seconds and come back by themselves.
STALL_S = 3.0
# How long one wait for a stream's bytes may last before it is opened anew.
PATIENCE_S = 8.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 8.0
# So many frames wait for who takes them in turn: a match's dearest steps take 60 ms, two frames at
# 30 a second, on a slow computer 150 to 300. What waited is hurried over, until the newest is taken
# up: so none is lost, and that one is not late.
WAITING = 10
MAX_NEWS = 64  # the oldest are dropped; nobody reads more than the latest of a night's cut-outs

# Standard uncertainty of a frame's time. The driver stamps the start of the transfer, the
# exposure (up to 33 ms) lies before it. Without a stamp transfer and decoding come on top; over a
# network also encoder and buffers, which nobody here has measured: 100 ms is the order of
# magnitude that phone apps state for themselves.
DRIVER_SIGMA_NS, RECEIPT_SIGMA_NS, NETWORK_SIGMA_NS = 10_000_000, 25_000_000, 100_000_000


@dataclass(frozen=True, slots=True)
class Stalled:
    """No frame has come for `for_s` seconds; the source is still open."""

    source: str
    for_s: float


@dataclass(frozen=True, slots=True)
class Lost:
    """The source broke or ended; it is being opened again. `why` is one line."""

    source: str
    why: str


@dataclass(frozen=True, slots=True)
class Returned:
    """Frames come again after a stall or loss of `after_s` seconds."""

    source: str
    after_s: float


@dataclass(frozen=True, slots=True)
class Resized:
    """The frames have another size than before: calibration no longer holds."""

    source: str
    before_px: tuple[int, int]
    after_px: tuple[int, int]


News = Stalled | Lost | Returned | Resized


def news_text(news: News) -> str:
    """Return one line for a person."""
    match news:
        case Stalled(source, for_s):
            return f"{source}: no picture for {for_s:.0f} s; waiting"
        case Lost(_, why):
            return f"{why}; trying to open it again"
        case Returned(source, after_s):
            return f"{source}: pictures come again after {after_s:.1f} s"
        case Resized(source, before_px, after_px):
            was, now = (f"{width} x {height}" for width, height in (before_px, after_px))
            return f"{source}: the pictures changed from {was} to {now} pixels"


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """What a tap gives: one picture, uint8 BGR, with its time on the host's monotonic clock."""

    image_bgr: Image
    t_ns: int
    sigma_ns: int


class Tap(Protocol):
    """One open connection to a device or stream."""

    def take(self) -> Shot:
        """Wait for the next picture. Raises SourceError when there will be none."""

    def close(self) -> None:
        """Let the device go."""


class CaptureTap:
    """A camera or stream that OpenCV reads: V4L2 devices, RTSP and other streams by FFmpeg."""

    def __init__(self, address: Address, capture: cv2.VideoCapture, sigma_ns: int) -> None:
        """Take over an open capture."""
        self._shown = address.shown
        self._driver_stamps = address.kind is Kind.DEVICE
        self._capture = capture
        self._sigma_ns = sigma_ns

    def take(self) -> Shot:
        """Wait for the next picture. Raises SourceError."""
        good = self._capture.grab()
        now_ns = time.monotonic_ns()
        image = self._capture.retrieve()[1] if good else None
        if image is None:
            raise SourceError(f"{self._shown}: the stream has ended or fallen silent")
        if self._driver_stamps:
            stamp_ns = driver_t_ns(self._capture.get(cv2.CAP_PROP_POS_MSEC), now_ns)
            if stamp_ns is not None:
                return Shot(np.asarray(image, np.uint8), stamp_ns, DRIVER_SIGMA_NS)
        return Shot(np.asarray(image, np.uint8), now_ns, self._sigma_ns)

    def close(self) -> None:
        """Let the device go."""
        self._capture.release()


def driver_t_ns(stamp_ms: float, now_ns: int) -> int | None:
    """Return a V4L2 driver's stamp as host time, or None where it is on another clock.

    V4L2 stamps with CLOCK_MONOTONIC (V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC), which is ours too; a few
    drivers use wall time or give none. A true stamp lies less than a second back.
    """
    stamp_ns = round(stamp_ms * 1e6)
    return stamp_ns if 0 <= now_ns - stamp_ns < NS_PER_S else None


class MotionJpegTap:
    """An HTTP stream of JPEGs."""

    def __init__(self, address: Address, answer: HttpAnswer) -> None:
        """Take over an open answer."""
        self._shown = address.shown
        self._answer = answer
        self._pictures = answer.pictures()

    def take(self) -> Shot:
        """Wait for the next whole picture; damaged ones are passed over. Raises SourceError."""
        for data in self._pictures:
            t_ns = time.monotonic_ns()
            header = read_header(data)
            if header is None:
                continue
            check_size(self._shown, header.width_px, header.height_px)
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            if image is not None:
                return Shot(np.asarray(image, np.uint8), t_ns, NETWORK_SIGMA_NS)
        raise SourceError(f"{self._shown}: the stream has ended")

    def close(self) -> None:
        """Let the connection go."""
        self._answer.close()


def open_tap(address: Address, patience_s: float = PATIENCE_S) -> Tap:
    """Open a live address. Raises SourceError."""
    if address.kind is Kind.DEVICE:
        return CaptureTap(address, open_device(address), RECEIPT_SIGMA_NS)
    if address.kind is Kind.HTTP:
        answer = HttpAnswer(address, patience_s)
        if answer.motion_jpeg:
            return MotionJpegTap(address, answer)
        answer.close()
        answer.check_stream()
    else:
        check_rtsp(address)
    return CaptureTap(address, open_stream(address, patience_s), NETWORK_SIGMA_NS)


def open_device(address: Address) -> cv2.VideoCapture:
    """Open a V4L2 camera, MJPG and the address's mode asked for. Raises SourceError."""
    device = Path(address.target)
    if not device.exists():
        raise SourceError(f"{address.shown}: no camera there ({device}); {cameras_found()}")
    if not os.access(device, os.R_OK | os.W_OK):
        raise SourceError(
            f"{address.shown}: {device} may not be used by you; join the group `video`"
        )
    wanted = [
        *(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
        *(cv2.CAP_PROP_FRAME_WIDTH, address.mode.width_px),
        *(cv2.CAP_PROP_FRAME_HEIGHT, address.mode.height_px),
        *(cv2.CAP_PROP_FPS, address.mode.fps),
    ]
    capture = cv2.VideoCapture(str(device), cv2.CAP_V4L2, wanted)
    if not capture.isOpened():
        raise SourceError(
            f"{address.shown}: {device} is no camera, or another program uses it; close that one"
        )
    return capture


def cameras_found() -> str:
    """Say which cameras there are."""
    devices = sorted((path.name for path in Path("/dev").glob("video*")), key=natural_order)
    if not devices:
        return "this machine has no camera: plug one in, or use a phone's stream (http://...)"
    return "there are " + ", ".join(f"camera:{name.removeprefix('video')}" for name in devices)


def open_stream(address: Address, patience_s: float) -> cv2.VideoCapture:
    """Open a stream with FFmpeg (RTSP over TCP, which is its default here). Raises SourceError."""
    patience_ms = round(patience_s * 1000)
    waits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        patience_ms,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        patience_ms,
    ]
    capture = cv2.VideoCapture(address.target, cv2.CAP_FFMPEG, waits)
    if not capture.isOpened():
        raise SourceError(f"{address.shown}: the host answers, but sends no video that can be read")
    return capture


class LiveSource:
    """A live source that is always read; only its newest frames are kept.

    One thread reads and writes `_frames` and `_news` under `_change`; one other thread calls
    `wait`. `close` ends the reading.
    """

    def __init__(
        self, address: Address, stall_s: float = STALL_S, tap: Callable[[Address], Tap] = open_tap
    ) -> None:
        """Open the source and wait for its first frame. Raises SourceError."""
        self.address = address
        self._open = tap
        self._stall_s = stall_s
        self._change = threading.Condition()
        self._closing = threading.Event()
        self._news: deque[News] = deque(maxlen=MAX_NEWS)
        self._frames: deque[Frame] = deque(maxlen=WAITING)
        self._n = 0
        self._size_px: tuple[int, int] | None = None
        self._last_ns = time.monotonic_ns()
        self._silent_told = False
        self._tap = tap(address)
        try:
            self._keep(self._tap.take())
        except SourceError:
            self._tap.close()
            raise
        self._thread = threading.Thread(target=self._run, name=address.shown, daemon=True)
        self._thread.start()

    def wait(self, timeout_s: float, *, in_turn: bool = False) -> Frame | News | None:
        """Return the oldest news, else the newest frame not yet taken, else None at the timeout.

        `in_turn`: of the last WAITING frames not yet taken the oldest, so that who is busy for a
        moment misses none.
        """
        end_ns = time.monotonic_ns() + round(timeout_s * NS_PER_S)
        with self._change:
            while True:
                if self._news:
                    return self._news.popleft()
                if self._frames:
                    frame = self._frames.popleft() if in_turn else self._frames.pop()
                    if not in_turn:
                        self._frames.clear()
                    return replace(frame, waiting=len(self._frames))
                now_ns = time.monotonic_ns()
                if now_ns >= end_ns:
                    return None
                silent_at_ns = self._last_ns + round(self._stall_s * NS_PER_S)
                if not self._silent_told and now_ns >= silent_at_ns:
                    self._silent_told = True
                    return Stalled(self.address.shown, (now_ns - self._last_ns) / NS_PER_S)
                next_ns = end_ns if self._silent_told else min(end_ns, silent_at_ns)
                self._change.wait((next_ns - now_ns) / NS_PER_S)

    def close(self) -> None:
        """Stop reading; a read that still waits for its device ends with its patience."""
        self._closing.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        """Read until closed; open again what breaks."""
        while not self._closing.is_set():
            try:
                self._keep(self._tap.take())
            except (SourceError, cv2.error) as error:
                self._tap.close()
                said = isinstance(error, SourceError)
                undecoded = f"{self.address.shown}: its pictures cannot be decoded"
                self._tell(Lost(self.address.shown, str(error) if said else undecoded))
                self._reopen()
        self._tap.close()

    def _keep(self, shot: Shot) -> None:
        """Make this the newest frame; tell of a return and of another size.

        Frames of another size that wait are let go: news come before them.
        """
        now_ns = time.monotonic_ns()
        height_px, width_px = shot.image_bgr.shape[:2]
        size_px = (int(width_px), int(height_px))
        source = self.address.shown
        with self._change:
            if self._silent_told:
                self._news.append(Returned(source, (now_ns - self._last_ns) / NS_PER_S))
            if self._size_px is not None and self._size_px != size_px:
                self._news.append(Resized(source, self._size_px, size_px))
                self._frames.clear()
            self._silent_told, self._size_px, self._last_ns = False, size_px, now_ns
            self._frames.append(Frame(shot.image_bgr, shot.t_ns, shot.sigma_ns, self._n, source))
            self._n += 1
            self._change.notify()

    def _tell(self, lost: Lost) -> None:
        """Put a loss among the news; the silence after it needs no news of its own."""
        with self._change:
            self._news.append(lost)
            self._silent_told = True
            self._change.notify()

    def _reopen(self) -> None:
        """Open the source again, however long it takes, with pauses that double up to a bound."""
        pause_s = FIRST_PAUSE_S
        while not self._closing.wait(pause_s):
            try:
                self._tap = self._open(self.address)
                return
            except SourceError:
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
