"""Metafeatures as a network of threshold units, and without the ink that others explain (Section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, bool_array, same_dimension
from lifelong.conjunctions.anchor_sets import lie_inside, unions

__all__ = [
    "ThresholdNetwork",
    "shrink",
    "threshold_network",
]


def shrink(metafeatures: ArrayLike, targets: ArrayLike) -> BoolArray:
    """Take from each metafeature the ink that others already explain, in every target that contains it.

    Parameters
    ----------
    metafeatures : array_like, shape (k, n), bool
        Metafeatures that represent every target.
    targets : array_like, shape (m, n), bool

    Returns
    -------
    bool, shape (k, n)
        Row j is part of metafeature j. Each target is still the union of the rows of the metafeatures that lay inside
        it, and no pixel can be taken from any row without losing this. The smallest rows are shrunk first; in
        another order the result may be another.

    Raises
    ------
    ValueError
        If an argument is not boolean, the dimensions differ, or a target is not represented.

    Notes
    -----
    The metafeatures of `thm-sparse-auto` are too large by nature: they hold all ink that always comes along.
    What is left here need not satisfy `def-anchor-set` at the same sparsity.

    Examples
    --------
    >>> letters = np.array([[1, 1, 0, 1], [1, 0, 1, 1], [1, 0, 0, 0]], dtype=bool)
    >>> shrink(np.array([[1, 0, 0, 0], [1, 1, 0, 1], [1, 0, 1, 1]], dtype=bool), letters).astype(int)
    array([[1, 0, 0, 0],
           [0, 1, 0, 1],
           [0, 0, 1, 1]])
    """
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
    """Two layers of threshold units: a unit fires where weights . input + bias > 0.

    Parameters
    ----------
    hidden_weights : float64, shape (N, n)
    hidden_bias : float64, shape (N,)
    output_weights : float64, shape (n, N)
    output_bias : float64, shape (n,)

    Notes
    -----
    The autoencoder in front of `thm-sparse-auto`, as a network.

    Examples
    --------
    >>> network = threshold_network([[True, True, False], [False, False, True]])
    >>> network.hidden_bias, network.output_bias
    (array([-1.5, -0.5]), array([-0.5, -0.5, -0.5]))
    """

    hidden_weights: FloatArray
    hidden_bias: FloatArray
    output_weights: FloatArray
    output_bias: FloatArray

    def hidden(self, images: ArrayLike) -> BoolArray:
        """Activity of the hidden units.

        Parameters
        ----------
        images : array_like, shape (m, n), bool

        Returns
        -------
        bool, shape (m, N)

        Raises
        ------
        ValueError
            If `images` is not a boolean matrix of the network's dimension.
        """
        X = bool_array("images", images, axes=2)
        same_dimension("images", X, self.hidden_weights.shape[1], "the network")
        active: BoolArray = X @ self.hidden_weights.T + self.hidden_bias > 0
        return active

    def __call__(self, images: ArrayLike) -> BoolArray:
        """Activity of the output units.

        Parameters
        ----------
        images : array_like, shape (m, n), bool

        Returns
        -------
        bool, shape (m, n)

        Raises
        ------
        ValueError
            If `images` is not a boolean matrix of the network's dimension.
        """
        active: BoolArray = self.hidden(images) @ self.output_weights.T + self.output_bias > 0
        return active


def threshold_network(metafeatures: ArrayLike) -> ThresholdNetwork:
    """The two-layer autoencoder of some metafeatures: AND units, then OR units.

    Parameters
    ----------
    metafeatures : array_like, shape (N, n), bool

    Returns
    -------
    ThresholdNetwork
        Hidden unit j has weight 1 from each pixel of metafeature j and bias 1/2 less their number, so that it needs
        them all; an output unit has weight 1 from each metafeature that holds its pixel and bias -1/2.

    Raises
    ------
    ValueError
        If `metafeatures` is not a boolean matrix.

    Notes
    -----
    The network that reproduces a target exactly where the metafeatures represent it (`def-anchor-set`, part 1).

    Examples
    --------
    >>> network = threshold_network([[True, True, False], [False, True, True]])
    >>> network([[True, True, False], [True, False, True]]).astype(int)
    array([[1, 1, 0],
           [0, 0, 0]])
    """
    M = bool_array("metafeatures", metafeatures, axes=2)
    weights = M.astype(np.float64)
    return ThresholdNetwork(weights, 0.5 - weights.sum(axis=1), weights.T.copy(), np.full(M.shape[1], -0.5))
