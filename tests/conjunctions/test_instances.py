"""Planted and extremal conjunctions: each generator gives what it claims, checked by other means."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import sympy

import lifelong.conjunctions.instances
from lifelong.conjunctions.bounds import union_dimension
from lifelong.conjunctions.instances import (
    attaining_sequence,
    overlapping_metafeatures,
    planted_conjunctions,
    selector_sequence,
    union_family,
)


@pytest.mark.parametrize("seed", range(5))
def test_planted_conjunctions_are_unions_of_anchored_metafeatures(seed):
    M, targets = planted_conjunctions(30, k=8, m=200, overlap=0.4, per_target=2, rng=seed)
    assert (M[:, :8] == np.eye(8, dtype=bool)).all()
    for T in targets:
        inside = M[(~M | T).all(axis=1)]
        np.testing.assert_array_equal(inside.any(axis=0), T)
    p = 0.4
    assert abs(M[:, 8:].mean() - p) < 5 * np.sqrt(p * (1 - p) / M[:, 8:].size)
    assert abs(targets[:, :8].sum(axis=1).mean() - 2) < 5 * np.sqrt(2 / 200)


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_attaining_sequence_lists_what_it_says(n):
    wanted = [{i} | set(range(i + d + 1, n + 1)) for d in range(n) for i in range(1, n - d + 1)]
    assert [set((np.flatnonzero(row) + 1).tolist()) for row in attaining_sequence(n)] == wanted


def test_overlapping_metafeatures_have_anchors_and_overlaps():
    M = overlapping_metafeatures(4, [(0, 1), (1, 2, 3)])
    assert [set(np.flatnonzero(column).tolist()) for column in M.T] == [{0}, {1}, {2}, {3}, {0, 1}, {1, 2, 3}]


def test_selector_sequence_leaves_out_one_shared_variable_a_target():
    M, targets = selector_sequence(3, 5, 7)
    assert M.shape == (8, 15)
    assert (M[3:, 8:].sum(axis=0) == 2).all()
    assert (M[:3].sum(axis=1) == 1).all()
    assert (targets[:, :3].sum(axis=1) == 1).all()
    assert ((~targets[:, 8:]).sum(axis=1) == 1).all()
    assert len(np.unique(targets, axis=0)) == 21


def test_planted_conjunctions_at_their_ends():
    M, targets = planted_conjunctions(5, k=5, m=3, per_target=5, rng=0)
    np.testing.assert_array_equal(M, np.eye(5))
    assert targets.all()
    assert not planted_conjunctions(5, k=2, m=3, overlap=0, per_target=0)[1].any()
    assert planted_conjunctions(5, k=2, m=0)[1].shape == (0, 5)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_union_family_has_full_rank(k):
    M, targets = union_family(k)
    assert M.shape == (k, 2**k - 1)
    unions = {tuple(M[list(s)].any(axis=0)) for s in product(range(k), repeat=k)}
    assert {tuple(row) for row in targets} == unions
    assert len(targets) == 2**k - 1
    assert sympy.Matrix(targets.astype(int).tolist()).rank() == union_dimension(k)
    assert len({tuple(column) for column in M.T}) == 2**k - 1
    assert all((row & (M.sum(axis=0) == 1)).any() for row in M)


def test_same_seed_same_instances():
    one, again, other = (planted_conjunctions(9, k=3, m=5, rng=rng)[1] for rng in (3, np.random.default_rng(3), 4))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)


# --- bad input --------------------------------------------------------------------------------------

BAD_COUNTS = [-1, 2.5, True, "3", None]
BAD_NUMBERS = [np.nan, np.inf, "0.1", 0.1j, None]
CASES = [
    *[("n", lambda x=x: planted_conjunctions(x, k=1, m=1)) for x in (0, *BAD_COUNTS)],
    *[("k", lambda x=x: planted_conjunctions(4, k=x, m=1)) for x in (0, 5, *BAD_COUNTS)],
    *[("k", lambda x=x: union_family(x)) for x in (0, 13, *BAD_COUNTS)],
    *[("m", lambda x=x: planted_conjunctions(4, k=1, m=x)) for x in BAD_COUNTS],
    *[("overlap", lambda x=x: planted_conjunctions(4, k=2, m=1, overlap=x)) for x in (-0.1, 1.1, True, *BAD_NUMBERS)],
    *[
        ("per_target", lambda x=x: planted_conjunctions(4, k=2, m=1, per_target=x))
        for x in (-1, 3, True, *BAD_NUMBERS[:-1])
    ],
]


@pytest.mark.parametrize(("name", "call"), CASES)
def test_bad_input(name, call):
    with pytest.raises(ValueError, match=rf"^{name}: expected .*, got .+"):
        call()


def test_every_generator_is_tested():
    # those of later sections are tested beside the algorithm that they are made for
    text = "".join(path.read_text() for path in Path(__file__).parents[1].rglob("test_*.py"))
    names = lifelong.conjunctions.instances.__all__
    assert [name for name in names if not re.search(rf"\b{name}\(", text) and name[0].islower()] == []
