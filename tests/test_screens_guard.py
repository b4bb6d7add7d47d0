"""The door: who may come in, from where, and how often."""

from __future__ import annotations

import socket

import pytest

from referee.screens.desk import Desk, Order, Repeats, Saying
from referee.screens.guard import Bucket, Door, is_here, key_of, new_keys, take_of_all

MS = 1_000_000
KEYS = new_keys()


@pytest.mark.parametrize("host", ["127.0.0.1:8700", "localhost:8700", "[::1]:8700", "LOCALHOST"])
def test_this_machine_is_its_own_host(host: str) -> None:
    assert Door(None).is_own_host(host)


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.9:8700", "", None, "[::1", "a b"])
def test_a_page_for_this_machine_answers_to_no_other_name(host: str | None) -> None:
    assert not Door(None).is_own_host(host)


def test_in_the_network_addresses_in_digits_and_the_own_name_are_ours() -> None:
    door = Door(KEYS)
    assert door.is_own_host("192.168.1.9:8700")
    assert door.is_own_host(f"{socket.gethostname()}:8700")
    assert not door.is_own_host("referee.evil.example:8700")


def test_only_our_own_page_may_open_a_socket() -> None:
    door = Door(None)
    assert door.is_own_origin("http://127.0.0.1:8700", "127.0.0.1:8700")
    assert door.is_own_origin(None, "127.0.0.1:8700")
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9999", "file://"):
        assert not door.is_own_origin(origin, "127.0.0.1:8700")


def test_keys_open_what_they_are_for() -> None:
    door = Door(KEYS)
    assert door.level("192.168.1.9", KEYS.player) == "player"
    assert door.level("192.168.1.9", KEYS.operator) == "operator"
    assert door.level("127.0.0.1", None) == "operator"
    assert door.level("::ffff:127.0.0.1", None) == "operator"
    for key in (None, "", "x", KEYS.player[:-1], "ü"):
        assert door.level("192.168.1.9", key) is None


def test_a_key_comes_in_the_address_the_header_or_the_cookie() -> None:
    assert key_of({"key": "a"}, {}, None) == "a"
    assert key_of({}, {"referee_key": "b"}, None) == "b"
    assert key_of({}, {}, "Bearer c") == "c"
    assert key_of({}, {}, "Basic c") is None


def test_a_bucket_lets_so_many_through_and_then_makes_wait() -> None:
    bucket = Bucket(per_s=0.001, at_once=3)
    assert [bucket.wait_s() > 0 for _ in range(5)] == [False, False, False, True, True]


def test_an_address_that_asks_too_often_is_told_so() -> None:
    door = Door(None)
    answers = [door.is_too_fast("10.0.0.7") for _ in range(400)]
    assert answers[0] is False
    assert answers[-1] is True
    assert not door.is_too_fast("10.0.0.8")


def test_a_million_addresses_do_not_fill_the_memory() -> None:
    door = Door(None)
    for n in range(3000):
        door.is_too_fast(f"10.0.{n // 256}.{n % 256}")
    assert len(door._rates) <= 1000


def said(seat: str | None, what: str, t_ms: int, *words: str) -> Saying:
    return Saying(seat, what, words, t_ms * MS, 10 * MS, "phone")


def test_a_double_tap_is_one_call_and_two_players_calls_are_two() -> None:
    repeats = Repeats()
    assert not repeats.is_repeat(said("A", "call", 5000))
    assert repeats.is_repeat(said("A", "call", 5300))
    assert not repeats.is_repeat(said("B", "call", 5301))
    assert not repeats.is_repeat(said("A", "call", 7000))


def test_the_start_is_said_once_whoever_says_it() -> None:
    repeats = Repeats()
    assert not repeats.is_repeat(said("A", "start", 0))
    assert repeats.is_repeat(said("B", "start", 400))


def test_raising_after_abandoning_is_no_repeat() -> None:
    repeats = Repeats()
    assert not repeats.is_repeat(said("A", "abandon", 0))
    assert not repeats.is_repeat(said("A", "raise", 100))
    assert not repeats.is_repeat(said("A", "hand", 200, "L"))
    assert not repeats.is_repeat(said("A", "hand", 300, "R"))


def test_the_desk_keeps_the_order_and_refuses_when_it_is_full() -> None:
    desk = Desk()
    laid = [Order("note", (str(n),), n, "page") for n in range(300)]
    taken = [desk.put(order) for order in laid]
    assert taken.count(False) == desk.refused == 300 - 256
    assert list(desk.words()) == laid[:256]
    assert list(desk.words()) == []


def test_who_floods_takes_nothing_of_what_is_everybodys() -> None:
    own, everybodys = Bucket(1e-9, 3), Bucket(1e-9, 5)
    assert [take_of_all((own, everybodys)) for _ in range(50)].count(True) == 3
    assert [take_of_all((everybodys,)) for _ in range(9)].count(True) == 2


def test_this_machine_is_told_from_others_in_the_network() -> None:
    assert all(is_here(peer) for peer in ("127.0.0.1", "::1", "::ffff:127.0.0.1"))
    assert not any(is_here(peer) for peer in ("192.168.1.9", "fe80::1%eth0", "?"))
