"""Problems of Section 3: halfspaces behind counted oracles, with true or with wrong labels."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import (
    FloatArray,
    RNGLike,
    instance,
    integer,
    nonzero,
    number,
    real_array,
    same_dimension,
    same_size,
)
from lifelong.halfspaces.angles import angle, unit
from lifelong.laws import Law
from lifelong.loop import Counts

__all__ = [
    "HalfspaceTask",
    "NoisyTask",
    "SignTask",
    "checked_task",
    "signs",
]


def signs(X: FloatArray, w: FloatArray) -> NDArray[np.int64]:
    """Labels that a halfspace gives: 1 where w.x >= 0, else -1.

    Parameters
    ----------
    X : float64, shape (size, n)
    w : float64, shape (n,)

    Returns
    -------
    int64, shape (size,), values -1 and 1

    Notes
    -----
    The hypotheses of Section 3 of the paper (`algo-one`).

    Examples
    --------
    >>> signs(np.array([[2.0], [-1.0]]), np.array([1.0]))
    array([ 1, -1])
    """
    return np.where(X @ w >= 0, 1, -1)


@runtime_checkable
class SignTask(Protocol):
    """A task of Section 3 as a learner sees it: real vectors with labels -1 and 1, behind a counter.

    Attributes
    ----------
    n : int
        Dimension of the examples.
    counts : Counts
        What its oracles gave so far.
    classes : tuple of int
        The labels, (-1, 1).

    Notes
    -----
    What `algo-one` and `algo-two` ask of a task. A target, a law and an `error` are for those who judge.
    """

    classes: tuple[int, int]
    counts: Counts

    @property
    def n(self) -> int:
        """Dimension of the examples."""

    def examples(self, size: int) -> tuple[FloatArray, NDArray[np.int64]]:
        """Fresh labelled examples; each is counted.

        Parameters
        ----------
        size : int

        Returns
        -------
        X : float64, shape (size, n)
        y : int64, shape (size,), values -1 and 1
        """


def checked_task(task: Any, n: int) -> SignTask:
    """Refuse a task of another kind or of another dimension than a representation of Section 3 expects.

    Parameters
    ----------
    task : SignTask
    n : int
        Dimension of the representation.

    Returns
    -------
    SignTask
        The task.

    Raises
    ------
    TypeError
        If it is no task with examples in R^n and labels -1 and 1.
    ValueError
        If it has another dimension.

    Examples
    --------
    >>> checked_task("a halfspace", 3)
    Traceback (most recent call last):
    TypeError: task: expected a task of Section 3, like HalfspaceTask, with labels -1 and 1, got str
    """
    if not isinstance(task, SignTask) or task.classes != (-1, 1):
        wanted = "a task of Section 3, like HalfspaceTask, with labels -1 and 1"
        raise TypeError(f"task: expected {wanted}, got {type(task).__name__}")
    same_size("task", task.n, n, "the representation")
    return task


def _one_vector(name: str, value: ArrayLike) -> FloatArray:
    vector = nonzero(name, real_array(name, value))
    if vector.ndim != 1:
        raise ValueError(f"{name}: expected shape (n,), got shape {vector.shape}")
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
        instance("distribution", distribution, Law)
        vector = _one_vector("target", target)
        same_dimension("target", vector, distribution.n, "distribution")
        self.target = unit(vector)
        self.distribution = distribution
        self.counts = Counts()
        self._rng = np.random.default_rng(rng)

    @property
    def n(self) -> int:
        """Dimension of the examples."""
        return self.distribution.n

    def examples(self, size: int) -> tuple[FloatArray, NDArray[np.int64]]:
        """Fresh labelled examples; each is counted.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : float64, shape (size, n)
        y : int64, shape (size,), values -1 and 1

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer.
        """
        X = self.distribution.sample(size, rng=self._rng)
        self.counts += Counts(labels=len(X))
        return X, signs(X, self.target)

    def error(self, w: ArrayLike, *, size: int = 20_000, rng: RNGLike = 0) -> float:
        """Error of a hypothesis: the evaluator's view, which no learner sees and nobody pays for.

        Parameters
        ----------
        w : array_like, shape (n,), real
            Normal vector of the hypothesis, not zero.
        size : int, default 20000
            Fresh draws, where the error is not known exactly.
        rng : None, int, SeedSequence, BitGenerator or Generator
            Source of these draws.

        Returns
        -------
        float
            Probability of disagreement: exactly the angle over pi for a rotation-invariant law,
            otherwise the frequency over `size` draws.

        Raises
        ------
        ValueError
            If `w` is not one finite nonzero vector of dimension n.
        """
        hypothesis = _one_vector("w", w)
        same_dimension("w", hypothesis, self.n, "the task")
        integer("size", size, least=1)
        if self.distribution.rotation_invariant:
            return float(angle(hypothesis, self.target)) / np.pi
        X = self.distribution.sample(size, rng=rng)
        return float(np.mean(signs(X, hypothesis) != signs(X, self.target)))


class NoisyTask(HalfspaceTask):
    """A halfspace some of whose labels are flipped.

    Parameters
    ----------
    target : array_like, shape (n,), real
        Normal vector of the halfspace before the noise.
    distribution : Law
        Marginal of the examples.
    rate : float
        Probability of a flip, in [0, 1].
    width : float, optional
        Only examples within this distance of the boundary are flipped; all of them unless given.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of examples and flips.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    Outside the model of `algo-one`, whose targets are consistent. `error` is still that of the clean target. Without
    a width this is random classification noise; with one and a rate below 1/2 it is Massart noise.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> task = NoisyTask([1.0, 0.0], Gaussian(2), 1.0, rng=0)
    >>> X, y = task.examples(5)
    >>> bool((y == -signs(X, task.target)).all()), task.counts.labels
    (True, 5)
    """

    def __init__(
        self, target: ArrayLike, distribution: Law, rate: float, *, width: float | None = None, rng: RNGLike = None
    ) -> None:
        super().__init__(target, distribution, rng=rng)
        self.rate = number("rate", rate, low=0.0, high=1.0)
        self.width = np.inf if width is None else number("width", width, low=0.0, high=np.inf, open_high=True)

    def examples(self, size: int) -> tuple[FloatArray, NDArray[np.int64]]:
        """Fresh examples with labels that may be wrong; each is counted.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : float64, shape (size, n)
        y : int64, shape (size,), values -1 and 1

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer.
        """
        X, y = super().examples(size)
        flipped = (self._rng.random(len(X)) < self.rate) & (np.abs(X @ self.target) <= self.width)
        return X, np.where(flipped, -y, y)
