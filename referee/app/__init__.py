"""The application: opens files, models and devices and joins the stages. Decides nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from referee.commands import BadInput
from referee.screens.overlay import draw_sight
from referee.table.habits import shares_one_deck
from referee.values import CardRead, HandRead, Sight
from referee.vision.address import Address, SourceError, parse_address
from referee.vision.camera import LiveSource, News, open_tap
from referee.vision.deck_profile import DeckProfile
from referee.vision.detect import ModelError, Reader
from referee.vision.frames import Frame, Image, file_frames, files_of
from referee.vision.languages import LANGUAGES as LANGUAGES
from referee.vision.languages import Deck, Language

PACKAGE = Path(__file__).parent.parent
DEMO_CLIP = PACKAGE / "data" / "demo.mp4"
DEMO_TRUTH = PACKAGE / "data" / "demo.json"
# A read of a 1080p frame gains nothing beyond four threads, and the camera needs one.
MOST_DEFAULT_THREADS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One frame, what was read in it, and how long the reading took."""

    frame: Frame
    sight: Sight
    read_ms: float


def models_dir(given: str | None) -> Path:
    """Return where the models lie: as given, else in the package, else beside it in a clone.

    Raises BadInput when the given folder does not exist.
    """
    if given is not None:
        if not Path(given).is_dir():
            raise BadInput(f"{given}: no such folder of models; leave --models out to use our own")
        return Path(given)
    installed = PACKAGE / "models"
    return installed if installed.is_dir() else PACKAGE.parent / "models"


def default_threads() -> int:
    """Return how many threads read when nobody says."""
    return max(1, min(MOST_DEFAULT_THREADS, os.cpu_count() or 1))


def reader_for(
    game: str,
    models: str | None,
    threads: int,
    language: Language = "any",
    profiles: Sequence[DeckProfile] = (),
) -> Reader:
    """Open the card reader for a game's cards in a live source. Raises BadInput."""
    deck: Deck = "numbers" if game == "xix" else "suited"
    return open_reader(
        models, threads, deck, language, profiles, quick=True, once=shares_one_deck(game)
    )


def open_reader(
    models: str | None,
    threads: int,
    deck: Deck = "any",
    language: Language = "any",
    profiles: Sequence[DeckProfile] = (),
    quick: bool = False,
    once: bool = False,
) -> Reader:
    """Open the card reader for what cards there can be, `quick` for live sources.

    `once`: each card is there once; so it is too where one learned deck lies, without doubles.
    Raises BadInput.
    """
    once = once or (len(profiles) == 1 and not profiles[0].double)
    kinds = {profile.kind for profile in profiles}
    if deck == "any" and len(kinds) == 1:
        deck = next(iter(kinds))
    try:
        return Reader(models_dir(models), threads, deck, language, profiles, quick, once)
    except ModelError as error:
        raise BadInput(str(error)) from error


def find_source(text: str) -> Address:
    """Tell what a source's address means. Raises BadInput."""
    try:
        return parse_address(text, DEMO_CLIP)
    except SourceError as error:
        raise BadInput(str(error)) from error


def find_files(address: Address) -> tuple[Address, ...]:
    """Return what is behind an address: the files of a folder, or it alone. Raises BadInput."""
    try:
        return files_of(address)
    except SourceError as error:
        raise BadInput(str(error)) from error


def open_live(address: Address) -> LiveSource:
    """Open a live source. Raises BadInput."""
    try:
        return LiveSource(address)
    except SourceError as error:
        raise BadInput(str(error)) from error


def look(reader: Reader, frame: Frame) -> Look:
    """Read one frame."""
    began_ns = time.perf_counter_ns()
    sight = reader.read(frame.image_bgr)
    return Look(frame, sight, (time.perf_counter_ns() - began_ns) / 1e6)


def looks(reader: Reader, address: Address) -> Iterator[Look]:
    """Read every frame of a file in order, or one of a live source. Raises SourceError."""
    for frame in one_live_frame(address) if address.kind.live else file_frames(address):
        yield look(reader, frame)


