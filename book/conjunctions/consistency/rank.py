"""The Boolean rank: the smallest basis of a family of conjunctions, anchored or not, with a certificate (Section 4).

A basis of a family of targets is a set of metafeatures whose unions give every target. With the targets as rows of a
boolean matrix, its size is the inner dimension of a boolean factorisation, and the least size is the Boolean rank.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer, number
from lifelong.conjunctions.algorithm3 import distinct, metafeatures, represent
from lifelong_book.conjunctions.consistency.concept_lattice import (
    _concepts,
    _essential,
    _fooling,
    _Reduced,
    _reduced,
    _within,
    formal_concepts,
    greedy_concepts,
)
from lifelong_book.conjunctions.consistency.instances import sperner_rank

IntArray = NDArray[np.intp]
Proof = Literal["weights", "antichain", "search", "none"]


@dataclass(frozen=True)
class BooleanRank:
    """Bounds for a Boolean rank, with what proves them."""

    lower: int
    upper: int
    metafeatures: BoolArray
    cells: IntArray
    weights: tuple[Fraction, ...]
    antichain: IntArray
    proof: Proof

    @property
    def optimal(self) -> bool:
        """Whether the search was finished."""
        return self.lower == self.upper

    @property
    def rank(self) -> int:
        """The Boolean rank."""
        if not self.optimal:
            raise ValueError(
                f"time_limit, most: expected enough to finish, got only {self.lower} <= rank <= {self.upper}"
            )
        return self.upper


def _antichain(A: BoolArray) -> IntArray:
    """Places of the largest number of rows none of which contains another (Dilworth, by way of a matching)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    inside = _within(A) > 0
    below = inside & ~inside.T
    above = maximum_bipartite_matching(csr_array(below), perm_type="column")  # the partner of a row, or -1
    partner = np.full(len(A), -1)
    partner[above[above >= 0]] = np.flatnonzero(above >= 0)
    left, right, fresh = above < 0, np.zeros(len(A), dtype=np.bool_), above < 0
    while fresh.any():  # alternating paths from the rows without partner
        reached = below[fresh].any(axis=0) & ~right
        right |= reached
        fresh = np.isin(np.arange(len(A)), partner[reached]) & ~left
        left |= fresh
    return np.flatnonzero(left & ~right)


class _Cover(NamedTuple):
    """Concepts against essential cells, as a sparse 0/1 matrix: cells are rows."""

    matrix: Any
    intents: BoolArray


def _cover(A: BoolArray, i: IntArray, j: IntArray, extents: BoolArray, intents: BoolArray) -> _Cover:
    """Concepts that cover the same essential cells are the same to us: one of each kind is kept."""
    from scipy.sparse import csr_array

    covers = extents[:, i] & intents[:, j]
    kept = distinct(covers)[0]
    kept = kept[covers[kept].any(axis=1)]
    return _Cover(csr_array(covers[kept].T).astype(np.float64), intents[kept])


def _weights(cover: _Cover, seconds: float) -> list[Fraction]:
    """Weights of cells, at most 1 in every concept, of nearly the largest sum: dual prices, made exact."""
    from scipy.optimize import linprog

    count = cover.matrix.shape[0]
    limit = {"time_limit": max(seconds, 1e-3)}
    solved = linprog(-np.ones(count), A_ub=cover.matrix.T, b_ub=np.ones(len(cover.intents)), options=limit)
    if solved.x is None:
        return [Fraction(0)] * count
    weights = [max(Fraction(float(x)).limit_denominator(5040), Fraction(0)) for x in solved.x]
    columns = cover.matrix.tocsc()
    cuts = zip(columns.indptr[:-1], columns.indptr[1:], strict=True)
    heaviest = max(sum((weights[r] for r in columns.indices[a:b]), Fraction(0)) for a, b in cuts)
    return [w / max(heaviest, Fraction(1)) for w in weights]


