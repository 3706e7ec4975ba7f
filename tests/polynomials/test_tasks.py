"""The task of learning a polynomial: its oracles, and its counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from polynomials.cases import AWKWARD, POLICIES, PROPERTY, by_hand, polynomials

from lifelong.laws import BooleanProduct
from lifelong.loop import Counts
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.tasks import PolynomialBox, PolynomialTask


@pytest.mark.parametrize("policy", POLICIES)
@PROPERTY
@given(f=polynomials(n=4), h=polynomials(n=4))
def test_a_counterexample_is_one(policy, f, h):
    task = PolynomialTask(f, rng=0, counterexample=policy)
    x = task.equivalent(h)
    assert (x is None) == (f == h) and task.counts == Counts(equivalence=1)
    if x is None:
        return
    X = cube(4)
    differ = np.array([by_hand(f, p) != by_hand(h, p) for p in X])
    assert by_hand(f, x) != by_hand(h, x)
    if policy == "smallest":
        assert not differ[(~X | x).all(axis=1) & (x != X).any(axis=1)].any()  # nothing below differs
    if policy == "largest":
        assert not differ[((X ^ x).sum(axis=1) == 1) & (~x | X).all(axis=1)].any()  # nor does one variable more
        assert x.all() or not differ[-1]


def test_all_ones_come_before_a_climb_that_is_stuck():
    f = polynomial("x1 - x1x2 - x1x3 + 2 x1x2x3")
    assert PolynomialTask(f, counterexample="largest").equivalent(polynomial("0", n=3)).all()


def test_a_random_counterexample_that_is_rare_may_be_any_above_a_term():
    task = PolynomialTask(Polynomial([[True] * 20 + [False] * 2], [1]), rng=0, counterexample="random")
    found = {task.equivalent(polynomial("0", n=22)).tobytes() for _ in range(60)}
    assert len(found) == 4  # of 2^22


def test_labels_are_counted_and_not_rounded():
    f = Polynomial([[True, False], [False, True]], AWKWARD[:2])
    task, twin = PolynomialTask(f, rng=0), PolynomialTask(f, rng=0)
    X, y = task.exact_examples(50)
    assert y.tolist() == [by_hand(f, x) for x in X] and all(type(value) in (int, Fraction) for value in y)
    same, rounded = twin.examples(50)
    np.testing.assert_array_equal(same, X)
    assert rounded.dtype == np.float64 and rounded.tolist() == [float(value) for value in y]
    assert task.counts == twin.counts == Counts(labels=50)
    assert task.member([True, False]) == AWKWARD[0] and task.counts == Counts(labels=50, membership=1)
    assert PolynomialTask(f, BooleanProduct([1.0, 1.0])).examples(3)[0].all()
    assert PolynomialTask(Polynomial([[True]], [0.1])).member([True]) == Fraction(0.1)


@PROPERTY
@given(polynomials(n=4), polynomials(n=4))
def test_error_is_the_mean_square_over_the_cube(f, h):
    X = cube(4)
    for p in ([0.0, 0.2, 0.5, 1.0], [0.5, 0.2, 0.2, 0.5]):
        task = PolynomialTask(f, BooleanProduct(p))
        weights, gap = np.where(X, p, 1 - np.array(p)).prod(axis=1), (h - f)(X).astype(float)
        scale = max(1.0, float((h - f).norm) ** 2)
        assert task.error(h) == pytest.approx(weights @ gap**2, abs=1e-12 * scale)
        assert task.error(f) == 0 and task.counts == Counts()


def test_error_in_blocks_of_rows():
    f = Polynomial.from_values(np.random.default_rng(0).integers(-3, 4, 2**11))
    assert len(f.terms) > 1024
    mean = np.mean(f(cube(11)).astype(float) ** 2)
    assert PolynomialTask(f).error(polynomial("0", n=11)) == pytest.approx(mean, rel=1e-6)


@pytest.mark.parametrize(
    ("n", "points", "few"), [(20, 2**20, False), (20, 2**20 - 1, True), (21, 2**21, True), (12, 4095, True)]
)
def test_the_whole_cube_is_asked_where_it_fits(n, points, few):
    """Up to twenty variables; else, with a promise of one term, points with at most one zero tell two terms apart."""
    X, reach = PolynomialBox(lambda x: 0, n, terms=1, points=points)._points(1)
    assert len(X) == (n + 1 if few else 2**n)
    decide = f"the {n + 1} points with at most 1 zeros, which decide among at most 1 terms"
    assert reach == (decide if few else f"all {2**n} points")


def test_no_point_is_left_out_of_an_equivalence_query():
    """A function that is 1 at a single point of {0,1}^7 and 0 elsewhere, for every point, against the zero function."""
    zero = polynomial("0", n=7)
    for point in cube(7):
        box = PolynomialBox(lambda x, point=point: int((x == point).all()), 7)
        np.testing.assert_array_equal(box.equivalent(zero), point)
    assert PolynomialBox(lambda x: 0, 7).equivalent(zero) is None
