"""Nerves: how a match, a fragment of one, and the next game begin."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerves.dealing import PALMS
from referee.games.nerves.game import PILES, Lost, Memory
from referee.games.nerves.places import part_of, seat_of
from referee.games.nerves.ripening import settled_before
from referee.rulebook import Case, Debt, Lying, Move, Setup, State, replace
from referee.values import CardPlaced, Dealt, Event, Layout, PileMoved, PileTaken

MOVES = (CardPlaced, PileMoved, PileTaken)


def open_memory(blank: State[None]) -> State[Memory]:
    """Return the state at the start of a match: by its phase and flags (K-13)."""
    setup, phase = blank.setup, blank.setup.phase
    live = frozenset(setup.seats) if phase == "PLAY" else _seats(setup, "live")
    lost = _lost(blank)
    if phase == "TAKE" and lost:
        live = frozenset(setup.seats)
    chooser = min(_seats(setup, "chooserseat"), default=None)
    memory = Memory(
        cut_by=setup.others(chooser)[0] if chooser else None,
        palms=PALMS if phase == "READY" else frozenset(),
        started=phase not in ("CUT", "READY"),
        live=live,
        picking=frozenset(setup.seats) - live if phase == "TAKE" else frozenset(),
        lost=lost,
    )
    # Whoever is still arranging has listed all that lies there, also nothing.
    laying = frozenset(f"{seat}.arr" for seat in setup.seats if seat not in live)
    table = replace(blank.table, groups=blank.table.groups | laying)
    # Who plays has laid everything down, unless he lists the last cards on his hand.
    for hand in (f"{seat}.held" for seat in live):
        table = table if hand in table.piles else table.with_whole(hand)
    state: State[Memory] = replace(blank, table=table, memory=memory)  # type: ignore[arg-type, assignment]
    return _with_owed(state)


def _seats(setup: Setup, flag: str) -> frozenset[str]:
    """Return the seats that a flag names. Raises ValueError."""
    text = setup.flag(flag) or ""
    seats = frozenset(text.replace(",", "").replace("/", ""))
    if not seats <= set(setup.seats):
        raise ValueError(f"flag {flag}={text[:40]}: name players, {' or '.join(setup.seats)}")
    return seats


def _lost(blank: State[None]) -> Lost | None:
    """Return who has to take, or took, both piles after a slap: the flag `picker`."""
    picker = min(_seats(blank.setup, "picker"), default=None)
    if picker is None:
        return None
    piles = tuple(pile for pile in PILES if blank.table.pile(pile))
    return Lost(picker, piles, formed=not blank.table.pile(f"{picker}.rest"))


def _with_owed(state: State[Memory]) -> State[Memory]:
    """Set the debts of the flags `owes=player/card/pile`. Raises ValueError."""
    for text in [flag.value for flag in state.setup.flags if flag.name == "owes"]:
        seat, *words = text.split("/")
        if len(words) != 2 or seat not in state.setup.seats:
            raise ValueError(f"flag owes={text[:40]}: write player/card/pile")
        card, zone = words
        lying = next((x for x in state.table.pile(zone) if str(state.face(x)) == card), None)
        if lying is None:
            raise ValueError(f"flag owes={text[:40]}: {card[:10]} does not lie in {zone[:20]}")
        home = f"{seat}.arr.1"
        pile = state.table.pile(home)
        state = replace(state, table=state.table.with_pile(home, pile))
        debt = Debt(0, "NERVES-PLAY-03", seat, (lying.token,), home, len(pile), True, zone)
        state = state.with_debt(debt)
    return state


def unfold(event: Event) -> tuple[Event, ...]:
    """Return a row laid card by card as that many placements."""
    if isinstance(event, Dealt) and part_of(event.zone).startswith("row"):
        return tuple(_placements(event))
    return (event,)


def _placements(event: Dealt) -> Iterator[Event]:
    seat = seat_of(event.zone)
    columns = event.columns or tuple(range(1, len(event.cards) + 1))
    for card, column in zip(event.cards, columns, strict=True):
        yield CardPlaced(
            n=event.n,
            t_ns=event.t_ns,
            actor=event.actor,
            u_ns=event.u_ns,
            source=event.source,
            conf=event.conf,
            frames=event.frames,
            card=card,
            origin=f"{seat}.held",
            target=f"{seat}.arr.{column}",
            up=not card.hidden,
        )


def prepare(state: State[Memory], event: Event) -> State[Memory]:
    """Begin the next game when the deck lies there again, or is cut, after a win.

    Of the cards of a hand those that are owed are the ones that go back. A slap is decided
    before cards move that come after it.
    """
    if state.memory.hits and isinstance(event, MOVES):
        state = settled_before(state, event)
    if state.memory.taken and isinstance(event, CardPlaced):
        state = _with_card_put_back(state, event)
    if state.memory.winner is None:
        return _with_owed_on_top(state, event) if state.debts else state
    dealt = isinstance(event, Dealt) and event.zone == "deck"
    cut = isinstance(event, PileMoved) and (event.origin, event.target) == ("deck", "cut.1")
    if not (dealt or cut):
        return _with_owed_on_top(state, event)
    table = replace(state.table, fresh=True, groups=frozenset())
    for zone in table.piles:
        if dealt or zone != "deck":
            table = table.with_pile(zone, ())
    if cut:
        # Nobody saw all the cards being gathered: how many lie there is not known.
        piles = {**table.piles, "deck": table.pile("deck")}
        table = replace(table, piles=piles, whole=table.whole - {"deck"})
    return state.dealt_anew(Memory(), table)


def _with_owed_on_top(state: State[Memory], event: Event) -> State[Memory]:
    """Return the state in which the owed cards of a hand are those that go back, and no others."""
    if not isinstance(event, CardPlaced | PileMoved) or part_of(event.origin) != "held":
        return state
    for debt in state.debts:
        if debt.at == event.origin:
            pile = state.table.pile(debt.at)
            owed = tuple(lying for lying in pile if lying.token in debt.tokens)
            others = tuple(lying for lying in pile if lying.token not in debt.tokens)
            back = _goes_back(state, debt, event.target)
            hand = others + owed if back else owed + others
            state = replace(state, table=state.table.with_pile(debt.at, hand))
            if back:
                return state
    return state


def _with_card_put_back(state: State[Memory], event: CardPlaced) -> State[Memory]:
    """Return the state in which a card lies in its column that was told to be on hand (C-02).

    It comes from there now: it never left, or was put back unseen.
    """
    zone = event.origin
    taken = next((one for one in state.memory.taken if one.zone == zone), None)
    if taken is None:
        return state
    card = event.card.seen()
    if not card.known or card not in taken.cards:
        return state
    held, table = f"{seat_of(zone)}.held", state.table
    if table.place_of(card) is not None or not table.pile(held):
        return state
    *others, last = table.pile(held)
    back = Lying(last.token, taken.up[taken.cards.index(card)])
    table = table.with_pile(held, tuple(others)).with_pile(zone, (*table.pile(zone), back))
    return replace(state, table=table.read(back.token, card))


def _goes_back(state: State[Memory], debt: Debt, target: str) -> bool:
    """Return whether a zone is where owed cards that are in a hand have to go."""
    if debt.rule == "NERVES-OUT-05":
        other = state.setup.others(debt.seat or "")[0]
        return target in (debt.origin, f"{other}.held", f"{other}.rest")
    return target == debt.origin


def cures(state: State[Memory], debt: Debt, move: Move) -> bool:
    """Return whether owed cards are back, in a way that the rules name beside the exact reverse."""
    if debt.rule == "NERVES-HIT-03":
        return move.target == f"{debt.seat}.rest" and move.under
    if debt.rule == "NERVES-OUT-05":
        return _goes_back(state, debt, move.target)
    own, part = seat_of(move.target) == debt.seat, part_of(move.target)
    if part_of(debt.origin) == "owed":
        return own and part in ("arr", "held")
    played = debt.at in PILES or debt.rule == "NERVES-LAST-01"
    from_hand = part_of(debt.origin) in ("arr", "held")
    return own and part == "arr" and played and not debt.race and from_hand


def cured(case: Case[Memory], debt: Debt) -> str:
    """Return the rule that a cure is told under."""
    return "PLAY-04" if debt.at in PILES else debt.rule.removeprefix("NERVES-")


def in_force(state: State[Memory], layout: Layout) -> bool:
    """Return whether a rule of layout is a duty now: the table's edge only for the set-up piles."""
    if layout.rule != "NERVES-SET-11" or state.setup.is_on("edge_always"):
        return True
    return not state.memory.started
