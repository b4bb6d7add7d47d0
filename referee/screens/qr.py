"""The code that opens the page on a phone, as a picture and in a terminal."""

from __future__ import annotations

import io

import segno


def qr_svg(link: str) -> bytes:
    """Return the code as SVG: dark on white with a quiet zone, so that any phone reads it."""
    out = io.BytesIO()
    segno.make(link, micro=False, error="m").save(out, kind="svg", scale=4, light="#fff")
    return out.getvalue()


def qr_terminal(link: str) -> str:
    """Return the code for a terminal, two rows of it in one line of half blocks."""
    out = io.StringIO()
    segno.make(link, micro=False, error="l").terminal(out, compact=True)
    return out.getvalue()
