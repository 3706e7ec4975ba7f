"""Angles against 80-digit arithmetic and scipy; the effective dimension against all subsequences."""

from __future__ import annotations

from itertools import combinations, permutations

import mpmath
import numpy as np
import pytest
import scipy.linalg
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lifelong import angle, angle_to_subspace, effective_dimension, subspace_angle
from lifelong.halfspaces.angles import orthonormal_rows

RIGHT = np.pi / 2
ROUNDING = 1e-14
PROPERTY = settings(deadline=None, derandomize=True, max_examples=50)

entries = st.integers(-9, 9).map(float)


def vectors(n: int = 4) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.float64, n, elements=entries).filter(lambda v: v.any())


def matrices(least: int = 0, most: int = 3, n: int = 4) -> st.SearchStrategy[np.ndarray]:
    return st.integers(least, most).flatmap(lambda k: arrays(np.float64, (k, n), elements=entries))


def exact_angle(u: np.ndarray, v: np.ndarray) -> mpmath.mpf:
    """Arccosine in 80 digits: it loses half of them, and 40 are left."""
    with mpmath.workdps(80):
        a, b = ([mpmath.mpf(float(x)) for x in w] for w in (u, v))
        cosine = mpmath.fdot(a, b) / mpmath.sqrt(mpmath.fdot(a, a) * mpmath.fdot(b, b))
        return mpmath.acos(min(max(cosine, mpmath.mpf(-1)), mpmath.mpf(1)))


def exact_angle_to_span(v: np.ndarray, U: np.ndarray) -> mpmath.mpf:
    """Gram-Schmidt in 50 digits, for independent rows."""
    with mpmath.workdps(50):
        rest = mpmath.matrix([mpmath.mpf(float(x)) for x in v])
        length, basis = mpmath.norm(rest), []
        for row in U:
            b = mpmath.matrix([mpmath.mpf(float(x)) for x in row])
            for e in basis:
                b -= (b.T * e)[0] * e
            basis.append(b / mpmath.norm(b))
        inside = [(rest.T * e)[0] for e in basis]
        for x, e in zip(inside, basis, strict=True):
            rest -= x * e
        return mpmath.atan2(mpmath.norm(rest) / length, mpmath.norm(mpmath.matrix(inside)) / length)


# --- angle ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 50])
def test_error_below_1e_14_at_every_angle(n):
    rng = np.random.default_rng(n)
    small = np.geomspace(1e-15, 1.0, 31)
    turns = np.concatenate([small, [RIGHT, np.nextafter(RIGHT, 2), 1.6], np.pi - small])
    for turn in turns:
        u, side = np.linalg.qr(rng.standard_normal((n, 2)))[0].T
        v = 10.0 ** rng.uniform(-8, 8) * (np.cos(turn) * u + np.sin(turn) * side)
        assert abs(mpmath.mpf(float(angle(u, v))) - exact_angle(u, v)) < ROUNDING


@pytest.mark.parametrize("turn", [1e-15, 1e-12, 1e-9, 1e-5, 0.1, 1.0])
def test_angles_that_arccosine_would_lose(turn):
    assert angle([1.0, 0.0], [np.cos(turn), np.sin(turn)]) == pytest.approx(turn, rel=1e-12)
    assert np.pi - angle([-1.0, 0.0], [np.cos(turn), np.sin(turn)]) == pytest.approx(turn, abs=1e-15)


@PROPERTY
@given(vectors(), vectors(), vectors())
def test_angle_is_a_metric_on_directions(u, v, w):
    assert 0 <= angle(u, v) <= np.pi
    assert angle(u, v) == angle(v, u)
    assert angle(u, w) <= angle(u, v) + angle(v, w) + ROUNDING
    assert angle(u, u) == 0
    assert abs(angle(u, -u) - np.pi) < ROUNDING
    assert abs(angle(u, v) + angle(-u, v) - np.pi) < ROUNDING


@PROPERTY
@given(vectors(), vectors(), st.floats(1e-290, 1e290), st.integers(-900, 900))
def test_angle_does_not_depend_on_lengths(u, v, factor, power):
    assert abs(angle(factor * u, v) - angle(u, v)) < ROUNDING
    assert angle(np.ldexp(u, power), v) == angle(u, v)


