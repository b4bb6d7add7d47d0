"""The rulebook's core: what a rule is, and how a match is judged by rules.

How to write a game
===================

One file (or folder) in `referee/games/` that makes one `GAME = Game(...)` and fills it while it
is imported; it is found by its folder, nothing else is edited. It has four parts.

1. The rules, in printed order. A watched rule is a function that is shown a `Case` and yields a
   `Finding` for everything wrong; its docstring is the norm::

       @GAME.rule("PLAY-03", source="Playing arranged cards", observer="C", severity="fault",
                  remedy="take the card back", by="seed", watches=(CardPlaced,),
                  moves=("arr>play", "held>play"),
                  ok="7 or 9 on 8", no="7 on 9", options=("wrap",))
       def one_apart(case: Case[Memory]) -> Iterator[Finding]:
           '''The values of the played card and of the top card differ by exactly one.'''
           below = case.before.top_card(case.moved.target)
           if is_play(case) and below and abs(case.card.rank() - below.rank()) != 1:
               yield Finding(case.seat, f"{case.card} on {below}")

   A rule asks the table and need not think about doubt: `rank()` of an unread card raises
   `Unread`, a zone out of view or never listed raises `Unseen`, and the judge turns both into
   QUERY or NOT_OBSERVED. It changes nothing. `moves` are the ways of cards that it watches, by
   `GAME.part_of` (the kind of place that a zone is); without them it is asked about all.
   Permissions, definitions, rules that nobody can see (`because=`) and decisions are
   `GAME.declare`d, so that the sheet is complete.

2. `GAME.order("REQ-03", "PLAY-05", ...)`: the order in which checks are asked (K-04). Of one act
   only the first that finds something counts; with `beside=True` a rule does not compete. One
   rule may yield several findings.

3. The memory: one frozen dataclass with what the game remembers (whose turn, an open race).
   `@quick` above `@dataclass(frozen=True, slots=True)`, and `replace` from here, make it fast.
   `GAME.open(blank)` makes it from `blank.setup` (phase, flags) and `blank.table`; it returns
   the memory, or a whole state where a flag also sets debts. `GAME.follow(case, state, verdict)`
   is called after every event, legal or not: `state` is the state after the event with the
   debts already made; it returns `Outcome(state, rulings)` with a new memory, alarms and the
   decisions (`GAME.ruling("HIT-02", "RACE", event, text, winner=...)`). `verdict.fine` says
   whether the act stands, `verdict.found` the ids found, `verdict.cured` the debt it settled.
   `state.with_alarm(due_ns, name, n)` asks for `GAME.ring(state, alarm)` once that time has
   passed without fail: at the first later event, or at the end of the match.

4. Small hooks, all optional: `belongs(setup, card)` (the deck), `prepare(state, event)` (before
   the cards are laid, for instance to clear the table for a new deal), `unfold(event)` (one
   event as several), `dealt_from(state, event)` (the zone a Dealt comes from), `cures(state,
   debt, move)` (remedies beside the exact reverse), `cured(case, debt)` (id of the INFO rule),
   `in_force(state, layout)` (whether a rule of layout is a duty now), `operator(state, declared)`
   (words of the operator that only this game knows; None for all others).

What the core does for every game
---------------------------------

- Cards are tokens on a physical `Table`; hidden and face-down cards are `??` until seen, and
  once read they are known wherever they lie. Where a card of an event lies is found by `pos=`,
  else by its face, else it is the top one (`laying.py`).
- A finding of a `fault` makes a `Debt`: the cards stay out of the legal state and count as lying
  where they came from. `state.legal(zone)`, `top`, `top_card`, `height` show the legal state,
  `state.table.pile(zone)` the physical one. Moving them back is the cure (INFO); moving them
  elsewhere is judged as a new move from `case.origin`.
- An act over an unread card is QUERY; when the card is read later (also by Reread) the last acts
  are judged again, and a ruling is made, or withdrawn, for the earlier act.
- A card outside the deck, a second copy, a count that does not fit: `census_rule`.
- `state.arrivals[zone]` is the latest legal arrival there (event, time, seat): the other card of a
  race. A lost race is not a finding: the rule stays quiet, and `follow` takes
  `state.after_lost_race(case, rule)` and gives the RACE.
- Layout, claim, operator, ViewLost, ViewBack, Timer, hands resting on zones (`state.contacts`).
- Options with the timing ones of `race_options()`; `setup.instant(event)` gives an event's time
  with its uncertainty, `finish(one, other, draw_ns=, lower=)` decides who was first; its `lead`
  and `open_between` (`open_among` for several) are the verdict in words, for the text.
"""

from __future__ import annotations

from referee.rulebook.asking import Asked, ask
from referee.rulebook.debts import Alarm, Arrival, Contact, Debt
from referee.rulebook.laying import Landing, Move, lay
from referee.rulebook.options import Option, OptionError, race_options
from referee.rulebook.piles import Lying, Pile, Table, Unseen, open_table
from referee.rulebook.quick import quick, replace
from referee.rulebook.races import Finish, Instant, finish, open_among, surely_before
from referee.rulebook.rules import Game, Rule
from referee.rulebook.setup import Setup
from referee.rulebook.state import (
    Act,
    Case,
    Finding,
    Outcome,
    State,
    Verdict,
)
from referee.values.cards import Unread

__all__ = [
    "Act",
    "Alarm",
    "Arrival",
    "Asked",
    "Case",
    "Contact",
    "Debt",
    "Finding",
    "Finish",
    "Game",
    "Instant",
    "Landing",
    "Lying",
    "Move",
    "Option",
    "OptionError",
    "Outcome",
    "Pile",
    "Rule",
    "Setup",
    "State",
    "Table",
    "Unread",
    "Unseen",
    "Verdict",
    "ask",
    "finish",
    "lay",
    "open_among",
    "open_table",
    "quick",
    "race_options",
    "replace",
    "surely_before",
]
