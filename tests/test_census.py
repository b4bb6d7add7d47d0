"""The census: all rulings over every short sequence of events from one small position a game.

It says that something changed, never that it was right; the scripts say that. Each position is
lopsided (other cards, other hands for each seat), so that a change of sides cannot hide. To make
`games/census.txt` anew, and then to read what changed: `python tests/test_census.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.games import find_game, game_names
from referee.match import close, open_match, step
from referee.notation import read_matches
from referee.rulebook import Game, State
from referee.values import Event, Ruling

GOLDEN = Path(__file__).parent / "games" / "census.txt"
DEPTH = 4
HEADING = """# How often each ruling is given over all sequences of 1 to 4 events from a small
# position. Position and events stand in test_census.py, and each event may come again. At the
# end of each sequence the timers run out. Columns: count, kind, rule, player or winner.
"""

# A game's position and the events of its sequences, in any order: the time of an event is how
# long after the one before it it comes.
POSITIONS = """
match nerves A slap, a choice and plays that fit or not
  game nerves
  phase PLAY
  state
    A.arr.1 | [2C] 7H
    A.arr.2 | 8D
    B.arr.1 | 9H
    A.rest | [5C]
    B.rest | [8H 2H]
    play.A | 3C 9S
    play.B | 8S
  events
    1 0.600 CardPlaced A.R 8D A.arr.2>play.A up
    2 0.900 CardPlaced B.L 9H B.arr.1>play.B up
    3 0.300 PadHit B.R mid
    4 0.100 PadHit A.R mid
    5 0.350 PadHit B.L play.A
    6 0.600 CardPlaced A.R 7H A.arr.1>play.B up
    7 0.800 CardPlaced A.R 7H play.B>A.arr.1 up
    8 0.900 CardPlaced B.L 2H B.rest>play.B up
    9 1.000 PileMoved A.R play.A>A.rest n=2 flip under

match xix Two tricks, strikes and their decisions, a draft and a trade
  game xix
  phase TRICK
  flag lead=A
  flag strikes=1/2
  state
    A.closed | [3 12]
    A.open | 16
    B.closed | [4]
    B.open | 18
    mid | 17 5 15 6 1 13
    talon.1 | [7]
    talon.2 | 8
  events
    1 3.000 CardPlaced A.R 16 A.open>mid up
    2 2.000 CardPlaced A.R 12 A.closed>mid up
    3 3.000 CardPlaced B.L 4 B.closed>mid up
    4 2.000 CardPlaced B.L 18 B.open>mid up
    5 4.000 Declared A abandon
    6 4.000 Declared B raise
    7 3.000 CardPlaced B.L 13 mid>B.open up
    8 3.000 CardPlaced A.R 17 mid>A.open up
    9 3.000 CardPlaced A.R (7) talon.1>A.closed down

match spy Closed cards that fit or not, the deck, and calls
  game spy
  players A B C
  phase PLAY
  state
    A.stack | [A:3H]
    A.aside | A:9C
    A.deck | [A:JC A:4D]
    A.pile.1 | A:AH
    A.pile.2 | A:5S
    B.stack |
    B.aside | B:6C
    B.pile.1 | B:7H
    B.deck | [B:2D]
    C.stack | [C:KD]
    C.pile.1 | C:QS
    C.pile.2 | C:2H
  events
    1 0.900 CardPlaced A.R A:3H A.stack>A.aside up
    2 0.900 CardPlaced A.R A:3H A.stack>A.pile.5 up
    3 0.900 CardPlaced A.R A:4D A.deck>A.pile.2 up
    4 0.900 CardPlaced A.R A:9C A.aside>B.pile.1 up
    5 0.700 CardPlaced B.L B:6C B.aside>B.pile.1 up
    6 0.300 Declared B finished
    7 0.008 Declared C finished
    8 0.800 CardPlaced C.R C:KD C.stack>C.pile.1 up
    9 0.800 CardPlaced C.R C:KD C.stack>C.pile.2 up

