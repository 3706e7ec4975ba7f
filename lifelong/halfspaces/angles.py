"""Angles between vectors and subspaces (Section 3), in radians and exact to rounding.

The arccosine of an inner product loses half of the digits at small angles: two unit vectors at
angle 1e-9 have inner product 1 to the last bit. So small angles are computed here from a sine
and only large ones from a cosine, both without cancellation.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, integer, nonzero, number, real_array, same_dimension, same_shape

__all__ = [
    "angle",
    "angle_to_subspace",
    "effective_dimension",
    "orthonormal_rows",
    "subspace_angle",
]


#: Angles closer than this to a threshold count as equal to it (radians).
ANGLE_RESOLUTION = 1e-12

#: Numbers that a batch is worked on at a time: a megabyte, so that they stay near the processor.
_BLOCK = 2**17


def unit(vectors: FloatArray) -> FloatArray:
    """Scale nonzero vectors to length 1; exact powers of two first, against over- and underflow."""
    _, exponent = np.frexp(np.abs(vectors).max(axis=-1, keepdims=True))
    # ldexp by a single exponent overflows for subnormals, hence the two halves
    vectors = np.ldexp(np.ldexp(vectors, -(exponent // 2)), -(exponent - exponent // 2))
    scaled: FloatArray = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return scaled


def _norm(vectors: FloatArray) -> FloatArray:
    norms: FloatArray = np.linalg.norm(vectors, axis=-1)
    return norms


def angle(u: ArrayLike, v: ArrayLike) -> Any:
    r"""Angle between vectors.

    Parameters
    ----------
    u, v : array_like, shape (..., n), real
        Nonzero vectors of any length; leading axes broadcast.

    Returns
    -------
    float64, shape (...)
        :math:`\theta(u, v)` in radians, in [0, pi]. The absolute error stays below 1e-14
        at every angle, however small or close to pi.

    Raises
    ------
    ValueError
        If an argument is not a finite real array, holds a zero vector, or the dimensions differ.

    Notes
    -----
    Twice the arctangent of :math:`|\hat u - \hat v|` over :math:`|\hat u + \hat v|` for the unit
    vectors [1]_. This is the angle of the paper's Section 3, used from `lem-angle` on.

    References
    ----------
    .. [1] W. Kahan, *How futile are mindless assessments of roundoff in floating-point
       computation?*, 2006, Section 12.

    Examples
    --------
    >>> print(f"{angle([1, 0], [1, 1]):.6f}")
    0.785398
    >>> print(f"{angle([1, 0], [1, 1e-12]):.3g}")
    1e-12
    """
    first = nonzero("u", real_array("u", u))
    second = nonzero("v", real_array("v", v))
    same_dimension("v", second, first.shape[-1], "u")
    same_shape(u=first.shape[:-1], v=second.shape[:-1])
    a, b = unit(first), unit(second)
    return 2 * np.arctan2(_norm(a - b), _norm(a + b))


def orthonormal_rows(U: ArrayLike) -> FloatArray:
    """Orthonormal basis of the span of the rows of each matrix, padded with zero rows.

    Parameters
    ----------
    U : array_like, shape (..., k, n), real
        Rows that span; they may be dependent, zero, or none at all (k = 0).

    Returns
    -------
    float64, shape (..., min(k, n), n)
        The first rank rows are orthonormal and span the same subspace, the others are zero.

    Raises
    ------
    ValueError
        If `U` is not a finite real array with at least two axes.

    Notes
    -----
    Rows are scaled to length 1 first, since the span does not depend on their lengths; directions
    with a singular value below max(k, n) * 2**-52 times the largest one count as rounding.
    Conventions of the paper's Section 3.

    Examples
    --------
    >>> orthonormal_rows([[2.0, 0.0], [4.0, 0.0]]).any(axis=1)
    array([ True, False])
    """
    rows = real_array("U", U, axes=2)
    if rows.shape[-2] == 0:
        return rows
    zero = ~rows.any(axis=-1, keepdims=True)
    rows = np.where(zero, 0.0, unit(np.where(zero, 1.0, rows)))
    _, sizes, basis = np.linalg.svd(rows, full_matrices=False)
    tolerance = max(rows.shape[-2:]) * np.finfo(np.float64).eps * sizes[..., :1]
    kept: FloatArray = np.where((sizes > tolerance)[..., None], basis, 0.0)
    return kept


def _reject(vectors: FloatArray, basis: FloatArray) -> FloatArray:
    """Component of the vectors (..., p, n) orthogonal to orthonormal rows, computed twice for accuracy."""
    for _ in range(2):
        vectors = vectors - (vectors @ np.swapaxes(basis, -1, -2)) @ basis
    return vectors


def angle_to_subspace(v: ArrayLike, U: ArrayLike) -> Any:
    r"""Angle of a vector to its closest vector in a subspace.

    Parameters
    ----------
    v : array_like, shape (..., n), real
        Nonzero vectors.
    U : array_like, shape (..., k, n), real
        Rows that span the subspace; k = 0 (an empty span) is allowed. Leading axes broadcast.

    Returns
    -------
    float64, shape (...)
        :math:`\theta(v, U)` in radians, in [0, pi/2]; pi/2 when U is the zero subspace.

    Raises
    ------
    ValueError
        If an argument is not a finite real array, `v` holds a zero vector, or the dimensions differ.

    Notes
    -----
    The paper's :math:`\theta(a, V)` (Section 3); the zero vector is not a candidate for the closest
    one, hence pi/2 for the zero subspace.

    Examples
    --------
    >>> print(f"{angle_to_subspace([1, 1, 1], [[1, 0, 0], [0, 1, 0]]):.6f}")
    0.615480
    >>> print(f"{angle_to_subspace([1, 0], np.empty((0, 2))):.6f}")
    1.570796
    """
    vectors = nonzero("v", real_array("v", v))
    rows = real_array("U", U, axes=2)
    same_dimension("U", rows, vectors.shape[-1], "v")
    shape = same_shape(v=vectors.shape[:-1], U=rows.shape[:-2])
    return _where_sure(_height, _height_by_bases, vectors[..., None, :], rows, shape)


def _where_sure(
    fast: Callable[[FloatArray, FloatArray], tuple[FloatArray, BoolArray]],
    safe: Callable[[FloatArray, FloatArray], FloatArray],
    first: FloatArray,
    second: FloatArray,
    shape: tuple[int, ...],
) -> Any:
    """Angles by triangular factors where these prove that rows are independent, and by orthonormal bases elsewhere."""
    count, sizes = prod(shape), (first.shape[-2:], second.shape[-2:])
    first, second = (
        np.broadcast_to(rows, (*shape, *size)).reshape(count, *size)
        for rows, size in zip((first, second), sizes, strict=True)
    )
    found, sure = np.zeros(count), np.zeros(count, dtype=np.bool_)
    if count and all(0 < k <= n for k, n in sizes):
        block = max(1, _BLOCK // sum(map(prod, sizes)))
        for start in range(0, count, block):
            part = slice(start, start + block)
            found[part], sure[part] = fast(first[part], second[part])
    if not sure.all():
        found[~sure] = safe(first[~sure], second[~sure])
    return found.reshape(shape)[()]


def _coordinates(second: FloatArray, first: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Columns: coordinates of the rows of `second`, then of `first`, each scaled to length 1.

    They are the triangular factor of all these rows, so the frame itself is never made. The second value says whether
    the lengths were far from over- and underflow, and the rows of `second` surely independent.
    """
    columns = np.swapaxes(np.concatenate([second, first], axis=-2), -1, -2)
    with np.errstate(all="ignore"):
        R = np.linalg.qr(columns, mode="r")
        lengths = np.sqrt(np.einsum("...ij,...ij->...j", R, R))
        R /= lengths[..., None, :]
    safe = ((lengths > 1e-100) & (lengths < 1e100)).all(axis=-1)
    if not safe.all():
        R[~safe] = 0.0
    return R, safe & _independent(R[..., : second.shape[-2]], columns.shape[-2])


