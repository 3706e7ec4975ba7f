"""Algorithm 1: life-long learning of halfspaces in a shared subspace (Section 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from lifelong._checks import FloatArray, instance, integer, number, same_size
from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import angle, orthonormal_rows, unit
from lifelong.halfspaces.learners import Learner, NotSeparableError, logistic_halfspace
from lifelong.halfspaces.oracles import Oracle, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask, SignTask, checked_task, signs
from lifelong.loop import How, Run

__all__ = [
    "ExactSpectralSubspace",
    "ExactSubspace",
    "LargeDirections",
    "RobustSubspace",
    "SharedSubspace",
    "SpectralSubspace",
    "Subspace",
    "factors",
]


Direction = Literal["random", "common", "fresh"]


class SharedSubspace:
    """Algorithm 1: life-long learning of halfspaces whose normals lie near a common subspace.

    Parameters
    ----------
    n : int
        Dimension of the examples.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    epsilon_acc : float, optional
        Error to which a task is learned from scratch, in [0, 1/2); a fifth of `epsilon` unless given. Only an exact
        oracle reaches 0.
    oracle : Oracle, optional
        Answers the two questions of the box; `oracles.Sampled` unless given, from counted labels.
    searched : callable, default `angles.orthonormal_rows`
        Takes the features, shape (k~, n), to orthonormal (or zero) rows that span what is searched for a hypothesis:
        all their span, or as with `LargeDirections` a part of it.

    Attributes
    ----------
    features : float64, shape (k~, n)
        The learned vectors, the matrix W~ of the paper.

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
    lifelong.halfspaces.algorithm2.TwoLevel : the same with metafeatures of metafeatures.

    Examples
    --------
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
        if not isinstance(self.oracle, Oracle):
            raise TypeError(f"oracle: expected an Oracle, with `within` and `afresh`, got {oracle!r}")
        if not callable(searched):
            raise ValueError(f"searched: expected a callable (features) -> rows, got {searched!r}")
        self.searched = searched
        self.features: FloatArray = np.empty((0, n))

    @property
    def span(self) -> FloatArray:
        """Rows that span what is searched for a hypothesis: orthonormal, or zero where features depend."""
        return self.searched(self.features)

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

    def grow(self, how: How, hypothesis: FloatArray) -> None:
        """Add the hypothesis as a feature.

        Parameters
        ----------
        how : str
            As `learn` returned it.
        hypothesis : float64, shape (n,)
        """
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
        Every task that opened a feature is taken to have had no hypothesis of this error in what was searched;
        in (0, 1/2). With exact oracles the error allowed a task; from samples a share of it, say half.
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
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]))]
    >>> large = LargeDirections(2, 0.05)
    >>> run = learn_stream(tasks, SharedSubspace(4, 0.1, epsilon_acc=large.epsilon_acc, searched=large))
    >>> run.how, f"{large.epsilon_acc:.4f}", run.representation.span.shape
    (['scratch', 'scratch', 'reused'], '0.0058', (2, 4))
    """

    def __init__(self, k: int, epsilon: float, *, epsilon_acc: float | None = None) -> None:
        epsilon = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
        accuracy = bounds.spectral_accuracy(k, epsilon) if epsilon_acc is None else epsilon_acc
        self.epsilon_acc = number("epsilon_acc", accuracy, low=0.0, high=epsilon, open_low=True, open_high=True)
        self.eigenvalue = float(np.sin(np.pi * (epsilon - self.epsilon_acc))) ** 2 / 4

    def __call__(self, features: FloatArray) -> FloatArray:
        """Orthonormal eigenvectors whose eigenvalue is large.

        Parameters
        ----------
        features : float64, shape (N, n)

        Returns
        -------
        float64, shape (r, n)
        """
        _, sizes, rows = np.linalg.svd(features, full_matrices=False)
        kept: FloatArray = rows[sizes**2 > self.eigenvalue]
        return kept


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
    learner : callable (X, y) -> unit vector, default `learners.logistic_halfspace`
        Learns in the span of the features. No vector there need be consistent with the labels: a learner that
        raises `learners.NotSeparableError` refuses the span.
    scratch_learner : callable (X, y) -> unit vector, optional
        Learns from scratch; `learner` unless given.
    fit : float, default 4
        The span is fitted on `fit` k~ / epsilon labels.
    holdout : float, default 20
        The fit is tested on `holdout` / epsilon fresh labels.
    threshold : float, default 0.75
        It passes if its error on them is at most `threshold` times epsilon; in (0, 1].
    scratch : float, default 0.6
        From scratch a task is learned on `scratch` n / epsilon_acc labels.

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
    `algo-one`. Every label of a fit, a holdout and a task from scratch is drawn from the task, which counts it, and
    none is kept. The numbers of labels are rounded up. `note-efficient` and `thm-halfspaces-samples` say what a span
    that is refused although it holds a good hypothesis costs.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]))]
    >>> run = learn_stream(tasks, Subspace(4, 0.1))
    >>> run.how, run.representation.features.shape
    (['scratch', 'scratch', 'reused'], (2, 4))
    """

    def __init__(
        self,
        n: int,
        epsilon: float,
        epsilon_acc: float | None = None,
        *,
        learner: Learner = logistic_halfspace,
        scratch_learner: Learner | None = None,
        fit: float = 4.0,
        holdout: float = 20.0,
        threshold: float = 0.75,
        scratch: float = 0.6,
    ) -> None:
        n = integer("n", n, least=1)
        half = {"low": 0.0, "high": 0.5, "open_low": True, "open_high": True}
        self.epsilon = number("epsilon", epsilon, **half)  # type: ignore[arg-type]
        self.epsilon_acc = number("epsilon_acc", epsilon / 5 if epsilon_acc is None else epsilon_acc, **half)  # type: ignore[arg-type]
        self.learner, self.scratch_learner = learner, learner if scratch_learner is None else scratch_learner
        for name in ("learner", "scratch_learner"):
            if not callable(getattr(self, name)):
                raise ValueError(f"{name}: expected a callable (X, y) -> unit vector, got {getattr(self, name)!r}")
        positive = {"low": 0.0, "high": np.inf, "open_low": True, "open_high": True}
        self.fit = number("fit", fit, **positive)  # type: ignore[arg-type]
        self.holdout = number("holdout", holdout, **positive)  # type: ignore[arg-type]
        self.threshold = number("threshold", threshold, low=0.0, high=1.0, open_low=True)
        self.scratch = number("scratch", scratch, **positive)  # type: ignore[arg-type]
        self.features: FloatArray = np.empty((0, n))

    @property
    def span(self) -> FloatArray:
        """Rows that span what is searched for a hypothesis: orthonormal, and zero rows where features depend."""
        return orthonormal_rows(self.features)

    def reuse(self, task: HalfspaceTask) -> FloatArray | None:
        """Look for a hypothesis in the span of the features, and test it on a holdout.

        Parameters
        ----------
        task : HalfspaceTask
            Seen through its oracle, which counts.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when there are no features, the learner fails in their span or the holdout refuses it.

        Raises
        ------
        ValueError
            If the task has another dimension.
        """
        same_size("task", task.n, self.features.shape[1], "the representation")
        if not len(self.features):
            return None
        basis = self.span
        X, y = task.examples(int(np.ceil(self.fit * len(basis) / self.epsilon)))
        try:
            hypothesis: FloatArray = self.learner(X @ basis.T, y) @ basis
        except NotSeparableError:
            return None
        X, y = task.examples(int(np.ceil(self.holdout / self.epsilon)))
        passed = np.mean(signs(X, hypothesis) != y) <= self.threshold * self.epsilon
        return hypothesis if passed else None

    def learn(self, task: HalfspaceTask) -> tuple[How, FloatArray]:
        """Learn to about the error `epsilon_acc` with the original features.

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
        X, y = task.examples(int(np.ceil(self.scratch * task.n / self.epsilon_acc)))
        return "scratch", self.scratch_learner(X, y)

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
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
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

    @property
    def span(self) -> FloatArray:
        """Rows that span what is searched for a hypothesis: orthonormal, and zero rows where features depend."""
        return orthonormal_rows(self.features)

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
        basis = self.span
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


def _large_directions(features: FloatArray, threshold: float) -> FloatArray:
    """Orthonormal eigenvectors of W^T W, W the features, with an eigenvalue above the threshold."""
    _, sizes, rows = np.linalg.svd(features, full_matrices=False)
    kept: FloatArray = rows[sizes**2 > threshold]
    return kept


def _spectral_threshold(k: int, epsilon: float, epsilon_acc: float | None) -> tuple[float, float]:
    """Accuracy and threshold of `thm-halfspaces-spectral` when refusals certify an error above `epsilon`."""
    accuracy = bounds.spectral_accuracy(k, epsilon) if epsilon_acc is None else epsilon_acc
    accuracy = number("epsilon_acc", accuracy, low=0.0, high=epsilon, open_low=True, open_high=True)
    return accuracy, float(np.sin(np.pi * (epsilon - accuracy))) ** 2 / 4


class SpectralSubspace(Subspace):
    r"""Algorithm 1 that keeps every feature and searches only their large directions, learning from samples.

    Parameters
    ----------
    n : int
        Dimension of the examples.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    k : int
        Dimension of the common subspace, at least 1. `Subspace` does not need to know it; this one does.
    epsilon_acc : float, optional
        Error to which a task is learned from scratch, below certified * epsilon; unless given the coarsest that
        `thm-halfspaces-spectral` admits.
    certified : float, default 0.5
        The share of epsilon, in (0, 1], that the best error in the span is taken to exceed after a refusal.
    sizes
        The other keyword arguments of `Subspace`.

    Attributes
    ----------
    features : float64, shape (N, n)
        All vectors learned from scratch.
    eigenvalue : float
        Directions of :math:`\sum\tilde a_i\tilde a_i^\top` with an eigenvalue above this one are searched.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    `thm-halfspaces-spectral`: the eigenvalue is :math:`s^2/4` with
    :math:`s=\sin(\pi\varphi\epsilon-\pi\epsilon_{acc})`, where :math:`\varphi` is `certified`.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]))]
    >>> run = learn_stream(tasks, SpectralSubspace(4, 0.1, k=2))
    >>> run.how, run.representation.span.shape
    (['scratch', 'scratch', 'reused'], (2, 4))
    """

    def __init__(
        self, n: int, epsilon: float, k: int, epsilon_acc: float | None = None, *, certified: float = 0.5, **sizes: Any
    ) -> None:
        share = number("certified", certified, low=0.0, high=1.0, open_low=True)
        super().__init__(n, epsilon, **sizes)
        self.epsilon_acc, self.eigenvalue = _spectral_threshold(k, share * self.epsilon, epsilon_acc)

    @property
    def span(self) -> FloatArray:
        """Orthonormal rows that span what is searched for a hypothesis."""
        return _large_directions(self.features, self.eigenvalue)


class ExactSpectralSubspace(ExactSubspace):
    r"""Algorithm 1 that keeps every feature and searches only their large directions, with exact oracles.

    Parameters
    ----------
    n : int
        Dimension of the examples.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    k : int
        Dimension of the common subspace, at least 1.
    epsilon_acc : float, optional
        Error of a vector learned from scratch, below `epsilon`: exactly this. Unless given it is the coarsest
        that `thm-halfspaces-spectral` admits.
    direction : {"random", "common", "fresh"}
        Where the error points, as in `ExactSubspace`.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the random directions.

    Attributes
    ----------
    features : float64, shape (N, n)
        All vectors learned from scratch.
    best : list of float
        The best error in the span that was searched, at each attempt.
    eigenvalue : float
        Directions of :math:`\sum\tilde a_i\tilde a_i^\top` with an eigenvalue above this one are searched.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    For the study of `thm-halfspaces-spectral` apart from sampling; like `ExactSubspace` it reads the target.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(4)) for w in ([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0])]
    >>> run = learn_stream(tasks, ExactSpectralSubspace(4, 0.1, 2, direction="fresh"))
    >>> run.how, run.representation.span.shape
    (['scratch', 'scratch', 'reused'], (2, 4))
    """

    def __init__(
        self,
        n: int,
        epsilon: float,
        k: int,
        epsilon_acc: float | None = None,
        direction: Direction = "random",
        *,
        rng: Any = None,
    ) -> None:
        super().__init__(n, epsilon, 0.0, direction, rng=rng)
        self.epsilon_acc, self.eigenvalue = _spectral_threshold(k, self.epsilon, epsilon_acc)

    @property
    def span(self) -> FloatArray:
        """Orthonormal rows that span what is searched for a hypothesis."""
        return _large_directions(self.features, self.eigenvalue)


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
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
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


class RobustSubspace(Subspace):
    """Algorithm 1 with a test that survives wrong labels, or targets that are no halfspaces.

    Parameters
    ----------
    n : int
        Dimension of the examples.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    epsilon_acc : float, optional
        As in `Subspace`.
    noise : float, default 0
        Known rate of random classification noise, in [0, 1/2): the test allows for it.
    margin : float, optional
        If given, a feature is opened only when the vector from scratch beats the one in the span by more
        than this, on fresh labels.
    sizes : keyword arguments
        The other keyword arguments of `Subspace`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    A rule of this book, not of the paper; with neither `noise` nor `margin` it is `algo-one`. Noise at the rate h
    turns an error e into h + (1 - 2h) e, so that is where the threshold goes. The margin needs
    no knowledge of the noise, but a task that fails the test is then learned from scratch, feature or not.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.halfspaces.tasks import NoisyTask
    >>> from lifelong.loop import learn_stream
    >>> def stream():
    ...     vectors = ([1, 0, 0], [0, 1, 0], *5 * [[1, 1, 0]])
    ...     return [NoisyTask(w, Gaussian(3), 0.2, rng=i) for i, w in enumerate(vectors)]
    >>> learn_stream(stream(), Subspace(3, 0.1)).scratch
    7
    >>> learn_stream(stream(), RobustSubspace(3, 0.1, noise=0.2, fit=20, holdout=100, scratch=20)).scratch
    2
    """

    def __init__(
        self,
        n: int,
        epsilon: float,
        epsilon_acc: float | None = None,
        *,
        noise: float = 0.0,
        margin: float | None = None,
        **sizes: Any,
    ) -> None:
        super().__init__(n, epsilon, epsilon_acc, **sizes)
        self.noise = number("noise", noise, low=0.0, high=0.5, open_high=True)
        self.margin = None if margin is None else number("margin", margin, low=0.0, high=1.0)
        self._rival: FloatArray | None = None

    def _tested(self, task: Any, *hypotheses: FloatArray) -> list[float]:
        """Errors of hypotheses on the same fresh labels."""
        X, y = task.examples(int(np.ceil(self.holdout / self.epsilon)))
        return [float(np.mean(signs(X, w) != y)) for w in hypotheses]

    def reuse(self, task: Any) -> FloatArray | None:
        """Look for a hypothesis in the span, test it, and if there is a margin compare it with one from scratch.

        Parameters
        ----------
        task : HalfspaceTask
            Seen through its oracle, which counts.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector, or None where a feature is to be opened.

        Raises
        ------
        ValueError
            If the task has another dimension.
        """
        same_size("task", task.n, self.features.shape[1], "the representation")
        self._rival = None
        if not len(self.features):
            return None
        basis = self.span
        X, y = task.examples(int(np.ceil(self.fit * len(basis) / self.epsilon)))
        try:
            hypothesis: FloatArray = self.learner(X @ basis.T, y) @ basis
        except NotSeparableError:
            return None
        if self._tested(task, hypothesis)[0] <= self.noise + (1 - 2 * self.noise) * self.threshold * self.epsilon:
            return hypothesis
        if self.margin is None:
            return None
        rival = super().learn(task)[1]
        ours, theirs = self._tested(task, hypothesis, rival)
        if ours - theirs <= self.margin:
            return hypothesis
        self._rival = rival
        return None

    def learn(self, task: Any) -> tuple[How, FloatArray]:
        """The vector from scratch that won the comparison, or a new one.

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
        return super().learn(task) if self._rival is None else ("scratch", self._rival)
