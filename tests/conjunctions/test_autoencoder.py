"""Anchor sets by brute force, the programme against cvxpy and enumeration, Winnow against its mistake bound."""

from __future__ import annotations

from itertools import chain, combinations, product
from math import log

import concepts
import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import OptimizeResult

from lifelong import SparseBooleanAutoencoder, anchor_set_candidates, learn_stream, metafeatures, represent
from lifelong.conjunctions import bounds
from lifelong.conjunctions.anchor_sets import (
    AnchorSolution,
    anchor_programme,
    anchor_sets,
    is_anchored,
    randomised_rounding,
)
from lifelong.conjunctions.autoencoder import shrink, threshold_network
from lifelong.conjunctions.glyphs import anchor_number, braille, polytonic_greek
from lifelong.conjunctions.instances import attaining_sequence, planted_anchor_sets, planted_conjunctions
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.conjunctions.winnow import WinnowMetafeatures

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


# --- candidates -------------------------------------------------------------------------------------


@PROPERTY
@given(families(), st.integers(1, 4))
def test_candidates_are_the_intersections(TS, c):
    found = anchor_set_candidates(TS, c)
    assert found.dtype == np.bool_
    assert len(set(as_sets(found))) == len(found)
    assert set(as_sets(found)) == brute_candidates(as_sets(TS), TS.shape[1], c)


@PROPERTY
@given(families(), st.integers(1, 3), st.randoms(use_true_random=False))
def test_candidates_do_not_depend_on_the_order_of_the_targets(TS, c, random):
    found = anchor_set_candidates(TS, c)
    shuffled = random.sample(range(len(TS)), len(TS))
    np.testing.assert_array_equal(anchor_set_candidates(TS[shuffled], c), found)
    assert (np.diff(found.sum(axis=1)) >= 0).all()


def test_with_all_anchor_sets_the_candidates_are_the_concepts():
    rng = np.random.default_rng(0)
    for _ in range(10):
        TS = rng.random((7, 6)) < 0.6
        context = concepts.Context([f"t{r}" for r in range(7)], [f"v{i}" for i in range(6)], TS.tolist())
        intents = {frozenset(int(v[1:]) for v in intent) for extent, intent in context.lattice if extent}
        assert set(as_sets(anchor_set_candidates(TS, 6))) == intents - {frozenset()}


def test_candidates_in_blocks_are_the_same(monkeypatch):
    TS = np.random.default_rng(1).random((30, 25)) < 0.7
    whole = anchor_set_candidates(TS, 3)
    monkeypatch.setattr("lifelong.conjunctions.anchor_sets._BLOCK", 50)
    np.testing.assert_array_equal(anchor_set_candidates(TS, 3), whole)


# --- Definition 1 -----------------------------------------------------------------------------------


@PROPERTY
@given(families(), families(), st.integers(0, 3))
def test_anchor_sets_are_smallest(M, TS, c):
    n = min(M.shape[1], TS.shape[1])
    M, TS = M[:, :n], TS[:, :n]
    for m, y in zip(as_sets(M), anchor_sets(M, TS, c), strict=True):
        valid = [s for s in subsets(m, c) if all(m <= T for T in as_sets(TS) if s <= T)]
        assert (y is None) == (not valid)
        if y is not None:
            (chosen,) = as_sets(y[None])
            assert chosen in valid
            assert len(chosen) == min(map(len, valid))


def test_the_support_holds_small_weights_too():
    solution = anchor_programme(missing_one(8), 2, 4)
    assert 0 < solution.weights[solution.weights > 0].min() < 0.4
    assert len(solution.support) == (solution.weights > 0).sum()


def test_equal_metafeatures_count_once():
    row = np.array([[True, False]])
    assert is_anchored(np.vstack([row, row]), row, 1, 1)


def test_a_solver_that_gives_up_is_no_proof(monkeypatch):
    monkeypatch.setattr("scipy.optimize.milp", lambda *a, **k: OptimizeResult(status=1, x=None, message="time is up"))
    with pytest.raises(RuntimeError, match=r"^the solver gave up: time is up"):
        anchor_programme(missing_one(4), 2, 2)


