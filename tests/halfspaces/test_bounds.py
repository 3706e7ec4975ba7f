"""Bounds against 50-digit arithmetic, their defining properties, and their errors."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import binom

from lifelong import laws
from lifelong.halfspaces import bounds
from lifelong_book.halfspaces.perturbation import claims
from lifelong_book.halfspaces.repair import limits as repaired

RIGHT = np.pi / 2
PROPERTY = settings(deadline=None, derandomize=True, max_examples=50)
sides = st.floats(1e-6, RIGHT)


def exact_amplification(k: int, gamma: float) -> mpmath.mpf:
    g, F = mpmath.mpf(gamma), mpmath.mpf(1)
    for _ in range(k - 1):
        F = mpmath.sqrt(1 + 2 * F * mpmath.cos(g) + F**2) / mpmath.sin(g)
    return F


@pytest.mark.parametrize("k", [1, 2, 3, 20])
@pytest.mark.parametrize("gamma", [0.05, 0.5, RIGHT])
def test_amplification_in_50_digits(k, gamma):
    with mpmath.workdps(50):
        assert bounds.amplification(k, gamma) == pytest.approx(float(exact_amplification(k, gamma)), rel=1e-13)
    assert bounds.amplification(k, RIGHT) == pytest.approx(np.sqrt(k))


@PROPERTY
@given(st.integers(1, 10), sides, st.floats(0.01, RIGHT))
def test_each_bound_is_its_formula(k, error, gamma):
    with mpmath.workdps(50):
        e, g = mpmath.mpf(error), mpmath.mpf(gamma)
        sine = min(mpmath.mpf(1), exact_amplification(k, gamma) * mpmath.sin(e))
        assert bounds.subspace_sharp(k, error, gamma) == pytest.approx(float(mpmath.asin(sine)), abs=1e-7)
        assert bounds.subspace_printed(k, error, gamma) == pytest.approx(float(2 * k * e / g), rel=1e-14)


def test_bounds_broadcast():
    e, s = np.array([[0.1], [0.2], [0.3]]), np.array([0.4, 0.5])
    for bound in (bounds.subspace_printed, bounds.subspace_sharp):
        np.testing.assert_array_equal(bound(3, e, s), [[bound(3, x, y) for y in s] for x in e[:, 0]])
        assert np.ndim(bound(3, 0.3, 0.5)) == 0 and bound(3, 1, [1]).shape == (1,)


@PROPERTY
@given(st.integers(1, 5), st.integers(0, 1000))
def test_the_longest_dual_vector_by_trying_all_signs(k, seed):
    rows = np.random.default_rng(seed).standard_normal((k, k + 1))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    longest = max(np.linalg.norm(np.linalg.pinv(rows) @ s) for s in itertools.product((-1, 1), repeat=k))
    assert np.linalg.norm(claims.longest(rows)[0]) == pytest.approx(longest, rel=1e-9)


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
    assert bounds.accuracy_exact(1, epsilon, gamma=gamma) == pytest.approx(epsilon * (1 - lean))
    assert bounds.accuracy_exact(1, epsilon) < epsilon  # certainly


@given(k=st.integers(2, 10), epsilon=st.floats(1e-4, 0.25))
@settings(max_examples=60, deadline=None)
def test_the_accuracy_that_breaks_is_the_root_and_above_the_certified_one(k, epsilon):
    found = repaired.accuracy_broken(k, epsilon)
    assert bounds.accuracy_exact(k, epsilon) < found < epsilon

    def height(accuracy):
        return float(bounds.amplification(k, np.pi * (epsilon + accuracy)) * np.sin(np.pi * accuracy))

    assert height(found) > np.sin(np.pi * epsilon) >= height(found * (1 - 1e-7))


@given(epsilon=st.floats(0.001, 0.45), size=st.integers(50, 20_000), delta=st.floats(1e-6, 0.5))
@settings(max_examples=60, deadline=None)
def test_the_certified_share_is_a_binomial_tail(epsilon, size, delta):
    share = repaired.holdout_share(epsilon, size, delta)
    most = int(0.75 * epsilon * size + 1e-9)
    assert binom.sf(most, size, share * epsilon) <= delta * (1 + 1e-6)
    assert binom.sf(most, size, min(1.0, share * epsilon * (1 + 1e-6) + 1e-9)) >= delta * (1 - 1e-3)
    assert repaired.holdout_share(0.1, repaired.holdout_size(0.1, delta), delta) > 0.5


@pytest.mark.parametrize("k", [1, 3, 20])
@pytest.mark.parametrize(("epsilon", "divisor", "gamma"), [(0.3, 20, 0.01), (0.01, 2.2, 0), (1e-6, 1e6, 0)])
def test_volume_bound_by_bisection_and_by_search(k, epsilon, divisor, gamma):
    N = k
    while bounds.volume_slack(N + 1, k, epsilon, epsilon / divisor, gamma=gamma) >= 0:
        N += 1
    assert bounds.volume_bound(k, epsilon, epsilon / divisor, gamma=gamma) == N


def test_edges():
    assert bounds.angle_constants() == pytest.approx((1 / (24 * np.pi), 2 * np.e**2 / (np.e - 1)), rel=1e-12)
    for bound in (bounds.volume_bound, bounds.determinant_bound):
        assert bound(3, 0.1, 0.01, gamma=1.0) == np.inf and bound(1, 0.1, 0.01) == 1
    assert bounds.volume_bound(3, 0.1, 0.05) == bounds.determinant_bound(3, 0.1, 0.05, gamma=np.pi * 0.025) == np.inf
    assert bounds.determinant_bound(7, 0.1, 0.0) == 7
    assert np.isfinite(bounds.determinant_bound(3, 0.1, 0.0999))


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_corollaries_of_the_volume_bound(k):
    for epsilon in np.geomspace(1e-12, 0.4, 15):
        assert bounds.features_logarithmic(k, epsilon) == pytest.approx(2 * k + k * np.log(1 / epsilon))
        assert bounds.volume_bound(k, epsilon, epsilon / 5) <= bounds.features_logarithmic(k, epsilon)
        assert bounds.volume_bound(k, epsilon, epsilon**2 / 2) <= bounds.features_exact(k) == max(1, 2 * k - 2)
        for divisor in (2.2, 3, 5, 8, 20, 1 / epsilon):  # the determinant bound is the better one
            found = bounds.determinant_bound(k, epsilon, epsilon / divisor)
            assert found <= bounds.volume_bound(k, epsilon, epsilon / divisor)
    assert all(bounds.features_exact(k, n=n) == min(n, max(1, 2 * k - 2)) for n in (k, k + 1, 99))


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


@pytest.mark.parametrize("k", [1, 3, 60])
@pytest.mark.parametrize(("epsilon", "divisor", "gamma"), [(0.3, 1.2, 0), (0.1, 5, 0.03), (1e-3, 30, 0), (1e-9, 2, 0)])
def test_the_determinant_bound_against_its_formula(k, epsilon, divisor, gamma):
    s, t = np.sin(np.pi * epsilon - gamma) ** 2, np.sin(np.pi * epsilon / divisor + gamma) ** 2

    def at(log_x):
        x = np.exp(log_x)
        return 1 + ((k - 1) * np.log1p(1 / x) + np.log1p(t / x)) / np.log1p((s - t) / (t + x))

    found = minimize_scalar(at, bounds=(np.log(t) - 9, 13), method="bounded", options={"xatol": 1e-9})
    bound = bounds.determinant_bound(k, epsilon, epsilon / divisor, gamma=gamma)
    assert bound in (np.floor(found.fun), np.floor(found.fun + 1e-5))
    assert all(bound <= at(x) for x in np.linspace(np.log(t) - 9, 13, 50))


@pytest.mark.parametrize("gamma", [0.05, 0.9, 1.5, RIGHT])
def test_volume_slack_is_the_inequality(gamma):
    k, N, e, a = 3, 8, 0.4, 0.03
    with mp.workdps(40):
        s = mp.sin(mp.pi * (mp.mpf(e) - mp.mpf(a)))
        t = mp.sin(min(mp.pi * mp.mpf(a) + mp.mpf(gamma), mp.pi / 2))  # off the space by no more than a right angle
        right = k * mp.log(mp.mpf(N) / k) + (N - k) * mp.log(N * t**2 / (N - k))
        expected = right / 2 - (N - 1) * mp.log(s)
    assert bounds.volume_slack(N, k, e, a, gamma=gamma) == pytest.approx(float(expected), rel=1e-12)
    a, c = 0.01, 0.2  # with a large constant of the law a refused target may be at any angle: its sine counts as 1
    entropy = (k * np.log(N / k) + (N - k) * np.log(N / (N - k))) / 2
    for e in (0.4, 0.49):
        expected = entropy + (N - k) * np.log(np.sin(a / c))
        assert bounds.volume_slack(N, k, e, a, low=c, high=c) == pytest.approx(expected, rel=1e-12)
