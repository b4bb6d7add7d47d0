"""Rules and games: what a game's file declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, Literal, TypeVar

from referee.rulebook.debts import Alarm, Debt
from referee.rulebook.laying import Move
from referee.rulebook.options import Option, OptionError
from referee.rulebook.setup import Setup
from referee.rulebook.state import Case, Finding, Outcome, State, Verdict
from referee.values import Card, Dealt, Declared, Event, Layout, Points, Ruling

M = TypeVar("M")
Kind = Literal["DEF", "DUTY", "PERM", "RACE", "SCORE", "END"]
Severity = Literal["fault", "procedure", "void", "misdeal", "decision", "info"]
Origin = Literal["seed", "ours"]
# More than a table of twelve players has from one zone to another in play.
MOST_WAYS = 4096


Check = Callable[[Case[M]], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule(Generic[M]):
    """One rule of a game.

    `norm` is the printed sentence. `source` is the heading in the printed text. `observer` says
    what sees it: C cards, H hands, P pads, D declarations, K bookkeeping, U nobody. `ok` and
    `no` are an example of each side. `because` is the reason why no ruling ever comes of it (for
    permissions, definitions and what cannot be seen from above), empty where `check` watches it
    or the game's own step rules on it. `moves` are the ways of cards that it watches, as parts
    of the table (see `Game.part_of`): `waste>work`, `*` for any part; empty for all ways.
    """

    id: str
    norm: str
    source: str
    observer: str
    kind: Kind
    severity: Severity
    remedy: str
    remedy_source: Origin
    ok: str
    no: str
    options: tuple[str, ...] = ()
    because: str = ""
    watches: tuple[type[Event], ...] = ()
    moves: tuple[str, ...] = ()
    check: Check[M] | None = None
    beside: bool = False

    @property
    def rests_on_words(self) -> bool:
        """Whether it is told first of all by what is declared."""
        return self.observer.startswith("D")


Watch = tuple[Rule[M], Check[M]]


def _is_way(way: str, origin: str, target: str) -> bool:
    """Return whether a way like `waste>work` leads from one part of the table to another."""
    start, _, end = way.partition(">")
    return (start == "*" or origin in ("", start)) and (end == "*" or target in ("", end))


@dataclass
class Game(Generic[M]):
    """A game: its seats, options and rules, and the functions that step its memory.

    Filled while its file is imported and never changed afterwards. See the package's docstring.
    `own_decks`: everybody has a deck of his own, always or as the setup says. `of_order` are the
    rules (full ids) that tell an act from another by the acts before it: nobody is accused by
    them in a game of which a part was missed. `knows_gaps`: by the acts after a gap the game itself
    tells what was missed in it. `part_of` gives the kind of place that a zone is
    (`stock` for `A.stock`), by which rules say which moves they watch. `headings` are those of a
    sheet by the word in a rule's number, where the printed text has none of its own.
    """

    prefix: str
    name: str
    title: str
    seats: tuple[int, int]
    options: tuple[Option, ...]
    phases: tuple[str, ...]
    census_rule: str
    groups: tuple[str, ...] = ()
    fresh_phases: tuple[str, ...] = ()
    own_decks: bool | Callable[[Setup], bool] = False
    rules: dict[str, Rule[M]] = field(default_factory=dict)
    precedence: tuple[str, ...] = ()
    of_order: frozenset[str] = frozenset()
    knows_gaps: bool = False
    headings: tuple[tuple[str, str], ...] = ()
    _watching: Callable[..., tuple[Watch[M], ...]] = field(init=False, repr=False, compare=False)

    # What a game's file sets.
    part_of: Callable[[str], str] | None = None
    open: Callable[[State[None]], M | State[M]] | None = None
    follow: Callable[[Case[M], State[M], Verdict], Outcome[M]] | None = None
    ring: Callable[[State[M], Alarm], Outcome[M]] | None = None
    belongs: Callable[[Setup, Card], bool] | None = None
    prepare: Callable[[State[M], Event], State[M]] | None = None
    unfold: Callable[[Event], tuple[Event, ...]] | None = None
    dealt_from: Callable[[State[M], Dealt], str | None] | None = None
    cures: Callable[[State[M], Debt, Move], bool] | None = None
    cured: Callable[[Case[M], Debt], str] | None = None
    in_force: Callable[[State[M], Layout], bool] | None = None
    operator: Callable[[State[M], Declared], Outcome[M] | None] | None = None

    def rule(
        self,
        id: str,
        *,
        source: str,
        observer: str,
        severity: Severity,
        remedy: str,
        by: Origin = "ours",
        watches: tuple[type[Event], ...],
        ok: str,
        no: str,
        moves: tuple[str, ...] = (),
        kind: Kind = "DUTY",
        options: tuple[str, ...] = (),
        beside: bool = False,
    ) -> Callable[[Check[M]], Check[M]]:
        """Declare a watched rule: the function yields findings, its docstring is the norm.

        `beside`: the rule does not compete with the others for the one violation of an act.
        """

        def declare(check: Check[M]) -> Check[M]:
            norm = " ".join((check.__doc__ or "").split())
            self._add(
                Rule(
                    id=f"{self.prefix}-{id}",
                    norm=norm,
                    source=source,
                    observer=observer,
                    kind=kind,
                    severity=severity,
                    remedy=remedy,
                    remedy_source=by,
                    ok=ok,
                    no=no,
                    options=options,
                    watches=watches,
                    moves=moves,
                    check=check,
                    beside=beside,
                )
            )
            return check

        return declare

    def declare(
        self,
        id: str,
        norm: str,
        *,
        source: str,
        observer: str,
        kind: Kind,
        severity: Severity,
        ok: str,
        no: str,
        remedy: str = "",
        by: Origin = "ours",
        because: str = "",
        options: tuple[str, ...] = (),
    ) -> None:
        """Declare a rule without a check.

        These are permissions, definitions, what nobody can see (`because` gives the reason), and
        decisions and declarations that `follow` rules on.
        """
        self._add(
            Rule(
                id=f"{self.prefix}-{id}",
                norm=" ".join(norm.split()),
                source=source,
                observer=observer,
                kind=kind,
                severity=severity,
                remedy=remedy,
                remedy_source=by,
                ok=ok,
                no=no,
                options=options,
                because=because,
            )
        )

    def heading_of(self, rule: Rule[M]) -> str:
        """Return the heading under which a rule stands on the sheet."""
        word = rule.id.removeprefix(f"{self.prefix}-").rpartition("-")[0]
        return dict(self.headings).get(word, rule.source)

    def _add(self, rule: Rule[M]) -> None:
        if rule.id in self.rules:
            raise ValueError(f"{rule.id} is declared twice")
        if not rule.norm.endswith("."):
            raise ValueError(f"{rule.id}: the norm is no sentence")
        self.rules[rule.id] = rule

    def order(self, *ids: str) -> None:
        """Fix the order in which rules are asked.

        Of one act only the first that finds something gives a violation. Every rule with a check
        stands here exactly once.
        """
        full = tuple(f"{self.prefix}-{id}" for id in ids)
        checked = {rule.id for rule in self.rules.values() if rule.check}
        if set(full) != checked or len(full) != len(checked):
            odd = sorted(set(full) ^ checked)
            raise ValueError(f"{self.name}: order and checked rules differ: {odd}")
        self.precedence = full
        # Whatever names zones may have, only so many ways are remembered.
        self._watching = lru_cache(maxsize=MOST_WAYS)(self._watching_way)

    def _watching_way(
        self, kind: type[Event], origin: str, target: str, only: frozenset[str] | None
    ) -> tuple[Watch[M], ...]:
        """Return the rules that watch such events from one zone to another, "" for any."""
        part = self.part_of or str
        start, end = origin and part(origin), target and part(target)
        return tuple(
            (rule, rule.check)
            for rule in map(self.rules.__getitem__, self.precedence)
            if rule.check
            and kind in rule.watches
            and (only is None or rule.id in only)
            and (not rule.moves or any(_is_way(way, start, end) for way in rule.moves))
        )

    def watching(self, case: Case[M], only: frozenset[str] | None = None) -> tuple[Watch[M], ...]:
        """Return the rules to ask about a case with their checks, in order; `only` of those ids."""
        move = case.move
        if move is None:
            return self._watching(type(case.event), "", "", only)
        # An owed card is judged as coming from where it belongs.
        origin = "" if case.debt else move.origin
        return self._watching(type(case.event), origin, move.target, only)

    def settings(self, given: Iterable[tuple[str, str]]) -> dict[str, str]:
        """All options with their values. Raises OptionError for what the game does not have."""
        known = {option.name: option for option in self.options}
        values = {option.name: option.values[0] for option in self.options}
        for name, value in given:
            bare = name.removeprefix(f"{self.name}.")
            if bare not in known:
                raise OptionError(
                    f"{self.name} has no option '{name[:40]}'; known: {', '.join(sorted(known))}"
                )
            values[bare] = known[bare].check(value)
        return values

    def ruling(
        self,
        id: str,
        kind: str,
        event: Event,
        text: str,
        *,
        player: str | None = None,
        winner: str | None = None,
        margin_ns: int | None = None,
        interval_ns: int | None = None,
        p_first: float | None = None,
        scores: tuple[Points, ...] | None = None,
        options: tuple[str, ...] = (),
    ) -> Ruling:
        """Return a ruling on an event, with the severity and remedy of the rule."""
        rule = self.rules.get(f"{self.prefix}-{id}")
        plain = kind in ("INFO", "QUERY", "NOT_OBSERVED") or rule is None
        return Ruling(
            n=event.n,
            kind=kind,
            rule=f"{self.prefix}-{id}" if rule else id,
            player=player,
            t_ns=event.t_ns,
            text=text,
            severity="info" if plain or rule is None else rule.severity,
            remedy=None if plain or rule is None else rule.remedy or None,
            remedy_source=None if plain or rule is None or not rule.remedy else rule.remedy_source,
            winner=winner,
            margin_ns=margin_ns,
            interval_ns=interval_ns,
            p_first=p_first,
            scores=scores,
            options=options or (rule.options if rule else ()),
            evidence=(event.frames,) if event.frames else (),
        )
