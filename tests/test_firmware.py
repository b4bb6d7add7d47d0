"""The released pad firmware in a simulated chip: stamps, order, frames, faults, self-tests."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from struct import pack

import pytest

from referee.commands.benches import _pads_firmware as firmware_bars
from referee.commands.benches._pads_rows import Bar
from referee.commands.benches._pads_trials import BAD_LINES, desk
from referee.pads.protocol import (
    ARMED,
    HELD,
    IDLE,
    RUNT,
    SAT,
    SHADOW,
    STORM,
    TEST_HIT,
    WEAK,
    Ack,
    ConfigTaken,
    Configure,
    FromBoard,
    Hello,
    Ident,
    Light,
    Lit,
    Name,
    Ping,
    Pong,
    SelfTest,
    Stat,
    Sync,
    Synced,
    Wave,
)
from referee.pads.protocol import (
    Tested as SelfTestDone,
)
from referee.pads.simulated import FIRMWARE
from referee.pads.virtual import MS, Desk, World

PIEZO, SWITCH = 1, 3
PIEZO_FRONT, SWITCH_FRONT = 1, 3
WHOLE_BOARD, SCAN_MS, WAVE_OF = 255, 16, 18
TICKS_A_MS = 2000


@pytest.fixture
def talk() -> Iterator[Desk]:
    with desk(seed=5) as open_desk:
        yield open_desk


@pytest.fixture
def piezo() -> Iterator[Desk]:
    """A board with a piezo at every pad, its comparators' reference settled."""
    with World(7) as world:
        board = world.add_board()
        for pad in range(6):
            board.front(pad, PIEZO_FRONT)
        world.run(1500 * MS)
        opened = Desk(board)
        opened.set_pads(PIEZO, hold_ms=20, quiet_ms=5)
        opened.listen()
        yield opened


