"""The definitions of Sections 2 and 3, as short as they can be written; `lifelong` has them with checks, and fast."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.linalg import norm, svd

from lifelong._checks import FloatArray


def unit(v: Any) -> FloatArray:
    """In their shortest form, vectors scaled to length 1."""
    return np.asarray(v / norm(v, axis=-1, keepdims=True))


def gaussian(n: int, size: int, rng: np.random.Generator) -> FloatArray:
    """The Gaussian law in its shortest form: standard normal examples."""
    return rng.standard_normal((size, n))


def ball(n: int, size: int, rng: np.random.Generator) -> FloatArray:
    """The ball's law in its shortest form: uniform, of radius sqrt(n + 2), which makes it isotropic."""
    X = unit(rng.standard_normal((size, n)))
    radius = np.sqrt(n + 2) * rng.random((size, 1)) ** (1 / n)
    return np.asarray(radius * X)


class Task:
    """A task in its shortest form: a halfspace behind a counter, as `HalfspaceTask`."""

    def __init__(self, target: Any, law: Any, rng: Any) -> None:
        self.target, self.law = unit(target), law
        self.rng, self.labels = np.random.default_rng(rng), 0

    def examples(self, size: int) -> tuple[FloatArray, Any]:
        """Fresh ones, each with its label; all are counted."""
        X = self.law.sample(size, rng=self.rng)
        self.labels += size
        return X, np.where(X @ self.target >= 0, 1, -1)

    def error(self, w: Any, size: int = 20_000) -> float:
        """For the reader: no learner calls it, nobody pays."""
        X = self.law.sample(size, rng=2015)
        return float(np.mean((X @ w >= 0) != (X @ self.target >= 0)))


def angle(u: Any, v: Any) -> Any:
    """The angle between vectors in its shortest form, in all digits at every size."""
    u, v = unit(u), unit(v)
    return 2 * np.arctan2(norm(u - v, axis=-1), norm(u + v, axis=-1))


def basis(U: Any) -> FloatArray:
    """A basis in its shortest form: orthonormal rows that span what the rows of U span."""
    _, sizes, rows = svd(unit(np.array(U, float)), full_matrices=False)
    return np.asarray(rows[sizes > 1e-14])


def theta(U: Any, V: Any) -> Any:
    """The angle in its shortest form from the span of the rows of U to that of the rows of V."""
    P = basis(U)
    Q = basis(V) if len(V) else np.empty((0, P.shape[1]))
    if len(P) > len(Q):
        return np.pi / 2
    sine = norm(P - P @ Q.T @ Q, 2)  # exact where it is small
    cosine = svd(P @ Q.T, compute_uv=False).min()
    return np.arctan2(sine, cosine)


def separated(A: Any, gamma: float) -> bool:
    """The definition in its shortest form: whether each row is more than gamma from the span of those before."""
    away = [theta([A[i]], A[:i]) for i in range(len(A))]
    return all(x > gamma for x in away)


def effective_dimension(A: Any, gamma: float) -> int:
    """The definition in its shortest form: the size of the largest separated subsequence, all tried."""
    for size in range(len(A), 0, -1):
        for rows in combinations(A, size):
            if separated(np.array(rows), gamma):
                return size
    return 0


def greedy_dimension(A: Any, gamma: float) -> int:
    """The greedy dimension in its shortest form: how many rows are kept, each separated from those kept."""
    kept: list[Any] = []
    for row in A:
        if theta([row], kept) > gamma:
            kept.append(row)
    return len(kept)
