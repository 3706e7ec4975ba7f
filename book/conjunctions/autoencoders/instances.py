"""Metafeatures with planted anchor sets, the rooks on a board, and targets that lack a variable (Section 4.4)."""

from itertools import combinations
from math import comb

import numpy as np

from lifelong._checks import BoolArray, RNGLike, integer, number, random_generator


def planted_anchor_sets(
    selectors: int, body: int, *, pieces: int, m: int, c: int, k: int, density: float = 0.3, rng: RNGLike = None
) -> tuple[BoolArray, BoolArray]:
    """For claims of the chapter on Theorem 5: metafeatures with anchor sets of size c, targets of at most k of them."""
    selectors, body = integer("selectors", selectors, least=1), integer("body", body, least=0)
    c, k = integer("c", c, least=1, most=selectors), integer("k", k, least=1)
    pieces, m = integer("pieces", pieces, least=1, most=comb(selectors, c)), integer("m", m, least=0)
    density, generator = number("density", density, "[0, 1]"), random_generator(rng)
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


def rook(side: int) -> tuple[BoolArray, BoolArray]:
    """Images for an autoencoder: all rooks on a board, each with the cells it attacks; and the lines of the board."""
    both = np.divmod(np.arange(side**2), side)  # row and column
    lines = np.array([x == i for x in both for i in range(side)])
    return lines.T @ lines, lines


def missing_one(n: int) -> BoolArray:
    """The n targets that lack one variable each: on them Theorem 5's programme and its rounding are tried."""
    return ~np.eye(integer("n", n, least=1), dtype=np.bool_)
