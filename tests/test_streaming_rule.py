"""The streaming rule of the paper: when a task is over, its data are gone.

A learner may keep hypotheses, features, counts and its random numbers. It may not keep an example, a label, a point
that was asked or answered, or the task. Every class of the package that the loop can drive is run on a stream, and
after each task all that can be reached from it is searched, however nested, in three ways: for the *memory* of what
the tasks handed out (and the tasks themselves), for its *content* (an example drawn from a continuous law, or of many
bits, is known by its numbers), and for *growth* beyond the numbers that the table allows, since a label alone has
no face. Every learner has hoarding twins, and every one of them must be caught.
"""

from __future__ import annotations

import dataclasses
import functools
import gc
import inspect
import pkgutil
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import lifelong
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.algorithm5 import ProductLawMetafeatures
from lifelong.conjunctions.bounds import SampleSizes
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.conjunctions.winnow import WinnowMetafeatures
from lifelong.halfspaces import oracles as section3
from lifelong.halfspaces.algorithm1 import LargeDirections, SharedSubspace
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.oracles import Labels
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import BooleanProduct, Gaussian
from lifelong.loop import stream
from lifelong.polynomials import oracles as section5
from lifelong.polynomials.algorithm6 import SharedMonomials
from lifelong.polynomials.polynomial import polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.halfspaces.levels import oracles as billed
from lifelong_book.halfspaces.levels.direct import SparseDictionary
from lifelong_book.halfspaces.levels.direct_experiments import GivenLevels
from lifelong_book.halfspaces.subspace import robust
from lifelong_book.halfspaces.subspace.experiments import Lossy
from lifelong_book.halfspaces.subspace.learners import LEARNERS
from lifelong_book.halfspaces.subspace.robust import NoisyTask
from lifelong_book.polynomials.one_layer.shared_terms import SharedTerms
from lifelong_book.polynomials.shared_monomials.least_squares import LeastSquares

# --- the table: every representation, on a stream that it first learns and then reuses ----------------------------


@dataclass(frozen=True)
class Case:
    """A learner, its tasks, and how many numbers a task may leave: learned afresh, or reused, and `once` the first."""

    kind: type
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    tasks: Callable[[], list[Any]]
    afresh: int
    reused: int = 0
    once: int = 0
    oracle: type | None = None  # made anew for each learner, of these options:
    asked: dict[str, Any] = field(default_factory=dict)

    def make(self) -> Any:
        oracle = {"oracle": self.oracle(**self.asked)} if self.oracle else {}
        return self.kind(*self.arguments, **self.options, **oracle)


def halfspaces(*, noise: float = 0.0) -> list[HalfspaceTask]:
    targets = np.pad([[1, 0], [0, 1], [1, 1], [1, -2], [3, 1], [1, 1]], ((0, 0), (0, 4)))
    return [NoisyTask(w, Gaussian(6), noise, rng=i) for i, w in enumerate(targets)]


def levels() -> list[HalfspaceTask]:
    targets = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [2, 2, 2, 0.01], [1, 0, -1, 0], [1, 1, 1, 0]]
    return [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(targets)]


def conjunctions() -> list[ConjunctionTask]:
    pieces = np.zeros((3, 24), dtype=bool)
    pieces[[0, 0, 1, 1, 2], [0, 1, 2, 3, 4]] = True
    stream = [pieces[list(rows)].any(axis=0) for rows in ([0], [1], [2], [0, 1], [1, 2], [0, 1, 2], [2])]
    law = BooleanProduct([0.8] * 22 + [1.0, 0.0])  # examples end in 1, 0: no hypothesis does, nor the row of all ones
    return [ConjunctionTask(target, law, rng=i) for i, target in enumerate(stream)]


def polynomials() -> list[PolynomialTask]:
    texts = ("x1x2 - x3", "0.5 x1x2 + x3", "x3 - x1x2", "0.3 x3", "x1x2 + 0.7 x3")
    return [PolynomialTask(polynomial(text, n=24), rng=i) for i, text in enumerate(texts)]


