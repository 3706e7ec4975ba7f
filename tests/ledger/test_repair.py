"""The repairs of Theorem 1: an accuracy that keeps k features, a threshold on the spectrum, the holdout, the table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import findroot, mp
from scipy.optimize import brentq
from scipy.stats import binom

from lifelong import effective_dimension, laws, learn_stream
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.algorithm1 import ExactSpectralSubspace, ExactSubspace, SpectralSubspace, Subspace, factors
from lifelong.halfspaces.angles import angle_to_subspace
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.ledger import LEDGER
from lifelong.ledger.claim import reports
from lifelong.ledger.claims.halfspaces import DOUBLING, exact_run, printed_accuracy, random_targets
from lifelong.ledger.claims.repair import (
    leaning_targets,
    most_openings,
    openings_by_cause,
    small_error_chain,
    spectral_run,
)
from lifelong.ledger.tables import halfspaces, repair

errors = st.floats(1e-4, 0.49)
dimensions = st.integers(1, 12)


# --- the accuracy that keeps k features -----------------------------------------------------------


@given(k=st.integers(2, 10), epsilon=errors, lean=st.floats(0, 0.9))
@settings(max_examples=60, deadline=None)
def test_the_certified_accuracy_is_the_root(k, epsilon, lean):
    gamma = lean * np.pi * epsilon
    found = bounds.accuracy_exact(k, epsilon, gamma)

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


def test_the_certified_accuracy_of_one_dimension():
    assert bounds.accuracy_exact(1, 0.1) == pytest.approx(0.1)
    assert bounds.accuracy_exact(1, 0.1, 0.1 * np.pi / 2) == pytest.approx(0.05)
    run = exact_run(np.array([[1.0, 0, 0], [-1.0, 0, 0]]), 0.1, bounds.accuracy_exact(1, 0.1), "common")
    assert run.scratch == 1


@pytest.mark.parametrize("k", [3, 5, 10])
def test_the_chain_fits_at_the_certified_accuracy_and_breaks_beyond(k):
    assert 0.8 < small_error_chain(k, 0.1, 1.0) <= 1
    assert small_error_chain(k, 0.1, 1.3) > 1


# --- the threshold on the spectrum ----------------------------------------------------------------


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
        accuracy = bounds.spectral_accuracy(k, epsilon, gamma)
    except ValueError:
        assert not holds(0.0)
        return
    assert holds(accuracy)
    assert not holds(accuracy * (1 + 1e-6) + 1e-9 * epsilon)


def test_only_large_directions_are_searched():
    learner = ExactSpectralSubspace(6, 0.1, 3, 0.01)
    a = np.array([1.0, 0, 0, 0, 0, 0])
    near = np.array([np.cos(0.1), np.sin(0.1), 0, 0, 0, 0])
    learner.features = np.array([a, near])
    M = learner.features.T @ learner.features
    assert np.sort(np.linalg.eigvalsh(M))[-2:] == pytest.approx([1 - np.cos(0.1), 1 + np.cos(0.1)])
    assert 1 - np.cos(0.1) < learner.eigenvalue == pytest.approx(np.sin(np.pi * 0.09) ** 2 / 4)
    assert len(learner.span) == 1
    learner.features = np.vstack([learner.features, np.eye(6)[1]])
    assert len(learner.span) == 2
    np.testing.assert_allclose(learner.span @ learner.span.T, np.eye(2), atol=1e-12)


@pytest.mark.parametrize("direction", ["random", "common", "fresh"])
def test_the_repaired_learner_on_random_tasks(direction):
    targets = random_targets(4, 80, 60, np.random.default_rng(0))
    run, dimension = spectral_run(targets, 4, 0.05, None, direction, 0)
    assert dimension <= 4 <= run.scratch <= most_openings(4, 0.05, run.representation.epsilon_acc)
    C, W = factors(run)
    np.testing.assert_allclose(C @ W, [step.hypothesis for step in run.steps], atol=1e-6)


def test_without_a_threshold_the_chain_needs_one_dimension_more():
    acc = bounds.spectral_accuracy(8, 0.05)
    targets = np.pad(instances.chain_stream(8, 0.05, acc)[0], ((0, 0), (0, 9)))
    assert exact_run(targets, 0.05, acc, "common").scratch == 9
    assert spectral_run(targets, 8, 0.05, acc, "common")[1] <= 8


def test_the_repaired_learner_from_samples():
    _, tasks = instances.planted_halfspaces(laws.Gaussian(20), 3, 20, rng=1)
    learner = SpectralSubspace(20, 0.1, 3)
    run = learn_stream(tasks, learner)
    assert learner.epsilon_acc == bounds.spectral_accuracy(3, 0.05)
    assert len(learner.span) <= 3
    assert max(task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)) <= 0.1
    assert run.counts.labels == sum(task.counts.labels for task in tasks)
    assert SpectralSubspace(20, 0.1, 3, certified=1.0).epsilon_acc == bounds.spectral_accuracy(3, 0.1)


def test_what_is_searched_by_algorithm_one_is_everything():
    for learner in (Subspace(4, 0.1), ExactSubspace(4, 0.1, 0.01)):
        assert learner.span.shape == (0, 4)
        learner.features = np.array([[1.0, 0, 0, 0], [np.cos(1e-3), np.sin(1e-3), 0, 0]])
        np.testing.assert_allclose(learner.span.T @ learner.span, np.diag([1.0, 1, 0, 0]), atol=1e-9)


@pytest.mark.parametrize("factor", [16.0, 1 / 16])
def test_another_threshold_is_seen(factor, monkeypatch):
    """A threshold 16 times too large searches too late, one 16 times too small too much."""
    learner = ExactSpectralSubspace
    made = learner.__init__

    def spoiled(self, *args, **kwargs):
        made(self, *args, **kwargs)
        self.eigenvalue *= factor

    monkeypatch.setattr(learner, "__init__", spoiled)
    (report,) = reports([LEDGER["thm-halfspaces-spectral"]])
    assert not report.agrees


# --- the holdout ----------------------------------------------------------------------------------


@given(epsilon=st.floats(0.001, 0.45), size=st.integers(50, 20_000), delta=st.floats(1e-6, 0.5))
@settings(max_examples=60, deadline=None)
def test_the_certified_share_is_a_binomial_tail(epsilon, size, delta):
    share = bounds.holdout_share(epsilon, size, delta)
    most = int(0.75 * epsilon * size + 1e-9)
    assert binom.sf(most, size, share * epsilon) <= delta * (1 + 1e-6)
    assert binom.sf(most, size, min(1.0, share * epsilon * (1 + 1e-6) + 1e-9)) >= delta * (1 - 1e-3)


def test_the_share_grows_with_the_holdout():
    shares = [bounds.holdout_share(0.1, size, 0.01) for size in (100, 1000, 10_000, 1_000_000)]
    assert np.all(np.diff(shares) > 0)
    assert 0.74 < shares[-1] < 0.75


@pytest.mark.parametrize("delta", [0.3, 0.01, 1e-6])
def test_the_size_of_the_holdout_certifies_a_half(delta):
    assert bounds.holdout_share(0.1, bounds.holdout_size(0.1, delta), delta) > 0.5


def test_the_lemma_needs_its_thirty():
    """What Chernoff's bound asks for, in the exponent, and the same lemma beyond doubles: one in 1e-300."""
    assert 29 < 1 / (0.75 * np.log(0.75) + 0.25) < 30
    size = bounds.holdout_size(0.01, 1e-300)
    most = int(0.75 * 0.01 * size)
    assert binom.cdf(most, size, 0.01) < 1e-300 < binom.cdf(int(0.765 * 0.01 * size), size, 0.01)


