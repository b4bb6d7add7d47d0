"""Trains the finder and the index reader together; the same command on a CPU and on a GPU.

    python models/train/train.py --minutes 100 --run runs/first            (again with it: resumes)
    python models/train/train.py --minutes 100 --run runs/first --photos FOLDER

Checkpoints every SAVE_S seconds; the schedule follows the time spent, over all resumes.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from atlas import load_stock
from feed import Feed, Slot
from networks import Finder, IndexReader, grown
from photos import load_photos, photo_batch, photo_loss
from targets import Batch, Crops, coarse_loss, cut, fine_loss, pick_crops, read_loss, worth_reading

# ---- settings -------------------------------------------------------------------------------
BATCH = {"cuda": 96, "cpu": 16}
RATE_MOST, RATE_LEAST, WARM_SHARE = 2.5e-3, 2e-5, 0.03
DECAY = 0.02
AVERAGE = 0.9995  # share of the old average kept at each step, once there are many
SAVE_S, SAY_S = 240.0, 30.0
PHOTOS_FROM = 0.3  # share of a first schedule after which real photographs join
PHOTO_SHARE, PHOTOS_EVERY = 1 / 8, 4  # of the pictures; in every fourth step
HELD_OUT_SCENES = 256


class Averaged:
    """Running average of a network's weights; what is exported."""

    def __init__(self, net: nn.Module) -> None:
        self.net = copy.deepcopy(net).eval()
        self.steps = 0

    @torch.no_grad()
    def follow(self, net: nn.Module) -> None:
        self.steps += 1
        keep = min(AVERAGE, self.steps / (self.steps + 20))
        mine, theirs = self.net.state_dict(), net.state_dict()
        floats = [(a, theirs[k]) for k, a in mine.items() if a.dtype.is_floating_point]
        torch._foreach_lerp_([a for a, _ in floats], [b for _, b in floats], 1 - keep)
        for k, a in mine.items():
            if not a.dtype.is_floating_point:
                a.copy_(theirs[k])


class Trainer:
    """Networks, optimiser, averages and time spent: all that a checkpoint holds."""

    def __init__(self, device: str, minutes: float, rate_most: float) -> None:
        self.device, self.minutes, self.rate_most = device, minutes, rate_most
        self.finder = Finder().to(device, memory_format=torch.channels_last)
        self.reader = IndexReader().to(device, memory_format=torch.channels_last)
        self.both = (Averaged(self.finder), Averaged(self.reader))
        self.weights = [*self.finder.parameters(), *self.reader.parameters()]
        self.optimiser = torch.optim.AdamW(self.weights, lr=rate_most, weight_decay=DECAY)
        self.spent_s, self.scenes, self.steps = 0.0, 0, 0

    @property
    def progress(self) -> float:
        return min(1.0, self.spent_s / (60 * self.minutes))

    def rate(self) -> float:
        p = self.progress
        if p < WARM_SHARE:
            return self.rate_most * (0.05 + 0.95 * p / WARM_SHARE)
        fall = 0.5 * (1 + np.cos(np.pi * (p - WARM_SHARE) / (1 - WARM_SHARE)))
        return float(RATE_LEAST + (self.rate_most - RATE_LEAST) * fall)

    def autocast(self) -> torch.autocast:
        return torch.autocast(self.device, torch.bfloat16)

    def step(self, losses: dict[str, Tensor]) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate()
        self.optimiser.zero_grad(set_to_none=True)
        torch.stack(list(losses.values())).sum().backward()
        nn.utils.clip_grad_norm_(self.weights, 5.0)
        self.optimiser.step()
        self.both[0].follow(self.finder)
        self.both[1].follow(self.reader)
        self.steps += 1

    def save(self, run: Path, settings: dict[str, object]) -> None:
        run.mkdir(parents=True, exist_ok=True)
        state = {
            "finder": self.finder.state_dict(), "reader": self.reader.state_dict(),
            "optimiser": self.optimiser.state_dict(), "spent_s": self.spent_s,
            "scenes": self.scenes, "steps": self.steps, "settings": settings,
        }  # fmt: skip
        averaged = {
            "finder": self.both[0].net.state_dict(), "reader": self.both[1].net.state_dict(),
            "spent_s": self.spent_s, "scenes": self.scenes, "settings": settings,
        }  # fmt: skip
        for name, what in (("last.pt", {**state, "averaged": averaged}), ("weights.pt", averaged)):
            torch.save(what, run / (name + ".new"))
            os.replace(run / (name + ".new"), run / name)

    def load(self, path: Path) -> None:
        state = torch.load(path, map_location=self.device, weights_only=True)
        averaged = state.get("averaged", state)
        heads = ((self.finder, "finder", "fine", 7), (self.reader, "reader", "out", 0))
        for mine, (net, name, head, first) in zip(self.both, heads, strict=True):
            net.load_state_dict(grown(state[name], net, head, first))
            mine.net.load_state_dict(grown(averaged[name], net, head, first))
        if "optimiser" in state:
            self.optimiser.load_state_dict(state["optimiser"])
            self.spent_s, self.scenes, self.steps = (
                state["spent_s"],
                state["scenes"],
                state["steps"],
            )
        for mine in self.both:
            mine.steps = max(self.steps, 2000)


