"""What is said on the page while a match is in play, and how a match is set up there."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from played import A_SEVEN_ON_A_NINE, AT_ONCE, Played

from referee.app.hearing import ENDING
from referee.app.setting_up import SettingUp, offered_games, problem_of
from referee.play import PLAYERS, Players, legal_match
from referee.record import Folder, read_log
from referee.record.disputes import disputes_of
from referee.record.reading import reviews_of
from referee.screens.board import RulingShown
from referee.screens.desk import Chosen, Desk, Order, Saying, Word
from referee.screens.messages import ORDERS, SAYINGS
from referee.screens.page import Page
from referee.screens.setup import Chair, Setup
from referee.values import Declared, Event, Ruling, Setting

# Words of declarations and orders, right ones and wrong ones.
LOOSE_WORDS = (
    *("7H", "A:7H", "B:X1", "12", "??", "[??]", "0", "3", "99", "-5", "tie", "L", "deck", "cut.1"),
    *("card:7H", "player:B", "winner:A", "nothing", "ö", "*", "C:TD", "XIX-TRICK-01"),
)


class Kept:
    """Keeps what a match's listeners are told."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.rulings: list[Ruling] = []

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        self.rulings += rulings


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with Page(Desk(), port=0) as served:
        yield served


def looks(most: int) -> Callable[[], bool]:
    """Go on for so many looks."""
    left = iter(range(most))
    return lambda: next(left, None) is not None


def order(do: str, *words: str) -> Order:
    return Order(do, words, time.monotonic_ns(), "page")


def saying(what: str, *words: str, seat: str | None = "B") -> Saying:
    return Saying(seat, what, words, time.monotonic_ns(), 10, "phone")


def recorded(page: Page, folder: Path) -> tuple[Played, Desk, Kept]:
    """Return the seven on the nine, played and ruled a fault, with its record open."""
    desk, kept = Desk(), Kept()
    match = Played(
        A_SEVEN_ON_A_NINE, page, desk, speed=AT_ONCE, folder=Folder(folder), listeners=(kept,)
    )
    match.put(*A_SEVEN_ON_A_NINE.events)
    return match, desk, kept


def fault_of(match: Played) -> RulingShown:
    return next(one for one in match.board.state.rulings if one.rule == "NERVES-PLAY-03")


def test_what_is_said_on_the_page_is_judged_with_the_rest(page: Page) -> None:
    match = legal_match("spy", 2, 2)
    desk, kept = Desk(), Kept()
    desk.put(saying("claim", "SPY-PLAY-02", seat="A"))
    desk.put(order("note", "tea"))
    played = Played(match, page, desk, speed=AT_ONCE, listeners=(kept,))
    played.play(looks(len(match.events) + 4))
    claims = [event for event in kept.events if isinstance(event, Declared)][-2:]
    assert [(event.what, event.words) for event in claims] == [
        ("claim", ("SPY-PLAY-02",)),
        ("operator", ("note", "tea")),
    ]
    assert any(ruling.rule == "SPY-PLAY-02" for ruling in kept.rulings)


@pytest.mark.parametrize("do", ["end", "restart", "setup"])
def test_an_order_ends_the_match_and_says_what_comes_next(page: Page, do: str) -> None:
    desk, kept = Desk(), Kept()
    played = Played(legal_match("spy", 2, 2), page, desk, listeners=(kept,))
    desk.put(order(do))
    assert played.play() == do
    assert played.board.state.status.word == "ended"
    assert not played.board.state.clock.running
    assert len(kept.events) <= 1


def test_an_order_that_cannot_be_followed_is_shown_and_the_match_goes_on(page: Page) -> None:
    match = legal_match("spy", 2, 2)
    desk, kept = Desk(), Kept()
    played = Played(match, page, desk, speed=AT_ONCE, listeners=(kept,))
    desk.put(order("correct", "nowhere", "0", "7H"))
    desk.put(saying("dispute", "3"))
    played.hear()
    assert played.board.state.marks[0].startswith("not done: no record is kept")
    played.play(looks(len(match.events) + 4))
    assert len(kept.events) == len(match.events)


def test_a_player_disputes_a_ruling_and_the_record_says_so(page: Page, tmp_path: Path) -> None:
    match, desk, _ = recorded(page, tmp_path)
    desk.put(saying("dispute", "1:NERVES-PLAY-03", "it", "was", "an", "eight", seat="A"))
    match.hear()
    assert (fault_of(match).state, fault_of(match).disputed_by) == ("open", "A")
    assert match.recorder is not None
    (dispute,) = disputes_of(read_log(match.recorder.path))
    assert (dispute.state, dispute.opened[0].reason) == ("open", "it was an eight")


def test_the_operator_withdraws_a_ruling_and_the_card_is_played(page: Page, tmp_path: Path) -> None:
    match, desk, _ = recorded(page, tmp_path)
    assert match.sitting.state.debts
    desk.put(order("withdraw", "1:NERVES-PLAY-03", "we", "agreed"))
    match.hear()
    assert fault_of(match).state == "withdrawn"
    assert not match.sitting.state.debts
    assert match.board.state.status.word == "live"
    assert match.board.state.marks == ()


