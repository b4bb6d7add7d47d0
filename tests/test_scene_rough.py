"""Piles laid askew, cards read late, hands that cover: what is told then, and how surely."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import dist

import pytest

from referee.commands.benches._comparing import compared
from referee.commands.benches._flaws import ROUGH
from referee.commands.benches.looks import play, tally
from referee.play import legal_match
from referee.table.evidence import Contact
from referee.table.found import LIKELY, SHOWN
from referee.table.habits import NERTZ, XIX
from referee.table.layout import plan
from referee.table.ordering import Ordering, Pending
from referee.table.scene import Scene
from referee.table.settled import Settled
from referee.table.spots import Zones
from referee.values import (
    Actor,
    CardLifted,
    CardPlaced,
    CardTurned,
    Event,
    Laid,
    PileMoved,
    PileTaken,
    Placement,
    PointMm,
    Reread,
    Setting,
    card,
)
from referee.values.spots import Spot

MS = 1_000_000
A, B = Actor("A", "R"), Actor("B", "R")


@dataclass(frozen=True)
class Touched:
    """A hand came down at a zone, so many millimetres beside its middle."""

    actor: Actor
    t_ms: int
    zone: str
    off_mm: PointMm = (0.0, 0.0)


class Table:
    """A table of two, told of by spots: each a number, a face and where it lies."""

    def __init__(self, game: str, *touches: Touched, known: str = "", **options: str) -> None:
        agreed = tuple(Setting(name, value) for name, value in options.items())
        self.plan = replace(plan(game, ("A", "B")), options=agreed)
        self.zones = {zone.name: zone for zone in self.plan.zones}
        self.touches = touches
        self.scene = Scene(self.plan, self._who, self._touched, self._way)
        self._known = tuple(
            Placement(zone, tuple(Laid(card(c), not card(c).hidden) for c in cards))
            for zone, *cards in (pile.split() for pile in known.split("|") if pile)
        )
        self._still: dict[int, int] = {}
        self._moving: dict[int, int] = {}
        # How many of its indices a look showed, where that was not one.
        self.indices: dict[int, int] = {}
        # The spots of which it was seen how they slowed down.
        self.measured: set[int] = set()
        # How spots lie that were not read upright.
        self.angles_deg: dict[int, float] = {}
        # Where spots lie if the index that was read is one of their other side.
        self.others: dict[int, tuple[str, PointMm]] = {}
        # How surely a look was read, where not as all others were.
        self.confs: dict[int, float] = {}
        # Zones over which a hand rests.
        self.hands_over: tuple[str, ...] = ()
        # Zones that were not seen free of hands yet.
        self.unseen: tuple[str, ...] = ()
        # Zones in which a card is read under a hand.
        self.glimpsed: tuple[str, ...] = ()
        # Where a seat's fingers were seen, when in milliseconds, and how far beside a middle.
        self.ways: dict[str, tuple[tuple[int, str] | tuple[int, str, PointMm], ...]] = {}
        # Where something moves, from when to when in milliseconds.
        self.stirs: tuple[tuple[str, int, int], ...] = ()

    def _covered(self, at_mm: PointMm) -> bool:
        return any(dist(self.zones[zone].center_mm, at_mm) < 50.0 for zone in self.hands_over)

    def _shown(self, at_mm: PointMm, angle_deg: float) -> bool:
        return all(dist(self.zones[zone].center_mm, at_mm) > 50.0 for zone in self.unseen)

    def _glimpsed(self, at_mm: PointMm) -> bool:
        return any(dist(self.zones[zone].center_mm, at_mm) < 50.0 for zone in self.glimpsed)

    def _at(self, zone: str, off_mm: PointMm) -> PointMm:
        x, y = self.zones[zone].center_mm
        return x + off_mm[0], y + off_mm[1]

    def _touched(self, seat: str | None, at_mm: PointMm, t0_ns: int, t1_ns: int) -> Contact | None:
        edge_mm = next((one.center_mm for one in self.plan.seats if one.seat == seat), None)
        near = [
            Contact(one.actor, one.t_ms * MS, 25 * MS, self._at(one.zone, one.off_mm), edge_mm)
            for one in self.touches
            if one.actor.seat == seat and t0_ns <= one.t_ms * MS <= t1_ns
        ]
        near = [one for one in near if one.apart_mm(at_mm) < 75.0]
        return max(near, key=lambda one: one.t_ns, default=None)

    def _way(self, seat: str, t0_ns: int, t1_ns: int) -> list[tuple[int, PointMm]]:
        way = (
            (t_ms * MS, self._at(zone, off[0] if off else (0, 0)))
            for t_ms, zone, *off in self.ways.get(seat, ())
        )
        return [one for one in way if t0_ns <= one[0] <= t1_ns]

    def _who(self, t0_ns: int, t1_ns: int, at_mm: PointMm) -> Actor:
        found = [self._touched(s, at_mm, t0_ns - 100 * MS, t1_ns + 100 * MS) for s in ("A", "B")]
        named = [one for one in found if one is not None]
        return min(named, key=lambda one: one.apart_mm(at_mm)).actor if named else Actor()

    def _stirring(self, t_ms: int, at_mm: PointMm) -> float:
        near = (dist(self.zones[zone].center_mm, at_mm) < 50.0 and from_ms <= t_ms <= until_ms
                for zone, from_ms, until_ms in self.stirs)  # fmt: skip
        return float(any(near))

    def _stirred_ns(self, t_ms: int, zone: str) -> int:
        began = (min(t_ms, until_ms) for name, from_ms, until_ms in self.stirs
                 if name == zone and from_ms <= t_ms)  # fmt: skip
        return MS * max(began, default=0)

    def still(self, number: int, t_ms: int, moving_ms: int | None = None) -> None:
        """Let a spot have lain there since a time, and have come after another one."""
        self._still[number] = t_ms * MS
        if moving_ms is not None:
            self._moving[number] = moving_ms * MS

    def look(
        self, t_ms: int, *spots: tuple[int, str, str, PointMm], conf: float = 0.99
    ) -> list[Event]:
        """Take a look; a spot has lain there since it was first seen, or 400 ms before."""
        seen = []
        for number, label, zone, off_mm in spots:
            still_ns = self._still.setdefault(number, (t_ms - 400) * MS)
            at_mm = self._at(zone, off_mm)
            moving_ns = self._moving.get(number, still_ns - 33 * MS)
            indices = self.indices.get(number, 1)
            angle_deg = self.angles_deg.get(number, 0.0)
            sure, whole_ns = self.confs.get(number, conf), t_ms * MS if indices > 1 else 0
            seen.append(
                Spot(number, label, sure, at_mm, angle_deg, moving_ns, still_ns,
                     indices=indices, whole_ns=whole_ns, measured=number in self.measured,
                     other_mm=self._at(*self.others[number]) if number in self.others else None)
            )  # fmt: skip
        stirred_ns = partial(self._stirred_ns, t_ms)
        now = Settled(t_ms * MS, tuple(seen), stirred_ns, self._covered, self._shown,
                      stirring=lambda at_mm, _: self._stirring(t_ms, at_mm),
                      glimpsed=self._glimpsed)  # fmt: skip
        if not self._still or t_ms == 0:
            self.scene.begin(now, self._known)
            return []
        return list(self.scene.step(now))

    def looks(
        self, from_ms: int, until_ms: int, *spots: tuple[int, str, str, PointMm]
    ) -> list[Event]:
        return [e for t_ms in range(from_ms, until_ms, 66) for e in self.look(t_ms, *spots)]


def moves_of(told: list[Event]) -> list[tuple[str, str, int]]:
    """Return from where to where cards went, and how many."""
    return [
        (event.origin, event.target, getattr(event, "count", 1))
        for event in told
        if isinstance(event, CardPlaced | PileMoved)
    ]


STOCK = (1, "BACK", "A.stock", (0.0, 0.0))
NINE = (2, "9D", "A.work.1", (0.0, 0.0))
BACKS = "A.stock " + "(2C) " * 20 + "| A.work.1 A:9D"
L = Actor("A", "L")


def test_cards_of_one_draw_that_lie_askew_are_one_draw() -> None:
    table = Table("nertz", Touched(L, 4_700, "A.stock"), known=BACKS)
    table.look(0, STOCK, NINE)
    told = table.looks(
        5_400, 7_000, STOCK, NINE, (3, "8S", "A.waste", (5, 0)), (4, "KD", "A.waste", (-6, 1))
    )
    (draw,) = told
    assert isinstance(draw, PileMoved)
    # Which of the two lies on top nobody saw.
    assert (draw.count, draw.flip, draw.cards) == (3, True, ())


@pytest.mark.parametrize(
    ("other", "sure"), [(("A.work.2", (-20.0, 0.0)), False), (("A.work.1", (30.0, -22.0)), True)]
)
def test_a_card_of_which_one_index_shows_may_lie_on_the_pile_beside(
    other: tuple[str, PointMm], *, sure: bool
) -> None:
    """Decks with four indices do not tell on which side of it their card lies."""
    touches = Touched(A, 5_000, "A.waste"), Touched(A, 5_500, "A.work.1", (0, -22))
    known = "A.waste A:8S | A.work.1 A:9D | A.work.2 A:9H"
    table = Table("nertz", *touches, known=known)
    table.others[4] = other
    beside = (3, "9H", "A.work.2", (0.0, 0.0))
    table.look(0, (1, "8S", "A.waste", (0.0, 0.0)), NINE, beside)
    table.looks(5_060, 5_400, NINE, beside)
    told = table.looks(5_900, 8_000, NINE, beside, (4, "8S", "A.work.1", (0.0, -22.0)))
    (placed,) = (one for one in told if isinstance(one, CardPlaced))
    assert placed.conf is not None
    assert (placed.target, placed.conf > LIKELY) == ("A.work.1", sure)
    assert ("8S" in table.scene.shown().labels["A.work.1"]) is sure


def test_of_two_cards_that_show_on_the_waste_the_one_that_is_played_was_on_top() -> None:
    touches = (Touched(L, 4_700, "A.stock"), Touched(A, 6_000, "A.waste"),
               Touched(A, 6_500, "A.work.1", (0, -22)))  # fmt: skip
    table = Table("nertz", *touches, known=BACKS)
    table.look(0, STOCK, NINE)
    upper, lower = (3, "8S", "A.waste", (5.0, 0.0)), (4, "KD", "A.waste", (-6.0, 1.0))
    table.looks(5_400, 6_000, STOCK, NINE, lower, upper)
    told = table.looks(6_130, 6_800, STOCK, NINE, lower)
    told += table.looks(6_900, 9_000, STOCK, NINE, lower, (5, "8S", "A.work.1", (0.0, -22.0)))
    (placed,) = told
    assert isinstance(placed, CardPlaced)
    assert (placed.origin, placed.target, placed.pos) == ("A.waste", "A.work.1", None)


def test_a_card_of_a_cascade_whose_index_the_next_one_hides_is_known_to_lie_below_it() -> None:
    table = Table("nertz", Touched(A, 3_000, "A.work.1"), known="A.work.1 A:9D | A.nerts (2C) A:8S")
    eight, back = (1, "8S", "A.nerts", (0.0, 0.0)), (3, "BACK", "A.nerts", (0.0, 0.0))
    table.look(0, eight, NINE)
    table.looks(1_000, 2_500, eight, NINE)
    table.looks(2_700, 3_300, back, NINE)
    table.still(4, 3_000)
    (x_mm, y_mm) = Zones(table.plan).way_mm("A.work.1")
    table.looks(3_400, 5_000, back, (4, "8S", "A.work.1", (x_mm, y_mm)))
    assert sorted(table.scene.shown().labels["A.work.1"]) == ["8S", "9D"]


def test_a_card_turned_on_a_pile_laid_askew_is_its_top_card() -> None:
    known = "A.nerts (2C) (3C) (4C) (5C) A:KH | A.work.1 A:9D"
    table = Table("nertz", Touched(A, 5_000, "A.nerts"), Touched(A, 6_000, "A.nerts"), known=known)
    table.look(0, (1, "KH", "A.nerts", (0, 0)), NINE)
    away = (5, "KH", "A.work.2", (0.0, 0.0))
    told = table.looks(5_400, 6_000, (6, "BACK", "A.nerts", (8, 6)), NINE, away)
    told += table.looks(6_400, 8_000, (7, "7S", "A.nerts", (-7, -7)), NINE, away)
    turned = [event for event in told if isinstance(event, CardTurned)]
    assert [(str(one.card), one.pos) for one in turned] == [("A:7S", None)]


def test_a_face_read_late_is_told_before_the_card_that_covers_it() -> None:
    """The judge must not take the later card for the one that was read late."""
    table = Table("nerves", Touched(A, 4_600, "play.A"), Touched(B, 5_900, "play.A"),
                  known="play.A 8C | A.rest (2C) (3C) | B.rest (2D) (3D)")  # fmt: skip
    first, mine, theirs = (1, "8C", "play.A", (0.0, 0.0)), STOCK_A, STOCK_B
    table.look(0, first, mine, theirs)
    told = table.looks(5_000, 6_200, (4, "??", "play.A", (3, 0)), mine, theirs)
    told += table.looks(6_250, 6_300, (4, "9H", "play.A", (3, 0)), mine, theirs)
    told += table.looks(6_300, 9_000, (5, "TC", "play.A", (-3, 2)), mine, theirs)
    # What the camera tells it of is the order of telling, not only the time.
    faces = [str(e.new) if isinstance(e, Reread) else str(e.card) for e in told
             if isinstance(e, Reread | CardPlaced)]  # fmt: skip
    assert faces.index("9H") < faces.index("TC")
    rereads = [event for event in told if isinstance(event, Reread)]
    placed = next(e for e in told if isinstance(e, CardPlaced) and str(e.card) == "TC")
    assert all(one.pos == 0 and one.t_ns < placed.t_ns for one in rereads)


def test_a_card_laid_where_anothers_fingers_were_meanwhile_is_not_surely_on_the_one_seen() -> None:
    """What A may have laid under his hand, B has covered before he drew it back."""
    table = Table("nerves", Touched(B, 5_900, "play.A"),
                  known="play.A 8C | A.rest (2C) (3C) | B.arr.1 TC")  # fmt: skip
    first, theirs = (1, "8C", "play.A", (0.0, 0.0)), (3, "TC", "B.arr.1", (0.0, 0.0))
    table.ways["A"] = ((5_500, "play.A"), (5_600, "play.A"))
    table.look(0, first, STOCK_A, theirs)
    table.looks(4_000, 5_400, first, STOCK_A, theirs)
    table.hands_over = ("play.A",)
    table.looks(5_400, 6_200, first, STOCK_A)
    table.hands_over = ()
    told = table.looks(6_250, 9_000, STOCK_A, (5, "TC", "play.A", (-3.0, 2.0)))
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert (str(placed.card), placed.target) == ("TC", "play.A")
    assert placed.conf is not None
    assert placed.conf < 0.97


@pytest.mark.parametrize(("again_ms", "t_ms"), [(4_500, 4_400), (5_200, 5_490)])
def test_a_card_that_an_arm_hid_for_long_came_when_fingers_came_down_there(
    again_ms: int, t_ms: int
) -> None:
    """Who came down there twice, with time for two acts, laid it nobody knows when."""
    touches = (Touched(A, 3_500, "A.work.1"), Touched(A, 4_300, "A.work.2"),
               Touched(A, again_ms, "A.work.2"))  # fmt: skip
    table = Table("nertz", *touches, known="A.work.1 A:9D A:8S | A.work.2 A:9H")
    eight, red = (1, "8S", "A.work.1", (0.0, -18.0)), (3, "9H", "A.work.2", (0.0, 0.0))
    table.look(0, NINE, eight, red)
    table.looks(1_000, 3_400, NINE, eight, red)
    table.looks(3_600, 5_400, NINE, red)
    table.still(4, 5_500, moving_ms=3_600)
    (laid,) = table.looks(5_600, 8_000, NINE, red, (4, "8S", "A.work.2", (0.0, -18.0)))
    assert isinstance(laid, CardPlaced)
    assert (laid.origin, laid.t_ns // MS) == ("A.work.1", t_ms)


def test_two_cards_of_a_work_stack_laid_on_a_foundation_at_once_are_no_two_plays() -> None:
    """The lower one is never seen to lie there: it came with the other one."""
    touches = Touched(A, 4_600, "A.work.4"), Touched(A, 5_000, "F.1")
    table = Table("nertz", *touches, known="A.work.4 A:9H A:3D A:2D | F.1 A:AD | A.nerts (2C) (3C)")
    nine, ace = (1, "9H", "A.work.4", (0.0, 36.0)), (4, "AD", "F.1", (0.0, 0.0))
    three, two = (2, "3D", "A.work.4", (0.0, 18.0)), (3, "2D", "A.work.4", (0.0, 0.0))
    table.look(0, nine, three, two, ace)
    table.looks(1_000, 4_500, nine, three, two, ace)
    table.looks(5_100, 5_300, nine)
    table.still(5, 5_040)
    told = table.looks(5_400, 9_000, nine, (5, "2D", "F.1", (2.0, 1.0)))
    assert moves_of(told) == [("A.work.4", "F.1", 2)]


def test_a_card_that_skips_a_step_of_a_hidden_cascade_may_lie_on_one_that_nobody_saw() -> None:
    """A hand hid the column for long; the card laid then lies a step and a half on."""
    table = Table("nertz", Touched(A, 3_500, "A.nerts"), Touched(A, 4_000, "A.work.1"),
                  known="A.work.1 A:9D | A.nerts (2C) A:7S")  # fmt: skip
    seven, back = (3, "7S", "A.nerts", (0.0, 0.0)), (4, "BACK", "A.nerts", (1.0, 0.0))
    table.look(0, NINE, seven)
    table.looks(1_000, 2_000, NINE, seven)
    table.hands_over = ("A.work.1",)
    table.looks(2_000, 3_400, seven)
    table.looks(3_700, 4_200, back)
    table.hands_over = ()
    table.still(5, 4_000)
    (laid,) = table.looks(4_300, 7_000, back, (5, "7S", "A.work.1", (0.0, -27.0)))
    assert isinstance(laid, CardPlaced)
    assert laid.conf is not None
    assert laid.conf < 0.97


def test_a_waste_turned_over_under_the_hand_that_hid_the_empty_stock_is_told() -> None:
    """The hand never leaves, so the stock's back seems to lie there as it did from the start."""
    touches = (Touched(L, 4_700, "A.stock"), Touched(L, 6_600, "A.waste"),
               Touched(L, 7_000, "A.stock"))  # fmt: skip
    table = Table("nertz", *touches, known="A.stock (2C) (3C) | A.waste A:KD | A.work.1 A:9D")
    king, eight = (3, "KD", "A.waste", (0.0, 0.0)), (4, "8S", "A.waste", (2.0, 2.0))
    table.look(0, STOCK, NINE, king)
    table.hands_over = ("A.stock",)
    told = table.looks(5_200, 6_700, STOCK, NINE, eight)
    told += table.looks(6_800, 10_000, STOCK, NINE)
    assert moves_of(told) == [("A.stock", "A.waste", 2), ("A.waste", "A.stock", 3)]


