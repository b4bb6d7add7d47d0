"""A card that a hand held over a pile and put back was never laid there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_deciding import NERVES_IN_PLAY, SEVEN_LIES_THERE, WAIT_NS, S, Watched

from referee.app.held_over import HELD_NS
from referee.notation import read_matches
from referee.table.shown import Shown
from referee.values import Actor, Event, HandOff

SEVEN_BACK = "CardPlaced A.R 7H play.B>A.arr.1 up src=camera conf=0.98"
HELD = frozenset({"play.B"})
OVER_THE_MIDDLE = """\
match OVER A card held over the middle and put back, then another one led
  game xix
  players A B
  phase TRICK
  flag lead=A
  state
    A.closed | [3 7 12]
    A.open | 16 14 9
    B.closed | [4 11 17]
    B.open | 1 18 6
  events
    1 3.500 CardPlaced A.R 16 A.open>mid up src=camera conf=0.98
    2 4.700 CardPlaced A.R 16 mid>A.open up carry=4.200 src=camera conf=0.98
    3 7.600 CardPlaced A.R 9 A.open>mid up src=camera conf=0.98
"""
ON_ITS_WAY = """\
match WAY A card held over a pile that it does not fit, and laid aside
  game spy
  players A B
  phase PLAY
  state
    A.deck | [A:2C A:KC]
    A.pile.3 | A:5C
    A.stack | [A:3D A:TS]
    B.deck | [B:3C B:QC]
    B.pile.1 | B:7D
  events
    1 2.750 CardPlaced A.R TS A.stack>A.pile.3 up carry=1.154 src=camera conf=0.92
    2 3.590 CardPlaced A.R TS A.pile.3>A.aside up src=camera conf=0.98
"""
OVER_A_FOUNDATION = """\
match OVER A card held over a foundation and put back
  game nertz
  players A B
  phase PLAY
  state
    A.nerts | [A:5D] A:3S
    A.work.1 | A:JC
    B.nerts | [B:5D] B:KS
    F.1 | B:AS
  events
    1 5.400 CardPlaced A.R A:3S A.nerts>F.1 up src=camera conf=0.98
"""
OVER_A_COLUMN = """\
match OVER A card held over a work pile that it does not fit, and put back
  game nertz
  players A B
  phase PLAY
  state
    A.nerts | [A:5D] A:8H
    A.work.1 | A:2C
    B.nerts | [B:5D] B:KS
  events
    1 5.400 CardPlaced A.R A:8H A.nerts>A.work.1 up src=camera conf=0.98
    2 6.300 CardPlaced A.R A:8H A.work.1>A.nerts up carry=6.000 src=camera conf=0.98
"""
OWED = """\
match OWED A rest card on the wrong pile, and then on the right one
  game nerves
  players A B
  phase PLAY
  state
    A.arr.1 | 9D
    B.arr.1 | AC
    B.rest | [KH 8S]
    play.A | 4D
    play.B | 9C
  events
    1 4.800 CardPlaced B.R 8S B.rest>play.A up src=camera conf=0.98
    2 7.200 CardPlaced B.R 8S play.A>play.B up carry=CARRY src=camera conf=0.98
