"""A match that is shown: played at its speed, with what people say on the page taken in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from referee.app.setting_up import SettingUp, offered_games, problem_of
from referee.app.showing import MatchClock, Player, Showing
from referee.games import find_game
from referee.play import legal_match
from referee.screens.desk import Chosen, Desk, Order, Saying
from referee.screens.page import Page
from referee.screens.setup import Chair, Setup
from referee.values import Declared, Event, Ruling, Setting

# Faster than any match is long: the clock never keeps an event waiting.
AT_ONCE = 1e9


class Kept:
    """Keeps what a match's listeners are told, and says stop once the match has ended."""

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
    """Go on for so many looks at the desk."""
    left = iter(range(most))
    return lambda: next(left, None) is not None


def test_a_shown_match_gives_the_rulings_of_the_judge(page: Page) -> None:
    match = legal_match("xix", 2, 4, faulty=True)
    kept = Kept()
    Player(Showing(match, find_game("xix"), speed=AT_ONCE), page, Desk(), (kept,)).play(looks(2))
    assert [event.n for event in kept.events] == list(range(1, len(match.events) + 1))
    assert match.expected is not None
    expected = [(line.kind, line.rule) for line in match.expected if line.kind != "INFO"]
    assert [(r.kind, r.rule) for r in kept.rulings if r.kind != "INFO"] == expected


def test_what_is_said_on_the_page_is_judged_with_the_rest(page: Page) -> None:
    match = legal_match("spy", 2, 2)
    desk, kept = Desk(), Kept()
    player = Player(Showing(match, find_game("spy"), speed=AT_ONCE), page, desk, (kept,))
    desk.put(Saying("A", "claim", ("SPY-PLAY-02",), time.monotonic_ns(), 10, "phone"))
    desk.put(Order("note", ("tea",), time.monotonic_ns(), "page"))
    player.play(looks(3))
    claims = [event for event in kept.events if isinstance(event, Declared)][-2:]
    assert [(event.what, event.words) for event in claims] == [
        ("claim", ("SPY-PLAY-02",)),
        ("operator", ("note", "tea")),
    ]
    assert kept.rulings[-2].rule == "SPY-PLAY-02"


def test_a_match_that_is_begun_again_gives_the_same_rulings(page: Page) -> None:
    match = legal_match("spy", 2, 2)
    desk, kept = Desk(), Kept()
    player = Player(Showing(match, find_game("spy"), speed=AT_ONCE), page, desk, (kept,))
    desk.put(Order("restart", (), time.monotonic_ns(), "page"))
    player.play(looks(6))
    restart = next(i for i, e in enumerate(kept.events) if getattr(e, "words", ()) == ("restart",))
    assert len(kept.events) - restart - 1 == len(match.events)


def test_an_order_that_cannot_be_followed_is_shown_and_the_match_goes_on(page: Page) -> None:
    match = legal_match("spy", 2, 2)
    desk = Desk()
    player = Player(Showing(match, find_game("spy"), speed=AT_ONCE), page, desk)
    desk.put(Order("correct", ("nowhere", "0", "7H"), time.monotonic_ns(), "page"))
    player.play(looks(3))
    assert player.board.state.marks[0].startswith("not done:")


def test_the_matchs_clock_runs_at_its_rate_and_can_stand() -> None:
    clock = MatchClock(2.0)
    now_ns = time.monotonic_ns()
    assert clock.match_ns(now_ns + 5_000_000_000) - clock.match_ns(now_ns) == 10_000_000_000
    assert clock.match_ns(now_ns - 10**12) == 0
    clock.stand(True)
    stood_ns = clock.match_ns(time.monotonic_ns())
    assert clock.match_ns(time.monotonic_ns() + 10**9) == stood_ns


def chosen(game: str, seats: str, **options: str) -> Setup:
    chairs = tuple(Chair(seat, "") for seat in seats)
    return Setup(game, chairs, tuple(Setting(name, value) for name, value in options.items()))


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
    setting = SettingUp(page, desk, on_order=orders.append)
    camera = Order("camera", ("camera:1",), 0, "page")
    good = chosen("nertz", "ABC", target="100")
    for word in (camera, Chosen(chosen("xix", "ABC"), 0, "page"), Chosen(good, 0, "page")):
        desk.put(word)
    assert setting.wait() == good
    assert orders == [camera]
    assert setting.offer.problem == "XIX is for 2 players, not 3"


def test_the_set_up_ends_when_nobody_chooses(page: Page) -> None:
    assert SettingUp(page, Desk()).wait(looks(1)) is None
