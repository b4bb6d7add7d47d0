"""Judging one event: findings become rulings and debts, cures settle them, doubts are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.rulebook.asking import NOT_CERTAIN, Asked, ask, is_unsure
from referee.rulebook.debts import Arrival, Debt
from referee.rulebook.laying import Landing, Move, is_unordered
from referee.rulebook.piles import Table, Unseen
from referee.rulebook.quick import quick, replace
from referee.rulebook.rules import Game
from referee.rulebook.state import Act, Case, Finding, State, Verdict
from referee.values import Event, PileMixed, PileTaken, Ruling
from referee.values.cards import Unread

RECENT_ACTS = 8
FINE = Verdict()
NO_RULINGS: tuple[Ruling, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Judged:
    """What judging one case gave: rulings, the verdict for the game, and the state's new parts."""

    rulings: tuple[Ruling, ...]
    verdict: Verdict
    debts: tuple[Debt, ...]
    arrivals: Mapping[str, Arrival]
    recent: tuple[Act[Any], ...]


def doubts(game: Game[Any], event: Event, laid: Landing) -> Iterator[Ruling]:
    """Return a question for everything that does not fit what was known of the table (C-06)."""
    for doubt in laid.doubts:
        text = f"{doubt}; please check the table"
        yield game.ruling(game.census_rule, "QUERY", event, text)


def twice_at_start(game: Game[Any], state: State[Any], event: Event) -> Iterator[Ruling]:
    """Return a question for every second copy of a card in the start position (K-08)."""
    own = game.own_decks(state.setup) if callable(game.own_decks) else game.own_decks
    for token, card in state.table.faces.items():
        first = state.table.copy_of(card)
        unlike = card.is_any_joker or (own and card.deck is None)
        if first in (None, token) or unlike:
            continue
        zones = " and ".join(str(state.table.zone_of(t)) for t in (first, token) if t is not None)
        text = f"{card} stands twice in the start position, in {zones}; please check the table"
        yield game.ruling(game.census_rule, "QUERY", event, text)


def foreign_cards(game: Game[Any], state: State[Any], laid: Landing) -> tuple[int, ...]:
    """Return the cards that were just read and do not belong to the game's deck."""
    if game.belongs is None:
        return ()
    faces = ((token, laid.table.face(token)) for token in laid.read)
    return tuple(t for t, face in faces if face.known and not game.belongs(state.setup, face))


def census_fault(
    game: Game[Any], case: Case[Any], state: State[Any], foreign: tuple[int, ...]
) -> tuple[State[Any], tuple[Ruling, ...]]:
    """Rule on a card outside the deck: nobody is accused, it counts for nothing until removed."""
    rulings = []
    for token in foreign:
        text = f"{case.table.face(token)} does not belong to the deck"
        rulings.append(game.ruling(game.census_rule, "VIOLATION", case.event, text))
        zone = case.table.zone_of(token)
        if zone is not None and state.debt_of((token,)) is None:
            rule = f"{game.prefix}-{game.census_rule}"
            debt = Debt(case.event.n, rule, None, (token,), "removed", 0, True, zone)
            state = state.with_debt(debt)
    return state, tuple(rulings)


def judged(
    game: Game[Any], case: Case[Any], debts: tuple[Debt, ...], recent: tuple[Act[Any], ...]
) -> Judged:
    """Judge a case. `debts` are owed with the cards followed to where they lie now."""
    cured = _cured(game, case, case.debt) if case.debt else None
    if cured is not None:
        return _settled(game, case, debts, recent, cured)
    if _is_picked_up(case):
        recent = _remembered(recent, case, FINE)
        return Judged(NO_RULINGS, FINE, debts, case.before.arrivals, recent)
    asked = ask(game, case)
    undone = _undone(case, recent) if asked.findings or asked.unread else None
    if undone is not None:
        return _settled(game, case, debts, recent, undone)
    asked = not_certain(case, recent, asked)
    if not asked.findings and not asked.unread and not asked.unseen:
        verdict, rulings = FINE, NO_RULINGS
    else:
        verdict = asked.verdict()
        accused = (accuse(game, case, id, finding) for id, finding in asked.findings)
        rulings = (*accused, *undecided(game, case, asked))
    if case.debt is not None or asked.findings:
        debts = _debts_after(game, case, debts, asked)
    arrivals = _arrivals(case) if verdict.fine else case.before.arrivals
    return Judged(rulings, verdict, debts, arrivals, _remembered(recent, case, verdict))


