"""A submission and how it is asked: whatever it does, the answer is a sentence for the student, never a traceback."""

import ast
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from time import process_time
from traceback import format_exception_only
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from lifelong._checks import BoolArray, FloatArray

#: Seconds of the processor that all calls of one submission may take together.
SECONDS = 20.0


class Wrong(Exception):  # noqa: N818 - not an error of the program
    """What speaks against a submission, in words that do not give the answer away."""


class _OutOfTime(BaseException):
    """Raised inside a submission, whose own `except Exception` should not catch it."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Stop what is inside after so many seconds, where the system can: in the main thread, with signals."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise _OutOfTime

    # the time of the processor counts, so a busy machine does no harm; what only waits is stopped later
    timers = [(signal.ITIMER_PROF, signal.SIGPROF, 1), (signal.ITIMER_REAL, signal.SIGALRM, 10)]
    before = [signal.signal(alarm, stop) for _, alarm, _ in timers]
    for timer, _, times in timers:
        signal.setitimer(timer, times * max(seconds, 0.01))
    try:
        yield
    finally:
        for (timer, alarm, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(alarm, handler)


def _short(value: object) -> str:
    """An argument as it is named in a message."""
    if isinstance(value, np.ndarray):
        small = np.array2string(value.astype(int) if value.dtype == np.bool_ else value, precision=3, separator=", ")
        return "".join(small.split("\n")) if value.size <= 8 else f"<array of shape {value.shape}>"
    if isinstance(value, np.random.Generator):
        return "<generator>"
    if isinstance(value, float | np.floating):
        return f"{value:g}"
    text = repr(value)
    return text if len(text) <= 40 else f"<{type(value).__name__}>"


class Submission:
    """A function, or the value of one without arguments, asked within a time limit and with copies of arguments."""

    def __init__(self, answer: object, stub: str, *, seconds: float | None = None) -> None:
        (function,) = (node for node in ast.parse(stub).body if isinstance(node, ast.FunctionDef))
        self.name = function.name
        self.parameters = [argument.arg for argument in function.args.args]
        self.answer = answer
        self.where = "the answer"  # names the call that a message speaks of
        self.arguments: tuple[Any, ...] = ()  # of that call
        self.seconds = SECONDS if seconds is None else seconds
        self._left = self.seconds

    def refuse(self, why: str) -> NoReturn:
        """Say what is wrong with what was returned last."""
        raise Wrong(f"{self.where}: {why}")

    def __call__(self, *arguments: object) -> Any:
        if not callable(self.answer):
            if self.parameters:
                wanted = f"{self.name}({', '.join(self.parameters)})"
                raise Wrong(f"expected a function {wanted} as in the stub, got a {type(self.answer).__name__}")
            return _something(self.answer, self.where)
        named = (f"{p}={_short(a)}" for p, a in zip(self.parameters, arguments, strict=True))
        self.where, self.arguments = f"{self.name}({', '.join(named)})", arguments
        return _something(self._run(deepcopy(arguments)), self.where)

    def _run(self, arguments: tuple[Any, ...]) -> Any:
        begin = process_time()
        try:
            with _at_most(self._left):
                return self.answer(*arguments)  # type: ignore[operator]
        except _OutOfTime:
            raise Wrong(f"{self.where} was stopped: all calls together may take {self.seconds:g} seconds") from None
        except (Exception, SystemExit) as error:
            said = format_exception_only(error)[-1].strip()
            raise Wrong(f"{self.where} raised {said[:300]}") from None
        finally:
            self._left -= process_time() - begin

    def number(self, *arguments: object) -> float:
        """A finite number."""
        return number(self(*arguments), self.where)

    def whole(self, *arguments: object) -> int:
        """A whole number."""
        return whole(self(*arguments), self.where)

    def rows(self, *arguments: object, shape: tuple[int | None, ...]) -> FloatArray:
        """Finite numbers in an array of this shape, where None is any length."""
        return rows(self(*arguments), self.where, shape=shape)

    def family(self, *arguments: object, shape: tuple[int | None, ...] = (None, None)) -> BoolArray:
        """Zeros and ones in an array of this shape."""
        return family(self(*arguments), self.where, shape=shape)

    def parts(self, *arguments: object, count: int) -> list[Any]:
        """So many things."""
        return parts(self(*arguments), self.where, count=count)

    def maybe(self, *arguments: object) -> Any:
        """What was returned, None included: for stubs that say what None means."""
        try:
            return self(*arguments)
        except _Nothing:
            return None


class _Nothing(Wrong):
    """Nothing was returned."""


def _something(value: object, where: str) -> Any:
    if value is None:
        raise _Nothing(f"{where} returned None; is it completed?")
    if value is Ellipsis:
        raise Wrong(f"{where} is the stub's `...`; is it completed?")
    return value


def _array(value: object, where: str, kind: str) -> Any:
    try:
        array = np.asarray(value)
    except Exception:
        raise Wrong(f"{where}: expected {kind}, got a {type(value).__name__} of no regular shape") from None
    if array.dtype.kind == "O":  # such as fractions
        with suppress(Exception):
            array = array.astype(np.float64)
    if array.dtype.kind not in "biuf":
        raise Wrong(f"{where}: expected {kind}, got a {type(value).__name__}")
    return array


def _axis(length: int | None) -> str:
    return "any" if length is None else str(length)


def _shaped(array: Any, where: str, shape: tuple[int | None, ...]) -> None:
    fits = array.ndim == len(shape) and all(w in (None, n) for w, n in zip(shape, array.shape, strict=True))
    if not 0 < array.size <= 10**6:
        raise Wrong(f"{where}: expected some numbers, at most a million, got {array.size}")
    if not fits:
        wanted = " x ".join(map(_axis, shape))
        raise Wrong(f"{where}: expected an array of shape {wanted}, got shape {array.shape}")


def number(value: object, where: str) -> float:
    """A student's answer that must be a finite number, as a float."""
    array = _array(_something(value, where), where, "a number")
    if array.ndim or array.dtype.kind == "b":
        raise Wrong(f"{where}: expected a number, got a {type(value).__name__}")
    if not np.isfinite(array):
        raise Wrong(f"{where}: expected a finite number, got {float(array)}")
    return float(array)


