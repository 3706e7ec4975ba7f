"""Hostile arguments for every public callable, made from the calls in its own examples.

The examples in the docstrings are run, and each call of a public function, class or method that they make is
recorded with its arguments. Then one argument after the other is spoiled, or written in another form of the same
value. What must come of it is said in `test_hostile.py`.
"""

from __future__ import annotations

import copy
import doctest
import inspect
import pkgutil
import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from importlib import import_module
from io import StringIO
from typing import Any

import numpy as np

import lifelong

# --- the public callables -----------------------------------------------------------------------------------------


def modules() -> Iterator[Any]:
    """The modules of the paper's sections, the loop and the laws."""
    for info in pkgutil.walk_packages(lifelong.__path__, "lifelong."):
        if not re.match(r"lifelong\.(book|ledger|teaching|command_line|__main__)\b", info.name):
            yield import_module(info.name)


def callables() -> dict[str, Callable[..., Any]]:
    """Public functions, constructors and public methods by their names, protocols and errors aside."""
    found: dict[str, Callable[..., Any]] = {}
    for module in modules():
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            path = f"{module.__name__.removeprefix('lifelong.')}.{name}"
            if inspect.isfunction(thing) and thing.__module__ == module.__name__:
                found[path] = thing
            elif inspect.isclass(thing) and thing.__module__ == module.__name__ and not _abstract(thing):
                found[path] = thing
                found |= {f"{path}.{verb}": method for verb, method in _methods(thing)}
    return found


def _abstract(kind: type) -> bool:
    record = issubclass(kind, tuple) or (
        is_dataclass(kind) and not hasattr(kind, "__post_init__")
    )  # keeps what it gets
    return getattr(kind, "_is_protocol", False) or inspect.isabstract(kind) or issubclass(kind, Exception) or record


def _methods(kind: type) -> Iterator[tuple[str, Any]]:
    for verb, method in inspect.getmembers(kind):
        function = getattr(method, "__func__", method)
        ours = (getattr(function, "__module__", None) or "").startswith("lifelong")
        if (not verb.startswith("_") or verb == "__call__") and inspect.isroutine(function) and ours:
            yield verb, method


# --- the calls that their examples make ---------------------------------------------------------------------------


@dataclass
class Call:
    """A public callable with arguments that it takes."""

    path: str
    arguments: dict[str, Any]
    owner: Any = None  # of a method

    def __call__(self, **changed: Any) -> Any:
        """The answer, with some arguments changed; a generator is run to its end."""
        given = {name: _copied(value) for name, value in self.arguments.items()} | changed
        function = getattr(copy.deepcopy(self.owner), self.path.rpartition(".")[2]) if self.owner is not None else None
        function = CALLABLES[self.path] if function is None else function
        answer = _apply(function, given)
        return list(answer) if isinstance(answer, types.GeneratorType) else answer


CALLABLES = callables()


def _apply(function: Callable[..., Any], given: dict[str, Any]) -> Any:
    args, options = [], {}
    for p in inspect.signature(function).parameters.values():
        if p.kind is p.VAR_POSITIONAL:
            args += given.get(p.name, ())
        elif p.kind is p.VAR_KEYWORD:
            options |= given.get(p.name, {})
        elif p.name in given and p.kind is p.KEYWORD_ONLY:
            options[p.name] = given[p.name]
        elif p.name in given:
            args.append(given[p.name])
    return function(*args, **options)


def _codes() -> dict[Any, list[str]]:
    """The code that runs first when a callable is called."""
    codes: dict[Any, list[str]] = {}
    for path, thing in CALLABLES.items():
        function = thing
        if inspect.isclass(thing):
            function = thing.__new__ if issubclass(thing, tuple) else thing.__init__
        function = inspect.unwrap(getattr(function, "__func__", function))
        if hasattr(function, "__code__"):
            codes.setdefault(function.__code__, []).append(path)
    return codes


