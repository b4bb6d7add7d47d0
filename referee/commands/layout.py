"""`referee layout`: a game's table in millimetres, so that others can draw or render it."""

from __future__ import annotations

import argparse
import re
from string import ascii_uppercase

from referee.commands import FINE, BadInput, print_json, wide_help
from referee.table.layout import (
    OFF_TABLE,
    LayoutError,
    area_of,
    is_for_hands,
    lay_of,
    layout_games,
    pixels_a_mm,
    plan,
)
from referee.table.markers import QUIET_MM
from referee.values import Marker, Place, TablePlan, Zone

EPILOG = """example:
  referee layout nerves
  referee layout nertz --players A,B,C,D --json"""

FULL_HD_PX, ULTRA_HD_PX = (1920, 1080), (3840, 2160)
# At 1.4 pixels a millimetre a printed index 12 mm high is 17 pixels: below 14 readers fail.
EASY_PX_PER_MM = 1.4

CONVENTIONS = (
    "Lengths in mm, table seen from above with the south edge at the bottom: origin at the lower"
    " left corner (nearest the left hand of the first player, who sits at the south edge), x to"
    " the right, y up. Angles in degrees, clockwise. A zone is a rectangle w_mm wide and h_mm high"
    " about center_mm, turned by angle_deg; an upright card in it has its top towards +y at angle"
    " 0, +x at 90, -y at 180, -x at 270: it is upright for the zone's player. lay says how cards"
    " lie in the zone: middle of the first (lowest) card, step_mm (dx, dy) from each card to the"
    " next one upon it, (0, 0) for a squared pile, and how many so laid stay inside. for: cards,"
    " or hands alone. Zones in off_table are in hands; A.row1 to A.row5 of Nerves are cards laid"
    " one on each of the columns A.arr.1 to A.arr.5 that the event names. areas: piles may lie"
    " anywhere in them; a new pile off the spots gets the name of the nearest free one. markers:"
    " squares of black"
    " border and 5 x 5 fields as cv2.aruco.generateImageMarker draws them from cv2.aruco's"
    " dictionary of that name, on white paper with quiet_mm of white about them; corners_mm are"
    " top left, top right, bottom right, bottom left of the marker as printed. A card is 63 x 88."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "layout",
        help="a game's table: zones, markers and seats in millimetres",
        description="Show a game's table: zones, markers and seats in millimetres.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    add_game(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say which table: the game and its players."""
    known = ", ".join(name for name, _ in layout_games())
    parser.add_argument("game", metavar="GAME", help=known)
    add_players(parser)


def add_players(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the players."""
    parser.add_argument(
        "--players",
        metavar="A,B",
        default="A,B",
        help="who plays, clockwise from A at the south edge: names or how many (default A,B)",
    )


def asked_plan(game: str, players: str) -> TablePlan:
    """Return the plan that was asked for. Raises BadInput."""
    try:
        return plan(game, seats_of(players))
    except LayoutError as reason:
        raise BadInput(str(reason)) from None


def seats_of(players: str) -> tuple[str, ...]:
    """Return the seats that `A,B` names; players' names, or how many there are, begin with A."""
    named = tuple(name.strip() for name in players.split(","))
    if all(len(name) == 1 and name in ascii_uppercase for name in named):
        return named
    if len(named) == 1 and re.fullmatch("[0-9]+", named[0]):
        count = int(named[0][:9])
    else:
        count = len(named) if all(named) else 0
    if 0 < count <= len(ascii_uppercase):
        return tuple(ascii_uppercase[:count])
    raise BadInput(f"--players '{players[:40]}': give names or seats, like Ann,Ben, or how many")


def run(args: argparse.Namespace) -> int:
    """Print the table. Raises BadInput."""
    table = asked_plan(args.game, args.players)
    if args.json:
        print_json(plan_fields(table))
    else:
        print("\n".join(plan_lines(table)))
    return FINE


def plan_fields(table: TablePlan) -> dict[str, object]:
    """Return the plan as the fields of one JSON object."""
    common = area_of(table)
    return {
        "game": table.game,
        "players": [place.seat for place in table.seats],
        "table_mm": list(table.table_mm),
        "card_mm": [63.0, 88.0],
        "markers": [marker_fields(marker) for marker in table.markers],
        "zones": {zone.name: zone_fields(table, zone) for zone in table.zones},
        "seats": {place.seat: place_fields(place) for place in table.seats},
        "areas": {} if common is None else {common.name: area_fields(common)},
        "off_table": off_table(table),
        "px_per_mm": {
            "1920x1080": round(pixels_a_mm(table, FULL_HD_PX), 2),
            "3840x2160": round(pixels_a_mm(table, ULTRA_HD_PX), 2),
        },
        "conventions": CONVENTIONS,
    }


def marker_fields(marker: Marker) -> dict[str, object]:
    """Return a marker as JSON fields."""
    corners = [list(corner) for corner in marker.corners_mm]
    return {
        "id": marker.id,
        "dictionary": marker.dictionary,
        "corners_mm": corners,
        "quiet_mm": QUIET_MM,
    }


def zone_fields(table: TablePlan, zone: Zone) -> dict[str, object]:
    """Return a zone as JSON fields."""
    lay = lay_of(table, zone)
    return {
        **area_fields(zone),
        "for": "hands" if is_for_hands(table, zone) else "cards",
        "lay": {
            "first_mm": list(lay.first_mm),
            "step_mm": list(lay.step_mm),
            "cards": lay.cards,
        },
    }


def area_fields(zone: Zone) -> dict[str, object]:
    """Return a rectangle as JSON fields."""
    return {
        "center_mm": list(zone.center_mm),
        "angle_deg": zone.angle_deg,
        "w_mm": zone.w_mm,
        "h_mm": zone.h_mm,
    }


def place_fields(place: Place) -> dict[str, object]:
    """Return a seat as JSON fields."""
    return {"edge": place.edge, "center_mm": list(place.center_mm)}


def off_table(table: TablePlan) -> list[str]:
    """Return the names of the zones that are in hands."""
    parts = [part for part, games in OFF_TABLE if table.game in games]
    return [f"{place.seat}.{part}" for place in table.seats for part in parts]


def plan_lines(table: TablePlan) -> list[str]:
    """Return the plan as lines of text."""
    w_mm, h_mm = table.table_mm
    full, ultra = (pixels_a_mm(table, size_px) for size_px in (FULL_HD_PX, ULTRA_HD_PX))
    lines = [
        f"{table.game} for {len(table.seats)}: a table of {w_mm:.0f} x {h_mm:.0f} mm,"
        f" {len(table.markers)} markers",
        f"a camera that just sees all of it shows {full:.2f} px/mm at 1920 x 1080,"
        f" {ultra:.2f} at 3840 x 2160",
    ]
    if full < EASY_PX_PER_MM:
        lines.append(
            "a 4K camera is recommended (camera:0@3840x2160): cards read safely from 1.4 px/mm on"
        )
    for place in table.seats:
        x_mm, y_mm = place.center_mm
        lines.append(f"seat {place.seat}: {place.edge} edge at {x_mm:.0f}, {y_mm:.0f} mm")
    for zone in table.zones:
        x_mm, y_mm = zone.center_mm
        lines.append(
            f"{zone.name:<10} {x_mm:6.0f} {y_mm:6.0f} mm, {zone.w_mm:.0f} x {zone.h_mm:.0f} mm,"
            f" {zone.angle_deg:.0f} deg"
        )
    return lines