def test_the_first_anchor_set_found_need_not_be_the_smallest():
    lacking = [{0, 1}, {1, 2, 4}, {1, 3, 5}, {2, 3, 6}]  # with 0 it takes three, with 1 it takes two
    (found,) = anchor_sets(np.ones((1, 7), dtype=bool), ~as_rows(lacking, 7), 3)
    assert as_sets(found[None])[0] in ({1, 2}, {1, 3}, {1, 6})
    lacking = [{0, 1}, {0, 2, 4}, {0, 3, 5}, {2, 3, 6}, {7, 8, 9}]  # with 0 it takes three, with 1 it takes four
    (found,) = anchor_sets(np.ones((1, 10), dtype=bool), ~as_rows(lacking, 10), 4)
    assert found.sum() == 3


@PROPERTY
@given(families(4, 3), families(4, 3), st.integers(0, 3), st.integers(0, 4))
def test_definition_against_the_literal_search(M, TS, c, k):
    n = min(M.shape[1], TS.shape[1])
    M, TS = np.unique(M[:, :n], axis=0), TS[:, :n]
    assert is_anchored(M, TS, c, k) == literal(as_sets(M), as_sets(TS), c, k)


def test_definition_on_every_world_of_two_variables():
    every = [list(f) for f in subsets(range(4), 4)]
    pieces = as_rows(subsets(range(2), 2), 2)
    for chosen, targets in product(every, every):
        M, TS = pieces[chosen], pieces[targets]
        for c, k in product(range(3), range(4)):
            assert is_anchored(M, TS, c, k) == literal(as_sets(M), as_sets(TS), c, k)


def test_planted_instances_satisfy_the_definition_literally():
    for seed, (c, k) in enumerate([(1, 2), (2, 2), (2, 3), (3, 2)]):
        M, TS = planted_anchor_sets(4, 1, 4, 5, c=c, k=k, rng=seed)
        assert literal(as_sets(M), as_sets(TS), c, k)
        assert is_anchored(M, TS, c, k)


def test_anchor_numbers_of_a_font():
    greek = polytonic_greek()
    inside = (greek.images[:, None] | ~greek.components).all(axis=2)
    found = anchor_sets(greek.components, greek.images, 2)
    numbers = [anchor_number(p, u, greek.images) for p, u in zip(greek.components, inside.T, strict=True)]
    assert [None if y is None else y.sum() for y in found] == numbers


# --- the programme ----------------------------------------------------------------------------------


def cvxpy_value(TS: list[Set], n: int, c: int, k: int) -> float | None:
    """The printed programme in cvxpy: one variable for each y, nothing merged, (2) for the pixels of a target."""
    Z = {y: cvxpy.Variable(nonneg=True) for y in subsets(range(n), c, 1) if closure(y, TS)}
    rows = [cvxpy.Constant(0) <= 0, *(z <= 1 for z in Z.values())]
    for T in TS:
        inside = {y: z for y, z in Z.items() if closure(y, TS) <= T}
        rows += [cvxpy.Constant(0) + sum(z for y, z in inside.items() if i in closure(y, TS)) >= 1 for i in sorted(T)]
        rows.append(cvxpy.Constant(0) + sum(inside.values()) <= k)
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.Constant(0) + sum(Z.values())), rows)
    problem.solve(solver=cvxpy.HIGHS)
    return None if problem.status == "infeasible" else float(problem.value)


def test_linear_programme_against_cvxpy():
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(12):
        TS = rng.random((int(rng.integers(1, 6)), int(rng.integers(1, 6)))) < 0.7
        c, k = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        solution, expected = anchor_programme(TS, c, k), cvxpy_value(as_sets(TS), TS.shape[1], c, k)
        assert (solution is None) == (expected is None)
        seen.add(expected is None)
        assert solution is None or solution.value == pytest.approx(expected, abs=1e-6)
    assert seen == {True, False}


def fewest(TS: list[Set], n: int, c: int, k: int) -> int | None:
    """Least number of nonempty metafeatures with Definition 1, by trying all sets of them."""
    for M in subsets(range(2**n - 1), 2**n - 1):
        if literal([subsets(range(n), n, 1)[j] for j in M], TS, c, k):
            return len(M)
    return None


def test_integer_programme_against_all_sets_of_metafeatures():
    rng = np.random.default_rng(0)
    for m, c, k in product((1, 2, 3), (1, 2), (1, 2)):
        TS = rng.random((m, 3)) < 0.7
        exact = anchor_programme(TS, c, k, integral=True)
        assert (None if exact is None else exact.value) == fewest(as_sets(TS), 3, c, k)