def _debts_after(
    game: Game[Any], case: Case[Any], debts: tuple[Debt, ...], asked: Asked
) -> tuple[Debt, ...]:
    move = case.move
    if move is None:
        return debts
    if case.debt is not None and not move.turned:
        # An owed card that was moved on is judged as a new move from where it belongs.
        debts = _without(debts, case.debt, move.tokens)
    for id, finding in asked.findings:
        if owes(game, id, finding):
            return (*debts, case.owing(id, finding.seat))
    return debts


def _arrivals(case: Case[Any]) -> Mapping[str, Arrival]:
    move, event = case.move, case.event
    before = case.before.arrivals
    if isinstance(event, PileMixed):
        # Which card came last to a pile that was mixed nobody knows, nor does it matter.
        return {zone: last for zone, last in before.items() if zone != event.zone}
    if move is None or (move.turned and not is_unsure(event)):
        return before
    actor = event.actor
    arrival = Arrival(
        event.n, case.setup.instant(event), actor.seat, actor.hand, move.tokens, move.origin
    )
    return {**before, move.target: arrival}


def _cured(game: Game[Any], case: Case[Any], debt: Debt) -> Debt | None:
    """Return the debt that this act settles: the exact reverse, or the remedy the game names."""
    move = case.moved
    if debt.at == debt.origin:
        return debt if move.turned and move.up == debt.was_up else None
    if move.target == debt.origin and not move.turned:
        return debt
    try:
        return debt if game.cures and game.cures(case.before, debt, move) else None
    except (Unread, Unseen):
        return None


def _is_picked_up(case: Case[Any]) -> bool:
    """Whether a player only takes up what he owes: where he puts it is judged then."""
    debt = case.debt
    return debt is not None and isinstance(case.event, PileTaken) and debt.seat == case.seat


def _undone(case: Case[Any], recent: tuple[Act[Any], ...]) -> Debt | None:
    """Return what is taken back by the exact reverse of an act that is not owed.

    It was flagged, or nobody could judge it: then it may have been a fault that is put right.
    """
    move = case.move
    if move is None or case.debt is not None:
        return None
    tokens, act = set(move.tokens), _last_move_of(move, recent)
    rules = (*act.faulty, *act.doubtful) if act else ()
    if act is None or not rules:
        return None
    old = act.case.moved
    back = (old.origin, old.target) == (move.target, move.origin) and set(old.tokens) == tokens
    back = back and (not move.turned or old.up != move.up)
    return act.case.owing(rules[0], act.case.seat) if back else None


def not_certain(case: Case[Any], recent: tuple[Act[Any], ...], asked: Asked) -> Asked:
    """Return questions for findings over cards that a camera was asked about when they moved last.

    `recent` are the acts before this one, which may put one of them right.
    """
    if not asked.findings or not case.before.camera or case.move is None:
        return asked
    act = _last_move_of(case.move, recent)
    if (act is None or not act.doubtful) and not _may_put_right(case, recent):
        return asked
    return Asked((), tuple((id, NOT_CERTAIN.why) for id, _ in asked.findings), ())


