"""`referee print mat`: the game's table to print, on pages to glue together or one large page."""

from __future__ import annotations

import argparse

from referee.commands import FINE, print_json, wide_help
from referee.commands.layout import add_game, asked_plan
from referee.commands.prints._mat import mat_pdf
from referee.commands.prints._pages import FULL, PAPERS_MM, write_pdf

EPILOG = """example:
  referee print mat nerves -o mat.pdf
  referee print mat nertz --players A,B,C,D --paper full -o mat.pdf

Pages are glued together along the dashed lines; the first one shows how. --paper full makes one
page as large as the table, for a copy shop. Print at 100 %."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register what can be printed."""
    parser = subparsers.add_parser(
        "mat",
        help="a game's table with its spots and markers",
        description="Write a game's table as a PDF: spots for the cards, markers for the camera.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    add_game(parser)
    parser.add_argument("-o", "--out", metavar="FILE.pdf", required=True, help="the file to write")
    parser.add_argument(
        "--paper", choices=(*PAPERS_MM, FULL), default="a4", help="paper size (default a4)"
    )
    parser.add_argument("--plain", action="store_true", help="no tint under the cards, less ink")
    parser.add_argument("--json", action="store_true", help="one JSON object: file and pages")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file. Raises BadInput."""
    plan = asked_plan(args.game, args.players)
    pdf = mat_pdf(plan, args.paper, tinted=not args.plain)
    write_pdf(pdf, args.out)
    if args.json:
        print_json({"file": args.out, "pages": pdf.pages_count, "table_mm": list(plan.table_mm)})
    else:
        w_mm, h_mm = plan.table_mm
        print(f"{args.out}: {pdf.pages_count} pages, a mat of {w_mm:.0f} x {h_mm:.0f} mm")
    return FINE
