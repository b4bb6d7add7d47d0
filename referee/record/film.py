"""A whole match as a video, with the exact time of each frame beside it."""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
from cv2.typing import MatLike

from referee.record.errors import RecordError, os_error
from referee.record.folder import free_bytes

# Motion JPEG in Matroska: every frame stands by itself and is whole in the file as soon as it is
# written, so that a crash costs the last frame only, and judging again sees what the camera saw.
CODEC = "MJPG"
END = ".mkv"
MOST_WAITING = 8
# What a film leaves of the disk: hours of log, and the clips of many disputes. Written pictures
# grow the file; one that does not grow over so many frames is not written any more.
LEFT_BYTES = 500_000_000
CHECK_FRAMES = 30


@dataclass(frozen=True, slots=True)
class FilmState:
    """How many frames were written, and how many were dropped because the disk was too slow.

    `fault` says why the film ended before the match, empty where it did not.
    """

    written: int
    dropped: int
    fault: str = ""


def times_of(video: Path) -> Path:
    """Return the file of frame times beside a video: `frame,t_ns,sigma_ns`."""
    return video.with_suffix(".times.csv")


class Film:
    """Writes frames as they come, in a thread of its own; `add` never waits.

    The film ends where the disk is nearly full, so that the log goes on: `state` says so.
    """

    def __init__(self, path: Path, rate_fps: float) -> None:
        """Begin a video of about that many frames a second. Raises RecordError."""
        if path.exists():
            raise RecordError(f"{path}: there is a video of this match already; move it away")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._times = times_of(path).open("w", encoding="ascii", buffering=1)
        except OSError as error:
            raise os_error(path, error) from None
        self._times.write("frame,t_ns,sigma_ns\n")
        self._path, self._rate_fps = path, rate_fps
        self._writer: cv2.VideoWriter | None = None
        self._written = self._dropped = 0
        self._fault, self._bytes = "", 0
        self._waiting: queue.Queue[tuple[MatLike, int, int] | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)
        self._thread.start()

    def add(self, image_bgr: MatLike, t_ns: int, sigma_ns: int = 0) -> None:
        """Take a frame of this time of the match's clock; the array must not change afterwards.

        `image_bgr` is uint8, height x width x 3. Where too many wait, it is dropped and counted.
        """
        try:
            self._waiting.put_nowait((image_bgr, t_ns, sigma_ns))
        except queue.Full:
            self._dropped += 1

    @property
    def state(self) -> FilmState:
        """How far it is."""
        return FilmState(self._written, self._dropped, self._fault)

    def close(self) -> FilmState:
        """Write what waits and end."""
        self._waiting.put(None)
        self._thread.join()
        if self._writer is not None:
            self._writer.release()
        # A disk that is full refuses the last line once more.
        with suppress(OSError):
            self._times.close()
        return self.state

    def _run(self) -> None:
        while (frame := self._waiting.get()) is not None:
            if not self._fault and self._written % CHECK_FRAMES == 0:
                self._fault = self._checked()
            if not self._fault:
                self._write(*frame)

    def _checked(self) -> str:
        """Return why no more can be written, empty where it can."""
        try:
            free, size = free_bytes(self._path), self._path.stat().st_size if self._written else 1
        except OSError as error:
            return f"{os_error(self._path, error)}; the film ends here, the match goes on"
        grown, self._bytes = size > self._bytes, size
        if free < LEFT_BYTES:
            return (
                f"{self._path}: only {free / 1e6:.0f} MB of the disk are free; the film ends here, "
                "the match goes on"
            )
        return "" if grown else f"{self._path}: cannot be written any more; the match goes on"

    def _write(self, image_bgr: MatLike, t_ns: int, sigma_ns: int) -> None:
        height_px, width_px = image_bgr.shape[:2]
        if self._writer is None:
            code = cv2.VideoWriter.fourcc(*CODEC)
            size_px = (width_px, height_px)
            self._writer = cv2.VideoWriter(
                str(self._path), cv2.CAP_FFMPEG, code, self._rate_fps, size_px
            )
        if not self._writer.isOpened():
            self._fault = f"{self._path}: cannot be written; the match goes on without a film"
            return
        try:
            self._writer.write(image_bgr)
            self._times.write(f"{self._written},{t_ns},{sigma_ns}\n")
        except (OSError, cv2.error):
            self._fault = f"{self._path}: cannot be written any more; the match goes on"
            return
        self._written += 1


def read_times(video: Path) -> tuple[tuple[int, int], ...]:
    """Return time and uncertainty of each frame of a video. Raises RecordError.

    A last line that a power cut left unfinished does not count.
    """
    path = times_of(video)
    try:
        lines = path.read_text(encoding="ascii").split("\n")[1:-1]
    except OSError as error:
        raise os_error(path, error) from None
    except UnicodeDecodeError:
        raise RecordError(f"{path}: these are no frame times") from None
    found = []
    for number, line in enumerate(lines):
        cells = line.split(",")
        if len(cells) != 3 or not all(c.isdigit() for c in cells) or int(cells[0]) != number:
            raise RecordError(f"{path}: line {number + 2} is no frame's time")
        found.append((int(cells[1]), int(cells[2])))
    return tuple(found)
