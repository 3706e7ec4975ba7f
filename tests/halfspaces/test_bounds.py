"""Bounds against 50-digit arithmetic, their defining properties, and their errors."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifelong.halfspaces import bounds

RIGHT = np.pi / 2
PROPERTY = settings(deadline=None, derandomize=True, max_examples=50)
sides = st.floats(1e-6, RIGHT)


def exact_amplification(k: int, gamma: float) -> mpmath.mpf:
    g, F = mpmath.mpf(gamma), mpmath.mpf(1)
    for _ in range(k - 1):
        F = mpmath.sqrt(1 + 2 * F * mpmath.cos(g) + F**2) / mpmath.sin(g)
    return F


@PROPERTY
@given(sides, sides)
def test_scalar_gap_in_50_digits(a, b):
    with mpmath.workdps(50):
        exact = mpmath.pi / 2 * mpmath.asin(mpmath.sin(a) * mpmath.sin(b)) - mpmath.mpf(a) * mpmath.mpf(b)
    assert bounds.scalar_gap(a, b) == pytest.approx(float(exact), abs=1e-7)
    assert bounds.scalar_gap(a, b) == bounds.scalar_gap(b, a)
    assert bounds.scalar_gap(a, b) >= -1e-7


def test_scalar_gap_vanishes_on_the_sides():
    t = np.linspace(0, RIGHT, 50)
    assert np.abs(bounds.scalar_gap(t, 0)).max() == 0
    assert np.abs(bounds.scalar_gap(t, RIGHT)).max() < 1e-15 * 8


@PROPERTY
@given(sides, sides)
def test_the_sine_form_is_sharper(error, separation):
    assert bounds.one_vec_sine(error, separation) <= max(bounds.one_vec(error, separation), 0) * (1 + 1e-9)
    with mpmath.workdps(50):
        ratio = min(mpmath.mpf(1), mpmath.sin(error) / mpmath.sin(separation))
        assert bounds.one_vec_sine(error, separation) == pytest.approx(float(mpmath.asin(ratio)), abs=3e-8)
        exact = mpmath.pi / 2 * mpmath.mpf(error) / mpmath.mpf(separation)
        assert bounds.one_vec(error, separation) == pytest.approx(float(exact), rel=1e-15)


def test_nothing_is_promised_without_separation():
    assert bounds.one_vec(0.1, 0) == np.inf
    assert bounds.one_vec_sine(0.1, 0) == RIGHT


@pytest.mark.parametrize("k", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("gamma", [0.05, 0.5, RIGHT])
def test_amplification_in_50_digits(k, gamma):
    with mpmath.workdps(50):
        assert bounds.amplification(k, gamma) == pytest.approx(float(exact_amplification(k, gamma)), rel=1e-13)


def test_amplification_at_its_ends():
    for k in range(1, 12):
        assert bounds.amplification(k, RIGHT) == pytest.approx(np.sqrt(k))
        assert bounds.amplification(k, 1e-4) * 1e-4 ** (k - 1) == pytest.approx(2 ** min(k - 1, 1), rel=1e-3)
    assert bounds.amplification(1, 0.3) == 1


@PROPERTY
@given(st.integers(1, 12), st.floats(0.01, RIGHT), st.floats(0.01, RIGHT))
def test_amplification_grows_with_k_and_falls_with_separation(k, one, other):
    assert bounds.amplification(k + 1, one) > bounds.amplification(k, one)
    assert bounds.amplification(k, max(one, other)) <= bounds.amplification(k, min(one, other)) * (1 + 1e-12)


@PROPERTY
@given(st.integers(1, 10), sides, st.floats(0.01, RIGHT))
def test_each_bound_is_its_formula(k, error, gamma):
    with mpmath.workdps(50):
        e, g = mpmath.mpf(error), mpmath.mpf(gamma)
        for found, sine in (
            (bounds.subspace_sharp(k, error, gamma), exact_amplification(k, gamma) * mpmath.sin(e)),
            (bounds.subspace_separated(k, error, gamma), k * mpmath.sin(e) / mpmath.sin(g)),
            (bounds.subspace_singular_value(k, error, gamma / 2), mpmath.sqrt(k) * mpmath.sin(e) / (g / 2)),
        ):
            assert found == pytest.approx(float(mpmath.asin(min(mpmath.mpf(1), sine))), abs=1e-7)
        assert bounds.subspace_printed(k, error, gamma) == pytest.approx(float(2 * k * e / g), rel=1e-14)


@PROPERTY
@given(st.integers(1, 10), st.floats(0.01, RIGHT), st.floats(1e-3, 1))
def test_separation_from_all_gives_the_printed_bound(k, gamma, share):
    error = share * gamma**2 / (10 * k)
    assert bounds.subspace_separated(k, error, gamma) <= bounds.subspace_printed(k, error, gamma)


@PROPERTY
@given(sides, st.floats(0.01, RIGHT))
def test_one_vector_is_not_amplified(error, gamma):
    assert bounds.subspace_sharp(1, error, gamma) == pytest.approx(error, abs=1e-7)


def test_the_printed_bound_falls_below_the_attained_one_from_three_vectors_on():
    gamma = np.linspace(0.01, RIGHT, 500)
    for k in (1, 2):
        error = gamma**2 / (10 * k)
        assert (bounds.subspace_sharp(k, error, gamma) <= bounds.subspace_printed(k, error, gamma)).all()
    for k in range(3, 12):
        assert bounds.subspace_sharp(k, 0.04 / (10 * k), 0.2) > bounds.subspace_printed(k, 0.04 / (10 * k), 0.2)


ANGLE_PAIRS = {
    "scalar_gap": ("alpha", "beta", bounds.scalar_gap),
    "one_vec": ("error", "separation", bounds.one_vec),
    "one_vec_sine": ("error", "separation", bounds.one_vec_sine),
    "subspace_printed": ("error", "separation", lambda e, s: bounds.subspace_printed(3, e, s)),
    "subspace_sharp": ("error", "separation", lambda e, s: bounds.subspace_sharp(3, e, s)),
    "subspace_separated": ("error", "separation", lambda e, s: bounds.subspace_separated(3, e, s)),
    "subspace_singular_value": ("error", "smallest", lambda e, s: bounds.subspace_singular_value(3, e, s)),
}
PAIRS = pytest.mark.parametrize(("first", "second", "bound"), ANGLE_PAIRS.values(), ids=ANGLE_PAIRS)
BAD_ANGLES = [np.nan, np.inf, -0.1, 4.0, "0.1", 0.1j, None, [], [[0.1], [0.1, 0.2]], [0.1, np.nan]]


@PAIRS
def test_bounds_broadcast(first, second, bound):
    e, s = np.array([[0.1], [0.2], [0.3]]), np.array([0.4, 0.5])
    found = bound(e, s)
    assert found.shape == (3, 2)
    assert found[2, 1] == bound(0.3, 0.5)
    assert np.ndim(bound(0.3, 0.5)) == 0
    assert bound(1, [1]).shape == (1,)


@PAIRS
@pytest.mark.parametrize("bad", BAD_ANGLES, ids=repr)
def test_bounds_refuse_what_is_no_angle(first, second, bound, bad):
    with pytest.raises(ValueError, match=rf"^{first}: expected .*, got .+"):
        bound(bad, 0.3)
    with pytest.raises(ValueError, match=rf"^{second}: expected .*, got .+"):
        bound(0.3, bad)


@PAIRS
def test_bounds_refuse_shapes_that_do_not_broadcast(first, second, bound):
    with pytest.raises(ValueError, match=rf"^({first}|{second}): expected .*, got .+"):
        bound([0.1, 0.2], [0.1, 0.2, 0.3])


@pytest.mark.parametrize("bad", [0, -1, 2.0, True, "3", None, [3], np.nan])
def test_k_must_be_a_positive_integer(bad):
    for call in (
        lambda: bounds.amplification(bad, 0.3),
        lambda: bounds.subspace_printed(bad, 0.1, 0.3),
        lambda: bounds.subspace_sharp(bad, 0.1, 0.3),
        lambda: bounds.subspace_separated(bad, 0.1, 0.3),
        lambda: bounds.subspace_singular_value(bad, 0.1, 0.3),
    ):
        with pytest.raises(ValueError, match=r"^k: expected an integer .*, got .+"):
            call()


@pytest.mark.parametrize("bad", [0, -0.1, 1.6, np.nan, "1", 1j])
def test_separation_must_be_positive(bad):
    for call in (bounds.subspace_printed, bounds.subspace_sharp, bounds.subspace_separated):
        with pytest.raises(ValueError, match=r"^separation: expected .*, got .+"):
            call(3, 0.1, bad)
    with pytest.raises(ValueError, match=r"^separation: expected .*, got .+"):
        bounds.amplification(3, bad)


@pytest.mark.parametrize("bad", [0, -0.1, 1.1, np.nan, "1", 1j])
def test_singular_values_must_be_at_most_one(bad):
    with pytest.raises(ValueError, match=r"^smallest: expected .*, got .+"):
        bounds.subspace_singular_value(3, 0.1, bad)


def test_angle_constants_enclose_one_over_pi():
    low, high = bounds.angle_constants()
    assert low == pytest.approx(0.0132629, abs=1e-7)
    assert high == pytest.approx(float(2 * mpmath.e**2 / (mpmath.e - 1)), rel=1e-12)
    assert low < 1 / np.pi < high


@PROPERTY
@given(st.integers(1, 5), st.integers(0, 1000), st.floats(1e-4, 1.5))
def test_subspace_exact_by_trying_all_signs(k, seed, error):
    rows = np.random.default_rng(seed).standard_normal((k, k + 1))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    longest = max(np.linalg.norm(np.linalg.pinv(rows) @ s) for s in itertools.product((-1, 1), repeat=k))
    assert bounds.subspace_exact(rows, error) == pytest.approx(min(1.0, longest * np.sin(error)), rel=1e-6)


def test_subspace_exact_of_orthogonal_rows_and_saturated():
    assert bounds.subspace_exact(np.eye(4), 0.1) == pytest.approx(2 * np.sin(0.1))
    assert (bounds.subspace_exact(np.eye(4), [0.0, 1.0]) == [0.0, 1.0]).all()


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [([[2.0, 0.0]], 0.1, "learned"), ([[1.0, 0.0]] * 2, 0.1, "learned"), ([[1.0, 0.0]], RIGHT, "error")],
)
def test_subspace_exact_bad_input(rows, error, words):
    with pytest.raises(ValueError, match=rf"^{words}:"):
        bounds.subspace_exact(rows, error)
