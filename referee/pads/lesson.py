"""Learning a table's pads: which pad lies on which spot, from taps that the player is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.pads.learn import (
    ONE_TAP_NS,
    Felt,
    Tap,
    heights_of,
    lateness_us,
    learnt_couplings,
    learnt_pad,
    tap_of,
)
from referee.pads.profile import PadProfile, Profile, address_of
from referee.pads.protocol import PADS, Stat, Wave
from referee.pads.told import Felt as FeltHit

INVERTED = ("foil", "switch")
# A pad is the spot's when so many taps in a row were strongest there.
SAME_PAD = 2
# A tap that another pad felt nearly as strongly may have hit between the two.
BETWEEN = 0.8


@dataclass
class TapGatherer:
    """Puts what pads felt within one moment together as taps. Times are host time."""

    kind: str
    _hits: list[tuple[str, FeltHit]] = field(default_factory=list)
    _waves: dict[tuple[str, int], Wave] = field(default_factory=dict)
    _stats: dict[str, Stat] = field(default_factory=dict)

    def heartbeat(self, board: str, stat: Stat) -> None:
        """Take how a board's inputs rest."""
        self._stats[board] = stat

    def hit(self, board: str, felt: FeltHit) -> None:
        """Take a hit."""
        self._hits.append((board, felt))

    def wave(self, board: str, wave: Wave) -> None:
        """Take the signal around a hit."""
        self._waves[board, wave.seq] = wave

    def taps(self, now_ns: int) -> list[Tap]:
        """Return the taps that are complete by now."""
        found = []
        while self._hits:
            first_ns = self._hits[0][1].arrived_ns
            # Waves come last: a tap is complete a while after its last hit could have come.
            if now_ns - first_ns < 3 * ONE_TAP_NS:
                break
            crowd = [one for one in self._hits if one[1].arrived_ns - first_ns <= ONE_TAP_NS]
            self._hits = [one for one in self._hits if one not in crowd]
            found.append(self._tap(crowd))
        return found

    def _tap(self, crowd: Sequence[tuple[str, FeltHit]]) -> Tap:
        board, strongest = max(crowd, key=lambda one: one[1].hit.peak - one[1].hit.baseline)
        felt = {
            address_of(name, one.hit.pad): max(0, one.hit.peak - one.hit.baseline)
            for name, one in crowd
        }
        stat = self._stats.get(board)
        if stat is not None:
            resting = [1023 - b if self.kind in INVERTED else b for b in stat.baselines]
            used = [pad for pad in range(PADS) if strongest.hit.peaks[pad]]
            for one in heights_of(board, used, strongest.hit.peaks, resting):
                felt.setdefault(one.address, one.height)
        wave = self._waves.pop((board, strongest.hit.seq), None)
        hit = strongest.hit
        late_us = None if wave is None else lateness_us(wave, hit.t, hit.baseline)
        return tap_of((Felt(address, height) for address, height in felt.items()), late_us)


@dataclass
class Lesson:
    """Asks for taps, spot by spot. `ask` says what to do next; None when all is learnt."""

    game: str
    spots: tuple[str, ...]
    taps_each: int
    kind: str
    _taken: dict[str, list[Tap]] = field(default_factory=dict)
    _places: dict[str, str] = field(default_factory=dict)

    @property
    def spot(self) -> str | None:
        """The spot whose turn it is, None when all are done."""
        for spot in self.spots:
            if len(self._taken.get(spot, ())) < self.taps_each:
                return spot
        return None

    @property
    def ask(self) -> str | None:
        """What to do next, one line."""
        spot = self.spot
        if spot is None:
            return None
        left = self.taps_each - len(self._taken.get(spot, ()))
        times = "once" if left == 1 else f"{left} times"
        return f"tap {spot} {times}, from softly to hard, half a second apart"

    def take(self, tap: Tap) -> str:
        """Take a tap; returns what was understood, one line."""
        spot = self.spot
        if spot is None:
            return "all spots are done"
        address = tap.struck.address
        owner = next((s for s, place in self._places.items() if place == address), spot)
        if owner != spot:
            return f"that was the pad of {owner}; {spot} is wanted now"
        if tap.others and tap.others[0].height > BETWEEN * max(1, tap.struck.height):
            return f"two pads felt that about equally; tap in the middle of {spot}"
        taken = self._taken.setdefault(spot, [])
        if taken and taken[0].struck.address != address:
            taken.clear()
            self._places.pop(spot, None)
        taken.append(tap)
        if len(taken) >= SAME_PAD:
            self._places[spot] = address
        return f"{spot}: tap {len(taken)} of {self.taps_each}, strength {tap.struck.height}"

    def profile(self, noise: dict[str, int]) -> Profile:
        """Return what was learnt; `noise` is each address's largest reading at rest."""
        pads = []
        for spot in self.spots:
            taps = self._taken[spot]
            board, _, pad = taps[0].struck.address.partition("/")
            level = noise.get(taps[0].struck.address, 0)
            pads.append(learnt_pad(PadProfile(board, int(pad), spot, self.kind, noise=level), taps))
        known = {address_of(pad.board, pad.pad) for pad in pads}
        every = [
            Tap(tap.struck, tuple(other for other in tap.others if other.address in known))
            for taps in self._taken.values()
            for tap in taps
        ]
        return Profile(self.game, tuple(pads), learnt_couplings(every))
