"""The bones of a drawn hand: joints, radii and poses, in millimetres, seen as 3D capsules.

The hand lies with its back up: x to the little finger's side, y from wrist to fingertips, z up.
Lengths are those of an adult hand of 185 mm (general anatomy, rounded); poses were set by eye on
contact sheets.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Capsule:
    """A round bar between two points; `back` points to the back of the hand."""

    a_mm: Vector
    b_mm: Vector
    radius_a_mm: float
    radius_b_mm: float
    back: Vector
    part: str
    finger: int = -1
    blend_mm: float = 2.0


@dataclass(frozen=True)
class Bend:
    """How one finger is held: spread in the plane, then flexion at its three joints."""

    spread_deg: float
    flex_deg: tuple[float, float, float]


@dataclass(frozen=True)
class Pose:
    """A way to hold a hand; `hidden` fingers lie under a card from `edge_mm` of y on."""

    name: str
    fingers: tuple[Bend, Bend, Bend, Bend]
    thumb: Bend
    thumb_drop_deg: float = 12.0
    roll_deg: float = 0.0
    pitch_deg: float = 0.0
    wrist_deg: float = 0.0
    hidden: tuple[int, ...] = ()
    edge_mm: float = 1e9


@dataclass(frozen=True)
class Build:
    """A person's measures: overall size and how thick the fingers are."""

    size: float = 1.0
    thickness: float = 1.0
    nail_mm: float = 0.0
    lengths: tuple[float, ...] = field(default=(1.0, 1.0, 1.0, 1.0, 1.0))


KNUCKLES_MM = ((-27.0, 88.0, 0.0), (-8.0, 92.0, 3.0), (11.0, 87.0, 2.0), (28.0, 77.0, -2.0))
CARPALS_MM = ((-13.0, 10.0, 0.0), (-4.0, 9.0, 2.0), (6.0, 9.0, 2.0), (14.0, 10.0, 0.0))
BONES_MM = ((45.0, 26.0, 19.0), (50.0, 30.0, 20.0), (46.0, 28.0, 20.0), (36.0, 21.0, 18.0))
RADII_MM = (
    (10.2, 9.0, 8.0, 6.6),
    (10.4, 9.2, 8.1, 6.8),
    (9.8, 8.6, 7.7, 6.4),
    (8.6, 7.5, 6.8, 5.7),
)
THUMB_MM = (44.0, 34.0, 27.0)
THUMB_RADII_MM = (15.0, 11.5, 10.4, 7.8)


def rotation(axis: str, angle_deg: float) -> Vector:
    """Rotation matrix about x, y or z, shape (3, 3)."""
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    rows = {
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }
    return np.array(rows[axis], dtype=np.float64)


def finger_capsules(number: int, bend: Bend, build: Build) -> list[Capsule]:
    """Three capsules of one long finger (0 index to 3 little finger)."""
    place = np.array(KNUCKLES_MM[number])
    frame = rotation("z", -bend.spread_deg)
    bars: list[Capsule] = []
    for bone in range(3):
        frame = frame @ rotation("x", -bend.flex_deg[bone])
        length_mm = BONES_MM[number][bone] * build.lengths[number]
        tip = place + frame @ np.array([0.0, length_mm, 0.0])
        r_a, r_b = (RADII_MM[number][bone + i] * build.thickness for i in (0, 1))
        back = frame @ np.array([0.0, 0.0, 1.0])
        part = ("proximal", "middle", "distal")[bone]
        bars.append(Capsule(place, tip, r_a, r_b, back, part, number, 1.2))
        place = tip
    return bars


def thumb_capsules(bend: Bend, drop_deg: float, build: Build) -> list[Capsule]:
    """Metacarpal and two capsules of the thumb, whose nail faces aside."""
    place = np.array([-17.0, 16.0, -4.0])
    frame = rotation("z", bend.spread_deg) @ rotation("x", -drop_deg) @ rotation("y", -42.0)
    bars: list[Capsule] = []
    for bone in range(3):
        turn = bend.flex_deg[bone]
        frame = frame @ rotation("z", -turn * 0.75) @ rotation("x", -turn * 0.45)
        length_mm = THUMB_MM[bone] * build.lengths[4]
        tip = place + frame @ np.array([0.0, length_mm, 0.0])
        r_a, r_b = (THUMB_RADII_MM[bone + i] * build.thickness for i in (0, 1))
        back = frame @ np.array([0.0, 0.0, 1.0])
        part = ("thenar", "proximal", "distal")[bone]
        bars.append(Capsule(place, tip, r_a, r_b, back, part, 4, 7.0 if bone == 0 else 1.5))
        place = tip
    return bars


