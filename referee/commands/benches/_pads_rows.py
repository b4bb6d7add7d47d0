"""What a bar of `referee bench pads` is, and how it is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

from referee.commands import print_json


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: what it asks, what was measured, on what, and whether it holds."""

    bar: str
    asks: str
    measured: str
    conditions: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A numbered row of bars; `measure` takes whether the full size is wanted."""

    number: int
    measure: Callable[[bool], Iterable[Bar]]


def print_bar(bar: Bar, as_json: bool) -> None:
    """Print one bar."""
    if as_json:
        print_json(asdict(bar))
        return
    verdict = "holds" if bar.holds else "FAILS"
    print(f"{bar.bar:<22} {verdict}  {bar.measured}", flush=True)
    print(f"{'':<22}        asks: {bar.asks}; {bar.conditions}", flush=True)
