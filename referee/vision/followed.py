"""A card that is followed, and which read may be of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isnan

import numpy as np
from numpy.typing import NDArray

from referee.values import PointMm
from referee.values.spots import BACK, NOT_READ, Spot
from referee.vision.gathering import SeenCard, apart_mm, half_turn_deg
from referee.vision.landing import Landed
from referee.vision.networks import JOKER
from referee.vision.surface import NOT_SHOWN
from referee.vision.votes import Votes

# A card lies still, so only the reads' error moves it: 9 mm was the largest seen, on covered
# cards of which one index shows. Cards of a cascade lie 15 mm and more apart, and differ in name.
SAME_CARD_MM = 13.0
SAME_CARD_DEG = 25.0
# The turn of a back is guessed from its pattern, up to 25 degrees wrong.
SAME_BACK_DEG = 60.0
# Two cards of one name that overlap so far are one, read from one index and then the other.
SAME_NAME_MM = 20.0
# Reads with quite another name are of the same card only where they put it nearly exactly.
ALIKE_MM = 6.0
# A nameless read says less about where its card lies; a named card at such a place is that card.
NAMELESS_MM = 20.0
# Nobody lays a card so exactly onto another one by chance: more likely it is the same card, read
# differently, and that must be shown by more looks.
EXACT_MM, EXACT_DEG = 3.0, 2.5
# What lies still and is rather a back than any name, by two to one, is no card face up.
SIDE_FROM = 0.7
# Whose back it is, one look says with this probability: two looks are believed.
BACK_SCORE = 0.9
# A named card read this surely from both of its indices needs no second look.
SURE_SCORE, SURE_READS = 0.97, 2
# A card is read while a hand still pushes it into place: it came to rest up to so long after its
# first read.
SLIDES_NS = 350_000_000
# What a hand hid till it lay was read on its way, if before, no longer before that hand was there.
COMES_NS = 100_000_000
# What a hand laid and rested on, and took away again, it may have held still over its place.
TAKEN_CONF = 0.85
# A card that lies there under a hand is read, half of it at least, before so long.
UNREAD_NS = 1_000_000_000
# After so many looks that put a card on one side of its indices as many on the other move it.
MOST_SIDE = 3


def never(at_mm: PointMm, angle_deg: float) -> bool:
    """Know of no place that it is empty."""
    return False


def nothing_seen(points_mm: NDArray[np.float64]) -> NDArray[np.uint8]:
    """See nothing at some points (n, 2)."""
    return np.full(len(points_mm), NOT_SHOWN, np.uint8)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a look knows about any card's place, by its middle and turn.

    `clear`: it was looked at whole, lies still and the reader sees no hand on it. `free`: nor does
    motion show an arm there, whose sleeve the reader may take for cloth. `moved_ns`: when anything
    there last moved. `empty`: it looks as it did when it was known that no card lay there.
    `printed`: a marker or a back lies there, or nothing that a card's face shows. `backed`: most of
    it is a back. `bare`: most of it is the table. `kinds`: what some points (n, 2) of it show, of
    a surface.
    """

    clear: Callable[[PointMm, float], bool]
    free: Callable[[PointMm, float], bool]
    moved_ns: Callable[[PointMm, float], int]
    empty: Callable[[PointMm, float], bool] = never
    printed: Callable[[PointMm, float], bool] = never
    backed: Callable[[PointMm, float], bool] = never
    bare: Callable[[PointMm, float], bool] = never
    kinds: Callable[[NDArray[np.float64]], NDArray[np.uint8]] = nothing_seen


@dataclass(frozen=True, slots=True)
class CardLook:
    """The cards seen in one look at a part of the table, at `t_ns`.

    `before_ns` is the time of the frame before it.
    """

    t_ns: int
    before_ns: int
    cards: tuple[SeenCard, ...]
    ground: Ground


