"""Sparse Boolean autoencoders: few pieces, and few of them in a picture (Section 4, second half).

A metafeature is summoned by an *anchor set*: a few variables such that every target with all of them contains the
metafeature. The candidates are the intersections of all targets with a given small set; a linear programme
chooses among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lifelong._checks import BoolArray, FloatArray, bool_array, instance, integer, same_dimension
from lifelong.conjunctions import bounds

__all__ = [
    "AnchorSolution",
    "Rounding",
    "anchor_programme",
    "anchor_set_candidates",
    "anchor_sets",
    "is_anchored",
    "randomised_rounding",
]


#: Weights of a linear programme closer than this to 0 or 1 count as 0 or 1.
TOLERANCE = 1e-6
#: Bytes of packed rows that are compared at a time.
_BLOCK = 2**24


# anchor sets and Definition 1 ----------------------------------------------------------------------------


def _containment(pieces: BoolArray, targets: BoolArray) -> BoolArray:
    """Whether piece j lies inside target r: bool (m, N)."""
    # single precision counts exactly up to 2^24 variables
    missing: BoolArray = (~targets).astype(np.float32) @ pieces.T.astype(np.float32) < 0.5
    return missing


def _unions(codes: BoolArray, pieces: BoolArray) -> BoolArray:
    """Union of the coded pieces: bool (m, N) and (N, n) give (m, n)."""
    unions: BoolArray = codes.astype(np.float32) @ pieces.astype(np.float32) > 0.5
    return unions


def _first_distinct(packed: Any) -> Any:
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


def _meets(rows: Any, columns: Any) -> Any:
    """Distinct nonempty intersections of a row with a column, all packed."""
    met = (rows[:, None, :] & columns).reshape(-1, columns.shape[1])
    met = met[_first_distinct(met)]
    return met[met.any(axis=1)]


def anchor_set_candidates(targets: Any, c: int) -> BoolArray:
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

    Notes
    -----
    The metafeatures of part 1 of `thm-sparse-auto`. A candidate is determined by the set of targets that contain y,
    so equal columns are merged first and the sets of targets, packed in bits, are intersected column by column: with
    d distinct columns that is O(N d m) bit operations, N <= d^c, and the candidates of all of them are one product of
    matrices. With c = 1 these are the attribute concepts of formal concept analysis, with c = n all concepts that are
    neither blank nor held by no target.

    Examples
    --------
    >>> board = [[True, True, False], [False, True, True], [True, False, True]]
    >>> anchor_set_candidates(board, 1).astype(int)
    array([[0, 0, 1],
           [0, 1, 0],
           [1, 0, 0]])
    >>> len(anchor_set_candidates(board, 2))
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


def anchor_sets(metafeatures: Any, targets: Any, c: int) -> list[BoolArray | None]:
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
    >>> pair, cell = anchor_sets([board[0], [True, False, False]], board, 2)
    >>> pair.astype(int), cell.astype(int)
    (array([1, 1, 0]), array([1, 0, 0]))
    >>> anchor_sets(board[:1], board, 1)
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


def is_anchored(metafeatures: Any, targets: Any, c: int, k: int) -> bool:
    """Whether metafeatures and targets satisfy the c-anchor-set assumption at sparsity k.

    Parameters
    ----------
    metafeatures : array_like, shape (N, n), bool
        Equal rows count once.
    targets : array_like, shape (m, n), bool
    c, k : int
        Size of the anchor sets and sparsity level, at least 0.

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
    >>> is_anchored(board, board, 2, 1), is_anchored(board, board, 1, 1)
    (True, False)
    """
    M, TS = bool_array("metafeatures", metafeatures, axes=2), bool_array("targets", targets, axes=2)
    same_dimension("metafeatures", M, TS.shape[1], "targets")
    c, k = integer("c", c, least=0), integer("k", k, least=0)
    M = np.unique(M, axis=0)
    inside = _containment(M, TS)
    if (inside.sum(axis=1) > k).any() or not np.array_equal(_unions(inside, M), TS):
        return False
    return all(y is not None for y in anchor_sets(M, TS, c))


# the programme -------------------------------------------------------------------------------------------


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
        The sparsity level; None if there was no limit.

    Notes
    -----
    The programme of `thm-sparse-auto`.

    Examples
    --------
    >>> solution = anchor_programme(~np.eye(4, dtype=bool), 2, 2)
    >>> round(solution.value, 6), solution.integral
    (3.0, False)
    """

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
        return np.unpackbits(_packed_coverage(self.candidates, self.inside), axis=1, count=len(self.candidates)) > 0


def _packed_coverage(candidates: BoolArray, inside: BoolArray) -> Any:
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


def anchor_programme(targets: Any, c: int, k: int | None, *, integral: bool = False) -> AnchorSolution | None:
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
    >>> anchor_programme(edges, 1, 2).value, anchor_programme(edges, 2, 2).value
    (4.0, 3.0)
    >>> print(anchor_programme(edges, 1, 1))
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
    >>> rounding = randomised_rounding(anchor_programme(~np.eye(9, dtype=bool), 2, 8), draws=5, rng=0)
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


def randomised_rounding(solution: AnchorSolution, *, draws: int = 1, rng: Any = None) -> Rounding:
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

    Examples
    --------
    >>> solution = anchor_programme(~np.eye(30, dtype=bool), 2, 28)
    >>> rounding = randomised_rounding(solution, draws=100, rng=0)
    >>> bool(rounding.too_dense.any()), bool(rounding.too_large.any())
    (False, False)
    """
    instance("solution", solution, AnchorSolution)
    draws, rng = integer("draws", draws, least=1), np.random.default_rng(rng)
    m, n = len(solution.inside), solution.candidates.shape[1]
    factor = bounds.rounding_logarithm(n, max(1, m))
    chosen = rng.random((draws, len(solution.weights))) < np.minimum(1.0, solution.weights * factor)
    covered = [_unions(part, solution.coverage.T).all(axis=1) for part in _parts(chosen)]
    inside = chosen.astype(np.float32) @ solution.inside.T.astype(np.float32)
    most = np.inf if solution.k is None else bounds.rounded_sparsity(solution.k, n, max(1, m))
    return Rounding(
        chosen,
        ~np.concatenate(covered),
        (inside > most).any(axis=1),
        chosen.sum(axis=1) > 2 * max(solution.value, 3) * factor,
    )


def _parts(rows: BoolArray, size: int = 500) -> Iterator[BoolArray]:
    return (rows[start : start + size] for start in range(0, len(rows), size))
