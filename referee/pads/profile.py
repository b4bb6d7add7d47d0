"""The calibration of a table's pads: spots, peaks, time walk, and what one feels of another.

A TOML file; every key is known, so that a misspelt one is an error and not a wrong ruling.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, TypeVar

from referee.pads.delay import APART_ROWS, LampSeen
from referee.pads.protocol import PADS

VERSION = 1
KINDS = ("piezo", "fsr", "foil", "switch")
# Those whose force is read, and whose signal can be looked at.
ANALOG = ("piezo", "fsr")
# The numbers of the firmware's setting 0.
KIND_NUMBERS = {"piezo": 1, "fsr": 2, "foil": 3, "switch": 4}
MOST_CAMERA_LATE_MS = 1000.0
MOST_LATE_US, MOST_PADS, MOST_TAPS = 20_000.0, 36, 1000

T = TypeVar("T")


class ProfileError(Exception):
    """A calibration that cannot be used: one line, where and what."""


@dataclass(frozen=True, slots=True)
class WalkPoint:
    """How late the stamp of a touch with this peak is: mean and standard deviation."""

    peak: float
    late_us: float
    sd_us: float


@dataclass(frozen=True, slots=True)
class PadProfile:
    """One pad. `board` is the uid in hex.

    Peaks are readings above the resting level; `peak_log_mean` and `peak_log_sd` describe the
    natural logarithm of the peaks of `taps` taps. `noise` is the largest reading at rest away
    from the resting level. Without `walk` nothing is known of the time walk.
    """

    board: str
    pad: int
    spot: str
    kind: str = "switch"
    taps: int = 0
    peak_log_mean: float = 0.0
    peak_log_sd: float = 0.0
    noise: int = 0
    walk: tuple[WalkPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Coupling:
    """What a pad feels of a touch on another: logarithm of the ratio of the peaks.

    `struck` and `felt` are addresses like `0123456789abcdef/0`.
    """

    struck: str
    felt: str
    taps: int
    ratio_log_mean: float
    ratio_log_sd: float


@dataclass(frozen=True, slots=True)
class Profile:
    """The pads of one table for one game.

    `lamps` are what told how late the camera's times are, none where that was never measured.
    """

    game: str
    pads: tuple[PadProfile, ...]
    couplings: tuple[Coupling, ...] = ()
    lamps: tuple[LampSeen, ...] = ()

    def pad(self, address: str) -> PadProfile | None:
        """Return the pad at an address, None where it is not in use."""
        return next((pad for pad in self.pads if address_of(pad.board, pad.pad) == address), None)

    def coupling(self, struck: str, felt: str) -> Coupling | None:
        """Return what one pad feels of another, None where that was never learnt."""
        return next((c for c in self.couplings if (c.struck, c.felt) == (struck, felt)), None)

    def spots_of(self, board: str) -> tuple[str, ...]:
        """Return the spots that a board's pads lie on."""
        return tuple(pad.spot for pad in self.pads if pad.board == board)


def address_of(board: str, pad: int) -> str:
    """Return how a pad is named in a profile."""
    return f"{board}/{pad}"


def plain_profile(game: str, boards: Iterable[str], spots: Iterable[str]) -> Profile:
    """Return the profile of pads that nobody calibrated: spots in the order of boards and pads."""
    places = ((board, pad) for board in sorted(boards) for pad in range(PADS))
    pads = tuple(PadProfile(b, p, spot) for (b, p), spot in zip(places, spots, strict=False))
    return Profile(game, pads)


