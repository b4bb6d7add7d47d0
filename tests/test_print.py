"""The rule sheet: on the screen, for machines, and on paper."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Ended, one_line

from referee.commands.prints._sheet import rule_sheet
from referee.games import find_game, game_names

Run = Callable[..., Ended]


@pytest.mark.parametrize("name", game_names())
def test_every_rule_and_option_stands_on_one_to_three_pages(name: str) -> None:
    game = find_game(name)
    sheet = rule_sheet(game)
    assert 1 <= sheet.pages_count <= 3
    sheet.set_compression(False)
    printed = bytes(sheet.output())
    for rule in game.rules:
        assert f"({rule.removeprefix(f'{game.prefix}-')}) Tj".encode() in printed
    for option in game.options:
        if not option.name.startswith("race."):
            assert f"({option.name}) Tj".encode() in printed


@pytest.mark.parametrize("name", game_names())
def test_no_heading_of_a_sheet_comes_twice(name: str) -> None:
    game = find_game(name)
    headings = [game.heading_of(rule) for rule in game.rules.values()]
    runs = [new for old, new in zip(["", *headings], headings, strict=False) if old != new]
    assert len(runs) == len(set(runs))


def test_a_sheet_is_written(referee: Run, tmp_path: Path) -> None:
    file = tmp_path / "nerves.pdf"
    done = referee("print", "rules", "nerves", "-o", file, "--json")
    assert done.code == 0
    pages = rule_sheet(find_game("nerves")).pages_count
    assert json.loads(done.out) == {"file": str(file), "pages": pages}
    assert file.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("print", "rules", "whist", "-o", "x.pdf"), "whist"),
        (("print", "rules", "nerves", "-o", "no/such/folder.pdf"), "folder.pdf"),
        (("print",), "WHAT"),
        (("rules", "whist"), "whist"),
        (("rules", "nerves", "PLAY-99"), "PLAY-99"),
    ],
)
def test_what_cannot_be_printed_is_said_in_one_line(
    referee: Run, words: tuple[str, ...], said: str
) -> None:
    done = referee(*words)
    assert done.code == 2
    assert said in one_line(done.err)


def test_one_rule_is_told_with_its_source_remedy_and_examples(referee: Run) -> None:
    told = referee("rules", "nerves", "PLAY-03").out
    for word in ("NERVES-PLAY-03", "differ by", "7 on 9", "wrap=no/yes", "fault"):
        assert word in told


def test_machines_get_every_rule_with_the_same_fields(referee: Run) -> None:
    lines = referee("rules", "nerves", "--json").out.splitlines()
    rules = [json.loads(line) for line in lines]
    assert [rule["rule"] for rule in rules] == list(find_game("nerves").rules)
    assert len({tuple(rule) for rule in rules}) == 1
    assert all(rule["norm"] and rule["source"] for rule in rules)
