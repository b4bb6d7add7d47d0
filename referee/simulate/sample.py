"""Makes the sample clip: two players deal and begin a game of Nertz, with ground truth.

`python -m referee.simulate.sample` writes `demo.mp4` and `demo.json` into `referee/data`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from referee.simulate.arms import Person
from referee.simulate.cards import POKER_DECK, deck_styles
from referee.simulate.cloth import Tabletop
from referee.simulate.play import Move, Play, Seat, is_at_rest, scene_at
from referee.simulate.scene import CARD_THICKNESS_MM, Studio, TableCard
from referee.simulate.shapes import Box, Image
from referee.simulate.table import Frame, TableRenderer
from referee.simulate.truth import CardTruth

FRAMES_PER_SECOND = 30
CLIP_S = 15.8
MOST_BYTES = 5_000_000
SEEN_SHARE = 0.06
"""Below this share only the rim of a card in a pile looks out; nobody calls that visible."""

SEED = 19

_A, _B = 0, 1
_TABLE_MM = (1200.0, 676.0)
_DEAL_FROM_S, _DEAL_EVERY_S, _DEAL_TAKES_S = 0.85, 0.74, 0.41
_PLAY_FROM_S, _BEAT_S, _PLAY_TAKES_S = 3.88, 0.81, 0.50
_CASCADE_MM = 26.0
_HEAD_Y_MM, _ROW_Y_MM, _MIDDLE_Y_MM = 228.0, 190.0, 338.0
_NERTS_X_MM, _STOCK_X_MM, _WASTE_X_MM = 196.0, 716.0, 822.0
_WORK_X_MM = (318.0, 406.0, 494.0, 582.0)
_FOUNDATION_X_MM = (512.0, 600.0)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the script: who, on which beat, takes which cards where.

    `to` is `work N`, `foundation N`, `waste N` (N-th card of the spread and on) or `turn`: the
    top card of the Nertz pile is turned up where it lies.
    """

    seat: int
    beat: int
    cards: tuple[str, ...]
    to: str


_DEALT = (("9C", "QH", "5S", "JD"), ("KC", "6H", "9D", "JS"))
_NERTS = (("8H", "AS", "TC", "KS"), ("TH", "AD", "2S", "8S", "5C", "KD"))
_STOCK = (("7C", "KH", "4D", "2H", "QC", "9S"), ("3H", "JC", "7D"))
"""The cards that come into play, from the top of each pile."""

SCRIPT: tuple[Line, ...] = (
    Line(_A, 0, ("8H",), "work 1"),
    Line(_B, 0, ("TH",), "work 4"),
    Line(_A, 1, ("AS",), "turn"),
    Line(_B, 1, ("AD",), "turn"),
    Line(_A, 2, ("AS",), "foundation 1"),
    Line(_B, 3, ("AD",), "foundation 2"),
    Line(_A, 3, ("TC",), "turn"),
    Line(_B, 4, ("2S",), "turn"),
    Line(_A, 4, ("TC",), "work 4"),
    Line(_B, 5, ("2S",), "foundation 1"),
    Line(_A, 5, ("KS",), "turn"),
    Line(_B, 6, ("8S",), "turn"),
    Line(_A, 6, ("7C", "KH", "4D"), "waste 1"),
    Line(_B, 7, ("8S",), "work 3"),
    Line(_A, 8, ("4D",), "work 3"),
    Line(_B, 8, ("5C",), "turn"),
    Line(_B, 9, ("5C",), "work 2"),
    Line(_A, 10, ("2H", "QC", "9S"), "waste 3"),
    Line(_B, 10, ("KD",), "turn"),
    Line(_B, 11, ("3H", "JC", "7D"), "waste 1"),
    Line(_B, 12, ("7D",), "work 3"),
)


def _place(seat: int, x_mm: float, y_mm: float, angle_deg: float = 0.0) -> TableCard:
    """Return a place as seat A sees it, turned about the table's middle for seat B."""
    if seat == _B:
        x_mm, y_mm, angle_deg = _TABLE_MM[0] - x_mm, _TABLE_MM[1] - y_mm, angle_deg + 180.0
    return TableCard("", seat, (x_mm, y_mm), angle_deg)


def _by_hand(place: TableCard, rng: np.random.Generator, loose: float) -> TableCard:
    """Nobody lays a card quite straight: `loose` 1 is a card put down in haste."""
    dx, dy, turn = rng.normal(0.0, 1.0, 3) * (1.1 * loose, 1.1 * loose, 1.9 * loose)
    centre = (place.centre_mm[0] + float(dx), place.centre_mm[1] + float(dy))
    return replace(place, centre_mm=centre, angle_deg=place.angle_deg + float(turn))


