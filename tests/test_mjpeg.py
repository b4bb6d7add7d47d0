"""Motion JPEG: whole pictures out of any stream of bytes, and nothing else."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from conftest import Image
from hypothesis import given
from hypothesis import strategies as st
from servers import jpeg, part

from referee.vision.mjpeg import next_picture


def all_pictures(pieces: list[bytes]) -> list[bytes]:
    """Return the pictures that come out when a stream arrives in these pieces."""
    found, pending = [], b""
    for piece in pieces:
        pending += piece
        picture, pending = next_picture(pending)
        while picture is not None:
            found.append(picture)
            picture, pending = next_picture(pending)
    return found


def noisy_jpeg(seed: int, progressive: bool = False) -> bytes:
    """Return a picture of noise, whose data are full of stuffed markers."""
    image: Image = np.random.default_rng(seed).integers(0, 255, (80, 120, 3), np.uint8)
    settings = [cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive), cv2.IMWRITE_JPEG_RST_INTERVAL, 4]
    return cv2.imencode(".jpg", image, settings)[1].tobytes()


def with_thumbnail(picture: bytes) -> bytes:
    """Return a JPEG that carries another one in a segment of its own, as cameras' do."""
    body = b"Exif\0\0" + jpeg(10, 16, 16)
    return picture[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + picture[2:]


PICTURES = [jpeg(40), noisy_jpeg(1), with_thumbnail(jpeg(200)), noisy_jpeg(2, progressive=True)]


@given(cuts=st.lists(st.integers(0, 40_000)), length=st.booleans(), bare=st.booleans())
def test_pictures_come_whole_however_the_stream_is_cut_into_pieces(
    cuts: list[int], length: bool, bare: bool
) -> None:
    stream = b"".join(PICTURES if bare else [part(picture, length) for picture in PICTURES])
    edges = [0, *sorted({min(cut, len(stream)) for cut in cuts}), len(stream)]
    assert all_pictures([stream[a:b] for a, b in pairwise(edges)]) == PICTURES


@given(st.integers(3, len(PICTURES[1]) - 1))
def test_a_picture_cut_in_its_middle_is_dropped_and_the_next_ones_come(cut: int) -> None:
    broken = part(PICTURES[1])[: cut + part(PICTURES[1]).index(b"\xff\xd8")]
    # A segment cut off in its head may promise to be 64 kB long; the stream goes on for longer.
    after = [noisy_jpeg(seed) for seed in range(10, 20)]
    found = all_pictures([broken, b"\r\n", *map(part, after)])
    assert found[-1:] == after[-1:]
    assert set(found) <= set(after)


@given(st.lists(st.binary(max_size=200)))
def test_no_bytes_upset_the_stream(pieces: list[bytes]) -> None:
    for picture in all_pictures(pieces):
        assert picture.startswith(b"\xff\xd8\xff")


def test_what_is_no_picture_does_not_pile_up() -> None:
    picture, rest = next_picture(b"no picture in here" * 1000)
    assert picture is None
    assert len(rest) == 2
