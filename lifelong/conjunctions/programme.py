"""The linear programme of Theorem 5: which candidates, with which weights (Section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, bool_array, integer, real_array
from lifelong._contracts import checked
from lifelong.conjunctions.anchor_sets import Packed, _candidates, _first_distinct

__all__ = [
    "AnchorSolution",
    "anchor_programme",
]

#: Weights closer than this to 0 or 1 count as 0 or 1.
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class AnchorSolution:
    """An optimum of the linear or the integer programme over anchor-set candidates.

    Parameters
    ----------
    candidates : bool, shape (N, n)
        As `anchor_set_candidates` returns them.
    inside : bool, shape (m, N)
        Whether candidate j lies inside target r.
    weights : float64, shape (N,)
        The weight Z_y of each candidate, in [0, 1].
    k : int or None
        The sparsity level, at least 0; None if there was no limit.

    Raises
    ------
    ValueError
        If the shapes disagree.

    Notes
    -----
    The programme of `thm-sparse-auto`.

    Examples
    --------
    >>> solution = anchor_programme(~np.eye(4, dtype=bool), c=2, k=2)
    >>> round(solution.value, 6), solution.integral
    (3.0, False)
    """

    candidates: BoolArray
    inside: BoolArray
    weights: FloatArray
    k: int | None = None

    def __post_init__(self) -> None:
        count = len(bool_array("candidates", self.candidates, axes=2))
        if (
            not isinstance(self.inside, np.ndarray)
            or np.ma.is_masked(self.inside)
            or self.inside.ndim != 2
            or self.inside.dtype != np.bool_
        ):
            raise ValueError(f"inside: expected a boolean array with 2 axes, got {self.inside!r}")
        m = len(self.inside)
        object.__setattr__(self, "candidates", bool_array("candidates", self.candidates, axes=2))
        object.__setattr__(self, "weights", real_array("weights", self.weights, empty=True))
        if self.k is not None:
            object.__setattr__(self, "k", integer("k", self.k, least=0))
        for name, shape in {"inside": (m, count), "weights": (count,)}.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name}: expected shape {shape}, got {getattr(self, name).shape}")

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
        return np.unpackbits(_packed_coverage(self.candidates, self.inside), axis=1, count=len(self.candidates)) > 0


def _packed_coverage(candidates: BoolArray, inside: BoolArray) -> Packed:
    """Which candidates inside target r hold pixel i, one row for each distinct such set, packed in bits.

    Only pixels i of target r ask to be covered; every other sum would be empty.
    """
    columns = np.packbits(candidates.T, axis=1)
    columns = columns[_first_distinct(columns)]
    columns = columns[columns.any(axis=1)]
    blocks = [np.empty((0, columns.shape[1]), dtype=np.uint8)]
    for own in np.packbits(inside, axis=1):
        rows = columns & own
        blocks.append(rows[rows.any(axis=1)])
    rows = np.concatenate(blocks)
    return rows[_first_distinct(rows)] if rows.size else rows


@checked
def anchor_programme(targets: ArrayLike, *, c: int, k: int | None, integral: bool = False) -> AnchorSolution | None:
    r"""Least total weight of candidates that cover every target, with weight at most k inside each.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
    c : int
        Size of the anchor sets, at least 1.
    k : int or None
        Sparsity level, at least 0; None leaves constraint (3) out.
    integral : bool, default False
        Ask for weights 0 and 1: exact, but the time can be exponential.

    Returns
    -------
    AnchorSolution or None
        A vertex of least weight; which one, if there are several, is the solver's choice. None if no weights
        satisfy the constraints.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix, or `c` or `k` is no integer in its range.
    RuntimeError
        If the solver gives up.

    See Also
    --------
    lifelong.conjunctions.rounding.randomised_rounding : what Theorem 5 does with a fractional solution.

    Notes
    -----
    The programme in the proof of `thm-sparse-auto`, solved by HiGHS through scipy. Constraint (2) is set up for the
    pixels of a target only. With `integral` it has a solution of weight mu exactly when at most mu metafeatures satisfy
    `def-anchor-set` (`prop-anchor-program`); with c = 1 both are solved by Algorithm 3 (`prop-anchor-integral`). From
    c = 2 on the linear one can be feasible where the integer one is not (`prop-anchor-gap`). Equal
    candidates and equal constraints are merged; an upper bound of 1 on a merged weight costs nothing.

    Examples
    --------
    >>> edges = [[True, True, False, False], [True, False, True, False], [False, True, False, True]]
    >>> anchor_programme(edges, c=1, k=2).value, anchor_programme(edges, c=2, k=2).value
    (4.0, 3.0)
    >>> print(anchor_programme(edges, c=1, k=1))
    None
    """
    TS, c = bool_array("targets", targets, axes=2), integer("c", c, least=1)
    k = None if k is None else integer("k", k, least=0)
    candidates, inside = _candidates(TS, c)
    solution = AnchorSolution(candidates, inside, np.zeros(len(candidates)), k)
    if not len(candidates):
        return solution
    weights = _solve(solution.coverage, inside, k, integral)
    return None if weights is None else AnchorSolution(candidates, inside, weights, k)


def _solve(coverage: BoolArray, inside: BoolArray, k: int | None, integral: bool) -> FloatArray | None:
    """Weights of an optimum by HiGHS; None if it proves that there is none."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    cost = np.ones(coverage.shape[1])
    constraints = [LinearConstraint(csr_array(coverage, dtype=np.float64), lb=1)]
    if k is not None:
        constraints.append(LinearConstraint(csr_array(np.unique(inside, axis=0), dtype=np.float64), ub=k))
    kinds = np.full(len(cost), int(integral))
    found = milp(cost, constraints=constraints, bounds=Bounds(0, 1), integrality=kinds)
    if found.status == 2:
        return None
    if found.x is None:
        raise RuntimeError(f"the solver gave up: {found.message}")
    weights: FloatArray = np.clip(found.x, 0.0, 1.0)
    whole = np.rint(weights)
    near = np.abs(weights - whole) <= TOLERANCE
    return np.where(near, whole, weights)
