"""Runs that search large directions only, and both sides of each step of the proof."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong import Gaussian
from lifelong._checks import FloatArray, RNGLike
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle_to_subspace
from lifelong.halfspaces.oracles import Direction, Exact
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.loop import Run, learn_stream, stream
from lifelong_book.beyond.exactly_k.large_directions import LargeDirections, spectral_openings


def spectral_run(
    targets: ArrayLike,
    k: int,
    epsilon: float,
    *,
    epsilon_acc: float | None = None,
    direction: Direction = "random",
    raised: float = 1.0,
    rng: RNGLike = None,
) -> tuple[Run[Any], int]:
    """A run for exactly k: Algorithm 1 searching k large directions only, answers exact; the most searched."""
    rows = np.asarray(targets)
    large = LargeDirections(k, epsilon, epsilon_acc=epsilon_acc)
    large.eigenvalue *= raised
    law, oracle, dimensions = Gaussian(rows.shape[1]), Exact(direction, rng=rng), [0]
    learner = SharedSubspace(law.n, epsilon, epsilon_acc=large.epsilon_acc, oracle=oracle, searched=large)
    run = Run(learner)
    for step in stream((HalfspaceTask(row, law) for row in rows), learner):
        run.steps.append(step)
        dimensions.append(len(learner.span))
    return run, max(dimensions)


def paid_by_labels(tasks: Sequence[HalfspaceTask], epsilon: float, **kind: Any) -> tuple[Any, ...]:
    """A run from labels, with exactly k dimensions or more: from scratch, searched, errors, and labels so far."""
    learner = SharedSubspace(tasks[0].n, epsilon, **kind)
    run = learn_stream(tasks, learner)
    pairs = zip(tasks, run.steps, strict=True)
    errors = np.array([t.error(step.hypothesis) for t, step in pairs])
    paid = np.cumsum([step.labels for step in run.steps])
    return run.scratch, len(learner.span), errors, paid


def spectral_limit(k: int, epsilon: float, epsilon_acc: float) -> float:
    """What a run that searches large directions for exactly k is held against: `thm-halfspaces-spectral`."""
    return spectral_openings(k, float(np.sin(np.pi * (epsilon - epsilon_acc))))


def spectral_steps(
    features: FloatArray, targets: FloatArray, k: int, epsilon: float, epsilon_acc: float
) -> dict[str, tuple[float, float]]:
    """Along a run that searches k large directions: both sides of each step in the proof of its bound."""
    N, (s, t) = len(features), (float(np.sin(np.pi * x)) for x in (epsilon - epsilon_acc, epsilon_acc))
    threshold = s**2 / 4
    system, growth = threshold * np.eye(features.shape[1]), []
    for row in features:
        growth.append(float(row @ np.linalg.solve(system, row)))
        system += np.outer(row, row)
    squares = np.linalg.svd(features, compute_uv=False) ** 2
    tail = float(squares[k:].sum())
    log_volume = float(np.log1p(squares / threshold).sum())
    outside = float((np.sin(angle_to_subspace(features, targets)) ** 2).sum())
    return {
        "every opening is new": (2.0, min(growth)),
        "so the volume grows": (N * float(np.log(3)), log_volume),
        "eigenvalues beyond k": (tail, outside),
        "each error is small": (outside, N * t**2),
        "the volume is small": (log_volume, float(k * np.log1p(N / (k * threshold)) + N * t**2 / threshold)),
        "at most k large ones": (N * t**2, threshold),
    }
