"""A player's last three arranged cards: taken on hand one after another, and played from there."""

from __future__ import annotations

from test_scene_rough import A, Table, Touched

from referee.values import CardPlaced, Event, PileTaken

FIRST = (0.0, 40.0)
FOUR = (9, "4C", "play.A", (0.0, 0.0))
ARRANGED = ((1, "6D", "A.arr.1", FIRST), (3, "5S", "A.arr.3", FIRST), (4, "KH", "A.arr.4", FIRST))
KNOWN = "play.A 4C | play.B JC | A.arr.1 6D | A.arr.3 5S | A.arr.4 KH"
FIVE = (8, "5S", "play.A", (2.0, 1.0))


def acts(told: list[Event]) -> list[tuple[str, str]]:
    """Return what was told of cards: each taken from where, or laid from where."""
    return [
        (type(one).__name__, one.zone if isinstance(one, PileTaken) else one.origin)
        for one in told
        if isinstance(one, CardPlaced | PileTaken)
    ]


def taken(*between: Touched, known: str = KNOWN) -> list[Event]:
    """Let the six be taken at 5 s, the five half a second later, and the five be played."""
    touches = Touched(A, 5_000, "A.arr.1", FIRST), Touched(A, 5_600, "A.arr.3", FIRST)
    table = Table("nerves", *touches, *between, Touched(A, 6_200, "play.A"), known=known)
    table.look(0, FOUR, *ARRANGED)
    table.looks(4_000, 5_000, FOUR, *ARRANGED)
    told = table.looks(5_100, 5_700, FOUR, *ARRANGED[1:]) + table.looks(5_700, 6_200, FOUR)
    table.still(8, 6_200)
    return told + table.looks(6_260, 9_000, FIVE, ARRANGED[2])


def test_a_hand_that_takes_another_card_before_it_lays_the_first_holds_that() -> None:
    told = taken()
    assert acts(told)[:2] == [("PileTaken", "A.arr.1"), ("CardPlaced", "A.arr.3")]
    assert told[0].t_ns == 5_000_000_000


def test_a_card_that_may_have_been_laid_elsewhere_in_between_is_not_said_to_be_held() -> None:
    told = taken(Touched(A, 5_300, "play.B"))
    assert acts(told)[0] == ("CardPlaced", "A.arr.3")


def test_who_brings_a_card_to_his_other_hand_at_the_edge_has_laid_it_nowhere() -> None:
    told = taken(Touched(A, 5_300, "A.pile", (0.0, -10.0)))
    assert acts(told)[:2] == [("PileTaken", "A.arr.1"), ("CardPlaced", "A.arr.3")]


def test_of_four_arranged_cards_none_is_taken_on_hand_so_soon() -> None:
    told = taken(known=f"{KNOWN} | A.arr.5 9C")
    assert acts(told)[0] == ("CardPlaced", "A.arr.3")


def test_a_card_in_the_hand_that_lays_one_it_held_is_held_as_well() -> None:
    touches = Touched(A, 5_000, "A.arr.1", FIRST), Touched(A, 5_600, "play.A")
    table = Table("nerves", *touches, known="play.A 4C | A.arr.1 6D | A.held (5S)")
    table.look(0, FOUR, ARRANGED[0])
    table.looks(4_000, 5_000, FOUR, ARRANGED[0])
    told = table.looks(5_100, 5_600, FOUR)
    table.still(8, 5_600)
    told += table.looks(5_660, 9_000, FIVE)
    assert acts(told) == [("PileTaken", "A.arr.1"), ("CardPlaced", "A.held")]


def test_fingers_seen_beside_the_card_they_took_may_be_nearer_to_a_pile_that_lay_still() -> None:
    jack = (7, "JC", "play.B", (0.0, 0.0))
    table = Table("nerves", Touched(A, 5_000, "A.arr.1", (0.0, 100.0)), known=KNOWN)
    table.look(0, FOUR, jack, *ARRANGED)
    table.looks(4_000, 5_000, FOUR, jack, *ARRANGED)
    (told,) = table.looks(5_400, 12_000, FOUR, jack, *ARRANGED[1:])
    assert isinstance(told, PileTaken)
    assert (told.zone, told.actor, told.t_ns) == ("A.arr.1", A, 5_000_000_000)


def test_who_picks_up_all_that_is_his_after_a_playing_pile_takes_each_of_his_piles() -> None:
    takes = ("play.A", 5_000), ("A.arr.1", 5_500), ("A.arr.3", 6_000), ("A.rest", 6_500)
    touches = [Touched(A, t_ms, zone, FIRST if "arr" in zone else (0, 0)) for zone, t_ms in takes]
    known = "play.A 2H 3H 4C | A.arr.1 (2C) 6D | A.arr.3 5S | A.rest (7C) (8C) | play.B JC"
    table = Table("nerves", *touches, known=known)
    piles = FOUR, ARRANGED[0], ARRANGED[1], (5, "BACK", "A.rest", (0.0, 0.0))
    left = (7, "JC", "play.B", (0.0, 0.0))
    table.look(0, *piles, left)
    table.looks(4_000, 5_000, *piles, left)
    told: list[Event] = []
    for k, (_, t_ms) in enumerate(takes, 1):
        told += table.looks(t_ms + 100, t_ms + 500, *piles[k:], left)
    told += table.looks(7_000, 12_000, left)
    taken = {one.zone: one.count for one in told if isinstance(one, PileTaken)}
    assert taken == {"play.A": 3, "A.arr.1": 2, "A.arr.3": 1, "A.rest": 2}
    assert len(told) == 4
