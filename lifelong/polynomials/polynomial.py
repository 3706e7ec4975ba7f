"""Sparse polynomials on {0,1}^n (Section 5).

On the cube x_i^2 = x_i, so a polynomial is a sum of monomials, each a set of variables and one boolean row.
Coefficients are integers and fractions, kept exactly, or floats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, matrix_product, real_array, require, same_size

Rational = int | Fraction
Number = Rational | float | np.integer[Any] | np.floating[Any]


def cube(n: int) -> BoolArray:
    """All points of {0,1}^n, on which a polynomial has its values, in lexicographic order, x1 slowest."""
    return (np.arange(2**n)[:, None] >> np.arange(n - 1, -1, -1) & 1).astype(np.bool_)


def monomial_values(terms: BoolArray, X: BoolArray) -> BoolArray:
    """Values of monomials (t, n) at points (m, n): bool (m, t)."""
    return np.asarray(matrix_product(~X, terms.T) == 0)  # no variable of the monomial is 0


def exactly(value: Number) -> Rational:
    """A coefficient or value as an int or a Fraction that is no integer; a float stands for its exact binary value."""
    if isinstance(value, int | np.integer):
        return int(value)
    fraction = Fraction(float(value)) if isinstance(value, np.floating) else Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


class Polynomial:
    """A polynomial on {0,1}^n in its one canonical form.

    Parameters
    ----------
    terms : array_like, shape (t, n), bool
        The variables of each monomial, one row each; an empty row is the constant 1. t may be 0.
    coefficients : array_like, shape (t,)
        Integers and fractions are kept exactly; one float among them makes all of them floats.

    Attributes
    ----------
    terms : bool, shape (t, n)
        Distinct monomials, by degree and then in the order of their variables.
    coefficients : shape (t,)
        None of them zero; object dtype (int, Fraction) where exact, else float64.

    Raises
    ------
    ValueError
        If the terms are no boolean matrix, or the coefficients are no finite numbers, one a row.

    See Also
    --------
    polynomial : Read one as it is written.
    lifelong.polynomials.tasks.PolynomialTask : One behind counted oracles.

    Notes
    -----
    The targets and hypotheses of Section 5. Two polynomials are equal as functions on the cube
    exactly when they are equal term by term (`algo-polynomials` learns *exactly* in this sense).

    Examples
    --------
    >>> terms = np.array([[1, 1, 0], [0, 1, 1], [1, 1, 0]], dtype=bool)
    >>> f = Polynomial(terms, [1, -2, 3])
    >>> print(f)
    4 x1 x2 - 2 x2 x3
    >>> f(np.array([[True, True, True], [True, True, False]])).tolist()
    [2, 4]
    >>> f.norm, f.degree, f == polynomial("4 x1x2 - 2 x2x3", n=3)
    (6, 2, True)
    """

    def __init__(self, terms: ArrayLike, coefficients: Sequence[Number] | NDArray[Any]) -> None:
        rows, c = bool_array("terms", terms, axes=2), _numbers(coefficients)
        require(len(c) == len(rows), "coefficients", f"{len(rows)}, one a term", len(c))
        order = np.lexsort((*(~rows.T[::-1]), rows.sum(axis=1)))  # by degree, then by variables
        rows, c = rows[order], c[order]
        new = (rows != np.roll(rows, 1, axis=0)).any(axis=1)  # other than the row before
        new[:1] = True
        rows, c = rows[new], np.add.reduceat(c, np.flatnonzero(new))
        kept = np.flatnonzero(c)
        self.terms, self.coefficients = rows[kept], c[kept]

    @classmethod
    def constant(cls, value: Number, n: int) -> Polynomial:
        """A constant as a polynomial in n variables."""
        return cls(np.zeros((1, n), dtype=np.bool_), [value])

    @classmethod
    def from_values(cls, values: Sequence[Number] | NDArray[Any]) -> Polynomial:
        """The one polynomial with given values on `cube`: Moebius inversion."""
        table = _numbers(values)
        n = len(table).bit_length() - 1
        require(1 <= n <= 20 and len(table) == 2**n, "values", "2^n of them for some n from 1 to 20", len(table))
        table = table.reshape((2,) * n)
        for axis in range(n):  # at 0 the value, at 1 the difference: one variable at a time
            table = np.diff(table, axis=axis, prepend=0)
        return cls(cube(n), table.ravel())

    @property
    def n(self) -> int:
        """Number of variables."""
        return int(self.terms.shape[1])

    @property
    def norm(self) -> Number:
        """L1 norm: the sum of the absolute values of the coefficients, exact where they are."""
        total: Number = abs(self.coefficients).sum() if len(self.terms) else 0
        return total

    @property
    def degree(self) -> int:
        """Most variables in one term; 0 for a constant."""
        return int(self.terms.sum(axis=1).max(initial=0))

    def exact(self) -> Polynomial:
        """The same polynomial with exact coefficients: a float stands for its binary value."""
        return self if self.coefficients.dtype == object else Polynomial(self.terms, [*map(exactly, self.coefficients)])

    def __call__(self, X: ArrayLike) -> NDArray[Any]:
        """Values at points, shape (m, n) to (m,): object dtype where exact, else float64."""
        points = bool_array("X", X, axes=2, n=self.n, like="the polynomial")
        inside = monomial_values(self.terms, points)
        if self.coefficients.dtype != object:
            return np.asarray(inside @ self.coefficients)
        scale = lcm(*(c.denominator for c in self.coefficients))
        whole = np.array([int(c * scale) for c in self.coefficients], dtype=object)
        if sum(map(abs, whole)) < 2**53:  # then the sums are exact in double precision, and fast
            whole = whole.astype(np.float64)
        sums = matrix_product(inside.astype(whole.dtype), whole).tolist()
        value = {v: exactly(Fraction(int(v), scale)) for v in set(sums)}  # few differ
        return np.array([value[v] for v in sums], dtype=object)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polynomial):
            return NotImplemented
        same = np.array_equal(self.terms, other.terms)
        return same and bool(np.all(self.coefficients == other.coefficients))

    def __hash__(self) -> int:
        return hash((self.n, self.terms.tobytes(), tuple(self.coefficients.tolist())))

    def _operand(self, other: Polynomial | Number) -> Polynomial:
        if _is_number(other):
            other = Polynomial.constant(other, self.n)  # type: ignore[arg-type]
        if not isinstance(other, Polynomial):
            raise TypeError(f"other: expected a polynomial or a number, got {other!r}")
        same_size("other", other.n, self.n, "the polynomial")
        return other

    def __add__(self, other: Polynomial | Number) -> Polynomial:
        right = self._operand(other)
        coefficients = self.coefficients.tolist() + right.coefficients.tolist()
        return Polynomial(np.vstack([self.terms, right.terms]), coefficients)

    def __mul__(self, other: Polynomial | Number) -> Polynomial:
        right = self._operand(other)
        unions = (self.terms[:, None] | right.terms).reshape(-1, self.n)
        return Polynomial(unions, np.multiply.outer(self.coefficients, right.coefficients).ravel())

    def __neg__(self) -> Polynomial:
        return Polynomial(self.terms, -self.coefficients)

    def __sub__(self, other: Polynomial | Number) -> Polynomial:
        return self + -self._operand(other)

    def __rsub__(self, other: Polynomial | Number) -> Polynomial:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def __str__(self) -> str:
        text = " ".join(_written(row, c) for row, c in zip(self.terms, self.coefficients, strict=True))
        return (text[2:] if text[:1] == "+" else f"-{text[2:]}") if text else "0"

    def __repr__(self) -> str:
        if len(self.terms) > 8:
            return f"<Polynomial: {len(self.terms)} terms, degree {self.degree}, n={self.n}>"
        return f"polynomial({str(self)!r}, n={self.n})"


def _is_number(value: object) -> bool:
    kinds = int | Fraction | float | np.integer | np.floating
    return isinstance(value, kinds) and not isinstance(value, bool)


def _numbers(value: Any) -> NDArray[Any]:
    """Coefficients as an object array of ints and Fractions, or as float64."""
    given: list[Any] = list(value) if isinstance(value, Iterable) else [None]
    require(all(map(_is_number, given)), "coefficients", "integers, fractions or floats", value)
    if any(isinstance(c, float | np.floating) for c in given):
        return real_array("coefficients", [float(c) for c in given])
    return np.array([exactly(c) for c in given], dtype=object)


def _written(row: BoolArray, coefficient: Number) -> str:
    """Sign and body of one term, such as "- 2 x5 x6"."""
    size = abs(coefficient)
    number = f"{size:.6g}" if isinstance(size, float) else str(size)
    variables = " ".join(f"x{i + 1}" for i in np.flatnonzero(row))
    body = variables if variables and size == 1 else f"{number} {variables}".rstrip()
    return f"{'-' if coefficient < 0 else '+'} {body}"


_TERM = re.compile(r"([+-]?)\s*(\d+(?:/\d+|\.\d+)?)?\s*\*?\s*((?:x_?\d+[\s*]*)*)")


def polynomial(text: str, *, n: int | None = None) -> Polynomial:
    """Read a polynomial as it is written, such as "4 x1x2 - 1/2 x3"; `n` is the largest index unless it is given."""
    terms, coefficients = [], []
    for part in re.split(r"(?<=.)(?=[+-])", text.strip()):
        match = _TERM.fullmatch(part.strip())
        if match is None or not (match[2] or match[3]):
            raise ValueError(f"text: expected a polynomial such as '4 x1x2 - 2 x3', got {text!r}")
        terms.append([int(i) for i in re.findall(r"\d+", match[3])])
        coefficients.append(exactly(Fraction(match[1] + (match[2] or "1"))))
    n = max([1, *(i for term in terms for i in term)]) if n is None else n
    require(all(1 <= i <= n for term in terms for i in term), "text", f"variables x1 to x{n}", text)
    return Polynomial(np.array([np.isin(np.arange(1, n + 1), term) for term in terms]), coefficients)
