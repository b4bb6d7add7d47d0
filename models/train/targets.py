"""What the networks should answer: losses of a batch of scenes, and crops for the index reader."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from networks import COARSE_UNIT_PX, CROP, CROP_HALF_PX, FINE_UNIT_PX, MIDDLE_UNIT_PX, RANKS, SUITS

# ---- settings -------------------------------------------------------------------------------
SEEN_SHARE, GLIMPSED_SHARE = 0.4, 0.1  # an index is to be found from SEEN on; between: not scored
HALF_PX = (3.2, 42.0)  # half heights of indices that one level of the image pyramid must find
CARD_SEEN_SHARE, CARD_GLIMPSED_SHARE = 0.28, 0.05
CARD_PX = (36.0, 420.0)
CROPS_FROM_TRUTH, CROPS_FROM_PEAKS = 14, 10
IS_INDEX = RANKS + SUITS
AROUND = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass(frozen=True)
class Batch:
    """Scenes on the training device; shapes as in scenes.Scene with a leading B."""

    image: Tensor  # B x 3 x S x S float 0..1
    indices: Tensor
    cards: Tensor
    surface: Tensor


def _gaussians(x: Tensor, y: Tensor, sigma: Tensor, weight: Tensor, cells: int) -> Tensor:
    """B x N points in cells -> B x cells x cells maximum of Gaussians (weight 0 leaves none)."""
    line = torch.arange(cells, device=x.device, dtype=torch.float32)
    gx = torch.exp(-((line - x[..., None]) ** 2) / (2 * sigma[..., None] ** 2)) * weight[..., None]
    gy = torch.exp(-((line - y[..., None]) ** 2) / (2 * sigma[..., None] ** 2))
    heat = torch.zeros(x.shape[0], cells, cells, device=x.device)
    for k in range(0, x.shape[1], 8):
        part = gy[:, k : k + 8, :, None] * gx[:, k : k + 8, None, :]
        heat = torch.maximum(heat, part.amax(1))
    return heat


def _focal(logit: Tensor, heat: Tensor, scored: Tensor) -> Tensor:
    """Penalty-reduced focal loss of centre heat maps (exponents 2 and 4), by positive."""
    logit = logit.float()
    p = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    hit = (heat > 0.99).float()
    loss = hit * (1 - p) ** 2 * F.softplus(-logit) + (1 - hit) * (
        1 - heat
    ) ** 4 * p**2 * F.softplus(logit)
    return (loss * scored).sum() / hit.sum().clamp_min(1.0)


def _at(maps: Tensor, b: Tensor, cx: Tensor, cy: Tensor) -> Tensor:
    return maps[b, :, cy, cx].float()


def _trim(table: Tensor, used: Tensor) -> Tensor:
    """Drop the rows that no scene of the batch uses."""
    return table[:, : max(1, int(used.sum(1).max()))]


def fine_loss(fine: Tensor, batch: Batch) -> dict[str, Tensor]:
    """Losses of index heat, place, axis, card middle, rank and suit."""
    t = _trim(batch.indices, batch.indices[..., 10] >= 0)
    cells = fine.shape[-1]
    x, y = t[..., 0] / 4, t[..., 1] / 4
    half = t[..., 2:4].norm(dim=-1)
    here = t[..., 10] > 0
    sized = here & (half > HALF_PX[0]) & (half < HALF_PX[1])
    found = sized & (t[..., 10] >= SEEN_SHARE)
    unsure = here & ~found & (t[..., 10] > GLIMPSED_SHARE)
    sigma = (half * 0.09).clamp(0.7, 3.0)
    rx, ry = x.round(), y.round()
    heat = _gaussians(rx, ry, sigma, found.float(), cells)
    blur = _gaussians(rx, ry, (half * 0.15).clamp(1.0, 6.0), unsure.float(), cells)
    scored = ((blur < 0.2) | (heat > 0.3)).float()
    out = {"heat": _focal(fine[:, 0], heat, scored)}
    b, n = found.nonzero(as_tuple=True)
    rows = t[b, n]
    dx = torch.tensor([d[0] for d in AROUND], device=fine.device).repeat(len(b))
    dy = torch.tensor([d[1] for d in AROUND], device=fine.device).repeat(len(b))
    b = b.repeat_interleave(len(AROUND))
    rows = rows.repeat_interleave(len(AROUND), 0)
    cx, cy = (rows[:, 0] / 4).round().long() + dx, (rows[:, 1] / 4).round().long() + dy
    inside = (cx >= 0) & (cx < cells) & (cy >= 0) & (cy < cells)
    b, rows, cx, cy = b[inside], rows[inside], cx[inside], cy[inside]
    got = _at(fine, b, cx, cy)
    size = (rows[:, 2:4].norm(dim=1, keepdim=True) / 12).clamp(0.5, 3)
    cell = torch.stack([cx, cy], 1)
    middle = ((rows[:, 6:8] - cell * 4) / MIDDLE_UNIT_PX).clamp(-8, 8)
    many = max(1, len(rows))
    out["place"] = ((got[:, 1:3] - (rows[:, 0:2] / 4 - cell)) / size).abs().sum() / many
    out["axis"] = ((got[:, 3:5] - rows[:, 2:4] / FINE_UNIT_PX) / size).abs().sum() / many * 2
    out["middle"] = ((got[:, 5:7] - middle) / size).abs().sum() / many * 0.3
    out["rank"] = (
        F.cross_entropy(got[:, 7 : 7 + RANKS], rows[:, 8].long(), reduction="sum") / many * 0.5
    )
    out["suit"] = (
        F.cross_entropy(got[:, 7 + RANKS :], rows[:, 9].long(), reduction="sum") / many * 0.5
    )
    return out


def _doubled(v: Tensor) -> Tensor:
    """Vector of the same length with twice the angle."""
    length = v.norm(dim=-1, keepdim=True).clamp_min(1e-6)
    x, y = v[..., :1], v[..., 1:]
    return torch.cat([x * x - y * y, 2 * x * y], -1) / length


def coarse_loss(coarse: Tensor, batch: Batch) -> dict[str, Tensor]:
    """Losses of card heat (face, back), outline and surface."""
    t = _trim(batch.cards, batch.cards[..., 9] >= 0)
    cells = coarse.shape[-1]
    corners = t[..., :8].reshape(*t.shape[:2], 4, 2)
    middle = corners.mean(2) / 8
    share, tall = t[..., 9], t[..., 10]
    sized = (share > 0) & (tall > CARD_PX[0]) & (tall < CARD_PX[1])
    found = sized & (share >= CARD_SEEN_SHARE)
    unsure = (share > CARD_GLIMPSED_SHARE) & ~found
    sigma = (tall / 8 * 0.05).clamp(0.7, 3)
    rx, ry = middle[..., 0].round(), middle[..., 1].round()
    blur = _gaussians(rx, ry, sigma * 2, unsure.float(), cells)
    out: dict[str, Tensor] = {"card": coarse.new_zeros((), dtype=torch.float32)}
    for side in (0, 1):
        mine = found & ((t[..., 8] > 0.5) == bool(side))
        heat = _gaussians(rx, ry, sigma, mine.float(), cells)
        out["card"] = out["card"] + _focal(
            coarse[:, side], heat, ((blur < 0.2) | (heat > 0.3)).float()
        )
    b, n = found.nonzero(as_tuple=True)
    cx, cy = rx[b, n].long(), ry[b, n].long()
    inside = (cx >= 0) & (cx < cells) & (cy >= 0) & (cy < cells)
    b, n, cx, cy = b[inside], n[inside], cx[inside], cy[inside]
    got = _at(coarse, b, cx, cy)
    c = corners[b, n]
    down = (c[:, 2] + c[:, 3] - c[:, 0] - c[:, 1]) / 4
    across = (c[:, 1] + c[:, 2] - c[:, 0] - c[:, 3]) / 4
    place = middle[b, n] * 8 - torch.stack([cx, cy], 1) * 8
    want = torch.cat([place, _doubled(down), _doubled(across)], 1) / COARSE_UNIT_PX
    size = (tall[b, n, None] / 140).clamp(0.5, 2.5)
    out["outline"] = ((got[:, 2:8] - want) / size).abs().sum() / max(1, len(b)) * 0.7
    out["surface"] = F.cross_entropy(coarse[:, 8:].float(), batch.surface.long()) * 0.5
    return out


# ---- crops for the reader ---------------------------------------------------------------------
def crop_grid(x: Tensor, y: Tensor, ax: Tensor, ay: Tensor, size: int) -> Tensor:
    """Sampling grid of upright crops: ... -> ... x CROP x CROP x 2 for grid_sample.

    (x, y) is the index's middle and (ax, ay) the vector to the middle of its lower edge, px.
    """
    line = (torch.arange(CROP, device=x.device) - (CROP - 1) / 2) / CROP_HALF_PX
    down, across = line.view(-1, 1), line.view(1, -1)
    gx = x[..., None, None] + down * ax[..., None, None] + across * ay[..., None, None]
    gy = y[..., None, None] + down * ay[..., None, None] - across * ax[..., None, None]
    return torch.stack([(gx + 0.5) * 2 / size - 1, (gy + 0.5) * 2 / size - 1], -1)


@dataclass(frozen=True)
class Crops:
    """Places to read with what stands there; all B x K."""

    place: Tensor  # B x K x 4: x y axis-x axis-y, px
    rank: Tensor
    suit: Tensor
    rank_weight: Tensor
    suit_weight: Tensor
    is_index: Tensor
    is_weight: Tensor
    pose: Tensor  # B x K x 4: right, down (half heights), log size, turn (rad) of the true index
    pose_weight: Tensor


def pick_crops(fine: Tensor, batch: Batch) -> Crops:
    """Crops from the truth with jitter, and where the finder now sees peaks."""
    t = _trim(batch.indices, batch.indices[..., 10] >= 0)
    truth = _jittered(t, CROPS_FROM_TRUTH)
    peaks = _peaks(fine.detach().float(), CROPS_FROM_PEAKS)
    place = torch.cat([truth, peaks], 1)
    d = (place[:, :, None, :2] - t[:, None, :, :2]).norm(dim=-1)
    half = t[..., 2:4].norm(dim=-1)[:, None]
    d = d / half.clamp_min(1.0) + 100.0 * (t[:, None, :, 10] <= 0)
    near, n = d.min(2)
    row = torch.gather(t, 1, n[..., None].expand(-1, -1, t.shape[-1]))
    own = row[..., 2:4]
    agree = (own * place[..., 2:]).sum(-1) / (own.norm(dim=-1) * place[..., 2:].norm(dim=-1) + 1e-3)
    ratio = place[..., 2:].norm(dim=-1) / own.norm(dim=-1).clamp_min(1e-3)
    good = (near < 0.55) & (agree > 0.8) & (ratio > 0.6) & (ratio < 1.65)
    far = (near > 1.2) | (agree < 0.3)
    seen = row[..., 10]
    ok = (place[..., 2:].norm(dim=-1) > 2.0).float()
    is_index = good & (seen >= SEEN_SHARE)
    sure = (is_index | far | (good & (seen < 0.15))).float() * ok
    legible = good.float() * ok * ((seen - 0.15) / 0.35).clamp(0, 1)
    return Crops(
        place, row[..., 8].long().clamp_min(0), row[..., 9].long().clamp_min(0),
        legible, legible * (row[..., 11] > 0.25), is_index.float(), sure,
        pose(place, row), good.float() * ok * (seen >= SEEN_SHARE),
    )  # fmt: skip


def pose(place: Tensor, row: Tensor) -> Tensor:
    """How true indices (rows of the index table) lie against the places they are cut at."""
    ax, ay = place[..., 2], place[..., 3]
    half2 = (ax * ax + ay * ay).clamp_min(1.0)
    dx, dy = row[..., 0] - place[..., 0], row[..., 1] - place[..., 1]
    dot = row[..., 2] * ax + row[..., 3] * ay
    cross = ax * row[..., 3] - ay * row[..., 2]
    size = 0.5 * torch.log((row[..., 2] ** 2 + row[..., 3] ** 2).clamp_min(1.0) / half2)
    right, down = (dx * ay - dy * ax) / half2, (dx * ax + dy * ay) / half2
    return torch.stack([right, down, size, torch.atan2(cross, dot)], -1)


def _jittered(t: Tensor, k: int) -> Tensor:
    """Rows of each scene near true indices (a fifth of them far off, as negatives)."""
    b, n, _ = t.shape
    chance = torch.rand(b, n, device=t.device) + 1e-3
    chance = chance * (t[..., 10] > 0.15) * (t[..., 2:4].norm(dim=-1) > 2.5) + 1e-9
    pick = torch.multinomial(chance, min(k, n), replacement=False)
    if n < k:
        pick = pick.repeat(1, k // n + 1)[:, :k]
    row = torch.gather(t, 1, pick[..., None].expand(-1, -1, t.shape[-1]))
    axis = row[..., 2:4]
    half = axis.norm(dim=-1, keepdim=True)
    turn = torch.randn(b, k, 1, device=t.device) * 0.13
    axis = axis * torch.cos(turn) + torch.cat([-axis[..., 1:], axis[..., :1]], -1) * torch.sin(turn)
    axis = axis * torch.exp(torch.randn(b, k, 1, device=t.device) * 0.11)
    place = row[..., :2] + torch.randn(b, k, 2, device=t.device) * half * 0.11
    astray = (torch.rand(b, k, 1, device=t.device) < 0.15).float()
    place = place + astray * torch.randn(b, k, 2, device=t.device) * half * 4
    return torch.cat([place, axis], -1)


def _peaks(fine: Tensor, k: int) -> Tensor:
    heat = torch.sigmoid(fine[:, 0])
    top = F.max_pool2d(heat[:, None], 3, 1, 1)[:, 0]
    score = torch.where(heat == top, heat, torch.zeros_like(heat)).flatten(1)
    best = score.topk(3 * k, dim=1).indices
    some = torch.rand(best.shape, device=best.device).argsort(1)[:, :k]
    best = torch.gather(best, 1, some)
    w = fine.shape[-1]
    values = torch.gather(fine.flatten(2), 2, best[:, None].expand(-1, fine.shape[1], -1))
    x = (best % w + values[:, 1]) * 4
    y = (best // w + values[:, 2]) * 4
    return torch.stack([x, y, values[:, 3] * FINE_UNIT_PX, values[:, 4] * FINE_UNIT_PX], -1)


def cut(image: Tensor, place: Tensor) -> Tensor:
    """B x 3 x S x S images and B x K x 4 places -> B*K x 3 x CROP x CROP upright crops."""
    b, k, _ = place.shape
    grid = crop_grid(place[..., 0], place[..., 1], place[..., 2], place[..., 3], image.shape[-1])
    flat = F.grid_sample(
        image, grid.reshape(b, k * CROP, CROP, 2), align_corners=False, padding_mode="border"
    )
    return flat.reshape(b, 3, k, CROP, CROP).transpose(1, 2).reshape(b * k, 3, CROP, CROP)


def worth_reading(crops: Crops) -> Tensor:
    """B*K, whether any loss listens to a crop; the others need not be read."""
    return ((crops.rank_weight > 0) | (crops.is_weight > 0)).flatten()


def read_loss(out: Tensor, crops: Crops, which: Tensor) -> dict[str, Tensor]:
    """Losses of the index reader on the crops that `which` marks; weights silence the unknown."""
    out = out.float()

    def mean(loss: Tensor, weight: Tensor) -> Tensor:
        weight = weight.flatten()[which]
        return (loss * weight).sum() / weight.sum().clamp_min(1.0)

    rank = F.cross_entropy(out[:, :RANKS], crops.rank.flatten()[which], reduction="none")
    suit = F.cross_entropy(
        out[:, RANKS : RANKS + SUITS], crops.suit.flatten()[which], reduction="none"
    )
    true = F.binary_cross_entropy_with_logits(
        out[:, IS_INDEX], crops.is_index.flatten()[which], reduction="none"
    )
    off = (out[:, IS_INDEX + 1 :] - crops.pose.flatten(0, 1)[which]).abs().sum(1)
    return {
        "r_pose": mean(off, crops.pose_weight),
        "r_rank": mean(rank, crops.rank_weight),
        "r_suit": mean(suit, crops.suit_weight),
        "r_true": mean(true, crops.is_weight),
    }
