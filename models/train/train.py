"""Trains the finder and the index reader together; the same command on a CPU and on a GPU.

    python models/train/train.py --minutes 100 --run runs/first            (again with it: resumes)
    python models/train/train.py --minutes 100 --run runs/first --photos FOLDER

Checkpoints every SAVE_S seconds; the schedule follows the time spent (or with --scenes the scenes
seen), over all resumes. To learn what an ingredient gives: --without WHAT.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from atlas import Stock, load_stock
from feed import Feed, Slot
from ingredients import INGREDIENTS, settings_without, stock_without, with_photographs
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
QUIZ_SCENES, QUIZ_AT_ONCE = 128, 16
CROPS_A_STEP = 64  # where only names are learned
CPU_INFO = Path("/proc/cpuinfo")


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


def autocast(device: str) -> torch.autocast:
    """Count in bfloat16 where that is quick: emulated it takes ten times longer."""
    quick = device != "cpu" or "bf16" in CPU_INFO.read_text()
    return torch.autocast(device, torch.bfloat16, enabled=quick)


def rate_at(progress: float, most: float) -> float:
    """Learning rate: rising for a moment, then falling by half a cosine."""
    if progress < WARM_SHARE:
        return most * (0.05 + 0.95 * progress / WARM_SHARE)
    fall = 0.5 * (1 + np.cos(np.pi * (progress - WARM_SHARE) / (1 - WARM_SHARE)))
    return float(RATE_LEAST + (most - RATE_LEAST) * fall)


def write_checkpoint(run: Path, last: dict[str, object], averaged: dict[str, object]) -> None:
    """Write last.pt, to go on from, and weights.pt, the average that is exported, each whole."""
    run.mkdir(parents=True, exist_ok=True)
    for name, what in (("last.pt", last), ("weights.pt", averaged)):
        torch.save(what, run / (name + ".new"))
        os.replace(run / (name + ".new"), run / name)


class Trainer:
    """Networks, optimiser, averages and time spent: all that a checkpoint holds."""

    def __init__(self, device: str, minutes: float, rate_most: float, most_scenes: int = 0) -> None:
        self.device, self.minutes, self.rate_most = device, minutes, rate_most
        self.most_scenes, self.names_only = most_scenes, False
        self.finder = Finder().to(device, memory_format=torch.channels_last)
        self.reader = IndexReader().to(device, memory_format=torch.channels_last)
        self.both = (Averaged(self.finder), Averaged(self.reader))
        self.weights = [*self.finder.parameters(), *self.reader.parameters()]
        self.optimiser = torch.optim.AdamW(self.weights, lr=rate_most, weight_decay=DECAY)
        self.spent_s, self.scenes, self.steps = 0.0, 0, 0

    def keep_finder(self, weights: Path) -> None:
        """Take the finder as it is in a file and train only the index reader."""
        state = torch.load(weights, map_location=self.device, weights_only=True)["finder"]
        for net in (self.finder, self.both[0].net):
            net.load_state_dict(grown(state, net, "fine", 7))
        self.finder.eval().requires_grad_(False)
        self.names_only = True

    @property
    def progress(self) -> float:
        if self.most_scenes:
            return min(1.0, self.scenes / self.most_scenes)
        return min(1.0, self.spent_s / (60 * self.minutes))

    def rate(self) -> float:
        return rate_at(self.progress, self.rate_most)

    def autocast(self) -> torch.autocast:
        return autocast(self.device)

    def step(self, losses: dict[str, Tensor]) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate()
        self.optimiser.zero_grad(set_to_none=True)
        torch.stack(list(losses.values())).sum().backward()
        nn.utils.clip_grad_norm_(self.weights, 5.0)
        self.optimiser.step()
        if not self.names_only:
            self.both[0].follow(self.finder)
        self.both[1].follow(self.reader)
        self.steps += 1

    def save(self, run: Path, settings: dict[str, object]) -> None:
        state = {
            "finder": self.finder.state_dict(), "reader": self.reader.state_dict(),
            "optimiser": self.optimiser.state_dict(), "spent_s": self.spent_s,
            "scenes": self.scenes, "steps": self.steps, "settings": settings,
        }  # fmt: skip
        averaged = {
            "finder": self.both[0].net.state_dict(), "reader": self.both[1].net.state_dict(),
            "spent_s": self.spent_s, "scenes": self.scenes, "settings": settings,
        }  # fmt: skip
        write_checkpoint(run, {**state, "averaged": averaged}, averaged)

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


def name_losses(trainer: Trainer, batch: Batch) -> Iterator[dict[str, Tensor]]:
    """Losses of the index reader alone, of CROPS_A_STEP crops at a time."""
    with torch.no_grad(), trainer.autocast():
        crops = pick_crops(trainer.finder(batch.image)[0], batch)
    images, some = cut(batch.image, crops.place), worth_reading(crops).nonzero()[:, 0]
    for which in some[torch.randperm(len(some), device=some.device)].split(CROPS_A_STEP):
        if len(which) < CROPS_A_STEP // 2:
            return
        with trainer.autocast():
            image = images[which].contiguous(memory_format=torch.channels_last)
            losses = read_loss(trainer.reader(image), crops, which)
        yield losses


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


def options() -> argparse.ArgumentParser:
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
    ap.add_argument("--scenes", type=int, default=0, help="length in scenes instead of minutes")
    ap.add_argument("--without", choices=INGREDIENTS, help="an ingredient to leave out")
    ap.add_argument("--finder", type=Path, help="weights whose finder stays: learn names only")
    return ap


def train(a: argparse.Namespace) -> None:
    cv2.setNumThreads(1)  # before the fork: OpenCV's pool of threads does not survive one
    quiz = quizzed(a.data)
    train_on(load_stock(a.data, held_out=False), quiz, a)


def quizzed(data: Path) -> list[Slot]:
    """QUIZ_SCENES scenes of held-out decks, the same ones for every training."""
    quiz = Feed(load_stock(data, held_out=True), 1, 7)
    slots = list(islice(quiz.batches(QUIZ_AT_ONCE), QUIZ_SCENES // QUIZ_AT_ONCE))
    quiz.close()
    return slots


def train_on(stock: Stock, quiz: list[Slot], a: argparse.Namespace) -> None:
    """Train on scenes of a stock; what --without names is left out of it and of the scenes."""
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    with settings_without(a.without):
        feed = Feed(stock_without(stock, a.without), a.workers, a.seed)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.backends.cudnn.benchmark = True
        trainer = begun(a, device)
        photos = load_photos(a.photos) if a.photos and with_photographs(a.without) else []
        chance = torch.Generator(device)
        chance.manual_seed(a.seed % 2**31)
        settings = {k: str(v) for k, v in vars(a).items()} | {
            "batch": a.batch or BATCH[device],
            "device": device,
            "photos_n": len(photos),
        }
        print(json.dumps(settings), flush=True)
        held_out = [on_device(slot, device) for slot in quiz]
        _loop(a, trainer, feed, photos, held_out, chance, settings, a.batch or BATCH[device])
    feed.close()


def begun(a: argparse.Namespace, device: str) -> Trainer:
    """The trainer of a run: fresh, gone on with, or begun with other weights."""
    trainer = Trainer(device, a.minutes, a.rate, a.scenes)
    if (a.run / "last.pt").exists():
        trainer.load(a.run / "last.pt")
    elif a.start_from:
        trainer.load(a.start_from)
        trainer.spent_s, trainer.scenes = 0.0, 0
    if a.finder:
        trainer.keep_finder(a.finder)
    return trainer


def photos_now(a: argparse.Namespace, trainer: Trainer, scenes: int) -> bool:
    """Whether photographs join this batch of scenes."""
    if trainer.progress < (0 if a.start_from else PHOTOS_FROM):
        return False
    return trainer.scenes // scenes % PHOTOS_EVERY == 0


def learned(
    trainer: Trainer, batch: Batch, photos: list, rng: np.random.Generator, chance: torch.Generator
) -> dict[str, Tensor]:  # type: ignore[type-arg]
    """Learn from a batch of scenes and some photographs; the losses, of the last step if many."""
    last: dict[str, Tensor] = {}
    for losses in name_losses(trainer, batch) if trainer.names_only else _at_once(trainer, batch):
        if photos:
            count = max(4, int(len(batch.image) * PHOTO_SHARE * PHOTOS_EVERY))
            with trainer.autocast():
                losses |= photo_losses(trainer, photos, count, rng, chance)
            photos = []
        trainer.step(losses)
        last = {k: v.detach().float() for k, v in losses.items()}
    return last


def _at_once(trainer: Trainer, batch: Batch) -> Iterator[dict[str, Tensor]]:
    with trainer.autocast():
        losses = scene_losses(trainer.finder, trainer.reader, batch)
    yield losses


def _loop(a, trainer, feed, photos, held_out, chance, settings, scenes) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(a.seed)
    start = said = saved = before = time.monotonic()
    sums: dict[str, Tensor] = {}
    count = since = 0
    for slot in feed.batches(scenes):
        batch = on_device(slot, trainer.device)
        with_photos = bool(photos) and photos_now(a, trainer, scenes)
        for k, v in learned(trainer, batch, photos if with_photos else [], rng, chance).items():
            sums[k] = sums.get(k, torch.zeros((), device=trainer.device)) + v
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
    train(options().parse_args())
