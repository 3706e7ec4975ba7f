"""Families of sets for the tests of Section 4: as boolean rows, as frozensets, and Definition 1 by brute force."""

from __future__ import annotations

from itertools import chain, combinations, product

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

PROPERTY = settings(deadline=None, derandomize=True, max_examples=60)
Set = frozenset[int]


def families(m: int = 6, n: int = 5) -> st.SearchStrategy[np.ndarray]:
    return st.tuples(st.integers(0, m), st.integers(1, n)).flatmap(lambda s: arrays(np.bool_, s))


def as_sets(M: np.ndarray) -> list[Set]:
    return [frozenset(np.flatnonzero(row).tolist()) for row in M]


def as_rows(sets, n: int) -> np.ndarray:
    return np.array([[i in s for i in range(n)] for s in sets], dtype=bool).reshape(-1, n)


def subsets(items, most: int, least: int = 0) -> list[Set]:
    items = sorted(items)
    sizes = range(least, min(most, len(items)) + 1)
    return [frozenset(s) for s in chain.from_iterable(combinations(items, size) for size in sizes)]


def closure(y: Set, TS: list[Set]) -> Set | None:
    holding = [T for T in TS if y <= T]
    return frozenset.intersection(*holding) if holding else None


def brute_candidates(TS: list[Set], n: int, c: int) -> set[Set]:
    found = {closure(y, TS) for y in subsets(range(n), c)}
    return found - {None, frozenset()}


def literal(M: list[Set], TS: list[Set], c: int, k: int) -> bool:
    """Definition 1 word for word: search for the anchor sets y_j and for the relevant sets R_r."""

    def relevant(T: Set, y: tuple[Set, ...]) -> bool:
        needed = {j for j in range(len(M)) if y[j] <= T}
        choices = (R for R in subsets(range(len(M)), k) if needed <= R)
        return any(frozenset().union(*(M[j] for j in R)) == T for R in choices)

    return any(all(relevant(T, y) for T in TS) for y in product(*(subsets(m, c) for m in M)))


def missing_one(n: int) -> np.ndarray:
    return ~np.eye(n, dtype=bool)
