"""The one loop: its record, its order of work, and that it keeps no data."""

from __future__ import annotations

import gc
import pickle
import weakref
from dataclasses import dataclass, field

import numpy as np
import pytest

from lifelong import Run, Step, learn_stream
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.learners import LEARNERS
from lifelong.halfspaces.oracles import Sampled
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import BooleanProduct, Gaussian
from lifelong.loop import Counts


@dataclass
class Scripted:
    """A representation that follows a script: what `learn` says, or an error to raise; None means reuse."""

    script: list
    calls: list = field(default_factory=list)
    at: int = -1

    def reuse(self, task):
        self.at += 1
        self.calls.append(("reuse", self.at))
        task.examples(1)
        return "old" if self.script[self.at] is None else None

    def learn(self, task):
        self.calls.append(("learn", self.at))
        task.examples(2)
        if isinstance(self.script[self.at], BaseException):
            raise self.script[self.at]
        return self.script[self.at], f"new {self.at}"

    def grow(self, how, hypothesis):
        self.calls.append(("grow", self.at, how, hypothesis))


def halfspaces(count: int, n: int = 3) -> list[HalfspaceTask]:
    return [HalfspaceTask(np.eye(n)[i % n], Gaussian(n), rng=i) for i in range(count)]


def test_try_the_representation_then_learn_then_grow():
    script = Scripted(["scratch", None, "composed"])
    run = learn_stream(halfspaces(3), script)
    assert run.how == ["scratch", "reused", "composed"]
    assert [s.hypothesis for s in run.steps] == ["new 0", "old", "new 2"]
    assert [s.labels for s in run.steps] == [3, 1, 3]
    assert script.calls == [
        ("reuse", 0),
        ("learn", 0),
        ("grow", 0, "scratch", "new 0"),
        ("reuse", 1),
        ("reuse", 2),
        ("learn", 2),
        ("grow", 2, "composed", "new 2"),
    ]
    assert run.representation is script
    assert run.complete
    assert run.scratch == 1
    assert run.counts == Counts(labels=7)


def test_what_a_task_cost_before_the_run_is_not_charged():
    tasks = halfspaces(1)
    tasks[0].examples(1000)
    assert learn_stream(tasks, Scripted(["scratch"])).steps[0].labels == 3


@pytest.mark.parametrize("seed", range(3))
def test_steps_sum_to_the_counts_of_the_tasks(seed):
    _, halves = planted_halfspaces(Gaussian(8), 2, 6, rng=seed)
    _, targets = planted_conjunctions(8, 4, 12, rng=seed)
    conjunctions = [ConjunctionTask(t) for t in targets]
    for tasks, representation in ((halves, SharedSubspace(8, 0.2)), (conjunctions, OnlineMetafeatures(8))):
        run = learn_stream(tasks, representation)
        assert len(run.steps) == len(tasks)
        for step, task in zip(run.steps, tasks, strict=True):
            assert Counts(step.labels, step.membership, step.equivalence) == task.counts
        assert run.counts == sum((t.counts for t in tasks), Counts())
        assert run.scratch == run.how.count("scratch")


def test_no_tasks():
    run = learn_stream([], Scripted([]))
    assert run == Run(run.representation)
    assert (run.scratch, run.how, run.counts) == (0, [], Counts())


def test_tasks_are_read_once_and_one_at_a_time():
    made = []

    def tasks():
        for i, task in enumerate(halfspaces(3)):
            assert len(representation.calls) == 3 * i  # the one before is done with
            made.append(i)
            yield task

    representation = Scripted(["scratch"] * 3)
    learn_stream(tasks(), representation)
    assert made == [0, 1, 2]


def test_progress_bar_changes_nothing(capsys):
    run = learn_stream(halfspaces(3), Scripted(["scratch", None, None]), progress=True)
    assert run.how == ["scratch", "reused", "reused"]
    assert run.complete
    assert "3/3" in capsys.readouterr().err


# --- when something goes wrong ----------------------------------------------------------------------


@pytest.mark.parametrize("progress", [False, True])
def test_an_interrupt_keeps_what_is_done(progress):
    run = learn_stream(halfspaces(5), Scripted(["scratch", None, KeyboardInterrupt(), None, None]), progress=progress)
    assert not run.complete
    assert run.how == ["scratch", "reused"]


def test_an_error_carries_the_run():
    with pytest.raises(RuntimeError, match="out of luck") as caught:
        learn_stream(halfspaces(5), Scripted(["scratch", None, RuntimeError("out of luck")]))
    assert caught.value.run.how == ["scratch", "reused"]
    assert not caught.value.run.complete


def test_an_error_of_the_iterable_carries_the_run():
    def tasks():
        yield from halfspaces(2)
        raise OSError("no more tasks")

    with pytest.raises(OSError, match="no more tasks") as caught:
        learn_stream(tasks(), Scripted(["scratch"] * 2))
    assert len(caught.value.run.steps) == 2


def test_dimensions_must_agree():
    tasks = [*halfspaces(2), HalfspaceTask([1, 0], Gaussian(2))]
    with pytest.raises(
        ValueError, match=r"^tasks: expected dimension 3 as in the first task, got dimension 2"
    ) as caught:
        learn_stream(tasks, Scripted(["scratch"] * 3))
    assert len(caught.value.run.steps) == 2
    assert tasks[2].counts == Counts()


