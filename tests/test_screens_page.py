"""The page as it is served: real processes, real sockets, nothing replaced."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import jsonschema
import pytest
from test_screens_patch import merged
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from referee.screens.board import BoardState, Clock, Head, Status
from referee.screens.desk import Chosen, Desk, Order, Saying, Word
from referee.screens.guard import MOST_CLIENTS, MOST_CLIENTS_OF_ONE
from referee.screens.page import Page, PageError
from referee.screens.schema import full_schema
from referee.screens.setup import GameOffered, SetupOffer

SCHEMA = full_schema()
FROM_REFEREE = jsonschema.Draft202012Validator(
    {"$ref": "#/$defs/from_referee", "$defs": SCHEMA["$defs"]}
)
TO_REFEREE = jsonschema.Draft202012Validator(
    {"$ref": "#/$defs/to_referee", "$defs": SCHEMA["$defs"]}
)
# Far longer than anything here takes: only a hang reaches it.
HANG_S = 120
JPEG = b"\xff\xd8 not a picture, but passed on as it is \xff\xd9"


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def page(desk: Desk) -> Iterator[Page]:
    def record_page(what: str) -> bytes | None:
        if what == "dispute 9":
            raise ValueError("this row cannot be read")
        return b"<!doctype html><p>the moment" if what == "dispute 7" else None

    with Page(desk, port=0, record_page=record_page) as served:
        yield served


@pytest.fixture(scope="module")
def quiet_page() -> Iterator[Page]:
    """A page for tests that only ask for files."""
    with Page(Desk(), port=0) as served:
        yield served


@pytest.fixture
def open_page(desk: Desk) -> Iterator[Page]:
    with Page(desk, host="0.0.0.0", port=0) as served:
        yield served


class Phone:
    """A page as a program: it answers pings and keeps the documents."""

    def __init__(self, page: Page, key: str = "", **headers: str) -> None:
        url = f"ws://{urlsplit(page.links.here).netloc}/ws{key}"
        # A flood is not read, so that its end is not seen either: nobody waits for it.
        self._opening = connect(
            url, additional_headers=headers, open_timeout=HANG_S, close_timeout=0.2
        )
        self.docs: dict[str, Any] = {}
        self.versions: dict[str, int] = {}
        self.seen: list[dict[str, Any]] = []

    def __enter__(self) -> Phone:
        self.socket: ClientConnection = self._opening.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._opening.__exit__(None, None, None)

    def send(self, **fields: Any) -> None:
        self.socket.send(json.dumps(fields))

    def until(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """Take messages until one of this kind and content comes."""
        while True:
            message = json.loads(self.socket.recv(timeout=HANG_S))
            FROM_REFEREE.validate(message)
            self.take(message)
            if message["type"] == kind and wanted.items() <= message.items():
                return message

    def take(self, message: dict[str, Any]) -> None:
        self.seen.append(message)
        match message["type"]:
            case "ping":
                self.send(type="pong", id=message["id"], at_ms=time.monotonic_ns() / 1e6)
            case "full":
                self.docs[message["doc"]] = message["fields"]
                self.versions[message["doc"]] = message["v"]
            case "patch":
                assert self.versions[message["doc"]] == message["base"]
                self.docs[message["doc"]] = merged(self.docs[message["doc"]], message["patch"])
                self.versions[message["doc"]] = message["v"]

    def take_next(self) -> dict[str, Any]:
        """Take the next message."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=HANG_S))
        self.take(message)
        return message

    def until_prompt(self, prompt: str) -> None:
        """Take messages until the board shows this prompt."""
        while self.docs.get("board", {}).get("status", {}).get("prompt") != prompt:
            self.take(json.loads(self.socket.recv(timeout=HANG_S)))

    def greet(self, role: str, seat: str | None = None, **more: Any) -> None:
        self.send(type="hello", role=role, seat=seat, **more)
        self.until("greeted", role=role)

    def say(self, what: str, id: str, seat: str | None, **more: Any) -> dict[str, Any]:
        self.send(type="say", id=id, what=what, seat=seat, **more)
        return self.until("heard", id=id)


