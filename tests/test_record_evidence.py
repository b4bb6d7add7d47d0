"""Evidence: the last seconds in memory, clips of disputed moments, the budget, whole films."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import HANG_S, Image

from referee.app.keeping import Pictures
from referee.app.recording import head_of
from referee.app.sitting import Sitting
from referee.games import find_game
from referee.notation import read_matches
from referee.record import (
    Folder,
    PadTrace,
    RecordError,
    Ring,
    Still,
    begin_record,
    open_log,
    read_log,
)
from referee.record.clips import ClipStore, clip_text, cut, load_clip, read_clip
from referee.record.dispute_page import dispute_page
from referee.record.disputes import disputes_of
from referee.record.figures import story
from referee.record.film import Film, read_times, times_of
from referee.record.moments import moment_of
from referee.record.notes import DeviceState, DisputeOpened, note_text
from referee.record.pruning import evidence_bytes, prune
from referee.record.reading import kept_of
from referee.record.report import report
from referee.record.report_html import report_html
from referee.record.ring import MOST_WIDTH_PX, Seen
from referee.values import Actor, CardRead, Declared, HandRead, Match, Sight
from referee.vision.frames import Frame

S = 1_000_000_000
TEXT = """match M a fault, and a claim
 game nerves
 phase PLAY
 state
  A.arr.1 | 7H
  A.arr.2 | 8D
  A.arr.3 | 4C
  B.arr.1 | TS
  play.A | 3C
  play.B | 9D
 events
  1 5.000 CardPlaced A.R 4C A.arr.3>play.B up
  2 7.000 CardPlaced A.R 4C play.B>A.arr.3 up
  3 14.000 Declared B claim NERVES-PLAY-03
