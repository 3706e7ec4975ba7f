"""Algorithm 1 and its oracles: runs made again from the box, with samples and with exact answers."""

from __future__ import annotations

from functools import partial
from math import ceil, comb, log

import numpy as np
import pytest
import scipy.linalg

import lifelong.polynomials.oracles
from lifelong import angle_to_subspace, learn_stream
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle, orthonormal_rows
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.learners import NotSeparableError, logistic_halfspace
from lifelong.halfspaces.oracles import Exact, Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask, PoolTask, signs
from lifelong.laws import Gaussian, Laplace, isotropic_law
from lifelong_book.beyond.exactly_k.large_directions import LargeDirections, spectral_accuracy
from lifelong_book.halfspaces.levels.oracles import ExactLevels, SampledLevels
from lifelong_book.halfspaces.subspace.experiments import factors
from lifelong_book.halfspaces.subspace.instances import random_targets
from lifelong_book.halfspaces.subspace.learners import averaging_halfspace, hard_margin_halfspace
from lifelong_book.halfspaces.subspace.robust import NoisyTask, Robust

DIRECTIONS = ("random", "common", "fresh")


def task(target, law=Gaussian):
    return HalfspaceTask(target, law(len(target)), rng=0)


def never(X, y):
    raise NotSeparableError("y: no")


def by_the_box(tasks, eps, acc, learner, scratch, sizes, threshold):
    """Algorithm 1 once more: for each task how it was learned, and what it paid; and the features."""
    W, found = [], []
    for t in tasks:
        paid, reused = 0, False
        if W:
            basis = scipy.linalg.orth(np.transpose(W)).T
            paid = ceil(sizes.fit * len(basis) / eps)
            X, y = t.examples(paid)
            try:
                w = learner(X @ basis.T, y) @ basis
                X, y = t.examples(ceil(sizes.holdout / eps))
                paid, reused = paid + len(y), np.mean(signs(X, w) != y) <= threshold * eps
            except NotSeparableError:
                pass
        if not reused:
            size = ceil(sizes.scratch * t.n / acc)
            W.append(scratch(*t.examples(size)))
            paid += size
        found.append(("reused" if reused else "scratch", paid))
    return found, W


@pytest.mark.parametrize("law", ["gaussian", "exponential"])
@pytest.mark.parametrize(
    ("learner", "scratch", "sizes", "threshold"),
    [
        (logistic_halfspace, None, {}, 0.75),
        (logistic_halfspace, averaging_halfspace, {"fit": 3, "holdout": 7.01, "scratch": 1.5}, 1.0),
        (hard_margin_halfspace, logistic_halfspace, {"fit": 40.0}, 0.75),
        (never, logistic_halfspace, {}, 0.75),
    ],
)
def test_runs_from_samples_are_those_of_the_box(law, learner, scratch, sizes, threshold):
    for seed in range(2):
        first, again = (planted_halfspaces(isotropic_law(law, 8), 3, 10, rng=seed)[1] for _ in range(2))
        given = {} if scratch is None else {"scratch_learner": scratch}
        oracle = Sampled(learner, labels=Labels(**sizes), threshold=threshold, **given)
        run = learn_stream(first, SharedSubspace(8, 0.2, epsilon_acc=0.05 if seed else None, oracle=oracle))
        acc = 0.05 if seed else 0.2 / 5
        found, W = by_the_box(again, 0.2, acc, learner, scratch or learner, Labels(**sizes), threshold)
        assert [(step.how, step.labels) for step in run.steps] == found
        assert [t.counts.labels for t in first] == [paid for _, paid in found]
        np.testing.assert_allclose(run.representation.features, W, rtol=1e-12)
        hypotheses = np.array([step.hypothesis for step in run.steps])
        C, features = factors(run)
        np.testing.assert_allclose(C @ features, hypotheses, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(hypotheses, axis=1), 1)


@pytest.mark.parametrize(("wrong", "passes"), [(75, True), (76, False)])
def test_the_threshold_is_met_to_the_last_label(wrong, passes):
    """0.75 epsilon of 400 labels are 75 at epsilon = 1/4."""

    class Wrong(HalfspaceTask):
        def examples(self, size):
            X, y = super().examples(size)
            y[: wrong if size == 400 else 0] *= -1
            return X, y

    oracle = Sampled(labels=Labels(holdout=100))
    found = oracle.within(Wrong([1, 0, 0], Gaussian(3), rng=0), np.eye(3)[:1], 0.25)
    assert (found is not None) == passes


