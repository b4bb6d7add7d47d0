"""`referee simulate`: renders a scripted match as a table video with ground truth."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tqdm import tqdm

from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands._matches import read_match_file
from referee.simulate.acts import ScriptError
from referee.simulate.encoding import EncodingError, VideoFile
from referee.simulate.film import Film
from referee.simulate.staging import SIZES, Filming
from referee.simulate.telling import truth_json
from referee.table.layout import plan
from referee.values import Match

EPILOG = """example:
  referee simulate evening.match -o evening.mp4
  referee simulate evening.match -o evening.mp4 --truth evening.json --size 1080p --seed 4
  referee simulate examples.match --match NERVES-FULL -o nerves.mp4 --strength 2

Draws the cards, the table and the hands of any scripted match, as a camera above the table sees
them. --seed gives another deck, table, camera, light and people; --strength says how far the
picture is from an ideal one: 0 clean, 1 a usual room, 2 a bad one. --truth writes what is really
there: times of all events, places of all cards, hands, the camera (referee/simulate/telling.py
tells what stands in it)."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "simulate",
        help="render a scripted match as a video",
        description="Render a scripted match as a table video with ground truth.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("file", metavar="FILE", help="a .match file")
    parser.add_argument(
        "-o", "--output", metavar="VIDEO", required=True, type=Path, help="the video to write"
    )
    parser.add_argument("--match", metavar="ID", help="which match of the file (default its first)")
    parser.add_argument("--size", choices=tuple(SIZES), default="720p", help="default 720p")
    parser.add_argument("--fps", type=int, choices=(15, 25, 30, 60), default=30, help="default 30")
    parser.add_argument(
        "--seed", type=_seed, default=1, metavar="N", help="another room (default 1)"
    )
    parser.add_argument(
        "--strength", type=_strength, default=1.0, metavar="X", help="0 clean to 4 (default 1.0)"
    )
    parser.add_argument("--mat", action="store_true", help="print the zones' lines on the table")
    parser.add_argument("--truth", metavar="FILE.json", type=Path, help="write the ground truth")
    parser.add_argument(
        "--crf", type=int, default=20, choices=range(52), metavar="0..51",
        help="H.264 quality, lower is better (default 20)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one JSON object at the end")
    parser.set_defaults(run=run)


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) >= 2**31:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed; give a whole number from 0")
    return int(text)


def _strength(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 4.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no strength; give 0 to 4")
    return value


def run(args: argparse.Namespace) -> int:
    """Render the match. Raises BadInput."""
    match = _chosen(read_match_file(args.file), args.match, args.file)
    width_px, height_px = SIZES[args.size]
    filming = Filming(width_px, height_px, args.fps, args.seed, args.strength, args.mat)
    try:
        film = Film(match, plan(match.game, match.seats), filming)
        _write(film, args.output, args.crf)
    except (ScriptError, EncodingError, ValueError) as reason:
        raise BadInput(f"match {match.id}: {reason}") from None
    if args.truth is not None:
        _write_truth(film, args.truth)
    _tell(film, args)
    return FINE


def _chosen(matches: tuple[Match, ...], wanted: str | None, name: str) -> Match:
    if not matches:
        raise BadInput(f"{name}: there is no match in this file")
    if wanted is None:
        return matches[0]
    found = next((match for match in matches if match.id == wanted), None)
    if found is None:
        ids = " ".join(match.id for match in matches[:8])
        raise BadInput(f"{name}: there is no match {wanted}; it has {ids}")
    return found


def _write(film: Film, path: Path, crf: int) -> None:
    size_px = film.filming.width_px, film.filming.height_px
    with VideoFile(path, size_px, film.filming.fps, crf) as video:
        for number in tqdm(
            range(film.frame_count), "simulate", unit="frame", leave=False, disable=None
        ):
            video.write(film.picture(number))


def _write_truth(film: Film, path: Path) -> None:
    try:
        path.write_text(
            json.dumps(truth_json(film), separators=(",", ":")) + "\n", encoding="utf-8"
        )
    except OSError as reason:
        raise BadInput(f"{path}: {reason.strerror or 'cannot be written'}") from None


def _tell(film: Film, args: argparse.Namespace) -> None:
    late = [one for one in film.show.played if one.shift_s > 0]
    swapped = [one for one in film.show.played if one.note]
    if args.json:
        print_json(
            {
                "match": film.match.id, "video": str(args.output), "frames": film.frame_count,
                "fps": film.filming.fps, "lead_s": film.show.lead_s,
                "truth": str(args.truth) if args.truth else None,
                "events": len(film.match.events), "seen": len(film.show.played),
                "late": len(late), "late_s": round(max((o.shift_s for o in late), default=0.0), 3),
                "other_hand": len(swapped),
            }
        )  # fmt: skip
        return
    length_s = film.frame_count / film.filming.fps
    print(f"{args.output}: match {film.match.id}, {length_s:.1f} s, {film.frame_count} frames")
    if late:
        most_s = max(one.shift_s for one in late)
        print(
            f"{len(late)} events come up to {most_s:.2f} s late: no hand is as fast as the script"
        )
    if swapped:
        print(
            f"{len(swapped)} events are done by the player's other hand: the script's was not free"
        )
