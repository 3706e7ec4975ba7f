"""What several tests of Section 5 share: random polynomials, a value by hand, and tasks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from lifelong.polynomials.polynomial import Polynomial, polynomial
from lifelong.polynomials.tasks import PolynomialTask

PROPERTY = settings(deadline=None, derandomize=True, max_examples=40)
POLICIES = ("smallest", "largest", "random")
# coefficients that no double holds, of sizes far apart
AWKWARD = (Fraction(10**9, 3), Fraction(-(10**9), 3), Fraction(1, 7), Fraction(1, 3), Fraction(2, 11))
numbers = st.one_of(st.integers(-5, 5), st.fractions(min_value=-3, max_value=3, max_denominator=7), st.just(10**20))


@st.composite
def polynomials(draw, *, n=None, most=8):
    n = draw(st.integers(1, 6)) if n is None else n
    rows = draw(st.lists(st.integers(0, 2**n - 1), max_size=most))
    terms = (np.array(rows, dtype=np.int64).reshape(-1, 1) >> np.arange(n) & 1).astype(bool)
    return Polynomial(terms, draw(st.lists(numbers, min_size=len(rows), max_size=len(rows))))


def by_hand(f, x):
    """Value at one point, term by term."""
    return sum(c for row, c in zip(f.terms, f.coefficients, strict=True) if all(x[v] for v in np.flatnonzero(row)))


def tasks_of(*texts: str, n: int):
    return [PolynomialTask(polynomial(text, n=n), rng=seed) for seed, text in enumerate(texts)]
