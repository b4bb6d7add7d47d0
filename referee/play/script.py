"""A match while it is written: the cards on the table, the clock, and the events so far."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from referee.values import (
    Actor,
    Card,
    CardLifted,
    CardPlaced,
    CardTurned,
    Dealt,
    Declared,
    Event,
    Expected,
    HandOff,
    HandOn,
    Match,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
    Setting,
)

MS = 1_000_000
RED = "DH"
SEATS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class Lying:
    """A card and whether it lies face up."""

    card: Card
    up: bool


@dataclass(frozen=True, slots=True)
class Wrong:
    """A faulty act: the rule that it breaks, the act, and the acts that undo it.

    `zones` are those that nobody touches any more when the card is left there, owed; empty for
    faults that are always undone. `way` is from where to where a card went whose player may go
    on without it.
    """

    rule: str
    act: Callable[[], None]
    undo: Callable[[], None] | None = None
    zones: tuple[str, ...] = ()
    way: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Owed:
    """A card that was wrongly laid and is not taken back: for the rules it lies at `origin`.

    `index` is its place in `target`, from the bottom; `up` how it faced before.
    """

    seat: str
    card: Card
    origin: str
    target: str
    index: int
    up: bool


@dataclass(slots=True)
class Script:
    """The one thing that changes while a match is written.

    `piles` hold what truly lies there, bottom to top. Every act moves the cards and writes the
    event that a camera would report: a card that shows no face on its way stands in brackets.
    """

    name: str
    game: str
    seats: tuple[str, ...]
    rng: random.Random
    now_ns: int = 1_000 * MS
    piles: dict[str, list[Lying]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)

    @property
    def n(self) -> int:
        """The number of the latest event."""
        return len(self.events)

    def wait(self, least_ms: int, most_ms: int) -> None:
        """Let some time pass."""
        self.now_ns += self.rng.randint(least_ms, most_ms) * MS

    def pile(self, zone: str) -> list[Lying]:
        """Return what lies in a zone, bottom to top."""
        return self.piles.setdefault(zone, [])

    def top(self, zone: str) -> Card | None:
        """Return the top card if it lies face up."""
        pile = self.pile(zone)
        return pile[-1].card if pile and pile[-1].up else None

    def deal(self, who: str, zone: str, cards: Sequence[Lying], took_from: str = "") -> None:
        """Lay several cards into a zone in one event; `took_from` loses them from its top."""
        if took_from:
            del self.pile(took_from)[len(self.pile(took_from)) - len(cards) :]
        self.pile(zone).extend(cards)
        shown = tuple(lying.card if lying.up else lying.card.hide() for lying in cards)
        self.write(Dealt(n=0, t_ns=0, actor=actor(who), zone=zone, cards=shown))

    def place(
        self, who: str, origin: str, target: str, *, up: bool = True, under: bool = False
    ) -> None:
        """Move the top card of a zone to another."""
        self.place_card(who, len(self.pile(origin)) - 1, origin, target, up=up, under=under)

    def place_card(
        self,
        who: str,
        index: int,
        origin: str,
        target: str,
        *,
        up: bool = True,
        under: bool = False,
    ) -> None:
        """Move a card of a zone, counted from the bottom, to another zone."""
        pile = self.pile(origin)
        pos = len(pile) - 1 - index
        lying = pile.pop(index)
        self.pile(target).insert(0 if under else len(self.pile(target)), Lying(lying.card, up))
        self.write(
            CardPlaced(
                n=0,
                t_ns=0,
                actor=actor(who),
                card=lying.card if up or lying.up else lying.card.hide(),
                origin=origin,
                target=target,
                up=up,
                under=under,
                pos=pos or None,
            )
        )

    def lift(self, who: str, zone: str) -> None:
        """Write that the top card of a zone is picked up, and give it the time to be carried."""
        lying = self.pile(zone)[-1]
        card = lying.card if lying.up else lying.card.hide()
        self.write(CardLifted(n=0, t_ns=0, actor=actor(who), card=card, zone=zone))
        self.wait(80, 300)

    def turn(self, who: str, zone: str, *, up: bool = True) -> None:
        """Turn the top card of a zone in place."""
        lying = self.pile(zone).pop()
        self.pile(zone).append(Lying(lying.card, up))
        self.write(CardTurned(n=0, t_ns=0, actor=actor(who), card=lying.card, zone=zone, up=up))

    def move(
        self,
        who: str,
        origin: str,
        target: str,
        count: int,
        *,
        flip: bool = False,
        under: bool = False,
    ) -> None:
        """Move the top cards of a zone as one block."""
        pile = self.pile(origin)
        block = pile[len(pile) - count :]
        del pile[len(pile) - count :]
        if flip:
            block = [Lying(lying.card, not lying.up) for lying in reversed(block)]
        elif target.endswith((".held", ".rest")):
            block = [Lying(lying.card, False) for lying in block]
        faces = tuple(lying.card for lying in block) if flip and self.rng.random() < 0.5 else ()
        shown = faces if all(lying.up for lying in block) else ()
        self.piles[target] = block + self.pile(target) if under else self.pile(target) + block
        self.write(
            PileMoved(
                n=0,
                t_ns=0,
                actor=actor(who),
                origin=origin,
                target=target,
                count=count,
                flip=flip,
                under=under,
                cards=shown,
            )
        )

    def take(self, who: str, zone: str, count: int) -> None:
        """Take the top cards of a zone into the hand, under what is held there."""
        pile, held = self.pile(zone), self.pile(f"{who[0]}.held")
        held.extend(Lying(lying.card, False) for lying in pile[len(pile) - count :])
        del pile[len(pile) - count :]
        self.write(PileTaken(n=0, t_ns=0, actor=actor(who), zone=zone, count=count))

    def mix(self, who: str, zone: str) -> None:
        """Shuffle a zone."""
        self.rng.shuffle(self.pile(zone))
        way = self.rng.choice(("riffle", "overhand", "wash"))
        self.write(PileMixed(n=0, t_ns=0, actor=actor(who), zone=zone, way=way))

    def declare(self, who: str, what: str, *words: str) -> None:
        """Write a declaration."""
        self.write(Declared(n=0, t_ns=0, actor=actor(who), what=what, words=words))

    def hand_on(self, who: str, zone: str) -> None:
        """Write that a hand comes to rest on a zone."""
        self.write(HandOn(n=0, t_ns=0, actor=actor(who), zone=zone))

    def hand_off(self, who: str, zone: str) -> None:
        """Write that a hand leaves a zone."""
        self.write(HandOff(n=0, t_ns=0, actor=actor(who), zone=zone))

    def hit(self, who: str, spot: str) -> None:
        """Write that a pad is hit."""
        self.write(PadHit(n=0, t_ns=0, actor=actor(who), spot=spot))

    def expect(
        self, kind: str, rule: str, who: str | None, details: str = "", n: int | None = None
    ) -> None:
        """Note a ruling that must be given, for the latest event where no other is told."""
        self.expected.append(Expected(n or self.n, kind, rule, who, details))

    def err(self, seat: str, wrong: Wrong) -> None:
        """Commit a fault, expect it to be ruled on, and undo it a little later."""
        # Longer than any contention: what is laid now has lost no race.
        self.wait(1_600, 2_500)
        wrong.act()
        self.expect("VIOLATION", wrong.rule, seat)
        self.wait(1_600, 3_000)
        if wrong.undo:
            wrong.undo()
            self.wait(1_600, 2_500)

    def err_and_leave(self, seat: str, wrong: Wrong) -> None:
        """Commit a fault, expect it to be ruled on, and leave the card where it lies."""
        self.wait(1_600, 2_500)
        wrong.act()
        self.expect("VIOLATION", wrong.rule, seat)
        self.wait(1_600, 3_000)

    def err_and_owe(self, seat: str, wrong: Wrong) -> list[Event]:
        """Commit a fault and leave it: for the rules the card still lies where it came from.

        Returns the events that take it back later.
        """
        assert wrong.undo
        self.err_and_leave(seat, wrong)
        written = self.n
        wrong.undo()
        cure = self.events[written:]
        del self.events[written:]
        return cure

    def cure(self, events: list[Event]) -> None:
        """Write the events that take an owed card back, if there are any."""
        for event in events:
            self.wait(800, 1_500)
            self.write(event)
        self.wait(1_600 * bool(events), 2_500 * bool(events))

    def owe(
        self,
        rule: str,
        seat: str,
        origin: str,
        target: str,
        *,
        up: bool = True,
        blamed: str | None = None,
    ) -> Owed:
        """Lay the top card of a zone wrongly and leave it there; the piles stay as they were."""
        lying = self.pile(origin)[-1]
        owed = Owed(seat, lying.card, origin, target, len(self.pile(target)), lying.up)
        hand = f"{seat}.R"
        self.err_and_owe(
            blamed or seat,
            Wrong(
                rule,
                lambda: self.place(hand, origin, target, up=up),
                lambda: self.place(hand, target, origin, up=lying.up),
            ),
        )
        return owed

    def take_back(self, owed: Owed, *, ordered: bool = True) -> None:
        """Write that an owed card goes back, `ordered` from under what came onto it since."""
        above = len(self.pile(owed.target)) - owed.index if ordered else 0
        self.write(
            CardPlaced(
                n=0,
                t_ns=0,
                actor=actor(f"{owed.seat}.R"),
                card=owed.card,
                origin=owed.target,
                target=owed.origin,
                up=owed.up,
                pos=above or None,
            )
        )

    def match(self, phase: str, census: int, options: Sequence[Setting] = ()) -> Match:
        """Return the written match."""
        return Match(
            id=self.name,
            title=f"{self.game}, random play",
            game=self.game,
            seats=self.seats,
            phase=phase,
            census=census,
            options=tuple(options),
            events=tuple(self.events),
            expected=tuple(self.expected),
        )

    def write(self, event: Event) -> None:
        """Write an event with its number and time."""
        self.events.append(replace(event, n=len(self.events) + 1, t_ns=self.now_ns))


def actor(text: str) -> Actor:
    """Return the actor of `A`, `A.R` or `-`."""
    if text == "-":
        return Actor()
    seat, _, hand = text.partition(".")
    return Actor(seat, hand or None)


def any_rule(wrongs: Sequence[Wrong], rng: random.Random) -> Wrong:
    """Return one of several faults, each rule as likely as the others."""
    rule = rng.choice(sorted({wrong.rule for wrong in wrongs}))
    return rng.choice([wrong for wrong in wrongs if wrong.rule == rule])


def full_deck(deck: str | None = None) -> list[Card]:
    """Return the 52 cards, in order."""
    return [Card(rank + suit, deck) for suit in "CDHS" for rank in "A23456789TJQK"]


def opposite(one: Card, other: Card) -> bool:
    """Return whether one card is red and the other black."""
    return (one.face[1] in RED) != (other.face[1] in RED)


def descends(card: Card, below: Card) -> bool:
    """Return whether a card is one lower than another and of the opposite colour."""
    return card.rank() + 1 == below.rank() and opposite(card, below)


def down(cards: Sequence[Card]) -> list[Lying]:
    """Return the cards lying face down."""
    return [Lying(card, False) for card in cards]


def points(scores: dict[str, int], sign: str = "+") -> str:
    """Return the details of a SCORE line."""
    return " ".join(f"{seat}={value:{sign}d}" for seat, value in sorted(scores.items()))
