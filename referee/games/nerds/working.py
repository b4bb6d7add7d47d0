"""Nerds: work piles and the layout."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerds.counting import judged_at_start, wrong_layout, wrong_work
from referee.games.nerds.game import (
    GAME,
    MOVES,
    WORK_PILES,
    Memory,
    is_covered,
    is_on,
    left_behind,
    mover,
    part_of,
    plain,
    seat_of,
    some_cards,
    tops,
)
from referee.rulebook import Case, Finding, Unseen
from referee.values import Card, Dealt, Declared


def to_work(case: Case[Memory]) -> bool:
    """Return whether cards come to a work pile while a hand is played."""
    return is_on(case) and part_of(case.moved.target) == "work" and not case.moved.turned


def is_under_play(case: Case[Memory]) -> bool:
    """Return whether cards are put under a work pile that has cards."""
    target = case.moved.target
    return to_work(case) and case.moved.under and tops(case, target) != (None,)


def onto(case: Case[Memory]) -> tuple[Card, ...]:
    """Return the cards that the moved ones may meet on a work pile, none for an empty place."""
    met = tops(case, case.moved.target)
    return () if None in met else tuple(card for card in met if card is not None)


def is_building(case: Case[Memory]) -> bool:
    """Return whether cards are laid on top of a work pile."""
    return to_work(case) and not is_under_play(case)


def one_lower(card: Card, below: Card) -> bool:
    """Return whether a card is one lower in rank. Unread if one is not read."""
    return plain(below).rank() - plain(card).rank() == 1


def other_colour(card: Card, below: Card) -> bool:
    """Return whether two cards differ in colour. Unread if one is not read."""
    return plain(below).is_red() != plain(card).is_red()


def fits(card: Card, below: Card) -> bool:
    """Return whether a card may lie on another one in a work pile. Unread if one is not read."""
    return one_lower(card, below) and other_colour(card, below)


def number_of(zone: str) -> int:
    """Return the number of a work pile, 0 if it has none."""
    last = zone.rpartition(".")[2]
    return int(last) if last.isdigit() else 0


def work_places(seat: str) -> tuple[str, ...]:
    """Return the work piles of a seat."""
    return tuple(f"{seat}.work.{number}" for number in range(1, WORK_PILES + 1))


def has_empty_place(case: Case[Memory], seat: str) -> bool:
    """Return whether a work pile of a seat is empty. Unseen if none is seen, and one not known."""
    unknown = ""
    for zone in work_places(seat):
        if case.before.table.knows(zone):
            if not case.before.legal(zone) or not case.before.without_owed(zone):
                return True
        elif not case.before.table.pile(zone):
            unknown = zone
    if unknown:
        raise Unseen(f"it is not known whether {unknown} is empty")
    return False


@GAME.rule(
    "WORK-01",
    source="Work piles",
    observer="C",
    severity="fault",
    remedy="put the card back",
    watches=MOVES,
    moves=("stock>work", "waste>work", "nerts>work"),
    ok="CardPlaced A.R A:9S A.waste>A.work.2 (top of waste)",
    no="A:7H second in A.waste -> A.work.1",
)
def top_of_discard(case: Case[Memory]) -> Iterator[Finding]:
    """Onto work piles one may play the top card of the discard pile (and, by NERDS-03, the top of
    the Nerds pile); covered cards may not be used.
    """
    source = part_of(case.origin)
    if not to_work(case) or source not in ("stock", "waste", "nerts"):
        return
    if source == "stock":
        yield Finding(mover(case), f"{case.card} comes from the draw pile")
    elif is_covered(case):
        yield Finding(mover(case), f"{case.card} was covered")


@GAME.rule(
    "WORK-02",
    source="Work piles",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>work",),
    ok="black 7 on red 8; jack on queen",
    no="6 on 8; K on A",
)
def one_lower_in_rank(case: Case[Memory]) -> Iterator[Finding]:
    """The card is one lower in rank than the card it is played on (aces low)."""
    met = onto(case) if is_building(case) else ()
    if met and not any(one_lower(case.card, below) for below in met):
        yield Finding(mover(case), f"{case.card} on {met[0]}")


@GAME.rule(
    "WORK-03",
    source="Work piles",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>work",),
    ok="7C on 8H",
    no="7C on 8S",
)
def opposite_colour(case: Case[Memory]) -> Iterator[Finding]:
    """The card is of the opposite colour to the card it is played on."""
    met = onto(case) if is_building(case) else ()
    if met and not any(fits(case.card, below) for below in met):
        yield Finding(mover(case), f"{case.card} on {met[0]}")


@GAME.rule(
    "WORK-04",
    source="Work piles",
    observer="C",
    severity="fault",
    remedy="put the cards back",
    watches=MOVES,
    moves=("work>work",),
    ok="PileMoved A.R A.work.2>A.work.1 n=5 (all five, 8H on 9S)",
    no="CardPlaced A.R A:TD A.work.1>A.work.2 from a two-card pile",
    options=("part_moves",),
)
def whole_piles_only(case: Case[Memory]) -> Iterator[Finding]:
    """A whole work pile may be moved onto another in one step if its bottom card fits the other's
    top card; moving only a part is not provided (option nerds.part_moves).
    """
    if not to_work(case) or part_of(case.origin) != "work":
        return
    if is_covered(case):
        yield Finding(mover(case), f"{case.card} was covered")
    elif not case.setup.is_on("part_moves") and left_behind(case):
        yield Finding(mover(case), f"{some_cards(left_behind(case))} left in {case.origin}")


@GAME.rule(
    "WORK-05",
    source="Work piles",
    observer="C",
    severity="fault",
    remedy="put the pile back",
    watches=MOVES,
    moves=("work>work",),
    ok="CardPlaced A.R A:KS A.nerts>A.work.2 (empty)",
    no="PileMoved A.R A.work.1>A.work.2 n=2 (empty)",
    options=("fill_from_work",),
)
def no_pile_to_an_empty_place(case: Case[Memory]) -> Iterator[Finding]:
    """An emptied work pile may be restarted with the face-up Nerds card or the top of the discard
    pile (any rank), not with another work pile.
    """
    if not to_work(case) or part_of(case.origin) != "work":
        return
    if None in tops(case, case.moved.target) and not case.setup.is_on("fill_from_work"):
        yield Finding(mover(case), f"{case.origin} is moved to an empty place")


@GAME.rule(
    "WORK-06",
    source="Work piles",
    observer="C",
    severity="fault",
    remedy="take the card back",
    watches=MOVES,
    moves=("*>work",),
    ok="empty work.4, A:7C under base A:6H",
    no="A:KH under base A:JS; no empty place",
)
def under_play(case: Case[Memory]) -> Iterator[Finding]:
    """Under-play: with an emptied work pile available, the Nerds or discard card may be put under
    a work pile whose base card it could receive (one higher, opposite colour); the empty place
    stays empty.
    """
    if not is_under_play(case):
        return
    case.before.height(case.moved.target)
    base = case.before.face(case.before.legal(case.moved.target)[0])
    if part_of(case.origin) == "work":
        yield Finding(mover(case), "a work pile is put under another")
    elif not fits(base, case.card):
        yield Finding(mover(case), f"{case.card} under {base}")
    elif not has_empty_place(case, seat_of(case.moved.target)):
        places = work_places(seat_of(case.moved.target))
        surely = not any(map(case.before.may_be_bare, places))
        yield Finding(mover(case), "no place is empty", surely=surely)


@GAME.rule(
    "LAY-01",
    source="Layout",
    observer="C",
    severity="misdeal",
    remedy="take the fifth pile back",
    watches=(*MOVES, Dealt, Declared),
    moves=("*>work",),
    ok="work.1..4",
    no="a card laid as fifth pile",
)
def four_work_piles(case: Case[Memory]) -> Iterator[Finding]:
    """Each player has exactly four work piles; never more."""
    if isinstance(case.event, Declared):
        yield from judged_at_start(case, "work", wrong_layout)
        return
    target = case.moved.target if case.move else ""
    new = part_of(target) == "work" and number_of(target) > WORK_PILES
    mine = case.seat in (None, seat_of(target))
    if new and mine and not case.moved.turned and case.memory.over is None:
        yield Finding(seat_of(target), f"{target} is a fifth work pile", owes=True)


@GAME.rule(
    "LAY-02",
    source="Layout",
    observer="C",
    severity="misdeal",
    remedy="correct before the start",
    watches=(
        Dealt,
        Declared,
    ),
    ok="Dealt A.work.1 A:TH",
    no="two cards; a face-down card",
    beside=True,
)
def one_open_card_each(case: Case[Memory]) -> Iterator[Finding]:
    """Each is dealt one face-up card."""
    if isinstance(case.event, Dealt) and number_of(case.event.zone) > WORK_PILES:
        return
    yield from judged_at_start(case, "work", wrong_work)
