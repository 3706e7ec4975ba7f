"""Algorithm 1 on planted tasks, and the single-task learner."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong import angle_to_subspace, learn_stream, subspace_angle
from lifelong.distributions import Gaussian, Laplace
from lifelong.halfspaces import Subspace, logistic_halfspace
from lifelong.instances import planted_halfspaces
from lifelong.tasks import HalfspaceTask, signs

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


# --- logistic_halfspace -----------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "size"), [(5, 100), (20, 400), (40, 400)])
def test_error_is_about_n_over_twice_the_size(n, size):
    rng = np.random.default_rng(n)
    errors = []
    for _ in range(8):
        task = HalfspaceTask(rng.standard_normal(n), Gaussian(n), rng=rng)
        w = logistic_halfspace(*task.examples(size))
        assert np.linalg.norm(w) == pytest.approx(1)
        errors.append(task.error(w))
    assert 0.5 < np.mean(errors) / (n / (2 * size)) < 2


def test_separable_data_are_separated():
    X = np.random.default_rng(0).standard_normal((200, 3))
    X = X[np.abs(X[:, 0]) > 0.3]
    y = signs(X, np.array([1.0, 0, 0]))
    np.testing.assert_array_equal(signs(X, logistic_halfspace(X, y)), y)


@pytest.mark.parametrize("label", [1, -1])
def test_one_class_only(label):
    X = np.array([[1.0, 0.2], [0.5, -0.1], [2.0, 0.0]]) * label
    w = logistic_halfspace(X, np.full(3, label))
    assert np.linalg.norm(w) == pytest.approx(1)
    np.testing.assert_array_equal(signs(X, w), np.full(3, label))


def test_one_class_is_separated_wherever_the_mean_is():
    X = np.array([[1.0, 0.0], [-0.2, 0.1], [1.0, -0.1]])
    y = signs(X, np.array([1.0, 5.0]))
    assert (y == 1).all()
    np.testing.assert_array_equal(signs(X, logistic_halfspace(X, y)), y)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("X", "y"), [([[1.0, 2.0], [-1.0, -2.0]], [1, 1]), ([[1.0, 2.0], [1.0, 2.0]], [1, -1]), ([[0.0, 0.0]], [1])]
)
def test_data_that_favour_no_direction_give_no_nan(X, y):
    with pytest.raises(ValueError, match=r"^X: expected .*, got .+"):
        logistic_halfspace(np.array(X), np.array(y))


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


@pytest.mark.parametrize(
    ("name", "X", "y"),
    [
        ("y", np.eye(2), np.array([1])),
        ("y", np.eye(2), np.array([1, -1, 1])),
        ("y", np.empty((0, 2)), np.array([], dtype=int)),
        ("y", np.eye(2), np.array([0, 1])),
        ("y", np.eye(2), np.array([0, 0])),
        ("y", np.eye(2), np.array([True, False])),
        ("y", np.eye(2), np.array([[1], [-1]])),
        ("X", np.array([[np.nan, 1], [1, 2]]), np.array([1, -1])),
        ("X", np.array([[np.nan, 1], [1, 2]]), np.array([1, 1])),
        ("X", np.array([[np.inf, 1], [1, 2]]), np.array([1, -1])),
        ("X", np.ones(2), np.array([1, -1])),
        ("X", np.array([["a"], ["b"]]), np.array([1, -1])),
    ],
    ids=[
        "short y",
        "long y",
        "empty",
        "y of 0 and 1",
        "y of 0",
        "boolean y",
        "column y",
        "NaN",
        "NaN, one class",
        "infinity",
        "one axis",
        "text",
    ],
)
def test_bad_training_data(name, X, y):
    with pytest.raises(ValueError, match=rf"^{name}: expected .*, got .+"):
        logistic_halfspace(X, y)


def test_lists_are_arrays():
    w = logistic_halfspace([[1.0, 0.0], [-1.0, 0.0]], [1, -1])
    np.testing.assert_allclose(w, [1, 0], atol=1e-9)
