"""Algorithm 3 against a literal reading with sets, formal concept analysis and brute force."""

from __future__ import annotations

from itertools import combinations

import concepts
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from set_families import PROPERTY, as_rows, as_sets, families, subsets

from lifelong import metafeatures, represent
from lifelong.conjunctions.algorithm3 import metafeatures_as_printed
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong_book.conjunctions.consistency.instances import trim


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


def anchored(M: np.ndarray) -> bool:
    return all((row & ~np.delete(M, i, axis=0).any(axis=0)).any() for i, row in enumerate(M))


def test_every_family_on_three_variables():
    bases = [b for k in range(4) for b in combinations(subsets(range(3), 3, 1), k) if anchored(as_rows(b, 3))]
    for family in map(list, subsets(range(8), 8)):
        family = [subsets(range(3), 3)[i] for i in family]
        for order in (family, family[::-1]):
            expected = literal(order)
            for algorithm in (metafeatures, metafeatures_as_printed):
                found = algorithm(as_rows(order, 3))
                assert found.dtype == np.bool_ and found.shape == (len(expected), 3)
                assert as_sets(found) == expected
        # no anchored set that represents the family is smaller
        sizes = [len(b) for b in bases if all(frozenset().union(*(m for m in b if m <= T)) == T for T in family)]
        assert len(expected) == min(sizes)


def test_random_families():
    rng = np.random.default_rng(0)
    for _ in range(500):
        m, n = int(rng.integers(0, 16)), int(rng.integers(1, 13))
        TS = rng.random((m, n)) < rng.uniform(0.05, 0.95)
        if m and rng.random() < 0.3:  # equal targets and equal variables
            TS = TS[rng.integers(m, size=m)][:, rng.integers(n, size=n)]
        copy, expected = TS.copy(), literal(as_sets(TS))
        assert as_sets(metafeatures(TS)) == as_sets(metafeatures_as_printed(TS)) == expected
        rows, columns = rng.permutation(m), rng.permutation(n)  # canonical whatever the order
        shuffled = as_sets(metafeatures(TS[rows][:, columns]))
        assert {frozenset(columns[list(s)].tolist()) for s in shuffled} == set(expected)
        for function in (metafeatures, metafeatures_as_printed, trim):  # the input is left alone
            function(TS)[:] = False
            np.testing.assert_array_equal(TS, copy)


def test_thousands_of_targets():
    for m in (2048, 2049):
        TS = (np.arange(1, m + 1)[:, None] >> np.arange(14)) & 1 > 0  # distinct
        TS[:, 14 - m.bit_length() :] &= TS[:, :1] | (m % 2 == 0)
        TS = np.hstack([TS, np.arange(m)[:, None] == m - 1])  # the last variable is first met in the last row
        np.testing.assert_array_equal(metafeatures(TS), metafeatures_as_printed(TS))
    M, targets = planted_conjunctions(600, k=150, m=4000, overlap=0.05, per_target=6, rng=0)
    found = metafeatures(targets)
    assert len(found) <= 150
    inside = (found.astype(np.float32) @ ~targets.T).T == 0
    np.testing.assert_array_equal((inside.astype(np.float32) @ found.astype(np.float32)) > 0, targets)
    assert set(as_sets(metafeatures(np.vstack([M, targets])))) == set(as_sets(M))


@PROPERTY
@given(families(8, 6).filter(len))
def test_rows_are_closures_in_formal_concept_analysis(TS):
    targets, variables = [f"t{i}" for i in range(len(TS))], [f"x{j}" for j in range(TS.shape[1])]
    context = concepts.Context(targets, variables, TS.tolist())
    minimal = set()  # the canonical form: closures of the variables minimal in some target
    for T in as_sets(TS):
        extents = {j: set(context.extension([variables[j]])) for j in T}
        minimal |= {j for j in T if not any(extents[i] < extents[j] for i in T)}
    rows = [frozenset(variables[j] for j in s) for s in as_sets(metafeatures(TS))]
    assert set(rows) == {frozenset(context.intension(context.extension([variables[j]]))) for j in minimal}
    assert len(set(rows)) == len(rows)


@PROPERTY
@given(families(), st.data())
def test_represent_and_trim_are_their_definitions(M, data):
    T, pieces = data.draw(arrays(np.bool_, M.shape[1])), as_sets(M)
    (target,) = as_sets(T[None])
    inside = [m <= target for m in pieces]
    found = represent(T, M)
    covered = frozenset().union(*(m for m in pieces if m <= target)) == target
    assert (found is not None and found.tolist() == inside) if covered else found is None
    assert as_sets(trim(M)) == [p - frozenset().union(*(q for q in pieces if q < p)) for p in pieces]
    made = metafeatures(M)  # trimmed it is anchored, and represents its targets as before
    assert anchored(trim(made)) and all(represent(T, made) is not None for T in M)
    assert all(represent(T, trim(made)) is not None for T in M)
