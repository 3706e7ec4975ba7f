"""Learners of one halfspace: what each promises on separable data, and that it says so when it fails."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize, nnls

from lifelong.halfspaces.angles import angle, unit
from lifelong.halfspaces.learners import NotSeparableError, direction, few_weights, in_units, logistic_halfspace
from lifelong.halfspaces.tasks import HalfspaceTask, signs
from lifelong.laws import Gaussian
from lifelong_book.halfspaces.subspace.learners import (
    LEARNERS,
    averaging_halfspace,
    hard_margin_halfspace,
    least_squares_halfspace,
    linear_program_halfspace,
    perceptron_halfspace,
)

CONSISTENT = ["hard margin", "linear programme", "perceptron"]


def sample(n, size, seed):
    """Examples of a random halfspace."""
    rng = np.random.default_rng(seed)
    X, target = rng.standard_normal((size, n)), rng.standard_normal(n)
    return X, signs(X, target)


@pytest.mark.parametrize("name", LEARNERS)
@given(n=st.integers(1, 6), size=st.integers(1, 60), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_a_unit_vector_comes_back_and_again_the_same(name, n, size, seed):
    X, y = sample(n, size, seed)
    before = X.copy(), y.copy()
    w = LEARNERS[name](X, y)
    assert w.shape == (n,) and w.dtype == np.float64 and np.linalg.norm(w) == pytest.approx(1)
    np.testing.assert_array_equal(LEARNERS[name](X.tolist(), y.tolist()), w)
    assert (X == before[0]).all() and (y == before[1]).all()
    if name in CONSISTENT:  # every label is given
        np.testing.assert_array_equal(signs(X, w), y)


@pytest.mark.parametrize("name", ["logistic", *CONSISTENT])
@pytest.mark.parametrize(("n", "size"), [(5, 100), (20, 400)])
def test_error_is_about_n_over_twice_the_size(name, n, size):
    rng = np.random.default_rng(n)
    errors = []
    for _ in range(8):
        task = HalfspaceTask(rng.standard_normal(n), Gaussian(n), rng=rng)
        errors.append(task.error(LEARNERS[name](*task.examples(size))))
    assert 0.5 < np.mean(errors) / (n / (2 * size)) < 2


@pytest.mark.parametrize("seed", range(3))
def test_each_direction_by_another_way(seed):
    X, y = sample(4, 30, seed)
    Z, n = y[:, None] * X, 4
    # hard margin, by duality: min |Z^T a| over a >= 0 with sum 1, by a heavy weight on the sum
    weights = nnls(np.vstack([Z.T, 1e4 * np.ones(len(Z))]), np.append(np.zeros(n), 1e4))[0]
    np.testing.assert_allclose(hard_margin_halfspace(X, y), unit(Z.T @ weights), atol=1e-4)
    np.testing.assert_allclose(averaging_halfspace(X, y), unit(Z.mean(axis=0)))
    np.testing.assert_allclose(least_squares_halfspace(X, y), unit(np.linalg.solve(X.T @ X, X.T @ y)))
    # the largest slack t that weights in [-1, 1] give, by another programme
    rows = np.hstack([-Z, np.ones((len(Z), 1))])
    best = linprog([0] * n + [-1], rows, np.zeros(len(Z)), bounds=[(-1, 1)] * n + [(None, None)]).x
    w = linear_program_halfspace(X, y)
    assert (Z @ w).min() / np.abs(w).max() == pytest.approx(best[-1], abs=1e-9)
    Z[:3] *= -1  # wrong labels, for a minimum that is not far away
    y[:3] *= -1
    for learner, C, rows in ((logistic_halfspace, 1e4, Z), (few_weights, 100.0, np.vstack([Z, Z]))):

        def loss(w, rows=rows, C=C):
            return np.logaddexp(0, -rows @ w).sum() + w @ w / (2 * C)

        best = minimize(loss, np.zeros(n), method="BFGS", options={"gtol": 1e-8}).x
        np.testing.assert_allclose(learner(X, y), unit(best), atol=2e-3)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("learner", [logistic_halfspace, averaging_halfspace, least_squares_halfspace])
@pytest.mark.parametrize(
    ("X", "y"), [([[1.0, 2.0], [-1.0, -2.0]], [1, 1]), ([[1.0, 2.0], [1.0, 2.0]], [1, -1]), ([[0.0, 0.0]], [1])]
)
def test_data_that_favour_no_direction_give_no_nan(learner, X, y):
    with pytest.raises(ValueError, match=r"^X: expected .*, got .+"):
        learner(np.array(X), np.array(y))
    for w in ([0.0, 0.0], [np.nan, 1.0], [1.0, np.inf]):
        with pytest.raises(NotSeparableError):
            direction(np.array(w))


@pytest.mark.parametrize("power", [-1000, -30, -7, 7, 30, 990])
def test_the_unit_of_the_examples_does_not_matter(power):
    """All that depends on the unit is how weak the weak regularisation is."""
    X, y = sample(5, 400, 3)
    expected = logistic_halfspace(X, y)
    for factor in (2.0**power, 1.3 * 2.0**power):
        np.testing.assert_allclose(logistic_halfspace(factor * X, y), expected, atol=0.02)


def test_examples_of_an_ordinary_size_are_used_as_they_are():
    X = sample(4, 300, 0)[0]
    for factor in (2.0**-1.6, 1.0, 20.0, 2.0**10.4):
        rows, powers = in_units(factor * X)
        assert (rows == factor * X).all() and not powers.any()
    for power in (-3, 11):  # the first that are not
        assert in_units(X * 2.0 ** (power + 0.4))[1].tolist() == [power] * 4


@pytest.mark.parametrize("seed", range(3))
def test_each_column_may_have_a_unit_of_its_own(seed):
    rng = np.random.default_rng(seed)
    X, target = rng.standard_normal((1000, 6)), rng.standard_normal(6)
    y, units = signs(X, target), 10.0 ** rng.integers(-4, 5, 6)
    w = logistic_halfspace(X * units, y) * units
    assert angle(w, target) / np.pi < 2 * 6 / 1000
    rows, powers = in_units(X * units)
    assert (np.ldexp(rows, powers) == X * units).all()  # nothing is rounded
    w = few_weights(X * units, y) * units
    assert angle(w, target) / np.pi < 0.02


def test_a_column_of_rounding_stays_small_and_an_empty_one_empty():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 4)) * [1e-3, 1e-3, 1e-19, 0.0]
    rows, powers = in_units(X)
    assert powers[0] == powers[1] and (powers[2:] == powers[:2].max()).all()
    assert np.abs(rows[:, :2]).max() > 1 and np.abs(rows[:, 2]).max() < 1e-12 and not rows[:, 3].any()
    assert in_units(np.eye(999, 2, -500) * [1e-9, 0.0])[1][0] < -20  # however rare what is not zero is


def test_zeros_and_one_class():
    for name in CONSISTENT:
        with pytest.raises(NotSeparableError):  # a zero never has the label -1
            LEARNERS[name]([[0], [-1]], [-1, -1])
    for X in ([[1.0, 0.2], [0.5, -0.1], [2.0, 0.0]], [[1.0, 0.0], [-0.2, 0.1], [1.0, -0.1]]):
        for name, label in product(["logistic", *CONSISTENT], (1, -1)):  # one class only, wherever the mean is
            rows, labels = label * np.array(X), np.full(3, label)
            np.testing.assert_array_equal(signs(rows, LEARNERS[name](rows, labels)), labels)
    X, y = sample(10, 400, 0)
    with pytest.raises(NotSeparableError):
        perceptron_halfspace(X, y, passes=1)
