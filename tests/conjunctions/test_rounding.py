"""The rounding of Theorem 5: what it keeps, and the three events that may go wrong."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from set_families import as_sets, missing_one

from lifelong.conjunctions.programme import AnchorSolution, anchor_programme
from lifelong.conjunctions.rounding import randomised_rounding


def test_events_of_the_rounding_are_what_they_say():
    TS = missing_one(8)
    solution = anchor_programme(TS, c=2, k=6)
    thin = AnchorSolution(solution.candidates, solution.inside, solution.weights / 5, k=solution.k)
    rounding = randomised_rounding(thin, draws=300, rng=0)
    pieces = as_sets(thin.candidates)
    for chosen, uncovered in zip(rounding.chosen, rounding.uncovered, strict=True):
        kept = [m for m, keep in zip(pieces, chosen, strict=True) if keep]
        assert uncovered == any(frozenset().union(*(m for m in kept if m <= T)) != T for T in as_sets(TS))
    assert 0 < rounding.uncovered.sum() < 300
    np.testing.assert_array_equal(rounding.succeeded, ~rounding.uncovered)


def test_dense_and_large_roundings_are_seen():
    TS = missing_one(40)
    solution = anchor_programme(TS, c=2, k=38)
    crowded = AnchorSolution(solution.candidates, solution.inside, np.ones(820), k=3)
    rounding = randomised_rounding(crowded, rng=0)
    most, factor = 2 * 3 * log(40**3), log(40**3)
    inside = rounding.chosen[0] & crowded.inside
    assert rounding.too_dense.tolist() == [bool((inside.sum(axis=1) > most).any())] == [True]
    assert not rounding.too_large[0] and not rounding.uncovered[0]  # 820 of 2 * 820 * L
    few = AnchorSolution(solution.candidates, solution.inside, np.full(820, 1 / (820 * factor)), k=38)
    assert not randomised_rounding(few, draws=50, rng=0).too_large.any()


@pytest.mark.parametrize(("kept", "large"), [(60, False), (70, True)])
def test_a_small_value_counts_as_three(kept, large):
    class Keep(np.random.Generator):
        def random(self, size):
            return np.zeros(size)

    solution = anchor_programme(missing_one(40), c=2, k=38)
    weights = np.where(np.arange(820) < kept, 1e-3, 0.0)  # the limit is 6 ln(40^3), between 66 and 67
    thin = AnchorSolution(solution.candidates, solution.inside, weights, k=38)
    rounding = randomised_rounding(thin, rng=Keep(np.random.PCG64(0)))
    assert rounding.chosen.sum() == kept
    assert rounding.too_large.tolist() == [large]


def test_weights_of_one_are_kept_and_of_zero_dropped():
    for TS in (np.array([[True]]), missing_one(6)):
        solution = anchor_programme(TS, c=1, k=5)
        assert solution.integral
        chosen = randomised_rounding(solution, draws=20, rng=0).chosen
        np.testing.assert_array_equal(chosen, np.broadcast_to(solution.weights == 1, chosen.shape))


def test_rounding_depends_on_the_seed_only():
    solution = anchor_programme(missing_one(30), c=2, k=28)
    first, again, other = (randomised_rounding(solution, draws=5, rng=seed).chosen for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_frequencies_of_the_events_are_far_below_the_bounds():
    n = 40
    rounding = randomised_rounding(anchor_programme(missing_one(n), c=2, k=n - 2), draws=2000, rng=0)
    assert 0 < rounding.uncovered.mean() < 1 / n
    assert rounding.too_dense.sum() == rounding.too_large.sum() == 0


TWO, THREE = np.eye(2, dtype=bool), np.eye(3, dtype=bool)
