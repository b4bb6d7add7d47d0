"""The .match text (cards, zones, events, expected rulings) to values and back."""

from __future__ import annotations

from referee.notation.events import event_json
from referee.notation.expecting import differences
from referee.notation.reading import read_event, read_matches
from referee.notation.rulings import ruling_json, ruling_line
from referee.notation.words import NotationError
from referee.notation.writing import write_event, write_match, write_time

__all__ = [
    "NotationError",
    "differences",
    "event_json",
    "read_event",
    "read_matches",
    "ruling_json",
    "ruling_line",
    "write_event",
    "write_match",
    "write_time",
]
