"""Algorithm 1 with exact oracles, the bounds on its features, and the streams that reach them."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp

from lifelong import bounds, distributions, instances, learn_stream
from lifelong.angles import angle, angle_to_subspace
from lifelong.claims import LEDGER, reports, section3
from lifelong.halfspaces import ExactSubspace, Subspace, factors
from lifelong.tasks import HalfspaceTask

DIRECTIONS = ("random", "common", "fresh")


def task(target, law=distributions.Gaussian):
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
        run = section3.exact_run(np.array(rows), 0.1, 0.05, direction)
        errors[direction] = run.representation.features[:, 2:] / np.sin(0.05 * np.pi)
    np.testing.assert_allclose(errors["common"], [[0, 0, 1], [0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(errors["fresh"], [[0, 0, 1], [0, 1, 0]], atol=1e-12)
    a, b = (ExactSubspace(5, 0.1, 0.05, rng=seed).learn(task(rows[0]))[1] for seed in (0, 1))
    assert not np.allclose(a, b)


def test_reuse_accepts_exactly_up_to_epsilon():
    for factor, expected in ((1 - 1e-9, "reused"), (1 + 1e-9, "scratch")):
        turn = np.pi * 0.1 * factor
        run = section3.exact_run(np.array([[1.0, 0, 0], [np.cos(turn), np.sin(turn), 0]]), 0.1, 0.0, "random", 0)
        assert run.how == ["scratch", expected]
        assert run.representation.best == pytest.approx([0.5, 0.1 * factor])


def test_the_span_orthogonal_to_the_target_is_as_good_as_a_coin():
    run = section3.exact_run(np.eye(3)[:2], 0.4, 0.0, "random", 0)
    assert run.representation.best == [0.5, 0.5]
    assert run.scratch == 2


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_matrices_hold_the_predictors(direction):
    targets = section3.random_targets(4, 40, 60, np.random.default_rng(0))
    run = section3.exact_run(targets, 0.05, 0.01, direction, 0)
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
    _, tasks = instances.planted_halfspaces(distributions.Gaussian(10), 2, 8, rng=0)
    run = learn_stream(tasks, Subspace(10, 0.2))
    C, W = factors(run)
    np.testing.assert_allclose(C @ W, [s.hypothesis for s in run.steps], atol=1e-9)


def test_memory_is_features_and_numbers():
    run = section3.exact_run(np.eye(5)[:3], 0.1, 0.01, "common")
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
            method(task([1.0, 0, 0], distributions.Laplace))
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


@pytest.mark.parametrize(
    "call",
    [
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
    run = section3.exact_run(padded, epsilon, accuracy, "fresh")
    W = run.representation.features
    distances = [np.sin(angle_to_subspace(padded[i], W[:i])) / np.sin(np.pi * epsilon) for i in range(1, len(rows))]
    np.testing.assert_allclose(instances.refusals(rows, epsilon, accuracy)[1:], distances, rtol=1e-7)
    assert run.scratch == len(rows) > k


@pytest.mark.parametrize(("k", "power"), [(3, 2), (4, 3), (5, 3)])
def test_the_doubling_family_in_doubles(k, power):
    epsilon = 10.0**-power
    rows = np.array(instances.doubling_family(k, epsilon, epsilon**2 / 2), dtype=float)
    run = section3.exact_run(np.pad(rows, ((0, 0), (0, len(rows)))), epsilon, epsilon**2 / 2, "fresh")
    assert run.scratch == 2 * k - 2


@pytest.mark.parametrize(("k", "half", "printed"), section3.DOUBLING)
def test_the_doubling_family_in_digits(k, half, printed):
    for power, c in ((half, 0.5), (printed, 1 / (10 * np.pi * k))):
        epsilon = mp.mpf(10) ** -power
        rows = instances.doubling_family(k, epsilon, c * epsilon**2)
        assert len(rows) == 2 * k - 2
        assert all(abs(sum(x * x for x in row) - 1) < mp.mpf(10) ** -14 for row in rows)
        assert min(instances.refusals(rows, epsilon, c * epsilon**2)) > 1


@pytest.mark.parametrize(("k", "epsilon"), section3.CHAINS)
def test_the_chain_breaks_theorem_one(k, epsilon):
    printed = section3.printed_accuracy(k, epsilon)
    targets, accuracy = instances.chain_stream(k, epsilon, printed)
    assert accuracy <= printed * (1 + 1e-12)
    assert np.linalg.matrix_rank(targets) == k
    assert not targets[:, -1].any()
    run = section3.exact_run(targets, epsilon, accuracy, "common")
    assert run.scratch == k + 1
    assert run.representation.best[-1] > 2 * epsilon


def test_the_eleventh_target_of_the_chain():
    run = section3.chain_run(10, 0.1)
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
    assert section3.greedy_openings(1, 0.1, 0.02, rng) == 1
    assert section3.greedy_openings(2, 0.1, 0.005, rng) <= 2


def test_a_weaker_logarithm_is_refuted():
    (found,) = reports([LEDGER["thm-halfspaces-volume"]], instances=10)
    twin = next(e for e in found.evidence if "divided" in e.check)
    assert twin.finding.violations > 0


def test_theorem_one_called_true_is_contradicted():
    (found,) = reports([LEDGER["thm-halfspaces"]], instances=5)
    chains = next(e for e in found.evidence if "printed accuracy" in e.check)
    assert chains.finding.violations == chains.finding.instances == len(section3.CHAINS)
    assert "best error for target 11 is 0.5000" in chains.finding.witness
