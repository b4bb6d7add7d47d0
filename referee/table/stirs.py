"""Since when cards are being laid on a pile, by what moves there: the hand itself hides them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.table.evidence import Evidence
from referee.table.habits import Habits
from referee.table.piles import NEVER_NS, Piles
from referee.table.visits import LEAST_AWAY_NS
from referee.values import TablePlan, Zone

# A hand that lays a card moves over more of its place than this in two frames running; an arm that
# passes, or a hand on its way home, over less. In films of our own all that lie singly are told
# apart from turns of three with shares from 0.5 to 0.8.
STIRS_SHARE = 0.7
# Before a card is turned over so much of its backs moves at least; where one is taken from the pile
# beside, that is so for four in ten.
BACKS_SHARE = 0.5
# What moves again after less than this never stopped.
PAUSE_NS = 100_000_000
# From one card to the next a hand is away for less than this; two turns are farther apart.
AWAY_NS = 450_000_000
# The backs stir so long before the pile beside does, where a card is turned over onto it.
LED_NS = 450_000_000
# Three cards at once follow one another no faster than this, single ones do; between that and a
# second both look alike.
AT_ONCE_NS = 450_000_000
# The hand that turned cards over is away from the backs for so long; in quick play it is for 0.3 s.
STAYS_NS = 150_000_000
# So long after one turn a quick hand has ended the next one; what stirs again sooner is one turn.
NEXT_TURN_NS = 650_000_000
# A card lies since its pile stirred, or so long after that.
LIES_NS = 250_000_000
# From a waste to its stock a hand moves in less than this.
RETURNS_NS = 250_000_000
# Of what happened longer ago nothing is asked.
KEPT = 120


@dataclass(frozen=True, slots=True)
class Stir:
    """Something moved on a pile from one time to another."""

    from_ns: int
    until_ns: int


class Stirs:
    """Remembers when something moved on stocks and on the piles that they are turned over onto.

    Used by one thread.
    """

    def __init__(self, plan: TablePlan, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Begin with piles on which nothing moved."""
        self._piles, self._evidence = piles, evidence
        ways = (habits.drawn_by_blocks(zone.name) for zone in plan.zones)
        # How cards are turned over from each stock.
        self.ways = tuple(way for way in ways if way is not None and way.flip)
        self._origins = {way.target: way.origin for way in self.ways}
        names = {*self._origins, *self._origins.values()}
        self._zones = tuple(zone for zone in plan.zones if zone.name in names)
        self._moved: dict[str, deque[int]] = {name: deque(maxlen=KEPT) for name in names}
        # Where something moved at the last look.
        self._before: set[str] = set()

    def watch(self) -> None:
        """Note where something moves now."""
        stirring = {zone.name for zone in self._zones if self._stirs(zone)}
        for name in stirring & self._before:
            self._moved[name].append(self._evidence.now.t_ns)
        self._before = stirring

    def _stirs(self, zone: Zone) -> bool:
        top = next(reversed(self._piles[zone.name]), None)
        at_mm = zone.center_mm if top is None else top.at_mm
        angle_deg = zone.angle_deg if top is None else top.angle_deg
        least = STIRS_SHARE if zone.name in self._origins else BACKS_SHARE
        return self._evidence.now.stirring(at_mm, angle_deg) >= least

    def since_ns(self, zone: str, until_ns: int, after_ns: int) -> int | None:
        """Return since when cards were laid on a pile one after another till a card lay there.

        Each time the backs stirred before the pile did. What moved until `after_ns` led to another
        card. None where nothing was seen to move.
        """
        begun_ns, last_ns = None, until_ns
        for stir in self._stirs_before(zone, until_ns, after_ns):
            if last_ns - stir.until_ns > AWAY_NS:
                break
            if begun_ns is not None and not self._is_led(zone, stir):
                break
            begun_ns = last_ns = stir.from_ns
        return begun_ns

    def is_quick(self, zone: str, after_ns: int, still_ns: int) -> bool:
        """Whether two cards were laid just before one came to lie, faster than turns of three.

        Who lays another one has been at the backs since; a hand that goes stirs the pile as well.
        """
        lays, from_ns = [still_ns], still_ns
        for stir in self._stirs_before(zone, still_ns, after_ns):
            if lays[-1] - stir.until_ns <= LEAST_AWAY_NS:
                from_ns = stir.from_ns
            elif self._is_led(zone, stir) and self._stirred(zone, stir.until_ns, from_ns):
                lays.append(stir.until_ns)
                from_ns = stir.from_ns
        return len(lays) > 2 and lays[0] - lays[2] < 2 * AT_ONCE_NS

    def _stirred(self, zone: str, after_ns: int, before_ns: int) -> bool:
        """Whether the backs stirred between two times."""
        return any(after_ns < t_ns < before_ns for t_ns in self._moved[self._origins[zone]])

    def draws_ns(self, zone: str, after_ns: int, until_ns: int) -> list[int]:
        """Return when a pile stopped stirring that stirred just after its backs, the last first.

        So it does for each turn, whether a card of it is seen or not; a hand that takes a card from
        the pile stirs the backs again as it goes, unless it goes there for the next turn.
        """
        draws: list[int] = []
        next_ns = None
        for stir in self._stirs_before(zone, until_ns + PAUSE_NS, after_ns):
            led = self._is_led(zone, stir)
            goes_on = next_ns is not None and AT_ONCE_NS < next_ns - stir.until_ns < NEXT_TURN_NS
            if stir.until_ns <= until_ns and led and (goes_on or not self._goes_back(zone, stir)):
                draws.append(stir.until_ns)
            next_ns = stir.until_ns if led else None
        return draws

    def _goes_back(self, zone: str, stir: Stir) -> bool:
        backs = self._moved[self._origins[zone]]
        return any(stir.until_ns < t_ns <= stir.until_ns + STAYS_NS for t_ns in backs)

    def returns_ns(self, zone: str, after_ns: int, until_ns: int) -> list[int]:
        """Return when backs stopped stirring just after the pile beside had, the last first.

        So they do where that pile is turned over onto them; what they stir right after that is the
        next card drawn.
        """
        piles = [stir.until_ns for stir in self._stirs_before(zone, until_ns, after_ns)]
        backs = [
            stir
            for stir in self._stirs_before(self._origins[zone], until_ns, after_ns)
            if any(0 <= stir.from_ns - t_ns < RETURNS_NS for t_ns in piles)
        ]
        return [
            stir.until_ns
            for k, stir in enumerate(backs)
            if not any(stir.from_ns - one.until_ns < RETURNS_NS for one in backs[k + 1 :])
        ]

    def shows_draw(self, zone: str, still_ns: int, carried_ns: int = NEVER_NS) -> bool:
        """Whether a card came to lie on a pile just when that had stirred after its backs.

        Not where that was before a card lay elsewhere, at `carried_ns`, that was taken off it: the
        hand came over the backs and went.
        """
        stir = next(self._stirs_before(zone, still_ns, still_ns - LIES_NS), None)
        return stir is not None and stir.until_ns > carried_ns and self._is_led(zone, stir)

    def _is_led(self, zone: str, stir: Stir) -> bool:
        led = self._moved[self._origins[zone]]
        return any(stir.from_ns - LED_NS <= t_ns <= stir.from_ns for t_ns in led)

    def _stirs_before(self, zone: str, until_ns: int, after_ns: int) -> Iterator[Stir]:
        """Yield when a pile stirred between two times, the last first."""
        stir = None
        for t_ns in reversed(self._moved[zone]):
            if not after_ns < t_ns <= until_ns:
                continue
            if stir is not None and stir.from_ns - t_ns < PAUSE_NS:
                stir = replace(stir, from_ns=t_ns)
                continue
            if stir is not None:
                yield stir
            stir = Stir(t_ns, t_ns)
        if stir is not None:
            yield stir