def listened(talk: Desk, for_ms: int) -> Desk:
    """Let time pass with a host that listens."""
    for _ in range(max(1, for_ms // 20)):
        talk.board.world.run(20 * MS)
        talk.listen()
    return talk


def said(talk: Desk, kind: type[FromBoard]) -> list[FromBoard]:
    return [word for word in talk.others if isinstance(word, kind)]


def soon(talk: Desk, ms: float = 3) -> int:
    return talk.board.world.now_ns + round(ms * MS)


def test_the_example_frames_are_those_of_the_protocol_page() -> None:
    """The page's own words are encoded here once more, with no code of the product."""
    page = (FIRMWARE / "PROTOCOL.md").read_text(encoding="utf-8")
    bodies = {
        "HELLO": pack("<BBI", 1, 1, 0x1A2B3C4D),
        "PING": pack("<BH", 2, 258),
        "ACK": pack("<BH", 3, 0),
        "HIT": pack(
            "<BHBBIHHH6B", 0x82, 7, 2, 1, 12345678, 1840, 612, 181, 46, 47, 153, 45, 46, 46
        ),
        "PONG": pack("<BHIIB", 0x84, 258, 65536, 66560, 0),
    }
    for name, body in bodies.items():
        whole = body + pack("<I", zlib.crc32(body))
        line = b"".join(bytes([len(part) + 1]) + part for part in whole.split(b"\0")) + b"\0"
        found = re.search(rf"^\| `{name}`.*\| `([0-9a-f ]+)` \|$", page, re.MULTILINE)
        assert found, name
        assert bytes.fromhex(found[1]) == line, name


@pytest.mark.parametrize(
    "bar",
    [
        lambda: firmware_bars.stamps(240),
        lambda: firmware_bars.sure_order(20, 60),
        lambda: firmware_bars.sure_order(3, 120),
        lambda: firmware_bars.near_order(1.5, 90),
        lambda: firmware_bars.near_order(0.75, 90),
        lambda: firmware_bars.no_favour(60),
        lambda: firmware_bars.bounces(60),
        lambda: firmware_bars.load(1),
        lambda: firmware_bars.loss(BAD_LINES[0], 1000),
        lambda: firmware_bars.loss(BAD_LINES[1], 200),
        firmware_bars.memory,
        firmware_bars.same_build,
    ],
    ids="stamps at-20us at-3us at-1.5us at-0.75us favour bounce load loss worse ram build".split(),
)
def test_a_bar_of_the_firmware_holds(bar: object) -> None:
    assert callable(bar)
    measured = bar()
    assert isinstance(measured, Bar)
    assert measured.holds, measured.measured


def test_the_hash_beside_the_released_file_is_its_own() -> None:
    folder = FIRMWARE / "touchpad"
    import hashlib

    digest = hashlib.sha256((folder / "touchpad.hex").read_bytes()).hexdigest()
    assert (folder / "SHA256SUMS").read_text(encoding="ascii") == f"{digest}  touchpad.hex\n"


def test_a_board_tells_who_it_is_until_it_is_greeted() -> None:
    with World(2) as world:
        board = world.add_board(uid=b"\x01\x02\x03\x04\x05\x06\x07\x08")
        world.run(1200 * MS)
        idents = [word for word in board.hear() if isinstance(word, Ident)]
        assert len(idents) == 2
        assert {ident.state for ident in idents} == {IDLE}
        assert idents[0].uid == b"\x01\x02\x03\x04\x05\x06\x07\x08"
        assert idents[0].faults == 0
        found = re.search(r"BUILD_ID = 0x([0-9a-f]+)", _source("build_id.h"))
        assert found
        assert idents[0].build == int(found[1], 16)
        ident = Desk(board).ident
        assert ident.state == ARMED


def _source(name: str) -> str:
    return (FIRMWARE / "touchpad" / name).read_text(encoding="utf-8")


def test_a_name_once_given_survives_a_reset() -> None:
    with World(2) as world:
        board = world.add_board()
        talk = Desk(board)
        assert talk.ident.uid == b"\xff" * 8
        board.say(Name(b"mid-pads"))
        world.run(500 * MS)
        board.reset()
        again = Desk(board, session=9)
        assert again.ident.uid == b"mid-pads"
        assert again.ident.boot == talk.ident.boot + 1


def test_settings_survive_a_reset_and_a_wrong_one_is_refused(talk: Desk) -> None:
    talk.configure(Configure(3, 2, 77), Configure(3, 2, 4), Configure(9, 0, 1))
    listened(talk, 600)
    answers = said(talk, ConfigTaken)[-3:]
    assert [(a.value, a.ok) for a in answers if isinstance(a, ConfigTaken)] == [
        (77, 1),
        (77, 0),
        (0, 0),
    ]
    talk.board.reset()
    again = Desk(talk.board, session=9)
    assert again.ident.config_crc == answers[0].config_crc  # type: ignore[union-attr]


def test_the_crc_of_the_settings_is_that_of_the_page() -> None:
    with World(2) as world:
        ident = Desk(world.add_board()).ident
    plain, unused = bytes([4, 0, 20, 5, 0, 255]), bytes([0, 0, 20, 5, 0, 255])
    assert ident.config_crc == zlib.crc32(plain * 2 + unused * 4 + bytes([4, 60]))


def test_a_slap_gives_one_hit_with_its_width(talk: Desk) -> None:
    talk.configure(Configure(WHOLE_BOARD, SCAN_MS, 10), Configure(2, 2, 20))
    at_ns = soon(talk, 20)
    talk.board.touch(2, at_ns, at_ns + 6 * MS)
    listened(talk, 100)
    (hit,) = talk.hits
    assert (hit.pad, hit.flags) == (2, 0)
    assert hit.width == pytest.approx(6 * TICKS_A_MS, abs=250)


def test_a_hand_that_rests_is_one_hit_and_then_stuck(talk: Desk) -> None:
    at_ns = soon(talk)
    talk.board.touch(1, at_ns, at_ns + 1900 * MS)
    listened(talk, 1500)
    assert [hit.flags for hit in talk.hits] == [HELD]
    assert talk.stats[-1].stuck == 0b10
    assert talk.stats[-1].levels == 0b10
    listened(talk, 1000)
    assert talk.stats[-1].stuck == 0
    assert len(talk.hits) == 1, "letting go is no hit"


def test_a_hand_that_rested_there_before_the_session_is_no_hit() -> None:
    with World(3) as world:
        board = world.add_board()
        board.level(0, 100 * MS, True)
        talk = Desk(board)
        board.level(0, soon(talk, 300), False)
        listened(talk, 600)
        assert talk.hits == []
        board.touch(0, soon(talk, 5), soon(talk, 15))
        listened(talk, 100)
        assert len(talk.hits) == 1


def test_a_pad_that_chatters_gives_one_hit_and_is_named_within_a_second_and_a_half(
    talk: Desk,
) -> None:
    talk.configure(Configure(4, 2, 20), Configure(4, 3, 5))
    from_ns = soon(talk)
    for n in range(2000):
        talk.board.level(4, from_ns + n * MS // 2, n % 2 == 0)
    listened(talk, 900)
    assert len(talk.hits) == 1
    assert talk.stats[-1].storming == 0b10000
    assert talk.stats[-1].storms == 1
    listened(talk, 400)
    assert talk.stats[-1].storming == 0
    talk.board.touch(4, soon(talk), soon(talk, 6))
    listened(talk, 100)
    assert [hit.flags & STORM for hit in talk.hits] == [0, STORM]


def test_pulses_too_short_to_tell_are_counted_and_flag_the_touch_after_them(talk: Desk) -> None:
    at_ns = soon(talk)
    talk.board.touch(0, at_ns, at_ns + 300)
    talk.board.touch(0, at_ns + MS, at_ns + 4 * MS)
    listened(talk, 600)
    (hit,) = talk.hits
    assert hit.flags & RUNT
    assert talk.stats[-1].runts >= 1


def test_a_touch_while_another_is_stored_says_so_and_is_in_order(talk: Desk) -> None:
    at_ns = soon(talk)
    talk.board.touch(5, at_ns, at_ns + 3 * MS)
    talk.board.touch(0, at_ns + 2500, at_ns + 3 * MS)
    listened(talk, 100)
    one, other = talk.hits
    assert (one.pad, other.pad) == (5, 0)
    assert other.flags & SHADOW
    assert 0 < other.t - one.t <= 2 * (2.5 + 4.5)


def test_a_full_ring_counts_what_it_drops_and_loses_nothing_it_kept(talk: Desk) -> None:
    board, from_ns = talk.board, soon(talk)
    board.outage(from_ns, from_ns + 3000 * MS)
    for n in range(100):
        board.touch(n % 6, from_ns + n * 10 * MS, from_ns + n * 10 * MS + 2 * MS)
    board.world.run(3100 * MS)
    listened(talk, 800)
    assert len(talk.hits) == 64
    assert talk.stats[-1].dropped == 36
    assert [hit.pad for hit in talk.hits] == [n % 6 for n in range(64)]


def test_without_a_host_for_a_minute_the_board_disarms(talk: Desk) -> None:
    talk.board.world.run(61_000 * MS)
    idents = [word for word in talk.board.hear() if isinstance(word, Ident)]
    assert idents[-1].state == IDLE
    assert idents[-1].session == 0


def test_the_same_session_keeps_hits_and_a_new_one_drops_them(talk: Desk) -> None:
    talk.board.touch(0, soon(talk), soon(talk, 6))
    talk.board.world.run(100 * MS)
    list(talk.board.hear())
    talk.board.say(Hello(1, 0x5EA7))
    talk.board.world.run(20 * MS)
    idents = [word for word in talk.board.hear() if isinstance(word, Ident)]
    assert (idents[-1].first_seq, idents[-1].next_seq) == (0, 1)
    talk.board.say(Hello(1, 0xBEEF))
    talk.board.world.run(20 * MS)
    idents = [word for word in talk.board.hear() if isinstance(word, Ident)]
    assert (idents[-1].session, idents[-1].next_seq) == (0xBEEF, 0)


def test_another_protocol_is_answered_and_not_armed() -> None:
    with World(2) as world:
        board = world.add_board()
        world.run(700 * MS)
        list(board.hear())
        board.say(Hello(2, 55))
        world.run(50 * MS)
        (ident,) = [word for word in board.hear() if isinstance(word, Ident)]
        assert (ident.state, ident.session) == (IDLE, 0)


def test_a_ping_is_bounded_on_both_sides(talk: Desk) -> None:
    at_ns = soon(talk)
    talk.board.touch(0, at_ns, at_ns + 2 * MS)
    listened(talk, 100)
    late = 3  # ticks by which a touch may be stamped late
    start_tick = talk.board.ticks_at(at_ns) - talk.hits[0].t
    for number in range(20):
        sent_ns = talk.board.world.now_ns
        talk.board.say(Ping(number))
        talk.board.world.run((7 + number) * MS)
        talk.listen()
        pong = said(talk, Pong)[-1]
        assert isinstance(pong, Pong)
        end = talk.board.ticks_at(sent_ns) - start_tick + 9 * 80
        assert end - late <= pong.t_rx <= end + 400
        assert pong.t_rx <= pong.t_tx <= pong.t_rx + 6000


def test_random_bytes_are_counted_and_change_nothing(talk: Desk) -> None:
    import random

    chance = random.Random(1)
    for _ in range(40):
        talk.board.write(bytes(chance.randrange(256) for _ in range(200)))
        listened(talk, 20)
    talk.board.touch(3, soon(talk), soon(talk, 6))
    listened(talk, 700)
    assert [hit.pad for hit in talk.hits] == [3]
    assert talk.stats[-1].bad_frames > 10
    assert talk.stats[-1].state == ARMED
    assert not talk.board.counts().crashed


def test_a_frame_of_the_wrong_length_is_no_frame(talk: Desk) -> None:
    before = listened(talk, 600).stats[-1].bad_frames
    body = pack("<BHB", 2, 258, 0)
    whole = body + pack("<I", zlib.crc32(body))
    stuffed = b"".join(bytes([len(part) + 1]) + part for part in whole.split(b"\0"))
    talk.board.write(stuffed + b"\0")
    listened(talk, 600)
    assert said(talk, Pong) == []
    assert talk.stats[-1].bad_frames == before + 1


def test_the_watchdog_restarts_a_firmware_that_hangs(talk: Desk) -> None:
    listened(talk, 100)
    talk.board.hang(260 * MS)
    again = Desk(talk.board, session=9)
    assert again.ident.reset_cause & 16
    assert again.ident.faults & 8
    assert again.ident.boot == talk.ident.boot + 1
    talk.board.touch(1, soon(again, 50), soon(again, 60))
    listened(again, 200)
    assert [hit.pad for hit in again.hits] == [1], "and it works again"


def test_a_reset_is_told_by_the_boot_count(talk: Desk) -> None:
    talk.board.reset()
    again = Desk(talk.board, session=9)
    assert again.ident.boot == talk.ident.boot + 1
    assert again.ident.reset_cause == 2


def test_a_knock_on_a_piezo_tells_peaks_of_all_pads(piezo: Desk) -> None:
    """A table couples: the neighbour's piezo rings as well, too weakly to trip."""
    for peak_mv in (900, 1500, 2500, 3500):
        at_ns = soon(piezo)
        piezo.board.knock(2, at_ns, peak_mv)
        piezo.board.knock(3, at_ns + 2 * MS // 10, peak_mv * 0.08)
        listened(piezo, 120)
        hit = piezo.hits[-1]
        assert hit.pad == 2
        assert hit.baseline == pytest.approx(180, abs=4)
        # First maximum of 350 Hz with a decay of 4 ms: 0.842 of the amplitude; 204.8 steps a
        # volt. Six inputs take turns, one look in 0.3 ms: the maximum is missed by up to 6 %.
        high = peak_mv * 0.842 * 0.2048
        assert 0.94 * high - 4 <= hit.peak - 180 <= high + 4
        assert 0.9 * 0.08 * high - 8 <= hit.peaks[3] * 4 - 180 <= 0.08 * high + 4
        assert not hit.flags & (WEAK | SAT)
    assert len(piezo.hits) == 4, "each knock is one hit, its ringing none"


def test_a_knock_beyond_the_scale_is_flagged(piezo: Desk) -> None:
    piezo.board.knock(0, soon(piezo), 6000)
    listened(piezo, 100)
    assert piezo.hits[-1].flags & SAT


def test_a_hit_weaker_than_the_floor_is_told_and_flagged(piezo: Desk) -> None:
    piezo.configure(Configure(1, 1, 200))
    piezo.board.knock(1, soon(piezo), 700)
    listened(piezo, 100)
    assert piezo.hits[-1].flags & WEAK


def test_a_cut_piezo_cable_is_named_within_a_second_and_a_half(piezo: Desk) -> None:
    listened(piezo, 1000)
    assert piezo.stats[-1].wiring == 0
    piezo.board.cut(5)
    listened(piezo, 1500)
    assert piezo.stats[-1].wiring == 0b100000
    assert piezo.stats[-1].stuck == 0b100000


def test_a_comparator_that_is_dead_is_named_at_the_first_knock(piezo: Desk) -> None:
    """The analog input sees the touch; nothing comes to the digital pin."""
    piezo.board.deafen(2)
    piezo.board.knock(2, soon(piezo), 2500)
    listened(piezo, 600)
    assert piezo.hits == []
    assert piezo.stats[-1].deaf == 0b100
    piezo.board.deafen(2, False)
    piezo.board.knock(2, soon(piezo), 2500)
    listened(piezo, 600)
    assert len(piezo.hits) == 1
    assert piezo.stats[-1].deaf == 0


def test_the_pulse_test_finds_a_sound_piezo_and_a_cut_one(piezo: Desk) -> None:
    piezo.board.say(SelfTest(1, 0))
    listened(piezo, 200)
    (tested,) = said(piezo, SelfTestDone)
    assert isinstance(tested, SelfTestDone)
    rest, at_once, after_1_ms, after_10_ms = tested.values
    assert rest == pytest.approx(180, abs=4)
    assert at_once > 900
    assert 700 < after_1_ms < at_once
    assert rest < after_10_ms < 420
    assert [hit.flags & TEST_HIT for hit in piezo.hits] == [TEST_HIT]


def test_the_sweep_finds_the_level_at_which_a_comparator_trips(piezo: Desk) -> None:
    piezo.board.say(SelfTest(2, 3))
    piezo.board.world.run(10 * MS)
    piezo.board.say(SelfTest(1, 0))  # one at a time
    listened(piezo, 2600)
    refused, tested = said(piezo, SelfTestDone)
    assert isinstance(refused, SelfTestDone)
    assert isinstance(tested, SelfTestDone)
    assert refused.values == (0xFFFF,) * 4
    # The resting level is 0.88 V: 45 of 255. The reference's filter lags behind by 6.
    assert 36 <= tested.values[0] <= 45
    listened(piezo, 300)
    piezo.board.knock(3, soon(piezo), 2000)
    listened(piezo, 200)
    assert piezo.hits[-1].flags & TEST_HIT == 0, "after it, hits are players' again"


def test_the_tap_test_reports_the_next_touch_or_none(talk: Desk) -> None:
    talk.board.say(SelfTest(3, 1))
    talk.board.touch(1, soon(talk, 100), soon(talk, 102))
    listened(talk, 300)
    talk.board.say(SelfTest(3, 2))
    listened(talk, 2200)
    tapped, none = said(talk, SelfTestDone)
    assert isinstance(tapped, SelfTestDone)
    assert isinstance(none, SelfTestDone)
    assert tapped.values[0] == 1
    assert none.values == (0, 0, 0, 0)


def test_the_wave_shows_the_ring_around_the_stamp(piezo: Desk) -> None:
    piezo.configure(Configure(WHOLE_BOARD, WAVE_OF, 1))
    listened(piezo, 100)
    at_ns = soon(piezo)
    piezo.board.knock(1, at_ns, 2500)
    listened(piezo, 200)
    (wave,) = said(piezo, Wave)
    assert isinstance(wave, Wave)
    (hit,) = piezo.hits
    assert (wave.seq, wave.pad, wave.before) == (hit.seq, 1, 8)
    assert max(wave.samples[:7]) < 60, "before: at rest"
    assert max(wave.samples[8:]) == pytest.approx(hit.peaks[1], abs=12)
    assert wave.t_first < hit.t < wave.t_last


def test_the_sync_wire_is_stamped_alike_on_all_boards() -> None:
    """Crystals 200 ppm apart; the same edges, pairwise, within 2 us after a straight line."""
    from referee.pads.simulated import BoardSettings

    with World(4) as world:
        boards = [
            world.add_board(BoardSettings("raw", ppm, 0.0, boot_ms=0), bytes([n] * 8))
            for n, ppm in enumerate((100.0, -100.0))
        ]
        for board in boards:
            board.join_sync()
        desks = [Desk(board, 5 + n) for n, board in enumerate(boards)]
        boards[1].say(Sync(50))
        for _ in range(60):
            for talk in desks:
                talk.listen()
            world.run(20 * MS)
        stamps = [
            [word for word in said(talk, Synced) if isinstance(word, Synced)] for talk in desks
        ]
        assert {word.master for word in stamps[1][2:]} == {1}
        assert {word.master for word in stamps[0][2:]} == {0}
        pairs = list(zip(stamps[0][-20:], stamps[1][-20:], strict=True))
        spans = [(a.t - pairs[0][0].t, b.t - pairs[0][1].t) for a, b in pairs]
        rate = 1.0002
        assert len(pairs) == 20
        assert max(abs(a - b * rate) for a, b in spans) <= 4, "2 us"


def test_the_lamp_follows_the_pattern_at_known_ticks(talk: Desk) -> None:
    talk.board.say(Light(3, 10, 0xACE1, 64))
    listened(talk, 800)
    lit = [word for word in said(talk, Lit) if isinstance(word, Lit)]
    register, levels = 0xACE1, []
    for _ in range(64):
        levels.append(register & 1)
        register = (register >> 1) ^ (0xB400 if register & 1 else 0)
    changes = [n for n in range(64) if n == 0 or levels[n] != levels[n - 1]]
    assert [word.index for word in lit] == changes
    assert [word.level for word in lit] == [levels[n] for n in changes]
    starts = [word.t - word.index * 10 * TICKS_A_MS for word in lit]
    # The pattern is kept exactly; each change comes in the pass of the loop that is due.
    assert max(starts) - min(starts) <= 400


def test_the_lamp_itself_is_lit_and_dark_as_it_is_told(talk: Desk) -> None:
    talk.board.say(Light(3, 20, 0xACE1, 16))
    told = 0
    for _ in range(250):
        listened(talk, 1)
        lit = [word for word in said(talk, Lit) if isinstance(word, Lit)]
        if len(lit) > told:
            # Word of a change takes a millisecond; the bit lasts twenty.
            told = len(lit)
            assert talk.board.lamp == bool(lit[-1].level)
    assert told >= 5


def test_heartbeats_come_twice_a_second_and_the_supply_is_measured(talk: Desk) -> None:
    listened(talk, 2000)
    ticks = [stat.t for stat in talk.stats[-4:]]
    gaps_ms = [(b - a) / TICKS_A_MS for a, b in pairwise(ticks)]
    assert all(495 < gap < 505 for gap in gaps_ms)
    stat = talk.stats[-1]
    assert isinstance(stat, Stat)
    assert stat.supply_mv == pytest.approx(5000, abs=60)


def test_acknowledgements_out_of_range_are_ignored(talk: Desk) -> None:
    for number in (1, 500, 65535):
        talk.board.say(Ack(number))
    talk.board.touch(0, soon(talk), soon(talk, 6))
    listened(talk, 100)
    assert [hit.seq for hit in talk.hits] == [0]


def test_the_sketch_is_one_the_arduino_editor_opens() -> None:
    """Its folder and file have one name, every tab is included, nothing is used before it is."""
    folder = FIRMWARE / "touchpad"
    sketch = _source("touchpad.ino")
    included = set(re.findall(r'#include "(\w+\.h)"', sketch))
    tabs = {path.name for path in Path(folder).glob("*.h")}
    nested = {name for tab in tabs for name in re.findall(r'#include "(\w+\.h)"', _source(tab))}
    assert tabs <= included | nested
    assert "void setup()" in sketch
    assert "void loop()" in sketch
    assert "millis(" not in re.sub(r"//.*", "", sketch)
