"""Corollary 2: Winnow against its mistake bound, over the metafeatures of the paper."""

from __future__ import annotations

from itertools import combinations
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from set_families import PROPERTY, as_sets, families, missing_one, subsets

from lifelong import learn_stream
from lifelong.conjunctions import bounds
from lifelong.conjunctions.instances import attaining_sequence
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.conjunctions.winnow import WinnowMetafeatures
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets


@pytest.mark.parametrize("alpha", [1.5, 2.0, 3.0])
@pytest.mark.parametrize(("c", "k"), [(1, 3), (2, 4)])
def test_winnow_learns_every_target_within_its_bounds(c, k, alpha):
    M, TS = planted_anchor_sets(7, 5, pieces=7 if c == 1 else 15, m=80, c=c, k=k, rng=c)
    learner = WinnowMetafeatures(12, c=c, k=k, alpha=alpha)
    most = 1
    for T in TS:
        budget = learner.budget
        assert budget == int(bounds.winnow_mistakes(len(learner.metafeatures), k=k, alpha=alpha))
        representable = {j for j in range(len(M)) if not (M[j] & ~T).any()}
        (step,) = learn_stream([ConjunctionTask(T)], learner).steps
        np.testing.assert_array_equal(step.hypothesis, T)
        assert step.equivalence <= budget + 1 + (12 if step.how == "scratch" else 0)
        assert len(representable) <= k
        most = max(most, len(learner.metafeatures))
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
        everything = {frozenset(range(n))}  # of the empty set at first, and kept in any case
        assert set(as_sets(learner.metafeatures)) == set(m.values()) | everything
        assert len(learner.metafeatures) == len(set(as_sets(learner.metafeatures)))


def test_an_attempt_succeeds_whenever_k_metafeatures_suffice():
    rng = np.random.default_rng(0)
    learner = WinnowMetafeatures(10, c=2, k=3)
    for _ in range(6):
        learner.grow("scratch", rng.random(10) < 0.6)
    pieces = learner.metafeatures
    for chosen in combinations(range(len(pieces)), 3):
        T = pieces[list(chosen)].any(axis=0)
        task = ConjunctionTask(T)
        np.testing.assert_array_equal(learner.reuse(task), T)
        assert task.counts.equivalence <= learner.budget + 1


def test_no_metafeature_is_kept_twice():
    learner = WinnowMetafeatures(3, c=2, k=1)
    learner.grow("scratch", np.ones(3, dtype=bool))
    assert learner.metafeatures.tolist() == [[True] * 3]
    for T in missing_one(3):
        learner.grow("scratch", T)
    assert len(learner.metafeatures) == len(np.unique(learner.metafeatures, axis=0)) == 7


@pytest.mark.parametrize("alpha", [1.5, 2.0, 3.0])
def test_winnow_changes_its_weights_as_it_should(alpha):
    class Spy(ConjunctionTask):
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
        zeros = [not bit for bit in point]
        lost = sum(w for w, zero in zip(before, zeros, strict=True) if zero) >= 12 / alpha
        kinds.add(lost)
        assert after == [w * (0 if lost else alpha) if zero else w for w, zero in zip(before, zeros, strict=True)]
    assert kinds == {True, False}


def test_an_attempt_is_given_up_after_one_mistake_too_many():
    learner, task = WinnowMetafeatures(16, c=1, k=1), ConjunctionTask(np.arange(16) < 12)
    learner.metafeatures = np.eye(16, dtype=bool)
    assert learner.reuse(task) is None
    assert task.counts.equivalence == 2 * log(16, 2) + 2 + 1


def test_a_target_out_of_reach_is_given_up_and_learned_from_scratch():
    run = learn_stream([ConjunctionTask(T) for T in attaining_sequence(6)], WinnowMetafeatures(6, c=1, k=6))
    assert run.scratch > 0
    assert all(np.array_equal(s.hypothesis, T) for s, T in zip(run.steps, attaining_sequence(6), strict=True))


def test_learners_refuse_another_dimension():
    with pytest.raises(ValueError, match=r"^task: expected dimension 3 as in the representation, got dimension 2"):
        WinnowMetafeatures(3, c=1, k=1).reuse(ConjunctionTask([True, False]))


TWO, THREE = np.eye(2, dtype=bool), np.eye(3, dtype=bool)
