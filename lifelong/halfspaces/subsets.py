"""The spans of few features, which Algorithm 2 tries first: an orthonormal basis for each of them."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong.halfspaces.angles import reject, unit


class SubsetBases:
    """An orthonormal basis for the span of every tau of the vectors given so far; of all while they are fewer."""

    def __init__(self, tau: int) -> None:
        self.tau = tau
        self.vectors: FloatArray = np.empty((0, 0))
        self.supports: NDArray[np.int64] = np.empty((0, 0), dtype=np.int64)
        self.bases: FloatArray = np.empty((0, 0, 0))

    def add(self, vector: FloatArray) -> None:
        """Take in a vector; one that is longer than the earlier ones brings new coordinates."""
        r, d = self.vectors.shape
        wider = ((0, 0), (0, len(vector) - d))
        self.vectors = np.vstack([np.pad(self.vectors, wider), vector])
        if r < self.tau:
            self.supports = np.arange(r + 1)[None]
            self.bases = self._bases(self.supports)
            return
        old = np.array(list(combinations(range(r), self.tau - 1)), dtype=np.int64)
        old = old.reshape(comb(r, self.tau - 1), self.tau - 1)
        new = np.hstack([old, np.full((len(old), 1), r)])
        self.supports = np.vstack([self.supports, new])
        self.bases = np.concatenate([np.pad(self.bases, ((0, 0), *wider)), self._bases(new)])

    def _bases(self, supports: NDArray[np.int64]) -> FloatArray:
        """Orthonormal rows for each of the subsets."""
        columns = np.swapaxes(self.vectors[supports], -1, -2)
        return np.swapaxes(np.linalg.qr(columns)[0], -1, -2)

    def share(self, vector: FloatArray) -> FloatArray:
        """Squared length of the projection of a vector on the span of each subset."""
        inside = self.bases.reshape(-1, self.bases.shape[-1]) @ vector
        share: FloatArray = (inside.reshape(self.bases.shape[:2]) ** 2).sum(axis=1)
        return share


class Subsets(SubsetBases):
    """The same in R^n, in coordinates of orthonormal rows that span all vectors: the search is cheap in these."""

    def __init__(self, n: int, tau: int) -> None:
        super().__init__(tau)
        self.frame: FloatArray = np.empty((0, n))

    def add(self, vector: FloatArray) -> None:
        """Take in a vector of R^n, and let the frame span it."""
        rest = reject(vector, self.frame)
        if np.linalg.norm(rest) > 1e-14:
            self.frame = np.vstack([self.frame, unit(rest)])
            self.frame.setflags(write=False)
        super().add(self.frame @ vector)