def _search(cover: _Cover, least: int, seconds: float) -> tuple[IntArray | None, int]:
    """Fewest concepts that cover all cells, known to be `least` or more: places or None, and a lower bound."""
    from scipy.optimize import LinearConstraint, milp

    count = len(cover.intents)
    solved = milp(
        np.ones(count),
        integrality=np.ones(count),
        bounds=(0, 1),
        constraints=[LinearConstraint(cover.matrix, lb=1), LinearConstraint(np.ones((1, count)), lb=least)],
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    bound = solved.mip_dual_bound
    lower = 0 if bound is None or not np.isfinite(bound) else ceil(bound - 1e-6)
    chosen = None if solved.x is None else np.flatnonzero(solved.x > 0.5)
    return chosen, lower


def _covers_all(cover: _Cover, chosen: IntArray) -> bool:
    return bool((cover.matrix[:, chosen].sum(axis=1) > 0.5).all())


def boolean_rank(targets: ArrayLike, *, time_limit: float = 60.0, most: int = 20_000) -> BooleanRank:
    """The fewest metafeatures, anchored or not, whose unions give every target; with a certificate."""
    TS = bool_array("targets", targets, axes=2)
    seconds = number("time_limit", time_limit, low=0.0, high=np.inf, open_low=True, open_high=True)
    most = integer("most", most, least=1)
    deadline = time.monotonic() + seconds
    reduced = _reduced(TS)
    found = _quick(reduced.A)
    concepts = None if found.lower == len(found.basis) else _concepts(reduced.A, most, deadline)
    if concepts is not None:
        found = _exact(reduced.A, found, concepts, deadline)
    return _result(reduced, found)


class _Found(NamedTuple):
    """What is known so far: a basis, weights of the essential cells (i, j), and lower bounds."""

    basis: BoolArray
    i: IntArray
    j: IntArray
    weights: list[Fraction]
    antichain: IntArray
    searched: int

    @property
    def lower(self) -> int:
        return max(ceil(sum(self.weights)), sperner_rank(len(self.antichain)), self.searched)


def _quick(A: BoolArray) -> _Found:
    """The smallest basis and the lower bounds that need no search."""
    single: BoolArray = np.eye(A.shape[1], dtype=np.bool_)
    basis = min((metafeatures(A), greedy_concepts(A), A, single), key=len) if len(A) else A
    i, j = np.nonzero(_essential(A))
    fooling = np.isin(np.arange(len(i)), _fooling(A, i, j))
    return _Found(basis, i, j, [Fraction(int(f)) for f in fooling], _antichain(A), 0)


def _exact(A: BoolArray, found: _Found, concepts: tuple[BoolArray, BoolArray], deadline: float) -> _Found:
    """Better weights, then the integer programme, as far as the time allows."""
    cover = _cover(A, found.i, found.j, *concepts)
    weights = _weights(cover, deadline - time.monotonic())
    found = found._replace(weights=max(found.weights, weights, key=sum))
    left = deadline - time.monotonic()
    if found.lower == len(found.basis) or left <= 0:
        return found
    chosen, bound = _search(cover, found.lower, left)
    if chosen is not None and len(chosen) < len(found.basis) and _covers_all(cover, chosen):
        found = found._replace(basis=cover.intents[chosen])
    return found._replace(searched=min(bound, len(found.basis)))


def _proof(found: _Found) -> Proof:
    size = len(found.basis)
    if ceil(sum(found.weights)) == size:
        return "weights"
    if sperner_rank(len(found.antichain)) == size:
        return "antichain"
    return "search" if found.searched == size else "none"


def _result(reduced: _Reduced, found: _Found) -> BooleanRank:
    """In terms of the original targets and variables, weights 0 left out."""
    positive = np.array([w > 0 for w in found.weights], dtype=np.bool_)
    cells = np.column_stack([reduced.row[found.i[positive]], reduced.column[found.j[positive]]])
    return BooleanRank(
        found.lower,
        len(found.basis),
        reduced.spread(found.basis),
        cells,
        tuple(w for w in found.weights if w > 0),
        reduced.row[found.antichain],
        _proof(found),
    )


def is_certified(targets: ArrayLike, found: BooleanRank) -> bool:
    """Whether a basis and its weights are what they claim to be, tested against every formal concept, in fractions."""
    TS = bool_array("targets", targets, axes=2)
    if not isinstance(found, BooleanRank):
        raise TypeError(f"found: expected a BooleanRank, got {found!r}")
    basis = all(represent(T, found.metafeatures) is not None for T in TS)
    if not basis or len(found.metafeatures) != found.upper or not found.upper:
        return basis and found.upper == len(found.metafeatures) == len(found.weights)
    extents, intents = formal_concepts(TS)
    i, j = found.cells.T
    heaviest = max(
        sum((w for w, c in zip(found.weights, inside, strict=True) if c), Fraction(0))
        for inside in extents[:, i] & intents[:, j]
    )
    total = sum(found.weights, Fraction(0))
    sound = heaviest <= 1 and bool(TS[i, j].all()) and total <= found.upper
    return sound and (found.proof != "weights" or total > found.upper - 1)
