"""How often two halfspaces disagree, for each radian between them: integrated, counted and bounded (Section 3.1)."""

from collections.abc import Sequence
from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray

#: Density of one coordinate, for the laws whose coordinates are independent.
MARGINALS: dict[str, Any] = {
    "Gaussian": lambda x: np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi),
    "cube": lambda x: (abs(x) <= np.sqrt(3)) / np.sqrt(12),
    "Laplace": lambda x: np.exp(-np.sqrt(2) * abs(x)) / np.sqrt(2),
    "logistic": lambda x, s=12**0.5 / pi: np.cosh(x / s) ** -2 / 2 / s,
    "exponential": lambda x: (x > -1) * np.exp(-np.maximum(x, -1) - 1),
}


def rate(p: Any, phi: float) -> float:
    """Rate of disagreement: what a boundary in the direction phi sweeps per radian, under the density p(x) p(y)."""
    r, step = np.arange(-20, 20, 0.001) + 0.0005, 0.001
    x, y = r * np.cos(phi), r * np.sin(phi)
    return float(np.sum(abs(r) * p(x) * p(y)) * step)


def counted_wedge(X: Any, start: float, width: float) -> tuple[float, float]:
    """Disagreement, counted: the share of examples between two boundaries, and its standard error."""
    turns = np.array([start, start + width])
    normals = np.stack([-np.sin(turns), np.cos(turns)])
    u, v = (X @ normals >= 0).T  # the two labels
    share = np.mean(u != v)
    return share, np.sqrt(share * (1 - share) / len(X))


def _hull(points: ArrayLike) -> FloatArray:
    """Corners of the convex hull of points in the plane, counterclockwise: the lower chain and the upper one."""
    ordered, found = sorted(map(tuple, np.asarray(points, dtype=np.float64))), []
    for side in (ordered, ordered[::-1]):
        chain: list[tuple[float, ...]] = []
        for x, y in side:
            while len(chain) > 1 and _turns_right(chain[-2], chain[-1], (x, y)):
                chain.pop()
            chain.append((x, y))
        found += chain[:-1]
    return np.array(found)


def _turns_right(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0])


def polygon_rates(corners: ArrayLike, directions: ArrayLike) -> FloatArray:
    """Rates of disagreement under the uniform law on the convex hull of points, mapped so that it is isotropic."""
    p, turns = _hull(corners), np.asarray(directions)
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