def _independent(R: FloatArray, n: int) -> BoolArray:
    """Whether k unit vectors of R^n are surely independent, from their triangular factor.

    The diagonal multiplies to the product of the singular values, whose squares add up to k: the least of them is at
    least the product over the square root of e, and the largest at most that of k. So `orthonormal_rows`
    would find rank k.
    """
    k = R.shape[-1]
    product = np.abs(np.diagonal(R, axis1=-2, axis2=-1)).prod(axis=-1)
    surely: BoolArray = product > 4 * max(k, n) * np.finfo(np.float64).eps * np.sqrt(k)
    return surely


def _height(vectors: FloatArray, rows: FloatArray) -> tuple[FloatArray, BoolArray]:
    R, sure = _coordinates(rows, vectors)
    k = rows.shape[-2]
    return np.arctan2(_norm(R[..., k:, -1]), _norm(R[..., :k, -1])), sure


def _height_by_bases(vectors: FloatArray, rows: FloatArray) -> FloatArray:
    basis, vectors = orthonormal_rows(rows), unit(vectors)
    inside = _norm((vectors @ np.swapaxes(basis, -1, -2))[..., 0, :])
    height: FloatArray = np.arctan2(_norm(_reject(vectors, basis)[..., 0, :]), inside)
    return height


def subspace_angle(U: ArrayLike, V: ArrayLike) -> Any:
    r"""One-sided angle from a subspace to a subspace: the farthest that a vector of U is from V.

    Parameters
    ----------
    U, V : array_like, shapes (..., p, n) and (..., q, n), real
        Rows that span; they may be dependent, and there may be none. Leading axes broadcast.

    Returns
    -------
    float64, shape (...)
        :math:`\theta(U, V) = \max_{u \in U} \theta(u, V)` in radians, in [0, pi/2]: 0 exactly when U
        lies in V, and pi/2 whenever dim U > dim V. The zero subspace lies in every other: 0.

    Raises
    ------
    ValueError
        If an argument is not a finite real array with two axes or more, or the dimensions differ.

    Notes
    -----
    The paper's :math:`\theta(U, V)` (Section 3, used from `lem-one-vec` on). It is not symmetric unless
    the dimensions agree; then it is the largest principal angle (`scipy.linalg.subspace_angles`).

    Examples
    --------
    >>> line, plane = [[1, 1, 0]], [[1, 0, 0], [0, 1, 0]]
    >>> subspace_angle(line, plane) < 1e-15
    np.True_
    >>> print(f"{subspace_angle(plane, line):.6f}")
    1.570796
    """
    first, second = real_array("U", U, axes=2), real_array("V", V, axes=2)
    same_dimension("V", second, first.shape[-1], "U")
    shape = same_shape(U=first.shape[:-2], V=second.shape[:-2])
    return _where_sure(_between, _between_by_bases, first, second, shape)


