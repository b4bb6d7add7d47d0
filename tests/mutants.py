"""Mutation testing of a game's rules: small faults put into the code, and what notices them.

`python tests/mutants.py nerves --sample 200` changes one thing at a time in the game's modules (a
comparison, an `and`, a `not`, a number, a condition) and asks the scripts, random legal play and
the census. What nobody notices is listed with its line: a missing script, or code without use.

Of two samples of 50 and 40 a game (seeds 7 and 11) 70 of 90 were noticed in Nerves, 69 in XIX, 68
in Spy vs. Spy, 75 in Nerds and 70 in Nertz; `further.match` was written for some of the rest. Of
samples of 60 (seeds 501, then 502, 503, 601 and 602 with `slips.match` growing in between) 49, 51,
52, 50 and 45 were noticed in Nerves, 48, 47, 52, 51 and 51 in XIX, 44, 50, 50, 51 and 50 in Spy vs.
Spy. All 597 of Spy vs. Spy and all 995 of XIX were tried once: 84 and 87 in 100 were noticed; `spy-
corners.match` and `xix-corners.match` were written for the rest. Samples 701, 702 and 703 (never
used before) then gave 58, 57 and 57 in Spy vs. Spy, 54, 55 and 51 in XIX. Each sample finds other
corners; expect 15 to 25 in 100 not to be noticed.
In Nerves seeds 701 and 702 gave 50 and 50, with `nerves_gaps.match` and `nerves_slips.match` as
they grew 52 and 55, and a seed not used before, 703, 49; what was left then has an example, or
stands below.
In Nerds and Nertz seed 701 gave 50 and 48, 702 52 and 50, with `nerds_more.match` and
`nertz_more.match` as they grew 702 57 and 52, and seeds not used before, 703 and 704, 50 and 55 in
Nerds, 49 and 49 in Nertz.

What the others changed, and why nobody can or need notice it:

    edges of time       `<` to `<=` where two clocks would have to agree to the nanosecond: spy
                        `game` and the three seconds of a call, nerds `turning` and `hands`, nertz
                        `standing`, nerves `arrangement`, `touching`, `ripening` and `deciding`, and
                        a pile that is taken at the very hit (`_took`); `Instant(t, 0)` of a
                        stalemate
    defaults            of memories, which every start position gives anew: `won`, `named`, `picks`,
                        `given`, `LONG_AGO`; `seats` of a game one more or less;
                        `MORE_THAN_ANY_HAND`; what is owed from the start on; `zip(strict=True)`;
                        spy's numbers of a zone without one; in nerves `NO_EVENT`, `LATEST`,
                        `column_of` a zone without a number
    flags               how a faulty `flag` line, or a faulty number of points, is refused:
                        `_totals`, `_with_owed`, `opening`, spy `open_memory`, `_score_declared`
    remarks             text, INFO and QUERY that no script names: a stall, a block of one, a
                        nameless pad on a decided spot and by how much a rival is later in nerves,
                        what moves after the end and one strike or more, a reread that changes no
                        trick in xix, a question asked twice, which game it is, the words of a dead
                        heat and why the deck may not be used in spy, `some_cards` and who wins a
                        hand in nerds, what fits when all are stuck, being told twice of the stock
                        or of a full foundation and the names of jokers in nertz, whether a
                        foundation would start or go on; whether the page shows a debt as a lost
                        race
    shortcuts           without them the same is worked out the long way: `without_unread`,
                        `used_elsewhere`, `_covered` and `finished` in nerves, a whole turn
                        in nertz `waiting`, `used`, `asked_on`, what suited cards stand for and a
                        stock of unknown height there, `_with_strays` in nerds,
                        strays, empty places and tops without debts in spy, acts of nobody in
                        xix `following`
    kept by the way     a rule is asked on its own `moves` only, so what its check says of other
                        ways counts for nothing: nertz `calling` STOCK-06 and JOK-04, nerds
                        WORK-05 and ace piles,
                        spy SET-03, START-01 and the turned discards of DECK-01
    done twice          another line comes to the same: nerves `kept`, `carries a pad's hand`,
                        `moved` of a cure, `_may_be_back` of the same event, `_may_have_rivals` of
                        the whole middle, a row of another number, a slap that waits over equal tops
                        (`is_slapped`), xix SET-04 and HAND-04 `owes` (the way back is open to
                        both), `drafting` (DRAFT-04 is asked first), `exchange` (acts out of stage
                        were faults), `waiting.ring`, spy REQ-02 (REQ-07 is asked first), nerds
                        `places` of an empty pile and of ace piles (one more than there are aces),
                        how an owed stock card faced, `whole` of a Nerds pile, nertz a lone card
                        read late and a card that fits and lies above no gap

Without an example yet: in xix the rows of which no card was read (`readying`) and taking or giving
after what nobody saw (`regain`).
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.util
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parent))

import test_census
import test_games

from referee import games
from referee.match import judge
from referee.notation import differences, read_matches
from referee.play import PLAYERS, legal_match
from referee.values import Match

HERE = Path(__file__).parent
MOST_S = 20  # a mutant that takes more of the processor hangs, which any test notices
SWAPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Mutator(ast.NodeTransformer):
    """Walks a module and changes the node with the wanted number; counts all that it could."""

    def __init__(self, wanted: int = -1) -> None:
        self.wanted = wanted
        self.found: list[str] = []

    def hit(self, node: ast.AST, what: str) -> bool:
        told = ast.unparse(node).splitlines()[0][:70]
        self.found.append(f"{getattr(node, 'lineno', 0)}: {what}: {told}")
        return len(self.found) - 1 == self.wanted

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        # What decorators say is how large a cache is, or stands on the printed sheet.
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Slice(self, node: ast.Slice) -> ast.AST:
        return node  # how much of a text is quoted

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        swap = SWAPS[type(node.ops[0])]
        if self.hit(node, f"{type(node.ops[0]).__name__} to {swap.__name__}"):
            node.ops[0] = swap()
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if self.hit(node, "and/or swapped"):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and self.hit(node, "not dropped"):
            return node.operand
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self.hit(node, f"{node.value} to {node.value + 1}"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        if type(node.value) is bool and self.hit(node, f"{node.value} flipped"):
            return ast.copy_location(ast.Constant(not node.value), node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if self.hit(node, "condition to False"):
            node.test = ast.copy_location(ast.Constant(False), node.test)
        return node


class Changed:
    """An import hook that gives one module with changed code."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path = name, path
        self.code = compile(ast.fix_missing_locations(tree), str(path), "exec")

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        places = [str(self.path.parent)] if self.path.stem == "__init__" else None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=self, submodule_search_locations=places
        )

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


