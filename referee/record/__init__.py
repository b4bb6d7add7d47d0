"""The record: every match kept in an append-only log, with the evidence of its disputes.

`folder` says where the record lies, `log` writes and reads one match, `verifying` proves that
nobody changed it, `recorder` listens to a match in play, `ring` and `clips` keep the pictures.
SCHEMA.md describes the files.
"""

from __future__ import annotations

from referee.record.errors import RecordError
from referee.record.folder import Folder, default_root
from referee.record.head import Head, RuleText
from referee.record.log import Log, LogWriter, create_log, open_log, read_log
from referee.record.recorder import Recorder, begin_record
from referee.record.ring import PadTrace, Ring, Still
from referee.record.verifying import Finding, verify

__all__ = [
    "Finding",
    "Folder",
    "Head",
    "Log",
    "LogWriter",
    "PadTrace",
    "RecordError",
    "Recorder",
    "Ring",
    "RuleText",
    "Still",
    "begin_record",
    "create_log",
    "default_root",
    "open_log",
    "read_log",
    "verify",
]
