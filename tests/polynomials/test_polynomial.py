"""Polynomials on the cube: against brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polynomials.cases import PROPERTY, by_hand, numbers, polynomials

from lifelong.polynomials.polynomial import Polynomial, cube, polynomial


@PROPERTY
@given(polynomials(n=4), polynomials(n=4), numbers)
def test_arithmetic_is_that_of_functions(f, g, c):
    X = cube(4)
    assert f(X).tolist() == [by_hand(f, x) for x in X]
    for h, values in (
        (f + g, f(X) + g(X)),
        (f - g, f(X) - g(X)),
        (f * g, f(X) * g(X)),
        (-f, -f(X)),
        (c * f, c * f(X)),
        (c - f, c - f(X)),
    ):
        assert [by_hand(h, x) for x in X] == values.tolist()


@PROPERTY
@given(polynomials())
def test_moebius_sums_over_subsets(f):
    recovered = Polynomial.from_values(f(cube(f.n)))
    assert recovered == f
    for row, c in zip(recovered.terms, recovered.coefficients, strict=True):
        inside = np.flatnonzero(row)
        subsets = [s for size in range(len(inside) + 1) for s in combinations(inside, size)]
        signed = [(-1) ** (len(inside) - len(s)) * by_hand(f, np.isin(np.arange(f.n), s)) for s in subsets]
        assert sum(signed) == c


@PROPERTY
@given(polynomials(), st.randoms(use_true_random=False))
def test_the_form_is_canonical_and_the_text_is_read_back(f, random):
    order = list(range(len(f.terms)))
    random.shuffle(order)
    terms = np.vstack([f.terms[order], f.terms[order], f.terms[order]])
    c = f.coefficients[order].tolist()
    same = Polynomial(terms, [2 * v for v in c] + [-v for v in c] + [0] * len(c))
    assert same == f and hash(same) == hash(f)
    assert sorted(f.terms.tolist(), key=lambda row: (sum(row), [not v for v in row])) == f.terms.tolist()
    assert f.norm == sum(map(abs, f.coefficients.tolist()))
    assert f.degree == max([0, *f.terms.sum(axis=1)])
    assert polynomial(str(f), n=f.n) == f
    assert len(f.terms) > 8 or eval(repr(f), {"polynomial": polynomial}) == f


def test_floats_stay_floats_and_exact_numbers_exact():
    f = Polynomial([[True, False], [False, True]], [0.5, 1])
    assert f(cube(2)).dtype == np.float64
    assert f.exact() == polynomial("1/2 x1 + x2") and f.exact().coefficients.dtype == object and str(f) == "0.5 x1 + x2"
    g = Polynomial([[True, False]], [np.int64(3)])
    assert type(g.coefficients[0]) is int
    for large in (2**53 - 1, -(2**53), 2**60, Fraction(2**53, 3)):  # 2^53 + 1 is the first integer that is no double
        f = Polynomial([[True, False], [False, True]], [large, 1])
        assert f(cube(2)).tolist() == [0, 1, large, large + 1]


def test_small_cases():
    zero = Polynomial(np.empty((0, 3), dtype=bool), [])
    assert (str(zero), zero.norm, zero.degree, zero(cube(3)).tolist()) == ("0", 0, 0, [0] * 8)
    assert polynomial("0", n=3) == zero == polynomial("x1 - x1", n=3)
    assert polynomial("-x2*x_1 + 3").coefficients.tolist() == [3, -1]
    assert Polynomial.constant(3, 2) == polynomial("3", n=2) and (zero == 3) is False
    assert repr(Polynomial(cube(4), range(1, 17))) == "<Polynomial: 16 terms, degree 4, n=4>"


@pytest.mark.parametrize("text", ["", "x1 x", "2 2", "x0", "x9", "1 + + x1", "y1"])
def test_what_is_no_polynomial_is_refused(text):
    with pytest.raises(ValueError, match="text: expected"):
        polynomial(text, n=8)


@pytest.mark.parametrize("strange", ["x1", True, None])
def test_no_silent_sums_with_strangers(strange):
    for operation in (lambda f: f + strange, lambda f: strange - f, lambda f: f * strange):
        with pytest.raises(TypeError):
            operation(polynomial("x1"))
