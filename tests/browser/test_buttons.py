"""What is declared and ordered in a real browser: phones, keys, number pads, dialogs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import HANG_MS, PHONE, Table, at_a_table
from played import A_SEVEN_ON_A_NINE, in_play
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from referee.play import PLAYERS, legal_match
from referee.screens.desk import Order, Saying
from referee.values import Setting

# Which button each key of the keyboard presses, number pads and presenters left out.
KEYS = """() => Object.fromEntries([...window.page.buttons.keys]
  .filter(([code]) => !code.startsWith("Numpad") && !code.startsWith("Page"))
  .map(([code, button]) => [code, [button.seat ?? "", button.what, ...button.words].join(" ")]))"""


@pytest.fixture
def watched(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    yield from at_a_table(browser, tmp_path)


def keys_of(tab: Tab, board: dict[str, int]) -> dict[str, str]:
    """Return what each key says, once the page shows the buttons of the match."""
    expect(tab.locator("button.say")).to_have_count(board["buttons"])
    found: dict[str, str] = tab.evaluate(KEYS)
    return found


def test_two_phones_declare_for_their_players(watched: Table) -> None:
    watched.show(legal_match("nerds", 2, 1))
    ada, ben = watched.open("/?seat=A", PHONE), watched.open("/?seat=B", PHONE)
    expect(ben.locator("#plates-near")).to_contain_text("Ben")
    expect(ben.locator("#plates-far")).to_contain_text("Ada")
    ada.locator("button[data-what=start]").click()
    first = watched.heard()
    ben.locator("summary", has_text="More").click()
    ben.locator("button[data-what=call]").click()
    second = watched.heard()
    assert isinstance(first, Saying)
    assert isinstance(second, Saying)
    assert [(word.seat, word.what) for word in (first, second)] == [("A", "start"), ("B", "call")]
    assert first.t_ns < second.t_ns
    assert first.device != second.device
    # The phones were asked for their time before: the press is known better than its message.
    assert max(first.u_ns, second.u_ns) < 1_000_000_000
    expect(ben.locator(".toast.good")).to_contain_text("Nerds!")
    assert ada.locator("button[data-seat=B]").count() == 0


def test_a_double_tap_is_one_declaration(watched: Table) -> None:
    watched.show(legal_match("nerds", 2, 1))
    tab = watched.open("/?seat=A", PHONE)
    tab.locator("button[data-what=start]").dblclick()
    assert isinstance(watched.heard(), Saying)
    expect(tab.locator(".toast", has_text="Already said").first).to_be_visible()
    assert list(watched.desk.words()) == []


def test_keys_and_a_number_pad_declare_for_the_players(watched: Table) -> None:
    watched.show(legal_match("spy", 2, 1))
    tab = watched.open("/?role=operator")
    expect(tab.locator("button[data-what=start]")).to_be_visible()
    for key, wanted in (("1", (None, "start")), ("q", ("A", "finished")), ("u", ("B", "finished"))):
        tab.keyboard.press(key)
        word = watched.heard()
        assert isinstance(word, Saying)
        assert ((word.seat, word.what), word.operator) == (wanted, False)
    tab.keyboard.press("Numpad8")
    word = watched.heard()
    assert isinstance(word, Saying)
    assert (word.seat, word.what) == ("B", "blocked")


def test_on_a_players_page_digits_and_a_presenter_press_the_own_buttons(watched: Table) -> None:
    watched.show(legal_match("spy", 2, 1))
    tab = watched.open("/?seat=B", PHONE)
    expect(tab.locator("button[data-what=start]")).to_be_visible()
    pressed = []
    for key in ("PageDown", "PageUp", "Numpad3"):
        tab.keyboard.press(key)
        word = watched.heard()
        assert isinstance(word, Saying)
        pressed.append((word.seat, word.what))
    assert pressed[0] == ("B", "start")
    assert len(set(pressed)) == 3


def test_the_operator_pauses_corrects_and_claims(watched: Table) -> None:
    watched.show(legal_match("xix", 2, 1))
    tab = watched.open("/?role=operator")
    tab.get_by_role("button", name="Pause", exact=True).click()
    pause = watched.heard()
    assert isinstance(pause, Order)
    assert pause.do == "pause"
    tab.get_by_role("button", name="Correct a pile …").click()
    tab.locator("dialog select").select_option("mid")
    tab.get_by_role("button", name="Next").click()
    tab.locator("dialog input[name=height]").fill("4")
    tab.get_by_role("button", name="Set the height").click()
    height = watched.heard()
    assert isinstance(height, Order)
    assert (height.do, height.words) == ("height", ("mid", "4"))
    tab.locator("button[data-what=claim][data-seat=A]").click()
    tab.locator("dialog select").select_option("XIX-TRICK-01")
    tab.get_by_role("button", name="Claim", exact=True).click()
    claim = watched.heard()
    assert isinstance(claim, Saying)
    assert (claim.seat, claim.what, claim.words) == ("A", "claim", ("XIX-TRICK-01",))


@pytest.mark.parametrize(("game", "players"), [(p.game, p.most) for p in PLAYERS])
def test_every_button_has_a_key_of_its_own(watched: Table, game: str, players: int) -> None:
    options = {"nertz": [Setting("jokers", "2")], "spy": [Setting("procedure", "pagat")]}
    match = legal_match(game, players, 1, jokers=game == "nertz")
    shown = watched.show(match, options=tuple(options.get(game, ())))
    buttons = shown.board.state.buttons
    names = sorted(" ".join((b.seat or "", b.what, *b.words)) for b in buttons)
    shared = keys_of(watched.open("/?role=operator"), {"buttons": len(buttons)})
    assert sorted(shared.values()) == names
    last = match.seats[-1]
    own = [name for name in names if name[0] in (" ", last)]
    alone = keys_of(watched.open(f"/?seat={last}", PHONE), {"buttons": len(own)})
    digits = {name for code, name in alone.items() if not code.startswith("Key")}
    assert set(alone.values()) == set(own)
    assert len(digits) == min(10, len(own))


def test_a_players_keys_stay_whatever_is_due(watched: Table) -> None:
    match = legal_match("xix", 2, 1)
    count = {"buttons": len(watched.show(match).board.state.buttons)}
    tab = watched.open("/?role=operator")
    before = keys_of(tab, count)
    watched.play(match)
    expect(tab.locator("#state")).to_have_attribute("data-word", "ended", timeout=HANG_MS)
    assert keys_of(tab, count) == before


def test_enter_says_the_name_and_escape_says_nothing(watched: Table) -> None:
    watched.show(legal_match("nerves", 2, 1))
    tab = watched.open("/?role=operator")
    expect(tab.locator("button[data-what=name]").first).to_be_attached()
    tab.keyboard.press("1")
    tab.locator("dialog input").fill("Oscar the cat")
    tab.keyboard.press("Enter")
    word = watched.heard()
    assert isinstance(word, Saying)
    assert (word.seat, word.what, word.words) == (None, "name", ("Oscar", "the", "cat"))
    tab.keyboard.press("1")
    expect(tab.locator("dialog")).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.locator("dialog")).to_have_count(0)
    assert list(watched.desk.words()) == []


def test_the_space_bar_presses_the_button_it_is_on_and_else_closes_a_ruling(watched: Table) -> None:
    shown = watched.show(A_SEVEN_ON_A_NINE)
    tab = watched.open("/?role=operator")
    claim = tab.locator("button[data-what=claim][data-seat=A]")
    expect(claim).to_be_visible()
    shown.put(*A_SEVEN_ON_A_NINE.events)
    shown.board.update(shown.sitting.state)
    banner = tab.locator(".banner.fault")
    expect(banner).to_be_visible()
    tab.keyboard.press("Tab")
    claim.focus()
    tab.keyboard.press("Space")
    expect(tab.locator("dialog")).to_be_visible()
    expect(banner).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.locator("dialog")).to_have_count(0)
    claim.evaluate("button => button.blur()")
    tab.keyboard.press("Space")
    expect(banner).to_have_count(0)


def test_the_second_joker_and_a_games_points_are_said_on_a_phone(watched: Table) -> None:
    watched.show(legal_match("nertz", 2, 1, jokers=True), options=(Setting("jokers", "2"),))
    tab = watched.open("/?seat=B", PHONE)
    tab.locator("summary", has_text="More").click()
    tab.locator("button.say", has_text="Joker 2").click()
    tab.get_by_role("button", name="7 of hearts").click()
    joker = watched.heard()
    assert isinstance(joker, Saying)
    assert (joker.seat, joker.what, joker.words) == ("B", "joker", ("B:X2", "7H"))
    watched.show(legal_match("spy", 2, 1), options=(Setting("procedure", "pagat"),))
    tab.locator("button.say", has_text="My points").click()
    tab.locator("dialog input").fill("-15")
    tab.keyboard.press("Enter")
    points = watched.heard()
    assert isinstance(points, Saying)
    assert (points.seat, points.what, points.words) == ("B", "score", ("-15",))


def test_a_press_while_the_connection_is_away_is_heard_once_it_is_back(watched: Table) -> None:
    watched.show(legal_match("nerds", 2, 1))
    tab = watched.open("/?seat=A", PHONE)
    expect(tab.locator("button[data-what=start]")).to_be_visible()
    tab.evaluate("window.page.connection.socket.close()")
    expect(tab.locator("#link")).to_be_visible()
    tab.locator("button[data-what=start]").click()
    expect(tab.locator("#link")).to_be_hidden()
    assert isinstance(watched.heard(), Saying)
    expect(tab.locator(".toast.good")).to_contain_text("Start")
    assert list(watched.desk.words()) == []


def test_a_press_is_heard_though_the_board_changes_under_the_finger(watched: Table) -> None:
    watched.show(legal_match("nerds", 2, 1))
    tab = watched.open("/?seat=A", PHONE)
    start = tab.locator("button[data-what=start]")
    start.hover()
    tab.mouse.down()
    watched.show(legal_match("nertz", 2, 1))
    expect(tab.locator("#title")).to_contain_text("Nertz")
    tab.mouse.up()
    assert isinstance(watched.heard(), Saying)
    expect(tab.locator("button.say", has_text="Nertz!")).to_have_count(1)


def test_the_operator_says_what_card_it_is_and_who_was_first(watched: Table) -> None:
    # The middle is hit, and no hand was seen.
    match = in_play("9D", "1.000 PadHit - mid")
    shown = watched.show(match)
    tab = watched.open("/?role=operator")
    tab.locator("#table .pile[data-zone='A.arr.1']").click()
    tab.get_by_role("button", name="Correct the seven of hearts").click()
    tab.get_by_role("button", name="8 of hearts").click()
    card = watched.heard()
    assert isinstance(card, Order)
    assert (card.do, card.words) == ("correct", ("A.arr.1", "0", "8H"))
    shown.put(*match.events)
    shown.sitting.close()
    shown.board.update(shown.sitting.state)
    tab.locator("#rulings li.query button", has_text="Answer").first.click()
    tab.locator("dialog select").select_option("first B")
    tab.get_by_role("button", name="Decide").click()
    answer = watched.heard()
    assert isinstance(answer, Order)
    assert (answer.do, answer.words) == ("first", ("B",))
