"""Algorithm 1 on planted tasks, and the single-task learner."""

from __future__ import annotations

import numpy as np
import pytest

import lifelong.polynomials.oracles
from lifelong import angle_to_subspace, learn_stream, subspace_angle
from lifelong.halfspaces import bounds
from lifelong.halfspaces.algorithm1 import LargeDirections, SharedSubspace, factors
from lifelong.halfspaces.angles import orthonormal_rows
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.learners import NotSeparableError, logistic_halfspace
from lifelong.halfspaces.oracles import Exact, Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian, Laplace
from lifelong_book.halfspaces.subspace.learners import LEARNERS, averaging_halfspace

EPSILON = 0.15


@pytest.fixture(scope="module", params=range(2))
def planted(request):
    W, tasks = planted_halfspaces(Gaussian(60), 3, 25, rng=request.param)
    return W, tasks, learn_stream(tasks, SharedSubspace(60, EPSILON))


def test_errors_on_planted_tasks(planted):
    """A hypothesis of error 2 eps passes 200 holdout labels at 0.75 eps with probability below 1e-8."""
    _, tasks, run = planted
    errors = np.array([task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)])
    assert errors.max() <= 2 * EPSILON
    assert np.mean(errors <= EPSILON) >= 0.8
    from_scratch = errors[[how == "scratch" for how in run.how]]
    assert from_scratch.max() <= 2 * run.representation.epsilon_acc


def test_few_tasks_are_learned_from_scratch(planted):
    W, _, run = planted
    assert 1 <= run.scratch <= 8
    assert run.how[0] == "scratch"
    assert run.representation.features.shape == (run.scratch, 60)
    scratch = [step.hypothesis for step in run.steps if step.how == "scratch"]
    np.testing.assert_array_equal(run.representation.features, scratch)
    # each feature is near the common subspace: error eps_acc is the angle pi eps_acc
    assert angle_to_subspace(run.representation.features, W).max() <= 2 * np.pi * run.representation.epsilon_acc


def test_reused_hypotheses_lie_in_the_span_of_the_features(planted):
    _, _, run = planted
    for step in run.steps:
        assert subspace_angle(step.hypothesis[None], run.representation.features) < 1e-6
        assert np.linalg.norm(step.hypothesis) == pytest.approx(1)


def test_labels_are_those_of_the_recipe(planted):
    _, tasks, run = planted
    features = 0
    for task, step in zip(tasks, run.steps, strict=True):
        attempt = int(np.ceil(4 * features / EPSILON)) + int(np.ceil(20 / EPSILON)) if features else 0
        learned = int(np.ceil(0.6 * 60 / (EPSILON / 5))) if step.how == "scratch" else 0
        assert step.labels == task.counts.labels == attempt + learned
        features += step.how == "scratch"
    cheapest = min(step.labels for step in run.steps if step.how == "reused")
    assert cheapest < 0.6 * 60 / (EPSILON / 5) / 4  # the point of reuse


def test_labels_equal_an_independent_count():
    given = []

    class Audited:
        def __init__(self, task):
            self.task = task

        def __getattr__(self, name):
            return getattr(self.task, name)

        def examples(self, size):
            X, y = self.task.examples(size)
            given[-1] += len(y)
            return X, y

    def audited(tasks):
        for task in tasks:
            given.append(0)
            yield Audited(task)

    _, tasks = planted_halfspaces(Laplace(10), 2, 8, rng=0)
    run = learn_stream(audited(tasks), SharedSubspace(10, 0.2))
    assert [step.labels for step in run.steps] == given


def test_the_same_seeds_give_the_same_run():
    runs = [learn_stream(planted_halfspaces(Gaussian(8), 2, 6, rng=1)[1], SharedSubspace(8, 0.2)) for _ in range(2)]
    assert runs[0].how == runs[1].how
    np.testing.assert_array_equal(runs[0].representation.features, runs[1].representation.features)


def test_epsilon_acc_is_a_fifth_unless_given():
    assert SharedSubspace(3, 0.1).epsilon_acc == pytest.approx(0.02)
    assert SharedSubspace(3, 0.1, epsilon_acc=0.05).epsilon_acc == 0.05
    assert SharedSubspace(3, 0.1).features.shape == (0, 3)
    task = HalfspaceTask([1, 0, 0], Gaussian(3), rng=0)
    SharedSubspace(3, 0.1, epsilon_acc=0.05).learn(task)
    assert task.counts.labels == 36


