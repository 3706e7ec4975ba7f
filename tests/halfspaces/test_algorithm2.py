"""Algorithm 2: attempts, matrices, bills, and the counts that are true and false."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from mpmath import mp

from lifelong.halfspaces import bounds
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.angles import angle, angle_to_subspace, unit
from lifelong.halfspaces.oracles import Exact, Labels, Sampled, Subsets
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import learn_stream
from lifelong_book.halfspaces.levels import claims, instances, limits
from lifelong_book.halfspaces.levels.experiments import (
    exact_levels,
    level_accuracies,
    level_distances,
    level_factors,
)
from lifelong_book.halfspaces.levels.openings import (
    crowded_openings,
    precise_levels,
    tiers,
    tiers_in_doubles,
)
from lifelong_book.halfspaces.levels.oracles import ExactLevels, SampledLevels


def test_what_was_learned_from_samples():
    _, _, tasks = instances.planted_two_levels(Gaussian(16), 4, 3, 2, 40, rng=1)
    tasks = [HalfspaceTask(t.target, t.distribution, rng=i) for i, t in enumerate(tasks)]
    run = learn_stream(tasks, TwoLevels(16, 0.1, tau=2, oracle=SampledLevels(tried=5)))
    given = [task.counts.labels for task in tasks]
    assert given == [step.labels for step in run.steps] == [sum(t.values()) for t in run.representation.oracle.bill]
    assert given[0] == Labels().afresh(16, 0.1 / 16)
    assert all(step.labels >= 200 for step in run.steps[1:])  # a holdout is always paid
    assert max(task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)) <= 0.1
    assert run.how[-15:] == ["reused"] * 15
    C, U, W = level_factors(run)
    assert np.allclose(C @ U @ W, [step.hypothesis for step in run.steps], atol=1e-9)
    assert (C != 0).sum(axis=1).max() <= 2
    assert len(W) == run.scratch and len(U) == 40 - run.how.count("reused")


@pytest.mark.parametrize("direction", ["random", "common"])
@pytest.mark.parametrize("tau", [1, 2, 3])
def test_exact_run_against_brute_force(tau, direction):
    """Every decision again, from the kept matrices alone and with all subsets."""
    rng = np.random.default_rng(tau)
    targets, _ = instances.kinds_of_targets(12, k=4, r=3, tau=tau, m=30, rng=rng)
    run = exact_levels(targets, 0.08, tau=tau, second=0.02, first=0.004, direction=direction, rng=rng)
    C, U, W = level_factors(run)
    second, first = [], []
    for target, step, row in zip(targets, run.steps, C, strict=True):
        subsets = combinations(second, min(tau, len(second)))
        best = min(angle_to_subspace(target, np.array(S).reshape(-1, 12)) for S in subsets) / np.pi
        dense = angle_to_subspace(target, np.array(first).reshape(-1, 12)) / np.pi
        assert step.how == ("reused" if best <= 0.08 else "composed" if dense <= 0.02 else "scratch")
        error = angle(step.hypothesis, target) / np.pi
        assert (row != 0).sum() <= tau and not row[len(second) + (step.how != "reused") :].any()
        if step.how == "reused":
            assert np.isclose(error, best)
            continue
        second.append(U[len(second)] @ W)
        if step.how == "scratch":
            first.append(step.hypothesis)
            assert np.isclose(error, 0.004)
        else:
            assert np.isclose(error, 0.02, atol=1e-9) or len(first) == 1
    assert np.allclose(C @ U @ W, [step.hypothesis for step in run.steps], atol=1e-9)
    assert run.counts.labels == 0


def test_precise_and_double_runs_agree():
    rng = np.random.default_rng(0)
    for _ in range(3):
        targets, _ = instances.kinds_of_targets(5, k=3, r=3, tau=2, m=12, rng=rng)
        double = exact_levels(targets, 0.05, tau=2, second=0.01, first=0.002, direction="common")
        precise = precise_levels(targets, 0.05, tau=2, second=0.01, first=0.002, digits=40)
        assert double.how == [how for how, _ in precise]
        margins = [np.sin(np.pi * best) / np.sin(np.pi * 0.05) for best in double.representation.oracle.best]
        assert np.allclose(margins[1:], [margin for _, margin in precise][1:], rtol=1e-6)


def test_crowded_streams_are_what_they_say_and_refute_at_small_constants():
    second, _ = level_accuracies("printed", 4, 3, 1e-6)
    rows = np.array(instances.crowded_subspace(3, 1e-6, second, rng=0), dtype=float)
    assert np.linalg.matrix_rank(rows) == 4 and np.linalg.matrix_rank(rows[3:]) == 3
    before = mp.dps
    assert crowded_openings("1e-14", tau=3, square="0.001") == 4
    assert mp.dps == before  # the precision is left alone


@pytest.mark.parametrize(("tau", "square"), [(3, 0.02), (4, 0.3)])
def test_leaning_second_level(tau, square):
    stream, epsilon, second = instances.leaning_second_level(tau, square)
    rows, answers = unit(stream.targets), unit(stream.learned)
    assert epsilon == pytest.approx(square / (10 * tau**3)) and second == square * epsilon**2 / tau
    assert np.max(angle(rows, answers)) <= np.pi * second
    assert np.bincount(stream.kinds).tolist() == [tau] * (tau + 3) + [tau + 1]
    for kind in range(tau + 4):
        assert np.linalg.matrix_rank(rows[stream.kinds == kind]) == tau
    assert np.linalg.matrix_rank(rows) == rows.shape[1] == (tau + 1) ** 2 + tau - 1
    if tau == 3:  # with another function
        last = rows[-1]
        far = min(angle_to_subspace(last, answers[list(S)]) for S in combinations(range(len(rows) - 1), tau))
        assert far > np.pi * epsilon
    k, opened = rows.shape[1], tau * (tau + 4) + 1
    how = tiers_in_doubles(stream, epsilon, tau=tau, second=second)
    assert how == ["scratch"] * k + ["composed"] * (opened - k)
    coarse = stream._replace(learned=stream.learned * 1.0)
    coarse.learned[-3] += 10 * np.pi * second * np.eye(rows.shape[1])[-1]
    with pytest.raises(AssertionError):
        tiers_in_doubles(coarse, epsilon, tau=tau, second=second)


@pytest.mark.parametrize(("k", "tau", "long"), [(4, 1, 4), (4, 3, 4), (5, 5, 5), (10, 5, 5)])
def test_chain(k, tau, long):
    targets, answers, _, epsilon, second, first = instances.leaning_chain(k, tau, Fraction(1, 7), long)
    assert (second, first) == (epsilon**2 / 7 / tau, second**2 / 7 / k)
    square = targets[:-1, :-1]  # independent, in k dimensions
    assert square.shape == (k, k) and square.diagonal().all() and not np.triu(square, 1).any()
    assert not targets[:, -1].any()
    answered = targets, answers, tau, epsilon
    assert tiers(*answered, second, first) == ["scratch"] * (k + 1)
    with pytest.raises(AssertionError):  # answers too coarse
        tiers(*answered, second, first / 2)
    assert tiers(targets, targets, tau, epsilon, second, first).count("scratch") == k  # the errors alone are to blame


def test_an_answer_must_be_in_the_span_where_the_dense_test_takes_the_task():
    epsilon, second, first = (Fraction(1, 10**j) for j in (3, 7, 15))
    streams = instances.four_leaning(4 * epsilon, 12 * second, 3 * first)
    assert tiers(*streams, 1, epsilon, second, first) == ["scratch"] * 4
    with pytest.raises(AssertionError, match="the first level serves this target"):
        tiers(*streams, 1, epsilon, 30 * second, first)


#: Angles as multiples of an accuracy, on both sides of pi of it; 22/7 = 3.14285... and 3 are the certificates.
TIERS = {
    "far": {"40": "sss", "3": "srs", "3.1": None, "3.1429": "sss"},  # the first feature serves the second target
    "dense": {"3": "ssc", "3.1": None, "3.1429": "sss"},  # the first two features serve the third
    "tangent": {"3": "sss", "3.15": None},  # above pi: no answer of that accuracy
}


@pytest.mark.parametrize(("name", "share", "how"), [(n, *x) for n in TIERS for x in TIERS[n].items()])
def test_tiers_in_fractions_are_sure_or_say_so(name, share, how):
    epsilon, second, first = Fraction(1, 1000), Fraction(1, 10**6), Fraction(1, 10**12)
    times = {"far": 40, "dense": 50, "tangent": 0, name: Fraction(share)}
    far, dense, tangent = (x * a for x, a in zip(times.values(), (epsilon, second, first), strict=True))
    targets = np.array([[1, 0, 0, 0], [1, far, 0, 0], [3, 4, 5 * dense, 0]]) * Fraction(1)
    learned = targets.copy()
    learned[0, 3] = tangent
    if how == "ssc":
        learned[2, 2] = Fraction(0)  # in the span, and within the accuracy of the second level
    if how is None:
        with pytest.raises(AssertionError):
            tiers(targets, learned, 1, epsilon, second, first)
    else:
        assert "".join(step[0] for step in tiers(targets, learned, 1, epsilon, second, first)) == how


@pytest.mark.parametrize(("share", "how"), [(1 - 1e-9, ["reused", "composed"]), (1 + 1e-9, ["scratch", "scratch"])])
def test_both_levels_accept_up_to_their_accuracy_and_no_further(share, how):
    turn, lift = np.tan(np.pi * share * np.array([0.2, 0.02]))  # from the first target, and from the first two's plane
    targets = unit([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [1, 0, turn, 0, 0], [1, 1, 0, np.sqrt(2) * lift, 0]])
    run = exact_levels(targets, 0.2, tau=1, second=0.02, first=1e-13, direction="common")
    assert run.how == ["scratch", "scratch", *how]
    run.steps[3] = replace(run.steps[3], hypothesis=targets[0])  # another than the row of C U W
    assert claims.algorithm_2(run, targets, 1, 0.2)["not the box"] == (1, 0)


def test_a_plane_turned_out_of_another():
    turned = [[np.cos(0.5), 0, np.sin(0.5), 0], [0, np.cos(0.5), 0, np.sin(0.5)]]
    assert claims.two_features(np.array([turned]), 0.5 / np.pi) == (pytest.approx(np.tan(0.5)),) * 2


@pytest.mark.parametrize(("share", "how"), [(0.6, "reused"), (0.9, "scratch")])
def test_both_attempts_are_held_to_the_stricter_threshold(share, how):
    """The one feature errs by a share of what is allowed, in either level: three quarters of it pass."""
    turn = np.pi * 0.2 * share
    for oracle in (SampledLevels(labels=Labels(holdout=4_000)), Sampled(labels=Labels(holdout=4_000))):
        learner = TwoLevels(2, 0.2, tau=1, epsilon_acc_second=0.2, oracle=oracle)
        learner.grow("scratch", np.array([1.0, 0.0]))
        task = HalfspaceTask([np.cos(turn), np.sin(turn)], Gaussian(2), rng=0)
        assert (learner.reuse(task) is not None) == (how == "reused")
        assert learner.learn(task)[0] == ("composed" if how == "reused" else "scratch")


def test_the_best_scored_subset_is_fitted_first():
    oracle, few = SampledLevels(tried=1), Subsets(5, 2)
    for axis in np.eye(5):
        few.add(axis)
    for i, j in combinations(range(5), 2):
        w = oracle.fitted(HalfspaceTask(np.eye(5)[i] + np.eye(5)[j], Gaussian(5), rng=0), few, 0.1)
        assert np.flatnonzero(abs(w) > 1e-9).tolist() == [i, j]


def test_features_that_almost_coincide():
    learner = TwoLevels(3, 0.1, tau=1, oracle=ExactLevels())
    for off in (3e-9, 1e-9, 2e-9):  # squared cosines cannot tell these apart
        learner.grow("scratch", unit(np.array([1.0, off, 0.0])))
    learner.reuse(HalfspaceTask([1.0, 0.0, 0.0], Gaussian(3)))
    assert learner.oracle.best[-1] == pytest.approx(1e-9 / np.pi, rel=1e-3)
    learner = TwoLevels(3, 0.1, tau=2, oracle=ExactLevels())
    for row in ([1.0, 0.0, 0.0], [1.0, 1e-5, 0.0]):  # they still span a plane
        learner.grow("scratch", unit(np.array(row)))
    assert learner.reuse(HalfspaceTask([0.0, 1.0, 0.0], Gaussian(3))) is not None
    few = Subsets(3, 2)
    few.add(np.eye(3)[0])
    assert learner.oracle.within(HalfspaceTask([0.0, 1.0, 0.0], Gaussian(3)), few, 0.4) is None
    assert learner.oracle.best[-1] == 0.5  # as good as a coin


def test_bound_on_features():
    assert bounds.two_level_features(1, 0.5, 0.1) == 1
    assert bounds.two_level_features(2, 0.5, 0.0624 / 2) == 2
    for tau in (2, 3, 6):
        assert bounds.two_level_features(tau, 0.1, 0.999 * 0.01 / (4 * tau)) == 2 * tau - 2
        assert bounds.two_level_features(tau, 0.1, 0.999 * 0.1**tau / (4 * tau)) == tau
        for epsilon in (0.2, 1e-4):
            s, t = level_distances(epsilon, epsilon / (10 * tau))
            exchanged = tau + (tau - 1) * np.log(1 / s) / np.log(s / (4 * tau * t))
            assert bounds.two_level_features(tau, s, t) == np.floor(exchanged)
            assert limits.two_level_logarithmic(tau, epsilon) == pytest.approx(tau + (tau - 1) * np.log2(1 / epsilon))
            assert bounds.two_level_features(tau, s, t) <= limits.two_level_logarithmic(tau, epsilon)
    assert bounds.two_level_features(2, 0.1, 0.0125) == np.inf


def test_the_bill_of_exact_answers_is_what_samples_draw():
    """The same decisions, from the same `Labels`, also by the oracles of one level."""
    sizes = Labels(fit=8, holdout=50, scratch=3)
    targets = ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [2, 2, 2, 0.01], [1, 0, -1, 0])
    runs = []
    for oracle in (SampledLevels(labels=sizes), ExactLevels(labels=sizes, rng=0), Sampled(labels=sizes), Exact(rng=0)):
        tasks = [HalfspaceTask(w, Gaussian(4), rng=10 + i) for i, w in enumerate(targets)]
        runs.append(learn_stream(tasks, TwoLevels(4, 0.1, tau=2, oracle=oracle)))
        assert runs[-1].how == ["scratch", "scratch", "scratch", "composed", "reused", "reused"]
    bill = runs[0].representation.oracle.bill
    assert bill == runs[1].representation.oracle.bill
    for run in (runs[0], runs[2]):
        assert [step.labels for step in run.steps] == [sum(x.values()) for x in bill]
    oracle = ExactLevels(rng=0)
    TwoLevels(3, 0.1, tau=1, oracle=oracle).learn(HalfspaceTask([1, 0, 0], Gaussian(3)))
    assert oracle.bill == [{"sparse": 0, "dense": 0, "scratch": Labels().afresh(3, 0.1 / 16)}]


def test_a_span_in_which_the_labels_tell_no_direction_is_refused():
    class Balanced(HalfspaceTask):
        def examples(self, size):
            X = super().examples(size + size % 2)[0]
            half = len(X) // 2
            X[half:] = X[:half] * [1, -1]
            return X, np.where(X[:, 1] >= 0, 1, -1)

    learner = TwoLevels(2, 0.1, tau=1, epsilon_acc_second=0.1)
    learner.grow("scratch", np.array([1.0, 0.0]))
    task = Balanced([0, 1], Gaussian(2), rng=0)
    assert learner.reuse(task) is None and learner.learn(task)[0] == "scratch"