@dataclass(slots=True)
class Track:
    """One card that is followed.

    `named_ns` is when it was last read as what it is believed to be, `seen_ns` when it was last
    seen at all, `looked_ns` when a look told whether it is there, `asked_ns` when another one was
    asked for. `moving_ns` and `still_ns` are those of a spot; `exact`: it lies exactly on another
    card; `outlined`: its edges were seen; `beneath`: it was believed while a hand was still over
    it; `is_back`: it was rather a back, and no name was believed since. `backs` are votes for the
    learned deck whose back it shows. `beside` are names of cards that were read beside it, so that
    they are not it misread. `side` is how many more looks showed it here than on the other side of
    its indices, of which one look read `indices` at most, and two last at `whole_ns`; `placed`: its
    edges or opposite indices told once on which side it lies; else it may lie at `other_mm`.
    `buried_ns` is when it was known that it lies below another card, or was `taken` away, if no
    look ever showed it free of hands. `blanks` counts the looks, free of hands, that showed nothing
    there. `tried_ns` is when it was first looked up when it came to rest, `tried_mm` where it was
    last; one that `waits` is told after that. `read_ns` is since when it was read, under a hand,
    just where it lies, 0 if it was not. `other_ns` is when another card was last seen whole
    in its place. `reach_mm` is how far cards of its side showed from its middle, upwards and
    downwards, when that was first seen, or nan; one that `may_be_long` was read elsewhere than it
    lies in a look that did not show its ends.
    """

    id: int
    at_mm: PointMm
    angle_deg: float
    votes: Votes
    moving_ns: int
    still_ns: int
    named_ns: int
    first_ns: int
    exact: bool = False
    beneath: bool = False
    backs: Votes = field(default_factory=Votes)
    outlined: bool = True
    looks: int = 1
    side: int = 1
    placed: bool = False
    other_mm: PointMm | None = None
    indices: int = 1
    whole_ns: int = 0
    measured: bool = False
    beside: frozenset[str] = frozenset()
    sure: bool = False
    settled: bool = False
    timed: bool = False
    waits: bool = False
    tried_ns: int = 0
    tried_mm: PointMm = (0.0, 0.0)
    read_ns: int = 0
    other_ns: int = 0
    reach_mm: tuple[float, float] = (np.nan, np.nan)
    may_be_long: bool = False
    is_back: bool = False
    misses: int = 0
    blanks: int = 0
    missed_ns: int = 0
    seen_ns: int = 0
    looked_ns: int = 0
    asked_ns: int = 0
    buried_ns: int | None = None
    taken: bool = False

    @property
    def label(self) -> str:
        """What the card is believed to be; doubt about a back does not turn it face up."""
        said = self.votes.label
        return BACK if self.settled and self.is_back and said == NOT_READ else said

    @property
    def named(self) -> bool:
        """Whether its face is known."""
        return self.label not in (BACK, NOT_READ)

    @property
    def seems_back(self) -> bool:
        """Whether it is a back, or rather one than anything else."""
        return bool(self.votes.tally) and self.votes.tally[0][0] == BACK and not self.named

    @property
    def told(self) -> bool:
        """Whether it is believed, and known when it came to rest if that is to be known first."""
        return self.settled and (self.timed or not self.waits)

    def see_side(self) -> None:
        """Take in whether it lies face down, which is told sooner than a name."""
        if self.votes.tally and self.votes.lead >= SIDE_FROM:
            best = self.votes.tally[0][0]
            if best == BACK or self.votes.label == best:
                self.is_back = best == BACK

    def see_back(self, card: SeenCard) -> None:
        """Take in whose back a look shows."""
        if card.back is not None:
            self.backs = self.backs.with_read(card.back, BACK_SCORE)

    def see_place(self, card: SeenCard, ground: Ground) -> None:
        """Take in where a look puts it."""
        apart = apart_mm(self.at_mm, card.at_mm)
        told = side_told(card, ground)
        if card.label == self.label and apart >= SAME_NAME_MM:
            self.side -= told and not self.placed
            if self.side < 0:
                self.at_mm, self.angle_deg, self.side = card.at_mm, card.angle_deg, 0
                self.other_mm = card.other_mm
        elif apart < SAME_NAME_MM:
            self.side = min(MOST_SIDE, self.side + told)
            self.placed = self.placed or (card.named and card.other_mm is None)
            if card.reads >= SURE_READS:
                self.at_mm, self.angle_deg = card.at_mm, card.angle_deg

    def time(self, landed: Landed | None, t_ns: int, *, again: bool = False) -> None:
        """Take when it came to rest, None where the last frames do not tell.

        `again`: it was looked up at `t_ns` under a hand, and is to be once more. What changed long
        after it was read, or long after it was found to rest there, is a hand or another card that
        came upon it.
        """
        # Of a back that a hand half hides nothing is read for longer.
        half_hidden = landed is not None and landed.hidden and self.seems_back
        if again and landed is not None and self.first_ns - landed.t_ns > UNREAD_NS:
            # Else it is the card beside it that came to rest then, or the hand that laid that.
            landed = landed if half_hidden else None
        there = self.tried_ns and apart_mm(self.tried_mm, self.at_mm) < ALIKE_MM
        rested_ns = min(self.first_ns, self.still_ns) if there else self.first_ns
        if there and landed is not None and self._lay_there(landed):
            landed = None
        self.timed, self.tried_ns = not again, self.tried_ns or t_ns
        self.tried_mm = self.at_mm
        late_ns = COMES_NS if landed is not None and landed.hidden else SLIDES_NS
        if landed is not None and landed.t_ns - landed.u_ns <= rested_ns + late_ns:
            self.moving_ns, self.still_ns = landed.t_ns - landed.u_ns, landed.t_ns + landed.u_ns
            self.measured = not landed.hidden

    def _lay_there(self, landed: Landed) -> bool:
        """Whether a card was found to rest, and read there, before it now seems to have landed.

        Then it is the hand upon it that left.
        """
        came_ns = landed.t_ns - landed.u_ns
        return (self.read_ns or self.first_ns) < came_ns and self.still_ns < came_ns

    def spot(self) -> Spot:
        """Return the card as a value."""
        return Spot(
            self.id,
            self.label,
            min(self.votes.conf, TAKEN_CONF) if self.taken else self.votes.conf,
            self.at_mm,
            self.angle_deg,
            self.moving_ns,
            self.still_ns,
            self._back,
            indices=self.indices,
            whole_ns=self.whole_ns if self.indices >= SURE_READS else 0,
            measured=self.measured,
            other_mm=None if self.placed or self.indices >= SURE_READS else self.other_mm,
            missed=self.misses > 0,
            reach_mm=_known(self.reach_mm),
        )

    @property
    def _back(self) -> str | None:
        believed = self.label == BACK and self.backs.label != NOT_READ
        return self.backs.label if believed else None


