"""What may lie unseen below a card on a common pile, by the hands that were there before."""

from __future__ import annotations

from test_scene_rough import A, B, Table, Touched

from referee.table.found import LIKELY, PLAIN
from referee.values import CardPlaced

KNOWN = "F.1 B:AC | F.2 A:AS | A.work.1 A:3H A:2C | B.work.1 B:2S"
ACE, OTHER = (1, "AC", "F.1", (0.0, 0.0)), (2, "AS", "F.2", (0.0, 0.0))
THREE, TWO = (3, "3H", "A.work.1", (0.0, 0.0)), (4, "2C", "A.work.1", (0.0, -24.0))
LAID = (5, "2C", "F.1", (2.0, 1.0))
TOOK = Touched(A, 4_400, "A.work.1", (0.0, -24.0))


def two_on_the_ace(*touches: Touched) -> CardPlaced:
    """Return what is told of A's two that lies on the ace since five seconds."""
    table = Table("nerds", TOOK, *touches, known=KNOWN)
    table.look(0, ACE, OTHER, THREE, TWO)
    table.looks(1_000, 4_300, ACE, OTHER, THREE, TWO)
    table.still(5, 5_000, moving_ms=4_860)
    told = table.looks(4_600, 5_200, OTHER, THREE)
    told += table.looks(5_250, 8_000, OTHER, THREE, LAID)
    return next(one for one in told if isinstance(one, CardPlaced))


def test_the_hand_that_brings_a_card_laid_no_other_there_in_the_moment_before() -> None:
    assert two_on_the_ace(Touched(A, 4_770, "F.1")).conf == PLAIN


def test_another_players_hand_there_may_have_laid_one() -> None:
    assert two_on_the_ace(Touched(B, 4_770, "F.1")).conf == LIKELY


def test_a_hand_that_was_there_before_it_took_the_card_may_have_laid_another() -> None:
    assert two_on_the_ace(Touched(A, 3_900, "F.1")).conf == LIKELY
