"""The commands about the record: matches, dispute, report, export, replay."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT, Ended, one_line
from hypothesis import given
from hypothesis import strategies as st

from referee.__main__ import main
from referee.app.recording import record_match
from referee.games import find_game
from referee.match import judge
from referee.notation import differences, read_matches, write_match
from referee.record import Folder, read_log, verify
from referee.record.exporting import exported, safe_cell
from referee.record.figures import figures_of, reactions, running, story, winner
from referee.record.intervals import Act, probability_first
from referee.record.report_pdf import plain
from referee.record.words import ruling_words
from referee.values import Ruling, Setting

EXAMPLES = {
    match.id: match
    for match in read_matches((ROOT / "tests/games/examples.match").read_text(encoding="utf-8"))
}
EVENING = {
    match.id: match
    for match in read_matches((ROOT / "tests/record/evening.match").read_text(encoding="utf-8"))
}
NAMES = (Setting("A", "Ann"), Setting("B", "Čeněk <b>"))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of three matches: Nerves with a fault, Nerds with races, XIX."""
    root = tmp_path_factory.mktemp("record")
    played = (
        (EVENING["NERVES-2-2-FAULTY"], "2026-11-19T19:30:00.000Z"),
        (EVENING["NERDS-3-2-FAULTY"], "2026-11-20T19:30:00.000Z"),
        (EXAMPLES["XIX-FULL"], "2026-11-21T19:30:00.000Z"),
    )
    for match, began_utc in played:
        record_match(Folder(root), match, NAMES, began_utc)
    return root


@pytest.fixture
def run(record: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """A command on the record, in this process."""

    def run_it(*words: str | Path) -> Ended:
        code = main([*map(str, words), "--record", str(record)])
        told = capsys.readouterr()
        return Ended(code, told.out, told.err)

    return run_it


Run = Callable[..., Ended]


def objects(done: Ended) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.out.splitlines()]


def test_all_matches_are_listed(run: Run) -> None:
    done = run("matches", "--json")
    assert (done.code, done.err) == (0, "")
    assert [row["match"] for row in objects(done)] == [
        "NERDS-3-2-FAULTY",
        "NERVES-2-2-FAULTY",
        "XIX-FULL",
    ]
    text = run("matches").out
    assert "A Ann, B Čeněk <b>" in text


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("--game", "nerds"), ["NERDS-3-2-FAULTY"]),
        (("--player", "ann", "--game", "xix"), ["XIX-FULL"]),
        (("--player", "c"), ["NERDS-3-2-FAULTY"]),
        (("--player", "Nobody"), []),
        (("--since", "2026-11-21"), ["XIX-FULL"]),
        (("--until", "2026-11-19"), ["NERVES-2-2-FAULTY"]),
    ],
)
def test_matches_are_found(run: Run, words: tuple[str, ...], found: list[str]) -> None:
    assert [row["match"] for row in objects(run("matches", "--json", *words))] == found


def test_a_players_figures(run: Run, record: Path) -> None:
    (ann,) = objects(run("matches", "--stats", "--player", "Ann", "--json"))
    told = [story(read_log(path)) for path in Folder(record).logs()]
    assert ann["matches"] == 3
    assert ann["won"] == sum(winner(one.head, one.rulings) == "A" for one in told)
    faults = [r for one in told for r in one.rulings if (r.kind, r.player) == ("VIOLATION", "A")]
    assert sum(dict(ann["fouls"]).values()) == len(faults) > 0
    assert int(str(ann["reaction_ms"])) > 0
    assert figures_of("nobody at all", told).matches == 0


def test_untouched_matches_verify(run: Run) -> None:
    done = run("matches", "--verify")
    assert done.code == 0
    assert done.out.count("whole ") == 3


