"""Nobody is accused where the table is seen to lie otherwise than the judge believes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from referee.app.agreeing import after, agrees
from referee.app.deciding import HIDES_NS, WAIT_NS, Deciding
from referee.app.sitting import Sitting
from referee.games import find_game
from referee.notation import read_matches
from referee.rulebook import Case, Finding, Table, open_table
from referee.rulebook.asking import Asked
from referee.rulebook.judging import not_certain
from referee.rulebook.laying import Move
from referee.rulebook.state import Act
from referee.table.habits import NERVES, XIX, habits_of
from referee.table.layout import plan
from referee.table.shown import Shown
from referee.values import (
    Actor,
    CardPlaced,
    Declared,
    Event,
    Match,
    PadHit,
    Ruling,
    card,
    card_zones,
)

S, MOMENT_NS = 1_000_000_000, 100_000_000
NERVES_IN_PLAY = """\
match ROW A seven on a nine
  game nerves
  players A B
  phase PLAY
  state
    A.arr.1 | 7H
    A.arr.2 | 2D
    B.arr.1 | 5D
    B.arr.2 | 3D
    play.A | 2C
    play.B | 9C
  events
    1 3.000 CardPlaced A.R 7H A.arr.1>play.B up src=camera conf=0.98
"""
BACK_PLAYED = """\
match BACK A card that was not turned up first, off a column of which nothing is known
  game nerves
  players A B
  phase PLAY
  state
    A.arr.1 | 7H
    A.arr.3 | ...
    B.arr.1 | 5D
    play.A | 2C
    play.B | 9C
  events
    1 3.000 CardPlaced A.R 3H A.arr.3>play.A up src=camera conf=0.85
"""
XIX_IN_PLAY = """\
match TRICK A second card of the leader
  game xix
  players A B
  phase TRICK
  flag lead=A
  state
    A.closed | [3 7 12 17]
    A.open | 16
    B.closed | [4 9 11]
    B.open | 1 18
  events
    1 5.000 CardPlaced A.R 7 A.closed>mid up src=camera conf=0.98
    2 8.000 CardPlaced A.R 16 A.open>mid up src=camera conf=0.98
"""
DECK_CARD = """\
match DECK A deck card and then a card of the closed stack
  game spy
  players A B
  phase PLAY
  state
    B.stack | [3S]
    B.aside | 2H
    B.deck | [TC KD]
    B.pile.1 | 4H
    B.pile.2 | JD
  events
    1 12.600 CardPlaced B.R KD B.deck>B.waste up src=camera conf=0.98
    2 13.300 CardPlaced B.R 3S B.stack>B.pile.1 up src=camera conf=0.98
"""
ON_OWN_NERDS = """\
match OWN A card laid back onto the own Nerds pile
  game nerds
  players A B
  phase PLAY
  state
    A.nerts | [A:5D] A:JH
    A.work.1 | A:JC A:TH
    B.nerts | [B:5D] B:KS
  events
    1 5.000 CardPlaced A.R A:TH A.work.1>A.nerts up src=camera conf=0.98
"""
RACED = """\
match RACED A nine on a seven that came half a second before
  game nerves
  players A B
  phase PLAY
  state
    A.arr.1 | 7H
    A.arr.2 | 2D
    B.arr.1 | 9S
    B.arr.2 | QC
    play.A | 4C
    play.B | KC 8D
  events
    1 18.000 CardPlaced A.R 7H A.arr.1>play.B up u=0.030 src=camera conf=0.98
    2 18.510 CardPlaced B.R 9S B.arr.1>play.B up u=0.030 src=camera conf=0.98
"""
PUT_BACK = """\
match PUT A card laid wrongly goes back to the waste
  game nerds
  players A B
  phase PLAY
  state
    A.nerts | [A:5D] A:JH
    A.work.1 | A:TS
    A.waste | A:2D A:7H
    B.nerts | [B:5D] B:KS
  events
    1 5.000 CardPlaced A.R A:9H A.held>A.work.1 up src=camera conf=0.3
    2 7.000 CardPlaced A.R A:9H A.work.1>A.waste up src=camera conf=0.98
"""
ASTRAY = """\
match ASTRAY A card is taken from a pile
  game spy
  players A B
  phase PLAY
  state
    A.stack | [3H 8C]
    A.deck | [7S TC]
    A.pile.1 | 5H
    A.pile.5 | [9C]
  events
    1 3.000 CardPlaced A.R 9C A.pile.5>A.pile.1 up src=camera conf=0.98
"""
SEVEN_LIES_THERE: dict[str, tuple[str, ...]] = {
    "play.A": ("2C",),
    "play.B": ("7H",),
    "B.arr.1": ("5D",),
}
NERVES_LAID_OUT = """\
match ROWS The last two columns of a row, one after the other
  game nerves
  players A B
  phase ARRANGE
  state
    A.held | [2C 9D 4S KH 7C 3D JD QD]
    A.arr.1 | [TS]
    A.arr.2 | [TD]
    A.arr.3 | [TH]
  events
    1 5.200 CardPlaced A.R 9D A.held>A.arr.5 up src=camera conf=0.98
