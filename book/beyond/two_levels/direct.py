"""Algorithm 2 without its first level: few of all the features that were learned from scratch (beyond the paper)."""

from itertools import combinations

import numpy as np

from lifelong._checks import FloatArray, number
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.angles import angle_to_subspace
from lifelong.halfspaces.oracles import Oracle
from lifelong.halfspaces.tasks import SignTask
from lifelong.loop import How


def direct(targets: FloatArray, answers: FloatArray, tau: int, epsilon: float) -> list[int]:
    """Which answers the direct learner, with no level below, keeps as features: exact oracles, a Gaussian law."""
    kept: list[int] = []
    for i, a in enumerate(targets):
        few = combinations(kept, min(tau, len(kept)))
        spans = [answers[list(S)] for S in few]
        away = min(angle_to_subspace(a, span) for span in spans)
        if away > np.pi * epsilon:  # 1 fails
            kept.append(i)  # 2
    return kept


class SparseDictionary(TwoLevels):
    """The direct learner: life-long learning of halfspaces that combine few features, with no level below these."""

    def __init__(
        self, n: int, epsilon: float, *, tau: int, epsilon_acc: float | None = None, oracle: Oracle | None = None
    ) -> None:
        if epsilon_acc is not None:  # in the words of this class, before the other one speaks of two levels
            number("epsilon_acc", epsilon_acc, "(0, 0.5)")
        super().__init__(
            n, epsilon, tau=tau, epsilon_acc_second=epsilon_acc, epsilon_acc_first=epsilon_acc, oracle=oracle
        )
        self.epsilon_acc = self.epsilon_acc_first = self.epsilon_acc_second

    def learn(self, task: SignTask) -> tuple[How, FloatArray]:
        """Learn to the error `epsilon_acc` with the original variables."""
        return "scratch", self.oracle.afresh(task, self.epsilon_acc)
