"""Learners of one task: in short the one that `lifelong` uses unless another is named, and others (Section 3)."""

from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, integer, real_array
from lifelong.halfspaces.angles import unit
from lifelong.halfspaces.learners import Learner, NotSeparableError, direction, logistic_halfspace
from lifelong.halfspaces.learners import logistic as library_logistic
from lifelong.halfspaces.tasks import signs
from lifelong_book.press.extras import needs


def logistic(X: FloatArray, y: Any) -> FloatArray:
    """Algorithm 1's learner in short: the unit normal of least logistic loss, by Newton's method, with numpy alone."""
    Z, w, penalty = y[:, None] * X, np.zeros(X.shape[1]), 0.01
    for _ in range(40):
        p = 1 / (1 + np.exp(np.minimum(Z @ w, 500)))  # chance to err
        S = np.sqrt(p * (1 - p))[:, None] * Z
        H = S.T @ S + penalty * np.eye(len(w))
        step = np.linalg.solve(H, p @ Z - penalty * w)
        w = w + step
        if np.linalg.norm(step) < 0.1 * np.linalg.norm(w):
            break
    return w / np.linalg.norm(w)


def hard_margin_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Another learner for Algorithm 1: unit normal of largest margin, a support vector machine without slack."""
    with needs("cvxpy", extra="learners"):
        import cvxpy as cp

    rows, labels = _examples(X, y)
    w = cp.Variable(rows.shape[1])
    margins: Any = (labels[:, None] * rows) @ w
    problem = cp.Problem(cp.Minimize(cp.norm2(w)), [margins >= 1])  # type: ignore[attr-defined]
    with suppress(cp.SolverError):  # raised on some data that are separable by less than its tolerance
        problem.solve(solver=cp.CLARABEL)  # type: ignore[no-untyped-call]
    return _consistent(rows, labels, w.value)


def linear_program_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """One of the other learners of Algorithm 1's chapter: a consistent halfspace, by a linear programme."""
    rows, labels = _examples(X, y)
    return _consistent(rows, labels, _most_slack(rows, labels))


def perceptron_halfspace(X: ArrayLike, y: ArrayLike, *, passes: int = 2000) -> FloatArray:
    """Another learner for Algorithm 1: unit normal found by the perceptron, run until it is consistent."""
    with needs("scikit-learn", extra="learners"):
        from sklearn.linear_model import Perceptron

    rows, labels = _examples(X, y)
    shuffles = np.random.RandomState(0)  # what scikit-learn takes
    together = 10  # passes between two looks; once it is consistent a pass changes nothing
    model = Perceptron(fit_intercept=False, max_iter=together, tol=None, warm_start=True, random_state=shuffles)
    both = rows, labels
    if (labels == labels[0]).all():  # scikit-learn wants two classes: the same halfspaces fit the mirror images
        both = np.vstack([rows, -rows]), np.concatenate([labels, -labels])
    for _ in range(0, integer("passes", passes, least=1), together):
        w = model.fit(*both).coef_[0]
        if (signs(rows, w) == labels).all():
            break
    return _consistent(rows, labels, w, otherwise=False)


def averaging_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """One of the other learners of Algorithm 1's chapter: the unit vector along the mean of y x."""
    rows, labels = _examples(X, y)
    return direction(labels @ rows / len(rows))


def least_squares_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Another learner for Algorithm 1: the unit vector along the least-squares fit of the labels."""
    rows, labels = _examples(X, y)
    direction(labels @ rows)  # where this is zero so is the fit, but for rounding
    return direction(np.asarray(np.linalg.lstsq(rows, labels, rcond=None)[0]))


def patient_logistic(X: FloatArray, y: NDArray[np.int64]) -> FloatArray:
    """Learner for Algorithm 1 from samples: logistic regression, regularised so little that a million labels help."""
    return unit(library_logistic(X, y, C=1e6, tolerance=1e-6))


def in_bands(X: FloatArray, y: NDArray[np.int64], *, steps: int = 6, width: float = 1.0) -> FloatArray:
    """Learner for Algorithm 1 from samples: logistic regression, again in ever narrower bands around its boundary."""
    w = logistic_halfspace(X, y)
    for step in range(steps):
        near = np.abs(X @ w) <= width * 0.6**step
        w = logistic_halfspace(X[near], y[near])
    return w


#: The learners of one halfspace by name.
LEARNERS: dict[str, Learner] = {
    "logistic": logistic_halfspace,
    "hard margin": hard_margin_halfspace,
    "linear programme": linear_program_halfspace,
    "perceptron": perceptron_halfspace,
    "least squares": least_squares_halfspace,
    "averaging": averaging_halfspace,
}


def _examples(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Examples and labels as float64, checked."""
    rows, labels = real_array("X", X, axes=2), real_array("y", y)
    if labels.shape != (len(rows),) or not (np.abs(labels) == 1).all():
        raise ValueError(f"y: expected {len(rows)} labels -1 or 1, got shape {labels.shape}")
    return rows, labels


def _consistent(rows: FloatArray, labels: FloatArray, w: Any, *, otherwise: bool = True) -> FloatArray:
    """The unit vector along what a solver found, if it gives all the labels; else along that of most slack, if so."""

    def fits() -> bool:
        return w is not None and bool(np.any(w) and (signs(rows, w) == labels).all())

    if otherwise and not fits():
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        w = _most_slack(rows / np.where(lengths > 0, lengths, 1.0), labels)
    if fits():
        return unit(np.asarray(w))
    raise NotSeparableError("y: expected labels that a halfspace tells apart, no example on its boundary, found none")


def _most_slack(rows: FloatArray, labels: FloatArray) -> FloatArray | None:
    """The vector of [-1, 1]^n for which the slack s is largest, where y (w.x) >= s."""
    from scipy.optimize import linprog

    n = rows.shape[1]
    constraints = np.hstack([-labels[:, None] * rows, np.ones((len(rows), 1))])
    solved = linprog(np.append(np.zeros(n), -1.0), constraints, np.zeros(len(rows)), bounds=[(-1, 1)] * n + [(0, None)])
    return None if solved.x is None else np.asarray(solved.x[:n])
