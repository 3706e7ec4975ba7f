"""Corollary 2: Algorithm 4 over the candidates of an autoencoder, with Winnow (Section 4.4)."""

from typing import Protocol

import numpy as np

from lifelong._checks import BoolArray, FloatArray, integer, number
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.autoencoder import anchor_set_candidates
from lifelong.conjunctions.tasks import EquivalenceTask
from lifelong.loop import How


class ThresholdTask(EquivalenceTask, Protocol):
    """What Winnow asks of a task besides: equivalence queries with thresholds over conjunctions, counted."""

    def equivalent_threshold(self, weights: FloatArray, features: BoolArray, theta: float) -> BoolArray | None:
        """A point on which the target and "the weights of the features outside x sum to less than theta" differ."""


def winnow(task: ThresholdTask, M: BoolArray, k: int, alpha: float = 2.0) -> BoolArray | None:
    """Winnow1 over the features [m_j not inside x]: the union of at most k pieces; None after a mistake too many."""
    w, theta = np.ones(len(M)), len(M) / alpha
    most = bounds.winnow_mistakes(len(M), k=k, alpha=alpha)
    for _ in range(int(most) + 1):
        x = task.equivalent_threshold(w, M, theta)
        if x is None:
            return np.asarray(w @ M >= theta)  # 0 at i alone is false
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
        self.alpha = number("alpha", alpha, low=1.0, high=1e6, open_low=True)
        self.metafeatures = np.ones((1, n), dtype=np.bool_)

    def reuse(self, task: ThresholdTask) -> BoolArray | None:  # type: ignore[override]  # Algorithm 4 asks for less
        """Run Winnow over the metafeatures."""
        return winnow(task, self.metafeatures, self.k, self.alpha)

    def grow(self, how: How, hypothesis: BoolArray) -> None:
        """Intersect with the hypothesis every metafeature whose y lies in it."""
        self.targets = np.vstack([self.targets, hypothesis])
        found = anchor_set_candidates(self.targets, c=self.c)
        missing = 0 if found.all(axis=1).any() else 1
        rest = np.ones((missing, self.n), dtype=np.bool_)
        self.metafeatures = np.vstack([found, rest])
