"""Faults of Nerds and Nertz that one player can commit, each with the rule that it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee.play.script import Owed, Script, Wrong, any_rule, descends, opposite
from referee.values import Card

if TYPE_CHECKING:
    from referee.play.aces import Aces


@dataclass(frozen=True, slots=True)
class Ids:
    """The rules of one game for the same faults; `whole`: no pile goes to an empty place."""

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
    buried_built: str
    buried_laid: str
    stock_built: str
    stock_laid: str
    block: str
    under: str
    whole: bool


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
        buried_built="ACE-03",
        buried_laid="WORK-01",
        stock_built="ACE-03",
        stock_laid="WORK-01",
        block="HAND-02",
        under="WORK-06",
        whole=True,
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
        buried_built="STOCK-06",
        buried_laid="STOCK-06",
        stock_built="FOUND-05",
        stock_laid="WORK-05",
        block="HAND-03",
        under="WORK-07",
        whole=False,
    ),
}


def commit(game: Aces, seat: str) -> None:
    """Commit one fault in the match, if the cards give the opportunity for one."""
    script = game.script
    if game.style.blocks and script.rng.random() < 0.1 and _carry_two(game, seat):
        game.faulty = False
        return
    if found := list(wrongs(script, seat, game.style.prefix)):
        game.faulty = False
        wrong = any_rule(found, script.rng)
        if wrong.way and script.rng.random() < 0.4:
            _leave(game, seat, wrong, *wrong.way)
        elif wrong.zones and script.rng.random() < 0.5:
            game.cure = script.err_and_owe(seat, wrong)
            game.frozen = frozenset(wrong.zones)
            game.cure = game.cure if script.rng.random() < 0.5 else []
        else:
            script.err(seat, wrong)


def _carry_two(game: Aces, seat: str) -> bool:
    """Lift a second card while the other hand carries one, and put it back; if there are two."""
    script = game.script
    zones = [f"{seat}.nerts", f"{seat}.waste", *game.works(seat)]
    for origin, place in list(game.buildable(seat)):
        others = [zone for zone in zones if zone != origin and script.top(zone)]
        if not others or origin in game.joker_zones():
            continue
        other = script.rng.choice(others)
        script.wait(1_600, 2_500)
        script.lift(f"{seat}.R", origin)
        script.lift(f"{seat}.L", other)
        script.expect("VIOLATION", "NERTZ-HAND-01", seat)
        script.wait(100, 500)
        script.place(f"{seat}.R", origin, place)
        script.wait(100, 500)
        script.place(f"{seat}.L", other, other)
        script.wait(1_600, 2_500)
        return True
    return False


def _leave(game: Aces, seat: str, wrong: Wrong, origin: str, target: str) -> None:
    """Commit a fault and go on without the card."""
    lying, index = game.script.pile(origin)[-1], len(game.script.pile(target))
    game.left = Owed(seat, lying.card, origin, target, index, lying.up)
    game.frozen = frozenset({target})
    game.script.err_and_leave(seat, wrong)


def take_back(game: Aces, left: Owed) -> None:
    """Take a card back onto the Nerds pile; on a discard pile others lie in its place."""
    if left.origin.endswith(".nerts"):
        game.script.wait(1_600, 2_500)
        game.script.place(f"{left.seat}.R", left.target, left.origin)
        game.script.wait(1_600, 2_500)
        game.frozen, game.left = frozenset(), None


def wrongs(script: Script, seat: str, prefix: str) -> Iterator[Wrong]:
    """Yield the faults that the cards allow the player now."""
    ids = IDS[prefix]
    for rule, wrong in _wrongs(script, seat, ids):
        yield replace(wrong, rule=f"{prefix}-{rule}")


def _wrongs(script: Script, seat: str, ids: Ids) -> Iterator[tuple[str, Wrong]]:
    for origin in (f"{seat}.nerts", f"{seat}.waste"):
        card = script.top(origin)
        if card is not None and card.is_joker:
            opened = [f"F.{k}" for k in range(1, 4) if script.pile(f"F.{k}")]
            yield from (("JOK-02", _there_and_back(script, seat, origin, f)) for f in opened)
        elif card is not None:
            yield from _on_work(script, seat, origin, card, ids)
            yield from _on_foundations(script, seat, origin, card, ids)
    yield from _covered(script, seat, ids)
    yield from _own_piles(script, seat, ids)
    yield from _stock(script, seat, ids)
    for place in (f"F.{k}" for k in range(1, 4)):
        if script.pile(place):
            yield ids.taken, _there_and_back(script, seat, place, f"{seat}.work.1")
    if script.pile(f"{seat}.nerts"):
        yield ids.call, Wrong("", lambda: script.declare(seat, "call"))


def _covered(script: Script, seat: str, ids: Ids) -> Iterator[tuple[str, Wrong]]:
    """Yield a card pulled from under the top of the discard pile, or taken off the draw pile."""
    waste, stock, place = f"{seat}.waste", f"{seat}.stock", "F.1"
    work = next((w for w in _works(seat) if script.pile(w)), None)
    for target, rule in ((place, ids.buried_built), (work, ids.buried_laid)):
        if target is not None and len(script.pile(waste)) > 1:
            yield rule, _from_below(script, seat, waste, target)
    for target, rule in ((place, ids.stock_built), (work, ids.stock_laid)):
        if target is not None and script.pile(stock):
            yield rule, _there_and_back(script, seat, stock, target, up=False)


def _own_piles(script: Script, seat: str, ids: Ids) -> Iterator[tuple[str, Wrong]]:
    """Yield a card laid on a pile where nothing is laid, several carried at once, and blocks."""
    hand, works = f"{seat}.R", [work for work in _works(seat) if script.pile(work)]
    for work in works:
        yield ids.foreign, _there_and_back(script, seat, work, f"{seat}.nerts")
        if len(script.pile(work)) > 1:
            yield ids.block, _carried_and_back(script, hand, work, "F.1", 2)
    if ids.whole and len(works) < 4:
        empty = next(work for work in _works(seat) if not script.pile(work))
        work = script.rng.choice(works)
        count = len(script.pile(work))
        yield "WORK-05", _carried_and_back(script, hand, work, empty, count)
    card = script.top(f"{seat}.nerts")
    if card is not None and works and len(works) == 4 and not card.is_joker:
        hand_card = f"{seat}.nerts"
        yield (
            ids.under,
            Wrong(
                "",
                lambda: script.place(hand, hand_card, works[0], under=True),
                lambda: script.place_card(hand, 0, works[0], hand_card),
            ),
        )


def _works(seat: str) -> list[str]:
    return [f"{seat}.work.{column}" for column in range(1, 5)]


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
            elif top is not None and top.is_joker:
                continue
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
        if top.is_joker:
            continue
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


def _there_and_back(
    script: Script, seat: str, origin: str, target: str, *, up: bool = True
) -> Wrong:
    hand = f"{seat}.R"
    # Others may go on building where a card is owed: it lies there for nobody.
    zones = (origin,) if target[2:].isdigit() and up else (origin, target)
    own = origin in (f"{seat}.nerts", f"{seat}.waste")
    return Wrong(
        "",
        lambda: script.place(hand, origin, target),
        lambda: script.place(hand, target, origin, up=up),
        zones if up else (),
        (origin, target) if own and up else None,
    )


def _from_below(script: Script, seat: str, origin: str, target: str) -> Wrong:
    """Take the second card of a pile, and slide it back under the top one."""
    hand, second = f"{seat}.R", len(script.pile(origin)) - 2

    def undo() -> None:
        script.place(hand, target, origin)
        pile = script.pile(origin)
        pile.insert(second, pile.pop())

    return Wrong("", lambda: script.place_card(hand, second, origin, target), undo)


def _carried_and_back(script: Script, hand: str, origin: str, target: str, count: int) -> Wrong:
    return Wrong(
        "",
        lambda: script.move(hand, origin, target, count),
        lambda: script.move(hand, target, origin, count),
    )


def _turned_and_back(script: Script, hand: str, origin: str, target: str, count: int) -> Wrong:
    return Wrong(
        "",
        lambda: script.move(hand, origin, target, count, flip=True),
        lambda: script.move(hand, target, origin, count, flip=True),
    )
