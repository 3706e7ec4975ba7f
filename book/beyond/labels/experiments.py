"""What a task costs from samples, alone and in a stream; and the peers on the same streams, with as many labels."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, RNGLike, number, random_generator
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.learners import Learner, NotSeparableError, logistic_halfspace
from lifelong.halfspaces.tasks import HalfspaceTask, signs
from lifelong.laws import Law, isotropic_law
from lifelong.loop import Run, learn_stream
from lifelong_book.beyond.labels.methods import (
    OnlineDictionary,
    alone,
    refit,
    task_blocks,
    trace_norm_halfspaces,
)


def scaled_errors(learner: Learner, law: Law, size: int, tasks: int, *, rng: RNGLike = None) -> FloatArray:
    """Beyond the paper, how few labels a halfspace takes: error times size / n of a learner, on random targets."""
    rng = random_generator(rng)
    errors = np.full(tasks, np.nan)
    for i in range(tasks):
        task = HalfspaceTask(rng.standard_normal(law.n), law, rng=rng)
        try:
            w = learner(*task.examples(size))
            errors[i] = task.error(w, rng=rng)
        except NotSeparableError:
            continue
    return errors * size / law.n


def sampled_errors(run: Run[Any], tasks: Sequence[HalfspaceTask], *, rng: RNGLike = None) -> FloatArray:
    """Beyond the paper, how few labels: errors of a run's hypotheses on one fresh sample, for which nobody pays."""
    X = tasks[0].distribution.sample(20_000, rng=rng)
    targets = np.array([task.target for task in tasks])
    hypotheses = np.array([step.hypothesis for step in run.steps])
    errors: FloatArray = ((X @ targets.T >= 0) != (X @ hypotheses.T >= 0)).mean(axis=0)
    return errors


#: Part of the seed of what a law gives, so that a new law leaves the stored lines of the others as they are.
_PLACE = {"ball": 0, "cube": 1, "exponential": 2, "gaussian": 3, "laplace": 4, "logistic": 5}


def errors_alone(law: Law, n: int, size: int, tasks: int, rng: np.random.Generator) -> FloatArray:
    """Errors of tasks learned alone: logistic regression on labels of its own, over fresh random targets."""
    test, errors = law.sample(20_000, rng=rng), []
    for _ in range(tasks):
        task = HalfspaceTask(rng.standard_normal(n), law, rng=rng)
        w = logistic_halfspace(*task.examples(size))
        wrong = signs(test, w) != signs(test, task.target)
        errors.append(wrong.mean())
    return np.array(errors)


@lru_cache(maxsize=1024)
def errors_at(law: str, n: int, step: int, tasks: int, seed: int) -> tuple[float, float]:
    """Beyond the paper, how few labels: mean and largest error of tasks learned alone, on 1.4^step n labels each."""
    rng = np.random.default_rng([n, step, _PLACE.get(law, crc32(law.encode())), seed])
    errors = errors_alone(isotropic_law(law, n), n, round(1.4**step * n), tasks, rng)
    return float(np.mean(errors)), float(np.max(errors))


def labels_alone(law: str, n: int, error: float, *, largest: bool, tasks: int = 40, seed: int = 0) -> int:
    """Beyond the paper, how few labels: what a task needs by logistic regression, unshared, for a given error."""
    number("error", error, "(0, 0.3)")
    step = int(np.log(0.3 / error) / np.log(1.4))
    before = after = errors_at(law, n, step, tasks, seed)[largest]
    while after > error:
        step += 1
        before = after
        after = errors_at(law, n, step, tasks, seed)[largest]
    share = 1.0
    if before > after:
        share = np.log(before / error) / np.log(before / after)
    size: float = 1.4 ** (step - 1 + share) * n
    return round(size)


def crossover(labels: ArrayLike, alone: float) -> int | None:
    """Beyond the paper, how few labels: from how many tasks on sharing has cost fewer in all."""
    spent = np.asarray(labels)
    behind = np.flatnonzero(np.cumsum(spent) >= alone * np.arange(1, len(spent) + 1))
    first = int(behind[-1]) + 2 if len(behind) else 1
    return first if first <= len(spent) else None


# peers ------------------------------------------------------------------------------------------------------

#: Weights of the trace norm and inverse regularisations of the dictionary; each takes the best for its mean error.
PENALTIES = (1.0, 0.3, 0.1, 0.03)

SMOOTHNESS = (1.0, 10.0, 100.0)


def best(candidates: list[FloatArray], targets: FloatArray) -> FloatArray:
    """Beyond the paper, how few labels: errors of a method at its best setting, of the least mean, in its favour."""
    errors = [np.asarray(angle(W, targets)) / np.pi for W in candidates]
    return min(errors, key=lambda found: float(found.mean()))


def dictionary(X: FloatArray, y: FloatArray, k: int, C: float) -> FloatArray:
    """Beyond the paper, how few labels: what the method with an online dictionary finds, task after task."""
    learner = OnlineDictionary(X.shape[2], k=k, C=C)
    for rows, labels in zip(X, y, strict=True):
        learner.learn(rows, labels)
    return learner.hypotheses


def compare(tasks: list[HalfspaceTask], k: int, epsilon: float) -> tuple[Run[Any], int, dict[str, FloatArray]]:
    """A run of several methods on the same tasks: the peers get the labels of the life-long run, spread equally."""
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
