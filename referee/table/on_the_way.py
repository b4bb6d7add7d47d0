"""What must have happened to a card on its way, hidden by the hand that carried it."""

from __future__ import annotations

from dataclasses import replace
from math import dist

from referee.table import moves
from referee.table.air import Air
from referee.table.backs import NEAR_MM, Backs
from referee.table.drawing import Drawing
from referee.table.evidence import Evidence
from referee.table.fetching import drawn_cards
from referee.table.found import CARRY_NS, LIKELY, MAY_BE_TURNED, Found
from referee.table.habits import Habits, Source, owner_of
from referee.table.on_top import BELIEVED_NS
from referee.table.passing import LAY_NS
from referee.table.piles import NEVER_NS, Piles, laid
from referee.table.unseen_turns import UnseenTurns
from referee.values import Actor, Event
from referee.values.spots import Spot

# What a hand did just before it laid a card it did so long before, where no touch tells.
CARRIED_NS = 400_000_000
# A card that a hand turned up unseen it laid elsewhere, or its other hand did, no sooner and no
# later than this (0.47 to 1.29 s of all that were seen to be turned). The hand is seen at its place
# when it turns it or when it takes it: that tells nothing. It was turned up no sooner than this
# after the card above had left.
SOONEST_NS, LATEST_NS, TURNS_NS = 300_000_000, 1_300_000_000, 250_000_000
# A card that is drawn lies open so long after it was taken from its stock (0.24 to 0.43 s of ten
# in twelve of five makers of films), and before it is taken from there.
DRAWN_NS = 280_000_000
# A hand is at a card that it turns up and takes for longer. Of 62 that only turned one up three
# were there for less than 0.45 s, as far as they were seen; of 120 that took an open one, 79.
TURNS_AND_TAKES_NS = 450_000_000


class OnTheWay:
    """Tells what was done to cards on their way. Used by one thread."""

    def __init__(
        self,
        habits: Habits,
        piles: Piles,
        air: Air,
        drawing: Drawing,
        unseen: UnseenTurns,
        evidence: Evidence,
        players: int,
    ) -> None:
        """Take the piles, the cards in the air, how stocks are drawn, and what of it is unseen."""
        self._habits, self._piles, self._players = habits, piles, players
        self._evidence = evidence
        self._air, self._drawing, self._unseen = air, drawing, unseen

    def told(
        self, spot: Spot, zone: str, actor: Actor, found: Found, backs: Backs
    ) -> tuple[Found, list[Event]]:
        """Return where a card came from then, and what is to be told of its way.

        Either the card was turned up first, or drawn onto the pile beside and taken from there.
        That it was not turned is never sure.
        """
        events: list[Event] = []
        hidden = found.hidden or (found.gone is not None and not found.gone.cards[-1].up)
        if not spot.up or not hidden or found.flip:
            return found, events
        t_ns = found.lifted_ns or spot.still_ns - CARRIED_NS
        deck = self._habits.deck_of(found.origin, self._players)
        card = laid(spot, deck).card
        if self._habits.is_first_turned(found.origin):
            if self._was_taken_as_it_lay(found, spot, zone, actor):
                return replace(found, conf=min(found.conf, MAY_BE_TURNED)), events
            turned_ns, u_ns = self._turned_ns(found.origin, t_ns, spot.still_ns)
            events.append(moves.turned_before(turned_ns, u_ns, card, found.origin, actor))
        drawn = backs.drawn_between(spot, found, actor)
        if drawn is None:
            return found, events
        if self._is_unread(drawn.target):
            # It lay there already.
            top = len(self._piles[drawn.target]) - 1
            return Found(drawn.target, top, conf=LIKELY, who=found.who), events
        if self._lay_below(drawn, t_ns):
            pile = self._piles[drawn.target]
            below = replace(laid(spot, deck), spot=None, at_mm=pile[-1].at_mm, since_ns=NEVER_NS)
            pile.insert(len(pile) - 1, below)
            return Found(drawn.target, len(pile) - 2, 1, conf=LIKELY, who=found.who), events
        if self._drawing.goes_on(found.origin, t_ns):
            drawn = replace(drawn, block=1, flip=False)
        stirred_ns = self._unseen.stirred_ns(drawn, spot) if drawn.flip else None
        drawn_ns = stirred_ns or min(t_ns + DRAWN_NS, (t_ns + spot.still_ns) // 2)
        pile = self._piles[drawn.target]
        at_mm = backs.place_mm(drawn.target)
        if found.gone is not None and drawn.flip:
            events += self._unseen.before(found.gone, drawn, at_mm, t_ns, actor)
            drawn = replace(drawn, block=min(drawn.block, len(found.gone.cards)))
        lay = replace(spot, at_mm=at_mm, moving_ns=t_ns, still_ns=t_ns)
        pile.extend(drawn_cards(found, drawn, lay, deck, self._piles, self._air))
        if drawn.flip:
            self._unseen.note(drawn, drawn_ns)
        events.append(moves.drawn_before(drawn_ns, drawn, card, actor))
        return Found(drawn.target, len(pile) - 1, conf=LIKELY, who=found.who), events

    def _lay_below(self, drawn: Source, taken_ns: int) -> bool:
        """Whether a card lay below the top one of a pile: several that are turned hide that.

        It showed there all the while since the hand was at the backs.
        """
        seen_ns = self._air.on_top.until_ns(drawn.target)
        singly = drawn.block < 2 or not drawn.flip
        top = self._piles[drawn.target][-1:]
        lies = any(card.spot is not None and card.since_ns < taken_ns for card in top)
        return lies and not singly and seen_ns > taken_ns + BELIEVED_NS

    def _was_taken_as_it_lay(self, found: Found, spot: Spot, zone: str, actor: Actor) -> bool:
        """Whether a player was too shortly at a back of his that he played to have turned it up."""
        seat = actor.seat
        cards = self._piles[found.origin] if found.gone is None else found.gone.cards
        if owner_of(zone) is not None or seat is None or not cards:
            return False
        way = self._evidence.way(seat, spot.still_ns - CARRY_NS, spot.still_ns - LAY_NS)
        near = [t_ns for t_ns, tip_mm in way if dist(tip_mm, cards[-1].at_mm) < NEAR_MM]
        return bool(near) and near[-1] - near[0] < TURNS_AND_TAKES_NS

    def _is_unread(self, zone: str) -> bool:
        """Whether a card was seen to lie open on top of a pile that nobody could read."""
        top = self._piles[zone][-1:]
        return any(
            card.up and not card.named and (card.spot is not None or card.lost_ns > NEVER_NS)
            for card in top
        )

    def _turned_ns(self, zone: str, lifted_ns: int, laid_ns: int) -> tuple[int, int]:
        """Return when a card was turned up that lies elsewhere since then, and half the interval.

        After the one above had left.
        """
        taken_ns = self._air.taken_ns(zone, lifted_ns) + TURNS_NS
        until_ns = laid_ns - SOONEST_NS
        since_ns = min(max(laid_ns - LATEST_NS, taken_ns), until_ns - TURNS_NS)
        return (since_ns + until_ns) // 2, (until_ns - since_ns) // 2
