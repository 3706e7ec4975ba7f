"""Bounds of the repaired theorems that only this chapter needs: exactly k features, broken accuracies, samples."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import integer, number, real_array
from lifelong.halfspaces.bounds import accuracy_exact, amplification, last_below


def exactly_k_accuracy(k: int, epsilon: float) -> float:
    r"""The coarsest accuracy at which k orthonormal tasks always serve their span: `prop-exactly-k`.

    Parameters
    ----------
    k : int
        Number of orthonormal targets that were learned, at least 1.
    epsilon : float
        Error allowed a task, in (0, 1/2].

    Returns
    -------
    float
        :math:`\arcsin(\sin(\pi\epsilon)/\sqrt k)/\pi`, between :math:`\tfrac2\pi\epsilon/\sqrt k` and
        :math:`\epsilon/\sqrt k`, for a Gaussian law.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> print(f"{exactly_k_accuracy(256, 0.1):.5f}")
    0.00615
    """
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True)
    return float(np.arcsin(np.sin(np.pi * e) / np.sqrt(integer("k", k, least=1))) / np.pi)


def common_direction_error(k: int, epsilon_acc: ArrayLike) -> Any:
    r"""Error of the best hypothesis for the sum of k orthonormal targets that were learned with one common error.

    Parameters
    ----------
    k : int
        Number of orthonormal targets that were learned, at least 1.
    epsilon_acc : array_like of float
        Error of each, all towards one direction outside the span of the targets, in [0, 1/2).

    Returns
    -------
    float64, the shape of `epsilon_acc`
        :math:`\arctan(\sqrt k\tan(\pi\epsilon_{acc}))/\pi`, for a Gaussian law (`prop-exactly-k`).

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> print(f"{common_direction_error(256, 0.02):.4f}")
    0.2511
    """
    a = real_array("epsilon_acc", epsilon_acc, axes=0)
    if not ((a >= 0) & (a < 0.5)).all():
        raise ValueError(f"epsilon_acc: expected errors in [0, 1/2), got {a.min():g} to {a.max():g}")
    return np.arctan(np.sqrt(integer("k", k, least=1)) * np.tan(np.pi * a)) / np.pi


def features_after_orthonormal(k: int, epsilon: float, epsilon_acc: float) -> float:
    r"""What the features opened after k orthonormal targets of a k-dimensional space stay below: `prop-exactly-k`.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.
    epsilon, epsilon_acc : float
        Error allowed a task and error of a task learned from scratch, 0 <= epsilon_acc < epsilon <= 1/2.

    Returns
    -------
    float
        :math:`k/(\Delta^2-1)` with :math:`\Delta=\sin(\pi\epsilon)/\sin(\pi\epsilon_{acc})`, for a Gaussian
        law; fewer than this many are opened, and none where it is 0.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> print(f"{features_after_orthonormal(256, 0.1, 0.02):.2f}")
    11.02
    """
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True)
    a = number("epsilon_acc", epsilon_acc, low=0.0, high=e, open_high=True)
    share = (np.sin(np.pi * a) / np.sin(np.pi * e)) ** 2
    return float(integer("k", k, least=1) * share / (1 - share))


def accuracy_broken(k: int, epsilon: float) -> float:
    r"""An accuracy that some stream breaks, and every coarser one too: the other half of `thm-halfspaces-small-error`.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 2.
    epsilon : float
        Error allowed a task, in (0, 1/4].

    Returns
    -------
    float
        An :math:`\epsilon_{acc}`, rounded up, with :math:`F_k(\pi\epsilon+\eta)\,\sin\eta>\sin\pi\epsilon` for
        :math:`\eta=\pi\epsilon_{acc}`, a Gaussian law and examples of more than k dimensions: where the two sides
        are equal. Between this and `accuracy_exact` nothing is said.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> [f"{accuracy_broken(2, e) / accuracy_exact(2, e):.3f}" for e in (0.1, 0.01, 0.001)]
    ['1.360', '1.032', '1.003']
    """
    k = integer("k", k, least=2)
    far = np.pi * number("epsilon", epsilon, low=0.0, high=0.25, open_low=True)

    def kept(log_turn: float) -> bool:
        turn = np.exp(log_turn)
        return bool(amplification(k, far + turn) * np.sin(turn) <= np.sin(far))

    least = np.log(np.pi * accuracy_exact(k, epsilon))
    return float(np.exp(last_below(kept, least, np.log(far)))) * (1 + 1e-9) / np.pi


def holdout_share(epsilon: float, size: int, delta: float, *, threshold: float = 0.75) -> float:
    r"""What a refusal certifies: a share of epsilon that the tested hypothesis exceeds (`lem-holdout`).

    Parameters
    ----------
    epsilon : float
        Error allowed a task, in (0, 1/2).
    size : int
        Fresh labels in the holdout, at least 1.
    delta : float
        Probability of a wrong certificate, in (0, 1).
    threshold : float, default 0.75
        The hypothesis is refused when it errs on more than this share of `epsilon` of the holdout; in (0, 1].

    Returns
    -------
    float
        The largest share, rounded down, such that a hypothesis of error share * epsilon is refused with probability at
        most `delta`: a binomial tail, exactly.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    The test of `algo-one` as `oracles.Sampled` does it, 20 / epsilon labels, then one of thirty times as many:

    >>> f"{holdout_share(0.1, 200, 0.05):.3f}", f"{holdout_share(0.1, 6000, 0.05):.3f}"
    ('0.508', '0.696')
    """
    from scipy.stats import binom

    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
    size = integer("size", size, least=1)
    d = number("delta", delta, low=0.0, high=1.0, open_low=True, open_high=True)
    most = np.floor(number("threshold", threshold, low=0.0, high=1.0, open_low=True) * e * size + 1e-9)
    return last_below(lambda share: bool(binom.sf(most, size, share * e) <= d), 0.0, 1 / e)


def holdout_size(epsilon: float, delta: float) -> int:
    r"""Labels with which the holdout test errs neither way, but for probability delta (`lem-holdout`).

    Parameters
    ----------
    epsilon : float
        Error allowed a task, in (0, 1/2).
    delta : float
        Probability of each of the two mistakes, in (0, 1).

    Returns
    -------
    int
        :math:`(30/\epsilon)\ln(1/\delta)`, rounded up.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> holdout_size(0.1, 0.05)
    899
    """
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
    d = number("delta", delta, low=0.0, high=1.0, open_low=True, open_high=True)
    return ceil(float(30 / e * np.log(1 / d)))
