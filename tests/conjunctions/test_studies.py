"""The small worlds that are searched as a whole, and exact chances, against independent counts."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy.stats import binom
from set_families import as_rows, missing_one, subsets

from lifelong import metafeatures
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong.conjunctions.autoencoder import AnchorSolution, anchor_programme, is_anchored
from lifelong_book.conjunctions.autoencoders import experiments as studies
from lifelong_book.conjunctions.consistency.experiments import canonical, minimal_classes, output_sizes
from lifelong_book.conjunctions.consistency.instances import all_families, all_targets, masks
from lifelong_book.conjunctions.online.claims import potential
from lifelong_book.conjunctions.online.experiments import scratch_families
from lifelong_book.conjunctions.online.instances import overlapping_metafeatures


@pytest.mark.parametrize("n", [2, 3])
def test_search_finds_what_all_orders_find(n):
    targets = all_targets(n)[1:]
    longest = max(len(online_metafeatures(targets[list(order)]).scratch) for order in permutations(range(2**n - 1)))
    assert max(f.bit_count() for f in scratch_families(targets)) == longest == n * (n + 1) // 2


def test_the_search_knows_what_algorithm_3_returns():
    for n in (1, 2, 3):
        for family, size in zip(all_families(n), output_sizes(n), strict=True):
            assert sorted(canonical(masks(family), n)) == sorted(masks(metafeatures(family)))
            assert len(metafeatures(family)) == size


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


def test_fewest_by_trying_everything_again():
    rng = np.random.default_rng(0)
    pieces = as_rows(subsets(range(3), 3, 1), 3)
    for m, c in product((1, 3), (1, 2)):
        TS = rng.random((m, 3)) < 0.7
        found = studies.fewest_anchored(TS, c=c)
        for k in range(8):
            sizes = [len(M) for M in subsets(range(7), 7) if is_anchored(pieces[sorted(M)], TS, c=c, k=k)]
            known = [size for level, size in found.items() if level <= k]
            assert (min(known) if known else None) == min(sizes, default=None)


@pytest.mark.parametrize("n", [4, 9])
def test_the_spread_solution_is_an_optimum(n):
    spread, found = studies.spread_solution(n), anchor_programme(missing_one(n), c=2, k=n // 2)
    np.testing.assert_array_equal(spread.candidates, found.candidates)
    np.testing.assert_array_equal(spread.inside, found.inside)
    assert spread.value == pytest.approx(found.value) == pytest.approx(n * (n - 1) / (2 * (n - 2)))
    assert (spread.coverage @ spread.weights >= 1 - 1e-9).all()
    assert (spread.inside @ spread.weights <= spread.k + 1e-9).all()


def test_risks_against_every_outcome():
    """All 2^N roundings of a small solution, each with its probability."""
    weights = np.array([0.0, 0.05, 0.1, 0.2, 0.25])
    rows = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]], dtype=bool)
    TS = np.array([[1, 1, 0], [1, 1, 1]], dtype=bool)
    solution = AnchorSolution(rows, (TS[:, None] | ~rows).all(axis=2), weights, None)
    p, missed = np.minimum(1, weights * np.log(9 * 2)), 0.0
    covers = zip(TS, solution.inside, strict=True)
    pairs = {tuple(rows[:, i] & inside) for T, inside in covers for i in np.flatnonzero(T)}
    for chosen in product((False, True), repeat=5):
        kept = np.array(chosen)
        missed += np.prod(np.where(kept, p, 1 - p)) * sum(not (kept & np.array(pair)).any() for pair in pairs)
    assert studies.rounding_risk(solution) == (pytest.approx(missed), 0.0, 0.0)
    assert studies.rounding_risk(solution, share=0) == (len(solution.coverage), 0.0, 0.0)
    # L is 1: dense is more than 2 * 3 of 30, large more than 2 * 15
    crowded = AnchorSolution(np.ones((30, 1), dtype=bool), np.ones((1, 30), dtype=bool), np.full(30, 0.5), 1)
    assert studies.rounding_risk(crowded)[1:] == (pytest.approx(binom(30, 0.5).sf(6)), 0)
