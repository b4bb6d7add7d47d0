"""The cards of the table as the camera remembers them: piles with what is covered in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import dist

from referee.values import Card, PointMm
from referee.values.spots import BACK, NOT_READ, Spot

# A card laid on another one by hand, meant to be squared, misses it by less than this; in a
# cascade the next card lies 15 mm and more away.
SQUARED_MM = 12.0
NEVER_NS = -(10**15)
# A player may hold his last three cards (Nerves); who lays out his cards holds more.
FEW_CARDS = 3
# Of the cards of one turn of a stock only the last one is mostly seen.
TURN_CARDS = 3


@dataclass(frozen=True, slots=True)
class Lying:
    """A card that lies in a pile.

    `face` is `??` while unread. `deck` is its owner where every player has a deck. `spot` is the
    number of the spot that shows it, None while it is covered or hidden. `told` is the face that
    was told to the judge, None where the card was never told of face up. `since_ns` is when it
    came to rest, `lost_ns` when it was last seen to be seen no more, `origin` the zone that it came
    from, and `taken_ns` when it was taken there, where that is known.
    """

    face: str
    deck: str | None
    up: bool
    at_mm: PointMm
    angle_deg: float
    spot: int | None
    since_ns: int
    told: str | None = None
    lost_ns: int = NEVER_NS
    origin: str | None = None
    taken_ns: int | None = None

    @property
    def card(self) -> Card:
        """The card as it is told of."""
        return Card(self.face, self.deck)

    @property
    def named(self) -> bool:
        """Whether its face is known."""
        return self.face != NOT_READ

    def near(self, at_mm: PointMm, reach_mm: float = SQUARED_MM) -> bool:
        """Whether its middle lies that close to a place."""
        return dist(self.at_mm, at_mm) <= reach_mm

    def shown_by(self, spot: Spot) -> Lying:
        """Return the card as a spot shows it: where, which way up, and named if it is read."""
        face = spot.label if spot.named else self.face
        return replace(
            self,
            face=face,
            deck=spot.deck or self.deck,
            up=spot.up,
            at_mm=spot.at_mm,
            angle_deg=spot.angle_deg,
            spot=spot.id,
        )

    def unseen(self, t_ns: int = NEVER_NS) -> Lying:
        """Return the card while no spot shows it, since `t_ns` if it just got lost."""
        return replace(self, spot=None, lost_ns=t_ns)


def laid(spot: Spot, deck: str | None) -> Lying:
    """Return a card that is seen for the first time, of `deck` if its back does not tell."""
    face = spot.label if spot.named else NOT_READ
    return Lying(
        face, spot.deck or deck, spot.up, spot.at_mm, spot.angle_deg, spot.id, spot.still_ns
    )


def unknown(like: Lying, up: bool = False) -> Lying:
    """Return a card of which nothing is known but that it lies there."""
    return replace(like, face=NOT_READ, up=up, spot=None, told=None)


def fits(card: Lying, spot: Spot) -> bool:
    """Whether a spot may show this card: same side, and the same face where both are known."""
    if spot.label == BACK or not card.up:
        return spot.label == BACK and not card.up
    return not spot.named or not card.named or card.face == spot.label


class Piles:
    """All piles by zone, from bottom to top. Changed by one thread.

    `deep` are the zones that may hold more cards below those that are known, `presumed` those of
    which nobody counted the cards: as many as the deal asks for. `put_down` are those of a packet
    that nobody counted. `found` are the columns that lay there at the first look: a card that the
    others hid may lie below them.
    """

    def __init__(self) -> None:
        """Begin with an empty table."""
        self._piles: dict[str, list[Lying]] = {}
        self.deep: set[str] = set()
        self.presumed: set[str] = set()
        self.put_down: set[str] = set()
        self.found: set[str] = set()

    def __getitem__(self, zone: str) -> list[Lying]:
        """Return the pile of a zone, bottom to top."""
        return self._piles.setdefault(zone, [])

    def zones(self) -> tuple[str, ...]:
        """Return the zones in which cards lie."""
        return tuple(zone for zone, pile in self._piles.items() if pile)

    def each(self) -> Iterator[tuple[str, int, Lying]]:
        """Yield every card with its zone and its index from the bottom.

        Meanwhile a zone may be asked for in which none ever lay.
        """
        for zone, pile in tuple(self._piles.items()):
            for index, card in enumerate(pile):
                yield zone, index, card

    def spots(self) -> set[int]:
        """Return the numbers of the spots that show cards."""
        # Asked several times a frame, so without `each`.
        return {c.spot for pile in self._piles.values() for c in pile if c.spot is not None}

    def of_face(self, face: str) -> tuple[tuple[str, int, Lying], ...]:
        """Return all cards that are known by this face."""
        # Asked many times a frame, so without `each`.
        return tuple(
            (zone, index, card)
            for zone, pile in self._piles.items()
            for index, card in enumerate(pile)
            if card.face == face
        )

    def like_below(self, zone: str, index: int) -> int | None:
        """Return the index of the card right below one if it shows the same, else None.

        Nobody sees the upper one leave then.
        """
        if not index:
            return None
        upper, lower = self[zone][index], self[zone][index - 1]
        same = (upper.face, upper.up) == (lower.face, lower.up) and upper.named
        return index - 1 if same and lower.near(upper.at_mm, 2 * SQUARED_MM) else None

    def topmost_at(self, zone: str, at_mm: PointMm, reach_mm: float = SQUARED_MM) -> int | None:
        """Return the index of the highest card at a place of a zone."""
        pile = self[zone]
        return next(
            (k for k in range(len(pile) - 1, -1, -1) if pile[k].near(at_mm, reach_mm)), None
        )

    def lay_taken_on_top(self, zone: str, lost_ns: int, together_ns: int) -> None:
        """Put cards that got lost at `lost_ns` above those that were laid with them.

        Nobody saw in which order the cards of one block lie, but the top one is taken first.
        """
        pile = self[zone]
        for k in range(len(pile) - 1):
            lower, upper = pile[k], pile[k + 1]
            if (
                lower.lost_ns == lost_ns != upper.lost_ns
                and upper.spot is not None
                and lower.up == upper.up
                and abs(lower.since_ns - upper.since_ns) <= together_ns
            ):
                pile[k], pile[k + 1] = upper, lower

    def bring_up(self, zone: str, index: int) -> int:
        """Put a card above those that have been covered since before the top one was laid.

        So are those that never showed there, the top one as well. Returns its new index.
        """
        pile = self[zone]
        top_ns, end = pile[-1].since_ns, len(pile) - (pile[-1].lost_ns > NEVER_NS)
        stay = [k for k in range(index + 1, end) if pile[k].lost_ns < top_ns]
        card = pile.pop(index)
        pile.insert(index + len(stay), card)
        return index + len(stay)

    def put_on_top(self, zone: str, index: int) -> int:
        """Put a card on top, as it lies above what was believed; returns its new index."""
        pile = self[zone]
        pile.append(pile.pop(index))
        return len(pile) - 1

    def take(self, zone: str, indices: Iterable[int]) -> tuple[Lying, ...]:
        """Remove cards from a zone; returns them from bottom to top."""
        wanted = set(indices)
        pile = self[zone]
        taken = tuple(card for k, card in enumerate(pile) if k in wanted)
        self._piles[zone] = [card for k, card in enumerate(pile) if k not in wanted]
        return taken

    def hides_back(self, zone: str, index: int) -> bool:
        """Whether a back that is not seen is known to lie right below a card."""
        below = self[zone][index - 1] if index else None
        return below is not None and not below.up and below.spot is None

    def show_below(self, zone: str, index: int) -> int:
        """Let what is seen of a back that was turned up be the back below it, which looks the same.

        Where none is known to lie there, there was one more. Returns the index of the upper one.
        """
        pile = self[zone]
        card = pile[index]
        if self.hides_back(zone, index):
            below = pile[index - 1]
            pile[index - 1] = replace(
                below, spot=card.spot, at_mm=card.at_mm, angle_deg=card.angle_deg
            )
        else:
            pile.insert(index, replace(unknown(card), spot=card.spot))
            index += 1
            self.deep.add(zone)
        pile[index] = card.unseen()
        return index

    def mix(self, zone: str, seen: bool) -> None:
        """Let a hand have no order before a card of it is laid that was not known to be in it.

        Its face is `seen`: then it was one of those that are not known. Else nobody knows any more
        which of the others are still held.
        """
        pile = self[zone]
        if seen:
            pile.sort(key=lambda card: not card.named)
        else:
            pile[:] = [unknown(card) for card in pile]

    def holds_packet(self, hand: str) -> bool:
        """Whether a player holds cards that he took up to lay them out, rather than his last few.

        Nobody counted them.
        """
        return bool(self[hand]) and (hand in self.deep or len(self[hand]) > FEW_CARDS)

    def lay_down(self, hand: str, zone: str, face: str) -> None:
        """Let all that a hand holds lie in a zone, with the card on top that shows."""
        self[hand].sort(key=lambda card: card.face == face)
        if hand in self.deep:
            self.deep.discard(hand)
            self.put_down.add(zone)

    def empty(self, hand: str) -> None:
        """Let a hand hold no card."""
        self[hand].clear()
        self.deep.discard(hand)

    def bring_to(self, zone: str, place: int, to: int) -> None:
        """Put a card of a pile of backs from one place to another, each counted from the top.

        In which order backs lie may be believed wrongly; how many lie there is not changed.
        """
        pile = self[zone]
        down = [k for k, card in enumerate(pile) if not card.up]
        cards = [pile[k] for k in down]
        if place == to or place > len(cards):
            return
        shown = next((card for card in reversed(cards) if card.spot is not None), None)
        moved = cards.pop(-place)
        cards.insert(max(0, len(cards) + 1 - to), moved)
        for k, card in zip(down, cards, strict=True):
            pile[k] = card if shown is None else replace(card, spot=None)
        if shown is not None:
            pile[down[-1]] = replace(pile[down[-1]], spot=shown.spot)

    def draw(self, zone: str, count: int) -> tuple[Lying, ...]:
        """Take cards off the top of a pile of backs; returns those that were known, bottom to top.

        The next back looks the same and shows in the same place. Of a pile that may be deeper
        than is known, or of a packet that nobody counted, one card is always left.
        """
        pile = self[zone]
        down = [k for k, card in enumerate(pile) if not card.up]
        uncounted = zone in self.deep or zone in self.put_down
        most = len(down) - 1 if uncounted else len(down)
        wanted = down[len(down) - min(count, most) :] if most > 0 else []
        if not wanted:
            return ()
        shown = next((c for c in reversed(pile) if not c.up and c.spot is not None), None)
        taken = self.take(zone, wanted)
        left = self[zone]
        if shown is not None and shown in taken and left and not left[-1].up:
            left[-1] = replace(
                left[-1], spot=shown.spot, at_mm=shown.at_mm, angle_deg=shown.angle_deg
            )
        return taken


def comes_next(above: Card, below: Card) -> bool:
    """Whether a card is laid onto another one of a foundation; none without a suit is."""
    suited = above.is_suited and below.is_suited
    return suited and above.suit() == below.suit() and above.rank() == below.rank() + 1


def fits_onto(upper: Lying, lower: Lying) -> bool:
    """Whether a card is the next lower one, and of the other colour."""
    if not (upper.named and lower.named and upper.card.is_suited and lower.card.is_suited):
        return False
    one, other = upper.card, lower.card
    return one.rank() == other.rank() - 1 and one.is_red() != other.is_red()
