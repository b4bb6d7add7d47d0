"""From frames to events: short rendered clips through the whole pipeline, and bad video."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from math import dist
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.app.pipeline import TableWatch
from referee.app.watching import Watching, Wish
from referee.games import find_game
from referee.notation import read_matches
from referee.simulate.film import Film
from referee.simulate.staging import Filming
from referee.table.calibrate import FoundView, find_view
from referee.table.layout import plan
from referee.table.view import Lens, TableView, usual_lens, view_of
from referee.values import (
    CardPlaced,
    CardRead,
    CardTurned,
    Event,
    HandOff,
    HandOn,
    Placement,
    Ruling,
    Setting,
    ViewBack,
    ViewLost,
    card,
)
from referee.vision.detect import Reader
from referee.vision.frames import Frame
from referee.vision.surface import BARE, HAND, Surface

FRAME_NS = 33_333_333
SIZE_PX = (1280, 720)
SIGMA_NS = 9_600_000
S_NS = 1_000_000_000

SPY = """match TEST-SPY a card of the closed stack is laid
  game spy
  phase PLAY
  state
    A.stack | [3H 9C 8S]
    A.deck | [TC 4D 6S]
    A.pile.1 | 9D
    A.pile.2 | KS
    A.pile.3 | 2H
    A.pile.4 | 4C
  events
    1 3.000 CardPlaced A.R 8S A.stack>A.pile.1 up
