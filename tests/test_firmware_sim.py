"""Simulated boards on real ports: what any program sees that opens them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial
from conftest import ROOT, Ended, one_line

from referee.commands.padsteps._script import script_hits
from referee.commands.padsteps.flash import why
from referee.pads.ports import open_port
from referee.pads.protocol import (
    Ack,
    Deframer,
    FromBoard,
    Hello,
    Hit,
    Ident,
    Stat,
    ToBoard,
    frame,
)
from referee.pads.simulated import (
    BoardSettings,
    SimulatedBoards,
    SimulationError,
    pads_of_script,
    play,
)

Referee = Callable[..., Ended]
QUICK = BoardSettings(path="cdc", ppm=100, boot_ms=50)
PATIENCE_S = 60.0
SCRIPT = """match PADS-01 two slaps
  game nerves
  players A B
  events
    1 0.500 PadHit B.L mid
    2 0.618 PadHit A.R mid
"""


class Caller:
    """The least of a host on a real port: greets, acknowledges, keeps what it heard."""

    def __init__(self, device: str) -> None:
        self.port = open_port(device)
        self._deframer = Deframer()
        self.heard: list[FromBoard | ToBoard] = []
        self.hits: dict[int, Hit] = {}

    def close(self) -> None:
        self.port.close()

    def say(self, word: ToBoard) -> None:
        self.port.write(frame(word))

    def until(self, done: Callable[[], bool]) -> None:
        """Listen until something is so; it must become so, however busy the machine is."""
        end_s = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end_s, "the board never said it"
            for word in self._deframer.feed(self.port.read(max(1, self.port.in_waiting))):
                self.heard.append(word)
                if isinstance(word, Hit):
                    self.hits[word.seq] = word
                    self.say(Ack(word.seq + 1))

    def last(self, kind: type[FromBoard]) -> FromBoard | None:
        return next((word for word in reversed(self.heard) if isinstance(word, kind)), None)

    def greet(self, session: int) -> Ident:
        greeted = 0

        def armed() -> bool:
            """Greet again at each IDENT of another session: one may be from before the reset."""
            nonlocal greeted
            idents = [word for word in self.heard if isinstance(word, Ident)]
            if idents and idents[-1].session == session:
                return True
            if len(idents) > greeted:
                greeted = len(idents)
                self.say(Hello(1, session))
            return False

        self.until(armed)
        ident = self.last(Ident)
        assert isinstance(ident, Ident)
        # A pad that is let in must first be seen at rest.
        self.until(lambda: isinstance(self.last(Stat), Stat) and self.last(Stat).state == 1)  # type: ignore[union-attr]
        return ident


@pytest.fixture(scope="module")
def boards() -> Iterator[SimulatedBoards]:
    with SimulatedBoards(1, QUICK) as running:
        yield running


@pytest.fixture
def caller(boards: SimulatedBoards) -> Iterator[Caller]:
    opened = Caller(boards.devices[0])
    yield opened
    opened.close()


def test_any_program_can_open_the_port_and_touch_a_pad(
    boards: SimulatedBoards, caller: Caller
) -> None:
    caller.greet(71)
    began_ns = boards.touch(0, 1)
    caller.until(lambda: len(caller.hits) == 1)
    assert caller.hits[0].pad == 1
    assert began_ns <= time.monotonic_ns()


def test_the_stamps_keep_the_spacing_of_the_touches(
    boards: SimulatedBoards, caller: Caller
) -> None:
    """In ticks of a crystal that is 100 ppm fast; the machine's own speed plays no part."""
    caller.greet(72)
    began, asked = [0], [1]
    lead_ns = 1_000_000_000
    while began != asked:  # a machine too busy to order them in time gets more of it
        at_ns = time.monotonic_ns() + lead_ns
        asked = [at_ns + n * 40_000_000 for n in range(6)]
        began = [boards.touch(0, n % 2, t, t + 5_000_000) for n, t in enumerate(asked)]
        lead_ns *= 2
    caller.until(lambda: len(caller.hits) >= 6 and caller.port.in_waiting == 0)
    hits = [caller.hits[n] for n in range(len(caller.hits) - 6, len(caller.hits))]
    for hit, t_ns in zip(hits, began, strict=True):
        ticks = (t_ns - began[0]) * 2e-3 * 1.0001
        assert hit.t - hits[0].t == pytest.approx(ticks, abs=5)


def test_opening_the_port_restarts_the_board(boards: SimulatedBoards) -> None:
    boots = []
    for session in (73, 74):
        opened = Caller(boards.devices[0])
        boots.append(opened.greet(session).boot)
        opened.close()
        time.sleep(0.3)  # the simulation must have seen the port closed
    assert boots[1] == boots[0] + 1


