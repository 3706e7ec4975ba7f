"""Bounds on the features of a plane and of a space: of the direct learner, and of Algorithm 2 at fine accuracies."""

import numpy as np

from lifelong._checks import integer, number
from lifelong.halfspaces.bounds import last_below


def _tilts(epsilon: float, epsilon_acc: float) -> tuple[float, float]:
    """Angles of what is refused and of what is learned, for a Gaussian law."""
    e = number("epsilon", epsilon, "(0, 0.5)")
    a = number("epsilon_acc", epsilon_acc, "(0, 0.5)")
    return float(np.pi * e), float(np.pi * a)


def _leg(theta: float, eta: float) -> float:
    """The angle whose cosine is cos `theta` / cos `eta`, to all digits however small they are; 0 if `eta` is larger."""
    product = np.tan((theta + eta) / 2) * np.tan((theta - eta) / 2)
    return float(2 * np.arctan(np.sqrt(max(0.0, product))))


def plane_features(epsilon: float, epsilon_acc: float) -> float:
    r"""A bound beyond the paper's two levels: most features of a plane, two tried at a time (`prop-direct-plane`)."""
    return widen(*_tilts(epsilon, epsilon_acc))


def widen(theta: float, eta: float) -> float:
    """The recursion of `prop-direct-plane`: features until a pair is wide enough; infinite where it says nothing."""
    R = float(np.tan(theta) / np.tan(eta))
    if R <= np.sqrt(2):
        return float("inf")
    half = np.tan((theta + eta) / 2) * np.tan((theta - eta) / 2)
    psi = 2 * float(np.arctan(np.sqrt(half))) - eta  # psi_0
    enough = 2 * float(np.arcsin(1 / R))  # psi*
    if psi < enough and np.pi / 2 - eta - enough / 2 < enough:
        return float("inf")  # a hypothesis fails
    N = 2.0
    while psi < enough:
        g = float(np.arcsin(R * np.sin(psi / 2))) + psi / 2 - eta
        if psi <= 0 or g <= psi:
            return float("inf")  # it never gets there
        psi, N = g, N + 1
    return N


def direct_features(tau: int, epsilon: float, epsilon_acc: float) -> float:
    r"""A bound beyond the paper's two levels: most features of a subspace, tau tried at a time (`thm-direct`)."""
    theta, eta = _tilts(epsilon, epsilon_acc)
    lean = float(np.tan(eta))
    gain = float(np.sin(max(theta - eta, 0.0))) / (tau * lean)
    if gain <= 1 or np.sqrt(tau) * lean > 1:
        return float("inf")
    room = -tau * np.log(np.sqrt(tau) * lean) + np.log(tau * lean)
    return float(1 + np.floor(room / np.log(gain)))


def plane_accuracy(epsilon: float, *, features: int = 2) -> float:
    r"""A bound beyond the paper's two levels: the coarsest accuracy at which so many features serve a plane."""
    wide = np.pi * number("epsilon", epsilon, "(0, 0.5)")

    def holds(turn: float) -> bool:
        apart = _leg(wide, turn) - turn
        return bool(apart > 0 and np.tan(turn) <= np.tan(wide) * np.sin(apart / 2))

    if integer("features", features, least=2) > 2:
        return last_below(lambda accuracy: plane_features(epsilon, accuracy) <= features, 0.0, float(epsilon))
    return last_below(holds, 0.0, float(wide)) / float(np.pi)
