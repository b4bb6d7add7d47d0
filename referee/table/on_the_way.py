"""What must have happened to a card on its way, hidden by the hand that carried it."""

from __future__ import annotations

from dataclasses import replace

from referee.table import moves
from referee.table.air import Air
from referee.table.backs import Backs
from referee.table.drawing import Drawing
from referee.table.fetching import drawn_cards
from referee.table.found import LIKELY, Found
from referee.table.habits import Habits
from referee.table.piles import Piles, laid
from referee.table.unseen_turns import UnseenTurns
from referee.values import Actor, Event
from referee.values.spots import Spot

# What a hand did just before it laid a card it did so long before, where no touch tells.
CARRIED_NS = 400_000_000
# A card that a hand turned up unseen it took, or its other hand did, so much later (0.57 to 0.86 s
# of all that were seen to lie between), and no sooner than this after the card above had left.
TURNED_NS, TURNS_NS = 600_000_000, 250_000_000


class OnTheWay:
    """Tells what was done to cards on their way. Used by one thread."""

    def __init__(
        self,
        habits: Habits,
        piles: Piles,
        air: Air,
        drawing: Drawing,
        unseen: UnseenTurns,
        players: int,
    ) -> None:
        """Take the piles, the cards in the air, how stocks are drawn, and what of it is unseen."""
        self._habits, self._piles, self._players = habits, piles, players
        self._air, self._drawing, self._unseen = air, drawing, unseen

    def told(
        self, spot: Spot, actor: Actor, found: Found, backs: Backs
    ) -> tuple[Found, list[Event]]:
        """Return where a card came from then, and what is to be told of its way.

        Either the card was turned up first, or drawn onto the pile beside and taken from there.
        """
        events: list[Event] = []
        hidden = found.hidden or (found.gone is not None and not found.gone.cards[-1].up)
        if not spot.up or not hidden or found.flip:
            return found, events
        t_ns = found.lifted_ns or spot.still_ns - CARRIED_NS
        card = laid(spot, self._habits.deck_of(found.origin, self._players)).card
        if self._habits.is_first_turned(found.origin):
            turned_ns = self._turned_ns(found.origin, t_ns)
            events.append(moves.turned_before(turned_ns, card, found.origin, actor))
        drawn = backs.drawn_between(spot, found, actor)
        if drawn is None:
            return found, events
        if self._drawing.goes_on(found.origin, t_ns):
            drawn = replace(drawn, block=1, flip=False)
        elif drawn.flip:
            t_ns = self._unseen.lifted(drawn, t_ns)
        pile = self._piles[drawn.target]
        at_mm = backs.place_mm(drawn.target)
        if found.gone is not None and drawn.flip:
            events += self._unseen.before(found.gone, drawn, at_mm, t_ns, actor)
            drawn = replace(drawn, block=min(drawn.block, len(found.gone.cards)))
        lay = replace(spot, at_mm=at_mm, moving_ns=t_ns, still_ns=t_ns)
        pile.extend(drawn_cards(found, drawn, lay, self._piles, self._air))
        events.append(moves.drawn_before(t_ns, drawn, card, actor))
        return Found(drawn.target, len(pile) - 1, conf=LIKELY, who=found.who), events

    def _turned_ns(self, zone: str, lifted_ns: int) -> int:
        """Return when a card was turned up that was lifted then: after the one above had left."""
        since_ns = self._air.taken_ns(zone, lifted_ns) + TURNS_NS
        return min(max(lifted_ns - TURNED_NS, since_ns), lifted_ns)
