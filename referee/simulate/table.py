"""Renders a table from a camera above it: cards, piles, shadows, arms, light, lens and sensor."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.simulate.movers import Movers, SceneAt
from referee.simulate.patches import Window, blended, toned
from referee.simulate.resting import RestingTable
from referee.simulate.scene import Blocker, Nudge, Scene, Studio, card_outline_px
from referee.simulate.sensing import GAMMA, NoisySensor
from referee.simulate.shapes import Image
from referee.simulate.truth import FrameTruth, Owners, frame_truth

__all__ = ["Frame", "SceneAt", "TableRenderer"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture (uint8, height x width x 3, blue-green-red) and what is in it."""

    image: Image
    truth: FrameTruth


class TableRenderer:
    """Renders scenes of one studio; keeps drawn cards and the last resting table."""

    def __init__(self, studio: Studio) -> None:
        """Draw the empty table and measure the light. Raises ValueError for bad settings."""
        self.studio = studio
        self._resting = RestingTable(studio)
        self._movers = Movers(studio, self._resting.light, self._resting.px_per_mm)
        self._sensor = NoisySensor(studio.camera, studio.sensor, studio.seed)

    def render(self, play: Scene | SceneAt, t_s: float = 0.0) -> Frame:
        """Expose one frame about the time `t_s`; the truth is that of the middle of the exposure.

        Raises ValueError for a card that names no deck of the studio or no known label.
        """
        scene_at: SceneAt = (lambda _: play) if isinstance(play, Scene) else play
        picture = self.picture(scene_at, t_s)
        middle = scene_at(t_s)
        return Frame(picture, frame_truth(middle, self.studio, self._owners(middle)))

    def picture(self, play: SceneAt, t_s: float) -> Image:
        """Return the image of `render` alone, for frames whose truth nobody asks for."""
        moment = play(t_s)
        picture = self._resting.picture(moment.cards)
        if moment.carried or moment.arms:
            picture = picture.copy()
            self._movers.add(picture, play, t_s)
        for blocker in moment.blockers:
            picture = self._blocked(picture, blocker)
        if moment.nudge is not None:
            picture = nudged(picture, moment.nudge)
        if moment.light < 1.0:
            share = moment.light ** (1 / GAMMA)
            picture = toned(picture, (share, share, share))
        return self._sensor.taken(picture, t_s)

    def _blocked(self, picture: Image, blocker: Blocker) -> Image:
        """Lay something near the camera over the picture: out of focus, and lit."""
        outline = np.array([(*point, blocker.height_mm) for point in blocker.outline_mm])
        path = np.round(self.studio.camera.project(outline) / 4 * 16).astype(np.int32)
        small = np.zeros((picture.shape[0] // 4, picture.shape[1] // 4), np.uint8)
        cv2.fillPoly(small, [path], 255, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(small, (0, 0), max(0.5, small.shape[0] / 90))
        cover = cv2.resize(soft, picture.shape[1::-1])
        flat = np.asarray(cv2.merge([cover, cover, cover, cover]), np.uint8)
        blue, green, red = (level / 255.0 for level in blocker.colour)
        ink = toned(flat, (blue, green, red, 1.0))
        covered = picture.copy()
        blended(covered, Window(0, 0, *picture.shape[1::-1]), ink)
        return covered

    def _owners(self, scene: Scene) -> Owners:
        """Whose each pixel is in a scene at one moment."""
        camera = self.studio.camera
        owners = np.zeros((camera.height_px, camera.width_px), np.int16)
        for number, card in enumerate((*scene.cards, *scene.carried), start=1):
            outline = card_outline_px(card, self.studio.decks[card.deck], camera)
            # A pixel belongs to a card that covers its middle.
            cv2.fillPoly(owners, [np.round(outline * 64).astype(np.int32)], number, 8, 6)
        for number, arm in enumerate(scene.arms, start=1):
            window, cover = self._movers.arm_cover(arm)
            if not window.empty:
                owners[window.area][cover > 127] = -number
        return owners


def nudged(picture: Image, nudge: Nudge) -> Image:
    """Return the picture of a camera that was pushed."""
    height, width = picture.shape[:2]
    warp = nudge_warp(nudge, width, height)[:2]
    return np.asarray(
        cv2.warpAffine(picture, warp, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def nudge_warp(nudge: Nudge, width_px: int, height_px: int) -> NDArray[np.float64]:
    """Return the 3 x 3 map from where things were in the picture to where a push shows them."""
    middle = ((width_px - 1) / 2, (height_px - 1) / 2)
    turn = np.asarray(cv2.getRotationMatrix2D(middle, -nudge.turn_deg, 1.0), np.float64)
    turn[:, 2] += np.array([nudge.right_px, nudge.down_px])
    return np.vstack([turn, [0.0, 0.0, 1.0]])
