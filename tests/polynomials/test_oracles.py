"""The oracles of Algorithm 6: what they draw, certify, refuse and read."""

from __future__ import annotations

import numpy as np
import pytest
from polynomials.cases import OnlyOracles, tasks_of

import lifelong.halfspaces.oracles
from lifelong.loop import learn_stream
from lifelong.polynomials.algorithm6 import SharedMonomials, products
from lifelong.polynomials.bounds import eg_examples
from lifelong.polynomials.linear import ExponentiatedGradient
from lifelong.polynomials.oracles import Exact, Gradient
from lifelong.polynomials.polynomial import Polynomial, polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.shared_monomials.least_squares import LeastSquares


def test_the_labels_are_what_the_bound_says():
    task = PolynomialTask(polynomial("x1x2 - x3", n=6), rng=0)
    learner = SharedMonomials(6, 0.1, bound=2, m=5)
    learner.grow("scratch", task.target)
    hypothesis = learner.reuse(task)
    assert hypothesis is not None
    assert 0 < task.counts.labels <= eg_examples(4, 0.1, bound=2, delta=0.05 / 5)
    assert float(hypothesis.norm) <= 2 * (1 + 1e-9)


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


def test_least_squares_takes_half_the_budget_and_a_holdout():
    task = PolynomialTask(polynomial("x1x2 - x3", n=4), rng=0)
    learner = SharedMonomials(4, 0.3, bound=2.0, m=7, delta=0.02, oracle=LeastSquares())
    learner.grow("scratch", task.target)
    assert learner.reuse(task) is not None
    fit = 2 * 4 * np.log(2 * 4) / 0.3 / 2
    holdout = 4 * 4 * np.log(7 / 0.02) * np.e / (np.e - 1) / (0.9 * 0.3)
    assert task.counts.labels == np.ceil(fit) + np.ceil(holdout)


def test_least_squares_keeps_the_norm_and_refuses_what_it_cannot_fit():
    task = PolynomialTask(polynomial("2 x1x4", n=4), rng=0)
    learner = SharedMonomials(4, 0.1, bound=2.0, m=2, oracle=LeastSquares())
    learner.grow("scratch", polynomial("x1x2 - x3", n=4))
    assert learner.reuse(task) is None
    learner.grow("scratch", task.target)
    h = learner.reuse(PolynomialTask(task.target, rng=1))
    assert h is not None and float(h.norm) <= 2.0 * (1 + 1e-9)


def test_the_hypothesis_is_the_average_of_the_weights():
    target = polynomial("x1x2 - x3", n=4)
    task, learner = PolynomialTask(target, rng=0), SharedMonomials(4, 0.3, bound=2.0, m=3)
    learner.grow("scratch", target)
    features, h = products(learner.metafeatures), learner.reuse(task)
    X, y = PolynomialTask(target, rng=0).examples(task.counts.labels)
    gradient = ExponentiatedGradient(len(features), bound=2.0)
    gradient.update((~features | X[:, None]).all(axis=2), y)
    assert (h - Polynomial(features, gradient.weights)).norm < 1e-9 < (h - Polynomial(features, gradient.current)).norm


def test_weights_of_least_squares_are_brought_within_the_norm(monkeypatch):
    monkeypatch.setattr(
        "lifelong_book.polynomials.shared_monomials.least_squares.least_squares_l1",
        lambda X, y, *, bound: np.array([0.0, 0, bound, bound]),
    )
    learner = SharedMonomials(2, 50.0, bound=1.0, m=1, oracle=LeastSquares())
    learner.grow("scratch", polynomial("x1 + x2"))
    assert learner.reuse(PolynomialTask(polynomial("0", n=2), rng=0)).norm == 1.0


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


def test_a_hopeless_task_is_given_up_early():
    task = PolynomialTask(polynomial("x4 - x5 + x6 - x1", n=6), rng=0)
    learner = SharedMonomials(6, 0.01, bound=4, m=5)
    learner.grow("scratch", polynomial("x1x2 - x3", n=6))
    assert learner.reuse(task) is None
    assert task.counts.labels < eg_examples(4, 0.01, bound=4, delta=0.05 / 5) / 20


@pytest.mark.parametrize("oracle", [Gradient, LeastSquares])
def test_no_learner_reads_a_target(oracle):
    tasks = tasks_of("x1x2 - x3", "x1x2x3", "x3 + x1x2", n=4)
    run = learn_stream(map(OnlyOracles, tasks), SharedMonomials(4, 0.1, bound=2, m=3, oracle=oracle()))
    assert run.how == ["scratch", "reused", "reused"]
    with pytest.raises(TypeError, match=r"^task: expected a PolynomialTask, whose target"):
        SharedMonomials(4, 0.1, bound=2, m=3, oracle=Exact()).reuse(OnlyOracles(tasks[0]))


def test_bad_oracles_are_refused():
    with pytest.raises(TypeError, match=r"^oracle: expected \S+Oracle, an object with afresh"):
        SharedMonomials(2, 0.1, bound=1, m=2, oracle="exact")
    with pytest.raises(TypeError, match=r"^oracle: .*bound, epsilon, delta\), got <lifelong.halfspaces.oracles.Exact"):
        SharedMonomials(2, 0.1, bound=1, m=2, oracle=lifelong.halfspaces.oracles.Exact())
    with pytest.raises(ValueError, match=r"^batch: expected"):
        Gradient(batch=0)
