"""Argument checks: each error names the argument, what was given and what was expected. And one product of matrices."""

from inspect import Parameter, signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: What `numpy.random.default_rng` takes.
RNGLike = int | np.integer[Any] | np.random.SeedSequence | np.random.BitGenerator | np.random.Generator | None

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


def random_generator(rng: RNGLike, *, name: str = "rng") -> np.random.Generator:
    """The generator that a seed stands for; one that is given is used as it is."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError, OverflowError) as error:
        wanted = "None, an integer >= 0, or a SeedSequence, BitGenerator or Generator of numpy"
        raise ValueError(f"{name}: expected {wanted}, got {rng!r}") from error


def _as_array(name: str, value: ArrayLike, wanted: str) -> NDArray[Any]:
    """The array that a value stands for; a sparse matrix and a table are written out."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        count = int(np.ma.getmaskarray(value).sum())
        raise ValueError(f"{name}: expected {wanted}, got {count} masked entries; fill them first")
    for dense in ("toarray", "to_numpy"):  # of scipy.sparse, and of pandas and others
        if not isinstance(value, np.ndarray | type) and callable(getattr(value, dense, None)):
            value = getattr(value, dense)()
    try:
        return np.asarray(value)
    except (ValueError, TypeError, OverflowError) as error:
        given = "a ragged sequence" if isinstance(value, list | tuple) else repr(value)
        raise ValueError(f"{name}: expected {wanted}, got {given}") from error


def _axes(count: int) -> str:
    return "1 axis" if count == 1 else f"{count} axes"


def _require_axes(name: str, array: NDArray[Any], axes: int, wanted: str) -> None:
    if array.ndim < axes or (array.ndim and array.shape[-1] == 0):
        raise ValueError(f"{name}: expected {wanted}, got shape {array.shape}")


def real_array(name: str, value: ArrayLike, *, axes: int = 1, empty: bool = False) -> FloatArray:
    """Return `value` as a new finite float64 array with at least `axes` axes and a last axis that is not empty.

    `empty` admits an empty array after all. The rows lie one behind the other, so that sums and products come out the
    same bit for bit, in whatever order and type the numbers were given.
    """
    wanted = f"an array of finite real numbers with at least {_axes(axes)}" if axes else "finite real numbers"
    array = _as_array(name, value, wanted)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name}: expected {wanted}, got dtype {array.dtype}")
    if not (empty and array.size == 0):
        _require_axes(name, array, axes, wanted)
    with np.errstate(over="ignore"):  # what is too large for a double is refused as infinite
        array = array.astype(np.float64, order="C")
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: expected {wanted}, got NaN or infinity")
    return array


def bool_array(name: str, value: ArrayLike, *, axes: int, n: int | None = None, like: str = "") -> BoolArray:
    """Return `value` as a boolean array with exactly `axes` axes; the last is not empty, and of length n as in `like`.

    It is not copied where its rows lie one behind the other already.
    """
    wanted = f"a boolean array with {_axes(axes)}"
    array = _as_array(name, value, wanted)
    if array.dtype != np.bool_:
        raise ValueError(f"{name}: expected {wanted}, got dtype {array.dtype}; convert with .astype(bool)")
    _require_axes(name, array, axes, wanted)
    if array.ndim != axes:
        raise ValueError(f"{name}: expected {wanted}, got shape {array.shape}")
    if n is not None:
        same_size(name, array.shape[-1], n, like)
    return np.asarray(array, order="C")


def nonzero(name: str, array: FloatArray) -> FloatArray:
    """Return `array` unless one of its vectors (last axis) is zero."""
    if not array.any(axis=-1).all():
        raise ValueError(f"{name}: expected nonzero vectors, got a zero vector")
    return array


def same_dimension(name: str, array: NDArray[Any], n: int, other: str) -> None:
    """Refuse `array` unless its last axis has length `n`, the dimension of `other`."""
    same_size(name, array.shape[-1], n, other)


def same_size(name: str, given: int, n: int, other: str) -> None:
    """Refuse a dimension that is not `n`, the dimension of `other`."""
    if given != n:
        raise ValueError(f"{name}: expected dimension {n} as in {other}, got dimension {given}")


def same_shape(**shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Broadcast the named shapes; an error names the last one that does not fit."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError as error:
        name, given = shapes.popitem()
        same_shape(**shapes)  # if those before it fit
        before = ", ".join(f"{shape} of {other}" for other, shape in shapes.items())
        raise ValueError(f"{name}: expected leading axes that broadcast with {before}, got {given}") from error


def instance(name: str, value: object, kind: type) -> None:
    """Refuse `value` unless it is an instance of `kind`."""
    if not isinstance(value, kind):
        raise ValueError(f"{name}: expected a {kind.__name__}, got {value!r}")


def speaks(name: str, value: object, protocol: type) -> None:
    """Refuse `value` unless it has the verbs of a protocol and each can be asked the way the protocol's is."""
    verbs = [verb for verb in dir(protocol) if not verb.startswith("_")]
    asked = [list(signature(getattr(protocol, verb)).parameters.values())[1:] for verb in verbs]  # without self
    for verb, parameters in zip(verbs, asked, strict=True):
        keywords = {p.name: None for p in parameters if p.kind is Parameter.KEYWORD_ONLY}
        try:
            signature(getattr(value, verb)).bind(*[None] * (len(parameters) - len(keywords)), **keywords)
        except (AttributeError, TypeError) as error:
            takes = "; ".join(
                f"{verb}({', '.join(p.name for p in parameters)})"
                for verb, parameters in zip(verbs, asked, strict=True)
            )
            wanted = f"{protocol.__module__}.{protocol.__name__}, an object with {takes}"
            raise TypeError(f"{name}: expected {wanted}, got {value!r}") from error


def integer(name: str, value: object, *, least: int, most: int | None = None) -> int:
    """Return `value` as an int in [least, most]; no count is beyond 10^30."""
    wanted = f"an integer >= {least}" + ("" if most is None else f" and <= {most}")
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name}: expected {wanted}, got {value!r}")
    if value < least or (most is not None and value > most):
        raise ValueError(f"{name}: expected {wanted}, got {_short(value)}")
    if value > 10**30:
        raise ValueError(f"{name}: expected {wanted}, and at most 10^30, got {_short(value)}")
    return int(value)


def _short(value: object) -> str:
    """A number as it is shown in an error, not all of its digits if they are many."""
    text = f"{value}"
    return text if len(text) <= 40 else f"{text[:20]}... ({len(text)} digits)"


def number(
    name: str, value: object, *, low: float, high: float, open_low: bool = False, open_high: bool = False
) -> float:
    """Return `value` as a finite float in the interval from `low` to `high`."""
    wanted = f"a number in {'(' if open_low else '['}{low:g}, {high:g}{')' if open_high else ']'}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError(f"{name}: expected {wanted}, got {value!r}")
    try:
        x = float(value)
    except OverflowError:
        x = np.inf
    above = x > low if open_low else x >= low
    below = x < high if open_high else x <= high
    if not (np.isfinite(x) and above and below):
        raise ValueError(f"{name}: expected {wanted}, got {value!r}")
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
