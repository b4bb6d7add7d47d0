"""Before anybody is accused: whether the table lies as the judge believes.

A camera errs, and what it tells wrongly stays in the judge's table. Where that is seen to differ
from what lies there, nobody is accused. Where all of it lies as it was told, no act was missed:
then an odd move was made indeed, and acts can be told to be out of turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from referee.app.agreeing import after, agrees, differs, vouched
from referee.app.caution import cautious, unsure
from referee.app.sitting import Sitting
from referee.rulebook import State, Table
from referee.rulebook.asking import VOUCHED, is_unsure
from referee.table.habits import habits_of, owner_of
from referee.table.shown import Shown
from referee.values import (
    Card,
    CardPlaced,
    CardTurned,
    Declared,
    Event,
    Reread,
    Ruling,
    TablePlan,
    card_zones,
)

# A hand that laid a card has left it, and the tracker sees what lies there, within that time.
WAIT_NS = 900_000_000
# No event of a camera is surer than that, unless the table was compared.
MOST_CONF = 0.999

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
        self._waiting: deque[Event] = deque()
        # Zones about which the camera erred before, or of which it did not see how cards lie.
        self.doubtful: frozenset[str] = frozenset()
        # Something in this hand was asked about.
        self._asked = False
        # Somebody told the referee something: then what is not told was not said.
        self._heard = False
        # Unsure events of which what they brought was looked at again.
        self._confirmed: set[int] = set()

    def take(
        self, sitting: Sitting, now_ns: int, due: Iterable[Event], coming: tuple[Event, ...] = ()
    ) -> None:
        """Judge the events that are due; `coming` were told already and are due later."""
        self._waiting.extend(due)
        self._look_again(sitting, (*self._waiting, *coming))
        while self._waiting:
            event = self._waiting[0]
            later = (*tuple(self._waiting)[1:], *coming)
            told = self._as_judged(sitting, event, later, now_ns)
            if told is None:
                return
            self._waiting.popleft()
            self._note(event, sitting.feed(told))

    def _look_again(self, sitting: Sitting, coming: tuple[Event, ...]) -> None:
        """Tell of cards that were told unsurely and are seen to lie where they were told."""
        state = sitting.state
        tops = self._unsure_tops(state)
        if not tops:
            return
        shown, table = self._shown(), after(state.table, coming)
        for zone, card in tops.items():
            lies = table.pile(zone) == state.table.pile(zone)
            if lies and agrees(table, zone, shown, self._habits):
                self._confirmed.add(state.arrivals[zone].n)
                sitting.feed(_read_again(state, zone, card))

    def _unsure_tops(self, state: State[Any]) -> dict[str, Card]:
        """Return the cards on top that came by an unsure event, and were not looked at since."""
        tops = {}
        for zone, arrival in state.arrivals.items():
            if arrival.n in state.unsure and arrival.n not in self._confirmed:
                pile, card = state.table.pile(zone), state.table.face(arrival.tokens[-1])
                top = pile[-1] if pile else None
                if top is not None and top.up and top.token == arrival.tokens[-1] and card.known:
                    tops[zone] = card
        return tops

    def close(self, sitting: Sitting, rest: Iterable[Event]) -> None:
        """Judge all that is left."""
        self.take(sitting, self._last_ns(rest := tuple(rest)), rest)

    def _last_ns(self, rest: tuple[Event, ...]) -> int:
        return max((event.t_ns for event in (*self._waiting, *rest)), default=0) + WAIT_NS

    def _note(self, event: Event, rulings: tuple[Ruling, ...]) -> None:
        self._heard |= isinstance(event, Declared)
        fresh = isinstance(event, Declared) and event.what == "start"
        self._asked = not fresh and (self._asked or any(r.kind == "QUERY" for r in rulings))
        # A contradiction: what was told of these places before, or now, was misseen.
        if any(r.kind == "QUERY" and r.rule == self._census_rule for r in rulings):
            self.doubtful = self.doubtful.union(card_zones(event))

    def _as_judged(
        self, sitting: Sitting, event: Event, later: tuple[Event, ...], now_ns: int
    ) -> Event | None:
        """Return the event as sure as it may be judged, None where it has to wait."""
        event = _no_surer(event)
        told = cautious(event, self._seats, self.doubtful, asked=self._asked)
        if self._doubts(event):
            return unsure(told)
        table, rulings = _foreseen(sitting, told)
        if self._rests_on_silence(sitting, event, rulings):
            return unsure(told)
        kinds = _kinds(rulings)
        waits = now_ns - event.t_ns < WAIT_NS
        if "VIOLATION" in kinds and event.source == "camera":
            if _is_overtaken(event, _of_places(event, later)):
                return unsure(told)
            if not self._differs(table, card_zones(event), later):
                return told
            return None if waits else unsure(told)
        if "QUERY" not in kinds or not self._may_be_vouched(event) or _is_overtaken(event, later):
            return told
        bold = replace(told, conf=VOUCHED)
        table, rulings = _foreseen(sitting, bold)
        if "QUERY" in _kinds(rulings):
            return told
        whole = self._vouched(sitting, event, table, later)
        if not whole and waits:
            return None
        return bold if whole else told

    def _rests_on_silence(
        self, sitting: Sitting, event: Event, rulings: tuple[Ruling, ...]
    ) -> bool:
        """Whether somebody would be blamed for a word unsaid where nobody tells the referee any.

        At the table it is said aloud.
        """
        if self._heard or event.source != "camera":
            return False
        rules = sitting.game.rules
        return any(
            r.kind in ("VIOLATION", "QUERY") and rules[r.rule].observer == "D" for r in rulings
        )

    def _may_be_vouched(self, event: Event) -> bool:
        """Whether an event was seen so well that only what went before it may be in doubt.

        Where all play from one deck, in turns, what was asked about in this hand may have changed
        whose turn it is; the table does not tell.
        """
        if self._asked and self._habits.shares_one_deck:
            return False
        if isinstance(event, Declared):
            return True
        seen = isinstance(event, CardPlaced | CardTurned) and event.source == "camera"
        return seen and not is_unsure(event) and self.doubtful.isdisjoint(card_zones(event))

    def _differs(self, table: Table, zones: Iterable[str], later: tuple[Event, ...]) -> bool:
        return differs(after(table, later), zones, self._shown(), self._habits)

    def _vouched(
        self, sitting: Sitting, event: Event, table: Table, later: tuple[Event, ...]
    ) -> bool | None:
        shown = self._shown()
        zones = {*table.piles, *shown.labels, *shown.unclear}
        if not self._habits.shares_one_deck:
            mine = {owner_of(zone) for zone in card_zones(event)} | {event.actor.seat}
            near = {zone for zone in zones if owner_of(zone) in mine - {None}}
            zones = near.union(card_zones(event))
        return vouched(after(table, later), zones, shown, self._habits)


def _foreseen(sitting: Sitting, event: Event) -> tuple[Table, tuple[Ruling, ...]]:
    """Return the judge's table after an event, and the rulings on it."""
    state, rulings = sitting.foresee(event)
    return state.table, rulings


def _kinds(rulings: Iterable[Ruling]) -> frozenset[str]:
    return frozenset(ruling.kind for ruling in rulings)


def _read_again(state: State[Any], zone: str, card: Card) -> Reread:
    return Reread(
        n=0, t_ns=state.now_ns, source="camera", conf=MOST_CONF, zone=zone, old=card, new=card
    )


def _is_overtaken(event: Event, later: Iterable[Event]) -> bool:
    """Whether what is judged later may have happened before the event, or at the same moment."""
    until_ns = event.t_ns + (event.u_ns or 0)
    return any(one.t_ns - (one.u_ns or 0) <= until_ns for one in later)


def _of_places(event: Event, later: Iterable[Event]) -> tuple[Event, ...]:
    """Return what is judged later of the same places: which of two cards came first is open."""
    return tuple(one for one in later if not set(card_zones(event)).isdisjoint(card_zones(one)))


def _no_surer(event: Event) -> Event:
    if event.source != "camera" or event.conf is None or event.conf <= MOST_CONF:
        return event
    return replace(event, conf=MOST_CONF)
