"""Targets in planes against the direct learner, and answers within the accuracy for which it opens a third feature."""

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import number
from lifelong_book.halfspaces.subspace.instances import Perturbation


def tilted_triples(planes: ArrayLike, epsilon: float, epsilon_acc: float) -> Perturbation:
    """Against the direct learner: three targets in each plane, and answers for which all three open features."""
    bases = np.asarray(planes, dtype=np.float64)
    theta = np.pi * number("epsilon", epsilon, "(0, 0.25]")
    eta = np.pi * number("epsilon_acc", epsilon_acc, f"(0, {epsilon})")
    least = float(np.arccos(np.cos(theta) / np.cos(eta)))  # closer, and the second target is not refused
    most = 2 * float(np.arcsin(min(1.0, np.tan(eta) / np.tan(theta))))  # wider, and the third one is not
    apart = max(least + 1e-9, (least + most) / 2)
    turns = np.array([-apart / 2, apart / 2, np.pi / 2])
    flat = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    r, n = len(bases), bases.shape[2]
    targets = np.einsum("ti,rin->rtn", flat, bases)
    sides = np.zeros((r, 3, n))
    sides[np.arange(r), :, n - r + np.arange(r)] = (1.0, -1.0, 1.0)
    learned = np.cos(eta) * targets + np.sin(eta) * sides
    return Perturbation(targets.reshape(-1, n), learned.reshape(-1, n))
