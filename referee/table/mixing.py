"""Shuffles before the deal: about a deck much moves all the time, and then less than half as much.

On the table or in the hands, riffled, chopped or washed, seen or hidden by what they do: two hands
never rest while they shuffle. Who has shuffled takes the deck up, or begins to deal, at his ease.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from referee.values import Actor, Dealt, Event, PileMixed

# So long is looked back: the halves of a riffle lie still for up to 0.3 s between two goes. When a
# shuffle ended is told by when half of that time was over, and no better.
LOOK_NS, U_NS = 600_000_000, 400_000_000
# Of the deck's place this share moves all the time while it is shuffled: of 60 rendered shuffles by
# two renderers 0.5 and more. When it is over, less than this part of what moved at most.
STIRS_SHARE, LESS_SHARE = 0.35, 0.6
# Those shuffles took 1.6 s and more, laying a deck down and squaring it less than one.
MIXED_NS = 1_200_000_000
# Who begins to deal takes a card and lays it down in this time; so long before, he shuffled last.
DEALS_NS = 300_000_000
CONF = 0.7


class Stir(NamedTuple):
    """How much of the surroundings of a deck's zone moves, 0 to 1, and whose hands are there.

    `dealt_ns` is since when the first card lies there that seems to be dealt from it.
    """

    zone: str
    share: float
    seats: tuple[str, ...] = ()
    dealt_ns: int | None = None


@dataclass(slots=True)
class _About:
    """What moved about a deck lately (time, share), and since when, how much and by whom it does.

    `since_ns` is None while too little moves.
    """

    lately: deque[tuple[int, float]] = field(default_factory=deque)
    since_ns: int | None = None
    most: float = 0.0
    seats: Counter[str] = field(default_factory=Counter)
    dealt_ns: int | None = None

    def mean(self, t_ns: int, share: float) -> float:
        """Take the share that moves now; returns its mean."""
        self.lately.append((t_ns, share))
        while self.lately[0][0] < t_ns - LOOK_NS:
            self.lately.popleft()
        return sum(one for _, one in self.lately) / len(self.lately)

    def seat(self) -> str | None:
        """Return whose hands were there most."""
        return max(self.seats, key=lambda seat: self.seats[seat], default=None)


class Mixing:
    """Notices shuffles. Changed only by `step`, by one thread."""

    def __init__(self) -> None:
        """Begin with none."""
        self._about: dict[str, _About] = {}
        # Since when the decks were shuffled whose shuffles were noticed, and those not told of yet.
        self._since_ns: dict[str, int] = {}
        self._held: dict[str, PileMixed] = {}

    def step(self, t_ns: int, stirs: Iterable[Stir]) -> None:
        """Take what moves about each deck from which nothing was dealt yet.

        A shuffle is noticed once before each deal.
        """
        about = {one.zone: one for one in stirs}
        for zone, lately in self._about.items():
            if zone not in about and lately.since_ns is not None and lately.dealt_ns is not None:
                # He dealt from it without a pause.
                self._note(zone, lately, lately.since_ns, t_ns)
        self._about = {zone: one for zone, one in self._about.items() if zone in about}
        self._since_ns = {zone: ns for zone, ns in self._since_ns.items() if zone in about}
        for one in about.values():
            self._take(t_ns, one)

    def told(self, lies: Callable[[str], bool]) -> tuple[PileMixed, ...]:
        """Return the shuffles that were noticed, each once it was told that its deck lies there.

        Of a deck from which something was dealt that is never told.
        """
        due = [zone for zone in self._held if zone not in self._about or lies(zone)]
        return tuple(self._held.pop(zone) for zone in due)

    @property
    def held(self) -> tuple[PileMixed, ...]:
        """Shuffles of decks that were not told of yet."""
        return tuple(self._held.values())

    def dated(self, event: Event) -> Event:
        """Return an event; that a deck came to lie there, as when it came that was shuffled."""
        since_ns = self._since_ns.get(event.zone) if isinstance(event, Dealt) else None
        if since_ns is None or event.t_ns < since_ns:
            return event
        return replace(event, t_ns=since_ns, u_ns=event.t_ns - since_ns)

    def _take(self, t_ns: int, stir: Stir) -> None:
        about = self._about.setdefault(stir.zone, _About())
        mean, about.dealt_ns = about.mean(t_ns, stir.share), stir.dealt_ns
        if about.since_ns is None:
            if mean >= STIRS_SHARE:
                about.since_ns, about.most = t_ns, mean
                about.seats.clear()
            return
        about.most = max(about.most, mean)
        about.seats.update(stir.seats)
        if mean >= LESS_SHARE * about.most:
            return
        since_ns, about.since_ns = about.since_ns, None
        self._note(stir.zone, about, since_ns, t_ns)

    def _note(self, zone: str, about: _About, since_ns: int, t_ns: int) -> None:
        """Note what moved about a deck till now as a shuffle, if it took as long as one.

        Nobody shuffles any more who deals: that moves as much.
        """
        first_ns, end_ns = since_ns - LOOK_NS // 2, t_ns - LOOK_NS // 2
        last_ns = end_ns if about.dealt_ns is None else about.dealt_ns - DEALS_NS
        if last_ns - first_ns >= MIXED_NS:
            # A card that lay there sooner was not dealt, but strewn.
            end_ns = min(end_ns, last_ns)
        if end_ns - first_ns >= MIXED_NS and zone not in self._since_ns:
            self._since_ns[zone] = first_ns
            self._held[zone] = _mixed(end_ns, zone, about.seat())


def _mixed(t_ns: int, zone: str, seat: str | None) -> PileMixed:
    actor = Actor(seat, "?" if seat else None)
    return PileMixed(n=0, t_ns=t_ns, u_ns=U_NS, source="camera", conf=CONF, actor=actor, zone=zone)
