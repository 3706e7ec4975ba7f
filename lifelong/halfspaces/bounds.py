"""Bounds of Lemmas 1 to 3 and Theorems 1 and 2, as printed and as corrected, one function each (radians).

Functions broadcast over their arguments. A bound on an angle is capped nowhere: a value above
pi/2 says nothing, and that is for the caller to see.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, e, pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, integer, number, real_array, same_shape, unit_rows
from lifelong._contracts import checked

__all__ = [
    "accuracy_broken",
    "accuracy_exact",
    "accuracy_share",
    "amplification",
    "angle_constants",
    "common_direction_error",
    "determinant_bound",
    "direct_features",
    "exactly_k_accuracy",
    "features_after_orthonormal",
    "features_exact",
    "features_logarithmic",
    "holdout_share",
    "holdout_size",
    "one_vec",
    "one_vec_sine",
    "plane_accuracy",
    "plane_features",
    "scalar_gap",
    "spectral_accuracy",
    "spectral_openings",
    "subspace_exact",
    "subspace_printed",
    "subspace_separated",
    "subspace_sharp",
    "subspace_singular_value",
    "two_level_features",
    "two_level_logarithmic",
    "two_level_rates",
    "volume_bound",
    "volume_slack",
]


def _angles(name: str, value: ArrayLike, high: float) -> FloatArray:
    array = real_array(name, value, axes=0)
    if (array < 0).any() or (array > high).any():
        given = f"{array.min():g} to {array.max():g}"
        raise ValueError(f"{name}: expected angles in [0, {high:g}] radians, got {given}")
    return array


def angle_constants() -> tuple[float, float]:
    r"""Constants of `lem-angle` that serve every isotropic log-concave law in every dimension.

    Returns
    -------
    tuple of float
        :math:`1/(24\pi)` and :math:`2e^2/(e-1)`, per radian. Both are proved in the chapter on angles; neither is
        claimed to be the best possible.

    Examples
    --------
    >>> print(" ".join(f"{c:.4f}" for c in angle_constants()))
    0.0133 8.6005
    """
    return 1 / (24 * pi), 2 * e**2 / (e - 1)


def scalar_gap(alpha: ArrayLike, beta: ArrayLike) -> Any:
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


def _error_and_separation(error: ArrayLike, separation: ArrayLike) -> tuple[FloatArray, FloatArray]:
    e, s = _angles("error", error, np.pi), _angles("separation", separation, np.pi / 2)
    same_shape(error=e.shape, separation=s.shape)
    return e, s


def one_vec(error: ArrayLike, separation: ArrayLike) -> Any:
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


def one_vec_sine(error: ArrayLike, separation: ArrayLike) -> Any:
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


def _subspace_arguments(k: Any, error: ArrayLike, separation: ArrayLike) -> tuple[int, FloatArray, FloatArray]:
    gamma = _angles("separation", separation, np.pi / 2)
    if (gamma == 0).any():
        raise ValueError("separation: expected angles in (0, pi/2] radians, got 0")
    e = _angles("error", error, np.pi / 2)
    same_shape(error=e.shape, separation=gamma.shape)
    return integer("k", k, least=1), e, gamma


@checked
def subspace_printed(k: int, error: ArrayLike, separation: ArrayLike) -> Any:
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


@checked
def amplification(k: int, separation: ArrayLike) -> Any:
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


@checked
def subspace_sharp(k: int, error: ArrayLike, separation: ArrayLike) -> Any:
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


@checked
def subspace_separated(k: int, error: ArrayLike, separation: ArrayLike) -> Any:
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


def subspace_exact(learned: ArrayLike, error: ArrayLike) -> Any:
    r"""Largest sine of the angle that true vectors within an error of given estimates can make (`prop-subspace-exact`).

    Parameters
    ----------
    learned : array_like, shape (k, n), real
        Independent unit rows, k <= 14.
    error : array_like of float
        Largest angle between a true vector and its estimate, in [0, pi/2) radians.

    Returns
    -------
    float64, the shape of `error`
        :math:`\min(1, \sin\epsilon \max_\sigma |\tilde A^{+}\sigma|)` over all sign vectors. The length is computed
        from the Gram matrix, :math:`|\tilde A^{+}\sigma|^2 = \sigma^\top (\tilde A \tilde A^\top)^{-1} \sigma`.

    Raises
    ------
    ValueError
        If the rows are not as described, or an angle is out of range.

    Examples
    --------
    >>> print(f"{subspace_exact([[1.0, 0.0], [0.6, 0.8]], 0.01):.6f}")
    0.022360
    """
    rows = unit_rows("learned", real_array("learned", learned, axes=2))
    if rows.ndim != 2 or not 1 <= len(rows) <= 14:
        raise ValueError(f"learned: expected shape (k, n) with k from 1 to 14, got shape {rows.shape}")
    errors = _angles("error", error, np.pi / 2)
    if (errors >= np.pi / 2).any():
        raise ValueError(f"error: expected angles below pi/2, got {errors.max():g}")
    if np.linalg.matrix_rank(rows) < len(rows):
        raise ValueError(f"learned: expected independent rows, got rank {np.linalg.matrix_rank(rows)} of {len(rows)}")
    signs = 1.0 - 2.0 * (np.arange(2 ** len(rows))[:, None] >> np.arange(len(rows)) & 1)
    squares = (signs * np.linalg.solve(rows @ rows.T, signs.T).T).sum(axis=1)
    return np.minimum(1.0, np.sin(errors) * np.sqrt(squares.max()))[()]


@checked
def subspace_singular_value(k: int, error: ArrayLike, smallest: ArrayLike) -> Any:
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


#: Both constants of `lem-angle` for a law that looks the same in every direction.
_PER_RADIAN = 1 / np.pi


def _constants(low: Any, high: Any) -> tuple[float, float]:
    c = number("low", low, low=0.0, high=np.inf, open_low=True)
    return c, number("high", high, low=c, high=np.inf)


def _far_and_near(
    epsilon: Any, epsilon_acc: Any, gamma: Any, low: Any, high: Any, exact: bool = True
) -> tuple[float, float, float]:
    """Angles of a refused target to the span, and of a learned vector to its target and to the common subspace."""
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
    a = number("epsilon_acc", epsilon_acc, low=0.0, high=0.5, open_low=not exact, open_high=True)
    c, c_high = _constants(low, high)
    far, near = e / c_high, a / c
    if near >= far:
        raise ValueError(f"epsilon_acc: expected less than {e * c / c_high:g}, got {a:g}")
    return min(far, np.pi / 2 + near), near, near + number("gamma", gamma, low=0.0, high=np.pi / 2)


def accuracy_share(*, low: float = _PER_RADIAN, high: float = _PER_RADIAN) -> float:
    r"""The share of epsilon to which `thm-halfspaces-volume` asks a task to be learned from scratch.

    Parameters
    ----------
    low, high : float, default 1/pi
        The constants c <= c' of `lem-angle`, disagreement per radian; 1/pi each for a Gaussian law or a ball.

    Returns
    -------
    float
        :math:`c_0=c/(5c')`, so that :math:`\epsilon_{acc}=c_0\epsilon`.

    Raises
    ------
    ValueError
        If a constant is not positive or `low` > `high`.

    Examples
    --------
    >>> print(f"{accuracy_share():.3f} {accuracy_share(low=0.25, high=0.5):.3f}")
    0.200 0.100
    """
    c, c_high = _constants(low, high)
    return c / (5 * c_high)


@checked
def volume_slack(
    features: int,
    k: int,
    epsilon: float,
    epsilon_acc: float,
    *,
    gamma: float = 0.0,
    low: float = _PER_RADIAN,
    high: float = _PER_RADIAN,
) -> float:
    r"""Right side minus left side of the inequality of `thm-halfspaces-volume`.

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
    low, high : float, default 1/pi
        The constants c <= c' of `lem-angle`, disagreement per radian; 1/pi each for a Gaussian law.

    Returns
    -------
    float
        The sum of :math:`\frac k2\ln\frac Nk+\frac{N-k}2\ln\frac N{N-k}` and
        :math:`(N-k)\ln t-(N-1)\ln s`, with :math:`s=\sin(\epsilon/c'-\epsilon_{acc}/c)` and
        :math:`t=\sin(\epsilon_{acc}/c+\gamma)`. Not negative for any number of features that `algo-one` can open.

    Raises
    ------
    ValueError
        If an argument is out of range, `features` <= k, or :math:`\epsilon_{acc}/c\ge\epsilon/c'`.

    Examples
    --------
    >>> volume_slack(6, 5, 0.1, 0.02) > 0, volume_slack(60, 5, 0.1, 0.02) > 0
    (True, False)
    """
    k = integer("k", k, least=1)
    N = integer("features", features, least=k + 1)
    far, near, aside = _far_and_near(epsilon, epsilon_acc, gamma, low, high, exact=False)
    log_s, log_t = float(np.log(np.sin(far - near))), float(np.log(np.sin(min(aside, np.pi / 2))))
    entropy = (k * np.log(N / k) + (N - k) * np.log(N / (N - k))) / 2
    return float(entropy + (N - k) * log_t - (N - 1) * log_s)


@checked
def volume_bound(
    k: int,
    epsilon: float,
    epsilon_acc: float,
    *,
    gamma: float = 0.0,
    low: float = _PER_RADIAN,
    high: float = _PER_RADIAN,
) -> float:
    r"""Largest number of features that the inequality of `thm-halfspaces-volume` allows.

    Parameters
    ----------
    k, epsilon, epsilon_acc, gamma, low, high
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
    least = integer("k", k, least=1)

    def allowed(features: int) -> bool:
        return volume_slack(features, k, epsilon, epsilon_acc, gamma=gamma, low=low, high=high) >= 0

    if not allowed(least + 1):
        return float(least)
    far, near, aside = _far_and_near(epsilon, epsilon_acc, gamma, low, high, exact=False)
    if np.sin(far - near) <= np.sin(min(aside, np.pi / 2)):
        return float("inf")
    most = 2 * least + 2
    while allowed(most):
        most *= 2
    least += 1
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if allowed(middle) else (least, middle)
    return float(least)


