"""The online problem: its bounds, its streams, and the search over all streams, against independent counts."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest

from lifelong import metafeatures, represent
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures, online_metafeatures
from lifelong.conjunctions.instances import (
    attaining_sequence,
    overlapping_metafeatures,
    planted_conjunctions,
    selector_sequence,
)
from lifelong.conjunctions.studies import (
    _masks,
    _output,
    all_families,
    all_targets,
    anchored_sets,
    has_anchors,
    is_invertible,
    longest_scratch,
    minimal_classes,
    output_sizes,
    play,
    potential,
    scratch_families,
    smallest_basis,
    unions_of,
)
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian


def overlaps(k: int) -> list[tuple[int, ...]]:
    return [B for size in range(2, k + 1) for B in combinations(range(k), size)]


# --- bounds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_uniform_is_the_largest_sharp_bound(k):
    for q in range(5):
        chosen = [list(c) for r in range(q + 1) for c in combinations(overlaps(k), r)]
        largest = max(bounds.online_sharp(overlapping_metafeatures(k, c)) for c in chosen)
        assert bounds.online_uniform(k + q, k=k) == largest


def test_bounds_are_in_order():
    for n in range(1, 30):
        assert bounds.online_uniform(n, k=n) == min(2**n - 1, bounds.online_any(n)) == n * (n + 1) // 2
        for k in range(1, n + 1):
            sharp = bounds.online_uniform(n, k=k)
            assert sharp <= min(k * n, n * (n - 1) // 2 + k) <= bounds.online_printed(n, k=k)


def test_sharp_counts_distinct_overlaps_once():
    once = overlapping_metafeatures(5, [(0, 1), (1, 2, 3)])
    twice = np.hstack([once, once[:, [5, 6, 0]], np.zeros((5, 2), dtype=bool)])
    twice[0, 0] = False  # the copy of variable 0 is the anchor now
    assert bounds.online_sharp(once) == bounds.online_sharp(twice) == 5 + 10 + 3 + 2


def test_what_the_bounds_forget_is_what_the_worst_metafeatures_cost():
    for k, chosen in ((2, []), (3, [(0, 1)]), (4, [(0, 1)])):
        M = overlapping_metafeatures(k, chosen)
        assert longest_scratch(M) == bounds.online_sharp(M) == bounds.online_uniform(k + len(chosen), k=k)
    assert bounds.online_any(6) == len(online_metafeatures(attaining_sequence(6)).scratch)


def test_equivalence_queries():
    assert bounds.equivalence_queries(5, m=0, k=2, scratch=0) == 0
    assert bounds.equivalence_queries(5, m=7, k=2, scratch=3) == 7 * 3 + 15


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: bounds.online_printed(0, k=1), "n"),
        (lambda: bounds.online_printed(3, k=4), "k"),
        (lambda: bounds.online_uniform(3, k=0), "k"),
        (lambda: bounds.online_any(0), "n"),
        (lambda: bounds.online_any(True), "n"),
        (lambda: bounds.online_sharp([1.5]), "metafeatures"),
        (lambda: bounds.online_sharp([[True, True], [False, True]]), "metafeatures"),
        (lambda: bounds.equivalence_queries(3, m=-1, k=2, scratch=0), "m"),
        (lambda: bounds.equivalence_queries(3, m=1, k=4, scratch=0), "k"),
        (lambda: bounds.equivalence_queries(3, m=1, k=2, scratch=-1), "scratch"),
        (lambda: attaining_sequence(0), "n"),
        (lambda: overlapping_metafeatures(2, [(0, 2)]), "overlaps"),
        (lambda: overlapping_metafeatures(0, []), "k"),
        (lambda: selector_sequence(0, 4, 1), "p"),
        (lambda: selector_sequence(1, 3, 1), "s"),
        (lambda: selector_sequence(1, 4, 7), "q"),
    ],
)
def test_refusals_name_the_argument(call, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected "):
        call()


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


def test_a_task_of_another_kind_or_size_is_refused():
    learner = OnlineMetafeatures(3)
    law = Gaussian(3)
    for method in (learner.reuse, learner.learn):
        with pytest.raises(TypeError, match=r"^task: expected a task of Section 4 .* equivalent and n, got"):
            method(HalfspaceTask([1.0, 0.0, 0.0], law))
        with pytest.raises(ValueError, match=r"^task: expected dimension 3 as in the representation, got dimension 2"):
            method(ConjunctionTask([True, False]))


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


# --- the search over all streams --------------------------------------------------------------------


def test_search_finds_what_all_orders_find():
    targets = all_targets(2)[1:]
    orders = permutations(range(3))
    longest = max(len(online_metafeatures(targets[list(order)]).scratch) for order in orders)
    assert max(f.bit_count() for f in scratch_families(targets)) == longest == 3
    targets = all_targets(3)[1:]
    longest = max(len(online_metafeatures(targets[list(order)]).scratch) for order in permutations(range(7)))
    assert max(f.bit_count() for f in scratch_families(targets)) == longest == 6


def test_the_search_knows_what_algorithm_3_returns():
    for n in (1, 2, 3):
        for family, size in zip(all_families(n), output_sizes(n), strict=True):
            assert sorted(_output(_masks(family), n)) == sorted(_masks(metafeatures(family)))
            assert len(metafeatures(family)) == size


def test_small_worlds_by_hand():
    assert [M.shape[0] for M in anchored_sets(2)] == [1, 1, 1, 2]
    assert all(has_anchors(M) for M in anchored_sets(3))
    assert not has_anchors(np.ones((2, 2), dtype=bool))
    assert not is_invertible(np.ones((2, 2), dtype=bool))
    M = np.array([[True, True, False], [False, True, True]])
    assert unions_of(np.zeros((1, 2), dtype=bool), M).tolist() == [[False, False, False]]
    assert smallest_basis(np.vstack([M, M]), need_anchors=True) == 2


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: all_targets(0), "n"),
        (lambda: all_families(5), "n"),
        (lambda: anchored_sets(5), "n"),
        (lambda: output_sizes(5), "n"),
        (lambda: has_anchors([1, 0]), "metafeatures"),
        (lambda: unions_of(np.ones((1, 3), dtype=bool), np.ones((2, 2), dtype=bool)), "chosen"),
        (lambda: smallest_basis(np.ones((1, 5), dtype=bool), need_anchors=True), "targets"),
        (lambda: is_invertible(np.ones((1, 2), dtype=bool)), "matrix"),
        (lambda: potential(np.ones((1, 3), dtype=bool), np.ones((1, 2), dtype=bool)), "targets"),
        (lambda: online_metafeatures([1, 0]), "targets"),
        (lambda: OnlineMetafeatures(0), "n"),
    ],
)
def test_refusals_of_the_studies_name_the_argument(call, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected "):
        call()


@pytest.mark.parametrize("k", [1, 2, 3])
def test_worst_streams_of_small_structures(k):
    for r in range(4):
        for chosen in combinations(overlaps(k), r):
            M = overlapping_metafeatures(k, chosen)
            assert longest_scratch(M) == bounds.online_sharp(M)


def test_minimal_classes_are_as_many_as_metafeatures():
    rng = np.random.default_rng(2)
    for _ in range(50):
        family = rng.random((6, 7)) < rng.uniform(0.1, 0.9)
        assert len(minimal_classes(family)) == len(metafeatures(family))
