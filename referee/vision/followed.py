"""A card that is followed, and which read may be of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from referee.values import PointMm
from referee.values.spots import BACK, NOT_READ, Spot
from referee.vision.gathering import SeenCard, apart_mm, half_turn_deg
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
# After so many looks that put a card on one side of its indices as many on the other move it.
MOST_SIDE = 3


@dataclass(frozen=True, slots=True)
class Ground:
    """What a look knows about any card's place, by its middle and turn.

    `clear`: it was looked at whole, lies still and the reader sees no hand on it. `free`: nor does
    motion show an arm there, whose sleeve the reader may take for cloth. `moved_ns`: when anything
    there last moved.
    """

    clear: Callable[[PointMm, float], bool]
    free: Callable[[PointMm, float], bool]
    moved_ns: Callable[[PointMm, float], int]


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
    seen at all, `asked_ns` when another look at it was asked for. `moving_ns` and `still_ns` are
    those of a spot; `exact`: it lies exactly on another card; `outlined`: its edges were seen;
    `beneath`: it was believed while a hand was still over it; `is_back`: it was rather a back,
    and no name was believed since. `backs` are votes for the learned deck whose back it shows.
    `beside` are names of cards that were read beside it, so that they are not it misread.
    `side` is how many more looks showed it here than on the other side of its indices, of which
    one look read `indices` at most, and two last at `whole_ns`.
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
    indices: int = 1
    whole_ns: int = 0
    beside: frozenset[str] = frozenset()
    sure: bool = False
    settled: bool = False
    timed: bool = False
    is_back: bool = False
    misses: int = 0
    missed_ns: int = 0
    seen_ns: int = 0
    asked_ns: int = 0

    @property
    def label(self) -> str:
        """What the card is believed to be; doubt about a back does not turn it face up."""
        said = self.votes.label
        return BACK if self.settled and self.is_back and said == NOT_READ else said

    @property
    def named(self) -> bool:
        """Whether its face is known."""
        return self.label not in (BACK, NOT_READ)

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

    def see_place(self, card: SeenCard) -> None:
        """Take in where a look puts it."""
        apart = apart_mm(self.at_mm, card.at_mm)
        if card.label == self.label and apart >= SAME_NAME_MM:
            self.side -= 1
            if self.side < 0:
                self.at_mm, self.angle_deg, self.side = card.at_mm, card.angle_deg, 0
        elif apart < SAME_NAME_MM:
            self.side = min(MOST_SIDE, self.side + 1)
            if card.reads >= SURE_READS:
                self.at_mm, self.angle_deg = card.at_mm, card.angle_deg

    def time(self, landed: tuple[int, int] | None) -> None:
        """Take the times of the last frame in which it moved and the first in which it lay."""
        self.timed = True
        if landed is not None:
            self.moving_ns, self.still_ns = landed

    def spot(self) -> Spot:
        """Return the card as a value."""
        return Spot(
            self.id,
            self.label,
            self.votes.conf,
            self.at_mm,
            self.angle_deg,
            self.moving_ns,
            self.still_ns,
            self._back,
            indices=self.indices,
        )

    @property
    def _back(self) -> str | None:
        believed = self.label == BACK and self.backs.label != NOT_READ
        return self.backs.label if believed else None


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


def misread(track: Track, card: SeenCard, ground: Ground) -> float | None:
    """A read with another name, where nothing moved since, is an error about the same card."""
    moved_ns = ground.moved_ns(track.at_mm, track.angle_deg)
    if moved_ns > track.named_ns or card.label in track.beside:
        return None
    # Errors keep half the name; in a cascade a card of another name lies 15 mm further on, and
    # one index tells its middle to 9 mm.
    return near(track, card, SAME_CARD_MM if _half_a_name(track, card) else ALIKE_MM)


def near(track: Track, card: SeenCard, reach_mm: float) -> float | None:
    """Return how far a read lies from a card, None where it is out of reach or turned."""
    turned = half_turn_deg(track.angle_deg, card.angle_deg)
    most_deg = SAME_BACK_DEG if card.label == BACK else SAME_CARD_DEG
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
