"""Replays, reviews and resumed matches: what was ruled, what really happened, what follows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.app.recording import CutOff, Resumed, head_of, record_match, resume, unfinished
from referee.app.review import Wish, rejudged, replayed, review, review_live, review_match
from referee.app.sitting import Sitting
from referee.games import find_game
from referee.notation import read_matches
from referee.play import legal_match
from referee.record import Folder, Log, RecordError, begin_record, open_log, read_log, verify
from referee.record.disputes import Dispute, disputes_of, find_dispute
from referee.record.reading import events_of, gaps_of, rulings_of
from referee.record.standing import Differences, in_order, standing
from referee.values import CardPlaced, Event, Match, Ruling, ViewLost

NOW = "2026-11-21T12:00:00.000Z"
NOTHING = Differences((), ())


def kept(root: Path, text: str) -> Log:
    (match,) = read_matches(text)
    return read_log(record_match(Folder(root), match))


def names(rulings: tuple[Ruling, ...] | list[Ruling]) -> list[tuple[int, str, str]]:
    return [(one.n, one.kind, one.rule.partition("-")[2]) for one in rulings]


HEAD = """match M
 game nerves
 phase PLAY
 state
  A.arr.1 | 7H
  A.arr.2 | 8D
  A.arr.3 | 4C
  B.arr.1 | TS
  B.arr.2 | 5H
  play.A | 3C
  play.B | 9D
 events
"""
# The reader took the eight of clubs for the four; nobody took the card back.
MISREAD = f"""{HEAD}  1 5.000 CardPlaced A.R 4C A.arr.3>play.B up
  2 7.000 CardPlaced B.R 5H B.arr.2>play.B up
"""
TAKEN_BACK = f"""{HEAD}  1 5.000 CardPlaced A.R 4C A.arr.3>play.B up
  2 7.000 CardPlaced A.R 4C play.B>A.arr.3 up
"""
CLAIM = f"""{HEAD}  1 5.000 CardPlaced A.R 8D A.arr.2>play.B up
  2 6.000 Declared B claim NERVES-PLAY-03
