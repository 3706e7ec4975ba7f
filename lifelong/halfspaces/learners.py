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
from lifelong.halfspaces.angles import unit
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
    serves in the span of the features too.

    Examples
    --------
    >>> w = logistic_halfspace(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1, -1]))
    >>> print(abs(np.round(w, 6)))
    [1. 0.]
    """
    with needs("scikit-learn", extra="learners"):
        from sklearn.linear_model import LogisticRegression

    rows, labels = _examples(X, y)
    model = LogisticRegression(C=1e4, fit_intercept=False, max_iter=2000).fit(*_two_classes(rows, labels))
    return _direction(np.asarray(model.coef_[0]))


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
    from scipy.optimize import linprog

    rows, labels = _examples(X, y)
    n = rows.shape[1]
    # maximise the slack s in y (w.x) >= s
    constraints = np.hstack([-labels[:, None] * rows, np.ones((len(rows), 1))])
    solved = linprog(np.append(np.zeros(n), -1.0), constraints, np.zeros(len(rows)), bounds=[(-1, 1)] * n + [(0, None)])
    return _consistent(rows, labels, None if solved.x is None else solved.x[:n])


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
    shuffles = np.random.RandomState(0)  # what scikit-learn takes
    together = 10  # passes between two looks; once it is consistent a pass changes nothing
    model = Perceptron(fit_intercept=False, max_iter=together, tol=None, warm_start=True, random_state=shuffles)
    for _ in range(0, integer("passes", passes, least=1), together):
        w = model.fit(*_two_classes(rows, labels)).coef_[0]
        if (signs(rows, w) == labels).all():
            break
    return _consistent(rows, labels, w)


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
    return _direction(labels @ rows / len(rows))


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
    _direction(labels @ rows)  # where this is zero so is the fit, but for rounding
    # the direction does not depend on the unit of the examples; halves of a power of two are exact
    rows = np.ldexp(rows, -int(np.frexp(np.abs(rows).max())[1]))
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
    if labels.shape != (len(rows),) or np.asarray(y).dtype == np.bool_ or not (np.abs(labels) == 1).all():
        raise ValueError(f"y: expected {len(rows)} labels -1 or 1, got shape {labels.shape}")
    return rows, labels


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


def _consistent(rows: FloatArray, labels: FloatArray, w: Any) -> FloatArray:
    """The unit vector along what a solver found, if it gives all the labels."""
    if w is None or not np.any(w) or not (signs(rows, w) == labels).all():
        raise NotSeparableError("y: expected labels of a halfspace through the origin, got none consistent with them")
    return unit(np.asarray(w))
