"""Bounds of Theorem 2 that only this chapter needs: of planes, of the direct learner, and the label terms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import integer, number, real_array, same_shape
from lifelong.halfspaces.bounds import last_below


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
        return last_below(lambda accuracy: plane_features(epsilon, accuracy) <= features, 0.0, float(epsilon))
    return last_below(holds, 0.0, float(wide)) / float(np.pi)


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
