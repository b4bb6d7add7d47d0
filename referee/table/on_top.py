"""Until when the top card of each pile was seen to lie there, free of hands."""

from __future__ import annotations

from referee.table.evidence import Evidence
from referee.table.piles import NEVER_NS, Piles

# A card that is believed by mistake is forgotten 0.12 s after its place is seen free of hands.
BELIEVED_NS = 300_000_000


class OnTop:
    """Remembers when the tops of piles were last seen. Used by one thread."""

    def __init__(self, piles: Piles, evidence: Evidence) -> None:
        """Take the piles, and what is seen now."""
        self._piles, self._evidence = piles, evidence
        self._seen_ns: dict[str, int] = {}

    def watch(self) -> None:
        """Note which open cards show now on top of their piles."""
        now = self._evidence.now
        for zone in self._piles.zones():
            top = self._piles[zone][-1]
            free = top.up and top.spot is not None and not now.covered(top.at_mm)
            if free and now.shown(top.at_mm, top.angle_deg):
                self._seen_ns[zone] = now.t_ns

    def until_ns(self, zone: str) -> int:
        """Return until when the last top card of a pile that showed was seen there."""
        return self._seen_ns.get(zone, NEVER_NS)