def palm_capsules(build: Build, thumb_joint_mm: Vector) -> list[Capsule]:
    """Metacarpals, the ball of the little finger and the web of the thumb."""
    up = np.array([0.0, 0.0, 1.0])
    bars = [
        Capsule(np.array(c), np.array(k), 14.5, 11.0 * build.thickness, up, "palm", -1, 7.0)
        for c, k in zip(CARPALS_MM, KNUCKLES_MM, strict=True)
    ]
    deep = np.array([0.0, 0.0, -6.0])
    bars.append(
        Capsule(np.array([16.0, 14, -4]), np.array([26.0, 62, -5]), 13, 11, up, "palm", -1, 7)
    )
    for c, k in ((0, 1), (1, 2), (2, 3)):
        a = (np.array(CARPALS_MM[c]) + np.array(CARPALS_MM[k])) / 2 + deep
        b = (np.array(KNUCKLES_MM[c]) + np.array(KNUCKLES_MM[k])) / 2 + deep - [0, 6, 0]
        bars.append(Capsule(a, b, 13, 10.5, up, "palm", -1, 7.0))
    knuckle = np.array(KNUCKLES_MM[0])
    web = thumb_joint_mm * 0.72 + np.array([-13.0, 12, -4]) * 0.28
    for share in (0.35, 0.6):
        middle = knuckle * (1 - share) * 0.9 + web * share
        bars.append(Capsule(np.array([-12.0, 30, -5]), middle + deep, 11, 7.5, up, "palm", -1, 9.0))
    return bars


def forearm_capsules(
    wrist_deg: float, length_mm: float, extra_mm: float, part: str
) -> list[Capsule]:
    """Two bars side by side from the wrist backwards, `extra_mm` thicker than the skin."""
    up = np.array([0.0, 0.0, 1.0])
    turn = rotation("z", wrist_deg)
    bars = []
    for side in (-1.0, 1.0):
        a = turn @ np.array([8.5 * side, 4.0, -1.0])
        m = turn @ np.array([10.0 * side, -70.0, -2.0])
        b = turn @ np.array([17.0 * side, -length_mm, -4.0])
        bars.append(Capsule(a, m, 17.5 + extra_mm, 20.0 + extra_mm, up, part, -1, 10.0))
        bars.append(Capsule(m, b, 20.0 + extra_mm, 27.0 + extra_mm, up, part, -1, 10.0))
    return bars


def turned(bar: Capsule, matrix: Vector, size: float) -> Capsule:
    """Return the capsule after rotation and scaling."""
    return Capsule(
        matrix @ bar.a_mm * size,
        matrix @ bar.b_mm * size,
        bar.radius_a_mm * size,
        bar.radius_b_mm * size,
        matrix @ bar.back,
        bar.part,
        bar.finger,
        bar.blend_mm * size,
    )


def hand_capsules(pose: Pose, build: Build, forearm_mm: float) -> list[Capsule]:
    """All skin capsules of the hand in its pose, rotated for the view."""
    thumb = thumb_capsules(pose.thumb, pose.thumb_drop_deg, build)
    bars = forearm_capsules(pose.wrist_deg, forearm_mm, 0.0, "forearm")
    bars += palm_capsules(build, thumb[0].b_mm) + thumb
    for number in range(4):
        bars += finger_capsules(number, pose.fingers[number], build)[
            : 1 if number in pose.hidden else 3
        ]
    matrix = view_matrix(pose)
    return [turned(bar, matrix, build.size) for bar in bars]


def view_matrix(pose: Pose) -> Vector:
    """Rotation from the hand to the camera."""
    return rotation("x", pose.pitch_deg) @ rotation("y", pose.roll_deg)


def _bends(*rows: tuple[float, float, float, float]) -> tuple[Bend, Bend, Bend, Bend]:
    first, second, third, fourth = (Bend(row[0], (row[1], row[2], row[3])) for row in rows)
    return first, second, third, fourth


