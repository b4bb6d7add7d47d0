"""The deal: cards and piles that appear until every player has his own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.table import moves
from referee.table.evidence import Reach
from referee.table.found import Found
from referee.table.habits import Habits, owner_of
from referee.table.piles import Lying, Piles, laid, unknown
from referee.table.setting_up import SettingUp
from referee.table.spots import COVERS_MM, OFF, Zones
from referee.values import Actor, Event, PointMm, TablePlan
from referee.values.spots import NOT_READ, Spot

# Who deals a card face down where it should lie open mostly turns it up within this time.
TURNS_UP_NS = 2_000_000_000
# What is left of a deck that lies where it ends up is squared within this time after all else lies.
SQUARED_NS = 1_000_000_000


class Dealing:
    """Follows the deal. Used by one thread. `goes_on` until every player has his cards."""

    def __init__(
        self, plan: TablePlan, habits: Habits, zones: Zones, piles: Piles, setting_up: SettingUp
    ) -> None:
        """Wait for the deal."""
        self._habits, self._zones, self._piles = habits, zones, piles
        self._setting_up = setting_up
        self._places_mm = {zone.name: zone.center_mm for zone in plan.zones}
        self._seats = tuple(place.seat for place in plan.seats)
        self._players = len(self._seats)
        self._deal = next((one for one in habits.dealt if one.players(self._players)), None)
        self.goes_on = True
        # It was seen from its begin and is not told of whole; what was told of as dealt.
        self._followed = False
        self._begun_ns = 0
        self._dealt: set[str] = set()

    def begin(self, t_ns: int) -> None:
        """Look whether the first table is one before the deal, and take off what is being mixed.

        Then there is nothing but a deck, or two, or one for each player. What cannot be read may be
        no card. `t_ns` is when the table was seen first.
        """
        self._begun_ns = t_ns
        strewn = [name for name in self._piles.zones() if not self._may_lie_down(name)]
        left = [name for name in self._piles.zones() if self.is_left_over(name)]
        few = len(self._piles.zones()) - len(strewn) <= max(2, self._players)
        self.goes_on = few and not any(card.up and card.named for _, _, card in self._piles.each())
        self._followed = self.goes_on
        for name in (*strewn, *left) if self.goes_on else ():
            self._piles[name].clear()
        self.look()

    def waiting(self) -> tuple[str, ...]:
        """Return the piles in which the decks end that are still to be mixed in the hands."""
        if not self.goes_on or self._deal is None or not self._is_mixed_in_hands():
            return ()
        *others, rest = (name for name, _ in self._deal.heights)
        dealt = (*others, *self._deal.singles)
        return tuple(
            f"{seat}.{rest}"
            for seat in self._seats
            if not any(self._piles[f"{seat}.{name}"] for name in dealt)
        )

    def places_mm(self, deck: str) -> tuple[PointMm, ...]:
        """Return the middles of the places before a player to which he deals from his deck."""
        owner, names = owner_of(deck), () if self._deal is None else self._deal.zones()
        mine = {f"{owner}.{name}" for name in names} - {deck}
        return tuple(at_mm for name, at_mm in self._places_mm.items() if owner and name in mine)

    def is_mixed(self, spot: Spot, zone: str, t_ns: int) -> bool:
        """Whether a back may be one of those that a player mixes, and not dealt.

        They lie anywhere before him, and he has dealt no open card yet. What he deals from may lie
        where it ends up.
        """
        if not self.goes_on or self._deal is None or spot.up:
            return False
        if self.is_left_over(zone):
            last_ns = self._all_else_lay_ns(zone)
            lay_before = last_ns is not None and spot.still_ns < last_ns
            return last_ns is None or (lay_before and t_ns - last_ns < SQUARED_NS)
        if self._may_lie_down(zone):
            return self._is_mixed_in_hands() and not self._has_open_card(owner_of(zone))
        late = t_ns - spot.still_ns >= TURNS_UP_NS and self._has_open_card(owner_of(zone))
        place = self._is_place(zone, self._deal.singles) and self._zones.begins(zone, spot.at_mm)
        return not (late and place and not self._piles[zone])

    def is_left_over(self, zone: str) -> bool:
        """Whether a zone is where that ends up which is left of a deck that is being dealt."""
        if not self.goes_on or self._deal is None or not self._is_mixed_in_hands():
            return False
        return self._is_place(zone, (self._deal.heights[-1][0],))

    def is_early(self, spot: Spot, zone: str) -> bool:
        """Whether an open card lies where none is dealt, before anybody plays: fingers look so."""
        dealt = self._deal is None or zone == OFF or self._is_place_of_deal(zone)
        return self.goes_on and spot.up and not dealt and not self._is_played(spot, zone)

    def is_covered(self, spot: Spot, zone: str) -> bool:
        """Whether a back is one of a pile of which the open card on top was dealt after it."""
        top = self._piles[zone][-1] if self._piles[zone] else None
        below = self.goes_on and self._deal is not None and not spot.up
        later = top is not None and top.up and top.since_ns > spot.still_ns
        return below and later and top is not None and top.near(spot.at_mm, COVERS_MM)

    def brings(self, spot: Spot, zone: str, found: Found) -> bool:
        """Whether a card that came to lie in a zone is dealt.

        An open card where none is dealt ends the deal, when every player has got some.
        """
        if not self.goes_on or self._habits.taken_up(zone) is not None:
            return False
        if self._is_played(spot, zone):
            self.goes_on = False
            return False
        if self._is_laid_on(zone, found):
            return False
        of_deal = self._deal is not None or self._habits.dealt_onto(zone) is not None
        if found.guessed or (found.hidden and of_deal):
            return True
        free = self._is_place_of_deal(zone) and not self._piles[zone]
        return free and not self._is_known(spot, found)

    def _is_laid_on(self, zone: str, found: Found) -> bool:
        """Whether a card is laid on one that was dealt, and comes from no deck but another pile."""
        deck = self._habits.set_up_from(zone)
        played = found.hidden and not found.guessed and found.reach is Reach.TOUCHED
        return deck not in (None, found.origin) and bool(self._piles[zone]) and played

    def is_misread(self, spot: Spot) -> bool:
        """Whether an open card that is gone before it was told of was none, as nobody takes any."""
        return self.goes_on and self._deal is not None and spot.up

    def _all_else_lay_ns(self, zone: str) -> int | None:
        """Return since when all but the rest of his deck lies before a player, None if it does not.

        `zone` is where that rest ends up.
        """
        owner, names = owner_of(zone), self._deal.zones() if self._deal is not None else set()
        others = [self._piles[f"{owner}.{name}"] for name in names if f"{owner}.{name}" != zone]
        return max(pile[-1].since_ns for pile in others) if all(others) else None

    def deal(self, spot: Spot, zone: str, actor: Actor) -> list[Event]:
        """Tell of a card or pile that appeared during the deal, as high as the deal asks for."""
        card = laid(spot, self._habits.deck_of(zone, self._players))
        card = replace(card, told=card.face)
        if self.is_left_over(zone) and self._piles[zone]:
            # What was left of the deck is squared, or laid down once more.
            self._piles[zone][-1] = card
            return []
        below = [unknown(card)] * (self.height(zone) - 1)
        self._piles[zone].extend((*below, card) if zone != OFF else (card,))
        self._dealt.add(zone)
        self.look()
        if zone == OFF or zone in self._habits.dealt_from:
            # That a deck is laid down to be dealt is no event of the game.
            return []
        top = card.card if card.up else card.card.hide()
        cards = (*(one.card.hide() for one in below), top)
        last_ns = self._all_else_lay_ns(zone) if self.is_left_over(zone) else None
        if last_ns is not None and spot.still_ns < last_ns:
            return [moves.dealt_unseen(last_ns, last_ns + SQUARED_NS, zone, cards, actor)]
        told = moves.dealt(spot, zone, cards, actor)
        # Before the first look it may have lain elsewhere, and was moved there since.
        return [told if spot.moving_ns > self._begun_ns else moves.doubted(told)]

    def _is_played(self, spot: Spot, zone: str) -> bool:
        elsewhere = spot.named and zone != OFF and not self._is_place_of_deal(zone)
        return self._deal is not None and elsewhere and all(map(self._has_open_card, self._seats))

    def _is_place_of_deal(self, zone: str) -> bool:
        return self._deal is not None and self._is_place(zone, self._deal.zones())

    def _is_known(self, spot: Spot, found: Found) -> bool:
        """Whether the very card was known to lie where it came from: somebody puts it right."""
        cards = self._piles[found.origin] if found.gone is None else found.gone.cards
        return spot.named and any(card.face == spot.label for card in cards)

    def hidden_piles(self, spot: Spot, zone: str) -> list[Event]:
        """Tell of the piles of backs that hands hid since they were dealt, when play begins."""
        if not self._followed or (self.goes_on and not self._is_played(spot, zone)):
            return []
        self._followed = False
        return [event for seat in self._seats for event in self._hidden_of(seat, spot)]

    def _hidden_of(self, seat: str, spot: Spot) -> Iterator[Event]:
        """Lay the piles of a player there of which nothing was ever seen, and tell of them."""
        heights = self._deal.heights if self._deal is not None else ()
        since_ns = [c.since_ns for name, _, c in self._piles.each() if owner_of(name) == seat]
        for name, height in heights:
            zone = f"{seat}.{name}"
            if self._piles[zone] or not since_ns or zone in self._dealt:
                continue
            first_ns, last_ns = max(since_ns), max(*since_ns, spot.moving_ns)
            deck, place_mm = self._habits.deck_of(zone, self._players), self._zones.first_mm(zone)
            back = Lying(NOT_READ, deck, False, place_mm, 0.0, None, first_ns)
            self._piles[zone].extend([back] * height)
            cards = (back.card.hide(),) * height
            yield moves.dealt_unseen(first_ns, last_ns, zone, cards, Actor(seat))

    def look(self) -> None:
        """Look whether every player has his cards now, or the deck lies there that all share."""
        if not self.goes_on:
            return
        if self._setting_up.is_laid():
            self.goes_on = False
        dealt = self._habits.usual_heights(self._players, self._piles.zones())
        if len({owner_of(name) for name in dealt}) == self._players:
            self.goes_on = False

    def height(self, zone: str) -> int:
        """Return how many cards are dealt into a zone."""
        deck = self._setting_up.deck_height(zone)
        return self._habits.dealt_height(zone, self._players) if deck is None else deck

    def _may_lie_down(self, zone: str) -> bool:
        """Whether backs lie in a zone after the deal."""
        if self._deal is None or zone == OFF:
            return True
        return self._is_place(zone, (name for name, _ in self._deal.heights))

    def _is_mixed_in_hands(self) -> bool:
        """Whether the deck has no place of its own on which it lies while it is mixed."""
        return self._deal is not None and "deck" not in dict(self._deal.heights)

    def _has_open_card(self, owner: str | None) -> bool:
        names = self._deal.zones() if self._deal is not None else set()
        piles = (self._piles[f"{owner}.{name}"] for name in names)
        return any(pile and pile[-1].up for pile in piles)

    def _is_place(self, zone: str, names: Iterable[str]) -> bool:
        owner = owner_of(zone)
        return owner is not None and zone.removeprefix(f"{owner}.") in set(names)
