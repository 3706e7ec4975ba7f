"""The third move of Schapire and Sellie's learner, written to be read: each time the equations are solved anew."""

from fractions import Fraction
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.polynomials.schapire_sellie import MeetLearner, interpolant


def solve(F: Any, v: Any) -> Any:
    """Schapire and Sellie's equations in plain steps: the w with F w = v, in fractions; F is nonsingular."""
    rows = [[*map(Fraction, r), Fraction(b)] for r, b in zip(F, v)]
    A = np.array(rows, object)
    for i in range(len(A)):
        below = i + np.flatnonzero(A[i:, i])[0]
        A[[i, below]] = A[[below, i]]
        A[i] = A[i] / A[i, i]
        for j in range(len(A)):
            if j != i:
                A[j] = A[j] - A[j, i] * A[i]
    return np.array([row[-1] for row in A], object)


def take(self: MeetLearner, y: BoolArray) -> None:
    """Schapire and Sellie's third move in plain steps; the library's `MeetLearner` updates an inverse instead."""
    f, S = self._f, self.S
    v = [f(y & s) for s in S]
    w = solve(self.F, v)
    if f(y) != sum(a * b for a, b in zip(w, v)):
        S = np.vstack([S, y])  # a new row: append
    else:
        above = (y <= S).all(axis=1) & (w != 0)
        S = S.copy()
        S[np.flatnonzero(above)[0]] = y  # a member sinks
    F = [[f(s & t) for t in S] for s in S]
    self.S, self.F = S, np.array(F, object)
    self.hypothesis = interpolant(S, np.diag(self.F))
