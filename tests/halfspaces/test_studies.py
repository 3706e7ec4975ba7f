"""Runs with exact answers, adversaries and scores, against independent ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lifelong import laws, learn_stream
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.algorithm1 import LargeDirections, SharedSubspace
from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask
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
    openings_of,
    printed_accuracy,
    random_targets,
    small_error_chain,
    spectral_limit,
    spectral_run,
    spectral_steps,
    volume_steps,
)
from lifelong_book.halfspaces.subspace.sample_experiments import patient_logistic


def test_the_repaired_learner_on_random_tasks_and_on_the_chain():
    targets = random_targets(4, 80, 60, rng=np.random.default_rng(0))
    run, dimension = spectral_run(targets, 4, 0.05, epsilon_acc=None, direction="fresh", rng=0)
    assert dimension <= 4 <= run.scratch <= spectral_limit(4, 0.05, run.representation.epsilon_acc)
    acc = bounds.spectral_accuracy(8, 0.05)
    targets = np.pad(instances.chain_stream(8, 0.05, acc)[0], ((0, 0), (0, 9)))
    assert exact_run(targets, 0.05, acc, direction="common").scratch == 9  # a dimension more without a threshold
    assert spectral_run(targets, 8, 0.05, epsilon_acc=acc, direction="common")[1] <= 8
    for k in (3, 10):  # the chain fits at the certified accuracy and breaks beyond
        assert 0.8 < small_error_chain(k, 0.1, 1.0) <= 1 < small_error_chain(k, 0.1, 1.3)
    _, tasks = instances.planted_halfspaces(laws.Gaussian(20), 3, 20, rng=1)
    large = LargeDirections(3, 0.05)
    run = learn_stream(tasks, SharedSubspace(20, 0.1, epsilon_acc=large.epsilon_acc, searched=large))
    assert len(run.representation.span) <= 3
    assert max(task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)) <= 0.1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_openings_by_cause_against_projections(seed, share):
    n, k, epsilon, acc = 10, 3, 0.1, 0.025
    _, tasks = instances.planted_halfspaces(laws.Gaussian(n), k, 25, rng=seed)
    oracle = Sampled(labels=Labels(scratch=0.5, fit=2, holdout=10))
    run = learn_stream(tasks, SharedSubspace(n, epsilon, epsilon_acc=acc, oracle=oracle))
    expected, learned = {"needed": 0, "refused": 0, "missed": 0}, np.empty((0, n))
    for task, step in zip(tasks, run.steps, strict=True):
        if step.how == "scratch":
            if step.hypothesis @ task.target < np.cos(np.pi * acc) - 1e-12:
                expected["missed"] += 1
            else:
                inside = learned.T @ np.linalg.lstsq(learned.T, task.target, rcond=None)[0] if len(learned) else 0.0
                good = np.linalg.norm(inside) >= np.cos(np.pi * share * epsilon)
                expected["refused" if good else "needed"] += 1
            learned = np.vstack([learned, step.hypothesis])
    targets = np.array([task.target for task in tasks])
    assert openings_by_cause(run, targets, epsilon, acc, share=share) == expected
    assert expected["needed"] <= bounds.volume_bound(k, share * epsilon, acc)


def test_patience_pays():
    acc, n = 1e-4, 11
    task = HalfspaceTask(np.eye(n)[3], laws.Gaussian(n), rng=0)
    assert task.error(patient_logistic(*task.examples(int(1.2 * n / acc)))) <= acc


def test_the_price_list_is_what_a_run_pays():
    n, m, epsilon, acc = 12, 15, 0.1, 0.02
    _, tasks = instances.planted_halfspaces(laws.Gaussian(n), 2, m, rng=0)
    run = learn_stream(tasks, SharedSubspace(n, epsilon, epsilon_acc=acc))
    assert m * labels_a_task(run.scratch, epsilon, acc, n=n, m=m) >= run.counts.labels
    assert [step.labels for step in run.steps[-3:]] == [40 * run.scratch + 200] * 3


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
    assert np.linalg.matrix_rank(targets) == k and not targets[:, -1].any()
    run = exact_run(targets, epsilon, accuracy, direction="common")
    assert run.scratch == k + 1 and run.representation.oracle.best[-1] > 2 * epsilon
    if (k, epsilon) == (10, 0.1):
        best = chain_run(k, epsilon).representation.oracle.best
        assert best[-1] == pytest.approx(np.arcsin(1 - 1e-9) / np.pi, abs=1e-8)


def test_opened_counts_what_is_refused():
    targets = np.array([[1.0, 0, 0], [0, 1.0, 0], [0.6, 0.8, 0], [0, 0.6, 0.8]])
    assert openings_of(targets, targets, 0.1) == [0, 1, 3] and openings_of(targets, targets, 0.3) == [0, 1]
    rng = np.random.default_rng(0)
    assert greedy_openings(1, 0.1, 0.02, rng=rng) == 1 and greedy_openings(2, 0.1, 0.005, rng=rng) <= 2


@pytest.mark.parametrize(("k", "N", "seed"), [(1, 3, 0), (3, 7, 1), (4, 5, 2)])
def test_both_sides_of_both_proofs_by_determinants(k, N, seed):
    """Each side of each inequality once more, from the Gram matrix of rows that lean, each towards its own axis."""
    epsilon, acc, lean = 0.1, 0.02, 0.01
    rows = leaning_targets(k, N, lean, rng=np.random.default_rng(seed), room=0)
    np.testing.assert_allclose(angle_to_subspace(rows, np.eye(k, k + N)), lean)
    np.testing.assert_allclose(rows[:, k:], np.sin(lean) * np.eye(N), atol=1e-15)
    s, t, values = np.sin(np.pi * (epsilon - acc)), np.sin(np.pi * acc), np.sort(np.linalg.eigvalsh(rows @ rows.T))
    threshold, off, tail = s**2 / 4, N * np.sin(lean) ** 2, values[: N - k].sum()
    volumes = [np.linalg.slogdet(np.eye(i) + rows[:i] @ rows[:i].T / threshold)[1] for i in range(N + 1)]
    # of N = a + b shared by k eigenvalues and the rest, the k get at most N / k each, and log(1 + x) <= x for the rest
    most = k * np.log(1 + N / k / threshold) + N * t**2 / threshold
    spectral = {
        "every opening is new": (2, np.exp(np.diff(volumes)).min() - 1),  # det(A + v v') = det A (1 + v' A^-1 v)
        "so the volume grows": (N * np.log(1 + 2), volumes[-1]),
        "eigenvalues beyond k": (tail, off),
        "each error is small": (off, N * t**2),
        "the volume is small": (volumes[-1], most),
        "at most k large ones": (N * t**2, threshold),
    }
    volume = np.linalg.slogdet(rows @ rows.T)[1] / 2  # the product of the distances, as of any parallelepiped
    # N shared by k squared singular values, N t^2 by the others, each evenly
    means = np.log((N / k) ** k * (N * t**2 / (N - k)) ** (N - k)) / 2
    by_volume = {
        "every opening is far": ((N - 1) * np.log(s), volume),
        "singular values beyond k": (np.log(tail), np.log(off)),
        "each error is small": (np.log(off), np.log(N * t**2)),
        "two means": (volume, means),
    }
    for steps, expected in ((spectral_steps, spectral), (volume_steps, by_volume)):
        found = steps(rows, np.eye(k, k + N), k, epsilon, acc)
        assert list(found) == list(expected)
        for name, sides in expected.items():
            assert found[name] == pytest.approx(sides, rel=1e-9), name


def test_the_margins_of_the_hand_stream_by_hand():
    """The rows are e1, (318, 1, 0, 0), (0, 318, 1, 0) and e3; the second is learned as (318, 1, 0, d), d = 1/100000."""
    d, square = Fraction(1, 100_000), Fraction(318**2 + 1)
    # off e1 by 1/length; off (1, 0, d) in the last three coordinates; (-d, 318 d, 1) is normal to the first two
    sines = [1 / square, (1 + 318**2 * d**2 / (1 + d**2)) / square, (318 * d) ** 2 / (square * d**2 + 1)]
    found = hand_margins()
    assert found["refused"] == min(sines) == sines[0]
    assert found["tangent"] == d**2 / square
    assert found["accuracy"] == Fraction(1, 900_000_000_000_000)
    assert np.pi**2 < float(found["allowed"]) * 10**6 < np.pi**2 * (1 + 2e-7)
