"""When piles of backs were seen free of hands: so that a pile turned over onto one is known to be.

Where the last backs were drawn just before, the place was bare; a camera that lost sight of it for
that while still believes in them, and tells the same.
"""

from __future__ import annotations

from collections import deque

from referee.table.evidence import Evidence
from referee.table.gone import Gone
from referee.table.habits import Habits
from referee.table.on_top import BELIEVED_NS
from referee.table.piles import Lying, Piles

EVERY_NS = 100_000_000
# Half a minute of such times: nobody ponders longer over the top card of his waste.
MOST_TIMES = 300
# Fingers farther from a pile's middle than this take nothing there; piles lie 85 mm apart.
FAR_MM = 60.0


class BacksSeen:
    """Remembers when the piles were seen onto which others are turned. Used by one thread."""

    def __init__(self, habits: Habits, piles: Piles, evidence: Evidence) -> None:
        """Take the piles, and where hands are."""
        self._habits, self._piles, self._evidence = habits, piles, evidence
        # Since when each pile was seen all the while, and the times that this was so long enough.
        self._since_ns: dict[str, int] = {}
        self._seen_ns: dict[str, deque[int]] = {}

    def watch(self) -> None:
        """Note which of the piles are seen now."""
        now = self._evidence.now
        for zone in self._piles.zones():
            home = self._habits.returns_to(zone, None)
            if home is None or not self._piles[home]:
                continue
            if not self._is_seen(self._piles[home][-1]):
                self._since_ns.pop(home, None)
            elif now.t_ns - self._since_ns.setdefault(home, now.t_ns) > BELIEVED_NS:
                times = self._seen_ns.setdefault(home, deque(maxlen=MOST_TIMES))
                if not times or now.t_ns - times[-1] >= EVERY_NS:
                    times.append(now.t_ns)

    def _is_seen(self, top: Lying) -> bool:
        return top.spot is not None and not top.up and not self._evidence.now.covered(top.at_mm)

    def _may_be_one_turn(self, gone: Gone, home: str) -> bool:
        """Whether all may have come in one turn that was wrong, which is put right so.

        Who turns over too many takes one too many.
        """
        turn = self._habits.drawn_by_blocks(home)
        few = turn is not None and len(gone.cards) <= turn.block + 1
        return few and any(card.origin == home for card in gone.cards)

    def _may_be_under(self, home: str) -> bool:
        turn = self._habits.drawn_by_blocks(home)
        return turn is not None and not self._habits.singly and len(self._piles[home]) < turn.block

    def lay_there(self, gone: Gone, home: str) -> bool:
        """Whether backs surely lay where a pile was turned over onto them.

        They were seen after its last card came, and nobody was at them until it was taken up. Who
        has too few left for a turn may put it under them, which looks the same.
        """
        if self._may_be_under(home) or self._may_be_one_turn(gone, home):
            return False
        since_ns, seat = gone.cards[-1].since_ns + BELIEVED_NS, gone.actor.seat
        times = [t for t in self._seen_ns.get(home, ()) if since_ns < t < gone.t_ns]
        if not times or seat is None:
            return False
        at_mm = self._piles[home][-1].at_mm
        near = self._evidence.nearest(seat, at_mm, times[-1] - BELIEVED_NS, gone.t_ns)
        return near is None or near[0] > FAR_MM
