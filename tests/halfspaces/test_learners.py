"""Learners of one halfspace: what each promises on separable data, and that it says so when it fails."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.learners import (
    NotSeparableError,
    direction,
    few_weights,
    in_units,
    logistic_halfspace,
)
from lifelong.halfspaces.tasks import HalfspaceTask, signs
from lifelong.laws import Gaussian
from lifelong_book.halfspaces.levels.sparse import SPARSE_LEARNERS
from lifelong_book.halfspaces.subspace.learners import (
    LEARNERS,
    averaging_halfspace,
    hard_margin_halfspace,
    least_squares_halfspace,
    linear_program_halfspace,
    perceptron_halfspace,
)

CONSISTENT = ["hard margin", "linear programme", "perceptron"]
FAST = ["logistic", *CONSISTENT]


def sample(n, size, seed):
    """Examples of a random halfspace."""
    rng = np.random.default_rng(seed)
    X, target = rng.standard_normal((size, n)), rng.standard_normal(n)
    return X, signs(X, target)


@pytest.mark.parametrize("name", LEARNERS)
@given(n=st.integers(1, 6), size=st.integers(1, 40), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_a_unit_vector_comes_back_and_again_the_same(name, n, size, seed):
    X, y = sample(n, size, seed)
    w = LEARNERS[name](X, y)
    assert w.shape == (n,)
    assert w.dtype == np.float64
    assert np.linalg.norm(w) == pytest.approx(1)
    np.testing.assert_array_equal(LEARNERS[name](X, y), w)


@pytest.mark.parametrize("name", CONSISTENT)
@given(n=st.integers(1, 6), size=st.integers(1, 60), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_consistent_learners_give_every_label(name, n, size, seed):
    X, y = sample(n, size, seed)
    np.testing.assert_array_equal(signs(X, LEARNERS[name](X, y)), y)


@pytest.mark.parametrize("name", LEARNERS)
def test_the_examples_are_not_changed(name):
    X, y = sample(3, 30, 0)
    before = X.copy(), y.copy()
    LEARNERS[name](X, y)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(y, before[1])


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize(("n", "size"), [(5, 100), (20, 400)])
def test_error_is_about_n_over_twice_the_size(name, n, size):
    rng = np.random.default_rng(n)
    errors = []
    for _ in range(8):
        task = HalfspaceTask(rng.standard_normal(n), Gaussian(n), rng=rng)
        errors.append(task.error(LEARNERS[name](*task.examples(size))))
    assert 0.5 < np.mean(errors) / (n / (2 * size)) < 2


@pytest.mark.parametrize("learner", [averaging_halfspace, least_squares_halfspace])
def test_the_slow_ones_lose_a_factor_two_when_the_sample_is_four_times_as_large(learner):
    """At the rate 1/N the error would fall by 4, at the rate of the root by 2."""
    rng = np.random.default_rng(0)
    errors = {}
    for size in (400, 6400):
        tasks = [HalfspaceTask(rng.standard_normal(10), Gaussian(10), rng=rng) for _ in range(12)]
        errors[size] = np.mean([task.error(learner(*task.examples(size))) for task in tasks])
    assert 2.5 < errors[400] / errors[6400] < 6.5


# --- against other ways to find the same ------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_hard_margin_is_the_nearest_point_of_the_hull(seed):
    """Duality: the normal points to the point of the convex hull of the y x that is nearest to the origin."""
    X, y = sample(4, 30, seed)
    Z = y[:, None] * X
    # min |Z^T a| over a >= 0 with sum 1, by a heavy weight on the sum
    weights = nnls(np.vstack([Z.T, 1e4 * np.ones(len(Z))]), np.append(np.zeros(4), 1e4))[0]
    nearest = Z.T @ weights / weights.sum()
    np.testing.assert_allclose(hard_margin_halfspace(X, y), nearest / np.linalg.norm(nearest), atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_no_box_vector_has_more_slack_than_the_linear_programme(seed):
    X, y = sample(3, 40, seed)
    w = linear_program_halfspace(X, y)
    w = w / np.abs(w).max()
    others = np.random.default_rng(seed).uniform(-1, 1, (20_000, 3))
    assert (y * (X @ w)).min() >= (y * (others @ X.T)).min(axis=1).max() - 1e-9


def test_the_mean_and_the_normal_equations():
    X, y = sample(5, 200, 0)
    mean, fit = (y[:, None] * X).mean(axis=0), np.linalg.solve(X.T @ X, X.T @ y)
    np.testing.assert_allclose(averaging_halfspace(X, y), mean / np.linalg.norm(mean))
    np.testing.assert_allclose(least_squares_halfspace(X, y), fit / np.linalg.norm(fit))


# --- labels that no halfspace gives -----------------------------------------------------------------


@pytest.mark.parametrize("name", CONSISTENT)
def test_consistent_learners_refuse_labels_of_no_halfspace(name):
    X, y = sample(2, 200, 0)
    y[:10] *= -1
    with pytest.raises(NotSeparableError, match=r"^y: expected labels of a halfspace .*, got none"):
        LEARNERS[name](X, y)


@pytest.mark.parametrize("name", ["logistic", "least squares", "averaging"])
def test_the_others_live_with_noise(name):
    X, y = sample(3, 2000, 0)
    clean = LEARNERS[name](X, y)
    y[:100] *= -1
    assert LEARNERS[name](X, y) @ clean > 0.95


def test_the_cap_on_passes():
    X, y = sample(10, 400, 0)
    with pytest.raises(NotSeparableError):
        perceptron_halfspace(X, y, passes=1)
    np.testing.assert_array_equal(signs(X, perceptron_halfspace(X, y)), y)


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, None])
def test_bad_passes(bad):
    with pytest.raises(ValueError, match=r"^passes: expected an integer >= 1, got .+"):
        perceptron_halfspace(np.eye(2), [1, 1], passes=bad)


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("label", [1, -1])
def test_one_class_only(name, label):
    X = np.array([[1.0, 0.2], [0.5, -0.1], [2.0, 0.0]]) * label
    np.testing.assert_array_equal(signs(X, LEARNERS[name](X, np.full(3, label))), np.full(3, label))


@pytest.mark.parametrize("name", FAST)
def test_one_class_is_separated_wherever_the_mean_is(name):
    X = np.array([[1.0, 0.0], [-0.2, 0.1], [1.0, -0.1]])
    y = signs(X, np.array([1.0, 5.0]))
    assert (y == 1).all()
    np.testing.assert_array_equal(signs(X, LEARNERS[name](X, y)), y)


def test_separable_data_are_separated_by_logistic_regression():
    X = np.random.default_rng(0).standard_normal((200, 3))
    X = X[np.abs(X[:, 0]) > 0.3]
    y = signs(X, np.array([1.0, 0, 0]))
    np.testing.assert_array_equal(signs(X, logistic_halfspace(X, y)), y)


# --- bad input --------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("learner", [logistic_halfspace, averaging_halfspace, least_squares_halfspace])
@pytest.mark.parametrize(
    ("X", "y"), [([[1.0, 2.0], [-1.0, -2.0]], [1, 1]), ([[1.0, 2.0], [1.0, 2.0]], [1, -1]), ([[0.0, 0.0]], [1])]
)
def test_data_that_favour_no_direction_give_no_nan(learner, X, y):
    with pytest.raises(ValueError, match=r"^X: expected .*, got .+"):
        learner(np.array(X), np.array(y))


BAD = {
    "short y": ("y", np.eye(2), np.array([1])),
    "long y": ("y", np.eye(2), np.array([1, -1, 1])),
    "empty": ("y", np.empty((0, 2)), np.array([], dtype=int)),
    "y of 0 and 1": ("y", np.eye(2), np.array([0, 1])),
    "y of 0": ("y", np.eye(2), np.array([0, 0])),
    "boolean y": ("y", np.eye(2), np.array([True, False])),
    "column y": ("y", np.eye(2), np.array([[1], [-1]])),
    "NaN": ("X", np.array([[np.nan, 1], [1, 2]]), np.array([1, -1])),
    "NaN, one class": ("X", np.array([[np.nan, 1], [1, 2]]), np.array([1, 1])),
    "infinity": ("X", np.array([[np.inf, 1], [1, 2]]), np.array([1, -1])),
    "one axis": ("X", np.ones(2), np.array([1, -1])),
    "text": ("X", np.array([["a"], ["b"]]), np.array([1, -1])),
}


@pytest.mark.parametrize("learner", [name for name in LEARNERS if name != "logistic"])
@pytest.mark.parametrize("bad", BAD)
def test_bad_training_data(learner, bad):
    name, X, y = BAD[bad]
    with pytest.raises(ValueError, match=rf"^{name}: expected .*, got .+"):
        LEARNERS[learner](X, y)


@pytest.mark.parametrize("name", LEARNERS)
def test_lists_are_arrays(name):
    np.testing.assert_allclose(LEARNERS[name]([[1.0], [-2.0]], [1, -1]), [1], atol=1e-9)


@pytest.mark.parametrize("w", [[0.0, 0.0], [np.nan, 1.0], [1.0, np.inf], [np.nan, np.nan]])
def test_what_is_no_direction_is_refused(w):
    with pytest.raises(NotSeparableError, match=r"^X: expected examples that some halfspace tells apart"):
        direction(np.array(w))


@pytest.mark.parametrize("scale", [1e-3, 0.1, 1.0, 10.0])
def test_the_linear_programme_finds_the_largest_slack(scale):
    """Weights in [-1, 1]: by (1, 1) both examples get 3 times the scale, and no weights give the first one more."""
    w = linear_program_halfspace(scale * np.array([[2.0, 1.0], [1.0, 2.0]]), [1, 1])
    np.testing.assert_allclose(w, np.sqrt([0.5, 0.5]), atol=1e-9)


def test_the_linear_programme_against_all_corners():
    """The largest slack is taken where two examples, or an example and a side of the square, tie."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        X, y = sample(2, 12, int(rng.integers(2**32)))
        lines = np.vstack([y[:, None] * X])
        candidates = [np.array(w) for w in product((-1.0, 1.0), repeat=2)]
        ties = [a - b for a, b in combinations(lines, 2)]
        for tie, side, j in product(ties, (-1.0, 1.0), (0, 1)):
            w = np.full(2, side)
            w[1 - j] = -side * tie[j] / tie[1 - j]
            candidates += [w] if abs(w[1 - j]) <= 1 else []
        best = max(candidates, key=lambda w: (lines @ w).min())
        found = linear_program_halfspace(X, y)
        assert (lines @ found).min() / np.abs(found).max() == pytest.approx((lines @ best).min(), abs=1e-9)


