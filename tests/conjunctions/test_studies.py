"""The small worlds that are searched as a whole, against independent counts."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from lifelong import metafeatures
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures, online_metafeatures
from lifelong_book.conjunctions.consistency.experiments import (
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
    scratch_families,
    smallest_basis,
    unions_of,
)
from lifelong_book.conjunctions.online.claims import potential
from lifelong_book.conjunctions.online.instances import overlapping_metafeatures


def overlaps(k: int) -> list[tuple[int, ...]]:
    return [B for size in range(2, k + 1) for B in combinations(range(k), size)]


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


@pytest.mark.parametrize("seed", range(8))
def test_the_potential_by_sets(seed):
    """Incomparable pairs counted from the definition: two variables are comparable if one needs the other."""
    rng = np.random.default_rng(seed)
    shared = [(0, 1), (0, 1), (1, 2, 3), (2, 3), (0, 3)][: int(rng.integers(1, 6))]
    M = overlapping_metafeatures(4, shared)
    targets = [M[chosen].any(axis=0) for chosen in rng.random((5, 4)) < 0.5]
    targets = np.array([T for T in targets if T.any()])
    holds = [frozenset(np.flatnonzero(column)) for column in targets.T]

    def apart(z, w):
        return not holds[z] <= holds[w] and not holds[w] <= holds[z]

    of_overlap = {frozenset(np.flatnonzero(M[:, z])): z for z in range(4, M.shape[1])}.values()
    expected = (
        sum(apart(z, w) for z, w in combinations(range(4), 2)),
        sum(apart(z, w) for z in range(4) for w in of_overlap),
    )
    assert potential(targets, M) == (len(metafeatures(targets)), *expected)


def test_a_shared_variable_of_two_counts_in_the_potential():
    M = overlapping_metafeatures(3, [(0, 1)])  # variable 3 lies in the first two of three
    # learned from the first and the third alone: the anchors 0 and 2 are apart, and 2 is apart from 3, as 0 is not
    assert potential(M[[0, 2]], M) == (2, 1, 1)
