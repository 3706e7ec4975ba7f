"""Algorithm 3: the metafeatures consistent with given conjunctions (Section 4.1).

A conjunction is the set of its variables, one boolean row. A set of metafeatures represents a target when
the target is the union of the metafeatures inside it.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, matrix_product


def represent(target: ArrayLike, metafeatures: ArrayLike) -> BoolArray | None:
    """The test of Algorithm 3: which metafeatures lie inside a target, if their union is the target.

    Parameters
    ----------
    target : array_like, shape (n,), bool
        The variables of a conjunction.
    metafeatures : array_like, shape (k, n), bool
        One metafeature a row; k may be 0.

    Returns
    -------
    bool, shape (k,), or None
        The metafeatures inside the target; None when they leave a variable of it uncovered.
        The empty target is represented by whatever lies inside it, if only by nothing.

    Raises
    ------
    ValueError
        If an argument is not boolean or the dimensions differ.

    Notes
    -----
    The test of `algo-monomial-anchor-online`, and h(T) of `algo-consistency-anchor`.

    Examples
    --------
    >>> pieces = [[True, True, False], [False, True, True]]
    >>> represent([True, True, True], pieces)
    array([ True,  True])
    >>> represent([False, True, False], pieces) is None
    True
    """
    T = bool_array("target", target, axes=1)
    M = bool_array("metafeatures", metafeatures, axes=2, n=len(T), like="target")
    inside = np.asarray((M <= T).all(axis=1))
    return inside if (M[inside].any(axis=0) == T).all() else None


# the loop of the box -------------------------------------------------------------------------------------


def N(TS: BoolArray, z: int) -> BoolArray:
    """N(TS, z) of Algorithm 3 as printed: which targets contain the variable z."""
    return TS[:, z]


def cl(TS: BoolArray, z: int) -> BoolArray:
    """The closure of the variable z in Algorithm 3 as printed: what all targets with z share."""
    return np.asarray(TS[N(TS, z)].all(axis=0))


def h(T: BoolArray, M: BoolArray) -> BoolArray:
    """h(T) of Algorithm 3 as printed: the union of the metafeatures that lie inside T."""
    return np.asarray(M[(M <= T).all(axis=1)].any(axis=0))


def _is_minimal(z: int, U: list[int], TS: BoolArray) -> bool:
    """Minimality in Algorithm 3 as printed: whether no z' in U has N(TS, z') strictly inside N(TS, z)."""
    within = (TS[:, U] <= N(TS, z)[:, None]).all(axis=0)
    fewer = TS[:, U].sum(axis=0) < N(TS, z).sum()
    return not (within & fewer).any()


def metafeatures_as_printed(targets: ArrayLike) -> BoolArray:
    """Algorithm 3 read literally, one metafeature a round; its inclusion is the strict one."""
    TS = np.asarray(targets, dtype=np.bool_)
    M = TS[:0]  # step 1
    while left := [T for T in TS if (h(T, M) != T).any()]:  # step 3
        T = left[0]  # (1)
        U = np.flatnonzero(T & ~h(T, M)).tolist()  # (2)
        z = next(z for z in U if _is_minimal(z, U, TS))
        M = np.vstack([M, cl(TS, z)])  # (3), (4)
    return M


# the same from two products of matrices ------------------------------------------------------------------


def different(rows: NDArray[Any]) -> NDArray[Any]:
    """For Algorithm 3: one copy of each row, sorted; faster than `np.unique` along an axis, for a row is one item."""
    items = np.ascontiguousarray(rows).view(f"V{rows.shape[1] * rows.itemsize}")
    return np.unique(items).view(rows.dtype).reshape(-1, rows.shape[1])


def distinct(rows: BoolArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Copies merged for Algorithm 3: places of the first copies, in order; and for each row its place among these."""
    keys = [row.tobytes() for row in np.packbits(rows, axis=1)]
    first = sorted({key: i for i, key in reversed([*enumerate(keys)])}.values())
    place = {keys[i]: j for j, i in enumerate(first)}
    return np.array(first, dtype=np.intp), np.array([place[key] for key in keys], dtype=np.intp)


def metafeatures(targets: ArrayLike) -> BoolArray:
    r"""Algorithm 3: metafeatures whose unions give every target, the fewest that anchors allow.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.

    Returns
    -------
    bool, shape (k, n)
        The rows that the loop printed in the paper finds, in its order. They are the closures cl(z) of the variables z
        that are minimal in some target, whatever the order of targets and variables (`thm-canonical`). No anchored set
        of metafeatures that represents every target has fewer than k; without anchors a smaller one may exist. With
        more targets k never falls (`lem-online-monotone`).

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    See Also
    --------
    metafeatures_as_printed : the loop of the paper, round by round.
    represent : which of them a target is made of.
    lifelong.conjunctions.algorithm4.online_metafeatures : the same as targets come one by one.

    Notes
    -----
    `prop-matrix-form`, and so `algo-consistency-anchor` and `lem-consistency`. With A the target matrix, N(z) lies
    inside N(y) exactly where
    :math:`(A^T A)_{zy} = (A^T A)_{zz}`: one product of matrices gives the whole order, and with it the closures. A
    second, at most twice as dear, says which of them are minimal in some target: a target that holds a variable holds
    everything above it. Copies of a target, and of a variable, are merged before.

    Examples
    --------
    >>> metafeatures([[True, True, False], [False, True, True], [True, True, True]]).astype(int)
    array([[1, 1, 0],
           [0, 1, 1]])
    """
    TS = bool_array("targets", targets, axes=2)
    if not TS.any():
        return TS[:0]
    TS = TS[distinct(TS)[0]]  # copies say nothing new
    variables, place = distinct(TS.T)  # nor does an equal N(z)
    A = TS[:, variables]
    ones = A.astype(np.float32)
    both = matrix_product(ones.T, ones)  # |N(z) & N(y)|
    size = both.diagonal()  # |N(z)|
    inside = np.asarray(both == size[:, None])  # N(z) <= N(y)
    rarer = inside & (size[:, None] < size)  # [y, z]: N(y) < N(z)
    minimal = A
    if rarer.any():
        minimal = A & (matrix_product(ones, rarer) == 0)  # none rarer
    z = np.flatnonzero(minimal.any(axis=0))
    first = minimal[:, z].argmax(axis=0)  # the first target with z
    order = first.argsort(kind="stable")
    return np.take(inside[z[order]], place, axis=1)
