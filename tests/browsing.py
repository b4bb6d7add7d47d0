"""A match on the page and who watches it in browsers, for the tests of the screens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from axe_core_python.sync_playwright import Axe
from played import Played
from playwright.sync_api import Browser, BrowserContext
from playwright.sync_api import Page as Tab

from referee.app.setting_up import SettingUp
from referee.commands._front import record_page
from referee.record import Folder
from referee.screens.desk import Desk, Word
from referee.screens.page import Page
from referee.screens.setup import Setup
from referee.values import Match, Setting

# Far longer than anything here takes on one busy core: only a hang reaches it.
HANG_S = 120
HANG_MS = 1000 * HANG_S
PHONE = {"width": 390, "height": 844}
SCREEN = {"width": 1600, "height": 900}
NAMES = {"A": "Ada", "B": "Ben", "C": "Cleo"}
# A match is played this much faster than people do: minutes in seconds.
FAST = 120.0


@dataclass
class Table:
    """A match that is shown, and who watches it."""

    page: Page
    desk: Desk
    browser: Browser
    folder: Folder
    contexts: list[BrowserContext] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def show(
        self,
        match: Match,
        speed: float = FAST,
        *,
        recorded: bool = False,
        options: tuple[Setting, ...] = (),
    ) -> Played:
        """Show a match's start; what is pressed lies on the desk until it is played."""
        folder = self.folder if recorded else None
        return Played(
            match,
            self.page,
            self.desk,
            speed=speed,
            names=NAMES,
            folder=folder,
            options=options,
        )

    def play(self, match: Match, speed: float = FAST, *, recorded: bool = False) -> None:
        """Begin to play a match in a thread of its own, which writes its record too."""
        self.begin(lambda: self.show(match, speed, recorded=recorded).play(self.goes_on))

    def evening(self, match_of: Callable[[Setup], Match]) -> None:
        """Set a match up on the page, and play the one that it means."""

        def whole() -> None:
            setup = SettingUp(self.page, self.desk).wait(self.goes_on)
            if setup is not None:
                self.show(match_of(setup)).play(self.goes_on)

        self.begin(whole)

    def begin(self, work: Callable[[], object]) -> None:
        """Do something in a thread of its own until the table is closed."""
        self.thread = threading.Thread(target=work)
        self.thread.start()

    def goes_on(self) -> bool:
        return not self.stopped.is_set()

    def open(
        self, path: str, size: dict[str, int] = SCREEN, scheme: str = "dark", before: str = ""
    ) -> Tab:
        """Open a page of the referee in a browser of its own; faults of its scripts are kept.

        `before` is a script that runs before the page's own.
        """
        context = self.browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
        context.set_default_timeout(HANG_MS)
        self.contexts.append(context)
        tab = context.new_page()
        tab.add_init_script(before)
        own = urlsplit(self.page.links.here).netloc
        tab.on("pageerror", lambda error: self.wrong.append(f"{path}: {error}"))
        tab.on("console", lambda m: m.type == "error" and self.wrong.append(f"{path}: {m.text}"))
        tab.on(
            "request",
            lambda r: urlsplit(r.url).netloc not in (own, "") and self.wrong.append(r.url),
        )
        tab.goto(self.page.links.here.rstrip("/") + path)
        return tab

    def heard(self) -> Word:
        """Return the next word on the desk, where no match takes it."""
        return next(iter(self.desk.words(HANG_S)))

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.stopped.set()
        if self.thread:
            self.thread.join()


def at_a_table(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    """A table with a page; no script on it may fail, and none asks for anything from elsewhere."""
    desk, folder = Desk(), Folder(tmp_path)

    def page_of(what: str) -> bytes | None:
        newest = max(folder.logs(), key=lambda path: path.stat().st_mtime)
        return record_page(folder, newest.stem, what)

    with Page(desk, port=0, record_page=page_of) as page:
        shown = Table(page, desk, browser, folder)
        yield shown
        shown.close()
    assert shown.wrong == []


def faults(tab: Tab) -> list[str]:
    """Return what axe finds wrong on a page."""
    found = Axe().run(tab)
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]
