"""Trains the face reader; the same command on a CPU and on a GPU, and again to go on.

    python models/train/train_faces.py --minutes 40 --run models/train/runs/faces

`--start-from models/train/start_faces.pt` begins a new schedule with the weights that are shipped.
Faces are drawn by `--workers` processes; each is learned from a few times before newer ones take
its place. Checkpoints every SAVE_S seconds; the schedule follows the time spent over all starts.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from atlas import load_stock
from faces import FaceFeed, Faces, faces_of, scene_of_either, together
from networks import FACE, FaceReader
from train import Averaged, autocast, rate_at, write_checkpoint

# ---- settings -------------------------------------------------------------------------------
BATCH = {"cuda": 512, "cpu": 96}
RATE_MOST, DECAY = 3e-3, 0.02
KEPT = 24_000  # faces that are learned from in turn
FIRST = 2_000  # faces before the first step
SAVE_S, SAY_S = 120.0, 30.0
QUIZ = 6_000
SMOOTH = 0.02  # of the wanted names: some faces cannot be read


class Known:
    """The newest KEPT faces."""

    def __init__(self) -> None:
        self._image = np.zeros((KEPT, *FACE, 3), np.uint8)
        self._names = np.zeros((KEPT, 2), np.int64)
        self.seen = 0

    def add(self, faces: Faces) -> None:
        """Put faces in the places of the oldest."""
        at = (self.seen + np.arange(len(faces.rank))) % KEPT
        self._image[at] = faces.image
        self._names[at] = np.stack([faces.rank, faces.suit], axis=1)
        self.seen += len(faces.rank)

    def some(self, count: int, rng: np.random.Generator) -> Faces:
        """So many, by chance."""
        at = rng.integers(min(self.seen, KEPT), size=count)
        return Faces(self._image[at], *self._names[at].T)


class Trainer:
    """Network, optimiser, average and time spent: all that a checkpoint holds."""

    def __init__(self, device: str, minutes: float) -> None:
        self.device, self.minutes = device, minutes
        self.net = FaceReader().to(device, memory_format=torch.channels_last)
        self.average = Averaged(self.net)
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=RATE_MOST, weight_decay=DECAY)
        self.spent_s, self.faces = 0.0, 0

    @property
    def progress(self) -> float:
        return min(1.0, self.spent_s / (60 * self.minutes))

    def step(self, faces: Faces) -> dict[str, Tensor]:
        """Learn from some faces."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(self.progress, RATE_MOST)
        with autocast(self.device):
            said = self.net(on_device(faces.image, self.device))
        losses = name_losses(said, faces, SMOOTH)
        self.optimiser.zero_grad(set_to_none=True)
        torch.stack(list(losses.values())).sum().backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.average.follow(self.net)
        self.faces += len(faces.rank)
        return {k: v.detach() for k, v in losses.items()}

    def save(self, run: Path) -> None:
        """Write all that the training goes on from, and the average."""
        averaged = {"faces": self.average.net.state_dict(), "spent_s": self.spent_s}
        last = {
            "net": self.net.state_dict(), "optimiser": self.optimiser.state_dict(),
            "average": self.average.net.state_dict(), "steps": self.average.steps,
            "spent_s": self.spent_s, "seen": self.faces,
        }  # fmt: skip
        write_checkpoint(run, last, averaged)

    def begin_with(self, weights: Path) -> None:
        """Begin a new schedule with weights that were trained before."""
        state = torch.load(weights, map_location=self.device, weights_only=True)["faces"]
        self.net.load_state_dict(state)
        self.average.net.load_state_dict(state)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint."""
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average.net.load_state_dict(state["average"])
        self.average.steps, self.spent_s = state["steps"], state["spent_s"]
        self.faces = state["seen"]


def on_device(image: np.ndarray, device: str) -> Tensor:
    """Faces as the network takes them."""
    pixels = torch.from_numpy(image).to(device).permute(0, 3, 1, 2).float() / 255
    return pixels.contiguous(memory_format=torch.channels_last)


def name_losses(said: Tensor, faces: Faces, smooth: float) -> dict[str, Tensor]:
    """Cross entropy of ranks and suits."""
    rank, suit = (torch.from_numpy(want).to(said.device) for want in (faces.rank, faces.suit))
    ranks, suits = said.float().split([said.shape[1] - 5, 5], 1)
    return {
        "rank": F.cross_entropy(ranks, rank, label_smoothing=smooth),
        "suit": F.cross_entropy(suits, suit, label_smoothing=smooth),
    }


@torch.no_grad()
def measured(trainer: Trainer, quiz: Faces) -> dict[str, float]:
    """Losses on held-out decks, and the shares of right names."""
    parts = [
        trainer.average.net(on_device(quiz.image[k : k + 256], trainer.device))
        for k in range(0, len(quiz.rank), 256)
    ]
    said = torch.cat(parts).cpu()
    ranks, suits = (part.argmax(1).numpy() for part in said.split([said.shape[1] - 5, 5], 1))
    losses = {k: float(v) for k, v in name_losses(said, quiz, 0.0).items()}
    right = {"ranks right": ranks == quiz.rank, "suits right": suits == quiz.suit}
    return {**losses, **{k: float(v.mean()) for k, v in right.items()}}


def quizzed(data: Path) -> Faces:
    """QUIZ faces of held-out decks, the same ones for every training."""
    stock, rng, parts = load_stock(data, held_out=True), np.random.default_rng(7), []
    while sum(len(part.rank) for part in parts) < QUIZ:
        parts.append(faces_of(scene_of_either(stock, rng), rng))
    return together(parts)


def train(a: argparse.Namespace) -> None:
    """Train for so many minutes, all starts together."""
    cv2.setNumThreads(1)  # before the fork: OpenCV's pool of threads does not survive one
    quiz = quizzed(a.data)
    feed = FaceFeed(load_stock(a.data, held_out=False), a.workers, a.seed)
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    trainer = Trainer("cuda" if torch.cuda.is_available() else "cpu", a.minutes)
    if (a.run / "last.pt").exists():
        trainer.load(a.run / "last.pt")
    elif a.start_from:
        trainer.begin_with(a.start_from)
    learn(trainer, feed, quiz, a.run, np.random.default_rng(a.seed))
    feed.close()


def learn(
    trainer: Trainer, feed: FaceFeed, quiz: Faces, run: Path, rng: np.random.Generator
) -> None:
    """Learn until the time is up."""
    known, steps, sums = Known(), 0, dict.fromkeys(("rank", "suit"), 0.0)
    while known.seen < FIRST:
        known.add(feed.next())
    before = said = saved = time.monotonic()
    while trainer.progress < 1:
        for faces in feed.drawn():
            known.add(faces)
        for k, v in trainer.step(known.some(BATCH[trainer.device], rng)).items():
            sums[k] += float(v)
        steps, now = steps + 1, time.monotonic()
        trainer.spent_s, before = trainer.spent_s + now - before, now
        if now - said > SAY_S:
            text = " ".join(f"{k} {v / steps:.3f}" for k, v in sums.items())
            print(f"{trainer.spent_s / 60:5.1f} min  {trainer.faces} learned from, {known.seen} "
                  f"drawn  {text}", flush=True)  # fmt: skip
            steps, said, sums = 0, now, dict.fromkeys(sums, 0.0)
        if now - saved > SAVE_S or trainer.progress >= 1:
            trainer.save(run)
            print({k: round(v, 4) for k, v in measured(trainer, quiz).items()}, flush=True)
            saved = before = time.monotonic()


def options() -> argparse.ArgumentParser:
    """The command's options."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = Path(__file__).parent
    ap.add_argument("--data", type=Path, default=here / "data")
    ap.add_argument("--run", type=Path, default=here / "runs" / "faces")
    ap.add_argument("--minutes", type=float, default=40.0, help="length of the whole schedule")
    ap.add_argument("--start-from", type=Path, help="weights to begin a new schedule with")
    ap.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    ap.add_argument("--threads", type=int, default=1, help="threads that train, on a CPU")
    ap.add_argument("--seed", type=int, default=int(time.time()))
    return ap


if __name__ == "__main__":
    train(options().parse_args())
