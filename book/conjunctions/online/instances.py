"""Anchored metafeatures with given overlaps, and a stream that all of them cost (Section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, islice
from math import comb

import numpy as np

from lifelong._checks import BoolArray, integer


def overlapping_metafeatures(k: int, overlaps: Iterable[Iterable[int]]) -> BoolArray:
    """Anchored metafeatures with one variable for each wanted overlap."""
    k = integer("k", k, least=1)
    sets = [[integer("overlaps", j, least=0, most=k - 1) for j in overlap] for overlap in overlaps]
    M = np.zeros((k, k + len(sets)), dtype=np.bool_)
    M[np.arange(k), np.arange(k)] = True
    for column, members in enumerate(sets, start=k):
        M[members, column] = True
    return M


def selector_sequence(p: int, s: int, q: int) -> tuple[BoolArray, BoolArray]:
    """A stream of p q targets over p + s anchored metafeatures, all learned from scratch."""
    p, s = integer("p", p, least=1), integer("s", s, least=4)
    q = integer("q", q, least=1, most=comb(s, s // 2))
    shared = [tuple(p + e for e in chosen) for chosen in islice(combinations(range(s), s // 2), q)]
    M = overlapping_metafeatures(p + s, shared)
    without = [M[p:][~M[p:, column]].any(axis=0) for column in range(p + s, p + s + q)]
    targets: BoolArray = np.array([M[j] | rest for j in range(p) for rest in without])
    return M, targets
