"""Follows cards from look to look: which read is of which card, and when a card is there or gone.

A card is believed after several looks, and gone after several looks at a still, uncovered place.
What is hidden by a hand or still moving is neither: not seen is not gone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.values import PointMm
from referee.values.spots import BACK, NOT_READ, Spot
from referee.vision.gathering import SeenCard, apart_mm, half_turn_deg
from referee.vision.votes import Votes

# A card lies still, so only the reads' error moves it: 9 mm was the largest seen, on covered
# cards of which one index shows. Cards of a cascade lie 15 mm and more apart, and differ in name.
SAME_CARD_MM = 13.0
SAME_CARD_DEG = 25.0
# Two cards of one name that overlap so far are one, read from one index and then the other.
SAME_NAME_MM = 20.0
# A nameless read says less about where its card lies; a named card at such a place is that card.
NAMELESS_MM = 20.0
# Nobody lays a card so exactly onto another one by chance: more likely it is the same card, read
# differently, and that must be shown by more looks.
EXACT_MM, EXACT_DEG, EXACT_LOOKS = 3.0, 2.5, 4
LOOKS_NAMED, LOOKS_BACK, LOOKS_NAMELESS = 2, 2, 5
NAMELESS_NS = 400_000_000
# A named card read this surely from both of its indices needs no second look.
SURE_SCORE, SURE_READS = 0.97, 2
MISSES_REPLACED, MISSES_BARE = 2, 3
MISSES_NS = 120_000_000
# After so many looks a card is known as well as it can be.
MOST_LOOKS = 6
# More glimpses than that are a hand full of cards.
MOST_GLIMPSES = 24


@dataclass(frozen=True, slots=True)
class Ground:
    """What a look knows about any card's place, by its middle and turn.

    `clear`: it was looked at whole, lies still and no hand is over it. `moved_ns`: when anything
    there last moved.
    """

    clear: Callable[[PointMm, float], bool]
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
    """One card that is followed. `named_ns` is when it was last read as what it is believed to be.

    `moving_ns` and `still_ns` are those of a spot; `exact`: it lies exactly on another card;
    `outlined`: its edges were seen.
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
    outlined: bool = True
    looks: int = 1
    sure: bool = False
    settled: bool = False
    timed: bool = False
    misses: int = 0
    missed_ns: int = 0

    @property
    def label(self) -> str:
        """What the card is believed to be."""
        return self.votes.label

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
        )


