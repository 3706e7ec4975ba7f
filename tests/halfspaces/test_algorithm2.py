"""Algorithm 2: tiers, matrices, bills, and the counts that are true and false."""

from __future__ import annotations

import gc
import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp

from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.algorithm2 import ExactTwoLevel, LabelModel, TwoLevel, level_factors, precise_levels
from lifelong.halfspaces.angles import angle, angle_to_subspace, unit
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian, Laplace
from lifelong.ledger import LEDGER
from lifelong.ledger.claim import reports
from lifelong.ledger.claims import levels
from lifelong.ledger.tables.levels import accuracies, per_task
from lifelong.loop import learn_stream


class Watched(HalfspaceTask):
    """Counts the labels that really leave the oracle, and remembers the arrays."""

    given = 0

    def examples(self, size):
        X, y = super().examples(size)
        self.given += len(y)
        return X, y


def sampled():
    _, kinds, tasks = instances.planted_two_levels(Gaussian(16), 4, 3, 2, 40, rng=1)
    tasks = [Watched(t.target, t.distribution, rng=i) for i, t in enumerate(tasks)]
    return kinds, tasks, learn_stream(tasks, TwoLevel(16, 0.1, 2, best=5))


@pytest.fixture(scope="module")
def run_from_samples():
    return sampled()


def test_every_label_is_counted(run_from_samples):
    _, tasks, run = run_from_samples
    given = [task.given for task in tasks]
    assert given == [step.labels for step in run.steps] == [sum(t.values()) for t in run.representation.tiers]
    model = LabelModel()
    assert given[0] == model.scratch(16, 0.1 / 16)
    assert all(step.labels >= 200 for step in run.steps[1:])  # a holdout is always paid


def test_what_was_learned_from_samples(run_from_samples):
    _, tasks, run = run_from_samples
    errors = [task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)]
    assert max(errors) <= 0.1
    assert run.how[-15:] == ["reused"] * 15
    C, U, W = level_factors(run)
    assert np.allclose(C @ U @ W, [step.hypothesis for step in run.steps], atol=1e-9)
    assert (C != 0).sum(axis=1).max() <= 2
    assert len(W) == run.scratch
    assert len(U) == 40 - run.how.count("reused")


