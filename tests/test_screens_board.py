"""The board: what the judge knows of a match is what the page shows, no more and no less."""

from __future__ import annotations

from typing import Any

import jsonschema
import numpy as np
import pytest
from owing import owing_match
from played import in_play

from referee.app.board import Audience, Board, waiting_board
from referee.app.orders import OrderError, ordered, said
from referee.app.sitting import Sitting
from referee.games import find_game
from referee.match import open_match, step
from referee.play import PLAYERS, legal_match
from referee.screens.board import WORDS, BoardState, changed_sections, plain
from referee.screens.desk import Order, Saying
from referee.screens.schema import full_schema
from referee.table.view import Lens, TableView
from referee.values import (
    Actor,
    CardRead,
    Declared,
    Event,
    HandSeen,
    Match,
    Reread,
    ViewBack,
    ViewLost,
)

SCHEMA = full_schema()
BOARD = jsonschema.Draft202012Validator({"$ref": "#/$defs/BoardState", "$defs": SCHEMA["$defs"]})
GAMES = [(span.game, max(2, span.fewest)) for span in PLAYERS]
MS = 1_000_000

TAKE_BACK = in_play(
    "KD",
    "1.000 CardPlaced A.R 7H A.arr.1>play.A up",
    "2.000 CardPlaced A.R 7H play.A>A.arr.1 up",
)


