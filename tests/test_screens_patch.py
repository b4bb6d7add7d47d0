"""Patches: the board after a patch is the board, whatever changed."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.screens.patch import Fields, merge_patch

leaves = st.one_of(st.integers(0, 3), st.text("ab", max_size=2), st.lists(st.integers(0, 2)))
objects = st.recursive(
    st.dictionaries(st.sampled_from("xyz"), leaves, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from("xyz"), st.one_of(leaves, inner), max_size=3),
    max_leaves=12,
)


def merged(target: Any, patch: Any) -> Any:
    """RFC 7396, section 2, as it is printed there."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


@settings(deadline=None)
@given(objects, objects)
def test_the_patch_makes_the_old_into_the_new(old: Fields, new: Fields) -> None:
    assert merged(old, merge_patch(old, new)) == new


@settings(deadline=None)
@given(objects)
def test_nothing_changed_is_an_empty_patch(same: Fields) -> None:
    assert merge_patch(same, merged({}, same)) == {}


def test_only_the_pile_that_changed_is_sent() -> None:
    old = {"cards": {"deck": ["[??]"] * 40, "play.A": ["7H"]}, "status": {"word": "live"}}
    new = {"cards": {"deck": ["[??]"] * 40, "play.A": ["7H", "8H"]}, "status": {"word": "live"}}
    assert merge_patch(old, new) == {"cards": {"play.A": ["7H", "8H"]}}
