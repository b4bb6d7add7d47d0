"""Simulated boards behind real ports: the released firmware in a simulated chip, in real time.

The simulation is C on libsimavr and is built in a clone of the project the first time it is
needed; `firmware/sim/ports.c` tells its orders. Any program can open the ports.
"""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from referee.pads.protocol import PADS
from referee.values import PadHit

FIRMWARE = Path(__file__).parents[2] / "firmware"
# In an installed package it lies in the package, in a clone beside it.
_PLACES = (Path(__file__).parents[1] / "firmware", FIRMWARE)
RELEASED_HEX = next((p for p in _PLACES if p.is_dir()), FIRMWARE) / "touchpad" / "touchpad.hex"
PACKAGES = "gcc libc6-dev libelf-dev libsimavr-dev"
PATHS = ("raw", "16u2", "ftdi16", "ftdi1", "cdc")  # as enum path in padsim.h
FRONTS = ("none", "piezo", "fsr", "switch")  # as enum front in padsim.h
MOST_BOARDS = 8
START_S, ANSWER_S, BUILD_S = 20.0, 10.0, 300.0
# How long a scripted touch lasts: a slap on a pile, not a resting hand.
TOUCH_NS = 60_000_000
# Priority of the boards among processes: lower is sooner.
FIRST = -15


class SimulationError(Exception):
    """The simulation cannot run: one line, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """What the simulated boards and their cables are like.

    `ppm` is the crystal's error; every second board has the opposite one. `wander_ppm_s` is how
    fast it changes. `corruption` is the chance for each byte to be damaged. `boot_ms` is the time
    in the boot loader after the port is opened.
    """

    path: str = "16u2"
    ppm: float = 100.0
    wander_ppm_s: float = 0.02
    corruption: float = 0.0
    boot_ms: float = 500.0
    front: str = "none"


def build(what: str) -> Path:
    """Return the built `libpadsim.so` or `padsim`, made anew if its source is newer.

    Raises SimulationError.
    """
    folder = FIRMWARE / "sim"
    if not (folder / "Makefile").is_file():
        raise SimulationError("the simulated pads need the project's source: use them in a clone")
    if shutil.which("make") is None or shutil.which("cc") is None:
        raise SimulationError(f"building the simulation needs make and {PACKAGES} (Debian)")
    command = ["make", "-s", "-C", str(folder), f"build/{what}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S, check=False)
    if done.returncode:
        why = "simavr is missing" if "simavr" in done.stderr else _last_line(done.stderr)
        raise SimulationError(f"the simulation does not build ({why}): apt-get install {PACKAGES}")
    return folder / "build" / what


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2] or "no reason is given"


class SimulatedBoards:
    """Boards in a process of their own, one port each; `with` ends them.

    `devices` are the names of the ports. With `links`, a folder, the names are links in it that
    stay the same when a board is plugged in again. Times are those of `time.monotonic_ns()`.
    """

    def __init__(
        self,
        boards: int = 1,
        settings: BoardSettings | None = None,
        links: Path | None = None,
        hex_file: Path = RELEASED_HEX,
    ) -> None:
        """Build if needed, start, wait for the ports. Raises SimulationError."""
        settings = settings or BoardSettings()
        if not 1 <= boards <= MOST_BOARDS:
            raise SimulationError(f"{boards} boards: 1 to {MOST_BOARDS} can be simulated")
        command = [str(build("padsim")), str(hex_file), str(boards), *_words(settings)]
        command.append(str(links) if links else "-")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            # On Linux whole sessions share the processor: in its own it can come first.
            start_new_session=True,
        )
        _let_run_first(self._process.pid)
        self.devices: list[str] = [""] * boards
        self._answers: queue.Queue[str] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._wait_for("ready", START_S)

    def __enter__(self) -> SimulatedBoards:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the boards; their ports are gone."""
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()
        try:
            self._process.wait(ANSWER_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join(ANSWER_S)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()

    def touch(self, board: int, pad: int, from_ns: int = 0, to_ns: int = 0) -> int:
        """Touch a pad at a time (0: now); returns the time at which the touch really begins."""
        self._order(f"touch {board} {pad} {from_ns} {to_ns}")
        return self._touched_ns()

    def knock(self, board: int, pad: int, t_ns: int = 0, peak_mv: float = 2000.0) -> int:
        """Let a piezo ring; returns when its comparator trips."""
        self._order(f"knock {board} {pad} {t_ns} {peak_mv} 350 4")
        return self._touched_ns()

    def chatter(self, board: int, pad: int, from_ns: int, to_ns: int, every_us: int) -> None:
        """Let a pad's contact open and close all the time."""
        self._order(f"chatter {board} {pad} {from_ns} {to_ns} {every_us}")

    def cut(self, board: int, pad: int, is_cut: bool = True) -> None:
        """Cut the cable of a pad, or mend it."""
        self._order(f"cut {board} {pad} {int(is_cut)}")

    def outage(self, board: int, from_ns: int, to_ns: int) -> None:
        """Lose all bytes for a time, both ways."""
        self._order(f"outage {board} {from_ns} {to_ns}")

    def corrupt(self, board: int, chance: float) -> None:
        """Damage bytes from now on."""
        self._order(f"corrupt {board} {chance}")

    def reset(self, board: int) -> None:
        """Press the board's reset key."""
        self._order(f"reset {board}")

    def unplug(self, board: int) -> None:
        """Pull the USB cable; the board keeps its power from elsewhere."""
        self._order(f"unplug {board}")

    def plug(self, board: int) -> str:
        """Put the cable in again; returns the port's name."""
        self._order(f"plug {board}")
        self._wait_for(f"port {board} ", ANSWER_S)
        return self.devices[board]

    def hang(self, board: int, for_ms: int) -> None:
        """Catch the firmware in an endless loop."""
        self._order(f"hang {board} {for_ms}")

    def _order(self, text: str) -> None:
        if self._process.stdin is None or self._process.poll() is not None:
            raise SimulationError("the simulation has ended; start it again")
        try:
            self._process.stdin.write(text + "\n")
        except OSError:
            raise SimulationError("the simulation has ended; start it again") from None

    def _touched_ns(self) -> int:
        return int(self._wait_for("touched ", ANSWER_S).split()[3])

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            words = line.split()
            if words[:1] == ["port"]:
                self.devices[int(words[1])] = words[2]
            self._answers.put(line.strip())
        self._answers.put("ended")

    def _wait_for(self, start: str, most_s: float) -> str:
        """Return the next answer that starts so. Raises SimulationError."""
        end_s = time.monotonic() + most_s
        while True:
            try:
                line = self._answers.get(timeout=max(0.0, end_s - time.monotonic()))
            except queue.Empty:
                self.close()
                raise SimulationError("the simulation does not answer; start it again") from None
            if line.startswith(start):
                return line
            if line.startswith("error ") or line == "ended":
                why = self._last_words(line)
                self.close()
                raise SimulationError(f"the simulation stopped: {why}")

    def _last_words(self, line: str) -> str:
        if line != "ended" or self._process.stderr is None:
            return line.removeprefix("error ")
        return _last_line(self._process.stderr.read())


def _let_run_first(process: int) -> None:
    """Let the boards keep their time while other programs fill the processor, as real ones do."""
    # Only the administrator may, and not every system knows it.
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process, FIRST)
        Path(f"/proc/{process}/autogroup").write_text(f"{FIRST}\n", encoding="ascii")