def test_a_changed_match_is_named_and_the_exit_code_says_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record_match(Folder(tmp_path), EXAMPLES["XIX-FULL"])
    data = path.read_bytes()
    at = data.index(b"CardPlaced A.R")
    path.write_bytes(data[:at] + b"CardPlaced B.R" + data[at + 14 :])
    assert main(["matches", "--verify", "XIX-FULL", "--record", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert re.search(r"CHANGED  XIX-FULL: row \d+ was altered", told)


def test_a_printed_hash_proves_its_match(run: Run, record: Path) -> None:
    printed = read_log(Folder(record).log("XIX-FULL")).head_hash
    assert run("matches", "--verify", "XIX-FULL", "--head", printed).code == 0
    assert run("matches", "--verify", "NERDS-3-2-FAULTY", "--head", printed).code == 1


@pytest.mark.parametrize("name", ["NERVES-2-2-FAULTY", "NERDS-3-2-FAULTY", "XIX-FULL"])
def test_an_exported_match_is_judged_as_it_was(run: Run, name: str) -> None:
    (match,) = read_matches(run("export", name).out)
    assert match.expected
    rulings = judge(match, find_game(match.game))
    assert differences(rulings, match.expected) == ()


def test_json_lines_make_the_same_log_again(run: Run, record: Path, tmp_path: Path) -> None:
    file = tmp_path / "exported.jsonl"
    file.write_text(run("export", "NERVES-2-2-FAULTY", "--json").out, encoding="utf-8")
    there = tmp_path / "there"
    assert main(["matches", "--import", str(file), "--record", str(there)]) == 0
    again = read_log(Folder(there).log("NERVES-2-2-FAULTY"))
    first = read_log(Folder(record).log("NERVES-2-2-FAULTY"))
    assert again.rows == first.rows
    assert again.head_hash == first.head_hash
    assert verify(again.path).fault is None
    assert main(["matches", "--import", str(file), "--record", str(there)]) == 0


def test_an_export_that_was_changed_is_not_taken_in(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "changed.jsonl"
    text = run("export", "XIX-FULL", "--json").out
    file.write_text(text.replace("CardPlaced A.R", "CardPlaced B.R", 1), encoding="utf-8")
    assert main(["matches", "--import", str(file), "--record", str(tmp_path)]) == 2
    assert "was changed: row" in one_line(capsys.readouterr().err)
    assert not Folder(tmp_path).logs()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}\n", "line 1 is no row"),
        ('{"row":1}\n', "line 1 is no row"),
        ("[1,2]", "a match begins with"),
        ("match X\n game nowhere\n events\n", "is no game"),
        ('{"row":1,"kind":"head","body":"{}","hash":"' + "0" * 64 + '"}', "was changed"),
    ],
)
def test_what_is_no_match_is_not_taken_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    file = tmp_path / "what.match"
    file.write_text(text, encoding="utf-8")
    assert main(["matches", "--import", str(file), "--record", str(tmp_path / "r")]) == 2
    assert reason in one_line(capsys.readouterr().err)


