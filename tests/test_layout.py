"""Layouts: every zone of the rules has its spot, spots keep apart, and players sit round them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from conftest import Ended, one_line
from hypothesis import given
from hypothesis import strategies as st

from referee.notation import read_matches
from referee.table.layout import (
    OFF_TABLE,
    LayoutError,
    area_of,
    is_drawn,
    is_for_hands,
    lay_of,
    layout_games,
    name_of_free_pile,
    nearest_seat,
    pixels_a_mm,
    plan,
    zone_at,
    zone_corners_mm,
)
from referee.table.layout_blocks import CARD_H_MM, CARD_W_MM, from_zone, in_zone
from referee.table.markers import QUIET_MM, table_of_marker
from referee.table.piles import Lying, Piles
from referee.table.spots import Zones
from referee.values import Match, PointMm, TablePlan, Zone

Run = Callable[..., Ended]
LETTERS = "ABCDEFGH"
EXAMPLES = Path(__file__).parent / "games" / "examples.match"
TABLES = [(game, players) for game, sizes in layout_games() for players in sizes]
FULL_HD_PX = (1920, 1080)

# A row of Nerves is laid column by column; each of its cards goes to its own pile.
ROW = re.compile(r"[A-Z]\.row[1-5]")


def table(game: str, players: int) -> TablePlan:
    return plan(game, LETTERS[:players])


def zone(of: TablePlan, name: str) -> Zone:
    return next(zone for zone in of.zones if zone.name == name)


def zones_in(match: Match) -> Iterator[str]:
    yield from (placement.zone for placement in match.start)
    for event in match.events:
        for field in ("zone", "origin", "target", "spot"):
            if isinstance(name := getattr(event, field, None), str):
                yield name
        yield from (name for name in getattr(event, "zones", ()) if name != "*")


def box(corners: tuple[PointMm, ...], more_mm: float = 0.0) -> tuple[float, float, float, float]:
    x, y = zip(*corners, strict=True)
    return min(x) - more_mm, min(y) - more_mm, max(x) + more_mm, max(y) + more_mm


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > 1e-6 and high > 1e-6


@pytest.mark.parametrize("match", read_matches(EXAMPLES.read_text("utf-8")), ids=lambda m: m.id)
def test_every_zone_of_the_example_matches_has_its_spot(match: Match) -> None:
    own = plan(match.game, match.seats)
    off = {part for part, games in OFF_TABLE if match.game in games}
    known = {zone.name for zone in own.zones} | {
        f"{seat}.{part}" for seat in match.seats for part in off
    }
    missing = {name for name in zones_in(match) if not ROW.fullmatch(name)} - known
    assert missing == set()


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_spots_and_markers_lie_on_the_table_and_apart(game: str, players: int) -> None:
    own = table(game, players)
    boxes = {zone.name: box(zone_corners_mm(zone)) for zone in own.zones}
    boxes |= {str(m.id): box(m.corners_mm, QUIET_MM) for m in own.markers}
    assert len(boxes) == len(own.zones) + len(own.markers)
    for left, low, right, top in boxes.values():
        assert min(left, low) >= -1e-6
        assert right <= own.table_mm[0] + 1e-6
        assert top <= own.table_mm[1] + 1e-6
    pairs = combinations(boxes.items(), 2)
    assert [(a, b) for (a, one), (b, other) in pairs if overlap(one, other)] == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_card_laid_10_mm_off_is_still_inside_and_15_mm_off_still_nearest(
    game: str, players: int
) -> None:
    own = table(game, players)
    for spot in own.zones:
        if is_for_hands(own, spot):
            continue
        # The deck and the cut-off half of Nerves share the middle with the spot to slap.
        tight = spot.name in ("deck", "cut.1") and game == "nerves"
        assert spot.w_mm >= CARD_W_MM + (15 if tight else 20)
        assert spot.h_mm >= CARD_H_MM + 12
        for off in ((15.0, 0.0), (0.0, -15.0), (-15.0, 15.0)):
            assert zone_at(own, from_zone(spot, *off)) == spot


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_spread_cards_stay_in_their_zone_and_run_towards_the_player(
    game: str, players: int
) -> None:
    own = table(game, players)
    for spot in own.zones:
        lay = lay_of(own, spot)
        assert zone_at(own, lay.first_mm) == spot
        last = tuple(
            a + (lay.cards - 1) * b for a, b in zip(lay.first_mm, lay.step_mm, strict=True)
        )
        x_mm, y_mm = in_zone(spot, (last[0], last[1]))
        assert abs(x_mm) <= (spot.w_mm - CARD_W_MM) / 2 + 1e-6
        assert abs(y_mm) <= (spot.h_mm - CARD_H_MM) / 2 + 1e-6
        if spot.name.split(".")[1:2] in (["work"], ["arr"], ["aside"]):
            seat = next(s for s in own.seats if s.seat == spot.name[0])
            assert dist(last, seat.center_mm) < dist(lay.first_mm, seat.center_mm)


@pytest.mark.parametrize(
    ("game", "part", "cards"),
    [
        ("nerves", "A.arr.1", 5),  # the highest pile of the arrangement
        ("nertz", "B.work.4", 12),  # king to two
        ("xix", "mid", 10),  # five tricks
        ("xix", "A.open", 6),
        ("spy", "A.aside", 5),  # the whole closed stack
    ],
)
def test_a_spread_zone_is_long_enough(game: str, part: str, cards: int) -> None:
    own = table(game, 2)
    assert lay_of(own, zone(own, part)).cards >= cards


@pytest.mark.parametrize("game", [name for name, _ in layout_games()])
def test_two_players_are_read_by_a_full_hd_camera(game: str) -> None:
    own = table(game, 2)
    assert pixels_a_mm(own, FULL_HD_PX) >= 1.4
    assert own.table_mm[0] <= 1200


def test_players_sit_clockwise_and_the_cards_of_each_are_upright_for_him() -> None:
    own = table("nertz", 6)
    edges = [place.edge for place in own.seats]
    assert edges == ["south", "west", "north", "north", "east", "south"]
    turned = {"south": 0, "west": 90, "north": 180, "east": 270}
    for place in own.seats:
        work = zone(own, f"{place.seat}.work.1")
        assert work.angle_deg == turned[place.edge]
        # The bottom of the card is the side that is nearer to the player.
        top, bottom = from_zone(work, 0.0, 40.0), from_zone(work, 0.0, -40.0)
        assert dist(bottom, place.center_mm) < dist(top, place.center_mm)
        assert nearest_seat(own, work.center_mm) == place


def test_nerves_lies_as_its_figure_shows() -> None:
    own = table("nerves", 2)
    line = ["B.rest", "play.B", "mid", "play.A", "A.rest"]
    at = [zone(own, name).center_mm for name in line]
    assert at == sorted(at)
    assert {y_mm for _, y_mm in at} == {own.table_mm[1] / 2}
    assert zone(own, "mid").w_mm >= 100
    piles = [zone(own, f"A.arr.{number}").center_mm[0] for number in range(1, 6)]
    assert piles == sorted(piles)
    others = [zone(own, f"B.arr.{number}").center_mm[0] for number in range(1, 6)]
    assert others == sorted(others, reverse=True)
    hands = {spot.name for spot in own.zones if is_for_hands(own, spot)}
    assert hands == {"mid", "A.side.L", "A.side.R", "B.side.L", "B.side.R"}


def test_the_square_of_spy_has_one_and_two_above_three_and_four() -> None:
    own = table("spy", 2)
    one, two, three, four = (zone(own, f"A.pile.{n}").center_mm for n in (1, 2, 3, 4))
    assert one[1] == two[1] > three[1] == four[1]
    assert one[0] == three[0] < two[0] == four[0]
    assert not is_drawn(own, zone(own, "A.pile.7"))
    assert is_drawn(own, zone(own, "A.pile.6"))


def test_every_table_has_markers_of_its_own() -> None:
    seen: dict[int, tuple[str, int]] = {}
    for game, players in TABLES:
        own = table(game, players)
        assert len(own.markers) >= 7
        for marker in own.markers:
            assert seen.setdefault(marker.id, (game, players)) == (game, players)
            assert table_of_marker(marker.id) == (game, players)
            a, b, c, d = marker.corners_mm
            assert a[0] < b[0] == c[0] > d[0] == a[0]
            assert a[1] == b[1] > c[1] == d[1]
    assert max(seen) < 250


def test_the_common_area_holds_every_foundation() -> None:
    own = table("nertz", 3)
    area = area_of(own)
    assert area is not None
    assert area.name == "common"
    for number in range(1, 13):
        x_mm, y_mm = in_zone(area, zone(own, f"F.{number}").center_mm)
        assert abs(x_mm) < area.w_mm / 2
        assert abs(y_mm) < area.h_mm / 2
    assert area_of(table("xix", 2)) is None


def test_a_foundation_beside_the_spots_gets_the_nearest_free_name() -> None:
    own = table("nertz", 2)
    third = zone(own, "F.3").center_mm
    beside = (third[0] + 30, third[1] - 20)
    assert name_of_free_pile(own, beside, ()) == "F.3"
    assert name_of_free_pile(own, beside, {"F.3"}) == "F.4"
    every = {f"F.{number}" for number in range(1, 9)}
    assert name_of_free_pile(own, beside, every) == "F.9"
    assert name_of_free_pile(own, zone(own, "A.stock").center_mm, ()) is None


def found(own: TablePlan, *places: PointMm) -> list[str]:
    """Return the zones in which aces are found that are laid one after the other."""
    zones, piles, names = Zones(own), Piles(), []
    for number, at_mm in enumerate(places):
        names.append(zones.name_at(at_mm, piles))
        piles[names[-1]].append(Lying("AS", None, True, at_mm, 0.0, number, 0))
    return names


@pytest.mark.parametrize("step_mm", [66.0, 68.0, 75.0, 85.0])
def test_foundations_laid_in_a_row_of_their_own_are_piles_of_their_own(step_mm: float) -> None:
    """On a bare table nobody knows where the spots are: two aces may lie within one's bounds."""
    own = table("nertz", 2)
    left, y_mm = zone(own, "F.1").center_mm
    names = found(own, *((left + 9 + n * step_mm, y_mm + 11) for n in range(6)))
    assert len(set(names)) == 6
    assert all(name.startswith("F.") for name in names)


