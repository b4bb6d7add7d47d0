"""What hands do at the table, one value for each act that a script's events ask for."""

from __future__ import annotations

from dataclasses import dataclass


class ScriptError(Exception):
    """A script that cannot be rendered; the message is one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical card: its true face and the number of its deck."""

    face: str
    deck: int


@dataclass(frozen=True, slots=True)
class Pile:
    """What lies in a zone, bottom to top: numbers of pieces, and whether each lies face up."""

    zone: str
    pieces: tuple[int, ...]
    up: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What event `n` asks for at `t_ns` of the script; `hand` L, R or None where not told."""

    n: int
    t_ns: int
    seat: str
    hand: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry(Act):
    """Cards go from one zone to another, or are turned where they lie (origin is target).

    `pieces` run from bottom to top as they lie afterwards, `up` says how each faces then.
    `lift_ns` is when the script lifts them (by event `lift_n`), None where it does not say.
    """

    pieces: tuple[int, ...]
    up: tuple[bool, ...]
    origin: str
    target: str
    under: bool = False
    lift_ns: int | None = None
    lift_n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Act):
    """Cards out of one packet are laid one by one in one sweep of the hand.

    Card k goes to `targets[k]` and touches down at `each_ns[k]`; `t_ns` is the first of them.
    """

    pieces: tuple[int, ...]
    up: tuple[bool, ...]
    origin: str
    targets: tuple[str, ...]
    each_ns: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch(Act):
    """A hand comes to rest on a zone at `t_ns` and leaves it at `off_ns` (None: when it likes).

    A `slap` strikes. `before` is True for a hand that lies there when the match begins.
    """

    zone: str
    slap: bool = False
    before: bool = False
    off_ns: int | None = None
    off_n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix(Act):
    """The cards of a zone are shuffled in `way`; they lie again at `t_ns`."""

    zone: str
    way: str
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Blind:
    """The camera sees nothing of `zones` (`*`: of nothing at all) from `t_ns` to `until_ns`."""

    n: int
    t_ns: int
    until_ns: int | None
    zones: tuple[str, ...]
    dark: bool


@dataclass(frozen=True, slots=True)
class Unseen:
    """Event `n` shows nothing, and why."""

    n: int
    why: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A whole script as acts, in order of the events; `start` is what lies there before.

    `last_ns` is the time of the last event, also of one that shows nothing.
    """

    pieces: tuple[Piece, ...]
    start: tuple[Pile, ...]
    acts: tuple[Act, ...]
    blinds: tuple[Blind, ...]
    unseen: tuple[Unseen, ...]
    last_ns: int = 0
