"""Joins a match in play to the page: the judge's state becomes a board, what people say events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from referee.app.phases import Phase, phase_of
from referee.app.telling import headline, said_text, tone_of
from referee.notation import ruling_json, write_event
from referee.notation.spoken import card_sign, zone_words
from referee.rulebook import Debt, Game, State
from referee.screens.board import (
    BoardState,
    Camera,
    Clock,
    HandShown,
    Head,
    Owed,
    Plan,
    Player,
    ReadShown,
    RuleShown,
    RulingShown,
    Status,
    ZonePlan,
)
from referee.screens.declarations import buttons
from referee.table.layout import LayoutError, is_for_hands, lay_of, plan
from referee.table.view import TableView
from referee.values import (
    CardRead,
    Declared,
    Event,
    HandSeen,
    Match,
    Ruling,
    TablePlan,
    Zone,
)

# Points each way by which a picture's perspective is fitted: enough to even out a lens's barrel.
GRID = 6
# The page shows the latest rulings; all of them are in the record.
MOST_RULINGS = 40
LOUD = frozenset({"fault", "race", "score", "end", "query"})


def _no_board(board: BoardState) -> None:
    """Show the board to nobody."""


def _no_line(fields: dict[str, Any]) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is shown boards (`show`) and told each event and ruling (`tell`): the page, mostly."""

    show: Callable[[BoardState], None] = _no_board
    tell: Callable[[dict[str, Any]], None] = _no_line


