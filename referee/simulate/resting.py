"""The table at rest: what lies, drawn in light and kept, redrawn only where something changed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.cards import draw_back, draw_card
from referee.simulate.cloth import draw_tabletop
from referee.simulate.patches import Window, blurred, filled, window_about
from referee.simulate.scene import Studio, TableCard, card_outline_px, card_quad_px
from referee.simulate.sensing import developed
from referee.simulate.shapes import Image
from referee.simulate.view import Light, illumination, to_linear

_RESTING_LIFT_MM = 1.4
"""Cards are never quite flat: their edges stand this high, which gives them a thin shadow."""

_SQUARED_MM = 6.0
_PILE_SHADOW = 0.16
"""Chosen by eye: 35 such cards together darken the cloth beside a pile by about a half."""

_KEPT_CARDS = 480
"""Drawn cards that are kept, 0.2 MB each in a 720p picture: more than lie on any table."""

_LENS_MARGIN_PX = 5


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A lying card drawn once: in `window` what lies below shines through by `keep`."""

    window: Window
    keep: NDArray[np.float32]
    ink: Light


@dataclass(frozen=True, slots=True)
class _Laid:
    """A card as it is drawn in its place: how high its edge stands, its share of a shadow."""

    card: TableCard
    lift_mm: float
    shadow: float


class Faces:
    """The cards' faces and backs of a studio, each drawn when it is first seen."""

    def __init__(self, studio: Studio, height_px: int) -> None:
        """`height_px` is how high a card is drawn."""
        self._studio, self._height_px = studio, int(np.clip(height_px, 64, 1600))
        self._faces: dict[tuple[str, int], Image] = {}

    def face(self, card: TableCard) -> Image:
        """Return the side of a card that is seen. Raises ValueError for no known card."""
        key = (card.label if card.face_up else "", card.deck)
        if key not in self._faces:
            if not 0 <= card.deck < len(self._studio.decks):
                raise ValueError(f"card {card.label} is of deck {card.deck}, which is not here")
            style = self._studio.decks[card.deck]
            self._faces[key] = (
                draw_card(card.label, self._height_px, style)
                if card.face_up
                else draw_back(style.back, self._height_px, style)
            )
        return self._faces[key]


