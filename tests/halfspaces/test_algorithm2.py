"""Algorithm 2: attempts, matrices, bills, and the counts that are true and false.

`tests/records/algorithm2.json` holds what two classes gave before there were oracles of two levels, `TwoLevel` and
`ExactTwoLevel`; the commit "Algorithm 2 is one class" has them beside `TwoLevels` and compares both bit by bit. How
each task was learned, supports and labels are exact; other numbers are rounded to ten significant digits.
"""

from __future__ import annotations

import gc
import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp

from lifelong.halfspaces import bounds
from lifelong.halfspaces.algorithm2 import TwoLevels, level_factors
from lifelong.halfspaces.angles import angle, angle_to_subspace, unit
from lifelong.halfspaces.oracles import Exact, Labels, Sampled, Subsets
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian, Laplace
from lifelong.loop import learn_stream
from lifelong_book.halfspaces.levels import claims as levels
from lifelong_book.halfspaces.levels import families, limits
from lifelong_book.halfspaces.levels.experiments import (
    exact_levels,
    kinds_of_targets,
    level_accuracies,
    level_distances,
)
from lifelong_book.halfspaces.levels.openings import (
    _rest,
    _turned,
    crowded_openings,
    first_level_crowded,
    precise_levels,
    sine_squared,
    tiers,
    tiers_in_doubles,
)
from lifelong_book.halfspaces.levels.oracles import ExactLevels, SampledLevels


class Watched(HalfspaceTask):
    """Counts the labels that really leave the oracle, and remembers the arrays."""

    given = 0

    def examples(self, size):
        X, y = super().examples(size)
        self.given += len(y)
        return X, y


def sampled():
    _, kinds, tasks = families.planted_two_levels(Gaussian(16), 4, 3, 2, 40, rng=1)
    tasks = [Watched(t.target, t.distribution, rng=i) for i, t in enumerate(tasks)]
    return kinds, tasks, learn_stream(tasks, TwoLevels(16, 0.1, tau=2, oracle=SampledLevels(best=5)))


@pytest.fixture(scope="module")
def run_from_samples():
    return sampled()


def test_every_label_is_counted(run_from_samples):
    _, tasks, run = run_from_samples
    given = [task.given for task in tasks]
    assert given == [step.labels for step in run.steps] == [sum(t.values()) for t in run.representation.oracle.bill]
    assert given[0] == Labels().afresh(16, 0.1 / 16)
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
    kept += [x for x in vars(run.representation.few).values() if isinstance(x, np.ndarray)]
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
    targets, _ = kinds_of_targets(12, k=4, r=3, tau=tau, m=30, rng=rng)
    run = exact_levels(targets, 0.08, tau=tau, second=0.02, first=0.004, direction=direction, rng=rng)
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
        targets, _ = kinds_of_targets(5, k=3, r=3, tau=2, m=12, rng=rng)
        double = exact_levels(targets, 0.05, tau=2, second=0.01, first=0.002, direction="common")
        precise = precise_levels(targets, 0.05, tau=2, second=0.01, first=0.002, digits=40)
        assert double.how == [how for how, _ in precise]
        margins = [np.sin(np.pi * best) / np.sin(np.pi * 0.05) for best in double.representation.oracle.best]
        assert np.allclose(margins[1:], [margin for _, margin in precise][1:], rtol=1e-6)


def test_crowded_streams_are_what_they_say():
    second, _ = level_accuracies("printed", 4, 3, 1e-6)
    rows = np.array(families.crowded_subspace(3, 1e-6, second, rng=0), dtype=float)
    assert np.linalg.matrix_rank(rows) == 4
    assert np.linalg.matrix_rank(rows[3:]) == 3
    first = np.array(families.crowded_first_level(5, 2, 1e-3, 1e-7), dtype=float)
    assert not first[:, -1].any()
    assert np.allclose(np.linalg.norm(first, axis=1), 1)
    with pytest.raises(ValueError, match="tau"):
        families.crowded_first_level(4, 4, 1e-3, 1e-7)


def test_refuted_at_small_constants():
    assert crowded_openings("1e-14", tau=3, square="0.001") == 4
    assert first_level_crowded("1e-7", k=3, tau=1, square="0.001") == 4


