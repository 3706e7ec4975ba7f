"""Polynomials on the cube: against brute force and sympy."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polynomials.cases import PROPERTY, by_hand, numbers, polynomials

from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong_book.polynomials.instances import tic_tac_toe


def in_sympy(f):
    import sympy

    x = sympy.symbols(f"x1:{f.n + 1}")
    total = sympy.Integer(0)
    for row, c in zip(f.terms, f.coefficients, strict=True):
        total += sympy.Rational(Fraction(c)) * sympy.prod([x[v] for v in np.flatnonzero(row)])
    return sympy.expand(total), x


@PROPERTY
@given(polynomials())
def test_values_are_those_by_hand(f):
    X = cube(f.n)
    assert f(X).tolist() == [by_hand(f, x) for x in X]


@PROPERTY
@given(polynomials(n=4), polynomials(n=4), numbers)
def test_arithmetic_is_that_of_functions(f, g, c):
    X = cube(4)
    assert ((f + g)(X) == f(X) + g(X)).all() and ((f - g)(X) == f(X) - g(X)).all()
    assert ((f * g)(X) == f(X) * g(X)).all() and ((-f)(X) == -f(X)).all()
    assert ((c * f)(X) == c * f(X)).all() and ((c - f)(X) == c - f(X)).all()


@PROPERTY
@given(polynomials(n=3), polynomials(n=3))
def test_sympy_multiplies_alike(f, g):
    import sympy

    (a, x), (b, _), (ours, _) = in_sympy(f), in_sympy(g), in_sympy(f * g)
    reduced = sympy.expand(a * b)
    for v in x:  # on the cube every power of a variable is the variable
        for power in (6, 5, 4, 3, 2):
            reduced = reduced.subs(v**power, v)
    assert sympy.expand(reduced - ours) == 0


@PROPERTY
@given(polynomials())
def test_a_function_on_the_cube_is_one_polynomial(f):
    assert Polynomial.from_values(f(cube(f.n))) == f


@PROPERTY
@given(polynomials())
def test_moebius_sums_over_subsets(f):
    X = cube(f.n)
    recovered = Polynomial.from_values(f(X))
    for row, c in zip(recovered.terms, recovered.coefficients, strict=True):
        inside = np.flatnonzero(row)
        total = 0
        for size in range(len(inside) + 1):
            for chosen in combinations(inside, size):
                x = np.isin(np.arange(f.n), chosen)
                total += (-1) ** (len(inside) - size) * by_hand(f, x)
        assert total == c


@PROPERTY
@given(polynomials())
def test_text_is_read_back(f):
    assert polynomial(str(f), n=f.n) == f
    assert len(f.terms) > 8 or eval(repr(f), {"polynomial": polynomial}) == f


@PROPERTY
@given(polynomials(), st.randoms(use_true_random=False))
def test_the_form_is_canonical(f, random):
    order = list(range(len(f.terms)))
    random.shuffle(order)
    terms = np.vstack([f.terms[order], f.terms[order], f.terms[order]])
    c = f.coefficients[order].tolist()
    same = Polynomial(terms, [2 * v for v in c] + [-v for v in c] + [0] * len(c))
    assert same == f and hash(same) == hash(f)
    assert (np.diff(f.terms.sum(axis=1)) >= 0).all()
    assert f.norm == sum(map(abs, f.coefficients.tolist()))


def test_floats_stay_floats_and_exact_numbers_exact():
    f = Polynomial([[True, False], [False, True]], [0.5, 1])
    assert not f.is_exact and f(cube(2)).dtype == np.float64
    assert f.exact() == polynomial("1/2 x1 + x2") and f.exact().is_exact
    g = Polynomial([[True, False]], [np.int64(3)])
    assert g.is_exact and type(g.coefficients[0]) is int
    large = Polynomial([[True, False], [False, True]], [2**60, 1])
    assert large(np.array([[True, True]])).tolist() == [2**60 + 1]
    assert str(Polynomial([[True, False]], [0.25])) == "0.25 x1"


def test_small_cases():
    zero = Polynomial(np.empty((0, 3), dtype=bool), [])
    assert (str(zero), zero.norm, zero.degree, zero(cube(3)).tolist()) == ("0", 0, 0, [0] * 8)
    assert polynomial("0", n=3) == zero and polynomial("x1 - x1", n=3) == zero
    assert polynomial("-x2*x_1 + 3").coefficients.tolist() == [3, -1]
    assert Polynomial.constant(3, 2) == polynomial("3", n=2)
    assert (zero == 3) is False
    assert repr(tic_tac_toe()) == "<Polynomial: 80 terms, degree 9, n=9>"


@pytest.mark.parametrize("text", ["", "x1 x", "2 2", "x0", "x9", "1 + + x1", "y1"])
def test_what_is_no_polynomial_is_refused(text):
    with pytest.raises(ValueError, match="text: expected"):
        polynomial(text, n=8)


def test_no_silent_sums_with_strangers():
    for strange in ("x1", True, None):
        with pytest.raises(TypeError):
            polynomial("x1") + strange
        with pytest.raises(TypeError):
            strange - polynomial("x1")
        with pytest.raises(TypeError):
            polynomial("x1") * strange


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: Polynomial([[1, 0]], [1]), "terms: expected a boolean array"),
        (lambda: Polynomial([[True, False]], [1, 2]), "coefficients: expected 1, one a term, got 2"),
        (lambda: Polynomial([[True, False]], [True]), "coefficients: expected integers"),
        (lambda: Polynomial([[True, False]], ["1"]), "coefficients: expected integers"),
        (lambda: Polynomial([[True, False]], [np.inf]), "coefficients: expected"),
        (lambda: Polynomial.from_values([1, 2, 3]), "values: expected 2"),
        (lambda: polynomial("x1", n=2) + polynomial("x1", n=3), "other: expected dimension 2"),
        (lambda: polynomial("x1", n=2)(cube(3)), "X: expected dimension 2"),
    ],
)
def test_bad_input_is_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()


@pytest.mark.parametrize("large", [2**53 - 1, 2**53, -(2**53), 2**54 - 2, Fraction(2**53, 3)])
def test_sums_that_doubles_would_round(large):
    """2^53 + 1 is the first integer that is no double."""
    f = Polynomial([[True, False], [False, True]], [large, 1])
    assert f(cube(2)).tolist() == [0, 1, large, large + 1]
