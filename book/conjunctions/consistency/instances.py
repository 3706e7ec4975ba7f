"""Unions of full dimension, pieces trimmed to anchored ones, and small worlds of conjunctions (Section 4.1)."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, bool_array, integer, matrix_product


def union_dimension(k: int) -> int:
    """The largest dimension of Algorithm 3's targets, unions of k overlapping metafeatures (`rem-dimension`)."""
    return int(2 ** integer("k", k, least=1) - 1)


def union_family(k: int) -> tuple[BoolArray, BoolArray]:
    """Targets for Algorithm 3, unions of overlapping metafeatures, that span 2^k - 1 dimensions (`rem-dimension`)."""
    B = np.arange(1, 2**k)  # a variable each, as a bit mask
    M = (B >> np.arange(k)[:, None]) & 1 > 0
    return M, (B[:, None] & B) > 0


def trim(metafeatures: ArrayLike) -> BoolArray:
    """The chapter's variant of Algorithm 3: its output trimmed, each piece giving up what smaller ones inside cover."""
    M = bool_array("metafeatures", metafeatures, axes=2)
    size = M.sum(axis=1)
    inside = matrix_product(M, ~M.T) == 0  # [l, j]: m_l in m_j
    strictly = inside & (size[:, None] < size)
    return np.asarray(M & (matrix_product(strictly.T, M) == 0))


def all_targets(n: int) -> BoolArray:
    """A small world for Algorithm 3: all conjunctions of n variables."""
    n = integer("n", n, least=0, most=20)
    bits: BoolArray = (np.arange(2**n)[:, None] >> np.arange(n)) & 1 > 0
    return bits


def all_families(n: int) -> Iterator[BoolArray]:
    """Small worlds for Algorithm 3: every set of nonempty conjunctions of n variables, one after the other."""
    targets = all_targets(integer("n", n, least=1, most=4))[1:]
    return (targets[chosen] for chosen in all_targets(len(targets)))


def has_anchors(metafeatures: ArrayLike) -> bool:
    """The anchors of Algorithm 3's chapter: whether every metafeature holds a variable that is in no other one."""
    M = bool_array("metafeatures", metafeatures, axes=2)
    return bool((M & (M.sum(axis=0) == 1)).any(axis=1).all())


def anchored_sets(n: int) -> Iterator[BoolArray]:
    """Small worlds for Algorithm 3: every nonempty set of anchored metafeatures over n variables."""
    targets = all_targets(integer("n", n, least=1, most=4))
    chosen = (list(rows) for size in range(1, n + 1) for rows in combinations(range(1, 2**n), size))
    return (targets[rows] for rows in chosen if has_anchors(targets[rows]))


def unions_of(chosen: ArrayLike, metafeatures: ArrayLike) -> BoolArray:
    """Targets of a small world for Algorithm 3: the unions of chosen metafeatures."""
    C, M = bool_array("chosen", chosen, axes=2), bool_array("metafeatures", metafeatures, axes=2)
    found: BoolArray = (C.astype(np.int64) @ M.astype(np.int64)) > 0
    return found


def masks(rows: BoolArray) -> list[int]:
    """Targets of small worlds for Algorithm 3 as integers: one for each row, one bit a column."""
    return [sum(1 << int(v) for v in np.flatnonzero(row)) for row in rows]
