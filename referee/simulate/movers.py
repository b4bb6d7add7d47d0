"""What moves over the table: carried cards and arms, blurred by their speed, with shadows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.arms import AHEAD_MM, HALF_WIDTH_MM, PX_PER_MM, Arm, Person, draw_arm
from referee.simulate.patches import (
    Window,
    blended,
    darkened,
    filled,
    toned,
    window_about,
)
from referee.simulate.resting import Faces, face_corners
from referee.simulate.scene import Scene, Studio, TableCard, card_outline_px, card_quad_px
from referee.simulate.sensing import GAMMA, tone_curve
from referee.simulate.shapes import Image
from referee.simulate.view import Light

SceneAt = Callable[[float], Scene]
"""A play: the scene at a time in seconds."""

Points = NDArray[np.float64]

_LEAST_BLUR_PX = 1.2
_STEP_PX = 2.5
"""Blur steps this far apart cannot be told from an even smear."""
_SHADOW_SHRINK = 4
_ARM_STEP_DEG = 9.0
"""Light on an arm is drawn for so many degrees: finer steps cannot be seen."""
_ARM_THICK_MM = 16.0
_BLOCK_MM, _BLOCK_HEIGHT_MM = 60.0, 24.0
_BURIED_MM, _BURIED_DEG = 2.5, 2.5


@dataclass(frozen=True, slots=True)
class _Drift:
    """How far something moves in the picture: over the exposure, and from row to row."""

    exposure_px: tuple[float, float]
    row_px: tuple[float, float]


@dataclass(frozen=True, slots=True)
class _CardSeen:
    """A carried card in one frame: its edge and corners in pixels, and how it moves."""

    card: TableCard
    outline: Points
    quad: Points
    drift: _Drift


class Movers:
    """Lays carried cards and arms over pictures of the resting table."""

    def __init__(self, studio: Studio, light: Light, px_per_mm: float) -> None:
        """Take the light that `illumination` measured, height x width x 3."""
        self._studio, self._light, self._px_per_mm = studio, light, px_per_mm
        self._faces = Faces(studio, round(studio.decks[0].height_mm * px_per_mm * 1.25))
        self._inks: dict[tuple[str, int], Image] = {}

    def add(self, picture: Image, play: SceneAt, t_s: float) -> None:
        """Draw what moves into a picture, as it is exposed about `t_s`."""
        moment = play(t_s)
        for block in _blocks(moment.carried):
            seen = [self._card_seen(play, t_s, number, moment.carried[number]) for number in block]
            self._shade(picture, [one.outline for one in seen], _lift_mm(seen[0].card))
            for k, one in enumerate(seen):
                if not _is_buried(seen, k):
                    self._add_card(picture, one)
        for arm in moment.arms:
            self._add_arm(picture, play, t_s, arm)

    # --- time --------------------------------------------------------------------------------

    def _row_time_s(self, t_s: float, row_px: float) -> float:
        """When a row is exposed in a frame whose middle row is exposed at `t_s`."""
        height = self._studio.camera.height_px
        share = min(max(row_px / height, 0.0), 1.0) - 0.5
        return t_s + share * self._studio.sensor.readout_ms / 1000.0

    def _moved(self, before_px: Points, after_px: Points, span_s: float) -> _Drift:
        """Speed of a point that two times show, as drift over exposure and rows."""
        sensor, height = self._studio.sensor, self._studio.camera.height_px
        speed = (after_px - before_px) / span_s
        blur = speed * sensor.exposure_ms / 1000.0
        row = speed * sensor.readout_ms / 1000.0 / height
        return _Drift((float(blur[0]), float(blur[1])), (float(row[0]), float(row[1])))

    def _span_s(self) -> float:
        return max(self._studio.sensor.exposure_ms, 1.0) / 1000.0

    # --- cards -------------------------------------------------------------------------------

    def _card_seen(self, play: SceneAt, t_s: float, number: int, card: TableCard) -> _CardSeen:
        """Return a carried card as the rows that show it see it."""
        camera = self._studio.camera
        row = camera.project(_card_point(card))[0][1]
        at_s = self._row_time_s(t_s, float(row))
        now = _same_card(play(at_s), number, card)
        half = self._span_s() / 2
        before = _same_card(play(at_s - half), number, card)
        after = _same_card(play(at_s + half), number, card)
        drift = self._moved(
            camera.project(_card_point(before))[0], camera.project(_card_point(after))[0], 2 * half
        )
        style = self._studio.decks[now.deck]
        outline = self._sheared(card_outline_px(now, style, camera), drift)
        quad = self._sheared(card_quad_px(now, style, camera), drift)
        return _CardSeen(now, outline, quad, drift)

    def _add_card(self, picture: Image, seen: _CardSeen) -> None:
        blur = seen.drift.exposure_px
        window = window_about(seen.outline, 2.0 + max(map(abs, blur)), picture.shape)
        if window.empty:
            return
        ink = self._card_ink(seen.card, seen.quad, seen.outline, window)
        blended(picture, window, smeared(ink, blur))

    def _sheared(self, points_px: Points, drift: _Drift) -> Points:
        """Shift points as the rows that see them are read later or earlier than their middle."""
        off = points_px[:, 1:] - points_px[:, 1].mean()
        return np.asarray(points_px + off * np.array([drift.row_px]))

    def _card_ink(self, card: TableCard, quad: Points, outline: Points, window: Window) -> Image:
        face = self._faces.face(card)
        corners = (quad - (window.left, window.top)).astype(np.float32)
        warp = cv2.getPerspectiveTransform(face_corners(face), corners)
        flat = cv2.warpPerspective(
            face, warp, window.size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        cover = filled(outline, window, 1)
        lean = 0.55 + 0.45 * abs(float(np.cos(np.radians(card.flip_deg))))
        tone = self._tone(quad.mean(axis=0), lean)
        lit = toned(np.asarray(flat, np.uint8), tone)
        ink = cv2.multiply(lit, cv2.merge([cover, cover, cover]), scale=1 / 255)
        return np.asarray(cv2.merge([*cv2.split(ink), cover]), np.uint8)

    def _tone(self, at_px: Points, share: float = 1.0) -> tuple[float, float, float]:
        """Factor on grey levels for the light that falls at a place of the picture."""
        rows, columns = self._light.shape[:2]
        row, column = int(np.clip(at_px[1], 0, rows - 1)), int(np.clip(at_px[0], 0, columns - 1))
        grey = tone_curve(self._light[row, column] * share) / 255.0
        return float(grey[0]), float(grey[1]), float(grey[2])

    # --- shadows -----------------------------------------------------------------------------

    def _shade(self, picture: Image, outlines_px: list[Points], lift_mm: float) -> None:
        """Darken what lies below floating outlines, which throw one shadow between them."""
        everything = np.concatenate(outlines_px)
        window, small = self._shadow_window(everything, lift_mm, picture.shape)
        if window.empty:
            return
        cover = np.zeros(small[::-1], np.uint8)
        for outline in outlines_px:
            path = (outline - (window.left, window.top)) / _SHADOW_SHRINK
            cv2.fillPoly(cover, [np.round(path * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        self._cast(picture, window, cover, lift_mm)

    def _shadow_window(
        self, points_px: Points, lift_mm: float, shape: tuple[int, ...]
    ) -> tuple[Window, tuple[int, int]]:
        lamp = self._studio.lamp
        reach = abs(lamp.shadow_mm[0]) + abs(lamp.shadow_mm[1]) + 2.5 * lamp.softness
        window = window_about(points_px, (4.0 + lift_mm * reach) * self._px_per_mm, shape)
        width, height = window.size
        return window, (max(1, width // _SHADOW_SHRINK), max(1, height // _SHADOW_SHRINK))

    def _cast(self, picture: Image, window: Window, cover: Image, lift_mm: float) -> None:
        """Blur a reduced cover into a shadow and darken the picture by it."""
        lamp, scale = self._studio.lamp, self._px_per_mm / _SHADOW_SHRINK
        dx, dy = lamp.shadow_mm[0] * lift_mm * scale, -lamp.shadow_mm[1] * lift_mm * scale
        size = (cover.shape[1], cover.shape[0])
        move = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])
        cast = cv2.warpAffine(cover, move, size)
        cast = cv2.GaussianBlur(cast, (0, 0), max(0.4, (0.55 + lamp.softness * lift_mm) * scale))
        rim = cv2.GaussianBlur(cover, (0, 0), max(0.4, (1.5 + 0.1 * lift_mm) * scale))
        fade = 1.0 / (1.0 + lift_mm / 60.0)
        left = (1.0 - (0.44 + 0.30 * fade) / 255 * cast.astype(np.float32)) * (
            1.0 - 0.40 * fade / 255 * rim.astype(np.float32)
        )
        share = np.round(255.0 * left ** (1 / GAMMA)).astype(np.uint8)
        darkened(picture, window, np.asarray(cv2.resize(share, window.size), np.uint8))

    # --- arms --------------------------------------------------------------------------------

    def _add_arm(self, picture: Image, play: SceneAt, t_s: float, arm: Arm) -> None:
        camera = self._studio.camera
        row = camera.project(_tip(arm))[0][1]
        at_s = self._row_time_s(t_s, float(row))
        now = _same_arm(play(at_s), arm)
        half = self._span_s() / 2
        before, after = _same_arm(play(at_s - half), arm), _same_arm(play(at_s + half), arm)
        drift = self._moved(camera.project(_tip(before))[0], camera.project(_tip(after))[0],
                            2 * half)  # fmt: skip
        ink = arm_ink(now.person, now.grip, now.left, self._lamp_from_deg(now))
        warp = self._arm_warp(now, ink.shape[1], drift)
        outline = _frame_of(ink) @ warp.T
        lift_mm = now.height_mm + _ARM_THICK_MM
        self._shade_arm(picture, ink, warp, outline, lift_mm)
        margin_px = 2.0 + max(map(abs, drift.exposure_px))
        window = window_about(outline, margin_px, picture.shape)
        if window.empty:
            return
        moved = warp - np.array([[0, 0, window.left], [0, 0, window.top]])
        seen = cv2.warpAffine(ink, moved, window.size, flags=cv2.INTER_LINEAR)
        tip_px = camera.project(_tip(now))[0]
        lit = toned(np.asarray(seen, np.uint8), (*self._tone(tip_px), 1.0))
        blended(picture, window, smeared(lit, drift.exposure_px))

    def arm_cover(self, arm: Arm) -> tuple[Window, Image]:
        """Return where an arm is in the picture at one moment, and its cover (0 to 255) there."""
        camera = self._studio.camera
        ink = arm_ink(arm.person, arm.grip, arm.left, self._lamp_from_deg(arm))
        warp = self._arm_warp(arm, ink.shape[1], _Drift((0.0, 0.0), (0.0, 0.0)))
        shape = (camera.height_px, camera.width_px)
        window = window_about(_frame_of(ink) @ warp.T, 1.0, shape)
        if window.empty:
            return window, np.zeros((0, 0), np.uint8)
        moved = warp - np.array([[0, 0, window.left], [0, 0, window.top]])
        cover = cv2.warpAffine(np.ascontiguousarray(ink[..., 3]), moved, window.size)
        return window, np.asarray(cover, np.uint8)

    def _shade_arm(
        self, picture: Image, ink: Image, warp: Points, outline: Points, lift_mm: float
    ) -> None:
        window, small = self._shadow_window(outline, lift_mm, picture.shape)
        if window.empty:
            return
        moved = (warp - np.array([[0, 0, window.left], [0, 0, window.top]])) / _SHADOW_SHRINK
        cover = cv2.warpAffine(np.ascontiguousarray(ink[..., 3]), moved, small)
        self._cast(picture, window, np.asarray(cover, np.uint8), lift_mm)

    def _lamp_from_deg(self, arm: Arm) -> float:
        x, y = self._studio.lamp.shadow_mm
        lamp_deg = float(np.degrees(np.arctan2(-y, -x)))
        return round((lamp_deg - arm.angle_deg) / _ARM_STEP_DEG) * _ARM_STEP_DEG

    def _arm_warp(self, arm: Arm, columns: int, drift: _Drift) -> Points:
        """From the sprite's samples to pixels (2 x 3), on the plane of the hand's height."""
        tip = np.array([columns - AHEAD_MM * PX_PER_MM, HALF_WIDTH_MM * PX_PER_MM])
        back_mm, side_mm = 260.0, 80.0
        turn = np.radians(arm.angle_deg)
        ahead = np.array([np.cos(turn), np.sin(turn)])
        left = np.array([-np.sin(turn), np.cos(turn)])
        scale = arm.person.size
        there_mm = np.array([
            [*arm.tip_mm, arm.height_mm],
            [*(np.array(arm.tip_mm) - ahead * back_mm * scale), arm.height_mm],
            [*(np.array(arm.tip_mm) + left * side_mm * scale), arm.height_mm],
        ])  # fmt: skip
        there_px = self._studio.camera.project(there_mm)
        from_px = np.array([
            tip, tip - (back_mm * PX_PER_MM, 0.0), tip - (0.0, side_mm * PX_PER_MM),
        ])  # fmt: skip
        warp = cv2.getAffineTransform(from_px.astype(np.float32), there_px.astype(np.float32))
        return _row_sheared(np.asarray(warp, np.float64), float(there_px[0][1]), drift.row_px)


def _lift_mm(card: TableCard) -> float:
    # As of a resting card: cards are never quite flat.
    return max(card.height_mm, 1.4)


def _blocks(cards: tuple[TableCard, ...]) -> list[list[int]]:
    """Return the numbers of cards that are carried together, the lowest of each block first."""
    blocks: list[list[int]] = []
    for number, card in enumerate(cards):
        near = (block for block in blocks if _together(cards[block[-1]], card))
        found = next(near, None)
        if found is None:
            blocks.append([number])
        else:
            found.append(number)
    return blocks


def _together(a: TableCard, b: TableCard) -> bool:
    apart = np.hypot(a.centre_mm[0] - b.centre_mm[0], a.centre_mm[1] - b.centre_mm[1])
    return bool(apart < _BLOCK_MM and abs(a.height_mm - b.height_mm) < _BLOCK_HEIGHT_MM)


def _is_buried(seen: list[_CardSeen], number: int) -> bool:
    """Whether a card inside a squared block cannot be seen: the next two above hide it."""
    if number == 0 or number + 2 >= len(seen):
        return False
    card = seen[number].card
    return all(
        abs(card.centre_mm[0] - above.centre_mm[0]) < _BURIED_MM
        and abs(card.centre_mm[1] - above.centre_mm[1]) < _BURIED_MM
        and abs(card.angle_deg - above.angle_deg) < _BURIED_DEG
        for above in (seen[number + 1].card, seen[number + 2].card)
    )


def _row_sheared(warp: Points, row_px: float, drift: tuple[float, float]) -> Points:
    """Return a warp as a rolling shutter sees it: rows below `row_px` see it further on."""
    slow = 1.0 / max(0.2, 1.0 - drift[1])
    shear = np.array([
        [1.0, drift[0] * slow, -drift[0] * slow * row_px],
        [0.0, slow, row_px * (1.0 - slow)],
        [0.0, 0.0, 1.0],
    ])  # fmt: skip
    return np.asarray((shear @ np.vstack([warp, [0.0, 0.0, 1.0]]))[:2])


def _frame_of(ink: Image) -> Points:
    rows, columns = ink.shape[:2]
    return np.array([(0.0, 0, 1), (columns, 0, 1), (columns, rows, 1), (0, rows, 1)])


def _card_point(card: TableCard) -> Points:
    return np.array([[*card.centre_mm, card.height_mm]])


def _tip(arm: Arm) -> Points:
    return np.array([[*arm.tip_mm, arm.height_mm]])


def _same_card(scene: Scene, number: int, card: TableCard) -> TableCard:
    """Return a carried card at another moment; one that has not left, or has come, stays."""
    if number < len(scene.carried):
        there = scene.carried[number]
        if (there.label, there.deck) == (card.label, card.deck):
            return there
    same = (
        c for c in (*scene.carried, *scene.cards) if (c.label, c.deck) == (card.label, card.deck)
    )
    return next(same, card)


def _same_arm(scene: Scene, arm: Arm) -> Arm:
    found = (
        a for a in scene.arms if (a.owner, a.person, a.left) == (arm.owner, arm.person, arm.left)
    )
    there = next(found, arm)
    return replace(there, grip=arm.grip)


def smeared(ink: Image, way_px: tuple[float, float]) -> Image:
    """Smear premultiplied ink evenly along a way, centred on where it is.

    Each step doubles the number of copies, so a smear of 40 px takes four additions.
    """
    length = float(np.hypot(*way_px))
    if length < _LEAST_BLUR_PX:
        return ink
    doublings = max(1, int(np.ceil(np.log2(length / _STEP_PX + 1.0))))
    copies = 1 << doublings
    step = np.array(way_px) / copies
    height, width = ink.shape[:2]
    first = -step * (copies - 1) / 2
    result = cv2.warpAffine(ink, np.array([[1, 0, first[0]], [0, 1, first[1]]]), (width, height))
    for k in range(doublings):
        dx, dy = (int(v) for v in np.round(step * (1 << k)))
        result = cv2.addWeighted(
            result, 0.5, _shifted(np.asarray(result, np.uint8), dx, dy), 0.5, 0
        )
    return np.asarray(result, np.uint8)


def _shifted(ink: Image, dx: int, dy: int) -> Image:
    moved = np.zeros_like(ink)
    height, width = ink.shape[:2]
    if abs(dx) >= width or abs(dy) >= height:
        return moved
    moved[max(dy, 0) : height + min(dy, 0), max(dx, 0) : width + min(dx, 0)] = ink[
        max(-dy, 0) : height + min(-dy, 0), max(-dx, 0) : width + min(-dx, 0)
    ]
    return moved


@lru_cache(maxsize=160)
def arm_ink(person: Person, grip: str, left: bool, lamp_from_deg: float) -> Image:
    """Return an arm as premultiplied blue, green, red and cover, uint8 (rows x columns x 4)."""
    sprite = draw_arm(person, grip, left, lamp_from_deg)
    grey = tone_curve(sprite.light) * sprite.cover[..., None]
    return np.asarray(np.round(np.dstack([grey, 255.0 * sprite.cover])).clip(0, 255), np.uint8)
