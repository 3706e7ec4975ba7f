"""A basis of known size: the fewest metafeatures for the sets with one variable missing."""

from itertools import combinations, islice
from math import comb

import numpy as np

from lifelong._checks import BoolArray


def sperner_rank(width: int) -> int:
    """Least number of metafeatures with so many unions that none of these contains another."""
    if not width:
        return 0
    sizes = range(1, width + 1)
    return next(r for r in sizes if comb(r, r // 2) >= width)


def sperner_basis(n: int) -> BoolArray:
    """The fewest metafeatures for the sets of n variables with one missing."""
    r = sperner_rank(n)
    missing = islice(combinations(range(r), r // 2), n)
    return np.array([[j not in J for j in range(r)] for J in missing]).T
