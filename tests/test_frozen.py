"""A camera that hangs gives the same picture again and again; what is done then is not seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.app.frozen import GOES_ON, HANGS, Frozen

S = 1_000_000_000
FRAME_NS = S // 30
NOISE = np.random.default_rng(7)


def picture() -> NDArray[np.uint8]:
    return NOISE.integers(100, 104, (72, 128, 3), np.uint8)


def test_a_camera_that_hangs_is_told_once_and_so_is_its_end() -> None:
    frozen, still = Frozen(), picture()
    told = [frozen.take(still, k * FRAME_NS) for k in range(300)]
    assert [line for line in told if line] == [HANGS]
    assert told.index(HANGS) * FRAME_NS <= 5.1 * S
    assert frozen.doubts(9 * S)
    assert frozen.take(picture(), 10 * S) == GOES_ON
    assert frozen.doubts(11 * S)
    assert not frozen.doubts(12 * S)


def test_a_table_at_rest_under_a_camera_is_no_frozen_picture() -> None:
    frozen = Frozen()
    assert not any(frozen.take(picture(), k * FRAME_NS) for k in range(300))
    assert not frozen.doubts(9 * S)


def test_players_who_think_for_a_while_are_not_taken_for_a_frozen_picture() -> None:
    frozen, still = Frozen(), picture()
    assert not any(frozen.take(still, k * FRAME_NS) for k in range(140))
    assert not frozen.doubts(4 * S)
