"""Learning one sparse polynomial exactly from queries: Schapire and Sellie (Section 5)."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong.loop import Counts
from lifelong.own_data import BrokenPromiseError, place
from lifelong.polynomials.polynomial import Polynomial, Rational
from lifelong.polynomials.tasks import NUMBERS, BlackBox


def remembered(task: BlackBox) -> Callable[[BoolArray], Rational]:
    """How Schapire and Sellie's learner asks for the target by membership queries: each distinct point once."""

    @cache
    def value(key: bytes) -> Rational:
        return task.member(np.frombuffer(key, dtype=np.bool_))

    return lambda x: value(x.tobytes())


class MeetLearner:
    """What the learner of Schapire and Sellie knows, and its three moves: find an error, meet, take.

    It holds points S, at most as many as the target f has terms, the nonsingular matrix F = [f(s meet s')] of exact
    numbers with its inverse, and as hypothesis the one polynomial over the terms S that equals f on S. Arrays are
    replaced and never changed in place, so a shallow copy is a copy of the state.
    """

    def __init__(self, task: BlackBox) -> None:
        self._task, self._f = task, remembered(task)
        self.S = np.empty((0, task.n), dtype=np.bool_)
        self.F = self._inverse = np.empty((0, 0), dtype=object)
        self.hypothesis = Polynomial(self.S, [])

    def events(self) -> Iterator[tuple[BoolArray, BoolArray]]:
        """Run to the end; after each event give the error that was found and the point that was taken."""
        while (error := self.find_error()) is not None:
            y = self.greedy_meet(error)
            self.take(y)
            yield error, y

    def find_error(self) -> BoolArray | None:
        """Step 1: a meet of two members where the hypothesis errs, else the answer to an equivalence query."""
        y = self.inconsistent_meet()
        return self._task.equivalent(self.hypothesis) if y is None else y

    def inconsistent_meet(self) -> BoolArray | None:
        """A smallest meet of two members where the hypothesis errs; its true value is in F already."""
        i, j = np.triu_indices(len(self.S), 1)
        meets = self.S[i] & self.S[j]
        errs = np.asarray(self.hypothesis(meets) != self.F[i, j])
        wrong = meets[errs]
        return wrong[wrong.sum(axis=1).argmin()] if len(wrong) else None

    def greedy_meet(self, y: BoolArray) -> BoolArray:
        """Step 2: meet y with members for as long as the hypothesis errs on the result."""
        while True:
            meets = y & self.S[(y & ~self.S).any(axis=1)]
            values = zip(meets, self.hypothesis(meets), strict=True)
            z = next((z for z, h in values if self._f(z) != h), None)
            if z is None:
                return y
            y = z

    def take(self, y: BoolArray) -> None:
        """Step 3: append y where that keeps F nonsingular; else put it in the place of a member above it."""
        f, S, F, G = self._f, self.S, self.F, self._inverse
        if f(y) == self.hypothesis(y[None])[0]:
            wrong = f"{place(y)}, where it is right: a task that calls this an error is noisy, or it changes"
            raise BrokenPromiseError(f"y: expected a point where the hypothesis errs, got {wrong}")
        v = np.array([f(y & s) for s in S], dtype=object)
        w = G @ v  # what combines the rows of F into v
        gain = Fraction(f(y) - sum(w * v))
        if gain:  # one row more
            i, u = len(S), np.append(-w, 1)
            S, F = np.vstack([S, y]), np.pad(F, (0, 1))
            v = np.append(v, 0)
            G = np.pad(G, (0, 1)) + np.outer(u, u) / gain
        else:  # E F E^T, where row i of the unit matrix E is w
            i = self._sinking(y, w)
            S, F, r = S.copy(), F.copy(), -w / w[i]
            r[i] = 1 / w[i] - 1  # row i of E^-1, less 1
            G = G + np.outer(G[:, i], r)
            G = G + np.outer(r, G[i])
        S[i], F[i], F[:, i] = y, v, v
        F[i, i] = f(y)
        self.S, self.F, self._inverse = S, F, G
        self.hypothesis = interpolant(S, np.diag(F))

    def _sinking(self, y: BoolArray, w: NDArray[Any]) -> Any:
        """The place of a member above y with a weight; the swap lemma says that there is one."""
        return np.flatnonzero((y <= self.S).all(axis=1) & (w != 0))[0]


def interpolant(S: BoolArray, values: NDArray[Any]) -> Polynomial:
    """Schapire and Sellie's hypothesis: the polynomial over the terms S with given values on S, found from below."""
    order = np.argsort(S.sum(axis=1), kind="stable")
    S, c = S[order], values[order].copy()
    for i in range(len(S)):
        c[i] -= sum(c[:i][(S[:i] <= S[i]).all(axis=1)])
    return Polynomial(S, c)


def learn_polynomial(task: BlackBox) -> tuple[Polynomial, Counts]:
    r"""Learn a sparse polynomial exactly from equivalence and membership queries: Schapire and Sellie.

    Parameters
    ----------
    task : BlackBox
        Seen through its query oracles, which count; no membership query is asked twice.

    Returns
    -------
    hypothesis : Polynomial
        The target, term by term. Every hypothesis on the way has at most t terms as well.
    counts : Counts
        What it cost: at most n t + 2 equivalence queries and (n t + 1)(t^2 + 3t)/2 membership queries for a target
        of t terms.

    Raises
    ------
    TypeError
        If `task` is no task of learning a polynomial.
    BrokenPromiseError
        If the task contradicts itself.

    See Also
    --------
    MeetLearner : Its moves, one by one.
    lifelong.polynomials.bounds.schapire_sellie_sharp : The bounds by the sizes of the terms.

    Notes
    -----
    The learner from scratch of `algo-polynomials`. The published theorem is `thm-schapire-sellie`; the
    steps are a reconstruction with a proof of its own, given in the chapter. Exact rational arithmetic.

    References
    ----------
    R. E. Schapire and L. M. Sellie, *Learning Sparse Multivariate Polynomials over a Field with Queries and
    Counterexamples*, Journal of Computer and System Sciences 52, 1996, 201-213.

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> from lifelong.polynomials.tasks import PolynomialTask
    >>> task = PolynomialTask(polynomial("4 x3x4x5x6x7 - 2 x5x6x7x8x1"))
    >>> h, counts = learn_polynomial(task)
    >>> print(h)
    -2 x1 x5 x6 x7 x8 + 4 x3 x4 x5 x6 x7
    >>> counts
    Counts(labels=0, membership=3, equivalence=3)
    """
    if getattr(task, "classes", None) != NUMBERS:
        raise TypeError(f"task: expected a task of learning a polynomial, got {task!r}")
    learner, before = MeetLearner(task), task.counts
    for _ in learner.events():
        pass
    return learner.hypothesis, task.counts - before
