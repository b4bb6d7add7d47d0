"""The card reader: a picture -> card reads and hands, by four networks and plain geometry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead, HandRead, Sight
from referee.vision.deck_back import Backs, with_owners
from referee.vision.deck_evidence import DeckEvidence
from referee.vision.deck_profile import DeckProfile
from referee.vision.languages import Deck, Language
from referee.vision.naming import (
    LEAST_PIPS,
    against_faces,
    named,
    parted,
    ranks_of,
    says_black,
    says_eight,
    signs,
    with_faces,
)
from referee.vision.networks import (
    FEATURES,
    IS_INDEX,
    POSE,
    RANK_LOGITS,
    SUIT_LOGITS,
    ModelError,
    Networks,
)
from referee.vision.peaks import (
    Cards,
    Indices,
    cards_of,
    indices_of,
    joined_cards,
    joined_indices,
    single_indices,
)
from referee.vision.pips import pips_of, shared, uncovered_px
from referee.vision.pyramid import Image, Level, levels, scaled, tiles, whole
from referee.vision.surface import Surface, hands_of, surface_of
from referee.vision.upright import upright_faces, upright_indices

__all__ = ["ModelError", "Reader"]

CROPS_AT_ONCE = 128
# Places that are hardly an index at first sight (8 in 100) are not read again.
LIKELY_LOGIT = -2.5
MOST_MOVED = 0.6
# An index whose name is less sure than this is read once more, where it seems to lie now, and if
# that does not help three times more, a little smaller and larger.
DOUBTFUL = 0.97
LEAST_REAL = 0.08
ONCE_MORE, AND_AGAIN = (1.0,), (1.0, 0.88, 1.14)  # crops of so many times the index's size


@dataclass(frozen=True, slots=True)
class Answers:
    """What the index reader says of N places: N x 41 logits, and N x FEATURES behind them."""

    indices: Indices
    logits: NDArray[np.float64]
    features: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Study:
    """A picture's reads, and the N places that they come from with their N upright indices."""

    answers: Answers
    crops: Image
    reads: tuple[CardRead, ...]