def drawn_from_where_a_hand_rested(known: str, *lying: tuple[int, str, str, PointMm]) -> PileMoved:
    """Return the draw of a player whose hand lay over the stock when the camera began."""
    table = Table("nertz", Touched(L, 4_700, "A.stock"), known=known)
    table.unseen = ("A.stock",)
    table.look(0, *lying)
    told = table.looks(1_000, 4_600, *lying) + table.looks(
        5_100, 8_000, *lying, (9, "8S", "A.waste", (0.0, 0.0))
    )
    (draw,) = told
    assert isinstance(draw, PileMoved)
    return draw


def test_a_stock_that_a_hand_hides_when_the_match_begins_lies_where_it_was_told_to_lie() -> None:
    draw = drawn_from_where_a_hand_rested("A.stock (2C) (3C) | A.work.1 A:9D", NINE)
    assert (draw.origin, draw.target, draw.count) == ("A.stock", "A.waste", 2)


def test_a_stock_that_a_hand_hides_on_a_table_just_dealt_lies_there_as_the_deal_asks() -> None:
    row = [
        (20 + k, face, f"A.work.{k}", (0.0, 0.0)) for k, face in enumerate("9D 3S TC KH".split(), 1)
    ]
    draw = drawn_from_where_a_hand_rested("", (1, "QC", "A.nerts", (0.0, 0.0)), *row)
    assert (draw.origin, draw.target, draw.count) == ("A.stock", "A.waste", 3)


