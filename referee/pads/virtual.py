"""Simulated boards in virtual time: the released firmware, minutes in seconds, the same every run.

Times are nanoseconds of the world, from 0. What is done to a board is known in world time, and
`ticks_at` tells what its crystal shows then: what the board says can be held against the truth.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from referee.pads.protocol import (
    NO_NAME,
    Ack,
    Configure,
    Deframer,
    FromBoard,
    Hello,
    Hit,
    Ident,
    Nak,
    Stat,
    ToBoard,
    frame,
)
from referee.pads.simulated import PATHS, RELEASED_HEX, BoardSettings, SimulationError, build

MS = 1_000_000
AT_ONCE = 4096
SEQS = 1 << 16
KIND, FLOOR, HOLD_MS, QUIET_MS = range(4)
PLAIN_SWITCH = 4


class _Settings(ctypes.Structure):
    _fields_ = (
        ("ppm", ctypes.c_double),
        ("wander_ppm_s", ctypes.c_double),
        ("corruption", ctypes.c_double),
        ("boot_ns", ctypes.c_int64),
        ("path", ctypes.c_int32),
        ("uid", ctypes.c_uint8 * 8),
    )


class _ByteOut(ctypes.Structure):
    _fields_ = (("t_ns", ctypes.c_int64), ("byte", ctypes.c_uint8))


class _Counts(ctypes.Structure):
    _fields_ = (
        ("cycles", ctypes.c_uint64),
        ("bytes_in", ctypes.c_uint64),
        ("bytes_out", ctypes.c_uint64),
        ("corrupted", ctypes.c_uint64),
        ("overruns", ctypes.c_uint64),
        ("resets", ctypes.c_uint64),
        ("stack_lowest", ctypes.c_uint32),
        ("crashed", ctypes.c_uint32),
    )


@dataclass(frozen=True, slots=True)
class Counts:
    """What the simulation counted; `overruns` are bytes that the chip's UART lost."""

    bytes_in: int
    bytes_out: int
    corrupted: int
    overruns: int
    resets: int
    crashed: bool


_HERE, _INT, _NS, _REAL = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_double
# Name, result, arguments; as in firmware/sim/padsim.h.
_CALLS: tuple[tuple[str, object, tuple[object, ...]], ...] = (
    ("world_new", _HERE, (ctypes.c_uint64, _NS)),
    ("world_free", None, (_HERE,)),
    ("world_add_board", _INT, (_HERE, ctypes.c_char_p, ctypes.POINTER(_Settings))),
    ("world_join_sync", None, (_HERE, _INT)),
    ("world_run", None, (_HERE, _NS)),
    ("world_now", _NS, (_HERE,)),
    ("board_level", _NS, (_HERE, _INT, _INT, _NS, _INT)),
    ("board_front", None, (_HERE, _INT, _INT, _INT)),
    ("board_cut", None, (_HERE, _INT, _INT, _INT)),
    ("board_deafen", None, (_HERE, _INT, _INT, _INT)),
    ("board_knock", _NS, (_HERE, _INT, _INT, _NS, _REAL, _REAL, _REAL)),
    ("board_write", None, (_HERE, _INT, _NS, ctypes.c_char_p, _INT)),
    ("board_read", _INT, (_HERE, _INT, ctypes.POINTER(_ByteOut), _INT)),
    ("board_corruption", None, (_HERE, _INT, _REAL)),
    ("board_outage", None, (_HERE, _INT, _NS, _NS)),
    ("board_reset", None, (_HERE, _INT)),
    ("board_hang", None, (_HERE, _INT, _NS)),
    ("board_counts", None, (_HERE, _INT, ctypes.POINTER(_Counts))),
    ("board_ticks_at", _REAL, (_HERE, _INT, _NS)),
    ("board_lamp", ctypes.c_uint32, (_HERE, _INT)),
)


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(build("libpadsim.so")))
    except OSError as error:
        raise SimulationError(f"the simulation does not load: {error}") from None
    for name, result, arguments in _CALLS:
        call = getattr(library, name)
        call.restype, call.argtypes = result, arguments
    return library


