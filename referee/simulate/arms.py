"""Hands with forearms and sleeves, modelled as a height field of round limbs and lit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.shapes import Colour
from referee.simulate.view import Light, to_linear

Field = NDArray[np.float32]

PX_PER_MM = 2.0
REACH_MM = 680.0
"""How far the drawn arm goes back from the fingertips: it leaves the picture before it ends."""
AHEAD_MM = 32.0
HALF_WIDTH_MM = 92.0

GRIPS = ("pinch", "open")
SKINS: tuple[Colour, ...] = (
    (168, 190, 232),
    (140, 168, 216),
    (104, 138, 196),
    (70, 100, 158),
    (48, 68, 112),
    (36, 48, 80),
)
"""Six skin tones from light to dark."""

_Joint = tuple[float, float, float, float]
"""x ahead, y to the left, height and radius of a joint, all in mm."""


@dataclass(frozen=True, slots=True)
class Person:
    """Whose arm it is: skin tone (0 to 5, light to dark), sleeve colour, bare arm below it.

    `size` is the hand's, 1 for a man's of average height; `glove` its colour, None for skin;
    `watch` the colour of a watch's strap.
    """

    skin: int = 1
    sleeve: Colour = (120, 70, 40)
    cuff_mm: float = 185.0
    seed: int = 0
    size: float = 1.0
    glove: Colour | None = None
    watch: Colour | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.skin < len(SKINS):
            raise ValueError(f"there are skin tones 0 to {len(SKINS) - 1}, not {self.skin}")


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm over the table: fingertips at `tip_mm`, coming from `shoulder_mm` off the table.

    `owner` tells one arm of a scene from another at the next moment (`A.R`).
    """

    person: Person
    tip_mm: tuple[float, float]
    shoulder_mm: tuple[float, float]
    height_mm: float
    grip: str = "pinch"
    left: bool = False
    owner: str = ""

    def __post_init__(self) -> None:
        if self.grip not in GRIPS:
            raise ValueError(f"there is no grip {self.grip!r}; use one of {GRIPS}")

    @property
    def angle_deg(self) -> float:
        """Where the arm points, counter-clockwise from the table's x axis."""
        ahead = np.subtract(self.tip_mm, self.shoulder_mm)
        return float(np.degrees(np.arctan2(ahead[1], ahead[0])))


@dataclass(frozen=True, slots=True)
class ArmSprite:
    """An arm drawn once: linear light and cover, PX_PER_MM samples a mm, pointing to +x."""

    light: Light
    cover: Field


def _fingers(grip: str) -> tuple[tuple[_Joint, ...], ...]:
    """Index, middle, ring and little finger, then the thumb, each from its knuckle."""
    if grip == "pinch":
        return (
            ((-83, 25, 27, 11.0), (-46, 27, 35, 9.4), (-20, 18, 22, 8.6), (-3, 10, 7, 7.2)),
            ((-79, 6, 30, 11.2), (-38, 5, 37, 9.6), (-10, 3, 23, 8.8), (6, 1, 7, 7.4)),
            ((-82, -13, 28, 10.6), (-47, -16, 34, 9.2), (-21, -15, 20, 8.4), (-6, -12, 6, 7.0)),
            ((-91, -30, 23, 9.4), (-66, -37, 27, 8.0), (-46, -36, 16, 7.3), (-34, -32, 5, 6.2)),
            ((-124, 27, 16, 14.5), (-93, 46, 13, 11.8), (-60, 43, 9, 10.0), (-33, 32, 4, 8.0)),
        )
    return (
        ((-83, 27, 20, 11.0), (-41, 40, 17, 9.4), (-16, 46, 13, 8.6), (5, 50, 9, 7.2)),
        ((-79, 7, 22, 11.2), (-32, 10, 18, 9.6), (-4, 12, 13, 8.8), (19, 13, 9, 7.4)),
        ((-82, -13, 21, 10.6), (-41, -20, 17, 9.2), (-15, -24, 13, 8.4), (5, -27, 9, 7.0)),
        ((-91, -31, 18, 9.4), (-62, -46, 14, 8.0), (-43, -54, 11, 7.3), (-27, -60, 8, 6.2)),
        ((-126, 26, 16, 14.5), (-100, 52, 14, 11.8), (-74, 68, 11, 10.0), (-48, 78, 8, 8.0)),
    )


