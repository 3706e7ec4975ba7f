"""Families whose Boolean rank is known, unions of full dimension, and pieces trimmed to anchored ones (Section 4.1)."""

from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, bool_array, integer, matrix_product


def sperner_rank(width: int) -> int:
    """Least number of metafeatures with so many unions that none of these contains another."""
    if not width:
        return 0
    sizes = range(1, width + 1)
    return next(r for r in sizes if comb(r, r // 2) >= width)


def sperner_basis(n: int) -> BoolArray:
    """The fewest metafeatures for the sets of n variables with one missing."""
    r = sperner_rank(n)
    missing = islice(combinations(range(r), r // 2), n)
    return np.array([[j not in J for j in range(r)] for J in missing]).T


def union_dimension(k: int) -> int:
    """The largest dimension of Algorithm 3's targets, unions of k overlapping metafeatures (`rem-dimension`)."""
    return int(2 ** integer("k", k, least=1) - 1)


def union_family(k: int) -> tuple[BoolArray, BoolArray]:
    """Targets for Algorithm 3, unions of overlapping metafeatures, that span 2^k - 1 dimensions (`rem-dimension`)."""
    B = np.arange(1, 2**k)  # a variable each, as a bit mask
    M = (B >> np.arange(k)[:, None]) & 1 > 0
    return M, (B[:, None] & B) > 0


def trim(metafeatures: ArrayLike) -> BoolArray:
    """Algorithm 3's output trimmed: each metafeature gives up what the smaller ones inside it already cover."""
    M = bool_array("metafeatures", metafeatures, axes=2)
    size = M.sum(axis=1)
    inside = matrix_product(M, ~M.T) == 0  # [l, j]: m_l in m_j
    strictly = inside & (size[:, None] < size)
    return np.asarray(M & (matrix_product(strictly.T, M) == 0))
