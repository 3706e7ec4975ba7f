"""The rounding of Theorem 5: a fractional solution of the linear programme becomes metafeatures (Section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lifelong._checks import BoolArray, RNGLike, matrix_product, random_generator
from lifelong.conjunctions import bounds
from lifelong.conjunctions.anchor_sets import unions
from lifelong.conjunctions.programme import AnchorSolution


@dataclass(frozen=True, eq=False)
class Rounding:
    """The candidates kept in each draw (draws, N), and which of the three bad events occurred in it (draws,)."""

    chosen: BoolArray
    uncovered: BoolArray
    too_dense: BoolArray
    too_large: BoolArray

    @property
    def succeeded(self) -> BoolArray:
        """Whether none of the three went wrong: bool (draws,)."""
        return ~(self.uncovered | self.too_dense | self.too_large)


def randomised_rounding(solution: AnchorSolution, *, draws: int = 1, rng: RNGLike = None) -> Rounding:
    """Keep each candidate independently, with probability min(1, Z L)."""
    m, n = max(1, len(solution.inside)), solution.candidates.shape[1]
    L = bounds.rounding_logarithm(n, m=m)
    uniform = random_generator(rng).random((draws, len(solution.weights)))
    chosen = uniform < np.minimum(1.0, solution.weights * L)
    rows = solution.coverage.T
    parts = [chosen[i : i + 500] for i in range(0, draws, 500)]  # that fit into memory
    covered = np.concatenate([unions(part, rows).all(axis=1) for part in parts])
    inside = matrix_product(chosen, solution.inside.T)
    most = np.inf if solution.k is None else bounds.rounded_sparsity(n, k=solution.k, m=m)
    too_large = chosen.sum(axis=1) > 2 * max(solution.value, 3) * L
    return Rounding(chosen, ~covered, np.asarray((inside > most).any(axis=1)), too_large)
