"""Algorithm 5: Algorithm 4 from random examples of a product law (Section 4.3)."""

from collections.abc import Callable

import numpy as np

from lifelong._checks import BoolArray, function, instance, integer, number, same_size
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.bounds import SampleSizes, product_sizes
from lifelong.conjunctions.tasks import ExampleTask
from lifelong.loop import How
from lifelong.own_data import BrokenPromiseError, place

#: Which conjunction to take of those that fit the examples, or None where none fits.
#: It is given examples (size, n), labels (size,) and pieces (k, n), all bool, and answers with the variables (n,) of a
#: conjunction of pieces.
Rule = Callable[[BoolArray, BoolArray, BoolArray], BoolArray | None]


def most_specific(X: BoolArray, y: BoolArray, pieces: BoolArray) -> BoolArray | None:
    """Algorithm 5's own rule: all pieces true of every positive example; None if a negative one contradicts them."""
    true = (pieces <= X[y].all(axis=0)).all(axis=1)
    h = np.asarray(pieces[true].any(axis=0))
    return None if (h <= X[~y]).all(axis=1).any() else h


class ProductLawMetafeatures(OnlineMetafeatures):
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
        How many examples to draw; those of `product_sizes` for `m`, `delta` and `c0` unless given, which make the
        repaired theorem true.
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
    that nothing is paid for them. (Step 4(b) of the box says to discard those with a 1, a misprint.) The metafeatures
    grow as in Algorithm 4: steps 3 and 4(b).

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
        self.epsilon = number("epsilon", epsilon, "(0, 1)")
        delta = number("delta", delta, "(0, 1)")
        c0 = number("c0", c0, "(0, 1]")
        if sizes is None:
            sizes = product_sizes(n, epsilon, m=integer("m", m, least=1), delta=delta, c0=c0)
        self.sizes = instance("sizes", sizes, SampleSizes)
        same_size("sizes", len(sizes.reuse) - 1, n, "n")
        self.rule = function("rule", rule, "(examples, labels, pieces) -> conjunction")
        self.significant: BoolArray | None = None

    def _insignificant(self, task: ExampleTask) -> BoolArray:
        """The set I of step 1, found at the first problem."""
        if self.significant is None:
            zeros = ~task.unlabelled(self.sizes.unlabelled)
            often = zeros.mean(axis=0) >= self.epsilon / (4 * self.n)
            self.significant = np.asarray(often)
        return ~self.significant

    @property
    def _first(self) -> int | None:
        """Examples of step 2, if the next problem is the one that it learns."""
        return None if len(self.targets) else self.sizes.first

    def reuse(self, task: ExampleTask) -> BoolArray | None:  # type: ignore[override]  # it asks for examples
        """Learn over the metafeatures, from s_2 examples; None if no conjunction of them fits, or step 2 is due."""
        I, M = self._insignificant(task), self.metafeatures  # step 1
        if self._first is not None:  # step 2
            return None
        X, y = task.examples(self.sizes.reuse[len(M)], ones=I)  # step 4
        return self.rule(X, y, M)  # 4(a)

    def learn(self, task: ExampleTask) -> tuple[How, BoolArray]:  # type: ignore[override]
        """Learn over the significant variables, from s_3 fresh examples, or from s_1 at step 2."""
        I, s3 = self._insignificant(task), self.sizes.scratch
        size = s3 if self._first is None else self._first
        X, y = task.examples(size, ones=I)  # 2, 4(b)
        h = self.rule(X, y, np.eye(self.n, dtype=np.bool_)[~I])
        if h is None:
            wrong = X[~y & (X[y].all(axis=0) <= X).all(axis=1)]
            where = f": False at {place(wrong[0])}, where all that fit the labels True are true" if len(wrong) else ""
            raise BrokenPromiseError(f"task: expected a conjunction, got labels that no conjunction explains{where}")
        return "scratch", h
