"""What the pad commands share: boards opened, and waited for until they answer."""

from __future__ import annotations

import argparse
import time

from referee.commands import BadInput
from referee.pads.link import Boards, BoardStatus, News
from referee.pads.ports import PortError
from referee.pads.station import PATIENCE_S

AUTO = "auto"


def add_port(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the ports."""
    parser.add_argument(
        "ports",
        metavar="PORT",
        nargs="*",
        help="ports like /dev/ttyACM0; without, all that may be touchpads",
    )


def open_boards(ports: list[str]) -> Boards:
    """Open the ports, or all that may be touchpads. Raises BadInput."""
    named = [port for port in ports if port != AUTO]
    try:
        return Boards(dict.fromkeys(named) if named else None)
    except PortError as error:
        raise BadInput(str(error)) from None


def wait_until_known(
    boards: Boards, patience_s: float = PATIENCE_S, bound_ns: int | None = None
) -> list[News]:
    """Wait until every board is LIVE or refused, or the time is over; returns what was told.

    With `bound_ns` also until each clock is known that well.
    """
    end_s, told = time.monotonic() + patience_s, []
    quiet_s = time.monotonic() + 1.0
    while time.monotonic() < end_s:
        news = boards.wait(0.1)
        if news is not None:
            told.append(news)
        statuses = boards.statuses()
        settled = all(_is_settled(status, bound_ns) for status in statuses)
        if settled and (statuses or time.monotonic() > quiet_s):
            break
    return told


def _is_settled(status: BoardStatus, bound_ns: int | None) -> bool:
    known = bound_ns is None or (status.half_ns is not None and status.half_ns <= bound_ns)
    return status.state == "WRONG FIRMWARE" or (status.state == "LIVE" and known)


def uid_text(uid: bytes | None) -> str:
    """Return a board's uid as it stands in profiles."""
    return "-" if uid is None else uid.hex()


def status_fields(status: BoardStatus) -> dict[str, object]:
    """Return a board's status as the fields of one JSON object."""
    half_ns = status.half_ns
    return {
        "port": status.device,
        "board": None if status.uid is None else status.uid.hex(),
        "state": status.state,
        "why": status.why or None,
        "advice": status.advice or None,
        "clock_bound_us": None if half_ns is None else round(half_ns / 1000, 1),
    }


def status_line(status: BoardStatus) -> str:
    """Return a board's status as one line for a person."""
    line = f"{status.device}  board {uid_text(status.uid)}  {status.state}"
    if status.half_ns is not None and status.state == "LIVE":
        line += f"  clock known to {status.half_ns / 1000:.0f} us"
    return line + (f"  ({status.why})" if status.why else "")