class World:
    """Boards in one world; `with` frees them. Raises SimulationError when it cannot be built."""

    def __init__(self, seed: int = 1) -> None:
        """Begin at time 0; the same seed gives the same run."""
        self.library = _library()
        self.here = self.library.world_new(seed, 0)

    def __enter__(self) -> World:
        return self

    def __exit__(self, *ended: object) -> None:
        self.library.world_free(self.here)

    @property
    def now_ns(self) -> int:
        """The world's time."""
        return int(self.library.world_now(self.here))

    def run(self, for_ns: int) -> None:
        """Let so much time pass."""
        self.library.world_run(self.here, self.now_ns + for_ns)

    def run_until(self, t_ns: int) -> None:
        """Let time pass up to a time."""
        self.library.world_run(self.here, t_ns)

    def add_board(
        self,
        settings: BoardSettings | None = None,
        uid: bytes = NO_NAME,
        hex_file: Path = RELEASED_HEX,
    ) -> Board:
        """Add a board. Raises SimulationError."""
        given = settings or BoardSettings(path="raw", ppm=0, wander_ppm_s=0, boot_ms=0)
        made = _Settings(
            ppm=given.ppm,
            wander_ppm_s=given.wander_ppm_s,
            corruption=given.corruption,
            boot_ns=int(given.boot_ms * MS),
            path=PATHS.index(given.path),
            uid=(ctypes.c_uint8 * 8)(*uid),
        )
        name = str(hex_file).encode()
        number = self.library.world_add_board(self.here, name, ctypes.byref(made))
        if number < 0:
            raise SimulationError(f"{hex_file} cannot be simulated; is it an Intel hex file?")
        return Board(self, number)


class Board:
    """One board of a world."""

    def __init__(self, world: World, number: int) -> None:
        """Take the board of that number."""
        self.world, self.number = world, number
        self._deframer = Deframer()
        self._bytes = (_ByteOut * AT_ONCE)()

    def level(self, pad: int, t_ns: int, touched: bool) -> None:
        """Open or close a pad's contact at a time."""
        self.world.library.board_level(self.world.here, self.number, pad, t_ns, int(touched))

    def touch(self, pad: int, from_ns: int, to_ns: int) -> None:
        """Touch a pad for a time."""
        self.level(pad, from_ns, True)
        self.level(pad, to_ns, False)

    def knock(
        self, pad: int, t_ns: int, peak_mv: float, ring_hz: float = 350, decay_ms: float = 4
    ) -> int:
        """Let a piezo ring; returns when its comparator trips."""
        call = self.world.library.board_knock
        return int(call(self.world.here, self.number, pad, t_ns, peak_mv, ring_hz, decay_ms))

    def front(self, pad: int, front: int) -> None:
        """Solder something to a pad's analog input; see FRONTS."""
        self.world.library.board_front(self.world.here, self.number, pad, front)

    def cut(self, pad: int, is_cut: bool = True) -> None:
        """Cut a pad's cable."""
        self.world.library.board_cut(self.world.here, self.number, pad, int(is_cut))

    def deafen(self, pad: int, is_deaf: bool = True) -> None:
        """Let a pad's comparator die; its analog input lives."""
        self.world.library.board_deafen(self.world.here, self.number, pad, int(is_deaf))

    def join_sync(self) -> None:
        """Join the sync wire."""
        self.world.library.world_join_sync(self.world.here, self.number)

    def reset(self) -> None:
        """Press the reset key."""
        self.world.library.board_reset(self.world.here, self.number)

    def hang(self, for_ns: int) -> None:
        """Catch the firmware in an endless loop."""
        self.world.library.board_hang(self.world.here, self.number, for_ns)

    def outage(self, from_ns: int, to_ns: int) -> None:
        """Lose all bytes for a time."""
        self.world.library.board_outage(self.world.here, self.number, from_ns, to_ns)

    def corrupt(self, chance: float) -> None:
        """Damage bytes from now on."""
        self.world.library.board_corruption(self.world.here, self.number, chance)

    def ticks_at(self, t_ns: int) -> float:
        """Return the crystal's ticks at a time near now, counted from the world's start."""
        return float(self.world.library.board_ticks_at(self.world.here, self.number, t_ns))

    @property
    def lamp(self) -> bool:
        """Whether the LED is lit."""
        return bool(self.world.library.board_lamp(self.world.here, self.number))

    def counts(self) -> Counts:
        """Return what was counted so far."""
        found = _Counts()
        self.world.library.board_counts(self.world.here, self.number, ctypes.byref(found))
        return Counts(
            found.bytes_in,
            found.bytes_out,
            found.corrupted,
            found.overruns,
            found.resets,
            bool(found.crashed),
        )

    def write(self, data: bytes) -> None:
        """Write bytes as a host program would, now."""
        call = self.world.library.board_write
        call(self.world.here, self.number, self.world.now_ns, data, len(data))

    def say(self, *words: ToBoard) -> None:
        """Send words, one frame each."""
        self.write(b"".join(frame(word) for word in words))

    def read(self) -> bytes:
        """Return the bytes that a host program can read by now."""
        read = bytearray()
        while True:
            call = self.world.library.board_read
            count = call(self.world.here, self.number, self._bytes, AT_ONCE)
            read += bytes(self._bytes[n].byte for n in range(count))
            if count < AT_ONCE:
                return bytes(read)

    def hear(self) -> Iterator[FromBoard]:
        """Yield what the board said since the last time."""
        yield from self._deframer.feed(self.read())  # type: ignore[misc]  # words of boards only

    @property
    def bad_frames(self) -> int:
        """Frames from the board that were damaged."""
        return self._deframer.bad


