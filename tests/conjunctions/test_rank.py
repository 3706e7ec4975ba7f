"""The Boolean rank and its certificates, against brute force."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog
from scipy.sparse import csr_array

from lifelong import metafeatures, represent
from lifelong_book.conjunctions.consistency import rank as rank_module
from lifelong_book.conjunctions.consistency.concept_lattice import (
    essential_cells,
    fooling_set,
    formal_concepts,
    greedy_concepts,
)
from lifelong_book.conjunctions.consistency.experiments import (
    all_families,
    all_graphs,
    fewest_cliques,
    fewest_concepts,
    smallest_bases,
)
from lifelong_book.conjunctions.consistency.glyphs import seven_segment
from lifelong_book.conjunctions.consistency.instances import clique_cover_family, sperner_rank
from lifelong_book.conjunctions.consistency.rank import BooleanRank, _antichain, boolean_rank, is_certified
from lifelong_book.conjunctions.consistency.tolerance import fits, robust_metafeatures

PROPERTY = settings(deadline=None, derandomize=True, max_examples=60)


def families(m: int = 6, n: int = 6) -> st.SearchStrategy[np.ndarray]:
    return st.tuples(st.integers(0, m), st.integers(1, n)).flatmap(lambda s: arrays(np.bool_, s))


def as_sets(rows) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(row).tolist()) for row in rows}


def is_basis(basis, targets) -> bool:
    return all(represent(T, basis) is not None for T in targets)


# --- concepts and cells -----------------------------------------------------------------------------


@PROPERTY
@given(families(7, 4))
def test_antichains_are_largest(targets):
    rows = np.unique(targets, axis=0)
    found = _antichain(rows)
    sets = [frozenset(np.flatnonzero(row).tolist()) for row in rows]

    def incomparable(places) -> bool:
        return all(not (sets[a] <= sets[b] or sets[b] <= sets[a]) for a, b in combinations(places, 2))

    assert incomparable(found)
    assert not any(incomparable(places) for places in combinations(range(len(rows)), len(found) + 1))


# --- the rank ---------------------------------------------------------------------------------------


def test_the_rank_of_every_family_on_three_variables():
    wanted = smallest_bases(3, need_anchors=False)
    for family, rank in zip(all_families(3), wanted, strict=True):
        found = boolean_rank(family)
        assert found.rank == rank
        assert is_certified(family, found)


def test_the_rank_of_a_twentieth_of_the_families_on_four_variables():
    wanted = smallest_bases(4, need_anchors=False)
    for i, family in enumerate(all_families(4)):
        if i % 20 == 7:
            assert boolean_rank(family).rank == wanted[i]


@PROPERTY
@given(families(5, 5))
def test_the_rank_is_the_fewest_concepts_and_that_of_the_transpose(targets):
    found = boolean_rank(targets)
    assert found.rank == fewest_concepts(targets)
    assert is_basis(found.metafeatures, targets)
    assert is_certified(targets, found)
    if len(targets):
        assert boolean_rank(np.ascontiguousarray(targets.T)).rank == found.rank


@PROPERTY
@given(families(), st.randoms(use_true_random=False))
def test_copies_and_empty_rows_change_nothing(targets, random):
    rank = boolean_rank(targets).rank
    rows = [random.randrange(len(targets)) for _ in range(3)] if len(targets) else []
    wider = np.vstack([targets, targets[rows], np.zeros((1, targets.shape[1]), dtype=bool)])
    wider = np.hstack([wider, wider[:, :1], np.zeros((len(wider), 2), dtype=bool)])
    found = boolean_rank(wider)
    assert found.rank == rank
    assert not found.metafeatures[:, -2:].any()
    assert is_basis(found.metafeatures, wider)
    if len(found.cells):
        assert wider[tuple(found.cells.T)].all()


def test_the_digits_of_a_display():
    found = boolean_rank(seven_segment())
    assert (found.rank, len(metafeatures(seven_segment())), found.proof) == (6, 7, "weights")
    assert sum(found.weights) > 5
    assert all(isinstance(w, Fraction) for w in found.weights)


@pytest.mark.parametrize("N", range(2, 9))
def test_all_but_one(N):
    found = boolean_rank(~np.eye(N, dtype=bool))
    assert found.rank == sperner_rank(N)
    assert len(found.antichain) == N


def test_bounds_when_the_search_is_cut_short():
    targets = np.random.default_rng(0).random((30, 30)) < 0.8
    for found in (boolean_rank(targets, most=50), boolean_rank(targets, time_limit=1e-6)):
        assert not found.optimal
        assert found.proof == "none"
        assert found.lower < found.upper == len(found.metafeatures)
        assert is_basis(found.metafeatures, targets)
        with pytest.raises(ValueError, match="time_limit"):
            _ = found.rank


@pytest.mark.parametrize("answer", [[], [0], [1, 0]])
def test_a_wrong_answer_of_the_solver_is_not_believed(monkeypatch, answer):
    targets = ~np.eye(6, dtype=bool)  # rank 4; the best quick basis has 5
    monkeypatch.setattr(rank_module, "_search", lambda cover, least, seconds: (np.array(answer, dtype=int), 0))
    found = boolean_rank(targets)
    assert is_basis(found.metafeatures, targets)
    assert found.upper == len(found.metafeatures) >= 4 >= found.lower


def test_an_answer_that_is_no_better_than_what_is_known_is_not_taken(monkeypatch):
    everything = lambda cover, least, seconds: (np.arange(len(cover.intents)), 0)  # noqa: E731
    monkeypatch.setattr(rank_module, "_search", everything)
    targets = ~np.eye(6, dtype=bool)
    assert boolean_rank(targets).upper == len(greedy_concepts(targets)) == 5


def test_without_prices_the_fooling_set_still_counts(monkeypatch):
    monkeypatch.setattr("scipy.optimize.linprog", lambda *a, **k: SimpleNamespace(x=None))
    monkeypatch.setattr(rank_module, "_search", lambda cover, least, seconds: (None, 0))
    digits = seven_segment()
    found = boolean_rank(digits)
    assert sum(found.weights) == len(fooling_set(digits)) == found.lower == 5


def test_a_bound_of_the_solver_above_the_basis_is_cut(monkeypatch):
    targets = ~np.eye(6, dtype=bool)
    monkeypatch.setattr(rank_module, "_search", lambda cover, least, seconds: (None, 99))
    found = boolean_rank(targets)
    assert found.lower <= found.upper == len(found.metafeatures)


@pytest.mark.parametrize(("bound", "lower"), [(None, 0), (np.inf, 0), (5.0, 5), (5 + 1e-9, 5), (5.1, 6), (0.0, 0)])
def test_the_bound_of_the_solver_is_rounded_up_but_for_its_tolerance(monkeypatch, bound, lower):
    monkeypatch.setattr("scipy.optimize.milp", lambda *a, **k: SimpleNamespace(x=None, mip_dual_bound=bound))
    cover = rank_module._Cover(csr_array(np.eye(2)), np.eye(2, dtype=bool))
    assert rank_module._search(cover, 0, 1.0) == (None, lower)


def test_prices_that_are_too_high_are_scaled(monkeypatch):
    monkeypatch.setattr("scipy.optimize.linprog", lambda *a, **k: SimpleNamespace(x=np.array([0.75, 0.75, -0.1])))
    cover = rank_module._Cover(csr_array(np.array([[1.0, 0], [1, 1], [0, 1]])), np.eye(2, dtype=bool))
    assert rank_module._weights(cover, 1.0) == [Fraction(1, 2), Fraction(1, 2), Fraction(0)]


def test_prices_become_the_fractions_that_they_are(monkeypatch):
    monkeypatch.setattr("scipy.optimize.linprog", lambda *a, **k: SimpleNamespace(x=np.array([0.4, 0.6, 1 / 7])))
    cover = rank_module._Cover(csr_array(np.eye(3)), np.eye(3, dtype=bool))
    assert rank_module._weights(cover, 1.0) == [Fraction(2, 5), Fraction(3, 5), Fraction(1, 7)]


def test_prices_lose_next_to_nothing_when_they_become_fractions():
    for targets in (~np.eye(5, dtype=bool), ~np.eye(6, dtype=bool), seven_segment()):  # the antichain settles N = 7
        extents, intents = formal_concepts(targets)
        i, j = np.nonzero(targets)
        covers = (extents[:, i] & intents[:, j]).astype(float)
        best = -linprog(-np.ones(len(i)), A_ub=covers, b_ub=np.ones(len(covers))).fun
        assert best - 0.01 < sum(boolean_rank(targets).weights) <= best + 1e-9


def test_without_concepts_the_best_of_the_quick_bases_is_given():
    greedy = "110111 011111 011100 011101 101010 111010"
    targets = np.array([[c == "1" for c in row] for row in greedy.split()])
    assert (len(greedy_concepts(targets)), len(metafeatures(targets))) == (5, 6)
    assert boolean_rank(targets, most=1).upper == 5
    edges = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]) > 0  # the targets themselves are fewest
    assert (boolean_rank(edges, most=1).upper, len(metafeatures(edges))) == (3, 4)
    assert boolean_rank(np.ascontiguousarray(edges.T), most=1).upper == 3


def test_covering_means_every_cell():
    cover = rank_module._Cover(csr_array(np.array([[1.0, 0.0], [0.0, 1.0]])), np.eye(2, dtype=bool))
    assert [rank_module._covers_all(cover, np.array(c, dtype=int)) for c in ([], [0], [1], [0, 1])] == [0, 0, 0, 1]


def test_the_empty_family():
    for targets in (np.zeros((0, 3), dtype=bool), np.zeros((2, 3), dtype=bool)):
        found = boolean_rank(targets)
        assert isinstance(found, BooleanRank)
        assert (found.rank, found.metafeatures.shape, found.weights) == (0, (0, 3), ())


@pytest.mark.parametrize("v", range(1, 5))
def test_the_reduction_from_clique_covers(v):
    for G in all_graphs(v):
        targets, e = clique_cover_family(G), int(G.sum()) // 2
        assert boolean_rank(targets).rank == 2 * e + fewest_cliques(G)
        assert len(metafeatures(targets)) == 2 * e + v


def test_there_are_as_many_graphs_as_there_should_be():
    assert [len(all_graphs(v)) for v in range(1, 6)] == [1, 2, 4, 11, 34]


@pytest.mark.parametrize("graph", [[[True]], [[False, True], [False, False]], [[False, True]]])
def test_graphs_are_checked(graph):
    with pytest.raises(ValueError, match="graph"):
        clique_cover_family(graph)


# --- noise ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "keywords", "name"),
    [
        (boolean_rank, {"time_limit": 0}, "time_limit"),
        (boolean_rank, {"most": 0}, "most"),
        (robust_metafeatures, {"tolerance": 1.0}, "tolerance"),
        (robust_metafeatures, {"support": 0}, "support"),
        (formal_concepts, {"most": 1}, "targets"),
        (formal_concepts, {"most": 0}, "most"),
    ],
)
def test_bad_limits_are_named(function, keywords, name):
    with pytest.raises(ValueError, match=name):
        function(np.eye(3, dtype=bool), **keywords)


@pytest.mark.parametrize(
    "function", [boolean_rank, essential_cells, fooling_set, formal_concepts, greedy_concepts, robust_metafeatures]
)
def test_only_boolean_matrices(function):
    for bad in ([[1, 0]], [True, False], [[True], [True, False]]):
        with pytest.raises(ValueError, match="targets"):
            function(bad)
    with pytest.raises(ValueError, match="metafeatures"):
        fits([[True, False]], [[True]])
    with pytest.raises(ValueError, match="one target"):
        formal_concepts(np.zeros((0, 2), dtype=bool))


def test_a_certificate_can_be_wrong():
    targets = np.array([[True, True, False], [False, True, True]])
    found = boolean_rank(targets)
    assert is_certified(targets, found)
    spoiled = replace(found, weights=tuple(2 * w for w in found.weights))
    assert not is_certified(targets, spoiled)
    assert not is_certified(targets, replace(found, metafeatures=found.metafeatures[:1]))
    assert not is_certified(targets, replace(found, upper=3))
