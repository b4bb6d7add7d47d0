"""The command line: finds the command, runs it, and ends in one of three exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from referee.commands import BAD, FINE, BadInput, add_commands, names_in, tell, wide_help

INTERRUPTED = 130  # 128 + SIGINT, what a shell reports of a program ended by Ctrl-C
EPILOG = """example:
  referee demo --headless        the whole pipeline on the sample clip, no camera needed
  referee see table.jpg          read the cards in a picture

referee COMMAND --help tells more of each."""


class OneLineParser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line and end with exit code 2."""
        tell(f"{message} (`{self.prog} --help` shows how it goes)")
        sys.exit(BAD)


def build_parser(wanted: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser that knows the wanted commands."""
    parser = OneLineParser(
        prog="referee",
        description="A referee for real card games on a real table.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    add_commands(commands, "referee.commands", wanted)
    return parser


def version() -> str:
    """Return the installed version."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("table-referee")
    except PackageNotFoundError:
        return "not installed"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Raises what the command did not foresee."""
    words = list(sys.argv[1:] if argv is None else argv)
    known = names_in("referee.commands")
    wanted = words[:1] if words and words[0] in known else known
    parser = build_parser(wanted)
    args = parser.parse_args(words)
    if args.version:
        print(f"referee {version()}")
        return FINE
    if args.command is None:
        parser.print_help()
        return FINE
    try:
        return int(args.run(args))
    except BadInput as error:
        tell(str(error))
        return BAD


def quiet_libraries() -> None:
    """Keep standard error for our own lines: what C libraries print to it goes nowhere.

    FFmpeg, libjpeg, libpng and V4L2 write warnings of several lines straight to the file
    descriptor. REFEREE_LOUD=1 leaves them on, for those who look for a fault in them.
    """
    if os.environ.get("REFEREE_LOUD"):
        return
    ours = os.dup(2)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    os.close(silence)
    sys.stderr = os.fdopen(ours, "w", buffering=1, encoding="utf-8", errors="backslashreplace")


def unforeseen(error: Exception) -> str:
    """Return one line for a fault of ours: what, and where in our code."""
    trace = error.__traceback__
    where = "?"
    while trace is not None:
        where = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return (
        f"a fault of the referee itself: {type(error).__name__}: {error} (at {where}); "
        "please report this line; REFEREE_LOUD=1 shows more"
    )


def entry() -> None:
    """Run the program and end the process with its exit code."""
    quiet_libraries()
    try:
        code = main()
        sys.stdout.flush()
    except SystemExit as asked:
        code = asked.code if isinstance(asked.code, int) else FINE
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = FINE  # the reader of our output has seen enough, as in `referee see x | head`
    except Exception as error:
        if os.environ.get("REFEREE_LOUD"):
            raise
        tell(unforeseen(error))
        code = BAD
    end(code)


def end(code: int) -> None:
    """Leave at once with this exit code: a device's blocked thread must not hold up the end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            pass
    os._exit(code)


if __name__ == "__main__":
    entry()
