"""The peers: blocks of labels, the trace norm against a general solver, the dictionary against its definition."""

from __future__ import annotations

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.learners import logistic_halfspace
from lifelong_book.halfspaces.peers.methods import (
    OnlineDictionary,
    independent_halfspaces,
    task_blocks,
    trace_norm_halfspaces,
    trace_norm_objective,
)
from lifelong_book.halfspaces.subspace.sample_experiments import stream_tasks


def blocks(n=4, k=2, m=5, size=25, seed=0):
    tasks = stream_tasks("random", n, k, m, rng=np.random.default_rng(seed))
    return tasks, *task_blocks(tasks, size)


def test_blocks_are_what_the_tasks_gave_and_counted():
    tasks, X, y = blocks()
    assert X.shape == (5, 25, 4) and y.shape == (5, 25)
    assert [task.counts.labels for task in tasks] == [25] * 5
    for task, rows, labels in zip(tasks, X, y, strict=True):
        assert (np.where(rows @ task.target >= 0, 1, -1) == labels).all()


@pytest.mark.parametrize(("penalty", "seed"), [(0.02, 0), (0.2, 1), (1.0, 2)])
def test_trace_norm_against_a_general_solver(penalty, seed):
    _, X, y = blocks(seed=seed)
    W = trace_norm_halfspaces(X, y, penalty, tolerance=1e-8, most=50_000)
    V = cp.Variable(W.shape)
    losses = [cp.sum_squares(cp.pos(1 - cp.multiply(y[i], X[i] @ V[i]))) / y.shape[1] for i in range(len(X))]
    cp.Problem(cp.Minimize(sum(losses) + penalty * cp.normNuc(V))).solve(solver=cp.SCS, eps=1e-8)
    ours, theirs = (trace_norm_objective(X, y, w, penalty) for w in (W, V.value))
    assert ours <= theirs + 1e-6
    assert np.allclose(W, V.value, atol=2e-3)


def test_objective_by_its_definition():
    _, X, y = blocks()
    W = np.random.default_rng(1).standard_normal((5, 4))
    loss = sum(
        np.mean([max(0, 1 - b * (a @ w)) ** 2 for a, b in zip(A, B, strict=True)])
        for A, B, w in zip(X, y, W, strict=True)
    )
    assert np.isclose(trace_norm_objective(X, y, W, 0.3), loss + 0.3 * np.linalg.svd(W, compute_uv=False).sum())


def test_a_large_penalty_leaves_nothing_and_a_start_changes_nothing():
    _, X, y = blocks()
    assert not trace_norm_halfspaces(X, y, 1e3).any()
    start = np.random.default_rng(0).standard_normal((5, 4))
    options = {"tolerance": 1e-8, "most": 50_000}
    found = [trace_norm_halfspaces(X, y, 0.1, start=s, **options) for s in (None, start)]
    assert np.allclose(*found, atol=1e-4)


def test_the_dictionary_minimises_its_quadratic():
    tasks, X, y = blocks(n=4, k=2, m=6, size=60)
    learner = OnlineDictionary(4, k=2, C=1.0, ridge=1e-3)
    for rows, labels in zip(X, y, strict=True):
        learner.learn(rows, labels)

    def loss(L):
        total = 0.0
        for rows, labels, code in zip(X, y, learner.codes, strict=True):
            theta = LogisticRegression(C=1.0, fit_intercept=False, max_iter=2000).fit(rows, labels).coef_[0]
            p = 1 / (1 + np.exp(-rows @ theta))
            D = (rows.T * (p * (1 - p))) @ rows / (2 * len(rows)) + np.eye(4) / (2 * len(rows))
            total += (theta - L @ code) @ D @ (theta - L @ code)
        return total / len(tasks) + 1e-3 * (L**2).sum()

    best, rng = loss(learner.dictionary), np.random.default_rng(0)
    assert all(best <= loss(learner.dictionary + 1e-3 * rng.standard_normal((4, 2))) for _ in range(40))
    assert np.allclose(learner.hypotheses[3], learner.dictionary @ learner.codes[3])


def test_the_dictionary_learns_a_common_space():
    tasks = stream_tasks("random", 20, 2, 40, rng=np.random.default_rng(0))
    X, y = task_blocks(tasks, 200)
    learner = OnlineDictionary(20, k=2)
    for rows, labels in zip(X, y, strict=True):
        learner.learn(rows, labels)
    targets = np.array([task.target for task in tasks])
    alone = independent_halfspaces(X, y)
    np.testing.assert_allclose(alone[2], logistic_halfspace(X[2], y[2]))
    ours, alone = angle(learner.hypotheses, targets).mean(), angle(alone, targets).mean()
    assert ours < 0.7 * alone


@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 5))
def test_before_the_dictionary_is_full_codes_are_axes(n, k, seed):
    rng = np.random.default_rng(seed)
    learner = OnlineDictionary(n, k=k)
    X = rng.standard_normal((20, n))
    learner.learn(np.vstack([X, -X]), np.repeat([1, -1], 20))
    assert learner.codes[0].tolist() == np.eye(k)[0].tolist()