@pytest.mark.parametrize(("tau", "square"), [(3, 1.0), (3, 0.02), (4, 0.3)])
def test_leaning_second_level(tau, square):
    stream, epsilon, second = families.leaning_second_level(tau, square)
    rows, answers = unit(stream.targets), unit(stream.learned)
    assert epsilon == pytest.approx(square / (10 * tau**3)) and second == square * epsilon**2 / tau
    assert np.max(angle(rows, answers)) <= np.pi * second
    assert np.bincount(stream.kinds).tolist() == [tau] * (tau + 3) + [tau + 1]
    for kind in range(tau + 4):
        assert np.linalg.matrix_rank(rows[stream.kinds == kind]) == tau
    assert np.linalg.matrix_rank(rows) == rows.shape[1] == (tau + 1) ** 2 + tau - 1
    if tau == 3:  # without SubsetBases
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


@pytest.mark.parametrize(("k", "tau"), [(3, 1), (4, 2), (5, 1), (5, 3)])
def test_leaning_first_level(k, tau):
    stream, epsilon, second, first = families.leaning_first_level(k, tau, Fraction(1, 7))
    assert (second, first) == (epsilon**2 / 7 / tau, second**2 / 7 / k)
    assert not stream.targets[:, -1].any()
    assert np.linalg.matrix_rank(stream.targets.astype(float)) == k
    answered = stream.targets, stream.learned, tau, epsilon
    assert tiers(*answered, second, first) == ["scratch"] * (k + 1)
    with pytest.raises(AssertionError):  # answers too coarse
        tiers(*answered, second, first / 2)
    with pytest.raises(AssertionError):  # the dense test takes a task, whose answer is not in the span
        tiers(*answered, 3 * second, first)
    exactly = stream.targets, stream.targets, tau, epsilon
    assert tiers(*exactly, second, first).count("scratch") == k  # the errors alone are to blame


@pytest.mark.parametrize(
    ("share", "how"),
    [
        ({}, "sss"),
        ({"far": "3"}, "srs"),  # the first feature serves the second target
        ({"far": "3.1"}, None),  # below pi, not surely
        ({"far": "3.1429"}, "sss"),
        ({"dense": "3"}, "ssc"),  # the first two features serve the third
        ({"dense": "3.1"}, None),
        ({"dense": "3.1429"}, "sss"),
        ({"tangent": "3"}, "sss"),
        ({"tangent": "3.15"}, None),  # above pi: no answer of that accuracy
    ],
)
def test_tiers_in_fractions_are_sure_or_say_so(share, how):
    """Angles as multiples of an accuracy, on both sides of pi of it; 22/7 = 3.14285... and 3 are the certificates."""
    epsilon, second, first = Fraction(1, 1000), Fraction(1, 10**6), Fraction(1, 10**12)
    times = {name: Fraction(share.get(name, other)) for name, other in (("far", 40), ("dense", 50), ("tangent", 0))}
    far, dense, tangent = (x * a for x, a in zip(times.values(), (epsilon, second, first), strict=True))
    targets = np.array([[1, 0, 0, 0], [1, far, 0, 0], [3, 4, 5 * dense, 0]]) * Fraction(1)
    learned = targets.copy()
    learned[0, 3] = tangent
    if share.get("dense") == "3":
        learned[2, 2] = Fraction(0)  # in the span, and within the accuracy of the second level
    if how is None:
        with pytest.raises(AssertionError):
            tiers(targets, learned, 1, epsilon, second, first)
    else:
        assert "".join(step[0] for step in tiers(targets, learned, 1, epsilon, second, first)) == how


def test_what_is_left_of_a_vector_is_orthogonal_to_the_last_digits():
    """Even where it is tiny: a vector 10^-20 off a plane, in 30 digits."""
    with mp.workdps(30):
        basis = [np.array([mp.mpf(3) / 5, mp.mpf(4) / 5, mp.mpf(0)])]
        aside = np.array([mp.sqrt(2) * 4 / 5, -mp.sqrt(2) * 3 / 5, mp.mpf(1)]) / mp.sqrt(3)
        basis.append(aside)
        normal = np.cross(*basis)
        tiny = mp.mpf(10) ** -20
        rest = _rest(basis[0] * mp.sqrt(5) + basis[1] / 7 + tiny * normal, basis)
        long = mp.sqrt(rest @ rest)
        assert abs(long / tiny - 1) < mp.mpf(10) ** -8
        assert all(abs(rest @ row) < mp.mpf(10) ** -27 * long for row in basis)