@pytest.mark.parametrize("power", [-1030, -900, -300, 300, 900])
def test_least_squares_do_not_know_the_unit(power):
    """Powers of two are exact; of the smallest numbers the last digits are lost, and their inverses are no numbers."""
    X, y = sample(4, 30, 1)
    found, expected = least_squares_halfspace(np.ldexp(X, power), y), least_squares_halfspace(X, y)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 if power < -1000 else 0)


# --- the unit of the examples, and examples on the boundary -------------------------------------------


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("power", [-1000, -600, -30, -7, 7, 30, 600, 990])
def test_the_unit_of_the_examples_does_not_matter(name, power):
    """All that depends on the unit is how weak the weak regularisation is."""
    X, y = sample(5, 400, 3)
    expected = LEARNERS[name](X, y)
    for factor in (2.0**power, 1.3 * 2.0**power):
        np.testing.assert_allclose(LEARNERS[name](factor * X, y), expected, atol=0.02 if name == "logistic" else 1e-6)


def test_examples_of_an_ordinary_size_are_used_as_they_are():
    X = sample(4, 300, 0)[0]
    for factor in (0.4, 1.0, 20.0, 500.0):
        for common in (False, True):
            rows, powers = in_units(factor * X, common=common)
            assert (rows == factor * X).all() and not powers.any()


