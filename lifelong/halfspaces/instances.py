"""Planted, tight and adversarial instances of Section 3, from Lemma 3 to Theorem 2; every vector is a row.

Random instances rarely come near a bound. The tight ones here meet every hypothesis of their claim
with equality, and the adversarial ones are the worst that the hypotheses allow.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from mpmath import mp
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import (
    FloatArray,
    RNGLike,
    instance,
    integer,
    number,
    precise,
    random_generator,
    real_array,
    same_shape,
    unit_rows,
)
from lifelong._contracts import checked
from lifelong.halfspaces.bounds import amplification
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Law

__all__ = [
    "Answered",
    "Perturbation",
    "chain",
    "chain_stream",
    "crowded_first_level",
    "crowded_subspace",
    "doubling_family",
    "doubling_in_room",
    "extremal_spans",
    "hand_counterexample",
    "hand_stream",
    "hidden_blocks",
    "hidden_direction",
    "leaning_first_level",
    "leaning_second_level",
    "lifted_simplex",
    "logarithmic_family",
    "perturbed",
    "planted_halfspaces",
    "planted_two_levels",
    "refusals",
    "refusals_with",
    "replaced_vector",
    "separated_rows",
    "sharp_family",
    "tilted_planes",
    "worst_targets",
]


#: A float, a fraction or a number of mpmath, which comes without types.
Real = Any

#: Digits of the instances that doubles cannot hold.
_DIGITS = 200


class Perturbation(NamedTuple):
    """Vectors and their estimates, row by row.

    Parameters
    ----------
    true, learned : shape (..., k, n)
        The spans of the rows are V_k and its estimate.

    Notes
    -----
    The situation of `lem-subspace`.

    Examples
    --------
    >>> Perturbation(true=np.eye(2), learned=np.eye(2)).learned.shape
    (2, 2)
    """

    true: Any
    learned: Any


def _unit_rows(shape: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    rows = rng.standard_normal(shape)
    unit: FloatArray = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return unit


def _orthogonal(v: FloatArray, to: FloatArray) -> FloatArray:
    """Unit component of each row of `v` orthogonal to the unit row of `to`."""
    v = v - (v * to).sum(axis=-1, keepdims=True) * to
    unit: FloatArray = v / np.linalg.norm(v, axis=-1, keepdims=True)
    return unit


def perturbed(vectors: ArrayLike, angles: ArrayLike, *, rng: RNGLike = None) -> FloatArray:
    """Turn each unit vector by a given angle in a random direction.

    Parameters
    ----------
    vectors : array_like, shape (..., n), real
        Unit vectors, n >= 2.
    angles : array_like, broadcasts with shape (...)
        Radians.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    float64, shape (..., n)

    Raises
    ------
    ValueError
        If `vectors` are not unit vectors with n >= 2, or `angles` are not finite or do not broadcast.

    Notes
    -----
    Estimates at an exact error, for `lem-one-vec` and `lem-subspace`.

    Examples
    --------
    >>> v = perturbed([1.0, 0.0, 0.0], 0.25, rng=0)
    >>> print(f"{np.arccos(v[0]):.4f}")
    0.2500
    """
    rows = unit_rows("vectors", real_array("vectors", vectors))
    if rows.shape[-1] < 2:
        raise ValueError(f"vectors: expected dimension n >= 2, got shape {rows.shape}")
    turn = real_array("angles", angles, axes=0, empty=True)
    same_shape(vectors=rows.shape[:-1], angles=turn.shape)
    side = _orthogonal(random_generator(rng).standard_normal(rows.shape), rows)
    turned: FloatArray = np.cos(turn)[..., None] * rows + np.sin(turn)[..., None] * side
    return turned


@checked
def replaced_vector(
    count: int, n: int, k: int, *, rng: RNGLike = None, log_error: float = -5.0, log_separation: float = -3.0
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Random instances of `lem-one-vec`: a subspace U, a vector b and its estimate.

    Parameters
    ----------
    count : int
        How many.
    n, k : int
        Dimension and size of the spans, 1 <= k < n; U has dimension k - 1.
    rng : None, int, SeedSequence, BitGenerator or Generator
    log_error, log_separation : float, default -5 and -3
        The angles from b to its estimate and from the estimate to U are spread over the decades
        from these powers of ten upwards, in [-15, 0.5].

    Returns
    -------
    U : float64, shape (count, k - 1, n)
    b, estimate : float64, shape (count, n)

    Raises
    ------
    ValueError
        If an argument is out of range: 1 <= k < n, and powers of ten from -15 to 0.5.

    Examples
    --------
    >>> U, b, estimate = replaced_vector(5, 4, 3, rng=0)
    >>> U.shape, b.shape
    ((5, 2, 4), (5, 4))
    """
    count = integer("count", count, least=0)
    n = integer("n", n, least=2)
    k = integer("k", k, least=1, most=n - 1)
    log_error = number("log_error", log_error, low=-15.0, high=0.5)
    log_separation = number("log_separation", log_separation, low=-15.0, high=0.5)
    rng = random_generator(rng)
    U = _unit_rows((count, k - 1, n), rng)
    estimate = _unit_rows((count, n), rng)
    if k > 1:
        near = _unit_rows((count, 1, k - 1), rng) @ U
        near = near[:, 0] / np.linalg.norm(near[:, 0], axis=1, keepdims=True)
        lift = 10 ** rng.uniform(log_separation, 0.5, (count, 1))
        estimate = near + lift * estimate
        estimate /= np.linalg.norm(estimate, axis=1, keepdims=True)
    decades = 10 ** rng.uniform(log_error, 0.5, count)
    # evenly up to pi as well, but never below the least: there the digits of a double end
    error = np.minimum(decades, np.clip(np.pi * rng.random(count), min(10**log_error, np.pi), np.pi))
    return U, perturbed(estimate, error, rng=rng), estimate


