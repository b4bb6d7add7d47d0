"""`referee pads simulate`: boards without hardware, on ports that any program can open."""

from __future__ import annotations

import argparse
import contextlib
import time
from pathlib import Path

from referee.commands import FINE, BadInput, print_json, tell, wide_help
from referee.commands.padsteps._script import script_hits
from referee.pads.simulated import (
    FRONTS,
    MOST_BOARDS,
    PATHS,
    BoardSettings,
    SimulatedBoards,
    SimulationError,
    pads_of_script,
    play,
)
from referee.values import PadHit

EPILOG = """example:
  referee pads simulate
  referee pads simulate --boards 2 --path cdc --ppm 4000 --links /tmp
  referee pads simulate --script evening.match --json

Runs the released firmware in a simulated ATmega328P behind a modelled USB adapter, until Ctrl-C.
With --script the PadHit events of a .match file are played, its time 0 after --delay seconds;
each spot gets a pad, in the order in which the script names them."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the step."""
    parser = subparsers.add_parser(
        "simulate",
        help="a port of a simulated board, without hardware",
        description="Simulate pad boards and print the names of their ports.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    usual = BoardSettings()
    parser.add_argument("--boards", type=int, default=1, help=f"1 to {MOST_BOARDS} (default 1)")
    parser.add_argument("--path", default=usual.path, help=f"{', '.join(PATHS)} (default 16u2)")
    parser.add_argument("--ppm", type=float, default=usual.ppm, help="the crystal's error")
    parser.add_argument(
        "--wander", type=float, default=usual.wander_ppm_s, help="its change, ppm in a second"
    )
    parser.add_argument(
        "--corruption", type=float, default=0.0, help="chance of damage to each byte, 0 to 1"
    )
    parser.add_argument("--front", default=usual.front, help=f"{', '.join(FRONTS)}: at every pad")
    parser.add_argument("--links", metavar="DIR", help="make links pads0, ... to the ports there")
    parser.add_argument("--script", metavar="FILE.match", help="play the PadHit events of a match")
    parser.add_argument(
        "--delay", type=float, default=5.0, help="seconds before the script's time 0 (default 5)"
    )
    parser.add_argument("--seconds", type=float, help="end after so long (default: Ctrl-C)")
    parser.add_argument("--json", action="store_true", help="one JSON object a port and a touch")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Simulate until told to end. Raises BadInput."""
    settings = _settings(args)
    hits = script_hits(args.script) if args.script else ()
    boards = max(args.boards, 1 + max((b for b, _ in pads_of_script(hits).values()), default=0))
    try:
        with SimulatedBoards(boards, settings, _links(args.links)) as simulated:
            for number, device in enumerate(simulated.devices):
                _say_port(number, device, settings, args.json)
            with contextlib.suppress(KeyboardInterrupt):
                if hits:
                    _play(simulated, hits, args)
                _wait(args.seconds)
    except SimulationError as error:
        raise BadInput(str(error)) from None
    return FINE


def _settings(args: argparse.Namespace) -> BoardSettings:
    if not 0 <= args.corruption <= 1:
        raise BadInput(f"--corruption {args.corruption}: a chance is 0 to 1")
    if not abs(args.ppm) <= 10_000:
        raise BadInput(f"--ppm {args.ppm}: a resonator is off by 10000 ppm at most")
    if not abs(args.wander) <= 100:
        raise BadInput(f"--wander {args.wander}: 100 ppm in a second at most")
    if not 1 <= args.boards <= MOST_BOARDS:
        raise BadInput(f"--boards {args.boards}: 1 to {MOST_BOARDS} can be simulated")
    for name in ("delay", "seconds"):
        value = getattr(args, name)
        if value is not None and not 0 <= value < 1e6:
            raise BadInput(f"--{name} {value}: a number of seconds from 0 on")
    return BoardSettings(
        path=args.path,
        ppm=args.ppm,
        wander_ppm_s=args.wander,
        corruption=args.corruption,
        front=args.front,
    )


def _links(folder: str | None) -> Path | None:
    if folder is not None and not Path(folder).is_dir():
        raise BadInput(f"--links {folder}: there is no such folder")
    return Path(folder) if folder else None


def _say_port(number: int, device: str, settings: BoardSettings, as_json: bool) -> None:
    if as_json:
        print_json({"board": number, "port": device, "path": settings.path})
    else:
        print(f"board {number}: {device}", flush=True)


def _play(boards: SimulatedBoards, hits: tuple[PadHit, ...], args: argparse.Namespace) -> None:
    pads = pads_of_script(hits)
    start_ns = time.monotonic_ns() + int(args.delay * 1e9)
    began = play(boards, hits, start_ns, pads)
    for hit, t_ns in zip(hits, began, strict=True):
        board, pad = pads[hit.spot]
        fields = {"spot": hit.spot, "board": board, "pad": pad, "t": hit.t_ns / 1e9, "at_ns": t_ns}
        if args.json:
            print_json(fields)
    tell(f"{len(hits)} touches will be played, the first in {(began[0] - _now_ns()) / 1e9:.1f} s")


def _now_ns() -> int:
    return time.monotonic_ns()


def _wait(seconds: float | None) -> None:
    if seconds is not None:
        time.sleep(seconds)
        return
    while True:
        time.sleep(3600)
