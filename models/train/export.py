"""Writes the averaged networks of a training run as the ONNX files that the reader opens.

    python models/train/export.py --run models/train/runs/main --out models
    python models/train/export.py --faces models/train/runs/faces --out models
    python models/train/export.py --pips models/train/runs/pips --out models

The files take uint8 blue-green-red pixels as OpenCV gives them; scaling is part of the network.
Batch norm is folded into the convolutions by the exporter. The same weights, for `--start-from` of
`train.py` and `train_faces.py`, go to start.pt and start_faces.pt beside this script.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import onnxruntime as ort
import torch
from torch import Tensor, nn

from networks import CROP, FACE, PIP, FaceReader, Finder, IndexReader, PipReader, grown

# ---- settings -------------------------------------------------------------------------------
OPSET = 17
TOLERANCE = 0.1  # of logits between torch and onnxruntime with weights of half precision
LARGE_WEIGHT = 500  # values


class _FinderOnPixels(nn.Module):
    def __init__(self, finder: Finder) -> None:
        super().__init__()
        self.finder = finder

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        fine, coarse = self.finder(image.permute(0, 3, 1, 2).float() / 255)
        return fine, coarse


class _ReaderOnPixels(nn.Module):
    def __init__(self, reader: IndexReader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        features = self.reader.features(crops.permute(0, 3, 1, 2).float() / 255)
        return self.reader.out(features), features


class _PartsOnPixels(nn.Module):
    """A reader of faces, or of pips."""

    def __init__(self, reader: FaceReader | PipReader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, parts: Tensor) -> Tensor:
        return self.reader(parts.permute(0, 3, 1, 2).float() / 255)


def load_networks(weights: Path) -> tuple[Finder, IndexReader]:
    """The averaged networks of a run, ready to be asked."""
    state = torch.load(weights, map_location="cpu", weights_only=True)
    finder, reader = Finder(), IndexReader()
    finder.load_state_dict(grown(state["finder"], finder, "fine", 7))
    reader.load_state_dict(grown(state["reader"], reader, "out", 0))
    return finder.eval(), reader.eval()


def export(run: Path, out: Path) -> None:
    """Write the networks of a run into `out`, and their weights beside this script."""
    finder, reader = load_networks(run / "weights.pt")
    write_networks(finder, reader, out)
    halves = {k: _half(net.state_dict()) for k, net in (("finder", finder), ("reader", reader))}
    torch.save(halves, Path(__file__).parent / "start.pt")


def write_networks(finder: Finder, reader: IndexReader, out: Path) -> None:
    """Write finder.onnx, index.onnx and SHA256SUMS into `out` and compare them with torch."""
    out.mkdir(parents=True, exist_ok=True)
    image = torch.randint(0, 255, (1, 96, 128, 3), dtype=torch.uint8)
    crops = torch.randint(0, 255, (3, CROP, CROP, 3), dtype=torch.uint8)
    _write(_FinderOnPixels(finder), image, out / "finder.onnx", "image", ("fine", "coarse"), (1, 2))
    outputs = ("logits", "features")
    _write(_ReaderOnPixels(reader), crops, out / "index.onnx", "crops", outputs, (0,))
    write_sums(out)


def export_faces(run: Path, out: Path) -> None:
    """Write face.onnx into `out`, and its weights beside this script."""
    reader = FaceReader()
    state = torch.load(run / "weights.pt", map_location="cpu", weights_only=True)
    reader.load_state_dict(state["faces"])
    faces = torch.randint(0, 255, (3, *FACE, 3), dtype=torch.uint8)
    _write(_PartsOnPixels(reader), faces, out / "face.onnx", "faces", ("names",), (0,))
    torch.save({"faces": _half(reader.state_dict())}, Path(__file__).parent / "start_faces.pt")
    write_sums(out)


def export_pips(run: Path, out: Path) -> None:
    """Write pip.onnx into `out`."""
    reader = PipReader()
    state = torch.load(run / "weights.pt", map_location="cpu", weights_only=True)
    reader.load_state_dict(state["pips"])
    pips = torch.randint(0, 255, (3, PIP, PIP, 3), dtype=torch.uint8)
    _write(_PartsOnPixels(reader), pips, out / "pip.onnx", "pips", ("spades",), (0,))
    write_sums(out)


def _write(
    net: nn.Module,
    example: Tensor,
    path: Path,
    name: str,
    outputs: tuple[str, ...],
    free: tuple[int, ...],
) -> None:
    axes = {name: {k: f"{name}{k}" for k in free}}
    for o in outputs:
        axes[o] = {0: f"{name}0"} if free == (0,) else {2: f"{o}2", 3: f"{o}3"}
    torch.onnx.export(
        net.eval(), (example,), str(path), input_names=[name], output_names=list(outputs),
        dynamic_axes=axes, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(path))
    _halve_weights(model)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    got = session.run(None, {name: example.numpy()})
    with torch.no_grad():
        want = net(example)
    want = want if isinstance(want, tuple) else (want,)
    worst = max(float(np.abs(g - w.numpy()).max()) for g, w in zip(got, want, strict=True))
    if worst > TOLERANCE:
        raise SystemExit(f"{path}: onnxruntime differs from torch by {worst:.3g}")
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, differs from torch by {worst:.1e}")


def _half(state: dict[str, Tensor]) -> dict[str, Tensor]:
    return {k: v.half() if v.dtype.is_floating_point else v for k, v in state.items()}


def _halve_weights(model: onnx.ModelProto) -> None:
    """Keep large weights as float16 with a cast behind them.

    Half the file at the same speed: onnxruntime casts once, when it opens the file.
    """
    for weight in [w for w in model.graph.initializer if w.data_type == onnx.TensorProto.FLOAT]:
        values = onnx.numpy_helper.to_array(weight)
        if values.size < LARGE_WEIGHT:
            continue
        half = onnx.numpy_helper.from_array(values.astype(np.float16), weight.name + "_half")
        cast = onnx.helper.make_node("Cast", [half.name], [weight.name], to=onnx.TensorProto.FLOAT)
        model.graph.initializer.remove(weight)
        model.graph.initializer.append(half)
        model.graph.node.insert(0, cast)


def write_sums(folder: Path) -> None:
    """Write and print the checksums of all networks in a folder."""
    digests = {p.name: hashlib.sha256(p.read_bytes()) for p in sorted(folder.glob("*.onnx"))}
    sums = "".join(f"{digest.hexdigest()}  {name}\n" for name, digest in digests.items())
    (folder / "SHA256SUMS").write_text(sums)
    print(sums, end="")


def main() -> None:
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = Path(__file__).parent
    ap.add_argument("--run", type=Path, default=here / "runs" / "main")
    ap.add_argument("--faces", type=Path, help="a run of train_faces.py: write face.onnx alone")
    ap.add_argument("--pips", type=Path, help="a run of train_pips.py: write pip.onnx alone")
    ap.add_argument("--out", type=Path, default=here.parent)
    a = ap.parse_args()
    if a.faces:
        export_faces(a.faces, a.out)
    elif a.pips:
        export_pips(a.pips, a.out)
    else:
        export(a.run, a.out)


if __name__ == "__main__":
    main()
