"""Every game keeps its promise: scripts that fire, near misses that stay quiet, options."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from referee.games import find_game, game_names
from referee.match import judge
from referee.notation import differences, read_matches
from referee.rulebook import Game, Option, Rule
from referee.values import Expected, Match, Ruling, Setting

GAMES = Path(__file__).parent / "games"
SCRIPTS = tuple(
    match
    for path in sorted(GAMES.glob("*.match"))
    for match in read_matches(path.read_text(encoding="utf-8"))
)
SIDE = re.compile(r"([A-Z]+-[A-Z]+-[0-9]+) (fires|quiet):")
CHOICE = re.compile(r"(?:[A-Z]+-[A-Z]+-[0-9]+|[a-z]+) option ([\w.]+)=(\S+?):")
# A shuffle that nobody saw and a count that differs are asked about, a cure is told (K-09, K-05).
ONLY_ASKED = ("XIX-SET-01", "SPY-SET-01", "NERTZ-SET-01", "NERTZ-SCORE-04", "NERVES-PLAY-04")
# The width of the middle spot: no event carries a measure by which it could be judged.
OF_THE_TABLE = ("nerves.mid_mm",)
BINDING = ("VIOLATION", "RACE", "SCORE", "END")
# A decision or duty may come of these without a check of its own: the game's step rules on it.
RULED = ("DUTY", "RACE", "SCORE", "END")


def unsaid(match: Match, rulings: Iterable[Ruling]) -> list[Expected]:
    """Return the lines of INFO, QUERY and NOT_OBSERVED that a match names and does not give."""
    said = {(r.n, r.kind, r.rule, r.winner or r.player) for r in rulings}
    named = [line for line in match.expected or () if line.kind not in BINDING]
    return [line for line in named if (line.n, line.kind, line.rule, line.who) not in said]


def is_shown(match: Match, rulings: Iterable[Ruling]) -> bool:
    """Return whether the rule that a title names fires, or stays quiet, as it says."""
    side = SIDE.match(match.title)
    if side is None:
        return True
    rule = find_game(match.game).rules[side[1]]
    told = {r.kind for r in rulings if r.rule == rule.id}
    quiet = told <= {"INFO"} if rule.severity != "info" else not told
    weighs = rule.severity == "info" or rule.id in ONLY_ASKED or told & set(BINDING)
    return bool(told and weighs) if side[2] == "fires" else quiet


def scripts_of(game: Game[Any]) -> tuple[Match, ...]:
    return tuple(match for match in SCRIPTS if match.game == game.name)


def sides(game: Game[Any]) -> dict[str, set[str]]:
    """Return for each rule the sides that scripts show."""
    shown: dict[str, set[str]] = {rule: set() for rule in game.rules}
    for match in scripts_of(game):
        if side := SIDE.match(match.title):
            shown.setdefault(side[1], set()).add(side[2])
    return shown


def is_watched(rule: Rule[Any]) -> bool:
    return rule.check is not None or (not rule.because and rule.kind in RULED)


def rules(wanted: str) -> list[Any]:
    return [
        pytest.param(game, rule, id=rule.id)
        for game in map(find_game, game_names())
        for rule in game.rules.values()
        if (is_watched(rule) if wanted == "watched" else not is_watched(rule))
        and (wanted == "watched" or rule.kind == "PERM")
    ]


@pytest.mark.parametrize("match", SCRIPTS, ids=lambda match: match.id)
def test_a_script_gives_exactly_its_rulings(match: Match) -> None:
    assert match.expected is not None
    assert differences(judge(match, find_game(match.game)), match.expected) == ()


@pytest.mark.parametrize("match", SCRIPTS, ids=lambda match: match.id)
def test_a_script_gives_the_remarks_and_questions_it_names(match: Match) -> None:
    assert unsaid(match, judge(match, find_game(match.game))) == []


@pytest.mark.parametrize(("game", "rule"), rules("watched"))
def test_a_watched_rule_has_a_script_that_fires_and_one_that_stays_quiet(
    game: Game[Any], rule: Rule[Any]
) -> None:
    assert sides(game)[rule.id] == {"fires", "quiet"}


@pytest.mark.parametrize(("game", "rule"), rules("permitted"))
def test_a_permission_has_a_script_that_stays_quiet(game: Game[Any], rule: Rule[Any]) -> None:
    assert "quiet" in sides(game)[rule.id]


def options() -> list[Any]:
    return [
        pytest.param(game, option, id=f"{game.name}-{option.name}")
        for game in map(find_game, game_names())
        for option in game.options
        # The sensors' uncertainties are the same in all games and tested with the races.
        if not option.name.startswith("race.")
    ]


@pytest.mark.parametrize(("game", "option"), options())
def test_an_option_has_a_script_on_each_side(game: Game[Any], option: Option) -> None:
    titles = (CHOICE.match(match.title) for match in scripts_of(game))
    shown = {title[2] for title in titles if title and title[1] == option.name}
    for value in shown:
        option.check(value)
    assert shown >= set(option.values)
    assert len(shown) >= 2, "a number needs a second value"


@pytest.mark.parametrize(("game", "option"), options())
def test_a_script_of_an_option_is_judged_otherwise_without_it(
    game: Game[Any], option: Option
) -> None:
    if f"{game.name}.{option.name}" in OF_THE_TABLE:
        return
    titles = ((CHOICE.match(match.title), match) for match in scripts_of(game))
    shown = [(title[2], match) for title, match in titles if title and title[1] == option.name]
    values = {*option.values, *(value for value, _ in shown)}
    for value, match in shown:
        as_it_is = tuple(judge(match, game))
        for other in sorted(values - {value}):
            if tuple(judge(match, game, (Setting(option.name, other),))) != as_it_is:
                return
    pytest.fail(f"no script shows what {option.name} changes")


@pytest.mark.parametrize("match", SCRIPTS, ids=lambda match: match.id)
def test_a_title_is_true(match: Match) -> None:
    game = find_game(match.game)
    assert is_shown(match, judge(match, game))
    if choice := CHOICE.match(match.title):
        given = game.settings((o.name, o.value) for o in match.options)
        assert given[choice[1]] == choice[2]