match nerds A race for an ace pile, faults that are cured, and the call
  game nerds
  players A B C
  phase PLAY
  state
    A.nerts | A:2C
    A.work.1 | A:8S A:7D
    A.work.2 |
    A.stock | [A:9C A:TS A:JS A:QD]
    B.nerts | [B:5D]
    B.waste | B:3H B:2C
    C.nerts | [C:5D] C:3C
    F.1 | C:AC
  events
    1 0.500 CardPlaced A.R A:2C A.nerts>F.1 up
    2 0.030 CardPlaced B.L B:2C B.waste>F.1 up
    3 0.300 CardPlaced C.R C:3C C.nerts>F.1 up
    4 0.700 CardPlaced B.L B:2C F.1>B.waste up
    5 0.400 CardPlaced A.R A:7D A.work.1>A.work.2 up
    6 0.600 PileMoved A.L A.stock>A.waste n=3 flip
    7 0.600 PileMoved A.L A.stock>A.waste n=1 flip
    8 0.400 Declared A call
    9 0.500 Declared C stuck

match nertz A race for a foundation, blocks, and the call
  game nertz
  players A B C
  phase PLAY
  state
    A.nerts | A:2C
    A.work.1 | A:8S A:7D
    A.work.2 |
    A.work.3 | A:9H
    A.stock | [A:9C A:TS A:JS A:QD]
    B.nerts | [B:5D]
    B.waste | B:3H B:2C
    C.nerts | [C:5D] C:3C
    F.1 | C:AC
  events
    1 0.500 CardPlaced A.R A:2C A.nerts>F.1 up
    2 0.030 CardPlaced B.L B:2C B.waste>F.1 up
    3 0.300 CardPlaced C.R C:3C C.nerts>F.1 up
    4 0.700 CardPlaced B.L B:2C F.1>B.waste up
    5 0.400 PileMoved A.R A.work.1>A.work.3 n=2
    6 0.600 PileMoved A.L A.stock>A.waste n=3 flip
    7 0.600 PileMoved A.L A.stock>A.waste n=1 flip
    8 0.400 Declared A call
    9 0.500 Declared C stuck
"""
MATCHES = {match.game: match for match in read_matches(POSITIONS)}


def following(event: Event, now_ns: int, n: int) -> Event:
    """Return an event as it comes after the one at `now_ns`."""
    return replace(event, n=n, t_ns=now_ns + event.t_ns)


def walk(
    game: Game[Any], state: State[Any], events: tuple[Event, ...], depth: int
) -> Iterator[tuple[Ruling, ...]]:
    """Yield the rulings of the last event and of the timers, for every sequence."""
    for event in events:
        after, rulings = step(game, state, following(event, state.now_ns, state.n + 1))
        yield (*rulings, *close(game, after)[1])
        if depth > 1:
            yield from walk(game, after, events, depth - 1)


def census(name: str) -> str:
    """Return the section of a game."""
    match, game = MATCHES[name], find_game(name)
    counts: Counter[str] = Counter()
    sequences = 0
    for rulings in walk(game, open_match(match, game), match.events, DEPTH):
        sequences += 1
        counts.update(f"{r.kind:<12} {r.rule:<16} {r.winner or r.player or '-'}" for r in rulings)
    lines = (f"{count:8} {line}" for line, count in sorted(counts.items(), key=lambda c: c[0]))
    return "\n".join([f"{name}: {match.title} ({sequences} sequences)", *lines]) + "\n"


def test_every_game_has_a_position() -> None:
    assert set(MATCHES) == set(game_names())


@pytest.mark.parametrize("name", sorted(MATCHES))
def test_the_census_is_as_it_was(name: str) -> None:
    assert census(name) in GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    sections = "\n".join(census(name) for name in sorted(MATCHES))
    GOLDEN.write_text(f"{HEADING}\n{sections}", encoding="utf-8")
