"""What XIX remembers, its options, and the places that its rules speak of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from referee.rulebook import (
    Case,
    Debt,
    Game,
    Option,
    Pile,
    Setup,
    State,
    Unseen,
    quick,
    race_options,
    replace,
)
from referee.values import Card, Event, Ruling

MIDDLE = "mid"
UNUSED = "unused"
DECK = "deck"
TALON = tuple(f"talon.{place}" for place in range(1, 6))
HANDS = ("closed", "open", "held")
THIRD_STRIKE = 3

Stage = Literal["deal", "lead", "reply", "draft", "trade", "over", "lost"]
Pair = tuple[int, int]


@quick
@dataclass(frozen=True, slots=True)
class Trick:
    """Both cards of a trick: their tokens, who led and who replied, and the reply's event."""

    event: Event
    lead: int
    reply: int
    leader: str
    replier: str


@quick
@dataclass(frozen=True, slots=True)
class Decided:
    """The latest trick while nothing has followed it yet, and what was remembered before it."""

    trick: Trick
    loser: str
    before: Memory


@quick
@dataclass(frozen=True, slots=True)
class Given:
    """The hand card that the loser of an exchange laid on a talon position."""

    zone: str
    token: int
    debt: Debt


@quick
@dataclass(frozen=True, slots=True)
class Held:
    """A fault of order that is told when no other card can have come first any more.

    `stands`: the act counts at once, only the ruling waits. `patient`: a reply to a card that was
    led face down; it waits until that one is turned up.
    """

    case: Case[Memory]
    ruling: Ruling
    stands: bool
    patient: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Doubted:
    """An act of which nobody could tell whether it came in its turn, and the memory before it.

    `card` is the card as it was read then. `before` is None once more was played.
    """

    debt: Debt
    card: Card
    before: Memory | None


@quick
@dataclass(frozen=True, slots=True)
class Lifted:
    """A card that a player lifted against a rule: it was told, and its landing is the same act."""

    token: int
    seat: str | None
    rule: str


@quick
@dataclass(frozen=True, slots=True)
class Memory:
    """What XIX remembers between two events.

    Pairs follow the order of the seats. `leader` leads the next trick, or led the present one; None
    where nobody knows. `lead` is the led card with the place it came from. `unread` is a trick
    whose cards are not read. `due` are the seats that must abandon or raise, `unheard` one that may
    have said so already. `loser` lost the latest exchange; `struck_out` is set while his third
    strike ended it and nothing was drafted. `picks` counts the cards drafted by loser and winner.
    `taken` is the talon position that the loser took a card from. `later`: this is not the first
    exchange. `closed_n` and `closed_ns` are the event that ended the latest one, and its time.
    `opening`: no card was led in this game. `lifted` is a card whose lifting was announced.
    `standing` is an act that was announced and counts all the same, with where it may be taken back
    to. `gap`: the middle was out of view, something may have been missed; once that shows, the
    stage is `lost` until the players decide the exchange. `doubted` is the latest act, if it was
    only asked about: taken back it changes nothing. `traded_unseen` are talon positions where a
    trade was perhaps missed. `left` are the zones from which a card was not seen surely to go, and
    to which none came since. `waited`: faults of order are looked for (see `waiting`).
    """

    stage: Stage = "deal"
    strikes: Pair = (0, 0)
    scores: Pair = (0, 0)
    leader: str | None = None
    lead: Debt | None = None
    unread: Trick | None = None
    decided: Decided | None = None
    due: tuple[str, ...] = ()
    unheard: str | None = None
    loser: str | None = None
    struck_out: str | None = None
    picks: Pair = (0, 0)
    taken: str | None = None
    given: Given | None = None
    later: bool = False
    exchanges: int = 0
    closed_n: int = 0
    closed_ns: int = 0
    opening: bool = True
    misdealt: bool = False
    shuffled: bool = False
    lifted: Lifted | None = None
    standing: Debt | None = None
    held: tuple[Held, ...] = ()
    gap: bool = False
    doubted: Doubted | None = None
    traded_unseen: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    waited: bool = False

    @property
    def found(self) -> bool:
        """Whether the game was found in play and nothing was seen of it yet: who lost, who leads.

        Then it may as well be drafted or traded.
        """
        blank = self.stage == "lead" and self.leader is None and not self.opening
        return blank and not any(self.strikes)


