"""Unions of full dimension, and pieces trimmed to anchored ones (Section 4.1)."""

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
    """Algorithm 3's output trimmed: each metafeature gives up what the smaller ones inside it already cover."""
    M = bool_array("metafeatures", metafeatures, axes=2)
    size = M.sum(axis=1)
    inside = matrix_product(M, ~M.T) == 0  # [l, j]: m_l in m_j
    strictly = inside & (size[:, None] < size)
    return np.asarray(M & (matrix_product(strictly.T, M) == 0))
