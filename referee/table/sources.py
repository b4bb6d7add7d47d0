"""Where an open card that came to rest may have come from: what left, what is covered or held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import dist

from referee.table.evidence import Contact, Evidence, Reach
from referee.table.found import CARRY_NS, GUESSED, HELD_NS, LIKELY, PLAIN, WHENCE, Found
from referee.table.gone import Gone
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.laid_bare import LaidBare
from referee.table.moves import ONE_MOVE_NS
from referee.table.on_top import BELIEVED_NS
from referee.table.passing import LAY_NS
from referee.table.piles import NEVER_NS, Lying, Piles, fits_onto
from referee.table.racing import Racing
from referee.table.spots import COVERS_MM
from referee.values import Actor, Card, PointMm
from referee.values.spots import Spot

# A card that lies so near on top of another one covers it.
HIDES_MM = 60.0
# Cards of a row lie side by side, 50 mm and more apart and up to 10 mm askew; nearer ones cover.
ROW_MM = 30.0
# What got lost so lately may be the card that is seen elsewhere now.
LOST_NS = 2_500_000_000
# The cards of one turn come no farther apart than that, also where they are turned one by one.
ONE_TURN_NS = 2_000_000_000


class Sources:
    """The places that cards may come from at one moment."""

    def __init__(
        self,
        habits: Habits,
        piles: Piles,
        limbo: Sequence[Gone],
        evidence: Evidence,
        laid_bare: LaidBare,
        racing: Racing,
    ) -> None:
        """Look at the table as it is known now."""
        self._habits, self._piles = habits, piles
        self._limbo, self._evidence, self._laid_bare = limbo, evidence, laid_bare
        self._racing = racing
        self._live = {spot.id for spot in evidence.now.spots}

    def left(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the card of this face that left its place, the likeliest of several."""
        if not spot.named:
            return self._left_unread(spot, zone, actor)
        found = [
            (self._fit(card, zone, gone, actor), not self.stays(gone, spot), gone.t_ns, n, k)
            for n, gone in enumerate(self._limbo)
            for k, card in enumerate(gone.cards)
            if card.face == spot.label
            and not self._lay_later(gone, spot)
            and not self._is_drawn(gone, zone)
            # What nobody touched did not go to another player, unless he laid it whose card it is.
            and (gone.touched or card.deck == actor.seat or not self._is_foreign(card, zone))
        ]
        if not found:
            return (
                self._of_a_block(spot, zone)
                or self._never_read(spot, zone, actor)
                or self._misread(spot, zone, actor)
            )
        fit, *_, n, k = max(found)
        gone = self._limbo[n]
        rivals = {self._limbo[one[-2]].cards[one[-1]].deck for one in found if one[0] == fit}
        swift = spot.still_ns - gone.t_ns < HELD_NS
        alone = self._is_alone(gone)
        known = len(rivals) == 1 and fit > 0 and alone
        # Of one that was gone for long only that is in doubt where it lay meanwhile.
        conf = LIKELY if not known else PLAIN if swift else WHENCE
        return self._found_in(gone, k, conf, spot)

    def _lay_later(self, gone: Gone, spot: Spot) -> bool:
        """Whether a card of a foundation was seen there when that which a spot shows lay already.

        It is another one, and got lost from sight only since.
        """
        later = gone.lay_ns >= spot.still_ns + BELIEVED_NS
        return later and self._habits.is_foundation(gone.zone)

    def stays(self, gone: Gone, spot: Spot) -> bool:
        """Whether a card that got lost from sight was rather covered than taken to where one shows.

        So it is on a foundation, or if a hand came there only when that one lay already.
        """
        return self._habits.is_foundation(gone.zone) or gone.t_ns >= spot.still_ns

    def _found_in(self, gone: Gone, k: int, conf: float, spot: Spot) -> Found:
        """Return a card in the air, by its index, as the one that a spot shows."""
        count = len(gone.cards)
        lifted_ns = self._lifted_ns(gone, spot)
        found = Found(gone.zone, k, count - 1 - k, conf, gone=gone, gather=count > 1)
        return replace(found, lifted_ns=lifted_ns, who=gone.actor)

    def _lifted_ns(self, gone: Gone, spot: Spot) -> int | None:
        """Return when a card that a spot shows now was lifted, None if it left only afterwards.

        An arm may hide it some time before a hand comes down to take it. And beside it that hand
        may come down once more when it lays the card.
        """
        if gone.touched:
            before = self._taken_before_laid(gone, spot)
            lifted_ns = gone.t_ns if before is None else before
            return lifted_ns if lifted_ns < spot.still_ns else None
        if gone.t_ns >= spot.still_ns:
            return None
        touch = self._took(gone, spot, gone.t_ns)
        return gone.t_ns if touch is None else touch.t_ns

    def _taken_before_laid(self, gone: Gone, spot: Spot) -> int | None:
        """Return when a hand came to a card, if what is known of its taking is how it was laid."""
        laid_ns = (spot.moving_ns + spot.still_ns) // 2
        if gone.t_ns < laid_ns - LAY_NS:
            return None
        touch = self._took(gone, spot, laid_ns - CARRY_NS)
        return None if touch is None else touch.t_ns

    def _took(self, gone: Gone, spot: Spot, since_ns: int) -> Contact | None:
        """Return the last touch before a card was laid that was nearer to it than to there."""
        at_mm = gone.cards[-1].at_mm
        touch = self._evidence.last(at_mm, since_ns, spot.still_ns - LAY_NS)
        took = touch is not None and touch.apart_mm(at_mm) < touch.apart_mm(spot.at_mm)
        return touch if took else None

    def _is_alone(self, gone: Gone) -> bool:
        """Whether what lay below in a cascade is seen to have stayed: else it came along."""
        rest = self._piles[gone.zone]
        return not self._habits.is_single(gone.zone) or not rest or rest[-1].spot is not None

    def _is_drawn(self, gone: Gone, zone: str) -> bool:
        """Whether backs left that are turned over into this zone by blocks."""
        source = self._habits.drawn_by_blocks(gone.zone)
        return source is not None and source.target == zone and not gone.cards[-1].up

    def _left_unread(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the only card that was taken before an unread one, by its player if known."""
        taken = [gone for gone in self._taken_before(spot, zone, actor) if gone.cards[0].up]
        return _alone(taken[0]) if spot.up and len(taken) == 1 else None

    def _of_a_block(self, spot: Spot, zone: str) -> Found | None:
        """Return the card that was misread where it lay with others, which came here with it.

        Or was not read there. It has the rank that shows now, and lies nowhere any more. Cards that
        are numbers have no suit to be misread.
        """
        if spot.label.isdigit():
            return None
        beside = {
            one.label
            for one in self._evidence.now.spots
            if abs(one.still_ns - spot.still_ns) <= ONE_MOVE_NS
            and HIDES_MM > dist(one.at_mm, spot.at_mm) > 0.0
        }
        for gone in self._limbo:
            like = [k for k, card in enumerate(gone.cards) if card.face[:-1] == spot.label[:-1]]
            like = like or [k for k, card in enumerate(gone.cards) if card.up and not card.named]
            if gone.zone == zone or len(like) != 1:
                continue
            others = (card for k, card in enumerate(gone.cards) if k not in like)
            along = any(card.up and card.face in beside for card in others)
            if along or self._lay_below_the_next(gone, like[0], spot, zone):
                return self._found_in(gone, like[0], LIKELY, spot)
        return None

    def _lay_below_the_next(self, gone: Gone, index: int, spot: Spot, zone: str) -> bool:
        """Whether a player took an unread card with the one that fits onto what shows now.

        He laid both on another column of his, where a hand still hides the upper one.
        """
        open_ = self._habits.lies_open(gone.zone) and self._habits.lies_open(zone)
        own = open_ and owner_of(gone.zone) == owner_of(zone)
        if not own or not _was_taken_before(gone, spot):
            return False
        lower = replace(gone.cards[index], face=spot.label)
        return any(fits_onto(upper, lower) for upper in gone.cards[index + 1 : index + 2])

    def _never_read(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the only card that was taken just before and was never read where it lay."""
        gone = self._only_taken(spot, zone, actor)
        return None if gone is None or gone.cards[0].named else _alone(gone)

    def _misread(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the only card that was taken just before, of the rank and colour that show now.

        One of them was misread if no hand can have got at that which shows, and the other one lies
        nowhere.
        """
        gone = self._only_taken(spot, zone, actor)
        if gone is None or not gone.cards[0].card.is_sister_of(Card(spot.label)):
            return None
        others = self.twin(spot, zone, actor), self.covered(spot, zone, actor)
        return _alone(gone) if others == (None, None) else None

    def _only_taken(self, spot: Spot, zone: str, actor: Actor) -> Gone | None:
        """Return the only card that was taken before an open one was laid, if it may be that."""
        taken = self._taken_before(spot, zone, actor)
        if not spot.up or len(taken) != 1:
            return None
        gone, card = taken[0], taken[0].cards[0]
        fits = card.up and gone.zone != zone and not self._is_foreign(card, zone)
        return gone if fits else None

    def _taken_before(self, spot: Spot, zone: str, actor: Actor) -> list[Gone]:
        """Return the single cards that were taken before one was laid, by its player if known."""
        return [
            gone
            for gone in self._limbo
            if (actor.seat is None or gone.actor.seat == actor.seat)
            and len(gone.cards) == 1
            and _was_taken_before(gone, spot)
            and not self._went_along(gone, zone)
        ]

    def _went_along(self, gone: Gone, zone: str) -> bool:
        """Whether what is left of a block lies where the rest of it was laid, not in a zone."""
        return gone.onto not in (None, zone) and self._habits.is_single(gone.onto)

    def left_from(self, zone: str, at_mm: PointMm) -> bool:
        """Whether cards left a place of a zone and lie nowhere yet."""
        reach_mm = self._habits.reach_mm(zone, COVERS_MM)
        return any(
            gone.zone == zone and gone.cards[0].near(at_mm, reach_mm) for gone in self._limbo
        )

    def laid_bare(self, zone: str, at_mm: PointMm) -> bool:
        """Whether the last known card of a pile that may be deeper left it to lie elsewhere."""
        return self._laid_bare.shows(zone, at_mm)

    def bared(self, zone: str, spot: Spot, *, drawn: bool = True) -> bool:
        """Whether a spot shows since a card that lies elsewhere now was carried off its pile.

        `drawn`: it may have been drawn onto that meanwhile.
        """
        return self._laid_bare.bares(zone, spot, drawn=drawn)

    def is_brought(self, card: Lying, zone: str) -> bool:
        """Whether a card may have come from a player's zone to where others laid some as well."""
        return self._racing.has_brought(card, owner_of(zone))

    def may_return(self, zone: str) -> bool:
        """Whether open cards are in the air that may have been turned over onto a zone."""
        ways, owner = (self._habits.returns_to, self._habits.put_under), owner_of(zone)
        return any(way(gone.zone, owner) == zone for gone in self._limbo for way in ways)

    def has_left(self, face: str, but_of: str | None) -> bool:
        """Whether a card of a face and of another deck was taken and lies nowhere yet."""
        return any(
            gone.touched and card.face == face and card.deck != but_of
            for gone in self._limbo
            for card in gone.cards
        )

    def last_laid_ns(self, zone: str) -> int:
        """Return when the last of the cards was laid that left a zone and lie nowhere yet."""
        laid = (card.since_ns for gone in self._limbo if gone.zone == zone for card in gone.cards)
        return max(laid, default=NEVER_NS)

    def _fit(self, card: Lying, zone: str, gone: Gone, actor: Actor) -> int:
        """Rank a card in the air: of whose deck it is, and who took it."""
        owner = owner_of(zone)
        fits = 0 if owner is None or card.deck in (None, owner) else -2
        if actor.seat is not None:
            mine = actor.seat in (gone.actor.seat, card.deck)
            fits += 2 if mine else -1 if gone.actor.seat is not None else 0
        return fits + 1 + (gone.zone == zone)

    def covered(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the covered card of this face that a hand can have got at."""
        if not spot.named:
            return None
        found = []
        for name, k, card in self._piles.of_face(spot.label):
            if card.spot in self._live or not card.up or name == zone:
                continue
            if self._lies_deep(name, k):
                continue
            hides_mm = ROW_MM if self._habits.is_row(name) else HIDES_MM
            pos = sum(1 for c in self._piles[name][k + 1 :] if c.near(card.at_mm, hides_mm))
            since_ns = spot.still_ns - CARRY_NS
            now_ns = self._evidence.now.t_ns
            reach = self._evidence.reach(name, card.at_mm, since_ns, now_ns, actor)
            just = pos == 0 and card.lost_ns > since_ns
            mine = actor.seat is not None and card.deck == actor.seat
            # Each deck has it but once: what shows at its player's own place is the very card.
            own = mine or (card.deck is not None and card.deck == owner_of(zone))
            if (reach is Reach.NONE and not (just and own)) or self._is_foreign(card, zone):
                continue
            found.append((mine, just, reach, card.lost_ns, name, k, pos))
        if not found:
            return None
        _, just, reach, _, name, k, _ = max(found)
        pos = len(self._piles[name]) - 1 - k
        plain = just and len(found) == 1 and reach is not Reach.NONE
        conf = PLAIN if plain else LIKELY if pos == 0 else GUESSED
        if len(found) == 1 and pos and reach is Reach.TOUCHED:
            conf = PLAIN if self._is_pulled_out(name, k, spot, actor) else conf
        return Found(name, k, pos, conf=conf, gather=True, reach=reach)

    def _lies_deep(self, zone: str, index: int) -> bool:
        """Whether a card lies below another of a foundation, the top of which still shows.

        Nobody pulls one out there, and each other player has its like.
        """
        above = self._piles[zone][index + 1 :]
        return self._habits.is_foundation(zone) and any(card.spot in self._live for card in above)

    def _is_pulled_out(self, zone: str, index: int, spot: Spot, actor: Actor) -> bool:
        """Whether a card surely came from below others: they lie there still, and it was theirs.

        Each deck has it but once, and the hand of its player was at no cards that nobody has read.
        In which order the cards of one turn lie is not seen, but may be told where play begins; nor
        is it of those that show side by side.
        """
        card, above = self._piles[zone][index], self._piles[zone][index + 1 :]
        if not card.named or card.deck is None or card.deck != actor.seat:
            return False
        since_ns = min(one.since_ns for one in above)
        beside = since_ns < max(card.since_ns + ONE_TURN_NS, card.lost_ns)
        told = card.origin is None and card.lost_ns == NEVER_NS
        if beside and not told and self._habits.is_drawn_onto(zone):
            return False
        now, since_ns = self._evidence.now, spot.still_ns - CARRY_NS
        stay = (one.spot in self._live and not now.covered(one.at_mm) for one in above[-1:])
        backs = (
            self._piles[name][-1]
            for name in self._piles.zones()
            if owner_of(name) == actor.seat and not self._piles[name][-1].up
        )
        touches = (
            (touch.apart_mm(back.at_mm), touch.apart_mm(card.at_mm))
            for back in backs
            for touch in self._evidence.each(back.at_mm, since_ns, spot.still_ns, actor)
        )
        return all(stay) and all(from_back > from_card for from_back, from_card in touches)

    def held(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the known card of this face in the actor's hand.

        Where cards come from piles of backs as well, he may have laid it down there, unseen.
        """
        hands = (is_in_hands(source.origin) for source in self._habits.sources(zone))
        conf = PLAIN if all(hands) else LIKELY
        for name, k, _ in self._piles.of_face(spot.label) if spot.named else ():
            his = is_in_hands(name) and actor.seat is not None and owner_of(name) == actor.seat
            if his and self._habits.lays_singly(name, zone):
                return Found(name, k, conf=conf)
        return None

    def twin(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return where the very card that a spot shows is still believed to lie open."""
        if not spot.named:
            return None
        twins = [
            (name, k, card)
            for name, k, card in self._piles.of_face(spot.label)
            if card.up and card.spot in self._live and card.spot != spot.id
        ]
        wanted = owner_of(zone) or actor.seat
        twins.sort(key=lambda one: one[2].deck not in (None, wanted))
        for name, k, card in twins:
            if self._may_be_taken(name, card, spot, actor):
                pos = len(self._piles[name]) - 1 - k
                return Found(name, k, pos, conf=self._twin_conf(card))
        return None

    def took_from_below(self, twin: Found, spot: Spot, actor: Actor) -> bool:
        """Whether the hand that laid a card was where the only one of its face seems to lie still.

        Another one lies squarely on that: what shows there is not its face.
        """
        card, name = self._piles[twin.origin][twin.index], twin.origin
        if card.deck is not None or actor.seat is None or not twin.pos:
            return False
        if self._habits.is_row(name) or self._habits.is_single(name):
            return False
        above = self._piles[name][-1]
        touch = self._evidence.last(card.at_mm, above.since_ns, spot.still_ns, actor)
        return touch is not None and above.near(card.at_mm)

    def _twin_conf(self, card: Lying) -> float:
        """Of a deck of one, a card that is seen elsewhere is gone from where an arm hides it."""
        hidden = self._evidence.now.covered(card.at_mm)
        return PLAIN if hidden and self._habits.shares_one_deck else LIKELY

    def _may_be_taken(self, name: str, card: Lying, spot: Spot, actor: Actor) -> bool:
        """Whether a card that is still believed may be gone: in a deck of one it must be."""
        if card.deck is None or self._evidence.now.covered(card.at_mm):
            return True
        since_ns = spot.still_ns - CARRY_NS
        return self._evidence.last(card.at_mm, since_ns, spot.still_ns, actor) is not None

    def _is_foreign(self, card: Lying, zone: str) -> bool:
        owner = owner_of(zone)
        return card.deck is not None and owner is not None and card.deck != owner


def _was_taken_before(gone: Gone, spot: Spot) -> bool:
    """Whether a hand took cards so shortly before one was laid that it may have brought them."""
    return gone.touched and 0 < spot.still_ns - gone.t_ns < CARRY_NS


def _alone(gone: Gone) -> Found:
    """Return the one card that was taken."""
    return Found(gone.zone, 0, conf=LIKELY, gone=gone, lifted_ns=gone.t_ns, who=gone.actor)
