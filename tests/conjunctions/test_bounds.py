"""Bounds of Section 4: their defining properties."""

from __future__ import annotations

from itertools import combinations
from math import exp, log

import numpy as np
import pytest

from lifelong.conjunctions import bounds
from lifelong.conjunctions.bounds import SampleSizes, product_sizes, product_sizes_printed
from lifelong_book.conjunctions.applications import limits
from lifelong_book.conjunctions.applications.instances import independent_labels
from lifelong_book.conjunctions.online.instances import overlapping_metafeatures


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_uniform_is_the_largest_sharp_bound(k):
    overlaps = [B for size in range(2, k + 1) for B in combinations(range(k), size)]
    for q in range(5):
        chosen = [list(c) for r in range(q + 1) for c in combinations(overlaps, r)]
        largest = max(bounds.online_sharp(overlapping_metafeatures(k, c)) for c in chosen)
        assert bounds.online_uniform(k + q, k=k) == largest


def test_bounds_are_in_order_and_grow_with_both_numbers():
    table = {(n, k): bounds.online_uniform(n, k=k) for n in range(1, 30) for k in range(1, n + 1)}
    for (n, k), value in table.items():
        assert value <= min(k * n, n * (n - 1) // 2 + k) <= bounds.online_printed(n, k=k)
        assert value <= table.get((n + 1, k), value) and value <= table.get((n, k + 1), value)
        assert n != k or value == min(2**n - 1, bounds.online_any(n)) == n * (n + 1) // 2


def test_sharp_counts_distinct_overlaps_once():
    once = overlapping_metafeatures(5, [(0, 1), (1, 2, 3)])
    twice = np.hstack([once, once[:, [5, 6, 0]], np.zeros((5, 2), dtype=bool)])
    twice[0, 0] = False  # the copy of variable 0 is the anchor now
    assert bounds.online_sharp(once) == bounds.online_sharp(twice) == 5 + 10 + 3 + 2


def test_sizes_meet_their_inequalities():
    rng = np.random.default_rng(0)
    for _ in range(30):
        n, m, e, d, c0 = *rng.integers(1, (60, 500)).tolist(), *rng.uniform(0.01, (0.9, 0.9, 1)).tolist()
        sizes, r, Q = product_sizes(n, e, m=m, delta=d, c0=c0), 1 - e / 2, n * (n + 1) / 2
        assert n * exp(-sizes.unlabelled * e / (24 * n)) <= d / 3 * (1 + 1e-9)
        assert n * exp(-(sizes.unlabelled - 1) * e / (24 * n)) > d / 3 * (1 - 1e-9)  # not one more than that
        assert len(sizes.reuse) == n + 1 and list(sizes.reuse) == sorted(sizes.reuse)
        for j, size in enumerate(sizes.reuse):
            assert log(m) + j * log(2) - size * r * e / 2 <= log(d / 3) + 1e-9
            assert (size - 1) * r * e / 2 < j * log(2) + log(3 * m / d)
        assert log(n * Q) - sizes.scratch * r * c0 * e / (8 * n) <= log(d / 3) + 1e-9
        assert log(n * Q) - (sizes.scratch - 1) * r * c0 * e / (8 * n) > log(d / 3) - 1e-9
        assert max(limits.proof_failures(n, e, m=m, delta=d, c0=c0)) <= 1 + 1e-9
    assert min(limits.proof_failures(20, 0.1, m=100, constant=0.2)) > 1


def test_printed_sizes_and_labels():
    sizes = product_sizes_printed(10, 0.5, k=2, m=5, delta=0.1, constant=2)
    exact = (2 * 20 * log(100), 2 * 4 * log(50), 2 * 20 * log(200))
    assert (sizes.unlabelled, sizes.reuse[0], sizes.scratch) == tuple(int(np.ceil(x)) for x in exact)
    assert set(sizes.reuse) == {sizes.reuse[0]}
    assert independent_labels(10, 0.5, m=5, delta=0.1) == 5 * int(np.ceil(2 * (10 * log(2) + log(50))))
    sizes = SampleSizes(100, (50,) * 9, 200)
    assert bounds.product_labels(sizes, m=5, k=2, scratch=3) == 5 * 50 + 3 * 200
    sizes = SampleSizes(100, (50,) * 9, 200, first=70)  # the first problem apart
    labels = [bounds.product_labels(sizes, m=m, k=3, scratch=scratch) for m, scratch in ((0, 0), (1, 1), (5, 2))]
    assert labels == [0, 70, 70 + 4 * 50 + 200]


def test_queries_and_rounding_by_their_formulas():
    assert bounds.online_printed(5, k=3) == 28 and bounds.equivalence_queries(5, m=7, k=2, scratch=3) == 7 * 3 + 15
    assert bounds.winnow_mistakes(81, k=2, alpha=3) == pytest.approx(3 * 2 * 4 + 3)
    assert bounds.winnow_queries(20, m=10, k=2, features=16, scratch=3) == 10 * (1 + 18) + 60
    assert bounds.rounding_logarithm(10, m=7) == pytest.approx(log(700))
    assert bounds.rounding_logarithm(1, m=2) == 1 and log(2) < 1
    assert bounds.rounded_sparsity(10, k=2, m=7) == pytest.approx(6 * log(700))
    assert bounds.rounded_sparsity(10, k=4, m=7) == pytest.approx(8 * log(700))
