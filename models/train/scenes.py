"""Makes up one training scene: cards as people lay them, hands, things on the table, a camera.

Lengths on the table plane are in card heights (one poker card = 88.9 mm high).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import render
from atlas import Deck, Sprite, Stock
from dyes import DeckDyes, Dye, deck_dyes
from photometry import CLEAR_CARD_PX, photograph
from render import CARD, LAYER_COLUMNS, SPRITE

# ---- settings -----------------------------------------------------------------------------
SIZE_PX = 384
MOST_INDICES = 160
MOST_CARDS = 96
CARD_PX = (66.0, 420.0)  # card height on the image, log-uniform
FOCAL_PX = (700.0, 2600.0)
TILT_FLAT_SHARE, TILT_FLAT_DEG, TILT_MOST_DEG = 0.55, 18.0, 62.0
SECOND_DECK_SHARE = 0.3
# Of the decks; the rest is drawn.
ART_SHARE, NUMBERS_SHARE, FOREIGN_SHARE = 0.34, 0.15, 0.08
GROUP_DOWN_SHARE, CARD_DOWN_SHARE = 0.24, 0.06
HELD_SHARE = 0.15  # cards lifted from the plane: corners moved by a few per cent
EMPTY_SHARE = 0.04
HAND_SHARE = 0.4
KINDS = ("art", "numbers", "foreign", "drawn")
LAYOUTS = ("single", "row", "cascade", "fan", "pile", "heap", "grid")
LAYOUT_WEIGHTS = (0.22, 0.14, 0.2, 0.16, 0.1, 0.1, 0.08)

# x y, half-height vector, half-width vector, card's middle, rank, suit, share, pip's share, card
INDEX_COLUMNS = 13
CARD_COLUMNS = 11  # four corners, face-down, visible share, height px


@dataclass(frozen=True)
class Scene:
    """A rendered scene with all that is true of it; pixels and pixel coordinates of SIZE_PX."""

    image: NDArray[np.uint8]  # S x S x 3
    indices: NDArray[np.float32]  # MOST_INDICES x INDEX_COLUMNS, rows past the last have share -1
    cards: NDArray[np.float32]  # MOST_CARDS x CARD_COLUMNS, likewise
    surface: NDArray[np.uint8]  # S/8 x S/8: 0 table or thing, 1 face, 2 back, 3 hand


@dataclass
class Layer:
    matrix: NDArray[np.float64]  # texture (u, v, 1) -> px
    kind: int
    texture: int
    aspect: float
    radius: float
    surface: int
    deck: Deck | None = None
    face: int = -1  # number in the deck's faces; -1 back or sprite
    dye: Dye | None = None


def make_scene(stock: Stock, rng: np.random.Generator) -> Scene:
    """Render one scene of `stock`, all from `rng`."""
    plane = _camera(rng)
    layers = _lay_cards(stock, plane, rng)
    return pictured(stock, plane, _lay_things(stock, plane, layers, rng), rng)


def pictured(  # type: ignore[type-arg]
    stock: Stock, plane: NDArray, layers: list[Layer], rng: np.random.Generator
) -> Scene:
    """Draw what lies on the table plane, the lowest first, and photograph it."""
    rows = _layer_rows(layers, stock, rng)
    ground = _ground_row(stock, plane, rng)
    image = np.zeros((SIZE_PX, SIZE_PX, 3), np.float32)
    top = np.full((SIZE_PX, SIZE_PX), -1, np.int16)
    a = stock.atlas
    render.compose(a.texels, a.offset, a.width, a.height, a.levels, rows, ground, image, top)
    indices = _index_table(layers, top)
    cards = _card_table(layers, top)
    kinds = np.array([0] + [layer.surface for layer in layers], np.uint8)
    surface = kinds[top[4::8, 4::8] + 1]
    clean = np.clip(image, 0, 255).astype(np.uint8)
    fine = math.sqrt(abs(np.linalg.det(plane[:2, :2]))) / CLEAR_CARD_PX
    return Scene(photograph(clean, fine, rng), indices, cards, surface)


# ---- camera -------------------------------------------------------------------------------
def _camera(rng: np.random.Generator) -> NDArray[np.float64]:
    """Homography from the table plane (card heights) to image px, the scale drawn at the middle."""
    scale = math.exp(rng.uniform(*np.log(CARD_PX)))
    focal = math.exp(rng.uniform(*np.log(FOCAL_PX)))
    flat = rng.random() < TILT_FLAT_SHARE
    tilt = math.radians(rng.uniform(0, TILT_FLAT_DEG) if flat else rng.uniform(10, TILT_MOST_DEG))
    azimuth, turn = rng.uniform(0, 2 * math.pi, 2)
    x_axis = _rotation(azimuth) @ np.diag([1, math.cos(tilt), 1]) @ _rotation(turn)
    away = np.array([0.0, math.sin(tilt), 0.0]) @ _rotation(turn)
    deep = focal / scale
    h = np.array(
        [
            [focal * x_axis[0, 0], focal * x_axis[0, 1], 0],
            [focal * x_axis[1, 0], focal * x_axis[1, 1], 0],
            [away[0], away[1], deep],
        ]
    )
    middle = np.array([[1, 0, SIZE_PX / 2], [0, 1, SIZE_PX / 2], [0, 0, 1]], float)
    return middle @ h / deep


def _rotation(angle: float) -> NDArray[np.float64]:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _pose(x: float, y: float, angle: float, w: float, h: float) -> NDArray[np.float64]:
    """Texture (u, v) -> plane: a w x h rectangle about (x, y), turned by `angle`."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array(
        [
            [c * w, -s * h, x - c * w / 2 + s * h / 2],
            [s * w, c * h, y - s * w / 2 - c * h / 2],
            [0, 0, 1],
        ]
    )