def _may_put_right(case: Case[Any], recent: tuple[Act[Any], ...]) -> bool:
    """Whether an unread card out of a hand may be one that came into it where that was asked about.

    It goes back to where it came from: nobody sees which card of a hand it is.
    """
    move = case.moved
    if case.card.known or not is_unordered(move.origin):
        return False
    way = (move.target, move.origin)
    asked = (act.case.moved for act in recent if act.doubtful and act.case.move is not None)
    return any((one.origin, one.target) == way for one in asked)


def _last_move_of(move: Move, recent: tuple[Act[Any], ...]) -> Act[Any] | None:
    """Return the latest act that moved some of the same cards."""
    tokens = set(move.tokens)
    return next((act for act in reversed(recent) if tokens & set(act.case.moved.tokens)), None)


def _settled(
    game: Game[Any],
    case: Case[Any],
    debts: tuple[Debt, ...],
    recent: tuple[Act[Any], ...],
    debt: Debt,
) -> Judged:
    rule = game.cured(case, debt) if game.cured else debt.rule.removeprefix(f"{game.prefix}-")
    ruling = game.ruling(rule, "INFO", case.event, "cured", player=debt.seat)
    left = _without(debts, debt, case.moved.tokens)
    return Judged((ruling,), Verdict(cured=debt), left, case.before.arrivals, recent)


def put_back(table: Table, move: Move, debt: Debt) -> Table:
    """Return the table where owed cards that are back lie in the pile where they lay.

    A card event tells the zone only; whoever takes a mistake back restores the order.
    """
    if move.target != debt.origin or move.turned or move.under:
        return table
    pile = table.pile(move.target)
    rest = tuple(lying for lying in pile if lying.token not in move.tokens)
    back = tuple(lying for lying in pile if lying.token in move.tokens)
    if debt.height >= len(rest):
        return table
    return table.with_pile(move.target, (*rest[: debt.height], *back, *rest[debt.height :]))


def _without(debts: tuple[Debt, ...], debt: Debt, tokens: tuple[int, ...]) -> tuple[Debt, ...]:
    """Return the debts where these tokens of one of them are no longer owed."""
    left: list[Debt] = []
    for other in debts:
        if (other.n, other.tokens) != (debt.n, debt.tokens):
            left.append(other)
        elif rest := tuple(t for t in other.tokens if t not in tokens):
            left.append(replace(other, tokens=rest, at=debt.at))
    return tuple(left)


def owes(game: Game[Any], id: str, finding: Finding) -> bool:
    """Return whether the moved cards are owed after this finding."""
    return game.rules[id].severity == "fault" if finding.owes is None else finding.owes


def accuse(game: Game[Any], case: Case[Any], id: str, finding: Finding) -> Ruling:
    """Return the ruling for a finding: INFO where the rule is one, else VIOLATION."""
    bare = id.removeprefix(f"{game.prefix}-")
    kind = "INFO" if game.rules[id].severity == "info" else "VIOLATION"
    return game.ruling(bare, kind, case.event, finding.text, player=finding.seat)


def undecided(game: Game[Any], case: Case[Any], asked: Asked) -> Iterator[Ruling]:
    """One QUERY or NOT_OBSERVED for an act that could not be judged."""
    if asked.unread:
        id, reason = asked.unread[0]
        kind = "QUERY"
    elif asked.unseen and case.before.blind:
        id, reason = asked.unseen[0]
        kind = "NOT_OBSERVED"
    else:
        return
    yield game.ruling(
        id.removeprefix(f"{game.prefix}-"), kind, case.event, f"{reason}: not decided"
    )


def _remembered(
    recent: tuple[Act[Any], ...], case: Case[Any], verdict: Verdict
) -> tuple[Act[Any], ...]:
    if case.move is None:
        return recent
    older, latest = recent[: 1 - RECENT_ACTS], recent[1 - RECENT_ACTS :]
    open_ones = tuple(act for act in older if act.doubtful)[-RECENT_ACTS:] if older else ()
    return (*open_ones, *latest, Act(case, verdict.found, verdict.doubtful))
