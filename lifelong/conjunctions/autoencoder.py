"""The sparse Boolean autoencoder of Theorem 5: few pieces, and few of them in a target (Section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, RNGLike, bool_array, integer, random_generator, same_dimension
from lifelong.conjunctions import bounds
from lifelong.conjunctions.anchor_sets import anchor_sets, is_anchored, lie_inside, unions
from lifelong.conjunctions.programme import AnchorSolution, anchor_programme
from lifelong.conjunctions.rounding import randomised_rounding


class NotFittedError(ValueError, AttributeError):
    """What an autoencoder says that is asked for its pieces before it has any."""


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

    def fit(self, targets: ArrayLike, y: object = None) -> Self:
        """Find the pieces of the targets, one a row; `y` is ignored."""
        TS = bool_array("targets", targets, axes=2)
        c, k = integer("c", self.c, least=1), integer("k", self.k, least=1)
        if self.method not in ("rounding", "exact"):
            raise ValueError(f"method: expected 'rounding' or 'exact', got {self.method!r}")
        attempts, rng = integer("attempts", self.attempts, least=1), random_generator(self.rng)
        solution = self._solved(TS)
        roundings, level, pieces = 0, k, solution.support
        if not solution.integral and self.method == "exact":
            pieces = self._solved(TS, integral=True).support
        elif not solution.integral:
            level = int(bounds.rounded_sparsity(TS.shape[1], k=k, m=len(TS)))
            roundings, pieces = _first_success(solution, attempts, rng)
        anchors = [y for y in anchor_sets(pieces, TS, c=c) if y is not None]  # none is missing: candidates have them
        self.metafeatures_, self.anchors_ = pieces, np.array(anchors, dtype=np.bool_).reshape(pieces.shape)
        self.lp_value_, self.level_, self.roundings_ = solution.value, level, roundings
        return self

    def _solved(self, TS: BoolArray, *, integral: bool = False) -> AnchorSolution:
        """An optimum of the programme, or a word about what it asks too much."""
        solution = anchor_programme(TS, c=self.c, k=self.k, integral=integral)
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
        """Encode: which pieces lie inside each target, the hidden layer."""
        pieces, TS = self._fitted(), bool_array("targets", targets, axes=2)
        same_dimension("targets", TS, pieces.shape[1], "the autoencoder")
        return lie_inside(pieces, TS)

    def fit_transform(self, targets: ArrayLike, y: object = None) -> BoolArray:
        """Find the pieces of some targets, and encode these."""
        return self.fit(targets).transform(targets)

    def inverse_transform(self, codes: ArrayLike) -> BoolArray:
        """Decode: the union of the coded pieces, the output layer."""
        pieces, code = self._fitted(), bool_array("codes", codes, axes=2)
        same_dimension("codes", code, len(pieces), "the hidden layer")
        return unions(code, pieces)

    def satisfies(self, targets: ArrayLike, *, k: int | None = None) -> bool:
        """Whether the pieces satisfy Definition 1 with these targets, at level `level_` unless another is given."""
        pieces, TS = self._fitted(), bool_array("targets", targets, axes=2)
        same_dimension("targets", TS, pieces.shape[1], "the autoencoder")
        return is_anchored(pieces, TS, c=self.c, k=integer("k", self.level_ if k is None else k, least=0))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init}

    def set_params(self, **params: Any) -> Self:
        """Change arguments of the constructor; they count from the next `fit` on."""
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


def _first_success(solution: AnchorSolution, attempts: int, rng: np.random.Generator) -> tuple[int, BoolArray]:
    """Round until none of the three bad events occurs: how often, and the pieces kept."""
    for attempt in range(1, attempts + 1):
        rounding = randomised_rounding(solution, rng=rng)
        if rounding.succeeded[0]:
            return attempt, solution.candidates[rounding.chosen[0]]
    raise RuntimeError(f"attempts: expected a successful rounding within {attempts}, got none")
