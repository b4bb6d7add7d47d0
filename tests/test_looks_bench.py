"""`referee bench looks`: scripted situations understood and judged without pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.__main__ import main
from referee.commands.benches._comparing import compared, miscounted, verdicts
from referee.notation import read_matches
from referee.values import Event, Expected, Ruling

EXAMPLES = str(Path(__file__).parent / "games" / "examples.match")
FOUL = """\
match FOUL A card of another suit on a foundation
  game nertz
  players A B
  phase PLAY
  state
    A.nerts | [A:5D] A:2H
    B.nerts | [B:4D] B:KS
    F.1 | B:AD
  events
    1 3.000 CardPlaced A.R A:2H A.nerts>F.1 up
  expect
    1 VIOLATION NERTZ-FOUND-02 A
"""


def _counts(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["bench", "looks", *words, "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    counts: dict[str, object] = json.loads(line)
    return counts


@pytest.mark.parametrize("start", ["known", "laid"])
def test_a_foul_from_a_table_laid_before_the_camera_saw_it_is_ruled(
    start: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "foul.match"
    file.write_text(FOUL, encoding="utf-8")
    counts = _counts(capsys, str(file), "--start", start, "--seeds", "2")
    assert (counts["matches"], counts["found"], counts["invented"]) == (2, 2, 0)
    assert (counts["fouls"], counts["ruled"], counts["accused"]) == (2, 2, 0)


def test_of_a_file_only_the_matches_of_a_game_that_begin_from_a_laid_table_are_looked_at(
    capsys: pytest.CaptureFixture[str],
) -> None:
    counts = _counts(capsys, EXAMPLES, "--game", "spy", "--seeds", "1")
    assert (counts["game"], counts["matches"], counts["accused"]) == ("spy", 14, 0)


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "looks", "nothing.match"]) == 2
    assert "nothing.match" in capsys.readouterr().err


def test_a_race_that_the_camera_left_open_is_no_false_one() -> None:
    acts = (Event(n=1, t_ns=5_000_000_000),)
    expected = (Expected(1, "RACE", "NERTZ-FOUND-07", "A"),)
    both_stay = Ruling(
        1, "RACE", "NERTZ-FOUND-08", None, 5_000_000_000, "too close to call: both stay",
        winner="tie", margin_ns=46_000_000, interval_ns=50_000_000,
    )  # fmt: skip

    found = verdicts("RACE", expected, acts, acts, [both_stay])

    assert (found.asked, found.unfounded) == (expected, ())


PACKET = """\
match CUT The halves of a cut deck; nobody sees from above how many cards they have
  game nerves
  players A B
  phase CUT
  events
    1 2.000 PileMoved A.R deck>cut.1 n={cut}
    2 4.000 PileMoved A.R cut.1>A.pile n={cut}
    3 6.000 PileTaken A.R {pile} n=32
"""


def test_a_packet_told_with_another_number_is_missed_and_said_to_be_miscounted() -> None:
    (true,) = read_matches(PACKET.format(cut=32, pile="A.pile"))
    (told,) = read_matches(PACKET.format(cut=26, pile="B.pile"))

    result = compared(true.events, told.events)

    assert [len(part) for part in (result.found, result.missed, result.invented)] == [0, 3, 3]
    assert miscounted(result) == 2


SHUFFLE = """\
match MIXED A deck is shuffled for three seconds
  game nertz
  players A B
  phase SETUP
  events
    1 {t_s} PileMixed A.? A.stock riffle{seen}
"""


@pytest.mark.parametrize(("t_s", "found"), [("2.500", 1), ("5.400", 1), ("6.000", 0)])
def test_a_shuffle_is_found_whether_its_begin_or_its_end_is_written_down(
    t_s: str, found: int
) -> None:
    (true,) = read_matches(SHUFFLE.format(t_s=t_s, seen=""))
    (told,) = read_matches(SHUFFLE.format(t_s="4.000", seen=" u=1.500 src=camera"))
    assert len(compared(true.events, told.events).found) == found
