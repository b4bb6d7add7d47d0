"""The nouns of the referee: frozen values with their units in their names."""

from __future__ import annotations

from referee.values.arms import HandSeen, Touch
from referee.values.cards import Card, card
from referee.values.events import (
    Actor,
    CardLifted,
    CardPlaced,
    CardTurned,
    Configured,
    Dealt,
    Declared,
    Event,
    HandOff,
    HandOn,
    Layout,
    PadHit,
    PileMixed,
    PileMoved,
    PileTaken,
    Reread,
    Timer,
    ViewBack,
    ViewLost,
    card_zones,
)
from referee.values.matches import Expected, Laid, Match, Placement, Setting, Written
from referee.values.rulings import KINDS, Points, Ruling
from referee.values.sight import CardRead, HandRead, Point, Sight
from referee.values.tables import Marker, Place, PointMm, TablePlan, Zone

__all__ = [
    "KINDS",
    "Actor",
    "Card",
    "CardLifted",
    "CardPlaced",
    "CardRead",
    "CardTurned",
    "Configured",
    "Dealt",
    "Declared",
    "Event",
    "Expected",
    "HandOff",
    "HandOn",
    "HandRead",
    "HandSeen",
    "Laid",
    "Layout",
    "Marker",
    "Match",
    "PadHit",
    "PileMixed",
    "PileMoved",
    "PileTaken",
    "Place",
    "Placement",
    "Point",
    "PointMm",
    "Points",
    "Reread",
    "Ruling",
    "Setting",
    "Sight",
    "TablePlan",
    "Timer",
    "Touch",
    "ViewBack",
    "ViewLost",
    "Written",
    "Zone",
    "card",
    "card_zones",
]