def recorded() -> dict[str, Call]:
    """The first call of each callable that an example makes."""
    calls: dict[str, Call] = {}
    codes = _codes()

    inner: dict[str, Call] = {}  # calls that the package makes while an example runs

    def watch(frame: Any, event: str, _: Any) -> None:
        if event != "call" or frame.f_code not in codes:
            return
        caller = frame.f_back
        while caller is not None and caller.f_code.co_filename.endswith("_contracts.py"):
            caller = caller.f_back
        outside = caller is not None and caller.f_code.co_filename.startswith("<doctest")
        into = calls if outside else inner
        for path in codes[frame.f_code]:
            if path in into:
                continue
            given = dict(frame.f_locals)
            owner = given.pop("self", None)
            kind = CALLABLES[path]
            if inspect.isclass(kind):
                given.pop("_cls", None)
                if owner is None or type(owner) is kind:
                    into[path] = Call(path, _copied(given))
            elif owner is None or type(owner).__name__ == path.split(".")[-2]:
                into[path] = Call(path, _copied(given), _copied(owner))

    finder, runner, parser = doctest.DocTestFinder(), doctest.DocTestRunner(verbose=False), doctest.DocTestParser()
    tests = [test for module in modules() for test in finder.find(module)]
    for test in [parser.get_doctest(MORE, {}, "more", None, 0), *tests]:
        sys.setprofile(watch)
        try:
            with redirect_stdout(StringIO()):
                runner.run(test, out=lambda text: None)
        finally:
            sys.setprofile(None)
    return inner | calls


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except TypeError:  # a generator, say: used once
        return value


#: Calls of what no example calls by itself, as an example would be written.
MORE = """
>>> from lifelong.conjunctions.autoencoder import SparseBooleanAutoencoder
>>> coder = SparseBooleanAutoencoder(c=1, k=2, rng=0).fit([[True, True, False], [False, True, True]])
>>> _ = coder.transform([[True, True, False]]), coder.fit_transform([[True, True, False], [False, True, True]])
>>> _ = coder.set_params(c=2)
>>> from lifelong.conjunctions.bounds import SampleSizes, product_sizes
>>> _ = product_sizes(4, 0.1, m=3).scaled(reuse=0.5)
>>> from lifelong_book.conjunctions.applications.experiments import SettlingTask
>>> from lifelong.laws import BooleanProduct, CentredExponential, Gaussian, Laplace, Logistic, Ridge, UniformBall
>>> settling = SettlingTask([True, False], BooleanProduct([0.5, 0.5]), settled=1)
>>> _ = settling.equivalent([True, True]), settling.member([True, False])
>>> _ = settling.equivalent_threshold([1.0], [[True, False]], 1.0)
>>> from lifelong_book.halfspaces.assumptions.outside import FourBumps, ProductStudent, StretchedGaussian, StudentT
>>> from lifelong.halfspaces.tasks import HalfspaceTask, PoolTask, checked_task
>>> laws = [FourBumps(2), ProductStudent(2, df=3.0), StretchedGaussian(3, thick=1)]
>>> _ = [law.sample(3, rng=0) for law in [*laws, CentredExponential(2), Logistic(2), Ridge(2), Laplace(2)]]
>>> _ = StudentT(2, df=3.0).planar_rate(0.1), UniformBall(3).planar_rate(0.1)
>>> _ = checked_task(HalfspaceTask([1.0, 0.0], Gaussian(2)), 2)
>>> from lifelong.conjunctions import tasks as section4
>>> _ = section4.checked_task(section4.ConjunctionTask([True, False]), section4.EquivalenceTask, 2)
>>> from lifelong.polynomials import oracles, tasks as section5
>>> from lifelong_book.polynomials.shared_monomials import experiments as studies
>>> from lifelong.polynomials.polynomial import polynomial
>>> _ = section5.checked_task(section5.PolynomialTask(polynomial("x1 - x2")), n=2)
>>> _ = oracles.Exact(), oracles.LeastSquares().afresh(section5.PolynomialTask(polynomial("x1 - x2")))
>>> for kind in (studies.NoGreedyMeet, studies.NoMeets):
...     learner = kind(section5.PolynomialTask(polynomial("x1 - x2")))
...     _ = learner.find_error(), list(learner.events())
>>> sideways = studies.SidewaysTask(polynomial("x1 - x2"))
>>> _ = sideways.examples(2), sideways.exact_examples(2), sideways.error(polynomial("x1", n=2))
>>> box = section5.PolynomialBox(lambda x: int(x[0]), 2, rng=0)
>>> _ = box.examples(3), box.exact_examples(3), box.member([True, False]), box.equivalent(polynomial("x1", n=2))
>>> asked = section4.ConjunctionBox(lambda x: x[0], 2, BooleanProduct([0.5, 0.5]), rng=0)
>>> _ = asked.examples(3), asked.unlabelled(3), asked.member([True, False]), asked.equivalent([True, False])
>>> pool = PoolTask([[1.0, 0.0], [0.0, 1.0]], [1, -1], test=([[1.0, 2.0]], [1]), rng=0)
>>> _ = pool.error([1.0, 1.0]), pool.examples(1)
"""

