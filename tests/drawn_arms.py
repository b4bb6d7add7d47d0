"""Arms drawn over a table for tests: flat limbs with a grain of their own, moved as told.

They share nothing with the simulator's arms, so that what is found is not found by its drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values import Place, PointMm, TablePlan, Zone
from referee.vision.frames import Frame

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
Tip = Callable[[float], PointMm | None]

WIDTH_PX, HEIGHT_PX, PX_PER_MM = 640, 360, 0.5
TABLE_MM = (1200.0, 660.0)
LEFT_PX, BOTTOM_PX = 20.0, 345.0
FPS = 30

SPRITE_MM = (700, 240)
TIP_AT = (660.0, 120.0)


class View:
    """A camera straight above the table, 0.5 px/mm; `turn_deg` turns its picture."""

    def __init__(self, turn_deg: float = 0.0, size: float = 1.0, push_px: float = 0.0) -> None:
        middle = (WIDTH_PX / 2, HEIGHT_PX / 2)
        turn = cv2.getRotationMatrix2D(middle, turn_deg, size)
        flat = np.array([[PX_PER_MM, 0, LEFT_PX], [0, -PX_PER_MM, BOTTOM_PX - push_px], [0, 0, 1]])
        self._to_px = np.vstack([turn, [0, 0, 1]]) @ flat

    def to_mm(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        return _mapped(np.linalg.inv(self._to_px), points_px)

    def to_px(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        return _mapped(self._to_px, points_mm)

    @property
    def matrix(self) -> NDArray[np.float64]:
        return self._to_px


def _mapped(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    seen = np.c_[points, np.ones(len(points))] @ matrix.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def two_players(zones: tuple[Zone, ...] = ()) -> TablePlan:
    seats = (Place("A", "south", (600.0, 0.0)), Place("B", "north", (600.0, 660.0)))
    return TablePlan("nerves", TABLE_MM, zones, seats)


def four_players() -> TablePlan:
    seats = (
        Place("A", "south", (300.0, 0.0)),
        Place("B", "north", (300.0, 660.0)),
        Place("C", "north", (900.0, 660.0)),
        Place("D", "south", (900.0, 0.0)),
    )
    return TablePlan("nertz", TABLE_MM, (), seats)


@dataclass(frozen=True)
class Looks:
    """What an arm looks like; a bare arm has its sleeve in the skin's colour."""

    skin: Colour = (140, 170, 220)
    sleeve: Colour = (120, 60, 40)
    seed: int = 0
    left: bool = False


