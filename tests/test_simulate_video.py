"""Films as files: the command, the video, the truth beside it, and the sample matches."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import Ended, one_line

from referee.notation import read_matches, write_event
from referee.simulate.encoding import EncodingError, VideoFile

Referee = Callable[..., Ended]
DATA = Path(__file__).parent.parent / "referee" / "data"
EXAMPLES = Path(__file__).parent / "games" / "examples.match"
SAMPLES = ("nerves", "xix", "spy", "nerds", "nertz")
MOST_BYTES = 2_500_000


def frames_of(path: Path) -> list[np.ndarray]:
    clip, frames = cv2.VideoCapture(str(path)), []
    while True:
        read, frame = clip.read()
        if not read:
            return frames
        frames.append(frame)


def test_a_match_becomes_a_video_with_its_truth(referee: Referee, tmp_path: Path) -> None:
    video, truth_file = tmp_path / "slap.mp4", tmp_path / "slap.json"
    done = referee("simulate", EXAMPLES, "--match", "NERVES-S01", "-o", video,
                   "--size", "360p", "--fps", "15", "--truth", truth_file, "--json")  # fmt: skip
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    truth = json.loads(truth_file.read_text(encoding="utf-8"))
    frames = frames_of(video)
    assert told["frames"] == truth["video"]["frames"] == len(frames)
    assert frames[0].shape == (360, 640, 3)
    assert [event["n"] for event in truth["events"]] == [1, 2]
    for event, asked_s in zip(truth["events"], (0.5, 1.4), strict=True):
        assert event["t_s"] == pytest.approx(asked_s + truth["lead_s"] + event["shift_s"])
        assert event["lift_s"] < event["t_s"]
        assert event["text"].startswith(f"{event['n']} ")
    coarse = tmp_path / "coarse.mp4"
    again = referee("simulate", EXAMPLES, "--match", "NERVES-S01", "-o", coarse,
                    "--size", "360p", "--fps", "15", "--crf", "45")  # fmt: skip
    assert again.out.startswith(f"{coarse}: match NERVES-S01")
    assert coarse.stat().st_size < 0.5 * video.stat().st_size
    zones = [set(change["zones"]) for change in truth["changes"]]
    assert zones[0] == {"deck"}
    assert {"cut.1"} in zones
    assert len(truth["changes"][0]["zones"]["deck"]) == 8
    homography = np.array(truth["camera"]["homography"])
    marker = truth["table"]["markers"][0]
    flat = cv2.perspectiveTransform(np.array([marker["corners_mm"]]), homography)[0]
    assert np.abs(flat - np.array(marker["corners_px"])).max() < 12.0, "only the lens is between"


@pytest.mark.parametrize("name", ["clip.mp4", "clip.avi"])
def test_the_frames_come_back_in_order(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with VideoFile(path, (64, 48), 25) as video:
        for level in range(10, 250, 24):
            video.write(np.full((48, 64, 3), level, np.uint8))
    clip = cv2.VideoCapture(str(path))
    assert clip.get(cv2.CAP_PROP_FPS) == pytest.approx(25.0)
    means = [frame.mean() for frame in frames_of(path)]
    assert means == pytest.approx(list(range(10, 250, 24)), abs=4.0)


def test_without_ffmpeg_opencv_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "clip.mp4"
    with VideoFile(path, (64, 48), 30) as video:
        video.write(np.full((48, 64, 3), 99, np.uint8))
    assert len(frames_of(path)) == 1


def test_an_unfinished_video_is_not_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"

    def break_off() -> None:
        with VideoFile(path, (64, 48), 30) as video:
            video.write(np.zeros((48, 64, 3), np.uint8))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        break_off()
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [("film.txt", "ending in"), ("no/film.mp4", "no folder"), (".", "video file name")],
)
def test_a_video_that_cannot_be_written_is_refused(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(EncodingError, match=said):
        VideoFile(tmp_path / name, (64, 48), 30)


SCRIPT = """match T
  game nertz
  players A B
  phase PLAY
  state
    A.nerts | [A:5D] A:2C
  events
{events}
"""


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ("", "no events"),
        ("    1 2.000 CardPlaced A.R A:2C A.nerts>A.sofa up", "no zone A.sofa"),
        ("    1 2.000 CardPlaced A.R A:9C A.nerts>F.1 up", "A:9C is not in A.nerts"),
        ("    1 2.000 CardPlaced A.R A:2C A.nerts>F.1", "out.mp4"),
    ],
)
def test_a_bad_script_is_one_clear_line(
    referee: Referee, tmp_path: Path, events: str, said: str
) -> None:
    script, out = tmp_path / "bad.match", tmp_path / "out.mp4"
    script.write_text(SCRIPT.format(events=events), encoding="utf-8")
    if said == "out.mp4":
        out.mkdir()
    done = referee("simulate", script, "-o", out)
    assert done.code == 2
    assert done.out == ""
    line = one_line(done.err)
    assert said in line or "up" in line


@pytest.mark.parametrize(
    "words",
    [("no-such.match", "-o", "x.mp4"), (str(EXAMPLES), "-o", "x.mp4", "--match", "NONE"),
     (str(EXAMPLES), "-o", "x.mp4", "--strength", "9"), (str(DATA / "demo.mp4"), "-o", "x.mp4"),
     (str(EXAMPLES), "-o", "x.mp4", "--seed", "-1")],
)  # fmt: skip
def test_bad_words_are_one_clear_line(referee: Referee, words: tuple[str, ...]) -> None:
    done = referee("simulate", *words)
    assert done.code == 2
    one_line(done.err)


@pytest.mark.parametrize("game", SAMPLES)
def test_each_game_has_a_sample_match_that_is_judged_as_it_says(
    referee: Referee, game: str
) -> None:
    (match,) = read_matches((DATA / f"{game}.match").read_text(encoding="utf-8"))
    assert match.game == game
    assert 15.0 <= match.events[-1].t_ns / 1e9 <= 40.0
    kinds = [line.kind for line in match.expected or ()]
    assert "VIOLATION" in kinds
    assert "RACE" in kinds or game == "xix"
    assert referee("judge", DATA / f"{game}.match", "--check").code == 0


@pytest.mark.parametrize("game", SAMPLES)
def test_each_sample_is_filmed_small_with_the_truth_of_its_match(game: str) -> None:
    (match,) = read_matches((DATA / f"{game}.match").read_text(encoding="utf-8"))
    truth = json.loads((DATA / f"{game}.json").read_text(encoding="utf-8"))
    video = DATA / f"{game}.mp4"
    assert video.stat().st_size <= MOST_BYTES
    clip = cv2.VideoCapture(str(video))
    assert clip.get(cv2.CAP_PROP_FRAME_COUNT) == truth["video"]["frames"]
    assert clip.get(cv2.CAP_PROP_FPS) == pytest.approx(30.0)
    assert [event["text"] for event in truth["events"]] == [write_event(e) for e in match.events]
    for event, told in zip(match.events, truth["events"], strict=True):
        assert told.get("shift_s", 0.0) == 0.0, "a sample is played at a pace that hands can keep"
        assert told["t_s"] == pytest.approx(event.t_ns / 1e9 + truth["lead_s"], abs=1e-3)
