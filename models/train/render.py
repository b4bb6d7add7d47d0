"""Draws one training scene: layered cards, sprites and shadows over a background, pixel by pixel.

Every layer is a textured quad. A pixel walks the layers from the top down and stops when it is
covered, so that a crowded table costs hardly more than an empty one. Plain scalar code, compiled
by numba: the same on every processor, about 10 ms for a scene of 384 px on one core.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

TILE_PX = 16
CARD, SPRITE = 0, 1

# Columns of a layer row (float32).
(
    L_INV,  # 9 numbers: image px -> texture (u, v, 1), row by row
    L_KIND,
    L_TEX,
    L_ASPECT,
    L_RADIUS,
    L_PX,  # pixels on the image for one layer height
    L_LOD,
    L_GAIN,  # 3 numbers, blue green red
    L_DYED,  # 1: in the colours of L_DYE
    L_GLOSS,  # strength, u, v, size
    L_SHADOW,  # strength, du, dv, softness
    L_EDGE,
    L_BOX,  # x0 y0 x1 y1 px, shadow included
    L_DYE,  # 3 x blue green red: the stock, black ink, coloured ink
) = (0, 9, 10, 11, 12, 13, 14, 15, 18, 19, 23, 27, 28, 32)
LAYER_COLUMNS = 41


@dataclass(frozen=True)
class Atlas:
    """All textures as one flat buffer of blue-green-red-alpha bytes with their mip levels."""

    texels: NDArray[np.uint8]
    offset: NDArray[np.int64]  # textures x levels
    width: NDArray[np.int32]
    height: NDArray[np.int32]
    levels: NDArray[np.int32]


@njit(cache=True, fastmath=True)
def _sample(texels, offset, width, height, levels, tex, u, v, lod):
    """Bilinear blue, green, red, alpha of the nearest mip level.

    A level too sharp or too soft by a half only adds to the variety of lenses.
    """
    level = int(min(max(lod, 0.0), levels[tex] - 1.0) + 0.5)
    w = width[tex, level]
    h = height[tex, level]
    x = min(max(u * w - 0.5, 0.0), w - 1.001)
    y = min(max(v * h - 0.5, 0.0), h - 1.001)
    x0 = int(x)
    y0 = int(y)
    fx = np.float32(x - x0)
    fy = np.float32(y - y0)
    # Unsigned, so that no index is tested for being negative.
    a = np.uint64(offset[tex, level] + (y0 * w + x0) * 4)
    b = a + np.uint64(4)
    c = a + np.uint64(w * 4)
    d = c + np.uint64(4)
    p = (1 - fx) * (1 - fy)
    q = fx * (1 - fy)
    r = (1 - fx) * fy
    s = fx * fy
    i, j, k = np.uint64(1), np.uint64(2), np.uint64(3)
    return (
        texels[a] * p + texels[b] * q + texels[c] * r + texels[d] * s,
        texels[a + i] * p + texels[b + i] * q + texels[c + i] * r + texels[d + i] * s,
        texels[a + j] * p + texels[b + j] * q + texels[c + j] * r + texels[d + j] * s,
        texels[a + k] * p + texels[b + k] * q + texels[c + k] * r + texels[d + k] * s,
    )


@njit(cache=True, fastmath=True)
def _outside(u, v, aspect, radius):
    """Signed distance to the rounded card, in card heights; negative inside."""
    r = radius * aspect
    dx = abs(u - 0.5) * aspect - 0.5 * aspect + r
    dy = abs(v - 0.5) - 0.5 + r
    ox = max(dx, 0.0)
    oy = max(dy, 0.0)
    return math.sqrt(ox * ox + oy * oy) + min(max(dx, dy), 0.0) - r


@njit(cache=True, fastmath=True)
def compose(texels, offset, width, height, levels, layers, ground, image, top):
    """Fill image (S x S x 3 float32, 0..255) and top (S x S int16, layer number or -1).

    `layers` runs from the lowest to the topmost; `ground` is one row of the same columns. One
    function on purpose: a call for each pixel, with so many arrays, took three times as long.
    """
    size = image.shape[0]
    n = layers.shape[0]
    here = np.empty(n, np.int32)
    for ty in range(0, size, TILE_PX):
        for tx in range(0, size, TILE_PX):
            count = 0
            for i in range(n - 1, -1, -1):
                if (
                    layers[i, L_BOX] < tx + TILE_PX
                    and layers[i, L_BOX + 2] >= tx
                    and layers[i, L_BOX + 1] < ty + TILE_PX
                    and layers[i, L_BOX + 3] >= ty
                ):
                    here[count] = i
                    count += 1
            for y in range(ty, min(ty + TILE_PX, size)):
                for x in range(tx, min(tx + TILE_PX, size)):
                    left = 1.0
                    light = 1.0
                    b = 0.0
                    g = 0.0
                    r = 0.0
                    seen = -1
                    for j in range(count):
                        i = here[j]
                        w = layers[i, 6] * x + layers[i, 7] * y + layers[i, 8]
                        if w <= 1e-9:
                            continue
                        u = (layers[i, 0] * x + layers[i, 1] * y + layers[i, 2]) / w
                        v = (layers[i, 3] * x + layers[i, 4] * y + layers[i, 5]) / w
                        if u < -0.2 or u > 1.2 or v < -0.2 or v > 1.2:
                            continue
                        tex = int(layers[i, L_TEX])
                        if layers[i, L_KIND] == CARD:
                            far = (
                                _outside(u, v, layers[i, L_ASPECT], layers[i, L_RADIUS])
                                * layers[i, L_PX]
                            )
                            alpha = min(max(0.5 - far, 0.0), 1.0)
                        else:
                            far = -9.0
                            alpha = 1.0 if 0.0 <= u <= 1.0 and 0.0 <= v <= 1.0 else 0.0
                        if alpha > 0.0:
                            one = _sample(
                                texels, offset, width, height, levels, tex, u, v, layers[i, L_LOD]
                            )
                            alpha *= one[3] / 255.0
                            gu = u - layers[i, L_GLOSS + 1]
                            gv = v - layers[i, L_GLOSS + 2]
                            gs = layers[i, L_GLOSS + 3]
                            shine = layers[i, L_GLOSS] * math.exp(-(gu * gu + gv * gv) / (gs * gs))
                            dark = layers[i, L_EDGE] if far > -1.2 else 1.0
                            k = left * alpha * light
                            tb, tg, tr = one[0], one[1], one[2]
                            if layers[i, L_DYED] > 0.0:
                                most = max(tb, tg, tr)
                                least = min(tb, tg, tr)
                                inked = 1.0 - least / 255.0
                                coloured = min((most - least) / max(255.0 - least, 12.0), 1.0)
                                paper = 1.0 - inked
                                black = inked * (1.0 - coloured)
                                coloured *= inked
                                tb = (
                                    paper * layers[i, L_DYE]
                                    + black * layers[i, L_DYE + 3]
                                    + coloured * layers[i, L_DYE + 6]
                                )
                                tg = (
                                    paper * layers[i, L_DYE + 1]
                                    + black * layers[i, L_DYE + 4]
                                    + coloured * layers[i, L_DYE + 7]
                                )
                                tr = (
                                    paper * layers[i, L_DYE + 2]
                                    + black * layers[i, L_DYE + 5]
                                    + coloured * layers[i, L_DYE + 8]
                                )
                            b += k * (tb * layers[i, L_GAIN] * dark + shine)
                            g += k * (tg * layers[i, L_GAIN + 1] * dark + shine)
                            r += k * (tr * layers[i, L_GAIN + 2] * dark + shine)
                            if alpha > 0.5 and seen < 0:
                                seen = i
                            left *= 1.0 - alpha
                            if left < 0.01:
                                break
                        if layers[i, L_SHADOW] > 0.0:
                            su = u - layers[i, L_SHADOW + 1]
                            sv = v - layers[i, L_SHADOW + 2]
                            soft = layers[i, L_SHADOW + 3]
                            if layers[i, L_KIND] == CARD:
                                d = (
                                    _outside(su, sv, layers[i, L_ASPECT], layers[i, L_RADIUS])
                                    / soft
                                )
                                t = min(max(0.5 - 0.5 * d, 0.0), 1.0)
                                light *= 1.0 - layers[i, L_SHADOW] * t * t * (3.0 - 2.0 * t)
                            elif 0.0 <= su <= 1.0 and 0.0 <= sv <= 1.0:
                                k2 = min(layers[i, L_LOD] + 3.0, levels[tex] - 1.0)
                                one = _sample(
                                    texels, offset, width, height, levels, tex, su, sv, k2
                                )
                                light *= 1.0 - layers[i, L_SHADOW] * one[3] / 255.0
                    if left >= 0.01:
                        w = ground[6] * x + ground[7] * y + ground[8]
                        u = (ground[0] * x + ground[1] * y + ground[2]) / w
                        v = (ground[3] * x + ground[4] * y + ground[5]) / w
                        u = abs((u * 0.5 - math.floor(u * 0.5)) * 2.0 - 1.0)
                        v = abs((v * 0.5 - math.floor(v * 0.5)) * 2.0 - 1.0)
                        tex = int(ground[L_TEX])
                        one = _sample(
                            texels, offset, width, height, levels, tex, u, v, ground[L_LOD]
                        )
                        k = left * light
                        b += k * one[0] * ground[L_GAIN]
                        g += k * one[1] * ground[L_GAIN + 1]
                        r += k * one[2] * ground[L_GAIN + 2]
                    image[y, x, 0] = b
                    image[y, x, 1] = g
                    image[y, x, 2] = r
                    top[y, x] = seen


@njit(cache=True)
def visible_shares(top, places, owner, across, down):
    """Share of each small parallelogram that its own layer shows.

    places: N x 6 float32 (centre x, y, half-width vector, half-height vector, all px); owner: N
    layer numbers. Points off the image count as hidden. Returns N shares, 0..1.
    """
    size = top.shape[0]
    out = np.zeros(len(owner), np.float32)
    for k in range(len(owner)):
        p = places[k]
        hit = 0
        for a in range(across):
            s = (a + 0.5) / across * 2.0 - 1.0
            for d in range(down):
                t = (d + 0.5) / down * 2.0 - 1.0
                x = int(p[0] + s * p[2] + t * p[4] + 0.5)
                y = int(p[1] + s * p[3] + t * p[5] + 0.5)
                if 0 <= x < size and 0 <= y < size and top[y, x] == owner[k]:
                    hit += 1
        out[k] = hit / (across * down)
    return out


@njit(cache=True)
def layer_areas(top, count):
    """Pixels that each layer shows."""
    out = np.zeros(count, np.int64)
    for y in range(top.shape[0]):
        for x in range(top.shape[1]):
            if top[y, x] >= 0:
                out[top[y, x]] += 1
    return out
