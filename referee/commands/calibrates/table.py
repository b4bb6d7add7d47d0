"""`referee calibrate table`: finds the table, judges light and focus, and ends in a live test."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from math import isfinite

from referee import app
from referee.app import Look
from referee.commands import FINE, NO, BadInput, print_json, tell, wide_help
from referee.commands._calibration import (
    add_source,
    found_in,
    frames_of,
    lens_from,
    show_finding,
    write_text,
)
from referee.commands._checks import Finding
from referee.commands._checks_table import table_findings
from referee.commands._reading import add_reader_options
from referee.commands.layout import add_players, asked_plan
from referee.notation.spoken import zone_words
from referee.screens.words import card_words
from referee.table.calibrate import FoundView, NoView
from referee.table.calibrate_corners import view_from_corners
from referee.table.calibrate_file import table_text
from referee.table.calibrate_spots import SpotTest, spot_test
from referee.values import TablePlan
from referee.vision.address import SYNTAX, SourceError
from referee.vision.camera import news_text
from referee.vision.frames import Frame

EPILOG = """example:
  referee calibrate table --game nerves --source camera:0
  referee calibrate table --game nertz --players A,B,C,D --source table.jpg -o table.toml
  referee calibrate table --game xix --source camera:0 --corners 210,980 1710,975 1600,90 330,95

Finds the markers of the mat (`referee print mat GAME`), or of loose ones (`referee print
markers`). Without any, --corners gives the table's four corners in pixels, in order round the
table and the one at seat A's left hand first. What is wrong with light, focus and size is said
with numbers. A camera ends with the live test: put any card on each spot that is named."""

# Seconds without a new spot after which the live test is given up.
TEST_PATIENCE_S = 120.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register what can be calibrated."""
    parser = subparsers.add_parser(
        "table",
        help="where the table lies in the picture",
        description="Find the table in the picture, check light and focus, and save it.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("--game", required=True, help="the game whose table it is")
    add_players(parser)
    add_source(parser, SYNTAX)
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE.toml",
        default="calibration/table.toml",
        help="the file to write (default calibration/table.toml)",
    )
    parser.add_argument("--lens", metavar="FILE.toml", help="of `referee calibrate camera`")
    parser.add_argument(
        "--corners", metavar="X,Y", nargs="+", type=corner, help="the table's four corners (px)"
    )
    parser.add_argument(
        "--test",
        action=argparse.BooleanOptionalAction,
        help="the live test of the spots (a camera: always; a file: only if asked for)",
    )
    add_reader_options(parser)
    parser.set_defaults(run=run)


def corner(text: str) -> tuple[float, float]:
    """Return a point in pixels. Raises argparse.ArgumentTypeError."""
    words = text.split(",")
    try:
        x_px, y_px = (float(word) for word in words)
    except ValueError:
        x_px = y_px = float("nan")
    if not (isfinite(x_px) and isfinite(y_px)):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no point; write x,y in pixels")
    return x_px, y_px


def run(args: argparse.Namespace) -> int:
    """Calibrate; returns 1 if a check fails. Raises BadInput."""
    plan = asked_plan(args.game, args.players)
    frames = frames_of(args.source)
    found, frame = find_table(args, plan, frames)
    code = FINE
    images = [other.image_bgr for other in frames if other is not frame]
    for finding in table_findings(found, [*images, frame.image_bgr]):
        show_finding(finding, args.json)
        code = NO if finding.verdict == "fail" else code
    write_text(args.out, table_text(found))
    tell_written(found, args)
    live = app.find_source(args.source).kind.live
    if args.test is None and not live:
        tell("the live test needs a camera: left out; --test runs it over a file's frames")
    if args.test if args.test is not None else live:
        tested = test_finding(args, found)
        show_finding(tested, args.json)
        code = NO if tested.verdict == "fail" else code
    return code


def find_table(
    args: argparse.Namespace, plan: TablePlan, frames: tuple[Frame, ...]
) -> tuple[FoundView, Frame]:
    """Find the table by its markers or by the corners given. Raises BadInput."""
    last = frames[-1]
    size_px = (last.width_px, last.height_px)
    lens = lens_from(args.lens, size_px)
    if args.corners is not None:
        found = view_from_corners(args.corners, plan, size_px, lens)
        if isinstance(found, NoView):
            raise BadInput(f"--corners: {found.reason}")
        return found, last
    result = found_in(frames, plan, lens)
    if isinstance(result, NoView):
        raise BadInput(f"{args.source}: {result.reason}")
    return result


def tell_written(found: FoundView, args: argparse.Namespace) -> None:
    """Say what was written."""
    view = found.view
    x_mm, y_mm, z_mm = view.camera_mm()
    if args.json:
        fields = {
            "file": args.out,
            "game": found.plan.game,
            "players": [place.seat for place in found.plan.seats],
            "width": view.size_px[0],
            "height": view.size_px[1],
            "markers": list(found.seen),
            "loose": found.loose,
            "accuracy_mm": found.accuracy_mm,
            "unseen_zones": list(found.unseen_zones),
            "camera_mm": [round(x_mm), round(y_mm), round(z_mm)],
        }
        print_json(fields)
        return
    print(f"the camera is about {z_mm / 10:.0f} cm above the table")
    print(f"{args.out}: written", flush=True)


def test_finding(args: argparse.Namespace, found: FoundView) -> Finding:
    """Run the live test and return how it went. Raises BadInput."""
    test = spot_test(found.plan, found.view)
    words = {place.seat: place.seat for place in found.plan.seats}
    names = ", ".join(zone_words(zone.name, words) for zone in test.spots)
    tell(f"live test: put any card on each marked spot: {names}")
    for after in tests(args, test):
        test = after
        if not test.missing():
            break
    seen = len(test.spots) - len(test.missing())
    text = f"cards seen on {seen} of {len(test.spots)} spots"
    if not test.missing():
        return Finding("live test", "ok", text)
    missing = ", ".join(zone_words(name, words) for name in test.missing())
    advice = f"no card was seen on {missing}: lay one there, see that it reads, calibrate again"
    return Finding("live test", "fail", text, advice)


def tests(args: argparse.Namespace, test: SpotTest) -> Iterator[SpotTest]:
    """Yield the test after each frame, and say what is still to come. Raises BadInput."""
    last_s = time.monotonic()
    for look in looks(args):
        before = set(test.missing())
        test = test.after(look.sight.cards)
        for name in before - set(test.missing()):
            label = test.labels[[zone.name for zone in test.spots].index(name)]
            spot = zone_words(name, {place.seat: place.seat for place in test.plan.seats})
            tell(f"{spot}: {card_words(label)} seen, {len(test.missing())} to go")
            last_s = time.monotonic()
        yield test
        if time.monotonic() - last_s > TEST_PATIENCE_S:
            return


def looks(args: argparse.Namespace) -> Iterator[Look]:
    """Yield the looks of the source. Raises BadInput."""
    reader = app.open_reader(args.models, args.threads)
    address = app.find_source(args.source)
    if not address.kind.live:
        for file in app.find_files(address):
            try:
                yield from app.looks(reader, file)
            except SourceError as error:
                raise BadInput(str(error)) from error
        return
    source = app.open_live(address)
    try:
        for got in app.live_looks(reader, source, TEST_PATIENCE_S):
            if isinstance(got, Look):
                yield got
            else:
                tell(news_text(got))
    finally:
        source.close()
