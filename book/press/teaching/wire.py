"""Plain values as text: what a function is asked with, and what it returns, when it runs in another process.

Numbers, texts, arrays, generators of numpy and containers of these come out as they went in. Anything else comes out as
a stand-in that has only the name of its type: reading a text never runs code of whoever wrote it.
"""

from __future__ import annotations

import json
import math
from base64 import b64decode, b64encode
from fractions import Fraction
from typing import Any

import numpy as np

#: Containers within containers, and bytes of an array, beyond which nothing is kept but the type.
DEPTH, BYTES = 20, 32_000_000
#: Numbers that a range may stand for: a few characters can ask the reader for any amount of memory.
NUMBERS = 1_000_000
_SEQUENCES: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
_NUMBERS = "biufc"


class _Unknown:
    """What could not be sent."""


def written(value: object) -> str:
    """A value as text."""
    return json.dumps(_plain(value, DEPTH))


def read(text: str) -> Any:
    """The value of a text."""
    return _value(json.loads(text))


def _plain(value: object, depth: int) -> Any:
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return {"int": hex(value)}  # type: ignore[arg-type]
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}  # type: ignore[arg-type]
    try:
        tag, content = _tagged(value, depth)
    except Exception:  # whatever an object may do when it is looked at
        return {"other": kind.__name__}
    return {tag: content}


def _tagged(value: Any, depth: int) -> tuple[str, Any]:
    """The kind and the content of a value; an error if it is none of those that are sent."""
    if depth == 0:
        raise ValueError
    for name, kind in _SEQUENCES.items():
        if isinstance(value, kind):
            return name, [_plain(part, depth - 1) for part in value]
    if isinstance(value, dict):
        return "dict", [[_plain(key, depth - 1), _plain(part, depth - 1)] for key, part in value.items()]
    if isinstance(value, np.ndarray):
        return "ndarray", _of_array(np.asarray(value), depth)
    if isinstance(value, np.generic):
        return "scalar", _of_array(np.asarray(value), depth)
    if isinstance(value, np.random.Generator):
        return "Generator", _plain(value.bit_generator.state, depth - 1)
    if isinstance(value, Fraction):
        return "Fraction", [hex(value.numerator), hex(value.denominator)]
    if isinstance(value, complex):
        return "complex", [repr(value.real), repr(value.imag)]
    if isinstance(value, range):
        return "range", [value.start, value.stop, value.step]
    if value is ...:
        return "ellipsis", []
    raise TypeError


def _of_array(array: Any, depth: int) -> list[Any]:
    if array.dtype.kind in _NUMBERS and array.nbytes <= BYTES:
        return [array.dtype.str, list(array.shape), b64encode(array.tobytes()).decode()]
    if array.dtype.kind == "O" and array.size <= BYTES // 32:
        return ["O", list(array.shape), [_plain(part, depth - 1) for part in array.ravel().tolist()]]
    raise TypeError


def _value(plain: Any) -> Any:
    if not isinstance(plain, dict):
        return plain
    ((kind, content),) = plain.items()
    try:
        return _made(kind, content)
    except Exception:
        return _stand_in(kind)


def _stand_in(kind: str) -> Any:
    return type(str(kind)[:40], (_Unknown,), {})()


def _made(kind: str, content: Any) -> Any:
    if kind == "int":
        return int(content, 16)
    if kind == "float":
        return float(content)
    if kind in _SEQUENCES:
        return _SEQUENCES[kind](_value(part) for part in content)
    if kind == "dict":
        return {_value(key): _value(part) for key, part in content}
    if kind == "complex":
        return complex(*map(float, content))
    if kind == "Fraction":
        return Fraction(*(int(part, 16) for part in content))
    if kind == "range":
        numbers = range(*content)
        return numbers if len(numbers) <= NUMBERS else _stand_in(kind)
    if kind == "ellipsis":
        return ...
    if kind in ("ndarray", "scalar"):
        return _array(*content)[() if kind == "scalar" else ...]
    if kind == "Generator":
        generator = np.random.default_rng()
        generator.bit_generator.state = _value(content)
        return generator
    return _stand_in(content if kind == "other" else kind)


def _array(dtype: str, shape: list[int], content: Any) -> Any:
    if dtype == "O":
        array = np.empty(len(content), dtype=object)
        array[:] = [_value(part) for part in content]
        return array.reshape(shape)
    if np.dtype(dtype).kind not in _NUMBERS:
        raise TypeError(dtype)
    return np.frombuffer(b64decode(content), dtype=dtype).reshape(shape).copy()