def read_profile(text: str, name: str) -> Profile:
    """Read a profile; `name` is the file's, for the message. Raises ProfileError."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{name}: this is no TOML ({error})") from None
    try:
        return _profile(tables)
    except ProfileError as error:
        raise ProfileError(f"{name}: {error}; `referee calibrate pads` writes a new one") from None


def _profile(tables: dict[str, Any]) -> Profile:
    _only(tables, ("version", "game", "lamp", "pad", "coupling"), "the file")
    if tables.get("version") != VERSION:
        raise ProfileError(f"version must be {VERSION}, not {tables.get('version')!r}")
    game = tables.get("game")
    if not isinstance(game, str):
        raise ProfileError("game is missing")
    pads = tuple(_pad(table, n) for n, table in enumerate(_tables(tables, "pad"), 1))
    couplings = tuple(
        _made(Coupling, table, f"coupling {n}")
        for n, table in enumerate(_tables(tables, "coupling"), 1)
    )
    _check_all(pads, couplings)
    return Profile(game, pads, couplings, _lamps(_tables(tables, "lamp")))


def _lamps(tables: list[dict[str, Any]]) -> tuple[LampSeen, ...]:
    lamps = tuple(_made(LampSeen, table, f"lamp {n}") for n, table in enumerate(tables, 1))
    for number, lamp in enumerate(lamps, 1):
        late = abs(lamp.late_ms) <= MOST_CAMERA_LATE_MS and 0 <= lamp.half_ms <= MOST_CAMERA_LATE_MS
        if not (0 <= lamp.row <= 1 and late):
            raise ProfileError(f"lamp {number}: row, late_ms or half_ms is out of range")
    if len(lamps) > 2 or (len(lamps) == 2 and abs(lamps[0].row - lamps[1].row) < APART_ROWS):
        raise ProfileError(f"the lamp stands at two places at most, {APART_ROWS} rows apart")
    return lamps


def _tables(tables: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = tables.get(key, [])
    if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
        raise ProfileError(f"{key} must be written [[{key}]]")
    if len(found) > MOST_PADS**2:
        raise ProfileError(f"{len(found)} entries of [[{key}]] are too many")
    return found


def _only(table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise ProfileError(f"{where}: unknown key {key[:40]!r}; known: {', '.join(known)}")


def _made(made: type[T], table: dict[str, Any], where: str) -> T:
    """Return a dataclass from a table of the same keys. Raises ProfileError."""
    kinds = {field.name: str(field.type) for field in fields(made)}  # type: ignore[arg-type]
    _only(table, tuple(kinds), where)
    taken = {}
    for key, value in table.items():
        kind = kinds[key]
        good = isinstance(value, str) if kind == "str" else isinstance(value, int | float)
        if isinstance(value, bool) or not good or (kind == "int" and not isinstance(value, int)):
            raise ProfileError(f"{where}: {key} is no {'text' if kind == 'str' else 'number'}")
        if kind != "str" and not math.isfinite(value):
            raise ProfileError(f"{where}: {key} is no finite number")
        taken[key] = value
    try:
        return made(**taken)
    except TypeError:
        needed = [f.name for f in fields(made) if f.default is MISSING]  # type: ignore[arg-type]
        missing = [key for key in needed if key not in table]
        raise ProfileError(f"{where}: {', '.join(missing)} missing") from None


def _pad(table: dict[str, Any], number: int) -> PadProfile:
    where = f"pad {number}"
    rows = table.pop("walk", [])
    pad = _made(PadProfile, table, where)
    if pad.kind not in KINDS:
        raise ProfileError(f"{where}: kind is one of {', '.join(KINDS)}, not {pad.kind[:40]!r}")
    if not 0 <= pad.pad < PADS:
        raise ProfileError(f"{where}: pad is 0 to {PADS - 1}, not {pad.pad}")
    try:
        if len(pad.board) != 16 or bytes.fromhex(pad.board).hex() != pad.board:
            raise ValueError
    except ValueError:
        raise ProfileError(f"{where}: board is 16 hex digits, not {pad.board[:40]!r}") from None
    if not pad.spot or any(letter.isspace() for letter in pad.spot):
        raise ProfileError(f"{where}: spot must name a spot of the game, like mid")
    if not (0 <= pad.taps <= MOST_TAPS and 0 <= pad.peak_log_sd <= 10 and 0 <= pad.noise <= 1023):
        raise ProfileError(f"{where}: taps, peak_log_sd or noise is out of range")
    return replace(pad, walk=_walk(rows, where))


def _walk(rows: object, where: str) -> tuple[WalkPoint, ...]:
    hint = f"{where}: walk is a list of [peak, late_us, sd_us] with growing peaks"
    if not isinstance(rows, list):
        raise ProfileError(hint)
    points = []
    for row in rows:
        if not (isinstance(row, list) and len(row) == 3):
            raise ProfileError(hint)
        if not all(isinstance(x, int | float) and not isinstance(x, bool) for x in row):
            raise ProfileError(hint)
        points.append(WalkPoint(*map(float, row)))
    peaks = [point.peak for point in points]
    late = all(abs(p.late_us) <= MOST_LATE_US and 0 <= p.sd_us <= MOST_LATE_US for p in points)
    if peaks != sorted(set(peaks)) or not late:
        raise ProfileError(hint)
    return tuple(points)


def _check_all(pads: tuple[PadProfile, ...], couplings: tuple[Coupling, ...]) -> None:
    addresses = [address_of(pad.board, pad.pad) for pad in pads]
    spots = [pad.spot for pad in pads]
    for what, found in (("pad", addresses), ("spot", spots)):
        twice = next((name for name in found if found.count(name) > 1), None)
        if twice is not None:
            raise ProfileError(f"{what} {twice} stands twice")
    for number, coupling in enumerate(couplings, 1):
        for end in (coupling.struck, coupling.felt):
            if end not in addresses:
                raise ProfileError(f"coupling {number}: there is no pad {end[:40]}")
        if not (1 <= coupling.taps <= MOST_TAPS and 0 <= coupling.ratio_log_sd <= 10):
            raise ProfileError(f"coupling {number}: taps or ratio_log_sd is out of range")


def profile_text(profile: Profile) -> str:
    """Return a profile as TOML."""
    lines = [
        "# The touch pads of one table; written by `referee calibrate pads`.",
        f"version = {VERSION}",
        f'game = "{profile.game}"',
    ]
    for lamp in profile.lamps:
        lines += ["", "[[lamp]]", *_lines(lamp)]
    for pad in profile.pads:
        lines += ["", "[[pad]]", *_lines(pad, skip="walk")]
        if pad.walk:
            rows = (f"[{p.peak:.1f}, {p.late_us:.2f}, {p.sd_us:.2f}]" for p in pad.walk)
            lines.append(f"walk = [{', '.join(rows)}]")
    for coupling in profile.couplings:
        lines += ["", "[[coupling]]", *_lines(coupling)]
    return "\n".join(lines) + "\n"


def _lines(entry: LampSeen | PadProfile | Coupling, skip: str = "") -> list[str]:
    lines = []
    for field in fields(entry):
        value = getattr(entry, field.name)
        if field.name == skip:
            continue
        shown = f'"{value}"' if isinstance(value, str) else repr(value)
        if isinstance(value, float):
            shown = f"{value:.4f}"
        lines.append(f"{field.name} = {shown}")
    return lines