"""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(Path(__file__).parent.parent / "models", threads=1)


def film_of(text: str, strength: float) -> Film:
    (match,) = read_matches(text)
    filming = Filming(*SIZE_PX, fps=30, seed=1, strength=strength)
    return Film(match, plan(match.game, match.seats), filming)


def view_on(film: Film) -> TableView:
    usual = usual_lens(SIZE_PX)
    return view_of(SIZE_PX, Lens(usual.focal_px, usual.center_px), film.homography())


def played(film: Film, from_s: float, to_s: float) -> Iterator[Frame]:
    for number in range(int(from_s * 30), int(to_s * 30)):
        yield Frame(film.picture(number), film.time_ns(number), SIGMA_NS, number, "film")


def of_cards(events: list[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, HandOn | HandOff)]


def test_a_card_laid_from_the_stack_is_seen_as_it_happened(reader: Reader) -> None:
    film = film_of(SPY, strength=0.5)
    watch = TableWatch(film.plan, view_on(film), reader)
    (act,) = film.show.played
    assert act.lift_s is not None
    told: list[Event] = []
    for frame in played(film, act.lift_s - 1.2, act.t_s + 1.0):
        told += watch.step(frame)
    start = watch.first_scene()
    assert start is not None
    tops = {p.zone: str(p.cards[-1].card) for p in start}
    assert tops == {
        "A.stack": "??", "A.deck": "??", "A.pile.1": "9D", "A.pile.2": "KS", "A.pile.3": "2H",
        "A.pile.4": "4C",
    }  # fmt: skip
    assert watch.looks_laid()
    (placed,) = of_cards(told)
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin, placed.target, placed.up) == (
        "8S", "A.stack", "A.pile.1", True)  # fmt: skip
    assert placed.u_ns is not None
    assert abs(placed.t_ns - act.t_s * S_NS) <= placed.u_ns
    assert placed.actor.seat == "A"
    assert placed.frames is not None
    assert placed.frames.startswith("film#")


class AtOnce:
    """Another thread that has done its work before anybody looks."""

    def __init__(self, threads: int, name: str) -> None:
        """Begin nothing."""

    def submit(self, work: Callable[..., object], *given: object) -> Future[object]:
        done: Future[object] = Future()
        done.set_result(work(*given))
        return done


class WhenAsked(AtOnce):
    """Another thread that works no sooner than what it finds is needed."""

    def submit(self, work: Callable[..., object], *given: object) -> Future[object]:
        class Late(Future[object]):
            def result(self, timeout: float | None = None) -> object:
                return work(*given)

        return Late()


def test_the_same_film_tells_the_same_whichever_thread_is_quicker(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = "".join(f"    {act}\n" for act in (
        "2 3.700 CardPlaced A.L 9C A.stack>A.pile.3 up",
        "3 4.300 CardPlaced A.R 3H A.stack>A.pile.2 up",
    ))  # fmt: skip
    film = film_of(SPY + later, strength=0.5)
    frames = list(played(film, 1.5, 5.3))
    told: list[list[Event]] = []
    for thread in (AtOnce, WhenAsked):
        monkeypatch.setattr("referee.app.pipeline.ThreadPoolExecutor", thread)
        monkeypatch.setattr("referee.vision.looking.ThreadPoolExecutor", thread)
        watch = TableWatch(film.plan, view_on(film), reader)
        told.append([event for frame in frames for event in watch.step(frame)])
    assert of_cards(told[0])
    assert told[0] == told[1]


class Slow(AtOnce):
    """Another thread that has not done its work when the next frame comes."""

    def submit(self, work: Callable[..., object], *given: object) -> Future[object]:
        class Later(Future[object]):
            asked = False

            def done(self) -> bool:
                self.asked = True
                return False

            def result(self, timeout: float | None = None) -> object:
                assert self.asked, "the next frame waited for it"
                return work(*given)

        return Later()


def test_a_live_camera_does_not_wait_for_the_reader(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.vision.looking.ThreadPoolExecutor", Slow)
    film = film_of(SPY, strength=0.5)
    watch = TableWatch(film.plan, view_on(film), reader, live=True)
    (act,) = film.show.played
    told = [event for frame in played(film, 1.5, act.t_s + 1.2) for event in watch.step(frame)]
    (placed,) = of_cards(told)
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin, placed.target) == ("8S", "A.stack", "A.pile.1")
    assert placed.u_ns is not None
    assert abs(placed.t_ns - act.t_s * S_NS) <= placed.u_ns


@pytest.mark.parametrize("every", [3, 4])
def test_what_moved_in_frames_that_were_hurried_over_dates_a_card(
    reader: Reader, every: int
) -> None:
    film = film_of(SPY, strength=0.5)
    watch = TableWatch(film.plan, view_on(film), reader)
    (act,) = film.show.played
    told: list[Event] = []
    for frame in played(film, 1.5, act.t_s + 2.8):
        if watch.first_scene() is None or frame.n % every == 0:
            told += watch.step(frame)
        else:
            watch.glimpse(frame)
            assert not watch.looked
    (placed,) = of_cards(told)
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin, placed.target) == ("8S", "A.stack", "A.pile.1")
    assert placed.u_ns is not None
    assert placed.u_ns < 70_000_000
    assert abs(placed.t_ns - act.t_s * S_NS) <= placed.u_ns


class Counted:
    """The card reader, and how often it was asked."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.times = reader, 0

    def glance(
        self, image_bgr: NDArray[np.uint8], scale: float
    ) -> tuple[tuple[CardRead, ...], Surface]:
        self.times += 1
        return self.reader.glance(image_bgr, scale)


def test_a_still_table_tells_nothing_and_is_soon_not_read_any_more(reader: Reader) -> None:
    film = film_of(SPY, strength=0.0)
    counted = Counted(reader)
    watch = TableWatch(film.plan, view_on(film), counted)
    image, told, times = film.picture(0), [], []
    for k in range(36):
        told += watch.step(Frame(image, k * 33_333_333, 0, k, "still"))
        times.append(counted.times)
    assert told == []
    assert watch.first_scene() is not None
    assert times[-1] == times[-8]


