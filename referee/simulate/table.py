"""Renders a table from a camera above it: cards, piles, shadows, arms, light, lens and sensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.arms import AHEAD_MM, HALF_WIDTH_MM, PX_PER_MM, Arm, draw_arm
from referee.simulate.cards import draw_back, draw_card
from referee.simulate.cloth import draw_tabletop
from referee.simulate.scene import (
    Scene,
    Studio,
    TableCard,
    card_outline_px,
    card_quad_px,
    resting_height_mm,
)
from referee.simulate.shapes import Image
from referee.simulate.truth import FrameTruth, Owners, frame_truth
from referee.simulate.view import (
    NOISE_MARGIN_PX,
    Light,
    expose,
    illumination,
    sensor_noise,
    to_linear,
)

Cover = NDArray[np.float32]
SceneAt = Callable[[float], Scene]
"""A play: the scene at a time in seconds."""

_MOST_MOMENTS = 13
_MOMENT_STEP_PX = 3.5
"""An exposure averages moments in which nothing travels further than this: a blur, no steps."""

_RESTING_LIFT_MM = 1.4
"""Cards are never quite flat: their edges stand this high, which gives them a thin shadow."""

_SQUARED_MM = 6.0
_PILE_SHADOW = 0.16
"""Chosen by eye: 35 such cards together darken the cloth beside a pile by about a half."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture (uint8, height x width x 3, blue-green-red) and what is in it."""

    image: Image
    truth: FrameTruth


@dataclass(slots=True)
class _Layer:
    light: Light
    owners: Owners

    def copy(self) -> _Layer:
        return _Layer(self.light.copy(), self.owners.copy())