"""
MATCH: Match = read_matches(TEXT)[0]
SIGHT = Sight(
    (
        CardRead("7H", 0.97, (30.0, 20.0), ((20, 10), (40, 10), (40, 40), (20, 40)), 3.0),
        CardRead("??", 0.6, (60.0, 20.0), None, 0.0),
    ),
    (HandRead(0.9, (10.0, 10.0, 50.0, 40.0)),),
)


def small_still(t_ns: int) -> Still:
    return Still(t_ns, 0, b"x" * 1000, 4, 4, 1.0)


def picture(shade: int) -> Image:
    image: Image = np.full((48, 64, 3), shade % 256, np.uint8)
    image[10:20, 10:30] = 255 - shade % 256
    return image


def filmed(
    root: Path, name: str = "M", began_utc: str = "2026-11-21T10:00:00Z", sight: Sight = SIGHT
) -> Path:
    """Play the match with a picture each tenth of a second; return its log."""
    match = replace(MATCH, id=name)
    game = find_game(match.game)
    ring = Ring()
    kept = begin_record(Folder(root), head_of(match, game, began_utc=began_utc), ring)
    sitting = Sitting(match, game, listeners=[kept])
    events = list(match.events)
    ring.add_trace(PadTrace(5 * S, 1_000_000, "play.B", (0, 3, 90, 40)))
    kept.on_device(DeviceState(5 * S, "pad.play.A", "ignored", "touch 1 does not count: a knock"))
    for t_ns in range(0, 18 * S, S // 10):
        ring.take(picture(t_ns // (S // 10) + len(name) * 50), t_ns, 1_000_000)
        ring.add_seen(Seen(t_ns, sight))
        while events and events[0].t_ns <= t_ns:
            sitting.feed(events.pop(0))
    sitting.close()
    kept.close()
    return Folder(root).log(name)


def test_the_ring_keeps_so_many_seconds() -> None:
    ring = Ring(kept_s=2.0)
    for second in range(10):
        ring.add(small_still(second * S))
    assert [one.t_ns // S for one in ring.stills(0, 99 * S)] == [7, 8, 9]


def test_the_ring_keeps_no_more_bytes_than_it_may() -> None:
    ring = Ring(kept_s=100.0, most_bytes=3500)
    for second in range(10):
        ring.add(small_still(second * S))
    assert len(ring.stills(0, 99 * S)) == 3
    assert ring.kept_bytes == 3000


def test_a_large_frame_is_kept_small_and_says_by_how_much() -> None:
    kept = Ring().take(np.full((1080, 1920, 3), 90, np.uint8), 5, 7)
    assert (kept.width_px, kept.height_px, kept.scale) == (960, 540, 0.5)
    assert kept.width_px <= MOST_WIDTH_PX
    assert (kept.t_ns, kept.sigma_ns) == (5, 7)
    decoded = cv2.imdecode(np.frombuffer(kept.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (540, 960, 3)


def test_a_frame_that_is_no_picture_is_refused() -> None:
    with pytest.raises(RecordError, match="cannot be encoded"):
        Ring().take(np.zeros((0, 0, 3), np.uint8), 0)


def test_every_fault_and_claim_has_its_clip(tmp_path: Path) -> None:
    log = read_log(filmed(tmp_path))
    fault, claim = disputes_of(log)
    assert fault.kept is not None
    assert (fault.kept.from_ns, fault.kept.to_ns) == (2 * S, 8 * S)
    assert claim.kept is not None
    # A claim keeps the last ten seconds.
    assert (claim.kept.from_ns, claim.kept.to_ns) == (4 * S, 17 * S)
    store = ClipStore(Folder(tmp_path).evidence)
    clip = load_clip(store, str(fault.kept.clip))
    assert [frame.t_ns for frame in clip.frames] == list(range(2 * S, 8 * S + 1, S // 10))
    assert {one.sight for one in clip.seen} == {SIGHT}
    decoded = cv2.imdecode(
        np.frombuffer(store.get(clip.frames[0].sha256, "jpg"), np.uint8), cv2.IMREAD_COLOR
    )
    assert decoded is not None
    assert decoded.shape == (48, 64, 3)


def test_the_moment_of_a_claim_tells_its_last_ten_seconds(tmp_path: Path) -> None:
    log = read_log(filmed(tmp_path))
    fault, claim = disputes_of(log)
    store = ClipStore(Folder(tmp_path).evidence)
    assert [e.n for e in moment_of(story(log), claim, store).events] == [1, 2, 3]
    assert [e.n for e in moment_of(story(log), fault, store).events] == [1, 2]


def test_a_clip_is_written_without_loss(tmp_path: Path) -> None:
    ring = Ring()
    ring.add(small_still(1))
    ring.add_seen(Seen(2, SIGHT))
    ring.add_trace(PadTrace(3, 1000, "mid", (1, -2, 3)))
    _, clip = cut(ring, "M", 0, 9, ClipStore(tmp_path))
    assert read_clip(clip_text(clip)) == clip


def test_the_same_picture_is_kept_once(tmp_path: Path) -> None:
    store = ClipStore(tmp_path)
    assert store.put(b"one", "jpg") == store.put(b"one", "jpg")
    assert len(list(tmp_path.rglob("*.jpg"))) == 1


def test_changed_evidence_is_told(tmp_path: Path) -> None:
    store = ClipStore(tmp_path)
    digest = store.put(b"what was seen", "jpg")
    store.path(digest, "jpg").write_bytes(b"what was said")
    with pytest.raises(RecordError, match="it was changed"):
        store.get(digest, "jpg")
    store.path(digest, "jpg").unlink()
    with pytest.raises(RecordError, match="pruned or removed"):
        store.get(digest, "jpg")


def test_without_frames_the_log_says_that_there_are_none(tmp_path: Path) -> None:
    game = find_game(MATCH.game)
    kept = begin_record(Folder(tmp_path), head_of(MATCH, game), Ring())
    sitting = Sitting(MATCH, game, listeners=[kept])
    for event in MATCH.events:
        sitting.feed(event)
    kept.close()
    found = kept_of(read_log(Folder(tmp_path).log(MATCH.id)))
    assert {(one.clip, one.why) for one in found} == {(None, "no frame of that time")}


def test_the_page_of_a_moment_shows_its_frames(tmp_path: Path) -> None:
    log = read_log(filmed(tmp_path))
    store = ClipStore(Folder(tmp_path).evidence)
    moment = moment_of(story(log), disputes_of(log)[0], store)
    page = dispute_page(moment, store)
    data = page.partition('type="application/json">')[2].partition("</script>")[0]
    clip = json.loads(data)
    assert len(clip["frames"]) == 61
    assert clip["frames"][clip["start"]]["ms"] == 0
    assert clip["frames"][0]["clock"] == "0:02.000"
    marks = clip["frames"][0]["marks"]
    assert [(m["kind"], m.get("text"), m.get("score")) for m in marks] == [
        ("card", "7H", "0.97"),
        ("unread", None, None),
        ("hand", None, None),
    ]
    assert "The pad of B&#x27;s playing pile: readings up to 90 in 3.0 ms" in page
    assert "touch 1 does not count: a knock" in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_the_report_shows_the_moment_and_outlines_the_card(tmp_path: Path) -> None:
    """The card that was ruled on is outlined where it was read; every play stands in the list."""
    log = read_log(filmed(tmp_path, sight=Sight((replace(SIGHT.cards[0], label="4C"),), ())))
    page = report_html(report(log, ClipStore(Folder(tmp_path).evidence)))
    case = page.partition("fault, dispute 1")[2].partition("claim, dispute 2")[0]
    assert case.count("data:image/jpeg") == 3
    assert case.count('aria-label="4C outlined"') == 3
    assert "Every play, 3 lines" in page
    assert "4♣ from A&#x27;s column 3 to B&#x27;s playing pile" in page


def test_a_page_without_pictures_says_why(tmp_path: Path) -> None:
    log = read_log(filmed(tmp_path))
    shutil.rmtree(Folder(tmp_path).evidence)
    store = ClipStore(Folder(tmp_path).evidence)
    page = dispute_page(moment_of(story(log), disputes_of(log)[0], store), store)
    assert "There is nothing to look at" in page
    assert "<script>" not in page


def aged(folder: Folder) -> None:
    """Make the evidence old enough to be pruned."""
    long_ago = time.time() - 10_000
    for path in folder.evidence.rglob("*"):
        os.utime(path, (long_ago, long_ago))


def test_the_oldest_evidence_goes_first(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    old = filmed(tmp_path, "OLD", "2026-11-20T10:00:00Z")
    new = filmed(tmp_path, "LATEST", "2026-11-21T10:00:00Z")
    for log in (old, new):
        settle_claim(log)
    aged(folder)
    whole = evidence_bytes(folder)
    done = prune(folder, whole * 3 // 4)
    assert done.clips
    assert evidence_bytes(folder) == done.left_bytes <= whole * 3 // 4
    store = ClipStore(folder.evidence)
    first = kept_of(read_log(old))[0]
    assert not store.path(str(first.clip), "json").exists()
    for kept in kept_of(read_log(new)):
        clip = load_clip(store, str(kept.clip))
        assert all(store.path(frame.sha256, "jpg").exists() for frame in clip.frames)


def settle_claim(log: Path) -> None:
    from referee.app.review import Wish, review_match

    whole = read_log(log)
    claim = disputes_of(whole)[1]
    review_match(whole, claim, Wish("withdraw", "nothing there"), "2026-11-21T12:00:00Z")


def test_the_pictures_of_an_open_dispute_stay(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    log = filmed(tmp_path)
    fault, claim = disputes_of(read_log(log))
    writer = open_log(log)
    writer.append("dispute", note_text(DisputeOpened(fault.row, "A", "it was an 8", "now")))
    writer.close()
    aged(folder)
    done = prune(folder, 0)
    assert (done.clips, done.disputed) == (0, 2)
    store = ClipStore(folder.evidence)
    for dispute in (fault, claim):
        assert dispute.kept is not None
        clip = load_clip(store, str(dispute.kept.clip))
        assert all(store.path(frame.sha256, "jpg").exists() for frame in clip.frames)


def test_young_evidence_that_no_log_names_yet_stays(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    digest = ClipStore(folder.evidence).put(b"being cut just now", "jpg")
    prune(folder, 0)
    assert ClipStore(folder.evidence).path(digest, "jpg").exists()
    aged(folder)
    prune(folder, 0)
    assert not ClipStore(folder.evidence).path(digest, "jpg").exists()


def test_what_a_damaged_log_may_name_stays(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    filmed(tmp_path).write_bytes(b"damaged")
    aged(folder)
    before = evidence_bytes(folder)
    assert prune(folder, 0).left_bytes == before


def test_a_film_gives_back_every_frame_with_its_time(tmp_path: Path) -> None:
    path = tmp_path / "videos" / "M.mkv"
    film = Film(path, 10.0)
    times = [(n * 103_000_000, 2_000_000) for n in range(12)]
    for n, (t_ns, sigma_ns) in enumerate(times):
        while film.state.written + 4 < n:
            time.sleep(0.001)  # the pace of a camera; nothing is judged by it
        film.add(picture(n * 20), t_ns, sigma_ns)
    done = film.close()
    assert (done.written, done.dropped) == (12, 0)
    assert read_times(path) == tuple(times)
    read = cv2.VideoCapture(str(path))
    shades = []
    while True:
        good, frame = read.read()
        if not good:
            break
        shades.append(int(frame[40, 60, 0]))
    assert np.allclose(shades, [n * 20 for n in range(12)], atol=3)


def test_a_film_leaves_room_for_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The film of a nearly full disk ends, and says so once; the record goes on."""
    monkeypatch.setattr("referee.record.film.LEFT_BYTES", 10**18)
    pictures = Pictures(Folder(tmp_path), "M", film=True)
    told = [pictures.film(Frame(picture(n), n, 0, n, "camera"), n) for n in range(3)]
    told.append(pictures.close())
    (line,) = filter(None, told)
    assert "MB of the disk are free; the film ends here, the match goes on" in line
    assert not Folder(tmp_path).video("M").exists()


