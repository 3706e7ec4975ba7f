"""Problems of Section 3: halfspaces behind counted oracles, with true or with wrong labels."""

import reprlib
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, RNGLike, integer, nonzero, random_generator, real_array, require, same_size
from lifelong.halfspaces.angles import angle, unit
from lifelong.laws import Law
from lifelong.loop import CountedTask, Counts
from lifelong.own_data import ExhaustedError


def signs(X: FloatArray, w: FloatArray) -> NDArray[np.int64]:
    """Labels that a halfspace gives: 1 where w.x >= 0, else -1."""
    return np.where(X @ w >= 0, 1, -1)


class SignTask(CountedTask, Protocol):
    """A task of Section 3 as a learner sees it: real vectors with labels -1 and 1, behind a counter."""

    def examples(self, size: int) -> tuple[FloatArray, NDArray[np.int64]]:
        """Fresh labelled examples; each is counted."""


def _one_vector(name: str, value: ArrayLike, n: int, other: str) -> FloatArray:
    vector = nonzero(name, real_array(name, value, most=1))
    same_size(name, len(vector), n, other)
    return vector


class HalfspaceTask:
    """A halfspace through the origin, behind an oracle for labelled examples.

    Parameters
    ----------
    target : array_like, shape (n,), real
        Normal vector, not zero; stored at length 1.
    distribution : Law
        Marginal of the examples, in the same dimension.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the examples.

    Raises
    ------
    ValueError
        If the target is not one finite nonzero vector, or the dimensions differ.

    Notes
    -----
    The problems of Section 3 (`algo-one`, `algo-two`).

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> task = HalfspaceTask([3.0, 4.0], Gaussian(2), rng=0)
    >>> X, y = task.examples(10)
    >>> X.shape, task.counts.labels, task.error([4.0, -3.0])
    ((10, 2), 10, 0.5)
    """

    classes = (-1, 1)

    def __init__(self, target: ArrayLike, distribution: Law, *, rng: RNGLike = None) -> None:
        require(isinstance(distribution, Law), "distribution", "a Law", distribution)
        self.n, self.distribution = distribution.n, distribution
        self.target = unit(_one_vector("target", target, self.n, "distribution"))
        self.counts = Counts()
        self._rng = random_generator(rng)

    def examples(self, size: int) -> tuple[FloatArray, NDArray[np.int64]]:
        """Fresh labelled examples; each is counted."""
        X = self.distribution.sample(size, rng=self._rng)
        self.counts += Counts(labels=len(X))
        return X, signs(X, self.target)

    def error(self, w: ArrayLike, *, size: int = 20_000, rng: RNGLike = 0) -> float:
        """Error of a hypothesis: the evaluator's view, which no learner sees and nobody pays for."""
        hypothesis = _one_vector("w", w, self.n, "the task")
        integer("size", size, least=1)
        if self.distribution.rotation_invariant:
            return float(angle(hypothesis, self.target)) / np.pi
        X = self.distribution.sample(size, rng=rng)
        return float(np.mean(signs(X, hypothesis) != signs(X, self.target)))


# --- samples ----------------------------------------------------------------------------------------


def _labels(name: str, value: ArrayLike, size: int) -> NDArray[np.int64]:
    """Labels as -1 and 1; they may be given as 0 and 1, or as booleans."""
    y = real_array(name, value, most=1)
    kinds = set(y.tolist())
    if len(y) != size or not (kinds <= {-1, 1} or kinds <= {0, 1}):
        wanted = f"{size} labels, one for each example, all of them -1 or 1, or 0 or 1, or booleans"
        given = f"{len(y)}: {reprlib.repr(kinds)}"
        raise ValueError(f"{name}: expected {wanted}, got {given}; for one class against the others give y == c")
    return np.where(y > 0, 1, -1)


class PoolTask:
    """A halfspace task from samples: a pool of examples whose labels are sold one by one, none of them twice.

    Parameters
    ----------
    X : array_like, shape (size, n), real
        The examples, one a row. Halfspaces go through the origin: give a column of ones for a threshold. A float64
        array in C order is not copied, so that many tasks share one; do not change it.
    y : array_like, shape (size,)
        Their labels: -1 and 1, or 0 and 1, or booleans.
    test : tuple of array_like, optional
        Examples and labels for `error`, which no learner sees; at least one.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the order in which the pool is sold.

    Raises
    ------
    ValueError
        If an argument is not as described; `y` with more than two values is refused, for the task is one class against
        the others: ``y == c``.

    See Also
    --------
    HalfspaceTask : With a target and a law, where there are examples without end.

    Notes
    -----
    The interface that `algo-one` and `algo-two` need, on real data: no target is known, and there may be none.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((100, 3))
    >>> task = PoolTask(X, X[:, 0] > 0, rng=0)
    >>> examples, labels = task.examples(60)
    >>> labels[:5], task.counts.labels, task.left
    (array([-1, -1, -1, -1,  1]), 60, 40)
    >>> task.examples(50)
    Traceback (most recent call last):
    lifelong.own_data.ExhaustedError: size: expected at most 40, for 60 of the 100 labels of the pool are sold, got 50
    """

    classes = (-1, 1)

    def __init__(
        self, X: ArrayLike, y: ArrayLike, *, test: tuple[ArrayLike, ArrayLike] | None = None, rng: RNGLike = None
    ) -> None:
        self._X = real_array("X", X, axes=2, most=2, copy=False)  # shared by all tasks that are made of it
        self._y = _labels("y", y, len(self._X))
        self.n = int(self._X.shape[1])
        self._test: tuple[FloatArray, NDArray[np.int64]] | None = None
        if test is not None:
            require(isinstance(test, tuple | list) and len(test) == 2, "test", "examples and labels, (X, y)", test)
            examples = real_array("test[0]", test[0], axes=2, most=2, copy=False)
            same_size("test[0]", examples.shape[1], self.n, "X")
            self._test = examples, _labels("test[1]", test[1], len(examples))
        self.counts = Counts()
        self._order = random_generator(rng).permutation(len(self._X))

    @property
    def left(self) -> int:
        """Examples of the pool whose label is not yet sold."""
        return len(self._order) - self.counts.labels

    def examples(self, size: int) -> tuple[FloatArray, NDArray[np.int64]]:
        """Examples with labels that were not sold before; each label is counted."""
        sold = self.counts.labels
        if integer("size", size, least=0) > self.left:
            state = f"{sold} of the {len(self._order)} labels of the pool are sold"
            raise ExhaustedError(f"size: expected at most {self.left}, for {state}, got {size}")
        rows = self._order[sold : sold + int(size)]
        self.counts += Counts(labels=len(rows))
        return self._X[rows], self._y[rows]

    def error(self, w: ArrayLike) -> float:
        """Error on the test examples: the evaluator's view, which no learner sees and nobody pays for."""
        hypothesis = _one_vector("w", w, self.n, "the task")
        if self._test is None:
            raise ValueError("test: expected examples and labels at construction to judge by, got none")
        X, y = self._test
        return float(np.mean(signs(X, hypothesis) != y))
