"""Nerves: what shows open on the place of a player's rest, and who took the cards up."""

from __future__ import annotations

from test_scene_rough import A, B, Table, Touched

from referee.values import CardPlaced, CardTurned, Event, PileMoved, PileTaken

FIRST, MIDDLE = (0.0, 40.0), (0.0, 0.0)
FACES = "2S", "4D", "6C", "8H"
ROW = tuple((n, face, f"A.arr.{n}", FIRST) for n, face in enumerate((*FACES, "BACK"), 1))
ARRANGED = "| ".join(f"A.arr.{n} {face} " for n, face in enumerate((*FACES, "(TS)"), 1))


def _acts(events: list[Event]) -> list[CardPlaced | CardTurned | PileMoved | PileTaken]:
    kinds = CardPlaced | CardTurned | PileMoved | PileTaken
    return [one for one in events if isinstance(one, kinds)]


def test_a_rest_that_is_put_down_open_shows_one_card_after_another() -> None:
    touches = (Touched(A, 5_000, "A.rest"), Touched(A, 6_000, "A.rest"),
               Touched(A, 6_400, "play.A"))  # fmt: skip
    table = Table("nerves", *touches, known=f"A.held {'(3C) ' * 21}| {ARRANGED}")
    table.look(0, *ROW)
    told = table.looks(4_000, 5_000, *ROW)
    table.still(9, 5_000)
    told += table.looks(5_060, 6_100, *ROW, (9, "9D", "A.rest", MIDDLE))
    table.still(10, 6_100)
    table.still(11, 6_400)
    shows = (10, "KD", "A.rest", MIDDLE), (11, "9D", "play.A", MIDDLE)
    told += table.looks(6_160, 6_400, *ROW, shows[0])
    told += table.looks(6_460, 9_000, *ROW, *shows)
    put_down, played = _acts(told)
    assert isinstance(put_down, PileMoved)
    assert isinstance(played, CardPlaced)
    assert (put_down.origin, put_down.target) == ("A.held", "A.rest")
    assert (str(played.card), played.origin, played.target) == ("9D", "A.rest", "play.A")


def test_a_card_that_is_turned_up_over_the_rest_lies_nowhere_yet() -> None:
    table = Table("nerves", Touched(A, 5_000, "A.rest"), Touched(A, 5_600, "play.A"),
                  known=f"A.rest {'(3C) ' * 9}| {ARRANGED}")  # fmt: skip
    rest = (8, "BACK", "A.rest", MIDDLE)
    table.look(0, *ROW, rest)
    told = table.looks(4_000, 5_000, *ROW, rest)
    table.still(9, 5_100)
    told += table.looks(5_100, 5_400, *ROW, rest, (9, "9D", "A.rest", (6.0, 8.0)))
    told += table.looks(5_400, 5_600, *ROW, rest)
    table.still(10, 5_600)
    told += table.looks(5_660, 9_000, *ROW, rest, (10, "9D", "play.A", MIDDLE))
    (played,) = _acts(told)
    assert isinstance(played, CardPlaced)
    assert (str(played.card), played.origin, played.target) == ("9D", "A.rest", "play.A")


def test_who_lays_out_his_cards_took_no_second_playing_pile() -> None:
    table = Table("nerves", Touched(B, 3_000, "play.A"), Touched(B, 5_000, "B.arr.1"),
                  Touched(B, 6_000, "play.B"),
                  known="play.A 2C 3C 4C 5C 6C | play.B 2H 3H 4H 5H 6H")  # fmt: skip
    piles = (1, "6C", "play.A", MIDDLE), (2, "6H", "play.B", MIDDLE)
    table.look(0, *piles)
    told = table.looks(2_000, 3_000, *piles) + table.looks(3_060, 5_000, piles[1])
    back = (3, "BACK", "B.arr.1", MIDDLE)
    table.still(3, 5_000)
    told += table.looks(5_060, 6_000, piles[1], back) + table.looks(6_060, 12_000, back)
    took = [(one.zone, one.actor.seat) for one in told if isinstance(one, PileTaken)]
    assert took == [("play.A", "B"), ("play.B", "A")]
