"""What an event does to the physical table, legal or not: cards moved, turned and read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from referee.rulebook.piles import Lying, Pile, Table
from referee.rulebook.quick import quick, replace
from referee.values import (
    Card,
    CardLifted,
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    PileMixed,
    PileMoved,
    PileTaken,
    Reread,
)
from referee.values.cards import unread

# Hands hold cards in no order, so a card taken from there was never covered.
UNORDERED = frozenset({"held", "closed"})


@quick
@dataclass(frozen=True, slots=True)
class Move:
    """Cards that came from one zone to another (the same one if they were turned in place).

    `tokens` run from bottom to top as they lie now. `depth` is how many cards lay above the
    lowest of them that did not come along; `height` how many lay below. `was_up` and `up` tell
    how the topmost moved card faced before and faces now. `short`: more cards moved than the
    zone was known to hold.
    """

    tokens: tuple[int, ...]
    origin: str
    target: str
    depth: int = 0
    height: int = 0
    was_up: bool = False
    up: bool = True
    under: bool = False
    flip: bool = False
    short: bool = False

    @property
    def count(self) -> int:
        """How many cards moved."""
        return len(self.tokens)

    @property
    def turned(self) -> bool:
        """Whether the card was turned in place."""
        return self.origin == self.target


@quick
@dataclass(frozen=True, slots=True)
class Landing:
    """What an event left: the table, what moved, the tokens read, and what does not fit."""

    table: Table
    move: Move | None = None
    read: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()


def lay(table: Table, event: Event, dealt_from: str | None = None) -> Landing:
    """Return the table after an event. Never refuses; contradictions are told in `doubts`."""
    landing = _landing(table, event, dealt_from)
    if table.lifted and landing.move is not None:
        return replace(landing, table=landing.table.with_laid(landing.move.tokens))
    return landing


def _landing(table: Table, event: Event, dealt_from: str | None) -> Landing:
    match event:
        case CardPlaced():
            return _placed(table, event)
        case CardTurned():
            return _turned(table, event)
        case PileMoved():
            return _moved(table, event)
        case PileTaken():
            target = f"{event.actor.seat}.held" if event.actor.seat else "held"
            block = PileMoved(
                n=event.n, t_ns=event.t_ns, origin=event.zone, target=target, count=event.count
            )
            return _moved(table, block)
        case Dealt():
            return _dealt(table, event, dealt_from)
        case CardLifted():
            table, index = _found(table, event.zone, event.card, event.pos)
            token = table.pile(event.zone)[index].token
            return _read(Landing(table.with_lifted(token)), token, event.card)
        case Reread():
            return _reread(table, event)
        case PileMixed():
            return Landing(table.mixed(event.zone))
        case _:
            return Landing(table)


def _found(table: Table, zone: str, card: Card, pos: int | None) -> tuple[Table, int]:
    """Return where in a zone the card lies that an event speaks of, from the bottom.

    One that nobody knew of is put at the bottom.
    """
    pile = table.pile(zone)
    index = _index(table, zone, pile, card.seen(), pos)
    if index is not None:
        return table, index
    table, (token,) = table.mint([unread(card.deck)])
    return table.with_pile(zone, (Lying(token, False), *pile)), 0


def _index(table: Table, zone: str, pile: Pile, card: Card, pos: int | None) -> int | None:
    if pos is not None:
        index = len(pile) - 1 - pos if pos < len(pile) else None
        return _elsewhere(table, pile, card, index) if card.known else index
    if not pile:
        return None
    top = table.face(pile[-1].token)
    if not card.known or _same(top, card):
        return len(pile) - 1
    places = range(len(pile) - 1, -1, -1)
    by_face = None
    if _may_be_known(table, card):
        by_face = next((i for i in places if _same(table.face(pile[i].token), card)), None)
    if by_face is not None:
        return by_face
    if not top.known:
        return len(pile) - 1
    if is_unordered(zone):
        return next((i for i in places if not table.face(pile[i].token).known), None)
    return next((i for i in places if pile[i].token not in table.lifted), None)


def _elsewhere(table: Table, pile: Pile, card: Card, index: int | None) -> int | None:
    """Return where the read card is known to lie, if another is known to lie at `index` (C-02).

    A face that is read tells more than the count of what lies above it.
    """
    known = [i for i, lying in enumerate(pile) if _same(table.face(lying.token), card)]
    counted = index is not None and not table.face(pile[index].token).known
    return index if counted or index in known or len(known) != 1 else known[0]


def _may_be_known(table: Table, card: Card) -> bool:
    """Return whether a card may be known to lie somewhere; most are read for the first time."""
    if card.is_joker or table.copy_of(card) is not None:
        return True
    if card.deck is not None:
        return table.copy_of(_of_any_deck(card.face)) is not None
    return any(known.deck is not None for known in table.tokens)


@lru_cache(maxsize=256)
def _of_any_deck(face: str) -> Card:
    return Card(face)


def _same(known: Card, read: Card) -> bool:
    return known.may_be(read) and (read.deck is None or known.deck in (None, read.deck))


def is_unordered(zone: str) -> bool:
    """Whether a zone's cards are held in a hand, in no order."""
    return zone.rpartition(".")[2] in UNORDERED


