"""Tasks of Section 4 over product laws: exact errors, and what is paid for."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.laws import BooleanProduct


def test_probability_and_error_are_sums_over_all_points():
    rng, X = np.random.default_rng(0), np.array(list(product([False, True], repeat=4)))
    for _ in range(100):
        p, c, h = rng.choice([0.0, 1e-12, 0.25, 0.5, 0.9, 1.0], 4), rng.random(4) < 0.5, rng.random(4) < 0.5
        weight, law = np.where(X, p, 1 - p).prod(axis=1), BooleanProduct(p)
        true, said = (c <= X).all(axis=1), (h <= X).all(axis=1)
        assert law.probability(c) == pytest.approx(weight[true].sum(), abs=1e-15)
        assert ConjunctionTask(c, law).error(h) == pytest.approx(weight[true != said].sum(), abs=1e-15)
    task = ConjunctionTask([False, True], BooleanProduct([1 - 2**-40, 0.5]))  # small errors keep their digits
    assert task.error([True, True]) == 2**-41


def test_only_what_is_kept_is_paid_for():
    task, twin = (ConjunctionTask([True, False, False], BooleanProduct([0.5] * 3), rng=0) for _ in range(2))
    drawn, (X, y) = twin.unlabelled(200), task.examples(200, ones=[False, True, True])
    assert np.array_equal(X, drawn[drawn[:, 1] & drawn[:, 2]]) and np.array_equal(y, X[:, 0])
    assert task.unlabelled(10).shape == (10, 3) and twin.counts.labels == 0
    assert task.counts.labels == len(X) < 80


def test_without_a_law_no_examples():
    task = ConjunctionTask([True, False])
    for call in (lambda: task.unlabelled(3), lambda: task.examples(3), lambda: task.error([True, True])):
        with pytest.raises(ValueError, match=r"^distribution: expected a law"):
            call()
