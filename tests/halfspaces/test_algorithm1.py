"""Algorithm 1 on planted tasks, and the single-task learner."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong import angle_to_subspace, learn_stream, subspace_angle
from lifelong.halfspaces.algorithm1 import Subspace
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.learners import LEARNERS, NotSeparableError, averaging_halfspace, logistic_halfspace
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian, Laplace

EPSILON = 0.15


@pytest.fixture(scope="module", params=range(2))
def planted(request):
    W, tasks = planted_halfspaces(Gaussian(60), 3, 25, rng=request.param)
    return W, tasks, learn_stream(tasks, Subspace(60, EPSILON))


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
    run = learn_stream(audited(tasks), Subspace(10, 0.2))
    assert [step.labels for step in run.steps] == given


def test_the_same_seeds_give_the_same_run():
    runs = [learn_stream(planted_halfspaces(Gaussian(8), 2, 6, rng=1)[1], Subspace(8, 0.2)) for _ in range(2)]
    assert runs[0].how == runs[1].how
    np.testing.assert_array_equal(runs[0].representation.features, runs[1].representation.features)


def test_epsilon_acc_is_a_fifth_unless_given():
    assert Subspace(3, 0.1).epsilon_acc == pytest.approx(0.02)
    assert Subspace(3, 0.1, 0.05).epsilon_acc == 0.05
    assert Subspace(3, 0.1).features.shape == (0, 3)
    task = HalfspaceTask([1, 0, 0], Gaussian(3), rng=0)
    Subspace(3, 0.1, 0.05).learn(task)
    assert task.counts.labels == 36


def test_nothing_to_reuse_costs_nothing():
    task = HalfspaceTask([1, 0], Gaussian(2), rng=0)
    assert Subspace(2, 0.1).reuse(task) is None
    assert task.counts.labels == 0


def test_features_that_do_not_help_are_not_reused():
    representation = Subspace(3, 0.1)
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
        run = learn_stream(tasks, Subspace(4, 0.2, **learners))
        assert run.counts.labels == sum(given) == sum(task.counts.labels for task in tasks) - before


def test_scratch_is_learned_with_the_learner_of_the_span_unless_given():
    seen = []

    def noted(name):
        def learner(X, y):
            seen.append((name, X.shape))
            return logistic_halfspace(X, y)

        return learner

    tasks = [HalfspaceTask(w, Gaussian(3), rng=0) for w in ([1, 0, 0], [1, 0.01, 0])]
    learn_stream(tasks, Subspace(3, 0.1, learner=noted("span"), scratch_learner=noted("scratch")))
    assert seen == [("scratch", (90, 3)), ("span", (40, 1))]
    seen.clear()
    learn_stream(tasks, Subspace(3, 0.1, learner=noted("both")))
    assert [name for name, _ in seen] == ["both", "both"]


def test_a_learner_that_must_be_consistent_refuses_the_span():
    def never(X, y):
        raise NotSeparableError("y: no")

    representation = Subspace(3, 0.1, learner=never, scratch_learner=logistic_halfspace)
    representation.grow("scratch", np.array([1.0, 0.0, 0.0]))
    task = HalfspaceTask([1, 0, 0], Gaussian(3), rng=0)
    assert representation.reuse(task) is None
    assert task.counts.labels == 40  # no holdout is drawn for a hypothesis that does not exist
    with pytest.raises(NotSeparableError):
        Subspace(3, 0.1, learner=never).learn(task)


def test_the_constants_are_what_they_say():
    representation = Subspace(4, 0.1, 0.05, fit=3, holdout=7.01, scratch=1.5, learner=averaging_halfspace)
    task = HalfspaceTask([1, 0, 0, 0], Gaussian(4), rng=0)
    representation.grow(*representation.learn(task))
    assert task.counts.labels == 120
    representation.reuse(task)
    assert task.counts.labels == 120 + 30 + 71


def test_the_threshold_decides():
    """In the span of (4, 3, 0, 0)/5 the best error for e1 is about 0.2, between 0.15 and 0.25."""
    for threshold, passes in ((0.6, False), (1.0, True)):
        representation = Subspace(4, 0.25, threshold=threshold, holdout=2000)
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

    representation = Subspace(3, 0.25, holdout=100)
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

    representation = Subspace(3, 0.1)
    representation.grow("scratch", np.array([1.0, 0.0, 0.0]))
    assert representation.reuse(Turncoat([1, 0, 0], Gaussian(3), rng=0)) is None
    assert representation.reuse(HalfspaceTask([1, 0, 0], Gaussian(3), rng=0)) is not None


@pytest.mark.parametrize("name", ["fit", "holdout", "threshold", "scratch"])
@pytest.mark.parametrize("bad", [0, -1, np.nan, np.inf, "2", True])
def test_bad_constants(name, bad):
    with pytest.raises(ValueError, match=rf"^{name}: expected .*, got .+"):
        Subspace(3, 0.1, **{name: bad})


@pytest.mark.parametrize("name", ["learner", "scratch_learner"])
def test_bad_learners(name):
    with pytest.raises(ValueError, match=rf"^{name}: expected a callable .*, got 'logistic'"):
        Subspace(3, 0.1, **{name: "logistic"})


def test_a_threshold_above_one_is_refused():
    with pytest.raises(ValueError, match=r"^threshold: expected .*, got 1.5"):
        Subspace(3, 0.1, threshold=1.5)


# --- bad input --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "3", None])
def test_bad_dimension(bad):
    with pytest.raises(ValueError, match=r"^n: expected .*, got .+"):
        Subspace(bad, 0.1)


@pytest.mark.parametrize("bad", [0, 0.5, -0.1, 1, np.nan, np.inf, "0.1", True, 0.1j, [0.1]], ids=repr)
def test_bad_errors(bad):
    with pytest.raises(ValueError, match=r"^epsilon: expected .*, got .+"):
        Subspace(3, bad)
    with pytest.raises(ValueError, match=r"^epsilon_acc: expected .*, got .+"):
        Subspace(3, 0.1, bad)


def test_epsilon_must_be_given():
    with pytest.raises(ValueError, match=r"^epsilon: expected .*, got None"):
        Subspace(3, None)
