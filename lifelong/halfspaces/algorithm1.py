"""Algorithm 1: lifelong learning of halfspaces in a shared subspace (Section 3)."""

from collections.abc import Callable

import numpy as np

from lifelong._checks import FloatArray, function, integer, number, require, speaks
from lifelong.halfspaces.angles import orthonormal_rows
from lifelong.halfspaces.oracles import Oracle, Sampled
from lifelong.halfspaces.tasks import SignTask
from lifelong.loop import How


class SharedSubspace:
    """Algorithm 1: lifelong learning of halfspaces whose normals lie near a common subspace.

    Parameters
    ----------
    n : int
        Dimension of the examples, at least 1.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    epsilon_acc : float, optional
        Error to which a task is learned from scratch, in [0, 1/2); a fifth of `epsilon` unless given. Only an exact
        oracle reaches 0.
    oracle : lifelong.halfspaces.oracles.Oracle, optional
        Answers the two questions of Algorithm 1; `oracles.Sampled` unless given, from counted labels.
    searched : callable, default `angles.orthonormal_rows`
        Takes the features, shape (k~, n), to orthonormal (or zero) rows that span what is searched for a hypothesis:
        all their span, or a part of it.

    Attributes
    ----------
    features : float64, shape (k~, n)
        The learned vectors, the matrix W~ of the paper; other vectors may be put in their place, not into them.

    Raises
    ------
    TypeError
        If `oracle` is no Oracle.
    ValueError
        If an argument is out of range.

    Notes
    -----
    `algo-one`. Nothing of a task is kept but its vector: features here; the run has the rest.

    See Also
    --------
    lifelong.halfspaces.algorithm2.TwoLevels : the same with metafeatures of metafeatures.

    Examples
    --------
    >>> from lifelong.halfspaces.tasks import HalfspaceTask
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> normals = [1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=0) for w in normals]
    >>> run = learn_stream(tasks, SharedSubspace(4, 0.1))
    >>> run.how, run.representation.features.shape
    (['scratch', 'scratch', 'reused'], (2, 4))

    With exact answers no label is needed:

    >>> from lifelong.halfspaces.oracles import Exact
    >>> learner = SharedSubspace(4, 0.1, epsilon_acc=0.01, oracle=Exact("fresh"))
    >>> exact = learn_stream(tasks, learner)
    >>> exact.how, exact.counts.labels, [f"{x:.4f}" for x in learner.oracle.best]
    (['scratch', 'scratch', 'reused'], 0, ['0.5000', '0.5000', '0.0100'])
    """

    classes = (-1, 1)

    def __init__(
        self,
        n: int,
        epsilon: float,
        *,
        epsilon_acc: float | None = None,
        oracle: Oracle | None = None,
        searched: Callable[[FloatArray], FloatArray] = orthonormal_rows,
    ) -> None:
        self.n = integer("n", n, least=1)
        self.epsilon = number("epsilon", epsilon, "(0, 0.5)")
        self.epsilon_acc = number("epsilon_acc", self.epsilon / 5 if epsilon_acc is None else epsilon_acc, "[0, 0.5)")
        self.oracle = speaks("oracle", Sampled() if oracle is None else oracle, Oracle)
        self.searched = function("searched", searched, "(features) -> rows")
        self.W = np.empty((0, self.n))

    def reuse(self, task: SignTask) -> FloatArray | None:
        """A hypothesis in the span of W~, or None."""
        # 2, 2(a): within the span of W~
        return self.oracle.within(task, self.span, self.epsilon)

    def learn(self, task: SignTask) -> tuple[How, FloatArray]:
        """A hypothesis from the original variables."""
        # 1, 2(b): more accurately, for what comes
        a = self.oracle.afresh(task, self.epsilon_acc)
        return "scratch", a

    def grow(self, how: How, a: FloatArray) -> None:
        """One feature more."""
        self.W = np.vstack([self.W, a])  # 1, 2(b): a row of W~

    @property
    def W(self) -> FloatArray:
        """The learned vectors, the matrix W~ of the paper, shape (k~, n); replace it whole, not in part."""
        return self._W

    @W.setter
    def W(self, rows: FloatArray) -> None:
        self._W = np.array(rows, dtype=np.float64)
        self._W.setflags(write=False)
        self.span = self.searched(self._W)  # once, not for every task
        off = np.abs(self.span @ self.span.T - np.diag(self.span.any(axis=1)))
        require((off < 1e-8).all(), "searched", "orthonormal or zero rows", self.span)

    features = W
