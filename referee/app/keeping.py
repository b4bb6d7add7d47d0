"""Keeps what the camera shows of a match: the last seconds for disputes, or all of it as a film."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from referee.record import Folder, RecordError, Ring
from referee.record.film import Film
from referee.record.ring import Seen, Still
from referee.values import HandSeen, Sight
from referee.vision.frames import Frame

# What a player of videos is told; the exact time of each frame stands beside the video.
FILM_FPS = 30.0
# Lying cards need no more; while hands move about, what is seen is kept with every frame.
SEEN_NS = 200_000_000


class Seeing(Protocol):
    """A table that is watched."""

    @property
    def hands(self) -> tuple[HandSeen, ...]:
        """The hands in the latest frame."""

    def sight(self) -> Sight:
        """Return what is seen, in pixels of the camera's picture."""


class Pictures:
    """The pictures of one match; used by its thread. `ring` holds the last seconds of them.

    They are made small and encoded in another thread, meanwhile the match goes on: that takes a
    tenth of the time in which a frame is to be understood.
    """

    def __init__(self, folder: Folder | None, match_id: str, *, film: bool) -> None:
        """Begin with none. `film`: the whole match is kept as a video in the folder."""
        self.ring = Ring()
        self._folder, self._match_id = (folder if film else None), match_id
        self._film: Film | None = None
        self._encoder = ThreadPoolExecutor(1, "evidence")
        self._encoding: Future[Still] | None = None
        self._had_hands, self._seen_ns = False, -SEEN_NS

    def film(self, frame: Frame, now_ns: int) -> str:
        """Take a frame into the film, from the first one that is watched.

        Returns why the film ends here, once; else nothing.
        """
        if self._folder is None:
            return ""
        try:
            if self._film is None:
                self._film = Film(_free(self._folder.video(self._match_id)), FILM_FPS)
            self._film.add(frame.image_bgr, now_ns, frame.sigma_ns)
            fault = self._film.state.fault
        except RecordError as reason:
            fault = f"{reason}; the match goes on without a film"
        if fault:
            self._folder = None
        return fault

    def take(self, frame: Frame, now_ns: int, table: Seeing) -> None:
        """Keep a frame with what was seen in it. Raises RecordError, of the frame before too.

        The frame's picture must not change afterwards.
        """
        self._latest()
        self._encoding = self._encoder.submit(
            self.ring.take, frame.image_bgr, now_ns, frame.sigma_ns
        )
        has_hands = bool(table.hands)
        if has_hands or self._had_hands or now_ns - self._seen_ns >= SEEN_NS:
            self.ring.add_seen(Seen(now_ns, table.sight()))
            self._seen_ns = now_ns
        self._had_hands = has_hands

    def still(self, t_ns: int) -> Still | None:
        """Return the frame of this time as it is kept, None without one. Raises RecordError."""
        latest = self._latest()
        return latest if latest is not None and latest.t_ns == t_ns else None

    def _latest(self) -> Still | None:
        """Wait for the latest frame to be kept, and return it. Raises RecordError."""
        return None if self._encoding is None else self._encoding.result()

    def close(self) -> str:
        """End the ring and the film; returns what is to be told of it."""
        self._encoder.shutdown()
        self.ring.end()
        if self._film is None:
            return ""
        done = self._film.close()
        if self._folder is not None and done.fault:
            return done.fault
        dropped = f"the disk was too slow for the video: {done.dropped} frames are missing"
        return dropped if done.dropped else ""


def _free(path: Path) -> Path:
    """Return a path that is not taken: a match that was cut off and goes on has several films."""
    number = 2
    free = path
    while free.exists():
        free = path.with_name(f"{path.stem}.{number}{path.suffix}")
        number += 1
    return free
