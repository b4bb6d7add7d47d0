"""`referee matches`: finds recorded matches, proves them unchanged, sums up players, imports."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, date, datetime
from pathlib import Path

from referee.app.recording import record_match
from referee.commands import FINE, NO, BadInput, print_json, tell, wide_help
from referee.commands._record import add_record_option, clear_errors, folder_of
from referee.notation import NotationError, read_matches
from referee.record import Finding, Folder, Log, RecordError, read_log, verify
from referee.record.disputes import disputes_of
from referee.record.exporting import as_match, import_json_lines
from referee.record.figures import PlayerFigures, Story, figures_of, seat_of, story, winner
from referee.record.folder import match_id
from referee.record.pruning import prune
from referee.values import Match

EPILOG = """example:
  referee matches
  referee matches --player Ann --game nerves --since 2026-01-01
  referee matches --verify
  referee matches --verify NERVES-20261121-2015 --head 50d9c1...
  referee matches --stats --player Ann
  referee matches --import old.match new.jsonl
  referee matches --prune 2

--verify recomputes every hash and names the first row that was altered, removed or inserted; it
ends with exit code 1 if there is one. A hash chain shows that a log was changed, not by whom; with
--head, the hash printed on a report proves that the log is the one that was reported."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "matches",
        help="the recorded matches: find, verify, sum up, import",
        description="List the recorded matches, prove them unchanged, or sum up players.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("--player", metavar="NAME", help="only matches of this player")
    parser.add_argument("--game", metavar="GAME", help="only matches of this game")
    parser.add_argument("--since", metavar="DATE", type=day, help="only from this day on")
    parser.add_argument("--until", metavar="DATE", type=day, help="only up to this day")
    parser.add_argument(
        "--verify", metavar="ID", nargs="?", const="", help="check the hashes of one match or all"
    )
    parser.add_argument("--head", metavar="HASH", help="with --verify ID: the printed head hash")
    parser.add_argument("--stats", action="store_true", help="figures of each player")
    parser.add_argument(
        "--import", dest="files", metavar="FILE", nargs="+", help="take in exported matches"
    )
    parser.add_argument(
        "--prune", metavar="GB", type=gigabytes, help="remove the oldest evidence above so much"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    add_record_option(parser)
    parser.set_defaults(run=run)


def day(text: str) -> date:
    """Return a day. Raises argparse.ArgumentTypeError."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write 2026-01-31") from None


def gigabytes(text: str) -> int:
    """Return a size in bytes. Raises argparse.ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no size in gigabytes, 0 or more")
    return round(value * 1e9)


def run(args: argparse.Namespace) -> int:
    """List, verify, sum up or import. Raises BadInput."""
    folder = folder_of(args)
    if args.head is not None and not args.verify:
        raise BadInput("--head proves one match; name it with --verify ID")
    if args.files:
        return take_in(folder, args.files, args.json)
    if args.prune is not None:
        return make_room(folder, args.prune, args.json)
    if args.verify is not None:
        return check(folder, args)
    wanted = [one for one in stories(folder) if is_wanted(one[1], args)]
    if args.stats:
        return sum_up(wanted, args)
    for log, told in wanted:
        show(log, told, args.json)
    if not wanted and not args.json:
        tell(f"no such match in {folder.root}")
    return FINE


def stories(folder: Folder) -> Iterator[tuple[Log, Story]]:
    """Yield all matches that can be read; the others are told."""
    with clear_errors():
        paths = folder.logs()
    for path in paths:
        try:
            log = read_log(path)
            told = story(log)
        except RecordError as reason:
            tell(str(reason))
            continue
        if log.fault:
            tell(f"{path}: {log.fault}; `referee matches --verify {match_id(path)}` says more")
        yield log, told


def is_wanted(told: Story, args: argparse.Namespace) -> bool:
    """Whether a match is one of those asked for."""
    head = told.head
    began = began_day(head.began_utc)
    return (
        (args.player is None or seat_of(head, args.player) is not None)
        and (args.game is None or head.match.game == args.game)
        and (args.since is None or (began is not None and began >= args.since))
        and (args.until is None or (began is not None and began <= args.until))
    )


def began_day(text: str) -> date | None:
    """Return the local day of a wall time, None for a text that is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.astimezone().date() if moment.tzinfo else moment.replace(tzinfo=UTC).date()


def show(log: Log, told: Story, as_json: bool) -> None:
    """Print one match."""
    head, found = told.head, list_fields(log, told)
    if as_json:
        print_json(found)
        return
    seats = head.match.seats
    names = ", ".join(name if name == seat else f"{seat} {name}" for seat, name in named(told))
    known = {"None": "", "tie": "  a tie"}
    won = known.get(str(found["winner"]), f"  won by {found['winner']}")
    print(
        f"{head.match.id:<28} {head.began_utc[:16]:<17}{head.match.game:<8}"
        f"{len(seats)} players ({names})  {found['minutes']} min  {found['events']} events,"
        f" {found['violations']} faults, {found['open_disputes']} open disputes{won}"
    )


def named(told: Story) -> tuple[tuple[str, str], ...]:
    """Return each seat with its player's name."""
    return tuple((seat, told.head.name_of(seat)) for seat in told.head.match.seats)


def list_fields(log: Log, told: Story) -> dict[str, object]:
    """Return a match as the fields of one JSON object."""
    won = winner(told.head, told.rulings)
    with clear_errors():
        disputes = disputes_of(log)
    return {
        "match": told.head.match.id,
        "title": told.head.match.title,
        "game": told.head.match.game,
        "began_utc": told.head.began_utc,
        "players": dict(named(told)),
        "minutes": round(told.length_ns / 60e9, 1),
        "events": len(told.events),
        "violations": sum(ruling.kind == "VIOLATION" for ruling in told.rulings),
        "disputes": len(disputes),
        "open_disputes": sum(one.state == "open" for one in disputes),
        "winner": won if won in (None, "tie") else told.head.name_of(won),
        "head_hash": told.head_hash,
        "file": str(log.path),
    }


def check(folder: Folder, args: argparse.Namespace) -> int:
    """Verify one match or all; whether all is well."""
    with clear_errors():
        paths = (folder.find(args.verify),) if args.verify else folder.logs()
    findings = [verify(path, args.head) for path in paths]
    for finding in findings:
        print_finding(finding, args.json)
    if not findings:
        tell(f"no match in {folder.root}")
    return NO if any(finding.fault for finding in findings) else FINE


def print_finding(finding: Finding, as_json: bool) -> None:
    """Print what a check found."""
    if as_json:
        print_json({"match": match_id(finding.path), **asdict(finding), "path": str(finding.path)})
        return
    if finding.fault:
        print(f"CHANGED  {match_id(finding.path)}: {finding.fault}")
        return
    proven = "" if finding.anchored_row else "; rows cut off its end could not be missed"
    print(f"whole    {match_id(finding.path)}: {finding.rows} rows, {finding.head_hash}{proven}")


def make_room(folder: Folder, budget_bytes: int, as_json: bool) -> int:
    """Remove the oldest evidence above a budget."""
    with clear_errors():
        done = prune(folder, budget_bytes)
    if as_json:
        print_json(asdict(done))
        return FINE
    print(
        f"{done.clips} clips removed, {done.freed_bytes / 1e6:.1f} MB freed,"
        f" {done.left_bytes / 1e6:.1f} MB left; {done.disputed} clips of open disputes stay"
    )
    return FINE


def sum_up(wanted: Sequence[tuple[Log, Story]], args: argparse.Namespace) -> int:
    """Print the figures of each player, or of the one asked for."""
    told = [one for _, one in wanted]
    names = [args.player] if args.player else players_of(told)
    for name in names:
        print_figures(figures_of(name, told), args.json)
    return FINE


def players_of(told: Iterable[Story]) -> list[str]:
    """Return the names of all players, sorted; seats without a name stand as themselves."""
    names: dict[str, str] = {}
    for one in told:
        for _, name in named(one):
            names.setdefault(name.casefold(), name)
    return [names[key] for key in sorted(names)]


def print_figures(found: PlayerFigures, as_json: bool) -> None:
    """Print a player's figures."""
    if as_json:
        print_json({**asdict(found), "fouls": dict(found.fouls)})
        return
    reaction = "none" if found.reaction_ms is None else f"{found.reaction_ms} ms"
    faults = ", ".join(f"{rule} {count}" for rule, count in found.fouls) or "none"
    print(
        f"{found.player:<16} {found.matches} matches, {found.won} won; races {found.races_won} won,"
        f" {found.races_lost} lost; median reaction {reaction}; fouls: {faults}"
    )


def take_in(folder: Folder, names: Sequence[str], as_json: bool) -> int:
    """Import exported matches: JSON Lines row for row, .match text judged anew."""
    for name in names:
        text = read_text(name)
        with clear_errors():
            taken = import_one(folder, name, text)
        for path in taken:
            if as_json:
                print_json({"match": match_id(path), "file": str(path)})
            else:
                print(f"taken in {match_id(path)}")
        if not taken and not as_json:
            print(f"{name}: already there")
    return FINE


def read_text(name: str) -> str:
    """Return a file's text. Raises BadInput."""
    try:
        return Path(name).read_bytes().decode("utf-8")
    except OSError as error:
        raise BadInput(f"{name}: {error.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{name}: this is no UTF-8 text; import .match or .jsonl files") from None
    except ValueError:
        raise BadInput(f"{name!r} is no file name") from None


def import_one(folder: Folder, name: str, text: str) -> tuple[Path, ...]:
    """Return the logs that an exported text became. Raises RecordError and BadInput."""
    if text.lstrip().startswith("{"):
        log = import_json_lines(folder, text)
        return () if log is None else (log.path,)
    try:
        matches = read_matches(text)
    except NotationError as reason:
        raise BadInput(f"{name}: {reason}") from None
    return tuple(record_match(folder, one) for one in matches if not is_there(folder, one))


def is_there(folder: Folder, match: Match) -> bool:
    """Whether the record has a match with the same start and events. Raises RecordError."""
    path = folder.log(match.id)
    if not path.is_file():
        return False
    events = tuple(replace(event, n=n) for n, event in enumerate(match.events, start=1))
    known = as_match(read_log(path))
    return replace(known, expected=None) == replace(match, events=events, expected=None)
