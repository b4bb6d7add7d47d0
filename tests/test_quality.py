"""How good a picture is: blur measured against blur that was made, light, size of cards."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.values import CardRead
from referee.vision.quality import blur_px, card_width_px, light_of


def printed(sigma_px: float) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return dark rectangles on white, blurred by a Gaussian."""
    page = np.full((400, 600), 235, np.uint8)
    for n in range(30):
        x, y = 20 + 95 * (n % 6), 20 + 75 * (n // 6)
        cv2.rectangle(page, (x, y), (x + 40, y + 36), 30, cv2.FILLED)
    blurred = cv2.GaussianBlur(page, (0, 0), sigma_px)
    return np.asarray(cv2.cvtColor(blurred, cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.mark.parametrize("sigma_px", [1.0, 1.5, 2.0, 3.0, 5.0])
def test_the_blur_that_was_made_is_found(sigma_px: float) -> None:
    assert blur_px(printed(sigma_px)) == pytest.approx(sigma_px, rel=0.2)


def test_an_even_picture_has_no_focus() -> None:
    assert blur_px(np.full((100, 100, 3), 90, np.uint8)) is None


def test_light_is_the_median_level_and_what_is_burnt_out() -> None:
    image = np.full((100, 100, 3), 80, np.uint8)
    image[:20] = 255
    light = light_of(image)
    assert (light.median_level, light.burnt_share) == (80.0, pytest.approx(0.2))


def test_a_cards_width_is_its_shorter_side() -> None:
    def card(quad: tuple[tuple[float, float], ...] | None) -> CardRead:
        return CardRead("7H", 0.9, (0.0, 0.0), quad, 0.0)  # type: ignore[arg-type]

    lying = card(((0, 0), (140, 0), (140, 100), (0, 100)))
    standing = card(((0, 0), (98, 0), (98, 140), (0, 140)))
    assert card_width_px([lying, standing, card(None)]) == pytest.approx(99)
    assert card_width_px([card(None)]) is None