def test_a_film_that_cannot_be_begun_does_not_end_the_match(tmp_path: Path) -> None:
    (tmp_path / "videos").write_bytes(b"a file in the place of the folder")
    pictures = Pictures(Folder(tmp_path), "M", film=True)
    told = [pictures.film(Frame(picture(n), n, 0, n, "camera"), n) for n in range(3)]
    assert "the match goes on without a film" in told[0]
    assert (*told[1:], pictures.close()) == ("", "", "")


def test_clips_leave_room_for_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.record.keeping.LEFT_BYTES", 10**18)
    found = kept_of(read_log(filmed(tmp_path)))
    assert {(one.clip, one.why) for one in found} == {(None, "the disk is nearly full")}


def test_the_times_of_a_film_hold_up_to_a_power_cut(tmp_path: Path) -> None:
    times_of(tmp_path / "M.mkv").write_text("frame,t_ns,sigma_ns\n0,10,2\n1,20,2\n2,3")
    assert read_times(tmp_path / "M.mkv") == ((10, 2), (20, 2))


def test_frames_that_come_are_waited_for_and_a_silent_camera_is_not() -> None:
    ring = Ring()
    ring.add(small_still(S))
    ring.wait_until(9 * S, silence_s=0.01)

    def film_on() -> None:
        for n in range(2, 10):
            ring.add(small_still(n * S))

    coming = threading.Thread(target=film_on)
    coming.start()
    ring.wait_until(9 * S, HANG_S)
    coming.join()
    assert ring.stills(9 * S, 9 * S)


def test_a_film_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "M.mkv"
    path.touch()
    with pytest.raises(RecordError, match="a video of this match already"):
        Film(path, 10.0)


def test_a_claim_of_nothing_is_kept_too(tmp_path: Path) -> None:
    game = find_game(MATCH.game)
    ring = Ring()
    kept = begin_record(Folder(tmp_path), head_of(MATCH, game), ring)
    sitting = Sitting(MATCH, game, listeners=[kept])
    ring.take(picture(1), S)
    sitting.feed(Declared(n=0, t_ns=S, actor=Actor("A"), what="claim", words=("hey",)))
    kept.close()
    (claim,) = disputes_of(read_log(Folder(tmp_path).log(MATCH.id)))
    assert (claim.claimed_by, claim.state) == ("A", "open")
    assert claim.kept is not None
    assert claim.kept.frames == 1
