"""The search in large directions only: its counts, its accuracy, and runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifelong import laws, learn_stream
from lifelong.halfspaces import instances
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong_book.beyond.exactly_k import experiments as spectral
from lifelong_book.beyond.exactly_k.large_directions import LargeDirections, spectral_accuracy, spectral_openings
from lifelong_book.halfspaces.subspace import experiments as runs
from lifelong_book.halfspaces.subspace.instances import random_targets

errors = st.floats(1e-4, 0.49)
dimensions = st.integers(1, 12)


@given(k=dimensions, s=st.floats(1e-6, 1))
@settings(max_examples=60, deadline=None)
def test_the_most_openings_is_the_root(k, s):
    N = spectral_openings(k, s)
    assert np.log(3) * N == pytest.approx(1 + k * np.log1p(4 * N / (k * s**2)), rel=1e-9)
    assert 0 < N <= 4 * k * (1 - np.log(s))


@given(k=dimensions, epsilon=errors, lean=st.floats(0, 0.1))
@settings(max_examples=40, deadline=None)
def test_the_spectral_accuracy_is_the_coarsest(k, epsilon, lean):
    gamma = lean * np.pi * epsilon

    def holds(accuracy):
        s, t = np.sin(np.pi * (epsilon - accuracy)), np.sin(np.pi * accuracy + gamma)
        return 2 * t * np.sqrt(spectral_openings(k, s)) <= s

    try:
        accuracy = spectral_accuracy(k, epsilon, gamma=gamma)
    except ValueError:
        assert not holds(0.0)
        return
    assert holds(accuracy)
    assert not holds(accuracy * (1 + 1e-6) + 1e-9 * epsilon)


def test_the_repaired_learner_on_random_tasks_and_on_the_chain():
    targets = random_targets(4, 80, 60, rng=np.random.default_rng(0))
    run, dimension = spectral.spectral_run(targets, 4, 0.05, epsilon_acc=None, direction="fresh", rng=0)
    assert dimension <= 4 <= run.scratch <= spectral.spectral_limit(4, 0.05, run.representation.epsilon_acc)
    acc = spectral_accuracy(8, 0.05)
    targets = np.pad(instances.chain_stream(8, 0.05, acc)[0], ((0, 0), (0, 9)))
    run = runs.exact_run(targets, 0.05, acc, direction="common")
    assert run.scratch == 9  # a dimension more without a threshold
    assert spectral.spectral_run(targets, 8, 0.05, epsilon_acc=acc, direction="common")[1] <= 8
    _, tasks = instances.planted_halfspaces(laws.Gaussian(20), 3, 20, rng=1)
    large = LargeDirections(3, 0.05)
    run = learn_stream(tasks, SharedSubspace(20, 0.1, epsilon_acc=large.epsilon_acc, searched=large))
    assert len(run.representation.span) <= 3
    assert max(task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)) <= 0.1
