"""Problems of Section 5: a multilinear polynomial behind counted oracles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, FloatArray, RNGLike, bool_array, instance, same_dimension, same_size
from lifelong.laws import BooleanProduct
from lifelong.loop import Counts
from lifelong.polynomials.polynomial import Polynomial, Rational, _exact

__all__ = [
    "BlackBox",
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
    if not isinstance(task, BlackBox):
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
        self._rng = np.random.default_rng(rng)

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.target.n

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
