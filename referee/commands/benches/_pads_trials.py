"""Touches with known times, played to the released firmware in virtual time."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import permutations

from referee.pads.protocol import SHADOW, TIE, Ack, Hit, Ping, frame
from referee.pads.virtual import MS, PLAIN_SWITCH, SEQS, Board, Desk, World

PADS = 6
TOUCH_NS = 2 * MS
# Two pads are ready again after 5 ms of hold-off and 1 ms of rest, tended once in 0.4 ms.
TRIAL_NS = 9 * MS
PAIRS = tuple(permutations(range(PADS), 2))
DRAIN_NS = 400 * MS
LINE_BYTES_A_MS = 25
# A stamp this late belongs to another touch: those are 4 ms apart at least.
WRONG_US = 1000.0
# The board's 32 bits of ticks begin anew after 36 minutes.
WRAP = 1 << 32


@dataclass(frozen=True, slots=True)
class Stamped:
    """A touch and its hit: `late_us` is the stamp's lateness by the board's own crystal."""

    hit: Hit
    late_us: float


@dataclass(frozen=True, slots=True)
class Orders:
    """Outcomes of races of two pads with one true lead."""

    lead_us: float
    right: int
    tied: int
    wrong: int
    for_lower_pad: int

    @property
    def trials(self) -> int:
        """How many races there were."""
        return self.right + self.tied + self.wrong


@contextmanager
def desk(seed: int, hold_ms: int = 5, quiet_ms: int = 1) -> Iterator[Desk]:
    """Open a session with a board whose six pads are plain switches."""
    with World(seed) as world:
        talk = Desk(world.add_board())
        talk.set_pads(PLAIN_SWITCH, hold_ms, quiet_ms)
        talk.listen()
        yield talk


@dataclass(frozen=True, slots=True)
class Touches:
    """What was done to each pad: world times and the crystal's ticks then, in order."""

    ticks: dict[int, list[float]]

    def add(self, board: Board, pad: int, t_ns: int) -> None:
        """Note one touch."""
        self.ticks[pad].append(board.ticks_at(t_ns))


def touches() -> Touches:
    """Return none yet."""
    return Touches(defaultdict(list))


def traffic(talk: Desk, chance: random.Random) -> None:
    """Let a host be as busy as one is: hits acknowledged, pings at random times."""
    talk.listen()
    if chance.random() < 0.5:
        talk.board.say(Ping(chance.randrange(1 << 16)))


def stamped(talk: Desk, done: Touches) -> tuple[Stamped, ...]:
    """Pair the hits with the touches, pad by pad; they must be as many. Sorted by time.

    Ticks count from the firmware's start, the crystal from the world's: the lateness is told
    against the least of all, which is the constant part.
    """
    by_pad: dict[int, list[Hit]] = defaultdict(list)
    for hit in talk.hits:
        by_pad[hit.pad].append(hit)
    pairs = [
        (hit, (hit.t - true + WRAP / 2) % WRAP - WRAP / 2)
        for pad, ticks in done.ticks.items()
        for hit, true in zip(by_pad[pad], ticks, strict=True)
    ]
    least = min(late for _, late in pairs)
    return tuple(Stamped(hit, (late - least) / 2) for hit, late in pairs)


def single_touches(count: int, seed: int) -> tuple[Desk, tuple[Stamped, ...]]:
    """Touch one pad after the other at random phases, under full traffic."""
    chance, done = random.Random(seed), touches()
    with desk(seed) as talk:
        t_ns = talk.board.world.now_ns
        for number in range(count):
            t_ns += round(chance.uniform(3.0, 5.0) * MS)
            talk.board.world.run_until(t_ns - MS)
            talk.board.touch(number % PADS, t_ns, t_ns + TOUCH_NS)
            done.add(talk.board, number % PADS, t_ns)
            traffic(talk, chance)
        drain(talk)
        return talk, stamped(talk, done)