STOCK_A = (2, "BACK", "A.rest", (0.0, 0.0))
STOCK_B = (3, "BACK", "B.rest", (0.0, 0.0))


def test_a_hand_at_the_pile_beside_took_nothing_from_here() -> None:
    """Backs that the camera loses for a while are not said to be in the neighbour's hand."""
    table = Table("nerves", Touched(A, 5_000, "play.A", (-25.0, 0.0)),
                  known="play.A 8C | A.rest (2C) (3C) | B.rest (2D) (3D)")  # fmt: skip
    table.look(0, (1, "8C", "play.A", (0, 0)), STOCK_A, STOCK_B)
    told = table.looks(5_300, 12_000, (1, "8C", "play.A", (0, 0)), STOCK_A)
    assert not [event for event in told if isinstance(event, PileTaken)]


def test_a_hand_that_carries_a_pile_to_the_rest_beside_it_took_it_before() -> None:
    touches = (Touched(A, 5_000, "play.A"), Touched(A, 5_500, "A.rest", (-25.0, 0.0)))
    table = Table("nerves", *touches, known="play.A 8C | A.rest (2C) (3C) | B.rest (2D) (3D)")
    table.look(0, (1, "8C", "play.A", (0, 0)), STOCK_A, STOCK_B)
    told = table.looks(5_600, 8_000, STOCK_A, STOCK_B)
    moved = [event for event in told if isinstance(event, PileMoved)]
    assert [(one.origin, one.target, one.actor.seat) for one in moved] == [
        ("play.A", "A.rest", "A")
    ]


