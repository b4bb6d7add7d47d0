"""`referee bench live`: a film shown as a camera shows it."""

from __future__ import annotations

import gc
import mmap
import weakref
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.__main__ import main
from referee.app.pauses import shorten_pauses
from referee.commands.benches.live import FilmTap, memory_mb

SIZE_PX = (64, 48)
LEVELS = (40, 120, 200)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "grey.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, SIZE_PX)
    for level in LEVELS:
        writer.write(np.full((SIZE_PX[1], SIZE_PX[0], 3), level, np.uint8))
    writer.release()
    return path


def test_the_film_begins_anew_when_it_ends(film: Path) -> None:
    tap = FilmTap(film, idle=False)
    shots = [tap.take() for _ in range(2 * len(LEVELS))]
    levels = [float(shot.image_bgr.mean()) for shot in shots]
    assert levels == pytest.approx(2 * LEVELS, abs=6.0)
    assert all(a.t_ns < b.t_ns for a, b in zip(shots, islice(shots, 1, None), strict=False))


def test_a_camera_of_fewer_frames_shows_every_third_of_the_film(film: Path) -> None:
    tap = FilmTap(film, idle=False, fps=10.0)
    shots = [tap.take() for _ in range(2)]
    assert [float(shot.image_bgr.mean()) for shot in shots] == pytest.approx(LEVELS[::2], abs=6.0)
    assert (shots[1].t_ns - shots[0].t_ns) % 100_000_000 == 0


@pytest.mark.parametrize("fps", ["0", "-5", "nan", "1000"])
def test_a_rate_that_no_camera_has_is_refused_in_one_line(
    film: Path, fps: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "live", str(film), "--fps", fps]) == 2
    assert "--fps" in capsys.readouterr().err


def test_of_an_idle_table_the_first_frame_is_shown_with_the_noise_of_a_camera(film: Path) -> None:
    tap = FilmTap(film, idle=True)
    first, second = tap.take().image_bgr, tap.take().image_bgr
    assert float(second.mean()) == pytest.approx(LEVELS[0], abs=6.0)
    assert 1.0 < float(np.std(first.astype(float) - second)) < 5.0


def test_a_process_that_holds_more_says_so() -> None:
    before_mb = memory_mb()
    # Mapped afresh: an array may be given memory that this process has held for long.
    with mmap.mmap(-1, 50_000_000, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as held:
        held.write(b"\1" * len(held))
        assert memory_mb() - before_mb > 40.0


def test_a_match_without_its_film_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "live", str(tmp_path / "none.match")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


class Evening:
    """What a match leaves behind: it holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_a_match_is_not_held_up_by_what_was_loaded_before_it() -> None:
    """Python's collector passes over it; what a match left is let go before the next one."""
    first_match = Evening()
    shorten_pauses()
    assert len(gc.get_objects()) < 1000
    left = weakref.ref(first_match)
    del first_match
    gc.collect()
    assert left() is not None, "the collector went over what was set aside"
    shorten_pauses()
    assert left() is None
    gc.unfreeze()
