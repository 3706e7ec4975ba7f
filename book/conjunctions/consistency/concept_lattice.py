"""Formal concepts of a family of conjunctions, the largest rectangles of ones: what decides a Boolean rank (Section 4).

That some cells of the matrix decide and the others follow is, as far as we can tell, the idea of the essential entries
of Belohlavek and Trnecka (Journal of Computer and System Sciences 81, 2015; arXiv 1306.4905). We could consult its
abstract and the authors' program GreEss, not the definition, so `essential_cells` is stated and proved on its own.
"""

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, FloatArray, bool_array, integer, matrix_product
from lifelong.conjunctions.algorithm3 import distinct

IntArray = NDArray[np.intp]


# formal concepts -----------------------------------------------------------------------------------------


def _masks(rows: BoolArray) -> list[int]:
    """Each row as an integer, one bit a column."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(rows, axis=1, bitorder="little")]


def _rows(masks: list[int], n: int) -> BoolArray:
    """The rows that `_masks` made into integers: bool (len(masks), n)."""
    width = -(-n // 8)
    data = np.frombuffer(b"".join(mask.to_bytes(width, "little") for mask in masks), dtype=np.uint8)
    return np.unpackbits(data.reshape(-1, width), axis=1, count=n, bitorder="little").astype(np.bool_)


def _intersections(rows: BoolArray, most: int, deadline: float = np.inf) -> list[int] | None:
    """All intersections of rows as masks, that of none included; None if there are too many or time is up."""
    found = {(1 << rows.shape[1]) - 1}
    for row in _masks(rows):
        found |= {row & other for other in found}
        if len(found) > most or time.monotonic() > deadline:
            return None
    return sorted(found)


def _concepts(A: BoolArray, most: int, deadline: float = np.inf) -> tuple[BoolArray, BoolArray] | None:
    """Extents and intents of all concepts; intersections are taken along the shorter side."""
    if len(A) > A.shape[1]:
        turned = _concepts(np.ascontiguousarray(A.T), most, deadline)
        return None if turned is None else turned[::-1]
    masks = _intersections(A, most, deadline)
    if masks is None:
        return None
    intents = _rows(masks, A.shape[1])
    outside = matrix_product(intents, ~A.T)
    return outside == 0, intents


def formal_concepts(targets: ArrayLike, *, most: int = 100_000) -> tuple[BoolArray, BoolArray]:
    """All formal concepts of a family: the largest rectangles of ones."""
    A = bool_array("targets", targets, axes=2)
    most = integer("most", most, least=1)
    found = _concepts(A, most)
    if found is None:
        raise ValueError(f"targets: expected a family of at most {most} formal concepts, got more")
    return found


# cells that decide ---------------------------------------------------------------------------------------


class _Reduced(NamedTuple):
    """Distinct nonzero rows and columns of a matrix, and where they come from."""

    A: BoolArray
    row: IntArray  # for each row of A its first copy
    column: IntArray  # for each column of A its first copy
    place: IntArray  # for every original column its place in A, -1 for an empty one

    def spread(self, pieces: BoolArray) -> BoolArray:
        """Metafeatures over the columns of A as metafeatures over the original ones."""
        wide: BoolArray = np.hstack([pieces, np.zeros((len(pieces), 1), dtype=np.bool_)])[:, self.place]
        return wide


def _reduced(TS: BoolArray) -> _Reduced:
    kept = np.flatnonzero(TS.any(axis=1))
    row = kept[distinct(TS[kept])[0]]
    used = np.flatnonzero(TS.any(axis=0))
    place = np.full(TS.shape[1], -1)
    if not len(row):
        return _Reduced(TS[:0, :0], row, used, place)
    first, place[used] = distinct(TS[np.ix_(row, used)].T)
    column = used[first]
    return _Reduced(TS[np.ix_(row, column)], row, column, place)


def _within(rows: BoolArray) -> FloatArray:
    """within[a, b]: row a is a subset of row b, as 0.0 or 1.0."""
    R = rows.astype(np.float64)
    within: FloatArray = (matrix_product(R, (1 - R).T) == 0).astype(np.float64)
    return within


def _essential(A: BoolArray) -> BoolArray:
    """Which ones of a matrix with distinct nonzero rows and columns are essential."""
    smaller = matrix_product(matrix_product(_within(A).T, A.astype(np.float64)), _within(np.ascontiguousarray(A.T)))
    found: BoolArray = A & (smaller == 1)  # one cell at or below: itself
    return found


def essential_cells(targets: ArrayLike) -> IntArray:
    """The cells that a basis has to cover; all others follow."""
    reduced = _reduced(bool_array("targets", targets, axes=2))
    i, j = np.nonzero(_essential(reduced.A))
    return np.column_stack([reduced.row[i], reduced.column[j]])


def is_fooling(targets: ArrayLike, cells: ArrayLike) -> bool:
    """Whether all cells are ones and no two lie in a common rectangle of ones."""
    TS, places = bool_array("targets", targets, axes=2), np.asarray(cells)
    i, j = places.T
    crossed = TS[np.ix_(i, j)]
    return bool(TS[i, j].all() and not (crossed & crossed.T & ~np.eye(len(i), dtype=np.bool_)).any())


# greedy --------------------------------------------------------------------------------------------------


def _best_concept(A: NDArray[np.float32], missing: NDArray[np.float32]) -> tuple[BoolArray, BoolArray]:
    """Grow an intent variable by variable while that covers more missing cells; ties go to the least variable."""
    extent, intent, best = np.ones(len(A), dtype=np.bool_), np.zeros(A.shape[1], dtype=np.bool_), 0.0
    while True:
        extents = A.T * extent  # row y: the extent after y has joined
        intents = matrix_product(extents, 1 - A) == 0
        gain = (matrix_product(extents, missing) * intents).sum(axis=1)
        y = int(gain.argmax())
        if gain[y] <= best:
            return extent, intent
        extent, intent, best = extents[y] > 0, intents[y], gain[y]


def greedy_concepts(targets: ArrayLike) -> BoolArray:
    """A basis of formal concepts, each the best that a greedy search finds for the cells still uncovered."""
    reduced = _reduced(bool_array("targets", targets, axes=2))
    A = reduced.A.astype(np.float32)
    missing, found = A.copy(), []
    while missing.any():
        extent, intent = _best_concept(A, missing)
        found.append(intent)
        missing[np.ix_(extent, intent)] = 0
    return reduced.spread(np.array(found, dtype=np.bool_).reshape(len(found), A.shape[1]))
