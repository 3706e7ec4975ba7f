"""Learning one sparse polynomial exactly from queries: Schapire and Sellie, and two rivals (Section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from lifelong._checks import BoolArray, bool_array, integer, one_row, same_dimension
from lifelong._contracts import checked
from lifelong.loop import Counts
from lifelong.own_data import BrokenPromiseError, place
from lifelong.polynomials.polynomial import Polynomial, Rational
from lifelong.polynomials.tasks import BlackBox, checked_task

__all__ = [
    "MeetLearner",
    "learn_by_membership",
    "learn_hankel",
    "learn_polynomial",
]


# --- learning from queries --------------------------------------------------------------------------


class _Known:
    """The values that membership queries gave: each distinct point is asked once."""

    def __init__(self, task: BlackBox) -> None:
        self._task = task
        self._values: dict[bytes, Rational] = {}

    def __call__(self, x: BoolArray) -> Rational:
        key = x.tobytes()
        if key not in self._values:
            self._values[key] = self._task.member(x)
        return self._values[key]


class MeetLearner:
    """What the learner of Schapire and Sellie knows, and its moves.

    Parameters
    ----------
    task : BlackBox
        Seen through its query oracles; no point is asked twice.

    Attributes
    ----------
    S : bool, shape (r, n)
        Points, at most as many as the target f has terms.
    F : shape (r, r), exact
        The values f(s meet s') of the members of S; nonsingular.
    hypothesis : Polynomial
        The one polynomial over the terms S that equals f on S.

    Raises
    ------
    TypeError
        If `task` is no task of learning a polynomial.

    Notes
    -----
    The state of `learn_polynomial`, for `thm-schapire-sellie`. Arrays are replaced and never changed in place, so a
    shallow copy is a copy of the state.

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> from lifelong.polynomials.tasks import PolynomialTask
    >>> learner = MeetLearner(PolynomialTask(polynomial("x1 + x2")))
    >>> learner.take(np.array([True, True]))
    >>> print(learner.hypothesis)
    2 x1 x2
    """

    def __init__(self, task: BlackBox) -> None:
        checked_task(task)
        self._task = task
        self._f = _Known(task)
        self.S = np.empty((0, task.n), dtype=np.bool_)
        self.F = np.empty((0, 0), dtype=object)
        self._inverse = self.F
        self.hypothesis = Polynomial(self.S, [])

    def events(self) -> Iterator[tuple[BoolArray, BoolArray]]:
        """Run the algorithm to its end, one event after the other.

        Yields
        ------
        error, taken : bool, shape (n,)
            A point where the hypothesis erred, and the point below it that was taken in. Between two events the
            learner may be looked at.

        Raises
        ------
        BrokenPromiseError
            If the task contradicts itself.
        """
        while (error := self.find_error()) is not None:
            taken = self.greedy_meet(error)
            self.take(taken)
            yield error, taken

    def find_error(self) -> BoolArray | None:
        """A point where the hypothesis errs: a meet of two members, else the answer to an equivalence query.

        Returns
        -------
        bool, shape (n,), or None
            None where the hypothesis is the target.
        """
        y = self.inconsistent_meet()
        return self._task.equivalent(self.hypothesis) if y is None else y

    def inconsistent_meet(self) -> BoolArray | None:
        """A smallest meet of two members where the hypothesis errs; its true value is in F already.

        Returns
        -------
        bool, shape (n,), or None
            None where the hypothesis is right on all meets.
        """
        i, j = np.triu_indices(len(self.S), 1)
        meets = self.S[i] & self.S[j]
        wrong = meets[np.asarray(self.hypothesis(meets) != self.F[i, j], dtype=np.bool_)]
        return wrong[wrong.sum(axis=1).argmin()] if len(wrong) else None

    @checked
    def greedy_meet(self, y: BoolArray) -> BoolArray:
        """Meet y with members for as long as the hypothesis errs on the result.

        Parameters
        ----------
        y : bool, shape (n,)
            A point where the hypothesis errs.

        Returns
        -------
        bool, shape (n,)
            Such a point too; on its meet with any member that does not lie above it the hypothesis is right.
        """
        one_row("y", y, self._task.n, "the task")
        while True:
            meets = y & self.S[(y & ~self.S).any(axis=1)]
            wrong = (z for z, h in zip(meets, self.hypothesis(meets), strict=True) if self._f(z) != h)
            lower = next(wrong, None)
            if lower is None:
                return y
            y = lower

    def take(self, y: BoolArray) -> None:
        """Append y where that keeps F nonsingular; else put it in the place of a member above it.

        Parameters
        ----------
        y : bool, shape (n,)
            What `greedy_meet` returned.

        Raises
        ------
        BrokenPromiseError
            If the hypothesis is right at y: what was said to be an error is none, so the oracles of the task contradict
            each other.
        ValueError
            If `y` is not one row of n booleans.
        """
        y = bool_array("y", y, axes=1)
        same_dimension("y", y, self._task.n, "the task")
        if self._f(y) == self.hypothesis(y[None])[0]:
            wanted = "a point where the hypothesis errs"
            raise BrokenPromiseError(
                f"y: expected {wanted}, got {place(y)}, where it is right: a task that calls this an error contradicts "
                "itself; it is noisy, or it changes"
            )
        v = np.array([self._f(y & s) for s in self.S], dtype=object)
        w = self._inverse @ v if len(v) else v
        gain = self._f(y) - (w @ v if len(v) else 0)
        if gain:
            self._append(y, v, w, Fraction(gain))
        else:
            self._replace(self._sinking(y, w), y, v, w)
        self.hypothesis = _interpolant(self.S, np.diag(self.F))

    def _sinking(self, y: BoolArray, w: Any) -> Any:
        """The place of a member above y with a weight; the swap lemma says that there is one."""
        above = (~y | self.S).all(axis=1)
        return np.flatnonzero(above & (w != 0))[0]

    def _append(self, y: BoolArray, v: Any, w: Any, gain: Fraction) -> None:
        self._inverse = _bordered(self._inverse, w, w, gain)
        self.F = np.block([[self.F, v[:, None]], [v, np.array([self._f(y)], dtype=object)]])
        self.S = np.vstack([self.S, y])

    def _replace(self, i: Any, y: BoolArray, v: Any, w: Any) -> None:
        """Row i becomes the combination w of the rows: F turns into E F E^T, E the unit matrix with row i set to w."""
        self.S, self.F = self.S.copy(), self.F.copy()
        self.S[i] = y
        self.F[i], self.F[:, i], self.F[i, i] = v, v, self._f(y)
        column = self._inverse[:, i].copy()  # E^-T subtracts multiples of entry i of a row or column from the others
        half = self._inverse - np.outer(column, w) / w[i]
        half[:, i] = column / w[i]
        row = half[i].copy()
        self._inverse = half - np.outer(w, row) / w[i]
        self._inverse[i] = row / w[i]


def _bordered(inverse: Any, column: Any, row: Any, gain: Fraction) -> Any:
    """Inverse of a matrix with one row and one column more.

    `column` is the old inverse times the new column, `row` the new row times the old inverse, and `gain` the new corner
    less what these two explain of it.
    """
    grown = np.zeros((len(row) + 1,) * 2, dtype=object)
    grown[:-1, :-1] = inverse
    return grown + np.outer([*-column, Fraction(1)], [*-row, Fraction(1)]) / gain


def _interpolant(S: BoolArray, values: Any) -> Polynomial:
    """The polynomial over the terms S with given values on S: one coefficient after the other, from below."""
    order = np.argsort(S.sum(axis=1), kind="stable")
    S, c = S[order], values[order].copy()
    for i in range(len(S)):
        inside = (~S[:i] | S[i]).all(axis=1)
        c[i] -= sum(c[:i][inside].tolist())
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
    learn_hankel, learn_by_membership : Two rivals.
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
    learner, before = MeetLearner(task), task.counts
    for _ in learner.events():
        pass
    return learner.hypothesis, task.counts - before


# --- two rivals -------------------------------------------------------------------------------------


class _Automaton:
    """Rows x_i and columns y_j with [f(x_i meet y_j)] nonsingular, and how each letter moves the rows."""

    def __init__(self, task: BlackBox) -> None:
        self.f = _Known(task)
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


def learn_hankel(task: BlackBox) -> tuple[Polynomial, Counts]:
    r"""Learn a polynomial as a multiplicity automaton over the letters "set variable v to 0".

    Parameters
    ----------
    task : BlackBox
        Of at most 12 variables: every hypothesis is written out on the whole cube.

    Returns
    -------
    hypothesis : Polynomial
    counts : Counts
        At most t + 1 equivalence queries for t terms; hypotheses on the way may have many more terms than t.

    Raises
    ------
    TypeError
        If `task` is no task of learning a polynomial.
    ValueError
        If it has more than 12 variables.

    Notes
    -----
    A rival of `thm-schapire-sellie`. A point is a word, the variables that it sets to 0 in their order; the
    values f(x meet y) are the Hankel matrix of f, of rank t. Each counterexample adds one row and one column.

    References
    ----------
    A. Beimel, F. Bergadano, N. H. Bshouty, E. Kushilevitz and S. Varricchio, *Learning Functions Represented as
    Multiplicity Automata*, Journal of the ACM 47, 2000, 506-530.

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> from lifelong.polynomials.tasks import PolynomialTask
    >>> task = PolynomialTask(polynomial("4 x3x4x5x6x7 - 2 x5x6x7x8x1"))
    >>> h, counts = learn_hankel(task)
    >>> h == task.target, counts.equivalence
    (True, 3)
    """
    checked_task(task)
    integer("task.n", task.n, least=1, most=12)
    before, automaton = task.counts, _Automaton(task)
    hypothesis = Polynomial(np.empty((0, task.n), dtype=np.bool_), [])
    while (z := task.equivalent(hypothesis)) is not None:
        ones = np.ones(task.n, dtype=np.bool_)
        automaton.add(*(automaton.split(z) if automaton.rows else (ones, z)))
        hypothesis = automaton.polynomial(task.n)
    return hypothesis, task.counts - before


def learn_by_membership(task: BlackBox, *, terms: int) -> tuple[Polynomial, Counts]:
    r"""Learn a polynomial from membership queries alone, depth first, when the number of its terms is known.

    Parameters
    ----------
    task : BlackBox
        Seen through its membership oracle, which counts; no query is asked twice.
    terms : int
        At least the number of terms of the target.

    Returns
    -------
    hypothesis : Polynomial
    counts : Counts

    Raises
    ------
    TypeError
        If `task` is no task of learning a polynomial.
    ValueError
        If `terms` is negative.

    Notes
    -----
    A rival of `thm-schapire-sellie`. A polynomial of s > 0 terms is not 0 at some point with at most
    log2(s) zeros. So all points that few zeros below x decide whether a term below x is still unknown, and one
    variable after another is taken away until a single term is left. Quasi-polynomial, n^(log t) queries.

    References
    ----------
    R. M. Roth and G. M. Benedek, *Interpolation and Approximation of Sparse Multivariate Polynomials over GF(2)*,
    SIAM Journal on Computing 20, 1991, 291-314.

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> from lifelong.polynomials.tasks import PolynomialTask
    >>> task = PolynomialTask(polynomial("4 x3x4x5x6x7 - 2 x5x6x7x8x1"))
    >>> h, counts = learn_by_membership(task, terms=2)
    >>> h == task.target, counts
    (True, Counts(labels=0, membership=41, equivalence=0))
    """
    checked_task(task)
    terms = integer("terms", terms, least=0)
    before, f = task.counts, _Known(task)
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


def _witness(f: _Known, h: Polynomial, x: BoolArray, left: int) -> BoolArray | None:
    """A point below x where f - h, of at most `left` terms, is not 0; None if no term of it lies below x."""
    variables = np.flatnonzero(x)
    gone = [c for size in range(left.bit_length()) for c in combinations(variables, size)]
    points = np.tile(x, (len(gone), 1))
    for row, zeros in zip(points, gone, strict=True):
        row[list(zeros)] = False
    return next((z for z, value in zip(points, h(points), strict=True) if f(z) != value), None)
