"""A filmed match that was cut off and went on: both films, judged again, give the same rulings."""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import HANG_S, Ended

from referee import app
from referee.app.filmed import films_of, log_of, parts_of
from referee.app.recording import CutOff, unfinished
from referee.app.refereeing import Outlets, Refereeing, Table
from referee.app.watching import Wish
from referee.commands import BadInput
from referee.commands._refereeing import gone_on
from referee.games import find_game
from referee.notation import read_matches
from referee.record import Folder, Recorder, read_log, verify
from referee.record.film import read_times, times_of
from referee.record.reading import devices_of, events_of, gaps_of, rulings_of
from referee.simulate.film import Film
from referee.simulate.staging import Filming
from referee.table.layout import plan
from referee.values import CardPlaced, Match, Setting, ViewLost
from referee.vision.frames import Frame

MS = 1_000_000
# Between two pictures there is less time than would be told as a lost view.
SELDOM = 40
TEXT = """match FILMED a card two values away; then the referee is cut off, and goes on
  game nerves
  players A B
  phase PLAY
  state
    A.arr.1 | 8H
    A.arr.2 | 2C
    B.arr.1 | TS
    B.arr.2 | [4S] QC
    A.rest | [5C]
    B.rest | [2H]
    play.A | 3C 6C
    play.B | 9S KD
  events
    1 4.000 CardPlaced A.R 8H A.arr.1>play.A up
    2 10.000 CardPlaced B.R QC B.arr.2>play.B up
"""
CUT_NS = 6_500 * MS
MATCH: Match = read_matches(TEXT)[0]


@dataclass(frozen=True)
class Kept:
    """A record with a match that was cut off and went on; what its referee told."""

    folder: Folder
    told: list[str]


def pictures(from_ns: int, to_ns: int) -> Iterator[Frame]:
    """What the camera sees between two times: of a still table there are pictures now and then."""
    film = Film(MATCH, plan(MATCH.game, MATCH.seats), Filming(1280, 720, 30, 1, 0.5))
    assert film.show.lead_s == 0, "the pictures' time is the script's"
    for n in range(film.frame_count):
        t_ns = film.time_ns(n)
        if from_ns <= t_ns < to_ns and n % (2 if is_busy(t_ns, from_ns) else SELDOM) == 0:
            yield Frame(film.picture(n), t_ns, 0, n, "drawn")


def is_busy(t_ns: int, from_ns: int) -> bool:
    """Whether cards are laid at a time, or the referee looks at the table for the first time."""
    acts = (-900 * MS < t_ns - event.t_ns < 2_200 * MS for event in MATCH.events)
    return t_ns < from_ns + 1_500 * MS or any(acts)


def refereed(outlets: Outlets, wish: Wish, frames: Iterator[Frame]) -> Refereeing:
    table = Table(plan("nerves", MATCH.seats))
    refereeing = Refereeing(wish, table, app.open_reader(None, 1), outlets)
    for frame in frames:
        refereeing.take(frame)
        written(refereeing)
    return refereeing


def written(refereeing: Refereeing) -> None:
    """Wait until the film has all frames: its thread may be slow on a busy machine."""
    film, end_s = refereeing._pictures._film, time.monotonic() + HANG_S
    while film is not None and not film._waiting.empty():
        assert time.monotonic() < end_s, "the film is not written"
        time.sleep(0.002)


def killed(refereeing: Refereeing) -> None:
    """Let a referee go without a word, as the operating system does with a killed one."""
    recorder = refereeing._recorder
    assert isinstance(recorder, Recorder)
    recorder.flush()
    recorder._log._database.close()
    recorder._log._lock.free()
    refereeing._pictures.close()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder, told = Folder(tmp_path_factory.mktemp("filmed")), list[str]()
    wish = Wish("FILMED", find_game("nerves"), MATCH.seats, (), MATCH)
    names = (Setting("A", "Ann"), Setting("B", "Ben"))
    outlets = Outlets(folder=folder, film=True, names=names, source="camera:0", tell=told.append)
    killed(refereed(outlets, wish, pictures(0, CUT_NS)))
    assert unfinished(folder) == (CutOff("FILMED", "nerves", ("Ann", "Ben"), "camera:0"),)
    again = Outlets(folder=folder, film=True, resume="FILMED", source="camera:1", tell=told.append)
    wish = Wish("NEW", find_game("nerves"), MATCH.seats)
    refereeing = refereed(again, wish, pictures(CUT_NS, 99 * CUT_NS))
    refereeing.idle("camera:0: no picture for 3 s; waiting")
    refereeing.returned("camera:0: pictures come again after 4.0 s")
    refereeing.close()
    return Kept(folder, told)


