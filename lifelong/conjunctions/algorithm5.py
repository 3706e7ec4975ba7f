"""Algorithm 5: Algorithm 4 from random examples of a product law (Section 4.3)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, bool_array, instance, number, same_dimension, same_size
from lifelong._contracts import checked
from lifelong.conjunctions.algorithm4 import Remembered
from lifelong.conjunctions.bounds import SampleSizes, product_sizes
from lifelong.conjunctions.tasks import ExampleTask, checked_task
from lifelong.loop import How
from lifelong.own_data import BrokenPromiseError, place

__all__ = [
    "ProductLawMetafeatures",
    "Rule",
    "most_specific",
]

#: Which conjunction to take of those that fit the examples, or None where none fits.
#: It is given examples (size, n), labels (size,) and pieces (k, n), all bool, and answers with the variables (n,) of a
#: conjunction of pieces.
Rule = Callable[[BoolArray, BoolArray, BoolArray], BoolArray | None]


@checked
def most_specific(X: ArrayLike, y: ArrayLike, pieces: ArrayLike) -> BoolArray | None:
    """The conjunction of all pieces that are true of every positive example.

    Parameters
    ----------
    X : array_like, shape (size, n), bool
        Examples.
    y : array_like, shape (size,), bool
        Their labels.
    pieces : array_like, shape (k, n), bool
        Conjunctions, one a row.

    Returns
    -------
    bool, shape (n,), or None
        The variables of the conjunction; None if a negative example contradicts it, for then it contradicts every
        conjunction of pieces that is true of the positive ones.

    Raises
    ------
    ValueError
        If an argument is not boolean or the shapes do not fit.

    Notes
    -----
    The rule by which `algo-monomial-anchor` finds a consistent conjunction, unless told otherwise.

    Examples
    --------
    >>> X, y = [[True, True, False], [False, True, True]], [True, False]
    >>> most_specific(X, y, np.eye(3, dtype=bool)).astype(int)
    array([1, 1, 0])
    """
    examples, labels = bool_array("X", X, axes=2), np.asarray(y)
    if labels.dtype != np.bool_ or labels.shape != examples.shape[:1]:
        raise ValueError(f"y: expected a boolean label for each of {len(examples)} examples, got {y!r}")
    M = bool_array("pieces", pieces, axes=2)
    same_dimension("pieces", M, examples.shape[1], "X")
    always = examples[labels].all(axis=0)
    hypothesis: BoolArray = np.asarray(M[(~M | always).all(axis=1)].any(axis=0))
    contradicted = (examples[~labels] | ~hypothesis).all(axis=1).any()
    return None if contradicted else hypothesis


class ProductLawMetafeatures(Remembered):
    r"""Algorithm 5: conjunctions from random examples of a product law, as a representation for the online loop.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    epsilon : float
        Error allowed a problem, in (0, 1).
    m : int, optional
        Number of problems, at least 1; needed unless the sizes are given.
    delta : float, default 0.05
        Probability with which the run may fail, in (0, 1).
    c0 : float, default 0.25
        Every target is true with at least this probability, in (0, 1].
    sizes : SampleSizes, optional
        How many examples to draw; those of `bounds.product_sizes` for `m`, `delta` and `c0` unless given, which make
        the repaired theorem true. `bounds.product_sizes_printed` has the printed ones.
    rule : callable, default most_specific
        Which consistent conjunction to take; see `Rule`. The repaired theorem holds for every rule.

    Attributes
    ----------
    significant : bool, shape (n,), or None
        The variables that are 0 often enough to matter; None before the first problem.
    metafeatures : bool, shape (k, n)
        As in Algorithm 4; all of them within the significant variables.
    targets : bool, shape (r, n)
        As in Algorithm 4; all of them within the significant variables.

    Raises
    ------
    ValueError
        If an argument is out of range, or the sizes are for another number of variables.

    See Also
    --------
    lifelong.conjunctions.algorithm4.OnlineMetafeatures : the same with equivalence queries.

    Notes
    -----
    `algo-monomial-anchor`. A variable is insignificant when it is 0 in fewer than :math:`\epsilon/4n` of the
    unlabelled examples. Examples with a 0 on an insignificant variable are discarded *before* they are labelled, so
    that nothing is paid for them. (Step 4(b) of the box says to discard those with a 1, a misprint.)

    Where `sizes.first` is a number, the first problem is step 2 of the box: a sample of that size, a conjunction of
    variables that fits it, and no attempt to reuse. So it is with the printed sizes. Where it is None the first problem
    goes through step 4 like the others, with no metafeature at hand: then a target without a significant variable
    costs one small attempt and is reused, Algorithm 5 is Algorithm 4 on the significant variables from the first
    problem on, and its bound on problems from scratch holds as it stands (`thm-product-anchor-repaired`).

    Examples
    --------
    >>> from lifelong.conjunctions.tasks import ConjunctionTask
    >>> from lifelong.laws import BooleanProduct
    >>> from lifelong.loop import learn_stream
    >>> law = BooleanProduct([0.7, 0.8, 0.8, 1.0])
    >>> stream = [[True, True, False, True], [False, True, True, False], [True, True, True, True]]
    >>> tasks = [ConjunctionTask(c, law, rng=seed) for seed, c in enumerate(stream)]
    >>> learner = ProductLawMetafeatures(4, 0.1, m=3, c0=0.4)
    >>> run = learn_stream(tasks, learner)
    >>> run.how, learner.significant.astype(int)
    (['scratch', 'scratch', 'reused'], array([1, 1, 1, 0]))
    >>> [task.error(step.hypothesis) for task, step in zip(tasks, run.steps)]
    [0.0, 0.0, 0.0]
    """

    @checked
    def __init__(
        self,
        n: int,
        epsilon: float,
        *,
        m: int | None = None,
        delta: float = 0.05,
        c0: float = 0.25,
        sizes: SampleSizes | None = None,
        rule: Rule = most_specific,
    ) -> None:
        super().__init__(n)
        if sizes is None:
            if m is None:
                raise ValueError("m: expected the number of problems, or sizes, got neither")
            sizes = product_sizes(n, epsilon, m=m, delta=delta, c0=c0)
        instance("sizes", sizes, SampleSizes)
        same_size("sizes", len(sizes.reuse) - 1, n, "n")
        self.epsilon = number("epsilon", epsilon, low=0.0, high=1.0, open_low=True, open_high=True)
        self.sizes = sizes
        if not callable(rule):
            raise ValueError(f"rule: expected a function of examples, labels and pieces, got {rule!r}")
        self.rule = rule
        self.significant: BoolArray | None = None

    @property
    def _first(self) -> int | None:
        """Examples of step 2, if the next problem is the one that it learns: afterwards there is a target."""
        return None if len(self.targets) else self.sizes.first

    def _significant(self, task: ExampleTask) -> BoolArray:
        """The significant variables, found at the first problem from unlabelled examples (step 1)."""
        if self.significant is None:
            zeros = ~task.unlabelled(self.sizes.unlabelled)
            self.significant = np.asarray(zeros.mean(axis=0) >= self.epsilon / (4 * self.n))
        return self.significant

    def _fit(self, task: ExampleTask, pieces: BoolArray, size: int) -> BoolArray | None:
        """A conjunction of pieces that fits the examples that matter; None if there is none."""
        return self.rule(*task.examples(size, ones=~self._significant(task)), pieces)

    def reuse(self, task: ExampleTask) -> BoolArray | None:
        """Learn over the metafeatures, from s_2 examples.

        Parameters
        ----------
        task : ExampleTask
            Seen through its oracle, which counts.

        Returns
        -------
        bool, shape (n,), or None
            The variables of the hypothesis; None when no conjunction of metafeatures fits, and at the first problem
            where that is learned apart.

        Raises
        ------
        ValueError
            If the task has another number of variables or no law.
        TypeError
            If it is a task of another kind.
        """
        checked = checked_task(task, ExampleTask, self.n)
        self._significant(checked)
        if self._first is not None:
            return None
        return self._fit(checked, self.metafeatures, self.sizes.reuse[len(self.metafeatures)])

    def learn(self, task: ExampleTask) -> tuple[How, BoolArray]:
        """Learn over the significant variables, from s_3 fresh examples; at the first problem see the class.

        Parameters
        ----------
        task : ExampleTask
            Seen through its oracle, which counts.

        Returns
        -------
        how : "scratch"
        hypothesis : bool, shape (n,)

        Raises
        ------
        BrokenPromiseError
            If the labels of the task fit no conjunction.
        ValueError
            If the task has another number of variables or no law.
        TypeError
            If it is a task of another kind.
        """
        checked = checked_task(task, ExampleTask, self.n)
        variables = np.eye(self.n, dtype=np.bool_)[self._significant(checked)]
        size = self.sizes.scratch if self._first is None else self._first
        X, y = checked.examples(size, ones=~self._significant(checked))
        hypothesis = self.rule(X, y, variables)
        if hypothesis is None:
            wrong = X[~y & (X | ~X[y].all(axis=0)).all(axis=1)]
            where = (
                f": False at {place(wrong[0])}, though all that fit the labels True are true there"
                if len(wrong)
                else ""
            )
            raise BrokenPromiseError(f"task: expected a conjunction, got labels that no conjunction explains{where}")
        return "scratch", hypothesis
