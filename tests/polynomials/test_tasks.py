"""The task of learning a polynomial: its oracles, its counts, and what is no task."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polynomials.cases import AWKWARD, POLICIES, PROPERTY, by_hand, polynomials

from lifelong.laws import BooleanProduct
from lifelong.loop import Counts
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.schapire_sellie import learn_polynomial
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
        one_more = (X & ~x).sum(axis=1) + (~X & x).sum(axis=1) == 1
        assert not differ[one_more & (~x | X).all(axis=1)].any()
        assert x.all() or not differ[-1]


def test_random_counterexamples_of_a_rare_difference_and_their_seed():
    f, zero = polynomial("x1x2x3x4x5x6x7x8x9x10x11x12x13x14", n=20), polynomial("0", n=20)
    points = [PolynomialTask(f, rng=seed, counterexample="random").equivalent(zero) for seed in (1, 1, 2)]
    assert all(p[:14].all() for p in points)
    assert np.array_equal(points[0], points[1]) and not np.array_equal(points[0], points[2])


def test_labels_and_queries_are_counted():
    task = PolynomialTask(polynomial("2 x1 - 1/2 x1x2"), BooleanProduct([1.0, 1.0]), rng=0)
    X, y = task.examples(3)
    assert X.all() and y.tolist() == [1.5] * 3
    assert task.member([True, True]) == Fraction(3, 2)
    assert task.counts == Counts(labels=3, membership=1)
    assert PolynomialTask(Polynomial([[True]], [0.1])).member([True]) == Fraction(0.1)


def test_labels_are_not_rounded():
    f = Polynomial([[True, False], [False, True]], AWKWARD[:2])
    task, twin = PolynomialTask(f, rng=0), PolynomialTask(f, rng=0)
    X, y = task.exact_examples(50)
    assert y.tolist() == [by_hand(f, x) for x in X]
    assert all(type(value) in (int, Fraction) for value in y)
    same, rounded = twin.examples(50)
    np.testing.assert_array_equal(same, X)
    assert rounded.dtype == np.float64 and rounded.tolist() == [float(value) for value in y]
    assert task.counts == twin.counts == Counts(labels=50)


@PROPERTY
@given(polynomials(n=4), polynomials(n=4), st.lists(st.sampled_from([0.0, 0.2, 0.5, 1.0]), min_size=4, max_size=4))
def test_error_is_the_mean_square_over_the_cube(f, h, p):
    task = PolynomialTask(f, BooleanProduct(p))
    X = cube(4)
    weights = np.where(X, p, 1 - np.array(p)).prod(axis=1)
    gap = (h - f)(X).astype(float)
    scale = max(1.0, float((h - f).norm) ** 2)
    assert task.error(h) == pytest.approx(weights @ gap**2, abs=1e-12 * scale)
    assert task.error(f) == 0 and task.counts == Counts()


def test_error_in_blocks_of_rows():
    f = Polynomial.from_values(np.random.default_rng(0).integers(-3, 4, 2**11))
    zero = polynomial("0", n=11)
    assert len(f.terms) > 1024
    values = f(cube(11)).astype(float)
    assert PolynomialTask(f).error(zero) == pytest.approx(np.mean(values**2), rel=1e-6)


def test_what_is_no_task_is_refused():
    with pytest.raises(TypeError, match=r"^task: expected a task like .*, got str"):
        learn_polynomial("x1")


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: PolynomialTask("x1"), "target: expected a Polynomial"),
        (lambda: PolynomialTask(polynomial("x1"), "uniform"), "distribution: expected a BooleanProduct"),
        (lambda: PolynomialTask(polynomial("x1"), counterexample="worst"), "counterexample: expected smallest"),
        (lambda: PolynomialTask(polynomial("x1"), BooleanProduct([0.5, 0.5])), "distribution: expected dimension 1"),
        (lambda: PolynomialTask(polynomial("x1")).equivalent([True]), "h: expected a Polynomial"),
        (lambda: PolynomialTask(polynomial("x1")).member([True, True]), "x: expected dimension 1"),
    ],
)
def test_bad_input_is_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()


@pytest.mark.parametrize(
    ("n", "points", "few"),
    [(20, 2**20, False), (20, 2**20 - 1, True), (21, 2**21, True), (12, 4096, False), (12, 4095, True)],
)
def test_the_whole_cube_is_asked_where_it_fits(n, points, few):
    """Up to twenty variables; else, with a promise of one term, points with at most one zero tell two terms apart."""
    X, reach = PolynomialBox(lambda x: 0, n, terms=1, points=points)._points(1)
    assert len(X) == (n + 1 if few else 2**n)
    decide = f"the {n + 1} points with at most 1 zeros, which decide among at most 1 terms"
    assert reach == (decide if few else f"all {2**n} points")


def test_no_point_is_left_out_of_an_equivalence_query():
    """A function that is 1 at a single point of {0,1}^7 and 0 elsewhere, for every point, against the zero function."""
    zero = Polynomial(np.empty((0, 7), dtype=bool), [])
    for point in cube(7):
        box = PolynomialBox(lambda x, point=point: int((x == point).all()), 7)
        np.testing.assert_array_equal(box.equivalent(zero), point)
    assert PolynomialBox(lambda x: 0, 7).equivalent(zero) is None
