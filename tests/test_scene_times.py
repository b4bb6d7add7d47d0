"""When a card lay of which the hand hid the last moment; when what it hid must have happened."""

from __future__ import annotations

import pytest
from test_scene_rough import MS, A, B, Table, Touched

from referee.table.moves import Arrival, told
from referee.table.piles import Lying
from referee.values import CardPlaced, CardTurned, Event
from referee.values.spots import Spot

NINE, RED = (1, "9D", "A.work.1", (0.0, 0.0)), (2, "9H", "A.work.2", (0.0, 0.0))
EIGHT, LAID = (3, "8S", "A.work.1", (0.0, -18.0)), (4, "8S", "A.work.2", (0.0, -18.0))


def _span_ms(event: Event) -> tuple[int, int]:
    """Return from when to when an event may have happened."""
    assert event.u_ns is not None
    return round((event.t_ns - event.u_ns) / MS), round((event.t_ns + event.u_ns) / MS)


def _laid(
    came_ms: int, beside_mm: float = 0.0, moving_ms: int = 4_000, *, measured: bool = False
) -> CardPlaced:
    """Return the eight as it was told: seen to lie since 4.13 s, and not yet at `moving_ms`."""
    touches = Touched(A, 3_500, "A.work.1"), Touched(A, came_ms, "A.work.2", (beside_mm, -18.0))
    table = Table("nertz", *touches, known="A.work.1 A:9D A:8S | A.work.2 A:9H")
    table.look(0, NINE, EIGHT, RED)
    table.looks(1_000, 3_400, NINE, EIGHT, RED)
    table.looks(3_600, 4_400, NINE, RED)
    table.still(4, 4_132, moving_ms=moving_ms)
    table.measured = {4} if measured else set()
    (laid,) = table.looks(4_500, 7_000, NINE, RED, LAID)
    assert isinstance(laid, CardPlaced)
    return laid


def test_a_card_under_a_hand_that_still_comes_to_rest_lies_when_that_has_stopped() -> None:
    assert _span_ms(_laid(4_150)) == (4_125, 4_175)


def test_a_card_turned_in_place_may_go_on_turning_when_it_looks_flat() -> None:
    table = Table("nertz", Touched(A, 4_000, "A.nerts"), known="A.nerts (A:2S) (A:5H)")
    table.look(0, (1, "BACK", "A.nerts", (0.0, 0.0)))
    table.looks(1_000, 3_900, (1, "BACK", "A.nerts", (0.0, 0.0)))
    table.still(2, 4_110, moving_ms=4_090)
    told = table.looks(4_150, 6_000, (2, "5H", "A.nerts", (0.0, 0.0)))
    (turned,) = (event for event in told if isinstance(event, CardTurned))
    first_ms, last_ms = _span_ms(turned)
    assert first_ms <= 4_090
    assert 4_100 + 60 <= last_ms <= 4_100 + 90


def test_what_moves_under_a_hand_that_stayed_where_it_laid_a_card_is_that_hand() -> None:
    assert _span_ms(_laid(3_850)) == (3_825, 3_875)


@pytest.mark.parametrize(
    ("came_ms", "beside_mm"), [(4_060, 0.0), (3_970, 0.0), (4_250, 0.0), (3_850, 60.0)]
)
def test_a_hand_that_came_meanwhile_or_for_something_else_tells_no_better(
    came_ms: int, beside_mm: float
) -> None:
    assert _span_ms(_laid(came_ms, beside_mm)) == (4_000, 4_132)


def test_a_card_lies_since_the_hand_of_its_player_came_not_since_the_next_ones_did() -> None:
    ace, king = (1, "AH", "A.nerts", (0.0, 0.0)), (2, "KS", "B.nerts", (0.0, 0.0))
    mine = Touched(A, 3_500, "A.nerts"), Touched(A, 3_850, "F.2")
    table = Table("nertz", *mine, Touched(B, 4_100, "F.2"), known="A.nerts A:AH | B.nerts B:KS")
    table.looks(0, 3_400, ace, king)
    table.looks(3_600, 4_400, king)
    table.still(3, 4_132, moving_ms=4_000)
    (laid,) = table.looks(4_500, 7_000, king, (3, "AH", "F.2", (0.0, 0.0)))
    assert _span_ms(laid) == (3_825, 3_875)


def test_a_card_that_was_seen_on_its_way_lies_when_that_ended() -> None:
    assert _span_ms(_laid(4_150, moving_ms=4_080)) == (4_080, 4_132)
    assert _span_ms(_laid(4_150, measured=True)) == (4_000, 4_132)


def test_a_card_turned_up_unseen_was_so_between_the_one_above_and_its_own_play() -> None:
    """The hand that was seen there once turned it, or took it: nobody knows which."""
    touches = (Touched(A, 3_000, "A.nerts"), Touched(A, 3_400, "A.work.2"),
               Touched(A, 4_000, "A.nerts"), Touched(A, 4_600, "F.1"))  # fmt: skip
    table = Table("nertz", *touches, known="A.nerts (??) (??) A:7C | A.work.1 A:9D")
    seven, back = (5, "7C", "A.nerts", (0.0, 0.0)), (6, "BACK", "A.nerts", (1.0, 0.0))
    played = (7, "7C", "A.work.2", (0.0, 0.0))
    table.look(0, seven, NINE)
    table.looks(1_000, 2_900, seven, NINE)
    told = table.looks(3_600, 4_500, NINE, back, played)
    table.still(8, 4_600)
    told += table.looks(4_800, 8_000, NINE, back, played, (8, "AC", "F.1", (0.0, 0.0)))
    (turned,) = (event for event in told if isinstance(event, CardTurned))
    since_ms, until_ms = _span_ms(turned)
    assert 3_250 <= since_ms <= 3_600
    assert until_ms == 4_300


def test_a_card_that_left_in_a_hand_is_home_soon_after_its_place_is_bare() -> None:
    back = (1, "BACK", "talon.3", (0.0, 0.0))
    table = Table("xix", Touched(B, 5_100, "talon.3"), known="talon.3 (8) | B.closed (17) (9)")
    table.look(0, back)
    table.looks(4_000, 5_400, back)
    told = table.looks(5_600, 9_500)
    (held,) = (event for event in told if isinstance(event, CardPlaced))
    since_ms, until_ms = _span_ms(held)
    assert since_ms <= 5_600 <= until_ms


@pytest.mark.parametrize(("bare_ms", "carry_ms"), [(1_200, 1_200), (1_706, None)])
def test_a_place_seen_bare_when_its_card_lies_elsewhere_does_not_tell_when_it_was_picked_up(
    bare_ms: int, carry_ms: int | None
) -> None:
    spot = Spot(1, "2H", 1.0, (0.0, 0.0), 0.0, moving_ns=1_660 * MS, still_ns=1_700 * MS)
    card = Lying("2H", "A", True, spot.at_mm, 0.0, spot.id, spot.still_ns)
    came = Arrival(spot, spot, card, "A.waste", "A.work.3", 0, A, 0.98, 0, bare_ms * MS)
    placed = told([came])
    assert isinstance(placed, CardPlaced)
    assert placed.carry_ns == (None if carry_ms is None else carry_ms * MS)
