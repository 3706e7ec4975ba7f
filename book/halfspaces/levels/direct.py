"""Algorithm 2 without its first level: few of all the features that were learned from scratch (beyond the paper)."""

from __future__ import annotations

from lifelong._checks import FloatArray, number
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.oracles import Oracle
from lifelong.halfspaces.tasks import SignTask
from lifelong.loop import How

__all__ = ["SparseDictionary"]


class SparseDictionary(TwoLevels):
    """The direct learner: life-long learning of halfspaces that combine few features, with no level below these.

    A task is tried twice: with tau of the features, and with the original variables.

    Parameters
    ----------
    n : int
        Dimension of the examples, at least 1.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    tau : int
        How many features a hypothesis may combine, at least 1.
    epsilon_acc : float, optional
        Error to which a task is learned from scratch, in (0, 1/2); a quarter of `epsilon` unless given.
    oracle : lifelong.halfspaces.oracles.Oracle, optional
        Answers whether few features will do, and learns afresh; `oracles.SampledLevels` unless given.

    Attributes
    ----------
    features : float64, shape (r~, n)
        The vectors learned from scratch: the dictionary.

    Raises
    ------
    TypeError
        If `oracle` is no LevelOracle.
    ValueError
        If an argument is out of range.

    Notes
    -----
    `algo-two` without its dense attempt, so that nothing is learned more accurately than a feature of the second
    level must be. How many features it opens: `prop-direct-plane` and `thm-direct`.

    See Also
    --------
    lifelong.halfspaces.algorithm2.TwoLevels : with a first level, which pays where there are very many subspaces.
    lifelong_book.halfspaces.levels.limits.plane_features : how many features a plane opens.

    Examples
    --------
    >>> from lifelong.halfspaces.tasks import HalfspaceTask
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> targets = ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [2, 2, 2, 0], [0, 1, -1, 0])
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(targets)]
    >>> learn_stream(tasks, SparseDictionary(4, 0.1, tau=2)).how
    ['scratch', 'scratch', 'scratch', 'reused', 'scratch', 'reused']
    """

    def __init__(
        self,
        n: int,
        epsilon: float,
        *,
        tau: int,
        epsilon_acc: float | None = None,
        oracle: Oracle | None = None,
    ) -> None:
        if epsilon_acc is not None:  # in the words of this class, before the other one speaks of two levels
            number("epsilon_acc", epsilon_acc, low=0.0, high=0.5, open_low=True, open_high=True)
        super().__init__(
            n, epsilon, tau=tau, epsilon_acc_second=epsilon_acc, epsilon_acc_first=epsilon_acc, oracle=oracle
        )
        self.epsilon_acc = self.epsilon_acc_first = self.epsilon_acc_second

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
        return "scratch", self.oracle.afresh(task, self.epsilon_acc)