def test_a_vector_along_the_direction_of_errors_is_not_turned():
    with mp.workdps(30):
        e1, e2 = np.array([mp.mpf(1), mp.mpf(0)]), np.array([mp.mpf(0), mp.mpf(1)])
        cosine = mp.mpf(4) / 5
        assert _turned(e2, e2, cosine) is e2
        assert max(abs(_turned(e1, e2, cosine) - [mp.mpf(4) / 5, mp.mpf(3) / 5])) < mp.mpf(10) ** -29


def test_leaning_refusals():
    for arguments in ((2, 1, 0.1), (4, 3, 0.1), (4, 1, 2)):
        with pytest.raises(ValueError, match="expected"):
            families.leaning_first_level(*arguments)
    with pytest.raises(ValueError, match="epsilon"):
        families.leaning_first_level(3, 1, Fraction(1, 10), Fraction(1, 10))


def test_sine_squared_against_floats():
    rng = np.random.default_rng(0)
    rows = rng.integers(-5, 6, (4, 6))
    exact = sine_squared(*(np.vectorize(Fraction)(x) for x in (rows[0], rows[1:])))
    assert float(exact) == pytest.approx(np.sin(angle_to_subspace(rows[0], rows[1:])) ** 2, rel=1e-10)


def test_plane_accuracy():
    for epsilon in (1e-4, 0.01, 0.1, 0.2, 0.4):
        accuracy = limits.plane_accuracy(epsilon)
        eta, theta = np.pi * accuracy, np.pi * epsilon
        apart = np.arccos(np.cos(theta) / np.cos(eta)) - eta
        assert np.tan(eta) == pytest.approx(np.tan(theta) * np.sin(apart / 2), rel=1e-9)
    assert limits.plane_accuracy(1e-4) / 1e-8 == pytest.approx(np.pi / 2, rel=1e-3)
    left, right = levels.two_features(levels._two_of_a_plane(0.001, limits.plane_accuracy(0.001), 12), 0.001)
    assert left.max() / right == pytest.approx(1, abs=0.01)
    with pytest.raises(ValueError, match="epsilon"):
        limits.plane_accuracy(0.5)


def test_the_holdout_is_stricter_than_the_error_allowed():
    task = HalfspaceTask([1.0, 0.0], Gaussian(2), rng=0)
    oracle = SampledLevels(labels=Labels(holdout=4_000))
    turn = np.pi * 0.2 * np.array([0.6, 0.9])
    hypotheses = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    assert [oracle.passes(task, h, 0.2) for h in hypotheses] == [True, False]


@pytest.mark.parametrize(("share", "how"), [(0.6, "reused"), (0.9, "scratch")])
def test_both_attempts_are_held_to_the_stricter_threshold(share, how):
    """The one feature errs by a share of what is allowed, in either level: three quarters of it pass."""
    oracle = SampledLevels(labels=Labels(holdout=4_000))
    learner = TwoLevels(2, 0.2, tau=1, epsilon_acc_second=0.2, oracle=oracle)
    learner.grow("scratch", np.array([1.0, 0.0]))
    turn = np.pi * 0.2 * share
    task = HalfspaceTask([np.cos(turn), np.sin(turn)], Gaussian(2), rng=0)
    assert (learner.reuse(task) is not None) == (how == "reused")
    assert learner.learn(task)[0] == ("composed" if how == "reused" else "scratch")


def test_the_best_scored_subset_is_fitted_first():
    oracle, few = SampledLevels(best=1), Subsets(5, 2)
    for axis in np.eye(5):
        few.add(axis)
    for i, j in combinations(range(5), 2):
        w = oracle.fitted(HalfspaceTask(np.eye(5)[i] + np.eye(5)[j], Gaussian(5), rng=0), few, 0.1)
        assert np.flatnonzero(abs(w) > 1e-9).tolist() == [i, j]


def test_dense_combinations_are_held_to_their_own_accuracy():
    target = np.array([1.0, 1.0, np.sqrt(2) * np.tan(0.06 * np.pi)])  # error 0.06 in the span of two axes
    learner = TwoLevels(3, 0.1, tau=1)
    for axis in np.eye(3)[:2]:
        learner.grow("scratch", axis)
    task = HalfspaceTask(target, Gaussian(3), rng=0)
    assert learner.reuse(task) is None
    assert learner.learn(task)[0] == "scratch"