POSES: tuple[Pose, ...] = (
    Pose(
        "open",
        _bends((-9, 6, 6, 4), (-2, 4, 6, 4), (6, 6, 6, 4), (17, 8, 6, 4)),
        Bend(48, (0, 8, 6)),
    ),
    Pose(
        "closed",
        _bends((-2, 8, 10, 6), (0, 8, 8, 6), (3, 8, 10, 6), (6, 10, 12, 6)),
        Bend(24, (4, 10, 8)),
    ),
    Pose(
        "relaxed",
        _bends((-5, 22, 30, 16), (-1, 26, 34, 18), (4, 30, 38, 20), (11, 32, 38, 20)),
        Bend(36, (6, 14, 16)),
    ),
    Pose(
        "slap",
        _bends((-13, -4, 2, 0), (-4, -4, 2, 0), (7, -4, 2, 0), (20, -2, 2, 0)),
        Bend(58, (-4, 2, 0)),
        4.0,
    ),
    Pose(
        "fist",
        _bends((-2, 62, 95, 60), (0, 66, 98, 60), (2, 70, 98, 60), (5, 72, 95, 60)),
        Bend(20, (18, 40, 45)),
        26.0,
    ),
    Pose(
        "point",
        _bends((-2, 6, 8, 5), (0, 62, 95, 55), (3, 68, 95, 55), (6, 70, 95, 55)),
        Bend(20, (16, 38, 30)),
        24.0,
    ),
    Pose(
        "two_fingers",
        _bends((-4, 24, 18, 10), (1, 24, 20, 10), (4, 66, 90, 50), (8, 70, 90, 50)),
        Bend(22, (16, 30, 25)),
        24.0,
    ),
    Pose(
        "pinch",
        _bends((2, 42, 38, 18), (3, 46, 42, 20), (6, 52, 50, 25), (10, 56, 55, 28)),
        Bend(16, (4, 12, 8)),
        26.0,
    ),
    Pose(
        "pinch_side",
        _bends((0, 38, 40, 20), (2, 42, 44, 22), (5, 48, 50, 25), (9, 52, 55, 28)),
        Bend(22, (2, 10, 6)),
        20.0,
        roll_deg=-48.0,
    ),
    Pose(
        "drop",
        _bends((-6, 36, 24, 12), (-2, 38, 26, 12), (5, 40, 28, 14), (12, 42, 30, 16)),
        Bend(30, (2, 12, 10)),
        26.0,
        pitch_deg=-18.0,
    ),
    Pose(
        "thumb_on_card",
        _bends((-2, 30, 34, 20), (0, 32, 36, 20), (2, 34, 38, 20), (4, 36, 40, 20)),
        Bend(34, (-6, 4, 2)),
        8.0,
        roll_deg=-78.0,
        hidden=(0, 1, 2, 3),
        edge_mm=98.0,
    ),
    Pose(
        "palm_thumb_on_card",
        _bends((-4, 12, 20, 12), (-1, 12, 22, 12), (4, 14, 24, 12), (9, 16, 26, 14)),
        Bend(30, (14, 8, 4)),
        22.0,
        roll_deg=-152.0,
        hidden=(0, 1, 2, 3),
        edge_mm=84.0,
    ),
    Pose(
        "fan",
        _bends((-2, 52, 62, 34), (0, 56, 66, 36), (2, 60, 68, 36), (5, 62, 70, 36)),
        Bend(40, (-4, 8, 4)),
        2.0,
        roll_deg=-62.0,
    ),
    Pose(
        "fan_fingers",
        _bends((-3, 34, 52, 30), (0, 36, 54, 30), (3, 40, 56, 32), (6, 44, 60, 32)),
        Bend(16, (6, 10, 6)),
        30.0,
        roll_deg=16.0,
    ),
    Pose(
        "side_flat",
        _bends((-2, 12, 14, 8), (0, 12, 14, 8), (2, 14, 16, 8), (4, 16, 18, 10)),
        Bend(26, (2, 10, 6)),
        14.0,
        roll_deg=-66.0,
    ),
    Pose(
        "little_side",
        _bends((-2, 30, 34, 16), (0, 34, 38, 18), (3, 38, 42, 20), (8, 40, 44, 22)),
        Bend(24, (6, 12, 10)),
        20.0,
        roll_deg=52.0,
    ),
    Pose(
        "palm_up",
        _bends((-7, 14, 18, 10), (-2, 14, 20, 12), (5, 16, 22, 12), (14, 18, 24, 12)),
        Bend(46, (4, 10, 8)),
        10.0,
        roll_deg=176.0,
    ),
    Pose(
        "reach",
        _bends((-7, 18, 20, 10), (-2, 20, 22, 12), (5, 22, 24, 12), (13, 26, 28, 14)),
        Bend(38, (2, 10, 8)),
        20.0,
        pitch_deg=22.0,
    ),
)
