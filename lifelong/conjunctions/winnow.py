"""Corollary 2: Algorithm 4 over the candidates of an autoencoder, with Winnow (Section 4.4)."""

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, integer, number
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.autoencoder import anchor_set_candidates
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.loop import Counts, How


class ThresholdTask(ConjunctionTask):
    """What Winnow learns: a conjunction that answers equivalence queries with thresholds over features, counted."""

    def equivalent_threshold(self, weights: ArrayLike, features: ArrayLike, theta: float) -> BoolArray | None:
        """Equivalence query for a threshold: false at x where sum_j w_j [feature j is not inside x] >= theta.

        None if that is the target. Else a positive example with as many ones as can be, those of least index first;
        or if there is none all ones but for the least variable of the target for which that is one.

        More ones make the sum smaller. So if the hypothesis is false at any positive example, it is at the indicator of
        the target; and if it is true at any negative example, it is at one with a single 0, in the target.
        """
        w, M = np.asarray(weights, dtype=np.float64), np.asarray(features, dtype=np.bool_).reshape(-1, self.n)
        self.counts += Counts(equivalence=1)
        if np.where((M & ~self.target).any(axis=1), w, 0.0).sum() >= theta:
            return self._fullest(w, M, theta)
        wrong = self.target & (np.where(M.T, w, 0.0).sum(axis=1) < theta)
        return np.arange(self.n) != wrong.argmax() if wrong.any() else None

    def _fullest(self, w: FloatArray, M: BoolArray, theta: float) -> BoolArray:
        """Positive example at which the threshold is met, with a maximal set of ones."""
        point = self.target.copy()
        missing = (M & ~point).sum(axis=1)  # how many variables of each feature are 0
        for i in np.flatnonzero(~point):
            if np.where(missing > M[:, i], w, 0.0).sum() >= theta:
                point[i] = True
                missing = missing - M[:, i]
        return point


def winnow(task: ThresholdTask, M: BoolArray, k: int, alpha: float = 2.0) -> BoolArray | None:
    """Winnow1 over the features [m_j not inside x]: the union of at most k pieces; None after a mistake too many."""
    w, theta = np.ones(len(M)), len(M) / alpha
    most = bounds.winnow_mistakes(len(M), k=k, alpha=alpha)
    for _ in range(int(most) + 1):
        x = task.equivalent_threshold(w, M, theta)
        if x is None:
            # i is in T if the rule says false where only i is 0
            return np.asarray(w @ M >= theta)
        active = (M & ~x).any(axis=1)  # m_j sticks out of x
        says_false = np.where(active, w, 0.0).sum() >= theta
        w[active] *= 0.0 if says_false else alpha
    return None


class WinnowMetafeatures(OnlineMetafeatures):
    """Corollary 2: anchor sets of size c, at most k pieces a target, each task learned by Winnow with factor alpha.

    The metafeatures are, for each set y of at most c variables, the AND of the remembered targets that contain it, and
    all n variables for a y that none of them contains. From scratch as in Algorithm 4.
    """

    def __init__(self, n: int, *, c: int, k: int, alpha: float = 2.0) -> None:
        super().__init__(n)
        self.c, self.k = integer("c", c, least=1), integer("k", k, least=1)
        self.alpha = number("alpha", alpha, "(1, 1e6]")
        self.metafeatures = np.ones((1, n), dtype=np.bool_)

    def reuse(self, task: ThresholdTask) -> BoolArray | None:  # type: ignore[override]  # Algorithm 4 asks for less
        """Run Winnow over the metafeatures."""
        return winnow(task, self.metafeatures, self.k, self.alpha)

    def grow(self, how: How, hypothesis: BoolArray) -> None:
        """Intersect with the hypothesis every metafeature whose y lies in it."""
        self.targets = np.vstack([self.targets, hypothesis])
        found = anchor_set_candidates(self.targets, c=self.c)
        everything = np.ones((1, self.n), dtype=np.bool_)
        self.metafeatures = found if found.all(axis=1).any() else np.vstack([found, everything])
