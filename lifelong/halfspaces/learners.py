"""Learners of one task: from labelled examples to a hypothesis, all behind one interface (Section 3).

A learner of halfspaces is a callable that takes examples X, shape (size, n), and their labels y, and returns a unit
vector. The online algorithms get such a callable as an argument, so what they need of it is what this module promises.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, integer, needs, number, real_array
from lifelong._contracts import checked
from lifelong.halfspaces.angles import _reject, orthonormal_rows, unit
from lifelong.halfspaces.tasks import signs

__all__ = [
    "LEARNERS",
    "NotSeparableError",
    "averaging_halfspace",
    "hard_margin_halfspace",
    "least_squares_halfspace",
    "linear_program_halfspace",
    "logistic_halfspace",
    "perceptron_halfspace",
    "ridge_halfspace",
]


@checked
def ridge_halfspace(X: ArrayLike, y: ArrayLike, *, penalty: float = 1.0) -> FloatArray:
    """Unit vector along the ridge regression of the labels.

    Parameters
    ----------
    X : array_like, shape (size, n), real
    y : array_like, shape (size,), values -1 and 1
    penalty : float, default 1
        Weight of the squared norm, against the sum of squared residuals; positive.

    Returns
    -------
    float64, shape (n,)

    Raises
    ------
    ValueError
        If the arrays are not as described or `penalty` is not positive.

    Notes
    -----
    A learner for `algo-one` where no halfspace is consistent. Up to its length it is linear in the labels.

    Examples
    --------
    >>> print(ridge_halfspace([[1.0, 0.0], [0.0, 1.0]], [1, 1]).round(4))
    [0.7071 0.7071]
    """
    rows, labels = real_array("X", X, axes=2), real_array("y", y)
    if rows.ndim != 2 or labels.shape != (len(rows),):
        raise ValueError(f"y: expected one label for each row of X, got shapes {labels.shape} and {rows.shape}")
    weight = number("penalty", penalty, low=0.0, high=np.inf, open_low=True, open_high=True)
    size, n = rows.shape
    if np.abs(rows).max(initial=0.0) > 1e150 or np.abs(labels).max(initial=0.0) > 1e150:
        raise ValueError("X, y: expected entries of at most 1e150, whose squares are numbers, got larger ones")
    if size < n:  # the same vector from the smaller system
        w = rows.T @ np.linalg.solve(rows @ rows.T + weight * np.eye(size), labels)
    else:
        w = np.linalg.solve(rows.T @ rows + weight * np.eye(n), rows.T @ labels)
    return _direction(np.asarray(w, dtype=np.float64))


#: From examples and labels to a unit vector.
Learner = Callable[[FloatArray, NDArray[Any]], FloatArray]


class NotSeparableError(ValueError):
    """A learner was given labels that no halfspace fits, and needs one; or labels that tell it no direction at all.

    Notes
    -----
    `algo-one` tries the span of the features first, where the best hypothesis usually errs: there a learner may fail,
    and the span is refused.

    Examples
    --------
    >>> issubclass(NotSeparableError, ValueError)
    True
    """


def logistic_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit normal of a halfspace fitted by weakly regularised logistic regression.

    Parameters
    ----------
    X : array_like, shape (size, n), real
    y : array_like, shape (size,), values -1 and 1

    Returns
    -------
    float64, shape (n,)
        A unit vector. On separable data the error is about n / (2 size) for a Gaussian law, as for a hard margin.
        That lasts to about 1000 n examples; beyond, the regularisation shows and the error falls more slowly.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix with a nonzero entry, or `y` does not hold one label -1 or 1 for each row.
    NotSeparableError
        If the labels cancel out: to the accuracy of the fit they tell no direction.

    Notes
    -----
    One way to learn a single target of `algo-one` "using the original features". It needs no separable data, so it
    serves in the span of the features too. The weight of the regularisation suits entries of about 1: a column whose
    entries are smaller than an eighth, or larger than a thousand, is measured in a unit of its own, a power of two.

    Examples
    --------
    >>> w = logistic_halfspace(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1, -1]))
    >>> print(abs(np.round(w, 6)))
    [1. 0.]
    """
    with needs("scikit-learn", extra="learners"):
        from sklearn.linear_model import LogisticRegression

    rows, labels = _examples(X, y)
    rows, powers = in_units(rows)
    model = LogisticRegression(C=1e4, fit_intercept=False, max_iter=2000).fit(*_two_classes(rows, labels))
    return _direction(from_units(np.asarray(model.coef_[0]), powers))


