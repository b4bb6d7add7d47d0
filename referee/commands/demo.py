"""`referee demo`: the whole pipeline on the embedded sample clip, no hardware."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from tqdm import tqdm

from referee import app
from referee.app import Look
from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands._hosting import referee_game
from referee.commands._reading import (
    add_draw_option,
    add_reader_options,
    drawing_name,
    print_look,
)
from referee.commands._sample import Score, last_truth, score
from referee.games import game_names
from referee.screens.words import card_words
from referee.vision.address import SourceError
from referee.vision.detect import Reader
from referee.vision.frames import file_frames, frame_count
from referee.vision.gate import settled

EPILOG = """example:
  referee demo --headless
  referee demo nerves
  referee demo --json --draw drawn/

Plays the sample clip through: whenever something on the table is new and lies still, its cards
are read. At the end the last table is told in words, compared with the truth that the clip comes
with, and drawn. With a game, its sample match is refereed from video, from the first card to the
last, on the live page or (--headless) in the terminal."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "demo",
        help="the whole pipeline on the sample clip, no camera needed",
        description="Show the whole pipeline on the sample clip that comes with the referee.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="referee the sample match of a game"
    )
    parser.add_argument("--headless", action="store_true", help="no live page")
    add_draw_option(parser)
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the clip through. Raises BadInput."""
    if args.game is not None:
        return demo_game(args)
    truth = last_truth(app.DEMO_TRUTH)
    began_ns = time.monotonic_ns()
    last = play(args, app.open_reader(args.models, args.threads))
    if last is None:
        raise BadInput("demo: the table never lies still in the sample clip; install again")
    took_s = (time.monotonic_ns() - began_ns) / 1e9
    folder = args.draw or tempfile.mkdtemp(prefix="referee-demo-")
    drawn = app.DrawingFolder(folder).write(last, f"{drawing_name(last)}_last")
    tell_end(last, score(truth, last.sight.cards), took_s, drawn, args.json)
    return FINE


def demo_game(args: argparse.Namespace) -> int:
    """Referee a game's sample match from its video. Raises BadInput."""
    clip = app.DEMO_CLIP.with_name(f"{args.game}.mp4")
    if args.game not in game_names():
        raise BadInput(f"{args.game}: no such game; known: {', '.join(game_names())}")
    with tempfile.TemporaryDirectory(prefix="referee-demo-") as record:
        return referee_game(
            argparse.Namespace(
                **vars(args),
                source=str(clip),
                script=str(clip.with_suffix(".match")),
                record=record,
                film=False,
                players=None,
                option=[],
                deck=[],
                calibration=None,
                pads=None,
                pads_calibration=None,
                resume=False,
                host="127.0.0.1",
                frames=None,
                give_up=None,
            )
        )


def play(args: argparse.Namespace, reader: Reader) -> Look | None:
    """Read the clip at each rest and print it; returns the last look. Raises BadInput."""
    clip = app.find_source("demo")
    drawings = app.DrawingFolder(args.draw) if args.draw else None
    last = None
    total = frame_count(clip)
    with tqdm(file_frames(clip), "demo", total, unit="frame", leave=False, disable=None) as bar:
        try:
            for frame in settled(bar):
                last = app.look(reader, frame)
                with bar.external_write_mode():
                    print_look(last, args.json)
                if drawings is not None:
                    drawings.write(last, drawing_name(last))
        except SourceError as error:
            raise BadInput(f"{error}; install the referee again") from error
    return last


def tell_end(last: Look, result: Score, took_s: float, drawn: Path, as_json: bool) -> None:
    """Tell what lies on the last table, how much of it was right, and where it was drawn."""
    if as_json:
        print_json(
            {
                "demo": "end",
                "right": result.right,
                "wrong": result.wrong,
                "missed": result.missed,
                "took_s": round(took_s, 1),
                "drawn": str(drawn),
            }
        )
        return
    labels = sorted({card.label for card in last.sight.cards} - {"??", "BACK"})
    words = ", ".join(card_words(label) for label in labels) or "no card that could be read"
    cards = result.right + result.wrong + result.missed
    print(f"\nOn the table at the end: {words}.")
    print(
        f"Of {cards} cards that lie readable there, {result.right} were read right,"
        f" {result.wrong} wrong, {result.missed} not. The clip took {took_s:.1f} s."
    )
    print(f"The last table with the reads drawn in: {drawn}")