def noisy() -> list[HalfspaceTask]:
    return halfspaces(noise=0.1)


SIZES = SampleSizes(unlabelled=500, reuse=(64,) * 25, scratch=300)
LARGE = {"searched": LargeDirections(2, 0.05, epsilon_acc=0.02)}
BOUND: dict[str, Any] = {"bound": 2, "m": 5}
MARGIN: dict[str, Any] = {"margin": 0.05, "labels": Labels(fit=10, holdout=50, scratch=5)}

CASES: dict[str, Case] = {
    # a feature, a row of the basis of its span, and one of the basis that the oracle asked last
    "Algorithm 1": Case(SharedSubspace, (6, 0.1), {}, halfspaces, afresh=18, oracle=section3.Sampled),
    "Algorithm 1, exact": Case(
        SharedSubspace, (6, 0.1), {}, halfspaces, afresh=19, reused=1, oracle=section3.Exact, asked={"rng": 0}
    ),
    "Algorithm 1, large directions": Case(
        SharedSubspace, (6, 0.1), LARGE, halfspaces, afresh=18, oracle=section3.Sampled
    ),
    "Algorithm 1, robust": Case(SharedSubspace, (6, 0.1), {}, halfspaces, afresh=18, oracle=robust.Robust),
    "Algorithm 1, robust by a margin": Case(
        SharedSubspace, (6, 0.1), {}, noisy, afresh=25, oracle=robust.Robust, asked=MARGIN
    ),
    "Algorithm 1, careless": Case(
        SharedSubspace,
        (6, 0.1),
        {},
        halfspaces,
        afresh=19,
        reused=1,
        oracle=Lossy,
        asked={"allowed": 0.02, "rng": 0},
    ),
    "Algorithm 2": Case(TwoLevels, (4, 0.1), {"tau": 2}, levels, afresh=49, reused=4, oracle=billed.SampledLevels),
    "Algorithm 2, exact": Case(
        TwoLevels,
        (4, 0.1),
        {"tau": 2, "epsilon_acc_second": 0.01, "epsilon_acc_first": 0.001},
        levels,
        afresh=50,
        reused=5,
        oracle=billed.ExactLevels,
        asked={"rng": 0},
    ),
    "the direct learner": Case(
        SparseDictionary, (4, 0.1), {"tau": 2}, levels, afresh=80, reused=4, oracle=billed.SampledLevels
    ),
    "the direct learner, given answers": Case(
        SparseDictionary,
        (4, 0.1),
        {"tau": 2, "epsilon_acc": 0.01},
        levels,
        afresh=75,
        reused=5,
        oracle=GivenLevels,
        asked={"targets": np.eye(4)[:2], "answers": np.eye(4)[:2], "rng": 0},
    ),
    "Algorithm 4": Case(OnlineMetafeatures, (24,), {}, conjunctions, afresh=48, once=1),
    "Algorithm 5": Case(ProductLawMetafeatures, (24, 0.3), {"sizes": SIZES}, conjunctions, afresh=48, once=26),
    "Corollary 2": Case(WinnowMetafeatures, (24,), {"c": 1, "k": 3}, conjunctions, afresh=48),
    "Algorithm 6": Case(SharedMonomials, (24, 0.2), BOUND, polynomials, afresh=52, oracle=section5.Gradient),
    "Algorithm 6, least squares": Case(SharedMonomials, (24, 0.2), BOUND, polynomials, afresh=52, oracle=LeastSquares),
    "Algorithm 6, exact": Case(SharedMonomials, (24, 0.2), BOUND, polynomials, afresh=52, oracle=section5.Exact),
    "Algorithm 6, needed terms": Case(
        SharedMonomials, (24, 0.2), BOUND | {"keep": "needed"}, polynomials, afresh=52, oracle=section5.Gradient
    ),
    "the warm-up": Case(SharedTerms, (24,), {}, polynomials, afresh=48),
}


