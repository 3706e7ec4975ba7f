"""The linear programme of Theorem 5: which candidates, with which weights (Section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, bool_array
from lifelong.conjunctions.anchor_sets import anchor_set_candidates, different, lie_inside

#: Weights closer than this to 0 or 1 count as 0 or 1.
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class AnchorSolution:
    """Candidates (N, n), which targets hold them (m, N), weights Z (N,) of an optimum, and the k of the programme."""

    candidates: BoolArray
    inside: BoolArray
    weights: FloatArray
    k: int | None = None

    @property
    def value(self) -> float:
        """Sum of the weights."""
        return float(self.weights.sum())

    @property
    def integral(self) -> bool:
        """Whether every weight is 0 or 1, up to the solver's tolerance."""
        return bool((np.abs(self.weights - np.rint(self.weights)) <= TOLERANCE).all())

    @property
    def support(self) -> BoolArray:
        """The candidates of positive weight: bool (q, n)."""
        return self.candidates[self.weights > TOLERANCE]

    @property
    def coverage(self) -> BoolArray:
        """The distinct left sides of constraint (2), as rows of 0 and 1 over the candidates: bool (rows, N)."""
        pixels = different(np.packbits(self.candidates.T, axis=1))
        rows = [different(pixels & own) for own in np.packbits(self.inside, axis=1)]
        once = different(np.concatenate([pixels[:0], *rows]))
        return np.unpackbits(once, axis=1, count=len(self.candidates)).astype(np.bool_)


def anchor_programme(targets: ArrayLike, *, c: int, k: int | None, integral: bool = False) -> AnchorSolution | None:
    """Least total weight of candidates that cover every target, with weight at most k inside each; None if none is."""
    TS = bool_array("targets", targets, axes=2)
    M = anchor_set_candidates(TS, c=c)
    solution = AnchorSolution(M, lie_inside(M, TS), np.zeros(len(M)), k)
    weights = _solve(solution.coverage, solution.inside, k, integral) if len(M) else solution.weights
    return None if weights is None else AnchorSolution(M, solution.inside, weights, k)


def _solve(coverage: BoolArray, inside: BoolArray, k: int | None, integral: bool) -> FloatArray | None:
    """Weights of an optimum by HiGHS; None if it proves that there is none."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    def sparse(rows: BoolArray) -> csr_array:
        return csr_array(rows, dtype=np.float64)

    Z = np.ones(coverage.shape[1])  # (1): least sum of the Z_j
    rows = [LinearConstraint(sparse(coverage), lb=1)]  # (2): all ink
    if k is not None:  # (3): at most k inside a target
        within = sparse(np.unique(inside, axis=0))
        rows.append(LinearConstraint(within, ub=k))
    whole = Z * integral
    found = milp(Z, constraints=rows, bounds=Bounds(0, 1), integrality=whole)
    if found.status == 2:
        return None
    if found.x is None:
        raise RuntimeError(f"the solver gave up: {found.message}")
    weights = np.clip(found.x, 0.0, 1.0)
    near = np.abs(weights - np.rint(weights)) <= TOLERANCE
    return np.asarray(np.where(near, np.rint(weights), weights))
