"""The warm-up of Section 5: polynomials that share their monomials (`prop-warmup`)."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, log
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.loop import How
from lifelong.polynomials.polynomial import Polynomial, Rational, monomial_values
from lifelong.polynomials.schapire_sellie import learn_polynomial
from lifelong.polynomials.tasks import BlackBox


def solution(equations: Iterable[tuple[Iterable[bool], Rational]], size: int) -> list[Rational] | None:
    """The warm-up's weights of shared terms: exact ones that obey all equations, free ones 0; None if none do."""
    rows: dict[int, Any] = {}  # j: an equation for weight j, which no other row has
    for phi, label in equations:
        row = np.array([*map(int, phi), Fraction(label)], object)
        for j in [j for j in rows if row[j]]:
            row = row - row[j] * rows[j]
        new = next((j for j in range(size) if row[j]), None)
        if new is None and row[size]:
            return None  # 0 = something else
        if new is not None:
            row = row / Fraction(row[new])
            for j in [j for j in rows if rows[j][new]]:
                rows[j] = rows[j] - rows[j][new] * row
            rows[new] = row
    return [rows[j][size] if j in rows else 0 for j in range(size)]


class SharedTerms:
    """The warm-up as a representation for the one loop: a growing set of monomials, shape (k, n)."""

    def __init__(self, n: int, epsilon: float = 0.05, *, delta: float = 0.01) -> None:
        self.terms: BoolArray = np.empty((0, n), bool)  # 1
        self.epsilon, self.delta = epsilon, delta

    def reuse(self, task: BlackBox) -> Polynomial | None:
        """A weighted sum of the monomials that agrees with fresh examples; None if there is certainly none."""
        # 2a
        return attempt(task, self.terms, self.epsilon, self.delta)

    def learn(self, task: BlackBox) -> tuple[How, Polynomial]:
        """Exactly, from queries."""
        # 2b
        return "scratch", learn_polynomial(task)[0]

    def grow(self, how: How, h: Polynomial) -> None:
        """Take in the monomials that are new."""
        known = {p.tobytes() for p in self.terms}
        fresh = [p for p in h.terms if p.tobytes() not in known]
        self.terms = np.vstack([self.terms, *fresh])


def attempt(task: BlackBox, terms: BoolArray, epsilon: float, delta: float) -> Polynomial | None:
    """The warm-up's attempt on shared terms: a task as a sum of them, from random examples; None if it is no sum."""
    size = len(terms)
    equations: dict[Any, None] = {}  # each once
    s = ceil(log((size + 1) / delta) / epsilon)
    while (w := solution(equations, size)) is not None:
        h = Polynomial(terms, w)
        X, y = task.exact_examples(s)
        wrong = np.asarray(h(X) != y, bool)
        if not wrong.any():
            return h  # accept
        Phi = monomial_values(terms, X[wrong])
        equations |= dict.fromkeys(zip(map(tuple, Phi), y[wrong]))
    return None  # reject: the equations contradict each other
