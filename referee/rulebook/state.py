"""What the referee remembers of a match: the table, the debts, the alarms, the game's memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from referee.rulebook.debts import Alarm, Arrival, Contact, Debt
from referee.rulebook.laying import Move
from referee.rulebook.piles import Lying, Pile, Table, Unseen
from referee.rulebook.quick import quick, replace
from referee.rulebook.setup import Setup
from referee.values import (
    Actor,
    Card,
    Event,
    Ruling,
)

M = TypeVar("M")
ALL_ZONES = "*"
# Half a deck: faces are copied at every reading, so that few forgotten ones may be among them.
MOST_GONE_CARDS = 26


@quick
@dataclass(frozen=True, slots=True)
class State(Generic[M]):
    """All that is known between two events; a pure value that can be pickled at any time.

    `table` is what lies there. The legal state is the table without the cards in `debts`, which
    count as lying where they came from. `blind` are the zones out of view. `recent` are the
    latest acts, kept so that they can be judged again when a card is read late. `arrivals` are
    the latest legal ones of each zone, for races between two cards. `regained` are the times in
    nanoseconds at which zones came back into view. `doubted` are those of the blind zones that
    are in view, but hold other cards than before, nobody knows which. `missed`: since the cards
    were last mixed there were acts that nobody saw. `unsure` are the latest events of which
    their sensor was not sure enough for an accusation; `unsurely` tells by which of them each card
    (by its token) came to lie where it does, or was laid bare, or a zone (by its name) was
    emptied. `camera`: a camera tells of the match; `vouched` are the latest events after which it
    saw the table lie as it had told.
    """

    setup: Setup
    table: Table
    memory: M
    n: int = 0
    now_ns: int = 0
    debts: tuple[Debt, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    contacts: tuple[Contact, ...] = ()
    blind: frozenset[str] = frozenset()
    recent: tuple[Act[Any], ...] = ()
    arrivals: Mapping[str, Arrival] = field(default_factory=dict)
    regained: Mapping[str, int] = field(default_factory=dict)
    doubted: frozenset[str] = frozenset()
    missed: bool = False
    unsure: tuple[int, ...] = ()
    unsurely: Mapping[int | str, int] = field(default_factory=dict)
    camera: bool = False
    vouched: tuple[int, ...] = ()

    def with_memory(self, memory: M) -> State[M]:
        """Return the state with another memory of the game."""
        if memory is self.memory:
            return self
        # One of the two hottest copies of a match: the constructor takes half of replace's time.
        return State(
            self.setup,
            self.table,
            memory,
            self.n,
            self.now_ns,
            self.debts,
            self.alarms,
            self.contacts,
            self.blind,
            self.recent,
            self.arrivals,
            self.regained,
            self.doubted,
            self.missed,
            self.unsure,
            self.unsurely,
            self.camera,
            self.vouched,
        )

    def with_debt(self, debt: Debt) -> State[M]:
        """Return the state in which more cards are owed."""
        return replace(self, debts=(*self.debts, debt))

    def with_lost(self, debt: Debt, first: int) -> State[M]:
        """Return the state in which a card that lost a race to event `first` goes back.

        Nothing is owed over an event that may not be as it was seen: who owes is held to it in
        all that he does later. Nor is it sure that the card may stay.
        """
        if debt.n in self.unsure:
            return self
        if first in self.unsure:
            return replace(self, unsure=(*self.unsure, debt.n))
        return self.with_debt(debt)

    def after_lost_race(self, case: Case[M], rule: str) -> State[M]:
        """Return the state in which the moved cards lost a race: they go back, without fault."""
        first = case.before.arrivals.get(case.moved.target)
        debt = case.owing(rule, case.seat, race=True)
        lost = self.with_lost(debt, first.n if first else debt.n)
        return replace(lost, arrivals=case.before.arrivals) if debt in lost.debts else lost

    def without_debts_of(self, seat: str | None) -> State[M]:
        """Return the state in which a seat owes nothing any more."""
        return replace(self, debts=tuple(d for d in self.debts if d.seat != seat))

    def with_flagged(self, rule: str) -> State[M]:
        """Return the state in which the latest act counts as flagged, so it may be undone."""
        return self._with_latest(lambda act: replace(act, faulty=(rule,)))

    def with_doubt(self, rule: str) -> State[M]:
        """Return the state in which it is in doubt whether the latest act may stay."""
        return self._with_latest(
            lambda act: replace(
                act, doubtful=(*act.doubtful, rule), left_open=(*act.left_open, rule)
            )
        )

    def _with_latest(self, change: Callable[[Act[M]], Act[M]]) -> State[M]:
        """Return the state with the latest act changed, if it is that of the latest event."""
        last = self.recent[-1] if self.recent else None
        if last is None or last.case.event.n != self.n:
            return self
        return replace(self, recent=(*self.recent[:-1], change(last)))

    def with_alarm(self, due_ns: int, name: str, n: int = 0) -> State[M]:
        """Return the state in which the game's `ring` is called once at or after `due_ns`."""
        return replace(self, alarms=(*self.alarms, Alarm(due_ns, name, n)))

    def without_alarm(self, name: str) -> State[M]:
        """Return the state in which no alarm of that name is pending."""
        return replace(self, alarms=tuple(a for a in self.alarms if a.name != name))

    def without_gone_cards(self) -> State[M]:
        """Return the state that has forgotten the faces of cards of earlier deals.

        A card is gone when it lies nowhere, now or in the latest acts. Faces are copied at every
        reading, so that a long match would become slower with every deal.
        """
        piles = self.table.piles
        if len(self.table.faces) - sum(map(len, piles.values())) < MOST_GONE_CARDS:
            return self
        tables = (self.table, *(act.case.table for act in self.recent))
        lying = {lying.token for table in tables for pile in table.piles.values() for lying in pile}
        gone = self.table.faces.keys() - lying
        if len(gone) < MOST_GONE_CARDS:
            return self
        return replace(self, table=self.table.without(frozenset(gone)))

    def dealt_anew(self, memory: M, table: Table) -> State[M]:
        """Return the state in which all cards are gathered for the next deal: nothing is owed.

        Nor is anything in doubt any more that lay there before.
        """
        return replace(
            self,
            memory=memory,
            table=table,
            debts=(),
            recent=(),
            arrivals={},
            unsurely={},
            alarms=(),
            blind=self.blind - self.doubted,
            regained={},
            doubted=frozenset(),
        )

    def owes(self, seat: str | None) -> bool:
        """Whether a seat owes cards."""
        return any(debt.seat == seat for debt in self.debts)

    def debt_of(self, tokens: tuple[int, ...]) -> Debt | None:
        """Return the debt that all these tokens are part of."""
        for debt in self.debts:
            if set(tokens) <= set(debt.tokens):
                return debt
        return None

    def is_owed_at(self, zone: str) -> bool:
        """Whether a card lies in a zone that must go back from there."""
        return any(debt.at == zone for debt in self.debts)

    def vouches(self, n: int) -> bool:
        """Whether it is sure that no act before event `n` was missed."""
        return not self.camera or n in self.vouched

    def hides(self, zone: str) -> bool:
        """Whether a zone is out of view."""
        return bool(self.blind) and (zone in self.blind or ALL_ZONES in self.blind)

    def in_view(self, zone: str) -> None:
        """Do nothing where a zone is in view. Unseen if it is not."""
        if self.hides(zone):
            raise Unseen(f"{zone} is out of view")

    def legal(self, zone: str) -> Pile:
        """Return what the rules accept as lying in a zone, bottom to top. Unseen if out of view."""
        self.in_view(zone)
        pile = self.table.piles.get(zone, ())
        for debt in self.debts:
            if debt.at == zone:
                owed = set(debt.tokens)
                pile = tuple(lying for lying in pile if lying.token not in owed)
            if debt.origin == zone:
                back = tuple(Lying(token, debt.was_up) for token in debt.tokens)
                pile = (*pile[: debt.height], *back, *pile[debt.height :])
        return pile

    def as_told(self) -> State[M]:
        """Return the state with all zones in view.

        What is told of an act out of view is no ground to accuse, but it is remembered: who
        forgets it would take the next act for another one than it is.
        """
        return replace(self, blind=frozenset()) if self.blind else self

    def was_hidden(self, since_ns: int, *zones: str) -> bool:
        """Whether one of these zones is out of view, or was at any time since then."""
        if not self.blind and not self.regained:
            return False
        watched = (*zones, ALL_ZONES)
        if self.blind.intersection(watched):
            return True
        return any(self.regained.get(zone, since_ns - 1) >= since_ns for zone in watched)

    def lost_sight_of(self, zone: str, *, whole: bool) -> bool:
        """Whether cards may have come to a zone, or gone, while it was out of view.

        With `whole=False`: whether its top card is in doubt, so not where one that legally came
        since then lies there. A camera that sees a zone again tells what changed there.
        """
        back_ns = self.regained.get(zone, self.regained.get(ALL_ZONES, -1))
        if back_ns < 0 or self.camera:
            return False
        last = self.arrivals.get(zone)
        if whole or last is None or last.instant.t_ns < back_ns or self.hides(zone):
            return True
        pile = self.legal(zone)
        return not pile or pile[-1].token not in last.tokens

    def without_owed(self, zone: str) -> Pile:
        """Return what lies in a zone, without owed cards that lie there. Unseen if out of view."""
        self.in_view(zone)
        owed = {token for debt in self.debts if debt.at == zone for token in debt.tokens}
        return tuple(lying for lying in self.table.pile(zone) if lying.token not in owed)

    def height(self, zone: str) -> int:
        """How many cards legally lie in a zone. Unseen if that is not known."""
        pile = self.legal(zone)
        if not self.table.knows(zone):
            raise Unseen(f"it is not known how many cards lie in {zone}")
        return len(pile)

    def top(self, zone: str) -> Lying | None:
        """Return the legal top card of a zone, None if it is empty. Unseen if that is not known."""
        pile = self.legal(zone)
        if not pile and not self.table.knows(zone):
            raise Unseen(f"nothing is known of {zone}")
        return pile[-1] if pile else None

    def may_be_bare(self, zone: str) -> bool:
        """Whether all that is believed to lie in a zone came there unsurely."""
        pile = self.table.pile(zone)
        return bool(pile) and all(lying.token in self.unsurely for lying in pile)

    def face(self, lying: Lying | int) -> Card:
        """Return the card, `??` until it is read."""
        return self.table.face(lying if isinstance(lying, int) else lying.token)

    def top_card(self, zone: str) -> Card | None:
        """Return the legal top card, `??` until it is read (up or down), None if empty."""
        top = self.top(zone)
        return None if top is None else self.face(top)

    def contact(self, actor: Actor) -> Contact | None:
        """Where a hand rests."""
        return next((c for c in self.contacts if c.actor == actor), None)


