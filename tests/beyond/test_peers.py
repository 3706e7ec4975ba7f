"""The peers, against general solvers and definitions."""

from __future__ import annotations

import cvxpy as cp
import numpy as np
import pytest

from lifelong.halfspaces.learners import logistic, logistic_halfspace
from lifelong_book.beyond.labels import methods
from lifelong_book.beyond.labels.instances import stream_tasks


def blocks(n=4, k=2, m=5, size=25, seed=0):
    tasks = stream_tasks("random", n, k, m, rng=np.random.default_rng(seed))
    return tasks, *methods.task_blocks(tasks, size)


def test_blocks_are_what_the_tasks_gave_and_counted():
    tasks, X, y = blocks()
    assert X.shape == (5, 25, 4) and y.shape == (5, 25)
    assert [task.counts.labels for task in tasks] == [25] * 5
    for task, rows, labels in zip(tasks, X, y, strict=True):
        assert (np.where(rows @ task.target >= 0, 1, -1) == labels).all()
    alone = [logistic_halfspace(*block) for block in zip(X, y)]
    np.testing.assert_allclose(methods.independent_halfspaces(X, y), alone)


@pytest.mark.parametrize(("penalty", "seed"), [(0.02, 0), (0.2, 1), (1.0, 2)])
def test_trace_norm_against_a_general_solver(penalty, seed):
    _, X, y = blocks(seed=seed)
    W = methods.trace_norm_halfspaces(X, y, penalty, tolerance=1e-8, most=50_000)
    V = cp.Variable(W.shape)
    losses = [cp.sum_squares(cp.pos(1 - cp.multiply(y[i], X[i] @ V[i]))) / y.shape[1] for i in range(len(X))]
    cp.Problem(cp.Minimize(sum(losses) + penalty * cp.normNuc(V))).solve(solver=cp.SCS, eps=1e-8)
    ours, theirs = (methods.trace_norm_objective(X, y, w, penalty) for w in (W, V.value))
    assert ours <= theirs + 1e-6
    assert np.allclose(W, V.value, atol=2e-3)


def test_objective_by_its_definition():
    _, X, y = blocks()
    W = np.random.default_rng(1).standard_normal((5, 4))
    loss = sum(np.mean([max(0, 1 - y[i, j] * (X[i, j] @ w)) ** 2 for j in range(25)]) for i, w in enumerate(W))
    assert np.isclose(methods.trace_norm_objective(X, y, W, 0.3), loss + 0.3 * np.linalg.svd(W, compute_uv=False).sum())


def test_the_dictionary_minimises_its_quadratic():
    tasks, X, y = blocks(n=4, k=2, m=6, size=60)
    learner = methods.OnlineDictionary(4, k=2, C=1.0, ridge=1e-3)
    for rows, labels in zip(X, y, strict=True):
        learner.learn(rows, labels)

    def loss(L):
        total = 0.0
        for rows, labels, code in zip(X, y, learner.codes, strict=True):
            theta = logistic(rows, labels, C=1.0)
            p = 1 / (1 + np.exp(-rows @ theta))
            D = (rows.T * (p * (1 - p))) @ rows / (2 * len(rows)) + np.eye(4) / (2 * len(rows))
            total += (theta - L @ code) @ D @ (theta - L @ code)
        return total / len(tasks) + 1e-3 * (L**2).sum()

    best, rng = loss(learner.dictionary), np.random.default_rng(0)
    assert all(best <= loss(learner.dictionary + 1e-3 * rng.standard_normal((4, 2))) for _ in range(40))
    assert np.allclose(learner.hypotheses[3], learner.dictionary @ learner.codes[3])
