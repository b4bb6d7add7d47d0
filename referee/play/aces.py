"""Legal play of Nerds and Nertz: solitaire for everybody, foundations for all.

Written from the printed rules, without asking the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from referee.play.aces_faults import wrongs
from referee.play.script import MS, Lying, Script, descends, down, full_deck, points
from referee.values import Card, Match, Setting

Act = Callable[[], None]
PATIENCE = 40  # turns a player goes on without a card played before he is stuck
MOST_HANDS = 3


@dataclass(frozen=True, slots=True)
class Style:
    """What differs between the two games."""

    game: str
    prefix: str
    penalty: int
    blocks: bool
    singly: bool
    nerts_up: bool
    target: int
    beaten: bool
    hand_over: str
    stuck: str
    score: str
    won: str
    first: str
    draw: str


NERDS = Style(
    game="nerds",
    prefix="NERDS",
    penalty=1,
    blocks=False,
    singly=True,
    nerts_up=False,
    target=10,
    beaten=True,
    hand_over="NERDS-CALL-02",
    stuck="NERDS-CALL-02",
    score="NERDS-SCORE-01",
    won="NERDS-SCORE-03",
    first="NERDS-ACE-06",
    draw="NERDS-ACE-06",
)
NERTZ = Style(
    game="nertz",
    prefix="NERTZ",
    penalty=2,
    blocks=True,
    singly=False,
    nerts_up=True,
    target=100,
    beaten=False,
    hand_over="NERTZ-CALL-03",
    stuck="NERTZ-STUCK-01",
    score="NERTZ-SCORE-01",
    won="NERTZ-SCORE-05",
    first="NERTZ-FOUND-07",
    draw="NERTZ-FOUND-08",
)


@dataclass(slots=True)
class Aces:
    """One match of either game while it is played."""

    style: Style
    script: Script
    faulty: bool = False
    frozen: frozenset[str] = frozenset()
    totals: dict[str, int] = field(default_factory=dict)
    idle: dict[str, int] = field(default_factory=dict)

    def play(self, hands: int = MOST_HANDS) -> None:
        """Play hands until the target is reached, or as many as asked for."""
        self.totals = dict.fromkeys(self.script.seats, 0)
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
        self.frozen = frozenset()
        for seat in script.seats:
            script.mix(f"{seat}.?", f"{seat}.stock")
            script.wait(1_500, 2_500)
            deck = full_deck(seat)
            rng.shuffle(deck)
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
            if not script.pile(f"{seat}.nerts") and rng.random() < 0.5:
                self.end(seat)
                return
            if all(turns > PATIENCE for turns in self.idle.values()):
                self.give_up()
                return
            if self.faulty and rng.random() < 0.05:
                self.err(seat)
            self.turn(seat)

    def err(self, seat: str) -> None:
        """Commit one fault in the match, if the cards give the opportunity for one."""
        if found := list(wrongs(self.script, seat, self.style.prefix)):
            self.faulty = False
            wrong = self.script.rng.choice(found)
            if wrong.zones and self.script.rng.random() < 0.4:
                self.script.err_and_owe(seat, wrong)
                self.frozen = frozenset(wrong.zones)
            else:
                self.script.err(seat, wrong)

    def end(self, caller: str) -> None:
        """Call, and now and then let a card touch down that was already on its way."""
        script = self.script
        script.wait(200, 900)
        script.declare(caller, "call")
        call = script.n
        others = [seat for seat in script.seats if seat != caller]
        late = [(seat, *way) for seat in others for way in self.buildable(seat)]
        if late and script.rng.random() < 0.2:
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
                gained[str(lying.card.deck)] += 1
        for seat in script.seats:
            gained[seat] -= self.style.penalty * len(script.pile(f"{seat}.nerts"))
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
            if not pile or descends(card, pile[-1].card):
                yield self.carry(seat, origin, work)
            if pile and room and descends(pile[0].card, card):
                yield self.carry(seat, origin, work, under=True)

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
            if place := self.foundation(card):
                yield origin, place

    def foundation(self, card: Card) -> str | None:
        """Return a foundation that takes the card."""
        every = [f"F.{k}" for k in range(1, 4 * len(self.script.seats) + 1)]
        places = [place for place in every if place not in self.frozen]
        if card.rank() == 1:
            return next((place for place in places if not self.script.pile(place)), None)
        for place in places:
            top = self.script.top(place)
            if top and top.face[1] == card.face[1] and top.rank() + 1 == card.rank():
                return place
        return None

    def found(self, seat: str, origin: str, place: str) -> Act:
        """Return the act of building on a foundation, now and then with a race for the place."""

        def act() -> None:
            card = self.script.top(origin)
            assert card is not None
            self.carry(seat, origin, place)()
            if card.rank() > 1:
                self.race(seat, place, card)

        return act

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
                    lowest = script.pile(origin)[height - count].card
                    below = script.pile(target)
                    fits = below and descends(lowest, below[-1].card)
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
        if count and self.style.singly and script.rng.random() < 0.15:
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

    def carry(self, seat: str, origin: str, target: str, *, under: bool = False) -> Act:
        """Return the act of playing the top card of a zone."""

        def act() -> None:
            if self.script.rng.random() < 0.1:
                self.script.lift(f"{seat}.R", origin)
            self.script.place(f"{seat}.R", origin, target, under=under)
            self.idle[seat] = 0

        return act

    def works(self, seat: str) -> tuple[str, ...]:
        """Return the work piles of a player that can be played on."""
        works = (f"{seat}.work.{column}" for column in range(1, 5))
        return tuple(work for work in works if work not in self.frozen)


def aces_match(style: Style, script: Script, faulty: bool, hands: int) -> Match:
    """Return a match of Nerds or Nertz."""
    table = Aces(style, script, faulty)
    table.play(hands)
    options = (Setting("target", str(style.target)),)
    return script.match("SETUP", 52 * len(script.seats), options)
