"""Tests of reading in a process of its own, with the real reader and real processes."""

from __future__ import annotations

import multiprocessing.spawn
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from referee import app
from referee.vision.aside import ReaderAside
from referee.vision.detect import Reader
from referee.vision.frames import Image

SOON_S = 20.0
# Starts a process that reads, says its number, and is cut off without a word to it.
CUT_OFF = """
import os
from referee import app
from referee.vision.aside import ReaderAside
if __name__ == "__main__":
    print(ReaderAside(app.open_reader(None, 1)).process_id, flush=True)
    os._exit(0)
"""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return app.open_reader(None, 1, "suited", quick=True)


@pytest.fixture
def aside(reader: Reader) -> Iterator[ReaderAside]:
    with ReaderAside(reader) as other:
        yield other


@pytest.fixture(scope="module")
def piece(last_table: Image) -> Image:
    return np.ascontiguousarray(last_table[100:420, 300:700])


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    except FileNotFoundError:
        return False
    return state[0] != "Z"


def ends(process: int) -> bool:
    """Whether a process is soon no more."""
    until_s = time.monotonic() + SOON_S
    while is_running(process) and time.monotonic() < until_s:
        time.sleep(0.05)
    return not is_running(process)


def test_the_other_process_reads_what_the_reader_reads(
    reader: Reader, aside: ReaderAside, piece: Image
) -> None:
    reads, surface = reader.glance(piece, 1.0)
    other_reads, other_surface = aside.glance(piece, 1.0)
    assert reads
    assert other_reads == reads
    assert np.array_equal(other_surface.kind, surface.kind)
    assert other_surface.cell_px == surface.cell_px


def test_when_the_process_is_killed_reading_goes_on(
    reader: Reader, aside: ReaderAside, piece: Image
) -> None:
    os.kill(aside.process_id, signal.SIGKILL)
    for _ in range(2):
        assert aside.glance(piece, 1.0)[0] == reader.glance(piece, 1.0)[0]


def test_the_process_is_gone_when_it_is_closed(aside: ReaderAside) -> None:
    process = aside.process_id
    assert is_running(process)
    aside.close()
    assert not is_running(process)


def test_where_no_process_can_be_started_the_reader_reads(
    reader: Reader, piece: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", b"/nowhere/python")
    with ReaderAside(reader) as aside:
        assert aside.glance(piece, 1.0)[0] == reader.glance(piece, 1.0)[0]


def test_what_ctrl_c_interrupts_is_the_match(aside: ReaderAside, piece: Image) -> None:
    process = aside.process_id
    os.kill(process, signal.SIGINT)
    aside.glance(piece, 1.0)
    assert is_running(process)


def test_a_piece_that_nobody_can_read_is_the_readers_own_error(
    reader: Reader, aside: ReaderAside, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = np.zeros((0, 40, 3), np.uint8)
    with pytest.raises(Exception) as told:
        reader.glance(broken, 1.0)
    with pytest.raises(type(told.value)):
        aside.glance(broken, 1.0)
    assert capfd.readouterr().err == ""


def test_no_process_outlives_the_referee(tmp_path: Path) -> None:
    script = tmp_path / "cut_off.py"
    script.write_text(CUT_OFF, encoding="utf-8")
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert ends(int(ran.stdout))
