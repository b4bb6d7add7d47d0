"""Cards in the air: what left its zone and lies nowhere yet, and what is told if it stays away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from referee.table import moves
from referee.table.arranging import arranges
from referee.table.backs_seen import BacksSeen
from referee.table.drawn_last import DrawnLast
from referee.table.evidence import Evidence, Reach
from referee.table.found import NOWHERE_ELSE
from referee.table.going_home import GoingHome
from referee.table.gone import TOOK_NS, Gone
from referee.table.habits import Habits, owner_of
from referee.table.into_hand import TAKEN_CONF, IntoHand
from referee.table.moves import ActorAt
from referee.table.on_top import OnTop
from referee.table.piles import FEW_CARDS, NEVER_NS, Lying, Piles
from referee.table.putting_under import LAID_NS, LEAST_CARRY_NS
from referee.table.turn_times import TurnTimes
from referee.table.who_took import WhoTook
from referee.values import Card, CardLifted, Event, PointMm

# A block that left and lies nowhere is in a hand after so long; carries take 0.3 to 0.9 s.
TAKEN_NS = 1_300_000_000
LIFTED_NS = 1_800_000_000
# Where hands of several players meet, a card may stay hidden for so long.
HIDDEN_NS = 3_000_000_000
# Nobody thinks for longer over a card that he carries from one place to another.
KEPT_NS = 5_000_000_000
UNDER_NS, TURNED_NS = 650_000_000, 900_000_000
# After that a card that left is forgotten to be on its way.
FORGOTTEN_NS = 20_000_000_000
# Cards that vanish from one pile within this time went together.
TOGETHER_NS = 500_000_000

# How well it is known when cards left: a place is looked at when the hand has gone from it, and
# the arm that carries a card across the table hides where it lay for a second and more.
LEFT_U_NS = 110_000_000
# When a card came home under its pile is when the fingers that took it were nearest to there: with
# all that were hidden so, by 0.28 s to either side of it.
UNDER_U_NS = 300_000_000
# The hand that took the last card of a pile came down there once, and took no other pile so soon.
TOOK_ONE_NS = 180_000_000


class Air:
    """The cards in the air. Changed by one thread."""

    def __init__(
        self, habits: Habits, piles: Piles, actor_at: ActorAt, evidence: Evidence, times: TurnTimes
    ) -> None:
        """Begin with none; `actor_at` tells who was at a place, `times` when turns lay."""
        self._habits, self._piles = habits, piles
        self._evidence = evidence
        self._who = WhoTook(habits, piles, evidence, actor_at, lambda: self.gone)
        self._holding = IntoHand(habits, piles, evidence)
        self._going_home = GoingHome(habits, piles, evidence)
        self._backs_seen = BacksSeen(habits, piles, evidence)
        self.on_top = OnTop(piles, evidence)
        self._drawn_last = DrawnLast(habits, piles, times, evidence)
        self.gone: list[Gone] = []
        # What left so long ago that it is no more believed to be on its way: it lies somewhere.
        self.lost: list[Lying] = []
        # When the last card was taken off each pile of which it is known where it went.
        self._bare_ns: dict[str, int] = {}
        # When that card lay there.
        self._carried_ns: dict[str, int] = {}
        # When the last card was taken off each pile to be played.
        self._played_ns: dict[str, int] = {}
        # When each seat last took cards of its own into the hand.
        self._held_ns: dict[str, int] = {}
        # When each seat last took any cards into the hand: what it lays out is laid after that.
        self._took_ns: dict[str, int] = {}

    def bare(self, zone: str, t_ns: int, target: str, laid_ns: int) -> None:
        """Note when a card was taken off a pile, to lie in another zone since `laid_ns`."""
        self._bare_ns[zone], self._carried_ns[zone] = t_ns, laid_ns
        if self._habits.is_played(target):
            self._played_ns[zone] = t_ns
            for gone in self.gone:
                gone.used_up = gone.used_up or self._is_used_up(gone)

    def carried_ns(self, zone: str) -> int:
        """Return when the last card that was taken off a pile lay elsewhere."""
        return self._carried_ns.get(zone, NEVER_NS)

    def taken_ns(self, zone: str, before_ns: int | None = None) -> int:
        """Return when cards were last taken off a pile, before a time if one is given."""
        taken = [gone.t_ns for gone in self.gone if gone.zone == zone and gone.touched]
        taken.append(self._bare_ns.get(zone, NEVER_NS))
        last = (t_ns for t_ns in taken if before_ns is None or t_ns < before_ns)
        return max(last, default=NEVER_NS)

    def set_out(self, t_ns: int, zone: str, indices: list[int]) -> None:
        """Take cards off a zone; those that go at nearly the same time go as one block."""
        cards = self._piles.take(zone, indices)
        if not cards:
            return
        for gone in self.gone:
            # What did not show in between went with what had lain on it.
            together = t_ns - gone.bare_ns <= TOGETHER_NS or cards[-1].lost_ns < gone.bare_ns
            if gone.zone == zone and t_ns >= gone.bare_ns and together:
                gone.cards = (*cards, *gone.cards)
                gone.below = len(self._piles[zone])
                return
        since_ns = min(t_ns, self._lay_until_ns(zone, cards[-1], t_ns))
        left_ns, reach, actor = self._who.took(zone, cards, since_ns, t_ns)
        gone = Gone(cards, zone, left_ns, LEFT_U_NS, actor, t_ns, t_ns, reach)
        gone.counted = zone not in self._piles.deep | self._piles.presumed
        gone.used_up = self._is_used_up(gone)
        gone.below = len(self._piles[zone])
        gone.lay_ns = self.on_top.until_ns(zone)
        gone.covered = self._evidence.now.glimpsed(cards[-1].at_mm)
        self.gone.append(gone)

    def _lay_until_ns(self, zone: str, top: Lying, t_ns: int) -> int:
        """Return until when a card that left surely lay there: nobody took it sooner.

        The hand that laid it, or that took what lay above it, is not the one that took it.
        """
        bare_ns = self._bare_ns.get(zone, NEVER_NS)
        if NEVER_NS < top.lost_ns < bare_ns:
            return bare_ns
        seen_ns = min(t_ns, top.lost_ns) if top.lost_ns > NEVER_NS else t_ns
        return max(seen_ns - TOOK_NS, top.since_ns + LAID_NS)

    def bare_since(self, zone: str, at_mm: PointMm, reach_mm: float) -> int | None:
        """Return since when a place is seen without the cards that left it, None if none did."""
        return max(
            (
                gone.clear_ns
                for gone in self.gone
                if gone.zone == zone and gone.cards[-1].near(at_mm, reach_mm)
            ),
            default=None,
        )

    def _is_used_up(self, gone: Gone) -> bool:
        """Whether what left a pile that nobody counted may be the one card that was played."""
        played_ns = self._played_ns.get(gone.zone, NEVER_NS)
        return gone.zone in self._piles.put_down and gone.t_ns - played_ns < TOOK_ONE_NS

    def arranges(self, zone: str) -> bool:
        """Whether the player of a place lays out there what he has taken into his hand."""
        took_ns = self._took_ns.get(owner_of(zone) or "", NEVER_NS)
        return arranges(self._habits, self._piles, zone, took_ns)

    def left(self, *zones: str, but: Gone | None = None) -> bool:
        """Whether cards that left one of the zones lie nowhere yet, but those of one block."""
        others = (gone for gone in self.gone if gone is not but)
        return any(gone.zone in zones and not gone.may_be_none for gone in others)

    def left_ns(self, zone: str) -> Iterator[int]:
        """Yield when cards left a zone lately, as far as it is remembered."""
        yield from (gone.t_ns for gone in self.gone if gone.zone == zone)
        if zone in self._bare_ns:
            yield self._bare_ns[zone]

    def back_under(
        self, zone: str, at_mm: PointMm, reach_mm: float, since_ns: int
    ) -> tuple[Lying, ...]:
        """Return the cards that only seemed to leave a place: another was laid onto them.

        Those that nobody touched, and those that left since a time.
        """
        back = [
            gone
            for gone in self.gone
            if gone.zone == zone
            and (gone.bare_ns >= since_ns or not gone.touched)
            and gone.cards[-1].near(at_mm, reach_mm)
        ]
        self.gone = [gone for gone in self.gone if gone not in back]
        return tuple(card.unseen() for gone in back for card in gone.cards)

    def forget(self, face: str, deck: str | None) -> bool:
        """Forget a card in the air that is now known to lie somewhere; tells if there was one."""
        found = False
        for gone in self.gone:
            if any((card.face, card.deck) == (face, deck) for card in gone.cards):
                gone.cards = tuple(c for c in gone.cards if (c.face, c.deck) != (face, deck))
                found = True
        self.gone = [gone for gone in self.gone if gone.cards]
        return found

    def step(self, t_ns: int, may_lie: Callable[[Gone], bool]) -> list[Event]:
        """Tell of cards that left and did not come to lie anywhere.

        `may_lie` tells whether a card may lie where a hand or another card hides it.
        """
        events: list[Event] = []
        for gone in list(self.gone):
            age_ns = t_ns - gone.bare_ns
            if self._going_home.is_empty(gone):
                # What lies there from now on can be counted.
                self._piles.deep.discard(gone.zone)
                if gone.may_be_none:
                    self.gone.remove(gone)
                    continue
            under, home = self._went_home(gone, age_ns)
            if age_ns > FORGOTTEN_NS:
                self.gone.remove(gone)
                self.lost += gone.cards
            elif under is not None:
                events.append(self._put_under(gone, *under))
            elif home is not None:
                events += self._turned_over(gone, *home)
            elif not gone.touched:
                continue
            elif self._habits.held is not None and self._holding.took_more(gone, self.gone):
                events += self._into_hand(gone, nowhere=False)
            elif self._is_awaited(gone, age_ns, may_lie):
                continue
            elif self._habits.held is not None:
                if age_ns > self._ponders_ns(gone):
                    nowhere = not self._may_be_hidden(gone, may_lie)
                    events += self._into_hand(gone, nowhere=nowhere)
            elif age_ns > LIFTED_NS and len(gone.cards) == 1 and not gone.lifted:
                if self._may_be_covered(gone) or self._going_home.may_be_home(gone):
                    continue
                events.append(self._lifted(gone))
        return events

    def lift_off(self, zone: str, before_ns: int) -> list[Event]:
        """Tell of a card that still is in a hand when the one below it is turned up."""
        single = (gone for gone in self.gone if gone.zone == zone and len(gone.cards) == 1)
        told = [gone for gone in single if gone.touched and not (gone.lifted or gone.may_be_none)]
        return [self._lifted(gone, before_ns) for gone in told]

    def _went_home(
        self, gone: Gone, age_ns: int
    ) -> tuple[tuple[str, int] | None, tuple[str, int] | None]:
        """Return the backs that cards were put under, or turned over onto, and when."""
        under = home = None
        if not self._picks_up(gone):
            under = self._going_home.under(gone) if age_ns > UNDER_NS else None
            turned = gone.touched and age_ns > TURNED_NS
            home = self._going_home.turned_over(gone) if turned else None
        return under, home or self._going_home.must_be_home(gone)

    def finish(self, may_lie: Callable[[Gone], bool]) -> list[Event]:
        """Tell of what hands took that left the table with it: nothing more will be seen.

        Nobody who stays away with a card for so long was seen to lay it elsewhere after all.
        """
        now_ns = self._evidence.now.t_ns
        taken = [
            gone
            for gone in self.gone
            if self._who.was_at(gone) and self._holding.went_away(gone, now_ns)
        ]
        events: list[Event] = []
        for gone in taken:
            long = now_ns - gone.bare_ns > TAKEN_NS
            nowhere = long and not self._may_be_hidden(gone, may_lie)
            events += self._into_hand(gone, nowhere=nowhere)
        return events

    def _may_be_hidden(self, gone: Gone, may_lie: Callable[[Gone], bool]) -> bool:
        """Whether cards that left may lie somewhere all the same, where they are not seen now."""
        return (
            self._may_be_unread(gone)
            or self._may_be_covered(gone)
            or self._going_home.may_be_back(gone)
            or may_lie(gone)
        )

    def _ponders_ns(self, gone: Gone) -> int:
        """Return how long cards must be gone to be in a hand.

        Where hands are hidden an open card is taken to be laid open again, and its player may
        ponder: unless his hand left the table with it and is back.
        """
        ponders = self._habits.hides_hands and gone.cards[-1].up
        return HIDDEN_NS if ponders and not self._holding.came_back(gone) else TAKEN_NS

    def _is_awaited(self, gone: Gone, age_ns: int, may_lie: Callable[[Gone], bool]) -> bool:
        """Whether it is still to be seen whether cards lie somewhere, or are carried elsewhere."""
        if age_ns < KEPT_NS and self._is_rearranged(gone):
            return True
        return age_ns < HIDDEN_NS and self._may_be_hidden(gone, may_lie)

    def _is_rearranged(self, gone: Gone) -> bool:
        """Whether more cards of a player's columns lie there than he may take on hand: he moves it.

        Who picks up all that is his has taken a playing pile before.
        """
        owner = owner_of(gone.zone)
        if len(gone.cards) > 1 or not self._habits.is_column(gone.zone):
            return False
        mine = [zone for zone in self._piles.zones() if owner_of(zone) == owner]
        lie = sum(len(self._piles[zone]) for zone in mine if self._habits.is_column(zone))
        return lie >= FEW_CARDS and f"{owner}.{self._habits.held}" not in mine

    def _may_be_covered(self, gone: Gone) -> bool:
        """Whether what lies below does not show either: something unread may lie on both."""
        left = self._piles[gone.zone]
        return bool(left) and not self._habits.is_single(gone.zone) and left[-1].spot is None

    def _may_be_unread(self, gone: Gone) -> bool:
        """Whether no hand came down on cards that a player may hold: they may lie there still."""
        return gone.reach is Reach.PASSED and self._habits.held is not None

    def watch(self) -> None:
        """Note which places of cards that left a hand hides now, and which backs none hides."""
        self._backs_seen.watch()
        self.on_top.watch()
        now = self._evidence.now
        for gone in self.gone:
            if now.covered(gone.cards[-1].at_mm):
                gone.free_ns = max(gone.free_ns, now.t_ns - gone.clear_ns)
                gone.clear_ns = now.t_ns

    def _picks_up(self, gone: Gone) -> bool:
        """Whether the player who took a pile took cards of his own into the hand after it.

        Who picks up all that is his comes to his rest at last, and puts nothing under it.
        """
        seat = gone.actor.seat
        if seat is None:
            return False
        mine = (one.t_ns for one in self.gone if one.touched and owner_of(one.zone) == seat)
        return max((*mine, self._held_ns.get(seat, NEVER_NS))) > gone.t_ns

    def take_along(self, gone: Gone) -> None:
        """Let all that lay below cards in the air, and is seen no more, have left with them."""
        pile = self._piles[gone.zone]
        below = [k for k, card in enumerate(pile) if card.since_ns < gone.t_ns]
        if all(pile[k].spot is None for k in below):
            gone.cards = (*self._piles.take(gone.zone, below), *gone.cards)

    def last_drawn(self, gone: Gone, stock: str, *, surely: bool = False) -> list[Event]:
        """Tell of the last cards of a stock, turned over unseen before its waste was taken.

        Where it is not known when, they are only if none is left there `surely`.
        """
        gathered = self._drawn_last.gather(gone, stock, self.gone)
        self.gone = [one for one in self.gone if one not in gathered]
        if self._piles[stock] and self._backs_seen.lay_there(gone, stock):
            return []
        return self._drawn_last.told(gone, stock, surely=surely)

    def _turned_over(self, gone: Gone, target: str, t_ns: int) -> list[Event]:
        """Lay a block face down where backs should have been used up; if not, a count was wrong.

        Unless backs were seen there to the last.
        """
        self.gone.remove(gone)
        gone.t_ns = min(gone.t_ns, t_ns - LEAST_CARRY_NS)
        surely = gone.reach is Reach.TOUCHED and self._backs_seen.lay_there(gone, target)
        conf = NOWHERE_ELSE if surely else TAKEN_CONF
        shown = self._piles[target][-1]
        events = self.last_drawn(gone, target)
        pile = self._piles[target]
        down = [
            replace(card.unseen(), up=False, at_mm=shown.at_mm, since_ns=t_ns)
            for card in reversed(gone.cards)
        ]
        if pile or not gone.counted:
            self._piles.deep.add(target)
        if pile:
            pile[-1] = shown.unseen()
        pile += down
        pile[-1] = replace(pile[-1], spot=shown.spot, angle_deg=shown.angle_deg)
        count, who = len(gone.cards), gone.actor
        told = moves.turned_over(t_ns, UNDER_U_NS, gone.zone, target, count, who, conf)
        return [*events, told]

    def _put_under(self, gone: Gone, target: str, t_ns: int) -> Event:
        self.take_along(gone)
        self.gone.remove(gone)
        at_mm = self._piles[target][-1].at_mm
        down = [replace(card.unseen(), up=False, at_mm=at_mm) for card in reversed(gone.cards)]
        self._piles[target][:0] = down
        return moves.turned_over(
            t_ns,
            UNDER_U_NS,
            gone.zone,
            target,
            len(gone.cards),
            gone.actor,
            TAKEN_CONF,
            under=True,
        )

    def hold(self, gone: Gone) -> list[Event]:
        """Let cards be in the hand of the player who took them, which something else tells."""
        return self._into_hand(gone, nowhere=False)

    def _into_hand(self, gone: Gone, *, nowhere: bool) -> list[Event]:
        self.gone.remove(gone)
        gone.actor = self._who.took_up(gone, self._took_ns)
        seat = gone.actor.seat or owner_of(gone.zone)
        if owner_of(gone.zone) == seat and self.arranges(gone.zone) and self._was_laid_out(gone):
            # Who lays out his cards takes one back to lay it elsewhere.
            return self._holding.take_back(gone, nowhere=nowhere)
        if seat is not None:
            self._took_ns[seat] = gone.t_ns
            if owner_of(gone.zone) == seat:
                self._held_ns[seat] = gone.t_ns
        return self._holding.take(gone, nowhere=nowhere)

    def _was_laid_out(self, gone: Gone) -> bool:
        """Whether cards were laid since their player took up what he lays out."""
        took_ns = self._took_ns.get(owner_of(gone.zone) or "", NEVER_NS)
        return all(card.since_ns > took_ns for card in gone.cards)

    def _lifted(self, gone: Gone, before_ns: int | None = None) -> Event:
        gone.lifted = True
        card = gone.cards[0]
        return CardLifted(
            n=0,
            t_ns=gone.t_ns if before_ns is None else min(gone.t_ns, before_ns),
            actor=gone.actor,
            u_ns=gone.u_ns,
            source="camera",
            conf=TAKEN_CONF,
            card=Card(card.face, card.deck),
            zone=gone.zone,
        )