def test_of_an_idle_table_every_fourth_frame_is_looked_at(reader: Reader) -> None:
    film = film_of(SPY, strength=0.0)
    watching = watching_spy(film, reader)
    still, rng, looked = film.picture(0), np.random.default_rng(1), []
    noise = [rng.integers(0, 3, still.shape).astype(np.uint8) for _ in range(4)]
    for k in range(90):
        opening = watching.step(Frame(still + noise[k % 4], k * FRAME_NS, 0, k, "idle"))
        if opening is not None:
            watching.begin(opening, [])
        looked.append(not watching.passed_over)
    assert all(looked[:30]), "a table is not idle before its first second is over"
    assert sum(looked[-40:]) == 10


def test_the_light_goes_off_and_on_again_and_nothing_was_played(reader: Reader) -> None:
    film = film_of(SPY, strength=0.0)
    watch = TableWatch(film.plan, view_on(film), reader)
    light, dark = film.picture(0), np.zeros((720, 1280, 3), np.uint8)
    shown = [light] * 18 + [dark] * 6 + [light] * 18
    told = [
        event
        for k, image in enumerate(shown)
        for event in watch.step(Frame(image, k * 33_333_333, 0, k, "lamp"))
    ]
    assert [type(event) for event in of_cards(told)] == [ViewLost, ViewBack]


