"""From what pads felt to touches: which count, when they were, and why the others do not."""

from __future__ import annotations

import math
from bisect import insort
from dataclasses import dataclass, field
from itertools import pairwise

from referee.pads.knocks import KNOCK_NS, judge_knock
from referee.pads.profile import PadProfile, Profile, WalkPoint, address_of
from referee.pads.protocol import RUNT, SAT, SHADOW, STORM, TEST_HIT, WEAK
from referee.pads.timeline import Moment, Timeline
from referee.pads.told import Edge, Felt

US, MS = 1_000, 1_000_000
# Hits wait for what may still explain them: the knock that they were, or the chatter they begin.
HOLD_NS = 150 * MS
# Four hands cannot touch one spot more often in this time: it is a broken pad.
CHATTER_NS, MOST_TOUCHES = 150 * MS, 4
# A pad that chattered counts again after this long without a hit.
QUIET_NS = 500 * MS
# When the contact was, against the stamp. The interrupt's way and the rounding to a tick; a stamp
# with SHADOW is up to 4.5 us late; before one with RUNT a contact may have come up to 2 ms earlier.
STAMP_NS = (-1500, -300)
SHADOW_NS, RUNT_NS = 4500, 2 * MS
# The time walk of pads that nobody calibrated: 5 to 95 % of drum pads' touches, as computed from
# recordings of five kinds of them.
WALK_NS = (-500 * US, 0)


@dataclass(frozen=True, slots=True)
class Struck:
    """A touch of a spot, after all that the pads alone can say.

    The contact was at a time uniform from `low_ns` to `high_ns`, blurred by `sigma_ns`, by the line
    `clock` that several boards may share (`Moment`): its distance to another touch there may be
    off by `rate_ppm` millionths more, its time by another clock by `host_half_ns`. `doubt` says
    why it counts only if a hand was seen there; empty for a sure one.
    """

    board: str
    pad: int
    spot: str
    seq: int
    low_ns: float
    high_ns: float
    sigma_ns: float
    host_half_ns: int
    peak: int
    clock: str
    rate_ppm: float
    doubt: str = ""

    @property
    def t_ns(self) -> int:
        """The middle of the time of contact."""
        return round((self.low_ns + self.high_ns) / 2)

    @property
    def u_ns(self) -> int:
        """Half the width of the interval that holds the time of contact with 95 %."""
        flat_ns = 0.475 * (self.high_ns - self.low_ns)
        return max(1, round(math.hypot(flat_ns, 1.96 * self.sigma_ns)))

    @property
    def flat_ns(self) -> int:
        """Half the stretch within which every time is as likely as another."""
        return round((self.high_ns - self.low_ns) / 2)

    @property
    def evidence(self) -> str:
        """Where it came from: board, pad and number."""
        return f"pad:{self.board}/{self.pad}#{self.seq}"

    def ignored(self, reason: str) -> Ignored:
        """Return it as a hit that does not count."""
        return Ignored(self.board, self.pad, self.spot, self.seq, self.t_ns, self.peak, reason)


@dataclass(frozen=True, slots=True)
class Ignored:
    """A hit that does not count, and why; kept for the record."""

    board: str
    pad: int
    spot: str
    seq: int
    t_ns: int
    peak: int
    reason: str


@dataclass(frozen=True, slots=True, order=True)
class _Raw:
    """A hit on the table's line, in the order of time."""

    t_ns: int
    board: str
    seq: int
    felt: Felt = field(compare=False)
    moment: Moment = field(compare=False)

    @property
    def address(self) -> str:
        return address_of(self.board, self.felt.hit.pad)

    @property
    def height(self) -> int:
        """The peak above the resting level."""
        return max(0, self.felt.hit.peak - self.felt.hit.baseline)


