"""The brute force and the exact chances against other brute force, and against the closed forms' own definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom
from set_families import as_rows, missing_one, subsets

from lifelong.conjunctions.anchor_sets import is_anchored
from lifelong.conjunctions.programme import AnchorSolution, anchor_programme
from lifelong_book.conjunctions.autoencoders import experiments as studies


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
    assert spread.value == pytest.approx(found.value) == pytest.approx(studies.gap_value(n))
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


def test_closed_forms_of_the_risks():
    for n, share in product((12, 30), (1.0, 0.5)):
        missed, _, _ = studies.rounding_risk(studies.spread_solution(n), share=share)
        assert studies.spread_risk(n, share=share) == pytest.approx(missed * n)
    assert studies.spread_risk([4, 5]).tolist() == [0, 0]  # all pairs are kept


def test_failures_are_counted_fast_and_right():
    found = studies.spread_failures(24, draws=40_000, rng=0)
    expected = 40_000 * float(studies.isolation_risk(24))
    assert abs(found - expected) < 3 * np.sqrt(expected)