@pytest.mark.parametrize("hurried", [(), (21, 22)])
def test_frames_that_are_missing_for_two_seconds_are_a_lost_view(
    reader: Reader, hurried: tuple[int, ...]
) -> None:
    film = film_of(SPY, strength=0.0)
    watch = TableWatch(film.plan, view_on(film), reader)
    image, told = film.picture(0), []
    for k in range(30):
        t_ns = k * 33_333_333 + (2 * S_NS if k > 20 else 0)
        frame = Frame(image, t_ns, 0, k, "stream")
        if k in hurried:
            watch.glimpse(frame)
        else:
            told += watch.step(frame)
    lost, back = of_cards(told)
    assert (type(lost), type(back)) == (ViewLost, ViewBack)
    assert back.t_ns - lost.t_ns == pytest.approx(2 * S_NS, abs=S_NS // 10)


def test_noise_and_jumps_in_time_accuse_nobody(reader: Reader) -> None:
    film = film_of(SPY, strength=0.0)
    watch = TableWatch(film.plan, view_on(film), reader)
    rng = np.random.default_rng(5)
    t_ns = 0
    told: list[Event] = []
    for k in range(12):
        t_ns += int(rng.integers(1, 3 * S_NS))
        image = rng.integers(0, 255, (720, 1280, 3), np.uint8)
        told += watch.step(Frame(image, t_ns, 0, k, "noise"))
    assert not [event for event in told if isinstance(event, CardPlaced | CardTurned)]


class Wooden:
    """The card reader at a table of which it takes a third for a hand.

    Of a piece narrower than `narrow_px` it takes all.
    """

    def __init__(self, reader: Reader, narrow_px: int = 0) -> None:
        self.reader, self.narrow_px = reader, narrow_px

    def glance(
        self, image_bgr: NDArray[np.uint8], scale: float
    ) -> tuple[tuple[CardRead, ...], Surface]:
        reads, surface = self.reader.glance(image_bgr, scale)
        kind = surface.kind.copy()
        some = slice(None, None, 1 if min(image_bgr.shape[:2]) < self.narrow_px else 3)
        kind[:, some][kind[:, some] == BARE] = HAND
        return reads, replace(surface, kind=kind)


# A card's own place with little around it is 91 px wide; of the nine nothing is seen elsewhere.
@pytest.mark.parametrize(
    ("narrow_px", "zone", "left"), [(0, "B.arr.4", "TD"), (110, "B.arr.3", "9C")]
)
def test_a_card_is_gone_from_a_table_that_has_the_colour_of_hands(
    reader: Reader, narrow_px: int, zone: str, left: str
) -> None:
    film = film_of(NERVES, strength=0.0)
    before, after = film.picture(0), film.picture(film.frame_count - 1)
    watch = TableWatch(film.plan, view_on(film), Wooden(reader, narrow_px))
    for k in range(120):
        watch.step(Frame(before if k < 60 else after, k * FRAME_NS, 0, k, "wood"))
    at_mm = next(one.center_mm for one in film.plan.zones if one.name == zone)
    near = [one for one in watch._looking.tracks.spots() if dist(one.at_mm, at_mm) < 80]
    assert left not in [one.label for one in near]


class Heard:
    """What a match's listener was told."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.rulings: list[Ruling] = []

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        self.rulings += rulings


# A nine and a ten are laid while no picture comes: only the ten is seen then, on what was an eight.
NERVES = """match TEST-NERVES two cards are laid
  game nerves
  phase PLAY
  state
    B.arr.3 | 9C
    B.arr.4 | TD
    B.arr.5 | 3H
    play.A | 3C 9D
    play.B | 9S 7C 8H
  events
    1 3.000 CardPlaced B.R 9C B.arr.3>play.B up
    2 5.000 CardPlaced B.R TD B.arr.4>play.B up
"""


def test_a_card_that_came_while_no_pictures_did_accuses_nobody(reader: Reader) -> None:
    film, heard = film_of(NERVES, strength=0.0), Heard()
    before, after = film.picture(0), film.picture(film.frame_count - 1)
    found = find_view(before, film.plan, None)
    assert isinstance(found, FoundView)
    watching = Watching(Wish("T", find_game("nerves"), ("A", "B")), film.plan, found, reader)
    for k in range(90):
        # Five seconds without a picture between the two tables.
        t_ns = k * FRAME_NS + (0 if k < 45 else 5 * S_NS)
        opening = watching.step(Frame(before if k < 45 else after, t_ns, 0, k, "gap"))
        if opening is not None:
            watching.begin(opening, [heard])
    watching.close()
    assert any(isinstance(e, CardPlaced) and e.card.face == "TD" for e in heard.events)
    assert [ruling for ruling in heard.rulings if ruling.kind == "VIOLATION"] == []


def watching_spy(film: Film, reader: Reader) -> Watching:
    """Watch a game of which the camera sees the first picture of a film now."""
    found = find_view(film.picture(0), film.plan, None)
    assert isinstance(found, FoundView)
    return Watching(Wish("T", find_game("spy"), ("A", "B")), film.plan, found, reader)


def test_the_view_is_lost_from_when_it_last_held_not_from_when_that_was_noticed(
    reader: Reader,
) -> None:
    film, heard = film_of(SPY, strength=0.0), Heard()
    image, pushed_at = film.picture(0), 50
    pushed = np.roll(image, 24, axis=1)
    watching = watching_spy(film, reader)
    for k in range(80):
        shown = image if k < pushed_at else pushed
        opening = watching.step(Frame(shown, k * FRAME_NS, 0, k, "pushed"))
        if opening is not None:
            watching.begin(opening, [heard])
    watching.close()
    lost, back = (e for e in heard.events if isinstance(e, ViewLost | ViewBack))
    assert (type(lost), type(back)) == (ViewLost, ViewBack)
    assert lost.t_ns < pushed_at * FRAME_NS <= back.t_ns


def test_a_camera_that_swings_is_lost_once_and_found_when_it_hangs_still(reader: Reader) -> None:
    film, heard = film_of(SPY, strength=0.0), Heard()
    image = film.picture(0)
    watching = watching_spy(film, reader)
    for k in range(110):
        aside_px = round(30 * np.sin((k - 45) / 6)) if 45 <= k < 80 else 0
        opening = watching.step(
            Frame(np.roll(image, aside_px, axis=1), k * FRAME_NS, 0, k, "swings")
        )
        if opening is not None:
            watching.begin(opening, [heard])
    watching.close()
    lost, back = (e for e in heard.events if isinstance(e, ViewLost | ViewBack))
    assert (type(lost), type(back)) == (ViewLost, ViewBack)
    assert lost.t_ns < 52 * FRAME_NS
    assert back.t_ns >= 80 * FRAME_NS


@pytest.mark.parametrize(("shakes_px", "told"), [(0.0, 0), (1.5, 1)])
def test_of_a_camera_that_shakes_all_the_time_people_are_told(
    reader: Reader, shakes_px: float, told: int
) -> None:
    film, rng = film_of(SPY, strength=1.0), np.random.default_rng(1)
    watching, lines = watching_spy(film, reader), list[str]()
    for frame in played(film, 0.0, 5.0):
        aside = np.hstack([np.eye(2), rng.normal(0.0, shakes_px, (2, 1))])
        shown = cv2.warpAffine(frame.image_bgr, aside, SIZE_PX, borderMode=cv2.BORDER_REPLICATE)
        watching.step(replace(frame, image_bgr=np.asarray(shown, np.uint8)))
        lines += [watching.news] if watching.news else []
    assert len(lines) == told


LAID_LATE = CardPlaced(
    n=1, t_ns=119 * FRAME_NS, card=card("7H"), origin="A.stack", target="A.pile.1", source="camera"
)


def test_a_camera_that_creeps_is_followed_without_a_word(reader: Reader) -> None:
    film, heard = film_of(SPY, strength=0.0), Heard()
    image = film.picture(0)
    watching = watching_spy(film, reader)
    found = watching.found
    for k in range(120):
        aside = np.array([[1.0, 0.0, 0.08 * max(0, k - 30)], [0.0, 1.0, 0.0]])
        shown = cv2.warpAffine(image, aside, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        frame = Frame(np.asarray(shown, np.uint8), k * FRAME_NS, 0, k, "creeps")
        opening = watching.step(frame)
        if opening is not None:
            watching.begin(opening, [heard])
    watching.close()
    assert heard.events == []
    assert watching._is_badly_seen(LAID_LATE)
    middle_mm = np.array([[300.0, 200.0]])
    moved_px = watching.found.view.to_px(middle_mm) - found.view.to_px(middle_mm)
    assert moved_px[0] == pytest.approx((7.0, 0.0), abs=2.5)


def test_a_camera_that_was_turned_away_is_told_within_a_second_and_sees_nothing_meanwhile(
    reader: Reader,
) -> None:
    film, heard = film_of(SPY, strength=0.0), Heard()
    image = film.picture(0)
    elsewhere = np.ascontiguousarray(np.roll(image, 640, axis=1)[::-1, ::-1])
    elsewhere[:, ::2] = elsewhere[:, 1::2] // 2 + 60
    watching = watching_spy(film, reader)
    told_at: dict[int, int] = {}
    for k in range(130):
        shown = elsewhere if 50 <= k < 100 else image
        opening = watching.step(Frame(shown, k * FRAME_NS, 0, k, "turned"))
        if opening is not None:
            watching.begin(opening, [heard])
        told_at.setdefault(len(heard.events), k)
    watching.close()
    lost, back = (e for e in heard.events if isinstance(e, ViewLost | ViewBack))
    assert (type(lost), type(back)) == (ViewLost, ViewBack)
    assert lost.t_ns < 50 * FRAME_NS
    assert back.t_ns >= 100 * FRAME_NS
    # Within a second, and what is held back to be sorted.
    assert min(k for count, k in told_at.items() if count) <= 50 + 36
    assert not [e for e in heard.events if not isinstance(e, ViewLost | ViewBack)]


def test_who_has_nothing_before_him_still_lays_out_his_cards(reader: Reader) -> None:
    film = film_of(NERVES, strength=0.0)
    found = find_view(film.picture(0), film.plan, None)
    assert isinstance(found, FoundView)
    watching = Watching(Wish("T", find_game("nerves"), ("A", "B")), film.plan, found, reader)
    frames = (Frame(film.picture(0), k * FRAME_NS, 0, k, "still") for k in range(60))
    match = next(one for frame in frames if (one := watching.step(frame)) is not None)
    assert (match.phase, match.flags) == ("ARRANGE", (Setting("live", "B"),))
    assert Placement("A.held", deep=True) in match.start