def _words(settings: BoardSettings) -> list[str]:
    """Return the settings as the program's words. Raises SimulationError."""
    for name, known in ((settings.path, PATHS), (settings.front, FRONTS)):
        if name not in known:
            raise SimulationError(f"{name}: not known; one of {', '.join(known)}")
    return [
        str(PATHS.index(settings.path)),
        str(settings.ppm),
        str(settings.wander_ppm_s),
        str(settings.corruption),
        str(settings.boot_ms),
        str(FRONTS.index(settings.front)),
    ]


def pads_of_script(hits: Iterable[PadHit]) -> dict[str, tuple[int, int]]:
    """Return (board, pad) for each spot, in the order in which the script names them."""
    spots = dict.fromkeys(hit.spot for hit in hits)
    return {spot: divmod(number, PADS) for number, spot in enumerate(spots)}


def play(
    boards: SimulatedBoards,
    hits: Iterable[PadHit],
    start_ns: int,
    pads: Mapping[str, tuple[int, int]],
) -> tuple[int, ...]:
    """Order all touches of a script ahead; returns when each begins.

    `start_ns` is the host time of the script's time 0. A hand is off the pad before the next one
    touches it. Raises SimulationError for a touch in the past: its time would be another than the
    script's.
    """
    began: list[int] = []
    in_order = tuple(hits)
    for number, hit in enumerate(in_order):
        t_ns = start_ns + hit.t_ns
        if t_ns < time.monotonic_ns():
            at_s = hit.t_ns / 1e9
            why = f"{hit.spot} is hit at {at_s:.3f} s, which has passed: begin the script later"
            raise SimulationError(why)
        gaps = (later.t_ns - hit.t_ns for later in in_order[number + 1 :] if later.spot == hit.spot)
        length_ns = min(TOUCH_NS, next(gaps, 2 * TOUCH_NS) // 2)
        board, pad = pads[hit.spot]
        began.append(boards.touch(board, pad, t_ns, t_ns + length_ns))
    return tuple(began)
