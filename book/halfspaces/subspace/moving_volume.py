"""The proof of `thm-halfspaces-volume` step by step, with both sides of each inequality on runs of Algorithm 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import integer, real_array
from lifelong.halfspaces.angles import angle_to_subspace
from lifelong_book.press.moving.proof import Step, Stepper, stepper

_BOUND = r"\Bigl(\tfrac Nk\Bigr)^{\frac k{2(N-1)}}\Bigl(\tfrac{N\,t^2}{N-k}\Bigr)^{\frac{N-k}{2(N-1)}}"
_STEPS = (
    Step(
        "rejected",
        "s",
        r"\min_i\operatorname{dist}(\tilde a_i,S_{i-1})",
        "Each target was far from the span, and its learned vector is near the target.",
    ),
    Step(
        "mean",
        r"\min_i\operatorname{dist}(\tilde a_i,S_{i-1})",
        "m",
        r"\(m\) is the geometric mean of the \(N-1\) distances.",
    ),
    Step(
        "volume",
        "m^{N-1}",
        r"\prod\nolimits_j\sigma_j",
        r"Both are the volume \(\sqrt{\det GG^\top}\) of the learned vectors.",
        "=",
    ),
    Step(
        "Eckart and Young",
        r"\sum\nolimits_{j>k}\sigma_j^2",
        r"\sum\nolimits_i\operatorname{dist}(\tilde a_i,V)^2",
        r"No space of \(k\) dimensions is nearer to all the learned vectors.",
    ),
    Step(
        "errors",
        r"\sum\nolimits_i\operatorname{dist}(\tilde a_i,V)^2",
        r"N\,t^2",
        r"Each learned vector is within \(t\) of \(V\).",
    ),
    Step(
        "two means",
        "m",
        _BOUND,
        r"The arithmetic and the geometric mean, for the first \(k\) squares and for the others.",
    ),
    Step("together", "s", _BOUND, "The theorem, before the logarithm."),
)


def volume_sides(
    features: ArrayLike, space: ArrayLike, epsilon: float, epsilon_acc: float
) -> list[tuple[float, float]]:
    """Both sides of each step of the proof of `thm-halfspaces-volume`, for a Gaussian law and targets in a space."""
    G, V = real_array("features", features, axes=2), real_array("space", space, axes=2)
    G = G / np.linalg.norm(G, axis=1, keepdims=True)
    N = integer("features", len(G), least=2)
    k = integer("space", len(V), least=1, most=N)
    if not 0 < epsilon_acc < epsilon < 0.5:
        raise ValueError(f"epsilon_acc: expected 0 < epsilon_acc < epsilon < 1/2, got {epsilon_acc}, {epsilon}")
    s, t = (float(np.sin(np.pi * x)) for x in (epsilon - epsilon_acc, epsilon_acc))
    distances = np.array([float(np.sin(angle_to_subspace(G[i], G[:i]))) for i in range(1, N)])
    sigma = np.linalg.svd(G, compute_uv=False)
    outside = float((np.sin(angle_to_subspace(G, V)) ** 2).sum())
    volume, root = float(np.prod(distances)), 1 / (N - 1)
    small = (N * t**2 / (N - k)) ** (N - k) if k < N else 1.0
    bound = float(((N / k) ** k * small) ** (root / 2))
    return [
        (s, float(distances.min())),
        (float(distances.min()), volume**root),
        (volume, float(np.prod(sigma))),
        (float((sigma[k:] ** 2).sum()), outside),
        (outside, N * t**2),
        (float(np.prod(sigma)) ** root, bound),
        (s, bound),
    ]


def volume_proof(instances: Mapping[str, Sequence[tuple[float, float]]]) -> Stepper:
    """Show the proof of `thm-halfspaces-volume` step by step."""
    return stepper(
        "volume-proof",
        _STEPS,
        instances,
        start=len(_STEPS) - 1,
        alt="The volume bound: rejections make the volume large, and closeness to the space makes it small.",
    )
