"""The talk with a board: nothing is lost, invented or doubled, and blindness is told."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from pad_parts import MS, UID, S, rehearsal, states

from referee.pads.dialogue import Dialogue
from referee.pads.paths import Damage
from referee.pads.protocol import NO_NAME, Configure, Hit, SelfTest, frame
from referee.pads.told import Answer, Blinded, Edge, Felt, Greeted, Heartbeat, Linked, Sighted, Told
from referee.pads.twin import Touch

# A reset, a pulled cable or a dead board is told within this.
REPORTED_NS = 1500 * MS


def play(play_s: float, **given: object) -> tuple[list[Told], list[int]]:
    """A board that is touched 40 times a second after the first 3 s; returns what was told."""
    run = rehearsal(**given)  # type: ignore[arg-type]
    touches = list(range(3 * S, int(play_s * S), 25 * MS))
    for n, t_ns in enumerate(touches):
        run.twin.touch(Touch(t_ns, n % 6, peak=200 + n % 700))
    return list(run.until(int((play_s + 4) * S))), touches


def test_a_board_says_who_it_is_and_becomes_live() -> None:
    told, touches = play(4.0)
    assert isinstance(told[0], Greeted)
    assert told[0].ident.uid == UID
    assert states(told) == ["LIVE"]
    assert len([one for one in told if isinstance(one, Felt)]) == len(touches)


def test_every_hit_comes_once_with_its_own_pad_peak_and_time() -> None:
    told, touches = play(12.0, ppm=-4000.0)
    hits = sorted((one for one in told if isinstance(one, Felt)), key=lambda one: one.seq)
    assert [one.seq for one in hits] == list(range(len(touches)))
    for n, (one, t_ns) in enumerate(zip(hits, touches, strict=True)):
        assert (one.hit.pad, one.hit.peak) == (n % 6, 200 + n % 700)
        assert one.stamp is not None
        assert one.stamp.low_ns - 2000 <= t_ns <= one.stamp.high_ns + 2000


@pytest.mark.parametrize(("per_byte", "seed"), [(1e-3, 1), (1e-2, 2)])
def test_a_bad_line_loses_invents_and_doubles_no_hit(per_byte: float, seed: int) -> None:
    told, touches = play(20.0, damage=Damage(per_byte), seed=seed)
    hits = [one for one in told if isinstance(one, Felt)]
    assert sorted(one.seq for one in hits) == list(range(len(touches)))
    assert all(one.hit.peak == 200 + one.seq % 700 for one in hits)


def test_a_short_outage_loses_nothing_and_blinds_nobody() -> None:
    outage = Damage(outages=((6 * S, 6 * S + 400 * MS),))
    told, touches = play(8.0, damage=outage)
    assert sorted(one.seq for one in told if isinstance(one, Felt)) == list(range(len(touches)))
    assert not any(isinstance(one, Blinded) for one in told)


def test_an_outage_longer_than_the_ring_is_told_as_blind_and_the_rest_comes() -> None:
    outage = Damage(outages=((6 * S, 10 * S),))
    told, _ = play(12.0, damage=outage)
    blind = next(one for one in told if isinstance(one, Blinded))
    stale = next(one for one in told if isinstance(one, Linked) and one.state == "STALE")
    assert stale.t_ns - 6 * S <= REPORTED_NS
    assert blind.since_ns <= 6 * S
    back = [one for one in told if isinstance(one, Sighted)]
    assert 10 * S <= back[1].t_ns <= 12 * S
    assert back[1].since_ns == blind.since_ns
    # The ring held 64; the others are counted as dropped, and that too is told as blind.
    assert any("drop" in one.why for one in told if isinstance(one, Blinded))


def test_a_reset_board_is_told_within_a_second_and_a_half_and_learnt_anew() -> None:
    run = rehearsal()
    told = list(run.until(5 * S))
    run.twin.restart(run.now_ns)
    told += run.until(10 * S)
    live, gone, *_, why, back = [one for one in told if isinstance(one, Linked)]
    assert [live.state, gone.state, why.state, back.state] == ["LIVE", "BLIND", "BLIND", "LIVE"]
    assert gone.t_ns - 5 * S <= REPORTED_NS
    assert "restarted" in why.why
    assert [one.since_ns <= 5 * S for one in told if isinstance(one, Blinded)] == [True]
    run.twin.touch(Touch(11 * S, 2))
    hits = [one for one in run.until(12 * S) if isinstance(one, Felt)]
    assert [(one.seq, one.hit.pad) for one in hits] == [(0, 2)]
    assert hits[0].stamp is not None
    assert abs(hits[0].stamp.t_ns - 11 * S) <= hits[0].stamp.half_ns + 2000
    assert back.t_ns - gone.t_ns < 3 * S


def test_a_dead_board_is_told_within_a_second_and_a_half() -> None:
    run = rehearsal()
    list(run.until(5 * S))
    run.twin.silent = True
    stale = [one for one in run.until(8 * S) if isinstance(one, Linked)]
    assert [one.state for one in stale] == ["STALE"]
    assert stale[0].t_ns - 5 * S <= REPORTED_NS
    assert "cable" in stale[0].why


def test_a_board_with_another_protocol_is_the_wrong_firmware() -> None:
    run = rehearsal()
    run.twin.ident = replace(run.twin.ident, protocol=2)
    told = [one for one in run.until(8 * S) if isinstance(one, Linked)]
    assert [one.state for one in told] == ["WRONG FIRMWARE"]
    assert told[0].t_ns <= REPORTED_NS
    assert "protocol 2" in told[0].why
    assert "flash" in told[0].why


def test_a_board_that_refuses_to_arm_says_why_once() -> None:
    run = rehearsal()
    run.twin.refuses = True
    run.twin.ident = replace(run.twin.ident, faults=1)
    told = [one for one in run.until(20 * S) if isinstance(one, Linked)]
    assert [(one.state, one.why) for one in told] == [
        ("BLIND", "the board refuses to start: its main loop is too slow")
    ]


def test_a_minute_of_random_bytes_is_told_in_one_line_and_is_no_hit() -> None:
    chance = random.Random(7)
    talk = Dialogue(random.Random(1), 0)
    told: list[Told] = []
    for n in range(1200):
        talk.write(n * 50 * MS)
        told += talk.read(chance.randbytes(1250), n * 50 * MS)
    assert [type(one) for one in told] == [Linked]
    assert states(told) == ["WRONG FIRMWARE"]
    assert "flash" in told[0].why  # type: ignore[union-attr]


def test_a_port_that_says_nothing_is_told_in_one_line() -> None:
    talk = Dialogue(random.Random(1), 0)
    told: list[Told] = []
    for n in range(1200):
        talk.write(n * 50 * MS)
        told += talk.tick(n * 50 * MS)
    assert states(told) == ["BLIND"]
    assert "does not answer" in told[0].why  # type: ignore[union-attr]


def test_a_clock_that_jumps_blinds_the_board_until_it_is_learnt_anew() -> None:
    run = rehearsal()
    list(run.until(6 * S))
    # The board's time leaps a second, without a reset.
    run.twin.leap(S)
    told = list(run.until(12 * S))
    assert states(told) == ["BLIND", "LIVE"]
    assert "clock jumped" in next(one for one in told if isinstance(one, Linked)).why
    assert any(isinstance(one, Blinded) for one in told)
    run.twin.touch(Touch(13 * S, 1))
    hit = next(one for one in run.until(14 * S) if isinstance(one, Felt))
    assert hit.stamp is not None
    assert abs(hit.stamp.t_ns - 13 * S) <= hit.stamp.half_ns + 2000


def test_stalls_of_the_host_cost_no_hit_and_keep_the_bound() -> None:
    stalls = tuple((n * S, n * S + 200 * MS) for n in range(4, 12))
    told, touches = play(12.0, stalls=stalls)
    hits = sorted((one for one in told if isinstance(one, Felt)), key=lambda one: one.seq)
    assert len(hits) == len(touches)
    for one, t_ns in zip(hits, touches, strict=True):
        assert one.stamp is not None
        assert one.stamp.low_ns - 2000 <= t_ns <= one.stamp.high_ns + 2000


def test_a_write_that_had_to_wait_tells_no_time() -> None:
    run = rehearsal()
    list(run.until(4 * S))
    talk, before = run.dialogue, run.dialogue.clock.exchanges
    sent = b""
    while len(sent) < 9:
        sent = talk.write(talk.due_ns())
    talk.wrote(2 * MS)
    arrives_ns, whole = run.path.to_board(sent, run.now_ns)
    run.twin.receive(whole, arrives_ns)
    for left_ns, data in run.twin.advance(run.now_ns + 25 * MS):
        talk.read(data, left_ns + MS)
    assert talk.clock.exchanges == before


def test_a_board_without_a_name_is_given_one() -> None:
    run = rehearsal(uid=NO_NAME)
    told = list(run.until(5 * S))
    names = [one.ident.uid for one in told if isinstance(one, Greeted)]
    assert names[0] == NO_NAME
    assert len(names) == 2
    assert names[1] not in (NO_NAME, bytes(8))


def test_settings_and_tests_are_asked_until_answered() -> None:
    run = rehearsal(damage=Damage(5e-3), seed=4)
    list(run.until(3 * S))
    run.dialogue.ask(Configure(2, 1, 60))
    run.dialogue.ask(SelfTest(1, 0))
    answers = [one.word for one in run.until(6 * S) if isinstance(one, Answer)]
    kinds = [type(word).__name__ for word in answers]
    assert kinds.index("ConfigTaken") < kinds.index("Tested")


def test_edges_of_the_sync_wire_are_told_with_their_time() -> None:
    run = rehearsal()
    list(run.until(4 * S))
    run.twin.edge(5 * S)
    edges = [one for one in run.until(6 * S) if isinstance(one, Edge)]
    assert len(edges) == 1
    assert edges[0].stamp is not None
    assert abs(edges[0].stamp.t_ns - 5 * S) <= edges[0].stamp.half_ns + 2000


def test_heartbeats_come_twice_a_second_and_hits_before_the_handshake_do_not_count() -> None:
    run = rehearsal()
    run.twin.touch(Touch(50 * MS, 1))
    told = list(run.until(10 * S))
    assert 16 <= len([one for one in told if isinstance(one, Heartbeat)]) <= 20
    assert not any(isinstance(one, Felt) for one in told)
    talk = Dialogue(random.Random(1), 0)
    assert talk.read(frame(Hit(0, 1, 0, 5, 5, 5, 5, bytes(6))), MS) == []
