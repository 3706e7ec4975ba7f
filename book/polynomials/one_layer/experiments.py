"""What the chapter on one hidden layer shows beside its algorithm."""

from collections.abc import Mapping
from typing import Any

Point = frozenset[int]  # where it is 1


def coefficients(f: Mapping[Point, Any]) -> dict[Point, Any]:
    """The warm-up's one polynomial with these values: each coefficient is what those below leave unexplained."""
    a: dict[Point, Any] = {}
    for p in sorted(f, key=len):  # small sets first
        a[p] = f[p] - sum(a[q] for q in a if q < p)
    return a


def inversion(f: Mapping[Point, Any], p: Point) -> Any:
    """The warm-up's coefficient at p by the formula of inclusion and exclusion."""
    return sum((-1) ** (len(p) - len(q)) * f[q] for q in f if q <= p)
