"""`referee calibrate deck`: learns a deck that is spread out or leafed through under the camera."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee import app
from referee.app.deck_choice import DECKS
from referee.commands import FINE, NO, BadInput, print_json, tell, wide_help
from referee.commands._calibration import add_source
from referee.commands._reading import add_reader_options
from referee.vision.address import SYNTAX, Address, SourceError
from referee.vision.camera import News, news_text
from referee.vision.deck_file import good_name, write_deck
from referee.vision.deck_gather import DeckGathering, Gathered
from referee.vision.deck_profile import DeckProfile, cards_of_kind
from referee.vision.detect import Reader
from referee.vision.frames import Frame, Image, file_frames

EPILOG = """example:
  referee calibrate deck --source camera:0 --deck-name red
  referee calibrate deck --source photos/ --deck-name blue --json
  referee see table.jpg --deck red

Spread the deck so that each card's index shows, or leaf through it card by card; several pictures
are better than one. Lay one card face down as well: by its back the deck is told from others; turn
the whole deck over and spread it once more, and cards with another back are found.
It ends when every card was seen, or with Ctrl-C. What was learned stands in NAME.toml, NAME.npz
and, to look at, NAME.png."""

# A minute without a new card ends it: what is missing then is missing.
PATIENCE_S = 60.0
# Of a video so many pictures a second are looked at, and only those that show something new: the
# mean difference of two small grey pictures, of 255; sensors' noise gives 1.
LOOKS_A_SECOND, NEW = 4.0, 1.5
SMALL_PX = (160, 90)
LEAST_CARDS = 8
SHEET_COLUMNS = 13


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One picture to learn from; `follows` if it shows the same table as the one before."""

    image_bgr: Image
    follows: bool


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register what can be calibrated."""
    parser = subparsers.add_parser(
        "deck",
        help="a deck's indices and its back",
        description="Learn a deck, and find out whether cards of it are missing or double.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    add_source(parser, SYNTAX)
    parser.add_argument("--deck-name", metavar="NAME", default="deck", help="how to call it")
    parser.add_argument(
        "-o", "--out", metavar="FILE.toml", help=f"the file to write (default {DECKS}/NAME.toml)"
    )
    add_reader_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn the deck; returns 1 if cards are missing, double or of another. Raises BadInput."""
    name = args.deck_name
    if not good_name(name):
        raise BadInput(f"--deck-name {name}: use up to 40 small letters, digits, - and _")
    path = Path(args.out) if args.out else DECKS / f"{name}.toml"
    if path.suffix != ".toml":
        raise BadInput(f"-o {path}: name a file that ends in .toml")
    reader = app.open_reader(args.models, args.threads, language=args.language)
    gathering = DeckGathering(reader, args.language)
    found, last = learned(gathering, app.find_source(args.source), name)
    profile = found.profile
    if len(set(profile.labels)) < LEAST_CARDS:
        raise BadInput(
            f"{args.source}: only {len(set(profile.labels))} cards were read there; "
            "show a deck face up, nearer or in better light"
        )
    save(profile, path)
    before, after = tested(args, reader, profile, last)
    show(args, found, path, (before, after))
    return FINE if profile.complete and not found.strange else NO


def learned(gathering: DeckGathering, address: Address, name: str) -> tuple[Gathered, Image]:
    """Look at all pictures of a source; returns what was learned and the last picture."""
    last: Image | None = None
    known, since_s = 0, time.monotonic()
    try:
        for shown in pictures(address):
            gathering.take(shown.image_bgr, follows=shown.follows)
            last = shown.image_bgr
            found = gathering.gathered(name)
            if (now := len(set(found.profile.labels))) > known:
                known, since_s = now, time.monotonic()
                tell(progress(found.profile))
            done = not found.profile.missing and len(found.profile.backs) > 0
            if address.kind.live and (done or time.monotonic() - since_s > PATIENCE_S):
                break
    except KeyboardInterrupt:
        pass
    except SourceError as error:
        raise BadInput(str(error)) from error
    if last is None:
        raise BadInput(f"{address.shown}: it shows no picture")
    return gathering.gathered(name), last


def progress(profile: DeckProfile) -> str:
    """Say how far the deck is learned."""
    whole = len(cards_of_kind(profile.kind))
    left = f"; not yet {' '.join(profile.missing)}" if 0 < len(profile.missing) <= 8 else ""
    back = "" if len(profile.backs) else "; no back yet"
    return f"{whole - len(profile.missing)} of {whole} cards{left}{back}"


