"""A lamp's pattern, found again in a camera's pictures, tells how late the camera is."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from pad_parts import HANG_S, UID, is_live, wait_for

from referee.app.touching import Touching
from referee.commands import BadInput
from referee.commands.calibrates.lamp import measure
from referee.pads.delay import Delay, LampSeen, delay_of, with_lamp
from referee.pads.lamp import TICKS_PER_MS, Pattern, bits_of, cells, find_lateness
from referee.pads.link import Boards
from referee.pads.paths import Path
from referee.pads.profile import (
    Profile,
    ProfileError,
    plain_profile,
    profile_text,
    read_profile,
)
from referee.pads.protocol import Light, Lit
from referee.pads.station import Station
from referee.pads.twin import Crystal, Touch, Twin
from referee.pads.twinport import TwinPort
from referee.pads.virtual import MS, Desk, World
from referee.values import PadHit
from referee.vision.frames import Frame

BIT_MS, SEED = 40, 0x1234
START_NS = 500 * MS
PATTERN = Pattern(START_NS, BIT_MS * MS, SEED)
PIXELS = (48, 64)
LAMP = (20, 37)  # row, column of pixels


def film(
    late_ns: int,
    exposure_ns: int,
    chance: np.random.Generator,
    lamp: bool = True,
    jitter_ms: float = 2,
) -> tuple[list[int], list[NDArray[np.uint8]]]:
    """Six seconds of a noisy camera of 30 pictures a second that looks at the lamp."""
    times, pictures = [], []
    for n in range(180):
        middle = np.array([START_NS + 700 * MS + n * 33.4 * MS])
        ends = [PATTERN.lit_ns(middle + side * exposure_ns / 2)[0] for side in (1, -1)]
        image = chance.normal(90, 6, (*PIXELS, 3))
        if lamp:
            image[LAMP] += 120 * (ends[0] - ends[1]) / exposure_ns
        pictures.append(cells(np.clip(image, 0, 255).astype(np.uint8)))
        times.append(round(middle[0] + late_ns + chance.normal(0, jitter_ms * MS)))
    return times, pictures


@pytest.mark.parametrize(("late_ms", "exposure_ms"), [(0, 8), (37, 16), (55.5, 2), (180, 33)])
def test_the_lateness_of_a_camera_is_found_to_two_milliseconds(
    late_ms: float, exposure_ms: int
) -> None:
    late_ns = round(late_ms * MS)
    times, pictures = film(late_ns, exposure_ms * MS, np.random.default_rng(3))
    found = find_lateness(times, pictures, PATTERN)
    assert found is not None
    assert found.late_ns == pytest.approx(late_ns, abs=2 * MS)
    assert abs(found.late_ns - late_ns) <= 2 * found.half_ns
    assert found.half_ns < 6 * MS
    assert (found.at_px[1] // 8, found.at_px[0] // 8) == (LAMP[0] // 8, LAMP[1] // 8)


def test_where_no_lamp_is_seen_none_is_found() -> None:
    times, pictures = film(30 * MS, 8 * MS, np.random.default_rng(5), lamp=False)
    assert find_lateness(times, pictures, PATTERN) is None


def test_a_few_pictures_tell_nothing() -> None:
    times, pictures = film(30 * MS, 8 * MS, np.random.default_rng(5))
    assert find_lateness(times[:20], pictures[:20], PATTERN) is None


def test_the_released_firmware_flashes_this_very_pattern() -> None:
    with World(4) as world:
        desk = Desk(world.add_board())
        desk.board.say(Light(3, BIT_MS, SEED, 0))
        seen: list[bool] = []
        for _ in range(BIT_MS * 60):
            world.run(MS)
            seen.append(desk.board.lamp)
            desk.listen()
        told = [word for word in desk.others if isinstance(word, Lit)]
        start = told[0].t - told[0].index * BIT_MS * TICKS_PER_MS
        assert all(lit.t - start - lit.index * BIT_MS * TICKS_PER_MS < 600 for lit in told)
        bits = bits_of(SEED, 58)
        changes = [n for n in range(1, 58) if bits[n] != bits[n - 1]]
        assert [lit.index for lit in told if 0 < lit.index < 58] == changes
        assert all(lit.level == bits[lit.index] for lit in told if lit.index < 58)
        # The lamp itself, in the middle of each bit; the first, a dark one, is a change.
        first_ms = seen.index(False) + BIT_MS // 2
        assert [seen[first_ms + n * BIT_MS] for n in range(55)] == [bool(bit) for bit in bits[:55]]


LATE_NS, EXPOSURE_NS = 62 * MS, 10 * MS


def filming(twin: Twin, sees: bool) -> Iterator[Frame | None]:
    """A camera whose pictures are told 62 ms late, however slow this machine is."""
    chance = np.random.default_rng(2)
    n = 0
    while True:
        time.sleep(0.01)
        image = chance.normal(80, 5, (*PIXELS, 3))
        middle_ns, lamp = time.monotonic_ns() - 70 * MS, twin.lamp
        if sees and lamp is not None and middle_ns - EXPOSURE_NS > lamp.start_ns:
            ends = np.array([middle_ns + side * EXPOSURE_NS / 2 for side in (1, -1)])
            lit_ns = lamp.lit_ns(ends)
            image[LAMP] += 150 * (lit_ns[0] - lit_ns[1]) / EXPOSURE_NS
        picture = np.clip(image, 0, 255).astype(np.uint8)
        yield Frame(picture, middle_ns + LATE_NS, 0, n, "drawn")
        n += 1


@pytest.mark.parametrize("sees", [True, False])
def test_a_board_flickers_and_the_camera_is_found_to_be_late(sees: bool) -> None:
    twin = Twin(UID, random.Random(1), Crystal(150.0), time.monotonic_ns())
    with TwinPort(twin, Path("cdc", random.Random(2))) as port:
        boards = Boards([port.device])
        try:
            wait_for(boards, is_live)
            link = boards.link(UID)
            assert link is not None
            if not sees:
                with pytest.raises(BadInput, match="the lamp is not seen"):
                    measure(boards, link, filming(twin, sees), 2.5)
                return
            found, proof = measure(boards, link, filming(twin, sees), 5.0)
        finally:
            boards.close()
    assert proof is not None
    for one in (found, proof):
        # However little the board's clock is known so soon after it was plugged in.
        assert abs(one.late_ns - LATE_NS) <= 2 * one.half_ns
        assert (one.at_px[1] // 8, one.at_px[0] // 8) == (LAMP[0] // 8, LAMP[1] // 8)


def test_a_touch_is_told_on_the_cameras_clock() -> None:
    twin = Twin(UID, random.Random(1), Crystal(150.0), time.monotonic_ns())
    with TwinPort(twin, Path("cdc", random.Random(2))) as port:
        boards = Boards([port.device])
        told = wait_for(boards, is_live)
        station = Station(boards, plain_profile("nerves", [UID.hex()], ["mid"]), told)
        pads = Touching(station, lambda line: None, delay=Delay(LATE_NS, 3 * MS))
        try:
            began_ns = time.monotonic_ns()
            port.touch(Touch(began_ns + 50 * MS, 0))
            end_s, hits = time.monotonic() + HANG_S, []
            while not hits and time.monotonic() < end_s:
                now_ns = time.monotonic_ns() - began_ns + LATE_NS
                events = pads.step(lambda host_ns: host_ns - began_ns, now_ns, ())
                hits = [event for event in events if isinstance(event, PadHit)]
        finally:
            pads.close()
    # However little is known of the board's clock so soon: the touch says how little.
    off_ns, u_ns = hits[0].off_ns, hits[0].u_ns
    assert off_ns is not None
    assert u_ns is not None
    assert off_ns > 3 * MS
    assert abs(hits[0].t_ns - 50 * MS - LATE_NS) <= off_ns - 3 * MS + u_ns


def test_the_lamps_are_kept_with_the_pads() -> None:
    lamps = (LampSeen(0.1, 70.25, 1.5), LampSeen(0.75, 58.5, 1.25))
    text = profile_text(Profile("nerves", (), (), lamps))
    assert read_profile(text, "pads.toml") == Profile("nerves", (), (), lamps)
    for right, wrong in (("70.25", "2000"), ("70.25", "-1001"), ("0.1", "1.1"), ("1.25", "-1")):
        with pytest.raises(ProfileError, match=r"lamp \d: row, late_ms or half_ms is out of range"):
            read_profile(text.replace(right, wrong, 1), "pads.toml")
    with pytest.raises(ProfileError, match="late_ms is no number"):
        read_profile(text.replace("70.2500", "true"), "pads.toml")
    with pytest.raises(ProfileError, match="two places at most"):
        read_profile(text.replace("0.7500", "0.2"), "pads.toml")


# A camera that reads a picture in 24 ms, its middle row 62 ms late.
READOUT_MS = 24.0


def lamp_at(row: float, seed: int, readout_ms: float = READOUT_MS) -> LampSeen:
    """What is found of a lamp that lies in a row: taken later than the middle row, told with it."""
    late_ns = round(LATE_NS - readout_ms * (row - 0.5) * MS)
    times, pictures = film(late_ns, 8 * MS, np.random.default_rng(seed))
    found = find_lateness(times, pictures, PATTERN)
    assert found is not None
    return LampSeen(row, found.late_ns / MS, found.half_ns / MS)


@pytest.mark.parametrize("row", [0.08, 0.5, 0.9])
def test_a_lamp_in_one_row_leaves_the_other_rows_as_unsure_as_a_slow_camera_is(row: float) -> None:
    delay = delay_of((lamp_at(row, 3),))
    assert delay.readout_ns is None
    assert abs(delay.late_ns - LATE_NS) <= delay.half_ns
    assert delay.half_ns <= 33 * MS * abs(row - 0.5) + 6 * MS


@pytest.mark.parametrize("readout_ms", [READOUT_MS, 0.0, -READOUT_MS])
def test_lamps_near_the_top_and_the_foot_tell_how_long_the_camera_reads(readout_ms: float) -> None:
    """A picture that stands on its head is read from its foot."""
    lamps = with_lamp((lamp_at(0.08, 3, readout_ms),), lamp_at(0.9, 4, readout_ms))
    assert len(lamps) == 2
    delay = delay_of(lamps)
    assert abs(delay.late_ns - LATE_NS) <= delay.half_ns < 6 * MS
    assert delay.readout_ns == pytest.approx(readout_ms * MS, abs=5 * MS)


def test_a_lamp_of_another_camera_is_forgotten() -> None:
    old, new = LampSeen(0.1, 130.0, 1.0), LampSeen(0.9, 60.0, 1.0)
    assert with_lamp((old,), new) == (new,)
    near, again = LampSeen(0.7, 61.0, 1.0), LampSeen(0.9, 60.0, 1.0)
    assert with_lamp((near,), again) == (again,)
    top = LampSeen(0.1, 75.0, 1.0)
    assert with_lamp((near, top), again) == (top, again)


def test_a_camera_that_nobody_measured_may_be_up_to_three_pictures_late() -> None:
    delay = delay_of(())
    assert delay.late_ns - delay.half_ns == 0
    assert delay.late_ns + delay.half_ns == pytest.approx(100 * MS)
