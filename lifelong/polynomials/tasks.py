"""Problems of Section 5: a multilinear polynomial behind counted oracles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import (
    BoolArray,
    FloatArray,
    RNGLike,
    bool_array,
    has_all,
    instance,
    integer,
    random_generator,
    same_dimension,
    same_size,
)
from lifelong._contracts import checked
from lifelong.laws import BooleanProduct
from lifelong.loop import Counts
from lifelong.own_data import Asked, BrokenPromiseError, place, trial_points
from lifelong.polynomials.polynomial import Polynomial, Rational, _exact

__all__ = [
    "BlackBox",
    "PolynomialBox",
    "PolynomialTask",
    "checked_task",
]


# --- what a learner sees ----------------------------------------------------------------------------


@runtime_checkable
class BlackBox(Protocol):
    """A polynomial as a learner sees it: counted oracles, and no target.

    See Also
    --------
    PolynomialTask : The black box of this package.

    Notes
    -----
    What every learner of Section 5 is given (`algo-polynomials`, `prop-warmup`, `thm-schapire-sellie`).
    """

    @property
    def n(self) -> int:
        """Number of variables."""

    @property
    def counts(self) -> Counts:
        """What the oracles have given so far."""

    def examples(self, size: int) -> tuple[BoolArray, FloatArray]:
        """Fresh labelled examples, the labels rounded to doubles.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : bool, shape (size, n)
        y : float64, shape (size,)
        """

    def exact_examples(self, size: int) -> tuple[BoolArray, NDArray[Any]]:
        """Fresh labelled examples, nothing rounded.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : bool, shape (size, n)
        y : object, shape (size,)
        """

    def member(self, x: BoolArray) -> Rational:
        """Membership query: the exact value at a point.

        Parameters
        ----------
        x : bool, shape (n,)

        Returns
        -------
        int or Fraction
        """

    def equivalent(self, h: Polynomial) -> BoolArray | None:
        """Equivalence query: a point where the hypothesis errs.

        Parameters
        ----------
        h : Polynomial

        Returns
        -------
        bool, shape (n,), or None
            None where there is no such point.
        """


def checked_task(task: BlackBox, *, n: int | None = None) -> BlackBox:
    """Refuse a task without the oracles of a `BlackBox`, or of another dimension than the representation has.

    Parameters
    ----------
    task : task
    n : int, optional
        Number of variables of the representation.

    Returns
    -------
    BlackBox
        The one given.

    Raises
    ------
    TypeError
        If the task lacks an oracle.
    ValueError
        If it has another dimension.

    Notes
    -----
    For the learners of `algo-polynomials`, `prop-warmup` and `thm-schapire-sellie`.

    Examples
    --------
    >>> checked_task("a polynomial")
    Traceback (most recent call last):
    TypeError: task: expected a task of Section 5 like PolynomialTask, with its oracles, got str
    """
    if not has_all(task, BlackBox):
        given = type(task).__name__
        raise TypeError(f"task: expected a task of Section 5 like PolynomialTask, with its oracles, got {given}")
    if n is not None:
        same_size("task", task.n, n, "the representation")
    return task


# --- the task ---------------------------------------------------------------------------------------

Choice = Literal["smallest", "largest", "random"]


class PolynomialTask:
    """A polynomial, behind oracles for examples, membership and equivalence.

    Parameters
    ----------
    target : Polynomial
        A float coefficient stands for its exact binary value.
    distribution : BooleanProduct, optional
        Law of the examples; the uniform law on the cube unless given.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the examples and of random counterexamples.
    counterexample : {"smallest", "largest", "random"}, default "smallest"
        Which point an equivalence query brings back; see `equivalent`.

    Raises
    ------
    ValueError
        If the target is no polynomial, the dimensions differ or the policy has another name.

    See Also
    --------
    BlackBox : What of it a learner sees.
    lifelong.polynomials.instances.planted_polynomials : Tasks whose monomials share metafeatures.

    Notes
    -----
    The problems of Section 5 (`algo-polynomials`).

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> task = PolynomialTask(polynomial("4 x1x2 - 2 x2x3"))
    >>> task.member([True, True, True]), task.member([False, True, True])
    (2, -2)
    >>> task.equivalent(polynomial("4 x1x2", n=3))
    array([False,  True,  True])
    >>> task.equivalent(task.target) is None, task.counts.equivalence
    (True, 2)
    >>> task.error(polynomial("4 x1x2", n=3))  # 2 squared on a quarter of the cube
    1.0
    """

    def __init__(
        self,
        target: Polynomial,
        distribution: BooleanProduct | None = None,
        *,
        rng: RNGLike = None,
        counterexample: Choice = "smallest",
    ) -> None:
        instance("target", target, Polynomial)
        law = BooleanProduct(np.full(target.n, 0.5)) if distribution is None else distribution
        instance("distribution", law, BooleanProduct)
        same_size("distribution", law.n, target.n, "target")
        if counterexample not in ("smallest", "largest", "random"):
            raise ValueError(f"counterexample: expected smallest, largest or random, got {counterexample!r}")
        self.target = target.exact()
        self.distribution = law
        self.counterexample = counterexample
        self.counts = Counts()
        self._rng = random_generator(rng)

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.target.n

    @checked
    def examples(self, size: int) -> tuple[BoolArray, FloatArray]:
        """Fresh labelled examples; each is counted.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : bool, shape (size, n)
        y : float64, shape (size,)
            The labels, rounded to doubles; `exact_examples` does not round.

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer.
        """
        X, y = self.exact_examples(size)
        return X, y.astype(np.float64)

    @checked
    def exact_examples(self, size: int) -> tuple[BoolArray, NDArray[Any]]:
        """Fresh examples with labels that are not rounded; each is counted.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : bool, shape (size, n)
        y : object, shape (size,)
            Integers and fractions.

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer.
        """
        X = self.distribution.sample(size, rng=self._rng)
        self.counts += Counts(labels=len(X))
        return X, self.target(X)

    def member(self, x: ArrayLike) -> Rational:
        """Membership query: the exact value at a point of the learner's choice.

        Parameters
        ----------
        x : array_like, shape (n,), bool

        Returns
        -------
        int or Fraction

        Raises
        ------
        ValueError
            If `x` is not one row of n booleans.
        """
        point = bool_array("x", x, axes=1)
        same_dimension("x", point, self.n, "the task")
        self.counts += Counts(membership=1)
        inside = ~(self.target.terms & ~point).any(axis=1)
        return _exact(sum(self.target.coefficients[inside].tolist()))

    def equivalent(self, h: Polynomial) -> BoolArray | None:
        """Equivalence query, answered exactly: both sides are polynomials.

        Parameters
        ----------
        h : Polynomial
            The hypothesis.

        Returns
        -------
        bool, shape (n,), or None
            None when the hypothesis equals the target. Otherwise a point where they differ, by the policy of the
            task. "smallest": the first term of least degree in the difference, where no other term of it counts.
            "largest": all ones if they differ there, else a point where they differ and to which no single
            variable can be added. "random": a uniform point of the cube if one of 64 draws differs,
            else a random walk upwards from a random minimal term.

        Raises
        ------
        ValueError
            If `h` is no polynomial in n variables.
        """
        instance("h", h, Polynomial)
        same_size("h", h.n, self.n, "the task")
        self.counts += Counts(equivalence=1)
        difference = h.exact() - self.target
        if not len(difference.terms):
            return None
        return _POLICIES[self.counterexample](difference, self._rng)

    def error(self, h: Polynomial) -> float:
        """Mean squared error of a hypothesis: the evaluator's view, which no learner sees and nobody pays for.

        Parameters
        ----------
        h : Polynomial

        Returns
        -------
        float
            The expectation of (h - f)^2 under the law of the task, summed over the pairs of terms of
            the difference; nothing is sampled.

        Raises
        ------
        ValueError
            If `h` is no polynomial in n variables.
        """
        instance("h", h, Polynomial)
        same_size("h", h.n, self.n, "the task")
        difference = h - self.target
        c = difference.coefficients.astype(np.float64)
        return max(0.0, _mean_square(difference.terms, c, self.distribution.probabilities))


def _mean_square(terms: BoolArray, c: FloatArray, p: FloatArray) -> float:
    """Sum over pairs of terms of their coefficients times the probability that both are 1, in blocks of rows."""
    logs = np.log(np.maximum(p, 1e-300))  # a variable that is never 1 counts as good as never
    T = terms.astype(np.float64)
    alone = T @ logs
    total = 0.0
    for start in range(0, len(T), 1024):
        rows = slice(start, start + 1024)
        both = alone[rows, None] + alone - (T[rows] * logs) @ T.T
        total += float(c[rows] @ np.exp(both) @ c)
    return total


def _nonzero(difference: Polynomial, X: BoolArray) -> BoolArray:
    return np.asarray(difference(X) != 0, dtype=np.bool_)


def _climb(difference: Polynomial, point: BoolArray, variables: Iterable[int]) -> BoolArray:
    """Add variables in the given order wherever the difference stays nonzero."""
    for v in variables:
        higher = point.copy()
        higher[v] = True
        if _nonzero(difference, higher[None])[0]:
            point = higher
    return point


def _smallest(difference: Polynomial, rng: np.random.Generator) -> BoolArray:
    term: BoolArray = difference.terms[0].copy()
    return term


def _largest(difference: Polynomial, rng: np.random.Generator) -> BoolArray:
    top = np.ones(difference.n, dtype=np.bool_)
    if _nonzero(difference, top[None])[0]:
        return top
    point = _smallest(difference, rng)
    while True:  # a variable refused once may be welcome after another
        higher = _climb(difference, point, np.flatnonzero(~point))
        if np.array_equal(higher, point):
            return point
        point = higher


def _random(difference: Polynomial, rng: np.random.Generator) -> BoolArray:
    X = rng.random((64, difference.n)) < 0.5
    hits = np.flatnonzero(_nonzero(difference, X))
    if len(hits):
        drawn: BoolArray = X[hits[0]]
        return drawn
    T = difference.terms
    inside = (~T[:, None] | T).all(axis=2).sum(axis=0)  # how many terms lie inside each; 1 is itself
    start = T[rng.choice(np.flatnonzero(inside == 1))].copy()
    free = rng.permutation(np.flatnonzero(~start))
    return _climb(difference, start, free[rng.random(len(free)) < 0.5])


_POLICIES: dict[str, Callable[[Polynomial, np.random.Generator], BoolArray]] = {
    "smallest": _smallest,
    "largest": _largest,
    "random": _random,
}


# --- a function -------------------------------------------------------------------------------------


class PolynomialBox:
    """A polynomial that is known only as a function: a black box, asked and counted.

    Parameters
    ----------
    f : callable
        Takes a point, a boolean array of shape (n,), and gives a number: an integer, a fraction, or a float, which
        stands for its exact binary value.
    n : int
        Number of variables, at least 1.
    distribution : BooleanProduct, optional
        Law of the examples; the uniform law on the cube unless given.
    terms : int, optional
        A promise: the polynomial has at most so many terms. Every function on the cube is a polynomial, with up to 2^n
        terms, so without this promise none is broken by a function that always answers the same.
    points : int, default 4096
        On how many points an equivalence query may look for a difference, at least 1.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the examples and of random points.

    Attributes
    ----------
    reach : str
        On which points the last equivalence query that found no difference rests.

    Raises
    ------
    ValueError
        If an argument is not as described.
    BrokenPromiseError
        From every oracle, where the function turns out to have more terms, or not to be a function.

    See Also
    --------
    PolynomialTask : The same with a known target.
    lifelong.conjunctions.tasks.ConjunctionBox : A function with truth values.

    Notes
    -----
    A task for `algo-polynomials` and for the learner of `thm-schapire-sellie`, which needs at most n t + 2 equivalence
    queries for t terms. These are answered by membership queries, counted beside them, in the first of three ways that
    `points` allows. All points of the cube: then the answer is exact. Under a promise of terms, the points with few
    zeros: a polynomial with s terms is not 0 at some point with at most log2(s) zeros, so the answer is exact if the
    promise is kept. Else random points, each as full as it happens: then None means that no difference was found. A
    point that an equivalence query asked is not asked by another one again.

    Examples
    --------
    >>> from lifelong.polynomials.schapire_sellie import learn_polynomial
    >>> task = PolynomialBox(lambda x: 4 * (x[0] and x[1]) - 2 * x[2], 3, terms=2)
    >>> h, counts = learn_polynomial(task)
    >>> print(h)
    -2 x3 + 4 x1 x2
    >>> counts, task.reach
    (Counts(labels=0, membership=11, equivalence=3), 'all 8 points')
    """

    @checked
    def __init__(
        self,
        f: Callable[[BoolArray], Any],
        n: int,
        distribution: BooleanProduct | None = None,
        *,
        terms: int | None = None,
        points: int = 4096,
        rng: RNGLike = None,
    ) -> None:
        self._n = integer("n", n, least=1)
        law = BooleanProduct(np.full(self._n, 0.5)) if distribution is None else distribution
        instance("distribution", law, BooleanProduct)
        same_size("distribution", law.n, self._n, "n")
        self.distribution = law
        self.terms = None if terms is None else integer("terms", terms, least=0)
        self.points = integer("points", points, least=1)
        self.reach = "no point yet"
        self.counts = Counts()
        self._rng = random_generator(rng)
        self._asked = Asked(f, self._n, read=_number, pay=self._pay)

    @property
    def n(self) -> int:
        """Number of variables."""
        return self._n

    def _pay(self, cost: Counts) -> None:
        self.counts += cost

    def examples(self, size: int) -> tuple[BoolArray, FloatArray]:
        """Fresh labelled examples; each is counted.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : bool, shape (size, n)
        y : float64, shape (size,)
            The labels, rounded to doubles; `exact_examples` does not round.

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer, or the function gives no number.
        """
        X, y = self.exact_examples(size)
        return X, y.astype(np.float64)

    def exact_examples(self, size: int) -> tuple[BoolArray, NDArray[Any]]:
        """Fresh examples with labels that are not rounded; each is counted.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : bool, shape (size, n)
        y : object, shape (size,)
            Integers and fractions.

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer, or the function gives no number.
        """
        X = self.distribution.sample(size, rng=self._rng)
        self._pay(Counts(labels=len(X)))
        y = np.empty(len(X), dtype=object)
        y[:] = [self._asked.value(x) for x in X]
        return X, y

    def member(self, x: ArrayLike) -> Rational:
        """Membership query: the exact value at a point of the learner's choice.

        Parameters
        ----------
        x : array_like, shape (n,), bool

        Returns
        -------
        int or Fraction

        Raises
        ------
        BrokenPromiseError
            If the function says something else than before.
        ValueError
            If `x` is not one row of n booleans, or the function gives no number.
        """
        point = bool_array("x", x, axes=1)
        same_dimension("x", point, self.n, "the task")
        return self._asked.member(point)

    def equivalent(self, h: Polynomial) -> BoolArray | None:
        """Equivalence query, answered by membership queries.

        Parameters
        ----------
        h : Polynomial
            The hypothesis.

        Returns
        -------
        bool, shape (n,), or None
            A point where the hypothesis errs; None where none was found on the points that `reach` names.

        Raises
        ------
        BrokenPromiseError
            If at most t terms were promised, and n t + 2 queries were of no avail or found a polynomial with more.
        ValueError
            If `h` is no polynomial in n variables, or the function gives no number.
        """
        instance("h", h, Polynomial)
        same_size("h", h.n, self.n, "the task")
        most = None if self.terms is None else self.n * self.terms + 2
        self._asked.equivalent(most, f"a polynomial of at most {self.terms} terms")
        X, reach = self._points(len(h.terms))
        exact = h.exact()
        for start in range(0, len(X), 64):  # what is asked is paid for: the search stops at the first difference
            block = X[start : start + 64]
            for x, value in zip(block, exact(block), strict=True):
                if self._asked.known(x) != value:
                    point: BoolArray = x.copy()
                    return point
        self.reach = reach
        if self.terms is not None and len(h.terms) > self.terms:
            raise BrokenPromiseError(
                f"f: expected a polynomial of at most {self.terms} terms, got the values of one with {len(h.terms)} at "
                f"{reach}: one too many is that of the variables of {place(h.terms[self.terms])}"
            )
        self._asked.succeeded()
        return None

    def _points(self, terms: int) -> tuple[BoolArray, str]:
        """Where to look for a difference from a hypothesis of so many terms, and what that is worth."""
        if self.terms is not None and (self.n > 20 or 2**self.n > self.points):
            zeros = min(self.n, max(self.terms + terms, 1).bit_length() - 1)
            count = sum(comb(self.n, z) for z in range(zeros + 1))
            if count <= self.points:
                few = f"{count} points with at most {zeros} zeros"
                return _near_the_top(self.n, zeros), f"the {few}, which decide among at most {self.terms} terms"
        X, everywhere = trial_points(self.n, self.points, self._rng)
        return X, f"all {len(X)} points" if everywhere else f"{len(X)} random points"


def _near_the_top(n: int, zeros: int) -> BoolArray:
    """The points of {0,1}^n with at most so many zeros."""
    gone = [list(c) for z in range(zeros + 1) for c in combinations(range(n), z)]
    points = np.ones((len(gone), n), dtype=np.bool_)
    for row, c in zip(points, gone, strict=True):
        row[c] = False
    return points


def _number(answer: Any, x: BoolArray) -> Rational:
    """The value of a function at a point, exactly."""
    fits = isinstance(answer, int | float | Fraction | np.integer | np.floating | np.bool_)
    if not fits or not np.isfinite(float(answer)):
        raise ValueError(f"f: expected an integer, a fraction or a finite float, got {answer!r} at {place(x)}")
    return _exact(int(answer) if isinstance(answer, bool | np.bool_) else answer)
