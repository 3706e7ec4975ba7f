"""Polynomials of Section 5: planted with shared metafeatures, and a few from games and votes."""

import numpy as np

from lifelong._checks import BoolArray, RNGLike, integer, random_generator
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong.polynomials.polynomial import Polynomial, cube
from lifelong.polynomials.tasks import Choice, PolynomialTask

# --- polynomials from elsewhere ---------------------------------------------------------------------


def cellular_automaton(rule: int) -> Polynomial:
    """The rule of an elementary cellular automaton as a polynomial in three cells."""
    rule = integer("rule", rule, least=0, most=255)
    return Polynomial.from_values([rule >> i & 1 for i in range(8)])


def tic_tac_toe() -> Polynomial:
    """Shared by the chapters on polynomials, from a game: whether crosses on nine squares contain a line."""
    board = np.arange(9).reshape(3, 3)
    lines = [*board, *board.T, board.diagonal(), board[::-1].diagonal()]
    crosses = cube(9)
    return Polynomial.from_values(np.any([crosses[:, line].all(axis=1) for line in lines], axis=0).astype(int))


def security_council() -> Polynomial:
    """A polynomial from votes: whether a resolution of the Security Council of the United Nations passes."""
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
    """Shared by the chapters on polynomials: anchored metafeatures, targets of products of them."""
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
