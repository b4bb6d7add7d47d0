"""Legal play of Nerves: cut, arrangement, turns and plays, slaps, pile choices, the winning hit.

Written from the printed rules, without asking the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from referee.play import nerves_faults as faults
from referee.play.script import MS, Lying, Owed, Script, actor, down, full_deck
from referee.values import Dealt, Match

MOST_EVENTS = 800
COLUMNS = range(1, 6)
PLAYS = ("play.A", "play.B")
# Turns without a card on a playing pile after which nobody can or will go on.
PATIENCE = 60


@dataclass(slots=True)
class Player:
    """What a player is about: the cards still to be laid, row by row, while arranging.

    `rows` are the columns of each row left, first to last; `tops` the row that ends a column.
    """

    rows: list[list[int]] = field(default_factory=list)
    tops: dict[int, int] = field(default_factory=dict)
    arranging: bool = True


@dataclass(slots=True)
class Nerves:
    """One match while it is played.

    `fault` is what will go wrong once, empty for nothing (any more); `owed` is a card that its
    player has not taken back, and takes back with this chance when it is his turn.
    """

    script: Script
    fault: str = ""
    owed: Owed | None = None
    chance_to_cure: float = 0.0
    players: dict[str, Player] = field(default_factory=dict)
    idle: int = 0
    over: bool = False
    first_hit: int = 0

    def play(self) -> None:
        """Play from the cut to the winning hit, or until nobody goes on."""
        self.begin()
        while not self.over and self.idle < PATIENCE and self.script.n < MOST_EVENTS:
            seat = self.script.rng.choice(self.script.seats)
            self.script.wait(350, 900)
            if self.players[seat].arranging:
                self.lay_row(seat)
            else:
                self.turn(seat)

    def other(self, seat: str) -> str:
        """Return the opponent."""
        return "B" if seat == "A" else "A"

    def begin(self) -> None:
        """Cut, choose, put the palms down, name somebody, start and take the halves."""
        script, rng = self.script, self.script.rng
        deck = full_deck()
        rng.shuffle(deck)
        script.deal("-", "deck", down(deck))
        script.wait(1_500, 3_000)
        cutter = rng.choice(script.seats)
        chooser = self.other(cutter)
        count = rng.randint(6, 46)
        script.move(f"{cutter}.R", "deck", "cut.1", count)
        script.wait(2_000, 4_000)
        halves = ["deck", "cut.1"]
        rng.shuffle(halves)
        faults.before_choice(self, cutter)
        script.declare(chooser, "choose", halves[0])
        for seat, half in zip((chooser, cutter), halves, strict=True):
            script.wait(600, 1_200)
            script.move(f"{seat}.R", half, f"{seat}.pile", len(script.pile(half)))
        palms = [f"{seat}.{side}" for seat in script.seats for side in "LR"]
        missing = faults.missing_palm(self, palms)
        for palm in palms:
            script.wait(200, 500)
            script.hand_on(palm, f"{palm[0]}.side.{palm[2]}")
        script.wait(1_000, 3_000)
        script.declare(cutter, "name", "Robin")
        script.wait(1_000, 3_000)
        faults.before_start(self, palms)
        script.declare("-", "start")
        if missing:
            script.expect("VIOLATION", "NERVES-SET-12", missing[0])
        for palm in palms:
            script.wait(30, 120)
            script.hand_off(palm, f"{palm[0]}.side.{palm[2]}")
        faults.first_take(self)
        for seat in script.seats:
            script.wait(200, 500)
            script.take(f"{seat}.L", f"{seat}.pile", len(script.pile(f"{seat}.pile")))
            self.plan(seat)

    def plan(self, seat: str) -> None:
        """Choose the shape and the direction of every row; short hands go as far as they reach."""
        rng, left = self.script.rng, len(self.script.pile(f"{seat}.held"))
        mirrored = rng.random() < 0.5
        player = Player()
        for row in COLUMNS:
            columns = list(range(row, 6)) if mirrored else list(range(1, 7 - row))
            if rng.random() < 0.5:
                columns.reverse()
            columns = columns[:left]
            left -= len(columns)
            if columns:
                player.rows.append(columns)
        for number, columns in enumerate(player.rows):
            player.tops.update(dict.fromkeys(columns, number))
        self.players[seat] = player

    def lay_row(self, seat: str) -> None:
        """Lay the next row; after the last put the rest down."""
        script, player, held = self.script, self.players[seat], f"{seat}.held"
        number = len(set(player.tops.values())) - len(player.rows)
        if faults.before_row(self, seat, number):
            return
        columns = player.rows.pop(0)
        if script.rng.random() < 0.5:
            for column in columns:
                up = player.tops[column] == number
                script.place(f"{seat}.R", held, f"{seat}.arr.{column}", up=up)
                script.wait(200, 500)
        else:
            self.deal_row(seat, number, columns)
        if not player.rows:
            self.put_rest_down(seat)

    def put_rest_down(self, seat: str) -> None:
        """Put the cards left in the hand down as the rest pile."""
        script, held = self.script, f"{seat}.held"
        self.players[seat].arranging = False
        script.wait(500, 900)
        if script.pile(held):
            faults.before_rest(self, seat)
        if script.pile(held):
            script.move(f"{seat}.L", held, f"{seat}.rest", len(script.pile(held)))

    def deal_row(self, seat: str, number: int, columns: list[int]) -> None:
        """Lay a row as one event."""
        script, cards = self.script, []
        for column in columns:
            lying = script.pile(f"{seat}.held").pop()
            up = self.players[seat].tops[column] == number
            script.pile(f"{seat}.arr.{column}").append(Lying(lying.card, up))
            cards.append(lying.card if up else lying.card.hide())
        zone = f"{seat}.row{number + 1}"
        row = Dealt(
            n=0, t_ns=0, actor=actor(seat), zone=zone, cards=tuple(cards), columns=tuple(columns)
        )
        script.write(row)

    def turn(self, seat: str) -> None:
        """Let a player do one thing."""
        self.idle += 1
        if self.owed is not None and self.owed.seat == seat:
            faults.take_back(self)
            return
        faults.in_play(self, seat)
        if self.owed is not None and self.owed.seat == seat:
            return
        weighed = [
            *((12, act) for act in self.plays(seat)),
            *((5, act) for act in self.turned_up(seat)),
            *((1, act) for act in self.moves(seat)),
            *((2, act) for act in self.rest(seat)),
        ]
        if weighed:
            weights, acts = zip(*weighed, strict=True)
            self.script.rng.choices(acts, weights)[0]()

    def busy(self) -> bool:
        """Return whether somebody is still arranging."""
        return any(player.arranging for player in self.players.values())

    def arranged(self, seat: str) -> int:
        """Return how many arranged cards a player has, with those on hand."""
        zones = [f"{seat}.held", *self.columns(seat)]
        return sum(len(self.script.pile(zone)) for zone in zones)

    def columns(self, seat: str) -> list[str]:
        """Return the zones of a player's arrangement."""
        return [f"{seat}.arr.{column}" for column in COLUMNS]

    def plays(self, seat: str) -> Iterator[Callable[[], None]]:
        """Yield the plays onto either pile; the last card waits for an opponent who is ready."""
        if self.arranged(seat) == 1 and self.busy():
            return
        sources = [zone for zone in self.columns(seat) if self.script.top(zone)]
        if not self.players[seat].arranging:
            sources += [f"{seat}.held"] * bool(self.script.pile(f"{seat}.held"))
        for zone in sources:
            for target in PLAYS:
                top = self.script.top(target)
                card = self.script.pile(zone)[-1].card
                if top is not None and abs(top.rank() - card.rank()) == 1:
                    yield self.play_card(seat, zone, target)

    def play_card(self, seat: str, zone: str, target: str) -> Callable[[], None]:
        """Return the act of playing a card, with all that follows from it."""

        def act() -> None:
            hand = self.script.rng.choice("LR")
            self.idle = 0
            self.script.place(f"{seat}.{hand}", zone, target)
            if self.arranged(seat) == 0:
                self.choice(seat, hand, target)
            else:
                self.slap(seat, hand)

        return act

    def turned_up(self, seat: str) -> Iterator[Callable[[], None]]:
        """Yield the turning of a covered card, at most five piles showing a face."""
        for zone in self.columns(seat):
            if self.script.pile(zone) and self.script.top(zone) is None:
                yield lambda zone=zone: self.script.turn(f"{seat}.R", zone)  # type: ignore[misc]

    def moves(self, seat: str) -> Iterator[Callable[[], None]]:
        """Yield re-arranging: a face-up card to an empty column, onto its like, or on hand."""
        columns = self.columns(seat)
        faces = {zone: self.script.top(zone) for zone in columns}
        for zone, card in faces.items():
            for target in columns:
                other = faces[target]
                free = not self.script.pile(target) and len(self.script.pile(zone)) > 1
                like = other is not None and card is not None and other.rank() == card.rank()
                if card is not None and zone != target and (free or like):
                    yield lambda z=zone, t=target: self.script.place(f"{seat}.R", z, t)  # type: ignore[misc]
            height = len(self.script.pile(zone))
            if height and self.arranged(seat) <= 3:
                yield lambda z=zone, h=height: self.script.take(f"{seat}.L", z, h)  # type: ignore[misc]

    def rest(self, seat: str) -> Iterator[Callable[[], None]]:
        """Yield the turning of a rest card."""
        if self.script.pile(f"{seat}.rest"):
            yield lambda: self.turn_rest(seat)

    def turn_rest(self, seat: str) -> None:
        """Turn a rest card onto the own playing pile."""
        hand = self.script.rng.choice("LR")
        self.idle = 0
        self.script.place(f"{seat}.{hand}", f"{seat}.rest", f"play.{seat}")
        self.slap(seat, hand)

    def slap(self, seat: str, hand: str) -> None:
        """Hit the middle when both piles show the same value and somebody wants to."""
        script, rng = self.script, self.script.rng
        tops = [script.top(pile) for pile in PLAYS]
        if tops[0] is None or tops[1] is None or tops[0].rank() != tops[1].rank():
            return
        if self.busy() or rng.random() < 0.25:
            return
        # Only the hand that made the tops equal may go to the middle; the opponent's both may.
        hands = {seat: hand, self.other(seat): rng.choice("LR")}
        winner = rng.choice(self.hitters())
        faults.before_slap(self, seat, hand)
        script.wait(250, 600)
        order = [s for s in (winner, self.other(winner)) if s in self.hitters()]
        self.hits([f"{s}.{hands[s]}" for s in order], "mid")
        script.expect("RACE", "NERVES-HIT-02", winner, n=self.first_hit)
        loser = self.other(winner)
        self.leave_owed()
        piles = list(PLAYS)
        rng.shuffle(piles)
        for pile in piles:
            script.wait(700, 1_200)
            faults.before_taking(self, winner, loser, pile, pile == piles[0])
            count = len(script.pile(pile))
            script.move(f"{loser}.R", pile, f"{loser}.rest", count, flip=True, under=True)
        faults.while_waiting(self, winner)
        script.wait(600, 1_500)
        script.place(f"{loser}.R", f"{loser}.rest", f"play.{loser}")

    def hitters(self) -> list[str]:
        """Return who may hit: nobody who owes a card."""
        return [seat for seat in self.script.seats if not self.owed or self.owed.seat != seat]

    def leave_owed(self) -> None:
        """Let an owed card lie where it is: it goes along with the pile that is taken."""
        if self.owed is not None:
            lying = Lying(self.owed.card, True)
            self.script.pile(self.owed.target).insert(self.owed.index, lying)
            origin = self.script.pile(self.owed.origin)
            origin[:] = [other for other in origin if other.card != self.owed.card]
            self.owed = None

    def hits(self, hands: list[str], spot: str) -> None:
        """Let one hand hit a spot, and most times the other soon after; both leave again."""
        script, rng = self.script, self.script.rng
        second = len(hands) > 1 and rng.random() < 0.7
        script.hit(hands[0], spot)
        self.first_hit = script.n
        if second:
            script.now_ns += rng.randint(8, 200) * MS
            script.hit(hands[1], spot)
        for hand in hands[: 1 + second]:
            script.wait(150, 300)
            script.hand_off(hand, spot)

    def choice(self, seat: str, hand: str, played: str) -> None:
        """Hit one of the piles: it is won, and on an empty one the game with it."""
        script, rng = self.script, self.script.rng
        chooser = rng.choice(self.hitters())
        hitters = [s for s in (chooser, self.other(chooser)) if s in self.hitters()]
        pile = rng.choice(PLAYS)
        # A mistaken card counts as not being on its pile.
        empty = [zone for zone in PLAYS if not script.pile(zone)]
        if empty and rng.random() < 0.7:
            chooser, hitters = seat, [seat, *(s for s in hitters if s != seat)]
            pile = empty[0]
        other = self.other(chooser)
        swapped = "R" if hand == "L" else "L"
        own = swapped if pile == played else hand
        hands = {seat: own, self.other(seat): rng.choice("LR")}
        faults.before_pile_hit(self, seat, hand, played, pile)
        script.wait(250, 700)
        self.hits([f"{s}.{hands[s]}" for s in hitters], pile)
        script.expect("RACE", "NERVES-OUT-04", chooser, n=self.first_hit)
        if chooser == seat and not script.pile(pile):
            script.expect("END", "NERVES-WIN-01", chooser, n=self.first_hit)
            self.over = True
            return
        self.leave_owed()
        left = next(zone for zone in PLAYS if zone != pile)
        for player, zone in ((chooser, pile), (other, left)):
            faults.before_pick_up(self, player, zone)
            zones = [zone, *self.columns(player), f"{player}.rest"]
            for taken in zones:
                if script.pile(taken):
                    script.wait(300, 800)
                    script.take(f"{player}.R", taken, len(script.pile(taken)))
            self.plan(player)
        self.over = not all(script.pile(f"{player}.held") for player in script.seats)


def nerves_match(script: Script, faulty: bool) -> Match:
    """Return a match of Nerves."""
    fault = script.rng.choices(*zip(*faults.KINDS, strict=True))[0] if faulty else ""
    Nerves(script, fault).play()
    return script.match("CUT", 52)
