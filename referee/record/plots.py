"""The pictures of a match: time line, scores, reactions, speed of play, races."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from referee.record.drawing import (
    FAINT,
    GREY,
    INK,
    RED,
    SEAT_COLOURS,
    Box,
    Drawing,
    Line,
    Mark,
    Shape,
    Words,
)
from referee.record.figures import (
    NS_PER_S,
    Story,
    acts_of,
    median_ns,
    reactions,
    running,
)
from referee.record.intervals import Act
from referee.record.ring import PadTrace
from referee.values import Ruling

W_PX = 760.0
LEFT_PX, RIGHT_PX = 96.0, 16.0
LANE_PX = 26.0
STEPS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30)
LONG_STEPS_S = (60, 120, 300, 600, 900, 1800, 3600, 7200)
SQUARE_PX = ((-5, -5), (5, -5), (5, 5), (-5, 5))
CORNERS_PX: Mapping[str, tuple[tuple[int, int], ...]] = {
    "VIOLATION": ((0, -7), (7, 0), (0, 7), (-7, 0)),
    "RACE": ((-6, -6), (7, 0), (-6, 6)),
    "SCORE": SQUARE_PX,
    "END": SQUARE_PX,
}
TOLD = ("VIOLATION", "RACE", "QUERY", "NOT_OBSERVED", "SCORE", "END")


@dataclass(frozen=True, slots=True)
class Axis:
    """A time axis from left to right."""

    from_ns: int
    to_ns: int

    def x_px(self, t_ns: float) -> float:
        """Return where a time lies."""
        span_ns = max(1, self.to_ns - self.from_ns)
        return LEFT_PX + (W_PX - LEFT_PX - RIGHT_PX) * (t_ns - self.from_ns) / span_ns

    def ticks_ns(self, most: int = 9) -> tuple[int, ...]:
        """Return round times on the axis."""
        span_s = max(1, self.to_ns - self.from_ns) / NS_PER_S
        steps = (*STEPS_S, *LONG_STEPS_S)
        step_s = next((step for step in steps if span_s / step <= most), steps[-1])
        step_ns = max(1, round(step_s * NS_PER_S))
        first = -(-self.from_ns // step_ns)
        return tuple(range(first * step_ns, self.to_ns + 1, step_ns))


def clock(t_ns: int, decimals: int = 0) -> str:
    """Return a match's time for people: `2:05`, `1:02:05`, `2:05.310`."""
    total_s, rest_ns = divmod(t_ns, NS_PER_S)
    minutes, seconds = divmod(total_s, 60)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02d}" if hours else f"{minutes}"
    tail = f".{rest_ns:09d}"[: decimals + 1] if decimals else ""
    return f"{head}:{seconds:02d}{tail}"


def colour_of(story: Story, seat: str | None) -> str:
    """Return a seat's colour."""
    seats = story.head.match.seats
    return SEAT_COLOURS[seats.index(seat) % len(SEAT_COLOURS)] if seat in seats else GREY


def short(name: str, letters: int = 13) -> str:
    """Return a name that fits beside a lane."""
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def _grid(axis: Axis, top_px: float, bottom_px: float) -> Iterator[Mark]:
    for t_ns in axis.ticks_ns():
        x_px = axis.x_px(t_ns)
        yield Line(x_px, top_px, x_px, bottom_px, FAINT)
        yield Words(x_px, bottom_px + 14, clock(t_ns), 10.5, GREY, "middle")


def time_line(story: Story) -> Drawing:
    """Return the whole match: each player's acts, and the rulings where they fell."""
    axis = Axis(0, max(story.length_ns, NS_PER_S))
    seats = story.head.match.seats
    bottom_px = 10 + LANE_PX * (len(seats) + 1)
    marks: list[Mark] = [*_grid(axis, 6, bottom_px), *_blind(story, axis, bottom_px)]
    for i, seat in enumerate(seats):
        marks += _lane(story, axis, seat, 10 + LANE_PX * i)
    marks += _ruled(story, axis, 10 + LANE_PX * len(seats))
    says = f"Time line of {clock(axis.to_ns)} with {len(story.rulings)} rulings"
    return Drawing(W_PX, bottom_px + 22, says, tuple(marks))


