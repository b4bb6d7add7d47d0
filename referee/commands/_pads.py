"""The touch pads of a match that is watched: real ports, or boards simulated from a script."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from referee.app.touching import Touching
from referee.commands import BadInput, tell
from referee.commands.padsteps._open import AUTO, open_boards, wait_until_known
from referee.commands.padsteps._script import script_hits
from referee.pads.delay import UNMEASURED_NS, delay_of
from referee.pads.profile import Profile, ProfileError, read_profile
from referee.pads.simulated import SimulatedBoards, SimulationError, pads_of_script, play
from referee.pads.station import Station, uncalibrated

SIMULATED = "sim:"
# A match on real boards begins when their clocks have long been learnt: to about 0.5 ms.
SETTLED_NS = 1_000_000
UNMEASURED = (
    f"how late the camera is was never measured: a touch that a pad felt and one that only the "
    f"camera saw are compared to +-{UNMEASURED_NS / 1e6:.0f} ms (`referee calibrate lamp`)"
)
# Where pads lie in the games that have spots for them (catalogue, 1(a)).
SPOTS = {"nerves": ("mid", "play.A", "play.B")}


def open_station(
    ports: str | None, calibration: str | None, game: str, stack: ExitStack
) -> Touching | None:
    """Return the pads of a match, None where there are none. Raises BadInput."""
    if ports in (None, "none"):
        return None
    assert ports is not None
    spots = SPOTS.get(game, ())
    if ports.startswith(SIMULATED):
        return _simulated(ports.removeprefix(SIMULATED), game, stack)
    boards = open_boards([] if ports == AUTO else ports.split(","))
    stack.callback(boards.close)
    told = wait_until_known(boards)
    for status in boards.statuses():
        tell(f"{status.device}: {status.state} {status.why} {status.advice}".rstrip())
    for _, why in boards.refused():
        tell(why)
    if not boards.statuses() and not boards.refused():
        tell("no touchpad is plugged in; one that is plugged in later is found")
    profile = None if calibration is None else read_calibration(calibration)
    profile = profile or uncalibrated(boards, game, spots)
    if boards.statuses() and not profile.lamps:
        tell(UNMEASURED)
    return Touching(Station(boards, profile, told), tell, delay=delay_of(profile.lamps))


def read_calibration(name: str) -> Profile:
    """Read the pads' calibration. Raises BadInput."""
    try:
        return read_profile(Path(name).read_text(encoding="utf-8"), name)
    except ProfileError as reason:
        raise BadInput(str(reason)) from None
    except OSError as reason:
        raise BadInput(f"{name}: {reason.strerror or 'cannot be read'}") from None
    except ValueError:
        raise BadInput(f"{name!r} is no calibration: `referee calibrate pads` writes one") from None


def _simulated(name: str, game: str, stack: ExitStack) -> Touching:
    """Play a script's touches through the board's real program, a port and the clocks."""
    hits = script_hits(name)
    places = pads_of_script(hits)
    count = 1 + max(board for board, _ in places.values())
    try:
        simulated = stack.enter_context(SimulatedBoards(count))
    except SimulationError as reason:
        raise BadInput(f"{name}: {reason}") from None
    boards = open_boards(list(simulated.devices))
    stack.callback(boards.close)
    told = wait_until_known(boards, bound_ns=SETTLED_NS)

    def begin(host_ns: int) -> None:
        try:
            play(simulated, hits, host_ns, places)
        except SimulationError as reason:
            raise BadInput(f"{name}: {reason}") from None

    profile = uncalibrated(boards, game, tuple(places))
    return Touching(Station(boards, profile, told), tell, begin)