def _known(reach_mm: tuple[float, float]) -> tuple[float | None, float | None]:
    up_mm, down_mm = (None if isnan(mm) else mm for mm in reach_mm)
    return up_mm, down_mm


def side_told(card: SeenCard, ground: Ground) -> bool:
    """Whether a look compared both sides of a card's index, or needs not to."""
    return card.other_mm is None or ground.clear(card.other_mm, card.angle_deg)


def looks_like(track: Track, card: SeenCard) -> bool:
    """Whether a card may be another one misread: it lies exactly there, or shares half a name."""
    apart = apart_mm(track.at_mm, card.at_mm)
    turned = half_turn_deg(track.angle_deg, card.angle_deg)
    if apart < EXACT_MM and turned < EXACT_DEG:
        return True
    if not (track.named and card.named) or apart >= SAME_CARD_MM or turned >= SAME_CARD_DEG:
        return False
    return _half_a_name(track, card)


def _half_a_name(track: Track, card: SeenCard) -> bool:
    """Whether two names share rank or suit, or one of them is no name."""
    if not (track.named and card.named):
        return True
    return track.label[0] == card.label[0] or track.label[-1] == card.label[-1]


def ends_of(card: SeenCard) -> int:
    """Return how many indices a look showed, those along one edge counted once.

    Some decks have four: what peeks out below another card may show two.
    """
    return 1 if card.strip else card.reads