def test_a_card_laid_from_the_backs_and_covered_at_once_is_told_without_its_face() -> None:
    touches = (
        Touched(A, 4_000, "A.rest"),
        Touched(A, 4_500, "play.B"),
        Touched(B, 5_100, "play.B"),
    )
    table = Table("nerves", *touches,
                  known="play.B 8C | A.rest (2C) (3C) | B.rest (2D) (3D) | B.arr.1 9D")  # fmt: skip
    nine = (4, "9D", "B.arr.1", (0.0, 0.0))
    table.look(0, (1, "8C", "play.B", (0, 0)), STOCK_A, STOCK_B, nine)
    table.looks(4_600, 4_900, (1, "8C", "play.B", (0, 0)), STOCK_A, STOCK_B)
    told = table.looks(5_500, 8_000, (5, "9D", "play.B", (3, 1)), STOCK_A, STOCK_B)
    placed = [e for e in told if isinstance(e, CardPlaced) and e.target == "play.B"]
    assert [(str(e.card), e.origin) for e in placed] == [("??", "A.rest"), ("9D", "B.arr.1")]
    # Nobody is accused over what lies on a card that was not seen.
    assert all(event.conf is not None and event.conf < 0.97 for event in placed)


def test_a_card_on_an_empty_foundation_where_another_hand_was_before_is_not_sure() -> None:
    touches = (Touched(B, 4_500, "F.1"), Touched(A, 5_050, "F.1"))
    table = Table("nertz", *touches, known="A.work.1 A:2D | B.work.1 B:KC")
    ours, theirs = (1, "2D", "A.work.1", (0.0, 0.0)), (2, "KC", "B.work.1", (0.0, 0.0))
    table.look(0, ours, theirs)
    table.looks(4_800, 5_300, theirs)
    (placed,) = table.looks(5_400, 8_000, theirs, (3, "2D", "F.1", (0, 0)))
    assert isinstance(placed, CardPlaced)
    assert placed.conf is not None
    assert placed.conf < 0.97


def test_a_hand_that_turned_a_card_close_by_leaves_no_doubt_about_the_pile() -> None:
    # The middle of B's pile is as far from A's hand as that of the column where it turns a card.
    touches = (Touched(A, 4_000, "A.arr.1", (-10.0, 71.0)), Touched(A, 5_500, "play.B"))
    table = Table("nerves", *touches, known="play.B 8C | A.arr.1 (4H) | A.arr.3 5S")
    eight = (1, "8C", "play.B", (0.0, 0.0))
    table.look(0, eight, (2, "BACK", "A.arr.1", (0, 0)), (3, "5S", "A.arr.3", (0, 0)))
    four = (4, "4H", "A.arr.1", (0.0, 0.0))
    table.looks(4_400, 5_200, eight, four, (3, "5S", "A.arr.3", (0, 0)))
    told = table.looks(5_900, 8_000, eight, four, (5, "5S", "play.B", (3, 1)))
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert placed.conf is not None
    assert placed.conf >= 0.97


