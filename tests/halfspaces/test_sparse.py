"""Sparse learners: the right support where it can be found, and what each promises."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong.halfspaces.learners import few_weights
from lifelong.halfspaces.oracles import SubsetBases
from lifelong_book.halfspaces.levels import sparse
from lifelong_book.halfspaces.levels.sparse import SPARSE_LEARNERS, enumerated_sparse, margin_sparse


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3), st.integers(1, 6), st.integers(0, 2**20))
def test_bases_of_all_subsets(tau, r, seed):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((r, 5))
    subsets = SubsetBases(tau)
    for i, row in enumerate(rows):
        row[min(5, i + 2) :] = 0.0  # later vectors bring new coordinates
        subsets.add(row[: min(5, i + 2)])
    expected = sorted(combinations(range(r), min(tau, r)))
    assert sorted(map(tuple, subsets.supports.tolist())) == expected
    target = rng.standard_normal(subsets.bases.shape[2])
    share = subsets.share(target) / (target @ target)
    for support, value in zip(subsets.supports, share, strict=True):
        far = angle_to_subspace(target, rows[support, : len(target)])
        assert np.isclose(value, np.cos(far) ** 2, atol=1e-9)


@pytest.mark.parametrize("name", SPARSE_LEARNERS)
def test_each_finds_a_plain_support(name):
    X = np.random.default_rng(3).standard_normal((80, 7))
    w = SPARSE_LEARNERS[name](X, np.where(X[:, 2] - X[:, 5] > 0, 1, -1), 2)
    assert np.flatnonzero(w).tolist() == [2, 5] and angle(w, np.eye(7)[2] - np.eye(7)[5]) < 0.2
    with pytest.raises(ValueError, match="y"):
        SPARSE_LEARNERS[name](np.eye(3), [1, -1, 0], 2)


def test_the_integer_program_is_optimal():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((25, 5))
    y = np.where(X[:, 0] + 0.5 * X[:, 3] > 0, 1, -1)
    w = margin_sparse(X, y, 2)
    margin = (y * (X @ (w / np.abs(w).max()))).min()
    turns = np.linspace(0, 2 * np.pi, 4001)
    plane = np.stack([np.cos(turns), np.sin(turns)])
    plane /= np.abs(plane).max(axis=0)
    best = max((y[:, None] * (X[:, list(S)] @ plane)).min(axis=0).max() for S in combinations(range(5), 2))
    assert margin == pytest.approx(best, abs=2e-3)
    with pytest.raises(ValueError, match="none fits"):
        margin_sparse([[1.0, 0.0], [1.0, 0.0]], [1, -1], 1)


def test_enumeration_beats_matching_pursuit_on_a_difference():
    features = np.array([[1.0, 0.4, 0], [1.0, -0.4, 0], [0.3, 1.0, 0.6], [0, 0.2, 1.0]])
    X = np.random.default_rng(1).standard_normal((400, 3))
    y = np.where(X[:, 1] > 0, 1, -1)  # the difference of the first two
    found, best = (enumerated_sparse(X @ features.T, y, 2, **given) for given in ({}, {"best": 1}))
    greedy = SPARSE_LEARNERS["matching pursuit"](X @ features.T, y, 2)
    assert angle(found @ features, np.eye(3)[1]) < 0.05 < angle(greedy @ features, np.eye(3)[1])
    assert np.flatnonzero(best).tolist() == [0, 1]  # the score accounts for similar features


def test_few_weights_is_hardly_regularised():
    """At the usual strength the mean angle would be three times as large."""
    angles = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, target = rng.standard_normal((400, 2)), rng.standard_normal(2)
        angles.append(angle(few_weights(X, np.where(X @ target > 0, 1, -1)), target))
    assert np.mean(angles) < 0.01


@pytest.mark.parametrize("name", ["L1 logistic", "matching pursuit", "enumeration"])
def test_the_length_of_a_feature_does_not_matter(name):
    rng = np.random.default_rng(5)
    X = rng.standard_normal((120, 6))
    y = np.where(X[:, 1] + 0.7 * X[:, 4] > 0, 1, -1)
    for size in (0.01, 100.0):
        scaled = X * np.where(np.arange(6) == 4, size, 1.0)
        assert np.flatnonzero(SPARSE_LEARNERS[name](scaled, y, 2)).tolist() == [1, 4]


@pytest.mark.parametrize(("default", "wanted"), [("l2", {"penalty": "l1"}), ("deprecated", {"l1_ratio": 1.0})])
def test_the_l1_penalty_is_asked_for_in_the_words_of_the_version(default, wanted, monkeypatch):
    asked = []

    class Model:
        penalty = default

        def __init__(self, **given):
            asked.append({name: given[name] for name in ("penalty", "l1_ratio") if name in given})

        def fit(self, X, y):
            self.coef_ = np.ones((1, X.shape[1]))
            return self

    monkeypatch.setattr("sklearn.linear_model.LogisticRegression", Model)
    monkeypatch.setattr(sparse, "few_weights", lambda X, y: np.ones(2))
    SPARSE_LEARNERS["L1 logistic"](np.eye(3), [1, 1, -1], 2)
    assert [x for x in asked if x] == 12 * [wanted]
