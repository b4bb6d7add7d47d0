"""The touches of a script: the PadHit events of a .match file."""

from __future__ import annotations

from pathlib import Path

from referee.commands import BadInput
from referee.notation import NotationError, read_matches
from referee.values import PadHit


def script_hits(name: str) -> tuple[PadHit, ...]:
    """Return the PadHit events of the first match in a file. Raises BadInput."""
    try:
        text = Path(name).read_text(encoding="utf-8")
        matches = read_matches(text)
    except OSError as reason:
        raise BadInput(f"{name}: {reason.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{name}: this is no UTF-8 text; a .match file is plain text") from None
    except NotationError as reason:
        raise BadInput(f"{name}: {reason}") from None
    except ValueError:
        raise BadInput(f"{name!r} is no file name") from None
    events = matches[0].events if matches else ()
    hits = tuple(event for event in events if isinstance(event, PadHit))
    if not hits:
        raise BadInput(f"{name}: there is no PadHit in its first match, so nothing to play")
    return tuple(sorted(hits, key=lambda hit: hit.t_ns))