def _palm() -> tuple[tuple[_Joint, ...], ...]:
    """Return the back of the hand: a limb to each knuckle, and the ball of the thumb."""
    return (
        ((-150, 12, 20, 19.0), (-83, 24, 24, 13.0)),
        ((-150, 4, 21, 20.0), (-79, 6, 26, 13.2)),
        ((-150, -4, 21, 20.0), (-82, -13, 25, 12.6)),
        ((-150, -11, 19, 18.0), (-91, -29, 20, 11.6)),
        ((-150, 12, 16, 17.0), (-122, 27, 15, 16.5)),
    )


def _forearm() -> tuple[_Joint, ...]:
    return ((-138, 0, 16, 27.0), (-200, 0, 16, 27.5), (-330, 0, 16, 37.0), (-700, 0, 16, 44.0))


class _Relief:
    """A height field in mm over the sprite's samples, built up limb by limb."""

    def __init__(self) -> None:
        columns = int((REACH_MM + AHEAD_MM) * PX_PER_MM)
        rows = int(2 * HALF_WIDTH_MM * PX_PER_MM)
        x_mm = (np.arange(columns, dtype=np.float32) + 0.5) / PX_PER_MM - REACH_MM
        y_mm = HALF_WIDTH_MM - (np.arange(rows, dtype=np.float32) + 0.5) / PX_PER_MM
        grid = np.meshgrid(x_mm, y_mm)
        self.x_mm: Field = np.asarray(grid[0])
        self.y_mm: Field = np.asarray(grid[1])
        self.height_mm: Field = np.full((rows, columns), -1.0, np.float32)

    def raise_limb(self, joints: tuple[_Joint, ...], flatness: float = 1.0) -> None:
        """Raise a chain of round cones; `flatness` below 1 makes their section an ellipse."""
        for start, end in pairwise(joints):
            self._raise_cone(np.array(start), np.array(end), flatness)

    def _raise_cone(
        self, start: NDArray[np.float64], end: NDArray[np.float64], flatness: float
    ) -> None:
        along = end[:2] - start[:2]
        reach = max(start[3], end[3]) + 1.0
        low, high = np.minimum(start, end)[:2] - reach, np.maximum(start, end)[:2] + reach
        area = self.area(float(low[0]), float(high[0]), float(low[1]), float(high[1]))
        x_mm, y_mm, below = self.x_mm[area], self.y_mm[area], self.height_mm[area]
        share = ((x_mm - start[0]) * along[0] + (y_mm - start[1]) * along[1]) / (along @ along)
        share = np.clip(share, 0.0, 1.0)
        z_mm, radius_mm = (start[k] + share * (end[k] - start[k]) for k in (2, 3))
        away_mm = np.hypot(x_mm - start[0] - share * along[0], y_mm - start[1] - share * along[1])
        inside = away_mm < radius_mm
        dome = z_mm + flatness * np.sqrt(np.maximum(radius_mm**2 - away_mm**2, 0.0))
        # A smooth maximum with a reach of 3 mm joins limbs as skin does.
        gap = np.clip(0.5 + (dome - below) / 6.0, 0.0, 1.0)
        blended = below + (dome - below) * gap + 3.0 * gap * (1 - gap)
        joined = np.where(below > 0, blended, dome)
        self.height_mm[area] = np.where(inside, joined, below).astype(np.float32)

    def area(
        self, left_mm: float, right_mm: float, low_mm: float, high_mm: float
    ) -> tuple[slice, slice]:
        """Index of the samples in a box."""
        rows, columns = self.height_mm.shape
        first, last = ((x + REACH_MM) * PX_PER_MM for x in (left_mm, right_mm))
        top, bottom = ((HALF_WIDTH_MM - y) * PX_PER_MM for y in (high_mm, low_mm))
        return (
            slice(max(0, int(top)), min(rows, int(bottom) + 2)),
            slice(max(0, int(first)), min(columns, int(last) + 2)),
        )


@dataclass(frozen=True, slots=True)
class _Model:
    """The unlit arm: slopes along x and y, hollows (0 to 1), colour and cover."""

    slope_x: Field
    slope_y: Field
    hollow: Field
    albedo: Light
    gloss: Field
    cover: Field


def _noise(seed: int, shape: tuple[int, int], blur: float) -> Field:
    grain = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), blur), dtype=np.float32)
    return np.asarray(grain / grain.std(), dtype=np.float32)


