"""Problems of Section 4: a conjunction of variables behind counted oracles."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import (
    BoolArray,
    FloatArray,
    RNGLike,
    bool_array,
    instance,
    integer,
    random_generator,
    real_array,
    same_dimension,
    same_size,
)
from lifelong._contracts import checked
from lifelong.laws import BooleanProduct
from lifelong.loop import CountedTask, Counts
from lifelong.own_data import Asked, BrokenPromiseError, place, trial_points

__all__ = [
    "ConjunctionBox",
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
    if not getattr(kind, "_is_protocol", False):
        raise TypeError(f"kind: expected a protocol, like EquivalenceTask, got {kind!r}")
    wanted = sorted(name for name in {*vars(kind), *kind.__annotations__} if not name.startswith("_"))
    if not all(hasattr(task, name) for name in wanted):
        names = f"{', '.join(wanted[:-1])} and {wanted[-1]}"
        raise TypeError(
            f"task: expected a task of Section 4 like ConjunctionTask, with {names}, got {type(task).__name__}"
        )
    same_size("task", task.n, n, "the representation")
    return task


class _Labelled(ABC):
    """Counted oracles for examples: what the tasks of this module have in common."""

    classes = (False, True)

    def __init__(self, n: int, distribution: BooleanProduct | None, rng: RNGLike, *, name: str) -> None:
        if distribution is not None:
            instance("distribution", distribution, BooleanProduct)
            same_size(name, n, distribution.n, "distribution")
        self.distribution = distribution
        self.counts = Counts()
        self._rng = random_generator(rng)

    def _variables(self, name: str, value: ArrayLike) -> BoolArray:
        row = bool_array(name, value, axes=1)
        same_dimension(name, row, self.n, "the task")
        return row

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of variables."""

    @abstractmethod
    def _value(self, X: BoolArray) -> BoolArray:
        """Labels of points, one or a row each, not counted."""

    def _law(self) -> BooleanProduct:
        if self.distribution is None:
            raise ValueError("distribution: expected a law at construction to draw examples, got None")
        return self.distribution

    @checked
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

    @checked
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


class ConjunctionTask(_Labelled):
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

    def __init__(self, target: ArrayLike, distribution: BooleanProduct | None = None, *, rng: RNGLike = None) -> None:
        self.target = bool_array("target", target, axes=1).copy()
        super().__init__(len(self.target), distribution, rng, name="target")

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.target)

    def _value(self, X: BoolArray) -> BoolArray:
        value: BoolArray = np.asarray((X | ~self.target).all(axis=-1))
        return value

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
        limit = real_array("theta", theta, axes=0)
        if limit.ndim:
            raise ValueError(f"theta: expected a number, got shape {limit.shape}")
        theta = float(limit)
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


