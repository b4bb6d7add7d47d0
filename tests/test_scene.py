"""From settled cards to events: whole matches of every game, and single moves on a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from tables import FRAME_NS, LaidTable, scenes

from referee.commands.benches._comparing import compared
from referee.commands.benches._flaws import PERFECT
from referee.commands.benches.looks import Tally, play, tally
from referee.play import legal_match
from referee.table.evidence import Contact
from referee.table.outages import Outages
from referee.table.scene import Scene
from referee.table.settled import Settled
from referee.values import (
    Actor,
    CardLifted,
    CardPlaced,
    CardTurned,
    Dealt,
    Event,
    Laid,
    PileMoved,
    PileTaken,
    Placement,
    PointMm,
    Reread,
    ViewBack,
    ViewLost,
    card,
)
from referee.values.spots import NOT_READ, Spot

S_NS = 1_000_000_000
A_RIGHT = Actor("A", "R")


class Watched:
    """A real table, and the scene that is understood of it."""

    def __init__(self, game: str, piles: str, *, told: bool = True) -> None:
        self.table = LaidTable(game, ("A", "B"))
        self.actor = A_RIGHT
        self.scene = Scene(self.table.plan, self._who)
        self.t_ns = 0
        known = []
        for line in piles.split("|"):
            zone, *cards = line.split()
            for text in cards:
                one = card(text)
                self.table.lay(zone, one, not one.hidden, 0)
            if told:
                laid = (Laid(card(text), not card(text).hidden) for text in cards)
                known.append(Placement(zone, tuple(laid)))
        self.start = self.scene.begin(self.table.settled(0), tuple(known))
        self.table.stirred.clear()

    def _who(self, t0_ns: int, t1_ns: int, at_mm: PointMm) -> Actor:
        return self.actor

    def at(self, zone: str) -> PointMm:
        return next(one.center_mm for one in self.table.plan.zones if one.name == zone)

    def act(self, event: Event) -> list[Event]:
        """Let an event happen; returns what is told of it within five seconds."""
        told = [e for _, looks in scenes(self.table, (event,)) for e in self._seen(looks)]
        self.t_ns = event.t_ns
        return told + self.wait(2)

    def wait(self, seconds: int) -> list[Event]:
        times = (self.t_ns + 3 * S_NS + k * 10 * FRAME_NS for k in range(seconds * 3))
        told = self._seen(self.table.settled(t_ns) for t_ns in times)
        self.t_ns += seconds * S_NS
        return told

    def _seen(self, looks: Iterable) -> list[Event]:  # type: ignore[type-arg]
        return [event for look in looks for event in self.scene.step(look)]


def place(text: str, origin: str, target: str, t_ns: int = 5 * S_NS, up: bool = True) -> CardPlaced:
    return CardPlaced(n=1, t_ns=t_ns, actor=A_RIGHT, card=card(text), origin=origin, target=target,
                      up=up)  # fmt: skip


def block(origin: str, target: str, count: int, t_ns: int = 5 * S_NS, **more: bool) -> PileMoved:
    return PileMoved(n=1, t_ns=t_ns, actor=A_RIGHT, origin=origin, target=target, count=count,
                     **more)  # fmt: skip


def only(events: list[Event]) -> Event:
    assert len(events) == 1, events
    return events[0]


def test_a_card_moves_from_one_open_pile_to_another() -> None:
    told = only(Watched("nertz", "A.work.1 A:9H | A.work.2 A:TS").act(
        place("A:9H", "A.work.1", "A.work.2")))  # fmt: skip
    assert isinstance(told, CardPlaced)
    assert (str(told.card), told.origin, told.target) == ("A:9H", "A.work.1", "A.work.2")
    assert told.actor == A_RIGHT
    assert told.u_ns is not None
    assert abs(told.t_ns - 5 * S_NS) <= told.u_ns


def test_the_top_cards_of_a_cascade_move_as_one_block() -> None:
    table = Watched("nertz", "A.work.1 A:TS A:9H A:8C | A.work.2 A:TC")
    told = only(table.act(block("A.work.1", "A.work.2", 2)))
    assert isinstance(told, PileMoved)
    assert (told.origin, told.target, told.count) == ("A.work.1", "A.work.2", 2)


def test_two_cards_of_a_cascade_laid_on_a_foundation_at_once_are_one_move() -> None:
    table = Watched("nertz", "A.work.1 A:9H A:3D A:2D | F.1 A:AD")
    told = only(table.act(block("A.work.1", "F.1", 2)))
    assert isinstance(told, PileMoved)
    assert (told.origin, told.target, told.count) == ("A.work.1", "F.1", 2)


def test_a_card_taken_from_below_another_is_told_with_its_depth() -> None:
    table = Watched("nertz", "A.work.1 A:TS A:9H | F.1 A:8S")
    event = CardPlaced(n=1, t_ns=5 * S_NS, actor=A_RIGHT, card=card("A:TS"), origin="A.work.1",
                       target="A.work.2", pos=1)  # fmt: skip
    told = only(table.act(event))
    assert isinstance(told, CardPlaced)
    assert told.pos == 1


def test_a_card_that_is_read_late_where_nobody_was_lay_there_from_the_start() -> None:
    table = Watched("nertz", "A.work.1 A:TS A:9H | A.work.2 A:QC", told=False)
    now = table.table.settled(S_NS)
    late = [replace(now.spots[0], id=90, label="8D", at_mm=table.at("A.work.3")),
            replace(now.spots[0], id=91, label=NOT_READ, at_mm=table.at("A.work.4"))]  # fmt: skip
    looks = (replace(now, t_ns=k * S_NS, spots=(*now.spots, *late)) for k in (1, 2, 3, 4))
    assert table._seen(looks) == []
    assert [one.face for one in table.scene.piles["A.work.3"]] == ["8D"]
    assert table.scene.piles["A.work.4"] == []
    assert table.scene.shown().labels["A.work.3"] == ("8D",)


def test_a_foundation_card_keeps_the_owner_of_where_it_came_from() -> None:
    table = Watched("nertz", "A.work.1 A:AS | B.work.1 B:AS")
    told = only(table.act(place("B:AS", "B.work.1", "F.3")))
    assert isinstance(told, CardPlaced)
    assert str(told.card) == "B:AS"
    told = only(table.act(place("A:AS", "A.work.1", "F.4", 12 * S_NS)))
    assert isinstance(told, CardPlaced)
    assert str(told.card) == "A:AS"


def test_the_nerts_card_below_the_played_one_is_turned_up() -> None:
    table = Watched("nertz", "A.nerts (A:2C) (A:3D) A:9H | A.work.2 A:TS")
    table.act(place("A:9H", "A.nerts", "A.work.2"))
    told = only(table.act(CardTurned(n=2, t_ns=15 * S_NS, card=card("A:3D"), zone="A.nerts")))
    assert isinstance(told, CardTurned)
    assert (str(told.card), told.zone, told.up) == ("A:3D", "A.nerts", True)


def test_a_card_that_is_turned_up_may_lie_a_moment_after_it_looked_flat() -> None:
    table = Watched("nertz", "A.nerts (A:2C) (A:3D) A:9H | A.work.2 A:TS")
    table.act(place("A:9H", "A.nerts", "A.work.2"))
    told = only(table.act(CardTurned(n=2, t_ns=15 * S_NS, card=card("A:3D"), zone="A.nerts")))
    assert told.u_ns is not None
    assert abs(told.t_ns - 15 * S_NS - 20_000_000) <= told.u_ns


def test_a_nerts_card_that_was_turned_up_unseen_was_so_before_a_hand_took_it() -> None:
    table = Watched("nertz", "A.nerts (A:2C) (A:3D) | A.work.2 A:4S")
    turned, played = table.act(place("A:3D", "A.nerts", "A.work.2"))
    assert isinstance(turned, CardTurned)
    assert isinstance(played, CardPlaced)
    assert turned.t_ns <= (played.carry_ns or played.t_ns) - 500_000_000


def test_three_stock_cards_are_turned_over_at_once() -> None:
    stock = " ".join(f"(A:{rank}C)" for rank in "A23456789")
    table = Watched("nertz", f"A.stock {stock} | A.work.1 A:KD")
    told = only(table.act(block("A.stock", "A.waste", 3, flip=True)))
    assert isinstance(told, PileMoved)
    assert (told.origin, told.target, told.count, told.flip) == ("A.stock", "A.waste", 3, True)


def test_a_waste_card_that_is_played_shows_the_one_below_and_nothing_more_is_told() -> None:
    stock = " ".join(f"(A:{rank}C)" for rank in "A23456789")
    table = Watched("nertz", f"A.stock {stock} | A.work.1 A:8H")
    table.act(block("A.stock", "A.waste", 3, flip=True))
    told = only(table.act(place("A:7C", "A.waste", "A.work.1", 15 * S_NS)))
    assert isinstance(told, CardPlaced)
    assert (told.origin, told.pos) == ("A.waste", None)


def test_the_turned_waste_becomes_the_stock() -> None:
    table = Watched("nertz", "A.stock (A:AC) (A:2C) (A:3C) | A.work.1 A:8H")
    table.act(block("A.stock", "A.waste", 3, flip=True))
    told = only(table.act(block("A.waste", "A.stock", 3, 15 * S_NS, flip=True)))
    assert isinstance(told, PileMoved)
    assert (told.origin, told.target, told.flip) == ("A.waste", "A.stock", True)


def test_a_rest_card_is_turned_onto_the_playing_pile() -> None:
    table = Watched("nerves", "A.rest (5D) (6D) | B.rest (9S) (TS) | play.A 8C | play.B 2D")
    told = only(table.act(place("6D", "A.rest", "play.A")))
    assert isinstance(told, CardPlaced)
    assert (str(told.card), told.origin, told.target) == ("6D", "A.rest", "play.A")


def test_the_loser_puts_a_playing_pile_under_his_rest() -> None:
    table = Watched("nerves", "A.rest (5D) (6D) | play.A 8C 9C TC | play.B 2D")
    told = table.act(block("play.A", "A.rest", 3, flip=True, under=True))
    moved = [event for event in told if isinstance(event, PileMoved)]
    assert [(m.origin, m.target, m.count, m.flip, m.under) for m in moved] == [
        ("play.A", "A.rest", 3, True, True)
    ]


def test_a_pile_that_goes_into_the_hand_is_taken() -> None:
    table = Watched("nerves", "A.arr.1 8C | A.arr.2 9C | play.B 2D")
    told = only(table.act(PileTaken(n=1, t_ns=5 * S_NS, actor=A_RIGHT, zone="A.arr.1", count=1)))
    assert isinstance(told, PileTaken)
    assert (told.zone, told.count, told.actor) == ("A.arr.1", 1, A_RIGHT)


def test_a_talon_card_goes_into_the_closed_hand() -> None:
    table = Watched("xix", "talon.1 (4) | talon.2 (9) | A.open 3 17")
    told = only(table.act(place("(4)", "talon.1", "A.closed", up=False)))
    assert isinstance(told, CardPlaced)
    assert (str(told.card), told.origin, told.target) == ("??", "talon.1", "A.closed")


def test_a_closed_card_is_led_from_the_hand_that_was_there() -> None:
    table = Watched("xix", "talon.1 (4) | A.open 3 17")
    told = only(table.act(place("12", "A.closed", "mid")))
    assert isinstance(told, CardPlaced)
    assert (told.origin, told.target) == ("A.closed", "mid")


def test_the_lower_of_two_cards_laid_at_once_on_a_foundation_is_told_first() -> None:
    table = Watched("nertz", "A.work.1 A:2S | B.work.1 B:2S | F.1 A:AS")
    real, t_ns = table.table, 5 * S_NS
    hands = {"A": t_ns, "B": t_ns + 60_000_000}
    table.scene = Scene(
        real.plan,
        lambda t0_ns, t1_ns, at_mm: Actor("A" if at_mm[1] < 300 else "B", "R"),
        lambda seat, at_mm, t0_ns, t1_ns: (
            Contact(Actor(seat, "R"), hands[seat], 30_000_000)
            if seat in hands and t0_ns <= hands[seat] <= t1_ns
            else None
        ),
    )
    table.scene.begin(real.settled(0))
    lower, upper = (real.take_top(f"{seat}.work.1", t_ns).card for seat in "AB")
    told = table._seen([real.settled(t_ns - 100_000_000)])
    real.lay("F.1", lower, True, hands["A"])
    real.lay("F.1", upper, True, hands["B"])
    told += table._seen(real.settled(t_ns + k * 3 * FRAME_NS) for k in range(1, 12))
    placed = [(str(e.card), e.origin, e.actor.seat) for e in told if isinstance(e, CardPlaced)]
    assert placed[0] == ("A:2S", "A.work.1", "A")
    assert placed[1][0] == "B:2S"
    assert told[0].t_ns < told[1].t_ns


def test_of_an_untidy_pile_the_card_that_shows_both_its_indices_lies_on_top() -> None:
    def begun(below: int) -> tuple[Scene, list[str]]:
        plan = LaidTable("nerves", ("A", "B")).plan
        at_mm = next(zone.center_mm for zone in plan.zones if zone.name == "play.B")
        upper = Spot(1, "7D", 0.99, at_mm, 4.0, 0, 0, indices=2)
        lower = Spot(2, "6S", 0.99, (at_mm[0] - 9, at_mm[1]), 359.0, 0, 0, indices=below)
        scene = Scene(plan)
        (pile,) = scene.begin(Settled(0, (upper, lower), lambda zone: 0))
        return scene, [str(laid.card) for laid in pile.cards]

    scene, cards = begun(below=1)
    assert (cards, scene.unordered) == (["6S", "7D"], frozenset())
    assert begun(below=2)[0].unordered == {"play.B"}


def test_a_card_lifted_and_put_back_is_no_event() -> None:
    table = Watched("nertz", "A.work.1 A:9H | A.work.2 A:TS")
    taken = table.table.take_top("A.work.1", 5 * S_NS)
    told = table._seen([table.table.settled(5 * S_NS)])
    table.table.lay("A.work.1", taken.card, True, 6 * S_NS)
    told += table._seen([table.table.settled(6 * S_NS + k * FRAME_NS) for k in range(9)])
    assert told == []


def test_a_card_held_for_long_is_lifted() -> None:
    table = Watched("nertz", "A.work.1 A:9H | A.work.2 A:TS")
    table.table.take_top("A.work.1", 5 * S_NS)
    told = only(table._seen(table.table.settled(5 * S_NS + k * 10 * FRAME_NS) for k in range(9)))
    assert isinstance(told, CardLifted)
    assert (str(told.card), told.zone) == ("A:9H", "A.work.1")


def test_a_card_pushed_within_its_zone_is_no_event() -> None:
    table = Watched("spy", "A.pile.1 9H | A.pile.2 TS")
    real = table.table.pile("A.pile.1")[0]
    moved = Spot(9999, "9H", 0.99, (real.at_mm[0] + 12, real.at_mm[1] - 9), 8.0, S_NS, S_NS)
    others = [s for s in table.table.spots() if s.label != "9H"]
    look = table.table.settled(2 * S_NS)
    told = table._seen([type(look)(2 * S_NS, (*others, moved), look.stirred_ns)])
    assert told == []


def test_a_better_reading_is_told_once() -> None:
    table = Watched("spy", "A.pile.1 9H | A.pile.2 TS")
    look = table.table.settled(2 * S_NS)
    changed = tuple(
        Spot(s.id, "6H" if s.label == "9H" else s.label, s.conf, s.at_mm, s.angle_deg, 0, 0)
        for s in look.spots
    )
    told = table._seen([type(look)(2 * S_NS, changed, look.stirred_ns)] * 3)
    change = only(told)
    assert isinstance(change, Reread)
    assert (change.zone, str(change.old), str(change.new), change.pos) == (
        "A.pile.1", "9H", "6H", 0)  # fmt: skip


def test_an_unread_card_is_placed_as_such_and_named_later() -> None:
    table = Watched("spy", "A.stack (3C) (4C) | A.pile.1 9H")
    table.table.stirred |= {"A.stack": 4 * S_NS, "A.pile.1": 5 * S_NS}
    look = table.table.settled(5 * S_NS)
    top = next(s for s in look.spots if s.label == "9H")
    others = tuple(s for s in look.spots if s.label != "9H")
    unread, named = (
        Spot(999, label, 0.9, top.at_mm, 4.0, 5 * S_NS - FRAME_NS, 5 * S_NS)
        for label in (NOT_READ, "8S")
    )
    looks = [
        type(look)(t_ns, (*others, unread), look.stirred_ns)
        for t_ns in (5 * S_NS, 6 * S_NS, 7 * S_NS)
    ]
    placed = only(table._seen(looks))
    assert isinstance(placed, CardPlaced)
    assert (str(placed.card), placed.origin, placed.target) == (NOT_READ, "A.stack", "A.pile.1")
    change = only(table._seen([type(look)(8 * S_NS, (*others, named), look.stirred_ns)]))
    assert isinstance(change, Reread)
    assert (str(change.old), str(change.new), change.zone) == (NOT_READ, "8S", "A.pile.1")


def test_the_start_position_is_what_lies_there() -> None:
    table = Watched("nertz", "A.work.1 A:TS A:9H A:8C | A.nerts (A:4C) A:2D | F.2 B:AS")
    laid = {p.zone: [str(one.card) for one in p.cards] for p in table.start}
    assert laid["A.work.1"] == ["A:TS", "A:9H", "A:8C"]
    assert laid["A.nerts"][-1] == "A:2D"
    assert "F.2" in laid


def test_a_fresh_deal_is_presumed_to_be_right() -> None:
    piles = "A.nerts A:2D | A.stock (A:4C) | " + " | ".join(
        f"A.work.{k} A:{k + 2}S" for k in range(1, 5)
    )
    heights = {p.zone: len(p.cards) for p in Watched("nertz", piles, told=False).start}
    assert heights["A.nerts"] == 13
    assert heights["A.stock"] == 35


def test_piles_that_appear_during_the_deal_are_dealt() -> None:
    table = Watched("nertz", "A.stock (A:4C)", told=False)
    real = table.table
    for k, text in enumerate(["(A:KD)", "A:2D"]):
        real.lay("A.nerts", card(text), text == "A:2D", (2 + k) * S_NS)
    real.lay("A.work.1", card("A:7S"), True, 4 * S_NS)
    told = table._seen(real.settled(4 * S_NS + k * 3 * FRAME_NS) for k in range(12))
    dealt = {e.zone: [str(c.seen()) for c in e.cards] for e in told if isinstance(e, Dealt)}
    assert dealt["A.work.1"] == ["A:7S"]
    assert len(dealt["A.nerts"]) == 13
    assert dealt["A.nerts"][-1] == "A:2D"
    assert len(told) == 2


def test_the_light_goes_off_and_on() -> None:
    outages = Outages()
    lost = outages.step(1, dark=True, hidden=())
    assert [type(e) for e in lost] == [ViewLost]
    assert outages.step(2, dark=True, hidden=()) == ()
    assert [type(e) for e in outages.step(3, dark=False, hidden=())] == [ViewBack]


def test_a_zone_hidden_for_long_is_out_of_view_and_a_short_cover_is_not() -> None:
    outages = Outages()
    assert outages.step(0, False, ("mid",)) == ()
    assert outages.step(2 * S_NS, False, ()) == ()
    assert outages.step(3 * S_NS, False, ("mid",)) == ()
    (lost,) = outages.step(12 * S_NS, False, ("mid",))
    assert isinstance(lost, ViewLost)
    assert lost.zones == ("mid",)
    (back,) = outages.step(13 * S_NS, False, ())
    assert isinstance(back, ViewBack)


def test_what_lies_in_a_black_part_of_the_picture_is_out_of_view_at_once() -> None:
    outages = Outages()
    assert outages.step(S_NS, False, ()) == ()
    (lost,) = outages.step(2 * S_NS, False, (), black=("mid", "A.open"))
    assert isinstance(lost, ViewLost)
    assert (lost.zones, lost.cause) == (("A.open", "mid"), "black")
    assert outages.step(3 * S_NS, False, ("mid",), black=("mid", "A.open")) == ()
    (back,) = outages.step(4 * S_NS, False, ())
    assert isinstance(back, ViewBack)
    assert (back.zones, back.cause) == (lost.zones, "black")


def test_a_heap_of_cards_that_nobody_laid_is_not_judged_until_it_is_cleared() -> None:
    outages = Outages()
    # Ten cards of an exchange that come within a second are none.
    assert outages.step(0, False, (), unexplained=11) == ()
    assert outages.step(S_NS // 2, False, (), unexplained=2) == ()
    assert outages.step(S_NS, False, (), unexplained=37) == ()
    (lost,) = outages.step(2 * S_NS, False, (), unexplained=37)
    assert isinstance(lost, ViewLost)
    assert (lost.zones, lost.cause) == (("*",), "heap")
    assert outages.step(5 * S_NS, False, ("mid",), unexplained=30) == ()
    (back,) = outages.step(6 * S_NS, False, (), unexplained=3)
    assert isinstance(back, ViewBack)
    assert back.cause == "heap"


def fallen(table: Watched, cards: int) -> list[Spot]:
    """Return backs and faces that lie all over the table, each on a place of its own."""
    (one, *_) = table.table.spots()
    return [
        replace(one, id=100 + k, label=("9D", "BACK", "3S")[k % 3],
                at_mm=(90.0 + 70 * (k % 9), 70.0 + 80 * (k // 9)),
                still_ns=5 * S_NS + k * S_NS // 50)
        for k in range(cards)
    ]  # fmt: skip


def looks_of(table: Watched, spots: list[Spot], t_ns: int) -> Settled:
    """Return a look at a table on which these spots lie by then, besides what lay there."""
    now = table.table.settled(t_ns)
    lying = (spot for spot in spots if spot.still_ns <= t_ns)
    return replace(now, spots=(*now.spots, *lying))


def test_of_cards_that_fall_all_over_the_table_no_moves_are_told() -> None:
    table = Watched("spy", "A.stack (4C) (9H) | A.pile.1 7D | B.pile.1 8D | B.stack (2H) (KS)")
    heap = fallen(table, 40)
    times = range(5 * S_NS, 9 * S_NS, FRAME_NS)
    told = table._seen(looks_of(table, heap, t_ns) for t_ns in times)
    assert len(told) <= 2
    assert table.scene.flooded
    table.t_ns = 9 * S_NS
    assert table.wait(3) == []
    assert not table.scene.flooded
    placed = only(table.act(place("7D", "A.pile.1", "B.pile.1", 15 * S_NS)))
    assert isinstance(placed, CardPlaced)


# Of perfect looks; what is missed are acts that hands hide from beginning to end. Seeds are fixed.
@pytest.mark.parametrize(
    ("game", "least_found", "most_invented"),
    [("nertz", 0.95, 0.05), ("xix", 0.99, 0.0), ("spy", 0.99, 0.01)],
)
def test_the_moves_of_random_matches_are_given_back(
    game: str, least_found: float, most_invented: float
) -> None:
    total = sum((counted(game, seed) for seed in (1, 2)), Tally())
    assert total.right >= least_found * total.happened
    assert total.invented <= most_invented * total.happened
    assert total.wrong_player == 0
    assert total.races_ruled == total.races


@pytest.mark.parametrize("game", ["xix", "spy"])
def test_nobody_is_accused_in_a_clean_match(game: str) -> None:
    assert sum((counted(game, seed) for seed in (3, 4, 5)), Tally()).accused == 0


def counted(game: str, seed: int) -> Tally:
    """Count one match that is watched from the start of play, its piles known."""
    played = play(legal_match(game, 2, seed), PERFECT, "known", 150, seed)
    return tally(compared(played.true, played.told), played)
