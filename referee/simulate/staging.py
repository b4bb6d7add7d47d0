"""What a match is filmed with: camera, lens, lamp, table, decks and people, all by seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from referee.simulate.arms import SKINS, Person
from referee.simulate.backs import DESIGNS
from referee.simulate.cards import DeckStyle
from referee.simulate.cloth import Corners, Sticker, Tabletop
from referee.simulate.clutter import REACH_MM, THINGS, Thing
from referee.simulate.scene import Studio
from referee.simulate.shapes import Box, Colour
from referee.simulate.view import Camera, Lamp, Sensor
from referee.values import TablePlan, Zone

SIZES = {"360p": (640, 360), "720p": (1280, 720), "1080p": (1920, 1080)}

_MARGIN_MM = 22.0
"""This much beyond the table's edge is in the picture at least."""

_SURFACE_COLOURS: tuple[tuple[str, Colour], ...] = (
    ("wood", (70, 104, 152)), ("wood", (52, 74, 108)), ("wood", (120, 158, 192)),
    ("felt", (70, 92, 24)), ("felt", (110, 62, 28)), ("felt", (46, 44, 52)),
    ("plain", (196, 204, 210)), ("plain", (120, 92, 70)), ("plain", (74, 82, 132)),
)  # fmt: skip
_MAT_COLOURS: tuple[Colour, ...] = ((70, 92, 24), (52, 50, 56), (104, 66, 30), (60, 52, 122))
_SLEEVES: tuple[Colour, ...] = (
    (112, 66, 34), (62, 70, 168), (60, 60, 62), (150, 150, 146), (70, 110, 60), (36, 30, 34),
    (120, 70, 130), (60, 140, 190),
)  # fmt: skip
_GLOVES: tuple[Colour, ...] = ((44, 42, 40), (190, 196, 200), (150, 96, 60))


@dataclass(frozen=True, slots=True)
class Filming:
    """How a match is filmed. Raises ValueError for what no camera can do.

    `strength` scales everything that makes a picture less than ideal: 0 is a clean one, 1 the
    usual room, 2 a bad one. `mat` draws the zones' lines on the table.
    """

    width_px: int = 1280
    height_px: int = 720
    fps: int = 30
    seed: int = 1
    strength: float = 1.0
    mat: bool = False

    def __post_init__(self) -> None:
        if not (160 <= self.width_px <= 4096 and 90 <= self.height_px <= 2304):
            raise ValueError(
                f"a picture of {self.width_px} x {self.height_px} px cannot be rendered; "
                "give 160 x 90 to 4096 x 2304"
            )
        if not 1 <= self.fps <= 240:
            raise ValueError(f"{self.fps} frames a second cannot be rendered; give 1 to 240")
        if not 0.0 <= self.strength <= 4.0:
            raise ValueError(f"a strength of {self.strength} makes no picture; give 0 to 4")


def people(plan: TablePlan, seed: int, strength: float) -> tuple[Person, ...]:
    """Return the players' arms in order of the seats."""
    rng = np.random.default_rng([seed, 11])
    skins = rng.permutation(len(SKINS))
    sleeves = rng.permutation(len(_SLEEVES))
    found = []
    for k in range(len(plan.seats)):
        cuff_mm = float(rng.choice([175.0, 190.0, 240.0, 900.0], p=[0.35, 0.25, 0.15, 0.25]))
        gloved, watched = rng.random() < 0.05 * strength, rng.random() < 0.3 * min(strength, 1.5)
        found.append(
            Person(
                skin=int(skins[k % len(skins)]), sleeve=_SLEEVES[sleeves[k % len(sleeves)]],
                cuff_mm=cuff_mm, seed=int(rng.integers(1000)),
                size=float(rng.uniform(0.86, 1.1)),
                glove=_GLOVES[int(rng.integers(len(_GLOVES)))] if gloved else None,
                watch=(40, 36, 34) if watched and cuff_mm > 200.0 else None,
            )
        )  # fmt: skip
    return tuple(found)


