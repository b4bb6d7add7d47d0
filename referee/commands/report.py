"""`referee report`: the report of a match as one web page or as PDF."""

from __future__ import annotations

import argparse
from pathlib import Path

from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands._record import (
    add_record_option,
    clear_errors,
    folder_of,
    open_match,
    write_file,
)
from referee.record.blocks import Block
from referee.record.clips import ClipStore
from referee.record.report import report

EPILOG = """example:
  referee report NERVES-20261121-2015 -o match.html
  referee report NERVES-20261121-2015 -o match.pdf

One file with everything in it: players, result, score by hand, the course of the match with all
rulings, races with their margins, faults with their rules and pictures, reaction times, what was
not observed, the options in force, and the head hash that proves the log."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "report",
        help="the report of a match as web page or PDF",
        description="Write the report of a recorded match.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("match", metavar="ID", help="the match, as `referee matches` names it")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help=".html or .pdf (default ID.html here)"
    )
    parser.add_argument("--json", action="store_true", help="say what was written as JSON")
    add_record_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the report. Raises BadInput."""
    path = Path(args.output) if args.output else None
    if path is not None and path.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise BadInput(f"{path}: a report is a .html or a .pdf file")
    log = open_match(args)
    path = path or Path(f"{log.path.stem}.html")
    with clear_errors():
        blocks = report(log, ClipStore(folder_of(args).evidence))
    write_file(path, rendered(path, blocks))
    if args.json:
        print_json({"match": log.head.match.id, "file": str(path), "head_hash": log.head_hash})
    else:
        print(f"{path}: the report of {log.head.match.id}, head hash {log.head_hash}")
    return FINE


def rendered(path: Path, blocks: tuple[Block, ...]) -> bytes:
    """Return the report's bytes in the format that the file's name asks for."""
    # Only one of the two is ever needed, and the maker of PDFs takes half a second to load.
    if path.suffix.lower() == ".pdf":
        from referee.record.report_pdf import report_pdf

        return report_pdf(blocks)
    from referee.record.report_html import report_html

    return report_html(blocks).encode()
