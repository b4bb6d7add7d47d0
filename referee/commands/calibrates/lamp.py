"""`referee calibrate lamp`: how late the camera's pictures are against the pads."""

from __future__ import annotations

import argparse
import secrets
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from referee import app
from referee.commands import FINE, NO, BadInput, print_json, tell, wide_help
from referee.commands._calibration import add_source, write_text
from referee.commands._pads import read_calibration
from referee.commands.padsteps._open import open_boards, wait_until_known
from referee.pads.clock import Stamp
from referee.pads.delay import Delay, LampSeen, delay_of, with_lamp
from referee.pads.lamp import TICKS_PER_MS, Lateness, Pattern, cells, find_lateness
from referee.pads.link import Boards, Link
from referee.pads.profile import profile_text
from referee.pads.protocol import Light, Lit
from referee.pads.told import Answer
from referee.vision.address import SYNTAX
from referee.vision.camera import LiveSource, News, news_text
from referee.vision.frames import Frame

EPILOG = """example:
  referee calibrate lamp --source camera:0
  referee calibrate lamp /dev/ttyACM0 --source camera:0 --calibration calibration/pads.toml

Lay the board, or the LED on its pin 9, where the camera sees it, and keep still. The LED flickers
for twenty seconds: twice as long as is needed, so that the second half proves the first. What is
found is kept in the pads' calibration, from where `referee watch --pads-calibration` takes it.

Do it twice, with the LED near the top of the picture and near its foot: a camera reads the rows of
a picture one after another, and two places tell how long that takes. After one place the delay is
only as sure as the slowest camera allows; best in half the picture's height."""
# Three bits are longer than any exposure; 8 s hold about 60 edges.
BIT_MS, LOOK_S = 40, 8.0
RUNS, HEARTBEAT = 3, 2
# The lamp's host time may be off by so much, and both halves must agree to so much.
SETTLED_NS, APART_NS = 2_000_000, 5_000_000
PATIENCE_S = 20.0
MS = 1_000_000


@dataclass
class Filmed:
    """What a camera saw of the lamp, and when the lamp's pattern began by the pads' clock."""

    t_ns: list[int] = field(default_factory=list)
    pictures: list[NDArray[np.uint8]] = field(default_factory=list)
    starts_ns: list[float] = field(default_factory=list)
    halves_ns: list[int] = field(default_factory=list)
    bit_ns: float = BIT_MS * MS

    def lateness(self, seed: int) -> Lateness | None:
        """Return how late the pictures are, None where the lamp is not seen in them."""
        if not self.starts_ns:
            return None
        pattern = Pattern(statistics.median(self.starts_ns), self.bit_ns, seed)
        found = find_lateness(self.t_ns, self.pictures, pattern)
        if found is None:
            return None
        # What is not known of the board's clock moves all pictures alike.
        clock_ns = round(statistics.median(self.halves_ns))
        return replace(found, half_ns=found.half_ns + clock_ns)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register what can be calibrated."""
    parser = subparsers.add_parser(
        "lamp",
        help="how late the camera is against the pads",
        description="Learn from a board's flickering LED how late the camera's pictures are.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("ports", metavar="PORT", nargs="*", help="ports; without, all touchpads")
    add_source(parser, SYNTAX)
    parser.add_argument(
        "--calibration", metavar="FILE.toml", default="calibration/pads.toml",
        help="the pads' calibration to keep it in (default calibration/pads.toml)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate; returns 1 where the two halves differ. Raises BadInput."""
    profile = read_calibration(args.calibration)
    address = app.find_source(args.source)
    if not address.kind.live:
        raise BadInput(f"{args.source}: only a live camera can see the lamp")
    boards = open_boards(args.ports)
    try:
        wait_until_known(boards, PATIENCE_S, SETTLED_NS)
        link = ready_link(boards)
        camera = app.open_live(address)
        try:
            found, proof = measure(boards, link, pictures(camera))
        finally:
            camera.close()
            link.say(Light(HEARTBEAT, 0, 0, 0))
            time.sleep(0.2)  # for the writer, before the port is closed
    finally:
        boards.close()
    lamp = LampSeen(found.row, found.late_ns / MS, found.half_ns / MS)
    kept = replace(profile, lamps=with_lamp(profile.lamps, lamp))
    write_text(args.calibration, profile_text(kept))
    return show(args, found, proof, kept.lamps)


