"""Learners of one task: from labelled examples to a unit vector, all behind one interface (Section 3)."""

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray
from lifelong.halfspaces.angles import unit

__all__ = ["Learner", "NotSeparableError", "few_weights", "logistic", "logistic_halfspace", "ridge_halfspace"]

#: From examples and labels to a unit vector.
Learner = Callable[[FloatArray, NDArray[Any]], FloatArray]


class NotSeparableError(ValueError):
    """A learner was given labels that no halfspace fits, and needs one; or labels that tell it no direction at all."""


def logistic_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit normal of a halfspace fitted by logistic regression, so weakly regularised that it errs as a hard margin."""
    rows, powers = in_units(np.asarray(X, dtype=np.float64))
    return direction(_from_units(logistic(rows, np.asarray(y), C=1e4), powers))


def few_weights(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Learner of few weights: logistic regression, less weakly regularised; the first axis if labels tell nothing."""
    rows, powers = in_units(np.asarray(X, dtype=np.float64))
    w = _from_units(logistic(rows, np.asarray(y), C=200.0), powers)
    return unit(w) if w.any() else np.eye(len(w))[0]


def logistic(X: FloatArray, y: NDArray[Any], C: float, *, tolerance: float = 1e-4) -> FloatArray:
    """Logistic regression: w of least ``|w|^2 / 2 + C sum ln(1 + exp(-y w.x))``, until the mean gradient is small."""
    Z = X * y[:, None]
    w, margins = np.zeros(Z.shape[1]), np.zeros(len(Z))
    gradient, now = -Z.sum(axis=0) / 2, len(Z) * log(2)
    past: list[tuple[FloatArray, FloatArray]] = []  # steps, changes of the gradient
    while np.abs(gradient).max() > tolerance * len(Z):
        step = -4 / len(Z) * gradient
        if past:
            step = -_newton(gradient, past)
        along, before = Z @ step, now
        while (now := cost(w + step, margins + along, C)) >= before:
            step, along = step / 2, along / 2
            if (w + step == w).all():  # as low as doubles go
                return w
        w, margins, old = w + step, margins + along, gradient
        chance = (1 - np.tanh(margins / 2)) / 2  # 1 / (1 + exp(margin))
        gradient = w / C - Z.T @ chance
        past = [*past[-9:], (step, gradient - old)]
    return w


def cost(w: FloatArray, margins: FloatArray, C: float) -> float:
    """What a logistic regression minimises, divided by C."""
    return float(w @ w / (2 * C) + np.logaddexp(0, -margins).sum())


def _newton(g: FloatArray, past: list[tuple[FloatArray, FloatArray]]) -> FloatArray:
    """About the inverse Hessian times g, by the two loops of L-BFGS over the last steps s and changes v."""
    q, weights = g.copy(), []
    for s, v in reversed(past):
        weights.append(s @ q / (s @ v))
        q -= weights[-1] * v
    s, v = past[-1]
    q *= s @ v / (v @ v)
    for s, v in past:
        q += (weights.pop() - v @ q / (s @ v)) * s
    return q


def ridge_halfspace(X: ArrayLike, y: ArrayLike, *, penalty: float = 1.0) -> FloatArray:
    """Unit vector along the ridge regression of the labels, where no halfspace need be consistent."""
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    size, n = rows.shape
    if size < n:  # the same vector from the smaller system
        return direction(rows.T @ np.linalg.solve(rows @ rows.T + penalty * np.eye(size), labels))
    return direction(np.linalg.solve(rows.T @ rows + penalty * np.eye(n), rows.T @ labels))


def in_units(rows: FloatArray) -> tuple[FloatArray, NDArray[np.int32]]:
    """Examples as a learner takes them: each column in a unit, a power of two, its entries neither tiny nor huge."""
    few = rows[:: max(1, len(rows) // 256)]
    few = few if few.any(axis=0).all() else rows
    if not few.any():
        return rows, np.zeros(rows.shape[1], dtype=np.int32)
    exponents, filled = np.frexp(few)[1].sum(axis=0), (few != 0).sum(axis=0)
    powers = np.round(exponents / np.maximum(filled, 1)).astype(np.int32)
    most = powers[filled > 0].max()
    powers = np.where((filled == 0) | (powers < most - 40), most, powers)
    powers = np.where((powers >= -2) & (powers <= 10), 0, powers)
    return np.ldexp(rows, -powers) if powers.any() else rows, powers


def _from_units(w: FloatArray, powers: NDArray[np.int32]) -> FloatArray:
    """The direction in the units of the examples as they were given."""
    return np.asarray(np.ldexp(w, powers.min() - powers))


def direction(w: NDArray[Any]) -> FloatArray:
    """What a learner returns: the unit vector along `w`; a zero vector means that the labels told no direction."""
    if not (w.any() and np.isfinite(w).all()):
        raise NotSeparableError("X: expected examples that some halfspace tells apart, got labels that cancel out")
    return unit(w)
