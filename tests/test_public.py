"""What `import lifelong` gives: enough to run every algorithm of the paper, found by name, by number and by file."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import lifelong

PUBLIC = {name: getattr(lifelong, name) for name in lifelong.__all__}

#: The number of an algorithm, its names, and the file that carries its number.
ALGORITHMS = {
    1: ["SharedSubspace"],
    2: ["TwoLevels"],
    3: ["metafeatures"],
    4: ["online_metafeatures", "OnlineMetafeatures"],
    5: ["ProductLawMetafeatures"],
    6: ["SharedMonomials"],
}


def test_the_public_names():
    algorithms = " ".join(name for names in ALGORITHMS.values() for name in names)
    others = """
        Sampled Exact HalfspaceTask ConjunctionTask PolynomialTask Gaussian BooleanProduct isotropic_law
        learn_stream stream Run Step Counts angle angle_to_subspace subspace_angle effective_dimension
        represent SparseBooleanAutoencoder Polynomial learn_polynomial
        PoolTask ConjunctionBox PolynomialBox bits
    """
    assert sorted((algorithms + others).split()) == lifelong.__all__
    assert len(lifelong.__all__) <= 32


@pytest.mark.parametrize("number", ALGORITHMS)
def test_an_algorithm_is_found_by_name_by_number_and_by_file(number):
    for name in ALGORITHMS[number]:
        thing = PUBLIC[name]
        assert re.match(rf"Algorithm {number}\b", thing.__doc__), name
        assert thing.__module__.endswith(f".algorithm{number}"), name
        assert re.match(rf"Algorithm {number}\b", import_module(thing.__module__).__doc__)


def test_the_table_of_the_reference_leads_to_every_algorithm():
    table = REFERENCE.split("list-table")[1]
    for number, names in ALGORITHMS.items():
        (row,) = (row for row in table.split("* - ") if row.startswith(f"Algorithm {number}\n"))
        for name in names:
            assert f"{PUBLIC[name].__module__}.{name}`" in row


def test_the_example_at_the_head_of_the_reference_runs():
    found: dict[str, Any] = {}
    exec(re.sub(r"(?m)^   ", "", REFERENCE.split(":: python\n")[1].split("\nThen ")[0]), found)
    assert found["run"].how[:3] == ["scratch"] * 3 and found["run"].how.count("reused") > 50


# --- the public names are enough --------------------------------------------------------------------

STREAMS = {
    "halfspaces": """
        tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(([1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]))]
        run = learn_stream(tasks, SharedSubspace(4, 0.1, oracle=Sampled()))
        assert run.how == ["scratch", "scratch", "reused"] and run.counts.labels > 0
        assert angle(run.steps[-1].hypothesis, [1, 1, 0, 0]) < 0.4
        assert angle_to_subspace([1, 1, 0, 0], run.representation.features) < 0.1
        exact = learn_stream(tasks, SharedSubspace(4, 0.1, oracle=Exact(rng=0)))
        assert exact.how == run.how and exact.counts == Counts()
    """,
    "two levels": """
        targets = ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [2, 2, 2, 0.01])
        tasks = [HalfspaceTask(w, isotropic_law("gaussian", 4), rng=i) for i, w in enumerate(targets)]
        run = learn_stream(tasks, TwoLevels(4, 0.1, tau=2))
        assert run.how == ["scratch"] * 3 + ["composed", "reused"]
    """,
    "given conjunctions": """
        T = [[True, True, False], [False, True, True], [True, True, True]]
        M = metafeatures(T)
        assert represent(T[2], M) is not None and len(M) == 2
        found = online_metafeatures(T)
        assert found.scratch.tolist() == [0, 1] and (found.metafeatures == M).all()
    """,
    "conjunctions behind queries": """
        T = [[True, True, False], [False, True, True], [True, True, True]]
        seen = [step.how for step in stream([ConjunctionTask(t) for t in T], OnlineMetafeatures(3))]
        assert seen == ["scratch", "scratch", "reused"]
    """,
    "conjunctions from examples": """
        law = BooleanProduct([0.7, 0.8, 0.8, 1.0])
        T = [[True, True, False, True], [False, True, True, False], [True, True, True, True]]
        tasks = [ConjunctionTask(t, law, rng=i) for i, t in enumerate(T)]
        run = learn_stream(tasks, ProductLawMetafeatures(4, 0.1, m=3, c0=0.4))
        assert all(task.error(step.hypothesis) <= 0.1 for task, step in zip(tasks, run.steps))
    """,
    "polynomials": """
        terms = [[True, True, False], [False, False, True]]
        tasks = [PolynomialTask(Polynomial(terms, [a, b]), rng=i) for i, (a, b) in enumerate(([1, -1], [1, 1], [0, 2]))]
        run = learn_stream(tasks, SharedMonomials(3, 0.1, bound=2, m=3))
        assert run.how == ["scratch", "reused", "reused"]
        assert learn_polynomial(tasks[0])[0] == tasks[0].target
    """,
    "own samples": """
        X = Gaussian(3).sample(9000, rng=0)
        labels = [X @ w > 0 for w in ([1, 0, 0], [0, 1, 0], [1, 1, 0])]
        tasks = [PoolTask(X, y, test=(X, y), rng=i) for i, y in enumerate(labels)]
        run = learn_stream(tasks, SharedSubspace(3, 0.1))
        assert run.how == ["scratch", "scratch", "reused"]
        assert tasks[-1].error(run.steps[-1].hypothesis) < 0.1
    """,
    "own functions": """
        tasks = [ConjunctionBox(lambda x, i=i: x[i] and x[2], 3) for i in (0, 1, 0)]
        assert learn_stream(tasks, OnlineMetafeatures(3)).how == ["scratch", "scratch", "reused"]
        box = PolynomialBox(lambda x: 2 * (x[0] and x[1]) - x[2], 3, terms=2)
        assert learn_polynomial(box)[0] == Polynomial([[True, True, False], [False, False, True]], [2, -1])
    """,
    "an own table": """
        run = learn_stream(map(ConjunctionTask, bits([[1, 1, 0], [0, 1, 1], [1, 1, 1]])), OnlineMetafeatures(3))
        assert run.how == ["scratch", "scratch", "reused"]
    """,
    "an autoencoder": """
        M = SparseBooleanAutoencoder(c=1, k=2, rng=0).fit([[True, True, False], [False, True, True]]).metafeatures_
        assert len(M) > 0
    """,
    "angles": """
        assert abs(subspace_angle([[1, 0, 0]], [[1, 1, 0]]) - angle([1, 0, 0], [1, 1, 0])) < 1e-12
        assert effective_dimension([[1, 0, 0], [0, 1, 0], [1, 1, 0]], 0.1) == 2
    """,
}


@pytest.mark.parametrize("kind", STREAMS)
def test_the_public_names_are_enough(kind):
    exec(inspect.cleandoc(STREAMS[kind]), dict(PUBLIC))


# --- tasks of another kind --------------------------------------------------------------------------

TASKS = {
    "halfspace": lambda: lifelong.HalfspaceTask([1.0, 0.0], lifelong.Gaussian(2), rng=0),
    "conjunction": lambda: lifelong.ConjunctionTask([True, False], lifelong.BooleanProduct([0.5, 0.5]), rng=0),
    "polynomial": lambda: lifelong.PolynomialTask(lifelong.Polynomial([[True, False]], [1]), rng=0),
    "no task": lambda: "a task",
}
LEARNERS = {
    "Algorithm 1": ("halfspace", lambda: lifelong.SharedSubspace(2, 0.1)),
    "Algorithm 1, exact": ("halfspace", lambda: lifelong.SharedSubspace(2, 0.1, oracle=lifelong.Exact())),
    "Algorithm 2": ("halfspace", lambda: lifelong.TwoLevels(2, 0.1, tau=1)),
    "Algorithm 4": ("conjunction", lambda: lifelong.OnlineMetafeatures(2)),
    "Algorithm 5": ("conjunction", lambda: lifelong.ProductLawMetafeatures(2, 0.1, m=1)),
    "Algorithm 6": ("polynomial", lambda: lifelong.SharedMonomials(2, 0.1, bound=1, m=1)),
}


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("task", TASKS)
def test_a_task_of_another_kind_is_refused_by_name(learner, task):
    kind, make = LEARNERS[learner]
    if kind == task:
        assert lifelong.learn_stream([TASKS[task]()], make()).how == ["scratch"]
        return
    with pytest.raises(TypeError, match=r"^tasks?: expected .+, got .+"):
        lifelong.learn_stream([TASKS[task]()], make())


def modules() -> Iterator[Any]:
    """The modules of the paper's sections, the loop and the laws."""
    for info in pkgutil.walk_packages(lifelong.__path__, "lifelong."):
        yield import_module(info.name)


# --- the reference ----------------------------------------------------------------------------------

BOOK = Path(__file__).parents[1] / "book"
REFERENCE = "\n".join(path.read_text() for path in (BOOK / "api.rst", *sorted((BOOK / "api").glob("*.rst"))))


def test_the_reference_has_every_module_once():
    listed = re.findall(r"automodule:: (\S+)", REFERENCE)
    assert len(listed) == len(set(listed))
    assert {m.__name__ for m in modules() if "._" not in m.__name__ and not hasattr(m, "__path__")} <= set(listed)
    assert all(import_module(name).__doc__ for name in listed)


def test_the_reference_names_nothing_that_is_not_there():
    for path in re.findall(r":(?:class|func):`([\w.]+)`", REFERENCE):
        module, _, name = path.rpartition(".")
        assert hasattr(import_module(module), name), path
