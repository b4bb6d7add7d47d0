"""From frames to events: one table's camera, its hands and its cards, in one thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from math import dist

import numpy as np

from referee.table.evidence import Contact
from referee.table.habits import owner_of
from referee.table.hands import HandWatch
from referee.table.layout import is_for_hands, zone_at
from referee.table.mixing import Mixing, Stir
from referee.table.outages import Outages
from referee.table.owners import Owners
from referee.table.scene import Scene
from referee.table.settled import Settled
from referee.table.shown import Shown
from referee.table.view import TableView
from referee.values import (
    Actor,
    Event,
    HandRead,
    HandSeen,
    Marker,
    Placement,
    PointMm,
    Sight,
    TablePlan,
    Touch,
    ViewBack,
    ViewLost,
)
from referee.vision.frames import Frame
from referee.vision.gate import Box
from referee.vision.hands import FieldError, Hands
from referee.vision.landing import Landed
from referee.vision.looking import NAMED_NS, CardReader, Looking
from referee.vision.mapping import Mapping, box_about
from referee.vision.shutter import Shutter

# A zone's stir is looked for in its middle: arms that pass by touch the edges of many zones.
ZONE_MIDDLE_MM = 45.0
# Of an idle table every fourth frame is looked at: at 30 a second an arm needs longer than that to
# reach a card.
IDLE_NS, IDLE_FRAMES = 1_000_000_000, 4
# A hand lays a card with its fingertips within this distance of the card's middle.
TOUCH_MM = 75.0
MOST_TOUCHES = 200
# A card is taken and laid elsewhere within a second: what happened in a longer gap is unknown.
GAP_NS = 1_500_000_000
# Hands that shuffle are not always told apart from what they hold, and work beside the deck's
# place: their fingers are seen within this distance of its middle.
ABOUT_MM = 190.0
# Who mixes a deck does it where it lies, or holds it about so far from the table's edge; of both
# places as much is looked at as a deck and the fingers about it cover.
HELD_MM, LIES_MM = 70.0, 60.0
CORNERS = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]])
# Fingers that lay cards at a place are seen so near to its middle; those of who shuffles beside it
# are not, for most of the time.
DEALS_MM = 50.0
# From the fingertips to where a sleeve may begin.
HAND_LENGTH_MM = 150.0
# Hands that were seen so lately tell better than bare motion which piles were touched.
HANDS_NS = 4_000_000_000


class TableWatch:
    """Watches one table. `step` takes frames in order of time and gives what happened.

    The first settled table is the start position: until then nothing is told.
    """

    def __init__(
        self,
        plan: TablePlan,
        view: TableView,
        reader: CardReader,
        *,
        begin_laid: bool = True,
        known: tuple[Placement, ...] = (),
        shutter: Shutter | None = None,
        live: bool = False,
    ) -> None:
        """Watch the table of `plan` as `view` shows it, read by `reader`.

        `begin_laid`: what lies there first is the start position, not an event. `known` piles,
        told by the players or a script, lie below what is seen of them at the start. `shutter`:
        how the camera takes a frame, where that was measured. `live`: frames do not wait until
        earlier ones are read.
        """
        self._known = known
        self.plan, self._view = plan, view
        self._hands, self._hand_watch = Hands(view, plan, shutter), HandWatch(plan)
        # A frame's hands are looked for while another thread looks for what moved and was read.
        self._seeing = ThreadPoolExecutor(1, "hands")
        self._looking = Looking(
            reader,
            self._mapping(view),
            plan.table_mm,
            lambda: _forearms(self.hands),
            self._hands.hides,
            shutter,
            self._came_down,
            [corner for marker in plan.markers for corner in marker.corners_mm],
            live=live,
        )
        watch = self._hand_watch
        self._scene = Scene(plan, watch.actor_at, self._touched, watch.way)
        self._owners = Owners(self._seat_at)
        self._touches: deque[Touch] = deque(maxlen=MOST_TOUCHES)
        self._card_zones = tuple(z for z in plan.zones if not is_for_hands(plan, z))
        self._outages, self._mixing = Outages(), Mixing()
        self._visits: dict[str, int] = {}
        self._hand_ns = -HANDS_NS
        self._skipped, self._reading = 0, False
        self._last_ns: int | None = None
        self._start: tuple[Placement, ...] | None = None if begin_laid else ()
        # When the whole first picture had been read.
        self._read_ns: int | None = None
        self.hands: tuple[HandSeen, ...] = ()
        # Whether the latest frame was looked at: of an idle table most are not.
        self.looked = False

    def first_scene(self) -> tuple[Placement, ...] | None:
        """Return what lay on the table first, bottom to top; None while it is not yet settled.

        Piles of backs show one card, which may lie on others: `heights_unknown`.
        """
        return self._start

    def heights_unknown(self) -> tuple[str, ...]:
        """Return the zones that may hold more cards than are known."""
        return tuple(sorted(self._scene.piles.deep))

    def zones_bare(self) -> tuple[str, ...]:
        """Return the zones in which nothing lay on the first table, and that were seen so."""
        return tuple(sorted(self._scene.bare))

    def tops_unknown(self) -> frozenset[str]:
        """Return the zones in which it was not seen which of two open cards lay on top first."""
        return self._scene.unordered

    def shown(self) -> Shown:
        """Return what is seen of each pile now."""
        return self._scene.shown()

    def sight(self) -> Sight:
        """Return the table as it is believed now, to be drawn over the latest frame.

        One read for each card that is followed: `label` as voted over all looks, `score` its
        probability, `quad_px` the card's corners (from its upper left one as printed, clockwise),
        `at_px` and `middle_px` its middle, `angle_deg` its turn in the picture. One hand for each
        that was seen in the latest frame: `box_px` about the hand without its arm. All in pixels
        of the full picture; what lies out of the picture has coordinates outside it.
        """
        cards = self._looking.reads()
        hands = tuple(HandRead(hand.score, self._box_px(hand)) for hand in self.hands)
        return Sight(cards, hands)

    def _box_px(self, hand: HandSeen) -> tuple[float, float, float, float]:
        x0, y0, x1, y1 = hand.box_mm
        corners = self._view.to_px(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    def looks_laid(self) -> bool:
        """Whether the first table looks like a game in play, not like decks before the deal.

        Those lie face down.
        """
        first = self._start or ()
        return len(first) > 2 or any(card.up for one in first for card in one.cards)

    def is_in_play(self) -> bool:
        """Whether more lies on the first table than decks that nothing was dealt from yet."""
        first = self._start or ()
        return any(not self._scene.habits.is_deck(one.zone) for one in first)

    def use_view(self, view: TableView) -> None:
        """Take another map: the camera or the table was moved. Everything is read anew."""
        self._view = view
        self._hands.moved(view)
        self._looking.look_from(self._mapping(view))

    def step(self, frame: Frame) -> tuple[Event, ...]:
        """Return the events that became certain with a frame, in order of time.

        The frame needs a time. Each event's `n` is 0 until it is numbered.
        """
        t_ns = frame.t_ns or 0
        gap, self._last_ns = tuple(_gap(self._last_ns, t_ns)), t_ns
        self._skipped = self._skipped + 1 if self._is_idle(t_ns) else 0
        self.looked = not self._skipped % IDLE_FRAMES or bool(gap)
        if not self.looked:
            return ()
        seen = self._seeing.submit(self._hands.step, frame)
        self._reading = self._looking.see(frame)
        events = [*gap, *self._watch_hands(seen, t_ns)]
        self._looking.choose(frame)
        for corners_px in self._looking.free_px:
            self._hands.free(corners_px)
        dark, unexplained = self._looking.stillness.dark, self._scene.unexplained()
        if not dark:
            events += map(self._mixing.dated, self._understand(t_ns))
            self._mixing.dealt(t_ns, self._scene.to_be_mixed(), self._scene.dealt_ns)
        flooded = self._scene.flooded
        events += self._outages.step(
            t_ns, dark, self._hidden(), unexplained, flooded=flooded, black=self._black()
        )
        if self._start is not None:
            events += self._mixing.told(self._scene.lies)
        ordered = sorted(events, key=lambda event: event.t_ns)
        return tuple(replace(event, frames=f"{frame.source}#{frame.n}") for event in ordered)

    def glimpse(self, frame: Frame) -> None:
        """Take a frame for what moved in it alone; what that tells comes with a later `step`.

        So a computer that is busy with the frames before loses no motion between two looks.
        """
        self.looked = False
        self._looking.glimpse(frame)

    def finish(self) -> tuple[Event, ...]:
        """Return what was still waited for with the last frame, in order of time."""
        return self._scene.finish() if self._start is not None else ()

    def _is_idle(self, t_ns: int) -> bool:
        """Whether nothing is going on: no hand is there, nothing moved or was read for a while."""
        still_ns = t_ns - self._looking.stillness.last_move_ns
        return not self.hands and not self._reading and still_ns > IDLE_NS

    def _watch_hands(self, seen: Future[tuple[HandSeen, ...]], t_ns: int) -> tuple[Event, ...]:
        try:
            self.hands = seen.result()
        except FieldError:
            self.hands = ()
        if self.hands:
            self._hand_ns = t_ns
        for hand in self.hands:
            zone = zone_at(self.plan, hand.tip_mm)
            if zone is not None:
                self._visits[zone.name] = t_ns
        self._mixing.step(t_ns, self._stirs())
        for shuffle in self._mixing.held:
            self._scene.mixed(shuffle)
        told = self._hand_watch.step(self.hands, t_ns)
        self._touches.extend(self._hand_watch.touches)
        return told if self._start is not None else ()

    def _stirs(self) -> Iterator[Stir]:
        """Yield what moves about each deck that nothing was dealt from yet."""
        for name in self._scene.to_be_mixed():
            at_mm = next(zone.center_mm for zone in self.plan.zones if zone.name == name)
            owner = owner_of(name)
            places = [box_about(self._view.to_px(np.array(at_mm) + LIES_MM * CORNERS))]
            if owner is not None:
                places.append(self._before(owner))
            share = max(self._looking.stillness.moving_share(place) for place in places)
            seats = (owner,) if owner else self._seats_about(at_mm)
            deals = self._fingers_at(self._scene.deals_at(name), owner)
            yield Stir(name, share, seats, self._scene.dealt_ns(name), deals)

    def _fingers_at(self, places_mm: Iterable[PointMm], seat: str | None) -> bool:
        """Whether fingers, of a player if one is told, are at one of some places."""
        tips = [hand.tip_mm for hand in self.hands if seat is None or hand.seat in (seat, None)]
        return any(dist(tip_mm, at_mm) < DEALS_MM for tip_mm in tips for at_mm in places_mm)

    def _seats_about(self, at_mm: PointMm) -> tuple[str, ...]:
        """Return whose hands are about a place."""
        near = (hand.seat for hand in self.hands if dist(hand.tip_mm, at_mm) < ABOUT_MM)
        return tuple(seat for seat in near if seat is not None)

    def _before(self, seat: str) -> Box:
        """Return where in the picture a player holds a deck in his hands."""
        place = next(one for one in self.plan.seats if one.seat == seat)
        own_mm = np.mean([z.center_mm for z in self.plan.zones if owner_of(z.name) == seat], axis=0)
        inward = own_mm - np.array(place.center_mm)
        held_mm = place.center_mm + inward * (HELD_MM / max(1.0, float(np.linalg.norm(inward))))
        return box_about(self._view.to_px(held_mm + HELD_MM * CORNERS))

    def _hidden(self) -> tuple[str, ...]:
        """Return the zones whose middle a hand or arm hides now."""
        if not self.hands:
            return ()
        watch = self._hand_watch
        return tuple(z.name for z in self._card_zones if watch.covers(z.center_mm))

    def _black(self) -> Iterator[str]:
        """Yield the zones that lie in a black part of the picture now."""
        for zone in self._card_zones if self._looking.stillness.is_partly_black else ():
            if self._looking.stillness.is_black(self._middle_of(zone.center_mm)):
                yield zone.name

    def _middle_of(self, center_mm: PointMm) -> Box:
        """Return the middle of a zone in the picture."""
        reach = CORNERS * ZONE_MIDDLE_MM / 2
        return box_about(self._view.to_px(np.array(center_mm) + reach))

    def stirring_share(self, markers: Sequence[Marker]) -> float:
        """Return how many of the markers stirred since the look before, 0 to 1; 0 for none."""
        if not markers:
            return 0.0
        corners_px = self._view.to_px(np.array([one.corners_mm for one in markers]).reshape(-1, 2))
        boxes = map(box_about, corners_px.reshape(-1, 4, 2))
        return sum(self._looking.stillness.stirring_share(box) > 0 for box in boxes) / len(markers)

    def _understand(self, t_ns: int) -> Iterator[Event]:
        settled = Settled(
            t_ns,
            self._owners.told(self._looking.tracks.spots()),
            self._stirred_ns,
            self._hand_watch.covers,
            self._looking.shown,
            self._looking.stirring,
            self._looking.glimpsed,
        )
        if self._start is None:
            if self._is_known(t_ns):
                self._start = self._scene.begin(settled, self._known)
            return
        yield from self._scene.step(settled)

    def _is_known(self, t_ns: int) -> bool:
        """Whether all that lies there first is known, and also where nothing does."""
        if not self._looking.stillness.begun:
            return False
        self._read_ns = t_ns if self._read_ns is None else self._read_ns
        return t_ns - self._read_ns >= NAMED_NS and not self._looking.is_unsure(self._read_ns)

    def _seat_at(self, at_mm: PointMm) -> str | None:
        zone = zone_at(self.plan, at_mm)
        return None if zone is None else owner_of(zone.name)

    def _stirred_ns(self, zone: str) -> int:
        """Return when a hand was last at a zone; without hands, when anything moved over it."""
        if self._looking.stillness.t_ns - self._hand_ns < HANDS_NS:
            return self._visits.get(zone, 0)
        known = next((one for one in self.plan.zones if one.name == zone), None)
        if known is None:
            return 0
        return self._looking.stillness.moved_ns(self._middle_of(known.center_mm))

    def _touched(self, seat: str | None, at_mm: PointMm, t0_ns: int, t1_ns: int) -> Contact | None:
        """Return the last time at which a seat's hand came down near a place."""
        near = [
            touch
            for touch in self._touches
            if touch.on
            and touch.hand.seat == seat
            and t0_ns <= touch.t_ns <= t1_ns
            and dist(touch.at_mm, at_mm) <= TOUCH_MM
        ]
        if not near:
            return None
        last = max(near, key=lambda touch: touch.t_ns)
        hand = last.hand
        return Contact(Actor(seat, hand.hand), last.t_ns, last.u_ns, last.at_mm, hand.root_mm)

    def _came_down(self, at_mm: PointMm, t0_ns: int, t1_ns: int) -> Landed | None:
        """Return when anybody's hand came down last at a place."""
        last = self._scene.came_down(at_mm, t0_ns, t1_ns)
        return None if last is None else Landed(last.t_ns, last.u_ns)

    def _mapping(self, view: TableView) -> Mapping:
        return Mapping(view.to_mm, view.to_px, *view.size_px)


def _gap(last_ns: int | None, t_ns: int) -> Iterator[Event]:
    """Yield that the view was lost where frames are missing for long."""
    if last_ns is not None and t_ns - last_ns > GAP_NS:
        yield _view(ViewLost, last_ns)
        yield _view(ViewBack, t_ns)


def _view(kind: type[ViewLost] | type[ViewBack], t_ns: int) -> Event:
    return kind(n=0, t_ns=t_ns, source="camera", conf=1.0, zones=("*",), cause="gap")


def _forearms(hands: Iterable[HandSeen]) -> Iterator[tuple[PointMm, PointMm]]:
    """Yield the arms of hands that reach so far, from the table's edge to the wrist."""
    for hand in hands:
        (x, y), (root_x, root_y) = hand.tip_mm, hand.root_mm
        reach_mm = dist(hand.tip_mm, hand.root_mm)
        if reach_mm > HAND_LENGTH_MM:
            share = HAND_LENGTH_MM / reach_mm
            yield hand.root_mm, (x + (root_x - x) * share, y + (root_y - y) * share)