@dataclass(frozen=True, slots=True)
class _Window:
    """A piece of the picture: its left, top, right and bottom pixel."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> tuple[slice, slice]:
        return slice(self.top, self.bottom), slice(self.left, self.right)

    @property
    def size(self) -> tuple[int, int]:
        return self.right - self.left, self.bottom - self.top


def _window(points_px: NDArray[np.float64], margin_px: float, shape: tuple[int, ...]) -> _Window:
    low = np.floor(points_px.min(axis=0) - margin_px).astype(int)
    high = np.ceil(points_px.max(axis=0) + margin_px).astype(int) + 1
    left, top = max(int(low[0]), 0), max(int(low[1]), 0)
    return _Window(left, top, min(int(high[0]), shape[1]), min(int(high[1]), shape[0]))


def _filled(outline_px: NDArray[np.float64], window: _Window, samples: int) -> Cover:
    """Cover of a polygon in a window, `samples` across a pixel."""
    width, height = window.size
    mask = np.zeros((height * samples, width * samples), np.uint8)
    # A pixel's centre is a whole number in picture coordinates, in both resolutions.
    path = (outline_px - (window.left - 0.5, window.top - 0.5)) * samples - 0.5
    cv2.fillPoly(mask, [np.round(path * 64).astype(np.int32)], 255, cv2.LINE_AA, 6)
    return mask.astype(np.float32) / 255.0


def _reduced(picture: NDArray[np.float32], window: _Window) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(picture, window.size, interpolation=cv2.INTER_AREA), np.float32)


def _blurred(cover: Cover, sigma_px: float) -> Cover:
    """Blur a cover; wide blurs are made on a reduced picture, where they cost a tenth."""
    shrink = max(1, int(sigma_px / 1.6))
    if min(cover.shape) < 4 * shrink:
        shrink = 1
    size = (max(1, cover.shape[1] // shrink), max(1, cover.shape[0] // shrink))
    small = cv2.resize(cover, size, interpolation=cv2.INTER_AREA) if shrink > 1 else cover
    small = cv2.GaussianBlur(small, (0, 0), max(sigma_px / shrink, 0.3))
    blurred = cv2.resize(small, cover.shape[::-1]) if shrink > 1 else small
    return np.asarray(blurred, dtype=np.float32)


def _rest_shadow(cards: tuple[TableCard, ...], number: int) -> tuple[float, float]:
    """How high a resting card's edge stands, and its share of a full shadow.

    The cards of a squared pile throw one shadow between them, as long as the pile is high.
    """
    card = cards[number]
    below = cards[number - 1] if number else None
    if below is None or np.hypot(*np.subtract(card.centre_mm, below.centre_mm)) > _SQUARED_MM:
        return _RESTING_LIFT_MM, 1.0
    return card.height_mm, _PILE_SHADOW


class TableRenderer:
    """Renders scenes of one studio; keeps drawn cards and the last resting table."""

    def __init__(self, studio: Studio) -> None:
        """Draw the empty table and measure the light. Raises ValueError for bad settings."""
        if not studio.decks:
            raise ValueError("a table needs at least one deck of cards")
        self.studio = studio
        self._projection = studio.camera.projection()
        self._light = illumination(studio.camera, studio.lamp, studio.sensor)
        self._noise = sensor_noise(studio.camera, studio.seed)
        cloth = draw_tabletop(studio.tabletop, studio.camera, studio.seed)
        self._empty = _Layer(cloth, np.zeros(cloth.shape[:2], np.int16))
        self._px_per_mm = studio.camera.focal_px / studio.camera.position_mm[2]
        self._faces: dict[tuple[str, int], Light] = {}
        self._resting: tuple[tuple[TableCard, ...], _Layer] = ((), self._empty)

    def render(self, play: Scene | SceneAt, t_s: float = 0.0) -> Frame:
        """Expose one frame about the time `t_s`; the truth is that of the middle of the exposure.

        Raises ValueError for a card that names no deck of the studio or no known label.
        """
        scene_at: SceneAt = (lambda _: play) if isinstance(play, Scene) else play
        middle = scene_at(t_s)
        layer = self._exposed(scene_at, t_s, middle)
        return Frame(self._developed(layer, t_s), frame_truth(middle, self.studio, layer.owners))

    def picture(self, play: SceneAt, t_s: float) -> Image:
        """Return the image of `render` alone, for frames whose truth nobody asks for."""
        return self._developed(self._exposed(play, t_s, play(t_s)), t_s)

    def _developed(self, layer: _Layer, t_s: float) -> Image:
        chance = np.random.default_rng([self.studio.seed, round(t_s * 1e6) % 2**32])
        row, column = chance.integers(0, NOISE_MARGIN_PX, 2)
        height, width = layer.light.shape[:2]
        noise = self._noise[row : row + height, column : column + width]
        return expose(layer.light * self._light, self.studio.sensor, noise)

    def _exposed(self, scene_at: SceneAt, t_s: float, middle: Scene) -> _Layer:
        """Average what moves over the exposure; the resting table is that of its middle."""
        resting = self._rest(middle.cards)
        if not middle.carried and not middle.arms:
            return resting
        exposure_s = self.studio.sensor.exposure_ms / 1000.0
        count = self._moments(scene_at, t_s, exposure_s)
        if count == 1:
            still = resting.copy()
            self._add_movers(still, middle)
            return still
        total, owners = np.zeros_like(resting.light), resting.owners
        for share in np.linspace(-0.5, 0.5, count):
            moment = middle if share == 0.0 else scene_at(t_s + float(share) * exposure_s)
            layer = resting.copy()
            self._add_movers(layer, moment)
            total += layer.light
            owners = layer.owners if share == 0.0 else owners
        return _Layer(np.asarray(total / count, np.float32), owners)

    def _moments(self, scene_at: SceneAt, t_s: float, exposure_s: float) -> int:
        """How many moments the exposure needs; odd, so that one of them is its middle."""
        first, last = scene_at(t_s - exposure_s / 2), scene_at(t_s + exposure_s / 2)
        travels_mm = [0.0]
        for a, b in zip(first.arms, last.arms, strict=False):
            if a.person == b.person:
                travels_mm.append(float(np.hypot(*np.subtract(a.tip_mm, b.tip_mm))))
        needed = min(max(travels_mm) * self._px_per_mm / _MOMENT_STEP_PX, _MOST_MOMENTS)
        return round(needed / 2) * 2 + 1

    def _rest(self, cards: tuple[TableCard, ...]) -> _Layer:
        drawn, layer = self._resting
        if cards == drawn:
            return layer
        # Cards are laid on top: what lay before is kept when nothing below it changed.
        same = cards[: len(drawn)] == drawn
        layer = layer.copy() if same else self._empty.copy()
        for number in range(len(drawn) if same else 0, len(cards)):
            self._add_card(layer, cards[number], number + 1, *_rest_shadow(cards, number))
        self._resting = (cards, layer)
        return layer

    def _add_movers(self, layer: _Layer, moment: Scene) -> None:
        for n, card in enumerate(moment.carried, start=1):
            below_mm = resting_height_mm(moment.cards, card.centre_mm)
            lift_mm = max(card.height_mm - below_mm, _RESTING_LIFT_MM)
            self._add_card(layer, card, len(moment.cards) + n, lift_mm)
        for n, arm in enumerate(moment.arms, start=1):
            self._add_arm(layer, arm, n)

    def _face(self, card: TableCard) -> Light:
        key = (card.label if card.face_up else "", card.deck)
        if key not in self._faces:
            if not 0 <= card.deck < len(self.studio.decks):
                raise ValueError(f"card {card.label} is of deck {card.deck}, which is not here")
            style = self.studio.decks[card.deck]
            # Twice the size in the picture: the window below is drawn at two samples a pixel.
            height_px = int(np.clip(style.height_mm * self._px_per_mm * 2.1, 64, 1600))
            face = draw_card(card.label, height_px, style) if card.face_up else draw_back(
                style.back, height_px, style)  # fmt: skip
            self._faces[key] = to_linear(face)
        return self._faces[key]

    def _add_card(
        self, layer: _Layer, card: TableCard, number: int, lift_mm: float, shadow: float = 1.0
    ) -> None:
        """Lay one card over the layer: its shadow, then its face or back."""
        face = self._face(card)
        style, camera = self.studio.decks[card.deck], self.studio.camera
        outline = card_outline_px(card, style, camera)
        margin_px = (3.0 + lift_mm * 1.4) * self._px_per_mm
        window = _window(outline, margin_px, layer.light.shape)
        if min(window.size) <= 0:
            return
        cover = _reduced(_filled(outline, window, 2), window)
        self._shade(layer, window, cover, lift_mm, shadow)
        painted = self._painted(card, face, window)
        piece = layer.light[window.area]
        piece += (painted - piece) * cover[..., None]
        layer.owners[window.area][cover > 0.5] = number

    def _shade(
        self, layer: _Layer, window: _Window, cover: Cover, lift_mm: float, shadow: float = 1.0
    ) -> None:
        """Darken what is below: a shadow off the lamp and a rim where edges come close."""
        lamp = self.studio.lamp
        dx_px = lamp.shadow_mm[0] * lift_mm * self._px_per_mm
        dy_px = -lamp.shadow_mm[1] * lift_mm * self._px_per_mm
        soft_px = (0.55 + lamp.softness * lift_mm) * self._px_per_mm
        move = np.array([[1.0, 0.0, dx_px], [0.0, 1.0, dy_px]])
        cast = _blurred(cv2.warpAffine(cover, move, window.size).astype(np.float32), soft_px)
        rim = _blurred(cover, (1.5 + 0.1 * lift_mm) * self._px_per_mm)
        fade = 1.0 / (1.0 + lift_mm / 60.0)
        shade = (1.0 - shadow * (0.44 + 0.30 * fade) * cast) * (1.0 - shadow * 0.40 * fade * rim)
        layer.light[window.area] *= shade[..., None]

    def _painted(self, card: TableCard, face: Light, window: _Window) -> Light:
        """Return the card's side in a window, with the light on its slope and glare."""
        style, camera = self.studio.decks[card.deck], self.studio.camera
        quad = (card_quad_px(card, style, camera) - (window.left - 0.5, window.top - 0.5)) * 2 - 0.5
        height, width = face.shape[:2]
        corners = np.array(
            [(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)]
        )
        warp = cv2.getPerspectiveTransform(corners.astype(np.float32), quad.astype(np.float32))
        size = (window.size[0] * 2, window.size[1] * 2)
        large = cv2.warpPerspective(
            face, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        painted = _reduced(np.asarray(large, np.float32), window) * self._slope_light(card, window)
        return self._with_glare(card, painted, window)

    def _slope_light(self, card: TableCard, window: _Window) -> NDArray[np.float32]:
        """No card is quite flat: each gets a faint gradient of its own, a turned one is darker."""
        chance = np.random.default_rng([self.studio.seed, card.deck, *card.label.encode()])
        tilt = chance.normal(0.0, 0.022, 2)
        middle = self.studio.camera.project(np.array([[*card.centre_mm, card.height_mm]]))[0]
        across = (np.arange(window.left, window.right) - middle[0]) / (60.0 * self._px_per_mm)
        down = (np.arange(window.top, window.bottom) - middle[1]) / (60.0 * self._px_per_mm)
        lean = 0.55 + 0.45 * abs(float(np.cos(np.radians(card.flip_deg))))
        level = (1.0 + tilt[0] * across[None, :] + tilt[1] * down[:, None]) * lean
        return np.asarray(level[..., None], dtype=np.float32)

    def _with_glare(self, card: TableCard, painted: Light, window: _Window) -> Light:
        lamp = self.studio.lamp
        if lamp.glare <= 0:
            return painted
        chance = np.random.default_rng([self.studio.seed, 7, card.deck, *card.label.encode()])
        spot_mm = np.array(lamp.glare_mm) + chance.normal(0.0, 35.0, 2)
        spot_px = self.studio.camera.project(np.array([[*spot_mm, 0.0]]))[0]
        columns = np.arange(window.left, window.right) - spot_px[0]
        rows = np.arange(window.top, window.bottom) - spot_px[1]
        width_px = lamp.glare_width_mm * self._px_per_mm
        near = np.exp(-(columns[None, :] ** 2 + rows[:, None] ** 2) / (2 * width_px**2))
        return np.asarray(painted + (lamp.glare * near[..., None]), dtype=np.float32)

    def _add_arm(self, layer: _Layer, arm: Arm, number: int) -> None:
        """Lay an arm over the layer: its shadow, then itself."""
        lamp_deg = float(np.degrees(np.arctan2(-self.studio.lamp.shadow_mm[1],
                                               -self.studio.lamp.shadow_mm[0])))  # fmt: skip
        # Light on the arm is drawn for every third degree: finer steps cannot be seen.
        from_deg = round((lamp_deg - arm.angle_deg) / 3.0) * 3.0
        sprite = draw_arm(arm.person, arm.grip, arm.left, from_deg)
        rows, columns = sprite.cover.shape
        to_px = self._arm_homography(arm, columns)
        frame = np.array([[[0, 0]], [[columns, 0]], [[columns, rows]], [[0, rows]]], np.float64)
        reach_px = np.asarray(cv2.perspectiveTransform(frame, to_px)[:, 0], np.float64)
        window = _window(reach_px, 60.0 + arm.height_mm, layer.light.shape)
        if min(window.size) <= 0:
            return
        shift = np.array([[1, 0, -window.left], [0, 1, -window.top], [0, 0, 1]], np.float64)
        cover, light = (
            np.asarray(
                cv2.warpPerspective(part, shift @ to_px, window.size, flags=cv2.INTER_LINEAR),
                dtype=np.float32,
            )
            for part in (sprite.cover, sprite.light)
        )
        self._shade(layer, window, cover, arm.height_mm + 16.0)
        piece = layer.light[window.area]
        piece += (light - piece) * cover[..., None]
        layer.owners[window.area][cover > 0.5] = -number

    def _arm_homography(self, arm: Arm, columns: int) -> NDArray[np.float64]:
        """From the sprite's samples to pixels, on the plane of the hand's height."""
        turn = np.radians(arm.angle_deg)
        cos, sin = np.cos(turn), np.sin(turn)
        tip_x, tip_y = columns - AHEAD_MM * PX_PER_MM, HALF_WIDTH_MM * PX_PER_MM
        to_local = np.array(
            [
                [1 / PX_PER_MM, 0, -tip_x / PX_PER_MM],
                [0, -1 / PX_PER_MM, tip_y / PX_PER_MM],
                [0, 0, 1],
            ]
        )
        place = np.array([[cos, -sin, arm.tip_mm[0]], [sin, cos, arm.tip_mm[1]], [0, 0, 1]])
        return np.asarray(self.studio.camera.homography(arm.height_mm) @ place @ to_local)
