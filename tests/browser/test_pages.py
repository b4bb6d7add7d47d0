"""The pages in a real browser: what players, the operator and the audience see and press."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from axe_core_python.sync_playwright import Axe
from owing import owing_match
from played import A_SEVEN_ON_A_NINE, Played
from playwright.sync_api import Browser, BrowserContext, expect
from playwright.sync_api import Page as Tab

from referee.app.setting_up import SettingUp
from referee.commands._front import record_page
from referee.games import find_game
from referee.notation import read_matches
from referee.play import PLAYERS, legal_match
from referee.record import Folder, read_log
from referee.record.disputes import disputes_of
from referee.screens.desk import Chosen, Desk, Order, Saying, Word
from referee.screens.page import Page
from referee.screens.setup import MatSeen, PadShown, Setup, SourceOffered, Step
from referee.values import Match

# Far longer than anything here takes on one busy core: only a hang reaches it.
HANG_S = 60
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

    def show(self, match: Match, speed: float = FAST, *, recorded: bool = False) -> Played:
        """Show a match's start; what is pressed lies on the desk until it is played."""
        folder = self.folder if recorded else None
        return Played(match, self.page, self.desk, speed=speed, names=NAMES, folder=folder)

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

    def open(self, path: str, size: dict[str, int] = SCREEN, scheme: str = "dark") -> Tab:
        """Open a page of the referee in a browser of its own; faults of its scripts are kept."""
        context = self.browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
        context.set_default_timeout(HANG_MS)
        self.contexts.append(context)
        tab = context.new_page()
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


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Iterator[Table]:
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


def final_line(match: Match) -> str:
    """Return the rule of a match's last word that a banner shows."""
    assert match.expected is not None
    return next(
        line.rule for line in reversed(match.expected) if line.kind in ("SCORE", "END", "RACE")
    )


@pytest.mark.parametrize(("game", "players"), [(p.game, max(2, p.fewest)) for p in PLAYERS])
def test_a_first_visit_leads_through_the_set_up_to_the_final_score(
    table: Table, game: str, players: int
) -> None:
    match = owing_match(game, players)
    table.evening(lambda setup: match if setup.game == game else legal_match("xix", 2, 1))
    tab = table.open("/")
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


def test_two_phones_declare_for_their_players(table: Table) -> None:
    table.show(legal_match("nerds", 2, 1))
    ada, ben = table.open("/?seat=A", PHONE), table.open("/?seat=B", PHONE)
    expect(ben.locator("#plates-near")).to_contain_text("Ben")
    expect(ben.locator("#plates-far")).to_contain_text("Ada")
    ada.locator("button[data-what=start]").click()
    first = table.heard()
    ben.locator("summary", has_text="More").click()
    ben.locator("button[data-what=call]").click()
    second = table.heard()
    assert isinstance(first, Saying)
    assert isinstance(second, Saying)
    assert [(word.seat, word.what) for word in (first, second)] == [("A", "start"), ("B", "call")]
    assert first.t_ns < second.t_ns
    assert first.device != second.device
    # The phones were asked for their time before: the press is known better than its message.
    assert max(first.u_ns, second.u_ns) < 1_000_000_000
    expect(ben.locator(".toast.good")).to_contain_text("Nerds!")
    assert ada.locator("button[data-seat=B]").count() == 0


def test_a_double_tap_is_one_declaration(table: Table) -> None:
    table.show(legal_match("nerds", 2, 1))
    tab = table.open("/?seat=A", PHONE)
    tab.locator("button[data-what=start]").dblclick()
    assert isinstance(table.heard(), Saying)
    expect(tab.locator(".toast", has_text="Already said")).to_be_visible()
    assert list(table.desk.words()) == []