def test_features_that_almost_coincide_still_span_a_plane():
    learner = TwoLevels(3, 0.1, tau=2, oracle=ExactLevels())
    for row in ([1.0, 0.0, 0.0], [1.0, 1e-5, 0.0]):
        learner.grow("scratch", unit(np.array(row)))
    assert learner.reuse(HalfspaceTask([0.0, 1.0, 0.0], Gaussian(3))) is not None


def test_the_nearest_of_many_near_features_is_taken():
    learner = TwoLevels(3, 0.1, tau=1, oracle=ExactLevels())
    for off in (3e-9, 1e-9, 2e-9):  # squared cosines cannot tell these apart
        learner.grow("scratch", unit(np.array([1.0, off, 0.0])))
    learner.reuse(HalfspaceTask([1.0, 0.0, 0.0], Gaussian(3)))
    assert learner.oracle.best[-1] == pytest.approx(1e-9 / np.pi, rel=1e-3)


def test_bound_on_features():
    assert bounds.two_level_features(1, 0.5, 0.1) == 1
    assert bounds.two_level_features(2, 0.5, 0.0624 / 2) == 2
    for tau in (2, 3, 4, 6):
        assert bounds.two_level_features(tau, 0.1, 0.999 * 0.01 / (4 * tau)) == 2 * tau - 2
        assert bounds.two_level_features(tau, 0.1, 0.999 * 0.1**tau / (4 * tau)) == tau
        for epsilon in (0.2, 0.05, 1e-4):
            s, t = level_distances(epsilon, epsilon / (10 * tau))
            exchanged = tau + (tau - 1) * np.log(1 / s) / np.log(s / (4 * tau * t))
            assert bounds.two_level_features(tau, s, t) == np.floor(exchanged)
            assert limits.two_level_logarithmic(tau, epsilon) == pytest.approx(tau + (tau - 1) * np.log2(1 / epsilon))
            assert bounds.two_level_features(tau, s, t) <= limits.two_level_logarithmic(tau, epsilon)
    assert bounds.two_level_features(2, 0.1, 0.0125) == np.inf


def test_rates():
    rates = limits.two_level_rates([100, 200], 10, 10, 2, 1000, 0.1)
    assert rates["printed"][0].shape == (2,)
    assert all((a >= b).all() for a, b in zip(rates["printed"][:2], rates["repaired"][:2], strict=True))
    assert np.allclose(rates["printed"][2], 1000 * 2 * np.log(10) / 0.1)
    assert np.allclose(rates["repaired"][2], 1000 * 2 * np.log(20) / 0.1)
    _, _, sparse = limits.two_level_rates(1e4, 100, 1e8, 2, 1e10, 0.1)["printed"]
    assert sparse / 1e10 == pytest.approx(368.4, abs=0.05)
    with pytest.raises(ValueError, match="epsilon"):
        limits.two_level_rates(1, 1, 1, 1, 1, 0)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"n": 0}, "n"),
        ({"epsilon": 0.5}, "epsilon"),
        ({"tau": 0}, "tau"),
        ({"epsilon_acc_second": 0.0}, "epsilon_acc_second"),
        ({"epsilon_acc_first": 0.6}, "epsilon_acc_first"),
    ],
)
def test_bad_arguments(arguments, word):
    with pytest.raises(ValueError, match=f"^{word}:"):
        TwoLevels(**{"n": 5, "epsilon": 0.1, "tau": 2, **arguments})


def test_the_oracles_of_one_level_serve_two():
    targets = ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [2, 2, 2, 0.01], [1, 0, -1, 0])
    for oracle in (Exact(rng=0), Sampled()):
        tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(targets)]
        run = learn_stream(tasks, TwoLevels(4, 0.1, tau=2, oracle=oracle))
        assert run.how == ["scratch", "scratch", "scratch", "composed", "reused", "reused"]


def test_other_refusals():
    with pytest.raises(ValueError, match="direction"):
        ExactLevels("up")
    with pytest.raises(ValueError, match="labels"):
        ExactLevels(labels=4)
    with pytest.raises(ValueError, match="best"):
        SampledLevels(best=0)
    exact = TwoLevels(2, 0.1, tau=1, oracle=ExactLevels("common"))
    with pytest.raises(ValueError, match="rotation"):
        exact.reuse(HalfspaceTask([1, 0], Laplace(2)))
    with pytest.raises(ValueError, match="axis"):
        exact.learn(HalfspaceTask([0, 1], Gaussian(2)))
    with pytest.raises(ValueError, match="targets"):
        precise_levels([1.0, 0.0], 0.1, tau=1, second=0.01, first=0.001)


