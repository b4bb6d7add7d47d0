"""The overlay: drawn upright, on the cards, and never the same for what is read and what is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from conftest import Image

from referee.screens.overlay import (
    BACK,
    HAND,
    READ,
    UNREAD,
    Tag,
    draw_sight,
    freest,
    tag_text,
    tags_around,
    turned,
    turned_point,
)
from referee.screens.words import card_words, reads_line
from referee.values import CardRead, HandRead, Sight

QUAD = ((400.0, 300.0), (500.0, 300.0), (500.0, 440.0), (400.0, 440.0))


def read(label: str, quad: bool = True, at_px: tuple[float, float] = (412.0, 320.0)) -> CardRead:
    return CardRead(label, 0.93, at_px, QUAD if quad else None, 0.0)  # type: ignore[arg-type]


def cloth() -> Image:
    return np.full((900, 1200, 3), (60, 110, 40), np.uint8)


def pixels_of(image: Image, colour: tuple[int, int, int]) -> int:
    return int(np.all(image == colour, axis=2).sum())


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_picture_and_its_points_turn_alike(orientation: int) -> None:
    image = np.zeros((40, 60, 3), np.uint8)
    image[7, 50] = 255
    upright = turned(image, orientation)
    x_px, y_px = turned_point((50.0, 7.0), (60, 40), orientation)
    assert upright.shape == ((40, 60, 3) if orientation < 5 else (60, 40, 3))
    assert tuple(upright[int(y_px), int(x_px)]) == (255, 255, 255)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_turns_are_those_of_photographs(orientation: int, tmp_path: object) -> None:
    """OpenCV's own reading of Exif is the witness."""
    image = np.random.default_rng(5).integers(0, 255, (32, 48, 3), np.uint8)
    stored = cv2.imencode(".png", image)[1].tobytes()
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + bytes([orientation]) + bytes(7)
    chunk = b"eXIf" + tiff
    import struct
    import zlib

    data = struct.pack(">I", len(tiff)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    seen = cv2.imdecode(np.frombuffer(stored[:33] + data + stored[33:], np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(seen, turned(image, orientation))


def test_each_kind_of_read_has_its_own_colour_and_shape() -> None:
    for label, colour in (("7H", READ), ("??", UNREAD), ("BACK", BACK)):
        drawn = draw_sight(cloth(), Sight((read(label),), ()))
        assert pixels_of(drawn, colour) > 100, label
    shapes = []
    for label in ("7H", "??", "BACK"):
        drawn = draw_sight(cloth(), Sight((read(label),), ()))
        inner = drawn[295:446, 395:506]
        shapes.append(np.any(inner != cloth()[0, 0], axis=2))
    assert not any(np.array_equal(shapes[a], shapes[b]) for a, b in ((0, 1), (0, 2), (1, 2)))


def test_an_index_without_outline_gets_a_ring_and_a_hand_its_box() -> None:
    ring = draw_sight(cloth(), Sight((read("7H", quad=False),), ()))
    assert pixels_of(ring[300:340, 392:432], READ) > 20
    hand = draw_sight(cloth(), Sight((), (HandRead(0.8, (100.0, 100.0, 300.0, 300.0)),)))
    assert pixels_of(hand, HAND) > 400


def test_the_picture_that_was_read_stays_as_it_is() -> None:
    image = cloth()
    draw_sight(image, Sight((read("7H"),), ()))
    assert np.array_equal(image, cloth())


def test_small_pictures_are_drawn_twice_as_large() -> None:
    assert draw_sight(cloth()[:400, :600], Sight((), ())).shape == (800, 1200, 3)


def test_no_picture_is_too_small_and_no_place_too_far_out() -> None:
    outside = CardRead("7H", 0.5, (-50.0, 9000.0), None, 0.0)
    assert draw_sight(np.zeros((1, 1, 3), np.uint8), Sight((outside,), ())).shape == (2, 2, 3)


def test_tags_of_neighbours_do_not_hide_one_another() -> None:
    taken: list[Tag] = []
    for x_px in range(300, 420, 40):
        tag = freest(tags_around((float(x_px), 400.0), "7♥ 0.93", 18), taken, cloth())
        assert sum(tag.overlap_px2(other) for other in taken) == 0
        taken.append(tag)


def test_tags_say_the_card_with_its_sign() -> None:
    labels = ("TD", "7H", "??", "BACK", "JOKER", "14")
    assert [tag_text(read(label)) for label in labels] == [
        "10♦ 0.93",
        "7♥ 0.93",
        "?? 0.93",
        "BACK 0.93",
        "JOKER 0.93",
        "14 0.93",
    ]


def test_cards_are_said_in_words() -> None:
    assert card_words("7H") == "the seven of hearts"
    assert card_words("TS") == "the ten of spades"
    assert card_words("??") == "a card not read"
    assert card_words("14") == "the 14"
    assert reads_line([read("TD", at_px=(50.0, 1.0)), read("7H", at_px=(9.0, 3.0))]) == (
        "7H 0.93  TD 0.93"
    )
    assert reads_line([]) == "no card seen"