class RestingTable:
    """The table with all cards that lie; keeps the picture of the last cards that it was shown."""

    def __init__(self, studio: Studio) -> None:
        """Draw the empty table and measure the light. Raises ValueError for bad settings."""
        if not studio.decks:
            raise ValueError("a table needs at least one deck of cards")
        self.studio = studio
        self.light = illumination(studio.camera, studio.lamp, studio.sensor)
        self.px_per_mm = studio.camera.focal_px / studio.camera.position_mm[2]
        # Twice the size in the picture: cards are drawn at two samples a pixel.
        self._faces = Faces(studio, int(studio.decks[0].height_mm * self.px_per_mm * 2.1))
        self._empty = draw_tabletop(studio.tabletop, studio.camera, studio.seed)
        self._sheet = self._empty.copy()
        self._picture = self._developed(Window(0, 0, *self._empty.shape[1::-1]))
        self._lying: tuple[_Laid, ...] = ()
        self._drawn: OrderedDict[_Laid, _Drawn] = OrderedDict()

    def picture(self, cards: tuple[TableCard, ...]) -> Image:
        """Return the clean picture (not to be written on) with `cards` on it, lowest first."""
        lying = tuple(_laid(cards, number) for number in range(len(cards)))
        if lying != self._lying:
            self._redraw(lying)
        return self._picture

    def _redraw(self, lying: tuple[_Laid, ...]) -> None:
        changed = _changed(self._lying, lying)
        windows: list[Window] = []
        for one in changed:
            window = self._draw(one).window
            if not window.empty:
                windows = _merged(windows, window)
        self._lying = lying
        everything = [self._draw(one) for one in lying]
        for window in windows:
            self._refill(window, everything)

    def _refill(self, window: Window, cards: list[_Drawn]) -> None:
        self._sheet[window.area] = self._empty[window.area]
        for card in cards:
            if card.window.empty or not card.window.meets(window):
                continue
            part = card.window.shared(window)
            inner = part.within(card.window)
            piece = self._sheet[part.area]
            piece *= card.keep[inner]
            piece += card.ink[inner]
        wider = window.grown(_LENS_MARGIN_PX, self._sheet.shape)
        self._picture[wider.area] = self._developed(wider)

    def _developed(self, window: Window) -> Image:
        """Return the picture of a piece of the sheet: light, lens and tone curve."""
        outer = window.grown(_LENS_MARGIN_PX, self._sheet.shape)
        light = self._sheet[outer.area] * self.light[outer.area]
        blur_px = self.studio.sensor.blur_px
        if blur_px > 0:
            light = np.asarray(cv2.GaussianBlur(light, (7, 7), blur_px), np.float32)
        return developed(np.ascontiguousarray(light[window.within(outer)]))

    def _draw(self, one: _Laid) -> _Drawn:
        """Return a card as drawn: its shadow, then its face or back."""
        if one in self._drawn:
            self._drawn.move_to_end(one)
            return self._drawn[one]
        card, studio = one.card, self.studio
        face = self._faces.face(card)
        outline = card_outline_px(card, studio.decks[card.deck], studio.camera)
        margin_px = (3.0 + one.lift_mm * 1.4) * self.px_per_mm
        window = window_about(outline, margin_px, self._empty.shape)
        if window.empty:
            nothing = np.zeros((0, 0, 1), np.float32)
            drawn = _Drawn(window, nothing, nothing)
        else:
            large = filled(outline, window, 2)
            small = cv2.resize(large, window.size, interpolation=cv2.INTER_AREA)
            cover = small.astype(np.float32) / 255.0
            keep = self._shade(cover, one.lift_mm, one.shadow) * (1.0 - cover)
            ink = self._painted(card, face, window) * cover[..., None]
            drawn = _Drawn(window, keep[..., None], np.asarray(ink, np.float32))
        self._drawn[one] = drawn
        if len(self._drawn) > _KEPT_CARDS:
            self._drawn.popitem(last=False)
        return drawn

    def _shade(
        self, cover: NDArray[np.float32], lift_mm: float, shadow: float
    ) -> NDArray[np.float32]:
        """How much light is left below: a shadow off the lamp, and a rim where edges are close."""
        lamp = self.studio.lamp
        dx_px = lamp.shadow_mm[0] * lift_mm * self.px_per_mm
        dy_px = -lamp.shadow_mm[1] * lift_mm * self.px_per_mm
        soft_px = (0.55 + lamp.softness * lift_mm) * self.px_per_mm
        move = np.array([[1.0, 0.0, dx_px], [0.0, 1.0, dy_px]])
        shifted = np.asarray(cv2.warpAffine(cover, move, cover.shape[::-1]), np.float32)
        cast = blurred(shifted, soft_px)
        rim = blurred(cover, (1.5 + 0.1 * lift_mm) * self.px_per_mm)
        fade = 1.0 / (1.0 + lift_mm / 60.0)
        shade = (1.0 - shadow * (0.44 + 0.30 * fade) * cast) * (1.0 - shadow * 0.40 * fade * rim)
        return np.asarray(shade, np.float32)

    def _painted(self, card: TableCard, face: Image, window: Window) -> Light:
        """Return the card's side in a window, with the light on its slope and glare."""
        style, camera = self.studio.decks[card.deck], self.studio.camera
        quad = (card_quad_px(card, style, camera) - (window.left - 0.5, window.top - 0.5)) * 2 - 0.5
        warp = cv2.getPerspectiveTransform(face_corners(face), quad.astype(np.float32))
        size = (window.size[0] * 2, window.size[1] * 2)
        large = cv2.warpPerspective(
            face, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        small = cv2.resize(large, window.size, interpolation=cv2.INTER_AREA)
        painted = to_linear(np.asarray(small, np.uint8)) * self._slope_light(card, window)
        return self._with_glare(card, painted, window)

    def _slope_light(self, card: TableCard, window: Window) -> NDArray[np.float32]:
        """No card is quite flat: each gets a faint gradient of its own."""
        chance = np.random.default_rng([self.studio.seed, card.deck, *card.label.encode()])
        tilt = chance.normal(0.0, 0.022, 2)
        middle = self.studio.camera.project(np.array([[*card.centre_mm, card.height_mm]]))[0]
        across = (np.arange(window.left, window.right) - middle[0]) / (60.0 * self.px_per_mm)
        down = (np.arange(window.top, window.bottom) - middle[1]) / (60.0 * self.px_per_mm)
        level = 1.0 + tilt[0] * across[None, :] + tilt[1] * down[:, None]
        return np.asarray(level[..., None], dtype=np.float32)

    def _with_glare(self, card: TableCard, painted: Light, window: Window) -> Light:
        lamp = self.studio.lamp
        if lamp.glare <= 0:
            return painted
        chance = np.random.default_rng([self.studio.seed, 7, card.deck, *card.label.encode()])
        spot_mm = np.array(lamp.glare_mm) + chance.normal(0.0, 35.0, 2)
        spot_px = self.studio.camera.project(np.array([[*spot_mm, 0.0]]))[0]
        columns = np.arange(window.left, window.right) - spot_px[0]
        rows = np.arange(window.top, window.bottom) - spot_px[1]
        width_px = lamp.glare_width_mm * self.px_per_mm
        near = np.exp(-(columns[None, :] ** 2 + rows[:, None] ** 2) / (2 * width_px**2))
        return np.asarray(painted + (lamp.glare * near[..., None]), dtype=np.float32)


def face_corners(face: Image) -> NDArray[np.float32]:
    """Return the corners of a drawn face in its own samples, clockwise from its upper left."""
    height, width = face.shape[:2]
    right, bottom = width - 0.5, height - 0.5
    return np.array([(-0.5, -0.5), (right, -0.5), (right, bottom), (-0.5, bottom)], np.float32)


def _laid(cards: tuple[TableCard, ...], number: int) -> _Laid:
    """How high a resting card's edge stands, and its share of a full shadow.

    The cards of a squared pile throw one shadow between them, as long as the pile is high.
    """
    card = cards[number]
    below = cards[number - 1] if number else None
    if below is not None:
        dx = card.centre_mm[0] - below.centre_mm[0]
        dy = card.centre_mm[1] - below.centre_mm[1]
        if dx * dx + dy * dy <= _SQUARED_MM**2:
            return _Laid(card, card.height_mm, _PILE_SHADOW)
    return _Laid(card, _RESTING_LIFT_MM, 1.0)


def _changed(before: tuple[_Laid, ...], after: tuple[_Laid, ...]) -> list[_Laid]:
    """Return the cards that came, went, or changed their order."""
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    here, there = before[same:], after[same:]
    old, new = set(here), set(there)
    common_before = [one for one in here if one in new]
    common_after = [one for one in there if one in old]
    moved = [a for a, b in zip(common_before, common_after, strict=False) if a != b]
    return [*(old - new), *(new - old), *moved]


def _merged(windows: list[Window], one: Window) -> list[Window]:
    """Add a window to windows that do not meet."""
    apart = []
    for other in windows:
        if one.meets(other):
            one = one.joined(other)
        else:
            apart.append(other)
    if len(apart) + 1 < len(windows) + 1:
        return _merged(apart, one)
    return [*apart, one]
