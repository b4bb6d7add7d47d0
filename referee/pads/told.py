"""What the talk with a board tells: touches, edges, heartbeats, and when it was blind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.pads.clock import Stamp
from referee.pads.protocol import ConfigTaken, Hit, Ident, Lit, Stat, Tested, Wave

LinkState = Literal["LIVE", "STALE", "BLIND", "WRONG FIRMWARE"]


@dataclass(frozen=True, slots=True)
class Felt:
    """A pad felt something. `seq` is extended over wraps, `ticks` to 64 bits.

    `stamp` is None where the board's clock was not known yet.
    """

    hit: Hit
    seq: int
    ticks: int
    stamp: Stamp | None
    arrived_ns: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A falling edge on the sync wire."""

    ticks: int
    count: int
    master: bool
    stamp: Stamp | None


@dataclass(frozen=True, slots=True)
class Linked:
    """The state of the link changed; `why` is one line and what to do, empty for LIVE."""

    state: LinkState
    t_ns: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Blinded:
    """From `since_ns` on touches may have been missed."""

    since_ns: int
    why: str


@dataclass(frozen=True, slots=True)
class Sighted:
    """Touches are felt again from `t_ns` on; they may have been missed since `since_ns`."""

    since_ns: int
    t_ns: int
    why: str


@dataclass(frozen=True, slots=True)
class Greeted:
    """The board said who it is, at the beginning and after each of its restarts."""

    ident: Ident


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """How the board and its pads are."""

    stat: Stat
    arrived_ns: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a setting or a test, a wave, or a change of the LED with its time."""

    word: ConfigTaken | Tested | Wave | Lit
    stamp: Stamp | None = None


Told = Felt | Edge | Linked | Blinded | Sighted | Greeted | Heartbeat | Answer
