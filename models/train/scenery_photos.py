"""Backgrounds cropped from pictures that installed packages hold."""

from __future__ import annotations

import importlib.util
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from scenery_backgrounds import Background
from scenery_cloth import SIDE_PX
from scenery_noise import Rgb, as_field, expose, lamp_light

WALLPAPERS = ("/usr/share/wallpapers", "/usr/share/backgrounds")
PATTERNS = ("/usr/share/gimp/2.0/patterns", "/usr/share/krita/patterns")
# Pictures of scikit-image that show a surface, a room or a landscape.
BUNDLED = (
    "brick.png", "coffee.png", "chelsea.png", "grass.png", "gravel.png", "motorcycle_left.png",
    "page.png", "text.png", "coins.png", "rocket.jpg", "hubble_deep_field.jpg", "retina.jpg",
)  # fmt: skip


@dataclass(frozen=True)
class Photo:
    """A crop and whether its source picture is held out."""

    background: Background
    held_out: bool


def wallpaper_files() -> list[Path]:
    """One file for each wallpaper (the largest), sorted."""
    best: dict[str, Path] = {}
    for root in WALLPAPERS:
        for path in sorted(Path(root).rglob("*")):
            if (
                path.suffix.lower() not in (".jpg", ".jpeg", ".png", ".webp")
                or "screenshot" in path.name
            ):
                continue
            key = str(path.parent) if path.parent.name.startswith("images") else str(path)
            if key not in best or path.stat().st_size > best[key].stat().st_size:
                best[key] = path
    return [best[key] for key in sorted(best)]


def bundled_files() -> list[Path]:
    """Return the pictures that scikit-image carries, if it is installed."""
    spec = importlib.util.find_spec("skimage")
    if spec is None or spec.origin is None:
        return []
    folder = Path(spec.origin).parent / "data"
    return [folder / name for name in BUNDLED if (folder / name).is_file()]


def pattern_files() -> list[Path]:
    """Tileable patterns of the painting programs."""
    found = [
        p
        for root in PATTERNS
        for p in sorted(Path(root).rglob("*"))
        if p.suffix in (".pat", ".png", ".jpg")
    ]
    return [path for path in found if path.stat().st_size > 12_000]


def read_pattern(path: Path) -> Rgb | None:
    """Return a GIMP pattern (version 1: six big-endian words, name, pixels) or a plain picture."""
    if path.suffix != ".pat":
        return read_picture(path)
    data = path.read_bytes()
    if len(data) < 24:
        return None
    header, version, width_px, height_px, planes, magic = struct.unpack(">5I4s", data[:24])
    body = data[header : header + width_px * height_px * planes]
    if version != 1 or magic != b"GPAT" or len(body) != width_px * height_px * planes:
        return None
    pixels = np.frombuffer(body, np.uint8).reshape(height_px, width_px, planes)
    rgb = pixels[..., :3] if planes >= 3 else np.repeat(pixels[..., :1], 3, axis=2)
    return as_field(rgb / 255)


def read_picture(path: Path) -> Rgb | None:
    """Return a picture as RGB, or None where it cannot be read."""
    try:
        with Image.open(path) as picture:
            picture.draft("RGB", (1920, 1200))
            picture.thumbnail((1920, 1920))
            return as_field(np.asarray(picture.convert("RGB")) / 255)
    except (OSError, ValueError):
        return None


def tiled(rng: np.random.Generator, tile: Rgb) -> Rgb:
    """Return a pattern repeated to the background's size at a random scale, as cloth or mat."""
    scale = rng.uniform(0.6, 2.0)
    tile = as_field(
        cv2.resize(
            tile,
            None,
            fx=scale,
            fy=scale,
            interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
        )
    )
    rows, columns = (-(-2 * SIDE_PX // max(1, side)) for side in tile.shape[:2])
    wide = np.tile(tile, (rows, columns, 1))
    top, left = (int(rng.integers(0, side - SIDE_PX + 1)) for side in wide.shape[:2])
    return as_field(wide[top : top + SIDE_PX, left : left + SIDE_PX])


def cropped(rng: np.random.Generator, picture: Rgb) -> Rgb:
    """Return a square part of a picture, a third to all of its short side."""
    short_px = min(picture.shape[:2])
    side_px = max(32, int(short_px * rng.uniform(0.35, 1.0)))
    top, left = (int(rng.integers(0, side - side_px + 1)) for side in picture.shape[:2])
    part = picture[top : top + side_px, left : left + side_px]
    shrink = cv2.INTER_AREA if side_px > SIDE_PX else cv2.INTER_CUBIC
    return as_field(cv2.resize(part, (SIDE_PX, SIDE_PX), interpolation=shrink))


def room(rng: np.random.Generator, picture: Rgb) -> Background:
    """Return a crop as a far, often out-of-focus room or as a printed mat lying on the table."""
    image = cropped(rng, picture)
    if rng.random() < 0.55:
        image = as_field(cv2.GaussianBlur(image, (0, 0), rng.uniform(2, 14)))
        return Background(expose(rng, image), "room")
    image = image * lamp_light(rng, (SIDE_PX, SIDE_PX), 0.25)[..., None]
    return Background(expose(rng, image), "picture")


def pattern(rng: np.random.Generator, tile: Rgb) -> Background:
    """Return a pattern as a surface under a lamp."""
    image = tiled(rng, tile) * lamp_light(rng, (SIDE_PX, SIDE_PX), 0.3)[..., None]
    return Background(expose(rng, as_field(image)), "pattern")


def split(files: Sequence[Path]) -> dict[Path, bool]:
    """Which source files are held out: every third, so that no source is on both sides."""
    return {path: number % 3 == 2 for number, path in enumerate(files)}


def photo_backgrounds(rng: np.random.Generator, count: int) -> list[Photo]:
    """At most `count` crops, a third of them patterns; none where no picture is installed."""
    pictures, patterns = split(wallpaper_files() + bundled_files()), split(pattern_files())
    photos: list[Photo] = []
    for make, read, sources, wanted in (
        (room, read_picture, pictures, count - count // 3),
        (pattern, read_pattern, patterns, count // 3),
    ):
        order = [list(sources)[i] for i in rng.permutation(len(sources))]
        repeats = -(-wanted // max(1, len(order)))
        for path in (order * repeats)[:wanted]:
            image = read(path)
            if image is not None and min(image.shape[:2]) >= 32:
                photos.append(Photo(make(rng, image), sources[path]))
    return photos
