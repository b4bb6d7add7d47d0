"""After which looks a followed card is believed, and how long it is looked at again."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

from referee.values.spots import BACK, NOT_READ
from referee.vision.followed import Track
from referee.vision.gathering import apart_mm
from referee.vision.stillness import REST_NS

# A card that may be another one read differently must be shown by more looks.
EXACT_LOOKS, UNSURE_EXACT_LOOKS = 4, 6
LOOKS_NAMED, LOOKS_BACK, LOOKS_NAMELESS = 2, 2, 5
NAMELESS_NS = 400_000_000
# After so many looks a card is known as well as it can be.
MOST_LOOKS = 6
# A card that was looked at for so long and is still in doubt may be print, or a pattern.
DOUBTED_NS = 800_000_000
# A card laid so squarely on another one leaves at most one of its two indices to be seen.
UPON_MM = 10.0


def settle(track: Track, t_ns: int) -> None:
    """Believe a card that was looked at often enough."""
    if track.settled:
        return
    label = track.label
    if track.exact:
        track.settled = track.looks >= (EXACT_LOOKS if track.sure else UNSURE_EXACT_LOOKS)
    elif label == NOT_READ:
        long = t_ns - track.first_ns >= NAMELESS_NS
        often = track.looks >= LOOKS_NAMELESS
        shown = track.outlined or _is_one_of_two(track)
        track.settled = shown and long and often and not _is_faintly_back(track)
    elif label == BACK:
        track.settled = track.looks >= LOOKS_BACK
    else:
        track.settled = track.looks >= LOOKS_NAMED


def _is_faintly_back(track: Track) -> bool:
    """Whether most looks took it for a back, too weakly to be told, and none for anything else."""
    names = [label for label, _ in track.votes.tally]
    return not track.is_back and names == [BACK] and 2 * track.votes.looks > track.looks


def _is_one_of_two(track: Track) -> bool:
    """Whether looks named a card now so and now otherwise: no more of it will tell, but it lies."""
    names = [label for label, _ in track.votes.tally if label != BACK]
    return track.label == NOT_READ and len(names) > 1 and track.votes.looks >= LOOKS_NAMELESS


def lost_its_name(track: Track) -> bool:
    """Whether a card was not seen where it lay, and something without a name since.

    That may be part of another one beside it, or of a hand.
    """
    return track.settled and track.named and track.named_ns < track.missed_ns < track.seen_ns


def needs_a_look(track: Track, t_ns: int) -> bool:
    """Whether it is not known yet what a card is, or whether it is there."""
    if not track.settled:
        new = t_ns - track.first_ns < DOUBTED_NS
        return track.looks <= 2 * MOST_LOOKS or (new and _is_one_of_two(track))
    if track.misses or _ends_unseen(track, t_ns):
        return True
    return track.label == NOT_READ and track.looks < LOOKS_NAMELESS + MOST_LOOKS


def _ends_unseen(track: Track, t_ns: int) -> bool:
    """Whether a look may show how far the column of a new back reaches, which none has yet."""
    new = track.settled and t_ns - track.first_ns < DOUBTED_NS
    return new and track.seems_back and any(isnan(mm) for mm in track.reach_mm)


def is_puzzling(track: Track) -> bool:
    """Whether the last look at a place told no card by which it was known."""
    return lost_its_name(track) or track.may_be_long


def needs_more_around(track: Track, t_ns: int, moved_ns: int) -> bool:
    """Whether a look at a card's place alone tells nothing: the last one did not."""
    if track.may_be_long or _ends_unseen(track, t_ns):
        return True
    told_nothing = track.settled and track.looked_ns < track.asked_ns
    return told_nothing and moved_ns <= track.asked_ns - REST_NS


def was_withdrawn(track: Track, tracks: Iterable[Track], t_ns: int) -> bool:
    """Whether a card that a look did not show is gone: one that lay squarely below it shows again.

    The hand that brought it may have held it there and thought better of it.
    """
    older = (one for one in tracks if one.id < track.id and one.settled)
    below = (one for one in older if apart_mm(one.at_mm, track.at_mm) < UPON_MM)
    return track.seen_ns < t_ns and any(one.named_ns == t_ns for one in below)
