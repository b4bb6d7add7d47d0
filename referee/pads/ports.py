"""Serial ports: which may be touch pads, opening them alone, and what stands in the way."""

from __future__ import annotations

import errno
import grp
import os
import stat
from dataclasses import dataclass
from pathlib import Path

import serial
from serial.tools import list_ports

from referee.pads.protocol import BAUD

# Vendor and product of the boards and adapter chips that a touchpad has; None is any product.
KNOWN_USB: tuple[tuple[int, int | None, str], ...] = (
    (0x2341, None, "Arduino"),
    (0x2A03, None, "Arduino"),
    (0x1A86, 0x7523, "CH340"),
    (0x0403, 0x6001, "FTDI"),
    (0x10C4, 0xEA60, "CP210x"),
)
READ_WAIT_S, WRITE_WAIT_S = 0.1, 1.0


class PortError(Exception):
    """A port that cannot be used: one line, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class FoundPort:
    """A serial port that may lead to a touchpad."""

    device: str
    chip: str
    usb: str


def find_ports() -> tuple[FoundPort, ...]:
    """Return the ports with a known vendor and product, in the order of their names."""
    found = []
    for port in list_ports.comports():
        chip = _chip(port.vid, port.pid)
        if chip is not None:
            found.append(FoundPort(port.device, chip, f"{port.vid:04x}:{port.pid:04x}"))
    return tuple(sorted(found, key=lambda port: port.device))


def _chip(vid: int | None, pid: int | None) -> str | None:
    for vendor, product, name in KNOWN_USB:
        if vid == vendor and product in (None, pid):
            return name
    return None


def open_port(device: str) -> serial.Serial:
    """Open a port for us alone. Raises PortError."""
    _check(device)
    try:
        port = serial.Serial(
            device,
            BAUD,
            timeout=READ_WAIT_S,
            write_timeout=WRITE_WAIT_S,
            exclusive=True,
        )
    except serial.SerialException as error:
        # What cannot be set up as a serial line has no errno: pyserial says it in words.
        number = error.errno or (errno.ENOTTY if "configure" in str(error) else None)
        raise PortError(f"{device}: {_why(device, number)}") from None
    except (OSError, ValueError) as error:
        raise PortError(f"{device}: {_why(device, getattr(error, 'errno', None))}") from None
    try:
        port.set_low_latency_mode(True)
    except (OSError, ValueError, NotImplementedError, AttributeError):
        pass  # only some drivers know it
    return port


def _check(device: str) -> None:
    try:
        kind = os.stat(device).st_mode
    except OSError as error:
        raise PortError(f"{device}: {_why(device, error.errno)}") from None
    except ValueError:
        raise PortError(f"{device!r}: {_why(device, errno.ENOENT)}") from None
    if not stat.S_ISCHR(kind):
        raise PortError(f"{device}: {_why(device, errno.ENOTTY)}")


def _why(device: str, number: int | None) -> str:
    """Return in words why a port did not open, and what to do."""
    match number:
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return "no such port; `referee pads list` shows those that there are"
        case errno.EACCES | errno.EPERM:
            return (
                f"you may not use it: join the group `{_group(device)}` "
                f"(sudo usermod -aG {_group(device)} $USER) and log in again"
            )
        case errno.EBUSY | errno.EAGAIN:
            return "another program uses it (an Arduino window, another referee): close that one"
        case errno.ENOTTY | errno.EINVAL:
            return "this is no serial port; `referee pads list` shows those that there are"
    return f"it cannot be opened ({os.strerror(number) if number else 'no reason is given'})"


def _group(device: str) -> str:
    try:
        return grp.getgrgid(os.stat(device).st_gid).gr_name
    except (OSError, KeyError):
        return "dialout"


def latency_timer_ms(device: str) -> int | None:
    """Return the latency timer of an FTDI adapter as Linux tells it, None for other ports."""
    path = Path("/sys/bus/usb-serial/devices") / Path(device).name / "latency_timer"
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
