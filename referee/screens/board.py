"""What the live page shows: one immutable board, and its JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from typing import Any

# The state words, in the order in which the first that applies is shown.
WORDS = ("ended", "paused", "blind", "take back", "race", "waiting", "live")


@dataclass(frozen=True, slots=True)
class Head:
    """Which match this is. `stage` is `setup` until a match is chosen, then `match`."""

    stage: str
    match: str = ""
    title: str = ""
    game: str = ""
    game_title: str = ""
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """The state word (one of WORDS), whom it concerns, and what the game waits for in words."""

    word: str
    prompt: str
    seats: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clock:
    """The match's clock: `t_ms` when this was sent; while it runs it gains `rate` ms a ms."""

    t_ms: int
    running: bool
    rate: float = 1.0


@dataclass(frozen=True, slots=True)
class Player:
    """One seat: the player's name, side of the table, points (None: the game counts none), note."""

    seat: str
    name: str
    edge: str
    score: int | None = None
    note: str = ""
    owes: int = 0


@dataclass(frozen=True, slots=True)
class ZonePlan:
    """Where a zone lies on the table (see `referee.values.Zone`), and its cards in it.

    `words` are what players call it.
    The lowest card lies at `first_x_mm`, `first_y_mm`, each further one a step on; `holds` is how
    many fit. A step of 0, 0 is a squared pile. `hands`: a spot for hands, never for cards.
    """

    x_mm: float
    y_mm: float
    angle_deg: float
    w_mm: float
    h_mm: float
    first_x_mm: float
    first_y_mm: float
    step_x_mm: float = 0.0
    step_y_mm: float = 0.0
    holds: int = 1
    hands: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The table from above: its size in millimetres and its zones by name."""

    w_mm: float
    h_mm: float
    zones: Mapping[str, ZonePlan]


@dataclass(frozen=True, slots=True)
class Owed:
    """Cards that must go back: they lie at `at`, at these indices from the bottom."""

    seat: str | None
    cards: tuple[str, ...]
    at: str
    places: tuple[int, ...]
    back_to: str
    rule: str
    race: bool


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand over the table: its working point, where its arm enters, and whose it is."""

    x_mm: float
    y_mm: float
    root_x_mm: float
    root_y_mm: float
    seat: str | None
    hand: str | None


@dataclass(frozen=True, slots=True)
class ReadShown:
    """A card read in the last picture: its label, score and corners as shares of the picture."""

    label: str
    score: float
    corners: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Camera:
    """How the table lies in the camera's picture.

    `to_picture` is a 3 x 3 matrix, row by row: it takes a place on the table (x, y in mm, 1) to its
    share of the picture (x, y, 1). A lens's barrel bends what it says by a few pixels.
    """

    to_picture: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera sees now, None of it needed by a match without a camera."""

    hands: tuple[HandShown, ...] = ()
    reads: tuple[ReadShown, ...] = ()
    picture_n: int = 0


@dataclass(frozen=True, slots=True)
class RulingShown:
    """One ruling as people read it.

    `id` is unique in the match and never given twice. `tone` is fault, race, score, end, query,
    unseen, info or cured. `loud` rulings get a banner and a sound. `rule_text` is the printed
    sentence of the rule. `state` is open once somebody disputed it, then confirmed, withdrawn or
    changed.
    """

    id: int
    n: int
    t_ms: int
    kind: str
    tone: str
    loud: bool
    rule: str
    rule_text: str
    head: str
    text: str
    seats: tuple[str, ...] = ()
    remedy: str | None = None
    remedy_source: str | None = None
    winner: str | None = None
    margin_ms: float | None = None
    interval_ms: float | None = None
    p_first: float | None = None
    scores: Mapping[str, int] | None = None
    disputable: bool = False
    state: str = ""
    disputed_by: str | None = None


@dataclass(frozen=True, slots=True)
class ButtonShown:
    """One thing that can be declared.

    `seat` is who declares it, None for a button of everybody. `ask` says what the page asks for
    first: text, number, rule, joker or None. `due`: the game waits for it now. `open`: it means
    something now.
    """

    seat: str | None
    what: str
    words: tuple[str, ...]
    label: str
    hint: str = ""
    ask: str | None = None
    due: bool = False
    open: bool = True
    big: bool = False


@dataclass(frozen=True, slots=True)
class RuleShown:
    """A rule as it is offered for a claim."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class BoardState:
    """All that the page shows of a match. `cards` are card words by zone, bottom to top.

    A card word is `7H`, `A:7H`, `X1`, `12` or `??` for a card that lies face up, and the same in
    square brackets for one that lies face down, of which only the back is shown: `[??]`,
    `[A:??]`.
    """

    head: Head
    status: Status
    clock: Clock = Clock(0, False)
    players: tuple[Player, ...] = ()
    plan: Plan | None = None
    cards: Mapping[str, tuple[str, ...]] | None = None
    owed: tuple[Owed, ...] = ()
    blind: tuple[str, ...] = ()
    seen: Seen = Seen()
    camera: Camera | None = None
    rulings: tuple[RulingShown, ...] = ()
    buttons: tuple[ButtonShown, ...] = ()
    rules: tuple[RuleShown, ...] = ()
    marks: tuple[str, ...] = ()


def plain(value: Any) -> Any:
    """Return a value as JSON holds it: what is None is left out of its object."""
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((name, getattr(value, name)) for name in _names(value.__class__))
        return {name: plain(inner) for name, inner in pairs if inner is not None}
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple):
        return [plain(inner) for inner in value]
    return value


@lru_cache(maxsize=64)
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def changed_sections(old: BoardState | None, new: BoardState) -> dict[str, Any]:
    """Return the sections of the new board that are not those of the old one, as JSON holds them.

    A section that is gone is None. Sections are compared as values, the same object first.
    """
    found = {}
    for name in _names(BoardState):
        now = getattr(new, name)
        before = None if old is None else getattr(old, name)
        if now is before or (old is not None and now == before):
            continue
        found[name] = plain(now)
    return found
