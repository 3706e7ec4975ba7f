"""Algorithm 4: the box beside the queries, its counts, and its streams."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lifelong import learn_stream, metafeatures, represent
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures, online_metafeatures
from lifelong.conjunctions.instances import attaining_sequence, planted_conjunctions
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong_book.conjunctions.consistency.experiments import all_targets, play
from lifelong_book.conjunctions.online.claims import potential
from lifelong_book.conjunctions.online.instances import selector_sequence

# --- streams ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 13))
def test_attaining_sequence_is_all_scratch(n):
    targets = attaining_sequence(n)
    assert targets.shape == (n * (n + 1) // 2, n)
    assert np.array_equal(online_metafeatures(targets).scratch, np.arange(len(targets)))
    assert play(targets).scratch == bounds.online_any(n)


def test_selectors_are_all_scratch_in_any_order():
    M, targets = selector_sequence(3, 5, 10)
    assert M.shape == (8, 18)
    assert all(represent(T, M) is not None for T in targets)
    rng = np.random.default_rng(0)
    for _ in range(5):
        assert len(online_metafeatures(rng.permutation(targets)).scratch) == 30 <= bounds.online_sharp(M)


def the_queries_find_what_the_box_finds(targets) -> None:
    """Places learned from scratch, and the metafeatures with their order."""
    box, run = online_metafeatures(targets), play(targets)
    assert [i for i, how in enumerate(run.how) if how == "scratch"] == box.scratch.tolist()
    assert np.array_equal(run.representation.metafeatures, box.metafeatures)
    assert np.array_equal(run.representation.targets, targets[box.scratch])
    assert all(np.array_equal(step.hypothesis, T) for step, T in zip(run.steps, targets, strict=True))


def test_the_box_and_the_queries_agree_on_random_streams():
    rng = np.random.default_rng(1)
    for _ in range(20):
        M, targets = planted_conjunctions(9, k=4, m=20, overlap=0.5, rng=rng)
        the_queries_find_what_the_box_finds(targets)
        scratch = online_metafeatures(targets).scratch
        assert len(scratch) <= sum(potential(targets[scratch], M)) or not len(scratch)
        assert len(scratch) <= bounds.online_sharp(M)
        the_queries_find_what_the_box_finds(rng.random((12, 7)) < rng.uniform(0.1, 0.9))


def test_the_box_and_the_queries_agree_on_all_short_streams():
    everything = all_targets(3)
    for length in range(4):
        for order in product(range(8), repeat=length):
            the_queries_find_what_the_box_finds(everything[list(order)])


def test_the_box_by_hand():
    """TS and M as the box has them, for targets 12, 1, 2 and then 12 again."""
    targets = np.array([[True, True], [True, False], [False, True], [True, True]])
    found = online_metafeatures(targets)
    assert found.scratch.tolist() == [0, 1, 2]
    assert found.scratch.dtype == np.int64
    assert sorted(map(tuple, found.metafeatures.tolist())) == [(False, True), (True, False)]
    assert online_metafeatures(targets[:0]).metafeatures.shape == (0, 2)


def test_answers_of_no_conjunction_are_refused():
    class Liar(ConjunctionTask):
        def equivalent(self, h):
            return np.ones(self.n, dtype=bool)

    with pytest.raises(ValueError, match=r"^task: expected a conjunction, got counterexamples"):
        OnlineMetafeatures(2).learn(Liar([True, True]))


def test_a_free_target_may_cost_later():
    words = ["1236", "1248", "35", "45", "26", "28", "12", "17", "12"]
    targets = np.array([[str(v) in word for v in range(1, 9)] for word in words])
    assert online_metafeatures(targets).scratch.tolist() == [0, 1, 2, 3, 4, 5, 7, 8]


@pytest.mark.parametrize("seed", range(8))
def test_online_metafeatures_learn_every_target_exactly(seed):
    rng = np.random.default_rng(seed)
    n, k = 12, int(rng.integers(1, 7))
    _, targets = planted_conjunctions(n, k=k, m=40, overlap=rng.random(), rng=rng)
    tasks = [ConjunctionTask(t) for t in targets]
    run = learn_stream(tasks, OnlineMetafeatures(n))
    for step, target in zip(run.steps, targets, strict=True):
        np.testing.assert_array_equal(step.hypothesis, target)
        assert step.labels == step.membership == 0
        assert step.equivalence <= (k + 1 if step.how == "reused" else n + 1 + k + 1)
    assert run.scratch <= n**2 + k
    assert len(run.representation.metafeatures) <= k
    np.testing.assert_array_equal(run.representation.metafeatures, metafeatures(run.representation.targets))


def test_what_the_representation_covers_is_reused():
    representation = OnlineMetafeatures(5)
    for target in np.eye(5, dtype=bool)[:3]:
        representation.grow("scratch", target)
    for chosen in ([True, True, True, False, False], [False] * 5, [True, False, True, False, False]):
        task = ConjunctionTask(chosen)
        assert representation.reuse(task).tolist() == chosen
    assert representation.reuse(ConjunctionTask([True, False, False, False, True])) is None


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "3", None])
def test_online_metafeatures_need_a_dimension(bad):
    with pytest.raises(ValueError, match=r"^n: expected .*, got .+"):
        OnlineMetafeatures(bad)
