"""Definition 1 and the candidates of Theorem 5, against brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from set_families import PROPERTY, as_rows, as_sets, brute_candidates, families, literal, subsets

from lifelong.conjunctions.anchor_sets import anchor_set_candidates, anchor_sets, is_anchored
from lifelong_book.conjunctions.autoencoders.experiments import is_anchored_by_search
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets


@PROPERTY
@given(families(), st.integers(1, 4))
def test_candidates_are_the_intersections(TS, c):
    found = anchor_set_candidates(TS, c=c)
    assert len(set(as_sets(found))) == len(found)
    assert set(as_sets(found)) == brute_candidates(as_sets(TS), TS.shape[1], c)
    np.testing.assert_array_equal(anchor_set_candidates(TS[::-1], c=c), found)


def test_candidates_come_by_size_and_then_as_binary_numbers():
    TS = np.random.default_rng(0).random((12, 20)) < 0.6
    found = anchor_set_candidates(TS, c=2)
    numbers = [(int(row.sum()), int("".join(map(str, row.astype(int))), 2)) for row in found]
    assert numbers == sorted(numbers) and len({size for size, _ in numbers}) < len(numbers) / 5


def test_candidates_in_blocks_are_the_same(monkeypatch):
    TS = np.random.default_rng(1).random((30, 25)) < 0.7
    whole = anchor_set_candidates(TS, c=3)
    monkeypatch.setattr("lifelong.conjunctions.anchor_sets.BLOCK", 50)
    np.testing.assert_array_equal(anchor_set_candidates(TS, c=3), whole)


@PROPERTY
@given(families(), families(), st.integers(0, 3))
def test_anchor_sets_are_smallest(M, TS, c):
    n = min(M.shape[1], TS.shape[1])
    M, TS = M[:, :n], TS[:, :n]
    for m, y in zip(as_sets(M), anchor_sets(M, TS, c=c), strict=True):
        valid = [s for s in subsets(m, c) if all(m <= T for T in as_sets(TS) if s <= T)]
        assert (y is None) == (not valid)
        assert y is None or (as_sets(y[None])[0] in valid and y.sum() == min(map(len, valid)))


def test_the_first_anchor_set_found_need_not_be_the_smallest():
    lacking = [{0, 1}, {1, 2, 4}, {1, 3, 5}, {2, 3, 6}]  # with 0 it takes three, with 1 it takes two
    (found,) = anchor_sets(np.ones((1, 7), dtype=bool), ~as_rows(lacking, 7), c=3)
    assert as_sets(found[None])[0] in ({1, 2}, {1, 3}, {1, 6})
    lacking = [{0, 1}, {0, 2, 4}, {0, 3, 5}, {2, 3, 6}, {7, 8, 9}]  # with 0 it takes three, with 1 it takes four
    (found,) = anchor_sets(np.ones((1, 10), dtype=bool), ~as_rows(lacking, 10), c=4)
    assert found.sum() == 3


@PROPERTY
@given(families(4, 3), families(4, 3), st.integers(0, 3), st.integers(0, 4))
def test_definition_against_the_literal_search(M, TS, c, k):
    n = min(M.shape[1], TS.shape[1])
    M, TS = np.unique(M[:, :n], axis=0), TS[:, :n]
    expected = literal(as_sets(M), as_sets(TS), c, k)
    assert is_anchored(M, TS, c=c, k=k) == is_anchored(np.vstack([M, M]), TS, c=c, k=k) == expected
    assert is_anchored_by_search(M, TS, c=c, k=k) == expected


def test_definition_on_every_world_of_two_variables():
    every = [list(f) for f in subsets(range(4), 4)]
    pieces = as_rows(subsets(range(2), 2), 2)
    for chosen, targets, c, k in product(every, every, range(3), range(4)):
        M, TS = pieces[chosen], pieces[targets]
        assert is_anchored(M, TS, c=c, k=k) == literal(as_sets(M), as_sets(TS), c, k)


def test_planted_instances():
    for seed, (c, k) in enumerate([(1, 2), (2, 3), (3, 2)]):
        M, TS = planted_anchor_sets(4, 1, pieces=4, m=5, c=c, k=k, rng=seed)
        assert literal(as_sets(M), as_sets(TS), c, k)
    M, TS = planted_anchor_sets(12, 10, pieces=60, m=100, c=2, k=5, rng=0)
    assert M.shape == (60, 22) and is_anchored(M, TS, c=2, k=5)
    assert (M[:, :12].sum(axis=1) == 2).all() and len(np.unique(M[:, :12], axis=0)) == 60
    inside = (TS[:, None] | ~M).all(axis=2)
    assert inside.any(axis=1).all() and inside.sum(axis=1).max() <= 5
    assert np.array_equal(planted_anchor_sets(12, 10, pieces=60, m=100, c=2, k=5, rng=0)[1], TS)
