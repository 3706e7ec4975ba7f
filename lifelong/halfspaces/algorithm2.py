"""Algorithm 2: lifelong learning of halfspaces with two levels of metafeatures (Section 3)."""

import numpy as np

from lifelong._checks import FloatArray, integer, number, speaks
from lifelong.halfspaces.oracles import Oracle, Sampled, Subsets
from lifelong.halfspaces.tasks import SignTask
from lifelong.loop import How


class TwoLevels:
    """Algorithm 2: lifelong learning of halfspaces with metafeatures of metafeatures.

    A task is tried three times, from the cheapest way to the dearest: with tau of the second-level features, with
    all of the first level, and with the original variables. The first attempt that succeeds decides what is kept.

    Parameters
    ----------
    n : int
        Dimension of the examples, at least 1.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    tau : int
        How many second-level features a hypothesis may combine, at least 1.
    epsilon_acc_second : float, optional
        Error of a vector combined from the first level; a quarter of `epsilon` unless given.
    epsilon_acc_first : float, optional
        Error of a vector learned from scratch; a quarter of `epsilon_acc_second` unless given.
    oracle : lifelong.halfspaces.oracles.Oracle, optional
        Answers the questions of Algorithm 2; `oracles.Sampled` unless given, from counted labels.

    Attributes
    ----------
    features : float64, shape (k~, n)
        The first level, the matrix W~ of the paper.
    second : float64, shape (r~, k~)
        The second level, the matrix U~, padded with zeros.

    Raises
    ------
    TypeError
        If `oracle` is no Oracle.
    ValueError
        If an argument is out of range.

    Notes
    -----
    `algo-two`. Nothing of a task is kept but its vector: features here; the run has the rest. The theorem
    `thm-two-levels-repaired` takes ``epsilon / (10 * tau)`` and a fifth of it; the accuracies that are taken unless
    given are cheaper, and without its promise.

    See Also
    --------
    lifelong.halfspaces.algorithm1.SharedSubspace : one level.

    Examples
    --------
    >>> from lifelong.halfspaces.tasks import HalfspaceTask
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> targets = ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [2, 2, 2, 0.01], [1, 0, -1, 0])
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(targets)]
    >>> run = learn_stream(tasks, TwoLevels(4, 0.1, tau=2))
    >>> run.how
    ['scratch', 'scratch', 'scratch', 'composed', 'reused', 'reused']

    With exact answers no label is needed:

    >>> from lifelong.halfspaces.oracles import Exact
    >>> exact = TwoLevels(4, 0.1, tau=2, epsilon_acc_second=0.01, epsilon_acc_first=0.001, oracle=Exact(rng=0))
    >>> learn_stream(tasks[:4], exact).counts.labels, exact.second.shape
    (0, (4, 3))
    """

    classes = (-1, 1)

    def __init__(
        self,
        n: int,
        epsilon: float,
        *,
        tau: int,
        epsilon_acc_second: float | None = None,
        epsilon_acc_first: float | None = None,
        oracle: Oracle | None = None,
    ) -> None:
        self.n, self.tau = integer("n", n, least=1), integer("tau", tau, least=1)
        self.epsilon = number("epsilon", epsilon, "(0, 0.5)")
        second = self.epsilon / 4 if epsilon_acc_second is None else epsilon_acc_second
        self.epsilon_acc_second = number("epsilon_acc_second", second, "(0, 0.5)")
        first = self.epsilon_acc_second / 4 if epsilon_acc_first is None else epsilon_acc_first
        self.epsilon_acc_first = number("epsilon_acc_first", first, "(0, 0.5)")
        self.oracle = speaks("oracle", Sampled() if oracle is None else oracle, Oracle)
        self.W: FloatArray = np.empty((0, self.n))
        self.U: list[FloatArray] = []  # rows of U~, as long as W~ was at the time
        self.few = Subsets(self.n, self.tau)  # of the rows of U~ W~

    def reuse(self, task: SignTask) -> FloatArray | None:
        """A combination of tau rows of U~ W~, or None."""
        # 3, 3(a): sparsely
        return self.oracle.within(task, self.few, self.epsilon)

    def learn(self, task: SignTask) -> tuple[How, FloatArray]:
        """A combination of the first level; else from the original variables."""
        span, eps = self.few.frame, self.epsilon_acc_second
        a = self.oracle.within(task, span, eps)  # the span of W~
        if a is not None:  # 3(b)(a)
            return "composed", a
        a = self.oracle.afresh(task, self.epsilon_acc_first)
        return "scratch", a  # 1, 2 and 3(b)(b)

    def grow(self, how: How, a: FloatArray) -> None:
        """One row more of U~, and after learning from scratch one of W~."""
        if how == "scratch":  # 1, 2, 3(b)(b): of both levels
            self.W = np.vstack([self.W, a])
            u = np.eye(len(self.W))[-1]
        else:  # 3(b)(a)
            u = np.linalg.lstsq(self.W.T, a, rcond=None)[0]
        self.U.append(u)
        self.few.add(a)

    @property
    def features(self) -> FloatArray:
        """The first level W~, shape (k~, n)."""
        return self.W

    @property
    def second(self) -> FloatArray:
        """The second level U~, shape (r~, k~): coefficients of its features over the first level."""
        return np.array([np.pad(u, (0, len(self.W) - len(u))) for u in self.U]).reshape(len(self.U), len(self.W))
