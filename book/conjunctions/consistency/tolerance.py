"""Conjunctions of which some cells are wrong: Algorithm 3 with every "all" read as "most" (Section 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer, number, same_dimension
from lifelong._counts import matrix_product

__all__ = [
    "fits",
    "robust_metafeatures",
]


def fits(targets: ArrayLike, metafeatures: ArrayLike, *, tolerance: float = 0.0) -> BoolArray:
    """Which metafeatures lie inside each target, but for a share of their variables.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
    metafeatures : array_like, shape (k, n), bool
    tolerance : float, default 0
        Share of the variables of a metafeature that a target may lack.

    Returns
    -------
    bool, shape (m, k)
        With tolerance 0, row by row what `represent` returns for targets that can be represented.

    Raises
    ------
    ValueError
        If an argument is not boolean, the dimensions differ, or `tolerance` is not in [0, 1).

    Notes
    -----
    The encoder that goes with `prop-robust-exact`.

    Examples
    --------
    >>> fits([[True, True, True, False]], [[False, True, True, True]], tolerance=0.4)
    array([[ True]])
    """
    TS = bool_array("targets", targets, axes=2)
    M = bool_array("metafeatures", metafeatures, axes=2)
    same_dimension("metafeatures", M, TS.shape[1], "targets")
    share = number("tolerance", tolerance, low=0.0, high=1.0, open_high=True)
    absent = matrix_product(~TS, M.T)
    inside: BoolArray = absent <= share * M.sum(axis=1) + 1e-6
    return inside


def robust_metafeatures(targets: ArrayLike, *, tolerance: float = 0.2, support: int = 1) -> BoolArray:
    """Metafeatures for targets of which some cells are wrong: Algorithm 3 with every "all" read as "most".

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.
    tolerance : float, default 0.2
        Share of exceptions: y joins the closure of z if at most this share of the targets with z lack y.
    support : int, default 1
        Variables in fewer targets are left out.

    Returns
    -------
    bool, shape (k, n)
        The rarest variable first. With tolerance 0 and support 1 they are the metafeatures of Algorithm 3, in
        another order. With more there is no guarantee: not every target is a union of them, and a metafeature
        that is rare compared with the noise is lost.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix, `tolerance` is not in [0, 1), or `support` is not a positive integer.

    Notes
    -----
    Not in the paper. `prop-robust-exact` says what it is without noise. Variables are visited from the rarest
    to the most frequent; z gives the closure cl(z) if more than the share `tolerance` of its targets hold no
    metafeature, found so far, that contains z and fits.

    Examples
    --------
    >>> A = np.repeat([[True, True, False], [False, True, True]], 10, axis=0)
    >>> A[0, 1] = False
    >>> robust_metafeatures(A).astype(int)
    array([[1, 1, 0],
           [0, 1, 1]])
    >>> from lifelong import metafeatures
    >>> len(metafeatures(A))
    3
    """
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
