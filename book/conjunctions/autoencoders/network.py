"""Metafeatures as a network of threshold units, and without the ink that others explain (Section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, bool_array, same_dimension
from lifelong.conjunctions.autoencoder import lie_inside, unions


def shrink(metafeatures: ArrayLike, targets: ArrayLike) -> BoolArray:
    """Take from each metafeature the ink that others already explain, in every target that contains it."""
    M, TS = bool_array("metafeatures", metafeatures, axes=2), bool_array("targets", targets, axes=2)
    same_dimension("metafeatures", M, TS.shape[1], "targets")
    inside = lie_inside(M, TS)
    if not np.array_equal(unions(inside, M), TS):
        raise ValueError("targets: expected unions of the metafeatures, got one that is not represented")
    rows, covers = M.copy(), inside.astype(np.int64) @ M.astype(np.int64)
    for j in np.argsort(M.sum(axis=1), kind="stable"):
        spare = rows[j] & (covers[inside[:, j]] >= 2).all(axis=0)
        rows[j] &= ~spare
        covers[np.ix_(inside[:, j], spare)] -= 1
    return rows


@dataclass(frozen=True, eq=False)
class ThresholdNetwork:
    """Two layers of threshold units: a unit fires where weights . input + bias > 0."""

    hidden_weights: FloatArray
    hidden_bias: FloatArray
    output_weights: FloatArray
    output_bias: FloatArray

    def hidden(self, images: ArrayLike) -> BoolArray:
        """Activity of the hidden units."""
        X = bool_array("images", images, axes=2)
        same_dimension("images", X, self.hidden_weights.shape[1], "the network")
        active: BoolArray = X @ self.hidden_weights.T + self.hidden_bias > 0
        return active

    def __call__(self, images: ArrayLike) -> BoolArray:
        """Activity of the output units."""
        active: BoolArray = self.hidden(images) @ self.output_weights.T + self.output_bias > 0
        return active


def threshold_network(metafeatures: ArrayLike) -> ThresholdNetwork:
    """The two-layer autoencoder of some metafeatures: AND units, then OR units."""
    M = bool_array("metafeatures", metafeatures, axes=2)
    weights = M.astype(np.float64)
    return ThresholdNetwork(weights, 0.5 - weights.sum(axis=1), weights.T.copy(), np.full(M.shape[1], -0.5))
