"""Writes pictures as a video file: H.264 where ffmpeg is there, else what OpenCV can write."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from types import TracebackType

import cv2

from referee.simulate.shapes import Image

_ENDINGS = (".mp4", ".mkv", ".avi", ".mov")
_DEFAULT_CRF = 20


class EncodingError(Exception):
    """A video cannot be written; the message is one line that says what to do."""


class VideoFile:
    """A video being written, at a constant frame rate; use it in a `with` block.

    Frame n stands at n / fps seconds. `crf` is H.264's quality (0 to 51, lower is better).
    """

    def __init__(
        self, path: Path, size_px: tuple[int, int], fps: int, crf: int = _DEFAULT_CRF,
        preset: str = "veryfast",
    ) -> None:  # fmt: skip
        """Open the file. Raises EncodingError."""
        self._path, self._size_px = path, size_px
        if path.suffix.lower() not in _ENDINGS:
            raise EncodingError(
                f"{path}: give a video file name, ending in {' or '.join(_ENDINGS)}"
            )
        _check_writable(path)
        self._ffmpeg: subprocess.Popen[bytes] | None = None
        self._writer: cv2.VideoWriter | None = None
        program = shutil.which("ffmpeg")
        if program is not None and path.suffix.lower() != ".avi":
            self._ffmpeg = _started(program, path, size_px, fps, crf, preset)
        else:
            self._writer = _opened(path, size_px, fps)

    def __enter__(self) -> VideoFile:
        """Return the file."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Finish the file; an unfinished one of a failure is left away."""
        try:
            self.close()
        finally:
            if kind is not None:
                self._path.unlink(missing_ok=True)

    def write(self, image: Image) -> None:
        """Append a frame (uint8, height x width x 3, blue-green-red). Raises EncodingError."""
        if self._writer is not None:
            self._writer.write(image)
            return
        assert self._ffmpeg is not None
        assert self._ffmpeg.stdin is not None
        try:
            self._ffmpeg.stdin.write(image.tobytes())
        except BrokenPipeError:
            raise EncodingError(f"{self._path}: ffmpeg stopped; is the disk full?") from None

    def close(self) -> None:
        """Finish the file. Raises EncodingError."""
        if self._writer is not None:
            self._writer.release()
            self._writer = None
        if self._ffmpeg is not None:
            process, self._ffmpeg = self._ffmpeg, None
            _, said = process.communicate()
            if process.returncode != 0:
                reason = said.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no reason"]
                raise EncodingError(f"{self._path}: ffmpeg could not write it ({reason[0][:120]})")


def _check_writable(path: Path) -> None:
    if path.is_dir():
        raise EncodingError(f"{path} is a folder; give a file name")
    if not path.parent.is_dir():
        raise EncodingError(f"{path}: there is no folder {path.parent}; make it first")
    fresh = not path.exists()
    try:
        with path.open("ab"):
            pass
    except OSError as reason:
        raise EncodingError(f"{path} cannot be written: {reason.strerror}") from None
    if fresh:
        path.unlink()


def _started(
    program: str, path: Path, size_px: tuple[int, int], fps: int, crf: int, preset: str
) -> subprocess.Popen[bytes]:
    size = f"{size_px[0]}x{size_px[1]}"
    source = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", size, "-r", str(fps), "-i", "-"]
    # BT.709 in limited range and the High profile are what every H.264 decoder reads alike.
    matrix = "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
    coding = ["-c:v", "libx264", "-preset", preset, "-crf", str(crf), "-threads", "1"]
    tags = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
    command = [program, "-v", "error", "-y", *source, "-vf", matrix, *coding, *tags]
    if path.suffix.lower() in (".mp4", ".mov"):
        command += ["-movflags", "+faststart"]
    return subprocess.Popen([*command, str(path)], stdin=subprocess.PIPE, stderr=subprocess.PIPE)


def _opened(path: Path, size_px: tuple[int, int], fps: int) -> cv2.VideoWriter:
    word = "MJPG" if path.suffix.lower() == ".avi" else "mp4v"
    code = cv2.VideoWriter.fourcc(*word)
    writer = cv2.VideoWriter(str(path), code, float(fps), size_px)
    if not writer.isOpened():
        raise EncodingError(
            f"{path}: no encoder for it; install ffmpeg (Debian: apt-get install ffmpeg) "
            "or give a name ending in .avi"
        )
    return writer