def test_the_bill_of_exact_answers_is_what_samples_draw():
    """The same decisions, from the same `Labels`: what is billed is what was counted."""
    sizes = Labels(fit=8, holdout=50, scratch=3)
    targets = ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [1, 0, -1, 0])
    runs = []
    for oracle in (SampledLevels(labels=sizes), ExactLevels(labels=sizes, rng=0)):
        tasks = [HalfspaceTask(w, Gaussian(4), rng=10 + i) for i, w in enumerate(targets)]
        runs.append(learn_stream(tasks, TwoLevels(4, 0.1, tau=2, oracle=oracle)))
    assert runs[0].how == runs[1].how == ["scratch", "scratch", "scratch", "composed", "reused"]
    assert runs[0].representation.oracle.bill == runs[1].representation.oracle.bill
    assert [step.labels for step in runs[0].steps] == [sum(x.values()) for x in runs[1].representation.oracle.bill]


def test_a_span_in_which_the_labels_tell_no_direction_is_refused():
    """Labels that cancel out in the span to the accuracy of the fit: no crash, the next attempt is made."""

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


def test_a_task_that_is_only_learned_has_a_bill():
    oracle = ExactLevels(rng=0)
    TwoLevels(3, 0.1, tau=1, oracle=oracle).learn(HalfspaceTask([1, 0, 0], Gaussian(3)))
    assert oracle.bill == [{"sparse": 0, "dense": 0, "scratch": Labels().afresh(3, 0.1 / 16)}]


RECORD = json.loads((Path(__file__).parents[1] / "records" / "algorithm2.json").read_text())


@pytest.mark.parametrize("name", RECORD)
def test_runs_are_as_recorded(name):
    kind, way, tau = name.split(", ")
    run, was = recorded(kind, way, int(tau)), RECORD[name]
    learner = run.representation
    assert "".join(how[0] for how in run.how) == was["how"]
    assert [step.labels for step in run.steps] == was["labels"]
    assert [list(paid.values()) for paid in learner.oracle.bill] == was["bill"]
    C = level_factors(run)[0]
    assert [np.flatnonzero(row).tolist() for row in C] == was["support"]
    # ten digits were kept; the last bits of a fit are those of the processor
    close = {"rtol": 1e-7, "atol": 1e-8}
    weights = np.arange(1, 1 + learner.features.shape[1])
    np.testing.assert_allclose([step.hypothesis @ weights for step in run.steps], was["hypotheses"], **close)
    np.testing.assert_allclose(C.sum(axis=1), was["coefficients"], **close)
    W, U = learner.features, learner.second
    np.testing.assert_allclose([W.sum(), abs(W).sum(), U.sum(), abs(U).sum()], was["levels"], **close)
    if kind == "exact":
        np.testing.assert_allclose(learner.oracle.best, was["best"], **close)


def recorded(kind, way, tau):
    """The stream of a name in the record, learned anew."""
    if kind == "exact":
        targets, _ = kinds_of_targets(12, k=4, r=6, tau=tau, m=30, rng=tau)
        return exact_levels(targets, 0.05, tau=tau, second=0.01, first=0.001, direction=way, rng=tau)
    planted = families.planted_two_levels(Gaussian(10), 3, 5, tau, 24, rng=tau)[2]
    tasks = [HalfspaceTask(task.target, task.distribution, rng=i) for i, task in enumerate(planted)]
    return learn_stream(tasks, TwoLevels(10, 0.1, tau=tau, oracle=SampledLevels(best=int(way))))


def test_the_records_show_what_the_chapter_says():
    record = json.loads((Path(__file__).parents[2] / "book" / "records" / "levels.json").read_text())
    for row in record["rows"]:
        assert row["worst_error"] <= row["epsilon"]
        assert row["labels"] == pytest.approx(row["sparse"] + row["dense"] + row["scratch"], rel=1e-3)


def test_mpmath_precision_is_left_alone():
    before = mp.dps
    crowded_openings("1e-6", tau=3, square="0.1")
    assert mp.dps == before
