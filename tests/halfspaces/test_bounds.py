"""Bounds against 50-digit arithmetic, their defining properties, and their errors."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import findroot, mp
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import binom

from lifelong import laws
from lifelong.halfspaces import bounds
from lifelong_book.halfspaces.perturbation.limits import (
    one_vec_sine,
    scalar_gap,
    subspace_exact,
    subspace_separated,
    subspace_singular_value,
)
from lifelong_book.halfspaces.repair.limits import (
    accuracy_broken,
    holdout_share,
    holdout_size,
)
from lifelong_book.halfspaces.subspace.experiments import exact_run

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
    assert scalar_gap(a, b) == pytest.approx(float(exact), abs=1e-7)
    assert scalar_gap(a, b) == scalar_gap(b, a)
    assert scalar_gap(a, b) >= -1e-7


def test_scalar_gap_vanishes_on_the_sides():
    t = np.linspace(0, RIGHT, 50)
    assert np.abs(scalar_gap(t, 0)).max() == 0
    assert np.abs(scalar_gap(t, RIGHT)).max() < 1e-15 * 8


@PROPERTY
@given(sides, sides)
def test_the_sine_form_is_sharper(error, separation):
    assert one_vec_sine(error, separation) <= max(bounds.one_vec(error, separation), 0) * (1 + 1e-9)
    with mpmath.workdps(50):
        ratio = min(mpmath.mpf(1), mpmath.sin(error) / mpmath.sin(separation))
        assert one_vec_sine(error, separation) == pytest.approx(float(mpmath.asin(ratio)), abs=3e-8)
        exact = mpmath.pi / 2 * mpmath.mpf(error) / mpmath.mpf(separation)
        assert bounds.one_vec(error, separation) == pytest.approx(float(exact), rel=1e-15)


def test_nothing_is_promised_without_separation():
    assert bounds.one_vec(0.1, 0) == np.inf
    assert one_vec_sine(0.1, 0) == RIGHT == one_vec_sine(0.0, 0.0)


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
            (subspace_separated(k, error, gamma), k * mpmath.sin(e) / mpmath.sin(g)),
            (subspace_singular_value(k, error, gamma / 2), mpmath.sqrt(k) * mpmath.sin(e) / (g / 2)),
        ):
            assert found == pytest.approx(float(mpmath.asin(min(mpmath.mpf(1), sine))), abs=1e-7)
        assert bounds.subspace_printed(k, error, gamma) == pytest.approx(float(2 * k * e / g), rel=1e-14)


@PROPERTY
@given(st.integers(1, 10), st.floats(0.01, RIGHT), st.floats(1e-3, 1))
def test_separation_from_all_gives_the_printed_bound(k, gamma, share):
    error = share * gamma**2 / (10 * k)
    assert subspace_separated(k, error, gamma) <= bounds.subspace_printed(k, error, gamma)


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
    "scalar_gap": ("alpha", "beta", scalar_gap),
    "one_vec": ("error", "separation", bounds.one_vec),
    "one_vec_sine": ("error", "separation", one_vec_sine),
    "subspace_printed": ("error", "separation", lambda e, s: bounds.subspace_printed(3, e, s)),
    "subspace_sharp": ("error", "separation", lambda e, s: bounds.subspace_sharp(3, e, s)),
    "subspace_separated": ("error", "separation", lambda e, s: subspace_separated(3, e, s)),
    "subspace_singular_value": ("error", "smallest", lambda e, s: subspace_singular_value(3, e, s)),
}
PAIRS = pytest.mark.parametrize(("first", "second", "bound"), ANGLE_PAIRS.values(), ids=ANGLE_PAIRS)


@PAIRS
def test_bounds_broadcast(first, second, bound):
    e, s = np.array([[0.1], [0.2], [0.3]]), np.array([0.4, 0.5])
    found = bound(e, s)
    assert found.shape == (3, 2)
    assert found[2, 1] == bound(0.3, 0.5)
    assert np.ndim(bound(0.3, 0.5)) == 0
    assert bound(1, [1]).shape == (1,)


@pytest.mark.parametrize("bad", [0, -0.1, 1.1, np.nan, "1", 1j])
def test_singular_values_must_be_at_most_one(bad):
    with pytest.raises(ValueError, match=r"^smallest: expected .*, got .+"):
        subspace_singular_value(3, 0.1, bad)


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
    assert subspace_exact(rows, error) == pytest.approx(min(1.0, longest * np.sin(error)), rel=1e-6)


def test_subspace_exact_of_orthogonal_rows_and_saturated():
    assert subspace_exact(np.eye(4), 0.1) == pytest.approx(2 * np.sin(0.1))
    assert (subspace_exact(np.eye(4), [0.0, 1.0]) == [0.0, 1.0]).all()


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [([[2.0, 0.0]], 0.1, "learned"), ([[1.0, 0.0]] * 2, 0.1, "learned"), ([[1.0, 0.0]], RIGHT, "error")],
)
def test_subspace_exact_bad_input(rows, error, words):
    with pytest.raises(ValueError, match=rf"^{words}:"):
        subspace_exact(rows, error)


# --- how many features ------------------------------------------------------------------------------

errors = st.floats(1e-4, 0.49)
dimensions = st.integers(1, 12)


@given(k=st.integers(2, 10), epsilon=errors, lean=st.floats(0, 0.9))
@settings(max_examples=60, deadline=None)
def test_the_certified_accuracy_is_the_root(k, epsilon, lean):
    gamma = lean * np.pi * epsilon
    found = bounds.accuracy_exact(k, epsilon, gamma=gamma)

    def log_gap(accuracy):
        F = bounds.amplification(k, np.pi * (epsilon - accuracy))
        return float(np.log(F * np.sin(np.pi * accuracy) / np.sin(np.pi * epsilon - gamma)))

    assert log_gap(found) <= 1e-12
    root = brentq(log_gap, found / 2, min(found * 2, epsilon * (1 - 1e-9)), xtol=found * 1e-12)
    assert found == pytest.approx(root, rel=1e-7)


def test_the_certified_accuracy_in_fifty_digits():
    with mp.workdps(50):
        e = mp.mpf("0.1")

        def gap(a):
            F, g = mp.mpf(1), mp.pi * (e - a)
            for _ in range(9):
                F = mp.sqrt(1 + 2 * F * mp.cos(g) + F**2) / mp.sin(g)
            return mp.log(F * mp.sin(mp.pi * a) / mp.sin(mp.pi * e))

        root = findroot(gap, (mp.mpf("1e-6"), mp.mpf("1.1e-6")), solver="anderson")
    assert bounds.accuracy_exact(10, 0.1) == pytest.approx(float(root), rel=1e-9)


@pytest.mark.parametrize("k", [2, 3, 5, 10])
def test_the_certified_accuracy_for_small_errors(k):
    ratios = [bounds.accuracy_exact(k, e) / (np.pi ** (k - 1) * e**k / 2) for e in (1e-2, 1e-4)]
    assert abs(ratios[1] - 1) < abs(ratios[0] - 1) < 0.02
    assert abs(ratios[1] - 1) < 1e-3


@given(k=st.integers(2, 10), epsilon=st.floats(1e-4, 0.25))
@settings(max_examples=60, deadline=None)
def test_the_accuracy_that_breaks_is_the_root_and_above_the_certified_one(k, epsilon):
    found = accuracy_broken(k, epsilon)
    assert bounds.accuracy_exact(k, epsilon) < found < epsilon

    def height(accuracy):
        return float(bounds.amplification(k, np.pi * (epsilon + accuracy)) * np.sin(np.pi * accuracy))

    assert height(found) > np.sin(np.pi * epsilon) >= height(found * (1 - 1e-7))


def test_the_certified_accuracy_of_one_dimension():
    assert bounds.accuracy_exact(1, 0.1) == pytest.approx(0.1)
    assert bounds.accuracy_exact(1, 0.1, gamma=0.1 * np.pi / 2) == pytest.approx(0.05)
    run = exact_run(np.array([[1.0, 0, 0], [-1.0, 0, 0]]), 0.1, bounds.accuracy_exact(1, 0.1), direction="common")
    assert run.scratch == 1


@given(k=dimensions, s=st.floats(1e-6, 1))
@settings(max_examples=60, deadline=None)
def test_the_most_openings_is_the_root(k, s):
    N = bounds.spectral_openings(k, s)
    assert np.log(3) * N == pytest.approx(1 + k * np.log1p(4 * N / (k * s**2)), rel=1e-9)
    assert 0 < N <= 4 * k * (1 - np.log(s))


@given(k=dimensions, epsilon=errors, lean=st.floats(0, 0.1))
@settings(max_examples=40, deadline=None)
def test_the_spectral_accuracy_is_the_coarsest(k, epsilon, lean):
    gamma = lean * np.pi * epsilon

    def holds(accuracy):
        s, t = np.sin(np.pi * (epsilon - accuracy)), np.sin(np.pi * accuracy + gamma)
        return 2 * t * np.sqrt(bounds.spectral_openings(k, s)) <= s

    try:
        accuracy = bounds.spectral_accuracy(k, epsilon, gamma=gamma)
    except ValueError:
        assert not holds(0.0)
        return
    assert holds(accuracy)
    assert not holds(accuracy * (1 + 1e-6) + 1e-9 * epsilon)


@given(epsilon=st.floats(0.001, 0.45), size=st.integers(50, 20_000), delta=st.floats(1e-6, 0.5))
@settings(max_examples=60, deadline=None)
def test_the_certified_share_is_a_binomial_tail(epsilon, size, delta):
    share = holdout_share(epsilon, size, delta)
    most = int(0.75 * epsilon * size + 1e-9)
    assert binom.sf(most, size, share * epsilon) <= delta * (1 + 1e-6)
    assert binom.sf(most, size, min(1.0, share * epsilon * (1 + 1e-6) + 1e-9)) >= delta * (1 - 1e-3)


def test_the_share_grows_with_the_holdout():
    shares = [holdout_share(0.1, size, 0.01) for size in (100, 1000, 10_000, 1_000_000)]
    assert np.all(np.diff(shares) > 0)
    assert 0.74 < shares[-1] < 0.75


@pytest.mark.parametrize("delta", [0.3, 0.01, 1e-6])
def test_the_size_of_the_holdout_certifies_a_half(delta):
    assert holdout_share(0.1, holdout_size(0.1, delta), delta) > 0.5


def test_the_lemma_needs_its_thirty():
    """What Chernoff's bound asks for, in the exponent, and the same lemma beyond doubles: one in 1e-300."""
    assert 29 < 1 / (0.75 * np.log(0.75) + 0.25) < 30
    size = holdout_size(0.01, 1e-300)
    most = int(0.75 * 0.01 * size)
    assert binom.cdf(most, size, 0.01) < 1e-300 < binom.cdf(int(0.765 * 0.01 * size), size, 0.01)


