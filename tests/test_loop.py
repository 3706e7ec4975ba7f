"""The one loop: its record, its order of work, and what it says when something goes wrong."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from lifelong import learn_stream
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import Counts, stream


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
    _, targets = planted_conjunctions(8, k=4, m=12, rng=seed)
    conjunctions = [ConjunctionTask(t) for t in targets]
    for tasks, representation in ((halves, SharedSubspace(8, 0.2)), (conjunctions, OnlineMetafeatures(8))):
        run = learn_stream(tasks, representation)
        assert len(run.steps) == len(tasks)
        for step, task in zip(run.steps, tasks, strict=True):
            assert step.counts == task.counts
        assert run.counts == sum((t.counts for t in tasks), Counts())
        assert run.scratch == run.how.count("scratch")


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


# --- when something goes wrong ----------------------------------------------------------------------


def test_an_interrupt_keeps_what_is_done():
    run = learn_stream(halfspaces(5), Scripted(["scratch", None, KeyboardInterrupt(), None, None]))
    assert not run.complete
    assert run.how == ["scratch", "reused"]


@pytest.mark.parametrize("kind", [RuntimeError, AttributeError])  # of the representation: the task lacks nothing
def test_an_error_carries_the_run(kind):
    with pytest.raises(kind, match="out of luck") as caught:
        learn_stream(halfspaces(5), Scripted(["scratch", None, kind("out of luck")]))
    assert caught.value.run.how == ["scratch", "reused"]
    assert not caught.value.run.complete


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
    for run in (learn_stream, stream):
        with pytest.raises(TypeError, match=rf"^tasks: expected an iterable of tasks, got {type(bad).__name__}$"):
            run(bad, Scripted([]))


def test_a_representation_must_have_the_three_operations():
    class Half:
        def reuse(self, task):
            return None

        def grow(self, how, hypothesis):
            return None

    wanted = r"^representation: expected .+ grow\(how, hypothesis\); learn\(task\); reuse\(task\), got "
    for bad, lacks in ((None, "no attribute 'grow'"), (Half(), "no attribute 'learn'"), (Half, "missing a required")):
        for run in (learn_stream, stream):
            with pytest.raises(TypeError, match=rf"{wanted}.+: .*{lacks}"):
                run([], bad)


@pytest.mark.parametrize("word", ["scrach", "reused", "", 0, ["scratch"]])
def test_learn_must_say_how(word):
    script = Scripted([word])
    with pytest.raises(ValueError, match=r"^learn: expected 'composed' or 'scratch', got "):
        learn_stream(halfspaces(1), script)
    assert ("grow", 0, word, "new 0") not in script.calls


@pytest.mark.parametrize(
    ("task", "lacks"),
    [(object(), "n"), ("12", "n"), (Gaussian(2), "counts"), (SimpleNamespace(n=2, counts=Counts()), "examples")],
    ids=lambda x: x if isinstance(x, str) else type(x).__name__,
)
def test_a_task_must_have_what_the_representation_asks_for(task, lacks):
    with pytest.raises(
        TypeError, match=rf"^tasks: expected `{lacks}`, which Scripted asks for, got {type(task).__name__} without"
    ) as caught:
        learn_stream([task], Scripted(["scratch"]))
    assert caught.value.run.steps == []


# --- a step at a time -------------------------------------------------------------------------------


def test_a_stream_reads_no_task_before_it_is_asked():
    read = []

    def tasks():
        for i, task in enumerate(halfspaces(3)):
            read.append(i)
            yield task

    steps = stream(tasks(), Scripted(["scratch"] * 3))
    assert read == []
    next(steps)
    assert read == [0]
    steps.close()
    assert read == [0]


def test_a_stream_lets_go_of_a_task_before_it_yields():
    made = []

    def one(seed):
        task = HalfspaceTask([1.0], Gaussian(1), rng=seed)
        made.append(weakref.ref(task))
        return task

    for step in stream(map(one, range(3)), Scripted(["scratch", None, "scratch"])):
        gc.collect()
        assert [ref() for ref in made] == [None] * len(made), step