def on_device(slot: Slot, device: str) -> Batch:
    """A slot's scenes as a batch."""
    image = torch.from_numpy(slot.image).to(device, non_blocking=True)
    image = image.permute(0, 3, 1, 2).float() / 255
    rest = (
        torch.from_numpy(a).to(device, non_blocking=True)
        for a in (slot.indices, slot.cards, slot.surface)
    )
    return Batch(image.contiguous(memory_format=torch.channels_last), *rest)


def scene_losses(finder: nn.Module, reader: nn.Module, batch: Batch) -> dict[str, Tensor]:
    """All losses of rendered scenes."""
    fine, coarse = finder(batch.image)
    losses = {**fine_loss(fine, batch), **coarse_loss(coarse, batch)}
    crops = pick_crops(fine, batch)
    return {**losses, **crop_losses(reader, batch.image, crops)}


def crop_losses(reader: nn.Module, image: Tensor, crops: Crops) -> dict[str, Tensor]:
    """Losses of the index reader on crops of a batch."""
    which = worth_reading(crops)
    some = cut(image, crops.place)[which]
    if len(some) < 2:
        return {}
    return read_loss(reader(some.contiguous(memory_format=torch.channels_last)), crops, which)


def photo_losses(
    trainer: Trainer, photos: list, count: int, rng: np.random.Generator, chance: torch.Generator
) -> dict[str, Tensor]:  # type: ignore[type-arg]
    """Losses of real photographs."""
    images, boxes = photo_batch(photos, count, rng)
    image = torch.from_numpy(images).to(trainer.device).permute(0, 3, 1, 2).float() / 255
    gain = torch.exp(torch.randn(count, 1, 1, 1, generator=chance, device=trainer.device) * 0.3)
    cast = torch.exp(torch.randn(count, 3, 1, 1, generator=chance, device=trainer.device) * 0.08)
    image = (image * gain * cast).clamp(0, 1).contiguous(memory_format=torch.channels_last)
    fine, _ = trainer.finder(image)
    losses, crops = photo_loss(fine, torch.from_numpy(boxes).to(trainer.device))
    read = crop_losses(trainer.reader, image, crops)
    return {**losses, **{"p_" + k: 0.15 * v for k, v in read.items()}}


def measure(trainer: Trainer, held_out: list[Batch]) -> dict[str, float]:
    """Mean losses of the averaged networks on held-out decks."""
    finder, reader = (a.net for a in trainer.both)
    sums: dict[str, float] = {}
    with torch.no_grad(), trainer.autocast():
        for batch in held_out:
            for k, v in scene_losses(finder, reader, batch).items():
                sums[k] = sums.get(k, 0.0) + float(v) / len(held_out)
    return sums


