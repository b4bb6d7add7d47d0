"""How a card came to be seen where none was seen before: found again, uncovered, turned, brought.

What cannot be told yet is looked at again: where the card that lay there went mostly shows within
half a second, when the arm that hides it is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.table.backs import Backs
from referee.table.carried import Carried
from referee.table.drawing import Drawing
from referee.table.evidence import Contact, Evidence, Reach
from referee.table.found import GUESSED, LIKELY, Found
from referee.table.habits import Habits, is_in_hands, owner_of
from referee.table.open_packets import OpenPackets
from referee.table.own_pile import FATE_NS, UNREAD_NS, Answer, How, OwnPile
from referee.table.piles import FEW_CARDS, NEVER_NS, Lying, Piles
from referee.table.resting import lies_half_beside
from referee.table.sources import Sources
from referee.table.spots import COVERS_MM, Zones
from referee.table.unturned import Unturned
from referee.values import Actor
from referee.values.spots import Spot

# A place that several explanations fit is looked at this much longer for one of them to show: a
# carry takes 0.3 to 0.9 s, and what the arm hides is seen 0.2 s after it is gone.
LONG_FATE_NS = 1_100_000_000
# Votes on a new card's face come in within a few looks.
VOTES_NS, SURE_CONF = 250_000_000, 0.97
# A card that is still believed beside a new one is gone within a few looks, or lies there.
BESIDE_NS = 250_000_000
# Fingers that pass over a card are taken for another one no longer than this.
MOMENT_NS = 150_000_000
# A pile of backs that should be used up is turned over within this time, or was counted wrongly.
COUNT_NS = 4_000_000_000


class _Elsewhere(NamedTuple):
    """Where a card of one face left, where it still lies open, and where it is covered."""

    left: Found | None
    twin: Found | None
    covered: Found | None


class Explaining:
    """Explains the new spots of one look."""

    def __init__(
        self,
        habits: Habits,
        zones: Zones,
        piles: Piles,
        sources: Sources,
        backs: Backs,
        drawing: Drawing,
        unturned: Unturned,
        evidence: Evidence,
        *,
        dealing: bool,
        hurry: bool,
    ) -> None:
        """Look at the table as it is known now; in a `hurry` nothing is waited for."""
        self._habits, self._zones, self._piles = habits, zones, piles
        self._own = OwnPile(habits, zones, piles, sources, evidence)
        self._sources, self._backs, self._drawing = sources, backs, drawing
        self._unturned = unturned
        self._carried = Carried(piles, backs, evidence)
        self._evidence, self._dealing = evidence, dealing
        self._gone, self._hurry = hurry, dealing or hurry

    def explain(self, spot: Spot, zone: str, actor: Actor, waited_ns: int) -> Answer | None:
        """Return how a spot that was first seen `waited_ns` ago came, None while unknown."""
        late = waited_ns >= FATE_NS or self._hurry
        top = self._own.top_below(spot, zone)
        card = None if top is None else self._piles[zone][top]
        if spot.named and spot.conf < SURE_CONF and waited_ns < VOTES_NS and not self._gone:
            return None
        along = self._own.along(spot, zone)
        if along is not None:
            return Answer(How.ALONG, along)
        buried = self._own.buried(spot, zone)
        if buried is not None:
            return Answer(How.SAME, buried)
        moved_on = self._own.moved_on(spot, zone)
        if moved_on is not None:
            return Answer(How.MOVED_ON, moved_on)
        askew = self._own.askew(spot, zone)
        if askew is not None:
            return Answer(How.SAME, askew)
        between = self._own.lay_between(spot, zone)
        if between is not None:
            return Answer(How.BETWEEN, between)
        laid = None if spot.up else self._laid_on(spot, zone, actor)
        if laid is not None:
            return Answer(How.CAME, top, laid)
        if card is not None and card.spot is None:
            flashed = self._gone and self._own.may_be_same(card, spot, zone)
            if flashed or self._own.is_same(card, spot, zone):
                return Answer(How.SAME, top)
            below = self._own.lying_below(spot, zone, top)
            if below is not None and not self._is_drawn_anew(below, spot, zone, actor):
                return Answer(How.UNCOVERED, below)
        if not spot.up:
            return self._back(spot, zone, actor, top, waited_ns)
        unread = not spot.tells_which
        if unread and waited_ns < UNREAD_NS and not self._hurry:
            return None
        if not spot.named and self._is_astray(spot, zone):
            return None
        shows = card is not None and card.spot is not None
        if self._habits.is_put_down(zone):
            packets = OpenPackets(self._piles, self._sources, self._backs)
            return packets.explain(spot, zone, actor, top, gone=self._gone)
        deeper = self._deeper(spot, zone, actor, shows=shows)
        if deeper is not None:
            return Answer(How.SAME if shows else How.UNCOVERED, deeper)
        if self._own.lies_under(spot, zone):
            return Answer(How.PEEKS)
        if self._is_half_read(spot, zone, waited_ns):
            return None
        elsewhere = self._elsewhere(spot, zone, actor)
        known = self._known(elsewhere, spot, zone, actor, late)
        if known is not None:
            return Answer(How.CAME, top, known)
        if not late and (elsewhere.twin is not None or elsewhere.covered is not None):
            return None
        new = self._new(spot, zone, actor, top, waited_ns)
        lies = not shows or waited_ns >= BESIDE_NS
        return new if lies or self._lay_there(new, spot, card, waited_ns) else None

    def _is_astray(self, spot: Spot, zone: str) -> bool:
        """Whether something that nobody read lies where no card of its zone can."""
        return self._zones.is_astray(zone, spot.at_mm, (c.at_mm for c in self._piles[zone]))

    def _is_half_read(self, spot: Spot, zone: str, waited_ns: int) -> bool:
        """Whether a card may be read where it does not lie, as a hand hides most of it.

        Nobody lays one half beside those of a pile or cascade; an index that is taken for the one
        of its other side is read rightly when the hand is gone.
        """
        beside = lies_half_beside(spot, zone, self._habits, self._zones, self._piles)
        return beside and (waited_ns < LONG_FATE_NS or self._gone)

    def _lay_there(
        self, answer: Answer | None, spot: Spot, card: Lying | None, waited_ns: int
    ) -> bool:
        """Whether a card that is gone already, from where another one shows, lay there.

        That one was laid on it; or who sees his mistake takes his card back at once. Fingers are
        taken for a card for a moment.
        """
        if not (self._hurry and spot.named and spot.conf >= SURE_CONF):
            return False
        if card is not None and card.since_ns > spot.still_ns:
            return True
        found = None if answer is None else answer.found
        touched = found is not None and found.reach is Reach.TOUCHED
        return touched and waited_ns >= MOMENT_NS

    def _reach_mm(self, zone: str) -> float:
        return self._habits.reach_mm(zone, COVERS_MM)

    def _deeper(self, spot: Spot, zone: str, actor: Actor, *, shows: bool) -> int | None:
        """Return the index of the card itself in a squared pile: it is no other.

        In which order the cards of a draw lie was not seen, and lower ones show at an angle; of
        other piles that is believed while the top card `shows`, and no such card was on the way
        when the spot came to rest.
        """
        drawn_onto = self._habits.is_drawn_onto(zone)
        squared = not self._habits.is_single(zone) and not self._habits.is_column(zone)
        if not spot.named or not (drawn_onto or (squared and shows)):
            return None
        left = None if drawn_onto else self._sources.left(spot, zone, actor)
        if left is not None and left.lifted_ns is not None:
            return None
        pile = self._piles[zone]
        found = [
            k
            for k, card in enumerate(pile)
            if card.face == spot.label and card.up and card.near(spot.at_mm, COVERS_MM)
        ]
        if len(found) != 1 or pile[found[0]].spot is not None:
            return None
        return None if self._is_drawn_now(spot, zone, actor) else found[0]

    def _is_drawn_anew(self, below: int, spot: Spot, zone: str, actor: Actor) -> bool:
        """Whether a card that never showed in a pile was drawn only now, not counted to it before.

        Which cards lie below the one that shows of a turn is told by the order of their stock.
        """
        card = self._piles[zone][below]
        inferred = self._habits.is_drawn_onto(zone) and card.lost_ns == NEVER_NS
        return inferred and self._is_drawn_now(spot, zone, actor)

    def _is_drawn_now(self, spot: Spot, zone: str, actor: Actor) -> bool:
        """Whether a hand was at the backs after the last card was laid in a zone."""
        drawn = self._taken_since(self._backs.hidden(spot, zone, actor), zone)
        return drawn is not None and drawn.reach is Reach.TOUCHED

    def _back(
        self, spot: Spot, zone: str, actor: Actor, top: int | None, waited_ns: int
    ) -> Answer | None:
        """Explain a card that lies face down."""
        late = waited_ns >= FATE_NS or self._hurry
        hidden = self._own.hidden_back(spot, zone, top)
        if hidden is not None:
            return Answer(How.SAME, hidden)
        uncovered = self._own.uncovered(spot, zone, top)
        if uncovered is not None:
            return uncovered
        found = self._backs.back(spot, zone) or self._laid_out(spot, zone, actor)
        if found is not None:
            return Answer(How.CAME, top, found)
        turned = self._own.turned_down(spot, zone) if top is None else top
        if turned is not None and self._turns(zone, turned):
            return Answer(How.TURNED, turned)
        found = self._backs.hidden(spot, zone, actor)
        if found is not None and self._is_put_down(found, zone):
            return Answer(How.CAME, top, found)
        if not self._dealing and self._habits.is_drawn(zone):
            # More backs lie there than were counted, or they are to be explained by what leaves.
            most_ns = LONG_FATE_NS if self._is_miscounted(zone) else COUNT_NS
            return Answer(How.UNCOVERED) if waited_ns > most_ns else None
        if found is not None and (late or found.reach is not Reach.NONE):
            return Answer(How.CAME, top, found)
        return Answer(How.CAME, top, self._backs.nowhere(zone, actor)) if late else None

    def _laid_on(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the hand from which a card was laid onto a column, a step on from its top one."""
        return self._backs.held(spot, zone, actor) if self._own.is_step_on(spot, zone) else None

    def _laid_out(self, spot: Spot, zone: str, actor: Actor) -> Found | None:
        """Return the hand from which the first back of a column came: nobody lays another there."""
        first = self._habits.is_column(zone) and not self._piles[zone]
        return self._backs.held(spot, zone, actor) if first else None

    def _is_miscounted(self, zone: str) -> bool:
        """Whether nothing was turned over onto a zone: what is turned onto it lies open still."""
        owner = owner_of(zone)
        turned = [z for z in self._piles.zones() if self._habits.returns_to(z, owner) == zone]
        if not turned:
            return not self._sources.may_return(zone)
        return any(self._piles[name][-1].spot is not None for name in turned)

    def _is_put_down(self, found: Found, zone: str) -> bool:
        """Whether a player put down the cards that were left in his hand."""
        known = is_in_hands(found.origin) and bool(self._piles[found.origin])
        return known and not self._piles[zone]

    def _turns(self, zone: str, top: int) -> bool:
        # Nobody turns an open card of a column face down again.
        turned = self._habits.turns_over(zone) and not self._habits.is_column(zone)
        return turned and self._piles[zone][top].spot is None

    def _known(
        self, elsewhere: _Elsewhere, spot: Spot, zone: str, actor: Actor, late: bool
    ) -> Found | None:
        """Return where a card of a known face came from, None where it is new or not yet clear."""
        left, twin, covered = elsewhere
        if left is not None and (twin is None or late or self._is_plain(left, actor)):
            return left
        held = self._sources.held(spot, zone, actor)
        if held is not None:
            return held
        if covered is not None and (late or (twin is None and covered.conf > GUESSED)):
            return covered
        if twin is not None and late and self._is_gone(twin, spot, zone, actor):
            return twin
        return None

    def _is_gone(self, twin: Found, spot: Spot, zone: str, actor: Actor) -> bool:
        """Whether a card that seems to lie elsewhere still is the very one that a spot shows."""
        if self._is_hidden(twin) or self._is_own(twin, zone, actor):
            return True
        return self._sources.took_from_below(twin, spot, actor)

    def _is_own(self, twin: Found, zone: str, actor: Actor) -> bool:
        """Whether it is the very card that a player laid: of his own deck, which has it but once.

        What he turns over may be misread; what he lays was read where it lay.
        """
        if self._habits.has_backs(zone):
            return False
        deck = self._piles[twin.origin][twin.index].deck
        return deck is not None and deck == (owner_of(zone) or actor.seat)

    def _elsewhere(self, spot: Spot, zone: str, actor: Actor) -> _Elsewhere:
        """Look for the face of a card in all other places."""
        left = self._sources.left(spot, zone, actor)
        twin = self._sources.twin(spot, zone, actor)
        covered = self._sources.covered(spot, zone, actor)
        if self._is_anothers(left, covered, zone, actor) or self._stays(left, covered, spot):
            left = None
        if self._is_of_another(twin, zone):
            twin = None
        if self._backs.is_turned_over(spot, zone, actor):
            # Who turns over his own cards has no other player's in that hand.
            left = None if self._is_others(left, spot, zone) else left
            twin = None if self._is_others(twin, spot, zone) else twin
            covered = None if self._is_others(covered, spot, zone) else covered
        return _Elsewhere(left, twin, covered)

    def _stays(self, left: Found | None, covered: Found | None, spot: Spot) -> bool:
        """Whether a card that got lost from sight stays, as a hand was at its like, hidden now."""
        if left is None or left.gone is None or covered is None or covered.conf <= GUESSED:
            return False
        return self._sources.stays(left.gone, spot)

    def _is_of_another(self, found: Found | None, zone: str) -> bool:
        """Whether a card is of another deck than its player's at whose place it is to lie.

        While that card is seen where it lies, the one that came is the player's own.
        """
        if found is None or owner_of(zone) is None:
            return False
        return self._deck_of(found) not in (None, owner_of(zone))

    def _is_anothers(
        self, left: Found | None, covered: Found | None, zone: str, actor: Actor
    ) -> bool:
        """Whether neither who laid a card of another deck nor whose place it is took that one.

        What nobody was seen to take its own player took. Where all lay cards, so it is only if who
        laid this one was at his own.
        """
        if left is None or left.gone is None:
            return False
        gone, own = left.gone, self._is_own_of(covered, actor)
        if not (self._is_of_another(left, zone) or (own and not self._is_own_of(left, actor))):
            return False
        who = gone.actor.seat if gone.touched else gone.cards[left.index].deck
        return who not in (actor.seat, owner_of(zone))

    def _is_own_of(self, found: Found | None, actor: Actor) -> bool:
        """Whether a card is likely one of the deck of who laid it."""
        if found is None or found.conf <= GUESSED or actor.seat is None:
            return False
        return self._deck_of(found) == actor.seat

    def _deck_of(self, found: Found) -> str | None:
        gone = found.gone
        card = gone.cards[found.index] if gone else self._piles[found.origin][found.index]
        return card.deck

    def _is_others(self, found: Found | None, spot: Spot, zone: str) -> bool:
        """Whether a card is of another deck than a zone, or another player took it, or too late."""
        if found is None:
            return False
        gone, mine = found.gone, (None, owner_of(zone))
        if self._deck_of(found) not in mine:
            return True
        if gone is None or not gone.touched:
            return False
        return gone.actor.seat not in mine or gone.t_ns > spot.still_ns

    def _is_plain(self, left: Found, actor: Actor) -> bool:
        """Whether what left was taken by the player who laid a card, and is of his deck."""
        assert left.gone is not None
        deck = left.gone.cards[left.index].deck
        return actor.seat is not None and deck in (None, actor.seat)

    def _is_hidden(self, twin: Found) -> bool:
        """Whether it is not seen that a card is gone: for a hand, or for its like below it.

        The like may be another player's, who took it and of whom it was not seen where he laid it.
        """
        card = self._piles[twin.origin][twin.index]
        like = self._piles.like_below(twin.origin, twin.index) is not None
        like = like or self._sources.has_left(card.face, card.deck)
        return like or self._evidence.now.covered(card.at_mm)

    def _new(
        self, spot: Spot, zone: str, actor: Actor, top: int | None, waited_ns: int
    ) -> Answer | None:
        """Explain a face that was not seen before: uncovered, turned, or from a pile of backs."""
        late = waited_ns >= FATE_NS or self._hurry
        card = None if top is None else self._piles[zone][top]
        if late and self._own.peeks(spot, zone):
            return Answer(How.PEEKS)
        held = self._laid_on(spot, zone, actor)
        hidden = held or self._hidden(spot, zone, actor, late=late)
        waits = waited_ns < LONG_FATE_NS and not self._hurry
        if waits and self._drawing.is_unclear(hidden, spot):
            return None
        laid = hidden is not None and (held is not None or self._is_laid_on_backs(hidden))
        back = card if card is not None and card.spot is None and not card.up else None
        if back is not None:
            itself = spot.named and back.face == spot.label
            if itself or (not laid and self._habits.is_turned(zone)):
                return Answer(How.TURNED, top)
            hidden = self._laid_where_backs_are(hidden, zone)
        if self._is_one_deck(spot, zone, actor):
            return None
        if card is None and not laid and self._own.may_be_back(zone):
            return Answer(How.TURNED)
        turned = self._own.turnable(zone)
        brought = laid or (hidden is not None and hidden.swift)
        if turned is not None and not brought and waited_ns >= BESIDE_NS:
            return Answer(How.TURNED, turned)
        uncovered = self._own.uncovered(spot, zone, top, drawn=self._may_be_drawn(hidden, spot))
        if uncovered is not None:
            return self._bared(uncovered, hidden, spot, zone, actor, top, waited_ns)
        if not self._habits.singly and hidden is not None and hidden.flip:
            # The touch that led to the turn before led to no other.
            hidden = self._taken_since(hidden, zone)
        if hidden is not None and (
            late or hidden.reach is Reach.TOUCHED or self._from_hand(hidden)
        ):
            return Answer(How.CAME, top, hidden)
        if late and not self._dealing and self._own.is_next(spot, zone, top):
            return Answer(How.TURNED if top is None else How.NEXT, top)
        return Answer(How.CAME, top, self._backs.nowhere(zone, actor)) if late else None

    def _bared(
        self,
        uncovered: Answer,
        hidden: Found | None,
        spot: Spot,
        zone: str,
        actor: Actor,
        top: int | None,
        waited_ns: int,
    ) -> Answer | None:
        """Explain a face that may have lain below what is gone, or have been drawn onto it."""
        late = waited_ns >= FATE_NS or self._hurry
        hidden = self._taken_since(hidden, zone)
        if uncovered.how is How.UNCOVERED and self._sources.bared(zone, spot):
            return uncovered
        if hidden is not None and (
            self._is_swift(hidden, spot, late=late) or self._follows(hidden, spot)
        ):
            return Answer(How.CAME, top, hidden)
        touched = hidden is not None and hidden.reach is Reach.TOUCHED
        drew = touched and uncovered.how is How.BARED
        shows = hidden is not None and self._drawing.shows(hidden, spot)
        if not drew and self._own.is_accounted(spot, zone, top, drawn=touched or shows):
            return uncovered
        unclear = self._carried.elsewhere(hidden, spot, zone, actor)
        waits = waited_ns < LONG_FATE_NS or (
            waited_ns < LONG_FATE_NS + FATE_NS and any(map(self._carried.is_fresh, unclear))
        )
        if waits and not self._hurry:
            return None
        drawn = self._is_drawn(hidden, unclear) or self._is_kept(zone, actor) or shows
        hidden = hidden or self._unseen(zone, actor)
        return Answer(How.CAME, top, hidden) if drawn and hidden is not None else uncovered

    def _may_be_drawn(self, hidden: Found | None, spot: Spot) -> bool:
        """Whether a hand came down at the backs, or they stirred, before a card lay there."""
        touched = hidden is not None and hidden.reach is Reach.TOUCHED
        return touched or (hidden is not None and self._drawing.shows(hidden, spot))

    def _laid_where_backs_are(self, hidden: Found | None, zone: str) -> Found | None:
        """Return a source, in a row less surely: hardly anybody lays a card on a back there.

        It may be that back, turned up.
        """
        if hidden is None or not self._habits.is_row(zone):
            return hidden
        return replace(hidden, conf=min(hidden.conf, LIKELY))

    def _hidden(self, spot: Spot, zone: str, actor: Actor, *, late: bool) -> Found | None:
        """Return the pile of backs, or hand, that a card came from that was not seen before.

        It is a back that its player turned up unseen rather than one of another player's.
        """
        hidden = self._backs.hidden(spot, zone, actor, hurry=late)
        if not late or (hidden is not None and owner_of(hidden.origin) == actor.seat):
            return hidden
        return self._unturned.found(spot, zone, actor) or hidden

    def _is_swift(self, hidden: Found, spot: Spot, *, late: bool) -> bool:
        """Whether the hand that was at the backs laid the card; till `late` not if it went away.

        What it may have carried away shows in a moment.
        """
        return hidden.swift and (late or not self._carried.went_away(hidden, spot))

    def _follows(self, hidden: Found, spot: Spot) -> bool:
        """Whether cards are drawn one by one: nobody has played the last one again so soon.

        Who draws on stays at the pile; who went away may have played what lay on this one.
        """
        follows = hidden.flip and self._drawing.follows(hidden.origin, spot.still_ns)
        return follows and not self._carried.went_away(hidden, spot)

    def _taken_since(self, hidden: Found | None, zone: str) -> Found | None:
        """Return a source, as touched only if that was after the last card was laid in the zone."""
        if hidden is None or hidden.reach is not Reach.TOUCHED or hidden.lifted_ns is None:
            return hidden
        laid_ns = max((card.since_ns for card in self._piles[zone]), default=NEVER_NS)
        laid_ns = max(laid_ns, self._sources.last_laid_ns(zone))
        laid_ns = max(laid_ns, self._drawing.last_ns(hidden.origin))
        if hidden.lifted_ns > laid_ns:
            return hidden
        conf = min(hidden.conf, LIKELY)
        return replace(hidden, reach=Reach.PASSED, swift=False, lifted_ns=None, conf=conf)

    def _is_drawn(self, hidden: Found | None, unclear: Sequence[Contact]) -> bool:
        """Whether a card was drawn onto one that is seen nowhere else, rather than bared by it."""
        if hidden is None or hidden.reach is Reach.TOUCHED or not hidden.flip:
            return hidden is not None and hidden.reach is Reach.TOUCHED
        return not unclear

    def _unseen(self, zone: str, actor: Actor) -> Found | None:
        """Return that nobody saw whence a card came that was laid to stay; nobody took the last."""
        return self._backs.nowhere(zone, actor) if self._is_kept(zone, actor) else None

    def _is_kept(self, zone: str, actor: Actor) -> bool:
        """Whether a player was at a pile of open cards that are laid to stay, and hardly taken."""
        taken = self._habits.is_drawn(zone) or self._habits.is_drawn_onto(zone)
        return actor.seat is not None and not taken and not self._habits.is_column(zone)

    def _is_laid_on_backs(self, hidden: Found) -> bool:
        """Whether a card was brought onto a back rather than that back turned."""
        if not is_in_hands(hidden.origin) or hidden.reach is Reach.NONE:
            return False
        # The last cards of a player may be on his hand while others lie there to be turned.
        many = len(self._piles[hidden.origin]) > FEW_CARDS
        return many or hidden.origin in self._piles.deep or self._habits.hides_hands

    def _from_hand(self, hidden: Found) -> bool:
        return is_in_hands(hidden.origin) and hidden.reach is not Reach.NONE

    def _is_one_deck(self, spot: Spot, zone: str, actor: Actor) -> bool:
        """Whether the only card of this face still lies open elsewhere: one of the two is misread.

        Each card is once in a deck, and what was seen first keeps its name.
        """
        twin = self._sources.twin(spot, zone, actor)
        return twin is not None and self._piles[twin.origin][twin.index].deck is None
