"""The Boolean rank and its certificates, against searches that share no code with them."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lifelong import metafeatures, represent
from lifelong_book.beyond.rank import claims, cover
from lifelong_book.beyond.rank.experiments import fewest_cliques, fewest_concepts, largest_fooling_set
from lifelong_book.beyond.rank.instances import sperner_basis, sperner_rank

matrices = arrays(bool, st.tuples(st.integers(1, 6), st.integers(1, 6))).filter(np.any)


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_the_rank_is_certified_from_both_sides(targets):
    TS = cover.merged(targets)
    M, w = cover.fewest(TS), cover.weights(TS)
    assert len(M) == fewest_concepts(targets) == claims.fooled(targets)["cells"][1]
    assert all(represent(T, M) is not None for T in TS)
    inside = [[I[z] and (I <= TS[T]).all() for T, z in cover.essential(TS)] for I in cover.intents(TS)]
    assert all(sum(v for v, x in zip(w, row, strict=True) if x) <= 1 for row in inside)
    assert sum(w, Fraction(0)) <= len(M)


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_parts_of_the_covering_problem(targets):
    TS = cover.merged(targets)
    cells = cover.fooling(TS)
    assert not (cover.crossed(TS, cells) & ~np.eye(len(cells), dtype=bool)).any()
    assert len(cells) <= largest_fooling_set(TS) <= len(cover.fewest(TS)) <= len(cover.greedy(TS))


def test_merging_keeps_the_order_and_drops_what_is_empty():
    TS = np.array([[0, 1, 1, 0], [0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 1, 0]]) > 0
    assert cover.merged(TS).tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize("v", [2, 4, 5])
def test_the_family_of_a_graph(v):
    G = np.eye(v, k=1) + np.eye(v, k=-1) > 0  # a path
    TS = cover.clique_family(G)
    assert len(cover.fewest(TS)) == G.sum() + fewest_cliques(G)
    assert len(metafeatures(TS)) == G.sum() + v


def test_sperner_rank_against_its_definition():
    assert sperner_rank(0) == 0
    for width in range(1, 200):
        r = sperner_rank(width)
        assert comb(r, r // 2) >= width and (r == 1 or comb(r - 1, (r - 1) // 2) < width)


@pytest.mark.parametrize("n", [2, 3, 7, 20])
def test_sperner_basis_represents_all_but_one(n):
    basis = sperner_basis(n)
    assert len(basis) == sperner_rank(n)
    assert all(represent(T, basis) is not None for T in ~np.eye(n, dtype=bool))
