"""The brute force and the exact chances against other brute force, and against the closed forms' own definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from set_families import PROPERTY, as_rows, as_sets, families, literal, missing_one, subsets

from lifelong.conjunctions.anchor_sets import is_anchored
from lifelong.conjunctions.programme import AnchorSolution, anchor_programme
from lifelong.conjunctions.rounding import randomised_rounding
from lifelong_book.conjunctions.autoencoders import experiments as studies


@PROPERTY
@given(families(3, 3), families(3, 3), st.integers(0, 3), st.integers(0, 4))
def test_the_definition_word_for_word(M, TS, c, k):
    n = min(M.shape[1], TS.shape[1])
    M, TS = np.unique(M[:, :n], axis=0), TS[:, :n]
    assert studies.is_anchored_by_search(M, TS, c=c, k=k) == literal(as_sets(M), as_sets(TS), c, k)


def test_fewest_by_trying_everything_again():
    rng = np.random.default_rng(0)
    pieces = as_rows(subsets(range(3), 3, 1), 3)
    for m, c in product((1, 2, 3), (1, 2)):
        TS = rng.random((m, 3)) < 0.7
        found = studies.fewest_anchored(TS, c=c)
        for k in range(8):
            sizes = [len(M) for M in subsets(range(7), 7) if is_anchored(pieces[sorted(M)], TS, c=c, k=k)]
            known = [size for level, size in found.items() if level <= k]
            assert (min(known) if known else None) == min(sizes, default=None)


def test_least_sparsity():
    assert studies.least_sparsity(np.zeros((2, 3), dtype=bool), c=1) == 0
    for n in (4, 5, 6):
        assert studies.least_sparsity(missing_one(n), c=2) == -(-(n - 1) // 2)
        assert studies.least_sparsity(missing_one(n), c=1) == n - 1


def test_weight_elsewhere():
    cell = np.array([[True]])
    assert studies.weight_elsewhere(anchor_programme(cell, c=1, k=1)) == 0
    square = np.array([[1, 1, 0], [0, 1, 1]], dtype=bool)
    for k in (2, None):
        assert studies.weight_elsewhere(anchor_programme(square, c=1, k=k)) == pytest.approx(0, abs=1e-6)
    target = np.array([[1, 1]], dtype=bool)
    twice = AnchorSolution(np.repeat(target, 2, axis=0), np.ones((1, 2), dtype=bool), np.array([1.0, 0.0]), 1)
    assert studies.weight_elsewhere(twice) == pytest.approx(1)  # the other copy does as well
    light = AnchorSolution(twice.candidates, twice.inside, np.array([0.5, 0.0]), 1)
    with pytest.raises(ValueError, match=r"^solution: expected weights that satisfy every constraint"):
        studies.weight_elsewhere(light)


@pytest.mark.parametrize("n", [4, 5, 9])
def test_the_spread_solution_is_an_optimum(n):
    spread, found = studies.spread_solution(n), anchor_programme(missing_one(n), c=2, k=n // 2)
    np.testing.assert_array_equal(studies.missing_one(n), missing_one(n))
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
    p = np.minimum(1, weights * np.log(9 * 2))
    missed = 0.0
    for chosen in product((False, True), repeat=5):
        kept = np.array(chosen)
        chance = np.prod(np.where(kept, p, 1 - p))
        pairs = {
            tuple(rows[:, i] & inside) for T, inside in zip(TS, solution.inside, strict=True) for i in np.nonzero(T)[0]
        }
        missed += chance * sum(not (kept & np.array(pair)).any() for pair in pairs)
    found = studies.rounding_risk(solution)
    assert found == (pytest.approx(missed), 0.0, 0.0)
    assert studies.rounding_risk(solution, share=0) == (len(solution.coverage), 0.0, 0.0)


def test_the_tail_is_binomial():
    rows = np.ones((30, 1), dtype=bool)
    crowded = AnchorSolution(rows, np.ones((1, 30), dtype=bool), np.full(30, 0.5), 1)
    _, dense, large = studies.rounding_risk(crowded)  # L is 1, so more than 2 * 3 of 30, and more than 2 * 15
    from scipy.stats import binom

    assert dense == pytest.approx(binom(30, 0.5).sf(6))
    assert large == 0


def test_closed_forms_of_the_risks():
    for n in (12, 30):
        missed, _, _ = studies.rounding_risk(studies.spread_solution(n))
        assert studies.spread_risk(n) == pytest.approx(missed * n)
        assert studies.spread_risk(n, share=0.5) == pytest.approx(
            studies.rounding_risk(studies.spread_solution(n), share=0.5)[0] * n
        )
    assert studies.spread_risk([4, 5]).tolist() == [0, 0]  # all pairs are kept


def test_a_rounding_fails_where_a_variable_is_isolated():
    n, spread = 12, studies.spread_solution(12)
    thin = AnchorSolution(spread.candidates, spread.inside, spread.weights / 2, spread.k)
    rounding = randomised_rounding(thin, draws=300, rng=0)
    degrees = rounding.chosen[:, n:].astype(int) @ spread.candidates[n:].astype(int)
    np.testing.assert_array_equal((degrees <= 1).any(axis=1), rounding.uncovered)
    assert 0 < rounding.uncovered.sum() < 300


def test_failures_are_counted_fast_and_right():
    n, draws = 24, 40_000
    found = studies.spread_failures(n, draws=draws, rng=0)
    expected = draws * float(studies.isolation_risk(n))
    assert abs(found - expected) < 3 * np.sqrt(expected)
    assert found == studies.spread_failures(n, draws=draws, rng=0)
    assert studies.spread_failures(n, draws=0) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: studies.is_anchored_by_search(np.eye(2) > 0, np.eye(3) > 0, c=1, k=1),
            "metafeatures: expected dimension 3",
        ),
        (
            lambda: studies.fewest_anchored(np.eye(5) > 0, c=1),
            "targets: number of columns: expected an integer >= 1 and <= 4",
        ),
        (lambda: studies.weight_elsewhere(None), "solution: expected a"),
        (lambda: studies.rounding_risk(None), "solution: expected a"),
        (lambda: studies.rounding_risk(studies.spread_solution(4), share=-1), "share: expected a number"),
        (lambda: studies.spread_risk(2), "n: expected numbers > 2, got 2"),
        (lambda: studies.isolation_risk([5, 1]), "n: expected numbers > 2, got 1"),
        (lambda: studies.spread_failures(3), "n: expected an integer >= 4"),
        (lambda: studies.spread_failures(4, draws=-1), "draws: expected an integer >= 0"),
        (lambda: studies.missing_one(0), "n: expected an integer >= 1"),
        (lambda: studies.gap_value(3), "n: expected an integer >= 4"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