class HitSorter:
    """Sorts what all pads felt. Time comes as data; used by one thread."""

    def __init__(self, profile: Profile) -> None:
        """Begin with nothing felt."""
        self._profile = profile
        self._timeline = Timeline(min((pad.board for pad in profile.pads), default=""))
        self._waiting: list[_Raw] = []
        self._recent: list[_Raw] = []
        self._chatters: dict[str, tuple[int, int]] = {}
        self._blind: dict[str, int] = {}
        self._dropped: list[Ignored] = []

    def restarted(self, board: str) -> None:
        """Say that a board's clock began anew."""
        self._timeline.forget(board)

    def blinded(self, board: str, since_ns: int) -> None:
        """Say that a board may miss touches from `since_ns` on: none of its hits count."""
        self._blind[board] = since_ns

    def sighted(self, board: str, from_ns: int) -> None:
        """Say that a board's hits count again from `from_ns` on."""
        since_ns = self._blind.pop(board, from_ns)
        waiting = [raw for raw in self._waiting if raw.board == board]
        for raw in (raw for raw in waiting if since_ns <= raw.t_ns < from_ns):
            self._waiting.remove(raw)
            self._dropped.append(self._ignored(raw, "it came while the board was blind"))

    def edge(self, board: str, edge: Edge) -> None:
        """Take an edge of the sync wire."""
        self._timeline.edge(board, edge.ticks, edge.stamp)

    def felt(self, board: str, felt: Felt, now_ns: int) -> None:
        """Take a hit."""
        if felt.stamp is None:
            spot = self._spot(board, felt.hit.pad)
            reason = "the board's clock is not known yet"
            hit = felt.hit
            self._dropped.append(Ignored(board, hit.pad, spot, felt.seq, now_ns, hit.peak, reason))
            return
        moment = self._timeline.moment(board, felt.ticks, felt.stamp)
        raw = _Raw(moment.t_ns, board, felt.seq, felt, moment)
        if board in self._blind and raw.t_ns >= self._blind[board]:
            self._dropped.append(self._ignored(raw, "it came while the board was blind"))
        elif raw.t_ns < now_ns - 2 * HOLD_NS:
            late_ms = (now_ns - raw.t_ns) / MS
            self._dropped.append(self._ignored(raw, f"it was told {late_ms:.0f} ms late"))
        else:
            insort(self._waiting, raw)

    def until(self, now_ns: int) -> list[Struck | Ignored]:
        """Return what is decided by now, in the order of time."""
        ripe = [raw for raw in self._waiting if raw.t_ns <= now_ns - HOLD_NS]
        found: list[Struck | Ignored] = [*self._dropped]
        self._dropped.clear()
        self._find_chatter()
        for raw in ripe:
            self._waiting.remove(raw)
            found.append(self._decided(raw))
        recent_ns = now_ns - HOLD_NS - max(KNOCK_NS, CHATTER_NS)
        self._recent = [raw for raw in self._recent if raw.t_ns > recent_ns]
        return sorted(found, key=lambda one: one.t_ns)

    def _find_chatter(self) -> None:
        """Note the pads that were hit more often than hands can, and since when."""
        by_pad: dict[str, list[int]] = {}
        for raw in self._waiting:
            by_pad.setdefault(raw.address, []).append(raw.t_ns)
        for address, times in by_pad.items():
            first_ns, last_ns = self._chatters.get(address, (0, -QUIET_NS))
            for i, t_ns in enumerate(times):
                if 0 <= t_ns - last_ns <= QUIET_NS:
                    last_ns = t_ns
                elif i >= MOST_TOUCHES and t_ns - times[i - MOST_TOUCHES] <= CHATTER_NS:
                    first_ns, last_ns = times[i - MOST_TOUCHES], t_ns
            if last_ns > 0:
                self._chatters[address] = (first_ns, last_ns)

    def _decided(self, raw: _Raw) -> Struck | Ignored:
        hit = raw.felt.hit
        pad = self._profile.pad(raw.address)
        if pad is None:
            return self._ignored(raw, "this pad has no spot: `referee calibrate pads`")
        if hit.flags & TEST_HIT:
            return self._ignored(raw, "a self-test")
        if self._is_chatter(raw):
            return self._ignored(raw, "the pad chatters: check its wires")
        doubt = self._doubt(raw, pad)
        if doubt is None:
            return self._ignored(raw, "the knock of another pad, felt through the table")
        if not doubt:
            self._recent.append(raw)
        return _struck(raw, pad, doubt)

    def _is_chatter(self, raw: _Raw) -> bool:
        first_ns, last_ns = self._chatters.get(raw.address, (0, -1))
        return first_ns <= raw.t_ns <= last_ns

    def _doubt(self, raw: _Raw, pad: PadProfile) -> str | None:
        """Return why a hit needs a hand to count, empty for none; None for a knock."""
        hit = raw.felt.hit
        open_knock = ""
        for other in self._recent:
            if other.address == raw.address or not 0 <= raw.t_ns - other.t_ns <= KNOCK_NS:
                continue
            coupling = self._profile.coupling(other.address, raw.address)
            clipped = bool(other.felt.hit.flags & SAT)
            answer = judge_knock(raw.height, other.height, clipped, pad, coupling)
            if answer == "knock":
                return None
            if answer == "open":
                spot = self._spot(other.board, other.felt.hit.pad)
                open_knock = f"it may be the knock of {spot}"
        if hit.flags & WEAK:
            return "it is weaker than the pad's floor"
        if hit.flags & STORM:
            return "the pad chattered just before"
        return open_knock

    def _spot(self, board: str, pad: int) -> str:
        found = self._profile.pad(address_of(board, pad))
        return found.spot if found else "-"

    def _ignored(self, raw: _Raw, reason: str) -> Ignored:
        hit = raw.felt.hit
        spot = self._spot(raw.board, hit.pad)
        return Ignored(raw.board, hit.pad, spot, raw.seq, raw.t_ns, hit.peak, reason)


