"""Bounds of Section 5 against their formulas."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong.polynomials import bounds


def test_the_bounds_are_these_numbers():
    assert bounds.eg_loss(10, bound=3, examples=5) == pytest.approx(2 * 9 * np.log(20) / 5)
    assert bounds.eg_loss(10, bound=3, examples=5, comparator=1.0) == pytest.approx(3 * (1 + 9 * np.log(20) / 5))
    certificate = (4.0 + 4 * 9 * np.log(20)) / (1 - np.exp(-1)) / 50
    assert bounds.progressive_error(4.0, 50, bound=3, delta=0.05) == pytest.approx(certificate)
    s = bounds.eg_examples(10, 0.2, bound=3, delta=0.05)
    assert bounds.progressive_error(bounds.eg_loss(10, bound=3), s, bound=3, delta=0.05) <= 0.2
    assert bounds.progressive_error(bounds.eg_loss(10, bound=3), s - 1, bound=3, delta=0.05) > 0.2


def test_queries_of_the_exact_learner():
    for n, t, equivalence, membership in ((8, 0, 2, 0), (8, 1, 10, 18), (8, 2, 18, 85), (5, 3, 17, 144)):
        assert bounds.schapire_sellie_equivalence(n, t=t) == equivalence
        assert bounds.schapire_sellie_membership(n, t=t) == membership
    assert bounds.schapire_sellie_sharp([[False] * 8, [True] * 8]) == (11, 30)
    assert bounds.schapire_sellie_sharp(np.eye(3, dtype=bool)) == (10, 54)
