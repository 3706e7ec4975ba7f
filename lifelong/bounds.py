"""Every bound, as printed and as corrected, one function each (angles in radians).

Functions broadcast over their arguments. A bound on an angle is capped nowhere: a value above
pi/2 says that the bound is empty there.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from lifelong._checks import FloatArray, bool_array, integer, number, real_array, same_shape

__all__ = [
    "amplification",
    "equivalence_queries",
    "features_exact",
    "features_logarithmic",
    "one_vec",
    "one_vec_sine",
    "online_any",
    "online_printed",
    "online_sharp",
    "online_uniform",
    "scalar_gap",
    "subspace_printed",
    "subspace_separated",
    "subspace_sharp",
    "subspace_singular_value",
    "union_dimension",
    "volume_bound",
    "volume_slack",
]


def _angles(name: str, value: Any, high: float) -> FloatArray:
    array = real_array(name, value, axes=0)
    if (array < 0).any() or (array > high).any():
        given = f"{array.min():g} to {array.max():g}"
        raise ValueError(f"{name}: expected angles in [0, {high:g}] radians, got {given}")
    return array


def scalar_gap(alpha: Any, beta: Any) -> Any:
    r"""Right side minus left side of the scalar inequality behind `lem-one-vec`.

    Parameters
    ----------
    alpha, beta : array_like of float, shapes broadcast
        Angles in [0, pi/2] radians.

    Returns
    -------
    float64, the broadcast shape
        :math:`\frac{\pi}{2}\arcsin(\sin\alpha\,\sin\beta) - \alpha\beta`, never negative on the
        square (`ineq-scalar`), zero on its four sides.

    Raises
    ------
    ValueError
        If an angle is NaN or outside [0, pi/2].

    Examples
    --------
    >>> print(f"{scalar_gap(0.5, 0.5):.4f}")
    0.1143
    """
    a, b = _angles("alpha", alpha, np.pi / 2), _angles("beta", beta, np.pi / 2)
    same_shape(alpha=a.shape, beta=b.shape)
    return np.pi / 2 * np.arcsin(np.sin(a) * np.sin(b)) - a * b


def _error_and_separation(error: Any, separation: Any) -> tuple[FloatArray, FloatArray]:
    e, s = _angles("error", error, np.pi), _angles("separation", separation, np.pi / 2)
    same_shape(error=e.shape, separation=s.shape)
    return e, s


def one_vec(error: Any, separation: Any) -> Any:
    r"""The bound of `lem-one-vec` as printed (and true): one vector replaced.

    Parameters
    ----------
    error : array_like of float
        :math:`\theta(\tilde b, b)` in [0, pi] radians.
    separation : array_like of float
        :math:`\theta(\tilde b, U)` in [0, pi/2] radians; infinity comes back at 0.

    Returns
    -------
    float64, the broadcast shape
        :math:`\frac{\pi}{2}\,\theta(\tilde b, b) / \theta(\tilde b, U)`.

    Raises
    ------
    ValueError
        If an angle is NaN or out of range.

    Examples
    --------
    The numbers in the caption of `fig-perturbation` (b):

    >>> print(f"{one_vec(0.01, 0.1):.4f}")
    0.1571
    """
    e, s = _error_and_separation(error, separation)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(s > 0, np.pi / 2 * e / s, np.inf)[()]


def one_vec_sine(error: Any, separation: Any) -> Any:
    r"""The sharper sine form of `lem-one-vec` (`lem-one-vec-sine`).

    Parameters
    ----------
    error : array_like of float
        :math:`\theta(\tilde b, b)` in [0, pi] radians.
    separation : array_like of float
        :math:`\theta(\tilde b, U)` in [0, pi/2] radians.

    Returns
    -------
    float64, the broadcast shape
        :math:`\arcsin\min(1, \sin\theta(\tilde b, b) / \sin\theta(\tilde b, U))` radians; pi/2 where the
        separation is 0.

    Raises
    ------
    ValueError
        If an angle is NaN or out of range.

    Examples
    --------
    >>> print(f"{one_vec_sine(0.01, 0.1):.4f}")
    0.1003
    """
    e, s = (np.sin(angles) for angles in _error_and_separation(error, separation))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.arcsin(np.where(e < s, e / s, 1.0))[()]


def _subspace_arguments(k: Any, error: Any, separation: Any) -> tuple[int, FloatArray, FloatArray]:
    gamma = _angles("separation", separation, np.pi / 2)
    if (gamma == 0).any():
        raise ValueError("separation: expected angles in (0, pi/2] radians, got 0")
    e = _angles("error", error, np.pi / 2)
    same_shape(error=e.shape, separation=gamma.shape)
    return integer("k", k, least=1), e, gamma


def subspace_printed(k: int, error: Any, separation: Any) -> Any:
    r"""The bound of `lem-subspace` as printed: true for k <= 2, false for every k >= 3.

    Parameters
    ----------
    k : int
        How many vectors span each subspace, at least 1.
    error : array_like of float
        :math:`\epsilon_{acc}`, the largest angle between a vector and its estimate, in [0, pi/2] radians.
    separation : array_like of float
        :math:`\gamma` in (0, pi/2] radians.

    Returns
    -------
    float64, the broadcast shape
        :math:`2 k\,\epsilon_{acc} / \gamma` radians.

    Raises
    ------
    ValueError
        If `k` < 1 or an angle is NaN or out of range.

    Examples
    --------
    >>> print(f"{subspace_printed(3, 0.002, 0.245):.4f}")
    0.0490
    """
    k, e, g = _subspace_arguments(k, error, separation)
    return 2 * k * e / g


def amplification(k: int, separation: Any) -> Any:
    r"""How much the sine of an error can grow over k vectors: the :math:`F_k` of `thm-subspace-sharp`.

    Parameters
    ----------
    k : int
        At least 1.
    separation : array_like of float
        :math:`\gamma` in (0, pi/2] radians.

    Returns
    -------
    float64, the shape of `separation`
        :math:`F_1 = 1`, :math:`F_i = \sqrt{1 + 2 F_{i-1}\cos\gamma + F_{i-1}^2} / \sin\gamma`.

    Raises
    ------
    ValueError
        If `k` < 1 or an angle is NaN or out of range.

    Examples
    --------
    At a right angle the errors add like independent ones, :math:`F_k = \sqrt k`; at a small one
    they compound:

    >>> print(f"{amplification(4, np.pi / 2):.3f} {amplification(4, 0.245):.0f}")
    2.000 160
    """
    k, _, gamma = _subspace_arguments(k, 0.0, separation)
    F = np.ones_like(gamma)
    for _ in range(k - 1):
        F = np.sqrt(1 + 2 * F * np.cos(gamma) + F**2) / np.sin(gamma)
    return F[()]


def subspace_sharp(k: int, error: Any, separation: Any) -> Any:
    r"""The sharp replacement of `lem-subspace` (`thm-subspace-sharp`), attained for every k.

    Parameters
    ----------
    k, error, separation
        As in `subspace_printed`; no relation between error and separation is assumed.

    Returns
    -------
    float64, the broadcast shape
        :math:`\arcsin\min(1, F_k \sin\epsilon_{acc})` radians; pi/2 says that nothing is promised.

    Raises
    ------
    ValueError
        If `k` < 1 or an angle is NaN or out of range.

    Examples
    --------
    >>> print(f"{subspace_sharp(3, 0.002, 0.245):.4f}")
    0.0756
    """
    k, e, g = _subspace_arguments(k, error, separation)
    return np.arcsin(np.minimum(1.0, amplification(k, g) * np.sin(e)))


def subspace_separated(k: int, error: Any, separation: Any) -> Any:
    r"""Bound when every estimate is far from the span of *all* the others (`prop-subspace-separated`).

    Parameters
    ----------
    k, error
        As in `subspace_printed`.
    separation : array_like of float
        A lower bound, in (0, pi/2] radians, on :math:`\theta(\tilde a_i, \mathrm{span}\{\tilde a_j : j \ne i\})`.

    Returns
    -------
    float64, the broadcast shape
        :math:`\arcsin\min(1, k \sin\epsilon_{acc} / \sin\gamma)` radians. It lies below the printed bound of
        `lem-subspace` whenever :math:`\epsilon_{acc} \le \gamma^2 / (10 k)`.

    Raises
    ------
    ValueError
        If `k` < 1 or an angle is NaN or out of range.

    Examples
    --------
    >>> bool(subspace_separated(3, 0.002, 0.245) < subspace_printed(3, 0.002, 0.245))
    True
    """
    k, e, g = _subspace_arguments(k, error, separation)
    return np.arcsin(np.minimum(1.0, k * np.sin(e) / np.sin(g)))


def subspace_singular_value(k: int, error: Any, smallest: Any) -> Any:
    r"""Bound through the smallest singular value of the unit estimates (`prop-subspace-singular`).

    Parameters
    ----------
    k, error
        As in `subspace_printed`.
    smallest : array_like of float
        The k-th singular value of the matrix of unit estimates, in (0, 1].

    Returns
    -------
    float64, the broadcast shape
        :math:`\arcsin\min(1, \sqrt k \sin\epsilon_{acc} / \sigma_k)` radians.

    Raises
    ------
    ValueError
        If `k` < 1, an angle is NaN or out of range, or a singular value is not in (0, 1].

    Examples
    --------
    >>> print(f"{subspace_singular_value(3, 0.002, 0.5):.4f}")
    0.0069
    """
    k, e, _ = _subspace_arguments(k, error, np.pi / 2)
    sigma = real_array("smallest", smallest, axes=0)
    same_shape(error=e.shape, smallest=sigma.shape)
    if (sigma <= 0).any() or (sigma > 1 + 1e-12).any():
        raise ValueError(f"smallest: expected singular values in (0, 1], got {sigma.min():g} to {sigma.max():g}")
    return np.arcsin(np.minimum(1.0, np.sqrt(k) * np.sin(e) / sigma))


def union_dimension(k: int) -> int:
    """Largest dimension that the unions of k overlapping metafeatures can span (`rem-dimension`).

    Parameters
    ----------
    k : int
        Number of metafeatures, at least 1.

    Returns
    -------
    int
        2^k - 1; it takes at least that many variables to reach it.

    Raises
    ------
    ValueError
        If `k` < 1.

    Examples
    --------
    >>> union_dimension(4)
    15
    """
    return int(2 ** integer("k", k, least=1) - 1)


def online_printed(n: int, k: int) -> int:
    """The bound of `thm-online-anchor` on targets learned from scratch, as printed: true and loose.

    Parameters
    ----------
    n, k : int
        Variables and anchored metafeatures, 1 <= k <= n.

    Returns
    -------
    int
        n^2 + k.

    Raises
    ------
    ValueError
        If `n` or `k` is out of range.

    Examples
    --------
    >>> online_printed(10, 3)
    103
    """
    n = integer("n", n, least=1)
    return int(n * n + integer("k", k, least=1, most=n))


def online_sharp(metafeatures: Any) -> int:
    r"""The bound of `thm-online-sharp` on targets learned from scratch, for given metafeatures.

    Parameters
    ----------
    metafeatures : array_like, shape (k, n), bool
        Anchored: each row holds a variable that is in no other row.

    Returns
    -------
    int
        The smaller of :math:`2^k - 1` and :math:`k + \binom{k}{2} + \sum_B (k - |B|)`. The sum is over the distinct
        sets B of at least two metafeatures that are exactly the ones holding some variable.

    Raises
    ------
    ValueError
        If `metafeatures` is not a boolean matrix or a row has no anchor.

    Examples
    --------
    Two disjoint metafeatures, then three of which two share a variable:

    >>> online_sharp([[True, False], [False, True]])
    3
    >>> online_sharp([[True, False, False, True], [False, True, False, True], [False, False, True, False]])
    7
    """
    M = bool_array("metafeatures", metafeatures, axes=2)
    holders = M.sum(axis=0)
    if not (M & (holders == 1)).any(axis=1).all():
        raise ValueError("metafeatures: expected a variable of its own in every row, got a row without one")
    k = len(M)
    shared = {column.tobytes(): int(column.sum()) for column in M.T[holders >= 2]}
    return int(min(2**k - 1, k + comb(k, 2) + sum(k - size for size in shared.values())))


def online_uniform(n: int, k: int) -> int:
    """The largest value of `online_sharp` over all sets of k anchored metafeatures on n variables.

    Parameters
    ----------
    n, k : int
        Variables and anchored metafeatures, 1 <= k <= n.

    Returns
    -------
    int
        At most k n, and at most n(n-1)/2 + k (`thm-online-sharp`).

    Raises
    ------
    ValueError
        If `n` or `k` is out of range.

    Examples
    --------
    >>> online_uniform(6, 6), online_uniform(100, 10)
    (21, 730)
    """
    n = integer("n", n, least=1)
    k = integer("k", k, least=1, most=n)
    left, total = n - k, k + comb(k, 2)
    for size in range(2, k):
        taken = min(left, comb(k, size))
        left, total = left - taken, total + taken * (k - size)
    return int(min(2**k - 1, total))


def online_any(n: int) -> int:
    """The most targets that Algorithm 4 ever learns from scratch on n variables, whatever they are.

    Parameters
    ----------
    n : int
        Variables, at least 1.

    Returns
    -------
    int
        n(n+1)/2, attained for every n (`thm-online-sharp`).

    Raises
    ------
    ValueError
        If `n` is not a positive integer.

    Examples
    --------
    >>> online_any(5)
    15
    """
    return comb(integer("n", n, least=1) + 1, 2)


def equivalence_queries(m: int, n: int, k: int, scratch: int) -> int:
    """The count behind `cor-equivalence`: equivalence queries for a stream of conjunctions.

    Parameters
    ----------
    m, n, k : int
        Targets, variables and anchored metafeatures, m >= 0 and 1 <= k <= n.
    scratch : int
        How many targets are learned from scratch, or a bound on it such as `online_sharp`.

    Returns
    -------
    int
        m (k + 1) + n `scratch`: an attempt over the metafeatures costs at most k + 1 queries, learning a nonempty
        target over the variables at most n.

    Raises
    ------
    ValueError
        If an argument is no integer in its range.

    Examples
    --------
    >>> equivalence_queries(100, 30, 4, online_uniform(30, 4))
    950
    """
    n = integer("n", n, least=1)
    attempts = integer("m", m, least=0) * (integer("k", k, least=1, most=n) + 1)
    return attempts + n * integer("scratch", scratch, least=0)


def _accuracies(epsilon: Any, epsilon_acc: Any) -> tuple[float, float]:
    half = {"low": 0.0, "high": 0.5, "open_low": True, "open_high": True}
    e = number("epsilon", epsilon, **half)  # type: ignore[arg-type]
    return e, number("epsilon_acc", epsilon_acc, **half)  # type: ignore[arg-type]


def volume_slack(features: int, k: int, epsilon: float, epsilon_acc: float, gamma: float = 0.0) -> float:
    r"""Right side minus left side of the inequality of `thm-halfspaces-volume`, for a Gaussian law.

    Parameters
    ----------
    features : int
        How many features N are open; more than k.
    k : int
        Dimension of the common subspace, at least 1.
    epsilon, epsilon_acc : float
        Errors in (0, 1/2) allowed a task and reached from scratch.
    gamma : float, default 0
        Largest angle in [0, pi/2] radians between a target and the common subspace.

    Returns
    -------
    float
        The sum of :math:`\frac k2\ln\frac Nk+\frac{N-k}2\ln\frac N{N-k}` and
        :math:`(N-k)\ln t-(N-1)\ln s`, with :math:`s=\sin(\pi\epsilon-\pi\epsilon_{acc})` and
        :math:`t=\sin(\pi\epsilon_{acc}+\gamma)`. Not negative for any number of features that `algo-one` can open.

    Raises
    ------
    ValueError
        If an argument is out of range, `features` <= k, or `epsilon_acc` >= `epsilon`.

    Examples
    --------
    >>> volume_slack(6, 5, 0.1, 0.02) > 0, volume_slack(60, 5, 0.1, 0.02) > 0
    (True, False)
    """
    k = integer("k", k, least=1)
    N = integer("features", features, least=k + 1)
    e, a = _accuracies(epsilon, epsilon_acc)
    if a >= e:
        raise ValueError(f"epsilon_acc: expected less than epsilon = {e:g}, got {a:g}")
    g = number("gamma", gamma, low=0.0, high=np.pi / 2)
    log_s = float(np.log(np.sin(np.pi * (e - a))))
    log_t = float(np.log(np.sin(min(np.pi * a + g, np.pi / 2))))
    entropy = (k * np.log(N / k) + (N - k) * np.log(N / (N - k))) / 2
    return float(entropy + (N - k) * log_t - (N - 1) * log_s)


def volume_bound(k: int, epsilon: float, epsilon_acc: float, gamma: float = 0.0) -> float:
    r"""Largest number of features that the inequality of `thm-halfspaces-volume` allows.

    Parameters
    ----------
    k, epsilon, epsilon_acc, gamma
        As in `volume_slack`.

    Returns
    -------
    float
        A whole number, or infinity where the new features are not far enough from the common subspace for any
        bound (:math:`s \le t`).

    Raises
    ------
    ValueError
        If an argument is out of range or `epsilon_acc` >= `epsilon`.

    Notes
    -----
    The slack is concave in N and not negative at N = k, so the allowed numbers form an interval and bisection
    finds its end.

    Examples
    --------
    >>> volume_bound(10, 0.1, 0.02), volume_bound(10, 0.1, 0.1 / 1e6)
    (25.0, 10.0)
    """
    low = integer("k", k, least=1)
    if volume_slack(low + 1, k, epsilon, epsilon_acc, gamma) < 0:
        return float(low)
    if np.sin(np.pi * (epsilon - epsilon_acc)) <= np.sin(min(np.pi * epsilon_acc + gamma, np.pi / 2)):
        return float("inf")
    high = 2 * low + 2
    while volume_slack(high, k, epsilon, epsilon_acc, gamma) >= 0:
        high *= 2
    low += 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if volume_slack(middle, k, epsilon, epsilon_acc, gamma) >= 0 else (low, middle)
    return float(low)


def features_logarithmic(k: int, epsilon: float) -> float:
    r"""Bound on the features at accuracy :math:`\epsilon/5`: the first corollary in `thm-halfspaces-volume`.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.
    epsilon : float
        Error allowed a task, in (0, 0.4].

    Returns
    -------
    float
        :math:`k\,(2 + \ln(1/\epsilon))`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> print(f"{features_logarithmic(10, 0.1):.2f}")
    43.03
    """
    e = number("epsilon", epsilon, low=0.0, high=0.4, open_low=True)
    return float(integer("k", k, least=1) * (2 - np.log(e)))


def features_exact(k: int) -> int:
    r"""Worst number of features at an accuracy of the order of :math:`\epsilon^2`: `thm-halfspaces-exact`.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.

    Returns
    -------
    int
        max(1, 2k - 2), for :math:`\epsilon_{acc} \le \epsilon^2/2`, :math:`\epsilon \le 0.4` and a Gaussian law.

    Raises
    ------
    ValueError
        If `k` < 1.

    Examples
    --------
    >>> [features_exact(k) for k in (1, 2, 3, 10)]
    [1, 2, 4, 18]
    """
    return int(max(1, 2 * integer("k", k, least=1) - 2))