OPTIONS = (
    Option("end_check", ("exchange", "after_trade"), "when it is tested whether the game ends"),
    Option("implicit_raise", ("yes", "no"), "the struck player's next card counts as raising"),
    Option(
        "max_exchanges", ("0",), "the game ends after so many exchanges, 0: no limit", whole=True
    ),
    Option("tie", ("draw", "extra_exchange"), "equal points at the end of the game"),
    Option("trade_from", ("open", "any"), "the hand that the card traded to the talon comes from"),
    *race_options(),
)

# Rules that tell one act of an exchange from another by what lay in the middle before.
OF_EXCHANGE = (
    "TRICK-01",
    "TRICK-03",
    "NEXT-02",
    "STRIKE-02",
    "DRAFT-01",
    "DRAFT-02",
    "DRAFT-03",
    "DRAFT-04",
)

GAME: Game[Memory] = Game(
    prefix="XIX",
    name="xix",
    title="XIX",
    seats=(2, 2),
    options=OPTIONS,
    phases=("DEAL", "SETUP", "TRICK", "LEAD", "REPLY", "DECIDE", "DRAFT", "TRADE", "END"),
    census_rule="REQ-03",
    fresh_phases=("DEAL", "SETUP"),
    knows_gaps=True,
    of_order=frozenset(f"XIX-{id}" for id in (*OF_EXCHANGE, "TRADE-01", "TRADE-07")),
)


def belongs(setup: Setup, card: Card) -> bool:
    """Return whether a card is one of the numbers 1 to 18."""
    return card.deck is None and card.face.isdigit() and 1 <= int(card.face) <= 18


GAME.belongs = belongs


@lru_cache(maxsize=1024)
def part_of(zone: str) -> str:
    """Return what a zone is: closed, open, held, talon, mid, unused, deck; or its own name."""
    first, _, second = zone.partition(".")
    return second if len(first) == 1 and second else first


GAME.part_of = part_of


@lru_cache(maxsize=1024)
def seat_of(zone: str) -> str | None:
    """Return the seat that a hand belongs to, None for common zones."""
    first, _, second = zone.partition(".")
    return first if len(first) == 1 and second else None


@lru_cache(maxsize=1024)
def is_hand(zone: str) -> bool:
    """Return whether a zone is somebody's hand, closed, open or held."""
    return part_of(zone) in HANDS


@lru_cache(maxsize=1024)
def is_talon(zone: str) -> bool:
    """Return whether a zone is a position of the talon."""
    return part_of(zone) == "talon"


def player_of(case: Case[Memory]) -> str | None:
    """Return who acted: the seat named, else the owner of the hand that a card left or joined."""
    seat = case.seat
    if seat is None and case.move is not None:
        seat = seat_of(case.origin) or seat_of(case.moved.target)
    return seat if seat in case.setup.seats else None


def named(seat: str | None) -> str:
    """Return how a sentence names a player whom nobody may have seen."""
    return seat or "somebody"


def is_own_hand(case: Case[Memory], zone: str) -> bool:
    """Return whether a zone is a hand of the actor."""
    return is_hand(zone) and seat_of(zone) == player_of(case)


def opponent(setup: Setup, seat: str | None) -> str | None:
    """Return the other player, None where the seat is not known."""
    return None if seat is None else setup.others(seat)[0]


def of_seat(setup: Setup, pair: Pair, seat: str) -> int:
    """Return a seat's number of a pair."""
    return pair[setup.seats.index(seat)]


def strikes_of(state: State[Memory], seat: str) -> int:
    """Return how many strikes a seat has in this exchange."""
    return of_seat(state.setup, state.memory.strikes, seat)


def with_more(setup: Setup, pair: Pair, seat: str, more: int) -> Pair:
    """Return the pair with more for one seat."""
    first, second = pair
    return (first + more, second) if setup.seats[0] == seat else (first, second + more)


def in_view(case: Case[Memory]) -> None:
    """Raise Unseen if the middle is, or was, out of view, so that acts may have been missed."""
    case.before.legal(MIDDLE)
    if case.memory.gap:
        raise Unseen(f"{MIDDLE} was out of view")


