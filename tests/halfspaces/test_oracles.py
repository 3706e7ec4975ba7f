"""The oracles of Section 3, and runs with them that are the same as ever."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from lifelong import learn_stream
from lifelong.halfspaces.algorithm1 import (
    ExactSpectralSubspace,
    ExactSubspace,
    LargeDirections,
    RobustSubspace,
    SharedSubspace,
    SpectralSubspace,
    Subspace,
)
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.learners import LEARNERS
from lifelong.halfspaces.oracles import Exact, Labels, Robust, Sampled
from lifelong.halfspaces.tasks import NoisyTask
from lifelong.laws import Gaussian, isotropic_law

# --- the runs that are recorded ---------------------------------------------------------------------

N, K, M = 8, 3, 12
LAWS = ("gaussian", "ball", "cube", "laplace", "logistic", "exponential")
DIRECTIONS = ("random", "common", "fresh")
SIZES = {"fit": 3.0, "holdout": 7.01, "scratch": 1.5}
MANY = {"fit": 20.0, "holdout": 100.0, "scratch": 6.0}


def stream(law, seed, noise=0.0):
    tasks = planted_halfspaces(law, K, M, rng=seed)[1]
    if not noise:
        return tasks
    return [NoisyTask(task.target, law, noise, rng=100 * seed + i) for i, task in enumerate(tasks)]


def sampled(law, seed, *, learner="logistic", scratch_learner=None, epsilon=0.2, sizes=None, threshold=0.75):
    second = LEARNERS[scratch_learner or learner]
    oracle = Sampled(LEARNERS[learner], scratch_learner=second, labels=Labels(**(sizes or {})), threshold=threshold)
    old = Subspace(N, epsilon, learner=LEARNERS[learner], scratch_learner=second, threshold=threshold, **(sizes or {}))
    return partial(stream, isotropic_law(law, N), seed), SharedSubspace(N, epsilon, oracle=oracle), old


def exact(direction, seed, epsilon, accuracy):
    new = SharedSubspace(N, epsilon, epsilon_acc=accuracy, oracle=Exact(direction, rng=seed))
    return partial(leaning, seed), new, ExactSubspace(N, epsilon, accuracy, direction, rng=seed)


def leaning(seed):
    """Targets on the first axes, which leave the last ones to the errors."""
    rows = np.zeros((M, N))
    rows[:, :K] = np.random.default_rng(seed).standard_normal((M, K))
    from lifelong.halfspaces.tasks import HalfspaceTask

    return [HalfspaceTask(row, Gaussian(N)) for row in rows]


def exact_spectral(direction, seed, epsilon, accuracy):
    large = LargeDirections(K, epsilon, epsilon_acc=accuracy)
    oracle = Exact(direction, rng=seed)
    new = SharedSubspace(N, epsilon, epsilon_acc=large.epsilon_acc, oracle=oracle, searched=large)
    return partial(leaning, seed), new, ExactSpectralSubspace(N, epsilon, K, accuracy, direction, rng=seed)


def spectral(law, seed, accuracy=None):
    large = LargeDirections(K, 0.1, epsilon_acc=accuracy)
    new = SharedSubspace(N, 0.2, epsilon_acc=large.epsilon_acc, searched=large)
    return partial(stream, isotropic_law(law, N), seed), new, SpectralSubspace(N, 0.2, K, accuracy)


def robust(seed, *, noise=0.0, margin=None, learner="logistic", sizes=MANY):
    new = SharedSubspace(N, 0.2, oracle=Robust(LEARNERS[learner], noise=noise, margin=margin, labels=Labels(**sizes)))
    old = RobustSubspace(N, 0.2, noise=noise, margin=margin, learner=LEARNERS[learner], **sizes)
    return partial(stream, Gaussian(N), seed, 0.15), new, old


CASES = {
    **{f"sampled, {law}, {s}": partial(sampled, law, s) for law in LAWS for s in range(3)},
    **{
        f"sampled, {name} fails, {s}": partial(
            sampled, "laplace", s, learner=name, scratch_learner="logistic", sizes={"fit": 40.0}
        )
        for name in ("hard margin", "linear programme", "perceptron")
        for s in range(2)
    },
    **{
        f"sampled, {name}, {s}": partial(sampled, "gaussian", s, learner=name)
        for name in ("averaging",)
        for s in (0, 1)
    },
    **{f"other sizes, {s}": partial(sampled, "gaussian", s, sizes=SIZES, threshold=1.0) for s in range(3)},
    **{
        f"exact, {d}, {s}": partial(exact, d, s, epsilon, accuracy)
        for d in DIRECTIONS
        for s, (epsilon, accuracy) in enumerate(((0.1, 0.02), (0.1, 0.09), (0.02, 0.019), (0.3, 0.0), (0.05, 1e-6)))
    },
    **{
        f"exact spectral, {d}, {s}": partial(exact_spectral, d, s, epsilon, accuracy)
        for d in DIRECTIONS
        for s, (epsilon, accuracy) in enumerate(((0.1, None), (0.1, 0.05), (0.02, 0.019)))
    },
    **{f"spectral, {law}, {s}": partial(spectral, law, s) for law in ("gaussian", "laplace") for s in range(2)},
    **{f"spectral, coarse, {s}": partial(spectral, "gaussian", s, 0.09) for s in range(2)},
    **{f"noise, {s}": partial(robust, s, noise=0.15) for s in range(4)},
    **{f"margin, {s}": partial(robust, s, margin=0.05, sizes={}) for s in range(5)},
    **{f"noise and margin, {s}": partial(robust, s, noise=0.05, margin=0.1) for s in range(2)},
    "neither": partial(robust, 0),
}


def test_there_are_many():
    assert len(CASES) >= 60


@pytest.mark.parametrize("name", CASES)
def test_new_and_old_are_the_same_to_the_bit(name):
    tasks, new, old = CASES[name]()
    runs = [learn_stream(tasks(), learner) for learner in (new, old)]
    assert runs[0].how == runs[1].how
    assert [s.labels for s in runs[0].steps] == [s.labels for s in runs[1].steps]
    np.testing.assert_array_equal(new.features, old.features)
    for step, before in zip(runs[0].steps, runs[1].steps, strict=True):
        np.testing.assert_array_equal(step.hypothesis, before.hypothesis)
    assert (new.epsilon_acc, getattr(new.oracle, "best", None)) == (old.epsilon_acc, getattr(old, "best", None))