class Board:
    """The board of one match; a Listener of its sitting. To be used in the sitting's thread.

    After each event that was fed, `update` shows what has become of the table. `seen` may be
    called as often as there are pictures.
    """

    def __init__(
        self,
        match: Match,
        game: Game[Any],
        audience: Audience,
        names: Mapping[str, str] | None = None,
        *,
        rate: float = 1.0,
        disputable: bool = False,
    ) -> None:
        """`rate` is how fast the match's clock runs; `disputable`: rulings have a page."""
        self._match, self._game, self._audience = match, game, audience
        self._names = _everybodys(match.seats, names or {})
        self._disputable = disputable
        self.rate = rate
        self.paused = self._over = False
        self._view: TableView | None = None
        self._ruling_id = 0
        self._given: dict[int, Ruling] = {}
        self._edges, shown_plan = _plan_of(match.game, match.seats, self._names)
        head = Head("match", match.id, match.title, game.name, game.title)
        self.state = BoardState(head, Status("waiting", ""), plan=shown_plan, rules=_rules_of(game))

    def on_event(self, event: Event) -> None:
        """Tell the programs that listen; notice a pause."""
        self._audience.tell({"type": "event", "line": write_event(event)})
        if isinstance(event, Declared) and event.what == "operator":
            self.paused = {"pause": True, "continue": False}.get(
                event.words[0] if event.words else "", self.paused
            )

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Announce rulings, each under an id of its own, once."""
        for ruling in rulings:
            self._audience.tell({"type": "ruling", "line": ruling_json(ruling, self._match.id)})
        self.recall(rulings)

    def recall(self, rulings: Iterable[Ruling]) -> None:
        """List rulings that were announced already, as of a match that goes on after a break.

        They get the ids that they had: a page that has called them out does not do it again.
        """
        found = []
        for ruling in rulings:
            self._ruling_id += 1
            self._given[self._ruling_id] = ruling
            found.append(self._shown(ruling))
        latest = (*self.state.rulings, *found)[-MOST_RULINGS:]
        self._given = {one.id: self._given[one.id] for one in latest}
        self.state = replace(self.state, rulings=latest)

    def settle(self, ruling: Ruling, state: str, by: str | None = None) -> None:
        """Show what became of a ruling: open (disputed `by` a seat), confirmed, withdrawn, changed.

        A ruling that is no longer among the latest is in the record alone.
        """
        name = _name_of(ruling)
        ids = [number for number, given in self._given.items() if _name_of(given) == name]
        if not ids:
            return
        rulings = tuple(
            replace(one, state=state, disputed_by=by or one.disputed_by)
            if one.id == ids[-1]
            else one
            for one in self.state.rulings
        )
        self.state = replace(self.state, rulings=rulings)
        self._audience.show(self.state)

    def update(self, state: State[Any], now_ns: int | None = None) -> None:
        """Show the table as the judge knows it. `now_ns` is the match's time, if it is later."""
        phase = phase_of(state)
        status = self._status(state, phase)
        running = status.word not in ("paused", "ended")
        t_ms = max(now_ns or 0, state.now_ns) // 1_000_000
        target = state.setup.options.get("target")
        seats = state.setup.seats
        self.state = replace(
            self.state,
            head=replace(self.state.head, target=target),
            status=status,
            clock=Clock(t_ms, running, self.rate),
            players=tuple(self._player(state, phase, seat) for seat in seats),
            cards=_cards_of(state),
            owed=tuple(_owed(state, debt) for debt in state.debts),
            blind=tuple(sorted(state.blind)),
            buttons=buttons(self._game.name, seats, state.setup.options, phase.due, phase.idle),
        )
        self._audience.show(self.state)

    def see(
        self,
        hands: tuple[HandSeen, ...],
        reads: tuple[CardRead, ...] | None = None,
        view: TableView | None = None,
    ) -> None:
        """Show where hands are, and with a new picture of a view what was read in it."""
        if view is not None and view is not self._view:
            self._view = view
            self.state = replace(self.state, camera=_camera(view, self.state.plan))
        seen = replace(self.state.seen, hands=tuple(_hand(hand) for hand in hands))
        if reads is not None and view is not None:
            read = tuple(_read(one, view.size_px) for one in reads)
            seen = replace(seen, reads=read, picture_n=seen.picture_n + 1)
        self.state = replace(self.state, seen=seen)
        self._audience.show(self.state)

    def finish(self, state: State[Any]) -> None:
        """Show that the match is over, also where nobody has won it."""
        self._over = True
        self.update(state)

    def mark(self, *marks: str) -> None:
        """Show what the match itself does not know: `no camera`, `pads silent`; none clears it."""
        self.state = replace(self.state, marks=marks)
        self._audience.show(self.state)

    def _status(self, state: State[Any], phase: Phase) -> Status:
        owing = tuple(sorted({debt.seat for debt in state.debts if debt.seat}))
        if phase.word == "ended":
            return Status("ended", self._named(phase.prompt))
        if self._over:
            return Status("ended", "The match was ended; nothing more is judged.")
        if self.paused:
            return Status("paused", "The operator paused the match; nothing is judged.")
        if state.blind:
            zones = tuple(sorted(state.blind))
            named = (zone_words(zone, self._names) for zone in zones)
            where = "the table" if "*" in zones else ", ".join(named)
            return Status("blind", f"The camera does not see {where}.", zones=zones)
        if state.debts:
            return Status("take back", _take_back(self._names, state), owing)
        return Status(phase.word, self._named(phase.prompt))

    def _named(self, prompt: str) -> str:
        """Return a prompt with names in it, for the seats that it marks: `@A` is A's name."""
        for seat, name in self._names.items():
            prompt = prompt.replace(f"@{seat}", name)
        return prompt

    def _player(self, state: State[Any], phase: Phase, seat: str) -> Player:
        return Player(
            seat=seat,
            name=self._names[seat],
            edge=self._edges.get(seat, "south"),
            score=None if phase.scores is None else phase.scores.get(seat, 0),
            note=phase.notes.get(seat, ""),
            owes=sum(len(debt.tokens) for debt in state.debts if debt.seat == seat),
        )

    def _shown(self, ruling: Ruling) -> RulingShown:
        rule = self._game.rules.get(ruling.rule)
        tone = tone_of(ruling)
        seats = [ruling.player, ruling.winner if ruling.winner != "tie" else None]
        return RulingShown(
            id=self._ruling_id,
            n=ruling.n,
            t_ms=ruling.t_ns // 1_000_000,
            kind=ruling.kind,
            tone=tone,
            loud=tone in LOUD,
            rule=ruling.rule,
            rule_text=rule.norm if rule else "",
            head=headline(ruling, self._names),
            text=said_text(ruling, self._names),
            seats=tuple(seat for seat in dict.fromkeys(seats) if seat),
            remedy=ruling.remedy,
            remedy_source=ruling.remedy_source,
            winner=ruling.winner,
            margin_ms=None if ruling.margin_ns is None else ruling.margin_ns / 1e6,
            interval_ms=None if ruling.interval_ns is None else ruling.interval_ns / 1e6,
            p_first=ruling.p_first,
            scores={p.seat: p.points for p in ruling.scores} if ruling.scores else None,
            disputable=self._disputable and tone in LOUD,
        )