@PROPERTY
@given(families(5, 5), st.integers(1, 3), st.integers(0, 4))
def test_solutions_satisfy_every_constraint(TS, c, k):
    for integral in (False, True):
        solution = anchor_programme(TS, c, k, integral=integral)
        if solution is None:
            continue
        assert solution.integral or not integral
        assert (solution.weights >= 0).all() and (solution.weights <= 1).all()
        pieces = as_sets(solution.candidates)
        for T, inside in zip(as_sets(TS), solution.inside, strict=True):
            assert inside.tolist() == [m <= T for m in pieces]
            assert solution.weights[inside].sum() <= k + 1e-6
            for i in T:
                assert sum(z for z, m in zip(solution.weights, pieces, strict=True) if i in m <= T) >= 1 - 1e-6
        if integral:
            assert is_anchored(solution.support, TS, c, k)


def test_coverage_has_one_row_for_each_distinct_constraint():
    TS = np.random.default_rng(2).random((6, 6)) < 0.7
    solution = anchor_programme(TS, 2, None)
    pieces = as_sets(solution.candidates)
    rows = {tuple(i in m <= T for m in pieces) for T in as_sets(TS) for i in T}
    assert {tuple(row) for row in solution.coverage.tolist()} == rows
    assert len(solution.coverage) == len(rows)


@PROPERTY
@given(families(), st.integers(1, 5))
def test_one_anchor_variable_is_algorithm_3(TS, k):
    found = metafeatures(TS)
    sparse = max((represent(T, found).sum() for T in TS), default=0)
    solution = anchor_programme(TS, 1, k)
    assert (solution is None) == (sparse > k)
    if solution is not None:
        assert solution.integral
        assert set(as_sets(solution.support)) == set(as_sets(found))