def sprite(looks: Looks) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Colour and cover of an arm that points right, one pixel a mm, its fingertips at TIP_AT."""
    width, height = SPRITE_MM
    cover = np.zeros((height, width), np.uint8)
    sleeve = np.zeros_like(cover)
    x, y = TIP_AT
    thumb = 1 if looks.left else -1
    cv2.line(sleeve, (0, int(y)), (int(x) - 215, int(y)), 255, 92, cv2.LINE_AA)
    cv2.line(cover, (int(x) - 240, int(y)), (int(x) - 150, int(y)), 255, 60, cv2.LINE_AA)
    cv2.ellipse(cover, (int(x) - 115, int(y)), (52, 44), 0, 0, 360, 255, -1, cv2.LINE_AA)
    lines = np.zeros_like(cover)
    for k, (off, far) in enumerate(((-30, -14), (-10, 0), (12, -2), (31, -24))):
        start, end = (int(x) - 90, int(y) + off), (int(x + far) - 9, int(y + off * 1.25))
        cv2.line(cover, start, end, 255, 18, cv2.LINE_AA)
        start, end = (start[0], start[1] + 9), (end[0], end[1] + 9)
        cv2.line(lines, start, end, 70 + 10 * k, 3, cv2.LINE_AA)
    start, end = (int(x) - 120, int(y) + thumb * 30), (int(x) - 62, int(y) + thumb * 72)
    cv2.line(cover, start, end, 255, 22, cv2.LINE_AA)
    rng = np.random.default_rng(looks.seed)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 4)
    grain = grain / grain.std() * 7 - lines.astype(np.float32) * 0.5
    sleeved = (sleeve > 127)[..., None]
    colour = np.where(sleeved, np.array(looks.sleeve), np.array(looks.skin)).astype(np.float32)
    both = np.maximum(cover, sleeve).astype(np.float32) / 255
    return np.clip(colour + grain[..., None], 0, 255), both


@dataclass
class Hand:
    """An arm whose fingertips are at `tip(t_s)`, None while it is away; its shoulder stays."""

    looks: Looks
    shoulder_mm: PointMm
    tip: Tip

    def __post_init__(self) -> None:
        self._colour, self._cover = sprite(self.looks)

    def draw(self, picture: NDArray[np.float32], view: View, t_s: float) -> None:
        tip = self.tip(t_s)
        if tip is None:
            return
        ahead = np.subtract(tip, self.shoulder_mm)
        cos, sin = ahead / np.hypot(*ahead)
        # Sprite pixels run down, table millimetres up.
        place = np.array([[cos, sin, tip[0]], [sin, -cos, tip[1]], [0, 0, 1.0]])
        place = place @ np.array([[1, 0, -TIP_AT[0]], [0, 1, -TIP_AT[1]], [0, 0, 1.0]])
        warp = (view.matrix @ place)[:2]
        size = (picture.shape[1], picture.shape[0])
        cover = cv2.warpAffine(self._cover, warp, size, flags=cv2.INTER_AREA)[..., None]
        colour = cv2.warpAffine(self._colour, warp, size, flags=cv2.INTER_LINEAR)
        picture += (colour - picture) * cover


def min_jerk(share: float) -> float:
    u = min(max(share, 0.0), 1.0)
    return u**3 * (10 - 15 * u + 6 * u * u)


def braking(share: float) -> float:
    """Speed rises and falls as a parabola: braking that ends at once, as a card slides out."""
    u = min(max(share, 0.0), 1.0)
    return u * u * (3 - 2 * u)


def reach(
    away: PointMm, there: PointMm, arrive_s: float, leave_s: float, *, takes_s: float = 0.45,
    slap: bool = False,
) -> Tip:  # fmt: skip
    """A hand that comes from `away`, arrives, stays and goes back; minimum jerk, or a blow."""

    def tip(t_s: float) -> PointMm | None:
        if t_s <= arrive_s - takes_s or t_s >= leave_s + takes_s:
            return None
        if t_s <= arrive_s:
            share = (t_s - arrive_s + takes_s) / takes_s
            way = share**2 if slap else min_jerk(share)
        else:
            way = 1 - min_jerk((t_s - leave_s) / takes_s)
        return (away[0] + (there[0] - away[0]) * way, away[1] + (there[1] - away[1]) * way)

    return tip


Spoil = Callable[[NDArray[np.float32], float], NDArray[np.float32]]
Thing = Callable[[NDArray[np.float32], float], None]


@dataclass
class Clip:
    """A table filmed from above: its cloth, what lies there, hands, and what spoils pictures."""

    hands: tuple[Hand, ...] = ()
    cloth: Colour = (60, 95, 45)
    things: tuple[Thing, ...] = ()
    spoil: Spoil | None = None
    view: View | None = None
    noise: float = 1.5

    def frames(self, until_s: float, from_s: float = 0.0) -> Iterator[Frame]:
        rng = np.random.default_rng(5)
        view = self.view or View()
        ground = np.full((HEIGHT_PX, WIDTH_PX, 3), self.cloth, np.float32)
        weave = cv2.GaussianBlur(rng.normal(0, 1, ground.shape[:2]).astype(np.float32), (0, 0), 1.2)
        ground = ground * (1 + 0.12 * weave)[..., None]
        for n in range(round(from_s * FPS), round(until_s * FPS)):
            t_s = n / FPS
            picture = ground.copy()
            for thing in self.things:
                thing(picture, t_s)
            for hand in self.hands:
                hand.draw(picture, view, t_s)
            if self.spoil is not None:
                picture = self.spoil(picture, t_s)
            picture = picture + rng.normal(0, self.noise, picture.shape)
            image = np.clip(picture, 0, 255).astype(np.uint8)
            yield Frame(image, round(t_s * 1e9), 0, n, "drawn")


def card(at_mm: PointMm, from_s: float = 0.0, until_s: float = 1e9) -> Thing:
    """A card with a few pips that lies there from one time to another."""

    def draw(picture: NDArray[np.float32], t_s: float) -> None:
        if not from_s <= t_s < until_s:
            return
        x, y = View().to_px(np.array([at_mm]))[0]
        corner, other = (round(x - 16), round(y - 22)), (round(x + 16), round(y + 22))
        cv2.rectangle(picture, corner, other, (232, 236, 238), -1, cv2.LINE_AA)
        cv2.circle(picture, (round(x), round(y)), 5, (30, 30, 180), -1, cv2.LINE_AA)
        cv2.circle(picture, (round(x) - 10, round(y) - 15), 3, (30, 30, 180), -1, cv2.LINE_AA)

    return draw


def cup(at_mm: PointMm, from_s: float = 0.0) -> Thing:
    """A white cup of tea, 80 mm wide."""

    def draw(picture: NDArray[np.float32], t_s: float) -> None:
        if t_s >= from_s:
            x, y = View().to_px(np.array([at_mm]))[0]
            cv2.circle(picture, (round(x), round(y)), 20, (225, 228, 230), -1, cv2.LINE_AA)
            cv2.circle(picture, (round(x), round(y)), 16, (40, 70, 110), -1, cv2.LINE_AA)

    return draw


def flicker(picture: NDArray[np.float32], t_s: float) -> NDArray[np.float32]:
    """A lamp on the mains under a rolling shutter: three bands over the picture that wander."""
    rows = np.arange(picture.shape[0])[:, None, None] / picture.shape[0]
    return picture * (1 + 0.09 * np.sin(2 * np.pi * (100.3 * t_s + 3 * rows)))


def exposure(picture: NDArray[np.float32], t_s: float) -> NDArray[np.float32]:
    """Exposure and white balance that drift."""
    tint = np.array([1 + 0.08 * np.sin(3 * t_s), 1.0, 1 - 0.06 * np.sin(2 * t_s)])
    return picture * (1 + 0.25 * np.sin(2.5 * t_s)) * tint


def lamp(picture: NDArray[np.float32], t_s: float) -> NDArray[np.float32]:
    """Half a second in, somebody lights a lamp on the right."""
    if t_s < 0.5:
        return picture
    return picture * np.linspace(1.0, 1.6, picture.shape[1])[None, :, None]
