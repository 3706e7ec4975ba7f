"""Runs with exact answers, adversaries and scores, against independent ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lifelong import effective_dimension, laws, learn_stream
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.algorithm1 import SharedSubspace, factors
from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong_book.halfspaces import many_digits
from lifelong_book.halfspaces.subspace.experiments import (
    CHAINS,
    chain_run,
    exact_run,
    greedy_openings,
    hand_margins,
    labels_a_task,
    leaning_targets,
    logarithmic_size,
    lossy_run,
    openings_by_cause,
    printed_accuracy,
    random_targets,
    small_error_chain,
    spectral_limit,
    spectral_run,
    spectral_steps,
    volume_steps,
)


@pytest.mark.parametrize("k", [3, 5, 10])
def test_the_chain_fits_at_the_certified_accuracy_and_breaks_beyond(k):
    assert 0.8 < small_error_chain(k, 0.1, 1.0) <= 1
    assert small_error_chain(k, 0.1, 1.3) > 1


@pytest.mark.parametrize("direction", ["random", "common", "fresh"])
def test_the_repaired_learner_on_random_tasks(direction):
    targets = random_targets(4, 80, 60, rng=np.random.default_rng(0))
    run, dimension = spectral_run(targets, 4, 0.05, epsilon_acc=None, direction=direction, rng=0)
    assert dimension <= 4 <= run.scratch <= spectral_limit(4, 0.05, run.representation.epsilon_acc)
    C, W = factors(run)
    np.testing.assert_allclose(C @ W, [step.hypothesis for step in run.steps], atol=1e-6)


def test_without_a_threshold_the_chain_needs_one_dimension_more():
    acc = bounds.spectral_accuracy(8, 0.05)
    targets = np.pad(instances.chain_stream(8, 0.05, acc)[0], ((0, 0), (0, 9)))
    assert exact_run(targets, 0.05, acc, direction="common").scratch == 9
    assert spectral_run(targets, 8, 0.05, epsilon_acc=acc, direction="common")[1] <= 8


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
    oracle = Sampled(labels=Labels(scratch=0.5, fit=2, holdout=10))
    run = learn_stream(tasks, SharedSubspace(n, epsilon, epsilon_acc=acc, oracle=oracle))
    targets = np.array([task.target for task in tasks])
    causes = openings_by_cause(run, targets, epsilon, acc, share=share)
    assert causes == by_hand(run, targets, epsilon, acc, share)
    assert sum(causes.values()) == run.scratch
    assert causes["needed"] <= bounds.volume_bound(k, share * epsilon, acc)


def test_nothing_is_refused_or_missed_by_exact_oracles():
    targets = random_targets(4, 60, 40, rng=np.random.default_rng(0))
    run = exact_run(targets, 0.1, 0.03, direction="random", rng=0)
    assert openings_by_cause(run, targets, 0.1, 0.03) == {"needed": run.scratch, "refused": 0, "missed": 0}


def test_leaning_targets_lean():
    rows = leaning_targets(3, 10, 0.2, rng=np.random.default_rng(0), room=4)
    assert rows.shape == (10, 17)
    np.testing.assert_allclose(angle_to_subspace(rows, np.eye(3, 17)), 0.2)
    np.testing.assert_allclose(rows[:, 3:13], np.sin(0.2) * np.eye(10), atol=1e-15)  # each towards an axis of its own


def test_the_price_list_is_what_a_run_pays():
    n, m, epsilon, acc = 12, 15, 0.1, 0.02
    _, tasks = instances.planted_halfspaces(laws.Gaussian(n), 2, m, rng=0)
    run = learn_stream(tasks, SharedSubspace(n, epsilon, epsilon_acc=acc))
    opened, paid = 0, 0
    for how in run.how:
        paid += (40 * opened + 200) if opened else 0
        paid += 360 if how == "scratch" else 0
        opened += how == "scratch"
    assert run.counts.labels == paid
    assert m * labels_a_task(opened, epsilon, acc, n=n, m=m) >= paid
    later = [step.labels for step in run.steps[-3:]]
    assert later == [40 * opened + 200] * 3


@pytest.mark.parametrize(("k", "power"), [(3, 3), (5, 6), (10, 12)])
def test_the_formula_of_the_family(k, power):
    epsilon = 10.0**-power
    assert logarithmic_size(k, epsilon, epsilon / 5) == len(many_digits.logarithmic_family(k, epsilon, epsilon / 5))


@pytest.mark.parametrize("slack", [1.0, 1.02])
def test_the_lossy_learner_is_as_bad_as_it_may_be(slack):
    targets = random_targets(4, 40, 60, rng=np.random.default_rng(1))
    run = lossy_run(targets, 0.1, direction="fresh", slack=slack, rng=0)
    oracle = run.representation.oracle
    errors = np.array([angle(step.hypothesis, t) / np.pi for step, t in zip(run.steps, targets, strict=True)])
    assert errors.max() == pytest.approx(0.1 * slack)
    reused = np.array(run.how) == "reused"
    assert reused.any()
    assert not (~reused & (np.array(oracle.best) <= oracle.allowed)).any()
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
    run = exact_run(targets, epsilon, accuracy, direction="common")
    assert run.scratch == k + 1
    assert run.representation.oracle.best[-1] > 2 * epsilon


def test_the_eleventh_target_of_the_chain():
    run = chain_run(10, 0.1)
    assert run.representation.oracle.best[-1] == pytest.approx(np.arcsin(1 - 1e-9) / np.pi, abs=1e-8)
    targets, _ = instances.chain_stream(10, 0.1, printed_accuracy(10, 0.1))
    assert np.linalg.matrix_rank(targets[:10]) == 10  # the eleventh lies in the span of the others


def test_greedy_openings_agree_with_the_bound_at_k_1():
    rng = np.random.default_rng(0)
    assert greedy_openings(1, 0.1, 0.02, rng=rng) == 1
    assert greedy_openings(2, 0.1, 0.005, rng=rng) <= 2


@pytest.mark.parametrize("gamma", [0.05, 0.3, 0.7])
def test_near_a_line_and_of_large_effective_dimension(gamma):
    rows = np.hstack([np.full((7, 1), np.cos(gamma)), np.sin(gamma) * np.eye(7)])
    np.testing.assert_allclose(angle_to_subspace(rows, np.eye(1, 8)), gamma)
    assert effective_dimension(rows, gamma) == 7


def test_labels_a_task_refuses():
    with pytest.raises(ValueError, match=r"^features: expected"):
        labels_a_task(-1, 0.1, 0.02)


def rows_that_lean(k, N, lean, rng):
    """Unit rows in R^(k + N), each off the first k axes by one angle, along an axis of its own."""
    flat = rng.standard_normal((N, k))
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    return np.hstack([np.cos(lean) * flat, np.sin(lean) * np.eye(N)])


@pytest.mark.parametrize(("k", "N", "seed"), [(1, 3, 0), (3, 7, 1), (4, 5, 2)])
def test_both_sides_of_the_spectral_proof_by_determinants(k, N, seed):
    """Each side of each inequality once more, from the Gram matrix; only that the inequalities hold says too little."""
    epsilon, acc, lean = 0.1, 0.02, 0.01
    rows = rows_that_lean(k, N, lean, np.random.default_rng(seed))
    threshold = np.sin(np.pi * (epsilon - acc)) ** 2 / 4
    volumes = [np.linalg.slogdet(np.eye(i) + rows[:i] @ rows[:i].T / threshold)[1] for i in range(N + 1)]
    eigenvalues = np.sort(np.linalg.eigvalsh(rows @ rows.T))[::-1]
    off, allowed = N * np.sin(lean) ** 2, N * np.sin(np.pi * acc) ** 2
    # of N = a + b shared by k eigenvalues and the rest, the k get at most N / k each, and log(1 + x) <= x for the rest
    most = k * np.log(1 + N / k / threshold) + allowed / threshold
    expected = {
        "every opening is new": (2, np.exp(np.diff(volumes)).min() - 1),  # det(A + v v') = det A (1 + v' A^-1 v)
        "so the volume grows": (N * np.log(1 + 2), volumes[-1]),
        "eigenvalues beyond k": (eigenvalues[k:].sum(), off),
        "each error is small": (off, allowed),
        "the volume is small": (volumes[-1], most),
        "at most k large ones": (allowed, threshold),
    }
    found = spectral_steps(rows, np.eye(k, k + N), k, epsilon, acc)
    assert list(found) == list(expected)
    for name, sides in expected.items():
        assert found[name] == pytest.approx(sides, rel=1e-9), name


@pytest.mark.parametrize(("k", "N", "seed"), [(1, 3, 0), (3, 7, 1), (4, 5, 2)])
def test_both_sides_of_the_volume_proof_by_determinants(k, N, seed):
    epsilon, acc, lean = 0.1, 0.02, 0.01
    rows = rows_that_lean(k, N, lean, np.random.default_rng(seed))
    s, t = np.sin(np.pi * (epsilon - acc)), np.sin(np.pi * acc)
    volume = np.linalg.slogdet(rows @ rows.T)[1] / 2  # the product of the distances, as of any parallelepiped
    tail = np.sort(np.linalg.eigvalsh(rows @ rows.T))[: N - k].sum()
    off = N * np.sin(lean) ** 2
    # N shared by k squared singular values, N t^2 by the others, each evenly
    means = np.log((N / k) ** k * (N * t**2 / (N - k)) ** (N - k)) / 2
    expected = {
        "every opening is far": ((N - 1) * np.log(s), volume),
        "singular values beyond k": (np.log(tail), np.log(off)),
        "each error is small": (np.log(off), np.log(N * t**2)),
        "two means": (volume, means),
    }
    found = volume_steps(rows, np.eye(k, k + N), k, epsilon, acc)
    assert list(found) == list(expected)
    for name, sides in expected.items():
        assert found[name] == pytest.approx(sides, rel=1e-9), name


def test_the_margins_of_the_hand_stream_by_hand():
    """The rows are e1, (318, 1, 0, 0), (0, 318, 1, 0) and e3; the second is learned as (318, 1, 0, d), d = 1/100000.

    Its tangent is d over its length. The second target is off e1 by 1/length. In the last three coordinates the third
    one is off (1, 0, d) by (1 + 318^2 d^2/(1 + d^2))/length^2, and (-d, 318 d, 1) is normal to (1, 0, d), (318, 1, 0).
    """
    d, square = Fraction(1, 100_000), Fraction(318**2 + 1)
    sines = [1 / square, (1 + 318**2 * d**2 / (1 + d**2)) / square, (318 * d) ** 2 / (square * d**2 + 1)]
    found = hand_margins()
    assert found["refused"] == min(sines) == sines[0]
    assert found["tangent"] == d**2 / square
    assert found["accuracy"] == Fraction(1, 900_000_000_000_000)
    assert np.pi**2 < float(found["allowed"]) * 10**6 < np.pi**2 * (1 + 2e-7)
