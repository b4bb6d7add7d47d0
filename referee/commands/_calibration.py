"""What the commands about the table share: frames, files, and how findings are shown."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from referee import app
from referee.commands import BadInput, print_json
from referee.commands._checks import Finding
from referee.commands._checks_source import settled_frames
from referee.table.calibrate import FoundView, NoView, find_view
from referee.table.calibrate_file import CalibrationError, LensFile, check_size, read_lens
from referee.table.view import Lens
from referee.values import TablePlan
from referee.vision.address import SourceError
from referee.vision.frames import Frame

TRIES = 4
"""Frames that are searched for markers; a hand may cover them in one."""


def frames_of(text: str) -> tuple[Frame, ...]:
    """Return up to thirty frames of a source, none empty, all of one size. Raises BadInput."""
    try:
        frames = settled_frames(app.find_source(text))
    except SourceError as error:
        raise BadInput(str(error)) from error
    last = frames[-1]
    size_px = (last.width_px, last.height_px)
    return tuple(frame for frame in frames if (frame.width_px, frame.height_px) == size_px)


def found_in(
    frames: Sequence[Frame], plan: TablePlan, lens: Lens | None
) -> tuple[FoundView, Frame] | NoView:
    """Find the table in the frame that shows most of its markers, the newest first."""
    step = max(1, len(frames) // TRIES)
    best: tuple[FoundView, Frame] | None = None
    reason = NoView("the source gave no picture")
    for frame in list(reversed(frames))[::step][:TRIES]:
        found = find_view(frame.image_bgr, plan, lens)
        if isinstance(found, NoView):
            reason = found
        elif best is None or len(found.seen) > len(best[0].seen):
            best = found, frame
        if best is not None and len(best[0].seen) == len(plan.markers):
            break
    return best or reason


def lens_from(name: str | None, size_px: tuple[int, int]) -> Lens | None:
    """Return the calibrated lens of a file, None where no file is given. Raises BadInput."""
    if name is None:
        return None
    try:
        file: LensFile = read_lens(read_text(name), name)
        check_size(file.size_px, name, size_px, "camera")
    except CalibrationError as error:
        raise BadInput(str(error)) from None
    return file.lens


def read_text(name: str) -> str:
    """Return the text of a file. Raises BadInput."""
    try:
        return Path(name).read_bytes().decode("utf-8")
    except OSError as reason:
        raise BadInput(f"{name}: {reason.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{name}: this is no text file") from None
    except ValueError:
        raise BadInput(f"{name!r} is no file name") from None


def write_text(name: str, text: str) -> None:
    """Write a file, with the folders it lies in. Raises BadInput."""
    try:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as reason:
        raise BadInput(f"{name}: {reason.strerror or 'cannot be written'}") from None
    except ValueError:
        raise BadInput(f"{name!r} is no file name") from None


def show_finding(finding: Finding, as_json: bool) -> None:
    """Print one finding for machines or for people."""
    if as_json:
        print_json(asdict(finding))
        return
    print(f"{finding.verdict:<5} {finding.check}: {finding.found}", flush=True)
    if finding.advice is not None:
        print(f"      -> {finding.advice}", flush=True)


def add_source(parser: argparse.ArgumentParser, syntax: str) -> None:
    """Add the option that says where pictures come from."""
    parser.add_argument("--source", default="camera:0", help=f"{syntax} (default camera:0)")
