"""Other ways to learn tasks that share a subspace: alone, together with a trace norm, with an online dictionary.

The peers of Section 3. They get arrays of labelled examples, one block a task, and return one normal vector a task.
"""

from collections.abc import Iterable
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, integer, number, real_array, same_size
from lifelong.halfspaces.angles import unit
from lifelong.halfspaces.learners import Learner, logistic, logistic_halfspace
from lifelong.halfspaces.tasks import SignTask
from lifelong_book.press.extras import needs


def task_blocks(tasks: Iterable[SignTask], size: int) -> tuple[FloatArray, FloatArray]:
    """Equally many labelled examples of every task, as the methods beside Algorithm 1 take them."""
    integer("size", size, least=1)
    known = list(tasks)
    if not known:
        raise ValueError("tasks: expected at least one task, got none")
    for task in known:
        same_size("task", task.n, known[0].n, "the first task")
    drawn = [task.examples(size) for task in known]
    return np.array([X for X, _ in drawn]), np.array([y for _, y in drawn], dtype=np.float64)


def _blocks(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Examples (m, size, n) and labels (m, size), checked."""
    blocks, labels = real_array("X", X, axes=3), real_array("y", y)
    if blocks.ndim != 3:
        raise ValueError(f"X: expected shape (m, size, n), got shape {blocks.shape}")
    if labels.shape != blocks.shape[:2] or not (np.abs(labels) == 1).all():
        raise ValueError(f"y: expected labels -1 or 1 of shape {blocks.shape[:2]}, got shape {labels.shape}")
    return blocks, labels


def independent_halfspaces(X: ArrayLike, y: ArrayLike, *, learner: Learner = logistic_halfspace) -> FloatArray:
    """The method without sharing: every task on its own labels only."""
    blocks, labels = _blocks(X, y)
    return np.array([learner(rows, signs) for rows, signs in zip(blocks, labels, strict=True)])


def alone(X: FloatArray, y: FloatArray) -> FloatArray:
    """The method without sharing, every task on its own labels only: the plain form of `independent_halfspaces`."""
    found = [logistic(X[i], y[i], C=1e4) for i in range(len(X))]
    return unit(np.array(found))


def refit(X: FloatArray, y: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    """The method that refits: alone, then within the k leading directions so far; predictors at once, and projected."""
    found: list[FloatArray] = []
    total = np.zeros((X.shape[2], X.shape[2]))
    for rows, labels in zip(X, y, strict=True):
        v = unit(logistic(rows, labels, C=1e4))
        total += np.outer(v, v)
        room = min(k, len(found) + 1)
        leading = np.linalg.eigh(total)[1][:, -room:]
        found.append(leading @ logistic(rows @ leading, labels, C=1e4))
    at_once = unit(np.array(found))
    return at_once, unit(at_once @ leading @ leading.T)


def trace_norm_objective(X: ArrayLike, y: ArrayLike, W: ArrayLike, penalty: float) -> float:
    r"""The objective of the trace norm method: mean squared hinge losses of all tasks, and a multiple of the norm."""
    blocks, labels = _blocks(X, y)
    weight = number("penalty", penalty, "(0, inf)")
    vectors = real_array("W", W, axes=2)
    if vectors.shape != (blocks.shape[0], blocks.shape[2]):
        raise ValueError(f"W: expected shape {(blocks.shape[0], blocks.shape[2])}, got {vectors.shape}")
    return float((_slack(blocks, labels, vectors) ** 2).mean(axis=1).sum() + weight * np.linalg.norm(vectors, "nuc"))


def _slack(blocks: FloatArray, labels: FloatArray, W: FloatArray) -> FloatArray:
    slack: FloatArray = np.maximum(1 - labels * (blocks @ W[:, :, None])[:, :, 0], 0.0)
    return slack


def lowered(W: FloatArray, amount: float) -> FloatArray:
    """A step of the trace norm method: a matrix with its singular values lowered, but not below zero."""
    left, values, right = np.linalg.svd(W, full_matrices=False)
    return (left * np.maximum(values - amount, 0)) @ right  # type: ignore[no-any-return]


def trace_norm(X: FloatArray, y: FloatArray, penalty: float, step: float, steps: int) -> FloatArray:
    """The trace norm method on all tasks at once: the plain form of `trace_norm_halfspaces`."""
    W = np.zeros((len(X), X.shape[2]))
    for _ in range(steps):
        slack = np.maximum(1 - y * np.einsum("ijn,in->ij", X, W), 0)
        pull = np.einsum("ij,ijn->in", slack * y, X) / y.shape[1]
        W = lowered(W + 2 * step * pull, step * penalty)
    return W


def trace_norm_halfspaces(
    X: ArrayLike,
    y: ArrayLike,
    penalty: float,
    *,
    start: ArrayLike | None = None,
    tolerance: float = 1e-4,
    most: int = 2000,
) -> FloatArray:
    """The trace norm method on all tasks together: squared hinge losses, by accelerated proximal gradient."""
    blocks, labels = _blocks(X, y)
    weight = number("penalty", penalty, "(0, inf)")
    small = number("tolerance", tolerance, "(0, 1]")
    m, size, n = blocks.shape
    W = np.zeros((m, n)) if start is None else real_array("start", start, axes=2)
    if W.shape != (m, n):
        raise ValueError(f"start: expected shape {(m, n)}, got {W.shape}")
    step = size / (2 * np.linalg.norm(blocks, 2, axis=(1, 2)).max() ** 2)
    ahead, momentum = W, 1.0
    for _ in range(integer("most", most, least=1)):
        slack = labels * _slack(blocks, labels, ahead)
        gradient = -2 / size * (slack[:, None, :] @ blocks)[:, 0]
        new = lowered(ahead - step * gradient, step * weight)
        change = new - W
        restart = ((ahead - new) * change).sum() > 0
        following = 1.0 if restart else (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new if restart else new + (momentum - 1) / following * change
        W, momentum = new, following
        if np.linalg.norm(change) <= small * np.linalg.norm(W):
            break
    return W


class OnlineDictionary:
    r"""The method with an online dictionary of k vectors: life-long learning in the spirit of ELLA."""

    def __init__(self, n: int, *, k: int, sparsity: float = 1e-4, ridge: float = 1e-6, C: float = 10.0) -> None:
        self.n, self.k = integer("n", n, least=1), integer("k", k, least=1)
        self.sparsity, self.ridge = number("sparsity", sparsity, "(0, inf)"), number("ridge", ridge, "(0, inf)")
        self.C = number("C", C, "(0, inf)")
        self.dictionary: FloatArray = np.zeros((self.n, self.k))
        self.codes: list[FloatArray] = []
        self.A = np.zeros((self.n * self.k, self.n * self.k))
        self.b = np.zeros(self.n * self.k)

    @property
    def hypotheses(self) -> FloatArray:
        """One row a task: the codes as they were found, with the dictionary as it is now."""
        return np.array(self.codes).reshape(-1, self.k) @ self.dictionary.T

    def learn(self, X: ArrayLike, y: ArrayLike) -> None:
        """Take in the next task."""
        v, D = self._alone(*self._checked(X, y))
        s = self._code(v, D)
        self.codes.append(s)
        self.A += np.kron(np.outer(s, s), D)
        self.b += np.kron(s, D @ v)
        t = len(self.codes)
        system = self.A / t + self.ridge * np.eye(self.n * self.k)
        columns = np.linalg.solve(system, self.b / t).astype(float)
        self.dictionary = columns.reshape(self.k, self.n).T

    def _checked(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Examples and labels of one task, with labels of both kinds."""
        blocks, labels = _blocks(real_array("X", X, axes=2)[None], real_array("y", y)[None])
        same_size("X", blocks.shape[2], self.n, "the dictionary")
        if len(np.unique(labels)) < 2:
            raise ValueError(f"y: expected labels of both kinds, got {labels[0, 0]:g} only")
        return blocks[0], labels[0]

    def _alone(self, X: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Vector of one task, and half the Hessian of its mean loss there, regulariser included."""
        v = logistic(X, y, self.C)
        p = 1 / (1 + np.exp(-X @ v))
        D = (X.T * (p * (1 - p))) @ X / (2 * len(X))
        return v, D + np.eye(self.n) / (2 * self.C * len(X))

    def _code(self, v: FloatArray, D: FloatArray) -> FloatArray:
        """Sparse code of a vector over the dictionary; a unit vector while the dictionary is not full."""
        if len(self.codes) < self.k:  # the first k open a column
            return np.asarray(np.eye(self.k)[len(self.codes)])
        root = np.linalg.cholesky(D).T  # |a|_D is the length of root a
        penalty = self.sparsity / (2 * self.n)
        return _lasso(root @ self.dictionary, root @ v, penalty)


def _lasso(X: FloatArray, y: FloatArray, penalty: float) -> FloatArray:
    """Sparse least squares: the s with the least |y - X s|^2 / (2 N) + penalty * sum of |s_j|."""
    with needs("scikit-learn", extra="learners"):
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import Lasso

    model = Lasso(alpha=penalty, fit_intercept=False, max_iter=10_000)
    with catch_warnings():  # columns that are nearly dependent make it slow, and the rest of the way matters little
        simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    return np.asarray(model.coef_, dtype=np.float64)
