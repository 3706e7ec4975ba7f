"""Anchored metafeatures with given overlaps, and a stream that all of them cost (Section 4.2)."""

from collections.abc import Iterable
from itertools import combinations, islice

import numpy as np

from lifelong._checks import BoolArray, integer


def overlapping_metafeatures(k: int, overlaps: Iterable[Iterable[int]]) -> BoolArray:
    """Metafeatures of Algorithm 4's chapter: anchored, one variable for each wanted overlap, which must be paid for."""
    k = integer("k", k, least=1)
    sets = [[integer("overlaps", j, least=0, most=k - 1) for j in overlap] for overlap in overlaps]
    M = np.zeros((k, k + len(sets)), dtype=np.bool_)
    M[np.arange(k), np.arange(k)] = True
    for column, members in enumerate(sets, start=k):
        M[members, column] = True
    return M


def selector_sequence(p: int, s: int, q: int) -> tuple[BoolArray, BoolArray]:
    """A stream of p q targets, all learned from scratch by Algorithm 4, over p + s metafeatures; s at least 4."""
    sets = [*islice(combinations(range(s), s // 2), q)]
    shared = np.array([[e in B for B in sets] for e in range(s)])
    M = np.eye(p + s, p + s + q, dtype=bool)
    M[p:, p + s :] = shared
    outside = [M[p:][~column].any(axis=0) for column in shared.T]
    targets = [M[j] | rest for j in range(p) for rest in outside]
    return M, np.array(targets)
