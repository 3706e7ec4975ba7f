"""Algorithm 4: the box beside the queries, its counts, and its streams."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lifelong import learn_stream, metafeatures
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures, online_metafeatures
from lifelong.conjunctions.instances import attaining_sequence, planted_conjunctions
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong_book.conjunctions.consistency.experiments import all_targets, play
from lifelong_book.conjunctions.online.claims import potential
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
