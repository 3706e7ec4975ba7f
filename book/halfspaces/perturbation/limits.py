"""Bounds of Lemmas 2 and 3 that are not the paper's: in sines, and for estimates that are known (radians)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, integer, real_array, same_shape


def unit_rows(name: str, array: FloatArray) -> FloatArray:
    """Return `array` unless one of its vectors (last axis) has another length than 1."""
    lengths = np.linalg.norm(array, axis=-1)
    if not np.allclose(lengths, 1.0, rtol=0, atol=1e-9):
        far = lengths.ravel()[np.abs(lengths - 1).argmax()]
        raise ValueError(f"{name}: expected unit vectors, got length {far:g}")
    return array


def _angles(name: str, value: ArrayLike, high: float) -> FloatArray:
    array = real_array(name, value, axes=0)
    if (array < 0).any() or (array > high).any():
        given = f"{array.min():g} to {array.max():g}"
        raise ValueError(f"{name}: expected angles in [0, {high:g}] radians, got {given}")
    return array


def scalar_gap(alpha: ArrayLike, beta: ArrayLike) -> Any:
    r"""Right side minus left side of the scalar inequality behind `lem-one-vec`."""
    a, b = _angles("alpha", alpha, np.pi / 2), _angles("beta", beta, np.pi / 2)
    same_shape(alpha=a.shape, beta=b.shape)
    return np.pi / 2 * np.arcsin(np.sin(a) * np.sin(b)) - a * b


def _error_and_separation(error: ArrayLike, separation: ArrayLike) -> tuple[FloatArray, FloatArray]:
    e, s = _angles("error", error, np.pi), _angles("separation", separation, np.pi / 2)
    same_shape(error=e.shape, separation=s.shape)
    return e, s


def one_vec_sine(error: ArrayLike, separation: ArrayLike) -> Any:
    r"""The sharper sine form of `lem-one-vec` (`lem-one-vec-sine`)."""
    e, s = (np.sin(angles) for angles in _error_and_separation(error, separation))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.arcsin(np.where(e < s, e / s, 1.0))[()]


def _subspace_arguments(k: Any, error: ArrayLike, separation: ArrayLike) -> tuple[int, FloatArray, FloatArray]:
    gamma = _angles("separation", separation, np.pi / 2)
    if (gamma == 0).any():
        raise ValueError("separation: expected angles in (0, pi/2] radians, got 0")
    e = _angles("error", error, np.pi / 2)
    same_shape(error=e.shape, separation=gamma.shape)
    return integer("k", k, least=1), e, gamma


def subspace_separated(k: int, error: ArrayLike, separation: ArrayLike) -> Any:
    r"""Bound when every estimate is far from the span of *all* the others (`prop-subspace-separated`)."""
    k, e, g = _subspace_arguments(k, error, separation)
    return np.arcsin(np.minimum(1.0, k * np.sin(e) / np.sin(g)))


def subspace_exact(learned: ArrayLike, error: ArrayLike) -> Any:
    r"""Largest sine of the angle of true vectors within an error of given estimates (`prop-subspace-exact`)."""
    rows = unit_rows("learned", real_array("learned", learned, axes=2))
    if rows.ndim != 2 or not 1 <= len(rows) <= 14:
        raise ValueError(f"learned: expected shape (k, n) with k from 1 to 14, got shape {rows.shape}")
    errors = _angles("error", error, np.pi / 2)
    if (errors >= np.pi / 2).any():
        raise ValueError(f"error: expected angles below pi/2, got {errors.max():g}")
    if np.linalg.matrix_rank(rows) < len(rows):
        raise ValueError(f"learned: expected independent rows, got rank {np.linalg.matrix_rank(rows)} of {len(rows)}")
    signs = 1.0 - 2.0 * (np.arange(2 ** len(rows))[:, None] >> np.arange(len(rows)) & 1)
    squares = (signs * np.linalg.solve(rows @ rows.T, signs.T).T).sum(axis=1)
    return np.minimum(1.0, np.sin(errors) * np.sqrt(squares.max()))[()]


def subspace_singular_value(k: int, error: ArrayLike, smallest: ArrayLike) -> Any:
    r"""Bound through the smallest singular value of the unit estimates (`prop-subspace-singular`)."""
    k, e, _ = _subspace_arguments(k, error, np.pi / 2)
    sigma = real_array("smallest", smallest, axes=0)
    same_shape(error=e.shape, smallest=sigma.shape)
    if (sigma <= 0).any() or (sigma > 1 + 1e-12).any():
        raise ValueError(f"smallest: expected singular values in (0, 1], got {sigma.min():g} to {sigma.max():g}")
    return np.arcsin(np.minimum(1.0, np.sqrt(k) * np.sin(e) / sigma))
