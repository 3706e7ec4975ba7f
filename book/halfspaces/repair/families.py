"""Orthonormal targets whose estimates all lean the same way; every vector is a row."""

from __future__ import annotations

import numpy as np

from lifelong._checks import FloatArray, integer, number
from lifelong.halfspaces.instances import Perturbation


def _orthogonal(v: FloatArray, to: FloatArray) -> FloatArray:
    """Unit component of each row of `v` orthogonal to the unit row of `to`."""
    v = v - (v * to).sum(axis=-1, keepdims=True) * to
    unit: FloatArray = v / np.linalg.norm(v, axis=-1, keepdims=True)
    return unit


def hidden_direction(k: int, error: float) -> Perturbation:
    r"""Orthonormal targets whose estimates all lean the same way: the worst for `prop-exactly-k`."""
    k = integer("k", k, least=1)
    turn = number("error", error, low=0.0, high=np.pi / 2, open_high=True)
    if np.sqrt(k) * np.sin(turn) >= 1:
        raise ValueError(f"error: expected sqrt(k) sin(error) < 1, got {np.sqrt(k) * np.sin(turn):g}")
    tilt = np.tan(turn) ** 2  # the estimates must have the inner products -tilt for the targets to be orthogonal
    middle = np.full((k, k), 1 / k)
    flat = np.sqrt(1 + tilt) * (np.eye(k) - middle) + np.sqrt(1 - (k - 1) * tilt) * middle
    learned = np.hstack([flat, np.zeros((k, 1))])
    return Perturbation(np.cos(turn) * learned + np.sin(turn) * np.eye(k + 1)[-1], learned)


def hidden_blocks(blocks: int, size: int, error: float) -> tuple[FloatArray, FloatArray]:
    """Copies of `hidden_direction` in orthogonal spaces, then the sum of each, for `prop-exactly-k`."""
    blocks, size = integer("blocks", blocks, least=1), integer("size", size, least=1)
    true, flat = hidden_direction(size, error)
    total = true.sum(axis=0) / np.sqrt(size)
    estimate = np.cos(error) * total + np.sin(error) * _orthogonal(np.eye(size + 1)[-1], total)
    eye = np.eye(blocks)
    targets = np.vstack([np.kron(eye, true), np.kron(eye, total[None])])
    return targets, np.vstack([np.kron(eye, flat), np.kron(eye, estimate[None])])