def test_nothing_to_reuse_costs_nothing():
    task = HalfspaceTask([1, 0], Gaussian(2), rng=0)
    assert SharedSubspace(2, 0.1).reuse(task) is None
    assert task.counts.labels == 0


def test_features_that_do_not_help_are_not_reused():
    representation = SharedSubspace(3, 0.1)
    representation.grow("scratch", np.array([1.0, 0.0, 0.0]))
    assert representation.reuse(HalfspaceTask([0, 1, 0], Gaussian(3), rng=0)) is None
    assert representation.reuse(HalfspaceTask([-1, 0, 0], Gaussian(3), rng=0)) is not None


# --- other learners, other constants ----------------------------------------------------------------


@pytest.mark.parametrize("name", LEARNERS)
def test_labels_equal_an_independent_count_with_every_learner(name):
    given = []

    class Audited(HalfspaceTask):
        def examples(self, size):
            X, y = super().examples(size)
            given.append(len(y))
            return X, y

    rng = np.random.default_rng(0)
    tasks = [Audited([*rng.standard_normal(2), 0, 0], Gaussian(4), rng=i) for i in range(5)]
    for learners in ({"scratch_learner": LEARNERS[name]}, {"learner": LEARNERS[name]}):
        given.clear()
        before = sum(task.counts.labels for task in tasks)
        run = learn_stream(tasks, SharedSubspace(4, 0.2, oracle=Sampled(**learners)))
        assert run.counts.labels == sum(given) == sum(task.counts.labels for task in tasks) - before


def test_scratch_is_learned_with_the_learner_of_the_span_unless_given():
    seen = []

    def noted(name):
        def learner(X, y):
            seen.append((name, X.shape))
            return logistic_halfspace(X, y)

        return learner

    tasks = [HalfspaceTask(w, Gaussian(3), rng=0) for w in ([1, 0, 0], [1, 0.01, 0])]
    learn_stream(tasks, SharedSubspace(3, 0.1, oracle=Sampled(noted("span"), scratch_learner=noted("scratch"))))
    assert seen == [("scratch", (90, 3)), ("span", (40, 1))]
    seen.clear()
    learn_stream(tasks, SharedSubspace(3, 0.1, oracle=Sampled(noted("both"))))
    assert [name for name, _ in seen] == ["both", "both"]


def test_a_learner_that_must_be_consistent_refuses_the_span():
    def never(X, y):
        raise NotSeparableError("y: no")

    representation = SharedSubspace(3, 0.1, oracle=Sampled(never, scratch_learner=logistic_halfspace))
    representation.grow("scratch", np.array([1.0, 0.0, 0.0]))
    task = HalfspaceTask([1, 0, 0], Gaussian(3), rng=0)
    assert representation.reuse(task) is None
    assert task.counts.labels == 40  # no holdout is drawn for a hypothesis that does not exist
    with pytest.raises(NotSeparableError):
        SharedSubspace(3, 0.1, oracle=Sampled(never)).learn(task)


def test_the_constants_are_what_they_say():
    oracle = Sampled(averaging_halfspace, labels=Labels(fit=3, holdout=7.01, scratch=1.5))
    representation = SharedSubspace(4, 0.1, epsilon_acc=0.05, oracle=oracle)
    task = HalfspaceTask([1, 0, 0, 0], Gaussian(4), rng=0)
    representation.grow(*representation.learn(task))
    assert task.counts.labels == 120
    representation.reuse(task)
    assert task.counts.labels == 120 + 30 + 71


def test_the_threshold_decides():
    """In the span of (4, 3, 0, 0)/5 the best error for e1 is about 0.2, between 0.15 and 0.25."""
    for threshold, passes in ((0.6, False), (1.0, True)):
        representation = SharedSubspace(4, 0.25, oracle=Sampled(threshold=threshold, labels=Labels(holdout=2000)))
        representation.grow("scratch", np.array([0.8, 0.6, 0.0, 0.0]))
        found = representation.reuse(HalfspaceTask([1, 0, 0, 0], Gaussian(4), rng=0))
        assert (found is not None) == passes


