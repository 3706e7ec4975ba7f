"""Metafeatures with planted anchor sets (Section 4.4)."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from lifelong._checks import BoolArray, RNGLike, integer, number, random_generator

__all__ = [
    "planted_anchor_sets",
]


def planted_anchor_sets(
    selectors: int, body: int, *, pieces: int, m: int, c: int, k: int, density: float = 0.3, rng: RNGLike = None
) -> tuple[BoolArray, BoolArray]:
    """Metafeatures with anchor sets of size c, more of them than variables if wanted, and targets of at most k.

    Parameters
    ----------
    selectors : int
        Variables that make up the anchor sets.
    body : int
        The other variables; n is the sum of the two.
    pieces : int
        Metafeatures, at most the number of sets of c selectors.
    m : int
        Targets.
    c : int
        Size of the anchor sets, at least 1.
    k : int
        Sparsity level, at least 1.
    density : float, default 0.3
        Probability with which each variable of the body joins each metafeature.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    metafeatures : bool, shape (pieces, n)
        Each has c of the selectors, no two the same.
    targets : bool, shape (m, n)
        Each is the union of all metafeatures whose selectors lie in it, at most k.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    They satisfy `def-anchor-set`: the selectors of a metafeature are its anchor set.

    Examples
    --------
    >>> M, targets = planted_anchor_sets(5, 2, pieces=10, m=6, c=2, k=4, rng=0)
    >>> M.shape, int(M[:, :5].sum(axis=1).max()), targets.shape
    ((10, 7), 2, (6, 7))
    """
    selectors, body = integer("selectors", selectors, least=1), integer("body", body, least=0)
    c, k = integer("c", c, least=1, most=selectors), integer("k", k, least=1)
    pieces, m = integer("pieces", pieces, least=1, most=comb(selectors, c)), integer("m", m, least=0)
    density, generator = number("density", density, low=0.0, high=1.0), random_generator(rng)
    sets = list(combinations(range(selectors), c))
    M = np.hstack([np.zeros((pieces, selectors), dtype=np.bool_), generator.random((pieces, body)) < density])
    for row, chosen in zip(M, generator.permutation(len(sets))[:pieces], strict=True):
        row[list(sets[chosen])] = True
    return M, np.array([_sparse_union(M, selectors, k, generator) for _ in range(m)], dtype=np.bool_).reshape(
        m, M.shape[1]
    )


def _sparse_union(M: BoolArray, selectors: int, k: int, rng: np.random.Generator) -> BoolArray:
    """Union of up to k random metafeatures and of those whose selectors came along; fewer if they get too many."""
    anchors = M[:, :selectors]
    for size in range(int(rng.integers(1, min(k, len(M)) + 1)), 0, -1):
        seen = anchors[rng.choice(len(M), size=size, replace=False)].any(axis=0)
        summoned = (~anchors | seen).all(axis=1)
        if summoned.sum() <= k:
            break
    return np.asarray(M[summoned].any(axis=0))