"""
BUT_THE_FOURTH: dict[str, tuple[str, ...]] = {
    "A.arr.1": ("BACK",),
    "A.arr.2": ("BACK",),
    "A.arr.3": ("BACK",),
    "A.arr.5": ("9D",),
}
TWO_LIE_THERE: dict[str, tuple[str, ...]] = {"mid": ("7", "16"), "B.open": ("1", "18")}


class Watched:
    """A match whose table shows what the test says."""

    def __init__(
        self,
        text: str,
        shown: Mapping[str, tuple[str, ...]],
        unclear: str = "",
        *,
        doubts: bool = False,
    ) -> None:
        self.match: Match = next(iter(read_matches(text)))
        game = find_game(self.match.game)
        self.rulings: list[Ruling] = []
        self.events: list[Event] = []
        self.seen = Shown(shown, frozenset(unclear.split()))
        self.sitting = Sitting(replace(self.match, events=()), game, (), [self])
        census_rule = f"{game.prefix}-{game.census_rule}"
        self.deciding = Deciding(
            plan(self.match.game, self.match.seats),
            census_rule,
            lambda: self.seen,
            lambda _: doubts,
        )

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        self.rulings += rulings

    def play(self, after_ns: int = 200_000_000) -> list[str]:
        """Judge all events so long after each; returns the kinds of the rulings."""
        for event in self.match.events:
            self.deciding.take(self.sitting, event.t_ns - MOMENT_NS, ())
            self.deciding.take(self.sitting, event.t_ns + after_ns, (event,))
        return [ruling.kind for ruling in self.rulings]

    def wait(self, after_ns: int) -> list[str]:
        """Look again so long after the last event."""
        self.deciding.take(self.sitting, self.match.events[-1].t_ns + after_ns, ())
        return [ruling.kind for ruling in self.rulings]


def test_a_card_that_does_not_fit_is_ruled_at_once_where_it_is_seen_to_lie() -> None:
    assert Watched(NERVES_IN_PLAY, SEVEN_LIES_THERE).play() == ["VIOLATION"]


@pytest.mark.parametrize(
    ("seen", "kinds"),
    [(("BACK", "BACK"), ["QUERY"]), (("BACK", "3H"), []), ((), [])],
    ids=["backs", "an open card", "nothing"],
)
def test_who_plays_what_showed_its_back_is_asked_about_it_though_nobody_knew_of_that(
    seen: tuple[str, ...], kinds: list[str]
) -> None:
    column = {"A.arr.3": seen} if seen else {}
    table = Watched(BACK_PLAYED, {"play.A": ("2C",), "play.B": ("9C",)} | column)
    assert table.play(WAIT_NS) == kinds


def test_a_hand_over_the_pile_does_not_hold_a_ruling_back() -> None:
    table = Watched(NERVES_IN_PLAY, {"play.A": ("2C",)}, unclear="play.B A.arr.1")
    assert table.play() == ["VIOLATION"]


@pytest.mark.parametrize(
    ("hidden_ms", "carry", "kind"),
    [
        (300, "", "VIOLATION"),
        (700, "", "QUERY"),
        (700, " carry=2.500", "QUERY"),
        (700, " carry=2.250", "VIOLATION"),
    ],
    ids=["shortly", "for long", "before he took it", "after he took it"],
)
def test_nobody_is_accused_of_a_card_on_a_pile_on_which_another_may_lie_that_nobody_saw(
    hidden_ms: int, carry: str, kind: str
) -> None:
    # Two hands are over the pile for longer, and the first one's card is never seen.
    text = NERVES_IN_PLAY.replace(" src=camera", f"{carry} src=camera")
    table = Watched(text, {"play.A": ("2C",)})
    (laid,) = table.match.events
    table.deciding.take(table.sitting, laid.t_ns - hidden_ms * 1_000_000, ())
    table.seen = Shown({"play.A": ("2C",)}, frozenset({"play.B"}))
    table.deciding.take(table.sitting, laid.t_ns - MOMENT_NS, ())
    table.seen = Shown(SEVEN_LIES_THERE)
    table.deciding.take(table.sitting, laid.t_ns + WAIT_NS, (laid,))
    assert [ruling.kind for ruling in table.rulings] == [kind]


def test_a_card_that_may_lie_nowhere_on_a_pile_is_ruled_whatever_lies_below_it() -> None:
    before = {"A.nerts": ("JH",), "A.work.1": ("JC", "TH"), "B.nerts": ("KS",)}
    table = Watched(ON_OWN_NERDS, before)
    (laid,) = table.match.events
    table.deciding.take(table.sitting, laid.t_ns - 700 * 1_000_000, ())
    table.seen = Shown(before, frozenset({"A.nerts"}))
    table.deciding.take(table.sitting, laid.t_ns - MOMENT_NS, ())
    table.seen = Shown(before | {"A.nerts": ("TH",), "A.work.1": ("JC",)})
    table.deciding.take(table.sitting, laid.t_ns + WAIT_NS, (laid,))
    assert [ruling.kind for ruling in table.rulings] == ["VIOLATION"]


@pytest.mark.parametrize(
    ("t_s", "kind"), [("18.490", "RACE"), ("18.510", "QUERY"), ("18.550", "VIOLATION")]
)
def test_nobody_is_accused_who_may_have_lost_a_race_for_all_that_is_known_of_its_time(
    t_s: str, kind: str
) -> None:
    lying = {"play.A": ("4C",), "A.arr.2": ("2D",), "B.arr.2": ("QC",), "B.arr.1": ("9S",)}
    table = Watched(RACED.replace("18.510", t_s), lying | {"play.B": ("8D",), "A.arr.1": ("7H",)})
    first, second = table.match.events
    table.deciding.take(table.sitting, first.t_ns - MOMENT_NS, ())
    table.seen = Shown(lying | {"play.B": ("7H",)})
    table.deciding.take(table.sitting, first.t_ns + 2 * MOMENT_NS, (first,))
    table.seen = Shown(lying | {"play.B": ("9S",), "B.arr.1": ()})
    table.deciding.take(table.sitting, second.t_ns + WAIT_NS, (second,))
    assert [ruling.kind for ruling in table.rulings] == [kind]


@pytest.mark.parametrize(("lies", "kind"), [("[9C]", "QUERY"), ("", "QUERY"), ("9C", "VIOLATION")])
def test_a_pile_of_backs_where_open_cards_are_laid_may_be_any_of_its_players_piles(
    lies: str, kind: str
) -> None:
    before = {"A.stack": ("BACK",), "A.deck": ("BACK",), "A.pile.1": ("9C",)}
    assert {*Watched(ASTRAY.replace("[9C]", lies), before).play(WAIT_NS)} == {kind}


@pytest.mark.parametrize(("whence", "kind"), [("A.held", "QUERY"), ("A.nerts", "VIOLATION")])
def test_who_lays_a_card_on_his_waste_may_put_it_back_where_nobody_saw_whence_it_came(
    whence: str, kind: str
) -> None:
    """It may have been pulled from under the top card of the waste."""
    text = PUT_BACK
    if whence == "A.nerts":
        text = text.replace("A.held>A.work.1 up src=camera conf=0.3", "A.nerts>A.work.1 up")
        text = text.replace("[A:5D] A:JH", "[A:5D] A:JH A:9H")
    table = Watched(text, {"A.nerts": ("JH",), "A.work.1": ("TS",), "A.waste": ("7H",)})
    before, after_ = (table.match.events[0], table.match.events[1])
    table.seen = Shown(dict(table.seen.labels) | {"A.work.1": ("TS", "9H")})
    table.deciding.take(table.sitting, before.t_ns + WAIT_NS, (before,))
    table.seen = Shown(dict(table.seen.labels) | {"A.work.1": ("TS",), "A.waste": ("9H",)})
    table.deciding.take(table.sitting, after_.t_ns + WAIT_NS, (after_,))
    assert [r.kind for r in table.rulings if r.rule == "NERDS-OWN-01"][-1:] == [kind]


def test_what_lies_below_a_card_that_must_go_back_does_not_tell_what_one_was_laid_on() -> None:
    text = NERVES_IN_PLAY.replace("  state", "  flag owes=B/6H/play.B\n  state")
    text = text.replace("play.B | 9C", "play.B | 9C 6H")
    before = {"play.A": ("2C",), "play.B": ("6H",), "B.arr.1": ("5D",)}
    table = Watched(text, before)
    (laid,) = table.match.events
    table.deciding.take(table.sitting, laid.t_ns - 700 * 1_000_000, ())
    table.seen = Shown(before, frozenset({"play.B"}))
    table.deciding.take(table.sitting, laid.t_ns - MOMENT_NS, ())
    table.seen = Shown(before | {"play.B": ("7H",)})
    table.deciding.take(table.sitting, laid.t_ns + WAIT_NS, (laid,))
    assert [ruling.kind for ruling in table.rulings] == ["QUERY"]


def test_nobody_is_accused_of_a_card_while_another_lies_there() -> None:
    table = Watched(NERVES_IN_PLAY, SEVEN_LIES_THERE | {"play.B": ("8H",)})
    assert table.play() == []
    assert table.wait(WAIT_NS) == ["QUERY"]


def test_nobody_is_accused_of_a_card_that_still_lies_where_it_came_from() -> None:
    table = Watched(NERVES_IN_PLAY, SEVEN_LIES_THERE | {"A.arr.1": ("7H",)})
    assert table.play(WAIT_NS) == ["QUERY"]


def test_a_card_that_is_seen_there_a_moment_later_is_ruled_then() -> None:
    table = Watched(NERVES_IN_PLAY, SEVEN_LIES_THERE | {"play.B": ("9C",)})
    assert table.play() == []
    table.seen = Shown(SEVEN_LIES_THERE)
    assert table.wait(WAIT_NS // 2) == ["VIOLATION"]


def test_nobody_is_accused_by_what_he_laid_after_an_act_that_was_told_late() -> None:
    # The king lay under his other hand; that the two fits on the three was so only afterwards.
    lies = {"B.waste": ("KD",), "B.pile.1": ("3S",), "B.aside": ("2H",), "B.pile.2": ("JD",)}
    lies |= {"B.deck": ("BACK",)}
    table = Watched(DECK_CARD, lies)
    king, three = table.match.events
    table.deciding.take(table.sitting, three.t_ns + S // 5, (three,))
    table.deciding.take(table.sitting, three.t_ns + WAIT_NS, (king,))
    assert "VIOLATION" not in [ruling.kind for ruling in table.rulings]


ON_EMPTY_PILE = (
    NERVES_IN_PLAY.replace("    play.A | 2C\n", "    play.A |\n    A.rest | (9C) (8S)\n")
).replace("7H A.arr.1>play.B", "7H A.arr.1>play.A")
SEVEN_ON_OWN = {"play.A": ("7H",), "play.B": ("9C",), "B.arr.1": ("5D",)}


def test_who_plays_on_a_card_that_was_covered_at_once_has_not_played_on_an_empty_pile() -> None:
    table = Watched(ON_EMPTY_PILE, SEVEN_ON_OWN)
    assert table.play() == []
    (seven,) = table.match.events
    eight = CardPlaced(
        n=2, t_ns=seven.t_ns - S // 3, actor=Actor("A", "L"), source="camera", conf=0.98,
        card=card("8S"), origin="A.rest", target="play.A",
    )  # fmt: skip
    table.deciding.take(table.sitting, seven.t_ns + WAIT_NS // 2, (eight,))
    assert table.wait(WAIT_NS) == []


def test_a_card_on_an_empty_pile_is_ruled_when_nothing_is_seen_to_have_been_below_it() -> None:
    table = Watched(ON_EMPTY_PILE, SEVEN_ON_OWN)
    assert table.play() == []
    assert table.wait(WAIT_NS) == ["VIOLATION"]


def test_a_row_that_is_laid_out_in_haste_is_judged_when_all_of_it_has_shown() -> None:
    watched = Watched(NERVES_LAID_OUT, BUT_THE_FOURTH)
    assert watched.play() == []
    fourth = CardPlaced(
        n=2, t_ns=5 * S, actor=Actor("A", "R"), source="camera", conf=0.98,
        card=card("4S"), origin="A.held", target="A.arr.4", up=False,
    )  # fmt: skip
    watched.deciding.take(watched.sitting, 5_600_000_000, (fourth,))
    assert watched.wait(WAIT_NS + S) == []


def test_a_card_out_of_turn_is_ruled_when_all_the_table_lies_as_it_was_told() -> None:
    table = Watched(XIX_IN_PLAY, TWO_LIE_THERE)
    assert table.play()[-1] == "VIOLATION"
    assert [event.conf for event in table.events] == [0.98, 1.0]


@pytest.mark.parametrize(("mid", "kind"), [(("7",), "QUERY"), (("BACK", "7"), "VIOLATION")])
def test_a_card_of_a_row_that_shows_no_more_is_held_against_nobody(
    mid: tuple[str, ...], kind: str
) -> None:
    """It was held face down over the middle, and turned up in the hand before it was laid."""
    first, second = (
        "CardPlaced A.R 7 A.closed>mid up src=camera conf=0.98",
        "CardPlaced A.R 16 A.open>mid up src=camera conf=0.98",
    )
    text = XIX_IN_PLAY.replace(first, "CardPlaced A.R ?? A.closed>mid down src=camera conf=0.98")
    text = text.replace(f"8.000 {second}", f"5.700 {first}")
    table = Watched(text, TWO_LIE_THERE | {"mid": mid, "A.open": ("16",)})
    hovers, lies = table.match.events
    table.deciding.take(table.sitting, hovers.t_ns - MOMENT_NS, ())
    table.deciding.take(table.sitting, lies.t_ns + WAIT_NS, (hovers, lies))
    table.sitting.close()
    told = [one.kind for one in table.rulings if one.rule == "XIX-TRICK-02"]
    assert told == [kind]


@pytest.mark.parametrize(
    "shown",
    [{"mid": ("7", "9", "16")}, {"mid": ("7",)}, {"B.open": ("1",)}, {"A.open": ("16",)}],
    ids=["the reply lies there", "it is not seen", "one is gone", "it is still seen at home"],
)
def test_a_card_out_of_turn_is_asked_about_when_something_lies_otherwise(
    shown: Mapping[str, tuple[str, ...]],
) -> None:
    assert Watched(XIX_IN_PLAY, TWO_LIE_THERE | shown).play(WAIT_NS)[-1] == "QUERY"


def test_a_card_out_of_turn_waits_for_the_hand_to_leave() -> None:
    table = Watched(XIX_IN_PLAY, TWO_LIE_THERE, unclear="mid")
    assert "VIOLATION" not in table.play()
    table.seen = Shown(TWO_LIE_THERE)
    assert table.wait(WAIT_NS // 2)[-1] == "VIOLATION"


@pytest.mark.parametrize(("hidden_ns", "ruled"), [(4_700_000_000, "VIOLATION"), (4 * S, "QUERY")])
def test_a_pile_under_the_hand_that_brings_a_card_lies_as_it_did_when_the_hand_came(
    hidden_ns: int, ruled: str
) -> None:
    """What a hand covers since it carries a card it did not change; before, it may have."""
    text = XIX_IN_PLAY.replace("1 5.000", "1 2.000").replace("2 8.000", "2 5.000")
    table = Watched(text, {"mid": ("7",), "A.open": ("16",), "B.open": ("1", "18")})
    lead, second = table.match.events
    table.deciding.take(table.sitting, lead.t_ns + WAIT_NS, (lead,))
    table.deciding.take(table.sitting, hidden_ns, ())
    table.seen = Shown(TWO_LIE_THERE, frozenset({"B.open"}))
    table.deciding.take(table.sitting, second.t_ns + WAIT_NS, (second,))
    assert table.rulings[-1].kind == ruled


@pytest.mark.parametrize(("rests_ms", "ruled"), [(1_200, "QUERY"), (300, "VIOLATION")])
def test_under_a_hand_that_rested_on_the_middle_a_card_may_have_been_laid_and_taken_back(
    rests_ms: int, ruled: str
) -> None:
    """Then it is another player's turn than it seems."""
    table = Watched(XIX_IN_PLAY, {"mid": ("7",), "A.open": ("16",), "B.open": ("1", "18")})
    lead, second = table.match.events
    table.deciding.take(table.sitting, lead.t_ns + S // 5, (lead,))
    free = table.seen
    for t_ms, seen in (5_600, replace(free, unclear=frozenset({"mid"}))), (5_600 + rests_ms, free):
        table.seen = seen
        table.deciding.take(table.sitting, t_ms * 1_000_000, ())
    table.seen = Shown(TWO_LIE_THERE)
    table.deciding.take(table.sitting, second.t_ns + WAIT_NS, (second,))
    assert table.rulings[-1].kind == ruled


def next_trick(said: str = "") -> Watched:
    """Return a trick that B loses, what is said then, and the next card that A leads."""
    cards = ("7 A.closed>mid", "4 B.closed>mid", "12 A.closed>mid")
    lines = [f"CardPlaced {zone[-12]}.R {zone} up src=camera conf=0.98" for zone in cards]
    events = [lines[0], lines[1], *([said] if said else []), lines[2]]
    text = XIX_IN_PLAY.split("    1 5.000")[0]
    text += "".join(f"    {n} {5 + 2 * n}.000 {event}\n" for n, event in enumerate(events, 1))
    return Watched(text, {"mid": ("7", "4", "12"), "A.open": ("16",), "B.open": ("1", "18")})


def test_players_who_say_aloud_that_they_raise_are_not_accused_of_silence() -> None:
    table = next_trick()
    table.play(WAIT_NS)
    table.sitting.close()
    assert {ruling.kind for ruling in table.rulings} <= {"INFO", "NOT_OBSERVED"}
    assert [(str(e.actor), e.what) for e in table.events if isinstance(e, Declared)] == [
        ("B", "raise")
    ]


def test_hands_that_leave_their_piles_tell_of_the_start() -> None:
    text = """\
match PALMS both piles lie there, all palms beside them
  game nerves
  players A B
  phase READY
  state
    A.pile | (2C) (3C) (4C)
    B.pile | (2S) (3S) (4S)
  events
    1 1.000 HandOn A.L A.side.L src=camera conf=0.9
    2 1.100 HandOn A.R A.side.R src=camera conf=0.9
    3 1.200 HandOn B.L B.side.L src=camera conf=0.9
    4 1.300 HandOn B.R B.side.R src=camera conf=0.9
    5 5.000 HandOff A.R A.side.R src=camera conf=0.8
    6 5.100 HandOff B.R B.side.R src=camera conf=0.8
"""
    table = Watched(text, {})
    assert not {"VIOLATION", "QUERY"} & set(table.play(WAIT_NS))
    assert [event.what for event in table.events if isinstance(event, Declared)] == ["start"]


def test_who_takes_cards_of_the_middle_after_a_trick_has_abandoned() -> None:
    taken = "    3 11.000 CardPlaced B.R 7 mid>B.open up src=camera conf=0.98\n"
    text = XIX_IN_PLAY.split("    1 5.000")[0]
    text += "    1 7.000 CardPlaced A.R 7 A.closed>mid up src=camera conf=0.98\n"
    text += "    2 9.000 CardPlaced B.R 4 B.closed>mid up src=camera conf=0.98\n"
    table = Watched(text + taken, {"mid": ("4",), "A.open": ("16",), "B.open": ("1", "18", "7")})
    kinds = table.play(WAIT_NS)
    assert "VIOLATION" not in kinds
    assert "SCORE" in kinds


def test_who_tells_the_referee_is_ruled_when_he_does_not() -> None:
    table = next_trick("Declared A leader")
    table.play(WAIT_NS)
    table.sitting.close()
    assert (table.rulings[-1].kind, table.rulings[-1].rule) == ("VIOLATION", "XIX-STRIKE-02")


def test_nobody_is_accused_over_a_card_that_was_drawn_from_where_nobody_saw_it_laid() -> None:
    # The eight was laid in the middle and drawn before it was read: that ended the exchange.
    text = (
        XIX_IN_PLAY[: XIX_IN_PLAY.index("    1 5.000")].replace("12 17]", "12 17 10]")
        + """\
    1 5.000 CardPlaced A.R 7 A.closed>mid up src=camera conf=0.98
    2 6.000 CardPlaced B.R 4 B.closed>mid up src=camera conf=0.98
    3 7.200 CardPlaced B.? 9 B.closed>B.open up src=camera conf=0.98
    4 7.800 CardPlaced A.? 4 mid>A.open up src=camera conf=0.98
"""
    )
    lies = {"mid": ("7",), "A.open": ("4", "16"), "B.open": ("1", "9", "18")}
    kinds = Watched(text, lies).play(WAIT_NS)
    assert "VIOLATION" not in kinds
    assert "QUERY" in kinds


def test_a_card_that_was_told_unsurely_is_looked_at_again() -> None:
    text = NERVES_IN_PLAY + "    2 5.000 CardPlaced B.R 5D B.arr.1>play.B up src=camera conf=0.98\n"
    text = text.replace("play.B | 9C", "play.B | 8C").replace("conf=0.98", "conf=0.9", 1)
    table = Watched(text, {"play.A": ("2C",), "play.B": ("7H",), "B.arr.1": ("5D",)})
    first, second = table.match.events
    table.deciding.take(table.sitting, 4 * S, (first,))
    table.deciding.take(table.sitting, 4 * S, ())
    table.deciding.take(table.sitting, 5 * S - MOMENT_NS, ())
    table.seen = Shown({"play.A": ("2C",), "play.B": ("5D",)})
    table.deciding.take(table.sitting, 6 * S, (second,))
    assert [(r.kind, r.rule, r.player) for r in table.rulings] == [
        ("VIOLATION", "NERVES-PLAY-03", "B")
    ]


def test_of_two_cards_of_a_squared_pile_that_show_it_is_not_seen_which_lies_on_top() -> None:
    text = NERVES_IN_PLAY + "    2 5.000 CardPlaced B.R 5D B.arr.1>play.B up src=camera conf=0.98\n"
    text = text.replace("play.B | 9C", "play.B | 8C").replace("conf=0.98", "conf=0.9", 1)
    table = Watched(text, {"play.A": ("2C",), "play.B": ("8C", "7H"), "B.arr.1": ("5D",)})
    first, second = table.match.events
    table.deciding.take(table.sitting, 4 * S, (first,))
    table.deciding.take(table.sitting, 4 * S, ())
    table.seen = Shown({"play.A": ("2C",), "play.B": ("5D",)})
    table.deciding.take(table.sitting, 6 * S, (second,))
    assert "VIOLATION" not in [ruling.kind for ruling in table.rulings]


def test_that_a_card_lies_there_does_not_tell_out_of_whose_hand_it_came() -> None:
    # Nobody saw whose arm it was; A, who leads, plays the 16 and has played nothing before.
    text = XIX_IN_PLAY.replace("A.R 7", "- 7", 1).replace("conf=0.98", "conf=0.5", 1)
    table = Watched(text, {"mid": ("7",), "A.open": ("16",), "B.open": ("1", "18")})
    first, second = table.match.events
    table.deciding.take(table.sitting, 6 * S, (first,))
    table.deciding.take(table.sitting, 7 * S, ())
    table.seen = Shown(TWO_LIE_THERE)
    table.deciding.take(table.sitting, 9 * S, (second,))
    assert "VIOLATION" not in [ruling.kind for ruling in table.rulings]


def at_once(text: str, shown: Mapping[str, tuple[str, ...]], apart: str) -> list[str]:
    """Judge the first event when the second, told so many seconds after it, is still to come."""
    watched = Watched(text.replace("LATER", apart), shown)
    *before, first, second = watched.match.events
    for event in before:
        watched.deciding.take(watched.sitting, event.t_ns, (event,))
    told = len(watched.rulings)
    watched.deciding.take(watched.sitting, first.t_ns + 2 * WAIT_NS, (first,), (second,))
    return [ruling.kind for ruling in watched.rulings[told:]]


@pytest.mark.parametrize(("apart", "kind"), [("3.010", "QUERY"), ("3.500", "VIOLATION")])
def test_which_of_two_cards_laid_on_a_pile_at_one_moment_lies_below_is_not_known(
    apart: str, kind: str
) -> None:
    second = "    2 LATER CardPlaced B.R 8H off>play.B up u=0.020 src=camera conf=0.98\n"
    shown = SEVEN_LIES_THERE | {"play.B": ("8H",)}
    assert at_once(NERVES_IN_PLAY + second, shown, apart) == [kind]


@pytest.mark.parametrize(("apart", "kind"), [("8.010", "QUERY"), ("9.000", "VIOLATION")])
def test_what_may_have_happened_before_a_card_out_of_turn_leaves_it_in_question(
    apart: str, kind: str
) -> None:
    second = "    3 LATER CardPlaced B.R 1 B.open>mid up u=0.020 src=camera conf=0.98\n"
    shown = {"mid": ("7", "16", "1"), "B.open": ("18",)}
    assert at_once(XIX_IN_PLAY + second, shown, apart) == [kind]


def lying(zone: str, *cards: str) -> Table:
    text = f"match T t\n  game nerves\n  phase PLAY\n  state\n    {zone} | {' '.join(cards)}\n"
    return open_table(next(iter(read_matches(text))).start, fresh=False, groups=())


@pytest.mark.parametrize(
    ("cards", "seen", "told"),
    [
        (("7H",), ("7H",), True),
        (("9C", "7H"), ("7H",), True),
        (("9C", "7H"), ("9C",), False),
        (("9C", "7H"), ("9C", "7H"), True),
        (("7H",), ("8H",), False),
        (("7H",), ("BACK",), False),
        (("7H",), (), None),
        (("7H",), ("??",), None),
        (("??",), ("8H",), None),
        (("[7H]",), ("BACK",), True),
        (("[7H]",), ("7H",), False),
    ],
)
def test_what_is_seen_of_a_pile_is_what_is_believed_or_not(
    cards: tuple[str, ...], seen: tuple[str, ...], told: bool | None
) -> None:
    shown = Shown({"play.A": seen} if seen else {})
    assert agrees(lying("play.A", *cards), "play.A", shown, NERVES) is told


def test_nothing_is_told_of_a_zone_under_a_hand_nor_of_cards_in_hands() -> None:
    shown = Shown({"play.A": ("8H",)}, frozenset({"play.A"}))
    assert agrees(lying("play.A", "7H"), "play.A", shown, NERVES) is None
    assert agrees(lying("A.held", "7H"), "A.held", Shown(), NERVES) is None


def test_of_a_row_every_card_is_to_be_seen() -> None:
    assert agrees(lying("mid", "7", "16"), "mid", Shown({"mid": ("16",)}), XIX) is None
    assert agrees(lying("mid", "7", "16"), "mid", Shown({"mid": ("16", "7")}), XIX) is True


def test_an_empty_place_is_bare() -> None:
    assert agrees(lying("mid", "7"), "A.open", Shown(), XIX) is True
    assert agrees(lying("mid", "7"), "A.open", Shown({"A.open": ("5",)}), XIX) is False


@pytest.mark.parametrize(("seen", "told"), [(("BACK",), True), (("4D",), None), ((), True)])
def test_below_a_pile_that_nobody_counted_more_may_lie(
    seen: tuple[str, ...], told: bool | None
) -> None:
    table = lying("A.rest", "...", "7H")
    (taken,) = next(iter(read_matches(NERVES_IN_PLAY.replace("A.arr.1>", "A.rest>")))).events
    shown = Shown({"A.rest": seen} if seen else {})
    assert agrees(after(table, [taken]), "A.rest", shown, NERVES) is told


def test_a_back_below_the_first_card_of_a_pile_seen_at_the_start_speaks_for_nobody() -> None:
    text = NERVES_IN_PLAY.replace("A.arr.1 | 7H", "A.rest | ... 7H").replace("A.arr.1>", "A.rest>")
    table = Watched(text, SEVEN_LIES_THERE | {"A.rest": ("BACK",)})
    assert table.play() == ["VIOLATION"]


NERTZ_IN_PLAY = """\
match WORK A block told as its top card
  game nertz
  players A B
  phase PLAY
  state
    A.work.1 | 7D
    A.work.2 | 6S 5H
    A.waste | 3C 8D
    A.nerts | (2C) (3D) KH
    B.work.1 | 9C
    F.1 | AS 2S
  events
"""


BLACK = """\
match BLACK A card is laid on a foundation
  game nertz
  players A B
  phase PLAY
  state
    A.nerts | [A:5D] A:{laid}
    A.work.1 | A:9D
    B.nerts | [B:5D] B:KS
    F.1 | B:{below}
  events
"""


def nertz(*events: str) -> str:
    """Return a match of Nertz in which those events happen, three seconds apart."""
    return NERTZ_IN_PLAY + "".join(f"    {n} {3 * n}.000 {e}\n" for n, e in enumerate(events, 1))


SURELY, UNSURELY = "src=camera conf=0.98", "src=camera conf=0.9"
FIVE_ALONE = f"CardPlaced A.R A:5H A.work.2>A.work.1 up {UNSURELY}"
KING = f"CardPlaced A.R A:KH A.nerts>A.work.2 up {SURELY}"


def test_what_an_unsure_move_may_have_taken_along_is_no_ground_to_accuse() -> None:
    block = {"A.work.1": ("7D", "6S", "5H"), "A.work.2": ("KH",)}
    table = Watched(nertz(FIVE_ALONE, KING), block)
    assert "VIOLATION" not in table.play(WAIT_NS)
    # Nor where nothing is seen of these places.
    assert "VIOLATION" not in Watched(nertz(FIVE_ALONE, KING), {}).play(WAIT_NS)


def test_a_king_on_a_six_that_is_seen_to_have_stayed_is_ruled() -> None:
    table = Watched(nertz(FIVE_ALONE, KING), {"A.work.1": ("7D", "5H"), "A.work.2": ("6S",)})
    five, king = table.match.events
    table.deciding.take(table.sitting, five.t_ns + WAIT_NS, (five,))
    table.deciding.take(table.sitting, five.t_ns + WAIT_NS, ())
    table.seen = Shown({"A.work.1": ("7D", "5H"), "A.work.2": ("6S", "KH")})
    table.deciding.take(table.sitting, king.t_ns + WAIT_NS, (king,))
    assert [(r.kind, r.rule) for r in table.rulings if r.n > 2] == [("VIOLATION", "NERTZ-WORK-01")]


@pytest.mark.parametrize(
    ("onto", "kinds"), [("A:5C", []), ("A:KH", ["VIOLATION"])], ids=["it fits", "it does not"]
)
def test_a_card_that_is_read_while_the_one_on_it_is_in_the_air_lies_below_that(
    onto: str, kinds: list[str]
) -> None:
    """For the tracker the six had left; for the judge it lies there until it is told elsewhere."""
    origin = "A.waste" if onto == "A:5C" else "A.nerts"
    lies = "    A.work.3 | A:?? A:6D\n  events"
    match = nertz(
        f"Reread - A.work.3 A:??>A:7S {SURELY}",
        f"CardPlaced A.R {onto} {origin}>A.work.3 up {SURELY}",
    ).replace("  events", lies).replace("A.waste | 3C 8D", "A.waste | 3C 5C")  # fmt: skip
    table = Watched(match, {"A.work.3": ("7S", "6D", onto[2:]), "A.waste": ("3C",)})
    assert [kind for kind in table.play(WAIT_NS) if kind != "NOT_OBSERVED"] == kinds


OUT_OF_THE_STOCK = f"CardPlaced B.R B:8H B.stock>B.work.1 up {SURELY}"


def test_a_card_out_of_the_stock_is_ruled_where_the_waste_is_in_view() -> None:
    lies = "    B.stock | [3D 4S 8H]\n    B.waste | JC\n  events"
    match = nertz(OUT_OF_THE_STOCK).replace("  events", lies)
    laid: dict[str, tuple[str, ...]] = {"B.work.1": ("9C", "8H"), "B.stock": ("BACK",)}
    assert Watched(match, laid | {"B.waste": ("JC",)}).play() == ["VIOLATION"]
    # Behind what hides the waste the card may have lain there.
    covered = Watched(match, laid)
    assert covered.play() == []
    assert covered.wait(WAIT_NS) == ["QUERY"]


def test_nor_is_it_vouched_for_by_a_look_that_does_not_show_that_none_was_turned_first() -> None:
    """What was asked about before lets it be asked about as well, unless the table vouches."""
    lies = "    B.stock | [3D 4S 8H]\n    B.waste |\n  events"
    wrong = f"CardPlaced A.R A:KH A.nerts>A.work.1 up {UNSURELY}"
    match = nertz(wrong, OUT_OF_THE_STOCK).replace("  events", lies)
    table = Watched(match, {"A.work.1": ("7D", "KH"), "B.work.1": ("9C",)})
    first, second = table.match.events
    table.deciding.take(table.sitting, first.t_ns + 2 * WAIT_NS, (first,))
    laid: dict[str, tuple[str, ...]] = {"B.work.1": ("9C", "8H"), "B.stock": ("BACK",)}
    table.seen = Shown(laid, bare=frozenset({"B.waste"}))
    table.deciding.take(table.sitting, second.t_ns + 2 * WAIT_NS, (second,))
    assert [r.kind for r in table.rulings if r.n == 2] == ["QUERY"]


@pytest.mark.parametrize(
    ("conf", "option", "kind"),
    [("0.99", "", "VIOLATION"), ("0.98", "", "QUERY"), ("0.99", "  opt nertz.draw=1\n", "QUERY")],
)
def test_nor_was_it_turned_over_first_where_the_waste_is_seen_bare_and_others_would_be_left(
    conf: str, option: str, kind: str
) -> None:
    match = nertz(OUT_OF_THE_STOCK.replace("0.98", conf))
    match = match.replace("  events", "    B.stock | [3D 4S 8H]\n    B.nerts | KS\n  events")
    table = Watched(match.replace("  phase", option + "  phase"), {})
    laid = {"B.work.1": ("9C", "8H"), "B.stock": ("BACK",)}
    table.seen = Shown(laid, bare=frozenset({"B.waste"}))
    table.play()
    assert table.wait(WAIT_NS) == [kind]


def test_nobody_is_accused_of_laying_on_a_card_of_a_cascade_that_does_not_show() -> None:
    table = Watched(nertz(KING), {"A.work.2": ("KH",)})
    assert table.play() == []
    assert table.wait(WAIT_NS) == ["QUERY"]
    assert Watched(nertz(KING), {"A.work.2": ("6S", "5H", "KH")}).play() == ["VIOLATION"]


def test_nobody_is_accused_while_it_is_not_known_what_came_there_before() -> None:
    seen = {"A.work.2": ("6S", "5H", "KH")}
    table = Watched(nertz(KING), seen)
    table.seen = Shown(seen, frozenset({"A.work.2"}), {"A.work.2": 3 * S})
    assert table.play() == []
    assert table.wait(WAIT_NS) == ["QUERY"]
    # What happened there afterwards holds nothing back.
    later = Watched(nertz(KING), seen)
    later.seen = Shown(seen, frozenset({"A.work.2"}), {"A.work.2": 4 * S})
    assert later.play() == ["VIOLATION"]


def test_a_card_is_not_surely_covered_by_one_that_was_told_unsurely() -> None:
    unread = f"CardPlaced B.R ?? B.work.1>A.waste up {UNSURELY}"
    sure = f"CardPlaced A.R A:3C A.nerts>A.waste up {SURELY}"
    away = f"CardPlaced A.R A:3C A.waste>A.work.1 up {UNSURELY}"
    under = f"CardPlaced A.R A:8D A.waste>B.work.1 up {SURELY}"
    table = Watched(nertz(unread, sure, away, under), {})
    assert "VIOLATION" not in table.play(WAIT_NS)


def test_play_after_an_end_that_is_not_sure_is_asked_about() -> None:
    text = NERTZ_IN_PLAY.replace("    A.nerts | (2C) (3D) KH\n", "    A.nerts |\n")
    text += f"    1 3.000 CardPlaced A.R A:5H A.work.2>A.work.1 up {UNSURELY}\n"
    text += "    2 6.000 Declared A call\n"
    text += f"    3 9.000 CardPlaced B.R B:9C B.work.1>B.work.2 up {SURELY}\n"
    table = Watched(text, {"A.work.1": ("7D", "5H"), "A.work.2": ("6S",), "B.work.2": ("9C",)})
    kinds = table.play(WAIT_NS)
    assert "END" in kinds
    assert "VIOLATION" not in kinds


def test_the_first_play_after_an_end_that_is_not_sure_is_asked_about() -> None:
    """The last nerts card was in the air at the call: the end is told with the next play."""
    text = NERTZ_IN_PLAY.replace("    A.nerts | (2C) (3D) KH\n", "    A.nerts | KH\n")
    text += "    1 6.000 Declared A call\n"
    text += f"    2 6.300 CardPlaced A.R A:KH A.nerts>A.work.3 up {SURELY}\n"
    text += f"    3 9.000 CardPlaced B.R B:9C B.work.1>B.work.2 up {SURELY}\n"
    table = Watched(text, {})
    table.seen = Shown({"B.work.2": ("9C",)}, bare=frozenset({"A.waste"}))
    kinds = table.play(WAIT_NS)
    assert "END" in kinds
    assert "VIOLATION" not in kinds


SPY_IN_PLAY = """\
match CALL A player says that he has finished
  game spy
  players A B
  phase PLAY
  state
    A.stack | [4C 9H]
    A.pile.1 | 7D
    A.deck | [2C 3C]
    A.aside |
    B.stack | [2H KS]
    B.pile.1 | 8D
    B.pile.2 | 3S
    B.deck | [5C TC]
    B.aside |
    B.waste |
  events
"""
OF_A: dict[str, tuple[str, ...]] = {"A.stack": ("BACK",), "A.pile.1": ("7D",), "A.deck": ("BACK",)}


def spy(*events: str) -> str:
    """Return a match of Spy vs. Spy in which those events happen."""
    return SPY_IN_PLAY + "".join(f"    {n} {e}\n" for n, e in enumerate(events, 1))


def finished(seen: Mapping[str, tuple[str, ...]], unclear: str = "") -> list[str]:
    """Return what is ruled of a call after something was asked about."""
    misfit = f"3.000 CardPlaced B.R 2H B.stack>B.pile.1 up {UNSURELY}"
    table = Watched(spy(misfit, "6.000 Declared A finished"), seen, unclear)
    table.play(WAIT_NS)
    table.sitting.close()
    return [ruling.kind for ruling in table.rulings]


def test_who_calls_with_cards_left_is_ruled_where_all_of_his_lie_as_they_were_told() -> None:
    assert finished(OF_A) == ["QUERY", "VIOLATION"]


def test_a_call_is_asked_about_where_not_all_of_the_callers_cards_are_seen() -> None:
    assert finished({**OF_A, "A.stack": ()}) == ["QUERY", "QUERY"]


def test_a_call_is_asked_about_where_the_callers_last_card_has_left_a_moment_later() -> None:
    misfit = f"3.000 CardPlaced B.R 2H B.stack>B.pile.1 up {UNSURELY}"
    table = Watched(spy(misfit, "6.000 Declared A finished"), OF_A)
    card_laid, call = table.match.events
    table.deciding.take(table.sitting, card_laid.t_ns + WAIT_NS, (card_laid,))
    table.deciding.take(table.sitting, call.t_ns + WAIT_NS // 4, (call,))
    # It seemed to lie there still while he carried it.
    table.seen = Shown({**OF_A, "A.stack": ()})
    table.deciding.take(table.sitting, call.t_ns + WAIT_NS, ())
    table.sitting.close()
    assert [ruling.kind for ruling in table.rulings] == ["QUERY", "QUERY"]


def test_a_call_is_asked_about_where_it_is_in_doubt_which_of_his_piles_the_caller_drew_from() -> (
    None
):
    drawn = f"3.000 CardPlaced A.R 2C A.deck>A.pile.1 up {UNSURELY}"
    seen = {**OF_A, "A.pile.1": ("2C",)}
    table = Watched(spy(drawn, "6.000 Declared A finished"), seen)
    table.play(WAIT_NS)
    table.sitting.close()
    assert "VIOLATION" not in [ruling.kind for ruling in table.rulings]


def test_a_hand_over_what_a_caller_has_laid_holds_no_ruling_back() -> None:
    assert finished(OF_A, "A.pile.1") == ["QUERY", "VIOLATION"]
    assert finished(OF_A, "A.deck") == ["QUERY", "QUERY"]


LAID_ASIDE = f"4.000 CardPlaced B.R KS B.stack>B.aside up {SURELY}"


def test_nobody_is_accused_while_one_of_his_other_piles_is_not_understood() -> None:
    """A king is laid aside: the queen that it fits was covered before, which is told later."""
    text = spy(LAID_ASIDE, f"3.500 CardPlaced B.R 5C B.deck>B.pile.1 up {SURELY}")
    text = text.replace("B.pile.1 | 8D", "B.pile.1 | QD")
    table = Watched(text, {"B.aside": ("KS",)})
    aside, covers = table.match.events
    table.seen = Shown({"B.aside": ("KS",)}, frozenset({"B.pile.1"}), {"B.pile.1": covers.t_ns})
    table.deciding.take(table.sitting, aside.t_ns + WAIT_NS // 3, (aside,))
    assert table.rulings == []
    table.seen = Shown({"B.aside": ("KS",), "B.pile.1": ("5C",)})
    table.deciding.take(table.sitting, aside.t_ns + WAIT_NS // 2, (covers,))
    assert [ruling.rule for ruling in table.rulings if ruling.n == 2] == []


def test_nobody_is_accused_by_what_he_laid_after_an_act_that_is_told_late() -> None:
    """B plays from his deck while his two fits nowhere, then a three: the deck is told last."""
    text = spy(
        f"4.600 CardPlaced B.R 3S B.stack>B.pile.1 up {SURELY}",
        f"4.000 CardPlaced B.R 5C B.deck>B.waste up {SURELY}",
    )
    text = text.replace("B.stack | [2H KS]", "B.stack | [7C 3S]").replace("B.pile.2 | 3S", "")
    text = text.replace("B.pile.1 | 8D", "B.pile.1 | 4S").replace("B.aside |", "B.aside | 2S")
    seen = {"B.pile.1": ("3S",), "B.waste": ("5C",), "B.aside": ("2S",)}
    table = Watched(text, {**seen, "B.stack": ("BACK",), "B.deck": ("BACK",)})
    assert table.play(WAIT_NS) == ["QUERY"]


@pytest.mark.parametrize(("conf", "kind"), [("0.98", "QUERY"), ("0.99", "VIOLATION")])
def test_from_which_of_his_piles_of_backs_a_player_took_a_card_does_not_show_where_it_lies(
    conf: str, kind: str
) -> None:
    """Off his deck it opens no pile, off his stack it may; sure is only who compared both."""
    text = spy(f"4.000 CardPlaced B.R 9H B.deck>B.pile.3 up {SURELY}").replace("0.98", conf)
    seen: dict[str, tuple[str, ...]] = {"B.pile.3": ("9H",), "B.stack": ("BACK",)}
    seen |= {"B.pile.1": ("8D",), "B.pile.2": ("3S",), "B.deck": ("BACK",)}
    table = Watched(text, seen)
    table.play(WAIT_NS)
    assert table.wait(WAIT_NS) == [kind]


@pytest.mark.parametrize(("conf", "kind"), [("0.98", "QUERY"), ("0.99", "VIOLATION")])
def test_by_which_rule_a_card_is_wrong_that_is_wrong_from_either_pile_does_not_show(
    conf: str, kind: str
) -> None:
    """Off his deck his stack was not tried; off his stack an ace lies on a two."""
    text = spy(f"4.000 CardPlaced B.R AH B.deck>B.pile.1 up {SURELY}").replace("0.98", conf)
    text = text.replace("B.pile.1 | 8D", "B.pile.1 | 2D").replace("[2H KS]", "[2H AH]")
    seen: dict[str, tuple[str, ...]] = {"B.pile.1": ("AH",), "B.stack": ("BACK",)}
    table = Watched(text, seen | {"B.pile.2": ("3S",), "B.deck": ("BACK",)})
    table.play(WAIT_NS)
    assert table.wait(WAIT_NS) == [kind]


def test_a_call_at_a_table_that_was_just_found_again_is_asked_about() -> None:
    table = Watched(spy("6.000 Declared A finished"), OF_A, doubts=True)
    table.play(WAIT_NS)
    table.sitting.close()
    assert [ruling.kind for ruling in table.rulings] == ["QUERY"]


def test_a_call_over_a_place_that_is_seen_bare_is_asked_about() -> None:
    table = Watched(nertz("Declared A call"), {})
    table.seen = Shown({"A.work.1": ("7D",)}, bare=frozenset({"A.nerts"}))
    assert "VIOLATION" not in table.play()
    assert [event.conf for event in table.events] == [0.9]


def test_nobody_is_accused_of_a_deal_as_no_camera_counts_backs() -> None:
    """A nerts pile of which only the top card was told is asked about, not called short."""
    text = """\
match SHORT A deal
  game nertz
  players A B
  phase SETUP
  state
  events
    1 1.000 Dealt A A.nerts A:KH u=0.020 src=camera conf=0.99
    2 1.500 Dealt A A.work.1 A:3C u=0.020 src=camera conf=0.99
    3 3.000 Declared - start
"""
    table = Watched(text, {"A.nerts": ("KH",), "A.work.1": ("3C",)})
    assert table.play(WAIT_NS) == ["QUERY"]


SPY_SET_UP = """\
match SET-UP four open cards each
  game spy
  players A B
  phase SETUP
  state
    A.stack | (2C) (3C) (4C) (5C) (6C)
    A.pile.1 | 7H
    A.pile.2 | 2D
    A.pile.3 | 9S
    A.pile.4 | KD
    B.stack | (2S) (3S) (4S) (5S) (6S)
    B.pile.1 | 4H
    B.pile.2 | JD
    B.pile.3 | TS
    B.pile.4 | AD
  events
"""
EIGHT_ON_SEVEN = "CardPlaced A.R 8C A.stack>A.pile.1 up u=0.020 src=camera conf=0.99"


def test_play_begins_where_nobody_tells_the_referee_that_it_does() -> None:
    table = Watched(f"{SPY_SET_UP}    1 3.000 {EIGHT_ON_SEVEN}\n", {"A.pile.1": ("8C",)})
    assert "VIOLATION" not in table.play(WAIT_NS)
    assert [type(event).__name__ for event in table.events] == ["Declared", "CardPlaced"]


SPY_DEALT_IN_PART = """\
match PART A deals out his cards, while the deck of B lies there whole
  game spy
  players A B
  phase SETUP
  state
  events
    1 0.500 Dealt A A.deck (??) (??) (??) (??) (??) (??) u=0.020 src=camera conf=0.6
    2 1.000 Dealt B B.deck (??) (??) (??) (??) (??) (??) u=0.020 src=camera conf=0.6
    3 2.000 CardPlaced A.R JC A.deck>A.pile.1 up u=0.020 src=camera conf=0.9
    4 3.000 CardPlaced A.R KD A.deck>A.pile.2 up u=0.020 src=camera conf=0.9
    5 4.000 CardPlaced A.R 9S A.deck>A.pile.3 up u=0.020 src=camera conf=0.9
    6 5.000 CardPlaced A.R 2D A.deck>A.pile.4 up u=0.020 src=camera conf=0.99
"""


def test_nobody_has_started_while_another_player_has_no_card_open_yet() -> None:
    tops = {f"A.pile.{n}": (face,) for n, face in enumerate(("JC", "KD", "9S", "2D"), 1)}
    table = Watched(SPY_DEALT_IN_PART, tops)
    assert "VIOLATION" not in table.play(WAIT_NS)
    assert not [event for event in table.events if isinstance(event, Declared)]


def test_who_plays_before_the_start_is_ruled_where_the_referee_is_told_of_it() -> None:
    events = f"    1 2.000 Declared A ready\n    2 3.000 {EIGHT_ON_SEVEN}\n"
    table = Watched(SPY_SET_UP + events, {"A.pile.1": ("8C",)})
    assert table.play(WAIT_NS) == ["VIOLATION"]


def test_a_slap_waits_for_the_card_that_is_not_told_of_yet() -> None:
    still = NERVES_IN_PLAY.partition("    1 3.000")[0]
    laid = still + "    1 2.600 CardPlaced B.R 2D B.arr.2>play.B up src=camera conf=0.98\n"
    table = Watched(still + "    1 3.000 PadHit A.R mid src=pad\n", {"play.B": ("9C",)})
    table.seen = replace(table.seen, pending={"play.B": 2_600_000_000})
    table.play()
    assert table.events == []
    table.seen = Shown({"play.B": ("2D",)})
    table.deciding.take(table.sitting, 3_600_000_000, next(iter(read_matches(laid))).events)
    assert [type(event) for event in table.events] == [CardPlaced, PadHit]


FALSE_HIT = NERVES_IN_PLAY.partition("    1 3.000")[0] + "    1 3.000 PadHit A.R mid src=pad\n"


def slapped(unclear: str) -> Watched:
    table = Watched(FALSE_HIT, {"play.A": ("2C",), "play.B": ("9C",)}, unclear)
    table.play()
    return table


def test_a_hit_is_false_where_both_piles_are_seen_to_differ() -> None:
    table = slapped("")
    assert len(table.events) == 1
    table.sitting.close()
    assert [(r.kind, r.rule) for r in table.rulings] == [("VIOLATION", "NERVES-HIT-01")]


def test_a_hit_is_not_called_false_while_the_hand_hides_what_lies_there() -> None:
    table = slapped("play.B")
    table.wait(HIDES_NS)
    assert table.events == []
    table.seen = Shown({"play.A": ("2C",), "play.B": ("2D",)})
    laid = FALSE_HIT.partition("    1 3.000")[0]
    laid += "    1 2.600 CardPlaced B.R 2D B.arr.2>play.B up src=camera conf=0.98\n"
    table.deciding.take(table.sitting, 5 * S, next(iter(read_matches(laid))).events)
    table.sitting.close()
    assert [(r.kind, r.winner) for r in table.rulings][-1] == ("RACE", "A")


LAST_CARD = """\
match LAST B plays the last card and hits that pile with the same hand
  game nerves
  players A B
  phase PLAY
  state
    A.arr.1 | 7H
    B.arr.1 | 8D
    play.A | 2C
    play.B | 9C
  events
"""


@pytest.mark.parametrize("told", [{"unclear": "play.B"}, {"pending": "B.arr.1"}])
def test_a_hit_of_the_hand_that_laid_the_last_card_waits_for_that_card(
    told: dict[str, str],
) -> None:
    table = Watched(LAST_CARD + "    1 3.000 PadHit B.R play.B src=pad\n", {"play.B": ("9C",)})
    carried = dict.fromkeys(told.get("pending", "").split(), 2_500_000_000)
    unclear = frozenset(told.get("unclear", "").split())
    table.seen = replace(table.seen, unclear=unclear, pending=carried)
    table.play(HIDES_NS)
    assert table.events == []
    table.seen = Shown({"play.B": ("8D",)})
    laid = "    1 2.900 CardPlaced B.R 8D B.arr.1>play.B up src=camera conf=0.98\n"
    table.deciding.take(table.sitting, 5 * S, next(iter(read_matches(LAST_CARD + laid))).events)
    table.sitting.close()
    ruled = [(one.kind, one.rule) for one in table.rulings]
    assert ruled[-1] == ("VIOLATION", "NERVES-HAND-03")


def test_a_hit_where_ones_own_card_seems_to_come_at_that_moment_is_asked_about() -> None:
    """The hand stayed on the card that it laid, and the camera tells when it slapped that."""
    acts = (
        "    1 3.000 CardPlaced B.R 8D B.arr.1>play.B up src=camera conf=0.98 u=0.031\n"
        "    2 3.012 PadHit B.R play.B src=pad\n"
    )
    table = Watched(LAST_CARD + acts, {"play.B": ("8D",)})
    table.play(HIDES_NS + WAIT_NS)
    table.sitting.close()
    kinds = {(one.kind, one.rule) for one in table.rulings}
    assert "VIOLATION" not in {kind for kind, _ in kinds}
    assert ("QUERY", "NERVES-HAND-02") in kinds


def test_a_hit_on_a_table_that_was_just_found_again_is_asked_about() -> None:
    table = Watched(FALSE_HIT, {"play.A": ("2C",), "play.B": ("9C",)}, doubts=True)
    table.play()
    table.sitting.close()
    assert [ruling.kind for ruling in table.rulings] == ["QUERY"]


def test_a_hit_over_a_pile_that_stays_hidden_is_asked_about() -> None:
    table = slapped("play.B")
    table.wait(HIDES_NS + WAIT_NS)
    table.sitting.close()
    assert [ruling.kind for ruling in table.rulings] == ["QUERY"]


def test_nobody_is_told_to_owe_a_card_that_may_be_on_its_way_back() -> None:
    turned = "    2 5.000 CardTurned A.R 4S A.arr.2 up src=camera conf=0.98\n"
    table = Watched(NERVES_IN_PLAY.replace("2D", "(4S)") + turned, SEVEN_LIES_THERE)
    table.seen = replace(table.seen, pending={"A.arr.1": 4_500_000_000})
    assert table.play() == ["VIOLATION"]
    assert len(table.events) == 1
    table.seen = replace(table.seen, pending={})
    assert table.wait(300_000_000) == ["VIOLATION", "VIOLATION"]


def test_whose_deck_a_card_is_of_no_look_at_the_table_tells() -> None:
    """B takes back the card that he laid on its like: which of the two he took is not seen."""
    text = NERTZ_IN_PLAY.replace("F.1 | AS 2S", "F.1 | A:AS B:2S A:2S")
    text += "    1 6.000 CardPlaced B.R A:2S F.1>B.work.2 up src=camera conf=0.98\n"
    lies = {"F.1": ("2S",), "B.work.2": ("2S",), "B.work.1": ("9C",)}
    assert Watched(text, lies).play(WAIT_NS) == ["QUERY"]


def test_that_all_lies_as_it_was_told_does_not_tell_whose_hand_it_was() -> None:
    """A hand of which the side is not known took a card of the other player's rest."""
    text = NERVES_IN_PLAY.replace("A.arr.1 | 7H", "B.rest | [7H]").replace(
        "play.B | 9C", "play.B | 2S"
    )
    text = text.replace("A.R 7H A.arr.1>play.B", "A.? 7H B.rest>play.A")
    shown = {
        "play.A": ("7H",),
        "play.B": ("2S",),
        "A.arr.2": ("2D",),
        "B.arr.1": ("5D",),
        "B.arr.2": ("3D",),
    }
    assert Watched(text, shown).play(WAIT_NS) == ["QUERY"]


def test_that_all_lies_as_it_was_told_does_not_tell_whose_like_card_it_was() -> None:
    """A king of B's was taken for C's, who has one as well, laid by a hand that nobody knows."""
    text = """\
match LIKE A card of one deck, taken for that of another
  game spy
  players A B C
  phase PLAY
  state
    B.deck | [B:2C B:KC]
    B.pile.1 | B:8D
    C.deck | [C:3C C:KC]
    C.pile.1 | C:7D
    B.waste |
  events
    1 3.000 CardPlaced - C:KC C.deck>B.waste up src=camera conf=0.98
"""
    lies = {"B.deck": ("BACK",), "B.pile.1": ("8D",), "B.waste": ("KC",)}
    lies |= {"C.deck": ("BACK",), "C.pile.1": ("7D",)}
    assert Watched(text, lies).play(WAIT_NS) == ["QUERY"]


def test_that_all_lies_as_it_was_told_does_not_tell_how_many_cards_were_turned_over() -> None:
    text = NERTZ_IN_PLAY.replace(
        "A.waste | 3C 8D", "A.stock | [2S 3H 4D 9S TS]\n    A.waste | 3C 8D"
    )
    text += f"    1 6.000 PileMoved A.L A.stock>A.waste n=2 flip {SURELY}\n"
    lies = {"A.stock": ("BACK",), "A.waste": ("9S",), "A.nerts": ("KH",)}
    lies |= {"A.work.1": ("7D",), "A.work.2": ("6S", "5H")}
    assert Watched(text, lies).play(WAIT_NS) == ["QUERY"]


def test_that_a_place_was_emptied_unsurely_is_no_ground_to_accuse_who_lays_there_next() -> None:
    away = f"CardPlaced B.R AS F.1>F.2 up {UNSURELY}"
    eight = f"CardPlaced A.R A:8D A.waste>F.1 up {SURELY}"
    ace = ("F.1 | AS 2S", "F.1 | AS")
    seen = {"F.1": ("8D",), "F.2": ("AS",)}
    empty = nertz(eight).replace(ace[0], "F.2 | AS")
    for text, kind in ((nertz(away, eight).replace(*ace), "QUERY"), (empty, "VIOLATION")):
        table = Watched(text, seen)
        table.play(WAIT_NS)
        table.sitting.close()
        assert [ruling.kind for ruling in table.rulings] == [kind]


@pytest.mark.parametrize(
    ("below", "laid", "by_sight", "kind"),
    [
        ("3S", "4C", True, "QUERY"),
        ("3S", "4C", False, "VIOLATION"),
        ("3D", "4C", True, "VIOLATION"),
        ("3S", "5C", True, "VIOLATION"),
        ("3D", "4H", True, "VIOLATION"),
    ],
    ids=["black on black", "known before", "on red", "two steps", "red on red"],
)
def test_nobody_is_accused_by_a_club_that_may_be_a_spade(
    below: str, laid: str, kind: str, *, by_sight: bool
) -> None:
    """Small signs of the two are taken for one another surely."""
    act = f"CardPlaced A.R A:{laid} A.nerts>F.1 up {SURELY}"
    text = BLACK.replace("{below}", below).replace("{laid}", laid)
    table = Watched(f"{text}    1 3.000 {act}\n", {"A.nerts": ("BACK",), "F.1": (laid,)})
    table.deciding.by_sight = by_sight
    table.play(WAIT_NS)
    table.sitting.close()
    told = [one.kind for one in table.rulings if one.kind in ("VIOLATION", "QUERY")]
    assert told == [kind]


def test_a_club_is_no_spade_where_that_spade_lies_elsewhere() -> None:
    act = f"CardPlaced A.R A:4C A.nerts>F.1 up {SURELY}"
    text = BLACK.replace("{below}", "3S").replace("{laid}", "4C")
    text = text.replace("F.1 |", "A.work.2 | A:4S\n    B.work.1 | B:3C\n    F.1 |")
    lies = {"A.nerts": ("BACK",), "A.work.2": ("4S",), "B.work.1": ("3C",), "F.1": ("4C",)}
    table = Watched(f"{text}    1 3.000 {act}\n", lies)
    table.deciding.by_sight = True
    table.play(WAIT_NS)
    table.sitting.close()
    told = [one.kind for one in table.rulings if one.kind in ("VIOLATION", "QUERY")]
    assert told == ["VIOLATION"]


def test_out_of_turn_is_only_asked_about_in_a_game_that_was_found_in_play() -> None:
    table = Watched(XIX_IN_PLAY, TWO_LIE_THERE | {"A.open": ()})
    table.deciding.presumed = True
    table.play(WAIT_NS)
    assert "VIOLATION" not in table.wait(2 * WAIT_NS)


def test_that_the_last_act_is_ruled_only_now_asks_nobody_about_this_one() -> None:
    """A fault of order is told when nothing can have come before it any more."""
    text = XIX_IN_PLAY.replace("TRICK\n  flag lead=A", "TRADE\n  flag loser=B")
    text = text.replace("B.open | 1 18", "B.open | 1 18\n    mid |\n    talon.1 | [8]")
    text = text.replace("A.R 16 A.open", "B.R 18 B.open")
    lies = {"A.open": ("16",), "talon.1": ("BACK",)}
    table = Watched(text, lies)
    for event, mid, left in zip(
        table.match.events, (("7",), ("7", "18")), (("1", "18"), ("1",)), strict=True
    ):
        table.seen = Shown(lies | {"mid": mid, "B.open": left})
        table.deciding.take(table.sitting, event.t_ns + WAIT_NS, (event,))
    table.sitting.close()
    assert [(one.kind, one.rule) for one in table.rulings] == [("VIOLATION", "XIX-TRADE-01")] * 2


def test_a_card_that_may_go_back_to_where_it_was_asked_about_is_held_against_nobody() -> None:
    """Which card of a hand it is nobody sees: the one taken wrongly may be put right."""
    text = XIX_IN_PLAY.replace("A.open | 16", "A.open | 16\n    talon.1 | [8]")
    table = Watched(text, {})
    state, away = table.sitting.state, replace(table.match.events[0], actor=Actor("A"))
    took = Case(state, away, state.table, Move((1,), "talon.1", "A.closed", up=False))
    gives = replace(away, card=card("??"), origin="A.closed", target="talon.1", up=False)
    back = Case(replace(state, camera=True), gives, state.table, Move((2,), *card_zones(gives)))
    found = Asked((("XIX-TRADE-02", Finding("A", "from the closed hand")),))
    asked_about = Act(took, doubtful=("XIX-TRADE-07",))
    assert not_certain(back, (asked_about,), found).findings == ()
    assert not_certain(back, (Act(took),), found) == found


ON_WHAT_DOES_NOT_SHOW = """\
match BELOW A nine that nobody saw to lie may lie below the eight
  game nertz
  players A B
  phase PLAY
  state
    A.nerts | [A:5D] A:8S
    A.waste | A:9H
    A.work.1 | A:TS
  events
    1 3.000 CardPlaced A.R A:8S A.nerts>A.work.1 up src=camera conf=0.98
"""


@pytest.mark.parametrize(("taken_ns", "kind"), [(2 * S, "QUERY"), (S // 4, "VIOLATION")])
def test_a_card_taken_just_before_the_one_that_does_not_fit_may_lie_below_it(
    taken_ns: int, kind: str
) -> None:
    table = Watched(ON_WHAT_DOES_NOT_SHOW, {"A.work.1": ("TS", "8S"), "A.waste": ()})
    table.seen = replace(table.seen, pending={"A.waste": taken_ns})
    assert table.play() == []
    assert table.wait(WAIT_NS) == [kind]


@pytest.mark.parametrize(("lies", "agrees_with_it"), [("A:4S", False), ("... A:4S", None)])
def test_below_the_top_of_an_ace_pile_found_in_play_others_may_lie(
    lies: str, agrees_with_it: bool | None
) -> None:
    text = ON_OWN_NERDS.replace("  events", f"    F.1 | {lies}\n  events")
    text = text.replace("A:TH A.work.1>A.nerts", "A:4S F.1>A.work.1")
    table = Watched(text, {})
    then = after(table.sitting.state.table, table.match.events)
    shown = Shown({"F.1": ("3S",)})
    habits = habits_of(plan("nerds", ("A", "B")))
    assert agrees(then, "F.1", shown, habits) is agrees_with_it


OWES = """\
match OWES Six faces of one player, put right where nobody saw it
  game nerves
  players A B
  phase PLAY
  state
    A.arr.1 | [2C 3D] 7H
    A.arr.2 | JD
    A.arr.3 | 4C
    A.arr.4 | QH
    A.arr.5 | 9C
    B.arr.1 | TS
    play.A | 2S
    play.B | 8D
  events
    1 15.000 CardPlaced A.R 7H A.arr.1>A.arr.6 up src=camera conf=0.98
    2 15.600 CardTurned A.R 3D A.arr.1 up src=camera conf=0.98
    3 17.600 CardPlaced A.R 9C A.arr.5>play.B up src=camera conf={conf}
    4 19.600 CardPlaced A.R 3D A.arr.1>play.A up src=camera conf=0.98
"""


@pytest.mark.parametrize(("conf", "kind"), [("0.9", "QUERY"), ("0.98", "VIOLATION")])
def test_who_was_asked_whether_he_still_owes_a_card_is_not_accused_of_it_a_moment_later(
    conf: str, kind: str
) -> None:
    tops = dict(zip(("3D", "JD", "4C", "QH", "9C", "7H"), range(1, 7), strict=True))
    lie: dict[str, tuple[str, ...]] = {f"A.arr.{n}": (face,) for face, n in tops.items()}
    table = Watched(OWES.format(conf=conf), lie)
    turned, nine, three = table.match.events[1:]
    table.deciding.take(table.sitting, turned.t_ns + WAIT_NS, table.match.events[:2])
    lie |= {"A.arr.5": (), "play.B": ("9C",)}
    table.seen = Shown(lie)
    table.deciding.take(table.sitting, nine.t_ns + WAIT_NS, (nine,))
    table.seen = Shown({**lie, "A.arr.1": ("BACK",), "play.A": ("3D",)})
    table.deciding.take(table.sitting, three.t_ns + WAIT_NS, (three,))
    ruled = [(r.kind, r.rule) for r in table.rulings if r.t_ns == three.t_ns]
    assert (kind, "NERVES-PLAY-05") in ruled
    assert kind == "VIOLATION" or "VIOLATION" not in dict(ruled)


TAKEN_OFF = """\
match OFF Nerds: a three seems to be taken off an ace pile, and another player lays the four
  game nerds
  players A B
  phase PLAY
  state
    A.work.1 | A:4H
    B.nerts | [B:5D] B:4C
    F.1 | A:AC A:2C A:3C
  events
    1 1.000 CardPlaced A.R A:3C F.1>A.work.1 up src=camera conf=0.9
    2 4.000 CardPlaced B.R B:4C B.nerts>F.1 up src=camera conf=0.98
"""


def test_nobody_is_accused_on_what_shows_where_it_was_asked_whether_a_card_may_be_gone() -> None:
    table = Watched(TAKEN_OFF, {"F.1": ("2C",), "A.work.1": ("4H", "3C"), "B.nerts": ("4C",)})
    taken, four = table.match.events
    table.deciding.take(table.sitting, taken.t_ns + WAIT_NS, (taken,))
    table.deciding.take(table.sitting, four.t_ns - MOMENT_NS, ())
    table.seen = Shown({"F.1": ("4C",), "A.work.1": ("4H", "3C"), "B.nerts": ("BACK",)})
    table.deciding.take(table.sitting, four.t_ns + WAIT_NS, (four,))
    assert [ruling.kind for ruling in table.rulings] == ["QUERY", "QUERY"]


BOTH_HANDS = """\
match BOTH Nertz: the next card is turned up while the other hand carries the first
  game nertz
  players A B
  phase PLAY
  state
    A.nerts | [A:6S A:5D] A:9S
    A.work.1 | A:TD
    B.nerts | [B:5D] B:4C
  events
    1 5.000 CardTurned A.? A:5D A.nerts up src=camera conf=0.9997
    2 5.150 CardPlaced A.? A:9S A.nerts>A.work.1 up {carry}src=camera conf=0.98
"""


@pytest.mark.parametrize(("carry", "kinds"), [
    ("", []),
    ("carry=4.600 ", []),
    # It was seen to lie there still.
    ("carry=5.050 ", ["VIOLATION"]),
])  # fmt: skip
def test_who_turns_a_card_up_with_one_hand_while_the_other_carries_the_one_above_is_not_accused(
    carry: str, kinds: list[str]
) -> None:
    lie = {"A.nerts": ("5D",), "A.work.1": ("TD", "9S"), "B.nerts": ("4C",)}
    table = Watched(BOTH_HANDS.format(carry=carry), lie)
    turned, laid = table.match.events
    table.deciding.take(table.sitting, laid.t_ns + WAIT_NS, (turned,), (laid,))
    table.deciding.take(table.sitting, laid.t_ns + 2 * WAIT_NS, (laid,))
    assert [ruling.kind for ruling in table.rulings] == kinds


LAID_OUT = """\
match LAID Spy: the last of the four piles is laid out before the start, and told of late
  game spy
  players A B
  phase SETUP
  state
    A.stack | [3H 5C]
    A.deck | [2C 4D 6S 7D]
    A.pile.1 | 4C
    A.pile.2 | AD
    A.pile.3 | 8H
    B.stack | [8C 9C]
    B.deck | [TD QC]
    B.pile.1 | 9H
    B.pile.2 | 6C
    B.pile.3 | AS
    B.pile.4 | JC
  events
    1 5.000 CardPlaced A.R 7D A.deck>A.pile.4 up src=camera conf=0.99
    2 5.400 Declared - start src=operator
"""


def test_who_laid_out_his_cards_before_the_start_is_not_accused_as_if_he_played() -> None:
    table = Watched(LAID_OUT, {"A.pile.3": ("8H",), "A.pile.4": ("7D",)})
    laid, start = table.match.events
    table.deciding.take(table.sitting, start.t_ns + 300_000_000, (start,))
    table.deciding.take(table.sitting, start.t_ns + 2 * WAIT_NS, (laid,))
    assert "VIOLATION" not in [ruling.kind for ruling in table.rulings]


OF_A_ROW = """\
match ROWS XIX: two open cards are taken from one row, one after the other
  game xix
  players A B
  phase TRICK
  flag lead=A
  state
    A.closed | [3 7 12 17]
    A.open | 16 5
    B.closed | [4 9 11]
    B.open | 1 18
  events
    1 5.000 CardPlaced A.R 16 A.open>mid up src=camera conf=0.98
    2 5.300 CardPlaced A.L 5 A.open>mid up src=camera conf=0.98
"""


def test_of_a_row_no_card_lies_on_another_that_would_have_to_be_lifted_first() -> None:
    table = Watched(OF_A_ROW, {"mid": ("16", "5"), "B.open": ("1", "18")})
    first, second = table.match.events
    table.deciding.take(table.sitting, second.t_ns + WAIT_NS, (first,), (second,))
    table.deciding.take(table.sitting, second.t_ns + 2 * WAIT_NS, (second,))
    assert [type(event) for event in table.events] == [CardPlaced, CardPlaced]
