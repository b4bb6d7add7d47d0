"""`referee bench looks`: random matches as a tracker would tell of them, understood and judged."""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace

from referee.app.deciding import Deciding
from referee.app.sitting import Sitting
from referee.app.timeline import Timeline
from referee.app.watching import HOLD_NS, LAID_PHASES
from referee.commands import FINE, print_json, tell, wide_help
from referee.commands._matches import read_match_file
from referee.commands.benches._comparing import (
    Compared,
    Counts,
    Verdicts,
    compared,
    face_of,
    origin_of,
    verdicts,
)
from referee.commands.benches._flaws import PERFECT, ROUGH, Flaws
from referee.commands.benches._looks import Watcher
from referee.commands.benches._real_acts import MS, paced
from referee.commands.benches._real_gathering import with_gathering, without_gathering
from referee.commands.benches._real_table import RealTable
from referee.games import find_game
from referee.notation import write_event
from referee.play import PLAYERS, legal_match
from referee.table.layout import layout_games, plan
from referee.table.scene import Scene
from referee.table.shown import Shown
from referee.values import (
    Actor,
    Declared,
    Event,
    Expected,
    Laid,
    Match,
    PileMixed,
    PileMoved,
    Placement,
    Ruling,
    TablePlan,
)

EPILOG = """example:
  referee bench looks --game nertz --seeds 20
  referee bench looks --rough --faulty --worst
  referee bench looks situations.match --start known

Random legal matches are played on a table of real cards; a tracker without a camera tells what
lies there, and the table's eye and the judge make events and rulings of it. --rough: cards lie up
to 8 mm off and 9 degrees askew, reads fail for a while or are wrong at first, and touches have no
name now and then."""


Seeded = Iterable[tuple[Match, int]]
"""Matches, each with the seed of how it is played."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What matches that are counted together have in common; None: several numbers of players."""

    game: str
    players: int | None = None


@dataclass(frozen=True, slots=True)
class Tally(Counts):
    """Counts over matches.

    `right` are found events told with their true origin and face; `sure` those that may be
    judged. `accused` are violations that nobody committed; `fouls` those that were expected,
    `ruled` those of them that were, `asked` those that were asked about.
    """

    matches: int = 0
    happened: int = 0
    found: int = 0
    right: int = 0
    sure: int = 0
    invented: int = 0
    nobody: int = 0
    wrong_player: int = 0
    accused: int = 0
    fouls: int = 0
    ruled: int = 0
    asked: int = 0
    races: int = 0
    races_ruled: int = 0
    races_false: int = 0
    queries: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """One match looked at: what truly happened, what was told, and what was ruled on it."""

    true: tuple[Event, ...]
    told: tuple[Event, ...]
    judged: tuple[Event, ...]
    rulings: tuple[Ruling, ...]
    expected: tuple[Expected, ...]


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the bench."""
    parser = subparsers.add_parser(
        "looks",
        help="events and rulings from a tracker's looks, without pictures",
        description="Let random matches be understood and judged from simulated looks.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE.match",
        help="look at the matches of these files that begin from a laid table, not at random ones",
    )
    games = sorted({span.game for span in PLAYERS})
    parser.add_argument("--game", choices=games, help="only this game")
    parser.add_argument("--players", type=int, metavar="N", help="only with so many players")
    parser.add_argument("--seeds", type=int, default=2, metavar="N", help="matches of each kind")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="the first seed")
    parser.add_argument("--events", type=int, default=250, metavar="N", help="acts of a match")
    parser.add_argument("--faulty", action="store_true", help="with one fault in each match")
    parser.add_argument("--rough", action="store_true", help="with flaws of laying and tracking")
    parser.add_argument(
        "--start",
        choices=("laid", "known", "deal"),
        default="laid",
        help="the first look: laid out, with known piles, or before the deal",
    )
    parser.add_argument("--worst", action="store_true", help="name what went wrong")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play all matches. Raises BadInput for a file that cannot be read."""
    for kind, matches in _scripted(args) if args.files else _random(args):
        _bench(args, kind, matches)
    return FINE


def _random(args: argparse.Namespace) -> Iterator[tuple[Kind, Seeded]]:
    """Yield random matches, each with its seed, by game and number of players."""
    for span in PLAYERS:
        if args.game not in (None, span.game):
            continue
        for players in dict(layout_games())[span.game]:
            if span.fewest <= players <= span.most and args.players in (None, players):
                matches = (
                    (legal_match(span.game, players, seed, faulty=args.faulty), seed)
                    for seed in _seeds(args)
                )
                yield Kind(span.game, players), matches


