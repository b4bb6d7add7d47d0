"""The words between a board and the host: frames of bytes and the values they carry.

Every byte is told in `firmware/PROTOCOL.md`; this is protocol 1.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import lru_cache
from zlib import crc32

PROTOCOL = 1
BAUD = 250_000
BYTE_NS = 10 * 1_000_000_000 // BAUD
PADS = 6
LONGEST_FRAME = 64
# On the line, the closing zero included.
PING_BYTES, PONG_BYTES, STAT_BYTES = 9, 18, 62
NO_NAME = b"\xff" * 8
BOARD = 255  # instead of a pad: a setting of the whole board
KIND_FIELD, WAVE_FIELD = 0, 18
NO_WAVE = 255

TIE, SHADOW, SAT, STORM, RUNT, TEST_HIT, WEAK, HELD = (1 << bit for bit in range(8))
IDLE, ARMED, REFUSED = range(3)
FAULTS = (
    "its main loop is too slow",
    "its settings were broken and the defaults are in use",
    "it has no name yet",
    "its watchdog restarted it",
    "its supply is outside 4.5 to 5.5 V",
)


@dataclass(frozen=True, slots=True)
class Ident:
    """Who the board is and what state it is in."""

    protocol: int
    version: bytes
    build: int
    uid: bytes
    boot: int
    session: int
    reset_cause: int
    pads: int
    tick_hz: int
    config_crc: int
    first_seq: int
    next_seq: int
    faults: int
    state: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One touch: tick of the first edge, pulse width in ticks, peaks of every pad (in fours)."""

    seq: int
    pad: int
    flags: int
    t: int
    width: int
    peak: int
    baseline: int
    peaks: bytes


@dataclass(frozen=True, slots=True)
class Wave:
    """The analog signal around a hit: 32 samples in fours, evenly spaced in time."""

    seq: int
    pad: int
    t_first: int
    t_last: int
    before: int
    samples: bytes


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to a ping."""

    id: int
    t_rx: int
    t_tx: int
    queued: int


@dataclass(frozen=True, slots=True)
class Stat:
    """The heartbeat: how the board and its pads are. Bit n of a set of pads is pad n."""

    t: int
    boot: int
    next_seq: int
    acked_seq: int
    dropped: int
    runts: int
    bounces: int
    storms: int
    bad_frames: int
    overruns: int
    longest_loop_us: int
    levels: int
    stuck: int
    storming: int
    wiring: int
    deaf: int
    faults: int
    state: int
    baselines: tuple[int, ...]
    noise: bytes
    supply_mv: int
    temperature_dc: int


@dataclass(frozen=True, slots=True)
class ConfigTaken:
    """The answer to a setting: the value in force now."""

    pad: int
    field: int
    value: int
    ok: int
    config_crc: int


@dataclass(frozen=True, slots=True)
class Tested:
    """The result of a self-test."""

    kind: int
    pad: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lit:
    """The LED changed."""

    t: int
    index: int
    level: int


@dataclass(frozen=True, slots=True)
class Synced:
    """A falling edge on the sync wire."""

    t: int
    count: int
    master: int


@dataclass(frozen=True, slots=True)
class Hello:
    """Starts or continues a session."""

    protocol: int
    session: int


@dataclass(frozen=True, slots=True)
class Ping:
    """Asks for the time."""

    id: int


@dataclass(frozen=True, slots=True)
class Ack:
    """The host has all hits below `next`."""

    next: int


@dataclass(frozen=True, slots=True)
class Nak:
    """The hit `missing` is missing: send again from there."""

    missing: int


@dataclass(frozen=True, slots=True)
class Configure:
    """Sets one setting of a pad, or of the board (pad 255)."""

    pad: int
    field: int
    value: int


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Asks for a self-test: 1 pulse, 2 sweep, 3 tap."""

    kind: int
    pad: int


@dataclass(frozen=True, slots=True)
class Light:
    """Sets the LED: mode 0 dark, 1 lit, 2 heartbeat, 3 pattern."""

    mode: int
    bit_ms: int
    seed: int
    count: int


@dataclass(frozen=True, slots=True)
class Sync:
    """Pull the sync wire down every `period_ms`; 0: only listen."""

    period_ms: int


@dataclass(frozen=True, slots=True)
class Name:
    """Gives a board its uid for good."""

    uid: bytes


@dataclass(frozen=True, slots=True)
class Foreign:
    """An IDENT of another protocol, whatever else it holds."""

    protocol: int


FromBoard = Ident | Hit | Wave | Pong | Stat | ConfigTaken | Tested | Lit | Synced | Foreign
ToBoard = Hello | Ping | Ack | Nak | Configure | SelfTest | Light | Sync | Name