@checked
def determinant_bound(
    k: int,
    epsilon: float,
    epsilon_acc: float,
    *,
    gamma: float = 0.0,
    low: float = _PER_RADIAN,
    high: float = _PER_RADIAN,
) -> float:
    r"""Largest number of features that `thm-halfspaces-determinant` allows, over a fine grid of its parameter.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.
    epsilon, epsilon_acc : float
        Errors allowed a task, in (0, 1/2), and reached from scratch, in [0, 1/2).
    gamma : float, default 0
        Largest angle in [0, pi/2] radians between a target and the common subspace.
    low, high : float, default 1/pi
        The constants c <= c' of `lem-angle`, disagreement per radian; 1/pi each for a Gaussian law.

    Returns
    -------
    float
        A whole number, the least value of the bound over its parameter, rounded down. Infinity if s <= t.

    Raises
    ------
    ValueError
        If an argument is out of range or :math:`\epsilon_{acc}/c\ge\epsilon/c'`.

    Notes
    -----
    With :math:`s=\sin(\epsilon/c'-\gamma)` and :math:`t=\sin(\epsilon_{acc}/c+\gamma)` the bound is, for every
    :math:`\lambda>0`,

    .. math::

        1+\frac{(k-1)\ln(1+\frac1\lambda)+\ln(1+\frac{t^2}\lambda)}{\ln\frac{s^2+\lambda}{t^2+\lambda}} .

    So the grid costs sharpness at most. `note-efficient` uses it too.

    Examples
    --------
    >>> determinant_bound(10, 0.1, 0.02), volume_bound(10, 0.1, 0.02)
    (20.0, 25.0)
    """
    dimension = integer("k", k, least=1)
    far, near, aside = _far_and_near(epsilon, epsilon_acc, gamma, low, high)
    far = min(far + near - aside, np.pi / 2)  # less gamma: from the common subspace
    if far <= aside:
        return float("inf")
    if not aside:
        return float(dimension)
    s, t = np.sin(far) ** 2, np.sin(aside) ** 2
    x = np.geomspace(1e-4 * t, 1e6, 4001)
    above = (dimension - 1) * np.log1p(1 / x) + np.log1p(t / x)
    return float(np.floor(1 + np.min(above / np.log1p((s - t) / (t + x))) + 1e-9))


