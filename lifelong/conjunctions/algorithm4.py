"""Algorithm 4: metafeatures of conjunctions that come one by one (Section 4.2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer, one_row
from lifelong._contracts import checked
from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.conjunctions.tasks import EquivalenceTask, checked_task
from lifelong.loop import How
from lifelong.own_data import BrokenPromiseError

__all__ = [
    "OnlineMetafeatures",
    "OnlineOutput",
    "Remembered",
    "online_metafeatures",
]


class OnlineOutput(NamedTuple):
    """What Algorithm 4 puts out, and what it paid for.

    Parameters
    ----------
    metafeatures : bool, shape (k, n)
        The hypothesised metafeatures after the last target.
    scratch : int64, shape (r,)
        Places in the stream of the targets that were learned from scratch, in increasing order.

    Notes
    -----
    Of `algo-monomial-anchor-online`.

    Examples
    --------
    >>> online_metafeatures([[True, False], [True, False]]).scratch
    array([0])
    """

    metafeatures: BoolArray
    scratch: NDArray[np.int64]


def online_metafeatures(targets: ArrayLike) -> OnlineOutput:
    """Algorithm 4: metafeatures of targets that are provided online.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row, in the order of the stream; m may be 0.

    Returns
    -------
    metafeatures : bool, shape (k, n)
        The hypothesised metafeatures after the last target.
    scratch : int64, shape (r,)
        Places of the targets that were no conjunction of the metafeatures of the time, and cost 1.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    See Also
    --------
    OnlineMetafeatures : the same where targets are learned by queries, and not provided.

    Notes
    -----
    The box of `algo-monomial-anchor-online`; `thm-online-sharp` says how many targets are learned from scratch.

    Examples
    --------
    >>> found = online_metafeatures([[True, True, False], [False, True, True], [True, True, True]])
    >>> found.scratch, found.metafeatures.astype(int).tolist()
    (array([0, 1]), [[1, 1, 0], [0, 1, 1]])
    """
    T = bool_array("targets", targets, axes=2)
    scratch: list[int] = []  # the targets T[scratch] are the set TS of the box
    M = T[:0]
    for r in range(len(T)):
        if represent(T[r], M) is None:
            scratch.append(r)
            M = metafeatures(T[scratch])
    return OnlineOutput(M, np.array(scratch, dtype=np.int64))


class Remembered:
    """What the representations that follow Algorithm 4 have in common: targets, and their metafeatures.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.

    Attributes
    ----------
    metafeatures : bool, shape (k, n)
        The current metafeatures.
    targets : bool, shape (r, n)
        The hypotheses learned from scratch, all that is remembered.

    Raises
    ------
    ValueError
        If `n` is not a positive integer.

    Notes
    -----
    The set TS of `algo-monomial-anchor-online`, and what is done with a target that joins it.

    Examples
    --------
    >>> kept = Remembered(2)
    >>> kept.grow("scratch", np.array([True, True]))
    >>> kept.metafeatures.astype(int).tolist()
    [[1, 1]]
    """

    @checked
    def __init__(self, n: int) -> None:
        n = integer("n", n, least=1)
        self.targets = np.empty((0, n), dtype=np.bool_)
        self.metafeatures = self.targets

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.targets.shape[1]

    @checked
    def grow(self, how: How, hypothesis: BoolArray) -> None:
        """Remember the hypothesis and find the fewest metafeatures again.

        Parameters
        ----------
        how : str
            As `learn` returned it.
        hypothesis : bool, shape (n,)
        """
        one_row("hypothesis", hypothesis, self.n, "the representation")
        self.targets = np.vstack([self.targets, hypothesis])
        self.metafeatures = metafeatures(self.targets)


class OnlineMetafeatures(Remembered):
    """Algorithm 4 with the equivalence queries of Corollary 1 in place of provided targets, for the online loop.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.

    Attributes
    ----------
    metafeatures : bool, shape (k, n)
        The current metafeatures.
    targets : bool, shape (r, n)
        The hypotheses learned from scratch, all that the algorithm remembers.

    Raises
    ------
    ValueError
        If `n` is not a positive integer.

    See Also
    --------
    online_metafeatures : the box itself, for targets that are provided.
    lifelong.conjunctions.algorithm5.ProductLawMetafeatures : the same from random examples.

    Notes
    -----
    `algo-monomial-anchor-online` with the equivalence queries of `cor-equivalence`: over the metafeatures the most
    specific conjunction is refined by positive counterexamples; a negative one shows that no
    conjunction of metafeatures is the target. From scratch the same is done over the variables.

    Examples
    --------
    >>> from lifelong.conjunctions.tasks import ConjunctionTask
    >>> from lifelong.loop import learn_stream
    >>> tasks = [ConjunctionTask([True, True, False]), ConjunctionTask([True, True, False])]
    >>> run = learn_stream(tasks, OnlineMetafeatures(3))
    >>> run.how, [step.equivalence for step in run.steps]
    (['scratch', 'reused'], [3, 1])
    """

    def reuse(self, task: EquivalenceTask) -> BoolArray | None:
        """Learn over the metafeatures.

        Parameters
        ----------
        task : EquivalenceTask
            Seen through its oracle, which counts.

        Returns
        -------
        bool, shape (n,), or None
            The variables of the hypothesis; None when the target is no conjunction of metafeatures.

        Raises
        ------
        ValueError
            If the task has another number of variables.
        TypeError
            If it is a task of another kind.
        """
        return _eliminate(checked_task(task, EquivalenceTask, self.n), self.metafeatures)

    def learn(self, task: EquivalenceTask) -> tuple[How, BoolArray]:
        """Learn over the variables.

        Parameters
        ----------
        task : EquivalenceTask
            Seen through its oracle, which counts.

        Returns
        -------
        how : "scratch"
        hypothesis : bool, shape (n,)

        Raises
        ------
        BrokenPromiseError
            If the answers of the task fit no conjunction.
        ValueError
            If the task has another number of variables.
        TypeError
            If it is a task of another kind.
        """
        hypothesis = _eliminate(checked_task(task, EquivalenceTask, self.n), np.eye(self.n, dtype=np.bool_))
        if hypothesis is None:
            raise BrokenPromiseError("task: expected a conjunction, got counterexamples that no conjunction explains")
        return "scratch", hypothesis


def _eliminate(task: EquivalenceTask, pieces: BoolArray) -> BoolArray | None:
    """Learn a conjunction of pieces from equivalence queries; None if there is none.

    Starts from all pieces and drops those that a positive counterexample falsifies, so the hypothesis stays
    the most specific one: a negative counterexample ends the attempt.
    """
    while True:
        hypothesis: BoolArray = np.asarray(pieces.any(axis=0))
        point = task.equivalent(hypothesis)
        if point is None:
            return hypothesis
        kept = (~pieces | point).all(axis=1)
        if kept.all():
            return None
        pieces = pieces[kept]