def _map(m: NDArray[np.float64], u: float, v: float) -> tuple[float, float]:
    w = m[2, 0] * u + m[2, 1] * v + m[2, 2]
    return (
        (m[0, 0] * u + m[0, 1] * v + m[0, 2]) / w,
        (m[1, 0] * u + m[1, 1] * v + m[1, 2]) / w,
    )


# ---- cards --------------------------------------------------------------------------------
def _lay_cards(stock: Stock, plane: NDArray, rng: np.random.Generator) -> list[Layer]:  # type: ignore[type-arg]
    if rng.random() < EMPTY_SHARE:
        return []
    decks = [_deck(stock, rng)]
    while rng.random() < SECOND_DECK_SHARE and len(decks) < 4:
        decks.append(_deck(stock, rng))
    dyes = [deck_dyes(rng) for _ in decks]
    back_to_plane = np.linalg.inv(plane)
    scale = math.sqrt(abs(np.linalg.det(plane[:2, :2])))
    room = (SIZE_PX / scale) ** 2  # card heights squared in view
    want = room * rng.uniform(0.3, 1.8) + 1
    layers: list[Layer] = []
    base = rng.uniform(0, 2 * math.pi)
    tidy = rng.random() < 0.5
    while want > 0 and len(layers) < MOST_CARDS - 14:
        px = rng.uniform(-0.1, 1.1, 2) * SIZE_PX
        x, y = _map(back_to_plane, *px)
        angle = base + rng.integers(4) * math.pi / 2 + rng.normal(0, 0.06)
        if not tidy:
            angle = rng.uniform(0, 2 * math.pi)
        k = int(rng.integers(len(decks)))
        deck = decks[k]
        poses = _layout(deck, rng)
        down = rng.random() < GROUP_DOWN_SHARE
        for dx, dy, turn in poses:
            c, s = math.cos(angle), math.sin(angle)
            pose = _pose(x + c * dx - s * dy, y + s * dx + c * dy, angle + turn, deck.aspect, 1.0)
            layers.append(_card(plane @ pose, deck, dyes[k], down, rng))
        want -= len(poses) * 0.5
    return layers


def _deck(stock: Stock, rng: np.random.Generator) -> Deck:
    shares = (ART_SHARE, NUMBERS_SHARE, FOREIGN_SHARE)
    kind = rng.choice(KINDS, p=(*shares, 1 - sum(shares)))
    some = [d for d in stock.decks if d.kind == kind] or stock.decks
    return some[rng.integers(len(some))]