@quick
@dataclass(frozen=True, slots=True)
class Case(Generic[M]):
    """What a rule is shown: the state before the event, the event, and what it moved.

    `before` is the legal and physical state before the event, with the faces that the event
    itself made known. `table` is the physical table after it. `move` is None for events that
    move no card. `debt` is the debt that the moved cards were part of; `origin` is where they
    legally came from (for owed cards the zone they belong to), empty where no card moved.
    `setup` and `memory` are those of `before`; `seat` and `hand` acted. `moved` is `move` for
    rules that watch moves only.
    """

    before: State[M]
    event: Event
    table: Table
    move: Move | None = None
    debt: Debt | None = None

    # Rules ask for these many times an event, so they are worked out once.
    setup: Setup = field(init=False, repr=False, compare=False)
    memory: M = field(init=False, repr=False, compare=False)
    seat: str | None = field(init=False, repr=False, compare=False)
    hand: str | None = field(init=False, repr=False, compare=False)
    origin: str = field(init=False, repr=False, compare=False)
    moved: Move = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Work out what the other fields imply."""
        made: Any = self  # while a `quick` value is made it is not frozen yet
        actor, move = self.event.actor, self.move
        made.setup = self.before.setup
        made.memory = self.before.memory
        made.seat = actor.seat
        made.hand = actor.hand
        made.moved = move
        made.origin = self.debt.origin if self.debt else move.origin if move else ""

    @property
    def was_up(self) -> bool:
        """How the topmost moved card legally faced before."""
        return self.debt.was_up if self.debt else self.moved.was_up

    @property
    def card(self) -> Card:
        """The lowest moved card: the one that meets what lay there."""
        return self.table.face(self.moved.tokens[0])

    @property
    def cards(self) -> tuple[Card, ...]:
        """All moved cards, bottom to top as they lie now."""
        return tuple(self.table.face(token) for token in self.moved.tokens)

    def owing(self, rule: str, seat: str | None, *, race: bool = False) -> Debt:
        """Return the debt that this move makes when it may not stay (`rule` with its prefix)."""
        move, old = self.moved, self.debt
        return Debt(
            n=self.event.n,
            rule=rule,
            seat=seat,
            # As they lay before: a block that was turned over is the other way round there.
            tokens=move.tokens[::-1] if move.flip else move.tokens,
            origin=old.origin if old else move.origin,
            height=old.height if old else move.height,
            was_up=old.was_up if old else move.was_up,
            at=move.target,
            race=race,
            t_ns=self.event.t_ns,
        )


@quick
@dataclass(frozen=True, slots=True)
class Act(Generic[M]):
    """An act that was judged: the case, and the rules that found it faulty or could not tell.

    `known_n` is the event at which it was judged again, as a card was read that was not known.
    `left_open` are those of the doubtful ones that no card tells which is read later.
    """

    case: Case[M]
    faulty: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    known_n: int | None = None
    left_open: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found wrong: who is accused (None: nobody) and why, in one short sentence.

    `owes`: the moved cards must go back and stay out of the legal state; None follows the rule's
    severity (a `fault` owes, everything else does not). `rests_on` are zones apart from those of
    the act: nobody is accused where one of them may have changed out of view; nor where the act
    before this one, on which it rests, was not `surely` seen.
    """

    seat: str | None
    text: str
    owes: bool | None = None
    rests_on: tuple[str, ...] = ()
    surely: bool = True


@quick
@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of judging one event: findings by rule, and rules that could not tell.

    `cured` is the debt that the event settled.
    """

    found: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    cured: Debt | None = None

    @property
    def fine(self) -> bool:
        """Whether the act stands: nothing was found, and it is not a cure."""
        return not self.found and self.cured is None


@quick
@dataclass(frozen=True, slots=True)
class Outcome(Generic[M]):
    """A state and the rulings that led to it."""

    state: State[M]
    rulings: tuple[Ruling, ...] = field(default=())
