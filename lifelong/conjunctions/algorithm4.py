"""Algorithm 4: metafeatures of conjunctions that come one by one (Section 4.2)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer
from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.conjunctions.tasks import EquivalenceTask
from lifelong.loop import How
from lifelong.own_data import BrokenPromiseError


class OnlineOutput(NamedTuple):
    """What Algorithm 4 puts out: metafeatures (k, n), and the places of the targets learned from scratch."""

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
    TS: list[int] = []  # step 1, by places
    M = T[:0]
    for r in range(len(T)):  # step 2
        if represent(T[r], M) is None:  # learned from scratch
            TS.append(r)
            M = metafeatures(T[TS])
    return OnlineOutput(M, np.array(TS, dtype=np.int64))


class OnlineMetafeatures:
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

    classes = (False, True)

    def __init__(self, n: int) -> None:
        self.n = integer("n", n, least=1)
        self.targets = np.empty((0, n), dtype=np.bool_)  # TS, step 1
        self.metafeatures = self.targets

    def reuse(self, task: EquivalenceTask) -> BoolArray | None:
        """Learn over the metafeatures; None if the target is no conjunction of them."""
        return eliminate(task, self.metafeatures)

    def learn(self, task: EquivalenceTask) -> tuple[How, BoolArray]:
        """Learn over the variables."""
        T = eliminate(task, np.eye(self.n, dtype=np.bool_))
        if T is None:
            raise BrokenPromiseError("task: expected a conjunction, got counterexamples that no conjunction explains")
        return "scratch", T

    def grow(self, how: How, hypothesis: BoolArray) -> None:
        """Add the target to TS, and run Algorithm 3."""
        self.targets = np.vstack([self.targets, hypothesis])
        self.metafeatures = metafeatures(self.targets)


def eliminate(task: EquivalenceTask, M: BoolArray) -> BoolArray | None:
    """How Algorithm 4 learns by equivalence queries: of the pieces, drop what a counterexample falsifies."""
    while (x := task.equivalent(np.asarray(M.any(axis=0)))) is not None:
        true = (M <= x).all(axis=1)
        if true.all():
            return None  # no conjunction of pieces
        M = M[true]
    return np.asarray(M.any(axis=0))
