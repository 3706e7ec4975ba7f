"""Algorithm 3 against a literal reading with sets, formal concept analysis and brute force."""

from __future__ import annotations

from itertools import chain, combinations

import concepts
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lifelong import metafeatures, represent
from lifelong.conjunctions.algorithm3 import metafeatures_as_printed
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong_book.conjunctions.consistency.instances import trim

PROPERTY = settings(deadline=None, derandomize=True, max_examples=60)


def families(m: int = 8, n: int = 6) -> st.SearchStrategy[np.ndarray]:
    return st.tuples(st.integers(0, m), st.integers(1, n)).flatmap(lambda s: arrays(np.bool_, s))


def literal(TS: list[frozenset[int]]) -> list[frozenset[int]]:
    """Algorithm 3 as the paper prints it, step by step; its inclusion is the strict one."""
    made: list[frozenset[int]] = []
    N = {z: {i for i, T in enumerate(TS) if z in T} for z in frozenset().union(*TS)}
    while True:
        h = [frozenset().union(*(m for m in made if m <= T)) for T in TS]
        unequal = [i for i, T in enumerate(TS) if h[i] != T]
        if not unequal:
            return made
        i = unequal[0]  # (1) the target of least index
        left = TS[i] - h[i]
        minimal = [z for z in left if not any(N[other] < N[z] for other in left - {z})]  # (2)
        z = min(minimal)
        made.append(frozenset.intersection(*(T for T in TS if z in T)))  # (3)


def as_sets(M: np.ndarray) -> list[frozenset[int]]:
    return [frozenset(np.flatnonzero(row).tolist()) for row in M]


def as_rows(sets, n: int) -> np.ndarray:
    return np.array([[i in s for i in range(n)] for s in sets], dtype=bool).reshape(-1, n)


def all_families() -> list[list[frozenset[int]]]:
    subsets = [frozenset(s) for k in range(4) for s in combinations(range(3), k)]
    return [list(f) for f in chain.from_iterable(combinations(subsets, m) for m in range(9))]


def anchored(M: np.ndarray) -> bool:
    return all((row & ~np.delete(M, i, axis=0).any(axis=0)).any() for i, row in enumerate(M))


# --- Algorithm 3 ------------------------------------------------------------------------------------


def test_every_family_on_three_variables():
    assert len(all_families()) == 2**8
    for family in all_families():
        for order in (family, family[::-1], sorted(family, key=sorted)):
            expected = literal(order)
            for algorithm in (metafeatures, metafeatures_as_printed):
                found = algorithm(as_rows(order, 3))
                assert found.dtype == np.bool_
                assert found.shape == (len(expected), 3)
                assert as_sets(found) == expected


@pytest.mark.parametrize("part", range(4))
def test_a_thousand_random_families(part):
    rng = np.random.default_rng(part)
    for _ in range(250):
        m, n = int(rng.integers(0, 16)), int(rng.integers(1, 13))
        TS = rng.random((m, n)) < rng.uniform(0.05, 0.95)
        if m and rng.random() < 0.3:  # equal targets and equal variables
            TS = TS[rng.integers(m, size=m)][:, rng.integers(n, size=n)]
        expected = literal(as_sets(TS))
        assert as_sets(metafeatures(TS)) == expected
        assert as_sets(metafeatures_as_printed(TS)) == expected


@pytest.mark.parametrize("m", [2047, 2048, 2049])
def test_families_longer_than_a_chunk(m):
    TS = (np.arange(1, m + 1)[:, None] >> np.arange(14)) & 1 > 0  # distinct; variable 14 first met in the last row
    TS[:, 14 - m.bit_length() :] &= TS[:, :1] | (m % 2 == 0)
    TS = np.hstack([TS, np.arange(m)[:, None] == m - 1])
    np.testing.assert_array_equal(metafeatures(TS), metafeatures_as_printed(TS))


@PROPERTY
@given(families())
def test_rows_are_closures_in_formal_concept_analysis(TS):
    found = metafeatures(TS)
    if not len(TS):
        assert len(found) == 0
        return
    targets, variables = [f"t{i}" for i in range(len(TS))], [f"x{j}" for j in range(TS.shape[1])]
    context = concepts.Context(targets, variables, [tuple(map(bool, row)) for row in TS])
    closures = {}
    for z in variables:
        extent = context.extension([z])
        if extent:
            closures[frozenset(context.intension(extent))] = z
    rows = [frozenset(variables[j] for j in s) for s in as_sets(found)]
    assert set(rows) <= set(closures)
    assert len(set(rows)) == len(rows)
    minimal = set()  # the canonical form: closures of the variables minimal in some target
    for T in as_sets(TS):
        extents = {j: set(context.extension([variables[j]])) for j in T}
        minimal |= {j for j in T if not any(extents[i] < extents[j] for i in T)}
    assert set(rows) == {frozenset(context.intension(context.extension([variables[j]]))) for j in minimal}


