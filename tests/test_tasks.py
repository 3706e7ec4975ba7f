"""Oracles: what they answer, and that they count every answer and nothing else."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product

import numpy as np
import pytest

from lifelong import angle
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.conjunctions.winnow import ThresholdTask
from lifelong.halfspaces.tasks import HalfspaceTask, PoolTask
from lifelong.laws import ISOTROPIC_LAWS, BooleanProduct, Gaussian, UniformBall, UniformCube, isotropic_law
from lifelong.loop import Counts, Step


class Audited:
    """A task behind a second, independent counter, fed by what comes out of the oracles."""

    def __init__(self, task):
        self.task, self.seen = task, Counter()

    def __getattr__(self, name):
        return getattr(self.task, name)

    def examples(self, size):
        X, y = self.task.examples(size)
        assert len(X) == len(y)
        self.seen["labels"] += len(y)
        return X, y

    def member(self, x):
        self.seen["membership"] += 1
        return self.task.member(x)

    def equivalent(self, h):
        self.seen["equivalence"] += 1
        return self.task.equivalent(h)

    def audit(self) -> bool:
        return self.task.counts == Counts(**self.seen)


def points(n: int) -> np.ndarray:
    return np.array(list(product([False, True], repeat=n)))


def value(target: np.ndarray, x: np.ndarray) -> bool:
    return all(x[i] for i in range(len(target)) if target[i])


# --- counts -----------------------------------------------------------------------------------------


def test_counts_add_and_subtract():
    a, b = Counts(labels=5, membership=3, equivalence=2), Counts(labels=1, membership=1, equivalence=1)
    assert a + b - b == a
    assert a - b == Counts(labels=4, membership=2, equivalence=1)
    assert sum([a, b], Counts()) == Counts(labels=6, membership=4, equivalence=3)
    assert a - a == Counts()


@pytest.mark.parametrize("name", ["labels", "membership", "equivalence"])
@pytest.mark.parametrize("bad", [np.nan, 2.0, True, None, -1])
def test_counts_are_integers(name, bad):
    for kind in (Counts, partial(Step, "reused", None)):
        with pytest.raises(ValueError, match=rf"^{name}: expected an integer >= 0, got "):
            kind(**{name: bad})
    assert getattr(Counts(**{name: np.int64(3)}), name) == 3


def test_halfspace_labels_are_counted():
    task = Audited(HalfspaceTask([1, 2, 3], Gaussian(3), rng=0))
    for size in (5, 0, 17, 1):
        task.examples(size)
    task.error([1, 0, 0])
    assert task.audit()
    assert task.counts == Counts(labels=23)


def test_conjunction_queries_are_counted():
    rng = np.random.default_rng(0)
    task = Audited(ConjunctionTask(rng.random(6) < 0.5, BooleanProduct([0.7] * 6), rng=1))
    for _ in range(200):
        x = rng.random(6) < 0.5
        kind = rng.integers(3)
        if kind == 0:
            task.examples(int(rng.integers(4)))
        elif kind == 1:
            task.member(x)
        else:
            task.equivalent(x)
    assert task.audit()
    assert min(task.counts.labels, task.counts.membership, task.counts.equivalence) > 20


def test_queries_refused_are_not_counted():
    task = ConjunctionTask([True, False])
    for query in (task.member, task.equivalent):
        with pytest.raises(ValueError, match="expected"):
            query([True])
    with pytest.raises(ValueError, match="expected"):
        task.examples(3)
    assert task.counts == Counts()


# --- halfspaces -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(ISOTROPIC_LAWS))
def test_examples_carry_the_labels_of_the_target(name):
    task = HalfspaceTask([3.0, -4.0, 0.0], isotropic_law(name, 3), rng=5)
    X, y = task.examples(500)
    assert X.shape == (500, 3)
    assert set(np.unique(y)) == {-1, 1}
    for x, label in zip(X, y, strict=True):
        assert label == (1 if 3 * x[0] - 4 * x[1] >= 0 else -1)
    again = HalfspaceTask([3.0, -4.0, 0.0], isotropic_law(name, 3), rng=5)
    np.testing.assert_array_equal(again.examples(500)[0], X)
    assert not np.array_equal(task.examples(500)[0], X)


@pytest.mark.parametrize("law", [Gaussian(4), UniformBall(4)])
def test_error_is_the_angle_over_pi_for_rotation_invariant_laws(law):
    rng = np.random.default_rng(1)
    X = law.sample(100_000, rng=rng)
    for _ in range(10):
        target, w = rng.standard_normal((2, 4))
        exact = HalfspaceTask(target, law).error(w)
        assert exact == pytest.approx(float(angle(w, target)) / np.pi, abs=1e-15)
        counted = np.mean((X @ target >= 0) != (X @ w >= 0))
        assert abs(counted - exact) < 5 * np.sqrt(exact * (1 - exact) / len(X))


@pytest.mark.parametrize("name", ["cube", "laplace", "logistic", "exponential"])
def test_other_errors_are_frequencies(name):
    law = isotropic_law(name, 2)
    task = HalfspaceTask([1.0, 0.2], law)
    X = law.sample(200_000, rng=9)
    exact = np.mean((X @ [1.0, 0.2] >= 0) != (X @ [0.5, 1.0] >= 0))
    assert abs(task.error([0.5, 1.0], size=50_000) - exact) < 0.02
    assert task.error([0.5, 1.0], rng=3) == task.error([0.5, 1.0], rng=3)
    assert task.error([1.0, 0.2]) == 0
    assert task.error([-1.0, -0.2]) == 1


@pytest.mark.parametrize("size", [1e300, 1e-300, 5e-324])
def test_targets_of_any_length(size):
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        task = HalfspaceTask([size, size], Gaussian(2), rng=0)
    np.testing.assert_allclose(task.target, [0.5**0.5, 0.5**0.5])
    assert task.error([1, 0]) == pytest.approx(0.25)


# --- conjunctions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 3])
def test_member_answers_the_conjunction(n):
    for target in points(n):
        task = ConjunctionTask(target)
        assert task.n == n
        for x in points(n):
            assert task.member(x) is value(target, x)


@pytest.mark.parametrize("n", [1, 3])
def test_counterexamples_are_points_of_disagreement(n):
    for target in points(n):
        task = ConjunctionTask(target)
        for h in points(n):
            x = task.equivalent(h)
            assert (x is None) == np.array_equal(h, target)
            if x is not None:
                assert x.dtype == np.bool_
                assert value(h, x) != value(target, x)
                assert value(target, x) == bool((h & ~target).any())  # positive ones first, as documented


def test_conjunction_examples():
    target = np.array([True, False, True])
    task = ConjunctionTask(target, BooleanProduct([0.8, 0.5, 0.5]), rng=2)
    X, y = task.examples(5000)
    assert y.tolist() == [value(target, x) for x in X]
    assert abs(y.mean() - 0.4) < 5 * np.sqrt(0.24 / 5000)
    assert X.dtype == y.dtype == np.bool_


# --- bad input --------------------------------------------------------------------------------------

BAD_ROWS = [[1, 0], [[True, False]], None, ["True", "False"], [True, False, True]]


@pytest.mark.parametrize("bad", BAD_ROWS, ids=repr)
def test_bad_conjunctions(bad):
    with pytest.raises(ValueError, match=r"^(target|distribution): expected .*, got .+"):
        ConjunctionTask(bad, BooleanProduct([0.5, 0.5]))
    task = ConjunctionTask([True, False])
    with pytest.raises(ValueError, match=r"^x: expected .*, got .+"):
        task.member(bad)
    with pytest.raises(ValueError, match=r"^h: expected .*, got .+"):
        task.equivalent(bad)


# --- equivalence queries for thresholds over conjunctions -------------------------------------------


def threshold_value(weights: np.ndarray, features: np.ndarray, theta: float, x: np.ndarray) -> bool:
    """The hypothesis at one point, word for word."""
    missed = sum(w for w, m in zip(weights, features, strict=True) if any(m & ~x))
    return not missed >= theta


@pytest.mark.parametrize("part", range(4))
def test_thresholds_are_compared_with_the_target_on_every_point(part):
    rng = np.random.default_rng(part)
    kinds = Counter()
    for _ in range(100):
        n, N = int(rng.integers(1, 6)), int(rng.integers(0, 6))
        features, target = rng.random((N, n)) < 0.5, rng.random(n) < 0.6
        weights, theta = rng.integers(0, 5, N) / 2, rng.integers(-1, 8) / 2
        task = Audited(ThresholdTask(target))
        point = task.task.equivalent_threshold(weights, features, theta)
        task.seen["equivalence"] += 1
        assert task.audit()
        wrong = [x for x in points(n) if threshold_value(weights, features, theta, x) != value(target, x)]
        assert (point is None) == (not wrong)
        if point is None:
            kinds["equal"] += 1
            continue
        assert any((x == point).all() for x in wrong)
        positive = value(target, point)
        kinds["positive" if positive else "negative"] += 1
        if positive:  # as full as it can be
            assert not any((x >= point).all() and (x != point).any() for x in wrong if value(target, x))
        else:
            assert (~point).sum() == 1
            assert not any(value(target, x) for x in wrong)
    assert min(kinds.values()) > 3 and len(kinds) == 3


def test_labels_of_examples_that_go_unlabelled_are_not_counted():
    task = ConjunctionTask([True, False, False], BooleanProduct([0.5, 0.5, 0.5]), rng=0)
    X, y = task.examples(1000, ones=[False, True, False])
    assert X[:, 1].all() and 400 < len(X) < 600
    assert task.counts == Counts(labels=len(X)) and (y == X[:, 0]).all()


def test_the_error_of_a_conjunction_by_summing_over_the_cube():
    p = np.array([0.9, 0.3, 0.6, 0.8])
    points = np.array(list(product((False, True), repeat=4)))
    weights = np.prod(np.where(points, p, 1 - p), axis=1)
    for target, h in product(points[::3], points):
        task = ConjunctionTask(target, BooleanProduct(p))
        wrong = (points | ~target).all(axis=1) != (points | ~h).all(axis=1)
        assert task.error(h) == pytest.approx(weights[wrong].sum(), abs=1e-12)


def test_the_fullest_counterexample_takes_ones_of_least_index_first():
    # the sum is 1 while one of the two features has a 0, and the threshold asks for 1: one of the zeros stays
    task = ThresholdTask([True, False, False])
    answer = task.equivalent_threshold([1.0, 1.0], [[False, True, False], [False, False, True]], 1.0)
    assert answer is not None and answer.tolist() == [True, True, False]


def test_errors_are_counted_on_the_same_draws_unless_others_are_asked_for():
    task = HalfspaceTask([1.0, 0.3, 0.0], UniformCube(3), rng=7)
    w = [1.0, 0.0, 0.2]
    X = UniformCube(3).sample(20_000, rng=0)
    assert task.error(w) == np.mean((X @ w >= 0) != (X @ task.target >= 0))
    assert task.error(w) == task.error(w, rng=0) != task.error(w, rng=1)


def test_thresholds_that_are_missed_by_little():
    task = ThresholdTask([True, True])
    assert task.equivalent_threshold([1.0, 0.995], np.eye(2, dtype=bool), 1.0).tolist() == [True, False]
    assert task.equivalent_threshold([1.0, 1.0], np.eye(2, dtype=bool), 1.0) is None


def test_a_pool_is_shared_and_may_be_asked_for_nothing():
    X = np.random.default_rng(0).standard_normal((50, 3))
    first, second = (PoolTask(X, X[:, j] > 0, rng=j) for j in (0, 1))
    assert all(np.shares_memory(task._X, X) for task in (first, second))
    assert not np.shares_memory(PoolTask(np.asfortranarray(X), X[:, 0] > 0)._X, X)
    examples, labels = first.examples(0)
    assert examples.shape == (0, 3) and labels.shape == (0,)
    assert first.counts == Counts() and first.left == 50
    with pytest.raises(ValueError, match=r"^test\[0\]: expected dimension 3"):
        PoolTask(X, X[:, 0] > 0, test=(X[:, :2], X[:, 0] > 0))
