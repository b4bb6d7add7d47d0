"""`referee calibrate camera`: solves the lens from a printed board, shown from several sides."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from referee import app
from referee.commands import FINE, NO, BadInput, print_json, tell, wide_help
from referee.commands._calibration import add_source, show_finding, write_text
from referee.commands._checks import Finding
from referee.table.calibrate import NoView
from referee.table.calibrate_file import LensFile, lens_text
from referee.table.calibrate_lens import (
    LEAST_VIEWS,
    MOST_VIEWS,
    BoardView,
    find_board,
    is_new,
    solve_lens,
    straightness_px,
)
from referee.table.calibrate_markers import gray
from referee.vision.address import SYNTAX, Address, SourceError
from referee.vision.camera import News, news_text
from referee.vision.frames import Frame, file_frames

EPILOG = """example:
  referee print markers --board -o board.pdf
  referee calibrate camera --source camera:0
  referee calibrate camera --source board-photos/ -o calibration/camera.toml

Print the board, glue it to something flat, and show it whole to the camera from ten sides: near
and far, tilted each way, and in every corner of the picture. A match does not need this: the
table's markers tell the lens well enough. It helps with wide lenses and few markers in sight."""

# Seconds without a new view after which the camera is given up.
PATIENCE_S = 60.0
GOOD_PX = 1.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register what can be calibrated."""
    parser = subparsers.add_parser(
        "camera",
        help="the camera's lens",
        description="Solve the camera's lens from a printed board.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    add_source(parser, SYNTAX)
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE.toml",
        default="calibration/camera.toml",
        help="the file to write (default calibration/camera.toml)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate; returns 1 if the lens does not prove right. Raises BadInput."""
    views, size_px = gather(app.find_source(args.source))
    # The last view is kept back: it tells afterwards whether the lens is right.
    solved = solve_lens(views[:-1] if len(views) > LEAST_VIEWS else views, size_px)
    if isinstance(solved, NoView):
        raise BadInput(f"{args.source}: {solved.reason}")
    write_text(args.out, lens_text(solved))
    show(args, solved)
    tested = test_finding(views[-1], solved)
    show_finding(tested, args.json)
    return NO if tested.verdict == "fail" else FINE


def gather(address: Address) -> tuple[list[BoardView], tuple[int, int]]:
    """Collect views of the board that differ. Raises BadInput."""
    views: list[BoardView] = []
    size_px = (0, 0)
    last_s = time.monotonic()
    for frame in frames(address):
        now_px = (frame.width_px, frame.height_px)
        if views and now_px != size_px:
            continue
        size_px = now_px
        view = find_board(gray(frame.image_bgr))
        if view is not None and is_new(view, views, size_px[0]):
            views.append(view)
            last_s = time.monotonic()
            tell(f"view {len(views)} of up to {MOST_VIEWS}: show the board another way")
        if len(views) > MOST_VIEWS or time.monotonic() - last_s > PATIENCE_S:
            break
    return views, size_px


def frames(address: Address) -> Iterator[Frame]:
    """Yield the frames of a source. Raises BadInput."""
    if address.kind.live:
        yield from live_frames(address)
        return
    for file in app.find_files(address):
        try:
            yield from file_frames(file)
        except SourceError as error:
            raise BadInput(str(error)) from error


def live_frames(address: Address) -> Iterator[Frame]:
    """Yield the newest frame again and again. Raises BadInput."""
    source = app.open_live(address)
    last_s = time.monotonic()
    try:
        while time.monotonic() - last_s < PATIENCE_S:
            got = source.wait(0.2)
            if isinstance(got, Frame):
                last_s = time.monotonic()
                yield got
            elif isinstance(got, News):
                tell(news_text(got))
    finally:
        source.close()


def show(args: argparse.Namespace, file: LensFile) -> None:
    """Print what was solved."""
    lens = file.lens
    if args.json:
        fields = {
            "file": args.out,
            "width": file.size_px[0],
            "height": file.size_px[1],
            "focal_px": round(lens.focal_px, 2),
            "center_px": [round(value, 2) for value in lens.center_px],
            "k": [round(value, 5) for value in lens.k],
            "error_px": file.error_px,
            "views": file.views,
        }
        print_json(fields)
        return
    print(f"focal length {lens.focal_px:.0f} px, corners to {file.error_px:.2f} px")
    print(f"{args.out}: written", flush=True)


def test_finding(view: BoardView, file: LensFile) -> Finding:
    """Judge the lens by a view that took no part."""
    error_px = straightness_px(view, file)
    text = f"a view kept back is right to {error_px:.2f} px"
    if error_px <= GOOD_PX:
        return Finding("live test", "ok", text)
    return Finding("live test", "fail", text, "calibrate again with more views, the board flat")
