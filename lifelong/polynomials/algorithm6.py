"""Algorithm 6: polynomials whose monomials share metafeatures (Section 5)."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, integer, number, one_of, require, speaks
from lifelong.conjunctions.algorithm3 import different, metafeatures, represent
from lifelong.loop import How
from lifelong.polynomials.oracles import Gradient, Oracle
from lifelong.polynomials.polynomial import Polynomial
from lifelong.polynomials.tasks import NUMBERS, BlackBox


def products(metafeatures: ArrayLike, *, most: int = 16) -> BoolArray:
    """The features of Algorithm 6: all products of metafeatures, each once, the constant 1 first; `most` is a limit."""
    M = np.asarray(metafeatures, dtype=np.bool_)
    require(len(M) <= most, "metafeatures", f"at most {most}, for all 2^k products are taken", len(M))
    terms: BoolArray = np.zeros((1, M.shape[1]), dtype=np.bool_)
    for m in M:
        terms = np.vstack([terms, terms | m])
    return different(terms)


class SharedMonomials:
    r"""Algorithm 6 as a representation for the online loop: polynomials whose monomials share metafeatures.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    epsilon : float
        Mean squared error that every task is allowed, positive.
    bound : float
        The L1 norm B > 0 that no target exceeds.
    m : int
        Number of tasks, for the union bound.
    delta : float, default 0.05
        Probability, in (0, 1), with which some task may end with a larger error.
    oracle : lifelong.polynomials.oracles.Oracle, optional
        How a task is learned within the products of metafeatures, and afresh; `Gradient()` unless given.
    keep : {"all", "needed"}, default "all"
        Which terms of a polynomial learned from scratch to remember: all, as in the paper, or, one after the other,
        only those that are no product of the metafeatures so far, never more than `thm-online-sharp` allows.
    most : int, default 16
        Refuse more metafeatures than this: all their products are taken, up to 2^k.

    Attributes
    ----------
    metafeatures : bool, shape (k~, n)
        The current metafeatures.
    terms : bool, shape (r, n)
        The terms of the polynomials learned from scratch, the set TS of the paper, each once. With the
        metafeatures this is all that is remembered.

    Raises
    ------
    ValueError
        If an argument is out of range.
    TypeError
        If `oracle` has not the verbs of an oracle.

    See Also
    --------
    lifelong.polynomials.oracles : The oracles.
    lifelong.loop.learn_stream : The loop.

    Notes
    -----
    `algo-polynomials`. How many tasks are learned from scratch: `thm-polynomials`, and sharper
    `thm-polynomials-repaired`.

    Examples
    --------
    >>> from lifelong.loop import learn_stream
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> from lifelong.polynomials.tasks import PolynomialTask
    >>> tasks = [PolynomialTask(polynomial(text, n=4), rng=0) for text in ("x1x2 - x3", "x1x2x3", "x3 + x1x2")]
    >>> run = learn_stream(tasks, SharedMonomials(4, 0.1, bound=2, m=3))
    >>> run.how, [step.membership for step in run.steps[1:]]
    (['scratch', 'reused', 'reused'], [0, 0])
    >>> run.representation.metafeatures.astype(int).tolist()
    [[0, 0, 1, 0], [1, 1, 0, 0]]
    """

    classes = NUMBERS

    def __init__(
        self,
        n: int,
        epsilon: float,
        *,
        bound: float,
        m: int,
        delta: float = 0.05,
        oracle: Oracle | None = None,
        keep: Literal["all", "needed"] = "all",
        most: int = 16,
    ) -> None:
        self.n, self.m = integer("n", n, least=1), integer("m", m, least=1)
        self.epsilon = number("epsilon", epsilon, "(0, inf)")
        self.bound = number("bound", bound, "(0, inf)")
        self.delta = number("delta", delta, "(0, 1)")
        self.oracle = speaks("oracle", Gradient() if oracle is None else oracle, Oracle)
        self.keep, self.most = one_of("keep", keep, "all", "needed"), integer("most", most, least=0)
        self.terms: BoolArray = np.empty((0, n), dtype=np.bool_)  # TS, step 1
        self.metafeatures = self.terms

    def reuse(self, task: BlackBox) -> Polynomial | None:
        """Attempt to learn a linear function of the products of metafeatures; None where the oracle gave up."""
        terms = products(self.metafeatures, most=self.most)  # 2(a)
        B, eps, delta = self.bound, self.epsilon, self.delta / self.m
        attempt = self.oracle.within  # 2(b)
        return attempt(task, terms, bound=B, epsilon=eps, delta=delta)

    def learn(self, task: BlackBox) -> tuple[How, Polynomial]:
        """Learn the target exactly, from queries: 2(b), otherwise."""
        return "scratch", self.oracle.afresh(task)

    def grow(self, how: How, hypothesis: Polynomial) -> None:
        """Add the terms that are new, all or one by one those that are needed, and run Algorithm 3."""
        if self.keep == "all":
            self._add(hypothesis.terms)
        else:
            for T in hypothesis.terms:
                if represent(T, self.metafeatures) is None:
                    self._add(T)

    def _add(self, terms: BoolArray) -> None:
        TS = np.vstack([self.terms, terms])
        self.terms = np.unique(TS, axis=0)  # i.
        self.metafeatures = metafeatures(self.terms)  # ii.
