"""Bounds of Lemmas 1 to 3 and Theorems 1 and 2, as printed and as corrected, one function each (radians).

Errors of hypotheses are shares of the examples; `low` and `high` are the constants of `lem-angle`, 1/pi unless given:
those of a law that looks the same in every direction.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

#: Both constants of `lem-angle` for a law that looks the same in every direction.
ROUND = 1 / np.pi


def angle_constants() -> tuple[float, float]:
    """Constants of Lemma 1 (`lem-angle`) that serve every isotropic log-concave law in every dimension."""
    return 1 / (24 * np.pi), 2 * np.e**2 / (np.e - 1)


def subspace_printed(k: int, error: ArrayLike, separation: ArrayLike) -> Any:
    """The bound of Lemma 3 as printed (`lem-subspace`): true for k <= 2, false for every k >= 3."""
    return 2 * k * np.asarray(error) / np.asarray(separation)


def amplification(k: int, gamma: Any) -> Any:
    """The factor in the sharp bound of Lemma 3: how much the sine of an error can grow over k vectors, F_k."""
    F = np.ones_like(gamma)
    for _ in range(k - 1):
        F = np.sqrt(1 + 2 * F * np.cos(gamma) + F**2) / np.sin(gamma)
    return F


def subspace_sharp(k: int, error: ArrayLike, separation: ArrayLike) -> Any:
    """The sharp bound in place of Lemma 3, attained for every k (`thm-subspace-sharp`)."""
    return np.arcsin(np.minimum(1.0, amplification(k, separation) * np.sin(error)))


def _far_and_near(epsilon: float, epsilon_acc: float, gamma: float, low: float, high: float) -> tuple[float, ...]:
    """Angles of a refused target to the span, and of a learned vector to its target and to the common subspace."""
    far, near = epsilon / high, epsilon_acc / low
    if near >= far:
        raise ValueError(f"epsilon_acc: expected less than {epsilon * low / high:g}, got {epsilon_acc:g}")
    return min(far, np.pi / 2 + near), near, near + gamma


def accuracy_share(*, low: float = ROUND, high: float = ROUND) -> float:
    """The share of epsilon to which the volume bound asks to learn from scratch (`thm-halfspaces-volume`)."""
    return low / (5 * high)


def volume_slack(
    N: int, k: int, epsilon: float, epsilon_acc: float, *, gamma: float = 0.0, low: float = ROUND, high: float = ROUND
) -> float:
    """Right side minus left side of the inequality of `thm-halfspaces-volume`, for N > k features."""
    far, near, aside = _far_and_near(epsilon, epsilon_acc, gamma, low, high)
    log_s, log_t = float(np.log(np.sin(far - near))), float(np.log(np.sin(min(aside, np.pi / 2))))
    entropy = (k * np.log(N / k) + (N - k) * np.log(N / (N - k))) / 2
    return float(entropy + (N - k) * log_t - (N - 1) * log_s)


def volume_bound(
    k: int, epsilon: float, epsilon_acc: float, *, gamma: float = 0.0, low: float = ROUND, high: float = ROUND
) -> float:
    """Largest number of features that the inequality of `thm-halfspaces-volume` allows."""

    def refused(N: int) -> bool:
        return not volume_slack(N, k, epsilon, epsilon_acc, gamma=gamma, low=low, high=high) >= 0

    if refused(k + 1):
        return float(k)
    far, near, aside = _far_and_near(epsilon, epsilon_acc, gamma, low, high)
    if np.sin(far - near) <= np.sin(min(aside, np.pi / 2)):
        return float("inf")
    most = 2 * k + 2
    while not refused(most):
        most *= 2
    return float(bisect_left(range(most), True, lo=k + 1, key=refused) - 1)


def determinant_bound(
    k: int, epsilon: float, epsilon_acc: float, *, gamma: float = 0.0, low: float = ROUND, high: float = ROUND
) -> float:
    """Largest number of features that `thm-halfspaces-determinant` allows, over a fine grid of its parameter."""
    far, near, aside = _far_and_near(epsilon, epsilon_acc, gamma, low, high)
    far = min(far + near - aside, np.pi / 2)  # less gamma: from the common subspace
    if far <= aside:
        return float("inf")
    if not aside:
        return float(k)
    s, t = np.sin(far) ** 2, np.sin(aside) ** 2
    x = np.geomspace(1e-4 * t, 1e6, 4001)
    above = (k - 1) * np.log1p(1 / x) + np.log1p(t / x)
    return float(np.floor(1 + np.min(above / np.log1p((s - t) / (t + x))) + 1e-9))


def features_logarithmic(k: int, epsilon: float) -> float:
    """Bound on features at accuracy eps/5 under a Gaussian law, eps at most 0.4: from `thm-halfspaces-volume`."""
    return float(k * (2 - np.log(epsilon)))


def features_exact(k: int, *, n: int | None = None) -> int:
    """Worst-case bound on features at an accuracy of the order of eps^2, in R^n: `thm-halfspaces-exact`."""
    most = max(1, 2 * k - 2)
    return most if n is None else min(most, n)


def two_level_features(tau: int, s: float, t: float) -> float:
    """Bound of Theorem 2, corrected: the most second-level features of one subspace (`thm-two-levels-repaired`)."""
    gain = s / (4 * tau * t)
    return float("inf") if gain <= 1 else float(tau + np.floor((tau - 1) * np.log(1 / s) / np.log(gain)))


def last_below(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Bisection for a bound: the largest number found at which `holds`; it does at `low`, it does not at `high`."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def accuracy_exact(k: int, epsilon: float, *, gamma: float = 0.0) -> float:
    """The coarsest accuracy that keeps Algorithm 1 at k features for certain: bound of `thm-halfspaces-small-error`."""
    epsilon = float(epsilon)
    target = float(np.sin(np.pi * epsilon - gamma))
    if k == 1:
        return (epsilon - gamma / np.pi) * (1 - 1e-9)
    # F falls with the separation: the first estimate of the angle is too large, the one made from it too small
    high = float(np.arcsin(target / amplification(k, np.pi * epsilon)))
    low = float(np.arcsin(target / amplification(k, np.pi * epsilon - high)))

    def certified(angle: float) -> bool:
        return bool(amplification(k, np.pi * epsilon - angle) * np.sin(angle) <= target)

    return last_below(certified, low * (1 - 1e-9), high) / np.pi