def _blind(story: Story, axis: Axis, bottom_px: float) -> Iterator[Mark]:
    for gap in story.unseen:
        x_px = axis.x_px(gap.from_ns)
        to_px = axis.x_px(axis.to_ns if gap.to_ns is None else gap.to_ns)
        yield Box(x_px, 6, max(1.5, to_px - x_px), bottom_px - 6, GREY, 0.75)


def _lane(story: Story, axis: Axis, seat: str, y_px: float) -> Iterator[Mark]:
    colour = colour_of(story, seat)
    yield Words(LEFT_PX - 8, y_px + 16, short(story.head.name_of(seat)), 12, INK, "end", True)
    # One stroke a pixel: a long match has far more acts than the picture has columns.
    columns = {round(axis.x_px(t_ns)) for t_ns in acts_of(story.events, seat)}
    for x_px in sorted(columns):
        yield Line(x_px, y_px + 4, x_px, y_px + LANE_PX - 6, colour, 1.0)


def _ruled(story: Story, axis: Axis, y_px: float) -> Iterator[Mark]:
    yield Words(LEFT_PX - 8, y_px + 16, "rulings", 12, GREY, "end")
    for ruling in story.rulings:
        if ruling.kind in TOLD:
            seat = ruling.winner if ruling.kind in ("RACE", "END") else ruling.player
            colour = RED if ruling.kind == "VIOLATION" else colour_of(story, seat)
            yield symbol(ruling.kind, axis.x_px(ruling.t_ns), y_px + 12, colour)


def symbol(kind: str, x_px: float, y_px: float, colour: str) -> Mark:
    """Return the shape of a kind of ruling: told apart without colour too."""
    corners = CORNERS_PX.get(kind)
    if corners is None:
        return Words(x_px, y_px + 5, "?" if kind == "QUERY" else "–", 15, colour, "middle", True)
    return Shape(tuple((x_px + dx, y_px + dy) for dx, dy in corners), colour)


def score_picture(story: Story) -> Drawing | None:
    """Return the totals hand by hand, None where fewer than two hands were scored."""
    totals = running(story.head, story.rulings)
    if len(totals) < 2:
        return None
    values = [points.points for hand in totals for points in hand]
    low, high = min(0, *values), max(1, *values)
    height_px = 170.0

    def at(hand: int, points: int) -> tuple[float, float]:
        x_px = LEFT_PX + (W_PX - LEFT_PX - 90) * hand / len(totals)
        return x_px, 12 + (height_px - 40) * (high - points) / (high - low)

    marks: list[Mark] = []
    for points in sorted({low, 0, high}):
        _, y_px = at(0, points)
        marks.append(Line(LEFT_PX, y_px, W_PX - 90, y_px, FAINT))
        marks.append(Words(LEFT_PX - 8, y_px + 4, str(points), 10.5, GREY, "end"))
    for hand in range(1, len(totals) + 1):
        x_px, _ = at(hand, 0)
        marks.append(Words(x_px, height_px - 10, f"hand {hand}", 10.5, GREY, "middle"))
    for i, seat in enumerate(story.head.match.seats):
        ends = [0, *(hand[i].points for hand in totals)]
        line = [at(hand, points) for hand, points in enumerate(ends)]
        colour = colour_of(story, seat)
        for (x0, y0), (x1, y1) in pairwise(line):
            marks.append(Line(x0, y0, x1, y1, colour, 2.5))
        x_px, y_px = line[-1]
        name = f"{short(story.head.name_of(seat), 9)} {ends[-1]}"
        marks.append(Words(x_px + 8, y_px + 4, name, 12, colour, "start", True))
    return Drawing(W_PX, height_px, "Totals after each hand", tuple(marks))


