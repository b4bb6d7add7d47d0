"""The bytes between board and host: the examples of the protocol's page, and every wrong byte."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.pads.protocol import (
    LONGEST_FRAME,
    PING_BYTES,
    PONG_BYTES,
    STAT_BYTES,
    Ack,
    BadFrame,
    Deframer,
    Foreign,
    Hello,
    Hit,
    Ident,
    Ping,
    Pong,
    Stat,
    Synced,
    frame,
    stuffed,
    unstuffed,
    word_of,
)

PAGE = Path(__file__).parent.parent / "firmware" / "PROTOCOL.md"
HIT = Hit(7, 2, 1, 12345678, 1840, 612, 181, bytes([46, 47, 153, 45, 46, 46]))
EXAMPLES = {
    "HELLO": Hello(1, 0x1A2B3C4D),
    "PING": Ping(258),
    "ACK": Ack(0),
    "HIT": HIT,
    "PONG": Pong(258, 65536, 66560, 0),
}
IDENT = Ident(1, b"\1\2\3", 0xAABBCCDD, b"touchpad", 3, 77, 1, 7, 2_000_000, 5, 9, 12, 0, 1)
STAT = Stat(*range(18), (180, 181, 182, 183, 184, 185), bytes(range(6)), 4998, -15)

u16, u32 = st.integers(0, 65535), st.integers(0, (1 << 32) - 1)
hits = st.builds(
    Hit, u16, st.integers(0, 5), st.integers(0, 255), u32, u16, u16, u16, st.binary(
        min_size=6, max_size=6
    ),
)  # fmt: skip


def test_the_frames_on_the_protocols_page_are_ours_byte_for_byte() -> None:
    rows = re.findall(r"^\| `([A-Z]+)`[^|]*\| `([0-9a-f ]+)` \|$", PAGE.read_text("utf-8"), re.M)
    found = {name: bytes.fromhex(data) for name, data in rows}
    assert found.keys() == EXAMPLES.keys()
    for name, data in found.items():
        assert frame(EXAMPLES[name]) == data
        assert list(Deframer().feed(data)) == [EXAMPLES[name]]


def test_a_ping_a_pong_and_a_heartbeat_are_as_long_as_the_clock_reckons() -> None:
    assert len(frame(Ping(0xFFFF))) == PING_BYTES
    assert len(frame(EXAMPLES["PONG"])) == PONG_BYTES
    assert len(frame(STAT)) == STAT_BYTES


@pytest.mark.parametrize(
    "word", [IDENT, STAT, HIT, Synced(5, 6, 1)], ids=lambda w: type(w).__name__
)
def test_every_kind_of_word_is_read_as_it_was_written(word: Ident | Stat | Hit | Synced) -> None:
    assert list(Deframer().feed(frame(word))) == [word]
    assert len(frame(word)) <= LONGEST_FRAME


@given(hits, st.lists(st.integers(0, 40), max_size=5))
def test_a_hit_arrives_whole_however_the_bytes_are_cut(hit: Hit, cuts: list[int]) -> None:
    data, deframer, found = frame(hit), Deframer(), []
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    for start, end in pairwise(places):
        found += list(deframer.feed(data[start:end]))
    assert found == [hit]
    assert deframer.bad == 0


@given(st.binary(max_size=250))
def test_stuffing_leaves_no_zero_and_is_undone(data: bytes) -> None:
    assert 0 not in stuffed(data)
    assert unstuffed(stuffed(data)) == data


@given(hits, st.integers(0, 25), st.integers(1, 255))
def test_a_damaged_byte_never_makes_another_hit(hit: Hit, place: int, change: int) -> None:
    data = bytearray(frame(hit))
    place %= len(data) - 1
    data[place] ^= change
    assert [word for word in Deframer().feed(bytes(data)) if word != hit] == []


def test_a_minute_of_random_bytes_makes_no_word_and_takes_no_room() -> None:
    chance, deframer = random.Random(1), Deframer()
    # 60 s at 250 000 baud are 1.5 million bytes.
    for _ in range(1500):
        assert list(deframer.feed(chance.randbytes(1000))) == []
    assert deframer.bad > 1000
    assert list(deframer.feed(b"\0" + frame(HIT))) == [HIT]


def test_bytes_without_an_end_are_forgotten() -> None:
    deframer = Deframer()
    for _ in range(100):
        assert list(deframer.feed(b"\1" * 1000)) == []
    assert list(deframer.feed(b"\0" + frame(HIT))) == [HIT]
    assert deframer.bad == 1


def test_a_board_of_another_protocol_is_told_by_its_ident() -> None:
    body = bytes([0x81, 2]) + b"whatever it is longer than ours or not"
    data = stuffed(body + crc32(body).to_bytes(4, "little"))
    assert word_of(data) == Foreign(2)


@pytest.mark.parametrize("stuff", [b"", b"\1", b"\5ab", b"\xff" + b"a" * 20, frame(HIT)[1:-1]])
def test_what_is_no_frame_is_refused(stuff: bytes) -> None:
    with pytest.raises(BadFrame):
        word_of(stuff)
