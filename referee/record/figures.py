"""What a match and a player's matches come to: scores, reactions, speed of play, fouls, races."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from referee.record.corrections import course
from referee.record.head import Head
from referee.record.log import Log
from referee.record.notes import DeviceState
from referee.record.reading import devices_of, events_of
from referee.record.standing import corrections_of, in_order, standing
from referee.values import (
    CardPlaced,
    CardTurned,
    Dealt,
    Declared,
    Event,
    PadHit,
    PileMoved,
    PileTaken,
    Points,
    Ruling,
    ViewBack,
    ViewLost,
)
from referee.values.rulings import TIE

NS_PER_S = 1_000_000_000
# An act later than this after another player's was no answer to it: in the whole example games
# the answers to plays on common piles lie below 3 s.
LONGEST_REACTION_NS = 5 * NS_PER_S
ACTS = (CardPlaced, CardTurned, PileMoved, PileTaken, PadHit)
# What a person who was not there wants to read: acts, and what was said.
PLAYS = (*ACTS, Dealt, Declared)


@dataclass(frozen=True, slots=True)
class Reaction:
    """How long a player took to act after another player's act."""

    seat: str
    t_ns: int
    took_ns: int


@dataclass(frozen=True, slots=True)
class Unseen:
    """A time in which zones were out of view (`*` is the whole table), and why."""

    from_ns: int
    to_ns: int | None
    zones: tuple[str, ...]
    cause: str


@dataclass(frozen=True, slots=True)
class Story:
    """A match as it stands, corrected: what reports and statistics are made of.

    `events` and `rulings` stand in the order of time, with the numbers of the log; `unseen` is
    what was out of view; `devices` is what cameras, pads and pages said of themselves.
    """

    head: Head
    head_hash: str
    events: tuple[Event, ...]
    rulings: tuple[Ruling, ...]
    unseen: tuple[Unseen, ...]
    devices: tuple[DeviceState, ...] = ()

    @property
    def length_ns(self) -> int:
        """The time of the last event or ruling."""
        times = [event.t_ns for event in self.events[-1:]]
        return max([*times, *(ruling.t_ns for ruling in self.rulings[-1:])], default=0)

    def between(self, from_ns: int, to_ns: int) -> tuple[Event, ...]:
        """Return the events between two times, both included."""
        first = bisect_left(self.events, from_ns, key=_time_of)
        return self.events[first : bisect_right(self.events, to_ns, key=_time_of)]


def _time_of(event: Event) -> int:
    return event.t_ns


def story(log: Log) -> Story:
    """Return the match of a log as it stands. Raises RecordError."""
    happened = course(events_of(log), corrections_of(log))
    # Rulings name events by their recorded numbers.
    events = tuple(
        replace(event, n=n) for event, n in zip(happened.events, happened.recorded_n, strict=True)
    )
    rulings = in_order(standing(log))
    return Story(log.head, log.head_hash, events, rulings, unseen(events), devices_of(log))


