"""Every bound, as printed and as corrected, one function each (angles in radians).

Functions broadcast over their arguments. A bound on an angle is capped nowhere: a value above
pi/2 says that the bound is empty there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lifelong._checks import FloatArray, integer, number, real_array, same_shape

__all__ = [
    "amplification",
    "one_vec",
    "one_vec_sine",
    "scalar_gap",
    "subspace_printed",
    "subspace_separated",
    "subspace_sharp",
    "subspace_singular_value",
    "union_dimension",
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


def separation_needed(error: float, k: int) -> float:
    r"""Smallest separation that the precondition of `lem-subspace` allows for a given error.

    Parameters
    ----------
    error : float
        :math:`\epsilon_{acc}` in [0, pi/2] radians.
    k : int
        At least 1.

    Returns
    -------
    float
        :math:`\gamma = \sqrt{10 k\,\epsilon_{acc}}` radians.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> print(f"{separation_needed(0.002, 3):.4f}")
    0.2449
    """
    return float(np.sqrt(10 * integer("k", k, least=1) * number("error", error, low=0.0, high=np.pi / 2)))
