"""The linear programme of Theorem 5 against cvxpy, enumeration and its own constraints."""

from __future__ import annotations

from itertools import product

import cvxpy
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import OptimizeResult
from set_families import PROPERTY, Set, as_sets, closure, families, literal, missing_one, subsets

from lifelong import metafeatures, represent
from lifelong.conjunctions.anchor_sets import anchor_set_candidates, is_anchored
from lifelong.conjunctions.programme import anchor_programme
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
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(12):
        TS = rng.random((int(rng.integers(1, 6)), int(rng.integers(1, 6)))) < 0.7
        c, k = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        solution, expected = anchor_programme(TS, c=c, k=k), cvxpy_value(as_sets(TS), TS.shape[1], c, k)
        assert (solution is None) == (expected is None)
        seen.add(expected is None)
        assert solution is None or solution.value == pytest.approx(expected, abs=1e-6)
    assert seen == {True, False}


def fewest(TS: list[Set], n: int, c: int, k: int) -> int | None:
    """Least number of nonempty metafeatures with Definition 1, by trying all sets of them."""
    for M in subsets(range(2**n - 1), 2**n - 1):
        if literal([subsets(range(n), n, 1)[j] for j in M], TS, c, k):
            return len(M)
    return None


def test_integer_programme_against_all_sets_of_metafeatures():
    rng = np.random.default_rng(0)
    for m, c, k in product((1, 2, 3), (1, 2), (1, 2)):
        TS = rng.random((m, 3)) < 0.7
        exact = anchor_programme(TS, c=c, k=k, integral=True)
        assert (None if exact is None else exact.value) == fewest(as_sets(TS), 3, c, k)


@PROPERTY
@given(families(5, 5), st.integers(1, 3), st.integers(0, 4))
def test_solutions_satisfy_every_constraint(TS, c, k):
    for integral in (False, True):
        solution = anchor_programme(TS, c=c, k=k, integral=integral)
        if solution is None:
            continue
        assert solution.integral or not integral
        assert (solution.weights >= 0).all() and (solution.weights <= 1).all()
        pieces = as_sets(solution.candidates)
        for T, inside in zip(as_sets(TS), solution.inside, strict=True):
            assert inside.tolist() == [m <= T for m in pieces]
            assert solution.weights[inside].sum() <= k + 1e-6
            for i in T:
                assert sum(z for z, m in zip(solution.weights, pieces, strict=True) if i in m <= T) >= 1 - 1e-6
        if integral:
            assert is_anchored(solution.support, TS, c=c, k=k)


def test_coverage_has_one_row_for_each_distinct_constraint():
    TS = np.random.default_rng(2).random((6, 6)) < 0.7
    solution = anchor_programme(TS, c=2, k=None)
    pieces = as_sets(solution.candidates)
    rows = {tuple(i in m <= T for m in pieces) for T in as_sets(TS) for i in T}
    assert {tuple(row) for row in solution.coverage.tolist()} == rows
    assert len(solution.coverage) == len(rows)


@PROPERTY
@given(families(), st.integers(1, 5))
def test_one_anchor_variable_is_algorithm_3(TS, k):
    found = metafeatures(TS)
    sparse = max((represent(T, found).sum() for T in TS), default=0)
    solution = anchor_programme(TS, c=1, k=k)
    assert (solution is None) == (sparse > k)
    if solution is not None:
        assert solution.integral
        assert set(as_sets(solution.support)) == set(as_sets(found))


@pytest.mark.parametrize("n", [4, 5, 6])
def test_all_variables_but_one(n):
    TS = missing_one(n)
    half = -(-(n - 1) // 2)
    assert anchor_programme(TS, c=2, k=half).value == pytest.approx(n * (n - 1) / (2 * (n - 2)))
    assert anchor_programme(TS, c=2, k=half - 1) is None
    assert anchor_programme(TS, c=2, k=n - 2, integral=True).value == n
    assert anchor_programme(TS, c=2, k=n - 3, integral=True) is None


def test_planted_values():
    for c, k in ((1, 3), (2, 3), (2, 5)):
        M, TS = planted_anchor_sets(8, 6, pieces=8 if c == 1 else 20, m=60, c=c, k=k, rng=c + k)
        used = M[(TS[:, None] | ~M).all(axis=2).any(axis=0)]
        linear, exact = (anchor_programme(TS, c=c, k=k, integral=integral) for integral in (False, True))
        assert linear.value <= exact.value + 1e-6 <= len(used) + 2e-6
        assert is_anchored(exact.support, TS, c=c, k=k)


def test_the_support_holds_small_weights_too():
    solution = anchor_programme(missing_one(8), c=2, k=4)
    assert 0 < solution.weights[solution.weights > 0].min() < 0.4
    assert len(solution.support) == (solution.weights > 0).sum()


def test_a_solver_that_gives_up_is_no_proof(monkeypatch):
    monkeypatch.setattr("scipy.optimize.milp", lambda *a, **k: OptimizeResult(status=1, x=None, message="time is up"))
    with pytest.raises(RuntimeError, match=r"^the solver gave up: time is up"):
        anchor_programme(missing_one(4), c=2, k=2)


@pytest.mark.parametrize("TS", [np.zeros((0, 4), bool), np.zeros((3, 4), bool)], ids=["none", "blank"])
def test_nothing_to_do(TS):
    assert anchor_set_candidates(TS, c=2).shape == (0, 4)
    solution = anchor_programme(TS, c=2, k=1)
    assert (solution.value, solution.integral, len(solution.support)) == (0, True, 0)
    assert solution.coverage.shape == (0, 0)


TWO, THREE = np.eye(2, dtype=bool), np.eye(3, dtype=bool)
