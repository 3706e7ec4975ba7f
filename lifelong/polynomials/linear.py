"""Linear functions of bounded L1 norm, learned for squared error (Section 5).

What the learners of `algo-polynomials` do with a set of features: the exponentiated gradient, whose cost grows
with the logarithm of their number (`prop-eg`, `prop-progressive`), and least squares under the same constraint.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, integer, needs, number, real_array
from lifelong._contracts import checked

__all__ = [
    "ExponentiatedGradient",
    "exponentiated_gradient",
    "least_squares_l1",
]


def _positive(name: str, value: Any) -> float:
    return number(name, value, low=0.0, high=float("inf"), open_low=True)


def _labelled(X: ArrayLike, y: ArrayLike, features: int | None, bound: float) -> tuple[FloatArray, FloatArray]:
    """Check a sample: values of the features in [-1, 1], labels in [-bound, bound]."""
    rows = real_array("X", X, axes=2)
    labels = real_array("y", y, empty=True)
    wanted = "(size, features)" if features is None else f"(size, {features})"
    if rows.ndim != 2 or (features is not None and rows.shape[1] != features):
        raise ValueError(f"X: expected shape {wanted}, got shape {rows.shape}")
    if labels.shape != (len(rows),):
        raise ValueError(f"y: expected shape ({len(rows)},), one label a row of X, got shape {labels.shape}")
    if rows.size and np.abs(rows).max() > 1:
        raise ValueError(f"X: expected features in [-1, 1], got {rows.min():g} to {rows.max():g}")
    if labels.size and np.abs(labels).max() > bound * (1 + 1e-9):
        raise ValueError(f"y: expected labels in [-{bound:g}, {bound:g}], got {labels.min():g} to {labels.max():g}")
    return rows, labels


class ExponentiatedGradient:
    r"""The exponentiated gradient over weights of bounded L1 norm, one example after the other.

    Parameters
    ----------
    features : int
        Number of features N, at least 1; each takes values in [-1, 1].
    bound : float
        The L1 norm B > 0 that the weights may have; labels lie in [-B, B].
    rate : float, optional
        Learning rate; :math:`1/(2B^2)` unless given, the best when some weights fit exactly.

    Attributes
    ----------
    losses : list of float64 arrays
        Squared error of each prediction, made before the label was seen; one array an `update`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    See Also
    --------
    exponentiated_gradient : One pass through a sample.
    lifelong.polynomials.bounds.eg_loss : The loss that it cannot exceed.

    Notes
    -----
    `prop-eg`. Each feature stands for two experts, one that predicts B x and one that predicts -B x; their weights
    are multiplied by :math:`e^{\mp 2\,\mathrm{rate}\,B\,(\hat y-y)\,x}` after each example. With g the sum
    of the exponents of the first of the two, the weight of a feature is :math:`B\sinh g / \sum\cosh g`.
    What is kept is 2 N numbers and the losses, no example.

    References
    ----------
    J. Kivinen and M. K. Warmuth, *Exponentiated Gradient versus Gradient Descent for Linear Predictors*, Information
    and Computation 132, 1997, 1-63.

    Examples
    --------
    >>> learner = ExponentiatedGradient(2, bound=1.0)
    >>> for _ in range(20):
    ...     _ = learner.update([[1, 0], [0, 1]], [1, 0])
    >>> print(np.round(learner.weights, 2) + 0.0, learner.total <= 2 * np.log(4))
    [0.84 0.  ] True
    """

    @checked
    def __init__(self, features: int, *, bound: float, rate: float | None = None) -> None:
        self.features = integer("features", features, least=1)
        self.bound = _positive("bound", bound)
        number("bound", bound, low=1e-100, high=1e100)  # whose squares are numbers
        self.rate = 1 / (2 * self.bound**2) if rate is None else _positive("rate", rate)
        self.losses: list[FloatArray] = []
        self._exponents = np.zeros(self.features)
        self._sum = np.zeros(self.features)

    @property
    def examples(self) -> int:
        """How many examples were seen."""
        return sum(map(len, self.losses))

    @property
    def total(self) -> float:
        """Sum of all losses so far."""
        return float(sum(losses.sum() for losses in self.losses))

    @property
    def current(self) -> FloatArray:
        """Weights of the next prediction: float64, shape (features,), L1 norm at most `bound`."""
        return self._weights(self._exponents)

    @property
    def weights(self) -> FloatArray:
        """Average of the weights of all predictions so far; the current weights before the first."""
        return self._sum / self.examples if self.examples else self.current

    def _weights(self, exponents: FloatArray) -> FloatArray:
        top = np.abs(exponents).max()
        up, down = np.exp(exponents - top), np.exp(-exponents - top)
        weights: FloatArray = (up - down) * (self.bound / (up.sum() + down.sum()))
        return weights

    def update(self, X: ArrayLike, y: ArrayLike) -> FloatArray:
        """Predict, pay and learn, row by row.

        Parameters
        ----------
        X : array_like, shape (size, features), real or bool
            Values of the features, in [-1, 1].
        y : array_like, shape (size,), real
            Labels, in [-bound, bound].

        Returns
        -------
        float64, shape (size,)
            Squared error of each prediction.

        Raises
        ------
        ValueError
            If an argument has another shape or leaves its range.
        """
        rows, labels = _labelled(X, y, self.features, self.bound)
        losses = np.empty(len(rows))
        step = 2 * self.rate * self.bound
        for i, (x, label) in enumerate(zip(rows, labels, strict=True)):
            weights = self._weights(self._exponents)
            self._sum += weights
            residual = weights @ x - label
            self._exponents -= (step * residual) * x
            losses[i] = residual * residual
        self.losses.append(losses)
        return losses


@checked
def exponentiated_gradient(
    X: ArrayLike, y: ArrayLike, *, bound: float, rate: float | None = None
) -> tuple[FloatArray, FloatArray]:
    r"""Average of the exponentiated gradient over one pass through a sample.

    Parameters
    ----------
    X : array_like, shape (s, N), real or bool
        Values of the features, in [-1, 1].
    y : array_like, shape (s,), real
        Labels, in [-bound, bound].
    bound : float
        The L1 norm B > 0 that the weights may have.
    rate : float, optional
        :math:`1/(2B^2)` unless given.

    Returns
    -------
    weights : float64, shape (N,)
        Average of the weights of all predictions, L1 norm at most B.
    losses : float64, shape (s,)
        Squared error of each prediction.

    Raises
    ------
    ValueError
        If an argument has another shape or leaves its range.

    See Also
    --------
    ExponentiatedGradient : The same, one batch after the other.
    least_squares_l1 : Least squares under the same constraint.

    Notes
    -----
    `prop-eg`. If some weights of L1 norm at most B fit the sample exactly, the losses sum to at most
    :math:`2B^2\ln(2N)`, whatever s is (`lifelong.polynomials.bounds.eg_loss`).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((400, 30)) < 0.5
    >>> w, losses = exponentiated_gradient(X, X[:, 0] - 0.5 * X[:, 1], bound=1.5)
    >>> bool(losses.sum() <= 2 * 1.5**2 * np.log(60)), int(np.argmax(w))
    (True, 0)
    """
    rows, labels = _labelled(X, y, None, _positive("bound", bound))
    learner = ExponentiatedGradient(rows.shape[1], bound=bound, rate=rate)
    losses = learner.update(rows, labels)
    return learner.weights, losses


def least_squares_l1(X: ArrayLike, y: ArrayLike, *, bound: float) -> FloatArray:
    """Least squares over weights of bounded L1 norm, as a quadratic programme.

    Parameters
    ----------
    X : array_like, shape (s, N), real or bool
        Values of the features, in [-1, 1].
    y : array_like, shape (s,), real
        Labels, in [-bound, bound].
    bound : float
        The L1 norm B > 0 that the weights may have.

    Returns
    -------
    float64, shape (N,)
        A minimiser, to the accuracy of the solver; which one, where there are several, is the solver's choice.

    Raises
    ------
    ValueError
        If an argument has another shape or leaves its range.
    ImportError
        If cvxpy is not installed (`pip install '.[learners]'`).
    RuntimeError
        If the solver gives up.

    See Also
    --------
    exponentiated_gradient : Linear time, and a bound that holds for every sequence.

    Notes
    -----
    The other way to do step 2(b) of `algo-polynomials`; the programme is solved by `cvxpy` with Clarabel.

    Examples
    --------
    >>> w = least_squares_l1([[1, 0], [0, 1], [1, 1]], [1.0, 0.0, 1.0], bound=1.0)
    >>> print(np.round(w, 2) + 0.0)
    [1. 0.]
    """
    with needs("cvxpy", extra="learners"):
        cp: Any = import_module("cvxpy")  # slow to import, and without types
    bound = _positive("bound", bound)
    rows, labels = _labelled(X, y, None, bound)
    # w = up - down; the sum of both bounds the L1 norm with no more constraints than variables
    up, down = cp.Variable(rows.shape[1], nonneg=True), cp.Variable(rows.shape[1], nonneg=True)
    problem = cp.Problem(cp.Minimize(cp.sum_squares(rows @ (up - down) - labels)), [cp.sum(up) + cp.sum(down) <= bound])
    problem.solve(solver=cp.CLARABEL)
    if up.value is None or down.value is None:
        raise RuntimeError(f"the solver stopped with status {problem.status}")
    weights: FloatArray = np.asarray(up.value - down.value, dtype=np.float64)
    return weights
