"""Anchored metafeatures with given overlaps, and a stream that all of them cost (Section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, islice
from math import comb

import numpy as np

from lifelong._checks import BoolArray, integer

__all__ = [
    "overlapping_metafeatures",
    "selector_sequence",
]


def overlapping_metafeatures(k: int, overlaps: Iterable[Iterable[int]]) -> BoolArray:
    """Anchored metafeatures with one variable for each wanted overlap.

    Parameters
    ----------
    k : int
        Number of metafeatures, at least 1.
    overlaps : iterable of iterables of int
        Each lists the metafeatures, 0 to k - 1, that share one further variable.

    Returns
    -------
    bool, shape (k, k + q)
        Variable j < k is the anchor of metafeature j; variable k + i is in the metafeatures of overlap i.

    Raises
    ------
    ValueError
        If `k` or a member of an overlap is out of range.

    Notes
    -----
    How many targets are learned from scratch depends only on which overlaps occur (`thm-online-sharp`).

    Examples
    --------
    >>> overlapping_metafeatures(3, [(0, 1), (1, 2)]).astype(int)
    array([[1, 0, 0, 1, 0],
           [0, 1, 0, 1, 1],
           [0, 0, 1, 0, 1]])
    """
    k = integer("k", k, least=1)
    sets = [[integer("overlaps", j, least=0, most=k - 1) for j in overlap] for overlap in overlaps]
    M = np.zeros((k, k + len(sets)), dtype=np.bool_)
    M[np.arange(k), np.arange(k)] = True
    for column, members in enumerate(sets, start=k):
        M[members, column] = True
    return M


def selector_sequence(p: int, s: int, q: int) -> tuple[BoolArray, BoolArray]:
    """A stream of p q targets over p + s anchored metafeatures, all learned from scratch.

    Parameters
    ----------
    p : int
        Selectors: metafeatures of a single variable, at least 1.
    s : int
        Overlapping metafeatures, at least 4.
    q : int
        Shared variables, each in its own choice of s // 2 overlapping metafeatures; 1 to binomial(s, s // 2).

    Returns
    -------
    metafeatures : bool, shape (p + s, p + s + q)
    targets : bool, shape (p q, p + s + q)
        One for each selector and shared variable: the union of that selector and of all overlapping
        metafeatures without that variable.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    For s small beside p and p beside q their number is k n less a vanishing part (`thm-online-sharp`).

    Examples
    --------
    >>> M, targets = selector_sequence(2, 4, 3)
    >>> M.shape, targets.shape
    ((6, 9), (6, 9))
    """
    p, s = integer("p", p, least=1), integer("s", s, least=4)
    q = integer("q", q, least=1, most=comb(s, s // 2))
    shared = [tuple(p + e for e in chosen) for chosen in islice(combinations(range(s), s // 2), q)]
    M = overlapping_metafeatures(p + s, shared)
    without = [M[p:][~M[p:, column]].any(axis=0) for column in range(p + s, p + s + q)]
    targets: BoolArray = np.array([M[j] | rest for j in range(p) for rest in without])
    return M, targets