def is_sure(card: SeenCard) -> bool:
    """Whether a card was read so surely that it needs no second look."""
    return card.named and card.score >= SURE_SCORE and card.reads >= SURE_READS


def same_name(track: Track, card: SeenCard) -> float | None:
    """Return how far a read with the name of a card lies from it, None where it is of another."""
    best = track.votes.tally[0][0] if track.votes.tally else NOT_READ
    if card.label != best:
        return None
    return near(track, card, SAME_CARD_MM if card.label == BACK else SAME_NAME_MM)


def nameless(track: Track, card: SeenCard, ground: Ground) -> float | None:
    """A read without a name confirms a face-up card at its place, unless one was laid there."""
    best = track.votes.tally[0][0] if track.votes.tally else NOT_READ
    if NOT_READ not in (card.label, best) or BACK in (card.label, best):
        return None
    if ground.moved_ns(track.at_mm, track.angle_deg) > track.named_ns:
        return near(track, card, EXACT_MM)
    return near(track, card, NAMELESS_MM if card.label == NOT_READ else SAME_CARD_MM)


def dazzled(track: Track, card: SeenCard, ground: Ground) -> float | None:
    """A card in which a lamp mirrors shows no face: where nothing moved, it lies there still."""
    moved = ground.moved_ns(track.at_mm, track.angle_deg) > track.named_ns
    return nameless(track, card, ground) if track.named and not moved else None


def is_print(card: SeenCard, ground: Ground) -> bool:
    """Whether what was taken for a card, without its name, is printed on the table."""
    return card.label in (NOT_READ, JOKER) and ground.printed(card.at_mm, card.angle_deg)


def is_half(card: SeenCard, label: str) -> bool:
    """Whether a read is that of one digit of a card's number: the other one was hidden."""
    one = card.named and card.reads < SURE_READS
    return one and label != NOT_READ and len(card.label) < len(label) and card.label in label


def half_read(track: Track, card: SeenCard) -> float | None:
    """Return how far half a number lies from the card that it is known to be of."""
    return near(track, card, SAME_CARD_MM) if is_half(card, track.label) else None


def grew(track: Track, card: SeenCard) -> bool:
    """Whether a card of which one index was read is plainly one with a digit more."""
    longer = len(card.label) > len(track.label) and track.label in card.label
    return longer and track.named and track.indices < SURE_READS and is_sure(card)


def misread(track: Track, card: SeenCard, ground: Ground) -> float | None:
    """A read with another name, where nothing moved since, is an error about the same card."""
    if (away_mm := near(track, card, SAME_CARD_MM)) is None or grew(track, card):
        return away_mm
    if card.label in track.beside:
        return None
    if ground.moved_ns(track.at_mm, track.angle_deg) > track.named_ns:
        return None
    # Errors keep half the name; in a cascade a card of another name lies 15 mm further on, and
    # one index tells its middle to 9 mm.
    return near(track, card, SAME_CARD_MM if _half_a_name(track, card) else ALIKE_MM)


def near(track: Track, card: SeenCard, reach_mm: float) -> float | None:
    """Return how far a read lies from a card, None where it is out of reach or turned."""
    turned = half_turn_deg(track.angle_deg, card.angle_deg)
    most_deg = SAME_BACK_DEG if card.label == BACK else SAME_CARD_DEG
    if card.upon == track.id:
        return None
    if card.label != NOT_READ and turned >= most_deg:
        return None
    apart = apart_mm(track.at_mm, card.at_mm)
    if apart < reach_mm:
        return apart
    return across_mm + reach_mm if (across_mm := lies_across(track, card)) is not None else None


def lies_across(track: Track, card: SeenCard) -> float | None:
    """How far a card lies from where a read puts it on its index's other side; None: elsewhere.

    Read from indices on one side only: those may be the outer ones of a card with four.
    """
    if card.other_mm is None or not track.settled or card.label not in (track.label, NOT_READ):
        return None
    across_mm = apart_mm(track.at_mm, card.other_mm)
    return across_mm if across_mm < SAME_CARD_MM else None
