"""Streams of Section 4: planted metafeatures, and the stream that attains the bound of Theorem 3 as corrected."""

import numpy as np

from lifelong._checks import BoolArray, RNGLike, matrix_product


def planted_conjunctions(
    n: int, *, k: int, m: int, overlap: float = 0.3, per_target: float | None = None, rng: RNGLike = None
) -> tuple[BoolArray, BoolArray]:
    """Metafeatures (k, n), of which the j-th has the anchor j and others by chance, and unions of them (m, n)."""
    rng = np.random.default_rng(rng)
    M = np.hstack([np.eye(k, dtype=np.bool_), rng.random((k, n - k)) < overlap])
    chosen = rng.random((m, k)) < (0.5 if per_target is None else per_target / k)
    return M, np.asarray(matrix_product(chosen, M) > 0)


def attaining_sequence(n: int) -> BoolArray:
    """A stream of n(n+1)/2 conjunctions, every one of which Algorithm 4 learns from scratch.

    For each gap d = 0, ..., n-1 and each variable i = 1, ..., n-d the target that holds i and all variables beyond
    i + d. The first n make the variables a chain; each later one makes one pair incomparable.
    """
    v = np.arange(n)
    return np.array([(v == i) | (v > i + d) for d in range(n) for i in range(n - d)])
