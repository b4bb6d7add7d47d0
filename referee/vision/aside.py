"""Reads pieces in a process of its own: what one of Python's threads does holds up all others."""

from __future__ import annotations

import signal
import time
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead
from referee.vision.detect import Reader
from referee.vision.surface import Surface

# The networks of a small computer are open after 3 s, and a piece is read in 0.1 s: what takes
# longer than this never ends.
LONGEST_S = 30.0
Read = tuple[tuple[CardRead, ...], Surface]


class ReaderAside:
    """A reader whose glances are made by another process; what it answers is the reader's answer.

    Used by one thread. When the process is killed or fails, the reader itself goes on.
    """

    def __init__(self, reader: Reader) -> None:
        """Start the process, if one can be started, and wait until its networks are open."""
        self._reader, spawn = reader, get_context("spawn")
        self._line, theirs = spawn.Pipe()
        self._process = spawn.Process(
            target=_read_for, args=(theirs, reader), daemon=True, name="reading"
        )
        self.cpu_s = 0.0
        try:
            self._process.start()
            theirs.close()
            self._heard()
        except (OSError, EOFError):
            self.close()

    def __enter__(self) -> Self:
        """Read until the end of a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.close()

    @property
    def process_id(self) -> int:
        """The number of the process that reads."""
        return self._process.pid or 0

    def glance(self, image_bgr: NDArray[np.uint8], scale: float) -> Read:
        """Read a piece of a picture, as `Reader.glance` does."""
        if not self._line.closed:
            with suppress(OSError, EOFError):
                self._line.send((image_bgr, scale))
                return self._heard()
            self.close()
        return self._reader.glance(image_bgr, scale)

    def close(self) -> None:
        """End the process."""
        if self._process.pid is not None:
            # Who waits for an answer in another thread hears at once that none comes.
            self._process.kill()
            self._process.join()
        self._line.close()

    def _heard(self) -> Read:
        """Wait for an answer. Raises OSError and EOFError where none comes."""
        if not self._line.poll(LONGEST_S):
            raise TimeoutError
        read: Read
        read, self.cpu_s = self._line.recv()
        return read


def _read_for(line: Connection, reader: Reader) -> None:
    """Answer until nobody asks any more, in the other process.

    An error ends it: who asked reads the same piece again, and tells.
    """
    # Ctrl-C is meant for the match, which ends this when it is closed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    with suppress(Exception):
        answer: Read | None = None
        while True:
            line.send((answer, time.process_time()))
            image_bgr, scale = line.recv()
            answer = reader.glance(image_bgr, scale)
