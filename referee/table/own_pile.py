"""What a new spot may show of the very pile that it lies on: a card seen again, or one below."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import dist

from referee.table.contested import SAME_TOUCH_NS
from referee.table.evidence import Evidence, Reach
from referee.table.found import Found
from referee.table.habits import Habits, owner_of
from referee.table.moves import ONE_MOVE_NS
from referee.table.piles import NEVER_NS, TURN_CARDS, Lying, Piles, comes_next
from referee.table.read_twice import AT_ONCE_NS
from referee.table.sources import LOST_NS, Sources
from referee.table.spots import COVERS_MM, Zones
from referee.table.start import TWIN_MM
from referee.table.strips import lay_between, never_read
from referee.table.turns import NEXT_NS
from referee.values import Card
from referee.values.spots import NOT_READ, Spot

# A place that several explanations fit is looked at this much longer for one of them to show: a
# carry takes 0.3 to 0.9 s, and what the arm hides is seen 0.2 s after it is gone.
FATE_NS = 700_000_000
# An index that fails to be read under glare or askew is mostly read within this time.
UNREAD_NS = 900_000_000
# Who lays a card on a pile hides that for longer just before: three frames.
LAYS_NS = 100_000_000
# Who slips a card under a cascade moves that on by less than so many of its steps.
MOVED_STEPS = 2.0
# A card that nobody touched is found again within this distance.
UNTOUCHED_MM = 6.0
# A card of a row comes to lie so far from where it lay when it is turned (12.5 mm was seen); who
# fans a row lays the next one farther along.
ASKEW_MM = 20.0


class How(Enum):
    """How a card came to be seen."""

    SAME = "found again"
    UNCOVERED = "what lay on it is gone"
    BETWEEN = "it lay unread between two of its column, and the upper ones are gone"
    BARED = "one of a turn of which the order was not seen, and the upper one is gone"
    ALONG = "came with a card of its block"
    MOVED_ON = "its cascade was moved on, as another card was slipped under it"
    TURNED = "turned in place"
    NEXT = "turned in place when the card upon it had been taken unseen"
    PEEKS = "a little of what is known to lie below others, read otherwise"
    CAME = "brought from elsewhere"


@dataclass(frozen=True, slots=True)
class Answer:
    """How a new spot is explained.

    `top` is the index of the card that it shows: found again, uncovered or turned; None for one
    that nobody counted, which lies `above` so many of its pile.
    """

    how: How
    top: int | None = None
    found: Found | None = None
    above: int = 0


class OwnPile:
    """The pile that a new spot lies on, as it is known now."""

    def __init__(
        self, habits: Habits, zones: Zones, piles: Piles, sources: Sources, evidence: Evidence
    ) -> None:
        """Look at the piles as they are known now."""
        self._habits, self._zones, self._piles = habits, zones, piles
        self._sources, self._evidence = sources, evidence

    def top_below(self, spot: Spot, zone: str) -> int | None:
        """Return the index of the card that the spot took the place of, or lies on."""
        if not self._habits.is_single(zone):
            # What lay on it may have been laid askew, or a step further on in a cascade.
            top = self._piles.topmost_at(zone, spot.at_mm, self._reach_mm(zone))
            squared = not self._habits.is_column(zone)
            if top is not None and (squared or self._piles[zone][top].spot is None):
                return top
        return self._piles.topmost_at(zone, spot.at_mm)

    def turned_down(self, spot: Spot, zone: str) -> int | None:
        """Return the index of the open card of a row in whose place a back shows, askew."""
        if not self._habits.is_row(zone):
            return None
        pile = self._piles[zone]
        near = [k for k, card in enumerate(pile) if card.near(spot.at_mm, ASKEW_MM)]
        gone = [k for k in near if pile[k].up and pile[k].spot is None]
        return gone[0] if len(near) == len(gone) == 1 else None

    def along(self, spot: Spot, zone: str) -> int | None:
        """Return the index of a covered card that shows beside one laid or uncovered with it.

        Of a turn it is one of those that came with it, whatever they are believed to be.
        """
        if not spot.named or self._habits.is_single(zone):
            return None
        pile, of_turn = self._piles[zone], self._habits.is_drawn_onto(zone)
        within_ns = NEXT_NS if of_turn else ONE_MOVE_NS
        beside = (
            card.spot is not None
            and card.up
            and _came_with(card, spot, within_ns)
            and card.near(spot.at_mm, COVERS_MM)
            for card in pile
        )
        if not (any(beside) or self.lies_under(spot, zone)):
            return None
        covered = [
            (card.face == spot.label, not card.named, k)
            for k, card in enumerate(pile)
            if card.spot is None
            and card.up
            and card.lost_ns == NEVER_NS
            and (
                card.face in (NOT_READ, spot.label)
                or (of_turn and _came_with(card, spot, within_ns))
            )
            and card.near(spot.at_mm, COVERS_MM)
        ]
        return max(covered)[-1] if covered else None

    def lies_under(self, spot: Spot, zone: str) -> bool:
        """Whether a spot on a pile of turns shows a little of a card below another.

        A hand may hide that for a while. What is laid squarely upon a card leaves at most one of
        its indices to be seen: of that one both were since, or when a hand would have laid this.
        """
        if spot.indices > 1 or not spot.up or not self._habits.is_drawn_onto(zone):
            return False
        since_ns = spot.still_ns - LAYS_NS
        whole = (one for one in self._evidence.now.spots if one.up and one.whole_ns > since_ns)
        return any(one.id != spot.id and dist(one.at_mm, spot.at_mm) < COVERS_MM for one in whole)

    def moved_on(self, spot: Spot, zone: str) -> int | None:
        """Return the index of the very card that lies farther on in its cascade than it did.

        Another one was slipped under them all: of a player's deck there is each face but once.
        """
        if not self._habits.lies_open(zone) or owner_of(zone) is None or not spot.tells_which:
            return None
        step_mm, at_mm = self._zones.step_mm(zone), self._zones.along_mm(zone, spot.at_mm)
        on_mm = (
            (at_mm - self._zones.along_mm(zone, card.at_mm), k)
            for k, card in enumerate(self._piles[zone])
            if (card.up, card.face) == (spot.up, spot.label) and card.since_ns < spot.moving_ns
        )
        return next((k for mm, k in on_mm if step_mm / 2 < mm < MOVED_STEPS * step_mm), None)

    def buried(self, spot: Spot, zone: str) -> int | None:
        """Return the index of a card that was covered unread, of which something shows now.

        It came to rest when that card did, and before the one that lies on top; of one deck, also
        the one that was read already. Or it lies between others of a column since the first look.
        """
        pile = self._piles[zone]
        strip = never_read(zone, pile, spot, self._zones)
        if strip is not None:
            return strip
        if not spot.named or not pile or pile[-1].since_ns <= spot.still_ns:
            return None
        found = [
            k
            for k, card in enumerate(pile)
            if card.spot is None
            and card.up
            and (not card.named or (self._is_only(card, spot) and _came_so(card, spot)))
            and abs(card.since_ns - spot.still_ns) <= SAME_TOUCH_NS
            and card.near(spot.at_mm, COVERS_MM)
        ]
        return found[0] if len(found) == 1 else None

    def lay_between(self, spot: Spot, zone: str) -> int | None:
        """Return the index of the place in a column, found in play, that an uncounted card had.

        It shows since those that lay on it were taken.
        """
        if zone not in self._piles.found or not spot.up or not spot.named:
            return None
        index = lay_between(self._piles[zone], spot.label)
        above = [] if index is None else self._piles[zone][index:]
        return index if all(card.spot is None for card in above) else None

    def _is_only(self, card: Lying, spot: Spot) -> bool:
        """Whether a spot shows a face that no other card than this one has."""
        return self._habits.shares_one_deck and card.face == spot.label

    def askew(self, spot: Spot, zone: str) -> int | None:
        """Return the index of the very card of a cascade that shows a little aside of its place.

        Only where each player's own deck has it but once, and nothing shows it elsewhere. Of a deck
        of one it may show as far aside as its other side's index is.
        """
        pile, one_deck = self._piles[zone], self._habits.shares_one_deck
        own = one_deck or not self._habits.is_row(zone)
        if not spot.named or not self._habits.is_single(zone) or not own:
            return None
        found = [k for k, card in enumerate(pile) if card.up and card.face == spot.label]
        if len(found) != 1 or pile[found[0]].spot is not None:
            return None
        card = pile[found[0]]
        if card.deck is None and not one_deck:
            return None
        return found[0] if card.near(spot.at_mm, TWIN_MM if one_deck else COVERS_MM) else None

    def peeks(self, spot: Spot, zone: str) -> bool:
        """Whether a spot lies where an unseen card of a cascade does, below one laid before.

        Nobody lays a card there; what was read before others lay upon it was seen better.
        """
        pile = self._piles[zone]
        if not self._habits.lies_open(zone):
            return False
        below = (k for k, card in enumerate(pile) if card.spot is None and card.near(spot.at_mm))
        lowest = next((k for k in below if pile[k].up and pile[k].named), None)
        if lowest is None:
            return False
        return self._is_buried_anew(pile[lowest], spot, zone) or any(
            card.spot is not None and card.since_ns < spot.still_ns - ONE_MOVE_NS
            for card in pile[lowest + 1 :]
        )

    def _is_buried_anew(self, card: Lying, spot: Spot, zone: str) -> bool:
        """Whether a card was pushed on a little, and hardly read, as one was laid above it."""
        at_mm, step_mm = self._zones.along_mm(zone, spot.at_mm), self._zones.step_mm(zone)
        pushed_mm = at_mm - self._zones.along_mm(zone, card.at_mm)
        like = spot.label[:-1] == card.face[:-1] if spot.named else pushed_mm < step_mm / 2
        return like and any(
            other.up
            and other.still_ns <= spot.still_ns + ONE_MOVE_NS
            and self._zones.along_mm(zone, other.at_mm) > at_mm + step_mm
            and self._zones.name_at(other.at_mm, self._piles) == zone
            for other in self._evidence.now.spots
        )

    def may_be_same(self, card: Lying, spot: Spot, zone: str) -> bool:
        """Whether what nobody reads lies where an open card does: the next one lies a step on."""
        stepped = self._habits.is_single(zone) or self._habits.is_column(zone)
        unread = spot.up and not spot.named
        return stepped and card.up and unread and card.near(spot.at_mm, UNTOUCHED_MM)

    def is_same(self, card: Lying, spot: Spot, zone: str) -> bool:
        """Whether the spot shows the very card that was there, found again."""
        if card.up != spot.up:
            return False
        if not card.up or (card.named and spot.named):
            # In a column the next card lies a step on.
            there = self._habits.is_column(zone) and card.near(spot.at_mm, UNTOUCHED_MM)
            there = there and not self._was_touched(zone, card)
            # Of a turn all come at once, and the next one shows when the top one is taken.
            there = there or (not self._habits.is_drawn_onto(zone) and _came_so(card, spot))
            return not card.up or card.face == spot.label or there
        # One of them is unread: the same card lies where it lay, and nothing was brought.
        if not card.near(spot.at_mm, UNTOUCHED_MM):
            return False
        if card.lost_ns == NEVER_NS:
            return self.peeks(spot, zone)
        return card.lost_ns < spot.still_ns - LOST_NS or not self._was_touched(zone, card)

    def _was_touched(self, zone: str, card: Lying) -> bool:
        return self._was_there(zone, card, card.lost_ns - FATE_NS, self._evidence.now.t_ns)

    def _below(self, zone: str, top: int) -> int | None:
        """Return the index of the next card below another one."""
        pile = self._piles[zone]
        at_mm = pile[top].at_mm
        reach_mm = self._reach_mm(zone)
        return next((k for k in range(top - 1, -1, -1) if pile[k].near(at_mm, reach_mm)), None)

    def _reach_mm(self, zone: str) -> float:
        return self._habits.reach_mm(zone, COVERS_MM)

    def lying_below(self, spot: Spot, zone: str, top: int | None) -> int | None:
        """Return the index of the very card that is known to lie below, where the spot shows it."""
        below = None if top is None else self._below(zone, top)
        if below is None:
            return None
        card = self._piles[zone][below]
        return below if card.named and card.face == spot.label and card.up == spot.up else None

    def uncovered(
        self, spot: Spot, zone: str, top: int | None, *, drawn: bool = True
    ) -> Answer | None:
        """Return how the spot may show a card below the one that lay there, None if it cannot.

        `drawn`: it may have been drawn onto that.
        """
        if top is None:
            if self._sources.may_return(zone):
                return None
            left = self._sources.left_from(zone, spot.at_mm)
            left = left or self._sources.laid_bare(zone, spot.at_mm)
            return Answer(How.UNCOVERED) if left and self._may_be_more(zone, spot) else None
        card = self._piles[zone][top]
        carried = self._sources.bared(zone, spot, drawn=drawn)
        if card.spot is not None:
            if self._shows_beside(spot, zone, card):
                return Answer(How.UNCOVERED, above=top)
            return self._bared(spot, zone, carried=True) if carried else None
        if card.lost_ns == NEVER_NS and not card.named:
            # It was never seen: what lay on it is in the air already.
            return Answer(How.UNCOVERED, top) if card.up == spot.up else None
        below = self._below(zone, top)
        if below is None:
            # Hardly anybody takes a card off a common pile: what shows there was laid upon it.
            left = carried or owner_of(zone) is not None or self._lay_below(card, spot, zone)
            more = left and self._may_be_more(zone, spot)
            return Answer(How.UNCOVERED, above=top) if more else None
        under = self._piles[zone][below]
        fits = under.up == spot.up and not (under.up and under.named)
        return Answer(How.UNCOVERED, below) if fits else self._bared(spot, zone, carried=carried)

    def _lay_below(self, card: Lying, spot: Spot, zone: str) -> bool:
        """Whether a spot shows the card onto which one of a foundation is laid."""
        read = self._habits.is_foundation(zone) and spot.named
        return read and comes_next(card.card, Card(spot.label))

    def _shows_beside(self, spot: Spot, zone: str, card: Lying) -> bool:
        """Whether a card shows that lay askew beside one that nobody counted, laid bare with it."""
        together = abs(card.since_ns - spot.still_ns) <= ONE_MOVE_NS and card.origin is None
        return zone in self._piles.deep and together and card.up == spot.up

    def _bared(self, spot: Spot, zone: str, *, carried: bool) -> Answer | None:
        """Return which card of a turn shows since the one on top is gone, None for none.

        In which order they lie was not seen: it is one that was never read, or another one than
        what is believed if that one is known to have been `carried` off.
        """
        if not spot.up or not self._habits.is_drawn_onto(zone):
            return None
        pile = self._piles[zone]
        unseen = [k for k, card in enumerate(pile) if card.spot is None and card.up]
        of_turn = [k for k in unseen if k >= len(pile) - TURN_CARDS]
        unread = [k for k in of_turn if not pile[k].named]
        index = max(unread or (of_turn if carried else []), default=None)
        return None if index is None else Answer(How.BARED, index)

    def _may_be_more(self, zone: str, spot: Spot) -> bool:
        """Whether cards that nobody counted may lie below: in a column a back where a card left.

        Nobody turns an open card of a column face down again.
        """
        if zone in self._piles.deep or (self._habits.is_column(zone) and not spot.up):
            return True
        return zone in self._piles.found and spot.up

    def is_accounted(self, spot: Spot, zone: str, top: int | None, *, drawn: bool) -> bool:
        """Whether it is known where the card went that lay on this one, which was never seen.

        That something was taken off long before tells nothing where a card may have been `drawn`.
        """
        if top is None:
            return not drawn and self._sources.laid_bare(zone, spot.at_mm)
        card = self._piles[zone][top]
        if self._sources.bared(zone, spot, drawn=drawn) or self._sources.is_brought(card, zone):
            return True
        never_seen = card.lost_ns == NEVER_NS and not drawn
        return never_seen and not self._sources.left_from(zone, card.at_mm)

    def is_step_on(self, spot: Spot, zone: str) -> bool:
        """Whether a spot lies where the next card of a column is laid onto its top one."""
        pile = self._piles[zone]
        column = self._habits.is_column(zone) and bool(pile)
        return column and self._zones.is_step_on(zone, spot.at_mm, pile[-1].at_mm)

    def hidden_back(self, spot: Spot, zone: str, top: int | None) -> int | None:
        """Return the index of the highest back of a column that is not seen, where it shows now.

        It does where no other card lies, or below the open card on top, which nobody took.
        """
        pile = self._piles[zone] if self._habits.is_column(zone) else []
        if top is not None and not (pile and self._lies_below(spot, zone, pile[-1])):
            return None
        unseen = (k for k, card in enumerate(pile) if card.spot is None and not card.up)
        return max(unseen, default=None)

    def _lies_below(self, spot: Spot, zone: str, open_top: Lying) -> bool:
        below = self._zones.along_mm(zone, spot.at_mm) < self._zones.along_mm(zone, open_top.at_mm)
        return open_top.up and open_top.spot is not None and below

    def turnable(self, zone: str) -> int | None:
        """Return the index of the back on top that is turned in place, though one still shows.

        Of the backs of a column the tracker may show another, and of a pile the next one.
        """
        pile = self._piles[zone]
        turns = self._habits.is_turned(zone) and not self._habits.is_for_one(zone)
        back = (self._habits.is_column(zone) or turns) and bool(pile) and not pile[-1].up
        return len(pile) - 1 if back else None

    def is_next(self, spot: Spot, zone: str, top: int | None) -> bool:
        """Whether a card must have been turned up, though the one upon it was not seen to leave.

        Onto a pile whose cards are only turned and taken nobody lays any.
        """
        only_turned = self._habits.is_first_turned(zone) and not self._habits.sources(zone)
        if not only_turned or not spot.up or not spot.named:
            return False
        if top is None:
            return True
        card, below = self._piles[zone][top], self._below(zone, top)
        hides_back = below is None or not self._piles[zone][below].up
        since_ns = card.since_ns + ONE_MOVE_NS
        return card.up and hides_back and self._was_there(zone, card, since_ns, spot.still_ns)

    def _was_there(self, zone: str, card: Lying, since_ns: int, until_ns: int) -> bool:
        return self._evidence.reach(zone, card.at_mm, since_ns, until_ns) is not Reach.NONE

    def may_be_back(self, zone: str) -> bool:
        """Whether a back that nobody counted may have lain in a zone, to be turned up."""
        return zone in self._piles.deep and self._habits.is_turned(zone)


def _came_with(card: Lying, spot: Spot, within_ns: int) -> bool:
    """Whether a card came to rest when another one did: as part of one move."""
    return abs(card.since_ns - spot.still_ns) <= within_ns


def _came_so(card: Lying, spot: Spot) -> bool:
    """Whether a card came to rest in the same frame at the same place: it was read wrongly."""
    return abs(spot.still_ns - card.since_ns) < AT_ONCE_NS and card.near(spot.at_mm)
