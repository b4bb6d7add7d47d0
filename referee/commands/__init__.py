"""The commands: one module each, found by being here, with `add(subparsers)` and `run(args)`.

`add` registers the command's parser and sets `run` as its default; `run` returns the exit code:
0 fine, 1 the answer is no, 2 bad input or device. A module whose name begins with `_` is no
command. Only the module of the command that was asked for is imported, so that judging a script
needs neither numpy nor OpenCV.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any

FINE, NO, BAD = 0, 1, 2


class BadInput(Exception):
    """What ends a command with exit code 2; the message is one line: what is wrong, what to do."""


def names_in(package: str) -> tuple[str, ...]:
    """Return the names of the command modules of a package, sorted."""
    folder = importlib.import_module(package).__path__
    found = (info.name for info in pkgutil.iter_modules(folder) if not info.ispkg)
    return tuple(sorted(name for name in found if not name.startswith("_")))


def add_commands(
    subparsers: argparse._SubParsersAction[Any],
    package: str,
    wanted: Sequence[str],
) -> None:
    """Import the wanted command modules of a package and let each register itself."""
    for name in wanted:
        importlib.import_module(f"{package}.{name}").add(subparsers)


def wide_help(prog: str) -> argparse.HelpFormatter:
    """Return the help formatter of all commands: examples keep their line breaks."""
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28, width=96)


def tell(message: str) -> None:
    """Say one line to the person, on standard error."""
    # Not by `print`: in this package that name is the module of the command `referee print`.
    sys.stderr.write(f"referee: {' '.join(message.split())}\n")


def print_json(fields: Mapping[str, object]) -> None:
    """Print one JSON object as one line on standard output."""
    sys.stdout.write(json.dumps(fields, ensure_ascii=False, separators=(", ", ": ")) + "\n")
    sys.stdout.flush()
