"""A table at one moment: the cards that lie, the cards that are carried, the arms over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from referee.simulate.arms import Arm
from referee.simulate.cards import DeckStyle
from referee.simulate.cloth import Tabletop
from referee.simulate.shapes import Colour, rounded_box
from referee.simulate.view import Camera, Lamp, Sensor

CARD_THICKNESS_MM = 0.3


@dataclass(frozen=True, slots=True)
class TableCard:
    """One card of deck number `deck` over the table.

    `angle_deg` turns the upright card (its top towards +y) clockwise as seen from above;
    `height_mm` is its middle above the cloth; `flip_deg` turns it over its long axis: 0 face up,
    180 face down.
    """

    label: str
    deck: int
    centre_mm: tuple[float, float]
    angle_deg: float = 0.0
    height_mm: float = CARD_THICKNESS_MM
    flip_deg: float = 0.0

    @property
    def face_up(self) -> bool:
        """Whether the camera above sees the face."""
        return bool(np.cos(np.radians(self.flip_deg)) > 0)


@dataclass(frozen=True, slots=True)
class Blocker:
    """Something large between camera and table: its outline over the cloth, height and colour."""

    outline_mm: tuple[tuple[float, float], ...]
    height_mm: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Nudge:
    """How far a bumped camera sees all things shifted and turned about the picture's middle."""

    right_px: float
    down_px: float
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Scene:
    """All there is to see at one moment.

    `cards` lie, in order from the lowest; `carried` are above all of them; `arms` above those,
    `blockers` above everything. `light` is the share of the lamp's light that is on.
    """

    cards: tuple[TableCard, ...]
    carried: tuple[TableCard, ...] = ()
    arms: tuple[Arm, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    light: float = 1.0
    nudge: Nudge | None = None


@dataclass(frozen=True, slots=True)
class Studio:
    """What stays while the cards move: decks, table, camera, lamp, sensor, and the chance seed."""

    decks: tuple[DeckStyle, ...] = field(default_factory=lambda: (DeckStyle(),))
    tabletop: Tabletop = field(default_factory=Tabletop)
    camera: Camera = field(default_factory=Camera)
    lamp: Lamp = field(default_factory=Lamp)
    sensor: Sensor = field(default_factory=Sensor)
    seed: int = 0


def resting_height_mm(cards: Iterable[TableCard], centre_mm: tuple[float, float]) -> float:
    """Where a card laid at `centre_mm` comes to rest: a card's thickness above those it covers."""
    top = 0.0
    for card in cards:
        dx, dy = card.centre_mm[0] - centre_mm[0], card.centre_mm[1] - centre_mm[1]
        # Cards touch when their boxes do; the few degrees of play do not matter for a height.
        if abs(dx) < 62.0 and abs(dy) < 87.0:
            top = max(top, card.height_mm)
    return top + CARD_THICKNESS_MM


def card_points_mm(
    card: TableCard, style: DeckStyle, shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Table points (n, 3) of places on the side that is seen, given as shares (n, 2).

    A share is u to the right and v down of that side as it is printed, (0, 0) its upper left.
    """
    u = shares[:, 0] if card.face_up else 1.0 - shares[:, 0]
    across_mm = (u - 0.5) * style.width_mm
    along_mm = (0.5 - shares[:, 1]) * style.height_mm
    flip, turn = np.radians(card.flip_deg), -np.radians(card.angle_deg)
    flat_mm, z_mm = across_mm * np.cos(flip), card.height_mm + across_mm * np.sin(flip)
    x_mm = card.centre_mm[0] + flat_mm * np.cos(turn) - along_mm * np.sin(turn)
    y_mm = card.centre_mm[1] + flat_mm * np.sin(turn) + along_mm * np.cos(turn)
    return np.stack([x_mm, y_mm, z_mm], axis=1)


def card_quad_px(card: TableCard, style: DeckStyle, camera: Camera) -> NDArray[np.float64]:
    """Return the corners (4, 2) of the seen side, clockwise from its upper left as printed."""
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    return camera.project(card_points_mm(card, style, corners))


def card_outline_px(card: TableCard, style: DeckStyle, camera: Camera) -> NDArray[np.float64]:
    """Return the card's edge with its round corners in pixels, shape (n, 2)."""
    edge = rounded_box(style.width_mm, style.height_mm, style.corner_radius_mm)
    shares = edge / (style.width_mm, style.height_mm)
    return camera.project(card_points_mm(card, style, shares))