def _turned_below_a_king() -> list[Event]:
    """Return what is told where a king is lifted off its pile and the next card is turned up."""
    known = "A.nerts (2C) (3C) (4C) A:KH | A.work.1 A:9D"
    table = Table("nertz", Touched(A, 5_000, "A.nerts"), known=known)
    table.look(0, (1, "KH", "A.nerts", (0, 0)), NINE)
    told = table.looks(5_200, 5_700, NINE, (4, "BACK", "A.nerts", (1, 1)))
    return told + table.looks(5_800, 8_000, NINE, (3, "7S", "A.nerts", (5, 4)))


def test_a_card_turned_below_one_that_is_still_in_the_air_is_not_sure() -> None:
    """What lies there may be the very card, put back, or read wrongly before."""
    told = _turned_below_a_king()
    (turn,) = (event for event in told if isinstance(event, CardTurned))
    assert turn.conf is not None
    assert turn.conf < 0.97


def test_of_a_fanned_turn_the_card_that_hides_the_others_indices_lies_on_top() -> None:
    table = Table("nertz", Touched(L, 4_700, "A.stock"), known=BACKS)
    table.look(0, STOCK, NINE)
    # The lower ones were found again a little sooner, and one of them much later.
    for number, t_ms in ((3, 5_010), (4, 5_000), (5, 5_170)):
        table.still(number, t_ms, t_ms - 70)
    table.indices |= {3: 4, 4: 2, 5: 2}
    fan = (3, "8D", "A.waste", (0.0, 0.0)), (4, "3S", "A.waste", (10.0, 0.0))
    told = table.looks(5_400, 7_000, STOCK, NINE, *fan)
    told += table.looks(7_000, 9_000, STOCK, NINE, *fan, (5, "7D", "A.waste", (20.0, 1.0)))
    assert moves_of(told) == [("A.stock", "A.waste", 3)]
    assert [one.face for one in table.scene.piles["A.waste"]] == ["7D", "3S", "8D"]


def test_a_card_is_told_to_be_lifted_that_is_in_one_hand_when_the_other_turns_up_the_next() -> None:
    told = _turned_below_a_king()
    lift, turn = (event for event in told if isinstance(event, CardLifted | CardTurned))
    assert isinstance(lift, CardLifted)
    assert isinstance(turn, CardTurned)
    assert (lift.card.face, lift.zone, lift.t_ns < turn.t_ns) == ("KH", "A.nerts", True)


def test_a_card_that_lay_before_its_origin_was_touched_did_not_surely_come_from_there() -> None:
    touches = (Touched(A, 4_900, "A.work.2"), Touched(A, 5_200, "A.work.1"))
    table = Table("nertz", *touches, known="A.work.1 A:9D | A.work.3 A:TS")
    ten = (4, "TS", "A.work.3", (0, 0))
    table.look(0, NINE, ten)
    told = table.looks(5_250, 5_400, ten)
    told += table.looks(5_420, 8_000, ten, (3, "9D", "A.work.2", (0, 0)))
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert placed.conf is not None
    assert placed.conf < 0.97


# Two cards of the talon, and an open one of a player's.
FIRST, SECOND = (1, "BACK", "talon.1", (0.0, 0.0)), (2, "BACK", "talon.2", (0.0, 0.0))
OPEN = (3, "3", "A.open", (0.0, 0.0))


def test_a_talon_card_that_was_lost_from_sight_is_still_swapped() -> None:
    touches = (Touched(A, 6_000, "A.open"), Touched(A, 6_500, "talon.2"),
               Touched(A, 8_000, "talon.2"))  # fmt: skip
    table = Table("xix", *touches, known="talon.1 (4) | talon.2 (9) | A.open 3")
    table.look(0, FIRST, SECOND, OPEN)
    table.looks(5_400, 5_900, FIRST, OPEN)
    table.looks(6_000, 6_800, FIRST)
    told = table.looks(6_900, 10_000, FIRST, (4, "3", "talon.2", (3, 2)))
    swap = [(e.origin, e.target, e.pos) for e in told if isinstance(e, CardPlaced)]
    assert swap == [("A.open", "talon.2", None), ("talon.2", "A.closed", 1)]


@pytest.mark.parametrize(("first_ms", "swapped"), [(5_300, True), (6_200, False)])
def test_who_comes_to_a_talon_card_and_then_lays_his_there_took_it_first(
    first_ms: int, *, swapped: bool
) -> None:
    """His hand, or the card in it, hides the place all the while; who only lays comes but once."""
    touches = Touched(A, first_ms, "talon.2"), Touched(A, 6_500, "talon.2")
    table = Table("xix", *touches, known="talon.1 (4) | talon.2 (9) | A.open 3")
    table.looks(0, 5_200, FIRST, SECOND, OPEN)
    table.looks(5_900, 6_400, FIRST)
    told = table.looks(6_600, 10_000, FIRST, (4, "3", "talon.2", (3, 2)))
    *taken, laid = (e for e in told if isinstance(e, CardPlaced))
    assert (laid.origin, laid.target) == ("A.open", "talon.2")
    assert [(e.origin, e.target) for e in taken] == [("talon.2", "A.closed")] * swapped
    for one_taken in taken:
        assert one_taken.u_ns is not None
        assert abs(one_taken.t_ns - 5_900_000_000) <= one_taken.u_ns


def test_who_moves_his_card_on_from_the_talon_has_not_pulled_out_what_lay_below() -> None:
    touches = (Touched(A, 5_300, "A.open"), Touched(A, 6_000, "talon.2"),
               Touched(A, 9_000, "talon.2"), Touched(A, 9_600, "talon.3"))  # fmt: skip
    table = Table("xix", *touches, known="talon.1 (4) | talon.2 (9) | talon.3 | A.open 3")
    table.looks(0, 5_200, FIRST, SECOND, OPEN)
    table.looks(5_300, 5_900, FIRST, SECOND)
    table.looks(6_100, 9_000, FIRST, laid := (4, "3", "talon.2", (3, 2)))
    # The hand that came back is gone, and what it left there was not looked at yet.
    table.unseen = ("talon.2",)
    told = table.looks(9_100, 9_600, FIRST, laid)
    table.unseen = ()
    told += table.looks(9_700, 12_000, FIRST, SECOND, (5, "3", "talon.3", (0.0, 0.0)))
    moved = [(e.origin, e.target) for e in told if isinstance(e, CardPlaced)]
    assert moved == [("talon.2", "talon.3")]