def _between(first: FloatArray, second: FloatArray) -> tuple[FloatArray, BoolArray]:
    R, sure = _coordinates(second, first)
    q = second.shape[-2]
    basis, triangle = np.linalg.qr(R[..., q:])
    sure = sure & _independent(triangle, first.shape[-1])
    return _largest(basis[..., :q, :], basis[..., q:, :]), sure


def _largest(cosines: FloatArray, sines: FloatArray) -> FloatArray:
    """Largest angle of a subspace, from its coordinates inside and outside another: small ones from their sine.

    The sines' squares add up to less than 1/2 only if the largest is small, which spares the second decomposition.
    """
    angles = np.zeros(sines.shape[:-2])
    small = np.einsum("...ij,...ij->...", sines, sines) <= 0.5
    if not small.all():
        q, p = cosines.shape[-2:]
        found = np.linalg.svd(cosines[~small], compute_uv=False)[..., -1] if q >= p else np.zeros((~small).sum())
        angles[~small] = np.arccos(np.minimum(found, 1.0))
        small[~small] = found**2 > 0.5
    if small.any() and sines.shape[-2]:
        angles[small] = np.arcsin(np.linalg.svd(sines[small], compute_uv=False)[..., 0])
    return angles


def _between_by_bases(first: FloatArray, second: FloatArray) -> FloatArray:
    P, Q = orthonormal_rows(first), orthonormal_rows(second)
    if P.shape[-2] == 0:
        return np.zeros(len(P))
    # scipy's recipe: a small angle from its sine, a large one from its cosine. The smallest cosine
    # is number rank(P) of the singular values (those beyond belong to the zero rows that pad P).
    sine = np.linalg.norm(_reject(P, Q), ord=2, axis=(-2, -1))
    cosines = np.zeros(P.shape[:2])
    if Q.shape[-2]:
        found = np.linalg.svd(P @ np.swapaxes(Q, -1, -2), compute_uv=False)
        cosines[:, : found.shape[-1]] = found
    rank = P.any(axis=-1).sum(axis=-1)
    cosine = np.take_along_axis(cosines, np.maximum(rank - 1, 0)[:, None], axis=-1)[:, 0]
    return np.where(rank == 0, 0.0, np.arctan2(sine, cosine))


