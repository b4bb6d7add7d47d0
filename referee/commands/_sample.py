"""The embedded sample clip: its ground truth, and how much of it was read right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from referee.commands import BadInput
from referee.values import CardRead, Point

# Of an index less than half visible nobody could say what it is.
READABLE_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class TrueCard:
    """One card of the truth: label as seen from above, and its corners in pixels."""

    label: str
    quad_px: tuple[Point, ...]
    readable: bool


@dataclass(frozen=True, slots=True)
class Score:
    """How many readable face-up cards were read right, wrong and not at all."""

    right: int
    wrong: int
    missed: int


def last_truth(path: Path) -> tuple[TrueCard, ...]:
    """Return the cards of the truth's last frame. Raises BadInput."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return tuple(true_card(card) for card in entries[-1]["cards"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        text = f"{path}: the sample's truth is missing or damaged; install the referee again"
        raise BadInput(text) from error


def true_card(entry: dict[str, object]) -> TrueCard:
    """Return one card of the truth from its JSON."""
    quad_px = tuple((float(x), float(y)) for x, y in entry["quad_px"])  # type: ignore[attr-defined]
    shares = [index["visible"] for index in entry["indices"]]  # type: ignore[attr-defined]
    return TrueCard(str(entry["label"]), quad_px, max(shares, default=0.0) >= READABLE_SHARE)


def score(truth: Sequence[TrueCard], cards: Sequence[CardRead]) -> Score:
    """Compare reads with the truth.

    Reads belong to the true card of their own label that they lie on, else to any that they lie
    on: cards overlap, and a point may lie on several. The label with the most summed score wins.
    """
    votes: list[dict[str, float]] = [{} for _ in truth]
    for card in cards:
        under = [n for n, true in enumerate(truth) if lies_on(card.at_px, true)]
        named = [n for n in under if truth[n].label == card.label]
        for n in named or under:
            weight = 0.0 if card.label == "??" else card.score
            votes[n][card.label] = votes[n].get(card.label, 0.0) + weight
    best = [max(vote, key=vote.__getitem__, default="??") for vote in votes]
    judged = [
        (seen, true.label)
        for seen, true in zip(best, truth, strict=True)
        if true.readable and true.label != "BACK"
    ]
    right = sum(seen == label for seen, label in judged)
    missed = sum(seen == "??" for seen, _ in judged)
    return Score(right, len(judged) - right - missed, missed)


def lies_on(point: Point, true: TrueCard) -> bool:
    """Tell whether a point lies on a card."""
    outline = np.asarray(true.quad_px, np.float32).reshape(-1, 1, 2)
    return cv2.pointPolygonTest(outline, point, False) >= 0
