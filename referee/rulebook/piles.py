"""The physical table: which card lies where, face up or down, and what is known of its face.

Every card in play is a number (its token). Piles hold tokens; faces are kept apart, so that a
card that is read late is known everywhere at once, and everything that was judged about it
before can be judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.rulebook.quick import quick, replace
from referee.values import Card, Laid, Placement
from referee.values.cards import unread

NOT_READ = unread(None)


class Unseen(Exception):
    """A rule asked about a zone that is not in view, or of which nothing is known."""


@quick
@dataclass(frozen=True, slots=True)
class Lying:
    """A card in a pile: its token, and whether it lies face up."""

    token: int
    up: bool


Pile = tuple[Lying, ...]


@quick
@dataclass(frozen=True, slots=True)
class Table:
    """All piles, from bottom to top. The mappings are never changed in place.

    `whole` are the zones of which the lowest card is known, so that they can be counted.
    `fresh`: zones that were never named are empty. Otherwise they are unknown, except where a
    sibling of theirs (`A.arr` for `A.arr.3`) stands in `groups`. `lifted`: cards that a hand was
    seen to lift and that were not laid down since; they cover nothing.
    """

    piles: Mapping[str, Pile]
    faces: Mapping[int, Card]
    tokens: Mapping[Card, int]
    whole: frozenset[str]
    groups: frozenset[str]
    fresh: bool
    next_token: int = 0
    lifted: frozenset[int] = frozenset()

    def pile(self, zone: str) -> Pile:
        """Return what is known to lie in a zone, bottom to top."""
        return self.piles.get(zone, ())

    def knows(self, zone: str) -> bool:
        """Whether the zone's height is known."""
        if zone in self.piles:
            return zone in self.whole
        return self.fresh or zone.rpartition(".")[0] in self.groups

    def face(self, token: int) -> Card:
        """Return the card of a token, `??` (with its deck where known) until it is read."""
        return self.faces.get(token, NOT_READ)

    def zone_of(self, token: int) -> str | None:
        """Where a token lies; None if it lies nowhere."""
        for zone, pile in self.piles.items():
            if any(lying.token == token for lying in pile):
                return zone
        return None

    def with_pile(self, zone: str, pile: Pile) -> Table:
        """Return the table with another pile in a zone."""
        return self._with_piles({**self.piles, zone: pile}, self._whole_with(zone))

    def moved(self, origin: str, left: Pile, target: str, pile: Pile) -> Table:
        """Return the table where `left` stays in one zone and `pile` lies in another."""
        whole = self.whole
        for zone in (origin, target):
            if zone not in self.piles and self.knows(zone):
                whole |= {zone}
        return self._with_piles({**self.piles, origin: left, target: pile}, whole)

    def _whole_with(self, zone: str) -> frozenset[str]:
        """Return the zones that can be counted once `zone` has a pile of its own."""
        if zone not in self.piles and self.knows(zone):
            return self.whole | {zone}
        return self.whole

    def _with_piles(self, piles: Mapping[str, Pile], whole: frozenset[str]) -> Table:
        # One of the two hottest copies of a match: the constructor takes half of replace's time.
        faces, tokens = self.faces, self.tokens
        return Table(
            piles, faces, tokens, whole, self.groups, self.fresh, self.next_token, self.lifted
        )

    def with_lifted(self, token: int) -> Table:
        """Return the table where a hand lifted a card and did not lay it down yet."""
        return replace(self, lifted=self.lifted | {token})

    def with_laid(self, tokens: Iterable[int]) -> Table:
        """Return the table where these cards, if a hand held them, do not hang in the air."""
        return replace(self, lifted=self.lifted.difference(tokens))

    def covering(self, zone: str, index: int) -> int:
        """Return how many cards lie on one of a pile, which `index` counts from the bottom."""
        above = self.pile(zone)[index + 1 :]
        if not self.lifted:
            return len(above)
        return sum(lying.token not in self.lifted for lying in above)

    def with_whole(self, zone: str) -> Table:
        """Return the table where the height of a zone is known from now on."""
        return replace(self, whole=self.whole | {zone}, piles={zone: (), **self.piles})

    def uncounted(self, zone: str) -> Table:
        """Return the table where a zone is known to have been counted wrongly: asked about once."""
        return replace(self, whole=self.whole - {zone})

    def mint(self, cards: Iterable[Card]) -> tuple[Table, tuple[int, ...]]:
        """Make tokens for cards that were never seen before; their faces as far as known."""
        faces, tokens, first = dict(self.faces), dict(self.tokens), self.next_token
        token = first
        for token, card in enumerate(cards, first + 1):
            if card.known:
                faces[token - 1] = card
                tokens.setdefault(card, token - 1)
            elif card.deck is not None:
                faces[token - 1] = card
        table = replace(self, faces=faces, tokens=tokens, next_token=token)
        return table, tuple(range(first, token))

    def read(self, token: int, card: Card) -> Table:
        """Return the table after a face was read (or, with `??`, forgotten)."""
        old = self.faces.get(token, NOT_READ)
        if card.deck is None and old.deck is not None:
            card = Card(card.face, old.deck)
        if card == old:
            return self
        tokens = dict(self.tokens)
        if old.known and tokens.get(old) == token:
            del tokens[old]
        if card.known:
            tokens[card] = token
        faces, whole = {**self.faces, token: card}, self.whole
        return Table(
            self.piles, faces, tokens, whole, self.groups, self.fresh, self.next_token, self.lifted
        )

    def without(self, gone: frozenset[int]) -> Table:
        """Return the table where the faces of these tokens, which lie nowhere, are forgotten."""
        faces, tokens = dict(self.faces), dict(self.tokens)
        for token in gone:
            card = faces.pop(token, NOT_READ)
            if card.known and tokens.get(card) == token:
                del tokens[card]
        return replace(self, faces=faces, tokens=tokens)

    def forgotten(self, zones: Iterable[str]) -> Table:
        """Return the table where nothing is known of these zones any more."""
        zones = frozenset(zones)
        gone = frozenset(lying.token for zone in zones for lying in self.pile(zone))
        piles = {**self.piles, **dict.fromkeys(sorted(zones), ())}
        return replace(self.without(gone), piles=piles, whole=self.whole - zones)

    def copy_of(self, card: Card) -> int | None:
        """Return the token that is already known as this card."""
        return self.tokens.get(card)

    def place_of(self, card: Card) -> str | None:
        """Return where a card that is known lies; None where it is not known to lie anywhere."""
        token = self.copy_of(card)
        return None if token is None else self.zone_of(token)

    def mixed(self, zone: str) -> Table:
        """Return the table after the order of a zone was lost: nobody knows which card is which."""
        old = self.pile(zone)
        gone = frozenset(lying.token for lying in old)
        backs = [unread(self.face(lying.token).deck) for lying in old]
        table, made = self.without(gone).mint(backs)
        pile = tuple(Lying(token, lying.up) for token, lying in zip(made, old, strict=True))
        return table.with_pile(zone, pile)


def open_table(start: tuple[Placement, ...], *, fresh: bool, groups: tuple[str, ...]) -> Table:
    """Return the table at the start of a match. Cards that lie face down are unknown.

    `groups` are the zone prefixes whose zones are listed together: where one of them is listed,
    the others are empty.
    """
    listed = frozenset(p.zone.rpartition(".")[0] for p in start) & frozenset(groups)
    table = Table({}, {}, {}, frozenset(), listed, fresh)
    for placement in start:
        table = with_cards(table, placement.zone, placement.cards, deep=placement.deep)
    return table


def with_cards(table: Table, zone: str, cards: tuple[Laid, ...], *, deep: bool = False) -> Table:
    """Return the table where these cards, never seen before, lie in a zone.

    No others lie there, unless `deep` says that there may be some beneath them.
    """
    seen = (laid.card.seen() if laid.up else unread(laid.card.deck) for laid in cards)
    table, made = table.mint(seen)
    pile = tuple(Lying(token, laid.up) for token, laid in zip(made, cards, strict=True))
    if deep:
        return replace(table, piles={**table.piles, zone: pile}, whole=table.whole - {zone})
    return table.with_whole(zone).with_pile(zone, pile)