def by_search(k, epsilon, accuracy, gamma):
    """Largest N such that the inequality holds for all N up to it, one after the other."""
    N = k
    while bounds.volume_slack(N + 1, k, epsilon, accuracy, gamma=gamma) >= 0:
        N += 1
    return N


@pytest.mark.parametrize("k", [1, 2, 3, 7, 20])
@pytest.mark.parametrize(
    ("epsilon", "divisor", "gamma"), [(0.1, 5, 0), (0.3, 20, 0.01), (0.01, 2.2, 0), (1e-6, 1e6, 0)]
)
def test_volume_bound_by_bisection_and_by_search(k, epsilon, divisor, gamma):
    assert bounds.volume_bound(k, epsilon, epsilon / divisor, gamma=gamma) == by_search(
        k, epsilon, epsilon / divisor, gamma
    )


def test_volume_slack_is_the_inequality():
    k, N, e, a, gamma = 3, 8, 0.1, 0.02, 0.05
    s, t = np.sin(np.pi * (e - a)), np.sin(np.pi * a + gamma)
    right = (N / k) ** k * (N * t**2 / (N - k)) ** (N - k)
    assert bounds.volume_slack(N, k, e, a, gamma=gamma) == pytest.approx(0.5 * np.log(right / s ** (2 * (N - 1))))


