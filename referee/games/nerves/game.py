"""What Nerves remembers between two events, and its options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from referee.rulebook import Case, Debt, Finding, Game, Instant, Option, Setup, quick, race_options
from referee.values import Card, Ruling

PILES = ("play.A", "play.B")
MIDDLE = "mid"
SPOTS = (MIDDLE, *PILES)
HALVES = ("deck", "cut.1")
# So many arranged cards a player may take on hand.
LAST_CARDS = 3


@quick
@dataclass(frozen=True, slots=True)
class Cover:
    """The card that ended a chance to slap; `debt` sends it back where it lost the race."""

    instant: Instant
    debt: Debt


@quick
@dataclass(frozen=True, slots=True)
class Opening:
    """A chance to hit, made by event `n` at `instant` by a seat with a hand, on the pile `at`.

    `seat` is None where no player's act made it. `cover` ended it. `asked` are the seats and spots
    of hits that answer it and were only asked about. `supposed`: the act was not surely seen.
    """

    n: int
    instant: Instant
    seat: str | None
    hand: str | None
    at: str
    cover: Cover | None = None
    asked: frozenset[tuple[str, str]] = frozenset()
    supposed: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Hit:
    """A hit that is not decided yet.

    `asked`: it waits for somebody to say which hand it was. `resting`: the hand lay there before.
    `grabbed`: the pile was taken without a hit, which counts as one. `frames` are its evidence.
    """

    n: int
    instant: Instant
    seat: str
    hand: str | None
    spot: str
    asked: bool = False
    resting: bool = False
    grabbed: bool = False
    frames: str | None = None


@quick
@dataclass(frozen=True, slots=True)
class Touch:
    """A hand on a spot, or a pad hit, as one sensor told it, at `told_ns` or when it happened."""

    n: int
    instant: Instant
    seat: str | None
    hand: str | None
    spot: str
    pad: bool
    frames: str | None = None
    told_ns: int = 0

    def alone_ns(self, fuse_ns: int) -> int:
        """Return until when another sensor, or a rival as early, may still be told of.

        A camera tells of hands late, one after another.
        """
        return max(self.instant.t_ns, self.told_ns) + max(fuse_ns, 2 * self.instant.u_ns)


@quick
@dataclass(frozen=True, slots=True)
class Lost:
    """The loser of a slap takes `piles`, then turns a rest card; until then the winner waits.

    `formed`: the loser had no rest pile, the taken cards make one. `supposed`: over a top card
    that nobody read, or by a hit or card that is unsure, so that nobody is accused over it. The
    hit came at `t_ns`.
    """

    loser: str
    piles: tuple[str, ...]
    formed: bool = False
    n: int = 0
    supposed: bool = False
    t_ns: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Choice:
    """A pile that belongs to a player: a half of the deck, or a playing pile to pick up."""

    seat: str
    pile: str


@quick
@dataclass(frozen=True, slots=True)
class Taken:
    """How the cards faced, bottom to top, that were taken on hand from a column, and which."""

    zone: str
    up: tuple[bool, ...]
    cards: tuple[Card, ...]


@quick
@dataclass(frozen=True, slots=True)
class Row:
    """The row that a player lays: its number from the back, and the columns so far.

    The first `given` columns lay there before anybody watched, in an order that is not known.
    `back` are columns taken back to the hand. `broken`: it was flagged already. The last card
    was laid at `t_ns` by `hand`.
    """

    seat: str
    number: int
    columns: tuple[int, ...]
    given: int = 0
    back: tuple[int, ...] = ()
    broken: bool = False
    t_ns: int | None = None
    hand: str | None = None


@quick
@dataclass(frozen=True, slots=True)
class Memory:
    """What Nerves remembers between two events.

    `early` are hands that left before the start. `live` are the players who finished their
    arrangement, `correcting` those who put the rest pile down over a wrong one, `picking` those who
    collect their cards. `matches` are the latest chances to slap the middle, `outs` the chances to
    hit a pile after a last card; `decided` are the spots where further hits mean nothing. `hits`
    wait for their decision, `touches` for the other sensor; `pads` are the latest named pad hits,
    `resting` the hands that lie on a spot, `loners` those of them on the middle that no pad
    confirmed and no chance explains. `ripe` is the hit that is judged now, `told` are rulings on
    hits that were settled by the act judged now. `unread` are hits over cards that were not read,
    `tied` a dead heat that the operator decides. `taken` are the latest cards taken on hand from
    each column, `kept` those of them with too many arranged. `flagged` is the latest event of an
    arrangement that was flagged. `choices` say whose each playing pile is, `untaken` which of them
    were not picked up yet.
    """

    cut_by: str | None = None
    recut: bool = False
    half: Choice | None = None
    palms: frozenset[str] = frozenset()
    named: bool = False
    started: bool = False
    early: tuple[Touch, ...] = ()
    live: frozenset[str] = frozenset()
    correcting: frozenset[str] = frozenset()
    picking: frozenset[str] = frozenset()
    rows: tuple[Row, ...] = ()
    flagged: int | None = None
    matches: tuple[Opening, ...] = ()
    outs: tuple[Opening, ...] = ()
    decided: frozenset[str] = frozenset()
    hits: tuple[Hit, ...] = ()
    touches: tuple[Touch, ...] = ()
    pads: tuple[Touch, ...] = ()
    resting: tuple[Touch, ...] = ()
    loners: tuple[Touch, ...] = ()
    ripe: int | None = None
    told: tuple[Ruling, ...] = ()
    unread: tuple[Hit, ...] = ()
    tied: tuple[Hit, ...] = ()
    lost: Lost | None = None
    resumed: frozenset[str] = frozenset()
    burns: frozenset[str] = frozenset()
    choices: tuple[Choice, ...] = ()
    untaken: frozenset[str] = frozenset()
    chosen_ns: int | None = None
    taken: tuple[Taken, ...] = ()
    kept: tuple[Debt, ...] = ()
    stalled: bool = False
    stalemates: tuple[Choice, ...] = ()
    winner: str | None = None

    def row_of(self, seat: str | None) -> Row | None:
        """Return the row that a player lays."""
        return next((row for row in self.rows if row.seat == seat), None)

    def choice_of(self, seat: str | None) -> str | None:
        """Return the playing pile that a player has to pick up."""
        return next((choice.pile for choice in self.choices if choice.seat == seat), None)


OPTIONS = (
    Option("edge_always", ("no", "yes"), "every pile must lie within the table's edge"),
    Option("false_hit", ("none", "burn1", "takes_all"), "penalty of a false hit"),
    Option("freeze_on_out", ("no", "yes"), "no play between the last card and the first pile hit"),
    Option("hand_unknown", ("counts", "void"), "a hit whose hand nobody can tell"),
    Option("hit_on_mistake", ("void", "stands"), "a hit on a match that a mistaken card makes"),
    Option("mid_is", ("separate", "with_pile"), "whether the middle is a place of its own"),
    # The camera's report of a gap (ARR-10) has measured it; no other event carries a measure.
    Option(
        "mid_mm",
        ("100",),
        "width of the middle spot in millimetres, for whoever lays or watches the table",
        whole=True,
    ),
    Option("one_hand_play", ("no", "yes"), "only one hand at a time plays"),
    Option("play_on_empty", ("no", "yes"), "a card may be played on an empty playing pile"),
    Option("play_on_mistake", ("legal_top", "visible_top"), "what counts while a card is owed"),
    Option("restart_s", ("15",), "seconds until a taker is asked to turn", whole=True),
    Option("short", ("rows", "columns"), "how fewer than 15 cards are laid"),
    Option("slap_on_last", ("no", "yes"), "the last arranged card may also open a slap"),
    Option("stalemate", ("ask", "choose", "draw"), "what happens when nobody can play"),
    Option("tie", ("rehit", "operator"), "a dead heat is hit again, or decided by the operator"),
    Option("turn_down", ("yes", "no"), "arranged cards may be turned face down again"),
    Option("win_needs_no_rest", ("no", "yes"), "winning needs an empty rest pile too"),
    Option("wrap", ("no", "yes"), "king and ace are neighbours"),
    *race_options(),
)

# Rules that tell by earlier acts whether the set-up and the arrangement are finished, and whose
# turn it is to turn, wait or take.
OF_ORDER = (
    *("SET-12", "ARR-01", "ARR-06", "ARR-07", "ARR-08", "ARR-12", "ARR-13"),
    *("HIT-04", "LAST-01", "OUT-05", "OUT-06", "PILE-01"),
)

GAME: Game[Memory] = Game(
    prefix="NERVES",
    name="nerves",
    title="Nerves",
    seats=(2, 2),
    options=OPTIONS,
    phases=("CUT", "READY", "ARRANGE", "PLAY", "TAKE"),
    census_rule="REQ-03",
    groups=("P.arr", "play"),
    fresh_phases=("CUT", "READY"),
    of_order=frozenset(f"NERVES-{id}" for id in OF_ORDER),
)


def belongs(setup: Setup, card: Card) -> bool:
    """Return whether a card is one of the 52."""
    return card.is_suited and card.deck is None


GAME.belongs = belongs

Check = Callable[[Case[Memory]], Iterable[Finding]]


def rule_of_play(id: str, **words: Any) -> Callable[[Check], Check]:
    """Declare a watched rule that is asked until the game is won; see `Game.rule`."""

    def declare(check: Check) -> Check:
        @functools.wraps(check)
        def until_won(case: Case[Memory]) -> Iterable[Finding]:
            return check(case) if case.memory.winner is None else ()

        return GAME.rule(id, **words)(until_won)

    return declare
