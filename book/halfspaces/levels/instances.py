"""Planted and random streams of Theorem 2, and those that defeat its printed form; every vector is a row."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from mpmath import mp
from numpy.typing import NDArray

from lifelong._checks import FloatArray, RNGLike, integer, random_generator
from lifelong.halfspaces.angles import unit
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Law
from lifelong_book.halfspaces.many_digits import DIGITS, Real, family_arguments


def _unit_rows(shape: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    rows = rng.standard_normal(shape)
    units: FloatArray = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return units


def planted_two_levels(
    law: Law, k: int, r: int, tau: int, m: int, *, rng: RNGLike = None
) -> tuple[FloatArray, NDArray[np.int64], list[HalfspaceTask]]:
    """Tasks for the chapter on Algorithm 2, of r kinds: random tau-dimensional subspaces of one k-dimensional space."""
    r, tau, m = integer("r", r, least=1), integer("tau", tau, least=1, most=k), integer("m", m, least=0)
    rng = random_generator(rng)
    frame = np.linalg.qr(rng.standard_normal((law.n, k)))[0].T
    subspaces = np.swapaxes(np.linalg.qr(rng.standard_normal((r, k, tau)))[0], -1, -2) @ frame
    kinds = rng.integers(r, size=m)
    targets = np.einsum("mt,mtn->mn", _unit_rows((m, tau), rng), subspaces[kinds])
    return subspaces, kinds, [HalfspaceTask(t, law, rng=child) for t, child in zip(targets, rng.spawn(m), strict=True)]


def kinds_of_targets(
    n: int, *, k: int, r: int, tau: int, m: int, rng: RNGLike = None
) -> tuple[FloatArray, NDArray[np.int64]]:
    """Targets for runs of Algorithm 2: random on the first k axes, each in one of r random subspaces; and which."""
    rng = random_generator(rng)
    n = integer("n", n, least=integer("k", k, least=1))
    spaces = rng.standard_normal((integer("r", r, least=1), integer("tau", tau, least=1), k))
    kinds = rng.integers(r, size=integer("m", m, least=1))
    rows = np.zeros((m, n))
    rows[:, :k] = np.einsum("mt,mtk->mk", rng.standard_normal((m, tau)), spaces[kinds])
    return unit(rows), kinds


def _leaning(separations: Any, size: int) -> Any:
    """Targets that lean on each other, each apart from those before by the angle given; then the last axis they use."""
    rows = np.full((len(separations) + 2, size), mp.mpf(0), dtype=object)
    rows[0, 0] = mp.mpf(1)
    for j, angle in enumerate(separations, start=1):
        rows[j, j - 1], rows[j, j] = -mp.cos(angle), (-1 if j == 1 else 1) * mp.sin(angle)
    rows[-1, len(separations)] = mp.mpf(1)
    return rows


def exact(rows: Any) -> Any:
    """Rows of numbers as fractions, for streams of Algorithm 2 in which no rounding may decide."""
    return np.vectorize(Fraction, otypes=[object])(rows)


class Answered(NamedTuple):
    """A stream for Algorithm 2, with the answer that it gets for each task that it has to learn."""

    targets: Any
    learned: Any
    kinds: NDArray[np.int64]


def leaning_chain(k: int, tau: int, square: Fraction, long: int | None = None) -> tuple[Any, ...]:
    """A stream that Algorithm 2 learns all from scratch, the last `long` + 1 a chain; answers; the box's parameters."""
    long = long or k
    eps = square**3 / (200 * k * tau**2)
    second = square * eps**2 / tau
    first = square * second**2 / k
    p, d = 4 * eps, 3 * first
    e = exact(np.eye(k + 1, dtype=int))  # axes, as fractions
    a, before = e[k - long : k], e[: k - long]
    targets = np.array([*before, a[0], *(a[:-1] + p * a[1:]), a[-1]])
    errors = [d * (-1) ** i for i in range(long)]
    errors = [0] * (k - long) + errors + [0]
    answers = targets + np.outer(errors, e[k])
    return targets, answers, tau, eps, second, first