def whole(value: object, where: str) -> int:
    """A student's answer that must be a whole number, as an int."""
    x = number(value, where)
    if x != int(x):
        raise Wrong(f"{where}: expected a whole number, got {x:g}")
    return int(x)


def rows(value: object, where: str, *, shape: tuple[int | None, ...]) -> FloatArray:
    """A student's answer that must be finite numbers, of a given shape."""
    array = _array(_something(value, where), where, "numbers in an array")
    _shaped(array, where, shape)
    if not np.isfinite(array).all():
        raise Wrong(f"{where}: some entry is not a finite number")
    return np.asarray(array, dtype=np.float64)


def family(value: object, where: str, *, shape: tuple[int | None, ...] = (None, None)) -> BoolArray:
    """A student's answer that must be zeros and ones, of a given shape."""
    array = _array(_something(value, where), where, "zeros and ones in an array")
    _shaped(array, where, shape)
    if not ((array == 0) | (array == 1)).all():
        raise Wrong(f"{where}: expected zeros and ones only")
    return np.ascontiguousarray(array.astype(np.bool_))


def parts(value: object, where: str, *, count: int) -> list[Any]:
    """A student's answer that must be a tuple or list of so many things."""
    value = _something(value, where)
    if isinstance(value, np.ndarray) and value.ndim:
        value = list(value)
    if not isinstance(value, tuple | list):
        raise Wrong(f"{where}: expected {count} things in a tuple, got a {type(value).__name__}")
    if len(value) != count:
        raise Wrong(f"{where}: expected {count} things, got {len(value)}")
    return [_something(part, where) for part in value]


def variables(value: object, where: str, *, among: range) -> frozenset[int]:
    """A student's answer that must be a set of whole numbers of a range."""
    value = _something(value, where)
    if not isinstance(value, set | frozenset | tuple | list | np.ndarray):
        raise Wrong(f"{where}: expected a set, got a {type(value).__name__}")
    found = frozenset(whole(x, where) for x in value)
    if not found <= set(among):
        raise Wrong(f"{where}: expected numbers from {among[0]} to {among[-1]} in each set")
    return found


def near(x: float, wanted: float, share: float) -> bool:
    """Whether a student's number is as wanted, but for a share of it."""
    return abs(x - wanted) <= share * abs(wanted)


def _at_most_wrong(labels: int, p: float) -> FloatArray:
    """Probabilities of at most 0, 1, ... wrong labels."""
    wrong = np.arange(1, labels + 1)
    steps = np.log((labels - wrong + 1) / wrong) + np.log(p / (1 - p))
    return np.cumsum(np.exp(labels * np.log1p(-p) + np.concatenate([[0.0], np.cumsum(steps)])))


def smallest_holdout(answer: Submission, labels: int, most: int, rates: tuple[float, float], delta: float) -> None:
    """For grading: refuse a test that errs more often than delta, or whose labels are more than needed.

    It accepts with up to `most` mistakes; the two rates of mistakes are that of a hypothesis to be accepted, and to be
    rejected.
    """
    good, bad = rates
    if not 0 <= most < labels <= 10**5:
        answer.refuse("expected a number of labels, and fewer mistakes that are still accepted")
    if _at_most_wrong(labels, bad)[most] > delta * (1 + 1e-9):
        answer.refuse("a hypothesis of error epsilon is accepted more often than it may be")
    if 1 - _at_most_wrong(labels, good)[most] > delta * (1 + 1e-9):
        answer.refuse("a hypothesis of half the error is rejected more often than it may be")
    for fewer in range(1, labels):
        accepted = int((_at_most_wrong(fewer, bad) <= delta).sum()) - 1
        if accepted >= 0 and 1 - _at_most_wrong(fewer, good)[accepted] <= delta * (1 - 1e-9):
            answer.refuse("fewer labels are enough")