def _pile(labels: Sequence[str], seat: int, x_mm: float, rng: np.random.Generator,
          top_face_up: bool) -> list[TableCard]:  # fmt: skip
    cards = []
    for n, label in enumerate(labels, start=1):
        flip_deg = 0.0 if top_face_up and n == len(labels) else 180.0
        spot = _by_hand(_place(seat, x_mm, _ROW_Y_MM), rng, 0.35)
        height_mm = n * CARD_THICKNESS_MM
        cards.append(replace(spot, label=label, height_mm=height_mm, flip_deg=flip_deg))
    return cards


def _start(rng: np.random.Generator) -> tuple[TableCard, ...]:
    """Each player's Nertz pile of 13, its top card up, and the rest of the deck face down."""
    cards: list[TableCard] = []
    for seat in (_A, _B):
        scripted = {*_DEALT[seat], *_NERTS[seat], *_STOCK[seat]}
        others = [label for label in POKER_DECK if label not in scripted]
        others = [others[k] for k in rng.permutation(len(others))]
        hidden = 13 - len(_NERTS[seat])
        cards += _pile([*others[:hidden], *_NERTS[seat][::-1]], seat, _NERTS_X_MM, rng, True)
        stock = [*others[hidden:], *_STOCK[seat][::-1], *_DEALT[seat][::-1]]
        cards += _pile(stock, seat, _STOCK_X_MM, rng, False)
    return tuple(cards)


def _waste_place(seat: int, slot: int) -> TableCard:
    """Return the N-th place of the spread waste, the cards opening like a fan."""
    swing = (slot - 3) * 4.2
    return _place(seat, _WASTE_X_MM + 27.0 * (slot - 1), 188.0 - 0.028 * swing**2, swing)


def _work_place(seat: int, pile: int, below: int) -> TableCard:
    return _place(seat, _WORK_X_MM[pile - 1], _HEAD_Y_MM - _CASCADE_MM * below)


def _places(line: Line, works: dict[tuple[int, int], int]) -> list[TableCard]:
    where, _, number = line.to.partition(" ")
    if where == "turn":
        return [_place(line.seat, _NERTS_X_MM, _ROW_Y_MM)]
    if where == "foundation":
        middle = replace(_place(line.seat, 0.0, 0.0), centre_mm=(0.0, 0.0))
        x_mm = _FOUNDATION_X_MM[int(number) - 1]
        return [replace(middle, centre_mm=(x_mm, _MIDDLE_Y_MM))]
    if where == "waste":
        return [_waste_place(line.seat, int(number) + n) for n in range(len(line.cards))]
    key = (line.seat, int(number))
    works[key] = works.get(key, 1) + 1
    return [_work_place(line.seat, int(number), works[key] - 1)]


def _deals(rng: np.random.Generator) -> Iterator[Move]:
    for seat in (_A, _B):
        for n, label in enumerate(_DEALT[seat]):
            start_s = _DEAL_FROM_S + 0.12 * seat + n * _DEAL_EVERY_S
            spot = _by_hand(_work_place(seat, n + 1, 0), rng, 1.0)
            place = replace(spot, label=label)
            yield Move(seat, start_s, start_s + _DEAL_TAKES_S, ((label, seat),), (place,))


def _plays(rng: np.random.Generator) -> Iterator[Move]:
    works: dict[tuple[int, int], int] = {}
    for line in SCRIPT:
        start_s = _PLAY_FROM_S + line.beat * _BEAT_S + 0.07 * line.seat
        spots = [_by_hand(place, rng, 0.9) for place in _places(line, works)]
        cards = tuple((label, line.seat) for label in line.cards)
        places = tuple(replace(s, label=label) for s, label in zip(spots, line.cards, strict=True))
        yield Move(line.seat, start_s, start_s + _PLAY_TAKES_S, cards, places)


def sample_play() -> Play:
    """Return the clip's play: four work cards dealt to each, then 21 legal moves of Nertz."""
    rng = np.random.default_rng(SEED)
    seats = (
        Seat(Person(skin=1, sleeve=(112, 66, 34), seed=3), (690.0, -420.0), (700.0, -140.0)),
        Seat(Person(skin=4, sleeve=(62, 70, 168), seed=8), (510.0, 1096.0), (500.0, 820.0)),
    )
    start = _start(rng)
    moves = sorted((*_deals(rng), *_plays(rng)), key=lambda move: move.end_s)
    return Play(start, seats, tuple(moves))


def sample_studio() -> Studio:
    """Two decks on a green playmat on a wooden table, the camera 1.3 m above it."""
    mat = Tabletop(mat_mm=Box(38.0, 36.0, 1162.0, 640.0))
    return Studio(decks=deck_styles(2), tabletop=mat, seed=SEED)


