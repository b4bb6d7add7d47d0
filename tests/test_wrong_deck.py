"""Cards that are not of the game: people are told once, nobody is accused by it."""

from __future__ import annotations

import pytest

from referee.app.wrong_deck import LATEST, WrongDeck
from referee.games import find_game
from referee.notation import read_matches
from referee.values import Actor, Card, CardPlaced, Match


def match(game: str, *open_cards: str) -> Match:
    zone = {"nerves": "A.arr.1", "nertz": "A.work.1", "xix": "A.open"}[game]
    seat = "A:" if game == "nertz" else ""
    lying = " ".join(f"{seat}{face}" for face in open_cards)
    phase = "TRICK" if game == "xix" else "PLAY"
    text = f"match T cards\n  game {game}\n  phase {phase}\n  state\n    {zone} | {lying}\n"
    return read_matches(text + "  events\n")[0]


def told(game: str, *open_cards: str) -> list[str]:
    lines: list[str] = []
    WrongDeck(find_game(game), match(game, *open_cards), lines.append)
    return lines


def placed(n: int, face: str, source: str = "camera") -> CardPlaced:
    return CardPlaced(
        n=n, t_ns=n, actor=Actor("A", "R"), source=source, conf=0.5,
        card=Card(face), origin="A.arr.1", target="play.A",
    )  # fmt: skip


def test_a_deck_that_is_read_is_not_spoken_of() -> None:
    assert told("nerves", "7H", "8D", "??", "TS", "2C", "??", "KD") == []
    # Three cards that cannot be read say nothing of a deck.
    assert told("nerves", "??", "??", "??") == []


def test_a_table_of_cards_that_cannot_be_read_is_asked_about() -> None:
    (line,) = told("nerves", "??", "??", "7H", "??", "??", "??")
    assert "5 of 6 open cards cannot be read: is this the deck for Nerves?" in line


def test_cards_that_come_unread_are_asked_about_once() -> None:
    lines: list[str] = []
    deck = WrongDeck(find_game("nerves"), match("nerves", "7H"), lines.append)
    for n in range(3 * LATEST):
        deck.on_event(placed(n, "??"))
        deck.on_event(placed(n, "??", source="operator"))
    assert len(lines) == 1


@pytest.mark.parametrize("game", ["nerves", "xix"])
def test_a_joker_is_to_be_taken_out_where_there_is_none_in_the_game(game: str) -> None:
    (line,) = told(game, "X1")
    assert "a joker lies on the table" in line
    lines: list[str] = []
    deck = WrongDeck(find_game(game), match(game, "7H" if game == "nerves" else "7"), lines.append)
    deck.on_event(placed(1, "X1"))
    deck.on_event(placed(2, "X2"))
    assert len(lines) == 1


def test_jokers_may_be_played_in_nertz() -> None:
    assert told("nertz", "X1") == []
