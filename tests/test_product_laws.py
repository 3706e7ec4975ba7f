"""Conjunctions over product laws: exact errors, sample sizes, Algorithm 5, and the instances that refute."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifelong import bounds, learn_stream, metafeatures, represent
from lifelong.bounds import SampleSizes, product_sizes, product_sizes_printed
from lifelong.claims import products
from lifelong.claims.section4 import scratch_places
from lifelong.distributions import BooleanProduct
from lifelong.instances import HIDDEN, hidden_anchor_family, hidden_anchors, product_stream
from lifelong.monomials import ProductLawMetafeatures
from lifelong.tasks import ConjunctionTask

SIZES = SampleSizes(100, (50,) * 9, 200)


def points(n: int) -> np.ndarray:
    return np.array(list(product([False, True], repeat=n)))


def value(c: np.ndarray, X: np.ndarray) -> np.ndarray:
    return (X | ~c).all(axis=1)


rows = st.lists(st.booleans(), min_size=4, max_size=4).map(np.array)
laws = st.lists(st.sampled_from([0.0, 1e-12, 0.25, 0.5, 0.9, 1.0]), min_size=4, max_size=4).map(np.array)


# --- laws and tasks ---------------------------------------------------------------------------------


@given(laws, rows, rows)
def test_probability_and_error_are_sums_over_all_points(p, c, h):
    weight = np.where(points(4), p, 1 - p).prod(axis=1)
    law = BooleanProduct(p)
    assert law.probability(c) == pytest.approx(weight[value(c, points(4))].sum(), abs=1e-15)
    differ = value(c, points(4)) != value(h, points(4))
    assert ConjunctionTask(c, law).error(h) == pytest.approx(weight[differ].sum(), abs=1e-15)


def test_small_errors_keep_their_digits():
    law = BooleanProduct([1 - 2**-40, 0.5])
    task = ConjunctionTask([False, True], law)
    assert task.error([True, True]) == 2**-41
    assert task.error([False, True]) == 0


def test_only_what_is_kept_is_paid_for():
    task = ConjunctionTask([True, False, False], BooleanProduct([0.5, 0.5, 0.5]), rng=0)
    drawn = ConjunctionTask([True, False, False], BooleanProduct([0.5, 0.5, 0.5]), rng=0).unlabelled(200)
    X, y = task.examples(200, ones=[False, True, True])
    assert np.array_equal(X, drawn[drawn[:, 1] & drawn[:, 2]])
    assert np.array_equal(y, X[:, 0])
    assert task.counts.labels == len(X) < 80
    assert task.unlabelled(10).shape == (10, 3)
    assert task.counts.labels == len(X)


def test_tasks_without_a_law_and_bad_rows():
    task = ConjunctionTask([True, False])
    for call in (lambda: task.unlabelled(3), lambda: task.examples(3), lambda: task.error([True, True])):
        with pytest.raises(ValueError, match=r"^distribution: expected a law"):
            call()
    task = ConjunctionTask([True, False], BooleanProduct([0.5, 0.5]))
    with pytest.raises(ValueError, match=r"^h: expected dimension 2 as in the task, got dimension 3"):
        task.error([True, True, False])
    with pytest.raises(ValueError, match=r"^ones: expected a boolean array"):
        task.examples(3, ones=[0, 1])
    with pytest.raises(ValueError, match=r"^conjunction: expected dimension 2"):
        BooleanProduct([0.5, 0.5]).probability([True])


# --- sample sizes -----------------------------------------------------------------------------------


@given(st.integers(1, 60), st.integers(1, 500), st.floats(0.01, 0.9), st.floats(1e-6, 0.9), st.floats(0.01, 1))
@settings(max_examples=50)
def test_sizes_meet_their_inequalities(n, m, e, d, c0):
    sizes, r, Q = product_sizes(n, m, e, d, c0), 1 - e / 2, n * (n + 1) / 2
    assert n * exp(-sizes.unlabelled * e / (24 * n)) <= d / 3 * (1 + 1e-9)
    assert len(sizes.reuse) == n + 1
    for j, size in enumerate(sizes.reuse):
        assert log(m) + j * log(2) - size * r * e / 2 <= log(d / 3) + 1e-9
        assert (size - 1) * r * e / 2 < j * log(2) + log(3 * m / d)
    assert log(n * Q) - sizes.scratch * r * c0 * e / (8 * n) <= log(d / 3) + 1e-9
    assert max(products.proof_failures(n, m, e, d, c0)) <= 1 + 1e-9


def test_proof_fails_with_a_fifth_of_the_sizes():
    assert min(products.proof_failures(20, 100, 0.1, 0.05, 0.25, constant=0.2)) > 1


def test_printed_sizes_and_labels():
    sizes = product_sizes_printed(10, 2, 5, 0.5, 0.1, constant=2)
    exact = (2 * 20 * log(100), 2 * 4 * log(50), 2 * 20 * log(200))
    assert (sizes.unlabelled, sizes.reuse[0], sizes.scratch) == tuple(int(np.ceil(x)) for x in exact)
    assert set(sizes.reuse) == {sizes.reuse[0]}
    assert bounds.product_labels(sizes, 5, 2, 3) == 5 * sizes.reuse[2] + 3 * sizes.scratch
    assert bounds.independent_labels(10, 5, 0.5, 0.1) == 5 * int(np.ceil(2 * (10 * log(2) + log(50))))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: product_sizes(0, 1, 0.1, 0.1, 0.5), "n: expected an integer >= 1"),
        (lambda: product_sizes(3, 0, 0.1, 0.1, 0.5), "m: expected an integer >= 1"),
        (lambda: product_sizes(3, 1, 1.0, 0.1, 0.5), "epsilon: expected a number in"),
        (lambda: product_sizes(3, 1, 0.1, 0.0, 0.5), "delta: expected a number in"),
        (lambda: product_sizes(3, 1, 0.1, 0.1, 0.0), "c0: expected a number in"),
        (lambda: product_sizes(3, 1, 0.1, 0.1, 0.5, constant=0), "constant: expected a number in"),
        (lambda: product_sizes_printed(3, 4, 1, 0.1, 0.1), "k: expected an integer >= 1 and <= 3"),
        (lambda: bounds.product_labels((1, 2, 3), 1, 1, 1), "sizes: expected a SampleSizes"),
        (lambda: bounds.product_labels(SIZES, 1, 9, 1), "k: expected an integer >= 0 and <= 8"),
        (lambda: bounds.independent_labels(3, 1, 0.1, 2), "delta: expected a number in"),
        (lambda: ProductLawMetafeatures(8, 0.0, sizes=SIZES), "epsilon: expected a number in"),
        (lambda: ProductLawMetafeatures(8, 0.1, 0.05), "m: expected the number of problems, or sizes"),
        (lambda: ProductLawMetafeatures(8, 0.1, 0.0, m=3), "delta: expected a number in"),
        (lambda: ProductLawMetafeatures(7, 0.1, sizes=SIZES), "sizes: expected dimension 7"),
        (lambda: ProductLawMetafeatures(7, 0.1, sizes=5), "sizes: expected a SampleSizes"),
        (lambda: hidden_anchors(1.0), "zero: expected a number in"),
        (lambda: hidden_anchor_family(5), "k: expected an even number, got 5"),
        (lambda: product_stream(4, 4, 3, 0.9, c0=0.99), "epsilon: expected a smaller one"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match="^" + message):
        call()


# --- Algorithm 5 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", [ProductLawMetafeatures, products.ShortConjunctions])
def test_with_enough_examples_it_is_algorithm_4_on_the_significant_variables(seed, kind):
    rng = np.random.default_rng(seed)
    stream = product_stream(8, 4, 15, 0.2, rng=rng)
    sizes = products.scaled(product_sizes(8, 15, 0.2, 1e-9, 0.25), reuse=10)  # an attempt that fits is exact
    run, errors = products.play_product(stream, 0.2, sizes, rng=rng, learner=kind)
    learner = run.representation
    zero, S = 1 - stream.law.probabilities, learner.significant
    assert S[zero >= 0.2 / 16].all()
    assert not S[zero <= 0.2 / 64].any()
    restricted = stream.targets & S
    scratch = [i for i, how in enumerate(run.how) if how == "scratch"]
    assert scratch == scratch_places(restricted)
    assert np.array_equal(learner.targets, restricted[scratch])
    assert np.array_equal(learner.metafeatures, metafeatures(learner.targets))
    assert (errors <= 0.2).all()
    assert products.within(run, 4)


def test_nothing_of_the_data_is_kept():
    rng = np.random.default_rng(0)
    stream = product_stream(8, 3, 10, 0.2, rng=rng)
    run, _ = products.play_product(stream, 0.2, product_sizes(8, 10, 0.2, 0.1, 0.25), rng=rng)
    kept = vars(run.representation)
    assert sum(x.size for x in kept.values() if isinstance(x, np.ndarray)) <= 8 * (run.scratch + 3 + 1)


def test_same_seed_same_run():
    stream, sizes = product_stream(8, 3, 10, 0.2, rng=3), product_sizes(8, 10, 0.2, 0.1, 0.25)
    first, again, other = (products.play_product(stream, 0.2, sizes, rng=np.random.default_rng(s)) for s in (1, 1, 2))
    assert first[0].counts == again[0].counts != other[0].counts
    assert np.array_equal(first[1], again[1])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", [ProductLawMetafeatures, products.ShortConjunctions])
def test_hypotheses_fit_what_was_kept(seed, kind):
    rng = np.random.default_rng(seed)
    stream = product_stream(8, 3, 6, 0.2, rng=rng)
    learner = kind(8, 0.2, sizes=SampleSizes(30, (10,) * 9, 30))
    for c in stream.targets:
        task = products.Watched(c, stream.law, rng=rng)
        h = learn_stream([task], learner).steps[0].hypothesis
        seen = task.drawn[(task.drawn | learner.significant).all(axis=1)]
        assert np.array_equal(value(h, seen), value(c, seen))


def test_a_task_of_another_size_is_refused():
    learner = ProductLawMetafeatures(8, 0.2, sizes=SIZES)
    task = ConjunctionTask([True, False], BooleanProduct([0.5, 0.5]))
    for method in (learner.reuse, learner.learn):
        with pytest.raises(ValueError, match=r"^task: expected dimension 8 as in the representation"):
            method(task)
    with pytest.raises(ValueError, match=r"^distribution: expected a law"):
        learner.reuse(ConjunctionTask(np.ones(8, dtype=bool)))


def test_labels_of_no_conjunction_are_refused():
    class Parity(ConjunctionTask):
        def _value(self, X):
            return X[:, 0] ^ X[:, 1]

    learner = ProductLawMetafeatures(2, 0.2, sizes=SampleSizes(100, (50,) * 3, 200))
    with pytest.raises(ValueError, match=r"^task: expected a conjunction, got labels"):
        learner.learn(Parity([True, True], BooleanProduct([0.5, 0.5]), rng=0))


# --- instances --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_random_streams_meet_the_hypotheses(seed):
    n, k, e, c0 = 10, 3, 0.1, 0.25
    M, targets, law = product_stream(n, k, 20, e, c0, rng=seed)
    zero = 1 - law.probabilities
    assert law.probability(np.ones(n, dtype=bool)) >= c0
    assert (zero[:k] >= e / (2 * n) * (1 - 1e-9)).all()
    assert ((zero >= e / (40 * n) * (1 - 1e-9)) & (zero <= 1 / 3)).all()
    assert np.array_equal(M[:, :k], np.eye(k, dtype=bool))
    assert all(represent(T, M) is not None for T in targets)


def test_three_hidden_anchors():
    M, targets, law = hidden_anchors()
    assert (M & (M.sum(axis=0) == 1)).any(axis=1).all()
    assert len(metafeatures(targets)) == 3
    assert len(metafeatures(targets[:, :4])) == 4
    assert (1 - law.probabilities[4:]).max() < 2 * HIDDEN


@pytest.mark.parametrize("k", [2, 4, 6, 8])
def test_the_family_has_all_sets_but_one(k):
    N = comb(k, k // 2)
    M, targets, law = hidden_anchor_family(k)
    assert all(represent(T, M) is not None for T in targets)
    assert (M & (M.sum(axis=0) == 1)).any(axis=1).all()
    visible = targets[:, :N]
    assert (visible[:-1].sum(axis=1) == N - 1).all()
    assert len(np.unique(visible[:-1], axis=0)) == N
    assert visible[-1].sum() == N // 2
    if k <= 6:
        assert scratch_places(visible) == list(range(N))
        assert np.array_equal(np.sort(metafeatures(visible).argmax(axis=1)), np.arange(N))
    assert law.probability(targets[-1]) == pytest.approx((1 - 1 / N) ** (N // 2), rel=1e-6)


# --- the exact error --------------------------------------------------------------------------------


def test_overshoot_by_hand():
    half = Fraction(1, 2)
    # one draw, one extra variable: it stays unless the draw is positive (1/2) and it is 0 there (1/2)
    stays = 1 - half * half
    mean, chance = products.overshoot(1, 0.5, 0.5, 1, 0.2)
    assert mean == pytest.approx(float(half * half * stays))
    assert chance == pytest.approx(float(stays))
    assert products.overshoot(1, 0.5, 0.5, 1, 0.5)[1] == 0


def test_overshoot_against_the_real_learner():
    N, law = 40, BooleanProduct(np.full(40, 0.95))
    c, rng, errors = np.arange(N) < 20, np.random.default_rng(0), []
    sizes = SampleSizes(1, (30,) * (N + 1), 1)
    for _ in range(3000):
        learner = ProductLawMetafeatures(N, 0.1, sizes=sizes)
        learner.significant, learner.metafeatures = np.ones(N, dtype=bool), np.eye(N, dtype=bool)
        task = ConjunctionTask(c, law, rng=rng)
        errors.append(task.error(learner.reuse(task)))
    mean, chance = products.overshoot(30, 0.95**20, 0.05, 20, 0.15)
    assert abs(np.mean(errors) - mean) < 5 * np.std(errors) / np.sqrt(3000)
    assert abs(np.mean(np.array(errors) > 0.15) - chance) < 0.05


def test_the_printed_theorem_fails_by_a_growing_factor():
    ratios = [mean / epsilon for epsilon, mean, _ in map(products.hidden_anchor_error, (12, 14, 16, 18))]
    assert ratios[1] > 3
    assert (np.diff(ratios) > 0).all()
    assert products.hidden_anchor_error(14)[2] > 1 - 1e-9
    epsilon, _, chance = products.hidden_anchor_error(14, repaired=True)
    kept = 1 - epsilon / 2
    assert 2 / (kept * epsilon) * (14 * log(2) + log(3 * 3433 / 0.05)) == pytest.approx(3432)
    assert chance > 1 - 1e-9
    assert products.adaptive_error(14)[1] < 1e-12


def test_the_bound_on_problems_from_scratch_grows_with_both_numbers():
    table = {(n, k): bounds.online_uniform(n, k) for n in range(1, 30) for k in range(1, n + 1)}
    assert all(value <= table.get((n + 1, k), value) for (n, k), value in table.items())
    assert all(value <= table.get((n, k + 1), value) for (n, k), value in table.items())


def test_scaled_sizes():
    assert products.scaled(SIZES, reuse=0.5, scratch=0.001) == SampleSizes(100, (25,) * 9, 1)
