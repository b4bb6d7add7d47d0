"""The difference of two JSON objects as a JSON merge patch (RFC 7396)."""

from __future__ import annotations

from typing import Any

Fields = dict[str, Any]


def merge_patch(old: Fields, new: Fields) -> Fields:
    """Return the patch that makes `old` into `new`. Neither holds null inside an object."""
    patch: Fields = dict.fromkeys(old.keys() - new.keys())
    for name, value in new.items():
        before = old.get(name)
        if before is value or before == value:
            continue
        if isinstance(before, dict) and isinstance(value, dict):
            patch[name] = merge_patch(before, value)
        else:
            patch[name] = value
    return patch