def test_volume_bound_is_infinite_where_nothing_separates():
    assert bounds.volume_bound(3, 0.1, 0.05) == np.inf
    assert bounds.volume_bound(3, 0.1, 0.01, gamma=1.0) == np.inf
    assert bounds.volume_bound(1, 0.1, 0.01) == 1


@pytest.mark.parametrize("k", [1, 2, 5, 30, 200])
def test_corollaries_of_the_volume_bound(k):
    for epsilon in np.geomspace(1e-12, 0.4, 25):
        assert bounds.features_logarithmic(k, epsilon) == pytest.approx(2 * k + k * np.log(1 / epsilon))
        assert bounds.volume_bound(k, epsilon, epsilon / 5) <= bounds.features_logarithmic(k, epsilon)
        assert bounds.volume_bound(k, epsilon, epsilon**2 / 2) <= bounds.features_exact(k)


@pytest.mark.parametrize(("low", "high"), [(0.25, 0.5), (0.2, 0.6), (1 / np.pi, 1 / np.pi)])
@pytest.mark.parametrize("bound", [bounds.volume_bound, bounds.determinant_bound])
def test_the_constants_of_a_law_enter_through_angles(bound, low, high):
    k, epsilon, accuracy, gamma = 4, 0.2, 0.01, 0.02
    equal = epsilon / (np.pi * high), accuracy / (np.pi * low)
    assert bound(k, epsilon, accuracy, gamma=gamma, low=low, high=high) == bound(k, *equal, gamma=gamma)
    with pytest.raises(ValueError, match=r"^epsilon_acc: expected less than"):
        bound(k, epsilon, 1.000001 * epsilon * low / high, low=low, high=high)


