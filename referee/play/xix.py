"""Legal play of XIX: tricks, strikes, drafts and trades until the unused card can be deduced.

Written from the printed rules, without asking the rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.play import xix_faults as faults
from referee.play.script import Owed, Script, down, points
from referee.values import Card, Match

VALUE = (0, 1, 3, 6, 10, 15)
MOST_EXCHANGES = 40
TALON = tuple(f"talon.{place}" for place in range(1, 6))


@dataclass(slots=True)
class Nineteen:
    """One match while it is played.

    `fault` is what will go wrong once, empty for nothing (any more); `owed` is a card that its
    player has not taken back: nobody plays or drafts it meanwhile. `forever`: nor will he.
    """

    script: Script
    fault: str = ""
    owed: Owed | None = None
    forever: bool = False
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
        fresh, early = True, False
        while True:
            if not early:
                faults.before_lead(self, leader, "NEXT-02" if fresh and not first else "TRICK-03")
            fresh = False
            led = self.top("mid") if early else self.card(leader)
            follower = self.other(leader)
            laid = faults.before_reply(self, leader, follower)
            answer = self.top("mid") if laid else self.card(follower)
            second = led + answer == 19 or answer > led
            leader = follower if second else leader
            loser = self.other(leader)
            strikes[loser] += 1
            if strikes[loser] == 3:
                break
            self.script.wait(1_500, 5_000)
            faults.before_decision(self, leader)
            early = faults.leads_early(self, leader, loser)
            if early:
                if self.script.rng.random() < 0.5:
                    self.script.declare(loser, "raise")
                continue
            if self.script.rng.random() < 0.5:
                self.script.declare(loser, "abandon")
                break
            self.script.declare(loser, "raise")
        self.totals[leader] += VALUE[sum(strikes.values())]
        self.script.expect("SCORE", "XIX-SCORE-03", leader, points(self.totals, ""))
        if strikes[self.other(leader)] == 3:
            faults.after_third_strike(self, self.other(leader))
        return leader

    def card(self, seat: str) -> int:
        """Play a card of either hand into the middle and return its number."""
        self.wait()
        hands = [zone for zone in (f"{seat}.closed", f"{seat}.open") if self.free(zone)]
        zone = hands[0] if self.script.rng.random() < 0.7 else hands[-1]
        self.choose(zone)
        self.script.place(f"{seat}.R", zone, "mid")
        return self.top("mid")

    def wait(self) -> None:
        """Let some time pass, in which a card that is owed may go back."""
        faults.take_back(self)
        self.script.wait(1_500, 5_000)

    def top(self, zone: str) -> int:
        """Return the number of the card that was laid last."""
        return self.script.pile(zone)[-1].card.rank()

    def free(self, zone: str) -> list[int]:
        """Return the places of the cards in a zone that are not owed."""
        owed = self.owed.card if self.owed else None
        pile = self.script.pile(zone)
        return [place for place, lying in enumerate(pile) if lying.card != owed]

    def choose(self, zone: str) -> None:
        """Bring any card of a row or a hand to where it is taken next; they lie in no order."""
        pile = self.script.pile(zone)
        pile.append(pile.pop(self.script.rng.choice(self.free(zone))))

    def draft(self, loser: str) -> None:
        """Take the played cards by turns, the loser first."""
        seat, first = loser, True
        while self.script.pile("mid"):
            faults.before_draft(self, seat, "DRAFT-04" if first else "DRAFT-02")
            if not self.free("mid") and self.owed and self.forever and self.owed.seat == seat:
                # Who picked too early keeps that card as the last one.
                self.script.pile(self.owed.target).append(self.script.pile("mid").pop())
                self.owed = None
                return
            faults.take_back(self, surely=not self.free("mid"))
            self.script.wait(1_500, 3_500)
            self.choose("mid")
            self.script.place(f"{seat}.R", "mid", f"{seat}.open")
            seat, first = self.other(seat), False

    def trade(self, loser: str) -> None:
        """Trade one open card with the talon, for a face-down one while there are any."""
        script, hand = self.script, f"{loser}.R"
        covered = [place for place in TALON if script.top(place) is None]
        free = [place for place in covered or TALON if self.free(place)]
        faults.take_back(self, surely=not (self.forever and free))
        place = script.rng.choice(free or covered)
        self.choose(f"{loser}.open")
        faults.before_trade(self, loser, place, covered)
        faults.take_back(self, surely=not self.forever)
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
        if not faults.lays_elsewhere(self, loser, place):
            script.place(hand, f"{loser}.open", place)


def xix_match(script: Script, faulty: bool) -> Match:
    """Return a match of XIX."""
    fault = script.rng.choices(*zip(*faults.KINDS, strict=True))[0] if faulty else ""
    Nineteen(script, fault).play()
    return script.match("DEAL", 18)
