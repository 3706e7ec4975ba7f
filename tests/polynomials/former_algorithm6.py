"""Algorithm 6 as it was: what the new one is compared with, once."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from lifelong._checks import BoolArray, FloatArray, bool_array, integer, number, same_size
from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.loop import How
from lifelong.polynomials import bounds
from lifelong.polynomials.linear import ExponentiatedGradient, least_squares_l1
from lifelong.polynomials.polynomial import Polynomial, monomial_values
from lifelong.polynomials.schapire_sellie import learn_polynomial
from lifelong.polynomials.tasks import PolynomialTask

__all__ = [
    "SharedMonomials",
    "products",
]


# --- Algorithm 6 ------------------------------------------------------------------------------------


def products(metafeatures: Any, *, most: int = 16) -> BoolArray:
    """All products of metafeatures, the empty one included, each once.

    Parameters
    ----------
    metafeatures : array_like, shape (k, n), bool
        One metafeature a row; k may be 0.
    most : int, default 16
        Refuse more metafeatures than this: there can be 2^k products.

    Returns
    -------
    bool, shape (N, n)
        The distinct unions of metafeatures, the constant 1 (an empty row) first; N is at most 2^k, and
        less where two sets of metafeatures have the same union.

    Raises
    ------
    ValueError
        If `metafeatures` is no boolean matrix or has more than `most` rows.

    Notes
    -----
    The terms of step 2(a) of `algo-polynomials`.

    Examples
    --------
    >>> products([[True, False], [True, True]]).astype(int).tolist()
    [[0, 0], [1, 0], [1, 1]]
    """
    M = bool_array("metafeatures", metafeatures, axes=2)
    if len(M) > integer("most", most, least=0):
        raise ValueError(f"metafeatures: expected at most {most}, for all 2^k products are taken, got {len(M)}")
    rows: BoolArray = np.zeros((1, M.shape[1]), dtype=np.bool_)
    for piece in M:
        rows = np.unique(np.vstack([rows, rows | piece]), axis=0)
    return rows


Method = Literal["eg", "l1", "exact"]
Keep = Literal["all", "needed"]


class SharedMonomials:
    r"""Algorithm 6 as a representation for the online loop: polynomials whose monomials share metafeatures.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    bound : float
        The L1 norm B > 0 that no target exceeds.
    epsilon : float
        Mean squared error that every task is allowed, positive.
    m : int
        Number of tasks, for the union bound.
    delta : float, default 0.05
        Probability, in (0, 1), with which some task may end with a larger error.
    method : {"eg", "l1", "exact"}, default "eg"
        How the reuse step learns a linear function of the products of metafeatures: by the exponentiated
        gradient; by `least_squares_l1` on fewer labels, with a holdout; or by reading the target, which no learner
        can, for studying the theory apart from sampling.
    keep : {"all", "needed"}, default "all"
        Which terms of a polynomial learned from scratch to remember: all of them, as in the paper, or one by one those
        that are no product of the metafeatures so far, of which there are never more than `online_sharp`.
    most : int, default 16
        Refuse more metafeatures than this: all their products are taken.

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

    Notes
    -----
    `algo-polynomials`. "eg" draws labels in batches until the losses decide. If their sum exceeds
    :math:`2B^2\ln(2N)`, no linear function of the N products is the target (`prop-eg`): a task that the
    metafeatures can express is never refused. If they certify the error `epsilon` at confidence
    `delta` / `m` (`prop-progressive`), the average of the weights is the hypothesis. One of the two
    happens within `lifelong.polynomials.bounds.eg_examples` labels. "l1" certifies its hypothesis in the same way on a
    holdout of its own, but may refuse a task by bad luck. From scratch `learn_polynomial` asks its queries. How many
    tasks are learned from scratch: `thm-polynomials`, and sharper `thm-polynomials-repaired`.

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> from lifelong.loop import learn_stream
    >>> tasks = [PolynomialTask(polynomial(text, n=4), rng=0) for text in ("x1x2 - x3", "x1x2x3", "x3 + x1x2")]
    >>> run = learn_stream(tasks, SharedMonomials(4, 2, 0.1, 3))
    >>> run.how, [step.membership for step in run.steps[1:]]
    (['scratch', 'reused', 'reused'], [0, 0])
    >>> run.representation.metafeatures.astype(int).tolist()
    [[0, 0, 1, 0], [1, 1, 0, 0]]
    """

    def __init__(
        self,
        n: int,
        bound: float,
        epsilon: float,
        m: int,
        delta: float = 0.05,
        *,
        method: Method = "eg",
        keep: Keep = "all",
        most: int = 16,
    ) -> None:
        positive: Any = {"low": 0.0, "high": float("inf"), "open_low": True}
        n = integer("n", n, least=1)
        self.bound = number("bound", bound, **positive)
        self.epsilon = number("epsilon", epsilon, **positive)
        self.delta = number("delta", delta, low=0.0, high=1.0, open_low=True, open_high=True)
        self.m = integer("m", m, least=1)
        if method not in ("eg", "l1", "exact"):
            raise ValueError(f"method: expected 'eg', 'l1' or 'exact', got {method!r}")
        if keep not in ("all", "needed"):
            raise ValueError(f"keep: expected 'all' or 'needed', got {keep!r}")
        self.method, self.keep = method, keep
        self.most = integer("most", most, least=0)
        self.terms: BoolArray = np.empty((0, n), dtype=np.bool_)
        self.metafeatures = self.terms

    def reuse(self, task: PolynomialTask) -> Polynomial | None:
        """Learn a linear function of the products of metafeatures.

        Parameters
        ----------
        task : PolynomialTask
            Seen through its oracle for labelled examples, which counts; the method "exact" reads its target.

        Returns
        -------
        Polynomial or None
            None when no linear function was found that is certified.

        Raises
        ------
        ValueError
            If the task has another number of variables, a label exceeds the bound, or there are too many
            metafeatures.
        """
        same_size("task", task.n, self.terms.shape[1], "the representation")
        if self.method == "exact":
            known = all(represent(T, self.metafeatures) is not None for T in task.target.terms)
            return task.target if known else None
        features = products(self.metafeatures, most=self.most)
        weights = self._gradient(task, features) if self.method == "eg" else self._least_squares(task, features)
        return None if weights is None else Polynomial(features, weights)

    def _certified(self, total: float, examples: int) -> bool:
        """Whether these losses certify the error wanted, at this task's share of the confidence."""
        return bounds.progressive_error(total, examples, bound=self.bound, delta=self.delta / self.m) <= self.epsilon

    def _gradient(self, task: PolynomialTask, features: BoolArray, batch: int = 64) -> FloatArray | None:
        learner = ExponentiatedGradient(len(features), bound=self.bound)
        budget = bounds.eg_loss(len(features), bound=self.bound) * (1 + 1e-9)
        most = bounds.eg_examples(len(features), self.epsilon, bound=self.bound, delta=self.delta / self.m)
        while learner.total <= budget and learner.examples < most:
            X, y = task.examples(min(batch, most - learner.examples))
            learner.update(monomial_values(features, X), y)
            if self._certified(learner.total, learner.examples):
                return learner.weights
        return None

    def _least_squares(self, task: PolynomialTask, features: BoolArray) -> FloatArray | None:
        size = bounds.eg_loss(len(features), bound=self.bound) / self.epsilon
        X, y = task.examples(int(np.ceil(size / 2)))
        weights = least_squares_l1(monomial_values(features, X), y, bound=self.bound)
        # a tenth of the error is for the solver and for what half of the labels leave open
        holdout = bounds.progressive_error(0.0, 1, bound=self.bound, delta=self.delta / self.m) / (0.9 * self.epsilon)
        X, y = task.examples(int(np.ceil(holdout)))
        weights = weights * (self.bound / max(np.abs(weights).sum(), self.bound))  # exactly within the bound
        residuals = monomial_values(features, X) @ weights - y
        return weights if self._certified(float(residuals @ residuals), len(y)) else None

    def learn(self, task: PolynomialTask) -> tuple[How, Polynomial]:
        """Learn the target exactly, from membership and equivalence queries.

        Parameters
        ----------
        task : PolynomialTask
            Seen through its oracles, which count; the method "exact" reads its target.

        Returns
        -------
        how : "scratch"
        hypothesis : Polynomial

        Raises
        ------
        ValueError
            If the task has another number of variables.
        """
        same_size("task", task.n, self.terms.shape[1], "the representation")
        return "scratch", task.target if self.method == "exact" else learn_polynomial(task)[0]

    def grow(self, how: How, hypothesis: Polynomial) -> None:
        """Remember the terms of the hypothesis and find the fewest metafeatures again.

        Parameters
        ----------
        how : str
            As `learn` returned it.
        hypothesis : Polynomial
        """
        if self.keep == "all":
            self._add(hypothesis.terms)
            return
        for T in hypothesis.terms:
            if represent(T, self.metafeatures) is None:
                self._add(T[None])

    def _add(self, terms: BoolArray) -> None:
        self.terms = np.unique(np.vstack([self.terms, terms]), axis=0)
        self.metafeatures = metafeatures(self.terms)
