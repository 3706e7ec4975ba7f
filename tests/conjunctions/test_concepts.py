"""Formal concepts, the cells that decide, fooling sets and greedy bases, against `concepts` and definitions."""

from __future__ import annotations

from itertools import product

import concepts
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lifelong import metafeatures, represent
from lifelong_book.beyond.rank.cover import fewest, merged
from lifelong_book.conjunctions.consistency.concept_lattice import (
    _masks,
    _rows,
    essential_cells,
    fooling_set,
    formal_concepts,
    greedy_concepts,
    is_fooling,
)

PROPERTY = settings(deadline=None, derandomize=True, max_examples=60)


def families(m: int = 6, n: int = 6) -> st.SearchStrategy[np.ndarray]:
    return st.tuples(st.integers(0, m), st.integers(1, n)).flatmap(lambda s: arrays(np.bool_, s))


def as_sets(rows) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(row).tolist()) for row in rows}


def is_basis(basis, targets) -> bool:
    return all(represent(T, basis) is not None for T in targets)


@PROPERTY
@given(families().filter(len))
def test_concepts_are_those_of_the_library(targets):
    m, n = targets.shape
    context = concepts.Context([f"T{i}" for i in range(m)], [f"v{j}" for j in range(n)], targets.tolist())
    theirs = {(frozenset(e), frozenset(i)) for e, i in context.lattice}
    extents, intents = formal_concepts(targets)
    ours = {
        (frozenset(f"T{i}" for i in np.flatnonzero(e)), frozenset(f"v{j}" for j in np.flatnonzero(i)))
        for e, i in zip(extents, intents, strict=True)
    }
    assert ours == theirs
    assert len(intents) == len(theirs)


@PROPERTY
@given(families())
def test_essential_cells_from_their_definition(targets):
    T, N = as_sets(targets), {}
    for z in range(targets.shape[1]):
        N.setdefault(frozenset(np.flatnonzero(targets[:, z]).tolist()), z)
    sets = [frozenset(np.flatnonzero(row).tolist()) for row in targets]
    first = {s: sets.index(s) for s in T}
    occurrences = {z: frozenset(s for s in T if z in s) for z in N.values()}
    cells = {(s, z) for s in T for z in N.values() if z in s}
    least = {
        (first[s], z)
        for s, z in cells
        if not any((t, y) != (s, z) and t <= s and occurrences[y] <= occurrences[z] for t, y in cells)
    }
    assert {tuple(cell) for cell in essential_cells(targets).tolist()} == least


@PROPERTY
@given(families().filter(len))
def test_essential_cells_are_the_double_arrows_of_the_complement(targets):
    """By the lattice of another program; and its arrows up are where a variable is minimal in a target."""
    m, n = targets.shape
    objects, attributes = [f"T{i}" for i in range(m)], [f"v{j}" for j in range(n)]
    lattice = concepts.Context(objects, attributes, (~targets).tolist()).lattice
    G, M = [lattice[name,] for name in objects], [lattice[name,] for name in attributes]
    cells = np.argwhere(targets).tolist()
    up = {(i, j) for i, j in cells if M[j].upper_neighbors == (G[i] | M[j],)}
    double = {(i, j) for i, j in up if G[i].lower_neighbors == (G[i] & M[j],)}
    row, N = [r.tobytes() for r in targets], [frozenset(np.flatnonzero(c).tolist()) for c in targets.T]
    assert up == {(i, j) for i, j in cells if not any(N[y] < N[j] for y in np.flatnonzero(targets[i]))}
    merged = {(row.index(row[i]), N.index(N[j])) for i, j in double}
    assert merged == {tuple(cell) for cell in essential_cells(targets).tolist()}
    assert len({c.extent for c in M if len(c.upper_neighbors) == 1}) == len(metafeatures(targets))


@PROPERTY
@given(families())
def test_fooling_sets_fool_and_certify(targets):
    cells = fooling_set(targets)
    rank = len(fewest(merged(targets))) if targets.any() else 0
    assert is_fooling(targets, cells)
    assert len(cells) <= rank <= len(metafeatures(targets))


@pytest.mark.parametrize("N", [3, 5])
def test_as_many_concepts_as_allowed_are_allowed(N):
    targets = ~np.eye(N, dtype=bool)  # every set of variables is an intent
    assert len(formal_concepts(targets, most=2**N)[1]) == 2**N
    with pytest.raises(ValueError, match=f"at most {2**N - 1} formal concepts"):
        formal_concepts(targets, most=2**N - 1)


def literal_greedy(targets) -> list[frozenset[int]]:
    """GreConD with sets, one candidate at a time."""
    T = [frozenset(np.flatnonzero(row).tolist()) for row in targets]
    missing = {(i, z) for i, s in enumerate(T) for z in s}
    made, n = [], targets.shape[1]
    while missing:
        intent, extent, best = frozenset(), frozenset(range(len(T))), 0
        while True:
            options = []
            for y in range(n):
                e = frozenset(i for i in extent if y in T[i])
                d = frozenset.intersection(frozenset(range(n)), *(T[i] for i in e))
                options.append((len(missing & set(product(e, d))), -y, e, d))
            top = max(options, key=lambda option: option[:2])
            if top[0] <= best:
                break
            best, _, extent, intent = top
        made.append(intent)
        missing -= set(product(extent, intent))
    return made


@PROPERTY
@given(families())
def test_greedy_against_a_literal_reading(targets):
    targets = targets[:, targets.any(axis=0)] if targets.any() else targets
    targets = np.unique(targets[targets.any(axis=1)], axis=0)
    targets = np.unique(targets, axis=1) if len(targets) else targets  # equal ones count once
    assert as_sets(greedy_concepts(targets)) == set(literal_greedy(targets))
    assert is_basis(greedy_concepts(targets), targets)


def test_the_cell_that_excludes_fewest_is_taken_next():
    targets = np.array([[1, 1, 0, 0, 1], [1, 1, 0, 1, 0], [0, 1, 0, 1, 0], [1, 0, 1, 0, 1]]) > 0
    assert len(fooling_set(targets)) == len(fewest(merged(targets))) == 4


@pytest.mark.parametrize("cells", [[[0, 2]], [[2, 0]], [[-1, 0]], [0, 1], [[0.0, 1.0]], [[0, 1, 1]]])
def test_cells_that_are_none_are_refused(cells):
    with pytest.raises(ValueError, match=r"^cells: expected pairs of a row and a column of shape"):
        is_fooling(np.ones((2, 2), dtype=bool), cells)
    assert is_fooling(np.ones((2, 2), dtype=bool), np.empty((0, 2), dtype=int))


@pytest.mark.parametrize("n", [1, 7, 8, 9, 16, 17, 18, 64, 65])
def test_rows_as_integers_and_back(n):
    rows = np.random.default_rng(n).random((20, n)) < 0.5
    rows[0] = True
    masks = [sum(1 << int(i) for i in np.flatnonzero(row)) for row in rows]
    assert _masks(rows) == masks
    np.testing.assert_array_equal(_rows(masks, n), rows)
