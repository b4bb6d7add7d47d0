"""The log: what was announced is kept, whatever happens, and no change of it goes unseen."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import HANG_S, ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.app.recording import head_of, record_match
from referee.app.sitting import Sitting
from referee.games import find_game
from referee.notation import read_matches
from referee.record import (
    Folder,
    Recorder,
    RecordError,
    begin_record,
    create_log,
    open_log,
    read_log,
    schema,
    verify,
)
from referee.record.folder import anchors_of
from referee.record.head import head_text
from referee.record.notes import Ended, note_text
from referee.record.reading import events_of, rulings_of
from referee.record.schema import VERSION
from referee.record.texts import read_ruling, ruling_text
from referee.values import KINDS, Event, Match, Points, Ruling, Setting

EXAMPLES = read_matches((ROOT / "tests/games/examples.match").read_text(encoding="utf-8"))
FAULTY = read_matches((ROOT / "tests/record/evening.match").read_text(encoding="utf-8"))[0]
VERSION_1 = ROOT / "tests" / "record" / "version-1.log"


def played(root: Path, match: Match = FAULTY) -> Path:
    return record_match(Folder(root), match)


def recorder(root: Path, match: Match = FAULTY) -> tuple[Sitting, Recorder]:
    game = find_game(match.game)
    kept = begin_record(Folder(root), head_of(match, game))
    return Sitting(match, game, listeners=[kept]), kept


@pytest.mark.parametrize("match", EXAMPLES[:: len(EXAMPLES) // 12], ids=lambda match: match.id)
def test_a_match_is_kept_without_loss(tmp_path: Path, match: Match) -> None:
    sitting, kept = recorder(tmp_path, match)
    rulings = [ruling for event in match.events for ruling in sitting.feed(event)]
    rulings += sitting.close()
    kept.close()
    log = read_log(Folder(tmp_path).log(match.id))
    assert log.fault is None
    assert events_of(log) == tuple(
        replace(event, n=n) for n, event in enumerate(match.events, start=1)
    )
    assert [ruled.ruling for ruled in rulings_of(log)] == rulings
    assert log.head.match == replace(match, events=(), expected=None)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
RULINGS = st.builds(
    Ruling,
    n=st.integers(1, 10**6),
    kind=st.sampled_from(KINDS),
    rule=TEXTS,
    player=st.none() | TEXTS,
    t_ns=st.integers(0, 2**62),
    text=TEXTS,
    margin_ns=st.none() | st.integers(0, 2**40),
    p_first=st.none() | st.floats(0, 1),
    scores=st.none() | st.lists(st.builds(Points, TEXTS, st.integers(-999, 999))).map(tuple),
    options=st.lists(TEXTS).map(tuple),
)


@given(RULINGS)
def test_a_ruling_is_written_without_loss(ruling: Ruling) -> None:
    assert read_ruling(ruling_text(ruling)) == ruling


def test_a_ruling_is_on_the_disk_before_anyone_hears_of_it(tmp_path: Path) -> None:
    path = Folder(tmp_path).log(FAULTY.id)

    class Announcer:
        def __init__(self) -> None:
            self.heard: list[Ruling] = []

        def on_event(self, event: object) -> None:
            """Events are nothing to announce."""

        def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
            self.heard += rulings
            kept = [ruled.ruling for ruled in rulings_of(read_log(path))]
            assert kept == self.heard

    game = find_game(FAULTY.game)
    kept = begin_record(Folder(tmp_path), head_of(FAULTY, game))
    announcer = Announcer()
    sitting = Sitting(FAULTY, game, listeners=[kept, announcer])
    for event in FAULTY.events:
        sitting.feed(event)
    kept.close()
    assert announcer.heard


def test_what_has_waited_long_enough_becomes_durable_without_a_ruling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting, kept = recorder(tmp_path)
    path = Folder(tmp_path).log(FAULTY.id)
    monkeypatch.setattr("referee.record.recorder.BATCH_NS", 10**12)
    sitting.feed(FAULTY.events[0])
    kept.tend()
    assert events_of(read_log(path)) == ()
    monkeypatch.setattr("referee.record.recorder.BATCH_NS", -1)
    kept.tend()
    assert events_of(read_log(path)) == FAULTY.events[:1]
    kept.close("stopped")


def change(path: Path, sql: str, *values: object) -> None:
    """Change a log as somebody would who knows SQLite and takes the triggers away for it."""
    with sqlite3.connect(path) as database:
        triggers = database.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute(sql, values)
        for _, text in triggers:
            database.execute(text)
    database.close()


def test_an_altered_row_is_named(tmp_path: Path) -> None:
    path = played(tmp_path)
    change(path, "UPDATE log SET body = body || '1' WHERE row = 63")
    found = verify(path)
    assert (found.row, found.fault) == (
        63,
        "row 63 was altered, or one was put in or taken out there",
    )


def test_a_removed_row_is_named(tmp_path: Path) -> None:
    path = played(tmp_path)
    change(path, "DELETE FROM log WHERE row = 40")
    assert verify(path).fault == "row 40 was removed"


def test_an_inserted_row_is_named(tmp_path: Path) -> None:
    path = played(tmp_path)
    change(path, "UPDATE log SET row = -row - 1 WHERE row >= 40")
    change(path, "UPDATE log SET row = -row WHERE row < 0")
    change(path, "INSERT INTO log SELECT 40, kind, body, hash FROM log WHERE row = 30")
    assert verify(path).fault == "row 40 was inserted"


def test_rows_cut_off_the_end_are_missed(tmp_path: Path) -> None:
    path = played(tmp_path)
    rows = len(read_log(path).rows)
    change(path, "DELETE FROM log WHERE row > ?", rows - 3)
    found = verify(path)
    assert found.row == rows - 2
    assert "was removed, and all after it" in str(found.fault)


def test_a_chain_made_anew_is_told_by_what_was_noted_outside(tmp_path: Path) -> None:
    path = played(tmp_path)
    whole = read_log(path)
    printed = whole.head_hash
    noted = anchors_of(path).read_bytes()
    path.unlink()
    writer = create_log(path, whole.rows[0].body)
    for row in whole.rows[1:]:
        writer.append(row.kind, row.body.replace('"VIOLATION"', '"INFO"'))
    writer.close()
    anchors_of(path).write_bytes(noted)
    assert "the chain made anew" in str(verify(path).fault)
    anchors_of(path).unlink()
    assert verify(path).fault is None
    assert "not the one that was reported" in str(verify(path, printed).fault)


@pytest.mark.parametrize("sql", ["UPDATE log SET body = ''", "DELETE FROM log"])
def test_sqlite_itself_refuses_to_change_a_row(tmp_path: Path, sql: str) -> None:
    path = played(tmp_path)
    with sqlite3.connect(path) as database, pytest.raises(sqlite3.IntegrityError):
        database.execute(sql)
    database.close()
    assert verify(path).fault is None


def test_triggers_taken_away_are_missed(tmp_path: Path) -> None:
    path = played(tmp_path)
    with sqlite3.connect(path) as database:
        database.execute("DROP TRIGGER log_is_never_changed")
    database.close()
    assert "triggers" in str(verify(path).fault)


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=300))
def test_any_file_gets_one_clear_line(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / "any.log"
    path.write_bytes(data)
    with pytest.raises(RecordError) as told:
        read_log(path)
    assert "\n" not in str(told.value)
    assert verify(path).fault


def test_a_power_cut_within_a_commit_loses_nothing_announced(tmp_path: Path) -> None:
    """The file of the newest rows is cut at every 53rd byte of the last transaction."""
    sitting, kept = recorder(tmp_path / "live")
    path = Folder(tmp_path / "live").log(FAULTY.id)
    beside = path.with_name(f"{path.name}-wal")
    for event in FAULTY.events[:80]:
        sitting.feed(event)
    kept.flush()
    safe, announced = beside.stat().st_size, read_log(path).rows
    noted = anchors_of(path).read_bytes()
    for event in FAULTY.events[80:100]:
        sitting.feed(event)
    kept.flush()
    whole = beside.read_bytes()
    assert len(whole) > safe
    for cut in range(safe, len(whole), 53):
        there = tmp_path / "cut" / path.name
        there.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, there)
        there.with_name(f"{path.name}-wal").write_bytes(whole[:cut])
        anchors_of(there).write_bytes(noted)
        assert verify(there).fault is None
        assert read_log(there).rows[: len(announced)] == announced
        shutil.rmtree(there.parent)
    kept.close("stopped")


def test_a_power_cut_within_a_noted_hash_is_no_change(tmp_path: Path) -> None:
    """The last line of the noted hashes is cut anywhere; the match goes on behind it."""
    sitting, kept = recorder(tmp_path)
    feed_all(sitting, FAULTY.events)
    kept.close("stopped")
    path = Folder(tmp_path).log(FAULTY.id)
    noted = anchors_of(path).read_bytes()
    last = len(noted.splitlines(keepends=True)[-1])
    for cut in range(1, last + 1, 9):
        anchors_of(path).write_bytes(noted[:-cut])
        assert verify(path).fault is None
        writer = open_log(path)
        writer.append("end", note_text(Ended(0, "stopped")))
        writer.close()
        found = verify(path)
        assert (found.fault, found.anchored_row) == (None, found.rows)


def test_a_power_cut_while_the_file_is_joined_loses_nothing(tmp_path: Path) -> None:
    """The main file is cut where the newest rows are copied into it; they lie beside it still."""
    sitting, kept = recorder(tmp_path / "live")
    path = Folder(tmp_path / "live").log(FAULTY.id)
    for event in FAULTY.events[:80]:
        sitting.feed(event)
    kept.flush()
    announced = read_log(path).rows
    beside = path.with_name(f"{path.name}-wal").read_bytes()
    before = path.stat().st_size
    kept.close("stopped")
    joined = path.read_bytes()
    for cut in range(before, len(joined), 997):
        there = tmp_path / "cut" / path.name
        there.parent.mkdir(exist_ok=True)
        there.write_bytes(joined[:cut])
        there.with_name(f"{path.name}-wal").write_bytes(beside)
        assert read_log(there).rows[: len(announced)] == announced
        shutil.rmtree(there.parent)


def feed_all(sitting: Sitting, events: tuple[Event, ...]) -> None:
    for event in events:
        sitting.feed(event)


def limited(bytes_: int) -> None:
    """Let this process write files up to a size only, as a full disk does."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, resource.RLIM_INFINITY))


