"""Keeps the evidence within its budget: the oldest clips go first, disputed ones never."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.record.clips import ClipStore, load_clip
from referee.record.disputes import disputes_of
from referee.record.errors import RecordError, os_error
from referee.record.folder import Folder
from referee.record.log import Log, read_log

# About 300 clips of 6 s at 30 frames a second.
BUDGET_BYTES = 5_000_000_000
# A clip's files are there before the log names it; what is younger than this is left alone.
YOUNG_S = 600.0


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed, and what is left; `disputed` clips stay, whatever the budget."""

    clips: int
    freed_bytes: int
    left_bytes: int
    disputed: int


@dataclass(frozen=True, slots=True)
class _Held:
    """A clip that a log names, with the files that it is made of."""

    age: tuple[str, int]
    files: tuple[Path, ...]
    disputed: bool


def evidence_bytes(folder: Folder) -> int:
    """Return how large the evidence is. Raises RecordError."""
    return sum(_sizes(folder).values())


def _sizes(folder: Folder) -> dict[Path, int]:
    if not folder.evidence.is_dir():
        return {}
    try:
        files = (path for path in folder.evidence.rglob("*") if path.is_file())
        return {path: path.stat().st_size for path in files}
    except OSError as error:
        raise os_error(folder.evidence, error) from None


def prune(folder: Folder, budget_bytes: int = BUDGET_BYTES) -> Pruned:
    """Remove evidence until it fits the budget: what no log names, then the oldest clips.

    Clips of open disputes stay. While a log cannot be read, nothing that is named nowhere goes:
    that log may name it. Raises RecordError where files cannot be removed.
    """
    sizes = _sizes(folder)
    before = sum(sizes.values())
    if before <= budget_bytes:
        return Pruned(0, 0, before, 0)
    logs, all_read = _readable(folder)
    held = sorted(_held(folder, logs), key=lambda one: one.age)
    uses = Counter(path for one in held for path in one.files)
    if all_read:
        _remove((path for path in sizes if not uses[path] and _is_settled(path)), sizes)
    dropped = 0
    for one in held:
        if sum(sizes.values()) <= budget_bytes:
            break
        if not one.disputed:
            uses.subtract(one.files)
            _remove((path for path in one.files if uses[path] == 0), sizes)
            dropped += 1
    left = sum(sizes.values())
    return Pruned(dropped, before - left, left, sum(one.disputed for one in held))


def _is_settled(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > YOUNG_S
    except OSError:
        return False


def _remove(paths: Iterable[Path], sizes: dict[Path, int]) -> None:
    """Remove files and forget their sizes."""
    for path in tuple(paths):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise os_error(path, error) from None
        sizes.pop(path, None)


def _readable(folder: Folder) -> tuple[tuple[Log, ...], bool]:
    """Return the logs that can be read, and whether these are all."""
    found: list[Log] = []
    paths = folder.logs()
    for path in paths:
        try:
            found.append(read_log(path))
        except RecordError:
            continue
    return tuple(found), len(found) == len(paths) and not any(log.fault for log in found)


def _held(folder: Folder, logs: Iterable[Log]) -> Iterator[_Held]:
    store = ClipStore(folder.evidence)
    for log in logs:
        for dispute in disputes_of(log):
            if dispute.kept is not None and dispute.kept.clip is not None:
                files = tuple(_files(store, dispute.kept.clip))
                age = (log.head.began_utc, dispute.kept.from_ns)
                yield _Held(age, files, dispute.state == "open")


def _files(store: ClipStore, digest: str) -> Sequence[Path]:
    """Return the files of a clip; none where its manifest is gone already."""
    try:
        clip = load_clip(store, digest)
    except RecordError:
        return []
    frames = dict.fromkeys(frame.sha256 for frame in clip.frames)
    return [store.path(digest, "json"), *(store.path(frame, "jpg") for frame in frames)]