def say(start: float, trainer: Trainer, sums: dict[str, float], count: int, rate: float) -> None:
    text = " ".join(f"{k} {v / max(1, count):.3f}" for k, v in sums.items())
    print(
        f"{(time.monotonic() - start) / 60:6.1f} min  {trainer.scenes} scenes  {rate:.0f}/s  "
        f"lr {trainer.rate():.1e}  {text}", flush=True,
    )  # fmt: skip


def main() -> None:
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--data", type=Path, default=Path(__file__).parent / "data")
    ap.add_argument("--run", type=Path, default=Path(__file__).parent / "runs" / "main")
    ap.add_argument("--minutes", type=float, default=100.0, help="length of the whole schedule")
    ap.add_argument("--photos", type=Path, help="folder of labelled photograph sets (optional)")
    ap.add_argument("--start-from", type=Path, help="weights to begin a new schedule with")
    ap.add_argument("--rate", type=float, default=RATE_MOST, help="highest learning rate")
    ap.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    ap.add_argument("--batch", type=int)
    ap.add_argument("--threads", type=int, default=1, help="threads that train, on a CPU")
    ap.add_argument("--seed", type=int, default=int(time.time()))
    a = ap.parse_args()
    train(a)


def train(a: argparse.Namespace) -> None:
    torch.set_num_threads(a.threads)
    cv2.setNumThreads(1)  # before the fork: OpenCV's pool of threads does not survive one
    feed = Feed(load_stock(a.data, held_out=False), a.workers, a.seed)
    quiz = Feed(load_stock(a.data, held_out=True), 1, 7)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cudnn.benchmark = True
    scenes = a.batch or BATCH[device]
    trainer = Trainer(device, a.minutes, a.rate)
    if (a.run / "last.pt").exists():
        trainer.load(a.run / "last.pt")
    elif a.start_from:
        trainer.load(a.start_from)
        trainer.spent_s, trainer.scenes = 0.0, 0
    photos = load_photos(a.photos) if a.photos else []
    chance = torch.Generator(device)
    part = 32 if device == "cuda" else 16
    shown = HELD_OUT_SCENES if device == "cuda" else 64
    held_out = [
        on_device(s, device) for s, _ in zip(quiz.batches(part), range(shown // part), strict=False)
    ]
    quiz.close()
    chance.manual_seed(a.seed % 2**31)
    settings = {k: str(v) for k, v in vars(a).items()} | {
        "batch": scenes,
        "device": device,
        "photos_n": len(photos),
    }
    print(json.dumps(settings), flush=True)
    _loop(a, trainer, feed, photos, held_out, chance, settings, scenes)
    feed.close()


def _loop(a, trainer, feed, photos, held_out, chance, settings, scenes) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(a.seed)
    start = said = saved = before = time.monotonic()
    sums: dict[str, Tensor] = {}
    count = since = 0
    for slot in feed.batches(scenes):
        batch = on_device(slot, trainer.device)
        with trainer.autocast():
            losses = scene_losses(trainer.finder, trainer.reader, batch)
            if (
                photos
                and trainer.progress >= (0 if a.start_from else PHOTOS_FROM)
                and trainer.steps % PHOTOS_EVERY == 0
            ):
                losses |= photo_losses(
                    trainer, photos, max(4, int(scenes * PHOTO_SHARE * PHOTOS_EVERY)), rng, chance
                )
        trainer.step(losses)
        for k, v in losses.items():
            sums[k] = sums.get(k, torch.zeros((), device=trainer.device)) + v.detach().float()
        count, since, trainer.scenes = count + 1, since + scenes, trainer.scenes + scenes
        now = time.monotonic()
        trainer.spent_s, before = trainer.spent_s + now - before, now
        if now - said > SAY_S:
            say(start, trainer, {k: float(v) for k, v in sums.items()}, count, since / (now - said))
            sums, count, since, said = {}, 0, 0, now
        if now - saved > SAVE_S or trainer.progress >= 1:
            trainer.save(a.run, settings)
            print(
                "held-out:",
                {k: round(v, 3) for k, v in measure(trainer, held_out).items()},
                flush=True,
            )
            saved = now
        if trainer.progress >= 1:
            return


if __name__ == "__main__":
    main()
