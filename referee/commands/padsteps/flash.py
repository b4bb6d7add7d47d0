"""`referee pads flash`: writes the released firmware to a board, with avrdude."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
from pathlib import Path

from referee.commands import FINE, BadInput, print_json, tell, wide_help
from referee.pads.simulated import RELEASED_HEX

EPILOG = """example:
  referee pads flash /dev/ttyACM0
  referee pads flash /dev/ttyUSB0 --old-nano

The firmware that was on the board is lost; its name and settings stay. A Nano made before 2018
usually has the old boot loader: try --old-nano when the board does not answer."""
# Of the boot loaders: optiboot, and the one of old Nanos.
BAUD, OLD_BAUD = 115_200, 57_600
FLASH_S = 120.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the step."""
    parser = subparsers.add_parser(
        "flash",
        help="write the firmware to an Uno or a Nano",
        description="Write the released pad firmware to an Arduino Uno or Nano.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("port", metavar="PORT", help="the board's serial port: /dev/ttyACM0 ...")
    parser.add_argument("--old-nano", action="store_true", help="57600 baud, for old Nanos")
    parser.add_argument("--hex", metavar="FILE", help="another firmware than the released one")
    parser.add_argument("--json", action="store_true", help="one JSON object: port, file, hash")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check the file, then call avrdude. Raises BadInput."""
    firmware = Path(args.hex) if args.hex else RELEASED_HEX
    digest = checked_hash(firmware, released=args.hex is None)
    if not Path(args.port).exists():
        raise BadInput(f"{args.port}: no such port; `referee pads list` shows those that there are")
    if shutil.which("avrdude") is None:
        raise BadInput("avrdude is missing; install it (Debian: apt-get install avrdude)")
    tell(f"writing {firmware.name} ({digest[:12]}) to {args.port}")
    write_flash(args.port, firmware, OLD_BAUD if args.old_nano else BAUD)
    if args.json:
        print_json({"port": args.port, "file": str(firmware), "sha256": digest})
    else:
        print(f"{args.port}: written and read back; `referee pads test` tries it")
    return FINE


def checked_hash(firmware: Path, released: bool) -> str:
    """Return the SHA-256 of a firmware file; the released one must match. Raises BadInput."""
    try:
        data = firmware.read_bytes()
    except OSError as reason:
        raise BadInput(f"{firmware}: {reason.strerror or 'cannot be read'}") from None
    except ValueError:
        raise BadInput(f"{str(firmware)!r} is no file name") from None
    if not data.startswith(b":"):
        raise BadInput(f"{firmware}: this is no Intel hex file")
    digest = hashlib.sha256(data).hexdigest()
    if released and digest not in (firmware.parent / "SHA256SUMS").read_text(encoding="ascii"):
        raise BadInput(f"{firmware}: it is not the released firmware; fetch the project again")
    return digest


def write_flash(port: str, firmware: Path, baud: int) -> None:
    """Let avrdude write and verify. Raises BadInput with what it says."""
    command = ["avrdude", "-q", "-p", "atmega328p", "-c", "arduino", "-P", port, "-b", str(baud)]
    command += ["-D", "-U", f"flash:w:{firmware}:i"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=FLASH_S, check=False)
    except subprocess.TimeoutExpired:
        raise BadInput(f"{port}: the board does not answer; unplug it and try again") from None
    if done.returncode:
        raise BadInput(f"{port}: {why(done.stderr)}")


def why(said: str) -> str:
    """Return in one line what avrdude's complaint means and what to do."""
    if "not in sync" in said or "programmer is not responding" in said:
        return "the board does not answer; is it an Uno or Nano? An old Nano needs --old-nano"
    if "Permission denied" in said:
        return "you may not use it: join the group that owns it (usually dialout), log in again"
    if "resource busy" in said:
        return "another program uses it (an Arduino window, the referee): close that one"
    if "signature" in said:
        return "this is no ATmega328P board"
    if "can't set" in said or "getattr" in said or "ioctl" in said:
        return "this is no serial port; `referee pads list` shows those that there are"
    lines = [line.strip() for line in said.splitlines() if "done." not in line and line.strip()]
    return f"avrdude says: {lines[0] if lines else 'nothing'}"
