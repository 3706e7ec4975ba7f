"""Families whose Boolean rank is known, unions of full dimension, and pieces trimmed to anchored ones (Section 4.1)."""

from __future__ import annotations

from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, bool_array, integer
from lifelong._counts import matrix_product

__all__ = [
    "clique_cover_family",
    "sperner_basis",
    "sperner_rank",
    "trim",
    "union_dimension",
    "union_family",
]


def sperner_rank(width: int) -> int:
    """Least number of metafeatures with so many unions that none of these contains another.

    Parameters
    ----------
    width : int
        How many unions there are to be, at least 0.

    Returns
    -------
    int
        The least r with binom(r, floor(r/2)) >= width, and 0 for width 0: by Sperner's theorem r metafeatures have no
        more such unions.

    Raises
    ------
    ValueError
        If `width` is not a non-negative integer.

    Notes
    -----
    The rank of `prop-rank-family`, and a lower bound in `algo-boolean-rank`.

    Examples
    --------
    >>> [sperner_rank(width) for width in (0, 1, 4, 6, 7)]
    [0, 1, 4, 4, 5]
    """
    width = integer("width", width, least=0)
    return next(r for r in range(width + 1) if (comb(r, r // 2) if r else 0) >= width)


def sperner_basis(n: int) -> BoolArray:
    """The fewest metafeatures for the sets of n variables with one missing.

    Parameters
    ----------
    n : int
        Number of variables, at least 2.

    Returns
    -------
    bool, shape (r, n)
        With the r of `bounds.sperner_rank`. Every variable is missing in floor(r/2) of them, no two in the same ones.

    Raises
    ------
    ValueError
        If `n` is out of range.

    Notes
    -----
    The basis in the proof of `prop-rank-family`.

    Examples
    --------
    >>> sperner_basis(3).astype(int)
    array([[0, 1, 1],
           [1, 0, 1],
           [1, 1, 0]])
    """
    r = sperner_rank(integer("n", n, least=2))
    missing = islice(combinations(range(r), r // 2), n)
    return np.array([[j not in J for j in range(r)] for J in missing]).T


def clique_cover_family(graph: ArrayLike) -> BoolArray:
    """Targets whose Boolean rank counts the cliques needed to cover the vertices of a graph.

    Parameters
    ----------
    graph : array_like, shape (v, v), bool
        Adjacency matrix, symmetric, with an empty diagonal.

    Returns
    -------
    bool, shape (v + 2e, v + 2e)
        One variable u for each vertex and one variable (u, w) for each edge in each direction. First the targets of
        the vertices: u, its neighbours, and all (u, w). Then one target {(u, w), w} for each (u, w).

    Raises
    ------
    ValueError
        If `graph` is not boolean, square, symmetric and free of loops.

    Notes
    -----
    The reduction of `prop-set-basis-hard`: the rank is 2e and the least number of cliques that cover all vertices.

    Examples
    --------
    >>> clique_cover_family([[False, True], [True, False]]).astype(int)
    array([[1, 1, 1, 0],
           [1, 1, 0, 1],
           [0, 1, 1, 0],
           [1, 0, 0, 1]])
    """
    G = bool_array("graph", graph, axes=2)
    if G.shape[0] != G.shape[1] or (G != G.T).any() or G.diagonal().any():
        raise ValueError(f"graph: expected a symmetric matrix with an empty diagonal, got {G.astype(int).tolist()}")
    u, w = np.nonzero(G)
    vertex, edge = np.eye(len(G), dtype=np.bool_), np.eye(len(u), dtype=np.bool_)
    targets: BoolArray = np.block([[G | vertex, vertex[:, u]], [vertex[w], edge]])
    return targets


def union_dimension(k: int) -> int:
    """Largest dimension that the unions of k overlapping metafeatures can span (`rem-dimension`).

    Parameters
    ----------
    k : int
        Number of metafeatures, at least 1.

    Returns
    -------
    int
        2^k - 1; it takes at least that many variables to reach it.

    Raises
    ------
    ValueError
        If `k` < 1.

    Examples
    --------
    >>> union_dimension(4)
    15
    """
    return int(2 ** integer("k", k, least=1) - 1)


def union_family(k: int) -> tuple[BoolArray, BoolArray]:
    """Overlapping metafeatures whose unions span the largest dimension, 2^k - 1 (`rem-dimension`).

    Parameters
    ----------
    k : int
        Number of metafeatures, 1 to 12.

    Returns
    -------
    metafeatures : bool, shape (k, 2^k - 1)
        One variable for every nonempty set B of metafeatures, which lies in exactly those.
    targets : bool, shape (2^k - 1, 2^k - 1)
        All unions of one metafeature or more.

    Raises
    ------
    ValueError
        If `k` is out of range.

    Examples
    --------
    >>> M, targets = union_family(2)
    >>> targets.astype(int)
    array([[1, 0, 1],
           [0, 1, 1],
           [1, 1, 1]])
    """
    k = integer("k", k, least=1, most=12)
    sets = np.arange(1, 2**k)
    return (sets >> np.arange(k)[:, None]) & 1 > 0, (sets[:, None] & sets) > 0


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
    M = bool_array("metafeatures", metafeatures, axes=2)
    size = M.sum(axis=1)
    below = (matrix_product(M, ~M.T) == 0) & (size[:, None] < size)  # [i, j]: row i strictly inside row j
    return np.asarray(M & (matrix_product(below.T, M) == 0))
