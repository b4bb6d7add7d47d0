"""When cards came to rest, as a camera that takes thirty pictures a second sees it."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from drawn_arms import braking, min_jerk
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.vision.landing import Landings
from referee.vision.shutter import Shutter
from referee.vision.stopping import stop_of

MS = 1_000_000
FRAME_NS = 33_333_333
AT_PX = np.array([[200, 100], [263, 100], [263, 188], [200, 188]], float)
"""A card of 63 x 88 px: a pixel is 1 mm."""
Picture = NDArray[np.uint8]
Way = Callable[[float], float]


def card() -> Picture:
    """A seven of hearts with its pips, 4 px a mm."""
    face = np.full((4 * 88, 4 * 63, 3), 235, np.uint8)
    for turn in range(2):
        cv2.putText(face, "7", (12, 72), 0, 2.2, (40, 40, 190), 8)
        for x, y in ((70, 90), (182, 90), (126, 135), (70, 176), (182, 176)):
            cv2.circle(face, (x, y + 20 * turn), 17, (40, 40, 190), -1)
        face = np.ascontiguousarray(face[::-1, ::-1])
    return face


FACE = card()


def cloth(seed: int = 5) -> Picture:
    rough = np.random.default_rng(seed).normal(90, 12, (360, 640, 3))
    return np.asarray(cv2.GaussianBlur(rough, (0, 0), 1.2), np.uint8)


CLOTH = cloth()
NOISE = np.random.default_rng(1).normal(0, 2.0, (7, *CLOTH.shape)).astype(np.int16)


def table(away_mm: tuple[float, float] = (0.0, 0.0), turned: float = 1.0) -> Picture:
    """The card so far from where it comes to lie; `turned` is how wide it shows, 0 for its edge."""
    x, y = away_mm
    to = np.array([[0.25 * turned, 0, 231.5 + x - 31.5 * turned], [0, 0.25, 100 + y]])
    image = CLOTH.copy()
    cv2.warpAffine(FACE, to, (640, 360), image, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    return image


def with_hand(image: Picture, back_mm: float, over: bool = False, beside_px: int = 0) -> Picture:
    """A hand that holds the lower half of the card, or all of it, drawn back or aside so far."""
    top = round((90 if over else 150) + back_mm)
    cv2.rectangle(image, (188, top), (290, 359), (120, 150, 190), -1)
    for x_px in range(200 + beside_px % 14, 290, 14):
        cv2.line(image, (x_px, top), (x_px, 359), (90, 115, 150), 3)
    return image


def kept(frames: dict[int, Picture], landings: Landings | None = None) -> Landings:
    landings = landings or Landings()
    for t_ns, image in frames.items():
        noisy = cv2.add(image, NOISE[t_ns % len(NOISE)], dtype=cv2.CV_8U)
        landings.keep(np.asarray(noisy, np.uint8), t_ns)
        landings.cover()
    return landings


@pytest.mark.parametrize("way", [min_jerk, braking])
@pytest.mark.parametrize("late_ms", [2, 13, 24])
def test_a_laid_card_is_timed_finer_than_the_pictures_are_taken(way: Way, late_ms: int) -> None:
    rests_ns = 15 * FRAME_NS + late_ms * MS
    frames = {}
    for k in range(30):
        left_mm = 260.0 * (1 - way(1 - (rests_ns - k * FRAME_NS) / 450e6))
        leaves_mm = max(0.0, k - 20) * 45.0
        frames[k * FRAME_NS] = with_hand(table((left_mm, left_mm / 3)), leaves_mm)
    landed = kept(frames).landed(AT_PX)
    assert landed is not None
    assert abs(landed.t_ns - rests_ns) <= min(landed.u_ns, 25 * MS)
    assert landed.u_ns <= 60 * MS


def straightened(pushed_mm: tuple[float, float], width_px: int = 640) -> tuple[Landings, int]:
    """A card that is laid, and pushed a little after half a second; returns when it was laid."""
    laid_ns, lies_ns = 15 * FRAME_NS + 13 * MS, 34 * FRAME_NS
    frames = {}
    for k in range(45):
        left_mm = 200.0 * (1 - min_jerk(1 - (laid_ns - k * FRAME_NS) / 400e6))
        off = 1 - min_jerk(1 - (lies_ns - k * FRAME_NS) / 200e6)
        at_mm = left_mm + pushed_mm[0] * off, pushed_mm[1] * off
        shown = with_hand(table(at_mm), max(0.0, k - 20) * 45.0)
        frames[k * FRAME_NS] = np.ascontiguousarray(shown[:, :width_px])
    landings = Landings()
    for t_ns, image in frames.items():
        landings.keep(image, t_ns)
        landings.cover()
    return landings, laid_ns


@pytest.mark.parametrize("pushed_mm", [(0.8, 1.0), (-0.5, 0.8), (-1.5, 1.2), (0.3, -3.0)])
def test_a_card_that_a_finger_straightens_came_to_rest_when_it_was_laid(
    pushed_mm: tuple[float, float],
) -> None:
    landings, laid_ns = straightened(pushed_mm)
    landed = landings.landed(AT_PX)
    assert landed is not None
    assert abs(landed.t_ns - laid_ns) <= landed.u_ns


@pytest.mark.parametrize("width_px", range(230, 264, 4))
def test_a_card_that_was_pushed_in_from_beyond_the_pictures_edge_is_no_trouble(
    width_px: int,
) -> None:
    landings, _ = straightened((0.8, 1.0), width_px)
    landings.landed(AT_PX)


def test_a_card_that_is_turned_in_place_came_to_rest_when_it_lay_flat() -> None:
    flat_ns = 14 * FRAME_NS + 10 * MS
    frames = {}
    for k in range(30):
        # It opens from its edge ever faster, as what falls flat does.
        share = min(1.0, max(0.05, 1 - (flat_ns - k * FRAME_NS) / 250e6))
        frames[k * FRAME_NS] = with_hand(table(turned=share), max(0.0, k - 20) * 45.0)
    landed = kept(frames).landed(AT_PX)
    assert landed is not None
    assert flat_ns - landed.u_ns <= landed.t_ns <= flat_ns + landed.u_ns
    assert landed.u_ns <= 60 * MS


def test_a_hand_that_stays_on_the_card_makes_it_no_later() -> None:
    rests_ns = 10 * FRAME_NS + 8 * MS
    frames = {}
    for k in range(40):
        left_mm = 200.0 * (1 - min_jerk(1 - (rests_ns - k * FRAME_NS) / 400e6))
        # Half of its details come out only now.
        frames[k * FRAME_NS] = with_hand(table((0.0, left_mm)), max(0.0, k - 22) * 45.0)
    landed = kept(frames).landed(AT_PX)
    assert landed is not None
    assert abs(landed.t_ns - rests_ns) <= landed.u_ns <= 45 * MS


def test_fingers_that_rest_on_a_card_before_they_turn_it_are_no_part_of_it() -> None:
    frames = {}
    for k in range(24):
        image = table() if k >= 14 else CLOTH.copy()
        frames[k * FRAME_NS] = with_hand(image, 0.0 if k >= 5 else 200.0)

    def hidden(points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(points_px[:, 1] >= 147)

    landed = kept(frames, Landings(hidden=hidden)).landed(AT_PX)
    assert landed is not None
    assert abs(landed.t_ns - 13.5 * FRAME_NS) <= landed.u_ns <= 60 * MS


def test_a_card_that_fingers_hide_till_it_lies_may_creep_on_for_a_moment() -> None:
    # In the first frame in which it is seen it has a third of a millimetre left.
    seen, rests_ns, frame = 14, 14 * FRAME_NS + 21 * MS, 0

    def hidden(points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.full(len(points_px), 11 <= frame < seen)

    landings = Landings(hidden=hidden)
    for frame in range(24):
        left_mm = 250.0 * (1 - min_jerk(1 - (rests_ns - frame * FRAME_NS) / 400e6))
        image = table((0.0, left_mm)) if frame >= seen else CLOTH.copy()
        kept({frame * FRAME_NS: with_hand(image, 0.0) if hidden(AT_PX).any() else image}, landings)
    landed = landings.landed(AT_PX)
    assert landed is not None
    assert landed.hidden
    assert abs(landed.t_ns - rests_ns) <= landed.u_ns <= 100 * MS


def slapped(until: int) -> tuple[Landings, int]:
    """A card whose lower half a hand holds till another hand slaps it whole, which leaves at last.

    Watched for so many frames; returns when it was laid.
    """
    laid_ns, slap, leaves, frame = 10 * FRAME_NS + 8 * MS, 19, 36, 0

    def hidden(points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        top = 90 if slap <= frame < leaves else 147
        return np.asarray((points_px[:, 1] >= top) & ((frame < leaves) | (frame >= 44)))

    landings = Landings(hidden=hidden)
    for frame in range(until):
        left_mm = 200.0 * (1 - min_jerk(1 - (laid_ns - frame * FRAME_NS) / 400e6))
        image = table((0.0, left_mm))
        if frame < leaves or frame >= 44:
            image = with_hand(image, 0.0, over=slap <= frame < leaves)
        kept({frame * FRAME_NS: image}, landings)
    return landings, laid_ns


def test_a_card_that_was_slapped_after_it_was_laid_came_to_rest_before_the_slap() -> None:
    landings, laid_ns = slapped(until=42)
    landed = landings.landed(AT_PX)
    assert landed is not None
    assert abs(landed.t_ns - laid_ns) <= landed.u_ns <= 45 * MS


def test_a_hand_that_comes_over_a_card_as_soon_as_it_was_read_makes_it_no_later() -> None:
    landings, laid_ns = slapped(until=47)
    assert landings.stays_covered(AT_PX, 46 * FRAME_NS)
    assert not landings.stays_covered(AT_PX, 40 * FRAME_NS)
    landed = landings.landed(AT_PX, seen_ns=40 * FRAME_NS)
    assert landed is not None
    assert abs(landed.t_ns - laid_ns) <= landed.u_ns <= 45 * MS


@pytest.mark.parametrize(
    ("lost", "read"),
    [(range(18, 19), 0), (range(16, 21), 15), (range(16, 21), 0)],
    ids=["for a moment", "for longer, and read", "for longer"],
)
def test_a_hand_that_is_not_found_has_not_left_the_card_that_it_laid(
    lost: range, read: int
) -> None:
    """It is back too soon, or the card was read between its fingers, or it looks as it did."""
    laid_ns, leaves, frame = 10 * FRAME_NS + 8 * MS, 24, 0

    def hidden(points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.full(len(points_px), frame < leaves and frame not in lost)

    landings = Landings(hidden=hidden)
    for frame in range(32):
        left_mm = 200.0 * (1 - min_jerk(1 - (laid_ns - frame * FRAME_NS) / 400e6))
        image = table((0.0, left_mm))
        kept({frame * FRAME_NS: with_hand(image, 0.0) if frame < leaves else image}, landings)
    landed = landings.landed(AT_PX, read_ns=read * FRAME_NS)
    assert landed is not None
    assert abs(landed.t_ns - laid_ns) <= landed.u_ns <= 45 * MS


@pytest.mark.parametrize("moves_px", [0, 5])
def test_of_a_card_that_a_hand_hid_it_is_told_since_when_the_hand_was_there(moves_px: int) -> None:
    """Whether it rested there or was on its way to lay the next card."""
    comes, leaves, frame = 8, 22, 0

    def hidden(points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray((points_px[:, 1] >= 90) & (comes <= frame < leaves))

    landings = Landings(hidden=hidden)
    for frame in range(30):
        image = table() if frame > comes + 2 else CLOTH.copy()
        if comes <= frame < leaves:
            image = with_hand(image, 0.0, over=True, beside_px=moves_px * frame)
        kept({frame * FRAME_NS: image}, landings)
    landed = landings.landed(AT_PX)
    assert landed is not None
    assert landed.t_ns - landed.u_ns <= comes * FRAME_NS
    assert landed.t_ns + landed.u_ns >= leaves * FRAME_NS
    assert landed.u_ns <= 0.6 * (leaves - comes + 1) * FRAME_NS


def half_alike() -> Picture:
    """Another card on the cloth, with the same index and pips in its upper half."""
    image = table()
    image[143:183, 203:260] = 235
    return image


@pytest.mark.parametrize("hides_all", [False, True])
def test_what_a_card_has_in_common_with_the_one_below_tells_nothing(hides_all: bool) -> None:
    comes, leaves, frame = 12, 24, 0
    laid_ns = 16 * FRAME_NS + 12 * MS

    def hidden(points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        top = 90 if hides_all and frame < leaves - 4 else 147
        return np.asarray((points_px[:, 1] >= top) & (comes <= frame < leaves))

    landings = Landings(hidden=hidden)
    for frame in range(30):
        left_mm = 200.0 * (1 - min_jerk(1 - (laid_ns - frame * FRAME_NS) / 300e6))
        image = half_alike()
        card_at = table((0.0, left_mm))
        image = np.where(np.abs(card_at.astype(int) - CLOTH).sum(axis=2, keepdims=True) > 0,
                         card_at, image).astype(np.uint8)  # fmt: skip
        if comes <= frame < leaves:
            image = with_hand(image, 0.0, over=hides_all and frame < leaves - 4)
        kept({frame * FRAME_NS: image}, landings)
    landed = landings.landed(AT_PX)
    assert landed is not None
    assert abs(landed.t_ns - laid_ns) <= landed.u_ns <= 0.6 * (leaves - comes + 1) * FRAME_NS


def test_a_card_that_is_suddenly_there_came_between_two_pictures() -> None:
    frames = {k * FRAME_NS: table() if k >= 12 else CLOTH for k in range(20)}
    landed = kept(frames).landed(AT_PX)
    assert landed is not None
    assert abs(landed.t_ns - 11.5 * FRAME_NS) <= landed.u_ns <= 55 * MS


def test_a_card_that_lay_there_all_the_time_has_no_landing() -> None:
    assert kept({k * FRAME_NS: table() for k in range(30)}).landed(AT_PX) is None


def test_a_brighter_lamp_moves_no_card() -> None:
    frames = {}
    for k in range(30):
        left_mm = 200.0 * (1 - min_jerk(1 - (12 - k) * FRAME_NS / 400e6))
        lamp = 6 if k % 2 else 0
        frames[k * FRAME_NS] = np.asarray(table((left_mm, 0.0)) + np.uint8(lamp), np.uint8)
    landed = kept(frames).landed(AT_PX)
    assert landed is not None
    assert abs(landed.t_ns - 12 * FRAME_NS) <= landed.u_ns <= 40 * MS


def test_a_camera_whose_rows_are_timed_tells_the_time_of_the_cards_row() -> None:
    frames = {k * FRAME_NS: table() if k >= 12 else CLOTH for k in range(20)}
    plain, timed = (kept(frames, Landings(Shutter(ns))).landed(AT_PX) for ns in (None, 30 * MS))
    assert plain is not None
    assert timed is not None
    # The card's middle lies at 144 of 360 rows.
    assert timed.t_ns - plain.t_ns == pytest.approx((144.5 / 360 - 0.5) * 30 * MS, abs=MS)
    assert timed.u_ns < plain.u_ns


@settings(max_examples=30, deadline=None)
@given(
    way_mm=st.floats(60, 400),
    takes_s=st.floats(0.2, 0.6),
    late_s=st.floats(0.0, 0.033),
    braked=st.booleans(),
)
def test_a_stop_lies_in_the_interval_that_its_deviation_gives(
    way_mm: float, takes_s: float, late_s: float, braked: bool
) -> None:
    stops_s = 0.2 + late_s
    way = braking if braked else min_jerk
    t_s = np.arange(9) / 30
    away = np.array([way_mm * (1 - way(1 - (stops_s - t) / takes_s)) for t in t_s])
    near, apart = away < 9.0, np.full(9, 0.05)
    found = stop_of(1e9 * t_s[near], away[near], apart[near], 1e9 * t_s[near][0] - FRAME_NS)
    assert abs(found.t_ns / 1e9 - stops_s) <= 2 * np.hypot(found.sigma_ns / 1e9, 0.008)
    assert abs(found.t_ns / 1e9 - stops_s) <= 0.032


def test_a_card_that_drops_from_the_fingers_at_last_lies_when_it_has_dropped() -> None:
    t_s = np.arange(9) / 30
    right, cases = 0, [
        (way_mm, stop_ms, drop_mm)
        for way_mm in (80, 160, 300)
        for stop_ms in range(202, 234, 3)
        for drop_mm in (1.2, 1.8, 2.4)
    ]  # fmt: skip
    for way_mm, stop_ms, drop_mm in cases:
        left = np.array([1 - min_jerk(1 - (stop_ms / 1000 - t) / 0.45) for t in t_s])
        away = np.where(t_s < stop_ms / 1000, way_mm * left + drop_mm, 0.0)
        near, apart = away < 9.0, np.full(9, 0.05)
        found = stop_of(1e9 * t_s[near], away[near], apart[near], 1e9 * t_s[near][0] - FRAME_NS)
        right += abs(found.t_ns / MS - stop_ms) <= 2 * np.hypot(found.sigma_ns / MS, 8)
    assert right >= 0.95 * len(cases)


def test_a_card_that_is_seen_less_exactly_while_the_hand_leaves_it_does_not_creep() -> None:
    t_s = np.arange(9) / 30
    away = np.array([8.0, 2.0, 0.3, 0.2, 0.3, 0.2, 0.05, 0.0, 0.05])
    apart = np.array([0.5, 0.5, 0.4, 0.4, 0.4, 0.3, 0.05, 0.05, 0.05])
    found = stop_of(1e9 * t_s, away, apart, -FRAME_NS)
    assert t_s[1] * 1e9 < found.t_ns < t_s[3] * 1e9


def test_a_neighbour_that_reaches_into_the_place_makes_a_card_no_earlier() -> None:
    bare = CLOTH.copy()
    for x_px in (203, 209, 215):
        cv2.line(bare, (x_px, 104), (x_px, 184), (235, 235, 235), 2)
    frames = {}
    for k in range(30):
        image = bare.copy()
        if k >= 20:
            image[:, 219:] = table()[:, 219:]
        # A hand leaves that place long before the card comes.
        frames[k * FRAME_NS] = with_hand(image, 0.0 if k < 8 else 200.0, over=True)

    def empty(down: NDArray[np.float64], across: NDArray[np.float64]) -> NDArray[np.int16]:
        rows, columns = (down * 360).astype(int), (across * 640).astype(int)
        return np.where(columns < 219, np.int16(90), CLOTH[rows, columns, 0].astype(np.int16))

    landed = kept(frames, Landings(empty=empty)).landed(AT_PX)
    assert landed is not None
    assert abs(landed.t_ns - 19.5 * FRAME_NS) <= landed.u_ns <= 55 * MS
