"""Clips: the frames about a moment and what was seen in them, as files named by their content."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.record.errors import RecordError, os_error
from referee.record.ring import PadTrace, Ring, Seen, Still
from referee.record.texts import Fields, canonical, read_fields
from referee.values import CardRead, HandRead, Point, Sight

FORMAT = 1
MOST_FILE_BYTES = 50_000_000
# Of a clip: a hundred cards that lie still, and those that are read anew.
MOST_CARDS = 4096


@dataclass(frozen=True, slots=True)
class ClipFrame:
    """One frame of a clip: its time, and the SHA-256 of its JPEG file."""

    t_ns: int
    sigma_ns: int
    sha256: str
    width_px: int
    height_px: int
    scale: float


@dataclass(frozen=True, slots=True)
class Clip:
    """The frames between two times, with what was read in them and what the pads felt."""

    match: str
    from_ns: int
    to_ns: int
    frames: tuple[ClipFrame, ...]
    seen: tuple[Seen, ...] = ()
    traces: tuple[PadTrace, ...] = ()


class ClipStore:
    """The evidence folder: `ab/abcd....jpg` and `.json`, each named by its SHA-256."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, made when the first file comes."""
        self.folder = folder

    def path(self, digest: str, end: str) -> Path:
        """Return the path of a file."""
        return self.folder / digest[:2] / f"{digest}.{end}"

    def put(self, data: bytes, end: str) -> str:
        """Keep bytes as a file; returns their SHA-256. Raises RecordError."""
        digest = hashlib.sha256(data).hexdigest()
        path = self.path(digest, end)
        try:
            if path.exists() and path.stat().st_size == len(data):
                return digest
            path.parent.mkdir(parents=True, exist_ok=True)
            # Whole or not at all, also when the process is killed while it writes.
            part = path.with_suffix(f".part{os.getpid()}")
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            raise os_error(path, error) from None
        return digest

    def get(self, digest: str, end: str) -> bytes:
        """Return the bytes of a file. Raises RecordError where it is gone or was changed."""
        path = self.path(digest, end)
        try:
            if path.stat().st_size > MOST_FILE_BYTES:
                raise RecordError(f"{path}: far larger than evidence is; it was changed")
            data = path.read_bytes()
        except FileNotFoundError:
            raise RecordError(f"{path}: pruned or removed; the log still names it") from None
        except OSError as error:
            raise os_error(path, error) from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise RecordError(f"{path}: its content is not what was kept; it was changed")
        return data


def cut(ring: Ring, match: str, from_ns: int, to_ns: int, store: ClipStore) -> tuple[str, Clip]:
    """Keep the frames between two times; returns the manifest's SHA-256 and the clip.

    Raises RecordError.
    """
    frames = tuple(_kept(frame, store) for frame in ring.stills(from_ns, to_ns))
    clip = Clip(
        match,
        from_ns,
        to_ns,
        frames,
        ring.seen(from_ns, to_ns),
        ring.traces(from_ns, to_ns),
    )
    return store.put(clip_text(clip).encode(), "json"), clip


def _kept(frame: Still, store: ClipStore) -> ClipFrame:
    digest = store.put(frame.jpeg, "jpg")
    size = (frame.width_px, frame.height_px)
    return ClipFrame(frame.t_ns, frame.sigma_ns, digest, *size, frame.scale)


def clip_text(clip: Clip) -> str:
    """Return a clip's manifest as canonical JSON.

    It is put together piece by piece, a card that lies still only once: whoever makes 40,000 reads
    into text at once keeps the match waiting for a tenth of a second and more.
    """
    card_text = lru_cache(MOST_CARDS)(_text)
    texts = {field: _text(getattr(clip, field)) for field in ("from_ns", "match", "to_ns")}
    texts["format"] = canonical(FORMAT)
    texts["frames"] = _list(map(_text, clip.frames))
    texts["seen"] = _list(_seen_text(seen, card_text) for seen in clip.seen)
    texts["traces"] = _list(map(_text, clip.traces))
    return "{" + ",".join(f'"{field}":{texts[field]}' for field in sorted(texts)) + "}"


def _seen_text(seen: Seen, card_text: Callable[[CardRead], str]) -> str:
    cards = _list(map(card_text, seen.sight.cards))
    hands = _list(map(_text, seen.sight.hands))
    return f'{{"sight":{{"cards":{cards},"hands":{hands}}},"t_ns":{seen.t_ns}}}'


def _text(value: Any) -> str:
    return canonical(value if isinstance(value, int | str) else asdict(value))


def _list(texts: Iterable[str]) -> str:
    return "[" + ",".join(texts) + "]"


def load_clip(store: ClipStore, digest: str) -> Clip:
    """Return the clip of a manifest. Raises RecordError."""
    data = store.get(digest, "json")
    try:
        return read_clip(data.decode())
    except (ValueError, KeyError, TypeError) as reason:
        path = store.path(digest, "json")
        raise RecordError(f"{path}: this is no clip ({reason})") from None


def read_clip(text: str) -> Clip:
    """Return the clip that `clip_text` wrote. Raises ValueError, KeyError or TypeError."""
    found = read_fields(text)
    if found["format"] != FORMAT:
        raise ValueError(f"format {found['format']} is not known; install the newest referee")
    return Clip(
        match=str(found["match"]),
        from_ns=int(found["from_ns"]),
        to_ns=int(found["to_ns"]),
        frames=tuple(ClipFrame(**one) for one in found["frames"]),
        seen=tuple(Seen(int(one["t_ns"]), _sight(one["sight"])) for one in found["seen"]),
        traces=tuple(_trace(one) for one in found["traces"]),
    )


def _sight(found: Fields) -> Sight:
    cards = tuple(_card(one) for one in found["cards"])
    hands = tuple(HandRead(float(one["score"]), _box(one["box_px"])) for one in found["hands"])
    return Sight(cards, hands)


def _card(found: Fields) -> CardRead:
    quad, middle = found["quad_px"], found.get("middle_px")
    return CardRead(
        label=str(found["label"]),
        score=float(found["score"]),
        at_px=_point(found["at_px"]),
        quad_px=None if quad is None else _quad(quad),
        angle_deg=float(found["angle_deg"]),
        back=found["back"],
        middle_px=None if middle is None else _point(middle),
    )


def _point(pair: Sequence[Any]) -> Point:
    return float(pair[0]), float(pair[1])


def _quad(corners: Sequence[Any]) -> tuple[Point, Point, Point, Point]:
    one, two, three, four = map(_point, corners)
    return one, two, three, four


def _box(numbers: Sequence[Any]) -> tuple[float, float, float, float]:
    x0_px, y0_px, x1_px, y1_px = map(float, numbers)
    return x0_px, y0_px, x1_px, y1_px


def _trace(found: Fields) -> PadTrace:
    samples = tuple(int(sample) for sample in found["samples"])
    return PadTrace(int(found["t_ns"]), int(found["step_ns"]), str(found["spot"]), samples)