def one_live_frame(address: Address) -> Iterator[Frame]:
    """Yield one frame of a live source. Raises SourceError."""
    tap = open_tap(address)
    try:
        shot = tap.take()
    finally:
        tap.close()
    yield Frame(shot.image_bgr, shot.t_ns, shot.sigma_ns, 0, address.shown)


def live_frames(source: LiveSource, give_up_s: float | None = None) -> Iterator[Frame | News]:
    """Yield the newest frame again and again, with the source's news between, until given up.

    Raises BadInput when the source has given no frame for `give_up_s` seconds.
    """
    last_ns = time.monotonic_ns()
    while True:
        got = source.wait(0.2)
        if isinstance(got, Frame):
            yield got
            last_ns = time.monotonic_ns()
        elif got is not None:
            yield got
        elif give_up_s is not None and time.monotonic_ns() - last_ns > give_up_s * 1e9:
            raise BadInput(f"{source.address.shown}: no picture for {give_up_s:g} s; given up")


def live_looks(
    reader: Reader, source: LiveSource, give_up_s: float | None = None
) -> Iterator[Look | News]:
    """Read the newest frame again and again, with the source's news between. Raises BadInput."""
    for got in live_frames(source, give_up_s):
        yield look(reader, got) if isinstance(got, Frame) else got


def look_fields(seen: Look) -> dict[str, object]:
    """Return a look as the fields of one JSON object."""
    frame = seen.frame
    return {
        "image": frame.source,
        "width": frame.width_px,
        "height": frame.height_px,
        "frame": frame.n,
        "t_ns": frame.t_ns,
        "ms": round(seen.read_ms, 1),
        "cards": [card_fields(card) for card in seen.sight.cards],
        "hands": [hand_fields(hand) for hand in seen.sight.hands],
    }


def card_fields(card: CardRead) -> dict[str, object]:
    """Return a card read as JSON fields."""
    quad_px = None if card.quad_px is None else [pixels(corner) for corner in card.quad_px]
    return {
        "label": card.label,
        "score": round(card.score, 4),
        "at_px": pixels(card.at_px),
        "quad_px": quad_px,
        "angle_deg": round(card.angle_deg, 1),
        "back": card.back,
    }


def hand_fields(hand: HandRead) -> dict[str, object]:
    """Return a hand read as JSON fields."""
    return {"score": round(hand.score, 4), "box_px": pixels(hand.box_px)}


def pixels(values: tuple[float, ...]) -> list[float]:
    """Return pixel coordinates, rounded to a tenth."""
    return [round(float(value), 1) for value in values]


def draw_look(seen: Look) -> Image:
    """Return a look's picture, upright, with the reads drawn into it."""
    return draw_sight(seen.frame.image_bgr, seen.sight, seen.frame.orientation)


class DrawingFolder:
    """A folder that drawn pictures are written to; no name is used twice in a run."""

    def __init__(self, folder: str) -> None:
        """Make the folder if it is not there. Raises BadInput."""
        self._folder = Path(folder)
        self._used: set[str] = set()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"{folder}: cannot be made a folder ({error.strerror})") from error

    def write(self, seen: Look, name: str) -> Path:
        """Write a look's drawing as `name.seen.jpg`; returns its path. Raises BadInput."""
        path = self._folder / f"{self._free(name)}.seen.jpg"
        settings = [
            *(cv2.IMWRITE_JPEG_QUALITY, 95),
            *(cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444),
        ]
        good, data = cv2.imencode(".jpg", draw_look(seen), settings)
        if not good:
            raise BadInput(f"{path}: this picture cannot be drawn as a JPEG")
        try:
            path.write_bytes(data.tobytes())
        except OSError as error:
            raise BadInput(f"{path}: cannot be written ({error.strerror})") from error
        return path

    def _free(self, name: str) -> str:
        """Return the name, with a number behind it if it is taken."""
        free, number = name, 2
        while free in self._used:
            free, number = f"{name}-{number}", number + 1
        self._used.add(free)
        return free
