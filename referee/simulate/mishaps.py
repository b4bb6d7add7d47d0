"""What goes wrong while a film is shot: a bumped camera, lights off, somebody in the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.simulate.flights import Dark
from referee.simulate.scene import Blocker, Nudge
from referee.simulate.spots import Spots
from referee.values import TablePlan

_BUMP_S = 0.35
_COMES_S = 0.4
_SWITCH_S = 0.12
_DARK_LIGHT = 0.012
_OVER_MM = 45.0
"""A body covers this much more than the zones that it hides."""
_BODY_HEIGHT_MM = 60.0
_ALMOST_S = 1e-9


@dataclass(frozen=True, slots=True)
class Bump:
    """The camera is pushed at `t_s` and stays where it comes to rest."""

    t_s: float
    end: Nudge


def chance_bump(
    length_s: float, width_px: int, strength: float, rng: np.random.Generator
) -> Bump | None:
    """Return a bump, rare at a strength of 1 (one film in sixteen), or None."""
    draw, share, right, down, turn = rng.random(5)
    if draw >= 0.0625 * strength:
        return None
    most_px = 0.012 * width_px
    end = Nudge((2 * right - 1) * most_px, (2 * down - 1) * most_px, (2 * turn - 1) * 0.7)
    return Bump(float(length_s * (0.3 + 0.4 * share)), end)


def nudge_at(bump: Bump | None, t_s: float) -> Nudge | None:
    """Return how the camera is displaced at a time, None where it is not."""
    if bump is None or t_s <= bump.t_s:
        return None
    since_s = t_s - bump.t_s
    # A push with a wobble that dies out.
    calm = np.exp(-since_s / (_BUMP_S / 3))
    share = float(1.0 - calm * np.cos(2 * np.pi * 7.0 * since_s))
    end = bump.end
    return Nudge(end.right_px * share, end.down_px * share, end.turn_deg * share)


def light_at(darks: tuple[Dark, ...], t_s: float) -> float:
    """Return the share of the lamp's light that is on at a time."""
    light = 1.0
    for dark in darks:
        if dark.lights_off:
            out = np.clip((dark.from_s - t_s) / _SWITCH_S, 0.0, 1.0)
            back = np.clip((t_s - dark.until_s) / _SWITCH_S, 0.0, 1.0)
            light = min(light, max(_DARK_LIGHT, float(max(out, back))))
    return light


def blockers_at(
    darks: tuple[Dark, ...], t_s: float, plan: TablePlan, spots: Spots
) -> tuple[Blocker, ...]:
    """Return who is in the way at a time: a body that leans in from the nearer long edge."""
    found = []
    for dark in darks:
        if dark.lights_off:
            continue
        come = (t_s - dark.from_s + _COMES_S) / _COMES_S
        gone = (dark.until_s + _COMES_S - t_s) / _COMES_S
        share = float(np.clip(min(come, gone), 0.0, 1.0))
        if share > _ALMOST_S:
            found.append(_body(dark.zones, share, plan, spots))
    return tuple(found)


def _body(zones: tuple[str, ...], share: float, plan: TablePlan, spots: Spots) -> Blocker:
    depth_mm = plan.table_mm[1]
    left, bottom, right, top = _hidden_box(zones, plan, spots)
    from_south = "*" in zones or (bottom + top) / 2 < depth_mm / 2
    far = (top if from_south else depth_mm - bottom) + _OVER_MM
    reach = -160.0 + share * (far + 160.0)
    outline = [
        (left, -400.0), (right, -400.0), (right, reach - 60.0), (right - 40.0, reach - 12.0),
        (right - 100.0, reach), (left + 100.0, reach), (left + 40.0, reach - 12.0),
        (left, reach - 60.0),
    ]  # fmt: skip
    if not from_south:
        outline = [(x, depth_mm - y) for x, y in outline]
    return Blocker(tuple(outline), _BODY_HEIGHT_MM, (52, 44, 40))


def _hidden_box(
    zones: tuple[str, ...], plan: TablePlan, spots: Spots
) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of what the body must hide, at its own height."""
    width_mm, depth_mm = plan.table_mm
    if "*" in zones:
        return -250.0, 0.0, width_mm + 250.0, depth_mm + 260.0
    found = [spots.zone(name) for name in zones]
    reach = [max(zone.w_mm, zone.h_mm) / 2 + _OVER_MM for zone in found]
    return (
        min(z.center_mm[0] - r for z, r in zip(found, reach, strict=True)),
        min(z.center_mm[1] - r for z, r in zip(found, reach, strict=True)),
        max(z.center_mm[0] + r for z, r in zip(found, reach, strict=True)),
        max(z.center_mm[1] + r for z, r in zip(found, reach, strict=True)),
    )
