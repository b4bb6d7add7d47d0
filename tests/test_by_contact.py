"""When a card landed that a hand hid: told by the touch of that hand, if it was but one."""

from __future__ import annotations

import pytest

from referee.values import PointMm
from referee.vision.landing import Landed
from referee.vision.looking import CameDown, by_contact

MS = 1_000_000
HERE = (100.0, 100.0)
HIDDEN = Landed(600 * MS, 150 * MS, hidden=True)


def touches(*at_ms: int) -> CameDown:
    """A hand that came down at these times."""

    def last(at_mm: PointMm, t0_ns: int, t1_ns: int) -> Landed | None:
        found = [t * MS for t in at_ms if t0_ns <= t * MS <= t1_ns]
        return Landed(max(found), 25 * MS) if found else None

    return last


@pytest.mark.parametrize("touch_ms", [380, 460, 740])
def test_the_hand_that_hid_a_card_laid_it_when_it_came_down(touch_ms: int) -> None:
    assert by_contact(HIDDEN, HERE, 0, touches(touch_ms)).t_ns == touch_ms * MS


@pytest.mark.parametrize("other_ms", [(), (200,), (900,)])
def test_without_a_touch_it_landed_while_it_was_hidden(other_ms: tuple[int, ...]) -> None:
    assert by_contact(HIDDEN, HERE, 0, touches(*other_ms)) == HIDDEN


def test_a_hand_that_stirs_before_it_leaves_does_not_tell_when_it_laid_the_card() -> None:
    assert by_contact(HIDDEN, HERE, 0, touches(460, 740)) == HIDDEN


def test_a_touch_that_is_told_twice_is_one() -> None:
    assert by_contact(HIDDEN, HERE, 0, touches(460, 500)).t_ns == 500 * MS


def test_a_touch_while_another_card_was_still_seen_there_is_not_counted() -> None:
    told = by_contact(HIDDEN, HERE, 480 * MS, touches(460, 740))
    assert told.t_ns == 740 * MS


def test_a_hand_that_rested_for_long_may_have_turned_the_card_under_it() -> None:
    long = Landed(600 * MS, 300 * MS, hidden=True)
    assert by_contact(long, HERE, 0, touches(460)) == long
