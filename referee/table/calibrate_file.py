"""Calibrations as TOML: what is written is read again, and nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite

from referee.table.calibrate import FoundView
from referee.table.layout import LayoutError, plan
from referee.table.markers import DICTIONARY, with_any_markers
from referee.table.view import Lens, TableView
from referee.values import Marker

VERSION = 1
KEYS = {
    "": ("version", "kind", "game", "players", "picture", "lens", "table", "marker"),
    "picture": ("width_px", "height_px"),
    "lens": ("focal_px", "center_px", "k", "error_px", "views"),
    "table": ("homography", "accuracy_mm", "loose"),
    "marker": ("id", "corners_mm"),
}
HEAD = """# Written by `referee calibrate {kind}`. Lengths in mm; pixel (0, 0) is the middle of the
# upper left one. Calibrate again rather than edit: a key that is not known is an error.
"""


class CalibrationError(Exception):
    """A calibration that cannot be used; the message is one line: what is wrong, what to do."""


@dataclass(frozen=True, slots=True)
class LensFile:
    """A calibrated lens: for pictures of `size_px`, right to `error_px`, from so many views."""

    size_px: tuple[int, int]
    lens: Lens
    error_px: float
    views: int


def table_text(found: FoundView) -> str:
    """Return a calibrated table as TOML."""
    view = found.view
    lines = [
        HEAD.format(kind="table"),
        f"version = {VERSION}",
        'kind = "table"',
        f'game = "{found.plan.game}"',
        f"players = [{', '.join(_quoted(place.seat) for place in found.plan.seats)}]",
        *_lens_lines(view.size_px, view.lens),
        "",
        "[table]",
        f"homography = {_numbers(view.homography)}",
        f"accuracy_mm = {found.accuracy_mm!r}",
        f"loose = {str(found.loose).lower()}",
    ]
    for marker in found.markers:
        corners = ", ".join(_numbers(corner) for corner in marker.corners_mm)
        lines += ["", "[[marker]]", f"id = {marker.id}", f"corners_mm = [{corners}]"]
    return "\n".join(lines) + "\n"


def lens_text(file: LensFile) -> str:
    """Return a calibrated lens as TOML."""
    lines = [
        HEAD.format(kind="camera"),
        f"version = {VERSION}",
        'kind = "camera"',
        *_lens_lines(file.size_px, file.lens),
        f"error_px = {file.error_px!r}",
        f"views = {file.views}",
    ]
    return "\n".join(lines) + "\n"


def _lens_lines(size_px: tuple[int, int], lens: Lens) -> list[str]:
    return [
        "",
        "[picture]",
        f"width_px = {size_px[0]}",
        f"height_px = {size_px[1]}",
        "",
        "[lens]",
        f"focal_px = {lens.focal_px!r}",
        f"center_px = {_numbers(lens.center_px)}",
        f"k = {_numbers(lens.k)}",
    ]


def _quoted(text: str) -> str:
    return f'"{text}"'


def _numbers(values: Iterable[float]) -> str:
    return f"[{', '.join(repr(float(value)) for value in values)}]"


def read_table(text: str, name: str) -> FoundView:
    """Read a calibrated table; `name` is the file's, for messages. Raises CalibrationError."""
    reading = _open(text, name, "table")
    game, seats = reading.text("game"), reading.texts("players")
    try:
        table = plan(game, seats)
    except LayoutError as reason:
        raise CalibrationError(f"{name}: {reason}") from None
    a, b, c, d, e, f, g, h, i = reading.numbers("table.homography", 9)
    size_px, lens = reading.lens()
    view = TableView(size_px, lens, (a, b, c, d, e, f, g, h, i))
    markers = tuple(reading.markers())
    if {marker.id for marker in markers} & {one.id for one in with_any_markers(table).markers}:
        table = with_any_markers(table)
    known = {marker.id for marker in table.markers}
    if any(marker.id not in known for marker in markers):
        raise CalibrationError(f"{name}: it has a marker that is not of the table of {game}")
    return FoundView(
        view,
        table,
        markers,
        (),
        (),
        reading.yes("table.loose"),
        reading.number("table.accuracy_mm"),
        (),
    )


def read_lens(text: str, name: str) -> LensFile:
    """Read a calibrated lens; `name` is the file's, for messages. Raises CalibrationError."""
    reading = _open(text, name, "camera")
    size_px, lens = reading.lens()
    views = reading.number("lens.views")
    return LensFile(size_px, lens, reading.number("lens.error_px"), int(views))


def check_table(
    found: FoundView, name: str, game: str, seats: tuple[str, ...], size_px: tuple[int, int]
) -> None:
    """Refuse a calibration of another game, other players or another picture size.

    Raises CalibrationError.
    """
    own = (found.plan.game, tuple(place.seat for place in found.plan.seats))
    if own != (game, seats):
        raise CalibrationError(
            f"{name} is the table of {own[0]} for {','.join(own[1])}, not of {game} for"
            f" {','.join(seats)}: run `referee calibrate table --game {game} --players"
            f" {','.join(seats)}`"
        )
    check_size(found.view.size_px, name, size_px, "table")


