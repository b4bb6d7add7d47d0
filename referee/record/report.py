"""The report of a match: what a person who was not there needs to understand it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from referee.record.blocks import (
    Block,
    Fold,
    Heading,
    Photo,
    Photos,
    Plot,
    Quote,
    Table,
    Text,
    Title,
)
from referee.record.clips import Clip, ClipFrame, ClipStore
from referee.record.disputes import disputes_of
from referee.record.errors import RecordError
from referee.record.figures import (
    PLAYS,
    Story,
    acts_of,
    fouls,
    median_ns,
    races,
    reactions,
    running,
    score_lines,
    story,
    winner,
)
from referee.record.intervals import acts_of_race
from referee.record.log import Log
from referee.record.marking import outlined
from referee.record.moments import (
    Moment,
    dispute_kind,
    dispute_words,
    moment_of,
    review_lines,
)
from referee.record.plots import (
    TOLD,
    clock,
    race_picture,
    reaction_bars,
    score_picture,
    speed_lines,
    time_line,
)
from referee.record.reading import gaps_of, kept_of
from referee.record.words import (
    KIND_WORDS,
    event_words,
    play_words,
    race_words,
    ruling_words,
    sentence,
    unseen_words,
    winner_words,
)
from referee.values import CardPlaced, CardTurned, Ruling
from referee.values.rulings import TIE

GAMES = {
    "nerves": "Nerves",
    "xix": "XIX",
    "spy": "Spy vs. Spy",
    "nerds": "Nerds",
    "nertz": "Nertz",
}
# What a person reads through; the log holds all of them, and `referee dispute` shows each.
MOST_RACES = 40
MOST_CASES = 40
MOST_ROWS = 400
# Evidence frames: before the moment, at it, and when the hand has gone.
SHOWN_NS = (-600_000_000, 0, 1_000_000_000)


def report(log: Log, store: ClipStore) -> tuple[Block, ...]:
    """Return the report of a match. Raises RecordError where the log cannot be read."""
    told = story(log)
    disputes = disputes_of(log)
    moments = tuple(moment_of(told, one, store) for one in disputes)
    return (
        *_opening(told, log),
        *_players(told),
        *_scores(told),
        *_course(told),
        *_races(told, moments, store),
        *_cases(moments, store),
        *_speed(told),
        *_not_observed(told, log),
        *_terms(told, log),
    )


def when(began_utc: str) -> str:
    """Return the wall time of a match for people, in UTC."""
    try:
        return f"{datetime.fromisoformat(began_utc):%d %B %Y, %H:%M} UTC"
    except ValueError:
        return began_utc


def _opening(told: Story, log: Log) -> Iterator[Block]:
    head = told.head
    names = [head.name_of(seat) for seat in head.match.seats]
    everybody = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    game = GAMES.get(head.match.game, head.match.game)
    length = f"{when(head.began_utc)}, {clock(told.length_ns)} long"
    yield Title(f"{head.match.id} · match report", f"{game}: {everybody}", length)
    yield Text(_result(told), strong=True)
    if log.fault:
        yield Text(f"The log was changed: {log.fault}. What follows is not proven.", strong=True)


def _result(told: Story) -> str:
    """Return how it came out."""
    won = winner(told.head, told.rulings)
    totals = running(told.head, told.rulings)
    points = ""
    if totals:
        told_points = (f"{told.head.name_of(p.seat)} {p.points}" for p in totals[-1])
        points = f", by points: {', '.join(told_points)}"
    if won is None:
        return "The match came to no result."
    if won == TIE:
        return f"The match ended in a tie{points}."
    return f"{told.head.name_of(won)} won{points}."


def _players(told: Story) -> Iterator[Block]:
    found = reactions(told.events)
    rows = []
    for seat in told.head.match.seats:
        middle_ns = median_ns([r.took_ns for r in found if r.seat == seat])
        rows.append(
            (
                seat,
                told.head.name_of(seat),
                str(len(acts_of(told.events, seat))),
                str(fouls(told.rulings, seat).total()),
                str(sum(race.winner == seat for race in races(told.rulings))),
                "–" if middle_ns is None else f"{middle_ns / 1e6:.0f} ms",
            )
        )
    head = ("seat", "player", "acts", "faults", "races won", "median reaction")
    yield Heading("Players")
    yield Table(head, tuple(rows), (1, 4, 2, 2, 2, 3), (2, 3, 4, 5))


def _scores(told: Story) -> Iterator[Block]:
    lines = score_lines(told.rulings)
    if not lines:
        return
    yield Heading("Score by hand")
    seats = told.head.match.seats
    rows = []
    for hand, (ruling, totals) in enumerate(
        zip(lines, running(told.head, told.rulings), strict=True), start=1
    ):
        own = {points.seat: points.points for points in ruling.scores or ()}
        total = {points.seat: points.points for points in totals}
        cells = (f"{own.get(seat, 0):+d}  ({total[seat]})" for seat in seats)
        rows.append((str(hand), clock(ruling.t_ns), *cells))
    names = tuple(told.head.name_of(seat) for seat in seats)
    numbers = tuple(range(2, 2 + len(seats)))
    yield Table(("hand", "at", *names), tuple(rows), (1, 2, *(3 for _ in seats)), numbers)
    running_totals = told.head.match.game == "xix"
    yield Text(
        "In brackets: the total."
        if not running_totals
        else "This game rules running totals; both figures are the same.",
        soft=True,
    )
    if drawing := score_picture(told):
        yield Plot(drawing)


def _course(told: Story) -> Iterator[Block]:
    yield Heading("The course of the match")
    yield Plot(
        time_line(told),
        "Each stroke is an act of a player. Below: diamond a fault, triangle a race, square a "
        "score or an end, ? a question. Grey: something was out of view.",
    )
    yield from _rulings(told)
    yield from _plays(told)


def _rulings(told: Story) -> Iterator[Block]:
    """Return all rulings, each with the play that it is about."""
    plays = {event.n: play_words(event, told.head.names) for event in told.events}
    rows = tuple(
        (
            clock(ruling.t_ns, 1),
            f"{KIND_WORDS[ruling.kind]} {ruling.rule}",
            "" if ruling.kind in ("SCORE", "END") else plays.get(ruling.n, ""),
            ruling_words(told, ruling),
        )
        for ruling in told.rulings
        if ruling.kind in TOLD
    )
    if not rows:
        yield Text("The referee had nothing to rule.")
        return
    yield Table(("time", "what", "on the play", "ruling"), rows[:MOST_ROWS], (2, 4, 6, 9))
    if len(rows) > MOST_ROWS:
        left = len(rows) - MOST_ROWS
        yield Text(f"{left} further rulings stand in the log; `referee export` gives all.")


def _plays(told: Story) -> Iterator[Block]:
    """Return every play with the rulings on it, where a person can read them through."""
    count = sum(isinstance(event, PLAYS) for event in told.events)
    if count > MOST_ROWS:
        yield Text(f"{count} plays: `referee export ID --format csv` gives all of them.", soft=True)
        return
    ruled: dict[int, list[str]] = {}
    for ruling in told.rulings:
        if ruling.kind in TOLD:
            ruled.setdefault(ruling.n, []).append(f"{KIND_WORDS[ruling.kind]} {ruling.rule}")
    rows = tuple(
        (
            clock(event.t_ns, 1),
            told.head.names.get(event.actor.seat or "", ""),
            event_words(event, told.head.names),
            ", ".join(ruled.get(event.n, ())),
        )
        for event in told.events
        if isinstance(event, PLAYS) or event.n in ruled
    )
    if rows:
        table = Table(("time", "who", "play", "ruling"), rows, (2, 3, 10, 5))
        yield Fold(f"Every play, {len(rows)} lines", table)


def _races(told: Story, moments: Sequence[Moment], store: ClipStore) -> Iterator[Block]:
    run = races(told.rulings)
    if not run:
        return
    yield Heading("Races")
    yield Text(
        "Both players' times on one axis. Each bar holds the true time of an act with 95 %; "
        "where the bars overlap much, the order is not sure.",
        soft=True,
    )
    for race in run[:MOST_RACES]:
        yield from _race(told, race, moments, store)
    if len(run) > MOST_RACES:
        yield Text(f"{len(run) - MOST_RACES} further races stand in the log.")


def _race(
    told: Story, race: Ruling, moments: Sequence[Moment], store: ClipStore
) -> Iterator[Block]:
    acts = acts_of_race(told, race)
    yield Heading(f"{clock(race.t_ns, 3)}  {winner_words(told, race)} ({race.rule})", small=True)
    yield Text(sentence(race_words(told, race, acts)))
    if acts:
        yield Plot(race_picture(told, race, acts))
    moment = next((m for m in moments if m.dispute.ruling == race), None)
    if moment is not None:
        yield from _photos(moment, store)


def _cases(moments: Sequence[Moment], store: ClipStore) -> Iterator[Block]:
    cases = [m for m in moments if m.dispute.ruling.kind != "RACE" or m.dispute.state]
    if not cases:
        return
    yield Heading("Faults, questions and claims")
    for moment in cases[:MOST_CASES]:
        yield from _case(moment, store)
    if len(cases) > MOST_CASES:
        yield Text(f"{len(cases) - MOST_CASES} further ones: `referee dispute` lists them.")


def _case(moment: Moment, store: ClipStore) -> Iterator[Block]:
    dispute = moment.dispute
    ruling = dispute.ruling
    state = f" ({dispute.state})" if dispute.state else ""
    what = dispute_kind(dispute)
    yield Heading(f"{clock(ruling.t_ns, 3)}  {what}, dispute {dispute.n}{state}", small=True)
    yield Text(sentence(dispute_words(moment.story, dispute)))
    if moment.norm:
        yield Quote(ruling.rule, moment.norm)
    yield from _photos(moment, store)
    yield from (Text(sentence(line.strip())) for line in review_lines(dispute))


def _photos(moment: Moment, store: ClipStore) -> Iterator[Block]:
    """Return the frames before, at and after the moment, where they are kept.

    The card that it is about is outlined.
    """
    if moment.clip is None:
        return
    at_ns, label = moment.dispute.ruling.t_ns, _card_of(moment)
    wanted = [_nearest(moment.clip, at_ns + apart_ns) for apart_ns in SHOWN_NS]
    photos = []
    for frame in dict.fromkeys(wanted):
        try:
            jpeg = store.get(frame.sha256, "jpg")
        except RecordError:
            # Gone since: the report shows what there is, the log still names it.
            continue
        apart = (frame.t_ns - at_ns) / 1e6
        drawing = outlined(moment.clip, frame, label)
        photos.append(Photo(jpeg, f"{clock(frame.t_ns, 3)} ({apart:+.0f} ms)", drawing))
    if photos:
        yield Photos(tuple(photos))


def _card_of(moment: Moment) -> str:
    """Return the face of the card that was ruled on, empty where there is none or several."""
    ruled = (event for event in moment.events if event.n == moment.dispute.ruling.n)
    return next((e.card.face for e in ruled if isinstance(e, CardPlaced | CardTurned)), "")


def _nearest(clip: Clip, t_ns: int) -> ClipFrame:
    return min(clip.frames, key=lambda frame: abs(frame.t_ns - t_ns))


def _speed(told: Story) -> Iterator[Block]:
    bars, lines = reaction_bars(told), speed_lines(told)
    if bars is None and lines is None:
        return
    yield Heading("Reactions and speed of play")
    if bars is not None:
        yield Plot(
            bars,
            "A reaction: from an act of another player to the player's next act, where that "
            "came within 5 s.",
        )
    if lines is not None:
        yield Plot(lines, "Acts a minute: cards laid, turned, moved or taken, and pads hit.")


def _not_observed(told: Story, log: Log) -> Iterator[Block]:
    yield Heading("What was not observed")
    # A restart is told by the time in which the referee did not run.
    gaps = tuple(gap for gap in told.unseen if gap.cause != "restart")
    yield from (Text(sentence(unseen_words(gap, told.head.names))) for gap in gaps)
    for stop in gaps_of(log):
        yield Text(f"From {clock(stop.from_ns, 1)} to {clock(stop.to_ns, 1)} nothing: {stop.why}.")
    missed = [ruling for ruling in told.rulings if ruling.kind == "NOT_OBSERVED"]
    for ruling in missed[:MOST_CASES]:
        yield Text(f"{clock(ruling.t_ns, 1)}: {ruling.rule} could not be watched: {ruling.text}.")
    lost = [kept for kept in kept_of(log) if kept.clip is None]
    if lost:
        yield Text(f"Of {len(lost)} rulings no pictures were kept: {lost[0].why}.")
    if not (gaps or missed or lost or gaps_of(log)):
        yield Text("Nothing was out of view, and the referee did not stop.")
    yield from _devices(told)


def _devices(told: Story) -> Iterator[Block]:
    """Return what cameras and pads said of themselves."""
    if not told.devices:
        return
    yield Heading("What the devices said")
    rows = ((clock(one.t_ns, 1), one.device, one.state, one.text) for one in told.devices)
    yield Table(("time", "device", "state", "said"), tuple(rows)[:MOST_CASES], (2, 2, 2, 12))
    if len(told.devices) > MOST_CASES:
        yield Text(f"{len(told.devices) - MOST_CASES} further lines stand in the log.")


def _terms(told: Story, log: Log) -> Iterator[Block]:
    head = told.head
    meaning = {one.name: one.value for one in head.meanings}
    house = tuple(
        (option.name, option.value, meaning.get(option.name, ""))
        for option in head.options
        if not option.name.startswith("race.")
    )
    timing = ", ".join(
        f"{o.name.removeprefix('race.')} = {o.value}"
        for o in head.options
        if o.name.startswith("race.")
    )
    yield Heading("Options in force")
    if house:
        yield Table(("option", "value", "what it is about"), house, (4, 3, 12))
    if timing:
        yield Text(f"Timing: {timing}.", soft=True)
    yield Heading("The log")
    versions = ", ".join(f"{version.name} {version.value}" for version in head.versions)
    yield Text(f"Written by {versions}." if versions else "Written by an unnamed version.")
    yield Text(f"Head hash over {len(log.rows)} rows: {told.head_hash}")
    yield Text(
        f"Whoever has the log can prove that it is the one reported here: referee matches "
        f"--verify {head.match.id} --head {told.head_hash[:16]}... (the whole hash). A hash "
        "chain shows that a log was changed, not by whom.",
        soft=True,
    )