"""


@pytest.mark.parametrize("game", ["nerves", "xix", "spy", "nerds", "nertz"])
@pytest.mark.parametrize("faulty", [False, True])
def test_a_replay_rules_what_was_ruled(tmp_path: Path, game: str, faulty: bool) -> None:
    match = legal_match(game, 2, 3, faulty=faulty)
    log = read_log(record_match(Folder(tmp_path), match))
    assert replayed(log) == NOTHING
    assert rejudged(log) == NOTHING


def test_a_replay_says_where_another_version_ruled_otherwise(tmp_path: Path) -> None:
    (match,) = read_matches(MISREAD)
    game = find_game(match.game)
    recorder = begin_record(Folder(tmp_path), head_of(match, game))
    sitting = Sitting(match, game, listeners=[recorder])
    sitting.feed(match.events[0])
    invented = replace(rulings_of_open(tmp_path)[0], rule="NERVES-PLAY-99")
    recorder.on_rulings((invented,))
    recorder.close()
    found = replayed(read_log(Folder(tmp_path).log("M")))
    assert found == Differences((invented,), ())


def rulings_of_open(root: Path) -> list[Ruling]:
    return [ruled.ruling for ruled in rulings_of(read_log(Folder(root).log("M")))]


def test_a_withdrawn_fault_leaves_the_card_where_it_lies(tmp_path: Path) -> None:
    log = kept(tmp_path, MISREAD)
    faults = [(1, "VIOLATION", "PLAY-03"), (2, "VIOLATION", "PLAY-03")]
    assert names(in_order(standing(log)))[:2] == faults
    fault = find_dispute(log, 1)
    made, after = review_match(log, fault, Wish("withdraw", "it is the eight"), NOW)
    # B's five lay on the nine before; it lies on A's four now, and that fits.
    assert (1, "VIOLATION", "PLAY-03") in names(made.withdrawn)
    assert (2, "VIOLATION", "PLAY-03") in names(made.withdrawn)
    assert not [one for one in made.added if one.kind == "VIOLATION"]
    assert find_dispute(after, 1).state == "withdrawn"
    assert rejudged(after) == NOTHING
    assert verify(after.path).fault is None


def test_a_withdrawn_fault_that_was_put_right_stays_put_right(tmp_path: Path) -> None:
    log = kept(tmp_path, TAKEN_BACK)
    made, after = review_match(log, find_dispute(log, 1), Wish("withdraw", "misread"), NOW)
    assert names(made.withdrawn) == [(1, "VIOLATION", "PLAY-03")]
    assert made.added == ()
    assert made.corrections == ()
    assert rejudged(after) == NOTHING


def test_a_corrected_card_is_judged_anew(tmp_path: Path) -> None:
    log = kept(tmp_path, MISREAD)
    wish = Wish("change", "the frames show the eight of clubs", card="8C")
    made, after = review_match(log, find_dispute(log, 1), wish, NOW)
    assert names(made.withdrawn)[0] == (1, "VIOLATION", "PLAY-03")
    assert rejudged(after) == NOTHING
    first = events_of(after)[0]
    assert isinstance(first, CardPlaced)
    assert str(first.card) == "4C", "what was recorded is never changed"


def test_a_changed_result_is_told_once(tmp_path: Path) -> None:
    log = kept(tmp_path, MISREAD)
    wish = Wish("change", "the eight", card="8C")
    made, after = review_match(log, find_dispute(log, 1), wish, NOW)
    again = review(after, find_dispute(after, 1), Wish("confirm", "so it is"), NOW)
    assert made.withdrawn
    assert (again.withdrawn, again.added) == ((), ())


def test_two_operators_cannot_tell_the_same_change_twice(tmp_path: Path) -> None:
    """Both looked at the same log; what follows from the second word is to be seen first."""
    log = kept(tmp_path, MISREAD)
    wish = Wish("change", "the eight", card="8C")
    review_match(log, find_dispute(log, 1), wish, NOW)
    with pytest.raises(RecordError, match="somebody else added to the log; look again"):
        review_match(log, find_dispute(log, 1), wish, NOW)
    assert len([*read_log(log.path).of("review")]) == 1


def test_a_review_by_a_later_version_tells_only_what_follows_from_it(tmp_path: Path) -> None:
    """The later version says another ruling in other words: that is no news of this review."""
    (match,) = read_matches(f"{TAKEN_BACK}  3 9.000 CardPlaced B.R TS B.arr.1>play.A up\n")
    game = find_game(match.game)
    recorder = begin_record(Folder(tmp_path), head_of(match, game))

    class Before:
        """What the version of then announced of the third event."""

        def on_event(self, event: Event) -> None:
            recorder.on_event(event)

        def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
            recorder.on_rulings(
                tuple(replace(r, text="as it was said then") if r.n == 3 else r for r in rulings)
            )

    sitting = Sitting(match, game, listeners=[Before()])
    for event in match.events:
        sitting.feed(event)
    recorder.close()
    log = read_log(recorder.path)
    made, after = review_match(log, find_dispute(log, 1), Wish("withdraw", "misread"), NOW)
    assert names(made.withdrawn) == [(1, "VIOLATION", "PLAY-03")]
    assert made.added == ()
    assert "as it was said then" in [ruling.text for ruling in in_order(standing(after))]
    found = find_dispute(after, 2)
    again, _ = review_match(after, found, Wish("withdraw", "misread too"), NOW)
    assert [ruling.text for ruling in again.withdrawn] == ["as it was said then"]


def test_a_fault_of_the_other_player(tmp_path: Path) -> None:
    log = kept(tmp_path, MISREAD)
    wish = Wish("change", "B's hand laid it", player="B")
    made = review(log, find_dispute(log, 1), wish, NOW)
    assert [one.player for one in made.withdrawn if one.n == 1] == ["A"]
    assert [one.player for one in made.added if one.n == 1 and one.kind == "VIOLATION"] == ["B"]


def test_a_missed_event_is_put_in_where_it_happened(tmp_path: Path) -> None:
    log = kept(tmp_path, MISREAD)
    missed = "1 5.500 CardPlaced A.R 4C play.B>A.arr.3 up"
    wish = Wish("change", "A took it back at once", after=missed)
    made, after = review_match(log, find_dispute(log, 1), wish, NOW)
    assert (3, "INFO", "PLAY-04") in names(made.added), "the next free number"
    assert rejudged(after) == NOTHING


def test_a_claim_that_is_upheld_becomes_a_ruling(tmp_path: Path) -> None:
    log = kept(tmp_path, CLAIM)
    (claim,) = disputes_of(log)
    assert (claim.claimed_by, claim.state) == ("B", "open")
    wish = Wish("confirm", "the frames show it", against="A")
    made, after = review_match(log, claim, wish, NOW)
    ruled = [one for one in made.added if one.kind == "VIOLATION"]
    assert [(one.rule, one.player) for one in ruled] == [("NERVES-PLAY-03", "A")]
    assert find_dispute(after, 1).state == "confirmed"


def test_a_claim_that_is_rejected_changes_nothing(tmp_path: Path) -> None:
    log = kept(tmp_path, CLAIM)
    made = review(log, find_dispute(log, 1), Wish("withdraw", "nothing to see"), NOW)
    assert [one.kind for one in made.withdrawn] == ["INFO"]
    assert made.added == ()


def contested(log: Log) -> Dispute:
    return next(
        one
        for one in disputes_of(log)
        if one.ruling.kind == "RACE" and one.ruling.margin_ns and one.ruling.winner != "tie"
    )


RACE = """match M
 game nerves
 phase PLAY
 state
  A.arr.1 | 8H
  A.arr.2 | 2C
  B.arr.1 | 7S
  B.arr.2 | [4S] QC
  A.rest | [5C]
  B.rest | [2H]
  play.A | 3C 9D
  play.B | 9S 8D
 events
  1 30.000 CardPlaced A.R 8H A.arr.1>play.A up
  2 30.350 PadHit A.R mid
  3 30.390 PadHit B.R mid