def score_lines(rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """Return the rulings that give scores, hand by hand."""
    return tuple(ruling for ruling in rulings if ruling.kind == "SCORE" and ruling.scores)


def running(head: Head, rulings: Sequence[Ruling]) -> tuple[tuple[Points, ...], ...]:
    """Return the totals after each hand; XIX rules running totals, the others one hand's points."""
    totals = dict.fromkeys(head.match.seats, 0)
    found = []
    for ruling in score_lines(rulings):
        for points in ruling.scores or ():
            before = 0 if head.match.game == "xix" else totals.get(points.seat, 0)
            totals[points.seat] = before + points.points
        found.append(tuple(Points(seat, n) for seat, n in totals.items()))
    return tuple(found)


def game_winner(rulings: Iterable[Ruling]) -> str | None:
    """Return who won the game last ended: a seat, `tie`, or None where none has ended."""
    ends = [ruling for ruling in rulings if ruling.kind == "END" and ruling.winner is not None]
    return ends[-1].winner if ends else None


def winner(head: Head, rulings: Sequence[Ruling]) -> str | None:
    """Return who won: as the end of the game says, else who leads by points, None for nobody."""
    if ended := game_winner(rulings):
        return ended
    totals = running(head, rulings)
    if not totals:
        return None
    most = max(points.points for points in totals[-1])
    leaders = [points.seat for points in totals[-1] if points.points == most]
    return leaders[0] if len(leaders) == 1 else TIE


def reactions(events: Iterable[Event]) -> tuple[Reaction, ...]:
    """Return each player's first act after an act of another player, where it came soon."""
    found = []
    last: Event | None = None
    for event in events:
        seat = event.actor.seat
        if seat is None or not isinstance(event, ACTS):
            continue
        if last is not None and last.actor.seat != seat:
            took_ns = event.t_ns - last.t_ns
            if took_ns <= LONGEST_REACTION_NS:
                found.append(Reaction(seat, event.t_ns, took_ns))
        last = event
    return tuple(found)


def acts_of(events: Iterable[Event], seat: str) -> tuple[int, ...]:
    """Return the times of a player's acts with cards and pads."""
    return tuple(e.t_ns for e in events if e.actor.seat == seat and isinstance(e, ACTS))


def median_ns(spans_ns: Sequence[int]) -> int | None:
    """Return the middle one of several spans, None of none."""
    return round(median(spans_ns)) if spans_ns else None


def fouls(rulings: Iterable[Ruling], seat: str) -> Counter[str]:
    """Return how often a player broke each rule."""
    kinds = ((r.kind, r.player, r.rule) for r in rulings)
    return Counter(rule for kind, player, rule in kinds if (kind, player) == ("VIOLATION", seat))


def races(rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """Return the races that two players ran."""
    found = (ruling for ruling in rulings if ruling.kind == "RACE")
    return tuple(race for race in found if race.margin_ns is not None or race.winner == TIE)


def unseen(events: Iterable[Event]) -> tuple[Unseen, ...]:
    """Return when something was out of view, in order."""
    found: list[Unseen] = []
    open_: dict[str, tuple[int, str]] = {}
    for event in events:
        if isinstance(event, ViewLost):
            for zone in event.zones:
                open_.setdefault(zone, (event.t_ns, event.cause or ""))
        elif isinstance(event, ViewBack):
            back = list(open_) if "*" in event.zones else [z for z in event.zones if z in open_]
            for zone in back:
                since_ns, cause = open_.pop(zone)
                found.append(Unseen(since_ns, event.t_ns, (zone,), cause))
    found += (Unseen(t_ns, None, (zone,), cause) for zone, (t_ns, cause) in open_.items())
    return tuple(_joined(found))


def _joined(found: Iterable[Unseen]) -> list[Unseen]:
    """Return zones lost and back at the same times as one."""
    groups: dict[tuple[int, int | None, str], list[str]] = {}
    for one in found:
        groups.setdefault((one.from_ns, one.to_ns, one.cause), []).extend(one.zones)
    return [
        Unseen(from_ns, to_ns, tuple(zones), cause)
        for (from_ns, to_ns, cause), zones in sorted(groups.items(), key=lambda g: g[0][0])
    ]


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """What a player's matches come to. `fouls` are pairs of rule and count, most first."""

    player: str
    matches: int
    won: int
    acts: int
    races_won: int
    races_lost: int
    reaction_ms: int | None
    fouls: tuple[tuple[str, int], ...]


def figures_of(player: str, stories: Iterable[Story]) -> PlayerFigures:
    """Return a player's figures over matches in which somebody of that name (or seat) sat."""
    matches = won = acts = races_won = races_lost = 0
    took_ns: list[int] = []
    counted: Counter[str] = Counter()
    for one in stories:
        seat = seat_of(one.head, player)
        if seat is None:
            continue
        matches += 1
        won += winner(one.head, one.rulings) == seat
        acts += len(acts_of(one.events, seat))
        counted += fouls(one.rulings, seat)
        took_ns += (r.took_ns for r in reactions(one.events) if r.seat == seat)
        for race in races(one.rulings):
            races_won += race.winner == seat
            races_lost += race.winner not in (seat, TIE) and len(one.head.match.seats) == 2
    middle_ns = median_ns(took_ns)
    return PlayerFigures(
        player=player,
        matches=matches,
        won=won,
        acts=acts,
        races_won=races_won,
        races_lost=races_lost,
        reaction_ms=None if middle_ns is None else round(middle_ns / 1e6),
        fouls=tuple(counted.most_common()),
    )


def seat_of(head: Head, player: str) -> str | None:
    """Return where a player sat: by name, letters' case aside; by seat where it has no name."""
    for seat in head.match.seats:
        if head.name_of(seat).casefold() == player.casefold():
            return seat
    return None
