"""A table's pads learnt from taps, kept as TOML, and every wrong file told in one line."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pad_parts import BOARD, MS, SPOTS, S, felt, pad_profile, rehearsal

from referee.pads.fuse import Fused
from referee.pads.hits import Ignored
from referee.pads.learn import (
    Felt,
    Tap,
    lateness_us,
    learnt_couplings,
    learnt_pad,
    learnt_walk,
    tap_of,
)
from referee.pads.lesson import Lesson, TapGatherer
from referee.pads.profile import (
    PadProfile,
    Profile,
    ProfileError,
    WalkPoint,
    address_of,
    plain_profile,
    profile_text,
    read_profile,
)
from referee.pads.protocol import Configure, Stat, Sync, Wave
from referee.pads.told import Answer, Blinded, Greeted, Heartbeat, Linked, Sighted
from referee.pads.touchpads import PadNote, PadWave, Touchpads
from referee.pads.twin import Touch
from referee.values import Actor, HandOn, ViewBack, ViewLost

MID = address_of(BOARD, 0)
GOOD = f"""version = 1
game = "nerves"

[[pad]]
board = "{BOARD}"
pad = 0
spot = "mid"
kind = "piezo"
walk = [[100.0, 300.0, 40.0], [500, 120, 20]]

[[pad]]
board = "{BOARD}"
pad = 1
spot = "play.A"

