"""The oracles of Algorithm 6: what they draw, certify, refuse and read."""

from __future__ import annotations

import numpy as np
import pytest
from polynomials.cases import tasks_of

from lifelong.loop import learn_stream
from lifelong.polynomials.algorithm6 import SharedMonomials, products
from lifelong.polynomials.bounds import eg_examples
from lifelong.polynomials.linear import ExponentiatedGradient
from lifelong.polynomials.oracles import Exact, Gradient
from lifelong.polynomials.polynomial import Polynomial, polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.shared_monomials.least_squares import LeastSquares

DIFFERENCE = polynomial("x1x2 - x3", n=4)


class OnlyOracles:
    """A task of somebody else: the counted oracles, and no target."""

    def __init__(self, task):
        self._task = task

    def __getattr__(self, name):
        if name in ("n", "counts", "examples", "exact_examples", "member", "equivalent"):
            return getattr(self._task, name)
        raise AttributeError(name)


def test_the_hypothesis_is_the_average_of_the_weights():
    task, learner = PolynomialTask(DIFFERENCE, rng=0), SharedMonomials(4, 0.3, bound=2.0, m=3)
    learner.grow("scratch", DIFFERENCE)
    features, h = products(learner.metafeatures), learner.reuse(task)
    assert 0 < task.counts.labels <= eg_examples(4, 0.3, bound=2, delta=0.05 / 3)
    assert float(h.norm) <= 2 * (1 + 1e-9)
    X, y = PolynomialTask(DIFFERENCE, rng=0).examples(task.counts.labels)
    gradient = ExponentiatedGradient(len(features), bound=2.0)
    gradient.update((~features | X[:, None]).all(axis=2), y)
    assert (h - Polynomial(features, gradient.weights)).norm < 1e-9 < (h - Polynomial(features, gradient.current)).norm


@pytest.mark.parametrize(("m", "delta"), [(1, 0.5), (40, 0.01)])
def test_a_task_without_losses_stops_where_the_confidence_is_paid(m, delta):
    price = 4 * 2.0**2 * np.log(m / delta) * np.e / (np.e - 1)  # labels times epsilon
    for batches in (1, 3):
        for share, more in ((1.001, 0), (0.999, 1)):
            task = PolynomialTask(polynomial("0", n=3), rng=0)
            epsilon = share * price / (64 * batches)
            assert SharedMonomials(3, epsilon, bound=2.0, m=m, delta=delta).reuse(task) is not None
            assert (task.counts.labels > 64 * batches) == bool(more)
            assert 64 * batches <= task.counts.labels <= eg_examples(1, epsilon, bound=2.0, delta=delta / m)


def test_a_spent_budget_ends_the_attempt():
    """The losses may reach the budget, and the batch after that is not drawn."""
    task = PolynomialTask(polynomial("2 x1x2x3x4x5x6x7", n=7), rng=0)
    learner = SharedMonomials(7, 1e-4, bound=2.0, m=2)  # nothing known: only constants can be learned
    assert learner.reuse(task) is None
    replay, gradient = PolynomialTask(task.target, rng=0), ExponentiatedGradient(1, bound=2.0)
    while gradient.total <= 2 * 4 * np.log(2):
        _, y = replay.examples(64)
        gradient.update(np.ones((64, 1)), y)
    assert task.counts.labels == gradient.examples > 64


def test_least_squares_takes_half_the_budget_and_a_holdout_and_keeps_the_norm(monkeypatch):
    task = PolynomialTask(DIFFERENCE, rng=0)
    learner = SharedMonomials(4, 0.3, bound=2.0, m=7, delta=0.02, oracle=LeastSquares())
    learner.grow("scratch", DIFFERENCE)
    assert float(learner.reuse(task).norm) <= 2.0 * (1 + 1e-9)
    fit = 2 * 4 * np.log(2 * 4) / 0.3 / 2
    holdout = 4 * 4 * np.log(7 / 0.02) * np.e / (np.e - 1) / (0.9 * 0.3)
    assert task.counts.labels == np.ceil(fit) + np.ceil(holdout)
    assert learner.reuse(PolynomialTask(polynomial("2 x1x4", n=4), rng=0)) is None
    where = "lifelong_book.polynomials.shared_monomials.least_squares.least_squares_l1"
    monkeypatch.setattr(where, lambda X, y, *, bound: np.array([0.0, 0, bound, bound]))
    learner = SharedMonomials(2, 50.0, bound=1.0, m=1, oracle=LeastSquares())
    learner.grow("scratch", polynomial("x1 + x2"))
    assert learner.reuse(PolynomialTask(polynomial("0", n=2), rng=0)).norm == 1.0


@pytest.mark.parametrize("oracle", [Gradient, LeastSquares])
def test_no_learner_reads_a_target(oracle):
    tasks = tasks_of("x1x2 - x3", "x1x2x3", "x3 + x1x2", n=4)
    run = learn_stream(map(OnlyOracles, tasks), SharedMonomials(4, 0.1, bound=2, m=3, oracle=oracle()))
    assert run.how == ["scratch", "reused", "reused"]
    with pytest.raises(TypeError, match="exact oracle reads"):
        SharedMonomials(4, 0.1, bound=2, m=3, oracle=Exact()).reuse(OnlyOracles(tasks[0]))
    with pytest.raises(ValueError, match=r"^batch"):
        Gradient(batch=0)
