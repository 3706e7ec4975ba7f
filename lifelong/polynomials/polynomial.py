"""Sparse polynomials on {0,1}^n, and the task of learning one behind counted oracles (Section 5).

A polynomial is a weighted sum of products of variables. On the cube x^2 = x, so a product is a set of variables, one
boolean row, and every real function on the cube is exactly one polynomial: it is multilinear. Coefficients are exact
(integers and fractions) unless floats are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, _as_array, bool_array, integer, real_array, same_dimension, same_size
from lifelong._contracts import checked
from lifelong._counts import matrix_product

__all__ = [
    "Polynomial",
    "cube",
    "monomial_values",
    "polynomial",
]


Rational = int | Fraction
Number = Rational | float | np.integer[Any] | np.floating[Any]


# --- polynomials ------------------------------------------------------------------------------------


def cube(n: int) -> BoolArray:
    """All points of {0,1}^n in lexicographic order, x1 slowest.

    Parameters
    ----------
    n : int
        Number of variables, 1 to 20.

    Returns
    -------
    bool, shape (2^n, n)
        Row i spells the number i in binary.

    Raises
    ------
    ValueError
        If `n` is not an integer from 1 to 20.

    Notes
    -----
    The domain of the targets of Section 5.

    Examples
    --------
    >>> cube(2).astype(int).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    n = integer("n", n, least=1, most=20)
    points: BoolArray = (np.arange(2**n)[:, None] >> np.arange(n - 1, -1, -1) & 1).astype(np.bool_)
    return points


def monomial_values(terms: ArrayLike, X: ArrayLike) -> BoolArray:
    """Values of monomials at points.

    Parameters
    ----------
    terms : array_like, shape (t, n), bool
        The variables of each monomial, one row each; t may be 0.
    X : array_like, shape (m, n), bool
        Points of the cube.

    Returns
    -------
    bool, shape (m, t)
        Whether all variables of a monomial are 1 at a point.

    Raises
    ------
    ValueError
        If an argument is no boolean matrix or the dimensions differ.

    See Also
    --------
    lifelong.polynomials.algorithm6.products : The monomials that Algorithm 6 takes for features.

    Notes
    -----
    The features of step 2(b) of `algo-polynomials`.

    Examples
    --------
    >>> monomial_values(polynomial("1 + x2 + x1x2").terms, cube(2)).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 0, 0],
           [1, 1, 1]])
    """
    rows, points = bool_array("terms", terms, axes=2), bool_array("X", X, axes=2)
    same_dimension("X", points, rows.shape[1], "terms")
    lacking = matrix_product(~points, rows.T)  # how many variables of each are 0
    return np.asarray(lacking == 0, dtype=np.bool_)


def _exact(value: Number) -> Rational:
    """A number as an int or a Fraction that is no integer; a float stands for its exact binary value."""
    if isinstance(value, int | np.integer):
        return int(value)
    fraction = Fraction(float(value)) if isinstance(value, np.floating) else Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def _coefficients(value: Sequence[Number] | NDArray[Any]) -> NDArray[Any]:
    """Coefficients as an object array of ints and Fractions, or as float64."""
    plain = isinstance(value, list | tuple)
    given = list(value) if plain else _as_array("coefficients", cast(Any, value), "numbers").tolist()
    if not isinstance(given, list):
        raise ValueError(f"coefficients: expected a sequence of numbers, got {value!r}")
    if any(isinstance(c, bool | np.bool_) or not isinstance(c, int | Fraction | float | np.number) for c in given):
        raise ValueError(f"coefficients: expected integers, fractions or floats, got {value!r}")
    if any(isinstance(c, float | np.floating) for c in given):
        return real_array("coefficients", [float(c) for c in given])
    exact = np.empty(len(given), dtype=object)
    exact[:] = [_exact(c) for c in given]
    return exact


