"""The released firmware, a real port, the host and the judge together: from a slap to a ruling."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pad_parts import HANG_S, MS, S, is_live, slap, wait_for

from referee.games import find_game
from referee.match import judge
from referee.pads.fuse import Fused
from referee.pads.hits import Ignored
from referee.pads.link import Boards
from referee.pads.simulated import BoardSettings, SimulatedBoards
from referee.pads.station import Station, uncalibrated
from referee.pads.told import Felt
from referee.pads.touchpads import PadNews, Touchpads
from referee.values import Actor, HandOn, ViewBack, ViewLost

SPOTS = ("mid", "play.A")


class Table:
    """A simulated board, its port and what becomes of its touches."""

    def __init__(self, simulated: SimulatedBoards, boards: Boards) -> None:
        self.simulated, self.boards = simulated, boards
        self.hands: list[Actor] = []
        told = wait_for(boards, is_live)
        self.uid = told[-1].uid or b""
        self.pads = Touchpads(uncalibrated(boards, "nerves", SPOTS))
        for news in told:
            self.pads.told(self.uid.hex(), news.told, time.monotonic_ns())

    def watch(self, enough: Callable[[list[PadNews]], bool]) -> list[PadNews]:
        """Everything that is decided, until it is enough."""
        found: list[PadNews] = []
        end_s = time.monotonic() + HANG_S
        while not enough(found):
            assert time.monotonic() < end_s, f"it never came; told was {found}"
            news = self.boards.wait(0.02)
            if news is not None and news.uid is not None:
                self.pads.told(news.uid.hex(), news.told, time.monotonic_ns())
                if isinstance(news.told, Felt) and news.told.stamp and self.hands:
                    t_ns, actor = news.told.stamp.t_ns + 2 * MS, self.hands.pop(0)
                    hand = HandOn(n=0, t_ns=t_ns, u_ns=5 * MS, actor=actor, zone="mid")
                    self.pads.hand(hand)
            found += self.pads.until(time.monotonic_ns())
        return found

    def watch_for(self, kind: type[ViewLost] | type[ViewBack]) -> list[PadNews]:
        """Wait until the spots are lost, or back."""
        return self.watch(lambda found: any(isinstance(one, kind) for one in found))

    def touches(self, count: int) -> list[Fused | Ignored]:
        """Wait until so many touches are decided, whether they count or not."""
        found = self.watch(lambda found: len(touches_of(found)) >= count)
        return touches_of(found)


def touches_of(found: list[PadNews]) -> list[Fused | Ignored]:
    return [one for one in found if isinstance(one, Fused | Ignored)]


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    with SimulatedBoards(1, BoardSettings(path="16u2", ppm=2500.0)) as simulated:
        boards = Boards(simulated.devices)
        try:
            yield Table(simulated, boards)
        finally:
            boards.close()


def test_a_slap_in_the_simulated_chip_becomes_a_ruling_with_its_margin(table: Table) -> None:
    start_ns = time.monotonic_ns() + 200 * MS
    times = (start_ns, start_ns + 30 * MS)
    began = [table.simulated.touch(0, 0, t_ns, t_ns + 12 * MS) for t_ns in times]
    # A camera that sees each hand come to rest 2 ms after the pad felt it.
    table.hands = [Actor("B", "L"), Actor("A", "R")]
    found = [one for one in table.touches(2) if isinstance(one, Fused)]
    assert [str(one.event.actor) for one in found] == ["B.L", "A.R"]
    match = slap("1.0 HandOff A.R mid")
    events = tuple(
        replace(one.event, n=n, t_ns=2 * S + one.event.t_ns - start_ns)
        for n, one in enumerate(found, 2)
    )
    rulings = judge(replace(match, events=(*match.events, *events)), find_game("nerves"))
    race = next(ruling for ruling in rulings if ruling.kind == "RACE")
    assert (race.rule, race.winner) == ("NERVES-HIT-02", "B")
    # Its clock was learnt for a second: what that leaves open of its rate is in the interval.
    assert race.interval_ns < 2 * MS
    assert race.margin_ns == pytest.approx(began[1] - began[0], abs=race.interval_ns)
    assert race.p_first > 0.999
    assert re.match(r"B first by \d+(\.\d)? ms \(\d+(\.\d)? to \d+(\.\d)? ms\); A", race.text)
    assert race.evidence == tuple(f"pad:{table.uid.hex()}/0#{n}" for n in range(2))


def test_two_pads_of_one_board_keep_their_distance_to_two_microseconds(table: Table) -> None:
    start_ns = time.monotonic_ns() + 200 * MS
    leads_ns = []
    for n, lead_ns in enumerate((3_000, 20_000, 400_000)):
        t_ns = start_ns + n * 300 * MS
        first_ns = table.simulated.touch(0, 0, t_ns, t_ns + 40 * MS)
        second_ns = table.simulated.touch(0, 1, t_ns + lead_ns, t_ns + lead_ns + 40 * MS)
        leads_ns.append(second_ns - first_ns)
    times = {"mid": [], "play.A": []}  # type: dict[str, list[int]]
    for one in table.touches(6):
        spot = one.event.spot if isinstance(one, Fused) else one.spot
        times[spot].append(one.event.t_ns if isinstance(one, Fused) else one.t_ns)
    # A knock of the first pad is possible at such leads: both are told, one may be in doubt.
    for first_ns, second_ns, lead_ns in zip(times["mid"], times["play.A"], leads_ns, strict=True):
        # No crystal is more than 1 % off.
        assert second_ns - first_ns == pytest.approx(lead_ns, abs=3_000 + 0.01 * abs(lead_ns))


def test_a_pad_that_chatters_at_a_kilohertz_is_nobodys_touch(table: Table) -> None:
    now_ns = time.monotonic_ns() + 100 * MS
    table.simulated.chatter(0, 1, now_ns, now_ns + S, 1000)
    found = table.watch_for(ViewBack)
    # Only its first contact can look like a touch, on a machine too slow to learn better in time.
    touches = [one for one in found if isinstance(one, Fused)]
    assert len(touches) <= 1
    assert [one.event.actor.seat for one in touches if one.event.actor.seat] == []
    assert [one.zones for one in found if isinstance(one, ViewLost)] == [("play.A",)]
    assert [one.zones for one in found if isinstance(one, ViewBack)] == [("play.A",)]


def test_a_reset_blinds_the_pads_until_the_board_is_known_again(table: Table) -> None:
    table.simulated.reset(0)
    table.watch_for(ViewLost)
    table.watch_for(ViewBack)
    t_ns = time.monotonic_ns() + 200 * MS
    began_ns = table.simulated.touch(0, 0, t_ns, t_ns + 40 * MS)
    (hit,) = (one.event for one in table.touches(1) if isinstance(one, Fused))
    assert hit.spot == "mid"
    assert hit.off_ns is not None
    assert hit.u_ns is not None
    # Its clock is hardly known again: by how much it may be off it says itself.
    assert abs(hit.t_ns - began_ns) <= hit.off_ns + hit.u_ns


def test_a_station_gives_touches_and_notes_of_its_boards(table: Table) -> None:
    station = Station(table.boards, table.pads.profile)
    t_ns = time.monotonic_ns() + 200 * MS
    table.simulated.touch(0, 1, t_ns, t_ns + 40 * MS)
    found, end_s = list[Fused](), time.monotonic() + HANG_S
    while not found and time.monotonic() < end_s:
        found += [one for one in station.poll(0.05) if isinstance(one, Fused)]
    assert [one.event.spot for one in found] == ["play.A"]
    assert station.boards is table.boards


def test_a_pulled_cable_blinds_the_pads(table: Table) -> None:
    table.simulated.unplug(0)
    table.watch_for(ViewLost)
    assert table.boards.statuses() == ()
