"""Argument checks: each error names the argument, what was given and what was expected. And one product of matrices."""

import reprlib
from inspect import getfullargspec, signature
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: What `numpy.random.default_rng` takes.
RNGLike = int | np.integer[Any] | np.random.SeedSequence | np.random.BitGenerator | np.random.Generator | None

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
T = TypeVar("T")
AXES = ("0 axes", "1 axis", "2 axes", "3 axes")


def require(holds: object, name: str, wanted: str, given: object = None, *, text: str = "") -> None:
    """Check a condition on an argument: the error says what was expected, and what was given, as it is or in words."""
    if not holds:
        raise ValueError(f"{name}: expected {wanted}, got {text or repr(given)}")


def random_generator(rng: RNGLike) -> np.random.Generator:
    """Check the argument `rng`: the generator that a seed stands for; one that is given is used as it is."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"rng: expected None, a seed >= 0, or a bit generator or Generator, got {rng!r}") from error


def as_array(name: str, value: Any, wanted: str, kinds: str, axes: int, most: int | None) -> NDArray[Any]:
    """Check that an argument is an array of one of numpy's kinds, its last axis not empty; a table is written out."""
    require(not np.ma.is_masked(value), name, wanted, text="masked entries; fill them first")
    # scipy.sparse has `toarray`, pandas and others `to_numpy`
    dense: Any = getattr(value, "toarray", None) or getattr(value, "to_numpy", lambda: value)
    try:
        array = np.asarray(dense())
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{name}: expected {wanted}, got {reprlib.repr(value)}, no array: {error}") from error
    shaped = axes <= array.ndim <= (most or array.ndim) and array.shape[-1:] != (0,)
    if array.dtype.kind not in kinds or not shaped:
        raise ValueError(f"{name}: expected {wanted}, got {array.dtype} of shape {array.shape}")
    return array


def real_array(name: str, value: ArrayLike, *, axes: int = 1, most: int | None = None, copy: bool = True) -> FloatArray:
    """Check that an argument is real and finite, with `axes` axes or more, the last not empty: a new float64 array.

    Without `copy` it is the same array where nothing had to be changed. The rows lie one behind the other, so that sums
    and products come out the same bit for bit, in whatever order and type the numbers were given.
    """
    wanted = f"an array of finite real numbers with {'' if most else 'at least '}{AXES[axes]}"
    with np.errstate(over="ignore"):  # what is too large for a double is refused as infinite
        array = as_array(name, value, wanted, "biuf", axes, most).astype(np.float64, order="C", copy=copy)
    require(np.isfinite(array).all(), name, wanted, text="NaN or infinity")
    return array


def bool_array(name: str, value: ArrayLike, *, axes: int, n: int | None = None, like: str = "") -> BoolArray:
    """Check that an argument is boolean with exactly `axes` axes, the last not empty, of length n as in `like`.

    It is not copied where its rows lie one behind the other already.
    """
    array = as_array(name, value, f"a boolean array with {AXES[axes]}, as .astype(bool) gives", "b", axes, axes)
    same_size(name, array.shape[-1], n, like)
    return np.asarray(array, order="C")


def nonzero(name: str, array: FloatArray) -> FloatArray:
    """Check that no vector (last axis) of an argument is zero, and return it."""
    require(array.any(axis=-1).all(), name, "nonzero vectors", text="a zero vector")
    return array


def same_size(name: str, given: int, n: int | None, other: str) -> None:
    """Check that the dimension of an argument is `n`, the dimension of `other`, where that is given."""
    if n not in (None, given):
        raise ValueError(f"{name}: expected dimension {n} as in {other}, got dimension {given}")


def broadcast(name: str, a: tuple[int, ...], b: tuple[int, ...], other: str) -> tuple[int, ...]:
    """Check that the shape of an argument broadcasts with that of `other`, last axes alike; both their leading axes."""
    same_size(name, a[-1], b[-1], other)
    try:
        return np.broadcast_shapes(b[:-1], a[:-1])
    except ValueError:
        raise ValueError(f"{name}: expected leading axes to broadcast with {b[:-1]} of {other}, got {a[:-1]}") from None


def instance(name: str, value: T, kind: type, n: int | None = None, like: str = "") -> T:
    """Check that an argument is an instance of `kind`, in dimension n as in `like` where that is given; return it."""
    require(isinstance(value, kind), name, f"a {kind.__name__}", value)
    same_size(name, getattr(value, "n", 0), n, like)
    return value


def function(name: str, value: T, takes: str) -> T:
    """Check that an argument can be called, and is no class; return it."""
    require(callable(value) and not isinstance(value, type), name, f"a function {takes}", value)
    return value


def one_of(name: str, value: T, *words: str) -> T:
    """Check that an argument is one of a few words, and return it."""
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name}: expected {' or '.join(map(repr, words))}, got {value!r}")
    return value


def speaks(name: str, value: T, protocol: type) -> T:
    """Check that an argument has the verbs of a protocol, each to be asked the way the protocol's is; return it."""
    verbs = {v: getfullargspec(getattr(protocol, v)) for v in dir(protocol) if v[0] != "_"}
    try:
        for verb, asked in verbs.items():
            signature(getattr(value, verb)).bind(*asked.args[1:], **dict.fromkeys(asked.kwonlyargs))
    except (AttributeError, TypeError) as error:
        takes = "; ".join(f"{verb}({', '.join(asked.args[1:] + asked.kwonlyargs)})" for verb, asked in verbs.items())
        wanted = f"{protocol.__module__}.{protocol.__name__}, an object with {takes}"
        raise TypeError(f"{name}: expected {wanted}, got {value!r}: {error}") from error
    return value


def integer(name: str, value: Any, *, least: int, most: int = 10**30) -> int:
    """Check that an argument is an integer in [least, most], and return it as an int."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    wanted = f"an integer >= {least}" + (f" and <= {most:,}" if most < 10**30 else "")
    require(whole and least <= value <= most, name, wanted, value)
    return int(value)


def number(name: str, value: Any, interval: str) -> float:
    """Check that an argument is a number in an interval, written as in "(0, 0.5]", and return it as a float."""
    low, high = map(float, interval[1:-1].split(","))
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    ends = [low] * (interval[0] == "[") + [high] * (interval[-1] == "]")
    require(real and (low < value < high or value in ends), name, f"a number in {interval}", value)
    return float(value)


def matrix_product(A: Any, B: Any) -> Any:
    """A @ B, for finite matrices; booleans count in single precision, which is exact up to 2^24 and twice as fast.

    Now and then BLAS computes with memory beside its operands, throws that away and leaves the processor's flag
    raised; numpy then warns of an invalid value that is in no product (its issues 13173 and 24067). What is finite and
    far from overflow has no invalid sum, so here the flags say nothing.
    """
    A, B = (M.astype(np.float32) if M.dtype == np.bool_ else M for M in (A, B))
    with np.errstate(all="ignore"):
        return A @ B
