"""How often two halfspaces disagree, for each radian between them: integrated, counted and bounded (Section 3.1)."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, RNGLike, integer, number, random_generator, real_array
from lifelong.halfspaces import bounds
from lifelong.laws import Law

#: Density of one coordinate, for the laws whose coordinates are independent.
MARGINALS: dict[str, Any] = {
    "Gaussian": lambda x: np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi),
    "cube": lambda x: (abs(x) <= np.sqrt(3)) / np.sqrt(12),
    "Laplace": lambda x: np.exp(-np.sqrt(2) * abs(x)) / np.sqrt(2),
    "logistic": lambda x, s=12**0.5 / pi: np.cosh(x / s) ** -2 / 2 / s,
    "exponential": lambda x: (x > -1) * np.exp(-np.maximum(x, -1) - 1),
}


def rate(p: Any, phi: float) -> float:
    """Mass that a boundary in the direction phi sweeps per radian, under the density p(x) p(y): the midpoint rule."""
    r, step = np.arange(-20, 20, 0.001) + 0.0005, 0.001
    x, y = r * np.cos(phi), r * np.sin(phi)
    return float(np.sum(abs(r) * p(x) * p(y)) * step)


def integrated_wedge(law: Law, start: float, width: float, *, parts: int = 2000) -> float:
    """Probability that two halfspaces disagree whose boundaries bound a wedge of the first two coordinates."""
    start, width = _wedge(start, width)
    middles = start + width * (np.arange(integer("parts", parts, least=1)) + 0.5) / parts
    return float(width * law.planar_rate(middles).mean())


def _wedge(start: Any, width: Any) -> tuple[float, float]:
    return number("start", start, low=-np.inf, high=np.inf), number("width", width, low=0.0, high=np.pi, open_low=True)


def counted_wedge(X: ArrayLike, start: float, width: float) -> tuple[float, float]:
    """Share of examples on which the two halfspaces of a wedge disagree, with its standard error."""
    points = real_array("X", X, axes=2)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"X: expected shape (size, 2), got shape {points.shape}")
    start, width = _wedge(start, width)
    u, v = (np.array([-np.sin(t), np.cos(t)]) for t in (start, start + width))
    share = float(np.mean((points @ u >= 0) != (points @ v >= 0)))
    return share, float(np.sqrt(share * (1 - share) / len(points)))


def random_pair_rates(
    law: Law, *, pairs: int = 60, angle: float = 0.3, size: int = 100_000, rng: RNGLike = None
) -> FloatArray:
    """Disagreements per radian of random pairs of halfspaces at a fixed angle, counted on the same examples."""
    rng = random_generator(rng)
    turn = number("angle", angle, low=0.0, high=np.pi, open_low=True)
    X = law.sample(size, rng=rng)
    frames = np.linalg.qr(rng.standard_normal((integer("pairs", pairs, least=1), law.n, 2)))[0]
    u = frames[:, :, 0]
    v = np.cos(turn) * u + np.sin(turn) * frames[:, :, 1]
    rates: FloatArray = np.mean((X @ u.T >= 0) != (X @ v.T >= 0), axis=0) / turn
    return rates


def polygon_rates(corners: ArrayLike, directions: ArrayLike) -> FloatArray:
    """Rates of the uniform law on the convex hull of points, moved and mapped so that it is isotropic."""
    from scipy.spatial import ConvexHull

    points, turns = real_array("corners", corners, axes=2), real_array("directions", directions)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3:
        raise ValueError(f"corners: expected shape (m, 2) with m >= 3, got shape {points.shape}")
    p = points[ConvexHull(points).vertices]
    q = np.roll(p, -1, axis=0)
    weights = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]  # twice the signed areas of the triangles with the origin
    area = weights.sum()
    mean = weights @ (p + q) / (3 * area)
    p, q = p - mean, q - mean
    weights = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
    second = sum(np.einsum("i,ij,ik->jk", weights, x, y) for x, y in ((p, p), (q, q), (p + q, p + q))) / (12 * area)
    to_isotropic = np.linalg.inv(np.linalg.cholesky(second)).T
    p, q = p @ to_isotropic, q @ to_isotropic
    normal = np.column_stack([(q - p)[:, 1], -(q - p)[:, 0]])
    inverse = np.column_stack([np.cos(turns), np.sin(turns)]) @ (normal / (normal * p).sum(axis=1)[:, None]).T
    reach = 1 / inverse.max(axis=1) ** 2 + 1 / inverse.min(axis=1) ** 2
    rates: FloatArray = reach / (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]).sum()
    return rates


def constant_ratios(rates: ArrayLike) -> dict[str, Any]:
    """Disagreements per radian against the two constants of `lem-angle`, the same ones for all laws and planes."""
    low, high = bounds.angle_constants()
    q = real_array("rates", rates, axes=0)
    with np.errstate(divide="ignore"):
        return {"lower": low / q, "upper": q / high}
