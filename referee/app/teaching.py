"""Keeps pictures with their corrected reads as a set of labelled photographs, on this machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np

from referee.commands import BadInput
from referee.values import CardRead
from referee.vision.detect import Study
from referee.vision.frames import Frame

Box = tuple[float, float, float, float]
# An index is about that much wider than half its height: "10" is the widest rank.
INDEX_WIDTH = 0.62
UNREAD_HALF_PX = 8.0


@dataclass(frozen=True, slots=True)
class Taught:
    """One object of a picture: its label, box (x0 y0 x1 y1) and kind, `index_corner` or `card`."""

    label: str
    box_px: Box
    kind: str


def things_of(study: Study) -> tuple[Taught, ...]:
    """Return what was read in a picture as objects, what was not read behind the rest."""
    things = (_thing(read, study) for read in study.reads)
    return tuple(sorted(things, key=lambda one: one.label == "IGNORE"))


def _thing(read: CardRead, study: Study) -> Taught:
    if read.label == "BACK" or read.middle_px is None:
        label = "BACK" if read.label == "BACK" else "IGNORE"
        return Taught(label, _around_card(read), "card")
    at = study.answers.indices.at
    k = int(np.argmin(np.hypot(*(at - np.array(read.at_px)).T)))
    ax, ay = study.answers.indices.axis[k]
    reach_x, reach_y = abs(ax) + INDEX_WIDTH * abs(ay), abs(ay) + INDEX_WIDTH * abs(ax)
    x, y = read.at_px
    box_px = _rounded(x - reach_x, y - reach_y, x + reach_x, y + reach_y)
    # What cannot be read is marked as a card: such a place is neither learned nor scored.
    unread = read.label == "??"
    return Taught("IGNORE" if unread else read.label, box_px, "card" if unread else "index_corner")


def _around_card(read: CardRead) -> Box:
    x, y = read.at_px
    corners = read.quad_px or ((x - UNREAD_HALF_PX, y - UNREAD_HALF_PX),) * 2
    xs, ys = [p[0] for p in corners], [p[1] for p in corners]
    return _rounded(min(xs), min(ys), max(xs), max(ys))


def _rounded(x0: float, y0: float, x1: float, y1: float) -> Box:
    return round(float(x0), 1), round(float(y0), 1), round(float(x1), 1), round(float(y1), 1)


class TaughtSet:
    """A folder with `images/` and `labels.json`, as `referee bench photos` and training take it."""

    def __init__(self, folder: str) -> None:
        """Open or begin a set. Raises BadInput."""
        self.folder = Path(folder)
        self._labels = self.folder / "labels.json"
        try:
            (self.folder / "images").mkdir(parents=True, exist_ok=True)
            text = self._labels.read_text(encoding="utf-8") if self._labels.exists() else "[]"
            rows = json.loads(text)
            self._rows = {str(row["image"]): row for row in rows}
        except (OSError, ValueError, KeyError, TypeError) as reason:
            raise BadInput(f"{folder}: no set of pictures can be kept there ({reason})") from None

    def __len__(self) -> int:
        """How many pictures are kept."""
        return len(self._rows)

    def holds(self, frame: Frame) -> bool:
        """Whether this picture was taught before."""
        return image_name(frame) in self._rows

    def numbered(self, frame: Frame) -> Frame:
        """Return a camera's picture with a number that none has here: cameras begin anew at 0."""
        free = (n for n in count(frame.n) if not self.holds(replace(frame, n=n)))
        return replace(frame, n=next(free))

    def keep(self, frame: Frame, things: Sequence[Taught]) -> Path:
        """Save a picture with its objects; returns where. Raises BadInput."""
        name = image_name(frame)
        path = self.folder / "images" / name
        self._rows[name] = {
            "image": name,
            "width": frame.width_px,
            "height": frame.height_px,
            "objects": [
                {"label": one.label, "box": list(one.box_px), "kind": one.kind} for one in things
            ],
        }
        try:
            path.write_bytes(_picture_bytes(frame))
            fresh = self._labels.with_suffix(".new")
            fresh.write_text(json.dumps(list(self._rows.values()), indent=1), encoding="utf-8")
            fresh.replace(self._labels)
        except OSError as reason:
            raise BadInput(f"{path}: {reason.strerror or 'cannot be written'}") from None
        return path


def image_name(frame: Frame) -> str:
    """Return the name under which a picture is kept: the file's own, a frame's with its number."""
    path = Path(frame.source)
    if frame.t_ns is None:
        return path.name
    stem = "".join(c if c.isalnum() or c in "-_" else "-" for c in path.stem)[-60:] or "picture"
    return f"{stem}_{frame.n:06d}.png"


def _picture_bytes(frame: Frame) -> bytes:
    """The file as it is, so that nothing is lost and its turn is kept; a frame as PNG."""
    if frame.t_ns is None and Path(frame.source).is_file():
        return Path(frame.source).read_bytes()
    good, data = cv2.imencode(".png", frame.image_bgr)
    if not good:
        raise BadInput(f"{frame.source}: this picture cannot be kept as a PNG")
    return data.tobytes()
