"""The parts of a report, for the web page and for paper alike."""

from __future__ import annotations

from dataclasses import dataclass

from referee.record.drawing import Drawing


@dataclass(frozen=True, slots=True)
class Title:
    """The report's title, and a line above and below it."""

    above: str
    text: str
    below: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `small` ones stand above a single case."""

    text: str
    small: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; `soft` ones explain, `strong` ones say what came out."""

    text: str
    soft: bool = False
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """A rule's printed sentence under its number."""

    rule: str
    norm: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts; the columns in `numbers` stand to the right, `wide` shares of the width."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wide: tuple[int, ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing and what it shows."""

    drawing: Drawing
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Photo:
    """A frame of the evidence, JPEG, and what it shows; `drawing` lies over it."""

    jpeg: bytes
    caption: str
    drawing: Drawing | None = None


@dataclass(frozen=True, slots=True)
class Photos:
    """Frames that belong together, side by side."""

    photos: tuple[Photo, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """A long table that a page unfolds where somebody asks for it."""

    title: str
    table: Table


Block = Title | Heading | Text | Quote | Table | Plot | Photos | Fold
