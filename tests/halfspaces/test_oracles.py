"""The oracles of Section 3, and runs of Algorithm 1 with them that are the same as ever.

`tests/records/algorithm1.json` holds what five classes gave before there were oracles: `Subspace`, `ExactSubspace`,
`SpectralSubspace`, `ExactSpectralSubspace` and `RobustSubspace`, run on the streams `CASES` at the commit "Oracles of
Section 3", which has them beside `SharedSubspace` and compares both bit by bit. How each task was learned and what it
paid are exact; features and best errors are rounded to ten significant digits.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from lifelong import learn_stream
from lifelong.halfspaces.algorithm1 import LargeDirections, SharedSubspace, factors
from lifelong.halfspaces.angles import angle, orthonormal
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.learners import NotSeparableError
from lifelong.halfspaces.oracles import Exact, Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian, Laplace, isotropic_law
from lifelong_book.halfspaces.levels.oracles import ExactLevels, SampledLevels
from lifelong_book.halfspaces.subspace.experiments import random_targets
from lifelong_book.halfspaces.subspace.learners import LEARNERS
from lifelong_book.halfspaces.subspace.robust import NoisyTask, Robust
from lifelong_book.preliminaries.digits import digits

DIRECTIONS = ("random", "common", "fresh")


def task(target, law=Gaussian):
    return HalfspaceTask(target, law(len(target)), rng=0)


# --- the runs that are recorded ---------------------------------------------------------------------

N, K, M = 8, 3, 12
LAWS = ("gaussian", "ball", "cube", "laplace", "logistic", "exponential")
SIZES = {"fit": 3.0, "holdout": 7.01, "scratch": 1.5}
MANY = {"fit": 20.0, "holdout": 100.0, "scratch": 6.0}


def stream(law, seed, noise=0.0):
    tasks = planted_halfspaces(law, K, M, rng=seed)[1]
    if not noise:
        return tasks
    return [NoisyTask(task.target, law, noise, rng=100 * seed + i) for i, task in enumerate(tasks)]


def leaning(seed):
    """Targets on the first axes, which leave the last ones to the errors."""
    rows = np.zeros((M, N))
    rows[:, :K] = np.random.default_rng(seed).standard_normal((M, K))
    return [HalfspaceTask(row, Gaussian(N)) for row in rows]


def sampled(law, seed, *, learner="logistic", scratch_learner=None, sizes=None, threshold=0.75):
    second = LEARNERS[scratch_learner or learner]
    oracle = Sampled(LEARNERS[learner], scratch_learner=second, labels=Labels(**(sizes or {})), threshold=threshold)
    return stream(isotropic_law(law, N), seed), SharedSubspace(N, 0.2, oracle=oracle)


def exact(direction, seed, epsilon, accuracy):
    return leaning(seed), SharedSubspace(N, epsilon, epsilon_acc=accuracy, oracle=Exact(direction, rng=seed))


def exact_spectral(direction, seed, epsilon, accuracy):
    large, oracle = LargeDirections(K, epsilon, epsilon_acc=accuracy), Exact(direction, rng=seed)
    return leaning(seed), SharedSubspace(N, epsilon, epsilon_acc=large.epsilon_acc, oracle=oracle, searched=large)


def spectral(law, seed, accuracy=None):
    large = LargeDirections(K, 0.1, epsilon_acc=accuracy)
    learner = SharedSubspace(N, 0.2, epsilon_acc=large.epsilon_acc, searched=large)
    return stream(isotropic_law(law, N), seed), learner


def robust(seed, *, noise=0.0, margin=None, learner="logistic", sizes=MANY):
    oracle = Robust(LEARNERS[learner], noise=noise, margin=margin, labels=Labels(**sizes))
    return stream(Gaussian(N), seed, 0.15), SharedSubspace(N, 0.2, oracle=oracle)


CASES = {
    **{f"sampled, {law}, {s}": partial(sampled, law, s) for law in LAWS for s in range(3)},
    **{
        f"sampled, {name} fails, {s}": partial(
            sampled, "laplace", s, learner=name, scratch_learner="logistic", sizes={"fit": 40.0}
        )
        for name in ("hard margin", "linear programme", "perceptron")
        for s in range(2)
    },
    **{
        f"sampled, {name}, {s}": partial(sampled, "gaussian", s, learner=name)
        for name in ("averaging",)
        for s in (0, 1)
    },
    **{f"other sizes, {s}": partial(sampled, "gaussian", s, sizes=SIZES, threshold=1.0) for s in range(3)},
    **{
        f"exact, {d}, {s}": partial(exact, d, s, epsilon, accuracy)
        for d in DIRECTIONS
        for s, (epsilon, accuracy) in enumerate(((0.1, 0.02), (0.1, 0.09), (0.02, 0.019), (0.3, 0.0), (0.05, 1e-6)))
    },
    **{
        f"exact spectral, {d}, {s}": partial(exact_spectral, d, s, epsilon, accuracy)
        for d in DIRECTIONS
        for s, (epsilon, accuracy) in enumerate(((0.1, None), (0.1, 0.05), (0.02, 0.019)))
    },
    **{f"spectral, {law}, {s}": partial(spectral, law, s) for law in ("gaussian", "laplace") for s in range(2)},
    **{f"spectral, coarse, {s}": partial(spectral, "gaussian", s, 0.09) for s in range(2)},
    **{f"noise, {s}": partial(robust, s, noise=0.15) for s in range(4)},
    **{f"margin, {s}": partial(robust, s, margin=0.05, sizes={}) for s in range(5)},
    **{f"noise and margin, {s}": partial(robust, s, noise=0.05, margin=0.1) for s in range(2)},
    "neither": partial(robust, 0),
}


RECORD = json.loads((Path(__file__).parents[1] / "records" / "algorithm1.json").read_text())


@pytest.mark.parametrize("name", RECORD)
def test_runs_are_as_recorded(name):
    tasks, learner = CASES[name]()
    run, was = learn_stream(tasks, learner), RECORD[name]
    assert "".join(how[0] for how in run.how) == was["how"]
    assert [step.labels for step in run.steps] == was["labels"]
    # ten digits were kept; the last bits of a fit are those of the processor
    np.testing.assert_allclose(learner.features, was["features"], rtol=1e-7, atol=1e-8)
    if "best" in was:
        np.testing.assert_allclose(learner.oracle.best, was["best"], rtol=1e-7, atol=1e-8)


# --- labels -----------------------------------------------------------------------------------------


def test_labels_are_rounded_up():
    labels = Labels(fit=3, holdout=7.01, scratch=1.5)
    assert labels.within(4, 0.1) == (120, 71)
    assert labels.afresh(5, 0.16) == 47
    assert labels.within(0, 0.1) == (0, 71)


def test_the_choice_among_the_subsets_counts_by_its_logarithm():
    fit = 4 * (2 + np.log(45)) / 0.1
    assert Labels().sparse(10, 2, 0.1) == (int(np.ceil(fit)), 200)
    assert Labels().sparse(2, 5, 0.1) == Labels().within(2, 0.1)  # there is one choice


@pytest.mark.parametrize("name", ["fit", "holdout", "scratch"])
@pytest.mark.parametrize("bad", [0, -1, np.nan, np.inf, "2", True])
def test_bad_sizes(name, bad):
    with pytest.raises(ValueError, match=rf"^{name}: expected .*, got .+"):
        Labels(**{name: bad})


# --- from samples -----------------------------------------------------------------------------------


def test_a_span_without_rows_holds_nothing_and_costs_nothing():
    for oracle in (Sampled(), Robust(noise=0.1), Robust(margin=0.1)):
        t = task([1, 0])
        assert oracle.within(t, np.empty((0, 2)), 0.1) is None
        assert t.counts.labels == 0


def test_the_threshold_is_in_the_unit_interval():
    for bad in (0, -1, 1.5, np.nan, "2", True):
        with pytest.raises(ValueError, match=r"^threshold: expected .*, got .+"):
            Sampled(threshold=bad)


@pytest.mark.parametrize("name", ["learner", "scratch_learner"])
def test_bad_learners(name):
    with pytest.raises(ValueError, match=rf"^{name}: expected a callable .*, got 'logistic'"):
        Sampled(**{name: "logistic"})


def test_bad_labels():
    with pytest.raises(ValueError, match=r"^labels: expected a Labels, got 4"):
        Sampled(labels=4)


@pytest.mark.parametrize(
    ("arguments", "name"), [({"noise": 0.5}, "noise"), ({"margin": -1.0}, "margin"), ({"rival": 0.0}, "rival")]
)
def test_robust_refuses(arguments, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected"):
        Robust(**arguments)


def test_the_rival_is_learned_to_a_fifth_or_as_it_is_told():
    for rival, paid in ((None, 90), (0.1, 18)):
        t = NoisyTask([1, 0, 0], Gaussian(3), 0.4, rng=0)
        Robust(margin=1.0, rival=rival).within(t, np.eye(3)[:1], 0.1)
        assert t.counts.labels == 40 + 200 + paid + 200


def test_what_beat_the_span_is_the_answer_afresh():
    oracle, t = Robust(margin=0.05), task([1, 0, 0])
    assert oracle.within(t, np.eye(3)[1:2], 0.1) is None
    before = t.counts.labels
    assert oracle.afresh(t, 0.02) @ t.target > 0.95
    assert t.counts.labels == before


# --- exactly ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("accuracy", [0.0, 1e-6, 0.01, 0.3])
def test_from_scratch_the_error_is_exact(direction, accuracy):
    t = task([1.0, 2.0, 0, 0, 0, 0])
    w = Exact(direction, rng=0).afresh(t, accuracy)
    assert np.linalg.norm(w) == pytest.approx(1)
    assert t.error(w) == pytest.approx(accuracy, abs=1e-12)
    assert t.counts.labels == 0


def test_directions_are_what_they_say():
    tasks = [task(row) for row in np.eye(5)[:2]]
    errors = {}
    for direction in ("common", "fresh"):
        run = learn_stream(tasks, SharedSubspace(5, 0.1, epsilon_acc=0.05, oracle=Exact(direction)))
        errors[direction] = run.representation.features[:, 2:] / np.sin(0.05 * np.pi)
    np.testing.assert_allclose(errors["common"], [[0, 0, 1], [0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(errors["fresh"], [[0, 0, 1], [0, 1, 0]], atol=1e-12)
    a, b = (Exact(rng=seed).afresh(tasks[0], 0.05) for seed in (0, 1))
    assert not np.allclose(a, b)


def test_a_span_is_accepted_exactly_up_to_the_error():
    for factor, accepted in ((1 - 1e-9, True), (1 + 1e-9, False)):
        oracle, turn = Exact(), np.pi * 0.1 * factor
        found = oracle.within(task([np.cos(turn), np.sin(turn), 0]), np.eye(3)[:1], 0.1)
        assert (found is not None) == accepted
        assert oracle.best == pytest.approx([0.1 * factor])


def test_an_error_of_exactly_what_is_allowed_is_accepted():
    target, oracle = task([3.0, 1.0, 0.0]), Exact()
    oracle.within(target, np.eye(3)[:1], 0.4)
    (error,) = oracle.best
    assert oracle.within(target, np.eye(3)[:1], error) is not None
    assert oracle.within(target, np.eye(3)[:1], np.nextafter(error, 0)) is None


def test_a_span_orthogonal_to_the_target_is_as_good_as_a_coin():
    oracle = Exact()
    for basis in (np.empty((0, 3)), np.eye(3)[1:], np.zeros((1, 3))):
        assert oracle.within(task([1.0, 0, 0]), basis, 0.4) is None
    assert oracle.best == [0.5] * 3


@pytest.mark.parametrize("lean", [1e-7, 1e-3, 0.3])
def test_an_error_may_point_where_the_target_nearly_does(lean):
    """Only a target along the very axis of the errors leaves them no direction."""
    target = task([np.sin(lean), 0.0, np.cos(lean)])
    assert target.error(Exact("common").afresh(target, 0.05)) == pytest.approx(0.05, abs=1e-9)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_matrices_hold_the_predictors(direction):
    tasks = [task(row) for row in random_targets(4, 40, 60, rng=np.random.default_rng(0))]
    run = learn_stream(tasks, SharedSubspace(40, 0.05, epsilon_acc=0.01, oracle=Exact(direction, rng=0)))
    C, W = factors(run)
    assert C.shape == (60, run.scratch)
    assert W is run.representation.features
    np.testing.assert_allclose(C @ W, [s.hypothesis for s in run.steps], atol=1e-9)
    assert (angle(C @ W, [t.target for t in tasks]) / np.pi).max() <= 0.05
    openings = [i for i, how in enumerate(run.how) if how == "scratch"]
    np.testing.assert_array_equal(C[openings], np.eye(run.scratch))
    for i, row in enumerate(C):  # nothing of later features
        assert not row[sum(j <= i for j in openings) :].any()


def test_memory_is_features_and_numbers():
    learner = SharedSubspace(5, 0.1, epsilon_acc=0.01, oracle=Exact("common"))
    learn_stream([task(row) for row in np.eye(5)[:3]], learner)
    kept = {key for thing in (learner, learner.oracle) for key, x in vars(thing).items() if isinstance(x, np.ndarray)}
    assert kept == {"_W", "span", "_rows", "_basis"}  # of one space: the vectors, and an orthonormal basis
    assert learner.features.shape == (3, 5)


def test_exact_refuses():
    with pytest.raises(ValueError, match=r"^direction: expected 'random', 'common' or 'fresh', got 'up'"):
        Exact("up")
    learner = SharedSubspace(3, 0.1, oracle=Exact("common"))
    for method in (learner.reuse, learner.learn):
        with pytest.raises(ValueError, match="rotation-invariant law, got Laplace"):
            method(task([1.0, 0, 0], Laplace))
    with pytest.raises(ValueError, match="away from the axis"):
        learner.learn(task([0, 0, 1.0]))
    with pytest.raises(TypeError, match=r"^task: expected a HalfspaceTask, whose target can be read, got PoolTask"):
        Exact().within(digits(features=0).task([1] * 5 + [-1] * 5), np.eye(65), 0.1)
    fresh = Exact("fresh")
    for _ in range(2):
        fresh.afresh(task([1.0, 1.0]), 0.01)
    with pytest.raises(ValueError, match="at most 2 features"):
        fresh.afresh(task([1.0, 1.0]), 0.01)


# --- rows that span, whatever their lengths and angles ----------------------------------------------


SLANTED = {
    "long": 1e5 * np.eye(3)[:2],
    "short": 1e-200 * np.eye(3)[:2],
    "oblique": np.array([[1.0, 0, 0], [1.0, 1e-3, 0]]),
    "dependent": np.array([[1.0, 1, 0], [1.0, -1, 0], [3.0, 0.5, 0]]),
    "huge": 1e200 * np.array([[1.0, 1, 0], [1.0, -2, 0]]),
}


@pytest.mark.parametrize("rows", SLANTED.values(), ids=SLANTED)
def test_a_target_in_the_span_is_found_whatever_the_rows(rows):
    """The plane of the first two axes, by other rows: the same answers as by the axes."""
    inside, outside = [0.3, 0.8, 0.0], [0.3, 0.1, 1.0]
    for make in (Exact, ExactLevels, Sampled, SampledLevels, lambda: Robust(margin=0.0)):
        assert task(inside).error(make().within(task(inside), rows, 0.1)) < 0.1 + 1e-9
        assert make().within(task(outside), rows, 0.1) is None
    exact = Exact()
    for basis in (np.eye(3)[:2], rows):
        exact.within(task(outside), basis, 0.1)
    assert exact.best[0] == pytest.approx(exact.best[1], abs=1e-9)
    levels = ExactLevels()
    levels.within(task(inside), rows, 0.1)
    assert levels.bill[0]["dense"] == sum(Labels().within(2, 0.1))  # by the rank, not by the rows


def test_orthonormal_rows_are_used_as_they_are():
    for rows in (np.eye(3)[:2], np.vstack([np.eye(3)[2], np.zeros((2, 3))]), np.empty((0, 3))):
        assert orthonormal(rows) is rows


def test_rows_of_zeros_hold_nothing_and_cost_nothing():
    t = task([1.0, 0, 0])
    for oracle in (Sampled(), SampledLevels(), Robust(noise=0.1)):
        assert oracle.within(t, np.zeros((2, 3)), 0.1) is None
    assert t.counts.labels == 0


def test_what_beat_a_span_is_forgotten_with_its_task():
    """After a refusal the rival is the answer afresh; the next task, with an empty or unfit span, has its own."""

    def unfit(X, y):
        raise NotSeparableError("y: expected other labels, got these")

    oracle = Robust(margin=0.0)
    first, second = task([1.0, 0, 0]), task([0, 1.0, 0])
    assert oracle.within(first, np.eye(3)[1:2], 0.1) is None
    assert oracle.afresh(first, 0.02) @ first.target > 0.95
    for learner, basis in ((oracle.learner, np.empty((0, 3))), (unfit, np.eye(3)[2:])):
        oracle.within(first, np.eye(3)[1:2], 0.1)  # there is a winner again
        oracle.learner = learner
        assert oracle.within(second, basis, 0.1) is None
        before = second.counts.labels
        assert oracle.afresh(second, 0.02) @ second.target > 0.95
        assert second.counts.labels - before == Labels().afresh(3, 0.02)