def test_a_full_disk_is_told_before_anything_is_announced(tmp_path: Path) -> None:
    sitting, kept = recorder(tmp_path)
    path = Folder(tmp_path).log(FAULTY.id)
    for event in FAULTY.events[:10]:
        sitting.feed(event)
    kept.flush()
    announced = read_log(path).rows
    beside = path.with_name(f"{path.name}-wal")
    limited(beside.stat().st_size + 1000)
    try:
        with pytest.raises(RecordError) as told:
            feed_all(sitting, FAULTY.events[10:])
    finally:
        limited(resource.RLIM_INFINITY)
    assert "\n" not in str(told.value)
    assert read_log(path).rows == announced
    # Room was made: what waited is written now.
    kept.flush()
    assert len(read_log(path).rows) > len(announced)
    kept.close("stopped")
    assert verify(path).fault is None


READER = """
import os, sys
from pathlib import Path
from referee.record import read_log, create_log, RecordError, verify
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
path = Path(sys.argv[1])
print(len(read_log(path).rows), verify(path).fault)
try:
    create_log(path.with_name("new.log"), "{}")
except RecordError as error:
    print(error)
"""


def test_a_read_only_folder_can_be_read_and_says_so_when_written(tmp_path: Path) -> None:
    """Also where the newest rows lie beside the log still, as after a power cut."""
    sitting, kept = recorder(tmp_path / "live")
    for event in FAULTY.events[:60]:
        sitting.feed(event)
    kept.flush()
    live = Folder(tmp_path / "live").log(FAULTY.id)
    folder = tmp_path / "locked"
    folder.mkdir()
    for file in live.parent.iterdir():
        if not file.name.endswith("-shm"):
            shutil.copyfile(file, folder / file.name)
    rows = len(read_log(live).rows)
    kept.close("stopped")
    # As `nobody`, because root may write everywhere; the way there must be open to all.
    for above in (folder, *folder.parents):
        if above.stat().st_uid == os.getuid() and above != Path("/"):
            above.chmod(0o555 if above == folder else above.stat().st_mode | 0o055)
    done = subprocess.run(
        [sys.executable, "-c", READER, str(folder / live.name)],
        capture_output=True,
        text=True,
        timeout=HANG_S,
        cwd=ROOT,
    )
    folder.chmod(0o755)
    assert done.stderr == ""
    counted, refused = done.stdout.splitlines()
    assert counted == f"{rows} None"
    assert "new.lock: the file cannot be opened" in refused or "read-only" in refused