def test_keys_and_a_number_pad_declare_for_the_players(table: Table) -> None:
    table.show(legal_match("spy", 2, 1))
    tab = table.open("/?role=operator")
    expect(tab.locator("button[data-what=start]")).to_be_visible()
    for key, wanted in (("1", (None, "start")), ("q", ("A", "finished")), ("u", ("B", "finished"))):
        tab.keyboard.press(key)
        word = table.heard()
        assert isinstance(word, Saying)
        assert ((word.seat, word.what), word.operator) == (wanted, False)
    tab.keyboard.press("Numpad8")
    word = table.heard()
    assert isinstance(word, Saying)
    assert (word.seat, word.what) == ("B", "blocked")


def test_on_a_players_page_digits_and_a_presenter_press_the_own_buttons(table: Table) -> None:
    table.show(legal_match("spy", 2, 1))
    tab = table.open("/?seat=B", PHONE)
    expect(tab.locator("button[data-what=start]")).to_be_visible()
    pressed = []
    for key in ("PageDown", "PageUp", "Numpad3"):
        tab.keyboard.press(key)
        word = table.heard()
        assert isinstance(word, Saying)
        pressed.append((word.seat, word.what))
    assert pressed[0] == ("B", "start")
    assert len(set(pressed)) == 3


def test_every_call_has_its_words_where_the_browser_has_no_voice(table: Table) -> None:
    table.show(legal_match("spy", 2, 1))
    tab = table.open("/?role=audience")
    missing = tab.evaluate("""async () => {
      const { recordedWords } = await import("/sound.js");
      const missing = [];
      const context = new OfflineAudioContext(1, 1, 44100);
      for (const tone of ["fault", "race", "score", "end", "query"])
        for (const seat of "ABCDEFGHIJKL")
          for (const winner of [undefined, seat, "tie"]) {
            const words = recordedWords({ tone, seats: [seat], winner });
            if (!words.length) missing.push([tone, winner]);
            for (const word of words) {
              const answer = await fetch(`/words/${word}.mp3`, { cache: "force-cache" });
              if (!answer.ok) missing.push(word);
            }
          }
      for (const word of ["fault", "dead-heat", "player-l"]) {
        const data = await (await fetch(`/words/${word}.mp3`)).arrayBuffer();
        if ((await context.decodeAudioData(data)).duration < 0.2) missing.push(word);
      }
      return missing;
    }""")
    assert missing == []


def test_the_operator_pauses_corrects_and_claims(table: Table) -> None:
    table.show(legal_match("xix", 2, 1))
    tab = table.open("/?role=operator")
    tab.get_by_role("button", name="Pause", exact=True).click()
    pause = table.heard()
    assert isinstance(pause, Order)
    assert pause.do == "pause"
    tab.get_by_role("button", name="Correct a pile …").click()
    tab.locator("dialog select").select_option("mid")
    tab.get_by_role("button", name="Next").click()
    tab.locator("dialog input[name=height]").fill("4")
    tab.get_by_role("button", name="Set the height").click()
    height = table.heard()
    assert isinstance(height, Order)
    assert (height.do, height.words) == ("height", ("mid", "4"))
    tab.locator("button[data-what=claim][data-seat=A]").click()
    tab.locator("dialog select").select_option("XIX-TRICK-01")
    tab.get_by_role("button", name="Claim", exact=True).click()
    claim = table.heard()
    assert isinstance(claim, Saying)
    assert (claim.seat, claim.what, claim.words) == ("A", "claim", ("XIX-TRICK-01",))


def test_a_fault_cannot_be_missed_and_is_told_once(table: Table) -> None:
    match = legal_match("spy", 2, 1, faulty=True)
    table.show(match)
    tab = table.open("/?role=audience")
    expect(tab.locator("#word")).to_have_text("Waiting")
    table.play(match, 20.0, recorded=True)
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
        table = Table(first, desk, browser, Folder(Path("nowhere")))
        table.show(match)
        tab = table.open("/?seat=A", PHONE)
        expect(tab.locator("#word")).to_have_text("Waiting")
    expect(tab.locator("#link")).to_be_visible()
    with Page(desk, port=port) as second:
        table.page = second
        table.show(match)
        expect(tab.locator("#link")).to_be_hidden(timeout=HANG_MS)
        tab.locator("button[data-what=leader]").first.click()
        assert isinstance(table.heard(), Saying)
        table.close()


