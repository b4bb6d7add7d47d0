"""Where the record lies: the folder, and the files of each match in it."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from referee.record.errors import RecordError, os_error

NAME = "table-referee"
END = ".log"
# File names may have 255 bytes; the longest end is `.times.csv`.
MOST_NAME_LETTERS = 200


def default_root() -> Path:
    """Return where a user's data lies on this platform."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / NAME
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / NAME
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / NAME


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of a record."""

    root: Path

    def log(self, match_id: str) -> Path:
        """Return the path of a match's log. Raises RecordError for an id that cannot be a name."""
        name = quote(match_id, safe="-_.~")
        if not match_id or match_id.startswith(".") or len(name) > MOST_NAME_LETTERS:
            raise RecordError(f"'{match_id[:40]}' cannot name a match; use letters and digits")
        return self.root / "matches" / f"{name}{END}"

    @property
    def evidence(self) -> Path:
        """Return the folder of pictures, named by their content."""
        return self.root / "evidence"

    def video(self, match_id: str) -> Path:
        """Return the path of a match's video."""
        return self.root / "videos" / f"{self.log(match_id).stem}.mkv"

    def logs(self) -> tuple[Path, ...]:
        """Return the logs of all matches, by name. Raises RecordError."""
        folder = self.root / "matches"
        if not folder.is_dir():
            return ()
        try:
            return tuple(sorted(p for p in folder.iterdir() if p.suffix == END and p.is_file()))
        except OSError as error:
            raise os_error(folder, error) from None

    def find(self, text: str) -> Path:
        """Return the log that a match id, or the path of a log, names. Raises RecordError."""
        path = self.log(text) if "/" not in text else Path(text)
        if path.is_file():
            return path
        direct = Path(text)
        if direct.suffix == END and direct.is_file():
            return direct
        known = [match_id(log) for log in self.logs()]
        near = [name for name in known if name.lower().startswith(text.lower())]
        if len(near) == 1:
            return self.log(near[0])
        shown = ", ".join(near[:3]) if near else "`referee matches` lists them"
        raise RecordError(f"no match '{text[:60]}' in {self.root}; {shown}")


def free_bytes(path: Path) -> int:
    """Return how much room the disk of a path has left. Raises OSError."""
    above = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    return shutil.disk_usage(above).free


def match_id(log: Path) -> str:
    """Return the id of the match of a log."""
    return unquote(log.name.removesuffix(END))


def anchors_of(log: Path) -> Path:
    """Return the file of hashes noted beside a log."""
    return log.with_suffix(".heads")


def lock_of(log: Path) -> Path:
    """Return the file that says that a log is being written."""
    return log.with_suffix(".lock")
