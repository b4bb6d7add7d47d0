"""Cards that went into a hand: what is told of them, when, and how surely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from referee.table import moves
from referee.table.contested import SAME_TOUCH_NS
from referee.table.evidence import Evidence, Reach, is_same_hand
from referee.table.found import PLAIN
from referee.table.gone import Gone
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.piles import FEW_CARDS, Lying, Piles
from referee.table.putting_under import LEAST_CARRY_NS
from referee.table.spots import OFF
from referee.values import Actor, Event

# What was taken and lies nowhere is told as taken; how surely, by what is known of it.
TAKEN_CONF, SEEN_CONF, PASSED_CONF = 0.8, 0.95, 0.6
# Hands that hold cards are off the table: the one that leaves it with a card puts it to the others
# so much later (0.0 to 0.43 s, of all that were seen to).
HOME_NS, HOME_U_NS = 220_000_000, 250_000_000
# Where it was not seen to leave, the place that it bared tells: it is home so much later (0.0 to
# 0.23 s of 14 in 17).
BARED_NS = 100_000_000
# Fingers that were not seen for so long are not over the table.
AWAY_NS = 400_000_000


class IntoHand:
    """Tells of cards in the air that are in a hand now. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Take the piles, and where hands are."""
        self._habits, self._piles, self._evidence = habits, piles, evidence

    def take(self, gone: Gone, *, nowhere: bool) -> list[Event]:
        """Put cards into a hand; tell of them one by one where hands are hidden, else as a block.

        `nowhere`: nothing on the table can hide them, nor is anything there that is not understood.
        """
        conf = self._hold(gone, nowhere=nowhere)
        if self._habits.hides_hands:
            return self._one_by_one(gone, conf)
        if all(card.up and not card.named for card in gone.cards):
            # What nobody ever read was no card mostly, or lies elsewhere, where it is read.
            return []
        count = len(gone.cards)
        return [moves.taken(gone.t_ns, gone.u_ns, gone.zone, count, gone.actor, conf)]

    def take_back(self, gone: Gone, *, nowhere: bool) -> list[Event]:
        """Put cards that were just laid out back into the hand that lays them out."""
        return self._one_by_one(gone, self._hold(gone, nowhere=nowhere))

    def _hold(self, gone: Gone, *, nowhere: bool) -> float:
        """Put cards into a hand; returns how surely they are there."""
        seat = gone.actor.seat or owner_of(gone.zone)
        hand = f"{seat}.{self._habits.held}"
        conf = PLAIN if nowhere and self._is_held(gone) else self._conf(gone)
        if seat is not None:
            self._piles[hand][:0] = [replace(card.unseen(), up=False) for card in gone.cards]
            deep = gone.zone in self._piles.deep and not self._habits.is_turned(gone.zone)
            uncounted = gone.zone in self._piles.put_down or self._habits.is_packet(gone.zone)
            if deep or uncounted:
                self._piles.deep.add(hand)
        return conf

    def _one_by_one(self, gone: Gone, conf: float) -> list[Event]:
        seat = gone.actor.seat or owner_of(gone.zone)
        if seat is None:
            return []
        hand = f"{seat}.{self._habits.held}"
        t_ns, u_ns = self._when(gone)
        return [
            moves.unseen(t_ns, u_ns, card.card, gone.zone, hand, gone.actor, conf, up=False)
            for card in gone.cards[::-1]
        ]

    def _conf(self, gone: Gone) -> float:
        if gone.reach is Reach.PASSED:
            return PASSED_CONF
        # An open card is mostly taken to be laid elsewhere, and may lie there unread.
        backs = not any(card.up for card in gone.cards)
        counted = backs and gone.actor.seat is not None and gone.zone not in self._piles.deep
        return SEEN_CONF if counted else TAKEN_CONF

    def _is_held(self, gone: Gone) -> bool:
        """Whether cards can be nowhere but in the hand of the player who took them.

        Somebody was seen to take them from a place that is bare now, his hand is not over the
        table any more, and he laid nothing since of which it was not seen where it came from. Of
        hands that nobody sees one card is told at a time.
        """
        seat = gone.actor.seat
        if seat is None or gone.reach is not Reach.TOUCHED or gone.cards[-1].lost_ns <= 0:
            return False
        known = gone.counted and (len(gone.cards) == 1 or not self._habits.hides_hands)
        return known and self._is_away(seat) and not self._laid_since(gone, seat)

    def _laid_since(self, gone: Gone, seat: str) -> bool:
        """Whether a card came from that player's hand, or from nowhere, since this one was taken.

        It may be this one, read otherwise.
        """
        return any(
            card.since_ns > gone.t_ns and _may_be_from(card.origin, seat)
            for name, _, card in self._piles.each()
            if not is_in_hands(name)
        )

    def took_more(self, gone: Gone, air: Iterable[Gone]) -> bool:
        """Whether the hand that took one of a player's last cards went on without laying it down.

        It took another one since, or laid one that he held already.
        """
        seat = gone.actor.seat
        mine = [one for one in air if owner_of(one.zone) == seat]
        if not self._is_one_of_last(gone, mine):
            return False
        after_ns = gone.t_ns + LEAST_CARRY_NS
        taken = (one for one in mine if one.t_ns > after_ns and one.reach is Reach.TOUCHED)
        if any(is_same_hand(one.actor, gone.actor) and self._straight(gone, one) for one in taken):
            return True
        hand = f"{seat}.{self._habits.held}"
        return any(
            card.origin == hand and card.since_ns > after_ns and self._laid_by(gone.actor, card)
            for name in self._piles.zones()
            for card in self._piles[name][-1:]
        )

    def _is_one_of_last(self, gone: Gone, mine: Sequence[Gone]) -> bool:
        """Whether a card was seen to be taken from a column by its player, who has but few left."""
        seat = gone.actor.seat
        took = seat is not None and gone.reach is Reach.TOUCHED and len(gone.cards) == 1
        if not took or owner_of(gone.zone) != seat or not self._habits.is_column(gone.zone):
            return False
        lie = sum(
            len(self._piles[name])
            for name in self._piles.zones()
            if owner_of(name) == seat and (self._habits.is_column(name) or is_in_hands(name))
        )
        away = sum(len(one.cards) for one in mine if self._habits.is_column(one.zone))
        return lie + away <= FEW_CARDS

    def _straight(self, gone: Gone, other: Gone) -> bool:
        """Whether a hand came down nowhere else between one card and another that it took."""
        here_mm = [one.cards[-1].at_mm for one in (gone, other)]
        between = self._evidence.elsewhere(here_mm, gone.t_ns + 1, other.t_ns - 1, gone.actor)
        return next(iter(between), None) is None

    def _laid_by(self, actor: Actor, card: Lying) -> bool:
        """Whether a hand that may be this one came down where a card lies when it was laid."""
        since_ns, until_ns = card.since_ns - SAME_TOUCH_NS, card.since_ns + SAME_TOUCH_NS
        near = self._evidence.each(card.at_mm, since_ns, until_ns, actor)
        return any(is_same_hand(one.actor, actor) for one in near)

    def came_back(self, gone: Gone) -> bool:
        """Whether the player who took a card left the table with it, and is there again."""
        return self._left_ns(gone) is not None and not self._is_away(gone.actor.seat)

    def went_away(self, gone: Gone, now_ns: int) -> bool:
        """Whether the player who took cards that may be held left the table with them."""
        may_hold = self._habits.held is not None and gone.actor.seat is not None
        left_ns = self._left_ns(gone)
        return may_hold and left_ns is not None and now_ns - left_ns > AWAY_NS

    def _is_away(self, seat: str | None) -> bool:
        """Whether no fingers of a seat are seen over the table now."""
        now_ns = self._evidence.now.t_ns
        return seat is None or not self._evidence.way(seat, now_ns - AWAY_NS, now_ns)

    def _left_ns(self, gone: Gone) -> int | None:
        """Return when the fingers that took a card were seen last before they left the table.

        None where they have not left it, and where no ways of hands are known.
        """
        seat, now_ns = gone.actor.seat, self._evidence.now.t_ns
        way = () if seat is None else self._evidence.way(seat, gone.t_ns - AWAY_NS, now_ns)
        seen_ns = [*(t_ns for t_ns, _ in way), now_ns]
        return next((one for one, after in pairwise(seen_ns) if after - one > AWAY_NS), None)

    def _when(self, gone: Gone) -> tuple[int, int]:
        """Return when a card came to those that are held: the hand leaves the table with it."""
        left_ns = self._left_ns(gone)
        if left_ns is None:
            return max(gone.t_ns, gone.bare_ns) + BARED_NS, HOME_U_NS
        return left_ns + HOME_NS, HOME_U_NS


def _may_be_from(origin: str | None, seat: str) -> bool:
    return origin in (None, OFF) or (is_in_hands(origin) and owner_of(origin) == seat)
