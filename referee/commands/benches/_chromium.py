"""Pages in real browsers, for `referee bench screens --chromium`: how late what they show is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from referee.commands import BadInput
from referee.commands.benches._refereed import CELL_PX, CELLS, MOST_WAIT_S

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

CLOCK_LOOKS = 30
# One operator, two players' phones and the screen for all; further pages look on.
PATHS = ("/?role=operator", "/?seat=A", "/?seat=B", "/?role=audience")
PHONE, SCREEN = (390, 844), (1920, 1080)
# A board is on the screen when the frame after its drawing has been handed over: the first task
# after the next animation frame.
BOARDS = """() => {
  window.boards = [];
  const channel = new MessageChannel();
  const waiting = [];
  channel.port1.onmessage = () => {
    const now = performance.now();
    for (const t of waiting.splice(0)) window.boards.push([t, now]);
  };
  window.page.connection.addEventListener("board", (event) => {
    const t = event.detail.clock?.t_ms;
    if (t === undefined || !event.detail.seen) return;
    requestAnimationFrame(() => { waiting.push(t); channel.port2.postMessage(0); });
  });
}"""
# The number in the picture's corner, read back from the picture as it is drawn.
PICTURES = """([cell, cells]) => {
  window.pictures = [];
  const image = document.querySelector("#picture img");
  const canvas = new OffscreenCanvas(cells, 1);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  let last = -1;
  const look = () => {
    const half = (cell * image.naturalWidth) / 1920;
    if (image.naturalWidth) {
      const [top, size] = [half / 4, half / 2];
      for (let i = 0; i < cells; i++)
        pen.drawImage(image, (i + 0.25) * half, top, size, size, i, 0, 1, 1);
      const data = pen.getImageData(0, 0, cells, 1).data;
      let number = 0;
      for (let i = 0; i < cells; i++) if (data[4 * i] > 127) number |= 1 << i;
      if (number !== last) { window.pictures.push([number, performance.now()]); last = number; }
    }
    requestAnimationFrame(look);
  };
  look();
}"""


@dataclass(frozen=True, slots=True)
class Seen:
    """How late boards and pictures were on screens, in ms, and what the match cost."""

    boards_ms: tuple[float, ...]
    pictures_ms: tuple[float, ...]
    taken: int
    judged: int
    match_percent: float
    page_percent: float | None


def measured(game: str, pages: int, seconds: float) -> Seen:
    """Referee a sample match with so many browsers' pages on it. Raises BadInput."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise BadInput("--chromium needs Playwright: pip install playwright") from None
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        raise BadInput("--chromium needs a browser: apt-get install chromium")
    command = [sys.executable, "-m", "referee.commands.benches._refereed", game, str(seconds)]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as match,
        sync_playwright() as playwright,
    ):
        assert match.stdin is not None
        assert match.stdout is not None
        told = _line(match.stdout)
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        tabs = [_tab(browser, told["url"], n) for n in range(pages)]
        before_s = cpu_s(told["page"])
        match.stdin.write("begin\n")
        match.stdin.flush()
        _look_at_picture(tabs[-1])
        cost = _line(match.stdout)
        after_s = cpu_s(told["page"])
        boards = [late for tab in tabs for late in _boards_ms(tab, cost)]
        pictures = _pictures_ms(tabs[-1], cost)
        browser.close()
        match.stdin.write("end\n")
        match.stdin.flush()
    wall_s = cost["wall_s"]
    spent = None if before_s is None or after_s is None else after_s - before_s
    return Seen(
        tuple(boards),
        tuple(pictures),
        len(cost["taken_ns"]) - cost["first"],
        cost["judged"],
        round(100 * cost["cpu_s"] / wall_s, 1),
        None if spent is None else round(100 * spent / wall_s, 1),
    )


def _line(pipe: IO[str]) -> dict[str, Any]:
    text = pipe.readline()
    if not text:
        raise BadInput("the bench's match broke off; `referee demo nerves` shows why")
    found: dict[str, Any] = json.loads(text)
    return found


def _tab(browser: Any, url: str, number: int) -> Tab:
    """Open a page in a browser window of its own, and note each board that it shows."""
    path = PATHS[number] if number < len(PATHS) else PATHS[-1]
    width, height = PHONE if "seat" in path else SCREEN
    # The page's own policy forbids what Playwright needs in order to wait.
    context = browser.new_context(viewport={"width": width, "height": height}, bypass_csp=True)
    context.set_default_timeout(120_000)
    tab: Tab = context.new_page()
    tab.goto(url.rstrip("/") + path)
    tab.wait_for_function("window.page?.head")
    tab.evaluate(BOARDS)
    return tab


def _look_at_picture(tab: Tab) -> None:
    """Switch a page to the camera's picture as soon as there is one. Raises BadInput."""
    from playwright.sync_api import TimeoutError as Waited

    try:
        tab.wait_for_function("!window.page.picture.toggler.hidden", timeout=1000 * MOST_WAIT_S)
    except Waited:
        raise BadInput("no match began in that time: the machine is too busy") from None
    tab.evaluate("window.page.picture.toggle()")
    tab.evaluate(PICTURES, [CELL_PX, CELLS])


def _offset_ms(tab: Tab) -> float:
    """Return the page's clock less the host's, by the quickest of many looks."""
    looks = []
    for _ in range(CLOCK_LOOKS):
        sent_ns = time.monotonic_ns()
        at_ms = tab.evaluate("performance.now()")
        back_ns = time.monotonic_ns()
        looks.append((back_ns - sent_ns, at_ms - (sent_ns + back_ns) / 2e6))
    return float(min(looks)[1])


def _boards_ms(tab: Tab, cost: dict[str, Any]) -> list[float]:
    """Return how late each board since the match began was on the screen."""
    offset_ms = _offset_ms(tab) + cost["zero_ns"] / 1e6
    return [at - offset_ms - t for t, at in tab.evaluate("window.boards") if t > cost["from_ms"]]


def _pictures_ms(tab: Tab, cost: dict[str, Any]) -> list[float]:
    """Return how late each picture was on the screen; the first was there before anybody looked."""
    offset_ms, taken_ns = _offset_ms(tab), cost["taken_ns"]
    shown = tab.evaluate("window.pictures")[1:]
    return [at - offset_ms - taken_ns[n] / 1e6 for n, at in shown if n < len(taken_ns)]


def cpu_s(process_id: int) -> float | None:
    """Return the processor time of a process, None where the system does not tell it so."""
    try:
        words = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except OSError:
        return None
    user, system = words.split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