def test_two_referees_cannot_write_one_match(tmp_path: Path) -> None:
    sitting, kept = recorder(tmp_path)
    sitting.feed(FAULTY.events[0])
    path = Folder(tmp_path).log(FAULTY.id)
    with pytest.raises(RecordError, match="another referee is writing this match"):
        open_log(path)
    with pytest.raises(RecordError, match="another referee is writing this match"):
        create_log(path, head_text(head_of(FAULTY, find_game("nerves"))))
    kept.close()


def test_a_match_is_recorded_once(tmp_path: Path) -> None:
    played(tmp_path)
    with pytest.raises(RecordError, match="already recorded"):
        played(tmp_path)


def test_what_a_crash_left_of_a_match_not_begun_is_no_match(tmp_path: Path) -> None:
    path = Folder(tmp_path).log(FAULTY.id)
    path.parent.mkdir(parents=True)
    path.touch()
    assert read_log(played(tmp_path)).fault is None


def test_a_log_of_the_first_version_opens(tmp_path: Path) -> None:
    path = tmp_path / VERSION_1.name
    shutil.copyfile(VERSION_1, path)
    assert verify(path).fault is None
    log = read_log(path)
    assert log.head.match.game == "nerves"
    assert log.head.players == (Setting("A", "Ann"), Setting("B", "Bo"))
    assert len(events_of(log)) == 55
    assert [ruled.ruling.kind for ruled in rulings_of(log)][-1] == "VIOLATION"
    writer = open_log(path)
    writer.close()
    assert verify(path).fault is None