def _scripted(args: argparse.Namespace) -> Iterator[tuple[Kind, Seeded]]:
    """Yield the matches of files that begin from a laid table, each with its seeds, by game."""
    matches = [match for name in args.files for match in read_match_file(name) if match.start]
    for game in dict.fromkeys(match.game for match in matches):
        if args.game in (None, game):
            yield (
                Kind(game),
                [(one, k) for one in matches if one.game == game for k in _seeds(args)],
            )


def _seeds(args: argparse.Namespace) -> range:
    return range(args.first, args.first + args.seeds)


def _bench(args: argparse.Namespace, kind: Kind, matches: Seeded) -> None:
    total, began_ns = Tally(), time.process_time_ns()
    for match, seed in matches:
        played = play(match, ROUGH if args.rough else PERFECT, args.start, args.events, seed)
        result = compared(played.true, played.told)
        total += tally(result, played)
        if args.worst:
            name_faults(match, result, played)
    cpu_s = (time.process_time_ns() - began_ns) / 1e9
    if args.json:
        counts = {f.name: getattr(total, f.name) for f in fields(Tally)}
        print_json({"bench": "looks", "game": kind.game, "players": kind.players, **counts})
        return
    happened, found = max(1, total.happened), max(1, total.found)
    print(f"{kind.game:6} {kind.players or ''}: {total.matches} matches, {total.happened} events, "
          f"found {total.found / happened:.2%}, right {total.right / happened:.2%}, "
          f"invented {total.invented / happened:.2%}, "
          f"sure {total.sure / found:.1%}, nobody {total.nobody / found:.1%}, "
          f"wrong player {total.wrong_player}; "
          f"accused {total.accused}, fouls {total.ruled}+{total.asked}/{total.fouls}, "
          f"races {total.races_ruled}/{total.races} false {total.races_false}, "
          f"queries {total.queries}; {cpu_s:.1f} s", flush=True)  # fmt: skip


def begin_index(match: Match) -> int:
    """Return the first event of play: after the deal, and in Nerves after the arrangement."""
    begins = (
        k for k, event in enumerate(match.events)
        if (isinstance(event, Declared) and event.what in ("start", "leader"))
        or (isinstance(event, PileMoved) and event.origin.endswith(".held"))
    )  # fmt: skip
    first = max(k for k in begins if k < 200)
    return first if isinstance(match.events[first], Declared) else first + 1


def play(match: Match, flaws: Flaws, start: str, most: int, seed: int) -> Played:
    """Play a match, look at it, and judge what is told of it."""
    rng = random.Random(f"{match.id} {seed}")
    agreed = replace(plan(match.game, match.seats), options=match.options)
    table = RealTable(agreed, rng, flaws.off_mm, flaws.askew_deg)
    table.start(match.start)
    first = 0
    if start != "deal" and not match.start:
        first = begin_index(match)
        for event in match.events[:first]:
            if not isinstance(event, PileMixed):
                table.drop(event, table.lift(event), 0)
    acts = paced(with_gathering(match.events[first : first + most]))
    watcher = Watcher(table, flaws, rng)
    scene = Scene(table.plan, watcher.hands.actor_at, watcher.hands.touched)
    begins_ns = min(act.lift_ns or act.drop_ns for act in acts) - 900 * MS
    known = true_piles(table) if start == "known" else ()
    lying = scene.begin(watcher.first_look(begins_ns), known)
    judge = Judge(opening(match, scene, lying, start), table.plan, scene.shown)
    told: list[Event] = []
    for look in watcher.looks(acts):
        seen = scene.step(look.settled)
        told += seen
        judge.take(look.settled.t_ns, (*look.told, *seen))
    judge.close()
    numbers = {act.event.n for act in acts}
    return Played(
        without_gathering(tuple(act.event for act in acts)),
        tuple(told),
        tuple(judge.judged),
        tuple(judge.rulings),
        tuple(one for one in match.expected or () if one.n in numbers),
    )


def opening(match: Match, scene: Scene, lying: tuple[Placement, ...], start: str) -> Match:
    """Return the match as the judge opens it, as `referee watch` does."""
    if start == "known" and match.start:
        return replace(match, census=None, expected=None, events=())
    deep = scene.piles.deep
    laid = start != "deal" and not match.start
    phase = LAID_PHASES[match.game] if laid else match.phase
    lies = tuple(replace(one, deep=one.zone in deep) for one in lying)
    if start != "deal":
        lies += tuple(Placement(zone, ()) for zone in sorted(scene.bare))
    return replace(
        match,
        phase=phase,
        start=lies,
        census=None,
        expected=None,
        events=(),
    )