def test_no_examples_of_an_earlier_task_are_kept(run_from_samples):
    _, _, run = run_from_samples
    gc.collect()
    kept = [x for x in gc.get_referents(*vars(run.representation).values()) if isinstance(x, np.ndarray)]
    kept += [x for x in vars(run.representation).values() if isinstance(x, np.ndarray)]
    kept += [x for x in vars(run.representation._subsets).values() if isinstance(x, np.ndarray)]
    r, k = run.representation.second.shape
    assert max(x.size for x in kept) <= max(16 * k, r * (r - 1) // 2 * 2 * k)
    assert not any(isinstance(x, HalfspaceTask) for x in vars(run.representation).values())


def test_same_seeds_same_run(run_from_samples):
    again = sampled()[2]
    assert again.how == run_from_samples[2].how
    assert np.allclose(again.steps[-1].hypothesis, run_from_samples[2].steps[-1].hypothesis)


@pytest.mark.parametrize("direction", ["random", "common"])
@pytest.mark.parametrize("tau", [1, 2, 3])
def test_exact_run_against_brute_force(tau, direction):
    """Every decision again, from the kept matrices alone and with all subsets."""
    rng = np.random.default_rng(tau)
    targets, _ = levels.kinds_of_targets(4, 3, tau, 12, 30, rng)
    run = levels.exact_levels(targets, tau, 0.08, 0.02, 0.004, direction, rng)
    _, U, W = level_factors(run)
    second, first = [], []
    for target, step in zip(targets, run.steps, strict=True):
        subsets = combinations(second, min(tau, len(second)))
        best = min(angle_to_subspace(target, np.array(S).reshape(-1, 12)) for S in subsets) / np.pi
        dense = angle_to_subspace(target, np.array(first).reshape(-1, 12)) / np.pi
        assert step.how == ("reused" if best <= 0.08 else "composed" if dense <= 0.02 else "scratch")
        error = angle(step.hypothesis, target) / np.pi
        if step.how == "reused":
            assert np.isclose(error, best)
            continue
        second.append(U[len(second)] @ W)
        if step.how == "scratch":
            first.append(step.hypothesis)
            assert np.isclose(error, 0.004)
        else:
            assert np.isclose(error, 0.02, atol=1e-9) or len(first) == 1
    assert run.counts.labels == 0


def test_precise_and_double_runs_agree():
    rng = np.random.default_rng(0)
    for _ in range(5):
        targets, _ = levels.kinds_of_targets(3, 3, 2, 5, 12, rng)
        double = levels.exact_levels(targets, 2, 0.05, 0.01, 0.002, "common")
        precise = precise_levels(targets, 2, 0.05, 0.01, 0.002, digits=40)
        assert double.how == [how for how, _ in precise]
        margins = [np.sin(np.pi * best) / np.sin(np.pi * 0.05) for best in double.representation.best]
        assert np.allclose(margins[1:], [margin for _, margin in precise][1:], rtol=1e-6)


def test_crowded_streams_are_what_they_say():
    second, _ = levels.printed_accuracies(4, 3, 1e-6)
    rows = np.array(instances.crowded_subspace(3, 1e-6, second, rng=0), dtype=float)
    assert np.linalg.matrix_rank(rows) == 4
    assert np.linalg.matrix_rank(rows[3:]) == 3
    first = np.array(instances.crowded_first_level(5, 2, 1e-3, 1e-7), dtype=float)
    assert not first[:, -1].any()
    assert np.allclose(np.linalg.norm(first, axis=1), 1)
    with pytest.raises(ValueError, match="tau"):
        instances.crowded_first_level(4, 4, 1e-3, 1e-7)


def test_refuted_at_small_constants():
    assert levels.crowded_precise(3, "1e-14", "0.001") == 4
    assert levels.first_level_precise(3, 1, "1e-7", "0.001") == 4


@pytest.mark.parametrize(("tau", "square"), [(3, 1.0), (3, 0.02), (4, 0.3)])
def test_leaning_second_level(tau, square):
    stream, epsilon, second = instances.leaning_second_level(tau, square)
    rows, answers = unit(stream.targets), unit(stream.learned)
    assert second == square * epsilon**2 / tau
    assert np.max(angle(rows, answers)) <= np.pi * second
    assert np.bincount(stream.kinds).tolist() == [tau] * (tau + 3) + [tau + 1]
    for kind in range(tau + 4):
        assert np.linalg.matrix_rank(rows[stream.kinds == kind]) == tau
    assert np.linalg.matrix_rank(rows) == rows.shape[1] == (tau + 1) ** 2 + tau - 1
    if tau == 3:  # without SubsetBases
        last = rows[-1]
        far = min(angle_to_subspace(last, answers[list(S)]) for S in combinations(range(len(rows) - 1), tau))
        assert far > np.pi * epsilon
    assert levels.second_level_openings(stream, tau, epsilon, second) == (tau * (tau + 4) + 1, rows.shape[1])
    coarse = stream._replace(learned=stream.learned * 1.0)
    coarse.learned[-3] += 10 * np.pi * second * np.eye(rows.shape[1])[-1]
    assert levels.second_level_openings(coarse, tau, epsilon, second) == (0, 0)


@pytest.mark.parametrize(("k", "tau"), [(3, 1), (4, 2), (5, 1), (5, 3)])
def test_leaning_first_level(k, tau):
    stream, epsilon, second, first = instances.leaning_first_level(k, tau, Fraction(1, 7))
    assert (second, first) == (epsilon**2 / 7 / tau, second**2 / 7 / k)
    assert not stream.targets[:, -1].any()
    assert np.linalg.matrix_rank(stream.targets.astype(float)) == k
    assert levels.first_level_openings(stream, tau, epsilon, second, first) == k + 1
    assert levels.first_level_openings(stream, tau, epsilon, second, first / 2) == 0  # answers too coarse
    assert levels.first_level_openings(stream, tau, epsilon, 3 * second, first) == 0  # the dense test takes a task


def test_leaning_refusals():
    for arguments in ((2, 1, 0.1), (4, 3, 0.1), (4, 1, 2)):
        with pytest.raises(ValueError, match="expected"):
            instances.leaning_first_level(*arguments)
    with pytest.raises(ValueError, match="epsilon"):
        instances.leaning_first_level(3, 1, Fraction(1, 10), Fraction(1, 10))
    with pytest.raises(ValueError, match="tau"):
        instances.leaning_second_level(2, 0.1)


def test_sine_squared_against_floats():
    rng = np.random.default_rng(0)
    rows = rng.integers(-5, 6, (4, 6))
    exact = levels.sine_squared(*(np.vectorize(Fraction)(x) for x in (rows[0], rows[1:])))
    assert float(exact) == pytest.approx(np.sin(angle_to_subspace(rows[0], rows[1:])) ** 2, rel=1e-10)


def test_plane_accuracy():
    for epsilon in (1e-4, 0.01, 0.1, 0.2, 0.4):
        accuracy = bounds.plane_accuracy(epsilon)
        eta, theta = np.pi * accuracy, np.pi * epsilon
        apart = np.arccos(np.cos(theta) / np.cos(eta)) - eta
        assert np.tan(eta) == pytest.approx(np.tan(theta) * np.sin(apart / 2), rel=1e-9)
    assert bounds.plane_accuracy(1e-4) / 1e-8 == pytest.approx(np.pi / 2, rel=1e-3)
    assert levels.plane_ratios(0.001, bounds.plane_accuracy(0.001), 12).max() == pytest.approx(1, abs=0.01)
    with pytest.raises(ValueError, match="epsilon"):
        bounds.plane_accuracy(0.5)


def test_the_holdout_is_stricter_than_the_error_allowed():
    task = HalfspaceTask([1.0, 0.0], Gaussian(2), rng=0)
    learner = TwoLevel(2, 0.2, 1)
    turn = np.pi * 0.2 * np.array([0.6, 0.9])
    hypotheses = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    assert [learner._passes(task, h, 20_000, 0.2) for h in hypotheses] == [True, False]


def test_the_best_scored_subset_is_fitted_first():
    learner = TwoLevel(5, 0.1, 2, best=1)
    for axis in np.eye(5):
        learner.grow("scratch", axis)
    X = np.random.default_rng(0).standard_normal((400, 5))
    for i, j in combinations(range(5), 2):
        support, _ = learner._fit_sparse(X, np.where(X[:, i] + X[:, j] > 0, 1, -1))
        assert support.tolist() == [i, j]


def test_dense_combinations_are_held_to_their_own_accuracy():
    target = np.array([1.0, 1.0, np.sqrt(2) * np.tan(0.06 * np.pi)])  # error 0.06 in the span of two axes
    learner = TwoLevel(3, 0.1, 1)
    for axis in np.eye(3)[:2]:
        learner.grow("scratch", axis)
    task = HalfspaceTask(target, Gaussian(3), rng=0)
    assert learner.reuse(task) is None
    assert learner.learn(task)[0] == "scratch"


def test_features_that_almost_coincide_still_span_a_plane():
    learner = ExactTwoLevel(3, 0.1, 2, 0.01, 0.001)
    for row in ([1.0, 0.0, 0.0], [1.0, 1e-5, 0.0]):
        learner.grow("scratch", unit(np.array(row)))
    assert learner.reuse(HalfspaceTask([0.0, 1.0, 0.0], Gaussian(3))) is not None


def test_the_nearest_of_many_near_features_is_taken():
    learner = ExactTwoLevel(3, 0.1, 1, 0.01, 0.001)
    for off in (3e-9, 1e-9, 2e-9):  # squared cosines cannot tell these apart
        learner.grow("scratch", unit(np.array([1.0, off, 0.0])))
    learner.reuse(HalfspaceTask([1.0, 0.0, 0.0], Gaussian(3)))
    assert learner.best[-1] == pytest.approx(1e-9 / np.pi, rel=1e-3)


def test_bound_on_features():
    assert bounds.two_level_features(1, 0.5, 0.1) == 1
    assert bounds.two_level_features(2, 0.5, 0.0624 / 2) == 2
    for tau in (2, 3, 4, 6):
        assert bounds.two_level_features(tau, 0.1, 0.999 * 0.01 / (4 * tau)) == 2 * tau - 2
        assert bounds.two_level_features(tau, 0.1, 0.999 * 0.1**tau / (4 * tau)) == tau
        for epsilon in (0.2, 0.05, 1e-4):
            s, t = levels.distances(epsilon, epsilon / (10 * tau))
            assert bounds.two_level_features(tau, s, t) <= bounds.two_level_logarithmic(tau, epsilon)
    assert bounds.two_level_features(2, 0.1, 0.0125) == np.inf


def test_rates():
    rates = bounds.two_level_rates([100, 200], 10, 10, 2, 1000, 0.1)
    assert rates["printed"][0].shape == (2,)
    assert all((a >= b).all() for a, b in zip(rates["printed"][:2], rates["repaired"][:2], strict=True))
    assert np.allclose(rates["printed"][2], 1000 * 2 * np.log(10) / 0.1)
    assert np.allclose(rates["repaired"][2], 1000 * 2 * np.log(20) / 0.1)
    _, _, sparse = bounds.two_level_rates(1e4, 100, 1e8, 2, 1e10, 0.1)["printed"]
    assert sparse / 1e10 == pytest.approx(368.4, abs=0.05)
    with pytest.raises(ValueError, match="epsilon"):
        bounds.two_level_rates(1, 1, 1, 1, 1, 0)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((0, 0.1, 2), "n"),
        ((5, 0.5, 2), "epsilon"),
        ((5, 0.1, 0), "tau"),
        ((5, 0.1, 2, 0.0), "epsilon_acc_second"),
        ((5, 0.1, 2, 0.1, 0.6), "epsilon_acc_first"),
    ],
)
@pytest.mark.parametrize("learner", [TwoLevel, ExactTwoLevel])
def test_bad_arguments(learner, arguments, word):
    with pytest.raises(ValueError, match=f"^{word}:"):
        learner(*arguments)


