"""Conjunctions of which some cells are wrong: Algorithm 3 with every "all" read as "most" (Section 4)."""

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, bool_array, integer, matrix_product, number, same_size


def fits(targets: ArrayLike, metafeatures: ArrayLike, *, tolerance: float = 0.0) -> BoolArray:
    """Which metafeatures lie inside each target, with tolerance for a share of their variables."""
    TS = bool_array("targets", targets, axes=2)
    M = bool_array("metafeatures", metafeatures, axes=2)
    same_size("metafeatures", M.shape[-1], TS.shape[1], "targets")
    share = number("tolerance", tolerance, "[0, 1)")
    absent = matrix_product(~TS, M.T)
    inside: BoolArray = absent <= share * M.sum(axis=1) + 1e-6
    return inside


def tolerant(TS: BoolArray, tau: float, least: int = 1) -> BoolArray:
    """Algorithm 3 with tolerance, from the rarest variable on: a share of exceptions is forgiven everywhere."""
    A = TS.astype(float)
    often = A.sum(axis=0)
    closures = A.T @ A >= (1 - tau) * often[:, None] - 1e-6
    left, found = TS.copy(), TS[:0]
    for z in np.argsort(often, kind="stable"):  # the rarest first
        if often[z] >= least and left[:, z].sum() > tau * often[z]:
            m = closures[z]
            lacking = (m & ~TS).sum(axis=1)
            left[np.ix_(lacking <= tau * m.sum() + 1e-6, m)] = False
            found = np.vstack([found, m])
    return found


def robust_metafeatures(targets: ArrayLike, *, tolerance: float = 0.2, support: int = 1) -> BoolArray:
    """Metafeatures with tolerance for wrong cells of targets: Algorithm 3 with every "all" read as "most"."""
    TS = bool_array("targets", targets, axes=2)
    share = number("tolerance", tolerance, "[0, 1)")
    return tolerant(TS, share, integer("support", support, least=1))