def test_one_dimension_is_enough():
    for learner in (SharedSubspace(1, 0.1), lifelong.TwoLevels(1, 0.1, tau=1)):
        assert learn_stream([task([-2.0]), task([1.0])], learner).how == ["scratch", "reused"]


def test_sizes_of_samples():
    labels = Labels(fit=3, holdout=7.01, scratch=1.5)
    assert labels.within(4, 0.1) == (120, 71) and labels.afresh(5, 0.16) == 47
    for features, tau in ((10, 2), (2, 5), (7, 3)):
        used = min(features, tau)
        assert Labels().sparse(features, tau, 0.1) == (ceil(4 * (used + log(comb(features, used))) / 0.1), 200)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("epsilon", "acc"), [(0.1, 0.02), (0.1, 0.09), (0.02, 0.019), (0.3, 0.0), (0.05, 1e-6)])
@pytest.mark.parametrize("spectral", [False, True])
def test_exact_runs_by_angles(direction, epsilon, acc, spectral):
    """Every decision again, from the features alone; all rows of the two matrices."""
    if spectral and not acc:
        return
    searched = LargeDirections(3, epsilon, epsilon_acc=acc) if spectral else orthonormal_rows
    learner = SharedSubspace(20, epsilon, epsilon_acc=acc, oracle=Exact(direction, rng=0), searched=searched)
    targets = random_targets(3, 20, 15, rng=np.random.default_rng(0))
    run = learn_stream([task(row) for row in targets], learner)
    C, W = factors(run)
    k = 0
    for target, step, best, row in zip(targets, run.steps, learner.oracle.best, C, strict=True):
        values, rows = np.linalg.eigh(W[:k].T @ W[:k])
        large = np.sin(np.pi * (epsilon - acc)) ** 2 / 4
        expected = angle_to_subspace(target, rows.T[values > large] if spectral else W[:k]) / np.pi
        assert best == pytest.approx(expected, abs=1e-9)
        assert step.how == ("reused" if best <= epsilon else "scratch")
        error = angle(step.hypothesis, target) / np.pi
        assert error == pytest.approx(best, abs=1e-9) if best <= epsilon else pytest.approx(acc, abs=1e-12) == error
        if best > epsilon:
            np.testing.assert_array_equal(row, np.eye(len(W))[k])
            k += 1
        assert not row[k:].any()  # nothing of later features
    np.testing.assert_allclose(C @ W, [step.hypothesis for step in run.steps], atol=1e-6 if spectral else 1e-9)
    assert k == len(W) and run.counts.labels == 0