def ready_link(boards: Boards) -> Link:
    """Return the talk with the first board that is ready. Raises BadInput."""
    for status in boards.statuses():
        link = boards.link(status.uid or b"")
        if status.state == "LIVE" and link is not None:
            return link
    reasons = [f"{s.device}: {s.why}" for s in boards.statuses() if s.why]
    reasons += [why for _, why in boards.refused()]
    raise BadInput("; ".join(reasons) or "no touchpad is plugged in")


def pictures(camera: LiveSource) -> Iterator[Frame | None]:
    """Yield pictures as they come, None where none came for a while."""
    while True:
        got = camera.wait(0.05)
        if isinstance(got, News):
            tell(news_text(got))
        yield got if isinstance(got, Frame) else None


def measure(
    boards: Boards, link: Link, frames: Iterator[Frame | None], seconds: float = LOOK_S
) -> tuple[Lateness, Lateness | None]:
    """Let the lamp flicker and look at it twice; returns both findings. Raises BadInput."""
    seed = secrets.randbelow(65535) + 1
    link.say(Light(RUNS, BIT_MS, seed, 0))
    first, second = (look(boards, frames, seconds).lateness(seed) for _ in range(2))
    if first is None:
        raise BadInput(
            "the lamp is not seen: is the board in the camera's picture, with the LED up, and "
            "nothing moving beside it?"
        )
    return first, second


def look(boards: Boards, frames: Iterator[Frame | None], seconds: float) -> Filmed:
    """Film for some seconds, and hear when the lamp changes."""
    filmed, end_s = Filmed(), time.monotonic() + seconds
    while time.monotonic() < end_s:
        frame = next(frames)
        if frame is not None and frame.t_ns is not None:
            filmed.t_ns.append(frame.t_ns)
            filmed.pictures.append(cells(frame.image_bgr))
        while (news := boards.wait(0.0)) is not None:
            match news.told:
                case Answer(word=Lit(index=index), stamp=Stamp() as stamp):
                    filmed.bit_ns = BIT_MS * TICKS_PER_MS * stamp.tick_ns
                    filmed.starts_ns.append(stamp.t_ns - index * filmed.bit_ns)
                    filmed.halves_ns.append(stamp.half_ns)
    return filmed


def show(
    args: argparse.Namespace,
    found: Lateness,
    proof: Lateness | None,
    lamps: tuple[LampSeen, ...],
) -> int:
    """Print what was found and whether the second look agrees."""
    delay = delay_of(lamps)
    apart_ns = None if proof is None else abs(proof.late_ns - found.late_ns)
    agrees = apart_ns is not None and apart_ns <= APART_NS + found.half_ns
    if args.json:
        fields = {"late_ms": delay.late_ns / MS, "half_ms": delay.half_ns / MS}
        fields |= {"exposure_ms": found.exposure_ns / MS, "likeness": round(found.likeness, 3)}
        readout_ms = None if delay.readout_ns is None else delay.readout_ns / MS
        seen = {"at_px": found.at_px, "agrees": agrees, "file": args.calibration}
        print_json({**fields, "readout_ms": readout_ms, **seen})
    else:
        x_px, y_px = found.at_px
        late = f"{delay.late_ns / MS:.1f} ms late (+-{delay.half_ns / MS:.1f} ms)"
        print(f"the camera is {late}; the lamp is at {x_px}, {y_px} of the picture")
        print(rows_text(delay, found.row))
        print(f"{args.calibration}: written", flush=True)
    if not agrees:
        again = "the lamp was not seen again" if proof is None else "the second look differs"
        tell(f"{again}: keep board and camera still, and calibrate once more")
    return FINE if agrees else NO


def rows_text(delay: Delay, row: float) -> str:
    """Return what is known of the camera's rows, and what to do about what is not."""
    if delay.readout_ns is not None:
        return f"from its first row to its last it needs {delay.readout_ns / MS:.0f} ms"
    place = "top" if row > 0.5 else "foot"
    return (
        f"how long it reads a picture is not known: lay the LED near the {place} of the picture "
        "and calibrate once more"
    )
