"""What the types of a public function promise, enforced where it is called.

`checked` reads the annotations of a function once and from then on brings each argument into the
one form that the function computes with: a Python integer or float, an array of float64 or of booleans in C order.
What cannot be brought there is refused with its name, what was given and what is expected. Ranges and shapes are the
function's own affair.
"""

from __future__ import annotations

import functools
import inspect
import re
import reprlib
import types
import typing
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import (
    BoolArray,
    FloatArray,
    RNGLike,
    _as_array,
    bool_array,
    integer,
    number,
    random_generator,
    real_array,
)

P = ParamSpec("P")
R = TypeVar("R")
Reader = Callable[[str, Any], Any]

#: No count or size of these functions is larger; bounds that take any number check it themselves.
MOST = 10**18


#: How an argument is refused everywhere in this package.
REFUSAL = re.compile(r"[\w.\[\], :]+: expected ", re.S)

#: What Python raises where a computation is not defined; numpy and the solvers have errors of their own as well.
BREAKDOWNS = (ValueError, TypeError, IndexError, ZeroDivisionError, OverflowError, np.linalg.LinAlgError)


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse arguments of other types than the annotations say, and bring the others into their one form.

    Where a function, not a method, then breaks down all the same, or its answer is not a number, the error says for
    which arguments; what it raised is the cause of that error.
    """
    names = list(inspect.signature(function).parameters)
    readers: dict[str, Reader] = {}
    with suppress(NameError):  # later for what takes its own class, which is not there yet
        readers.update(_readers(function))

    @functools.wraps(function)
    def asked(*args: P.args, **options: P.kwargs) -> R:
        if not readers:
            readers.update(_readers(function))
        given = [
            readers[name](name, value) if name in readers else value for name, value in zip(names, args, strict=False)
        ]
        named = {name: readers[name](name, value) if name in readers else value for name, value in options.items()}
        given += args[len(given) :]
        if "." in function.__qualname__:
            return function(*given, **named)  # type: ignore[arg-type]
        try:
            answer = function(*given, **named)  # type: ignore[arg-type]
        except Exception as error:
            theirs = type(error).__module__.split(".")[0] in ("numpy", "scipy", "cvxpy")
            if REFUSAL.match(str(error)) or not (theirs or type(error) in BREAKDOWNS):
                raise
            raise ValueError(_undefined(function, names, args, options)) from error
        if _not_a_number(answer):
            raise ValueError(_undefined(function, names, args, options))
        return answer

    return asked


def _undefined(function: Any, names: list[str], args: Any, options: Any) -> str:
    """The error of a computation that is not defined for its arguments."""
    given = dict(zip(names, args, strict=False)) | options
    words = ", ".join(f"{name}={' '.join(reprlib.repr(value).split())}" for name, value in given.items())
    return f"{', '.join(given)}: expected arguments for which {function.__name__} is defined, got {words}"


def _not_a_number(answer: Any) -> bool:
    """Whether an answer, or the array that is one, has a NaN in it."""
    if isinstance(answer, np.ndarray):
        return answer.dtype.kind == "f" and bool(np.isnan(answer).any())
    if isinstance(answer, tuple | dict):
        return any(map(_not_a_number, answer.values() if isinstance(answer, dict) else answer))
    return isinstance(answer, float) and answer != answer


def checked_record(kind: type[R]) -> type[R]:
    """The same for the constructor of a dataclass, which nobody wrote."""
    kind.__init__ = checked(kind.__init__)  # type: ignore[method-assign]
    return kind


def _readers(function: Callable[..., Any]) -> dict[str, Reader]:
    """One reader for each parameter whose type says enough."""
    hints = typing.get_type_hints(function)
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(function).parameters.values()
    found = {p.name: _reader(hints[p.name]) for p in parameters if p.name in hints and p.kind in plain}
    return {name: reader for name, reader in found.items() if reader is not None} or {"": _anything}


def _anything(name: str, value: Any) -> Any:
    return value


def _reader(hint: Any) -> Reader | None:
    """How an argument of a type is read; None where the type says too little."""
    if hint in _READERS:
        return _READERS[hint]
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        rest = [kind for kind in inner if kind is not type(None)]
        reader = _reader(rest[0]) if len(rest) == 1 else None
        return _optional(reader) if reader is not None and len(rest) < len(inner) else reader
    if origin is typing.Literal:
        return functools.partial(_one_of, inner)
    if origin is np.ndarray:
        return _integers if "int64" in str(hint) else None
    if isinstance(origin, type) and origin.__module__.startswith("lifelong"):
        return _kind(origin)
    if isinstance(origin, type) and issubclass(origin, Iterable) and origin is not tuple:
        return functools.partial(_several, origin, inner[:1] == (str,))
    return _kind(hint)


def _kind(hint: Any) -> Reader | None:
    """A class of the package: its instances; a protocol: what has its methods."""
    if not isinstance(hint, type) or not hint.__module__.startswith("lifelong"):
        return None
    if not getattr(hint, "_is_protocol", False):
        return functools.partial(_of_kind, hint, f"a {hint.__name__}")
    if hint.__name__.endswith("Oracle"):  # who takes one says what it must be able to do
        return None
    verbs = [name for name in vars(hint) if not name.startswith("_")]
    return functools.partial(_speaker, hint.__name__, verbs)


def _optional(reader: Reader) -> Reader:
    return lambda name, value: None if value is None else reader(name, value)


def _of_kind(kind: type, words: str, name: str, value: Any) -> Any:
    if isinstance(value, kind):
        return value
    if kind.__name__.endswith("Task"):
        raise TypeError(f"{name}: expected {words}, whose target can be read, got {type(value).__name__}")
    raise ValueError(f"{name}: expected {words}, got {value!r}")


def _several(kind: type, words: bool, name: str, value: Any) -> Any:
    """A sequence, a mapping or whatever can be gone through; a word is one of words only."""
    if not isinstance(value, kind) or (isinstance(value, str) and not words):
        raise TypeError(f"{name}: expected several in a {kind.__name__.lower()}, got {value!r}")
    return value


def _speaker(words: str, verbs: list[str], name: str, value: Any) -> Any:
    missing = [verb for verb in verbs if not hasattr(value, verb)]
    if missing or isinstance(value, type):
        raise TypeError(f"{name}: expected a {words} with {', '.join(missing or verbs)}, got {value!r}")
    return value


def _one_of(choices: tuple[Any, ...], name: str, value: Any) -> Any:
    if not isinstance(value, str | int) or value not in choices:
        raise ValueError(f"{name}: expected {', '.join(map(repr, choices[:-1]))} or {choices[-1]!r}, got {value!r}")
    return value


def _integer(name: str, value: Any) -> int:
    return integer(name, value, least=-MOST, most=MOST)


def _number(name: str, value: Any) -> float:
    return number(name, value, low=-np.inf, high=np.inf)


def _floats(name: str, value: Any) -> FloatArray:
    if type(value) is np.ndarray and value.dtype == np.float64 and value.flags.c_contiguous:
        if not np.isfinite(value).all():
            raise ValueError(f"{name}: expected finite real numbers, got NaN or infinity")
        return value
    return real_array(name, value, axes=0, empty=True)


def _truths(name: str, value: Any) -> BoolArray:
    array = _as_array(name, value, "a boolean array")
    return bool_array(name, array, axes=array.ndim) if array.size else np.asarray(array, dtype=np.bool_)


def _integers(name: str, value: Any) -> Any:
    array = _as_array(name, value, "an array of integers")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name}: expected an array of integers, got dtype {array.dtype}")
    return np.asarray(array, dtype=np.int64, order="C")


def _numbers(name: str, value: Any) -> Any:
    """An array of numbers or truths, of which it is not said which."""
    wanted = "an array of numbers"
    array = np.asarray(_as_array(name, value, wanted), order="C")
    if array.dtype.kind not in "biufO" or (array.dtype == object and array.ndim == 0):
        raise ValueError(f"{name}: expected {wanted}, got {value!r}")
    if array.dtype.kind in "iu":
        return array.astype(np.int64) if array.size == 0 or array.max() < 2**63 else real_array(name, array, axes=0)
    return _floats(name, array) if array.dtype.kind == "f" else array


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: expected True or False, got {value!r}")
    return bool(value)


def _word(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a word, got {value!r}")
    return value


def _seed(name: str, value: Any) -> Any:
    """A seed stays a seed: a function may use it more than once."""
    random_generator(value, name=name)
    return value


_READERS: dict[Any, Reader] = {
    int: _integer,
    float: _number,
    bool: _truth,
    str: _word,
    FloatArray: _floats,
    BoolArray: _truths,
    ArrayLike: _numbers,
    RNGLike: _seed,
}
