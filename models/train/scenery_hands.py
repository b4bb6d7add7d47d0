"""Hand sprites: capsules drawn into a height field, lit, and coloured as skin, nails and sleeves.

A hand enters from the lower edge of its sprite: where forearm or fingers are cut, the cut is the
sprite's last row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scenery_drawing import Sprite, halved
from scenery_fabric import fabric_colours
from scenery_noise import Colour, Field, as_field, fractal
from scenery_skeleton import (
    POSES,
    Bend,
    Build,
    Capsule,
    Pose,
    Vector,
    forearm_capsules,
    hand_capsules,
    rotation,
    turned,
    view_matrix,
)
from scenery_skin import (
    LACQUERS,
    METALS,
    Canvas,
    Dress,
    add_tendons,
    lit,
    paint_backs,
    paint_band,
    paint_details,
    paint_skin,
    soft_box,
)
from scenery_surface import (
    Frame,
    Surface,
    surface_of,
)


def frame_of(bars: Sequence[Capsule], longest_px: int, cut_mm: float) -> Frame:
    """Return a grid just around the capsules, cut below `cut_mm`."""
    margin_mm = 6.0
    low = np.min(
        [np.minimum(b.a_mm, b.b_mm) - max(b.radius_a_mm, b.radius_b_mm) for b in bars], axis=0
    )
    high = np.max(
        [np.maximum(b.a_mm, b.b_mm) + max(b.radius_a_mm, b.radius_b_mm) for b in bars], axis=0
    )
    bottom_mm = max(float(low[1]) - margin_mm, cut_mm)
    width_mm = float(high[0] - low[0]) + 2 * margin_mm
    height_mm = float(high[1]) + margin_mm - bottom_mm
    px_per_mm = longest_px / max(width_mm, height_mm)
    shape_px = (max(8, int(height_mm * px_per_mm)), max(8, int(width_mm * px_per_mm)))
    return Frame(float(low[0]) - margin_mm, float(high[1]) + margin_mm, px_per_mm, shape_px)


def varied(rng: np.random.Generator, pose: Pose) -> Pose:
    """Return the pose as one person holds it once: every joint a little different."""
    common = rng.normal(0, 6)

    def bend(finger: Bend) -> Bend:
        a, b, c = finger.flex_deg
        noise = rng.normal(0, 4, 4)
        return Bend(
            finger.spread_deg + noise[3] * 0.6,
            (a + common + noise[0], b + common + noise[1], c + noise[2]),
        )

    first, second, third, fourth = (bend(finger) for finger in pose.fingers)
    return replace(
        pose,
        fingers=(first, second, third, fourth),
        thumb=bend(pose.thumb),
        roll_deg=pose.roll_deg + rng.normal(0, 9),
        pitch_deg=pose.pitch_deg + rng.normal(0, 8),
        wrist_deg=float(rng.normal(0, 12)),
    )


def chosen_dress(rng: np.random.Generator) -> Dress:
    """Bare or sleeved, with or without watch, ring and lacquer."""
    sleeved = rng.random() < 0.55
    start_mm = float(rng.choice([rng.uniform(-12, 25), rng.uniform(30, 130)])) if sleeved else None
    band = str(rng.choice(["none", "watch", "bracelet"], p=[0.66, 0.22, 0.12]))
    ring = int(rng.choice([-1, 2, 1, 0, 3], p=[0.68, 0.2, 0.05, 0.04, 0.03]))
    lacquer = LACQUERS[rng.integers(len(LACQUERS))] if rng.random() < 0.2 else None
    return Dress(start_mm, str(rng.choice(["shirt", "knit", "hoodie"])), band, ring, lacquer)


def paint_wrist_band(
    rng: np.random.Generator,
    canvas: Canvas,
    kind: str,
    below_mm: Field,
    arm: NDArray[np.bool_],
    frame: Frame,
    matrix: Vector,
    turn: Vector,
) -> None:
    """Paint a watch or a bracelet round the wrist."""
    place_mm = rng.uniform(8, 22)
    half_mm = rng.uniform(7, 11) if kind == "watch" else rng.uniform(1.5, 4)
    colours = (*METALS, (0.07, 0.07, 0.08), (0.30, 0.18, 0.10), (0.15, 0.2, 0.35))
    colour = colours[rng.integers(len(colours))]
    band = np.where(arm, soft_box(below_mm, place_mm - half_mm, place_mm + half_mm, 0.25), 0)
    paint_band(rng, canvas, as_field(band), colour, 1.6, 0.5)
    back = matrix @ np.array([0.0, 0.0, 1.0])
    if kind != "watch" or back[2] < 0.35:
        return
    centre = matrix @ turn @ np.array([0.0, -place_mm, 20.0])
    rows, columns = np.indices(frame.shape_px, dtype=np.float32)
    x = frame.left_mm + columns / frame.px_per_mm - centre[0]
    y = frame.top_mm - rows / frame.px_per_mm - centre[1]
    radius_mm = rng.uniform(15, 20)
    squareness = 2.0 if rng.random() < 0.6 else 5.0
    d = ((np.abs(x) / max(0.3, back[2])) ** squareness + np.abs(y) ** squareness) ** (
        1 / squareness
    )
    paint_band(
        rng,
        canvas,
        as_field(soft_box(as_field(d), -1, radius_mm, 0.25)),
        METALS[rng.integers(4)],
        2.5,
        0.6,
    )
    face: Colour = (0.05, 0.05, 0.06) if rng.random() < 0.6 else (0.93, 0.93, 0.9)
    paint_band(
        rng, canvas, as_field(soft_box(as_field(d), -1, radius_mm * 0.84, 0.25)), face, -0.3, 0.3
    )
    angle = np.arctan2(y, x)
    marks = (np.cos(angle * 12) > 0.93) & (np.abs(d / radius_mm - 0.72) < 0.07)
    canvas.colour[marks] = 1 - np.asarray(face, np.float32)


def dressed(
    rng: np.random.Generator,
    canvas: Canvas,
    surface: Surface,
    frame: Frame,
    pose: Pose,
    build: Build,
    dress: Dress,
) -> tuple[Surface, Field]:
    """Add the sleeve over the arm; returns the new outline and where skin shows."""
    skin = np.ones(frame.shape_px, np.float32)
    if dress.sleeve_start_mm is None:
        return surface, skin
    matrix = view_matrix(pose)
    extra_mm = {"shirt": 5.0, "knit": 6.5, "hoodie": 9.0}[dress.sleeve_kind] + rng.uniform(-1, 3)
    bars = [
        turned(b, matrix, build.size)
        for b in forearm_capsules(pose.wrist_deg, 420.0, extra_mm, "sleeve")
    ]
    cloth = surface_of(bars, frame, None)
    direction = (matrix @ rotation("z", pose.wrist_deg) @ np.array([0.0, -1.0, 0.0]))[:2]
    direction /= np.linalg.norm(direction) + 1e-9
    rows, columns = np.indices(frame.shape_px, dtype=np.float32)
    x, y = frame.left_mm + columns / frame.px_per_mm, frame.top_mm - rows / frame.px_per_mm
    along_mm = as_field(x * direction[0] + y * direction[1])
    side_mm = as_field(x * direction[1] - y * direction[0])
    edge_mm = (
        along_mm
        + 2.5 * np.cos(side_mm / 14)
        + 1.2 * fractal(rng, frame.shape_px, 26 * frame.px_per_mm, 2)
    )
    covered = (edge_mm > dress.sleeve_start_mm) & (cloth.outside_mm < 0)
    folds = fractal(rng, frame.shape_px, (16 * frame.px_per_mm, 40 * frame.px_per_mm), 3, 0.5)
    colour, weave_mm = fabric_colours(
        rng, dress.sleeve_kind, as_field(along_mm - dress.sleeve_start_mm), side_mm
    )
    canvas.colour[covered] = colour[covered]
    lift_mm = cloth.height_mm + 1.4 * folds + weave_mm
    canvas.height_mm[:] = np.where(covered, lift_mm, canvas.height_mm)
    canvas.gloss[covered] = 0
    skin[covered] = 0
    arm = np.isin(surface.winner, range(4)) & (edge_mm > dress.sleeve_start_mm)
    outside = np.where(
        covered,
        cloth.outside_mm,
        np.where(arm, np.maximum(surface.outside_mm, 1), surface.outside_mm),
    )
    outside = np.where(covered & (surface.outside_mm < outside), surface.outside_mm, outside)
    return Surface(as_field(outside), canvas.height_mm, surface.winner), skin


def hidden_under_card(pose: Pose, size: float, frame: Frame) -> NDArray[np.bool_] | None:
    """Return the pixels beyond the edge of a card that covers the fingers."""
    if not pose.hidden:
        return None
    rows = np.indices(frame.shape_px, dtype=np.float32)[0]
    hidden: NDArray[np.bool_] = frame.top_mm - rows / frame.px_per_mm > pose.edge_mm * size
    return hidden


def draw_hand(rng: np.random.Generator, number: int, longest_px: int = 512) -> Sprite:
    """One hand sprite: a random person, dress, pose and light."""
    pose = varied(rng, POSES[number % len(POSES)])
    lengths = tuple(float(v) for v in 1 + rng.normal(0, 0.04, 5))
    build = Build(float(rng.normal(0.98, 0.08)), float(rng.normal(1.0, 0.08)), 0.0, lengths)
    roll = rng.random()
    cut_mm = (
        rng.uniform(28, 75)
        if roll < 0.18
        else rng.uniform(-40, -10)
        if roll < 0.3
        else rng.uniform(-235, -120)
    )
    dress = chosen_dress(rng)
    bars = hand_capsules(pose, build, 420.0)
    frame = frame_of(bars, longest_px * 2, cut_mm * build.size)
    surface = surface_of(bars, frame, hidden_under_card(pose, build.size, frame))
    canvas = Canvas(
        np.zeros((*frame.shape_px, 3), np.float32),
        surface.height_mm.copy(),
        np.zeros(frame.shape_px, np.float32),
    )
    backs, flush = paint_backs(bars, surface, frame)
    paint_skin(rng, canvas, backs, flush)
    add_tendons(rng, canvas, bars, frame)
    paint_details(rng, canvas, bars, surface, frame, dress)
    if dress.wrist_band != "none":
        rows = np.indices(frame.shape_px, dtype=np.float32)[0]
        below_mm = as_field(-(frame.top_mm - rows / frame.px_per_mm))
        arm = np.isin(surface.winner, range(4))
        paint_wrist_band(
            rng,
            canvas,
            dress.wrist_band,
            below_mm,
            arm,
            frame,
            view_matrix(pose),
            rotation("z", pose.wrist_deg),
        )
    surface, skin = dressed(rng, canvas, surface, frame, pose, build, dress)
    rgb = lit(rng, canvas, frame.px_per_mm, skin, as_field(surface.outside_mm < 0))
    alpha = np.clip(0.5 - surface.outside_mm * frame.px_per_mm / 1.6, 0, 1)
    rgba = np.concatenate([np.clip(rgb, 0, 1), alpha[..., None]], axis=-1).astype(np.float32)
    if rng.random() < 0.5:
        rgba = rgba[:, ::-1]
    return halved(rgba, frame.px_per_mm, pose.name)
