"""The published JSON schema of all messages, made from the values themselves: it cannot drift."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from referee.screens.board import WORDS, BoardState
from referee.screens.lesson import Lesson
from referee.screens.messages import (
    ADDRESS,
    CORNERS,
    ID,
    LARGEST_TIME_MS,
    MOST_OPTIONS,
    MOST_SAID_WORDS,
    MOST_SEATS,
    ORDERS,
    PADS,
    ROLES,
    SAYINGS,
    SEAT,
    TABLE_WORDS,
    TEXT,
    WORD,
)
from referee.screens.setup import SetupOffer

Schema = dict[str, Any]
PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}


def _matching(pattern: re.Pattern[str]) -> Schema:
    return {"type": "string", "pattern": f"^({pattern.pattern})$"}


A_WORD, A_TEXT, A_SEAT = _matching(WORD), _matching(TEXT), _matching(SEAT)
FLAG: Schema = {"type": "boolean"}


def full_schema() -> Schema:
    """Return the schema: `$defs` has `to_referee` and `from_referee` and all that they hold."""
    defs: dict[str, Schema] = {}
    _define(BoardState, defs)
    _define(SetupOffer, defs)
    _define(Lesson, defs)
    defs["Status"]["properties"]["word"] = {"enum": list(WORDS)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages of the table referee's live page",
        "$defs": {**defs, **_said_by_pages(), **_said_by_referee()},
    }


def _define(kind: Any, defs: dict[str, Schema]) -> Schema:
    """Add a value's schema, and those of the values in it; returns the reference to it."""
    name = kind.__name__
    if name not in defs:
        defs[name] = {}
        hints = typing.get_type_hints(kind)
        properties = {f.name: _of(hints[f.name], defs) for f in fields(kind)}
        defs[name] = {
            "type": "object",
            "description": " ".join((kind.__doc__ or "").split()),
            "properties": properties,
            "required": [f.name for f in fields(kind) if not _may_be_none(hints[f.name])],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


def _may_be_none(hint: Any) -> bool:
    return type(None) in typing.get_args(hint)


def _of(hint: Any, defs: dict[str, Schema]) -> Schema:
    """Return the schema of one field; what may be None is left out of its object instead."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return _of(next(part for part in inner if part is not type(None)), defs)
    if origin is tuple:
        if inner[-1] is Ellipsis:
            return {"type": "array", "items": _of(inner[0], defs)}
        size = len(inner)
        return {"type": "array", "items": _of(inner[0], defs), "minItems": size, "maxItems": size}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _of(inner[1], defs)}
    return _define(hint, defs) if is_dataclass(hint) else dict(PLAIN[hint])


def _message(name: str, required: Schema, optional: Schema | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {"type": {"const": name}, **required, **(optional or {})},
        "required": ["type", *required],
        "additionalProperties": False,
    }


def _said_by_pages() -> dict[str, Schema]:
    once = {"id": _matching(ID)}
    seat: Schema = {"oneOf": [A_SEAT, {"type": "null"}]}
    at: Schema = {
        "at_ms": {
            "type": "number",
            "description": "when it was pressed, by the device's clock: that of its pongs",
            "exclusiveMinimum": -LARGEST_TIME_MS,
            "exclusiveMaximum": LARGEST_TIME_MS,
        }
    }
    chair = _object({"seat": A_SEAT, "name": A_TEXT})
    source = {"type": "string", "pattern": f"^({ADDRESS.pattern})?$"}
    share = {"type": "number", "minimum": 0, "maximum": 1}
    corner = {"type": "array", "items": share, "minItems": 2, "maxItems": 2}
    corners = [
        {"type": "array", "items": corner, "minItems": n, "maxItems": n} for n in (0, CORNERS)
    ]
    optional: Schema = {
        "source": source,
        "pads": {"enum": list(PADS)},
        "corners": {"oneOf": corners},
    }
    options: Schema = {
        "type": "object",
        "maxProperties": MOST_OPTIONS,
        "additionalProperties": A_WORD,
    }
    options["propertyNames"] = A_WORD
    setup = _object(
        {
            "game": A_WORD,
            "chairs": {"type": "array", "items": chair, "minItems": 1, "maxItems": MOST_SEATS},
        },
        {"options": options, **optional},
    )
    words: Schema = {"type": "array", "items": A_WORD, "maxItems": MOST_SAID_WORDS}
    say = {**once, "what": {"enum": list(SAYINGS)}}
    by: Schema = {"enum": ["key", "button"]}
    whole = {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}
    found: dict[str, Schema] = {
        "hello": _message("hello", {"role": {"enum": list(ROLES)}}, {"seat": seat, "events": FLAG}),
        "pong": _message("pong", {"id": whole, **at}),
        "say": _message("say", say, {"seat": seat, "words": words, "by": by, **at}),
        "order": {"oneOf": [_order(do, once, at) for do in ORDERS]},
        "setup": _message("setup", {**once, "setup": setup}, at),
    }
    return {**found, "to_referee": {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in found]}}


def _object(required: Schema, optional: Schema | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _order(do: str, once: Schema, at: Schema) -> Schema:
    fewest, most = ORDERS[do]
    word = _matching(ADDRESS) if do == "camera" else A_WORD
    words: Schema = {"type": "array", "items": word, "minItems": fewest, "maxItems": most}
    if do == "table":
        words["prefixItems"] = [_matching(one) for one in TABLE_WORDS]
    needed: Schema = {**once, "do": {"const": do}}
    if fewest:
        return _message("order", {**needed, "words": words}, at)
    return _message("order", needed, {"words": words, **at})


def _said_by_referee() -> dict[str, Schema]:
    text: Schema = {"type": "string"}
    number: Schema = {"type": "integer", "minimum": 0}
    document: Schema = {"enum": ["board", "office"]}
    anything: Schema = {"type": "object"}
    result: Schema = {"enum": ["taken", "repeat"]}
    seat: Schema = {"type": ["string", "null"]}
    found = {
        "welcome": _message(
            "welcome",
            {"you": text, "level": {"enum": ["player", "operator"]}, "build": text},
        ),
        "greeted": _message("greeted", {"role": {"enum": list(ROLES)}, "seat": seat}),
        "ping": _message("ping", {"id": number}),
        "full": _message("full", {"doc": document, "v": number, "fields": anything}),
        "patch": _message(
            "patch", {"doc": document, "base": number, "v": number, "patch": anything}
        ),
        "heard": _message("heard", {"id": text, "result": result}, {"u_ms": {"type": "number"}}),
        "error": _message("error", {"reason": text}),
        "event": _message("event", {"line": text}),
        "ruling": _message("ruling", {"line": text}),
        "dropped": _message("dropped", {"lines": number}),
    }
    return {**found, "from_referee": {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in found]}}
