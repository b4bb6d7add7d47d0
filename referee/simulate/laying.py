"""What lies on the table while a show is planned: where each card comes to rest, and when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.simulate.acts import Carry, Piece
from referee.simulate.cardtrail import is_off_table
from referee.simulate.flights import Lies
from referee.simulate.scene import CARD_THICKNESS_MM, TableCard
from referee.simulate.spots import CARD_H_MM, CARD_W_MM, Spots

_TOUCHING_MM = 1.5
"""Cards whose edges overlap by less than this lie beside each other."""
BEFORE_S = -60.0
"""What lies at the start has lain since long before the video."""


@dataclass(frozen=True, slots=True)
class Op:
    """Something that changes what lies: pieces are lifted, or laid where they then lie."""

    t_s: float
    gone: tuple[int, ...] = ()
    laid: tuple[tuple[int, str, TableCard], ...] = ()
    raised: tuple[tuple[int, TableCard], ...] = ()
    under: bool = False


class Laying:
    """What lies after all acts planned so far: place, zone and slot of each piece."""

    def __init__(self, pieces: Sequence[Piece], spots: Spots) -> None:
        """Begin with an empty table."""
        self._pieces, self._spots = pieces, spots
        self._chance = 0
        self._slots: dict[int, int] = {}
        self._zones: dict[str, list[int]] = {}
        self.cards: dict[int, TableCard] = {}
        self.since_s: dict[int, float] = {}
        self.ops: list[Op] = []

    def pile(self, zone: str) -> list[int]:
        """Return the pieces of a zone, bottom to top."""
        return self._zones.setdefault(zone, [])

    def remove(self, pieces: Iterable[int]) -> None:
        """Take pieces from where they lie."""
        for piece in pieces:
            self.cards.pop(piece, None)
            for pile in self._zones.values():
                if piece in pile:
                    pile.remove(piece)

    def height_mm(self, at: TableCard) -> float:
        """Return how high a card comes to rest at a place."""
        top = 0.0
        for card in self.cards.values():
            dx, dy = card.centre_mm[0] - at.centre_mm[0], card.centre_mm[1] - at.centre_mm[1]
            if dx * dx + dy * dy > 12000.0 or card.height_mm <= top:
                continue
            turn = np.radians(card.angle_deg)
            across = abs(dx * np.cos(turn) - dy * np.sin(turn))
            if across < CARD_W_MM - _TOUCHING_MM and abs(dx * np.sin(turn) + dy * np.cos(turn)) < (
                CARD_H_MM - _TOUCHING_MM
            ):
                top = card.height_mm
        return top + CARD_THICKNESS_MM

    def starts(self, act: Carry) -> list[TableCard]:
        """Where the cards lie before; in a hand they have no place yet."""
        if is_off_table(act.origin):
            ups = act.up
            return [self.faced(piece, TableCard("", 0, (0.0, 0.0)), up)
                    for piece, up in zip(act.pieces, ups, strict=True)]  # fmt: skip
        return sorted((self.cards[piece] for piece in act.pieces), key=_height)

    def goals(self, act: Carry) -> list[TableCard]:
        """Return where the cards come to lie, from the lowest; in a hand they have no place."""
        if is_off_table(act.target):
            nowhere = TableCard("", 0, (0.0, 0.0))
            return [self.faced(p, nowhere, up) for p, up in zip(act.pieces, act.up, strict=True)]
        if act.origin == act.target:
            return self._turned_goals(act)
        return self.places(act.pieces, act.up, act.target, act.under)

    def _turned_goals(self, act: Carry) -> list[TableCard]:
        self._chance += 1
        was = self.cards[act.pieces[0]]
        there = replace(self._spots.squared(was, self._chance), height_mm=was.height_mm)
        return [self.faced(act.pieces[0], there, act.up[0])]

    def lay(
        self, pieces: Sequence[int], up: Sequence[bool], zone: str, t_s: float, under: bool
    ) -> None:
        """Lay pieces into a zone, from the lowest."""
        self.put(pieces, self.places(pieces, up, zone, under), zone, t_s, under)

    def put(
        self, pieces: Sequence[int], places: Sequence[TableCard], zone: str, t_s: float, under: bool
    ) -> None:
        """Let pieces lie at places of a zone from a time on."""
        laid = [(piece, zone, card) for piece, card in zip(pieces, places, strict=True)]
        pile = self.pile(zone)
        lifted: tuple[tuple[int, TableCard], ...] = ()
        if under:
            raised = CARD_THICKNESS_MM * len(pieces)
            for piece in pile:
                card = self.cards[piece]
                self.cards[piece] = replace(card, height_mm=card.height_mm + raised)
            lifted = tuple((piece, self.cards[piece]) for piece in pile)
        at = 0 if under else len(pile)
        pile[at:at] = pieces
        for piece, card in zip(pieces, places, strict=True):
            self.cards[piece] = card
            self.since_s[piece] = t_s
        self.ops.append(Op(t_s, laid=tuple(laid), raised=lifted, under=under))

    def places(
        self, pieces: Sequence[int], up: Sequence[bool], zone: str, under: bool
    ) -> list[TableCard]:
        """Return where cards come to lie in a zone, from the lowest; remembers their slots."""
        pile = self.pile(zone)
        slots = [self._slots.get(piece, 0) for piece in pile if piece not in pieces]
        spread = self._spots.is_spread(zone)
        first = (min(slots) - len(pieces) if under else max(slots) + 1) if slots else 0
        places: list[TableCard] = []
        for k, (piece, face_up) in enumerate(zip(pieces, up, strict=True)):
            self._chance += 1
            self._slots[piece] = first + k
            if spread or not places:
                spot = self._spots.place(zone, first + k if spread else 0, self._chance)
            else:
                spot = self._spots.squared(places[0], self._chance)
            height_mm = CARD_THICKNESS_MM if under else self.height_mm(spot)
            if places and (under or not spread):
                height_mm = places[-1].height_mm + CARD_THICKNESS_MM
            elif places:
                height_mm = max(height_mm, places[-1].height_mm + CARD_THICKNESS_MM)
            places.append(self.faced(piece, replace(spot, height_mm=height_mm), face_up))
        return places

    def faced(self, piece: int, at: TableCard, up: bool) -> TableCard:
        """Return a piece at a place, as it faces."""
        one = self._pieces[piece]
        return replace(at, label=one.face, deck=one.deck, flip_deg=0.0 if up else 180.0)


def timeline(ops: Sequence[Op]) -> Iterator[Lies]:
    """Yield what lies after each change, in stacking order."""
    order: list[int] = []
    where: dict[int, tuple[str, TableCard]] = {}
    for op in sorted(ops, key=lambda op: op.t_s):
        order = [piece for piece in order if piece not in op.gone]
        fresh = [piece for piece, _, _ in op.laid if piece not in order]
        for piece, zone, card in op.laid:
            where[piece] = (zone, card)
        for piece, card in op.raised:
            where[piece] = (where[piece][0], card)
        at = len(order)
        if op.under and fresh:
            zone = where[fresh[0]][0]
            at = next((k for k, p in enumerate(order) if where[p][0] == zone), len(order))
        order[at:at] = fresh
        cards = tuple(where[piece][1] for piece in order)
        yield Lies(op.t_s, tuple(order), tuple(where[p][0] for p in order), cards)
    if not ops:
        yield Lies(-60.0, (), (), ())


def _height(card: TableCard) -> float:
    return card.height_mm