# --- what samples certify -------------------------------------------------------------------------


def by_hand(run, targets, epsilon, acc, share):
    """Causes of openings by projections, not by angles."""
    found, learned = {"needed": 0, "refused": 0, "missed": 0}, np.empty((0, targets.shape[1]))
    for target, step in zip(targets, run.steps, strict=True):
        if step.how == "scratch":
            if step.hypothesis @ target < np.cos(np.pi * acc) - 1e-12:
                found["missed"] += 1
            else:
                inside = learned.T @ np.linalg.lstsq(learned.T, target, rcond=None)[0] if len(learned) else 0 * target
                good = np.linalg.norm(inside) >= np.cos(np.pi * share * epsilon)
                found["refused" if good else "needed"] += 1
            learned = np.vstack([learned, step.hypothesis])
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_openings_by_cause_against_projections(seed, share):
    n, k, epsilon, acc = 10, 3, 0.1, 0.025
    _, tasks = instances.planted_halfspaces(laws.Gaussian(n), k, 25, rng=seed)
    run = learn_stream(tasks, Subspace(n, epsilon, acc, scratch=0.5, fit=2, holdout=10))
    targets = np.array([task.target for task in tasks])
    causes = openings_by_cause(run, targets, epsilon, acc, share)
    assert causes == by_hand(run, targets, epsilon, acc, share)
    assert sum(causes.values()) == run.scratch
    assert causes["needed"] <= bounds.volume_bound(k, share * epsilon, acc)


