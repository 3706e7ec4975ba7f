"""Streams of Theorem 1 that only this chapter needs, by hand and in 200 digits; every vector is a row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from mpmath import mp

from lifelong._checks import integer
from lifelong.halfspaces.instances import Perturbation
from lifelong_book.halfspaces.many_digits import DIGITS, Real, family_arguments, precise, sine_of_error


def hand_stream() -> Perturbation:
    """Four targets in three dimensions of R^4 that open four features: the hand example against `thm-halfspaces`.

    Returns
    -------
    Perturbation
        `true` and `learned`, object arrays of Fractions, shape (4, 4), not of unit length. Only the second row is
        learned with an error, of an angle below eps^2/30 at eps = 1/1000. The span of the first three learned rows
        holds nothing of error eps for the fourth target.

    Examples
    --------
    >>> true, learned = hand_stream()
    >>> [[str(x) for x in row] for row in learned[1:3]]
    [['318', '1', '0', '1/100000'], ['0', '318', '1', '0']]
    """
    rows = [[1, 0, 0, 0], [318, 1, 0, 0], [0, 318, 1, 0], [0, 0, 1, 0]]
    true = np.array([[Fraction(x) for x in row] for row in rows], dtype=object)
    learned = true.copy()
    learned[1, 3] = Fraction(1, 100_000)
    return Perturbation(true, learned)


def doubling_in_room(k: int, n: int, epsilon: Real, epsilon_acc: Real) -> Perturbation:
    """Targets in k dimensions of R^n that make `algo-one` open min(n, 2k - 2) features (`thm-halfspaces-exact`).

    Parameters
    ----------
    k, n : int
        Dimensions of the common subspace and of the examples, 2 <= k <= n.
    epsilon, epsilon_acc : float or mpmath number
        As in `doubling_family`.

    Returns
    -------
    Perturbation
        `true` and `learned`, object arrays of mpmath numbers of 200 digits, shape (min(n, 2k - 2), n). Unit rows, the
        true ones on the first k axes, each learned one within the angle pi * `epsilon_acc` of its target.

    Raises
    ------
    ValueError
        If an argument is out of range, or `epsilon` is too large for this k and n.

    Notes
    -----
    The targets of `doubling_family` with errors that share directions, so that 2k - 2 dimensions hold it all. The
    smallest case, k = 3 in R^4, has one error that is not zero.

    Examples
    --------
    >>> true, learned = doubling_in_room(3, 4, 1e-3, 1e-8)
    >>> true.shape, [s > 1 for s in refusals_with(true, learned, 1e-3)]
    ((4, 4), [True, True, True, True])
    """
    with mp.workdps(DIGITS):
        k, e, a = family_arguments(k, epsilon, epsilon_acc, 2)
        twice = min(k - 2, integer("n", n, least=k) - k)
        s, turn = sine_of_error(e), mp.tan(mp.pi * a)
        c = mp.sqrt(1 - s**2)
        zero, one = mp.mpf(0), mp.mpf(1)
        rows: list[tuple[dict[int, Any], int, Any]] = [({0: one}, 0, zero), ({0: c, 1: s}, k, turn)]
        pull = s * (s / c) / turn
        for j in range(2, 2 + twice):
            inverse = mp.sqrt(1 + (s / c) ** 2 + pull**2)
            if s * inverse > 1:
                raise ValueError(f"epsilon: expected a smaller one for k = {k} and n = {n}, got {float(e):g}")
            rows.append(({j - 1: c, j: s}, k + j - 1, turn / inverse))
            rows.append(({0: mp.sqrt(1 - (s * inverse) ** 2), j: s * inverse}, k + j - 1, turn))
            pull = s * (s / c) / turn * inverse
        rows += [({j: one}, 0, zero) for j in range(2 + twice, k)]
        true = np.full((len(rows), n), zero, dtype=object)
        learned = true.copy()
        for i, (entries, axis, error) in enumerate(rows):
            for j, x in entries.items():
                true[i, j] = x
                learned[i, j] = x
            if axis < k + twice:  # no axis is left for the errors of the last direction: it has none
                learned[i, axis] += error
                learned[i] /= mp.sqrt(1 + error**2)
        return Perturbation(true, learned)


def sharp_family(k: int, epsilon: Real, epsilon_acc: Real) -> Perturbation:
    r"""Targets, with the worst estimates, that `thm-halfspaces-determinant` allows to leading order.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.
    epsilon, epsilon_acc : float or mpmath number
        As in `doubling_family`.

    Returns
    -------
    Perturbation
        `true` and `learned`, object arrays of mpmath numbers of 200 digits, unit rows. There are
        :math:`1+(k-1)(1+\lfloor\ln(1/s)/\ln\Delta\rfloor)` rows, :math:`s=\sin\pi\epsilon` up to a hair and
        :math:`\Delta=s/\sin\pi\epsilon_{acc}`. Each target is refused; each estimate is at the angle
        :math:`\pi\epsilon_{acc}` from its target, but for the first, which is exact.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    In the plane of the first and another axis the sines of the targets grow by the factor :math:`\Delta`. The new
    direction of the learned span is the one out of it towards the target, turned so far into a fresh axis that the
    target is left at exactly :math:`\pi\epsilon_{acc}`.

    Examples
    --------
    >>> true, learned = sharp_family(2, 1e-3, 5e-4)
    >>> len(true), all(s > 1 for s in refusals_with(true, learned, 1e-3))
    (10, True)
    """
    with mp.workdps(DIGITS):
        k, e, a = family_arguments(k, epsilon, epsilon_acc, 1)
        s, t = sine_of_error(e), mp.sin(mp.pi * a)
        sines = [s]
        while sines[-1] * s / t <= 1:
            sines.append(sines[-1] * s / t)
        room = k + (k - 1) * len(sines)
        true = np.full((1 + (k - 1) * len(sines), room), mp.mpf(0), dtype=object)
        true[0, 0] = mp.mpf(1)
        learned = true.copy()
        turn = mp.sqrt(1 - (t / s) ** 2)  # cosine of how far the new direction turns into its fresh axis
        for j in range(1, k):
            rest = np.full(room, mp.mpf(0), dtype=object)  # what of the axis is outside of the learned span
            rest[j] = mp.mpf(1)
            for i, sine in enumerate(sines):
                row = 1 + (j - 1) * len(sines) + i
                true[row, 0], true[row, j] = mp.sqrt(1 - sine**2), sine
                length = mp.sqrt(rest.dot(rest))
                new = turn * rest / length
                new[k + row - 1] += t / s
                outside = sine * rest  # of the target, its length is s
                nearest = true[row] - outside + new * outside.dot(new)
                learned[row] = nearest / mp.sqrt(nearest.dot(nearest))
                rest = rest - new * rest.dot(new)
        return Perturbation(true, learned)


def refusals_with(targets: Any, learned: Any, epsilon: Real) -> list[float]:
    r"""How far each target is from the span of the vectors learned before it, in 200 digits.

    Parameters
    ----------
    targets, learned : array_like, shape (N, n), real or mpmath numbers
        Unit rows, in the order of the stream; the learned ones independent.
    epsilon : float or mpmath number
        Error allowed a task, in (0, 1/2).

    Returns
    -------
    list of float, length N
        Sine of the angle over the sine of :math:`\pi\epsilon`: above 1 where the target is refused.

    Raises
    ------
    ValueError
        If the shapes differ or `epsilon` is out of range.

    Notes
    -----
    For `thm-halfspaces-exact` and `thm-halfspaces-determinant`, by orthogonalisation, whatever the errors are. Not
    `algo-one` itself, which holds doubles: these targets, and the angles between them, do not fit in one.

    Examples
    --------
    >>> [round(x, 3) for x in refusals_with(np.eye(2), np.eye(2), 0.25)]
    [1.414, 1.414]
    """
    true, rows = np.array(targets, dtype=object), np.array(learned, dtype=object)
    if true.ndim != 2 or true.shape != rows.shape:
        raise ValueError(f"learned: expected shape {true.shape}, got shape {rows.shape}")
    with mp.workdps(DIGITS):
        e = precise("epsilon", epsilon)
        if not 0 < e < 0.5:
            raise ValueError(f"epsilon: expected a number in (0, 1/2), got {epsilon!r}")
        true, rows = (np.vectorize(mp.mpmathify, otypes=[object])(x) for x in (true, rows))
        found: list[float] = []
        basis: list[Any] = []
        for target, row in zip(true, rows, strict=True):
            outside, new = target, row
            for b in basis:
                outside, new = outside - b * b.dot(outside), new - b * b.dot(new)
            found.append(float(mp.sqrt(outside.dot(outside)) / mp.sin(mp.pi * e)))
            basis.append(new / mp.sqrt(new.dot(new)))
        return found
