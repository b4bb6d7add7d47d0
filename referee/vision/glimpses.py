"""Cards seen cut off, moving or under a hand: not yet believed, but looked for again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.values import PointMm
from referee.vision.followed import SURE_SCORE, CardLook, Ground, Track, is_sure
from referee.vision.gathering import SeenCard, apart_mm

# What is read surely so often and for so long at just one place, while the hand over it moves, is
# not in that hand: reads of a lying card from both indices differ by 4 mm, and a hand carries a
# card farther than that in two frames.
STEADY_LOOKS, STEADY_NS, STIRRED_NS, STEADY_MM = 3, 130_000_000, 60_000_000, 6.0
# In so many of them both its indices were read at least.
STEADY_SURE = 2
# Nor does a hand that rests hold a card in the air as still for so long: fingers tremble by more.
# It was read so often then, or so often from one index only.
HELD_NS, HELD_LOOKS, HELD_READS = 350_000_000, 2, 4

# More glimpses than that are a hand full of cards.
MOST_GLIMPSES = 24


@dataclass(frozen=True, slots=True)
class Steady:
    """How many looks read a name surely at one place, the first of them when and where."""

    looks: int = 0
    since_ns: int = 0
    at_mm: PointMm = (0.0, 0.0)

    def shows(self, card: SeenCard) -> bool:
        """Whether a card lies where the looks before showed one."""
        return self.looks > 0 and apart_mm(self.at_mm, card.at_mm) < STEADY_MM


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A card that was seen cut off, moving or under a hand, first and last at these times.

    `sure` are the looks at it since both its indices were read, `read` since any was. It was looked
    for last at `asked_ns`, whether it was seen then or not.
    """

    card: SeenCard
    first_ns: int
    last_ns: int
    sure: Steady = Steady()
    read: Steady = Steady()
    asked_ns: int = 0


def glimpsed(near: list[Glimpse], card: SeenCard, t_ns: int) -> Glimpse:
    """Return a card as it is glimpsed now, after these glimpses at its place."""
    named = [g for g in near if g.card.label == card.label]
    readable = card.named and card.score >= SURE_SCORE
    return Glimpse(
        card,
        min((g.first_ns for g in near), default=t_ns),
        t_ns,
        _goes_on([g.sure for g in named], card, t_ns, begins=is_sure(card)),
        _goes_on([g.read for g in named], card, t_ns, begins=readable),
        max((g.asked_ns for g in near), default=0),
    )


def _goes_on(before: list[Steady], card: SeenCard, t_ns: int, *, begins: bool) -> Steady:
    """Return the looks at a card with this one; what was read surely once one index shows again."""
    shown = max((one for one in before if one.shows(card)), key=lambda s: s.looks, default=None)
    if shown is None:
        return Steady(int(begins), t_ns, card.at_mm)
    return replace(shown, looks=shown.looks + (card.score >= SURE_SCORE))


def may_lie_upon(look: CardLook, card: SeenCard, tracks: Sequence[Track]) -> bool:
    """Whether a card of which one index is read clearly may have been laid on others, squarely.

    Something moved there since those were read; else it is one of them, misread.
    """
    moved_ns = look.ground.moved_ns(card.at_mm, card.angle_deg)
    clearly = card.named and card.score >= SURE_SCORE
    return clearly and all(t.label != card.label and moved_ns > t.named_ns for t in tracks)


def is_same(glimpse: Glimpse, card: SeenCard) -> bool:
    """Whether a card is the one that was glimpsed, surely and at the same place."""
    return glimpse.card.label == card.label and glimpse.sure.shows(card)


def is_lasting(glimpse: Glimpse) -> bool:
    """Whether a card was read surely at just one place for so long that no hand carried it."""
    return _lasts(glimpse, glimpse.sure)


def lasted(glimpse: Glimpse) -> Steady | None:
    """Return the looks that read a card at one place for so long, None where they did not.

    Where another card lies by now, those that read one of its indices count as well: a hand that
    still lies on the other one has not brought a card that it would have to take away again.
    """
    if is_lasting(glimpse):
        return glimpse.sure
    more = glimpse.sure.looks >= STEADY_SURE and _lasts(glimpse, glimpse.read)
    return glimpse.read if more else None


def _lasts(glimpse: Glimpse, seen: Steady) -> bool:
    return seen.looks >= STEADY_LOOKS and glimpse.last_ns - seen.since_ns >= STEADY_NS


def is_held_down(glimpse: Glimpse) -> bool:
    """Whether a card lay under a hand that rested on it."""
    often = (glimpse.sure, HELD_LOOKS), (glimpse.read, HELD_READS)
    return any(
        seen.looks >= least and glimpse.last_ns - seen.since_ns >= HELD_NS for seen, least in often
    )


def is_steady(glimpse: Glimpse, ground: Ground) -> bool:
    """Whether a card lies still while the hand over it moves."""
    moved_ns = ground.moved_ns(glimpse.card.at_mm, glimpse.card.angle_deg)
    return is_lasting(glimpse) and moved_ns - glimpse.sure.since_ns >= STIRRED_NS


def steadiest(look: CardLook, glimpses: list[Glimpse]) -> list[Glimpse]:
    """Return no more glimpses than are kept: those where nothing moved for longest.

    What a hand full of cards shows moves all the time; what it laid lies still, however many it
    shows meanwhile. What has no name may be a pattern of the table, which never moves.
    """
    if len(glimpses) <= MOST_GLIMPSES:
        return glimpses
    places = ((g.card.at_mm, g.card.angle_deg) for g in glimpses)
    moved_ns = [look.ground.moved_ns(*place) for place in places]
    nameless = [not g.card.named for g in glimpses]
    order = sorted(range(len(glimpses)), key=lambda k: (nameless[k], moved_ns[k], -k))
    return [glimpses[k] for k in sorted(order[:MOST_GLIMPSES])]
