"""The pages in a real browser: what players, the operator and the audience see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from browsing import HANG_MS, PHONE, SCREEN, Table, at_a_table, faults
from owing import owing_match
from played import A_SEVEN_ON_A_NINE
from playwright.sync_api import Browser, expect

from referee.app.setting_up import SettingUp
from referee.games import find_game
from referee.play import PLAYERS, legal_match
from referee.record import Folder, read_log
from referee.record.disputes import disputes_of
from referee.screens.desk import Chosen, Desk, Order, Saying
from referee.screens.page import Page
from referee.screens.setup import MatSeen, Outline, PadShown, Setup, SourceOffered, Step
from referee.values import Match


@pytest.fixture
def watched(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    yield from at_a_table(browser, tmp_path)


def final_line(match: Match) -> str:
    """Return the rule of a match's last word that a banner shows."""
    assert match.expected is not None
    return next(
        line.rule for line in reversed(match.expected) if line.kind in ("SCORE", "END", "RACE")
    )


@pytest.mark.parametrize(("game", "players"), [(p.game, max(2, p.fewest)) for p in PLAYERS])
def test_a_first_visit_leads_through_the_set_up_to_the_final_score(
    watched: Table, game: str, players: int
) -> None:
    match = owing_match(game, players)
    watched.evening(lambda setup: match if setup.game == game else legal_match("xix", 2, 1))
    tab = watched.open("/")
    tab.wait_for_url("**/setup", wait_until="commit")
    expect(tab.locator("#welcome")).to_be_visible()
    tab.locator("label.game", has_text=find_game(game).title).click()
    tab.get_by_role("button", name="Begin the match").click()
    expect(tab.locator("#title")).to_have_text(find_game(game).title)
    expect(tab.locator("#state")).to_have_attribute("data-word", "ended", timeout=HANG_MS)
    final = tab.locator(f"#rulings .ruling:has-text('{final_line(match)}')").first
    expect(final).to_be_visible()
    assert tab.locator("#table .card").count() > 0
    assert tab.locator("#rulings .ruling.fault").count() >= 1
    ids = tab.locator("#rulings .ruling").evaluate_all("all => all.map(x => Number(x.dataset.id))")
    assert ids == sorted(set(ids), reverse=True)
    played = tab.evaluate("window.page.sound.played")
    assert len(played) == len(set(played))
    # What was put back is told in the list, but never called out.
    cured = tab.locator("#rulings .ruling.cured").evaluate_all("all => all.map(x => x.dataset.id)")
    assert set(map(int, cured)).isdisjoint(played)


def test_a_fault_cannot_be_missed_and_is_told_once(watched: Table) -> None:
    match = legal_match("spy", 2, 1, faulty=True)
    watched.show(match)
    tab = watched.open("/?role=audience")
    expect(tab.locator("#word")).to_have_text("Waiting")
    watched.play(match, 20.0, recorded=True)
    banner = tab.locator(".banner.fault")
    expect(banner).to_be_visible(timeout=HANG_MS)
    expect(banner.locator("q")).to_contain_text(".")
    told = tab.evaluate("window.page.sound.played")
    tab.reload()
    expect(tab.locator("#rulings .ruling.fault")).to_be_visible()
    expect(tab.locator("#state")).to_have_attribute("data-word", "ended", timeout=HANG_MS)
    again = tab.evaluate("window.page.sound.played")
    assert set(told).isdisjoint(again)
    link = tab.locator("#rulings .ruling.fault a").first
    with tab.context.expect_page() as opened:
        link.click()
    expect(opened.value.locator("h1").first).to_be_visible()
    assert faults(opened.value) == []


def test_a_page_comes_back_when_the_referee_was_away(browser: Browser) -> None:
    match = legal_match("xix", 2, 1)
    desk = Desk()
    with Page(desk, port=0) as first:
        port = urlsplit(first.links.here).port
        watched = Table(first, desk, browser, Folder(Path("nowhere")))
        watched.show(match)
        tab = watched.open("/?seat=A", PHONE)
        expect(tab.locator("#word")).to_have_text("Waiting")
    expect(tab.locator("#link")).to_be_visible()
    with Page(desk, port=port) as second:
        watched.page = second
        watched.show(match)
        expect(tab.locator("#link")).to_be_hidden(timeout=HANG_MS)
        tab.locator("button[data-what=leader]").first.click()
        assert isinstance(watched.heard(), Saying)
        watched.close()


