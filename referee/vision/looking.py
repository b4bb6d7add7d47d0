"""Chooses what of a frame is read, and reads it: what is new and still, then what is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead, PointMm
from referee.values.spots import BACK as FACE_DOWN
from referee.values.spots import CARD_H_MM, CARD_W_MM
from referee.vision.followed import CardLook, Ground
from referee.vision.frames import Frame, Image
from referee.vision.gate import Box, small_of_grey
from referee.vision.gathering import SeenCard, apart_mm, card_axes, seen_cards
from referee.vision.landing import SIDE_PX, Hidden, Landed, Landings
from referee.vision.mapping import Mapping
from referee.vision.pieces import Glanced, Part, Piece, cut, holds, moved_read, part_of, scale_of
from referee.vision.plain import AROUND_MM, is_drawn, is_plain, shows_back
from referee.vision.plain import EDGE_MM as PLAIN_EDGE_MM
from referee.vision.shutter import Shutter
from referee.vision.stillness import Stillness, Strips
from referee.vision.surface import BACK, BARE, HAND, Surface
from referee.vision.track import Tracks

# A frame may cost so many pixels of reading, at the scale of reading: 0.12 s a megapixel on one
# core of a small computer, so 15 ms, half of what a frame at 30 a second may take.
PIXELS_A_FRAME = 130_000
# Films may begin less than half a second before the first hand comes, and a table of eight is read
# in two: so much of a film is read whole, whatever it costs.
WHOLE_NS = 1_000_000_000
# So many cards are timed in a frame: those of one block, or of three players.
TIMED_A_FRAME = 3
# A hand that stays longer on a card that is read already is waited for no more. Most have left
# after 0.1 s: the card is only read when they are about to.
AGAIN_NS = 300_000_000
# Who rests no longer than this on what he hides has laid it there when he came down, this long
# before he rested; who stays longer may have turned it under his hand.
LAID_NS, COMING_NS = 450_000_000, 120_000_000
# Touches nearer to one another are one: fingers come down within two frames, by judgement.
TAP_NS = 80_000_000
# A piece reaches this far past what changed, so that the whole card that changed is in it.
MARGIN_MM = 34.0
# Past a followed card that is looked at again; MARGIN_MM where that told nothing: of a piece hardly
# larger than a card the reader takes wood for a hand, of a wider one it does not.
CLOSE_MM = 14.0
# A card's place is known to half of that, and its edge throws a shadow.
EDGE_MM = 6.0
# What moves close beside a card is not on it: its place is taken this much smaller.
INNER_MM = -8.0
# The places kept: those of two decks on the table, as two looks put each of them.
MOST_PLACES = 256
# A card's place counts as still when this share of it does: what moves is seen 10 mm too wide, and
# hands work close beside cards that were just laid.
STILL_SHARE = 0.85
# Of a card that lies free the reader takes less than this for a hand: 3 of 63 places.
HAND_SHARE = 0.05
# Wood may have the colour of hands, and so may backs: of a bare place it was taken for one by up to
# two fifths. That nothing moved there for this long, and no hand is followed there, tells that it
# is the table, or a card's back.
TABLE_SHARE, LEFT_NS = 0.55, 600_000_000
# What a forearm hides: half its width with a sleeve and a little of its shadow. The reader sees
# hands, but may take a sleeve for cloth.
FOREARM_MM = 45.0
FOREARM_SHARE = 0.25
# What lies there is known after so long: cards are believed at the second or third look.
NAMED_NS = 150_000_000
# A card that lies face up shows less than this of its place as another one's back.
BACK_SHARE = 0.4
# Of a card's place the reader takes less than this for the table: 0.38 at most of 600 cards in 24
# films; a place that a card has left shows 0.6 and more of it.
BARE_SHARE = 0.5
# How often it is told anew which cards lie free of hands: one that lies at the table's edge looks
# like an arm that reaches in, until it is told.
FREE_EVERY_NS = 300_000_000
# Cards are looked for this far past the table's edge.
BEYOND_MM = 20.0
GRID = np.stack(np.meshgrid(np.linspace(-1, 1, 7), np.linspace(-1, 1, 9)), axis=-1).reshape(-1, 2)


class CardReader(Protocol):
    """What reads a piece of a picture: the card reader."""

    def glance(
        self, image_bgr: NDArray[np.uint8], scale: float
    ) -> tuple[tuple[CardRead, ...], Surface]:
        """Read a piece, resized by `scale`; what it shows is told in the piece's own pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    """What lay still when a frame was seen, and the forearms over the table."""

    still: Stillness
    arms: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """The reading of the frame at `t_ns`, which goes on or is done; the frame before that.

    `moment` is the frame after it, where that did not wait.
    """

    glances: Future[tuple[Glanced, ...]]
    t_ns: int
    before_ns: int
    moment: _Moment | None = None