def test_the_match_goes_on_in_a_second_film_on_the_same_clock(kept: Kept) -> None:
    video = kept.folder.video("FILMED")
    assert [film.name for film in films_of(video)] == ["FILMED.mkv", "FILMED.2.mkv"]
    log = read_log(kept.folder.log("FILMED"))
    (gap,) = gaps_of(log)
    assert read_times(films_of(video)[1])[0][0] == gap.to_ns
    assert any("FILMED goes on" in line for line in kept.told)
    placed = [event for event in events_of(log) if isinstance(event, CardPlaced)]
    assert [str(event.card) for event in placed] == ["8H", "QC"]
    assert [r.ruling.rule for r in rulings_of(log) if r.ruling.kind == "VIOLATION"] == [
        "NERVES-PLAY-03"
    ]
    assert verify(log.path).fault is None


def test_the_record_says_when_the_camera_was_silent(kept: Kept) -> None:
    told = devices_of(read_log(kept.folder.log("FILMED")))
    assert [(one.state, one.text) for one in told] == [
        ("open", "camera:0"),
        ("open", "camera:1"),
        ("disturbed", "camera:0: no picture for 3 s; waiting"),
        ("back", "camera:0: pictures come again after 4.0 s"),
    ]
    assert [one.t_ns for one in told] == sorted(one.t_ns for one in told)


def test_each_film_knows_its_part(kept: Kept) -> None:
    second = films_of(kept.folder.video("FILMED"))[1]
    log = log_of(second)
    assert log is not None
    first, last = parts_of(log, second)
    assert (first.from_ns, first.resumed) == (0, ())
    assert [type(event) for event in last.resumed][:1] == [ViewLost]
    assert last.film == second
    assert last.from_ns == gaps_of(log)[0].to_ns


def test_the_films_judged_again_give_the_same_rulings(
    kept: Kept, referee: Callable[..., Ended]
) -> None:
    """Whichever of them is named, all are judged."""
    second = kept.folder.root / "videos" / "FILMED.2.mkv"
    done = referee("watch", "--headless", "--source", second)
    assert "FILMED: ruled as recorded" in done.err
    assert done.code == 0


def test_a_part_without_a_film_is_taken_from_the_record(
    kept: Kept, referee: Callable[..., Ended], tmp_path: Path
) -> None:
    shutil.copytree(kept.folder.root, tmp_path / "record")
    first, second = films_of(Folder(tmp_path / "record").video("FILMED"))
    first.unlink()
    times_of(first).unlink()
    done = referee("watch", "--headless", "--source", second)
    assert "no film was kept of part 1; what was recorded of it is taken over" in done.err
    assert "FILMED: ruled as recorded" in done.err


def wished(root: Path, **more: object) -> argparse.Namespace:
    given = {"game": None, "players": None, "script": None, "source": None, "pads": "none"}
    return argparse.Namespace(**{**given, "record": str(root), **more})


def test_a_match_goes_on_by_itself_with_its_players_and_its_camera(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    wish = Wish("CUT", find_game("nerves"), MATCH.seats, (), MATCH)
    outlets = Outlets(folder=folder, source="camera:1", names=(Setting("A", "Ann"),))
    killed(refereed(outlets, wish, pictures(0, 1_800 * MS)))
    found = gone_on(wished(tmp_path))
    assert (found.game, found.players, found.source) == ("nerves", "Ann,B", "camera:1")
    assert gone_on(wished(tmp_path, source="camera:0")).source == "camera:0"
    with pytest.raises(BadInput, match="CUT is a match of nerves; leave --game"):
        gone_on(wished(tmp_path, game="xix"))


def test_nothing_goes_on_where_nothing_was_cut_off(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no match there was cut off"):
        gone_on(wished(tmp_path))
