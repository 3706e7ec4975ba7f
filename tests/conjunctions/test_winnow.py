"""Corollary 2: Winnow against its mistake bound, over the metafeatures of the paper."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from set_families import PROPERTY, as_sets, families, subsets

from lifelong import learn_stream
from lifelong.conjunctions import bounds
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.conjunctions.winnow import WinnowMetafeatures
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets


@pytest.mark.parametrize(("c", "k", "alpha"), [(1, 3, 2.0), (2, 4, 1.5), (2, 4, 3.0)])
def test_winnow_learns_every_target_within_its_bounds(c, k, alpha):
    M, TS = planted_anchor_sets(7, 5, pieces=7 if c == 1 else 15, m=80, c=c, k=k, rng=c)
    learner = WinnowMetafeatures(12, c=c, k=k, alpha=alpha)
    for T in TS:
        budget = learner.budget
        assert budget == int(bounds.winnow_mistakes(len(learner.metafeatures), k=k, alpha=alpha))
        (step,) = learn_stream([ConjunctionTask(T)], learner).steps
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
    pieces = learner.metafeatures
    for chosen in combinations(range(len(pieces)), 3):
        task = ConjunctionTask(pieces[list(chosen)].any(axis=0))
        np.testing.assert_array_equal(learner.reuse(task), task.target)
        assert task.counts.equivalence <= learner.budget + 1


@pytest.mark.parametrize("alpha", [1.5, 2.0])
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
        lost = sum(w for w, bit in zip(before, point, strict=True) if not bit) >= 12 / alpha
        kinds.add(lost)
        assert after == [w if bit else w * (0 if lost else alpha) for w, bit in zip(before, point, strict=True)]
    assert kinds == {True, False}
