"""Algorithm 5 and its tasks: the box, its rules, what a run promises, and what is paid for."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from lifelong import learn_stream, metafeatures
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong.conjunctions.algorithm5 import ProductLawMetafeatures, most_specific
from lifelong.conjunctions.bounds import SampleSizes, product_sizes, product_sizes_printed
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.laws import BooleanProduct
from lifelong_book.conjunctions.applications import claims as product_laws
from lifelong_book.conjunctions.applications import experiments as product_studies
from lifelong_book.conjunctions.applications.instances import product_stream

RULES = [most_specific, product_studies.fewest_pieces]
HALF = BooleanProduct(np.full(4, 0.5))


def value(c: np.ndarray, X: np.ndarray) -> np.ndarray:
    return (X | ~c).all(axis=1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rule", RULES)
def test_with_enough_examples_it_is_algorithm_4_on_the_significant_variables(seed, rule):
    rng = np.random.default_rng(seed)
    stream = product_stream(8, 0.2, k=4, m=15, rng=rng)
    sizes = product_sizes(8, 0.2, m=15, delta=1e-9)
    sizes = replace(sizes, reuse=tuple(10 * s for s in sizes.reuse))  # an attempt that fits is exact
    run, errors = product_studies.play_product(stream, 0.2, sizes=sizes, rule=rule, rng=rng)
    learner = run.representation
    zero, S = 1 - stream.law.probabilities, learner.significant
    assert S[zero >= 0.2 / 16].all() and not S[zero <= 0.2 / 64].any()
    restricted = stream.targets & S
    scratch = [i for i, how in enumerate(run.how) if how == "scratch"]
    assert scratch == online_metafeatures(restricted).scratch.tolist()
    assert np.array_equal(learner.targets, restricted[scratch])
    assert np.array_equal(learner.metafeatures, metafeatures(learner.targets))
    assert (errors <= 0.2).all()
    assert len(learner.metafeatures) <= 4
    kept = sum(x.size for x in vars(learner).values() if isinstance(x, np.ndarray))
    assert kept <= 8 * (run.scratch + 4 + 1)  # nothing of the data


def test_the_first_problem_is_step_2_of_the_box_where_the_sizes_have_it():
    """A sample of its own size, no attempt: as printed s_1 examples, looked at without labels before."""

    class Drawn(ConjunctionTask):
        def unlabelled(self, size):
            sizes.append(size)
            return super().unlabelled(size)

    sizes: list[int] = []
    rng, printed = np.random.default_rng(0), product_sizes_printed(4, 0.2, k=2, m=3)
    assert printed.first == printed.unlabelled == 88
    learner = ProductLawMetafeatures(4, 0.2, sizes=printed)
    targets = [[True, False, False, False], [False, True, False, False], [True, True, False, False]]
    run = learn_stream([Drawn(c, HALF, rng=rng) for c in targets], learner)
    assert run.how == ["scratch", "scratch", "reused"]
    s1, s2, s3 = printed.first, printed.reuse[0], printed.scratch
    assert sizes == [s1, s1, s2, s3, s2] and [step.labels for step in run.steps] == [s1, s2 + s3, s2]
    assert run.counts.labels == bounds.product_labels(printed, m=3, k=2, scratch=2)


@pytest.mark.parametrize("rule", RULES)
def test_rules_against_all_conjunctions(rule):
    """Where any conjunction of pieces fits, the rule gives one that fits; else None."""
    rng, everything = np.random.default_rng(0), np.array(list(product([False, True], repeat=4)))
    for _ in range(300):
        X, pieces = rng.random((6, 5)) < 0.6, rng.random((4, 5)) < 0.4
        y = rng.random(6) < 0.5 if rng.random() < 0.3 else value(pieces[rng.random(4) < 0.5].any(axis=0), X)
        candidates = [pieces[chosen].any(axis=0) for chosen in everything]
        fitting = {c.tobytes() for c in candidates if np.array_equal(value(c, X), y)}
        h = rule(X, y, pieces)
        assert (h is None) == (not fitting) and (h is None or h.tobytes() in fitting)


@pytest.mark.parametrize(("zeros", "significant"), [(0, False), (1, True)])
def test_a_frequency_of_exactly_the_threshold_is_significant(zeros, significant):
    class Given(ConjunctionTask):
        def unlabelled(self, size):
            X = np.ones((size, 2), dtype=bool)
            X[:8, 0] = X[:zeros, 1] = False
            return X

    learner = ProductLawMetafeatures(2, 0.5, sizes=SampleSizes(16, (1,) * 3, 1))  # epsilon/4n = 1/16
    learner.reuse(Given([True, False], BooleanProduct(np.array([0.5, 0.5]))))
    assert learner.significant.tolist() == [True, significant]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rule", RULES)
def test_hypotheses_fit_what_was_kept(seed, rule):
    rng = np.random.default_rng(seed)
    stream = product_stream(8, 0.2, k=3, m=6, rng=rng)
    learner = ProductLawMetafeatures(8, 0.2, sizes=SampleSizes(30, (10,) * 9, 30), rule=rule)
    for c in stream.targets:
        task = product_laws._Watched(c, stream.law, rng=rng)
        h = learn_stream([task], learner).steps[0].hypothesis
        seen = task.drawn[(task.drawn | learner.significant).all(axis=1)]
        assert np.array_equal(value(h, seen), value(c, seen))


def test_labels_of_no_conjunction_are_refused():
    class Parity(ConjunctionTask):
        def _value(self, X):
            return X[:, 0] ^ X[:, 1]

    learner = ProductLawMetafeatures(2, 0.2, sizes=SampleSizes(100, (50,) * 3, 200))
    with pytest.raises(ValueError, match=r"^task: expected a conjunction, .* False at \[1, 1\]"):
        learner.learn(Parity([True, True], BooleanProduct([0.5, 0.5]), rng=0))


def test_probability_and_error_are_sums_over_all_points():
    rng, X = np.random.default_rng(0), np.array(list(product([False, True], repeat=4)))
    for _ in range(100):
        p, c, h = rng.choice([0.0, 1e-12, 0.25, 0.5, 0.9, 1.0], 4), rng.random(4) < 0.5, rng.random(4) < 0.5
        weight, law = np.where(X, p, 1 - p).prod(axis=1), BooleanProduct(p)
        true, said = (c <= X).all(axis=1), (h <= X).all(axis=1)
        assert law.probability(c) == pytest.approx(weight[true].sum(), abs=1e-15)
        assert ConjunctionTask(c, law).error(h) == pytest.approx(weight[true != said].sum(), abs=1e-15)
    task = ConjunctionTask([False, True], BooleanProduct([1 - 2**-40, 0.5]))  # small errors keep their digits
    assert task.error([True, True]) == 2**-41


def test_only_what_is_kept_is_paid_for():
    task, twin = (ConjunctionTask([True, False, False], BooleanProduct([0.5] * 3), rng=0) for _ in range(2))
    drawn, (X, y) = twin.unlabelled(200), task.examples(200, ones=[False, True, True])
    assert np.array_equal(X, drawn[drawn[:, 1] & drawn[:, 2]]) and np.array_equal(y, X[:, 0])
    assert task.unlabelled(10).shape == (10, 3) and twin.counts.labels == 0
    assert task.counts.labels == len(X) < 80


def test_without_a_law_no_examples():
    task = ConjunctionTask([True, False])
    for call in (lambda: task.unlabelled(3), lambda: task.examples(3), lambda: task.error([True, True])):
        with pytest.raises(ValueError, match=r"^distribution: expected a law"):
            call()
