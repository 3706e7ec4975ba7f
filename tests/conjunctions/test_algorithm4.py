"""The online problem: its bounds, its streams, and the search over all streams, against independent counts."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from lifelong import metafeatures, represent
from lifelong.conjunctions import bounds
from lifelong.conjunctions.instances import (
    attaining_sequence,
    overlapping_metafeatures,
    planted_conjunctions,
    selector_sequence,
)
from lifelong.ledger.claims.consistency import all_targets, output_sizes
from lifelong.ledger.claims.online import (
    family_sizes,
    longest_scratch,
    minimal_classes,
    play,
    potential,
    scratch_families,
    scratch_places,
)


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
    assert bounds.online_any(6) == len(scratch_places(attaining_sequence(6)))


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
    assert scratch_places(targets) == list(range(len(targets)))
    assert len(play(targets)[0]) == bounds.online_any(n)


def test_selectors_are_all_scratch_in_any_order():
    M, targets = selector_sequence(3, 5, 10)
    assert M.shape == (8, 18)
    assert all(represent(T, M) is not None for T in targets)
    rng = np.random.default_rng(0)
    for _ in range(5):
        assert len(scratch_places(rng.permutation(targets))) == 30 <= bounds.online_sharp(M)


def test_the_loop_and_the_shortcut_agree():
    rng = np.random.default_rng(1)
    for _ in range(20):
        M, targets = planted_conjunctions(9, k=4, m=20, overlap=0.5, rng=rng)
        scratch, learner, _ = play(targets)
        assert scratch == scratch_places(targets)
        assert np.array_equal(learner.metafeatures, metafeatures(targets[scratch]))
        assert len(scratch) <= sum(potential(targets[scratch], M)) or not scratch
        assert len(scratch) <= bounds.online_sharp(M)


def test_a_free_target_may_cost_later():
    words = ["1236", "1248", "35", "45", "26", "28", "12", "17", "12"]
    targets = np.array([[str(v) in word for v in range(1, 9)] for word in words])
    assert scratch_places(targets) == [0, 1, 2, 3, 4, 5, 7, 8]


# --- the search over all streams --------------------------------------------------------------------


def test_search_finds_what_all_orders_find():
    targets = all_targets(2)[1:]
    orders = permutations(range(3))
    longest = max(len(scratch_places(targets[list(order)])) for order in orders)
    assert max(f.bit_count() for f in scratch_families(targets)) == longest == 3
    targets = all_targets(3)[1:]
    longest = max(len(scratch_places(targets[list(order)])) for order in permutations(range(7)))
    assert max(f.bit_count() for f in scratch_families(targets)) == longest == 6


def test_sizes_on_masks_are_those_of_the_algorithm():
    for n in (1, 2, 3):
        assert np.array_equal(family_sizes(n), output_sizes(n))


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
