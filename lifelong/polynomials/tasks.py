"""Problems of Section 5: a multilinear polynomial behind counted oracles."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, FloatArray, RNGLike, instance, integer, one_of
from lifelong.laws import BooleanProduct
from lifelong.loop import CountedTask, Counts
from lifelong.own_data import BitTask, Box, Function, broken, place, trial_points
from lifelong.polynomials.polynomial import Polynomial, Rational, exactly

#: What the labels of these tasks are, as -1 and 1 are of others.
NUMBERS = "numbers"


class BlackBox(CountedTask, Protocol):
    """A task of learning a polynomial as a learner sees it: counted oracles, and no target."""

    def examples(self, size: int) -> tuple[BoolArray, FloatArray]:
        """Fresh labelled examples, the labels rounded to doubles."""

    def exact_examples(self, size: int) -> tuple[BoolArray, NDArray[Any]]:
        """Fresh labelled examples, nothing rounded."""

    def member(self, x: BoolArray) -> Rational:
        """Membership query: the exact value at a point."""

    def equivalent(self, h: Polynomial) -> BoolArray | None:
        """Equivalence query: a point where the hypothesis errs, or None if there is none."""


class _Labelled(BitTask):
    """Counted oracles for examples: what both tasks have in common."""

    classes = NUMBERS

    def __init__(self, n: int, distribution: BooleanProduct | None, rng: RNGLike) -> None:
        law = BooleanProduct(np.full(n, 0.5)) if distribution is None else distribution
        super().__init__(n, law, rng)

    def _hypothesis(self, h: Polynomial) -> Polynomial:
        return instance("h", h, Polynomial, self.n, "the task")

    def examples(self, size: int) -> tuple[BoolArray, FloatArray]:  # type: ignore[override]  # no `ones`
        """Fresh labelled examples, the labels rounded to doubles; each is counted."""
        X, y = self.exact_examples(size)
        return X, y.astype(np.float64)

    def exact_examples(self, size: int) -> tuple[BoolArray, NDArray[Any]]:
        """Fresh examples with labels that are not rounded; each is counted."""
        return super().examples(size)


# a polynomial --------------------------------------------------------------------------------------------


Choice = Literal["smallest", "largest", "random"]


class PolynomialTask(_Labelled):
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
        super().__init__(instance("target", target, Polynomial).n, distribution, rng)
        self.counterexample = one_of("counterexample", counterexample, "smallest", "largest", "random")
        self.target = target.exact()

    def _value(self, X: BoolArray) -> NDArray[Any]:
        return self.target(X)

    def member(self, x: ArrayLike) -> Rational:
        """Membership query: the exact value at a point of the learner's choice."""
        point = self._point(x)
        self.counts += Counts(membership=1)
        return exactly(sum(self.target.coefficients[(self.target.terms <= point).all(axis=1)]))

    def equivalent(self, h: Polynomial) -> BoolArray | None:
        """Equivalence query, answered exactly: None if the polynomials are equal, else a point by the policy.

        "smallest": the indicator of a smallest term of the difference, below which it is 0. "largest": all ones, or
        else that point with variables added for as long as the difference is not 0. "random": any point.
        """
        hypothesis = self._hypothesis(h)
        self.counts += Counts(equivalence=1)
        difference = hypothesis.exact() - self.target
        if not len(difference.terms):
            return None
        X = np.ones((1, self.n), dtype=np.bool_)
        if self.counterexample == "random":
            X = self._rng.random((64, self.n)) < 0.5
        if self.counterexample != "smallest" and len(hits := np.flatnonzero(difference(X))):
            return np.asarray(X[hits[0]])
        return self._low(difference)

    def _low(self, difference: Polynomial) -> BoolArray:
        """A point where a difference is not 0, found from its terms: where all ones, or random points, did not do."""
        T = difference.terms
        if self.counterexample == "random":
            inside = (T[:, None] <= T).all(axis=2).sum(axis=0)  # how many terms lie inside each; 1 is itself
            start = T[self._rng.choice(np.flatnonzero(inside == 1))]
            free = self._rng.permutation(np.flatnonzero(~start))
            return _climb(difference, start, free[self._rng.random(len(free)) < 0.5])
        point = np.array(T[0])
        before = ~point
        while self.counterexample == "largest" and (point != before).any():
            before, point = point, _climb(difference, point, np.flatnonzero(~point))  # one refused may be welcome later
        return point

    def error(self, h: Polynomial) -> float:
        """Mean squared error of a hypothesis: the evaluator's view, which no learner sees and nobody pays for."""
        difference = self._hypothesis(h) - self.target
        c = difference.coefficients.astype(np.float64)
        return max(0.0, _mean_square(difference.terms, c, self.law().probabilities))


