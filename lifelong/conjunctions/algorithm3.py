"""Algorithm 3: the metafeatures consistent with given conjunctions (Section 4.1).

A conjunction is the set of its variables, one boolean row. A set of metafeatures represents a target when
the target is the union of the metafeatures inside it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, same_dimension

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


def _first_minimal(rows: BoolArray, below: BoolArray) -> NDArray[np.intp]:
    """For each column z the first row that holds z and nothing `below` it; len(rows) where there is none.

    A row that holds z' holds everything above z', so only the lower covers of z need a look: those below z
    with nothing in between.
    """
    steps = below.astype(np.float32)
    covers = below & (steps @ steps == 0)
    held = np.packbits(rows.T, axis=1)  # which rows hold each column, one bit a row
    blocked = np.stack([np.bitwise_or.reduce(held[lower], axis=0) for lower in covers.T])
    minimal = np.unpackbits(held & ~blocked, axis=1, count=len(rows))
    return np.where(minimal.any(axis=1), minimal.argmax(axis=1), len(rows))


def metafeatures(targets: ArrayLike) -> BoolArray:
    r"""Algorithm 3: metafeatures whose unions give every target, the fewest that anchors allow.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.

    Returns
    -------
    bool, shape (k, n)
        The same rows in the same order as the loop printed in the paper finds them. As a set they are canonical (`thm-canonical`): the
        closures cl(z) of the variables z that are minimal in some target, whatever the order of targets
        and variables, and k is the least size of an anchored set of metafeatures that represents
        every target. Without the anchor assumption a smaller set that represents them may exist. With more
        targets k never falls (`lem-online-monotone`).

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    See Also
    --------
    metafeatures_as_printed : the loop of the paper, round by round.
    represent : which of them a target is made of.
    trim : an anchored set of the same size that represents the same targets.
    lifelong.conjunctions.algorithm4.online_metafeatures : the same as targets come one by one.
    lifelong.conjunctions.rank.boolean_rank : the fewest of all, anchored or not.

    Notes
    -----
    `algo-consistency-anchor` and `lem-consistency`. With A the target matrix, N(z) lies inside N(y) exactly where
    :math:`(A^T A)_{zy} = (A^T A)_{zz}`: one product of matrices gives the whole order, and with it the closures. Which
    of them are minimal in some target is then read off the rows, one bit a target.

    Examples
    --------
    >>> metafeatures([[True, True, False], [False, True, True], [True, True, True]]).astype(int)
    array([[1, 1, 0],
           [0, 1, 1]])
    """
    TS = bool_array("targets", targets, axes=2)
    rows: BoolArray = TS[_classes(TS)[0]]
    if not len(rows):
        return rows
    columns, place = _classes(rows.T)
    # counts up to 2^24 are exact in single precision, which is twice as fast
    A: NDArray[np.floating] = rows[:, columns].astype(np.float32 if len(rows) < 2**24 else np.float64)
    together = A.T @ A
    inside = together == np.diag(together)[:, None]  # inside[z, y]: N(z) is a subset of N(y)
    below = inside & ~inside.T  # below[z', z]: N(z') is a strict subset of N(z)
    first = _first_minimal(rows[:, columns], below)
    minimal = np.flatnonzero(first < len(rows))
    closures: BoolArray = inside[minimal[np.argsort(first[minimal], kind="stable")]]
    spread: BoolArray = closures[:, place]
    return spread


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
        If `metafeatures` is not a boolean matrix.

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
    M = bool_array("metafeatures", metafeatures, axes=2)
    rows = M.astype(np.float32)
    inside = rows @ (1 - rows).T == 0  # inside[i, j]: row i is a subset of row j
    covered = (inside & ~inside.T).T.astype(np.float32) @ rows > 0
    trimmed: BoolArray = M & ~covered
    return trimmed
