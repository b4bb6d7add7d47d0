"""Nerves: whose zone is which, and what kind of act a move is."""

from __future__ import annotations

from functools import lru_cache

from referee.games.nerves.game import LAST_CARDS, PILES, Memory
from referee.rulebook import Case, State, Unread, Unseen
from referee.values import Card

# A single column is called arr.1 to arr.5; further ones are allowed as long as five show a face.
COLUMNS = (1, 2, 3, 4, 5)
STAIRCASE = (5, 4, 3, 2, 1)


@lru_cache(maxsize=256)
def seat_of(zone: str) -> str:
    """Return the seat that a zone belongs to (`play.A` to A), or an empty text."""
    first, _, second = zone.partition(".")
    return second if first == "play" else first if len(first) == 1 else ""


@lru_cache(maxsize=256)
def part_of(zone: str) -> str:
    """Return what a zone is to its seat: arr, rest, held, pile, side, play; or its own name."""
    first, _, second = zone.partition(".")
    return second.partition(".")[0] if len(first) == 1 else first


def is_own(case: Case[Memory], zone: str, *parts: str) -> bool:
    """Return whether a zone is one of these parts of the acting player."""
    return case.seat == seat_of(zone) and part_of(zone) in parts


@lru_cache(maxsize=256)
def column_of(zone: str) -> int:
    """Return the number of a column, 0 where the zone has none."""
    number = zone.rpartition(".")[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def columns_of(state: State[Memory], seat: str | None) -> tuple[str, ...]:
    """Return the zones of a player's arrangement that are known, in order."""
    return _columns(tuple(state.table.piles), f"{seat}.arr.")


@lru_cache(maxsize=256)
def _columns(zones: tuple[str, ...], prefix: str) -> tuple[str, ...]:
    return tuple(sorted(zone for zone in zones if zone.startswith(prefix)))


def arranged(state: State[Memory], seat: str | None) -> int:
    """Return how many arranged cards a player has, with those on hand. Unseen if not known."""
    state.height(f"{seat}.arr.1")
    return arranged_at_least(state, seat)


def arranged_at_least(state: State[Memory], seat: str | None) -> int:
    """Return how many arranged cards are known; others may lie below. Unseen if out of view."""
    on_hand = len(state.legal(f"{seat}.held"))
    return on_hand + sum(len(state.legal(zone)) for zone in columns_of(state, seat))


def heights(state: State[Memory], seat: str | None) -> tuple[int, ...]:
    """Return the heights of a player's columns 1 to 5, and of further ones that hold cards."""
    further = [z for z in columns_of(state, seat) if column_of(z) not in COLUMNS]
    more = (len(state.legal(zone)) for zone in further)
    standard = (len(state.legal(f"{seat}.arr.{column}")) for column in COLUMNS)
    return (*standard, *(height for height in more if height))


def is_staircase(columns: tuple[int, ...]) -> bool:
    """Return whether the heights are 5, 4, 3, 2, 1 from the left or from the right."""
    return columns in (STAIRCASE, STAIRCASE[::-1])


def fits_staircase(columns: tuple[int, ...]) -> bool:
    """Return whether a staircase can still be made by adding cards."""
    return len(columns) == len(STAIRCASE) and any(
        all(height <= most for height, most in zip(columns, shape, strict=True))
        for shape in (STAIRCASE, STAIRCASE[::-1])
    )


def backs_on_top(state: State[Memory], seat: str | None) -> tuple[str, ...]:
    """Return the columns of a player whose top card shows its back."""
    zones = (f"{seat}.arr.{column}" for column in COLUMNS)
    return tuple(zone for zone in zones if (top := state.top(zone)) is not None and not top.up)


def has_laid_all(state: State[Memory], seat: str | None) -> bool:
    """Return whether a player has laid all his cards, of which nobody counted how many he took up.

    Each of his columns shows a face before they stand as high as they should.
    """
    if seat is None or f"{seat}.held" not in state.table.piles or state.table.knows(f"{seat}.held"):
        return False
    columns = heights(state, seat)
    short = 0 < sum(columns) < sum(STAIRCASE) and fits_staircase(columns)
    return short and not backs_on_top(state, seat)


def holds_others(state: State[Memory], seat: str) -> bool:
    """Return whether a player who plays holds, or may hold, cards that are none of his last three.

    In a fragment that tells nothing of his columns he holds his last ones.
    """
    try:
        held = {lying.token for lying in state.table.pile(f"{seat}.held")}
        free = any(lying.token in held for lying in state.legal(f"{seat}.held"))
        return free and arranged(state, seat) > LAST_CARDS
    except Unseen:
        return bool(state.blind)


def own_zones(state: State[Memory], seat: str | None) -> tuple[str, ...]:
    """Return where a player's cards lie that he arranges or plays, and his rest pile."""
    return (f"{seat}.held", f"{seat}.rest", *columns_of(state, seat))


def zones_of_arranged(state: State[Memory]) -> tuple[str, ...]:
    """Return where arranged cards of both players lie, or are held."""
    seats = state.setup.seats
    columns = (zone for seat in seats for zone in columns_of(state, seat))
    return (*(f"{seat}.held" for seat in seats), *columns)


def changed_since(state: State[Memory], since_ns: int, *zones: str) -> tuple[str, ...]:
    """Return those of the zones that came back into view since then: they may have changed."""
    return tuple(zone for zone in zones if state.was_hidden(since_ns, zone))


def value_of(card: Card) -> int:
    """Return the value of a card of the deck, ace 1 to king 13. Unread for anything else."""
    if not card.is_suited:
        raise Unread(str(card))
    return card.rank()


def tops_equal(state: State[Memory]) -> bool:
    """Return whether both playing piles legally show the same value; False if not known."""
    try:
        one, other = (state.top_card(pile) for pile in PILES)
        return one is not None and other is not None and value_of(one) == value_of(other)
    except (Unseen, Unread):
        return False


def tops_known(state: State[Memory]) -> None:
    """Do nothing where the top cards of both playing piles are read. Unread where one is not."""
    for pile in PILES:
        top = state.top_card(pile)
        if top is not None:
            value_of(top)


def visible_tops_equal(state: State[Memory]) -> bool:
    """Return whether both piles show the same value as they lie, mistaken cards and all."""
    tops = [state.table.pile(pile)[-1:] for pile in PILES]
    faces = [state.face(top[0]) for top in tops if top]
    suited = len(faces) == 2 and all(face.is_suited for face in faces)
    return suited and faces[0].rank() == faces[1].rank()


def is_live(case: Case[Memory]) -> bool:
    """Return whether the actor has finished his arrangement."""
    return case.seat in case.memory.live


def is_turn(case: Case[Memory]) -> bool:
    """Return whether rest cards are turned: onto a playing pile, or one of them anywhere."""
    move = case.moved
    if part_of(case.origin) != "rest" or move.turned:
        return False
    if move.target in PILES:
        return not is_burn(case)
    return move.count == 1 and part_of(move.target) not in ("held", "rest")


def is_burn(case: Case[Memory]) -> bool:
    """Return whether a penalty card is put under a playing pile."""
    return case.seat in case.memory.burns and case.moved.under and case.moved.target in PILES


def is_play(case: Case[Memory]) -> bool:
    """Return whether a card goes from an arrangement, or from the hand, onto a playing pile."""
    return case.moved.target in PILES and part_of(case.origin) in ("arr", "held")


def is_laying(case: Case[Memory]) -> bool:
    """Return whether a card goes from the hand into the own arrangement before it is finished."""
    ways = is_own(case, case.origin, "held") and is_own(case, case.moved.target, "arr")
    return ways and not is_live(case)


def puts_rest_down(case: Case[Memory]) -> bool:
    """Return whether the actor lays the cards left in his hand down as the rest pile."""
    ways = is_own(case, case.moved.origin, "held") and is_own(case, case.moved.target, "rest")
    return ways and not is_live(case)


def is_rearranging(case: Case[Memory]) -> bool:
    """Return whether cards are moved or turned within an arrangement."""
    return part_of(case.origin) == "arr" and part_of(case.moved.target) == "arr"
