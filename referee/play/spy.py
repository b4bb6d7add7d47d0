"""Legal play of Spy vs. Spy: closed cards onto a square, with the deck's help when stuck.

Written from the printed rules, without asking the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.play.script import Owed, Script, Wrong, any_rule, down, full_deck, points
from referee.values import Card, Event, Match, Setting

ORDER = "23456789TJQKA"
MOST_TURNS = 900
PILES = range(1, 7)
CHANCE_TO_CURE = 0.2


def fits(card: Card, top: Card) -> bool:
    """Return whether a card goes on another: one rank apart, ace high, and the two on the ace."""
    gap = ORDER.index(card.face[0]) - ORDER.index(top.face[0])
    return abs(gap) == 1 or (card.face[0], top.face[0]) == ("2", "A")


@dataclass(slots=True)
class Spies:
    """One match while it is played.

    `absent` does not play while he owes a card, `cure` are the events that take it back. `left`
    is a card that lies where it may not: its player goes on without it.
    """

    script: Script
    faulty: bool = False
    absent: str | None = None
    cure: list[Event] = field(default_factory=list)
    left: Owed | None = None
    totals: dict[str, int] = field(default_factory=dict)

    def play(self, games: int) -> None:
        """Play a series of games; the lowest total wins."""
        self.totals = dict.fromkeys(self.script.seats, 0)
        for number in range(games):
            self.deal()
            if not self.game():
                return
            if number + 1 == games:
                best = min(self.totals.values())
                winners = [seat for seat, total in self.totals.items() if total == best]
                winner = winners[0] if len(winners) == 1 else None
                self.script.expect("END", "SPY-SCORE-03", winner, n=self.called)
            self.script.wait(20_000, 40_000)

    @property
    def called(self) -> int:
        """The event of the latest call."""
        return self.script.expected[-1].n

    def deal(self) -> None:
        """Deal half a deck to each of two players, a whole one to each of more."""
        script = self.script
        script.piles.clear()
        self.absent, self.cure, self.left = None, [], None
        shared = full_deck()
        script.rng.shuffle(shared)
        two = len(script.seats) == 2
        for seat in script.seats:
            cards = [shared.pop() for _ in range(26)] if two else full_deck(seat)
            script.rng.shuffle(cards)
            script.deal(seat, f"{seat}.deck", down(cards))
            script.wait(500, 1_500)
        for seat in script.seats:
            script.mix(f"{seat}.?", f"{seat}.deck")
            script.wait(1_000, 2_000)
            script.move(f"{seat}.R", f"{seat}.deck", f"{seat}.stack", 5)
            for number in range(1, 5):
                script.wait(400, 900)
                script.place(f"{seat}.R", f"{seat}.deck", f"{seat}.pile.{number}")
            script.wait(500, 1_500)
        script.declare("-", "start")
        script.wait(500, 1_000)

    def game(self) -> bool:
        """Play until somebody has finished; return whether somebody did."""
        for _ in range(MOST_TURNS):
            seat = self.script.rng.choice(self.script.seats)
            if seat == self.absent:
                if self.cure and self.script.rng.random() < CHANCE_TO_CURE:
                    self.script.cure(self.cure)
                    self.absent, self.cure = None, []
                continue
            self.script.wait(200, 900)
            if self.faulty and self.script.rng.random() < 0.1:
                self.err(seat)
            if seat != self.absent:
                self.turn(seat)
            if self.left and self.left.seat == seat and self.done(seat):
                self.take_back(self.left)
            if self.done(seat):
                self.finish(seat)
                return True
        return False

    def take_back(self, left: Owed) -> None:
        """Take a card back onto the closed stack."""
        cards = [lying.card for lying in self.script.pile(left.target)]
        place, hand = cards.index(left.card), f"{left.seat}.R"
        self.script.wait(1_600, 2_500)
        self.script.place_card(hand, place, left.target, left.origin, up=False)
        self.left = None

    def done(self, seat: str) -> bool:
        """Return whether a player has no closed card left."""
        return not self.script.pile(f"{seat}.stack") and not self.script.pile(f"{seat}.aside")

    def finish(self, seat: str) -> None:
        """Call, and score the game."""
        script = self.script
        script.wait(200, 900)
        script.declare(seat, "finished")
        scores = {other: -20 if other == seat else 20 for other in script.seats}
        for other, value in scores.items():
            self.totals[other] += value
        script.expect("RACE", "SPY-SCORE-01", seat)
        script.expect("SCORE", "SPY-SCORE-02", None, points(scores))

    def turn(self, seat: str) -> None:
        """Let a player do one thing."""
        script, rng = self.script, self.script.rng
        aside = list(self.aside_fits(seat))
        if aside and rng.random() < 0.8:
            index, zone = rng.choice(aside)
            script.place_card(f"{seat}.R", index, f"{seat}.aside", zone)
        elif script.pile(f"{seat}.stack") and (rng.random() < 0.7 or aside):
            self.closed(seat)
        elif script.pile(f"{seat}.aside") and not aside:
            self.deck(seat)

    def closed(self, seat: str) -> None:
        """Lay the top card of the closed stack: where it fits, else as a new pile or aside."""
        script, stack, hand = self.script, f"{seat}.stack", f"{seat}.R"
        card = script.pile(stack)[-1].card
        places = self.places(seat, card)
        free = [f"{seat}.pile.{k}" for k in (5, 6) if not script.pile(f"{seat}.pile.{k}")]
        if places:
            script.place(hand, stack, script.rng.choice(places))
        elif free and script.rng.random() < 0.5:
            script.place(hand, stack, free[0])
        else:
            script.place(hand, stack, f"{seat}.aside")

    def deck(self, seat: str) -> None:
        """Turn the next card of the deck: onto a pile where it fits, else onto the waste."""
        script, deck, waste, hand = self.script, f"{seat}.deck", f"{seat}.waste", f"{seat}.R"
        if not script.pile(deck):
            if script.pile(waste):
                script.move(hand, waste, deck, len(script.pile(waste)), flip=True)
            return
        places = self.places(seat, script.pile(deck)[-1].card)
        script.place(hand, deck, script.rng.choice(places) if places else waste)

    def places(self, seat: str, card: Card) -> list[str]:
        """Return the own piles that take a card."""
        zones = [f"{seat}.pile.{number}" for number in PILES]
        tops = [(zone, self.top(zone)) for zone in zones]
        return [zone for zone, top in tops if top is not None and fits(card, top)]

    def top(self, zone: str) -> Card | None:
        """Return the top card of a pile; one that may not lie there counts for nothing."""
        left = self.left.card if self.left else None
        cards = [lying.card for lying in self.script.pile(zone) if lying.card != left]
        return cards[-1] if cards else None

    def aside_fits(self, seat: str) -> Iterator[tuple[int, str]]:
        """Yield the cards laid aside that fit now, by their place, and where."""
        for index, lying in enumerate(self.script.pile(f"{seat}.aside")):
            for zone in self.places(seat, lying.card):
                yield index, zone

    def err(self, seat: str) -> None:
        """Commit one fault in the match, if the cards give the opportunity for one."""
        if found := list(self.wrongs(seat)):
            self.faulty = False
            wrong = any_rule(found, self.script.rng)
            if wrong.way and self.script.rng.random() < 0.4:
                self.leave(seat, wrong, *wrong.way)
            elif wrong.zones and self.script.rng.random() < 0.4:
                cure = self.script.err_and_owe(seat, wrong)
                self.cure = cure if self.script.rng.random() < 0.5 else []
                self.absent = seat
            else:
                self.script.err(seat, wrong)

    def leave(self, seat: str, wrong: Wrong, origin: str, target: str) -> None:
        """Commit a fault and go on without the card."""
        lying, index = self.script.pile(origin)[-1], len(self.script.pile(target))
        self.left = Owed(seat, lying.card, origin, target, index, lying.up)
        self.script.err_and_leave(seat, wrong)

    def wrongs(self, seat: str) -> Iterator[Wrong]:
        """Yield the faults that the cards allow the player now."""
        yield from self._deck_faults(seat)
        stack, other = f"{seat}.stack", next(s for s in self.script.seats if s != seat)
        if not self.script.pile(stack):
            return
        card = self.script.pile(stack)[-1].card
        places = self.places(seat, card)
        for number in PILES:
            zone = f"{seat}.pile.{number}"
            top = self.script.top(zone)
            if top is not None and zone not in places:
                bare = "PLAY-03" if (card.face[0], top.face[0]) == ("A", "2") else "PLAY-02"
                yield self._laid(f"SPY-{bare}", seat, zone)
        yield self._laid("SPY-PLAY-02", seat, f"{other}.pile.1")
        if places:
            yield self._laid("SPY-PLAY-02", seat, f"{seat}.aside")
            if not self.script.pile(f"{seat}.pile.5"):
                yield self._laid("SPY-PILE-01", seat, f"{seat}.pile.5")
        elif self.script.pile(f"{seat}.pile.5") and self.script.pile(f"{seat}.pile.6"):
            yield self._laid("SPY-PILE-03", seat, f"{seat}.pile.7")
        yield self._false_call(seat)

    def _deck_faults(self, seat: str) -> Iterator[Wrong]:
        """Yield a deck card out of turn, or on a wrong pile, and a card moved between piles."""
        script, deck, hand = self.script, f"{seat}.deck", f"{seat}.R"
        if script.pile(deck):
            stuck = script.pile(f"{seat}.aside") and not list(self.aside_fits(seat))
            card = script.pile(deck)[-1].card
            wrong = [f"{seat}.pile.{k}" for k in range(1, 5)]
            wrong = [zone for zone in wrong if zone not in self.places(seat, card)]
            rule, zone = ("DECK-02", wrong[0]) if stuck and wrong else ("DECK-03", f"{seat}.waste")
            if not stuck or wrong:
                yield Wrong(
                    f"SPY-{rule}",
                    lambda: script.place(hand, deck, zone),
                    lambda: script.place(hand, zone, deck, up=False),
                )
        one, other = f"{seat}.pile.1", f"{seat}.pile.2"
        yield Wrong(
            "SPY-PLAY-02",
            lambda: script.place(hand, one, other),
            lambda: script.place(hand, other, one),
        )

    def _laid(self, rule: str, seat: str, zone: str) -> Wrong:
        hand, stack = f"{seat}.R", f"{seat}.stack"
        return Wrong(
            rule,
            lambda: self.script.place(hand, stack, zone),
            lambda: self.script.place(hand, zone, stack, up=False),
            (stack, zone) if zone[0] == seat else (),
            (stack, zone) if not zone.endswith("aside") else None,
        )

    def _false_call(self, seat: str) -> Wrong:
        # A call counts if the last card follows within three seconds.
        return Wrong(
            "SPY-FIN-02",
            lambda: self.script.declare(seat, "finished"),
            lambda: self.script.wait(3_000, 4_000),
        )


def spy_match(script: Script, faulty: bool, games: int) -> Match:
    """Return a match of Spy vs. Spy."""
    Spies(script, faulty).play(games)
    decks = 1 if len(script.seats) == 2 else len(script.seats)
    options = (Setting("games", str(games)),)
    return script.match("SETUP", 52 * decks, options)
