"""Pairs things with places at the least cost: which unsure card is which card of the deck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def cheapest_pairs(cost: Floats) -> NDArray[np.intp]:
    """For each of N rows the column of its own, so that the sum of costs is least; N <= columns.

    The Hungarian method with potentials (Kuhn 1955, Munkres 1957), one row after the other.
    """
    rows, columns = cost.shape
    row_at = np.full(columns + 1, -1)  # the last column stands for the row that is being placed
    up, down = np.zeros(rows), np.zeros(columns + 1)
    for row in range(rows):
        row_at[columns] = row
        came_from = _shortest_way(cost, row_at, up, down)
        column = came_from.end
        while column != columns:
            before = came_from.column[column]
            row_at[column] = row_at[before]
            column = before
    taken = np.full(rows, -1, np.intp)
    placed = np.flatnonzero(row_at[:columns] >= 0)
    taken[row_at[placed]] = placed
    return taken


class _Way:
    """A way to a free column: its end, and from which column each one was reached."""

    def __init__(self, columns: int) -> None:
        self.end = columns
        self.column = np.full(columns, columns)


def _shortest_way(cost: Floats, row_at: NDArray[np.intp], up: Floats, down: Floats) -> _Way:
    """Find the cheapest way from the last column to a free one; moves the potentials."""
    columns = cost.shape[1]
    way = _Way(columns)
    least = np.full(columns, np.inf)
    done = np.zeros(columns + 1, bool)
    while row_at[way.end] >= 0:
        done[way.end] = True
        row = row_at[way.end]
        ahead = cost[row] - up[row] - down[:columns]
        better = ~done[:columns] & (ahead < least)
        least[better], way.column[better] = ahead[better], way.end
        open_least = np.where(done[:columns], np.inf, least)
        nearest = int(np.argmin(open_least))
        step = open_least[nearest]
        up[row_at[done]] += step
        down[done] -= step
        least[~done[:columns]] -= step
        way.end = nearest
    return way
