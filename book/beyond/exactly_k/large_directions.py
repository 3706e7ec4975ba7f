"""Large directions, which the repaired Algorithm 1 searches alone, and the counts of `thm-halfspaces-spectral`."""

import numpy as np

from lifelong._checks import FloatArray, integer, number
from lifelong.halfspaces.bounds import last_below


def spectral_openings(k: int, s: float) -> float:
    """The most learned from scratch where only large directions are searched, exactly k: `thm-halfspaces-spectral`."""

    def below(x: float) -> bool:
        room = 1 + k * np.log(1 + 4 * x / (k * s**2))
        return bool(x * np.log(3) <= room)

    # the last point of an interval at which it holds
    return last_below(below, 0.0, float(4 * k * (1 - np.log(s)) + 1))


def spectral_accuracy(k: int, epsilon: float, *, gamma: float = 0.0) -> float:
    """The coarsest accuracy at which searching large directions keeps exactly k: `thm-halfspaces-spectral`."""

    def admitted(accuracy: float) -> bool:
        s = float(np.sin(np.pi * (epsilon - accuracy)))
        t = float(np.sin(min(np.pi * accuracy + gamma, np.pi / 2)))
        return bool(2 * t * np.sqrt(spectral_openings(k, s)) <= s)

    if not admitted(0.0):
        least = f"a smaller angle for k = {k} and epsilon = {epsilon:g}"
        raise ValueError(f"gamma: expected {least}, got {gamma:g}")
    return last_below(admitted, 0.0, float(epsilon) * (1 - 1e-12))


def directions_above(features: FloatArray, eigenvalue: float) -> FloatArray:
    """Large directions, searched for exactly k: eigenvectors, above a value, of the features' sum of squares."""
    _, sizes, rows = np.linalg.svd(features, full_matrices=False)
    kept: FloatArray = rows[sizes**2 > eigenvalue]
    return kept


class LargeDirections:
    """Exactly k, beyond the paper: Algorithm 1 searching only large directions of W~, `thm-halfspaces-spectral`."""

    def __init__(self, k: int, epsilon: float, *, epsilon_acc: float | None = None) -> None:
        epsilon = number("epsilon", epsilon, "(0, 0.5)")
        k = integer("k", k, least=1)
        if epsilon_acc is None:
            epsilon_acc = spectral_accuracy(k, epsilon)
        acc = number("epsilon_acc", epsilon_acc, f"(0, {epsilon})")
        self.epsilon_acc = acc
        far = np.pi * (epsilon - acc)
        self.eigenvalue = float(np.sin(far)) ** 2 / 4

    def __call__(self, features: FloatArray) -> FloatArray:
        """Orthonormal rows that span the large directions."""
        return directions_above(features, self.eigenvalue)
