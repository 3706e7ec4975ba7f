"""Definition 1, the c-anchor-set assumption, and the candidates of Theorem 5 (Section 4.4).

An anchor set of a metafeature is a set y of at most c of its variables which no target has without the whole. So the
metafeature is the intersection of all targets that contain y, but for variables that come along with it anyway.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, matrix_product


def lie_inside(M: BoolArray, TS: BoolArray) -> BoolArray:
    """Entry [r, j]: whether metafeature j lies inside target r."""
    return np.asarray(matrix_product(~TS, M.T) == 0)


def unions(codes: BoolArray, M: BoolArray) -> BoolArray:
    """The unions of the metafeatures that the rows of bool (m, k) choose: bool (m, n)."""
    return np.asarray(matrix_product(codes, M) > 0)


#: Bytes of packed rows that are met at a time.
BLOCK = 2**24

# candidates ----------------------------------------------------------------------------------------------


def different(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Rows of bits, packed in bytes: one copy of each that is not empty."""
    if not packed.any():
        return packed[:0]
    rows = np.ascontiguousarray(packed[packed.any(axis=1)])
    once: NDArray[np.uint8] = np.unique(rows.view(f"V{rows.shape[1]}")).view(np.uint8).reshape(-1, rows.shape[1])
    return once


def _holders(TS: BoolArray, c: int) -> BoolArray:
    """The sets of targets that share some 1 to c variables, nonempty and each once: bool (N, m)."""
    N = held = different(np.packbits(TS.T, axis=1))  # the sets N(TS, z)
    step = max(1, BLOCK // N.size)
    for _ in range(c - 1):
        parts = [held[i : i + step, None] & N for i in range(0, len(held), step)]
        met = [different(part.reshape(-1, N.shape[1])) for part in parts]
        before, held = len(held), different(np.concatenate([held, *met]))
        if len(held) == before:
            break
    return np.unpackbits(held, axis=1, count=len(TS)).astype(np.bool_)


def anchor_set_candidates(targets: ArrayLike, *, c: int) -> BoolArray:
    """Every intersection of all targets that share some c variables or fewer, by size and then in order."""
    TS = bool_array("targets", targets, axes=2)
    if not TS.any():
        return TS[:0]
    M = lie_inside(_holders(TS, c), TS.T).T  # held by all targets of a row
    bytewise = np.packbits(M, axis=1).T[::-1]
    return M[np.lexsort((*bytewise, M.sum(axis=1)))]


# Definition 1 --------------------------------------------------------------------------------------------


def hitting_set(rows: BoolArray, size: int) -> list[int] | None:
    """At most `size` columns, as few as possible, such that every row has a True in one of them."""
    if not len(rows):
        return []
    if size <= 0:
        return None
    if (common := rows.all(axis=0)).any():
        return [int(common.argmax())]
    if size == 1:
        return None
    best: list[int] | None = None
    for column in np.flatnonzero(rows[rows.sum(axis=1).argmin()]):  # this row has to be hit somewhere
        rest = hitting_set(rows[~rows[:, column]], (size if best is None else len(best) - 1) - 1)
        best = best if rest is None else sorted([int(column), *rest])
        if best is not None and len(best) == 2:
            break  # one does not do
    return best


def anchor_sets(metafeatures: ArrayLike, targets: ArrayLike, *, c: int) -> list[BoolArray | None]:
    """A smallest anchor set of each metafeature, of at most c variables; None for one that has none."""
    M, TS = np.asarray(metafeatures, dtype=np.bool_), np.asarray(targets, dtype=np.bool_)
    found = [hitting_set(m & ~TS[~own], c) for m, own in zip(M, lie_inside(M, TS).T, strict=True)]
    return [None if y is None else np.isin(np.arange(M.shape[1]), y) for y in found]


def is_anchored(metafeatures: ArrayLike, targets: ArrayLike, *, c: int, k: int) -> bool:
    """Definition 1: the targets are unions of at most k metafeatures, and each of these has an anchor set of size c."""
    M, TS = np.unique(np.asarray(metafeatures, dtype=np.bool_), axis=0), np.asarray(targets, dtype=np.bool_)
    inside = lie_inside(M, TS)
    if (inside.sum(axis=1) > k).any() or (unions(inside, M) != TS).any():
        return False
    return all(y is not None for y in anchor_sets(M, TS, c=c))