#: Public names of which no call can be made, or spoiled: what they are.
NOT_TRIED = {
    "halfspaces.direct_studies.GivenLevels.within": "that of its parent, whose calls are spoiled",
    "laws.IsotropicLaw": "abstract: it does not draw",
    "laws.IsotropicLaw.planar_rate": "abstract: it does not draw",
    "laws.IsotropicLaw.sample": "abstract: it does not draw",
    "laws.Law": "abstract: it does not draw",
    "laws.Law.planar_rate": "abstract: it does not draw",
    "laws.Law.sample": "abstract: it does not draw",
    "halfspaces.outside.SignCube.planar_rate": "always refuses: the law has no density",
    "loop.Step": "keeps whatever is learned, its other arguments are spoiled in the tests of the loop",
    "polynomials.oracles.Exact": "takes no arguments",
    "polynomials.oracles.LeastSquares": "takes no arguments",
}


# --- one argument spoiled, or the same value in another form ------------------------------------------------------


class Frame:
    """What pandas has in common with others: columns of numbers behind `to_numpy`."""

    def __init__(self, values: np.ndarray) -> None:
        self._values = values

    def to_numpy(self) -> np.ndarray:
        return self._values


class Sparse:
    """What scipy.sparse has in common with others: `toarray`."""

    def __init__(self, values: np.ndarray) -> None:
        self._values = values

    def toarray(self) -> np.ndarray:
        return self._values


def _array_like(value: Any) -> np.ndarray | None:
    """A list, a tuple or an array of numbers as the array that it stands for."""
    if not isinstance(value, np.ndarray | list | tuple) or hasattr(value, "_fields"):
        return None
    try:
        array = np.asarray(value)
    except ValueError:
        return None
    return array if array.dtype.kind in "biuf" and array.size and array.ndim else None


def _fits(array: np.ndarray, dtype: Any) -> bool:
    with np.errstate(all="ignore"):
        return bool((array.astype(dtype) == array).all())


SMALL = ("int8", "uint8", "int16", "uint16", "int32", "uint64", "float16", "float32", "float64", "longdouble")


def same_arrays(plain: np.ndarray) -> Iterator[tuple[str, Any]]:
    """The same values in other types, orders and containers."""
    spread = np.repeat(np.repeat(plain, 2, axis=0), 2, axis=-1) if plain.ndim > 1 else np.repeat(plain, 2)
    frozen = plain.copy()
    frozen.setflags(write=False)
    yield "plain", plain.copy()
    yield "Fortran order", np.asfortranarray(plain)
    yield "read-only", frozen
    yield "strided", spread[::2, ..., ::2] if plain.ndim > 1 else spread[::2]
    yield "backwards", plain[::-1].copy()[::-1]
    yield "big-endian", plain.astype(plain.dtype.newbyteorder(">"))
    yield "a list", plain.tolist()
    yield "masked, nothing masked", np.ma.array(plain)
    yield "a subclass", plain.view(np.recarray)
    yield "DataFrame-like", Frame(plain)
    yield "sparse-like", Sparse(plain)
    if plain.dtype.kind != "b":
        for dtype in SMALL:
            if _fits(plain, dtype):
                yield dtype, plain.astype(dtype)


def bad_arrays(plain: np.ndarray) -> Iterator[tuple[str, Any]]:
    """Arrays that are wrong, or of sizes for which little has been thought out."""
    real = plain.astype(np.float64)

    def with_one(value: float) -> np.ndarray:
        spoiled = real.copy()
        spoiled.flat[-1] = value
        return spoiled

    mask = np.zeros(plain.shape, dtype=bool)
    mask.flat[-1] = True
    yield "NaN", with_one(np.nan)
    yield "infinity", with_one(np.inf)
    yield "1e300", with_one(1e300)
    yield "all 1e300", np.full(plain.shape, 1e300)
    yield "all 1e-310", np.full(plain.shape, 1e-310)
    yield "times 1e-310", real * 1e-310
    yield "zero", np.zeros_like(plain)
    yield "ones", np.ones_like(plain)
    yield "negative", -real
    yield "halves", real + 0.5
    yield "empty", plain[:0]
    yield "no columns", plain[..., :0]
    yield "one entry", plain[:1]
    yield "doubled", np.concatenate([plain, plain])
    yield "doubled in the last axis", np.concatenate([plain, plain], axis=-1)
    yield "an axis more", plain[None]
    yield "a number", plain.flat[0]
    yield "ragged", [plain.tolist(), 1]
    yield "masked", np.ma.array(plain, mask=mask)
    yield "object dtype", plain.astype(object)
    yield "text", plain.astype(str)
    yield "complex", plain + 1j
    yield "dates", np.zeros(plain.shape, dtype="M8[s]")
    yield "structured", np.zeros(plain.shape, dtype=[("a", float)])
    yield from junk()


