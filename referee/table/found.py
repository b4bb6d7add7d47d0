"""Where a card was found to have come from, and how surely."""

from __future__ import annotations

from dataclasses import dataclass

from referee.table.evidence import Reach
from referee.table.gone import Gone
from referee.values import Actor
from referee.values.events import NOBODY

# As sure as a move can be of which source, card and target were seen; and less plain ones.
PLAIN, LIKELY, GUESSED = 0.98, 0.9, 0.5
# So sure it is where only that is in doubt whether a card lies under others, or whether more came
# with it: what shows before and after may make it plain.
SHOWN = 0.94
# So sure it is where all other places were compared that it may have come from, and only that is in
# doubt what it lies upon: its player may break a rule whatever that is.
UPON = 0.91
# So sure it is where only that is in doubt from which of his own piles of backs a player took a
# card: he may break a rule whichever it was.
WHENCE = 0.92
# So sure it is where it is in doubt whether a card was turned up first: no other pile tells that.
MAY_BE_TURNED = 0.85
# So sure it is where all other places were compared that the card may have come from.
NOWHERE_ELSE = 0.99
# A hand that brings a card took it so long ago at most; carries take 0.3 to 0.9 s, and who thinks
# over a card in his hand may take longer.
CARRY_NS = 2_500_000_000
# A card that was gone for longer may have lain elsewhere meanwhile, face down or unread.
HELD_NS = 1_500_000_000
# A hand that lays one card on a pile hides it for less than that before: 9 in 10 of 179 cards in
# films of three makers. Where another one was laid between, it was longer for 17 of 19.
ONE_CARD_NS = 450_000_000
# One touch is told once in that time.
TAP_NS = 120_000_000


@dataclass(frozen=True, slots=True)
class Found:
    """Where a card came from.

    `gone` is the block in the air that it is part of, `index` its place there or in the pile of
    `origin`, -1 for a card that nobody knew. `pos` counts from the top. `whole`: the whole block
    came to lie there. `hidden`: the `block` top cards of a pile of backs. `gather`: more cards
    may belong to the same move. `guessed`: nothing speaks for it.

    `reach` tells how surely a hand was at the origin, `who` whose, `apart_mm` how far from the
    pile's middle; `swift`: it was the very hand that laid the card, just before. `place`: where
    it lay from the top of a pile of backs that was seen before, 1 for the top, 0 if not known.
    """

    origin: str
    index: int = -1
    pos: int = 0
    conf: float = PLAIN
    gone: Gone | None = None
    whole: bool = False
    hidden: bool = False
    gather: bool = False
    block: int = 1
    flip: bool = False
    lifted_ns: int | None = None
    guessed: bool = False
    reach: Reach = Reach.TOUCHED
    who: Actor = NOBODY
    swift: bool = False
    place: int = 0
    apart_mm: float = 0.0


def upon_unseen(conf: float) -> float:
    """Return how sure a move is where it is not seen what its card came to lie upon.

    `conf`: how sure it was, by where the card came from.
    """
    return UPON if conf == UPON or conf >= NOWHERE_ELSE else min(conf, LIKELY)
