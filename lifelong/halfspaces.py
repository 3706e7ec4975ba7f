"""Life-long learning of halfspaces that share a subspace (Section 3)."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from lifelong._checks import FloatArray, instance, integer, number, real_array, same_size
from lifelong.angles import angle, orthonormal_rows, unit
from lifelong.stream import How, Run
from lifelong.tasks import HalfspaceTask, signs

__all__ = ["ExactSubspace", "Subspace", "factors", "logistic_halfspace"]

Direction = Literal["random", "common", "fresh"]


def logistic_halfspace(X: FloatArray, y: Any) -> FloatArray:
    """Unit normal of a halfspace fitted by weakly regularised logistic regression.

    Parameters
    ----------
    X : float64, shape (size, n)
    y : int, shape (size,), values -1 and 1

    Returns
    -------
    float64, shape (n,)
        A unit vector. On separable data the error is about n / (2 size) for a Gaussian law, as for a hard margin.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix with a nonzero entry, `y` does not hold one label -1 or 1 for each row, or
        the labels of equal examples cancel out.

    Notes
    -----
    One way to learn a single target of `algo-one` "using the original features".

    Examples
    --------
    >>> w = logistic_halfspace(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1, -1]))
    >>> print(abs(np.round(w, 6)))
    [1. 0.]
    """
    from sklearn.linear_model import LogisticRegression

    rows, labels = _examples(X, y)
    # a halfspace through the origin labels -x opposite to x: the mirror image adds the class that may be missing
    both = np.vstack([rows, -rows]) if (labels == labels[0]).all() else rows
    model = LogisticRegression(C=1e4, fit_intercept=False, max_iter=2000)
    model.fit(both, np.concatenate([labels, -labels])[: len(both)])
    if not model.coef_.any():
        raise ValueError("X: expected examples that some halfspace tells apart, got labels that cancel out")
    return unit(np.asarray(model.coef_[0]))


def _examples(X: Any, y: Any) -> tuple[FloatArray, Any]:
    rows = real_array("X", X, axes=2)
    labels = real_array("y", y)
    if rows.ndim != 2 or not rows.any():
        raise ValueError(f"X: expected shape (size, n) with some nonzero entry, got shape {rows.shape}")
    if labels.shape != (len(rows),) or np.asarray(y).dtype == np.bool_ or not (np.abs(labels) == 1).all():
        raise ValueError(f"y: expected {len(rows)} labels -1 or 1, got shape {labels.shape}")
    return rows, labels


class Subspace:
    """Algorithm 1 as a representation for the online loop, learning from samples.

    Parameters
    ----------
    n : int
        Dimension of the examples.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    epsilon_acc : float, optional
        Error to which a task is learned from scratch; a fifth of `epsilon` unless given.

    Attributes
    ----------
    features : float64, shape (k~, n)
        The learned vectors, the matrix W~ of the paper.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    `algo-one`. The reuse step fits a hypothesis in the span of the features on `4 k~ / epsilon` labels, then
    tests it on a fresh holdout of `20 / epsilon` labels against the threshold 0.75 `epsilon`; from scratch
    `0.6 n / epsilon_acc` labels are drawn. All of them are counted by the task.

    Examples
    --------
    >>> from lifelong.distributions import Gaussian
    >>> from lifelong.stream import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]))]
    >>> run = learn_stream(tasks, Subspace(4, 0.1))
    >>> run.how, run.representation.features.shape
    (['scratch', 'scratch', 'reused'], (2, 4))
    """

    def __init__(self, n: int, epsilon: float, epsilon_acc: float | None = None) -> None:
        n = integer("n", n, least=1)
        half = {"low": 0.0, "high": 0.5, "open_low": True, "open_high": True}
        self.epsilon = number("epsilon", epsilon, **half)  # type: ignore[arg-type]
        self.epsilon_acc = number("epsilon_acc", epsilon / 5 if epsilon_acc is None else epsilon_acc, **half)  # type: ignore[arg-type]
        self.features: FloatArray = np.empty((0, n))

    def reuse(self, task: HalfspaceTask) -> FloatArray | None:
        """Look for a hypothesis in the span of the features, and test it on a holdout.

        Parameters
        ----------
        task : HalfspaceTask
            Seen through its oracle, which counts.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when there are no features or the holdout refuses it.

        Raises
        ------
        ValueError
            If the task has another dimension.
        """
        same_size("task", task.n, self.features.shape[1], "the representation")
        if not len(self.features):
            return None
        basis = orthonormal_rows(self.features)
        X, y = task.examples(int(np.ceil(4 * len(basis) / self.epsilon)))
        hypothesis: FloatArray = logistic_halfspace(X @ basis.T, y) @ basis
        X, y = task.examples(int(np.ceil(20 / self.epsilon)))
        passed = np.mean(signs(X, hypothesis) != y) <= 0.75 * self.epsilon
        return hypothesis if passed else None

    def learn(self, task: HalfspaceTask) -> tuple[How, FloatArray]:
        """Learn to error `epsilon_acc` with the original features.

        Parameters
        ----------
        task : HalfspaceTask
            Seen through its oracle, which counts.

        Returns
        -------
        how : "scratch"
        hypothesis : float64, shape (n,)

        Raises
        ------
        ValueError
            If the task has another dimension.
        """
        same_size("task", task.n, self.features.shape[1], "the representation")
        X, y = task.examples(int(np.ceil(0.6 * task.n / self.epsilon_acc)))
        return "scratch", logistic_halfspace(X, y)

    def grow(self, how: How, hypothesis: FloatArray) -> None:
        """Add the hypothesis as a feature.

        Parameters
        ----------
        how : str
            As `learn` returned it.
        hypothesis : float64, shape (n,)
        """
        self.features = np.vstack([self.features, hypothesis])


class ExactSubspace:
    """Algorithm 1 with exact oracles: a representation for studying the theory apart from sampling.

    Parameters
    ----------
    n : int
        Dimension of the examples.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    epsilon_acc : float
        Error of a vector learned from scratch, in [0, 1/2): not at most this, but exactly this.
    direction : {"random", "common", "fresh"}
        Where the error points: in a random direction; always along the last axis, like the bias of one
        learner; or, for the i-th feature, along the i-th axis from the end, so that no two errors share a direction.
        Each is made orthogonal to the target. The last two suit targets that live on the first axes.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the random directions.

    Attributes
    ----------
    features : float64, shape (k~, n)
        The learned vectors, the matrix W~ of the paper.
    best : list of float
        The best error in the span at each attempt to reuse it, 1/2 while there are no features.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    `algo-one` as its box is written. This learner reads `task.target`, which no learner from samples can: it stands for
    oracles that never fail, draws no example and so costs no label. It needs a rotation-invariant law, where error
    is exactly angle / pi. The span is accepted if and only if the best error in it is at most `epsilon`.

    Examples
    --------
    >>> from lifelong.distributions import Gaussian
    >>> from lifelong.stream import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(4)) for w in ([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0])]
    >>> run = learn_stream(tasks, ExactSubspace(4, 0.1, 0.01, "fresh"))
    >>> run.how, run.counts.labels, [f"{x:.4f}" for x in run.representation.best]
    (['scratch', 'scratch', 'reused'], 0, ['0.5000', '0.5000', '0.0100'])
    """

    def __init__(
        self, n: int, epsilon: float, epsilon_acc: float, direction: Direction = "random", *, rng: Any = None
    ) -> None:
        n = integer("n", n, least=2)
        self.epsilon = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
        self.epsilon_acc = number("epsilon_acc", epsilon_acc, low=0.0, high=0.5, open_high=True)
        if direction not in ("random", "common", "fresh"):
            raise ValueError(f"direction: expected 'random', 'common' or 'fresh', got {direction!r}")
        self.direction = direction
        self.features: FloatArray = np.empty((0, n))
        self.best: list[float] = []
        self._rng = np.random.default_rng(rng)

    def _target(self, task: HalfspaceTask) -> FloatArray:
        same_size("task", task.n, self.features.shape[1], "the representation")
        if not task.distribution.rotation_invariant:
            raise ValueError(f"task: expected a rotation-invariant law, got {type(task.distribution).__name__}")
        return task.target

    def reuse(self, task: HalfspaceTask) -> FloatArray | None:
        """Take the best hypothesis in the span of the features, if its error is at most `epsilon`.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when the span has nothing good enough.

        Raises
        ------
        ValueError
            If the task has another dimension or its law is not rotation-invariant.
        """
        target = self._target(task)
        basis = orthonormal_rows(self.features) if len(self.features) else self.features
        nearest = (basis @ target) @ basis
        error = float(angle(nearest, target)) / np.pi if nearest.any() else 0.5
        self.best.append(error)
        return unit(nearest) if error <= self.epsilon else None

    def learn(self, task: HalfspaceTask) -> tuple[How, FloatArray]:
        """A vector at exactly the angle pi * `epsilon_acc` from the target.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.

        Returns
        -------
        how : "scratch"
        hypothesis : float64, shape (n,)

        Raises
        ------
        ValueError
            If the task has another dimension, its law is not rotation-invariant, or no error can point in
            the wanted direction.
        """
        target = self._target(task)
        n, opened = task.n, len(self.features)
        if self.direction == "random":
            error = self._rng.standard_normal(n)
        else:
            if self.direction == "fresh" and opened >= n:
                raise ValueError(f"task: expected at most {n} features with errors of their own, got one more")
            error = np.eye(n)[n - 1 - (opened if self.direction == "fresh" else 0)]
        error = error - (error @ target) * target
        if np.linalg.norm(error) < 1e-8:
            raise ValueError("task: expected a target away from the axis along which errors point")
        turn = np.pi * self.epsilon_acc
        return "scratch", np.cos(turn) * target + np.sin(turn) * unit(error)

    def grow(self, how: How, hypothesis: FloatArray) -> None:
        """Add the hypothesis as a feature.

        Parameters
        ----------
        how : str
            As `learn` returned it.
        hypothesis : float64, shape (n,)
        """
        self.features = np.vstack([self.features, hypothesis])


def factors(run: Run[Any]) -> tuple[FloatArray, FloatArray]:
    """The two matrices that `algo-one` keeps: coefficients and features.

    Parameters
    ----------
    run : Run
        Of `Subspace` or `ExactSubspace`.

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
    >>> from lifelong.distributions import Gaussian
    >>> from lifelong.stream import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(3)) for w in ([1, 0, 0], [0, 1, 0], [3, 4, 0])]
    >>> C, W = factors(learn_stream(tasks, ExactSubspace(3, 0.1, 0.0)))
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
