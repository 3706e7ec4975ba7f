"""Angles between vectors and subspaces (Section 3), in radians and exact to rounding.

The arccosine of an inner product loses half of the digits at small angles: two unit vectors at
angle 1e-9 have inner product 1 to the last bit. So small angles are computed here from a sine
and only large ones from a cosine, both without cancellation.
"""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, broadcast, integer, nonzero, number, real_array

#: Angles closer than this to a threshold count as equal to it (radians).
ANGLE_RESOLUTION = 1e-12


def unit(v: FloatArray) -> FloatArray:
    """Nonzero vectors scaled to length 1; exact powers of two first where squares over- or underflow."""
    with np.errstate(all="ignore"):
        size = _norm(v)[..., None]
    if size.min(initial=1.0) < 1e-140 or size.max(initial=1.0) > 1e140:
        power = np.frexp(np.abs(v).max(axis=-1, keepdims=True))[1]
        v = np.ldexp(np.ldexp(v, -(power // 2)), power // 2 - power)  # in halves: one would overflow for subnormals
        size = _norm(v)[..., None]
    return np.asarray(v / size)


def _norm(v: FloatArray) -> Any:
    """Lengths of vectors as they come."""
    return np.sqrt(np.vecdot(v, v))


def turn(u: FloatArray, v: FloatArray) -> Any:
    """The angle between unit vectors, small ones too."""
    return 2 * np.arctan2(_norm(u - v), _norm(u + v))


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
    with np.errstate(all="ignore"):  # lengths that are not tame are looked at
        a, b = _directions("u", u), _directions("v", v)
        if a.shape != b.shape:
            broadcast("v", b.shape, a.shape, "u")
        return turn(a, b)


def _directions(name: str, value: Any) -> Any:
    """The unit vectors along an argument; a single one is looked at closely only if its length is not tame."""
    plain = type(value) is np.ndarray and value.dtype.char == "d" and value.ndim == 1
    if plain and 1e-140 < (size := sqrt(value.dot(value))) < 1e140:
        return value / size
    return unit(nonzero(name, real_array(name, value)))


def orthonormal_rows(U: FloatArray) -> FloatArray:
    """Orthonormal basis of a subspace to take an angle to: the span of each matrix's rows, padded with zero rows."""
    if U.shape[-2] == 0:
        return U
    zero = ~U.any(axis=-1, keepdims=True)
    rows = np.where(zero, 0.0, unit(np.where(zero, 1.0, U)))  # the span does not depend on the lengths
    _, sizes, basis = np.linalg.svd(rows, full_matrices=False)
    kept = sizes > max(U.shape[-2:]) * 2.0**-52 * sizes[..., :1]  # beyond rounding
    return np.asarray(np.where(kept[..., None], basis, 0.0))


def reject(v: FloatArray, basis: FloatArray) -> FloatArray:
    """Component of the rows of v orthogonal to a subspace, given by orthonormal rows; computed twice for accuracy."""
    for _ in range(2):
        v = v - (v @ np.swapaxes(basis, -1, -2)) @ basis
    return v


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
    rows = nonzero("v", real_array("v", v))
    span = real_array("U", U, axes=2)
    broadcast("U", span.shape[:-2] + span.shape[-1:], rows.shape, "v")
    a, basis = unit(rows)[..., None, :], orthonormal_rows(span)
    inside = a @ np.swapaxes(basis, -1, -2)
    return np.arctan2(_norm(reject(a, basis)), _norm(inside))[..., 0]


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
    shape = broadcast("V", second.shape[:-2] + second.shape[-1:], first.shape[:-2] + first.shape[-1:], "U")
    if first.shape[-2] == 0:
        return np.zeros(shape)[()]
    P, Q = _basis(first), _basis(second)
    rest = reject(P, Q)
    sine = np.sqrt(np.maximum(np.linalg.eigvalsh(rest @ np.swapaxes(rest, -1, -2))[..., -1], 0.0))
    cosines = np.zeros((*shape, P.shape[-2]))
    found = np.linalg.svd(P @ np.swapaxes(Q, -1, -2), compute_uv=False)
    cosines[..., : found.shape[-1]] = found
    # the smallest cosine is number rank(P): those beyond belong to the zero rows that pad P
    rank = np.broadcast_to(P.any(axis=-1).sum(axis=-1), shape)[..., None]
    cosine = np.take_along_axis(cosines, np.maximum(rank - 1, 0), axis=-1)[..., 0]
    return np.where(rank[..., 0] == 0, 0.0, np.arctan2(sine, cosine))[()]


def _basis(U: FloatArray) -> FloatArray:
    """As `orthonormal_rows`; by a triangular factor where the rows of no matrix are near to dependent."""
    if U.shape[-2] <= U.shape[-1] and U.any(axis=-1).all():
        Q, R = np.linalg.qr(np.swapaxes(unit(U), -1, -2))
        volume = np.prod(np.diagonal(R, axis1=-2, axis2=-1), axis=-1)
        if (np.abs(volume) > 1e-8).all():  # of unit rows: no singular value is below half of it
            return np.swapaxes(Q, -1, -2)
    return orthonormal_rows(U)


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
    rows = nonzero("A", real_array("A", A, axes=2, most=2))
    gamma = number("gamma", gamma, f"[0, {np.pi / 2})")
    most = integer("exact_up_to", exact_up_to, least=0)
    rows, inside = unit(rows), np.zeros(len(rows))
    greedy, rank = _greedy(rows, inside, gamma), int(orthonormal_rows(rows).any(axis=1).sum())
    if gamma == 0.0 or greedy >= rank or len(rows) > most:
        return greedy
    return _longest(rows, inside, gamma, greedy, rank)


def _far(rest: FloatArray, inside: FloatArray, gamma: float) -> Any:
    """Which rows are separated from the span, from their components outside and their lengths inside it."""
    return np.arctan2(_norm(rest), inside) > gamma + ANGLE_RESOLUTION


def _extend(rest: FloatArray, inside: FloatArray, i: int) -> tuple[FloatArray, FloatArray]:
    """Row i added to the span: what is outside and inside of the rows after it."""
    direction, later = rest[i : i + 1] / _norm(rest[i]), rest[i + 1 :]
    return reject(later, direction), np.hypot(inside[i + 1 :], (later @ direction.T)[:, 0])


def _greedy(rest: FloatArray, inside: FloatArray, gamma: float) -> int:
    """Size of the separated subsequence that takes every row it can."""
    size = 0
    while (far := _far(rest, inside, gamma)).any():
        rest, inside = _extend(rest[far], inside[far], 0)
        size += 1
    return size


def _longest(rest: FloatArray, inside: FloatArray, gamma: float, best: int, most: int) -> int:
    """Most rows that a separated subsequence can still take, if more than `best`."""
    far = _far(rest, inside, gamma)  # a row near the span stays near every larger one
    rest, inside, best = rest[far], inside[far], max(best, 0)
    for i in range(len(rest)):
        if min(len(rest) - i, most) <= best:
            break
        best = max(best, 1 + _longest(*_extend(rest, inside, i), gamma, best - 1, most - 1))
    return best