def test_a_card_laid_askew_on_a_foundation_is_on_it() -> None:
    own = table("nertz", 2)
    x_mm, y_mm = zone(own, "F.3").center_mm
    names = found(own, (x_mm - 15, y_mm + 12), (x_mm + 15, y_mm - 10), (x_mm + 20, y_mm))
    assert names == ["F.3"] * 3


def test_further_piles_before_a_player_get_his_next_number() -> None:
    nerves, spy = table("nerves", 2), table("spy", 2)
    before_b = (nerves.table_mm[0] / 2, nerves.table_mm[1] - 40)
    assert name_of_free_pile(nerves, before_b, {"B.arr.6"}) == "B.arr.7"
    assert name_of_free_pile(spy, (100.0, 40.0), {"A.pile.1"}) == "A.pile.5"
    assert name_of_free_pile(table("xix", 2), (100.0, 40.0), ()) is None


@given(
    st.sampled_from(TABLES),
    st.floats(-100, 2500),
    st.floats(-100, 1000),
    st.sets(st.sampled_from([f"F.{n}" for n in range(1, 40)])),
)
def test_a_free_pile_never_gets_a_name_in_use(
    which: tuple[str, int], x_mm: float, y_mm: float, taken: set[str]
) -> None:
    name = name_of_free_pile(table(*which), (x_mm, y_mm), taken)
    assert name is None or name not in taken


