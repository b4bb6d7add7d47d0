"""`referee see --teach`: asks about each picture's reads, takes corrections, and keeps the set."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2

from referee import app
from referee.app.teaching import Taught, TaughtSet, image_name, things_of
from referee.commands import BAD, FINE, BadInput, tell
from referee.vision.address import Address, SourceError
from referee.vision.deck_profile import NUMBERED, SUITED
from referee.vision.detect import Reader
from referee.vision.frames import Frame, Image, file_frames
from referee.vision.networks import JOKER

NAMES = frozenset({*SUITED, JOKER, *NUMBERED, "BACK"})
HOW = """For each picture: Enter if all is right, or corrections with commas between them:
  3 7H            number 3 is the seven of hearts (or JOKER, BACK, 1 to 18)
  3 ?             number 3 cannot be told
  3 -             number 3 is no card
  + 7H 210 133    an index was missed there (x and y in pixels; a fifth number: its height)
  skip            leave this picture out      quit   end; what was kept stays"""
SEEN, MISSED = (0, 200, 0), (0, 0, 230)
MISSED_HEIGHT_PX = 24.0


class CannotTellError(Exception):
    """A correction that means nothing; the message is one line: what is wrong, what to write."""


# Asks about one picture; False ends it.
Asking = Callable[[Frame], bool]


def teach(reader: Reader, sources: list[str], folder: str) -> int:
    """Ask about every picture of the sources; returns 2 if one cannot be read. Raises BadInput."""
    kept = TaughtSet(folder)
    sys.stderr.write(HOW + "\n")
    return ask_about_all(sources, kept, lambda frame: asked(reader, frame, kept))


def ask_about_all(sources: list[str], kept: TaughtSet, ask: Asking) -> int:
    """Ask about every picture that is not kept yet; returns 2 if one cannot be read."""
    code = FINE
    for text in sources:
        try:
            address = app.find_source(text)
            for frame in pictures(address):
                if address.kind.live:
                    frame = kept.numbered(frame)
                if kept.holds(frame):
                    tell(f"{image_name(frame)}: was taught before")
                elif not ask(frame):
                    return code
        except (BadInput, SourceError) as error:
            tell(str(error))
            code = BAD
    return code


def pictures(address: Address) -> Iterator[Frame]:
    """Yield every picture of a source, of a live one the newest whenever one is asked for.

    Raises BadInput, SourceError.
    """
    while address.kind.live:
        yield from app.one_live_frame(address)
    for file in app.find_files(address):
        yield from file_frames(file)


def asked(reader: Reader, frame: Frame, kept: TaughtSet) -> bool:
    """Ask about one picture until the answer is understood; returns whether to go on."""
    things = list(things_of(reader.study(frame.image_bgr)))
    drawing = kept.folder / "now.png"
    show(frame, things, str(drawing))
    while True:
        sys.stderr.write(f"{image_name(frame)} (numbers in {drawing})> ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line or line.strip() == "quit":
            return False
        if line.strip() == "skip":
            return True
        try:
            right = corrected(things, line)
        except CannotTellError as reason:
            tell(str(reason))
            continue
        path = kept.keep(frame, right)
        print(f"{path}: {len(right)} objects kept", flush=True)
        return True


def corrected(things: list[Taught], line: str) -> list[Taught]:
    """Return the objects as a person's line says they are. Raises CannotTellError."""
    out: list[Taught | None] = list(things)
    for order in filter(None, (part.strip() for part in line.split(","))):
        words = order.split()
        if words[0] == "+":
            out.append(_missed(words[1:], order))
            continue
        if len(words) != 2 or not words[0].isdecimal() or not 1 <= int(words[0]) <= len(things):
            raise CannotTellError(f"'{order}': write the number of a read and its card: 3 7H")
        number = int(words[0]) - 1
        out[number] = None if words[1] == "-" else called(things[number], words[1])
    return [one for one in out if one is not None]


def missed(name: str, x: float, y: float, height_px: float) -> Taught:
    """Return an index that nobody read. Raises CannotTellError."""
    half = height_px / 2
    return Taught(name_in(name), (x - half, y - half, x + half, y + half), "index_corner")


def _missed(words: list[str], order: str) -> Taught:
    try:
        x, y, *rest = (float(word) for word in words[1:])
        (height_px,) = rest or (MISSED_HEIGHT_PX,)
    except ValueError:
        raise CannotTellError(f"'{order}': write + 7H 210 133, x and y in pixels") from None
    return missed(words[0], x, y, height_px)


def called(thing: Taught, word: str) -> Taught:
    """Return a thing as what somebody says it is. Raises CannotTellError."""
    if word == "?":
        return replace(thing, label="IGNORE", kind="card")
    name = name_in(word)
    return replace(thing, label=name, kind="card" if name == "BACK" else "index_corner")


def name_in(word: str) -> str:
    """Return the label that a word means. Raises CannotTellError."""
    name = word.upper()
    if len(name) == 3 and name.startswith("10"):
        name = "T" + name[2]
    if name not in NAMES:
        raise CannotTellError(f"'{word}' is no card; write 7H, TD, JOKER, BACK or 1 to 18")
    return name


def show(frame: Frame, things: list[Taught], drawing: str) -> None:
    """List the reads of a picture, and draw their numbers into it. Raises BadInput."""
    picture: Image = frame.image_bgr.copy()
    for number, one in enumerate(things, 1):
        x0, y0, x1, y1 = (round(v) for v in one.box_px)
        colour = MISSED if one.label == "IGNORE" else SEEN
        name = "?" if one.label == "IGNORE" else one.label
        sys.stderr.write(f"  {number:3d}  {name:5}  at {(x0 + x1) // 2}, {(y0 + y1) // 2}\n")
        cv2.rectangle(picture, (x0, y0), (x1, y1), colour, 1)
        text = f"{number} {name}"
        cv2.putText(picture, text, (x0, y0 - 3), cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1)
    good, data = cv2.imencode(".png", picture)
    if good:
        try:
            with open(drawing, "wb") as file:
                file.write(data.tobytes())
        except OSError as reason:
            raise BadInput(f"{drawing}: {reason.strerror or 'cannot be written'}") from None
