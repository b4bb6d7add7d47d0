"""A camera that hangs sends its last picture again and again; a quiet table does not look so."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.app.frozen import Frozen

S = 1_000_000_000
FPS = 30
RNG = np.random.default_rng(5)
TABLE = RNG.integers(60, 200, (360, 640, 3)).astype(np.uint8)


def noisy(_: int) -> NDArray[np.uint8]:
    """Return the quiet table as a camera sees it."""
    seen = TABLE + RNG.normal(0, 2, TABLE.shape)
    return np.asarray(seen.clip(0, 255), np.uint8)


def clean(_: int) -> NDArray[np.uint8]:
    """Return the quiet table as it is drawn, without noise."""
    return TABLE


def played(k: int) -> NDArray[np.uint8]:
    """Return the table with a hand that moves over it, without noise."""
    picture = TABLE.copy()
    picture[100:200, 10 * (k % 50) : 10 * (k % 50) + 90] = 20
    return picture


def coarse(k: int) -> NDArray[np.uint8]:
    """Return the quiet table coded so coarsely that every third picture is the one before."""
    return noisy(k) if k % 3 else TABLE


class Source:
    """A source's pictures, one after another."""

    def __init__(self) -> None:
        self.frozen, self.k = Frozen(), 0

    def take(self, pictures: Iterable[NDArray[np.uint8]]) -> list[float | None]:
        """Take pictures; returns since when they stand still, in seconds."""
        told: list[float | None] = []
        for picture in pictures:
            since_ns = self.frozen.since(picture, self.k * S // FPS)
            told.append(None if since_ns is None else since_ns / S)
            self.k += 1
        return told

    def watch(self, seen: Callable[[int], NDArray[np.uint8]], for_s: float) -> list[float | None]:
        """Take pictures of so many seconds."""
        return self.take(seen(k) for k in range(int(for_s * FPS)))

    def hang(self, for_s: float) -> list[float | None]:
        """Take one picture again and again."""
        return self.take([noisy(0)] * int(for_s * FPS))


def test_a_camera_that_hangs_is_noticed_and_its_return_too() -> None:
    source = Source()
    assert {*source.watch(noisy, 3)} == {None}
    told = source.hang(4)
    assert told[:30] == [None] * 30
    assert told[31:] == [3.0] * len(told[31:])
    back = source.watch(noisy, 2)
    assert back[:2] == [3.0, 3.0]
    assert {*back[2:]} == {None}


def test_a_hung_picture_that_is_coded_anew_hangs_on() -> None:
    source = Source()
    source.watch(noisy, 3)
    source.hang(2)
    assert {*source.hang(2)} == {3.0}


def test_a_camera_may_hang_twice() -> None:
    source = Source()
    for _ in range(2):
        source.watch(noisy, 3)
        assert source.hang(2)[-1] is not None


@pytest.mark.parametrize("quiet", [noisy, clean, coarse])
def test_players_who_think_are_no_hung_camera(
    quiet: Callable[[int], NDArray[np.uint8]],
) -> None:
    source = Source()
    told = source.watch(quiet, 2) + source.watch(played, 3) + source.watch(quiet, 20)
    assert {*told} == {None}


def test_a_stream_that_stutters_is_no_hung_one() -> None:
    source = Source()
    for _ in range(10):
        assert {*source.watch(noisy, 1), *source.hang(0.5)} == {None}


def test_a_still_picture_is_told_after_twenty_seconds() -> None:
    told = Source().watch(clean, 22)
    assert {*told[:600]} == {None}
    assert {*told[601:]} == {0.0}


@pytest.mark.parametrize("level", [0, 255])
def test_where_nothing_can_be_seen_no_camera_hangs(level: int) -> None:
    source = Source()
    source.watch(noisy, 3)
    flat = np.full_like(TABLE, level)
    assert {*source.watch(lambda _: flat, 5)} == {None}
    assert {*source.watch(noisy, 2)} == {None}


def test_pictures_of_another_size_are_compared_anew() -> None:
    source = Source()
    source.watch(noisy, 3)
    assert {*source.take([TABLE[:300, :400]] * 20)} == {None}
