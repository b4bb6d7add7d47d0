"""What Nertz remembers, its options, and the places and moves that its rules speak of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from referee.rulebook import (
    Case,
    Debt,
    Game,
    Instant,
    Option,
    Setup,
    State,
    quick,
    race_options,
    replace,
)
from referee.rulebook import surely_before as surely_before
from referee.values import Card, CardPlaced, PileMoved, Points

MOVES = (CardPlaced, PileMoved)
NERTS_CARDS = 13
DECK_CARDS = 52
WORK_PLACES = 4
FOUNDATIONS_EACH = 4
KING = 13
FOUNDATION = re.compile(r"F\.[0-9]+")


@quick
@dataclass(frozen=True, slots=True)
class Value:
    """What a card counts as: rank 1 to 13, colour, and suit (None: a joker whose suit is open)."""

    rank: int
    red: bool
    suit: str | None


@quick
@dataclass(frozen=True, slots=True)
class Standing:
    """What a joker (by its token) stands for from now on."""

    token: int
    value: Value


@quick
@dataclass(frozen=True, slots=True)
class Named:
    """A joker was declared by a seat (None: by the operator) to stand for a card."""

    joker: Card
    seat: str | None
    card: Card
    instant: Instant


@quick
@dataclass(frozen=True, slots=True)
class Landed:
    """A card that lately came to a foundation: whose, when, what it counts as (None: not read).

    `debt` is what its player owes if it turns out that another card was there first.
    """

    zone: str
    instant: Instant
    seat: str
    value: Value | None
    debt: Debt


@quick
@dataclass(frozen=True, slots=True)
class Waiting:
    """An act that is judged only when a time has passed: the case, and what it waits for.

    `what` is gap (a card above a gap on a foundation), early (a move just before the start),
    call (a call while the last nerts card is still in the air), both (two hands carry cards) or
    singly (stock cards turned one by one; `tokens` are all of them, `height` the stock before, 0
    where that is not known).
    """

    what: str
    case: Case[Memory]
    tokens: tuple[int, ...] = ()
    height: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Carry:
    """A hand carries a card since an event, or carried one until `until_ns`.

    `second`: the other hand carried one already.
    """

    seat: str
    hand: str
    instant: Instant
    until_ns: int | None = None
    second: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Memory:
    """What Nertz remembers between two events.

    `start` and `over` are the times at which the hand began and ended, `caller_n` the number of
    the event that ended it. `sure`: the time an act had to wait for has passed. `told` are the
    kinds of zone that were dealt wrongly (seat and rule), `dealt` the zones that are not counted
    at the start: they were when they were dealt, or lay there from the beginning. `aside` are
    places where completed foundations went. `asked` are cards that came to a foundation and were
    only asked about: nobody knows whether they count there. `uncounted` are the seats of which it
    was said that nobody sees how many cards they turn at a time.
    """

    hand: int = 1
    fresh: bool = True
    start: Instant | None = None
    over: Instant | None = None
    sure: bool = False
    collecting: bool = False
    counted: bool = False
    callers: tuple[str, ...] = ()
    caller_n: int = 0
    stuck: frozenset[str] = frozenset()
    rotated: bool = False
    rotating: frozenset[str] = frozenset()
    shuffled: frozenset[str] = frozenset()
    dealt: frozenset[str] = frozenset()
    told: frozenset[tuple[str, str]] = frozenset()
    missed: frozenset[str] = frozenset()
    landed: tuple[Landed, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    uncounted: frozenset[str] = frozenset()
    carries: tuple[Carry, ...] = ()
    hands: frozenset[tuple[str, str]] = frozenset()
    named: tuple[Named, ...] = ()
    stands: tuple[Standing, ...] = ()
    aside: frozenset[str] = frozenset()
    asked: frozenset[int] = frozenset()
    fines: tuple[Points, ...] = ()
    totals: tuple[Points, ...] = ()
    sorted_counts: tuple[Points, ...] = ()
    won: bool = False

    def standing(self, token: int) -> Value | None:
        """Return what a joker stands for, None while it is open."""
        return next((s.value for s in self.stands if s.token == token), None)


OPTIONS = (
    Option("call_bonus", ("0", "10"), "points for the player who called"),
    Option("draw", ("3", "1"), "how many stock cards are turned at a time"),
    Option("draw_ms", ("40",), "two cards within this time are an obvious draw", decimal=True),
    Option("end_on", ("call", "empty"), "the hand ends with the call, or with the last nerts card"),
    Option("false_call", ("none", "-2"), "points for a call with nerts cards left"),
    Option("fill", ("waste_top", "search"), "what of the reserve may fill an empty work place"),
    Option("joker_unfix", ("no", "yes"), "a joker is open again when it is uncovered"),
    Option("jokers", ("0", "2"), "jokers in each deck"),
    Option("king", ("stay", "turn"), "a completed foundation stays, or is turned over"),
    Option("one_hand", ("swap", "strict"), "whether the moving hand may be changed"),
    Option("partners", ("no", "yes"), "players who sit opposite share one deck and layout"),
    Option("penalty", ("2", "1"), "points off for each nerts card left"),
    Option("series", ("yes", "single"), "hands add up to the target, or each is a game"),
    Option("shuffler", ("own", "right"), "who shuffles a deck: its player, or his right neighbour"),
    Option("stock_hand", ("may", "must"), "whether the other hand has to hold the stock"),
    Option("stuck", ("end", "rotate"), "all are stuck: count, or first turn the stocks once"),
    Option("target", ("150", "100", "500"), "points that win a series", whole=True),
    Option("tie", ("both_stay", "photo_finish"), "an obvious draw on a foundation"),
    *race_options(draw_ms=40, contention_s="1.0"),
)

GAME: Game[Memory] = Game(
    prefix="NERTZ",
    name="nertz",
    title="Nertz",
    seats=(2, 8),
    options=OPTIONS,
    phases=("SETUP", "DEAL", "START", "PLAY", "COUNT"),
    census_rule="JOK-01",
    fresh_phases=("SETUP", "DEAL"),
    of_order=frozenset(f"NERTZ-{id}" for id in ("STOCK-01", "STOCK-03")),
    own_decks=True,
    headings=(
        ("REQ", "Players and decks"),
        ("SET", "Set-up"),
        ("START", "Start"),
        ("HAND", "Hands and moves"),
        ("WORK", "Work stacks"),
        ("FOUND", "Foundations"),
        ("PILE", "Nerts stack"),
        ("CALL", "Call"),
        ("STOCK", "Stock and waste"),
        ("STUCK", "Stuck"),
        ("SCORE", "Scoring"),
        ("JOK", "Jokers"),
        ("APP", "App sentences"),
    ),
)


def belongs(setup: Setup, card: Card) -> bool:
    """Return whether a card is of a deck of 52, or a joker where jokers are in play."""
    return card.is_suited or (card.is_joker and setup.option("jokers") != "0")


GAME.belongs = belongs


@lru_cache(maxsize=1024)
def is_foundation(zone: str) -> bool:
    """Return whether a zone is a foundation: F and a number (F.nerts is a place of seat F)."""
    return FOUNDATION.fullmatch(zone) is not None


@lru_cache(maxsize=1024)
def seat_of(zone: str) -> str:
    """Return the seat whose layout a zone belongs to, or an empty text."""
    first, dot, _ = zone.partition(".")
    return first if dot and len(first) == 1 and not is_foundation(zone) else ""


@lru_cache(maxsize=1024)
def part_of(zone: str) -> str:
    """Return what a zone is: F, or its part of a layout: nerts, work, stock, waste, ..."""
    if is_foundation(zone):
        return "F"
    return zone.partition(".")[2].partition(".")[0] if seat_of(zone) else zone


GAME.part_of = part_of


def sides(setup: Setup) -> tuple[str, ...]:
    """Return the seats that have a layout; with partners only one of two who sit opposite."""
    count = len(setup.seats)
    paired = setup.is_on("partners") and count % 2 == 0
    return setup.seats[: count // 2] if paired else setup.seats


def side_of(setup: Setup, seat: str) -> str:
    """Return the seat whose layout a player plays (his own, or his partner's)."""
    if seat not in setup.seats or not setup.is_on("partners"):
        return seat
    mine = sides(setup)
    return mine[setup.seats.index(seat) % len(mine)]


def mover(case: Case[Memory]) -> str:
    """Return who moved: the actor, else the player of the layout that the cards come from."""
    return case.seat or seat_of(case.origin)


def nerts(seat: str) -> str:
    """Return the nerts stack of a seat."""
    return f"{seat}.nerts"


def work_places(seat: str) -> tuple[str, ...]:
    """Return the four work places of a seat."""
    return tuple(f"{seat}.work.{place}" for place in range(1, WORK_PLACES + 1))


def foundations(state: State[Memory]) -> tuple[str, ...]:
    """Return the foundations on which cards lie or lay, and where completed ones went."""
    found = (z for z in state.table.piles if is_foundation(z) or z in state.memory.aside)
    return tuple(sorted(found))


def is_over(case: Case[Memory]) -> bool:
    """Return whether the hand had ended for sure when the event happened (T-08)."""
    over = case.memory.over
    return over is not None and surely_before(over, case.setup.instant(case.event))


def in_play(case: Case[Memory]) -> bool:
    """Return whether the event belongs to the play of a hand."""
    return case.memory.start is not None and not is_over(case)


def moves(case: Case[Memory]) -> bool:
    """Return whether cards move from one place to another during play, not a deck fault."""
    if case.move is None or case.memory.start is None or case.move.turned or is_over(case):
        return False
    return case.debt is None or case.debt.seat is not None


def comes_from(case: Case[Memory], part: str) -> bool:
    """Return whether a card legally comes from such a pile; cheaper to ask than `moves`."""
    return case.move is not None and part_of(case.origin) == part


def goes_to(case: Case[Memory], part: str) -> bool:
    """Return whether a card comes to such a pile; cheaper to ask than `moves`."""
    return case.move is not None and part_of(case.moved.target) == part


def is_build(case: Case[Memory]) -> bool:
    """Return whether a card goes to a foundation, or from a pile of a layout to a work place."""
    origin, target = part_of(case.origin), part_of(case.moved.target)
    return target == "F" or (target == "work" and origin in ("nerts", "work", "waste", "F"))


def is_turning(case: Case[Memory]) -> bool:
    """Return whether stock cards go to the waste of the same layout."""
    origin, target = case.moved.origin, case.moved.target
    same = seat_of(origin) == seat_of(target)
    return same and part_of(origin) == "stock" and part_of(target) == "waste"


def is_recycling(case: Case[Memory]) -> bool:
    """Return whether waste cards go to the stock of the same layout."""
    origin, target = case.moved.origin, case.moved.target
    same = seat_of(origin) == seat_of(target)
    return same and part_of(origin) == "waste" and part_of(target) == "stock"


def empty_work(case: Case[Memory]) -> bool:
    """Return whether cards go to a work place that is legally empty. Unseen if not known."""
    target = case.moved.target
    return part_of(target) == "work" and case.before.top(target) is None


def is_covered(case: Case[Memory]) -> bool:
    """Return whether cards lay on the moved ones and stayed (cards owed from elsewhere apart)."""
    before, origin, debt = case.before, case.origin, case.debt
    before.in_view(origin)
    if debt is None:
        return case.moved.depth > 0
    owed = {token for other in before.debts if other.at == origin for token in other.tokens}
    return any(lying.token not in owed for lying in before.table.pile(origin)[debt.height :])


def with_waiting(state: State[Memory], waiting: Waiting, due_ns: int) -> State[Memory]:
    """Return the state in which an act is judged when its time has come."""
    case = waiting.case
    alone = case.before.with_memory(replace(case.memory, waiting=()))
    waiting = replace(waiting, case=replace(case, before=alone))
    memory = replace(state.memory, waiting=(*state.memory.waiting, waiting))
    return state.with_memory(memory).with_alarm(due_ns, waiting.what, waiting.case.event.n)


def without_waiting(state: State[Memory], waiting: Waiting) -> State[Memory]:
    """Return the state in which an act no longer waits."""
    left = tuple(w for w in state.memory.waiting if w is not waiting)
    return state.with_memory(replace(state.memory, waiting=left))
