"""Which of the learned decks lies on the table: told by its backs and by its indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.deck_back import Backs, paper_white, upright_back
from referee.vision.deck_evidence import DeckEvidence
from referee.vision.deck_profile import DeckProfile
from referee.vision.detect import Answers, Reader
from referee.vision.networks import IS_INDEX

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

# From so many indices on a deck may be told, and by so much it must be more alike than the next:
# eight decks held out of training were told from three pictures each, none wrongly
# (models/train/profiles.py).
LEAST_INDICES = 4
SURE_INDEX = 0.9
LEAD = 0.008
A_BACK = 0.1  # likeness that one surely known back is worth


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike the cards seen are to one learned deck; comparable between decks only."""

    deck: str
    value: float


class DeckChoice:
    """Compares pictures of one table with several learned decks."""

    def __init__(self, reader: Reader, profiles: Sequence[DeckProfile]) -> None:
        """`reader` reads without a learned deck."""
        self._reader, self._profiles = reader, tuple(profiles)
        self._evidence = [DeckEvidence([one], reader.features) for one in profiles]
        self._backs = Backs(profiles)
        self._sum = np.zeros(len(profiles))
        self._indices = 0

    def take(self, image_bgr: Image) -> None:
        """Look at a picture of the table."""
        study = self._reader.study(image_bgr)
        white = paper_white(image_bgr, study.reads)
        for read in study.reads:
            if read.label == "BACK" and read.quad_px is not None:
                crop = upright_back(image_bgr, read.quad_px)
                owner = None if crop is None else self._backs.owner([crop], white).deck
                self._sum = self._sum + [A_BACK * (one.name == owner) for one in self._profiles]
        self._take_indices(study.answers)

    def _take_indices(self, answers: Answers) -> None:
        real = 1.0 / (1.0 + np.exp(-answers.logits[:, IS_INDEX]))
        sure = np.flatnonzero(real >= SURE_INDEX)
        height_px = 2 * np.hypot(*answers.indices.axis[sure].T)
        features = answers.features[sure]
        self._sum = self._sum + [one.likeness(features, height_px).sum() for one in self._evidence]
        self._indices += len(sure)

    def likenesses(self) -> tuple[Likeness, ...]:
        """Return the decks, the likest first."""
        each = self._sum / max(1, self._indices)
        rows = [Likeness(one.name, float(v)) for one, v in zip(self._profiles, each, strict=True)]
        return tuple(sorted(rows, key=lambda row: -row.value))

    def chosen(self) -> DeckProfile | None:
        """Return the deck that lies there, None while in doubt."""
        order = self.likenesses()
        lead = order[0].value - order[1].value if len(order) > 1 else 0.0
        if not order or self._indices < LEAST_INDICES or (len(order) > 1 and lead < LEAD):
            return None
        return next(one for one in self._profiles if one.name == order[0].deck)
