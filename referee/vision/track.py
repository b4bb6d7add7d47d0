"""Follows cards from look to look: which read is of which card, and when a card is there or gone.

A card is believed after several looks, and gone after several looks at a still, uncovered place.
What is hidden by a hand or still moving is neither: not seen is not gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from referee.values import PointMm
from referee.values.spots import NOT_READ, Spot
from referee.vision.believing import (
    DOUBTED_NS,
    UPON_MM,
    is_puzzling,
    needs_a_look,
    needs_more_around,
    settle,
    was_withdrawn,
)
from referee.vision.columns import see_reach, seems_long, with_columns
from referee.vision.covered import (
    Covered,
    belied,
    crosses,
    is_followed,
    left_backs,
    looks_empty,
    shown_back,
    upon,
    was_overlooked,
    was_taken,
)
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
    dazzled,
    ends_of,
    grew,
    half_read,
    is_half,
    is_print,
    is_sure,
    looks_like,
    misread,
    nameless,
    same_name,
    side_told,
)
from referee.vision.gathering import SeenCard, apart_mm
from referee.vision.glimpses import (
    Glimpse,
    Steady,
    glimpsed,
    is_held_down,
    is_same,
    is_steady,
    lasted,
    may_lie_upon,
    steadiest,
)
from referee.vision.votes import Votes

# What was never confirmed is forgotten.
UNCONFIRMED_NS = 1_000_000_000
MISSES_REPLACED, MISSES_BARE = 2, 3
MISSES_NS = 120_000_000
# For so long a new card is looked at in every frame, so that it is soon believed.
NEW_NS = 250_000_000
# A place that is not clear is looked at again after this time, not in every frame.
AGAIN_NS = 100_000_000
# Cards nearer than that overlap; what becomes of the older one is waited for so long.
OVERLAP_MM = 60.0
DECIDED_NS = 1_200_000_000
# For so long a hand hides what was laid on a card that lasted under another one.
BURIED_NS = 1_500_000_000
# Then it is shown for so long, before the one upon it.
SHOWN_NS = 100_000_000
# What a hand takes away shows what lay there before so soon.
LEAVES_NS = 500_000_000
# What a hand laid is first read so long after it came to rest at most.
FOUND_NS = 160_000_000
# A hand over a place stirs so often.
STIRS_NS = 200_000_000


class Tracks:
    """All cards that are followed. Changed only by `take`, by one thread."""

    def __init__(self, *, timed: bool = False) -> None:
        """Begin with nothing. `timed`: each card is told when its time was looked up."""
        self._waits = timed
        # What lay there when it was first looked at need not be timed.
        self._first_ns: int | None = None
        self._tracks: list[Track] = []
        self._glimpses: list[Glimpse] = []
        self._withheld: dict[int, list[Track]] = {}
        self._covered = Covered()
        # Cards that lasted under a hand until another one was read there: was it laid on them?
        self._buried: list[Track] = []
        self._next_id = 1
        self._t_ns = 0
        # The cards whose places the latest look showed bare.
        self.bared: tuple[Track, ...] = ()

    def take(self, look: CardLook) -> None:
        """Take a look into account."""
        look = with_columns(look, self._tracks)
        self._t_ns = look.t_ns
        self._first_ns = look.t_ns if self._first_ns is None else self._first_ns
        left = list(self._tracks)
        cards = [card for card in look.cards if not self._covered.shows(look, card, self._tracks)]
        prints = [card for card in cards if is_print(card, look.ground)]
        self._pair(look, prints, left, lambda t, c: dazzled(t, c, look.ground))
        cards = [card for card in cards if card not in prints]
        cards = self._pair(look, cards, left, same_name)
        cards = self._pair(look, cards, left, half_read)
        cards = [c for c in cards if self._surely(c) or not belied(look, c, self._tracks)]
        cards = self._pair(look, cards, left, lambda t, c: nameless(t, c, look.ground))
        cards = self._pair(look, cards, left, lambda t, c: misread(t, c, look.ground))
        self._bury(look, [card for card in cards if card.named])
        for card in cards:
            if looks_empty(look, card):
                continue
            if card.label == NOT_READ and crosses(look, card):
                continue
            sees = look.ground.clear if card.named else look.ground.free
            if sees(card.at_mm, card.angle_deg):
                self._begin(look, card)
            else:
                self._glimpse(look, card)
        for card in tuple(left_backs(look, self._glimpses, self._tracks)):
            self._begin(look, card)
        see_reach(look, self._tracks)
        self._forget_glimpses(look)
        for track in left:
            if not look.ground.free(track.at_mm, track.angle_deg):
                continue
            if (back := shown_back(look, track)) is not None:
                _hit(look, track, back)
            else:
                self._miss(look, track)
        self._unbury(look.t_ns)
        gone = [t for t in self._tracks if self._gone(t, look.t_ns)]
        self.bared = tuple(t for t in gone if t.settled and not self._replaced(t))
        self._covered.take([t for t in gone if t.settled and t.named], self._tracks)
        self._tracks = [t for t in self._tracks if t not in gone]
        self._move_away(look)
        for track in self._tracks:
            waits = not track.told or track.id in self._withheld
            if track.settled and waits and was_withdrawn(track, self._tracks, look.t_ns):
                track.taken, track.buried_ns = True, look.t_ns
        self._withheld = {t.id: o for t in self._tracks if (o := self._undecided(t, look.t_ns))}

    def doubtful(
        self,
        t_ns: int,
        news_ns: Callable[[PointMm, float], int],
        moved_ns: Callable[[PointMm, float], int],
    ) -> Iterator[tuple[PointMm, float, bool]]:
        """Yield the places to be looked at again: of cards in doubt, and of cards glimpsed.

        With each comes whether the last look there told nothing of a card that is believed, or not
        how far it reaches: of more around it one may. `news_ns` tells when something new was last
        read at a card's place, `moved_ns` when anything last moved there. New cards are looked at
        in every frame; what was seen cut off, moving or under a hand, and cards that were known
        before, only from time to time.
        """
        unsure = {track.id for track in self._in_doubt()}
        for track in self._tracks:
            place = track.at_mm, track.angle_deg
            # A hand that stays there is not looked at for ever.
            doubted = track.id in unsure or (
                is_puzzling(track) and t_ns - moved_ns(*place) < DOUBTED_NS
            )
            if not doubted and news_ns(*place) <= track.seen_ns:
                continue
            new = not track.settled and t_ns - track.first_ns < NEW_NS
            if new or t_ns - track.asked_ns >= AGAIN_NS:
                unclear = needs_more_around(track, t_ns, moved_ns(*place))
                track.asked_ns = t_ns
                yield *place, unclear
        for k, glimpse in enumerate(self._glimpses):
            at_mm, angle_deg = glimpse.card.at_mm, glimpse.card.angle_deg
            moved = moved_ns(at_mm, angle_deg)
            # What a look showed of it may have been cut off, but where it was asked for.
            looked_ns = max(glimpse.first_ns, glimpse.asked_ns)
            # A marker at the picture's edge never becomes a card: it is asked for ever more seldom.
            # A card does as soon as the hand over it has left.
            since_ns = max(glimpse.first_ns, moved)
            if t_ns - looked_ns >= max(AGAIN_NS, (looked_ns - since_ns) // 2):
                self._glimpses[k] = replace(glimpse, asked_ns=t_ns)
                yield at_mm, angle_deg, False

    def spots(self) -> tuple[Spot, ...]:
        """Return the cards that are believed, in the order in which they came.

        When one came to rest under a hand is seen better when that leaves: it is waited for.
        """
        return tuple(track.spot() for track in self.told())

    def told(self) -> Iterator[Track]:
        """Yield the cards that are believed and waited for no more."""
        for track in self._tracks:
            # What one that was just timed replaces is gone with the next look.
            if track.told and track.id not in self._withheld and not self._gone(track, self._t_ns):
                yield track

    def places(self) -> Iterator[tuple[PointMm, float]]:
        """Yield where cards lie or may lie, by their middles and turns.

        What was never read is believed soon or is no card.
        """
        for track in self._tracks:
            if track.settled or track.label != NOT_READ:
                yield track.at_mm, track.angle_deg
        for card in (glimpse.card for glimpse in self._glimpses):
            if card.label != NOT_READ:
                yield card.at_mm, card.angle_deg

    def seen(self, t_ns: int) -> tuple[Track, ...]:
        """Return the believed cards that were seen in the looks at a time."""
        return tuple(t for t in self._tracks if t.settled and t.seen_ns == t_ns)

    def unsure(self, since_ns: int, moved_ns: Callable[[PointMm, float], int]) -> tuple[Track, ...]:
        """Return the cards that the next looks may tell; what stays in doubt is not among them.

        So does a place at which nothing moved while all was read, since a time: of strips of backs
        the reader makes one card and then another.
        """
        lies_ns = ((t, max(since_ns, moved_ns(t.at_mm, t.angle_deg))) for t in self._in_doubt())
        return tuple(t for t, ns in lies_ns if self._t_ns - min(t.first_ns, ns) < DOUBTED_NS)

    def _in_doubt(self) -> tuple[Track, ...]:
        """Return the cards that need another look."""
        beside = {track.id for tracks in self._withheld.values() for track in tracks}
        return tuple(t for t in self._tracks if t.id in beside or needs_a_look(t, self._t_ns))

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

    def _surely(self, card: SeenCard) -> list[Glimpse]:
        """Return the glimpses under a hand in which both indices of a card were read there."""
        return [glimpse for glimpse in self._glimpses if is_same(glimpse, card)]

    def _begin(self, look: CardLook, card: SeenCard) -> Track:
        track = self._new(look, card)
        if same := self._surely(card):
            longest = max(same, key=lambda g: g.sure.looks)
            self._lasted(track, longest, longest.sure, track.looks)
        read = (g.read for g in self._glimpses if g.card.label == card.label)
        track.read_ns = min((one.since_ns for one in read if one.shows(card)), default=0)
        self._tracks.append(track)
        settle(track, look.t_ns)
        return track

    def _new(self, look: CardLook, card: SeenCard) -> Track:
        moved_ns = min(look.ground.moved_ns(card.at_mm, card.angle_deg), look.before_ns)
        overlooked = was_overlooked(look, card)
        exact = any(t.settled and looks_like(t, card) for t in self._tracks)
        others = (
            t.whole_ns
            for t in self._tracks
            if t.settled and t.label != card.label and apart_mm(t.at_mm, card.at_mm) < UPON_MM
        )
        track = Track(
            id=self._next_id,
            at_mm=card.at_mm,
            angle_deg=card.angle_deg,
            votes=Votes().with_read(card.label, card.score),
            moving_ns=0 if overlooked else moved_ns,
            still_ns=look.t_ns,
            named_ns=look.t_ns,
            first_ns=look.t_ns,
            seen_ns=look.t_ns,
            exact=exact,
            waits=self._waits and not overlooked and moved_ns > (self._first_ns or 0),
            timed=overlooked,
            outlined=card.outlined,
            sure=is_sure(card),
            indices=ends_of(card),
            whole_ns=look.t_ns,
            side=int(side_told(card, look.ground)),
            other_mm=card.other_mm,
            other_ns=max((ns for ns in others if ns < moved_ns), default=0),
        )
        track.see_back(card)
        self._next_id += 1
        return track

    def _bury(self, look: CardLook, cards: list[SeenCard]) -> None:
        """Keep what lasted under a hand and where another name is read now."""
        for card in cards:
            for glimpse, seen in [(g, lasted(g)) for g in self._glimpses]:
                place = glimpse.card
                if seen is None or card.label == place.label:
                    continue
                if apart_mm(card.at_mm, place.at_mm) < NAMELESS_MM:
                    self._glimpses.remove(glimpse)
                    self._buried.append(self._beneath(look, glimpse, seen))

    def _beneath(self, look: CardLook, glimpse: Glimpse, seen: Steady) -> Track:
        """Return a card that lay under a hand, as some looks showed it."""
        track = self._new(look, glimpse.card)
        self._lasted(track, glimpse, seen)
        track.beneath = True
        return track

    def _lasted(self, track: Track, glimpse: Glimpse, seen: Steady, more: int = 0) -> None:
        """Take in that a card was there since it was first seen, and `more` looks at it."""
        for _ in range(seen.looks + more - track.looks):
            track.votes = track.votes.with_read(glimpse.card.label, glimpse.card.score)
        track.looks = seen.looks + more
        track.first_ns = track.still_ns = seen.since_ns
        before = (t for t in self._tracks if apart_mm(t.at_mm, track.at_mm) < NAMELESS_MM)
        shown = (t.named_ns for t in before if t.settled and t.named_ns < seen.since_ns)
        # A hand may have hidden it for long when it was first glimpsed.
        glimpsed_ns = min(track.moving_ns, glimpse.first_ns, track.still_ns - FOUND_NS)
        track.moving_ns = max(shown, default=glimpsed_ns)

    def _unbury(self, t_ns: int) -> None:
        """Believe the cards under a hand that another one, which is believed now, was laid on."""
        for low in list(self._buried):
            seen = any(t.first_ns >= low.first_ns and t.label == low.label for t in self._tracks)
            later = (t for t in self._tracks if t.id > low.id and t.named and t.settled)
            covered = any(apart_mm(t.at_mm, low.at_mm) < NAMELESS_MM for t in later)
            if seen or t_ns - low.seen_ns > BURIED_NS:
                self._buried.remove(low)
            elif covered:
                self._buried.remove(low)
                # What the picture shows there by now is the card upon it.
                low.settled = low.timed = True
                low.buried_ns = t_ns
                self._tracks.append(low)

    def _glimpse(self, look: CardLook, card: SeenCard) -> None:
        onto = [t for t in self._tracks if apart_mm(t.at_mm, card.at_mm) < NAMELESS_MM]
        exact = [t for t in onto if apart_mm(t.at_mm, card.at_mm) < EXACT_MM]
        if exact and not is_sure(card) and not may_lie_upon(look, card, exact):
            return
        near = [g for g in self._glimpses if apart_mm(g.card.at_mm, card.at_mm) < ALIKE_MM]
        if not card.named and any(g.card.named for g in near):
            return
        glimpse = glimpsed(near, card, look.t_ns)
        # What a hand held down there, and took away, is told when the card beneath is believed.
        lay = [g for g in near if g.card.label != card.label and is_held_down(g)]
        others = [g for g in self._glimpses if g not in near or g in lay]
        if any(t.settled for t in onto) and is_steady(glimpse, look.ground):
            track = self._begin(look, card)
            track.beneath = True
            self._glimpses = others
        else:
            self._glimpses = steadiest(look, [*others, glimpse])

    def _forget_glimpses(self, look: CardLook) -> None:
        for glimpse in tuple(self._glimpses):
            free = look.ground.free(glimpse.card.at_mm, glimpse.card.angle_deg)
            held = is_held_down(glimpse) and look.t_ns - glimpse.last_ns < LEAVES_NS
            held = held and not is_followed(glimpse.card, self._tracks)
            if taken := held and was_taken(look, glimpse, self._tracks, free=free):
                self._show_late(look, glimpse)
            # Of what was held down the next look may tell.
            if taken or (free and not held):
                self._glimpses.remove(glimpse)

    def _show_late(self, look: CardLook, glimpse: Glimpse) -> None:
        """Show a card for a moment that a hand laid, rested on and took away again."""
        track = self._beneath(look, glimpse, glimpse.read)
        track.settled = track.timed = track.taken = True
        track.moving_ns = min(track.moving_ns, track.still_ns - FOUND_NS)
        track.buried_ns = look.t_ns
        self._tracks.append(track)

    def _miss(self, look: CardLook, track: Track) -> None:
        if track.misses == 0:
            track.missed_ns = look.t_ns
        track.misses += 1
        track.blanks += 1
        track.looked_ns = look.t_ns
        if track.settled and track.misses >= MISSES_BARE and not self._replaced(track):
            # Bare cloth is believed only after some time: a hand may have just paused there.
            waited = look.t_ns - track.missed_ns >= MISSES_NS
            track.misses = MISSES_BARE if waited else MISSES_BARE - 1

    def _move_away(self, look: CardLook) -> None:
        """Drop the cards that are seen elsewhere now and lay where a hand still moves.

        Two decks have two cards of one face: where the other one lies is looked at once more. Where
        nothing moves any more, a look tells.
        """
        for new in [t for t in self._tracks if t.settled and t.seen_ns == look.t_ns and t.named]:
            away = [
                old
                for old in self._tracks
                if old.label == new.label
                and old.settled
                and old.named_ns < new.first_ns
                and apart_mm(old.at_mm, new.at_mm) >= SAME_NAME_MM
                and look.ground.moved_ns(old.at_mm, old.angle_deg)
                > max(old.named_ns, look.t_ns - STIRS_NS)
            ]
            self._tracks = [track for track in self._tracks if track not in away]
            for old in away:
                card = SeenCard(old.label, 0.0, old.at_mm, old.angle_deg, outlined=False)
                self._glimpses.append(Glimpse(card, look.t_ns, look.t_ns))

    def _undecided(self, track: Track, t_ns: int) -> list[Track]:
        """Return the cards beside a new one of which it is not yet known whether they left.

        A card that shows where another one overlapped it was laid there, or that one was taken:
        the place beside tells. Under a hand it cannot, and the next card may come meanwhile.
        """
        if not track.settled or track.beneath or t_ns - track.first_ns > DECIDED_NS:
            return []
        beside = (
            (old, apart_mm(old.at_mm, track.at_mm))
            for old in self._tracks
            if old.settled and old.id < track.id and old.seen_ns < track.first_ns
        )
        return [
            old
            for old, apart in beside
            if EXACT_MM < apart < OVERLAP_MM
            and not (apart < NAMELESS_MM and old.misses >= MISSES_REPLACED)
        ]

    def _gone(self, track: Track, t_ns: int) -> bool:
        if track.label == NOT_READ and track.blanks >= max(MISSES_BARE, track.looks / 2):
            return True
        if not track.settled:
            return track.misses >= 2 or t_ns - track.seen_ns > UNCONFIRMED_NS
        if track.buried_ns is not None:
            told = track.taken or self._replaced(track)
            return t_ns - track.buried_ns >= (SHOWN_NS if told else UNCONFIRMED_NS)
        if track.misses < MISSES_REPLACED:
            return False
        if self._replaced(track):
            return track.misses >= MISSES_REPLACED
        return track.misses >= MISSES_BARE and not self._awaited(track, t_ns)

    def _awaited(self, track: Track, t_ns: int) -> bool:
        """Whether a card is seen where this one lay that is not told yet: it may lie on it."""
        return any(
            not t.told
            and t_ns - t.seen_ns < UNCONFIRMED_NS
            and apart_mm(t.at_mm, track.at_mm) < NAMELESS_MM
            for t in self._tracks
        )

    def _replaced(self, track: Track) -> bool:
        """Whether another believed card lies where this one lay."""
        return upon(track, self._tracks) is not None


def _hit(look: CardLook, track: Track, card: SeenCard) -> None:
    if grew(track, card):
        track.votes = Votes()
    said = NOT_READ if is_half(card, track.label) else card.label
    track.votes = track.votes.with_read(said, card.score)
    track.see_back(card)
    # Pieces of one frame overlap: what two of them show of a new card is one look.
    track.looks += track.first_ns != look.t_ns
    track.misses = 0
    track.seen_ns = track.looked_ns = look.t_ns
    track.may_be_long = seems_long(look, track, card)
    if track.taken:
        # It lies there after all.
        track.taken, track.buried_ns = False, None
    track.outlined = track.outlined or card.outlined
    if card.label == track.label:
        # A read without a name may be of another card that was just laid there.
        track.named_ns = look.t_ns
        track.indices = max(track.indices, ends_of(card))
        track.whole_ns = look.t_ns if ends_of(card) >= SURE_READS else track.whole_ns
    track.sure = track.sure or (is_sure(card) and card.label == track.label)
    track.see_place(card, look.ground)
    track.see_side()
    settle(track, look.t_ns)


def _see_beside(look: CardLook, track: Track, card: SeenCard) -> None:
    """Take in what was read beside a card where something moved: it may have been laid on it."""
    moved_ns = look.ground.moved_ns(track.at_mm, track.angle_deg)
    if card.label == track.label and card.named and moved_ns > track.whole_ns:
        near = (one for one in look.cards if apart_mm(one.at_mm, card.at_mm) < SAME_CARD_MM)
        names = {one.label for one in near if one.named and one.score >= SURE_SCORE}
        track.beside |= names - {track.label}
