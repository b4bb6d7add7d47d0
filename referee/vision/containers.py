"""Containers of video files: whether the file is as long as its own headers say.

A copy that broke off keeps its beginning, so players show it up to there and say nothing.
Formats: ISO base media (MP4, MOV; ISO 14496-12 4.2), RIFF (AVI), Matroska and WebM (RFC 9559).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

EBML, SEGMENT = b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"
ISO_FIRST_BOXES = (b"ftyp", b"moov", b"mdat", b"free", b"wide", b"skip")


def is_video(head: bytes) -> bool:
    """Tell from a file's first 12 bytes whether it is one of the containers above."""
    riff_video = head[:4] == b"RIFF" and head[8:12] == b"AVI "
    return head[4:8] in ISO_FIRST_BOXES or head[:4] == EBML or riff_video


def cut_short(path: Path) -> bool:
    """Tell whether a video file ends before its headers say; False for formats not known here."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(12)
        try:
            if head[4:8] in ISO_FIRST_BOXES:
                return iso_end(file) > size
            if head[:4] == b"RIFF":
                return 8 + int(struct.unpack("<I", head[4:8])[0]) > size
            if head[:4] == EBML:
                return matroska_end(file) > size
        except (struct.error, IndexError):
            return True
    return False


def iso_end(file: BinaryIO) -> int:
    """Return where the last whole box of an ISO file says it ends; more than there is if cut."""
    at = 0
    while True:
        file.seek(at)
        head = file.read(16)
        if len(head) < 8:
            return at + (8 if head else 0)
        length = int(struct.unpack_from(">I", head)[0])
        if length == 1:
            length = int(struct.unpack_from(">Q", head, 8)[0])
        if length < 8:  # 0: to the end of the file; else: not a box, so nothing can be told
            return at
        at += length


def matroska_end(file: BinaryIO) -> int:
    """Return where a Matroska file's segment says it ends, 0 where it does not say."""
    file.seek(4)
    _, header_size = vint(file)
    file.seek(header_size, 1)
    if file.read(4) != SEGMENT:
        return 0
    known, segment_size = vint(file)
    return file.tell() + segment_size if known else 0


def vint(file: BinaryIO) -> tuple[bool, int]:
    """Read one EBML size: whether it is known, and its value (RFC 8794 4)."""
    first = file.read(1)[0]
    length = 9 - first.bit_length()
    if length > 8:
        return False, 0
    value = int.from_bytes(bytes([first & (0xFF >> length)]) + file.read(length - 1), "big")
    return value != (1 << 7 * length) - 1, value