class Shown:
    """A match that is played with everything it shows kept."""

    def __init__(self, match: Match, names: dict[str, str] | None = None) -> None:
        self.boards: list[BoardState] = []
        self.lines: list[dict[str, Any]] = []
        self.match, self.game = match, find_game(match.game)
        audience = Audience(self.boards.append, self.lines.append)
        self.board = Board(match, self.game, audience, names)
        self.sitting = Sitting(match, self.game, listeners=(self.board,))
        self.board.update(self.sitting.state)

    def feed(self, *events: Event) -> BoardState:
        for event in events:
            self.sitting.feed(event)
            self.board.update(self.sitting.state)
        return self.boards[-1]

    def play(self) -> BoardState:
        self.feed(*self.match.events)
        self.sitting.close()
        self.board.update(self.sitting.state)
        return self.boards[-1]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_board_of_a_match_is_of_the_published_schema(game: str, players: int) -> None:
    shown = Shown(legal_match(game, players, 3, faulty=True))
    shown.play()
    for board in shown.boards[:: max(1, len(shown.boards) // 12)]:
        BOARD.validate(plain(board))


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_match_is_shown_from_the_deal_to_its_end(game: str, players: int) -> None:
    shown = Shown(owing_match(game, players))
    last = shown.play()
    words = [board.status.word for board in shown.boards]
    assert words[0] == "waiting"
    assert {"live", "take back"} <= set(words) <= set(WORDS)
    assert all(board.status.prompt for board in shown.boards)
    assert all("@" not in board.status.prompt for board in shown.boards)
    assert last.plan is not None
    on_table = {zone for board in shown.boards for zone in board.cards or ()}
    off_table = {zone for zone in on_table if zone.endswith((".held", ".closed"))}
    assert on_table - off_table <= set(last.plan.zones)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_the_face_of_a_card_that_lies_face_down_is_never_shown(game: str, players: int) -> None:
    shown = Shown(legal_match(game, players, 2))
    shown.play()
    words = {w for b in shown.boards for pile in (b.cards or {}).values() for w in pile}
    backs = {word for word in words if word.startswith("[")}
    assert backs
    assert all(word.endswith("??]") for word in backs)


def test_each_ruling_is_shown_once_under_an_id_of_its_own() -> None:
    shown = Shown(legal_match("nerves", 2, 1, faulty=True))
    last = shown.play()
    ids = [ruling.id for ruling in last.rulings]
    assert ids == sorted(set(ids))
    told = [line for line in shown.lines if line["type"] == "ruling"]
    assert len(told) == max(ids)
    assert len([line for line in shown.lines if line["type"] == "event"]) == len(shown.match.events)


def test_an_owed_card_is_marked_until_it_is_back() -> None:
    shown = Shown(TAKE_BACK, {"A": "Ada"})
    first, second = shown.match.events
    board = shown.feed(first)
    assert board.status.word == "take back"
    assert board.status.seats == ("A",)
    assert "Ada" in board.status.prompt
    (owed,) = board.owed
    assert (owed.seat, owed.cards, owed.at, owed.places) == ("A", ("7H",), "play.A", (1,))
    assert owed.back_to == "A.arr.1"
    ruling = board.rulings[-1]
    assert (ruling.tone, ruling.loud, ruling.head) == ("fault", True, "Fault: Ada")
    assert ruling.rule_text.endswith(".")
    board = shown.feed(second)
    assert board.status.word == "live"
    assert board.owed == ()
    assert (board.rulings[-1].tone, board.rulings[-1].loud) == ("cured", False)


def test_only_what_changed_is_sent() -> None:
    shown = Shown(TAKE_BACK)
    before = shown.boards[-1]
    after = shown.feed(shown.match.events[0])
    sections = changed_sections(before, after)
    assert {"cards", "owed", "status", "rulings"} <= sections.keys()
    assert not {"plan", "rules", "head"} & sections.keys()


def test_what_the_camera_does_not_see_is_shown_blind() -> None:
    shown = Shown(TAKE_BACK)
    board = shown.feed(ViewLost(n=0, t_ns=MS, zones=("play.A",)))
    assert (board.status.word, board.blind) == ("blind", ("play.A",))
    board = shown.feed(ViewBack(n=0, t_ns=2 * MS, zones=("play.A",)))
    assert (board.status.word, board.blind) == ("live", ())


def test_a_hand_is_shown_with_whose_it_is() -> None:
    shown = Shown(TAKE_BACK)
    box_mm = (0.0, 0.0, 90.0, 90.0)
    hand = HandSeen(1, 0, 0, (300.0, 200.0), (300.0, 0.0), box_mm, 0.0, "A", "R", 0.9)
    shown.board.see((hand,))
    (seen,) = shown.boards[-1].seen.hands
    assert (seen.seat, seen.hand, seen.x_mm, seen.root_y_mm) == ("A", "R", 300.0, 0.0)
    BOARD.validate(plain(shown.boards[-1]))


def order(do: str, *words: str) -> Order:
    return Order(do, words, 0, "page")


def test_the_operator_pauses_and_nothing_is_judged_meanwhile() -> None:
    shown = Shown(TAKE_BACK)
    state = shown.sitting.state
    told, lost = ordered(order("pause"), state, MS)
    assert isinstance(told, Declared)
    assert told.words == ("pause",)
    assert isinstance(lost, ViewLost)
    assert shown.feed(told, lost).status.word == "paused"
    faulty = shown.match.events[0]
    shown.feed(faulty)
    assert [r.tone for r in shown.boards[-1].rulings if r.tone == "fault"] == []
    assert (
        shown.feed(*ordered(order("continue"), shown.sitting.state, 3 * MS)).status.word != "paused"
    )


def test_the_operator_corrects_a_card_and_the_fault_is_withdrawn() -> None:
    shown = Shown(TAKE_BACK)
    shown.feed(shown.match.events[0])
    (event,) = ordered(order("correct", "play.A", "0", "8H"), shown.sitting.state, 1500 * MS)
    assert isinstance(event, Reread)
    assert (str(event.old), str(event.new), event.source) == ("7H", "8H", "operator")
    board = shown.feed(event)
    assert board.cards is not None
    assert board.cards["play.A"] == ("9C", "8H")
    assert board.owed == ()
    assert board.rulings[-1].tone == "withdrawn"


def test_the_operator_sets_a_height_and_the_top_cards_stay() -> None:
    shown = Shown(TAKE_BACK)
    board = shown.feed(*ordered(order("height", "A.arr.1", "4"), shown.sitting.state, MS))
    assert board.cards is not None
    assert board.cards["A.arr.1"] == ("[??]", "[??]", "5C", "7H")
    board = shown.feed(*ordered(order("height", "A.arr.1", "1"), shown.sitting.state, MS))
    assert board.cards is not None
    assert board.cards["A.arr.1"] == ("7H",)


def test_the_operator_sets_a_pile_and_lets_a_player_off() -> None:
    shown = Shown(TAKE_BACK)
    shown.feed(shown.match.events[0])
    board = shown.feed(*ordered(order("forgive", "A"), shown.sitting.state, MS))
    assert board.owed == ()
    board = shown.feed(*ordered(order("pile", "mid", "[3C]", "4D"), shown.sitting.state, MS))
    assert board.cards is not None
    assert board.cards["mid"] == ("[??]", "4D")


@pytest.mark.parametrize(
    "wrong",
    [
        order("correct", "play.A", "0", "8Z"),
        order("correct", "play.A", "9", "8H"),
        order("correct", "play.A", "-1", "8H"),
        order("height", "play.A", "many"),
        order("height", "play.A", "121"),
        order("pile", "play.A", "7H", "nonsense"),
    ],
)
def test_an_order_that_cannot_be_followed_says_why(wrong: Order) -> None:
    with pytest.raises(OrderError) as refused:
        ordered(wrong, Shown(TAKE_BACK).sitting.state, 0)
    assert "\n" not in str(refused.value)


def test_set_up_orders_are_no_events() -> None:
    state = Shown(TAKE_BACK).sitting.state
    assert ordered(order("camera", "camera:0"), state, 0) == ()


def test_a_players_button_has_the_devices_time_and_the_operators_his_own() -> None:
    state = Shown(TAKE_BACK).sitting.state
    own = said(Saying("A", "resume", (), 5, 12 * MS, "phone"), state, 77)
    assert isinstance(own, Declared)
    assert (own.actor, own.t_ns, own.u_ns, own.source) == (Actor("A"), 77, 12 * MS, "decl")
    other = said(Saying("A", "resume", (), 5, 12 * MS, "page", operator=True), state, 77)
    assert (other.u_ns, other.source) == (412 * MS, "operator")


def test_the_buttons_show_what_the_game_waits_for() -> None:
    match = legal_match("xix", 2, 1)
    shown = Shown(match)
    first = shown.boards[0].buttons
    leads = [button for button in first if button.what == "leader"]
    assert [(button.words, button.due) for button in leads] == [(("A",), True), (("B",), True)]
    assert not any(button.open for button in first if button.what == "raise")
    due: set[tuple[str | None, str]] = set()
    for event in match.events:
        board = shown.feed(event)
        due |= {(button.seat, button.what) for button in board.buttons if button.due}
    assert {what for _, what in due} == {"leader", "raise", "abandon"}


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_game_has_its_buttons_and_every_player_a_claim(game: str, players: int) -> None:
    shown = Shown(legal_match(game, players, 1))
    claims = [button.seat for button in shown.boards[0].buttons if button.what == "claim"]
    assert claims == list(shown.match.seats)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_when_a_match_is_over_nothing_but_a_claim_can_be_said(game: str, players: int) -> None:
    match = next(
        match
        for match in (legal_match(game, players, seed, hands=15) for seed in range(1, 20))
        if match.expected and any(line.kind == "END" for line in match.expected[-1:])
    )
    last = Shown(match).play()
    assert last.status.word == "ended"
    assert {button.what for button in last.buttons if button.open} == {"claim"}


def seen_from_above() -> TableView:
    """A table in a slightly tilted picture of 1280 x 720, by a lens with a barrel."""
    lens = Lens(1000.0, (640.0, 360.0), (-0.05, 0.0, 0.0, 0.0, 0.0))
    return TableView((1280, 720), lens, (0.9, 0.02, 280.0, 0.01, -0.9, 630.0, 0.0, 2e-5, 1.0))


def test_the_table_lies_in_the_cameras_picture_where_the_page_draws_it() -> None:
    shown = Shown(TAKE_BACK)
    view = seen_from_above()
    shown.board.see((), (), view)
    board = shown.boards[-1]
    assert board.camera is not None
    assert board.plan is not None
    matrix = np.array(board.camera.to_picture).reshape(3, 3)
    for zone in board.plan.zones.values():
        x, y, w = matrix @ (zone.x_mm, zone.y_mm, 1.0)
        wanted = view.to_px(np.array([(zone.x_mm, zone.y_mm)]))[0] / (1280, 720)
        assert (x / w, y / w) == pytest.approx(tuple(wanted), abs=0.004)
    BOARD.validate(plain(board))


def test_hands_move_on_between_pictures_and_reads_stay() -> None:
    shown = Shown(TAKE_BACK)
    read = CardRead("7H", 0.9, (100.0, 50.0), None, 0.0)
    shown.board.see((), (read,), seen_from_above())
    shown.board.see((HandSeen(1, 0, 0, (1.0, 2.0), (0.0, 0.0), (0, 0, 9, 9), 0.0, "A", "R", 0.9),))
    seen = shown.boards[-1].seen
    assert (seen.picture_n, len(seen.hands), len(seen.reads)) == (1, 1, 1)


def test_a_match_that_is_ended_without_a_winner_shows_it() -> None:
    shown = Shown(TAKE_BACK)
    shown.board.finish(shown.sitting.state)
    board = shown.boards[-1]
    assert (board.status.word, board.clock.running) == ("ended", False)


def test_a_match_that_goes_on_lists_its_rulings_without_telling_them_again() -> None:
    first = Shown(TAKE_BACK)
    first.feed(*first.match.events)
    again = Shown(TAKE_BACK)
    rulings = [line for line in first.lines if line["type"] == "ruling"]
    state, given = open_match(again.match, again.game), []
    for event in first.match.events:
        state, more = step(again.game, state, event)
        given += more
    again.board.recall(given)
    assert len(given) == len(rulings)
    listed = again.board.state.rulings
    assert [one.id for one in listed] == [one.id for one in first.boards[-1].rulings]
    assert [line for line in again.lines if line["type"] == "ruling"] == []


def test_a_chosen_match_is_shown_before_its_table_is_seen() -> None:
    board = waiting_board("M", find_game("xix"), ("A", "B"), {"A": "Ada"}, "looks for the table")
    BOARD.validate(plain(board))
    assert [player.name for player in board.players] == ["Ada", "Player B"]
