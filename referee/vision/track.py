"""Follows cards from look to look: which read is of which card, and when a card is there or gone.

A card is believed after several looks, and gone after several looks at a still, uncovered place.
What is hidden by a hand or still moving is neither: not seen is not gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.values import PointMm
from referee.values.spots import BACK, NOT_READ, Spot
from referee.vision.followed import (
    ALIKE_MM,
    EXACT_MM,
    NAMELESS_MM,
    SAME_CARD_MM,
    SAME_NAME_MM,
    SURE_READS,
    SURE_SCORE,
    CardLook,
    Track,
    is_sure,
    looks_like,
    misread,
    nameless,
    near,
    same_name,
)
from referee.vision.gathering import SeenCard, apart_mm
from referee.vision.glimpses import Glimpse, glimpsed, is_steady
from referee.vision.votes import Votes

# A card that may be another one read differently must be shown by more looks.
EXACT_LOOKS, UNSURE_EXACT_LOOKS = 4, 6
LOOKS_NAMED, LOOKS_BACK, LOOKS_NAMELESS = 2, 2, 5
NAMELESS_NS = 400_000_000
# What was never confirmed is forgotten.
UNCONFIRMED_NS = 1_000_000_000
MISSES_REPLACED, MISSES_BARE = 2, 3
MISSES_NS = 120_000_000
# After so many looks a card is known as well as it can be.
MOST_LOOKS = 6
# For so long a new card is looked at in every frame, so that it is soon believed.
NEW_NS = 250_000_000
# A place that is not clear is looked at again after this time, not in every frame.
AGAIN_NS = 100_000_000
# Cards nearer than that overlap; what becomes of the older one is waited for so long.
OVERLAP_MM = 60.0
DECIDED_NS = 1_200_000_000
# A name of which one look is less sure is not said.
WEAK_SCORE = 0.9
# More glimpses than that are a hand full of cards.
MOST_GLIMPSES = 24


class Tracks:
    """All cards that are followed. Changed only by `take`, by one thread."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._tracks: list[Track] = []
        self._glimpses: list[Glimpse] = []
        self._withheld: dict[int, list[Track]] = {}
        # Cards that another one was laid on, which is still there.
        self._covered: list[Track] = []
        self._next_id = 1
        # The cards whose places the latest look showed bare.
        self.bared: tuple[Track, ...] = ()

    def take(self, look: CardLook) -> None:
        """Take a look into account."""
        left = list(self._tracks)
        cards = [card for card in look.cards if not self._is_covered(look, card)]
        cards = self._pair(look, cards, left, same_name)
        cards = [card for card in cards if not self._belied(look, card)]
        cards = self._pair(look, cards, left, lambda t, c: nameless(t, c, look.ground))
        cards = self._pair(look, cards, left, lambda t, c: misread(t, c, look.ground))
        self._forget_glimpses(look)
        for card in cards:
            sees = look.ground.clear if card.named else look.ground.free
            if sees(card.at_mm, card.angle_deg):
                self._begin(look, card)
            else:
                self._glimpse(look, card)
        for track in left:
            if look.ground.free(track.at_mm, track.angle_deg):
                self._miss(look, track)
        gone = [t for t in self._tracks if self._gone(t, look.t_ns)]
        self.bared = tuple(t for t in gone if t.settled and not self._replaced(t))
        self._cover([t for t in gone if t.settled and t.named])
        self._tracks = [t for t in self._tracks if t not in gone]
        self._move_away(look)
        self._withheld = {t.id: o for t in self._tracks if (o := self._undecided(t, look.t_ns))}

    def doubtful(
        self,
        t_ns: int,
        news_ns: Callable[[PointMm, float], int],
        moved_ns: Callable[[PointMm, float], int],
    ) -> Iterator[tuple[PointMm, float]]:
        """Yield the places to be looked at again: of cards in doubt, and of cards glimpsed.

        `news_ns` tells when something new was last read at a card's place, `moved_ns` when anything
        last moved there. New cards are looked at in every frame; what was seen cut off, moving or
        under a hand, and cards that were known before, only from time to time.
        """
        unsure = {track.id for track in self.unsure()}
        for track in self._tracks:
            if track.id not in unsure and news_ns(track.at_mm, track.angle_deg) <= track.seen_ns:
                continue
            new = not track.settled and t_ns - track.first_ns < NEW_NS
            if new or t_ns - track.asked_ns >= AGAIN_NS:
                track.asked_ns = t_ns
                yield track.at_mm, track.angle_deg
        for glimpse in self._glimpses:
            at_mm, angle_deg = glimpse.card.at_mm, glimpse.card.angle_deg
            waited_ns = t_ns - glimpse.last_ns
            # A marker at the picture's edge never becomes a card: it is asked for ever more seldom.
            # A card does as soon as the hand over it has left.
            since_ns = max(glimpse.first_ns, moved_ns(at_mm, angle_deg))
            if waited_ns >= max(AGAIN_NS, (glimpse.last_ns - since_ns) // 2):
                yield at_mm, angle_deg

    def spots(self) -> tuple[Spot, ...]:
        """Return the cards that are believed, in the order in which they came."""
        return tuple(t.spot() for t in self._tracks if t.settled and t.id not in self._withheld)

    def seen(self, t_ns: int) -> tuple[Track, ...]:
        """Return the believed cards that were seen in the looks at a time."""
        return tuple(t for t in self._tracks if t.settled and t.seen_ns == t_ns)

    def unsure(self) -> tuple[Track, ...]:
        """Return the cards that need another look."""
        beside = {track.id for tracks in self._withheld.values() for track in tracks}
        return tuple(t for t in self._tracks if t.id in beside or _needs_a_look(t))

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
                _see_beside(look, left[k], cards[i])
                _hit(look, left[k], cards[i])
        left[:] = [track for k, track in enumerate(left) if k not in used_tracks]
        return [card for i, card in enumerate(cards) if i not in used_cards]

    def _belied(self, look: CardLook, card: SeenCard) -> bool:
        """Whether a name is that of a card which is followed already, put where none lies.

        Where a card overlaps the 18 of another, its lower index shows an 8. An index of a card
        with four may be taken for one of its other side.
        """
        if not card.named:
            return False
        known = [t for t in self._tracks if t.settled and t.named]
        if any(t.label == card.label and _is_across(t, card) for t in known):
            return True
        return card.reads < SURE_READS and any(
            t.named_ns == look.t_ns and _is_lower_half(look, t, card) for t in known
        )

    def _cover(self, gone: list[Track]) -> None:
        """Remember what was covered, as long as a card lies upon it that is there or covered."""
        lows = [*self._covered, *gone]
        self._covered = [low for low in lows if _upon(low, [*self._tracks, *lows]) is not None]

    def _is_covered(self, look: CardLook, card: SeenCard) -> bool:
        """Whether a card is a covered one, of which an edge with half an index still shows.

        The card upon it is read beside it. That nothing new lies on that one it shows by both of
        its indices; against a weak name, by one.
        """
        if is_sure(card):
            return False
        weak = not card.named or card.score < WEAK_SCORE
        upper = [one for one in look.cards if weak or one.reads >= SURE_READS]
        return any(
            one.label not in (low.label, card.label)
            and EXACT_MM < apart_mm(one.at_mm, low.at_mm) < NAMELESS_MM
            for low in self._maybe_covered(look, card)
            for one in upper
        )

    def _maybe_covered(self, look: CardLook, card: SeenCard) -> Iterator[Track]:
        """Yield the cards that a read may be of, covered since they were last read."""
        for low in (*self._covered, *self._tracks):
            if not (low.settled and low.named) or low.label == card.label:
                continue
            if card.label not in low.beside and near(low, card, SAME_CARD_MM) is not None:
                gone = low not in self._tracks
                if gone or look.ground.moved_ns(low.at_mm, low.angle_deg) > low.named_ns:
                    yield low

    def _begin(self, look: CardLook, card: SeenCard) -> Track:
        moved_ns = min(look.ground.moved_ns(card.at_mm, card.angle_deg), look.before_ns)
        exact = any(t.settled and looks_like(t, card) for t in self._tracks)
        track = Track(
            id=self._next_id,
            at_mm=card.at_mm,
            angle_deg=card.angle_deg,
            votes=Votes().with_read(card.label, card.score),
            moving_ns=moved_ns,
            still_ns=look.t_ns,
            named_ns=look.t_ns,
            first_ns=look.t_ns,
            seen_ns=look.t_ns,
            exact=exact,
            outlined=card.outlined,
            sure=is_sure(card),
            indices=card.reads,
            whole_ns=look.t_ns,
        )
        track.see_back(card)
        self._next_id += 1
        self._tracks.append(track)
        _settle(track, look.t_ns)
        return track

    def _glimpse(self, look: CardLook, card: SeenCard) -> None:
        onto = [t for t in self._tracks if apart_mm(t.at_mm, card.at_mm) < NAMELESS_MM]
        if any(apart_mm(t.at_mm, card.at_mm) < EXACT_MM for t in onto) and not is_sure(card):
            return
        near = [g for g in self._glimpses if apart_mm(g.card.at_mm, card.at_mm) < ALIKE_MM]
        glimpse = glimpsed(near, card, look.t_ns)
        others = [g for g in self._glimpses if g not in near]
        if any(t.settled for t in onto) and is_steady(glimpse, look.ground):
            track = self._begin(look, card)
            track.looks, track.beneath = glimpse.looks, True
            track.first_ns = track.still_ns = glimpse.since_ns
            track.moving_ns = min(track.moving_ns, glimpse.first_ns)
            _settle(track, look.t_ns)
            self._glimpses = others
        else:
            self._glimpses = [*others[1 - MOST_GLIMPSES :], glimpse]

    def _forget_glimpses(self, look: CardLook) -> None:
        free = look.ground.free
        self._glimpses = [g for g in self._glimpses if not free(g.card.at_mm, g.card.angle_deg)]

    def _miss(self, look: CardLook, track: Track) -> None:
        if track.misses == 0:
            track.missed_ns = look.t_ns
        track.misses += 1
        if track.settled and track.misses >= MISSES_BARE and not self._replaced(track):
            # Bare cloth is believed only after some time: a hand may have just paused there.
            waited = look.t_ns - track.missed_ns >= MISSES_NS
            track.misses = MISSES_BARE if waited else MISSES_BARE - 1

    def _move_away(self, look: CardLook) -> None:
        """Drop the cards that are seen elsewhere now and were not seen where they lay since then.

        Two decks have two cards of one face: the other one is found again where it lies.
        """
        for new in [t for t in self._tracks if t.settled and t.seen_ns == look.t_ns and t.named]:
            self._tracks = [
                old
                for old in self._tracks
                if old.label != new.label
                or not (old.settled and old.named_ns < new.first_ns)
                or apart_mm(old.at_mm, new.at_mm) < SAME_NAME_MM
                or look.ground.moved_ns(old.at_mm, old.angle_deg) <= old.named_ns
            ]

    def _undecided(self, track: Track, t_ns: int) -> list[Track]:
        """Return the cards beside a new one of which it is not yet known whether they left.

        A card that shows where another one overlapped it was laid there, or that one was taken:
        the place beside tells. Under a hand it cannot, and the next card may come meanwhile.
        """
        if not track.settled or track.beneath or t_ns - track.first_ns > DECIDED_NS:
            return []
        return [
            old
            for old in self._tracks
            if old.settled
            and old.id < track.id
            and old.seen_ns < track.first_ns
            and EXACT_MM < apart_mm(old.at_mm, track.at_mm) < OVERLAP_MM
        ]

    def _gone(self, track: Track, t_ns: int) -> bool:
        if not track.settled:
            return track.misses >= 2 or t_ns - track.seen_ns > UNCONFIRMED_NS
        if track.misses < MISSES_REPLACED:
            return False
        if self._replaced(track):
            return track.misses >= MISSES_REPLACED
        return track.misses >= MISSES_BARE and not self._awaited(track, t_ns)

    def _awaited(self, track: Track, t_ns: int) -> bool:
        """Whether a card is seen where this one lay that is not believed yet: it may lie on it."""
        return any(
            not t.settled
            and t_ns - t.seen_ns < UNCONFIRMED_NS
            and apart_mm(t.at_mm, track.at_mm) < NAMELESS_MM
            for t in self._tracks
        )

    def _replaced(self, track: Track) -> bool:
        """Whether another believed card lies where this one lay."""
        return _upon(track, self._tracks) is not None


def _upon(track: Track, tracks: list[Track]) -> Track | None:
    """Return the believed card of some that lies where this one lay."""
    later = (t for t in tracks if t.settled and t.id > track.id)
    return next((t for t in later if apart_mm(t.at_mm, track.at_mm) < NAMELESS_MM), None)


def _is_lower_half(look: CardLook, track: Track, card: SeenCard) -> bool:
    """Whether a read is of the lower index of a card, half of it or weak, beside its upper one."""
    apart = apart_mm(track.at_mm, card.at_mm)
    if apart < ALIKE_MM and _is_upside_down(track.angle_deg, card.angle_deg):
        return True
    half = card.label in track.label or card.score < WEAK_SCORE
    upper = (one for one in look.cards if one.label == track.label)
    return (
        half
        and apart < SAME_CARD_MM
        and any(_is_upside_down(one.angle_deg, card.angle_deg) for one in upper)
    )


def _is_upside_down(a_deg: float, b_deg: float) -> bool:
    """Whether two indices are turned as the two of one card are."""
    return 180.0 - abs((a_deg - b_deg) % 360.0 - 180.0) > 135.0


def _is_across(track: Track, card: SeenCard) -> bool:
    """Whether a card is a followed one, read from an index taken for one of its other side."""
    return card.other_mm is not None and apart_mm(track.at_mm, card.other_mm) < SAME_CARD_MM


def _hit(look: CardLook, track: Track, card: SeenCard) -> None:
    track.votes = track.votes.with_read(card.label, card.score)
    track.see_back(card)
    track.looks += 1
    track.misses = 0
    track.seen_ns = look.t_ns
    track.outlined = track.outlined or card.outlined
    if card.label == track.label:
        # A read without a name may be of another card that was just laid there.
        track.named_ns = look.t_ns
        track.indices = max(track.indices, card.reads)
        track.whole_ns = look.t_ns if card.reads >= SURE_READS else track.whole_ns
    track.sure = track.sure or (is_sure(card) and card.label == track.label)
    track.see_place(card)
    track.see_side()
    _settle(track, look.t_ns)


def _see_beside(look: CardLook, track: Track, card: SeenCard) -> None:
    """Take in what was read beside a card where something moved: it may have been laid on it."""
    moved_ns = look.ground.moved_ns(track.at_mm, track.angle_deg)
    if card.label == track.label and card.named and moved_ns > track.whole_ns:
        near = (one for one in look.cards if apart_mm(one.at_mm, card.at_mm) < SAME_CARD_MM)
        names = {one.label for one in near if one.named and one.score >= SURE_SCORE}
        track.beside |= names - {track.label}


def _settle(track: Track, t_ns: int) -> None:
    if track.settled:
        return
    label = track.label
    if track.exact:
        track.settled = track.looks >= (EXACT_LOOKS if track.sure else UNSURE_EXACT_LOOKS)
    elif label == NOT_READ:
        long = t_ns - track.first_ns >= NAMELESS_NS
        track.settled = track.outlined and long and track.looks >= LOOKS_NAMELESS
    elif label == BACK:
        track.settled = track.looks >= LOOKS_BACK
    else:
        track.settled = track.looks >= LOOKS_NAMED


def _needs_a_look(track: Track) -> bool:
    if not track.settled:
        return track.looks <= 2 * MOST_LOOKS
    if track.misses:
        return True
    return track.label == NOT_READ and track.looks < LOOKS_NAMELESS + MOST_LOOKS
