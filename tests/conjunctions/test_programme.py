"""Definition 1, the programme of Theorem 5 and its rounding, against brute force, cvxpy and their own constraints."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import log

import cvxpy
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import OptimizeResult
from set_families import (
    PROPERTY,
    Set,
    as_rows,
    as_sets,
    brute_candidates,
    closure,
    families,
    literal,
    missing_one,
    subsets,
)

from lifelong import metafeatures, represent
from lifelong.conjunctions.autoencoder import (
    AnchorSolution,
    anchor_programme,
    anchor_set_candidates,
    anchor_sets,
    is_anchored,
    randomised_rounding,
)
from lifelong_book.conjunctions.autoencoders import claims
from lifelong_book.conjunctions.autoencoders.experiments import is_anchored_by_search
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets


def cvxpy_value(TS: list[Set], n: int, c: int, k: int) -> float | None:
    """The printed programme in cvxpy: one variable for each y, nothing merged, (2) for the pixels of a target."""
    Z = {y: cvxpy.Variable(nonneg=True) for y in subsets(range(n), c, 1) if closure(y, TS)}
    rows = [cvxpy.Constant(0) <= 0, *(z <= 1 for z in Z.values())]
    for T in TS:
        inside = {y: z for y, z in Z.items() if closure(y, TS) <= T}
        rows += [cvxpy.Constant(0) + sum(z for y, z in inside.items() if i in closure(y, TS)) >= 1 for i in sorted(T)]
        rows.append(cvxpy.Constant(0) + sum(inside.values()) <= k)
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.Constant(0) + sum(Z.values())), rows)
    problem.solve(solver=cvxpy.HIGHS)
    return None if problem.status == "infeasible" else float(problem.value)


def test_linear_programme_against_cvxpy():
    rng, seen = np.random.default_rng(0), set()
    for _ in range(12):
        TS = rng.random((int(rng.integers(1, 6)), int(rng.integers(1, 6)))) < 0.7
        c, k = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        solution, expected = anchor_programme(TS, c=c, k=k), cvxpy_value(as_sets(TS), TS.shape[1], c, k)
        assert (solution is None) == (expected is None)
        assert solution is None or solution.value == pytest.approx(expected, abs=1e-6)
        seen.add(expected is None)
    assert seen == {True, False}


def test_integer_programme_against_all_sets_of_metafeatures():
    rng, pieces = np.random.default_rng(0), subsets(range(3), 3, 1)
    for m, c, k in product((1, 2, 3), (1, 2), (1, 2)):
        TS = rng.random((m, 3)) < 0.7
        exact = anchor_programme(TS, c=c, k=k, integral=True)
        fits = (len(M) for M in subsets(range(7), 7) if literal([pieces[j] for j in M], as_sets(TS), c, k))
        assert (None if exact is None else exact.value) == next(fits, None)


@PROPERTY
@given(families(5, 5), st.integers(1, 3), st.integers(0, 4))
def test_solutions_satisfy_every_constraint(TS, c, k):
    for integral in (False, True):
        solution = anchor_programme(TS, c=c, k=k, integral=integral)
        if solution is None:
            continue
        pieces, weights = as_sets(solution.candidates), solution.weights
        assert (weights >= 0).all() and (weights <= 1).all() and len(solution.support) == (weights > 0).sum()
        for T, inside in zip(as_sets(TS), solution.inside, strict=True):
            assert inside.tolist() == [m <= T for m in pieces]
            assert weights[inside].sum() <= k + 1e-6
            assert all(sum(z for z, m in zip(weights, pieces, strict=True) if i in m <= T) >= 1 - 1e-6 for i in T)
        rows = {tuple(i in m <= T for m in pieces) for T in as_sets(TS) for i in T}
        assert sorted(map(tuple, solution.coverage.tolist())) == sorted(rows)  # each distinct constraint once
        assert not integral or (solution.integral and is_anchored(solution.support, TS, c=c, k=k))


@PROPERTY
@given(families(), st.integers(1, 5))
def test_one_anchor_variable_is_algorithm_3(TS, k):
    found, solution = metafeatures(TS), anchor_programme(TS, c=1, k=k)
    sparse = max((represent(T, found).sum() for T in TS), default=0)
    assert (solution is None) == (sparse > k)
    assert solution is None or (solution.integral and set(as_sets(solution.support)) == set(as_sets(found)))


@pytest.mark.parametrize("n", [4, 5, 8])
def test_all_variables_but_one(n):
    TS, half = missing_one(n), n // 2
    solution = anchor_programme(TS, c=2, k=half)
    assert solution.value == pytest.approx(n * (n - 1) / (2 * (n - 2)))
    assert n < 8 or 0 < solution.weights[solution.weights > 0].min() < 0.4
    assert anchor_programme(TS, c=2, k=half - 1) is None
    assert anchor_programme(TS, c=2, k=n - 2, integral=True).value == n
    assert anchor_programme(TS, c=2, k=n - 3, integral=True) is None


def test_a_solver_that_gives_up_is_no_proof(monkeypatch):
    monkeypatch.setattr("scipy.optimize.milp", lambda *a, **k: OptimizeResult(status=1, x=None, message="time is up"))
    with pytest.raises(RuntimeError, match="time is up"):
        anchor_programme(missing_one(4), c=2, k=2)


def test_events_of_the_rounding_are_what_they_say():
    TS = missing_one(8)
    solution = anchor_programme(TS, c=2, k=6)
    thin = AnchorSolution(solution.candidates, solution.inside, solution.weights / 5, k=solution.k)
    rounding, again, other = (randomised_rounding(thin, draws=300, rng=seed) for seed in (0, 0, 1))
    assert np.array_equal(rounding.chosen, again.chosen) and not np.array_equal(rounding.chosen, other.chosen)
    pieces = as_sets(thin.candidates)
    for chosen, uncovered in zip(rounding.chosen, rounding.uncovered, strict=True):
        kept = [m for m, keep in zip(pieces, chosen, strict=True) if keep]
        assert uncovered == any(frozenset().union(*(m for m in kept if m <= T)) != T for T in as_sets(TS))
    assert 0 < rounding.uncovered.sum() < 300
    np.testing.assert_array_equal(rounding.succeeded, ~rounding.uncovered)
    whole = anchor_programme(TS, c=1, k=7)  # weights of one are kept, and of zero dropped
    assert (randomised_rounding(whole, draws=20, rng=0).chosen == (whole.weights == 1)).all()


def test_dense_and_large_roundings_are_seen():
    solution = anchor_programme(missing_one(40), c=2, k=38)
    crowded = AnchorSolution(solution.candidates, solution.inside, np.ones(820), k=3)
    rounding = randomised_rounding(crowded, rng=0)
    inside = (rounding.chosen[0] & crowded.inside).sum(axis=1)
    assert rounding.too_dense.tolist() == [bool((inside > 2 * 3 * log(40**3)).any())] == [True]
    assert not rounding.too_large[0] and not rounding.uncovered[0]  # 820 of 2 * 820 * L
    rounding = randomised_rounding(solution, draws=2000, rng=0)  # the events are far rarer than their bounds
    assert 0 < rounding.uncovered.mean() < 1 / 40
    assert rounding.too_dense.sum() == rounding.too_large.sum() == 0


@pytest.mark.parametrize(("kept", "large"), [(66, False), (67, True)])
def test_a_small_value_counts_as_three(kept, large):
    class Keep(np.random.Generator):
        def random(self, size):
            return np.zeros(size)

    solution = anchor_programme(missing_one(40), c=2, k=38)
    weights = np.where(np.arange(820) < kept, 1e-3, 0.0)  # the limit is 6 ln(40^3), between 66 and 67
    thin = AnchorSolution(solution.candidates, solution.inside, weights, k=38)
    rounding = randomised_rounding(thin, rng=Keep(np.random.PCG64(0)))
    assert rounding.chosen.sum() == kept and rounding.too_large.tolist() == [large]


@PROPERTY
@given(families(), st.integers(1, 4))
def test_candidates_are_the_intersections(TS, c):
    found = anchor_set_candidates(TS, c=c)
    assert len(set(as_sets(found))) == len(found)
    assert set(as_sets(found)) == brute_candidates(as_sets(TS), TS.shape[1], c)
    np.testing.assert_array_equal(anchor_set_candidates(TS[::-1], c=c), found)


def test_candidates_come_by_size_and_then_as_binary_numbers():
    TS = np.random.default_rng(0).random((12, 20)) < 0.6
    found = anchor_set_candidates(TS, c=2)
    numbers = [(int(row.sum()), int("".join(map(str, row.astype(int))), 2)) for row in found]
    assert numbers == sorted(numbers) and len({size for size, _ in numbers}) < len(numbers) / 5


def test_candidates_in_blocks_are_the_same(monkeypatch):
    TS = np.random.default_rng(1).random((30, 25)) < 0.7
    whole = anchor_set_candidates(TS, c=3)
    monkeypatch.setattr("lifelong.conjunctions.autoencoder.BLOCK", 50)
    np.testing.assert_array_equal(anchor_set_candidates(TS, c=3), whole)


@PROPERTY
@given(families(), families(), st.integers(0, 3))
def test_anchor_sets_are_smallest(M, TS, c):
    n = min(M.shape[1], TS.shape[1])
    M, TS = M[:, :n], TS[:, :n]
    for m, y in zip(as_sets(M), anchor_sets(M, TS, c=c), strict=True):
        valid = [s for s in subsets(m, c) if all(m <= T for T in as_sets(TS) if s <= T)]
        assert (y is None) == (not valid)
        assert y is None or (as_sets(y[None])[0] in valid and y.sum() == min(map(len, valid)))


def test_the_first_anchor_set_found_need_not_be_the_smallest():
    lacking = [{0, 1}, {1, 2, 4}, {1, 3, 5}, {2, 3, 6}]  # with 0 it takes three, with 1 it takes two
    (found,) = anchor_sets(np.ones((1, 7), dtype=bool), ~as_rows(lacking, 7), c=3)
    assert as_sets(found[None])[0] in ({1, 2}, {1, 3}, {1, 6})
    lacking = [{0, 1}, {0, 2, 4}, {0, 3, 5}, {2, 3, 6}, {7, 8, 9}]  # with 0 it takes three, with 1 it takes four
    (found,) = anchor_sets(np.ones((1, 10), dtype=bool), ~as_rows(lacking, 10), c=4)
    assert found.sum() == 3


@PROPERTY
@given(families(4, 3), families(4, 3), st.integers(0, 3), st.integers(0, 4))
def test_definition_against_the_literal_search(M, TS, c, k):
    n = min(M.shape[1], TS.shape[1])
    M, TS = np.unique(M[:, :n], axis=0), TS[:, :n]
    expected = literal(as_sets(M), as_sets(TS), c, k)
    assert is_anchored(M, TS, c=c, k=k) == is_anchored(np.vstack([M, M]), TS, c=c, k=k) == expected
    assert is_anchored_by_search(M, TS, c=c, k=k) == expected


def test_planted_instances():
    for seed, (c, k) in enumerate([(1, 2), (2, 3), (3, 2)]):
        M, TS = planted_anchor_sets(4, 1, pieces=4, m=5, c=c, k=k, rng=seed)
        assert literal(as_sets(M), as_sets(TS), c, k)
    M, TS = planted_anchor_sets(12, 10, pieces=60, m=100, c=2, k=5, rng=0)
    assert M.shape == (60, 22) and is_anchored(M, TS, c=2, k=5) and TS.any(axis=1).all()
    assert (M[:, :12].sum(axis=1) == 2).all() and len(np.unique(M[:, :12], axis=0)) == 60
    assert np.array_equal(planted_anchor_sets(12, 10, pieces=60, m=100, c=2, k=5, rng=0)[1], TS)


def test_an_optimum_that_is_not_the_only_one_or_not_of_its_pieces_is_noticed(monkeypatch):
    TS = np.array([[1, 1, 0], [0, 1, 1]], dtype=bool)
    one = anchor_programme(TS, c=1, k=2)
    two = AnchorSolution(np.tile(one.candidates, (2, 1)), np.tile(one.inside, 2), np.append(one.weights, [0] * 3), 2)
    for solution in (two, replace(one, weights=np.ones(3)), replace(one, weights=0.75 * one.weights)):
        monkeypatch.setattr(claims, "anchor_programme", lambda *_, solution=solution, **__: solution)
        assert claims.with_anchors(TS, 2)["its pieces, and no other optimum"] == (False, True)
