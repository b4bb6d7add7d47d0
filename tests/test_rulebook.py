"""The rulebook: complete registries, orders of races, piles that remember."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games import find_game, game_names
from referee.match import open_match, step
from referee.notation import read_event
from referee.play import legal_match
from referee.rulebook import (
    Game,
    Instant,
    Lying,
    Move,
    OptionError,
    State,
    finish,
    lay,
    open_table,
    replace,
)
from referee.values import Laid, Placement, card

MS = 1_000_000


@pytest.mark.parametrize("name", game_names())
def test_every_rule_has_its_sentence_source_and_examples(name: str) -> None:
    game: Game = find_game(name)
    assert game.rules
    for rule in game.rules.values():
        assert rule.id.startswith(f"{game.prefix}-")
        assert rule.norm.endswith(".")
        assert all((rule.source, rule.ok, rule.no, rule.observer)), rule.id
        known = {option.name for option in game.options}
        assert set(rule.options) <= known, rule.id


def test_nerves_has_its_74_rules() -> None:
    assert len(find_game("nerves").rules) == 74


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(OptionError, match="wrap"):
        find_game("nerves").settings([("warp", "yes")])
    assert find_game("nerves").settings([("nerves.wrap", "yes")])["wrap"] == "yes"


instants = st.builds(Instant, st.integers(0, 10**9), st.integers(0, 10**8))


@settings(deadline=None)
@given(instants, instants, st.sampled_from([None, 0, 1]))
def test_a_race_does_not_depend_on_who_is_named_first(
    one: Instant, other: Instant, lower: int | None
) -> None:
    swapped = None if lower is None else 1 - lower
    there, back = finish(one, other, lower=lower), finish(other, one, lower=swapped)
    assert there.how == back.how
    assert back.first == (None if there.first is None else 1 - there.first)


@pytest.mark.parametrize(
    ("gap_ms", "draw_ms", "lower", "first", "how"),
    [
        (118, None, None, 0, "clocks"),
        (3, None, None, None, "dead heat"),
        (3, None, 1, 1, "order"),
        (40, 40, 0, None, "window"),
        (41, 40, None, 0, "clocks"),
        (41, None, 1, None, "contradiction"),
    ],
)
def test_the_order_of_two_hits(
    gap_ms: int, draw_ms: int | None, lower: int | None, first: int | None, how: str
) -> None:
    draw_ns = None if draw_ms is None else draw_ms * MS
    race = finish(Instant(0, 2 * MS), Instant(gap_ms * MS, 2 * MS), draw_ns=draw_ns, lower=lower)
    assert (race.first, race.how) == (first, how)


def test_a_covered_card_is_known_again_when_its_pile_is_turned() -> None:
    start = (Placement("A.waste", (Laid(card("A:3D"), True), Laid(card("A:QC"), True))),)
    table = open_table(start, fresh=True, groups=())
    for line in (
        "1 1.0 PileMoved A.L A.waste>A.stock n=2 flip",
        "2 2.0 PileMoved A.L A.stock>A.waste n=2 flip",
    ):
        table = lay(table, read_event(line)).table
    pile = table.pile("A.waste")
    assert [str(table.face(lying.token)) for lying in pile] == ["A:3D", "A:QC"]
    assert all(lying.up for lying in pile)


def test_a_mixed_pile_forgets_which_card_is_which() -> None:
    start = (Placement("deck", (Laid(card("3D"), True), Laid(card("QC"), True))),)
    table = lay(
        open_table(start, fresh=True, groups=()), read_event("1 1.0 PileMixed A.? deck wash")
    ).table
    assert len(table.pile("deck")) == 2
    assert not any(table.face(lying.token).known for lying in table.pile("deck"))


def test_a_value_of_the_rulebook_is_frozen_and_behaves_like_any_dataclass() -> None:
    move = Move((1, 2), "A.rest", target="play.A", depth=3)
    assert move == Move(origin="A.rest", target="play.A", tokens=(1, 2), depth=3)
    assert hash(Lying(1, True)) == hash(Lying(1, True))
    assert repr(Lying(1, True)) == "Lying(token=1, up=True)"
    assert replace(move, depth=0) == Move((1, 2), "A.rest", "play.A")
    assert pickle.loads(pickle.dumps(move)) == move
    with pytest.raises(FrozenInstanceError):
        move.depth = 4  # type: ignore[misc]
    with pytest.raises(TypeError):
        replace(move, deepness=4)
    with pytest.raises(TypeError):
        Move((1, 2))


def test_many_deals_do_not_make_the_state_larger() -> None:
    game, n, sizes = find_game("nerds"), 0, []
    state: State = open_match(legal_match("nerds", 2, 0), game)
    for seed in range(8):
        for event in legal_match("nerds", 2, seed).events:
            n += 1
            state, _ = step(game, state, replace(event, n=n, t_ns=seed * 10**13 + event.t_ns))
        sizes.append(len(pickle.dumps(state)))
    assert max(sizes[2:]) < 2 * max(sizes[:2])
