"""The warm-up of Section 5: polynomials that share their monomials."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from lifelong._checks import BoolArray, integer, number
from lifelong.loop import How
from lifelong.polynomials.polynomial import Polynomial, Rational, monomial_values
from lifelong.polynomials.schapire_sellie import learn_polynomial
from lifelong.polynomials.tasks import BlackBox

__all__ = [
    "SharedTerms",
]


# --- the warm-up: shared terms ----------------------------------------------------------------------


class _Affine:
    """Weights that fit 0/1 rows exactly: reduced row echelon form in rational arithmetic."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows = np.empty((0, size + 1), dtype=object)  # the last column holds the labels
        self.pivots: list[int] = []

    def add(self, row: BoolArray, label: Rational) -> bool:
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
    def weights(self) -> list[Rational]:
        """The solution whose free weights are 0."""
        w: list[Rational] = [0] * self.size
        for pivot, row in zip(self.pivots, self.rows, strict=True):
            w[pivot] = row[-1]
        return w


class SharedTerms:
    """The warm-up of Section 5 as a representation for the online loop: a growing set of monomials.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    epsilon : float, default 0.05
        Share of the examples to come, in (0, 1), on which a hypothesis over the monomials may be wrong.
    delta : float, default 0.01
        Probability, in (0, 1), with which one that is taken may be wrong on more: it has to agree with enough fresh
        examples.

    Attributes
    ----------
    terms : bool, shape (k, n)
        The monomials seen in a target learned from scratch.

    Raises
    ------
    ValueError
        If `n` is not a positive integer, or epsilon or delta is outside (0, 1).

    See Also
    --------
    lifelong.polynomials.algorithm6.SharedMonomials : Shares the factors of monomials.
    lifelong.loop.learn_stream : The loop.

    Notes
    -----
    `prop-warmup`. To reuse, the representation looks for a weighted sum of its monomials that fits all examples
    so far, and tests it on fresh ones; each round that fails raises the rank of the equations. Labels and equations
    are integers and fractions, nothing is rounded, so a target over the monomials is never refused.

    Examples
    --------
    >>> from lifelong.polynomials.polynomial import polynomial
    >>> from lifelong.loop import learn_stream
    >>> from lifelong.polynomials.tasks import PolynomialTask
    >>> texts = ("x1x2 - 2 x3", "5 x3", "x1x2 + x3", "x1x3")
    >>> targets = [polynomial(text, n=3) for text in texts]
    >>> tasks = [PolynomialTask(f, rng=seed) for seed, f in enumerate(targets)]
    >>> learn_stream(tasks, SharedTerms(3)).how
    ['scratch', 'reused', 'reused', 'scratch']
    """

    def __init__(self, n: int, epsilon: float = 0.05, *, delta: float = 0.01) -> None:
        n = integer("n", n, least=1)
        self.epsilon = number("epsilon", epsilon, low=0, high=1, open_low=True, open_high=True)
        self.delta = number("delta", delta, low=0, high=1, open_low=True, open_high=True)
        self.terms = np.empty((0, n), dtype=np.bool_)

    def reuse(self, task: BlackBox) -> Polynomial | None:
        """Learn a linear function over the monomials from examples.

        Parameters
        ----------
        task : BlackBox
            Seen through its examples, which count: at most k + 1 rounds of ln((k + 1)/delta) / epsilon of them,
            rounded up.

        Returns
        -------
        Polynomial or None
            A hypothesis over the monomials; None when no weights fit the examples.

        Raises
        ------
        TypeError
            If `task` is no task of learning a polynomial.
        ValueError
            If the task has another number of variables.
        """
        k, fit = len(self.terms), _Affine(len(self.terms))
        size = int(np.ceil(np.log((k + 1) / self.delta) / self.epsilon))
        while True:
            X, y = task.exact_examples(size)
            hypothesis = Polynomial(self.terms, fit.weights)
            wrong = np.asarray(hypothesis(X) != y, dtype=np.bool_)
            if not wrong.any():
                return hypothesis
            inside = monomial_values(self.terms, X[wrong])
            equations = dict.fromkeys(zip(map(bytes, inside), y[wrong].tolist(), strict=True))  # each once
            if not all(fit.add(np.frombuffer(row, dtype=np.bool_), label) for row, label in equations):
                return None

    def learn(self, task: BlackBox) -> tuple[How, Polynomial]:
        """Learn exactly, from queries.

        Parameters
        ----------
        task : BlackBox
            Seen through its query oracles, which count.

        Returns
        -------
        how : "scratch"
        hypothesis : Polynomial

        Raises
        ------
        TypeError
            If `task` is no task of learning a polynomial.
        ValueError
            If the task has another number of variables.
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