@PROPERTY
@given(vectors(), vectors())
def test_angle_of_integers_and_lists(u, v):
    assert angle(u.astype(int), [int(x) for x in v]) == angle(u, v)


@pytest.mark.parametrize("size", [1e300, np.finfo(float).max, 1e-300, 1e-310, 5e-324])
def test_huge_and_subnormal_vectors(size):
    assert abs(angle([size, 0], [size, size]) - np.pi / 4) < ROUNDING
    assert abs(angle([size, 0, 0], [0, 1, 0]) - RIGHT) < ROUNDING
    assert abs(angle_to_subspace([size, size, size], [[size, 0, 0], [0, 1, 0]]) - np.arctan(2**-0.5)) < ROUNDING
    assert abs(subspace_angle([[size, size, 0]], [[0, 1 / 4, 0]]) - np.pi / 4) < ROUNDING
    assert effective_dimension([[size, 0], [size, size], [0, size]], 0.5) == 2


def test_entries_of_very_different_size():
    assert angle([1e300, 1e-300], [1e300, 0]) == 0
    assert angle([1.0, 1e-200], [1.0, 0]) == pytest.approx(1e-200, rel=1e-12)


def test_leading_axes_broadcast():
    rng = np.random.default_rng(0)
    u, v = rng.standard_normal((5, 1, 3)), rng.standard_normal((4, 3))
    both = angle(u, v)
    assert both.shape == (5, 4)
    assert both[3, 2] == angle(u[3, 0], v[2])
    assert angle(u, v[0]).shape == (5, 1)
    assert angle(np.empty((0, 3)), v[0]).shape == (0,)
    assert np.ndim(angle(u[0, 0], v[0])) == 0


# --- angle_to_subspace ------------------------------------------------------------------------------


@PROPERTY
@given(vectors(), matrices(), vectors())
def test_closest_vector_of_the_span(v, U, extra):
    found = angle_to_subspace(v, U)
    assert 0 <= found <= RIGHT + ROUNDING
    for row in U[U.any(axis=1)]:
        assert found <= min(angle(v, row), angle(v, -row)) + ROUNDING
    assert angle_to_subspace(v, np.vstack([U, extra])) <= found + ROUNDING
    if len(U) and (inside := np.arange(1.0, len(U) + 1) @ U).any():
        assert found <= min(angle(v, inside), angle(v, -inside)) + ROUNDING


@PROPERTY
@given(vectors(), matrices(least=1))
def test_angle_to_span_depends_on_the_span_only(v, U):
    found = angle_to_subspace(v, U)
    mixed = (np.triu(np.ones((len(U), len(U)))) @ U)[::-1]
    assert abs(angle_to_subspace(v, mixed) - found) < 1e-13
    assert abs(angle_to_subspace(-3 * v, np.vstack([U, 2 * U, np.zeros(4)])) - found) < 1e-13
    assert abs(angle_to_subspace(v, np.ldexp(U, 300)) - found) < ROUNDING


def test_line_is_nearest_of_its_two_directions():
    assert abs(angle_to_subspace([-1, 1e-3], [[1, 0]]) - np.arctan(1e-3)) < ROUNDING


@pytest.mark.parametrize(("n", "k"), [(3, 1), (3, 2), (8, 4), (50, 10)])
def test_angle_to_span_to_the_last_digits(n, k):
    rng = np.random.default_rng(n + k)
    for turn in [*np.geomspace(1e-15, 1, 6), RIGHT - 1e-9, RIGHT]:
        frame = np.linalg.qr(rng.standard_normal((n, k + 1)))[0].T
        U = (np.eye(k) + 0.3 * rng.standard_normal((k, k))) @ frame[:k]
        inside = rng.standard_normal(k) @ frame[:k]
        v = np.cos(turn) * inside / np.linalg.norm(inside) + np.sin(turn) * frame[k]
        assert abs(mpmath.mpf(float(angle_to_subspace(v, U))) - exact_angle_to_span(v, U)) < ROUNDING