def test_who_took_the_talon_card_beside_it_has_not_taken_that_one_too() -> None:
    touches = Touched(A, 5_300, "talon.1", (24.0, 0.0)), Touched(A, 7_500, "talon.2")
    table = Table("xix", *touches, known="talon.1 (4) | talon.2 (9) | A.open 3")
    table.looks(0, 5_200, FIRST, SECOND, OPEN)
    told = table.looks(5_900, 7_000, SECOND, OPEN)
    told += table.looks(7_100, 7_400, SECOND)
    told += table.looks(7_600, 12_000, (4, "3", "talon.2", (3, 2)))
    swap = [(e.origin, e.target) for e in told if isinstance(e, CardPlaced)]
    assert sorted(swap) == [("A.open", "talon.2"), ("talon.1", "A.closed")]


def test_a_card_laid_from_the_hand_past_the_talon_is_none_of_the_talon() -> None:
    touches = (Touched(B, 5_300, "talon.1"), Touched(B, 5_900, "mid"))
    table = Table("xix", *touches, known="talon.1 (4) | B.open 12 | B.closed (3) (5)")
    back, twelve = (1, "BACK", "talon.1", (0.0, 0.0)), (2, "12", "B.open", (0.0, 0.0))
    table.look(0, back, twelve)
    told = table.looks(6_300, 8_000, back, twelve, (3, "3", "mid", (0.0, 0.0)))
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert placed.origin == "B.closed"


def test_nothing_comes_from_below_a_card_that_lies_open_on_its_pile() -> None:
    known = "B.nerts (2C) (3C) (4C) B:AH | B.waste B:QC B:7S | B.work.1 B:9H"
    table = Table("nerds", Touched(B, 5_000, "B.nerts"), Touched(B, 5_700, "B.work.1", (0, 22)),
                  known=known)  # fmt: skip
    ace, nine = (1, "AH", "B.nerts", (0, 0)), (2, "9H", "B.work.1", (0, 0))
    seven = (3, "7S", "B.waste", (0, 0))
    table.look(0, ace, nine, seven)
    told = table.looks(5_400, 5_900, ace, nine, seven)
    told += table.looks(6_000, 9_000, ace, nine, seven, (4, "KC", "B.work.1", (0, 22)))
    sure = [e for e in told if isinstance(e, CardPlaced) and (e.conf or 0) >= 0.97]
    assert not [event for event in told if isinstance(event, CardTurned)]
    assert not [event for event in sure if event.origin == "B.nerts"]


def test_a_pile_under_which_a_missing_card_may_lie_is_not_surely_a_single_card() -> None:
    """The ten was put under the nine and shows nothing: both move onto the jack."""
    touches = (Touched(A, 5_000, "A.nerts"), Touched(A, 5_500, "A.work.1"),
               Touched(A, 9_500, "A.work.1"), Touched(A, 10_000, "A.work.2", (0, -22)))  # fmt: skip
    known = "A.nerts (2C) (3C) A:TC | A.work.1 A:9D | A.work.2 A:JH"
    table = Table("nertz", *touches, known=known)
    jack, back = (4, "JH", "A.work.2", (0.0, 0.0)), (5, "BACK", "A.nerts", (1.0, 1.0))
    table.look(0, (1, "TC", "A.nerts", (0, 0)), NINE, jack)
    table.looks(5_300, 9_300, back, NINE, jack)
    table.looks(9_600, 9_900, back, jack)
    told = table.looks(10_400, 13_000, back, jack, (6, "9D", "A.work.2", (0, -22)))
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert placed.conf is not None
    assert placed.conf < 0.97


def test_a_hand_that_took_a_back_beside_the_pile_leaves_no_doubt_about_it() -> None:
    # From A's backs to the middle of his playing pile it is as far as a hand reaches.
    touches = (Touched(A, 4_000, "A.rest", (-15.0, 0.0)), Touched(B, 5_500, "play.A"))
    table = Table("nerves", *touches, known="play.A 4C | A.rest (2C) (3C) | B.arr.3 5S")
    four, five = (1, "4C", "play.A", (0.0, 0.0)), (3, "5S", "B.arr.3", (0.0, 0.0))
    table.look(0, four, STOCK_A, five)
    table.looks(4_400, 5_200, four, STOCK_A)
    told = table.looks(5_900, 8_000, four, STOCK_A, (5, "5S", "play.A", (3, 1)))
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert placed.conf is not None
    assert placed.conf >= 0.97


@pytest.mark.parametrize(("until_ms", "laid"), [(5_800, 0), (8_000, 1)])
def test_fingers_that_look_like_a_joker_for_a_moment_are_no_card(until_ms: int, laid: int) -> None:
    table = Table("nerves", Touched(A, 5_000, "A.arr.2"), known="play.A 8C | A.held (2C) (3C)")
    eight = (1, "8C", "play.A", (0.0, 0.0))
    table.look(0, eight)
    told = table.looks(5_200, until_ms, eight, (2, "JOKER", "A.arr.2", (0.0, 0.0)))
    told += table.looks(until_ms, 9_000, eight)
    assert len([event for event in told if isinstance(event, CardPlaced)]) == laid


@pytest.mark.parametrize(("off_mm", "sure"), [(-9.0, True), (-31.0, False)])
def test_a_card_half_beside_one_that_still_shows_is_not_surely_laid_on_it(
    off_mm: float, *, sure: bool
) -> None:
    # Of a deck with four indices those on one side may be read as those on the other.
    table = Table("spy", Touched(B, 4_000, "B.stack"), Touched(B, 5_000, "B.pile.4"),
                  known="B.stack (8H) (KC) | B.pile.4 5C")  # fmt: skip
    back, five = (1, "BACK", "B.stack", (0.0, 0.0)), (2, "5C", "B.pile.4", (0.0, 0.0))
    table.look(0, back, five)
    table.still(3, 5_000)
    (laid,) = table.looks(5_200, 7_000, back, five, (3, "KC", "B.pile.4", (off_mm, 0.0)))
    assert isinstance(laid, CardPlaced)
    assert laid.conf is not None
    assert (laid.conf >= 0.97) is sure


