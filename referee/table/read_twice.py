"""One card that is read as two: an index of it was misread, and both readings are believed."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, dist, radians, sin

from referee.table.air import Air
from referee.table.evidence import Evidence
from referee.table.gone import TOOK_NS
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.piles import NEVER_NS, SQUARED_MM, Lying, Piles
from referee.table.spots import COVERS_MM
from referee.table.start import TWIN_MM
from referee.values.spots import Spot

# Both readings tell of a card that came to rest within the same frame, at the same place: two
# cards of one turn lie askew by more, and never come alone. Onto a column nobody lays two at once.
AT_ONCE_NS, SAME_MM = 34_000_000, 6.0
# Nobody lays a card so far aside on another one, nor so squarely beside it that both overlap.
ASIDE_MM, LEVEL_MM = 30.0, 10.0
# Who fans a row lays each card farther along than that: else the index below would not show. Half
# an index puts the middle of its card up to 17 mm off, and is read at the end that lies lower;
# taken for the index of the card's other side it puts it up to 35 mm to the side.
SQUARELY_MM, AKIN_MM, OTHER_SIDE_MM = 15.0, 20.0, 36.0
# Half an index that is taken for the other side's puts its card up to so far to the side.
HALF_AND_SIDE_MM = 53.0
# A card that is laid on half an index is read so long after the one that showed is lost.
ALONE_NS = 500_000_000
# Of a card of a row of which half an index was read first the whole one is read so much later,
# where the hand goes (0.3 s); who waits longer tells what was laid after what was said of it.
WHOLE_NS = 400_000_000
# Beside a card whose name has it as its half, that half may be all that shows till then.
BESIDE_NS = 1_000_000_000
# Indices at the two ends of a card are turned by so much towards one another, but for the error.
OTHER_END_DEG, ANGLE_ERROR_DEG = 180.0, 30.0


class ReadTwice:
    """Knows which of two readings of one card is likelier. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, air: Air, evidence: Evidence) -> None:
        """Take the piles, the cards in the air, and what is seen now."""
        self._habits, self._piles = habits, piles
        self._air, self._evidence = air, evidence
        # The spots on whose cards another spot seemed to show one squarely, and when they last did.
        self._upon: dict[int, set[int]] = {}
        self._upon_ns: dict[int, int] = {}
        # The spots that showed a card once more.
        self._again: set[int] = set()

    def is_wrong(self, spot: Spot, zone: str) -> bool:
        """Whether the card that a spot shows is read otherwise at its place, and likelier so."""
        if self._peeps_out(spot) or self._lay_before(spot) or self._was_moved_on(spot, zone):
            return True
        if self._is_half_covered(spot, zone) or self._is_between(spot, zone):
            return True
        others = self._others(spot, zone)
        return any(self._likely(other) > self._likely(spot) for other in others)

    def is_told(self, spot: Spot, zone: str) -> bool:
        """Whether the card that a spot shows was told of already, as it is still read otherwise.

        Or as it is still read once more: of a deck of one nobody has two of its like.
        """
        told = self._piles.spots()
        if any(other.id in self._shown_as(spot.label) for other in self._its_like(spot)):
            self._again.add(spot.id)
            return True
        if self.is_half(spot, zone) or self._is_part_of_known(spot, zone):
            return True
        # The name of what others cover by now may be lost; it is the same card's.
        again = not spot.named and spot.id in self._again
        return again or any(other.id in told for other in self._others(spot, zone))

    def is_again(self, spot: Spot) -> bool:
        """Whether a spot only shows once more, by the same name, a card that was told of before.

        What lies farther off, or came sooner, may be another card that was misread.
        """
        told = self._shown_as(spot.label)
        return any(
            other.id in told and other.still_ns < spot.still_ns + AT_ONCE_NS
            for other in self._its_like(spot)
            if dist(other.at_mm, spot.at_mm) < ASIDE_MM
        )

    def is_half(self, spot: Spot, zone: str) -> bool:
        """Whether a spot shows no card of a row, but half an index of another one.

        It is misread, and tells now of one side of its card and now of the other: where a card of
        the row lay already, or would hide it. Two indices of one name tell of a card indeed, and
        so does one that shows while nothing else is seen there.
        """
        if not spot.up or spot.indices > 1 or not self._habits.is_row(zone):
            return False
        now, upon = self._evidence.now, self._upon.setdefault(spot.id, set())
        others = [o for o in now.spots if o.id != spot.id and not self._is_half_a_name(o)]
        upon.update(one.id for one in others if _seems_upon(spot, one))
        if upon and any(one.id in upon or _is_beside(spot, one) for one in others):
            self._upon_ns[spot.id] = now.t_ns
        return now.t_ns - self._upon_ns.get(spot.id, NEVER_NS) < ALONE_NS

    def may_be_half(self, spot: Spot, zone: str, waited_ns: int) -> bool:
        """Whether but one index of a card of a row was read so far, and that may be half of one.

        The hand that laid it hides the rest, or the next card does: more is mostly read soon. A
        face that was taken elsewhere and lies nowhere yet came.
        """
        if not self._habits.is_row(zone):
            return False
        if self._left_later(spot):
            return waited_ns <= WHOLE_NS
        most_ns = BESIDE_NS if self._is_half_a_name(spot) else WHOLE_NS
        if spot.indices > 1 or waited_ns > most_ns:
            return False
        part = spot.up and any(_is_part(spot.label, face) for face in self._habits.faces)
        return part and not self._is_missing(spot)

    def _left_later(self, spot: Spot) -> bool:
        """Whether the card that a spot shows lay elsewhere when this place showed it first.

        Then an index was taken for the one of its other side, and of another card's place.
        """
        since_ns = spot.still_ns + AT_ONCE_NS
        return self._habits.shares_one_deck and any(
            gone.took(spot.label) and gone.t_ns > since_ns for gone in self._air.gone
        )

    def _is_part_of_known(self, spot: Spot, zone: str) -> bool:
        """Whether a spot's name is half of that of a card that lies there, or lay there lately.

        Nobody lays a card of a row squarely on another one, by however many indices it is read.
        """
        if not self._habits.is_row(zone):
            return False
        gone = (card for one in self._air.gone if one.zone == zone for card in one.cards)
        return any(
            card.up and _is_part(spot.label, card.face) and card.near(spot.at_mm, SQUARELY_MM)
            for card in (*self._piles[zone], *(() if spot.indices > 1 else gone))
        )

    def _its_like(self, spot: Spot) -> Iterator[Spot]:
        """Yield what else is read with a spot's name so near that both are parts of one card."""
        if spot.up and spot.named and self._habits.shares_one_deck:
            for other in self._evidence.now.spots:
                like = other.up and other.label == spot.label and other.id != spot.id
                if like and dist(spot.at_mm, other.at_mm) < TWIN_MM:
                    yield other

    def _shown_as(self, face: str) -> set[int]:
        """Return the spots that show cards known by a name, whatever they are read as now."""
        return {card.spot for _, _, card in self._piles.of_face(face) if card.spot is not None}

    def _lay_before(self, spot: Spot) -> bool:
        """Whether nothing moved where a new spot lies when the card came that it shows.

        An index taken for the one of its other side puts it onto a card that lay there already.
        """
        return any(other.still_ns > spot.still_ns + AT_ONCE_NS for other in self._its_like(spot))

    def _was_moved_on(self, spot: Spot, zone: str) -> bool:
        """Whether the card that a spot shows lies farther on in its player's own cascade by now.

        Each player's deck has it but once. It is believed for a while where it lay before.
        """
        if not self._habits.lies_open(zone) or owner_of(zone) is None or not spot.tells_which:
            return False
        later = {one.id for one in self._evidence.now.spots if one.still_ns > spot.still_ns}
        return any(
            card.face == spot.label and card.spot in later and card.near(spot.at_mm, TWIN_MM)
            for card in self._piles[zone]
        )

    def is_other_side(self, spot: Spot, zone: str) -> bool:
        """Whether an index of a card that lies there was taken for the one of its other side.

        Of decks with an index in each corner all but one may be hidden. The card is unread, or
        named as that one is.
        """
        if not spot.up or (not spot.named and self._habits.is_row(zone)):
            return False
        told = self._shown_as(spot.label) if spot.named else self._piles.spots()
        return any(
            other.id in told
            and other.up
            and other.named
            and (not spot.named or spot.label == other.label)
            and (other.still_ns < spot.still_ns - AT_ONCE_NS or _shows_more(other, spot))
            and _overlaps(spot, other)
            for other in self._evidence.now.spots
        )

    def _peeps_out(self, spot: Spot) -> bool:
        """Whether an index of a card that others cover was taken for the one of its other side.

        Where each face is there but once, and it was not seen to leave its place.
        """
        if not spot.up or not spot.named or not self._habits.shares_one_deck:
            return False
        return any(
            card.up
            and card.spot is None
            and not is_in_hands(zone)
            and card.since_ns < spot.still_ns - AT_ONCE_NS
            and _overlaps(spot, card)
            for zone, _, card in self._piles.of_face(spot.label)
        )

    def _is_half_covered(self, spot: Spot, zone: str) -> bool:
        """Whether a spot shows the card that lay in a cascade, read otherwise, and the next on it.

        Both seem to have come at once: nobody lays one of two squarely on what lay there. The upper
        one's index shows where the rank or the suit of the card below was.
        """
        if not (self._habits.lies_open(zone) and spot.up and spot.named):
            return False
        others = [o for o in self._evidence.now.spots if _is_same_card(spot, o, COVERS_MM)]
        return any(
            dist(other.at_mm, card.at_mm) > dist(spot.at_mm, card.at_mm)
            for card in self._unseen_at(spot, zone)
            for other in others
            if set(spot.label) & set(card.face) and spot.label != card.face
        )

    def _is_between(self, spot: Spot, zone: str) -> bool:
        """Whether but one index seems to show a card between two of a cascade that lay there.

        Who slips a card in between moves the upper one.
        """
        pile = self._piles[zone]
        if not (self._habits.lies_open(zone) and spot.up and spot.indices == 1 and len(pile) > 1):
            return False
        lain = pile[-1].since_ns < spot.still_ns - AT_ONCE_NS and pile[-1].spot is not None
        apart_mm = dist(spot.at_mm, pile[-1].at_mm)
        return lain and any(
            card.up and card.named and card.near(spot.at_mm, min(apart_mm, SQUARELY_MM))
            for card in pile[:-1]
            if card.face != spot.label
        )

    def _unseen_at(self, spot: Spot, zone: str) -> Iterator[Lying]:
        """Yield the named cards that lay on top, squarely at a spot's place, and do not show."""
        numbers = {one.id for one in self._evidence.now.spots}
        gone = (one.cards[-1] for one in self._air.gone if one.zone == zone)
        for card in (*self._piles[zone][-1:], *gone):
            hidden = card.up and card.named and card.spot not in numbers
            if hidden and card.near(spot.at_mm, LEVEL_MM):
                yield card

    def _others(self, spot: Spot, zone: str) -> Iterator[Spot]:
        """Yield what else the card at a spot's place is read as.

        A face that was taken elsewhere and lies nowhere yet, or is held, is no misreading: it came.
        """
        misread = not (spot.named and self._is_missing(spot))
        if not spot.up or not misread or self._habits.is_drawn_onto(zone):
            return
        row = self._habits.is_row(zone)
        mine = row and self._is_half_a_name(spot)
        for other in self._evidence.now.spots:
            half = mine or (row and self._is_half_a_name(other))
            if _is_same_card(spot, other, SQUARELY_MM if half else self._same_mm(zone)):
                yield other

    def _same_mm(self, zone: str) -> float:
        """Return how near to one another two cards that came at once cannot lie in a zone."""
        if self._habits.is_column(zone):
            return COVERS_MM
        cascade = self._habits.lies_open(zone) and not self._habits.is_for_one(zone)
        return SQUARED_MM if cascade else SAME_MM

    def _is_missing(self, spot: Spot) -> bool:
        """Whether a card of that face was taken and lies nowhere, or is held.

        Where it lay it may just have been lost from sight, as the one below it was taken with it.
        """
        since_ns = spot.still_ns - TOOK_NS
        return any(gone.took(spot.label) for gone in self._air.gone) or any(
            is_in_hands(zone) or (card.up and card.spot is None and card.lost_ns > since_ns)
            for zone, _, card in self._piles.of_face(spot.label)
        )

    def _likely(self, spot: Spot) -> tuple[bool, bool, bool, float, int]:
        """Return how likely a reading is: of a card that lies nowhere else, and read surely."""
        elsewhere = any(
            card.up and card.spot != spot.id and spot.deck in (None, card.deck)
            for _, _, card in self._piles.of_face(spot.label)
        )
        return spot.named, not elsewhere, not self._is_half_a_name(spot), spot.conf, -spot.id

    def _is_half_a_name(self, spot: Spot) -> bool:
        """Whether a spot's name is half of the one that is printed on a card beside it."""
        return any(
            one.up and _is_part(spot.label, one.label) and _is_level(spot, one, HALF_AND_SIDE_MM)
            for one in self._evidence.now.spots
        )


