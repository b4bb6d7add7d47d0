"""Trains the pip reader on what pips.py drew; the same command again to go on.

    python models/train/train_pips.py --minutes 16 --run models/train/runs/pips

Checkpoints every SAVE_S seconds; the schedule follows the time spent over all starts. At the end it
says how much the index counts beside the pips (`INDEX_BLACK` in `referee/vision/naming.py`).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from networks import PipReader
from pips import Blacks, load
from referee.vision.pips import pips_of
from train import write_checkpoint
from train_faces import on_device

# ---- settings -------------------------------------------------------------------------------
BATCH = {"cuda": 1024, "cpu": 64}  # cards
MOST_PIPS = 4  # of a card that are learned from in one step: they are all alike
RATE_MOST, RATE_LEAST, WARM_SHARE, DECAY, SMOOTH = 2e-3, 2e-5, 0.03, 0.02, 0.01
SAVE_S, SAY_S = 120.0, 60.0
# Light and colour change from step to step, and where the face was cut out.
TINT, MOVED_PX = 0.12, 1
INDEX_WEIGHTS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class Trainer:
    """Network, optimiser and time spent: all that a checkpoint holds."""

    def __init__(self, device: str, minutes: float) -> None:
        self.device, self.minutes = device, minutes
        self.net = PipReader().to(device)
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=RATE_MOST, weight_decay=DECAY)
        self.spent_s, self.cards = 0.0, 0

    @property
    def progress(self) -> float:
        return min(1.0, self.spent_s / (60 * self.minutes))

    def step(self, faces: NDArray[np.uint8], blacks: Blacks, rng: np.random.Generator) -> float:
        """Learn from some cards, cut out as `faces`; returns their loss."""
        for group in self.optimiser.param_groups:
            fall = 0.5 * (1 + np.cos(np.pi * self.progress))
            group["lr"] = (
                RATE_MOST * min(1.0, self.progress / WARM_SHARE + 0.05) * fall + RATE_LEAST
            )
        pips, whose = some_pips(*pips_of(faces, blacks.rank.tolist()), rng)
        tint = torch.from_numpy(rng.normal(1, TINT, (len(pips), 3, 1, 1)).astype(np.float32))
        said = self.net(on_device(pips, self.device) * tint.to(self.device))[:, 0]
        want = torch.from_numpy(blacks.spade).to(self.device).float()
        loss = F.binary_cross_entropy_with_logits(
            added(said, whose, len(want)), want * (1 - 2 * SMOOTH) + SMOOTH
        )
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.cards += len(want)
        return float(loss.detach())

    def save(self, run: Path) -> None:
        """Write all that the training goes on from, and the weights."""
        state = self.net.state_dict()
        last = {"net": state, "optimiser": self.optimiser.state_dict(), "spent_s": self.spent_s,
                "cards": self.cards}  # fmt: skip
        write_checkpoint(run, last, {"pips": state, "spent_s": self.spent_s})

    def load(self, path: Path) -> None:
        """Go on from a checkpoint."""
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.spent_s, self.cards = state["spent_s"], state["cards"]


def some_pips(
    pips: NDArray[np.uint8], whose: NDArray[np.intp], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """MOST_PIPS of each card, about, by chance."""
    kept = rng.random(len(whose)) < MOST_PIPS / np.bincount(whose)[whose]
    return pips[kept], whose[kept]


def added(said: Tensor, whose: NDArray[np.intp], cards: int) -> Tensor:
    """What the pips of each card say together."""
    at = torch.from_numpy(whose).to(said.device)
    return torch.zeros(cards, device=said.device).index_add(0, at, said)


def moved(faces: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The faces cut out a little aside."""
    aside = rng.integers(-MOVED_PX, MOVED_PX + 1, size=2)
    return np.roll(faces, tuple(int(k) for k in aside), axis=(1, 2))


@torch.no_grad()
def answers(net: PipReader, blacks: Blacks, device: str) -> NDArray[np.float32]:
    """What the pips of all cards say, each card's together."""
    parts = []
    for k in range(0, len(blacks.spade), 256):
        pips, whose = pips_of(blacks.image[k : k + 256], blacks.rank[k : k + 256].tolist())
        said = net(on_device(pips, device))[:, 0]
        parts.append(added(said, whose, len(blacks.spade[k : k + 256])).cpu().numpy())
    return np.concatenate(parts)


def measured(trainer: Trainer, quiz: Blacks, weight: float) -> dict[str, float]:
    """Loss on held-out decks and the share of right names, with the index counting so much."""
    trainer.net.eval()
    pips = torch.from_numpy(answers(trainer.net, quiz, trainer.device))
    trainer.net.train()
    both, want = pips + weight * torch.from_numpy(quiz.odds), torch.from_numpy(quiz.spade)
    return {
        "weight": weight,
        "loss": float(F.binary_cross_entropy_with_logits(both, want.float())),
        "right": float(((both > 0) == want).float().mean()),
        "right by pips alone": float(((pips > 0) == want).float().mean()),
    }


def train(a: argparse.Namespace) -> None:
    """Train for so many minutes, all starts together."""
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    cards = load(sorted(a.cards.glob("learned_*.npz")))
    quiz = load(sorted(a.cards.glob("held_out_*.npz")))
    trainer = Trainer("cuda" if torch.cuda.is_available() else "cpu", a.minutes)
    if (a.run / "last.pt").exists():
        trainer.load(a.run / "last.pt")
    learn(trainer, cards, quiz, a.run, np.random.default_rng(a.seed))
    for weight in INDEX_WEIGHTS:
        print({k: round(v, 4) for k, v in measured(trainer, quiz, weight).items()}, flush=True)


def learn(
    trainer: Trainer, cards: Blacks, quiz: Blacks, run: Path, rng: np.random.Generator
) -> None:
    """Learn until the time is up."""
    before = said = saved = time.monotonic()
    losses: list[float] = []
    while trainer.progress < 1:
        at = rng.integers(len(cards.spade), size=BATCH[trainer.device])
        some = Blacks(cards.image[at], cards.rank[at], cards.odds[at], cards.spade[at])
        losses.append(trainer.step(moved(some.image, rng), some, rng))
        now = time.monotonic()
        trainer.spent_s, before = trainer.spent_s + now - before, now
        if now - said > SAY_S:
            print(f"{trainer.spent_s / 60:5.1f} min  {trainer.cards} learned from  "
                  f"loss {np.mean(losses):.4f}", flush=True)  # fmt: skip
            losses, said = [], now
        if now - saved > SAVE_S or trainer.progress >= 1:
            trainer.save(run)
            print({k: round(v, 4) for k, v in measured(trainer, quiz, 0.7).items()}, flush=True)
            saved = before = time.monotonic()


def options() -> argparse.ArgumentParser:
    """The command's options."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = Path(__file__).parent
    ap.add_argument("--cards", type=Path, default=here / "data" / "pips")
    ap.add_argument("--run", type=Path, default=here / "runs" / "pips")
    ap.add_argument("--minutes", type=float, default=16.0, help="length of the whole schedule")
    ap.add_argument("--threads", type=int, default=1, help="threads that train, on a CPU")
    ap.add_argument("--seed", type=int, default=1)
    return ap


if __name__ == "__main__":
    train(options().parse_args())