def allowed(chance: random.Random, schema: dict[str, Any]) -> Any:
    """Return something that a schema of ours allows."""
    if "$ref" in schema:
        return allowed(chance, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    if "oneOf" in schema:
        return allowed(chance, chance.choice(schema["oneOf"]))
    if "const" in schema or "enum" in schema:
        return chance.choice(schema.get("enum", [schema.get("const")]))
    match schema.get("type"):
        case "object":
            needed = schema.get("required", [])
            names = [
                n for n in schema.get("properties", {}) if n in needed or chance.random() < 0.5
            ]
            return {name: allowed(chance, schema["properties"][name]) for name in names}
        case "array":
            count = chance.randint(schema.get("minItems", 0), min(schema.get("maxItems", 9), 12))
            kinds = [*schema.get("prefixItems", []), *[schema["items"]] * count][:count]
            values = [allowed(chance, kind) for kind in kinds]
            seats = [value.get("seat") if isinstance(value, dict) else None for value in values]
            return values if len(set(seats)) == len(seats) or None in seats else values[:1]
        case "string":
            texts = (
                "A",
                "B",
                "12",
                "7H",
                "camera:0",
                "demo",
                "x-1",
                "",
                "ö",
                "nowhere",
                "12:XIX-1",
                "0.25,1",
            )
            fitting = [t for t in texts if re.search(schema.get("pattern", ""), t)]
            return chance.choice(fitting)
        case "integer" | "number":
            numbers = [0, 1, 2**40, *([] if "minimum" in schema else [-3, 1.5e12])]
            return chance.choice([n for n in numbers if n <= schema.get("maximum", n)])
        case "boolean":
            return chance.random() < 0.5
    return None


def board(prompt: str, cards: dict[str, tuple[str, ...]] | None = None) -> BoardState:
    head = Head("match", "T", game="nerves", game_title="Nerves")
    return BoardState(head, Status("live", prompt), Clock(0, True), cards=cards)


def get(page: Page, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    link = http.client.HTTPConnection(urlsplit(page.links.here).netloc, timeout=HANG_S)
    link.request(method, path, headers=headers)
    answer = link.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]
    link.close()
    return answer


def heard(desk: Desk) -> Word:
    return next(iter(desk.words(HANG_S)))


def test_the_page_and_its_files_are_served(quiet_page: Page) -> None:
    for path in ("/", "/setup", "/join", "/overlay", "/style.css", "/live.js", "/icon.svg"):
        answer = get(quiet_page, path)
        assert answer.status == 200, path
        assert "default-src 'self'" in (answer.getheader("Content-Security-Policy") or "")
        mark = answer.getheader("ETag") or ""
        assert get(quiet_page, path, **{"If-None-Match": mark}).status == 304


def test_the_schema_is_published(quiet_page: Page) -> None:
    schema = json.loads(get(quiet_page, "/schema.json").body)  # type: ignore[attr-defined]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == json.loads(json.dumps(full_schema()))


@pytest.mark.parametrize(
    "path",
    [
        "/../page.py",
        "/..%2fpage.py",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/static/../serving.py",
        "/words/../../page.py",
        "/index.html",
        "/nothing",
        "/" + "a" * 3000,
    ],
)
def test_no_file_of_the_disk_is_reachable(quiet_page: Page, path: str) -> None:
    answer = get(quiet_page, path)
    assert answer.status == 404
    assert len(answer.body) < 200  # type: ignore[attr-defined]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_is_changed_by_a_request(quiet_page: Page, method: str) -> None:
    assert get(quiet_page, "/", method).status == 405


def test_another_host_name_is_turned_away(quiet_page: Page) -> None:
    assert get(quiet_page, "/", Host="evil.example").status == 421


def test_a_page_of_another_site_cannot_open_the_socket(quiet_page: Page) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Phone(quiet_page, Origin="http://evil.example").__enter__()
    assert refused.value.response.status_code == 403


def test_a_board_reaches_the_page_and_then_only_what_changed(page: Page) -> None:
    page.show(board("one", {"play.A": ("7H",), "deck": ("[??]",) * 30}))
    with Phone(page) as phone:
        phone.until_prompt("one")
        page.show(board("two", {"play.A": ("7H", "8C"), "deck": ("[??]",) * 30}))
        patch = phone.until("patch", doc="board")["patch"]
        assert patch == {"status": {"prompt": "two"}, "cards": {"play.A": ["7H", "8C"]}}
        state = json.loads(get(page, "/state.json").body)  # type: ignore[attr-defined]
        assert state["board"] == phone.docs["board"]
        page.show(board("three"))
        phone.until("patch", doc="board")
        assert "cards" not in phone.docs["board"]


def test_a_thousand_boards_come_as_a_few_patches_and_end_with_the_last(page: Page) -> None:
    with Phone(page) as phone:
        for n in range(1000):
            page.show(board(f"prompt {n}"))
        phone.until_prompt("prompt 999")
        assert len([m for m in phone.seen if m["type"] in ("full", "patch")]) < 200


def test_a_declaration_carries_the_devices_time(page: Page, desk: Desk) -> None:
    with Phone(page) as phone:
        phone.greet("player", "B")
        for _ in range(5):
            phone.until("ping")
        pressed_ns = time.monotonic_ns()
        answer = phone.say("call", "one", "B", at_ms=pressed_ns / 1e6)
        assert answer["result"] == "taken"
        saying = heard(desk)
        assert isinstance(saying, Saying)
        assert (saying.seat, saying.what, saying.operator) == ("B", "call", False)
        # The phone's clock is this host's, so the truth is known.
        assert abs(saying.t_ns - pressed_ns) <= saying.u_ns
        assert answer["u_ms"] == pytest.approx(saying.u_ns / 1e6, abs=0.1)


def test_what_is_sent_again_is_taken_once(page: Page, desk: Desk) -> None:
    with Phone(page) as phone:
        phone.greet("player", "A")
        first = phone.say("stuck", "same-id", "A")
        assert phone.say("stuck", "same-id", "A") == first
        assert phone.say("stuck", "other-id", "A")["result"] == "repeat"
    with Phone(page) as again:
        again.greet("player", "A")
        assert again.say("stuck", "same-id", "A") == first
    assert len(list(desk.words(HANG_S))) == 1


def test_two_players_who_call_at_once_are_both_heard(page: Page, desk: Desk) -> None:
    with Phone(page) as ada, Phone(page) as ben:
        ada.greet("player", "A")
        ben.greet("player", "B")
        assert ada.say("call", "a", "A")["result"] == "taken"
        assert ben.say("call", "b", "B")["result"] == "taken"
    seats = {word.seat for _ in range(2) for word in [heard(desk)] if isinstance(word, Saying)}
    assert seats <= {"A", "B"}


def test_a_player_declares_for_the_own_seat_only(page: Page, desk: Desk) -> None:
    with Phone(page) as phone:
        phone.send(type="say", id="1", what="call", seat="A")
        phone.until("error")
        phone.greet("player", "A")
        phone.send(type="say", id="2", what="call", seat="B")
        assert "own seat" in phone.until("error")["reason"]
        phone.send(type="order", id="3", do="pause")
        assert "operator" in phone.until("error")["reason"]
    assert list(desk.words()) == []


def test_the_operator_orders_and_declares_for_everybody(page: Page, desk: Desk) -> None:
    with Phone(page) as phone:
        phone.greet("operator")
        phone.send(type="order", id="1", do="correct", words=["play.A", "0", "7H"])
        phone.until("heard", id="1")
        order = heard(desk)
        assert isinstance(order, Order)
        assert (order.do, order.words) == ("correct", ("play.A", "0", "7H"))
        phone.say("call", "2", "B")
        by_button = heard(desk)
        phone.say("stuck", "3", "B", by="key")
        by_key = heard(desk)
        assert isinstance(by_button, Saying)
        assert isinstance(by_key, Saying)
        assert (by_button.operator, by_key.operator) == (True, False)


def test_a_set_up_is_offered_to_operators_and_chosen(page: Page, desk: Desk) -> None:
    page.offer(SetupOffer((GameOffered("xix", "XIX", "numbers", 2, 2, ()),)))
    with Phone(page) as phone:
        phone.greet("operator")
        while "offer" not in phone.docs.get("office", {}):
            phone.take(json.loads(phone.socket.recv(timeout=HANG_S)))
        assert phone.docs["office"]["offer"]["games"][0]["title"] == "XIX"
        chairs = [{"seat": "A", "name": "Ada"}, {"seat": "B", "name": ""}]
        phone.send(type="setup", id="s", setup={"game": "xix", "chairs": chairs})
        phone.until("heard", id="s")
    chosen = heard(desk)
    assert isinstance(chosen, Chosen)
    assert (chosen.setup.game, chosen.setup.seats) == ("xix", ("A", "B"))
    assert chosen.setup.chairs[0].name == "Ada"


def test_a_program_gets_every_line_of_the_event_stream(page: Page) -> None:
    with Phone(page) as phone:
        phone.greet("audience", events=True)
        for n in range(300):
            page.tell({"type": "event", "line": f"{n} 1.000 Declared - start"})
        lines = [phone.until("event")["line"] for _ in range(300)]
    assert [int(line.split()[0]) for line in lines] == list(range(300))


def test_pictures_are_passed_on(page: Page) -> None:
    assert get(page, "/picture.jpg").status == 404
    page.show_picture(JPEG)
    with Phone(page) as phone:
        phone.greet("audience")  # a round trip: the picture came before it
    answer = get(page, "/picture.jpg")
    assert answer.body == JPEG  # type: ignore[attr-defined]
    link = http.client.HTTPConnection(urlsplit(page.links.here).netloc, timeout=HANG_S)
    link.request("GET", "/picture.mjpeg")
    stream = link.getresponse()
    assert stream.readline() == b"--picture\r\n"
    head = dict(line.decode().strip().split(": ") for line in iter(stream.readline, b"\r\n"))
    assert stream.read(int(head["Content-Length"])) == JPEG
    link.sock.close()
    link.close()


def test_a_page_of_the_record_is_shown_apart_from_ours(page: Page) -> None:
    answer = get(page, "/dispute/7")
    assert answer.status == 200
    assert b"the moment" in answer.body  # type: ignore[attr-defined]
    assert "sandbox" in (answer.getheader("Content-Security-Policy") or "")
    assert get(page, "/dispute/8").status == 404
    assert get(page, "/dispute/9").status == 404
    assert get(page, "/report").status == 404


def test_in_the_network_nobody_comes_in_without_a_key(open_page: Page) -> None:
    links = open_page.links
    assert links.exposed
    player = urlsplit(links.player).query.removeprefix("key=")
    operator = urlsplit(links.operator).query.removeprefix("key=")
    assert len({player, operator}) == 2
    assert min(len(player), len(operator)) >= 22
    lan = urlsplit(links.player).hostname or ""
    if lan.startswith("127."):
        pytest.fail("this machine has no network address; the test needs one")
    at = f"{lan}:{urlsplit(links.here).port}"

    def status(path: str, **headers: str) -> int:
        link = http.client.HTTPConnection(at, timeout=HANG_S)
        link.request("GET", path, headers=headers)
        answer = link.getresponse()
        answer.read()
        link.close()
        return answer.status

    assert status("/") == 403
    assert status("/state.json") == 403
    assert status("/picture.jpg") == 403
    assert status("/?key=wrong") == 403
    assert status(f"/?key={player}") == 303
    assert status("/state.json", Cookie=f"referee_key={player}") == 200
    assert status("/state.json", Authorization=f"Bearer {operator}") == 200
    assert status("/qr.svg", Cookie=f"referee_key={player}") == 404
    assert status("/qr.svg", Cookie=f"referee_key={operator}") == 200
    with pytest.raises(InvalidStatus):
        connect(f"ws://{at}/ws", open_timeout=HANG_S)
    with connect(f"ws://{at}/ws?key={player}", open_timeout=HANG_S) as phone:
        assert json.loads(phone.recv(timeout=HANG_S))["level"] == "player"
        phone.send(json.dumps({"type": "hello", "role": "operator"}))
        while (answer := json.loads(phone.recv(timeout=HANG_S)))["type"] != "error":
            assert answer["type"] != "greeted"


def say_until_closed(phone: Phone, text: str) -> None:
    while True:
        phone.socket.send(text)
        phone.socket.recv(timeout=HANG_S)


def claim_until_closed(phone: Phone) -> None:
    for n in count():
        phone.send(type="say", id=f"f{n}", what="claim", seat="B", words=[f"rule-{n}"])
        phone.take_next()


def test_twenty_wrong_messages_in_a_row_end_the_connection(page: Page) -> None:
    with Phone(page) as phone:
        phone.until("welcome")
        with pytest.raises(ConnectionClosed):
            say_until_closed(phone, "nonsense")


def test_a_message_that_is_too_long_ends_the_connection(page: Page) -> None:
    with Phone(page) as phone:
        phone.until("welcome")
        with pytest.raises(ConnectionClosed):
            say_until_closed(phone, "x" * 100_000)


def test_the_page_survives_what_is_no_http(quiet_page: Page) -> None:
    address = urlsplit(quiet_page.links.here)
    for data in (b"\x00" * 3000, b"GET / HTTP/9.9\r\n\r\n", os.urandom(2000), b"G" * 200_000):
        with socket.create_connection((address.hostname, address.port), timeout=HANG_S) as link:
            try:
                link.sendall(data)
                link.shutdown(socket.SHUT_WR)
                while link.recv(4096):
                    pass
            except OSError:
                pass  # it was cut off, as it should be
    assert get(quiet_page, "/").status == 200


def test_a_flood_of_messages_is_read_slowly_and_others_are_served(page: Page, desk: Desk) -> None:
    with Phone(page) as flood, Phone(page) as ada:
        flood.greet("player", "B")
        ada.greet("player", "A")
        text = json.dumps({"type": "pong", "id": 0, "at_ms": 0})
        for _ in range(2000):
            flood.socket.send(text)
        assert ada.say("call", "a", "A")["result"] == "taken"
    assert isinstance(heard(desk), Saying)


def test_whatever_the_schema_allows_is_answered_and_nothing_breaks(page: Page, desk: Desk) -> None:
    chance = random.Random(7)
    with Phone(page) as phone:
        phone.greet("operator")
        for _ in range(150):
            message = allowed(chance, {"$ref": "#/$defs/to_referee"})
            TO_REFEREE.validate(message)
            phone.socket.send(json.dumps(message))
            if message["type"] in ("say", "order", "setup"):
                while phone.take_next()["type"] not in ("heard", "error"):
                    pass
            for _ in desk.words():
                pass
        phone.greet("operator")
        assert phone.say("start", "last", None)["result"] in ("taken", "repeat")


def test_a_flood_of_claims_does_not_reach_the_match(page: Page, desk: Desk) -> None:
    with Phone(page) as flood, Phone(page) as ada:
        flood.greet("player", "B")
        ada.greet("player", "A")
        with pytest.raises(ConnectionClosed):
            claim_until_closed(flood)
        assert ada.say("claim", "a", "A")["result"] == "taken"
    said = [word for word in desk.words(HANG_S) if isinstance(word, Saying)]
    assert len([word for word in said if word.seat == "B"]) < 40
    assert [word.seat for word in said].count("A") == 1


def claim_without_end(flood: ClientConnection, number: int) -> None:
    """Claim sixty times for B, or until the page is thrown out for it."""
    claim = {"type": "say", "seat": "B", "what": "claim"}
    with suppress(ConnectionClosed):
        flood.send(json.dumps({"type": "hello", "role": "player", "seat": "B"}))
        for n in range(60):
            said = {"id": f"f{number}-{n}", "words": [f"rule-{number}-{n}"]}
            flood.send(json.dumps({**claim, **said}))


def test_a_device_that_floods_from_many_pages_leaves_the_others_their_say(
    open_page: Page, desk: Desk
) -> None:
    """Twelve pages of one phone claim as fast as they are read; a player's press still counts."""
    key = f"?{urlsplit(open_page.links.player).query}"
    lan = urlsplit(open_page.links.player).netloc
    with ExitStack() as inside, Phone(open_page, key) as ada:
        ada.greet("player", "A")
        floods = [
            inside.enter_context(connect(f"ws://{lan}/ws{key}", open_timeout=HANG_S))
            for _ in range(MOST_CLIENTS_OF_ONE)
        ]
        for number, flood in enumerate(floods):
            claim_without_end(flood, number)
        for n in range(5):
            assert ada.say("claim", f"a{n}", "A", words=[f"rule-{n}"])["result"] == "taken"
    said = [word for word in desk.words() if isinstance(word, Saying)]
    assert [word.seat for word in said].count("A") == 5


def test_a_flood_of_pages_is_turned_away_and_those_inside_are_served(page: Page) -> None:
    with ExitStack() as inside:
        ada = inside.enter_context(Phone(page))
        ada.until("welcome")
        for _ in range(MOST_CLIENTS - 1):
            inside.enter_context(Phone(page))
        with pytest.raises(InvalidStatus):
            Phone(page).__enter__()
        page.show(board("still here"))
        ada.until_prompt("still here")
    page.show(board("all gone"))
    with Phone(page) as later:
        later.until_prompt("all gone")


def test_a_port_that_is_taken_is_told_in_one_line(page: Page, desk: Desk) -> None:
    taken = urlsplit(page.links.here).port
    with pytest.raises(PageError) as refused:
        Page(desk, port=taken)
    assert "\n" not in str(refused.value)
    assert str(taken) in str(refused.value)


def test_without_a_port_the_next_free_one_is_taken(desk: Desk) -> None:
    with Page(desk) as one, Page(desk) as two:
        assert urlsplit(one.links.here).port != urlsplit(two.links.here).port


def test_the_match_goes_on_when_the_pages_process_dies(desk: Desk) -> None:
    with Page(desk, port=0) as served:
        served._process.kill()
        served._process.wait()
        for n in range(50):
            served.show(board(f"{n}"))
            served.tell({"type": "event", "line": "x"})
            served.show_picture(JPEG)