[[coupling]]
struck = "{BOARD}/0"
felt = "{BOARD}/1"
taps = 8
ratio_log_mean = -1.5
ratio_log_sd = 0.2
"""


def test_a_profile_is_read() -> None:
    found = read_profile(GOOD, "pads.toml")
    assert found.game == "nerves"
    pad = found.pad(MID)
    assert pad is not None
    assert (pad.spot, pad.kind, pad.walk[1]) == ("mid", "piezo", WalkPoint(500.0, 120.0, 20.0))
    coupling = found.coupling(MID, address_of(BOARD, 1))
    assert coupling is not None
    assert coupling.taps == 8
    assert found.coupling(address_of(BOARD, 1), MID) is None
    assert found.spots_of(BOARD) == ("mid", "play.A")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("version = 1", "version = 2", "version must be 1"),
        ('game = "nerves"', "", "game is missing"),
        ('spot = "mid"', 'spot = "mid"\nsopt = 3', "pad 1: unknown key 'sopt'"),
        ('spot = "mid"', "", "pad 1: spot missing"),
        ('spot = "mid"', "spot = 3", "pad 1: spot is no text"),
        ('spot = "mid"', 'spot = "play.A"', "spot play.A stands twice"),
        ('spot = "mid"', 'spot = "the middle"', "pad 1: spot must name"),
        ("pad = 0", "pad = 6", "pad 1: pad is 0 to 5"),
        ("pad = 0", "pad = 0.5", "pad 1: pad is no number"),
        ("pad = 0", "pad = true", "pad 1: pad is no number"),
        ("pad = 0", "pad = 1", "stands twice"),
        (f'board = "{BOARD}"\npad = 0', 'board = "xyz"\npad = 0', "16 hex digits"),
        ('kind = "piezo"', 'kind = "laser"', "kind is one of piezo"),
        ("[500, 120, 20]", "[50, 120, 20]", "growing peaks"),
        ("[500, 120, 20]", "[500, 120]", "[peak, late_us, sd_us]"),
        ("[500, 120, 20]", '[500, "x", 2]', "[peak, late_us, sd_us]"),
        (f'felt = "{BOARD}/1"', f'felt = "{BOARD}/4"', "coupling 1: there is no pad"),
        ("taps = 8", "taps = 0", "coupling 1: taps"),
        ("ratio_log_mean = -1.5", "ratio_log_mean = nan", "no finite number"),
        ("[[coupling]]", "[[cupling]]", "the file: unknown key 'cupling'"),
        ("[[coupling]]", "[coupling]", "must be written [[coupling]]"),
        ("version = 1", "version = ", "this is no TOML"),
    ],
)
def test_a_wrong_profile_is_told_in_one_line(old: str, new: str, told: str) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    with pytest.raises(ProfileError) as error:
        read_profile(text, "pads.toml")
    assert str(error.value).startswith("pads.toml: ")
    assert told in str(error.value)


@given(st.text(max_size=300))
def test_any_text_is_a_profile_or_a_profile_error(text: str) -> None:
    try:
        found = read_profile(text, "x")
    except ProfileError:
        return
    assert found.game


def test_a_profile_is_read_as_it_was_written() -> None:
    walk = (WalkPoint(100.0, 300.5, 40.25), WalkPoint(500.0, -20.0, 20.0))
    pads = (PadProfile(BOARD, 0, "mid", "fsr", 9, 6.25, 0.5, 7, walk), *pad_profile().pads[1:])
    profile = Profile("nerves", pads, ())
    assert read_profile(profile_text(profile), "x") == profile


def test_uncalibrated_pads_take_the_spots_in_their_order() -> None:
    found = plain_profile("nerves", [BOARD], SPOTS)
    assert [(pad.pad, pad.spot) for pad in found.pads] == [(0, "mid"), (1, "play.A"), (2, "play.B")]


def test_taps_teach_peaks_and_what_the_others_feel() -> None:
    chance, other = random.Random(1), address_of(BOARD, 1)
    taps = []
    for _ in range(20):
        peak = 400 * math.exp(chance.gauss(0, 0.3))
        knock = peak * 0.2 * math.exp(chance.gauss(0, 0.1))
        taps.append(tap_of((Felt(other, round(knock)), Felt(MID, round(peak)))))
    assert {tap.struck.address for tap in taps} == {MID}
    pad = learnt_pad(PadProfile(BOARD, 0, "mid", "piezo"), taps)
    assert pad.taps == 20
    assert pad.peak_log_mean == pytest.approx(math.log(400), abs=0.2)
    assert pad.peak_log_sd == pytest.approx(0.3, abs=0.12)
    (coupling,) = learnt_couplings(taps)
    assert (coupling.struck, coupling.felt) == (MID, other)
    assert coupling.ratio_log_mean == pytest.approx(math.log(0.2), abs=0.1)
    assert coupling.ratio_log_sd == pytest.approx(0.1, abs=0.05)
    assert learnt_couplings(taps[:3]) == ()


def wave(onset_us: float, peak: int, stamp_us: float, step_us: float = 125.0) -> tuple[Wave, int]:
    """A signal that rises from its onset to its peak in a millisecond, and the stamp's tick."""
    t_first = 1_000_000
    samples = []
    for n in range(32):
        rise = min(1.0, max(0.0, (n * step_us - onset_us) / 1000))
        samples.append((180 + round(rise * peak)) // 4)
    t = t_first + round(stamp_us * 2)
    before = sum(1 for n in range(32) if n * step_us < stamp_us)
    return Wave(0, 0, t_first, t_first + round(31 * step_us * 2), before, bytes(samples)), t


@pytest.mark.parametrize("late_us", [100.0, 250.0, 500.0])
def test_the_signal_around_a_hit_tells_how_late_its_stamp_was(late_us: float) -> None:
    signal, t = wave(1500.0, 600, 1500.0 + late_us)
    # The onset is where 5 % of the peak is reached, 50 us after the very first motion.
    assert lateness_us(signal, t, 180) == pytest.approx(late_us - 50, abs=50)


def test_a_signal_without_a_quiet_beginning_tells_nothing() -> None:
    signal, t = wave(-2000.0, 600, 500.0)
    assert lateness_us(signal, t, 180) is None
    assert lateness_us(Wave(0, 0, 0, 7750, 12, bytes([45] * 32)), 5000, 180) is None


def test_the_time_walk_is_learnt_for_soft_and_hard_taps() -> None:
    chance = random.Random(2)
    taps = []
    for n in range(18):
        height = 100 + 40 * n
        taps.append(Tap(Felt(MID, height), (), 600 - 0.5 * height + chance.gauss(0, 10)))
    walk = learnt_walk(taps)
    assert len(walk) == 3
    assert walk[0].late_us > walk[1].late_us > walk[2].late_us
    for point in walk:
        assert point.late_us == pytest.approx(600 - 0.5 * point.peak, abs=25)
    assert learnt_walk(taps[:5]) == ()
    assert learnt_walk([Tap(Felt(MID, 300), (), None)] * 20) == ()


def tap(pad: int, height: int = 500, other: float = 0.2) -> Tap:
    others = tuple(Felt(address_of(BOARD, n), round(height * other)) for n in range(3) if n != pad)
    return Tap(Felt(address_of(BOARD, pad), height), others)


def test_a_lesson_asks_for_each_spot_and_learns_which_pad_lies_there() -> None:
    lesson = Lesson("nerves", SPOTS, 5, "piezo")
    for spot, pad in zip(SPOTS, (2, 0, 1), strict=True):
        assert lesson.spot == spot
        assert lesson.ask == f"tap {spot} 5 times, from softly to hard, half a second apart"
        for n in range(5):
            told = lesson.take(tap(pad, 400 + 50 * n))
        assert told == f"{spot}: tap 5 of 5, strength 600"
    assert lesson.ask is None
    assert lesson.take(tap(0)) == "all spots are done"
    found = lesson.profile({address_of(BOARD, 2): 6})
    assert [(pad.spot, pad.pad, pad.taps, pad.noise) for pad in found.pads] == [
        ("mid", 2, 5, 6),
        ("play.A", 0, 5, 0),
        ("play.B", 1, 5, 0),
    ]
    assert len(found.couplings) == 6
    assert read_profile(profile_text(found), "x").pads[0].spot == "mid"


def test_a_tap_on_the_wrong_pad_or_between_two_is_not_learnt() -> None:
    lesson = Lesson("nerves", SPOTS, 5, "piezo")
    for _ in range(5):
        lesson.take(tap(0))
    assert lesson.take(tap(0)) == "that was the pad of mid; play.A is wanted now"
    assert "two pads felt that" in lesson.take(tap(1, other=0.9))
    lesson.take(tap(1))
    # The first tap was a slip: two in a row on another pad count for that one.
    assert lesson.take(tap(2)) == "play.A: tap 1 of 5, strength 500"


def stat(stuck: int = 0) -> Stat:
    quiet = Stat(*(0,) * 18, (100, 110, 120, 0, 0, 0), bytes(6), 5000, 200)
    return replace(quiet, stuck=stuck)


def test_hits_of_one_moment_are_one_tap() -> None:
    gatherer = TapGatherer("piezo")
    gatherer.heartbeat(BOARD, stat())
    strong = felt(1000.0, pad=0, peak=700)
    peaks = bytes([175, 60, 40, 0, 0, 0])
    gatherer.hit(BOARD, replace(strong, hit=replace(strong.hit, peaks=peaks)))
    gatherer.hit(BOARD, felt(1004.0, pad=1, peak=230, seq=1))
    assert gatherer.taps(1100 * MS) == []
    (one,) = gatherer.taps(1300 * MS)
    assert one.struck == Felt(MID, 600)
    assert {f.address: f.height for f in one.others} == {
        address_of(BOARD, 1): 130,
        address_of(BOARD, 2): 40,
    }


class Said:
    """What was said to a board."""

    def __init__(self) -> None:
        self.words: list[Sync] = []
        self.asked: list[Configure] = []

    def say(self, word: Sync) -> None:
        self.words.append(word)

    def ask(self, word: Configure) -> None:
        self.asked.append(word)


def test_a_board_that_goes_blind_blinds_its_spots_until_it_is_back() -> None:
    pads = Touchpads(pad_profile())
    pads.told(BOARD, Linked("LIVE", S), S)
    pads.told(BOARD, Blinded(2 * S, "its cable was pulled"), 3 * S)
    lost = [one for one in pads.until(3 * S) if isinstance(one, ViewLost)]
    assert [(one.zones, one.t_ns, one.source) for one in lost] == [(SPOTS, 2 * S, "pad")]
    pads.told(BOARD, felt(2500.0), 2506 * MS)
    pads.told(BOARD, Sighted(2 * S, 4 * S, "its cable was pulled"), 4 * S)
    found = pads.until(6 * S)
    assert [one.zones for one in found if isinstance(one, ViewBack)] == [SPOTS]
    assert not any(isinstance(one, Fused) for one in found)
    assert [one.reason for one in found if isinstance(one, Ignored)] == [
        "it came while the board was blind"
    ]


def test_a_stuck_pad_blinds_its_own_spot_only() -> None:
    pads = Touchpads(pad_profile(ratio=0.01))
    pads.told(BOARD, Linked("LIVE", S), S)
    pads.told(BOARD, Heartbeat(stat(stuck=0b010), 2 * S), 2 * S)
    found = pads.until(2 * S)
    assert [one.zones for one in found if isinstance(one, ViewLost)] == [("play.A",)]
    assert any("held down" in one.text for one in found if isinstance(one, PadNote))
    pads.told(BOARD, felt(2500.0, pad=1), 2506 * MS)
    pads.told(BOARD, felt(2600.0, pad=0, seq=1), 2606 * MS)
    found = pads.until(5 * S)
    assert [one.event.spot for one in found if isinstance(one, Fused)] == ["mid"]
    pads.told(BOARD, Heartbeat(stat(), 6 * S), 6 * S)
    assert [one.zones for one in pads.until(6 * S) if isinstance(one, ViewBack)] == [("play.A",)]


def test_the_contact_with_which_chatter_begins_does_not_count() -> None:
    pads = Touchpads(pad_profile())
    pads.told(BOARD, Linked("LIVE", S), S)
    pads.told(BOARD, felt(2000.0, pad=1), 2006 * MS)
    assert not any(isinstance(one, Fused) for one in pads.until(2200 * MS))
    pads.told(BOARD, Heartbeat(replace(stat(), storming=0b010), 2255 * MS), 2255 * MS)
    found = pads.until(3 * S)
    assert [one.reason for one in found if isinstance(one, Ignored)] == [
        "the pad was found faulty just after"
    ]
    assert not any(isinstance(one, Fused) for one in found)


def test_the_first_of_several_boards_pulls_the_sync_wire() -> None:
    other = "ffeeddccbbaa9988"
    ident = next(one for one in rehearsal().until(4 * S) if isinstance(one, Greeted))
    pads, first, second = Touchpads(pad_profile(boards=(BOARD, other))), Said(), Said()
    pads.told(BOARD, ident, S, first)
    pads.told(other, ident, S, second)
    assert [word.period_ms for word in first.words] == [200]
    assert second.words == []
    # Each board shows the signal of one of its pads: of the middle's, where it has that.
    assert [(word.pad, word.field, word.value) for word in first.asked] == [(255, 18, 0)]
    alone = Said()
    Touchpads(pad_profile()).told(BOARD, ident, S, alone)
    assert alone.words == []


def test_the_signal_around_a_touch_is_told_at_the_time_of_the_touch() -> None:
    pads = Touchpads(pad_profile())
    touch = felt(1000.0, seq=7)
    pads.told(BOARD, touch, 1006 * MS)
    samples = bytes([*range(0, 160, 10), *range(160, 0, -10)])
    first = (touch.hit.t - 2000) % (1 << 32)
    for seq in (6, 7):
        wave = Wave(seq, 0, first, (first + 62_000) % (1 << 32), 8, samples)
        pads.told(BOARD, Answer(wave), 1010 * MS)
    (signal,) = [one for one in pads.until(1011 * MS) if isinstance(one, PadWave)]
    # Ticks of half a microsecond: it began a millisecond before, and lasted 31.
    assert (signal.spot, signal.t_ns, signal.step_ns) == ("mid", 999 * MS, MS)
    assert signal.readings[:3] == (0, 40, 80)


def test_a_touch_on_a_board_and_a_hand_in_the_picture_are_one_hit_for_the_judge() -> None:
    run, pads = rehearsal(), Touchpads(pad_profile())
    run.twin.touch(Touch(6 * S, 0))
    found = []
    for now_ns in range(0, 8 * S, 20 * MS):
        for told in run.until(now_ns):
            pads.told(BOARD, told, now_ns)
        if now_ns == 6100 * MS:
            pads.hand(HandOn(n=0, t_ns=6 * S + 11 * MS, actor=Actor("B", "L"), zone="mid"))
        found += [one for one in pads.until(now_ns) if isinstance(one, Fused)]
    (one,) = found
    assert (str(one.event.actor), one.event.spot) == ("B.L", "mid")
    assert abs(one.event.t_ns - 6 * S) <= (one.event.u_ns or 0) + 500_000