def _layout(deck: Deck, rng: np.random.Generator) -> list[tuple[float, float, float]]:
    """Centres and turns of one group of cards, lowest first."""
    kind = rng.choice(LAYOUTS, p=LAYOUT_WEIGHTS)
    w, loose = deck.aspect, rng.choice([0.005, 0.02, 0.06])
    n = 1 + int(rng.integers(2, 13) * rng.random() + 1)

    def noise() -> tuple[float, float, float]:
        return rng.normal(0, loose), rng.normal(0, loose), rng.normal(0, loose * 1.5)

    if kind == "single":
        return [noise()]
    if kind == "row":
        step = w * (rng.uniform(1.02, 1.5) if rng.random() < 0.5 else rng.uniform(0.2, 0.9))
        if rng.random() < 0.3:
            step = -step
        return [(i * step + a, b, c) for i, (a, b, c) in enumerate(noise() for _ in range(n))]
    if kind == "cascade":
        step = rng.uniform(0.1, 0.4) * (1 if rng.random() < 0.75 else -1)
        side = rng.normal(0, 0.02)
        return [
            (i * side + a, i * step + b, c) for i, (a, b, c) in enumerate(noise() for _ in range(n))
        ]
    if kind == "fan":
        return _fan(n, rng, loose)
    if kind == "pile":
        spread = rng.choice([0.01, 0.04, 0.12])
        return [
            (rng.normal(0, spread), rng.normal(0, spread), rng.normal(0, spread * 2))
            for _ in range(n)
        ]
    if kind == "heap":
        return [(rng.normal(0, 0.45), rng.normal(0, 0.45), rng.uniform(0, 6.3)) for _ in range(n)]
    across = int(rng.integers(2, 5))
    gap = rng.uniform(1.03, 1.4)
    return [
        (i % across * w * gap + a, i // across * gap + b, c)
        for i, (a, b, c) in enumerate(noise() for _ in range(n))
    ]


def _fan(n: int, rng: np.random.Generator, loose: float) -> list[tuple[float, float, float]]:
    reach = rng.uniform(0.55, 2.5)
    step = math.radians(rng.uniform(4, 16)) / max(reach, 0.8) * (1 if rng.random() < 0.85 else -1)
    out = []
    for i in range(n):
        a = (i - (n - 1) / 2) * step + rng.normal(0, loose)
        out.append((reach * math.sin(a), reach * (1 - math.cos(a)) + rng.normal(0, loose), a))
    return out


def _card(  # type: ignore[type-arg]
    matrix: NDArray, deck: Deck, dyes: DeckDyes, down: bool, rng: np.random.Generator
) -> Layer:
    if rng.random() < CARD_DOWN_SHARE:
        down = not down
    if rng.random() < HELD_SHARE:
        matrix = _lifted(matrix, rng)
    if down and deck.backs:
        return Layer(
            matrix,
            CARD,
            deck.backs[rng.integers(len(deck.backs))],
            deck.aspect,
            deck.corner_radius,
            2,
            deck,
            dye=dyes.backs,
        )
    k = int(rng.integers(len(deck.faces)))
    texture, dye = deck.faces[k].texture, dyes.faces
    return Layer(matrix, CARD, texture, deck.aspect, deck.corner_radius, 1, deck, k, dye)


def _lifted(matrix: NDArray, rng: np.random.Generator) -> NDArray:  # type: ignore[type-arg]
    """The card tipped out of the plane: a small projective change about its middle."""
    k = rng.normal(0, 0.06, 2)
    stretch = 1 + rng.normal(0, 0.05, 2)
    tip = np.array(
        [
            [stretch[0], 0, 0.5 * (1 - stretch[0])],
            [0, stretch[1], 0.5 * (1 - stretch[1])],
            [k[0], k[1], 1 - k.sum() / 2],
        ]
    )
    return matrix @ tip


# ---- hands and things ---------------------------------------------------------------------
def _lay_things(
    stock: Stock, plane: NDArray, layers: list[Layer], rng: np.random.Generator
) -> list[Layer]:  # type: ignore[type-arg]
    out = list(layers)
    inverse = np.linalg.inv(plane)
    for _ in range(int(rng.integers(0, 4))):
        if stock.objects and rng.random() < 0.6:
            s = stock.objects[rng.integers(len(stock.objects))]
            thing = _sprite(s, rng.uniform(0, SIZE_PX, 2), inverse, plane, 0, rng)
            out.insert(int(rng.integers(len(out) + 1)) if rng.random() < 0.3 else 0, thing)
    while stock.hands and rng.random() < HAND_SHARE and len(out) < MOST_CARDS + 20:
        s = stock.hands[rng.integers(len(stock.hands))]
        at = rng.uniform(0, SIZE_PX, 2)
        if layers and rng.random() < 0.7:
            at = np.array(_map(layers[rng.integers(len(layers))].matrix, 0.5, 0.9)) + rng.normal(
                0, 12, 2
            )
        hand = _sprite(s, at, inverse, plane, 3, rng)
        out.insert(len(out) if rng.random() < 0.75 else int(rng.integers(len(out) + 1)), hand)
    return out


def _sprite(
    s: Sprite, at: NDArray, inverse: NDArray, plane: NDArray, surface: int, rng: np.random.Generator
) -> Layer:  # type: ignore[type-arg]
    x, y = _map(inverse, float(at[0]), float(at[1]))
    long = s.length * rng.uniform(0.8, 1.25)
    w, h = (long, long / s.aspect) if s.aspect > 1 else (long * s.aspect, long)
    turn = rng.uniform(0, 2 * math.pi)
    if surface == 3:  # the fingertips, at the upper end of the sprite, come to rest at the place
        x, y = x - math.sin(turn) * h * 0.4, y + math.cos(turn) * h * 0.4
    matrix = plane @ _pose(x, y, turn, w, h)
    return Layer(matrix, SPRITE, s.texture, s.aspect, 0.0, surface)


# ---- rows for the renderer ----------------------------------------------------------------
def _layer_rows(layers: list[Layer], stock: Stock, rng: np.random.Generator) -> NDArray[np.float32]:
    rows = np.zeros((len(layers), LAYER_COLUMNS), np.float32)
    gain = _gains(rng, 0.06)
    deep, angle = rng.uniform(0.15, 0.7) * (rng.random() < 0.85), rng.uniform(0, 2 * math.pi)
    long, soft = rng.uniform(0.0, 0.05), rng.uniform(0.015, 0.09)
    gloss_scene = rng.random() < 0.25
    for i, layer in enumerate(layers):
        r = rows[i]
        corners = [_map(layer.matrix, u, v) for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
        px = math.dist(corners[0], corners[3])
        r[0:9] = np.linalg.inv(layer.matrix).reshape(-1)
        sign = 1.0 if r[6] * corners[0][0] + r[7] * corners[0][1] + r[8] > 0 else -1.0
        r[0:9] *= sign
        area = _area(corners)
        texels = stock.atlas.width[layer.texture, 0] * stock.atlas.height[layer.texture, 0]
        r[render.L_KIND], r[render.L_TEX] = layer.kind, layer.texture
        r[render.L_ASPECT], r[render.L_RADIUS] = layer.aspect, layer.radius
        r[render.L_PX] = math.sqrt(max(area, 1.0) / max(layer.aspect, 0.05))
        r[render.L_LOD] = 0.5 * math.log2(max(texels / max(area, 1.0), 1e-3)) - 0.15
        own = gain * _gains(rng, 0.03) if layer.kind == CARD else _gains(rng, 0.15)
        r[render.L_GAIN : render.L_GAIN + 3] = own
        if layer.dye is not None:
            dye = layer.dye
            r[render.L_DYED] = 1.0
            r[render.L_DYE : render.L_DYE + 9] = (*dye.paper, *dye.ink, *dye.coloured)
        if layer.kind == CARD and gloss_scene and rng.random() < 0.5:
            strength = rng.uniform(20, 160) if rng.random() < 0.6 else rng.uniform(160, 320)
            r[render.L_GLOSS : render.L_GLOSS + 4] = (
                strength,
                *rng.uniform(-0.2, 1.2, 2),
                rng.uniform(0.1, 0.7),
            )
        else:
            r[render.L_GLOSS : render.L_GLOSS + 4] = 0, 0, 0, 1
        turn = math.atan2(corners[1][1] - corners[0][1], corners[1][0] - corners[0][0])
        du, dv = long * math.cos(angle - turn), long * math.sin(angle - turn)
        r[render.L_SHADOW : render.L_SHADOW + 4] = deep, du / max(layer.aspect, 0.1), dv, soft
        if layer.kind == SPRITE:
            r[render.L_SHADOW] = deep * 0.8
            r[render.L_SHADOW + 1 : render.L_SHADOW + 3] *= 2.0
        r[render.L_EDGE] = rng.uniform(0.6, 1.0)
        grow = 0.15 * px + 3
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        r[render.L_BOX : render.L_BOX + 4] = (
            min(xs) - grow,
            min(ys) - grow,
            max(xs) + grow,
            max(ys) + grow,
        )
    return rows


def _area(corners: list[tuple[float, float]]) -> float:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    return 0.5 * abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay))


