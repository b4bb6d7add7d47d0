"""`referee pads list`, `test` and `referee calibrate pads` on boards behind real ports."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import HANG_S, ROOT, Ended, one_line
from pad_parts import BOARD, MS, UID

from referee.pads.delay import LampSeen
from referee.pads.paths import Path as Cable
from referee.pads.profile import Profile, profile_text, read_profile
from referee.pads.twin import Crystal, Touch, Twin
from referee.pads.twinport import TwinPort

Referee = Callable[..., Ended]


def port() -> TwinPort:
    twin = Twin(UID, random.Random(1), Crystal(150.0), time.monotonic_ns())
    return TwinPort(twin, Cable("cdc", random.Random(2)))


@contextmanager
def tapped(board: TwinPort, pads: tuple[int, ...], every_s: float = 0.35) -> Iterator[None]:
    """Tap these pads in turn, again and again, until the command has ended."""
    ended = threading.Event()

    def tap() -> None:
        n = 0
        while not ended.wait(every_s):
            strength = 300 + 37 * (n % 9)
            board.touch(Touch(time.monotonic_ns(), pads[n % len(pads)], peak=180 + strength))
            n += 1

    thread = threading.Thread(target=tap, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(2.0)


def test_a_board_is_listed_with_its_state(referee: Referee) -> None:
    with port() as board:
        ended = referee("pads", "list", board.device, "--json")
        assert ended.code == 0, ended.err
        found = json.loads(ended.out)
        assert (found["port"], found["board"], found["state"]) == (board.device, BOARD, "LIVE")
        assert found["clock_bound_us"] > 0
        assert ended.err == ""


def test_where_no_touchpad_is_the_list_says_so(referee: Referee) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    ended = referee("pads", "list", os.ttyname(slave))
    assert ended.code == 1
    assert "does not answer" in ended.out or "not connected yet" in ended.out
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize("step", [("pads", "list"), ("pads", "test"), ("calibrate", "pads")])
def test_a_port_that_is_not_there_is_told_in_one_line(
    referee: Referee, step: tuple[str, str], tmp_path: Path
) -> None:
    more = ("--game", "nerves", "-o", str(tmp_path / "x.toml")) if step[0] == "calibrate" else ()
    ended = referee(*step, "/dev/no-such-port", *more)
    assert ended.code == 2
    assert "no such port" in one_line(ended.err)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("calibrate", "pads", "--game", "xix"), "--spots"),
        (("calibrate", "pads", "--game", "nerves", "--spots", "a,a"), "each spot once"),
        (("calibrate", "pads", "--game", "nerves", "--taps", "2"), "--taps takes 5"),
        (("calibrate", "pads", "--game", "nerves", "--wired", "9"), "--wired takes 1"),
        (("pads", "test", "--seconds", "-1"), "--seconds takes"),
        (("pads", "test", "--seconds", "nan"), "--seconds takes"),
    ],
)
def test_a_wrong_setting_is_told_in_one_line(
    referee: Referee, words: tuple[str, ...], told: str
) -> None:
    ended = referee(*words)
    assert ended.code == 2
    assert told in one_line(ended.err)


def test_touches_are_shown_while_the_pads_are_tested(referee: Referee) -> None:
    with port() as board, tapped(board, (0, 2)):
        ended = referee("pads", "test", board.device, "--seconds", "3", "--json")
        lines = [json.loads(line) for line in ended.out.splitlines()]
        touches = [line for line in lines if "touch" in line]
        assert {line["pad"] for line in touches} == {0, 2}
        assert lines[-1]["state"] == "LIVE"
        assert lines[-1]["faults"] == []
        assert lines[-1]["touches"] == len(touches)
        assert ended.code == 0, ended.err


def test_pads_are_calibrated_by_tapping_and_tried_live(tmp_path: Path) -> None:
    out = tmp_path / "kept" / "pads.toml"
    # The camera was measured before the pads were laid anew.
    lamps = (LampSeen(0.125, 70.25, 1.5),)
    out.parent.mkdir()
    out.write_text(profile_text(Profile("nerves", (), (), lamps)), encoding="utf-8")
    with port() as board:
        command = [sys.executable, "-m", "referee", "calibrate", "pads", board.device]
        command += ["--game", "nerves", "--taps", "5", "--seconds", "20", "-o", str(out)]
        running = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        places = {"mid": 1, "play.A": 0, "play.B": 2}
        told = _play_along(running, board, places)
        printed = running.communicate(timeout=HANG_S)[0]
    assert running.returncode == 0, told
    assert "Traceback" not in told
    found = read_profile(out.read_text("utf-8"), "pads.toml")
    assert {pad.spot: pad.pad for pad in found.pads} == places
    assert found.lamps == lamps
    assert all(pad.taps == 5 for pad in found.pads)
    for spot in places:
        assert f"{spot}: touched" in printed


def _play_along(running: subprocess.Popen[str], board: TwinPort, places: dict[str, int]) -> str:
    """Tap what the command asks for until it ends; returns what it said."""
    wanted: list[int] = []
    ended = threading.Event()

    def tap() -> None:
        n = 0
        while not ended.wait(0.3):
            if wanted:
                pad = wanted[n % len(wanted)]
                board.touch(Touch(time.monotonic_ns() + MS, pad, peak=500 + 41 * (n % 7)))
                n += 1

    thread = threading.Thread(target=tap, daemon=True)
    thread.start()
    said = []
    assert running.stderr is not None
    for line in running.stderr:
        said.append(line)
        words = line.split()
        if words[1:2] == ["tap"]:
            wanted[:] = [places[words[2]]]
        elif words[1:3] == ["live", "test:"]:
            wanted[:] = list(places.values())
    ended.set()
    thread.join(2.0)
    return "".join(said)


def test_a_fault_that_came_and_went_and_a_pulled_cable_are_told_and_the_answer_is_no() -> None:
    twin = Twin(UID, random.Random(1), Crystal(150.0), time.monotonic_ns())
    with TwinPort(twin, Cable("cdc", random.Random(2))) as board:
        command = [sys.executable, "-m", "referee", "pads", "test", board.device]
        running = subprocess.Popen(
            [*command, "--seconds", "12"],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        with tapped(board, (0,)):
            assert running.stdout is not None
            assert running.stdout.readline().startswith("touch ")
            twin.stat = replace(twin.stat, storming=0b10)
            assert running.stderr is not None
            assert "pad 1 chatters: check its wires" in running.stderr.readline()
            twin.stat = replace(twin.stat, storming=0)
    told = running.communicate(timeout=HANG_S)[1]
    assert "the cable was pulled, or the board has no power" in one_line(told)
    assert running.returncode == 1
