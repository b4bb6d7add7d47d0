"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import HANG_S, ROOT, Ended, Image, one_line, write_picture, write_video
from servers import LOGIN_IN_URL, camera, free_port, jpeg, part

from referee.commands import names_in

Referee = Callable[..., Ended]
COMMANDS = names_in("referee.commands")
LOOK_FIELDS = {"image", "width", "height", "frame", "t_ns", "ms", "cards", "hands"}


def json_lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_help_names_every_command(referee: Referee) -> None:
    done = referee("--help")
    assert done.code == 0
    assert all(f"\n    {name}" in done.out for name in COMMANDS)
    assert {"see", "watch", "demo", "doctor", "bench"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_and_json(referee: Referee, name: str) -> None:
    done = referee(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"referee {name}" in done.out.partition("xample")[2]
    assert "--json" in done.out


@pytest.mark.parametrize("name", ["judge", "rules"])
def test_judging_needs_neither_numpy_nor_opencv(name: str) -> None:
    code = (
        "import sys; from referee.__main__ import main\n"
        f"try: main(['{name}', '--help'])\n"
        "except SystemExit: print(*({'numpy', 'cv2', 'onnxruntime'} & sys.modules.keys()))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, cwd=ROOT)
    assert done.stdout.startswith(f"usage: referee {name}")
    assert done.stdout.endswith("\n\n"), "the line of modules is empty"


def test_without_a_command_the_help_is_shown(referee: Referee) -> None:
    done = referee()
    assert done.code == 0
    assert "usage: referee" in done.out


def test_see_prints_one_object_a_picture_and_nothing_else(
    referee: Referee, tmp_path: Path, table: Image
) -> None:
    for name in ("b10.png", "b9.png"):
        write_picture(tmp_path / name, table)
    done = referee("see", tmp_path, "--json")
    assert (done.code, done.err) == (0, "")
    rows = json_lines(done.out)
    assert [Path(str(row["image"])).name for row in rows] == ["b9.png", "b10.png"]
    for row in rows:
        assert row.keys() == LOOK_FIELDS
        assert (row["width"], row["height"], row["t_ns"]) == (96, 64, None)
        assert isinstance(row["cards"], list)
        assert isinstance(row["hands"], list)


def test_see_reads_what_it_can_and_names_the_rest(
    referee: Referee, tmp_path: Path, picture: Path
) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    (tmp_path / "cut.png").write_bytes(picture.read_bytes()[:-20])
    done = referee("see", tmp_path, "nowhere.jpg", picture, "--json")
    assert done.code == 2
    assert len(json_lines(done.out)) == 2
    complaints = done.err.splitlines()
    assert len(complaints) == 3
    for reason, line in zip(("not a picture", "cut off", "no such file"), complaints, strict=True):
        assert line.startswith("referee: ")
        assert reason in line


def test_see_gives_every_frame_of_a_video_its_time(
    referee: Referee, tmp_path: Path, table: Image
) -> None:
    video = write_video(tmp_path / "game.avi", [table] * 4)
    rows = json_lines(referee("see", video, "--json").out)
    assert [row["frame"] for row in rows] == [0, 1, 2, 3]
    assert [row["t_ns"] for row in rows] == [0, 100_000_000, 200_000_000, 300_000_000]


def test_see_draws_upright_and_leaves_the_source_alone(
    referee: Referee, tmp_path: Path, table: Image
) -> None:
    data = cv2.imencode(".jpg", table)[1].tobytes()
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06" + bytes(7)
    app1 = b"\xff\xe1" + (8 + len(tiff)).to_bytes(2, "big") + b"Exif\0\0" + tiff
    source = tmp_path / "turned.jpg"
    source.write_bytes(data[:2] + app1 + data[2:])
    before = source.read_bytes()
    done = referee("see", source, source, "--draw", tmp_path)
    assert done.code == 0
    assert source.read_bytes() == before
    for name in ("turned.seen.jpg", "turned-2.seen.jpg"):
        drawn = cv2.imread(str(tmp_path / name))
        assert drawn is not None
        assert drawn.shape == (192, 128, 3)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("see",), "SOURCE"),
        (("sea", "x"), "invalid choice"),
        (("see", "x.jpg", "--thread", "0"), "1 to 64"),
        (("see", "x.jpg", "--threads", "many"), "1 to 64"),
        (("see", "x.jpg", "--models", "nowhere"), "no such folder of models"),
        (("see", "LICENSE", "--draw", "LICENSE/x"), "cannot be made a folder"),
        (("see", "LICENSE"), "not a picture"),
        (("see", "a\nb.jpg"), "no such file"),
        (("watch", "--source", "camera:98"), "no camera there"),
        (("watch", "--source", "camera:x"), "named by its number"),
        (("watch", "--source", "demo", "--frames", "0"), "number of frames"),
        (("watch", "--source", "demo", "--give-up", "nan"), "number of seconds"),
        (("watch", "--game", "chess"), "chess"),
        (("watch", "--game", "nerves", "--players", "A,B,C"), "is for 2 players"),
        (("watch", "--game", "nerves", "--players", "3"), "is for 2 players"),
        (("watch", "--game", "nerves", "--players", "Ann,Ann"), "two are called Ann"),
        (("watch", "--game", "nertz", "--players", "Ann,,Bo"), "give names or seats"),
        (("watch", "--game", "nerves", "--option", "wide"), "write name=value"),
        (("watch", "--game", "nerves", "--option", "wide=yes"), "nerves has no option 'wide'"),
        (("watch", "--game", "nerves", "--option", "wrap=a bit"), "option wrap takes"),
        (("watch", "--game", "nerves", "--calibration", "none.toml"), "none.toml"),
        (("watch", "--game", "nerves", "--headless", "--source", "LICENSE"), "not a picture"),
        (("demo", "chess"), "no such game"),
        (("bench", "nothing"), "invalid choice"),
    ],
)
def test_bad_input_gets_one_clear_line(
    referee: Referee, words: tuple[str, ...], reason: str
) -> None:
    done = referee(*words)
    assert (done.code, done.out) == (2, "")
    assert reason in one_line(done.err)


