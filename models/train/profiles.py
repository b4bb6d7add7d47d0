"""Measures what a learned deck gives, on decks held out of training.

    python models/train/profiles.py               right, wrong and `??` without and with the deck
    python models/train/profiles.py --fit         and the weights of vision/deck_evidence.py
    python models/train/profiles.py --backs 40    decks told apart by their backs

Each deck is spread out twice before a camera (drawn here) and learned by the product's own code
from what the reader makes of it, right or wrong. Then tables on which the deck is dealt, each card
once, are read without and with it, in good light and in bad.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

import scenes
from atlas import Deck, Stock, load_stock
from evaluate import NEAR, SEEN_SHARE, Answer, calibration_error
from profiles_backs import measure_backs
from profiles_spread import Index, as_photographed, dealt, in_bad_light, spread
from referee.values import CardRead
from referee.vision import deck_evidence as weights
from referee.vision.deck_evidence import DeckEvidence
from referee.vision.deck_gather import DeckGathering, Gathered
from referee.vision.deck_which import DeckChoice
from referee.vision.detect import Reader, Study
from referee.vision.naming import weighed
from referee.vision.networks import IS_INDEX, NO_SUIT
from scenes import Scene, make_scene
from script import parser

# ---- settings -------------------------------------------------------------------------------
# Cards' height in pixels and the light of a table; 75 px is a card on 1.8 m of table at 1080p.
TABLES = {
    "good light, 75 px": (75, as_photographed),
    "bad light, 90 px": (90, in_bad_light),
    "bad light, 130 px": (130, in_bad_light),
}
DEALT = 40
CALM_CARD_PX = (75.0, 230.0)
NEWTON_STEPS = 25

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]


@dataclass
class Tally:
    """All answers of one kind of table: without the deck, once each, by its faces, and by both."""

    answers: dict[str, list[Answer]]

    def show(self, name: str) -> None:
        for how, rows in self.answers.items():
            print(f"{name}, {how}")
            n = max(1, len(rows))
            right, wrong = sum(r.right for r in rows) / n, sum(r.wrong for r in rows) / n
            print(
                f"all                n {len(rows):5d}  right {right:.4f}  wrong {wrong:.4f}  "
                f"calibration error {calibration_error(rows):.4f}"
            )


@dataclass
class Rows:
    """What the weights are fitted to: for each index the network's word and the deck's."""

    log_p: list[Floats]
    alike: list[Floats]
    truth: list[int]


def scenes_of(stock: Stock, deck: Deck, count: int, calm: bool, seed: int) -> Iterator[Scene]:
    """Scenes of one deck."""
    rng = np.random.default_rng(seed)
    before = scenes.CARD_PX, scenes.TILT_FLAT_SHARE, scenes.photograph
    if calm:
        scenes.CARD_PX, scenes.TILT_FLAT_SHARE = CALM_CARD_PX, 1.0
        scenes.photograph = lambda clean, fine, rng: as_photographed(clean, rng)
    made = [make_scene(replace(stock, decks=(deck,)), rng) for _ in range(count)]
    scenes.CARD_PX, scenes.TILT_FLAT_SHARE, scenes.photograph = before
    yield from made


def learned(reader: Reader, folder: Path, ground: NDArray[np.uint8], seed: int) -> Gathered:
    """The deck as the product learns it from two pictures of it spread out."""
    rng = np.random.default_rng(seed)
    gathering = DeckGathering(reader)
    for _ in range(2):
        gathering.take(as_photographed(spread(folder, ground, rng), rng))
    return gathering.gathered(folder.name.replace(".", "-"))


def answered(truth: Sequence[Index], reads: Sequence[CardRead], image: Image) -> list[Answer]:
    """What was said of each index that shows."""
    out = []
    at = np.array([read.at_px for read in reads]).reshape(-1, 2)
    for one in truth:
        near = np.flatnonzero(np.hypot(*(at - (one.x, one.y)).T) < NEAR * one.half_px)
        best = max((reads[k] for k in near), key=lambda read: read.score, default=None)
        said, score = (best.label, best.score) if best else (None, 0.0)
        out.append(Answer(2 * one.half_px, one.label, said, score, image[:1, :1]))
    return out


def add_rows(rank: Rows, suit: Rows, evidence: DeckEvidence, study: Study, scene: Scene) -> None:
    """What a scene's indices say for the fit."""
    real = study.answers.logits[:, IS_INDEX] > 0
    good = np.flatnonzero(real)
    indices = study.answers.indices.take(good)
    if not len(good):
        return
    log_rank, log_suit = weighed(indices, study.answers.logits[good], "suited", "any", None)
    told = evidence.told(study.answers.features[good], 2 * np.hypot(*indices.axis.T))
    for row in scene.indices[scene.indices[:, 10] >= SEEN_SHARE]:
        apart = np.hypot(*(indices.at - row[:2]).T)
        k = int(np.argmin(apart))
        if apart[k] > NEAR * np.hypot(row[2], row[3]) or row[8] > 22:
            continue
        rank.log_p.append(log_rank[k])
        rank.alike.append(told.rank[k] / weights.RANK_WEIGHT)
        rank.truth.append(int(row[8]))
        if row[9] != NO_SUIT:
            suit.log_p.append(log_suit[k])
            suit.alike.append(told.suit[k] / weights.SUIT_WEIGHT)
            suit.truth.append(int(row[9]))