def test_zero_subspace_is_at_a_right_angle():
    assert angle_to_subspace([1, 2], np.empty((0, 2))) == RIGHT
    assert angle_to_subspace([1, 2], [[0, 0]]) == RIGHT
    assert (angle_to_subspace(np.ones((3, 2)), np.empty((0, 2))) == RIGHT).all()


def test_whole_space_is_at_angle_zero():
    v = np.random.default_rng(0).standard_normal((20, 4))
    assert (angle_to_subspace(v, np.eye(4)) < ROUNDING).all()


def test_angle_to_span_batched_is_angle_to_span_looped():
    rng = np.random.default_rng(1)
    v, U = rng.standard_normal((5, 1, 4)), rng.standard_normal((3, 2, 4))
    U[1, 1] = U[1, 0]  # ranks may differ within a batch
    found = angle_to_subspace(v, U)
    assert found.shape == (5, 3)
    looped = [[angle_to_subspace(a[0], B) for B in U] for a in v]
    np.testing.assert_allclose(found, looped, atol=ROUNDING, rtol=0)


# --- subspace_angle ---------------------------------------------------------------------------------


@PROPERTY
@given(matrices(least=1), matrices(least=1))
def test_farthest_vector_of_the_first_subspace(U, V):
    found = subspace_angle(U, V)
    assert 0 <= found <= RIGHT + ROUNDING
    coefficients = np.random.default_rng(0).standard_normal((20, len(U)))
    points = coefficients @ U
    points = points[np.linalg.norm(points, axis=1) > 1e-6]
    assert (angle_to_subspace(points, V) <= found + 1e-13).all()


@PROPERTY
@given(matrices(least=1), matrices(least=1))
def test_larger_subspaces_are_never_nearly_contained(U, V):
    if np.linalg.matrix_rank(U) > np.linalg.matrix_rank(V):
        assert abs(subspace_angle(U, V) - RIGHT) < ROUNDING


@PROPERTY
@given(matrices(least=1, most=4))
def test_zero_exactly_when_contained(V):
    inside = np.vstack([V[:1], V.sum(axis=0), 3 * V[-1] - V[0]])
    assert subspace_angle(inside, V) < 1e-13
    outside = np.linalg.svd(V)[2][np.linalg.matrix_rank(V) :]
    if len(outside):
        assert abs(subspace_angle(np.vstack([inside, outside[0]]), V) - RIGHT) < ROUNDING
        assert subspace_angle(V, np.vstack([V, outside[0]])) < 1e-13


@PROPERTY
@given(matrices(least=1), matrices(least=1), vectors())
def test_monotone_in_both_subspaces(U, V, extra):
    found = subspace_angle(U, V)
    assert subspace_angle(np.vstack([U, extra]), V) >= found - 1e-13
    assert subspace_angle(U, np.vstack([V, extra])) <= found + 1e-13


@PROPERTY
@given(vectors(), matrices(least=1))
def test_subspace_of_one_vector(v, U):
    assert abs(subspace_angle(v[None], U) - angle_to_subspace(v, U)) < 1e-14


@PROPERTY
@given(st.integers(1, 3).flatmap(lambda k: st.tuples(*[arrays(np.float64, (k, 4), elements=entries)] * 3)))
def test_triangle_inequality_between_subspaces(three):
    U, V, W = three
    assume(all(np.linalg.matrix_rank(X) == len(X) for X in three))
    assert subspace_angle(U, W) <= subspace_angle(U, V) + subspace_angle(V, W) + 1e-13
    assert abs(subspace_angle(U, V) - subspace_angle(V, U)) < 1e-13


@pytest.mark.parametrize(("n", "k"), [(2, 1), (3, 2), (5, 2), (20, 7)])
def test_equal_dimensions_agree_with_scipy(n, k):
    rng = np.random.default_rng(n * k)
    for size in [*np.geomspace(1e-15, 1, 16), 100.0]:
        U = rng.standard_normal((k, n))
        V = U + size * rng.standard_normal((k, n))
        assert subspace_angle(U, V) == pytest.approx(scipy.linalg.subspace_angles(U.T, V.T).max(), rel=1e-6, abs=2e-14)


