"""Studies of Algorithm 6: its steps in plain code, runs that never err, and adversaries of its attempts.

What chapters and the ledger share to look at a learner from outside. None of it is needed to learn.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import exp, log
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, integer, number, real_array
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong.conjunctions.instances import attaining_sequence
from lifelong.loop import Run, learn_stream
from lifelong.polynomials.algorithm6 import SharedMonomials
from lifelong.polynomials.oracles import ExponentiatedGradient
from lifelong.polynomials.polynomial import Polynomial, cube, monomial_values
from lifelong.polynomials.tasks import BlackBox, PolynomialTask

#: The hypothesis of an attempt, or None, and its losses.
Attempt = tuple[Polynomial | None, list[float]]

# --- Algorithm 6, to be read ------------------------------------------------------------------------


def all_products(M: BoolArray) -> BoolArray:
    """Algorithm 6's products of metafeatures in plain steps, each once; the library's `products` is faster."""
    chosen = list(product([False, True], repeat=len(M)))
    unions = np.array(chosen, bool) @ M  # "or" of the chosen
    return np.asarray(np.unique(unions, axis=0))


def examples(task: PolynomialTask, terms: BoolArray) -> Iterator[tuple[FloatArray, float]]:
    """Shown in Algorithm 6's chapter, examples for an attempt: values of the terms, and label, drawn 64 at a time."""
    while True:
        X, y = task.examples(64)
        yield from zip(monomial_values(terms, X), y)


def attempt(task: PolynomialTask, terms: BoolArray, B: float, eps: float, delta: float) -> Attempt:
    """Step 2(b) of Algorithm 6 in plain steps: a hypothesis, or None above the budget; and the losses."""
    g, total = np.zeros(len(terms)), np.zeros(len(terms))
    budget, lost, losses = 2 * B**2 * log(2 * len(terms)), 0.0, []
    for x, y in examples(task, terms):
        w = B * np.sinh(g) / np.cosh(g).sum()  # without the label
        miss = w @ x - y
        g, total = g - miss / B * x, total + w
        losses.append(miss**2)
        lost, s = lost + miss**2, len(losses)
        if lost > budget * (1 + 1e-9):
            break  # no weights fit
        paid = lost + 4 * B**2 * log(1 / delta)
        if paid <= (1 - exp(-1)) * eps * s:  # the certificate
            return Polynomial(terms, total / s), losses
    return None, losses


# --- exact runs -------------------------------------------------------------------------------------


class Exact:
    """An oracle for runs of Algorithm 6 that reads the target, which no learner can: theory apart from sampling."""

    def within(self, task: BlackBox, features: BoolArray, **_: float) -> Polynomial | None:
        """The target, if every term of it is a feature."""
        f = self.afresh(task)
        known = [(features == T).all(axis=1).any() for T in f.terms]
        return f if all(known) else None

    def afresh(self, task: BlackBox) -> Polynomial:
        """Read the target."""
        if not isinstance(task, PolynomialTask):
            raise TypeError("task: an exact oracle reads the target")
        return task.target


def exact_run(
    stream: Sequence[Polynomial],
    *,
    keep: Literal["all", "needed"] = "all",
    algorithm: type[SharedMonomials] = SharedMonomials,
) -> Run[SharedMonomials]:
    """A run of Algorithm 6 with a reuse step that never errs, and no examples drawn."""
    tasks, n = [PolynomialTask(f) for f in stream], stream[0].n
    learner = algorithm(  # Exact looks at no bound and no error
        n, 1, bound=1, m=len(tasks), oracle=Exact(), keep=keep
    )
    return learn_stream(tasks, learner)


def least_errors(n: int, p: float) -> FloatArray:
    """The least mean squared error of any function of Algorithm 6's products, on each single monomial as it comes."""
    X, terms = cube(n), attaining_sequence(n)
    weights, errors = np.where(X, p, 1 - p).prod(axis=1), []
    for i, T in enumerate(terms):
        known = metafeatures(terms[:i])
        alike = (monomial_values(known, X) @ 2.0 ** np.arange(len(known))).astype(np.int64)
        mass = np.bincount(alike, weights)
        ones = np.bincount(alike, weights * monomial_values(T[None], X)[:, 0])
        errors.append(ones.sum() - (ones[mass > 0] ** 2 / mass[mass > 0]).sum())
    return np.array(errors)


# --- adversaries of linear learners -----------------------------------------------------------------


class LinearLearner(Protocol):
    """What adversaries of Algorithm 6's attempts play against: a linear learner that predicts before it learns."""

    features: int
    bound: float

    @property
    def current(self) -> FloatArray:
        """Weights of the next prediction."""

    def update(self, X: ArrayLike, y: ArrayLike) -> FloatArray:
        """Predict, pay and learn."""


def halving(learner: LinearLearner, *, dead: bool = False, extra: int = 0) -> float:
    """Total loss that the halving adversary of Algorithm 6's attempts forces on a learner."""
    features, bound = learner.features, learner.bound
    alive, x = np.ones(features, dtype=np.bool_), np.ones(features)
    total = 0.0
    for _ in range(int(np.log2(2 * features)) + extra):
        weights = learner.current
        y = -bound if weights @ x > 0 else bound
        if alive.sum() == 1:
            y = bound * x[alive.argmax()]
        total += float(learner.update(x[None], [y])[0])
        alive &= bound * x == y
        places = np.flatnonzero(alive)
        x = np.sign(learner.current) if dead else np.ones(features)
        x[x == 0] = 1
        x = -x if len(places) == 1 else x
        x[places] = 1
        x[places[len(places) // 2 :]] = -1 if len(places) > 1 else 1
    return total


class Majority:
    """The mean of the features still right: the best defence against the halving adversary of Algorithm 6."""

    def __init__(self, features: int, *, bound: float) -> None:
        self.features = integer("features", features, least=1)
        self.bound = number("bound", bound, "(0, inf)")
        self.alive = np.ones((2, self.features))

    @property
    def current(self) -> FloatArray:
        """Mean weights of the signed features that fit all labels so far."""
        difference: FloatArray = (self.alive[0] - self.alive[1]) * (self.bound / self.alive.sum())
        return difference

    def update(self, X: ArrayLike, y: ArrayLike) -> FloatArray:
        """Predict, pay, and rule out what does not fit."""
        rows, labels = real_array("X", X, axes=2), real_array("y", y)
        losses: FloatArray = (rows @ self.current - labels) ** 2
        self.alive *= np.stack([self.bound * rows[0] == labels[0], -self.bound * rows[0] == labels[0]])
        return losses


def small_steps(
    features: int, *, bound: float, step: float, noisy: bool = False, learner: ExponentiatedGradient | None = None
) -> tuple[float, float]:
    """Total losses of Algorithm 6's exponentiated gradient, and of the best feature, against small steps."""
    learner = learner or ExponentiatedGradient(
        features,
        bound=bound,
        rate=1 / (3 * bound**2) if noisy else None,
    )
    best, truth = 0.0, bound * step
    while True:
        weights = learner.current
        x = np.where(weights > 0, -1.0, 1.0)  # who is ahead says -B
        x[0] = step
        y = float(3 * truth - weights @ x) / 2 if noisy else truth
        (loss,) = learner.update(x[None], [y])
        best += float((truth - y) ** 2)
        if weights[0] > bound / 2 and loss < 1e-3 * truth**2:
            return learner.total, best