def junk() -> Iterator[tuple[str, Any]]:
    """Things of no use to anybody."""
    yield "None", None
    yield "a word", "hostile"
    yield "an object", object()
    yield "a dict", {}
    yield "a class", int
    yield "minus one", -1
    yield "not a number", float("nan")


def same_integers(value: int) -> Iterator[tuple[str, Any]]:
    for dtype in SMALL[:6]:
        if np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
            yield dtype, np.dtype(dtype).type(value)


def bad_integers(value: int) -> Iterator[tuple[str, Any]]:
    yield "zero", 0
    yield "huge", 2**62
    yield "too large for a double", 10**400
    yield "a half more", value + 0.5
    yield "a float", float(value)
    yield "a truth", True
    yield "infinity", float("inf")
    yield "an array", np.array([value])
    yield "complex", 1j
    yield from junk()


def same_floats(value: float) -> Iterator[tuple[str, Any]]:
    yield "float64", np.float64(value)
    for dtype in (np.float32, np.float16, np.longdouble):
        if float(dtype(value)) == value:
            yield dtype.__name__, dtype(value)


def bad_floats(value: float) -> Iterator[tuple[str, Any]]:
    yield "zero", 0.0
    yield "half", np.float16(0.5)
    yield "one", 1
    yield "1e-310", 1e-310
    yield "1e-17", 1e-17
    yield "1e300", 1e300
    yield "too large for a double", 10**400
    yield "negative", -abs(value) - 1
    yield "infinity", float("inf")
    yield "a truth", True
    yield "a fraction", Fraction(1, 3)
    yield "an array", np.array([value])
    yield "complex", 1j
    yield from junk()


def seeds(value: Any) -> Iterator[tuple[str, Any]]:
    yield "a broken number", 1.5
    yield "minus one", -1
    yield "a word", "a"
    yield "an object", object()
    yield "infinity", float("inf")
    yield "a class", np.random.Generator
    yield "the old generator", np.random.RandomState(0)
    yield "a dict", {}
    yield "ragged", [1, [2]]


def variants(name: str, value: Any) -> tuple[list[tuple[str, Any]], list[tuple[str, Any]]]:
    """Other forms of an argument, and what is hostile in its place."""
    if name in ("rng", "seed"):
        return list(same_integers(value)) if type(value) is int else [], list(seeds(value))
    array = _array_like(value)
    if array is not None:
        return list(same_arrays(array)), list(bad_arrays(array))
    if type(value) is int:
        return list(same_integers(value)), list(bad_integers(value))
    if isinstance(value, float):
        return list(same_floats(value)), list(bad_floats(value))
    return [], list(junk())


# --- what came of it ----------------------------------------------------------------------------------------------


def parts(thing: Any) -> list[Any]:
    """What an answer is made of, one level down."""
    if isinstance(thing, dict):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, list | tuple | set | frozenset):
        return list(thing)
    if isinstance(thing, np.ndarray) and thing.dtype == object:
        return list(thing.flat)
    if is_dataclass(thing) and not isinstance(thing, type):
        return [getattr(thing, f.name, None) for f in fields(thing)]
    if type(thing).__module__.startswith("lifelong"):
        return list(getattr(thing, "__dict__", {}).values())
    return []


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same, bit for bit."""
    if isinstance(a, np.random.Generator):
        return isinstance(b, np.random.Generator) and same(a.bit_generator.state, b.bit_generator.state)
    if isinstance(a, np.ndarray) and a.dtype != object:
        return isinstance(b, np.ndarray) and (a.dtype, a.shape) == (b.dtype, b.shape) and a.tobytes() == b.tobytes()
    if isinstance(a, float | np.floating) and isinstance(b, float | np.floating):
        return bool(a == b or (a != a and b != b))
    if type(a) is not type(b):
        return False
    inner = parts(a), parts(b)
    if inner[0] or inner[1]:
        return len(inner[0]) == len(inner[1]) and all(map(same, *inner))
    if isinstance(a, np.ndarray):
        return a.shape == b.shape
    if isinstance(a, float):
        return a == b or (a != a and b != b)
    return callable(a) or type(a).__eq__ is object.__eq__ or bool(a == b)


def has_nan(thing: Any, depth: int = 6) -> bool:
    """Whether an answer has a NaN somewhere in it."""
    if isinstance(thing, float | np.floating | complex):
        return bool(thing != thing)
    if isinstance(thing, np.ndarray) and thing.dtype.kind in "fc":
        return bool(np.isnan(thing).any())
    return depth > 0 and any(has_nan(part, depth - 1) for part in parts(thing))