@pytest.mark.parametrize("turn", [1e-14, 1e-9, 1e-4, 0.3, 1.5, RIGHT - 1e-9, RIGHT])
def test_planes_at_a_known_angle(turn):
    plane, tilted = [[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, np.cos(turn), np.sin(turn)]]
    assert abs(subspace_angle(plane, tilted) - turn) < 1e-15 + 4 * np.finfo(float).eps * turn


def test_subspaces_batched_are_subspaces_looped():
    rng = np.random.default_rng(2)
    U, V = rng.standard_normal((4, 1, 3, 5)), rng.standard_normal((3, 2, 5))
    U[1, 0, 2], U[2, 0, 1:], U[3] = U[1, 0, 1], U[2, 0, 0], 0.0  # ranks 3, 2, 1, 0
    found = subspace_angle(U, V)
    assert found.shape == (4, 3)
    looped = [[subspace_angle(A[0], B) for B in V] for A in U]
    np.testing.assert_allclose(found, looped, atol=ROUNDING, rtol=0)


@pytest.mark.parametrize("turn", [1e-14, 1e-11, 1e-7, 1e-3, 0.7, 0.8, 1.5])
def test_spans_at_a_known_angle_in_many_dimensions(turn):
    rng = np.random.default_rng(3)
    n, k = 60, 8
    frame = np.linalg.qr(rng.standard_normal((n, 2 * k)))[0].T
    each = turn * np.append(1.0, rng.random(k - 1))  # principal angles, the first the largest
    tilted = np.cos(each)[:, None] * frame[:k] + np.sin(each)[:, None] * frame[k:]
    U, V = rng.standard_normal((k, k)) @ frame[:k], rng.standard_normal((k, k)) @ tilted
    assert abs(subspace_angle(U, V) - turn) < 5e-14


def test_the_zero_subspace_lies_in_every_other():
    assert subspace_angle(np.empty((0, 3)), [[1, 0, 0]]) == 0
    assert subspace_angle([[0, 0, 0]], np.empty((0, 3))) == 0
    assert subspace_angle(np.empty((0, 3)), np.empty((0, 3))) == 0
    assert subspace_angle([[1, 0, 0]], np.empty((0, 3))) == RIGHT
    assert subspace_angle([[1, 0, 0]], [[0, 0, 0]]) == RIGHT


# --- orthonormal_rows -------------------------------------------------------------------------------


@PROPERTY
@given(matrices(least=0, most=6))
def test_orthonormal_rows_span_the_same(U):
    basis = orthonormal_rows(U)
    rank = np.linalg.matrix_rank(U) if len(U) else 0
    assert basis.shape == (min(len(U), 4), 4)
    np.testing.assert_allclose(basis @ basis.T, np.diag(np.arange(len(basis)) < rank), atol=1e-14)
    np.testing.assert_allclose(U @ basis.T @ basis, U, atol=1e-12)


# --- effective_dimension ----------------------------------------------------------------------------


def separated(rows: np.ndarray, gamma: float) -> bool:
    """The definition in the paper, read literally."""
    return all(angle_to_subspace(rows[i], rows[:i]) > gamma + 1e-12 for i in range(len(rows)))


def by_brute_force(A: np.ndarray, gamma: float) -> int:
    m = len(A)
    return max(
        size for size in range(m + 1) for rows in combinations(range(m), size) if separated(A[list(rows)], gamma)
    )


@settings(PROPERTY, max_examples=60)
@given(
    st.tuples(st.integers(0, 7), st.integers(1, 4)).flatmap(
        lambda s: arrays(np.float64, s, elements=st.integers(-3, 3).map(float))
    ),
    st.floats(0.01, 1.55),
)
def test_effective_dimension_is_the_longest_separated_subsequence(A, gamma):
    A = A[A.any(axis=1)]
    assert effective_dimension(A, gamma) == by_brute_force(A, gamma)


