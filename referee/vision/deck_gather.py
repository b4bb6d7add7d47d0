"""Learns a deck from pictures of it, spread out or leafed through; the deck itself is the check.

A deck has each card once. So an index that could be a 3 or an 8 is the 3 if the 8 was surely seen
elsewhere and no 3 was: what is unsure is paired with what is still missing at the least cost.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead
from referee.vision.deck_census import NAMES, ONE_CARD, joint
from referee.vision.deck_pairing import cheapest_pairs
from referee.vision.deck_profile import NUMBERED, DeckProfile, Kind, cards_of_kind
from referee.vision.deck_strangers import BacksSeen, Stranger
from referee.vision.detect import Reader, Study
from referee.vision.languages import Language
from referee.vision.naming import INDEX_SCORE, same_card, weighed
from referee.vision.networks import CROP_PX, IS_INDEX, JOKER
from referee.vision.peaks import Indices

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

# Judgement, in nats or probabilities, tried on 26 spread decks held out of training: with less
# than 0.1 for the least, figures on court cards passed for missing cards.
SURE = 0.9  # a card read so surely is not put in question by the rest of the deck
LEAST = np.log(0.2)  # a reading less likely than this is none, however well it would fit
# Against the middle of a picture's sure indices: figures and pips are larger, dots smaller.
LIKE_SIZE = 1.45
TWICE_HERE, SEEN_BEFORE = 5.0, 1.5  # the price of a card that lies there already, or was seen
COPIES = 2
# Of the cards of one leafing so many are double at most, or it was leafed twice.
FEW_AGAIN = 0.06
MOST_CROPS_EACH, MOST_CROPS = 4, 3  # of a sighting, of a card


@dataclass(slots=True)
class _Sighting:
    """One card that lay in one place for a while."""

    at: Floats
    half_px: float
    log_p: Floats  # of NAMES, the mean of `looks` looks
    pictures: list[int]
    crops: list[tuple[float, Image]] = field(default_factory=list)
    looks: int = 1
    leafing: int = 0  # which of the films it was seen in

    def add(self, other: _Sighting) -> None:
        """Take another look at the same card in."""
        self.log_p = (self.log_p * self.looks + other.log_p) / (self.looks + 1)
        self.looks += 1
        self.at, self.pictures = other.at, self.pictures + other.pictures
        self.crops = sorted(self.crops + other.crops, key=lambda one: -one[0])[:MOST_CROPS_EACH]


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """What was learned so far: the profile, and how many cards were seen and not understood.

    `again` are cards that showed once more after others had lain on them: where each card was
    shown once, there are two of them. `strange` are face-down cards with another back.
    """

    profile: DeckProfile
    unread: int
    again: tuple[str, ...] = ()
    strange: tuple[Stranger, ...] = ()


class DeckGathering:
    """Takes the pictures of one deck; used by one thread."""

    def __init__(self, reader: Reader, language: Language = "any") -> None:
        """`reader` reads without a learned deck."""
        self._reader, self._language = reader, language
        self._sightings: list[_Sighting] = []
        self._last: list[_Sighting] = []
        self._backs = BacksSeen()
        self._pictures, self._leafing = 0, 0

    def take(self, image_bgr: Image, *, follows: bool = False) -> None:
        """Look at a picture; `follows` tells that it shows the same table a moment later."""
        study = self._reader.study(image_bgr)
        seen = _sightings(study, self._pictures, self._language)
        self._pictures += 1
        before = self._last if follows else []
        self._leafing += not follows
        self._last = []
        for one in seen:
            one.leafing = self._leafing
            known = next((other for other in before if _same_place(one, other)), None)
            if known is None:
                self._sightings.append(one)
            else:
                known.add(one)
            self._last.append(known or one)
        self._backs.take(image_bgr, study.reads)

    def gathered(self, name: str) -> Gathered:
        """Return the deck as far as it was learned."""
        kind = self._kind()
        names = [k for k, one in enumerate(NAMES) if one == JOKER or one in cards_of_kind(kind)]
        table = np.array([one.log_p[names] for one in self._sightings]).reshape(-1, len(names))
        labels = [NAMES[k] for k in names]
        owned = self._labelled(table, labels)
        found = {labels[k] for k in owned if k >= 0}
        profile = DeckProfile(
            name,
            kind,
            *self._kept(owned, labels),
            self._backs.own(),
            tuple(card for card in cards_of_kind(kind) if card not in found),
            self._doubles(table, owned, labels),
            self._jokers(owned, labels),
        )
        again = self._again(table, owned, labels)
        return Gathered(profile, sum(k < 0 for k in owned), again, self._backs.strangers())

    def _kind(self) -> Kind:
        numbered = np.array([name in NUMBERED for name in NAMES])
        best = [numbered[int(np.argmax(one.log_p))] for one in self._sightings]
        return "numbers" if sum(best) > len(best) / 2 else "suited"

    def _labelled(self, table: Floats, labels: list[str]) -> list[int]:
        """For each sighting the number of its label, or -1: the deck as a checksum."""
        out = [-1] * len(table)
        for k, row in enumerate(table):
            if row.max() >= np.log(SURE):
                out[k] = int(np.argmax(row))
        unsure = [k for k in range(len(table)) if out[k] < 0]
        if not unsure:
            return out
        price = np.array([self._prices(k, out, len(labels)) for k in unsure])
        price[:, labels.index(JOKER)] = 0.0
        cost = price - table[unsure]
        copies = [cost + SEEN_BEFORE * copy for copy in range(COPIES)]
        # A column for each that stays unread.
        cost = np.hstack([*copies, np.full((len(unsure), len(unsure)), -LEAST)])
        for k, column in zip(unsure, cheapest_pairs(cost), strict=True):
            if column < COPIES * len(labels) and table[k, column % len(labels)] >= LEAST:
                out[k] = int(column % len(labels))
        return out

    def _prices(self, k: int, known: list[int], count: int) -> Floats:
        """What each label costs a sighting because others have it surely."""
        price = np.zeros(count)
        mine = set(self._sightings[k].pictures)
        for other, label in enumerate(known):
            if label >= 0:
                here = mine.intersection(self._sightings[other].pictures)
                price[label] = max(price[label], TWICE_HERE if here else SEEN_BEFORE)
        return price

    def _kept(self, owned: list[int], labels: list[str]) -> tuple[tuple[str, ...], Image]:
        """The best crops of each card."""
        of_card: dict[str, list[tuple[float, Image]]] = {}
        for one, label in zip(self._sightings, owned, strict=True):
            if label >= 0:
                of_card.setdefault(labels[label], []).extend(one.crops)
        names: list[str] = []
        crops: list[Image] = []
        for name in sorted(of_card, key=NAMES.index):
            for _, crop in sorted(of_card[name], key=lambda one: -one[0])[:MOST_CROPS]:
                names.append(name)
                crops.append(crop)
        return tuple(names), np.array(crops, np.uint8).reshape(-1, CROP_PX, CROP_PX, 3)

    def _doubles(self, table: Floats, owned: list[int], labels: list[str]) -> tuple[str, ...]:
        """Cards that surely lay twice in one picture."""
        out = set()
        sure = [k for k, label in enumerate(owned) if label >= 0 and table[k, label] > np.log(SURE)]
        for a, b in combinations(sure, 2):
            if owned[a] == owned[b] and labels[owned[a]] != JOKER:
                one, other = self._sightings[a], self._sightings[b]
                if set(one.pictures).intersection(other.pictures):
                    out.add(labels[owned[a]])
        return tuple(sorted(out, key=NAMES.index))

    def _again(self, table: Floats, owned: list[int], labels: list[str]) -> tuple[str, ...]:
        """Cards that showed a second time, after another one had lain in their place.

        Whoever leafs back or twice shows most cards again: that says nothing.
        """
        sure = [k for k, label in enumerate(owned) if label >= 0 and table[k, label] > np.log(SURE)]
        by_label: dict[int, list[_Sighting]] = {}
        for k in sure:
            by_label.setdefault(owned[k], []).append(self._sightings[k])
        seen = [(self._sightings[k], owned[k]) for k in sure]
        out = {
            labels[label]
            for label, ones in by_label.items()
            for early, late in pairwise(ones)
            if labels[label] != JOKER
            and any(other != label and _lay_between(one, early, late) for one, other in seen)
        }
        few = len(out) <= max(1, round(FEW_AGAIN * len(by_label)))
        return tuple(sorted(out, key=NAMES.index)) if few else ()

    def _jokers(self, owned: list[int], labels: list[str]) -> int:
        """The most jokers that lay in one picture."""
        here: Counter[int] = Counter()
        for one, label in zip(self._sightings, owned, strict=True):
            if label >= 0 and labels[label] == JOKER:
                here.update(set(one.pictures))
        return max(here.values(), default=0)


def _sightings(study: Study, picture: int, language: Language) -> list[_Sighting]:
    """One for each card of a picture: its indices speak together."""
    answers, crops = study.answers, study.crops
    real = 1.0 / (1.0 + np.exp(-answers.logits[:, IS_INDEX]))
    good = _printed_indices(study, real)
    indices = answers.indices.take(good)
    rank, suit = weighed(indices, answers.logits[good], "any", language, None)
    log_p = joint(rank, suit)
    out = []
    for group in _by_card(indices, log_p.argmax(axis=1)):
        worth = real[good[group]] * np.exp(log_p[group].max(axis=1))
        best = group[int(np.argmax(worth))]
        half_px = float(np.hypot(*indices.axis[best]))
        pictures = [(float(w), crops[good[k]]) for w, k in zip(worth, group, strict=True)]
        out.append(_Sighting(indices.at[best], half_px, log_p[best], [picture], pictures))
    return out


def _printed_indices(study: Study, real: Floats) -> NDArray[np.intp]:
    """Numbers of the places that are indices of cards, not figures or pips printed on them."""
    at, half = study.answers.indices.at, np.hypot(*study.answers.indices.axis.T)
    reads = [read for read in study.reads if read.middle_px is not None]
    good = _among(at, reads) & (real >= INDEX_SCORE)
    sure = _among(at, [read for read in reads if read.label != "??" and read.score >= SURE])
    if sure.any():
        # A joker's sign is a word, or a star, of any size.
        ratio = half / np.median(half[sure])
        joker = _among(at, [read for read in reads if read.label == JOKER])
        good &= joker | (ratio < LIKE_SIZE) & (ratio > 1 / LIKE_SIZE)
    return np.flatnonzero(good)


def _among(at: Floats, reads: list[CardRead]) -> NDArray[np.bool_]:
    """Which places are those of the reads; reads have theirs rounded to a tenth of a pixel."""
    read_at = np.array([read.at_px for read in reads]).reshape(-1, 2)
    apart = np.hypot(*(at[:, None] - read_at[None]).transpose(2, 0, 1))
    return np.asarray((apart < 0.2).any(axis=1))


def _by_card(indices: Indices, label: NDArray[np.intp]) -> list[list[int]]:
    """The indices of each card: those that point at one middle, or lie near and say the same.

    Of two with one name within ONE_CARD one is taken: a double is believed where it lies clear.
    """
    half = np.hypot(*indices.axis.T)
    apart = np.hypot(*(indices.at[:, None] - indices.at[None]).transpose(2, 0, 1))
    near = apart < ONE_CARD * np.maximum(half[:, None], half[None])
    along = indices.axis / half[:, None]
    parallel = np.abs(along @ along.T) > 0.9
    same = same_card(indices) | (near & parallel & (label[:, None] == label[None]))
    left = list(range(len(indices)))
    out = []
    while left:
        group = [k for k in left if same[left[0], k] or k == left[0]]
        out.append(group)
        left = [k for k in left if k not in group]
    return out


def _lay_between(one: _Sighting, early: _Sighting, late: _Sighting) -> bool:
    """Whether a card lay where an early one had lain, before a late one was seen."""
    near = float(np.hypot(*(one.at - early.at))) < ONE_CARD * early.half_px
    in_time = early.pictures[-1] < one.pictures[0] and one.pictures[-1] < late.pictures[0]
    return near and in_time and one.leafing == early.leafing == late.leafing


def _same_place(one: _Sighting, other: _Sighting) -> bool:
    """Whether it is the same card, lying as it lay."""
    near = float(np.hypot(*(one.at - other.at))) < 0.6 * min(one.half_px, other.half_px)
    return near and int(np.argmax(one.log_p)) == int(np.argmax(other.log_p))
