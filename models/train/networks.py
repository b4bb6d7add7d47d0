"""The networks: a dense finder of indices and cards, readers of an index, of a face and of a pip.

Finder: B x 3 x H x W (H, W multiples of 32, blue-green-red 0..1) ->
  fine  B x FINE  x H/4 x W/4: index heat (logit), offset x y (cells), half-height vector x y and
        vector to the card's middle x y (in FINE_UNIT_PX), rank logits, suit logits
  coarse B x COARSE x H/8 x W/8: face and back heat (logits), middle x y from the cell, the card's
        half-height and half-width vectors with doubled angle (a card turned by 180 degrees looks
        the same, so only the doubled angle is defined), all in COARSE_UNIT_PX; surface logits
        (table, face, back, hand)
Reader: N x 3 x CROP x CROP upright index, its half height CROP_HALF_PX -> N x 41: logits of
  31 ranks (A..K, joker, 1, 11..18, eight letters of other languages), 5 suits (clubs, diamonds,
  hearts, spades, none), 1 is-an-index, and how the index lies against where it was cut: right and
  down (in half heights), log size, turn (rad). The crop is cut anew by these, and
  read a second time.
Face reader: N x 3 x 96 x 72 upright face of the card that an index is printed on, as far as it
  shows -> N x 36: logits of the same ranks and suits, by its pips and its court as well.
Pip reader: M x 3 x 20 x 20 places of such a face where a black card of its rank has pips -> M x 1:
  log-odds of spades over clubs, which add up; none where something else lies there.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

RANKS, SUITS, POSE = 31, 5, 4
FINE = 1 + 2 + 2 + 2 + RANKS + SUITS
COARSE = 2 + 2 + 4 + 4
FINE_UNIT_PX, MIDDLE_UNIT_PX, COARSE_UNIT_PX = 16.0, 64.0, 64.0
CROP, CROP_HALF_PX = 48, 14.0
FACE, PIP = (96, 72), 20


class Block(nn.Module):
    """Two 3 x 3 convolutions with a way round them."""

    def __init__(self, c: int) -> None:
        super().__init__()
        self.a, self.b = conv(c, c), conv(c, c, act=False)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.b(self.a(x)))


def conv(i: int, o: int, k: int = 3, s: int = 1, act: bool = True) -> nn.Sequential:
    parts: list[nn.Module] = [
        nn.Conv2d(i, o, k, s, (k - 1) // 2 if s < 4 else (k - s) // 2, bias=False),
        nn.BatchNorm2d(o),
    ]
    return nn.Sequential(*parts, *([nn.ReLU(inplace=True)] if act else []))


class Finder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        # One wide step to a quarter of the size: at half size thin layers cost more time than they
        # give, in training (bfloat16 on a CPU: 7 against 22 ms a scene) and on onnxruntime.
        self.s4 = nn.Sequential(conv(3, 32, 8, 4), Block(32))
        self.s8 = nn.Sequential(conv(32, 48, s=2), Block(48), Block(48))
        self.s16 = nn.Sequential(conv(48, 96, s=2), Block(96), Block(96), Block(96))
        self.s32 = nn.Sequential(conv(96, 128, s=2), Block(128), Block(128))
        self.l32, self.l16 = conv(128, 64, 1), conv(96, 64, 1)
        self.m16 = conv(64, 64)
        self.l16_8, self.l8 = conv(64, 48, 1), conv(48, 48, 1)
        self.m8 = conv(48, 48)
        self.l8_4 = conv(48, 32, 1)
        self.m4 = conv(64, 32)
        self.fine = nn.Conv2d(32, FINE, 1)
        self.m8b = conv(48, 48)
        self.coarse = nn.Conv2d(48, COARSE, 1)
        nn.init.constant_(self.fine.bias[:1], -4.0)  # type: ignore[arg-type]
        nn.init.constant_(self.coarse.bias[:2], -4.0)  # type: ignore[arg-type]

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        a4 = self.s4(image - 0.45)
        a8 = self.s8(a4)
        a16 = self.s16(a8)
        a32 = self.s32(a16)
        b16 = self.m16(self.l16(a16) + _double(self.l32(a32)))
        b8 = self.m8(self.l8(a8) + _double(self.l16_8(b16)))
        b4 = self.m4(torch.cat([a4, _double(self.l8_4(b8))], 1))
        return self.fine(b4), self.coarse(self.m8b(b8))


def _double(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


class IndexReader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 24, s=2), Block(24),
            conv(24, 48, s=2), Block(48), Block(48),
            conv(48, 96, s=2), Block(96), Block(96), Block(96),
            conv(96, 144, s=2), Block(144), Block(144),
        )  # fmt: skip
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(144 * 9, RANKS + SUITS + 1 + POSE)

    def features(self, crop: Tensor) -> Tensor:
        """What the answers are made of, N x 1296: by it a deck's own indices are compared."""
        mean = crop.mean((1, 2, 3), keepdim=True)
        spread = (crop - mean).square().mean((1, 2, 3), keepdim=True).sqrt()
        x = self.body(
            (crop - mean) / (spread + 0.04)
        )  # 0.04: a quarter of a well lit index's spread
        return x.flatten(1)

    def forward(self, crop: Tensor) -> Tensor:
        return self.out(self.drop(self.features(crop)))


class FaceReader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, s=2),
            conv(16, 32, s=2), Block(32),
            conv(32, 64, s=2), Block(64), Block(64),
            conv(64, 96, s=2), Block(96),
        )  # fmt: skip
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(96 * 6 * 5, RANKS + SUITS)

    def forward(self, face: Tensor) -> Tensor:
        mean = face.mean((1, 2, 3), keepdim=True)
        spread = (face - mean).square().mean((1, 2, 3), keepdim=True).sqrt()
        return self.out(self.drop(self.body((face - mean) / (spread + 0.04)).flatten(1)))


class PipReader(nn.Module):
    """Club or spade, by one place of a face: they look alike wherever they are printed."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(3, 16, 5, 2), conv(16, 32), conv(32, 48, s=2), conv(48, 48))
        self.drop = nn.Dropout(0.1)
        self.a, self.out = nn.Linear(48 * 25, 48), nn.Linear(48, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, pip: Tensor) -> Tensor:
        mean = pip.mean((1, 2, 3), keepdim=True)
        spread = (pip - mean).square().mean((1, 2, 3), keepdim=True).sqrt()
        x = self.body((pip - mean) / (spread + 0.04)).flatten(1)
        return self.out(F.relu(self.a(self.drop(x))))


def grown(state: dict[str, Tensor], net: nn.Module, head: str, first: int) -> dict[str, Tensor]:
    """Weights of networks with fewer ranks fitted to these: the new ranks begin as unlikely.

    `first` is the row of the first rank in the layer `head`.
    """
    wanted = getattr(net, head).weight.shape[0]
    weight, bias = state[f"{head}.weight"], state[f"{head}.bias"]
    more = wanted - weight.shape[0]
    if more == 0:
        return state
    cut = first + RANKS - more
    fresh = torch.zeros(more, *weight.shape[1:], dtype=weight.dtype)
    low = torch.full((more,), -6.0, dtype=bias.dtype)
    return {
        **state,
        f"{head}.weight": torch.cat([weight[:cut], fresh, weight[cut:]]),
        f"{head}.bias": torch.cat([bias[:cut], low, bias[cut:]]),
    }