def fitted(rank: Rows, suit: Rows) -> Floats:
    """Network, rank and suit weight by maximum likelihood (Newton's method; it is concave)."""
    w = np.array([1.0, 3.0, 3.0])
    for _ in range(NEWTON_STEPS):
        slope, bend = np.zeros(3), 1e-3 * np.eye(3)
        for column, rows in ((1, rank), (2, suit)):
            said = np.zeros((len(rows.truth), len(rows.log_p[0]), 3))
            said[:, :, 0], said[:, :, column] = np.array(rows.log_p), np.array(rows.alike)
            p = said @ w
            p = np.exp(p - p.max(axis=1, keepdims=True))
            p /= p.sum(axis=1, keepdims=True)
            mean = (p[:, :, None] * said).sum(1)
            slope += (said[np.arange(len(said)), rows.truth] - mean).sum(0)
            bend += np.einsum("nc,nci,ncj->ij", p, said, said) - mean.T @ mean
        w = w + np.linalg.solve(bend, slope)
    return w


def measure(a: argparse.Namespace) -> None:
    stock = load_stock(a.data, held_out=True, every=(a.first, a.every))
    reader = Reader(a.models, 1)
    tallies = {name: Tally({}) for name in TABLES}
    halves = [(Rows([], [], []), Rows([], [], [])) for _ in range(2)]
    profiles = []
    decks = [d for d in stock.decks if d.kind not in ("numbers", "foreign")]
    for number, deck in enumerate(decks):
        found = learned(reader, a.data / "decks" / deck.name, ground_of(stock, number), a.seed)
        profile = found.profile
        profiles.append((profile, deck))
        readers = {
            "without the deck": Reader(a.models, 1, "suited"),
            "knowing that each card is there once": Reader(a.models, 1, "suited", once=True),
            "knowing the faces": Reader(a.models, 1, "suited", "any", (profile,)),
            "with the deck": Reader(a.models, 1, "suited", "any", (profile,), once=True),
        }
        rng = np.random.default_rng(a.seed + number)
        for name, (tall_px, photographed) in TABLES.items():
            for _ in range(a.tables):
                clean, truth = dealt(
                    a.data / "decks" / deck.name, ground_of(stock, number), rng, tall_px, DEALT
                )
                image = photographed(clean, rng)
                for how, one in readers.items():
                    rows = tallies[name].answers.setdefault(how, [])
                    rows += answered(truth, one.read(image).cards, image)
        if a.fit:
            evidence = DeckEvidence([profile], reader.features)
            for calm in (True, False):
                for scene in scenes_of(stock, deck, a.scenes, calm, a.seed + number):
                    study = reader.study(scene.image)
                    add_rows(*halves[number % 2], evidence, study, scene)
        if number % 4 == 3:
            for name, tally in tallies.items():
                tally.show(f"{name}, {number + 1} decks")
        print(
            f"{deck.name}: learned {52 - len(profile.missing)} of 52, "
            f"called double {len(profile.double)}, jokers {profile.jokers}",
            flush=True,
        )
    for name, tally in tallies.items():
        tally.show(name)
    if a.fit:
        for half in halves:
            print("weights network, rank, suit:", np.round(fitted(*half), 2), flush=True)
    which_deck(stock, reader, profiles, a)


def which_deck(stock: Stock, reader: Reader, profiles: Sequence[tuple], a) -> None:  # type: ignore[type-arg,no-untyped-def]
    """How often the deck on a table is told, and told wrongly, among all that were learned."""
    right = wrong = 0
    fresh = DeckChoice(reader, [one for one, _ in profiles])
    for number, (profile, deck) in enumerate(profiles):
        choice = copy(fresh)
        for scene in scenes_of(stock, deck, 3, True, a.seed + 100 + number):
            choice.take(scene.image)
        chosen = choice.chosen()
        right += chosen is profile
        wrong += chosen is not None and chosen is not profile
    n = len(profiles)
    print(f"deck told among {n} from three calm pictures: right {right}, wrong {wrong} of {n}")


def ground_of(stock: Stock, number: int) -> NDArray[np.uint8]:
    """A background as a picture, H x W x 3."""
    t = stock.grounds[number % len(stock.grounds)]
    a = stock.atlas
    h, w = int(a.height[t, 0]), int(a.width[t, 0])
    at = int(a.offset[t, 0])
    return a.texels[at : at + h * w * 4].reshape(h, w, 4)[:, :, :3]


def main() -> None:
    ap = parser(__doc__)
    ap.add_argument("--tables", type=int, default=2, help="of each deck and kind")
    ap.add_argument("--scenes", type=int, default=10, help="of each deck and kind, to fit")
    ap.add_argument("--first", type=int, default=0, help="number of the first deck")
    ap.add_argument("--every", type=int, default=8, help="take every so many held-out decks")
    ap.add_argument("--seed", type=int, default=11)
    ap.add_argument("--fit", action="store_true", help="print the weights, by halves of the decks")
    ap.add_argument("--backs", type=int, default=0, help="tables of backs, instead of indices")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    if a.backs:
        measure_backs(a.data / "decks", a.backs, a.seed)
    else:
        measure(a)


if __name__ == "__main__":
    main()