class Desk:
    """The least that a host must do: a session, acknowledgements, hits once each and in order."""

    def __init__(self, board: Board, session: int = 0x5EA7) -> None:
        """Greet the board until it is armed. Raises SimulationError when it never is."""
        self.board = board
        self.hits: list[Hit] = []
        self.stats: list[Stat] = []
        self.others: list[FromBoard] = []
        self.doubles = 0
        self._early: dict[int, Hit] = {}
        self._session = session
        self.ident = self._greet()

    def _greet(self) -> Ident:
        for _ in range(60):
            self.board.world.run(100 * MS)
            for word in self.board.hear():
                if isinstance(word, Ident) and word.session == self._session:
                    return word
            self.board.write(b"\0")
            self.board.say(Hello(1, self._session))
        raise SimulationError("the simulated board never answered")

    @property
    def next_seq(self) -> int:
        """Number of the next hit that is missing."""
        return len(self.hits)

    def configure(self, *settings: Configure) -> None:
        """Send settings, each given time to be taken."""
        for setting in settings:
            self.board.say(setting)
            self.board.world.run(5 * MS)

    def set_pads(self, kind: int, hold_ms: int = 5, quiet_ms: int = 1) -> None:
        """Make all six pads of one kind, ready again as soon as may be."""
        fields = ((KIND, kind), (HOLD_MS, hold_ms), (QUIET_MS, quiet_ms))
        for pad in range(6):
            self.configure(*(Configure(pad, field, value) for field, value in fields))
        self.board.world.run(100 * MS)

    def listen(self) -> None:
        """Take what came, acknowledge, ask again at a gap."""
        came = False
        for word in self.board.hear():
            if isinstance(word, Hit):
                self._take(word)
                came = True
            elif isinstance(word, Stat):
                self.stats.append(word)
            else:
                self.others.append(word)
        if came:
            self.board.say(Ack(self.next_seq % SEQS))
        if self._early:
            self.board.say(Nak(self.next_seq % SEQS))

    def _take(self, hit: Hit) -> None:
        ahead = (hit.seq - self.next_seq) % SEQS
        if ahead >= SEQS // 2 or hit.seq in self._early:
            self.doubles += 1
            return
        self._early[hit.seq] = hit
        while (following := self._early.pop(self.next_seq % SEQS, None)) is not None:
            self.hits.append(following)