def studio(plan: TablePlan, decks: int, filming: Filming) -> Studio:
    """Return all that stays while the cards move."""
    rng = np.random.default_rng([filming.seed, 12])
    camera = fitted_camera(plan, filming, rng)
    return Studio(
        decks=_decks(decks, rng), tabletop=_tabletop(plan, filming, camera, rng), camera=camera,
        lamp=_lamp(plan, filming.strength, rng), sensor=_sensor(filming, rng), seed=filming.seed,
    )  # fmt: skip


def fitted_camera(plan: TablePlan, filming: Filming, rng: np.random.Generator) -> Camera:
    """Return a camera over the table that sees all of it, seat A at the lower edge."""
    width_mm, depth_mm = plan.table_mm
    strength = filming.strength
    half_view_deg = float(rng.uniform(27.0, 35.0))
    focal_px = filming.width_px / 2 / np.tan(np.radians(half_view_deg))
    shift = rng.normal(0.0, 0.02 * strength, 2) * (width_mm, depth_mm)
    lean = rng.normal(0.0, 0.035 * strength, 2) * (width_mm, depth_mm)
    roll_deg = float(np.clip(rng.normal(0.0, 0.7), -2.0, 2.0)) * strength
    k1 = float(rng.uniform(-0.09, 0.02)) * strength
    distance_mm = focal_px * max(width_mm / filming.width_px, depth_mm / filming.height_px)
    middle = (width_mm / 2, depth_mm / 2)
    while True:
        camera = Camera(
            filming.width_px, filming.height_px, float(focal_px),
            (middle[0] + float(shift[0] + lean[0]), middle[1] + float(shift[1] + lean[1]),
             float(distance_mm)),
            (middle[0] + float(shift[0]) * 0.3, middle[1] + float(shift[1]) * 0.3),
            roll_deg, k1, -0.2 * k1,
        )  # fmt: skip
        if _sees_all(camera, plan):
            return camera
        distance_mm *= 1.01


def _sees_all(camera: Camera, plan: TablePlan) -> bool:
    (width_mm, depth_mm), m = plan.table_mm, _MARGIN_MM
    corners = np.array([
        (-m, -m, 0.0), (width_mm + m, -m, 0.0), (width_mm + m, depth_mm + m, 0.0),
        (-m, depth_mm + m, 0.0),
    ])  # fmt: skip
    seen = camera.project(corners)
    low, high = seen.min(axis=0), seen.max(axis=0)
    return bool(low.min() >= 0 and high[0] < camera.width_px and high[1] < camera.height_px)


def _decks(count: int, rng: np.random.Generator) -> tuple[DeckStyle, ...]:
    """Decks of one make, told apart by their backs."""
    backs = rng.permutation(len(DESIGNS))
    jumbo, four = bool(rng.random() < 0.2), bool(rng.random() < 0.15)
    style = DeckStyle(
        indices=4 if rng.random() < 0.25 and not jumbo else 2, jumbo=jumbo, four_colours=four,
        paper=(float(rng.uniform(236, 252)), float(rng.uniform(241, 253)), 254.0),
        red=(float(rng.uniform(30, 60)), float(rng.uniform(20, 45)), float(rng.uniform(185, 225))),
    )  # fmt: skip
    return tuple(replace(style, back=DESIGNS[backs[k % len(backs)]].name) for k in range(count))


def _tabletop(
    plan: TablePlan, filming: Filming, camera: Camera, rng: np.random.Generator
) -> Tabletop:
    surface, colour = _SURFACE_COLOURS[int(rng.integers(len(_SURFACE_COLOURS)))]
    width_mm, depth_mm = plan.table_mm
    on_mat = filming.mat or rng.random() < 0.5
    mat = Box(-4.0, -4.0, width_mm + 4.0, depth_mm + 4.0) if on_mat else None
    stickers = tuple(Sticker(m.dictionary, m.id, m.corners_mm) for m in plan.markers)
    lines = tuple(_outline(zone) for zone in plan.zones) if filming.mat else ()
    mat_colour = _MAT_COLOURS[int(rng.integers(len(_MAT_COLOURS)))]
    things = tuple(_clutter(plan, camera, filming.strength, rng))
    return Tabletop(surface, colour, mat, mat_colour, stickers, lines, things)