def _gains(rng: np.random.Generator, spread: float) -> NDArray[np.float64]:
    return np.exp(rng.normal(0, spread) + rng.normal(0, spread / 2, 3))


def _ground_row(stock: Stock, plane: NDArray, rng: np.random.Generator) -> NDArray[np.float32]:  # type: ignore[type-arg]
    t = stock.grounds[rng.integers(len(stock.grounds))]
    wide = math.exp(rng.uniform(math.log(1.2), math.log(14)))
    if rng.random() < 0.25:  # upright behind the cards, as in a room
        scale = rng.uniform(0.6, 2.0) * SIZE_PX
        m = np.array(
            [[scale, 0, rng.uniform(-200, 200)], [0, scale, rng.uniform(-200, 200)], [0, 0, 1]]
        )
    else:
        m = plane @ _pose(*rng.uniform(-3, 3, 2), rng.uniform(0, 6.3), wide, wide)
    row = np.zeros(LAYER_COLUMNS, np.float32)
    row[0:9] = np.linalg.inv(m).reshape(-1)
    row[0:9] *= 1.0 if row[6] * SIZE_PX / 2 + row[7] * SIZE_PX / 2 + row[8] > 0 else -1.0
    a, b = _map(m, 0.0, 0.0), _map(m, 0.01, 0.0)
    px = max(100 * math.dist(a, b), 1.0)
    row[render.L_TEX] = t
    row[render.L_LOD] = math.log2(max(stock.atlas.width[t, 0] / min(px, 1e6), 1e-3))
    row[render.L_GAIN : render.L_GAIN + 3] = _gains(rng, 0.3) * rng.choice([1.0, 1.0, 0.5])
    return row


