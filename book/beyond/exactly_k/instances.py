"""Answers to perpendicular targets whose errors have something in common; every vector is a row."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray
from lifelong.halfspaces.angles import angle_to_subspace

Rows = FloatArray


def sum_error(k: int, acc: Any) -> Any:
    r"""Error of the best hypothesis for the sum of k orthonormal targets whose answers lean alike: `prop-exactly-k`."""
    return np.arctan(np.sqrt(k) * np.tan(np.pi * acc)) / np.pi


def accuracy_for(k: int, epsilon: float) -> Any:
    r"""The coarsest accuracy at which k orthonormal tasks always serve their span: `prop-exactly-k`."""
    # the root of sqrt(k) sin(pi acc) = sin(pi epsilon)
    return np.arcsin(np.sin(np.pi * epsilon) / np.sqrt(k)) / np.pi


def later_most(k: int, epsilon: float, acc: Any) -> Any:
    r"""What the features added after k orthonormal targets of a k-space stay below: `prop-exactly-k`."""
    share = (np.sin(np.pi * acc) / np.sin(np.pi * epsilon)) ** 2
    return k * share / (1 - share)


def hadamard(k: int) -> Rows:
    """Orthonormal targets of equal numbers up to signs, the first without: `prop-exactly-k`; k a power of two."""
    H: Any = np.ones((1, 1))
    while len(H) < k:
        H = np.kron([[1, 1], [1, -1]], H)
    return H / np.sqrt(len(H))  # type: ignore[no-any-return]


def leaning_one_way(k: int, eta: float, signs: ArrayLike = 1.0) -> Rows:
    """Answers to k of k + 1 axes, each turned by eta towards the last or away from it: `prop-exactly-k`."""
    f = np.ones((k, 1)) * np.reshape(signs, (-1, 1))
    return np.hstack([np.cos(eta) * np.eye(k), np.sin(eta) * f])


def features(targets: Rows, answers: Rows, epsilon: float) -> list[int]:
    """About exactly k: which tasks Algorithm 1 learns from scratch, k or a few more, answers given; Gaussian."""
    kept: list[int] = []
    for i, a in enumerate(targets):
        # 1: is the target near enough to what was learned?
        if angle_to_subspace(a, answers[kept]) > np.pi * epsilon:
            kept.append(i)  # 2: if not, learn it
    return kept


def hidden_direction(k: int, eta: float) -> tuple[Rows, Rows]:
    r"""Orthonormal targets, and answers that do not tell to which side they lean: `prop-exactly-k`."""
    T = np.tan(eta) ** 2
    gram = (1 + T) * np.eye(k) - T  # inner products of the answers
    square = np.linalg.cholesky(gram)  # rows with these products
    answers = np.hstack([square, np.zeros((k, 1))])
    f = np.eye(k + 1)[-1]
    return np.cos(eta) * answers + np.sin(eta) * f, answers


def hidden_blocks(blocks: int, size: int, eta: float) -> tuple[Rows, Rows]:
    """Copies of `hidden_direction` in perpendicular spaces, then the sum of each: `prop-exactly-k`."""
    targets, answers = hidden_direction(size, eta)
    total = targets.sum(axis=0) / np.sqrt(size)
    side = np.eye(size + 1)[-1] - total[-1] * total
    side *= np.tan(eta) / np.linalg.norm(side)
    I, new = np.eye(blocks), (total + side) * np.cos(eta)
    targets = np.vstack([np.kron(I, targets), np.kron(I, total)])
    return targets, np.vstack([np.kron(I, answers), np.kron(I, new)])
