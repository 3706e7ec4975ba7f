"""Studies from samples."""

from __future__ import annotations

import numpy as np

from lifelong import laws, learn_stream
from lifelong.halfspaces import instances
from lifelong.halfspaces.algorithm1 import LargeDirections, SharedSubspace
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong_book.halfspaces.subspace.sample_experiments import OUTSIDE, patient_logistic


def test_the_repaired_learner_from_samples():
    _, tasks = instances.planted_halfspaces(laws.Gaussian(20), 3, 20, rng=1)
    large = LargeDirections(3, 0.05)
    learner = SharedSubspace(20, 0.1, epsilon_acc=large.epsilon_acc, searched=large)
    run = learn_stream(tasks, learner)
    assert len(learner.span) <= 3
    assert max(task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)) <= 0.1
    assert run.counts.labels == sum(task.counts.labels for task in tasks)


def test_patience_pays():
    acc, n = 1e-4, 11
    task = HalfspaceTask(np.eye(n)[3], laws.Gaussian(n), rng=0)
    X, y = task.examples(int(1.2 * n / acc))
    assert task.error(patient_logistic(X, y)) <= acc


def test_laws_are_compared_in_one_dimension():
    assert {law.n for law in OUTSIDE.values()} == {12}
