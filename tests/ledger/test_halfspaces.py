"""Algorithm 1 with exact oracles, the bounds on its features, and the streams that reach them."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp
from scipy.optimize import minimize_scalar

from lifelong import laws, learn_stream
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.algorithm1 import ExactSpectralSubspace, ExactSubspace, SpectralSubspace, Subspace, factors
from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.ledger import LEDGER
from lifelong.ledger.claim import reports
from lifelong.ledger.claims.efficient import LossySubspace
from lifelong.ledger.claims.halfspaces import (
    CHAINS,
    DOUBLING,
    Turning,
    chain_run,
    determinant_steps,
    exact_run,
    exact_stream,
    greedy_openings,
    printed_accuracy,
    printed_angles,
    random_targets,
)

DIRECTIONS = ("random", "common", "fresh")


def task(target, law=laws.Gaussian):
    return HalfspaceTask(target, law(len(target)))


# --- the learner with exact oracles ---------------------------------------------------------------


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("accuracy", [0.0, 1e-6, 0.01, 0.3])
def test_from_scratch_the_error_is_exact(direction, accuracy):
    learner = ExactSubspace(6, 0.35, accuracy, direction, rng=0)
    t = task([1.0, 2.0, 0, 0, 0, 0])
    how, w = learner.learn(t)
    assert how == "scratch"
    assert np.linalg.norm(w) == pytest.approx(1)
    assert t.error(w) == pytest.approx(accuracy, abs=1e-12)
    assert t.counts.labels == 0


def test_directions_are_what_they_say():
    rows = [[1.0, 0, 0, 0, 0], [0, 1.0, 0, 0, 0]]
    errors = {}
    for direction in ("common", "fresh"):
        run = exact_run(np.array(rows), 0.1, 0.05, direction)
        errors[direction] = run.representation.features[:, 2:] / np.sin(0.05 * np.pi)
    np.testing.assert_allclose(errors["common"], [[0, 0, 1], [0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(errors["fresh"], [[0, 0, 1], [0, 1, 0]], atol=1e-12)
    a, b = (ExactSubspace(5, 0.1, 0.05, rng=seed).learn(task(rows[0]))[1] for seed in (0, 1))
    assert not np.allclose(a, b)


def test_reuse_accepts_exactly_up_to_epsilon():
    for factor, expected in ((1 - 1e-9, "reused"), (1 + 1e-9, "scratch")):
        turn = np.pi * 0.1 * factor
        run = exact_run(np.array([[1.0, 0, 0], [np.cos(turn), np.sin(turn), 0]]), 0.1, 0.0, "random", 0)
        assert run.how == ["scratch", expected]
        assert run.representation.best == pytest.approx([0.5, 0.1 * factor])


def test_the_span_orthogonal_to_the_target_is_as_good_as_a_coin():
    run = exact_run(np.eye(3)[:2], 0.4, 0.0, "random", 0)
    assert run.representation.best == [0.5, 0.5]
    assert run.scratch == 2


def test_reuse_accepts_an_error_of_exactly_epsilon():
    target = task([3.0, 1.0, 0.0])
    first = ExactSubspace(3, 0.4, 0.0)
    first.grow("scratch", np.eye(3)[0])
    first.reuse(target)
    error = first.best[0]
    for epsilon, accepted in ((error, True), (np.nextafter(error, 0), False)):
        learner = ExactSubspace(3, epsilon, 0.0)
        learner.grow("scratch", np.eye(3)[0])
        assert (learner.reuse(target) is not None) == accepted


@pytest.mark.parametrize(("share", "rows"), [(0.99, 1), (1.01, 2)])
def test_directions_are_searched_from_the_eigenvalue_on(share, rows):
    for learner in (ExactSpectralSubspace(4, 0.1, 2, 0.01), SpectralSubspace(4, 0.2, 2, 0.01)):
        assert learner.eigenvalue == pytest.approx(np.sin(0.09 * np.pi) ** 2 / 4)
        learner.features = np.diag([1.0, np.sqrt(share * learner.eigenvalue), 0.0, 0.0])
        np.testing.assert_allclose(np.abs(learner.span), np.eye(4)[:rows], atol=1e-12)


def test_the_default_accuracy_is_the_coarsest_that_is_admitted():
    assert ExactSpectralSubspace(6, 0.1, 3).epsilon_acc == bounds.spectral_accuracy(3, 0.1)
    assert SpectralSubspace(6, 0.2, 3).epsilon_acc == bounds.spectral_accuracy(3, 0.1)


def test_coefficients_use_no_feature_that_came_later():
    class Nervous(ExactSubspace):
        def reuse(self, t):
            found = super().reuse(t)
            return None if len(self.best) == 3 else found

    run = learn_stream([task([1.0, 0, 0]) for _ in range(4)], Nervous(3, 0.1, 0.0))
    C, W = factors(run)
    assert run.how == ["scratch", "reused", "scratch", "reused"]
    np.testing.assert_allclose(C[:3], [[1, 0], [1, 0], [0, 1]], atol=1e-12)
    np.testing.assert_allclose(C @ W, [[1, 0, 0]] * 4, atol=1e-12)


@pytest.mark.parametrize("lean", [1e-7, 1e-3, 0.3])
def test_an_error_may_point_where_the_target_nearly_does(lean):
    """Only a target along the very axis of the errors leaves them no direction."""
    learner = ExactSubspace(3, 0.1, 0.05, "common")
    target = task([np.sin(lean), 0.0, np.cos(lean)])
    assert target.error(learner.learn(target)[1]) == pytest.approx(0.05, abs=1e-9)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_matrices_hold_the_predictors(direction):
    targets = random_targets(4, 40, 60, np.random.default_rng(0))
    run = exact_run(targets, 0.05, 0.01, direction, 0)
    C, W = factors(run)
    assert C.shape == (60, run.scratch)
    assert W is run.representation.features
    np.testing.assert_allclose(C @ W, [s.hypothesis for s in run.steps], atol=1e-9)
    assert (angle(C @ W, targets) / np.pi).max() <= 0.05
    openings = [i for i, how in enumerate(run.how) if how == "scratch"]
    np.testing.assert_array_equal(C[openings], np.eye(run.scratch))
    for i, row in enumerate(C):  # nothing of later features
        assert not row[sum(j <= i for j in openings) :].any()


def test_the_matrices_of_a_run_from_samples():
    _, tasks = instances.planted_halfspaces(laws.Gaussian(10), 2, 8, rng=0)
    run = learn_stream(tasks, Subspace(10, 0.2))
    C, W = factors(run)
    np.testing.assert_allclose(C @ W, [s.hypothesis for s in run.steps], atol=1e-9)


def test_memory_is_features_and_numbers():
    run = exact_run(np.eye(5)[:3], 0.1, 0.01, "common")
    arrays = {key for key, value in vars(run.representation).items() if isinstance(value, np.ndarray)}
    assert arrays == {"features"}
    assert run.representation.features.shape == (3, 5)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((1, 0.1, 0.01), "n"),
        ((3, 0.0, 0.01), "epsilon"),
        ((3, 0.5, 0.01), "epsilon"),
        ((3, 0.1, -0.1), "epsilon_acc"),
        ((3, 0.1, np.nan), "epsilon_acc"),
        ((3, 0.1, 0.5), "epsilon_acc"),
        ((3, 0.1, 0.01, "up"), "direction"),
    ],
)
def test_exact_subspace_refuses(arguments, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected"):
        ExactSubspace(*arguments)


def test_exact_subspace_refuses_tasks():
    learner = ExactSubspace(3, 0.1, 0.01, "common")
    for method in (learner.reuse, learner.learn):
        with pytest.raises(ValueError, match="task"):
            method(task([1.0, 0, 0, 0]))
        with pytest.raises(ValueError, match="rotation-invariant law, got Laplace"):
            method(task([1.0, 0, 0], laws.Laplace))
    with pytest.raises(ValueError, match="away from the axis"):
        learner.learn(task([0, 0, 1.0]))
    fresh = ExactSubspace(2, 0.1, 0.01, "fresh")
    fresh.features = np.eye(2)
    with pytest.raises(ValueError, match="at most 2 features"):
        fresh.learn(task([1.0, 1.0]))
    with pytest.raises(ValueError, match="run"):
        factors(None)


# --- the bounds -----------------------------------------------------------------------------------


def by_search(k, epsilon, accuracy, gamma):
    """Largest N such that the inequality holds for all N up to it, one after the other."""
    N = k
    while bounds.volume_slack(N + 1, k, epsilon, accuracy, gamma) >= 0:
        N += 1
    return N


@pytest.mark.parametrize("k", [1, 2, 3, 7, 20])
@pytest.mark.parametrize(
    ("epsilon", "divisor", "gamma"), [(0.1, 5, 0), (0.3, 20, 0.01), (0.01, 2.2, 0), (1e-6, 1e6, 0)]
)
def test_volume_bound_by_bisection_and_by_search(k, epsilon, divisor, gamma):
    assert bounds.volume_bound(k, epsilon, epsilon / divisor, gamma) == by_search(k, epsilon, epsilon / divisor, gamma)


def test_volume_slack_is_the_inequality():
    k, N, e, a, gamma = 3, 8, 0.1, 0.02, 0.05
    s, t = np.sin(np.pi * (e - a)), np.sin(np.pi * a + gamma)
    right = (N / k) ** k * (N * t**2 / (N - k)) ** (N - k)
    assert bounds.volume_slack(N, k, e, a, gamma) == pytest.approx(0.5 * np.log(right / s ** (2 * (N - 1))))


def test_volume_bound_is_infinite_where_nothing_separates():
    assert bounds.volume_bound(3, 0.1, 0.05) == np.inf
    assert bounds.volume_bound(3, 0.1, 0.01, 1.0) == np.inf
    assert bounds.volume_bound(1, 0.1, 0.01) == 1


@pytest.mark.parametrize("k", [1, 2, 5, 30, 200])
def test_corollaries_of_the_volume_bound(k):
    for epsilon in np.geomspace(1e-12, 0.4, 25):
        assert bounds.volume_bound(k, epsilon, epsilon / 5) <= bounds.features_logarithmic(k, epsilon)
        assert bounds.volume_bound(k, epsilon, epsilon**2 / 2) <= bounds.features_exact(k)


@pytest.mark.parametrize(("low", "high"), [(0.25, 0.5), (0.2, 0.6), (1 / np.pi, 1 / np.pi)])
@pytest.mark.parametrize("bound", [bounds.volume_bound, bounds.determinant_bound])
def test_the_constants_of_a_law_enter_through_angles(bound, low, high):
    k, epsilon, accuracy, gamma = 4, 0.2, 0.01, 0.02
    equal = epsilon / (np.pi * high), accuracy / (np.pi * low)
    assert bound(k, epsilon, accuracy, gamma, low=low, high=high) == bound(k, *equal, gamma)
    with pytest.raises(ValueError, match=r"^high: expected"):
        bound(k, epsilon, accuracy, low=high, high=low / 2)
    with pytest.raises(ValueError, match=r"^low: expected"):
        bound(k, epsilon, accuracy, low=0.0)
    with pytest.raises(ValueError, match=r"^epsilon_acc: expected less than"):
        bound(k, epsilon, 1.000001 * epsilon * low / high, low=low, high=high)


@pytest.mark.parametrize("law", list(laws.ISOTROPIC_LAWS.values()), ids=lambda law: law.name)
def test_the_share_of_epsilon_keeps_new_features_three_times_as_far(law):
    rates = law(2).planar_rate(np.linspace(0, np.pi, 1001))
    low, high = float(rates.min()), float(rates.max())
    share = bounds.accuracy_share(low, high)
    for epsilon in np.linspace(0.001, min(0.49, 0.4 * np.pi * high), 40):
        s, t = np.sin(epsilon / high - share * epsilon / low), np.sin(share * epsilon / low)
        assert s >= 3 * t
        for k in (1, 2, 7, 40):
            most = bounds.volume_bound(k, epsilon, share * epsilon, low=low, high=high)
            assert most <= k * (2 - np.log(s)) <= k * (2 + np.log(1.5 * high / epsilon))
            most = bounds.determinant_bound(k, epsilon, share * epsilon, low=low, high=high)
            assert most <= k * (1.63 + np.log(high / epsilon))
    with pytest.raises(ValueError, match=r"^high"):
        bounds.accuracy_share(0.3, 0.2)


@pytest.mark.parametrize("k", [1, 2, 3, 10, 60])
@pytest.mark.parametrize(("epsilon", "divisor", "gamma"), [(0.3, 1.2, 0), (0.1, 5, 0.03), (1e-3, 30, 0), (1e-9, 2, 0)])
def test_the_determinant_bound_against_its_formula(k, epsilon, divisor, gamma):
    """By the minimiser of scipy on the logarithm of the parameter, and never above any single parameter."""
    s, t = np.sin(np.pi * epsilon - gamma) ** 2, np.sin(np.pi * epsilon / divisor + gamma) ** 2

    def at(log_x):
        x = np.exp(log_x)
        return 1 + ((k - 1) * np.log1p(1 / x) + np.log1p(t / x)) / np.log1p((s - t) / (t + x))

    found = minimize_scalar(at, bounds=(np.log(t) - 9, 13), method="bounded", options={"xatol": 1e-9})
    bound = bounds.determinant_bound(k, epsilon, epsilon / divisor, gamma)
    assert bound in (np.floor(found.fun), np.floor(found.fun + 1e-5))
    assert all(bound <= at(x) for x in np.linspace(np.log(t) - 9, 13, 50))


def test_edges_of_the_determinant_bound():
    assert bounds.determinant_bound(7, 0.1, 0.0) == 7
    assert bounds.determinant_bound(3, 0.1, 0.01, 1.0) == np.inf
    assert bounds.determinant_bound(3, 0.1, 0.05, np.pi * 0.025) == np.inf
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
            assert bounds.features_exact(k, n) == min(n, bounds.features_exact(k))
    assert bounds.features_exact(5, 5) == 5
    assert bounds.features_exact(5, 6) == 6


@pytest.mark.parametrize(
    "call",
    [
        lambda: bounds.features_exact(3, 2),
        lambda: bounds.determinant_bound(0, 0.1, 0.01),
        lambda: bounds.determinant_bound(3, 0.1, 0.01, -1),
        lambda: bounds.determinant_bound(3, 0.6, 0.01),
        lambda: instances.doubling_in_room(3, 2, 0.01, 1e-4),
        lambda: instances.doubling_in_room(8, 20, 0.1, 0.005),
        lambda: instances.sharp_family(0, 0.01, 1e-4),
        lambda: instances.sharp_family(2, 0.01, 0.02),
        lambda: instances.refusals_with(np.eye(2), np.eye(3), 0.1),
        lambda: instances.refusals_with(np.eye(2), np.eye(2), 0.5),
        lambda: bounds.volume_bound(0, 0.1, 0.01),
        lambda: bounds.volume_bound(3, 0.1, 0.1),
        lambda: bounds.volume_bound(3, 0.1, 0.0),
        lambda: bounds.volume_bound(3, 0.1, 0.01, -1),
        lambda: bounds.volume_slack(3, 3, 0.1, 0.01),
        lambda: bounds.features_logarithmic(3, 0.5),
        lambda: bounds.features_logarithmic(0, 0.1),
        lambda: bounds.features_exact(0),
    ],
)
def test_bounds_refuse(call):
    with pytest.raises(ValueError, match="expected"):
        call()


# --- the streams ----------------------------------------------------------------------------------


def test_the_ridge_formula_is_the_distance_in_space():
    k, epsilon, accuracy = 4, 0.02, 0.004
    rows = np.array(instances.logarithmic_family(k, epsilon, accuracy), dtype=float)
    padded = np.pad(rows, ((0, 0), (0, len(rows))))
    run = exact_run(padded, epsilon, accuracy, "fresh")
    W = run.representation.features
    distances = [np.sin(angle_to_subspace(padded[i], W[:i])) / np.sin(np.pi * epsilon) for i in range(1, len(rows))]
    np.testing.assert_allclose(instances.refusals(rows, epsilon, accuracy)[1:], distances, rtol=1e-7)
    assert run.scratch == len(rows) > k


@pytest.mark.parametrize(("k", "power"), [(3, 2), (4, 3), (5, 3)])
def test_the_doubling_family_in_doubles(k, power):
    epsilon = 10.0**-power
    rows = np.array(instances.doubling_family(k, epsilon, epsilon**2 / 2), dtype=float)
    run = exact_run(np.pad(rows, ((0, 0), (0, len(rows)))), epsilon, epsilon**2 / 2, "fresh")
    assert run.scratch == 2 * k - 2


@pytest.mark.parametrize(("k", "half", "printed"), DOUBLING)
def test_the_doubling_family_in_digits(k, half, printed):
    for power, c in ((half, 0.5), (printed, 1 / (10 * np.pi * k))):
        epsilon = mp.mpf(10) ** -power
        rows = instances.doubling_family(k, epsilon, c * epsilon**2)
        assert len(rows) == 2 * k - 2
        assert all(abs(sum(x * x for x in row) - 1) < mp.mpf(10) ** -14 for row in rows)
        assert min(instances.refusals(rows, epsilon, c * epsilon**2)) > 1


def in_order(targets, learned, epsilon):
    """Whether each target is refused, by the angle in doubles, and the largest error of a learned vector."""
    true, rows = (np.array(x, dtype=float) for x in (targets, learned))
    refused = [np.sin(angle_to_subspace(true[i], rows[:i])) > np.sin(np.pi * epsilon) for i in range(1, len(rows))]
    return all(refused), float(np.max(angle(true, rows))) / np.pi


def test_four_features_in_three_dimensions_by_hand():
    """The rational bounds, and the same stream in doubles."""
    x = exact_stream()
    assert x["refused"] > x["allowed"] > np.sin(np.pi / 1000) ** 2
    assert x["tangent"] <= x["accuracy"]
    assert float(x["accuracy"]) ** 0.5 == pytest.approx(np.pi * printed_accuracy(3, 1e-3))
    true, learned = instances.hand_stream()
    assert np.linalg.matrix_rank(np.array(true, dtype=float)) == 3
    normal = [0, -1, 318, 100_000]
    assert not any(sum(a * b for a, b in zip(normal, row, strict=True)) for row in learned[:3])
    refused, error = in_order(true, learned, 1e-3)
    assert refused
    assert error <= printed_accuracy(3, 1e-3)
    assert not in_order(true, learned, 1.02e-3)[0]


@pytest.mark.parametrize(("k", "n"), [(2, 2), (3, 3), (3, 4), (4, 5), (4, 6), (5, 7), (5, 12)])
def test_every_room_is_filled(k, n):
    epsilon = mp.mpf(10) ** -(k - 1)
    true, learned = instances.doubling_in_room(k, n, epsilon, epsilon**2 / 2)
    assert true.shape == learned.shape == (bounds.features_exact(k, n), n)
    assert not np.array(true, dtype=float)[:, k:].any()
    np.testing.assert_allclose([float(row.dot(row)) for row in [*true, *learned]], 1, rtol=1e-14)
    refused, error = in_order(true, learned, float(epsilon))
    assert refused
    assert error <= float(epsilon) ** 2 / 2 * (1 + 1e-6) + 1e-12
    assert min(instances.refusals_with(true, learned, epsilon)) > 1


@pytest.mark.parametrize(("k", "epsilon", "divisor"), [(1, 0.1, 5), (2, 1e-2, 2), (3, 1e-2, 5), (4, 0.05, 1.5)])
def test_the_sharp_family_in_doubles(k, epsilon, divisor):
    true, learned = instances.sharp_family(k, epsilon, epsilon / divisor)
    s, t = np.sin(np.pi * epsilon), np.sin(np.pi * epsilon / divisor)
    assert len(true) == 1 + (k - 1) * (1 + int(np.log(1 / s) / np.log(s / t)))
    refused, error = in_order(true, learned, epsilon)
    assert refused
    assert error == pytest.approx(epsilon / divisor if k > 1 else 0, abs=1e-9)
    assert len(true) <= bounds.determinant_bound(k, epsilon, epsilon / divisor)


def test_distances_by_digits_are_the_angles():
    rng = np.random.default_rng(0)
    true, learned = rng.standard_normal((2, 5, 7))
    true /= np.linalg.norm(true, axis=1, keepdims=True)
    found = instances.refusals_with(true, learned, 0.2)
    expected = [1.0, *(np.sin(angle_to_subspace(true[i], learned[:i])) for i in range(1, 5))]
    np.testing.assert_allclose(found, np.array(expected) / np.sin(0.2 * np.pi))


def test_determinant_steps_see_an_opening_without_need():
    """A feature that repeats another lowers nothing."""
    targets = random_targets(3, 60, 10, np.random.default_rng(0))
    run = exact_run(targets, 0.1, 0.02, "random", 0)
    assert determinant_steps(run, targets, 3, 0.1, 0.02).max() <= 1 + 1e-9
    run.representation.features = np.vstack([run.representation.features, run.representation.features[0]])
    run.representation.features[-1, -1] += 1e-9
    assert determinant_steps(run, targets, 3, 0.1, 0.02).max() > 1


def test_printed_angles_meet_the_printed_conditions():
    for k in (1, 2, 5):
        error, allowed = printed_angles(k, 0.1)
        assert error <= 0.1**2 / (10 * k)
        assert 0.1 + 2 * k * error / 0.1 <= allowed * (1 + 1e-12)
        epsilon = 0.1  # gamma = eps, our constants
        assert np.pi * printed_accuracy(k, epsilon) == pytest.approx(printed_angles(k, epsilon)[0])
        assert printed_angles(k, epsilon)[1] <= np.pi * epsilon


@pytest.mark.parametrize("law", list(laws.ISOTROPIC_LAWS.values()), ids=lambda law: law.name)
def test_turning_in_the_plane_against_counts(law):
    turning = Turning(law(2))
    start = 0.4
    end = turning.turned(start, 0.1)
    assert turning.error(start, end) == pytest.approx(0.1, abs=1e-9)
    assert turning.error(0.0, np.pi) == pytest.approx(1, abs=1e-4)
    assert turning.low * (end - start) - 1e-9 <= 0.1 <= turning.high * (end - start) + 1e-9
    X = law(2).sample(100_000, rng=0)
    normals = [np.array([-np.sin(x), np.cos(x)]) for x in (start, end)]
    seen = np.mean((X @ normals[0] >= 0) != (X @ normals[1] >= 0))
    assert seen == pytest.approx(0.1, abs=5 * np.sqrt(0.09 / 100_000))


@pytest.mark.parametrize("slack", [1.0, 1.02])
def test_the_lossy_learner_is_as_bad_as_it_may_be(slack):
    learner = LossySubspace(40, 0.1, "fresh", 0, slack=slack)
    targets = random_targets(4, 40, 60, np.random.default_rng(1))
    run = learn_stream([task(t) for t in targets], learner)
    errors = np.array([angle(step.hypothesis, t) / np.pi for step, t in zip(run.steps, targets, strict=True)])
    assert errors.max() == pytest.approx(0.1 * slack)
    reused = np.array(run.how) == "reused"
    assert reused.any()
    best = np.array([0.5, *learner.best])[: len(errors)] if len(learner.best) < len(errors) else np.array(learner.best)
    assert not (~reused & (best <= learner.allowed)).any()
    for step in run.steps:
        if step.how == "reused":
            assert angle_to_subspace(step.hypothesis, run.representation.features) < 1e-6


@pytest.mark.parametrize(("k", "epsilon"), CHAINS)
def test_the_chain_breaks_theorem_one(k, epsilon):
    printed = printed_accuracy(k, epsilon)
    targets, accuracy = instances.chain_stream(k, epsilon, printed)
    assert accuracy <= printed * (1 + 1e-12)
    assert np.linalg.matrix_rank(targets) == k
    assert not targets[:, -1].any()
    run = exact_run(targets, epsilon, accuracy, "common")
    assert run.scratch == k + 1
    assert run.representation.best[-1] > 2 * epsilon


def test_the_eleventh_target_of_the_chain():
    run = chain_run(10, 0.1)
    assert run.representation.best[-1] == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda: instances.doubling_family(1, 0.01, 1e-4),
        lambda: instances.doubling_family(8, 0.1, 0.005),
        lambda: instances.doubling_family(3, 0.01, 0.01),
        lambda: instances.logarithmic_family(0, 0.01, 1e-4),
        lambda: instances.refusals([1.0, 0.0], 0.1, 0.01),
        lambda: instances.refusals(np.eye(2), 0.1, 0.0),
        lambda: instances.chain_stream(1, 0.1, 0.01),
        lambda: instances.chain_stream(15, 0.1, 0.01),
        lambda: instances.chain_stream(3, 0.3, 0.3),
    ],
)
def test_families_refuse(call):
    with pytest.raises(ValueError, match="expected"):
        call()


# --- the claims -----------------------------------------------------------------------------------


def test_greedy_openings_agree_with_the_bound_at_k_1():
    rng = np.random.default_rng(0)
    assert greedy_openings(1, 0.1, 0.02, rng) == 1
    assert greedy_openings(2, 0.1, 0.005, rng) <= 2


@pytest.mark.parametrize("seed", range(3))
def test_bounds_lowered_by_two_per_cent_are_refuted(seed):
    labels = ("thm-halfspaces-volume", "thm-halfspaces-determinant", "thm-halfspaces-exact")
    for report in reports([LEDGER[label] for label in labels], instances=10, seed=seed):
        spoiled = [e for e, check in zip(report.evidence[::-1], report.claim.twins[::-1], strict=False) if check.spoils]
        assert spoiled
        assert all(e.twin and e.finding.violations for e in spoiled)


def test_theorem_one_called_true_is_contradicted():
    (found,) = reports([LEDGER["thm-halfspaces"]], instances=5)
    chains = next(e for e in found.evidence if "our constants" in e.check)
    assert chains.finding.violations == chains.finding.instances == len(CHAINS)
    assert "best error for target 11 is 0.5000" in chains.finding.witness
