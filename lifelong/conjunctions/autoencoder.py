"""The sparse Boolean autoencoder of Theorem 5: few pieces, and few of them in a target (Section 4.4).

An anchor set of a metafeature is a set y of at most c of its variables which no target has without the whole
(Definition 1). So the metafeature is the intersection of all targets that contain y, but for variables that come along
with it anyway: these intersections are the candidates. A linear programme chooses among them, and rounding makes its
fractional choice a whole one.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, FloatArray, RNGLike, bool_array, integer, matrix_product, random_generator
from lifelong.conjunctions.algorithm3 import different
from lifelong.conjunctions.bounds import rounded_sparsity, rounding_logarithm

#: Bytes of packed rows that are met at a time.
BLOCK = 2**24
#: Weights closer than this to 0 or 1 count as 0 or 1.
TOLERANCE = 1e-6


def lie_inside(M: BoolArray, TS: BoolArray) -> BoolArray:
    """The codes of an autoencoder: entry [r, j] says whether metafeature j lies inside target r."""
    return np.asarray(matrix_product(~TS, M.T) == 0)


def unions(codes: BoolArray, M: BoolArray) -> BoolArray:
    """What an autoencoder decodes: the unions of the metafeatures that the rows of bool (m, k) choose: bool (m, n)."""
    return np.asarray(matrix_product(codes, M) > 0)


# candidates ----------------------------------------------------------------------------------------------


def _nonempty(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Rows of bits, packed in bytes: one copy of each that is not empty."""
    full = packed[packed.any(axis=1)]
    return different(full) if len(full) else full


