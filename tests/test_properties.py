"""What must hold for every match: legal play is never blamed, nothing is lost, nothing breaks."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.games import find_game, game_names
from referee.match import MatchError, close, judge, open_match, step
from referee.notation import differences, read_matches, ruling_line, write_match
from referee.play import PLAYERS, legal_match
from referee.rulebook import State
from referee.values import (
    Actor,
    CardLifted,
    CardPlaced,
    CardTurned,
    Configured,
    Dealt,
    Declared,
    Event,
    HandOff,
    HandOn,
    Laid,
    Layout,
    Match,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
    Placement,
    Reread,
    Setting,
    Timer,
    ViewBack,
    ViewLost,
    card,
)

seeds = st.integers(0, 10**6)
every_count = pytest.mark.parametrize(
    ("game", "players"),
    [
        (span.game, players)
        for span in PLAYERS
        for players in range(max(2, span.fewest), span.most + 1)
    ],
)
every_game = pytest.mark.parametrize("game", [span.game for span in PLAYERS])
few = settings(max_examples=4, deadline=None)


def rulings_of(match: Match) -> tuple[Any, ...]:
    return tuple(judge(match, find_game(match.game)))


def one_after_the_other(one: Match, other: Match) -> Match:
    """Return a match in which the cards are gathered after one, and the other is played."""
    shift, last = len(one.events), one.events[-1].t_ns + 60 * 10**9
    later = (replace(e, n=e.n + shift, t_ns=e.t_ns + last) for e in other.events)
    lines = (replace(e, n=e.n + shift) for e in other.expected or ())
    events = (*one.events, *later)
    return replace(one, events=events, expected=(*(one.expected or ()), *lines))


def test_every_game_can_be_played() -> None:
    assert [span.game for span in PLAYERS] == list(game_names())


@every_count
@few
@given(seed=seeds)
def test_legal_play_is_never_blamed_and_counted_right(game: str, players: int, seed: int) -> None:
    match = legal_match(game, players, seed, hands=2)
    rulings = rulings_of(match)
    assert differences(rulings, match.expected or ()) == ()
    assert [r for r in rulings if r.kind in ("QUERY", "NOT_OBSERVED")] == []


@every_count
@few
@given(seed=seeds)
def test_one_fault_is_found_and_nothing_else(game: str, players: int, seed: int) -> None:
    match = legal_match(game, players, seed, faulty=True)
    assert differences(rulings_of(match), match.expected or ()) == ()


@few
@given(seed=seeds, faulty=st.booleans())
def test_jokers_are_never_blamed_and_counted_for_their_owner(seed: int, faulty: bool) -> None:
    match = legal_match("nertz", 2 + seed % 3, seed, faulty=faulty, jokers=True)
    assert differences(rulings_of(match), match.expected or ()) == ()


GAME_ENDS = ("NERVES-WIN-01", "XIX-END-05", "SPY-SCORE-03")


@pytest.mark.parametrize("game", ["nerves", "xix", "spy"])
@few
@given(seed=seeds)
def test_the_next_match_at_the_same_table_is_judged_from_the_beginning(
    game: str, seed: int
) -> None:
    one, other = (legal_match(game, 2, s, faulty=s % 2 == 0, hands=2) for s in (seed, seed + 1))
    assume(any(line.rule in GAME_ENDS for line in one.expected or ()))
    whole = one_after_the_other(one, other)
    assert differences(rulings_of(whole), whole.expected or ()) == ()


@pytest.mark.parametrize("game", ["nerds", "nertz"])
@few
@given(seed=seeds)
def test_what_was_played_in_the_last_hand_is_not_judged_again_in_the_next(
    game: str, seed: int
) -> None:
    match, rules = legal_match(game, 2, seed, hands=2), find_game(game)
    state: State[Any] = open_match(match, rules)
    played = next(e.n for e in match.events if isinstance(e, CardPlaced))
    next_deal = min((e.n for e in match.events if isinstance(e, Dealt) and e.n > played), default=0)
    assume(next_deal)
    for event in match.events:
        state, _ = step(rules, state, event)
        if event.n >= next_deal:
            assert all(act.case.event.n >= next_deal - 1 for act in state.recent)


@every_game
@few
@given(seed=seeds)
def test_no_card_is_lost_and_none_lies_twice(game: str, seed: int) -> None:
    match = legal_match(game, 2, seed, faulty=True)
    state = open_match(match, find_game(game))
    for event in match.events:
        state, _ = step(find_game(game), state, event)
        lying = [lying.token for pile in state.table.piles.values() for lying in pile]
        assert len(lying) == len(set(lying))
        if "start" in [e.what for e in match.events[: event.n] if isinstance(e, Declared)]:
            assert len(lying) == match.census


@every_game
@few
@given(seed=seeds)
def test_a_rule_has_nothing_to_say_on_moves_that_it_does_not_watch(game: str, seed: int) -> None:
    rules, match = find_game(game), legal_match(game, 2, seed, faulty=True, hands=2)
    state: State[Any] = open_match(match, rules)
    for event in match.events:
        state, _ = step(rules, state, event)
        for case in [act.case for act in state.recent if act.case.event.n == event.n]:
            asked = {rule.id for rule, _ in rules.watching(case)}
            for rule in rules.rules.values():
                if rule.check and type(case.event) in rule.watches and rule.id not in asked:
                    assert list(rule.check(case)) == [], f"{rule.id} watches {event} too"


@every_game
@few
@given(seed=seeds, cut=st.floats(0, 1))
def test_two_halves_with_the_state_saved_between_judge_alike(
    game: str, seed: int, cut: float
) -> None:
    match = legal_match(game, 2, seed, faulty=True)
    rules, rulings = find_game(game), []
    state: State[Any] = open_match(match, rules)
    for event in match.events:
        if event.n == round(cut * len(match.events)):
            state = pickle.loads(pickle.dumps(state))
        state, more = step(rules, state, event)
        rulings += more
    _, more = close(rules, state)
    assert (*rulings, *more) == rulings_of(match) == rulings_of(match)


@every_game
@few
@given(seed=seeds)
def test_a_printed_match_reads_back_and_judges_alike(game: str, seed: int) -> None:
    match = legal_match(game, 2, seed, faulty=True)
    (again,) = read_matches(write_match(match))
    assert again == match
    assert rulings_of(again) == rulings_of(match)


def not_read(event: Event, hidden: set[int]) -> Event:
    """Return the event without the face of its card where its number is one of those."""
    if event.n in hidden and isinstance(event, CardPlaced | CardTurned):
        return replace(event, card=replace(event.card, face="??"))
    return event


def places_of(event: Event) -> set[str]:
    names = (getattr(event, name, None) for name in ("zone", "origin", "target", "spot"))
    return {name for name in names if name}


@every_game
@settings(max_examples=6, deadline=None)
@given(seed=seeds, data=st.data())
def test_clean_play_that_is_seen_badly_is_never_blamed(
    game: str, seed: int, data: st.DataObject
) -> None:
    match = legal_match(game, 2, seed)
    numbers = st.integers(1, len(match.events))
    hidden = data.draw(st.sets(numbers, max_size=12))
    lost, last = data.draw(numbers), data.draw(st.integers(1, 30))
    places = sorted(set().union(*(places_of(event) for event in match.events)))
    blind = tuple(data.draw(st.lists(st.sampled_from([*places, "*"]), min_size=1, max_size=3)))
    events: list[Event] = []
    for event in match.events:
        if event.n == lost:
            events.append(ViewLost(n=0, t_ns=event.t_ns, zones=blind))
        if event.n == lost + last:
            events.append(ViewBack(n=0, t_ns=event.t_ns, zones=blind))
        events.append(not_read(event, hidden))
    told = tuple(replace(event, n=n) for n, event in enumerate(events, start=1))
    rulings = rulings_of(replace(match, events=told))
    assert [ruling_line(r) for r in rulings if r.kind == "VIOLATION"] == []


ZONES = (
    *("deck", "cut.1", "mid", "play.A", "play.B", "unused", "talon.1", "talon.3", "F.1", "F.2"),
    *("F.work.1", "nowhere", "A.row1"),
    *(
        f"{seat}.{part}"
        for seat in "ABC"
        for part in (
            *("arr.1", "arr.2", "arr.6", "held", "rest", "pile", "side.L", "closed", "open"),
            *("stack", "pile.1", "pile.5", "pile.7", "aside", "deck", "waste"),
            *("nerts", "work.1", "work.2", "stock"),
        )
    ),
)
FACES = ("7H", "8D", "8H", "AC", "2C", "2S", "KS", "A:7H", "B:AC", "A:2C", "B:2C", "B:X1", "X1")
zones = st.sampled_from(ZONES)
cards = st.sampled_from([*FACES, "3", "9", "18", "19", "??", "A:??", "(7H)", "(A:2C)"]).map(card)
actors = st.sampled_from(["A.R", "A.L", "B.R", "B.?", "C", "-"]).map(
    lambda text: Actor() if text == "-" else Actor(text[0], text[2:] or None)
)
WORDS = (
    "start choose name leader raise abandon finished call stuck joker blocked resume " * 2
).split()
ARGUMENTS = ("deck", "cut.1", "A", "B", "A:X1", "6H", "set", "forgive", "ruling", "play.A", "[7H]")
facing = st.booleans()
positions = st.sampled_from([None, None, 0, 1, 40])
FIELDS: dict[type[Event], dict[str, st.SearchStrategy[Any]]] = {
    CardPlaced: {
        "card": cards,
        "origin": zones,
        "target": zones,
        "up": facing,
        "under": facing,
        "pos": positions,
        "carry_ns": st.sampled_from([None, 10**9]),
    },
    CardLifted: {"card": cards, "zone": zones, "pos": positions},
    CardTurned: {"card": cards, "zone": zones, "up": facing, "pos": positions},
    PileMoved: {
        "origin": zones,
        "target": zones,
        "count": st.integers(1, 60),
        "flip": facing,
        "under": facing,
        "cards": st.lists(cards, max_size=4).map(tuple),
    },
    PileTaken: {"zone": zones, "count": st.integers(1, 60)},
    PileMixed: {"zone": zones},
    HandOn: {"zone": zones},
    HandOff: {"zone": zones},
    PadHit: {"spot": st.sampled_from(["mid", "play.A", "play.B", "elsewhere"])},
    Declared: {
        "what": st.sampled_from([*WORDS, "hand", "stalemate:draw", "claim", "operator", "noise"]),
        "words": st.lists(st.sampled_from(ARGUMENTS), max_size=3).map(tuple),
    },
    Dealt: {"zone": zones, "cards": st.lists(cards, max_size=6).map(tuple)},
    Configured: {"words": st.sampled_from([(), ("players=A",), ("target=x", "game=none")])},
    ViewLost: {"zones": st.lists(zones, min_size=1, max_size=2).map(tuple)},
    ViewBack: {"zones": st.sampled_from([("*",), ("play.A",)])},
    Reread: {"zone": zones, "old": cards, "new": cards, "pos": st.integers(0, 3)},
    Timer: {"name": st.sampled_from(["restart", "finish", "noise"])},
    Layout: {"rule": st.sampled_from(["NERVES-SET-10", "XIX-HAND-03", "NO-RULE-99"])},
}
happenings = st.one_of(
    *(
        st.builds(
            kind,
            n=st.just(0),
            t_ns=st.integers(0, 3 * 10**9),
            actor=actors,
            u_ns=st.sampled_from([None, None, 0, 10**9]),
            **fields,
        )
        for kind, fields in FIELDS.items()
    )
)
placements = st.lists(
    st.builds(
        Placement,
        zones,
        st.lists(st.builds(Laid, cards, facing), max_size=5).map(tuple),
    ),
    max_size=8,
    unique_by=lambda placement: placement.zone,
).map(tuple)


def verdict_on(match: Match) -> list[str]:
    """Return the refusal of a match, or its rulings in words."""
    try:
        return [ruling_line(ruling) for ruling in rulings_of(match)]
    except MatchError as refusal:
        return [str(refusal)]


@every_game
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_stream_whatever_gives_rulings_or_a_clear_refusal(
    game: str, data: st.DataObject
) -> None:
    rules = find_game(game)
    low, high = rules.seats
    flags = data.draw(
        st.lists(
            st.builds(
                Setting,
                st.sampled_from(
                    "lead strikes score loser totals owes picker chooserseat live".split()
                ),
                st.sampled_from(["A", "B", "A/7H/play.B", "1/2", "A:3,B:x", "", "Z"]),
            ),
            max_size=2,
        )
    )
    match = Match(
        id="M",
        title="",
        game=game,
        seats=tuple("ABC"[: min(max(low, 2 + data.draw(st.integers(0, 1))), high)]),
        phase=data.draw(st.sampled_from(rules.phases)),
        flags=tuple(flags),
        start=data.draw(placements),
        events=tuple(
            replace(event, n=n)
            for n, event in enumerate(data.draw(st.lists(happenings, max_size=25)), start=1)
        ),
    )
    said = verdict_on(match)
    assert said == verdict_on(match)
    assert not any("\n" in text for text in said)
