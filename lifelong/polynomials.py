"""Life-long learning of polynomials that share terms, or pieces of terms (Section 5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np

from lifelong import bounds
from lifelong._checks import BoolArray, FloatArray, bool_array, integer, number, same_size
from lifelong.instances import planted_conjunctions
from lifelong.monomials import metafeatures, represent
from lifelong.multilinear import Choice
from lifelong.multilinear import Polynomial as Polynomial  # what Section 5 is about has its name here too
from lifelong.multilinear import PolynomialTask as PolynomialTask
from lifelong.queries import learn_polynomial
from lifelong.regression import ExponentiatedGradient, least_squares_l1
from lifelong.stream import How

__all__ = ["SharedMonomials", "SharedTerms", "planted_polynomials", "products"]


# --- the warm-up: shared terms ----------------------------------------------------------------------


class _Affine:
    """Weights that fit 0/1 rows exactly: reduced row echelon form in rational arithmetic."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows = np.empty((0, size + 1), dtype=object)  # the last column holds the labels
        self.pivots: list[int] = []

    def add(self, row: BoolArray, label: int | Fraction) -> bool:
        """Take in one more equation; False if it contradicts the others."""
        new = np.array([*row.astype(int).tolist(), label], dtype=object)
        for pivot, old in zip(self.pivots, self.rows, strict=True):
            new = new - new[pivot] * old
        pivots = np.flatnonzero(new[:-1] != 0)
        if not len(pivots):
            return bool(new[-1] == 0)
        new = new / Fraction(new[pivots[0]])
        cleared = self.rows - np.outer(self.rows[:, pivots[0]], new)
        self.rows = np.vstack([cleared, new])
        self.pivots.append(int(pivots[0]))
        return True

    @property
    def weights(self) -> list[Any]:
        """The solution whose free weights are 0."""
        w = [0] * self.size
        for pivot, row in zip(self.pivots, self.rows, strict=True):
            w[pivot] = row[-1]
        return w


class SharedTerms:
    """The warm-up of Section 5 as a representation for the online loop: a growing set of monomials.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    epsilon, delta : float
        A hypothesis over the monomials is taken when it agrees with enough fresh examples that, with probability
        at least 1 - delta, it is wrong on at most an epsilon of the examples to come.

    Attributes
    ----------
    terms : bool, shape (k, n)
        The monomials seen in a target learned from scratch.

    Raises
    ------
    ValueError
        If `n` is not a positive integer, or epsilon or delta is outside (0, 1).

    Notes
    -----
    `prop-warmup`. To reuse, the representation looks for a weighted sum of its monomials that fits all examples
    so far, and tests it on fresh ones; each round that fails raises the rank of the equations. Labels and equations
    are integers and fractions, nothing is rounded, so a target over the monomials is never refused.

    Examples
    --------
    >>> from lifelong.multilinear import polynomial
    >>> from lifelong.stream import learn_stream
    >>> texts = ("x1x2 - 2 x3", "5 x3", "x1x2 + x3", "x1x3")
    >>> targets = [polynomial(text, n=3) for text in texts]
    >>> tasks = [PolynomialTask(f, rng=seed) for seed, f in enumerate(targets)]
    >>> learn_stream(tasks, SharedTerms(3)).how
    ['scratch', 'reused', 'reused', 'scratch']
    """

    def __init__(self, n: int, *, epsilon: float = 0.05, delta: float = 0.01) -> None:
        n = integer("n", n, least=1)
        self.epsilon = number("epsilon", epsilon, low=0, high=1, open_low=True, open_high=True)
        self.delta = number("delta", delta, low=0, high=1, open_low=True, open_high=True)
        self.terms = np.empty((0, n), dtype=np.bool_)

    def reuse(self, task: PolynomialTask) -> Polynomial | None:
        """Learn a linear function over the monomials from examples.

        Parameters
        ----------
        task : PolynomialTask
            Seen through its examples, which count: at most k + 1 rounds of ln((k + 1)/delta) / epsilon of them,
            rounded up.

        Returns
        -------
        Polynomial or None
            A hypothesis over the monomials; None when no weights fit the examples.

        Raises
        ------
        ValueError
            If the task has another number of variables.
        """
        same_size("task", task.n, self.terms.shape[1], "the representation")
        k, fit = len(self.terms), _Affine(len(self.terms))
        size = int(np.ceil(np.log((k + 1) / self.delta) / self.epsilon))
        while True:
            X, y = task.exact_examples(size)
            hypothesis = Polynomial(self.terms, fit.weights)
            wrong = np.asarray(hypothesis(X) != y, dtype=np.bool_)
            if not wrong.any():
                return hypothesis
            inside = _inside(self.terms, X[wrong])
            equations = dict.fromkeys(zip(map(bytes, inside), y[wrong].tolist(), strict=True))  # each once
            if not all(fit.add(np.frombuffer(row, dtype=np.bool_), label) for row, label in equations):
                return None

    def learn(self, task: PolynomialTask) -> tuple[How, Polynomial]:
        """Learn exactly, from queries.

        Parameters
        ----------
        task : PolynomialTask
            Seen through its query oracles, which count.

        Returns
        -------
        how : "scratch"
        hypothesis : Polynomial
        """
        return "scratch", learn_polynomial(task)[0]

    def grow(self, how: How, hypothesis: Polynomial) -> None:
        """Take in the monomials that are new.

        Parameters
        ----------
        how : str
            As `learn` returned it.
        hypothesis : Polynomial
        """
        known = {row.tobytes() for row in self.terms}
        fresh = [row for row in hypothesis.terms if row.tobytes() not in known]
        self.terms = np.vstack([self.terms, *fresh])


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
    happens within `lifelong.bounds.eg_examples` labels. "l1" certifies its hypothesis in the same way on a
    holdout of its own, but may refuse a task by bad luck. From scratch `learn_polynomial` asks its queries. How many
    tasks are learned from scratch: `thm-polynomials`, and sharper `thm-polynomials-repaired`.

    Examples
    --------
    >>> from lifelong.multilinear import polynomial
    >>> from lifelong.stream import learn_stream
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
        return bounds.progressive_error(total, examples, self.bound, self.delta / self.m) <= self.epsilon

    def _gradient(self, task: PolynomialTask, features: BoolArray, batch: int = 64) -> FloatArray | None:
        learner = ExponentiatedGradient(len(features), self.bound)
        budget = bounds.eg_loss(self.bound, len(features)) * (1 + 1e-9)
        most = bounds.eg_examples(self.bound, len(features), self.epsilon, self.delta / self.m)
        while learner.total <= budget and learner.examples < most:
            X, y = task.examples(min(batch, most - learner.examples))
            learner.update(_inside(features, X), y)
            if self._certified(learner.total, learner.examples):
                return learner.weights
        return None

    def _least_squares(self, task: PolynomialTask, features: BoolArray) -> FloatArray | None:
        size = bounds.eg_loss(self.bound, len(features)) / self.epsilon
        X, y = task.examples(int(np.ceil(size / 2)))
        weights = least_squares_l1(_inside(features, X), y, self.bound)
        # a tenth of the error is for the solver and for what half of the labels leave open
        holdout = bounds.progressive_error(0.0, 1, self.bound, self.delta / self.m) / (0.9 * self.epsilon)
        X, y = task.examples(int(np.ceil(holdout)))
        weights = weights * (self.bound / max(np.abs(weights).sum(), self.bound))  # exactly within the bound
        residuals = _inside(features, X) @ weights - y
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