def four_leaning(p: Any, q: Any, d: Any) -> tuple[Any, Any]:
    """Against Theorem 2: four targets of three dimensions, each leaning on the one before; answers err along e4."""
    e1, e2, e3, e4 = np.eye(4, dtype=int)
    targets = np.array([e1, e1 + p * e2, e2 + q * e3, e3])
    return targets, targets + np.outer([d, -d, d, 0], e4)


def seven_spaces(epsilon: Fraction) -> tuple[Any, Any, Fraction]:
    """Against Theorem 2, tau = 3, c^2 = 1/10: 18 targets that hide three axes, then four that lean; second accuracy."""
    second, axes = epsilon**2 / 30, exact(np.eye(18, dtype=int))
    blocks, hidden = axes[:12].reshape(4, 3, 18), axes[12:16]
    tied = blocks.sum(axis=1) + 2 * hidden
    others = [*axes[:12], *tied, *axes[16:]]
    p, d = 8 * epsilon, 3 * second
    targets, answers = (rows @ hidden for rows in four_leaning(p, p, d))
    targets = np.array([*others, *targets])
    answers = np.array([*others, *answers])
    return targets, answers, second


def two_spaces(p: Fraction, d: Fraction) -> tuple[Any, Any]:
    """Against Theorem 2: three targets of R^4 answered exactly, then four that lean on each other, one exactly."""
    y = exact([[0, 1, 1, 1], [1, 0, 1, -1], [1, -1, 0, 1]])
    targets, answers = four_leaning(p, p, d)
    answers[0] = targets[0]  # learned from scratch: exactly
    return np.vstack([y, targets]), np.vstack([y, answers])


def leaning_second_level(tau: int, square: float) -> tuple[Answered, float, float]:
    r"""A stream with one tau-dimensional space that opens tau + 1 features of the second level (`thm-two-levels`).

    The other spaces tie each axis e_j of the last one, and f, to a block of tau axes, by the feature y_j. Mixing in
    features of other spaces costs at most a factor sqrt(tau + 1). For let a unit vector a of the last space be
    approximated by b + y with an error E, b of its own answers and y of others, at most tau in all. Where y has y_j
    with a coefficient a_j, some axis of its block is not used, and along it E has the component -a_j / sqrt(2 tau). So
    the part of E outside the last space and f is at least 1 / sqrt(tau) times the part of y inside.
    """
    epsilon = square / (10 * tau**3)
    second = square * epsilon**2 / tau
    p, d = 4 * np.sqrt(tau) * epsilon, 3 * second
    rest, k = (tau + 1) * tau, (tau + 1) ** 2 + tau - 1
    axes = np.eye(k)
    z = axes[:rest].reshape(tau + 1, tau, k)
    e, further = axes[rest : rest + tau + 1], axes[rest + tau + 1 :]
    y = (z.sum(axis=1) / np.sqrt(tau) + e) / np.sqrt(2)
    leaning = [e[0], e[0] + p * e[1], e[1] + p * e[2], e[2]]
    targets = [*axes[:rest], *y, *further, *e[3:tau], *leaning]
    learned = np.array(targets)
    learned[-4:] += np.outer([d, -d, d, 0.0], e[tau])
    kinds = np.repeat(np.arange(tau + 4), [tau] * (tau + 3) + [tau + 1])
    return Answered(np.array(targets), learned, kinds), epsilon, second


def crowded_subspace(tau: int, epsilon: Real, epsilon_acc_second: Real, *, rng: RNGLike = None) -> Any:
    r"""A stream on which one of two subspaces opens more than tau features of the second level (`thm-two-levels`)."""
    tau, e, a = family_arguments(integer("tau", tau, least=3), epsilon, epsilon_acc_second, 3)
    with mp.workdps(DIGITS):
        g = (a / (2 * e)) ** (mp.mpf(1) / (tau - 1))
        g = max(g, mp.pi * e * mp.mpf("1.1"))
        other = _unit_rows((tau, tau + 1), random_generator(rng))
        first = np.array([[mp.mpf(x) for x in row] for row in other])
        first = np.array([row / mp.sqrt(row @ row) for row in first])
        return np.vstack([first, _leaning([g] * (tau - 1), tau + 1)])