def test_a_pulled_cable_ends_the_port_and_plugging_in_gives_one_again(tmp_path: Path) -> None:
    with SimulatedBoards(1, QUICK, links=tmp_path) as running:
        assert running.devices == [str(tmp_path / "pads0")]
        opened = Caller(running.devices[0])
        name = opened.greet(75).uid
        running.touch(0, 0)
        running.unplug(0)
        with pytest.raises((serial.SerialException, OSError)):
            opened.until(lambda: False)
        opened.close()
        again = Caller(running.plug(0))
        assert again.greet(76).uid == name
        again.close()


def test_two_boards_have_two_ports_and_two_names() -> None:
    with SimulatedBoards(2, QUICK) as running:
        callers = [Caller(device) for device in running.devices]
        names = {opened.greet(80 + n).uid for n, opened in enumerate(callers)}
        for opened in callers:
            opened.close()
    assert len(names) == 2


def test_the_touches_of_a_script_are_played(
    boards: SimulatedBoards, caller: Caller, tmp_path: Path
) -> None:
    (tmp_path / "slaps.match").write_text(SCRIPT, encoding="utf-8")
    hits = script_hits(str(tmp_path / "slaps.match"))
    pads = pads_of_script(hits)
    assert pads == {"mid": (0, 0)}
    caller.greet(77)
    began = play(boards, hits, time.monotonic_ns() + 3_000_000_000, pads)
    caller.until(lambda: len(caller.hits) == 2)
    assert began[1] - began[0] == 118_000_000
    spacing = (caller.hits[1].t - caller.hits[0].t) / 2e-3 / 1.0001
    assert spacing == pytest.approx(118_000_000, abs=3000)


def test_a_script_with_touches_in_the_past_is_refused(
    boards: SimulatedBoards, tmp_path: Path
) -> None:
    (tmp_path / "slaps.match").write_text(SCRIPT, encoding="utf-8")
    hits = script_hits(str(tmp_path / "slaps.match"))
    with pytest.raises(SimulationError, match="which has passed"):
        play(boards, hits, time.monotonic_ns() - 10_000_000_000, pads_of_script(hits))


def test_the_command_prints_a_port_and_ends_on_a_key() -> None:
    command = [sys.executable, "-m", "referee", "pads", "simulate", "--path", "raw", "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        row = json.loads(process.stdout.readline())
        assert row["path"] == "raw"
        opened = Caller(row["port"])
        opened.greet(90)
        opened.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) in (0, -signal.SIGINT, 130)
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("pads", "simulate", "--path", "usb4"), "one of raw"),
        (("pads", "simulate", "--boards", "9"), "1 to 8"),
        (("pads", "simulate", "--ppm", "20000"), "10000 ppm"),
        (("pads", "simulate", "--corruption", "2"), "0 to 1"),
        (("pads", "simulate", "--links", "nowhere"), "no such folder"),
        (("pads", "simulate", "--script", "nowhere.match"), "No such file"),
        (("pads", "simulate", "--script", "LICENSE"), "LICENSE"),
        (("pads", "simulate", "--seconds", "-1"), "number of seconds"),
        (("pads", "flash", "nowhere"), "no such port"),
        (("pads", "flash", "/dev/null", "--hex", "LICENSE"), "no Intel hex file"),
        (("pads", "flash", "/dev/null"), "no serial port"),
        (("bench", "pads", "wheels"), "invalid choice"),
    ],
)
def test_bad_input_gets_one_clear_line(
    referee: Referee, words: tuple[str, ...], reason: str
) -> None:
    done = referee(*words)
    assert (done.code, done.out) == (2, "")
    assert reason in one_line(done.err.splitlines()[-1] + "\n")


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("avrdude: stk500_getsync() attempt 10 of 10: not in sync: resp=0x00", "--old-nano"),
        ('avrdude: ser_open(): can\'t open device "/dev/ttyUSB0": Permission denied', "group"),
        ("avrdude: Device signature = 0x1e9801", "no ATmega328P"),
        ("avrdude: something else", "something else"),
        ("", "nothing"),
    ],
)
def test_what_avrdude_complains_of_is_said_in_plain_words(said: str, meaning: str) -> None:
    assert meaning in why(said)


def test_a_board_answers_a_flash_program_only_in_its_boot_loader(
    referee: Referee, boards: SimulatedBoards
) -> None:
    """The simulation has no boot loader: avrdude gets no answer and the line says what to try."""
    done = referee("pads", "flash", boards.devices[0])
    assert done.code == 2
    assert "does not answer" in done.err


def test_the_simulation_says_what_it_needs_when_it_cannot_start() -> None:
    with pytest.raises(SimulationError, match="one of raw"):
        SimulatedBoards(1, BoardSettings(path="wire"))
    with pytest.raises(SimulationError, match="1 to 8"):
        SimulatedBoards(0)
    with pytest.raises(SimulationError, match="stopped"):
        SimulatedBoards(1, QUICK, hex_file=Path(os.devnull))