def _struck(raw: _Raw, pad: PadProfile, doubt: str) -> Struck:
    """Return the touch with its time of contact: the widest doubt is flat, the rest a blur."""
    hit, moment = raw.felt.hit, raw.moment
    spans: list[tuple[float, float]] = [STAMP_NS, (-moment.half_ns, moment.half_ns)]
    if hit.flags & SHADOW:
        spans.append((-SHADOW_NS, 0))
    if hit.flags & RUNT:
        spans.append((-RUNT_NS, 0))
    mean_ns, variance = 0.0, 0.0
    if pad.walk:
        late = walk_at(pad.walk, raw.height)
        mean_ns, variance = -late.late_us * US, (late.sd_us * US) ** 2
    else:
        spans.append(WALK_NS)
    spans.sort(key=lambda span: span[1] - span[0])
    low_ns, high_ns = spans.pop()
    for start_ns, end_ns in spans:
        mean_ns += (start_ns + end_ns) / 2
        variance += (end_ns - start_ns) ** 2 / 12
    at_ns = moment.t_ns + mean_ns
    return Struck(
        raw.board, hit.pad, pad.spot, raw.seq, at_ns + low_ns, at_ns + high_ns,
        math.sqrt(variance), moment.host_half_ns, hit.peak, moment.clock, moment.rate_ppm, doubt,
    )  # fmt: skip


def walk_at(walk: tuple[WalkPoint, ...], peak: float) -> WalkPoint:
    """Return the time walk at a peak, linear between the points and level beyond them."""
    if peak <= walk[0].peak:
        return walk[0]
    for low, high in pairwise(walk):
        if peak <= high.peak:
            share = (peak - low.peak) / (high.peak - low.peak)
            late_us = low.late_us + share * (high.late_us - low.late_us)
            return WalkPoint(peak, late_us, low.sd_us + share * (high.sd_us - low.sd_us))
    return walk[-1]