def test_a_card_read_half_beside_a_cascade_lies_where_it_shows_when_the_hand_has_left() -> None:
    """Of a deck with four indices those on one side were read as those on the other."""
    table = Table("nerds", Touched(A, 4_000, "A.nerts"), Touched(A, 5_000, "A.work.2"),
                  known="A.nerts (3C) 5H | A.work.1 TC")  # fmt: skip
    five, ten = (1, "5H", "A.nerts", (0.0, 0.0)), (2, "TC", "A.work.1", (0.0, 0.0))
    nerts = (3, "BACK", "A.nerts", (0.0, 0.0))
    (x_mm, _), (other_mm, _) = (table.zones[f"A.work.{k}"].center_mm for k in (2, 1))
    beside = (53.0 if other_mm > x_mm else -53.0, 0.0)
    table.looks(0, 3_900, five, ten)
    table.still(4, 5_150)
    table.still(5, 5_000)
    told = table.looks(4_200, 5_200, nerts, ten)
    told += table.looks(5_300, 5_700, nerts, ten, (4, "5H", "A.work.2", beside))
    told += table.looks(5_700, 9_000, nerts, ten, (5, "5H", "A.work.2", (0.0, 0.0)))
    assert [(one.origin, one.target) for one in told if isinstance(one, CardPlaced)] == [
        ("A.nerts", "A.work.2")
    ]  # fmt: skip


def test_a_hand_that_withdraws_from_the_card_it_laid_leaves_no_doubt_about_the_pile() -> None:
    touches = (
        Touched(B, 4_000, "play.A"),
        Touched(B, 4_300, "play.A", (0.0, 33.0)),
        Touched(A, 5_500, "play.A"),
    )
    table = Table("nerves", *touches, known="play.A 4C | A.arr.2 6D | B.arr.3 5S")
    four, five, six = (
        (1, "4C", "play.A", (0.0, 0.0)),
        (2, "5S", "B.arr.3", (0, 0)),
        (3, "6D", "A.arr.2", (0, 0)),
    )
    table.look(0, four, five, six)
    laid = (4, "5S", "play.A", (1.0, 1.0))
    table.looks(4_400, 5_200, laid, six)
    told = table.looks(5_900, 8_000, (5, "6D", "play.A", (0, 2)))
    placed = [event for event in told if isinstance(event, CardPlaced) and str(event.card) == "6D"]
    assert [event.conf is not None and event.conf >= 0.97 for event in placed] == [True]


def test_a_known_card_that_was_covered_at_once_is_told_once() -> None:
    touches = (
        Touched(A, 4_000, "A.nerts"),
        Touched(A, 4_500, "F.1"),
        Touched(B, 4_900, "F.1"),
    )
    table = Table("nertz", *touches, known="F.1 A:AC | A.nerts (3C) (4C) A:2C | B.waste (5D) B:2C")
    ace = (1, "AC", "F.1", (0.0, 0.0))
    table.look(0, ace, (2, "2C", "A.nerts", (0, 0)), (3, "2C", "B.waste", (0, 0)))
    backs = (4, "BACK", "A.nerts", (0.0, 0.0))
    table.looks(4_300, 4_600, ace, backs, (3, "2C", "B.waste", (0, 0)))
    told = table.looks(5_300, 8_000, (5, "2C", "F.1", (2, 1)), backs)
    placed = [event for event in told if isinstance(event, CardPlaced) and event.target == "F.1"]
    assert [str(event.card) for event in placed] == ["A:2C", "B:2C"]


def test_a_card_that_nobody_saw_come_lies_on_its_foundation_all_the_same() -> None:
    """Or the next one would seem to lie on an empty place."""
    table = Table("nertz", Touched(B, 5_000, "F.1"), known="A.work.1 A:9D")
    table.look(0, NINE)
    told = table.looks(5_300, 8_000, NINE, (4, "AC", "F.1", (0, 0)))
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert (placed.card.face, placed.origin, placed.target) == ("AC", "off", "F.1")
    assert placed.conf is not None
    assert placed.conf < 0.5


def test_a_card_read_only_after_it_was_played_is_the_unread_one_that_left() -> None:
    touches = (Touched(L, 4_700, "A.stock"), Touched(A, 6_500, "A.waste"),
               Touched(A, 7_000, "F.1"))  # fmt: skip
    table = Table("nertz", *touches, known=BACKS)
    table.look(0, STOCK, NINE)
    table.looks(5_400, 6_400, STOCK, NINE, (3, "??", "A.waste", (5, 0)))
    below = (5, "KD", "A.waste", (-3.0, 2.0))
    told = table.looks(6_600, 6_700, STOCK, NINE)
    told += table.looks(6_700, 7_200, STOCK, NINE, below)
    told += table.looks(7_400, 10_000, STOCK, NINE, below, (4, "AC", "F.1", (0, 0)))
    (placed,) = (event for event in told if isinstance(event, CardPlaced))
    assert (str(placed.card), placed.origin, placed.target) == ("A:AC", "A.waste", "F.1")
    assert placed.conf is not None
    assert placed.conf < 0.97


def turned(t_ms: int) -> CardTurned:
    return CardTurned(n=0, t_ns=t_ms * MS, conf=0.99, actor=B, card=card("2C"), zone="B.nerts")


def placed(t_ms: int) -> CardPlaced:
    return CardPlaced(n=0, t_ns=t_ms * MS, conf=0.98, actor=B, card=card("8S"), origin="B.nerts",
                      target="B.work.4")  # fmt: skip


def test_a_card_turned_up_is_told_after_the_card_that_lay_on_it_was_laid() -> None:
    ordering, lifted = Ordering(NERTZ), (Pending("B.nerts", 400 * MS),)
    assert ordering.step(1_000 * MS, [turned(700)], lifted) == ()
    assert ordering.step(1_300 * MS, [placed(600)], ()) == (placed(600), turned(700))


def test_what_waited_in_vain_is_told_less_surely() -> None:
    ordering, lifted = Ordering(NERTZ), (Pending("B.nerts", 400 * MS),)
    ordering.step(1_000 * MS, [turned(700)], lifted)
    (told,) = ordering.step(2_100 * MS, [], lifted)
    assert told == replace(turned(700), conf=0.9)
    held = (Pending("B.nerts", 400 * MS, lasting=True),)
    assert ordering.step(2_200 * MS, [turned(2_150)], held) == (replace(turned(2_150), conf=0.9),)


