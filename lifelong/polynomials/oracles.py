"""How Algorithm 6 learns one polynomial: within the products of its metafeatures, or afresh (Section 5)."""

from __future__ import annotations

from typing import Protocol

from lifelong._checks import BoolArray, integer
from lifelong.polynomials.bounds import eg_examples, eg_loss, progressive_error
from lifelong.polynomials.linear import ExponentiatedGradient
from lifelong.polynomials.polynomial import Polynomial, monomial_values
from lifelong.polynomials.schapire_sellie import learn_polynomial
from lifelong.polynomials.tasks import BlackBox, PolynomialTask


class Oracle(Protocol):
    """What Algorithm 6 asks of an oracle: two verbs."""

    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """Attempt to learn a linear function of given monomials, of L1 norm at most `bound`."""

    def afresh(self, task: BlackBox) -> Polynomial:
        """Learn the target exactly."""


class Gradient:
    """The exponentiated gradient, until its losses refuse the features or certify the weights; else queries."""

    def __init__(self, *, batch: int = 64) -> None:
        self.batch = integer("batch", batch, least=1)

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


class Exact:
    """Read the target, which no learner can: for studying the theory apart from sampling."""

    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """The target, if every term of it is a feature."""
        target = self.afresh(task)
        known = all((features == T).all(axis=1).any() for T in target.terms)
        return target if known else None

    def afresh(self, task: BlackBox) -> Polynomial:
        """Read the target."""
        if not isinstance(task, PolynomialTask):
            raise TypeError(
                f"task: expected a PolynomialTask, whose target an exact oracle reads, got {type(task).__name__}"
            )
        return task.target
