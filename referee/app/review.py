"""Judges a recorded match again: as it was recorded, and as a review says it really was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.app.sitting import Sitting
from referee.games import find_game
from referee.match import MatchError, close, open_match, step
from referee.notation import NotationError, read_event, write_event
from referee.record import Folder, Log, Recorder, RecordError
from referee.record.clips import ClipStore
from referee.record.corrections import Course, course, next_number
from referee.record.dispute_page import dispute_page
from referee.record.disputes import Dispute, find_dispute
from referee.record.figures import story
from referee.record.log import open_log, read_log
from referee.record.moments import moment_of
from referee.record.notes import Correction, Review, read_end, read_review, review_text
from referee.record.reading import end_of, events_of, read_line, reviews_of, rulings_of
from referee.record.standing import (
    Differences,
    corrections_of,
    differences,
    in_order,
    standing,
    withdrawn_by_word,
)
from referee.rulebook import Game, State
from referee.values import Actor, Card, Declared, Event, Ruling, card
from referee.values.rulings import TIE

OWED = ("fault", "procedure", "void", "misdeal")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a review wants: the verdict, the reason, and for `change` one of what follows.

    `card`, `player` and `winner` correct the event that the ruling is about; `line` is the event
    as it really was; `after` puts an event behind it. `against` names who broke the rule of a
    claim that is confirmed.
    """

    verdict: str
    reason: str
    card: str | None = None
    player: str | None = None
    winner: str | None = None
    line: str | None = None
    after: str | None = None
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A course of a match judged: the state after it, and the rulings by recorded numbers."""

    state: State[Any]
    rulings: tuple[Ruling, ...]


def judged(log: Log, happened: Course) -> Judged:
    """Judge a course of a match; timers run out at its end only where the match was finished.

    Raises RecordError where this referee cannot judge such a match.
    """
    game, _ = _opened(log)
    found = _judged_open(log, happened)
    ended = end_of(log)
    if ended is None or ended.how != "finished":
        return found
    state, late = close(game, found.state)
    return Judged(state, (*found.rulings, *map(happened.recorded, late)))


def _judged_open(log: Log, happened: Course) -> Judged:
    """Judge a course of a match that may go on."""
    game, state = _opened(log)
    rulings: list[Ruling] = []
    for event in happened.events:
        state, more = step(game, state, event)
        rulings += more
    return Judged(state, tuple(map(happened.recorded, rulings)))


def _opened(log: Log) -> tuple[Game[Any], State[Any]]:
    try:
        game = find_game(log.head.match.game)
        return game, open_match(log.head.match, game, log.head.options)
    except (KeyError, MatchError) as reason:
        raise RecordError(f"{log.path}: it cannot be judged: {reason.args[0]}") from None


def replayed(log: Log) -> Differences:
    """Judge the events as they were recorded; returns where that differs from the rulings then.

    A review of the match in play changed what it went on from, and does so here. Raises
    RecordError.
    """
    before = [ruled.ruling for ruled in rulings_of(log)]
    return differences(before, _as_then(log))


def _as_then(log: Log) -> tuple[Ruling, ...]:
    """Return the rulings that were given then, judged anew: row for row."""
    game, state = _opened(log)
    rulings: list[Ruling] = []
    events: list[Event] = []
    corrections: list[Correction] = []
    for row in log.of("event", "review", "end"):
        more: tuple[Ruling, ...] = ()
        if row.kind == "event":
            events.append(read_line(row.body))
            state, more = step(game, state, events[-1])
        elif row.kind == "review":
            corrections += read_review(row.body).corrections
            state = _judged_open(log, course(events, corrections)).state
        elif read_end(row.body).how == "finished":
            state, more = close(game, state)
        rulings += more
    return tuple(rulings)


def rejudged(log: Log) -> Differences:
    """Judge the events as corrected by all reviews; returns what differs from what stands.

    Nothing differs where this referee is the one that wrote the log. Raises RecordError.
    """
    return differences(in_order(standing(log)), _anew(log))


def _anew(log: Log, *more: Review) -> list[Ruling]:
    """Judge the events as corrected by all reviews and `more`; returns what stands of that."""
    reviews = (*(one for _, one in reviews_of(log)), *more)
    corrections = (correction for one in reviews for correction in one.corrections)
    found = list(judged(log, course(events_of(log), corrections)).rulings)
    for word in withdrawn_by_word(reviews, rulings_of(log)):
        if (gone := _like(found, word)) is not None:
            found.remove(gone)
    return found


def _like(rulings: Sequence[Ruling], wanted: Ruling) -> Ruling | None:
    """Return the ruling itself, or what other words or another version made of it."""
    if wanted in rulings:
        return wanted
    names = (wanted.n, wanted.kind, wanted.rule, wanted.player)
    same = (one for one in rulings if (one.n, one.kind, one.rule, one.player) == names)
    return next(same, None)


def review(log: Log, dispute: Dispute, wish: Wish, at_utc: str) -> Review:
    """Return the review that a wish makes of a dispute, with all that follows from it.

    Nothing is written. Raises RecordError where the wish cannot be met.
    """
    if not wish.reason.strip():
        raise RecordError("a review needs a reason; give it with --reason TEXT")
    plain = Review(dispute.row, wish.verdict, " ".join(wish.reason.split()), at_utc)
    tried = [
        _with_differences(log, replace(plain, corrections=made))
        for made in _ways(log, dispute, wish)
    ]
    chosen = min(tried, key=_new_faults)
    _check_winner(chosen, wish, dispute)
    return chosen


def write_review(log: Log, made: Review) -> None:
    """Add a review to its log, durable. Raises RecordError.

    What follows from a review was told by the log as it was then: it must not have grown since.
    """
    writer = open_log(log.path)
    try:
        if writer.row != log.rows[-1].row:
            raise RecordError(f"{log.head.match.id}: somebody else added to the log; look again")
        writer.append("review", review_text(made))
    finally:
        writer.close()


def review_match(log: Log, dispute: Dispute, wish: Wish, at_utc: str) -> tuple[Review, Log]:
    """Make a review and add it to the log; returns it and the log as it is now.

    Raises RecordError; then nothing was written.
    """
    made = review(log, dispute, wish, at_utc)
    write_review(log, made)
    return made, read_log(log.path)


def review_live(sitting: Sitting, recorder: Recorder, n: int, wish: Wish, at_utc: str) -> Review:
    """Review dispute `n` of a match in play, which goes on from what really happened.

    To be called in the sitting's thread. What is to be announced, once, are the review's
    `withdrawn` and `added` rulings. Raises RecordError; then nothing was changed.
    """
    recorder.flush()
    log = read_log(recorder.path)
    made = review(log, find_dispute(log, n), wish, at_utc)
    recorder.on_review(made)
    happened = course(events_of(log), (*corrections_of(log), *made.corrections))
    sitting.adopt(_judged_open(log, happened).state, max(happened.recorded_n, default=0))
    return made


def shown_dispute(folder: Folder, log: Log, dispute: Dispute) -> str:
    """Return the page of a dispute of a log that was read. Raises RecordError."""
    store = ClipStore(folder.evidence)
    return dispute_page(moment_of(story(log), dispute, store), store)


def _with_differences(log: Log, made: Review) -> Review:
    """Return a review with what changes by it: the same rules judge the match without and with it.

    Another version may have announced what stands: its rulings are those that are withdrawn.
    """
    found = differences(_anew(log), _anew(log, made))
    left, withdrawn = list(in_order(standing(log))), []
    for gone in found.withdrawn:
        if (stood := _like(left, gone)) is not None:
            left.remove(stood)
            withdrawn.append(stood)
    return replace(made, withdrawn=tuple(withdrawn), added=found.added)


def _new_faults(made: Review) -> int:
    return sum(ruling.kind == "VIOLATION" for ruling in made.added)


def _ways(log: Log, dispute: Dispute, wish: Wish) -> tuple[tuple[Correction, ...], ...]:
    """Return the corrections that a wish may mean, the likeliest first."""
    if wish.verdict == "change":
        return (_changes(log, dispute.ruling, wish),)
    if wish.verdict == "withdraw" and _is_owed(dispute.ruling):
        # The card counts as played, unless it was put back, as the players had been told to.
        return (_forgiven(log, dispute.ruling) if _still_owed(log, dispute.ruling) else (),)
    if wish.verdict == "confirm" and dispute.claimed_by is not None:
        return (_upheld(log, dispute, wish),)
    return ((),)


def _is_owed(ruling: Ruling) -> bool:
    return ruling.kind == "VIOLATION" and ruling.player is not None and ruling.severity in OWED


def _still_owed(log: Log, ruling: Ruling) -> bool:
    state = _judged_open(log, course(events_of(log), corrections_of(log))).state
    return any(debt.n == ruling.n for debt in state.debts)


def _forgiven(log: Log, ruling: Ruling) -> tuple[Correction, ...]:
    words = ("forgive", ruling.player or "")
    return (_put_in(log, ruling.n, _operator_word(ruling, words)),)


def _upheld(log: Log, dispute: Dispute, wish: Wish) -> tuple[Correction, ...]:
    """Return the ruling that a claim asked for, by the operator."""
    rule = dispute.ruling.rule
    if wish.against is not None and wish.against not in log.head.match.seats:
        raise RecordError(f"--against {wish.against[:20]}: there is no such seat")
    words = ("ruling", rule, *([wish.against] if wish.against else []))
    return (_put_in(log, dispute.ruling.n, _operator_word(dispute.ruling, words)),)


def _put_in(log: Log, n: int, event: Event) -> Correction:
    """Return the correction that puts an event behind event `n`, under the next number."""
    number = next_number(events_of(log), corrections_of(log))
    return Correction("after", n, write_event(replace(event, n=number)))


def _operator_word(ruling: Ruling, words: tuple[str, ...]) -> Event:
    return Declared(
        n=ruling.n, t_ns=ruling.t_ns, actor=Actor(), source="operator", what="operator", words=words
    )


def _changes(log: Log, ruling: Ruling, wish: Wish) -> tuple[Correction, ...]:
    event = _event_of(log, ruling)
    given = (wish.card, wish.player, wish.winner, wish.line, wish.after)
    if sum(one is not None for one in given) != 1:
        raise RecordError(
            "--change takes one of card=7H, player=B, winner=B, line=EVENT LINE, after=EVENT LINE"
        )
    if wish.winner is not None:
        return _swapped(log, ruling, event, wish.winner)
    if wish.card is not None:
        return (_replaced(_with_card(event, wish.card)),)
    if wish.player is not None:
        return (_replaced(_with_player(log, event, wish.player)),)
    if wish.line is not None:
        return (_replaced(replace(_line(wish.line), n=event.n)),)
    return (_put_in(log, event.n, _line(wish.after or "")),)


def _event_of(log: Log, ruling: Ruling) -> Event:
    happened = course(events_of(log), corrections_of(log))
    numbers = happened.recorded_n
    if ruling.n not in numbers:
        raise RecordError(f"{log.head.match.id}: event {ruling.n} is not in the log")
    return replace(happened.events[numbers.index(ruling.n)], n=ruling.n)


def _replaced(event: Event) -> Correction:
    return Correction("replace", event.n, write_event(event))


def _line(text: str) -> Event:
    try:
        return read_event(text)
    except NotationError as error:
        raise RecordError(f"the event line cannot be read: {error.reason}") from None


def _with_card(event: Event, text: str) -> Event:
    try:
        new = card(text)
    except ValueError as reason:
        raise RecordError(f"--change card={text[:20]}: {reason}") from None
    old = getattr(event, "card", None)
    if not isinstance(old, Card):
        raise RecordError(f"event {event.n} moves no single card; use --change line=EVENT LINE")
    # `slots` and a union of kinds: each of these kinds has a field `card`.
    return replace(event, card=replace(new, deck=new.deck or old.deck))  # type: ignore[call-arg]


def _with_player(log: Log, event: Event, seat: str) -> Event:
    if seat not in log.head.match.seats:
        seats = ", ".join(log.head.match.seats)
        raise RecordError(f"--change player={seat[:20]}: the seats are {seats}")
    return replace(event, actor=Actor(seat, event.actor.hand))


def _swapped(log: Log, ruling: Ruling, event: Event, winner: str) -> tuple[Correction, ...]:
    """Return two corrections that give each of two racers the other's time and place."""
    if ruling.kind != "RACE":
        raise RecordError("--change winner= is for a race; use card=, player= or line=")
    if ruling.margin_ns is None:
        raise RecordError("nobody else was seen in this race; put the other in with after=")
    if winner != TIE and winner not in log.head.match.seats:
        raise RecordError(f"--change winner={winner[:20]}: name a seat, or tie")
    other = _rival(log, ruling, event)
    if winner == TIE:
        return (_replaced(replace(event, t_ns=other.t_ns)),)
    first = replace(event, n=other.n, t_ns=other.t_ns, u_ns=other.u_ns)
    second = replace(other, n=event.n, t_ns=event.t_ns, u_ns=event.u_ns)
    return _replaced(first), _replaced(second)


def _rival(log: Log, ruling: Ruling, event: Event) -> Event:
    """Return the other racer's event: another player's, as far away as the margin says."""
    happened = course(events_of(log), corrections_of(log))
    for other, n in zip(happened.events, happened.recorded_n, strict=True):
        apart_ns = abs(other.t_ns - event.t_ns)
        if other.actor.seat not in (None, event.actor.seat) and apart_ns == ruling.margin_ns:
            return replace(other, n=n)
    raise RecordError(
        "the other racer's event cannot be told; say with --change line= what really happened"
    )


def _check_winner(made: Review, wish: Wish, dispute: Dispute) -> None:
    if wish.winner is None:
        return
    races = [ruling for ruling in made.added if ruling.kind == "RACE"]
    if not any(race.winner == wish.winner for race in races):
        raise RecordError(
            f"with the times exchanged the rules do not make {wish.winner} the winner; "
            "say with --change line= what really happened"
        )