def drain(talk: Desk) -> None:
    """Give the board the time to send what it still has."""
    for _ in range(4):
        talk.board.world.run(DRAIN_NS // 4)
        talk.listen()


def races(count: int, lead_us: float, seed: int) -> Orders:
    """Race all pairs of pads in turn, each way round, at random phases."""
    chance = random.Random(seed)
    with desk(seed) as talk:
        first: list[int] = []
        t_ns = talk.board.world.now_ns
        for number in range(count):
            one, other = PAIRS[number % len(PAIRS)]
            t_ns += TRIAL_NS + chance.randrange(MS)
            talk.board.world.run_until(t_ns - MS)
            talk.board.touch(one, t_ns, t_ns + TOUCH_NS)
            late_ns = t_ns + round(lead_us * 1000)
            talk.board.touch(other, late_ns, late_ns + TOUCH_NS)
            first.append(one)
            traffic(talk, chance)
        drain(talk)
        return outcome(lead_us, first, talk.hits)


def outcome(lead_us: float, first: list[int], hits: list[Hit]) -> Orders:
    """Count the races; hits come in twos, in the order of the board's numbers."""
    assert len(hits) == 2 * len(first), "each race has two hits"
    right = tied = lower = 0
    for truly, one, other in zip(first, hits[::2], hits[1::2], strict=True):
        if one.t == other.t and one.flags & other.flags & TIE:
            tied += 1
            continue
        winner = one.pad if one.t < other.t else other.pad
        right += winner == truly
        lower += winner == min(one.pad, other.pad)
    return Orders(lead_us, right, tied, len(first) - right - tied, lower)


@dataclass(frozen=True, slots=True)
class Bounced:
    """Strikes with a bouncing contact: hits beyond one a strike, and the first edges' lateness."""

    strikes: int
    hits: int
    late_us: tuple[float, ...]
    shadowed: int


def bouncing_strikes(count: int, seed: int) -> Bounced:
    """Strike pads whose contact opens and closes 2 to 40 times, 1.5 to 900 us apart."""
    chance, done = random.Random(seed), touches()
    with desk(seed, hold_ms=20, quiet_ms=5) as talk:
        t_ns = talk.board.world.now_ns
        for number in range(count):
            t_ns += round(chance.uniform(75, 80) * MS)
            talk.board.world.run_until(t_ns - MS)
            bounce(talk.board, number % PADS, t_ns, chance)
            done.add(talk.board, number % PADS, t_ns)
            traffic(talk, chance)
        drain(talk)
        if len(talk.hits) != count:
            return Bounced(count, len(talk.hits), (), 0)
        pairs = stamped(talk, done)
        shadowed = sum(bool(pair.hit.flags & SHADOW) for pair in pairs)
        return Bounced(count, count, tuple(pair.late_us for pair in pairs), shadowed)


def bounce(board: Board, pad: int, t_ns: int, chance: random.Random) -> None:
    """Let a contact close, bounce and open for good."""
    for edge in range(2 * chance.randint(1, 20)):
        board.level(pad, t_ns, edge % 2 == 0)
        t_ns += round(1.5e3 * 600 ** chance.random())


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a board made of a full line: bytes lost, its longest loop, touches and hits."""

    bytes_in: int
    overruns: int
    longest_loop_us: int
    touches: int
    hits: int


def loaded_line(seconds: int, seed: int) -> Loaded:
    """Fill the line to the board without a gap while its pads are touched 200 times a second."""
    chance, count = random.Random(seed), 0
    with desk(seed) as talk:
        board = talk.board
        talk.stats.clear()
        before = board.counts().bytes_in
        for step in range(seconds * 1000):
            t_ns = board.world.now_ns + MS
            if step % 5 == 0:
                touch_ns = t_ns + chance.randrange(MS)
                board.touch(count % PADS, touch_ns, touch_ns + TOUCH_NS)
                count += 1
            board.world.run_until(t_ns)
            talk.listen()
            filler = frame(Ack(talk.next_seq % SEQS))
            room = (step + 1) * LINE_BYTES_A_MS - (board.counts().bytes_in - before)
            board.write(filler * max(0, room // len(filler)))
        drain(talk)
        counts = board.counts()
        longest = max(stat.longest_loop_us for stat in talk.stats)
        lost = counts.overruns + talk.stats[-1].overruns
        return Loaded(counts.bytes_in - before, lost, longest, count, len(talk.hits))


@dataclass(frozen=True, slots=True)
class BadLine:
    """A bad line and how pads are touched meanwhile; spans are (least, most) in milliseconds.

    `per_byte` is the chance of damage to each byte, both ways. An outage of `out_ms` begins
    `apart_ms` after the one before.
    """

    per_byte: float
    touch_ms: tuple[float, float]
    out_ms: tuple[float, float]
    apart_ms: tuple[float, float]


# Both are as hard as the ring of 64 hits allows: longer outages lose hits, and say so.
BAD_LINES = (
    BadLine(1e-3, (4.5, 5.5), (20, 150), (1000, 3000)),
    BadLine(1e-2, (15, 23), (200, 1000), (3000, 8000)),
)


@dataclass(frozen=True, slots=True)
class Delivered:
    """Hits over a bad line: how many were sent in, lost, invented or doubled on the way."""

    touches: int
    delivered: int
    lost: int
    wrong: int
    bad_frames: int
    dropped: int


def lossy_line(count: int, line: BadLine, seed: int) -> Delivered:
    """Touch pads again and again while bytes are damaged and the line fails now and then."""
    chance, done = random.Random(seed), touches()
    with desk(seed) as talk:
        board = talk.board
        board.corrupt(line.per_byte)
        t_ns = next_outage_ns = board.world.now_ns
        for number in range(count):
            t_ns += round(chance.uniform(*line.touch_ms) * MS)
            if t_ns > next_outage_ns:
                from_ns = t_ns + round(chance.uniform(*line.apart_ms) * MS)
                next_outage_ns = from_ns + round(chance.uniform(*line.out_ms) * MS)
                board.outage(from_ns, next_outage_ns)
            board.world.run_until(t_ns - 2 * MS)
            board.touch(number % PADS, t_ns, t_ns + TOUCH_NS)
            done.add(board, number % PADS, t_ns)
            traffic(talk, chance)
        board.corrupt(0)
        drain(talk)
        bad = board.bad_frames + talk.stats[-1].bad_frames
        return _delivered(talk, done, count, bad)


def _delivered(talk: Desk, done: Touches, count: int, bad: int) -> Delivered:
    """Score pad by pad: coincident pads have no order to be compared in."""
    lost, wrong = max(0, count - len(talk.hits)), max(0, len(talk.hits) - count)
    if not lost and not wrong:
        wrong = sum(pair.late_us > WRONG_US for pair in stamped(talk, done))
    return Delivered(count, len(talk.hits), lost, wrong, bad, talk.stats[-1].dropped)
