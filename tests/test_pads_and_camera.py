"""One slap filmed and felt: the camera and the pads of a rendered match, from frames to the record.

The released firmware runs in simulated chips behind real ports; the camera's picture is drawn. The
middle's pad is on the second of two boards that share a sync wire.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import Ended
from pad_parts import HANG_S, slap

from referee import app
from referee.app.refereeing import Outlets, Refereeing, Table
from referee.app.touching import Touching
from referee.app.watching import Wish
from referee.commands.padsteps._open import wait_until_known
from referee.games import find_game
from referee.pads.link import Boards
from referee.pads.profile import PadProfile, Profile
from referee.pads.simulated import SimulatedBoards, play
from referee.pads.station import Station
from referee.record import Folder, read_log
from referee.record.clips import ClipStore, load_clip
from referee.record.disputes import disputes_of
from referee.record.film import read_times
from referee.record.reading import devices_of, events_of
from referee.simulate.film import Film
from referee.simulate.staging import Filming
from referee.table.layout import plan
from referee.values import Event, HandOff, HandOn, Match, PadHit, Ruling, ViewBack
from referee.vision.frames import Frame

Referee = Callable[..., Ended]
MS = 1_000_000
SELDOM = 42  # frames, 1.4 s

BOARDS = tuple(f"simulpa{n}".encode().hex() for n in range(2))
PADS = (PadProfile(BOARDS[0], 0, "play.A"), PadProfile(BOARDS[1], 0, "mid"))


@dataclass
class Heard:
    """What a match's listener was told."""

    events: list[Event] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        self.rulings += rulings


@dataclass(frozen=True)
class Watched:
    """The slap, refereed: what was told of it, the record's folder, and the match in it."""

    heard: Heard
    folder: Folder
    log: Path

    @property
    def race(self) -> Ruling:
        (race,) = self.heard.rulings
        return race


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    root = tmp_path_factory.mktemp("slap")
    match = slap("8.000 PadHit B.L mid", "8.118 PadHit A.R mid")
    heard, folder = Heard(), Folder(root / "record")
    with SimulatedBoards(2) as simulated:
        boards = Boards(simulated.devices)
        try:
            # The clock of a board is known to a millisecond long before a match begins.
            told = wait_until_known(boards, HANG_S, MS)
            station = Station(boards, Profile("nerves", PADS), told)
            hits = [event for event in match.events if isinstance(event, PadHit)]

            def begin(host_ns: int) -> None:
                play(simulated, hits, host_ns, {"mid": (1, 0)})

            outlets = Outlets(
                listeners=(heard,), folder=folder, film=True, tell=lambda line: None,
                pads=Touching(station, lambda line: None, begin),
            )  # fmt: skip
            refereed(match, pictures(match), boards, outlets)
        finally:
            boards.close()
    return Watched(heard, folder, folder.log("WATCHED"))


def pictures(match: Match) -> Iterator[Frame]:
    """The match as a camera sees it: a picture now and then, and all those about the slap.

    Between two of them there is less time than would be told as a lost view.
    The first one takes long on a busy machine, and the slap must not be over by then.
    """
    film = Film(match, plan(match.game, match.seats), Filming(1280, 720, 30, 1, 0.5))
    assert film.show.lead_s == 0, "the pictures' time is the script's"
    for n in range(film.frame_count):
        if n % SELDOM and film.time_ns(n) < 5_800 * MS:
            continue
        yield Frame(film.picture(n), film.time_ns(n), 0, n, "drawn")


def refereed(match: Match, frames: Iterator[Frame], boards: Boards, outlets: Outlets) -> None:
    """Take all frames. However slow the machine is, the camera is slower than the pads."""
    game, table = find_game("nerves"), Table(plan("nerves", match.seats))
    reader = app.open_reader(None, 1)
    first = next(frames)
    reader.read(first.image_bgr)
    refereeing = Refereeing(Wish("WATCHED", game, match.seats, (), match), table, reader, outlets)
    refereeing.take(first)
    end_s = time.monotonic() + HANG_S
    while not any(s.stat is not None and s.stat.next_seq == 2 for s in boards.statuses()):
        assert time.monotonic() < end_s, "the pads felt nothing"
        time.sleep(0.05)
    for frame in frames:
        refereeing.take(frame)
    refereeing.close()


