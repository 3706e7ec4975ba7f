"""Studies of Algorithm 1 from samples: what a stream pays, peers on the same labels, and broken assumptions.

What the long tables are made of and the chapters show at small size is computed here, once (Section 3.3).
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Literal
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, RNGLike, number, random_generator
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle, unit
from lifelong.halfspaces.learners import Learner, NotSeparableError, logistic, logistic_halfspace, ridge_halfspace
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask, signs
from lifelong.laws import Gaussian, Law, isotropic_law
from lifelong.loop import Run, learn_stream
from lifelong_book.beyond.peers.methods import (
    OnlineDictionary,
    alone,
    refit,
    task_blocks,
    trace_norm_halfspaces,
)
from lifelong_book.halfspaces.assumptions.outside import (
    FourBumps,
    ProductStudent,
    SignCube,
    StretchedGaussian,
    StudentT,
)
from lifelong_book.halfspaces.subspace.robust import NoisyTask, Robust
from lifelong_book.preliminaries.digits import Digits, bipartitions

#: Laws outside the assumption of Section 3, by name; the Gaussian one for comparison.
OUTSIDE: dict[str, Law] = {
    "Gaussian": Gaussian(12),
    "Student t, df 3": StudentT(12, df=3.0),
    "Student t, df 1": StudentT(12, df=1.0),
    "product Student t, df 3": ProductStudent(12, df=3.0),
    "product Cauchy": ProductStudent(12, df=1.0),
    "near a subspace": StretchedGaussian(12, thick=6, thickness=0.05),
    "four bumps": FourBumps(12),
    "corners of a cube": SignCube(12),
}

#: Weights of the trace norm and inverse regularisations of the dictionary; each takes the best for its mean error.
PENALTIES = (1.0, 0.3, 0.1, 0.03)
SMOOTHNESS = (1.0, 10.0, 100.0)


# what a task costs --------------------------------------------------------------------------------------


def scaled_errors(learner: Learner, law: Law, size: int, tasks: int, *, rng: RNGLike = None) -> FloatArray:
    """Error times size / n of a learner on random targets."""
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
    """Error of each hypothesis on one fresh sample that all tasks share; nobody pays for it."""
    X = tasks[0].distribution.sample(20_000, rng=rng)
    targets = np.array([task.target for task in tasks])
    hypotheses = np.array([step.hypothesis for step in run.steps])
    errors: FloatArray = ((X @ targets.T >= 0) != (X @ hypotheses.T >= 0)).mean(axis=0)
    return errors


#: Part of the seed of what a law gives, so that a new law leaves the stored lines of the others as they are.
_PLACE = {"ball": 0, "cube": 1, "exponential": 2, "gaussian": 3, "laplace": 4, "logistic": 5}


@lru_cache(maxsize=1024)
def _alone(law: str, n: int, step: int, tasks: int, seed: int) -> tuple[float, float]:
    """Mean and largest error of logistic regression on 1.4^step n labels of its own, over fresh random targets."""
    rng = np.random.default_rng([n, step, _PLACE.get(law, crc32(law.encode())), seed])
    marginal, size = isotropic_law(law, n), round(1.4**step * n)
    test, errors = marginal.sample(20_000, rng=rng), []
    for _ in range(tasks):
        task = HalfspaceTask(rng.standard_normal(n), marginal, rng=rng)
        w = logistic_halfspace(*task.examples(size))
        errors.append(np.mean(signs(test, w) != signs(test, task.target)))
    return float(np.mean(errors)), float(np.max(errors))


def labels_alone(law: str, n: int, error: float, *, largest: bool, tasks: int = 40, seed: int = 0) -> int:
    """Labels a task that logistic regression needs, without sharing, for a given error."""
    number("error", error, "(0, 0.3)")
    step = int(np.log(0.3 / error) / np.log(1.4))
    before = after = _alone(law, n, step, tasks, seed)[largest]
    while after > error:
        step += 1
        before, after = after, _alone(law, n, step, tasks, seed)[largest]
    share = np.log(before / error) / np.log(before / after) if before > after else 1.0
    size: float = 1.4 ** (step - 1 + float(share)) * n
    return round(size)


def crossover(labels: ArrayLike, alone: float) -> int | None:
    """Number of tasks from which on sharing has cost fewer labels in all."""
    spent = np.asarray(labels)
    behind = np.flatnonzero(np.cumsum(spent) >= alone * np.arange(1, len(spent) + 1))
    first = int(behind[-1]) + 2 if len(behind) else 1
    return first if first <= len(spent) else None


# learners and spans -------------------------------------------------------------------------------------


def patient_logistic(X: FloatArray, y: NDArray[np.int64]) -> FloatArray:
    """Logistic regression with so little regularisation that its error still falls at a million labels."""
    return unit(logistic(X, y, C=1e6, tolerance=1e-6))


def in_bands(X: FloatArray, y: NDArray[np.int64], *, steps: int = 6, width: float = 1.0) -> FloatArray:
    """Logistic regression, then again in narrower and narrower bands around its boundary."""
    w = logistic_halfspace(X, y)
    for step in range(steps):
        near = np.abs(X @ w) <= width * 0.6**step
        w = logistic_halfspace(X[near], y[near])
    return w


def far_flips(size: int, k: int, noise: float, *, rng: RNGLike = None) -> tuple[FloatArray, Any]:
    """Gaussian examples of x_1 >= 0 with labels wrong far out along x_2: an adversary."""
    X = np.random.default_rng(rng).standard_normal((size, k))
    y = np.where(X[:, 0] >= 0, 1, -1)
    far = np.argsort(-np.abs(X[:, 1]))[: round(2 * noise * size)]
    y[far] = np.where(X[far, 1] >= 0, -1, 1)
    return X, y


def refusal_rate(
    share: float, k: int, epsilon: float, *, trials: int = 100, labels: Labels | None = None, rng: RNGLike = None
) -> float:
    """How often a span is refused whose best error is a share of the error allowed."""
    rng, turn = np.random.default_rng(rng), np.pi * share * epsilon
    law, oracle, refused = Gaussian(k + 1), Sampled(labels=labels), 0
    for _ in range(trials):
        b = rng.standard_normal(k)
        b *= np.cos(turn) / np.linalg.norm(b)
        task = HalfspaceTask(np.append(b, np.sin(turn)), law, rng=rng)
        found = oracle.within(task, np.eye(k, k + 1), epsilon)
        refused += found is None
    return refused / trials


# peers --------------------------------------------------------------------------------------------------


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
        "life-long": [kept],
        "alone": [alone(X, y)],
        "refit at once": [at_once],
        "refit": [projected],
        "trace norm": pooled,
        "dictionary": [dictionary(X, y, k, C) for C in SMOOTHNESS],
    }
    errors = {name: best(each, targets) for name, each in found.items()}
    return run, size, errors


# broken assumptions -------------------------------------------------------------------------------------


def digits_run(
    data: Digits,
    rule: Literal["life-long", "margin", "alone"],
    scratch: int,
    tasks: int,
    *,
    fit: int,
    rng: RNGLike = None,
) -> tuple[Run[Any], FloatArray]:
    """A stream of bipartitions of the digits, learned by ridge regression to an error of 0.05."""
    rng, epsilon = random_generator(rng), 0.05
    splits = bipartitions(tasks, rng=rng)
    stream = [data.task(split, rng=r) for split, r in zip(splits, rng.spawn(tasks), strict=True)]
    n, learner = data.pool.shape[1], partial(ridge_halfspace, penalty=10.0)
    if rule == "alone":
        found = [learner(*task.examples(scratch)) for task in stream]
        return Run(None), np.array([task.error(w) for task, w in zip(stream, found, strict=True)])
    labels = Labels(fit=fit * epsilon, holdout=100 * epsilon, scratch=scratch * (epsilon / 5) / n)
    oracle = Robust(learner, margin=epsilon / 2 if rule == "margin" else None, labels=labels)
    run = learn_stream(stream, SharedSubspace(n, epsilon, oracle=oracle))
    return run, np.array([task.error(step.hypothesis) for task, step in zip(stream, run.steps, strict=True)])


def noisy_run(
    rule: Literal["plain", "large", "shift", "margin"],
    rate: float,
    m: int,
    *,
    width: float | None = None,
    n: int = 12,
    k: int = 3,
    oracle: type[Robust] = Robust,
    rng: RNGLike = None,
) -> tuple[Run[Any], FloatArray]:
    """A Gaussian stream with wrong labels, at epsilon = 0.1."""
    rng, epsilon, law = random_generator(rng), 0.1, Gaussian(n)
    targets = rng.standard_normal((m, k)) @ rng.standard_normal((k, n))
    tasks = [NoisyTask(w, law, rate, width=width, rng=r) for w, r in zip(targets, rng.spawn(m), strict=True)]
    labels = Labels() if rule == "plain" else Labels(fit=10, holdout=100, scratch=6)
    test: dict[str, Any] = {"shift": {"noise": rate}, "margin": {"margin": epsilon / 2}}.get(rule, {})
    run = learn_stream(tasks, SharedSubspace(n, epsilon, oracle=oracle(labels=labels, **test)))
    return run, np.array([task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)])