def true_piles(table: RealTable) -> tuple[Placement, ...]:
    """Return the start position as a script would give it."""
    return tuple(
        Placement(zone, tuple(Laid(real.card, real.up) for real in pile))
        for zone, pile in table.piles.items()
        if pile
    )


class Judge:
    """A sitting behind the time line of `referee watch`. Used by one thread."""

    def __init__(self, match: Match, plan: TablePlan, shown: Callable[[], Shown] = Shown) -> None:
        """Open the match; `shown` tells what is seen of the table now."""
        found = find_game(plan.game)
        self._sitting = Sitting(match, found, match.options, [self])
        self._timeline = Timeline(HOLD_NS)
        census_rule = f"{found.prefix}-{found.census_rule}"
        self._deciding = Deciding(plan, census_rule, shown, lambda event: False)
        self.judged: list[Event] = []
        self.rulings: list[Ruling] = []

    def on_event(self, event: Event) -> None:
        """Keep an event as it is judged."""
        self.judged.append(event)

    def on_rulings(self, rulings: tuple[Ruling, ...]) -> None:
        """Keep the rulings."""
        self.rulings += rulings

    def take(self, now_ns: int, events: tuple[Event, ...]) -> None:
        """Judge what is due."""
        self._timeline.put(*events)
        due = self._timeline.due(now_ns)
        self._deciding.take(self._sitting, now_ns, due, self._timeline.waiting())

    def close(self) -> None:
        """Judge the rest; all timers run out."""
        self._deciding.close(self._sitting, self._timeline.rest())
        self._sitting.close()


def _verdicts(played: Played, kind: str) -> Verdicts:
    return verdicts(kind, played.expected, played.true, played.judged, played.rulings)


def tally(result: Compared, played: Played) -> Tally:
    """Count one match."""
    pairs = result.found
    right = [p for p in pairs if origin_of(p.true) == origin_of(p.seen)
             and face_of(p.true) in (None, face_of(p.seen))]  # fmt: skip
    fouls, races = _verdicts(played, "VIOLATION"), _verdicts(played, "RACE")
    seats = [(p.true.actor.seat, p.seen.actor.seat) for p in pairs if p.true.actor != Actor()]
    return Tally(
        matches=1,
        happened=len(pairs) + len(result.missed),
        found=len(pairs),
        right=len(right),
        sure=sum((p.seen.conf or 0.0) >= 0.97 for p in pairs),
        invented=len(result.invented),
        nobody=sum(seen is None for _, seen in seats),
        wrong_player=sum(seen not in (None, true) for true, seen in seats),
        accused=len(fouls.unfounded),
        fouls=len(fouls.ruled) + len(fouls.asked) + len(fouls.missed),
        ruled=len(fouls.ruled),
        asked=len(fouls.asked),
        races=len(races.ruled) + len(races.asked) + len(races.missed),
        races_ruled=len(races.ruled),
        races_false=len(races.unfounded),
        queries=sum(ruling.kind == "QUERY" for ruling in played.rulings),
    )


def name_faults(match: Match, result: Compared, played: Played) -> None:
    """Tell what was missed, invented, told otherwise, ruled wrongly or not at all."""
    lines = [(event.t_ns, f"missed    {write_event(event)}") for event in result.missed]
    lines += [(event.t_ns, f"invented  {write_event(event)}") for event in result.invented]
    for pair in result.found:
        same_origin = origin_of(pair.true) == origin_of(pair.seen)
        if not same_origin or face_of(pair.true) not in (None, face_of(pair.seen)):
            text = f"{write_event(pair.true)} told as {write_event(pair.seen)}"
            lines.append((pair.true.t_ns, f"otherwise {text}"))
    judged = {event.n: event for event in played.judged}
    true = {event.n: event for event in played.true}
    for kind in ("VIOLATION", "RACE"):
        found = _verdicts(played, kind)
        lines += [(judged[r.n].t_ns, f"unfounded {r.kind} {r.rule} {r.player}: {r.text} "
                   f"<- {write_event(judged[r.n])}") for r in found.unfounded]  # fmt: skip
        for word, ones in (("asked", found.asked), ("not ruled", found.missed)):
            lines += [(true[one.n].t_ns, f"{word} {one.kind} {one.rule} {one.who} "
                       f"<- {write_event(true[one.n])}") for one in ones]  # fmt: skip
    counted = Counter(f"{r.rule} {r.text}" for r in played.rulings if r.kind == "QUERY")
    for t_ns, line in sorted(lines):
        tell(f"{match.id} {t_ns / 1e9:8.2f} {line}")
    for text, count in counted.most_common(6):
        tell(f"{match.id} {count} x QUERY {text[:150]}")