def test_a_match_is_set_up_in_the_page(watched: Table) -> None:
    setting = SettingUp(watched.page, watched.desk)
    setting.show(
        sources=(SourceOffered("camera:0", "Camera 0"),),
        steps=(Step("light", "Light", "wrong", "too dark"), Step("test", "Live test", "open")),
        pads=(PadShown("mid", "ready", "answers"),),
        mat=MatSeen("spy", 3),
    )
    tab = watched.open("/")
    tab.wait_for_url("**/setup", wait_until="commit")
    # The mat under the camera has chosen already; what people choose holds.
    expect(tab.locator("label.game", has_text="Spy vs. Spy").locator("input")).to_be_checked()
    expect(tab.locator(".chair")).to_have_count(3)
    assert faults(tab) == []
    tab.get_by_role("button", name="− One player less").click()
    tab.locator("label.game", has_text="Nertz").click()
    tab.get_by_role("button", name="+ Add a player").click()
    tab.get_by_label("Name of player C").fill("Cleo")
    tab.locator("#options-fold summary").first.click()
    tab.locator("#option-target").fill("100")
    tab.locator("#option-fill").select_option("search")
    tab.get_by_role("button", name="Again").click()
    # Each choice is told, for markers that serve every game; then what was pressed.
    told = orders_until(watched, "calibrate")
    assert told[-2:] == [("table", ("nertz", "3")), ("calibrate", ("light",))]
    tab.get_by_role("button", name="Begin the match").click()
    chosen = watched.heard()
    assert isinstance(chosen, Chosen)
    setup: Setup = chosen.setup
    assert (setup.game, setup.seats, setup.source) == ("nertz", ("A", "B", "C"), "camera:0")
    assert setup.chairs[2].name == "Cleo"
    assert [(option.name, option.value) for option in setup.options] == [
        ("fill", "search"),
        ("target", "100"),
    ]
    watched.show(legal_match("nertz", 3, 1))
    tab.wait_for_url(watched.page.links.here, wait_until="commit")


