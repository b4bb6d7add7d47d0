"""Turns the exported networks into ones that count in 8 bits: half the time, half the size.

    python models/train/quantize.py --models models
    python models/train/quantize.py --models models --only face

index.onnx and face.onnx are replaced: they name as well in 8 bits. The finder loses a little by it,
so finder8.onnx stands beside finder.onnx, for pictures that come 30 times a second.

Weights take 7 of their 8 bits: on processors without VNNI sums of 8-bit products would overflow.
The layers that give places, sizes and names stay as they are. How large the numbers between the
layers grow is measured on rendered scenes of the decks that were trained on.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from atlas import load_stock
from export import write_sums
from faces import faces_of
from referee.vision.detect import Reader
from referee.vision.networks import Image, Networks
from scenes import make_scene
from script import parser

# ---- settings -------------------------------------------------------------------------------
SCENES = 32
CROPS, CROPS_AT_ONCE = 768, 32
# Outputs whose layer is not changed.
KEPT = {"finder": ("fine", "coarse"), "index": ("logits",), "face": ("names",)}
OUT = {"finder": "finder8"}  # the others take the place of what they were made of


class _Fed(CalibrationDataReader):  # type: ignore[misc]
    """Hands pictures to the measurement one by one."""

    def __init__(self, name: str, pictures: list[Image]) -> None:
        self._name, self._left = name, iter(pictures)

    def get_next(self) -> dict[str, Image] | None:
        picture = next(self._left, None)
        return None if picture is None else {self._name: picture}


def examples(models: Path, data: Path) -> dict[str, _Fed]:
    """Pictures as the finder gets them, indices and faces as their readers get them."""
    stock, rng = load_stock(data, held_out=False), np.random.default_rng(11)
    scenes = [make_scene(stock, rng) for _ in range(SCENES)]
    reader = Reader(models, 1)
    crops = np.concatenate([reader.study(scene.image).crops for scene in scenes])
    crops = crops[rng.permutation(len(crops))[:CROPS]]
    faces = np.concatenate([faces_of(scene, rng).image for scene in scenes])[:CROPS]
    return {
        "finder": _Fed("image", [scene.image[None] for scene in scenes]),
        "index": _Fed("crops", list(_parts(crops))),
        "face": _Fed("faces", list(_parts(faces))),
    }


def _parts(crops: Image) -> Iterator[Image]:
    for k in range(0, len(crops) - CROPS_AT_ONCE + 1, CROPS_AT_ONCE):
        yield crops[k : k + CROPS_AT_ONCE]


def quantize(model: Path, out: Path, kind: str, fed: _Fed) -> None:
    """Write one network in 8 bits."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        quant_pre_process(str(model), str(plain), skip_symbolic_shape=True)
        layers = onnx.load(str(plain)).graph.node
        kept = [layer.name for layer in layers if set(layer.output) & set(KEPT[kind])]
        quantize_static(
            str(plain), str(out), fed, quant_format=QuantFormat.QDQ, op_types_to_quantize=["Conv"],
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, per_channel=True,
            calibrate_method=CalibrationMethod.MinMax, nodes_to_exclude=kept, reduce_range=True,
        )  # fmt: skip


def main() -> None:
    ap = parser(__doc__)
    ap.add_argument("--only", choices=list(KEPT), help="leave the other networks as they are")
    a = ap.parse_args()
    for kind, fed in examples(a.models, a.data).items():
        if a.only in (None, kind):
            out = a.models / f"{OUT.get(kind, kind)}.onnx"
            quantize(a.models / f"{kind}.onnx", out, kind, fed)
    Networks(a.models, 1, quick=True)
    write_sums(a.models)


if __name__ == "__main__":
    main()
