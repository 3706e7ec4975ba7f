"""Planted, tight and adversarial instances of Lemma 3 and Theorem 1 (Section 3); every vector is a row."""

from typing import Any

import numpy as np

from lifelong._checks import FloatArray, RNGLike, random_generator
from lifelong.halfspaces.angles import unit
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Law


def planted_halfspaces(law: Law, k: int, m: int, *, rng: RNGLike = None) -> tuple[FloatArray, list[HalfspaceTask]]:
    """Orthonormal rows that span a random subspace, and m tasks with random targets in it."""
    rng = random_generator(rng)
    W = np.linalg.qr(rng.standard_normal((law.n, k)))[0].T
    targets = unit(rng.standard_normal((m, k))) @ W
    return W, [HalfspaceTask(t, law, rng=child) for t, child in zip(targets, rng.spawn(m), strict=True)]


def chain(k: int, gamma: Any) -> Any:
    """Vectors of which each leans on the direction that the errors of the earlier ones move most."""
    e, F = np.eye(k), 1.0
    c, s = np.cos(gamma)[:, None], np.sin(gamma)[:, None]
    rows = np.tile(e, (len(gamma), 1, 1))
    worst = rows[:, 0]
    for i in range(1, k):
        rows[:, i] = c * worst + s * e[i]
        t = np.arctan2(1 + F * c, F * s)
        worst = np.cos(t) * worst - np.sin(t) * e[i]
        F = np.sqrt(1 + 2 * F * c + F**2) / s
    return rows


def chain_stream(k: int, epsilon: float, epsilon_acc: float, *, hair: float = 0.01) -> tuple[FloatArray, float]:
    """Targets on which errors compound, and the accuracy with which the last of them is refused (`thm-halfspaces`)."""
    gamma = min(np.pi / 2, np.pi * epsilon + (1 + hair) * np.pi * epsilon_acc)
    rows = chain(k, np.array([gamma]))[0]
    sign = np.where(np.arange(k) == 0, 1.0, -1.0)
    dual = np.linalg.solve(rows, sign)  # dual . rows[i] = sign[i]: the direction in which errors add up
    sine = min(np.sin(np.pi * epsilon_acc), (1 - 1e-9) / np.linalg.norm(dual))
    normal = np.append(sine * dual, np.sqrt(max(0.0, 1 - sine**2 * (dual @ dual))))
    learned = sign[:, None] * np.hstack([rows, np.zeros((k, 1))])
    axis = np.eye(k + 1)[k]
    true = np.vstack([learned - np.outer(learned @ normal, normal), axis - (axis @ normal) * normal])
    mirror = normal - axis
    if mirror.any():  # carries the normal of the common subspace to the last axis
        true -= 2 * np.outer(true @ mirror, mirror) / (mirror @ mirror)
    true[:, -1] = 0.0
    return true / np.linalg.norm(true, axis=1, keepdims=True), float(np.arcsin(sine) / np.pi)
