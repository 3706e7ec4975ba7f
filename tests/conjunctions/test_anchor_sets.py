"""Definition 1 and the candidates of Theorem 5, against brute force."""

from __future__ import annotations

from itertools import product

import concepts
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from set_families import PROPERTY, as_rows, as_sets, brute_candidates, families, literal, subsets

from lifelong.conjunctions.anchor_sets import anchor_set_candidates, anchor_sets, is_anchored
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets
from lifelong_book.conjunctions.consistency.glyphs import anchor_number, polytonic_greek

# --- candidates -------------------------------------------------------------------------------------


@PROPERTY
@given(families(), st.integers(1, 4))
def test_candidates_are_the_intersections(TS, c):
    found = anchor_set_candidates(TS, c=c)
    assert found.dtype == np.bool_
    assert len(set(as_sets(found))) == len(found)
    assert set(as_sets(found)) == brute_candidates(as_sets(TS), TS.shape[1], c)


@PROPERTY
@given(families(), st.integers(1, 3), st.randoms(use_true_random=False))
def test_candidates_do_not_depend_on_the_order_of_the_targets(TS, c, random):
    found = anchor_set_candidates(TS, c=c)
    shuffled = random.sample(range(len(TS)), len(TS))
    np.testing.assert_array_equal(anchor_set_candidates(TS[shuffled], c=c), found)
    assert (np.diff(found.sum(axis=1)) >= 0).all()


def test_candidates_come_by_size_and_then_as_binary_numbers():
    TS = np.random.default_rng(0).random((12, 20)) < 0.6
    found = anchor_set_candidates(TS, c=2)
    numbers = [(int(row.sum()), int("".join(map(str, row.astype(int))), 2)) for row in found]
    assert numbers == sorted(numbers) and len({size for size, _ in numbers}) < len(numbers) / 5


def test_with_all_anchor_sets_the_candidates_are_the_concepts():
    rng = np.random.default_rng(0)
    for _ in range(10):
        TS = rng.random((7, 6)) < 0.6
        context = concepts.Context([f"t{r}" for r in range(7)], [f"v{i}" for i in range(6)], TS.tolist())
        intents = {frozenset(int(v[1:]) for v in intent) for extent, intent in context.lattice if extent}
        assert set(as_sets(anchor_set_candidates(TS, c=6))) == intents - {frozenset()}


def test_candidates_in_blocks_are_the_same(monkeypatch):
    TS = np.random.default_rng(1).random((30, 25)) < 0.7
    whole = anchor_set_candidates(TS, c=3)
    monkeypatch.setattr("lifelong.conjunctions.anchor_sets.BLOCK", 50)
    np.testing.assert_array_equal(anchor_set_candidates(TS, c=3), whole)


# --- Definition 1 -----------------------------------------------------------------------------------


@PROPERTY
@given(families(), families(), st.integers(0, 3))
def test_anchor_sets_are_smallest(M, TS, c):
    n = min(M.shape[1], TS.shape[1])
    M, TS = M[:, :n], TS[:, :n]
    for m, y in zip(as_sets(M), anchor_sets(M, TS, c=c), strict=True):
        valid = [s for s in subsets(m, c) if all(m <= T for T in as_sets(TS) if s <= T)]
        assert (y is None) == (not valid)
        if y is not None:
            (chosen,) = as_sets(y[None])
            assert chosen in valid
            assert len(chosen) == min(map(len, valid))


def test_equal_metafeatures_count_once():
    row = np.array([[True, False]])
    assert is_anchored(np.vstack([row, row]), row, c=1, k=1)


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
    assert is_anchored(M, TS, c=c, k=k) == literal(as_sets(M), as_sets(TS), c, k)


def test_definition_on_every_world_of_two_variables():
    every = [list(f) for f in subsets(range(4), 4)]
    pieces = as_rows(subsets(range(2), 2), 2)
    for chosen, targets in product(every, every):
        M, TS = pieces[chosen], pieces[targets]
        for c, k in product(range(3), range(4)):
            assert is_anchored(M, TS, c=c, k=k) == literal(as_sets(M), as_sets(TS), c, k)


def test_planted_instances_satisfy_the_definition_literally():
    for seed, (c, k) in enumerate([(1, 2), (2, 2), (2, 3), (3, 2)]):
        M, TS = planted_anchor_sets(4, 1, pieces=4, m=5, c=c, k=k, rng=seed)
        assert literal(as_sets(M), as_sets(TS), c, k)
        assert is_anchored(M, TS, c=c, k=k)


def test_planted_instances():
    M, TS = planted_anchor_sets(12, 10, pieces=60, m=100, c=2, k=5, rng=0)
    assert M.shape == (60, 22) and len(M) > M.shape[1]
    assert (M[:, :12].sum(axis=1) == 2).all() and len(np.unique(M[:, :12], axis=0)) == 60
    inside = (TS[:, None] | ~M).all(axis=2)
    assert inside.any(axis=1).all() and inside.sum(axis=1).max() <= 5
    assert is_anchored(M, TS, c=2, k=5)
    again = planted_anchor_sets(12, 10, pieces=60, m=100, c=2, k=5, rng=0)
    assert all(np.array_equal(a, b) for a, b in zip((M, TS), again, strict=True))
    assert planted_conjunctions(4, k=2, m=3, rng=0)[0].shape == (2, 4)


def test_anchor_numbers_of_a_font():
    greek = polytonic_greek()
    inside = (greek.images[:, None] | ~greek.components).all(axis=2)
    found = anchor_sets(greek.components, greek.images, c=2)
    numbers = [anchor_number(p, u, greek.images) for p, u in zip(greek.components, inside.T, strict=True)]
    assert [None if y is None else y.sum() for y in found] == numbers


# --- bad input --------------------------------------------------------------------------------------


TWO, THREE = np.eye(2, dtype=bool), np.eye(3, dtype=bool)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: anchor_set_candidates([[0, 1]], c=1), "targets: expected a boolean array with 2 axes"),
        (
            lambda: planted_anchor_sets(3, 1, pieces=4, m=1, c=2, k=1),
            "pieces: expected an integer >= 1 and <= 3, got 4",
        ),
        (lambda: planted_anchor_sets(3, 1, pieces=3, m=1, c=4, k=1), "c: expected an integer >= 1 and <= 3, got 4"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
