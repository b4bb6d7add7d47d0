"""Shuffles before the deal: about a deck much moves all the time, and then less than half as much.

On the table or in the hands, riffled, chopped or washed, seen or hidden by what they do: two hands
never rest while they shuffle. Who has shuffled takes the deck up, or begins to deal, at his ease.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
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
# Halves rest between two goes of a riffle for up to 0.7 s, and less moves than before for up to
# 0.7 s until the next one moves as much. All goes together move for so long, where who takes a deck
# up and lays it down again moves it for less.
RESTS_NS, LESS_NS, MOVES_NS = 750_000_000, 1_000_000_000, 800_000_000
# Who begins to deal squares the deck, takes a card and lays it down: he shuffled last 0.3 to 1.0 s
# before his fingers are there.
DEALS_NS, DEALS_U_NS = 600_000_000, 600_000_000
# Fingers of who deals stay for so long where he lays the cards; while he shuffles they come by.
STAYS_NS = 1_100_000_000
CONF = 0.7


class Stir(NamedTuple):
    """How much of the surroundings of a deck's zone moves, 0 to 1, and whose hands are there.

    `dealt_ns` is since when the first card lies there that seems to be dealt from it; `deals`:
    fingers are where cards of it are dealt to.
    """

    zone: str
    share: float
    seats: tuple[str, ...] = ()
    dealt_ns: int | None = None
    deals: bool = False


@dataclass(slots=True)
class _About:
    """What moved about a deck lately (time, share), and since when, how much and by whom it does.

    `since_ns` is None while too little moves.
    """

    lately: deque[tuple[int, float, bool]] = field(default_factory=deque)
    since_ns: int | None = None
    # Since when it is watched.
    watched_ns: int | None = None
    most: float = 0.0
    seats: Counter[str] = field(default_factory=Counter)
    dealt_ns: int | None = None
    # Since when fingers stay where cards are dealt to.
    fingers_ns: int | None = None
    # Since when less moves than before, when enough did last, and for how long till now.
    less_ns: int | None = None
    last_ns: int = 0
    moved_ns: int = 0

    def begin(self, t_ns: int, mean: float) -> None:
        """Let what moves be a shuffle from now on."""
        self.since_ns, self.most, self.less_ns = t_ns, STIRS_SHARE, None
        moved_ns = round(mean * (t_ns - self.lately[0][0]))
        self.last_ns, self.moved_ns, self.dealt_ns = t_ns, moved_ns, None
        self.seats.clear()

    def goes_on(self, t_ns: int, mean: float) -> bool:
        """Whether the shuffle goes on: it may rest between two goes."""
        if mean >= max(STIRS_SHARE, LESS_SHARE * self.most):
            self.less_ns = None
            return True
        self.less_ns = self.less_ns or t_ns
        return t_ns - self.last_ns < RESTS_NS and t_ns - self.less_ns < LESS_NS

    def mean(self, t_ns: int, stir: Stir) -> float:
        """Take what moves now; returns the mean share. Whose fingers stay there deals."""
        self.watched_ns = t_ns if self.watched_ns is None else self.watched_ns
        self.lately.append((t_ns, stir.share, stir.deals))
        while self.lately[0][0] < t_ns - LOOK_NS:
            self.lately.popleft()
        self.dealt_ns = self.dealt_ns or stir.dealt_ns
        self._watch_fingers(t_ns)
        return sum(share for _, share, _ in self.lately) / len(self.lately)

    def _watch_fingers(self, t_ns: int) -> None:
        """Note since when fingers stay where cards are dealt to; those that shuffle come and go."""
        there = sum(deals for *_, deals in self.lately)
        if not there:
            self.fingers_ns = None
        elif self.fingers_ns is None and 2 * there > len(self.lately):
            self.fingers_ns = t_ns - LOOK_NS // 2

    def deals(self, t_ns: int, since_ns: int) -> bool:
        """Whether the shuffle since a time has ended, for fingers stay where cards are dealt to."""
        fingers_ns = self.fingers_ns
        if fingers_ns is None or t_ns - fingers_ns < STAYS_NS:
            return False
        return fingers_ns - since_ns >= MIXED_NS

    def lasted(self, first_ns: int, last_ns: int) -> bool:
        """Whether what moved between two times took and moved as long as a shuffle."""
        return last_ns - first_ns >= MIXED_NS and self.moved_ns >= MOVES_NS

    def deals_ns(self) -> int | None:
        """Return since when cards are dealt."""
        return min((ns for ns in (self.dealt_ns, self.fingers_ns) if ns is not None), default=None)

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
        self._keep(about)
        for one in about.values():
            self._take(t_ns, one)

    def dealt(
        self, t_ns: int, to_be_mixed: Collection[str], dealt_ns: Callable[[str], int | None]
    ) -> None:
        """Let the decks be dealt from that are `to_be_mixed` no more: their shuffles are over.

        `dealt_ns` tells since when the first card lies that was dealt from a deck.
        """
        for zone, about in self._about.items():
            if zone in to_be_mixed or about.since_ns is None:
                continue
            about.dealt_ns = about.dealt_ns or dealt_ns(zone)
            if about.deals_ns() is not None:
                # He dealt from it without a pause.
                self._note(zone, about, about.since_ns, about.less_ns or t_ns)
        self._keep(to_be_mixed)

    def _keep(self, zones: Collection[str]) -> None:
        self._about = {zone: one for zone, one in self._about.items() if zone in zones}
        self._since_ns = {zone: ns for zone, ns in self._since_ns.items() if zone in zones}

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
        since_ns = self._shuffled_ns(event.zone) if isinstance(event, Dealt) else None
        if since_ns is None or event.t_ns < since_ns:
            return event
        return replace(event, t_ns=since_ns, u_ns=event.t_ns - since_ns)

    def _shuffled_ns(self, zone: str) -> int | None:
        """Return since when a deck was shuffled, or is: what may still go on counts as well."""
        about = self._about.get(zone)
        if zone in self._since_ns or about is None or about.since_ns is None:
            return self._since_ns.get(zone)
        first_ns = about.since_ns - LOOK_NS // 2
        return first_ns if about.lasted(first_ns, about.last_ns) else None

    def _take(self, t_ns: int, stir: Stir) -> None:
        about = self._about.setdefault(stir.zone, _About())
        before_ns = about.lately[-1][0] if about.lately else t_ns
        mean = about.mean(t_ns, stir)
        if about.since_ns is None:
            if mean >= STIRS_SHARE:
                about.begin(t_ns, mean)
            return
        if stir.share >= STIRS_SHARE:
            about.last_ns, about.moved_ns = t_ns, about.moved_ns + t_ns - before_ns
        if t_ns - about.lately[0][0] > LOOK_NS * 0.9:
            about.most = max(about.most, mean)
        about.seats.update(stir.seats)
        if about.deals(t_ns, about.since_ns) or not about.goes_on(t_ns, mean):
            since_ns, about.since_ns = about.since_ns, None
            self._note(stir.zone, about, since_ns, about.less_ns or t_ns)

    def _note(self, zone: str, about: _About, since_ns: int, t_ns: int) -> None:
        """Note what moved about a deck till now as a shuffle, if it took as long as one.

        Nobody shuffles any more who deals: that moves as much.
        """
        first_ns, end_ns = since_ns - LOOK_NS // 2, t_ns - LOOK_NS // 2
        deals_ns = about.deals_ns()
        last_ns = end_ns if deals_ns is None else deals_ns - DEALS_NS
        u_ns = U_NS
        if last_ns - first_ns >= MIXED_NS and last_ns < end_ns:
            # A card that lay there sooner was not dealt, but strewn.
            end_ns, u_ns = last_ns, DEALS_U_NS
        if about.lasted(first_ns, end_ns) and zone not in self._since_ns:
            self._since_ns[zone] = first_ns
            seen_ns = max(first_ns, about.watched_ns or 0)
            self._held[zone] = _mixed(seen_ns, end_ns, u_ns, zone, about.seat())


def _mixed(first_ns: int, end_ns: int, u_ns: int, zone: str, seat: str | None) -> PileMixed:
    """Return a shuffle as at its middle: its time tells from when to when it may have lasted."""
    actor = Actor(seat, "?" if seat else None)
    t_ns = (first_ns + end_ns) // 2
    u_ns += (end_ns - first_ns) // 2
    return PileMixed(n=0, t_ns=t_ns, u_ns=u_ns, source="camera", conf=CONF, actor=actor, zone=zone)