@pytest.mark.parametrize(
    ("task", "representation"),
    [
        (HalfspaceTask([1, 0, 0], Gaussian(3)), SharedSubspace(2, 0.1)),
        (ConjunctionTask([True] * 3), OnlineMetafeatures(2)),
    ],
    ids=["SharedSubspace", "OnlineMetafeatures"],
)
def test_the_representation_must_have_the_dimension_of_the_tasks(task, representation):
    with pytest.raises(ValueError, match=r"expected dimension \d.*, got dimension \d"):
        learn_stream([task], representation)


@pytest.mark.parametrize("bad", [None, 3, HalfspaceTask([1.0], Gaussian(1))], ids=["None", "int", "task"])
def test_tasks_must_be_iterable(bad):
    with pytest.raises((ValueError, TypeError)):
        learn_stream(bad, Scripted([]))


# --- nothing of the data of a task outlives the task ------------------------------------------------


class Watched:
    """A task that remembers, weakly, every array that its oracles hand out."""

    def __init__(self, task, handed_out):
        self.task, self.handed_out = task, handed_out

    def __getattr__(self, name):
        return getattr(self.task, name)

    def examples(self, size):
        given = self.task.examples(size)
        self.handed_out += [weakref.ref(array) for array in given]
        return given

    def equivalent(self, h):
        point = self.task.equivalent(h)
        if point is not None:
            self.handed_out.append(weakref.ref(point))
        return point


def streams():
    _, halves = planted_halfspaces(Gaussian(6), 2, 6, rng=0)
    _, targets = planted_conjunctions(10, 4, 12, rng=0)
    law = BooleanProduct([0.9] * 10)
    return {
        "SharedSubspace": (halves, SharedSubspace(6, 0.2)),
        "OnlineMetafeatures": ([ConjunctionTask(t, law, rng=0) for t in targets], OnlineMetafeatures(10)),
    }


def alive(handed_out: list[weakref.ref]) -> int:
    gc.collect()
    return sum(ref() is not None for ref in handed_out)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("argument", ["learner", "scratch_learner"])
def test_no_learner_of_one_task_keeps_its_examples(learner, argument):
    tasks, _ = streams()["SharedSubspace"]
    handed_out, left = [], []

    def watched():
        for task in tasks:
            yield Watched(task, handed_out)
            left.append(alive(handed_out))

    run = learn_stream(watched(), SharedSubspace(6, 0.2, oracle=Sampled(**{argument: LEARNERS[learner]})))
    assert len(handed_out) >= 2 * len(tasks)
    assert left == [0] * len(tasks)
    assert sum(a.size for a in arrays_within(run)) <= 6 * (run.scratch + len(run.steps))


@pytest.mark.parametrize("name", ["SharedSubspace", "OnlineMetafeatures"])
def test_no_example_survives_its_task(name):
    tasks, representation = streams()[name]
    handed_out, left = [], []

    def watched():
        for task in tasks:
            yield Watched(task, handed_out)
            left.append(alive(handed_out))

    run = learn_stream(watched(), representation)
    assert len(handed_out) > len(tasks)
    assert left == [0] * len(tasks)
    assert alive(handed_out) == 0
    assert {"reused", "scratch"} <= set(run.how)


def test_the_watch_sees_a_learner_that_hoards():
    class Hoarder(Scripted):
        def learn(self, task):
            self.calls.append(task.examples(3))
            return "scratch", None

    handed_out = []
    representation = Hoarder(["scratch"] * 2)
    learn_stream((Watched(t, handed_out) for t in halfspaces(2)), representation)
    assert alive(handed_out) == 4


def arrays_within(thing) -> list[np.ndarray]:
    """Every array reachable from an object, classes and modules aside."""
    seen, todo, found = set(), [thing], []
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, type) or type(item).__name__ in ("module", "function"):
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            found.append(item if item.base is None else item.base)
        todo += gc.get_referents(item)
    return found


@pytest.mark.parametrize("name", ["SharedSubspace", "OnlineMetafeatures"])
def test_a_run_holds_features_and_hypotheses_only(name):
    tasks, representation = streams()[name]
    run = learn_stream(tasks, representation)
    n = tasks[0].n
    kept = {id(a): a.size for a in arrays_within(run)}
    features = [a for a in vars(representation).values() if isinstance(a, np.ndarray)]
    assert sum(kept.values()) <= sum(a.size for a in features) + n * len(run.steps)


def test_the_size_of_a_run_does_not_depend_on_the_number_of_examples():
    sizes = {}
    for epsilon in (0.2, 0.02):
        run = learn_stream(halfspaces(4), SharedSubspace(3, epsilon))
        assert run.scratch == 3
        sizes[run.counts.labels] = len(pickle.dumps(run))
    (few, small), (many, large) = sorted(sizes.items())
    assert many > 5 * few
    assert abs(large - small) < 64


def test_a_task_keeps_no_example_either():
    _, tasks = planted_halfspaces(Gaussian(4), 2, 1, rng=0)
    before = len(pickle.dumps(tasks[0]))
    tasks[0].examples(10_000)
    assert abs(len(pickle.dumps(tasks[0])) - before) < 64


# --- records ----------------------------------------------------------------------------------------


def test_a_step_is_a_frozen_record():
    step = Step("reused", None, labels=3)
    assert (step.labels, step.membership, step.equivalence) == (3, 0, 0)
    with pytest.raises(AttributeError):
        step.labels = 4


def test_runs_do_not_share_their_steps():
    assert Run(None).steps is not Run(None).steps