def test_other_refusals():
    with pytest.raises(ValueError, match="direction"):
        ExactTwoLevel(4, 0.1, 2, direction="up")
    with pytest.raises(ValueError, match="rotation"):
        ExactTwoLevel(2, 0.1, 1).reuse(HalfspaceTask([1, 0], Laplace(2)))
    with pytest.raises(ValueError, match="task"):
        TwoLevel(3, 0.1, 1).reuse(HalfspaceTask([1, 0], Gaussian(2)))
    with pytest.raises(ValueError, match="axis"):
        ExactTwoLevel(2, 0.1, 1, direction="common").learn(HalfspaceTask([0, 1], Gaussian(2)))
    with pytest.raises(ValueError, match="holdout"):
        LabelModel(holdout=0)
    with pytest.raises(ValueError, match="run"):
        level_factors(None)
    with pytest.raises(ValueError, match="targets"):
        precise_levels([1.0, 0.0], 1, 0.1, 0.01, 0.001)
    with pytest.raises(ValueError, match="choice"):
        accuracies("best", 2, 2, 0.1)


def test_large_subsets_are_billed():
    paid = per_task(
        {"method": "quarters", "n": 10**9, "k": 31622, "tau": 2, "m": 10**22, "epsilon": 0.1}, 31622, 10**18
    )
    assert all(np.isfinite(x) for x in paid.values())


@pytest.mark.parametrize("claim", levels.CLAIMS, ids=lambda claim: claim.label)
def test_the_claims(claim):
    assert LEDGER[claim.label] is claim
    (report,) = reports([claim], instances=300)
    assert report.agrees, report.summary()


def test_the_records_show_what_the_chapter_says():
    record = json.loads((Path(__file__).parents[2] / "book" / "records" / "levels.json").read_text())
    for row in record["rows"]:
        assert row["worst_error"] <= row["epsilon"]
        assert row["labels"] == pytest.approx(row["sparse"] + row["dense"] + row["scratch"], rel=1e-3)


def test_mpmath_precision_is_left_alone():
    before = mp.dps
    levels.crowded_precise(3, "1e-6", "0.1")
    assert mp.dps == before
