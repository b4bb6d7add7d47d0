"""From a script to acts: follows every physical card through the events and finds its face."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.simulate.acts import (
    Act,
    Blind,
    Carry,
    Deal,
    Mix,
    Piece,
    Pile,
    Plot,
    ScriptError,
    Touch,
    Unseen,
)
from referee.simulate.cards import POKER_DECK, XIX_DECK, known_labels
from referee.simulate.cardtrail import CardTrail, owner_of
from referee.values import (
    Actor,
    CardLifted,
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    HandOff,
    HandOn,
    Laid,
    Layout,
    Match,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
    ViewBack,
    ViewLost,
)

_OWN_DECKS = ("nerds", "nertz")
_DEAL_GAP_NS = 280_000_000
"""A practised dealer lays three to four cards a second along a row."""
_FUSED_NS = 150_000_000
"""A pad and the camera report one touch within this time (rule T-05 of the judge)."""


def plot(match: Match, zones: Iterable[str], seed: int) -> Plot:
    """Follow a match's cards. `zones` are those of the table's plan.

    Faces that the script never tells are dealt out of what is left of the deck, by `seed`.
    Raises ScriptError for a script that cannot be played as it stands.
    """
    if not match.events:
        raise ScriptError(f"match {match.id} has no events: there is nothing to render")
    many = match.game in _OWN_DECKS or (match.game == "spy" and len(match.seats) > 2)
    listed = frozenset(pile.zone for pile in match.start)
    cards = CardTrail(match.seats, many, listed)
    for placement in match.start:
        cards.bring(placement.zone, placement.cards)
    _lay_undealt(match, cards, frozenset(zones))
    follower = _Follower(match, cards)
    acts = tuple(act for event in match.events for act in follower.follow(event))
    touches = _with_ends(acts, match)
    start = tuple(
        Pile(zone, tuple(n for n, _ in was), tuple(up for _, up in was))
        for zone, was in cards.first.items()
        if was
    )
    pieces = _filled(match, cards, random.Random(seed))
    blinds, unseen = tuple(_blinds(match)), tuple(_unseen(match, touches))
    last_ns = max(event.t_ns for event in match.events)
    return Plot(pieces, start, touches, blinds, unseen, last_ns)


def _lay_undealt(match: Match, cards: CardTrail, zones: frozenset[str]) -> None:
    """Lay the cards of a common deck, in the order of the deals, where it lies before them."""
    deals = [event for event in match.events if isinstance(event, Dealt)]
    if "deck" not in zones or cards.pile("deck") or not deals:
        return
    if deals[0].zone == "deck":
        if deals[0].actor.seat is None:
            cards.bring("deck", [Laid(c, not c.hidden) for c in deals[0].cards])
        return
    coming = [card for deal in deals for card in deal.cards]
    cards.bring("deck", [Laid(card, False) for card in reversed(coming)])


class _Follower:
    """Turns one event after the other into acts."""

    def __init__(self, match: Match, cards: CardTrail) -> None:
        self._match, self._cards = match, cards
        self._lifted: dict[int, CardLifted] = {}
        self._last_ns: dict[str, int] = {}

    def follow(self, event: Event) -> Iterator[Act]:
        """Yield the acts of an event."""
        match event:
            case Dealt():
                yield from self._dealt(event)
            case CardPlaced():
                yield self._placed(event)
            case CardTurned():
                yield self._turned(event)
            case CardLifted():
                self._lift(event)
            case PileMoved():
                yield self._moved(event)
            case PileTaken():
                yield self._taken(event)
            case PileMixed():
                yield self._mixed(event)
            case HandOn() | PadHit() if event.actor.seat is not None:
                zone = event.zone if isinstance(event, HandOn) else event.spot
                seat, hand = self._who(event.actor, zone)
                slap = isinstance(event, PadHit)
                yield Touch(n=event.n, t_ns=event.t_ns, seat=seat, hand=hand, zone=zone, slap=slap)
            case _:
                pass
        if event.actor.seat is not None:
            self._last_ns[event.actor.seat] = event.t_ns

    def _who(self, actor: Actor, zone: str) -> tuple[str, str | None]:
        """Whose hand acts: the actor's, else that of the zone's owner, else the first seat's."""
        seat = actor.seat or owner_of(zone, self._match.seats) or self._match.seats[0]
        if seat not in self._match.seats:
            players = " ".join(self._match.seats)
            raise ScriptError(f"there is no player {seat} among {players}; mend the script")
        return seat, actor.hand if actor.hand in ("L", "R") else None

    def _placed(self, event: CardPlaced) -> Carry:
        seat, hand = self._who(event.actor, event.target)
        lifted = next((e for e in self._lifted.values() if _lifts(e, event)), None)
        if lifted is not None:
            number = next(k for k, e in self._lifted.items() if e is lifted)
            del self._lifted[number]
            self._cards.learn(number, event.card)
        else:
            number = self._cards.find(event.n, event.origin, event.card, event.pos)
        self._cards.move([number], event.target, event.under)
        self._cards.up[number] = event.up
        return Carry(
            n=event.n, t_ns=event.t_ns, seat=seat, hand=hand, pieces=(number,), up=(event.up,),
            origin=event.origin, target=event.target, under=event.under,
            lift_ns=lifted.t_ns if lifted else event.carry_ns, lift_n=lifted.n if lifted else None,
        )  # fmt: skip

    def _turned(self, event: CardTurned) -> Carry:
        seat, hand = self._who(event.actor, event.zone)
        number = self._cards.find(event.n, event.zone, event.card, event.pos)
        self._cards.up[number] = event.up
        return Carry(
            n=event.n, t_ns=event.t_ns, seat=seat, hand=hand, pieces=(number,), up=(event.up,),
            origin=event.zone, target=event.zone,
        )  # fmt: skip

    def _lift(self, event: CardLifted) -> None:
        number = self._cards.find(event.n, event.zone, event.card, event.pos)
        self._lifted[number] = event

    def _moved(self, event: PileMoved) -> Carry:
        seat, hand = self._who(event.actor, event.target)
        block = list(self._cards.top(event.n, event.origin, event.count))
        if event.flip:
            block.reverse()
        for number, card in zip(reversed(block), reversed(event.cards), strict=False):
            self._cards.learn(number, card)
        up = tuple(self._cards.up[k] != event.flip for k in block)
        self._cards.move(block, event.target, event.under)
        for number, face_up in zip(block, up, strict=True):
            self._cards.up[number] = face_up
        return Carry(
            n=event.n, t_ns=event.t_ns, seat=seat, hand=hand, pieces=tuple(block), up=up,
            origin=event.origin, target=event.target, under=event.under,
        )  # fmt: skip

    def _taken(self, event: PileTaken) -> Carry:
        seat, hand = self._who(event.actor, event.zone)
        block = tuple(self._cards.top(event.n, event.zone, event.count))
        up = tuple(self._cards.up[k] for k in block)
        self._cards.move(block, f"{seat}.held")
        return Carry(
            n=event.n, t_ns=event.t_ns, seat=seat, hand=hand, pieces=block, up=up,
            origin=event.zone, target=f"{seat}.held",
        )  # fmt: skip

    def _mixed(self, event: PileMixed) -> Mix:
        seat, hand = self._who(event.actor, event.zone)
        self._cards.mix(event.zone)
        pile = tuple(self._cards.pile(event.zone))
        return Mix(
            n=event.n, t_ns=event.t_ns, seat=seat, hand=hand, zone=event.zone, way=event.way,
            pieces=pile,
        )  # fmt: skip

    def _dealt(self, event: Dealt) -> Iterator[Act]:
        seat, hand = self._who(event.actor, event.zone)
        origin = self._source(event, seat)
        if origin == event.zone:
            return  # a deck that nobody dealt lies there from the start
        numbers = tuple(self._cards.find(event.n, origin, card) for card in event.cards)
        up = tuple(not card.hidden for card in event.cards)
        for number, face_up in zip(numbers, up, strict=True):
            self._cards.up[number] = face_up
        if not event.columns:
            self._cards.move(numbers, event.zone)
            yield Carry(
                n=event.n, t_ns=event.t_ns, seat=seat, hand=hand, pieces=numbers, up=up,
                origin=origin, target=event.zone,
            )  # fmt: skip
            return
        targets, each_ns = self._deal_steps(event)
        for number, zone in zip(numbers, targets, strict=True):
            self._cards.move([number], zone)
        yield Deal(
            n=event.n, t_ns=each_ns[0], seat=seat, hand=hand, pieces=numbers, up=up,
            origin=origin, targets=targets, each_ns=each_ns,
        )  # fmt: skip

    def _source(self, event: Dealt, seat: str) -> str:
        if self._cards.pile("deck") and (event.zone != "deck" or event.actor.seat is None):
            return "deck"
        return f"{seat}.held"

    def _deal_steps(self, event: Dealt) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the zone of each card dealt, and the time at which it touches down."""
        count = len(event.columns)
        owner = event.zone.partition(".")[0]
        since_ns = event.t_ns - self._last_ns.get(event.actor.seat or "", 0)
        gap_ns = min(_DEAL_GAP_NS, since_ns // (count + 1))
        each_ns = (event.t_ns - gap_ns * (count - 1 - k) for k in range(count))
        return tuple(f"{owner}.arr.{column}" for column in event.columns), tuple(each_ns)


def _lifts(lifted: CardLifted, placed: CardPlaced) -> bool:
    same_card = lifted.card.face == placed.card.face or "??" in (
        lifted.card.face, placed.card.face)  # fmt: skip
    return lifted.zone == placed.origin and lifted.actor.seat == placed.actor.seat and same_card


def _with_ends(acts: tuple[Act, ...], match: Match) -> tuple[Act, ...]:
    """Join touches with their ends, and one touch that two sensors report."""
    joined: list[Act] = []
    ends = [event for event in match.events if isinstance(event, HandOff)]
    for act in acts:
        if not isinstance(act, Touch):
            joined.append(act)
            continue
        twin = next((k for k, other in enumerate(joined) if _is_twin(other, act)), None)
        if twin is not None:
            other = joined[twin]
            assert isinstance(other, Touch)
            joined[twin] = replace(other, slap=other.slap or act.slap, hand=other.hand or act.hand)
            continue
        end = next((e for e in ends if e.n > act.n and _ends(e, act)), None)
        if end is not None:
            ends.remove(end)
            act = replace(act, off_ns=end.t_ns, off_n=end.n)
        joined.append(act)
    return (*_palms(match, ends), *joined)


def _is_twin(one: Act, other: Touch) -> bool:
    return (
        isinstance(one, Touch)
        and (one.seat, one.zone) == (other.seat, other.zone)
        and (one.hand == other.hand or None in (one.hand, other.hand))
        and abs(one.t_ns - other.t_ns) <= _FUSED_NS
    )


def _ends(event: HandOff, touch: Touch) -> bool:
    return event.zone == touch.zone and event.actor.seat == touch.seat and (
        event.actor.hand in (touch.hand, None, "?") or touch.hand is None
    )  # fmt: skip


def _palms(match: Match, ends: list[HandOff]) -> Iterator[Touch]:
    """Yield the hands that lie on the table when the match begins: those that only leave."""
    for end in ends:
        if end.actor.seat in match.seats:
            hand = end.actor.hand if end.actor.hand in ("L", "R") else None
            yield Touch(n=end.n, t_ns=0, seat=end.actor.seat, hand=hand, zone=end.zone,
                        before=True, off_ns=end.t_ns, off_n=end.n)  # fmt: skip


def _blinds(match: Match) -> Iterator[Blind]:
    for event in match.events:
        if isinstance(event, ViewLost):
            back = next((e.t_ns for e in match.events if isinstance(e, ViewBack) and e.n > event.n
                         and set(e.zones) & {*event.zones, "*"}), None)  # fmt: skip
            cause = (event.cause or "").lower()
            dark = any(word in cause for word in ("light", "dark", "lamp"))
            yield Blind(event.n, event.t_ns, back, event.zones, dark)


def _unseen(match: Match, acts: tuple[Act, ...]) -> Iterator[Unseen]:
    """Yield the events that show nothing on the table."""
    shown = {act.n for act in acts}
    shown |= {act.off_n for act in acts if isinstance(act, Touch) and act.off_n is not None}
    shown |= {act.lift_n for act in acts if isinstance(act, Carry) and act.lift_n is not None}
    for event in match.events:
        if event.n in shown or isinstance(event, ViewLost | ViewBack):
            continue
        why = "said or pressed, nothing to see"
        if isinstance(event, PadHit | HandOn | HandOff):
            why = "no hand of its own to see"
        elif isinstance(event, Layout):
            why = "how cards lie over a time is not rendered"
        elif isinstance(event, CardLifted):
            why = "lifted and never laid down"
        elif isinstance(event, Dealt):
            why = "lies there from the start"
        yield Unseen(event.n, why)


def _filled(match: Match, cards: CardTrail, rng: random.Random) -> tuple[Piece, ...]:
    """Give a face to every card that the script never tells, out of what its deck lacks."""
    everything = XIX_DECK if match.game == "xix" else POKER_DECK
    pools: dict[int, list[str]] = {}
    for deck in sorted(set(cards.decks)):
        known = {face for face, d in zip(cards.faces, cards.decks, strict=True) if d == deck}
        pools[deck] = [face for face in everything if face not in known]
        rng.shuffle(pools[deck])
    pieces = []
    for face, deck in zip(cards.faces, cards.decks, strict=True):
        if face is None:
            face = pools[deck].pop() if pools[deck] else rng.choice(everything)
        if face not in known_labels():
            raise ScriptError(f"there is no card {face} to draw; use 7H, TD, X1, X2 or 1 to 18")
        pieces.append(Piece(face, deck))
    return tuple(pieces)
