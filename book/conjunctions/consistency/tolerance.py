"""Conjunctions of which some cells are wrong: Algorithm 3 with every "all" read as "most" (Section 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer, matrix_product, number, same_dimension


def fits(targets: ArrayLike, metafeatures: ArrayLike, *, tolerance: float = 0.0) -> BoolArray:
    """Which metafeatures lie inside each target, but for a share of their variables."""
    TS = bool_array("targets", targets, axes=2)
    M = bool_array("metafeatures", metafeatures, axes=2)
    same_dimension("metafeatures", M, TS.shape[1], "targets")
    share = number("tolerance", tolerance, low=0.0, high=1.0, open_high=True)
    absent = matrix_product(~TS, M.T)
    inside: BoolArray = absent <= share * M.sum(axis=1) + 1e-6
    return inside


def robust_metafeatures(targets: ArrayLike, *, tolerance: float = 0.2, support: int = 1) -> BoolArray:
    """Metafeatures for targets of which some cells are wrong: Algorithm 3 with every "all" read as "most"."""
    TS = bool_array("targets", targets, axes=2)
    share = number("tolerance", tolerance, low=0.0, high=1.0, open_high=True)
    least = integer("support", support, least=1)
    A: NDArray[np.floating] = TS.astype(np.float32 if len(TS) < 2**24 else np.float64)
    together = matrix_product(A.T, A)
    often = np.diag(together)
    closures = together >= (1 - share) * often[:, None] - 1e-6
    left, found = TS.copy(), []
    for z in np.argsort(often, kind="stable"):
        if often[z] >= least and left[:, z].sum() > share * often[z]:
            found.append(closures[z])
            inside = fits(TS, closures[z][None], tolerance=share)[:, 0]
            left[np.ix_(inside, closures[z])] = False
    return np.array(found, dtype=np.bool_).reshape(-1, TS.shape[1])
