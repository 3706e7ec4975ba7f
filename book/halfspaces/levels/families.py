"""Planted streams of Theorem 2, and those that defeat its printed form; every vector is a row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from mpmath import mp
from numpy.typing import NDArray

from lifelong._checks import FloatArray, RNGLike, instance, integer, number, random_generator
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Law
from lifelong_book.halfspaces.many_digits import DIGITS, Real, family_arguments


def _unit_rows(shape: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    rows = rng.standard_normal(shape)
    unit: FloatArray = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return unit


def planted_two_levels(
    law: Law, k: int, r: int, tau: int, m: int, *, rng: RNGLike = None
) -> tuple[FloatArray, NDArray[np.int64], list[HalfspaceTask]]:
    """Halfspace tasks of r kinds, each kind a random tau-dimensional subspace of one random k-dimensional space.

    Parameters
    ----------
    law : Law
        Marginal of the examples, in R^n.
    k, r, tau, m : int
        Dimension of the common space, number of kinds, their dimension, 1 <= tau <= k <= n, and number of tasks.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    subspaces : float64, shape (r, tau, n)
        Rows that span each kind.
    kinds : int64, shape (m,)
        The kind of each task.
    tasks : list of HalfspaceTask
        Each with a random stream of its own.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The setting of `thm-two-levels`, with targets exactly in their subspaces.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> subspaces, kinds, tasks = planted_two_levels(Gaussian(10), 4, 3, 2, 5, rng=0)
    >>> subspaces.shape, kinds.shape, len(tasks)
    ((3, 2, 10), (5,), 5)
    """
    instance("law", law, Law)
    k = integer("k", k, least=1, most=law.n)
    r, tau, m = integer("r", r, least=1), integer("tau", tau, least=1, most=k), integer("m", m, least=0)
    rng = random_generator(rng)
    frame = np.linalg.qr(rng.standard_normal((law.n, k)))[0].T
    subspaces = np.swapaxes(np.linalg.qr(rng.standard_normal((r, k, tau)))[0], -1, -2) @ frame
    kinds = rng.integers(r, size=m)
    targets = np.einsum("mt,mtn->mn", _unit_rows((m, tau), rng), subspaces[kinds])
    return subspaces, kinds, [HalfspaceTask(t, law, rng=child) for t, child in zip(targets, rng.spawn(m), strict=True)]


def _leaning(separations: Any, size: int) -> Any:
    """Targets that lean on each other, each apart from those before by the angle given; then the last axis they use."""
    rows = np.full((len(separations) + 2, size), mp.mpf(0), dtype=object)
    rows[0, 0] = mp.mpf(1)
    for j, angle in enumerate(separations, start=1):
        rows[j, j - 1], rows[j, j] = -mp.cos(angle), (-1 if j == 1 else 1) * mp.sin(angle)
    rows[-1, len(separations)] = mp.mpf(1)
    return rows


class Answered(NamedTuple):
    """A stream of tasks with the answer that the learner gets for each one that it has to learn.

    Parameters
    ----------
    targets, learned : shape (m, n)
        Rows of any length; only directions count.
    kinds : int64, shape (m,)
        Which of the small subspaces each target lies in.

    Notes
    -----
    For `thm-two-levels`.

    Examples
    --------
    >>> Answered(np.eye(2), np.eye(2), np.arange(2)).kinds
    array([0, 1])
    """

    targets: Any
    learned: Any
    kinds: NDArray[np.int64]


def leaning_first_level(k: int, tau: int, square: Real, epsilon: Real = None) -> tuple[Answered, Any, Any, Any]:
    r"""A stream in k dimensions that opens k + 1 features of the first level, in fractions (`thm-two-levels`).

    Parameters
    ----------
    k, tau : int
        Dimension of the common space, at least 3, and of each subspace, 1 <= tau <= k - 2.
    square : Fraction or int
        The constant :math:`c^2` in the printed accuracies, in (0, 1].
    epsilon : Fraction, optional
        Error allowed a task, in (0, square / (9 k^2)]; the largest of these unless given.

    Returns
    -------
    stream : Answered
        Fractions, shape (k + 1, k + 1); the errors point along the last axis.
    epsilon, epsilon_acc_second, epsilon_acc_first : Fraction
        The last two are :math:`c^2\epsilon^2/\tau` and :math:`c^2\tilde\epsilon_{acc}^2/k`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> stream, *accuracies = leaning_first_level(3, 1, Fraction(1, 10), Fraction(1, 1000))
    >>> [[f"{float(x):.3g}" for x in row] for row in stream.learned[1:3]]
    [['1', '0.004', '0', '-1e-15'], ['0', '1', '1.2e-06', '1e-15']]
    """
    k = integer("k", k, least=3)
    tau = integer("tau", tau, least=1, most=k - 2)
    c2 = Fraction(square)
    if not 0 < c2 <= 1:
        raise ValueError(f"square: expected a number in (0, 1], got {float(c2):g}")
    largest = c2 / (9 * k * k)
    e = largest if epsilon is None else Fraction(epsilon)
    if not 0 < e <= largest:
        raise ValueError(f"epsilon: expected a number in (0, square / (9 k^2)], got {float(e):g}")
    second = c2 * e * e / tau
    first = c2 * second * second / k
    d = 3 * first
    targets = np.array([[Fraction(int(i == j)) for j in range(k + 1)] for i in (*range(3, k), 0, 0, 1, 2)])
    targets[-3, 1], targets[-2, 2], targets[-2, 3:k] = 4 * e, 4 * k * second, Fraction(1)
    learned = targets.copy()
    learned[-4:, k] = [d, -d, d, Fraction(0)]
    return Answered(targets, learned, np.arange(k + 1)), e, second, first


def leaning_second_level(tau: int, square: float) -> tuple[Answered, float, float]:
    r"""A stream with one tau-dimensional space that opens tau + 1 features of the second level (`thm-two-levels`).

    Parameters
    ----------
    tau : int
        Dimension of each subspace, at least 3.
    square : float
        The constant :math:`c^2` in the printed accuracy, in (0, 1].

    Returns
    -------
    stream : Answered
        In tau + 4 spaces inside one of :math:`(\tau+1)^2+\tau-1` dimensions. The tasks of the last space come last; all
        others are answered exactly.
    epsilon, epsilon_acc_second : float
        :math:`c^2/(10\tau^3)` and :math:`c^2\epsilon^2/\tau`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The other spaces make the first level as large as the common space, and hide the last space from every tau of
    the features: whoever wants one of its axes needs tau + 1 of them.

    Examples
    --------
    >>> stream, epsilon, second = leaning_second_level(3, 0.1)
    >>> stream.targets.shape, np.bincount(stream.kinds)
    ((22, 18), array([3, 3, 3, 3, 3, 3, 4]))
    """
    tau = integer("tau", tau, least=3)
    c2 = number("square", square, low=0.0, high=1.0, open_low=True)
    epsilon = c2 / (10 * tau**3)
    second = c2 * epsilon**2 / tau
    p, d = 4 * np.sqrt(tau) * epsilon, 3 * second
    blocks = tau + 1
    rest, k = blocks * tau, blocks**2 + tau - 1
    axes = np.eye(k)
    hidden, extra = axes[rest : rest + blocks], axes[rest + blocks :]  # the last space with the direction of errors
    mixed = (axes[:rest].reshape(blocks, tau, k).sum(axis=1) / np.sqrt(tau) + hidden) / np.sqrt(2)
    e1, e2, e3, f = hidden[0], hidden[1], hidden[2], hidden[-1]
    last = np.vstack([hidden[3:-1], e1, e1 + p * e2, e2 + p * e3, e3])
    targets = np.vstack([axes[:rest], mixed[:-1], mixed[-1], extra, last])
    learned = targets.copy()
    learned[-4:] += np.outer([d, -d, d, 0.0], f)
    kinds = np.repeat(np.arange(tau + 4), [tau] * (tau + 3) + [tau + 1])
    return Answered(targets, learned, kinds), epsilon, second


def crowded_subspace(tau: int, epsilon: Real, epsilon_acc_second: Real, *, rng: RNGLike = None) -> Any:
    r"""A stream on which one of two subspaces opens more than tau features of the second level (`thm-two-levels`).

    Parameters
    ----------
    tau : int
        Dimension of both subspaces, at least 3.
    epsilon, epsilon_acc_second : float or mpmath number
        Errors allowed a task and reached by a combination of the first level.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the other subspace.

    Returns
    -------
    object array of mpmath numbers, shape (2 tau + 1, tau + 1)
        First tau random targets, which span the other subspace. Then tau + 1 targets of the space of the first tau
        axes, each leaning on the one before, whose separation :math:`g` is such that an error
        :math:`\eta=\pi\tilde\epsilon_{acc}` grows to :math:`\eta/g^{\tau-1}=2\pi\epsilon`.

    Raises
    ------
    ValueError
        If `tau` < 3 or the accuracies are out of range.

    Notes
    -----
    For errors along the last axis. The separation is never below 1.1 pi epsilon, so for a large epsilon the error
    grows less, and the last target is accepted. Combinations that use targets of both subspaces spoil it in some
    draws, and in a vanishing part of them as epsilon falls.

    Examples
    --------
    >>> rows = crowded_subspace(3, 1e-4, 1e-9 / 3, rng=1)
    >>> rows.shape, max(abs(rows[3:, -1])) == 0
    ((7, 4), True)
    """
    tau, e, a = family_arguments(integer("tau", tau, least=3), epsilon, epsilon_acc_second, 3)
    with mp.workdps(DIGITS):
        g = (a / (2 * e)) ** (mp.mpf(1) / (tau - 1))
        g = max(g, mp.pi * e * mp.mpf("1.1"))
        other = _unit_rows((tau, tau + 1), random_generator(rng))
        first = np.array([[mp.mpf(x) for x in row] for row in other])
        first = np.array([row / mp.sqrt(row @ row) for row in first])
        return np.vstack([first, _leaning([g] * (tau - 1), tau + 1)])


def crowded_first_level(k: int, tau: int, epsilon: Real, epsilon_acc_second: Real) -> Any:
    """A stream in k dimensions that opens k + 1 features of the first level (`thm-two-levels`).

    Parameters
    ----------
    k, tau : int
        Dimension of the common space, at least 3, and of each subspace, 1 <= tau < k.
    epsilon, epsilon_acc_second : float or mpmath number
        Errors allowed a task and reached by a combination of the first level.

    Returns
    -------
    object array of mpmath numbers, shape (k + 1, k + 1)
        Unit rows whose last coordinate is 0. The first tau + 1 are a hair more than pi epsilon apart, each from the
        span of those before; the later ones come closer to that span, to a hair above pi `epsilon_acc_second`,
        but to no tau of them.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    For errors along the last axis, at the printed accuracies and a small epsilon; for tau = k - 1 only from k = 4 on.
    Each tau of the targets, or each one, may be given a subspace of its own.

    Examples
    --------
    >>> rows = crowded_first_level(3, 1, 1e-3, 1e-7)
    >>> rows.shape, max(abs(rows[:, -1])) == 0
    ((4, 4), True)
    """
    k, e, a = family_arguments(k, epsilon, epsilon_acc_second, 3)
    tau = integer("tau", tau, least=1, most=k - 1)
    with mp.workdps(DIGITS):
        hair = mp.pi * mp.mpf("1.1")
        return _leaning([hair * (e if j <= tau else a) for j in range(1, k)], k + 1)