"""


def _seven_goes_back(t_s: float) -> Event:
    """Return the act by which the seven goes back to its column."""
    text = NERVES_IN_PLAY.split("    1 3.000")[0] + f"    1 {t_s:.3f} {SEVEN_BACK}\n"
    return next(iter(read_matches(text))).events[0]


def _held() -> Watched:
    """Return a table on which a hand is on the seven that it brought, and nothing is ruled yet."""
    table = Watched(NERVES_IN_PLAY, SEVEN_LIES_THERE)
    table.seen = replace(table.seen, held=HELD)
    assert table.play() == []
    return table


def test_who_puts_back_what_he_held_over_a_pile_is_asked_and_not_accused() -> None:
    table = _held()
    table.seen = Shown({"play.A": ("2C",), "play.B": ("9C",), "A.arr.1": ("7H",)})
    table.deciding.take(table.sitting, 5 * S, (_seven_goes_back(4.0),))
    kinds = {ruling.kind for ruling in table.rulings}
    assert "QUERY" in kinds
    assert "VIOLATION" not in kinds


def test_a_card_that_its_hand_has_left_is_ruled_though_it_is_taken_back_at_once() -> None:
    table = _held()
    table.seen = Shown(SEVEN_LIES_THERE)
    assert table.wait(WAIT_NS)[0] == "VIOLATION"


def test_a_card_that_shows_whole_when_its_hand_has_left_it_lies_though_that_is_near() -> None:
    table = _held()
    table.deciding.leave((HandOff(n=0, t_ns=3_300_000_000, actor=Actor("A", "R"), zone="play.B"),))
    table.seen = replace(table.seen, whole_ns={"play.B": 3_200_000_000})
    assert table.wait(WAIT_NS) == []
    table.seen = replace(table.seen, whole_ns={"play.B": 3_400_000_000})
    assert table.wait(WAIT_NS) == ["VIOLATION"]


def test_a_card_held_over_a_work_pile_that_it_does_not_fit_was_not_laid() -> None:
    table = Watched(OVER_A_COLUMN, {"A.work.1": ("8H",), "A.nerts": ()})
    table.seen = replace(table.seen, held=frozenset({"A.work.1"}))
    laid, back = table.match.events
    table.deciding.take(table.sitting, laid.t_ns + S // 2, (laid,))
    assert table.events == []
    table.seen = Shown({"A.work.1": ("2C",), "A.nerts": ("8H",)})
    table.deciding.take(table.sitting, back.t_ns + S // 2, (back,))
    table.deciding.take(table.sitting, back.t_ns + 2 * S, ())
    assert table.events == []
    assert table.rulings == []


@pytest.mark.parametrize(("carry", "kind"), [("6.900", "VIOLATION"), ("6.000", "QUERY")])
def test_a_card_that_was_owed_and_away_for_long_may_have_been_put_back_first(
    carry: str, kind: str
) -> None:
    """Onto a rest pile, which shows the same back as before, and drawn from there again."""
    table = Watched(OWED.replace("CARRY", carry), {"play.A": ("4D",), "play.B": ("9C",)})
    first, second = table.match.events
    table.seen = Shown({"play.A": ("4D", "8S"), "play.B": ("9C",)})
    table.deciding.take(table.sitting, first.t_ns + S // 2, (first,))
    table.seen = Shown({"play.A": ("4D",), "play.B": ("9C", "8S")})
    table.deciding.take(table.sitting, second.t_ns + WAIT_NS, (second,))
    assert next(one.kind for one in table.rulings if one.n == 2) == kind


def test_a_card_on_which_a_hand_stays_is_ruled_when_nobody_holds_one_for_so_long() -> None:
    table = _held()
    assert table.wait(HELD_NS - 1) == []
    assert table.wait(HELD_NS) == ["VIOLATION"]


def test_a_card_that_left_unseen_with_the_hand_that_brought_it_is_asked_about() -> None:
    table = _held()
    table.seen = Shown({"play.A": ("2C",), "play.B": ("9C",)})
    assert table.wait(HELD_NS) == ["QUERY"]


@pytest.mark.parametrize("by", ["A.R", "-"], ids=["his hand is on it", "whose hand is not seen"])
def test_a_card_held_over_the_middle_was_not_led(by: str) -> None:
    """So the one that he leads then is his first."""
    text = OVER_THE_MIDDLE.replace("A.R 16", f"{by} 16")
    table = Watched(text, {"mid": ("16",), "A.open": ("14", "9")})
    table.seen = replace(table.seen, held=frozenset({"mid"} if by == "A.R" else ()))
    lead, back, led = table.match.events
    table.deciding.take(table.sitting, lead.t_ns + S // 2, (lead,))
    assert table.events == []
    table.seen = Shown({"A.open": ("14", "9", "16")})
    table.deciding.take(table.sitting, back.t_ns + S // 2, (back,))
    table.seen = Shown({"A.open": ("14", "16"), "mid": ("9",)})
    table.deciding.take(table.sitting, led.t_ns + S // 2, (led,))
    assert [replace(event, n=0) for event in table.events] == [replace(led, n=0)]
    assert {"VIOLATION", "QUERY"}.isdisjoint(ruling.kind for ruling in table.rulings)


@pytest.mark.parametrize(
    ("held", "kind"), [(True, "QUERY"), (False, "VIOLATION")], ids=["held", "laid"]
)
def test_a_card_held_over_a_pile_on_its_way_aside_is_asked_about_however_well_it_was_seen(
    *, held: bool, kind: str
) -> None:
    lies = {"A.deck": ("BACK",), "A.stack": ("BACK",), "B.deck": ("BACK",), "B.pile.1": ("7D",)}
    table = Watched(ON_ITS_WAY, {**lies, "A.pile.3": ("5C",)})
    laid, aside = table.match.events
    table.deciding.take(table.sitting, laid.t_ns - S // 10, ())
    over = Shown({**lies, "A.pile.3": ("TS",)})
    table.seen = replace(over, held=frozenset({"A.pile.3"})) if held else over
    table.deciding.take(table.sitting, laid.t_ns + S // 2, (laid,))
    table.seen = Shown({**lies, "A.pile.3": ("5C",), "A.aside": ("TS",)})
    table.deciding.take(table.sitting, aside.t_ns + S // 2, (aside,))
    table.deciding.take(table.sitting, aside.t_ns + 2 * S, ())
    assert next(one.kind for one in table.rulings if one.n == 1) == kind


@pytest.mark.parametrize(
    ("lies", "kind"), [(("AS", "3S"), "VIOLATION"), (("AS",), "QUERY")], ids=["there", "not there"]
)
def test_what_is_ruled_only_when_a_race_is_decided_is_looked_at_as_well(
    lies: tuple[str, ...], kind: str
) -> None:
    seen = {"F.1": lies, "A.nerts": ("BACK",)}
    table = Watched(OVER_A_FOUNDATION, seen)
    table.play()
    table.wait(WAIT_NS)
    table.sitting.close()
    assert kind in {ruling.kind for ruling in table.rulings}
    assert len({"VIOLATION", "QUERY"} & {ruling.kind for ruling in table.rulings}) == 1