Segment = tuple[PointMm, PointMm]
"""A forearm over the table, from where it enters to the wrist."""


CameDown = Callable[[PointMm, int, int], Landed | None]
"""When a hand came down last at a place between two times, None where none did."""


def nowhere(at_mm: PointMm, t0_ns: int, t1_ns: int) -> Landed | None:
    """Know of no hands."""
    return None


def by_contact(landed: Landed, at_mm: PointMm, other_ns: int, came_down: CameDown) -> Landed:
    """Return when the hand came down that hid a card as it landed, if it did not stay longer.

    Not one that came down while another card was still seen there, at `other_ns`; nor one of
    several: a hand that stirs before it leaves laid the card when it came down first.
    """
    since_ns, until_ns = landed.t_ns - landed.u_ns, landed.t_ns + landed.u_ns
    if until_ns - since_ns > LAID_NS:
        return landed
    came_ns = max(since_ns - COMING_NS, other_ns)
    touch = came_down(at_mm, came_ns, until_ns)
    if touch is None or came_down(at_mm, came_ns, touch.t_ns - TAP_NS) is not None:
        return landed
    return touch


class Looking:
    """Reads the pieces of one video's frames that need it. Used by one thread.

    The reading itself is done in another thread, meanwhile the next frame is looked at for hands
    and motion. Of a film what is read of a frame is always understood at the next one, so that the
    same frames give the same result on a slow and on a fast computer. A live camera does not wait:
    there hands and motion are seen in frames that come while an earlier one is still being read.
    """

    def __init__(
        self,
        reader: CardReader,
        mapping: Mapping,
        table_mm: tuple[float, float],
        forearms: Callable[[], Iterable[Segment]] = tuple,
        hidden: Hidden | None = None,
        shutter: Shutter | None = None,
        came_down: CameDown = nowhere,
        markers_mm: Sequence[PointMm] = (),
        *,
        live: bool = False,
    ) -> None:
        """Look at a table of `table_mm`; `forearms` and `hidden` tell what is over it now.

        `shutter` tells how the camera takes a frame, `came_down` when a hand touched a place last,
        `markers_mm` where the corners of printed markers lie. `live`: frames do not wait until
        earlier ones are read.
        """
        self._live = live
        self._markers_mm = np.array(markers_mm, np.float64).reshape(-1, 2)
        self._reader, self._forearms, self._came_down = reader, forearms, came_down
        self._map_by(mapping)
        w_mm, h_mm = (side + BEYOND_MM for side in table_mm)
        low = -BEYOND_MM
        self._edge_mm = np.array([[low, low], [w_mm, low], [w_mm, h_mm], [low, h_mm]])
        self.stillness = Stillness()
        self._landings = Landings(shutter, hidden, self.stillness.empty_levels)
        self.tracks = Tracks(timed=True)
        self._worker = ThreadPoolExecutor(1, "reading")
        self._reading: _Reading | None = None
        self._arms = np.zeros((0, 2, 2))
        self.free_px: list[NDArray[np.float64]] = []
        self._freed_ns = 0
        self._first_ns: int | None = None

    def look_from(self, mapping: Mapping) -> None:
        """Go on with another view; everything is read anew."""
        self._map_by(mapping)
        self._reading = self._first_ns = None
        self.stillness.forget()

    def _map_by(self, mapping: Mapping) -> None:
        # Cards lie still: what was mapped of their places once need not be mapped again.
        self.mapping = mapping
        self._inner_box = lru_cache(MOST_PLACES)(partial(mapping.card_box, margin_mm=INNER_MM))
        self._outline_px = lru_cache(MOST_PLACES)(
            partial(mapping.card_corners_px, margin_mm=EDGE_MM)
        )
        self._corners_px = lru_cache(MOST_PLACES)(mapping.card_corners_px)
        self._read_of = lru_cache(MOST_PLACES)(mapping.read_of)

    def reads(self) -> tuple[CardRead, ...]:
        """Return the cards that are believed, as reads of the picture."""
        return tuple(self._read_of(spot) for spot in self.tracks.spots())

    def see(self, frame: Frame) -> bool:
        """Take the next frame, which needs a time, before its hands are known.

        What was read of the frame before is understood; returns whether anything was. `free_px`
        are then, until the next frame, the corners (4, 2) of places that were seen free of hands:
        those of cards that lie there, and of cards that are gone.
        """
        self._keep(frame)
        self.free_px = []
        return self._take_reads()

    def glimpse(self, frame: Frame) -> None:
        """Take a frame, which needs a time, for nothing but what moved: a tenth of the work."""
        self._keep(frame)
        self._landings.cover_as_before()
        if self._reading is not None and self._reading.moment is None:
            self._reading = replace(self._reading, moment=self._moment())

    def _keep(self, frame: Frame) -> None:
        t_ns = frame.t_ns or 0
        if frame.width_px >= 2 * SIDE_PX:
            grey = self._landings.keep(frame.half_bgr, t_ns, divisor=2)
        else:
            grey = self._landings.keep(frame.image_bgr, t_ns)
        self.stillness.step_small(small_of_grey(grey, frame.width_px, frame.height_px), t_ns)

    def _moment(self) -> _Moment:
        return _Moment(self.stillness.copy(), self._arms)

    def choose(self, frame: Frame) -> None:
        """Begin to read what of the frame that was seen last needs it; its hands are known now."""
        self._landings.cover()
        self._arms = np.array(list(self._forearms()), np.float64).reshape(-1, 2, 2)
        self.stillness.only_in(self.mapping.to_px(self._edge_mm), hidden=self._strips())
        self.stillness.keep_empty(self._outline_px(*place) for place in self.tracks.places())
        if not self.stillness.dark and self._reading is None:
            self._begin_to_read(tuple(self._chosen(frame.image_bgr)))
        self._time_cards(self.stillness.t_ns)
        if self.stillness.t_ns - self._freed_ns >= FREE_EVERY_NS:
            self._freed_ns = self.stillness.t_ns
            self.free_px += self._lying_free()

    def glimpsed(self, at_mm: PointMm) -> bool:
        """Whether a card lies at a place, or was read there and may, believed or not yet."""
        return any(apart_mm(lies_mm, at_mm) < CARD_W_MM / 2 for lies_mm, _ in self.tracks.places())

    def _lying_free(self) -> Iterator[NDArray[np.float64]]:
        """Yield the corners (4, 2) of cards over which no hand came since they were last read."""
        for track in self.tracks.told():
            place = track.at_mm, track.angle_deg
            moved_ns = self._moved_ns(self.stillness, *place)
            if moved_ns < track.seen_ns and self.shown(*place):
                yield self._outline_px(*place)

    def _time_cards(self, t_ns: int) -> None:
        """Look up when cards landed that are new: it takes some milliseconds each.

        What a hand still hides in part is looked up once more when that has left.
        """
        untimed = self.tracks.untimed()
        places = {track.id: self._corners_px(track.at_mm, track.angle_deg) for track in untimed}
        stays = self._landings.stays_covered
        covered = {track.id: stays(places[track.id], track.first_ns) for track in untimed}
        for track in untimed:
            if track.tried_ns and covered[track.id] and t_ns - track.tried_ns > AGAIN_NS:
                # What moved there since may be another card under the same hand.
                track.time(None, t_ns)
        due = [track for track in untimed if not (track.tried_ns and covered[track.id])]
        for track in due[-TIMED_A_FRAME:]:
            landed = self._landings.landed(
                places[track.id], track.other_ns, track.first_ns, track.read_ns
            )
            if landed is not None and landed.hidden:
                landed = by_contact(landed, track.at_mm, track.other_ns, self._came_down)
            again = covered[track.id] and not track.tried_ns
            track.time(landed, t_ns, again=again)

    def _chosen(self, image_bgr: Image) -> Iterator[Part]:
        """Yield what of a frame is read, as much as a frame may cost."""
        budget, any_yet = self._budget(), False
        for piece in sorted(self._pieces(), key=lambda one: self.stillness.was_asked(one.box)):
            box, scale = piece.box, scale_of(self.mapping.mm_px(piece.box))
            pixels = (box.x1_px - box.x0_px) * (box.y1_px - box.y0_px) * scale**2
            if any_yet and pixels > budget:
                continue
            budget, any_yet = budget - pixels, True
            self.stillness.ask(box)
            yield part_of(image_bgr, piece, scale)

    def _budget(self) -> float:
        """Return how many pixels may be read of the frame, at the scale of reading."""
        t_ns = self.stillness.t_ns
        self._first_ns = t_ns if self._first_ns is None else self._first_ns
        first = not self._live and t_ns - self._first_ns < WHOLE_NS
        return np.inf if first else float(PIXELS_A_FRAME)

    def _begin_to_read(self, parts: tuple[Part, ...]) -> None:
        if parts:
            still = self.stillness
            glances = self._worker.submit(self._read, parts)
            self._reading = _Reading(glances, still.t_ns, still.before_ns)

    def _read(self, parts: tuple[Part, ...]) -> tuple[Glanced, ...]:
        """Read the parts of one frame; in the other thread."""
        return tuple(
            Glanced(part, *self._reader.glance(part.image_bgr, part.scale)) for part in parts
        )

    def _take_reads(self) -> bool:
        """Understand what was read of an earlier frame; returns whether anything was."""
        reading = self._reading
        if reading is None:
            return False
        if self._live and reading.moment is None and not reading.glances.done():
            # What is read is understood by what moved then, not by who comes meanwhile.
            self._reading = replace(reading, moment=self._moment())
            return False
        glances, self._reading = reading.glances.result(), None
        for glanced in glances:
            self._look(glanced, reading)
        return True

    def _strips(self) -> Strips:
        for ends_mm in self._arms:
            ends_px = self.mapping.to_px(ends_mm)
            length_mm = max(1.0, float(np.hypot(*(ends_mm[1] - ends_mm[0]))))
            px_mm = float(np.hypot(*(ends_px[1] - ends_px[0]))) / length_mm
            yield ends_px, 2 * FOREARM_MM * px_mm

    def _pieces(self) -> list[Piece]:
        """Return what to read, the newest change first."""
        new = sorted(self.stillness.fresh_boxes(), key=lambda b: -self.stillness.moved_ns(b))
        changed = (piece for box in new for piece in cut(self.mapping, self._about_change(box)))
        wanted = [piece for piece in changed if self.stillness.is_fresh(piece.learned)]
        t_ns = self.stillness.t_ns
        moved_ns = partial(self._moved_ns, self.stillness)
        for at_mm, angle_deg, unclear in self.tracks.doubtful(t_ns, self._news_ns, moved_ns):
            if self._rests(self.stillness, at_mm, angle_deg):
                past_mm = MARGIN_MM if unclear else CLOSE_MM
                wanted += cut(self.mapping, self.mapping.card_box(at_mm, angle_deg, past_mm))
        pieces: list[Piece] = []
        for piece in wanted:
            if self._worth(piece.box) and not any(holds(p.box, piece.box) for p in pieces):
                pieces.append(piece)
        return pieces

    def is_unsure(self, since_ns: int) -> bool:
        """Whether the next looks may tell of a card what those since a time did not."""
        return bool(self.tracks.unsure(since_ns, partial(self._moved_ns, self.stillness)))

    def _news_ns(self, at_mm: PointMm, angle_deg: float) -> int:
        return self.stillness.news_ns(self._inner_box(at_mm, angle_deg))

    def _moved_ns(self, still: Stillness, at_mm: PointMm, angle_deg: float) -> int:
        return still.moved_ns(self._inner_box(at_mm, angle_deg))

    def _looks_empty(self, still: Stillness, at_mm: PointMm, angle_deg: float) -> bool:
        return still.looks_empty(self._inner_box(at_mm, angle_deg))

    def _rests(self, still: Stillness, at_mm: PointMm, angle_deg: float) -> bool:
        return still.resting_share(self._inner_box(at_mm, angle_deg)) >= STILL_SHARE

    def _is_left(self, still: Stillness, at_mm: PointMm, angle_deg: float) -> bool:
        """Whether a hand was at a place and is gone: what looks like one there is none."""
        moved_ns = self._moved_ns(still, at_mm, angle_deg)
        lain = 0 < moved_ns <= still.t_ns - LEFT_NS
        return lain and not self._landings.is_covered(self._corners_px(at_mm, angle_deg))

    def _about_change(self, box: Box) -> Box:
        margin = round(MARGIN_MM * self.mapping.mm_px(box))
        return Box(box.x0_px - margin, box.y0_px - margin, box.x1_px + margin, box.y1_px + margin)

    def _worth(self, box: Box) -> bool:
        return self.stillness.resting_share(box) > 0.3

    def _look(self, glanced: Glanced, reading: _Reading) -> None:
        box, surface = glanced.part.piece.box, glanced.surface
        reads = [moved_read(read, box.x0_px, box.y0_px) for read in glanced.reads]

        bare, backs = (partial(self._share, glanced.part, surface, kind) for kind in (BARE, BACK))
        seen = seen_cards(reads, self.mapping.to_mm, bare, backs)
        cards = tuple(card for card in seen if not self._is_drawn(glanced.part, card))
        moment = reading.moment or _Moment(self.stillness, self._arms)
        ground = self._ground(glanced.part, surface, moment)
        t_ns = reading.t_ns
        look = CardLook(t_ns, reading.before_ns, cards, ground)
        self.tracks.take(look)
        self._learn(glanced.part.piece, surface, t_ns)
        free = (t for t in self.tracks.seen(t_ns) if ground.clear(t.at_mm, t.angle_deg))
        self.free_px += [
            self._outline_px(t.at_mm, t.angle_deg) for t in (*free, *self.tracks.bared)
        ]

    def _is_drawn(self, part: Part, card: SeenCard) -> bool:
        """Whether what was read as a back is the frame of a spot that is drawn on the table."""
        if card.label != FACE_DOWN:
            return False
        return is_drawn(part.image_bgr, self._around_px(part, card.at_mm, card.angle_deg))

    def _around_px(self, part: Part, at_mm: PointMm, angle_deg: float) -> NDArray[np.float64]:
        """Return the corners (4, 2) of a card's place with a margin, in pixels of a part."""
        return self.mapping.card_corners_px(at_mm, angle_deg, AROUND_MM) - part.corner_px

    def _learn(self, piece: Piece, surface: Surface, t_ns: int) -> None:
        """Take a piece as read, but for the hands in it."""
        box, learned, cell_px = piece.box, piece.learned, surface.cell_px
        left, top = (learned.x0_px - box.x0_px) / cell_px, (learned.y0_px - box.y0_px) / cell_px
        right, bottom = (learned.x1_px - box.x0_px) / cell_px, (learned.y1_px - box.y0_px) / cell_px
        hands = surface.kind[int(top) : int(np.ceil(bottom)), int(left) : int(np.ceil(right))]
        self.stillness.learn(learned, (hands == HAND).astype(np.uint8), t_ns)

    def shown(self, at_mm: PointMm, angle_deg: float) -> bool:
        """Whether what lies at a card's place was seen, free of hands, and had time to be named."""
        place = self._inner_box(at_mm, angle_deg)
        return self.stillness.looked_at(place, self.stillness.t_ns - NAMED_NS)

    def stirring(self, at_mm: PointMm, angle_deg: float) -> float:
        """Return how much of a card's place moved since the frame before, 0 to 1."""
        return self.stillness.stirring_share(self._inner_box(at_mm, angle_deg))

    def _share(
        self, part: Part, surface: Surface, kind: int, at_mm: PointMm, angle_deg: float
    ) -> float:
        """Return how much of a card's place a part shows to be of a kind, 0 to 1."""
        return surface.share(kind, self._grid_px(at_mm, angle_deg) - part.corner_px)

    def _grid_px(self, at_mm: PointMm, angle_deg: float) -> NDArray[np.float64]:
        """Return points (n, 2) of the picture spread over a card's place."""
        return self.mapping.to_px(_grid_mm(at_mm, angle_deg))

    def _ground(self, part: Part, surface: Surface, moment: _Moment) -> Ground:
        box, corner, still = part.piece.box, part.corner_px, moment.still
        (left, low), (right, high) = self.mapping.bounds_mm(box)

        def clear(at_mm: PointMm, angle_deg: float) -> bool:
            # Most cards lie outside a piece: that is told without mapping their corners.
            if not (left <= at_mm[0] <= right and low <= at_mm[1] <= high):
                return False
            whole = holds(box, self._inner_box(at_mm, angle_deg))
            if not whole or not self._rests(still, at_mm, angle_deg):
                return False
            places = self._grid_px(at_mm, angle_deg) - corner
            if surface.share(HAND, places) < HAND_SHARE:
                return True
            table_or_back = max(surface.share(kind, places) for kind in (BARE, BACK))
            return table_or_back >= TABLE_SHARE and self._is_left(still, at_mm, angle_deg)

        def free(at_mm: PointMm, angle_deg: float) -> bool:
            if not clear(at_mm, angle_deg):
                return False
            grid_mm = _grid_mm(at_mm, angle_deg)
            hidden = [_near_line(grid_mm, ends_mm).mean() for ends_mm in moment.arms]
            return max(hidden, default=0.0) < FOREARM_SHARE

        back = partial(self._share, part, surface, BACK)

        def backed(at_mm: PointMm, angle_deg: float) -> bool:
            around_px = self._around_px(part, at_mm, angle_deg)
            return shows_back(back(at_mm, angle_deg), part.image_bgr, around_px)

        def bare(at_mm: PointMm, angle_deg: float) -> bool:
            return self._share(part, surface, BARE, at_mm, angle_deg) > BARE_SHARE

        def printed(at_mm: PointMm, angle_deg: float) -> bool:
            if _holds_any(at_mm, angle_deg, self._markers_mm):
                return True
            if back(at_mm, angle_deg) > BACK_SHARE:
                return True
            corners = self.mapping.card_corners_px(at_mm, angle_deg, -PLAIN_EDGE_MM)
            return is_plain(part.image_bgr, corners - corner)

        def kinds(points_mm: NDArray[np.float64]) -> NDArray[np.uint8]:
            return surface.at(self.mapping.to_px(points_mm) - corner)

        moved_ns, empty = partial(self._moved_ns, still), partial(self._looks_empty, still)
        return Ground(clear, free, moved_ns, empty, printed, backed, bare, kinds)


