"""Planted, tight and adversarial instances of Lemma 3 and Theorem 1 (Section 3); every vector is a row."""

from typing import Any

import numpy as np

from lifelong._checks import FloatArray, RNGLike
from lifelong.halfspaces.angles import unit
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Law


def planted_halfspaces(law: Law, k: int, m: int, *, rng: RNGLike = None) -> tuple[FloatArray, list[HalfspaceTask]]:
    """Orthonormal rows that span a random subspace, and m tasks with random targets in it."""
    rng = np.random.default_rng(rng)
    W = np.linalg.qr(rng.standard_normal((law.n, k)))[0].T
    targets = unit(rng.standard_normal((m, k))) @ W
    return W, [HalfspaceTask(t, law, rng=child) for t, child in zip(targets, rng.spawn(m), strict=True)]


def chain(k: int, gamma: Any) -> Any:
    """Tight instance of Lemma 3: each vector leans on the direction that the errors of the earlier ones move most."""
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
    """Adversarial instance of Theorem 1: targets on which errors compound, and the accuracy that refuses the last."""
    # 1: learned vectors, each too far from the span before it
    apart = np.pi * epsilon + (1 + hair) * np.pi * epsilon_acc
    sign = np.where(np.arange(k) == 0, 1.0, -1.0)[:, None]
    rows = sign * chain(k, np.array([min(np.pi / 2, apart)]))[0]
    # 2: the normal w of the targets, w . row = sin eta for each
    z = np.linalg.solve(rows, np.ones(k))  # z . row = 1 for each
    sine = np.sin(np.pi * epsilon_acc)
    sine = min(sine, (1 - 1e-9) / np.linalg.norm(z))  # or finer
    w = np.append(sine * z, np.sqrt(max(0.0, 1 - sine**2 * (z @ z))))
    # 3: what is orthogonal to w of each, and of one axis more
    axis = np.eye(k + 1)[k]
    A = np.vstack([np.pad(rows, ((0, 0), (0, 1))), axis])
    A -= np.outer(A @ w, w)
    # 4: reflected, so that w becomes this axis
    mirror = w - axis
    if mirror.any():
        A -= 2 * np.outer(A @ mirror, mirror) / (mirror @ mirror)
    A[:, -1] = 0.0
    A /= np.linalg.norm(A, axis=1, keepdims=True)
    return A, float(np.arcsin(sine) / np.pi)
