"""A sample match refereed as from a camera, for `referee bench screens --chromium`.

Frames come at their own times, and of those that come while one is judged only the newest ten are
taken. Each carries its number as black and white cells in its upper left corner, by which a
browser that shows it can say which one it is.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np

from referee import app
from referee.app.refereeing import Outlets, Refereeing, Table
from referee.app.watching import Wish
from referee.commands._matches import game_named, read_match_file
from referee.record import Folder
from referee.screens.desk import Desk
from referee.screens.page import Page
from referee.table.layout import plan
from referee.vision.address import SourceError
from referee.vision.camera import LiveSource, Shot
from referee.vision.frames import Frame, Image, file_frames

CELL_PX, CELLS = 24, 12
FRAME_NS = 33_333_333
# How long the table may take to be found and to come to rest before the match begins.
WAIT_S, MOST_WAIT_S = 0.2, 90.0


def stamp(image: Image, number: int) -> None:
    """Write a number into a picture, its lowest bit first; a cell is white for a one."""
    for bit in range(CELLS):
        level = 255 if number >> bit & 1 else 0
        image[:CELL_PX, bit * CELL_PX : (bit + 1) * CELL_PX] = level


class ClipTap:
    """A clip as a camera: it gives frames when they are due, and ends with the clip.

    Until `begun` is set it shows the first frame again and again.
    """

    def __init__(self, clip: Path) -> None:
        """Open the clip."""
        self._frames = file_frames(app.find_source(str(clip)))
        self._first = next(self._frames)
        self._due_ns = time.monotonic_ns()
        self.begun = threading.Event()
        self.taken_ns: list[int] = []

    def take(self) -> Shot:
        """Wait for the next frame. Raises SourceError at the end."""
        frame = next(self._frames, None) if self.begun.is_set() else self._first
        if frame is None:
            raise SourceError("the clip has ended")
        image = np.array(frame.image_bgr)
        stamp(image, len(self.taken_ns))
        # On a machine too busy to decode in time the camera is late, and its frames say so.
        self._due_ns = max(self._due_ns + FRAME_NS, time.monotonic_ns())
        time.sleep(max(0.0, (self._due_ns - time.monotonic_ns()) / 1e9))
        self.taken_ns.append(self._due_ns)
        return Shot(image, self._due_ns, 0)

    def close(self) -> None:
        """Nothing is to be let go."""


def main(game_name: str, seconds: float) -> None:
    """Referee the sample match for so long; tells its page first, and at the end what it cost."""
    cv2.setNumThreads(1)
    clip = app.DEMO_CLIP.with_name(f"{game_name}.mp4")
    script = read_match_file(str(clip.with_suffix(".match")))[0]
    wish = Wish(f"BENCH-{game_name}", game_named(game_name), script.seats, script=script)
    reader = app.reader_for(game_name, None, 1)
    with ExitStack() as stack:
        desk = Desk()
        page = stack.enter_context(Page(desk, port=0))
        folder = Folder(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        outlets = Outlets(page=page, desk=desk, folder=folder, live=True)
        refereeing = Refereeing(wish, Table(plan(game_name, script.seats)), reader, outlets)
        told = {"url": page.links.here, "page": page.process_id}
        print(json.dumps(told), flush=True)
        sys.stdin.readline()
        print(json.dumps(watched(refereeing, clip, seconds)), flush=True)
        sys.stdin.readline()


def watched(refereeing: Refereeing, clip: Path, seconds: float) -> dict[str, object]:
    """Referee the clip for so long at most; returns when its frames were taken, and the cost."""
    tap = ClipTap(clip)
    source = LiveSource(app.find_source(str(clip)), tap=lambda _: tap)
    began_s, cpu_s, judged, first = time.monotonic(), time.process_time(), 0, 0
    while time.monotonic() - began_s < (seconds if tap.begun.is_set() else MOST_WAIT_S):
        got = source.wait(WAIT_S, in_turn=True)
        if isinstance(got, Frame):
            refereeing.take(got)
            judged += 1
        elif got is not None:
            break
        if refereeing.begun and not tap.begun.is_set():
            began_s, cpu_s, judged = time.monotonic(), time.process_time(), 0
            first = len(tap.taken_ns)
            tap.begun.set()
    wall_s = time.monotonic() - began_s
    source.close()
    zero_ns = 0 if refereeing.watching is None else -refereeing.watching.match_ns(0)
    return {
        "zero_ns": zero_ns,
        "from_ms": (int(began_s * 1e9) - zero_ns) / 1e6,
        "taken_ns": tap.taken_ns,
        "first": first,
        "judged": judged,
        "cpu_s": time.process_time() - cpu_s,
        "wall_s": wall_s,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("seconds", type=float)
    given = parser.parse_args()
    main(given.game, given.seconds)
