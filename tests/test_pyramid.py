"""Tests of the sizes and tiles in which a picture is read."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.vision.networks import STRIDE_PX
from referee.vision.pyramid import TILE_PX, Level, levels, tiles


@given(st.integers(8, 2600), st.integers(8, 2600))
@settings(max_examples=30, deadline=None)
def test_every_pixel_of_a_level_is_in_the_core_of_exactly_one_tile(height: int, width: int) -> None:
    level = Level(np.zeros((height, width, 3), np.uint8), 1.0)
    cover = np.zeros((height, width), np.int8)
    for tile in tiles(level):
        x0, y0, x1, y1 = (round(min(max(v, 0), 1e6)) for v in tile.core)
        cover[y0 : min(y1, height), x0 : min(x1, width)] += 1
    assert (cover == 1).all()


@given(st.integers(8, 2600), st.integers(8, 5200))
@settings(max_examples=30, deadline=None)
def test_every_tile_suits_the_finder_and_the_memory(height: int, width: int) -> None:
    for tile in tiles(Level(np.zeros((height, width, 3), np.uint8), 1.0)):
        h, w = tile.image.shape[:2]
        assert h % STRIDE_PX == 0
        assert w % STRIDE_PX == 0
        assert h * w < 1.6 * TILE_PX


def test_a_full_hd_frame_is_one_tile_and_is_never_shrunk_only() -> None:
    pyramid = levels(np.zeros((1080, 1920, 3), np.uint8))
    assert [level.scale for level in pyramid] == [1.0, 0.5, 0.25, 0.125]
    assert len(list(tiles(pyramid[0]))) == 1


def test_a_small_photograph_is_also_read_enlarged() -> None:
    assert levels(np.zeros((378, 504, 3), np.uint8))[0].scale == 2.0


def test_the_way_back_from_a_level_keeps_pixel_centres() -> None:
    level = Level(np.zeros((50, 50, 3), np.uint8), 0.5)
    # The middle of the first level pixel is the corner between the first four picture pixels.
    assert level.to_picture(np.array([0.0, 0.0])).tolist() == [0.5, 0.5]