def _far(rest: FloatArray, inside: FloatArray, gamma: float) -> Any:
    """Which rows are separated from the span, from their components outside and their lengths inside it."""
    return np.arctan2(_norm(rest), inside) > gamma + ANGLE_RESOLUTION


def _extend(rest: FloatArray, inside: FloatArray, i: int) -> tuple[FloatArray, FloatArray]:
    """Add row i to the span, for the rows after it."""
    direction = rest[i : i + 1] / _norm(rest[i])
    later = rest[i + 1 :]
    return _reject(later, direction), np.hypot(inside[i + 1 :], (later @ direction.T)[:, 0])


def _longest_separated(rest: FloatArray, inside: FloatArray, gamma: float, best: int, ceiling: int) -> int:
    """Most rows that a separated subsequence can still take, if more than `best`."""
    # a row near the span stays near every larger span: it can be dropped for good
    far = _far(rest, inside, gamma)
    rest, inside, best = rest[far], inside[far], max(best, 0)
    for i in range(len(rest)):
        if min(len(rest) - i, ceiling) <= best:
            break
        best = max(best, 1 + _longest_separated(*_extend(rest, inside, i), gamma, best - 1, ceiling - 1))
    return best


def _greedy_separated(rest: FloatArray, inside: FloatArray, gamma: float) -> int:
    """Size of the separated subsequence that takes every row it can."""
    size = 0
    while (far := _far(rest, inside, gamma)).any():
        rest, inside = _extend(rest[far], inside[far], 0)
        size += 1
    return size


def effective_dimension(A: ArrayLike, gamma: float, *, exact_up_to: int = 20) -> int:
    r"""The paper's :math:`\gamma`-effective dimension of the rows of a matrix, in their order.

    A subsequence is :math:`\gamma`-separated when each of its rows makes an angle above
    :math:`\gamma` with the span of the rows before it in the subsequence. The effective dimension is
    the size of the largest :math:`\gamma`-separated subsequence (text before `thm-halfspaces`).

    Parameters
    ----------
    A : array_like, shape (m, n), real
        Nonzero rows, in the order of the tasks.
    gamma : float
        Separation in radians, in [0, pi/2).
    exact_up_to : int, default 20
        The largest m for which the search over subsequences is complete.

    Returns
    -------
    int
        For gamma = 0 the rank of `A`, and for m <= `exact_up_to` the exact value. Beyond that the size
        of the subsequence that takes every row it can (a lower bound), which is the exact value
        whenever it equals the rank.

    Raises
    ------
    ValueError
        If `A` is not a finite real matrix, has a zero row, or `gamma` is out of range.

    Notes
    -----
    Angles within 1e-12 of `gamma` count as equal to it, so not as separated. Taking every row one can is
    not always best: a first row between two later ones can block both.

    Examples
    --------
    >>> rows = [[1, 0], [1, 0.5], [0, 1]]
    >>> effective_dimension(rows, 0.0), effective_dimension(rows, 0.5)
    (2, 2)
    >>> effective_dimension([[1, 0], [1, 0.01]], 0.1)
    1
    """
    rows = nonzero("A", real_array("A", A, axes=2))
    if rows.ndim != 2:
        raise ValueError(f"A: expected a matrix of shape (m, n), got shape {rows.shape}")
    gamma = number("gamma", gamma, low=0.0, high=np.pi / 2, open_high=True)
    exact_up_to = integer("exact_up_to", exact_up_to, least=0)
    units = unit(rows) if len(rows) else rows
    inside = np.zeros(len(units))
    greedy = _greedy_separated(units, inside, gamma)
    ceiling = int(orthonormal_rows(units).any(axis=-1).sum())
    if gamma == 0.0 or greedy >= ceiling or len(units) > exact_up_to:
        return greedy
    return _longest_separated(units, inside, gamma, greedy, ceiling)
