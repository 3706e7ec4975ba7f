"""The sparse Boolean autoencoder of Theorem 5: few pieces, and few of them in a target (Section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lifelong._checks import BoolArray, FloatArray, bool_array, integer, same_dimension
from lifelong.conjunctions import bounds
from lifelong.conjunctions.anchor_sets import (
    AnchorSolution,
    _containment,
    _unions,
    anchor_programme,
    anchor_sets,
    is_anchored,
    randomised_rounding,
)

__all__ = [
    "SparseBooleanAutoencoder",
    "ThresholdNetwork",
    "shrink",
    "threshold_network",
]


def shrink(metafeatures: Any, targets: Any) -> BoolArray:
    """Take from each metafeature the ink that others already explain, in every target that contains it.

    Parameters
    ----------
    metafeatures : array_like, shape (k, n), bool
        Metafeatures that represent every target.
    targets : array_like, shape (m, n), bool

    Returns
    -------
    bool, shape (k, n)
        Row j is part of metafeature j. Each target is still the union of the rows of the metafeatures that lay inside
        it, and no pixel can be taken from any row without losing this. The small ones give first; the result does not
        depend on that if, in every target, each pixel is some metafeature's own (no other one holds it in some target).

    Raises
    ------
    ValueError
        If an argument is not boolean, the dimensions differ, or a target is not represented.

    Notes
    -----
    The metafeatures of `thm-sparse-auto` are too large by nature: they hold all ink that always comes along.
    What is left here need not satisfy `def-anchor-set` at the same sparsity.

    Examples
    --------
    >>> letters = np.array([[1, 1, 0, 1], [1, 0, 1, 1], [1, 0, 0, 0]], dtype=bool)
    >>> shrink(np.array([[1, 0, 0, 0], [1, 1, 0, 1], [1, 0, 1, 1]], dtype=bool), letters).astype(int)
    array([[1, 0, 0, 0],
           [0, 1, 0, 1],
           [0, 0, 1, 1]])
    """
    M, TS = bool_array("metafeatures", metafeatures, axes=2), bool_array("targets", targets, axes=2)
    same_dimension("metafeatures", M, TS.shape[1], "targets")
    inside = _containment(M, TS)
    if not np.array_equal(_unions(inside, M), TS):
        raise ValueError("targets: expected unions of the metafeatures, got one that is not represented")
    rows, covers = M.copy(), inside.astype(np.int64) @ M.astype(np.int64)
    for j in np.argsort(M.sum(axis=1), kind="stable"):
        spare = rows[j] & (covers[inside[:, j]] >= 2).all(axis=0)
        rows[j] &= ~spare
        covers[np.ix_(inside[:, j], spare)] -= 1
    return rows


# the autoencoder -----------------------------------------------------------------------------------------


class SparseBooleanAutoencoder:
    """Pieces from which every target is an OR of few, by the linear or by the integer programme.

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
        Source of the roundings.
    attempts : int, default 1000
        Roundings before giving up.

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
        If an argument is no integer in its range, or `method` is unknown.

    Notes
    -----
    Part 2 of `thm-sparse-auto`. Fitted pieces are the same for the same `rng` and the same vertex of the programme.

    Examples
    --------
    >>> rook = [[r == i or s == j for i in range(4) for j in range(4)] for r in range(4) for s in range(4)]
    >>> auto = SparseBooleanAutoencoder(c=2, k=2, rng=0).fit(rook)
    >>> auto.metafeatures_.shape, auto.lp_value_, auto.satisfies(rook)
    ((8, 16), 8.0, True)
    >>> codes = auto.encode(rook)
    >>> codes.sum(axis=1).max(), np.array_equal(auto.decode(codes), rook)
    (np.int64(2), True)
    """

    metafeatures_: BoolArray
    anchors_: BoolArray
    lp_value_: float
    level_: int
    roundings_: int

    def __init__(self, c: int, k: int, *, method: str = "rounding", rng: Any = None, attempts: int = 1000) -> None:
        self.c, self.k = integer("c", c, least=1), integer("k", k, least=1)
        if method not in ("rounding", "exact"):
            raise ValueError(f"method: expected 'rounding' or 'exact', got {method!r}")
        self.method, self.attempts = method, integer("attempts", attempts, least=1)
        self._rng = np.random.default_rng(rng)

    def fit(self, targets: Any) -> SparseBooleanAutoencoder:
        """Find the pieces.

        Parameters
        ----------
        targets : array_like, shape (m, n), bool

        Returns
        -------
        SparseBooleanAutoencoder
            Itself.

        Raises
        ------
        ValueError
            If `targets` is not a boolean matrix, or no metafeatures satisfy the c-anchor-set assumption at
            sparsity k; for the linear programme that is proof, but it can be feasible and the assumption fail.
        RuntimeError
            If every attempt at rounding fails.
        """
        TS = bool_array("targets", targets, axes=2)
        solution = self._feasible(anchor_programme(TS, self.c, self.k))
        self.lp_value_, self.roundings_, self.level_ = solution.value, 0, self.k
        if solution.integral:
            self.metafeatures_ = solution.support
        elif self.method == "exact":
            self.metafeatures_ = self._feasible(anchor_programme(TS, self.c, self.k, integral=True)).support
        else:
            self.level_ = int(bounds.rounded_sparsity(self.k, TS.shape[1], len(TS)))
            self.metafeatures_ = self._rounded(solution)
        found = anchor_sets(self.metafeatures_, TS, self.c)
        rows = [y for y in found if y is not None]  # none is missing: candidates have anchor sets
        self.anchors_ = np.array(rows, dtype=np.bool_).reshape(self.metafeatures_.shape)
        return self

    def _feasible(self, solution: AnchorSolution | None) -> AnchorSolution:
        if solution is None:
            raise ValueError(
                f"k: expected a sparsity level at which the programme is feasible with c = {self.c}, got {self.k}: "
                "no metafeatures satisfy the anchor-set assumption there"
            )
        return solution

    def _rounded(self, solution: AnchorSolution) -> BoolArray:
        for attempt in range(1, self.attempts + 1):
            rounding = randomised_rounding(solution, rng=self._rng)
            if rounding.succeeded[0]:
                self.roundings_ = attempt
                pieces: BoolArray = solution.candidates[rounding.chosen[0]]
                return pieces
        raise RuntimeError(f"attempts: expected a successful rounding within {self.attempts}, got none")

    def encode(self, targets: Any) -> BoolArray:
        """Which pieces lie inside each target: the hidden layer.

        Parameters
        ----------
        targets : array_like, shape (m, n), bool
            Those fitted, or others.

        Returns
        -------
        bool, shape (m, N)

        Raises
        ------
        ValueError
            If `targets` is not a boolean matrix of the fitted dimension.
        """
        TS = bool_array("targets", targets, axes=2)
        same_dimension("targets", TS, self.metafeatures_.shape[1], "the autoencoder")
        return _containment(self.metafeatures_, TS)

    def decode(self, codes: Any) -> BoolArray:
        """Union of the coded pieces: the output layer.

        Parameters
        ----------
        codes : array_like, shape (m, N), bool

        Returns
        -------
        bool, shape (m, n)

        Raises
        ------
        ValueError
            If `codes` is not a boolean matrix with a column for each piece.
        """
        code = bool_array("codes", codes, axes=2)
        same_dimension("codes", code, len(self.metafeatures_), "the hidden layer")
        return _unions(code, self.metafeatures_)

    def satisfies(self, targets: Any, *, k: int | None = None) -> bool:
        """Whether the pieces satisfy the definition with these targets.

        Parameters
        ----------
        targets : array_like, shape (m, n), bool
        k : int, optional
            Sparsity level; `level_` unless given.

        Returns
        -------
        bool

        Raises
        ------
        ValueError
            If `targets` is not a boolean matrix of the fitted dimension, or `k` no integer >= 0.
        """
        TS = bool_array("targets", targets, axes=2)
        return is_anchored(self.metafeatures_, TS, self.c, self.level_ if k is None else integer("k", k, least=0))


@dataclass(frozen=True, eq=False)
class ThresholdNetwork:
    """Two layers of threshold units: a unit fires where weights . input + bias > 0.

    Parameters
    ----------
    hidden_weights : float64, shape (N, n)
    hidden_bias : float64, shape (N,)
    output_weights : float64, shape (n, N)
    output_bias : float64, shape (n,)

    Notes
    -----
    The autoencoder in front of `thm-sparse-auto`, as a network.

    Examples
    --------
    >>> network = threshold_network([[True, True, False], [False, False, True]])
    >>> network.hidden_bias, network.output_bias
    (array([-1.5, -0.5]), array([-0.5, -0.5, -0.5]))
    """

    hidden_weights: FloatArray
    hidden_bias: FloatArray
    output_weights: FloatArray
    output_bias: FloatArray

    def hidden(self, images: Any) -> BoolArray:
        """Activity of the hidden units.

        Parameters
        ----------
        images : array_like, shape (m, n), bool

        Returns
        -------
        bool, shape (m, N)

        Raises
        ------
        ValueError
            If `images` is not a boolean matrix of the network's dimension.
        """
        X = bool_array("images", images, axes=2)
        same_dimension("images", X, self.hidden_weights.shape[1], "the network")
        active: BoolArray = X @ self.hidden_weights.T + self.hidden_bias > 0
        return active

    def __call__(self, images: Any) -> BoolArray:
        """Activity of the output units.

        Parameters
        ----------
        images : array_like, shape (m, n), bool

        Returns
        -------
        bool, shape (m, n)
        """
        active: BoolArray = self.hidden(images) @ self.output_weights.T + self.output_bias > 0
        return active


def threshold_network(metafeatures: Any) -> ThresholdNetwork:
    """The two-layer autoencoder of some metafeatures: AND units, then OR units.

    Parameters
    ----------
    metafeatures : array_like, shape (N, n), bool

    Returns
    -------
    ThresholdNetwork
        Hidden unit j has weight 1 from each pixel of metafeature j and bias 1/2 less their number, so that it needs
        them all; an output unit has weight 1 from each metafeature that holds its pixel and bias -1/2.

    Raises
    ------
    ValueError
        If `metafeatures` is not a boolean matrix.

    Notes
    -----
    The network that reproduces a target exactly where the metafeatures represent it (`def-anchor-set`, part 1).

    Examples
    --------
    >>> network = threshold_network([[True, True, False], [False, True, True]])
    >>> network([[True, True, False], [True, False, True]]).astype(int)
    array([[1, 1, 0],
           [0, 0, 0]])
    """
    M = bool_array("metafeatures", metafeatures, axes=2)
    weights = M.astype(np.float64)
    return ThresholdNetwork(weights, 0.5 - weights.sum(axis=1), weights.T.copy(), np.full(M.shape[1], -0.5))
