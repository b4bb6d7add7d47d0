"""The house rules that a machine can keep: who may import whom, and how long a function may be."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "referee"
ANYTHING = frozenset({"*"})

# Room -> rooms of ours that it may import, and packages of others. Its own room and the standard
# library are always open. This is the table of the architecture, and `play`, which writes legal
# matches for tests and benches.
OURS = {
    "values": frozenset(),
    "notation": frozenset({"values"}),
    "vision": frozenset({"values"}),
    "pads": frozenset({"values"}),
    "table": frozenset({"values"}),
    "rulebook": frozenset({"values"}),
    "games": frozenset({"rulebook", "values"}),
    "match": frozenset({"rulebook", "values", "notation"}),
    "record": frozenset({"values", "notation"}),
    "screens": frozenset({"values", "notation"}),
    "simulate": frozenset({"values", "notation"}),
    "play": frozenset({"values", "notation"}),
    "commands": ANYTHING,
    "app": ANYTHING,
    "__main__": ANYTHING,
    "__init__": frozenset(),
}
OTHERS = {
    "values": frozenset(),
    "notation": frozenset(),
    "vision": frozenset({"numpy", "cv2", "onnxruntime"}),
    "pads": frozenset({"numpy", "serial"}),
    "table": frozenset({"numpy", "cv2"}),
    "rulebook": frozenset(),
    "games": frozenset(),
    "match": frozenset(),
    "record": frozenset({"cv2", "fpdf"}),
    "screens": frozenset({"numpy", "cv2", "starlette", "uvicorn", "segno"}),
    "simulate": frozenset({"numpy", "cv2"}),
    "play": frozenset(),
    "commands": ANYTHING,
    "app": ANYTHING,
    "__main__": ANYTHING,
    "__init__": frozenset(),
}
CALIBRATE_TOO = ("table", "calibrate", "vision")  # it measures on vision's arrays
LONGEST_FUNCTION_LINES = 60

MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names that a module imports, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: import by the full name"
            if node.module == "referee":
                yield from (f"referee.{alias.name}" for alias in node.names)
            else:
                yield node.module or ""


def broken_rules(room: str, stem: str, source: str) -> list[str]:
    """Return what a module of a room imports and may not."""
    broken = []
    for name in imported(ast.parse(source)):
        top, *rest = name.split(".")
        if top == "referee":
            target = rest[0] if rest else "__init__"
            allowed = OURS[room] | {room}
            if (room, stem, target) == CALIBRATE_TOO:
                continue
        else:
            target, allowed = top, OTHERS[room] | sys.stdlib_module_names
        if target not in allowed and "*" not in allowed:
            broken.append(name)
    return broken


def test_every_room_stands_in_the_table() -> None:
    assert {room_of(path) for path in MODULES} <= OURS.keys()
    assert OURS.keys() == OTHERS.keys()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert broken_rules(room_of(path), path.stem, source) == []


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("values", "import numpy"),
        ("rulebook", "import cv2.dnn"),
        ("games", "from referee.vision.frames import Frame"),
        ("games", "from referee import match"),
        ("vision", "from referee.table import scene"),
        ("vision", "def late():\n    import referee.app"),
        ("match", "import numpy as np"),
        ("screens", "from referee.vision.detect import Reader"),
        ("simulate", "from referee.vision.frames import Frame"),
    ],
)
def test_a_forbidden_import_is_found(room: str, line: str) -> None:
    assert broken_rules(room, "any", line) != []


@pytest.mark.parametrize(
    ("room", "stem", "line"),
    [
        ("games", "nerves", "from referee.rulebook import Game"),
        ("vision", "gate", "from referee.vision.frames import Frame"),
        ("table", "calibrate", "from referee.vision.frames import Frame"),
        ("values", "values", "from dataclasses import dataclass"),
    ],
)
def test_an_allowed_import_stays_quiet(room: str, stem: str, line: str) -> None:
    assert broken_rules(room, stem, line) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_says_its_job_and_keeps_its_functions_short(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the first line says the module's job"
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    long = [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, functions)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION_LINES
    ]
    assert long == [], f"longer than {LONGEST_FUNCTION_LINES} lines"
