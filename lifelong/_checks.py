"""Argument checks: each error names the argument, what was given and what was expected."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


def _as_array(name: str, value: Any, wanted: str) -> NDArray[Any]:
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}: expected {wanted}, got a ragged sequence") from error


def _require_axes(name: str, array: NDArray[Any], axes: int, wanted: str) -> None:
    if array.ndim < axes or array.shape[-1] == 0:
        raise ValueError(f"{name}: expected {wanted}, got shape {array.shape}")


def real_array(name: str, value: Any, *, axes: int = 1) -> FloatArray:
    """Return `value` as finite float64 with at least `axes` axes and a last axis that is not empty."""
    wanted = f"an array of finite real numbers with at least {axes} axis" + ("es" if axes > 1 else "")
    array = _as_array(name, value, wanted)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name}: expected {wanted}, got dtype {array.dtype}")
    _require_axes(name, array, axes, wanted)
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: expected {wanted}, got NaN or infinity")
    return array


def bool_array(name: str, value: Any, *, axes: int) -> BoolArray:
    """Return `value` as a boolean array with exactly `axes` axes and a last axis that is not empty."""
    wanted = f"a boolean array with {axes} axis" + ("es" if axes > 1 else "")
    array = _as_array(name, value, wanted)
    if array.dtype != np.bool_:
        raise ValueError(f"{name}: expected {wanted}, got dtype {array.dtype}; convert with .astype(bool)")
    _require_axes(name, array, axes, wanted)
    if array.ndim != axes:
        raise ValueError(f"{name}: expected {wanted}, got shape {array.shape}")
    return array


def nonzero(name: str, array: FloatArray) -> FloatArray:
    """Return `array` unless one of its vectors (last axis) is zero."""
    if not array.any(axis=-1).all():
        raise ValueError(f"{name}: expected nonzero vectors, got a zero vector")
    return array


def same_dimension(name: str, array: NDArray[Any], n: int, other: str) -> None:
    """Refuse `array` unless its last axis has length `n`, the dimension of `other`."""
    if array.shape[-1] != n:
        raise ValueError(f"{name}: expected dimension {n} as in {other}, got dimension {array.shape[-1]}")


def integer(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """Return `value` as an int in [least, most]."""
    wanted = f"an integer >= {least}" + ("" if most is None else f" and <= {most}")
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name}: expected {wanted}, got {value!r}")
    if value < least or (most is not None and value > most):
        raise ValueError(f"{name}: expected {wanted}, got {value}")
    return int(value)


def number(
    name: str,
    value: Any,
    *,
    low: float,
    high: float,
    open_low: bool = False,
    open_high: bool = False,
) -> float:
    """Return `value` as a finite float in the interval from `low` to `high`."""
    wanted = f"a number in {'(' if open_low else '['}{low:g}, {high:g}{')' if open_high else ']'}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError(f"{name}: expected {wanted}, got {value!r}")
    x = float(value)
    above = x > low if open_low else x >= low
    below = x < high if open_high else x <= high
    if not (np.isfinite(x) and above and below):
        raise ValueError(f"{name}: expected {wanted}, got {value!r}")
    return x
