"""What the tests share: a table to look at, files of every kind, and the program itself."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import settings
from numpy.typing import NDArray

from referee import app
from referee.vision.address import Address, parse_address

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Image = NDArray[np.uint8]
ROOT = Path(__file__).parent.parent
# Far longer than any command here takes: only a hang reaches it.
HANG_S = 120
LAST_STILL_FRAME = 465

# Timing never decides a test: other programs may use the machine.
# `make test` looks for new examples; where CI is set the same ones are asked each time, so that a
# change is judged by what it changes.
settings.register_profile("house", deadline=None)
settings.register_profile("same", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("same" if "CI" in os.environ else "house")

# Where the tests run in the background, their programs would be deaf to Ctrl-C.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def last_table() -> Image:
    """The sample clip's last table, 1080p."""
    clip = cv2.VideoCapture(str(app.DEMO_CLIP))
    clip.set(cv2.CAP_PROP_POS_FRAMES, LAST_STILL_FRAME)
    good, frame = clip.read()
    assert good
    return frame


@dataclass(frozen=True)
class Ended:
    """How a run of the program ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def table() -> Image:
    """A small picture with sharp edges, no two quarters alike: 96 x 64 pixels."""
    image = np.full((64, 96, 3), (60, 110, 40), np.uint8)
    image[8:40, 12:36] = 250
    image[14:20, 16:20] = (20, 20, 200)
    image[30:60, 60:84] = (180, 240, 250)
    return image


@pytest.fixture
def picture(tmp_path: Path, table: Image) -> Path:
    """The table as a PNG file."""
    return write_picture(tmp_path / "table.png", table)


@pytest.fixture
def referee() -> Callable[..., Ended]:
    """The program, run as a process of its own."""

    def run(*words: str | Path, cwd: Path = ROOT) -> Ended:
        command = [sys.executable, "-m", "referee", *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, cwd=cwd)
        assert "Traceback" not in done.stderr, done.stderr
        return Ended(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, for the tests of pages."""
    # Only here: most tests need no browser, and this takes a while to import.
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * HANG_S)
    path = shutil.which("chromium")
    assert path, "these tests need Debian's chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        # Without a sandbox of its own, so that it also runs as root in a container.
        chromium = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


def write_picture(path: Path, image: NDArray[np.generic]) -> Path:
    """Write a picture in the format of its name's end."""
    assert cv2.imwrite(str(path), image)
    return path


def write_video(path: Path, frames: list[Image], rate_fps: float = 10.0) -> Path:
    """Write frames as a video with Motion JPEG, which keeps each frame by itself."""
    height_px, width_px = frames[0].shape[:2]
    code = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, code, rate_fps, (width_px, height_px))
    assert writer.isOpened()
    for frame in frames:
        writer.write(frame)
    writer.release()
    return path


def at(path: Path | str) -> Address:
    """Return the address of a path or text."""
    return parse_address(str(path), ROOT / "demo.mp4")


def one_line(text: str) -> str:
    """Return a message that must be one line of the referee's, without its end."""
    assert text.startswith("referee: "), text
    assert text.count("\n") == 1, text
    assert text.endswith("\n"), text
    return text.strip()