def test_nothing_is_refused_or_missed_by_exact_oracles():
    targets = random_targets(4, 60, 40, np.random.default_rng(0))
    run = exact_run(targets, 0.1, 0.03, "random", 0)
    assert openings_by_cause(run, targets, 0.1, 0.03) == {"needed": run.scratch, "refused": 0, "missed": 0}


# --- targets near a space -------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [0.05, 0.3, 0.7])
def test_near_a_line_and_of_large_effective_dimension(gamma):
    rows = np.hstack([np.full((7, 1), np.cos(gamma)), np.sin(gamma) * np.eye(7)])
    np.testing.assert_allclose(angle_to_subspace(rows, np.eye(1, 8)), gamma)
    assert effective_dimension(rows, gamma) == 7


def test_leaning_targets_lean():
    rows = leaning_targets(3, 10, 0.2, np.random.default_rng(0), room=4)
    assert rows.shape == (10, 17)
    np.testing.assert_allclose(angle_to_subspace(rows, np.eye(3, 17)), 0.2)


# --- the tables -----------------------------------------------------------------------------------


def test_the_price_list_is_what_a_run_pays():
    n, m, epsilon, acc = 12, 15, 0.1, 0.02
    _, tasks = instances.planted_halfspaces(laws.Gaussian(n), 2, m, rng=0)
    run = learn_stream(tasks, Subspace(n, epsilon, acc))
    opened, paid = 0, 0
    for how in run.how:
        paid += (40 * opened + 200) if opened else 0
        paid += 360 if how == "scratch" else 0
        opened += how == "scratch"
    assert run.counts.labels == paid
    assert m * repair.labels_a_task(opened, epsilon, acc, variables=n, tasks=m) >= paid
    later = [step.labels for step in run.steps[-3:]]
    assert later == [40 * opened + 200] * 3


@pytest.mark.parametrize(("k", "power"), [(3, 3), (5, 6), (10, 12)])
def test_the_formula_of_the_family(k, power):
    epsilon = 10.0**-power
    assert repair.logarithmic_size(k, epsilon, epsilon / 5) == len(
        instances.logarithmic_family(k, epsilon, epsilon / 5)
    )


def test_the_doubling_families_are_those_of_the_claim():
    assert tuple((k, half) for k, half, _ in DOUBLING if k >= 3) == repair.DOUBLING


