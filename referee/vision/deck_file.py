"""A learned deck as files: NAME.toml says what it is, NAME.npz beside it holds its pictures."""

from __future__ import annotations

import io
import re
import tomllib
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.vision.deck_profile import (
    BACK_H_PX,
    BACK_W_PX,
    NUMBERED,
    SUITED,
    DeckProfile,
    Kind,
)
from referee.vision.networks import CROP_PX, JOKER

VERSION = 1
KEYS = ("version", "kind", "name", "cards", "labels", "missing", "double", "jokers")
HEAD = """# Written by `referee calibrate deck`. The indices named in `labels` and the backs lie in
# the file of the same name ending in .npz. Calibrate again rather than edit: a key that is not
# known is an error.
"""
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
LARGEST_BYTES = 16_000_000  # a deck takes 0.8 MB
SHAPES = {"crops": (CROP_PX, CROP_PX, 3), "backs": (BACK_H_PX, BACK_W_PX, 3)}


class DeckFileError(Exception):
    """A learned deck that cannot be used; one line: what is wrong, what to do."""


def good_name(name: str) -> bool:
    """Whether a deck may be called so: small letters, digits, - and _."""
    return NAME.fullmatch(name) is not None


def write_deck(profile: DeckProfile, path: Path) -> None:
    """Write a deck as `path` (.toml) and the .npz beside it. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = io.BytesIO()
    np.savez_compressed(data, crops=profile.crops, backs=profile.backs)
    path.with_suffix(".npz").write_bytes(data.getvalue())
    path.write_text(deck_text(profile), encoding="utf-8")


def deck_text(profile: DeckProfile) -> str:
    """Return what the TOML file of a deck says."""
    lines = [
        HEAD.rstrip(),
        f"version = {VERSION}",
        'kind = "deck"',
        f'name = "{profile.name}"',
        f'cards = "{profile.kind}"',
        f"jokers = {profile.jokers}",
        f"missing = {_listed(profile.missing)}",
        f"double = {_listed(profile.double)}",
        f"labels = {_listed(profile.labels)}",
    ]
    return "\n".join(lines) + "\n"


def _listed(labels: Iterable[str]) -> str:
    quoted = ", ".join('"' + label + '"' for label in labels)
    return f"[{quoted}]"


def read_deck(path: Path) -> DeckProfile:
    """Read a deck from its .toml and the .npz beside it. Raises DeckFileError."""
    fields = _fields(path)
    name, cards, jokers = fields["name"], fields["cards"], fields["jokers"]
    if not isinstance(name, str) or not good_name(name):
        raise _broken(path, f"name = {name!r} is no name of a deck")
    if cards not in ("suited", "numbers"):
        raise _broken(path, f'cards = {cards!r} is neither "suited" nor "numbers"')
    if type(jokers) is not int or not 0 <= jokers <= 99:
        raise _broken(path, f"jokers = {jokers!r} is no number of jokers")
    kind: Kind = "suited" if cards == "suited" else "numbers"
    labels = _labels(path, fields, "labels", kind)
    crops, backs = _pictures(path.with_suffix(".npz"))
    if len(labels) != len(crops) or not labels:
        raise _broken(path, f"it names {len(labels)} indices, and {len(crops)} pictures are there")
    missing, double = (_labels(path, fields, key, kind) for key in ("missing", "double"))
    return DeckProfile(name, kind, labels, crops, backs, missing, double, jokers)


def _broken(path: Path, what: str) -> DeckFileError:
    return DeckFileError(f"{path}: {what}; learn the deck again (referee calibrate deck)")


def _fields(path: Path) -> dict[str, object]:
    try:
        fields = tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as reason:
        raise DeckFileError(f"{path}: {reason.strerror or 'cannot be read'}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as reason:
        raise _broken(path, f"this is no TOML ({str(reason)[:60]})") from None
    if fields.get("kind") != "deck" or fields.get("version") != VERSION:
        raise _broken(path, f"this is no learned deck of version {VERSION}")
    for key in fields:
        if key not in KEYS:
            raise _broken(path, f"{key} is no key of a learned deck")
    for key in KEYS:
        if key not in fields:
            raise _broken(path, f"{key} is missing")
    return fields


def _labels(path: Path, fields: dict[str, object], key: str, kind: Kind) -> tuple[str, ...]:
    found = fields[key]
    known = {*(SUITED if kind == "suited" else NUMBERED), JOKER}
    if not isinstance(found, list) or not all(one in known for one in map(str, found)):
        raise _broken(path, f"{key} names something that is no card of such a deck")
    return tuple(map(str, found))


def _pictures(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    try:
        data = path.read_bytes()
    except OSError as reason:
        raise DeckFileError(f"{path}: {reason.strerror or 'cannot be read'}") from None
    if len(data) > LARGEST_BYTES:
        raise _broken(path, "it is far too large")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as held:
            pictures = {key: held[key] for key in SHAPES}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as reason:
        raise _broken(path, f"its pictures cannot be read ({str(reason)[:60]})") from None
    for key, shape in SHAPES.items():
        if pictures[key].dtype != np.uint8 or pictures[key].shape[1:] != shape:
            raise _broken(path, f"its {key} are no pictures of {shape[1]} x {shape[0]} pixels")
    return pictures["crops"], pictures["backs"]