def waiting_board(
    match_id: str, game: Game[Any], seats: tuple[str, ...], names: Mapping[str, str], prompt: str
) -> BoardState:
    """Return what is shown while a match is chosen but its table was not seen yet."""
    called = _everybodys(seats, names)
    edges, shown_plan = _plan_of(game.name, seats, called)
    return BoardState(
        Head("match", match_id, "", game.name, game.title),
        Status("waiting", prompt),
        players=tuple(Player(seat, called[seat], edges.get(seat, "south")) for seat in seats),
        plan=shown_plan,
    )


def _everybodys(seats: tuple[str, ...], names: Mapping[str, str]) -> dict[str, str]:
    """Return what each seat is called, also where nobody gave a name."""
    return {seat: names.get(seat, f"Player {seat}") for seat in seats}


def _name_of(ruling: Ruling) -> tuple[int, str, str, str | None]:
    return ruling.n, ruling.kind, ruling.rule, ruling.player


def _plan_of(
    game: str, seats: tuple[str, ...], names: Mapping[str, str]
) -> tuple[dict[str, str], Plan | None]:
    """Return each seat's edge of the table, and the table; None where the game has no layout."""
    try:
        table = plan(game, seats)
    except LayoutError:
        return {}, None
    zones = {zone.name: _zone_plan(table, zone, names) for zone in table.zones}
    edges = {place.seat: place.edge for place in table.seats}
    return edges, Plan(table.table_mm[0], table.table_mm[1], zones)


def _camera(view: TableView, table: Plan | None) -> Camera | None:
    """Return how the table lies in a view's picture; None without a table."""
    if table is None:
        return None
    across = np.linspace(0.0, 1.0, GRID)
    grid_mm = np.array([(x * table.w_mm, y * table.h_mm) for x in across for y in across])
    shares = view.to_px(grid_mm) / np.array(view.size_px)
    found, _ = cv2.findHomography(grid_mm, shares)
    return None if found is None else Camera(tuple(float(value) for value in found.ravel()))


def _zone_plan(table: TablePlan, zone: Zone, names: Mapping[str, str]) -> ZonePlan:
    lay = lay_of(table, zone)
    return ZonePlan(
        *(*zone.center_mm, zone.angle_deg, zone.w_mm, zone.h_mm, *lay.first_mm, *lay.step_mm),
        holds=lay.cards,
        hands=is_for_hands(table, zone),
        words=zone_words(zone.name, names),
    )


def _rules_of(game: Game[Any]) -> tuple[RuleShown, ...]:
    return tuple(RuleShown(rule.id, rule.norm) for rule in game.rules.values())


def _cards_of(state: State[Any]) -> dict[str, tuple[str, ...]]:
    """Return what lies in each zone; of a card that lies face down only its back is told."""
    return {
        zone: tuple(_card_word(state, lying.token, lying.up) for lying in pile)
        for zone, pile in state.table.piles.items()
        if pile
    }


def _card_word(state: State[Any], token: int, up: bool) -> str:
    face = state.table.face(token)
    if up:
        return str(face)
    return f"[{face.deck}:??]" if face.deck else "[??]"


def _owed(state: State[Any], debt: Debt) -> Owed:
    pile = [lying.token for lying in state.table.pile(debt.at)]
    ups = {lying.token: lying.up for lying in state.table.pile(debt.at)}
    return Owed(
        seat=debt.seat,
        cards=tuple(_card_word(state, token, ups.get(token, True)) for token in debt.tokens),
        at=debt.at,
        places=tuple(pile.index(token) for token in debt.tokens if token in ups),
        back_to=debt.origin,
        rule=debt.rule,
        race=debt.race,
    )


def _take_back(names: Mapping[str, str], state: State[Any]) -> str:
    debt = state.debts[0]
    who = names.get(debt.seat or "", "Somebody")
    what = f"{len(debt.tokens)} cards"
    if len(debt.tokens) == 1:
        what = card_sign(str(state.face(debt.tokens[0])))
    at, origin = (zone_words(zone, names) for zone in (debt.at, debt.origin))
    return f"{who} takes {what} back from {at} to {origin}."


def _hand(hand: HandSeen) -> HandShown:
    x_mm, y_mm = (round(value, 1) for value in hand.tip_mm)
    root_x_mm, root_y_mm = (round(value, 1) for value in hand.root_mm)
    return HandShown(x_mm, y_mm, root_x_mm, root_y_mm, hand.seat, hand.hand)


def _read(read: CardRead, size_px: tuple[int, int]) -> ReadShown:
    points = read.quad_px or (read.at_px,)
    corners = tuple((round(x / size_px[0], 4), round(y / size_px[1], 4)) for x, y in points)
    return ReadShown(read.label, round(read.score, 3), corners)
