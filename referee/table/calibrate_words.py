"""What is said when a table is not found in a picture: one line each, with what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from referee.table.calibrate_markers import find_markers
from referee.table.markers import table_of_marker
from referee.values import TablePlan

DARK_LEVEL = 25.0
"""Of 255: below this mean even white paper is darker than 80, and noise is as strong as print."""

CONTRAST, BLURRED_LEVEL = 60.0, 30.0
"""Of 255: print on paper rises by 100 within a pixel, by 25 where it is blurred by 8 px."""


def nothing_text(picture: NDArray[np.uint8], ids: Sequence[int], plan: TablePlan) -> str:
    """Say why none of a table's markers was found in a picture (gray, height x width)."""
    others = Counter(table for i in ids if (table := table_of_marker(i)) is not None)
    own = _kind(plan)
    others.pop(own, None)
    if others:
        shown, count = others.most_common(1)[0]
        if count > 1:
            return _other_mat_text(shown, own)
    if float(picture.mean()) < DARK_LEVEL:
        return "too dark to find the markers: light the table"
    if float(np.ptp(picture)) > CONTRAST and _sharpest_level(picture) < BLURRED_LEVEL:
        return "out of focus, nothing in the picture has a sharp edge: focus on the table"
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    known = {marker.id for marker in plan.markers}
    if any(marker.id in known for marker in find_markers(mirrored, 0)):
        return "the picture is mirrored: switch mirroring off in the camera's settings"
    return (
        f"{_count(len(set(ids) & known))} of the {len(plan.markers)} markers of {own[0]} for"
        f" {own[1]} players found: print the mat (`referee print mat {own[0]} -o mat.pdf`) or the"
        " markers, bring all of it into the picture, or give the table's corners (`referee"
        " calibrate table --corners`, or the set-up page)"
    )


def is_same_table(one: TablePlan, other: TablePlan) -> bool:
    """Whether two plans are of one game for as many players."""
    return _kind(one) == _kind(other)


def other_mat_text(shown: TablePlan, plan: TablePlan) -> str:
    """Say that a picture shows the mat of another table than the one wanted."""
    return _other_mat_text(_kind(shown), _kind(plan))


def _kind(plan: TablePlan) -> tuple[str, int]:
    return plan.game, len(plan.seats)


def _other_mat_text(shown: tuple[str, int], own: tuple[str, int]) -> str:
    game, players = shown
    return (
        f"this is the mat of {game} for {players} players, not of {own[0]} for {own[1]}:"
        f" lay the other mat, or start with --game {game} --players"
        f" {','.join('ABCDEFGH'[:players])}"
    )


def _sharpest_level(picture: NDArray[np.uint8]) -> float:
    """Return by how much the sharpest edges rise from pixel to pixel, but for a few of noise."""
    across = np.abs(np.diff(picture[::2].astype(np.int16), axis=1))
    return float(np.percentile(across, 99.95)) if across.size else 0.0


def covered_text(found: int, plan: TablePlan) -> str:
    """Say that the markers found do not make a table."""
    return (
        f"{found} of {len(plan.markers)} markers found, and they do not lie as the mat of"
        f" {plan.game} has them: take hands and things off the markers and lay the mat flat"
    )


def vague_text(found: int, accuracy_mm: float, plan: TablePlan) -> str:
    """Say that too few markers were seen to know the zones well."""
    return (
        f"only {found} of {len(plan.markers)} markers found, which places zones to"
        f" {accuracy_mm:.0f} mm at best: uncover more markers, light the table, or bring the"
        " camera nearer"
    )


def _count(number: int) -> str:
    return "none" if number == 0 else f"only {number}"