def forget(game: str) -> None:
    for name in [n for n in sys.modules if n.startswith(f"referee.games.{game}")]:
        del sys.modules[name]


def wrong(matches: Sequence[Match]) -> bool:
    return any(map(is_wrong, matches))


def is_wrong(match: Match) -> bool:
    rulings = tuple(judge(match, games.find_game(match.game)))
    if test_games.unsaid(match, rulings) or not test_games.is_shown(match, rulings):
        return True
    if any(ruling.player not in (None, *match.seats) for ruling in rulings):
        return True
    return bool(differences(rulings, match.expected or ()))


def is_clean(match: Match) -> bool:
    return all(line.kind != "VIOLATION" for line in match.expected or ())


def asks(match: Match) -> bool:
    """Return whether clean play is asked about."""
    rulings = judge(match, games.find_game(match.game))
    return any(ruling.kind in ("QUERY", "NOT_OBSERVED") for ruling in rulings)


def noticed_by(game: str, scripts: Sequence[Match], played: Sequence[Match], census: str) -> str:
    """Return what notices the mutant that is imported now."""
    try:
        if wrong(scripts):
            return "scripts"
        if wrong(played) or any(map(asks, (match for match in played if is_clean(match)))):
            return "legal play"
        if test_census.census(game) != census:
            return "census"
    except Exception as error:
        return "raised" if not isinstance(error, TimeoutError) else "hangs"
    return "nobody"


def late(*_: object) -> None:
    raise TimeoutError


def points(game: str) -> Iterator[tuple[Path, str, ast.Module, int, str]]:
    """Yield every change that can be made: file, module, its tree, number, description."""
    folder = HERE.parent / "referee" / "games" / game
    for path in sorted(folder.glob("*.py")):
        tail = "" if path.stem == "__init__" else f".{path.stem}"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        walker = Mutator()
        walker.visit(copy.deepcopy(tree))
        for number, what in enumerate(walker.found):
            yield path, f"referee.games.{game}{tail}", tree, number, what


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--sample", type=int, default=0, help="so many at random (default all)")
    parser.add_argument("--seed", type=int, default=1, help="another sample (default 1)")
    parser.add_argument("--line", action="append", help="only there, like moving.py:315")
    args = parser.parse_args()
    text = [path.read_text(encoding="utf-8") for path in (HERE / "games").glob("*.match")]
    scripts = [m for part in text for m in read_matches(part) if m.game == args.game]
    span = next(span for span in PLAYERS if span.game == args.game)
    played = [
        legal_match(args.game, min(2 + seed % 2, span.most), seed, faulty=seed % 3 > 0)
        for seed in range(6)
    ]
    scripts = [match for match in scripts if not wrong([match])]
    played = [match for match in played if not wrong([match])]
    census = test_census.census(args.game)
    changes = list(points(args.game))
    if args.line:
        changes = [c for c in changes if f"{c[0].name}:{c[4].split(':')[0]}" in args.line]
    if args.sample:
        changes = random.Random(args.seed).sample(changes, min(args.sample, len(changes)))
    signal.signal(signal.SIGPROF, late)
    counts: Counter[str] = Counter()
    for path, module, tree, number, what in changes:
        walker = Mutator(number)
        hook = Changed(module, path, walker.visit(copy.deepcopy(tree)))
        forget(args.game)
        sys.meta_path.insert(0, hook)
        signal.setitimer(signal.ITIMER_PROF, MOST_S)
        said = noticed_by(args.game, scripts, played, census)
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.meta_path.remove(hook)
        counts[said] += 1
        if said == "nobody":
            print(f"{path.name}:{what}", flush=True)
    total = len(changes)
    print(f"{args.game}: {total} mutants, {total - counts['nobody']} noticed; {dict(counts)}")


if __name__ == "__main__":
    main()