def classes(*operations: str) -> set[type]:
    """Every class of the package, protocols aside, with methods of these names that take a task first."""
    found = set()
    for info in pkgutil.walk_packages(lifelong.__path__, "lifelong."):
        if info.name != "lifelong_book.__main__":
            found |= {thing for thing in vars(import_module(info.name)).values() if inspect.isclass(thing)}
    return {
        kind
        for kind in found
        if all(inspect.isfunction(getattr(kind, name, None)) for name in operations)
        and [*inspect.signature(getattr(kind, operations[0])).parameters][1] == "task"
        and not getattr(kind, "_is_protocol", False)
    }


LEARNS, ANSWERS = ("reuse", "learn", "grow"), ("within", "afresh")


def with_variants(cases: dict[str, Case]) -> dict[str, Case]:
    """The table, and what inherits from a learner or an oracle of the table, made with the same arguments."""
    variants = {}
    for part, operations in (("kind", LEARNS), ("oracle", ANSWERS)):
        tabled = {getattr(case, part): case for case in reversed(cases.values())}
        for kind in sorted(classes(*operations) - set(tabled), key=lambda kind: kind.__qualname__):
            base = next((base for base in kind.__mro__ if base in tabled), None)
            assert base is not None, f"{kind.__module__}.{kind.__name__}: no line of the table makes one"
            variants[kind.__name__] = dataclasses.replace(tabled[base], **{part: kind})
    return cases | variants


CASES = with_variants(CASES)


# --- what tasks hand out ------------------------------------------------------------------------------------------


WATCHED = "a task"


@dataclass
class Given:
    """What tasks have handed out, with strong references: their memory is used by nothing else."""

    tasks: list[Any] = field(default_factory=list)
    arrays: list[np.ndarray] = field(default_factory=list)
    numbers: set[float] = field(default_factory=set)  # of examples of continuous laws
    rows: set[bytes] = field(default_factory=set)  # examples of bits

    def take(self, array: np.ndarray) -> None:
        """Record an array, and what is in it if these are examples."""
        self.arrays.append(array)
        if array.ndim == 2 and array.dtype == np.float64:
            self.numbers.update(array.ravel().tolist())
        elif array.ndim == 2:
            self.rows.update(map(bytes, array))

    def watch(self, task: Any) -> Any:
        """Make a task record, in place, every array that its methods give or are asked about."""
        given, kind = self, type(task)

        class Watched(kind):
            def __getattribute__(self, name):
                found = super().__getattribute__(name)
                if name.startswith("_") or not inspect.ismethod(found):
                    return found

                def asked(*args, **options):
                    answer = found(*args, **options)
                    things = answer if isinstance(answer, tuple) else (answer,)
                    for thing in (*things, *(args if name == "member" else ())):
                        if isinstance(thing, np.ndarray):
                            given.take(thing)
                    return answer

                return asked

        Watched.__name__ = WATCHED
        task.__class__ = Watched
        self.tasks.append(task)
        return task


# --- what can be reached from a learner ---------------------------------------------------------------------------


def reachable(root: Any) -> list[Any]:
    """Every object that can be reached: attributes, closures, bases of views, what functions name, and so on."""
    found, todo = {}, [root]
    while todo:
        item = todo.pop()
        if id(item) not in found and not isinstance(item, types.ModuleType | types.CodeType | Given):
            found[id(item)] = item
            todo += _next(item)
    return list(found.values())


def _ours(item: Any) -> bool:
    return (getattr(item, "__module__", None) or "").split(".")[0] in ("lifelong", __name__.split(".")[0])


