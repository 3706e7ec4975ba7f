"""Angles against 80-digit arithmetic, projections and scipy; the effective dimension against all subsequences."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
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
        rest, basis = mpmath.matrix([mpmath.mpf(float(x)) for x in v]), []
        length = mpmath.norm(rest)
        for row in U:
            b = mpmath.matrix([mpmath.mpf(float(x)) for x in row])
            for e in basis:
                b -= (b.T * e)[0] * e
            basis.append(b / mpmath.norm(b))
        inside = [(rest.T * e)[0] for e in basis]
        for x, e in zip(inside, basis, strict=True):
            rest -= x * e
        return mpmath.atan2(mpmath.norm(rest) / length, mpmath.norm(mpmath.matrix(inside)) / length)


@pytest.mark.parametrize("n", [2, 50])
def test_error_below_1e_14_at_every_angle(n):
    rng = np.random.default_rng(n)
    small = np.geomspace(1e-15, 1.0, 31)
    for turn in np.concatenate([small, [RIGHT, np.nextafter(RIGHT, 2), 1.6], np.pi - small]):
        u, side = np.linalg.qr(rng.standard_normal((n, 2)))[0].T
        v = 10.0 ** rng.uniform(-8, 8) * (np.cos(turn) * u + np.sin(turn) * side)
        assert abs(mpmath.mpf(float(angle(u, v))) - exact_angle(u, v)) < ROUNDING
    for turn in small:  # what an arccosine would lose
        assert angle([1.0, 0.0], [np.cos(turn), np.sin(turn)]) == pytest.approx(turn, rel=1e-12)
        assert np.pi - angle([-1.0, 0.0], [np.cos(turn), np.sin(turn)]) == pytest.approx(turn, abs=1e-15)


@PROPERTY
@given(vectors(), vectors(), vectors(), st.floats(1e-290, 1e290), st.integers(-900, 900))
def test_angle_is_a_metric_on_directions(u, v, w, factor, power):
    assert angle(u, v) == angle(v, u) == angle(u.astype(int), [int(x) for x in v])
    assert angle(u, w) <= angle(u, v) + angle(v, w) + ROUNDING
    assert angle(u, u) == 0 and abs(angle(u, -u) - np.pi) < ROUNDING
    assert abs(angle(u, v) + angle(-u, v) - np.pi) < ROUNDING
    assert abs(angle(factor * u, v) - angle(u, v)) < ROUNDING  # lengths do not matter
    assert angle(np.ldexp(u, power), v) == angle(u, v)


@pytest.mark.parametrize("size", [1e300, np.finfo(float).max, 1e-310, 5e-324])
def test_huge_and_subnormal_vectors(size):
    assert abs(angle([size, 0], [size, size]) - np.pi / 4) < ROUNDING
    assert abs(angle([size, 0, 0], [0, 1, 0]) - RIGHT) < ROUNDING
    assert abs(angle_to_subspace([size, size, size], [[size, size, 0], [0, 1, 0]]) - np.arctan(2**-0.5)) < ROUNDING
    assert abs(subspace_angle([[size, size, 0]], [[0, 1 / 4, 0]]) - np.pi / 4) < ROUNDING
    assert effective_dimension([[size, 0], [size, size], [0, size]], 0.5) == 2
    assert angle([1e300, 1e-300], [1e300, 0]) == 0
    assert angle([1.0, 1e-200], [1.0, 0]) == pytest.approx(1e-200, rel=1e-12)


def test_leading_axes_broadcast():
    rng = np.random.default_rng(0)
    u, v = rng.standard_normal((5, 1, 3)), rng.standard_normal((4, 3))
    np.testing.assert_array_equal(angle(u, v), [[angle(a[0], b) for b in v] for a in u])
    assert angle(np.empty((0, 3)), v[0]).shape == (0,) and np.ndim(angle(u[0, 0], v[0])) == 0
    v, U = rng.standard_normal((5, 1, 4)), rng.standard_normal((3, 2, 4))
    U[1, 1] = U[1, 0]  # ranks may differ within a batch
    looped = [[angle_to_subspace(a[0], B) for B in U] for a in v]
    np.testing.assert_allclose(angle_to_subspace(v, U), looped, atol=ROUNDING, rtol=0)
    U, V = rng.standard_normal((4, 1, 3, 5)), rng.standard_normal((3, 2, 5))
    U[1, 0, 2], U[2, 0, 1:], U[3] = U[1, 0, 1], U[2, 0, 0], 0.0  # ranks 3, 2, 1, 0
    looped = [[subspace_angle(A[0], B) for B in V] for A in U]
    np.testing.assert_allclose(subspace_angle(U, V), looped, atol=ROUNDING, rtol=0)


@PROPERTY
@given(vectors(), matrices(least=1))
def test_angle_to_a_span_by_least_squares(v, U):
    inside = U.T @ np.linalg.lstsq(U.T, v, rcond=None)[0]
    expected = np.arctan2(np.linalg.norm(v - inside), np.linalg.norm(inside))
    for rows in (U, np.vstack([U[::-1], U.sum(axis=0), np.zeros(4)]), np.ldexp(U, 300)):
        assert abs(angle_to_subspace(-3 * v, rows) - expected) < 1e-13
    assert abs(subspace_angle(v[None], U) - angle_to_subspace(v, U)) < 1e-14
    assert angle_to_subspace(v, np.eye(4)) < ROUNDING


@pytest.mark.parametrize(("n", "k"), [(3, 2), (50, 10)])
def test_angle_to_span_to_the_last_digits(n, k):
    rng = np.random.default_rng(n + k)
    for turn in [*np.geomspace(1e-15, 1, 6), RIGHT - 1e-9, RIGHT]:
        frame = np.linalg.qr(rng.standard_normal((n, k + 1)))[0].T
        U = (np.eye(k) + 0.3 * rng.standard_normal((k, k))) @ frame[:k]
        inside = rng.standard_normal(k) @ frame[:k]
        v = np.cos(turn) * inside / np.linalg.norm(inside) + np.sin(turn) * frame[k]
        assert abs(mpmath.mpf(float(angle_to_subspace(v, U))) - exact_angle_to_span(v, U)) < ROUNDING


@PROPERTY
@given(matrices(least=1), matrices(least=1, most=4), vectors())
def test_one_sided_angle_is_the_norm_of_a_product_of_projections(U, V, extra):
    found, P, Q = subspace_angle(U, V), np.linalg.pinv(U) @ U, np.linalg.pinv(V) @ V
    assert np.sin(found) == pytest.approx(np.linalg.norm(P - P @ Q, 2), abs=1e-13)
    if np.linalg.matrix_rank(U) > np.linalg.matrix_rank(V):
        assert abs(found - RIGHT) < ROUNDING
    assert subspace_angle(np.vstack([U, extra]), V) >= found - 1e-13
    assert subspace_angle(U, np.vstack([V, extra])) <= found + 1e-13
    inside = np.vstack([V[:1], V.sum(axis=0), 3 * V[-1] - V[0]])
    assert subspace_angle(inside, V) < 1e-13


@pytest.mark.parametrize("turn", [1e-14, 1e-9, 1e-3, 0.7, 0.8, 1.5, RIGHT - 1e-9, RIGHT])
def test_spans_at_a_known_angle(turn):
    plane, tilted = [[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, np.cos(turn), np.sin(turn)]]
    assert abs(subspace_angle(plane, tilted) - turn) < 1e-15 + 4 * np.finfo(float).eps * turn
    rng, n, k = np.random.default_rng(3), 60, 8
    frame = np.linalg.qr(rng.standard_normal((n, 2 * k)))[0].T
    each = turn * np.append(1.0, rng.random(k - 1))  # principal angles, the first the largest
    tilted = np.cos(each)[:, None] * frame[:k] + np.sin(each)[:, None] * frame[k:]
    U, V = rng.standard_normal((k, k)) @ frame[:k], rng.standard_normal((k, k)) @ tilted
    assert abs(subspace_angle(U, V) - turn) < 5e-14


def test_the_zero_subspace_lies_in_every_other_and_at_a_right_angle_to_what_does_not_vanish():
    none = np.empty((0, 3))
    assert subspace_angle(none, [[1, 0, 0]]) == subspace_angle([[0, 0, 0]], none) == subspace_angle(none, none) == 0
    assert subspace_angle([[1, 0, 0]], none) == subspace_angle([[1, 0, 0]], [[0, 0, 0]]) == RIGHT
    assert angle_to_subspace([1, 2, 0], none) == angle_to_subspace([1, 2, 0], [[0, 0, 0]]) == RIGHT
    assert (angle_to_subspace(np.ones((2, 3)), none) == RIGHT).all()


@PROPERTY
@given(matrices(least=0, most=6))
def test_orthonormal_rows_span_the_same(U):
    basis = orthonormal_rows(U)
    rank = np.linalg.matrix_rank(U) if len(U) else 0
    assert basis.shape == (min(len(U), 4), 4)
    np.testing.assert_allclose(basis @ basis.T, np.diag(np.arange(len(basis)) < rank), atol=1e-14)
    np.testing.assert_allclose(U @ basis.T @ basis, U, atol=1e-12)


def test_rounding_of_many_rows_is_no_dimension_and_a_small_angle_is_one():
    rng = np.random.default_rng(0)
    many = rng.standard_normal((300, 150)) @ rng.standard_normal((150, 400))  # rank 150
    assert orthonormal_rows(many).any(axis=1).sum() == 150
    assert orthonormal_rows(np.array([[1.0, 0.0], [1.0, 1e-13]])).any(axis=1).sum() == 2
    assert effective_dimension([[1.0, 0.0], [1.0, 2e-12]], 0.0) == 2
    assert effective_dimension([[1.0, 0.0], [1.0, 5e-13]], 0.0) == 1  # within the resolution
    np.testing.assert_allclose(np.abs(orthonormal_rows(1e-200 * np.eye(3)[:2])), np.eye(3)[:2])


def by_brute_force(A: np.ndarray, gamma: float) -> int:
    """The definition in the paper, read literally."""

    def separated(rows):
        return all(angle_to_subspace(rows[i], rows[:i]) > gamma + 1e-12 for i in range(len(rows)))

    choices = (rows for size in range(len(A) + 1) for rows in combinations(range(len(A)), size))
    return max(len(rows) for rows in choices if separated(A[list(rows)]))


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
    assert effective_dimension(A, 0.0) == (np.linalg.matrix_rank(A) if len(A) else 0)


@pytest.mark.parametrize("seed", range(4))
def test_effective_dimension_of_rows_near_a_subspace(seed):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((7, 2)) @ rng.standard_normal((2, 5)) + 0.3 * rng.standard_normal((7, 5))
    gamma = rng.uniform(0.1, 1.2)
    assert effective_dimension(A, gamma) == by_brute_force(A, gamma)


def test_the_search_is_complete_up_to_the_given_number_of_rows_and_a_lower_bound_beyond():
    phi = np.array([0.4, 0.0, 0.8] + 18 * [0.4])  # the first row is near both others
    rows = np.column_stack([np.cos(phi), np.sin(phi)])
    assert effective_dimension(rows[:20], 0.5) == 2 and effective_dimension(rows, 0.5) == 1  # greedy
    assert [effective_dimension(rows[:3], 0.5, exact_up_to=m) for m in (0, 2, 3)] == [1, 1, 2]
    rng = np.random.default_rng(0)
    for _ in range(30):
        A, gamma = rng.standard_normal((7, 4)), rng.uniform(0.2, 1.2)
        assert effective_dimension(A, gamma, exact_up_to=6) <= effective_dimension(A, gamma, exact_up_to=7)
    assert effective_dimension(rng.standard_normal((500, 4)), 0.1) == 4


def test_an_angle_equal_to_gamma_is_not_separated_and_a_right_angle_is():
    A = [[1, 0], [np.cos(0.3), np.sin(0.3)]]
    assert effective_dimension(A, 0.3) == 1 and effective_dimension(A, 0.3 - 1e-9) == 2
    assert all(effective_dimension(np.eye(3), RIGHT - short) == 3 for short in (1e-3, 1e-6, 1e-8, 1e-10))


BAD = [
    *(("u", angle, (bad, [1, 0])) for bad in ([np.nan, 1], [[1, 0], [0, 0]], [], 1.0, [[1, 2], [1]], ["1", "2"], {})),
    *(("v", angle, ([1, 0], bad)) for bad in ([0, 0], [1j, 1], [1, 0, 0], [np.inf, 1])),
    *(("v", angle_to_subspace, (bad, [[1, 0]])) for bad in ([0, 0], [np.nan, 1], 1.0)),
    *(("U", angle_to_subspace, ([1, 0], bad)) for bad in ([1, 2], [[np.nan, 1]], [[1, 0, 0]])),
    *(("U", subspace_angle, (bad, [[1, 0]])) for bad in ([1, 0], [[np.inf, 0]], [[]])),
    *(("V", subspace_angle, ([[1, 0]], bad)) for bad in ([1, 0], [["a", "b"]], [[1, 0, 0]])),
    *(("A", effective_dimension, (bad, 0.1)) for bad in ([1, 2], [[0, 0]], np.ones((2, 2, 2)), [[np.nan, 1]])),
    *(("gamma", effective_dimension, ([[1, 0]], bad)) for bad in (-0.1, RIGHT, np.nan, "0.1", True, [0.1])),
    *(("exact_up_to", partial(effective_dimension, exact_up_to=bad), ([[1, 0]], 0.1)) for bad in (-1, 2.5, True)),
    ("[uv]", angle, (np.ones((2, 3)), np.ones((4, 3)))),
    ("[vU]", angle_to_subspace, (np.ones((2, 3)), np.ones((4, 1, 3)))),
    ("[UV]", subspace_angle, (np.ones((2, 1, 3)), np.ones((4, 1, 3)))),
]


@pytest.mark.parametrize(("name", "function", "arguments"), BAD)
def test_bad_input(name, function, arguments):
    with pytest.raises(ValueError, match=rf"^{name}: expected .*, got .+"):
        function(*arguments)
