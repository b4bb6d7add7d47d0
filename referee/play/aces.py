"""Legal play of Nerds and Nertz: solitaire for everybody, foundations for all.

Written from the printed rules, without asking the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from referee.play import aces_faults as faults
from referee.play.jokers import may_be, mix_in_jokers, next_above, next_below
from referee.play.script import (
    MS,
    Lying,
    Owed,
    Script,
    descends,
    down,
    full_deck,
    points,
)
from referee.play.styles import Style
from referee.values import Card, Event, Match, Setting

Act = Callable[[], None]
PATIENCE = 40  # turns a player goes on without a card played before he is stuck
MOST_HANDS = 3
CHANCE_TO_CURE = 0.05
ONE_BY_ONE = 0.15  # of the players turn the cards of the draw pile one by one, the whole match


@dataclass(slots=True)
class Aces:
    """One match of either game while it is played.

    `stands` says which card a joker is. `frozen` are the zones that nobody touches while a card
    is owed, `cure` the events that take it back. `left` is a card that lies where it may not:
    its player goes on without it. `late`: the fault comes after a call. `singly`: who turns the
    cards of the draw pile one by one.
    """

    style: Style
    script: Script
    faulty: bool = False
    jokers: bool = False
    late: bool = False
    stands: dict[Card, Card] = field(default_factory=dict)
    frozen: frozenset[str] = frozenset()
    cure: list[Event] = field(default_factory=list)
    left: Owed | None = None
    singly: frozenset[str] = frozenset()
    totals: dict[str, int] = field(default_factory=dict)
    idle: dict[str, int] = field(default_factory=dict)

    def play(self, hands: int = MOST_HANDS) -> None:
        """Play hands until the target is reached, or as many as asked for."""
        self.totals = dict.fromkeys(self.script.seats, 0)
        if self.style.singly:
            rng = self.script.rng
            self.singly = frozenset(s for s in self.script.seats if rng.random() < ONE_BY_ONE)
        for _ in range(hands):
            self.deal()
            self.hand()
            if self.winner() is not None:
                return
            self.script.wait(20_000, 40_000)

    def winner(self) -> str | None:
        """Return who has reached the target, alone in front."""
        best = max(self.totals.values())
        leaders = [seat for seat, total in self.totals.items() if total == best]
        needed = self.style.target + self.style.beaten
        return leaders[0] if len(leaders) == 1 and best >= needed else None

    def deal(self) -> None:
        """Shuffle and deal every deck, and start."""
        script, rng = self.script, self.script.rng
        script.piles.clear()
        self.stands.clear()
        self.frozen = frozenset()
        self.cure, self.left = [], None
        for seat in script.seats:
            script.mix(f"{seat}.?", f"{seat}.stock")
            script.wait(1_500, 2_500)
            deck = full_deck(seat)
            rng.shuffle(deck)
            if self.jokers:
                mix_in_jokers(deck, rng)
            nerts = down(deck[:13])
            if self.style.nerts_up:
                nerts[-1] = Lying(nerts[-1].card, True)
            script.deal(seat, f"{seat}.nerts", nerts)
            for column in range(4):
                script.wait(300, 500)
                card = Lying(deck[13 + column], True)
                script.deal(seat, f"{seat}.work.{column + 1}", [card])
            script.wait(400, 800)
            script.deal(seat, f"{seat}.stock", down(deck[17:]))
            script.wait(500, 1_500)
        script.wait(2_000, 4_000)
        script.declare("-", "start")
        script.wait(900, 1_500)

    def hand(self) -> None:
        """Play one hand to its end and score it."""
        script, rng = self.script, self.script.rng
        self.idle = dict.fromkeys(script.seats, 0)
        while True:
            seat = rng.choice(script.seats)
            script.wait(120, 700)
            if self.is_out(seat) and rng.random() < 0.5:
                self.end(seat)
                return
            if all(turns > PATIENCE for turns in self.idle.values()):
                self.give_up()
                return
            if self.faulty and not self.late and rng.random() < 0.05:
                faults.commit(self, seat)
            if self.cure and rng.random() < CHANCE_TO_CURE:
                script.cure(self.cure)
                self.frozen, self.cure = frozenset(), []
            if self.left and rng.random() < CHANCE_TO_CURE:
                faults.take_back(self, self.left)
            self.turn(seat)

    def is_out(self, seat: str) -> bool:
        """Return whether a player may call: a card owed to his Nerds pile counts as lying there."""
        return not self.script.pile(f"{seat}.nerts") and not self.owed_nerts(seat)

    def owed_nerts(self, seat: str) -> bool:
        """Return whether a card of a player's Nerds pile lies where it may not."""
        return self.left is not None and self.left.origin == f"{seat}.nerts"

    def end(self, caller: str) -> None:
        """Call, and now and then let a card touch down that was already on its way."""
        script = self.script
        script.wait(200, 900)
        script.declare(caller, "call")
        call = script.n
        others = [seat for seat in script.seats if seat != caller]
        late = [(seat, *way) for seat in others for way in self.buildable(seat)]
        late = [way for way in late if way[1] not in self.joker_zones() and not self.frozen]
        if late and self.faulty:
            self.faulty = False
            script.wait(120, 900)
            seat, origin, place = script.rng.choice(late)
            script.place(f"{seat}.R", origin, place)
            script.expect("VIOLATION", self.style.hand_over, seat)
            script.pile(origin).append(script.pile(place).pop())
        elif late and script.rng.random() < 0.2:
            script.now_ns += script.rng.randint(5, 35) * MS
            seat, origin, place = script.rng.choice(late)
            script.place(f"{seat}.R", origin, place)
        self.score(call, self.style.hand_over, caller)

    def give_up(self) -> None:
        """Everybody declares to be stuck."""
        order = list(self.script.seats)
        self.script.rng.shuffle(order)
        for seat in order:
            self.script.wait(300, 2_000)
            self.script.declare(seat, "stuck")
        self.score(self.script.n, self.style.stuck, None)

    def score(self, n: int, rule: str, caller: str | None) -> None:
        """Count the hand."""
        script = self.script
        gained = dict.fromkeys(script.seats, 0)
        for zone, pile in script.piles.items():
            for lying in pile if zone.startswith("F.") and zone[2:].isdigit() else ():
                gained[str(lying.card.deck)] += not (self.left and self.left.card == lying.card)
        for seat in script.seats:
            unplayed = len(script.pile(f"{seat}.nerts")) + self.owed_nerts(seat)
            gained[seat] -= self.style.penalty * unplayed
            self.totals[seat] += gained[seat]
        script.expect("END", rule, caller, n=n)
        script.expect("SCORE", self.style.score, None, points(gained), n=n)
        if self.winner() is not None:
            script.expect("END", self.style.won, self.winner(), n=n)

    def turn(self, seat: str) -> None:
        """Let a player do one thing."""
        script = self.script
        self.idle[seat] += 1
        weighed = [
            *((30, act) for act in self.nerts(seat)),
            *((8, act) for act in self.to_foundations(seat)),
            *((6, act) for act in self.waste(seat)),
            *((1, act) for act in self.piles(seat)),
            *((6, act) for act in self.stock(seat)),
        ]
        if weighed:
            weights, acts = zip(*weighed, strict=True)
            script.rng.choices(acts, weights)[0]()

    def nerts(self, seat: str) -> Iterator[Act]:
        """Yield what the player can do with the top of his Nerds pile."""
        script, zone = self.script, f"{seat}.nerts"
        if script.pile(zone) and script.top(zone) is None and zone not in self.frozen:
            yield lambda: script.turn(f"{seat}.R", zone)
        yield from self.to_work(seat, zone)

    def waste(self, seat: str) -> Iterator[Act]:
        """Yield the places in the own layout for the top of the discard pile."""
        yield from self.to_work(seat, f"{seat}.waste")

    def to_work(self, seat: str, origin: str) -> Iterator[Act]:
        """Yield the work piles that take a card: on top, empty, or from below."""
        card = self.script.top(origin)
        if card is None or origin in self.frozen:
            return
        works = self.works(seat)
        room = any(not self.script.pile(work) for work in works)
        for work in works:
            pile = self.script.pile(work)
            if card.is_joker:
                if pile and self.value(pile[-1].card).rank() > 1:
                    yield self.lay_joker(seat, origin, work)
                continue
            if not pile or descends(card, self.value(pile[-1].card)):
                yield self.carry(seat, origin, work)
            if pile and room and not pile[0].card.is_joker and descends(pile[0].card, card):
                yield self.carry(seat, origin, work, under=True)

    def value(self, card: Card) -> Card:
        """Return the card, for a joker the one that it stands for."""
        return self.stands.get(card, card)

    def joker_zones(self) -> list[str]:
        """Return the zones with a joker on top."""
        tops = {zone: self.script.top(zone) for zone in self.script.piles}
        return [zone for zone, top in tops.items() if top is not None and top.is_joker]

    def lay_joker(self, seat: str, origin: str, work: str) -> Act:
        """Return the act of laying a joker on a work pile: it is what fits there."""

        def act() -> None:
            below, joker = self.value(self.script.pile(work)[-1].card), self.script.top(origin)
            assert joker is not None
            self.carry(seat, origin, work)()
            self.stands[joker] = self.script.rng.choice(next_below(below))

        return act

    def to_foundations(self, seat: str) -> Iterator[Act]:
        """Yield the acts of building on a foundation."""
        for origin, place in self.buildable(seat):
            yield self.found(seat, origin, place)

    def buildable(self, seat: str) -> Iterator[tuple[str, str]]:
        """Yield where an exposed card of the player lies, and the foundation that takes it."""
        for origin in (f"{seat}.nerts", f"{seat}.waste", *self.works(seat)):
            card = self.script.top(origin)
            if card is None or origin in self.frozen:
                continue
            places = self.joker_places(card) if card.is_joker else [self.foundation(card)]
            for place in places:
                if place:
                    yield origin, place

    def joker_places(self, joker: Card) -> list[str]:
        """Return the foundations that take a joker, as the next card there."""
        places = [f"F.{k}" for k in range(1, 4 * len(self.script.seats) + 1)]
        tops = [(place, self.script.top(place)) for place in places if place not in self.frozen]
        ways = ((place, next_above(self.value(top))) for place, top in tops if top is not None)
        stands = self.stands.get(joker)
        return [place for place, card in ways if card and may_be(stands, card)]

    def foundation(self, card: Card) -> str | None:
        """Return a foundation that takes the card."""
        every = [f"F.{k}" for k in range(1, 4 * len(self.script.seats) + 1)]
        places = [place for place in every if place not in self.frozen]
        if card.rank() == 1:
            return next((place for place in places if not self.script.pile(place)), None)
        for place in places:
            top = self.script.top(place)
            if top is not None and next_above(self.value(top)) == Card(card.face):
                return place
        return None

    def found(self, seat: str, origin: str, place: str) -> Act:
        """Return the act of building on a foundation, now and then with a race for the place."""

        def act() -> None:
            card = self.script.top(origin)
            assert card is not None
            if card.is_joker:
                self.declare_joker(seat, card, place)
            self.carry(seat, origin, place, seen=not card.is_joker)()
            if self.value(card).rank() > 1:
                self.race(seat, place, self.value(card))

        return act

    def declare_joker(self, seat: str, joker: Card, place: str) -> None:
        """Say what a joker stands for, just before it is carried to a foundation."""
        top = self.script.top(place)
        named = next_above(self.value(top)) if top is not None else None
        assert named is not None
        self.script.declare(seat, "joker", str(joker), named.face)
        self.stands[joker] = named
        self.script.wait(200, 1_500)

    def race(self, winner: str, place: str, card: Card) -> None:
        """Let another player who has the same card come a little too late."""
        script, rng = self.script, self.script.rng
        late = [
            (seat, zone)
            for seat in script.seats
            if seat != winner
            for zone in (f"{seat}.nerts", f"{seat}.waste", *self.works(seat))
            if (top := script.top(zone)) is not None
            and top.face == card.face
            and zone not in self.frozen
        ]
        if not late or rng.random() < 0.3:
            return
        seat, zone = rng.choice(late)
        gap_ms = rng.choice((rng.randint(5, 39), rng.randint(42, 78), rng.randint(84, 900)))
        script.now_ns += gap_ms * MS
        script.place(f"{seat}.R", zone, place)
        if gap_ms <= 40:
            script.expect("RACE", self.style.draw, None)
            self.idle[seat] = 0
            return
        script.expect("RACE", self.style.first, winner)
        script.wait(500, 1_500)
        script.place(f"{seat}.R", place, zone)

    def piles(self, seat: str) -> Iterator[Act]:
        """Yield the moves of whole work piles; in Nertz also of blocks, also to empty places."""
        script = self.script
        for origin in self.works(seat):
            height = len(script.pile(origin))
            for target in self.works(seat):
                if origin == target or not height:
                    continue
                for count in range(1, height + 1) if self.style.blocks else (height,):
                    lowest = self.value(script.pile(origin)[height - count].card)
                    below = script.pile(target)
                    fits = below and descends(lowest, self.value(below[-1].card))
                    free = not below and self.style.blocks and count < height
                    if fits or free:
                        yield self.block(seat, origin, target, count)

    def block(self, seat: str, origin: str, target: str, count: int) -> Act:
        """Return the act of moving the top cards of a work pile onto another."""
        if count == 1 and self.script.rng.random() < 0.7:
            return lambda: self.script.place(f"{seat}.R", origin, target)
        return lambda: self.script.move(f"{seat}.R", origin, target, count)

    def stock(self, seat: str) -> Iterator[Act]:
        """Yield the turning of three cards, or of the discard pile when none is left."""
        script = self.script
        stock, waste = f"{seat}.stock", f"{seat}.waste"
        count = min(3, len(script.pile(stock)))
        if waste in self.frozen:
            return
        if count and seat in self.singly:
            yield lambda: self.turn_singly(seat, count)
        elif count:
            yield lambda: script.move(f"{seat}.L", stock, waste, count, flip=True)
        elif script.pile(waste):
            whole = len(script.pile(waste))
            yield lambda: script.move(f"{seat}.L", waste, stock, whole, flip=True)

    def turn_singly(self, seat: str, count: int) -> None:
        """Turn cards of the draw pile one by one, quickly enough to count as one turn."""
        for _ in range(count):
            self.script.place(f"{seat}.L", f"{seat}.stock", f"{seat}.waste")
            self.script.wait(150, 450)

    def carry(
        self, seat: str, origin: str, target: str, *, under: bool = False, seen: bool = True
    ) -> Act:
        """Return the act of playing the top card of a zone; now and then it is `seen` lifted."""

        def act() -> None:
            if seen and self.script.rng.random() < 0.1:
                self.script.lift(f"{seat}.R", origin)
            self.script.place(f"{seat}.R", origin, target, under=under)
            self.idle[seat] = 0

        return act

    def works(self, seat: str) -> tuple[str, ...]:
        """Return the work piles of a player that can be played on."""
        works = (f"{seat}.work.{column}" for column in range(1, 5))
        return tuple(work for work in works if work not in self.frozen)


def aces_match(style: Style, script: Script, faulty: bool, hands: int, jokers: bool) -> Match:
    """Return a match of Nerds or Nertz."""
    late = faulty and script.rng.random() < 0.1
    table = Aces(style, script, faulty, jokers, late)
    table.play(hands)
    options = [Setting("target", str(style.target))]
    if jokers:
        options.append(Setting("jokers", "2"))
    return script.match("SETUP", (54 if jokers else 52) * len(script.seats), options)
