"""Two rivals of the learner of Schapire and Sellie (Section 5)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from lifelong._checks import BoolArray, integer
from lifelong.loop import Counts
from lifelong.polynomials.polynomial import Polynomial, Rational
from lifelong.polynomials.schapire_sellie import remembered
from lifelong.polynomials.tasks import BlackBox


def learn_hankel(task: BlackBox) -> tuple[Polynomial, Counts]:
    r"""Learn a polynomial as a multiplicity automaton over the letters "set variable v to 0"."""
    integer("task.n", task.n, least=1, most=12)
    before, automaton = task.counts, _Automaton(task)
    hypothesis = Polynomial(np.empty((0, task.n), dtype=np.bool_), [])
    while (z := task.equivalent(hypothesis)) is not None:
        ones = np.ones(task.n, dtype=np.bool_)
        automaton.add(*(automaton.split(z) if automaton.rows else (ones, z)))
        hypothesis = automaton.polynomial(task.n)
    return hypothesis, task.counts - before


def learn_by_membership(task: BlackBox, *, terms: int) -> tuple[Polynomial, Counts]:
    r"""Learn a polynomial from membership queries alone, depth first, when the number of its terms is known."""
    terms = integer("terms", terms, least=0)
    before, f = task.counts, remembered(task)
    h, ones = Polynomial(np.empty((0, task.n), dtype=np.bool_), []), np.ones(task.n, dtype=np.bool_)
    while left := terms - len(h.terms):
        x = _witness(f, h, ones, left)
        if x is None:
            break
        while True:
            lower = (_witness(f, h, _without(x, v), left) for v in np.flatnonzero(x))
            y = next((z for z in lower if z is not None), None)
            if y is None:
                break
            x = y
        h = h + Polynomial(x[None], [f(x) - h(x[None])[0]])
    return h, task.counts - before


class _Automaton:
    """Rows x_i and columns y_j with [f(x_i meet y_j)] nonsingular, and how each letter moves the rows."""

    def __init__(self, task: BlackBox) -> None:
        self.f = remembered(task)
        self.rows: list[BoolArray] = []
        self.columns: list[BoolArray] = []
        self.letters: list[Any] = []
        self.inverse = np.empty((0, 0), dtype=object)

    def _values(self, x: BoolArray) -> Any:
        return np.array([self.f(x & y) for y in self.columns], dtype=object)

    def add(self, x: BoolArray, y: BoolArray) -> None:
        """One row and one column more; the rank rises."""
        row, column = self._values(x), np.array([self.f(s & y) for s in self.rows], dtype=object)
        w = self.inverse @ column if len(row) else row
        gain = Fraction(self.f(x & y) - (row @ w if len(row) else 0))
        self.inverse = _bordered(self.inverse, w, row @ self.inverse if len(row) else row, gain)
        self.rows, self.columns = [*self.rows, x], [*self.columns, y]
        self.letters = [self._letter(v) for v in range(len(x))]

    def _letter(self, v: int) -> Any:
        moved = np.array([self._values(_without(x, v)) for x in self.rows], dtype=object)
        return moved @ self.inverse

    def split(self, z: BoolArray) -> tuple[BoolArray, BoolArray]:
        """Row and column that a counterexample adds: the first letter of z after which some column disagrees."""
        x, state = self.rows[0], np.eye(1, len(self.rows), dtype=object)[0]
        for v in np.flatnonzero(~z):
            after = state @ self.letters[v]
            believed = after @ np.array([self._values(row) for row in self.rows], dtype=object)
            wrong = np.flatnonzero(np.asarray(believed != self._values(_without(x, v)), dtype=np.bool_))
            if len(wrong):
                return x, _without(self.columns[wrong[0]], v)
            x, state = _without(x, v), after
        return z, self.rows[0]

    def polynomial(self, n: int) -> Polynomial:
        """What the automaton says on the whole cube, letters read in the order of the variables."""
        table = np.eye(1, len(self.rows), dtype=object)
        for letter in self.letters:
            table = np.stack([table @ letter, table], axis=1).reshape(-1, len(self.rows))
        return Polynomial.from_values(table @ np.array([self.f(x) for x in self.rows], dtype=object))


def _without(x: BoolArray, v: Any) -> BoolArray:
    lower = x.copy()
    lower[v] = False
    return lower


def _witness(f: Callable[[BoolArray], Rational], h: Polynomial, x: BoolArray, left: int) -> BoolArray | None:
    """A point below x where f - h, of at most `left` terms, is not 0; None if no term of it lies below x."""
    variables = np.flatnonzero(x)
    gone = [c for size in range(left.bit_length()) for c in combinations(variables, size)]
    points = np.tile(x, (len(gone), 1))
    for row, zeros in zip(points, gone, strict=True):
        row[list(zeros)] = False
    return next((z for z, value in zip(points, h(points), strict=True) if f(z) != value), None)


def _bordered(inverse: Any, column: Any, row: Any, gain: Fraction) -> Any:
    """Inverse of a matrix with one row and one column more."""
    grown = np.zeros((len(row) + 1,) * 2, dtype=object)
    grown[:-1, :-1] = inverse
    return grown + np.outer([*-column, Fraction(1)], [*-row, Fraction(1)]) / gain