# ---- truth --------------------------------------------------------------------------------
def _index_table(layers: list[Layer], top: NDArray[np.int16]) -> NDArray[np.float32]:
    rows: list[list[float]] = []
    owners: list[int] = []
    for k, layer in enumerate(layers):
        if layer.face < 0 or layer.deck is None:
            continue
        face = layer.deck.faces[layer.face]
        middle = _map(layer.matrix, 0.5, 0.5)
        for u, v, w, h, turn in face.indices:
            sign = -1.0 if turn > 90 else 1.0
            x, y = _map(layer.matrix, u, v)
            if not (-8 < x < SIZE_PX + 8 and -8 < y < SIZE_PX + 8):
                continue
            bx, by = _map(layer.matrix, u, v + sign * h / 2)
            rx, ry = _map(layer.matrix, u + sign * w / 2, v)
            rows.append(
                [
                    x,
                    y,
                    bx - x,
                    by - y,
                    rx - x,
                    ry - y,
                    middle[0],
                    middle[1],
                    face.rank,
                    face.suit,
                    0,
                    0,
                    k,
                ]
            )
            owners.append(k)
    out = np.full((MOST_INDICES, INDEX_COLUMNS), -1, np.float32)
    if not rows:
        return out
    table = np.array(rows, np.float32)
    owner = np.array(owners, np.int64)
    places = table[:, [0, 1, 4, 5, 2, 3]].copy()
    table[:, 10] = render.visible_shares(top, places, owner, 5, 9)
    lower = places.copy()
    lower[:, 0:2] += 0.5 * places[:, 4:6]
    lower[:, 4:6] *= 0.5
    table[:, 11] = render.visible_shares(top, lower, owner, 5, 5)
    table = table[table[:, 10] > 0.1][:MOST_INDICES]
    out[: len(table)] = table
    return out


def _card_table(layers: list[Layer], top: NDArray[np.int16]) -> NDArray[np.float32]:
    areas = render.layer_areas(top, len(layers))
    out = np.full((MOST_CARDS, CARD_COLUMNS), -1, np.float32)
    n = 0
    for k, layer in enumerate(layers):
        if layer.kind != CARD or areas[k] < 30 or n == MOST_CARDS:
            continue
        corners = [_map(layer.matrix, u, v) for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
        whole = _area(corners)
        tall = 0.5 * (math.dist(corners[0], corners[3]) + math.dist(corners[1], corners[2]))
        out[n, :8] = np.array(corners).reshape(-1)
        out[n, 8:] = layer.surface == 2, areas[k] / max(whole, 1.0), tall
        n += 1
    return out
