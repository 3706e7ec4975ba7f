"""The learners of linear functions and the oracles of Algorithm 6: what they draw, pay, certify, refuse and read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polynomials.cases import PROPERTY, tasks_of

from lifelong.loop import learn_stream
from lifelong.polynomials import bounds
from lifelong.polynomials.algorithm6 import SharedMonomials, products
from lifelong.polynomials.bounds import eg_examples
from lifelong.polynomials.oracles import ExponentiatedGradient, Gradient
from lifelong.polynomials.polynomial import Polynomial, polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.shared_monomials.experiments import Exact
from lifelong_book.polynomials.shared_monomials.least_squares import LeastSquares, least_squares_l1


def sample(seed: int, features: int = 7, size: int = 40):
    """Features in [-1, 1], labels of sparse weights, and their norm."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (size, features))
    w = rng.standard_normal(features) * (rng.random(features) < 0.5)
    w[0] += 0.1
    return X, X @ w, w, float(np.abs(w).sum())


def by_experts(X, y, bound, rate):
    """The 2N experts and their weights, one by one: average weights and losses."""
    p = np.full(2 * X.shape[1], 1 / (2 * X.shape[1]))
    total, losses = np.zeros(X.shape[1]), []
    for x, label in zip(X, y, strict=True):
        says = bound * np.concatenate([x, -x])
        residual = p @ says - label
        losses.append(residual**2)
        total += bound * (p[: len(x)] - p[len(x) :])
        p = p * np.exp(-2 * rate * residual * says)
        p /= p.sum()
    return total / len(X), np.array(losses)


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 40))
@PROPERTY
def test_is_the_algorithm_over_the_experts(seed, features, cut):
    X, y, _, bound = sample(seed, features)
    for rate in (None, 0.3 / bound**2):
        learner = ExponentiatedGradient(features, bound=bound, rate=rate)
        losses = np.concatenate([learner.update(X[:cut], y[:cut]), learner.update(X[cut:], y[cut:])])  # in batches
        expected, paid = by_experts(X, y, bound, 1 / (2 * bound**2) if rate is None else rate)
        np.testing.assert_allclose(learner.weights, expected, atol=1e-9 * bound)
        np.testing.assert_allclose(losses, paid, atol=1e-9 * bound**2)
        assert learner.examples == 40 and learner.total == pytest.approx(losses.sum())


@given(st.integers(0, 10**6), st.floats(0, 2))
@PROPERTY
def test_keeps_the_bounds_and_the_norm(seed, noise):
    X, y, w, bound = sample(seed, 20, 100)
    learner = ExponentiatedGradient(20, bound=bound)
    assert learner.update(X, y).sum() <= bounds.eg_loss(20, bound=bound) * (1 + 1e-9)
    assert np.abs(learner.weights).sum() <= bound * (1 + 1e-9)
    y = np.clip(y + noise * np.random.default_rng(seed).standard_normal(100), -bound, bound)
    losses = ExponentiatedGradient(20, bound=bound, rate=1 / (3 * bound**2)).update(X, y)
    rest = float(np.mean((X @ w - y) ** 2))
    assert losses.mean() <= bounds.eg_loss(20, bound=bound, examples=100, comparator=rest) * (1 + 1e-9)


def test_starts_at_zero_and_survives_large_exponents():
    learner = ExponentiatedGradient(3, bound=2.0)
    assert not learner.current.any() and not learner.weights.any()
    learner = ExponentiatedGradient(2, bound=1.0, rate=1e5)
    learner.update([[1, 0]] * 5, [1.0] * 5)
    assert learner.current.tolist() == pytest.approx([1.0, 0.0])


def test_least_squares_finds_weights_that_fit_and_no_worse_ones_of_smaller_norm():
    for seed in range(4):
        X, y, w, bound = sample(seed, 8, 60)
        np.testing.assert_allclose(least_squares_l1(X, y, bound=bound), w, atol=1e-3)
        tight = 0.5 * bound
        found = least_squares_l1(X, np.clip(y, -tight, tight), bound=tight)
        assert np.abs(found).sum() <= tight * (1 + 1e-6)
        slope = 2 * X.T @ (X @ found - np.clip(y, -tight, tight))  # least over the ball at a corner
        assert slope @ found <= -tight * np.abs(slope).max() + 1e-6


def test_the_bounds_are_these_numbers():
    assert bounds.eg_loss(10, bound=3, examples=5) == pytest.approx(2 * 9 * np.log(20) / 5)
    assert bounds.eg_loss(10, bound=3, examples=5, comparator=1.0) == pytest.approx(3 * (1 + 9 * np.log(20) / 5))
    certificate = (4.0 + 4 * 9 * np.log(20)) / (1 - np.exp(-1)) / 50
    assert bounds.progressive_error(4.0, 50, bound=3, delta=0.05) == pytest.approx(certificate)
    s = bounds.eg_examples(10, 0.2, bound=3, delta=0.05)
    errors = [bounds.progressive_error(bounds.eg_loss(10, bound=3), t, bound=3, delta=0.05) for t in (s - 1, s)]
    assert errors[1] <= 0.2 < errors[0]
    for n, t, equivalence, membership in ((8, 0, 2, 0), (8, 2, 18, 85), (5, 3, 17, 144)):
        assert bounds.schapire_sellie_equivalence(n, t=t) == equivalence
        assert bounds.schapire_sellie_membership(n, t=t) == membership
    assert bounds.schapire_sellie_sharp([[False] * 8, [True] * 8]) == (11, 30)
    assert bounds.schapire_sellie_sharp(np.eye(3, dtype=bool)) == (10, 54)


DIFFERENCE = polynomial("x1x2 - x3", n=4)


class OnlyOracles:
    """A task of somebody else: the counted oracles, and no target."""

    def __init__(self, task):
        self._task = task

    def __getattr__(self, name):
        if name in ("n", "classes", "counts", "examples", "exact_examples", "member", "equivalent"):
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
    task = PolynomialTask(polynomial("2 x1x4", n=4), rng=0)
    assert learner.reuse(task) is None and task.counts.labels == np.ceil(fit)  # rejected before the holdout
    where = "lifelong_book.polynomials.shared_monomials.least_squares.least_squares_l1"
    monkeypatch.setattr(where, lambda X, y, *, bound: np.array([0.0, 0, 2 * bound, 0]))
    learner = SharedMonomials(2, 50.0, bound=1.0, m=1, oracle=LeastSquares())
    learner.grow("scratch", polynomial("x1 + x2"))
    assert learner.reuse(PolynomialTask(polynomial("x1", n=2), rng=0)).norm == 1.0


@pytest.mark.parametrize("oracle", [Gradient, LeastSquares])
def test_no_learner_reads_a_target(oracle):
    tasks = tasks_of("x1x2 - x3", "x1x2x3", "x3 + x1x2", n=4)
    run = learn_stream(map(OnlyOracles, tasks), SharedMonomials(4, 0.1, bound=2, m=3, oracle=oracle()))
    assert run.how == ["scratch", "reused", "reused"]
    with pytest.raises(TypeError, match="exact oracle reads"):
        SharedMonomials(4, 0.1, bound=2, m=3, oracle=Exact()).reuse(OnlyOracles(tasks[0]))
