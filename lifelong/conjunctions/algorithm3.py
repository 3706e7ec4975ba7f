"""Algorithm 3: the metafeatures consistent with given conjunctions (Section 4.1).

A conjunction is the set of its variables, one boolean row. A set of metafeatures represents a target when
the target is the union of the metafeatures inside it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, same_dimension
from lifelong._counts import matrix_product

__all__ = [
    "metafeatures",
    "metafeatures_as_printed",
    "represent",
    "trim",
]


def represent(target: ArrayLike, metafeatures: ArrayLike) -> BoolArray | None:
    """Which metafeatures lie inside a target, if their union is the target.

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
    M = bool_array("metafeatures", metafeatures, axes=2)
    same_dimension("metafeatures", M, len(T), "target")
    inside: BoolArray = np.asarray((~M | T).all(axis=1))
    return inside if np.array_equal(M[inside].any(axis=0), T) else None


def metafeatures_as_printed(targets: ArrayLike) -> BoolArray:
    """Algorithm 3 read literally, one metafeature a round.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.

    Returns
    -------
    bool, shape (k, n)
        The hypothesised metafeatures in the order in which they are made.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    See Also
    --------
    metafeatures : the same from one product of matrices.

    Notes
    -----
    `algo-consistency-anchor` with its inclusion read as strict; `metafeatures` gives the same rows, faster.

    Examples
    --------
    >>> metafeatures_as_printed([[True, True, False], [False, True, True]]).astype(int)
    array([[1, 1, 0],
           [0, 1, 1]])
    """
    TS = bool_array("targets", targets, axes=2)
    found = np.empty((0, TS.shape[1]), dtype=np.bool_)
    while len(open_targets := [T for T in TS if represent(T, found) is None]):
        T = open_targets[0]
        inside = (~found | T).all(axis=1)
        z = _least_minimal(TS, T & ~found[inside].any(axis=0))
        found = np.vstack([found, np.asarray(TS[TS[:, z]].all(axis=0))])
    return found


def _least_minimal(TS: BoolArray, uncovered: BoolArray) -> int:
    """First uncovered variable z such that no uncovered z' occurs in strictly fewer targets, all with z."""
    candidates = np.flatnonzero(uncovered)
    for z in candidates:
        others = TS[:, candidates]
        within = (~others | TS[:, [z]]).all(axis=0) & (others.sum(axis=0) < TS[:, z].sum())
        if not within.any():
            return int(z)
    raise AssertionError("strict inclusion has a minimal element")  # pragma: no cover


def _classes(rows: BoolArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices of the first copy of each distinct row, in order, and for every row its place among them."""
    if not len(rows):
        return np.arange(0), np.arange(0)
    packed = np.packbits(rows, axis=1)
    keys = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1])))[:, 0]
    _, first, label = np.unique(keys, return_index=True, return_inverse=True)
    return np.sort(first), np.argsort(np.argsort(first))[label]


def _inside(sets: BoolArray) -> BoolArray:
    """Entry [i, j]: whether set i is a subset of set j, for sets that are rows.

    From one product of matrices, by parts: what two sets share is as large as the first exactly where it is a subset.
    """
    # counts up to 2^24 are exact in single precision, which is twice as fast
    kind: type[np.floating] = np.float32 if sets.shape[1] < 2**24 else np.float64
    shared = np.zeros((len(sets), len(sets)), dtype=kind)
    for part in _parts(sets.shape[1]):
        counted = sets[:, part].astype(kind)
        shared += matrix_product(counted, counted.T)
    inside: BoolArray = shared == np.diag(shared)[:, None]
    return inside


def _parts(length: int) -> list[slice]:
    """Parts of a long axis, small enough that a float copy of one costs no memory to speak of."""
    return [slice(start, start + 4096) for start in range(0, length, 4096)]


def _remove(sets: BoolArray, below: BoolArray) -> None:
    """Take from set j, in place, what the sets i hold for which below[i, j] is true."""
    lower = np.flatnonzero(below.any(axis=1))
    if len(lower):  # another product, of what lies below anything at all
        above = np.ascontiguousarray(below[lower].T).astype(np.float32)
        for part in _parts(sets.shape[1]):
            sets[:, part] &= matrix_product(above, sets[lower, part]) == 0


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
    trim : an anchored set of the same size that represents at least the same targets.
    lifelong.conjunctions.algorithm4.online_metafeatures : the same as targets come one by one.
    lifelong.conjunctions.rank.boolean_rank : the fewest of all, anchored or not.

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
    held = np.ascontiguousarray(TS[_classes(TS)[0]].T)  # the sets N(z), one a row
    if not held.shape[1]:
        return TS[:0]
    variables, place = _classes(held)
    held = held[variables]
    inside = _inside(held)  # which has a copy of none, so that subsets are strict off the diagonal
    np.fill_diagonal(inside, False)
    _remove(held, inside)  # now held[z, T] says that z is minimal in T
    np.fill_diagonal(inside, True)
    first = held.argmax(axis=1)
    minimal = np.flatnonzero(held[np.arange(len(first)), first])
    closures: BoolArray = inside[minimal[np.argsort(first[minimal], kind="stable")]]
    return closures if len(variables) == len(place) else np.take(closures, place, axis=1)


def trim(metafeatures: ArrayLike) -> BoolArray:
    """Take from each metafeature what the smaller ones inside it already cover.

    Parameters
    ----------
    metafeatures : array_like, shape (k, n), bool
        Distinct metafeatures.

    Returns
    -------
    bool, shape (k, n)
        Each row less the union of the rows strictly inside it. Applied to the output of `metafeatures` the
        result is anchored, of the same size, and represents at least the same targets.

    Raises
    ------
    ValueError
        If ``metafeatures`` is not a boolean matrix.

    Notes
    -----
    The output of `algo-consistency-anchor` need not satisfy the anchor assumption itself; its trimmed form
    does (`thm-canonical`).

    Examples
    --------
    >>> trim([[True, False], [True, True]]).astype(int)
    array([[1, 0],
           [0, 1]])
    """
    M = bool_array("metafeatures", metafeatures, axes=2).copy()
    size = M.sum(axis=1)
    _remove(M, _inside(M) & (size[:, None] < size))
    return M
