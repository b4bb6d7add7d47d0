"""Messages of pages: what the schema allows is taken, everything else is refused in one line."""

from __future__ import annotations

import json
import random
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.screens.messages import (
    LONGEST_MESSAGE_BYTES,
    ORDERS,
    ROLES,
    SAYINGS,
    Hello,
    Ordered,
    Refused,
    Said,
    SetUp,
    read_message,
)
from referee.screens.schema import full_schema
from referee.screens.setup import Chair

SCHEMA = full_schema()
TO_REFEREE = jsonschema.Draft202012Validator(
    {"$ref": "#/$defs/to_referee", "$defs": SCHEMA["$defs"]}
)

words = st.text(st.characters(min_codepoint=33, max_codepoint=400), min_size=1, max_size=12)
ids = st.from_regex(r"[A-Za-z0-9_-]{1,40}", fullmatch=True)
seats = st.sampled_from("ABCDEFGHIJKL")
times = st.floats(-1e12, 1e12)
sayings = st.fixed_dictionaries(
    {"type": st.just("say"), "id": ids, "what": st.sampled_from(SAYINGS)},
    optional={"seat": seats | st.none(), "words": st.lists(words, max_size=5), "at_ms": times},
)
orders = st.fixed_dictionaries(
    {"type": st.just("order"), "id": ids, "do": st.sampled_from(list(ORDERS))},
    optional={"words": st.lists(words, max_size=4), "at_ms": times},
)
hellos = st.fixed_dictionaries(
    {"type": st.just("hello"), "role": st.sampled_from(ROLES)},
    optional={"seat": seats | st.none(), "events": st.booleans()},
)
chairs = st.lists(st.fixed_dictionaries({"seat": seats, "name": st.text(max_size=30)}), max_size=4)
setups = st.fixed_dictionaries(
    {
        "type": st.just("setup"),
        "id": ids,
        "setup": st.fixed_dictionaries(
            {"game": words, "chairs": chairs},
            optional={
                "options": st.dictionaries(words, words, max_size=3),
                "record": st.booleans(),
            },
        ),
    }
)
pongs = st.fixed_dictionaries(
    {"type": st.just("pong"), "id": st.integers(-5, 2**54), "at_ms": times}
)
near_messages = st.one_of(sayings, orders, hellos, setups, pongs)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


def taken(fields: Any) -> bool:
    try:
        read_message(json.dumps(fields))
    except Refused as refused:
        reason = str(refused)
    else:
        return True
    assert reason
    assert "\n" not in reason
    return False


@settings(deadline=None)
@given(near_messages)
def test_a_message_is_taken_only_if_the_schema_allows_it(fields: dict[str, Any]) -> None:
    if taken(fields):
        TO_REFEREE.validate(fields)


@settings(deadline=None)
@given(near_messages, st.text(max_size=6), junk, st.randoms(use_true_random=False))
def test_a_damaged_message_is_taken_only_if_the_schema_allows_it(
    fields: dict[str, Any], name: str, value: Any, chance: random.Random
) -> None:
    damaged = dict(fields)
    damaged[chance.choice([*fields, name])] = value
    try:
        data = json.loads(json.dumps(damaged, allow_nan=False))
    except ValueError:
        data = None
    if data is not None and taken(data):
        TO_REFEREE.validate(data)


@settings(deadline=None)
@given(st.text(max_size=60) | st.binary(max_size=60))
def test_random_bytes_are_refused(data: str | bytes) -> None:
    with pytest.raises(Refused):
        read_message(data)


@settings(deadline=None)
@given(junk)
def test_any_json_is_refused_or_of_the_schema(value: Any) -> None:
    with pytest.raises(Refused):
        read_message(json.dumps(value))


@pytest.mark.parametrize(
    "text",
    [
        "[" * 4000,
        '{"a":' * 600,
        "9" * 4000,
        '{"type":"pong","id":1,"at_ms":NaN}',
        '{"type":[]}',
        "",
    ],
)
def test_texts_that_break_readers_are_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_message(text)


def test_a_message_that_is_too_long_is_refused_unread() -> None:
    with pytest.raises(Refused, match="bytes"):
        read_message(" " * (LONGEST_MESSAGE_BYTES + 1))


def test_what_pages_say_is_read() -> None:
    hello = read_message('{"type":"hello","role":"player","seat":"B"}')
    assert hello == Hello("player", "B", events=False)
    said = read_message('{"type":"say","id":"1","seat":"B","what":"call","by":"key","at_ms":1.5}')
    assert said == Said("1", "B", "call", (), "key", 1.5)
    order = read_message('{"type":"order","id":"2","do":"height","words":["deck","12"]}')
    assert order == Ordered("2", "height", ("deck", "12"), None)


def test_a_set_up_is_read_with_its_options_in_order() -> None:
    setup = {
        "game": "nertz",
        "chairs": [{"seat": "A", "name": "Ada"}, {"seat": "B", "name": ""}],
        "options": {"target": "100", "draw": "1"},
        "source": "camera:0",
    }
    read = read_message(json.dumps({"type": "setup", "id": "s", "setup": setup}))
    assert isinstance(read, SetUp)
    assert read.setup.chairs == (Chair("A", "Ada"), Chair("B", ""))
    assert [option.name for option in read.setup.options] == ["draw", "target"]


@pytest.mark.parametrize(
    "address", ["/etc/passwd", "file:///etc/passwd", "../table.mp4", "camera:0 x", "ftp://a/b"]
)
def test_no_file_is_opened_as_a_camera_for_a_page(address: str) -> None:
    with pytest.raises(Refused, match="camera"):
        read_message(json.dumps({"type": "order", "id": "1", "do": "camera", "words": [address]}))
    setup = {"game": "xix", "chairs": [{"seat": "A", "name": ""}], "source": address}
    with pytest.raises(Refused):
        read_message(json.dumps({"type": "setup", "id": "1", "setup": setup}))


def test_words_cannot_smuggle_fields_into_the_match_text() -> None:
    for word in ("u=5", "two words", "line\nbreak", "src=camera"):
        with pytest.raises(Refused):
            read_message(json.dumps({"type": "say", "id": "1", "what": "name", "words": [word]}))


@settings(deadline=None)
@given(sayings.filter(lambda fields: len(fields.get("words", ())) <= 4))
def test_what_the_schema_allows_is_taken(fields: dict[str, Any]) -> None:
    if TO_REFEREE.is_valid(fields):
        assert taken(fields)
