"""Algorithm 5: Algorithm 4 from random examples of a product law (Section 4.3)."""

from __future__ import annotations

import numpy as np

from lifelong._checks import BoolArray, instance, number, same_size
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.bounds import SampleSizes, product_sizes
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.loop import How

__all__ = [
    "ProductLawMetafeatures",
]


class ProductLawMetafeatures(OnlineMetafeatures):
    r"""Algorithm 5: Algorithm 4 with random examples from a product law in place of queries.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    epsilon : float
        Error allowed a problem, in (0, 1).
    delta : float, default 0.05
        Probability with which the run may fail, in (0, 1).
    m : int, optional
        Number of problems, at least 1; needed unless the sizes are given.
    c0 : float, default 0.25
        Every target is true with at least this probability, in (0, 1].
    sizes : SampleSizes, optional
        How many examples to draw; those of `bounds.product_sizes` for `delta`, `m` and `c0` unless given, which make
        the repaired theorem true. `bounds.product_sizes_printed` has the printed ones.

    Attributes
    ----------
    significant : bool, shape (n,), or None
        The variables that are 0 often enough to matter; None before the first problem.
    metafeatures, targets : bool, shape (k, n) and (r, n)
        As in `OnlineMetafeatures`; all of them within the significant variables.

    Raises
    ------
    ValueError
        If an argument is out of range, or the sizes are for another number of variables.

    Notes
    -----
    `algo-monomial-anchor`. A variable is insignificant when it is 0 in fewer than :math:`\epsilon/4n` of the
    unlabelled examples. Examples with a 0 on an insignificant variable are discarded *before* they are labelled, so
    that nothing is paid for them. Every conjunction is the most specific one that fits the positive examples. The
    first problem is treated like the others, with no metafeature at hand.

    Examples
    --------
    >>> from lifelong.laws import BooleanProduct
    >>> from lifelong.loop import learn_stream
    >>> law = BooleanProduct([0.7, 0.8, 0.8, 1.0])
    >>> stream = [[True, True, False, True], [False, True, True, False], [True, True, True, True]]
    >>> tasks = [ConjunctionTask(c, law, rng=seed) for seed, c in enumerate(stream)]
    >>> learner = ProductLawMetafeatures(4, 0.1, 0.05, m=3, c0=0.4)
    >>> run = learn_stream(tasks, learner)
    >>> run.how, learner.significant.astype(int)
    (['scratch', 'scratch', 'reused'], array([1, 1, 1, 0]))
    >>> [task.error(step.hypothesis) for task, step in zip(tasks, run.steps)]
    [0.0, 0.0, 0.0]
    """

    def __init__(
        self,
        n: int,
        epsilon: float,
        delta: float = 0.05,
        *,
        m: int | None = None,
        c0: float = 0.25,
        sizes: SampleSizes | None = None,
    ) -> None:
        super().__init__(n)
        if sizes is None:
            if m is None:
                raise ValueError("m: expected the number of problems, or sizes, got neither")
            sizes = product_sizes(n, m, epsilon, delta, c0)
        instance("sizes", sizes, SampleSizes)
        same_size("sizes", len(sizes.reuse) - 1, n, "n")
        self.epsilon = number("epsilon", epsilon, low=0.0, high=1.0, open_low=True, open_high=True)
        self.sizes = sizes
        self.significant: BoolArray | None = None

    def _significant(self, task: ConjunctionTask) -> BoolArray:
        """The significant variables, found at the first problem from unlabelled examples."""
        n = self.targets.shape[1]
        same_size("task", task.n, n, "the representation")
        if self.significant is None:
            zeros = ~task.unlabelled(self.sizes.unlabelled)
            self.significant = np.asarray(zeros.mean(axis=0) >= self.epsilon / (4 * n))
        return self.significant

    def _fit(self, task: ConjunctionTask, pieces: BoolArray, size: int) -> BoolArray | None:
        """Most specific conjunction of pieces on the examples that matter; None if one of them contradicts it."""
        X, y = task.examples(size, ones=~self._significant(task))
        always = X[y].all(axis=0)
        hypothesis: BoolArray = np.asarray(pieces[(~pieces | always).all(axis=1)].any(axis=0))
        contradicted = (X[~y] | ~hypothesis).all(axis=1).any()
        return None if contradicted else hypothesis

    def reuse(self, task: ConjunctionTask) -> BoolArray | None:
        """Learn over the metafeatures, from s_2 examples.

        Parameters
        ----------
        task : ConjunctionTask
            Seen through its oracle, which counts.

        Returns
        -------
        bool, shape (n,), or None
            The variables of the hypothesis; None when no conjunction of metafeatures fits.

        Raises
        ------
        ValueError
            If the task has another number of variables or no law.
        """
        self._significant(task)
        return self._fit(task, self.metafeatures, self.sizes.reuse[len(self.metafeatures)])

    def learn(self, task: ConjunctionTask) -> tuple[How, BoolArray]:
        """Learn over the significant variables, from s_3 fresh examples.

        Parameters
        ----------
        task : ConjunctionTask
            Seen through its oracle, which counts.

        Returns
        -------
        how : "scratch"
        hypothesis : bool, shape (n,)

        Raises
        ------
        ValueError
            If the task has another number of variables or no law, or its labels fit no conjunction.
        """
        variables = np.eye(self.targets.shape[1], dtype=np.bool_)[self._significant(task)]
        hypothesis = self._fit(task, variables, self.sizes.scratch)
        if hypothesis is None:
            raise ValueError("task: expected a conjunction, got labels that no conjunction explains")
        return "scratch", hypothesis
