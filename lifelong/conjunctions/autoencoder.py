"""The sparse Boolean autoencoder of Theorem 5: few pieces, and few of them in a target (Section 4.4).

`SparseBooleanAutoencoder` finds the pieces; `shrink` takes from them what others explain, and `threshold_network`
shows them as the network of AND and OR that the paper speaks of.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, RNGLike, bool_array, integer, random_generator, same_dimension
from lifelong.conjunctions import bounds
from lifelong.conjunctions.anchor_sets import _containment, _unions, anchor_sets, is_anchored
from lifelong.conjunctions.programme import AnchorSolution, anchor_programme
from lifelong.conjunctions.rounding import randomised_rounding

__all__ = [
    "NotFittedError",
    "SparseBooleanAutoencoder",
    "ThresholdNetwork",
    "shrink",
    "threshold_network",
]


def shrink(metafeatures: ArrayLike, targets: ArrayLike) -> BoolArray:
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
        it, and no pixel can be taken from any row without losing this. The smallest rows are shrunk first; in
        another order the result may be another.

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


class NotFittedError(ValueError, AttributeError):
    """What an autoencoder says that is asked for its pieces before it has any.

    Notes
    -----
    Both kinds of error, as in scikit-learn: the value is wrong, and an attribute is missing (`thm-sparse-auto`).

    Examples
    --------
    >>> SparseBooleanAutoencoder(c=1, k=1).transform([[True]])
    Traceback (most recent call last):
    lifelong.conjunctions.autoencoder.NotFittedError: this SparseBooleanAutoencoder has no pieces yet: call fit first
    """


@dataclass(kw_only=True, eq=False)
class SparseBooleanAutoencoder:
    """Pieces from which every target is an OR of few, by the linear or by the integer programme of Theorem 5.

    An estimator as scikit-learn knows them, without needing it: the constructor stores what it is given, `fit` checks
    it and leaves what it finds in attributes with a trailing underscore, `sklearn.base.clone` makes an unfitted copy,
    and a pipeline takes it.

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

    See Also
    --------
    lifelong.conjunctions.programme.anchor_programme : the programme alone.
    threshold_network : the pieces as two layers of threshold units.
    shrink : smaller pieces that represent the same targets.

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

    c: int
    k: int
    method: Literal["rounding", "exact"] = "rounding"
    rng: RNGLike = None
    attempts: int = 1000

    metafeatures_: BoolArray = field(init=False, repr=False)
    anchors_: BoolArray = field(init=False, repr=False)
    lp_value_: float = field(init=False, repr=False)
    level_: int = field(init=False, repr=False)
    roundings_: int = field(init=False, repr=False)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the constructor.

        Parameters
        ----------
        deep : bool, default True
            Of no effect: none of them is an estimator. For scikit-learn.

        Returns
        -------
        dict of str to object
        """
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init}

    def set_params(self, **params: Any) -> Self:
        """Change arguments of the constructor; they count from the next `fit` on.

        Parameters
        ----------
        params : object
            By name.

        Returns
        -------
        SparseBooleanAutoencoder
            Itself.

        Raises
        ------
        ValueError
            If there is no argument of that name.
        """
        known = list(self.get_params())
        if unknown := sorted(set(params) - set(known)):
            raise ValueError(f"params: expected names among {known}, got {unknown}")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks an estimator before it takes it into a pipeline; called by it alone."""
        from sklearn.utils import Tags, TargetTags, TransformerTags

        return Tags("transformer", TargetTags(required=False), transformer_tags=TransformerTags(preserves_dtype=[]))

    def fit(self, targets: ArrayLike, y: object = None) -> Self:
        """Find the pieces.

        Parameters
        ----------
        targets : array_like, shape (m, n), bool
        y : object
            Not looked at. For scikit-learn.

        Returns
        -------
        SparseBooleanAutoencoder
            Itself.

        Raises
        ------
        ValueError
            If an argument of the constructor is out of range, `targets` is not a boolean matrix, or no metafeatures
            satisfy the c-anchor-set assumption at sparsity k; for the linear programme that is proof, but it can be
            feasible and the assumption fail.
        RuntimeError
            If every attempt at rounding fails.
        """
        TS = bool_array("targets", targets, axes=2)
        c, k = integer("c", self.c, least=1), integer("k", self.k, least=1)
        if self.method not in ("rounding", "exact"):
            raise ValueError(f"method: expected 'rounding' or 'exact', got {self.method!r}")
        attempts, rng = integer("attempts", self.attempts, least=1), random_generator(self.rng)
        solution = self._feasible(anchor_programme(TS, c=c, k=k))
        roundings, level = 0, k
        if solution.integral:
            pieces = solution.support
        elif self.method == "exact":
            pieces = self._feasible(anchor_programme(TS, c=c, k=k, integral=True)).support
        else:
            roundings, pieces = _first_success(solution, attempts, rng)
            level = int(bounds.rounded_sparsity(TS.shape[1], k=k, m=len(TS)))
        rows = [y for y in anchor_sets(pieces, TS, c=c) if y is not None]  # none is missing: candidates have them
        self.metafeatures_, self.anchors_ = pieces, np.array(rows, dtype=np.bool_).reshape(pieces.shape)
        self.lp_value_, self.level_, self.roundings_ = solution.value, level, roundings
        return self

    def _feasible(self, solution: AnchorSolution | None) -> AnchorSolution:
        if solution is None:
            raise ValueError(
                f"k: expected a sparsity level at which the programme is feasible with c = {self.c}, got {self.k}: "
                "no metafeatures satisfy the anchor-set assumption there"
            )
        return solution

    def _fitted(self) -> BoolArray:
        """The pieces, or a word about what is missing."""
        if not hasattr(self, "metafeatures_"):
            raise NotFittedError(f"this {type(self).__name__} has no pieces yet: call fit first")
        return self.metafeatures_

    def transform(self, targets: ArrayLike) -> BoolArray:
        """Encode: which pieces lie inside each target, the hidden layer.

        Parameters
        ----------
        targets : array_like, shape (m, n), bool
            Those fitted, or others.

        Returns
        -------
        bool, shape (m, N)

        Raises
        ------
        NotFittedError
            Before `fit`.
        ValueError
            If `targets` is not a boolean matrix of the fitted dimension.
        """
        pieces, TS = self._fitted(), bool_array("targets", targets, axes=2)
        same_dimension("targets", TS, pieces.shape[1], "the autoencoder")
        return _containment(pieces, TS)

    def fit_transform(self, targets: ArrayLike, y: object = None) -> BoolArray:
        """Find the pieces of some targets, and encode these.

        Parameters
        ----------
        targets : array_like, shape (m, n), bool
        y : object
            Not looked at. For scikit-learn.

        Returns
        -------
        bool, shape (m, N)
        """
        return self.fit(targets).transform(targets)

    def inverse_transform(self, codes: ArrayLike) -> BoolArray:
        """Decode: the union of the coded pieces, the output layer.

        Parameters
        ----------
        codes : array_like, shape (m, N), bool

        Returns
        -------
        bool, shape (m, n)

        Raises
        ------
        NotFittedError
            Before `fit`.
        ValueError
            If `codes` is not a boolean matrix with a column for each piece.
        """
        pieces, code = self._fitted(), bool_array("codes", codes, axes=2)
        same_dimension("codes", code, len(pieces), "the hidden layer")
        return _unions(code, pieces)

    def satisfies(self, targets: ArrayLike, *, k: int | None = None) -> bool:
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
        NotFittedError
            Before `fit`.
        ValueError
            If `targets` is not a boolean matrix of the fitted dimension, or `k` no integer >= 0.
        """
        pieces = self._fitted()
        return is_anchored(pieces, targets, c=self.c, k=self.level_ if k is None else k)


def _first_success(solution: AnchorSolution, attempts: int, rng: np.random.Generator) -> tuple[int, BoolArray]:
    """Round until none of the three bad events occurs: how often, and the pieces kept."""
    for attempt in range(1, attempts + 1):
        rounding = randomised_rounding(solution, rng=rng)
        if rounding.succeeded[0]:
            return attempt, solution.candidates[rounding.chosen[0]]
    raise RuntimeError(f"attempts: expected a successful rounding within {attempts}, got none")


# the network ---------------------------------------------------------------------------------------------


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

    def hidden(self, images: ArrayLike) -> BoolArray:
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

    def __call__(self, images: ArrayLike) -> BoolArray:
        """Activity of the output units.

        Parameters
        ----------
        images : array_like, shape (m, n), bool

        Returns
        -------
        bool, shape (m, n)

        Raises
        ------
        ValueError
            If `images` is not a boolean matrix of the network's dimension.
        """
        active: BoolArray = self.hidden(images) @ self.output_weights.T + self.output_bias > 0
        return active


def threshold_network(metafeatures: ArrayLike) -> ThresholdNetwork:
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
