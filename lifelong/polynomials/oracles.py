"""How Algorithm 6 learns one polynomial: within the products of its metafeatures, or afresh (Section 5).

`lifelong.polynomials.algorithm6.SharedMonomials` decides what is tried and what is remembered; an oracle of this module
learns. Exactness is a property of the oracle: `Exact` reads the target, no learner does.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from lifelong._checks import BoolArray, FloatArray, integer, number, rows_in
from lifelong._contracts import checked
from lifelong.polynomials.bounds import eg_examples, eg_loss, progressive_error
from lifelong.polynomials.linear import ExponentiatedGradient, least_squares_l1
from lifelong.polynomials.polynomial import Polynomial, monomial_values
from lifelong.polynomials.schapire_sellie import learn_polynomial
from lifelong.polynomials.tasks import BlackBox, PolynomialTask

__all__ = [
    "Exact",
    "Gradient",
    "LeastSquares",
    "Oracle",
]


@runtime_checkable
class Oracle(Protocol):
    """What Algorithm 6 asks of an oracle: two verbs.

    See Also
    --------
    Gradient, LeastSquares : Oracles that see labelled examples and ask queries.
    Exact : The one that reads the target.

    Notes
    -----
    Step 2(b) of `algo-polynomials`, and its learner from scratch.
    """

    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """Attempt to learn a linear function of given monomials.

        Parameters
        ----------
        task : BlackBox
            Seen through its counted oracles.
        features : bool, shape (N, n)
            The monomials, at least one.
        bound : float
            The L1 norm B > 0 that the weights may have.
        epsilon : float
            Mean squared error that is allowed, positive.
        delta : float
            Probability, in (0, 1), with which what is accepted may have a larger error.

        Returns
        -------
        Polynomial or None
            None where the attempt failed.
        """

    def afresh(self, task: BlackBox) -> Polynomial:
        """Learn the target exactly.

        Parameters
        ----------
        task : BlackBox
            Seen through its counted oracles.

        Returns
        -------
        Polynomial
        """


class _Certifying:
    """What oracles share that see examples: the certificate of an attempt, and queries for the rest."""

    def _certified(self, total: float, examples: int, *, bound: float, epsilon: float, delta: float) -> bool:
        """Whether these losses certify the error that is wanted."""
        return progressive_error(total, examples, bound=bound, delta=delta) <= epsilon

    def afresh(self, task: BlackBox) -> Polynomial:
        """Learn the target exactly, from membership and equivalence queries.

        Parameters
        ----------
        task : BlackBox
            Seen through its query oracles, which count.

        Returns
        -------
        Polynomial
        """
        return learn_polynomial(task)[0]


class Gradient(_Certifying):
    r"""Learn a linear function by the exponentiated gradient, until its losses decide.

    Parameters
    ----------
    batch : int, default 64
        Labelled examples that are drawn at a time, at least 1.

    Raises
    ------
    ValueError
        If `batch` is no positive integer.

    See Also
    --------
    lifelong.polynomials.linear.ExponentiatedGradient : The learner.
    LeastSquares : The same by least squares and a holdout.

    Notes
    -----
    Step 2(b) of `algo-polynomials`. If the losses exceed :math:`2B^2\ln(2N)`, no linear function of the N features with
    norm at most B is the target (`prop-eg`): one that the features can express is never refused. If they certify the
    error at the confidence asked for (`prop-progressive`), the average of the weights is the hypothesis. One
    of the two happens within `lifelong.polynomials.bounds.eg_examples` labels.

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> task = PolynomialTask(polynomial("x1 - x2"), rng=0)
    >>> h = Gradient().within(task, np.eye(2, dtype=bool), bound=2, epsilon=0.1, delta=0.01)
    >>> task.error(h) <= 0.1, task.counts.labels
    (True, 1280)
    """

    def __init__(self, *, batch: int = 64) -> None:
        self.batch = integer("batch", batch, least=1)

    @checked
    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """Draw examples until the losses refuse the features or certify the weights.

        Parameters
        ----------
        task : BlackBox
            Seen through its labelled examples, which count.
        features : bool, shape (N, n)
            The monomials, at least one.
        bound : float
            The L1 norm B > 0 that the weights may have.
        epsilon : float
            Mean squared error that is allowed, positive.
        delta : float
            Probability, in (0, 1), with which what is accepted may have a larger error.

        Returns
        -------
        Polynomial or None
            None where the losses exceed what any target over the features can cost.

        Raises
        ------
        ValueError
            If an argument is out of range, or of another type.
        """
        rows_in("features", features, task.n, "the task")
        learner = ExponentiatedGradient(len(features), bound=bound)
        budget = eg_loss(len(features), bound=bound) * (1 + 1e-9)
        most = eg_examples(len(features), epsilon, bound=bound, delta=delta)
        if most > 10**9:
            raise ValueError(
                f"epsilon: expected one that 10^9 examples certify, got {epsilon!r}, which takes {most:.0e}"
            )
        while learner.total <= budget and learner.examples < most:
            X, y = task.examples(min(self.batch, most - learner.examples))
            learner.update(monomial_values(features, X), y)
            if self._certified(learner.total, learner.examples, bound=bound, epsilon=epsilon, delta=delta):
                return Polynomial(features, learner.weights)
        return None


class LeastSquares(_Certifying):
    """Learn a linear function by least squares on half of the labels, and certify it on a holdout.

    See Also
    --------
    lifelong.polynomials.linear.least_squares_l1 : The quadratic programme.
    Gradient : The oracle with a bound that holds for every sequence of examples.

    Notes
    -----
    Another way to do step 2(b) of `algo-polynomials`. The certificate is as sound as that of `Gradient`, but a task
    that the features express may be refused by bad luck.

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> task = PolynomialTask(polynomial("x1 - x2"), rng=0)
    >>> h = LeastSquares().within(task, np.eye(2, dtype=bool), bound=2, epsilon=0.1, delta=0.01)
    >>> task.error(h) < 1e-6, task.counts.labels
    (True, 1352)
    """

    @checked
    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """Fit weights to one sample and test them on another.

        Parameters
        ----------
        task : BlackBox
            Seen through its labelled examples, which count.
        features : bool, shape (N, n)
            The monomials, at least one.
        bound : float
            The L1 norm B > 0 that the weights may have.
        epsilon : float
            Mean squared error that is allowed, positive.
        delta : float
            Probability, in (0, 1), with which what is accepted may have a larger error.

        Returns
        -------
        Polynomial or None
            None where the holdout does not certify the weights.

        Raises
        ------
        ValueError
            If an argument is out of range, or of another type.
        """
        rows_in("features", features, task.n, "the task")
        number("epsilon", epsilon, low=0.0, high=np.inf, open_low=True)
        eg_examples(len(features), epsilon, bound=bound, delta=delta)  # refuses what takes too many
        X, y = task.examples(max(1, int(np.ceil(eg_loss(len(features), bound=bound) / epsilon / 2))))
        weights = self._within_norm(least_squares_l1(monomial_values(features, X), y, bound=bound), bound)
        # a tenth of the error is for the solver and for what half of the labels leave open
        holdout = progressive_error(0.0, 1, bound=bound, delta=delta) / (0.9 * epsilon)
        X, y = task.examples(max(1, int(np.ceil(holdout))))
        residuals = monomial_values(features, X) @ weights - y
        fits = self._certified(float(residuals @ residuals), len(y), bound=bound, epsilon=epsilon, delta=delta)
        return Polynomial(features, weights) if fits else None

    def _within_norm(self, weights: FloatArray, bound: float) -> FloatArray:
        """The weights that a solver found, brought exactly within the norm."""
        return weights * (bound / max(float(np.abs(weights).sum()), bound))


class Exact:
    """Read the target, which no learner can: for studying the theory apart from sampling.

    Notes
    -----
    What `thm-polynomials-repaired` counts does not depend on the examples: this oracle never errs and draws none.

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> task = PolynomialTask(polynomial("x1 - x2"))
    >>> Exact().within(task, np.eye(2, dtype=bool), bound=2, epsilon=0.1, delta=0.01) == task.target
    True
    >>> Exact().within(task, np.ones((1, 2), dtype=bool), bound=2, epsilon=0.1, delta=0.01) is None
    True
    >>> task.counts
    Counts(labels=0, membership=0, equivalence=0)
    """

    @checked
    def within(
        self, task: BlackBox, features: BoolArray, *, bound: float, epsilon: float, delta: float
    ) -> Polynomial | None:
        """Look whether every term of the target is a feature.

        Parameters
        ----------
        task : PolynomialTask
            Its target is read; nothing is counted.
        features : bool, shape (N, n)
            The monomials, at least one.
        bound, epsilon, delta : float
            Not used: the target itself is returned.

        Returns
        -------
        Polynomial or None
            The target; None where one of its terms is no feature.

        Raises
        ------
        TypeError
            If the task has no target that can be read.
        """
        target = self.afresh(task)
        rows_in("features", features, task.n, "the task")
        known = all((features == T).all(axis=1).any() for T in target.terms)
        return target if known else None

    def afresh(self, task: BlackBox) -> Polynomial:
        """Read the target.

        Parameters
        ----------
        task : PolynomialTask

        Returns
        -------
        Polynomial

        Raises
        ------
        TypeError
            If the task has no target that can be read.
        """
        if not isinstance(task, PolynomialTask):
            raise TypeError(
                f"task: expected a PolynomialTask, whose target an exact oracle reads, got {type(task).__name__}"
            )
        return task.target