"""


def test_the_other_was_first(tmp_path: Path) -> None:
    log = kept(tmp_path, RACE)
    race = contested(log)
    assert race.ruling.winner == "A"
    made, after = review_match(log, race, Wish("change", "B's hand is below", winner="B"), NOW)
    assert [one.winner for one in made.added if one.kind == "RACE"] == ["B"]
    assert [one.winner for one in in_order(standing(after)) if one.kind == "RACE"] == ["B"]
    assert rejudged(after) == NOTHING
    back = review(after, find_dispute(after, race.n), Wish("change", "no", winner="A"), NOW)
    assert [one.winner for one in back.added if one.kind == "RACE"] == ["A"]


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        (Wish("confirm", "  "), "needs a reason"),
        (Wish("change", "x"), "takes one of"),
        (Wish("change", "x", card="9Q"), "no card"),
        (Wish("change", "x", player="Z"), "the seats are A, B"),
        (Wish("change", "x", winner="B"), "for a race"),
        (Wish("change", "x", line="what?"), "cannot be read"),
        (Wish("change", "x", card="7H", player="B"), "takes one of"),
    ],
)
def test_a_review_that_cannot_be_met_writes_nothing(
    tmp_path: Path, wish: Wish, reason: str
) -> None:
    log = kept(tmp_path, MISREAD)
    with pytest.raises(RecordError, match=reason):
        review_match(log, find_dispute(log, 1), wish, NOW)
    assert read_log(log.path).rows == log.rows


def test_a_dispute_that_is_none_is_refused(tmp_path: Path) -> None:
    log = kept(tmp_path, MISREAD)
    with pytest.raises(RecordError, match="it has 1 to"):
        find_dispute(log, 99)


def cut_off(root: Path, match: Match, events: int) -> Path:
    """Play the beginning of a match and stop without its end, as a crash does."""
    game = find_game(match.game)
    recorder = begin_record(Folder(root), head_of(match, game))
    sitting = Sitting(match, game, listeners=[recorder])
    for event in match.events[:events]:
        sitting.feed(event)
    recorder.flush()
    recorder._log._database.close()
    recorder._log._lock.free()
    return Folder(root).log(match.id)


def go_on(found: Resumed, match: Match, events: int) -> Log:
    for event in match.events[events:]:
        found.sitting.feed(event)
    found.sitting.close()
    found.recorder.close()
    return read_log(found.recorder._log.path)


@pytest.mark.parametrize("game", ["nerves", "xix", "nertz"])
def test_a_match_goes_on_where_it_was_cut_off(tmp_path: Path, game: str) -> None:
    match = legal_match(game, 2, 4)
    half = len(match.events) // 2
    cut_off(tmp_path, match, half)
    last_ns = match.events[half - 1].t_ns
    found = resume(Folder(tmp_path), match.id, now_ns=last_ns)
    assert found.late == ()
    log = go_on(found, match, half)
    assert log.fault is None
    (gap,) = gaps_of(log)
    assert gap.why == "the referee was not running"
    assert isinstance(events_of(log)[half], ViewLost)
    assert replayed(log) == NOTHING
    assert [one.kind for one in in_order(standing(log))].count("END") == sum(
        line.kind == "END" for line in match.expected or ()
    )


def test_what_was_not_seen_is_not_ruled_on(tmp_path: Path) -> None:
    (match,) = read_matches(MISREAD)
    cut_off(tmp_path, match, 1)
    found = resume(Folder(tmp_path), "M", now_ns=60_000_000_000)
    assert (found.gap.from_ns, found.gap.to_ns) == (5_000_000_000, 60_000_000_000)
    found.recorder.close()


def test_a_ruling_that_the_crash_kept_back_is_announced_at_the_resume(tmp_path: Path) -> None:
    """The event had become durable, the referee died before it could rule."""
    (match,) = read_matches(MISREAD)
    game = find_game(match.game)
    recorder = begin_record(Folder(tmp_path), head_of(match, game))
    recorder.on_event(match.events[0])
    recorder.close("stopped")

    class Heard:
        def __init__(self) -> None:
            self.rulings: list[Ruling] = []

        def on_event(self, event: object) -> None:
            """Nothing to announce."""

        def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
            self.rulings += rulings

    heard = Heard()
    found = resume(Folder(tmp_path), "M", now_ns=5_000_000_000, listeners=[heard])
    assert names(heard.rulings)[:1] == [(1, "VIOLATION", "PLAY-03")]
    assert found.late == tuple(heard.rulings)
    found.recorder.close()
    assert replayed(read_log(Folder(tmp_path).log("M"))) == NOTHING


def test_a_match_resumed_after_a_review_goes_on_from_what_really_happened(tmp_path: Path) -> None:
    (match,) = read_matches(MISREAD)
    path = cut_off(tmp_path, match, 1)
    log = read_log(path)
    review_match(log, find_dispute(log, 1), Wish("change", "the eight", card="8C"), NOW)
    found = resume(Folder(tmp_path), "M", now_ns=6_000_000_000)
    assert found.late == ()
    assert not found.sitting.state.debts
    found.recorder.close()


def test_a_match_that_is_over_does_not_go_on(tmp_path: Path) -> None:
    kept(tmp_path, MISREAD)
    with pytest.raises(RecordError, match="is over"):
        resume(Folder(tmp_path), "M")


def test_nothing_is_added_to_a_changed_log(tmp_path: Path) -> None:
    log = kept(tmp_path, MISREAD)
    data = log.path.read_bytes()
    assert data.count(b"A.arr.3>play.B") == 1
    log.path.write_bytes(data.replace(b"A.arr.3>play.B", b"A.arr.2>play.B"))
    with pytest.raises(RecordError, match="nothing is added to a changed log"):
        open_log(log.path)


def test_a_review_in_play_changes_what_the_match_goes_on_from(tmp_path: Path) -> None:
    (match,) = read_matches(MISREAD)
    game = find_game(match.game)
    recorder = begin_record(Folder(tmp_path), head_of(match, game))
    sitting = Sitting(match, game, listeners=[recorder])
    sitting.feed(match.events[0])
    assert sitting.state.debts
    made = review_live(sitting, recorder, 1, Wish("withdraw", "it is the eight"), NOW)
    assert names(made.withdrawn) == [(1, "VIOLATION", "PLAY-03")]
    assert not sitting.state.debts
    rulings = sitting.feed(match.events[1])
    assert not [one for one in rulings if one.kind == "VIOLATION"], "B's five fits A's four"
    sitting.close()
    recorder.close()
    log = read_log(recorder.path)
    assert [event.n for event in events_of(log)] == [1, 3], "2 is the operator's word"
    assert rejudged(log) == NOTHING
    assert replayed(log) == NOTHING


def test_a_review_in_play_that_cannot_be_met_changes_nothing(tmp_path: Path) -> None:
    (match,) = read_matches(MISREAD)
    game = find_game(match.game)
    recorder = begin_record(Folder(tmp_path), head_of(match, game))
    sitting = Sitting(match, game, listeners=[recorder])
    sitting.feed(match.events[0])
    before = sitting.state
    with pytest.raises(RecordError, match="needs a reason"):
        review_live(sitting, recorder, 1, Wish("withdraw", ""), NOW)
    assert sitting.state is before
    recorder.close()


def test_the_matches_that_can_go_on_are_known(tmp_path: Path) -> None:
    kept(tmp_path, MISREAD)
    (match,) = read_matches(MISREAD)
    cut_off(tmp_path, replace(match, id="CUT"), 1)
    assert unfinished(Folder(tmp_path)) == (CutOff("CUT", "nerves", ("A", "B"), None),)
