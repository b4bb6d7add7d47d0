"""Takes in what people say on the page of a match in play: declarations, orders, reviews."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Protocol

from referee.app.board import Board
from referee.app.orders import OrderError, ordered, said
from referee.app.recording import now_utc
from referee.app.review import Wish, review_live
from referee.app.sitting import Listener, Sitting
from referee.record import Log, Recorder, RecordError, read_log
from referee.record.disputes import STATES, Dispute, disputes_of
from referee.record.notes import DisputeOpened, Review
from referee.rulebook import State
from referee.screens.desk import Desk, Order, Saying, Word
from referee.values import Event

# Orders that end the match; the last two say what comes after it.
ENDING = ("end", "restart", "setup")
REVIEWS = ("confirm", "withdraw", "change")
# What is said before the match has begun waits for it.
MOST_WAITING = 64


class InPlay(Protocol):
    """A match in play, as what people say reaches it."""

    @property
    def sitting(self) -> Sitting | None:
        """The sitting, None before the match has begun."""

    def match_ns(self, host_ns: int) -> int:
        """Return the match's time at a time of the host's clock."""

    def put(self, *events: Event) -> None:
        """Take events with times of the match."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The match that is spoken of: it is shown and, where a record is kept, recorded.

    `told` are all its listeners but the record.
    """

    match: InPlay
    board: Board
    recorder: Recorder | None
    told: tuple[Listener, ...]


class Hearing:
    """Hears what is said at the page's desk. Used by the match's thread.

    `wanted` is the order that ended the match: end, restart or setup; empty while it goes on.
    """

    def __init__(self, desk: Desk) -> None:
        """Listen at a desk."""
        self._desk = desk
        self._early: deque[Word] = deque(maxlen=MOST_WAITING)
        self.wanted = ""

    def before(self) -> None:
        """Keep what is said before the match begins, but notice that it is not to begin."""
        for word in self._desk.words():
            if isinstance(word, Order) and word.do in ENDING:
                self.wanted = word.do
            else:
                self._early.append(word)

    def step(self, heard: Heard) -> None:
        """Take in all that was said since the last step."""
        words = (*self._early, *self._desk.words())
        self._early.clear()
        for word in words:
            try:
                self._take(heard, word)
            except (OrderError, RecordError) as reason:
                heard.board.mark(f"not done: {reason}")

    def _take(self, heard: Heard, word: Word) -> None:
        sitting = heard.match.sitting
        assert sitting is not None
        t_ns, state = max(0, heard.match.match_ns(word.t_ns)), sitting.state
        match word:
            case Saying(what="dispute"):
                _dispute(heard, word)
            case Saying():
                heard.match.put(said(word, state, t_ns))
            case Order(do=do) if do in REVIEWS:
                _review(heard, word)
            case Order():
                self._obey(heard, word, state, t_ns)

    def _obey(self, heard: Heard, order: Order, state: State[Any], t_ns: int) -> None:
        heard.match.put(*ordered(order, state, t_ns))
        heard.board.mark()
        if order.do in ENDING:
            self.wanted = order.do


def _dispute(heard: Heard, saying: Saying) -> None:
    """Note in the record that somebody disputes a ruling. Raises RecordError."""
    recorder, dispute = _disputed(heard, saying.words)
    reason = " ".join(saying.words[1:])
    recorder.on_dispute(DisputeOpened(dispute.row, saying.seat, reason, now_utc()))
    heard.board.settle(dispute.ruling, "open", saying.seat)


def _review(heard: Heard, order: Order) -> None:
    """Let a ruling stand, withdraw or change it; the match goes on from what follows.

    Raises RecordError.
    """
    sitting = heard.match.sitting
    assert sitting is not None
    recorder, dispute = _disputed(heard, order.words)
    wish = wish_of(order.do, order.words[1:])
    made: Review = review_live(sitting, recorder, dispute.n, wish, now_utc())
    heard.board.mark()
    heard.board.settle(dispute.ruling, STATES[order.do])
    for ruling in made.withdrawn:
        heard.board.settle(ruling, "withdrawn")
    for listener in heard.told:
        listener.on_rulings(made.added)


def _disputed(heard: Heard, words: tuple[str, ...]) -> tuple[Recorder, Dispute]:
    if heard.recorder is None:
        raise RecordError("no record is kept, so nothing can be disputed")
    heard.recorder.flush()
    return heard.recorder, dispute_over(read_log(heard.recorder.path), words[0] if words else "")


def dispute_over(log: Log, name: str) -> Dispute:
    """Return the dispute that the page names: `12`, or `12:NERVES-PLAY-03` where event 12 has two.

    Raises RecordError where there is none.
    """
    number, _, rule = name.partition(":")
    for dispute in disputes_of(log):
        if str(dispute.ruling.n) == number and rule in ("", dispute.ruling.rule):
            return dispute
    raise RecordError(f"{log.head.match.id} has no dispute over event {number[:20]}")


def wish_of(verdict: str, words: tuple[str, ...]) -> Wish:
    """Return what an order's words want; a change begins with what is changed: `card:7H`.

    Raises RecordError.
    """
    if verdict != "change":
        return Wish(verdict, " ".join(words))
    what, _, value = words[0].partition(":") if words else ("", "", "")
    reason = " ".join(words[1:])
    match what:
        case "card":
            return Wish(verdict, reason, card=value)
        case "player":
            return Wish(verdict, reason, player=value)
        case "winner":
            return Wish(verdict, reason, winner=value)
    raise RecordError("a change says what it changes: card:7H, player:B or winner:A")