def _inside(features: BoolArray, X: BoolArray) -> BoolArray:
    """Values of the products at points: bool (N, n) and (s, n) give (s, N)."""
    lacking = (~X).astype(np.float32) @ features.T.astype(np.float32)
    return np.asarray(lacking == 0, dtype=np.bool_)


# --- planted tasks ----------------------------------------------------------------------------------


def planted_polynomials(
    n: int,
    k: int,
    m: int,
    *,
    terms: int = 3,
    coefficient: int = 5,
    overlap: float = 0.3,
    per_term: float | None = None,
    rng: Any = None,
    counterexample: Choice = "smallest",
) -> tuple[BoolArray, list[PolynomialTask]]:
    """Anchored metafeatures and polynomials whose monomials are products of them.

    Parameters
    ----------
    n, k, m : int
        Variables, metafeatures (k <= n) and targets.
    terms : int, default 3
        Most terms of a target.
    coefficient : int, default 5
        Largest absolute value of a coefficient; none is 0 before equal terms are merged.
    overlap : float, default 0.3
        Probability with which each variable that is no anchor joins each metafeature.
    per_term : float, optional
        Expected number of metafeatures in a term; k/2 unless given.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the targets and of the examples of their tasks.
    counterexample : {"smallest", "largest", "random"}, default "smallest"
        Policy of the tasks.

    Returns
    -------
    metafeatures : bool, shape (k, n)
    tasks : list of PolynomialTask
        The number of terms of each is uniform from 1 to `terms`, before equal ones are merged.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The hypothesis of `thm-polynomials`.

    Examples
    --------
    >>> M, tasks = planted_polynomials(8, 3, 2, rng=0)
    >>> M.shape, [len(task.target.terms) for task in tasks]
    ((3, 8), [2, 1])
    """
    terms, coefficient = integer("terms", terms, least=1), integer("coefficient", coefficient, least=1)
    rng = np.random.default_rng(rng)
    M, rows = planted_conjunctions(n, k, m * terms, overlap=overlap, per_target=per_term, rng=rng)
    tasks = []
    for block, stream in zip(rows.reshape(m, terms, n), rng.spawn(m), strict=True):
        size = int(rng.integers(1, terms + 1))
        c = rng.integers(1, coefficient + 1, size) * rng.choice([-1, 1], size)
        target = Polynomial(block[:size], c)
        tasks.append(PolynomialTask(target, rng=stream, counterexample=counterexample))
    return M, tasks
