"""Before anybody is accused: whether the table lies as the judge believes.

A camera errs, and what it tells wrongly stays in the judge's table. Where that is seen to differ
from what lies there, nobody is accused. Where all of it lies as it was told, no act was missed:
then an odd move was made indeed, and acts can be told to be out of turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from referee.app.agreeing import after, common, differs, lies_on_top, shows, unsure_tops, vouched
from referee.app.came_late import as_it_lies
from referee.app.caution import (
    cautious,
    is_of_another_deck,
    is_turned_over,
    less_sure,
    may_be_of_his_card,
    unsure,
)
from referee.app.foreseeing import (
    ends_unsurely,
    foreseen,
    hangs_on_its_time,
    is_held_against,
    is_of_the_deal,
    kinds_of,
    kinds_on,
    tells_where_it_stands,
)
from referee.app.glances import Glances
from referee.app.held_over import HELD_NS, HeldOver, Laid
from referee.app.hidden_acts import HiddenActs
from referee.app.lying_down import lifted_before
from referee.app.order_told import Order, is_overtaken
from referee.app.other_hand import carried_meanwhile
from referee.app.plainly import (
    MOST_CONF,
    hangs_on_a_black_suit,
    is_not_there,
    is_plain,
    is_wrong_on_any,
    is_wrong_whatever_lies_there,
    may_be_from_another,
    may_be_turned,
    reread,
    zones_that_matter,
)
from referee.app.sitting import Sitting
from referee.app.still_open import StillOpen
from referee.app.undealt import Undealt
from referee.app.unspoken import is_otherwise_wrong, said_before
from referee.app.whence import Whence
from referee.rulebook import Table
from referee.rulebook.asking import VOUCHED, is_unsure
from referee.table.crossing import crosses
from referee.table.found import NOWHERE_ELSE
from referee.table.habits import habits_of, is_in_hands, owner_of
from referee.table.shown import Shown
from referee.values import (
    CardPlaced,
    CardTurned,
    Declared,
    Event,
    HandOn,
    PadHit,
    PileMoved,
    PileTaken,
    Ruling,
    TablePlan,
    card_zones,
)

# A hand that laid a card has left it, and the tracker sees what lies there, within that time.
WAIT_NS = 900_000_000
# A hand that slapped a pile leaves it within that time.
HIDES_NS = 1_000_000_000
# A fault that was asked about is put right, or gone on with, within that time.
ASKED_NS = 5_000_000_000
HITS = (PadHit, HandOn)
OF_CARDS = (CardPlaced, CardTurned, PileMoved, PileTaken)

Doubts = Callable[[Event], bool]


class Deciding:
    """Feeds events to a sitting, as sure as they may be judged. Used by one thread."""

    def __init__(
        self, plan: TablePlan, census_rule: str, shown: Callable[[], Shown], doubts: Doubts
    ) -> None:
        """Take how to look at the table, and what tells that an event was seen badly.

        `census_rule` is the full id of the game's rule that asks about contradictions.
        """
        self._habits, self._census_rule = habits_of(plan), census_rule
        self._seats = tuple(place.seat for place in plan.seats)
        self._shown, self._doubts = shown, doubts
        self._glances = Glances(shown)
        self._open = StillOpen(self._habits, shown, self._glances)
        self._held = HeldOver(self._habits, self._glances)
        self._undealt, self._whence = Undealt(self._habits), Whence(self._habits)
        self._waiting: deque[Event] = deque()
        # Zones about which the camera erred before, or of which it did not see how cards lie.
        self.doubtful: frozenset[str] = frozenset()
        # The game was found in play, so that where it stands is only presumed; until an act was
        # ruled right that fits nowhere else, or a card fits.
        self.presumed = False
        # Nobody told what lies where: all cards are known by sight.
        self.by_sight = False
        # Whose act alone told where it stands: if he erred, the other one seems to; until that one
        # plays on in order.
        self._by_word_of: str | None = None
        # Something in this hand was asked about.
        self._asked = False
        # When something was last asked about by a rule.
        self._asked_ns: dict[str, int] = {}
        # Somebody told the referee something: then what is not told was not said.
        self._heard = False
        # Unsure events with the cards that they brought or laid bare, which were looked at again.
        self._confirmed: set[tuple[int, int]] = set()
        # Unsure events of which no look at the table tells from whose hand their card came.
        self._nobodys: set[int] = set()
        # When those events happened.
        self._unsure_ns: dict[int, int] = {}
        # Who took a card unsurely out of one of his piles of backs: how many are left is in doubt.
        self._uncounted: frozenset[str | None] = frozenset()
        self._hidden = HiddenActs(self._habits)
        self._order = Order(self._seats, shared=self._habits.shares_one_deck)
        # A hand ended by an event that is not sure.
        self._ended_unsurely = False

    def leave(self, told: Iterable[Event]) -> None:
        """Take in which hands left a place, of what a frame tells."""
        self._held.leave(told)

    def take(
        self, sitting: Sitting, now_ns: int, due: Iterable[Event], coming: tuple[Event, ...] = ()
    ) -> None:
        """Judge the events that are due; `coming` were told already and are due later."""
        self._glances.look(now_ns)
        if self._habits.shares_one_deck:
            self._hidden.look(now_ns, self._shown())
        # What had to wait is judged after what was told of meanwhile and came before it.
        self._waiting = deque(sorted((*self._waiting, *due), key=lambda one: one.t_ns))
        self._look_again(sitting, now_ns, (*self._waiting, *coming))
        while self._waiting:
            later = (*tuple(self._waiting)[1:], *coming)
            laid = self._held.laid(self._waiting[0], later, now_ns)
            if laid is Laid.NOT_YET:
                return
            if laid is Laid.NO:
                self._waiting.popleft()
                continue
            self._undealt.look(sitting.state)
            event = as_it_lies(sitting.state, self._waiting[0], self._habits)
            self._feed_before(sitting, event, later)
            told = self._as_judged(sitting, event, later, now_ns)
            if told is None:
                return
            self._waiting.popleft()
            lifted = lifted_before(sitting.state.table, told, self._glances, self._habits)
            if lifted is not None:
                sitting.feed(lifted)
            self._note(sitting, told, sitting.feed(told))
            if is_unsure(told):
                self._unsure_ns[sitting.state.n] = told.t_ns
                self._whence.note(sitting.state.table, told)
                self._uncounted |= {owner_of(one) for one in self._drawn_from(told)}
                if told.actor.seat is None and any(map(is_in_hands, card_zones(told))):
                    self._nobodys.add(sitting.state.n)

    @property
    def _deals_open(self) -> bool:
        return any(deal.singles for deal in self._habits.dealt)

    def _feed_before(self, sitting: Sitting, event: Event, later: tuple[Event, ...]) -> None:
        """Judge what must have been said, or done by another hand, before an event."""
        if not self._heard:
            said = said_before(sitting, _no_surer(event), dealt_open=self._deals_open)
            if said is not None:
                self._note(sitting, said, sitting.feed(said))
        above = carried_meanwhile(sitting.state.table, event, later, self._habits)
        if above is not None:
            sitting.feed(above)

    def _look_again(self, sitting: Sitting, now_ns: int, coming: tuple[Event, ...]) -> None:
        """Tell of cards that were told unsurely and are seen to lie where they were told.

        What an unsure act laid bare has to show for a while: the hand may not have left it yet.
        Whether what lay upon it may be gone, no look at a foundation tells.
        """
        state = sitting.state
        tops = {
            zone: one
            for zone, one in unsure_tops(state)
            if one not in self._confirmed and one[0] not in self._nobodys
        }
        if not tops:
            return
        shown, table = self._shown(), after(state.table, coming)
        for zone, (n, token) in tops.items():
            came = zone in state.arrivals and token in state.arrivals[zone].tokens
            hurries = now_ns - self._unsure_ns.get(n, now_ns) < WAIT_NS
            if not came and (hurries or self._habits.is_foundation(zone)):
                continue
            lies = table.pile(zone) == state.table.pile(zone)
            if lies and lies_on_top(table, zone, shown, self._habits):
                self._confirmed.add((n, token))
                card = state.table.face(token)
                sitting.feed(reread(state, zone, card, card))

    def close(self, sitting: Sitting, rest: Iterable[Event]) -> None:
        """Judge all that is left."""
        self.take(sitting, self._last_ns(rest := tuple(rest)), rest)

    def _last_ns(self, rest: tuple[Event, ...]) -> int:
        last_ns = max((event.t_ns for event in (*self._waiting, *rest)), default=0)
        return last_ns + HELD_NS + WAIT_NS

    def _drawn_from(self, event: Event) -> Iterator[str]:
        """Yield the pile of which a card was taken whose number no look at it tells."""
        if isinstance(event, CardPlaced) and self._habits.is_drawn(event.origin):
            yield event.origin

    def _note(self, sitting: Sitting, event: Event, rulings: tuple[Ruling, ...]) -> None:
        self._heard |= isinstance(event, Declared) and event.source != "camera"
        self._order.note(event)
        self._held.note(event)
        self._hidden.note(event)
        fresh = isinstance(event, Declared) and event.what == "start"
        if self.presumed and (tells_where_it_stands(rulings) or self._fits(event, rulings)):
            self.presumed, self._by_word_of = False, event.actor.seat
        elif fresh or self._plays_on(event, rulings):
            self._by_word_of = None
        self.presumed = self.presumed and not fresh
        ended = ends_unsurely(sitting.state, rulings)
        self._ended_unsurely = not fresh and (self._ended_unsurely or ended)
        self._uncounted = frozenset() if fresh else self._uncounted
        asked = {r.rule for r in rulings if r.kind == "QUERY"}
        self._asked = not fresh and (self._asked or bool(asked))
        self._asked_ns |= dict.fromkeys(asked, event.t_ns)
        # A contradiction: what was told of these places before, or now, was misseen.
        if any(r.kind == "QUERY" and r.rule == self._census_rule for r in rulings):
            self.doubtful = self.doubtful.union(card_zones(event))

    def _fits(self, event: Event, rulings: tuple[Ruling, ...]) -> bool:
        """Whether a card fits onto a common pile where nobody waits for his turn: play is on."""
        plays = isinstance(event, CardPlaced) and owner_of(event.target) is None
        wrong = kinds_of(rulings) & {"VIOLATION", "QUERY"}
        return plays and not self._habits.in_turns and not wrong

    def _plays_on(self, event: Event, rulings: tuple[Ruling, ...]) -> bool:
        """Whether the other player acts as if the game stood where the one's act told it to."""
        other = event.actor.seat not in (None, self._by_word_of)
        return other and bool(card_zones(event)) and not kinds_of(rulings) & {"VIOLATION", "QUERY"}

    def _as_judged(
        self, sitting: Sitting, event: Event, later: tuple[Event, ...], now_ns: int
    ) -> Event | None:
        """Return the event as sure as it may be judged, None where it has to wait."""
        event, doubtful = _no_surer(event), self.doubtful
        if is_wrong_whatever_lies_there(sitting, event):
            event = replace(event, conf=NOWHERE_ELSE)
            doubtful -= {*card_zones(event)[1:]}
        told = cautious(event, self._seats, doubtful, asked=self._asked)
        if self._hidden.seems_shown(event):
            told = less_sure(told)
        doubted = self._doubted(sitting, event, told, later)
        if doubted is not None:
            return doubted
        state, rulings = foreseen(sitting, told)
        of_the_deal = is_of_the_deal(sitting, event, rulings)
        still_deals = of_the_deal or self._undealt.concerns(event)
        if still_deals or self._rests_on_silence(sitting, event, rulings):
            return unsure(told)
        if isinstance(event, HITS):
            return self._hit(sitting, event, told, after(state.table, later), now_ns)
        kinds = kinds_on(rulings, state.n)
        if "VIOLATION" in kinds:
            ended = ends_unsurely(state, rulings) or self._order.is_open(event, later)
            broken = {r.rule for r in rulings if r.kind == "VIOLATION" and r.n == state.n}
            asked = self._was_just_asked(sitting, event, broken)
            if ended or asked or self._rests_on_more(sitting, event, told, later):
                return unsure(told)
            return self._accusing(sitting, event, told, state.table, later, now_ns)
        if "QUERY" not in kinds or told.actor != event.actor:
            # That all lies as it was told does not tell whose hand it was.
            return told
        return self._asking(sitting, event, told, later, now_ns)

    def _was_just_asked(self, sitting: Sitting, event: Event, broken: set[str]) -> bool:
        """Whether another act of who owes something was asked about by a rule that this one breaks.

        A moment ago: whether he had put it right was not seen then, nor is it now.
        """
        if all(debt.seat != event.actor.seat for debt in sitting.state.debts):
            return False
        asked_ns = (self._asked_ns[rule] for rule in broken & self._asked_ns.keys())
        return any(event.t_ns - t_ns < ASKED_NS for t_ns in asked_ns)

    def _rests_on_more(
        self, sitting: Sitting, event: Event, told: Event, later: tuple[Event, ...]
    ) -> bool:
        """Whether a fault rests on more than was seen of it."""
        if self._ended_unsurely or self._hidden.come_before(event, later):
            return True
        if self.by_sight and hangs_on_a_black_suit(sitting, event):
            return True
        whence = self._whence.is_doubted(sitting.state.table, event)
        return whence or hangs_on_its_time(sitting, told)

    def _doubted(
        self, sitting: Sitting, event: Event, told: Event, later: tuple[Event, ...]
    ) -> Event | None:
        """Return an event that is doubted for what was going on when it happened, else None."""
        if self._doubts(event):
            words = isinstance(event, (*HITS, Declared))
            if words and is_held_against(sitting, sitting.foresee_late(told)):
                # A pad feels a hand, and not which card it answers; nor is a word seen.
                return less_sure(told)
            if event.source == "camera":
                return unsure(told)
        lies_bare = isinstance(event, Declared) and self._lies_bare(sitting, event, later)
        return unsure(told) if lies_bare else None

    def _accusing(
        self,
        sitting: Sitting,
        event: Event,
        told: Event,
        table: Table,
        later: tuple[Event, ...],
        now_ns: int,
    ) -> Event | None:
        """Return an event that breaks a rule as sure as it may be judged, None where it waits."""
        lies = self._lies(sitting, event, later, now_ns)
        if lies is not Laid.YES:
            return unsure(told) if lies is Laid.NO else None
        waits = now_ns - event.t_ns < WAIT_NS
        open_ = self._open.is_open(event, self._open.of_owners(event))
        late = self._open.is_laid_out(event) or self._open.may_have_covered(event, table)
        if waits and (open_ or late):
            return None
        matter = zones_that_matter(sitting, event)
        if open_ and self._open.may_lie_below(event, matter):
            return unsure(told)
        if self._may_be_held_against(sitting, event, after(table, later), matter):
            return told
        return None if waits else unsure(told)

    def _lies(self, sitting: Sitting, event: Event, later: tuple[Event, ...], now_ns: int) -> Laid:
        """Whether a card that is to be held against somebody lies where it was told to."""
        if isinstance(event, CardPlaced) and self._held.may_be_held(event):
            if now_ns - event.t_ns < HELD_NS:
                return Laid.NOT_YET
            if event.target not in self._shown().held:
                return Laid.NO
        gone_home = self._open.may_have_gone_home(event, sitting.state)
        return Laid.NO if gone_home or self._held.is_part_of_it(event, later) else Laid.YES

    def _asking(
        self,
        sitting: Sitting,
        event: Event,
        told: Event,
        later: tuple[Event, ...],
        now_ns: int,
    ) -> Event | None:
        """Return an act that is asked about as sure as it may be judged, None where it waits."""
        if is_overtaken(event, later) or self._order.is_belated(event):
            return told
        if not self._may_be_vouched(sitting, event, later):
            return told
        bold = replace(told, conf=VOUCHED)
        state, rulings = foreseen(sitting, bold)
        kinds = kinds_of(rulings)
        if "QUERY" in kinds or is_of_the_deal(sitting, event, rulings):
            return told
        if "VIOLATION" in kinds:
            if self.by_sight and hangs_on_a_black_suit(sitting, event):
                return told
            lies = self._lies(sitting, event, later, now_ns)
            if lies is not Laid.YES:
                return told if lies is Laid.NO else None
        waits = now_ns - event.t_ns < WAIT_NS
        whole = self._vouched(sitting, event, state.table, later, self._glances.as_it_came(event))
        whole = whole and not may_be_turned(sitting, event, self._habits, self._shown())
        if isinstance(event, Declared) and "VIOLATION" in kinds:
            # What he took last may have been in his hand by then, and still seem to lie there.
            counted, shown = event.actor.seat not in self._uncounted, self._shown()
            whole = whole and counted and not waits
            whole = whole and self._vouched(sitting, event, state.table, later, shown)
        if waits and (not whole or self._open.is_laid_out(event)):
            return None
        return bold if whole else told

    def _hit(
        self, sitting: Sitting, event: PadHit | HandOn, told: Event, table: Table, now_ns: int
    ) -> Event | None:
        """Return a hit as sure as it may be judged, None where it has to wait.

        What it answers is judged later, by the cards that came before it; where nothing is seen
        that it answers, there may be such a card under the very hand.
        """
        shown, waited_ns = self._shown(), now_ns - event.t_ns
        zones = common(table, shown)
        if isinstance(event, PadHit) and self._open.is_open(event, zones):
            return None if waited_ns < WAIT_NS else less_sure(told)
        if not is_held_against(sitting, sitting.foresee_late(told)):
            return told
        if may_be_of_his_card(event, sitting.state):
            return less_sure(told)
        waits = waited_ns < HIDES_NS + WAIT_NS
        if waits and self._open.is_open(event, shown.pending):
            # A card that somebody carried by then may be what he hit at.
            return None
        if shown.unclear.isdisjoint(zones) and not differs(table, zones, shown, self._habits):
            return told
        return None if waits else less_sure(told)

    def _lies_bare(self, sitting: Sitting, event: Declared, later: tuple[Event, ...]) -> bool:
        """Whether a place of the player who calls is seen bare where cards are believed to lie.

        What is ruled of a call, now or later, rests on what he has left.
        """
        seat, shown = event.actor.seat, self._shown()
        table = after(sitting.state.table, later)
        mine = (zone for zone, pile in table.piles.items() if pile and owner_of(zone) == seat)
        return seat is not None and any(zone in shown.bare for zone in mine)

    def _rests_on_silence(
        self, sitting: Sitting, event: Event, rulings: tuple[Ruling, ...]
    ) -> bool:
        """Whether somebody would be blamed for a word unsaid, or by a rule that rests on one.

        Where nobody tells the referee any: at the table it is said aloud.
        """
        if self._heard or event.source != "camera":
            return False
        rules = sitting.game.rules
        blamed = [r.rule for r in rulings if r.kind in ("VIOLATION", "QUERY")]
        if any(rules[rule].rests_on_words for rule in blamed):
            return True
        return bool(blamed) and is_otherwise_wrong(sitting, event, dealt_open=self._deals_open)

    def _may_be_vouched(self, sitting: Sitting, event: Event, later: tuple[Event, ...]) -> bool:
        """Whether an event was seen so well that only what went before it may be in doubt.

        Where all play from one deck, in turns, what was asked about in this hand may have changed
        whose turn it is, and so may what came before the first look; the table does not tell.
        """
        guessed = self.presumed or self._by_word_of not in (None, event.actor.seat)
        if (self._asked or guessed) and self._habits.shares_one_deck:
            return False
        if self._hidden.seems_shown(event) or self._hidden.come_before(event, later):
            return False
        if isinstance(event, Declared):
            return True
        seen = isinstance(event, OF_CARDS) and event.source == "camera"
        seen = seen and not is_of_another_deck(event, self._seats)
        zones = card_zones(event)
        strays = crosses(zones, event.actor.seat, self._seats)
        if strays or self._is_off_foundation(event) or is_turned_over(event):
            # Of two like cards each lies as well where the other one was told to; and how many
            # were turned over does not show.
            return False
        seen = seen and self.doubtful.isdisjoint(card_zones(event))
        if seen and is_unsure(event) and not self._habits.shares_one_deck:
            return is_plain(sitting, event, self._glances, self._habits)
        return seen and not is_unsure(event) and not may_be_from_another(sitting, event)

    def _is_off_foundation(self, event: Event) -> bool:
        return isinstance(event, CardPlaced) and self._habits.is_foundation(event.origin)

    def _may_be_held_against(
        self, sitting: Sitting, event: Event, table: Table, matter: tuple[str, ...]
    ) -> bool:
        """Whether nothing that is seen speaks against an event, or may have come before it.

        What is not told by the camera rests on what lies in the common places; so does all that is
        played from one deck, in turns. What it tells does on the zones that `matter`.
        """
        shown = self._shown()
        nobodys = common(table, shown)
        zones = matter if event.source == "camera" else nobodys
        looked_at = (*zones, *nobodys) if self._habits.shares_one_deck else zones
        # Where all play from one deck, in turns, a card that is owed may be on its way back: no
        # matter for who was seen to handle what another player has laid out.
        strays = crosses(zones, event.actor.seat, self._seats)
        awaited = shown.pending if self._habits.shares_one_deck and not strays else zones
        if self._open.is_open(event, awaited) or differs(table, looked_at, shown, self._habits):
            return False
        between = self._open.may_lie_on_another(event, sitting.state.table)
        if between and not is_wrong_on_any(sitting, event):
            return False
        seen = event.source == "camera"
        if seen and (
            is_not_there(event, zones, table, shown, self._habits)
            or may_be_turned(sitting, event, self._habits, shown)
        ):
            return False
        met = sitting.state.table.pile(zones[-1])[-1:] if len(set(zones)) > 1 else ()
        return all(shows(table, zones[-1], one, shown, self._habits) for one in met)

    def _vouched(
        self, sitting: Sitting, event: Event, table: Table, later: tuple[Event, ...], shown: Shown
    ) -> bool | None:
        """Whether all that an event rests on lies as it was told, by what was seen at a moment."""
        zones = {*table.piles, *shown.labels, *shown.unclear}
        if not self._habits.shares_one_deck:
            mine = {owner_of(zone) for zone in card_zones(event)} | {event.actor.seat}
            near = {zone for zone in zones if owner_of(zone) in mine - {None}}
            zones = near.union(card_zones(event))
            if isinstance(event, Declared):
                # What was laid under a hand is missing where it came from.
                zones = {z for z in near if self._habits.is_drawn(z) or self._habits.is_row(z)}
        return vouched(after(table, later), zones, shown, self._habits)


def _no_surer(event: Event) -> Event:
    if event.source != "camera" or event.conf is None or event.conf <= MOST_CONF:
        return event
    return replace(event, conf=MOST_CONF)