def _read(laid: Landing, token: int, card: Card) -> Landing:
    """Take a reading into account; an older card of the same face becomes unknown (C-04)."""
    if card.hidden or not card.known:
        return laid
    seen, table, doubts = card, laid.table, laid.doubts
    known = table.face(token)
    if seen.deck is None and known.deck is not None:
        seen = Card(seen.face, known.deck)
    if known.deck == seen.deck and (known.face == seen.face or _is_less_told(known, seen)):
        return laid
    if known.known and (not known.may_be(seen) or known.deck not in (None, seen.deck)):
        doubts = (*doubts, f"{known} was known to lie there, {seen} is read")
    twin = None if seen.is_any_joker else table.copy_of(seen)
    if twin is not None and twin != token and table.zone_of(twin) is not None:
        doubts = (*doubts, f"{seen} is read, but lies in {table.zone_of(twin)} already")
        table = table.read(twin, unread(None))
    return Landing(table.read(token, seen), laid.move, (*laid.read, token), doubts)


def _is_less_told(known: Card, seen: Card) -> bool:
    """Whether a joker is read of which it is known already which one it is."""
    return seen.is_any_joker and known.is_joker


def _carried(table: Table, origin: str, left: Pile, target: str, block: Pile, under: bool) -> Table:
    """Return the table after a block came from one zone, where `left` stays, to another."""
    pile = left if origin == target else table.pile(target)
    return table.moved(origin, left, target, (*block, *pile) if under else (*pile, *block))


def _placed(table: Table, event: CardPlaced) -> Landing:
    before = table
    table, index = _found(table, event.origin, event.card, event.pos)
    pile = table.pile(event.origin)
    lying = pile[index]
    hidden_order = not lying.up and event.pos is None
    short = table is not before and before.knows(event.origin)
    covering = table.covering(event.origin, index)
    move = Move(
        tokens=(lying.token,),
        origin=event.origin,
        target=event.target,
        depth=0 if hidden_order or is_unordered(event.origin) else covering,
        height=index,
        was_up=lying.up,
        up=event.up,
        under=event.under,
        short=short,
    )
    left = pile[:index] + pile[index + 1 :]
    block = (_turned_to(lying, event.up),)
    table = _carried(table, event.origin, left, event.target, block, event.under)
    doubts = (f"{event.origin} was known to be empty",) if short else ()
    table = table.uncounted(event.origin) if short else table
    return _read(Landing(table, move, (), doubts), lying.token, event.card)


def _turned_to(lying: Lying, up: bool) -> Lying:
    return lying if lying.up == up else Lying(lying.token, up)


