"""Least squares of bounded norm in place of the exponentiated gradient: a second oracle of Algorithm 6 (Section 5)."""

from importlib import import_module
from typing import Any

import numpy as np

from lifelong._checks import BoolArray, FloatArray
from lifelong.polynomials.bounds import progressive_error
from lifelong.polynomials.oracles import Gradient
from lifelong.polynomials.polynomial import Polynomial, monomial_values
from lifelong.polynomials.tasks import BlackBox
from lifelong_book.press.extras import needs


def least_squares_l1(X: FloatArray, y: FloatArray, *, bound: float) -> FloatArray:
    """The fit of another oracle, of Algorithm 6's chapter: least squares over weights of L1 norm at most `bound`."""
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


class Scaled(Gradient):
    """Algorithm 6's oracle whose certificate counts losses `scale` times, and the chance of error for less.

    With c = `scale` the chord of exp(-c z) gives (c total + 4 B^2 ln(1/delta))/(1 - exp(-c))/s; at 1 it is the
    certificate of the library. The number of examples after which the library gives up stays.
    """

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    def _error(self, total: float, examples: int, *, bound: float, delta: float) -> float:
        error = progressive_error(self.scale * total, examples, bound=bound, delta=delta)
        return error * float(np.expm1(-1) / np.expm1(-self.scale))

    def _certified(self, total: float, examples: int, *, bound: float, epsilon: float, delta: float) -> bool:
        return self._error(total, examples, bound=bound, delta=delta) <= epsilon


class LeastSquares(Scaled):
    """Another oracle, of Algorithm 6's chapter: least squares on half of the labels, a certificate on a holdout."""

    def __init__(self, scale: float = 1.0, *, reserve: float = 0.1) -> None:
        super().__init__(scale)
        self.reserve = reserve  # of the error, for the solver and for what half of the labels leave open

    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """Fit weights to one sample, give up if none fit it, and test them on another."""
        first = bound**2 * np.log(2 * len(features)) / epsilon  # 1
        X, y = task.examples(max(1, int(np.ceil(first))))
        values = monomial_values(features, X).astype(np.float64)
        w = least_squares_l1(values, y, bound=bound)
        norm = max(float(np.abs(w).sum()), bound)
        w = w * (bound / norm)  # exactly within the norm
        if ((values @ w - y) ** 2).sum() > 1e-6 * bound**2:  # 2
            return None
        share = (1 - self.reserve) * epsilon
        fresh = self._error(0.0, 1, bound=bound, delta=delta) / share  # 3
        X, y = task.examples(max(1, int(np.ceil(fresh))))
        total = float(((monomial_values(features, X) @ w - y) ** 2).sum())
        error = self._error(total, len(y), bound=bound, delta=delta)
        return Polynomial(features, w) if error <= epsilon else None
