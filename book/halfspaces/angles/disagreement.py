"""How often two halfspaces disagree, for each radian between them: integrated, counted and bounded (Section 3.1)."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, RNGLike, integer, number, random_generator, real_array
from lifelong.halfspaces import bounds
from lifelong.laws import Law

__all__ = [
    "MARGINALS",
    "constant_ratios",
    "counted_wedge",
    "integrated_wedge",
    "polygon_rates",
    "random_pair_rates",
    "rate",
]


#: Density of one coordinate, for the laws whose coordinates are independent.
MARGINALS: dict[str, Any] = {
    "Gaussian": lambda x: np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi),
    "cube": lambda x: (abs(x) <= np.sqrt(3)) / np.sqrt(12),
    "Laplace": lambda x: np.exp(-np.sqrt(2) * abs(x)) / np.sqrt(2),
    "logistic": lambda x, s=12**0.5 / pi: np.cosh(x / s) ** -2 / 2 / s,
    "exponential": lambda x: (x > -1) * np.exp(-np.maximum(x, -1) - 1),
}


def rate(p: Any, phi: float) -> float:
    """Mass that a boundary in the direction phi sweeps per radian, under the density p(x) p(y): the midpoint rule.

    Examples
    --------
    >>> print(f"{rate(MARGINALS['Gaussian'], 0.3):.4f}")
    0.3183
    """
    r, step = np.arange(-20, 20, 0.001) + 0.0005, 0.001
    x, y = r * np.cos(phi), r * np.sin(phi)
    return float(np.sum(abs(r) * p(x) * p(y)) * step)


def integrated_wedge(law: Law, start: float, width: float, *, parts: int = 2000) -> float:
    """Probability that two halfspaces disagree whose boundaries bound a wedge of the first two coordinates.

    Parameters
    ----------
    law : Law
    start, width : float
        Direction of the first boundary and angle to the second, in radians.
    parts : int, default 2000
        Steps of the midpoint rule over the law's `planar_rate`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a number is out of range.

    Notes
    -----
    The two sides of `lem-angle` in one plane.

    Examples
    --------
    >>> from lifelong.laws import UniformCube
    >>> print(f"{integrated_wedge(UniformCube(5), 0.0, np.pi):.4f}")
    1.0000
    """
    start, width = _wedge(start, width)
    middles = start + width * (np.arange(integer("parts", parts, least=1)) + 0.5) / parts
    return float(width * law.planar_rate(middles).mean())


def _wedge(start: Any, width: Any) -> tuple[float, float]:
    return number("start", start, low=-np.inf, high=np.inf), number("width", width, low=0.0, high=np.pi, open_low=True)


def counted_wedge(X: ArrayLike, start: float, width: float) -> tuple[float, float]:
    """Share of examples on which the two halfspaces of a wedge disagree, with its standard error.

    Parameters
    ----------
    X : array_like, shape (size, 2), real
        Examples, the two coordinates of the plane.
    start, width : float
        As in `integrated_wedge`.

    Returns
    -------
    share, spread : float

    Raises
    ------
    ValueError
        If `X` has another shape or a number is out of range.

    Notes
    -----
    The measured side of `lem-angle`.

    Examples
    --------
    >>> counted_wedge([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], 0.0, np.pi / 2)
    (0.5, 0.25)
    """
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
    """Disagreements per radian of random pairs of halfspaces at a fixed angle, counted on the same examples.

    Parameters
    ----------
    law : Law
    pairs : int, default 60
    angle : float, default 0.3
        Radians, in (0, pi].
    size : int, default 100000
        Examples.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    float64, shape (pairs,)

    Raises
    ------
    ValueError
        If a number is out of range.

    Notes
    -----
    How far apart the constants of `lem-angle` are in typical planes.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> bool((abs(random_pair_rates(Gaussian(5), size=20_000, rng=0) - 1 / np.pi) < 0.05).all())
    True
    """
    rng = random_generator(rng)
    turn = number("angle", angle, low=0.0, high=np.pi, open_low=True)
    X = law.sample(size, rng=rng)
    frames = np.linalg.qr(rng.standard_normal((integer("pairs", pairs, least=1), law.n, 2)))[0]
    u = frames[:, :, 0]
    v = np.cos(turn) * u + np.sin(turn) * frames[:, :, 1]
    rates: FloatArray = np.mean((X @ u.T >= 0) != (X @ v.T >= 0), axis=0) / turn
    return rates


def polygon_rates(corners: ArrayLike, directions: ArrayLike) -> FloatArray:
    """Rates of the uniform law on the convex hull of points, moved and mapped so that it is isotropic.

    Parameters
    ----------
    corners : array_like, shape (m, 2), real
        At least three points, not on a line.
    directions : array_like, shape (d,), real
        Directions of the boundary, in radians.

    Returns
    -------
    float64, shape (d,)
        Disagreements per radian of narrow wedges.

    Raises
    ------
    ValueError
        If an argument is not a real array of its shape.

    Notes
    -----
    Exact rates for `lem-angle` of laws that have no formula.

    Examples
    --------
    >>> print(polygon_rates([[0, 0], [1, 0], [1, 1], [0, 1]], [0, np.pi / 4]).round(4))
    [0.25 0.5 ]
    """
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
    """Disagreements per radian against the two constants of `lem-angle`, the same ones for all laws and planes.

    Parameters
    ----------
    rates : array_like of float, any shape
        Rates, or disagreements divided by their angles.

    Returns
    -------
    dict of str to float64, the shape of `rates`
        "lower" and "upper": at most 1 where the constants hold.

    Raises
    ------
    ValueError
        If `rates` is not real.

    Examples
    --------
    >>> {name: round(float(r), 2) for name, r in constant_ratios(0.01).items()}
    {'lower': 1.33, 'upper': 0.0}
    """
    low, high = bounds.angle_constants()
    q = real_array("rates", rates, axes=0)
    with np.errstate(divide="ignore"):
        return {"lower": low / q, "upper": q / high}
