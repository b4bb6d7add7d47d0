"""No long pauses in a match: neither for Python's garbage collector nor for its other threads."""

from __future__ import annotations

import gc
import sys

# Reading, hands and evidence have threads of their own. Each may hold the others up for so long;
# with Python's usual 5 ms twice as many frames of six players were skipped on two cores.
TURN_S = 0.001


def shorten_pauses() -> None:
    """Let no thread wait long for another one; to be called before a match.

    The collector looks only at what is made from now on: modules, games and layouts live as long as
    the process, and to go over them all takes 25 ms, nearly a frame of a camera's, every two
    seconds of play.
    """
    sys.setswitchinterval(TURN_S)
    gc.unfreeze()
    gc.collect()
    gc.freeze()
