"""Linear functions of bounded L1 norm: against the experts written out, and scipy's own optimiser."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polynomials.cases import PROPERTY
from scipy.optimize import minimize

from lifelong.polynomials import bounds
from lifelong.polynomials.linear import ExponentiatedGradient
from lifelong_book.polynomials.shared_monomials.least_squares import exponentiated_gradient, least_squares_l1


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


@given(st.integers(0, 10**6), st.integers(1, 12))
@PROPERTY
def test_is_the_algorithm_over_the_experts(seed, features):
    X, y, _, bound = sample(seed, features)
    for rate in (1 / (2 * bound**2), 0.3 / bound**2):
        weights, losses = exponentiated_gradient(X, y, bound=bound, rate=rate)
        expected, paid = by_experts(X, y, bound, rate)
        np.testing.assert_allclose(weights, expected, atol=1e-9 * bound)
        np.testing.assert_allclose(losses, paid, atol=1e-9 * bound**2)


@given(st.integers(0, 10**6), st.floats(0, 2))
@PROPERTY
def test_keeps_the_bounds_and_the_norm(seed, noise):
    X, y, w, bound = sample(seed, 20, 100)
    weights, losses = exponentiated_gradient(X, y, bound=bound)
    assert losses.sum() <= bounds.eg_loss(20, bound=bound) * (1 + 1e-9)
    assert np.abs(weights).sum() <= bound * (1 + 1e-9)
    y = np.clip(y + noise * np.random.default_rng(seed).standard_normal(100), -bound, bound)
    _, losses = exponentiated_gradient(X, y, bound=bound, rate=1 / (3 * bound**2))
    rest = float(np.mean((X @ w - y) ** 2))
    assert losses.mean() <= bounds.eg_loss(20, bound=bound, examples=100, comparator=rest) * (1 + 1e-9)


@given(st.integers(0, 10**6), st.integers(0, 40))
@PROPERTY
def test_batches_and_the_order_of_features_do_not_matter(seed, cut):
    X, y, _, bound = sample(seed)
    learner = ExponentiatedGradient(7, bound=bound)
    for part in (slice(0, cut), slice(cut, None)):
        learner.update(X[part], y[part])
    weights, losses = exponentiated_gradient(X, y, bound=bound)
    np.testing.assert_array_equal(learner.weights, weights)
    assert learner.examples == 40
    assert learner.total == pytest.approx(losses.sum())
    order = np.random.default_rng(seed).permutation(7)
    turned, _ = exponentiated_gradient(X[:, order], y, bound=bound)
    np.testing.assert_allclose(turned, weights[order], atol=1e-12)


def test_starts_at_zero_and_survives_large_exponents():
    assert not ExponentiatedGradient(3, bound=2.0).current.any()
    assert not ExponentiatedGradient(3, bound=2.0).weights.any()
    learner = ExponentiatedGradient(2, bound=1.0, rate=1e5)
    learner.update([[1, 0]] * 5, [1.0] * 5)
    assert np.isfinite(learner.current).all()
    assert learner.current[0] == pytest.approx(1.0)


def by_scipy(X, y, bound):
    """Least squared error over the L1 ball, positive and negative parts as variables."""
    n = X.shape[1]

    def loss(v):
        residual = X @ (v[:n] - v[n:]) - y
        return residual @ residual, np.concatenate([X.T @ residual, -X.T @ residual]) * 2

    inside = {"type": "ineq", "fun": lambda v: bound - v.sum(), "jac": lambda v: -np.ones(2 * n)}
    options = {"ftol": 1e-12, "maxiter": 500}
    return minimize(
        loss, np.zeros(2 * n), jac=True, bounds=[(0, None)] * (2 * n), constraints=inside, options=options
    ).fun


@pytest.mark.parametrize("seed", range(4))
def test_least_squares_is_as_good_as_scipy(seed):
    X, y, _, bound = sample(seed, 5, 30)
    for share in (0.5, 1.0, 2.0):
        tight = share * bound
        labels = np.clip(y, -tight, tight)
        w = least_squares_l1(X, labels, bound=tight)
        assert np.abs(w).sum() <= tight * (1 + 1e-6)
        assert np.sum((X @ w - labels) ** 2) <= by_scipy(X, labels, tight) + 1e-6


def test_least_squares_finds_weights_that_fit():
    X, y, w, bound = sample(3, 8, 60)
    np.testing.assert_allclose(least_squares_l1(X, y, bound=bound), w, atol=1e-3)


GOOD_X, GOOD_Y = np.ones((2, 3)), np.zeros(2)


def test_a_solver_that_gives_up_is_an_error(monkeypatch):
    monkeypatch.setattr("cvxpy.Problem.solve", lambda problem, solver: None)
    with pytest.raises(RuntimeError, match=r"^the solver stopped with status"):
        least_squares_l1(GOOD_X, GOOD_Y, bound=1.0)


def test_what_is_missing_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(ImportError, match=r"^cvxpy is missing .*pip install '\.\[learners\]'"):
        least_squares_l1(GOOD_X, GOOD_Y, bound=1.0)