def test_an_older_log_is_brought_to_the_next_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading leaves it as it is; adding brings it up in one go, its rows stay as they are."""
    path = tmp_path / VERSION_1.name
    shutil.copyfile(VERSION_1, path)
    rows = read_log(path).rows
    step = "CREATE TABLE remarks (row INTEGER PRIMARY KEY, body TEXT NOT NULL);"
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, step))
    monkeypatch.setattr(schema, "VERSION", VERSION + 1)
    assert verify(path).fault is None
    assert path.read_bytes() == VERSION_1.read_bytes()
    writer = open_log(path)
    writer.append("end", note_text(Ended(0, "stopped")))
    writer.close()
    assert verify(path).fault is None
    assert read_log(path).rows[:-1] == rows
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (VERSION + 1,)
        assert database.execute("SELECT count(*) FROM remarks").fetchone() == (0,)
    database.close()


def test_a_step_to_the_next_version_that_fails_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / VERSION_1.name
    shutil.copyfile(VERSION_1, path)
    step = "CREATE TABLE remarks (row INTEGER); CREATE TABLE log (row INTEGER);"
    with monkeypatch.context() as newer:
        newer.setattr(schema, "STEPS", (*schema.STEPS, step))
        newer.setattr(schema, "VERSION", VERSION + 1)
        with pytest.raises(RecordError):
            open_log(path)
    assert verify(path).fault is None
    open_log(path).close()


def test_a_newer_log_asks_for_a_newer_referee(tmp_path: Path) -> None:
    path = played(tmp_path)
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()
    with pytest.raises(RecordError, match="install the newest referee"):
        read_log(path)


@pytest.mark.parametrize("name", ["", ".hidden", "x" * 300])
def test_a_name_that_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="cannot name a match"):
        Folder(tmp_path).log(name)


def test_an_id_with_a_slash_stays_in_the_folder(tmp_path: Path) -> None:
    match = replace(FAULTY, id="a/../../etc/cron", events=FAULTY.events[:3])
    path = played(tmp_path / "record", match)
    assert path.parent == tmp_path / "record" / "matches"
    assert verify(path).fault is None


def test_names_that_utf8_cannot_hold_are_kept_as_well_as_it_can(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    head = head_of(FAULTY, find_game("nerves"), players=(Setting("A", "Ann\udcff"),))
    begin_record(folder, head).close()
    assert read_log(folder.log(FAULTY.id)).head.name_of("A") == "Ann?"
