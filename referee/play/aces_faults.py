"""Faults of Nerds and Nertz that one player can commit, each with the rule that it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.play.script import Script, Wrong, descends, opposite
from referee.values import Card


@dataclass(frozen=True, slots=True)
class Ids:
    """The rules of one game for the same faults."""

    rank: str
    colour: str
    opening: str
    suit: str
    step: str
    foreign: str
    taken: str
    count: str
    early: str
    call: str


IDS = {
    "NERDS": Ids(
        rank="WORK-02",
        colour="WORK-03",
        opening="ACE-02",
        suit="ACE-04",
        step="ACE-03",
        foreign="OWN-01",
        taken="ACE-08",
        count="DRAW-02",
        early="DRAW-05",
        call="CALL-03",
    ),
    "NERTZ": Ids(
        rank="WORK-01",
        colour="WORK-02",
        opening="FOUND-01",
        suit="FOUND-02",
        step="FOUND-02",
        foreign="HAND-04",
        taken="HAND-04",
        count="STOCK-01",
        early="STOCK-03",
        call="CALL-01",
    ),
}


def wrongs(script: Script, seat: str, prefix: str) -> Iterator[Wrong]:
    """Yield the faults that the cards allow the player now."""
    ids = IDS[prefix]
    for rule, wrong in _wrongs(script, seat, ids):
        yield replace(wrong, rule=f"{prefix}-{rule}")


def _wrongs(script: Script, seat: str, ids: Ids) -> Iterator[tuple[str, Wrong]]:
    for origin in (f"{seat}.nerts", f"{seat}.waste"):
        card = script.top(origin)
        if card is not None:
            yield from _on_work(script, seat, origin, card, ids)
            yield from _on_foundations(script, seat, origin, card, ids)
    yield from _stock(script, seat, ids)
    for place in (f"F.{k}" for k in range(1, 4)):
        if script.pile(place):
            yield ids.taken, _there_and_back(script, seat, place, f"{seat}.work.1")
    if script.pile(f"{seat}.nerts"):
        yield ids.call, Wrong("", lambda: script.declare(seat, "call"))


def _on_work(
    script: Script, seat: str, origin: str, card: Card, ids: Ids
) -> Iterator[tuple[str, Wrong]]:
    for owner in script.seats:
        for column in range(1, 5):
            zone = f"{owner}.work.{column}"
            wrong = _there_and_back(script, seat, origin, zone)
            top = script.top(zone)
            if owner != seat:
                yield ids.foreign, wrong
            elif top is not None and card.rank() + 1 != top.rank():
                yield ids.rank, wrong
            elif top is not None and not descends(card, top):
                assert not opposite(card, top)
                yield ids.colour, wrong


def _on_foundations(
    script: Script, seat: str, origin: str, card: Card, ids: Ids
) -> Iterator[tuple[str, Wrong]]:
    places = [f"F.{k}" for k in range(1, 4 * len(script.seats) + 1)]
    for place in places:
        top = script.top(place)
        wrong = _there_and_back(script, seat, origin, place)
        if top is None:
            if card.rank() != 1:
                yield ids.opening, wrong
            return
        if top.face[1] != card.face[1]:
            yield ids.suit, wrong
        elif top.rank() + 1 != card.rank():
            yield ids.step, wrong


def _stock(script: Script, seat: str, ids: Ids) -> Iterator[tuple[str, Wrong]]:
    stock, waste, hand = f"{seat}.stock", f"{seat}.waste", f"{seat}.L"
    left, turned = len(script.pile(stock)), len(script.pile(waste))
    for count in (1, 2, 4):
        if left >= max(3, count):
            yield ids.count, _turned_and_back(script, hand, stock, waste, count)
    if left and turned:
        yield ids.early, _turned_and_back(script, hand, waste, stock, turned)


def _there_and_back(script: Script, seat: str, origin: str, target: str) -> Wrong:
    hand = f"{seat}.R"
    return Wrong(
        "",
        lambda: script.place(hand, origin, target),
        lambda: script.place(hand, target, origin),
        (origin, target),
    )


def _turned_and_back(script: Script, hand: str, origin: str, target: str, count: int) -> Wrong:
    return Wrong(
        "",
        lambda: script.move(hand, origin, target, count, flip=True),
        lambda: script.move(hand, target, origin, count, flip=True),
    )
