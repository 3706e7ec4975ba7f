"""Least squares of bounded norm in place of the exponentiated gradient: a second oracle of Algorithm 6 (Section 5)."""

from importlib import import_module
from typing import Any

import numpy as np

from lifelong._checks import BoolArray, FloatArray
from lifelong.polynomials.bounds import eg_loss, progressive_error
from lifelong.polynomials.oracles import Gradient
from lifelong.polynomials.polynomial import Polynomial, monomial_values
from lifelong.polynomials.tasks import BlackBox
from lifelong_book.press.extras import needs


def least_squares_l1(X: FloatArray, y: FloatArray, *, bound: float) -> FloatArray:
    """Least squares over weights of L1 norm at most `bound`, as a quadratic programme."""
    with needs("cvxpy", extra="learners"):
        cp: Any = import_module("cvxpy")  # slow to import, and without types
    X = np.asarray(X, dtype=np.float64)
    # w = up - down; the sum of both bounds the L1 norm with no more constraints than variables
    up, down = cp.Variable(X.shape[1], nonneg=True), cp.Variable(X.shape[1], nonneg=True)
    problem = cp.Problem(cp.Minimize(cp.sum_squares(X @ (up - down) - y)), [cp.sum(up) + cp.sum(down) <= bound])
    problem.solve(solver=cp.CLARABEL)
    if up.value is None or down.value is None:
        raise RuntimeError(f"the solver stopped with status {problem.status}")
    return np.asarray(up.value - down.value, dtype=np.float64)


class LeastSquares(Gradient):
    """Learn a linear function by least squares on half of the labels, and certify it on a holdout."""

    def __init__(self) -> None: ...

    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """Fit weights to one sample and test them on another."""
        X, y = task.examples(max(1, int(np.ceil(eg_loss(len(features), bound=bound) / epsilon / 2))))
        weights = least_squares_l1(monomial_values(features, X).astype(np.float64), y, bound=bound)
        weights = weights * (bound / max(float(np.abs(weights).sum()), bound))  # exactly within the norm
        # a tenth of the error is for the solver and for what half of the labels leave open
        holdout = progressive_error(0.0, 1, bound=bound, delta=delta) / (0.9 * epsilon)
        X, y = task.examples(max(1, int(np.ceil(holdout))))
        residuals = monomial_values(features, X) @ weights - y
        fits = self._certified(float(residuals @ residuals), len(y), bound=bound, epsilon=epsilon, delta=delta)
        return Polynomial(features, weights) if fits else None
