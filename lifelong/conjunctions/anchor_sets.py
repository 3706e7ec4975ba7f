"""Definition 1, the c-anchor-set assumption, and the candidates of Theorem 5 (Section 4.4).

A metafeature is summoned by an *anchor set*: a few variables such that every target with all of them contains the
metafeature. Whatever the metafeatures are, the candidates will do: the intersections of all targets with a given
small set. `programme` chooses among them, and `rounding` rounds what it chooses.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer, same_dimension
from lifelong._counts import matrix_product

__all__ = [
    "anchor_set_candidates",
    "anchor_sets",
    "is_anchored",
]

#: Rows of bits, packed in bytes.
Packed = NDArray[np.uint8]
#: Bytes of packed rows that are compared at a time.
_BLOCK = 2**24


def _containment(pieces: BoolArray, targets: BoolArray) -> BoolArray:
    """Whether piece j lies inside target r: bool (m, N)."""
    # single precision counts exactly up to 2^24 variables
    missing: BoolArray = matrix_product(~targets, pieces.T) < 0.5
    return missing


def _unions(codes: BoolArray, pieces: BoolArray) -> BoolArray:
    """Union of the coded pieces: bool (m, N) and (N, n) give (m, n)."""
    unions: BoolArray = matrix_product(codes, pieces) > 0.5
    return unions


def _first_distinct(packed: Packed) -> NDArray[np.intp]:
    """Indices of one copy of each distinct row of bytes, in the order of the bytes."""
    if not packed.size:
        return np.arange(min(len(packed), 1))
    keys = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1])))[:, 0]
    return np.unique(keys, return_index=True)[1]


def _holders(targets: BoolArray, c: int) -> BoolArray:
    """The distinct nonempty sets of targets that share some 1 to c variables: bool (N, m)."""
    columns = np.packbits(targets.T, axis=1)
    columns = columns[_first_distinct(columns)]
    columns = held = columns[columns.any(axis=1)]
    for _ in range(c - 1):
        step = max(1, _BLOCK // max(1, columns.size))
        more = [_meets(held[start : start + step], columns) for start in range(0, len(held), step)]
        grown = np.concatenate([held, *more])
        grown = grown[_first_distinct(grown)]
        if len(grown) == len(held):
            break
        held = grown
    return np.unpackbits(held, axis=1, count=len(targets)) > 0


def _meets(rows: Packed, columns: Packed) -> Packed:
    """Distinct nonempty intersections of a row with a column, all packed."""
    met = (rows[:, None, :] & columns).reshape(-1, columns.shape[1])
    met = met[_first_distinct(met)]
    return met[met.any(axis=1)]


def anchor_set_candidates(targets: ArrayLike, *, c: int) -> BoolArray:
    r"""Every intersection of all targets that share some c variables or fewer.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One target a row; m may be 0.
    c : int
        Largest size of an anchor set, at least 1.

    Returns
    -------
    bool, shape (N, n)
        For every set y of at most c variables that lies in some target, the AND of the targets that contain
        y; blank and repeated ones left out. Ordered by size, then as binary numbers: the order of
        the targets does not matter.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix or `c` is not a positive integer.

    See Also
    --------
    lifelong.conjunctions.programme.anchor_programme : chooses among them.

    Notes
    -----
    The metafeatures of part 1 of `thm-sparse-auto`. A candidate is determined by the set of targets that contain y,
    so equal columns are merged first and the sets of targets, packed in bits, are intersected column by column: with
    d distinct columns that is O(N d m) bit operations, N <= d^c, and the candidates of all of them are one product of
    matrices. With c = 1 these are the attribute concepts of formal concept analysis, with c = n all concepts that are
    neither blank nor held by no target.

    References
    ----------
    B. Ganter and R. Wille, *Formal concept analysis: mathematical foundations*, Springer, 1999.

    Examples
    --------
    >>> board = [[True, True, False], [False, True, True], [True, False, True]]
    >>> anchor_set_candidates(board, c=1).astype(int)
    array([[0, 0, 1],
           [0, 1, 0],
           [1, 0, 0]])
    >>> len(anchor_set_candidates(board, c=2))
    6
    """
    TS, c = bool_array("targets", targets, axes=2), integer("c", c, least=1)
    return _candidates(TS, c)[0]


def _candidates(TS: BoolArray, c: int) -> tuple[BoolArray, BoolArray]:
    """The candidates (N, n), and which targets contain them (m, N)."""
    if not TS.any():
        return np.empty((0, TS.shape[1]), dtype=np.bool_), np.empty((len(TS), 0), dtype=np.bool_)
    held = _holders(TS, c)
    pieces = _containment(held, TS.T).T  # row j of held lies in the column of variable i: it is in all those targets
    order = np.lexsort((*np.packbits(pieces, axis=1).T[::-1], pieces.sum(axis=1)))
    return pieces[order], held[order].T


def _hitting_set(rows: BoolArray, size: int) -> list[int] | None:
    """At most `size` columns, as few as possible, such that every row has a True in one of them."""
    if not len(rows):
        return []
    if size <= 0:
        return None
    common = rows.all(axis=0)
    if common.any():
        return [int(common.argmax())]
    if size == 1:
        return None
    best: list[int] | None = None
    for column in np.flatnonzero(rows[rows.sum(axis=1).argmin()]):  # this row has to be hit somewhere
        rest = _hitting_set(rows[~rows[:, column]], (size if best is None else len(best) - 1) - 1)
        best = best if rest is None else sorted([int(column), *rest])
        if best is not None and len(best) == 2:
            break  # one does not do
    return best


def anchor_sets(metafeatures: ArrayLike, targets: ArrayLike, *, c: int) -> list[BoolArray | None]:
    """A smallest anchor set of each metafeature: variables of it that no target has without the whole.

    Parameters
    ----------
    metafeatures : array_like, shape (k, n), bool
    targets : array_like, shape (m, n), bool
    c : int
        Largest size to look for, at least 0.

    Returns
    -------
    list of (bool, shape (n,)) or None
        For each metafeature a set y of at most c of its variables, as few as possible, such that every target that
        contains y contains the metafeature; None where there is none. The empty set is one if every target
        contains the metafeature.

    Raises
    ------
    ValueError
        If an argument is not boolean, the dimensions differ, or `c` is no integer >= 0.

    Notes
    -----
    Part 2 of `def-anchor-set`: y has to meet what each other target lacks of the metafeature. Exact, by
    branching over the target that lacks least: at most n^(c-1) tests of a matrix.

    Examples
    --------
    >>> board = [[True, True, False], [False, True, True], [True, False, True]]
    >>> pair, cell = anchor_sets([board[0], [True, False, False]], board, c=2)
    >>> pair.astype(int), cell.astype(int)
    (array([1, 1, 0]), array([1, 0, 0]))
    >>> anchor_sets(board[:1], board, c=1)
    [None]
    """
    M, TS = bool_array("metafeatures", metafeatures, axes=2), bool_array("targets", targets, axes=2)
    same_dimension("metafeatures", M, TS.shape[1], "targets")
    c = integer("c", c, least=0)
    inside = _containment(M, TS)
    found = [_hitting_set(m & ~TS[~holders], c) for m, holders in zip(M, inside.T, strict=True)]
    return [None if y is None else _indicator(y, TS.shape[1]) for y in found]


def _indicator(members: list[int], n: int) -> BoolArray:
    row = np.zeros(n, dtype=np.bool_)
    row[members] = True
    return row


def is_anchored(metafeatures: ArrayLike, targets: ArrayLike, *, c: int, k: int) -> bool:
    """Whether metafeatures and targets satisfy the c-anchor-set assumption at sparsity k.

    Parameters
    ----------
    metafeatures : array_like, shape (N, n), bool
        Equal rows count once.
    targets : array_like, shape (m, n), bool
    c : int
        Size of the anchor sets, at least 0.
    k : int
        Sparsity level, at least 0.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If an argument is not boolean, the dimensions differ, or `c` or `k` is no integer >= 0.

    Notes
    -----
    `def-anchor-set` asks for sets of relevant metafeatures and for anchor sets. The first are no choice: a relevant
    metafeature lies inside the target, and one inside it has its anchor set inside it, so it is relevant. So what is
    tested is that each target is the union of the metafeatures inside it, that there are at most k of them, and
    that each metafeature has an anchor set of size at most c (`anchor_sets`).

    Examples
    --------
    >>> board = [[True, True, False], [False, True, True], [True, False, True]]
    >>> is_anchored(board, board, c=2, k=1), is_anchored(board, board, c=1, k=1)
    (True, False)
    """
    M, TS = bool_array("metafeatures", metafeatures, axes=2), bool_array("targets", targets, axes=2)
    same_dimension("metafeatures", M, TS.shape[1], "targets")
    c, k = integer("c", c, least=0), integer("k", k, least=0)
    M = np.unique(M, axis=0)
    inside = _containment(M, TS)
    if (inside.sum(axis=1) > k).any() or not np.array_equal(_unions(inside, M), TS):
        return False
    return all(y is not None for y in anchor_sets(M, TS, c=c))
