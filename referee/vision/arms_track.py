"""One hand as it is followed from frame to frame."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.values import Place, PointMm
from referee.vision.arms_seat import clear_seat, right_evidence, seat_evidence, stays
from referee.vision.arms_shape import Arm, Expected

# The working point follows the outline by this share and the motion of the pixels otherwise.
OUTLINE_SHARE, OUTLINE_SHARE_SHARED = 0.35, 0.1
# Farther apart than this the outline is right (the end of an arm came out), of two arms in one
# outline only when it stays so.
OUTLINE_JUMP_MM, ASTRAY_FRAMES = 70.0, 6
# A hand under another is believed to go on, ever slower: hands meet to stop.
UNSEEN_SHARE = 0.6
# A fast reach is 3.6 m/s at its peak; a hand that was lost may have gone this far.
FARTHEST_MM, FARTHEST_NS = 150.0, 100_000_000
# Frames say nearly the same again and again: each moves the evidence by this share, less where
# another arm blurs the outline.
VOTE_SHARE, VOTE_SHARE_SHARED = 0.15, 0.04
# The end of an outline wanders by this while a laid card is its end.
STAYED_MM = 12.0
# A thing that is there at once has not moved, as hands do: of an arm at 3.6 m/s two frames at 30 a
# second show the way. Where nobody looked for longer, what reaches in so far is an arm.
CAME_MM, GROWN_MM, LONG_MM, LOOKED_NS = 12.0, 60.0, 130.0, 70_000_000
# Where an arm comes from is told from this much of it.
TELLING_REACH_MM = 70.0
# A hand that was followed for so many frames, and was slower than this in the last one, rested.
# From rest none goes so far in a thirtieth of a second: it would gain 50 m/s every second.
KNOWN_FRAMES, AT_REST_MM_S, FROM_REST_MM = 4, 10.0, 28.0
# Log odds from which a hand is called left or right: e to one.
SIDE_ODDS = 1.0


@dataclass(frozen=True, slots=True)
class Motion:
    """How a hand moved since its last frame: its pixels' mean way, and its middle's shift (2,)."""

    far_mm: float
    shift_mm: NDArray[np.float64]


class Track:
    """One hand: its last place and motion, and what was seen of whose it is."""

    def __init__(self, number: int, arm: Arm, t_ns: int, unseen_ns: int) -> None:
        """Begin with the first arm seen at a time, `unseen_ns` after the table was last seen."""
        self.id = number
        self.arm = arm
        self.tip_mm, self.root_mm = arm.tip_mm, arm.root_mm
        self.velocity_mm_s = np.zeros(2)
        self.speed_mm_s = 0.0
        self.t_ns = t_ns
        self.frames = 1
        self.woke = self.rested = False
        self._first_mm, self._path_mm = arm.reach_mm, 0.0
        self._reached_mm = arm.reach_mm
        self._unwatched = unseen_ns > LOOKED_NS
        self._astray = 0
        self._gone_mm = np.zeros(2)
        self._ways = deque([(t_ns, self._gone_mm, arm.tip_mm)], maxlen=90)
        self.seat: str | None = None
        """Whose hand it is, None while that is not clear."""
        self._seats: dict[str, float] = {}
        self._right: dict[str, float] = {}

    def expected(self, t_ns: int) -> Expected:
        """Return where the arm should be at a time."""
        ahead = self.velocity_mm_s * min(t_ns - self.t_ns, FARTHEST_NS) / 1e9
        far_mm = float(np.hypot(*ahead))
        tip = self.tip_mm + ahead * min(1.0, FARTHEST_MM / max(far_mm, 1e-6))
        return Expected(point(self.root_mm), point(tip), self._reached_mm)

    def left_behind_ns(self, far_mm: float) -> int | None:
        """Return the last time from which the hand has gone `far_mm` and its outline's end has not.

        None where there is no such time: no thing was left at the outline's end.
        """
        for t_ns, gone_mm, end_mm in reversed(self._ways):
            if float(np.hypot(*(self._gone_mm - gone_mm))) >= far_mm:
                stayed = float(np.hypot(*(self.arm.tip_mm - end_mm))) < STAYED_MM
                return t_ns if stayed else None
        return None

    def follow(self, arm: Arm, motion: Motion | None, t_ns: int) -> None:
        """Go on to the arm of a later frame; `motion` is None where its pixels were not found."""
        outline_mm = arm.tip_mm - self.tip_mm
        self._reached_mm = max(self._reached_mm, arm.reach_mm)
        if self._only_shows_otherwise(arm, outline_mm, motion):
            motion = Motion(0.0, np.zeros(2))
        if motion is None:
            shift_mm = outline_mm
            if arm.shared:
                shift_mm = UNSEEN_SHARE * (np.array(self.expected(t_ns).tip_mm) - self.tip_mm)
            elif float(np.hypot(*outline_mm)) > STAYED_MM:
                self._path_mm += float(np.hypot(*outline_mm))
            motion = Motion(float(np.hypot(*shift_mm)), shift_mm)
        else:
            self._path_mm += motion.far_mm
            self._gone_mm = self._gone_mm + motion.shift_mm
        self._ways.append((t_ns, self._gone_mm, arm.tip_mm))
        dt_s = (t_ns - self.t_ns) / 1e9
        gap_mm = outline_mm - motion.shift_mm
        share = self._outline_share(arm, float(np.hypot(*gap_mm)), motion.far_mm)
        self.tip_mm = self.tip_mm + motion.shift_mm + share * gap_mm
        self.velocity_mm_s = motion.shift_mm / dt_s
        self.speed_mm_s = motion.far_mm / dt_s
        self.root_mm, self.arm = arm.root_mm, arm
        self.t_ns, self.frames = t_ns, self.frames + 1

    def _only_shows_otherwise(
        self, arm: Arm, outline_mm: NDArray[np.float64], motion: Motion | None
    ) -> bool:
        """Whether a hand that rested cannot have gone so far in one frame: its outline changed."""
        if self.frames < KNOWN_FRAMES or self.speed_mm_s >= AT_REST_MM_S or arm.shared:
            return False
        if motion is None:
            return float(np.hypot(*outline_mm)) > STAYED_MM
        return motion.far_mm > FROM_REST_MM

    def _outline_share(self, arm: Arm, gap_mm: float, far_mm: float) -> float:
        clear = arm.ends_clearly
        astray = gap_mm > OUTLINE_JUMP_MM and clear
        self._astray = self._astray + 1 if astray else 0
        if self._astray > (ASTRAY_FRAMES if arm.shared else 0):
            return 1.0
        # Two arms in one outline: a hand at rest does not creep towards where they part.
        if arm.shared:
            return OUTLINE_SHARE_SHARED * min(far_mm / 5.0, 1.0) if clear else 0.0
        return OUTLINE_SHARE

    def vote(self, places: Mapping[str, Place]) -> None:
        """Weigh whose hand this is by the arm of the last frame."""
        if self.arm.reach_mm < TELLING_REACH_MM:
            return
        share = VOTE_SHARE_SHARED if self.arm.shared else VOTE_SHARE
        root, tip = point(self.root_mm), point(self.arm.tip_mm)
        for seat, evidence in seat_evidence(tuple(places.values()), root, tip).items():
            right = right_evidence(places[seat], root, tip, self.arm.side_mm)
            _lean(self._seats, seat, evidence, share)
            _lean(self._right, seat, right, share)

    @property
    def came(self) -> bool:
        """Whether it came as hands do: it moved or grew, or is long and nobody looked before."""
        grown_mm = self.arm.reach_mm - self._first_mm
        if self.woke or self._path_mm >= CAME_MM or grown_mm >= GROWN_MM:
            return True
        return self._unwatched and self.arm.reach_mm >= LONG_MM

    @property
    def appeared(self) -> bool:
        """Whether it was suddenly there while the table was watched, and never moved."""
        return not self.came and not self._unwatched

    @property
    def entered(self) -> bool:
        """Whether it was known before it moved or came over the edge: all of it is arm."""
        return self.woke or (self._first_mm < LONG_MM and not self._unwatched)

    def name(self, others: Iterable[Track]) -> None:
        """Settle whose hand it is: nobody has three, so who has two clear ones is not asked.

        Whose it clearly was it stays, where it reaches to between two players as well.
        """
        before, self.seat = self.seat, clear_seat(self._seats)
        if self.seat is None:
            theirs = [clear_seat(one._seats) for one in others]
            free = {s: odds for s, odds in self._seats.items() if theirs.count(s) < 2}
            self.seat = clear_seat(free) or (before if stays(free, before) else None)

    def side(self, others: Iterable[Track]) -> str | None:
        """Return L, R or `?` by the order of a player's arms, else by the shoulder and thumb."""
        seat = self.seat
        if seat is None:
            return None
        odds = self._right.get(seat, 0.0)
        # One that was seen a moment ago may be this one.
        mine = (one for one in others if one is not self and one.seat == seat)
        beside = [one for one in mine if one.t_ns == self.t_ns]
        if len(beside) > 1:
            return "?"
        if beside:
            odds -= beside[0]._right.get(seat, 0.0)
        if abs(odds) < SIDE_ODDS:
            return "?"
        return "R" if odds > 0 else "L"

    @property
    def score(self) -> float:
        """How sure it is that this is a hand: long arms, seen for long and clearly, are."""
        reach = min(self.arm.reach_mm / 150.0, 1.0)
        seen = min(self.frames / 6.0, 1.0)
        clear = min(self.arm.solid_share * 1.5, 1.0)
        return round(0.4 + 0.25 * reach + 0.2 * seen + 0.14 * clear, 3)


def point(at: NDArray[np.float64]) -> PointMm:
    """Return a place as a plain pair."""
    return float(at[0]), float(at[1])


def _lean(votes: dict[str, float], name: str, evidence: float, share: float) -> None:
    before = votes.get(name, evidence)
    votes[name] = before + share * (evidence - before)