def test_events_at_other_places_do_not_wait() -> None:
    assert Ordering(NERTZ).step(0, [turned(700)], (Pending("A.nerts", 0),)) == (turned(700),)


def test_what_is_laid_at_one_talon_place_waits_for_what_was_taken_from_another() -> None:
    traded = replace(placed(6_000), origin="B.open", target="talon.2", card=card("5"))
    taken = replace(placed(5_020), origin="talon.1", target="B.closed", card=card("??"), up=False)
    ordering, gone = Ordering(XIX), (Pending("talon.1", 4_420 * MS),)
    assert ordering.step(6_300 * MS, [traded], gone) == ()
    assert ordering.step(6_370 * MS, [taken], ()) == (taken, traded)
    # What was not taken after all makes it no less sure.
    assert ordering.step(6_300 * MS, [traded], gone) == ()
    assert ordering.step(7_400 * MS, [], gone) == (traded,)


# Seeds are fixed; every one of these told something wrong enough to accuse somebody once.
@pytest.mark.parametrize(
    ("game", "players", "seed", "faulty"),
    [("nertz", 2, 1, True), ("nertz", 3, 2, True), ("nerves", 2, 2, False), ("nerves", 2, 1, True),
     ("xix", 2, 1, False), ("xix", 2, 3, True), ("spy", 4, 4, True), ("nertz", 8, 7104, True),
     ("xix", 2, 7106, True), ("xix", 2, 7204, True), ("xix", 2, 7209, True)],
)  # fmt: skip
def test_nobody_is_accused_of_what_rough_looks_tell(
    game: str, players: int, seed: int, faulty: bool
) -> None:
    match = legal_match(game, players, seed, faulty=faulty)
    seen = play(match, ROUGH, "known", 90, seed)
    assert tally(compared(seen.true, seen.told), seen).accused == 0


PULLED = "A.nerts (2C) A:KS | A.work.2 A:7H A:QC | A.work.1 A:8S"
KING, QUEEN = (10, "KS", "A.nerts", (0.0, 0.0)), (11, "QC", "A.work.2", (0.0, -17.0))


def _pulled_out(*touches: Touched) -> CardPlaced:
    """Return what is told of a seven that is seen on an eight, while the queen on it stays."""
    table = Table("nertz", *touches, Touched(A, 3_000, "A.work.1", (0, -22)), known=PULLED)
    eight = (12, "8S", "A.work.1", (0.0, 0.0))
    table.look(0, KING, QUEEN, eight)
    table.looks(1_000, 3_000, KING, QUEEN, eight)
    table.still(13, 3_000)
    seven = (13, "7H", "A.work.1", (0.0, -22.0))
    (told,) = table.looks(3_200, 6_000, KING, QUEEN, eight, seven)
    assert isinstance(told, CardPlaced)
    return told


def test_a_card_pulled_out_from_under_another_that_stays_is_told_surely() -> None:
    told = _pulled_out(Touched(A, 2_500, "A.work.2"))
    assert (told.origin, told.pos) == ("A.work.2", 1)
    assert (told.conf or 0.0) >= 0.97


def test_a_card_is_not_surely_pulled_out_where_nobody_was_seen_there() -> None:
    told = _pulled_out()
    assert (told.conf or 0.0) < 0.97


WASTE = "A.nerts (2C) A:KS | A.waste A:9C A:7H A:QC | A.work.1 A:8S"


def test_a_card_below_the_top_of_the_waste_that_was_told_to_lie_there_is_told_surely() -> None:
    touches = Touched(A, 2_500, "A.waste"), Touched(A, 3_000, "A.work.1", (0, -22))
    table = Table("nertz", *touches, known=WASTE)
    queen, eight = (11, "QC", "A.waste", (0.0, 0.0)), (12, "8S", "A.work.1", (0.0, 0.0))
    table.look(0, KING, queen, eight)
    table.looks(1_000, 3_000, KING, queen, eight)
    table.still(13, 3_000)
    seven = (13, "7H", "A.work.1", (0.0, -22.0))
    (told,) = table.looks(3_200, 6_000, KING, queen, eight, seven)
    assert isinstance(told, CardPlaced)
    assert (told.origin, told.pos, (told.conf or 0.0) >= 0.97) == ("A.waste", 1, True)


def test_before_and_at_the_first_look_it_may_be_asked_what_is_seen() -> None:
    """A match that goes on is judged while the table is still being looked at."""
    table = Table("nertz")
    assert not table.scene.shown().labels
    table.look(0, (1, "7S", "A.work.1", (0.0, 0.0)))
    assert table.scene.shown().labels == {"A.work.1": ("7S",)}


def test_part_of_a_number_read_as_a_card_that_lies_elsewhere_is_no_card() -> None:
    table = Table("xix", Touched(A, 5_000, "talon.2"))
    six, sixteen = (1, "6", "talon.2", (0.0, 0.0)), (2, "16", "B.open", (0.0, 0.0))
    table.look(0, six, sixteen, (3, "6", "B.open", (6.0, 2.0)))
    assert {zone: [c.face for c in table.scene.piles[zone]] for zone in ("talon.2", "B.open")} == {
        "talon.2": ["6"],
        "B.open": ["16"],
    }
    assert table.looks(66, 3_000, six, sixteen, (3, "6", "B.open", (6.0, 2.0))) == []


@pytest.mark.parametrize(("off_mm", "sure"), [((3.0, -6.0), True), ((2.0, -19.0), False)])
def test_a_card_of_a_column_a_step_on_from_an_ace_pile_may_hide_another_one(
    off_mm: tuple[float, float], *, sure: bool
) -> None:
    """The one below it was never read where both lay."""
    table = Table("nertz", Touched(A, 4_600, "A.work.4"), Touched(A, 5_000, "F.1"))
    four, top = (1, "4C", "A.work.4", (0.0, 0.0)), (2, "4D", "F.1", (0.0, 0.0))
    table.look(0, four, top)
    table.looks(4_000, 4_500, four, top)
    (placed,) = table.looks(5_400, 9_000, (3, "4C", "F.1", off_mm))
    assert (str(placed.card), placed.target) == ("A:4C", "F.1")
    assert ((placed.conf or 0.0) >= SHOWN) is sure
