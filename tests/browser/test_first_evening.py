"""A first evening with the program itself: set-up, camera's picture, restart, the next match."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from referee.games import find_game
from referee.record import Folder, read_log
from referee.record.reading import end_of

# Far longer than anything here takes on one busy core: only a hang reaches it.
HANG_MS = 900_000


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """`referee watch`, as somebody starts it who has just installed it."""
    command = [sys.executable, "-m", "referee", "watch", "--record", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
        yield program
        program.kill()


def begin(tab: Tab) -> str:
    """Begin the match that is set up; returns its name once a card is read."""
    tab.get_by_role("button", name="Begin the match").click()
    expect(tab.locator("#table .card").first).to_be_visible(timeout=HANG_MS)
    match: str = tab.evaluate("window.page.head.match")
    return match


def final_score(tab: Tab) -> None:
    """Wait for the end on a page that is loaded anew after the first ruling."""
    expect(tab.locator("#rulings .ruling").first).to_be_visible(timeout=HANG_MS)
    tab.reload()
    expect(tab.locator("#state")).to_have_attribute("data-word", "ended", timeout=HANG_MS)
    # A question about the end is none.
    score = tab.locator("#rulings .ruling:not(.query)", has_text="NERTZ-SCORE-01")
    expect(score.first).to_be_visible()


def next_match(tab: Tab) -> None:
    tab.get_by_role("button", name="New match …").click()
    tab.get_by_role("button", name="Yes").click()
    tab.wait_for_url("**/setup", wait_until="commit")


def look_at_the_cameras_picture(tab: Tab) -> None:
    tab.get_by_role("button", name="Camera picture").click()
    expect(tab.locator("#picture .zones polygon")).not_to_have_count(0)
    expect(tab.locator("#picture .mark.read")).not_to_have_count(0)
    expect(tab.locator("#picture img")).to_be_visible()
    width_px = "image => image.decode().then(() => image.naturalWidth)"
    assert tab.locator("#picture img").evaluate(width_px) > 0


def begun_again(tab: Tab, name: str) -> str:
    """Restart the match of this name; returns the name of the one that begins."""
    tab.get_by_role("button", name="Restart …").click()
    tab.get_by_role("button", name="Yes").click()
    while tab.evaluate("window.page.head.match") == name:
        tab.wait_for_timeout(100)
    again: str = tab.evaluate("window.page.head.match")
    return again


def chosen(tab: Tab, game: str) -> str:
    """Choose the game on the set-up page and begin; returns the match's name."""
    tab.locator("label.game", has_text=find_game(game).title).click()
    match = begin(tab)
    expect(tab.locator("#title")).to_have_text(find_game(game).title)
    expect(tab.locator("#plates-near")).to_contain_text("Ann")
    return match


def test_two_sample_matches_from_the_first_visit_to_the_final_score(
    watching: subprocess.Popen[str], tmp_path: Path, browser: Browser
) -> None:
    """From their videos, as from a camera: one is begun twice and left, the next one played out."""
    assert watching.stderr is not None
    link = watching.stderr.readline().split()[-1]
    # What the program says further must not fill its pipe.
    telling = threading.Thread(target=watching.stderr.read, daemon=True)
    telling.start()
    context = browser.new_context(viewport={"width": 1600, "height": 900})
    context.set_default_timeout(HANG_MS)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto(link)
    tab.wait_for_url("**/setup", wait_until="commit")
    expect(tab.locator("#welcome")).to_be_visible()
    tab.get_by_label("Name of player A").fill("Ann")
    left = chosen(tab, "nerves")
    look_at_the_cameras_picture(tab)
    again = begun_again(tab, left)
    expect(tab.locator("#picture .mark.read")).not_to_have_count(0)
    next_match(tab)
    expect(tab.get_by_label("Name of player A")).to_have_value("Ann")
    expect(tab.locator("#welcome")).to_be_hidden()
    played = chosen(tab, "nertz")
    final_score(tab)
    context.close()
    watching.send_signal(signal.SIGINT)
    assert watching.wait(HANG_MS / 1000) == 0
    telling.join()
    assert wrong == []
    logs = [read_log(path) for path in Folder(tmp_path).logs()]
    assert {log.head.match.id for log in logs} == {left, again, played}
    assert [end.how for log in logs if (end := end_of(log))] == ["finished"] * 3