BINS = 25
HALF_S_NS = NS_PER_S // 2


def reaction_bars(story: Story) -> Drawing | None:
    """Return how soon each player acted after another, None where nobody did."""
    found = reactions(story.events)
    seats = [seat for seat in story.head.match.seats if any(r.seat == seat for r in found)]
    if not seats:
        return None
    longest_ns = max(reaction.took_ns for reaction in found)
    axis = Axis(0, -(-longest_ns // HALF_S_NS) * HALF_S_NS or HALF_S_NS)
    lane_px = 58.0
    bottom_px = 8 + lane_px * len(seats)
    marks: list[Mark] = []
    for t_ns in axis.ticks_ns():
        x_px = axis.x_px(t_ns)
        marks.append(Line(x_px, 6, x_px, bottom_px, FAINT))
        marks.append(Words(x_px, bottom_px + 14, f"{t_ns / 1e9:g} s", 10.5, GREY, "middle"))
    for i, seat in enumerate(seats):
        spans_ns = [r.took_ns for r in found if r.seat == seat]
        marks += _bars(story, axis, seat, spans_ns, 8 + lane_px * i, lane_px)
    return Drawing(W_PX, bottom_px + 20, "Reaction times of each player", tuple(marks))


def _bars(
    story: Story, axis: Axis, seat: str, spans_ns: Sequence[int], y_px: float, lane_px: float
) -> Iterator[Mark]:
    counts = [0] * BINS
    for span_ns in spans_ns:
        counts[min(BINS - 1, span_ns * BINS // axis.to_ns)] += 1
    width_ns = axis.to_ns / BINS
    base_px = y_px + lane_px - 8
    for i, count in enumerate(counts):
        tall_px = (lane_px - 14) * count / max(counts)
        x_px = axis.x_px(i * width_ns)
        wide_px = axis.x_px((i + 1) * width_ns) - x_px - 1
        if count:
            yield Box(x_px, base_px - tall_px, wide_px, tall_px, colour_of(story, seat), 0.25)
    middle_ns = median_ns(spans_ns) or 0
    x_px = axis.x_px(middle_ns)
    yield Line(x_px, y_px + 2, x_px, base_px, INK, 2)
    told = (f"{len(spans_ns)} times", f"median {middle_ns / 1e6:.0f} ms")
    yield Words(LEFT_PX - 8, base_px - 30, short(story.head.name_of(seat)), 12, INK, "end", True)
    for n, text in enumerate(told):
        yield Words(LEFT_PX - 8, base_px - 16 + 13 * n, text, 10.5, GREY, "end")


def speed_lines(story: Story) -> Drawing | None:
    """Return how many acts a minute each player made over the match, None of a short one."""
    axis = Axis(0, story.length_ns)
    bins = min(48, story.length_ns // (10 * NS_PER_S))
    if bins < 2:
        return None
    height_px = 170.0
    seats = story.head.match.seats
    rates = {seat: _rates(acts_of(story.events, seat), axis.to_ns, bins) for seat in seats}
    most = max(1.0, *(rate for found in rates.values() for rate in found))
    marks: list[Mark] = [*_grid(axis, 6, height_px - 26)]
    for rate in (0.0, most):
        y_px = 12 + (height_px - 38) * (1 - rate / most)
        marks.append(Words(LEFT_PX - 8, y_px + 4, f"{rate:.0f}/min", 10.5, GREY, "end"))
    for seat in seats:
        points = [
            (axis.x_px((i + 0.5) * axis.to_ns / bins), 12 + (height_px - 38) * (1 - rate / most))
            for i, rate in enumerate(rates[seat])
        ]
        for (x0, y0), (x1, y1) in pairwise(points):
            marks.append(Line(x0, y0, x1, y1, colour_of(story, seat), 2))
    for i, seat in enumerate(seats):
        name = short(story.head.name_of(seat), 9)
        at_px = LEFT_PX + 12 + i * (W_PX - LEFT_PX) / max(6, len(seats))
        marks.append(Words(at_px, 18, name, 12, colour_of(story, seat), "start", True))
    return Drawing(W_PX, height_px, "Acts a minute of each player", tuple(marks))


def _rates(times_ns: Iterable[int], length_ns: int, bins: int) -> list[float]:
    counts = [0] * bins
    for t_ns in times_ns:
        counts[min(bins - 1, t_ns * bins // max(1, length_ns))] += 1
    return [count * 60e9 * bins / length_ns for count in counts]


def race_picture(story: Story, race: Ruling, acts: Sequence[Act]) -> Drawing:
    """Return two acts with their uncertainties on one axis, in milliseconds after the earlier."""
    first = min(acts, key=lambda act: act.t_ns)
    from_ns = min(act.t_ns - act.u_ns for act in acts)
    to_ns = max(act.t_ns + act.u_ns for act in acts)
    edge_ns = max(1_000_000, (to_ns - from_ns) // 12)
    axis = Axis(from_ns - first.t_ns - edge_ns, to_ns - first.t_ns + edge_ns)
    lane_px = 34.0
    bottom_px = 8 + lane_px * len(acts)
    marks: list[Mark] = []
    for t_ns in axis.ticks_ns(7):
        x_px = axis.x_px(t_ns)
        marks.append(Line(x_px, 6, x_px, bottom_px, FAINT))
        marks.append(Words(x_px, bottom_px + 14, f"{t_ns / 1e6:g} ms", 10.5, GREY, "middle"))
    for i, act in enumerate(acts):
        marks += _interval(story, axis, act, act.t_ns - first.t_ns, 8 + lane_px * i)
    says = f"{race.text}: two times and their uncertainties"
    return Drawing(W_PX, bottom_px + 20, says, tuple(marks))


def _interval(story: Story, axis: Axis, act: Act, after_ns: int, y_px: float) -> Iterator[Mark]:
    colour = colour_of(story, act.seat)
    x0_px, x1_px = axis.x_px(after_ns - act.u_ns), axis.x_px(after_ns + act.u_ns)
    x_px = axis.x_px(after_ns)
    yield Words(LEFT_PX - 8, y_px + 16, short(story.head.name_of(act.seat)), 12, INK, "end", True)
    yield Words(LEFT_PX - 8, y_px + 28, f"± {act.u_ns / 1e6:g} ms", 10.5, GREY, "end")
    yield Box(x0_px, y_px + 6, max(2, x1_px - x0_px), 16, colour, 0.6)
    yield Line(x_px, y_px + 2, x_px, y_px + 26, colour, 3)


def trace_picture(trace: PadTrace, spot: str) -> Drawing:
    """Return what the pad of a spot felt over the milliseconds of a trace."""
    length_ns = max(1, trace.step_ns * (len(trace.samples) - 1))
    axis, top_px, bottom_px = Axis(0, length_ns), 8.0, 98.0
    most = max(1, *trace.samples)
    marks: list[Mark] = [Words(LEFT_PX - 8, top_px + 8, f"{most}", 10.5, GREY, "end")]
    for t_ns in axis.ticks_ns(7):
        x_px = axis.x_px(t_ns)
        marks.append(Line(x_px, top_px, x_px, bottom_px, FAINT))
        marks.append(Words(x_px, bottom_px + 14, f"{t_ns / 1e6:g} ms", 10.5, GREY, "middle"))
    places = [
        (axis.x_px(n * trace.step_ns), bottom_px - (bottom_px - top_px) * sample / most)
        for n, sample in enumerate(trace.samples)
    ]
    marks += (Line(*one, *other, width_px=2.0) for one, other in pairwise(places))
    says = f"The pad of {spot}: readings up to {most} in {length_ns / 1e6:.1f} ms"
    return Drawing(W_PX, bottom_px + 20, says, tuple(marks))