def _next(item: Any) -> Iterable[Any]:
    if isinstance(item, np.ndarray):  # hides both from the garbage collector
        return [item.base, *(item.flat if item.dtype == object else ())]
    if isinstance(item, memoryview):
        return [item.obj]
    if type(item).__name__ == WATCHED:  # found; what it can reach need not be searched
        return []
    if isinstance(item, type):
        return [*vars(item).values(), *item.__bases__] if _ours(item) else []
    if isinstance(item, types.FunctionType):  # its globals are the whole module: only what the code names
        named = _names(item.__code__) if _ours(item) else set()
        world = [item.__globals__[name] for name in named if name in item.__globals__]
        return [item.__defaults__, item.__kwdefaults__, item.__closure__, *vars(item).values(), *world]
    return gc.get_referents(item)


def _names(code: types.CodeType) -> set[str]:
    inner = [_names(x) for x in code.co_consts if isinstance(x, types.CodeType)]
    return set(code.co_names).union(*inner)


def size(items: list[Any]) -> int:
    """Numbers, letters and entries in all these objects together, and one for each that is neither number nor dict."""
    total = sum(not isinstance(item, int | float | dict | None) for item in items)
    for item in items:
        if isinstance(item, np.ndarray):
            total += item.size if item.base is None else 0
        elif isinstance(item, list | tuple | dict | set | frozenset | deque | str | bytes | bytearray):
            total += len(item)
        elif isinstance(item, int):
            total += item.bit_length() // 64
    return total


# --- the three searches -------------------------------------------------------------------------------------------


def memory(items: list[Any], given: Given) -> list[str]:
    """Objects that are a task, or that share memory with what one handed out."""
    held = [f"holds {type(x).__name__}" for x in items if any(x is task for task in given.tasks)]
    start, end = np.array([_place(a) for a in given.arrays], dtype=np.int64).reshape(-1, 2).T
    for item in items:
        if isinstance(item, np.ndarray) and item.size:
            first, last = _place(item)
            if ((start < last) & (first < end)).any():
                held.append(f"shares memory: {item.dtype} {item.shape}")
    return held


def _place(array: np.ndarray) -> tuple[int, int]:
    return np.lib.array_utils.byte_bounds(array) if array.size else (0, 0)


def content(items: list[Any], given: Given) -> list[str]:
    """Objects with a number of an example of a continuous law, or with all bits of a long one."""
    held, n = [], len(next(iter(given.rows), b"1"))
    for item in items:
        if not isinstance(item, np.ndarray | bytes | bytearray | float | np.floating):
            continue
        if not given.numbers.isdisjoint(_floats(item).tolist()) or not given.rows.isdisjoint(_bits(item, n)):
            held.append(f"copies an example: {type(item).__name__}")
    return held