@pytest.mark.parametrize("seed", range(6))
def test_effective_dimension_of_rows_near_a_subspace(seed):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((7, 2)) @ rng.standard_normal((2, 5)) + 0.3 * rng.standard_normal((7, 5))
    gamma = rng.uniform(0.1, 1.2)
    assert effective_dimension(A, gamma) == by_brute_force(A, gamma)


@PROPERTY
@given(matrices(least=1, most=7))
def test_effective_dimension_zero_is_the_rank(A):
    A = A[A.any(axis=1)]
    assert effective_dimension(A, 0.0) == (np.linalg.matrix_rank(A) if len(A) else 0)


@PROPERTY
@given(matrices(least=1, most=7), st.floats(0, 1.55), st.floats(0, 1.55))
def test_effective_dimension_never_grows_with_gamma(A, one, other):
    A = A[A.any(axis=1)]
    assert effective_dimension(A, max(one, other)) <= effective_dimension(A, min(one, other))


@PROPERTY
@given(matrices(least=1, most=6), vectors(), st.floats(0, 1.5))
def test_effective_dimension_grows_by_at_most_one_row(A, extra, gamma):
    A = A[A.any(axis=1)]
    before, after = effective_dimension(A, gamma), effective_dimension(np.vstack([A, extra]), gamma)
    assert before <= after <= before + 1


def test_taking_every_row_one_can_is_not_always_best():
    A = [[1, 1], [1, 0], [0, 1]]  # the first row is within 0.8 of both others, and they are orthogonal
    assert effective_dimension(A, 0.8, exact_up_to=0) == 1
    assert effective_dimension(A, 0.8) == by_brute_force(np.array(A), 0.8) == 2


def test_the_order_of_the_tasks_matters():
    A = np.array([[1, 0, 0], [4, 1, 0], [0, 4, 1]])  # each at arctan(1/4) from the span of those before it
    sizes = {order: effective_dimension(A[list(order)], 0.24) for order in permutations(range(3))}
    assert sizes[0, 1, 2] == 3
    assert min(sizes.values()) == 2
    assert all(size == by_brute_force(A[list(order)], 0.24) for order, size in sizes.items())


def test_beyond_the_exact_size_a_lower_bound():
    rng = np.random.default_rng(0)
    for _ in range(30):
        A, gamma = rng.standard_normal((7, 4)), rng.uniform(0.2, 1.2)
        assert effective_dimension(A, gamma, exact_up_to=6) <= effective_dimension(A, gamma, exact_up_to=7)
    assert effective_dimension(rng.standard_normal((500, 4)), 0.1) == 4


def test_an_angle_equal_to_gamma_is_not_separated():
    A = [[1, 0], [np.cos(0.3), np.sin(0.3)]]
    assert effective_dimension(A, 0.3) == 1
    assert effective_dimension(A, 0.3 - 1e-9) == 2


@pytest.mark.parametrize("short", [1e-3, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10])
def test_orthogonal_rows_are_separated_up_to_a_right_angle(short):
    assert effective_dimension(np.eye(3), RIGHT - short) == 3


def test_no_rows():
    assert effective_dimension(np.empty((0, 3)), 0.1) == 0
    assert effective_dimension([[1, 2]], 1.5) == 1


# --- bad input --------------------------------------------------------------------------------------

BAD_VECTORS = {
    "NaN": [np.nan, 1],
    "infinity": [np.inf, 1],
    "zero vector": [0, 0],
    "a zero vector in a batch": [[1, 0], [0, 0]],
    "empty": [],
    "no axis": 1.0,
    "ragged": [[1, 2], [1]],
    "text": ["1", "2"],
    "complex": [1j, 1],
    "object": [None, 1],
    "dictionary": {},
}
BAD_MATRICES = {key: [BAD_VECTORS[key]] for key in ("NaN", "infinity", "text", "complex", "object", "empty")} | {
    "one axis": [1, 2],
    "no axis": 3.0,
    "ragged": [[1, 2], [1]],
}


