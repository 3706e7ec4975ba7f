"""Argument checks: each error names the argument, what was given and what was expected. And one product of matrices."""

import reprlib
from inspect import Parameter, signature
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: What `numpy.random.default_rng` takes.
RNGLike = int | np.integer[Any] | np.random.SeedSequence | np.random.BitGenerator | np.random.Generator | None

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
T = TypeVar("T")
AXES = ("0 axes", "1 axis", "2 axes", "3 axes")


def random_generator(rng: RNGLike) -> np.random.Generator:
    """The generator that a seed stands for; one that is given is used as it is."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"rng: expected None, a seed >= 0, or a bit generator or Generator, got {rng!r}") from error


def as_array(name: str, value: ArrayLike, wanted: str, kinds: str, axes: int, most: int | None) -> NDArray[Any]:
    """The array that a value stands for, of one of numpy's kinds, its last axis not empty; a table is written out."""
    if isinstance(value, np.ma.MaskedArray) and value.mask.any():
        raise ValueError(f"{name}: expected {wanted}, got {value.mask.sum()} masked entries; fill them first")
    for dense in ("toarray", "to_numpy"):  # of scipy.sparse, and of pandas and others
        if not isinstance(value, np.ndarray | type) and callable(getattr(value, dense, None)):
            value = getattr(value, dense)()
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{name}: expected {wanted}, got {reprlib.repr(value)}, no array: {error}") from error
    shaped = axes <= array.ndim <= (most or array.ndim) and array.shape[-1:] != (0,)
    if array.dtype.kind not in kinds or not shaped:
        raise ValueError(f"{name}: expected {wanted}, got {array.dtype} of shape {array.shape}")
    return array


def real_array(name: str, value: ArrayLike, *, axes: int = 1, most: int | None = None, copy: bool = True) -> FloatArray:
    """Return `value` as a new finite float64 array with `axes` axes or more, the last of them not empty.

    Without `copy` it is the same array where nothing had to be changed. The rows lie one behind the other, so that sums
    and products come out the same bit for bit, in whatever order and type the numbers were given.
    """
    wanted = f"an array of finite real numbers with {'' if most else 'at least '}{AXES[axes]}"
    with np.errstate(over="ignore"):  # what is too large for a double is refused as infinite
        array = as_array(name, value, wanted, "biuf", axes, most).astype(np.float64, order="C", copy=copy)
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: expected {wanted}, got NaN or infinity")
    return array


def bool_array(name: str, value: ArrayLike, *, axes: int, n: int | None = None, like: str = "") -> BoolArray:
    """Return `value` as a boolean array with exactly `axes` axes; the last is not empty, and of length n as in `like`.

    It is not copied where its rows lie one behind the other already.
    """
    wanted = f"a boolean array with {AXES[axes]}, as .astype(bool) gives"
    array = as_array(name, value, wanted, "b", axes, axes)
    if n is not None:
        same_size(name, array.shape[-1], n, like)
    return np.asarray(array, order="C")


def nonzero(name: str, array: FloatArray) -> FloatArray:
    """Return `array` unless one of its vectors (last axis) is zero."""
    if not array.any(axis=-1).all():
        raise ValueError(f"{name}: expected nonzero vectors, got a zero vector")
    return array


def same_size(name: str, given: int, n: int, other: str) -> None:
    """Refuse a dimension that is not `n`, the dimension of `other`."""
    if given != n:
        raise ValueError(f"{name}: expected dimension {n} as in {other}, got dimension {given}")


def broadcast(name: str, given: tuple[int, ...], shape: tuple[int, ...], other: str) -> tuple[int, ...]:
    """The leading axes of two shapes together; the last ones, dimensions, must agree."""
    same_size(name, given[-1], shape[-1], other)
    try:
        return np.broadcast_shapes(shape[:-1], given[:-1])
    except ValueError as error:
        wanted = f"leading axes that broadcast with {shape[:-1]} of {other}"
        raise ValueError(f"{name}: expected {wanted}, got {given[:-1]}") from error


def instance(name: str, value: object, kind: type[T]) -> T:
    """Return `value` if it is an instance of `kind`."""
    if not isinstance(value, kind):
        raise ValueError(f"{name}: expected a {kind.__name__}, got {value!r}")
    return value


def function(name: str, value: T, takes: str) -> T:
    """Return `value` if it can be called, and is no class."""
    if not callable(value) or isinstance(value, type):
        raise ValueError(f"{name}: expected a function {takes}, got {value!r}")
    return value


def one_of(name: str, value: object, *words: str) -> None:
    """Refuse `value` unless it is one of a few words."""
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name}: expected {' or '.join(map(repr, words))}, got {value!r}")


def speaks(name: str, value: T, protocol: type) -> T:
    """Return `value` if it has the verbs of a protocol and each can be asked the way the protocol's is."""
    verbs = {v: list(signature(getattr(protocol, v)).parameters.values())[1:] for v in dir(protocol) if v[0] != "_"}
    try:
        for verb, asked in verbs.items():
            keywords = {p.name: p for p in asked if p.kind is Parameter.KEYWORD_ONLY}
            signature(getattr(value, verb)).bind(*asked[len(keywords) :], **keywords)
    except (AttributeError, TypeError) as error:
        takes = "; ".join(f"{verb}({', '.join(p.name for p in asked)})" for verb, asked in verbs.items())
        wanted = f"{protocol.__module__}.{protocol.__name__}, an object with {takes}"
        raise TypeError(f"{name}: expected {wanted}, got {value!r}: {error}") from error
    return value


def integer(name: str, value: object, *, least: int, most: int = 10**30) -> int:
    """Return `value` as an int in [least, most]."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        wanted = f"an integer >= {least}" + (f" and <= {most:,}" if most < 10**30 else "")
        raise ValueError(f"{name}: expected {wanted}, got {reprlib.repr(value)}")
    return int(value)


def number(name: str, value: object, interval: str) -> float:
    """Return `value` as a float in an interval, which is written as in "(0, 0.5]"."""
    low, high = map(float, interval[1:-1].split(","))
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    try:
        x = float(value) if real else np.nan  # type: ignore[arg-type]
    except OverflowError:
        x = np.inf
    if not (low < x < high or (x == low and interval[0] == "[") or (x == high and interval[-1] == "]")):
        raise ValueError(f"{name}: expected a number in {interval}, got {value!r}")
    return x


def matrix_product(A: Any, B: Any) -> Any:
    """A @ B, for finite matrices; booleans count in single precision, which is exact up to 2^24 and twice as fast.

    Now and then BLAS computes with memory beside its operands, throws that away and leaves the processor's flag
    raised; numpy then warns of an invalid value that is in no product (its issues 13173 and 24067). What is finite and
    far from overflow has no invalid sum, so here the flags say nothing.
    """
    A, B = (M.astype(np.float32) if M.dtype == np.bool_ else M for M in (A, B))
    with np.errstate(all="ignore"):
        return A @ B
