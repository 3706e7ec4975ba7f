"""Corollary 2: Algorithm 4 over the candidates of an autoencoder, with Winnow (Section 4.4)."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from lifelong._checks import BoolArray, FloatArray, integer, number, one_row
from lifelong._contracts import checked
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.anchor_sets import _candidates
from lifelong.conjunctions.tasks import checked_task
from lifelong.loop import Counts, How

__all__ = [
    "ThresholdTask",
    "WinnowMetafeatures",
]


@runtime_checkable
class ThresholdTask(Protocol):
    """What Winnow asks of a task: equivalence queries with thresholds over conjunctions, counted.

    Notes
    -----
    The oracle of `cor-sparse-auto`; `lifelong.conjunctions.tasks.ConjunctionTask` has it.
    """

    counts: Counts

    @property
    def n(self) -> int:
        """Number of variables."""

    def equivalent_threshold(self, weights: FloatArray, features: BoolArray, theta: float) -> BoolArray | None:
        """A point on which hypothesis and target differ, or None if there is none.

        Parameters
        ----------
        weights : float64, shape (N,)
        features : bool, shape (N, n)
        theta : float
            The hypothesis is false at x where the weights of the features outside x sum to `theta` or more.

        Returns
        -------
        bool, shape (n,), or None
        """


class WinnowMetafeatures(OnlineMetafeatures):
    r"""Corollary 2: anchor-set metafeatures as a representation for the online loop, each task learned by Winnow.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    c : int
        Size of the anchor sets, at least 1.
    k : int
        Sparsity level: how many metafeatures a target may need, at least 1.
    alpha : float, default 2
        Winnow's factor, more than 1.

    Attributes
    ----------
    targets : bool, shape (r, n)
        The targets learned from scratch.
    metafeatures : bool, shape (N, n)
        For each set y of at most c variables the AND of the remembered targets that contain it, and all n
        variables for a y that none of them contains.

    Raises
    ------
    ValueError
        If an argument is out of range.

    See Also
    --------
    lifelong.conjunctions.algorithm4.OnlineMetafeatures : the same loop with anchor variables, by elimination.
    lifelong.conjunctions.bounds.winnow_queries : the bound.

    Notes
    -----
    `cor-sparse-auto`. Over the features [m_j not inside x] a conjunction of metafeatures is the negation of a
    disjunction. Winnow1 predicts it from weights that start at 1 and the threshold N / alpha. A wrong "false" sets
    the weights of the active features to 0, a wrong "true" multiplies them by alpha. If at most k metafeatures
    have the target as their union, there are at most `bounds.winnow_mistakes` mistakes; one more, and the attempt is
    given up. From scratch as in `algo-monomial-anchor-online`.

    References
    ----------
    N. Littlestone, *Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm*, Machine
    Learning 2, 1988, 285-318.

    Examples
    --------
    >>> from lifelong.conjunctions.tasks import ConjunctionTask
    >>> from lifelong.loop import learn_stream
    >>> stream = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1], [1, 1, 0, 0]]
    >>> tasks = [ConjunctionTask(np.array(T, dtype=bool)) for T in stream]
    >>> learn_stream(tasks, WinnowMetafeatures(4, c=1, k=2)).how
    ['scratch', 'scratch', 'reused', 'reused']
    """

    @checked
    def __init__(self, n: int, *, c: int, k: int, alpha: float = 2.0) -> None:
        super().__init__(n)
        self.c, self.k = integer("c", c, least=1), integer("k", k, least=1)
        self.alpha = number("alpha", alpha, low=1.0, high=1e6, open_low=True)
        self.metafeatures = np.ones((1, n), dtype=np.bool_)

    @property
    def budget(self) -> int:
        """Mistakes after which an attempt over the current metafeatures is given up."""
        return int(bounds.winnow_mistakes(len(self.metafeatures), k=self.k, alpha=self.alpha))

    def reuse(self, task: ThresholdTask) -> BoolArray | None:  # type: ignore[override]  # Algorithm 4 asks for less
        """Run Winnow over the metafeatures.

        Parameters
        ----------
        task : ThresholdTask
            Seen through its oracle, which counts.

        Returns
        -------
        bool, shape (n,), or None
            The variables of the target; None once there are more mistakes than the bound allows.

        Raises
        ------
        TypeError
            If the task answers no queries about thresholds.
        ValueError
            If the task has another number of variables.
        """
        task, pieces = checked_task(task, ThresholdTask, self.n), self.metafeatures
        weights, theta = np.ones(len(pieces)), len(pieces) / self.alpha
        for _ in range(self.budget + 1):
            point = task.equivalent_threshold(weights, pieces, theta)
            if point is None:  # the hypothesis is the target: what must be set for it to be true
                target: BoolArray = weights @ pieces >= theta
                return target
            active = ~(~pieces | point).all(axis=1)
            predicted_false = np.where(active, weights, 0.0).sum() >= theta
            weights[active] *= 0.0 if predicted_false else self.alpha
        return None

    @checked
    def grow(self, how: How, hypothesis: BoolArray) -> None:
        """Intersect with the hypothesis every metafeature whose y lies in it.

        Parameters
        ----------
        how : str
            As `learn` returned it.
        hypothesis : bool, shape (n,)
        """
        one_row("hypothesis", hypothesis, self.n, "the representation")
        self.targets = np.vstack([self.targets, hypothesis])
        found, _ = _candidates(self.targets, self.c)
        everything = np.ones((1, self.targets.shape[1]), dtype=np.bool_)
        self.metafeatures = found if found.all(axis=1).any() else np.vstack([found, everything])