class Tracks:
    """All cards that are followed. Changed only by `take`, by one thread."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._tracks: list[Track] = []
        self._glimpses: list[SeenCard] = []
        self._next_id = 1

    def take(self, look: CardLook) -> None:
        """Take a look into account."""
        left = list(self._tracks)
        cards = self._pair(look, list(look.cards), left, _same_name)
        cards = self._pair(look, cards, left, lambda t, c: _nameless(t, c, look.ground))
        cards = self._pair(look, cards, left, lambda t, c: _misread(t, c, look.ground))
        clear = [look.ground.clear(card.at_mm, card.angle_deg) for card in cards]
        self._forget_glimpses(look)
        for card, is_clear in zip(cards, clear, strict=True):
            if is_clear:
                self._begin(look, card)
            else:
                self._glimpse(card)
        for track in left:
            if look.ground.clear(track.at_mm, track.angle_deg):
                self._miss(look, track)
        self._tracks = [t for t in self._tracks if not self._gone(t)]

    @property
    def glimpses(self) -> tuple[SeenCard, ...]:
        """Cards that were seen cut off, moving or under a hand, to be looked at when clear."""
        return tuple(self._glimpses)

    def spots(self) -> tuple[Spot, ...]:
        """Return the cards that are believed, in the order in which they came."""
        return tuple(t.spot() for t in self._tracks if t.settled)

    def unsure(self) -> tuple[Track, ...]:
        """Return the cards that need another look."""
        return tuple(t for t in self._tracks if _needs_a_look(t))

    def untimed(self) -> tuple[Track, ...]:
        """Return the newly believed cards of which it is not yet known when they came to rest."""
        return tuple(t for t in self._tracks if t.settled and not t.timed)

    def _pair(
        self,
        look: CardLook,
        cards: list[SeenCard],
        left: list[Track],
        fits: Callable[[Track, SeenCard], float | None],
    ) -> list[SeenCard]:
        """Give each card to the track that fits best; returns the cards that fit none."""
        pairs = [
            (cost, i, k)
            for i, card in enumerate(cards)
            for k, track in enumerate(left)
            if (cost := fits(track, card)) is not None
        ]
        used_cards: set[int] = set()
        used_tracks: set[int] = set()
        for _, i, k in sorted(pairs):
            if i not in used_cards and k not in used_tracks:
                used_cards.add(i)
                used_tracks.add(k)
                _hit(look, left[k], cards[i])
        left[:] = [track for k, track in enumerate(left) if k not in used_tracks]
        return [card for i, card in enumerate(cards) if i not in used_cards]

    def _begin(self, look: CardLook, card: SeenCard) -> None:
        moved_ns = min(look.ground.moved_ns(card.at_mm, card.angle_deg), look.before_ns)
        near = (t for t in self._tracks if t.settled and apart_mm(t.at_mm, card.at_mm) < EXACT_MM)
        exact = any(half_turn_deg(t.angle_deg, card.angle_deg) < EXACT_DEG for t in near)
        track = Track(
            id=self._next_id,
            at_mm=card.at_mm,
            angle_deg=card.angle_deg,
            votes=Votes().with_read(card.label, card.score),
            moving_ns=moved_ns,
            still_ns=look.t_ns,
            named_ns=look.t_ns,
            first_ns=look.t_ns,
            exact=exact,
            outlined=card.outlined,
            sure=_is_sure(card),
        )
        self._next_id += 1
        self._tracks.append(track)
        _settle(track, look.t_ns)

    def _glimpse(self, card: SeenCard) -> None:
        places = [one.at_mm for one in self._glimpses] + [one.at_mm for one in self._tracks]
        if not any(apart_mm(at_mm, card.at_mm) < EXACT_MM for at_mm in places):
            self._glimpses = [*self._glimpses[1 - MOST_GLIMPSES :], card]

    def _forget_glimpses(self, look: CardLook) -> None:
        clear = look.ground.clear
        self._glimpses = [g for g in self._glimpses if not clear(g.at_mm, g.angle_deg)]

    def _miss(self, look: CardLook, track: Track) -> None:
        if track.misses == 0:
            track.missed_ns = look.t_ns
        track.misses += 1
        if track.settled and track.misses >= MISSES_BARE and not self._replaced(track):
            # Bare cloth is believed only after some time: a hand may have just paused there.
            waited = look.t_ns - track.missed_ns >= MISSES_NS
            track.misses = MISSES_BARE if waited else MISSES_BARE - 1

    def _gone(self, track: Track) -> bool:
        if not track.settled:
            return track.misses >= 2
        if self._replaced(track):
            return track.misses >= MISSES_REPLACED
        return track.misses >= MISSES_BARE

    def _replaced(self, track: Track) -> bool:
        """Whether another believed card lies where this one lay."""
        return any(
            t.settled and t.id > track.id and apart_mm(t.at_mm, track.at_mm) < NAMELESS_MM
            for t in self._tracks
        )


def _is_sure(card: SeenCard) -> bool:
    named = card.label not in (BACK, NOT_READ)
    return named and card.score >= SURE_SCORE and card.reads >= SURE_READS


def _same_name(track: Track, card: SeenCard) -> float | None:
    best = track.votes.tally[0][0] if track.votes.tally else NOT_READ
    if card.label != best:
        return None
    return _near(track, card, SAME_CARD_MM if card.label == BACK else SAME_NAME_MM)


def _nameless(track: Track, card: SeenCard, ground: Ground) -> float | None:
    """A read without a name confirms a face-up card at its place, unless one was laid there."""
    best = track.votes.tally[0][0] if track.votes.tally else NOT_READ
    if NOT_READ not in (card.label, best) or BACK in (card.label, best):
        return None
    if ground.moved_ns(track.at_mm, track.angle_deg) > track.named_ns:
        return _near(track, card, EXACT_MM)
    return _near(track, card, NAMELESS_MM if card.label == NOT_READ else SAME_CARD_MM)


def _misread(track: Track, card: SeenCard, ground: Ground) -> float | None:
    """A read with another name, where nothing moved since, is an error about the same card."""
    if ground.moved_ns(track.at_mm, track.angle_deg) > track.named_ns:
        return None
    return _near(track, card, SAME_CARD_MM)


def _near(track: Track, card: SeenCard, reach_mm: float) -> float | None:
    apart = apart_mm(track.at_mm, card.at_mm)
    turned = half_turn_deg(track.angle_deg, card.angle_deg)
    if apart >= reach_mm or (card.label != NOT_READ and turned >= SAME_CARD_DEG):
        return None
    return apart


def _hit(look: CardLook, track: Track, card: SeenCard) -> None:
    track.votes = track.votes.with_read(card.label, card.score)
    track.looks += 1
    track.misses = 0
    track.outlined = track.outlined or card.outlined
    if card.label == track.label:
        # A read without a name may be of another card that was just laid there.
        track.named_ns = look.t_ns
    track.sure = track.sure or (_is_sure(card) and card.label == track.label)
    if card.reads >= SURE_READS:
        track.at_mm, track.angle_deg = card.at_mm, card.angle_deg
    _settle(track, look.t_ns)


def _settle(track: Track, t_ns: int) -> None:
    if track.settled:
        return
    label = track.label
    if track.exact:
        track.settled = track.looks >= EXACT_LOOKS
    elif label == NOT_READ:
        long = t_ns - track.first_ns >= NAMELESS_NS
        track.settled = track.outlined and long and track.looks >= LOOKS_NAMELESS
    elif label == BACK:
        track.settled = track.looks >= LOOKS_BACK
    else:
        track.settled = track.sure or track.looks >= LOOKS_NAMED


def _needs_a_look(track: Track) -> bool:
    if not track.settled:
        return track.looks <= 2 * MOST_LOOKS
    if track.misses:
        return True
    return track.label == NOT_READ and track.looks < LOOKS_NAMELESS + MOST_LOOKS
