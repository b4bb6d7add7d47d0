"""Legal play of XIX: tricks, strikes, drafts and trades until the unused card can be deduced.

Written from the printed rules, without asking the rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.play.script import Script, Wrong, down, points
from referee.values import Card, Match

VALUE = (0, 1, 3, 6, 10, 15)
MOST_EXCHANGES = 40
TALON = tuple(f"talon.{place}" for place in range(1, 6))


@dataclass(slots=True)
class Nineteen:
    """One match while it is played."""

    script: Script
    faulty: bool = False
    totals: dict[str, int] = field(default_factory=dict)

    def play(self) -> None:
        """Deal and play exchanges until the game ends."""
        self.totals = dict.fromkeys(self.script.seats, 0)
        self.deal()
        leader = self.script.rng.choice(self.script.seats)
        self.script.wait(1_000, 3_000)
        self.script.declare(leader, "leader")
        for number in range(MOST_EXCHANGES):
            leader = self.exchange(leader, first=number == 0)
            if self.over():
                best = max(self.totals.values())
                winners = [seat for seat, total in self.totals.items() if total == best]
                winner = winners[0] if len(winners) == 1 else None
                self.script.expect("END", "XIX-END-05", winner)
                return
            loser = self.other(leader)
            self.draft(loser)
            self.trade(loser)

    def other(self, seat: str) -> str:
        """Return the opponent."""
        return next(other for other in self.script.seats if other != seat)

    def over(self) -> bool:
        """Return whether the talon lies open and a closed hand is empty."""
        closed = [self.script.pile(f"{seat}.closed") for seat in self.script.seats]
        return all(self.script.top(place) for place in TALON) and not all(closed)

    def deal(self) -> None:
        """Shuffle and deal 6, 6, 5 and 1."""
        script = self.script
        script.mix("A.?", "deck")
        cards = [Card(str(number)) for number in range(1, 19)]
        script.rng.shuffle(cards)
        script.wait(2_000, 4_000)
        zones = [("A.closed", 6), ("B.closed", 6), *((place, 1) for place in TALON), ("unused", 1)]
        for zone, count in zones:
            script.deal("A", zone, down(cards[:count]))
            del cards[:count]
            script.wait(500, 1_500)

    def exchange(self, leader: str, *, first: bool) -> str:
        """Play tricks until one player gives up or has three strikes; return the winner."""
        strikes = dict.fromkeys(self.script.seats, 0)
        fresh = True
        while True:
            self.wrong_lead(leader, "XIX-NEXT-02" if fresh and not first else "XIX-TRICK-03")
            fresh = False
            led = self.card(leader)
            self.wrong_second(leader)
            follower = self.other(leader)
            answer = self.card(follower)
            second = led + answer == 19 or answer > led
            leader = follower if second else leader
            loser = self.other(leader)
            strikes[loser] += 1
            if strikes[loser] == 3:
                break
            self.script.wait(1_500, 5_000)
            self.wrong_decision(leader)
            if self.script.rng.random() < 0.5:
                self.script.declare(loser, "abandon")
                break
            self.script.declare(loser, "raise")
        self.totals[leader] += VALUE[sum(strikes.values())]
        self.script.expect("SCORE", "XIX-SCORE-03", leader, points(self.totals, ""))
        return leader

    def card(self, seat: str) -> int:
        """Play a card of either hand into the middle and return its number."""
        self.script.wait(1_500, 5_000)
        hands = [zone for zone in (f"{seat}.closed", f"{seat}.open") if self.script.pile(zone)]
        zone = hands[0] if self.script.rng.random() < 0.7 else hands[-1]
        self.choose(zone)
        self.script.place(f"{seat}.R", zone, "mid")
        return self.script.pile("mid")[-1].card.rank()

    def choose(self, zone: str) -> None:
        """Bring any card of a row or a hand to where it is taken next; they lie in no order."""
        pile = self.script.pile(zone)
        pile.append(pile.pop(self.script.rng.randrange(len(pile))))

    def draft(self, loser: str) -> None:
        """Take the played cards by turns, the loser first."""
        seat, first = loser, True
        while self.script.pile("mid"):
            rule = "XIX-DRAFT-04" if first else "XIX-DRAFT-02"
            self.wrong_draft(self.other(seat), rule)
            self.script.wait(1_500, 3_500)
            self.choose("mid")
            self.script.place(f"{seat}.R", "mid", f"{seat}.open")
            seat, first = self.other(seat), False

    def trade(self, loser: str) -> None:
        """Trade one open card with the talon, for a face-down one while there are any."""
        script, hand = self.script, f"{loser}.R"
        covered = [place for place in TALON if script.top(place) is None]
        place = script.rng.choice(covered or TALON)
        self.choose(f"{loser}.open")
        self.wrong_trade(loser, place, covered)
        script.wait(1_500, 3_500)
        if script.rng.random() < 0.15:
            script.place(hand, f"{loser}.open", place)
            script.wait(1_500, 2_500)
            target = f"{loser}.closed" if covered else f"{loser}.open"
            script.place_card(hand, 0, place, target, up=not covered)
            return
        kept = script.pile(f"{loser}.open")[-1]
        script.place(hand, place, f"{loser}.closed" if covered else f"{loser}.open", up=not covered)
        script.wait(1_500, 2_500)
        script.pile(f"{loser}.open").remove(kept)
        script.pile(f"{loser}.open").append(kept)
        script.place(hand, f"{loser}.open", place)

    def strikes_now(self) -> bool:
        """Return whether the one fault of the match is committed at this opportunity."""
        now = self.faulty and self.script.rng.random() < 0.12
        self.faulty = self.faulty and not now
        return now

    def wrong_lead(self, leader: str, rule: str) -> None:
        """Let the wrong player lead."""
        seat = self.other(leader)
        if self.script.pile(f"{seat}.closed") and self.strikes_now():
            self.script.err(seat, self._played(rule, seat, up=True))

    def wrong_second(self, leader: str) -> None:
        """Let the leader play twice, or the other one play face down."""
        seat, rng = self.other(leader), self.script.rng
        if self.script.pile(f"{leader}.closed") and rng.random() < 0.5 and self.strikes_now():
            self.script.err(leader, self._played("XIX-TRICK-01", leader, up=True))
        elif self.script.pile(f"{seat}.closed") and self.strikes_now():
            self.script.err(seat, self._played("XIX-TRICK-02", seat, up=False))

    def wrong_decision(self, winner: str) -> None:
        """Let a player without a fresh strike give up."""
        if self.strikes_now():
            act = Wrong("XIX-STRIKE-02", lambda: self.script.declare(winner, "abandon"))
            self.script.err(winner, act)

    def wrong_draft(self, seat: str, rule: str) -> None:
        """Let the wrong player choose."""
        if self.strikes_now():
            self.script.err(seat, self._back_and_forth(rule, seat, "mid", f"{seat}.open"))

    def wrong_trade(self, loser: str, place: str, covered: list[str]) -> None:
        """Take a card of the talon that may not be taken, or let the winner take one."""
        winner = self.other(loser)
        opened = [zone for zone in TALON if zone not in covered]
        if covered and opened and self.script.rng.random() < 0.5 and self.strikes_now():
            zone = self.script.rng.choice(opened)
            act = self._back_and_forth("XIX-TRADE-03", loser, zone, f"{loser}.open")
            self.script.err(loser, act)
        elif covered and self.strikes_now():
            act = self._back_and_forth("XIX-TRADE-07", winner, place, f"{winner}.closed", up=False)
            self.script.err(winner, act)

    def _played(self, rule: str, seat: str, *, up: bool) -> Wrong:
        zone, hand = f"{seat}.closed", f"{seat}.R"
        return Wrong(
            rule,
            lambda: self.script.place(hand, zone, "mid", up=up),
            lambda: self.script.place(hand, "mid", zone, up=False),
        )

    def _back_and_forth(
        self, rule: str, seat: str, origin: str, target: str, *, up: bool = True
    ) -> Wrong:
        hand = f"{seat}.R"
        return Wrong(
            rule,
            lambda: self.script.place(hand, origin, target, up=up),
            lambda: self.script.place(hand, target, origin, up=up),
        )


def xix_match(script: Script, faulty: bool) -> Match:
    """Return a match of XIX."""
    Nineteen(script, faulty).play()
    return script.match("DEAL", 18)
