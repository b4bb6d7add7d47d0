"""Boards behind real ports: pulled, swapped, shared and wrong ones, each told in one line."""

from __future__ import annotations

import os
import random
import time
import tty
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pad_parts import MS, UID, is_live, wait_for

from referee.pads.link import Boards, News
from referee.pads.paths import Path
from referee.pads.ports import PortError, open_port
from referee.pads.protocol import Hit, frame
from referee.pads.told import Blinded, Felt, Linked
from referee.pads.twin import Crystal, Touch, Twin
from referee.pads.twinport import TwinPort

NOBODY = 65534


def twin_port(kind: str = "cdc", ppm: float = 300.0, seed: int = 1) -> TwinPort:
    twin = Twin(UID, random.Random(seed), Crystal(ppm), time.monotonic_ns())
    return TwinPort(twin, Path(kind, random.Random(seed)))


@contextmanager
def boards_on(*devices: str) -> Iterator[Boards]:
    boards = Boards(devices)
    try:
        yield boards
    finally:
        boards.close()


def is_state(state: str) -> Callable[[News], bool]:
    return lambda news: isinstance(news.told, Linked) and news.told.state == state


def test_hits_come_through_a_real_port_with_a_bound_that_holds() -> None:
    with twin_port("16u2", 4000.0) as port, boards_on(port.device) as boards:
        wait_for(boards, is_live)
        start_ns = time.monotonic_ns()
        touches = [start_ns + n * 30 * MS for n in range(1, 31)]
        for n, t_ns in enumerate(touches):
            port.touch(Touch(t_ns, n % 6))
        told = wait_for(boards, lambda n: isinstance(n.told, Felt) and n.told.seq == 29)
        hits = {n.told.seq: n.told for n in told if isinstance(n.told, Felt)}
        assert sorted(hits) == list(range(30))
        for n, t_ns in enumerate(touches):
            stamp = hits[n].stamp
            assert stamp is not None
            assert stamp.low_ns - 2000 <= t_ns <= stamp.high_ns + 2000
        (status,) = boards.statuses()
        assert (status.state, status.uid, status.why) == ("LIVE", UID, "")


def test_a_pulled_cable_is_told_at_once_and_its_blindness_with_it() -> None:
    with twin_port() as port, boards_on(port.device) as boards:
        wait_for(boards, is_live)
        pulled_ns = time.monotonic_ns()
        port.unplug()
        told = wait_for(boards, lambda news: isinstance(news.told, Blinded))
        gone = next(n.told for n in told if is_state("BLIND")(n))
        assert isinstance(gone, Linked)
        assert "cable" in gone.why
        assert gone.t_ns - pulled_ns < 1500 * MS
        blind = told[-1].told
        assert isinstance(blind, Blinded)
        assert blind.since_ns <= pulled_ns
        assert boards.statuses() == ()


def test_a_cable_pulled_in_the_middle_of_a_hit_gives_no_hit() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    with boards_on(os.ttyname(slave)) as boards:
        data = frame(Hit(0, 1, 0, 5, 5, 500, 100, bytes(6)))
        os.write(master, data[: len(data) // 2])
        os.close(slave)
        os.close(master)
        told = wait_for(boards, is_state("BLIND"))
        assert not any(isinstance(news.told, Felt) for news in told)


def test_a_board_that_comes_back_on_its_port_is_live_again(tmp_path: object) -> None:
    link = f"{tmp_path}/touchpad"
    first = twin_port()
    os.symlink(first.device, link)
    with boards_on(link) as boards:
        wait_for(boards, is_live)
        first.unplug()
        lost = wait_for(boards, lambda news: isinstance(news.told, Blinded))[-1].told
        os.unlink(link)
        with twin_port(seed=2) as second:
            os.symlink(second.device, link)
            told = wait_for(boards, is_live)
            back = wait_for(boards, lambda news: not isinstance(news.told, Linked))[0].told
            assert told[-1].uid == UID
            # Blind since before the cable was pulled, not since the port was opened again.
            assert back.since_ns == lost.since_ns  # type: ignore[union-attr]


def test_two_programs_on_one_port_are_refused_in_one_line() -> None:
    with twin_port() as port, boards_on(port.device):
        with pytest.raises(PortError) as told:
            open_port(port.device)
        assert "another program uses it" in str(told.value)


@pytest.mark.parametrize("path", ["/dev/null", __file__, "/dev/no-such-port", "", "a\0b"])
def test_what_is_no_port_is_refused_in_one_line(path: str) -> None:
    with pytest.raises(PortError) as told:
        open_port(path)
    assert "referee pads list" in str(told.value)
    assert "\n" not in str(told.value)


def test_a_port_of_another_group_names_the_group_to_join() -> None:
    master, slave = os.openpty()
    os.chmod(os.ttyname(slave), 0)
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # A child without threads of its own: it opens the port as nobody and ends.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setuid(NOBODY)
            open_port(os.ttyname(slave))
        except PortError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        line = pipe.read()
    os.close(master)
    os.close(slave)
    assert "join the group `" in line
    assert "usermod" in line


def test_random_bytes_on_a_port_are_told_as_wrong_firmware() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    chance = random.Random(2)
    with boards_on(os.ttyname(slave)) as boards:

        def babble(news: News) -> bool:
            return is_state("WRONG FIRMWARE")(news)

        end_s = time.monotonic() + 30
        told = None
        while told is None and time.monotonic() < end_s:
            try:
                os.write(master, chance.randbytes(400))
            except BlockingIOError:
                pass
            news = boards.wait(0.02)
            assert news is None or not isinstance(news.told, Felt)
            told = news if news is not None and babble(news) else None
        assert told is not None
        assert isinstance(told.told, Linked)
        assert "flash" in told.told.why
    os.close(master)
    os.close(slave)


def test_settings_asked_over_a_link_are_answered() -> None:
    from referee.pads.protocol import Configure
    from referee.pads.told import Answer

    with twin_port() as port, boards_on(port.device) as boards:
        wait_for(boards, is_live)
        link = boards.link(UID)
        assert link is not None
        link.ask(Configure(1, 0, 2))
        told = wait_for(boards, lambda news: isinstance(news.told, Answer))
        assert told[-1].told.word.value == 2  # type: ignore[union-attr]
        assert boards.link(b"12345678") is None