def _floats(item: Any) -> np.ndarray:
    if isinstance(item, bytes | bytearray):
        return np.frombuffer(bytes(item)[: len(item) // 8 * 8])
    array = np.asarray(item)
    return array.ravel() if array.dtype == np.float64 else np.empty(0)


def _bits(item: Any, n: int) -> Iterable[bytes]:
    array = np.frombuffer(item, dtype=np.int8) if isinstance(item, bytes | bytearray) else np.asarray(item)
    return map(bytes, array.reshape(-1, n)) if array.dtype.itemsize == 1 and array.size % n == 0 else ()


def violations(case: Case, learner: Any) -> dict[str, list[str]]:
    """What a learner keeps of its tasks, searched after each of them."""
    given, found = Given(), {"memory": [], "content": [], "growth": []}
    before, allowed = size(reachable(learner)), case.once
    for step in stream(map(given.watch, case.tasks()), learner):
        items = reachable(learner)
        found["memory"] += memory([*items, *reachable(step)], given)
        found["content"] += content([*items, *reachable(step)], given)
        allowed += case.reused if step.how == "reused" else case.afresh
        if size(items) > before + allowed:
            found["growth"].append(f"by {size(items) - before} numbers, allowed {allowed}")
        before, allowed = size(items), 0
    assert len(given.tasks) == len(case.tasks())
    return {search: held for search, held in found.items() if held}


EVERY = pytest.mark.parametrize("name", CASES)


def test_no_representation_and_no_oracle_is_forgotten():
    assert classes(*LEARNS) <= {case.kind for case in CASES.values()}
    assert classes(*ANSWERS) <= {case.oracle for case in CASES.values()}


@EVERY
def test_nothing_of_a_task_is_kept(name):
    assert violations(CASES[name], CASES[name].make()) == {}


@EVERY
def test_the_stream_shows_every_operation(name):
    how = {step.how for step in stream(CASES[name].tasks(), CASES[name].make())}
    assert how == {"scratch", "reused"} | ({"composed"} if "Algorithm 2" in name else set())


@EVERY
def test_nothing_else_keeps_what_a_task_gave_either(name):
    """Weakly: whoever holds an array of a task, the learner or a cache somewhere, keeps it alive."""
    given, alive = Given(), []

    def tasks():
        for task in map(given.watch, CASES[name].tasks()):
            yield task
            alive.extend(weakref.ref(array) for array in given.arrays)
            given.arrays.clear()

    def kept():
        return [ref().shape for ref in alive if ref() is not None]

    for _ in stream(tasks(), CASES[name].make()):
        if kept():  # in a cycle, perhaps
            gc.collect()
        assert kept() == []


# --- learners of one task -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_of_one_task_gives_a_vector_with_no_data_behind_it(name):
    given = Given()
    task = given.watch(HalfspaceTask([1, 2, 0], Gaussian(3), rng=0))
    items = reachable(LEARNERS[name](*task.examples(200)))
    assert memory(items, given) == content(items, given) == []
    assert size(items) < 20


@pytest.mark.parametrize("kind", [halfspaces, conjunctions, polynomials])
def test_a_task_keeps_nothing_either(kind):
    given, plain = Given(), kind()[0]
    before = size(reachable(plain))
    task = given.watch(kind()[0])
    task.examples(10_000)
    items = reachable([task.__dict__])
    assert memory(items, dataclasses.replace(given, tasks=[])) == content(items, given) == []
    plain.examples(10_000)
    assert size(reachable(plain)) <= before + 4


# --- hoarders: the searches can fail ------------------------------------------------------------------------------


class Slotted:
    __slots__ = ("inside",)

    def __init__(self, inside):
        self.inside = inside


def suspended(thing):
    yield
    yield thing


def started(thing):
    generator = suspended(thing)
    next(generator)
    return generator


ATTIC: list[Any] = []  # of this module, as a learner's module may have one


@functools.lru_cache
def cached(thing):
    return thing


def in_the_attic(thing):
    ATTIC.append(thing)
    return lambda: ATTIC  # the name is all that a learner needs


#: What a hoarder keeps of (task, X, y), and the search that must see it.
HOARDS: dict[str, tuple[Callable[[Any, Any, Any], Any], str]] = {
    "a list in a dict": (lambda task, X, y: {"seen": [(X, y)]}, "memory"),
    "a view": (lambda task, X, y: (X[1:, ::2],), "memory"),
    "a view of a view": (lambda task, X, y: X.T[2:][:1].view(), "memory"),
    "labels only": (lambda task, X, y: y, "memory"),
    "a closure": (lambda task, X, y: lambda: X, "memory"),
    "a default argument": (lambda task, X, y: lambda X=X: X, "memory"),
    "a partial function": (lambda task, X, y: functools.partial(np.dot, X), "memory"),
    "a method of an array": (lambda task, X, y: X.mean, "memory"),
    "a generator": (lambda task, X, y: started(X), "memory"),
    "an iterator": (lambda task, X, y: zip(X, y, strict=True), "memory"),
    "slots": (lambda task, X, y: Slotted(Slotted(X)), "memory"),
    "an array of objects": (lambda task, X, y: np.array([None, X, Slotted(y)], dtype=object)[:2], "memory"),
    "a buffer": (lambda task, X, y: memoryview(X)[1:], "memory"),
    "a cache": (lambda task, X, y: (cached, cached(Slotted(X)))[:1], "memory"),
    "a list of its module": (lambda task, X, y: in_the_attic(X), "memory"),
    "the task": (lambda task, X, y: task, "memory"),
    "an oracle of the task": (lambda task, X, y: task.examples, "memory"),
    "a copy of a row": (lambda task, X, y: X[-1].copy(), "content"),
    "a copy of some columns": (lambda task, X, y: np.asfortranarray(X).copy(), "content"),
    "bytes": (lambda task, X, y: X.tobytes(), "content"),
    "a copy of the labels": (lambda task, X, y: y.copy(), "growth"),
    "text": (lambda task, X, y: " ".join(map(str, y)), "growth"),
    "a large number": (lambda task, X, y: int.from_bytes(y.tobytes(), "big") << 64, "growth"),
    "half precision": (lambda task, X, y: X.astype(np.float16), "growth"),
    "the sum of all labels so far": (lambda task, X, y: float(y.sum()), "growth"),
}


def twin(learner: Any, keep: Callable[[Any, Any, Any], Any], operation: str = "reuse") -> Any:
    """The same learner, or oracle, with a cupboard for what it keeps of some examples of each task."""
    kind = type(learner)

    def hoard(self, task, *others, **options):
        answer = getattr(kind, operation)(self, task, *others, **options)
        self.cupboard.append(keep(task, *task.examples(100)))
        return answer

    learner.cupboard = []
    learner.__class__ = type(f"Hoarding{kind.__name__}", (kind,), {operation: hoard, "__module__": __name__})
    return learner


def twin_of_oracle(learner: Any, keep: Callable[[Any, Any, Any], Any], operation: str) -> Any:
    learner.oracle = twin(learner.oracle, keep, operation)
    return learner


@pytest.fixture
def _tidy():
    yield
    ATTIC.clear()
    cached.cache_clear()


@EVERY
@pytest.mark.parametrize(
    ("hoard", "operation"),
    [
        ("a copy of a row", "reuse"),
        ("a copy of the labels", "reuse"),
        ("a closure", "learn"),
    ],
)
def test_every_learner_has_twins_and_they_are_caught(name, hoard, operation):
    keep, search = HOARDS[hoard]
    assert search in violations(CASES[name], twin(CASES[name].make(), keep, operation))


@pytest.mark.parametrize("hoard", ["a view", "a copy of the labels"])
@pytest.mark.parametrize(
    ("name", "operation"),
    [(name, operation) for name, case in CASES.items() if case.oracle for operation in ANSWERS],
)
def test_every_oracle_has_twins_and_they_are_caught(name, operation, hoard):
    keep, search = HOARDS[hoard]
    assert search in violations(CASES[name], twin_of_oracle(CASES[name].make(), keep, operation))


@pytest.mark.usefixtures("_tidy")
@pytest.mark.parametrize("name", ["Algorithm 1", "Algorithm 4", "Algorithm 6"])
@pytest.mark.parametrize("hoard", HOARDS)
def test_every_way_to_hoard_is_caught(name, hoard):
    keep, search = HOARDS[hoard]
    assert search in violations(CASES[name], twin(CASES[name].make(), keep))


@EVERY
def test_what_may_be_kept_is_not_taken_for_a_hoard(name):
    """Two counts, and a reference that is weak: an entry each, and no more than the table is told."""
    more = dataclasses.replace(CASES[name], reused=CASES[name].reused + 6, afresh=CASES[name].afresh + 6)
    for keep in (lambda task, X, y: weakref.ref(X), lambda task, X, y: (len(X), X.shape[1] + 0.5)):
        assert violations(more, twin(CASES[name].make(), keep)) == {}


@EVERY
@pytest.mark.parametrize("number", ["once", "afresh", "reused"])
def test_the_numbers_of_the_table_are_the_least_that_will_do(name, number):
    case = CASES[name]
    if least := getattr(case, number):
        assert "growth" in violations(dataclasses.replace(case, **{number: least - 1}), case.make())