def pictures(address: Address) -> Iterator[Shown]:
    """Yield the pictures worth a look. Raises BadInput, SourceError."""
    if not address.kind.live:
        for file in app.find_files(address):
            yield from new_ones(file_frames(file))
        return
    source = app.open_live(address)
    try:
        frames = app.live_frames(source, PATIENCE_S)
        yield from new_ones(frame for frame in frames if not told(frame))
    finally:
        source.close()


def told(got: Frame | News) -> bool:
    """Tell a live source's news; returns whether it was one."""
    if isinstance(got, News):
        tell(news_text(got))
        return True
    return False


def new_ones(frames: Iterator[Frame | News]) -> Iterator[Shown]:
    """Yield still pictures, and of videos what shows something new, a few a second."""
    small: NDArray[np.float32] | None = None
    next_ns = 0
    for frame in frames:
        assert isinstance(frame, Frame)
        if frame.t_ns is not None and small is not None and frame.t_ns < next_ns:
            continue
        grey = cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY)
        now = cv2.resize(grey, SMALL_PX, interpolation=cv2.INTER_AREA).astype(np.float32)
        if small is not None and float(np.abs(now - small).mean()) < NEW:
            continue
        yield Shown(frame.image_bgr, small is not None)
        small, next_ns = now, (frame.t_ns or 0) + int(1e9 / LOOKS_A_SECOND)


def save(profile: DeckProfile, path: Path) -> None:
    """Write the deck and the picture of it. Raises BadInput."""
    try:
        write_deck(profile, path)
        good, data = cv2.imencode(".png", sheet(profile))
        if good:
            path.with_suffix(".png").write_bytes(data.tobytes())
    except OSError as reason:
        raise BadInput(f"{path}: {reason.strerror or 'cannot be written'}") from None


def sheet(profile: DeckProfile) -> Image:
    """Draw each card's best index, in the order of the deck, empty where it is missing."""
    cards = cards_of_kind(profile.kind)
    side = profile.crops.shape[1]
    rows = -(-len(cards) // SHEET_COLUMNS)
    out = np.full((rows * side, SHEET_COLUMNS * side, 3), 255, np.uint8)
    for k, card in enumerate(cards):
        if card in profile.labels:
            y, x = (k // SHEET_COLUMNS) * side, (k % SHEET_COLUMNS) * side
            out[y : y + side, x : x + side] = profile.crops[profile.labels.index(card)]
    return out


def tested(
    args: argparse.Namespace, reader: Reader, profile: DeckProfile, picture: Image
) -> tuple[int, int]:
    """Return how many indices of the last picture are named without and with the deck."""
    knowing = app.open_reader(
        args.models, args.threads, language=args.language, profiles=(profile,)
    )
    both = [one.read(picture).cards for one in (reader, knowing)]
    names = [sum(card.label not in ("??", "BACK") for card in cards) for cards in both]
    return names[0], names[1]


def show(args: argparse.Namespace, found: Gathered, path: Path, named: tuple[int, int]) -> None:
    """Print what was found."""
    profile = found.profile
    if args.json:
        print_json(
            {
                "file": str(path),
                "deck": profile.name,
                "cards": profile.kind,
                "seen": len(cards_of_kind(profile.kind)) - len(profile.missing),
                "missing": list(profile.missing),
                "double": list(profile.double),
                "again": list(found.again),
                "jokers": profile.jokers,
                "backs": len(profile.backs),
                "strange": [asdict(one) for one in found.strange],
                "unread": found.unread,
                "named_without": named[0],
                "named_with": named[1],
            }
        )
        return
    print(f"{path}: {progress(profile).split(';')[0]}, jokers in one picture: {profile.jokers}")
    if profile.missing:
        print(f"not seen: {' '.join(profile.missing)}")
    if profile.double:
        print(f"twice in one picture: {' '.join(profile.double)}")
    if found.again:
        again = " ".join(found.again)
        print(f"seen again after other cards: {again} (two of them, unless you showed it twice)")
    for one in found.strange:
        x, y = (round(at) for at in one.at_px)
        print(
            f"a card with another back: picture {one.picture}, {x} px from the left, {y} from above"
        )
    if not len(profile.backs):
        print("its back was not seen: lay a card face down to have the deck told from others")
    print(
        f"test on the last picture: {named[0]} indices named without the deck, {named[1]} with it"
    )
    print(f"{path.with_suffix('.png')}: what was learned, to look at")