def orders_until(watched: Table, last: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return what the operator ordered, up to an order of that kind."""
    told: list[tuple[str, tuple[str, ...]]] = []
    while not told or told[-1][0] != last:
        order = watched.heard()
        assert isinstance(order, Order)
        told.append((order.do, order.words))
    return told


def test_a_table_without_a_mat_is_tapped_in_the_picture(watched: Table) -> None:
    setting = SettingUp(watched.page, watched.desk)
    picture = np.full((180, 320, 3), 90, np.uint8)
    watched.page.show_picture(cv2.imencode(".jpg", picture)[1].tobytes())
    steps = (Step("table", "Table", "wrong", "no markers in sight"),)
    sources = (SourceOffered("camera:0", "Camera 0"),)
    setting.show(sources=sources, steps=steps, picture=True)
    tab = watched.open("/setup")
    tab.get_by_role("button", name="Tap the 4 corners").click()
    expect(tab.locator(".asked")).to_contain_text("player A's left hand")
    box = tab.locator("#view img").bounding_box()
    assert box is not None
    shares = ((0.1, 0.8), (0.1, 0.2), (0.9, 0.2), (0.9, 0.8))
    for x, y in shares:
        tab.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    expect(tab.locator(".asked")).to_be_hidden()
    while len(words := orders_until(watched, "table")[-1][1]) == 2:
        pass
    tapped = [tuple(map(float, word.split(","))) for word in words[3:]]
    assert (words[:2], len(tapped)) == (("nerves", "2"), 4)
    assert int(words[2]) > 1000  # the picture fills the screen meanwhile
    assert np.allclose(tapped, shares, atol=0.01)
    # Where the referee says that the spots lie, they are drawn.
    spot = Outline("deck", ((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)))
    setting.show(steps=(Step("table", "Table", "done", "from four corners"),), spots=(spot,))
    expect(tab.locator("#view polygon")).to_have_count(1)
    expect(tab.get_by_role("button", name="Tap the corners anew")).to_be_visible()
    assert faults(tab) == []
    tab.get_by_role("button", name="Begin the match").click()
    chosen = watched.heard()
    assert isinstance(chosen, Chosen)
    assert np.allclose(chosen.setup.corners, shares, atol=0.01)


def test_a_ruling_is_disputed_on_a_phone_and_withdrawn_by_the_operator(watched: Table) -> None:
    watched.play(A_SEVEN_ON_A_NINE, recorded=True)
    ada, tab = watched.open("/?seat=A", PHONE), watched.open("/?role=operator")
    expect(tab.locator("#word")).to_have_text("Ended")
    ada.locator("#rulings .fault button", has_text="Dispute").click()
    ada.locator("dialog input").fill("it was an eight")
    ada.get_by_role("button", name="OK", exact=True).click()
    fault = tab.locator("#rulings .ruling.fault")
    expect(fault).to_contain_text("Disputed by A")
    with tab.context.expect_page() as opened:
        fault.locator("a", has_text="Show the moment").click()
    expect(opened.value.locator("body")).to_contain_text("it was an eight")
    assert faults(opened.value) == []
    fault.locator("button", has_text="Review").click()
    tab.locator("dialog select").select_option("withdraw")
    tab.get_by_role("button", name="Decide").click()
    # Without a reason nothing is decided: the record wants one.
    expect(tab.locator("dialog")).to_be_visible()
    assert faults(tab) == []
    tab.locator("dialog input").fill("all agree")
    tab.get_by_role("button", name="Decide").click()
    for page in (tab, ada):
        expect(page.locator("#rulings .ruling.fault")).to_contain_text("withdrawn")
    (dispute,) = disputes_of(read_log(watched.folder.logs()[0]))
    assert [one.reason for one in dispute.reviews] == ["all agree"]


def test_the_pages_are_open_to_everybody_in_the_dark_and_in_the_light(watched: Table) -> None:
    watched.play(legal_match("spy", 2, 1, faulty=True))
    for path, size in (
        ("/?role=operator", SCREEN),
        ("/?seat=B", PHONE),
        ("/join", PHONE),
        ("/overlay", SCREEN),
    ):
        tab = watched.open(path, size)
        expect(tab.locator("body")).to_contain_text("Spy vs. Spy")
        if path == "/?role=operator":
            expect(tab.locator("#state")).to_have_attribute("data-word", "ended", timeout=HANG_MS)
        assert faults(tab) == []
        tab.emulate_media(color_scheme="light")
        assert faults(tab) == []
    assert faults(watched.open("/help", PHONE)) == []


def test_the_records_pages_are_open_to_everybody(watched: Table) -> None:
    watched.play(A_SEVEN_ON_A_NINE, recorded=True)
    ended = watched.open("/?role=audience")
    expect(ended.locator("#word")).to_have_text("Ended")
    for path in ("/report", "/dispute/1:NERVES-PLAY-03"):
        for scheme in ("dark", "light"):
            tab = watched.open(path, PHONE, scheme)
            expect(tab.locator("h1").first).to_be_visible()
            assert faults(tab) == [], (path, scheme)


def test_who_has_no_key_is_told_what_to_do(browser: Browser) -> None:
    with Page(Desk(), host="0.0.0.0", port=0) as page:
        context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
        tab = context.new_page()
        there = urlsplit(page.links.player)
        tab.goto(f"http://{there.netloc}/")
        expect(tab.locator("h1")).to_have_text("This table is private")
        assert faults(tab) == []
        tab.goto(page.links.player)
        expect(tab.locator("h1")).to_have_text("Who are you?")
        assert "key=" not in tab.url
        context.close()


def test_on_a_screen_that_lies_on_the_table_each_side_is_turned_to_its_player(
    watched: Table,
) -> None:
    watched.show(legal_match("nertz", 6, 1))
    tab = watched.open("/?role=audience", {"width": 1180, "height": 820})
    turned = """() => Object.fromEntries([...document.querySelectorAll(".plate")].map((plate) => {
      const { rotate, writingMode } = getComputedStyle(plate);
      return [plate.parentElement.id, `${rotate} ${writingMode}`];
    }))"""
    expect(tab.locator(".plate")).to_have_count(6)
    upright = tab.evaluate(turned)
    assert set(upright.values()) == {"none horizontal-tb"}
    tab.get_by_role("button", name="This screen lies on the table").click()
    tab.reload()
    expect(tab.locator(".plate")).to_have_count(6)
    flat = {
        "plates-near": "none horizontal-tb",
        "plates-far": "180deg horizontal-tb",
        "plates-left": "none vertical-rl",
        "plates-right": "180deg vertical-rl",
    }
    assert tab.evaluate(turned) == flat
    assert faults(tab) == []


def test_nothing_is_cut_off_at_the_side_on_any_size(watched: Table) -> None:
    watched.play(legal_match("nerves", 2, 1, faulty=True))
    tab = watched.open("/?role=operator")
    for path in ("/?role=operator", "/?seat=A", "/join"):
        tab.goto(watched.page.links.here.rstrip("/") + path)
        expect(tab.locator("body")).to_contain_text("Nerves")
        for size in (PHONE, {"width": 820, "height": 1180}, {"width": 1920, "height": 1080}):
            tab.set_viewport_size(size)  # type: ignore[arg-type]
            wide_px = tab.evaluate("document.documentElement.scrollWidth")
            assert wide_px <= size["width"], (path, size)
