"""Events as one JSON object a line, for other programs; field names as in the event vocabulary."""

from __future__ import annotations

import json
from dataclasses import fields

from referee.notation.writing import write_time
from referee.values import Card, Event

# The vocabulary's own names for fields that are called otherwise here.
NAMES = {
    "origin": "from",
    "target": "to",
    "count": "n_cards",
    "columns": "cols",
    "carry_ns": "carry",
    "source": "src",
    "u_ns": "u",
    "flat_ns": "flat",
    "off_ns": "off",
}
COMMON = ("n", "t_ns", "actor", "u_ns", "source", "conf", "frames")


def event_json(event: Event) -> str:
    """Return the event as a one-line JSON object; spans (`t`, `u`, `off`, ...) are seconds."""
    shown: dict[str, object] = {
        "event": type(event).__name__,
        "n": event.n,
        "t": float(write_time(event.t_ns)),
        "u": None if event.u_ns is None else event.u_ns / 1e9,
        "src": event.source,
        "conf": event.conf,
        "actor": str(event.actor),
        "frames": event.frames,
    }
    for field in fields(event):
        if field.name not in COMMON:
            shown[NAMES.get(field.name, field.name)] = _plain(
                field.name, getattr(event, field.name)
            )
    return json.dumps(shown, ensure_ascii=False)


def _plain(name: str, value: object) -> object:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(name, part) for part in value]
    if name in ("carry_ns", "flat_ns", "off_ns") and isinstance(value, int):
        return value / 1e9
    return value
