"""Polynomials of Section 5: planted with shared metafeatures, and a few from games and votes."""

from __future__ import annotations

import numpy as np

from lifelong._checks import BoolArray, RNGLike, integer, random_generator
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong.polynomials.polynomial import Polynomial, cube
from lifelong.polynomials.tasks import Choice, PolynomialTask

__all__ = [
    "cellular_automaton",
    "planted_polynomials",
    "security_council",
    "tic_tac_toe",
]


# --- polynomials from elsewhere ---------------------------------------------------------------------


def cellular_automaton(rule: int) -> Polynomial:
    """The rule of an elementary cellular automaton as a polynomial in three cells.

    Parameters
    ----------
    rule : int
        Wolfram's number, 0 to 255.

    Returns
    -------
    Polynomial
        The next state of a cell; x1, x2, x3 are its left neighbour, the cell itself and its right neighbour.

    Raises
    ------
    ValueError
        If `rule` is not an integer from 0 to 255.

    Notes
    -----
    All 256 of them are sums of 8 monomials: a stream for `prop-warmup`.

    Examples
    --------
    >>> print(cellular_automaton(110))
    x2 + x3 - x2 x3 - x1 x2 x3
    """
    rule = integer("rule", rule, least=0, most=255)
    return Polynomial.from_values([rule >> i & 1 for i in range(8)])


def tic_tac_toe() -> Polynomial:
    """Whether the crosses on a board of nine squares, row by row, contain a line.

    Returns
    -------
    Polynomial
        In nine variables; its monomials are unions of the eight lines.

    Notes
    -----
    Not a sum of few short terms, yet of few lines: a target for `algo-polynomials`.

    Examples
    --------
    >>> f = tic_tac_toe()
    >>> len(f.terms), f.norm, f.degree
    (80, 91, 9)
    """
    board = np.arange(9).reshape(3, 3)
    lines = [*board, *board.T, board.diagonal(), board[::-1].diagonal()]
    crosses = cube(9)
    return Polynomial.from_values(np.any([crosses[:, line].all(axis=1) for line in lines], axis=0).astype(int))


def security_council() -> Polynomial:
    """Whether a resolution of the Security Council of the United Nations passes.

    Returns
    -------
    Polynomial
        In 15 variables, the permanent members first: all five of them and four of the other ten have to agree
        (Charter of the United Nations, Article 27; an abstention is counted here as a no).

    Notes
    -----
    A target of many terms over few metafeatures for `algo-polynomials`.

    Examples
    --------
    >>> f = security_council()
    >>> len(f.terms), f.degree
    (848, 15)
    """
    votes = cube(15)
    return Polynomial.from_values((votes[:, :5].all(axis=1) & (votes[:, 5:].sum(axis=1) >= 4)).astype(int))


# --- planted tasks ----------------------------------------------------------------------------------


def planted_polynomials(
    n: int,
    *,
    k: int,
    m: int,
    terms: int = 3,
    coefficient: int = 5,
    overlap: float = 0.3,
    per_term: float | None = None,
    rng: RNGLike = None,
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
    >>> M, tasks = planted_polynomials(8, k=3, m=2, rng=0)
    >>> M.shape, [len(task.target.terms) for task in tasks]
    ((3, 8), [2, 1])
    """
    terms, coefficient = integer("terms", terms, least=1), integer("coefficient", coefficient, least=1)
    rng = random_generator(rng)
    M, rows = planted_conjunctions(n, k=k, m=m * terms, overlap=overlap, per_target=per_term, rng=rng)
    tasks = []
    for block, stream in zip(rows.reshape(m, terms, n), rng.spawn(m), strict=True):
        size = int(rng.integers(1, terms + 1))
        c = rng.integers(1, coefficient + 1, size) * rng.choice([-1, 1], size)
        target = Polynomial(block[:size], c)
        tasks.append(PolynomialTask(target, rng=stream, counterexample=counterexample))
    return M, tasks
