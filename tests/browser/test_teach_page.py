"""Reads corrected in a browser: names by two taps, what was missed, what is kept where."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import HANG_MS, HANG_S, SCREEN, faults
from conftest import write_picture
from deck_pictures import RED, spread
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

# Where on the screen the picture's middle is, a quarter of its height below its upper edge.
A_QUARTER_DOWN = """() => {
  const { width_px, height_px } = window.page.lesson;
  const marks = document.getElementById("marks");
  const { x, y } = new DOMPoint(width_px / 2, height_px / 4).matrixTransform(marks.getScreenCTM());
  return [x, y];
}"""


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    return tmp_path / "taught"


@pytest.fixture
def tab(tmp_path: Path, taught: Path, browser: Browser) -> Iterator[Tab]:
    """`referee see` with two pictures to correct, a seven and a queen, and its page."""
    for name, card in (("a.png", "7H"), ("b.png", "QS")):
        write_picture(tmp_path / name, spread([card], RED, 1))
    pictures = [str(tmp_path / "a.png"), str(tmp_path / "b.png")]
    words = ["see", *pictures, "--teach", str(taught), "--page"]
    with subprocess.Popen(
        [sys.executable, "-m", "referee", *words], stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stderr is not None
        try:
            yield from shown(program.stderr.readline(), browser)
            assert program.wait(HANG_S) == 0
        finally:
            program.kill()


def shown(told: str, browser: Browser) -> Iterator[Tab]:
    """The page whose link the program told."""
    context = browser.new_context(viewport=SCREEN)
    context.set_default_timeout(HANG_MS)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto(next(word for word in told.split() if word.startswith("http")))
    yield tab
    context.close()
    assert wrong == []


def end(tab: Tab) -> None:
    tab.get_by_role("button", name="End").click()
    expect(tab.locator("#link")).to_be_visible()


def labels(taught: Path) -> dict[str, list[str]]:
    rows = json.loads((taught / "labels.json").read_text())
    return {row["image"]: [one["label"] for one in row["objects"]] for row in rows}


def say(tab: Tab, read: int, name: str) -> None:
    tab.get_by_role("button", name=f"read {read}:").click()
    tab.get_by_role("button", name=name, exact=True).click()


def next_picture(tab: Tab, button: str, picture: str) -> None:
    tab.get_by_role("button", name=button).click()
    expect(tab.locator("#h-reads")).to_have_text(picture)


def test_two_pictures_are_corrected_by_tapping(tab: Tab, taught: Path) -> None:
    expect(tab.locator("#h-reads")).to_have_text("a.png")
    expect(tab.locator("#things li")).to_have_text(["17♥", "27♥"])
    assert faults(tab) == []
    next_picture(tab, "Keep and go on", "b.png")
    expect(tab.locator("#things li")).to_have_text(["1Q♠", "2Q♠"])
    tab.locator("#marks [data-read='1'] rect").click()
    tab.get_by_role("button", name="the king of spades", exact=True).click()
    say(tab, 2, "no card")
    expect(tab.locator("#things li")).to_have_text(["1K♠", "2no card"])
    next_picture(tab, "Keep and go on", "That was the last picture")
    expect(tab.locator("#kept")).to_contain_text(f"2 pictures kept in {taught}")
    assert labels(taught) == {"a.png": ["7H", "7H"], "b.png": ["KS"]}
    end(tab)


def test_a_missed_card_is_added_where_it_was_tapped(tab: Tab, taught: Path) -> None:
    expect(tab.locator("#things li")).to_have_count(2)
    tab.get_by_role("button", name="A card was missed").click()
    x, y = tab.evaluate(A_QUARTER_DOWN)
    tab.mouse.click(x, y)
    tab.get_by_role("button", name="the ten of diamonds", exact=True).click()
    expect(tab.locator("#things li")).to_have_text(["17♥", "27♥", "310♦"])
    say(tab, 1, "cannot be told")
    expect(tab.locator("#things li").first).to_have_class("unknown")
    next_picture(tab, "Keep and go on", "b.png")
    rows = json.loads((taught / "labels.json").read_text())
    *_, added = rows[0]["objects"]
    assert labels(taught) == {"a.png": ["IGNORE", "7H", "TD"]}
    x0, y0, x1, y1 = added["box"]
    assert (x0 + x1) / 2 == pytest.approx(rows[0]["width"] / 2, abs=2)
    assert (y0 + y1) / 2 == pytest.approx(rows[0]["height"] / 4, abs=2)
    end(tab)


def test_what_is_left_out_is_not_kept_and_nonsense_is_refused(tab: Tab, taught: Path) -> None:
    expect(tab.locator("#things li")).to_have_count(2)
    for words in ("'9', '7H'", "'1', 'ZZ'"):
        tab.evaluate(f"window.page.order('mark', {words})")
        expect(tab.locator("#problem")).not_to_be_empty()
        tab.evaluate("window.page.order('mark', '1', '7H')")
        expect(tab.locator("#problem")).to_be_empty()
    next_picture(tab, "Leave it out", "b.png")
    end(tab)
    assert not (taught / "labels.json").exists()