def _grid_mm(at_mm: PointMm, angle_deg: float) -> NDArray[np.float64]:
    up, right = card_axes(angle_deg)
    up, right = up * (CARD_H_MM / 2 + INNER_MM), right * (CARD_W_MM / 2 + INNER_MM)
    return np.asarray(np.array(at_mm) + GRID @ np.stack([right, up]))


def _holds_any(at_mm: PointMm, angle_deg: float, points_mm: NDArray[np.float64]) -> bool:
    """Whether any of some points (n, 2) lies on a card's place, well within its edges."""
    up, right = card_axes(angle_deg)
    away = points_mm - at_mm
    along = np.abs(away @ up) < CARD_H_MM / 2 + INNER_MM
    across = np.abs(away @ right) < CARD_W_MM / 2 + INNER_MM
    return bool((along & across).any())


def _near_line(points_mm: NDArray[np.float64], ends_mm: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which points (n, 2) a forearm from one end to the other hides."""
    along = ends_mm[1] - ends_mm[0]
    share = np.clip((points_mm - ends_mm[0]) @ along / max(float(along @ along), 1e-6), 0.0, 1.0)
    away = points_mm - ends_mm[0] - share[:, None] * along
    return np.asarray(np.hypot(away[:, 0], away[:, 1]) < FOREARM_MM)
