"""Algorithm 4 beside the queries, and Corollary 2: Winnow over the metafeatures of the paper."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from set_families import PROPERTY, as_sets, families, subsets

from lifelong import learn_stream, metafeatures
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures, online_metafeatures
from lifelong.conjunctions.instances import attaining_sequence, planted_conjunctions
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.conjunctions.winnow import ThresholdTask, WinnowMetafeatures
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets
from lifelong_book.conjunctions.consistency.instances import all_targets
from lifelong_book.conjunctions.online.claims import play, potential
from lifelong_book.conjunctions.online.instances import selector_sequence


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_attaining_sequence_is_all_scratch(n):
    targets = attaining_sequence(n)
    assert len(targets) == play(targets).scratch == bounds.online_any(n) == n * (n + 1) // 2
    assert np.array_equal(online_metafeatures(targets).scratch, np.arange(len(targets)))


def test_selectors_are_all_scratch_in_any_order():
    M, targets = selector_sequence(3, 5, 10)
    for seed in range(5):
        shuffled = np.random.default_rng(seed).permutation(targets)
        assert len(online_metafeatures(shuffled).scratch) == 30 <= bounds.online_sharp(M)


def the_queries_find_what_the_box_finds(targets) -> None:
    """Places learned from scratch, and the metafeatures with their order."""
    box, run = online_metafeatures(targets), play(targets)
    assert [i for i, how in enumerate(run.how) if how == "scratch"] == box.scratch.tolist()
    assert np.array_equal(run.representation.metafeatures, box.metafeatures)
    assert np.array_equal(run.representation.targets, targets[box.scratch])
    assert np.array_equal(box.metafeatures, metafeatures(targets[box.scratch]))
    assert all(np.array_equal(step.hypothesis, T) for step, T in zip(run.steps, targets, strict=True))


def test_the_box_and_the_queries_agree():
    rng, everything = np.random.default_rng(1), all_targets(3)
    for _ in range(20):
        n, k = 9, int(rng.integers(1, 7))
        M, targets = planted_conjunctions(n, k=k, m=20, overlap=rng.random(), rng=rng)
        the_queries_find_what_the_box_finds(targets)
        run = learn_stream(map(ConjunctionTask, targets), OnlineMetafeatures(n))
        for step in run.steps:
            assert step.labels == step.membership == 0
            assert step.equivalence <= (k + 1 if step.how == "reused" else n + 1 + k + 1)
        scratch = online_metafeatures(targets).scratch
        assert len(scratch) <= bounds.online_sharp(M)
        assert not len(scratch) or len(scratch) <= sum(potential(targets[scratch], M))
        assert len(run.representation.metafeatures) <= k
        the_queries_find_what_the_box_finds(rng.random((12, 7)) < rng.uniform(0.1, 0.9))
    for order in product(range(8), repeat=3):
        the_queries_find_what_the_box_finds(everything[list(order)])


def test_a_free_target_may_cost_later():
    words = ["1236", "1248", "35", "45", "26", "28", "12", "17", "12"]
    targets = np.array([[str(v) in word for v in range(1, 9)] for word in words])
    assert online_metafeatures(targets).scratch.tolist() == [0, 1, 2, 3, 4, 5, 7, 8]
    assert online_metafeatures(targets[:0]).metafeatures.shape == (0, 8)


def test_answers_of_no_conjunction_are_refused():
    class Liar(ConjunctionTask):
        def equivalent(self, h):
            return np.ones(self.n, dtype=bool)

    with pytest.raises(ValueError, match=r"^task: .* counterexamples"):
        OnlineMetafeatures(2).learn(Liar([True, True]))


@pytest.mark.parametrize(("c", "k", "alpha"), [(1, 3, 2.0), (2, 4, 1.5), (2, 4, 3.0)])
def test_winnow_learns_every_target_within_its_bounds(c, k, alpha):
    M, TS = planted_anchor_sets(7, 5, pieces=7 if c == 1 else 15, m=80, c=c, k=k, rng=c)
    learner = WinnowMetafeatures(12, c=c, k=k, alpha=alpha)
    for T in TS:
        budget = int(bounds.winnow_mistakes(len(learner.metafeatures), k=k, alpha=alpha))
        (step,) = learn_stream([ThresholdTask(T)], learner).steps
        np.testing.assert_array_equal(step.hypothesis, T)
        assert step.equivalence <= budget + 1 + (12 if step.how == "scratch" else 0)
    assert len(learner.targets) <= (12 - M.sum(axis=1)).sum()


@given(families(6, 5), st.integers(1, 2))
@PROPERTY
def test_metafeatures_of_winnow_are_those_of_the_paper(TS, c):
    """One metafeature for each y, all variables at first, intersected with each target that contains y."""
    n = TS.shape[1]
    learner, m = WinnowMetafeatures(n, c=c, k=1), {y: frozenset(range(n)) for y in subsets(range(n), c, 1)}
    for row, T in zip(TS, as_sets(TS), strict=True):
        learner.grow("scratch", row)
        m = {y: piece & T if y <= T else piece for y, piece in m.items()}
        found = as_sets(learner.metafeatures)  # all n variables, of the empty set at first, are kept in any case
        assert set(found) == set(m.values()) | {frozenset(range(n))} and len(found) == len(set(found))


def test_an_attempt_succeeds_whenever_k_metafeatures_suffice():
    rng = np.random.default_rng(0)
    learner = WinnowMetafeatures(10, c=2, k=3)
    for _ in range(6):
        learner.grow("scratch", rng.random(10) < 0.6)
    pieces, most = learner.metafeatures, int(bounds.winnow_mistakes(len(learner.metafeatures), k=3))
    for chosen in combinations(range(len(pieces)), 3):
        task = ThresholdTask(pieces[list(chosen)].any(axis=0))
        np.testing.assert_array_equal(learner.reuse(task), task.target)
        assert task.counts.equivalence <= most + 1


@pytest.mark.parametrize("alpha", [1.5, 2.0, 2.287])  # the last: a weight just below the threshold
def test_winnow_changes_its_weights_as_it_should(alpha):
    class Spy(ThresholdTask):
        def equivalent_threshold(self, weights, features, theta):
            point = super().equivalent_threshold(weights, features, theta)
            self.__dict__.setdefault("seen", []).append((list(weights), point))
            assert theta == len(features) / alpha
            return point

    learner, task = WinnowMetafeatures(12, c=1, k=3, alpha=alpha), Spy(np.arange(12) < 3)
    learner.metafeatures = np.eye(12, dtype=bool)
    assert learner.reuse(task) is not None
    assert task.seen[0][0] == [1.0] * 12 and task.seen[-1][1] is None
    kinds = set()
    for (before, point), (after, _) in zip(task.seen, task.seen[1:], strict=False):
        lost = sum(w for w, bit in zip(before, point, strict=True) if not bit) >= 12 / alpha
        kinds.add(lost)
        assert after == [w if bit else w * (0 if lost else alpha) for w, bit in zip(before, point, strict=True)]
    assert kinds == {True, False}


def test_an_attempt_is_given_up_after_one_mistake_too_many():
    learner, task = WinnowMetafeatures(16, c=1, k=1), ThresholdTask(np.arange(16) < 12)
    learner.metafeatures = np.eye(16, dtype=bool)
    assert learner.reuse(task) is None and task.counts.equivalence == 2 * 4 + 2 + 1  # alpha k log2 N + alpha mistakes
