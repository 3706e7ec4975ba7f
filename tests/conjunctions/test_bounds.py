"""Bounds of Section 4: their defining properties, and their errors."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong.conjunctions.bounds import union_dimension


def test_union_dimension():
    assert [union_dimension(k) for k in (1, 2, 5)] == [1, 3, 31]
    assert union_dimension(200) == 2**200 - 1
    assert type(union_dimension(np.int64(3))) is int
    assert union_dimension(np.int64(100)) == 2**100 - 1


@pytest.mark.parametrize("bad", [0, -1, 2.0, True, "3", None, [3], np.nan])
def test_k_must_be_a_positive_integer(bad):
    with pytest.raises(ValueError, match=r"^k: expected an integer .*, got .+"):
        union_dimension(bad)
