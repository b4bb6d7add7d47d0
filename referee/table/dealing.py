"""The deal: cards and piles that appear until every player has his own."""

from __future__ import annotations

from dataclasses import replace

from referee.table import moves
from referee.table.habits import Habits, owner_of
from referee.table.piles import Piles, laid, unknown
from referee.table.spots import OFF
from referee.values import Actor, Event, TablePlan
from referee.values.spots import Spot


class Dealing:
    """Follows the deal. Used by one thread. `goes_on` until every player has his cards."""

    def __init__(self, plan: TablePlan, habits: Habits, piles: Piles) -> None:
        """Wait for the deal."""
        self._plan, self._habits, self._piles = plan, habits, piles
        self.goes_on = True

    def begin(self) -> None:
        """Look whether the first table is one before the deal.

        Then there is nothing but a deck, or two, or one for each player.
        """
        few = len(self._piles.zones()) <= max(2, len(self._plan.seats))
        self.goes_on = few and not any(card.up for _, _, card in self._piles.each())

    def deal(self, spot: Spot, zone: str, actor: Actor) -> list[Event]:
        """Tell of a card or pile that appeared during the deal, as high as the deal asks for."""
        players = len(self._plan.seats)
        card = laid(spot, self._habits.deck_of(zone, players))
        card = replace(card, told=card.face)
        below = [unknown(card)] * (self._habits.dealt_height(zone, players) - 1)
        self._piles[zone].extend((*below, card) if zone != OFF else (card,))
        if zone == OFF:
            return []
        top = card.card if card.up else card.card.hide()
        cards = (*(one.card.hide() for one in below), top)
        dealt = self._habits.usual_heights(players, self._piles.zones())
        if len({owner_of(name) for name in dealt}) == players:
            self.goes_on = False
        return [moves.dealt(spot, zone, cards, actor)]
