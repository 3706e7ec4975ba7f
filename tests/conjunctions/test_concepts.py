"""Formal concepts, the cells that decide, fooling sets and greedy bases, against `concepts` and definitions."""

from __future__ import annotations

import concepts
import numpy as np
from hypothesis import given
from set_families import PROPERTY, as_sets, families

from lifelong import metafeatures
from lifelong_book.beyond.rank import cover


@PROPERTY
@given(families(6, 6).filter(len))
def test_concepts_are_those_of_the_library(targets):
    m, n = targets.shape
    context = concepts.Context([f"T{i}" for i in range(m)], [f"v{j}" for j in range(n)], targets.tolist())
    theirs = [({int(t[1:]) for t in e}, {int(v[1:]) for v in i}) for e, i in context.lattice]
    intents = cover.intents(targets)
    ours = list(zip(*map(as_sets, (cover.inside(intents, targets).T, intents)), strict=True))
    assert sorted(map(str, [(set(e), set(i)) for e, i in ours])) == sorted(map(str, theirs))


@PROPERTY
@given(families(6, 6).filter(np.any).map(cover.merged))
def test_essential_cells_are_the_double_arrows_of_the_complement(targets):
    """By the lattice of another program; and its arrows up are where a variable is minimal in a target."""
    m, n = targets.shape
    objects, attributes = [f"T{i}" for i in range(m)], [f"v{j}" for j in range(n)]
    lattice = concepts.Context(objects, attributes, (~targets).tolist()).lattice
    G, M = [lattice[name,] for name in objects], [lattice[name,] for name in attributes]
    cells = np.argwhere(targets).tolist()
    up = {(i, j) for i, j in cells if M[j].upper_neighbors == (G[i] | M[j],)}
    double = {(i, j) for i, j in up if G[i].lower_neighbors == (G[i] & M[j],)}
    row, N = [r.tobytes() for r in targets], as_sets(targets.T)
    assert up == {(i, j) for i, j in cells if not any(N[y] < N[j] for y in np.flatnonzero(targets[i]))}
    found = {(row.index(row[i]), N.index(N[j])) for i, j in double}
    assert found == {tuple(cell) for cell in cover.essential(targets).tolist()}
    assert len({c.extent for c in M if len(c.upper_neighbors) == 1}) == len(metafeatures(targets))
