"""Films a scripted match: picture after picture with the truth about each, nothing encoded.

film = Film(match, plan, Filming(1280, 720, fps=30, seed=3))
for shot in film.shots():
    shot.image, shot.truth.cards, shot.truth.hands
film.show.played        # when each event is really seen, and by which hand
film.homography()       # table millimetres to pixels
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.simulate.choreography import Choreographer
from referee.simulate.flights import Show
from referee.simulate.mishaps import blockers_at, chance_bump, light_at, nudge_at
from referee.simulate.motion import along
from referee.simulate.plotting import plot
from referee.simulate.scene import Scene, TableCard
from referee.simulate.shapes import Image
from referee.simulate.spots import Hasty, Spots
from referee.simulate.staging import Filming, people, studio
from referee.simulate.table import TableRenderer, nudge_warp
from referee.values import Match, TablePlan

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CardThere:
    """A card at one moment: what it is, its deck, where it lies (`zone` None: in the air)."""

    face: str
    deck: str | None
    zone: str | None
    at_mm: Point
    angle_deg: float
    up: bool
    height_mm: float


@dataclass(frozen=True, slots=True)
class HandThere:
    """A hand at one moment: `tip_mm` is its working point, `in_view`: it is in the picture."""

    seat: str
    side: str
    tip_mm: Point
    height_mm: float
    grip: str
    still: bool
    in_view: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """What is really there at the time of one frame: cards in stacking order, and all hands."""

    t_ns: int
    cards: tuple[CardThere, ...]
    hands: tuple[HandThere, ...]


@dataclass(frozen=True, slots=True)
class View:
    """From `from_s` of the video on, `homography` maps table millimetres to undistorted pixels."""

    from_s: float
    homography: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shot:
    """Frame `number` of the film (uint8, height x width x 3, blue-green-red) and its truth."""

    number: int
    t_ns: int
    image: Image
    truth: Moment


class Film:
    """One match as it is filmed. Raises ScriptError for a script that cannot be played."""

    def __init__(self, match: Match, plan: TablePlan, filming: Filming | None = None) -> None:
        """Plan the whole show; pictures are made when they are asked for."""
        self.match, self.plan = match, plan
        self.filming = filming or Filming()
        seed, strength = self.filming.seed, self.filming.strength
        self.plot = plot(match, [zone.name for zone in plan.zones], seed)
        spots = self._spots = Spots(plan, Hasty().scaled(strength), seed)
        arms = people(plan, seed, strength)
        self.show: Show = Choreographer(self.plot, plan, spots, arms, seed).show()
        self._decks = max((piece.deck for piece in self.plot.pieces), default=0) + 1
        self.studio = studio(plan, self._decks, self.filming)
        rng = np.random.default_rng([seed, 13])
        self.bump = chance_bump(self.show.end_s, self.filming.width_px, strength, rng)
        for dark in self.show.darks:
            for zone in dark.zones:
                if zone != "*":
                    spots.zone(zone)
        self._renderer: TableRenderer | None = None

    @property
    def frame_count(self) -> int:
        """How many frames the film has."""
        return max(1, int(np.ceil(self.show.end_s * self.filming.fps)))

    def time_ns(self, number: int) -> int:
        """The time of a frame: the middle of the exposure of its middle row."""
        return number * 1_000_000_000 // self.filming.fps

    def views(self) -> tuple[View, ...]:
        """Return how the camera sees the table, from the start and after each bump."""
        first = View(0.0, self.homography())
        if self.bump is None:
            return (first,)
        camera = self.studio.camera
        push = nudge_warp(self.bump.end, camera.width_px, camera.height_px)
        return first, View(self.bump.t_s, push @ self.homography())

    def scene(self, t_s: float) -> Scene:
        """Return all there is to see at a time."""
        scene = self.show.scene(t_s)
        darks = self.show.darks
        if not darks and self.bump is None:
            return scene
        return replace(
            scene, light=light_at(darks, t_s), nudge=nudge_at(self.bump, t_s),
            blockers=blockers_at(darks, t_s, self.plan, self._spots),
        )  # fmt: skip

    def homography(self) -> NDArray[np.float64]:
        """Return the 3 x 3 homography from table millimetres to pixels."""
        return self.studio.camera.homography()

    def shots(self, first: int = 0, last: int | None = None) -> Iterator[Shot]:
        """Yield the frames from `first` up to, and without, `last`."""
        for number in range(first, self.frame_count if last is None else last):
            yield self.shot(number)

    def shot(self, number: int) -> Shot:
        """Return one frame with its truth."""
        return Shot(number, self.time_ns(number), self.picture(number), self.moment(number))

    def picture(self, number: int) -> Image:
        """Return the picture of one frame."""
        if self._renderer is None:
            self._renderer = TableRenderer(self.studio)
        return self._renderer.picture(self.scene, number / self.filming.fps)

    def moment(self, number: int) -> Moment:
        """Return what is really there at the time of one frame."""
        t_s = number / self.filming.fps
        lies = self.show.lying(t_s)
        cards = [self.there(c, z) for c, z in zip(lies.cards, lies.zones, strict=True)]
        cards += [self.there(card, None) for card in self.show.carried(t_s)]
        return Moment(self.time_ns(number), tuple(cards), tuple(self._hands(t_s)))

    def there(self, card: TableCard, zone: str | None) -> CardThere:
        """Return a card as the truth tells it."""
        deck = self.match.seats[card.deck] if self._decks > 1 else None
        return CardThere(card.label, deck, zone, card.centre_mm, card.angle_deg % 360.0,
                         card.face_up, card.height_mm)  # fmt: skip

    def _hands(self, t_s: float) -> Iterator[HandThere]:
        camera = self.studio.camera
        for hand in self.show.hands:
            now = along(hand.stops, t_s)
            ((x_px, y_px),) = camera.project(np.array([[*now.at_mm, now.height_mm]]))
            in_view = 0 <= x_px < camera.width_px and 0 <= y_px < camera.height_px
            yield HandThere(hand.seat, hand.side, now.at_mm, now.height_mm, now.grip, now.still,
                            bool(in_view))  # fmt: skip