def _spot(
    onto: Field, relief: _Relief, at_mm: tuple[float, float], size_mm: tuple[float, float],
    angle_rad: float = 0.0, strength: float = 1.0,
) -> None:  # fmt: skip
    """Mark a soft spot, `size_mm` along and across its angle, where nothing stronger is marked."""
    far_mm = 1.5 * max(size_mm) + 1.0
    area = relief.area(at_mm[0] - far_mm, at_mm[0] + far_mm, at_mm[1] - far_mm, at_mm[1] + far_mm)
    dx, dy = relief.x_mm[area] - at_mm[0], relief.y_mm[area] - at_mm[1]
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    reach = np.hypot((dx * cos + dy * sin) / size_mm[0], (dy * cos - dx * sin) / size_mm[1])
    spot = strength * np.clip(1.5 - reach, 0.0, 1.0)
    onto[area] = np.maximum(onto[area], spot.astype(np.float32))


def _skin(relief: _Relief, person: Person, grip: str) -> tuple[Light, Field]:
    """Skin colour with red knuckles and fingertips, creases and nails; and its gloss."""
    if person.glove is not None:
        return _glove(relief, person.glove, person.seed)
    base = to_linear(np.array([[SKINS[person.skin]]], dtype=np.uint8))
    shape = relief.height_mm.shape
    mottle = 0.05 * _noise(person.seed, shape, 9.0) + 0.02 * _noise(person.seed + 1, shape, 1.2)
    red, dark = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    nail = np.zeros(shape, np.float32)
    for finger in _fingers(grip):
        for n, (joint, beyond) in enumerate(pairwise(finger)):
            angle = float(np.arctan2(beyond[1] - joint[1], beyond[0] - joint[0]))
            _spot(red, relief, joint[:2], (9, 9), strength=0.7)
            for step_mm in (-2.6, 0.0, 2.6):
                at = (joint[0] + step_mm * np.cos(angle), joint[1] + step_mm * np.sin(angle))
                if n > 0:
                    _spot(dark, relief, at, (0.55, joint[3] * 0.55), angle)
        before, tip = finger[-2], finger[-1]
        angle = float(np.arctan2(tip[1] - before[1], tip[0] - before[0]))
        _spot(red, relief, tip[:2], (10, 9))
        at = (tip[0] + 1.0 * np.cos(angle), tip[1] + 1.0 * np.sin(angle))
        _spot(nail, relief, at, (tip[3] * 0.66, tip[3] * 0.52), angle)
    nail = np.clip(nail * 3.0 - 0.9, 0, 1)
    tint = np.stack([1 - 0.22 * red, 1 - 0.15 * red, 1 + 0.04 * red], axis=-1)
    albedo = base * tint * (1 + mottle - 0.26 * dark)[..., None]
    pale = np.clip(base * (1.12, 1.10, 1.22) + 0.05, 0, 1)
    albedo = albedo * (1 - nail[..., None] * 0.75) + pale * nail[..., None] * 0.75
    return np.asarray(albedo, np.float32), np.asarray(0.05 + 0.22 * nail, np.float32)


def _glove(relief: _Relief, colour: Colour, seed: int) -> tuple[Light, Field]:
    """A knitted glove over hand and wrist."""
    shape = relief.height_mm.shape
    knit = 1.0 + 0.06 * np.sin(relief.x_mm * 2.2) * np.sin(relief.y_mm * 2.2)
    worn = knit + 0.06 * _noise(seed, shape, 2.5)
    albedo = to_linear(np.array([[colour]], dtype=np.uint8)) * worn[..., None]
    return np.asarray(albedo, np.float32), np.zeros(shape, np.float32)


def _strap(relief: _Relief, colour: Colour, albedo: Light) -> Light:
    """Put on a watch: a strap about the wrist and a dial on its back."""
    on_wrist = np.clip(10.5 - np.abs(relief.x_mm + 186.0), 0.0, 1.0) * (relief.height_mm > 0)
    dial = np.clip(18.0 - np.hypot(relief.x_mm + 186.0, relief.y_mm), 0.0, 1.0)
    face = np.clip(15.0 - np.hypot(relief.x_mm + 186.0, relief.y_mm), 0.0, 1.0)
    relief.height_mm += (2.0 * on_wrist + 4.0 * dial).astype(np.float32)
    for cover, ink in ((on_wrist, colour), (dial, (150, 156, 160)), (face, (228, 230, 230))):
        light = to_linear(np.array([[ink]], dtype=np.uint8))
        albedo = albedo * (1 - cover[..., None]) + light * cover[..., None]
    return np.asarray(albedo, np.float32)