@pytest.mark.parametrize("bad", BAD_VECTORS.values(), ids=BAD_VECTORS)
def test_bad_vectors(bad):
    with pytest.raises(ValueError, match=r"^u: expected .*, got .+"):
        angle(bad, [1, 0])
    with pytest.raises(ValueError, match=r"^v: expected .*, got .+"):
        angle([1, 0], bad)
    with pytest.raises(ValueError, match=r"^v: expected .*, got .+"):
        angle_to_subspace(bad, [[1, 0]])


@pytest.mark.parametrize("bad", BAD_MATRICES.values(), ids=BAD_MATRICES)
def test_bad_matrices(bad):
    for name, call in {
        "U": lambda: angle_to_subspace([1, 0], bad),
        "U ": lambda: subspace_angle(bad, [[1, 0]]),
        "V": lambda: subspace_angle([[1, 0]], bad),
        "A": lambda: effective_dimension(bad, 0.1),
    }.items():
        with pytest.raises(ValueError, match=rf"^{name.strip()}: expected .*, got .+"):
            call()


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("v", lambda: angle([1, 0], [1, 0, 0])),
        ("U", lambda: angle_to_subspace([1, 0], [[1, 0, 0]])),
        ("V", lambda: subspace_angle([[1, 0]], [[1, 0, 0]])),
        ("A", lambda: effective_dimension([[0, 0]], 0.1)),
        ("A", lambda: effective_dimension(np.ones((2, 2, 2)), 0.1)),
    ],
)
def test_dimensions_must_agree(name, call):
    with pytest.raises(ValueError, match=rf"^{name}: expected .*, got .+"):
        call()


@pytest.mark.parametrize(
    ("names", "call"),
    [
        ("[uv]", lambda: angle(np.ones((2, 3)), np.ones((4, 3)))),
        ("[vU]", lambda: angle_to_subspace(np.ones((2, 3)), np.ones((4, 1, 3)))),
        ("[UV]", lambda: subspace_angle(np.ones((2, 1, 3)), np.ones((4, 1, 3)))),
    ],
    ids=["angle", "angle_to_subspace", "subspace_angle"],
)
def test_leading_axes_must_broadcast(names, call):
    with pytest.raises(ValueError, match=rf"^{names}: expected .*, got .+"):
        call()


@pytest.mark.parametrize("gamma", [-0.1, RIGHT, 2.0, np.nan, np.inf, "0.1", True, None, 1j, [0.1]])
def test_gamma_out_of_range(gamma):
    with pytest.raises(ValueError, match=r"^gamma: expected .*, got .+"):
        effective_dimension([[1, 0]], gamma)


@pytest.mark.parametrize("size", [-1, 2.5, True, "3", None])
def test_exact_up_to_must_be_an_integer(size):
    with pytest.raises(ValueError, match=r"^exact_up_to: expected .*, got .+"):
        effective_dimension([[1, 0]], 0.1, exact_up_to=size)


def test_messages_read_well():
    with pytest.raises(ValueError, match=r"at least 2 axes, got shape \(2,\)"):
        subspace_angle([1, 0], [[1, 0]])


def test_rounding_of_many_rows_is_no_dimension_and_a_small_angle_is_one():
    rng = np.random.default_rng(0)
    many = rng.standard_normal((300, 150)) @ rng.standard_normal((150, 400))  # rank 150
    assert orthonormal_rows(many).any(axis=1).sum() == 150
    close = [[1.0, 0.0], [1.0, 1e-13]]
    assert orthonormal_rows(np.array(close)).any(axis=1).sum() == 2
    assert effective_dimension([[1.0, 0.0], [1.0, 2e-12]], 0.0) == 2
    assert effective_dimension([[1.0, 0.0], [1.0, 5e-13]], 0.0) == 1  # within the resolution


def test_the_search_is_complete_up_to_the_given_number_of_rows_and_no_further():
    phi = np.array([0.4, 0.0, 0.8] + 18 * [0.4])
    rows = np.column_stack([np.cos(phi), np.sin(phi)])
    assert effective_dimension(rows[:20], 0.5) == 2
    assert effective_dimension(rows, 0.5) == 1  # greedy
    assert [effective_dimension(rows[:3], 0.5, exact_up_to=m) for m in (2, 3)] == [1, 2]