def hard_margin_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit normal of the halfspace of largest margin: a support vector machine without slack.

    Parameters
    ----------
    X : array_like, shape (size, n), real
    y : array_like, shape (size,), values -1 and 1

    Returns
    -------
    float64, shape (n,)
        The unit vector whose least distance to an example, on the right side, is largest.

    Raises
    ------
    ValueError
        If `X` or `y` is not as described.
    NotSeparableError
        If no halfspace through the origin gives the labels.

    Notes
    -----
    One way to learn a single target of `algo-one`. The quadratic programme is solved with cvxpy.

    Examples
    --------
    >>> X = np.array([[2.0, 0.0], [0.0, 1.0]])
    >>> print(np.round(hard_margin_halfspace(X, [1, 1]), 4))
    [0.4472 0.8944]
    """
    with needs("cvxpy", extra="learners"):
        import cvxpy as cp

    rows, labels = _examples(X, y)
    rows = in_units(rows, common=True)[0]
    w = cp.Variable(rows.shape[1])
    margins: Any = (labels[:, None] * rows) @ w
    problem = cp.Problem(cp.Minimize(cp.norm2(w)), [margins >= 1])  # type: ignore[attr-defined]
    with suppress(cp.SolverError):  # raised on some data that are separable by less than its tolerance
        problem.solve(solver=cp.CLARABEL)  # type: ignore[no-untyped-call]
    return _consistent(rows, labels, w.value)


def linear_program_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit normal of a consistent halfspace, found by a linear programme.

    Parameters
    ----------
    X : array_like, shape (size, n), real
    y : array_like, shape (size,), values -1 and 1

    Returns
    -------
    float64, shape (n,)
        A unit vector. Before it is normalised its entries lie in [-1, 1] and maximise the least y (w.x); of several
        such vectors it is the one that the solver finds.

    Raises
    ------
    ValueError
        If `X` or `y` is not as described.
    NotSeparableError
        If no halfspace through the origin gives the labels.

    Notes
    -----
    One way to learn a single target of `algo-one`. The programme is solved by HiGHS.

    Examples
    --------
    >>> X = np.array([[1.0, 1.0], [1.0, -1.0]])
    >>> print(abs(np.round(linear_program_halfspace(X, [1, 1]), 4)))
    [1. 0.]
    """
    rows, labels = _examples(X, y)
    rows = in_units(rows, common=True)[0]
    w, weights = _most_slack(rows, labels, np.ones(len(rows)))
    return _consistent(rows, labels, w, weights=weights)


def perceptron_halfspace(X: ArrayLike, y: ArrayLike, *, passes: int = 2000) -> FloatArray:
    """Unit normal of a halfspace found by the perceptron, run until it is consistent.

    Parameters
    ----------
    X : array_like, shape (size, n), real
    y : array_like, shape (size,), values -1 and 1
    passes : int, default 2000
        How often to go through the examples at most, rounded up to tens.

    Returns
    -------
    float64, shape (n,)
        A unit vector that gives all the labels.

    Raises
    ------
    ValueError
        If `X` or `y` is not as described, or `passes` is not a positive integer.
    NotSeparableError
        If it is not consistent after so many passes: no halfspace is, or the margin is too small for them.

    Notes
    -----
    One way to learn a single target of `algo-one`. The order of the examples is shuffled anew in each pass, from
    a fixed seed.

    Examples
    --------
    >>> w = perceptron_halfspace(np.array([[2.0, 0.0], [0.0, 1.0]]), [1, 1])
    >>> bool((w > 0).all())
    True
    """
    with needs("scikit-learn", extra="learners"):
        from sklearn.linear_model import Perceptron

    rows, labels = _examples(X, y)
    rows = in_units(rows, common=True)[0]
    shuffles = np.random.RandomState(0)  # what scikit-learn takes
    together = 10  # passes between two looks; once it is consistent a pass changes nothing
    model = Perceptron(fit_intercept=False, max_iter=together, tol=None, warm_start=True, random_state=shuffles)
    for _ in range(0, integer("passes", passes, least=1), together):
        w = model.fit(*_two_classes(rows, labels)).coef_[0]
        if (signs(rows, w) == labels).all():
            break
    return _consistent(rows, labels, w, otherwise=False)


def averaging_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit vector along the mean of y x.

    Parameters
    ----------
    X : array_like, shape (size, n), real
    y : array_like, shape (size,), values -1 and 1

    Returns
    -------
    float64, shape (n,)
        A unit vector. Its error falls like the root of n / size only.

    Raises
    ------
    ValueError
        If `X` or `y` is not as described.
    NotSeparableError
        If the mean is zero.

    Notes
    -----
    A learner that is too slow for `algo-one`: shown for comparison. Under a Gaussian law the expectation of y x is
    parallel to the target; under other laws it is not.

    Examples
    --------
    >>> print(averaging_halfspace(np.array([[4.0, 1.0], [-4.0, 5.0]]), [1, -1]))
    [ 0.89442719 -0.4472136 ]
    """
    rows, labels = _examples(X, y)
    return _direction(labels @ in_units(rows, common=True)[0] / len(rows))


@checked
def least_squares_halfspace(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Unit vector along the least-squares fit of the labels.

    Parameters
    ----------
    X : array_like, shape (size, n), real
    y : array_like, shape (size,), values -1 and 1

    Returns
    -------
    float64, shape (n,)
        A unit vector. Its error falls like the root of n / size only.

    Raises
    ------
    ValueError
        If `X` or `y` is not as described.
    NotSeparableError
        If the fit is zero.

    Notes
    -----
    A learner that is too slow for `algo-one`: shown for comparison.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
    >>> print(least_squares_halfspace(X, [1, -1, 1]).round(4))
    [0.7071 0.7071]
    """
    rows, labels = _examples(X, y)
    # the direction does not depend on the unit of the examples; halves of a power of two are exact
    rows = np.ldexp(rows, -int(np.frexp(np.abs(rows).max())[1]))
    _direction(labels @ rows)  # where this is zero so is the fit, but for rounding
    return _direction(np.asarray(np.linalg.lstsq(rows, labels, rcond=None)[0]))


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
    if rows.ndim != 2 or not rows.any():
        raise ValueError(f"X: expected shape (size, n) with some nonzero entry, got shape {rows.shape}")
    given = f"shape {labels.shape}" if labels.shape != (len(rows),) else ""
    if not given and np.asarray(y).dtype == np.bool_:
        given = "booleans: np.where(y, 1, -1) turns them into labels"
    if not given and not (np.abs(labels) == 1).all():
        given = f"a label {labels[np.abs(labels) != 1][0]:g}"
    if given:
        raise ValueError(f"y: expected {len(rows)} labels -1 or 1, got {given}")
    return rows, labels


