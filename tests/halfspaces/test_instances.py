"""Generators meet the hypotheses that they claim, and runs on them are what independent ones are."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.linalg
from mpmath import mp

from lifelong import angle, angle_to_subspace, laws, learn_stream, subspace_angle
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.bounds import amplification, subspace_sharp
from lifelong.halfspaces.instances import chain, chain_stream, planted_halfspaces
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Laplace
from lifelong_book.beyond.exactly_k.experiments import spectral_steps
from lifelong_book.halfspaces import many_digits
from lifelong_book.halfspaces.perturbation import claims
from lifelong_book.halfspaces.subspace import experiments as runs
from lifelong_book.halfspaces.subspace.instances import (
    doubling_in_room,
    hand_stream,
    leaning_targets,
    random_targets,
    refusals_with,
    sharp_family,
)
from lifelong_book.halfspaces.subspace.learners import patient_logistic

RIGHT = np.pi / 2


def worst_targets(rows, error):
    """The true and the learned vectors of one instance."""
    return tuple(x[0] for x in claims.worst_targets(rows[None], np.array([error])).values())


def norms(rows) -> np.ndarray:
    return np.linalg.norm(rows, axis=-1)


@pytest.mark.parametrize("n", [2, 20])
def test_perturbed_by_exactly_the_angle_in_every_direction(n):
    unit = np.random.default_rng(n).standard_normal((40, n))
    unit /= norms(unit)[:, None]
    angles = np.concatenate([np.geomspace(1e-15, 1, 20), np.linspace(0, np.pi, 20)])
    rng = np.random.default_rng(0)
    turned = claims.turned(unit, angles, rng)
    assert np.abs(angle(unit, turned) - angles).max() < 1e-14
    np.testing.assert_allclose(norms(turned), 1, rtol=1e-14)
    turned = claims.turned(np.broadcast_to(np.eye(n)[0], (20_000, n)), np.full(20_000, 0.3), rng)[:, 1:] / np.sin(0.3)
    assert np.abs(turned.mean(axis=0)).max() < 5 / np.sqrt((n - 1) * 20_000)


@pytest.mark.parametrize(("n", "k"), [(2, 1), (8, 7), (9, 3)])
def test_replaced_vector(n, k):
    rng = np.random.default_rng(0)
    U, b, estimate = claims.new_vectors(2000, rng, n, k).values()
    assert U.shape == (2000, k - 1, n)
    for rows in (U, b, estimate):
        np.testing.assert_allclose(norms(rows), 1, rtol=1e-12)
    errors, separations = angle(b, estimate), angle_to_subspace(estimate, U)
    assert errors.min() < 1e-4 and errors.max() > 1
    assert k == 1 or (separations.min() < 0.01 and separations.max() > 0.7)
    for log_error in (-5, -1):
        _, b, estimate = claims.new_vectors(200_000, rng, 2, 1, log_error).values()
        errors = angle(b, estimate)
        assert min(10**log_error, np.pi) * (1 - 1e-9) < errors.min() <= errors.max() <= np.pi


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 3), (10, 4)])
@pytest.mark.parametrize("gamma", [1e-3, 0.3, RIGHT, np.linspace(0.1, 0.3, 20)], ids=["small", "0.3", "right", "own"])
def test_separated_rows_are_at_exactly_the_separation(n, k, gamma):
    rows = claims.separated(20, np.random.default_rng(0), n, k, np.broadcast_to(gamma, 20))
    assert rows.shape == (20, k, n)
    np.testing.assert_allclose(norms(rows), 1, rtol=1e-12)
    for i in range(1, k):
        spans = [scipy.linalg.orth(earlier.T, rcond=1e-14) for earlier in rows[:, :i]]
        sines = [norms(row - Q @ (Q.T @ row)) for row, Q in zip(rows[:, i], spans, strict=True)]
        np.testing.assert_allclose(sines, np.broadcast_to(np.sin(gamma), 20), atol=1e-8)
        np.testing.assert_allclose(angle_to_subspace(rows[:, i], rows[:, :i]), gamma, atol=1e-8)


def test_tilted_planes_attain_the_sine_form():
    alpha, beta = np.random.default_rng(0).uniform(0.01, RIGHT - 0.01, (2, 200))
    beta[:3] = RIGHT
    U, b, estimate = claims.tilted(alpha, beta).values()
    assert U.shape == (200, 1, 3) and b.shape == estimate.shape == (200, 3)
    V, V_estimate = (np.concatenate([U, x[:, None]], axis=1) for x in (b, estimate))
    np.testing.assert_allclose(subspace_angle(V, V_estimate), alpha, atol=1e-12)
    np.testing.assert_allclose(angle_to_subspace(estimate, U), beta, atol=1e-14)
    np.testing.assert_allclose(np.sin(angle(b, estimate)), np.sin(alpha) * np.sin(beta), atol=1e-14)
    np.testing.assert_allclose(angle(b, estimate), angle_to_subspace(estimate, V), atol=1e-12)  # b is nearest
    for rows in (U, b, estimate):
        np.testing.assert_allclose(norms(rows), 1, rtol=1e-14)


@pytest.mark.parametrize("gamma", [0.15, 0.245, 1.0, RIGHT])
def test_chain_is_separated_and_tight(gamma):
    for k in range(1, 9):
        rows = chain(k, np.array([gamma]))[0]
        np.testing.assert_allclose(norms(rows), 1, rtol=1e-14)
        assert not np.triu(rows, 1).any()
        np.testing.assert_allclose(np.diag(rows)[1:], np.sin(gamma), rtol=1e-14)
        F = max(norms(np.linalg.solve(rows, np.array(s))) for s in product((1.0, -1.0), repeat=k))
        assert pytest.approx(amplification(k, gamma), rel=1e-9) == F
        error = float(np.arcsin(0.5 / F))
        true, learned = worst_targets(rows, error)
        assert subspace_angle(true, learned) == pytest.approx(subspace_sharp(k, error, gamma), rel=1e-7)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_worst_targets_are_worst(k):
    rng = np.random.default_rng(k)
    for _ in range(3):
        rows = claims.separated(1, rng, k + 1, k, rng.uniform(0.3, 1.4, 1))[0]
        length = max(norms(np.linalg.lstsq(rows, np.array(s))[0]) for s in product((1.0, -1.0), repeat=k))
        error = 0.5 * np.arcsin(min(1, 1 / length))
        true, learned = worst_targets(rows, error)
        np.testing.assert_array_equal(learned, np.hstack([rows, np.zeros((k, 1))]))
        np.testing.assert_allclose(angle(true, learned), error, rtol=1e-9)
        worst = float(subspace_angle(true, learned))
        assert np.sin(worst) == pytest.approx(np.sin(error) * length, rel=1e-9)
        many = np.broadcast_to(learned, (2000, k, k + 2))
        others = claims.turned(many, error * rng.random((2000, k)) ** 0.1, rng)
        assert subspace_angle(others, learned).max() <= worst * (1 + 1e-9)


@pytest.mark.parametrize("reach", [0.0, 0.9, 1 - 1e-5, 1 - 1e-8, 1.0, 1 + 1e-8, 1 + 1e-5, 1.1, 3.0])
def test_worst_targets_on_both_sides_of_a_right_angle(reach):
    chosen = [(chain(4, np.array([0.2]))[0], float(np.arcsin(reach / amplification(4, 0.2))), 1e-6)]
    if reach == 1.0:
        true, learned = worst_targets(np.eye(4), float(np.nextafter(np.pi / 6, 1)))  # the sine is 1/2: the product is 1
        assert np.linalg.svd(true)[1][-1] > 1e-4 and np.sin(subspace_angle(true, learned)) >= 1 - 1.1e-6
    if reach == 3.0:  # well beyond
        rng = np.random.default_rng(3)
        chosen += [(rows, 0.3, 0.01) for rows in claims.separated(60, rng, 8, 5, rng.uniform(0.1, 0.2, 60))]
    for rows, error, least in chosen:
        true, learned = worst_targets(rows, error)
        assert np.linalg.svd(true)[1][-1] > least  # so its rank is no matter of rounding
        assert np.sin(subspace_angle(true, learned)) == pytest.approx(min(1, reach), abs=1.1e-6)
        assert angle(true, learned).max() == pytest.approx(error, rel=1.1e-6)
        assert angle(true, learned).max() <= error * (1 + 1e-9)
        if reach == 3.0:
            assert subspace_angle(true, learned) == pytest.approx(RIGHT, abs=1e-12)
            np.testing.assert_allclose(angle(true, learned), error, rtol=1e-12)


@pytest.mark.parametrize("k", [2, 3, 8])
def test_lifted_simplex(k):
    for height in (1e-3, 0.1, 1 / np.sqrt(k), 1.0):
        rows = claims.lifted(k, np.array([height]))[0]
        np.testing.assert_allclose(norms(rows), 1, rtol=1e-14)
        np.testing.assert_allclose(rows @ np.full(k, k**-0.5), height, rtol=1e-9)
        assert np.ptp((rows @ rows.T)[~np.eye(k, dtype=bool)]) < 1e-13


def test_planted_halfspaces():
    law = Laplace(10)
    W, tasks = planted_halfspaces(law, 3, 7, rng=0)
    np.testing.assert_allclose(W @ W.T, np.eye(3), atol=1e-14)
    targets = np.array([task.target for task in tasks])
    assert angle_to_subspace(targets, W).max() < 1e-14 and np.linalg.matrix_rank(targets) == 3
    assert all(task.distribution is law for task in tasks)
    assert not np.array_equal(tasks[0].examples(3)[0], tasks[1].examples(3)[0])
    again = planted_halfspaces(law, 3, 7, rng=np.random.default_rng(0))[1]
    np.testing.assert_array_equal(again[4].examples(5)[0], tasks[4].examples(5)[0])
    assert planted_halfspaces(law, 3, 0, rng=0)[1] == []


@pytest.mark.parametrize(("k", "epsilon"), [(2, 0.1), (5, 0.1), (10, 0.1), (14, 0.1), (6, 0.3)])
def test_chain_stream_spans_k_dimensions_and_its_errors_add_up(k, epsilon):
    targets, accuracy = chain_stream(k, epsilon, 1e-3)
    np.testing.assert_allclose(norms(targets), 1)
    assert targets.shape == (k + 1, k + 1)
    assert not targets[:, k].any()
    learned = np.cos(np.pi * accuracy) * targets[:k] + np.sin(np.pi * accuracy) * np.eye(k + 1)[k]
    gamma = np.pi * (epsilon + 1e-3) + 0.01 * np.pi * 1e-3
    for i in range(1, k):
        assert angle_to_subspace(learned[i], learned[:i]) == pytest.approx(gamma, rel=1e-6)
    expected = min(1.0, amplification(k, gamma) * np.sin(np.pi * 1e-3))
    assert np.sin(angle_to_subspace(targets[k], learned)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("k", "power"), [(3, 2), (5, 3)])
def test_the_ridge_formula_is_the_distance_in_space(k, power):
    epsilon = 10.0**-power
    for family, accuracy in (
        (many_digits.logarithmic_family, epsilon / 5),
        (many_digits.doubling_family, epsilon**2 / 2),
    ):
        rows = np.array(family(k, epsilon, accuracy), dtype=float)
        assert np.allclose(norms(rows), 1) and np.linalg.matrix_rank(rows) == k < len(rows)
        padded = np.pad(rows, ((0, 0), (0, len(rows))))
        run = runs.exact_run(padded, epsilon, accuracy, direction="fresh")
        W = run.representation.features
        distances = [np.sin(angle_to_subspace(padded[i], W[:i])) / np.sin(np.pi * epsilon) for i in range(1, len(rows))]
        np.testing.assert_allclose(many_digits.refusals(rows, epsilon, accuracy)[1:], distances, rtol=1e-7)
        assert run.scratch == len(rows)
    assert len(rows) == 2 * k - 2
    first, again, other = many_digits.refusals([[1.0, 0], [np.cos(0.1), np.sin(0.1)], [0, 1.0]], 0.1, 0.01)
    assert first == pytest.approx(1 / np.sin(0.1 * np.pi)) == other  # the second target was not opened
    assert again < 1


def in_order(targets, learned, epsilon):
    """Whether each target is refused, by the angle in doubles, and the largest error of a learned vector."""
    true, rows = (np.array(x, dtype=float) for x in (targets, learned))
    refused = [np.sin(angle_to_subspace(true[i], rows[:i])) > np.sin(np.pi * epsilon) for i in range(1, len(rows))]
    return all(refused), float(np.max(angle(true, rows))) / np.pi


@pytest.mark.parametrize(("k", "n"), [(2, 2), (3, 3), (4, 5), (5, 12)])
def test_every_room_is_filled(k, n):
    epsilon = mp.mpf(10) ** -(k - 1)
    true, learned = doubling_in_room(k, n, epsilon, epsilon**2 / 2)
    assert true.shape == learned.shape == (bounds.features_exact(k, n=n), n)
    assert not np.array(true, dtype=float)[:, k:].any()
    np.testing.assert_allclose([float(row.dot(row)) for row in [*true, *learned]], 1, rtol=1e-14)
    refused, error = in_order(true, learned, float(epsilon))
    assert refused
    assert error <= float(epsilon) ** 2 / 2 * (1 + 1e-6) + 1e-12
    assert min(refusals_with(true, learned, epsilon)) > 1


@pytest.mark.parametrize(("k", "power"), [(1, 1), (2, 2), (2, 5), (3, 3), (4, 2)])
def test_the_sharp_family_adds_what_the_formula_says(k, power):
    with mp.workdps(200):
        epsilon = mp.mpf(10) ** -power
        for divisor in (2, 5, 20):
            true, learned = sharp_family(k, epsilon, epsilon / divisor)
            s, t = mp.sin(mp.pi * epsilon), mp.sin(mp.pi * epsilon / divisor)
            expected = 1 + (k - 1) * (1 + int(mp.floor(mp.log(1 / s) / mp.log(s / t))))
            assert sum(x > 1 for x in refusals_with(true, learned, epsilon)) == expected == len(true)
            assert expected <= bounds.determinant_bound(k, float(epsilon), float(epsilon / divisor))
            refused, error = in_order(true, learned, float(epsilon))
            assert refused and error == pytest.approx(float(epsilon / divisor) if k > 1 else 0, abs=1e-9)


def test_distances_by_digits_are_the_angles():
    true, learned = np.random.default_rng(0).standard_normal((2, 5, 7))
    true /= norms(true)[:, None]
    expected = [1.0, *(np.sin(angle_to_subspace(true[i], learned[:i])) for i in range(1, 5))]
    np.testing.assert_allclose(refusals_with(true, learned, 0.2), np.array(expected) / np.sin(0.2 * np.pi))


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
    assert runs.openings_by_cause(run, targets, epsilon, acc, share=share) == expected
    assert expected["needed"] <= bounds.volume_bound(k, share * epsilon, acc)


def test_patience_pays():
    acc, n = 1e-4, 11
    task = HalfspaceTask(np.eye(n)[3], laws.Gaussian(n), rng=0)
    assert task.error(patient_logistic(*task.examples(int(1.2 * n / acc)))) <= acc


@pytest.mark.parametrize("slack", [1.0, 1.02])
def test_the_lossy_learner_is_as_bad_as_it_may_be(slack):
    targets = random_targets(4, 40, 60, rng=np.random.default_rng(1))
    run = runs.lossy_run(targets, 0.1, direction="fresh", slack=slack, rng=0)
    oracle = run.representation.oracle
    errors = np.array([angle(step.hypothesis, t) / np.pi for step, t in zip(run.steps, targets, strict=True)])
    assert errors.max() == pytest.approx(0.1 * slack)
    reused = np.array(run.how) == "reused"
    assert reused.any()
    assert not (~reused & (np.array(oracle.best) <= oracle.allowed)).any()
    for step in run.steps:
        if step.how == "reused":
            assert angle_to_subspace(step.hypothesis, run.representation.features) < 1e-6


@pytest.mark.parametrize(("k", "epsilon"), runs.CHAINS)
def test_the_chain_breaks_theorem_one(k, epsilon):
    printed = runs.printed_accuracy(k, epsilon)
    targets, accuracy = instances.chain_stream(k, epsilon, printed)
    assert accuracy <= printed * (1 + 1e-12)
    assert np.linalg.matrix_rank(targets) == k and not targets[:, -1].any()
    run = runs.exact_run(targets, epsilon, accuracy, direction="common")
    assert run.scratch == k + 1 and run.representation.oracle.best[-1] > 2 * epsilon
    steps = runs.printed_steps(targets, run.representation.features, k, epsilon, float(printed), gamma=epsilon)
    assert [left <= right for left, right in steps.values()] == [True, True, False, False]
    if (k, epsilon) == (10, 0.1):
        best = runs.chain_run(k, epsilon).representation.oracle.best
        assert best[-1] == pytest.approx(np.arcsin(1 - 1e-9) / np.pi, abs=1e-8)


def test_greedy_openings_agree_with_the_bound_at_k_1():
    rng = np.random.default_rng(0)
    assert runs.greedy_openings(1, 0.1, 0.02, rng=rng) == 1 and runs.greedy_openings(2, 0.1, 0.005, rng=rng) <= 2


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
    for steps, expected in ((spectral_steps, spectral), (runs.volume_steps, by_volume)):
        found = steps(rows, np.eye(k, k + N), k, epsilon, acc)
        assert list(found) == list(expected)
        for name, sides in expected.items():
            assert found[name] == pytest.approx(sides, rel=1e-9), name


def test_four_features_in_three_dimensions_by_hand():
    """The rows are e1, (318, 1, 0, 0), (0, 318, 1, 0) and e3; the second is learned as (318, 1, 0, d), d = 1/100000."""
    d, square = Fraction(1, 100_000), Fraction(318**2 + 1)
    # off e1 by 1/length; off (1, 0, d) in the last three coordinates; (-d, 318 d, 1) is normal to the first two
    sines = [1 / square, (1 + 318**2 * d**2 / (1 + d**2)) / square, (318 * d) ** 2 / (square * d**2 + 1)]
    found = runs.hand_margins()
    assert found["refused"] == min(sines) == sines[0] > found["allowed"]
    assert found["tangent"] == d**2 / square <= found["accuracy"] == Fraction(1, 900_000_000_000_000)
    assert np.pi**2 < float(found["allowed"]) * 10**6 < np.pi**2 * (1 + 2e-7)
    true, learned = hand_stream()
    assert np.linalg.matrix_rank(np.array(true, dtype=float)) == 3
    refused, error = in_order(true, learned, 1e-3)  # the same stream in doubles
    assert refused and error <= runs.printed_accuracy(3, 1e-3) and not in_order(true, learned, 1.02e-3)[0]
