"""Nerds: whether a layout was dealt right."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.games.nerds.game import (
    DECK_CARDS,
    PILE_CARDS,
    STOCK_CARDS,
    WORK_PILES,
    Memory,
    part_of,
    seat_of,
    some_cards,
)
from referee.rulebook import Case, Finding, Pile, Table, Unseen
from referee.values import Dealt, Declared

# Says in words what is wrong with the pile of a zone, or nothing.
Wrong = Callable[[Table, str], str]


def is_start(case: Case[Memory]) -> bool:
    """Return whether the start of a hand is declared."""
    event = case.event
    return isinstance(event, Declared) and event.what == "start" and not case.memory.started


def wrong_nerts(table: Table, zone: str) -> str:
    """Say what is wrong with a Nerds pile. A top card that is up is not: it is turned too early."""
    pile = table.pile(zone)
    if len(pile) != PILE_CARDS:
        return f"{some_cards(len(pile))} in {zone}"
    return f"{zone} does not lie face down" if _shows(pile[:-1]) else ""


def wrong_stock(table: Table, zone: str) -> str:
    """Say what is wrong with a draw pile."""
    pile = table.pile(zone)
    if len(pile) != STOCK_CARDS:
        return f"{some_cards(len(pile))} in {zone}"
    return f"{zone} does not lie face down" if _shows(pile) else ""


def wrong_work(table: Table, zone: str) -> str:
    """Say what is wrong with a dealt work pile. A missing one is another rule's business."""
    pile = table.pile(zone)
    if len(pile) > 1:
        return f"{some_cards(len(pile))} in {zone}"
    return f"{zone} lies face down" if pile and not pile[0].up else ""


def wrong_layout(table: Table, zone: str) -> str:
    """Say whether a work pile is missing."""
    return "" if table.pile(zone) else f"{zone} is missing"


def _shows(pile: Pile) -> bool:
    return any(lying.up for lying in pile)


def is_whole_deck(case: Case[Memory]) -> bool:
    """Return whether a deal brings the whole deck, from which the layout is dealt then."""
    event = case.event
    return isinstance(event, Dealt) and len(event.cards) == DECK_CARDS


def is_no_pile(case: Case[Memory]) -> bool:
    """Return whether a deal brings the whole deck, or one card of a pile dealt card by card."""
    if not isinstance(case.event, Dealt) or is_whole_deck(case):
        return True
    zone, cards = case.event.zone, case.event.cards
    return len(cards) == 1 and part_of(zone) != "work" and zone not in case.memory.dealt


def judged_at_start(case: Case[Memory], part: str, wrong: Wrong) -> Iterator[Finding]:
    """Judge a pile when it is dealt, and what was built up otherwise at the start (K-10).

    At the start only layouts that are known from the Nerds pile to the draw pile are judged, one
    finding for each player.
    """
    if isinstance(case.event, Dealt):
        yield from _dealt(case, part, wrong)
    elif is_start(case):
        built = {seat: _built(case, seat, part) for seat in case.setup.seats}
        found = [
            one for seat, zones in built.items() for one in _wrong_at(case, seat, zones, wrong)
        ]
        yield from found
        for zone in () if found else (zone for zones in built.values() for zone in zones):
            if not is_seen(case, zone):
                raise Unseen(f"{zone} was out of view")


def is_seen(case: Case[Memory], zone: str) -> bool:
    """Return whether a zone is in view, and nothing may have come or gone while it was not."""
    return not case.before.hides(zone) and not case.before.lost_sight_of(zone, whole=True)


def _wrong_at(
    case: Case[Memory], seat: str, zones: tuple[str, ...], wrong: Wrong
) -> Iterator[Finding]:
    """Find the first wrong pile of a player that was always in view."""
    faults = (wrong(case.table, zone) for zone in zones if is_seen(case, zone))
    if text := next(filter(None, faults), ""):
        yield Finding(seat, text)


def _dealt(case: Case[Memory], part: str, wrong: Wrong) -> Iterator[Finding]:
    assert isinstance(case.event, Dealt)
    zone, cards = case.event.zone, case.event.cards
    seat = seat_of(zone)
    if part_of(zone) != part or not seat or case.memory.started or is_no_pile(case):
        return
    other_deck = all(card.deck not in (None, seat) for card in cards) and len(cards) > 1
    if (text := wrong(case.table, zone)) and not other_deck:
        yield Finding(seat, text)


def _built(case: Case[Memory], seat: str, part: str) -> tuple[str, ...]:
    """Return the zones of a part that were not judged when they were dealt."""
    named = [zone for zone in case.table.piles if seat_of(zone) == seat]
    if {"nerts", "stock", "work"} - {part_of(zone) for zone in named}:
        return ()
    numbered = tuple(f"{seat}.work.{number}" for number in range(1, WORK_PILES + 1))
    zones = numbered if part == "work" else (f"{seat}.{part}",)
    return tuple(zone for zone in zones if zone not in case.memory.dealt)
