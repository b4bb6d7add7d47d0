"""`referee pads test`: are all pads sound? Looks at every board, then shows touches live."""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field

from referee.commands import FINE, NO, BadInput, print_json, tell, wide_help
from referee.commands.padsteps._open import (
    add_port,
    open_boards,
    status_fields,
    status_line,
    uid_text,
    wait_until_known,
)
from referee.pads.link import Boards, BoardStatus, News
from referee.pads.protocol import FAULTS as BOARD_FAULTS
from referee.pads.protocol import PADS, Stat
from referee.pads.told import Felt, Heartbeat, Linked
from referee.pads.touchpads import FAULTS as PAD_FAULTS

EPILOG = """example:
  referee pads test
  referee pads test /dev/ttyACM0 --seconds 20

Touch each pad once while it runs; every touch is shown with its pad, strength and time."""
# A main loop slower than this makes stamps late (its bring-up test refuses to arm above it).
SLOWEST_LOOP_US = 200


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the step."""
    parser = subparsers.add_parser(
        "test",
        help="are all pads sound? shows touches live",
        description="Check every board and pad, then show touches as they come.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    add_port(parser)
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="how long to show touches (default 10)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a touch or board")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Test the boards; returns 1 if something is wrong with one. Raises BadInput."""
    if not 0 <= args.seconds <= 3600:
        raise BadInput("--seconds takes 0 to 3600")
    boards = open_boards(args.ports)
    try:
        wait_until_known(boards)
        there = {status.device for status in boards.statuses()}
        if not there:
            refused = "; ".join(why for _, why in boards.refused())
            raise BadInput(refused or "no touchpad is plugged in")
        shown = _show(boards, args.seconds, args.json)
        statuses = boards.statuses()
    finally:
        boards.close()
    good = there <= {status.device for status in statuses}
    for status in statuses:
        wrong = list(dict.fromkeys((*_wrong(status), *shown.faults.get(status.device, ()))))
        good = good and status.state == "LIVE" and not wrong
        if args.json:
            print_json({**status_fields(status), "faults": wrong, "touches": shown.touches})
        else:
            print(status_line(status))
            for text in wrong:
                tell(f"{status.device}: {text}")
        if status.advice:
            tell(status.advice)
    return FINE if good else NO


@dataclass
class Shown:
    """What came while touches were shown: how many, and each board's faults, also past ones."""

    touches: int = 0
    faults: dict[str, tuple[str, ...]] = field(default_factory=dict)


def _show(boards: Boards, seconds: float, as_json: bool) -> Shown:
    """Show touches, and faults as they come, for some seconds."""
    shown, end_s = Shown(), time.monotonic() + seconds
    while (left_s := end_s - time.monotonic()) > 0:
        news = boards.wait(min(0.1, left_s))
        if news is None:
            continue
        match news.told:
            case Felt() as felt:
                shown.touches += 1
                _touch(news, felt, as_json)
            case Heartbeat(stat=stat):
                known = shown.faults.get(news.device, ())
                new = tuple(text for text in _pad_faults(stat) if text not in known)
                shown.faults[news.device] = (*known, *new)
                for text in new:
                    tell(f"{news.device}: {text}")
            case Linked(state=state, why=why) if why:
                tell(f"{news.device}: {state}: {why}")
    return shown


def _touch(news: News, felt: Felt, as_json: bool) -> None:
    hit, stamp = felt.hit, felt.stamp
    board, height = uid_text(news.uid), max(0, hit.peak - hit.baseline)
    if as_json:
        fields = {"board": board, "pad": hit.pad, "peak": height, "flags": hit.flags}
        t_ns = None if stamp is None else stamp.t_ns
        half_us = None if stamp is None else round(stamp.half_ns / 1000, 1)
        print_json({"touch": felt.seq, **fields, "t_ns": t_ns, "bound_us": half_us})
        return
    bound = "" if stamp is None else f"  known to {stamp.half_ns / 1000:.0f} us"
    print(f"touch {felt.seq}: board {board} pad {hit.pad}  strength {height}{bound}", flush=True)


def _wrong(status: BoardStatus) -> list[str]:
    """Return what is wrong with a board and its pads, one line each."""
    stat = status.stat
    wrong: list[str] = []
    if stat is None:
        return wrong
    wrong += [text for bit, text in enumerate(BOARD_FAULTS) if stat.faults >> bit & 1]
    wrong += _pad_faults(stat)
    if stat.longest_loop_us > SLOWEST_LOOP_US:
        wrong.append(f"its main loop took {stat.longest_loop_us} us, {SLOWEST_LOOP_US} is allowed")
    if stat.dropped:
        wrong.append(f"{stat.dropped} touches were dropped: the port was not read for too long")
    return wrong


def _pad_faults(stat: Stat) -> list[str]:
    """Return which pads can give no hit now, one line each."""
    return [
        f"pad {pad} {text}"
        for name, text in PAD_FAULTS
        for pad in range(PADS)
        if getattr(stat, name) >> pad & 1
    ]
