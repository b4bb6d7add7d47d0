"""`referee dispute`: a disputed moment looked at slowly, and the operator's word on it."""

from __future__ import annotations

import argparse
from pathlib import Path

from referee.app.recording import now_utc
from referee.app.review import Wish, review_match
from referee.commands import FINE, BadInput, print_json, wide_help
from referee.commands._record import (
    add_record_option,
    clear_errors,
    folder_of,
    open_match,
    write_file,
)
from referee.notation import ruling_json, write_event
from referee.record import Log, open_log
from referee.record.clips import ClipStore
from referee.record.dispute_page import dispute_page
from referee.record.disputes import Dispute, disputes_of, find_dispute
from referee.record.figures import story
from referee.record.moments import Moment, dispute_line, moment_lines, moment_of
from referee.record.notes import DisputeOpened, Review, note_text
from referee.record.words import first_probability

EPILOG = """example:
  referee dispute NERVES-20261121-2015
  referee dispute NERVES-20261121-2015 2
  referee dispute NERVES-20261121-2015 2 --html moment.html
  referee dispute NERVES-20261121-2015 2 --open --by A --reason "my hand was there first"
  referee dispute NERVES-20261121-2015 2 --withdraw --reason "the frames show 9H, not 9D"
  referee dispute NERVES-20261121-2015 2 --change winner=B --reason "B's hand lies beneath"
  referee dispute NERVES-20261121-2015 1 --change card=8H --reason "read wrongly, see frame 12"

Without a number it lists what can be disputed: faults, races, questions and claims. A review
is another row of the log, never an edit. --change says what really happened: card=, player= and
winner= for the ruled event, line= for any event line of the .match text, after= for one that was
missed. The match is judged again with it; what changes by that is printed, once."""
CHANGES = ("card", "player", "winner", "line", "after")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "dispute",
        help="look at a disputed moment, and review it",
        description="Show a disputed moment slowly, and confirm, withdraw or change its ruling.",
        epilog=EPILOG,
        formatter_class=wide_help,
    )
    parser.add_argument("match", metavar="ID", help="the match, as `referee matches` names it")
    parser.add_argument("n", metavar="N", nargs="?", type=int, help="number of the dispute")
    parser.add_argument("--html", metavar="FILE", help="write the moment as a page with frames")
    wish = parser.add_mutually_exclusive_group()
    wish.add_argument("--open", action="store_true", help="dispute it; its pictures stay")
    wish.add_argument("--confirm", action="store_true", help="the ruling, or the claim, is right")
    wish.add_argument("--withdraw", action="store_true", help="the ruling, or the claim, is wrong")
    wish.add_argument("--change", metavar="WHAT=VALUE", help="say what really happened")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why; a review needs one")
    parser.add_argument("--by", metavar="SEAT", help="with --open: who disputes it")
    parser.add_argument("--against", metavar="SEAT", help="with --confirm of a claim: who broke it")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    add_record_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List, show or review. Raises BadInput."""
    log = open_match(args)
    if args.n is None:
        refuse_without_number(args)
        list_all(log, args.json)
        return FINE
    with clear_errors():
        dispute = find_dispute(log, args.n)
    if args.open:
        open_dispute(log, dispute, args)
    elif wished := wish_of(args):
        decide(log, dispute, wished, args.json)
    else:
        show(log, dispute, args)
    return FINE


def refuse_without_number(args: argparse.Namespace) -> None:
    """Refuse a review of nothing. Raises BadInput."""
    if args.html or args.open or wish_of(args):
        raise BadInput("which dispute? give its number; without one `referee dispute` lists them")


def wish_of(args: argparse.Namespace) -> Wish | None:
    """Return what the operator wants, None where he only looks. Raises BadInput."""
    if args.confirm:
        return Wish("confirm", args.reason, against=args.against)
    if args.withdraw:
        return Wish("withdraw", args.reason)
    if args.change is None:
        return None
    name, equals, value = args.change.partition("=")
    if name not in CHANGES or not equals or not value:
        raise BadInput(f"--change {args.change[:40]}: write {'=, '.join(CHANGES)}= with a value")
    return Wish("change", args.reason, **{name: value})


def list_all(log: Log, as_json: bool) -> None:
    """Print all that can be disputed."""
    with clear_errors():
        told, disputes = story(log), disputes_of(log)
    for dispute in disputes:
        print_json(fields_of(log, dispute)) if as_json else print(dispute_line(told, dispute))
    if not disputes and not as_json:
        print(f"{log.head.match.id}: nothing was ruled or claimed that could be disputed")


def fields_of(log: Log, dispute: Dispute) -> dict[str, object]:
    """Return a dispute as the fields of one JSON object."""
    ruling = dispute.ruling
    return {
        "match": log.head.match.id,
        "dispute": dispute.n,
        "row": dispute.row,
        "n": ruling.n,
        "kind": ruling.kind,
        "rule": ruling.rule,
        "player": ruling.player,
        "winner": ruling.winner,
        "t_ns": ruling.t_ns,
        "text": ruling.text,
        "claimed_by": dispute.claimed_by,
        "state": dispute.state or None,
        "clip": dispute.kept.clip if dispute.kept else None,
    }


def show(log: Log, dispute: Dispute, args: argparse.Namespace) -> None:
    """Print the moment, and write its page where one is wanted."""
    store = ClipStore(folder_of(args).evidence)
    with clear_errors():
        moment = moment_of(story(log), dispute, store)
    if args.html:
        write_file(Path(args.html), dispute_page(moment, store).encode())
    if args.json:
        print_json({**fields_of(log, dispute), **moment_fields(moment), "html": args.html})
        return
    print("\n".join(moment_lines(moment)))
    if args.html:
        print(f"  page:  {args.html}")


def moment_fields(moment: Moment) -> dict[str, object]:
    """Return what a moment adds to its dispute."""
    acts = [
        {"seat": act.seat, "t_ns": act.t_ns, "u_ns": act.u_ns, "what": act.words}
        for act in moment.acts
    ]
    return {
        "norm": moment.norm or None,
        "acts": acts,
        "p_first": first_probability(moment.dispute.ruling, moment.acts),
        "events": [write_event(event) for event in moment.events],
        "not_seen": [
            {"from_ns": gap.from_ns, "to_ns": gap.to_ns, "zones": list(gap.zones)}
            for gap in moment.unseen
        ],
        "frames": len(moment.clip.frames) if moment.clip else 0,
        "no_pictures": moment.no_clip or None,
    }


def open_dispute(log: Log, dispute: Dispute, args: argparse.Namespace) -> None:
    """Note that somebody disputes a ruling. Raises BadInput."""
    if args.by is not None and args.by not in log.head.match.seats:
        raise BadInput(f"--by {args.by[:20]}: the seats are {', '.join(log.head.match.seats)}")
    if not args.reason.strip():
        raise BadInput("a dispute needs a reason; give it with --reason TEXT")
    note = DisputeOpened(dispute.row, args.by, " ".join(args.reason.split()), now_utc())
    with clear_errors():
        writer = open_log(log.path)
        writer.append("dispute", note_text(note))
        writer.close()
    if args.json:
        print_json({"match": log.head.match.id, "dispute": dispute.n, "state": "open"})
    else:
        print(f"dispute {dispute.n} of {log.head.match.id} is open; its pictures stay")


def decide(log: Log, dispute: Dispute, wish: Wish, as_json: bool) -> None:
    """Review a ruling and print what follows from it, once."""
    with clear_errors():
        made, after = review_match(log, dispute, wish, now_utc())
    if as_json:
        print_json(decided_fields(after, dispute, made))
        return
    print("\n".join(decided_lines(dispute, made)))


def decided_fields(log: Log, dispute: Dispute, made: Review) -> dict[str, object]:
    """Return a review as the fields of one JSON object."""
    return {
        "match": log.head.match.id,
        "dispute": dispute.n,
        "verdict": made.verdict,
        "reason": made.reason,
        "corrections": [f"{c.how} {c.n}: {c.line}" for c in made.corrections],
        "withdrawn": [ruling_json(ruling, log.head.match.id) for ruling in made.withdrawn],
        "added": [ruling_json(ruling, log.head.match.id) for ruling in made.added],
        "head_hash": log.head_hash,
    }


def decided_lines(dispute: Dispute, made: Review) -> list[str]:
    """Return what a review changes, as lines."""
    changed = [f"  no longer: {r.n} {r.kind} {r.rule} {r.text}" for r in made.withdrawn]
    changed += [f"  now:       {r.n} {r.kind} {r.rule} {r.text}" for r in made.added]
    word = {"confirm": "confirmed", "withdraw": "withdrawn", "change": "changed"}[made.verdict]
    first = f"dispute {dispute.n} {word}: {made.reason}"
    return [first, *(changed or ["  nothing else changes by it"])]