def _mean_square(terms: BoolArray, c: FloatArray, p: FloatArray) -> float:
    """Sum over pairs of terms of their coefficients times the probability that both are 1, in blocks of rows."""
    logs = np.log(np.maximum(p, 1e-300))  # a variable that is never 1 counts as good as never
    T = terms.astype(np.float64)
    alone, total = T @ logs, 0.0
    for start in range(0, len(T), 1024):
        rows = slice(start, start + 1024)
        both = alone[rows, None] + alone - (T[rows] * logs) @ T.T
        total += float(c[rows] @ np.exp(both) @ c)
    return total


def _climb(difference: Polynomial, point: BoolArray, variables: Iterable[int]) -> BoolArray:
    """Add variables in the given order wherever the difference stays nonzero."""
    for v in variables:
        higher = point | (np.arange(len(point)) == v)
        if difference(higher[None])[0]:
            point = higher
    return point


# a function ----------------------------------------------------------------------------------------------


class PolynomialBox(Box[Rational], _Labelled):
    """A task whose polynomial is known only as a function: a black box, asked and counted.

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

    def __init__(
        self,
        f: Function,
        n: int,
        distribution: BooleanProduct | None = None,
        *,
        terms: int | None = None,
        points: int = 4096,
        rng: RNGLike = None,
    ) -> None:
        super().__init__(f, n, distribution, integer("points", points, least=1), rng)
        self.terms = None if terms is None else integer("terms", terms, least=0)

    def _value(self, X: BoolArray) -> NDArray[Any]:
        return np.array([self._call(x) for x in X], dtype=object)

    @staticmethod
    def _read(answer: Any, x: BoolArray) -> Rational:
        fits = isinstance(answer, int | float | Fraction | np.integer | np.floating | np.bool_)
        if not fits or not np.isfinite(float(answer)):
            raise ValueError(f"f: expected an integer, a fraction or a finite float, got {answer!r} at {place(x)}")
        return exactly(int(answer) if isinstance(answer, bool | np.bool_) else answer)

    def equivalent(self, h: Polynomial) -> BoolArray | None:
        """Equivalence query, answered by membership queries; `reach` says on which points an answer None rests."""
        exact, t = self._hypothesis(h).exact(), self.terms
        promise = f"a polynomial of at most {t} terms"
        self._equivalence(None if t is None else self.n * t + 2, promise)
        X, reach = self._points(len(h.terms))
        for start in range(0, len(X), 64):  # what is asked is paid for: the search stops at the first difference
            block = X[start : start + 64]
            for x, value in zip(block, exact(block), strict=True):
                if self._known(x) != value:
                    return np.asarray(x.copy())
        self.reach = reach
        if t is not None and len(h.terms) > t:
            many = f"the values of one with {len(h.terms)} at {reach}"
            raise broken(promise, f"{many}: one too many is that of the variables of {place(h.terms[t])}")
        self._since = 0
        return None

    def _points(self, terms: int) -> tuple[BoolArray, str]:
        """Where to look for a difference from a hypothesis of so many terms, and what that is worth."""
        n = self.n
        if self.terms is not None and (n > 20 or 2**n > self.points):
            zeros = min(n, max(self.terms + terms, 1).bit_length() - 1)
            count = sum(comb(n, z) for z in range(zeros + 1))
            if count <= self.points:
                few = f"the {count} points with at most {zeros} zeros"
                full = [~np.isin(np.arange(n), gone) for z in range(zeros + 1) for gone in combinations(range(n), z)]
                return np.array(full), f"{few}, which decide among at most {self.terms} terms"
        X, everywhere = trial_points(n, self.points, self._rng)
        return X, f"all {len(X)} points" if everywhere else f"{len(X)} random points"
