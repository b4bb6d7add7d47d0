"""The page's own files, read once into memory: no path that is asked for ever meets the disk."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/schema+json",
    ".svg": "image/svg+xml",
    ".mp3": "audio/mpeg",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is served: its bytes, their type, and a mark that changes with them."""

    data: bytes
    media_type: str
    etag: str


def load_assets(folder: Path = STATIC) -> Mapping[str, Asset]:
    """Return the files of a folder by their path below it (`style.css`, `words/race.mp3`)."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in TYPES and path.is_file():
            data = path.read_bytes()
            mark = hashlib.sha256(data).hexdigest()[:20]
            name = path.relative_to(folder).as_posix()
            found[name] = Asset(data, TYPES[path.suffix], f'"{mark}"')
    return found


def build_mark(assets: Mapping[str, Asset]) -> str:
    """Return a mark of all files together: a page that was loaded from others reloads itself."""
    joined = "".join(name + asset.etag for name, asset in sorted(assets.items()))
    return hashlib.sha256(joined.encode()).hexdigest()[:12]