IDENT_TYPE = 0x81
# Type byte, class and layout; the layout's tuples (`6H`) are folded by `_folded`.
FROM_BOARD: tuple[tuple[int, type[FromBoard], str], ...] = (
    (IDENT_TYPE, Ident, "<B3sI8sIIBBIIHHBB"),
    (0x82, Hit, "<HBBIHHH6s"),
    (0x83, Wave, "<HBIIB32s"),
    (0x84, Pong, "<HIIB"),
    (0x85, Stat, "<IIHHHHHHHHHBBBBBBB6H6sHh"),
    (0x86, ConfigTaken, "<BBHBI"),
    (0x87, Tested, "<BB4H"),
    (0x88, Lit, "<IHB"),
    (0x89, Synced, "<IHB"),
)
TO_BOARD: tuple[tuple[int, type[ToBoard], str], ...] = (
    (0x01, Hello, "<BI"),
    (0x02, Ping, "<H"),
    (0x03, Ack, "<H"),
    (0x04, Nak, "<H"),
    (0x05, Configure, "<BBH"),
    (0x06, SelfTest, "<BB"),
    (0x07, Light, "<BBHH"),
    (0x08, Sync, "<H"),
    (0x09, Name, "<8s"),
)
# Where a field is a tuple: (its place, its length).
FOLDS: dict[type, tuple[int, int]] = {Stat: (18, 6), Tested: (2, 4)}


class BadFrame(Exception):
    """Bytes that are no frame of this protocol."""


def stuffed(data: bytes) -> bytes:
    """Return data of fewer than 254 bytes without zeros (consistent overhead byte stuffing)."""
    return b"".join(bytes([len(part) + 1]) + part for part in data.split(b"\0"))


def unstuffed(data: bytes) -> bytes:
    """Undo `stuffed`. Raises BadFrame."""
    parts, at = [], 0
    while at < len(data):
        code = data[at]
        if code == 0 or code == 255 or at + code > len(data):
            raise BadFrame
        parts.append(data[at + 1 : at + code])
        at += code
    return b"\0".join(parts)


def frame(word: FromBoard | ToBoard) -> bytes:
    """Return the bytes of one frame as they go on the line, the closing zero included."""
    type_byte, layout = _layouts()[type(word)]
    fields = astuple(word)
    fold = FOLDS.get(type(word))
    if fold:
        at, length = fold
        fields = (*fields[:at], *fields[at], *fields[at + 1 :])
        assert len(fields[at : at + length]) == length
    body = bytes([type_byte]) + layout.pack(*fields)
    return stuffed(body + crc32(body).to_bytes(4, "little")) + b"\0"


def word_of(stuff: bytes) -> FromBoard | ToBoard:
    """Return what a frame (without its closing zero) says. Raises BadFrame."""
    data = unstuffed(stuff)
    if len(data) < 5 or crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise BadFrame
    known = _classes().get(data[0])
    if data[0] == IDENT_TYPE and len(data) > 5 and data[1] != PROTOCOL:
        return Foreign(data[1])
    if known is None or known[1].size != len(data) - 5:
        raise BadFrame
    made, layout = known
    fields = layout.unpack_from(data, 1)
    fold = FOLDS.get(made)
    if fold:
        at, length = fold
        fields = (*fields[:at], fields[at : at + length], *fields[at + length :])
    return made(*fields)


@lru_cache(maxsize=1)
def _layouts() -> dict[type, tuple[int, struct.Struct]]:
    return {made: (byte, struct.Struct(text)) for byte, made, text in (*FROM_BOARD, *TO_BOARD)}


@lru_cache(maxsize=1)
def _classes() -> dict[int, tuple[type[FromBoard | ToBoard], struct.Struct]]:
    return {byte: (made, struct.Struct(text)) for byte, made, text in (*FROM_BOARD, *TO_BOARD)}


class Deframer:
    """Cuts a stream of bytes into words; whatever is no frame is counted and forgotten."""

    def __init__(self) -> None:
        """Begin with an empty line."""
        self._held = bytearray()
        self._overlong = False
        self.bad = 0

    def feed(self, data: bytes) -> Iterator[FromBoard | ToBoard]:
        """Yield the words that are complete now. Never holds more than the longest frame."""
        *whole, rest = data.split(b"\0")
        for piece in whole:
            self._hold(piece)
            stuff, overlong = bytes(self._held), self._overlong
            self._held.clear()
            self._overlong = False
            if overlong:
                self.bad += 1
            elif stuff:
                try:
                    yield word_of(stuff)
                except BadFrame:
                    self.bad += 1
        self._hold(rest)

    def _hold(self, piece: bytes) -> None:
        if len(self._held) + len(piece) >= LONGEST_FRAME:
            self._held.clear()
            self._overlong = True
        elif not self._overlong:
            self._held += piece
