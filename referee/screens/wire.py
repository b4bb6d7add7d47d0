"""Frames on the pipe between the match's process and the page's: a length, a kind, the bytes."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

HEAD = struct.Struct(">IB")
LARGEST_FRAME_BYTES = 64 * 1024 * 1024


class WireError(Exception):
    """What came through the pipe is no frame."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One frame: `kind` is one letter."""

    kind: str
    data: bytes


def write_packet(pipe: BinaryIO, packet: Packet) -> None:
    """Write one frame and flush it. Raises OSError when nobody reads any more."""
    pipe.write(HEAD.pack(len(packet.data), ord(packet.kind)) + packet.data)
    pipe.flush()


def read_packet(pipe: BinaryIO) -> Packet | None:
    """Read one frame, None at the end. Raises WireError."""
    head = pipe.read(HEAD.size)
    if not head:
        return None
    if len(head) < HEAD.size:
        raise WireError("a frame's head is cut off")
    size, kind = HEAD.unpack(head)
    if size > LARGEST_FRAME_BYTES:
        raise WireError(f"a frame of {size} bytes")
    data = pipe.read(size)
    if len(data) < size:
        raise WireError("a frame is cut off")
    return Packet(chr(kind), data)
