"""An evening on the page: a match is set up there, refereed, and the next one after it."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from referee import app
from referee.app.setting_up import SettingUp, first_setup, offered_games, problem_of
from referee.commands import FINE, BadInput, tell
from referee.commands._calibration import write_text
from referee.commands._front import Front, folder_of, open_front
from referee.commands._preparing import DEMO, Preparing, sources
from referee.commands._refereeing import ready_for, referee_match
from referee.pads.ports import find_ports
from referee.screens.desk import Order
from referee.screens.setup import Chair, Setup, SetupOffer
from referee.table.calibrate_file import table_text
from referee.values import Setting

# What was chosen last, in the record's folder: the next evening begins with it.
LAST = "last-setup.json"
# The table that was pointed at in the camera's picture, as `referee calibrate table` writes it.
TABLE = Path("calibration", "table.toml")
LOOK_S = 0.1


def referee_game(args: argparse.Namespace) -> int:
    """Referee the game that the command line names, on the page unless headless. Raises BadInput.

    The page stays after the last frame where somebody sits at a terminal: Ctrl-C ends it.
    """
    ready = ready_for(args)
    if args.headless:
        referee_match(args, ready, None)
        return FINE
    with ExitStack() as stack:
        front = open_front(args, stack)
        wanted = referee_match(args, ready, front)
        while wanted != "stopped":
            if wanted in ("", "end") and not sys.stderr.isatty():
                return FINE
            wanted = _next(args, front, wanted or "end")
    return FINE


def host(args: argparse.Namespace) -> int:
    """Lead through the set-up on the page, then referee, match after match, until Ctrl-C."""
    with ExitStack() as stack:
        front = open_front(args, stack)
        tell("set the match up on the page; Ctrl-C ends")
        _next(args, front, "setup")
    return FINE


def _next(args: argparse.Namespace, front: Front, wanted: str) -> str:
    """Do what is wanted after a match until Ctrl-C, beginning with the arguments of that match."""
    now = argparse.Namespace(**{**vars(args), "resume": False})
    while True:
        try:
            if wanted in ("", "end"):
                wanted = _waited(front)
            if wanted == "setup":
                now = _set_up(args, front)
            wanted = referee_match(now, ready_for(now), front)
        except KeyboardInterrupt:
            return "stopped"
        except BadInput as reason:
            tell(str(reason))
            front.problem, wanted = str(reason), "setup"
        if wanted == "stopped":
            return wanted


def _waited(front: Front) -> str:
    """Wait on the ended match's page until another one is wanted."""
    tell("the match is over; the page stays until Ctrl-C")
    while True:
        for word in front.desk.words(LOOK_S):
            if isinstance(word, Order) and word.do in ("restart", "setup"):
                return word.do


def _set_up(args: argparse.Namespace, front: Front) -> argparse.Namespace:
    """Let the operator set a match up; returns the arguments that mean it."""
    last = last_setup(folder_of(args).root)
    offer = SetupOffer(
        offered_games(), sources(), chosen=last or first_setup(), first_run=last is None
    )
    setting = SettingUp(front.page, front.desk, offer)
    preparing = Preparing(setting, front.page, args)
    if front.problem:
        setting.show(problem=front.problem)
        front.problem = ""
    try:
        chosen = setting.wait(preparing.turn, preparing.order, preparing.problem_of)
        assert chosen is not None, "the waiting goes on until somebody chooses"
        table = preparing.calibrated(chosen)
    finally:
        preparing.close()
    root = folder_of(args).root
    keep_setup(root, chosen)
    made = arguments(args, chosen)
    if table is not None:
        made.calibration = str(root / TABLE)
        write_text(made.calibration, table_text(table))
        tell(f"{made.calibration}: the table as its corners were pointed at")
    return made


def arguments(args: argparse.Namespace, setup: Setup) -> argparse.Namespace:
    """Return the arguments of `referee watch` that mean what was set up."""
    names = (chair.name.replace(",", " ").strip() or chair.seat for chair in setup.chairs)
    source, script = setup.source, None
    if source in ("", DEMO):
        clip = app.DEMO_CLIP.with_name(f"{setup.game}.mp4")
        source, script = str(clip), str(clip.with_suffix(".match"))
    pads = args.pads
    if setup.pads == "none":
        pads = "none"
    elif pads is None:
        pads = "auto" if find_ports() else "none"
    changed = {
        "game": setup.game,
        "players": ",".join(names),
        "option": [f"{option.name}={option.value}" for option in setup.options],
        "source": source,
        "script": script,
        "pads": pads,
        "resume": False,
    }
    return argparse.Namespace(**{**vars(args), **changed})


def last_setup(root: Path) -> Setup | None:
    """Return what was chosen last, None where nothing was, or it holds no longer."""
    try:
        fields = json.loads((root / LAST).read_text(encoding="utf-8"))
        chairs = tuple(Chair(str(c["seat"]), str(c["name"])) for c in fields["chairs"])
        options = tuple(Setting(str(o["name"]), str(o["value"])) for o in fields["options"])
        corners = tuple((float(x), float(y)) for x, y in fields.get("corners", ()))
        source, pads = str(fields["source"]), str(fields["pads"])
        kept = Setup(str(fields["game"]), chairs, options, source, pads, corners)
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return kept if problem_of(kept) is None else None


def keep_setup(root: Path, setup: Setup) -> None:
    """Keep what was chosen for the next time; without room for it the next time begins afresh."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        (root / LAST).write_text(json.dumps(asdict(setup)), encoding="utf-8")
    except OSError as reason:
        tell(f"{root / LAST}: cannot be written ({reason.strerror}); the choice is not kept")
