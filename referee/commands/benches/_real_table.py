"""A table of real cards, laid by people and moved by a script's events, without any picture."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from math import cos, dist, radians, sin

from referee.table.layout import lay_of
from referee.values import (
    Card,
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    PileMixed,
    PileMoved,
    PileTaken,
    Placement,
    PointMm,
    TablePlan,
)
from referee.values.spots import CARD_H_MM, CARD_W_MM

HELD = ("held", "closed")
# An index is read while the middle of its rank and suit is not covered: so far right of and above
# the card's middle, and the other way round.
INDEX_MM = (21.0, 29.0)
# A back is seen as one card; of a pile of backs that lie nearly squared only the topmost.
PILE_OF_BACKS_MM = 60.0
# Nobody lays the next card of a cascade on less or more than so much of the usual step.
LEAST_STEP, MOST_STEP = 0.75, 1.3
APART_MM = 15.0


@dataclass(frozen=True, slots=True)
class Real:
    """A card that truly lies there. `n` changes whenever it is laid or turned."""

    card: Card
    up: bool
    at_mm: PointMm = (0.0, 0.0)
    angle_deg: float = 0.0
    n: int = 0
    since_ns: int = 0


class RealTable:
    """The true piles, each card laid at most `off_mm` off its place and `askew_deg` askew."""

    def __init__(
        self,
        plan: TablePlan,
        rng: random.Random | None = None,
        off_mm: float = 2.0,
        askew_deg: float = 2.0,
    ) -> None:
        """Begin with an empty table."""
        self.plan = plan
        self.zones = {zone.name: zone for zone in plan.zones}
        self.piles: dict[str, list[Real]] = {}
        self._rng = rng or random.Random(1)
        self._off_mm, self._askew_deg = off_mm, askew_deg
        self._n = 0

    def pile(self, zone: str) -> list[Real]:
        """Return what lies in a zone, bottom to top."""
        return self.piles.setdefault(zone, [])

    def lay(self, zone: str, card: Card, up: bool, t_ns: int, under: bool = False) -> None:
        """Lay a card on or under a pile."""
        self._n += 1
        pile = self.pile(zone)
        # A card put under a cascade sticks out before its first one.
        at_mm, angle_deg = self._place(zone, (-1 if pile else 0) if under else self._slot(zone))
        real = Real(replace(card, hidden=False), up, at_mm, angle_deg, self._n, t_ns)
        pile.insert(0 if under else len(pile), real)

    def start(self, placements: tuple[Placement, ...]) -> None:
        """Lay a start position."""
        for placement in placements:
            for one in placement.cards:
                self.lay(placement.zone, one.card, one.up, 0)

    def place_of(self, zone: str, card: Card | None = None) -> PointMm | None:
        """Return where a hand goes: to a card that it takes, or to where it lays the next one.

        None off the table.
        """
        known = self.zones.get(zone)
        if known is None or zone.rpartition(".")[2] in HELD:
            return None
        for real in reversed(self.pile(zone)):
            if card is not None and card.face in (real.card.face, "??"):
                return real.at_mm
        lay = lay_of(self.plan, known)
        k = min(self._slot(zone), max(0, lay.cards - 1))
        return (lay.first_mm[0] + k * lay.step_mm[0], lay.first_mm[1] + k * lay.step_mm[1])

    def _slot(self, zone: str) -> int:
        """Return the first free place of a row, or the next step of a cascade."""
        if zone != "mid" and not zone.endswith((".open", ".aside")):
            return len(self.pile(zone))
        known = self.zones.get(zone)
        if known is None:
            return 0
        lay = lay_of(self.plan, known)
        places = [
            (lay.first_mm[0] + k * lay.step_mm[0], lay.first_mm[1] + k * lay.step_mm[1])
            for k in range(12)
        ]
        taken = [real.at_mm for real in self.pile(zone)]
        free = (k for k, at in enumerate(places) if all(dist(at, one) > APART_MM for one in taken))
        return next(free, len(taken))

    def _off(self) -> float:
        return self._rng.uniform(-self._off_mm, self._off_mm)

    def _place(self, zone: str, index: int) -> tuple[PointMm, float]:
        known = self.zones.get(zone)
        if known is None:
            return (0.0, 0.0), 0.0
        lay = lay_of(self.plan, known)
        length_mm = dist(lay.step_mm, (0.0, 0.0))
        k = min(index, lay.cards - 1) if lay.cards > 1 else 0
        x, y = (lay.first_mm[i] + k * lay.step_mm[i] + self._off() for i in (0, 1))
        pile = self.pile(zone)
        if 0.0 < length_mm < CARD_W_MM and pile and index in (-1, len(pile)):
            # Whoever lays a cascade goes by the card below, not by the mat.
            along = 1.0 + max(LEAST_STEP - 1, min(MOST_STEP - 1, self._off() / length_mm))
            beside = pile[0 if index < 0 else -1].at_mm
            x, y = (
                beside[i]
                + (-along if index < 0 else along) * lay.step_mm[i]
                + self._off() / 2 * across
                for i, across in enumerate(_across(lay.step_mm, length_mm))
            )
        askew_deg = self._rng.uniform(-self._askew_deg, self._askew_deg)
        return (x, y), known.angle_deg + askew_deg

    def take(self, zone: str, count: int, pos: int = 0) -> list[Real]:
        """Take cards from a zone; where too few lie, unknown ones are made up."""
        pile = self.pile(zone)
        end = len(pile) - pos
        cards = pile[max(0, end - count) : end]
        del pile[max(0, end - count) : end]
        while len(cards) < count:
            cards.insert(0, Real(Card("??"), False))
        return cards

    def _pos_of(self, zone: str, card: Card, pos: int | None) -> int:
        faces = [real.card.face for real in self.pile(zone)][::-1]
        return faces.index(card.face) if pos is None and card.face in faces else pos or 0

    def lift(self, event: Event) -> list[Real]:
        """Take up what an event moves."""
        match event:
            case CardPlaced():
                pos = self._pos_of(event.origin, event.card, event.pos)
                return self.take(event.origin, 1, pos)
            case PileMoved():
                return self.take(event.origin, event.count)
            case PileTaken():
                return self.take(event.zone, event.count)
            case CardTurned():
                return self.take(event.zone, 1, event.pos or 0)
            case _:
                return []

    def drop(self, event: Event, cards: list[Real], t_ns: int) -> None:
        """Put down what an event moves."""
        match event:
            case CardPlaced():
                card = event.card if event.card.known else cards[0].card
                self.lay(event.target, card, event.up, t_ns, event.under)
            case CardTurned():
                card = event.card if event.card.known else cards[0].card
                self.lay(event.zone, card, event.up, t_ns)
            case PileMoved():
                self._drop_block(event, cards, t_ns)
            case PileTaken():
                for real in cards[::-1]:
                    self.lay(f"{event.actor.seat}.held", real.card, False, t_ns, under=True)
            case Dealt() if not event.columns:
                for card in event.cards:
                    self.lay(event.zone, card, not card.hidden, t_ns)
            case Dealt():
                seat = event.zone.partition(".")[0]
                for card, column in zip(event.cards, event.columns, strict=True):
                    self.take(f"{seat}.held", 1)
                    self.lay(f"{seat}.arr.{column}", card, not card.hidden, t_ns)
            case PileMixed() | _:
                pass

    def _drop_block(self, event: PileMoved, cards: list[Real], t_ns: int) -> None:
        block = cards[::-1] if event.flip else cards
        into_hand = event.target.endswith((".held", ".rest"))
        for real in block[::-1] if event.under else block:
            up = not real.up if event.flip else real.up and not into_hand
            self.lay(event.target, real.card, up, t_ns, event.under)

    def visible(self) -> list[Real]:
        """Return the cards of which an index, or a whole back, shows."""
        seen = []
        for zone, pile in self.piles.items():
            if zone.rpartition(".")[2] in HELD or zone not in self.zones:
                continue
            seen += [real for k, real in enumerate(pile) if _shows(real, pile[k + 1 :])]
        return seen


def _across(step_mm: PointMm, length_mm: float) -> PointMm:
    return (step_mm[1] / length_mm, step_mm[0] / length_mm)


def _shows(real: Real, above: list[Real]) -> bool:
    above = [other for other in above if dist(other.at_mm, real.at_mm) < CARD_H_MM + 20.0]
    if not above:
        return True
    if not real.up:
        return all(dist(real.at_mm, other.at_mm) >= PILE_OF_BACKS_MM for other in above)
    turn = radians(real.angle_deg)
    for side in (1, -1):
        across, along = -INDEX_MM[0] * side, INDEX_MM[1] * side
        at_mm = (
            real.at_mm[0] + across * cos(turn) + along * sin(turn),
            real.at_mm[1] - across * sin(turn) + along * cos(turn),
        )
        if not any(_lies_over(other, at_mm) for other in above):
            return True
    return False


def _lies_over(card: Real, at_mm: PointMm) -> bool:
    turn = radians(card.angle_deg)
    dx, dy = at_mm[0] - card.at_mm[0], at_mm[1] - card.at_mm[1]
    across, along = dx * cos(turn) - dy * sin(turn), dx * sin(turn) + dy * cos(turn)
    return abs(across) <= CARD_W_MM / 2 and abs(along) <= CARD_H_MM / 2
