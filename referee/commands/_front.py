"""The live page of a referee's evening: opened once, for one match after another."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from contextlib import ExitStack
from pathlib import Path

from referee.app.hearing import dispute_over
from referee.app.review import shown_dispute
from referee.commands import BadInput, tell
from referee.match import MatchError
from referee.record import Folder, RecordError, default_root, read_log
from referee.record.clips import ClipStore
from referee.record.report import report
from referee.record.report_html import report_html
from referee.screens.desk import Desk
from referee.screens.page import Page, PageError
from referee.screens.qr import qr_terminal


class Front:
    """The page and its desk, for one match after another.

    `match_id` is the match of the record that its links mean, `problem` why the last one could not
    begin.
    """

    def __init__(self, host: str, folder: Folder, stack: ExitStack) -> None:
        """Serve the page until the stack is closed. Raises BadInput."""
        self.desk, self.folder = Desk(), folder
        self.match_id = self.problem = ""
        try:
            self.page = stack.enter_context(Page(self.desk, host, record_page=self._record_page))
        except PageError as reason:
            raise BadInput(str(reason)) from None

    def _record_page(self, what: str) -> bytes | None:
        return record_page(self.folder, self.match_id, what)


def folder_of(args: argparse.Namespace) -> Folder:
    """Return the folder of the record."""
    return Folder(Path(args.record) if args.record else default_root())


def open_front(args: argparse.Namespace, stack: ExitStack) -> Front:
    """Open the page and say where it is. Raises BadInput."""
    front = Front(args.host, folder_of(args), stack)
    links = front.page.links
    tell(f"live page: {links.here}")
    if links.exposed:
        tell(f"for phones: {links.player}")
        sys.stderr.write(qr_terminal(links.player) + "\n")
        tell(f"for the operator: {links.operator}")
    open_browser(links.here)
    return front


def open_browser(link: str) -> None:
    """Open a page for somebody who sits at this machine."""
    if sys.stderr.isatty() and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(link)


def record_page(folder: Folder, match_id: str, what: str) -> bytes | None:
    """Return a page of the record for the live page; None where there is no such.

    `report`, or `dispute N` for the ruling on event N (`dispute N:RULE` where it has several).
    """
    name, _, about = what.partition(" ")
    try:
        log = read_log(folder.find(match_id))
        if name == "report":
            return report_html(report(log, ClipStore(folder.evidence))).encode()
        return shown_dispute(folder, log, dispute_over(log, about)).encode()
    except (RecordError, MatchError, ValueError):
        return None