def check_size(own_px: tuple[int, int], name: str, size_px: tuple[int, int], kind: str) -> None:
    """Refuse a calibration made in pictures of another size. Raises CalibrationError."""
    if own_px != size_px:
        raise CalibrationError(
            f"{name} was made with pictures of {own_px[0]} x {own_px[1]} px, these are"
            f" {size_px[0]} x {size_px[1]}: set the camera back to that size, or run"
            f" `referee calibrate {kind}` again"
        )


def _open(text: str, name: str, kind: str) -> _Reading:
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        raise CalibrationError(f"{name}: this is no TOML: {reason}") from None
    _refuse_unread(values, text, name)
    version, is_kind = values.get("version"), values.get("kind")
    if version != VERSION:
        shown = "no version" if version is None else f"version {str(version)[:20]!r}"
        raise CalibrationError(
            f"{name} has {shown}, this referee reads {VERSION}: run `referee calibrate {kind}`"
        )
    if is_kind != kind:
        raise CalibrationError(
            f"{name} is no calibration of a {kind} (kind = {str(is_kind)[:20]!r}):"
            f" run `referee calibrate {kind}`"
        )
    return _Reading(values, text, name)


def _refuse_unread(values: Mapping[str, object], text: str, name: str) -> None:
    for section, known in KEYS.items():
        inside = [values] if not section else _tables(values.get(section))
        for table in inside:
            for key in table:
                if key not in known:
                    line = _line_of(text, section, key)
                    place = f"[{section}] " if section else ""
                    raise CalibrationError(
                        f"{name}, line {line}: {place}{key[:40]!r} is no setting of a"
                        f" calibration; known here: {', '.join(known)}"
                    )


def _tables(value: object) -> list[Mapping[str, object]]:
    found = value if isinstance(value, list) else [value]
    return [table for table in found if isinstance(table, dict)]


def _line_of(text: str, section: str, key: str) -> int:
    """Return the line that a key stands in; tomllib does not tell."""
    now = ""
    pattern = re.compile(rf"""\s*(["']?){re.escape(key)}\1\s*(=|\.)""")
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[+\s*([^\]]*?)\s*\]+", line)
        if head:
            now = head[1]
            if not section and now.split(".")[0].strip("\"'") == key:
                return number
        elif now == section and pattern.match(line):
            return number
    return 1


@dataclass(frozen=True, slots=True)
class _Reading:
    """A file's values, taken one by one; what is missing or no number is told by its name."""

    values: Mapping[str, object]
    source: str
    name: str

    def _at(self, path: str) -> object:
        value: object = self.values
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def wrong(self, path: str, wanted: str) -> CalibrationError:
        section, _, key = path.rpartition(".")
        line = _line_of(self.source, section, key)
        return CalibrationError(
            f"{self.name}, line {line}: {path} must be {wanted}; calibrate again"
        )

    def text(self, path: str) -> str:
        value = self._at(path)
        if not isinstance(value, str):
            raise self.wrong(path, "a text")
        return value

    def texts(self, path: str) -> tuple[str, ...]:
        value = self._at(path)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(path, "a list of texts")
        return tuple(value)

    def yes(self, path: str) -> bool:
        value = self._at(path)
        if not isinstance(value, bool):
            raise self.wrong(path, "true or false")
        return value

    def number(self, path: str) -> float:
        value = self._at(path)
        if not _is_number(value):
            raise self.wrong(path, "a number")
        assert isinstance(value, int | float)
        return float(value)

    def numbers(self, path: str, count: int) -> tuple[float, ...]:
        value = self._at(path)
        if not isinstance(value, list) or len(value) != count or not all(map(_is_number, value)):
            raise self.wrong(path, f"{count} numbers")
        return tuple(float(item) for item in value)

    def size(self) -> tuple[int, int]:
        sides = []
        for key in ("picture.width_px", "picture.height_px"):
            side = self.number(key)
            if not 16 <= side <= 20000 or side != int(side):
                raise self.wrong(key, "a number of pixels from 16 to 20000")
            sides.append(int(side))
        return sides[0], sides[1]

    def lens(self) -> tuple[tuple[int, int], Lens]:
        size_px, focal_px = self.size(), self.number("lens.focal_px")
        if not 0.1 * size_px[0] <= focal_px <= 20 * size_px[0]:
            raise self.wrong("lens.focal_px", "a tenth to twenty times the picture's width")
        x_px, y_px = self.numbers("lens.center_px", 2)
        k1, k2, p1, p2, k3 = self.numbers("lens.k", 5)
        return size_px, Lens(focal_px, (x_px, y_px), (k1, k2, p1, p2, k3))

    def markers(self) -> list[Marker]:
        listed = self.values.get("marker", [])
        if not isinstance(listed, list):
            raise self.wrong("marker.id", "[[marker]] tables")
        return [self._marker(item) for item in listed]

    def _marker(self, item: object) -> Marker:
        wrong = self.wrong("marker.corners_mm", "four pairs of numbers, beside an id")
        if not isinstance(item, dict) or type(item.get("id")) is not int:
            raise wrong
        corners = item.get("corners_mm")
        if not isinstance(corners, list) or len(corners) != 4:
            raise wrong
        for pair in corners:
            if not isinstance(pair, list) or len(pair) != 2 or not all(map(_is_number, pair)):
                raise wrong
        a, b, c, d = ((float(x), float(y)) for x, y in corners)
        return Marker(item["id"], DICTIONARY, (a, b, c, d))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
