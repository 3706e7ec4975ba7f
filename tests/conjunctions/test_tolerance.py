"""Metafeatures of conjunctions with wrong cells."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lifelong import metafeatures, represent
from lifelong_book.beyond.noise.tolerance import fits, robust_metafeatures

PROPERTY = settings(deadline=None, derandomize=True, max_examples=60)


def families(m: int = 6, n: int = 6) -> st.SearchStrategy[np.ndarray]:
    return st.tuples(st.integers(0, m), st.integers(1, n)).flatmap(lambda s: arrays(np.bool_, s))


def as_sets(rows) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(row).tolist()) for row in rows}


@PROPERTY
@given(families(8, 7))
def test_without_tolerance_it_is_algorithm_3(targets):
    found = robust_metafeatures(targets, tolerance=0.0)
    assert as_sets(found) == as_sets(metafeatures(targets))
    assert len(found) == len(metafeatures(targets))


@PROPERTY
@given(families(8, 7))
def test_fits_is_represent(targets):
    M = metafeatures(targets)
    expected = [represent(T, M) for T in targets]
    assert np.array_equal(fits(targets, M), np.array(expected).reshape(len(targets), len(M)))


def test_rare_variables_are_left_out():
    targets = np.array([[1, 1, 0]] * 9 + [[1, 1, 1]]) > 0
    assert as_sets(robust_metafeatures(targets, tolerance=0.0, support=2)) == {frozenset({0, 1})}