def _holders(TS: BoolArray, c: int) -> BoolArray:
    """The sets of targets that share some 1 to c variables, nonempty and each once: bool (N, m)."""
    N = held = _nonempty(np.packbits(TS.T, axis=1))  # the sets N(TS, z)
    step = max(1, BLOCK // N.size)
    for _ in range(c - 1):
        parts = [held[i : i + step, None] & N for i in range(0, len(held), step)]
        met = [_nonempty(part.reshape(-1, N.shape[1])) for part in parts]
        before, held = len(held), _nonempty(np.concatenate([held, *met]))
        if len(held) == before:
            break
    return np.unpackbits(held, axis=1, count=len(TS)).astype(np.bool_)


def anchor_set_candidates(targets: ArrayLike, *, c: int) -> BoolArray:
    """Every intersection of all targets that share some c variables or fewer, by size and then in order."""
    TS = np.asarray(targets, dtype=np.bool_)
    if not TS.any():
        return TS[:0]
    M = lie_inside(_holders(TS, c), TS.T).T  # held by all targets of a row
    bytewise = np.packbits(M, axis=1).T[::-1]
    return M[np.lexsort((*bytewise, M.sum(axis=1)))]


# Definition 1 --------------------------------------------------------------------------------------------


def hitting_set(rows: BoolArray, size: int) -> list[int] | None:
    """For a smallest anchor set: at most `size` columns, as few as possible, that hit a True in every row."""
    if not len(rows):
        return []
    if size > 0 and (common := rows.all(axis=0)).any():
        return [int(common.argmax())]
    if size <= 1:
        return None
    best: list[int] | None = None
    for column in np.flatnonzero(rows[rows.sum(axis=1).argmin()]):  # this row has to be hit somewhere
        rest = hitting_set(rows[~rows[:, column]], (size if best is None else len(best) - 1) - 1)
        best = best if rest is None else sorted([int(column), *rest])
    return best


def anchor_sets(metafeatures: ArrayLike, targets: ArrayLike, *, c: int) -> list[BoolArray | None]:
    """A smallest anchor set of each metafeature, of at most c variables; None for one that has none."""
    M, TS = np.asarray(metafeatures, dtype=np.bool_), np.asarray(targets, dtype=np.bool_)
    found = [hitting_set(m & ~TS[~own], c) for m, own in zip(M, lie_inside(M, TS).T, strict=True)]
    return [None if y is None else np.isin(np.arange(M.shape[1]), y) for y in found]


def is_anchored(metafeatures: ArrayLike, targets: ArrayLike, *, c: int, k: int) -> bool:
    """Definition 1: the targets are unions of at most k metafeatures, and each of these has an anchor set of size c."""
    M, TS = np.unique(np.asarray(metafeatures, dtype=np.bool_), axis=0), np.asarray(targets, dtype=np.bool_)
    inside = lie_inside(M, TS)
    if (inside.sum(axis=1) > k).any() or (unions(inside, M) != TS).any():
        return False
    return all(y is not None for y in anchor_sets(M, TS, c=c))


# the linear programme -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class AnchorSolution:
    """An optimum of Theorem 5's programme: candidates (N, n), targets that hold them (m, N), weights Z (N,), and k."""

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
        pixels = _nonempty(np.packbits(self.candidates.T, axis=1))
        rows = [_nonempty(pixels & own) for own in np.packbits(self.inside, axis=1)]
        once = _nonempty(np.concatenate([pixels[:0], *rows]))
        return np.unpackbits(once, axis=1, count=len(self.candidates)).astype(np.bool_)


def anchor_programme(targets: ArrayLike, *, c: int, k: int | None, integral: bool = False) -> AnchorSolution | None:
    """Theorem 5's programme: least weight of candidates that cover all targets, at most k inside each; or None."""
    TS = np.asarray(targets, dtype=np.bool_)
    M = anchor_set_candidates(TS, c=c)
    solution = AnchorSolution(M, lie_inside(M, TS), np.zeros(len(M)), k)
    weights = _solve(solution.coverage, solution.inside, k, integral) if len(M) else solution.weights
    return None if weights is None else AnchorSolution(M, solution.inside, weights, k)


def _solve(coverage: BoolArray, inside: BoolArray, k: int | None, integral: bool) -> FloatArray | None:
    """Weights of an optimum by HiGHS; None if it proves that there is none."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    Z = np.ones(coverage.shape[1])  # (1): least sum of the Z_j
    rows = [LinearConstraint(csr_array(coverage, dtype=np.float64), lb=1)]  # (2): all ink
    if k is not None:  # (3): at most k inside a target
        rows.append(LinearConstraint(csr_array(np.unique(inside, axis=0), dtype=np.float64), ub=k))
    found = milp(Z, constraints=rows, bounds=Bounds(0, 1), integrality=Z * integral)
    if found.status == 2:
        return None
    if found.x is None:
        raise RuntimeError(f"the solver gave up: {found.message}")
    weights = np.clip(found.x, 0.0, 1.0)
    near = np.abs(weights - np.rint(weights)) <= TOLERANCE
    return np.asarray(np.where(near, np.rint(weights), weights))


# rounding ------------------------------------------------------------------------------------------------


class Rounding(NamedTuple):
    """Roundings of Theorem 5: candidates kept in each draw (draws, N), and which bad events occurred in it (draws,)."""

    chosen: BoolArray
    uncovered: BoolArray
    too_dense: BoolArray
    too_large: BoolArray

    @property
    def succeeded(self) -> BoolArray:
        """Whether none of the three went wrong: bool (draws,)."""
        return ~(self.uncovered | self.too_dense | self.too_large)


def randomised_rounding(solution: AnchorSolution, *, draws: int = 1, rng: RNGLike = None) -> Rounding:
    """The rounding of Theorem 5: keep each candidate independently, with probability min(1, Z L)."""
    m, n = max(1, len(solution.inside)), solution.candidates.shape[1]
    L = rounding_logarithm(n, m=m)
    uniform = np.random.default_rng(rng).random((draws, len(solution.weights)))
    chosen = uniform < np.minimum(1.0, solution.weights * L)
    rows = solution.coverage.T
    parts = [chosen[i : i + 500] for i in range(0, draws, 500)]  # that fit into memory
    covered = np.concatenate([unions(part, rows).all(axis=1) for part in parts])
    inside = matrix_product(chosen, solution.inside.T)
    most = np.inf if solution.k is None else rounded_sparsity(n, k=solution.k, m=m)
    too_large = chosen.sum(axis=1) > 2 * max(solution.value, 3) * L
    return Rounding(chosen, ~covered, np.asarray((inside > most).any(axis=1)), too_large)


# the autoencoder -----------------------------------------------------------------------------------------


class SparseBooleanAutoencoder:
    """Pieces from which every target is an OR of few, by the linear or by the integer programme of Theorem 5.

    Parameters
    ----------
    c : int
        Size of the anchor sets, at least 1.
    k : int
        Sparsity level, at least 1.
    method : {"rounding", "exact"}, default "rounding"
        Round the linear programme, again if one of the three bad events occurs; or solve the integer
        programme, whose time can be exponential.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the roundings. With a seed every `fit` draws the same; a Generator goes on where it stands.
    attempts : int, default 1000
        Roundings before giving up, at least 1.

    Attributes
    ----------
    metafeatures_ : bool, shape (N, n)
        The pieces, once fitted.
    anchors_ : bool, shape (N, n)
        A smallest anchor set of each.
    lp_value_ : float
        Value of the linear programme: no set of metafeatures with these c and k is smaller.
    level_ : int
        Sparsity level that the pieces are promised to have: k if exact or if the linear programme is integral,
        otherwise 2 max(k, 3) ln(n^2 m).
    roundings_ : int
        How many roundings were drawn.

    Raises
    ------
    ValueError
        If an argument is out of range, or from `fit` if no metafeatures satisfy the anchor-set assumption.

    See Also
    --------
    anchor_programme : the programme alone.

    Notes
    -----
    Part 2 of `thm-sparse-auto`. Fitted pieces are the same for the same seed and the same vertex of the programme.

    References
    ----------
    M.-F. Balcan, A. Blum and S. Vempala, *Efficient Representations for Lifelong Learning and Autoencoding*, COLT 2015,
    PMLR 40, 191-210, Section 4.4.

    Examples
    --------
    >>> rook = [[r == i or s == j for i in range(4) for j in range(4)] for r in range(4) for s in range(4)]
    >>> auto = SparseBooleanAutoencoder(c=2, k=2, rng=0).fit(rook)
    >>> auto.metafeatures_.shape, auto.lp_value_, auto.satisfies(rook)
    ((8, 16), 8.0, True)
    >>> codes = auto.transform(rook)
    >>> codes.sum(axis=1).max(), np.array_equal(auto.inverse_transform(codes), rook)
    (np.int64(2), True)
    """

    def __init__(self, *, c: int, k: int, method: str = "rounding", rng: RNGLike = None, attempts: int = 1000) -> None:
        self.c, self.k = integer("c", c, least=1), integer("k", k, least=1)
        if method not in ("rounding", "exact"):
            raise ValueError(f"method: expected 'rounding' or 'exact', got {method!r}")
        self.method, self.attempts = method, integer("attempts", attempts, least=1)
        random_generator(rng)  # or it raises
        self.rng = rng

    def fit(self, targets: ArrayLike) -> Self:
        """Find the pieces of the targets, one a row."""
        TS = bool_array("targets", targets, axes=2)
        solution = self._solved(TS)
        pieces, level, roundings = solution.support, self.k, 0
        if not solution.integral and self.method == "exact":
            pieces = self._solved(TS, integral=True).support
        elif not solution.integral:
            level = int(rounded_sparsity(TS.shape[1], k=self.k, m=len(TS)))
            roundings, pieces = self._rounded(solution)
        anchors = [y for y in anchor_sets(pieces, TS, c=self.c) if y is not None]  # candidates have them all
        self.metafeatures_, self.anchors_ = pieces, np.array(anchors, dtype=np.bool_).reshape(pieces.shape)
        self.lp_value_, self.level_, self.roundings_ = solution.value, level, roundings
        return self

    def _solved(self, TS: BoolArray, *, integral: bool = False) -> AnchorSolution:
        """An optimum of the programme, or a word about what it asks too much."""
        solution = anchor_programme(TS, c=self.c, k=self.k, integral=integral)
        if solution is None:
            raise ValueError(f"k: expected a level at which metafeatures with c = {self.c} are feasible, got {self.k}")
        return solution

    def _rounded(self, solution: AnchorSolution) -> tuple[int, BoolArray]:
        """Round until none of the three bad events occurs: how often, and the pieces kept."""
        rng = np.random.default_rng(self.rng)
        for attempt in range(1, self.attempts + 1):
            rounding = randomised_rounding(solution, rng=rng)
            if rounding.succeeded[0]:
                return attempt, solution.candidates[rounding.chosen[0]]
        raise RuntimeError(f"attempts: expected a successful rounding within {self.attempts}, got none")

    def transform(self, targets: ArrayLike) -> BoolArray:
        """Encode: which pieces lie inside each target, the hidden layer."""
        return lie_inside(self.metafeatures_, self._read(targets))

    def inverse_transform(self, codes: ArrayLike) -> BoolArray:
        """Decode: the union of the coded pieces, the output layer."""
        code = bool_array("codes", codes, axes=2, n=len(self.metafeatures_), like="the hidden layer")
        return unions(code, self.metafeatures_)

    def satisfies(self, targets: ArrayLike, *, k: int | None = None) -> bool:
        """Whether the pieces satisfy Definition 1 with these targets, at level `level_` unless another is given."""
        level = integer("k", self.level_ if k is None else k, least=0)
        return is_anchored(self.metafeatures_, self._read(targets), c=self.c, k=level)

    def _read(self, targets: ArrayLike) -> BoolArray:
        return bool_array("targets", targets, axes=2, n=self.metafeatures_.shape[1], like="the autoencoder")
