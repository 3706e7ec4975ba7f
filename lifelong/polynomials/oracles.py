"""How Algorithm 6 learns one polynomial: within the products of its metafeatures, or afresh (Section 5)."""

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray
from lifelong.polynomials.bounds import eg_examples, eg_loss, progressive_error
from lifelong.polynomials.polynomial import Polynomial, monomial_values
from lifelong.polynomials.schapire_sellie import learn_polynomial
from lifelong.polynomials.tasks import BlackBox


class Oracle(Protocol):
    """What Algorithm 6 asks of an oracle: two verbs."""

    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """Attempt to learn a linear function of given monomials, of L1 norm at most `bound`."""

    def afresh(self, task: BlackBox) -> Polynomial:
        """Learn the target exactly."""


class ExponentiatedGradient:
    """What the oracle `Gradient` learns with: linear functions of bounded L1 norm, example by example.

    The exponentiated gradient is a weighted vote of 2N experts, B x_i and -B x_i for every feature x_i in [-1, 1]: the
    weight of each falls exponentially in what following it has cost. The weights w of the vote have L1 norm at most B.
    The rate is 1/(2 B^2) unless given.
    """

    def __init__(self, features: int, *, bound: float, rate: float | None = None) -> None:
        self.features, self.bound = features, bound
        self.rate = 1 / (2 * bound**2) if rate is None else rate
        self.examples, self.total = 0, 0.0  # how many were seen, and the sum of all losses so far
        self._exponents = np.zeros(features)
        self._sum = np.zeros(features)

    @property
    def current(self) -> FloatArray:
        """Weights of the next prediction: float64, shape (features,), L1 norm at most `bound`."""
        g = self._exponents
        top = np.abs(g).max()
        up, down = np.exp(g - top), np.exp(-g - top)
        return np.asarray((up - down) * (self.bound / (up.sum() + down.sum())))

    @property
    def weights(self) -> FloatArray:
        """Average of the weights of all predictions so far; the current weights before the first."""
        return self._sum / self.examples if self.examples else self.current

    def update(self, X: ArrayLike, y: ArrayLike) -> FloatArray:
        """Predict, pay and learn, row by row: the losses."""
        rows, labels, B = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64), self.bound
        if labels.size and np.abs(labels).max() > B * (1 + 1e-9):
            raise ValueError(f"y: expected labels in [-{B:g}, {B:g}], got {labels.min():g} to {labels.max():g}")
        losses, step = np.empty(len(rows)), 2 * self.rate * B
        for i, (x, label) in enumerate(zip(rows, labels, strict=True)):
            w = self.current
            self._sum += w
            residual = w @ x - label
            self._exponents -= (step * residual) * x
            losses[i] = residual * residual
        self.examples, self.total = self.examples + len(losses), self.total + float(losses.sum())
        return losses


class Gradient:
    """The exponentiated gradient, until its losses refuse the features or certify the weights; else queries."""

    batch = 64  # examples drawn at a time

    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """Draw examples until more is lost than any target over the features costs, or little enough is."""
        learner, N = ExponentiatedGradient(len(features), bound=bound), len(features)
        budget = eg_loss(N, bound=bound) * (1 + 1e-9)
        most = eg_examples(N, epsilon, bound=bound, delta=delta)
        while learner.total <= budget and (s := learner.examples) < most:
            X, y = task.examples(min(self.batch, most - s))
            learner.update(monomial_values(features, X), y)
            if self._certified(learner.total, learner.examples, bound=bound, epsilon=epsilon, delta=delta):
                return Polynomial(features, learner.weights)
        return None

    def _certified(self, total: float, examples: int, *, bound: float, epsilon: float, delta: float) -> bool:
        """Whether these losses certify the error that is wanted."""
        return progressive_error(total, examples, bound=bound, delta=delta) <= epsilon

    def afresh(self, task: BlackBox) -> Polynomial:
        """Learn the target exactly, from membership and equivalence queries."""
        return learn_polynomial(task)[0]
