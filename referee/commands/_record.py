"""What the commands about the record share: where it lies, and how a match of it is opened."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.commands import BadInput, tell
from referee.match import MatchError
from referee.record import Folder, Log, RecordError, default_root, read_log


def add_record_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where the record lies."""
    parser.add_argument(
        "--record", metavar="DIR", help=f"folder of the record (default {default_root()})"
    )


def folder_of(args: argparse.Namespace) -> Folder:
    """Return the folder of the record."""
    return Folder(Path(args.record) if args.record else default_root())


@contextmanager
def clear_errors() -> Iterator[None]:
    """Turn what goes wrong with the record into bad input, one line."""
    try:
        yield
    except (RecordError, MatchError) as reason:
        raise BadInput(str(reason)) from None


def open_match(args: argparse.Namespace) -> Log:
    """Read the log that the command names; a fault in it is told. Raises BadInput."""
    with clear_errors():
        log = read_log(folder_of(args).find(args.match))
    if log.fault:
        tell(f"{log.path}: {log.fault}; what follows is not proven")
    return log


def write_file(path: Path, data: bytes) -> None:
    """Write a file. Raises BadInput."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from None
