"""How a match is set up in the page: what is offered, and what was chosen."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values import Setting

Share = tuple[float, float]
"""A place in the picture: shares of its width from the left and of its height from the top."""


@dataclass(frozen=True, slots=True)
class OptionOffered:
    """A house option: its values (the first is the default) and a line that explains it.

    `free`: any other number can be typed in.
    """

    name: str
    values: tuple[str, ...]
    meaning: str
    free: bool = False


@dataclass(frozen=True, slots=True)
class GameOffered:
    """A game: for how many players, what it is in a line, and its options."""

    name: str
    title: str
    line: str
    fewest: int
    most: int
    options: tuple[OptionOffered, ...]


@dataclass(frozen=True, slots=True)
class SourceOffered:
    """A camera, or anything else that gives pictures, with its address and what people call it."""

    address: str
    label: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of getting the table ready: `state` is open, doing, done or wrong."""

    name: str
    label: str
    state: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class PadShown:
    """A touch pad: where it lies, whether it answers, and its last hit in words."""

    spot: str
    state: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and the name of who sits there, empty where nobody gave one."""

    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class Setup:
    """What was chosen: the game, who plays, the options that differ, the camera and the pads.

    `corners` are the table's four, as shares of the picture, where no marker shows where it lies:
    round it from the one at player A's left hand.
    """

    game: str
    chairs: tuple[Chair, ...]
    options: tuple[Setting, ...] = ()
    source: str = ""
    pads: str = "auto"
    corners: tuple[Share, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in the order in which they sit, clockwise."""
        return tuple(chair.seat for chair in self.chairs)


@dataclass(frozen=True, slots=True)
class MatSeen:
    """The mat that the camera sees: its game, and for how many players."""

    game: str
    players: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A spot of the table in the camera's picture: its corners as shares of the picture."""

    zone: str
    corners: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class SetupOffer:
    """All that the set-up page shows; `chosen` is what it begins with, `problem` what is wrong.

    `spots` are where the table was found to lie in the picture.
    """

    games: tuple[GameOffered, ...]
    sources: tuple[SourceOffered, ...] = ()
    steps: tuple[Step, ...] = ()
    pads: tuple[PadShown, ...] = ()
    chosen: Setup | None = None
    first_run: bool = False
    problem: str | None = None
    picture: bool = False
    mat: MatSeen | None = None
    spots: tuple[Outline, ...] = ()