def _canonical(terms: BoolArray, coefficients: NDArray[Any]) -> tuple[BoolArray, NDArray[Any]]:
    """Distinct rows, by degree and then in lexicographic order of their variables, zero coefficients dropped."""
    order = np.lexsort((*(~terms.T[::-1]), terms.sum(axis=1)))
    terms, coefficients = terms[order], coefficients[order]
    if len(terms):
        fresh = np.concatenate([[True], (terms[1:] != terms[:-1]).any(axis=1)])
        coefficients = np.add.reduceat(coefficients, np.flatnonzero(fresh))
        terms = terms[fresh]
    kept = np.asarray(coefficients != 0, dtype=np.bool_)
    return terms[kept], coefficients[kept]


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

    __slots__ = ("coefficients", "terms")

    terms: BoolArray
    coefficients: NDArray[Any]

    @checked
    def __init__(self, terms: ArrayLike, coefficients: Sequence[Number] | NDArray[Any]) -> None:
        rows = bool_array("terms", terms, axes=2)
        values = _coefficients(coefficients)
        if len(values) != len(rows):
            raise ValueError(f"coefficients: expected {len(rows)}, one a term, got {len(values)}")
        self.terms, self.coefficients = _canonical(rows, values)

    @classmethod
    @checked
    def constant(cls, value: Number, n: int) -> Polynomial:
        """A constant as a polynomial in n variables.

        Parameters
        ----------
        value : int, Fraction or float
        n : int
            Number of variables, at least 1.

        Returns
        -------
        Polynomial

        Raises
        ------
        ValueError
            If `n` is not a positive integer.
        """
        return cls(np.zeros((1, integer("n", n, least=1)), dtype=np.bool_), [value])

    @classmethod
    @checked
    def from_values(cls, values: Sequence[Number] | NDArray[Any]) -> Polynomial:
        """The one polynomial with given values on the whole cube: Moebius inversion.

        Parameters
        ----------
        values : array_like, shape (2^n,)
            The values at the rows of `cube(n)`.

        Returns
        -------
        Polynomial
            The coefficient of a set of variables is the signed sum of the values at its subsets.

        Raises
        ------
        ValueError
            If the number of values is not 2^n for some n from 1 to 20.
        """
        array = _coefficients(values)
        n = len(array).bit_length() - 1
        if not 1 <= n <= 20 or len(array) != 2**n:
            raise ValueError(f"values: expected 2^n of them for some n from 1 to 20, got {len(array)}")
        table = array.reshape((2,) * n)
        for axis in range(n):  # difference in one variable at a time
            low, high = np.take(table, 0, axis=axis), np.take(table, 1, axis=axis)
            table = np.stack([low, high - low], axis=axis)
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

    @property
    def is_exact(self) -> bool:
        """Whether the coefficients are integers and fractions."""
        return bool(self.coefficients.dtype == object)

    def exact(self) -> Polynomial:
        """The same polynomial with exact coefficients: a float stands for its binary value.

        Returns
        -------
        Polynomial
        """
        return self if self.is_exact else Polynomial(self.terms, [_exact(c) for c in self.coefficients])

    def __call__(self, X: ArrayLike) -> NDArray[Any]:
        """Values at points, shape (m, n) to (m,): object dtype where exact, else float64."""
        points = bool_array("X", X, axes=2)
        same_dimension("X", points, self.n, "the polynomial")
        return _weighted(monomial_values(self.terms, points), self.coefficients)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polynomial):
            return NotImplemented
        same = np.array_equal(self.terms, other.terms)
        return same and bool(np.all(self.coefficients == other.coefficients))

    def __hash__(self) -> int:
        return hash((self.n, self.terms.tobytes(), tuple(self.coefficients.tolist())))

    def _operand(self, other: object) -> Polynomial | None:
        if isinstance(other, Polynomial):
            same_size("other", other.n, self.n, "the polynomial")
            return other
        if isinstance(other, int | Fraction | float | np.integer | np.floating) and not isinstance(other, bool):
            return Polynomial.constant(other, self.n)
        return None

    def __add__(self, other: Polynomial | Number) -> Polynomial:
        right = self._operand(other)
        if right is None:
            return NotImplemented
        coefficients = self.coefficients.tolist() + right.coefficients.tolist()
        return Polynomial(np.vstack([self.terms, right.terms]), coefficients)

    def __mul__(self, other: Polynomial | Number) -> Polynomial:
        right = self._operand(other)
        if right is None:
            return NotImplemented
        unions = (self.terms[:, None] | right.terms).reshape(-1, self.n)
        return Polynomial(unions, np.multiply.outer(self.coefficients, right.coefficients).ravel())

    def __neg__(self) -> Polynomial:
        return Polynomial(self.terms, -self.coefficients)

    def __sub__(self, other: Polynomial | Number) -> Polynomial:
        right = self._operand(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: Polynomial | Number) -> Polynomial:
        return (-self).__add__(other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __str__(self) -> str:
        if not len(self.terms):
            return "0"
        parts = [_term_text(row, c) for row, c in zip(self.terms, self.coefficients, strict=True)]
        text = " ".join(f"{sign} {body}" for sign, body in parts)
        return text[2:] if text[0] == "+" else f"-{text[2:]}"

    def __repr__(self) -> str:
        if len(self.terms) > 8:
            return f"<Polynomial: {len(self.terms)} terms, degree {self.degree}, n={self.n}>"
        return f"polynomial({str(self)!r}, n={self.n})"


def _term_text(row: BoolArray, coefficient: Number) -> tuple[str, str]:
    """Sign and body of one term, such as ("-", "2 x5 x6")."""
    size = abs(coefficient)
    number = f"{size:.6g}" if isinstance(size, float) else str(size)
    variables = " ".join(f"x{i + 1}" for i in np.flatnonzero(row))
    body = variables if variables and size == 1 else f"{number} {variables}".rstrip()
    return ("-" if coefficient < 0 else "+"), body


def _weighted(inside: BoolArray, coefficients: NDArray[Any]) -> NDArray[Any]:
    """Sums of the coefficients of the terms inside each point, shape (m, t) to (m,)."""
    if coefficients.dtype != object:
        return np.asarray(inside @ coefficients)
    scale = lcm(*(c.denominator for c in coefficients))
    whole = [int(c * scale) for c in coefficients]
    small = sum(map(abs, whole)) < 2**53
    if small:  # then the sums are exact in double precision, and fast
        sums = [int(v) for v in matrix_product(inside.astype(np.float64), np.array(whole, dtype=np.float64))]
    else:
        sums = [sum(c for c, there in zip(whole, row, strict=True) if there) for row in inside]
    values = np.empty(len(sums), dtype=object)
    values[:] = sums if scale == 1 else [_exact(Fraction(v, scale)) for v in sums]
    return values


_TERM = re.compile(r"\s*([+-]?)\s*(\d+(?:/\d+|\.\d+)?)?\s*\*?\s*((?:x_?\d+[\s*]*)*)")


@checked
def polynomial(text: str, *, n: int | None = None) -> Polynomial:
    """Read a polynomial as it is written.

    Parameters
    ----------
    text : str
        Terms joined by + and -: an optional number (3, 1/2, 0.25) and variables x1, x2, ...; read exactly.
    n : int, optional
        Number of variables; without it the largest index that occurs.

    Returns
    -------
    Polynomial

    Raises
    ------
    ValueError
        If the text is no polynomial, or a variable has an index above `n` or below 1.

    See Also
    --------
    Polynomial : The same from a table of terms.

    Notes
    -----
    The example of Section 5 reads as it is printed there.

    Examples
    --------
    >>> polynomial("4 x3x4x5x6x7 - 2 x5x6x7x8x1")
    polynomial('-2 x1 x5 x6 x7 x8 + 4 x3 x4 x5 x6 x7', n=8)
    >>> print(polynomial("1/2 x1 - x1 x2 + 3", n=4))
    3 + 1/2 x1 - x1 x2
    """
    found = list(_scan(str(text)))
    indices = [i for _, variables in found for i in variables]
    n = integer("n", max(indices, default=1) if n is None else n, least=1)
    if not all(1 <= i <= n for i in indices):
        raise ValueError(f"text: expected variables x1 to x{n}, got {text!r}")
    terms = np.zeros((len(found), n), dtype=np.bool_)
    for row, (_, variables) in zip(terms, found, strict=True):
        row[[i - 1 for i in variables]] = True
    return Polynomial(terms, [c for c, _ in found])


def _scan(text: str) -> Iterator[tuple[Rational, list[int]]]:
    """Coefficient and variables of the terms in a text, one after the other."""
    position = 0
    while position < len(text.rstrip()) or not position:
        match = _TERM.match(text, position)
        sign, number, variables = match.groups() if match else ("", None, "")
        if not (number or variables) or (position and not sign):
            raise ValueError(f"text: expected a polynomial such as '4 x1x2 - 2 x3', got {text!r}")
        size = Fraction(number or 1)
        yield _exact(-size if sign == "-" else size), [int(i) for i in re.findall(r"\d+", variables)]
        position = match.end() if match else len(text)
