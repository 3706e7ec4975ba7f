"""Tasks of Section 4 over product laws: exact errors, and what is paid for."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.laws import BooleanProduct


def points(n: int) -> np.ndarray:
    return np.array(list(product([False, True], repeat=n)))


def value(c: np.ndarray, X: np.ndarray) -> np.ndarray:
    return (X | ~c).all(axis=1)


rows = st.lists(st.booleans(), min_size=4, max_size=4).map(np.array)


laws = st.lists(st.sampled_from([0.0, 1e-12, 0.25, 0.5, 0.9, 1.0]), min_size=4, max_size=4).map(np.array)


@given(laws, rows, rows)
def test_probability_and_error_are_sums_over_all_points(p, c, h):
    weight = np.where(points(4), p, 1 - p).prod(axis=1)
    law = BooleanProduct(p)
    assert law.probability(c) == pytest.approx(weight[value(c, points(4))].sum(), abs=1e-15)
    differ = value(c, points(4)) != value(h, points(4))
    assert ConjunctionTask(c, law).error(h) == pytest.approx(weight[differ].sum(), abs=1e-15)


def test_small_errors_keep_their_digits():
    law = BooleanProduct([1 - 2**-40, 0.5])
    task = ConjunctionTask([False, True], law)
    assert task.error([True, True]) == 2**-41
    assert task.error([False, True]) == 0


def test_only_what_is_kept_is_paid_for():
    task = ConjunctionTask([True, False, False], BooleanProduct([0.5, 0.5, 0.5]), rng=0)
    drawn = ConjunctionTask([True, False, False], BooleanProduct([0.5, 0.5, 0.5]), rng=0).unlabelled(200)
    X, y = task.examples(200, ones=[False, True, True])
    assert np.array_equal(X, drawn[drawn[:, 1] & drawn[:, 2]])
    assert np.array_equal(y, X[:, 0])
    assert task.counts.labels == len(X) < 80
    assert task.unlabelled(10).shape == (10, 3)
    assert task.counts.labels == len(X)


def test_tasks_without_a_law_and_bad_rows():
    task = ConjunctionTask([True, False])
    for call in (lambda: task.unlabelled(3), lambda: task.examples(3), lambda: task.error([True, True])):
        with pytest.raises(ValueError, match=r"^distribution: expected a law"):
            call()
    task = ConjunctionTask([True, False], BooleanProduct([0.5, 0.5]))
    with pytest.raises(ValueError, match=r"^h: expected dimension 2 as in the task, got dimension 3"):
        task.error([True, True, False])
    with pytest.raises(ValueError, match=r"^ones: expected a boolean array"):
        task.examples(3, ones=[0, 1])
    with pytest.raises(ValueError, match=r"^conjunction: expected dimension 2"):
        BooleanProduct([0.5, 0.5]).probability([True])
