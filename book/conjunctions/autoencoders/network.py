"""Metafeatures as a network of threshold units, and without the ink that others explain (Section 4.4)."""

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, bool_array, same_size
from lifelong.conjunctions.autoencoder import lie_inside, unions


def shrink(metafeatures: ArrayLike, targets: ArrayLike) -> BoolArray:
    """The autoencoder's chapter: a network with less ink, each metafeature giving up what others always explain."""
    M, TS = bool_array("metafeatures", metafeatures, axes=2), bool_array("targets", targets, axes=2)
    same_size("metafeatures", M.shape[-1], TS.shape[1], "targets")
    inside = lie_inside(M, TS)
    if not np.array_equal(unions(inside, M), TS):
        raise ValueError("targets: expected unions of the metafeatures, got one that is not represented")
    rows, covers = M.copy(), inside.astype(np.int64) @ M.astype(np.int64)
    for j in np.argsort(M.sum(axis=1), kind="stable"):
        spare = rows[j] & (covers[inside[:, j]] >= 2).all(axis=0)
        rows[j] &= ~spare
        covers[np.ix_(inside[:, j], spare)] -= 1
    return rows