def tilted_planes(alpha: ArrayLike, beta: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Instances of `lem-one-vec` in R^3 with two given angles, where the sine form is an equality.

    Parameters
    ----------
    alpha, beta : array_like, shape (count,)
        Angle between the planes, in (0, pi/2), and angle of the estimate to U, in (0, pi/2], in radians.

    Returns
    -------
    U : float64, shape (count, 1, 3)
        The first axis.
    b, estimate : float64, shape (count, 3)
        `b` is the unit vector of its plane that is nearest to `estimate`.

    Raises
    ------
    ValueError
        If an angle is NaN or out of range.

    Examples
    --------
    >>> U, b, estimate = tilted_planes([0.3], [np.pi / 2])
    >>> print(f"{np.arccos(b[0] @ estimate[0]):.4f}")
    0.3000
    """
    a, t = (real_array(name, value) for name, value in (("alpha", alpha), ("beta", beta)))
    for name, angles, end in (("alpha", a, ")"), ("beta", t, "]")):
        too_large = angles >= np.pi / 2 if end == ")" else angles > np.pi / 2
        if angles.ndim != 1 or (angles <= 0).any() or too_large.any():
            wanted = f"shape (count,) with angles in (0, pi/2{end} radians"
            raise ValueError(f"{name}: expected {wanted}, got {angles.min():g} to {angles.max():g}, {angles.shape}")
    zero = np.zeros(same_shape(alpha=a.shape, beta=t.shape))
    flat = np.stack([np.cos(t) + zero, np.sin(t) * np.cos(a), zero], axis=1)
    lift = np.stack([zero, zero, np.sin(t) * np.sin(a)], axis=1)
    U = np.broadcast_to([[1.0, 0.0, 0.0]], (len(zero), 1, 3))
    return U, flat / np.linalg.norm(flat, axis=1, keepdims=True), flat + lift


@checked
def separated_rows(count: int, n: int, k: int, separation: ArrayLike, *, rng: RNGLike = None) -> FloatArray:
    """Unit rows, each at exactly the given angle from the span of the rows before it.

    Parameters
    ----------
    count : int
        How many sets of rows.
    n, k : int
        Dimension and rows a set, 1 <= k <= n.
    separation : array_like, broadcasts with shape (count,)
        Angle in (0, pi/2] radians.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    float64, shape (count, k, n)

    Raises
    ------
    ValueError
        If k is not between 1 and n or a separation is out of range.

    Notes
    -----
    Estimates that meet the separation hypothesis of `lem-subspace` with equality.

    Examples
    --------
    >>> from lifelong.halfspaces.angles import angle_to_subspace
    >>> rows = separated_rows(1, 5, 3, 0.3, rng=0)[0]
    >>> print(f"{angle_to_subspace(rows[2], rows[:2]):.6f}")
    0.300000
    """
    k = integer("k", k, least=1, most=integer("n", n, least=1))
    angles = real_array("separation", separation, axes=0)
    if same_shape(count=(integer("count", count, least=0),), separation=angles.shape) != (count,):
        raise ValueError(f"separation: expected one angle or {count}, got shape {angles.shape}")
    gamma = np.broadcast_to(angles, (count,))
    if (gamma <= 0).any() or (gamma > np.pi / 2).any():
        raise ValueError(f"separation: expected angles in (0, pi/2] radians, got {gamma.min():g} to {gamma.max():g}")
    rng = random_generator(rng)
    frame = np.swapaxes(np.linalg.qr(rng.standard_normal((count, n, k)))[0], -1, -2)
    coordinates = np.zeros((count, k, k))
    coordinates[:, 0, 0] = 1.0
    for i in range(1, k):
        coordinates[:, i, :i] = np.cos(gamma)[:, None] * _unit_rows((count, i), rng)
        coordinates[:, i, i] = np.sin(gamma)
    rows: FloatArray = coordinates @ frame
    return rows


@checked
def chain(k: int, separation: float) -> FloatArray:
    """The learned vectors for which errors compound most: the extremal chain of `thm-subspace-sharp`.

    Parameters
    ----------
    k : int
        How many vectors, at least 1.
    separation : float
        Angle of each to the span of those before it, in (0, pi/2] radians.

    Returns
    -------
    float64, shape (k, k)
        Unit rows in lower triangular form.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Each new vector leans on the direction in which the errors of the earlier ones add up worst, and that
    direction then moves away from it.

    Examples
    --------
    >>> rows = chain(3, np.pi / 2)
    >>> bool(np.allclose(rows, np.eye(3)))
    True
    """
    k = integer("k", k, least=1)
    return _chain(k, np.float64(number("separation", separation, low=0.0, high=np.pi / 2, open_low=True)))[0]


def _chain(k: int, gamma: Any) -> tuple[FloatArray, FloatArray]:
    """Chains for separations of any shape, and the direction of each in which the errors add up worst."""
    rows = np.broadcast_to(np.eye(k), (*np.shape(gamma), k, k)).copy()
    worst, c, s = rows[..., 0, :].copy(), np.cos(gamma)[..., None], np.sin(gamma)[..., None]
    for i in range(1, k):
        F, axis = np.asarray(amplification(i, gamma))[..., None], np.eye(k)[i]
        rows[..., i, :] = c * worst + s * axis
        t = np.arctan2(1 + F * c, F * s)
        worst = np.cos(t) * worst - np.sin(t) * axis
    return rows, worst


@checked
def extremal_spans(k: int, separation: ArrayLike, share: ArrayLike) -> Perturbation:
    """Extremal chains with their worst targets, many at a time.

    Parameters
    ----------
    k : int
        How many vectors, at least 1.
    separation : array_like, shape (count,)
        Angle of each learned vector to the span of those before it, in (0, pi/2] radians.
    share : array_like, shape (count,)
        Sine of the angle between the spans, in [0, 1).

    Returns
    -------
    Perturbation
        `true` and `learned`, of shape (count, k, k + 1), with equal errors in a set.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Equality in `thm-subspace-sharp`, as from `chain` and `worst_targets`, and without their loops.

    Examples
    --------
    >>> from lifelong.halfspaces.angles import subspace_angle
    >>> true, learned = extremal_spans(4, [0.3, 0.5], [0.1, 0.2])
    >>> [f"{x:.6f}" for x in np.sin(subspace_angle(true, learned))]
    ['0.100000', '0.200000']
    """
    k = integer("k", k, least=1)
    gamma, x = real_array("separation", separation), real_array("share", share)
    if same_shape(separation=gamma.shape, share=x.shape) != gamma.shape or gamma.ndim != 1:
        raise ValueError(f"share: expected one for each separation, got shapes {gamma.shape} and {x.shape}")
    if (gamma <= 0).any() or (gamma > np.pi / 2).any():
        raise ValueError(f"separation: expected angles in (0, pi/2] radians, got {gamma.min():g} to {gamma.max():g}")
    if (x < 0).any() or (x >= 1).any():
        raise ValueError(f"share: expected numbers in [0, 1), got {x.min():g} to {x.max():g}")
    rows, worst = _chain(k, gamma)
    learned = np.concatenate([rows, np.zeros((len(rows), k, 1))], axis=-1)
    normal = np.concatenate([x[:, None] * worst, np.sqrt(1 - x**2)[:, None]], axis=-1)
    true = learned - (learned @ normal[..., None]) * normal[:, None, :]
    return Perturbation(true / np.linalg.norm(true, axis=-1, keepdims=True), learned)


def worst_targets(learned: ArrayLike, error: float) -> Perturbation:
    r"""The true vectors within a given angle of learned ones whose span is farthest from theirs.

    Parameters
    ----------
    learned : array_like, shape (k, n), real
        Independent unit rows, k <= 14.
    error : float
        The angle between each true vector and its learned one, in [0, pi/2) radians.

    Returns
    -------
    Perturbation
        `true` and `learned`, both of shape (k, n + 1): one more coordinate, zero for the learned rows. The
        sine of the angle from the true span, of dimension k, to the learned one is
        :math:`\min(1, \sin\epsilon \cdot \max_{\sigma = \pm 1} |\tilde A^{+}\sigma|)`, the largest that
        any true vectors within `error` can reach (`prop-subspace-exact`); a millionth less where the product is
        within a millionth of 1, for at 1 itself it is approached only.

    Raises
    ------
    ValueError
        If the rows are not of length 1, dependent or more than 14, or the error is out of range.

    Notes
    -----
    The steps from `chain` to the attained bound in `thm-subspace-sharp`; all 2^(k-1) sign patterns are tried. Below 1
    the true vectors are orthogonal to a vector near the learned span. Above 1 they lose the worst unit vector of the
    learned span, and the new coordinate, which their span contains, takes the rest of the error.

    Examples
    --------
    >>> from lifelong.halfspaces.angles import subspace_angle
    >>> true, estimates = worst_targets(chain(3, 0.25), 0.002)
    >>> from lifelong.halfspaces.bounds import subspace_sharp
    >>> print(f"{subspace_angle(true, estimates) / subspace_sharp(3, 0.002, 0.25):.10f}")
    1.0000000000
    """
    rows = unit_rows("learned", real_array("learned", learned, axes=2))
    if rows.ndim != 2 or not 1 <= len(rows) <= 14:
        raise ValueError(f"learned: expected shape (k, n) with k from 1 to 14, got shape {rows.shape}")
    epsilon = number("error", error, low=0.0, high=np.pi / 2, open_high=True)
    if np.linalg.matrix_rank(rows) < len(rows):
        raise ValueError(f"learned: expected independent rows, got rank {np.linalg.matrix_rank(rows)} of {len(rows)}")
    signs = np.array([(1, *rest) for rest in product((1, -1), repeat=len(rows) - 1)], dtype=np.float64)
    duals = signs @ np.linalg.pinv(rows).T  # duals[s] . learned[i] = signs[s, i]
    lengths = np.linalg.norm(duals, axis=1)
    best = lengths.argmax()
    worst, reach = duals[best] / lengths[best], np.sin(epsilon) * lengths[best]
    if abs(reach - 1) < 1e-6:  # at 1 the true vectors would lose a dimension
        reach = 1 - 1e-6
    padded = np.hstack([rows, np.zeros((len(rows), 1))])
    if reach < 1:
        normal = np.append(reach * worst, np.sqrt(1 - reach**2))
        true = padded - np.outer(padded @ normal, normal)
    else:
        along = rows @ worst
        up = np.sqrt((1 - along**2) * np.maximum(np.sin(epsilon) ** 2 - along**2, 0)) / np.cos(epsilon)
        true = np.column_stack([rows - np.outer(along, worst), signs[best] * up])
    return Perturbation(true / np.linalg.norm(true, axis=1, keepdims=True), padded)


@checked
def lifted_simplex(k: int, height: float) -> FloatArray:
    """The k corners of a regular simplex, all lifted by one height out of their hyperplane.

    Parameters
    ----------
    k : int
        At least 2.
    height : float
        In (0, 1]; the smallest singular value is sqrt(k) times the height while that is below 1.

    Returns
    -------
    float64, shape (k, k)
        Unit rows. As the height falls to 0 they meet `prop-subspace-separated` with ratio 1; they meet
        `prop-subspace-singular` with equality at every height up to 1 / sqrt(k).

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> rows = lifted_simplex(4, 0.1)
    >>> print(np.round(rows @ np.full(4, 0.5), 6))
    [0.1 0.1 0.1 0.1]
    """
    k = integer("k", k, least=2)
    h = number("height", height, low=0.0, high=1.0, open_low=True)
    corners = np.eye(k) - 1 / k
    corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    rows: FloatArray = np.sqrt(1 - h**2) * corners + h / np.sqrt(k)
    return rows


def hand_counterexample() -> Perturbation:
    """The counterexample to `lem-subspace` that can be checked by hand, in exact rational numbers.

    Returns
    -------
    Perturbation
        Two tuples of three rows of four `fractions.Fraction`, k = 3 in R^4. The learned vectors are at
        angles arctan(1/4) from the earlier spans, the errors are at most arctan(1/500), and that is below
        gamma^2 / 30; yet the spans are at the angle arctan(sqrt(1361) / 500), above the printed bound.

    Notes
    -----
    Four dimensions are the least in which two different 3-dimensional subspaces can be perturbed so.

    Examples
    --------
    >>> true, learned = hand_counterexample()
    >>> [str(x) for x in true[2]], [str(x) for x in learned[2]]
    (['0', '4', '1', '1/125'], ['0', '4', '1', '0'])
    """
    d = Fraction(1, 500)
    rows = ((1, 0, 0), (4, 1, 0), (0, 4, 1))
    lift = (d, -4 * d, 4 * d)
    learned = tuple((*map(Fraction, row), Fraction(0)) for row in rows)
    true = tuple((*map(Fraction, row), x) for row, x in zip(rows, lift, strict=True))
    return Perturbation(true, learned)


def hand_stream() -> Perturbation:
    """Four targets in three dimensions of R^4 that open four features: the hand example against `thm-halfspaces`.

    Returns
    -------
    Perturbation
        `true` and `learned`, object arrays of Fractions, shape (4, 4), not of unit length. Only the second row is
        learned with an error, of an angle below eps^2/30 at eps = 1/1000. The span of the first three learned rows
        holds nothing of error eps for the fourth target.

    Examples
    --------
    >>> true, learned = hand_stream()
    >>> [[str(x) for x in row] for row in learned[1:3]]
    [['318', '1', '0', '1/100000'], ['0', '318', '1', '0']]
    """
    rows = [[1, 0, 0, 0], [318, 1, 0, 0], [0, 318, 1, 0], [0, 0, 1, 0]]
    true = np.array([[Fraction(x) for x in row] for row in rows], dtype=object)
    learned = true.copy()
    learned[1, 3] = Fraction(1, 100_000)
    return Perturbation(true, learned)


@checked
def planted_halfspaces(law: Law, k: int, m: int, *, rng: RNGLike = None) -> tuple[FloatArray, list[HalfspaceTask]]:
    """Halfspace tasks whose targets are random vectors of one random k-dimensional subspace.

    Parameters
    ----------
    law : Law
        Marginal of the examples, in R^n.
    k, m : int
        Dimension of the common subspace, 1 <= k <= n, and number of tasks.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    W : float64, shape (k, n)
        Orthonormal rows that span the common subspace.
    tasks : list of HalfspaceTask
        Each with a random stream of its own.

    Raises
    ------
    ValueError
        If k is not between 1 and n or m is negative.

    Notes
    -----
    The setting of `thm-halfspaces` with targets exactly in the subspace.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> W, tasks = planted_halfspaces(Gaussian(10), 2, 3, rng=0)
    >>> W.shape, len(tasks)
    ((2, 10), 3)
    """
    instance("law", law, Law)
    k = integer("k", k, least=1, most=law.n)
    m = integer("m", m, least=0)
    rng = random_generator(rng)
    W = np.linalg.qr(rng.standard_normal((law.n, k)))[0].T
    targets = _unit_rows((m, k), rng) @ W
    return W, [HalfspaceTask(t, law, rng=child) for t, child in zip(targets, rng.spawn(m), strict=True)]


def _sine_of_error(epsilon: Real) -> Any:
    """Sine of an angle a hair above pi * epsilon: a target at that angle is refused."""
    return mp.sin(mp.pi * mp.mpf(epsilon)) * (1 + mp.mpf(10) ** -9)


def _family_arguments(k: Any, epsilon: Real, epsilon_acc: Real, least: int) -> tuple[int, Any, Any]:
    k = integer("k", k, least=least)
    e, a = precise("epsilon", epsilon), precise("epsilon_acc", epsilon_acc)
    if not 0 < a < e < 0.5:
        raise ValueError(f"epsilon_acc: expected 0 < epsilon_acc < epsilon < 1/2, got {float(a):g} and {float(e):g}")
    return k, e, a


@checked
def doubling_family(k: int, epsilon: Real, epsilon_acc: Real) -> Any:
    """Targets in k dimensions that make `algo-one` open 2k - 2 features: the lower half of `thm-halfspaces-exact`.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 2.
    epsilon, epsilon_acc : float or mpmath number
        Errors allowed a task and reached from scratch, 0 < epsilon_acc < epsilon < 1/2.

    Returns
    -------
    object array of mpmath numbers, shape (2k - 2, k)
        Unit rows, in 200 digits. Every one is refused if each error from scratch points in a direction of its own.

    Raises
    ------
    ValueError
        If an argument is out of range, or `epsilon` is too large for this k: some sine would be above 1.

    Examples
    --------
    >>> rows = doubling_family(3, 1e-3, 5e-7)
    >>> rows.shape, sum(s > 1 for s in refusals(rows, 1e-3, 5e-7))
    ((4, 3), 4)
    """
    with mp.workdps(_DIGITS):
        k, e, a = _family_arguments(k, epsilon, epsilon_acc, 2)
        s = _sine_of_error(e)
        c = mp.sqrt(1 - s**2)
        lift, spread = (s / c) ** 2, s * (s / c) / mp.tan(mp.pi * a)
        rows = np.full((2 * k - 2, k), mp.mpf(0), dtype=object)
        rows[0, 0], rows[1, 0], rows[1, 1] = mp.mpf(1), c, s
        inverse = mp.mpf(0)  # 1 / x_j of the direction before
        for j in range(2, k):
            inverse = mp.sqrt(1 + lift + spread**2 * (1 + inverse**2))
            if s * inverse > 1:
                raise ValueError(f"epsilon: expected a smaller one for k = {k}, got {float(e):g}")
            rows[2 * j - 2, j - 1], rows[2 * j - 2, j] = c, s
            rows[2 * j - 1, 0], rows[2 * j - 1, j] = mp.sqrt(1 - (s * inverse) ** 2), s * inverse
        return rows


@checked
def logarithmic_family(k: int, epsilon: Real, epsilon_acc: Real) -> Any:
    """Targets in k dimensions for which `algo-one` opens about k log(1/epsilon) features (`thm-halfspaces-volume`).

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.
    epsilon, epsilon_acc : float or mpmath number
        As in `doubling_family`.

    Returns
    -------
    object array of mpmath numbers, shape (N, k)
        Unit rows, in 200 digits: the first axis, then in the plane of it and each other axis vectors whose sines
        grow by the factor sqrt(1 + (sin(pi epsilon) / tan(pi epsilon_acc))^2) up to 1.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> rows = logarithmic_family(4, 1e-3, 2e-4)
    >>> len(rows), sum(s > 1 for s in refusals(rows, 1e-3, 2e-4))
    (13, 13)
    """
    with mp.workdps(_DIGITS):
        k, e, a = _family_arguments(k, epsilon, epsilon_acc, 1)
        s = _sine_of_error(e)
        factor = mp.sqrt(1 + (s / mp.tan(mp.pi * a)) ** 2)
        sines = [s]
        while sines[-1] * factor <= 1:
            sines.append(sines[-1] * factor)
        rows = np.full((1 + (k - 1) * len(sines), k), mp.mpf(0), dtype=object)
        rows[0, 0] = mp.mpf(1)
        for i, (j, sine) in enumerate(product(range(1, k), sines), start=1):
            rows[i, 0], rows[i, j] = mp.sqrt(1 - sine**2), sine
        return rows


@checked
def doubling_in_room(k: int, n: int, epsilon: Real, epsilon_acc: Real) -> Perturbation:
    """Targets in k dimensions of R^n that make `algo-one` open min(n, 2k - 2) features (`thm-halfspaces-exact`).

    Parameters
    ----------
    k, n : int
        Dimensions of the common subspace and of the examples, 2 <= k <= n.
    epsilon, epsilon_acc : float or mpmath number
        As in `doubling_family`.

    Returns
    -------
    Perturbation
        `true` and `learned`, object arrays of mpmath numbers of 200 digits, shape (min(n, 2k - 2), n). Unit rows, the
        true ones on the first k axes, each learned one within the angle pi * `epsilon_acc` of its target.

    Raises
    ------
    ValueError
        If an argument is out of range, or `epsilon` is too large for this k and n.

    Notes
    -----
    The targets of `doubling_family` with errors that share directions, so that 2k - 2 dimensions hold it all. The
    smallest case, k = 3 in R^4, has one error that is not zero.

    Examples
    --------
    >>> true, learned = doubling_in_room(3, 4, 1e-3, 1e-8)
    >>> true.shape, [s > 1 for s in refusals_with(true, learned, 1e-3)]
    ((4, 4), [True, True, True, True])
    """
    with mp.workdps(_DIGITS):
        k, e, a = _family_arguments(k, epsilon, epsilon_acc, 2)
        twice = min(k - 2, integer("n", n, least=k) - k)
        s, turn = _sine_of_error(e), mp.tan(mp.pi * a)
        c = mp.sqrt(1 - s**2)
        zero, one = mp.mpf(0), mp.mpf(1)
        rows: list[tuple[dict[int, Any], int, Any]] = [({0: one}, 0, zero), ({0: c, 1: s}, k, turn)]
        pull = s * (s / c) / turn
        for j in range(2, 2 + twice):
            inverse = mp.sqrt(1 + (s / c) ** 2 + pull**2)
            if s * inverse > 1:
                raise ValueError(f"epsilon: expected a smaller one for k = {k} and n = {n}, got {float(e):g}")
            rows.append(({j - 1: c, j: s}, k + j - 1, turn / inverse))
            rows.append(({0: mp.sqrt(1 - (s * inverse) ** 2), j: s * inverse}, k + j - 1, turn))
            pull = s * (s / c) / turn * inverse
        rows += [({j: one}, 0, zero) for j in range(2 + twice, k)]
        true = np.full((len(rows), n), zero, dtype=object)
        learned = true.copy()
        for i, (entries, axis, error) in enumerate(rows):
            for j, x in entries.items():
                true[i, j] = x
                learned[i, j] = x
            if axis < k + twice:  # no axis is left for the errors of the last direction: it has none
                learned[i, axis] += error
                learned[i] /= mp.sqrt(1 + error**2)
        return Perturbation(true, learned)


@checked
def sharp_family(k: int, epsilon: Real, epsilon_acc: Real) -> Perturbation:
    r"""Targets, with the worst estimates, that `thm-halfspaces-determinant` allows to leading order.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, at least 1.
    epsilon, epsilon_acc : float or mpmath number
        As in `doubling_family`.

    Returns
    -------
    Perturbation
        `true` and `learned`, object arrays of mpmath numbers of 200 digits, unit rows. There are
        :math:`1+(k-1)(1+\lfloor\ln(1/s)/\ln\Delta\rfloor)` rows, :math:`s=\sin\pi\epsilon` up to a hair and
        :math:`\Delta=s/\sin\pi\epsilon_{acc}`. Each target is refused; each estimate is at the angle
        :math:`\pi\epsilon_{acc}` from its target, but for the first, which is exact.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    In the plane of the first and another axis the sines of the targets grow by the factor :math:`\Delta`. The new
    direction of the learned span is the one out of it towards the target, turned so far into a fresh axis that the
    target is left at exactly :math:`\pi\epsilon_{acc}`.

    Examples
    --------
    >>> true, learned = sharp_family(2, 1e-3, 5e-4)
    >>> len(true), all(s > 1 for s in refusals_with(true, learned, 1e-3))
    (10, True)
    """
    with mp.workdps(_DIGITS):
        k, e, a = _family_arguments(k, epsilon, epsilon_acc, 1)
        s, t = _sine_of_error(e), mp.sin(mp.pi * a)
        sines = [s]
        while sines[-1] * s / t <= 1:
            sines.append(sines[-1] * s / t)
        room = k + (k - 1) * len(sines)
        true = np.full((1 + (k - 1) * len(sines), room), mp.mpf(0), dtype=object)
        true[0, 0] = mp.mpf(1)
        learned = true.copy()
        turn = mp.sqrt(1 - (t / s) ** 2)  # cosine of how far the new direction turns into its fresh axis
        for j in range(1, k):
            rest = np.full(room, mp.mpf(0), dtype=object)  # what of the axis is outside of the learned span
            rest[j] = mp.mpf(1)
            for i, sine in enumerate(sines):
                row = 1 + (j - 1) * len(sines) + i
                true[row, 0], true[row, j] = mp.sqrt(1 - sine**2), sine
                length = mp.sqrt(rest.dot(rest))
                new = turn * rest / length
                new[k + row - 1] += t / s
                outside = sine * rest  # of the target, its length is s
                nearest = true[row] - outside + new * outside.dot(new)
                learned[row] = nearest / mp.sqrt(nearest.dot(nearest))
                rest = rest - new * rest.dot(new)
        return Perturbation(true, learned)


@checked
def refusals_with(targets: Any, learned: Any, epsilon: Real) -> list[float]:
    r"""How far each target is from the span of the vectors learned before it, in 200 digits.

    Parameters
    ----------
    targets, learned : array_like, shape (N, n), real or mpmath numbers
        Unit rows, in the order of the stream; the learned ones independent.
    epsilon : float or mpmath number
        Error allowed a task, in (0, 1/2).

    Returns
    -------
    list of float, length N
        Sine of the angle over the sine of :math:`\pi\epsilon`: above 1 where the target is refused.

    Raises
    ------
    ValueError
        If the shapes differ or `epsilon` is out of range.

    Notes
    -----
    For `thm-halfspaces-exact` and `thm-halfspaces-determinant`, by orthogonalisation, whatever the errors are. Not
    `algo-one` itself, which holds doubles: these targets, and the angles between them, do not fit in one.

    Examples
    --------
    >>> [round(x, 3) for x in refusals_with(np.eye(2), np.eye(2), 0.25)]
    [1.414, 1.414]
    """
    true, rows = np.array(targets, dtype=object), np.array(learned, dtype=object)
    if true.ndim != 2 or true.shape != rows.shape:
        raise ValueError(f"learned: expected shape {true.shape}, got shape {rows.shape}")
    with mp.workdps(_DIGITS):
        e = precise("epsilon", epsilon)
        if not 0 < e < 0.5:
            raise ValueError(f"epsilon: expected a number in (0, 1/2), got {epsilon!r}")
        true, rows = (np.vectorize(mp.mpmathify, otypes=[object])(x) for x in (true, rows))
        found: list[float] = []
        basis: list[Any] = []
        for target, row in zip(true, rows, strict=True):
            outside, new = target, row
            for b in basis:
                outside, new = outside - b * b.dot(outside), new - b * b.dot(new)
            found.append(float(mp.sqrt(outside.dot(outside)) / mp.sin(mp.pi * e)))
            basis.append(new / mp.sqrt(new.dot(new)))
        return found


@checked
def refusals(targets: Any, epsilon: Real, epsilon_acc: Real) -> list[float]:
    r"""How far each target is from what `algo-one` has learned when every error has a direction of its own.

    Parameters
    ----------
    targets : array_like, shape (N, k), real or mpmath numbers
        Unit rows, in the order of the stream.
    epsilon, epsilon_acc : float or mpmath number
        As in `doubling_family`.

    Returns
    -------
    list of float, length N
        Sine of the angle to the span of the features over the sine of :math:`\pi\epsilon`. The target is refused,
        and opens a feature, where this is above 1.

    Raises
    ------
    ValueError
        If `targets` is no matrix or the errors are out of range.

    Notes
    -----
    For `thm-halfspaces-volume` and `thm-halfspaces-exact`. With features :math:`\cos\eta\,a_i+\sin\eta\,f_i` and fresh
    orthonormal :math:`f_i` the square of the sine is :math:`a^\top(I+M/\tan^2\eta)^{-1}a`, where
    :math:`M=\sum a_ia_i^\top` over the opened targets: a computation in k dimensions, here in 200 digits. So `algo-one`
    is written once more here: its features would need a dimension each, and its doubles do not hold these targets.

    Examples
    --------
    >>> [round(x, 3) for x in refusals(np.eye(2)[[0, 0, 1]], 0.1, 0.01)]
    [3.236, 0.102, 3.236]
    """
    rows = np.asarray(targets)
    if rows.ndim != 2 or not rows.size:
        raise ValueError(f"targets: expected shape (N, k), got shape {rows.shape}")
    with mp.workdps(_DIGITS):
        k, e, a = _family_arguments(rows.shape[1], epsilon, epsilon_acc, 1)
        limit, tau = mp.sin(mp.pi * e), mp.tan(mp.pi * a) ** 2
        system, found = tau * mp.eye(k), []
        for row in rows:
            v = mp.matrix([mp.mpf(x) for x in row])
            sine = mp.sqrt(tau * (v.T * mp.lu_solve(system, v))[0])
            found.append(float(sine / limit))
            if sine > limit:
                system += v * v.T
        return found


@checked
def chain_stream(k: int, epsilon: float, epsilon_acc: float, *, hair: float = 0.01) -> tuple[FloatArray, float]:
    r"""Targets on which errors compound, and the last of which no hypothesis in the learned span fits.

    Parameters
    ----------
    k : int
        Dimension of the common subspace, 2 to 14.
    epsilon, epsilon_acc : float
        Errors allowed a task and reached from scratch; together at most 1/2.
    hair : float, default 0.01
        Share of `epsilon_acc` by which the learned vectors are farther apart than they must be.

    Returns
    -------
    targets : float64, shape (k + 1, k + 1)
        Unit rows in the order of the stream; the last coordinate is 0, so they span k dimensions. The last one is as
        far from the span of the k learned vectors as any can be.
    accuracy : float
        The error from scratch at which this happens: `epsilon_acc`, or less where less suffices for a right angle
        but for 5e-5 radians, which leave the first k targets independent.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The refutation of `thm-halfspaces`: `chain` with the separation a hair above
    :math:`\pi\epsilon + \pi\epsilon_{acc}`, turned so that every error points along the last axis
    (`oracles.Exact` with the direction "common").

    Examples
    --------
    >>> targets, accuracy = chain_stream(10, 0.1, 0.01 / (100 * np.pi))
    >>> targets.shape, accuracy <= 0.01 / (100 * np.pi)
    ((11, 11), True)
    """
    k = integer("k", k, least=2, most=14)
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
    a = number("epsilon_acc", epsilon_acc, low=0.0, high=0.5 - e, open_low=True, open_high=True)
    wider = number("hair", hair, low=0.0, high=1.0, open_low=True)
    rows = chain(k, min(np.pi / 2, np.pi * e + (1 + wider) * np.pi * a))
    sign = np.where(np.arange(k) == 0, 1.0, -1.0)
    dual = np.linalg.solve(rows, sign)  # dual . rows[i] = sign[i]: the direction in which errors add up
    sine = min(np.sin(np.pi * a), (1 - 1e-9) / np.linalg.norm(dual))
    normal = np.append(sine * dual, np.sqrt(max(0.0, 1 - sine**2 * (dual @ dual))))
    learned = sign[:, None] * np.hstack([rows, np.zeros((k, 1))])
    axis = np.eye(k + 1)[k]
    true = np.vstack([learned - np.outer(learned @ normal, normal), axis - (axis @ normal) * normal])
    mirror = normal - axis
    if mirror.any():  # carries the normal of the common subspace to the last axis
        true -= 2 * np.outer(true @ mirror, mirror) / (mirror @ mirror)
    true[:, -1] = 0.0
    targets: FloatArray = true / np.linalg.norm(true, axis=1, keepdims=True)
    return targets, float(np.arcsin(sine) / np.pi)


@checked
def planted_two_levels(
    law: Law, k: int, r: int, tau: int, m: int, *, rng: RNGLike = None
) -> tuple[FloatArray, NDArray[np.int64], list[HalfspaceTask]]:
    """Halfspace tasks of r kinds, each kind a random tau-dimensional subspace of one random k-dimensional space.

    Parameters
    ----------
    law : Law
        Marginal of the examples, in R^n.
    k, r, tau, m : int
        Dimension of the common space, number of kinds, their dimension, 1 <= tau <= k <= n, and number of tasks.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    subspaces : float64, shape (r, tau, n)
        Rows that span each kind.
    kinds : int64, shape (m,)
        The kind of each task.
    tasks : list of HalfspaceTask
        Each with a random stream of its own.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The setting of `thm-two-levels`, with targets exactly in their subspaces.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> subspaces, kinds, tasks = planted_two_levels(Gaussian(10), 4, 3, 2, 5, rng=0)
    >>> subspaces.shape, kinds.shape, len(tasks)
    ((3, 2, 10), (5,), 5)
    """
    instance("law", law, Law)
    k = integer("k", k, least=1, most=law.n)
    r, tau, m = integer("r", r, least=1), integer("tau", tau, least=1, most=k), integer("m", m, least=0)
    rng = random_generator(rng)
    frame = np.linalg.qr(rng.standard_normal((law.n, k)))[0].T
    subspaces = np.swapaxes(np.linalg.qr(rng.standard_normal((r, k, tau)))[0], -1, -2) @ frame
    kinds = rng.integers(r, size=m)
    targets = np.einsum("mt,mtn->mn", _unit_rows((m, tau), rng), subspaces[kinds])
    return subspaces, kinds, [HalfspaceTask(t, law, rng=child) for t, child in zip(targets, rng.spawn(m), strict=True)]


def _leaning(separations: Any, size: int) -> Any:
    """Targets that lean on each other, each apart from those before by the angle given; then the last axis they use."""
    rows = np.full((len(separations) + 2, size), mp.mpf(0), dtype=object)
    rows[0, 0] = mp.mpf(1)
    for j, angle in enumerate(separations, start=1):
        rows[j, j - 1], rows[j, j] = -mp.cos(angle), (-1 if j == 1 else 1) * mp.sin(angle)
    rows[-1, len(separations)] = mp.mpf(1)
    return rows


@checked
def hidden_direction(k: int, error: float) -> Perturbation:
    r"""Orthonormal targets whose estimates all lean the same way: the worst for `prop-exactly-k`.

    Parameters
    ----------
    k : int
        Number of targets, at least 1.
    error : float
        Angle of each estimate to its target, :math:`\sqrt k\sin(error)<1`, at least 0 and below pi/2.

    Returns
    -------
    Perturbation
        `true`, shape (k, k + 1), orthonormal rows, and `learned`, unit rows whose last coordinate is 0. The sum of the
        targets is at the sine :math:`\sqrt k\sin(error)` from the span of the estimates.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    With the sign of the last coordinate turned the same estimates are those of another space: who sees nothing else
    cannot tell the two apart.

    Examples
    --------
    >>> true, learned = hidden_direction(4, 0.1)
    >>> bool(np.allclose(true @ true.T, np.eye(4))), np.round(np.arccos((true * learned).sum(axis=1)), 6)
    (True, array([0.1, 0.1, 0.1, 0.1]))
    """
    k = integer("k", k, least=1)
    turn = number("error", error, low=0.0, high=np.pi / 2, open_high=True)
    if np.sqrt(k) * np.sin(turn) >= 1:
        raise ValueError(f"error: expected sqrt(k) sin(error) < 1, got {np.sqrt(k) * np.sin(turn):g}")
    tilt = np.tan(turn) ** 2  # the estimates must have the inner products -tilt for the targets to be orthogonal
    middle = np.full((k, k), 1 / k)
    flat = np.sqrt(1 + tilt) * (np.eye(k) - middle) + np.sqrt(1 - (k - 1) * tilt) * middle
    learned = np.hstack([flat, np.zeros((k, 1))])
    return Perturbation(np.cos(turn) * learned + np.sin(turn) * np.eye(k + 1)[-1], learned)


@checked
def hidden_blocks(blocks: int, size: int, error: float) -> tuple[FloatArray, FloatArray]:
    """Copies of `hidden_direction` in orthogonal spaces, then the sum of each, for `prop-exactly-k`.

    Parameters
    ----------
    blocks, size : int
        Number of copies, and targets in each, both at least 1.
    error : float
        As in `hidden_direction`.

    Returns
    -------
    targets : float64, shape (blocks * size + blocks, blocks * (size + 1))
        First all orthonormal ones, then a sum for each copy, all of them unit rows.
    learned : float64, the same shape
        An estimate of each at the angle `error`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> targets, learned = hidden_blocks(3, 4, 0.1)
    >>> targets.shape, int(np.linalg.matrix_rank(targets))
    ((15, 15), 12)
    """
    blocks, size = integer("blocks", blocks, least=1), integer("size", size, least=1)
    true, flat = hidden_direction(size, error)
    total = true.sum(axis=0) / np.sqrt(size)
    estimate = np.cos(error) * total + np.sin(error) * _orthogonal(np.eye(size + 1)[-1], total)
    eye = np.eye(blocks)
    targets = np.vstack([np.kron(eye, true), np.kron(eye, total[None])])
    return targets, np.vstack([np.kron(eye, flat), np.kron(eye, estimate[None])])


class Answered(NamedTuple):
    """A stream of tasks with the answer that the learner gets for each one that it has to learn.

    Parameters
    ----------
    targets, learned : shape (m, n)
        Rows of any length; only directions count.
    kinds : int64, shape (m,)
        Which of the small subspaces each target lies in.

    Notes
    -----
    For `thm-two-levels`.

    Examples
    --------
    >>> Answered(np.eye(2), np.eye(2), np.arange(2)).kinds
    array([0, 1])
    """

    targets: Any
    learned: Any
    kinds: NDArray[np.int64]


@checked
def leaning_first_level(k: int, tau: int, square: Real, epsilon: Real = None) -> tuple[Answered, Any, Any, Any]:
    r"""A stream in k dimensions that opens k + 1 features of the first level, in fractions (`thm-two-levels`).

    Parameters
    ----------
    k, tau : int
        Dimension of the common space, at least 3, and of each subspace, 1 <= tau <= k - 2.
    square : Fraction or int
        The constant :math:`c^2` in the printed accuracies, in (0, 1].
    epsilon : Fraction, optional
        Error allowed a task, in (0, square / (9 k^2)]; the largest of these unless given.

    Returns
    -------
    stream : Answered
        Fractions, shape (k + 1, k + 1); the errors point along the last axis.
    epsilon, epsilon_acc_second, epsilon_acc_first : Fraction
        The last two are :math:`c^2\epsilon^2/\tau` and :math:`c^2\tilde\epsilon_{acc}^2/k`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> stream, *accuracies = leaning_first_level(3, 1, Fraction(1, 10), Fraction(1, 1000))
    >>> [[f"{float(x):.3g}" for x in row] for row in stream.learned[1:3]]
    [['1', '0.004', '0', '-1e-15'], ['0', '1', '1.2e-06', '1e-15']]
    """
    k = integer("k", k, least=3)
    tau = integer("tau", tau, least=1, most=k - 2)
    c2 = Fraction(square)
    if not 0 < c2 <= 1:
        raise ValueError(f"square: expected a number in (0, 1], got {float(c2):g}")
    largest = c2 / (9 * k * k)
    e = largest if epsilon is None else Fraction(epsilon)
    if not 0 < e <= largest:
        raise ValueError(f"epsilon: expected a number in (0, square / (9 k^2)], got {float(e):g}")
    second = c2 * e * e / tau
    first = c2 * second * second / k
    d = 3 * first
    targets = np.array([[Fraction(int(i == j)) for j in range(k + 1)] for i in (*range(3, k), 0, 0, 1, 2)])
    targets[-3, 1], targets[-2, 2], targets[-2, 3:k] = 4 * e, 4 * k * second, Fraction(1)
    learned = targets.copy()
    learned[-4:, k] = [d, -d, d, Fraction(0)]
    return Answered(targets, learned, np.arange(k + 1)), e, second, first


@checked
def leaning_second_level(tau: int, square: float) -> tuple[Answered, float, float]:
    r"""A stream with one tau-dimensional space that opens tau + 1 features of the second level (`thm-two-levels`).

    Parameters
    ----------
    tau : int
        Dimension of each subspace, at least 3.
    square : float
        The constant :math:`c^2` in the printed accuracy, in (0, 1].

    Returns
    -------
    stream : Answered
        In tau + 4 spaces inside one of :math:`(\tau+1)^2+\tau-1` dimensions. The tasks of the last space come last; all
        others are answered exactly.
    epsilon, epsilon_acc_second : float
        :math:`c^2/(10\tau^3)` and :math:`c^2\epsilon^2/\tau`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The other spaces make the first level as large as the common space, and hide the last space from every tau of
    the features: whoever wants one of its axes needs tau + 1 of them.

    Examples
    --------
    >>> stream, epsilon, second = leaning_second_level(3, 0.1)
    >>> stream.targets.shape, np.bincount(stream.kinds)
    ((22, 18), array([3, 3, 3, 3, 3, 3, 4]))
    """
    tau = integer("tau", tau, least=3)
    c2 = number("square", square, low=0.0, high=1.0, open_low=True)
    epsilon = c2 / (10 * tau**3)
    second = c2 * epsilon**2 / tau
    p, d = 4 * np.sqrt(tau) * epsilon, 3 * second
    blocks = tau + 1
    rest, k = blocks * tau, blocks**2 + tau - 1
    axes = np.eye(k)
    hidden, extra = axes[rest : rest + blocks], axes[rest + blocks :]  # the last space with the direction of errors
    mixed = (axes[:rest].reshape(blocks, tau, k).sum(axis=1) / np.sqrt(tau) + hidden) / np.sqrt(2)
    e1, e2, e3, f = hidden[0], hidden[1], hidden[2], hidden[-1]
    last = np.vstack([hidden[3:-1], e1, e1 + p * e2, e2 + p * e3, e3])
    targets = np.vstack([axes[:rest], mixed[:-1], mixed[-1], extra, last])
    learned = targets.copy()
    learned[-4:] += np.outer([d, -d, d, 0.0], f)
    kinds = np.repeat(np.arange(tau + 4), [tau] * (tau + 3) + [tau + 1])
    return Answered(targets, learned, kinds), epsilon, second


@checked
def crowded_subspace(tau: int, epsilon: Real, epsilon_acc_second: Real, *, rng: RNGLike = None) -> Any:
    r"""A stream on which one of two subspaces opens more than tau features of the second level (`thm-two-levels`).

    Parameters
    ----------
    tau : int
        Dimension of both subspaces, at least 3.
    epsilon, epsilon_acc_second : float or mpmath number
        Errors allowed a task and reached by a combination of the first level.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the other subspace.

    Returns
    -------
    object array of mpmath numbers, shape (2 tau + 1, tau + 1)
        First tau random targets, which span the other subspace. Then tau + 1 targets of the space of the first tau
        axes, each leaning on the one before, whose separation :math:`g` is such that an error
        :math:`\eta=\pi\tilde\epsilon_{acc}` grows to :math:`\eta/g^{\tau-1}=2\pi\epsilon`.

    Raises
    ------
    ValueError
        If `tau` < 3 or the accuracies are out of range.

    Notes
    -----
    For errors along the last axis. The separation is never below 1.1 pi epsilon, so for a large epsilon the error
    grows less, and the last target is accepted. Combinations that use targets of both subspaces spoil it in some
    draws, and in a vanishing part of them as epsilon falls.

    Examples
    --------
    >>> rows = crowded_subspace(3, 1e-4, 1e-9 / 3, rng=1)
    >>> rows.shape, max(abs(rows[3:, -1])) == 0
    ((7, 4), True)
    """
    tau, e, a = _family_arguments(integer("tau", tau, least=3), epsilon, epsilon_acc_second, 3)
    with mp.workdps(_DIGITS):
        g = (a / (2 * e)) ** (mp.mpf(1) / (tau - 1))
        g = max(g, mp.pi * e * mp.mpf("1.1"))
        other = _unit_rows((tau, tau + 1), random_generator(rng))
        first = np.array([[mp.mpf(x) for x in row] for row in other])
        first = np.array([row / mp.sqrt(row @ row) for row in first])
        return np.vstack([first, _leaning([g] * (tau - 1), tau + 1)])


@checked
def crowded_first_level(k: int, tau: int, epsilon: Real, epsilon_acc_second: Real) -> Any:
    """A stream in k dimensions that opens k + 1 features of the first level (`thm-two-levels`).

    Parameters
    ----------
    k, tau : int
        Dimension of the common space, at least 3, and of each subspace, 1 <= tau < k.
    epsilon, epsilon_acc_second : float or mpmath number
        Errors allowed a task and reached by a combination of the first level.

    Returns
    -------
    object array of mpmath numbers, shape (k + 1, k + 1)
        Unit rows whose last coordinate is 0. The first tau + 1 are a hair more than pi epsilon apart, each from the
        span of those before; the later ones come closer to that span, to a hair above pi `epsilon_acc_second`,
        but to no tau of them.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    For errors along the last axis, at the printed accuracies and a small epsilon; for tau = k - 1 only from k = 4 on.
    Each tau of the targets, or each one, may be given a subspace of its own.

    Examples
    --------
    >>> rows = crowded_first_level(3, 1, 1e-3, 1e-7)
    >>> rows.shape, max(abs(rows[:, -1])) == 0
    ((4, 4), True)
    """
    k, e, a = _family_arguments(k, epsilon, epsilon_acc_second, 3)
    tau = integer("tau", tau, least=1, most=k - 1)
    with mp.workdps(_DIGITS):
        hair = mp.pi * mp.mpf("1.1")
        return _leaning([hair * (e if j <= tau else a) for j in range(1, k)], k + 1)