@pytest.mark.parametrize("seed", range(5))
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


@pytest.mark.parametrize("name", SPARSE_LEARNERS)
@pytest.mark.parametrize("factor", [1e-200, 1e-4, 1e4, 1e200])
def test_sparse_learners_do_not_know_the_unit(name, factor):
    X = np.random.default_rng(0).standard_normal((60, 6))
    y = np.where(X[:, 1] > X[:, 4], 1, -1)
    w, expected = SPARSE_LEARNERS[name](factor * X, y, 2), SPARSE_LEARNERS[name](X, y, 2)
    assert np.flatnonzero(w).tolist() == [1, 4]
    np.testing.assert_allclose(w, expected, atol=0.02)


def consistent_somewhere(X, y):
    """Whether a halfspace gives the labels: each face that small integer examples cut out has a small integer point.

    In three dimensions with entries in {-1, 0, 1}: rays are cross products of examples, or of one with such a product,
    so their entries are at most 4, and a face is met by a sum of at most two of these, or of three products of two
    examples, with entries at most 2. In two dimensions with entries up to 2 the same is smaller.
    """
    W = np.array([w for w in product(range(-8, 9), repeat=X.shape[1]) if any(w)])
    return bool((np.where(W @ X.T >= 0, 1, -1) == y).all(axis=1).any())


@pytest.mark.parametrize("part", range(4))
def test_examples_on_the_boundary_have_the_label_one(part):
    """Against all directions: where a halfspace gives the labels one is found, and where none does it is said."""
    rng, seen = np.random.default_rng(part), {True: 0, False: 0}
    quick = dict(LEARNERS, perceptron=lambda X, y: perceptron_halfspace(X, y, passes=50))
    for _ in range(40):
        n = int(rng.integers(1, 4))
        X = rng.integers(-2, 3, (int(rng.integers(1, 7)), n)) if n < 3 else rng.integers(-1, 2, (5, n))
        y = np.where(rng.random(len(X)) < 0.7, 1, -1)
        if not X.any():
            continue
        there = consistent_somewhere(X, y)
        seen[there] += 1
        for name in CONSISTENT:
            if not there:
                with pytest.raises(NotSeparableError):
                    quick[name](X, y)
                continue
            products = X @ quick[name](X, y)
            assert (products[y < 0] < -1e-9).all() and (products[y > 0] > -1e-14).all(), (name, X, y)
    assert min(seen.values()) > 10


def test_one_example_with_a_label_and_zeros_that_have_the_sign_of_zero():
    assert linear_program_halfspace([[0], [-1], [0], [0]], [1, -1, 1, 1]).tolist() == [1.0]
    for learner in (linear_program_halfspace, hard_margin_halfspace, perceptron_halfspace):
        with pytest.raises(NotSeparableError):  # a zero never has the label -1
            learner([[0], [-1]], [-1, -1])
        w = learner([[1, 3, 0], [-1, -3, 0], [0, 0, 2]], [1, 1, -1])  # the boundary is forced, but for rounding
        assert abs(w @ [1, 3, 0]) < 1e-15 and w[2] < -0.01
