"""Two rivals of the learner of Schapire and Sellie (Section 5)."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from lifelong._checks import BoolArray, integer
from lifelong.loop import Counts
from lifelong.polynomials.polynomial import Polynomial, Rational
from lifelong.polynomials.schapire_sellie import remembered
from lifelong.polynomials.tasks import BlackBox


def without(x: BoolArray, v: Any) -> BoolArray:
    """For the rivals of Schapire and Sellie: the point with the variable v set to 0."""
    lower = x.copy()
    lower[v] = False
    return lower


def exact(rows: Any) -> Any:
    """For the rivals of Schapire and Sellie: an array of fractions and integers."""
    return np.array(rows, dtype=object)


class Automaton:
    """A rival learner's automaton: rows x_i, columns y_j, [f(x_i meet y_j)] nonsingular, how letters move the rows."""

    def __init__(self, f: Callable[[BoolArray], Rational], n: int) -> None:
        self.n = integer("task.n", n, least=1, most=12)
        self.f, self.inverse = f, exact([]).reshape(0, 0)
        self.rows: list[BoolArray] = []
        self.columns: list[BoolArray] = []

    def values(self, x: BoolArray) -> Any:
        """The row of x."""
        return exact([self.f(x & y) for y in self.columns])

    def letter(self, v: Any) -> Any:
        """How "set v to 0" moves the states."""
        moved = [self.values(without(x, v)) for x in self.rows]
        return exact(moved) @ self.inverse

    def split(self, z: BoolArray) -> tuple[BoolArray, BoolArray]:
        """Row and column that a counterexample adds: at the first letter of z after which some column disagrees."""
        x, state = self.rows[0], exact([1] + [0] * (len(self.rows) - 1))
        for v in np.flatnonzero(~z):
            state = state @ self.letter(v)
            believed = state @ exact([*map(self.values, self.rows)])
            wrong = (believed != self.values(without(x, v))).astype(bool)
            if wrong.any():  # 2a
                return x, without(self.columns[wrong.argmax()], v)
            x = without(x, v)
        return z, self.rows[0]  # 2b

    def grow(self, x: BoolArray, y: BoolArray) -> None:
        """One row and one column more."""
        row = self.values(x)
        column = exact([self.f(s & y) for s in self.rows])
        left, right = self.inverse @ column, row @ self.inverse
        gain = Fraction(self.f(x & y)) - sum(row * left)  # not 0
        corner = np.outer(exact([*-left, 1]), exact([*-right, 1])) / gain
        self.inverse = np.pad(self.inverse, (0, 1)) + corner
        self.rows.append(x)
        self.columns.append(y)

    def polynomial(self) -> Polynomial:
        """What the automaton says on the whole cube, letters read in the order of the variables."""
        states = exact([[1] + [0] * (len(self.rows) - 1)])
        for v in range(self.n):
            both = [states @ self.letter(v), states]
            states = np.stack(both, axis=1).reshape(-1, len(self.rows))
        return Polynomial.from_values(states @ exact([*map(self.f, self.rows)]))


def learn_hankel(task: BlackBox) -> tuple[Polynomial, Counts]:
    r"""A rival learner: a polynomial as a multiplicity automaton over the letters "set variable v to 0"."""
    before, n = task.counts, task.n
    automaton = Automaton(remembered(task), n)
    h = Polynomial(np.empty((0, n), dtype=bool), [])
    while (z := task.equivalent(h)) is not None:  # 1
        pair = np.ones(n, dtype=bool), z
        if automaton.rows:
            pair = automaton.split(z)
        automaton.grow(*pair)
        h = automaton.polynomial()  # 3
    return h, task.counts - before


def witness(f: Callable[[BoolArray], Rational], h: Polynomial, x: BoolArray, left: int) -> BoolArray | None:
    """For the rival by membership alone: a point below x where f - h, of at most `left` terms, is not 0, or None."""
    for size in range(left.bit_length()):  # up to log2(left) zeros
        for zeros in combinations(np.flatnonzero(x), size):
            y = without(x, list(zeros))
            if f(y) != h(y[None])[0]:
                return y
    return None


def learn_by_membership(task: BlackBox, *, terms: int) -> tuple[Polynomial, Counts]:
    r"""A rival learner: a polynomial from membership queries alone, depth first, the number of terms known."""
    before, f = task.counts, remembered(task)
    h = Polynomial(np.empty((0, task.n), dtype=bool), [])
    while left := terms - len(h.terms):
        y = witness(f, h, np.ones(task.n, dtype=bool), left)
        if y is None:
            break
        while y is not None:  # a missing term is inside: go down
            x = y
            ways = (without(x, v) for v in np.flatnonzero(x))
            seen = (witness(f, h, z, left) for z in ways)
            y = next((z for z in seen if z is not None), None)
        h = h + Polynomial(x[None], [f(x) - h(x[None])[0]])
    return h, task.counts - before


def most_asked(f: Polynomial) -> Any:
    """The most queries of Schapire and Sellie and their rivals: on meets, by the automaton, by membership alone."""
    (t, n), sizes = f.terms.shape, f.terms.sum(axis=1)
    E = int((n + 1 - sizes).sum())
    meets = E * t * (t + 1) // 2, E + 1
    automaton = (n + 1) * t**2 + t + n * comb(t, 2), t + 1
    few = sum(comb(n, i) for i in range(t.bit_length()))
    alone = t * (1 + comb(n + 1, 2)) * few, 0
    return np.array([meets, automaton, alone])
