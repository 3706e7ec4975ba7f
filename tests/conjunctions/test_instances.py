"""Planted and extremal conjunctions: each generator gives what it claims, checked by other means."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
import sympy

from lifelong import metafeatures, represent
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong.conjunctions.instances import attaining_sequence, planted_conjunctions
from lifelong_book.conjunctions.applications import limits
from lifelong_book.conjunctions.applications.instances import hidden_anchor_family, product_stream
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets
from lifelong_book.conjunctions.consistency.instances import union_dimension, union_family
from lifelong_book.conjunctions.online.instances import selector_sequence


def test_planted_conjunctions_are_unions_of_anchored_metafeatures():
    for seed in range(3):
        M, targets = planted_conjunctions(30, k=8, m=200, overlap=0.4, per_target=2, rng=seed)
        assert (M[:, :8] == np.eye(8, dtype=bool)).all()
        assert all(represent(T, M) is not None for T in targets)
        assert abs(M[:, 8:].mean() - 0.4) < 5 * np.sqrt(0.4 * 0.6 / M[:, 8:].size)
        assert abs(targets[:, :8].sum(axis=1).mean() - 2) < 5 * np.sqrt(2 / 200)
    M, targets = planted_conjunctions(5, k=5, m=3, per_target=5, rng=0)
    assert np.array_equal(M, np.eye(5)) and targets.all()
    assert not planted_conjunctions(5, k=2, m=3, overlap=0, per_target=0)[1].any()
    assert planted_conjunctions(1, k=1, m=0)[1].shape == (0, 1)
    one, again, other = (planted_conjunctions(9, k=3, m=5, rng=rng)[1] for rng in (3, np.random.default_rng(3), 4))
    assert np.array_equal(one, again) and not np.array_equal(one, other)


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_attaining_sequence_lists_what_it_says(n):
    wanted = [{i} | set(range(i + d + 1, n + 1)) for d in range(n) for i in range(1, n - d + 1)]
    assert [set((np.flatnonzero(row) + 1).tolist()) for row in attaining_sequence(n)] == wanted


@pytest.mark.parametrize(("p", "s", "q"), [(3, 5, 7), (1, 4, 1)])
def test_selector_sequence_leaves_out_one_shared_variable_a_target(p, s, q):
    M, targets = selector_sequence(p, s, q)
    assert M.shape == (p + s, p + s + q)
    assert (M[p:, p + s :].sum(axis=0) == 2).all() and (M[:p].sum(axis=1) == 1).all()
    assert (targets[:, :p].sum(axis=1) == 1).all() and ((~targets[:, p + s :]).sum(axis=1) == 1).all()
    assert len(np.unique(targets, axis=0)) == p * q
    assert all(represent(T, M) is not None for T in targets)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_union_family_has_full_rank(k):
    M, targets = union_family(k)
    assert M.shape == (k, 2**k - 1) and len(targets) == union_dimension(k) == 2**k - 1
    assert {tuple(row) for row in targets} == {tuple(M[list(s)].any(axis=0)) for s in product(range(k), repeat=k)}
    assert sympy.Matrix(targets.astype(int).tolist()).rank() == union_dimension(k)
    assert len({tuple(column) for column in M.T}) == 2**k - 1
    assert all((row & (M.sum(axis=0) == 1)).any() for row in M)


@pytest.mark.parametrize("c0", [0.25, 0.98])
@pytest.mark.parametrize("seed", range(3))
def test_random_streams_meet_the_hypotheses(seed, c0):
    n, k, e = 10, 3, 0.1
    M, targets, law = product_stream(n, e, k=k, m=20, c0=c0, rng=seed)
    zero = 1 - law.probabilities
    assert law.probability(np.ones(n, dtype=bool)) >= c0
    assert (zero[:k] >= e / (2 * n) * (1 - 1e-9)).all()
    assert ((zero >= e / (40 * n) * (1 - 1e-9)) & (zero <= 1 / 3)).all()
    assert np.array_equal(M[:, :k], np.eye(k, dtype=bool))
    assert all(represent(T, M) is not None for T in targets)


@pytest.mark.parametrize("k", [2, 4, 8])
def test_the_family_leaves_the_single_variables(k):
    N = comb(k, k // 2)
    M, targets, law = hidden_anchor_family(k, rng=0)
    assert np.array_equal(M, targets) and (M & (M.sum(axis=0) == 1)).any(axis=1).all()
    visible = targets[:, :N]
    assert (visible.sum(axis=1) == N // 2).all()
    assert online_metafeatures(visible).scratch[:k].tolist() == list(range(k))
    found = metafeatures(visible[:k])
    assert np.array_equal(np.sort(found.argmax(axis=1)), np.arange(N)) and (found.sum(axis=1) == 1).all()
    assert law.probability(targets[-1]) == pytest.approx(limits._half_true(k), rel=1e-6)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_sparsity_level_is_reached(k):
    """With one selector each, the metafeatures of a target are those whose selector it has."""
    _, targets = planted_anchor_sets(8, 2, pieces=8, m=60, c=1, k=k, rng=k)
    assert set(targets[:, :8].sum(axis=1)) == set(range(1, k + 1))
