"""Problems of Section 4: a conjunction of variables behind counted oracles."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import (
    BoolArray,
    FloatArray,
    RNGLike,
    bool_array,
    instance,
    real_array,
    same_dimension,
    same_size,
)
from lifelong.laws import BooleanProduct
from lifelong.loop import CountedTask, Counts

__all__ = [
    "ConjunctionTask",
    "EquivalenceTask",
    "ExampleTask",
    "checked_task",
]


@runtime_checkable
class EquivalenceTask(Protocol):
    """What Algorithm 4 asks of a task: equivalence queries with conjunctions, counted.

    Attributes
    ----------
    classes : tuple of bool
        The labels, (False, True).
    n : int
        As in `lifelong.loop.CountedTask`.
    counts : Counts
        As in `lifelong.loop.CountedTask`.

    Notes
    -----
    The oracle of `cor-equivalence`; `ConjunctionTask` has it.
    """

    classes: tuple[bool, bool]
    counts: Counts

    @property
    def n(self) -> int:
        """Number of variables."""

    def equivalent(self, h: BoolArray) -> BoolArray | None:
        """A point on which a conjunction and the target differ, or None if there is none.

        Parameters
        ----------
        h : bool, shape (n,)
            The variables of the conjunction.

        Returns
        -------
        bool, shape (n,), or None
        """


@runtime_checkable
class ExampleTask(Protocol):
    """What Algorithm 5 asks of a task: examples of bits, unlabelled for nothing and labelled ones that are counted.

    Attributes
    ----------
    classes : tuple of bool
        The labels, (False, True).
    n : int
        As in `lifelong.loop.CountedTask`.
    counts : Counts
        As in `lifelong.loop.CountedTask`.

    Notes
    -----
    The oracles of `algo-monomial-anchor`; `ConjunctionTask` has them where it is given a law.
    """

    classes: tuple[bool, bool]
    counts: Counts

    @property
    def n(self) -> int:
        """Number of variables."""

    def unlabelled(self, size: int) -> BoolArray:
        """Fresh examples without labels.

        Parameters
        ----------
        size : int

        Returns
        -------
        bool, shape (size, n)
        """

    def examples(self, size: int, *, ones: BoolArray | None = None) -> tuple[BoolArray, BoolArray]:
        """Fresh labelled examples.

        Parameters
        ----------
        size : int
            How many are drawn.
        ones : bool, shape (n,), optional
            Only those that are 1 on all these variables are labelled, and counted.

        Returns
        -------
        X : bool, shape (kept, n)
        y : bool, shape (kept,)
        """


Task = TypeVar("Task", bound=CountedTask)


def checked_task(task: Task, kind: type, n: int) -> Task:
    """Refuse a task without the wanted oracles, or of another dimension than the representation has.

    Parameters
    ----------
    task : task
    kind : type
        `EquivalenceTask`, `ExampleTask` or another protocol with a dimension `n`.
    n : int
        Number of variables of the representation.

    Returns
    -------
    task
        The one given.

    Raises
    ------
    TypeError
        If the task lacks an oracle of that kind.
    ValueError
        If it has another dimension.

    Notes
    -----
    For the representations of `algo-monomial-anchor-online` and `algo-monomial-anchor`.

    Examples
    --------
    >>> checked_task("a conjunction", EquivalenceTask, 3)
    Traceback (most recent call last):
    TypeError: task: expected a task of Section 4 like ConjunctionTask, with classes, counts, equivalent and n, got str
    """
    wanted = sorted(name for name in {*vars(kind), *kind.__annotations__} if not name.startswith("_"))
    if not all(hasattr(task, name) for name in wanted):
        names = f"{', '.join(wanted[:-1])} and {wanted[-1]}"
        raise TypeError(
            f"task: expected a task of Section 4 like ConjunctionTask, with {names}, got {type(task).__name__}"
        )
    same_size("task", task.n, n, "the representation")
    return task


class ConjunctionTask:
    """A conjunction of variables, behind oracles for examples, membership and equivalence.

    Parameters
    ----------
    target : array_like, shape (n,), bool
        The variables in the conjunction; none of them is the constant true.
    distribution : BooleanProduct, optional
        Law of the examples; without one the task answers queries only.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the examples.

    Raises
    ------
    ValueError
        If the target is not one row of booleans, or the dimensions differ.

    Notes
    -----
    The problems of Section 4 (`algo-monomial-anchor-online`, `algo-monomial-anchor`, `cor-equivalence`).

    Examples
    --------
    >>> task = ConjunctionTask([True, True, False])
    >>> task.member([True, True, True]), task.member([True, False, True])
    (True, False)
    >>> task.equivalent([True, False, False])
    array([ True, False,  True])
    >>> task.equivalent([True, True, False]) is None, task.counts.equivalence
    (True, 2)
    """

    classes = (False, True)

    def __init__(self, target: ArrayLike, distribution: BooleanProduct | None = None, *, rng: RNGLike = None) -> None:
        self.target = bool_array("target", target, axes=1).copy()
        if distribution is not None:
            instance("distribution", distribution, BooleanProduct)
            same_dimension("target", self.target, distribution.n, "distribution")
        self.distribution = distribution
        self.counts = Counts()
        self._rng = np.random.default_rng(rng)

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.target)

    def _variables(self, name: str, value: ArrayLike) -> BoolArray:
        row = bool_array(name, value, axes=1)
        same_dimension(name, row, self.n, "the task")
        return row

    def _value(self, X: BoolArray) -> BoolArray:
        value: BoolArray = np.asarray((X | ~self.target).all(axis=-1))
        return value

    def _law(self) -> BooleanProduct:
        if self.distribution is None:
            raise ValueError("distribution: expected a law at construction to draw examples, got None")
        return self.distribution

    def unlabelled(self, size: int) -> BoolArray:
        """Fresh examples without labels, which cost nothing.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        bool, shape (size, n)

        Raises
        ------
        ValueError
            If the task has no distribution, or `size` is not a non-negative integer.
        """
        return self._law().sample(size, rng=self._rng)

    def examples(self, size: int, *, ones: ArrayLike | None = None) -> tuple[BoolArray, BoolArray]:
        """Fresh labelled examples; each label is counted.

        Parameters
        ----------
        size : int
            How many are drawn.
        ones : array_like, shape (n,), bool, optional
            Keep only the examples that are 1 on all these variables. The others go before they are
            labelled, and are not counted.

        Returns
        -------
        X : bool, shape (kept, n)
            All `size` draws are kept unless `ones` is given.
        y : bool, shape (kept,)

        Raises
        ------
        ValueError
            If the task has no distribution, `size` is not a non-negative integer, or `ones` is not one row of n
            booleans.
        """
        X = self.unlabelled(size)
        if ones is not None:
            X = X[X[:, self._variables("ones", ones)].all(axis=1)]
        self.counts += Counts(labels=len(X))
        return X, self._value(X)

    def error(self, h: ArrayLike) -> float:
        """Error of a conjunction, exactly: the evaluator's view, which no learner sees.

        Parameters
        ----------
        h : array_like, shape (n,), bool
            The variables of the hypothesis.

        Returns
        -------
        float
            Probability that hypothesis and target differ: what they share is true, and exactly one of the two
            remainders is.

        Raises
        ------
        ValueError
            If the task has no distribution or `h` is not one row of n booleans.
        """
        law, hypothesis = self._law(), self._variables("h", h)
        with np.errstate(divide="ignore"):  # a variable that is never 1 has logarithm -inf, and the rest is right
            log_p = np.log(law.probabilities)
        a, b = (log_p[rest].sum() for rest in (hypothesis & ~self.target, self.target & ~hypothesis))
        common = law.probability(hypothesis & self.target)
        return float(common * (np.exp(a) * (0 - np.expm1(b)) + np.exp(b) * (0 - np.expm1(a))))

    def member(self, x: ArrayLike) -> bool:
        """Membership query: the label of a point of the learner's choice.

        Parameters
        ----------
        x : array_like, shape (n,), bool

        Returns
        -------
        bool

        Raises
        ------
        ValueError
            If `x` is not one row of n booleans.
        """
        point = self._variables("x", x)
        self.counts += Counts(membership=1)
        return bool(self._value(point))

    def equivalent(self, h: ArrayLike) -> BoolArray | None:
        """Equivalence query for a hypothesis that is a conjunction, answered exactly.

        Parameters
        ----------
        h : array_like, shape (n,), bool
            The variables of the hypothesis.

        Returns
        -------
        bool, shape (n,), or None
            None when the hypothesis equals the target. Otherwise a point on which they differ: all ones
            but for the least variable of the hypothesis that the target lacks (a positive
            example), or if there is none the least variable of the target that the hypothesis lacks.

        Raises
        ------
        ValueError
            If `h` is not one row of n booleans.
        """
        hypothesis = self._variables("h", h)
        self.counts += Counts(equivalence=1)
        extra, lacking = hypothesis & ~self.target, self.target & ~hypothesis
        if not (extra.any() or lacking.any()):
            return None
        point = np.ones(self.n, dtype=np.bool_)
        point[np.argmax(extra if extra.any() else lacking)] = False
        return point

    def equivalent_threshold(self, weights: ArrayLike, features: ArrayLike, theta: float) -> BoolArray | None:
        """Equivalence query for the negation of a linear threshold over conjunctions, answered exactly.

        The hypothesis is false at x where sum_j w_j [feature j is not inside x] >= theta.

        Parameters
        ----------
        weights : array_like, shape (N,), real
            The weights w_j, none negative.
        features : array_like, shape (N, n), bool
            The variables of one conjunction a row.
        theta : float
            Threshold.

        Returns
        -------
        bool, shape (n,), or None
            None when the hypothesis equals the target. Otherwise a point on which they differ: a positive example,
            with as many ones as can be, those of least index first; or if there is none all ones but for the least
            variable of the target for which that is one.

        Raises
        ------
        ValueError
            If an argument is not as described.

        Notes
        -----
        The oracle of `cor-sparse-auto`, in closed form. More ones make the sum smaller. So if the hypothesis is false
        at any positive example, it is at the indicator of the target; and if it is true at any negative
        example, it is at one with a single 0, in the target. Ones are added to the former while that lasts, so that the
        answer does not give the target away.

        Examples
        --------
        >>> task = ConjunctionTask([True, True, False])
        >>> pieces = [[True, False, False], [False, True, False], [False, False, True]]
        >>> task.equivalent_threshold([2.0, 2.0, 2.0], pieces, 2.0)
        array([ True,  True, False])
        >>> task.equivalent_threshold([2.0, 2.0, 1.0], pieces, 2.0) is None
        True
        """
        M = bool_array("features", features, axes=2)
        same_dimension("features", M, self.n, "the task")
        w = real_array("weights", weights, empty=True)
        if w.shape != (len(M),) or (w < 0).any():
            raise ValueError(f"weights: expected {len(M)} numbers >= 0, one for each feature, got {weights!r}")
        theta = float(real_array("theta", theta, axes=0))
        self.counts += Counts(equivalence=1)
        if np.where((M & ~self.target).any(axis=1), w, 0.0).sum() >= theta:
            return self._fullest(w, M, theta)
        wrong = self.target & (np.where(M.T, w, 0.0).sum(axis=1) < theta)
        if not wrong.any():
            return None
        point = np.ones(self.n, dtype=np.bool_)
        point[np.argmax(wrong)] = False
        return point

    def _fullest(self, w: FloatArray, M: BoolArray, theta: float) -> BoolArray:
        """Positive example at which the threshold is met, with a maximal set of ones."""
        point = self.target.copy()
        missing = (M & ~point).sum(axis=1)  # how many variables of each feature are 0
        for i in np.flatnonzero(~point):
            if np.where(missing > M[:, i], w, 0.0).sum() >= theta:
                point[i] = True
                missing = missing - M[:, i]
        return point
