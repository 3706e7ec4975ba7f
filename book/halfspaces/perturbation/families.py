"""Random, tight and extremal instances of Lemmas 2 and 3; every vector is a row."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, RNGLike, integer, number, random_generator, real_array, same_shape
from lifelong.halfspaces.instances import Perturbation, chains
from lifelong_book.halfspaces.perturbation.limits import unit_rows


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
    """Turn each unit vector by a given angle in a random direction."""
    rows = unit_rows("vectors", real_array("vectors", vectors))
    if rows.shape[-1] < 2:
        raise ValueError(f"vectors: expected dimension n >= 2, got shape {rows.shape}")
    turn = real_array("angles", angles, axes=0, empty=True)
    same_shape(vectors=rows.shape[:-1], angles=turn.shape)
    side = _orthogonal(random_generator(rng).standard_normal(rows.shape), rows)
    turned: FloatArray = np.cos(turn)[..., None] * rows + np.sin(turn)[..., None] * side
    return turned


def replaced_vector(
    count: int, n: int, k: int, *, rng: RNGLike = None, log_error: float = -5.0, log_separation: float = -3.0
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Random instances of `lem-one-vec`: a subspace U, a vector b and its estimate."""
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
    """Instances of `lem-one-vec` in R^3 with two given angles, where the sine form is an equality."""
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


def separated_rows(count: int, n: int, k: int, separation: ArrayLike, *, rng: RNGLike = None) -> FloatArray:
    """Unit rows, each at exactly the given angle from the span of the rows before it."""
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


def extremal_spans(k: int, separation: ArrayLike, share: ArrayLike) -> Perturbation:
    """Extremal chains with their worst targets, many at a time."""
    k = integer("k", k, least=1)
    gamma, x = real_array("separation", separation), real_array("share", share)
    if same_shape(separation=gamma.shape, share=x.shape) != gamma.shape or gamma.ndim != 1:
        raise ValueError(f"share: expected one for each separation, got shapes {gamma.shape} and {x.shape}")
    if (gamma <= 0).any() or (gamma > np.pi / 2).any():
        raise ValueError(f"separation: expected angles in (0, pi/2] radians, got {gamma.min():g} to {gamma.max():g}")
    if (x < 0).any() or (x >= 1).any():
        raise ValueError(f"share: expected numbers in [0, 1), got {x.min():g} to {x.max():g}")
    rows, worst = chains(k, gamma)
    learned = np.concatenate([rows, np.zeros((len(rows), k, 1))], axis=-1)
    normal = np.concatenate([x[:, None] * worst, np.sqrt(1 - x**2)[:, None]], axis=-1)
    true = learned - (learned @ normal[..., None]) * normal[:, None, :]
    return Perturbation(true / np.linalg.norm(true, axis=-1, keepdims=True), learned)


def lifted_simplex(k: int, height: float) -> FloatArray:
    """The k corners of a regular simplex, all lifted by one height out of their hyperplane."""
    k = integer("k", k, least=2)
    h = number("height", height, low=0.0, high=1.0, open_low=True)
    corners = np.eye(k) - 1 / k
    corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    rows: FloatArray = np.sqrt(1 - h**2) * corners + h / np.sqrt(k)
    return rows


def worst_targets(learned: ArrayLike, error: float) -> Perturbation:
    """The true vectors within an angle of k <= 14 learned ones whose span is farthest (`prop-subspace-exact`)."""
    rows = np.asarray(learned, dtype=np.float64)
    signs = np.array([(1, *rest) for rest in product((1, -1), repeat=len(rows) - 1)], dtype=np.float64)
    duals = signs @ np.linalg.pinv(rows).T  # duals[s] . learned[i] = signs[s, i]
    lengths = np.linalg.norm(duals, axis=1)
    best = lengths.argmax()
    worst, reach = duals[best] / lengths[best], np.sin(error) * lengths[best]
    if abs(reach - 1) < 1e-6:  # at 1 the true vectors would lose a dimension
        reach = 1 - 1e-6
    padded = np.hstack([rows, np.zeros((len(rows), 1))])
    if reach < 1:
        normal = np.append(reach * worst, np.sqrt(1 - reach**2))
        true = padded - np.outer(padded @ normal, normal)
    else:
        along = rows @ worst
        up = np.sqrt((1 - along**2) * np.maximum(np.sin(error) ** 2 - along**2, 0)) / np.cos(error)
        true = np.column_stack([rows - np.outer(along, worst), signs[best] * up])
    return Perturbation(true / np.linalg.norm(true, axis=1, keepdims=True), padded)