@pytest.mark.parametrize("n", [4, 5, 6])
def test_all_variables_but_one(n):
    TS = missing_one(n)
    half = -(-(n - 1) // 2)
    assert anchor_programme(TS, 2, half).value == pytest.approx(n * (n - 1) / (2 * (n - 2)))
    assert anchor_programme(TS, 2, half - 1) is None
    assert anchor_programme(TS, 2, n - 2, integral=True).value == n
    assert anchor_programme(TS, 2, n - 3, integral=True) is None


def test_planted_values():
    for c, k in ((1, 3), (2, 3), (2, 5)):
        M, TS = planted_anchor_sets(8, 6, 8 if c == 1 else 20, 60, c=c, k=k, rng=c + k)
        used = M[(TS[:, None] | ~M).all(axis=2).any(axis=0)]
        linear, exact = (anchor_programme(TS, c, k, integral=integral) for integral in (False, True))
        assert linear.value <= exact.value + 1e-6 <= len(used) + 2e-6
        assert is_anchored(exact.support, TS, c, k)


@pytest.mark.parametrize("TS", [np.zeros((0, 4), bool), np.zeros((3, 4), bool)], ids=["none", "blank"])
def test_nothing_to_do(TS):
    assert anchor_set_candidates(TS, 2).shape == (0, 4)
    solution = anchor_programme(TS, 2, 1)
    assert (solution.value, solution.integral, len(solution.support)) == (0, True, 0)
    auto = SparseBooleanAutoencoder(2, 1).fit(TS)
    assert auto.metafeatures_.shape == auto.anchors_.shape == (0, 4)
    assert auto.satisfies(TS)


# --- rounding ---------------------------------------------------------------------------------------


def test_events_of_the_rounding_are_what_they_say():
    TS = missing_one(8)
    solution = anchor_programme(TS, 2, 6)
    thin = AnchorSolution(solution.candidates, solution.inside, solution.weights / 5, k=solution.k)
    rounding = randomised_rounding(thin, draws=300, rng=0)
    pieces = as_sets(thin.candidates)
    for chosen, uncovered in zip(rounding.chosen, rounding.uncovered, strict=True):
        kept = [m for m, keep in zip(pieces, chosen, strict=True) if keep]
        assert uncovered == any(frozenset().union(*(m for m in kept if m <= T)) != T for T in as_sets(TS))
    assert 0 < rounding.uncovered.sum() < 300
    np.testing.assert_array_equal(rounding.succeeded, ~rounding.uncovered)


def test_dense_and_large_roundings_are_seen():
    TS = missing_one(40)
    solution = anchor_programme(TS, 2, 38)
    crowded = AnchorSolution(solution.candidates, solution.inside, np.ones(820), k=3)
    rounding = randomised_rounding(crowded, rng=0)
    most, factor = 2 * 3 * log(40**3), log(40**3)
    inside = rounding.chosen[0] & crowded.inside
    assert rounding.too_dense.tolist() == [bool((inside.sum(axis=1) > most).any())] == [True]
    assert not rounding.too_large[0] and not rounding.uncovered[0]  # 820 of 2 * 820 * L
    few = AnchorSolution(solution.candidates, solution.inside, np.full(820, 1 / (820 * factor)), k=38)
    assert not randomised_rounding(few, draws=50, rng=0).too_large.any()


@pytest.mark.parametrize(("kept", "large"), [(60, False), (70, True)])
def test_a_small_value_counts_as_three(kept, large):
    class Keep(np.random.Generator):
        def random(self, size):
            return np.zeros(size)

    solution = anchor_programme(missing_one(40), 2, 38)
    weights = np.where(np.arange(820) < kept, 1e-3, 0.0)  # the limit is 6 ln(40^3), between 66 and 67
    thin = AnchorSolution(solution.candidates, solution.inside, weights, k=38)
    rounding = randomised_rounding(thin, rng=Keep(np.random.PCG64(0)))
    assert rounding.chosen.sum() == kept
    assert rounding.too_large.tolist() == [large]


def test_weights_of_one_are_kept_and_of_zero_dropped():
    for TS in (np.array([[True]]), missing_one(6)):
        solution = anchor_programme(TS, 1, 5)
        assert solution.integral
        chosen = randomised_rounding(solution, draws=20, rng=0).chosen
        np.testing.assert_array_equal(chosen, np.broadcast_to(solution.weights == 1, chosen.shape))


def test_rounding_depends_on_the_seed_only():
    solution = anchor_programme(missing_one(30), 2, 28)
    first, again, other = (randomised_rounding(solution, draws=5, rng=seed).chosen for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_frequencies_of_the_events_are_far_below_the_bounds():
    n = 40
    rounding = randomised_rounding(anchor_programme(missing_one(n), 2, n - 2), draws=2000, rng=0)
    assert 0 < rounding.uncovered.mean() < 1 / n
    assert rounding.too_dense.sum() == rounding.too_large.sum() == 0


# --- the autoencoder --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["rounding", "exact"])
@pytest.mark.parametrize(("c", "k"), [(1, 3), (2, 3), (2, 4)])
def test_autoencoder_on_planted_instances(method, c, k):
    M, TS = planted_anchor_sets(8, 6, 8 if c == 1 else 20, 50, c=c, k=k, rng=10 * c + k)
    auto = SparseBooleanAutoencoder(c, k, method=method, rng=0).fit(TS)
    codes = auto.encode(TS)
    np.testing.assert_array_equal(auto.decode(codes), TS)
    assert codes.sum(axis=1).max() <= auto.level_ <= bounds.rounded_sparsity(k, *TS.shape[::-1])
    assert auto.satisfies(TS)
    assert auto.lp_value_ <= len(M) + 1e-6
    assert method == "rounding" or (auto.level_ == k and len(auto.metafeatures_) <= len(M))
    assert auto.anchors_.shape == auto.metafeatures_.shape
    assert auto.anchors_.sum(axis=1).max() <= c
    assert not (auto.anchors_ & ~auto.metafeatures_).any()
    network = threshold_network(auto.metafeatures_)
    np.testing.assert_array_equal(network.hidden(TS), codes)
    np.testing.assert_array_equal(network(TS), TS)


def test_fractional_programmes_are_rounded_and_solved_exactly():
    TS = missing_one(12)
    rounded = SparseBooleanAutoencoder(2, 10, rng=0).fit(TS)
    exact = SparseBooleanAutoencoder(2, 10, method="exact").fit(TS)
    assert rounded.lp_value_ == exact.lp_value_ == pytest.approx(6.6)
    assert (len(exact.metafeatures_), exact.level_, exact.roundings_) == (12, 10, 0)
    assert rounded.roundings_ >= 1
    assert rounded.level_ == int(2 * 10 * log(12**3))
    assert rounded.satisfies(TS) and exact.satisfies(TS)
    assert not rounded.satisfies(TS, k=1)


def test_what_cannot_be_done_is_refused():
    with pytest.raises(ValueError, match=r"^k: expected a sparsity level .* c = 1, got 2: "):
        SparseBooleanAutoencoder(1, 2).fit(missing_one(5))
    assert SparseBooleanAutoencoder(2, 2, rng=0).fit(missing_one(5)).lp_value_ == pytest.approx(10 / 3)
    with pytest.raises(ValueError, match=r"^k: expected a sparsity level .* c = 2, got 2: "):
        SparseBooleanAutoencoder(2, 2, method="exact").fit(missing_one(5))


def test_giving_up_after_the_attempts(monkeypatch):
    monkeypatch.setattr("lifelong.conjunctions.bounds.rounding_logarithm", lambda n, m: 0.01)
    with pytest.raises(RuntimeError, match=r"^attempts: expected a successful rounding within 3, got none"):
        SparseBooleanAutoencoder(2, 18, rng=0, attempts=3).fit(missing_one(20))


def test_codes_of_other_images():
    dots = braille()
    auto = SparseBooleanAutoencoder(1, 8, rng=0).fit(dots.images[:200])
    decoded = auto.decode(auto.encode(dots.images[200:]))
    assert not (decoded & ~dots.images[200:]).any()


@given(families(), families())
@PROPERTY
def test_network_is_and_then_or(M, X):
    n = min(M.shape[1], X.shape[1])
    M, X = M[:, :n], X[:, :n]
    network = threshold_network(M)
    hidden = [[m <= x for m in as_sets(M)] for x in as_sets(X)]
    assert network.hidden(X).tolist() == hidden
    out = [frozenset().union(*(m for m in as_sets(M) if m <= x)) for x in as_sets(X)]
    assert as_sets(network(X)) == out


@given(families(), st.integers(1, 3))
@PROPERTY
def test_shrunk_pieces_still_explain_and_none_can_give_more(TS, c):
    M = anchor_set_candidates(TS, c)
    small = shrink(M, TS)
    assert not (small & ~M).any()
    inside = (TS[:, None] | ~M).all(axis=2)

    def explains(rows):
        return all(np.array_equal(rows[code].any(axis=0), T) for code, T in zip(inside, TS, strict=True))

    assert explains(small)
    for j, i in zip(*np.nonzero(small), strict=True):
        less = small.copy()
        less[j, i] = False
        assert not explains(less)


def test_small_pieces_give_first():
    TS = np.array([[True, True, True]])
    for M in ([[1, 1, 1], [1, 1, 0]], [[1, 1, 0], [1, 1, 1]]):
        pieces = np.array(M, dtype=bool)
        np.testing.assert_array_equal(shrink(pieces, TS), pieces & pieces.all(axis=1)[:, None])


def test_polytonic_greek():
    greek = polytonic_greek()
    auto = SparseBooleanAutoencoder(2, 4, rng=0).fit(greek.images)
    assert auto.roundings_ == 0  # integral
    assert auto.satisfies(greek.images, k=4)
    assert len(auto.metafeatures_) == auto.lp_value_ < len(greek.components) < len(metafeatures(greek.images))
    assert anchor_programme(greek.images, 2, 3) is None


# --- Winnow -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [1.5, 2.0, 3.0])
@pytest.mark.parametrize(("c", "k"), [(1, 3), (2, 4)])
def test_winnow_learns_every_target_within_its_bounds(c, k, alpha):
    M, TS = planted_anchor_sets(7, 5, 7 if c == 1 else 15, 80, c=c, k=k, rng=c)
    learner = WinnowMetafeatures(12, c, k, alpha=alpha)
    most = 1
    for T in TS:
        budget = learner.budget
        assert budget == int(bounds.winnow_mistakes(k, len(learner.metafeatures), alpha))
        representable = {j for j in range(len(M)) if not (M[j] & ~T).any()}
        (step,) = learn_stream([ConjunctionTask(T)], learner).steps
        np.testing.assert_array_equal(step.hypothesis, T)
        assert step.equivalence <= budget + 1 + (12 if step.how == "scratch" else 0)
        assert len(representable) <= k
        most = max(most, len(learner.metafeatures))
    assert len(learner.targets) <= (12 - M.sum(axis=1)).sum()


@given(families(6, 5), st.integers(1, 2))
@PROPERTY
def test_metafeatures_of_winnow_are_those_of_the_paper(TS, c):
    """One metafeature for each y, all variables at first, intersected with each target that contains y."""
    n = TS.shape[1]
    learner, m = WinnowMetafeatures(n, c, 1), {y: frozenset(range(n)) for y in subsets(range(n), c, 1)}
    for row, T in zip(TS, as_sets(TS), strict=True):
        learner.grow("scratch", row)
        m = {y: piece & T if y <= T else piece for y, piece in m.items()}
        everything = {frozenset(range(n))}  # of the empty set at first, and kept in any case
        assert set(as_sets(learner.metafeatures)) == set(m.values()) | everything
        assert len(learner.metafeatures) == len(set(as_sets(learner.metafeatures)))


def test_an_attempt_succeeds_whenever_k_metafeatures_suffice():
    rng = np.random.default_rng(0)
    learner = WinnowMetafeatures(10, 2, 3)
    for _ in range(6):
        learner.grow("scratch", rng.random(10) < 0.6)
    pieces = learner.metafeatures
    for chosen in combinations(range(len(pieces)), 3):
        T = pieces[list(chosen)].any(axis=0)
        task = ConjunctionTask(T)
        np.testing.assert_array_equal(learner.reuse(task), T)
        assert task.counts.equivalence <= learner.budget + 1


def test_no_metafeature_is_kept_twice():
    learner = WinnowMetafeatures(3, 2, 1)
    learner.grow("scratch", np.ones(3, dtype=bool))
    assert learner.metafeatures.tolist() == [[True] * 3]
    for T in missing_one(3):
        learner.grow("scratch", T)
    assert len(learner.metafeatures) == len(np.unique(learner.metafeatures, axis=0)) == 7


@pytest.mark.parametrize("alpha", [1.5, 2.0, 3.0])
def test_winnow_changes_its_weights_as_it_should(alpha):
    class Spy(ConjunctionTask):
        def equivalent_threshold(self, weights, features, theta):
            point = super().equivalent_threshold(weights, features, theta)
            self.__dict__.setdefault("seen", []).append((list(weights), point))
            assert theta == len(features) / alpha
            return point

    learner, task = WinnowMetafeatures(12, 1, 3, alpha=alpha), Spy(np.arange(12) < 3)
    learner.metafeatures = np.eye(12, dtype=bool)
    assert learner.reuse(task) is not None
    assert task.seen[0][0] == [1.0] * 12 and task.seen[-1][1] is None
    kinds = set()
    for (before, point), (after, _) in zip(task.seen, task.seen[1:], strict=False):
        zeros = [not bit for bit in point]
        lost = sum(w for w, zero in zip(before, zeros, strict=True) if zero) >= 12 / alpha
        kinds.add(lost)
        assert after == [w * (0 if lost else alpha) if zero else w for w, zero in zip(before, zeros, strict=True)]
    assert kinds == {True, False}


def test_an_attempt_is_given_up_after_one_mistake_too_many():
    learner, task = WinnowMetafeatures(16, 1, 1), ConjunctionTask(np.arange(16) < 12)
    learner.metafeatures = np.eye(16, dtype=bool)
    assert learner.reuse(task) is None
    assert task.counts.equivalence == 2 * log(16, 2) + 2 + 1


def test_a_target_out_of_reach_is_given_up_and_learned_from_scratch():
    run = learn_stream([ConjunctionTask(T) for T in attaining_sequence(6)], WinnowMetafeatures(6, 1, 6))
    assert run.scratch > 0
    assert all(np.array_equal(s.hypothesis, T) for s, T in zip(run.steps, attaining_sequence(6), strict=True))


def test_learners_refuse_another_dimension():
    with pytest.raises(ValueError, match=r"^task: expected dimension 3 as in the representation, got dimension 2"):
        WinnowMetafeatures(3, 1, 1).reuse(ConjunctionTask([True, False]))


# --- bounds -----------------------------------------------------------------------------------------


def test_bounds():
    assert bounds.rounding_logarithm(10, 7) == pytest.approx(log(700))
    assert bounds.rounding_logarithm(1, 2) == 1 and log(2) < 1
    assert bounds.rounded_sparsity(2, 10, 7) == pytest.approx(6 * log(700))
    assert bounds.rounded_sparsity(4, 10, 7) == pytest.approx(8 * log(700))
    assert bounds.winnow_mistakes(2, 81, 3) == pytest.approx(3 * 2 * 4 + 3)
    assert bounds.winnow_queries(10, 20, 2, 16, 3) == 10 * (1 + 18) + 60


# --- bad input --------------------------------------------------------------------------------------

TWO = np.eye(2, dtype=bool)
THREE = np.eye(3, dtype=bool)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: anchor_set_candidates([[0, 1]], 1), "targets: expected a boolean array with 2 axes"),
        (lambda: anchor_set_candidates(TWO, 0), "c: expected an integer >= 1, got 0"),
        (lambda: anchor_sets(TWO, THREE, 1), "metafeatures: expected dimension 3 as in targets, got dimension 2"),
        (lambda: anchor_sets(TWO, TWO, -1), "c: expected an integer >= 0"),
        (lambda: is_anchored(TWO, THREE, 1, 1), "metafeatures: expected dimension 3"),
        (lambda: is_anchored(TWO, TWO, 1, 1.5), "k: expected an integer >= 0, got 1.5"),
        (lambda: anchor_programme(TWO, 1, -1), "k: expected an integer >= 0, got -1"),
        (lambda: randomised_rounding(None), "solution: expected a AnchorSolution, got None"),
        (lambda: randomised_rounding(anchor_programme(TWO, 1, 1), draws=0), "draws: expected an integer >= 1"),
        (lambda: shrink(TWO, THREE), "metafeatures: expected dimension 3"),
        (lambda: shrink(TWO[:1], TWO), "targets: expected unions of the metafeatures"),
        (lambda: SparseBooleanAutoencoder(0, 1), "c: expected an integer >= 1"),
        (lambda: SparseBooleanAutoencoder(1, 0), "k: expected an integer >= 1"),
        (lambda: SparseBooleanAutoencoder(1, 1, method="lp"), "method: expected 'rounding' or 'exact', got 'lp'"),
        (lambda: SparseBooleanAutoencoder(1, 1, attempts=0), "attempts: expected an integer >= 1"),
        (lambda: SparseBooleanAutoencoder(1, 1).fit(TWO).encode(THREE), "targets: expected dimension 2"),
        (lambda: SparseBooleanAutoencoder(1, 1).fit(TWO).decode(THREE), "codes: expected dimension 2"),
        (lambda: SparseBooleanAutoencoder(1, 1).fit(TWO).satisfies(TWO, k=-1), "k: expected an integer >= 0"),
        (lambda: threshold_network([1]), "metafeatures: expected a boolean array"),
        (lambda: threshold_network(TWO)(THREE), "images: expected dimension 2"),
        (lambda: WinnowMetafeatures(0, 1, 1), "n: expected an integer >= 1"),
        (lambda: WinnowMetafeatures(2, 1, 1, alpha=1), r"alpha: expected a number in \(1, "),
        (lambda: planted_anchor_sets(3, 1, 4, 1, c=2, k=1), "pieces: expected an integer >= 1 and <= 3, got 4"),
        (lambda: planted_anchor_sets(3, 1, 3, 1, c=4, k=1), "c: expected an integer >= 1 and <= 3, got 4"),
        (lambda: bounds.winnow_mistakes(0, 4), "k: expected an integer >= 1"),
        (lambda: bounds.rounding_logarithm(0, 4), "n: expected an integer >= 1"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


def test_planted_instances():
    M, TS = planted_anchor_sets(12, 10, 60, 100, c=2, k=5, rng=0)
    assert M.shape == (60, 22) and len(M) > M.shape[1]
    assert (M[:, :12].sum(axis=1) == 2).all() and len(np.unique(M[:, :12], axis=0)) == 60
    inside = (TS[:, None] | ~M).all(axis=2)
    assert inside.any(axis=1).all() and inside.sum(axis=1).max() <= 5
    assert is_anchored(M, TS, 2, 5)
    again = planted_anchor_sets(12, 10, 60, 100, c=2, k=5, rng=0)
    assert all(np.array_equal(a, b) for a, b in zip((M, TS), again, strict=True))
    assert planted_conjunctions(4, k=2, m=3, rng=0)[0].shape == (2, 4)