class Reader:
    """Reads cards in single pictures; holds its network sessions and no other state."""

    def __init__(
        self,
        models_dir: Path,
        threads: int = 2,
        deck: Deck = "any",
        language: Language = "any",
        profiles: Sequence[DeckProfile] = (),
        quick: bool = False,
        once: bool = False,
    ) -> None:
        """Open the networks in `models_dir`. Raises ModelError.

        `deck` says which cards there can be, `language` what the letters on them mean, `profiles`
        which learned decks are on the table; `quick` is for pictures that come 30 times a second;
        `once`: one deck lies there, of which each card is there once.
        """
        self._opened = (models_dir, threads, deck, language, tuple(profiles), quick, once)
        self._once = once
        self._deck: Deck = deck
        self._language: Language = language
        self._networks = Networks(models_dir, threads, quick)
        self._backs = Backs(profiles)
        self._decks = DeckEvidence(profiles, self.features) if profiles else None

    def __reduce__(self) -> tuple[type[Reader], tuple[object, ...]]:
        """Return what another process opens the same reader with."""
        return Reader, self._opened

    def read(self, image_bgr: NDArray[np.uint8], *, enlarged: bool = True) -> Sight:
        """Read one picture: uint8, height x width x 3, blue-green-red, any size.

        Every printed index that is seen gives one read; a card without a readable index gives one
        at its middle. Small pictures are read enlarged as well; a piece of a large picture need
        not be (`enlarged=False`) and takes a fifth of the time.
        """
        pyramid = levels(image_bgr, enlarged=enlarged)
        indices, cards, hands = self._find(pyramid)
        seen = self._read_whole(pyramid, indices)
        return Sight(cards=self._named(seen, cards, image_bgr), hands=hands)

    def glance(
        self, image_bgr: NDArray[np.uint8], scale: float
    ) -> tuple[tuple[CardRead, ...], Surface]:
        """Read a piece of a picture in which the cards' size is known: uint8, h x w x 3.

        `scale` brings the cards to the size at which they are read best (`pieces.READ_PX_MM`).
        Returns the reads in the piece's own pixels, and what lies where in it. Takes half the time
        of `read`, and sees no indices of other sizes.
        """
        level = scaled(image_bgr, scale)
        tile = whole(level)
        maps = self._networks.find(tile.image)
        indices = joined_indices([indices_of(maps, level, tile)])
        sharpest = (Level(image_bgr, 1.0), level) if scale < 1.0 else (level,)
        seen = self._read_whole(sharpest, indices)
        reads = self._named(seen, cards_of(maps, level, tile), image_bgr)
        return reads, surface_of(maps, level, tile)

    def features(self, crops: Image) -> NDArray[np.float32]:
        """N x FEATURES of N x 48 x 48 x 3 upright indices: what the index reader sees of them."""
        parts = [
            self._networks.read(crops[k : k + CROPS_AT_ONCE])[1]
            for k in range(0, len(crops), CROPS_AT_ONCE)
        ]
        return np.concatenate(parts)

    def study(self, image_bgr: Image) -> Study:
        """Read one picture and keep what the reads were made of."""
        pyramid = levels(image_bgr)
        indices, cards, _ = self._find(pyramid)
        seen = self._read_whole(pyramid, indices)
        reads = self._named(seen, cards, image_bgr)
        return Study(seen, upright_indices(pyramid, seen.indices), reads)

    def _named(self, seen: Answers, cards: Cards, image_bgr: Image) -> tuple[CardRead, ...]:
        if self._decks is None:
            return named(
                seen.indices, seen.logits, cards, self._deck, self._language, None, self._once
            )
        told = self._decks.told(seen.features, 2 * np.hypot(*seen.indices.axis.T))
        reads = named(
            seen.indices, seen.logits, cards, self._deck, self._language, told, self._once
        )
        return with_owners(image_bgr, reads, self._backs)

    def _find(self, pyramid: tuple[Level, ...]) -> tuple[Indices, Cards, tuple[HandRead, ...]]:
        found: list[Indices] = []
        outlines: list[Cards] = []
        hands: tuple[HandRead, ...] = ()
        for level in pyramid:
            for tile in tiles(level):
                maps = self._networks.find(tile.image)
                found.append(indices_of(maps, level, tile))
                outlines.append(cards_of(maps, level, tile))
                hands = hands or hands_of(maps, level, tile)
        return joined_indices(found), joined_cards(outlines), hands

    def _read_whole(self, pyramid: tuple[Level, ...], indices: Indices) -> Answers:
        """Read indices, and where they leave a doubt the faces that they are printed on."""
        return self._by_faces(pyramid, self._read_closely(pyramid, indices))

    def _read_closely(self, pyramid: tuple[Level, ...], indices: Indices) -> Answers:
        """Read each index where the finder saw it; in doubt, again where it turned out to lie."""
        first, features = self._read_indices(pyramid, indices)
        likely = np.flatnonzero(first[:, IS_INDEX] > LIKELY_LOGIT)
        moved = indices.take(likely).moved(_pose(first[likely]))
        # Places beside an index have moved onto it: one of them stays.
        once = single_indices(moved, first[likely][:, IS_INDEX])
        seen = Answers(moved.take(once), first[likely][once], features[likely][once])
        seen = self._again(pyramid, seen, 1, ONCE_MORE)
        return self._again(pyramid, seen, 1 + len(ONCE_MORE), AND_AGAIN)

    def _by_faces(self, pyramid: Sequence[Level], seen: Answers) -> Answers:
        """Ask the faces of cards whose index alone is not sure, and join what both say.

        And of those that seem to be eights, for which other figures are taken, or black: small
        clubs and spades look alike.
        """
        real = seen.logits[:, IS_INDEX] >= 0
        doubtful = real & _in_doubt(seen.logits)
        eights = real & ~doubtful & says_eight(seen.logits)
        asked = np.flatnonzero(doubtful | eights | (real & says_black(seen.logits)))
        if not len(asked):
            return seen
        faces, logits = upright_faces(pyramid, seen.indices.take(asked)), seen.logits.copy()
        for which, joined in ((doubtful, with_faces), (eights, against_faces)):
            if which.any():
                logits[which] = joined(logits[which], self._networks.name(faces[which[asked]]))
        black = real & says_black(logits)
        if black.any():
            down_to_px = uncovered_px(seen.indices.take(np.flatnonzero(real)), signs(logits[real]))
            indices = seen.indices.take(np.flatnonzero(black))
            told = self._pips(faces[black[asked]], indices, logits[black], down_to_px[black[real]])
            logits[black] = parted(logits[black], told)
        return replace(seen, logits=logits)

    def _pips(
        self,
        faces: Image,
        indices: Indices,
        logits: NDArray[np.float64],
        down_to_px: NDArray[np.float64],
    ) -> NDArray[np.float32]:
        """N log-odds of spades over clubs, by what the pips of N black cards look like."""
        pips, whose = pips_of(faces, ranks_of(logits), down_to_px)
        told = self._networks.spades(pips)
        each = np.bincount(whose, told, len(faces)).astype(np.float32)
        return shared(each, LEAST_PIPS, indices, signs(logits))

    def _again(
        self, pyramid: tuple[Level, ...], seen: Answers, looks: int, sizes: Sequence[float]
    ) -> Answers:
        """Read what is in doubt after so many looks once more for each of `sizes`."""
        doubtful = np.flatnonzero(_in_doubt(seen.logits))
        closer = seen.indices.take(doubtful)
        read = [self._read_indices(pyramid, closer.sized(size)) for size in sizes]
        logits, features = seen.logits.copy(), seen.features.copy()
        total = looks * logits[doubtful] + sum(more for more, _ in read)
        logits[doubtful] = total / (looks + len(sizes))
        features[doubtful] = read[0][1]
        moved = seen.indices.put(doubtful, closer.moved(_pose(read[0][0])))
        return Answers(moved, logits, features)

    def _read_indices(
        self, pyramid: tuple[Level, ...], indices: Indices
    ) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """N x 41 answers of the index reader, and N x FEATURES of which it made them."""
        if not len(indices):
            return np.zeros((0, POSE.stop)), np.zeros((0, FEATURES), np.float32)
        crops = upright_indices(pyramid, indices)
        parts = [
            self._networks.read(crops[k : k + CROPS_AT_ONCE])
            for k in range(0, len(crops), CROPS_AT_ONCE)
        ]
        logits = np.concatenate([part[0] for part in parts]).astype(np.float64)
        return logits, np.concatenate([part[1] for part in parts])


def _pose(answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far N indices lie from where they were looked at, N x 4, as `Indices.moved` wants it."""
    return np.clip(answers[:, POSE], -MOST_MOVED, MOST_MOVED)


def _in_doubt(answers: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of N places may be an index, and are not surely named."""
    real = 1 / (1 + np.exp(-answers[:, IS_INDEX]))
    return np.asarray((real > LEAST_REAL) & (real * _surest(answers) < DOUBTFUL))


def _surest(answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability of the likeliest sign with the likeliest suit, of N places."""
    signs, suits = answers[:, :RANK_LOGITS], answers[:, RANK_LOGITS : RANK_LOGITS + SUIT_LOGITS]
    return _share_of_best(signs) * _share_of_best(suits)


def _share_of_best(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1))
