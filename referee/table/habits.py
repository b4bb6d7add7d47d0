"""What the games' printed rules say about where cards come from when nobody saw them leave.

A card that shows its face for the first time came from a pile of backs or from a hand. Which one
is told first by the hands and by what moved, and where that leaves a choice, by this table. It
never tells who acted or what was allowed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache

from referee.values import TablePlan

WHOLE = 0
NEVER = 99
"""More players than any table seats: they never have decks of their own."""
HALF_A_DECK = 26
"""Nobody can count a cut from above; half is what the players mean."""
COLUMN_MM = 130.0
"""From the first to the last card of a column of five or six."""
# A table has some hundred zones; of each a dozen things are asked in every frame.
MOST_ASKED = 4096


@dataclass(frozen=True, slots=True)
class Source:
    """Cards come to `target` from `origin`; `{P}` is the owner of the zone `target`.

    `block`: so many come at once, WHOLE for all that are there; `flip`: turned over.
    """

    target: str
    origin: str
    block: int = 1
    flip: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """What lies before a player after the deal: piles with their heights, and single cards.

    `fewest` and `most` are the numbers of players for which it is so.
    """

    heights: tuple[tuple[str, int], ...]
    singles: tuple[str, ...]
    fewest: int
    most: int

    def players(self, count: int) -> bool:
        """Whether so many players are dealt so."""
        return self.fewest <= count <= self.most

    def zones(self) -> set[str]:
        """Return the names of all piles, without their owner."""
        return {*(name for name, _ in self.heights), *self.singles}

    def cards(self) -> int:
        """Return how many cards a player has."""
        return sum(height for _, height in self.heights) + len(self.singles)


@dataclass(frozen=True, slots=True)
class Habits:
    """How cards lie and move in one game.

    `hidden` are the sources of cards that were not seen before, the likeliest first. `turned`
    are zones whose cards are turned in place. `returns`: a face-up block that vanishes comes to
    lie face down in one of those zones. `single` are zones in which a card never hides another,
    `rows` those in which cards lie side by side, none on top of another.
    `drawn` are piles whose top card is often taken, so that the one below shows.
    `under`: a face-up block is put under the backs of one of those zones. `singly`:
    cards that are turned over by blocks may be turned one by one as well. `first_turned`: from
    these piles a card is played after it was turned up there. `columns`: piles spread so that each
    card is laid a step on from the one below it, of which only the top one shows its face.
    `for_one`: places for one card, onto which another is laid only to be swapped for it.
    `held` is where cards in hands count as lying, None where the game has no such zone.
    `own_decks`: every player has a deck of his own from so many players on. `decks`: piles that
    hold all that is set up from them, each laid on the table before. `dealt_from`: what comes from
    there is told as dealt, `into_hands` cards to each player first, where they are not seen.
    `mixed`: where decks are shuffled before the deal. `laid_of`: where cards are laid only of
    a pile that was taken up into the hand. `in_turns`: players play one after another.
    """

    hidden: tuple[Source, ...]
    turned: tuple[str, ...]
    returns: tuple[tuple[str, str], ...]
    single: tuple[str, ...]
    rows: tuple[str, ...]
    drawn: tuple[str, ...]
    held: str | None
    own_decks_from: int
    faces: frozenset[str]
    dealt: tuple[Deal, ...] = ()
    under: tuple[tuple[str, str], ...] = ()
    singly: bool = False
    first_turned: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    for_one: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    dealt_from: tuple[str, ...] = ()
    into_hands: int = 0
    mixed: tuple[str, ...] = ()
    laid_of: tuple[tuple[str, str], ...] = ()
    in_turns: bool = False

    @property
    def shares_one_deck(self) -> bool:
        """Whether all play from one deck."""
        return self.own_decks_from == NEVER

    @property
    def hides_hands(self) -> bool:
        """Whether players hold cards that they show to nobody."""
        return self.held == "closed"

    def usual_heights(
        self, players: int, zones: Iterable[str], hidden: Iterable[str] = ()
    ) -> dict[str, int]:
        """Return how high the piles of a fresh deal are, for owners whose table looks like one.

        A fragment that begins in play presumes a right deal (catalogue, K-13). Cards lie in
        `zones`, and may in `hidden` ones.
        """
        heights: dict[str, int] = {}
        for owner in {owner_of(zone) for zone in zones} - {None}:
            mine, unseen = (
                {zone.partition(".")[2] for zone in ones if owner_of(zone) == owner}
                for ones in (zones, hidden)
            )
            for deal in self.dealt:
                if deal.players(players) and mine <= deal.zones() <= mine | unseen:
                    heights |= {f"{owner}.{name}": height for name, height in deal.heights}
        return heights

    def dealt_height(self, zone: str, players: int) -> int:
        """Return how many cards a pile of backs has that appears in a zone during the deal."""
        if zone == "deck":
            return len(self.faces)
        name = zone.partition(".")[2]
        heights = (dict(deal.heights) for deal in self.dealt if deal.players(players))
        return next((one[name] for one in heights if name in one), 1)

    def is_deck(self, zone: str) -> bool:
        """Whether a zone holds all that is set up from it."""
        return fits(zone, self.decks)

    def whole_deck(self, zone: str, players: int) -> int | None:
        """Return how many cards a deck has before anything is set up from it, None for no deck."""
        if not self.is_deck(zone):
            return None
        dealt = (deal.cards() for deal in self.dealt if deal.players(players))
        return next(dealt, len(self.faces))

    def is_mixed(self, zone: str) -> bool:
        """Whether a deck is shuffled in a zone before the deal."""
        return fits(zone, self.mixed)

    def taken_up(self, zone: str) -> str | None:
        """Return the pile that must be taken up before cards are laid in a zone, None for none."""
        return _place_of(self.laid_of, zone, None)

    def is_packet(self, zone: str) -> bool:
        """Whether a pile is taken up to be laid out; nobody counts it."""
        owner = owner_of(zone) or ""
        return any(place.replace("{P}", owner) == zone for _, place in self.laid_of)

    def is_played(self, zone: str) -> bool:
        """Whether cards are played onto a zone only once all that was taken up is laid down."""
        return bool(self.laid_of) and any(fnmatchcase(zone, one) for one, _ in self.returns)

    def dealt_onto(self, zone: str) -> str | None:
        """Return the deck from which cards are dealt into a zone, None where there is none."""
        origins = (source.origin for source in self.sources(zone))
        return next((origin for origin in origins if origin in self.dealt_from), None)

    def whole_decks(self, players: int, zones: tuple[str, ...]) -> dict[str, int]:
        """Return how high the decks are of a table on which nothing else lies."""
        heights = {zone: self.whole_deck(zone, players) for zone in zones}
        whole = {zone: height for zone, height in heights.items() if height is not None}
        return whole if len(whole) == len(zones) else {}

    def set_up_from(self, zone: str) -> str | None:
        """Return the deck from which a player's pile is set up, None where there is none."""
        owner, _, name = zone.partition(".")
        deck = f"{owner}.deck"
        laid = any(name in deal.zones() for deal in self.dealt)
        return deck if self.is_deck(deck) and deck != zone and laid else None

    def sources(self, zone: str) -> tuple[Source, ...]:
        """Return where a card that was never seen may have come from to a zone."""
        owner = owner_of(zone) or ""
        return tuple(
            replace(source, target=zone, origin=source.origin.replace("{P}", owner))
            for source in self.hidden
            if fnmatchcase(zone, source.target)
        )

    def drawn_by_blocks(self, origin: str) -> Source | None:
        """Return how cards are turned over from a pile of backs by blocks, None where singly."""
        owner = owner_of(origin) or ""
        for source in self.hidden:
            if source.flip and source.origin.replace("{P}", owner) == origin:
                return replace(source, origin=origin, target=source.target.replace("?", owner))
        return None

    def is_drawn_onto(self, zone: str) -> bool:
        """Whether cards are turned over from backs onto a zone."""
        return any(source.flip and fits(zone, (source.target,)) for source in self.hidden)

    def is_of_backs(self, zone: str) -> bool:
        """Whether cards only ever lie face down on a place: those taken from it lie open."""
        away = tuple(source.origin.replace("{P}", "?") for source in self.hidden)
        onto = tuple(source.target for source in self.hidden)
        elsewhere = is_in_hands(zone) or self.is_first_turned(zone)
        return fits(zone, away) and not fits(zone, onto) and not elsewhere

    def deck_of(self, zone: str, players: int) -> str | None:
        """Return whose deck a card is that turns up in a zone for the first time."""
        return owner_of(zone) if players >= self.own_decks_from else None

    def lays_singly(self, origin: str, zone: str) -> bool:
        """Whether cards are laid in a zone one by one from a hand, not all that it holds."""
        return all(one.block != WHOLE for one in self.sources(zone) if one.origin == origin)

    def is_put_down(self, zone: str) -> bool:
        """Whether cards come to a zone only all together."""
        sources = self.sources(zone)
        return bool(sources) and all(one.block == WHOLE for one in sources)

    def is_for_one(self, zone: str) -> bool:
        """Whether a zone is a place for one card."""
        return fits(zone, self.for_one)

    def reach_mm(self, zone: str, squared_mm: float) -> float:
        """Return how far apart cards of one pile lie, by how far they do where it is squared."""
        return COLUMN_MM if self.is_column(zone) else squared_mm

    def is_column(self, zone: str) -> bool:
        """Whether the cards of a zone are laid a step on from one another."""
        return fits(zone, self.columns)

    def is_foundation(self, zone: str) -> bool:
        """Whether a zone is a common one, of a game in which each player has a deck of his own."""
        return owner_of(zone) is None and not self.shares_one_deck

    def is_first_turned(self, zone: str) -> bool:
        """Whether a card of a zone is turned up there before it is played."""
        return fits(zone, self.first_turned)

    def is_turned(self, zone: str) -> bool:
        """Whether cards are turned in place in a zone."""
        return fits(zone, self.turned)

    def is_single(self, zone: str) -> bool:
        """Whether every card of a zone lies open to the camera."""
        return fits(zone, self.single)

    def lies_open(self, zone: str) -> bool:
        """Whether every card of a zone lies open to the camera, and not in a row."""
        return self.is_single(zone) and not self.is_row(zone)

    def turns_over(self, zone: str) -> bool:
        """Whether a card that shows its other side was turned: nobody lays another in its place."""
        return self.is_turned(zone) or self.is_row(zone)

    def is_drawn(self, zone: str) -> bool:
        """Whether the top card of a zone is often taken."""
        return fits(zone, self.drawn)

    def has_backs(self, zone: str) -> bool:
        """Whether cards usually lie face down in a zone."""
        return self.is_turned(zone) or self.is_drawn(zone)

    def is_row(self, zone: str) -> bool:
        """Whether the cards of a zone lie side by side."""
        return fits(zone, self.rows)

    def returns_to(self, zone: str, seat: str | None) -> str | None:
        """Return where a block that vanished from a zone lies face down, by the actor's seat."""
        return _place_of(self.returns, zone, seat)

    def put_under(self, zone: str, seat: str | None) -> str | None:
        """Return the pile of backs that a block of a zone is put under, by the actor's seat."""
        return _place_of(self.under, zone, seat)