@PROPERTY
@given(families(), st.randoms(use_true_random=False))
def test_canonical_whatever_the_order(TS, random):
    rows, columns = list(range(TS.shape[0])), list(range(TS.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    shuffled = metafeatures(TS[rows][:, columns])
    assert {frozenset(columns[j] for j in s) for s in as_sets(shuffled)} == set(as_sets(metafeatures(TS)))


@PROPERTY
@given(families())
def test_every_target_is_the_union_of_what_lies_inside_it(TS):
    found = metafeatures(TS)
    for T in TS:
        inside = represent(T, found)
        assert inside is not None
        assert as_sets(found[inside].any(axis=0)[None]) == as_sets(T[None])
    np.testing.assert_array_equal(metafeatures(np.vstack([TS, TS[::-1]])), found)  # repeated targets add nothing


@pytest.mark.parametrize("seed", range(20))
def test_anchored_worlds_need_no_more_than_their_metafeatures(seed):
    rng = np.random.default_rng(seed)
    M, targets = planted_conjunctions(16, k=6, m=20, overlap=rng.random(), rng=rng)
    assert len(metafeatures(targets)) <= 6
    assert set(as_sets(metafeatures(np.vstack([M, targets])))) == set(as_sets(M))


def test_least_size_of_an_anchored_set_by_brute_force():
    subsets = [frozenset(s) for k in range(1, 4) for s in combinations(range(3), k)]
    bases = [b for k in range(4) for b in combinations(subsets, k) if anchored(as_rows(b, 3))]
    for family in all_families():
        sizes = [len(b) for b in bases if all(frozenset().union(*(m for m in b if m <= T)) == T for T in family)]
        assert len(metafeatures(as_rows(family, 3))) == min(sizes)


def test_a_large_planted_world():
    _, targets = planted_conjunctions(600, k=150, m=4000, overlap=0.05, per_target=6, rng=0)
    found = metafeatures(targets)
    assert len(found) <= 150
    inside = (found.astype(np.float32) @ ~targets.T).T == 0
    np.testing.assert_array_equal((inside.astype(np.float32) @ found.astype(np.float32)) > 0, targets)


def test_no_targets_and_empty_targets():
    assert metafeatures(np.empty((0, 4), bool)).shape == (0, 4)
    assert metafeatures(np.zeros((3, 4), bool)).shape == (0, 4)
    assert metafeatures([[True]]).tolist() == [[True]]


def test_the_input_is_left_alone():
    TS = np.array([[True, True, False], [False, True, True]])
    copy = TS.copy()
    for function in (metafeatures, metafeatures_as_printed, trim):
        function(TS)[:] = False
        np.testing.assert_array_equal(TS, copy)


# --- represent and trim -----------------------------------------------------------------------------


@PROPERTY
@given(families(), st.data())
def test_represent_is_its_definition(M, data):
    T = data.draw(arrays(np.bool_, M.shape[1]))
    target, pieces = as_sets(T[None])[0], as_sets(M)
    inside = [m <= target for m in pieces]
    found = represent(T, M)
    if frozenset().union(*(m for m in pieces if m <= target)) == target:
        assert found.dtype == np.bool_
        assert found.tolist() == inside
    else:
        assert found is None


def test_represent_without_metafeatures():
    assert represent([False, False], np.empty((0, 2), bool)).shape == (0,)
    assert represent([False, True], np.empty((0, 2), bool)) is None


@PROPERTY
@given(families())
def test_trimmed_output_is_anchored_and_still_represents(TS):
    found = metafeatures(TS)
    trimmed = trim(found)
    assert trimmed.shape == found.shape
    assert anchored(trimmed)
    assert all(represent(T, trimmed) is not None for T in TS)


@PROPERTY
@given(families(m=6))
def test_trim_is_its_definition(M):
    pieces = as_sets(M)
    expected = [p - frozenset().union(*(q for q in pieces if q < p)) for p in pieces]
    assert as_sets(trim(M)) == expected


# --- bad input --------------------------------------------------------------------------------------

BAD_MATRICES = {
    "integers": [[1, 0]],
    "floats": [[1.0, np.nan]],
    "one row": [True, False],
    "three axes": np.ones((1, 1, 2), bool),
    "no columns": np.empty((2, 0), bool),
    "empty list": [],
    "ragged": [[True], [True, False]],
    "text": [["1", "0"]],
    "complex": [[1j, 0]],
    "None": None,
    "scalar": True,
}


@pytest.mark.parametrize("bad", BAD_MATRICES.values(), ids=BAD_MATRICES)
def test_bad_matrices(bad):
    for function in (metafeatures, metafeatures_as_printed):
        with pytest.raises(ValueError, match=r"^targets: expected a boolean array .*, got .+"):
            function(bad)
    with pytest.raises(ValueError, match=r"^metafeatures: expected a boolean array .*, got .+"):
        trim(bad)
    with pytest.raises(ValueError, match=r"^metafeatures: expected a boolean array .*, got .+"):
        represent([True, False], bad)


@pytest.mark.parametrize("bad", [[1, 0], [[True, False]], [], True, None, ["a", "b"]], ids=repr)
def test_bad_targets(bad):
    with pytest.raises(ValueError, match=r"^target: expected a boolean array .*, got .+"):
        represent(bad, [[True, False]])


def test_dimensions_must_agree():
    with pytest.raises(ValueError, match=r"^metafeatures: expected dimension 2 as in target, got dimension 3"):
        represent([True, False], [[True, False, True]])


def test_trim_needs_no_cube():
    rows = np.random.default_rng(0).random((1500, 1200)) < 0.5  # (k, k, n) would be 2.7 GB
    assert trim(rows).shape == rows.shape