@pytest.mark.parametrize("law", list(laws.ISOTROPIC_LAWS.values()), ids=lambda law: law.name)
def test_the_share_of_epsilon_keeps_new_features_three_times_as_far(law):
    rates = law(2).planar_rate(np.linspace(0, np.pi, 1001))
    low, high = float(rates.min()), float(rates.max())
    share = bounds.accuracy_share(low=low, high=high)
    for epsilon in np.linspace(0.001, min(0.49, 0.4 * np.pi * high), 40):
        s, t = np.sin(epsilon / high - share * epsilon / low), np.sin(share * epsilon / low)
        assert s >= 3 * t
        for k in (1, 2, 7, 40):
            most = bounds.volume_bound(k, epsilon, share * epsilon, low=low, high=high)
            assert most <= k * (2 - np.log(s)) <= k * (2 + np.log(1.5 * high / epsilon))
            most = bounds.determinant_bound(k, epsilon, share * epsilon, low=low, high=high)
            assert most <= k * (1.63 + np.log(high / epsilon))


@pytest.mark.parametrize("k", [1, 2, 3, 10, 60])
@pytest.mark.parametrize(("epsilon", "divisor", "gamma"), [(0.3, 1.2, 0), (0.1, 5, 0.03), (1e-3, 30, 0), (1e-9, 2, 0)])
def test_the_determinant_bound_against_its_formula(k, epsilon, divisor, gamma):
    """By the minimiser of scipy on the logarithm of the parameter, and never above any single parameter."""
    s, t = np.sin(np.pi * epsilon - gamma) ** 2, np.sin(np.pi * epsilon / divisor + gamma) ** 2

    def at(log_x):
        x = np.exp(log_x)
        return 1 + ((k - 1) * np.log1p(1 / x) + np.log1p(t / x)) / np.log1p((s - t) / (t + x))

    found = minimize_scalar(at, bounds=(np.log(t) - 9, 13), method="bounded", options={"xatol": 1e-9})
    bound = bounds.determinant_bound(k, epsilon, epsilon / divisor, gamma=gamma)
    assert bound in (np.floor(found.fun), np.floor(found.fun + 1e-5))
    assert all(bound <= at(x) for x in np.linspace(np.log(t) - 9, 13, 50))


def test_edges_of_the_determinant_bound():
    assert bounds.determinant_bound(7, 0.1, 0.0) == 7
    assert bounds.determinant_bound(3, 0.1, 0.01, gamma=1.0) == np.inf
    assert bounds.determinant_bound(3, 0.1, 0.05, gamma=np.pi * 0.025) == np.inf
    assert np.isfinite(bounds.determinant_bound(3, 0.1, 0.0999))
    assert bounds.determinant_bound(1, 0.1, 0.05) == 1


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_the_determinant_bound_is_the_better_one(k):
    for epsilon in np.geomspace(1e-12, 0.4, 15):
        for divisor in (2.2, 3, 5, 8, 20, 1 / epsilon):
            if divisor > 1:
                found = bounds.determinant_bound(k, epsilon, epsilon / divisor)
                assert found <= bounds.volume_bound(k, epsilon, epsilon / divisor)


def test_the_exact_count_knows_the_room():
    for k in range(1, 9):
        for n in range(k, 30):
            assert bounds.features_exact(k, n=n) == min(n, bounds.features_exact(k))
    assert bounds.features_exact(5, n=5) == 5
    assert bounds.features_exact(5, n=6) == 6


@pytest.mark.parametrize("gamma", [0.9, 1.2, 1.5, RIGHT])
def test_volume_slack_of_targets_far_from_the_space(gamma):
    """A learned vector is off the space by the sum of two angles, but by no more than a right angle."""
    k, N, e, a = 3, 8, 0.4, 0.03
    with mp.workdps(40):
        s = mp.sin(mp.pi * (mp.mpf(e) - mp.mpf(a)))
        t = mp.sin(min(mp.pi * mp.mpf(a) + mp.mpf(gamma), mp.pi / 2))
        right = mp.mpf(N) / k
        right = k * mp.log(right) + (N - k) * mp.log(N * t**2 / (N - k))
        expected = right / 2 - (N - 1) * mp.log(s)
    assert bounds.volume_slack(N, k, e, a, gamma=gamma) == pytest.approx(float(expected), rel=1e-12)


def test_volume_slack_of_angles_beyond_a_right_one():
    """With a large constant of the law a refused target may be at any angle: its sine counts as 1, not as less."""
    k, N, a, c = 3, 8, 0.01, 0.2
    entropy = (k * np.log(N / k) + (N - k) * np.log(N / (N - k))) / 2
    expected = entropy + (N - k) * np.log(np.sin(a / c))
    for e in (0.4, 0.45, 0.49):  # e / c is above a right angle and a / c
        assert bounds.volume_slack(N, k, e, a, low=c, high=c) == pytest.approx(expected, rel=1e-12)
