"""Asking the rules about an act: findings, and the doubts in which nobody is accused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from referee.rulebook.laying import Move, is_unordered
from referee.rulebook.piles import Unseen
from referee.rulebook.quick import quick
from referee.rulebook.races import Finish
from referee.rulebook.rules import Game, Rule
from referee.rulebook.state import ALL_ZONES, Case, Finding, State, Verdict
from referee.values import Card, CardPlaced, Event, PileMoved, card_zones
from referee.values.cards import Unread

M = TypeVar("M")


@quick
@dataclass(frozen=True, slots=True)
class Asked:
    """What asking the rules about one case gave: findings, and doubts with their reason."""

    findings: tuple[tuple[str, Finding], ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    unseen: tuple[tuple[str, str], ...] = ()

    def verdict(self) -> Verdict:
        """Return the verdict for the game: the ids that found something or could not tell."""
        found = tuple(id for id, _ in self.findings)
        return Verdict(found, tuple(id for id, _ in (*self.unread, *self.unseen)))


NOTHING = Asked()
# Nobody is accused over an event of which its sensor is less sure than that; it is asked about.
# What a tracker inferred and did not see happen it says with 0.95 at most.
ACCUSES_FROM = 0.97
# So sure it is only after the whole table was compared with what had been told of it.
VOUCHED = 1.0
# Ours: who moves a card back that he laid so short a time ago may put something right.
PUTS_RIGHT_NS = 5_000_000_000
UNSURE = "the camera is not sure enough of it"
NOT_COUNTED = "how many cards are turned at once is not seen"
FROM_NOWHERE = "where the card came from is not seen"


def is_unsure(event: Event) -> bool:
    """Whether nobody may be accused over an event, as its sensor may have seen it wrongly."""
    return event.conf is not None and event.conf < ACCUSES_FROM


def is_counted(case: Case[M]) -> bool:
    """Whether it was surely seen how many cards were moved: turned over they hide all but one."""
    return not (case.moved.flip and is_unsure(case.event))


def is_from_nowhere(case: Case[M]) -> bool:
    """Whether a card came that was seen to leave no pile: it may have lain covered in any."""
    return is_unsure(case.event) and case.origin.endswith(("held", "off"))


def may_put_right(case: Case[M]) -> bool:
    """Whether a player takes a card back that he laid a moment ago, as a camera sees it.

    Something was wrong with it that need not have been seen: which hand laid it, what both hands
    carried meanwhile, or that the hand was over. Where nobody saw whose hand it was, the same may
    have taken it back.
    """
    came = case.before.arrivals.get(case.origin)
    if not case.before.camera or came is None:
        return False
    if came.seat is not None and case.seat is not None and came.seat != case.seat:
        return False
    back = case.moved.target == came.origin
    return back and case.event.t_ns - came.instant.t_ns < PUTS_RIGHT_NS


@quick
@dataclass(frozen=True, slots=True)
class Doubt:
    """Why nobody is accused: a question (QUERY) or a notice (NOT_OBSERVED) takes the place."""

    kind: Literal["QUERY", "NOT_OBSERVED"]
    why: str


NOT_SURE = Doubt("QUERY", UNSURE)
NOT_CERTAIN = Doubt("QUERY", "what lies there is in doubt")
NOT_SEEN = Doubt("NOT_OBSERVED", "acts before this one were not seen")


def doubt(game: Game[M], state: State[M], n: int, rule: str) -> Doubt | None:
    """Return why nobody may be accused by a rule (its full id) over event `n`; None: he may be.

    What was seen to happen did happen; that nothing else did, a camera can only vouch for when
    all lies as it told, and nobody while something is out of view. Else rules that tell an act by
    the acts before it ask.
    """
    if n in state.unsure:
        return NOT_SURE
    if rule not in game.of_order:
        return None
    if not state.vouches(n):
        return NOT_SURE
    return NOT_SEEN if state.missed or state.blind else None


def ask(game: Game[M], case: Case[M], *, only: frozenset[str] | None = None) -> Asked:
    """Ask the rules in their order; of the competing ones the first that finds anything counts.

    `only` names the rules (full ids) to ask, None for all.
    """
    findings: list[tuple[str, Finding]] = []
    unread: list[tuple[str, str]] = []
    unseen: list[tuple[str, str]] = []
    taken = False
    for rule, check in game.watching(case, only):
        if taken and not rule.beside:
            continue
        try:
            found = [*check(case)]
        except Unread:
            unread.append((rule.id, "a card is not read"))
        except Unseen as reason:
            unseen.append((rule.id, str(reason)))
        else:
            why = _not_vouched(game, case, rule) if found else None
            if why is not None:
                (unread if why.kind == "QUERY" else unseen).append((rule.id, why.why))
            elif found:
                sure = [finding for finding in found if _open(case.before, finding) is None]
                if len(sure) < len(found):
                    whys = (_open(case.before, one) for one in found)
                    unread.append((rule.id, next(filter(None, whys))))
                findings += [(rule.id, finding) for finding in sure]
                taken = taken or (bool(sure) and not rule.beside)
    if not (findings or unread or unseen):
        return NOTHING
    if taken:
        return Asked(tuple(findings))
    return Asked(tuple(findings), tuple(unread), tuple(unseen))


def _not_vouched(game: Game[M], case: Case[M], rule: Rule[M]) -> Doubt | None:
    """Return why a finding must not be made, None where it may."""
    before = case.before
    why = doubt(game, before, case.event.n, rule.id)
    if before.blind and why is not NOT_SURE:
        for zone in card_zones(case.event):
            if zone in before.blind or ALL_ZONES in before.blind:
                return Doubt("NOT_OBSERVED", f"{zone} is out of view")
    if why is None and rests_on_unsure(case):
        return NOT_SURE if is_unsure(case.event) else NOT_CERTAIN
    changed = _lost_sight(game, case, whole=rule.id in game.of_order) if why is None else None
    return why if changed is None else Doubt("QUERY", f"{changed} was out of view")


def _lost_sight(game: Game[M], case: Case[M], *, whole: bool) -> str | None:
    """Return the zone of an act that may have changed while it was out of view."""
    before, move = case.before, case.move
    if not before.regained or game.knows_gaps:
        return None
    # What a card covers, or is put under, rests on all that happened to a pile.
    whole = whole or (move is not None and (move.depth > 0 or move.under))
    zones = (zone for zone in card_zones(case.event) if before.lost_sight_of(zone, whole=whole))
    return next(zones, None)


def _open(before: State[M], finding: Finding) -> str | None:
    """Return why a finding must be asked about, by what it rests on besides the act, if so."""
    if not finding.surely:
        return UNSURE
    if not before.regained:
        return None
    changed = (z for z in finding.rests_on if before.lost_sight_of(z, whole=True))
    return next((f"{zone} was out of view" for zone in changed), None)


def who_was_first(
    case: Case[M],
    first_n: int,
    names: tuple[str | None, str | None],
    result: Finish | None = None,
) -> str | None:
    """Return the question in place of a race's decision, None where one may be made.

    The case is that of the second card, the first came by event `first_n`; `names` are the
    players of both. Nobody raced where one of the two acts may not have been as it was seen.
    """
    if result is not None and result.how == "contradiction":
        why = "times and order of the cards disagree"
    elif {first_n, case.event.n} & {*case.before.unsure}:
        why = UNSURE
    else:
        return None
    one, other = names
    return f"{one or '?'} or {other or '?'}: {why}; who was first?"


def rests_on_doubt(game: Game[M], case: Case[M]) -> bool:
    """Whether an act cannot be judged as what lies there may be other than it was seen."""
    return rests_on_unsure(case) or _lost_sight(game, case, whole=False) is not None


def moves_unknown(game: Game[M], case: Case[M]) -> bool:
    """Whether cards are moved unread that may have been exchanged while they were out of view."""
    event, move = case.event, case.move
    if move is None or move.flip or game.knows_gaps:
        return False
    if isinstance(event, CardPlaced):
        return not event.card.seen().known and case.before.lost_sight_of(move.origin, whole=False)
    read = len(event.cards) if isinstance(event, PileMoved) else move.count
    return read < move.count and case.before.lost_sight_of(move.origin, whole=True)


def rests_on_unsure(case: Case[M]) -> bool:
    """Whether an act is unsure, or the latest that brought cards to where it takes or lays."""
    before, move = case.before, case.move
    if move is not None and before.unsurely and _meets_unsurely(before, move):
        return True
    if not before.unsure:
        return False
    came = (before.arrivals.get(zone) for zone in (_rested_on(case.card, move) if move else ()))
    numbers = (case.event.n, *(arrival.n for arrival in came if arrival is not None))
    return any(n in before.unsure for n in numbers)


def _meets_unsurely(before: State[M], move: Move) -> bool:
    """Whether the card that others are laid on, or one that lay on them, may lie elsewhere.

    Or whether one may lie still where they are laid on nothing, or on a card that must go back;
    what was turned lay bare.
    """
    owed = before.is_owed_at(move.target)
    laid = not move.turned and (owed or not before.table.pile(move.target))
    if laid and move.target in before.unsurely:
        return True
    met = before.table.pile(move.target)[-1:] if move.origin != move.target else ()
    above = before.table.pile(move.origin)[move.height + move.count :] if move.depth else ()
    return any(lying.token in before.unsurely for lying in (*met, *above))


def _rested_on(card: Card, move: Move) -> tuple[str, ...]:
    """Return the zones of which it matters what came there last.

    A card that is read was in an unordered hand, whatever came into it since.
    """
    if card.known and is_unordered(move.origin):
        return (move.target,)
    return move.origin, move.target