def test_the_pads_tell_when_and_the_camera_whose_hand(watched: Watched) -> None:
    hits = [event for event in watched.heard.events if isinstance(event, PadHit)]
    assert [(str(hit.actor), hit.source) for hit in hits] == [("B.L", "pad"), ("A.R", "pad")]
    race = watched.race
    assert (race.kind, race.rule, race.winner) == ("RACE", "NERVES-HIT-02", "B")
    # Two stamps of one board, some seconds after its crystal's rate began to be learnt.
    assert race.interval_ns is not None
    assert race.interval_ns < MS
    assert race.margin_ns == pytest.approx(118 * MS, abs=MS)
    assert race.p_first is not None
    assert race.p_first > 0.999
    assert race.evidence == (f"pad:{BOARDS[1]}/0#0", f"pad:{BOARDS[1]}/0#1")
    assert re.match(r"B first by 11[789](\.\d)? ms \(1", race.text)


def test_both_boards_are_ready_before_the_match_begins(watched: Watched) -> None:
    states = [s for s in devices_of(read_log(watched.log)) if s.device.startswith("pads.")]
    assert {(s.device, s.state) for s in states} >= {(f"pads.{uid}", "LIVE") for uid in BOARDS}
    back = [event.zones for event in watched.heard.events if isinstance(event, ViewBack)]
    assert {zone for zones in back for zone in zones} == {"play.A", "mid"}


def test_no_hand_that_only_passes_over_a_pad_has_slapped(watched: Watched) -> None:
    assert not any(isinstance(event, HandOn | HandOff) for event in watched.heard.events)


def test_a_slap_is_ruled_on_though_nothing_follows_it(watched: Watched) -> None:
    """The pads' own word that nobody else came ends the wait, not the next card."""
    last = watched.heard.events[-1]
    assert last.source == "pad"
    assert last.t_ns < 8_118 * MS + 300 * MS


def test_the_page_of_the_dispute_marks_cards_and_hands_on_its_frames(
    watched: Watched, referee: Referee, tmp_path: Path
) -> None:
    (race,) = disputes_of(read_log(watched.log))
    assert race.kept is not None
    clip = load_clip(ClipStore(watched.folder.evidence), str(race.kept.clip))
    slaps = [seen for seen in clip.seen if seen.sight.hands]
    assert len(slaps) >= 10, "both hands lie there for half a second"
    labels = {card.label for seen in clip.seen for card in seen.sight.cards}
    assert {"8C", "8D", "TS"} <= labels
    assert all(0.0 < card.score <= 1.0 for seen in clip.seen for card in seen.sight.cards)
    page = tmp_path / "dispute.html"
    shown = referee("dispute", "WATCHED", "1", "--html", page, "--record", watched.folder.root)
    assert shown.code == 0, shown.err
    text = page.read_text(encoding="utf-8")
    found = re.search(r'type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    frames = json.loads(found[1])["frames"]
    kinds = {mark["kind"] for frame in frames for mark in frame["marks"]}
    assert {"card", "hand"} <= kinds
    assert re.search(r"Margin 11[789](\.\d+)? ms", text)


def test_the_log_holds_only_what_can_be_read_again(watched: Watched) -> None:
    log = read_log(watched.log)
    assert min(event.t_ns for event in events_of(log)) >= 0
    assert all(state.t_ns >= 0 for state in devices_of(log))


def test_the_film_holds_the_match_from_its_first_frame(watched: Watched) -> None:
    times = read_times(watched.folder.video("WATCHED"))
    assert times[0][0] == 0
    assert len(times) > 80


def test_the_film_judged_again_gives_the_same_ruling(watched: Watched, referee: Referee) -> None:
    again = referee("watch", "--source", watched.folder.video("WATCHED"), "--json")
    assert again.code == 0, again.err
    assert "ruled as recorded (1)" in again.err
    (race,) = (json.loads(line) for line in again.out.splitlines() if '"RACE"' in line)
    before = watched.race
    assert (race["rule"], race["winner"], race["text"]) == (before.rule, "B", before.text)
    assert race["margin_ms"] == pytest.approx((before.margin_ns or 0) / MS)
    assert len(watched.folder.logs()) == 1, "nothing is added to the record"
