"""Oracles of Algorithm 2: they also answer whether few of the second-level features span a good hypothesis."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray, RNGLike, instance, integer, rows_in, same_size
from lifelong._contracts import checked
from lifelong.halfspaces.angles import angle, unit
from lifelong.halfspaces.learners import Learner, logistic_halfspace
from lifelong.halfspaces.oracles import Exact, Labels, Oracle, Sampled, spanning, target_of
from lifelong.halfspaces.sparse import SubsetBases, few_weights
from lifelong.halfspaces.tasks import HalfspaceTask, SignTask, signs

__all__ = [
    "ExactLevels",
    "LevelOracle",
    "SampledLevels",
    "Sparse",
]


Attempt = Literal["sparse", "dense", "scratch"]


class Sparse(NamedTuple):
    """A hypothesis that combines few of the second-level features.

    Parameters
    ----------
    support : int64, shape (tau,)
        Which features; all of them while there are fewer.
    vector : float64, shape (d,)
        The hypothesis, of any length, in the coordinates in which the features were given.

    Notes
    -----
    A row of the matrix C~ of `algo-two`, before it is written in coefficients.

    Examples
    --------
    >>> Sparse(np.array([0, 2]), np.array([1.0, 0.5])).support
    array([0, 2])
    """

    support: NDArray[np.int64]
    vector: FloatArray


@runtime_checkable
class LevelOracle(Oracle, Protocol):
    """What `algo-two` asks about a task: `within` and `afresh` as Algorithm 1 does, and before them `sparsely`.

    Notes
    -----
    The three attempts of the box of `algo-two`, from the cheapest to the dearest; `sparsely` comes first for
    every task.
    """

    def sparsely(self, task: Any, subsets: SubsetBases, frame: FloatArray, error: float) -> Sparse | None:
        """Look for a hypothesis in the spans of few features.

        Parameters
        ----------
        task : task of Section 3
        subsets : SubsetBases
            The second-level features and their subsets, in coordinates of the frame; there may be none.
        frame : float64, shape (d, n)
            Orthonormal rows.
        error : float
            What the hypothesis is allowed, in (0, 1/2).

        Returns
        -------
        Sparse or None
            None where every subset is refused.
        """


class _Billing:
    """A bill for every task: labels for each of the three attempts."""

    bill: list[dict[str, int]]

    def _pay(self, attempt: Attempt, labels: int) -> None:
        if attempt == "sparse" or not self.bill:  # the first attempt at a task
            self.bill.append({"sparse": 0, "dense": 0, "scratch": 0})
        self.bill[-1][attempt] += labels


class SampledLevels(_Billing, Sampled):
    """Answers for Algorithm 2 learned from labelled examples, all of which the task counts.

    Parameters
    ----------
    learner : callable (X, y) -> unit vector, default `learners.logistic_halfspace`
        As in `lifelong.halfspaces.oracles.Sampled`.
    best : int, default 20
        Subsets of features that are fitted: the best by their moment score.
    sampled
        The other keyword arguments of `Sampled`: `scratch_learner`, `labels` and `threshold`.

    Attributes
    ----------
    bill : list of dict
        What each task paid in labels for each of the attempts "sparse", "dense" and "scratch".

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    For `algo-two`. Each of the first two attempts fits on fresh labels and is tested on a holdout at `threshold` of the
    error allowed. The moment score of a subset is the share of the mean of y x that its span holds, which points along
    the target under a rotation-invariant law.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> subsets = SubsetBases(1)
    >>> for feature in np.eye(3)[:2]:
    ...     subsets.add(feature)
    >>> oracle, task = SampledLevels(), HalfspaceTask([0, 1, 0], Gaussian(3), rng=0)
    >>> oracle.sparsely(task, subsets, np.eye(3), 0.1).support, oracle.bill
    (array([1]), [{'sparse': 268, 'dense': 0, 'scratch': 0}])
    """

    def __init__(self, learner: Learner = logistic_halfspace, *, best: int = 20, **sampled: Any) -> None:
        super().__init__(learner, **sampled)
        self.best = integer("best", best, least=1)
        self.bill = []

    @checked
    def sparsely(self, task: SignTask, subsets: SubsetBases, frame: FloatArray, error: float) -> Sparse | None:
        """Fit the best-scored subsets of features, and test the fit that errs least on a holdout.

        Parameters
        ----------
        task : SignTask
            Seen through its oracle, which counts.
        subsets : SubsetBases
        frame : float64, shape (d, n)
        error : float

        Returns
        -------
        Sparse or None
            None when there are no features or the holdout refuses the fit.
        """
        rows_in("frame", frame, task.n, "the task")
        before, found = task.counts.labels, None
        if len(subsets.vectors):
            same_size("frame", len(frame), subsets.vectors.shape[1], "the subsets")
            X, y = task.examples(self.labels.sparse(len(subsets.vectors), subsets.tau, error)[0])
            found = self._best(X @ frame.T, y, subsets)
            found = found if self.passes(task, found.vector @ frame, error) else None
        self._pay("sparse", task.counts.labels - before)
        return found

    def _best(self, X: FloatArray, y: NDArray[np.int64], subsets: SubsetBases) -> Sparse:
        """The combination of few features that errs least on examples, of the best-scored subsets."""
        order = np.argsort(-subsets.share(y @ X / len(X)), kind="stable")[: self.best]
        fits = [few_weights(X @ subsets.bases[i].T, y) @ subsets.bases[i] for i in order]
        chosen = int(np.argmin([np.mean(signs(X, w) != y) for w in fits]))
        return Sparse(subsets.supports[order[chosen]], fits[chosen])

    @checked
    def within(self, task: SignTask, basis: FloatArray, error: float) -> FloatArray | None:
        """Fit a hypothesis in a span, and test it on a holdout.

        Parameters
        ----------
        task : SignTask
            Seen through its oracle, which counts.
        basis : float64, shape (k, n)
            Rows that span.
        error : float

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when the span is refused.
        """
        before = task.counts.labels
        found = super().within(task, basis, error)
        self._pay("dense", task.counts.labels - before)
        return found

    @checked
    def afresh(self, task: SignTask, error: float) -> FloatArray:
        """Learn to about an error with the original variables.

        Parameters
        ----------
        task : SignTask
            Seen through its oracle, which counts.
        error : float

        Returns
        -------
        float64, shape (n,)
            A unit vector.
        """
        before = task.counts.labels
        found = super().afresh(task, error)
        self._pay("scratch", task.counts.labels - before)
        return found


class ExactLevels(_Billing, Exact):
    """Exact answers for Algorithm 2, read off the target, and the bill that samples would have run up.

    Parameters
    ----------
    direction, rng
        As in `lifelong.halfspaces.oracles.Exact`. A vector kept in either level has exactly the error of its level, not
        less; one of the second level stays in the span of the first, as it must.
    labels : Labels, optional
        How many labels an answer is billed: what `SampledLevels` would have drawn.

    Attributes
    ----------
    bill : list of dict
        Labels that each task would have paid for the attempts "sparse", "dense" and "scratch".
    best : list of float
        The best error of a sparse combination at each attempt, 1/2 while there are no features.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    `algo-two` as its box is meant. It draws no example and needs a rotation-invariant law. The bill is a model, not a
    measurement. Where the span of the first level has no room for an error, the error of a second-level vector is as
    small as it comes out.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> oracle, task = ExactLevels(), HalfspaceTask([0, 1, 1], Gaussian(3))
    >>> error = task.error(oracle.within(task, np.eye(3)[1:], 0.01))
    >>> f"{error:.4f}", oracle.bill, task.counts.labels
    ('0.0100', [{'sparse': 0, 'dense': 2800, 'scratch': 0}], 0)
    """

    def __init__(
        self,
        direction: Literal["random", "common", "fresh"] = "random",
        *,
        labels: Labels | None = None,
        rng: RNGLike = None,
    ) -> None:
        super().__init__(direction, rng=rng)
        self.labels = Labels() if labels is None else labels
        instance("labels", self.labels, Labels)
        self.bill = []

    @checked
    def sparsely(self, task: HalfspaceTask, subsets: SubsetBases, frame: FloatArray, error: float) -> Sparse | None:
        """Take the best combination of few features, if its error is at most that allowed.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.
        subsets : SubsetBases
        frame : float64, shape (d, n)
        error : float

        Returns
        -------
        Sparse or None
            None when no combination is good enough.

        Raises
        ------
        TypeError
            If the task has no target.
        ValueError
            If its law is not rotation-invariant.
        """
        target, features = target_of(task), len(subsets.vectors)
        self._pay("sparse", sum(self.labels.sparse(features, subsets.tau, error)) if features else 0)
        if not features:
            self.best.append(0.5)
            return None
        coordinates = frame @ target
        # squared cosines tell small angles apart only down to 1e-8: the few best are measured again
        few = np.argsort(-subsets.share(coordinates), kind="stable")[:8]
        bases = subsets.bases[few]
        near = ((bases @ coordinates)[:, None, :] @ bases)[:, 0]
        kept = near.any(axis=1)
        errors = np.full(len(few), 0.5)
        errors[kept] = np.asarray(angle(near[kept] @ frame, target)) / np.pi
        chosen = int(errors.argmin())
        self.best.append(float(errors[chosen]))
        return Sparse(subsets.supports[few[chosen]], near[chosen]) if errors[chosen] <= error else None

    @checked
    def within(self, task: HalfspaceTask, basis: FloatArray, error: float) -> FloatArray | None:
        """A vector of a span with exactly the error allowed, if its nearest vector errs no more than that.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.
        basis : float64, shape (k, n)
            Rows that span.
        error : float

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when the span is refused.

        Raises
        ------
        TypeError
            If the task has no target.
        ValueError
            If its law is not rotation-invariant.
        """
        target = target_of(task)
        basis = spanning("basis", basis, task.n)
        if not len(basis):
            return None
        self._pay("dense", sum(self.labels.within(len(basis), error)))
        near = (basis @ target) @ basis
        if not near.any() or angle(near, target) > np.pi * error:
            return None
        return self._tilted(unit(near), target, basis, error)

    def _tilted(self, near: FloatArray, target: FloatArray, basis: FloatArray, error: float) -> FloatArray:
        """Turn the nearest vector within its span until its error is the one allowed."""
        side = (basis @ self._side(len(near))) @ basis
        side = side - (side @ near) * near
        if np.linalg.norm(side) < 1e-8:
            return near
        whole, away = np.pi * error, float(angle(near, target))
        turn = np.arcsin(np.sqrt(np.sin(whole - away) * np.sin(whole + away)) / np.cos(away))  # Pythagoras on a sphere
        tilted: FloatArray = np.cos(turn) * near + np.sin(turn) * unit(side)
        return tilted

    @checked
    def afresh(self, task: HalfspaceTask, error: float) -> FloatArray:
        """A vector at exactly the angle pi * `error` from the target.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.
        error : float
            In (0, 1/2): no bill covers an error of 0.

        Returns
        -------
        float64, shape (n,)
            A unit vector.

        Raises
        ------
        TypeError
            If the task has no target.
        ValueError
            If its law is not rotation-invariant, or no error can point in the wanted direction.
        """
        learned = super().afresh(task, error)
        self._pay("scratch", self.labels.afresh(task.n, error))
        return learned