class ConjunctionBox(_Labelled):
    """A conjunction of variables that is known only as a function: a black box, asked and counted.

    Parameters
    ----------
    f : callable
        Takes a point, a boolean array of shape (n,), and says whether the conjunction is true there: a boolean, 0 or 1.
        The promise is that some set of variables, none negated, decides that they are all 1.
    n : int
        Number of variables, at least 1.
    distribution : BooleanProduct, optional
        Law of the examples; without one the task answers queries only.
    points : int, default 256
        At least 0: how many other points test the promise, each time a hypothesis seems right; all of them where 2^n is
        no more.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the examples and of the points.

    Attributes
    ----------
    reach : str
        On which points the last equivalence query that found no difference rests.

    Raises
    ------
    ValueError
        If an argument is not as described.
    BrokenPromiseError
        From every oracle, where the function turns out to be no conjunction of variables, or not to be a function.

    See Also
    --------
    ConjunctionTask : The same with a known target.
    lifelong.polynomials.tasks.PolynomialBox : A function with numbers for values.

    Notes
    -----
    A task for `algo-monomial-anchor-online` by the queries of `cor-equivalence`. An equivalence query is answered by
    membership queries, which are counted beside it. Of two conjunctions, the hypothesis and the target, at most n + 1
    points tell whether they are the same: all ones but for one variable of the hypothesis, and the indicator of the
    hypothesis. So under the promise the answer is exact. The other points can show that the promise is broken, and
    for up to 2^n = `points` they prove that it is kept. No point is asked twice by the task itself.

    Examples
    --------
    >>> task = ConjunctionBox(lambda x: x[0] and x[2], 4)
    >>> task.equivalent([True, True, True, False])
    array([ True, False,  True,  True])
    >>> task.equivalent([True, False, True, False]) is None, task.reach
    (True, 'all 16 points')
    >>> task.counts
    Counts(labels=0, membership=16, equivalence=2)
    >>> ConjunctionBox(lambda x: sum(x) % 2, 3).equivalent([True, True, True])
    Traceback (most recent call last):
    lifelong.own_data.BrokenPromiseError: f: expected a conjunction of variables, got True at [0, 0, 1], where the one
    that fits all other answers is False
    """

    def __init__(
        self,
        f: Callable[[BoolArray], Any],
        n: int,
        distribution: BooleanProduct | None = None,
        *,
        points: int = 256,
        rng: RNGLike = None,
    ) -> None:
        n = integer("n", n, least=1)
        super().__init__(n, distribution, rng, name="n")
        self.points = integer("points", points, least=0)
        self.reach = "no point yet"
        self._n = n
        self._asked = Asked(f, n, read=_truth, pay=self._pay)

    @property
    def n(self) -> int:
        """Number of variables."""
        return self._n

    def _pay(self, cost: Counts) -> None:
        self.counts += cost

    def _value(self, X: BoolArray) -> BoolArray:
        return np.array([self._asked.value(x) for x in X], dtype=np.bool_)

    def member(self, x: ArrayLike) -> bool:
        """Membership query: what the function says of a point of the learner's choice.

        Parameters
        ----------
        x : array_like, shape (n,), bool

        Returns
        -------
        bool

        Raises
        ------
        BrokenPromiseError
            If the function says something else than before.
        ValueError
            If `x` is not one row of n booleans, or the function does not answer with a truth value.
        """
        return self._asked.member(self._variables("x", x))

    def equivalent(self, h: ArrayLike) -> BoolArray | None:
        """Equivalence query for a hypothesis that is a conjunction, answered by membership queries.

        Parameters
        ----------
        h : array_like, shape (n,), bool
            The variables of the hypothesis.

        Returns
        -------
        bool, shape (n,), or None
            None when no point that was asked is labelled otherwise by the hypothesis; `reach` says which these are.
            Otherwise a point on which hypothesis and function differ: all ones but for the least variable of the
            hypothesis for which that is one (a positive example), or else the indicator of the hypothesis.

        Raises
        ------
        BrokenPromiseError
            If no conjunction of variables answers as the function does, or more queries than any conjunction needs
            were of no avail: n + 1 over metafeatures, and n + 1 over the variables.
        ValueError
            If `h` is not one row of n booleans, or the function does not answer with a truth value.
        """
        hypothesis = self._variables("h", h)
        self._asked.equivalent(2 * self.n + 2, "a conjunction of variables")
        ones = np.ones(self.n, dtype=np.bool_)
        if not self._asked.known(ones):
            raise BrokenPromiseError("f: expected a conjunction of variables, true where all are 1, got False there")
        for v in np.flatnonzero(hypothesis):
            point = ones.copy()
            point[v] = False
            if self._asked.known(point):
                return point
        if not self._asked.known(hypothesis):
            without = ones & ~np.eye(self.n, dtype=np.bool_)[~hypothesis]  # all ones but for a variable not in it
            if all(self._asked.said(point) for point in without):
                raise BrokenPromiseError(
                    f"f: expected a conjunction of variables, got False at {place(hypothesis)}, though it is True "
                    "without each of the variables that are 0 there"
                )
            return hypothesis.copy()
        self._test(hypothesis)
        self._asked.succeeded()
        return None

    def _test(self, hypothesis: BoolArray) -> None:
        """Look for a point at which the hypothesis, the one conjunction that is left, is wrong."""
        X, everywhere = trial_points(self.n, self.points, self._rng)
        truths: BoolArray = np.asarray((X | ~hypothesis).all(axis=1))
        for x, truth in zip(X, truths, strict=True):
            if self._asked.known(x) != truth:
                raise BrokenPromiseError(
                    f"f: expected a conjunction of variables, got {not truth} at {place(x)}, where the one that fits "
                    f"all other answers is {truth}"
                )
        others = f"{len(X)} others" if self.points else "no others"
        self.reach = f"all {len(X)} points" if everywhere else f"the points that decide, and {others}"


def _truth(answer: Any, x: BoolArray) -> bool:
    """What a function says of a point, as a truth value."""
    if not isinstance(answer, bool | np.bool_ | int | np.integer) or answer not in (0, 1):
        raise ValueError(f"f: expected True or False, or 1 or 0, at every point, got {answer!r} at {place(x)}")
    return bool(answer)