@pytest.mark.parametrize(("wrong", "passes"), [(75, True), (76, False)])
def test_the_threshold_is_met_to_the_last_label(wrong, passes):
    """0.75 epsilon of 400 labels are 75 at epsilon = 1/4."""

    class Counted(HalfspaceTask):
        calls = 0

        def examples(self, size):
            X, y = super().examples(size)
            self.calls += 1
            if self.calls == 2:
                assert len(y) == 400
                y[:wrong] *= -1
            return X, y

    representation = SharedSubspace(3, 0.25, oracle=Sampled(labels=Labels(holdout=100)))
    representation.grow("scratch", np.array([1.0, 0.0, 0.0]))
    assert (representation.reuse(Counted([1, 0, 0], Gaussian(3), rng=0)) is not None) == passes


def test_the_holdout_is_drawn_anew():
    """A task that lies after the fit is found out, however well the fit went."""

    class Turncoat(HalfspaceTask):
        calls = 0

        def examples(self, size):
            X, y = super().examples(size)
            self.calls += 1
            return X, -y if self.calls == 2 else y

    representation = SharedSubspace(3, 0.1)
    representation.grow("scratch", np.array([1.0, 0.0, 0.0]))
    assert representation.reuse(Turncoat([1, 0, 0], Gaussian(3), rng=0)) is None
    assert representation.reuse(HalfspaceTask([1, 0, 0], Gaussian(3), rng=0)) is not None


# --- bad input --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "3", None])
def test_bad_dimension(bad):
    with pytest.raises(ValueError, match=r"^n: expected .*, got .+"):
        SharedSubspace(bad, 0.1)


@pytest.mark.parametrize("bad", [0, 0.5, -0.1, 1, np.nan, np.inf, "0.1", True, 0.1j, [0.1]], ids=repr)
def test_bad_errors(bad):
    with pytest.raises(ValueError, match=r"^epsilon: expected .*, got .+"):
        SharedSubspace(3, bad)
    with pytest.raises(ValueError, match=r"^epsilon_acc: expected .*, got .+"):
        SharedSubspace(3, 0.1, epsilon_acc=bad).learn(HalfspaceTask([1, 0, 0], Gaussian(3), rng=0))


def test_epsilon_must_be_given():
    with pytest.raises(ValueError, match=r"^epsilon: expected .*, got None"):
        SharedSubspace(3, None)


def test_from_samples_no_error_of_zero_is_promised():
    with pytest.raises(ValueError, match=r"^epsilon_acc: expected a number in \(0, 0.5\), got 0.0"):
        SharedSubspace(3, 0.1, epsilon_acc=0.0).learn(HalfspaceTask([1, 0, 0], Gaussian(3), rng=0))


def test_what_is_no_oracle_and_no_choice_of_a_span():
    with pytest.raises(TypeError, match=r"^oracle: expected \S+Oracle, an object with afresh.*within.*, got 'exact'"):
        SharedSubspace(3, 0.1, oracle="exact")
    with pytest.raises(TypeError, match=r"^oracle: expected \S+Oracle, an object with .*, got <class"):
        SharedSubspace(3, 0.1, oracle=Exact)
    with pytest.raises(TypeError, match=r"within\(task, spans, eps\), got <lifelong.polynomials.oracles.Exact"):
        SharedSubspace(3, 0.1, oracle=lifelong.polynomials.oracles.Exact())
    with pytest.raises(ValueError, match=r"^direction: expected 'random', 'common' or 'fresh', got array"):
        Exact(np.zeros(3))
    with pytest.raises(ValueError, match=r"^searched: expected a callable .*, got 3"):
        SharedSubspace(3, 0.1, searched=3)


def test_a_conjunction_is_refused():
    from lifelong.conjunctions.tasks import ConjunctionTask

    with pytest.raises(TypeError, match=r"^tasks: expected labels \(-1, 1\), .* got ConjunctionTask"):
        learn_stream([ConjunctionTask([True, False, True])], SharedSubspace(3, 0.1))


# --- the repaired span ------------------------------------------------------------------------------