def test_the_overlay_is_transparent_where_nothing_is_drawn(table: Table) -> None:
    table.show(legal_match("nertz", 3, 1))
    tab = table.open("/overlay", {"width": 1280, "height": 720})
    expect(tab.locator(".bar")).to_contain_text("Cleo")
    data = np.frombuffer(tab.screenshot(omit_background=True), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    assert picture is not None
    assert picture.shape == (720, 1280, 4)
    alpha = picture[:, :, 3]
    assert alpha[:500].max() == 0
    assert alpha.max() == 255
    assert np.mean(alpha == 0) > 0.8


def test_a_match_is_set_up_in_the_page(table: Table) -> None:
    setting = SettingUp(table.page, table.desk)
    setting.show(
        sources=(SourceOffered("camera:0", "Camera 0"),),
        steps=(Step("light", "Light", "wrong", "too dark"), Step("test", "Live test", "open")),
        pads=(PadShown("mid", "ready", "answers"),),
        mat=MatSeen("spy", 3),
    )
    tab = table.open("/")
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
    order = table.heard()
    assert isinstance(order, Order)
    assert (order.do, order.words) == ("calibrate", ("light",))
    tab.get_by_role("button", name="Begin the match").click()
    chosen = table.heard()
    assert isinstance(chosen, Chosen)
    setup: Setup = chosen.setup
    assert (setup.game, setup.seats, setup.source) == ("nertz", ("A", "B", "C"), "camera:0")
    assert setup.chairs[2].name == "Cleo"
    assert [(option.name, option.value) for option in setup.options] == [
        ("fill", "search"),
        ("target", "100"),
    ]
    table.show(legal_match("nertz", 3, 1))
    tab.wait_for_url(table.page.links.here, wait_until="commit")


def test_a_ruling_is_disputed_on_a_phone_and_withdrawn_by_the_operator(table: Table) -> None:
    table.play(read_matches(A_SEVEN_ON_A_NINE)[0], recorded=True)
    ada, tab = table.open("/?seat=A", PHONE), table.open("/?role=operator")
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
    (dispute,) = disputes_of(read_log(table.folder.logs()[0]))
    assert [one.reason for one in dispute.reviews] == ["all agree"]


def test_the_pages_are_open_to_everybody_in_the_dark_and_in_the_light(table: Table) -> None:
    table.play(legal_match("spy", 2, 1, faulty=True))
    for path, size in (
        ("/?role=operator", SCREEN),
        ("/?seat=B", PHONE),
        ("/join", PHONE),
        ("/overlay", SCREEN),
    ):
        tab = table.open(path, size)
        expect(tab.locator("body")).to_contain_text("Spy vs. Spy")
        if path == "/?role=operator":
            expect(tab.locator("#state")).to_have_attribute("data-word", "ended", timeout=HANG_MS)
        assert faults(tab) == []
        tab.emulate_media(color_scheme="light")
        assert faults(tab) == []
    assert faults(table.open("/help", PHONE)) == []


def test_nothing_is_cut_off_at_the_side_on_any_size(table: Table) -> None:
    table.play(legal_match("nerves", 2, 1, faulty=True))
    tab = table.open("/?role=operator")
    for size in (PHONE, {"width": 820, "height": 1180}, {"width": 1920, "height": 1080}):
        tab.set_viewport_size(size)  # type: ignore[arg-type]
        for path in ("/?role=operator", "/?seat=A", "/join"):
            tab.goto(table.page.links.here.rstrip("/") + path)
            expect(tab.locator("body")).to_contain_text("Nerves")
            wide_px = tab.evaluate("document.documentElement.scrollWidth")
            assert wide_px <= size["width"], (path, size)