def test_a_card_that_was_another_one_changes_the_ruling(page: Page, tmp_path: Path) -> None:
    match, desk, kept = recorded(page, tmp_path)
    desk.put(order("change", "1:NERVES-PLAY-03", "card:8H", "see", "the", "frames"))
    match.hear()
    assert fault_of(match).state == "withdrawn"
    assert not match.sitting.state.debts
    assert match.recorder is not None
    ((_, review),) = reviews_of(read_log(match.recorder.path))
    assert (review.verdict, review.reason) == ("change", "see the frames")
    assert len(review.withdrawn) == 1
    assert [ruling for ruling in kept.rulings if ruling.kind == "VIOLATION"] == [*review.withdrawn]


def test_what_follows_from_a_review_is_announced_once(page: Page, tmp_path: Path) -> None:
    match, desk, kept = recorded(page, tmp_path)
    desk.put(order("change", "1:NERVES-PLAY-03", "card:QH", "it", "was", "a", "queen"))
    match.hear()
    told = [ruling for ruling in kept.rulings if ruling.kind == "VIOLATION"]
    assert len(told) == 2
    shown = match.board.state.rulings
    assert sum(one.rule == "NERVES-PLAY-03" for one in shown) == 2
    match.hear()
    assert match.board.state.rulings == shown


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("confirm", "1:NERVES-PLAY-03"), "reason"),
        (("confirm", "7", "it", "stands"), "no dispute over event 7"),
        (("change", "1", "colour:red", "because"), "a change says what it changes"),
        (("change", "1", "player:Z", "because"), "the seats are A, B"),
    ],
)
def test_a_review_that_cannot_be_made_is_told_in_one_line(
    page: Page, tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    match, desk, _ = recorded(page, tmp_path)
    desk.put(order(*words))
    match.hear()
    (mark,) = match.board.state.marks
    assert why in mark
    assert "\n" not in mark
    assert fault_of(match).state == ""


def chosen(game: str, seats: str, **options: str) -> Setup:
    chairs = tuple(Chair(seat, "") for seat in seats)
    return Setup(game, chairs, tuple(Setting(name, value) for name, value in options.items()))


def anything(chance: random.Random, match: Played, t_ns: int) -> Word:
    """Return something that a page may say or order, with words that it may use."""
    state = match.board.state
    known = [f"{one.n}:{one.rule}" for one in state.rulings] or ["1"]
    places = list(state.plan.zones) if state.plan else []
    pool = [*places, *match.sitting.match.seats, *known, *LOOSE_WORDS]
    words = tuple(chance.choice(pool) for _ in range(chance.randint(0, 4)))
    if chance.random() < 0.3:
        words = (chance.choice(known), *words)
    at_ns = match.from_ns + t_ns + chance.randint(-(10**9), 10**9)
    if chance.random() < 0.5:
        seat = chance.choice([None, "L", *match.sitting.match.seats])
        what = chance.choice(SAYINGS)
        return Saying(seat, what, words, at_ns, 10**7, "phone", operator=chance.random() < 0.3)
    return Order(chance.choice([do for do in ORDERS if do not in ENDING]), words, at_ns, "page")


@pytest.mark.parametrize("players", PLAYERS, ids=lambda players: players.game)
def test_whatever_a_page_says_breaks_no_match(page: Page, tmp_path: Path, players: Players) -> None:
    chance, desk, kept = random.Random(11), Desk(), Kept()
    match = legal_match(players.game, 2, 5, faulty=True)
    played = Played(match, page, desk, folder=Folder(tmp_path), listeners=(kept,))
    for event in match.events[:60]:
        played.put(event)
        for _ in range(chance.choice([0, 1, 3])):
            desk.put(anything(chance, played, event.t_ns))
        played.hear()
    played.sitting.close()
    assert len(kept.events) > len(match.events[:60])
    assert played.recorder is not None
    played.recorder.close()
    assert [event.n for event in kept.events] == sorted({event.n for event in kept.events})


def test_every_game_is_offered_with_its_options_explained() -> None:
    games = offered_games()
    assert [game.name for game in games] == ["nerds", "nertz", "nerves", "spy", "xix"]
    assert all(game.line.endswith(".") for game in games)
    assert all(option.meaning for game in games for option in game.options)


@pytest.mark.parametrize(
    ("setup", "problem"),
    [
        (chosen("xix", "ABC"), "XIX is for 2 players, not 3"),
        (chosen("chess", "AB"), "there is no game 'chess'"),
        (chosen("nertz", "AB", target="many"), "target"),
        (chosen("nertz", "AB", speed="fast"), "no option 'speed'"),
    ],
)
def test_a_choice_that_does_not_hold_is_told_in_one_line(setup: Setup, problem: str) -> None:
    found = problem_of(setup)
    assert found is not None
    assert problem in found
    assert "\n" not in found


def test_the_set_up_waits_for_a_choice_that_holds(page: Page) -> None:
    desk, orders = Desk(), []
    setting = SettingUp(page, desk)
    camera = Order("camera", ("camera:1",), 0, "page")
    good = chosen("nertz", "ABC", target="100")
    for word in (camera, Chosen(chosen("xix", "ABC"), 0, "page"), Chosen(good, 0, "page")):
        desk.put(word)
    assert setting.wait(on_order=orders.append) == good
    assert orders == [camera]
    assert setting.offer.problem == "XIX is for 2 players, not 3"


def test_the_set_up_ends_when_nobody_chooses(page: Page) -> None:
    assert SettingUp(page, Desk()).wait(looks(1)) is None
