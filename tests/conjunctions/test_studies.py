"""The small worlds that are searched as a whole, against independent counts."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from lifelong import metafeatures
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong_book.conjunctions.consistency.experiments import (
    _masks,
    _output,
    all_families,
    all_targets,
    longest_scratch,
    minimal_classes,
    output_sizes,
    scratch_families,
)
from lifelong_book.conjunctions.online.claims import potential
from lifelong_book.conjunctions.online.instances import overlapping_metafeatures


@pytest.mark.parametrize("n", [2, 3])
def test_search_finds_what_all_orders_find(n):
    targets = all_targets(n)[1:]
    longest = max(len(online_metafeatures(targets[list(order)]).scratch) for order in permutations(range(2**n - 1)))
    assert max(f.bit_count() for f in scratch_families(targets)) == longest == n * (n + 1) // 2


def test_the_search_knows_what_algorithm_3_returns():
    for n in (1, 2, 3):
        for family, size in zip(all_families(n), output_sizes(n), strict=True):
            assert sorted(_output(_masks(family), n)) == sorted(_masks(metafeatures(family)))
            assert len(metafeatures(family)) == size


@pytest.mark.parametrize("k", [1, 2, 3])
def test_worst_streams_of_small_structures(k):
    overlaps = [B for size in range(2, k + 1) for B in combinations(range(k), size)]
    for chosen in (c for r in range(4) for c in combinations(overlaps, r)):
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
    M = overlapping_metafeatures(4, [(0, 1), (0, 1), (1, 2, 3), (2, 3), (0, 3)][: int(rng.integers(1, 6))])
    targets = np.array([T for T in (M[chosen].any(axis=0) for chosen in rng.random((5, 4)) < 0.5) if T.any()])
    holds = [frozenset(np.flatnonzero(column)) for column in targets.T]

    def apart(z, w):
        return not holds[z] <= holds[w] and not holds[w] <= holds[z]

    of_overlap = {frozenset(np.flatnonzero(M[:, z])): z for z in range(4, M.shape[1])}.values()
    anchors = sum(apart(z, w) for z, w in combinations(range(4), 2))
    expected = (len(metafeatures(targets)), anchors, sum(apart(z, w) for z in range(4) for w in of_overlap))
    assert potential(targets, M) == expected
