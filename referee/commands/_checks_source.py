"""The doctor's checks of a source: does it open, and is its picture good enough to read?"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from referee import app
from referee.commands import BadInput
from referee.commands._checks import Finding
from referee.commands._checks_table import table_findings
from referee.table.calibrate import FoundView, find_view, table_in
from referee.table.layout import plan
from referee.vision.address import Address, SourceError
from referee.vision.camera import open_tap
from referee.vision.frames import Frame, Image, file_frames
from referee.vision.quality import blur_px, card_width_px, light_of

# Frames that are taken: exposure and focus of cameras need about a second to settle.
SETTLE_FRAMES = 30
EASY_WIDTH_PX = 1920
EASY_RATE_FPS = 20.0
# Of 255. A white card at a median below 40 is grey on black; at 215 its print begins to burn out.
DARK_LEVEL, BRIGHT_LEVEL = 40.0, 215.0
BURNT_SHARE = 0.10
# The strokes of an index 12 px wide are 2 px: a blur as wide as they are merges 6 and 8.
BLURRED_PX = 2.0
# At 100 px a poker card's index is 14 px high, below which readers begin to fail.
EASY_CARD_PX = 100.0


def check_no_source() -> Finding:
    """Say which cameras there are when none was asked for."""
    cameras = sorted(path.name for path in Path("/dev").glob("video*"))
    if cameras:
        text = "seen: " + ", ".join(cameras)
        return Finding("camera", "ok", text, "`--source camera:0` checks its picture too")
    advice = "plug one in, or use a phone's stream: `referee doctor --source http://...`"
    return Finding("camera", "warn", "this machine has none", advice)


def check_source(text: str, models: str | None, threads: int) -> Iterator[Finding]:
    """Yield the findings of one source."""
    try:
        frames = settled_frames(app.find_source(text))
    except (BadInput, SourceError) as error:
        yield Finding("source", "fail", str(error), "mend that and run the doctor again")
        return
    last = frames[-1]
    yield size_finding(last)
    rate = rate_finding(frames)
    if rate is not None:
        yield rate
    yield from mat_findings(frames)
    try:
        yield cards_finding(last, models, threads)
    except BadInput as error:
        yield Finding("cards", "fail", str(error), "install the referee again")


def mat_findings(frames: tuple[Frame, ...]) -> Iterator[Finding]:
    """Judge mat, light and focus: by the markers' paper and print where a mat is in sight."""
    last, any_game = frames[-1], plan("nerves", ("A", "B"))
    table = table_in(last.image_bgr, any_game)
    if table is any_game:
        text = "markers that serve every game; the match, or `referee calibrate table`, uses them"
        yield Finding("mat", "ok", text)
        yield light_finding(last.image_bgr)
        yield focus_finding(last.image_bgr)
        return
    found = None if table is None else find_view(last.image_bgr, table)
    if isinstance(found, FoundView):
        players = len(found.plan.seats)
        yield Finding("mat", "ok", f"the table of {found.plan.game} for {players} players")
        same = [f.image_bgr for f in frames if f.image_bgr.shape == last.image_bgr.shape]
        yield from table_findings(found, same)
        return
    if found is None:
        text, advice = (
            "no markers in sight",
            "`referee print mat GAME -o mat.pdf`, lay it down, `referee calibrate table`",
        )
        yield Finding("mat", "warn", text, advice)
    else:
        yield Finding("mat", "warn", "markers in sight, but no table", found.reason)
    yield light_finding(last.image_bgr)
    yield focus_finding(last.image_bgr)


def settled_frames(address: Address) -> tuple[Frame, ...]:
    """Return up to thirty frames in a row. Raises SourceError, BadInput."""
    if not address.kind.live:
        return tuple(itertools.islice(file_frames(app.find_files(address)[0]), SETTLE_FRAMES))
    tap = open_tap(address)
    try:
        shots = [tap.take() for _ in range(SETTLE_FRAMES)]
    finally:
        tap.close()
    return tuple(
        Frame(shot.image_bgr, shot.t_ns, shot.sigma_ns, n, address.shown)
        for n, shot in enumerate(shots)
    )


def size_finding(frame: Frame) -> Finding:
    """Judge the picture's size."""
    found = f"{frame.source}: {frame.width_px} x {frame.height_px} pixels"
    if max(frame.width_px, frame.height_px) >= EASY_WIDTH_PX:
        return Finding("picture size", "ok", found)
    advice = "choose 1920 x 1080 in the camera's settings; indices are small"
    return Finding("picture size", "warn", found, advice)


def rate_finding(frames: tuple[Frame, ...]) -> Finding | None:
    """Judge the frame rate by the frames' times; None for single pictures."""
    times_ns = [frame.t_ns for frame in frames if frame.t_ns is not None]
    gaps_ns = np.diff(times_ns)
    if len(gaps_ns) < 2 or np.mean(gaps_ns) <= 0:
        return None
    rate_fps = 1e9 / float(np.mean(gaps_ns))
    found = f"{rate_fps:.1f} frames/s, longest gap {np.max(gaps_ns) / 1e6:.0f} ms"
    if rate_fps >= EASY_RATE_FPS:
        return Finding("frame rate", "ok", found)
    advice = "light the table more, or choose MJPG and 30 frames/s in the camera's settings"
    return Finding("frame rate", "warn", found, advice)


def light_finding(image: Image) -> Finding:
    """Judge the light."""
    light = light_of(image)
    found = f"median level {light.median_level:.0f} of 255, {light.burnt_share:.0%} burnt out"
    if light.median_level < DARK_LEVEL:
        return Finding("light", "warn", found, "too dark: light the table more")
    if light.median_level > BRIGHT_LEVEL or light.burnt_share > BURNT_SHARE:
        return Finding("light", "warn", found, "too bright: lower the exposure, turn lamps aside")
    return Finding("light", "ok", found)


def focus_finding(image: Image) -> Finding:
    """Judge the focus."""
    blur = blur_px(image)
    if blur is None:
        advice = "lay some cards down and run the doctor again"
        return Finding("focus", "warn", "no edge in the picture to judge it by", advice)
    found = f"edges are blurred by {blur:.1f} px"
    if blur <= BLURRED_PX:
        return Finding("focus", "ok", found)
    return Finding("focus", "warn", found, "focus on the table, clean the lens, light more")


def cards_finding(frame: Frame, models: str | None, threads: int) -> Finding:
    """Judge how large the cards are. Raises BadInput."""
    cards = app.look(app.open_reader(models, threads), frame).sight.cards
    width_px = card_width_px(cards)
    unread = sum(card.label == "??" for card in cards)
    counted = f"{len(cards)} reads, {unread} of them not sure"
    if width_px is None:
        advice = "lay some cards down, face up and apart, and run the doctor again"
        return Finding("cards", "warn", f"{counted}, no whole card to measure", advice)
    found = f"{counted}; a card is {width_px:.0f} px wide"
    if width_px >= EASY_CARD_PX:
        return Finding("cards", "ok", found)
    return Finding("cards", "warn", found, "bring the camera nearer, or choose a larger picture")
