"""Studies of Algorithm 1 from samples: spans, and broken assumptions.

What the long tables are made of and the chapters show at small size is computed here, once (Section 3.3).
"""

from functools import partial
from typing import Any, Literal

import numpy as np

from lifelong._checks import FloatArray, RNGLike, random_generator
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.learners import ridge_halfspace
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian, Law
from lifelong.loop import Run, learn_stream
from lifelong_book.halfspaces.assumptions.outside import (
    FourBumps,
    ProductStudent,
    SignCube,
    StretchedGaussian,
    StudentT,
)
from lifelong_book.halfspaces.digits import Digits, bipartitions
from lifelong_book.halfspaces.subspace.robust import NoisyTask, Robust

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


# spans --------------------------------------------------------------------------------------------------


def refusal_rate(
    share: float, k: int, epsilon: float, *, trials: int = 100, labels: Labels | None = None, rng: RNGLike = None
) -> float:
    """How often Algorithm 1 from samples refuses a span whose best error is a share of the error allowed."""
    rng, turn = np.random.default_rng(rng), np.pi * share * epsilon
    law, oracle, refused = Gaussian(k + 1), Sampled(labels=labels), 0
    for _ in range(trials):
        b = rng.standard_normal(k)
        b *= np.cos(turn) / np.linalg.norm(b)
        task = HalfspaceTask(np.append(b, np.sin(turn)), law, rng=rng)
        found = oracle.within(task, np.eye(k, k + 1), epsilon)
        refused += found is None
    return refused / trials


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
    """Algorithm 1's chapter, a run from samples: bipartitions of the digits, by ridge regression, to 0.05."""
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
    """Algorithm 1's chapter, a run from samples with wrong labels: a Gaussian stream, at epsilon = 0.1."""
    rng, epsilon, law = random_generator(rng), 0.1, Gaussian(n)
    targets = rng.standard_normal((m, k)) @ rng.standard_normal((k, n))
    tasks = [NoisyTask(w, law, rate, width=width, rng=r) for w, r in zip(targets, rng.spawn(m), strict=True)]
    labels = Labels() if rule == "plain" else Labels(fit=10, holdout=100, scratch=6)
    test: dict[str, Any] = {"shift": {"noise": rate}, "margin": {"margin": epsilon / 2}}.get(rule, {})
    run = learn_stream(tasks, SharedSubspace(n, epsilon, oracle=oracle(labels=labels, **test)))
    return run, np.array([task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)])
