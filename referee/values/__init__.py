"""The nouns of the referee: frozen values with their units in their names."""

from __future__ import annotations

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
)
from referee.values.matches import Expected, Laid, Match, Placement, Setting
from referee.values.rulings import KINDS, Points, Ruling
from referee.values.sight import CardRead, HandRead, Point, Sight

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
    "Laid",
    "Layout",
    "Match",
    "PadHit",
    "PileMixed",
    "PileMoved",
    "PileTaken",
    "Placement",
    "Point",
    "Points",
    "Reread",
    "Ruling",
    "Setting",
    "Sight",
    "Timer",
    "ViewBack",
    "ViewLost",
    "card",
]