def may_have_missed(state: State[Memory]) -> bool:
    """Return whether cards of this exchange may have come to the middle, or gone, out of view.

    A camera that sees the middle again tells what changed there.
    """
    hidden = not state.camera and state.was_hidden(state.memory.closed_ns, MIDDLE)
    return hidden or state.memory.gap


def exchange_in_view(case: Case[Memory]) -> None:
    """Raise Unseen if a whole trick, or two cards of the draft, may have been missed."""
    in_view(case)
    if may_have_missed(case.before):
        raise Unseen(f"{MIDDLE} was out of view")


def with_talon_in_doubt(state: State[Memory]) -> State[Memory]:
    """Return the state in which a trade was perhaps missed, as what follows does not fit."""
    hidden = {zone for zone in TALON if state.lost_sight_of(zone, whole=True)}
    memory = replace(state.memory, traded_unseen=state.memory.traded_unseen | hidden)
    return state.with_memory(memory)


def accepted(state: State[Memory], zone: str) -> Pile:
    """Return what legally lies in a zone, also where it is out of view just now."""
    return state.as_told().legal(zone)


def covered(
    state: State[Memory], skipped: Collection[int] = (), *, also_owed: bool = False
) -> tuple[str, ...]:
    """Return the talon positions where a card lies face down, apart from some cards.

    `also_owed`: those count that are owed to the talon and lie elsewhere. Unseen if none is seen
    to and a position is out of view.
    """
    found: list[str] = []
    hidden: Unseen | None = None
    for zone in TALON:
        try:
            pile = state.legal(zone)
        except Unseen as reason:
            hidden = reason
            continue
        there = {lying.token for lying in state.table.pile(zone)} - set(skipped)
        if any(not lying.up and (also_owed or lying.token in there) for lying in pile):
            found.append(zone)
    if hidden is not None and not found:
        raise hidden
    return tuple(found)


def is_middle_bare(state: State[Memory]) -> bool:
    """Return whether it is known that no card lies in the middle."""
    return state.table.knows(MIDDLE) and not state.table.pile(MIDDLE)


def cards_left(state: State[Memory]) -> bool:
    """Return whether cards are still to be drafted.

    A card that was taken against the rules and is still away cannot be chosen any more.
    """
    if not state.debts:
        return not is_middle_bare(state)
    there = {lying.token for lying in state.table.pile(MIDDLE)}
    left = any(lying.token in there for lying in accepted(state, MIDDLE))
    return left or not state.table.knows(MIDDLE)


def stage_of(state: State[Memory]) -> Stage:
    """Return the stage; the draft becomes the trade when the middle is empty."""
    stage = state.memory.stage
    if stage == "draft":
        return "draft" if cards_left(state) else "trade"
    return stage


def winner_of(state: State[Memory]) -> str | None:
    """Return who won the latest exchange."""
    return opponent(state.setup, state.memory.loser)


def next_picker(state: State[Memory]) -> str | None:
    """Return whose turn it is in the draft; None where nobody knows."""
    by_loser, by_winner = state.memory.picks
    return state.memory.loser if by_loser <= by_winner else winner_of(state)


def is_put_back(case: Case[Memory]) -> bool:
    """Return whether a card comes to rest where it legally lay."""
    return case.origin == case.moved.target


def is_taken_back(case: Case[Memory]) -> bool:
    """Return whether an act that was announced and counts is undone by its exact reverse."""
    act = case.memory.standing
    if act is None or case.move is None:
        return False
    return case.move.tokens == act.tokens and case.move.target == act.origin


def is_play(case: Case[Memory]) -> bool:
    """Return whether cards come into the middle from elsewhere."""
    return case.moved.target == MIDDLE and case.origin != MIDDLE


def is_pick(case: Case[Memory]) -> bool:
    """Return whether cards go from the middle to a hand."""
    return case.origin == MIDDLE and is_hand(case.moved.target)


def is_take(case: Case[Memory]) -> bool:
    """Return whether a talon card goes to a hand."""
    return is_talon(case.origin) and is_hand(case.moved.target)


def is_give(case: Case[Memory]) -> bool:
    """Return whether a hand card goes to the talon."""
    return is_hand(case.origin) and is_talon(case.moved.target)


def moves_talon(case: Case[Memory]) -> bool:
    """Return whether a card comes from or to the talon."""
    if case.move is None or is_put_back(case) or case.moved.turned:
        return False
    return is_talon(case.origin) or is_talon(case.moved.target)
