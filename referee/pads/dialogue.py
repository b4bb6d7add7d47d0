"""The talk with one board, without its port: bytes and times in, bytes and news out.

Knows no thread and no clock of its own, so that hours of it are played through in seconds.
"""

from __future__ import annotations

import random
from collections import deque

from referee.pads.arrivals import SEQS, Arrivals, Asked
from referee.pads.clock import BoardClock, ClockFault, Exchange, extended
from referee.pads.protocol import (
    ARMED,
    BYTE_NS,
    FAULTS,
    NO_NAME,
    PONG_BYTES,
    PROTOCOL,
    STAT_BYTES,
    Ack,
    ConfigTaken,
    Configure,
    Deframer,
    Foreign,
    Hello,
    Hit,
    Ident,
    Lit,
    Nak,
    Name,
    Ping,
    Pong,
    SelfTest,
    Stat,
    Synced,
    Tested,
    ToBoard,
    Wave,
    frame,
)
from referee.pads.told import (
    Answer,
    Blinded,
    Edge,
    Felt,
    Greeted,
    Heartbeat,
    Linked,
    LinkState,
    Sighted,
    Told,
)

MS = 1_000_000
HELLO_NS = 200 * MS
# The boot loader of an Uno takes up to 2 s after the reset that opening the port causes.
FIRST_HELLO_NS = 2000 * MS
NO_ANSWER_NS = 5000 * MS
# Pongs come every 50 ms: a second without one valid frame is 20 of them missing. A STAT may be
# lost on a bad line; with one byte in a hundred damaged, five in a row are so once in 50 s.
SILENT_NS, NO_STAT_NS = 1000 * MS, 2500 * MS
# Pings come at random so that they meet the frames of the USB at every phase. Up to 25 zeros
# before each (1 ms on the line) do the same for the way back.
PING_NS = (30 * MS, 70 * MS)
MOST_ZEROS = 25
ACK_NS = 20 * MS
LONGEST_WRITE_NS = 1 * MS
ASK_AGAIN_NS, MOST_ASKED = 150 * MS, 20
# A board is of use once its times can be compared with a camera's, whose uncertainty this is.
WORST_HALF_NS = 25 * MS
MOST_PINGS = 64
# An adapter's own baud may be this much off before bytes are garbled.
LINE_SHARE = 0.98
PONG_NS = int(PONG_BYTES * BYTE_NS * LINE_SHARE)
STAT_NS = int(STAT_BYTES * BYTE_NS * LINE_SHARE)
ROUND_TRIPS = 400
NEVER_NS = 1 << 62


