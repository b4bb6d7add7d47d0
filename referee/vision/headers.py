"""Headers of picture files: size and orientation before decoding, and whether the file is whole.

A picture of 20,000 x 20,000 pixels is 1.2 GB once decoded and may come from a file of a few
kilobytes, so the size is read first. Formats: JPEG (ITU T.81 B.2, Exif 2.32 4.6), PNG (RFC 2083),
WebP (RFC 9649), BMP, TIFF 6.0.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

ORIENTATION_TAG = 0x0112
WIDTH_TAG, HEIGHT_TAG = 0x0100, 0x0101


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """What a picture's header says.

    `orientation` is Exif's 1..8: how the stored picture is to be turned for a person to see it
    upright. `whole` is False when the file ends before the picture does.
    """

    format: str
    width_px: int
    height_px: int
    orientation: int = 1
    whole: bool = True


def read_header(data: bytes) -> ImageHeader | None:
    """Return the header of a picture file's bytes, or None if they are no picture we know."""
    try:
        for signature, parse in PARSERS:
            if re.match(signature, data, re.DOTALL):
                return parse(data)
    except (struct.error, IndexError):
        return None
    return None


def is_picture(head: bytes) -> bool:
    """Tell from a file's first 64 bytes whether it is one of the formats above."""
    return any(re.match(signature, head, re.DOTALL) for signature, _ in PARSERS)


def jpeg_header(data: bytes) -> ImageHeader | None:
    """Walk the segments of a JPEG up to its frame header (SOF)."""
    at, orientation = 2, 1
    while True:
        lead, marker, length = struct.unpack_from(">BBH", data, at)
        if lead != 0xFF:
            return None
        if marker == 0xFF:  # fill bytes before a marker
            at += 1
            continue
        body = at + 4
        if marker == 0xE1 and data[body : body + 6] == b"Exif\0\0":
            orientation = tiff_tags(data[body + 6 : at + 2 + length]).get(ORIENTATION_TAG, 1)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height_px, width_px = struct.unpack_from(">HH", data, body + 1)
            return ImageHeader("JPEG", width_px, height_px, upright(orientation), ends(data, body))
        at += 2 + length


def ends(data: bytes, after: int) -> bool:
    """Tell whether a JPEG's end marker stands after its frame header (some add bytes behind)."""
    return data.rfind(b"\xff\xd9") > after


def png_header(data: bytes) -> ImageHeader | None:
    """Read a PNG's IHDR, and eXIf where it stands before the end."""
    width_px, height_px = struct.unpack_from(">II", data, 16)
    at, orientation, whole = 8, 1, False
    while at + 12 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if name == b"eXIf":
            orientation = tiff_tags(data[at + 8 : at + 8 + length]).get(ORIENTATION_TAG, 1)
        at += 12 + length
        if name == b"IEND":
            whole = at <= len(data)
            break
    return ImageHeader("PNG", width_px, height_px, upright(orientation), whole)


def webp_header(data: bytes) -> ImageHeader | None:
    """Read a WebP's size from its first chunk, lossy, lossless or extended."""
    whole = len(data) >= 8 + struct.unpack_from("<I", data, 4)[0]
    chunk = data[12:16]
    if chunk == b"VP8X":
        width_px = 1 + int.from_bytes(data[24:27], "little")
        height_px = 1 + int.from_bytes(data[27:30], "little")
    elif chunk == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        width_px, height_px = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    elif chunk == b"VP8 ":
        width_px, height_px = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    else:
        return None
    return ImageHeader("WebP", width_px, height_px, 1, whole)


def bmp_header(data: bytes) -> ImageHeader | None:
    """Read a BMP's size; a negative height only says that rows run downwards."""
    file_size, header_size = struct.unpack_from("<2xI8xI", data, 0)
    if header_size == 12:
        width_px, height_px = struct.unpack_from("<HH", data, 18)
    else:
        width_px, height_px = struct.unpack_from("<ii", data, 18)
    return ImageHeader("BMP", abs(width_px), abs(height_px), 1, len(data) >= file_size)


def tiff_header(data: bytes) -> ImageHeader | None:
    """Read a TIFF's first directory. Its parts may lie anywhere, so `whole` cannot be told."""
    tags = tiff_tags(data)
    if WIDTH_TAG not in tags or HEIGHT_TAG not in tags:
        return None
    orientation = upright(tags.get(ORIENTATION_TAG, 1))
    return ImageHeader("TIFF", tags[WIDTH_TAG], tags[HEIGHT_TAG], orientation)


def tiff_tags(data: bytes) -> dict[int, int]:
    """Return the single short and long values of a TIFF's first directory (Exif uses the same)."""
    order = {b"II": "<", b"MM": ">"}.get(data[:2])
    if order is None or len(data) < 8:
        return {}
    at = struct.unpack_from(order + "I", data, 4)[0]
    if at + 2 > len(data):
        return {}
    count = struct.unpack_from(order + "H", data, at)[0]
    tags: dict[int, int] = {}
    for entry in range(at + 2, min(at + 2 + 12 * count, len(data) - 11), 12):
        tag, kind, number = struct.unpack_from(order + "HHI", data, entry)
        if number == 1 and kind in (3, 4):
            tags[tag] = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, entry + 8)[0]
    return tags


def upright(orientation: int) -> int:
    """Return the Exif orientation, or 1 for a value that Exif does not know."""
    return orientation if 1 <= orientation <= 8 else 1


PARSERS = (
    (rb"\xff\xd8\xff", jpeg_header),
    (rb"\x89PNG\r\n\x1a\n....IHDR", png_header),
    (rb"RIFF....WEBP", webp_header),
    (rb"BM", bmp_header),
    (rb"II\*\0|MM\0\*", tiff_header),
)
