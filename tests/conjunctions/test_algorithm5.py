"""Conjunctions over product laws: exact errors, sample sizes, Algorithm 5, and the instances that refute."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifelong import learn_stream, metafeatures, represent
from lifelong.conjunctions import bounds, product_studies
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong.conjunctions.algorithm5 import ProductLawMetafeatures, most_specific
from lifelong.conjunctions.bounds import SampleSizes, product_sizes, product_sizes_printed
from lifelong.conjunctions.instances import HIDDEN, hidden_anchor_family, hidden_anchors, product_stream
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import BooleanProduct, Gaussian
from lifelong.ledger.claims import product_laws

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
    sizes, r, Q = product_sizes(n, e, m=m, delta=d, c0=c0), 1 - e / 2, n * (n + 1) / 2
    assert n * exp(-sizes.unlabelled * e / (24 * n)) <= d / 3 * (1 + 1e-9)
    assert len(sizes.reuse) == n + 1
    for j, size in enumerate(sizes.reuse):
        assert log(m) + j * log(2) - size * r * e / 2 <= log(d / 3) + 1e-9
        assert (size - 1) * r * e / 2 < j * log(2) + log(3 * m / d)
    assert log(n * Q) - sizes.scratch * r * c0 * e / (8 * n) <= log(d / 3) + 1e-9
    assert max(product_studies.proof_failures(n, e, m=m, delta=d, c0=c0)) <= 1 + 1e-9


def test_proof_fails_with_a_fifth_of_the_sizes():
    assert min(product_studies.proof_failures(20, 0.1, m=100, constant=0.2)) > 1


def test_printed_sizes_and_labels():
    sizes = product_sizes_printed(10, 0.5, k=2, m=5, delta=0.1, constant=2)
    exact = (2 * 20 * log(100), 2 * 4 * log(50), 2 * 20 * log(200))
    assert (sizes.unlabelled, sizes.reuse[0], sizes.scratch) == tuple(int(np.ceil(x)) for x in exact)
    assert set(sizes.reuse) == {sizes.reuse[0]}
    assert bounds.product_labels(SIZES, m=5, k=2, scratch=3) == 5 * 50 + 3 * 200
    assert bounds.independent_labels(10, 0.5, m=5, delta=0.1) == 5 * int(np.ceil(2 * (10 * log(2) + log(50))))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: product_sizes(0, 0.1, m=1, delta=0.1, c0=0.5), "n: expected an integer >= 1"),
        (lambda: product_sizes(3, 0.1, m=0, delta=0.1, c0=0.5), "m: expected an integer >= 1"),
        (lambda: product_sizes(3, 1.0, m=1, delta=0.1, c0=0.5), "epsilon: expected a number in"),
        (lambda: product_sizes(3, 0.1, m=1, delta=0.0, c0=0.5), "delta: expected a number in"),
        (lambda: product_sizes(3, 0.1, m=1, delta=0.1, c0=0.0), "c0: expected a number in"),
        (lambda: product_sizes(3, 0.1, m=1, delta=0.1, c0=0.5, constant=0), "constant: expected a number in"),
        (lambda: product_sizes_printed(3, 0.1, k=4, m=1, delta=0.1), "k: expected an integer >= 1 and <= 3"),
        (lambda: bounds.product_labels((1, 2, 3), m=1, k=1, scratch=1), "sizes: expected a SampleSizes"),
        (lambda: bounds.product_labels(SIZES, m=1, k=9, scratch=1), "k: expected an integer >= 0 and <= 8"),
        (lambda: bounds.independent_labels(3, 0.1, m=1, delta=2), "delta: expected a number in"),
        (lambda: ProductLawMetafeatures(8, 0.0, sizes=SIZES), "epsilon: expected a number in"),
        (lambda: ProductLawMetafeatures(8, 0.1), "m: expected the number of problems, or sizes"),
        (lambda: ProductLawMetafeatures(8, 0.1, delta=0.0, m=3), "delta: expected a number in"),
        (lambda: ProductLawMetafeatures(7, 0.1, sizes=SIZES), "sizes: expected dimension 7"),
        (lambda: ProductLawMetafeatures(7, 0.1, sizes=5), "sizes: expected a SampleSizes"),
        (lambda: hidden_anchors(zero=1.0), "zero: expected a number in"),
        (lambda: hidden_anchor_family(5), "k: expected an even number, got 5"),
        (lambda: product_stream(4, 0.9, k=4, m=3, c0=0.99), "epsilon: expected a smaller one"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match="^" + message):
        call()


# --- Algorithm 5 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rule", [most_specific, product_studies.fewest_pieces])
def test_with_enough_examples_it_is_algorithm_4_on_the_significant_variables(seed, rule):
    rng = np.random.default_rng(seed)
    stream = product_stream(8, 0.2, k=4, m=15, rng=rng)
    sizes = product_sizes(8, 0.2, m=15, delta=1e-9).scaled(reuse=10)  # an attempt that fits is exact
    run, errors = product_studies.play_product(stream, 0.2, sizes=sizes, rule=rule, rng=rng)
    learner = run.representation
    zero, S = 1 - stream.law.probabilities, learner.significant
    assert S[zero >= 0.2 / 16].all()
    assert not S[zero <= 0.2 / 64].any()
    restricted = stream.targets & S
    scratch = [i for i, how in enumerate(run.how) if how == "scratch"]
    assert scratch == online_metafeatures(restricted).scratch.tolist()
    assert np.array_equal(learner.targets, restricted[scratch])
    assert np.array_equal(learner.metafeatures, metafeatures(learner.targets))
    assert (errors <= 0.2).all()
    assert product_studies.within_bounds(run, 4)


@pytest.mark.parametrize("pieces", range(5))
def test_an_attempt_draws_as_many_examples_as_the_metafeatures_at_hand_ask_for(pieces):
    learner = ProductLawMetafeatures(4, 0.2, sizes=SampleSizes(50, (3, 5, 8, 13, 21), 100))
    learner.metafeatures = np.eye(4, dtype=bool)[:pieces]
    task = ConjunctionTask([True, False, False, False], BooleanProduct(np.full(4, 0.5)), rng=0)
    learner.reuse(task)
    assert task.counts.labels == (3, 5, 8, 13, 21)[pieces]


def test_the_first_problem_is_step_2_of_the_box_where_the_sizes_have_it():
    """A sample of its own size, no attempt: as printed s_1 examples, looked at without labels before."""

    class Drawn(ConjunctionTask):
        def unlabelled(self, size):
            sizes.append(size)
            return super().unlabelled(size)

    sizes: list[int] = []
    law, rng = BooleanProduct(np.full(4, 0.5)), np.random.default_rng(0)
    printed = product_sizes_printed(4, 0.2, k=2, m=3)
    assert printed.first == printed.unlabelled == 88
    learner = ProductLawMetafeatures(4, 0.2, sizes=printed)
    targets = [[True, False, False, False], [False, True, False, False], [True, True, False, False]]
    run = learn_stream([Drawn(c, law, rng=rng) for c in targets], learner)
    assert run.how == ["scratch", "scratch", "reused"]
    s1, s2, s3 = printed.first, printed.reuse[0], printed.scratch
    assert sizes == [s1, s1, s2, s3, s2]
    assert [step.labels for step in run.steps] == [s1, s2 + s3, s2]
    assert run.counts.labels == bounds.product_labels(printed, m=3, k=2, scratch=2)


def test_an_empty_first_target_is_learned_apart_by_the_box_and_reused_without_step_2():
    """Why the repaired theorem treats the first problem like the others: nothing is not a problem from scratch."""
    law, nothing = BooleanProduct(np.full(3, 0.5)), [False, False, False]
    printed = product_sizes_printed(3, 0.2, k=2, m=3)
    for sizes, how in ((printed, "scratch"), (product_sizes(3, 0.2, m=3), "reused")):
        learner = ProductLawMetafeatures(3, 0.2, sizes=sizes)
        run = learn_stream([ConjunctionTask(nothing, law, rng=0)], learner)
        assert run.how == [how]
        assert run.counts.labels == (printed.first if how == "scratch" else sizes.reuse[0])
        assert not len(learner.metafeatures)


def test_labels_of_a_stream_with_its_first_problem_apart():
    sizes = SampleSizes(100, (50,) * 9, 200, 70)
    assert bounds.product_labels(sizes, m=0, k=3, scratch=0) == 0
    assert bounds.product_labels(sizes, m=1, k=3, scratch=1) == 70
    assert bounds.product_labels(sizes, m=5, k=3, scratch=2) == 70 + 4 * 50 + 200


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_the_printed_sizes_keep_the_promises_of_the_box(seed):
    rng = np.random.default_rng(seed)
    stream = product_stream(6, 0.2, k=3, m=5, rng=rng)
    learner = ProductLawMetafeatures(6, 0.2, sizes=product_sizes_printed(6, 0.2, k=3, m=5, constant=0.1))
    tasks = [product_laws._Watched(c, stream.law, rng=rng) for c in stream.targets]
    assert all(product_laws._invariants(learner, task) for task in tasks)


@pytest.mark.parametrize("rule", [most_specific, product_studies.fewest_pieces])
def test_rules_against_all_conjunctions(rule):
    """Where any conjunction of pieces fits, the rule gives one that fits; else None."""
    rng, everything = np.random.default_rng(0), points(4)
    for _ in range(300):
        X, pieces = rng.random((6, 5)) < 0.6, rng.random((4, 5)) < 0.4
        y = rng.random(6) < 0.5 if rng.random() < 0.3 else value(pieces[rng.random(4) < 0.5].any(axis=0), X)
        candidates = [pieces[chosen].any(axis=0) for chosen in everything]
        fitting = {c.tobytes() for c in candidates if np.array_equal(value(c, X), y)}
        h = rule(X, y, pieces)
        assert (h is None) == (not fitting)
        assert h is None or h.tobytes() in fitting


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: most_specific([[1, 0]], [True], np.eye(2, dtype=bool)), "X: expected a boolean array"),
        (lambda: most_specific(np.eye(2, dtype=bool), [1, 0], np.eye(2, dtype=bool)), "y: expected a boolean label"),
        (lambda: most_specific(np.eye(2, dtype=bool), [True], np.eye(2, dtype=bool)), "y: expected a boolean label"),
        (lambda: most_specific(np.eye(2, dtype=bool), [True, False], np.eye(3, dtype=bool)), "pieces: expected dim"),
        (lambda: SIZES.scaled(reuse=0), "reuse: expected a number"),
        (lambda: product_studies.family_accuracy(5), "k: expected an even number"),
        (lambda: product_studies.worst_exponents(s1=-1.0), "s1: expected a number"),
        (lambda: product_studies.least_factor("s4"), "name: expected 's1', 's2' or 's3', got 's4'"),
        (lambda: product_studies.failures(4, 0.2, k=2, m=2, sizes=SIZES, runs=-1), "runs: expected an integer"),
        (lambda: product_studies.within_reach(1, 0.1, draws=1), "N: expected an integer"),
        (lambda: product_studies.phase_failure(4, 0.1, sizes=None), "sizes: expected a SampleSizes"),
    ],
)
def test_bad_arguments_of_rules_and_studies(call, message):
    with pytest.raises(ValueError, match="^" + message):
        call()


@pytest.mark.parametrize("factor", [0.98, 0.9])
def test_the_least_factor_is_where_the_worst_streams_turn(factor):
    least = product_studies.least_factor("s2")
    assert (product_studies.worst_exponents(s2=factor) >= 1).all() == (factor >= least)


def test_a_settling_task_settles_and_counts():
    task = product_studies.SettlingTask([True, False, True], BooleanProduct(np.full(3, 0.5)), settled=7, rng=0)
    X, y = task.examples(7, ones=[False, False, True])
    assert X.astype(int).tolist() == [[1, 1, 1], [0, 1, 1], [1, 0, 1]]
    assert y.tolist() == [True, False, True]
    assert task.counts.labels == 3
    assert task.examples(50)[0].shape == (50, 3)


@pytest.mark.parametrize(("zeros", "significant"), [(0, False), (1, True), (2, True)])
def test_a_frequency_of_exactly_the_threshold_is_significant(zeros, significant):
    class Given(ConjunctionTask):
        def unlabelled(self, size):
            X = np.ones((size, 2), dtype=bool)
            X[:8, 0] = X[:zeros, 1] = False
            return X

    learner = ProductLawMetafeatures(2, 0.5, sizes=SampleSizes(16, (1,) * 3, 1))  # epsilon/4n = 1/16
    learner.reuse(Given([True, False], BooleanProduct(np.array([0.5, 0.5]))))
    assert learner.significant.tolist() == [True, significant]


def test_nothing_of_the_data_is_kept():
    rng = np.random.default_rng(0)
    stream = product_stream(8, 0.2, k=3, m=10, rng=rng)
    run, _ = product_studies.play_product(stream, 0.2, sizes=product_sizes(8, 0.2, m=10, delta=0.1), rng=rng)
    kept = vars(run.representation)
    assert sum(x.size for x in kept.values() if isinstance(x, np.ndarray)) <= 8 * (run.scratch + 3 + 1)


def test_same_seed_same_run():
    stream, sizes = product_stream(8, 0.2, k=3, m=10, rng=3), product_sizes(8, 0.2, m=10, delta=0.1, c0=0.25)
    first, again, other = (
        product_studies.play_product(stream, 0.2, sizes=sizes, rng=np.random.default_rng(s)) for s in (1, 1, 2)
    )
    assert first[0].counts == again[0].counts != other[0].counts
    assert np.array_equal(first[1], again[1])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("rule", [most_specific, product_studies.fewest_pieces])
def test_hypotheses_fit_what_was_kept(seed, rule):
    rng = np.random.default_rng(seed)
    stream = product_stream(8, 0.2, k=3, m=6, rng=rng)
    learner = ProductLawMetafeatures(8, 0.2, sizes=SampleSizes(30, (10,) * 9, 30), rule=rule)
    for c in stream.targets:
        task = product_laws._Watched(c, stream.law, rng=rng)
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


def test_a_task_of_another_kind_is_refused():
    learner, task = ProductLawMetafeatures(3, 0.2, m=2), HalfspaceTask([1.0, 0.0, 0.0], Gaussian(3))
    for method in (learner.reuse, learner.learn):
        with pytest.raises(TypeError, match=r"^task: expected a task of Section 4 .*unlabelled, got HalfspaceTask"):
            method(task)


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
    M, targets, law = product_stream(n, e, k=k, m=20, c0=c0, rng=seed)
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
def test_the_family_leaves_the_single_variables(k):
    N = comb(k, k // 2)
    M, targets, law = hidden_anchor_family(k, rng=0)
    assert np.array_equal(M, targets)
    assert (M & (M.sum(axis=0) == 1)).any(axis=1).all()
    visible = targets[:, :N]
    assert (visible.sum(axis=1) == N // 2).all()
    assert online_metafeatures(visible).scratch[:k].tolist() == list(range(k))
    assert np.array_equal(np.sort(metafeatures(visible[:k]).argmax(axis=1)), np.arange(N))
    assert (metafeatures(visible[:k]).sum(axis=1) == 1).all()
    assert law.probability(targets[-1]) == pytest.approx(product_studies._half_true(k), rel=1e-6)


@pytest.mark.parametrize("k", [4, 6, 8, 10])
def test_metafeatures_on_the_way_through_the_family(k):
    N = comb(k, k // 2)
    visible = hidden_anchor_family(k, rng=0).targets[:k, :N]
    for r in range(2, k + 1):
        pieces = metafeatures(visible[: r - 1])
        within = pieces & visible[r - 1]
        count, inside, outside = product_studies._pieces_of_family(k, r)
        assert len(pieces) == count
        assert set(within.sum(axis=1)) == {inside}
        assert set((pieces & ~visible[r - 1]).sum(axis=1)) == {outside}


def test_the_last_metafeature_of_the_family_is_random():
    last = [hidden_anchor_family(4, rng=seed).targets[-1, :6] for seed in range(400)]
    assert len({row.tobytes() for row in last}) == comb(6, 3)
    assert abs(np.mean(last, axis=0) - 0.5).max() < 0.15


# --- the exact error --------------------------------------------------------------------------------


def test_overshoot_by_hand():
    half = Fraction(1, 2)
    # one draw, one extra variable: it stays unless the draw is positive (1/2) and it is 0 there (1/2)
    stays = 1 - half * half
    mean, chance = product_studies._overshoot(1, 0.5, 0.5, 1, 0.2)
    assert mean == pytest.approx(float(half * half * stays))
    assert chance == pytest.approx(float(stays))
    assert product_studies._overshoot(1, 0.5, 0.5, 1, 0.5)[1] == 0


def test_overshoot_against_the_real_learner():
    N, law = 40, BooleanProduct(np.full(40, 0.95))
    c, rng, errors = np.arange(N) < 20, np.random.default_rng(0), []
    sizes = SampleSizes(1, (30,) * (N + 1), 1)
    for _ in range(3000):
        learner = ProductLawMetafeatures(N, 0.1, sizes=sizes)
        learner.significant, learner.metafeatures = np.ones(N, dtype=bool), np.eye(N, dtype=bool)
        task = ConjunctionTask(c, law, rng=rng)
        errors.append(task.error(learner.reuse(task)))
    mean, chance = product_studies._overshoot(30, 0.95**20, 0.05, 20, 0.15)
    assert abs(np.mean(errors) - mean) < 5 * np.std(errors) / np.sqrt(3000)
    assert abs(np.mean(np.array(errors) > 0.15) - chance) < 0.05


def best_rule(N: int, draws: int, epsilon: float) -> float:
    """Largest chance with which a rule gets a random half of N variables right to epsilon: all data, all rules."""
    targets = np.array([row for row in points(N) if row.sum() == N // 2])
    zero, chance = 1 / N, 0.0
    weight = np.where(points(N), 1 - zero, zero).prod(axis=1)
    law = BooleanProduct(np.full(N, 1 - zero))
    good = np.array([[ConjunctionTask(c, law).error(h) <= epsilon for c in targets] for h in points(N)], dtype=float)
    labels = np.array([value(c, points(N)) for c in targets])
    for data in product(range(2**N), repeat=draws):
        seen = labels[:, list(data)]
        for pattern in {row.tobytes() for row in seen}:
            alike = np.array([row.tobytes() == pattern for row in seen], dtype=float)
            chance += weight[list(data)].prod() * (good @ alike).max() / len(targets)
    return chance


@pytest.mark.parametrize(("N", "draws", "epsilon"), [(4, 1, 0.1), (4, 2, 0.1), (4, 2, 0.2), (4, 3, 0.01), (6, 1, 0.15)])
def test_no_rule_does_better_than_the_bound(N, draws, epsilon):
    best, most = best_rule(N, draws, epsilon), product_studies.within_reach(N, epsilon, draws=draws)
    assert best <= most + 1e-9
    assert epsilon > 0.1 or most < 1


def test_a_rule_for_one_draw_by_hand():
    # N = 2, one draw: the target is one of two variables, and each is 0 with probability 1/2. Both 1 or both 0 tell
    # nothing, one 0 tells all: so the best rule is right with probability 1/2 + 1/2 * 1/2
    assert best_rule(2, 1, 0.1) == pytest.approx(0.75)
    # the bound gives away what was ever 0: only "never 0, never 0" leaves a doubt
    assert product_studies.within_reach(2, 0.1, draws=1) == pytest.approx(1 - 1 / 4 * 1 / 2)


def test_balls_are_no_larger_than_their_bound():
    for F in range(1, 40):
        for d in range((F - 1) // 2 + 1):
            ball = sum(comb(F, D) for D in range(d + 1))
            assert ball <= comb(F, d) * (F - d + 1) / (F - 2 * d + 1)


def test_the_printed_theorem_fails_by_a_growing_factor_for_every_rule():
    floors = [product_studies.unavoidable_error(k) for k in (12, 14, 16)]
    ratios = [floor / product_studies.family_accuracy(k) for floor, k in zip(floors, (12, 14, 16), strict=True)]
    assert (np.diff(floors) > 0).all()
    assert floors[-1] < exp(-0.5) * (1 - exp(-0.5 / exp(1)))
    assert 1 < ratios[0] < ratios[1] < ratios[2]
    assert [product_studies.family_failure(k) > 0.9 for k in (8, 10, 12, 14)] == [False, False, True, True]
    epsilon, _, chance = product_studies.hidden_anchor_error(14, repaired=True)
    kept = 1 - epsilon / 2
    assert 2 / (kept * epsilon) * (15 * log(2) + log(3 * 15 / 0.05)) == pytest.approx(3432)
    assert chance > 1 - 1e-9
    assert product_studies.adaptive_error(14)[1] < 1e-12


@pytest.mark.parametrize("k", [12, 14])
def test_accuracy_of_the_family_makes_the_printed_size_N(k):
    N, epsilon = comb(k, k // 2), product_studies.family_accuracy(k)
    assert abs(product_sizes_printed(N + k + 1, epsilon, k=k + 1, m=k + 1, delta=0.05).reuse[0] - N) <= 1


def test_the_first_targets_of_the_family_are_learned_from_scratch():
    rng = np.random.default_rng(0)
    for rule in (most_specific, product_studies.fewest_pieces):
        for _ in range(3):
            scratch, found, error = product_studies.play_family(10, rule=rule, rng=rng)
            assert (scratch, found) == (10, 252)
            assert error > product_studies.unavoidable_error(10)


# --- the worst streams of the repaired theorem --------------------------------------------------------


def test_misjudged_chance_against_draws():
    rng, n, e, draws = np.random.default_rng(0), 3, 0.4, 400
    zeros = rng.binomial(draws, [[[e / (8 * n)]], [[e / (2 * n)]]], size=(2, 200_000, n))
    low, high = (zeros[0] >= draws * e / (4 * n)).any(axis=1), (zeros[1] < draws * e / (4 * n)).any(axis=1)
    assert exp(product_studies._misjudged_chance(draws, n, e)) == pytest.approx(max(low.mean(), high.mean()), rel=0.05)


def test_misfit_chance_against_the_real_learner():
    rng, m, zero, draws, failed = np.random.default_rng(0), 6, 0.2, 12, 0
    law = BooleanProduct(np.array([1 - zero, 0.5]))
    for _ in range(1500):
        learner = ProductLawMetafeatures(2, 0.3, sizes=SampleSizes(1, (draws,) * 3, 1))
        learner.significant, learner.metafeatures = np.array([True, True]), np.array([[True, False]])
        tasks = [ConjunctionTask([False, False], law, rng=rng) for _ in range(m)]
        hypotheses = [learner.reuse(task) for task in tasks]
        failed += any(
            h.any() and task.error(h) == pytest.approx(zero) for h, task in zip(hypotheses, tasks, strict=True)
        )
    assert exp(product_studies._misfit_chance(draws, m, zero)) == pytest.approx(failed / 1500, abs=0.05)


def test_left_open_chance_against_the_real_learner():
    rng, e, c0, s1, s3, runs = np.random.default_rng(0), 0.4, 0.5, 60, 40, 2000
    zeros = e / 2 * np.linspace(1 / 8, 1 / 2, 200)
    # the worst of the grid, run: significant, and kept although it is not in the target
    found = []
    for zero in zeros[::20]:
        law, failed = BooleanProduct(np.array([c0, 1 - zero])), 0
        for _ in range(runs // 10):
            learner = ProductLawMetafeatures(2, e, sizes=SampleSizes(s1, (1,) * 3, s3))
            _, h = learner.learn(ConjunctionTask([True, False], law, rng=rng))
            failed += bool(h[1])
        found.append(failed / (runs // 10))
    assert exp(product_studies._left_open_chance(s1, s3, e, c0)) == pytest.approx(max(found), abs=0.1)


def test_sizes_of_the_repair_are_nondecreasing_in_the_metafeatures():
    for m, e in ((1, 0.5), (100, 0.01)):
        reuse = product_sizes(30, e, m=m, delta=0.05, c0=0.25).reuse
        assert list(reuse) == sorted(reuse)


def test_a_run_of_the_ledger_counts_what_part_b_promises():
    rng = np.random.default_rng(0)
    found = product_laws._performance(product_laws._attaining_stream(4), 0.2, rng=rng)
    assert found["metafeatures"] == found["problems from scratch"] == 1
    assert 0.9 < found["labels"] <= 1
    assert found["errors"] == found["errors on S"] == 0


def test_the_bound_on_problems_from_scratch_grows_with_both_numbers():
    table = {(n, k): bounds.online_uniform(n, k=k) for n in range(1, 30) for k in range(1, n + 1)}
    assert all(value <= table.get((n + 1, k), value) for (n, k), value in table.items())
    assert all(value <= table.get((n, k + 1), value) for (n, k), value in table.items())


def test_scaled_sizes():
    assert SIZES.scaled(reuse=0.5, scratch=0.001) == SampleSizes(100, (25,) * 9, 1)