def test_directions_are_what_they_say():
    tasks, errors = [task(row) for row in np.eye(5)[:2]], {}
    for direction in ("common", "fresh"):
        run = learn_stream(tasks, SharedSubspace(5, 0.1, epsilon_acc=0.05, oracle=Exact(direction)))
        errors[direction] = run.representation.features[:, 2:] / np.sin(0.05 * np.pi)
    np.testing.assert_allclose(errors["common"], [[0, 0, 1], [0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(errors["fresh"], [[0, 0, 1], [0, 1, 0]], atol=1e-12)
    a, b = (Exact(rng=seed).afresh(tasks[0], 0.05) for seed in (0, 1))
    assert not np.allclose(a, b)
    for lean in (1e-7, 1e-3, 0.3):  # only a target along the very axis of the errors leaves them no direction
        target = task([np.sin(lean), 0.0, np.cos(lean)])
        assert target.error(Exact("common").afresh(target, 0.05)) == pytest.approx(0.05, abs=1e-9)


def test_a_span_is_accepted_exactly_up_to_the_error_and_an_orthogonal_one_is_as_good_as_a_coin():
    target, oracle = task([3.0, 1.0, 0.0]), Exact()
    oracle.within(target, np.eye(3)[:1], 0.4)
    (error,) = oracle.best
    assert error == pytest.approx(np.arctan(1 / 3) / np.pi)
    assert oracle.within(target, np.eye(3)[:1], error) is not None
    assert oracle.within(target, np.eye(3)[:1], np.nextafter(error, 0)) is None
    for basis in (np.empty((0, 3)), np.eye(3)[2:], np.zeros((1, 3))):
        assert oracle.within(target, basis, 0.4) is None and oracle.best[-1] == 0.5


def test_coefficients_use_no_feature_that_came_later():
    class Nervous(Exact):
        def within(self, task, basis, error):
            found = super().within(task, basis, error)
            return None if len(self.best) == 3 else found

    tasks = [HalfspaceTask([1.0, 0, 0], Gaussian(3)) for _ in range(4)]
    run = learn_stream(tasks, SharedSubspace(3, 0.1, epsilon_acc=0.0, oracle=Nervous()))
    assert run.how == ["scratch", "reused", "scratch", "reused"]
    np.testing.assert_allclose(factors(run)[0][:3], [[1, 0], [1, 0], [0, 1]], atol=1e-12)


@pytest.mark.parametrize(("share", "rows"), [(0.99, 1), (1.01, 2)])
def test_directions_are_searched_from_the_eigenvalue_on(share, rows):
    large = LargeDirections(2, 0.1, epsilon_acc=0.01)
    assert large.eigenvalue == pytest.approx(np.sin(0.09 * np.pi) ** 2 / 4)
    span = large(np.diag([1.0, np.sqrt(share * large.eigenvalue), 0.0, 0.0]))
    np.testing.assert_allclose(np.abs(span), np.eye(4)[:rows], atol=1e-12)
    assert LargeDirections(3, 0.1).epsilon_acc == spectral_accuracy(3, 0.1)


def test_the_span_is_found_once_for_each_feature():
    seen = []

    def searched(features):
        seen.append(len(features))
        return orthonormal_rows(features)

    targets = np.random.default_rng(0).standard_normal((12, 3)) @ np.eye(3, 6)
    learner = SharedSubspace(6, 0.1, oracle=Exact(rng=0), searched=searched)
    run = learn_stream([task(w) for w in targets], learner)
    assert seen == [*range(run.scratch + 1)]
    with pytest.raises(ValueError, match="read-only"):
        learner.features[0, 0] = 1.0


def test_rows_that_are_searched_are_orthonormal_or_zero():
    learner = SharedSubspace(3, 0.1, searched=lambda features: features)
    learner.grow("scratch", np.array([1.0, 0, 0]))
    with pytest.raises(ValueError, match=r"^searched: expected orthonormal or zero rows, got "):
        learner.grow("scratch", np.array([0.6, 0.8, 0]))


@pytest.mark.parametrize("zeros", [0, 2])
def test_a_target_in_the_span_is_found_by_every_oracle(zeros):
    """In the plane of the first two axes, turned and with rows of zeros, which cost nothing."""
    rows = np.vstack([np.array([[0.6, 0.8, 0.0], [0.8, -0.6, 0.0]]), np.zeros((zeros, 3))])
    inside, outside = [0.3, 0.8, 0.0], [0.3, 0.1, 1.0]
    for make in (Exact, ExactLevels, Sampled, SampledLevels, lambda: Robust(margin=0.0)):
        assert task(inside).error(make().within(task(inside), rows, 0.1)) < 0.1 + 1e-9
        assert make().within(task(outside), rows, 0.1) is None
    exact, levels = Exact(), ExactLevels()
    exact.within(task(outside), rows, 0.1)
    assert exact.best[0] == pytest.approx(angle_to_subspace(outside, np.eye(3)[:2]) / np.pi, abs=1e-9)
    levels.within(task(inside), rows, 0.1)
    assert levels.bill[0]["dense"] == sum(Labels().within(2, 0.1))


@pytest.mark.parametrize("rows", [np.zeros((2, 3)), np.empty((0, 3))])
def test_rows_of_zeros_hold_nothing_and_cost_nothing(rows):
    t = task([1.0, 0, 0])
    for oracle in (Sampled(), SampledLevels(), Robust(noise=0.1), Robust(margin=0.1)):
        assert oracle.within(t, rows, 0.1) is None
    assert SharedSubspace(3, 0.1).reuse(t) is None and t.counts.labels == 0


def test_the_rival_is_learned_to_a_fifth_or_as_it_is_told():
    for rival, paid in ((None, 90), (0.1, 18)):
        t = NoisyTask([1, 0, 0], Gaussian(3), 0.4, rng=0)
        Robust(margin=1.0, rival=rival).within(t, np.eye(3)[:1], 0.1)
        assert t.counts.labels == 40 + 200 + paid + 200


def test_what_beat_a_span_is_the_answer_afresh_and_forgotten_with_its_task():
    oracle, second = Robust(margin=0.0), task([0, 1.0, 0])
    for learner, basis in ((oracle.learner, np.empty((0, 3))), (never, np.eye(3)[2:])):
        first = task([1.0, 0, 0])
        oracle.learner = logistic_halfspace
        for again in range(2):
            assert oracle.within(first, np.eye(3)[1:2], 0.1) is None
            before = first.counts.labels
            if not again:
                assert oracle.afresh(first, 0.02) @ first.target > 0.95
                assert first.counts.labels == before
        oracle.learner = learner  # there is a winner; the next span is empty or unfit
        assert oracle.within(second, basis, 0.1) is None
        before = second.counts.labels
        assert oracle.afresh(second, 0.02) @ second.target > 0.95
        assert second.counts.labels - before == Labels().afresh(3, 0.02)


REFUSED = [
    *(("n", partial(SharedSubspace, bad, 0.1)) for bad in (0, 2.5, True, None)),
    *(("epsilon", partial(SharedSubspace, 3, bad)) for bad in (0, 0.5, np.nan, "0.1", True, None)),
    *(("epsilon_acc", partial(SharedSubspace, 3, 0.1, epsilon_acc=bad)) for bad in (0.5, -0.1, np.nan, "0.1")),
    ("epsilon_acc", lambda: SharedSubspace(3, 0.1, epsilon_acc=0.0).learn(task([1, 0, 0]))),  # from samples
    ("searched", partial(SharedSubspace, 3, 0.1, searched=3)),
    ("oracle", partial(SharedSubspace, 3, 0.1, oracle="exact")),
    ("oracle", partial(SharedSubspace, 3, 0.1, oracle=Exact)),
    ("oracle", partial(SharedSubspace, 3, 0.1, oracle=lifelong.polynomials.oracles.Gradient())),
    ("tasks", lambda: learn_stream([ConjunctionTask([True, False, True])], SharedSubspace(3, 0.1))),
    ("k", partial(LargeDirections, 0, 0.1)),
    *(("epsilon_acc", partial(LargeDirections, 2, 0.1, epsilon_acc=bad)) for bad in (0.0, 0.1)),
    *(("epsilon", partial(LargeDirections, 2, bad, epsilon_acc=0.1)) for bad in (0.0, 0.5)),
    ("y: no", partial(Sampled(never).afresh, task([1, 0]), 0.1)),
    *((name, partial(Labels, **{name: bad})) for name in ("fit", "holdout", "scratch") for bad in (0, np.inf, "2")),
    *(("threshold", partial(Sampled, threshold=bad)) for bad in (0, 1.5, np.nan, "2", True)),
    *((name, partial(Sampled, **{name: "logistic"})) for name in ("learner", "scratch_learner", "labels")),
    *(("direction", partial(Exact, bad)) for bad in ("up", np.zeros(3))),
    *(("task", partial(method, task([1.0, 0], Laplace), 0.1)) for method in (Exact().afresh,)),
    ("task", lambda: Exact().within(task([1.0, 0], Laplace), np.eye(2), 0.1)),
    ("task", partial(Exact("common").afresh, task([0, 0, 1.0]), 0.1)),
    ("tasks", lambda: learn_stream([PoolTask(np.eye(2), [1, -1])], SharedSubspace(2, 0.1, oracle=Exact()))),
    ("task", partial(lambda fresh: [fresh.afresh(task([1.0, 1.0]), 0.01) for _ in range(3)], Exact("fresh"))),
]


@pytest.mark.parametrize(("word", "call"), REFUSED)
def test_bad_input(word, call):
    with pytest.raises((ValueError, TypeError), match=rf"^{word}"):
        call()