@given(st.sampled_from(TABLES), st.floats(-300, 300), st.floats(-300, 300), st.data())
def test_a_point_goes_into_a_zone_and_back(
    which: tuple[str, int], x_mm: float, y_mm: float, data: st.DataObject
) -> None:
    spot = data.draw(st.sampled_from(table(*which).zones))
    assert in_zone(spot, from_zone(spot, x_mm, y_mm)) == pytest.approx((x_mm, y_mm), abs=0.01)


def test_the_command_tells_machines_the_whole_table(referee: Run) -> None:
    told = json.loads(referee("layout", "nertz", "--players", "A,B,C", "--json").out)
    own = table("nertz", 3)
    assert told["table_mm"] == list(own.table_mm)
    assert told["zones"].keys() == {zone.name for zone in own.zones}
    work = told["zones"]["C.work.2"]
    assert {"center_mm", "angle_deg", "w_mm", "h_mm"} <= work.keys()
    assert told["seats"] == {
        place.seat: {"edge": place.edge, "center_mm": list(place.center_mm)} for place in own.seats
    }
    marker = told["markers"][0]
    assert (marker["id"], marker["dictionary"]) == (own.markers[0].id, "DICT_5X5_250")
    assert marker["corners_mm"] == [list(corner) for corner in own.markers[0].corners_mm]
    assert "cv2.aruco" in told["conventions"]


def test_people_are_told_how_large_the_cards_get(referee: Run) -> None:
    told = referee("layout", "nertz", "--players", "A,B,C,D,E,F,G,H").out
    assert "px/mm" in told
    assert "4K" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("whist",), "whist"),
        (("xix", "--players", "A,B,C"), "xix has a table for 2 players, not for 3"),
        (("nertz", "--players", "A"), "2 to 8"),
        (("nertz", "--players", "A,A"), "twice"),
        (("nertz", "--players", "9"), "2 to 8"),
        (("nertz", "--players", "Ann,,Ben"), "Ann,Ben"),
        (("nertz", "--players", "100"), "how many"),
        (("nertz", "--players", ""), "names or seats"),
    ],
)
def test_a_table_that_cannot_be_is_said_in_one_line(
    referee: Run, words: tuple[str, ...], said: str
) -> None:
    done = referee("layout", *words)
    assert done.code == 2
    assert said in one_line(done.err)


@pytest.mark.parametrize("players", ["A,B,C", "Ann,Ben,Cleo", "ann, B ,3", "3"])
def test_a_family_says_who_plays_as_it_likes(referee: Run, players: str) -> None:
    told = json.loads(referee("layout", "nertz", "--players", players, "--json").out)
    assert list(told["seats"]) == ["A", "B", "C"]


@pytest.mark.parametrize("seats", [("A",), ("A", "A"), ("A", "bob"), ("",)])
def test_seats_that_make_no_table_are_refused(seats: tuple[str, ...]) -> None:
    with pytest.raises(LayoutError):
        plan("nertz", seats)
