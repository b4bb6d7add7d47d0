"""A whole match as a video, with the exact time of each frame beside it."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from pathlib import Path

import cv2
from cv2.typing import MatLike

from referee.record.errors import RecordError, os_error

# Motion JPEG in Matroska: every frame stands by itself and is whole in the file as soon as it is
# written, so that a crash costs the last frame only, and judging again sees what the camera saw.
CODEC = "MJPG"
END = ".mkv"
MOST_WAITING = 8


@dataclass(frozen=True, slots=True)
class FilmState:
    """How many frames were written, and how many were dropped because the disk was too slow."""

    written: int
    dropped: int


def times_of(video: Path) -> Path:
    """Return the file of frame times beside a video: `frame,t_ns,sigma_ns`."""
    return video.with_suffix(".times.csv")


class Film:
    """Writes frames as they come, in a thread of its own; `add` never waits."""

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
        self._fault: str | None = None
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
        return FilmState(self._written, self._dropped)

    def close(self) -> FilmState:
        """Write what waits and end. Raises RecordError where the video could not be written."""
        self._waiting.put(None)
        self._thread.join()
        if self._writer is not None:
            self._writer.release()
        self._times.close()
        if self._fault:
            raise RecordError(f"{self._path}: {self._fault}")
        return self.state

    def _run(self) -> None:
        while (frame := self._waiting.get()) is not None:
            if self._fault is None:
                self._write(*frame)

    def _write(self, image_bgr: MatLike, t_ns: int, sigma_ns: int) -> None:
        height_px, width_px = image_bgr.shape[:2]
        if self._writer is None:
            code = cv2.VideoWriter.fourcc(*CODEC)
            size_px = (width_px, height_px)
            self._writer = cv2.VideoWriter(
                str(self._path), cv2.CAP_FFMPEG, code, self._rate_fps, size_px
            )
        if not self._writer.isOpened():
            self._fault = "the video cannot be written; is the disk full or read-only?"
            return
        try:
            self._writer.write(image_bgr)
            self._times.write(f"{self._written},{t_ns},{sigma_ns}\n")
        except (OSError, cv2.error):
            self._fault = "the video cannot be written any more; is the disk full?"
            return
        self._written += 1


def read_times(video: Path) -> tuple[tuple[int, int], ...]:
    """Return time and uncertainty of each frame of a video. Raises RecordError."""
    path = times_of(video)
    try:
        lines = path.read_text(encoding="ascii").splitlines()[1:]
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