def in_units(rows: FloatArray, *, common: bool = False) -> tuple[FloatArray, NDArray[np.int32]]:
    """The examples with each column in a unit, a power of two, in which its entries are neither tiny nor huge.

    Where they are neither already, or in a common unit would be, nothing is changed: so every digit stays. The size of
    a column is the geometric mean of what is not zero in it, which a few large entries do not decide. A column that is
    less than 2^-40 of another one holds rounding and stays small. A few hundred rows tell.
    """
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
    restored: FloatArray = np.ldexp(w, powers.min() - powers)
    return restored


def _two_classes(rows: FloatArray, labels: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The examples, with their mirror images where one class is missing.

    A halfspace through the origin labels -x opposite to x, but scikit-learn refuses to fit one class.
    """
    if (labels != labels[0]).any():
        return rows, labels
    return np.vstack([rows, -rows]), np.concatenate([labels, -labels])


def _direction(w: FloatArray) -> FloatArray:
    """The unit vector along `w`; a zero vector means that the labels told no direction."""
    if not (w.any() and np.isfinite(w).all()):
        raise NotSeparableError("X: expected examples that some halfspace tells apart, got labels that cancel out")
    return unit(w)


def _gives(rows: FloatArray, labels: FloatArray, w: Any) -> bool:
    """Whether what a solver found is a vector that gives all the labels."""
    return w is not None and bool(np.any(w)) and bool((signs(rows, w) == labels).all())


def _consistent(
    rows: FloatArray, labels: FloatArray, w: Any, *, weights: FloatArray | None = None, otherwise: bool = True
) -> FloatArray:
    """The unit vector along what a solver found, if it gives all the labels; else along another one that does.

    Examples of label 1 may lie on the boundary, where the sign is 1: where they must, hardly a solver finds the vector.
    `weights` may refute that there is any. If not `otherwise`, only a vector is found that must have such examples.
    """
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
    """Whether weights, none negative, balance the y x, and an example of label -1 has one: then no vector gives them.

    For the products y (w.x) are at least 0 and their weighted sum is 0, so those with a weight are 0.
    """
    balance = np.linalg.norm((weights * labels) @ rows) <= 1e-9 * (weights @ np.linalg.norm(rows, axis=1))
    return bool(balance and weights[labels < 0].sum() > 1e-6 * weights.sum())


def _most_slack(
    rows: FloatArray, labels: FloatArray, counts: FloatArray, along: FloatArray | None = None
) -> tuple[FloatArray | None, FloatArray]:
    """The vector of [-1, 1]^n for which the slack s is largest, where y (w.x) >= s of those that count, else >= 0.

    Or, `along` a vector, the one that goes farthest. Beside it the weights of the examples in the dual programme.
    """
    from scipy.optimize import linprog

    n = rows.shape[1]
    constraints = np.hstack([-labels[:, None] * rows, counts[:, None]])
    goal = np.append(np.zeros(n), -1.0) if along is None else np.append(-along, 0.0)
    solved = linprog(goal, constraints, np.zeros(len(rows)), bounds=[(-1, 1)] * n + [(0, None)])
    if solved.x is None:
        return None, np.zeros(len(rows))
    return np.asarray(solved.x[:n]), np.maximum(-np.asarray(solved.ineqlin.marginals), 0.0)


def _touching(rows: FloatArray, labels: FloatArray) -> FloatArray | None:
    """A consistent vector with examples of label 1 on its boundary, to the accuracy of doubles, if there is one.

    The rows have length 1 or 0.
    """
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
        w = _reject(w, orthonormal_rows(rows[near]))
        margins = rows @ (w / np.linalg.norm(w)) if np.abs(w).max() > 1e-7 else np.full(len(rows), -1.0)
        rounding = 4 * rows.shape[1] * np.finfo(np.float64).eps
        if (margins[negative] < -rounding).all() and (margins[~negative] >= -rounding).all():
            return w
    return None
