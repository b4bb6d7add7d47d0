"""The checks of a found table: zones, card size, light, glare, focus and flicker, with advice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from referee.commands._checks import Finding
from referee.notation.spoken import zone_words
from referee.table.calibrate import FoundView
from referee.table.calibrate_light import (
    PaperLight,
    card_width_px,
    flicker_share,
    glare_spots,
    marker_crops,
    paper_light,
)
from referee.table.calibrate_markers import Gray, gray
from referee.table.layout_blocks import CARD_W_MM
from referee.vision.frames import Image
from referee.vision.quality import blur_px

# 1.4 pixels a millimetre: an index 12 mm high has 17 pixels; readers begin to fail at 14.
EASY_CARD_PX, LEAST_CARD_PX = 88.0, 63.0
EASY_ACCURACY_MM = 2.0
# What cameras can be set to.
SIZES_PX = ((1920, 1080), (2560, 1440), (3840, 2160))
# Of 255, white paper: below 90 the print's contrast comes down to ten times the noise of small
# sensors; above 245 the paper runs into the print.
DARK_WHITE, BRIGHT_WHITE = 90.0, 245.0
LEAST_CONTRAST = 50.0
# White at the darkest marker as a share of the brightest: an exposure that suits one still suits
# the other.
EVEN_SHARE = 0.5
# A third of a field of the smallest print that is read: index strokes are 1.5 mm wide.
BLURRED_MM = 0.9
FLICKER_SHARE = 0.04


def table_findings(found: FoundView, images: Sequence[Image]) -> Iterator[Finding]:
    """Yield what is to be said of a found table; the view holds for the last picture."""
    pictures = [gray(image) for image in images]
    yield zones_finding(found)
    yield size_finding(found)
    lights = paper_light(pictures[-1], found)
    if lights:
        yield light_finding(lights)
        yield even_finding(lights)
    yield glare_finding(pictures[-1], found)
    focus = focus_finding(images[-1], found)
    if focus is not None:
        yield focus
    flicker = flicker_finding(pictures)
    if flicker is not None:
        yield flicker


def zones_finding(found: FoundView) -> Finding:
    """Judge how well the zones are known and whether all are in sight."""
    if found.markers:
        laid = "laid by hand" if found.loose else "of the mat"
        how = f"{len(found.seen)} of {len(found.plan.markers)} markers {laid} seen"
    else:
        how = "from four corners"
    text = f"{how}, zones placed to {found.accuracy_mm:.1f} mm"
    if found.unseen_zones:
        names = ", ".join(_words(found, name) for name in found.unseen_zones)
        advice = f"bring them into the picture, or no ruling that needs them is given: {names}"
        return Finding("zones", "warn", f"{text}; {len(found.unseen_zones)} out of sight", advice)
    if found.strayed:
        names = ", ".join(str(number) for number in found.strayed)
        return Finding("zones", "warn", text, f"marker {names} lies elsewhere: lay the mat flat")
    if found.accuracy_mm > EASY_ACCURACY_MM:
        advice = "uncover more markers, or bring the camera nearer"
        if not found.markers:
            advice = "lay markers, which are more exact: `referee print markers`"
        return Finding("zones", "warn", text, advice)
    return Finding("zones", "ok", text)


def size_finding(found: FoundView) -> Finding:
    """Judge how large cards are in the picture where they are smallest."""
    width_px, zone = card_width_px(found)
    text = f"a card is {width_px:.0f} px wide at {_words(found, zone)}, where it is smallest"
    if width_px >= EASY_CARD_PX:
        return Finding("card size", "ok", text)
    factor = EASY_CARD_PX / width_px
    larger = [size for size in SIZES_PX if size[0] >= found.view.size_px[0] * factor]
    otherwise = (
        f", or ask it for more pixels (camera:0@{larger[0][0]}x{larger[0][1]})" if larger else ""
    )
    advice = (
        f"bring the camera to {1 / factor:.0%} of its height{otherwise}: {EASY_CARD_PX:.0f} px"
        f" ({EASY_CARD_PX / CARD_W_MM:.1f} px/mm) are safe"
    )
    return Finding("card size", "warn" if width_px >= LEAST_CARD_PX else "fail", text, advice)


def light_finding(lights: Sequence[PaperLight]) -> Finding:
    """Judge how bright paper is."""
    white = float(np.median([light.white for light in lights]))
    black = float(np.median([light.black for light in lights]))
    text = f"white paper at {white:.0f} of 255, black print at {black:.0f}"
    if white > BRIGHT_WHITE:
        return Finding("light", "warn", text, "too bright: lower the exposure to about 220")
    if white < DARK_WHITE:
        more = 180 / max(white, 1.0)
        return Finding("light", "warn", text, f"too dark: {more:.1f} times as much light is good")
    if white - black < LEAST_CONTRAST:
        return Finding("light", "warn", text, "too little contrast: clean the lens, no light on it")
    return Finding("light", "ok", text)


def even_finding(lights: Sequence[PaperLight]) -> Finding:
    """Judge how evenly the table is lit."""
    darkest = min(lights, key=lambda light: light.white)
    brightest = max(lights, key=lambda light: light.white)
    share = darkest.white / max(brightest.white, 1.0)
    text = f"the darkest marker gets {share:.0%} of the light of the brightest"
    if share >= EVEN_SHARE:
        return Finding("even light", "ok", text)
    x_mm, y_mm = darkest.at_mm
    advice = f"bring a lamp nearer to the side of the table at x {x_mm:.0f}, y {y_mm:.0f} mm"
    return Finding("even light", "warn", text, advice)


def glare_finding(picture: Gray, found: FoundView) -> Finding:
    """Judge burnt-out patches on the table."""
    spots = glare_spots(picture, found)
    if not spots:
        return Finding("glare", "ok", "no burnt-out patch on the table")
    worst = spots[0]
    x_mm, y_mm = worst.at_mm
    place = f"on {_words(found, worst.zone)}" if worst.zone else f"at x {x_mm:.0f}, y {y_mm:.0f} mm"
    text = f"{len(spots)} burnt-out patches, the largest {worst.mm2 / 100:.0f} cm2 {place}"
    return Finding("glare", "warn", text, "turn that lamp aside, or hang cloth or paper before it")


def _words(found: FoundView, zone: str) -> str:
    return zone_words(zone, {place.seat: place.seat for place in found.plan.seats})


def focus_finding(image: Image, found: FoundView) -> Finding | None:
    """Judge the sharpness of the markers' edges; None where no marker is in sight."""
    blurs = [blur for crop in marker_crops(image, found) if (blur := blur_px(crop)) is not None]
    if not blurs:
        return None
    scale = card_width_px(found)[0] / CARD_W_MM
    blurred_px = float(np.median(blurs))
    text = f"the markers' edges are blurred by {blurred_px:.1f} px ({blurred_px / scale:.1f} mm)"
    if blurred_px / scale <= BLURRED_MM:
        return Finding("focus", "ok", text)
    return Finding("focus", "warn", text, "focus on the table and fix the focus, clean the lens")


def flicker_finding(pictures: Sequence[Gray]) -> Finding | None:
    """Judge how the light changes from frame to frame; None for a single picture."""
    share = flicker_share(pictures)
    if share is None:
        return None
    text = f"the light changes by {share:.1%} from frame to frame"
    if share <= FLICKER_SHARE:
        return Finding("flicker", "ok", text)
    advice = (
        "set the camera's power line frequency (50 Hz in Europe, 60 Hz in America), or an"
        " exposure of 1/100 or 1/120 s, or use another lamp"
    )
    return Finding("flicker", "warn", text, advice)
