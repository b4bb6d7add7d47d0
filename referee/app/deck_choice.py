"""Finds learned decks by their names, and the one on the table where none is named."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from referee import app
from referee.commands import BadInput
from referee.vision.address import Address, SourceError
from referee.vision.deck_file import DeckFileError, read_deck
from referee.vision.deck_profile import DeckProfile
from referee.vision.deck_which import DeckChoice
from referee.vision.frames import file_frames

DECKS = Path("calibration/decks")
AUTO = "auto"
PICTURES = 5


def deck_path(name: str) -> Path:
    """Return where a deck of that name lies; a name ending in .toml is a file itself."""
    return Path(name) if name.endswith(".toml") else DECKS / f"{name}.toml"


def find_decks(names: Sequence[str]) -> tuple[DeckProfile, ...]:
    """Open learned decks. Raises BadInput."""
    for name in names:
        if not name.endswith(".toml") and not deck_path(name).is_file():
            known = ", ".join(sorted(path.stem for path in DECKS.glob("*.toml"))) or "none"
            raise BadInput(f"--deck {name}: no such deck in {DECKS}; learned are: {known}")
    try:
        found = tuple(read_deck(deck_path(name)) for name in names)
    except (DeckFileError, ValueError) as reason:
        raise BadInput(str(reason)) from None
    if len({one.name for one in found}) < len(found):
        raise BadInput("two of these decks have the same name; learn one anew under another name")
    return found


def saved_decks() -> tuple[DeckProfile, ...]:
    """Open all learned decks of the folder. Raises BadInput."""
    names = sorted(str(path) for path in DECKS.glob("*.toml"))
    if not names:
        raise BadInput(f"{DECKS}: no deck was learned yet (referee calibrate deck)")
    return find_decks(names)


def deck_on(address: Address, models: str | None, threads: int) -> DeckProfile | None:
    """Tell which learned deck a source shows, None if that stays in doubt. Raises BadInput."""
    choice = DeckChoice(app.open_reader(models, threads), saved_decks())
    try:
        if address.kind.live:
            frames = app.one_live_frame(address)
        else:
            frames = (one for file in app.find_files(address) for one in file_frames(file))
        for frame in islice(frames, PICTURES):
            choice.take(frame.image_bgr)
    except SourceError as reason:
        raise BadInput(str(reason)) from None
    return choice.chosen()