def key_frames(play: Play) -> tuple[int, ...]:
    """Frames with no card in the air, about one a second: the first at rest in every second."""
    chosen: list[int] = []
    for frame in range(round(CLIP_S * FRAMES_PER_SECOND)):
        # A margin of two frames keeps the exposure clear of the moves.
        around = (frame - 2, frame, frame + 2)
        rests = all(is_at_rest(play, n / FRAMES_PER_SECOND) for n in around)
        due = not chosen or frame - chosen[-1] >= round(0.8 * FRAMES_PER_SECOND)
        if rests and due:
            chosen.append(frame)
    return tuple(chosen)


def _card_entry(card: CardTruth, studio: Studio) -> dict[str, object]:
    best = max(card.indices, key=lambda index: index.visible, default=None)
    return {
        "label": card.label,
        "card": card.card,
        "back": studio.decks[card.deck].back,
        "at_px": best.at_px if best else card.at_px,
        "middle_px": card.at_px,
        "quad_px": card.quad_px,
        "angle_deg": card.angle_deg,
        "visible": card.visible,
        "indices": [
            {"at_px": index.at_px, "quad_px": index.quad_px, "visible": index.visible}
            for index in card.indices
        ],
    }


def truth_entry(number: int, frame: Frame, studio: Studio) -> dict[str, object]:
    """Return the ground truth of one frame as JSON: all cards that can be seen."""
    seen = [card for card in frame.truth.cards if card.visible >= SEEN_SHARE]
    return {
        "frame": number,
        "t_s": round(number / FRAMES_PER_SECOND, 4),
        "cards": [_card_entry(card, studio) for card in seen],
        "hands": [{"box_px": box} for box in frame.truth.hands_px],
    }


class SampleError(Exception):
    """The clip cannot be made; the message is one line that says what to do."""


def _encoder(path: Path, studio: Studio, crf: int) -> subprocess.Popen[bytes]:
    program = shutil.which("ffmpeg")
    if program is None:
        raise SampleError("ffmpeg is not installed: install it (Debian: apt-get install ffmpeg)")
    size = f"{studio.camera.width_px}x{studio.camera.height_px}"
    source = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", size, "-r", str(FRAMES_PER_SECOND)]
    # BT.709 in limited range and the High profile are what every H.264 decoder reads alike.
    coding = ["-c:v", "libx264", "-preset", "slow", "-crf", str(crf), "-threads", "1"]
    matrix = "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
    tags = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
    command = [program, "-v", "error", "-y", *source, "-i", "-", "-vf", matrix, *coding, *tags]
    command += ["-movflags", "+faststart", str(path)]
    return subprocess.Popen(command, stdin=subprocess.PIPE)


def _send(encoder: subprocess.Popen[bytes], image: Image) -> None:
    if encoder.stdin is None:
        raise SampleError("ffmpeg takes no pictures: reinstall it")
    try:
        encoder.stdin.write(image.tobytes())
    except BrokenPipeError as stopped:
        raise SampleError("ffmpeg stopped: see its message above") from stopped


def make_sample(folder: Path, crf: int) -> None:
    """Render and encode the clip and its truth into `folder`. Raises SampleError."""
    folder.mkdir(parents=True, exist_ok=True)
    studio, play = sample_studio(), sample_play()
    renderer, keys = TableRenderer(studio), set(key_frames(play))
    at = partial(scene_at, play)
    video = folder / "demo.mp4"
    encoder = _encoder(video, studio, crf)
    entries = []
    for number in range(round(CLIP_S * FRAMES_PER_SECOND)):
        t_s = number / FRAMES_PER_SECOND
        if number not in keys:
            _send(encoder, renderer.picture(at, t_s))
            continue
        frame = renderer.render(at, t_s)
        _send(encoder, frame.image)
        entries.append(truth_entry(number, frame, studio))
    encoder.communicate()
    if encoder.returncode != 0:
        raise SampleError(f"ffmpeg ended with code {encoder.returncode}: see its message above")
    if video.stat().st_size > MOST_BYTES:
        raise SampleError(f"{video} is larger than {MOST_BYTES} bytes: give a higher --crf")
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    (folder / "demo.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 0 when the clip was made, 2 when it could not be."""
    parser = argparse.ArgumentParser(prog="python -m referee.simulate.sample", description=__doc__)
    data = Path(__file__).parent.parent / "data"
    parser.add_argument("--out", type=Path, default=data, help="folder for demo.mp4 and demo.json")
    parser.add_argument(
        "--crf", type=int, default=21, choices=range(52), metavar="0..51", help="H.264 quality"
    )
    options = parser.parse_args(arguments)
    try:
        make_sample(options.out, options.crf)
    except (SampleError, OSError) as problem:
        print(f"sample: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
