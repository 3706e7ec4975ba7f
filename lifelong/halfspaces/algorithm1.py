"""Algorithm 1: lifelong learning of halfspaces in a shared subspace (Section 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lifelong._checks import FloatArray, instance, integer, number, one_row, speaks
from lifelong._contracts import checked
from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import orthonormal_rows
from lifelong.halfspaces.oracles import Oracle, Sampled
from lifelong.halfspaces.tasks import SignTask, checked_task
from lifelong.loop import How, Run

__all__ = [
    "LargeDirections",
    "SharedSubspace",
    "factors",
    "large_directions",
]


class SharedSubspace:
    """Algorithm 1: lifelong learning of halfspaces whose normals lie near a common subspace.

    Parameters
    ----------
    n : int
        Dimension of the examples, at least 1.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    epsilon_acc : float, optional
        Error to which a task is learned from scratch, in [0, 1/2); a fifth of `epsilon` unless given. Only an exact
        oracle reaches 0.
    oracle : lifelong.halfspaces.oracles.Oracle, optional
        Answers the two questions of Algorithm 1; `oracles.Sampled` unless given, from counted labels.
    searched : callable, default `angles.orthonormal_rows`
        Takes the features, shape (k~, n), to orthonormal (or zero) rows that span what is searched for a hypothesis:
        all their span, or as with `LargeDirections` a part of it.

    Attributes
    ----------
    features : float64, shape (k~, n)
        The learned vectors, the matrix W~ of the paper; other vectors may be put in their place, not into them.

    Raises
    ------
    TypeError
        If `oracle` is no Oracle.
    ValueError
        If an argument is out of range.

    Notes
    -----
    `algo-one`. Nothing of a task is kept but its vector: features here, the coefficients C~ in the run (`factors`).

    See Also
    --------
    lifelong.halfspaces.algorithm2.TwoLevels : the same with metafeatures of metafeatures.

    Examples
    --------
    >>> from lifelong.halfspaces.tasks import HalfspaceTask
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]))]
    >>> run = learn_stream(tasks, SharedSubspace(4, 0.1))
    >>> run.how, run.representation.features.shape
    (['scratch', 'scratch', 'reused'], (2, 4))

    With exact answers no label is needed:

    >>> from lifelong.halfspaces.oracles import Exact
    >>> exact = learn_stream(tasks, SharedSubspace(4, 0.1, epsilon_acc=0.01, oracle=Exact("fresh")))
    >>> exact.how, exact.counts.labels, [f"{x:.4f}" for x in exact.representation.oracle.best]
    (['scratch', 'scratch', 'reused'], 0, ['0.5000', '0.5000', '0.0100'])
    """

    @checked
    def __init__(
        self,
        n: int,
        epsilon: float,
        *,
        epsilon_acc: float | None = None,
        oracle: Oracle | None = None,
        searched: Callable[[FloatArray], FloatArray] = orthonormal_rows,
    ) -> None:
        n = integer("n", n, least=1)
        self.epsilon = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
        accuracy = self.epsilon / 5 if epsilon_acc is None else epsilon_acc
        self.epsilon_acc = number("epsilon_acc", accuracy, low=0.0, high=0.5, open_high=True)
        self.oracle = Sampled() if oracle is None else oracle
        speaks("oracle", self.oracle, Oracle)
        if not callable(searched) or isinstance(searched, type):
            raise ValueError(f"searched: expected a callable (features) -> rows, got {searched!r}")
        self.searched = searched
        self.features = np.empty((0, n))

    @property
    def features(self) -> FloatArray:
        """The learned vectors, the matrix W~ of the paper, shape (k~, n); read-only, since the span goes with them."""
        return self._features

    @features.setter
    def features(self, vectors: FloatArray) -> None:
        self._features = np.array(vectors, dtype=np.float64)
        self._features.setflags(write=False)
        self._span = self.searched(self._features)

    @property
    def span(self) -> FloatArray:
        """Rows that span what is searched for a hypothesis: orthonormal, or zero where features depend.

        They are found when the features change, not for every task.
        """
        return self._span

    def reuse(self, task: SignTask) -> FloatArray | None:
        """Look for a hypothesis in the span of the features.

        Parameters
        ----------
        task : SignTask
            Seen by the oracle only.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when the span is refused.

        Raises
        ------
        TypeError
            If it is no task of Section 3.
        ValueError
            If the task has another dimension.
        """
        return self.oracle.within(self._checked(task), self.span, self.epsilon)

    def learn(self, task: SignTask) -> tuple[How, FloatArray]:
        """Learn to the error `epsilon_acc` with the original variables.

        Parameters
        ----------
        task : SignTask
            Seen by the oracle only.

        Returns
        -------
        how : "scratch"
        hypothesis : float64, shape (n,)

        Raises
        ------
        TypeError
            If it is no task of Section 3.
        ValueError
            If the task has another dimension.
        """
        return "scratch", self.oracle.afresh(self._checked(task), self.epsilon_acc)

    @checked
    def grow(self, how: How, hypothesis: FloatArray) -> None:
        """Add the hypothesis as a feature.

        Parameters
        ----------
        how : str
            As `learn` returned it.
        hypothesis : float64, shape (n,)
        """
        one_row("hypothesis", hypothesis, self.features.shape[1], "the representation")
        self.features = np.vstack([self.features, hypothesis])

    def _checked(self, task: SignTask) -> SignTask:
        return checked_task(task, self.features.shape[1])


class LargeDirections:
    r"""The span that the repaired Algorithm 1 searches: of all features only their large directions.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1. Plain `SharedSubspace` does not need to know it.
    epsilon : float
        An error in (0, 1/2) which, so it is assumed, nothing that was searched had on a task that opened a feature.
        With exact oracles the error allowed a task; from samples a share of it, say half.
    epsilon_acc : float, optional
        Error to which a task is learned from scratch, in (0, `epsilon`); unless given the coarsest that
        `thm-halfspaces-spectral` admits.

    Attributes
    ----------
    epsilon_acc : float
        What `SharedSubspace` is to be given.
    eigenvalue : float
        Directions of :math:`\sum\tilde a_i\tilde a_i^\top` with an eigenvalue above this one are searched:
        :math:`\sin^2(\pi\epsilon-\pi\epsilon_{acc})/4`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    `thm-halfspaces-spectral`. All features are kept, and none is forgotten.

    Examples
    --------
    >>> from lifelong.halfspaces.tasks import HalfspaceTask
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]))]
    >>> large = LargeDirections(2, 0.05)
    >>> run = learn_stream(tasks, SharedSubspace(4, 0.1, epsilon_acc=large.epsilon_acc, searched=large))
    >>> run.how, f"{large.epsilon_acc:.4f}", run.representation.span.shape
    (['scratch', 'scratch', 'reused'], '0.0058', (2, 4))
    """

    @checked
    def __init__(self, k: int, epsilon: float, *, epsilon_acc: float | None = None) -> None:
        epsilon = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
        accuracy = bounds.spectral_accuracy(k, epsilon) if epsilon_acc is None else epsilon_acc
        self.epsilon_acc = number("epsilon_acc", accuracy, low=0.0, high=epsilon, open_low=True, open_high=True)
        self.eigenvalue = float(np.sin(np.pi * (epsilon - self.epsilon_acc))) ** 2 / 4

    @checked
    def __call__(self, features: FloatArray) -> FloatArray:
        """Orthonormal eigenvectors whose eigenvalue is large.

        Parameters
        ----------
        features : float64, shape (N, n)

        Returns
        -------
        float64, shape (r, n)
        """
        return large_directions(features, self.eigenvalue)


@checked
def large_directions(features: FloatArray, eigenvalue: float) -> FloatArray:
    """Orthonormal eigenvectors of the sum of outer squares of features, those whose eigenvalue is large.

    Parameters
    ----------
    features : float64, shape (N, n)
    eigenvalue : float
        Directions with a larger one are kept.

    Returns
    -------
    float64, shape (r, n)

    Notes
    -----
    What `thm-halfspaces-spectral` searches.

    Examples
    --------
    >>> large_directions(np.array([[1.0, 0.0], [0.8, 0.6]]), 0.25).shape
    (1, 2)
    """
    _, sizes, rows = np.linalg.svd(features, full_matrices=False)
    kept: FloatArray = rows[sizes**2 > eigenvalue]
    return kept


def factors(run: Run[Any]) -> tuple[FloatArray, FloatArray]:
    """The two matrices that `algo-one` keeps: coefficients and features.

    Parameters
    ----------
    run : Run
        Of `SharedSubspace`, whatever its oracle.

    Returns
    -------
    C : float64, shape (m, k~)
        A unit row for a task that opened a feature; otherwise coefficients of the features open at the time, padded
        with zeros.
    W : float64, shape (k~, n)
        The features. The rows of C W are the hypotheses.

    Raises
    ------
    ValueError
        If `run` is no Run.

    Examples
    --------
    >>> from lifelong.halfspaces.oracles import Exact
    >>> from lifelong.halfspaces.tasks import HalfspaceTask
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(3)) for w in ([1, 0, 0], [0, 1, 0], [3, 4, 0])]
    >>> C, W = factors(learn_stream(tasks, SharedSubspace(3, 0.1, epsilon_acc=0.0, oracle=Exact())))
    >>> np.round(C, 6) + 0.0
    array([[1. , 0. ],
           [0. , 1. ],
           [0.6, 0.8]])
    """
    instance("run", run, Run)
    W: FloatArray = run.representation.features
    C = np.zeros((len(run.steps), len(W)))
    opened = 0
    for row, step in zip(C, run.steps, strict=True):
        if step.how == "scratch":
            row[opened] = 1.0
            opened += 1
        else:
            row[:opened] = np.linalg.lstsq(W[:opened].T, step.hypothesis, rcond=None)[0]
    return C, W