@lru_cache(MOST_ASKED)
def fits(zone: str, patterns: tuple[str, ...]) -> bool:
    """Whether a zone's name fits one of some patterns of names, such as `?.work.*`."""
    return any(fnmatchcase(zone, one) for one in patterns)


def _place_of(ways: tuple[tuple[str, str], ...], zone: str, seat: str | None) -> str | None:
    for origin, target in ways:
        if fnmatchcase(zone, origin):
            place = target.replace("{P}", owner_of(zone) or "").replace("{A}", seat or "")
            return None if place.startswith(".") else place
    return None


FRENCH = frozenset(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")
NUMBERED = frozenset(str(number) for number in range(1, 19))

NERVES = Habits(
    hidden=(
        Source("play.A", "A.rest"),
        Source("play.B", "B.rest"),
        Source("play.?", "?.rest"),
        Source("play.?", "?.held"),
        Source("?.arr.*", "{P}.held"),
        Source("?.rest", "{P}.held", WHOLE),
        Source("cut.1", "deck", HALF_A_DECK),
        Source("?.pile", "deck", WHOLE),
        Source("?.pile", "cut.1", WHOLE),
    ),
    turned=("?.arr.*",),
    first_turned=("?.arr.*",),
    columns=("?.arr.*",),
    returns=(("play.?", "{A}.rest"),),
    under=(("play.?", "{A}.rest"),),
    single=(),
    rows=(),
    drawn=("?.arr.*", "?.rest"),
    held="held",
    own_decks_from=NEVER,
    faces=FRENCH,
    decks=("deck",),
    laid_of=(("?.arr.*", "{P}.pile"),),
)
XIX = Habits(
    hidden=(
        Source("mid", "?.closed"),
        Source("?.open", "{P}.closed"),
        Source("talon.?", "deck"),
        Source("talon.?", "?.closed"),
        Source("unused", "deck"),
    ),
    turned=("talon.?", "unused"),
    returns=(),
    single=("mid", "?.open", "talon.?", "unused"),
    for_one=("talon.?",),
    rows=("mid", "?.open"),
    drawn=("deck",),
    held="closed",
    own_decks_from=NEVER,
    faces=NUMBERED,
    decks=("deck",),
    dealt_from=("deck",),
    into_hands=6,
    mixed=("deck",),
    in_turns=True,
)
SQUARE = ("pile.1", "pile.2", "pile.3", "pile.4")
SPY = Habits(
    dealt=(
        Deal((("stack", 5), ("deck", 17)), SQUARE, 2, 2),
        Deal((("stack", 5), ("deck", 43)), SQUARE, 3, 8),
    ),
    hidden=(
        Source("?.pile.*", "{P}.stack"),
        Source("?.pile.*", "{P}.deck"),
        Source("?.aside", "{P}.stack"),
        Source("?.waste", "{P}.deck"),
    ),
    turned=("?.stack",),
    returns=(("?.waste", "{P}.deck"),),
    single=("?.aside",),
    rows=("?.aside",),
    drawn=("?.stack", "?.deck", "?.waste"),
    held=None,
    own_decks_from=3,
    faces=FRENCH,
    decks=("?.deck",),
    mixed=("?.deck",),
    in_turns=True,
)
WORK = ("work.1", "work.2", "work.3", "work.4")
NERTZ = Habits(
    dealt=(Deal((("nerts", 13), ("stock", 35)), WORK, 1, 8),),
    hidden=(
        Source("?.waste", "{P}.stock", 3, flip=True),
        Source("?.work.*", "{P}.nerts"),
        Source("F.[0-9]*", "?.nerts"),
        Source("F.[0-9]*", "?.waste"),
    ),
    turned=("?.nerts",),
    first_turned=("?.nerts",),
    returns=(("?.waste", "{P}.stock"),),
    single=("?.work.*",),
    rows=(),
    drawn=("?.nerts", "?.waste", "?.stock"),
    held=None,
    own_decks_from=1,
    faces=FRENCH,
)
NERDS = replace(NERTZ, singly=True)

GAMES = (("nerves", NERVES), ("xix", XIX), ("spy", SPY), ("nerds", NERDS), ("nertz", NERTZ))


def habits_of(plan: TablePlan) -> Habits:
    """Return the habits of a plan's game by the house's options.

    Raises KeyError for a game that nobody knows.
    """
    habits, agreed = dict(GAMES)[plan.game], _agreed(plan)
    if agreed.get("draw") == "1":
        habits = _one_by_one(habits)
    if agreed.get("jokers") == "2":
        habits = _with_jokers(habits, 2)
    if agreed.get("two_full_decks") == "yes":
        habits = _with_full_decks(habits)
    return habits


def _agreed(plan: TablePlan) -> dict[str, str]:
    """Return the house's options by their names without the game's."""
    return {one.name.removeprefix(f"{plan.game}."): one.value for one in plan.options}


def _one_by_one(habits: Habits) -> Habits:
    """Return the habits of players who turn over one card at a time from their stocks."""
    hidden = (replace(one, block=1, flip=False) if one.flip else one for one in habits.hidden)
    return replace(habits, hidden=tuple(hidden))


def _with_jokers(habits: Habits, count: int) -> Habits:
    """Return the habits of players in whose decks are so many jokers, all dealt to the stock."""
    jokers = frozenset(f"X{number}" for number in range(1, count + 1))
    dealt = tuple(replace(one, heights=_more(one.heights, count)) for one in habits.dealt)
    return replace(habits, faces=habits.faces | jokers, dealt=dealt)


def _more(heights: tuple[tuple[str, int], ...], count: int) -> tuple[tuple[str, int], ...]:
    """Return the heights of piles of which the last one, what is left of a deck, is higher."""
    *others, (rest, height) = heights
    return (*others, (rest, height + count))


def _with_full_decks(habits: Habits) -> Habits:
    """Return the habits of two players who have a deck each, as more of them have."""
    *_, each = habits.dealt
    return replace(habits, own_decks_from=2, dealt=(replace(each, fewest=2),))


def shares_one_deck(game: str) -> bool:
    """Whether all play from one deck, so that a card that is surely seen lies nowhere else.

    Raises KeyError for a game that nobody knows.
    """
    return dict(GAMES)[game].shares_one_deck


def owner_of(zone: str) -> str | None:
    """Return the seat that a zone belongs to, None for common ones (`F.3` is a foundation)."""
    first, _, rest = zone.partition(".")
    if first in ("play", "talon", "cut") or not rest:
        return None
    is_seat = len(first) == 1 and "A" <= first <= "Z"
    return first if is_seat and not rest.isdigit() else None


def is_in_hands(zone: str) -> bool:
    """Whether a zone's cards are held, out of the camera's sight."""
    return zone.endswith((".held", ".closed"))
