"""The touches of a script: the PadHit events of a .match file."""

from __future__ import annotations

from referee.commands import BadInput
from referee.commands._matches import read_match_file
from referee.values import PadHit


def script_hits(name: str) -> tuple[PadHit, ...]:
    """Return the PadHit events of the first match in a file. Raises BadInput."""
    matches = read_match_file(name)
    events = matches[0].events if matches else ()
    hits = tuple(event for event in events if isinstance(event, PadHit))
    if not hits:
        raise BadInput(f"{name}: there is no PadHit in its first match, so nothing to play")
    return tuple(sorted(hits, key=lambda hit: hit.t_ns))