def _dress(relief: _Relief, person: Person) -> Field:
    """Pull the sleeve over the forearm, with a hem and folds; return 1 where it is, else 0."""
    start = -person.cuff_mm
    sleeve: tuple[_Joint, ...] = (
        (start + 40.0, 0.0, 17.0, 34.0), (-330.0, 0.0, 17.0, 46.0), (-700.0, 0.0, 17.0, 58.0),
    )  # fmt: skip
    bare = relief.height_mm.copy()
    relief.height_mm[:] = -1.0
    relief.raise_limb(sleeve, 0.85)
    # Folds run across the sleeve and die out towards its sides.
    fold = _noise(person.seed + 2, relief.height_mm.shape, 11.0)
    sway = np.sin((relief.x_mm + 0.5 * np.abs(relief.y_mm) + 9 * fold) / 13.0)
    worn = relief.height_mm + (1.5 * sway + 1.6 * fold) * (relief.height_mm > 0)
    cut_mm = start - relief.y_mm**2 / 330.0
    hem = np.exp(-(((relief.x_mm - cut_mm + 6.0) / 4.5) ** 2)) * 2.2
    below = relief.x_mm < cut_mm
    covered = below & (relief.height_mm > 0)
    relief.height_mm = np.where(covered, worn + hem, bare).astype(np.float32)
    return covered.astype(np.float32)


def _model(person: Person, grip: str) -> _Model:
    relief = _Relief()
    relief.raise_limb(_forearm(), 0.8)
    for limb in (*_palm(), *_fingers(grip)[::-1]):
        relief.raise_limb(limb, 0.8)
    albedo, gloss = _skin(relief, person, grip)
    if person.watch is not None:
        albedo = _strap(relief, person.watch, albedo)
    sleeved = _dress(relief, person) > 0
    knit = np.sin(relief.y_mm * 2.4) * 0.05 + 0.07 * _noise(person.seed + 3, gloss.shape, 1.1)
    wool = to_linear(np.array([[person.sleeve]], dtype=np.uint8)) * (1 + knit)[..., None]
    albedo = np.where(sleeved[..., None], wool, albedo).astype(np.float32)
    solid = (relief.height_mm > 0).astype(np.float32)
    height = np.where(solid > 0, relief.height_mm, 0.0).astype(np.float32)
    smooth = cv2.GaussianBlur(height, (0, 0), 1.3 * PX_PER_MM)
    around = cv2.GaussianBlur(height, (0, 0), 6.0 * PX_PER_MM)
    hollow = np.clip((around - smooth) / 12.0, 0.0, 1.0)
    slope_y, slope_x = np.gradient(smooth, 1 / PX_PER_MM)
    cover = np.clip(cv2.GaussianBlur(solid, (0, 0), 0.9) * 1.6 - 0.3, 0.0, 1.0)
    return _Model(
        np.asarray(slope_x, np.float32), np.asarray(-slope_y, np.float32),
        np.asarray(hollow, np.float32), albedo,
        np.where(sleeved, 0.0, gloss).astype(np.float32), np.asarray(cover, np.float32),
    )  # fmt: skip


@lru_cache(maxsize=16)
def _cached_model(person: Person, grip: str) -> _Model:
    return _model(person, grip)


@lru_cache(maxsize=64)
def draw_arm(person: Person, grip: str, left: bool, lamp_from_deg: float) -> ArmSprite:
    """Light an arm: the lamp stands `lamp_from_deg` counter-clockwise of where the arm points.

    Lambert's law for skin and cloth, with hollows darkened, the skin's red glow in its shadow
    edge, and Blinn's highlight on nails.
    """
    model = _cached_model(person, grip)
    flip = -1.0 if left else 1.0
    turn = np.radians(lamp_from_deg)
    lamp = np.array([np.cos(turn) * 0.55, flip * np.sin(turn) * 0.55, 0.84])
    steep = np.sqrt(model.slope_x**2 + model.slope_y**2 + 1.0)
    facing = (lamp[2] - model.slope_x * lamp[0] - model.slope_y * lamp[1]) / steep
    lit = np.clip(facing, 0.0, 1.0)
    glow = np.clip(1.0 - np.abs(facing - 0.25) / 0.35, 0.0, 1.0) * (model.gloss > 0)
    shade = (0.30 + 0.74 * lit) * (1.0 - 0.55 * model.hollow)
    half = lamp + np.array([0.0, 0.0, 1.0])
    half /= np.linalg.norm(half)
    mirror = (half[2] - model.slope_x * half[0] - model.slope_y * half[1]) / steep
    shine = model.gloss * np.clip(mirror, 0.0, 1.0) ** 24
    light = model.albedo * shade[..., None]
    light[..., 2] *= 1.0 + 0.16 * glow
    light = (light + shine[..., None] * 0.55).astype(np.float32)
    if left:
        return ArmSprite(light[::-1].copy(), model.cover[::-1].copy())
    return ArmSprite(light, model.cover)
