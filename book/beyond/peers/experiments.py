"""The peers on the same streams, with the same labels."""

from typing import Any, Literal

import numpy as np

from lifelong._checks import FloatArray, RNGLike
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import Run, learn_stream
from lifelong_book.beyond.peers.methods import (
    OnlineDictionary,
    alone,
    refit,
    task_blocks,
    trace_norm_halfspaces,
)

#: Weights of the trace norm and inverse regularisations of the dictionary; each takes the best for its mean error.
PENALTIES = (1.0, 0.3, 0.1, 0.03)

SMOOTHNESS = (1.0, 10.0, 100.0)


def stream_tasks(
    kind: Literal["random", "rare"], n: int, k: int, m: int, *, rng: RNGLike = None
) -> list[HalfspaceTask]:
    """Gaussian tasks in a common space."""
    rng = np.random.default_rng(rng)
    basis = np.linalg.qr(rng.standard_normal((n, k)))[0].T
    codes = rng.standard_normal((m, k))
    if kind == "rare":
        codes[:-1, -1] = 0.0
        codes[-1] = np.eye(k)[-1]
    pairs = zip(codes @ basis, rng.spawn(m), strict=True)
    return [HalfspaceTask(w, Gaussian(n), rng=r) for w, r in pairs]


def best(candidates: list[FloatArray], targets: FloatArray) -> FloatArray:
    """Errors of the candidate with the least mean: a choice in favour of the method, since it sees the truth."""
    errors = [np.asarray(angle(W, targets)) / np.pi for W in candidates]
    return min(errors, key=lambda found: float(found.mean()))


def dictionary(X: FloatArray, y: FloatArray, k: int, C: float) -> FloatArray:
    """What the dictionary finds, task after task."""
    learner = OnlineDictionary(X.shape[2], k=k, C=C)
    for rows, labels in zip(X, y, strict=True):
        learner.learn(rows, labels)
    return learner.hypotheses


def compare(tasks: list[HalfspaceTask], k: int, epsilon: float) -> tuple[Run[Any], int, dict[str, FloatArray]]:
    """Each method on the same tasks; the peers get the labels of the life-long run, spread equally."""
    targets = np.array([task.target for task in tasks])
    run = learn_stream(tasks, SharedSubspace(tasks[0].n, epsilon))
    kept = np.array([step.hypothesis for step in run.steps])
    size = -(-run.counts.labels // len(tasks))
    X, y = task_blocks(tasks, size)
    W, pooled = None, []
    for penalty in PENALTIES:
        W = trace_norm_halfspaces(X, y, penalty, start=W)
        pooled.append(W)
    at_once, projected = refit(X, y, k)
    found = {
        "Algorithm 1": [kept],
        "alone": [alone(X, y)],
        "refit at once": [at_once],
        "refit": [projected],
        "trace norm": pooled,
        "dictionary": [dictionary(X, y, k, C) for C in SMOOTHNESS],
    }
    errors = {name: best(each, targets) for name, each in found.items()}
    return run, size, errors
