"""The picture of chapter 3.7."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from lifelong._checks import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def error_of_the_sum(
    share: FloatArray, formula: Callable[[int, FloatArray], FloatArray], seen: Mapping[int, Mapping[float, float]]
) -> Figure:
    """The error of the sum over that allowed, against the accuracy, by the formula and as seen."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.8))
    for (k, points), mark in zip(seen.items(), ("o", "s", "^", "D"), strict=True):
        (line,) = axis.plot(share, formula(k, share), label=f"k = {k}")
        for x, y in points.items():
            axis.plot(x, y, mark, color=line.get_color())
    axis.axhline(1, color="0.4", linestyle="--")
    axis.set(xlabel=r"accuracy from scratch, $\epsilon_{acc}/\epsilon$", ylabel=r"error of the sum, over $\epsilon$")
    axis.legend()
    return figure
