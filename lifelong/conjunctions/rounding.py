"""The rounding of Theorem 5: a fractional solution of the linear programme becomes metafeatures (Section 4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lifelong._checks import BoolArray, RNGLike, instance, integer, random_generator
from lifelong._contracts import checked
from lifelong._counts import matrix_product
from lifelong.conjunctions import bounds
from lifelong.conjunctions.anchor_sets import _unions
from lifelong.conjunctions.programme import AnchorSolution

__all__ = [
    "Rounding",
    "randomised_rounding",
]


@dataclass(frozen=True, eq=False)
class Rounding:
    """Independent roundings of one fractional solution, and what went wrong in each.

    Parameters
    ----------
    chosen : bool, shape (draws, N)
        Which candidates each rounding keeps.
    uncovered : bool, shape (draws,)
        Whether some target is not the union of the kept candidates inside it.
    too_dense : bool, shape (draws,)
        Whether some target contains more than 2 max(k, 3) L kept candidates.
    too_large : bool, shape (draws,)
        Whether more than 2 max(value, 3) L candidates are kept.

    Notes
    -----
    The events that `thm-sparse-auto` bounds by 1/n, 1/n^2 and, in its sharpened form, 1/n^2; L is
    `bounds.rounding_logarithm`.

    Examples
    --------
    >>> from lifelong.conjunctions.programme import anchor_programme
    >>> rounding = randomised_rounding(anchor_programme(~np.eye(9, dtype=bool), c=2, k=8), draws=5, rng=0)
    >>> rounding.chosen.shape, rounding.succeeded.shape
    ((5, 45), (5,))
    """

    chosen: BoolArray
    uncovered: BoolArray
    too_dense: BoolArray
    too_large: BoolArray

    @property
    def succeeded(self) -> BoolArray:
        """Whether none of the three went wrong: bool (draws,)."""
        return ~(self.uncovered | self.too_dense | self.too_large)


@checked
def randomised_rounding(solution: AnchorSolution, *, draws: int = 1, rng: RNGLike = None) -> Rounding:
    """Keep each candidate independently, with probability min(1, Z L).

    Parameters
    ----------
    solution : AnchorSolution
    draws : int, default 1
        Independent roundings.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    Rounding

    Raises
    ------
    ValueError
        If `solution` is not an AnchorSolution or `draws` is no integer >= 1.

    Notes
    -----
    The rounding of `thm-sparse-auto`, with L = ln(n^2 m) for m targets on n variables.

    References
    ----------
    P. Raghavan and C. D. Thompson, *Randomized rounding: a technique for provably good algorithms and algorithmic
    proofs*, Combinatorica 7, 1987, 365-374.

    Examples
    --------
    >>> from lifelong.conjunctions.programme import anchor_programme
    >>> solution = anchor_programme(~np.eye(30, dtype=bool), c=2, k=28)
    >>> rounding = randomised_rounding(solution, draws=100, rng=0)
    >>> bool(rounding.too_dense.any()), bool(rounding.too_large.any())
    (False, False)
    """
    instance("solution", solution, AnchorSolution)
    draws, generator = integer("draws", draws, least=1), random_generator(rng)
    m, n = len(solution.inside), solution.candidates.shape[1]
    factor = bounds.rounding_logarithm(n, m=max(1, m))
    chosen = generator.random((draws, len(solution.weights))) < np.minimum(1.0, solution.weights * factor)
    rows = solution.coverage.T
    covered = [_unions(part, rows).all(axis=1) for part in _parts(chosen)]
    inside = matrix_product(chosen, solution.inside.T)
    most = np.inf if solution.k is None else bounds.rounded_sparsity(n, k=solution.k, m=max(1, m))
    return Rounding(
        chosen,
        ~np.concatenate(covered),
        np.asarray((inside > most).any(axis=1)),
        chosen.sum(axis=1) > 2 * max(solution.value, 3) * factor,
    )


def _parts(rows: BoolArray, size: int = 500) -> Iterator[BoolArray]:
    """The rows in blocks, so that a product with the constraints fits into memory."""
    return (rows[start : start + size] for start in range(0, len(rows), size))
