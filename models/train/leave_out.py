"""What each ingredient of the training gives: trains once with all and once without each.

    python models/train/leave_out.py --photos DIR --scenes 5000

Only the index reader is trained, from nothing or from the same weights (`--start-from`), over as
many scenes each time; the finder is the shipped one. A run's networks go to a folder of their own,
to be measured like any others:

    python models/train/guesses.py models/train/runs/without-* --photos DIR --every 6
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import shutil
from pathlib import Path

import cv2

from atlas import Stock, load_stock
from export import load_networks, write_networks
from feed import Slot
from ingredients import INGREDIENTS
from train import options, quizzed, train_on

ALL = "nothing"


def main() -> None:
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = Path(__file__).parent
    rows = [ALL, *INGREDIENTS]
    ap.add_argument("--data", type=Path, default=here / "data")
    ap.add_argument("--photos", type=Path, help="folder of labelled photograph sets")
    ap.add_argument("--finder", type=Path, default=here / "start.pt")
    ap.add_argument("--start-from", type=Path, help="weights that all begin with")
    ap.add_argument("--runs", type=Path, default=here / "runs")
    ap.add_argument("--scenes", type=int, default=5000)
    ap.add_argument("--seed", type=int, default=20)
    ap.add_argument("--rate", type=float, default=8e-4)
    ap.add_argument("--only", nargs="*", default=rows, choices=rows, metavar="WHAT")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    quiz = quizzed(a.data)
    stock = load_stock(a.data, held_out=False)
    for what in a.only:
        process = mp.get_context("fork").Process(target=left_out, args=(stock, quiz, a, what))
        process.start()
        process.join()


def left_out(stock: Stock, quiz: list[Slot], a: argparse.Namespace, what: str) -> None:
    """Train without `what` and write the networks; in a process of its own."""
    run = a.runs / f"without-{what.replace(' ', '-')}-{a.seed}"
    words = ["--data", a.data, "--run", run, "--finder", a.finder, "--scenes", a.scenes]
    words += ["--seed", a.seed, "--rate", a.rate, "--workers", 1, "--batch", 8]
    words += ["--photos", a.photos] if a.photos else []
    words += ["--start-from", a.start_from] if a.start_from else []
    words += ["--without", what] if what != ALL else []
    train_on(stock, quiz, options().parse_args([str(word) for word in words]))
    write_networks(*load_networks(run / "weights.pt"), run)
    # The reader opens all four; these stay.
    for name in ("face.onnx", "pip.onnx"):
        shutil.copy(Path(__file__).parent.parent / name, run)


if __name__ == "__main__":
    main()
