"""Makes backgrounds and sprites for the rendered scenes that the card reader is trained on.

    python models/train/scenery.py --out models/train/data/scenery \
        --backgrounds 260 --hands 220 --objects 200

Most of it is drawn by our own code. A share of the backgrounds is cropped from pictures of these
Debian packages, when installed; no picture is ever committed or shipped:
plasma-workspace-wallpapers (GPL-2+), gnome-backgrounds (CC-BY-SA-3.0 and others by picture),
mate-backgrounds (GPL-2+, CC-BY-SA-4.0), ukui-wallpapers (CC-BY-SA-3.0), lomiri-wallpapers
(CC-BY-4.0, CC-BY-SA-3.0 and -4.0, CC0), the patterns of gimp-data (GPL-3+ with CC parts) and
krita-data (GPL-2+, GPL-3+ and freer), each as its own copyright file says, and pictures bundled
with scikit-image (CC0, public domain and others, named in its skimage.data documentation). The
fonts are those installed, so pictures repeat exactly only where the same packages are installed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from scenery_backgrounds import Background, draw_background
from scenery_drawing import Sprite
from scenery_hands import draw_hand
from scenery_noise import to_bytes
from scenery_objects import draw_object
from scenery_photos import photo_backgrounds
from scenery_print import NoFonts

# Backgrounds, hands and objects are drawn from separate seeds so that changing the number of one
# kind leaves the pictures of the others as they were.
SEED_OF_KIND = {"background": 11, "hand": 23, "object": 37}
BUDGET_BYTES = 22_000_000


@dataclass(frozen=True)
class Entry:
    """One line of index.json. `longest_mm` is None where the picture has no scale."""

    file: str
    kind: str
    name: str
    longest_mm: float | None
    held_out: bool


def is_held_out(number: int) -> bool:
    """Return whether a picture is kept from training: a third, drawn by lot.

    Kinds take turns by number, so every third number would hold whole kinds out.
    """
    return bool(np.random.default_rng([number, 7]).random() < 1 / 3)


def save_background(folder: Path, number: int, background: Background, held_out: bool) -> Entry:
    """Write one background and returns its line of the index."""
    file = f"backgrounds/{number:03d}_{background.name}.webp"
    Image.fromarray(to_bytes(background.rgb)).save(folder / file, quality=80, method=4)
    return Entry(file, "background", background.name, None, held_out)


def save_sprite(folder: Path, kind: str, number: int, sprite: Sprite) -> Entry:
    """Write one sprite and returns its line of the index."""
    file = f"sprites/{kind}/{number:03d}_{sprite.name}.webp"
    Image.fromarray(to_bytes(sprite.rgba)).save(folder / file, quality=85, method=4)
    return Entry(file, kind, sprite.name, round(sprite.longest_mm, 1), is_held_out(number))


def backgrounds(folder: Path, count: int, seed: int) -> Iterator[Entry]:
    """Drawn surfaces, then crops of installed pictures for about a third of the whole."""
    photos = photo_backgrounds(np.random.default_rng([seed, 51]), count * 3 // 10)
    for number in range(count - len(photos)):
        rng = np.random.default_rng([seed, SEED_OF_KIND["background"], number])
        yield save_background(folder, number, draw_background(rng, number), is_held_out(number))
    for offset, photo in enumerate(photos):
        number = count - len(photos) + offset
        yield save_background(folder, number, photo.background, photo.held_out)


def sprites(
    folder: Path,
    kind: str,
    count: int,
    seed: int,
    draw: Callable[[np.random.Generator, int], Sprite],
) -> Iterator[Entry]:
    """`count` sprites of one kind."""
    for number in range(count):
        rng = np.random.default_rng([seed, SEED_OF_KIND[kind], number])
        yield save_sprite(folder, kind, number, draw(rng, number))


def emptied(folder: Path) -> None:
    """Make the folders and removes pictures of an earlier run."""
    for name in ("backgrounds", "sprites/hand", "sprites/object"):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for old in (folder / name).glob("*.webp"):
            old.unlink()


def make_scenery(folder: Path, counts: tuple[int, int, int], seed: int) -> list[Entry]:
    """Write everything and index.json; `counts` are backgrounds, hands and objects."""
    emptied(folder)
    entries: list[Entry] = []
    stages = (
        backgrounds(folder, counts[0], seed),
        sprites(folder, "hand", counts[1], seed, draw_hand),
        sprites(folder, "object", counts[2], seed, draw_object),
    )
    for stage in stages:
        for entry in stage:
            entries.append(entry)
            if len(entries) % 40 == 0:
                print(f"{len(entries)} of {sum(counts)} pictures", flush=True)
        write_index(folder, entries)
    return entries


def write_index(folder: Path, entries: list[Entry]) -> None:
    """index.json: a list of entries, sorted by file."""
    lines = [asdict(entry) for entry in sorted(entries, key=lambda entry: entry.file)]
    (folder / "index.json").write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")


def whole_number(text: str) -> int:
    """Return a count from the command line; raises argparse's own error."""
    if not text.isdecimal() or int(text) > 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a count; give a number from 0 to 100000")
    return int(text)


def parsed(arguments: list[str]) -> argparse.Namespace:
    """Return the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("models/train/data/scenery"))
    parser.add_argument("--backgrounds", type=whole_number, default=260)
    parser.add_argument("--hands", type=whole_number, default=220)
    parser.add_argument("--objects", type=whole_number, default=200)
    parser.add_argument("--seed", type=whole_number, default=1)
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Run the command; returns its exit status."""
    wish = parsed(arguments)
    cv2.setNumThreads(1)
    try:
        entries = make_scenery(wish.out, (wish.backgrounds, wish.hands, wish.objects), wish.seed)
    except NoFonts as fault:
        print(f"scenery: {fault}", file=sys.stderr)
        return 1
    except OSError as fault:
        print(
            f"scenery: cannot write {fault.filename or wish.out}: {fault.strerror};"
            " choose another --out",
            file=sys.stderr,
        )
        return 1
    total = sum((wish.out / entry.file).stat().st_size for entry in entries)
    print(f"{len(entries)} pictures, {total / 1e6:.1f} MB, in {wish.out}")
    if total > BUDGET_BYTES:
        print(f"more than {BUDGET_BYTES / 1e6:.0f} MB: ask for fewer pictures", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
