"""Open cards where cards are only put down together, face down as a rule: the rest of a packet."""

from __future__ import annotations

from referee.table.backs import Backs
from referee.table.own_pile import Answer, How
from referee.table.piles import Piles
from referee.table.sources import Sources
from referee.values import Actor
from referee.values.spots import Spot


class OpenPackets:
    """Explains open cards that show on a packet which was put down."""

    def __init__(self, piles: Piles, sources: Sources, backs: Backs) -> None:
        """Look at the table as it is known now."""
        self._piles, self._sources, self._backs = piles, sources, backs

    def explain(
        self, spot: Spot, zone: str, actor: Actor, top: int | None, *, gone: bool
    ) -> Answer | None:
        """Return how an open card came that is `gone` by now, or lies there; None while unknown.

        It was carried there or put down with the packet, and shows when those upon it are played.
        Where a back shows it was turned up in the fingers over it.
        """
        left = self._sources.left(spot, zone, actor)
        if left is not None:
            return Answer(How.CAME, top, left)
        if top is None:
            put_down = self._backs.held(spot, zone, actor)
            return Answer(How.CAME, None, put_down) if put_down else Answer(How.UNCOVERED)
        card = self._piles[zone][top]
        if card.spot is not None:
            return Answer(How.PEEKS) if gone else None
        if not (card.up and card.named):
            return Answer(How.UNCOVERED, top)
        return Answer(How.UNCOVERED, top - 1 if top else None)