def _is_part(label: str, face: str) -> bool:
    return label != face and label in face


def _is_same_card(one: Spot, other: Spot, same_mm: float) -> bool:
    near = dist(one.at_mm, other.at_mm) < same_mm
    at_once = abs(one.still_ns - other.still_ns) < AT_ONCE_NS
    return near and at_once and other.up and other.label != one.label


def _seems_upon(spot: Spot, other: Spot) -> bool:
    """Whether a spot shows a card squarely on one that did not come later and is read wholly.

    Or more surely, by the index of its other end.
    """
    apart_mm = dist(spot.at_mm, other.at_mm)
    if not other.up or other.moving_ns > spot.still_ns:
        return False
    earlier = other.still_ns < spot.still_ns - AT_ONCE_NS
    surer = other.conf > spot.conf and _is_other_end(spot, other)
    if apart_mm < SQUARELY_MM and (earlier or other.indices > spot.indices or surer):
        return True
    longer = other.named and len(other.label) > len(spot.label)
    if not longer or not _is_other_end(spot, other):
        return False
    aside = _is_part(spot.label, other.label) and _is_level(spot, other, OTHER_SIDE_MM)
    return apart_mm < AKIN_MM or aside


def _is_beside(spot: Spot, other: Spot) -> bool:
    return other.up and dist(spot.at_mm, other.at_mm) < AKIN_MM


def _is_other_end(spot: Spot, other: Spot) -> bool:
    """Whether a spot was read by an index of the other end of a card that lies as another one."""
    turned_deg = abs(spot.angle_deg - other.angle_deg) % 360
    return abs(turned_deg - OTHER_END_DEG) < ANGLE_ERROR_DEG


def _shows_more(card: Spot, other: Spot) -> bool:
    """Whether more indices of a card were read than of another one of its name."""
    return other.named and card.indices > other.indices


def _overlaps(spot: Spot, other: Spot | Lying) -> bool:
    """Whether a card lies level with another one, and beside it, but not wholly."""
    return _is_level(spot, other, TWIN_MM) and not _is_level(spot, other, ASIDE_MM)


def _is_level(spot: Spot, other: Spot | Lying, aside_mm: float) -> bool:
    """Whether a card lies level with another one, and less than so far aside."""
    turn = radians(other.angle_deg)
    x, y = spot.at_mm[0] - other.at_mm[0], spot.at_mm[1] - other.at_mm[1]
    across, along = x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)
    return abs(across) < aside_mm and abs(along) < LEVEL_MM
