"""The difference gate: sees a card that came or went, and neither noise nor the exposure."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from conftest import Image
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.frames import Frame
from referee.vision.gate import Box, changed_boxes, settled, small_view

WIDTH_PX, HEIGHT_PX = 1920, 1080
FRAME_NS = 33_333_333


def cloth() -> Image:
    return np.full((HEIGHT_PX, WIDTH_PX, 3), (60, 110, 40), np.uint8)


def with_card(image: Image, x_px: int, y_px: int) -> Image:
    """Lay a white card of 100 x 140 px on the cloth, its upper left corner at x, y."""
    changed = image.copy()
    cv2.rectangle(changed, (x_px, y_px), (x_px + 99, y_px + 139), (245, 245, 245), cv2.FILLED)
    return changed


def boxes(before: Image, after: Image) -> tuple[Box, ...]:
    return changed_boxes(small_view(before), small_view(after))


@given(
    x_px=st.integers(0, WIDTH_PX - 100), y_px=st.integers(0, HEIGHT_PX - 140), taken=st.booleans()
)
def test_a_card_laid_or_taken_is_one_box_around_it(x_px: int, y_px: int, taken: bool) -> None:
    before, after = cloth(), with_card(cloth(), x_px, y_px)
    found = boxes(after, before) if taken else boxes(before, after)
    assert len(found) == 1
    box = found[0]
    assert box.x0_px <= x_px
    assert box.y0_px <= y_px
    assert box.x1_px >= x_px + 100
    assert box.y1_px >= y_px + 140
    # Not much more than the card: blur and joining reach six small pixels, 24 of the frame.
    assert box.x1_px - box.x0_px <= 100 + 2 * 28
    assert box.y1_px - box.y0_px <= 140 + 2 * 28
    assert 0 <= box.x0_px < box.x1_px <= WIDTH_PX
    assert 0 <= box.y0_px < box.y1_px <= HEIGHT_PX


def test_two_cards_apart_are_two_boxes_left_to_right() -> None:
    found = boxes(cloth(), with_card(with_card(cloth(), 1200, 80), 300, 600))
    assert [box.x0_px < 400 for box in found] == [True, False]


def test_the_noise_of_a_dim_webcam_changes_nothing() -> None:
    chance = np.random.default_rng(3)

    def noisy() -> Image:
        grey = np.clip(chance.normal(90, 8, (HEIGHT_PX, WIDTH_PX, 1)), 0, 255)
        return np.repeat(grey.astype(np.uint8), 3, axis=2)

    views = [small_view(noisy()) for _ in range(6)]
    assert [changed_boxes(a, b) for a, b in pairwise(views)] == [()] * 5


def test_a_change_of_exposure_changes_nothing_but_hides_no_card() -> None:
    before = cloth()
    brighter = cv2.add(before, np.full_like(before, 18))
    assert boxes(before, brighter) == ()
    assert len(boxes(before, with_card(brighter, 900, 500))) == 1


def under_lamps(image: Image, phase: float) -> Image:
    """Return a picture over which bands of a lamp on alternating current go, brighter by 4 %."""
    rows = np.arange(HEIGHT_PX)[:, None, None]
    light = 1.0 + 0.04 * np.sin(2 * np.pi * (2.2 * rows / HEIGHT_PX + phase))
    return np.clip(np.round(image * light), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("phase", [0.2, 0.4, 0.5, 0.8])
def test_the_bands_of_a_lamp_change_nothing_but_hide_no_card(phase: float) -> None:
    table = with_card(with_card(cloth(), 300, 200), 1200, 600)
    before, after = under_lamps(table, 0.0), under_lamps(table, phase)
    assert boxes(before, after) == ()
    assert len(boxes(before, under_lamps(with_card(table, 900, 500), phase))) == 1


def test_one_changed_index_is_seen() -> None:
    before = with_card(cloth(), 600, 400)
    after = before.copy()
    cv2.rectangle(after, (605, 405), (617, 435), (20, 20, 20), cv2.FILLED)
    assert len(boxes(before, after)) == 1


def test_frames_of_another_size_differ_everywhere() -> None:
    small = np.zeros((480, 640, 3), np.uint8)
    assert boxes(cloth(), small) == (Box(0, 0, 640, 480),)


@given(st.integers(1, 40), st.integers(1, 40))
def test_the_smallest_pictures_have_a_view(width_px: int, height_px: int) -> None:
    image = np.zeros((height_px, width_px, 3), np.uint8)
    assert boxes(image, image) == ()


def test_a_long_thin_picture_keeps_its_shape() -> None:
    assert small_view(np.zeros((100, 4000, 3), np.uint8)).luminance.shape == (12, 480)


def frames_of(images: list[Image]) -> list[Frame]:
    """Return pictures as the frames of a video of 30 frames/s."""
    return [Frame(image, n * FRAME_NS, 0, n, "clip") for n, image in enumerate(images)]


def test_a_laid_card_has_settled_when_the_hand_has_gone() -> None:
    laid = with_card(cloth(), 300, 300)
    moving = [with_card(cloth(), 40 * n, 500) for n in range(36)]
    images = [cloth()] * 12 + moving + [laid] * 12 + [cv2.add(laid, np.full_like(laid, 2))] * 40
    # 250 ms are eight frames after the last change: nothing moves from frame 0, or from 48.
    assert [frame.n for frame in settled(frames_of(images))] == [8, 56]


def test_a_card_settles_also_while_a_hand_moves_elsewhere() -> None:
    laid = with_card(cloth(), 300, 300)
    waving = [with_card(laid, 1000 + 60 * (n % 7), 700) for n in range(40)]
    assert [frame.n for frame in settled(frames_of([cloth()] * 40 + waving))] == [8, 48]


def test_rests_come_at_most_once_a_second_and_none_is_lost() -> None:
    one = with_card(cloth(), 300, 300)
    two = with_card(one, 800, 300)
    images = [cloth()] * 40 + [one] * 12 + [two] * 60
    # The second card has settled at frame 60, a second after the first was yielded is frame 78.
    assert [frame.n for frame in settled(frames_of(images))] == [8, 48, 79]


def test_another_size_begins_anew() -> None:
    images = [cloth()] * 12 + [np.zeros((480, 640, 3), np.uint8)] * 12
    assert [frame.n for frame in settled(frames_of(images))] == [8, 20]