def test_every_choice_is_an_accuracy():
    for choice in repair.CHOICES:
        assert 0 < repair.accuracy_of(choice, 4, 0.1) < 0.1
    assert repair.accuracy_of("printed", 4, 0.1) == printed_accuracy(4, 0.1)
    with pytest.raises(ValueError, match="choice: expected"):
        repair.accuracy_of("eps", 4, 0.1)
    with pytest.raises(ValueError, match="order: expected"):
        repair.unlucky_run(0.001, "sorted", np.random.default_rng(0))


def test_patience_pays():
    acc, n = 1e-4, 11
    task = HalfspaceTask(np.eye(n)[3], laws.Gaussian(n), rng=0)
    X, y = task.examples(int(1.2 * n / acc))
    assert task.error(repair.patient_logistic(X, y)) <= acc


def test_the_baseline_follows_the_seed_of_the_table():
    rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(1, 2)))
    assert halfspaces._seed(rng) == 7
    found = [halfspaces.labels_alone("gaussian", 10, 0.1, largest=False, tasks=5, seed=seed) for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert halfspaces.labels_alone("gaussian", 10, 0.1, largest=False, tasks=5) == found[0]


def test_the_ranges_of_the_labels_hold_their_mean():
    path = Path(__file__).parents[2] / "book" / "records" / "labels.json"
    rows = json.loads(path.read_text())["rows"]
    assert rows[0]["streams"] >= 6
    for row in rows:
        assert row["labels_least"] <= row["labels"] <= row["labels_most"]
        assert row["ratio_least"] <= row["ratio"] <= row["ratio_most"]


@pytest.mark.parametrize("name", ["accuracy", "unlucky_order"])
def test_no_bound_is_passed_in_the_record(name):
    path = Path(__file__).parents[2] / "book" / "records" / f"{name}.json"
    for row in json.loads(path.read_text())["rows"]:
        for found, bound in (("worst", "bound"), ("random_max", "bound"), ("sampled_needed", "bound")):
            if row.get(bound) is not None and row[found] is not None:
                assert row[found] <= row[bound]
        assert row.get("order") != "chain" or row["reached"] <= 1


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: bounds.accuracy_exact(0, 0.1), "k"),
        (lambda: bounds.accuracy_exact(3, 0.5), "epsilon"),
        (lambda: bounds.accuracy_exact(3, 0.1, 0.1 * np.pi), "gamma"),
        (lambda: bounds.spectral_openings(3, 0.0), "s"),
        (lambda: bounds.spectral_openings(0, 0.1), "k"),
        (lambda: bounds.spectral_accuracy(3, 0.1, 0.2), "gamma"),
        (lambda: bounds.holdout_share(0.1, 0, 0.1), "size"),
        (lambda: bounds.holdout_share(0.1, 10, 1.0), "delta"),
        (lambda: bounds.holdout_share(0.1, 10, 0.1, 0.0), "threshold"),
        (lambda: bounds.holdout_size(0.0, 0.1), "epsilon"),
        (lambda: repair.labels_a_task(-1, 0.1, 0.02), "features"),
        (lambda: SpectralSubspace(5, 0.1, 0), "k"),
        (lambda: SpectralSubspace(5, 0.1, 2, 0.05), "epsilon_acc"),
        (lambda: SpectralSubspace(5, 0.1, 2, certified=0.0), "certified"),
        (lambda: ExactSpectralSubspace(5, 0.1, 2, 0.1), "epsilon_acc"),
        (lambda: ExactSpectralSubspace(5, 0.1, 2, direction="up"), "direction"),
    ],
)
def test_bad_input(call, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected"):
        call()


# --- the claims -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "label", ["thm-halfspaces-small-error", "thm-halfspaces-spectral", "lem-holdout", "thm-halfspaces-samples"]
)
def test_the_claims(label):
    (report,) = reports([LEDGER[label]], instances=400)
    assert report.agrees
    assert report.evidence[-1].finding.violations > 0
