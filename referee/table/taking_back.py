"""Cards taken back face down onto the pile that they were played from, where only backs show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.table import moves
from referee.table.air import UNDER_NS, UNDER_U_NS, Air
from referee.table.backs import FINGERS_MM
from referee.table.evidence import Evidence
from referee.table.gone import Gone, home_of
from referee.table.habits import Habits, fits, is_in_hands
from referee.table.into_hand import TAKEN_CONF
from referee.table.piles import Piles
from referee.table.putting_under import SEEN_NS
from referee.values import Event, TablePlan


class TakingBack:
    """Tells where cards in the air lie that were taken back. Used by one thread.

    One back looks like another. That an open card lies there now is known by where it does not:
    its player's fingers came to the backs from which he had played it, have gone from there, and
    wherever else they were no card has come to lie.
    """

    def __init__(
        self, plan: TablePlan, habits: Habits, piles: Piles, air: Air, evidence: Evidence
    ) -> None:
        """Take the piles, the cards in the air, and the hands."""
        self._zones = plan.zones
        self._habits, self._piles = habits, piles
        self._air, self._evidence = air, evidence

    def step(self, may_lie: Callable[[Gone], bool]) -> list[Event]:
        """Tell of the cards that were taken back and can lie nowhere else.

        `may_lie` tells whether a card may lie where another card hides it, or unread.
        """
        events: list[Event] = []
        for gone in list(self._air.gone):
            home = home_of(gone, self._habits)
            if home is None or not self._is_bare(gone) or may_lie(gone):
                continue
            came = self._came(gone, home)
            if came is not None and not self._may_be_hidden(gone):
                events.append(self._take_back(gone, home, came))
        return events

    def _is_bare(self, gone: Gone) -> bool:
        """Whether the place of a card is seen without it, and nothing was told of it yet."""
        now_ns = self._evidence.now.t_ns
        bare = now_ns - gone.bare_ns > UNDER_NS and now_ns - gone.clear_ns > SEEN_NS
        return bare and gone.touched and not gone.lifted

    def _came(self, gone: Gone, home: str) -> int | None:
        """Return when a player's fingers came to the backs after they took a card, and left."""
        now_ns, seat, pile = self._evidence.now.t_ns, gone.actor.seat, self._piles[home]
        if seat is None or not pile or pile[-1].up or not self._evidence.sees(pile[-1]):
            return None
        took = self._evidence.nearest(seat, gone.cards[0].at_mm, gone.t_ns, gone.bare_ns)
        since_ns = gone.t_ns if took is None or took[0] > FINGERS_MM else took[1]
        near = self._evidence.nearest(seat, pile[-1].at_mm, since_ns + 1, now_ns)
        if near is None or near[0] > FINGERS_MM or now_ns - near[1] < SEEN_NS:
            return None
        return near[1]

    def _may_be_hidden(self, gone: Gone) -> bool:
        """Whether a hand hides a place for open cards where the player was since he took one."""
        now, seat = self._evidence.now, gone.actor.seat
        if seat is None:
            return True
        for zone in self._zones:
            if not self._takes_open_cards(zone.name):
                continue
            near = self._evidence.nearest(seat, zone.center_mm, gone.bare_ns, now.t_ns)
            if near is None or near[0] > FINGERS_MM:
                continue
            seen = now.shown(zone.center_mm, zone.angle_deg) and not now.covered(zone.center_mm)
            if not seen or now.t_ns - near[1] < SEEN_NS:
                return True
        return False

    def _takes_open_cards(self, zone: str) -> bool:
        """Whether open cards lie in a zone, or come there from what lies on the table.

        Where decks are shuffled and cut before play nobody lays one in passing.
        """
        if is_in_hands(zone) or self._habits.is_drawn(zone):
            return False
        lying = (*self._piles.zones(),)
        ways = tuple(source.origin for source in self._habits.sources(zone))
        return zone in lying or any(fits(name, ways) for name in lying)

    def _take_back(self, gone: Gone, target: str, t_ns: int) -> Event:
        self._air.gone.remove(gone)
        pile, card = self._piles[target], gone.cards[0]
        shown = pile[-1]
        pile[-1] = shown.unseen()
        pile.append(
            replace(
                card.unseen(),
                up=False,
                at_mm=shown.at_mm,
                angle_deg=shown.angle_deg,
                spot=shown.spot,
                since_ns=t_ns,
            )
        )
        return moves.unseen(
            t_ns,
            UNDER_U_NS,
            card.card,
            gone.zone,
            target,
            gone.actor,
            TAKEN_CONF,
            up=False,
        )
