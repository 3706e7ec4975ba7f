"""Other learners of one task, beside the one that `lifelong` uses unless another is named (Section 3)."""

from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, integer, real_array
from lifelong.halfspaces.angles import orthonormal_rows, reject, unit
from lifelong.halfspaces.learners import Learner, NotSeparableError, direction, logistic_halfspace
from lifelong.halfspaces.tasks import signs
from lifelong_book.press.extras import needs


def _in_one_unit(rows: FloatArray) -> FloatArray:
    """The examples in a unit, a power of two, in which their entries are neither tiny nor huge."""
    power = int(np.frexp(np.abs(rows).max(initial=0.0))[1])
    return rows if -2 <= power <= 10 else np.ldexp(rows, -power)


def hard_margin_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit normal of the halfspace of largest margin: a support vector machine without slack."""
    with needs("cvxpy", extra="learners"):
        import cvxpy as cp

    rows, labels = _examples(X, y)
    rows = _in_one_unit(rows)
    w = cp.Variable(rows.shape[1])
    margins: Any = (labels[:, None] * rows) @ w
    problem = cp.Problem(cp.Minimize(cp.norm2(w)), [margins >= 1])  # type: ignore[attr-defined]
    with suppress(cp.SolverError):  # raised on some data that are separable by less than its tolerance
        problem.solve(solver=cp.CLARABEL)  # type: ignore[no-untyped-call]
    return _consistent(rows, labels, w.value)


def linear_program_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit normal of a consistent halfspace, found by a linear programme."""
    rows, labels = _examples(X, y)
    rows = _in_one_unit(rows)
    w, weights = _most_slack(rows, labels, np.ones(len(rows)))
    return _consistent(rows, labels, w, weights=weights)


def perceptron_halfspace(X: ArrayLike, y: ArrayLike, *, passes: int = 2000) -> FloatArray:
    """Unit normal of a halfspace found by the perceptron, run until it is consistent."""
    with needs("scikit-learn", extra="learners"):
        from sklearn.linear_model import Perceptron

    rows, labels = _examples(X, y)
    rows = _in_one_unit(rows)
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
    """Unit vector along the mean of y x."""
    rows, labels = _examples(X, y)
    return direction(labels @ _in_one_unit(rows) / len(rows))


def least_squares_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit vector along the least-squares fit of the labels."""
    rows, labels = _examples(X, y)
    # the direction does not depend on the unit of the examples; halves of a power of two are exact
    rows = np.ldexp(rows, -int(np.frexp(np.abs(rows).max())[1]))
    direction(labels @ rows)  # where this is zero so is the fit, but for rounding
    return direction(np.asarray(np.linalg.lstsq(rows, labels, rcond=None)[0]))


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
    rows = real_array("X", X, axes=2)
    labels = real_array("y", y)
    given = f"shape {labels.shape}" if labels.shape != (len(rows),) else ""
    if not given and np.asarray(y).dtype == np.bool_:
        given = "booleans: np.where(y, 1, -1) turns them into labels"
    if not given and not (np.abs(labels) == 1).all():
        given = f"a label {labels[np.abs(labels) != 1][0]:g}"
    if given:
        raise ValueError(f"y: expected {len(rows)} labels -1 or 1, got {given}")
    return rows, labels


def _gives(rows: FloatArray, labels: FloatArray, w: Any) -> bool:
    """Whether what a solver found is a vector that gives all the labels."""
    return w is not None and bool(np.any(w)) and bool((signs(rows, w) == labels).all())


def _consistent(
    rows: FloatArray, labels: FloatArray, w: Any, *, weights: FloatArray | None = None, otherwise: bool = True
) -> FloatArray:
    """The unit vector along what a solver found, if it gives all the labels; else along another one that does."""
    if _gives(rows, labels, w):
        return unit(np.asarray(w))
    found = None
    if weights is None or not _refuted(rows, labels, weights):
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows = rows / np.where(lengths > 0, lengths, 1.0)
        strict, weights = _most_slack(rows, labels, np.ones(len(rows)))
        if not (_gives(rows, labels, strict) or _refuted(rows, labels, weights)):
            found = _touching(rows, labels)
        elif strict is not None and (otherwise or (labels * (rows @ strict)).min() <= 1e-9):
            found = strict if _gives(rows, labels, strict) else None
    if found is None:
        raise NotSeparableError("y: expected labels of a halfspace through the origin, got none consistent with them")
    return unit(found)


def _refuted(rows: FloatArray, labels: FloatArray, weights: FloatArray) -> bool:
    """Whether weights, none negative, balance the y x, one of label -1 among them: then no vector gives them."""
    balance = np.linalg.norm((weights * labels) @ rows) <= 1e-9 * (weights @ np.linalg.norm(rows, axis=1))
    return bool(balance and weights[labels < 0].sum() > 1e-6 * weights.sum())


def _most_slack(
    rows: FloatArray, labels: FloatArray, counts: FloatArray, along: FloatArray | None = None
) -> tuple[FloatArray | None, FloatArray]:
    """The vector of [-1, 1]^n for which the slack s is largest, where y (w.x) >= s of those that count, else >= 0."""
    from scipy.optimize import linprog

    n = rows.shape[1]
    constraints = np.hstack([-labels[:, None] * rows, counts[:, None]])
    goal = np.append(np.zeros(n), -1.0) if along is None else np.append(-along, 0.0)
    solved = linprog(goal, constraints, np.zeros(len(rows)), bounds=[(-1, 1)] * n + [(0, None)])
    if solved.x is None:
        return None, np.zeros(len(rows))
    return np.asarray(solved.x[:n]), np.maximum(-np.asarray(solved.ineqlin.marginals), 0.0)


def _touching(rows: FloatArray, labels: FloatArray) -> FloatArray | None:
    """A consistent vector with examples of label 1 on its boundary, to the accuracy of doubles, if there is one."""
    negative = labels < 0
    if negative.any():
        tried = iter([_most_slack(rows, labels, negative.astype(np.float64))])
    else:  # any vector but zero will do, and no fixed direction in general position is orthogonal to it
        general = np.random.default_rng(0).standard_normal(rows.shape[1:])
        tried = (_most_slack(rows, labels, np.zeros(len(rows)), along) for along in (general, -general))
    for w, _ in tried:
        if w is None or np.abs(w).max() < 1e-7:
            continue
        near = ~negative & (np.abs(rows @ w) <= 1e-7)
        w = reject(w, orthonormal_rows(rows[near]))
        margins = rows @ (w / np.linalg.norm(w)) if np.abs(w).max() > 1e-7 else np.full(len(rows), -1.0)
        rounding = 4 * rows.shape[1] * np.finfo(np.float64).eps
        if (margins[negative] < -rounding).all() and (margins[~negative] >= -rounding).all():
            return w
    return None