def test_only_large_directions_are_searched():
    large = LargeDirections(3, 0.1, epsilon_acc=0.01)
    learner = SharedSubspace(6, 0.1, epsilon_acc=0.01, oracle=Exact(), searched=large)
    a = np.array([1.0, 0, 0, 0, 0, 0])
    near = np.array([np.cos(0.1), np.sin(0.1), 0, 0, 0, 0])
    learner.features = np.array([a, near])
    M = learner.features.T @ learner.features
    assert np.sort(np.linalg.eigvalsh(M))[-2:] == pytest.approx([1 - np.cos(0.1), 1 + np.cos(0.1)])
    assert 1 - np.cos(0.1) < large.eigenvalue == pytest.approx(np.sin(np.pi * 0.09) ** 2 / 4)
    assert len(learner.span) == 1
    learner.features = np.vstack([learner.features, np.eye(6)[1]])
    assert len(learner.span) == 2
    np.testing.assert_allclose(learner.span @ learner.span.T, np.eye(2), atol=1e-12)


def test_what_is_searched_by_algorithm_one_is_everything():
    learner = SharedSubspace(4, 0.1)
    assert learner.span.shape == (0, 4)
    learner.features = np.array([[1.0, 0, 0, 0], [np.cos(1e-3), np.sin(1e-3), 0, 0]])
    np.testing.assert_allclose(learner.span.T @ learner.span, np.diag([1.0, 1, 0, 0]), atol=1e-9)


def test_the_span_is_found_once_for_each_feature():
    seen = []

    def searched(features):
        seen.append(len(features))
        return orthonormal_rows(features)

    targets = np.random.default_rng(0).standard_normal((12, 3)) @ np.eye(3, 6)
    learner = SharedSubspace(6, 0.1, oracle=Exact(rng=0), searched=searched)
    run = learn_stream([HalfspaceTask(w, Gaussian(6)) for w in targets], learner)
    assert seen == [*range(run.scratch + 1)]
    with pytest.raises(ValueError, match="read-only"):
        learner.features[0, 0] = 1.0


@pytest.mark.parametrize(("share", "rows"), [(0.99, 1), (1.01, 2)])
def test_directions_are_searched_from_the_eigenvalue_on(share, rows):
    large = LargeDirections(2, 0.1, epsilon_acc=0.01)
    assert large.eigenvalue == pytest.approx(np.sin(0.09 * np.pi) ** 2 / 4)
    span = large(np.diag([1.0, np.sqrt(share * large.eigenvalue), 0.0, 0.0]))
    np.testing.assert_allclose(np.abs(span), np.eye(4)[:rows], atol=1e-12)


def test_the_default_accuracy_is_the_coarsest_that_is_admitted():
    assert LargeDirections(3, 0.1).epsilon_acc == bounds.spectral_accuracy(3, 0.1)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"k": 0}, "k"),
        ({"epsilon_acc": 0.1}, "epsilon_acc"),
        ({"epsilon_acc": 0.0}, "epsilon_acc"),
        ({"epsilon": 0.5}, "epsilon"),
        ({"epsilon": 0.5, "epsilon_acc": 0.1}, "epsilon"),
        ({"epsilon": 0.0, "epsilon_acc": 0.1}, "epsilon"),
    ],
)
def test_large_directions_refuse(arguments, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected"):
        LargeDirections(**{"k": 2, "epsilon": 0.1, **arguments})


# --- the two matrices -------------------------------------------------------------------------------


def test_the_matrices_of_a_run_from_samples():
    _, tasks = planted_halfspaces(Gaussian(10), 2, 8, rng=0)
    run = learn_stream(tasks, SharedSubspace(10, 0.2))
    C, W = factors(run)
    np.testing.assert_allclose(C @ W, [s.hypothesis for s in run.steps], atol=1e-9)


def test_coefficients_use_no_feature_that_came_later():
    class Nervous(Exact):
        def within(self, task, basis, error):
            found = super().within(task, basis, error)
            return None if len(self.best) == 3 else found

    tasks = [HalfspaceTask([1.0, 0, 0], Gaussian(3)) for _ in range(4)]
    run = learn_stream(tasks, SharedSubspace(3, 0.1, epsilon_acc=0.0, oracle=Nervous()))
    C, W = factors(run)
    assert run.how == ["scratch", "reused", "scratch", "reused"]
    np.testing.assert_allclose(C[:3], [[1, 0], [1, 0], [0, 1]], atol=1e-12)
    np.testing.assert_allclose(C @ W, [[1, 0, 0]] * 4, atol=1e-12)
