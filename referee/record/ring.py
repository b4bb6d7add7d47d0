"""The last seconds of a match in memory: frames as JPEG, what was read in them, pad traces."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import cv2
from cv2.typing import MatLike

from referee.record.errors import RecordError
from referee.values import Sight

NS_PER_S = 1_000_000_000
# 10 s before a claim, 3 s after it, and 5 s for the clip to be cut in.
KEPT_S = 18.0
# Frames of 960 pixels are 50 to 80 kB each: 18 s at 30 frames a second are 43 MB.
MOST_BYTES = 96_000_000
# Of one core, on a picture with the grain of a webcam: a whole 1080p frame takes 5 ms to encode,
# half of it in each direction 1.2 ms. To halve it by taking every second pixel takes 0.4 ms, by
# averaging 0.6 ms: the first stays below 5 % of a core at 30 frames a second, the second does not.
MOST_WIDTH_PX = 960
QUALITY = 70
MOST_NOTES = 2000


@dataclass(frozen=True, slots=True)
class Still:
    """One frame as it is kept.

    `t_ns` is its time on the match's clock, `sigma_ns` its standard uncertainty. `scale` is how
    many pixels of the kept picture one of the camera's picture became.
    """

    t_ns: int
    sigma_ns: int
    jpeg: bytes
    width_px: int
    height_px: int
    scale: float


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read in the frame of this time, in pixels of the camera's picture."""

    t_ns: int
    sight: Sight


@dataclass(frozen=True, slots=True)
class PadTrace:
    """What a pad felt: `samples` from `t_ns` on, one each `step_ns`, in the pad's own unit."""

    t_ns: int
    step_ns: int
    spot: str
    samples: tuple[int, ...]


class Timed(Protocol):
    """A value with a time on the match's clock."""

    @property
    def t_ns(self) -> int:
        """The time in nanoseconds."""


T = TypeVar("T", bound=Timed)


def still(image_bgr: MatLike, t_ns: int, sigma_ns: int = 0) -> Still:
    """Return a frame made small and encoded.

    `image_bgr` is uint8, height x width x 3. Raises RecordError for a picture that is none.
    """
    height_px, width_px = image_bgr.shape[:2]
    # Halves and quarters are shrunk several times as fast as other sizes.
    divisor = 1
    while width_px // divisor > MOST_WIDTH_PX:
        divisor *= 2
    try:
        small = image_bgr
        if divisor > 1:
            size_px = (width_px // divisor, height_px // divisor)
            way = cv2.INTER_NEAREST if divisor == 2 else cv2.INTER_AREA
            small = cv2.resize(image_bgr, size_px, interpolation=way)
        good, data = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    except cv2.error:
        good, small = False, image_bgr
    if not good:
        raise RecordError("a frame for the evidence cannot be encoded; is it a picture at all?")
    kept_height_px, kept_width_px = small.shape[:2]
    scale = kept_width_px / width_px
    return Still(t_ns, sigma_ns, data.tobytes(), kept_width_px, kept_height_px, scale)


class Ring:
    """The last seconds, bounded in time and bytes. Any thread may write and read it."""

    def __init__(self, kept_s: float = KEPT_S, most_bytes: int = MOST_BYTES) -> None:
        """Make an empty ring."""
        self._kept_ns = round(kept_s * NS_PER_S)
        self._most_bytes = most_bytes
        self._bytes = 0
        self._stills: deque[Still] = deque()
        self._seen: deque[Seen] = deque(maxlen=MOST_NOTES)
        self._traces: deque[PadTrace] = deque(maxlen=MOST_NOTES)
        self._news = threading.Condition()
        self._ended = False

    def take(self, image_bgr: MatLike, t_ns: int, sigma_ns: int = 0) -> Still:
        """Encode and keep a frame of this time of the match's clock. Raises RecordError.

        `image_bgr` is uint8, height x width x 3.
        """
        taken = still(image_bgr, t_ns, sigma_ns)
        self.add(taken)
        return taken

    def add(self, frame: Still) -> None:
        """Keep a frame that is already encoded, as cameras that give JPEG do."""
        with self._news:
            self._stills.append(frame)
            self._bytes += len(frame.jpeg)
            while self._bytes > self._most_bytes or self._is_old(self._stills[0], frame.t_ns):
                self._bytes -= len(self._stills.popleft().jpeg)
            self._news.notify_all()

    def _is_old(self, kept: Still, now_ns: int) -> bool:
        return kept.t_ns < now_ns - self._kept_ns

    def add_seen(self, seen: Seen) -> None:
        """Keep what was read in a frame."""
        with self._news:
            self._seen.append(seen)

    def add_trace(self, trace: PadTrace) -> None:
        """Keep what a pad felt."""
        with self._news:
            self._traces.append(trace)

    def end(self) -> None:
        """Say that no frame comes any more."""
        with self._news:
            self._ended = True
            self._news.notify_all()

    @property
    def kept_bytes(self) -> int:
        """How many bytes of pictures are kept now."""
        return self._bytes

    def wait_until(self, t_ns: int, silence_s: float) -> None:
        """Wait until a frame of this time or later is there, or none has come for some seconds.

        A video that is judged more slowly than it was taken is waited for as long as it takes.
        """
        with self._news:
            coming = True
            while coming and not self._ended and not self._reaches(t_ns):
                coming = self._news.wait(silence_s)

    def _reaches(self, t_ns: int) -> bool:
        return bool(self._stills) and self._stills[-1].t_ns >= t_ns

    def stills(self, from_ns: int, to_ns: int) -> tuple[Still, ...]:
        """Return the frames between two times, both included."""
        with self._news:
            return _between(self._stills, from_ns, to_ns)

    def seen(self, from_ns: int, to_ns: int) -> tuple[Seen, ...]:
        """Return what was read between two times, both included."""
        with self._news:
            return _between(self._seen, from_ns, to_ns)

    def traces(self, from_ns: int, to_ns: int) -> tuple[PadTrace, ...]:
        """Return the pad traces that begin between two times, both included."""
        with self._news:
            return _between(self._traces, from_ns, to_ns)


def _between(values: Iterable[T], from_ns: int, to_ns: int) -> tuple[T, ...]:
    return tuple(value for value in values if from_ns <= value.t_ns <= to_ns)