def _clutter(
    plan: TablePlan, camera: Camera, strength: float, rng: np.random.Generator
) -> Iterator[Thing]:
    """Yield things that lie beside the game where the camera sees them and no arm passes."""
    x_mm, y_mm = camera.table_map()
    count = int(rng.poisson(1.6 * strength))
    ends = {place.edge for place in plan.seats}
    taken: list[tuple[float, float]] = []
    for _ in range(count):
        kind = THINGS[int(rng.integers(len(THINGS)))]
        reach_mm = REACH_MM[kind] + 12.0
        side = "west" if rng.random() < 0.5 else "east"
        low, high = float(x_mm.min()) + 20.0, -reach_mm
        if side == "east":
            low, high = plan.table_mm[0] + reach_mm, float(x_mm.max()) - 20.0
        at_y = float(rng.uniform(0.1, 0.9)) * float(y_mm.max() - y_mm.min()) + float(y_mm.min())
        at_x = float(rng.uniform(min(low, high), max(low, high)))
        clear = all(np.hypot(at_x - x, at_y - y) > 150.0 for x, y in taken)
        if side not in ends and low < high and clear:
            taken.append((at_x, at_y))
            colour = _SLEEVES[int(rng.integers(len(_SLEEVES)))]
            yield Thing(kind, (at_x, at_y), float(rng.uniform(0, 360)), colour)


def _outline(zone: Zone) -> Corners:
    turn = np.radians(zone.angle_deg)
    right = np.array([np.cos(turn), -np.sin(turn)]) * zone.w_mm / 2
    up = np.array([np.sin(turn), np.cos(turn)]) * zone.h_mm / 2
    middle = np.array(zone.center_mm)
    a, b, c, d = (
        (float(p[0]), float(p[1]))
        for p in (
            middle - right + up,
            middle + right + up,
            middle + right - up,
            middle - right - up,
        )
    )
    return a, b, c, d


def _lamp(plan: TablePlan, strength: float, rng: np.random.Generator) -> Lamp:
    turn = rng.uniform(0, 2 * np.pi)
    slant = float(rng.uniform(0.15, 0.5)) * min(1.0 + 0.3 * (strength - 1.0), 1.5)
    warm = float(rng.normal(0.0, 0.03)) * strength
    glare = float(rng.uniform(0.0, 0.12)) * strength if rng.random() < 0.5 else 0.0
    half_mm = 1150.0 / max(0.25, strength)
    return Lamp(
        shadow_mm=(float(np.cos(turn)) * slant, float(np.sin(turn)) * slant),
        softness=float(rng.uniform(0.12, 0.3)),
        brightest_mm=_somewhere(plan, rng),
        half_light_mm=max(700.0, half_mm),
        tone=(0.95 - warm, 0.985, 0.985 + warm * 0.7),
        glare=glare,
        glare_mm=_somewhere(plan, rng),
    )  # fmt: skip


def _somewhere(plan: TablePlan, rng: np.random.Generator) -> tuple[float, float]:
    x, y = rng.uniform(0.1, 0.9, 2)
    return float(x) * plan.table_mm[0], float(y) * plan.table_mm[1]


def _sensor(filming: Filming, rng: np.random.Generator) -> Sensor:
    strength = filming.strength
    larger = filming.height_px / 1080.0
    return Sensor(
        blur_px=float(rng.uniform(0.45, 0.8)) * max(0.5, strength) * max(larger, 0.5),
        brightness=0.94 * float(np.exp(rng.normal(0.0, 0.10) * strength)),
        exposure_ms=float(rng.uniform(5.0, 12.0)) * (0.5 + 0.5 * strength),
        readout_ms=float(rng.uniform(7.0, 22.0)) * min(strength, 1.2),
        flicker=float(rng.uniform(0.0, 0.03)) * strength,
        mains_hz=float(rng.choice([50.0, 60.0])), drift=float(rng.uniform(0.0, 0.045)) * strength,
        read_noise=0.9 * strength, shot_noise=1.5 * strength, vignetting=0.16 * min(strength, 1.5),
        jpeg_quality=int(rng.uniform(80, 95) - 8 * (strength - 1.0)) if strength > 0 else None,
    )  # fmt: skip