def test_watch_reads_the_newest_frame_of_a_stream(referee: Referee) -> None:
    with camera(login="digest") as phone:
        phone.send(part(jpeg(10)), part(jpeg(20)))
        url = phone.url(login=LOGIN_IN_URL)
        done = referee("watch", "--source", url, "--json", "--frames", "1")
    assert (done.code, done.err) == (0, "")
    (row,) = json_lines(done.out)
    assert row.keys() == LOOK_FIELDS
    assert row["image"] == phone.url(login="***")
    assert isinstance(row["t_ns"], int)


def test_watch_gives_up_when_told_to_and_says_what_happened(referee: Referee) -> None:
    with camera() as phone:
        phone.send(part(jpeg(10)), None)
        phone.login = None
        done = referee("watch", "--source", phone.url(), "--give-up", "2")
    assert done.code == 2
    lost, given_up = done.err.splitlines()
    assert "ended; trying to open it again" in lost
    assert "no picture for 2 s; given up" in given_up


def test_no_message_names_a_password(referee: Referee) -> None:
    for scheme in ("http", "rtsp"):
        url = f"{scheme}://ann:hidden@127.0.0.1:{free_port()}/video"
        done = referee("watch", "--source", url)
        assert done.code == 2
        assert "nothing listens" in one_line(done.err)
        assert "hidden" not in done.err


def test_watch_reads_every_frame_of_a_file(referee: Referee, tmp_path: Path, table: Image) -> None:
    video = write_video(tmp_path / "game.avi", [table] * 5)
    done = referee("watch", "--source", video, "--json", "--headless", "--pads", "none")
    assert (done.code, done.err) == (0, "")
    assert [row["frame"] for row in json_lines(done.out)] == [0, 1, 2, 3, 4]


def started(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "referee", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)


def test_control_c_ends_quietly() -> None:
    with camera() as phone:
        phone.send(part(jpeg(10)))
        process = started("watch", "--source", phone.url(), "--json")
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANG_S)
    assert (process.returncode, out, err) == (130, "", "")


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    grey: Image = np.full((64, 96, 3), 90, np.uint8)
    video = write_video(tmp_path / "long.avi", [grey] * 3000)
    process = started("see", str(video), "--json")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.wait(HANG_S) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


def test_doctor_judges_a_picture(referee: Referee, tmp_path: Path, table: Image) -> None:
    dark = write_picture(tmp_path / "dark.png", table // 8)
    rows = json_lines(referee("doctor", "--source", dark, "--json").out)
    findings = {row["check"]: row for row in rows}
    assert all(row.keys() == {"check", "verdict", "found", "advice"} for row in findings.values())
    assert findings["python"]["verdict"] == "ok"
    assert findings["opencv"]["verdict"] == "ok"
    assert findings["light"]["verdict"] == "warn"
    assert "too dark" in str(findings["light"]["advice"])
    assert findings["picture size"]["verdict"] == "warn"
    assert "frame rate" not in findings


def test_doctor_fails_when_something_is_missing(referee: Referee) -> None:
    done = referee("doctor", "--source", "camera:97", "--models", "nowhere")
    assert done.code == 1
    assert done.err == ""
    failed = [line for line in done.out.splitlines() if line.startswith("fail")]
    assert any("no camera there" in line for line in failed)
    assert any("no such folder of models" in line for line in failed)
    assert done.out.count("->") >= len(failed)


def test_bench_measures_every_step(referee: Referee, picture: Path) -> None:
    done = referee("bench", "--source", picture, "--changes", "0", "--json")
    assert (done.code, done.err) == (0, "")
    *steps, last = json_lines(done.out)
    names = " ".join(str(step["step"]) for step in steps)
    assert all(word in names for word in ("decode", "gate", "tile", "cold 1080p"))
    for step in steps:
        assert step.keys() == {"step", "p50_ms", "p95_ms", "runs"}
        assert float(str(step["p50_ms"])) <= float(str(step["p95_ms"]))
        assert int(str(step["runs"])) >= 5
    conditions = last["conditions"]
    assert isinstance(conditions, dict)
    assert {"processor", "cores", "threads", "peak_memory_mb", "opencv"} <= conditions.keys()


def test_bench_by_its_name_does_the_same(referee: Referee, picture: Path) -> None:
    done = referee("bench", "speed", "--source", picture, "--changes", "0")
    assert done.code == 0
    assert "p95" in done.out
    assert "cores" in done.out