class Dialogue:
    """The talk with one board. Times are host nanoseconds; not to be used by two threads at once.

    `read` takes what came, `write` gives what goes, `tick` looks at the time.
    """

    def __init__(self, chance: random.Random, opened_ns: int) -> None:
        """Begin a talk with a port that was opened at `opened_ns`."""
        self._chance = chance
        self._deframer = Deframer()
        self._session = chance.randrange(1, 1 << 32)
        self._hello_due_ns: int | None = opened_ns + FIRST_HELLO_NS
        self._ping_due_ns: int | None = None
        self._pings: dict[int, int] = {}
        self._last_pings: tuple[int, ...] = ()
        self._ping_id = chance.randrange(SEQS)
        self._arrivals = Arrivals()
        self._asked: deque[Asked] = deque()
        self._once: deque[ToBoard] = deque()
        self._ticks = 0
        self._bytes_seen = 0
        self._heard_ns = opened_ns
        self._stat: Stat | None = None
        self._stat_ns = opened_ns
        self._blind_since_ns: int | None = opened_ns
        self._blind_why = "not connected yet"
        self.state: LinkState = "BLIND"
        self.ident: Ident | None = None
        self.clock = BoardClock(2_000_000)
        self.round_trips_ns: deque[int] = deque(maxlen=ROUND_TRIPS)

    @property
    def bad_frames(self) -> int:
        """How many frames came damaged."""
        return self._deframer.bad

    @property
    def stat(self) -> Stat | None:
        """The latest heartbeat."""
        return self._stat

    def half_ns(self) -> int | None:
        """Return the largest error of a host time told now, None while the clock is unknown."""
        return self.clock.stamp(self._ticks).half_ns if self.clock.ready else None

    def blind_since_ns(self) -> int:
        """Return since when touches may have been missed, if the port breaks now."""
        return self._stat_ns if self._blind_since_ns is None else self._blind_since_ns

    def ask(self, word: Configure | SelfTest | Name) -> None:
        """Ask until it is answered; the answer comes as news."""
        self._asked.append(Asked(word))

    def say(self, word: ToBoard) -> None:
        """Send a word once."""
        self._once.append(word)

    # What goes out.

    def due_ns(self) -> int:
        """Return the time at which `write` has something to say next."""
        dues = (self._hello_due_ns, self._ping_due_ns, self._arrivals.ack_due_ns)
        times = [self._heard_ns + NEVER_NS, *(t for t in dues if t is not None)]
        if self.ident is not None:
            times += [asked.due_ns for asked in list(self._asked)[:1]] + [0] * len(self._once)
        if self._arrivals.ahead:
            times.append(self._arrivals.nak_due_ns)
        return min(times)

    def write(self, now_ns: int) -> bytes:
        """Return what is due at `now_ns`, to be written at once; empty where nothing is."""
        out = bytearray()
        if self._hello_due_ns is not None and now_ns >= self._hello_due_ns:
            out += b"\0" + frame(Hello(PROTOCOL, self._session))
            self._hello_due_ns = now_ns + HELLO_NS
        if self.ident is not None:
            out += self._hits_answered(now_ns) + self._questions(now_ns)
            while self._once:
                out += frame(self._once.popleft())
        self._last_pings = ()
        if self._ping_due_ns is not None and now_ns >= self._ping_due_ns:
            out += self._ping(now_ns, len(out))
        return bytes(out)

    def wrote(self, took_ns: int) -> None:
        """Say how long the last write took: pings that had to wait tell no time."""
        if took_ns > LONGEST_WRITE_NS:
            for id in self._last_pings:
                self._pings.pop(id, None)

    def _hits_answered(self, now_ns: int) -> bytes:
        arrivals, out = self._arrivals, b""
        if arrivals.ack_due_ns is not None and now_ns >= arrivals.ack_due_ns:
            again = arrivals.acked != arrivals.next
            out += frame(Ack(arrivals.next % SEQS))
            arrivals.acked = arrivals.next
            arrivals.ack_due_ns = now_ns + ACK_NS if again else None
        if arrivals.ahead and now_ns >= arrivals.nak_due_ns:
            out += frame(Nak(arrivals.next % SEQS))
            arrivals.nak_due_ns = now_ns + ACK_NS
        return out

    def _questions(self, now_ns: int) -> bytes:
        while self._asked and self._asked[0].tries >= MOST_ASKED:
            self._asked.popleft()
        if not self._asked or now_ns < self._asked[0].due_ns:
            return b""
        asked = self._asked[0]
        asked.tries, asked.due_ns = asked.tries + 1, now_ns + ASK_AGAIN_NS
        return frame(asked.word)

    def _ping(self, now_ns: int, before: int) -> bytes:
        self._ping_id = (self._ping_id + 1) % SEQS
        zeros = self._chance.randrange(MOST_ZEROS + 1)
        out = bytes(zeros) + frame(Ping(self._ping_id))
        line_ns = int((before + len(out)) * BYTE_NS * LINE_SHARE)
        self._pings[self._ping_id] = now_ns + line_ns
        self._last_pings = (self._ping_id,)
        if len(self._pings) > MOST_PINGS:
            del self._pings[next(iter(self._pings))]
        self._ping_due_ns = now_ns + self._chance.randint(*PING_NS)
        return out

    # What comes in.

    def read(self, data: bytes, now_ns: int) -> list[Told]:
        """Take bytes that had come by `now_ns`; returns what they tell."""
        told: list[Told] = []
        self._bytes_seen += len(data)
        for word in self._deframer.feed(data):
            if not isinstance(word, ToBoard):
                self._heard_ns = now_ns
                told += self._take(word, now_ns)
        return told + self.tick(now_ns)

    def tick(self, now_ns: int) -> list[Told]:
        """Look whether the board has fallen silent; returns what that tells."""
        if self.state == "LIVE":
            if now_ns - self._heard_ns > SILENT_NS or now_ns - self._stat_ns > NO_STAT_NS:
                why = "the board has fallen silent: is its cable in?"
                self._hello_due_ns = now_ns
                return self._blinded("STALE", now_ns, why)
        elif self.ident is None and now_ns - self._heard_ns > NO_ANSWER_NS:
            return self._no_answer(now_ns)
        return []

    def _no_answer(self, now_ns: int) -> list[Told]:
        if self.state == "WRONG FIRMWARE":
            return []
        if self._bytes_seen:
            why = "it speaks, but not as a touchpad does: flash it (`referee pads flash`)"
            return self._blinded("WRONG FIRMWARE", now_ns, why)
        if self._blind_why.startswith("it does not answer"):
            return []
        why = "it does not answer: flash it (`referee pads flash`), or unplug it and plug it in"
        return self._blinded("BLIND", now_ns, why)

    def _take(self, word: object, now_ns: int) -> list[Told]:
        match word:
            case Hit():
                return self._hit(word, now_ns)
            case Pong():
                return self._pong(word, now_ns)
            case Stat():
                return self._heartbeat(word, now_ns)
            case Ident():
                return self._identified(word, now_ns)
            case Synced():
                return self._edge(word)
            case Foreign():
                return self._foreign(word, now_ns)
            case Lit() if self.ident is not None and self.clock.ready:
                return [Answer(word, self.clock.stamp(self._near(word.t)))]
            case ConfigTaken() | Tested() | Wave():
                return self._answer(word)
        return []

    def _foreign(self, word: Foreign, now_ns: int) -> list[Told]:
        if self.state == "WRONG FIRMWARE":
            return []
        why = f"its firmware speaks protocol {word.protocol}, this program speaks {PROTOCOL}: "
        self._hello_due_ns = self._ping_due_ns = None
        return self._blinded("WRONG FIRMWARE", now_ns, why + "flash it (`referee pads flash`)")

    def _identified(self, ident: Ident, now_ns: int) -> list[Told]:
        told: list[Told] = []
        if self.ident is not None and ident.boot != self.ident.boot:
            told += self._restarted(now_ns)
        if ident.session != self._session:
            self._hello_due_ns = min(self._hello_due_ns or now_ns, now_ns)
            return told
        self._hello_due_ns = None
        if ident.state != ARMED:
            return told + self._refused(ident, now_ns)
        if self.ident is None:
            self.clock = BoardClock(ident.tick_hz)
            told.append(Greeted(ident))
            self._ping_due_ns = now_ns
            if ident.uid == NO_NAME:
                self.ask(Name(self._chance.randbytes(8)))
        elif ident.uid != self.ident.uid:
            told.append(Greeted(ident))
        self._named(ident)
        self.ident = ident
        return told + self._maybe_live(now_ns)

    def _named(self, ident: Ident) -> None:
        if self._asked and self._asked[0].word == Name(ident.uid):
            self._asked.popleft()

    def _refused(self, ident: Ident, now_ns: int) -> list[Told]:
        faults = [text for bit, text in enumerate(FAULTS) if ident.faults >> bit & 1]
        why = f"the board refuses to start: {', '.join(faults) or 'it does not say why'}"
        return [] if self._blind_why == why else self._blinded("BLIND", now_ns, why)

    def _restarted(self, now_ns: int) -> list[Told]:
        """Begin anew: the board has lost its session, its ring and its clock."""
        self._session = self._chance.randrange(1, 1 << 32)
        self._arrivals = Arrivals()
        self._pings.clear()
        self._ticks = 0
        self.ident, self._stat = None, None
        self._hello_due_ns, self._ping_due_ns = now_ns, None
        self.clock.restart()
        return self._blinded("BLIND", now_ns, "the board was restarted")

    def _blinded(self, state: LinkState, now_ns: int, why: str) -> list[Told]:
        told: list[Told] = [Linked(state, now_ns, why)]
        if self._blind_since_ns is None:
            self._blind_since_ns = self._stat_ns
            told.append(Blinded(self._stat_ns, why))
        self.state, self._blind_why = state, why
        return told

    def _maybe_live(self, now_ns: int) -> list[Told]:
        """Become LIVE once the board is armed and its clock is known."""
        if self.state == "LIVE" or self.ident is None or not self.clock.ready:
            return []
        half_ns = self.half_ns()
        if self._hello_due_ns is not None or half_ns is None or half_ns > WORST_HALF_NS:
            return []
        since_ns, why = self._blind_since_ns, self._blind_why
        self.state, self._blind_since_ns = "LIVE", None
        self._stat_ns = now_ns
        told: list[Told] = [Linked("LIVE", now_ns)]
        if since_ns is not None:
            told.append(Sighted(since_ns, now_ns, why))
        return told

    def _near(self, ticks32: int) -> int:
        self._ticks = max(self._ticks, extended(ticks32, self._ticks))
        return extended(ticks32, self._ticks)

    def _hit(self, hit: Hit, now_ns: int) -> list[Told]:
        if self.ident is None:
            return []
        arrivals = self._arrivals
        seq = arrivals.take(hit.seq)
        arrivals.acked = -1
        if arrivals.ack_due_ns is None:
            arrivals.ack_due_ns = now_ns + ACK_NS
        if seq is None:
            return []
        ticks = self._near(hit.t)
        stamp = self.clock.stamp(ticks) if self.clock.ready else None
        return [Felt(hit, seq, ticks, stamp, now_ns)]

    def _pong(self, pong: Pong, now_ns: int) -> list[Told]:
        sent_ns = self._pings.pop(pong.id, None)
        if sent_ns is None or self.ident is None:
            return []
        self.round_trips_ns.append(now_ns - sent_ns)
        rx, tx = self._near(pong.t_rx), self._near(pong.t_tx)
        try:
            self.clock.add(Exchange(sent_ns, now_ns - PONG_NS, rx, tx))
        except ClockFault:
            return self._clock_fault(now_ns)
        return self._maybe_live(now_ns)

    def _clock_fault(self, now_ns: int) -> list[Told]:
        self.clock.restart()
        self._pings.clear()
        # It may have been a reset, of which the board tells only later: ask who it is now.
        self._hello_due_ns = now_ns
        return self._blinded("BLIND", now_ns, "a clock jumped: the board's time is learnt anew")

    def _heartbeat(self, stat: Stat, now_ns: int) -> list[Told]:
        if self.ident is None:
            return []
        if stat.boot != self.ident.boot:
            return self._restarted(now_ns)
        told: list[Told] = [Heartbeat(stat, now_ns)]
        if stat.state != ARMED:
            self._hello_due_ns = min(self._hello_due_ns or now_ns, now_ns)
            if self.state == "LIVE":
                told += self._blinded("BLIND", now_ns, "the board has left the session")
        before, before_ns = self._stat, self._stat_ns
        self._stat, self._stat_ns = stat, now_ns
        if before is not None and stat.dropped != before.dropped and self.state == "LIVE":
            lost = (stat.dropped - before.dropped) % SEQS
            why = f"the board had to drop {lost} touches"
            told += [Blinded(before_ns, why), Sighted(before_ns, now_ns, why)]
        try:
            self.clock.heard(self._near(stat.t), now_ns - STAT_NS)
        except ClockFault:
            return told + self._clock_fault(now_ns)
        return told + self._maybe_live(now_ns)

    def _edge(self, synced: Synced) -> list[Told]:
        if self.ident is None:
            return []
        ticks = self._near(synced.t)
        stamp = self.clock.stamp(ticks) if self.clock.ready else None
        return [Edge(ticks, synced.count, bool(synced.master), stamp)]

    def _answer(self, word: ConfigTaken | Tested | Wave) -> list[Told]:
        asked = self._asked[0].word if self._asked else None
        match word, asked:
            case ConfigTaken(pad=pad, field=number), Configure(pad=p, field=f):
                done = (pad, number) == (p, f)
            case Tested(kind=kind, pad=pad), SelfTest(kind=k, pad=p):
                done = (kind, pad) == (k, p)
            case _:
                done = False
        if done:
            self._asked.popleft()
        return [Answer(word)]
