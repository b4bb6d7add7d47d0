"""What goes out of the room: the overlay as a stream's program shows it, and the spoken calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from browsing import Table, at_a_table
from numpy.typing import NDArray
from played import in_play
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from referee.play import legal_match

# A slap that Ben wins by forty milliseconds.
A_SLAP = in_play("9D", "1.000 PadHit B.R mid u=0.002", "1.040 PadHit A.R mid u=0.002")
# A browser with a voice of this machine and one of the network; what they are given is kept.
VOICES = """
  window.spoken = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const voice = (name, localService) => ({ name, localService, lang: "en-GB" });
  const speech = {
    getVoices: () => [voice("far", false), voice("near", true)],
    cancel() {},
    speak(said) { window.spoken.push([said.voice.name, said.text]); },
  };
  Object.defineProperty(window, "speechSynthesis", { value: speech });
"""


@pytest.fixture
def watched(browser: Browser, tmp_path: Path) -> Iterator[Table]:
    yield from at_a_table(browser, tmp_path)


def picture_of(tab: Tab) -> NDArray[np.uint8]:
    """Return what a stream's program mixes over its picture: blue, green, red, opacity."""
    data = np.frombuffer(tab.screenshot(omit_background=True), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    assert picture is not None
    return np.asarray(picture, np.uint8)


def test_a_streams_program_shows_a_race_without_anybody_touching_the_page(watched: Table) -> None:
    """As OBS does: full HD, no background, nobody there to press, sound only after a press."""
    match = A_SLAP
    shown = watched.show(match)
    tab = watched.open("/overlay", {"width": 1920, "height": 1080})
    expect(tab.locator(".bar")).to_contain_text("Ada")
    empty = picture_of(tab)[:, :, 3]
    assert empty.shape == (1080, 1920)
    assert empty[:864].max() == 0
    shown.put(*match.events)
    shown.sitting.close()
    shown.board.update(shown.sitting.state)
    expect(tab.locator(".call.race h2")).to_have_text("Ben was first")
    lanes = tab.locator(".call.race .lanes")
    expect(lanes).to_contain_text("40.0 ms")
    expect(lanes).to_contain_text("Ada")
    called = picture_of(tab)[:, :, 3]
    # The call stands at the upper right; the middle of the picture stays the table's.
    assert called[:432, 1152:].max() == 255
    assert called[:864, :1000].max() == 0
    # It never asks for sound, which a stream's program gives to nobody without a press.
    loaded = tab.evaluate("performance.getEntriesByType('resource').map((file) => file.name)")
    assert not [name for name in loaded if "sound" in name or "/words/" in name]


def test_the_overlay_is_transparent_where_nothing_is_drawn(watched: Table) -> None:
    watched.show(legal_match("nertz", 3, 1))
    tab = watched.open("/overlay", {"width": 1280, "height": 720})
    expect(tab.locator(".bar")).to_contain_text("Cleo")
    picture = picture_of(tab)
    assert picture.shape == (720, 1280, 4)
    alpha = picture[:, :, 3]
    assert alpha[:500].max() == 0
    assert alpha.max() == 255
    assert np.mean(alpha == 0) > 0.8


def test_every_call_has_its_words_where_the_browser_has_no_voice(watched: Table) -> None:
    watched.show(legal_match("spy", 2, 1))
    tab = watched.open("/?role=audience")
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


def test_a_voice_of_this_machine_calls_each_ruling_once(watched: Table) -> None:
    match = A_SLAP
    shown = watched.show(match)
    pages = {
        role: watched.open(f"/?role={role}", before=VOICES) for role in ("audience", "operator")
    }
    for tab in pages.values():
        expect(tab.locator("#word")).to_have_text("Live")
    # One of the two screens is switched off, and stays so when it is loaded again.
    pages["operator"].keyboard.press("Shift+M")
    pages["operator"].reload()
    expect(pages["operator"].locator("#word")).to_have_text("Live")
    shown.put(*match.events)
    shown.sitting.close()
    shown.board.update(shown.sitting.state)
    for tab in pages.values():
        expect(tab.locator(".banner.race")).to_be_visible()
    while not pages["audience"].evaluate("window.spoken.length"):
        pages["audience"].wait_for_timeout(50)
    assert pages["audience"].evaluate("window.spoken") == [["near", "Ben was first"]]
    assert pages["operator"].evaluate("window.spoken") == []
    pages["audience"].reload()
    expect(pages["audience"].locator("#rulings li.race")).to_be_visible()
    pages["audience"].wait_for_timeout(1000)
    assert pages["audience"].evaluate("window.spoken") == []