def test_a_match_text_is_taken_in_judged_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = ROOT / "tests" / "games" / "spy-whole.match"
    assert main(["matches", "--import", str(source), "--record", str(tmp_path)]) == 0
    first = read_matches(source.read_text(encoding="utf-8"))[0]
    # Taken in once more, nothing happens; another match of that name is refused.
    assert main(["matches", "--import", str(source), "--record", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith(f"{source}: already there\n")
    other = tmp_path / "other.match"
    other.write_text(write_match(replace(first, events=first.events[:5])), encoding="utf-8")
    assert main(["matches", "--import", str(other), "--record", str(tmp_path)]) == 2
    assert "already recorded" in one_line(capsys.readouterr().err)
    told = story(read_log(Folder(tmp_path).log(first.id)))
    assert differences(told.rulings, first.expected or ()) == ()


def test_the_table_has_a_line_for_each_event_and_ruling(run: Run, record: Path) -> None:
    log = read_log(Folder(record).log("NERVES-2-2-FAULTY"))
    rows = list(csv.DictReader(io.StringIO(exported(log, "csv"))))
    assert sum(row["kind"] == "event" for row in rows) == sum(1 for _ in log.of("event"))
    faults = [row for row in rows if row["what"] == "VIOLATION"]
    assert [row["rule"] for row in faults] == ["NERVES-PLAY-03"]
    assert run("export", "NERVES-2-2-FAULTY", "--format", "csv").out == exported(log, "csv")


@given(st.text())
def test_no_cell_is_a_formula(text: str) -> None:
    assert not safe_cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_a_replay_tells_events_and_rulings_again(run: Run, record: Path) -> None:
    done = run("replay", "NERVES-2-2-FAULTY", "--speed", "0", "--json")
    assert (done.code, done.err) == (0, "")
    log = read_log(Folder(record).log("NERVES-2-2-FAULTY"))
    rows = objects(done)
    assert sum("event" in row for row in rows) == sum(1 for _ in log.of("event"))
    assert sum("rule" in row and "kind" in row for row in rows) == sum(1 for _ in log.of("ruling"))
    times = [float(str(row["t"])) for row in rows]
    assert times == sorted(times)


def test_a_replay_of_a_script(run: Run) -> None:
    script = ROOT / "tests" / "games" / "spy-whole.match"
    done = run("replay", script, "--speed", "0")
    assert done.code == 0
    assert "  ! " in done.out


def test_disputes_are_listed_and_shown(run: Run) -> None:
    listed = run("dispute", "NERDS-3-2-FAULTY")
    assert (listed.code, listed.err) == (0, "")
    assert "race NERDS-ACE-06: C was first" in listed.out
    rows = objects(run("dispute", "NERDS-3-2-FAULTY", "--json"))
    race = next(row for row in rows if row["kind"] == "RACE")
    shown = run("dispute", "NERDS-3-2-FAULTY", str(race["dispute"]))
    assert "± 40 ms" in shown.out
    assert "was first with a probability of" in shown.out
    assert "what was not seen:  nothing" in shown.out
    (told,) = objects(run("dispute", "NERDS-3-2-FAULTY", str(race["dispute"]), "--json"))
    assert len(list(told["acts"])) == 2
    assert told["norm"]


def test_a_review_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record_match(Folder(tmp_path), EVENING["NERVES-2-2-FAULTY"])
    here = ["NERVES-2-2-FAULTY", "1", "--record", str(tmp_path)]
    assert main(["dispute", *here, "--open", "--by", "A", "--reason", "it was red"]) == 0
    assert main(["dispute", *here, "--withdraw"]) == 2
    assert "needs a reason" in one_line(capsys.readouterr().err)
    assert main(["dispute", *here, "--withdraw", "--reason", "the frames show it"]) == 0
    assert "no longer: " in capsys.readouterr().out
    assert main(["dispute", *here]) == 0
    told = capsys.readouterr().out
    assert "by A: it was red" in told
    assert "withdraw" in told
    assert main(["matches", "--verify", "--record", str(tmp_path)]) == 0


@pytest.mark.parametrize("name", ["NERVES-2-2-FAULTY", "NERDS-3-2-FAULTY", "XIX-FULL"])
def test_a_report_is_one_page_that_needs_nothing_else(
    run: Run, record: Path, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "report.html"
    assert run("report", name, "-o", file).code == 0
    page = file.read_text(encoding="utf-8")
    log = read_log(Folder(record).log(name))
    assert log.head_hash in page
    assert "Čeněk &lt;b&gt;" in page
    assert "Čeněk <b>" not in page
    assert not re.search(r"(src|href)=[\"']?(?!data:)", page)
    for heading in ("Players", "The course of the match", "What was not observed", "Options"):
        assert f">{heading}" in page
    for ruling in story(log).rulings:
        if ruling.kind in ("VIOLATION", "RACE", "END"):
            assert ruling.rule in page
    assert page.count("<svg") >= 2


@pytest.mark.parametrize(
    ("ruling", "words"),
    [
        (
            Ruling(1, "VIOLATION", "R", "A", 0, "5S on 8H differs by 3", remedy="take it back"),
            "Ann: 5♠ on 8♥ differs by 3; remedy: take it back",
        ),
        (Ruling(1, "VIOLATION", "R", "A", 0, "A plays face down"), "Ann plays face down"),
        (
            Ruling(1, "RACE", "R", None, 0, "B first by 20 ms on play.A; A gets 9S", winner="B"),
            "Ben was first by 20 ms on Ann's playing pile; Ann gets 9♠",
        ),
        (
            Ruling(1, "RACE", "R", None, 0, "B play.B; A gets play.A", winner="B"),
            "Ben was first: Ben's playing pile; Ann gets Ann's playing pile",
        ),
        (Ruling(1, "END", "R", "A", 0, "A wins", winner="A"), "Ann wins"),
        (
            Ruling(1, "QUERY", "R", "A", 0, "was play.A empty?"),
            "Ann: was Ann's playing pile empty?",
        ),
    ],
)
def test_a_ruling_is_told_with_names_cards_and_places(
    record: Path, ruling: Ruling, words: str
) -> None:
    told = story(read_log(Folder(record).log("NERVES-2-2-FAULTY")))
    named = replace(told.head, players=(Setting("A", "Ann"), Setting("B", "Ben")))
    assert ruling_words(replace(told, head=named), ruling) == words


def text_of_pdf(data: bytes) -> str:
    """Return the words of a PDF: what its uncompressed pages write with Tj and TJ."""
    pages = []
    for found in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            pages.append(zlib.decompress(found[1]).decode("latin-1"))
        except zlib.error:
            continue
    return "\n".join(re.findall(r"\((.*?)(?<!\\)\) Tj", "\n".join(pages)))


def test_a_report_on_paper_says_the_same(run: Run, record: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    assert run("report", "NERVES-2-2-FAULTY", "-o", file).code == 0
    data = file.read_bytes()
    assert data.startswith(b"%PDF-")
    words = text_of_pdf(data)
    log = read_log(Folder(record).log("NERVES-2-2-FAULTY"))
    assert log.head_hash in words
    assert "Ann and Cenek <b>" in words, "accents that the font lacks are dropped"
    assert "NERVES-PLAY-03" in words


@given(st.text())
def test_paper_takes_any_name(name: str) -> None:
    assert len(plain(name).encode("latin-1")) >= len(name)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("dispute", "nowhere"), "no match 'nowhere'"),
        (("dispute", "XIX-FULL", "99"), "has no dispute 99"),
        (("dispute", "XIX-FULL", "--confirm"), "which dispute"),
        (("dispute", "NERDS-3-2-FAULTY", "1", "--change", "colour=red"), "card=, player="),
        (("report", "XIX-FULL", "-o", "match.doc"), "a .html or a .pdf file"),
        (("report", "XIX-FULL", "-o", "/no/such/folder/x.html"), "cannot be written"),
        (("export", "../x"), "no match"),
        (("replay", "nowhere.match"), "No such file"),
        (("matches", "--head", "12"), "name it with --verify ID"),
        (("matches", "--import", "nowhere.match"), "No such file"),
    ],
)
def test_bad_input_gets_one_clear_line(run: Run, words: tuple[str, ...], reason: str) -> None:
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert reason in one_line(done.err)


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "x", "--speed", "-1"),
        ("matches", "--since", "yesterday"),
        ("matches", "--prune", "much"),
        ("export", "x", "--format", "pgn"),
    ],
)
def test_a_wrong_setting_is_told(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    one_line(capsys.readouterr().err)


def test_an_empty_record_is_no_fault(referee: Callable[..., Ended], tmp_path: Path) -> None:
    done = referee("matches", "--record", tmp_path)
    assert done.code == 0
    assert "no such match" in one_line(done.err)


def test_a_damaged_log_does_not_hide_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record_match(Folder(tmp_path), EXAMPLES["XIX-FULL"])
    Folder(tmp_path).log("BROKEN").write_bytes(b"no log at all")
    assert main(["matches", "--json", "--record", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert [json.loads(line)["match"] for line in told.out.splitlines()] == ["XIX-FULL"]
    assert "this is no match log" in one_line(told.err)


def test_a_shorter_name_finds_its_match(run: Run) -> None:
    assert run("export", "xix", "--format", "csv").code == 0


@pytest.mark.parametrize(
    ("gap_ms", "u_ms", "least", "most"),
    [(0, 25, 0.5, 0.5), (50, 25, 0.994, 0.998), (10, 0, 1.0, 1.0), (-50, 25, 0.002, 0.006)],
)
def test_the_probability_of_being_first(gap_ms: int, u_ms: int, least: float, most: float) -> None:
    """50 ms at 95 % bounds of 25 ms each: 50 / (25 * sqrt(2) / 1.96) = 2.77 sigmas."""
    one = Act("A", 0, u_ms * 10**6, "")
    other = Act("B", gap_ms * 10**6, u_ms * 10**6, "")
    assert least <= probability_first(one, other) <= most


def test_totals_grow_hand_by_hand(record: Path) -> None:
    told = story(read_log(Folder(record).log("XIX-FULL")))
    totals = running(told.head, told.rulings)
    last = [ruling for ruling in told.rulings if ruling.kind == "SCORE"][-1]
    assert totals[-1] == last.scores


def test_a_reaction_is_an_answer_to_somebody_else(record: Path) -> None:
    told = story(read_log(Folder(record).log("NERVES-2-2-FAULTY")))
    found = reactions(told.events)
    assert found
    for one in found:
        before = [e for e in told.events if e.t_ns == one.t_ns - one.took_ns]
        assert any(event.actor.seat not in (None, one.seat) for event in before)