@checked
def features_logarithmic(k: int, epsilon: float) -> float:
    r"""Bound on the features at accuracy :math:`\epsilon/5`: the corollary in `thm-halfspaces-volume`, Gaussian law.

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


@checked
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


@checked
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


@checked
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


def features_exact(k: int, *, n: int | None = None) -> int:
    r"""Worst number of features at an accuracy of the order of :math:`\epsilon^2`: `thm-halfspaces-exact`.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.
    n : int, optional
        Dimension of the examples, at least k; without it, one that is large enough not to matter.

    Returns
    -------
    int
        min(n, max(1, 2k - 2)), for :math:`\epsilon_{acc} \le \epsilon^2/2`, :math:`\epsilon \le 0.4` and a Gaussian
        law.

    Raises
    ------
    ValueError
        If `k` < 1 or `n` < k.

    Examples
    --------
    >>> [features_exact(k) for k in (1, 2, 3, 10)]
    [1, 2, 4, 18]
    >>> [features_exact(10, n=n) for n in (10, 11, 18, 100)]
    [10, 11, 18, 18]
    """
    most = max(1, 2 * integer("k", k, least=1) - 2)
    return most if n is None else min(most, integer("n", n, least=k))


@checked
def two_level_features(tau: int, s: float, t: float) -> float:
    r"""Largest number of second-level features that one subspace can open (`thm-two-levels-repaired`).

    Parameters
    ----------
    tau : int
        Dimension of the subspace, at least 1.
    s : float
        Least distance of a new unit feature to the span of any `tau` earlier ones, in (0, 1].
    t : float
        Largest distance of a feature to the subspace, in (0, 1].

    Returns
    -------
    float
        The whole part of :math:`\tau + (\tau-1)\ln(1/s)/\ln\rho` with :math:`\rho = s/(4\tau t)`; infinity
        where the theorem says nothing, :math:`\rho \le 1`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    It is at most :math:`2\tau-2` for :math:`\tau\ge2` where :math:`4\tau t<s^2`, and :math:`\tau` where
    :math:`4\tau t<s^\tau`, hence `prop-two-levels-small`.

    Examples
    --------
    >>> [two_level_features(3, 0.1, t) for t in (0.1, 0.004, 0.0005, 0.00005)]
    [inf, 9.0, 4.0, 3.0]
    """
    tau = integer("tau", tau, least=1)
    far = number("s", s, low=0.0, high=1.0, open_low=True)
    near = number("t", t, low=0.0, high=1.0, open_low=True)
    gain = far / (4 * tau * near)
    return float("inf") if gain <= 1 else float(tau + np.floor((tau - 1) * np.log(1 / far) / np.log(gain)))


def _tilts(epsilon: float, epsilon_acc: float) -> tuple[float, float]:
    """Angles of what is refused and of what is learned, for a Gaussian law."""
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
    a = number("epsilon_acc", epsilon_acc, low=0.0, high=0.5, open_low=True, open_high=True)
    return float(np.pi * e), float(np.pi * a)


def _leg(theta: float, eta: float) -> float:
    """The angle whose cosine is cos `theta` / cos `eta`, to all digits however small they are; 0 if `eta` is larger."""
    product = np.tan((theta + eta) / 2) * np.tan((theta - eta) / 2)
    return float(2 * np.arctan(np.sqrt(max(0.0, product))))


def plane_features(epsilon: float, epsilon_acc: float) -> float:
    r"""Most features that the targets of one plane can open, two at a time being searched (`prop-direct-plane`).

    Parameters
    ----------
    epsilon : float
        Error allowed a task, in (0, 1/2).
    epsilon_acc : float
        Error of a feature, in (0, 1/2).

    Returns
    -------
    float
        A whole number; infinity where the proposition says nothing.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    With :math:`\theta=\pi\epsilon`, :math:`\eta=\pi\epsilon_{acc}` and :math:`R=\tan\theta/\tan\eta>\sqrt2`: the
    projections of the first two features on the plane are at least
    :math:`\psi_0=\arccos(\cos\theta/\cos\eta)-\eta` apart, each further one raises the largest angle between two of
    them from :math:`\psi` to at least :math:`\arcsin(R\sin\frac\psi2)+\frac\psi2-\eta`, and none comes once
    :math:`R\sin\frac\psi2\ge1`. For a Gaussian law and exact oracles.

    See Also
    --------
    plane_accuracy : the coarsest accuracy for a number of features.

    Examples
    --------
    >>> plane_features(0.1, 0.0255), plane_features(0.1, 0.0137), plane_features(0.1, 0.06)
    (3.0, 2.0, inf)
    """
    theta, eta = _tilts(epsilon, epsilon_acc)
    ratio = float(np.tan(theta) / np.tan(eta))
    if ratio <= np.sqrt(2):
        return float("inf")
    enough = 2 * float(np.arcsin(1 / ratio))
    apart = _leg(theta, eta) - eta
    features = 2.0
    if apart < enough and np.pi / 2 - eta - enough / 2 < enough:  # an angle may wrap past pi/2
        return float("inf")
    while apart < enough:
        wider = float(np.arcsin(ratio * np.sin(apart / 2))) + apart / 2 - eta if apart > 0 else apart
        if wider <= apart:
            return float("inf")
        apart, features = wider, features + 1
    return features


@checked
def direct_features(tau: int, epsilon: float, epsilon_acc: float) -> float:
    r"""Most features that the targets of one subspace can open, tau at a time being searched (`thm-direct`).

    Parameters
    ----------
    tau : int
        Dimension of the subspace, at least 1.
    epsilon : float
        Error allowed a task, in (0, 1/2).
    epsilon_acc : float
        Error of a feature, in (0, 1/2).

    Returns
    -------
    float
        The whole part of
        :math:`1+\frac{\tau\ln\frac1{\sqrt\tau T}-\ln\frac1{\tau T}}{\ln\rho}` with
        :math:`T=\tan\pi\epsilon_{acc}`, :math:`\rho=\sin(\pi\epsilon-\pi\epsilon_{acc})/(\tau T)`; infinity where the
        theorem says nothing, :math:`\rho\le1` or :math:`\sqrt\tau\,T>1`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    For a Gaussian law and exact oracles, with or without a first level below the features.

    See Also
    --------
    plane_features : sharper for planes.
    two_level_features : the bound of `thm-two-levels-repaired`, for other laws and leaning targets too.

    Examples
    --------
    >>> [direct_features(tau, 0.1, 0.1 / (10 * tau)) for tau in (1, 2, 3, 4)]
    [1.0, 2.0, 4.0, 6.0]
    """
    tau = integer("tau", tau, least=1)
    theta, eta = _tilts(epsilon, epsilon_acc)
    lean = float(np.tan(eta))
    gain = float(np.sin(max(theta - eta, 0.0))) / (tau * lean)
    if gain <= 1 or np.sqrt(tau) * lean > 1:
        return float("inf")
    room = -tau * np.log(np.sqrt(tau) * lean) + np.log(tau * lean)
    return float(1 + np.floor(room / np.log(gain)))


@checked
def two_level_logarithmic(tau: int, epsilon: float) -> float:
    r"""Second-level features a subspace at accuracy :math:`\epsilon/(10\tau)`: a case of `thm-two-levels-repaired`.

    Parameters
    ----------
    tau : int
        Dimension of each subspace, at least 1.
    epsilon : float
        Error allowed a task, in (0, 0.2].

    Returns
    -------
    float
        :math:`\tau + (\tau-1)\log_2(1/\epsilon)`, for a Gaussian law.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> print(f"{two_level_logarithmic(2, 0.1):.2f}")
    5.32
    """
    e = number("epsilon", epsilon, low=0.0, high=0.2, open_low=True)
    tau = integer("tau", tau, least=1)
    return float(tau - (tau - 1) * np.log2(e))


def plane_accuracy(epsilon: float, *, features: int = 2) -> float:
    r"""The coarsest accuracy at which so many features certainly serve a plane.

    Parameters
    ----------
    epsilon : float
        Error allowed a task, in (0, 1/2).
    features : int, default 2
        How many, at least 2.

    Returns
    -------
    float
        For two features the largest :math:`\tilde\epsilon_{acc}`, rounded down, with
        :math:`\tan\eta\le\tan\theta\,\sin\frac{\psi}{2}` and
        :math:`\psi=\arccos\frac{\cos\theta}{\cos\eta}-\eta>0`, where :math:`\theta=\pi\epsilon` and
        :math:`\eta=\pi\tilde\epsilon_{acc}`, for a Gaussian law. About :math:`\frac\pi2\epsilon^2` for small epsilon.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    `prop-two-levels-small` for two, `prop-direct-plane` for more.

    See Also
    --------
    plane_features : how many features serve at an accuracy.

    Examples
    --------
    >>> print(f"{plane_accuracy(0.1):.5f}")
    0.01380
    >>> print(f"{plane_accuracy(0.1, features=3):.5f}")
    0.02554
    """
    wide = np.pi * number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)

    def holds(turn: float) -> bool:
        apart = _leg(wide, turn) - turn
        return bool(apart > 0 and np.tan(turn) <= np.tan(wide) * np.sin(apart / 2))

    if integer("features", features, least=2) > 2:
        return _last_below(lambda accuracy: plane_features(epsilon, accuracy) <= features, 0.0, float(epsilon))
    return _last_below(holds, 0.0, float(wide)) / float(np.pi)


def two_level_rates(
    n: ArrayLike, k: ArrayLike, r: ArrayLike, tau: ArrayLike, m: ArrayLike, epsilon: ArrayLike
) -> dict[str, tuple[Any, Any, Any]]:
    r"""The three terms of the label bounds of `thm-two-levels`, printed and repaired, with all constants 1.

    Parameters
    ----------
    n, k, r, tau, m : array_like of float, shapes broadcast
        Dimension, size of the common space, number of subspaces, their dimension, number of tasks; positive.
    epsilon : array_like of float
        Error allowed a task, positive.

    Returns
    -------
    dict of str to (first, second, sparse)
        "printed": :math:`nk^2\tau^2/\epsilon^4`, :math:`kr\tau^2/\epsilon^2` and
        :math:`m\tau\ln(r)/\epsilon`, at the accuracies that the paper chooses; "repaired":
        :math:`nk\tau/\epsilon`, :math:`kr\tau^2/\epsilon` and :math:`m\tau\ln(\tau r)/\epsilon`. Factors logarithmic
        in :math:`1/\epsilon` are left out.

    Raises
    ------
    ValueError
        If an argument is not positive or the shapes do not broadcast.

    Examples
    --------
    >>> rates = two_level_rates(1000, 60, 60, 2, 6000, 0.1)
    >>> [f"{x:.2g}" for x in rates["printed"]], [f"{x:.2g}" for x in rates["repaired"]]
    (['1.4e+11', '1.4e+06', '4.9e+05'], ['1.2e+06', '1.4e+05', '5.7e+05'])
    """
    given = {"n": n, "k": k, "r": r, "tau": tau, "m": m, "epsilon": epsilon}
    arrays = {name: real_array(name, value, axes=0) for name, value in given.items()}
    for name, array in arrays.items():
        if (array <= 0).any():
            raise ValueError(f"{name}: expected positive numbers, got {array.min():g}")
    same_shape(**{name: array.shape for name, array in arrays.items()})
    n, k, r, tau, m, e = arrays.values()
    return {
        "printed": (n * k**2 * tau**2 / e**4, k * r * tau**2 / e**2, m * tau * np.log(r) / e),
        "repaired": (n * k * tau / e, k * r * tau**2 / e, m * tau * np.log(tau * r) / e),
    }


def _last_below(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Largest number found by bisection at which `holds`: it does at `low`, it does not at `high`."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _error_and_gap(epsilon: Any, gamma: Any) -> tuple[float, float]:
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
    return e, number("gamma", gamma, low=0.0, high=np.pi * e, open_high=True)


@checked
def accuracy_exact(k: int, epsilon: float, *, gamma: float = 0.0) -> float:
    r"""The coarsest accuracy at which `algo-one` certainly opens at most k features: `thm-halfspaces-small-error`.

    Parameters
    ----------
    k : int
        Effective dimension of the targets, at least 1.
    epsilon : float
        Error allowed a task, in (0, 1/2).
    gamma : float, default 0
        Separation in the effective dimension, in [0, pi epsilon) radians.

    Returns
    -------
    float
        The largest :math:`\epsilon_{acc}`, rounded down, with
        :math:`F_k(\pi\epsilon-\eta)\,\sin\eta\le\sin(\pi\epsilon-\gamma)` for
        :math:`\eta=\pi\epsilon_{acc}` and a Gaussian law; F is `amplification`. About
        :math:`\pi^{k-1}\epsilon^k/2` for small epsilon, gamma = 0 and k >= 2.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> [f"{accuracy_exact(k, 0.1):.2g}" for k in (2, 3, 5, 10)]
    ['0.013', '0.0038', '0.00037', '1.1e-06']
    """
    k = integer("k", k, least=1)
    e, g = _error_and_gap(epsilon, gamma)
    target = float(np.sin(np.pi * e - g))
    if k == 1:
        return (e - g / np.pi) * (1 - 1e-9)
    # F falls with the separation: the first estimate of the angle is too large, the one made from it too small
    high = float(np.arcsin(target / amplification(k, np.pi * e)))
    low = float(np.arcsin(target / amplification(k, np.pi * e - high)))

    def certified(angle: float) -> bool:
        return bool(amplification(k, np.pi * e - angle) * np.sin(angle) <= target)

    return _last_below(certified, low * (1 - 1e-9), high) / np.pi


@checked
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
    return float(np.exp(_last_below(kept, least, np.log(far)))) * (1 + 1e-9) / np.pi


@checked
def spectral_openings(k: int, s: float) -> float:
    r"""The most tasks learned from scratch when only large directions are searched: `thm-halfspaces-spectral`.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.
    s : float
        Distance in (0, 1] of every new feature to the span that was searched.

    Returns
    -------
    float
        The positive root N of :math:`N\ln3=1+k\ln(1+4N/(ks^2))`; at most :math:`4k(1+\ln(1/s))`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> f"{spectral_openings(10, 0.3):.1f} <= {40 * (1 - np.log(0.3)):.1f}"
    '50.2 <= 88.2'
    """
    k = integer("k", k, least=1)
    s = number("s", s, low=0.0, high=1.0, open_low=True)

    def below(x: float) -> bool:
        return bool(x * np.log(3) <= 1 + k * np.log(1 + 4 * x / (k * s**2)))

    return _last_below(below, 0.0, 4 * k * (1 - np.log(s)) + 1)


@checked
def spectral_accuracy(k: int, epsilon: float, *, gamma: float = 0.0) -> float:
    r"""The coarsest accuracy that `thm-halfspaces-spectral` admits for a Gaussian law.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.
    epsilon : float
        Every task that is learned from scratch has no hypothesis of this error in the span that was searched; in
        (0, 1/2).
    gamma : float, default 0
        Largest angle between a target and the common subspace, in [0, pi epsilon) radians.

    Returns
    -------
    float
        The largest :math:`\epsilon_{acc}`, rounded down, with :math:`2t\sqrt{N}\le s`: here
        :math:`s=\sin(\pi\epsilon-\pi\epsilon_{acc})`, :math:`t=\sin(\pi\epsilon_{acc}+\gamma)` and N is
        `spectral_openings`.

    Raises
    ------
    ValueError
        If an argument is out of range, or no accuracy will do because `gamma` is too large.

    Examples
    --------
    >>> f"{spectral_accuracy(10, 0.1):.4f}", f"{spectral_accuracy(10, 0.01):.5f}"
    ('0.0065', '0.00048')
    """
    k = integer("k", k, least=1)
    e, g = _error_and_gap(epsilon, gamma)

    def admitted(accuracy: float) -> bool:
        s = float(np.sin(np.pi * (e - accuracy)))
        t = float(np.sin(min(np.pi * accuracy + g, np.pi / 2)))
        return bool(2 * t * np.sqrt(spectral_openings(k, s)) <= s)

    if not admitted(0.0):
        raise ValueError(f"gamma: expected a smaller angle for k = {k} and epsilon = {e:g}, got {g:g}")
    return _last_below(admitted, 0.0, e * (1 - 1e-12))


@checked
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
    return _last_below(lambda share: bool(binom.sf(most, size, share * e) <= d), 0.0, 1 / e)


@checked
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
