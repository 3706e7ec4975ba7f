"""Learners of one task: from labelled examples to a unit vector, all behind one interface (Section 3)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, needs
from lifelong.halfspaces.angles import unit

#: From examples and labels to a unit vector.
Learner = Callable[[FloatArray, NDArray[Any]], FloatArray]


class NotSeparableError(ValueError):
    """A learner was given labels that no halfspace fits, and needs one; or labels that tell it no direction at all."""


def logistic_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit normal of a halfspace fitted by logistic regression, so weakly regularised that it errs as a hard margin."""
    rows, powers = in_units(np.asarray(X, dtype=np.float64))
    w = _logistic(*two_classes(rows, np.asarray(y, dtype=np.float64)), C=1e4, max_iter=2000)
    return direction(from_units(w, powers))


def few_weights(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """The same for few weights, where Newton's method is fast; every example counts twice, once mirrored."""
    rows, powers = in_units(np.asarray(X, dtype=np.float64))
    examples = mirrored(rows, np.asarray(y, dtype=np.float64))
    w = from_units(_logistic(*examples, C=100.0, solver="newton-cholesky"), powers)
    return unit(w) if w.any() else np.eye(len(w))[0]


def _logistic(rows: FloatArray, labels: FloatArray, **settings: Any) -> FloatArray:
    """Weights of a logistic regression through the origin."""
    with needs("scikit-learn", extra="learners"):
        from sklearn.linear_model import LogisticRegression
    return np.asarray(LogisticRegression(fit_intercept=False, **settings).fit(rows, labels).coef_[0])


def ridge_halfspace(X: ArrayLike, y: ArrayLike, *, penalty: float = 1.0) -> FloatArray:
    """Unit vector along the ridge regression of the labels, where no halfspace need be consistent."""
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    size, n = rows.shape
    if size < n:  # the same vector from the smaller system
        return direction(rows.T @ np.linalg.solve(rows @ rows.T + penalty * np.eye(size), labels))
    return direction(np.linalg.solve(rows.T @ rows + penalty * np.eye(n), rows.T @ labels))


def in_units(rows: FloatArray, *, common: bool = False) -> tuple[FloatArray, NDArray[np.int32]]:
    """The examples with each column in a unit, a power of two, in which its entries are neither tiny nor huge."""
    few = rows[:: max(1, len(rows) // 256)]
    few = few if few.any(axis=0).all() else rows
    if not few.any():
        return rows, np.zeros(rows.shape[1], dtype=np.int32)
    exponents, filled = np.frexp(few)[1].sum(axis=0), (few != 0).sum(axis=0)
    if common:
        exponents, filled = exponents.sum(keepdims=True), filled.sum(keepdims=True)
    powers = np.round(exponents / np.maximum(filled, 1)).astype(np.int32)
    most = powers[filled > 0].max()
    powers = np.where((filled == 0) | (powers < most - 40), most, powers)
    powers = np.broadcast_to(np.where((powers >= -2) & (powers <= 10), 0, powers), rows.shape[1:])
    return np.ldexp(rows, -powers) if powers.any() else rows, powers


def from_units(w: FloatArray, powers: NDArray[np.int32]) -> FloatArray:
    """The direction in the units of the examples as they were given."""
    return np.asarray(np.ldexp(w, powers.min() - powers))


def two_classes(rows: FloatArray, labels: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The examples, with their mirror images where one class is missing: the same halfspaces fit both."""
    return (rows, labels) if (labels != labels[0]).any() else mirrored(rows, labels)


def mirrored(rows: FloatArray, labels: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The examples, each also as its mirror image, with the other label."""
    return np.vstack([rows, -rows]), np.concatenate([labels, -labels])


def direction(w: NDArray[Any]) -> FloatArray:
    """The unit vector along `w`; a zero vector means that the labels told no direction."""
    if not (w.any() and np.isfinite(w).all()):
        raise NotSeparableError("X: expected examples that some halfspace tells apart, got labels that cancel out")
    return unit(w)
