"""Learners of one task that may use only a few of the features: the first tier of `algo-two`.

A sparse learner takes examples in the representation, X of shape (size, r), their labels y and a number tau. It
returns coefficients, of which at most tau are not zero. How few labels that takes depends on how it looks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, integer, needs, real_array
from lifelong.halfspaces.angles import unit
from lifelong.halfspaces.learners import few_weights, from_units, in_units
from lifelong.halfspaces.tasks import signs

#: From examples in the representation, labels and tau to coefficients.
SparseLearner = Callable[[FloatArray, NDArray[Any], int], FloatArray]


def _design(X: ArrayLike, y: ArrayLike, tau: int) -> tuple[FloatArray, FloatArray, int]:
    """Examples, labels and tau, checked."""
    rows, labels = real_array("X", X, axes=2), real_array("y", y)
    if rows.ndim != 2 or labels.shape != (len(rows),) or not (np.abs(labels) == 1).all():
        raise ValueError(f"y: expected a label -1 or 1 for each row of X, got {labels.shape} for {rows.shape}")
    return rows, labels, integer("tau", tau, least=1, most=rows.shape[1])


def _refit(X: FloatArray, y: FloatArray, support: NDArray[np.int64] | list[int]) -> FloatArray:
    """Coefficients fitted on a support alone, zero elsewhere."""
    coefficients = np.zeros(X.shape[1])
    coefficients[support] = few_weights(X[:, support], y)
    return coefficients


def enumerated_sparse(X: ArrayLike, y: ArrayLike, tau: int, *, best: int = 20) -> FloatArray:
    """Score every support by moments, fit the best few, keep the one that errs least."""
    rows, labels, tau = _design(X, y, tau)
    best = integer("best", best, least=1)
    rows, powers = in_units(rows)
    gram = rows.T @ rows / len(rows)
    moment = labels @ rows / len(rows)
    supports = np.array(list(combinations(range(rows.shape[1]), tau)))
    local = gram[supports[:, :, None], supports[:, None, :]] + 1e-12 * np.trace(gram) * np.eye(tau)
    parts = moment[supports][:, :, None]
    score = (parts * np.linalg.solve(local, parts)).sum(axis=(1, 2))
    fits = [_refit(rows, labels, supports[i]) for i in np.argsort(-score, kind="stable")[:best]]
    return from_units(min(fits, key=lambda w: float(np.mean(signs(rows, w) != labels))), powers)


def l1_sparse(X: ArrayLike, y: ArrayLike, tau: int) -> FloatArray:
    """Logistic regression with an L1 penalty along a path of penalties; each support of tau is fitted again."""
    with needs("scikit-learn", extra="learners"):
        from sklearn.linear_model import LogisticRegression

    rows, labels, tau = _design(X, y, tau)
    rows, powers = in_units(rows)
    scale = np.sqrt(np.mean(rows**2, axis=0))
    # until scikit-learn 1.7 the penalty has a name and a ratio alone is ignored; from 1.8 on it is a ratio
    l1: dict[str, Any] = {"penalty": "l1"} if LogisticRegression().penalty == "l2" else {"l1_ratio": 1.0}
    supports: dict[tuple[int, ...], None] = {}
    for strength in np.geomspace(0.01, 10, 12):
        model = LogisticRegression(**l1, solver="liblinear", C=strength, fit_intercept=False, random_state=0)
        model.fit(np.vstack([rows, -rows]) / scale, np.concatenate([labels, -labels]))
        largest = np.argsort(-np.abs(model.coef_[0]), kind="stable")[:tau]
        supports[tuple(sorted(largest))] = None
    fits = [_refit(rows, labels, list(support)) for support in supports]
    return from_units(min(fits, key=lambda w: float(np.mean(signs(rows, w) != labels))), powers)


def matching_pursuit_sparse(X: ArrayLike, y: ArrayLike, tau: int) -> FloatArray:
    """Orthogonal matching pursuit on the labels, then a fit on the support it found."""
    with needs("scikit-learn", extra="learners"):
        from sklearn.linear_model import OrthogonalMatchingPursuit

    rows, labels, tau = _design(X, y, tau)
    rows, powers = in_units(rows)
    scale = np.sqrt(np.mean(rows**2, axis=0))
    model = OrthogonalMatchingPursuit(n_nonzero_coefs=tau, fit_intercept=False).fit(rows / scale, labels)
    return from_units(_refit(rows, labels, np.flatnonzero(model.coef_)), powers)


def margin_sparse(X: ArrayLike, y: ArrayLike, tau: int) -> FloatArray:
    """The sparse halfspace of largest margin, by a mixed-integer program that proves its answer."""
    with needs("cvxpy with HiGHS", extra="learners"):
        import cvxpy
        from cvxpy import HIGHS  # there from cvxpy 1.6 on

    cp: Any = cvxpy
    rows, labels, tau = _design(X, y, tau)
    rows = in_units(rows, common=True)[0]
    w, margin = cp.Variable(rows.shape[1]), cp.Variable()
    used = cp.Variable(rows.shape[1], boolean=True)
    constraints = [cp.multiply(labels, rows @ w) >= margin, cp.abs(w) <= used, cp.sum(used) <= tau]
    # without heuristics, which print to the terminal; the answer is proved either way
    cp.Problem(cp.Maximize(margin), constraints).solve(solver=HIGHS, mip_heuristic_effort=0.0)
    if margin.value is None or margin.value <= 1e-9:
        raise ValueError(f"y: expected labels that some {tau}-sparse halfspace fits, got labels that none fits")
    return unit(np.where(np.asarray(used.value) > 0.5, np.asarray(w.value), 0.0))


#: All sparse learners by name.
SPARSE_LEARNERS: dict[str, SparseLearner] = {
    "enumeration": enumerated_sparse,
    "L1 logistic": l1_sparse,
    "matching pursuit": matching_pursuit_sparse,
    "integer program": margin_sparse,
}
