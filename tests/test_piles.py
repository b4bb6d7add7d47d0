"""The cards of the table as the camera remembers them."""

from __future__ import annotations

from referee.table.piles import NEVER_NS, Lying, Piles


def test_while_all_cards_are_gone_through_a_place_may_be_asked_for_on_which_none_ever_lay() -> None:
    """As when a card lies half beside its pile, and may lie on a free place as well."""
    piles = Piles()
    for zone in ("F.1", "F.2"):
        piles[zone].append(Lying("AS", "A", True, (0.0, 0.0), 0.0, None, NEVER_NS))
    seen = [(zone, len(piles[f"{zone}.beside"])) for zone, _, _ in piles.each()]
    assert seen == [("F.1", 0), ("F.2", 0)]
    assert piles.zones() == ("F.1", "F.2")