def _second(table: Table, event: CardTurned) -> int | None:
    """Return how far below the top one the card must lie that was turned; None: it is that.

    Below those that are lifted, or 1 where the top one lies that way up already.
    """
    pile, card = table.pile(event.zone), event.card.seen()
    top = table.face(pile[-1].token) if pile else card
    if len(pile) < 2 or (top.known and card.known and _same(top, card)):
        return None
    below = next((k for k, one in enumerate(pile[::-1]) if one.token not in table.lifted), 0)
    if below or not card.known or not (pile[-1].up == event.up != pile[-2].up):
        return below or None
    return 1 if top.known else None


def _turned(table: Table, event: CardTurned) -> Landing:
    pos = _second(table, event) if event.pos is None else event.pos
    table, index = _found(table, event.zone, event.card, pos)
    pile = table.pile(event.zone)
    lying = pile[index]
    move = Move(
        tokens=(lying.token,),
        origin=event.zone,
        target=event.zone,
        depth=table.covering(event.zone, index),
        height=index,
        was_up=lying.up,
        up=event.up,
        flip=True,
    )
    turned = (*pile[:index], _turned_to(lying, event.up), *pile[index + 1 :])
    return _read(Landing(table.with_pile(event.zone, turned), move), lying.token, event.card)


def _moved(table: Table, event: PileMoved) -> Landing:
    pile = table.pile(event.origin)
    missing = event.count - len(pile)
    short = missing > 0 and table.knows(event.origin)
    if missing > 0:
        table, made = table.mint([unread(None)] * missing)
        pile = (*(Lying(token, False) for token in made), *pile)
    rest, block = pile[: len(pile) - event.count], pile[len(pile) - event.count :]
    was_up = block[-1].up
    if event.flip:
        block = tuple(Lying(lying.token, not lying.up) for lying in reversed(block))
    elif is_unordered(event.target) or is_unordered(event.origin):
        block = tuple(_turned_to(lying, False) for lying in block)
    move = Move(
        tokens=tuple(lying.token for lying in block),
        origin=event.origin,
        target=event.target,
        height=len(rest),
        was_up=was_up,
        up=block[-1].up,
        under=event.under,
        flip=event.flip,
        short=short,
    )
    table = _carried(table, event.origin, rest, event.target, block, event.under)
    doubts = (f"{event.origin} was known to hold fewer than {event.count} cards",) if short else ()
    table = table.uncounted(event.origin) if short else table
    return _read_block(Landing(table, move, (), doubts), event.cards)


def _read_block(laid: Landing, cards: tuple[Card, ...]) -> Landing:
    assert laid.move is not None
    tokens = laid.move.tokens
    # Fewer identities than cards: the lower cards of the block stayed covered.
    for token, card in zip(tokens[-len(cards) :] if cards else (), cards, strict=False):
        laid = _read(laid, token, card)
    return laid


def _dealt(table: Table, event: Dealt, dealt_from: str | None) -> Landing:
    count = len(event.cards)
    source = table.pile(dealt_from) if dealt_from else ()
    taken = source[len(source) - min(count, len(source)) :]
    if dealt_from:
        table = table.with_pile(dealt_from, source[: len(source) - len(taken)])
    new = [unread(card.deck) for card in event.cards[len(taken) :]]
    table, made = table.mint(new)
    # The top card of the source is dealt first and comes to lie lowest.
    tokens = (*(lying.token for lying in reversed(taken)), *made)
    block = tuple(
        Lying(token, not card.hidden) for token, card in zip(tokens, event.cards, strict=True)
    )
    table = table.with_pile(event.zone, table.pile(event.zone) + block)
    if not block:
        return Landing(table.with_whole(event.zone))
    move = Move(tokens, dealt_from or event.zone + ".dealt", event.zone, up=block[-1].up)
    return _read_block(Landing(table, move), event.cards)


def _reread(table: Table, event: Reread) -> Landing:
    pile = table.pile(event.zone)
    if event.pos >= len(pile):
        return Landing(table, doubts=(f"{event.zone} holds no card at {event.pos} from the top",))
    token = pile[len(pile) - 1 - event.pos].token
    card = event.new.seen()
    if not card.known:
        return Landing(table.read(token, card), read=(token,))
    return _read(Landing(table.read(token, unread(card.deck))), token, card)
