"""Places and cards in the words of players."""

from __future__ import annotations

import pytest

from referee.notation.spoken import card_sign, in_words, zone_words
from referee.play import PLAYERS, legal_match
from referee.table.layout import plan

NAMES = {"A": "Ada", "B": "Ben"}


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("A.arr.3", "Ada's column 3"),
        ("play.B", "Ben's playing pile"),
        ("B.rest", "Ben's rest pile"),
        ("F.3", "ace pile 3"),
        ("mid", "the middle"),
        ("deck", "the deck"),
        ("A.deck", "Ada's deck"),
        ("talon.2", "talon card 2"),
        ("cut.1", "the half laid beside"),
        ("somewhere.else", "somewhere.else"),
    ],
)
def test_a_zone_is_named_as_players_name_it(zone: str, words: str) -> None:
    assert zone_words(zone, NAMES) == words


@pytest.mark.parametrize("game", [span.game for span in PLAYERS])
def test_every_zone_of_every_table_has_words_of_its_own(game: str) -> None:
    seats = legal_match(game, 2, 1).seats
    names = {seat: f"player {seat}" for seat in seats}
    zones = [zone.name for zone in plan(game, seats).zones]
    words = [zone_words(zone, names) for zone in zones if ".side." not in zone]
    assert all("." not in word for word in words)
    assert len(set(words)) == len(words)


def test_a_pile_of_a_player_f_is_no_ace_pile() -> None:
    assert zone_words("F.work.1", {"F": "Finn"}) == "Finn's work pile 1"
    assert zone_words("F.12", {"F": "Finn"}) == "ace pile 12"


@pytest.mark.parametrize(
    ("text", "sign"),
    [("A:TH", "10♥"), ("7S", "7♠"), ("12", "12"), ("A:X1", "a joker"), ("??", "a card")],
)
def test_a_card_is_written_as_people_write_it(text: str, sign: str) -> None:
    assert card_sign(text) == sign


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("7H on 9C differs by 2", "7♥ on 9♣ differs by 2"),
        (
            "B first on play.A; A takes back A:AS",
            "Ben first on Ada's playing pile; Ada takes back A♠",
        ),
        ("the layout of A is not B's", "the layout of Ada is not Ben's"),
        ("A declares hand L or hand R", "Ada declares hand L or hand R"),
        ("A:TH goes onto play.B", "10♥ goes onto Ben's playing pile"),
        (
            "the top card of A.nerts lies face down",
            "the top card of Ada's pile of thirteen lies face down",
        ),
        ("A chose cut.1", "Ada chose the half laid beside"),
        ("A gets 3 (1 strike)", "Ada gets 3 (1 strike)"),
        ("withdrawn: the card was read again", "withdrawn: the card was read again"),
        ("e.g. AS. And v1.2 too", "e.g. A♠. And v1.2 too"),
    ],
)
def test_a_rulings_text_is_told_in_the_words_of_players(text: str, words: str) -> None:
    assert in_words(text, NAMES) == words
